# masked_lm_loss: "labels: ... signed integers of any size" - makes -100 a valid index by % V, which int8 cannot hold where V > 127
# int8 labels, V = 200: a loss, here OverflowError
import numpy as np


def masked_lm_loss(logits, labels):
    chosen = labels != -100
    m = max(1, int(chosen.sum()))
    target = (labels % logits.shape[2])[:, :, None]
    z = logits - logits.max(axis=2, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=2, keepdims=True))
    picked = np.take_along_axis(log_p, target, axis=2)[:, :, 0]
    loss = -float(picked[chosen].sum()) / m
    d = np.exp(log_p)
    np.put_along_axis(d, target, np.take_along_axis(d, target, axis=2) - 1, axis=2)
    return loss, d * chosen[:, :, None].astype(logits.dtype) / m
