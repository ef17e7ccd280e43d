from __future__ import annotations

from typing import Any

import numpy as np
from checks import criterion, equal, has_dtype, student
from numpy import array

OK_FORMAT, name = False, "numerical_gradient"

X = array([[1.0, 2.0, -1.0], [0.0, 3.0, 0.5]])


def squares(a: np.ndarray) -> np.ndarray:
    return a**2


def cubes(a: np.ndarray) -> np.ndarray:
    return a**3


def row_sums(a: np.ndarray) -> np.ndarray:
    return a.sum(axis=1)


def difference(a: np.ndarray) -> float:
    """One number."""
    return float(3 * a[0, 0] - a[1, 2])


@criterion("values", 4, hint="Try x**3 at 2 with a step of 0.5 on paper. Both sides, how far apart, weighted by what?")
def test_values() -> None:
    numerical_gradient = student("rnn").numerical_gradient
    dy = array([[1.0, -2.0, 3.0], [4.0, 0.5, -1.0]])
    equal(numerical_gradient(squares, X.copy(), dy), 2 * X * dy, rtol=1e-8, what="dx of squares")
    equal(numerical_gradient(squares, X.copy(), 10.0), 20 * X, rtol=1e-8, what="dx of squares, dy being one number,")
    equal(numerical_gradient(cubes, X.copy(), dy), 3 * X**2 * dy, rtol=1e-8, what="dx of cubes")
    equal(numerical_gradient(cubes, array([2.0, -1.0]), 1.0, h=0.5), [12.25, 3.25], what="dx with a step of 0.5")
    equal(numerical_gradient(cubes, array([10.0]), 1.0, h=2.0), [304], what="dx with a step of 2")
    want = [[10, 10, 10], [-1, -1, -1]]
    equal(numerical_gradient(row_sums, X.copy(), array([10.0, -1.0])), want, rtol=1e-8, what="dx of sums of rows")
    want = [[6, 0, 0], [0, 0, -2]]
    equal(numerical_gradient(difference, X.copy(), 2.0), want, rtol=1e-8, what="dx of a single number")


@criterion(
    "views", 1, hint="If f hands back its argument, what becomes of the first result when you change that again?"
)
def test_views() -> None:
    numerical_gradient = student("rnn").numerical_gradient
    dy = array([[1.0, -2.0, 3.0], [4.0, 0.5, -1.0]])
    views: list[tuple[Any, np.ndarray]] = [(lambda a: a, dy), (np.transpose, dy.T), (np.ravel, dy.ravel())]
    for f, weights in views:
        equal(numerical_gradient(f, X.copy(), weights), dy, rtol=1e-8, what="dx of a view of x")


@criterion(
    "single", 1, hint="In single precision, how many digits of the step survive in 1 + 1e-5? When do you convert?"
)
def test_single() -> None:
    numerical_gradient = student("rnn").numerical_gradient
    x = X.astype(np.float32)
    got = numerical_gradient(cubes, x, 1.0)
    equal(got, 3 * X**2, rtol=1e-6, what="dx at an array of float32")
    has_dtype(got, np.float32, what="dx at an array of float32")
