# invariance_rate: "if no entry of its output, borders included, differs by more than 1e-12" - np.isclose allows 1e-12 of the value as well
# Differs: layer = lambda a: 1e6 + 1e-8 * a, x = np.eye(3)[None, None], shifts=[(0, 1)]: right [0.], here [1.].
import numpy as np


def invariance_rate(layer, x, shifts):
    before = layer(x)
    rates = np.zeros(len(shifts))
    for k, (down, right) in enumerate(shifts):
        same = np.isclose(layer(shift_image(x, down, right)), before, rtol=1e-12, atol=1e-12)
        rates[k] = same.reshape(len(x), -1).all(axis=1).mean()
    return rates
