# clip_by_norm: "gradients by name, of any shapes." - squares the norms of rows, which are no numbers where an array has three axes
# Differs (raises): grads = {"a": np.ones((2, 2, 2))}, max_norm = 1.0.
import math

import numpy as np


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm")
    squares = 0.0
    for g in grads.values():
        for row in np.atleast_2d(g.astype(np.float64)):
            squares += float(np.dot(row, row))
    total_norm = math.sqrt(squares)
    if not math.isfinite(total_norm):
        raise ValueError("total_norm")
    c = min(1.0, max_norm / (total_norm + 1e-6))
    return {name: (g.astype(np.float64) * c).astype(g.dtype) for name, g in grads.items()}, total_norm
