from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, raises, student
from numpy import arange, array

OK_FORMAT, name = False, "split_heads"


@criterion("values", 1, hint="A token's features stay its own: which go to head 0? A reshape alone mixes tokens.")
def test_values() -> None:
    split_heads = student("attention").split_heads
    x = array([[[1, 2, 3, 4, 5, 6], [10, 20, 30, 40, 50, 60]]])
    equal(split_heads(x, 2), [[[[1, 2, 3], [10, 20, 30]], [[4, 5, 6], [40, 50, 60]]]])
    equal(split_heads(x, 3), [[[[1, 2], [10, 20]], [[3, 4], [30, 40]], [[5, 6], [50, 60]]]])
    equal(split_heads(x, 1), x[:, None])
    equal(split_heads(array([[[1, 2]], [[3, 4]], [[5, 6]]]), 2), [[[[1]], [[2]]], [[[3]], [[4]]], [[[5]], [[6]]]])
    has_dtype(split_heads(arange(12, dtype=np.int32).reshape(1, 3, 4), 2), np.int32)


@criterion("errors", 1, hint="Seven features for two heads: nobody may go away with less, and none may be left over.")
def test_errors() -> None:
    split_heads = student("attention").split_heads
    raises(split_heads, np.zeros((2, 3, 7)), 2)
    raises(split_heads, np.zeros((1, 4, 3)), 6)
    raises(split_heads, np.zeros((2, 2, 6)), 4)
