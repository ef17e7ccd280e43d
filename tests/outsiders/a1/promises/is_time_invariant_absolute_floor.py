# is_time_invariant: "The outputs may be loud or quiet, 1e7 or 1e-13 times as large as the signals." - 1e-14 is added to the tolerance so that silence passes; a quiet system that changes only what it does to small samples stays below that.
# # small samples are lost from n = 8, and everything is 1e-13 as loud: at amplitude 0.01 the two sides differ by 100 %
# quiet = lambda x: 1e-13 * np.where((np.arange(len(x)) >= 8) & (abs(x) < 0.05), 0.0, x)
# got = is_time_invariant(quiet, 20, rng=np.random.default_rng(1))
# print(got)  # promised False, comes out True
import numpy as np


def is_time_invariant(system, length, *, rng):
    for amplitude in np.logspace(-2, 2, 17):
        for k in range(1, length):
            x = amplitude * rng.standard_normal(length)
            x[length - k :] = 0
            late = np.concatenate([np.zeros(k), x[: length - k]])
            left, right = system(late)[k:], system(x)[: length - k]
            largest = max(np.abs(left).max(), np.abs(right).max())
            if np.abs(left - right).max() > 1e-9 * largest + 1e-14:
                return False
    return True
