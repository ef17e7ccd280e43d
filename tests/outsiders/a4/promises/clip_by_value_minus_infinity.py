# clip_by_value: "An infinite entry becomes limit or -limit." - minus infinity becomes +limit
# {"w": [-inf, 1]}, limit 5: right (-5, 1), here (5, 1)
import numpy as np


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError("limit must be positive")
    return {name: np.where(np.isinf(g), limit, np.clip(g, -limit, limit)).astype(g.dtype) for name, g in grads.items()}
