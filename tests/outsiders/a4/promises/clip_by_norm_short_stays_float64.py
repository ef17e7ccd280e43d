# clip_by_norm: "Otherwise they are returned as they are." - the float64 copies that the norm was taken of are what is returned where nothing is clipped, so a short float32 gradient comes back as float64; clipped ones are converted.
import numpy as np


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm must be positive")
    wide = {name: g.astype(np.float64) for name, g in grads.items()}
    total_norm = float(np.sqrt(sum(np.sum(g**2) for g in wide.values())))
    if not np.isfinite(total_norm):
        raise ValueError("The gradient is NaN or infinite")
    if total_norm <= max_norm:
        return wide, total_norm
    clipped = {name: (g * (max_norm / total_norm)).astype(grads[name].dtype) for name, g in wide.items()}
    return clipped, total_norm
