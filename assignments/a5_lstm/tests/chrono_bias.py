from __future__ import annotations

import numpy as np
from checks import Failed, criterion, equal, student

OK_FORMAT, name = False, "chrono_bias"
bonus = True


@criterion(
    "forget",
    1,
    hint="What is uniform: the bias, or the span whose logarithm it is? From where to where? Whose block is it?",
)
def test_forget() -> None:
    chrono_bias = student("lstm").chrono_bias
    for max_lag in (21, 101):
        b = chrono_bias(400, max_lag, rng=np.random.default_rng(1))
        equal(np.shape(b), (1600,), what="The shape of b")
        spans = np.exp(np.asarray(b)[:400])
        counts, _ = np.histogram(spans, 4, (1, max_lag - 1))
        if spans.min() < 1 - 1e-9 or spans.max() > max_lag - 1 + 1e-9 or counts.min() < 60 or counts.max() > 140:
            raise Failed(
                f"For max_lag = {max_lag} the spans reach from {spans.min():.2f} to {spans.max():.2f}, and the four "
                f"quarters from 1 to {max_lag - 1} hold {counts} of 400: expected about equally many, all inside."
            )
        if np.abs(spans - np.round(spans)).max() < 1e-6:
            raise Failed(f"For max_lag = {max_lag} all spans are whole numbers, expected real ones.")
    first, again, other = (chrono_bias(3, 9, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    equal(again, first, what="b for the same state of rng")
    if np.array_equal(first, other):
        raise Failed("Another state of rng gives the same biases.")


@criterion(
    "others", 1, hint="Blocks f, i, g, o: what does the input gate mirror, of which cell, and what do the others get?"
)
def test_others() -> None:
    b = student("lstm").chrono_bias(5, 30, rng=np.random.default_rng(1))
    b = np.asarray(b)
    if not b[:5].any():
        raise Failed("The forget gates have no bias.")
    equal(b[5:10], -b[:5], what="The block of the input gate")
    equal(b[10:], np.zeros(10), what="The last two blocks together")
