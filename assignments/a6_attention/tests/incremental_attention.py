from __future__ import annotations

from typing import Any

import numpy as np
from checks import Failed, criterion, equal, student, unpack
from numpy import array

OK_FORMAT, name = False, "incremental_attention"

OUT = array([[[[21.0, 0.0], [7.0, 14.0], [27.0, 10.0]], [[21.0, 0.0], [14.0, 7.0], [18.0, 7.0]]]])


def given() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three tokens of two heads. The scaled scores are ln 2 times 0, 1, 2 in one head, and 2, 1, 0 in the other."""
    q = 2 * np.log(2) * array([[[[1.0, 0.0, 0.0, 0.0]] * 3, [[0.0, 0.0, 1.0, 0.0]] * 3]])
    places = [[0.0, 3.0, 2.0, 9.0], [1.0, 5.0, 1.0, 9.0], [2.0, 7.0, 0.0, 9.0]]
    return q, array([[places, places]]), array([[[[21.0, 0.0], [0.0, 21.0], [42.0, 7.0]]] * 2])


def pieces(*lengths: int) -> tuple[list[np.ndarray], list[Any]]:
    """What comes out if the three tokens arrive in such pieces, and the caches after each of them."""
    incremental_attention = student("attention").incremental_attention
    outs, caches, start, cache = [], [], 0, None
    for length in lengths:
        tokens = [a[:, :, start : start + length] for a in given()]
        out, cache = unpack(incremental_attention(*tokens, cache), "out", "cache")
        outs.append(out)
        caches.append(unpack(cache, "keys", "values"))
        start += length
    return outs, caches


@criterion("values", 4, hint="At which positions do the new tokens stand? Ask it of the first and of the last of them.")
def test_values() -> None:
    for lengths in ((3,), (1, 1, 1), (2, 1), (1, 2)):
        start = 0
        for out, length in zip(pieces(*lengths)[0], lengths, strict=True):
            what = f"out of tokens {start} to {start + length - 1}, in pieces of {lengths},"
            equal(out, OUT[:, :, start : start + length], what=what)
            start += length


@criterion("cache", 1, hint="Old tokens first, new ones at the end, along the axis of the tokens.")
def test_cache() -> None:
    _, k, v = given()
    for lengths in ((3,), (1, 1, 1), (2, 1)):
        seen = 0
        for length, (keys, values) in zip(lengths, pieces(*lengths)[1], strict=True):
            seen += length
            equal(keys, k[:, :, :seen], what=f"The keys in the cache after {seen} tokens")
            equal(values, v[:, :, :seen], what=f"The values in the cache after {seen} tokens")


@criterion("unchanged", 1, hint="Two sentences may begin alike: one cache, continued in two ways. Write into none.")
def test_unchanged() -> None:
    incremental_attention = student("attention").incremental_attention
    q, k, v = given()
    _, cache = unpack(incremental_attention(*(a[:, :, :2].copy() for a in (q, k, v))), "out", "cache")
    returned = []
    for sign in (1, -1):
        out, longer = unpack(incremental_attention(q[:, :, 2:], k[:, :, 2:], sign * v[:, :, 2:], cache), "out", "cache")
        returned.append(longer[1])
        want = OUT[:, :, 2:] if sign == 1 else [[[[-21, 2]], [[6, 5]]]]
        equal(out, want, what=f"out where the new value counts {sign}")
        if not (isinstance(cache, tuple) and len(cache) == 2):
            raise Failed("The cache that was passed has been changed.")
        equal(cache[0], k[:, :, :2], what="The array of keys that was passed, after the call,")
        equal(cache[1], v[:, :, :2], what="The array of values that was passed, after the call,")
    for values, sign in zip(returned, (1, -1), strict=True):
        equal(values[:, :, 2:], sign * v[:, :, 2:], what="The newest value in a cache that was returned")
