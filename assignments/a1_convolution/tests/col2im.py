from __future__ import annotations

import numpy as np
from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "col2im"
bonus = True


@criterion(
    "values",
    4,
    hint="Lay each column back where its window was: stride, padding, row by row. What if a place is taken?",
)
def test_values() -> None:
    col2im = student("convolution").col2im
    cols = array([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])
    equal(col2im(cols[None], (2, 3), (1, 2)), [[[[1, 12, 20], [3, 34, 40]]]])
    cols = array([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]])
    want = array([[1.0, 7.0, 6.0], [3.0, 11.0, 8.0]])
    equal(col2im(cols[None], (2, 3), 2), want[None, None])
    several = [np.concatenate([cols, -2 * cols]), np.concatenate([10 * cols, 3 * cols]), np.zeros((8, 2))]
    equal(col2im(array(several), (2, 3), 2), [[want, -2 * want], [10 * want, 3 * want], [0 * want, 0 * want]])
    cols = array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0], [11.0, 12.0]])
    equal(col2im(cols[None], (2, 3), (3, 2), stride=(2, 3), padding=(1, 2)), [[[[0, 6, 8], [0, 10, 12]]]])
    cols = array([[9.0, 1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 9.0], [9.0, 4.0, 5.0, 6.0], [4.0, 5.0, 6.0, 9.0]])
    equal(col2im(cols[None], (2, 3), 2, padding=(0, 1)), [[[[2, 4, 6], [8, 10, 12]]]])
    once, never = [1, 1, 2, 1, 2, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0, 0]
    want = [[[once, once, never, once, once, never]]]
    equal(col2im(np.ones((1, 6, 6)), (6, 8), (2, 3), stride=(3, 2)), want, what="The image of columns of ones")
    equal(col2im(np.ones((1, 9, 16)), 4, 3, padding=1), [[[[4, 6, 6, 4], [6, 9, 9, 6], [6, 9, 9, 6], [4, 6, 6, 4]]]])
    equal(col2im(np.ones((2, 8, 30)), (3, 4), (4, 2), padding=(3, 1)), np.full((2, 1, 3, 4), 8))
