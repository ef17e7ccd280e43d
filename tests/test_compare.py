"""What each check accepts and rejects, at its boundaries, and that its words give nothing away."""

from __future__ import annotations

import builtins
import functools
import itertools
import random
import re
import struct
import tracemalloc
from typing import Any

import msgpack
import numpy as np
import pytest

from autograder.compare import (
    INCOMPARABLE,
    STOPPED,
    Check,
    Failure,
    close,
    cpu_ratio,
    entries,
    every,
    judged,
    raises,
    returned,
    same_dtype,
    unchanged,
)
from autograder.course import Criterion
from autograder.outcome import Malformed, NotImported, Outcome, Raised, Stopped, Unsuitable, Value, exception_name
from autograder.sandbox.wire import MAX_KEYS, MAX_NODES, Tensor, decode, encode

THREE = np.array([1.0, -2.0, 3.0])


def kind(check: Check, want: Any, got: Any) -> str:
    """The kind of failure, or "" where the check accepts."""
    want, got = (x if isinstance(x, Outcome) else Value(x) for x in (want, got))
    failure = check(None, got, want)
    return failure.kind if failure else ""


def band(want: Any, got: Any, check: Check | None = None) -> str:
    """The sentence about values that are off."""
    failure = (check or close())(None, Value(got), Value(want))
    if failure is None:
        return "accepted"
    assert failure.kind == "values"
    return next(word for word in ("nearly right", "far off", "off") if failure.sentence.endswith(word))


def tensor(value: Any) -> Tensor:
    return np.asarray(value).view(Tensor)


# close: tolerance


@pytest.mark.parametrize(("dtype", "rtol"), [("float64", 1e-9), ("float32", 1e-4)])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
@pytest.mark.parametrize("sign", [1, -1])
def test_tolerance_follows_the_precision_of_the_expected_array(
    dtype: str, rtol: float, scale: float, sign: int
) -> None:
    want = np.array([scale, 0, -scale / 1000]).astype(dtype)
    for element in range(3):  # relative to the largest element, wherever the error is
        got = want.astype("float64")
        got[element] += sign * scale * rtol * 0.99
        assert band(want, got) == "accepted"
        got[element] += sign * scale * rtol * 0.02
        assert band(want, got) == "nearly right"


def test_the_tolerance_is_closed() -> None:
    want, got = np.array([1024.0, 0]), np.array([1024.0, 1.0])
    assert band(want, got, close(rtol=1 / 1024)) == "accepted"
    assert band(want, np.nextafter(got, 2), close(rtol=1 / 1024)) == "nearly right"


def test_a_given_tolerance_replaces_that_of_the_dtype() -> None:
    for dtype in ("f4", "f8"):
        want = np.ones(2, dtype)
        assert band(want, want.astype("f8") + 0.009, close(rtol=0.01)) == "accepted"
        assert band(want, want.astype("f8") + 0.011, close(rtol=0.01)) == "off"
        assert band(want, want.astype("f8") + 1e-7, close(rtol=1e-8)) == "nearly right"
        assert band(want, want, close(rtol=0)) == "accepted"


def test_the_tolerance_is_of_the_expected_array_not_of_the_returned_one() -> None:
    assert band(np.ones(2, "f4"), np.array([1, 1 + 1e-5])) == "accepted"
    assert band(np.ones(2), np.array([1, 1 + 1e-5], "f4")) == "nearly right"


def test_small_elements_may_differ_by_rounding_of_large_ones() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=1000).astype("f4")
    want, other_order = np.cumsum(x, dtype="f8").astype("f4"), np.cumsum(x)
    assert np.max(np.abs(other_order - want) / np.abs(want)) > 1e-4  # an elementwise check would reject this
    assert band(want, other_order) == "accepted"


@pytest.mark.parametrize(
    ("error", "words"),
    [(0.999e-3, "nearly right"), (1.001e-3, "off"), (0.2999, "off"), (0.3001, "far off"), (1e300, "far off")],
)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_bands_of_wrong_values(error: float, words: str, scale: float) -> None:
    want = np.array([scale, -scale])
    assert band(want, want + np.array([0, error * scale])) == words
    assert band(want, want - np.array([error * scale, 0])) == words


