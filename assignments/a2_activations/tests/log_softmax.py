from __future__ import annotations

from checks import criterion, equal, has_dtype, student
from numpy import array, asarray, float32, log

OK_FORMAT, name = False, "log_softmax"


@criterion("values", 1, hint="Its exponential is softmax. Along which axis does the sum run?")
def test_values() -> None:
    log_softmax = student("activations").log_softmax
    x = log(array([[1.0, 2.0, 5.0], [3.0, 2.0, 15.0]]))
    rows = log(array([[1 / 8, 1 / 4, 5 / 8], [0.15, 0.1, 0.75]]))
    equal(log_softmax(x), rows)
    equal(log_softmax(x, axis=0), log(array([[0.25, 0.5, 0.25], [0.75, 0.5, 0.75]])))
    equal(log_softmax(x.T, axis=-2), rows.T)
    equal(log_softmax(x[:, :, None], axis=1), rows[:, :, None])
    equal(log_softmax(x[1]), rows[1])
    has_dtype(asarray(log_softmax(array([[1.0, -1.0]], float32))), float32)


@criterion(
    "extremes",
    1,
    hint="Which exponentials overflow, and which are 0 before the logarithm? Does one shift suit every row?",
)
def test_extremes() -> None:
    log_softmax = student("activations").log_softmax
    equal(log_softmax(array([0.0, 1000.0])), [-1000, 0])
    x = array([[5.0, 5.0], [-1000.0, -1000.0], [3000.0, 1000.0]])
    equal(log_softmax(x), [[-log(2), -log(2)], [-log(2), -log(2)], [0, -2000]])
    equal(log_softmax(x[:2]), -log(array([[2.0, 2.0], [2.0, 2.0]])))
