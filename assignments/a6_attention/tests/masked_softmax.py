from __future__ import annotations

import numpy as np
from checks import criterion, equal, student
from numpy import array, log

OK_FORMAT, name = False, "masked_softmax"


@criterion("values", 3, hint="Who takes part in the sum? What is hidden must not count there either.")
def test_values() -> None:
    masked_softmax = student("attention").masked_softmax
    scores = log(array([[1.0, 2.0, 5.0], [3.0, 4.0, 1.0]]))
    equal(masked_softmax(scores), [[1 / 8, 2 / 8, 5 / 8], [3 / 8, 4 / 8, 1 / 8]])
    equal(masked_softmax(scores[0]), [1 / 8, 2 / 8, 5 / 8])
    mask = array([[True, True, False], [True, False, True]])
    equal(masked_softmax(scores, mask), [[1 / 3, 2 / 3, 0], [3 / 4, 0, 1 / 4]])
    equal(masked_softmax(scores, array([False, True, True])), [[0, 2 / 7, 5 / 7], [0, 4 / 5, 1 / 5]])
    equal(masked_softmax(scores, array([[True], [True]])), [[1 / 8, 2 / 8, 5 / 8], [3 / 8, 4 / 8, 1 / 8]])
    # Two sequences with two heads each, and one mask for each sequence.
    several = np.stack([np.stack([scores, scores + 1]), np.stack([scores - 2, scores[:, ::-1]])])
    mask = array([[True, False, True], [False, True, True]])[:, None, None]
    first = [[1 / 6, 0, 5 / 6], [3 / 4, 0, 1 / 4]]
    second = [[0, 2 / 7, 5 / 7], [0, 4 / 5, 1 / 5]]
    mirrored = [[0, 2 / 3, 1 / 3], [0, 4 / 7, 3 / 7]]
    equal(masked_softmax(several, mask), [[first, first], [second, mirrored]])


@criterion("extremes", 2, hint="What may you add to a whole row? And what is the largest score of those that are kept?")
def test_extremes() -> None:
    masked_softmax = student("attention").masked_softmax
    for offset in (1e4 - 2, -1e4):
        scores = offset + log(array([1.0, 2.0, 5.0]))
        equal(masked_softmax(scores), [1 / 8, 2 / 8, 5 / 8], what=f"The softmax of scores near {offset}")
    equal(masked_softmax(array([[1e4, -1e4], [-1e4, 1e4], [1e4, 1e4]])), [[1, 0], [0, 1], [0.5, 0.5]])
    scores = array([-1e4, 1e4, -1e4, 0.0])
    equal(masked_softmax(scores, array([True, False, True, False])), [0.5, 0, 0.5, 0])
    equal(masked_softmax(scores, array([True, False, False, False])), [1, 0, 0, 0])


@criterion("empty", 1, hint="What is the largest of no scores, and what is 0/0? Such a row needs a value of its own.")
def test_empty() -> None:
    masked_softmax = student("attention").masked_softmax
    scores = log(array([[1.0, 3.0], [2.0, 2.0], [4.0, 1.0]]))
    mask = array([[True, True], [False, False], [False, True]])
    equal(masked_softmax(scores, mask), [[1 / 4, 3 / 4], [0, 0], [0, 1]])
    equal(masked_softmax(scores, array(False)), np.zeros((3, 2)))
    equal(masked_softmax(array([-1e4, 1e4]), array([False, False])), [0, 0])
