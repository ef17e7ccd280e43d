# sign_agreement: "A weight whose gradient is 0 takes no part" - gradients below 1e-10 count as 0 too
# dy = np.array([[1e-11]]), x = np.array([[1.0, -2.0]]): right [False]; here [True]
import numpy as np


def sign_agreement(dy, x):
    gradient = dy.T @ x
    up = (gradient > 1e-10).any(axis=1)
    down = (gradient < -1e-10).any(axis=1)
    return ~(up & down)
