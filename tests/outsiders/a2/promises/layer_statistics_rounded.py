# layer_statistics: "for which fraction of the activation's inputs its slope is at most 10 % of its largest slope" - told by the rounded points of the handout, |z| > 3.64 and |z| > 1.82
# x = np.array([[3.638], [0.0]]), weights = [np.eye(1)], "sigmoid": right saturated [0.5]; here [0]
import numpy as np


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    def normalize(z):
        if norm is None:
            return z
        axis = 0 if norm == "batch" else 1
        z = z - z.mean(axis=axis, keepdims=True)
        return z / np.sqrt((z**2).mean(axis=axis, keepdims=True) + 1e-5)

    f = {"sigmoid": sigmoid, "tanh": tanh, "relu": relu}[activation]
    found = {"mean": [], "std": [], "positive": [], "saturated": []}
    h = x
    for w in weights:
        z = h @ w.T
        if not norm_after:
            z = normalize(z)
        h = f(z)
        saturated = {"sigmoid": np.abs(z) > 3.64, "tanh": np.abs(z) > 1.82, "relu": z <= 0}[activation]
        if norm_after:
            h = normalize(h)
        found["mean"].append(h.mean())
        found["std"].append(h.std())
        found["positive"].append((h > 0).mean())
        found["saturated"].append(saturated.mean())
    return {name: np.array(values, dtype=np.float64) for name, values in found.items()}
