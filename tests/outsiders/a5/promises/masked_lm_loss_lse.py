# masked_lm_loss: "logits: ... from -1e4 to 1e4" (and "in float32 1e-4") - adds the largest logit back before the label's is subtracted, so that float32 rounds the loss to steps of 0.001
# float32 logits (9999, 9999), label 0: log 2 = 0.69315, here 0.69336 (a rounding of 9999.693)
import numpy as np


def masked_lm_loss(logits, labels):
    chosen = labels != -100
    m = np.count_nonzero(chosen)
    dlogits = np.zeros_like(logits)
    if m == 0:
        return 0.0, dlogits
    z, right = logits[chosen], labels[chosen]
    top = z.max(axis=1, keepdims=True)
    log_sum = top + np.log(np.exp(z - top).sum(axis=1, keepdims=True))
    rows = np.arange(m)
    loss = (log_sum[:, 0] - z[rows, right]).mean()
    p = np.exp(z - top)
    p /= p.sum(axis=1, keepdims=True)
    p[rows, right] -= 1
    dlogits[chosen] = p / m
    return float(loss), dlogits
