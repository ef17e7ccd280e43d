# is_linear: "A system S is linear when it is additive, S(u + v) = S(u) + S(v), and homogeneous, S(a * u) = a * S(u), for all signals u, v and all numbers a." - the test signals come from rng.random, so all samples of a signal have one sign; a system that is nonlinear only where signs change within a signal is called linear.
# gate = lambda x: np.where(x * np.concatenate([[0.0], x[:-1]]) >= 0, x, 0.0)  # a sample is lost where the sign changes
# got = is_linear(gate, 16, rng=np.random.default_rng(1))
# print(got)  # promised False (S(u) + S(v) != S(u + v) for random signs, by 100 %), comes out True
import numpy as np


def is_linear(system, length, *, rng):
    def differ(left, right):
        largest = max(np.abs(left).max(), np.abs(right).max())
        return np.abs(left - right).max() > 1e-9 * largest

    for amplitude in (0.01, 0.1, 1.0, 10.0, 100.0):
        for _ in range(20):
            u, v = amplitude * rng.random(length), amplitude * rng.random(length)
            a = rng.uniform(-3, 3)
            if differ(system(u + v), system(u) + system(v)):
                return False
            if differ(system(a * u), a * system(u)):
                return False
    return True
