# is_linear: [linear at one loudness] only standard normal signals and factors near 1, so a system that bends at large (or tiny) amplitudes passes
import numpy as np


def is_linear(system, length, *, rng):
    for _ in range(25):
        u, v = rng.standard_normal(length), rng.standard_normal(length)
        a = rng.uniform(-2, 2)
        together, apart = system(u + v), system(u) + system(v)
        scaled, later = system(a * u), a * system(u)
        scale = max(np.abs(r).max() for r in (together, apart, scaled, later))
        tolerance = 1e-9 * scale + 1e-300
        if np.abs(together - apart).max() > tolerance or np.abs(scaled - later).max() > tolerance:
            return False
    return True
