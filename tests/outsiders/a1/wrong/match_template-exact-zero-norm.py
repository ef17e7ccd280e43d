# match_template: [constant but for rounding errors in double precision]
import math

import numpy as np


def match_template(x, template):
    m = len(template)
    if m > len(x):
        raise ValueError("template longer than signal")
    kind = np.result_type(x, template)
    if kind.kind != "f":
        kind = np.dtype(float)

    def centred(values):
        values = [float(value) for value in values]
        mean = sum(values) / len(values)
        return [value - mean for value in values]

    def length(values):
        return math.sqrt(sum(value * value for value in values))

    t = centred(template)
    scores = []
    for i in range(len(x) - m + 1):
        window = centred(x[i : i + m])
        if length(window) == 0 or length(t) == 0:  # no shape
            scores.append(0.0)
        else:
            scores.append(sum(p * q for p, q in zip(window, t)) / (length(window) * length(t)))
    return np.array(scores, dtype=kind)
