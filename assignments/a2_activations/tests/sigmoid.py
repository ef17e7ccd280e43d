from __future__ import annotations

from checks import criterion, equal, has_dtype, student
from numpy import array, asarray, exp, float32, log

OK_FORMAT, name = False, "sigmoid"


@criterion("values", 1, hint="exp(-log 3) is 1/3: what is sigmoid(log 3)? And which step may widen float32?")
def test_values() -> None:
    sigmoid = student("activations").sigmoid
    equal(sigmoid(log(array([[1.0, 3.0, 4.0], [1 / 3, 1 / 4, 9.0]]))), [[0.5, 0.75, 0.8], [0.25, 0.2, 0.9]])
    equal(sigmoid(array([[[-2.0]], [[2.0]]])), [[[1 / (1 + exp(2))]], [[1 / (1 + exp(-2))]]])
    has_dtype(asarray(sigmoid(array([1.0, -1.0], float32))), float32)


@criterion("extremes", 1, hint="Which exponentials become infinite, and what then? Do small results keep their digits?")
def test_extremes() -> None:
    sigmoid = student("activations").sigmoid
    equal(sigmoid(array([1000.0, -1000.0, 0.0])), [1, 0, 0.5])
    equal(sigmoid(array([-740.0, 800.0])), [0, 1])
    equal(1e15 * sigmoid(array([-35.0])), [1e15 * exp(-35)], what="1e15 times the result for -35")
