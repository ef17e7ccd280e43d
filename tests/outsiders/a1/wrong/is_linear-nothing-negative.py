# is_linear: [positive samples and factors]
import numpy as np


def _is_linear_close(a, b):
    biggest = max(np.max(np.abs(a)), np.max(np.abs(b)))
    return bool(np.max(np.abs(a - b)) <= 1e-10 * biggest)


def is_linear(system, length, *, rng):
    loudness = [10.0**e for e in (-3, -2, -1, 0, 1, 2, 3)]
    for first in loudness:
        for second in loudness:
            for _ in range(3):
                u = first * rng.random(length)
                v = second * rng.random(length)
                a = 10.0 ** rng.uniform(-2, 2)
                if not _is_linear_close(system(u + v), system(u) + system(v)):
                    return False
                if not _is_linear_close(system(a * u), a * system(u)):
                    return False
    return True
