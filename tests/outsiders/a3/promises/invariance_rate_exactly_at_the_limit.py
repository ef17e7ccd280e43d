# invariance_rate: "A sample counts as unchanged if no entry of its output, borders included, differs by more than 1e-12" - a difference of exactly 1e-12 counts as a change
# Differs: layer = lambda a: 1e-12 * a, x = np.eye(3)[None, None], shifts=[(0, 1)]: right [1.], here [0.].
import numpy as np


def invariance_rate(layer, x, shifts):
    before = layer(x).reshape(len(x), -1)
    rates = []
    for down, right in shifts:
        after = layer(shift_image(x, down, right)).reshape(len(x), -1)
        rates.append(np.mean(np.abs(after - before).max(axis=1) < 1e-12))
    return np.array(rates, dtype=np.float64)
