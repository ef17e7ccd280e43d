from __future__ import annotations

from checks import criterion, equal, has_dtype, student
from numpy import array, asarray, float32

OK_FORMAT, name = False, "softmax_backward"


@criterion(
    "values", 2, hint="One score moves every probability of its row, and none of another row. Add these effects."
)
def test_values() -> None:
    softmax_backward = student("activations").softmax_backward
    dy, y = array([[1.0, 2.0, 3.0], [4.0, 0.0, 2.0]]), array([[0.5, 0.25, 0.25], [0.125, 0.25, 0.625]])
    want = array([[-0.375, 0.0625, 0.3125], [0.28125, -0.4375, 0.15625]])
    equal(softmax_backward(dy, y), want)
    equal(softmax_backward(dy.T, y.T, axis=0), want.T)
    equal(softmax_backward(dy[:, :, None], y[:, :, None], axis=1), want[:, :, None])
    equal(softmax_backward(dy[0], y[0], axis=-1), want[0])
    equal(softmax_backward(array([[7.0, 7.0]]), array([[0.25, 0.75]])), [[0, 0]])
    has_dtype(asarray(softmax_backward(array([1.0, 2.0], float32), array([0.5, 0.5], float32))), float32)
