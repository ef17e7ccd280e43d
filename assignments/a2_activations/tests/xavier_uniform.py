from __future__ import annotations

import numpy as np
from checks import Failed, criterion, equal, has_dtype, student

OK_FORMAT, name = False, "xavier_uniform"


@criterion(
    "statistics",
    1,
    hint="Which variance do both sides of the layer ask for, and which bound a has a uniform one? Which shape?",
)
def test_statistics() -> None:
    xavier_uniform = student("activations").xavier_uniform
    for out, in_, bound in ((120, 180, np.sqrt(0.02)), (250, 50, np.sqrt(0.02)), (90, 3, np.sqrt(2 / 31))):
        w = np.asarray(xavier_uniform(out, in_, rng=np.random.default_rng(1)))
        has_dtype(w, np.float64)
        equal(np.shape(w), (out, in_), what="The shape of the result")
        if abs(np.mean(w)) > 0.1 * bound:
            raise Failed(f"The mean of {out} x {in_} weights is {np.mean(w):.3g}, expected about 0.")
        if abs(np.var(w) * 3 / bound**2 - 1) > 0.2:
            raise Failed(
                f"The variance of {out} x {in_} weights is {np.var(w):.3g}, expected about {bound**2 / 3:.3g}."
            )
        if not 0.95 * bound < np.abs(w).max() <= bound * (1 + 1e-9):
            raise Failed(f"The largest of {out} x {in_} weights is {np.abs(w).max():.3g}, expected {bound:.3g}.")
        if len(np.unique(w)) < w.size:
            raise Failed("Some weights are equal: each is drawn on its own.")


@criterion("generator", 1, hint="Draw from rng, and from nothing else.")
def test_generator() -> None:
    xavier_uniform = student("activations").xavier_uniform
    first, again, other = (xavier_uniform(4, 5, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    equal(again, first, what="The result for the same state of rng")
    if np.array_equal(first, other):
        raise Failed("Another state of rng gives the same weights.")
    rng = np.random.default_rng(1)
    if np.array_equal(xavier_uniform(4, 5, rng=rng), xavier_uniform(4, 5, rng=rng)):
        raise Failed("Two calls with the same rng, one after the other, give the same weights.")
