from __future__ import annotations

from checks import criterion, equal, has_dtype, student
from numpy import array, asarray, float32, log

OK_FORMAT, name = False, "tanh"


@criterion("values", 0.5, hint="exp(log 2) is 2 and exp(-log 2) is 1/2: put them into the formula.")
def test_values() -> None:
    tanh = student("activations").tanh
    equal(tanh(log(array([[2.0, 3.0], [1 / 2, 1 / 3], [7.0, 1.0]]))), [[0.6, 0.8], [-0.6, -0.8], [0.96, 0]])
    equal(tanh(log(array([3.0])) / 2), [0.5])
    has_dtype(asarray(tanh(array([[1.0, -2.0]], float32))), float32)


@criterion(
    "extremes",
    0.5,
    hint="Which exponentials become infinite, on which side? Is there another form, perhaps a known one?",
)
def test_extremes() -> None:
    tanh = student("activations").tanh
    equal(tanh(array([1000.0, -1000.0, 0.0])), [1, -1, 0])
    equal(tanh(array([-720.0, 400.0])), [-1, 1])
