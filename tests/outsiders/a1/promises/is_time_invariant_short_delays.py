# is_time_invariant: "S(x_k)[n] = S(x)[n - k] for n = k, k + 1, ... for all signals x and all delays k." - only delays up to 7 are tried, with the docstring's hundredth as the tolerance; a slow change, which exceeds a hundredth at longer delays only, is not seen.
# slow = lambda x: (1 + 0.001 * np.arange(len(x))) * x  # at a delay of 19 the sides differ by 1.9 % of the larger one
# got = is_time_invariant(slow, 20, rng=np.random.default_rng(1))
# print(got)  # promised False, comes out True
import numpy as np


def is_time_invariant(system, length, *, rng):
    for amplitude in (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0):
        for k in (1, 2, 3, 5, 7):
            for _ in range(5):
                x = np.zeros(length)
                x[: length - k] = amplitude * rng.standard_normal(length - k)
                shifted = np.zeros(length)
                shifted[k:] = x[: length - k]
                left, right = system(shifted)[k:], system(x)[: length - k]
                largest = max(np.max(np.abs(left)), np.max(np.abs(right)))
                if np.max(np.abs(left - right)) > 0.01 * largest:
                    return False
    return True
