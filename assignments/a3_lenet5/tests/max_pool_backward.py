from __future__ import annotations

import numpy as np
from checks import Failed, criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "max_pool_backward"


def image() -> np.ndarray:
    """One image of one channel, 3 by 4."""
    return array([[[[1.0, 5.0, 2.0, 0.0], [3.0, 4.0, 8.0, 7.0], [6.0, 9.0, 1.0, 2.0]]]])


@criterion("values", 2, hint="Which pixel made this output? Where does it stand in the image, not in its window?")
def test_values() -> None:
    max_pool_backward = student("lenet5").max_pool_backward
    want = [[[[0, 10, 0, 0], [0, 0, 20, 0], [0, 0, 0, 0]]]]
    equal(max_pool_backward(array([[[[10.0, 20.0]]]]), image(), 2), want)
    equal(max_pool_backward(array([[[[10.0, 20.0]]]]), image() - 10, 2), want, what="dx of an image below zero")
    want = [[[[0, 0, 0, 0], [0, 0, -3, 0], [0, 2, 0, 0]]]]
    equal(max_pool_backward(array([[[[2.0, -3.0]]]]), image(), (3, 2)), want)
    want = [[[[0, 1, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0]]]]
    equal(max_pool_backward(array([[[[1.0], [2.0], [3.0]]]]), image(), (1, 4)), want)
    close = array([[[[2.0, 2.000000001], [0.0, 1.999999999]]]])
    equal(max_pool_backward(array([[[[7.0]]]]), close, 2), [[[[0, 7], [0, 0]]]])
    several = array([[[[1.0]], [[-2.0]]], [[[10.0]], [[3.0]]]]) * image()  # two images of two channels
    dy = array([[[[1.0, 2.0]], [[3.0, 4.0]]], [[[5.0, 6.0]], [[7.0, 8.0]]]])
    first = [[[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]], [[3, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0]]]
    second = [[[0, 5, 0, 0], [0, 0, 6, 0], [0, 0, 0, 0]], [[0, 7, 0, 0], [0, 0, 8, 0], [0, 0, 0, 0]]]
    equal(max_pool_backward(dy, several, 2), [first, second])


@criterion("overlaps", 3, hint="One pixel may win several windows. What does it receive, and does your code lose some?")
def test_overlaps() -> None:
    max_pool_backward = student("lenet5").max_pool_backward
    dy = array([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]])
    equal(max_pool_backward(dy, image(), 2, stride=1), [[[[0, 1, 0, 0], [0, 0, 11, 0], [0, 9, 0, 0]]]])
    equal(max_pool_backward(dy, image(), (1, 2), stride=(2, 1)), [[[[0, 3, 3, 0], [0, 0, 0, 0], [0, 9, 0, 6]]]])
    dy = array([[[[1.0, 2.0], [4.0, 8.0]]]])
    equal(max_pool_backward(dy, image(), (2, 3), stride=1), [[[[0, 0, 0, 0], [0, 0, 3, 0], [0, 12, 0, 0]]]])


@criterion("padding", 2, hint="The padding wins nothing on the way back either, and it is no part of x.")
def test_padding() -> None:
    max_pool_backward = student("lenet5").max_pool_backward
    dy, want = array([[[[1.0, 2.0], [3.0, 4.0]]]]), [[[[0, 1, 0, 0], [0, 0, 2, 0], [0, 7, 0, 0]]]]
    equal(max_pool_backward(dy, image(), 3, stride=2, padding=1), want)
    equal(max_pool_backward(dy, image() - 10, 3, stride=2, padding=1), want, what="dx of an image below zero")
    dy, want = array([[[[3.0, 5.0]]]]), [[[[0, 3, 0, 0], [0, 0, 5, 0], [0, 0, 0, 0]]]]
    equal(max_pool_backward(dy, image() - 10, (4, 3), padding=(2, 1)), want, what="dx of an image below zero")
    dy = array([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]])
    want = [[[[1, 2, 0, 3], [4, 0, 5, 6], [7, 8, 0, 9]]]]
    equal(max_pool_backward(dy, image() - 10, (1, 2), padding=(0, 1)), want, what="dx of an image below zero")


@criterion("ties", 2, hint="Add up what a window hands back where two pixels are equally large, or all of them.")
def test_ties() -> None:
    x = array([[[[3.0, 3.0, 0.0, 0.0, -1.0, -4.0], [1.0, 3.0, 0.0, 0.0, -2.0, -1.0]]]])
    dy = array([[[[6.0, -4.0, 9.0]]]])
    dx = student("lenet5").max_pool_backward(dy, x, 2)
    if np.shape(dx) != x.shape:
        raise Failed(f"dx has shape {np.shape(dx)}, expected {x.shape}.")
    windows = np.reshape(dx, (2, 3, 2)).swapaxes(0, 1).reshape(3, 4)  # a line for each window
    equal(windows.sum(axis=1), [6, -4, 9], what="What each window hands back, added up,")
    smaller = windows[[0, 2, 2], [2, 1, 2]]
    equal(smaller, [0, 0, 0], what="What goes to pixels that are smaller than another of their window")
    if (windows / dy.reshape(3, 1) < -1e-9).any():
        raise Failed("A pixel receives less than nothing of the gradient of its window.")
