from __future__ import annotations

from checks import criterion, equal, student

OK_FORMAT, name = False, "linear_parameter_count"


@criterion("values", 1, hint="Draw the lines that lead to one output. Does a bias belong to an input or to an output?")
def test_values() -> None:
    linear_parameter_count = student("convolution").linear_parameter_count
    equal(linear_parameter_count(3, 2), 8)
    equal(linear_parameter_count(120, 84), 10164)
    equal(linear_parameter_count(5, 17), 102)
    equal(linear_parameter_count(64, 10, bias=False), 640)
