from __future__ import annotations

from checks import criterion, equal, integers, student
from numpy import array

OK_FORMAT, name = False, "avg_pool_backward"


@criterion("values", 2, hint="If one pixel rises by 1, how far does the mean of its window rise? And pixels left over?")
def test_values() -> None:
    avg_pool_backward = student("lenet5").avg_pool_backward
    want = [[[[1, 1, -2, -2], [1, 1, -2, -2], [0, 0, 0, 0]]]]
    equal(avg_pool_backward(array([[[[4.0, -8.0]]]]), integers(1, 1, 3, 4), 2), want)
    want = [[[[1, 1, 2, 2], [1, 1, 2, 2], [1, 1, 2, 2]]]]
    equal(avg_pool_backward(array([[[[6.0, 12.0]]]]), integers(1, 1, 3, 4), (3, 2)), want)
    want = [[[[1, 1, 1, 0], [2, 2, 2, 0]]]]
    equal(avg_pool_backward(array([[[[3.0], [6.0]]]]), integers(1, 1, 2, 4), (1, 3)), want)
    dy = array([[[[2.0]], [[4.0]], [[-6.0]]], [[[8.0]], [[0.0]], [[10.0]]]])  # two images of three channels
    equal(avg_pool_backward(dy, integers(2, 3, 2, 1), (2, 1)), dy.repeat(2, axis=2) / 2)


@criterion("overlaps", 3, hint="How many windows see this pixel? Each sends a share; a pixel between them gets none.")
def test_overlaps() -> None:
    avg_pool_backward = student("lenet5").avg_pool_backward
    dy = array([[[[4.0, 8.0, 12.0], [16.0, 20.0, 24.0]]]])
    want = [[[[1, 3, 5, 3], [5, 12, 16, 9], [4, 9, 11, 6]]]]
    equal(avg_pool_backward(dy, integers(1, 1, 3, 4), 2, stride=1), want)
    want = [[[[2, 6, 10, 6], [0, 0, 0, 0], [8, 18, 22, 12]]]]
    equal(avg_pool_backward(dy, integers(1, 1, 3, 4), (1, 2), stride=(2, 1)), want)
    want = [[[[2, 2, 0, 4, 4, 0, 6, 6], [0, 0, 0, 0, 0, 0, 0, 0], [8, 8, 0, 10, 10, 0, 12, 12]]]]
    equal(avg_pool_backward(dy, integers(1, 1, 3, 8), (1, 2), stride=(2, 3)), want)
