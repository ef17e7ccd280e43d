from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, student
from numpy import array

OK_FORMAT, name = False, "linear_forward"


@criterion(
    "values",
    1,
    hint="A row of w belongs to one output: which axis is summed over, which remain? What does an output add?",
)
def test_values() -> None:
    linear_forward = student("lenet5").linear_forward
    x = array([[1.0, 2.0, 3.0], [0.0, -1.0, 4.0], [2.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    w, b = array([[1.0, 0.0, 2.0], [3.0, -1.0, 1.0]]), array([10.0, 20.0])
    equal(linear_forward(x, w, b), [[17, 24], [18, 25], [12, 24], [10, 20]])
    x, w, b = array([[1.0, 10.0]]), array([[1.0, 2.0], [3.0, 4.0]]), array([5.0, 6.0])
    equal(linear_forward(x, w, b), [[26, 49]])
    has_dtype(linear_forward(*(a.astype(np.float32) for a in (x, w, b))), np.float32)
