from __future__ import annotations

from checks import criterion, equal, has_dtype, student
from numpy import array, asarray, float32, log

OK_FORMAT, name = False, "log_softmax_backward"


@criterion("values", 2, hint="y holds logarithms. By how much does raising one score lower each of them?")
def test_values() -> None:
    log_softmax_backward = student("activations").log_softmax_backward
    dy, y = array([[1.0, 2.0, 3.0], [4.0, 0.0, 2.0]]), log(array([[0.5, 0.25, 0.25], [0.125, 0.25, 0.625]]))
    want = array([[-2, 0.5, 1.5], [3.25, -1.5, -1.75]])
    equal(log_softmax_backward(dy, y), want)
    equal(log_softmax_backward(dy.T, y.T, axis=0), want.T)
    equal(log_softmax_backward(dy[:, :, None], y[:, :, None], axis=1), want[:, :, None])
    equal(log_softmax_backward(dy[0], y[0], axis=-1), want[0])
    equal(log_softmax_backward(array([[1.0, -1.0]]), log(array([[0.25, 0.75]]))), [[1, -1]])
    has_dtype(asarray(log_softmax_backward(array([1.0, 2.0], float32), log(array([0.25, 0.75], float32)))), float32)
