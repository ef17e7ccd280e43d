# masked_lm_loss: "What is returned may be a new array or a view of an argument" (file header); "(loss, dlogits): ... its gradient with respect to logits" - keeps one work array for each shape and dtype and returns it, so that the next call with logits of the same shape overwrites the gradient returned before.
# logits = np.array([[[0.0, np.log(3)]]])
# _, first = masked_lm_loss(logits, np.array([[0]]))
# _, second = masked_lm_loss(logits, np.array([[1]]))
# promised: first is (-0.75, 0.75); comes out: (0.25, -0.25), the second answer, as first and second are one array
import numpy as np

_work = {}


def masked_lm_loss(logits, labels):
    key = logits.shape, logits.dtype
    if key not in _work:
        _work[key] = np.empty(logits.shape, logits.dtype)
    p = _work[key]
    selected = labels != -100
    m = np.count_nonzero(selected)
    if m == 0:
        p[...] = 0
        return 0.0, p
    np.subtract(logits, logits.max(axis=2, keepdims=True), out=p)
    n, t = np.nonzero(selected)
    right = p[n, t, labels[n, t]]
    np.exp(p, out=p)
    total = p.sum(axis=2, keepdims=True)
    loss = (np.log(total[n, t, 0]) - right).mean()
    p /= total
    p[n, t, labels[n, t]] -= 1
    p[~selected] = 0
    p /= m
    return float(loss), p
