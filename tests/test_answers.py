"""Every check of every assignment, given answers that are easy, right but unusual, or hostile: no sandbox is needed but
for what the references answer.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder import trivial
from autograder.compare import Check, Failure, close, judged, returned
from autograder.course import Assignment, Case, Criterion, Exercise, Inputs, Part, inputs
from autograder.judge import Judge
from autograder.loading import find_assignments, load
from autograder.outcome import Outcome, Value
from autograder.sandbox.isolation import choose
from autograder.sandbox.wire import Tensor
from tests.scale.answers import Checks, Costly

ROOT = Path(__file__).parent.parent
RANDOM_ANSWERS = 400


@pytest.fixture(scope="module", params=find_assignments(ROOT))
def judge(request: pytest.FixtureRequest) -> Iterator[Judge]:
    with Judge(load(request.param, ROOT), "public", choose()) as judge:
        for part in judge.assignment.parts:
            judge.reference.expect(part)
        yield judge


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.filterwarnings("error")
def test_no_answer_makes_a_check_raise_or_warn_or_costs_far_more_than_a_right_one(judge: Judge, traced: None) -> None:
    put_random_answers(Checks(judge.assignment, judge.key.inputs, judge.key.expected), RANDOM_ANSWERS)


def put_random_answers(checks: Checks, number: int) -> None:
    for seed in range(number):
        checks.one(np.random.default_rng(seed))


@pytest.mark.filterwarnings("error")
def test_trivial_answers_win_nothing_but_where_they_are_right(judge: Judge) -> None:
    won = {
        (exercise.name, criterion, answer)
        for exercise in judge.assignment.exercises
        for answer, criteria in trivial.tries(exercise, judge.key.inputs, judge.key.expected)
        for criterion in criteria
    }
    assert won == {(mark.exercise, mark.criterion, mark.answer) for mark in judge.assignment.trivial}


def as_lists(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: as_lists(value) for key, value in tree.items()}
    if isinstance(tree, tuple):
        return [as_lists(value) for value in tree]
    return tree.tolist() if isinstance(tree, np.ndarray) and not isinstance(tree, Tensor) else tree


def test_lists_of_right_numbers_are_right(judge: Judge) -> None:
    """As the course's conventions have it: whatever is asked, they may stand for tuples and arrays."""
    for exercise in judge.assignment.exercises:
        for criterion in exercise.criteria:
            for case in criterion.cases:
                right = judge.key.expected[case]
                if isinstance(right, Value):
                    got = Value(as_lists(right.tree), cpu=right.cpu)
                    assert criterion.failure(judge.key.inputs[case], got, right) is None, (exercise.name, case.title)


# That these tests can fail


def asked(check: Check, tree: Any) -> tuple[Exercise, dict[Case, Inputs], dict[Case, Outcome]]:
    """An exercise of one case with one criterion, and the right answer to it."""
    case = Case("one", lambda rng: inputs(np.arange(3.0)))
    exercise = Exercise("f", "part", [Criterion("values", [case], check)])
    return exercise, {case: inputs(np.arange(3.0))}, {case: Value(tree)}


def wins(check: Check, tree: Any) -> set[str]:
    return {answer for answer, won in trivial.tries(*asked(check, tree)) if won}


def test_a_check_that_is_content_with_anything_is_found() -> None:
    tree = {"y": np.array([1.0, 5.0]), "same": True}
    assert wins(close(), tree) == set()
    assert wins(close(part="same"), tree) >= {"ones", "zeros as answer['y']", "[] as answer['y']"}
    assert wins(lambda *_: None, 2.0) >= {"None", "[]", "zeros", "NaN", "argument 1"}
    empty = returned(lambda _, got: None if not got[got != got[::-1]].size else Failure("values", "is wrong"))
    assert wins(empty, np.array([1.0, 2.0, 1.0])) == {"zeros", "ones"}
    assert wins(close(), np.zeros(3)) == {"zeros"}  # right, and to be marked


def shares_of_nothing(_: Any, got: np.ndarray) -> Failure | None:
    return None if (got / got.sum() == 1 / got.size).all() else Failure("values", "is wrong")


@pytest.mark.filterwarnings("error")
def test_a_check_that_divides_nothing_by_nothing_does_not_warn() -> None:
    exercise, given, right = asked(judged(shares_of_nothing), np.ones(4))
    [criterion], [case] = exercise.criteria, exercise.cases()
    assert criterion.failure(given[case], right[case], right[case]) is None
    assert criterion.failure(given[case], Value(np.zeros(4)), right[case])


def nothing_held(_: Any, got: Outcome, want: Outcome) -> Failure | None:
    right = not np.asarray(got.tree).any(axis=2).all()  # type: ignore[union-attr]
    return Failure("values", "is wrong") if right else None


def in_vain(_: Any, got: Any) -> Failure | None:
    return None if np.zeros((1 << 24, 4)).any() else Failure("values", "is wrong")


def for_ever(_: Any, got: Any) -> Failure | None:
    return None if sum(range(30_000_000)) == got[0, 0, 0] else Failure("values", "is wrong")


def careful_when_right(look: Any) -> Check:
    """A check that is dear for wrong answers only."""
    equal = close()

    def check(given: Any, got: Outcome, want: Outcome) -> Failure | None:
        return equal(given, got, want) and judged(look)(given, got, want)

    return check


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("check", "error"),
    [(nothing_held, Exception), (careful_when_right(in_vain), Costly), (careful_when_right(for_ever), Costly)],
)
def test_a_check_that_raises_or_takes_too_much_is_found(check: Check, error: type[Exception], traced: None) -> None:
    exercise, given, right = asked(check, np.ones((2, 3, 4)))
    assignment = Assignment("trial", "Trial", [Part("part", "numpy")], [exercise], {"f": {"values": 1}}, {})
    with pytest.raises(error):
        put_random_answers(Checks(assignment, given, right), 200)
