from __future__ import annotations

import numpy as np
from checks import Failed, criterion, equal, has_dtype, student
from numpy import array, asarray, float32

OK_FORMAT, name = False, "relu_backward"


@criterion("values", 1, hint="Whether a gradient passes was decided on the way forward. By which array?")
def test_values() -> None:
    relu_backward = student("activations").relu_backward
    dy, x = array([[5.0, -6.0, 7.0], [-8.0, 9.0, -4.0]]), array([[3.0, 2.0, -1.0], [-0.5, 0.25, 1000.0]])
    equal(relu_backward(dy, x), [[5, -6, 0], [0, 9, -4]])
    dx = relu_backward(array([2.0, -3.0, 1.0]), array([0.0, 0.0, -1.0]))
    equal(np.shape(dx), (3,), what="The shape of the result")
    if not (0 <= dx[0] <= 2 and -3 <= dx[1] <= 0):
        raise Failed(f"At x = 0, for dy = 2 and -3, the result is {dx[0]} and {dx[1]}: not between 0 and dy.")
    has_dtype(asarray(relu_backward(array([3.0], float32), array([2.0], float32))), float32)
