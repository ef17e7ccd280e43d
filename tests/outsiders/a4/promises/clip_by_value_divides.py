# clip_by_value: "Clip every entry of every gradient to -limit ... limit." - divides an entry by its own excess, which makes NaN of an infinite one
# Differs: grads = {"a": [inf, 1.0]}, limit = 2.0: right [2, 1], here [nan, 1].
import numpy as np


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError("limit")
    return {name: g / np.maximum(np.abs(g) / limit, 1) for name, g in grads.items()}