def test_what_a_mistake_in_the_reference_makes_complex_is_incomparable() -> None:
    want = Value(np.array([1j, 2]))
    for got in (np.array([1.0, 2.0]), [1, 2], np.array([1j, 2])):
        assert close()(None, Value(got), want) == INCOMPARABLE


def test_integers_are_exact() -> None:
    for dtype in ("i1", "i8", "u1", "u8"):
        want = np.array([3, 4], dtype)
        assert kind(close(), want, want) == kind(close(), want, want.astype("f4")) == ""
        assert band(want, want + np.array([1e-6, 0])) == "nearly right"
        assert band(want, want + np.array([1, 0])) == "off"
        assert band(want, want + np.array([0, 2])) == "far off"
        assert (
            band(want, want + np.array([1e-6, 0]), close(rtol=0.5)) == "nearly right"
        )  # there is no tolerance to widen
    assert band(2**62, 2**62 + 1) == "nearly right"
    assert kind(close(), 2**62, 2.0**62) == ""
    assert band(np.uint64(2**64 - 1), np.int64(-1)) == "far off"


def test_an_exact_zero_is_met_to_1e_12() -> None:
    for dtype in ("f4", "f8"):
        want = np.zeros(3, dtype)
        assert band(want, want) == band(want, -want) == band(want, want + 0.99e-12) == "accepted"
        assert band(want, want + 1.01e-12) == "far off"  # never a band: the error would be the answer
        assert band(want, want + 1) == "far off"
    assert kind(close(), 0.0, -0.0) == kind(close(), 0, 0.0) == ""
    assert band(0, 1) == "far off"


def test_values_far_beyond_double_range_do_not_overflow() -> None:
    assert band(np.array([1e308]), np.array([-1e308])) == "far off"
    assert band(np.array([1e308]), np.array([1e308])) == "accepted"
    assert band(np.array([5e-324]), np.array([0.0])) == "accepted"


# close: what is not finite

INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize("bad", [INF, -INF, NAN])
def test_values_that_should_be_finite(bad: float) -> None:
    for want in (THREE, THREE.astype("f4"), np.array([1, 2, 3]), np.zeros(3)):
        assert kind(close(), want, np.array([bad, *want[1:]])) == "not finite"
    assert kind(close(), 1.0, bad) == "not finite"
    assert kind(close(rtol=1e9), THREE, np.array([bad, -2, 3])) == "not finite"


def test_expected_infinities_and_nans_must_be_met() -> None:
    want = np.array([INF, -INF, NAN, 1.0])
    assert (
        kind(close(), want, want) == kind(close(), want, want.astype("f4")) == kind(close(), want, want.tolist()) == ""
    )
    for i, bad in itertools.product(range(3), (INF, -INF, NAN, 0.0, 1e308)):
        got = want.copy()
        got[i] = bad
        assert kind(close(), want, got) == ("" if np.array_equal(got, want, equal_nan=True) else "values")
    assert kind(close(), want, np.array([INF, -INF, NAN, 1.1])) == "values"
    assert kind(close(), np.array([INF, NAN]), np.array([INF, NAN])) == ""
    assert kind(close(), np.array([NAN, 1]), np.array([1, 1])) == "values"
    assert kind(close(), np.array([INF]), np.array([2**63 - 1])) == "values"


# close: kinds, shapes, structures


