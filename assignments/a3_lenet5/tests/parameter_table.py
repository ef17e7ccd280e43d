from __future__ import annotations

from typing import Any

from checks import Failed, criterion, equal, student

OK_FORMAT, name = False, "parameter_table"


def same(got: Any, want: dict[str, int]) -> None:
    if not isinstance(got, dict) or sorted(got) != sorted(want):
        keys = sorted(got) if isinstance(got, dict) else type(got).__name__
        raise Failed(f"The result has the keys {keys}, expected {sorted(want)}.")
    for key, number in want.items():
        equal(got[key], number, what=f"The entry {key}")


@criterion(
    "values",
    4,
    hint="How many weights and biases has a filter, an output? What is left of odd sides when they are flattened?",
)
def test_values() -> None:
    parameter_table = student("lenet5").parameter_table
    want = {"conv1": 156, "conv2": 2416, "fc1": 48120, "fc2": 10164, "fc3": 850, "total": 61706}
    same(parameter_table(), want)
    # The side goes 10, 8, 4, 2, 1.
    want = {"conv1": 57, "conv2": 112, "fc1": 25, "fc2": 36, "fc3": 49, "total": 279}
    same(parameter_table(10, 2, (3, 4), 3, (5, 6), 7), want)
    # The side goes 12, 11, 5, 4, 2.
    want = {"conv1": 5, "conv2": 10, "fc1": 27, "fc2": 8, "fc3": 6, "total": 56}
    same(parameter_table(size=12, channels=(1, 2), kernel_size=2, hidden=(3, 2), classes=2), want)
    # The side goes 13, 11, 5, 3, 1.
    want = {"conv1": 20, "conv2": 57, "fc1": 16, "fc2": 25, "fc3": 18, "total": 136}
    same(parameter_table(size=13, channels=(2, 3), kernel_size=3, hidden=(4, 5), classes=3), want)
