from __future__ import annotations

from checks import criterion, equal, has_dtype, student
from numpy import array, asarray, float32

OK_FORMAT, name = False, "relu"


@criterion("values", 1, hint="Negative entries become 0; all the others come out as they went in.")
def test_values() -> None:
    relu = student("activations").relu
    equal(relu(array([[3.0, -2.0, 0.0], [-0.5, 0.25, -1000.0]])), [[3, 0, 0], [0, 0.25, 0]])
    equal(relu(array([[[[-1.0], [4.0]]]])), [[[[0], [4]]]])
    has_dtype(asarray(relu(array([1.0, -1.0], float32))), float32)