@pytest.mark.parametrize(
    ("want", "got", "expected"),
    [
        (True, True, ""),
        (True, np.array(True), ""),
        (np.array([True, False]), [True, False], ""),
        (True, False, "values"),
        (np.array([True, False]), np.array([True, True]), "values"),
        (True, 1, "dtype"),
        (True, 1.0, "dtype"),
        (np.array([True, False]), np.array([1, 0]), "dtype"),
        (1, True, "dtype"),
        (1.0, True, "dtype"),
        (THREE, np.array([True, False, True]), "dtype"),
        (1.0, 1, ""),
        (np.array(1.0), 1.0, ""),
        (1.0, np.array(1.0), ""),
        (1.0, np.array([1.0]), "shape"),
        (np.array([1.0]), 1.0, "shape"),
        (1.0, [1.0], "shape"),
        (1.0, None, "type"),
        (1.0, "1.0", "type"),
        (THREE, THREE + 0j, "dtype"),
        (1, np.array(1 + 0j), "dtype"),
        (np.array([True]), np.array([1 + 0j]), "dtype"),
    ],
    ids=repr,
)
def test_truth_values_numbers_and_arrays(want: Any, got: Any, expected: str) -> None:
    assert kind(close(), want, got) == expected


@pytest.mark.parametrize(
    "shape", [(), (1,), (3,), (1, 3), (3, 1), (3, 3), (2, 3), (0,), (0, 3), (3, 0), (1, 1, 1)], ids=str
)
def test_only_equal_shapes_are_equal(shape: tuple[int, ...]) -> None:
    """Constant arrays: all these pairs broadcast to equal values."""
    others = [(), (1,), (3,), (1, 3), (3, 1), (3, 3), (2, 3), (0,), (0, 3), (3, 0), (1, 1, 1)]
    for other in others:
        assert kind(close(), np.ones(shape), np.ones(other)) == ("" if shape == other else "shape")


def test_lists_count_as_arrays() -> None:
    assert kind(close(), THREE, THREE.tolist()) == ""
    assert kind(close(), THREE, [np.array(1.0), -2, np.float32(3)]) == ""
    assert (
        kind(close(), np.ones((2, 2)), [np.ones(2), [1, 1]]) == kind(close(), np.ones((2, 2)), [(1, 1), (1, 1)]) == ""
    )
    assert kind(close(), {"a": THREE}, {"a": THREE.tolist()}) == ""
    assert kind(close(), np.zeros(0), []) == kind(close(), np.zeros((2, 0)), [[], []]) == ""
    assert kind(close(), THREE, [1, -2, 3.1]) == "values"
    assert kind(close(), THREE, [1, -2]) == kind(close(), np.zeros((0, 3)), []) == "shape"


def test_tuples_of_numbers_count_as_arrays() -> None:
    assert kind(close(), THREE, tuple(THREE)) == kind(close(), np.ones((2, 2)), ((1, 1), [1, 1])) == ""
    assert kind(close(), THREE, (1, -2, 3.1)) == "values"
    for got in ((THREE, THREE), (THREE, 1.0), (1, None, 3), (), (THREE, {"a": 1})):  # several values, and not the one
        failure = close()(None, Value(got), Value(THREE))
        assert failure is not None
        assert failure.sentence == "returns a tuple instead of an array"


RAGGED: list[Any] = [
    [[1, 2], [3]],
    [[1], 2, 3],
    [[[1]], [[2, 3]], 1],
    [np.zeros(2), np.zeros(3), 1],
    [np.zeros((2, 3)), np.zeros((2, 4)), np.zeros((2, 5))],
    [1, [2, [3, [4]]], 5],
]
NO_NUMBERS: list[Any] = [
    ["a", "b", "c"],
    [1, "2", 3],
    [1, None, 3],
    [1, {}, 3],
    [{"a": 1}, 2, 3],
    ["1", [2], THREE],
    [THREE, "abc", None],
    [1, -2, 2**64 - 1],
    [1j, -2, 3],
    [True, None, "x"],
]


@pytest.mark.parametrize("got", [*RAGGED, *NO_NUMBERS], ids=repr)
@pytest.mark.parametrize("want", [THREE, 1.0, np.ones((3, 2)), np.array([True, True, False]), np.arange(3)], ids=repr)
def test_lists_that_are_no_arrays_fail_and_raise_nothing(want: Any, got: Any) -> None:
    for value in (got, [got, got, got]):
        assert kind(close(), want, value) in ("type", "shape", "dtype", "values")
        assert kind(close(), (want, want), (want, value)) in ("type", "shape", "dtype", "values")


