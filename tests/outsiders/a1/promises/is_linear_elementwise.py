# is_linear: "A linear one fulfils it up to rounding errors, which are below 1e-12 of the largest value of the outputs compared." - each sample is compared relative to itself, so that rounding around a 0 counts as a contradiction
# system = lambda x: np.fft.irfft(np.fft.rfft(x, 64) * np.fft.rfft([0, 0, 1.0], 64), 64)[:16] (a delay by 2), length = 16: right True; here False
import numpy as np


def is_linear(system, length, *, rng):
    for size in np.logspace(-2, 2, 30):
        for _ in range(4):
            u = size * rng.standard_normal(length)
            v = size * rng.standard_normal(length)
            a = float(rng.uniform(-3, 3))
            if not np.allclose(system(u + v), system(u) + system(v), rtol=1e-7, atol=0):
                return False
            if not np.allclose(system(a * u), a * system(u), rtol=1e-7, atol=0):
                return False
    return True
