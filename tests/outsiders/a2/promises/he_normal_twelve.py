# he_normal: "Each weight is drawn on its own, from the normal distribution with mean 0 and variance 2 / in_. Nothing is cut off far from the mean." - the sum of twelve uniform numbers stands for a normal one: right in mean and variance, with tails too thin (beyond four deviations a quarter of what should be there).
from __future__ import annotations

import math


def he_normal(out, in_, *, rng):
    standard = rng.random((12, out, in_)).sum(axis=0) - 6  # variance 12 / 12
    return math.sqrt(2 / in_) * standard
