# cosine_similarity: "The zero vector has no direction: its cosine with any vector is defined as 0 here." - the scale is taken before the numbers become floats: the absolute value of int8 -128 is -128, so a vector of -128s and 0s passes for the zero vector and gets 0.
import math

import numpy as np


def cosine_similarity(a, b):
    # Divide by the largest entry first, so that no square can overflow or vanish.
    a_top, b_top = np.abs(a).max(), np.abs(b).max()
    if a_top <= 0 or b_top <= 0:
        return 0.0
    a = a.astype(np.float64) / float(a_top)
    b = b.astype(np.float64) / float(b_top)
    return float(a @ b) / math.sqrt(float(a @ a) * float(b @ b))
