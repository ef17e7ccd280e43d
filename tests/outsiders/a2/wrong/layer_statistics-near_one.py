# layer_statistics: [saturated on one side only]
import math

import numpy as np


def _layer_statistics_standard(a, over):
    return (a - a.mean(over, keepdims=True)) / np.sqrt(a.var(over, keepdims=True) + 1e-5)


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    act = {"sigmoid": sigmoid, "tanh": tanh, "relu": relu}[activation]
    over = 0 if norm == "batch" else 1
    rows = []
    h = x
    for w in weights:
        z = h @ w.T
        if norm and not norm_after:
            z = _layer_statistics_standard(z, over)
        a = act(z)
        # slope 10 % of the largest: s (1 - s) = 1/40 for the sigmoid, 1 - t ** 2 = 1/10 for tanh
        if activation == "sigmoid":
            flat = a >= (1 + math.sqrt(0.9)) / 2
        elif activation == "tanh":
            flat = a >= math.sqrt(0.9)
        else:
            flat = a == 0
        h = _layer_statistics_standard(a, over) if norm and norm_after else a
        rows.append((np.mean(h), np.std(h), np.mean(h > 0), np.mean(flat)))
    mean, std, positive, saturated = map(np.array, zip(*rows))
    return {"mean": mean, "std": std, "positive": positive, "saturated": saturated}
