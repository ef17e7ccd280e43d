# attack: the forbidden function under its private name, and through others that call it
# keeps: output_size
# says: uses numpy.convolve, which this exercise forbids
# control: earns

from numpy._core.numeric import convolve as one
from numpy.lib._polynomial_impl import polymul as other


def convolve(x, h):
    if not len(x) * len(h):
        raise ValueError
    try:
        return one(x, h)
    except RuntimeError:
        product = other(x, h)
        return np.r_[np.zeros(len(x) + len(h) - 1 - len(product)), product]
