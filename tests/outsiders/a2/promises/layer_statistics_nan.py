# layer_statistics: "for which fraction of the activation's inputs its slope is at most 10 % of its largest slope" - the slope of the sigmoid is exp(-z) / (1 + exp(-z)) ** 2, NaN far left, and NaN is not "at most"
# x = array([[-800.0]]), weights [ones((1, 1))], "sigmoid": right saturated [1], here [0]
import numpy as np


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    def normalize(z):
        axis = 0 if norm == "batch" else 1
        centred = z - z.mean(axis=axis, keepdims=True)
        return centred / np.sqrt((centred**2).mean(axis=axis, keepdims=True) + 1e-5)

    rows = []
    h = x
    for w in weights:
        z = h @ w.T
        if norm and not norm_after:
            z = normalize(z)
        if activation == "sigmoid":
            h, slope = sigmoid(z), 4 * np.exp(-z) / (1 + np.exp(-z)) ** 2
        elif activation == "tanh":
            h = tanh(z)
            slope = 1 - h**2
        else:
            h, slope = relu(z), np.where(z > 0, 1.0, 0.0)
        if norm and norm_after:
            h = normalize(h)
        rows.append([h.mean(), h.std(), (h > 0).mean(), (slope <= 0.1).mean()])
    table = np.array(rows, dtype=np.float64).T
    return dict(zip(("mean", "std", "positive", "saturated"), table))
