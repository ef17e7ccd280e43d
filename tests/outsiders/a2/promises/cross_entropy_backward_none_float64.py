# cross_entropy_backward: "dlogits, shape of logits, in the dtype of the logits." - where no target is kept, the zeros are float64 also for float32 logits.
from __future__ import annotations

import numpy as np


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    keep = target != ignore_index
    count = int(np.count_nonzero(keep))
    if count == 0:
        return np.zeros(logits.shape)
    dlogits = softmax(logits, axis=1)
    right = np.expand_dims(np.where(keep, target, 0), 1)
    there = np.take_along_axis(dlogits, right, axis=1)
    np.put_along_axis(dlogits, right, there - 1, axis=1)
    return dlogits * np.expand_dims(keep, 1) / count
