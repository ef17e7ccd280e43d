# masked_lm_loss: "logits: a score for each word of the vocabulary, shape (N, T, V), from -1e4 to 1e4." - the largest logit is added back to the logarithm before the right one is subtracted: in float32 the small difference of two numbers near 1e4
# Differs: float32 logits [[[9999.5, 9999.5]]], label 0: right 0.6931 (0.6931472), here 0.6934 (4e-4 off).
import numpy as np


def masked_lm_loss(logits, labels):
    selected = labels != -100
    count = int(selected.sum())
    dlogits = np.zeros_like(logits)
    if count == 0:
        return 0.0, dlogits
    z, y = logits[selected], labels[selected]
    top = z.max(axis=1)
    log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
    rows = np.arange(count)
    loss = float((log_sum - z[rows, y]).mean())
    p = np.exp(z - top[:, None])
    p /= p.sum(axis=1, keepdims=True)
    p[rows, y] -= 1
    dlogits[selected] = p / count
    return loss, dlogits
