from __future__ import annotations

from typing import Any

from checks import criterion, equal, student, unpack
from numpy import array

OK_FORMAT, name = False, "sense_shift"


def shift(before: list[float], after: list[float], a: list[float], b: list[float]) -> tuple[Any, ...]:
    vectors = (array(vector, float) for vector in (before, after, a, b))
    return unpack(student("attention").sense_shift(*vectors), "distance", "gain")


@criterion("distance", 1, hint="How long is the arrow from where the word was to where it is?")
def test_distance() -> None:
    equal(shift([1, 1], [4, 5], [1, 0], [0, 1])[0], 5, what="The distance")
    equal(shift([1, 0, 2], [-1, 2, 3], [1, 0, 0], [0, 1, 0])[0], 3, what="The distance")
    equal(shift([2, 3], [2, 3], [1, 0], [0, 1])[0], 0, what="The distance of a word that stays")


@criterion("gain", 1, hint="Compare directions, not lengths. And each of the two senses was near or far before.")
def test_gain() -> None:
    equal(shift([0, 2], [3, 4], [5, 0], [0, 9])[1], 4 / 5, what="The gain")
    equal(shift([0, 2], [3, 4], [0, 9], [5, 0])[1], -4 / 5, what="The gain with the senses exchanged")
    equal(shift([3, 4], [4, 3], [1, 0], [0, 2])[1], 2 / 5, what="The gain of a turn across the middle")
    equal(shift([3, 4], [30, 40], [1, 0], [0, 2])[1], 0, what="The gain of a word that only grows")
    equal(shift([0, 1, 0], [0, 0, -2], [0, 0, 3], [2, 1, -2])[1], -4 / 3, what="The gain")


@criterion("zeros", 1, hint="A vector without a direction has cosine 0 with everything. Where would you divide by 0?")
def test_zeros() -> None:
    equal(shift([0, 0], [3, 4], [1, 0], [0, 2])[1], -1 / 5, what="The gain of a word that was zero")
    equal(shift([3, 4], [0, 0], [1, 0], [0, 2])[1], 1 / 5, what="The gain of a word that becomes zero")
    equal(shift([1, 0], [0, 1], [0, 0], [0, 2])[1], -1, what="The gain with a sense that is zero")
    equal(shift([0, 0], [0, 0], [0, 0], [0, 0]), [0, 0], what="Distance and gain of zeros")
