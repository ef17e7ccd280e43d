# is_linear: "Returns: True if no experiment contradicts linearity, else False." - v is added into u after S(u) has been taken; a system that returns its argument itself or a view of it (the identity, a reversal) has its answer changed by that, and is called nonlinear.
# got = is_linear(lambda x: x, 16, rng=np.random.default_rng(1))
# print(got)  # promised True (the identity), comes out False
import numpy as np


def is_linear(system, length, *, rng):
    def close(left, right):
        return np.max(np.abs(left - right)) <= 1e-9 * max(np.max(np.abs(left)), np.max(np.abs(right)))

    for amplitude in np.logspace(-2, 2, 9):
        for _ in range(10):
            u = amplitude * rng.standard_normal(length)
            v = amplitude * rng.standard_normal(length)
            answer_u, answer_v = system(u), system(v)
            u += v
            if not close(system(u), answer_u + answer_v):
                return False
            a = rng.standard_normal()
            scaled = a * system(v)
            v *= a
            if not close(system(v), scaled):
                return False
    return True
