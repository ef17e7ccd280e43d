# cosine_similarity: [a little added to the lengths]
import numpy as np


def cosine_similarity(a, b):
    a = np.asarray(a, dtype=np.float64)
    b = np.asarray(b, dtype=np.float64)
    eps = 1e-8  # never divide by zero
    return float(np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b) + eps))
