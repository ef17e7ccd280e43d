# is_time_invariant: "One that changes periodically does not show it at delays of whole periods" - only one delay is tried, a prime number, and a system of just that period passes
# system = lambda x: np.where(np.arange(len(x)) % 11, x, x / 2), length = 20: right False; here True
import numpy as np


def is_time_invariant(system, length, *, rng):
    k = 11
    for size in np.logspace(-2, 2, 25):
        for _ in range(8):
            x = np.zeros(length)
            x[: length - k] = size * rng.uniform(-1, 1, length - k)
            delayed = np.concatenate([np.zeros(k), x[: length - k]])
            late, early = system(delayed)[k:], system(x)[: length - k]
            if np.max(np.abs(late - early)) > 1e-9 * max(np.max(np.abs(late)), np.max(np.abs(early))):
                return False
    return True
