from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, student, unpack
from numpy import array, log

OK_FORMAT, name = False, "masked_lm_loss"

# Probabilities (1/4, 3/4), (1/2, 1/2) in the first sentence, (1/10, 9/10), (1/2, 1/2) in the second.
LOGITS = array([[[0, log(3)], [5, 5]], [[-log(9), 0], [-2, -2]]])
# Softmax needs no logits that are near each other.
FAR = array([[[1000.0, 0.0, -9000.0], [0.0, 0.0, 0.0]]])


@criterion("loss", 2, hint="Which positions count, and how many divide? What overflows, or is 0 before its logarithm?")
def test_loss() -> None:
    masked_lm_loss = student("lstm").masked_lm_loss
    for logits, labels, want in (
        (LOGITS, [[0, -100], [1, 1]], (log(4) + log(10 / 9) + log(2)) / 3),
        (LOGITS, [[1, -100], [-100, -100]], log(4 / 3)),
        (LOGITS + 700, [[-100, 0], [0, -100]], (log(2) + log(10)) / 2),
        (FAR, [[1, -100]], 1000),
        (FAR, [[2, 0]], (10000 + log(3)) / 2),
        (FAR, [[0, -100]], 0),
    ):
        loss, _ = unpack(masked_lm_loss(logits, array(labels)), "loss", "dlogits")
        equal(loss, want, what=f"The loss for the labels {labels}")


@criterion(
    "gradient",
    2,
    hint="Is the loss right? Then: probability minus truth, where it counts. Who divided the loss by what?",
)
def test_gradient() -> None:
    masked_lm_loss = student("lstm").masked_lm_loss
    for logits, labels, want in (
        (LOGITS, [[0, -100], [1, 1]], [[[-0.25, 0.25], [0, 0]], [[0.1 / 3, -0.1 / 3], [1 / 6, -1 / 6]]]),
        (LOGITS, [[1, -100], [-100, -100]], [[[0.25, -0.25], [0, 0]], [[0, 0], [0, 0]]]),
        (FAR, [[1, 2]], [[[0.5, -0.5, 0], [1 / 6, 1 / 6, -1 / 3]]]),
    ):
        _, dlogits = unpack(masked_lm_loss(logits, array(labels)), "loss", "dlogits")
        equal(dlogits, want, what=f"dlogits for the labels {labels}")
    _, dlogits = unpack(masked_lm_loss(FAR.astype(np.float32), array([[1, 0]])), "loss", "dlogits")
    has_dtype(dlogits, np.float32, what="dlogits")


@criterion("empty", 1, hint="How many positions does the mean divide by?")
def test_empty() -> None:
    loss, dlogits = unpack(student("lstm").masked_lm_loss(LOGITS, np.full((2, 2), -100)), "loss", "dlogits")
    equal(loss, 0, what="The loss")
    equal(dlogits, np.zeros((2, 2, 2)), what="dlogits")
