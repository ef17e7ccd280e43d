from __future__ import annotations

import numpy as np
from checks import Failed, criterion, equal, has_dtype, student
from numpy import array, asarray, float32

OK_FORMAT, name = False, "leaky_relu_backward"


@criterion("values", 1, hint="The function has two slopes. Which one counts is up to x; what each multiplies is not.")
def test_values() -> None:
    leaky_relu_backward = student("activations").leaky_relu_backward
    dy, x = array([[5.0, -6.0, 7.0], [-8.0, 9.0, -4.0]]), array([[3.0, 2.0, -1.0], [-0.5, 0.25, 1000.0]])
    equal(leaky_relu_backward(dy, x), [[5, -6, 0.07], [-0.08, 9, -4]])
    equal(leaky_relu_backward(dy, x, negative_slope=0.5), [[5, -6, 3.5], [-4, 9, -4]])
    dx = leaky_relu_backward(array([2.0, -3.0]), array([0.0, 0.0]), 0.25)
    equal(np.shape(dx), (2,), what="The shape of the result")
    if not (0.5 <= dx[0] <= 2 and -3 <= dx[1] <= -0.75):
        raise Failed(f"At x = 0, for dy = 2 and -3 and a slope of 1/4, the result is {dx[0]} and {dx[1]}.")
    has_dtype(asarray(leaky_relu_backward(array([3.0], float32), array([-2.0], float32))), float32)