def test_tuples_match_tuples_and_lists_of_that_length() -> None:
    want = (THREE, 1.0)
    assert kind(close(), want, want) == kind(close(), want, list(want)) == ""
    assert kind(close(), want, (THREE, 1.1)) == "values"
    assert kind(close(), want, (1.0, THREE)) == "shape"
    for got in ((THREE,), (THREE, 1.0, 1.0), (), [], THREE, np.array([1.0, 2.0]), 1.0, "ab", None, {0: THREE, 1: 1.0}):
        assert kind(close(), want, got) == "type"
    assert kind(close(), (), ()) == kind(close(), (), []) == ""
    assert kind(close(), ((1.0,), (2.0,)), ((1.0,), (2.5,))) == "values"


def test_dictionaries_match_in_their_keys_in_any_order() -> None:
    want = {"w": THREE, "b": 0.0, 3: (1.0,)}
    assert kind(close(), want, dict(reversed(want.items()))) == ""
    assert kind(close(), want, {**want, "w": THREE + 1}) == "values"
    for got in (
        {},
        {"w": THREE},
        {**want, "more": 1},
        {"W": THREE, "b": 0.0, 3: (1.0,)},
        {"w": THREE, "b": 0.0, "3": (1.0,)},
    ):
        assert kind(close(), want, got) == "keys"
    for other in ([THREE, 0.0, (1.0,)], (("w", THREE),), THREE, 1.0, None, "w"):
        assert kind(close(), want, other) == "type"


def test_a_part_is_compared_alone() -> None:
    pair, named = (THREE, 1.0), {"a": THREE, "b": 1.0}
    assert kind(close(part=0), pair, (THREE, None)) == kind(close(part=-1), pair, ("no", 1.0)) == ""
    assert kind(close(part="a"), named, {"a": THREE, "b": "no"}) == ""
    assert kind(close(part=0), pair, (THREE + 1, 1.0)) == kind(close(part="b"), named, {"a": THREE, "b": 2}) == "values"
    for got in ((THREE,), (THREE, 1.0, 1.0), THREE, np.stack([THREE, THREE]), None, named, 1.0):
        assert kind(close(part=0), pair, got) == "type"
    assert kind(close(part="a"), named, {"a": THREE}) == "keys"
    assert kind(close(part="a"), named, list(pair)) == "type"
    assert kind(close(rtol=0.5, part=0), pair, (THREE * 1.1, 1.0)) == ""


def test_tensors_may_stand_for_arrays_but_not_arrays_for_tensors() -> None:
    assert kind(close(), tensor(THREE), tensor(THREE)) == kind(close(), THREE, tensor(THREE)) == ""
    assert kind(close(), 1.0, tensor(1.0)) == kind(close(), [THREE, THREE], [tensor(THREE)] * 2) == ""
    for got in (THREE, THREE.tolist(), 1.0, None, "x", (tensor(THREE),), [tensor(1.0), tensor(-2.0), tensor(3.0)]):
        assert kind(close(), tensor(THREE), got) == "type"
    assert kind(close(), tensor(THREE), tensor(THREE + 1)) == "values"
    assert kind(close(), tensor(THREE), tensor([THREE])) == "shape"


def test_none_and_strings_are_equal_only_to_themselves() -> None:
    assert kind(close(), None, None) == kind(close(), "same", "same") == kind(close(), (None, "a"), [None, "a"]) == ""
    for want, got in itertools.permutations((None, "", "a", "A", 0, False, THREE, (), {}), 2):
        assert kind(close(), want, got) != ""


def test_empty_arrays_are_equal_by_shape() -> None:
    assert kind(close(), np.zeros((0, 3)), np.zeros((0, 3), "f4")) == ""
    assert kind(close(), np.zeros((0, 3)), np.zeros((3, 0))) == "shape"


# The other checks


