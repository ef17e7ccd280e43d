# is_linear: "A linear one fulfils it up to rounding errors, which are below 1e-12 of the largest value of the outputs compared." - the tolerance is an absolute one, which a loud linear system breaks by rounding
# system = lambda x: 1e12 * (x + np.cumsum(x) / 3), length = 16: right True; here False
import numpy as np


def is_linear(system, length, *, rng):
    for size in np.logspace(-2, 2, 30):
        for _ in range(5):
            u = size * rng.standard_normal(length)
            v = size * rng.standard_normal(length)
            a = rng.uniform(-3, 3)
            if np.max(np.abs(system(u + v) - system(u) - system(v))) > 1e-8:
                return False
            if np.max(np.abs(system(a * u) - a * system(u))) > 1e-8:
                return False
    return True
