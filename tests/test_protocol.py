"""Every field of every reply is checked for type and size before it is used, and costs nothing where it is wrong."""

from __future__ import annotations

import contextlib
import itertools
import time
from typing import Any

import numpy as np
import pytest

from autograder.outcome import Malformed, Raised, Unsuitable, Value
from autograder.sandbox.protocol import (
    MAX_DETAIL,
    ChildStopped,
    NumberedQuestion,
    SandboxError,
    check_locked,
    numbered,
    read_import,
    read_reply,
)
from autograder.sandbox.wire import Tensor

QUESTION: NumberedQuestion = {
    "name": "f",
    "driver": "",
    "args": (),
    "kwargs": {},
    "seed": 1,
    "forbidden": ["numpy.convolve"],
    "id": 7,
}
REPLIES: list[tuple[dict[str, Any], Any]] = [
    ({"id": 7, "value": [1], "changed": True, "cpu": 0.5}, Value([1], True, 0.25)),
    ({"id": 7, "raised": "KeyError", "detail": "why"}, Raised("KeyError", "why")),
    ({"id": 7, "raised": "Mine", "detail": ""}, Raised("Exception")),
    ({"id": 7, "malformed": "a value of type set"}, Malformed("a value of type set")),
    ({"id": 7, "unsuitable": "missing"}, Unsuitable("missing")),
    ({"id": 7, "unsuitable": "parameters"}, Unsuitable("parameters")),
    ({"id": 7, "forbidden": "numpy.convolve"}, Unsuitable("forbidden", "numpy.convolve")),
]
LARGE = np.zeros(1 << 23)
WRONG: dict[str, Any] = {
    "array": np.zeros(2),
    "array of one": np.array([7]),
    "number without dimensions": np.array(7),
    "no entries": np.zeros(0),
    "array of truth": np.array([True]),
    "tensor": np.zeros(2).view(Tensor),
    "large array": LARGE,
    "arrays": [LARGE] * 1000,
    "list": ["missing"],
    "dict": {"missing": 1},
    "tuple": ("KeyError",),
    "None": None,
    "bool": True,
    "float": 7.0,
    "negative": -7,
    "long text": "x" * (1 << 20),
    "text": "something else",
}


@pytest.mark.parametrize(("reply", "outcome"), REPLIES)
def test_replies_become_outcomes(reply: dict[str, Any], outcome: Any) -> None:
    assert read_reply(reply, QUESTION, 0.25) == outcome


FIELDS = [(reply, field) for reply, _ in REPLIES for field in reply if field != "value"]
FREE = {("changed", "bool"), ("cpu", "float"), ("raised", "text"), ("detail", "text"), ("malformed", "text")}


@pytest.mark.parametrize(("reply", "field"), FIELDS)
@pytest.mark.parametrize("wrong", WRONG)
def test_a_field_of_another_type_or_size_ends_the_child(reply: dict[str, Any], field: str, wrong: str) -> None:
    if (field, wrong) in FREE:
        return
    with pytest.raises(ChildStopped, match="protocol"):
        read_reply({**reply, field: WRONG[wrong]}, QUESTION, 0.25)


@pytest.mark.parametrize("reply", [*WRONG.values(), {}, {"id": 7}, {7: 7}, {"value": 1}])
def test_what_is_no_reply_ends_the_child(reply: Any) -> None:
    with pytest.raises(ChildStopped, match="protocol"):
        read_reply(reply, QUESTION, 0.25)
    with pytest.raises(ChildStopped, match="protocol"):
        read_import(reply, 0.25)
    with pytest.raises(SandboxError):
        check_locked(reply)


def test_fields_of_two_replies_or_missing_ones_end_the_child() -> None:
    for (one, _), (other, _) in itertools.permutations(REPLIES, 2):
        if one.keys() != other.keys():
            with pytest.raises(ChildStopped):
                read_reply({**one, **other}, QUESTION, 0.25)
    for reply, field in FIELDS:
        with pytest.raises(ChildStopped):
            read_reply({key: value for key, value in reply.items() if key != field}, QUESTION, 0.25)


def test_an_import_is_answered_by_nothing_or_an_exception() -> None:
    good = {"id": 0, "value": None, "changed": False, "cpu": 0.5}
    assert read_import(good, 0.25) == Value(None, False, 0.25)
    assert read_import({"id": 0, "raised": "KeyError", "detail": ""}, 0.25) == Raised("KeyError")
    for bad in ({**good, "value": LARGE}, {**good, "id": 7}, *({**reply, "id": 0} for reply, _ in REPLIES[3:])):
        with pytest.raises(ChildStopped):
            read_import(bad, 0.25)


@pytest.mark.parametrize(("claim", "cpu"), [(0.5, 0.5), (-1.0, 0), (float("nan"), 0), (float("inf"), 0)])
def test_a_claimed_time_counts_only_where_none_is_measured(claim: float, cpu: float) -> None:
    reply = {"id": 7, "value": 1, "changed": False, "cpu": claim}
    assert read_reply(reply, QUESTION, None) == Value(1, False, cpu)
    assert read_reply(reply, QUESTION, 0.25) == Value(1, False, 0.25)


def test_the_problem_of_a_child_that_is_not_confined_is_said() -> None:
    check_locked({"locked": True})
    with pytest.raises(SandboxError, match="no permission"):
        check_locked({"problem": "no permission"})
    for bad in ({"problem": LARGE}, {"problem": "x" * (MAX_DETAIL + 1)}, {"locked": np.True_}, {"locked": LARGE}):
        with pytest.raises(SandboxError) as refused:
            check_locked(bad)
        assert len(str(refused.value)) < 100


def test_wrong_fields_cost_no_more_than_right_ones() -> None:
    """Nothing is formatted: text of 64 MB of arrays would take minutes."""

    def seconds(reply: dict[str, Any]) -> float:
        start = time.process_time()
        for _ in range(100):
            with contextlib.suppress(ChildStopped):
                read_reply(reply, QUESTION, 0.25)
        return time.process_time() - start

    many = [np.zeros(8)] * 50_000
    for reply, field in FIELDS:
        right = min(seconds(reply) for _ in range(3))
        wrong = min(seconds({**reply, field: many}) for _ in range(3))
        assert wrong < 100 * right, field


def test_no_child_knows_the_number_of_a_question() -> None:
    questions = [numbered({**QUESTION}) for _ in range(100)]
    assert len({question["id"] for question in questions}) == 100
    assert all(0 < question["id"] < 1 << 53 for question in questions)
