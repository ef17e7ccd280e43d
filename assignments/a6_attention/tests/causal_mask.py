from __future__ import annotations

from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "causal_mask"


@criterion("values", 2, hint="At which of the S positions does query 0 stand? Draw the row of the last query first.")
def test_values() -> None:
    causal_mask = student("attention").causal_mask
    equal(causal_mask(3), array([[1, 0, 0], [1, 1, 0], [1, 1, 1]]) == 1)
    equal(causal_mask(3, 3), array([[1, 0, 0], [1, 1, 0], [1, 1, 1]]) == 1)
    equal(causal_mask(2, 4), array([[1, 1, 1, 0], [1, 1, 1, 1]]) == 1)
    equal(causal_mask(1, 4), array([[1, 1, 1, 1]]) == 1, what="The mask of one query, with three keys before it,")
    equal(causal_mask(3, 2), array([[0, 0], [1, 0], [1, 1]]) == 1)
    equal(causal_mask(4, S=1), array([[0], [0], [0], [1]]) == 1)
    equal(causal_mask(1), array([[True]]))
