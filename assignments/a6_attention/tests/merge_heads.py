from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, student
from numpy import arange, array

OK_FORMAT, name = False, "merge_heads"


@criterion("values", 1, hint="Which axes must be neighbours before a reshape may join them? The order counts, too.")
def test_values() -> None:
    merge_heads = student("attention").merge_heads
    x = array([[[[1, 2, 3], [10, 20, 30]], [[4, 5, 6], [40, 50, 60]]]])
    equal(merge_heads(x), [[[1, 2, 3, 4, 5, 6], [10, 20, 30, 40, 50, 60]]])
    equal(merge_heads(array([[[[1]], [[2]]], [[[3]], [[4]]], [[[5]], [[6]]]])), [[[1, 2]], [[3, 4]], [[5, 6]]])
    equal(merge_heads(x[:, :1]), [[[1, 2, 3], [10, 20, 30]]])
    has_dtype(merge_heads(arange(12, dtype=np.int32).reshape(1, 2, 3, 2)), np.int32)
