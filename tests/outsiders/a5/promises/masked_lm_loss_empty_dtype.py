# masked_lm_loss: "The floating arrays of one call have one dtype, float32 or float64, and so have the results, unless a docstring says otherwise." - without a selected position the gradient is a fresh np.zeros, float64 for float32 logits too.
import numpy as np


def masked_lm_loss(logits, labels):
    selected = labels != -100
    count = np.count_nonzero(selected)
    if count == 0:
        return 0.0, np.zeros(logits.shape)
    scores = logits[selected]
    right = labels[selected].astype(np.int64)
    rows = np.arange(count)
    scores = scores - scores.max(axis=1, keepdims=True)
    log_p = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    loss = -log_p[rows, right].mean()
    d = np.exp(log_p)
    d[rows, right] -= 1
    dlogits = np.zeros_like(logits)
    dlogits[selected] = d / count
    return float(loss), dlogits