def test_same_dtype() -> None:
    for dtype in ("f2", "f4", "f8", "i4", "u1", "?"):
        want = np.array([1, 0, 1]).astype(dtype)
        assert kind(same_dtype(), want, want) == ""
    for want, got in itertools.permutations(("f4", "f8", "i4", "i8", "u1"), 2):
        accepted = want[0] == "f" or got[0] in "iuf"
        assert kind(same_dtype(), np.ones(2, want), np.ones(2, got)) == ("dtype" if accepted else "")
    assert kind(same_dtype(), THREE, THREE * (1 + 1e-6)) == ""  # only right to the precision of float32
    assert kind(same_dtype(), THREE, THREE * 1.001) == "values"
    assert kind(same_dtype(), THREE.astype("f4"), 1.0) == "shape"
    for one, other in itertools.product((1.0, np.array(1.0), np.array(1.0, "f4")), repeat=2):
        assert kind(same_dtype(), one, other) == ""  # numbers are exempt: G1 of the course's conventions
    assert kind(same_dtype(), tensor(THREE), tensor(THREE)) == ""
    assert kind(same_dtype(), tensor(THREE), tensor(THREE.astype("f4"))) == "dtype"


def test_the_dtype_of_lists_is_not_checked() -> None:
    """They have none: G8 of the course's conventions."""
    assert kind(same_dtype(), THREE, THREE.tolist()) == kind(same_dtype(), THREE, tuple(THREE.tolist())) == ""
    assert (
        kind(same_dtype(), THREE, [1.0, 2.0, 3.0])
        == kind(same_dtype(), THREE, (THREE * (1 + 1e-6)).tolist())
        == "values"
    )
    assert kind(same_dtype(), THREE, []) == "shape"


def test_raises() -> None:
    wants = Raised("ValueError", "hidden")
    assert kind(raises(), wants, Raised("ValueError", "other words")) == ""
    assert kind(raises(), wants, Raised("UnicodeDecodeError")) == ""  # is a ValueError
    assert kind(raises(), Raised("LookupError"), Raised("KeyError")) == ""
    for name in ("Exception", "TypeError", "AssertionError", "BaseException", "SystemExit"):
        assert kind(raises(), wants, Raised(name)) == "raised"
    assert kind(raises(), wants, Raised("NotImplementedError")) == "not started"
    assert kind(raises(), wants, Raised("MemoryError")) == "memory"
    for got in (None, 1.0, THREE, "ValueError", {"raised": "ValueError"}):
        assert kind(raises(), wants, got) == "no error"
    assert kind(raises(), wants, Malformed("x")) == "type"
    assert kind(raises(), wants, Stopped("died")) == "died"
    # where the reference returns, anything may be returned, but nothing raised
    assert kind(raises(), THREE, None) == kind(raises(), THREE, "anything") == ""
    assert kind(raises(), THREE, Raised("ValueError")) == "raised"
    assert kind(raises(), THREE, Malformed("x")) == "type"


def test_every_tells_the_first_failure() -> None:
    both = every(close(), same_dtype())
    assert kind(both, THREE, THREE) == ""
    assert kind(both, THREE, THREE.astype("f4")) == "dtype"
    assert kind(both, THREE, THREE + 1) == "values"
    assert kind(every(), THREE, None) == ""
    assert kind(every(unchanged(), close()), Value(THREE), Value(THREE + 1, changed=True)) == "changed"
    assert kind(every(close(), unchanged()), Value(THREE), Value(THREE + 1, changed=True)) == "values"


def test_unchanged() -> None:
    assert kind(unchanged(), Value(THREE, changed=True), Value(None)) == ""
    assert kind(unchanged(), Value(THREE), Value(THREE, changed=True)) == "changed"


