# layer_statistics: "saturated   for which fraction of the activation's inputs its slope is at most 10 % of its largest slope" - the inputs are compared with 3.6369 and half of it, the rounded numbers of the handout, and those between the true point (3.636893...) and the rounded one are not counted.
from __future__ import annotations

import numpy as np

SATURATED_FROM = {"sigmoid": 3.6369, "tanh": 3.6369 / 2}


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    function = {"sigmoid": sigmoid, "tanh": tanh, "relu": relu}[activation]

    def normalize(z):
        axis = 0 if norm == "batch" else 1
        deviations = z - z.mean(axis=axis, keepdims=True)
        return deviations / np.sqrt((deviations**2).mean(axis=axis, keepdims=True) + 1e-5)

    found = {"mean": [], "std": [], "positive": [], "saturated": []}
    h = x
    for w in weights:
        z = h @ w.T
        if norm is not None and not norm_after:
            z = normalize(z)
        h = function(z)
        if norm is not None and norm_after:
            h = normalize(h)
        flat = z <= 0 if activation == "relu" else np.abs(z) >= SATURATED_FROM[activation]
        found["mean"].append(np.mean(h, dtype=np.float64))
        found["std"].append(np.std(h, dtype=np.float64))
        found["positive"].append(np.mean(h > 0))
        found["saturated"].append(np.mean(flat))
    return {key: np.array(values, np.float64) for key, values in found.items()}
