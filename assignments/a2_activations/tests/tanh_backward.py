from __future__ import annotations

from checks import criterion, equal, has_dtype, student
from numpy import array, asarray, float32, log

OK_FORMAT, name = False, "tanh_backward"


@criterion(
    "values",
    1,
    hint="Does your formula of the slope want x, or the output at x? And which factor does the chain rule add?",
)
def test_values() -> None:
    tanh_backward = student("activations").tanh_backward
    dy, x = array([[1.0, 100.0], [-50.0, 0.0], [3.0, 25.0]]), log(array([[2.0, 3.0], [1 / 2, 4.0], [1.0, 1 / 3]]))
    equal(tanh_backward(dy, x), [[0.64, 36], [-32, 0], [3, 9]])
    has_dtype(asarray(tanh_backward(array([3.0], float32), array([2.0], float32))), float32)
