from __future__ import annotations

from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "padding_mask"


@criterion("values", 2, hint="What does a length say about each place? The last axis is that of the keys.")
def test_values() -> None:
    padding_mask = student("attention").padding_mask
    rows = array([[1, 1, 0], [0, 0, 0], [1, 1, 1], [1, 0, 0]]) == 1
    equal(padding_mask(array([2, 0, 3, 1]), 3), rows[:, None, None, :])
    equal(padding_mask(array([4]), 4), array([[[[True, True, True, True]]]]))
    equal(padding_mask(array([1, 1]), 1), array([[[[True]]], [[[True]]]]))
