# correlate2d: [computed in eight bits]
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def correlate2d(x, w):
    result_type = np.result_type(x, w)
    if result_type.kind != "f":
        result_type = np.float64
    patches = sliding_window_view(x, w.shape)
    return np.einsum("ijuv,uv->ij", patches, w).astype(result_type)
