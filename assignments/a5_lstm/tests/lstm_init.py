from __future__ import annotations

import numpy as np
from checks import Failed, criterion, equal, has_dtype, student, unpack

OK_FORMAT, name = False, "lstm_init"


@criterion(
    "weights",
    2,
    hint="Each weight on its own, evenly up to both ends: which size is under the root? And draw from rng.",
)
def test_weights() -> None:
    lstm_init = student("lstm").lstm_init
    for input_size, hidden_size, bound in ((40, 25, 0.2), (3, 100, 0.1)):
        W, _ = unpack(lstm_init(input_size, hidden_size, rng=np.random.default_rng(1)), "W", "b")
        has_dtype(W, np.float64, what="W")
        equal(np.shape(W), (4 * hidden_size, hidden_size + input_size), what="The shape of W")
        what = f"D = {input_size} and H = {hidden_size}"
        if not 0.99 * bound < np.abs(W).max() <= bound:
            raise Failed(f"With {what} the largest |W| is {np.abs(W).max():.4f}, expected a little below {bound}.")
        counts, _ = np.histogram(W, 4, (-bound, bound))
        if np.abs(counts / W.size - 0.25).max() > 0.03:
            raise Failed(f"With {what} the quarters of the range hold {counts} weights, expected about equally many.")
        if len(np.unique(W)) < W.size:
            raise Failed("Some weights are equal: each is drawn on its own.")
    (first, _), (again, _), (other, _) = (lstm_init(2, 3, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    equal(again, first, what="W for the same state of rng")
    if np.array_equal(first, other):
        raise Failed("Another state of rng gives the same weights.")


@criterion("bias", 1, hint="Whose block is the first? The other blocks get nothing.")
def test_bias() -> None:
    lstm_init, rng = student("lstm").lstm_init, np.random.default_rng(1)
    _, b = unpack(lstm_init(2, 3, rng=rng), "W", "b")
    equal(b, [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], what="b")
    _, b = unpack(lstm_init(5, 2, rng=rng, forget_bias=-2.5), "W", "b")
    equal(b, [-2.5, -2.5, 0, 0, 0, 0, 0, 0], what="b with a forget bias of -2.5")
    has_dtype(b, np.float64, what="b")
