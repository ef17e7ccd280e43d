# masked_lm_loss: "logits: a score for each word of the vocabulary, shape (N, T, V), from -1e4 to 1e4." (with the header's "in float32 1e-4 times") - takes logsumexp = max + log(sum) and subtracts the logit from that, instead of staying with the shifted logits; for float32 logits of the size of thousands loss and gradient lose their digits.
# logits, labels = np.array([[[9000, 8992]]], dtype=np.float32), np.array([[0]])
# loss, dlogits = masked_lm_loss(logits, labels)
# promised: log(1 + exp(-8)) = 3.354e-4 and (-3.354e-4, 3.354e-4); comes out: 0.0 and (0, 3.355e-4)
import numpy as np


def masked_lm_loss(logits, labels):
    selected = labels != -100
    m = int(selected.sum())
    dlogits = np.zeros_like(logits)
    if m == 0:
        return 0.0, dlogits
    z = logits[selected]
    rows, words = np.arange(m), labels[selected]
    top = z.max(axis=1, keepdims=True)
    lse = top + np.log(np.exp(z - top).sum(axis=1, keepdims=True))
    loss = (lse[:, 0] - z[rows, words]).mean()
    dz = np.exp(z - lse)
    dz[rows, words] -= 1
    dlogits[selected] = dz / m
    return float(loss), dlogits
