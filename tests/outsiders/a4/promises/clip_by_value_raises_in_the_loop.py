# clip_by_value: "ValueError: limit is 0 or negative." - looks at the limit once for each array, and so never without one
# Differs: grads = {}, limit = -1.0: right raises ValueError, here {}.
import numpy as np


def clip_by_value(grads, limit):
    clipped = {}
    for name, g in grads.items():
        if limit <= 0:
            raise ValueError("limit")
        clipped[name] = np.clip(g, -limit, limit)
    return clipped
