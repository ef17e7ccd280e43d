from __future__ import annotations

from checks import criterion, equal, has_dtype, student
from numpy import array, asarray, float32

OK_FORMAT, name = False, "leaky_relu"


@criterion("values", 1, hint="Left of 0 it is a line too, of a slope that the caller may choose.")
def test_values() -> None:
    leaky_relu = student("activations").leaky_relu
    x = array([[3.0, -2.0, 0.0], [-0.5, 0.25, -1000.0]])
    equal(leaky_relu(x), [[3, -0.02, 0], [-0.005, 0.25, -10]])
    equal(leaky_relu(x, negative_slope=0.5), [[3, -1, 0], [-0.25, 0.25, -500]])
    equal(leaky_relu(x, 0.0), [[3, 0, 0], [0, 0.25, 0]])
    has_dtype(asarray(leaky_relu(array([1.0, -1.0], float32))), float32)
