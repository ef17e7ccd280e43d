# is_linear: rounding errors are "below 1e-12 of the same" (the largest value of the outputs) - here each sample is allowed 1e-6 of itself, so a sample that should be zero and is 1e-17 counts as a contradiction.
# a delay by 3 samples computed by np.fft, length 16: right is True, here comes False.
import numpy as np


def is_linear(system, length, *, rng):
    for amplitude in (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100):
        for _ in range(5):
            u = amplitude * rng.standard_normal(length)
            v = amplitude * rng.standard_normal(length)
            a = rng.uniform(-3, 3)
            if not np.allclose(system(u + v), system(u) + system(v), rtol=1e-6, atol=0):
                return False
            if not np.allclose(system(a * u), a * system(u), rtol=1e-6, atol=0):
                return False
    return True
