from __future__ import annotations

import numpy as np
from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "equivariance_error"


def rows(line: list[int], height: int) -> np.ndarray:
    """One image whose rows are all the same."""
    return np.tile(array(line, np.float64), (1, 1, height, 1))


def double(x: np.ndarray) -> np.ndarray:
    return 2 * x


def plus_one(x: np.ndarray) -> np.ndarray:
    return x + 1


def by_column(x: np.ndarray) -> np.ndarray:
    """The first column times 1, the second times 2, and so on."""
    return x * np.arange(1.0, 1 + x.shape[3])


def every_second(x: np.ndarray) -> np.ndarray:
    """Every second pixel, and then as above."""
    return by_column(x[:, :, ::2, ::2])


@criterion("values", 4, hint="Write down layer(S x) and S' layer(x) as rows. Crop both before you look for maxima.")
def test_values() -> None:
    equivariance_error = student("lenet5").equivariance_error
    x = rows([1, 2, 4, 0], 4)
    equal(equivariance_error(double, x, (1, -2)), 0)
    equal(equivariance_error(by_column, x, (0, 1)), 4 / 12)  # 0 2 6 16 against 0 1 4 12
    equal(equivariance_error(by_column, x, (0, 1), margin=1), 2 / 4)
    equal(equivariance_error(by_column, x, (0, -1)), 4 / 12)  # 2 8 0 0 against 4 12 0 0
    equal(equivariance_error(by_column, x, (2, 0)), 0)
    equal(equivariance_error(plus_one, x, (0, 1)), 1 / 5)  # 1 2 3 5 against 0 2 3 5
    equal(equivariance_error(plus_one, x, (-1, 0)), 1 / 5)  # 1 1 1 1 against 0 0 0 0, in the last row
    equal(equivariance_error(plus_one, x, (-1, 1), margin=1), 0)
    several = array([[[[1.0]], [[2.0]], [[3.0]]], [[[10.0]], [[5.0]], [[0.0]]]]) * x  # two images of three channels
    equal(equivariance_error(plus_one, several, (0, 1)), 1 / 41)


@criterion(
    "stride",
    1,
    hint="One output pixel stands for stride input pixels: how far does the output move, and what is cropped?",
)
def test_stride() -> None:
    equivariance_error = student("lenet5").equivariance_error
    x = rows([1, 2, 3, 4, 5, 6, 7, 8], 6)
    equal(equivariance_error(every_second, x, (0, 2), stride=2), 5 / 15)  # 0 2 9 20 against 0 1 6 15
    equal(equivariance_error(every_second, x, (0, 2), stride=2, margin=1), 3 / 6)
    equal(equivariance_error(every_second, x, (0, -4), stride=2), 14 / 28)  # 5 14 0 0 against 15 28 0 0
    equal(equivariance_error(every_second, x, (-2, 0), stride=2), 0)


@criterion("zeros", 1, hint="What if both outputs are 0 everywhere? And if only S' layer(x) is?")
def test_zeros() -> None:
    equivariance_error = student("lenet5").equivariance_error
    x = rows([1, 2, 4, 0], 3)
    equal(equivariance_error(double, x, (0, 4)), 0)
    equal(equivariance_error(plus_one, x, (3, 0)), np.inf)
    equal(equivariance_error(double, 0 * x, (1, 0), margin=1), 0)
