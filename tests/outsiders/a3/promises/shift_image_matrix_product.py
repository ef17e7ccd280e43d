# shift_image: "images, shape (..., H, W), any number of leading axes (also none), any dtype, finite." - shifts by products with float64 matrices, which rounds integers above 2**53
# Differs: x = np.array([[2**53 + 1, 0]]) (int64), down=0, right=1: right [[0, 2**53 + 1]], here [[0, 2**53]].
import numpy as np


def shift_image(x, down, right):
    H, W = x.shape[-2:]
    rows, columns = np.eye(H, k=-down), np.eye(W, k=right)
    return (rows @ x @ columns).astype(x.dtype)
