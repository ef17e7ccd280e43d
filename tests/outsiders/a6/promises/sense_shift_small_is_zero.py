# sense_shift: "Every other vector has one, be it 1e-50 or 1e50 long (in float32 1e-8 or 1e8)." - a vector shorter than 1e-12 is taken for zero
# Differs: before = [0, 2], after = [3e-50, 4e-50], a = [1, 0], b = [0, 1]: right gain 0.8, here 1.
import numpy as np


def sense_shift(before, after, a, b):
    def cosine(u, v):
        lengths = np.linalg.norm(u) * np.linalg.norm(v)
        return 0.0 if lengths < 1e-12 else float(u @ v / lengths)

    distance = float(np.linalg.norm(after - before))
    return distance, (cosine(after, a) - cosine(after, b)) - (cosine(before, a) - cosine(before, b))
