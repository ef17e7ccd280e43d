from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from checks import Failed, criterion, equal, integers, student
from numpy import array

OK_FORMAT, name = False, "conv2d_im2col"

LIMIT = 100  # measured: 3 to 50 without a loop over images and pixels, 200 to 1400 with one


def cpu_time(call: Callable[[], object]) -> float:
    """The least of five runs, in seconds, so that other programs on the computer do not count."""
    times = []
    for _ in range(5):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


@criterion(
    "values", 2, hint="Is im2col right? Filters are rows, windows columns: which axes has the product? What is added?"
)
def test_values() -> None:
    conv2d_im2col = student("convolution").conv2d_im2col
    x, w = array([[[[3.0, 1.0, 2.0], [0.0, 4.0, 1.0]]]]), array([[[[1.0, 0.0], [-1.0, 2.0]]]])
    equal(conv2d_im2col(x, w, array([5.0])), [[[[16, 4]]]])
    x, w, b = integers(3, 2, 3, 4), integers(4, 2, 2, 3), array([2.0, -1.0, 0.5, 4.0])
    want = [  # a line for each of 3 images and 4 filters
        [65, 5, -30, -27],
        [-7, -46, 9, 44],
        [-26.5, 41.5, 7.5, 1.5],
        [-16, -1, 13, 18],
        [-11, 30, 12, -22],
        [-10, 10, 27, 20],
        [24.5, 2.5, -16.5, 8.5],
        [-5, -7, -12, 37],
        [-10, -26, 8, -20],
        [-31, -9, 2, -1],
        [25.5, 2.5, -5.5, 35.5],
        [10, -25, 14, 20],
    ]
    equal(conv2d_im2col(x, w, b), array(want).reshape(3, 4, 2, 2))
    x, w, b = integers(2, 3, 4, 5), integers(2, 3, 3, 2), array([-3.0, 1.5])
    want = [[-11, 1, -30, -16, 49, -52], [-2.5, -33.5, 21.5, -13.5, 9.5, 3.5]]
    want += [[-4, 7, 34, 19, -8, 10], [14.5, -4.5, -7.5, -7.5, 5.5, 4.5]]
    equal(conv2d_im2col(x, w, b, stride=(3, 2), padding=(2, 1)), array(want).reshape(2, 2, 2, 3))


@criterion("speed", 3, hint="How often does Python run your innermost line? What could NumPy do for all at once?")
def test_speed() -> None:
    conv2d_im2col = student("convolution").conv2d_im2col
    x, w, b = integers(32, 2, 13, 17), np.zeros((3, 2, 2, 3)), array([0.5, -1.0, 2.0])
    w[0, 1, 0, 2], w[1, 0, 1, 1], w[2, 1, 1, 0] = 1, -2, 3  # each filter fetches one pixel of its windows
    want = np.stack([x[:, 1, :-1, 2:] + 0.5, -2 * x[:, 0, 1:, 1:-1] - 1, 3 * x[:, 1, 1:, :-2] + 2], axis=1)
    equal(conv2d_im2col(x, w, b), want)
    matrix, columns = integers(3, 12), integers(32, 12, 180)  # as much arithmetic, on numbers that lie ready
    if cpu_time(lambda: conv2d_im2col(x, w, b)) > LIMIT * cpu_time(lambda: matrix @ columns):
        raise Failed(f"It takes more than {LIMIT} times the CPU time of a matrix product with as much arithmetic.")
