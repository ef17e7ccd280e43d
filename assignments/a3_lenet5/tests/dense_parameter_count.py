from __future__ import annotations

from checks import criterion, equal, student

OK_FORMAT, name = False, "dense_parameter_count"


@criterion(
    "values",
    1,
    hint="How many weights, and how many biases, has a single output pixel? And how many such pixels are there?",
)
def test_values() -> None:
    dense_parameter_count = student("lenet5").dense_parameter_count
    equal(dense_parameter_count((1, 2, 3), (2, 1, 2)), 28)
    equal(dense_parameter_count((2, 3, 4), (5, 2, 3)), 750)
    equal(dense_parameter_count((1, 32, 32), (6, 28, 28)), 4821600)
