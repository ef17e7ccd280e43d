from __future__ import annotations

import numpy as np
from checks import Failed, criterion, equal, has_dtype, student

OK_FORMAT, name = False, "he_normal"


@criterion(
    "statistics",
    1,
    hint="Which distribution, which shape? Which variance, of inputs or outputs, and what does NumPy ask for?",
)
def test_statistics() -> None:
    he_normal = student("activations").he_normal
    for out, in_, variance in ((120, 200, 0.01), (400, 50, 0.04)):
        w = np.asarray(he_normal(out, in_, rng=np.random.default_rng(1)))
        has_dtype(w, np.float64)
        equal(np.shape(w), (out, in_), what="The shape of the result")
        z = np.abs(w) / np.sqrt(variance)
        if abs(np.mean(w)) > 0.1 * np.sqrt(variance):
            raise Failed(f"The mean of {out} x {in_} weights is {np.mean(w):.3g}, expected about 0.")
        if abs(np.mean(z**2) - 1) > 0.1:
            raise Failed(f"The variance of {out} x {in_} weights is {np.var(w):.3g}, expected about {variance:.3g}.")
        if not 0.03 < np.mean(z > 2) < 0.06 or np.max(z) < 3:
            raise Failed(
                f"{np.mean(z > 2):.1%} of {out} x {in_} weights lie beyond two standard deviations, the furthest at "
                f"{np.max(z):.2f}: expected about 4.6%, and some beyond three."
            )
        if len(np.unique(w)) < w.size:
            raise Failed("Some weights are equal: each is drawn on its own.")


@criterion("generator", 1, hint="Draw from rng, and from nothing else.")
def test_generator() -> None:
    he_normal = student("activations").he_normal
    first, again, other = (he_normal(4, 5, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    equal(again, first, what="The result for the same state of rng")
    if np.array_equal(first, other):
        raise Failed("Another state of rng gives the same weights.")
    rng = np.random.default_rng(1)
    if np.array_equal(he_normal(4, 5, rng=rng), he_normal(4, 5, rng=rng)):
        raise Failed("Two calls with the same rng, one after the other, give the same weights.")
