# cosine_similarity: "An integer array counts as float64" - (header) the inner product is taken in the dtype of the arguments, where uint8 wraps around
# a = b = np.array([20, 10], np.uint8): right 1.0; here 500 wraps to 244, and the cosine is 0.488
import numpy as np


def cosine_similarity(a, b):
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if na == 0 or nb == 0:
        return 0.0
    return float(a @ b / (na * nb))
