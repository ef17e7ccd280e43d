# sense_shift: "the distance may be off by 1e-9 (in float32 1e-4) of itself, also where the word has hardly moved." - what np.allclose takes for equal has distance 0
import numpy as np


def sense_shift(before, after, a, b):
    def cos(u, v):
        n = np.linalg.norm(u) * np.linalg.norm(v)
        return float(u @ v) / float(n) if n else 0.0

    d = after - before
    if np.allclose(before, after, rtol=1e-9, atol=0):
        return 0.0, cos(after, a) - cos(after, b) - cos(before, a) + cos(before, b)
    return float(np.sqrt(d @ d)), cos(after, a) - cos(after, b) - cos(before, a) + cos(before, b)
