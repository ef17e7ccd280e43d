# clip_by_norm: "gradients by name, each of any shape, at least one." - the squares are added up row by row, and an array without axes has no rows
# Differs (raises): grads = {"s": np.array(3.0), "b": np.array([4.0])}, max_norm = 1.0.
import math

import numpy as np


def _squares(a):
    if np.isscalar(a):
        return float(a) * float(a)
    return sum(_squares(row) for row in a)


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm must be positive")
    total = math.sqrt(sum(_squares(g) for g in grads.values()))
    if not math.isfinite(total):
        raise ValueError("the norm is not finite")
    if total <= max_norm:
        return grads, total
    return {name: g * (max_norm / total) for name, g in grads.items()}, total
