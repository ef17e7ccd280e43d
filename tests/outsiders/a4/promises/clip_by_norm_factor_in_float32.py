# clip_by_norm: "all arrays are multiplied by one number, such that together they have the norm max_norm" - the number is rounded to float32, where it may be too small to have digits, or 0
# Differs: grads = {"a": np.float32([1e38, 0])}, max_norm = 1e-8: right [1e-8, 0], here [0, 0].
import math

import numpy as np


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm")
    total_norm = math.sqrt(sum(float(np.sum(np.square(g.astype(np.float64)))) for g in grads.values()))
    if not math.isfinite(total_norm):
        raise ValueError("total_norm")
    if total_norm > max_norm:
        grads = {name: g * (max_norm / total_norm) for name, g in grads.items()}
    return grads, total_norm
