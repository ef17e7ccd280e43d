# sense_shift: [distance from dot products] |u - v|^2 = u.u + v.v - 2 u.v: for a word that hardly moves the digits cancel

import math

import numpy as np


def sense_shift(before, after, a, b):
    def cos(u, v):
        lengths = np.linalg.norm(u) * np.linalg.norm(v)
        return float(u @ v) / float(lengths) if lengths > 0 else 0.0

    square = float(after @ after) + float(before @ before) - 2 * float(after @ before)
    distance = math.sqrt(max(square, 0.0))
    return distance, (cos(after, a) - cos(after, b)) - (cos(before, a) - cos(before, b))
