# is_linear: "Each one you meet violates linearity clearly for random signals of both signs, somewhere between amplitudes (standard deviations or largest values) of 0.01 and 100: by more than a hundredth of the largest value on either side of the equation." - the hundredth serves as the tolerance, but it is asked at 0.01, 0.1, 1, 10 and 100 only: what shows at 3 and hardly at 1 and 10 is passed.
import numpy as np


def is_linear(system, length, *, rng):
    def same(left, right):
        largest = max(np.abs(left).max(), np.abs(right).max())
        return np.abs(left - right).max() <= 0.01 * largest

    a = -1.5
    for amplitude in (0.01, 0.1, 1.0, 10.0, 100.0):
        for _ in range(10):
            u = amplitude * rng.standard_normal(length)
            v = amplitude * rng.standard_normal(length)
            if not same(system(u + v), system(u) + system(v)):
                return False
            if not same(system(a * u), a * system(u)):
                return False
    return True
