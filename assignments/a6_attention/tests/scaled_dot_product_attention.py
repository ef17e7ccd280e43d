from __future__ import annotations

import numpy as np
from checks import criterion, equal, student, unpack
from numpy import array

OK_FORMAT, name = False, "scaled_dot_product_attention"

WEIGHTS = array([[2.0, 1.0, 4.0], [1.0, 4.0, 2.0]]) / 7
OUT = array([[6.0, 9.0], [3.0, 8.0]])


def given() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two queries, three keys of four features, three values of two. The scaled scores are ln 2 times 1, 0, 2 and
    0, 2, 1."""
    q = np.log(2) * array([[2.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0]])
    k = array([[1.0, 0.0, 5.0, 1.0], [0.0, 1.0, 0.0, 3.0], [2.0, 0.5, 1.0, 0.0]])
    v = array([[7.0, 0.0], [0.0, 7.0], [7.0, 14.0]])
    return q, k, v


def attend(*args: np.ndarray, **settings: float) -> tuple[np.ndarray, np.ndarray]:
    return unpack(student("attention").scaled_dot_product_attention(*args, **settings), "out", "weights")


@criterion("values", 4, hint="Compute the weights of the first query on paper. Along which axis do they sum to 1?")
def test_values() -> None:
    q, k, v = given()
    out, weights = attend(q, k, v)
    equal(weights, WEIGHTS, what="The table of weights")
    equal(out, OUT, what="out")
    # Two sequences of two heads: as above; queries exchanged; keys and values reversed; values negated.
    out, weights = attend(array([[q, q[::-1]], [q, q]]), array([[k, k], [k[::-1], k]]), array([[v, v], [v[::-1], -v]]))
    equal(weights, [[WEIGHTS, WEIGHTS[::-1]], [WEIGHTS[:, ::-1], WEIGHTS]], what="The weights of two heads")
    equal(out, [[OUT, OUT[::-1]], [OUT, -OUT]], what="out of two heads")


@criterion("masked", 3, hint="Hidden keys take no part in the competition. A query that sees none retrieves zeros.")
def test_masked() -> None:
    q, k, v = given()
    out, weights = attend(q, k, v, array([[True, True, False], [False, True, True]]))
    equal(weights, [[2 / 3, 1 / 3, 0], [0, 2 / 3, 1 / 3]], what="The table of weights")
    equal(out, [[14 / 3, 7 / 3], [7 / 3, 28 / 3]], what="out")
    out, weights = attend(q, k, v, array([[False], [True]]))
    equal(weights, [[0, 0, 0], WEIGHTS[1]], what="The weights where the first query sees nothing")
    equal(out, [[0, 0], OUT[1]], what="out where the first query sees nothing")
    # One mask for each of two sequences, the same for both heads and queries.
    mask = array([[True, False, True], [False, True, False]])[:, None, None]
    out, weights = attend(array([[q, q], [q, q]]), array([[k, k], [k, k]]), array([[v, 2 * v], [v, -v]]), mask)
    first, second = [[1 / 3, 0, 2 / 3], [1 / 3, 0, 2 / 3]], [[0, 1, 0], [0, 1, 0]]
    equal(weights, [[first, first], [second, second]], what="The weights of two heads")
    read = array([[7, 28 / 3], [7, 28 / 3]])
    equal(out, [[read, 2 * read], [[[0, 7], [0, 7]], [[0, -7], [0, -7]]]], what="out of two heads")


@criterion("scale", 2, hint="Both a scale of 1 and a scale of 0 are scales. Who passes it on?")
def test_scale() -> None:
    q, k, v = given()
    out, weights = attend(q, k, v, scale=1.0)
    equal(weights, array([[4, 1, 16], [1, 16, 4]]) / 21, what="The table of weights at scale 1")
    equal(out, [[20 / 3, 11], [5 / 3, 8]], what="out at scale 1")
    out, weights = attend(q, k, v, scale=0.0)
    equal(weights, np.full((2, 3), 1 / 3), what="The table of weights at scale 0")
    equal(out, [[14 / 3, 7], [14 / 3, 7]], what="out at scale 0")