def test_cpu_ratio_at_its_limit() -> None:
    check = cpu_ratio(20)
    for want, got, expected in (
        (0.5, 10.0, ""),
        (0.5, np.nextafter(10, 11), "slow"),
        (0.5, 0.0, ""),
        (2**-9, 2**-3, "slow"),
    ):
        assert kind(check, Value(THREE, cpu=want), Value("wrong", cpu=got)) == expected
    failure = check(None, Value(1, cpu=123.456), Value(1, cpu=0.789))
    assert failure is not None
    assert not set(re.findall(r"\d+", failure.sentence)) - {"20"}


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (Raised("ZeroDivisionError", "secret"), "raised"),
        (Raised("NotImplementedError"), "not started"),
        (Raised("MemoryError"), "memory"),
        (Malformed("secret"), "type"),
        (Stopped("time"), "time"),
        (Stopped("waiting"), "waiting"),
        (Stopped("budget"), "budget"),
        (Stopped("answers"), "answers"),
        (Stopped("died"), "died"),
        (Stopped("protocol"), "protocol"),
        (Unsuitable("missing"), "missing"),
        (Unsuitable("parameters"), "parameters"),
        (NotImported("convolution.py could not be imported: no."), "not imported"),
    ],
    ids=repr,
)
@pytest.mark.parametrize(
    "check", [close(), close(part=0), same_dtype(), raises(), unchanged(), cpu_ratio(2), every(close())]
)
def test_whatever_is_not_a_value_fails_every_check(check: Check, got: Outcome, expected: str) -> None:
    failure = check(None, got, Value((THREE, THREE)))
    assert failure is not None
    assert failure.kind == expected
    assert "secret" not in failure.sentence
    assert failure.sentence


def test_every_way_to_be_stopped_has_its_words() -> None:
    assert len(set(STOPPED.values())) == len(STOPPED) == 7


def test_an_own_comparison_sees_trees() -> None:
    seen: list[Any] = []

    def compare(want: Any, got: Any) -> None:
        seen.append((want, got))

    assert kind(returned(compare), 1, 3) == kind(returned(compare, part=1), (THREE, 2), ("anything", 4)) == ""
    assert kind(returned(compare, part=lambda tree: tree[0]), (5, THREE), [6, None]) == ""
    assert seen == [(1, 3), (2, 4), (5, 6)]


@pytest.mark.parametrize(
    ("want", "got", "expected"),
    [
        (THREE, np.zeros((1 << 26, 32, 0)), "shape"),
        (THREE, np.zeros((3, 1)), "shape"),
        (THREE, THREE.astype(bool), "dtype"),
        (THREE, THREE.astype(complex), "dtype"),
        (THREE, [], "shape"),
        (THREE, None, "type"),
        (1.0, "1", "type"),
        ((THREE, THREE), (THREE,), "type"),
        ({"a": THREE}, {"b": THREE}, "keys"),
        (tensor(THREE), THREE, "type"),
        (None, THREE, "values"),
    ],
    ids=repr,
)
def test_an_own_comparison_sees_only_what_has_the_form_of_the_right_answer(want: Any, got: Any, expected: str) -> None:
    assert kind(returned(lambda *_: pytest.fail("it was called")), want, got) == expected
    assert kind(judged(lambda *_: pytest.fail("it was called")), want, got) == expected
    assert kind(returned(lambda *_: pytest.fail("it was called")), (0, want), (0, got)) == expected


def test_an_own_comparison_sees_plain_arrays() -> None:
    def look(_: Any, got: Any) -> None:
        assert type(got[0]) is type(got[1]["a"]) is np.ndarray

    assert kind(judged(look), (THREE, {"a": tensor(THREE)}), [THREE.tolist(), {"a": tensor(THREE)}]) == ""
    assert kind(judged(look), (THREE, {"a": 1.0}), (tensor(THREE), {"a": 2})) == ""


def test_entries_of_a_dictionary_are_compared_by_their_first_letters() -> None:
    want = (1.0, {"w.a": THREE, "w.b": 2.0, "v": 1.0})
    check = close(part=entries("w.", part=1))
    assert (
        kind(check, want, (None, {**want[1], "v": "wrong"})) == kind(check, want, [0, {"w.a": THREE, "w.b": 2}]) == ""
    )
    assert kind(check, want, (1.0, {"w.a": THREE, 3: 1, None: 2})) == "keys"
    assert kind(check, want, (1.0, {**want[1], "w.b": 3.0})) == "values"
    for got in (1.0, (1.0,), (1.0, [THREE]), {0: 1.0, 1: want[1]}, (want[1], 1.0)):
        assert kind(check, want, got) == "type"


