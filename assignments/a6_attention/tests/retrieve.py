from __future__ import annotations

from checks import criterion, equal, raises, student, unpack
from numpy import array, log

OK_FORMAT, name = False, "retrieve"

KEYS = array([[1.0, 0.0], [0.0, 1.0], [2.0, 5.0]])
VALUES = array([[7.0, 0.0, 7.0], [0.0, 7.0, 7.0], [7.0, 14.0, 7.0]])


@criterion(
    "values",
    2,
    hint="How well does each key fit, and what does temperature do to it? Every entry answers. No root of d here.",
)
def test_values() -> None:
    retrieve = student("attention").retrieve
    query = log(2) * array([1.0, 0.0])  # the dot products are ln 2, 0 and ln 4
    value, weights = unpack(retrieve(query, KEYS, VALUES), "value", "weights")
    equal(weights, [2 / 7, 1 / 7, 4 / 7], what="The list of weights")
    equal(value, [6, 9, 7], what="The value")
    value, weights = unpack(retrieve(query, KEYS, VALUES, temperature=0.5), "value", "weights")
    equal(weights, [4 / 21, 1 / 21, 16 / 21], what="The list of weights at temperature 1/2")
    equal(value, [20 / 3, 11, 7], what="The value at temperature 1/2")
    value, weights = unpack(retrieve(3 * query, KEYS[:2], VALUES[:2], temperature=3.0), "value", "weights")
    equal(weights, [2 / 3, 1 / 3], what="The list of weights of two entries at temperature 3")
    equal(value, [14 / 3, 7 / 3, 7], what="The value from two entries at temperature 3")


@criterion("extremes", 1, hint="The temperature makes large numbers of large ones. When do you subtract the largest?")
def test_extremes() -> None:
    retrieve = student("attention").retrieve
    query = array([1e4, 0.0])
    value, weights = unpack(retrieve(query, KEYS[:2] - KEYS[:1], VALUES[:2], temperature=0.01), "value", "weights")
    equal(weights, [1, 0], what="The list of weights of a cold lookup")
    equal(value, [7, 0, 7], what="The value of a cold lookup")
    keys = array([[-1.0, 3.0], [1.0, 4.0], [1.0, 7.0]])
    _, weights = unpack(retrieve(query, keys, VALUES, temperature=0.01), "value", "weights")
    equal(weights, [0, 0.5, 0.5], what="The list of weights where two keys fit best")
    _, weights = unpack(retrieve(query, keys[[0, 0]], VALUES[:2], temperature=0.01), "value", "weights")
    equal(weights, [0.5, 0.5], what="The list of weights where no key fits")


@criterion("errors", 1, hint="Colder than any positive temperature is none.")
def test_errors() -> None:
    retrieve = student("attention").retrieve
    raises(retrieve, array([1.0, 0.0]), KEYS, VALUES, temperature=0.0)
    raises(retrieve, array([1.0, 0.0]), KEYS, VALUES, temperature=-2.0)
