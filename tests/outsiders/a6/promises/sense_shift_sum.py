# sense_shift: "The zero vector has no direction ... Every other vector has one" - a vector whose entries sum to 0 counts as the zero vector
# before [1, -1], after [1, 0], a [1, 0], b [0, 1]: gain 1 - sqrt(2) = -0.414 is right, here comes 1
import numpy as np


def sense_shift(before, after, a, b):
    def cosine(u, v):
        if u.sum() == 0 or v.sum() == 0:
            return 0.0
        return float(u @ v / (np.linalg.norm(u) * np.linalg.norm(v)))

    gain = (cosine(after, a) - cosine(after, b)) - (cosine(before, a) - cosine(before, b))
    return float(np.linalg.norm(after - before)), gain
