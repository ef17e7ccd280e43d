# is_time_invariant: "Each system that is not time-invariant shows it clearly somewhere between amplitudes of 0.01 and 100." - np.allclose compares with its absolute tolerance of 1e-8, below which a quiet system passes
# system = lambda x: 1e-13 * np.arange(len(x)) * x, length = 16: right False (each output is off by its own size); here True
import numpy as np


def is_time_invariant(system, length, *, rng):
    for size in np.logspace(-2, 2, 25):
        for k in range(1, length):
            for _ in range(4):
                x = np.zeros(length)
                x[: length - k] = size * rng.uniform(-1, 1, length - k)
                delayed = np.concatenate([np.zeros(k), x[: length - k]])
                if not np.allclose(system(delayed)[k:], system(x)[: length - k]):
                    return False
    return True
