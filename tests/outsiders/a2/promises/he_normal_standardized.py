# he_normal: "Each weight is drawn on its own, from the normal distribution with mean 0 and variance 2 / in_." - the sample is standardized so that its own mean and variance come out exactly, which ties the weights together; few weights are no longer normal (two are always -a and a), and a single one is NaN.
# rng = np.random.default_rng(0)
# print(A.he_normal(1, 1, rng=rng), np.var([A.he_normal(2, 1, rng=rng) for _ in range(2000)]), np.unique(np.round(np.abs([A.he_normal(2, 1, rng=rng) for _ in range(9)]), 9)).size)
# promised: a finite number, about 2, 18 different magnitudes; got: nan, 2, and a single magnitude sqrt(2)
import numpy as np


def he_normal(out, in_, *, rng):
    w = rng.standard_normal((out, in_))
    w = (w - w.mean()) / w.std()  # exactly mean 0 and variance 1
    return w * np.sqrt(2 / in_)
