# sense_shift: "gain = (cos(after, a) - cos(after, b)) - (cos(before, a) - cos(before, b))" - "kept from rounding" between -2 and 2, but four cosines reach from -4 to 4
# before [-1, 0], after [1, 0], a [1, 0], b [-1, 0]: gain 4 is right, here comes 2
import numpy as np


def sense_shift(before, after, a, b):
    def cosine(u, v):
        if not u.any() or not v.any():
            return 0.0
        return float(u @ v / (np.linalg.norm(u) * np.linalg.norm(v)))

    gain = (cosine(after, a) - cosine(after, b)) - (cosine(before, a) - cosine(before, b))
    return float(np.linalg.norm(after - before)), min(max(gain, -2.0), 2.0)
