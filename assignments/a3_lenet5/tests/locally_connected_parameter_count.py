from __future__ import annotations

from checks import criterion, equal, student

OK_FORMAT, name = False, "locally_connected_parameter_count"


@criterion(
    "values", 1, hint="How many weights and biases has one output pixel, if it sees only its window, in all channels?"
)
def test_values() -> None:
    locally_connected_parameter_count = student("lenet5").locally_connected_parameter_count
    equal(locally_connected_parameter_count((1, 2, 3), (2, 1, 2), 2), 20)
    equal(locally_connected_parameter_count((3, 6, 8), (4, 4, 7), (3, 2)), 2128)
    equal(locally_connected_parameter_count((1, 32, 32), (6, 28, 28), 5), 122304)
