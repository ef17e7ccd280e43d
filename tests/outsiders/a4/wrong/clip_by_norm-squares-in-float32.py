# clip_by_norm: [squares in single precision]
import math

import numpy as np


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm has to be positive")

    squares = [float(np.vdot(g, g)) for g in grads.values()]
    total_norm = math.sqrt(sum(squares)) if all(map(math.isfinite, squares)) else math.inf
    if math.isinf(total_norm):
        raise ValueError("the gradient has no finite norm")

    if total_norm <= max_norm:
        return {name: g.copy() for name, g in grads.items()}, total_norm
    factor = max_norm / total_norm
    return {name: g * factor for name, g in grads.items()}, total_norm