def test_what_is_compared_with_a_mistaken_answer_in_another_form_is_compared_as_a_whole() -> None:
    """A check of its own need not be able to look at the form that a mistake gives an answer."""

    def look(_: Any, got: Any) -> Any:
        return None if got.any(axis=1).all() else Failure("values", "is wrong")

    criterion = Criterion("rows", (), judged(look))
    right, mistaken = Value(np.ones((2, 3))), Value(np.ones(3))
    assert criterion.failure(None, Value(np.ones(3)), mistaken, right) is None  # type: ignore[arg-type]
    assert criterion.failure(None, Value(np.zeros(3)), mistaken, right)  # type: ignore[arg-type]
    assert criterion.failure(None, right, Value(np.zeros((2, 3))), right) is None  # type: ignore[arg-type]
    for other in (Raised("ValueError"), Stopped("time")):
        assert criterion.failure(None, right, other, right)  # type: ignore[arg-type]


# Hostile trees


def arrived(skeleton: Any, body: bytes = b"") -> Any:
    packed = msgpack.packb(skeleton)
    return decode(struct.pack("<I", len(packed)) + packed + body)


def hostile_tree(rng: random.Random, depth: int) -> Any:
    leaves = [
        None, True, False, 0, 1.5, -1, 2**64 - 1, -(2**63), 5e-324, 1e308, INF, -INF, NAN, "", "x", "1.0", "é" * 50,
        np.zeros(0), np.ones(3), np.array(NAN), np.ones((2, 3), "f2"), np.array([1j]), np.array([True]), tensor([1.0]),
        np.zeros((0, 5), "u1"), np.array([2**64 - 1], "u8"), tensor(np.zeros((3, 0))),
    ]  # fmt: skip
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(leaves)
    size = rng.choice([0, 1, 2, 3, 3])
    children = [hostile_tree(rng, depth - 1) for _ in range(size)]
    match rng.randrange(4):
        case 0:
            return tuple(children)
        case 1:
            return dict(zip(("a", 0, None, (1, NAN)), children, strict=False))
        case _:
            return children


WANTS: list[Any] = [
    1.0, 3, True, None, "x", THREE, THREE.astype("f4"), np.arange(3), np.zeros(3), np.array([True, False, True]),
    np.zeros((0, 5)), tensor([1.0]), (THREE, 1), {"a": THREE, 0: (1.0, None)}, np.array([INF, NAN, 1]), np.uint8(3),
]  # fmt: skip


def test_checks_raise_nothing_whatever_was_returned() -> None:
    rng = random.Random(0)
    checks = [close(), close(rtol=1e-3), same_dtype(), every(unchanged(), close())]
    with np.errstate(all="raise"):
        for _ in range(4000):
            got, want = Value(hostile_tree(rng, 4)), rng.choice(WANTS)
            for check in checks:
                failure = check(None, got, Value(want))
                assert failure is None or (failure.kind and failure.sentence)


