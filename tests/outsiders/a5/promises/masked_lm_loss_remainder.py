# masked_lm_loss: "labels: ids of the right words, from 0 to V - 1, or -100 for positions that do not count, shape (N, T), signed integers of any size." - makes valid indices of all labels by labels % V, which NumPy refuses for int8 labels when V does not fit int8 (V > 127).
# masked_lm_loss(np.zeros((1, 2, 200)), np.array([[5, -100]], dtype=np.int8))
# promised: loss log(200) = 5.298; comes out: OverflowError: Python integer 200 out of bounds for int8
import numpy as np


def masked_lm_loss(logits, labels):
    V = logits.shape[2]
    selected = (labels != -100).astype(logits.dtype)
    m = selected.sum()
    if m == 0:
        return 0.0, np.zeros_like(logits)
    z = logits - logits.max(axis=2, keepdims=True)
    e = np.exp(z)
    total = e.sum(axis=2, keepdims=True)
    index = (labels % V)[:, :, None]  # -100 becomes some index, it does not count anyway
    right = np.take_along_axis(z, index, axis=2)[:, :, 0]
    loss = ((np.log(total[:, :, 0]) - right) * selected).sum() / m
    d = e / total
    np.put_along_axis(d, index, np.take_along_axis(d, index, axis=2) - 1, axis=2)
    return float(loss), d * (selected / m)[:, :, None]
