from __future__ import annotations

from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "forget_path_gradient"

F = array([[0.3, 0.9], [0.5, 1.0], [0.8, 0.1], [0.25, 0.7]])  # f_1, ..., f_4


@criterion("values", 3, hint="Which gates are passed from c_2 to c_4, step by step? Each cell has a path of its own.")
def test_values() -> None:
    forget_path_gradient = student("lstm").forget_path_gradient
    equal(forget_path_gradient(F, 4, 2), [0.2, 0.07], what="The way from c_2 to c_4")
    equal(forget_path_gradient(F, 3, 2), [0.4, 0.1], what="The way from c_1 to c_3")
    equal(forget_path_gradient(F, 3, 1), [0.8, 0.1], what="The way from c_2 to c_3")
    equal(forget_path_gradient(F, 4, 3), [0.1, 0.07], what="The way from c_1 to c_4")
    equal(forget_path_gradient(F, 2, 2), [0.15, 0.9], what="The way from c_0 to c_2")
    equal(forget_path_gradient(F, 4, 4), [0.03, 0.063], what="The way from c_0 to c_4")
    for t in range(5):
        equal(forget_path_gradient(F, t, 0), [1, 1], what=f"The way from c_{t} to c_{t}")
