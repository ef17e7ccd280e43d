# linear_recurrence_coefficients: [powers entry by entry]
import numpy as np


def linear_recurrence_coefficients(U, V, t):
    def coefficient(age):
        # age 0 is the newest input: it has not been through V
        if age == 0:
            return np.array(U)
        return (V**age) @ U

    return np.array([coefficient(t - s) for s in range(1, t + 1)])
