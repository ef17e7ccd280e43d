# numerical_gradient: [step relative to the entry] the step is made larger for large entries (h times |x[i]| where that is above 1), the quotient with the step h itself is not what comes out
import numpy as np


def numerical_gradient(f, x, dy, *, h=1e-5):
    weights = np.asarray(dy, dtype=np.float64)
    base = np.array(x, dtype=np.float64)

    def _total(at):
        return float(np.sum(weights * np.asarray(f(at), dtype=np.float64)))

    slope = np.empty(base.shape)
    for index, value in np.ndenumerate(base):
        step = h * max(1.0, abs(value))  # otherwise h drowns in the rounding of a large entry
        up, down = base.copy(), base.copy()
        up[index] = value + step
        down[index] = value - step
        slope[index] = (_total(up) - _total(down)) / (2 * step)
    return slope.astype(x.dtype)
