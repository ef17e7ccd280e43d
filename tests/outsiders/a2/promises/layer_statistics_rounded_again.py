# layer_statistics: "for which fraction of the activation's inputs its slope is at most 10 % of its largest slope" - uses the handout's rounded points 3.64 and 1.82 in place of the slope
# x = array([[3.638]]), weights [ones((1, 1))], "sigmoid": right saturated [1] (the slope is 9.99 % of 1/4), here [0]
import numpy as np


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    def normalize(z):
        axis = 0 if norm == "batch" else 1
        centred = z - z.mean(axis=axis, keepdims=True)
        return centred / np.sqrt((centred**2).mean(axis=axis, keepdims=True) + 1e-5)

    f = {"sigmoid": sigmoid, "tanh": tanh, "relu": relu}[activation]
    rows = []
    h = x
    for w in weights:
        z = h @ w.T
        if norm and not norm_after:
            z = normalize(z)
        h = f(z)
        if norm and norm_after:
            h = normalize(h)
        flat = z <= 0 if activation == "relu" else np.abs(z) >= {"sigmoid": 3.64, "tanh": 1.82}[activation]
        rows.append([h.mean(), h.std(), (h > 0).mean(), flat.mean()])
    table = np.array(rows, dtype=np.float64).T
    return dict(zip(("mean", "std", "positive", "saturated"), table))
