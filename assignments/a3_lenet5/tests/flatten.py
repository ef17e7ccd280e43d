from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, student

OK_FORMAT, name = False, "flatten"


def labelled(*shape: int) -> np.ndarray:
    """Pixels that say where they are: 2314 is image 2, channel 3, row 1, column 4, all counted from 1."""
    return 1111.0 + np.tensordot([1000, 100, 10, 1], np.indices(shape), 1)


@criterion("values", 1, hint="The digits say where a pixel was. Which of them should change fastest along a line?")
def test_values() -> None:
    flatten = student("lenet5").flatten
    first = [1111, 1112, 1113, 1121, 1122, 1123, 1211, 1212, 1213, 1221, 1222, 1223]
    second = [2111, 2112, 2113, 2121, 2122, 2123, 2211, 2212, 2213, 2221, 2222, 2223]
    equal(flatten(labelled(2, 2, 2, 3)), [first, second])
    turned = labelled(2, 2, 2, 3).transpose(2, 3, 1, 0).copy().transpose(3, 2, 0, 1)  # the same images
    equal(flatten(turned), [first, second], what="The result for images that lie otherwise in memory")
    equal(flatten(labelled(1, 4, 1, 2)), [[1111, 1112, 1211, 1212, 1311, 1312, 1411, 1412]])
    has_dtype(flatten(labelled(1, 2, 3, 4).astype(np.uint16)), np.uint16)
