# is_time_invariant: [one delay]
import numpy as np


def is_time_invariant(system, length, *, rng):
    k = length // 2
    for amplitude in np.logspace(-3, 3, 13):
        for _ in range(10):
            x = np.zeros(length)
            x[: length - k] = amplitude * rng.standard_normal(length - k)
            delayed = np.zeros(length)
            delayed[k:] = x[: length - k]
            before, after = system(x)[: length - k], system(delayed)[k:]
            largest = max(abs(before).max(), abs(after).max())
            if not np.allclose(after, before, rtol=0, atol=1e-10 * largest):
                return False
    return True
