# clip_by_norm: "ValueError: max_norm is 0 or negative" - gradients that are short enough are returned before max_norm is looked at
# {"w": [0, 0]}, max_norm 0: right a ValueError, here ({"w": [0, 0]}, 0.0)
import math

import numpy as np


def clip_by_norm(grads, max_norm):
    total = math.sqrt(sum(float(np.sum(g.astype(np.float64) ** 2)) for g in grads.values()))
    if not math.isfinite(total):
        raise ValueError("the norm is not finite")
    if total <= max_norm:
        return dict(grads), total
    if max_norm <= 0:
        raise ValueError("max_norm must be positive")
    return {name: g * (max_norm / total) for name, g in grads.items()}, total
