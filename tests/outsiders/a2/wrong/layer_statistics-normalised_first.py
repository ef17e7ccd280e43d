# layer_statistics: [input of the layer normalized]
import numpy as np


def _layer_statistics_slope(activation, z):
    if activation == "relu":
        return (z > 0) * 1.0
    if activation == "tanh":
        return 1 - tanh(z) ** 2
    return 4 * sigmoid(z) * sigmoid(-z)


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    def normalize(a):
        if norm is None:
            return a
        k = 0 if norm == "batch" else 1
        mean, var = np.mean(a, axis=k, keepdims=True), np.var(a, axis=k, keepdims=True)
        return (a - mean) / np.sqrt(var + 1e-5)

    f = {"sigmoid": sigmoid, "tanh": tanh, "relu": relu}[activation]
    out = {k: np.zeros(len(weights)) for k in ("mean", "std", "positive", "saturated")}
    signal = x
    for i, w in enumerate(weights):
        if norm_after:
            z = signal @ w.T
            signal = normalize(f(z))
        else:
            z = normalize(signal) @ w.T
            signal = f(z)
        out["mean"][i], out["std"][i] = signal.mean(), signal.std()
        out["positive"][i] = np.count_nonzero(signal > 0) / signal.size
        out["saturated"][i] = np.count_nonzero(_layer_statistics_slope(activation, z) <= 0.1) / z.size
    return out