HUGE: dict[str, Any] = {
    "numbers": ["list", [0.0] * (MAX_NODES - 1)],
    "rows": ["list", [["list", [1.0] * 9]] * ((MAX_NODES - 1) // 10)],
    "empty rows": ["list", [["list", []]] * (MAX_NODES - 1)],
    "growing rows": ["list", [["list", [1] * n] for n in range(440)]],
    "arrays": ["list", [["array", "<f8", [0]]] * (MAX_NODES - 1)],
    "tuples": ["tuple", [["tuple", []]] * (MAX_NODES - 1)],
    "strings": ["list", ["x"] * (MAX_NODES - 1)],
    "integers": ["list", [2**64 - 1, -(2**63)] * ((MAX_NODES - 1) // 2)],
    "names": ["list", [["dict", [[i, i] for i in range(MAX_KEYS)]]] * (MAX_NODES // (2 * MAX_KEYS + 2))],
    "long names": ["dict", [[f"{i:07000}", i] for i in range(MAX_KEYS)]],
    "deep": functools.reduce(lambda inner, _: ["list", [inner]], range(24), 1.0),
}


@pytest.mark.parametrize("name", HUGE)
def test_huge_trees_fail_in_little_time_and_memory(name: str) -> None:
    got = arrived(HUGE[name])
    tracemalloc.start()
    try:
        for want in (THREE, (THREE, {"a": 1.0})):
            assert kind(close(), want, got) in ("type", "shape", "dtype", "keys", "values")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 << 20


WIDE = {
    "one long string": lambda: ["x" * 10_000] + ["y"] * 4_000,  # 160 MB; one frame can ask for 40 GB
    "one complex row": lambda: [np.zeros(1000, "u1")] * 4_000 + [np.zeros(1000, "c16")],  # 64 MB; 1 GB
    "numbers beside a string": lambda: [np.zeros(1000, "u1")] * 2_000 + [["y" * 100] * 1000],  # 800 MB
}


@pytest.mark.parametrize("name", WIDE)
def test_one_element_does_not_widen_a_whole_array(name: str) -> None:
    """NumPy makes all elements as wide as the widest. These lists are miniatures of what a frame can hold."""
    got = decode(encode(WIDE[name]()))
    tracemalloc.start()
    try:
        assert kind(close(), THREE, got)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 << 20


# Words


def numbers_in(sentence: str) -> set[str]:
    """All numbers, but for those in the names of dtypes that can travel."""
    return set(re.findall(r"\d+", re.sub(r"\b(u?int(8|16|32|64)|float(16|32|64)|complex(64|128))\b", "", sentence)))


def test_no_sentence_holds_a_number_from_an_answer() -> None:
    """But for how many values were returned (few) and are expected (that stands in every stub)."""
    rng, numbers = random.Random(2), np.random.default_rng(2)
    failures = 0
    for _ in range(3000):
        want, got = rng.choice(WANTS), hostile_tree(rng, 3)
        if isinstance(want, np.ndarray) and rng.random() < 0.5:
            got = want + numbers.normal(scale=10.0 ** rng.randrange(-12, 6), size=want.shape)
        failure = rng.choice([close(), same_dtype(), close(rtol=0.1)])(None, Value(got), Value(want))
        if failure:
            failures += 1
            counts = "values instead of" in failure.sentence
            assert numbers_in(failure.sentence) <= ({"0", "1", "2", "3"} if counts else set()), failure.sentence
    assert failures > 2000


def test_how_many_values_were_returned_is_not_told_exactly() -> None:
    """The child knows its hidden inputs and could say them in this number, 16 bits a case. A few may be told."""
    for got in ((1.0,) * 4711, [1.0] * 4711):
        failure = close()(None, Value(got), Value((1.0, 1.0)))
        assert failure is not None
        assert failure.kind == "type"
        assert "4711" not in failure.sentence


@pytest.mark.parametrize("length", [5, 4711])
def test_how_long_a_string_is_is_not_told(length: int) -> None:
    for got in (["x" * length] * 3, ["x" * length, 1.0, 2.0]):
        for check in (close(), same_dtype()):
            failure = check(None, Value(got), Value(THREE))
            assert failure is not None
            assert not numbers_in(failure.sentence)


def test_no_sentence_repeats_a_string_or_key_of_the_child() -> None:
    marker = "forty-two"
    for want in WANTS:
        for got in (marker, {marker: 1.0}, [marker] * 3, (marker, marker), {"a": marker, 0: (1.0, marker)}):
            failure = close()(None, Value(got), Value(want))
            assert failure is not None
            assert marker not in failure.sentence


def test_only_names_of_built_in_exceptions_pass() -> None:
    assert exception_name("ValueError") == "ValueError"
    assert exception_name("KeyboardInterrupt") == "KeyboardInterrupt"
    for name in ("Input_3_1_4", "int", "print", "__import__", "", "ValueError ", None, 3, ["ValueError"], True, "\0"):
        assert exception_name(name) == "Exception"
    for name in (n for n in dir(builtins) if isinstance(getattr(builtins, n), type)):
        if issubclass(getattr(builtins, name), BaseException):
            assert Raised(exception_name(name)).is_a("BaseException")
