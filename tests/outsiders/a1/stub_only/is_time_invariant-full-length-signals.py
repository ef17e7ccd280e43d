# is_time_invariant: [end pushed out] the test signals fill the whole length, so what the delay pushes out at the right end is missed by systems that look ahead
import numpy as np


def is_time_invariant(system, length, *, rng):
    """Compare S(delayed x) with delayed S(x), for n >= k, over many amplitudes and delays."""
    for amplitude in (1e-2, 1e-1, 1.0, 10.0, 100.0):
        for _ in range(4):
            x = amplitude * rng.standard_normal(length)
            y = system(x)
            for k in range(1, length):
                xk = np.concatenate((np.zeros(k), x[: length - k]))
                yk = system(xk)[k:]
                reference = y[: length - k]
                size = max(np.abs(yk).max(), np.abs(reference).max())
                if np.any(np.abs(yk - reference) > 1e-9 * size):
                    return False
    return True
