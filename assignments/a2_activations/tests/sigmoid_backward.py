from __future__ import annotations

from checks import criterion, equal, has_dtype, student
from numpy import array, asarray, float32, log

OK_FORMAT, name = False, "sigmoid_backward"


@criterion(
    "values", 1, hint="Write the slope at x in terms of the output at x. And which factor does the chain rule add?"
)
def test_values() -> None:
    sigmoid_backward = student("activations").sigmoid_backward
    dy, x = array([[4.0, 16.0, -10.0], [1.0, 0.0, 100.0]]), log(array([[1.0, 3.0, 1 / 4], [4.0, 5.0, 1 / 9]]))
    equal(sigmoid_backward(dy, x), [[1, 3, -1.6], [0.16, 0, 9]])
    has_dtype(asarray(sigmoid_backward(array([3.0], float32), array([2.0], float32))), float32)


@criterion("extremes", 1, hint="Far out the slope is 0. Which step of yours gives infinity there, or NaN?")
def test_extremes() -> None:
    sigmoid_backward = student("activations").sigmoid_backward
    equal(sigmoid_backward(array([5.0, -7.0, 8.0, 2.0]), array([1000.0, -1000.0, 0.0, 750.0])), [0, 0, 2, 0])
    equal(sigmoid_backward(array([1.0, 1.0]), array([900.0, -720.0])), [0, 0])
