# invariance_rate: [fraction of the entries]
import numpy as np


def invariance_rate(layer, x, shifts):
    at_rest = np.asarray(layer(x), dtype=np.float64)
    return np.array(
        [np.mean(np.abs(layer(shift_image(x, down, right)) - at_rest) <= 1e-12) for down, right in shifts],
        dtype=np.float64,
    )
