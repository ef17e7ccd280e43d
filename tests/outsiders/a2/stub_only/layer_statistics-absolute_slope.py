# layer_statistics: [ten percent of one] "saturated" counts slopes of at most 0.1, for the sigmoid too, whose largest slope is only 1/4
import numpy as np


def _layer_statistics_normalize(a, norm):
    if norm is None:
        return a
    axis = {"batch": 0, "layer": 1}[norm]
    centred = a - a.mean(axis=axis, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=axis, keepdims=True) + 1e-5)


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    record = {"mean": [], "std": [], "positive": [], "saturated": []}
    h = x
    for w in weights:
        z = h @ w.T
        if not norm_after:
            z = _layer_statistics_normalize(z, norm)
        if activation == "sigmoid":
            h = sigmoid(z)
            slope = h * (1 - h)
        elif activation == "tanh":
            h = tanh(z)
            slope = 1 - h**2
        else:
            h = relu(z)
            slope = np.where(z > 0, 1.0, 0.0)
        if norm_after:
            h = _layer_statistics_normalize(h, norm)
        record["mean"].append(h.mean())
        record["std"].append(h.std())
        record["positive"].append((h > 0).mean())
        record["saturated"].append((slope <= 0.1).mean())
    return {key: np.array(values) for key, values in record.items()}
