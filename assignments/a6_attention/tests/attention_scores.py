from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, student
from numpy import array

OK_FORMAT, name = False, "attention_scores"


def given() -> tuple[np.ndarray, np.ndarray]:
    """Two queries and three keys of four features, with the dot products 2, 4, 8 and -1, 5, 6."""
    q = array([[1.0, 2.0, 0.0, 1.0], [0.0, 1.0, 1.0, -2.0]])
    k = array([[1.0, 0.0, 1.0, 1.0], [2.0, 1.0, 4.0, 0.0], [0.0, 4.0, 2.0, 0.0]])
    return q, k


@criterion("values", 1, hint="Each query meets each key. Which number of the shapes stands under the root?")
def test_values() -> None:
    attention_scores = student("attention").attention_scores
    q, k = given()
    want = array([[1.0, 2.0, 4.0], [-0.5, 2.5, 3.0]])
    equal(attention_scores(q, k), want)
    several = attention_scores(array([[q, -q], [q[::-1], 2 * q]]), array([[k, k], [k, k[::-1]]]))
    equal(several, [[want, -want], [want[::-1], 2 * want[:, ::-1]]])
    equal(attention_scores(array([[3.0]]), array([[2.0], [-5.0]])), [[6, -15]])


@criterion("scale", 1, hint="A scale that is given replaces the usual one. Is 0 the same as no scale?")
def test_scale() -> None:
    attention_scores = student("attention").attention_scores
    q, k = given()
    equal(attention_scores(q, k, scale=1.0), [[2, 4, 8], [-1, 5, 6]])
    equal(attention_scores(q, k, scale=-0.25), [[-0.5, -1, -2], [0.25, -1.25, -1.5]])
    equal(attention_scores(q, k, scale=0.0), np.zeros((2, 3)))
