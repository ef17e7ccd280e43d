"""Verdicts from tables of answers, without a sandbox."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from autograder.course import Assignment, Case, Criterion, Exercise, Inputs, Misconception, Part, fixed
from autograder.outcome import NotImported, Outcome, Raised, Value
from autograder.results import CriterionResult
from autograder.verdict import Evidence, Mistake, Verdict, judged, notes

ONE, TWO, DOUBLED = (Case(title, fixed(n)) for n, title in enumerate(("one", "two", "doubled")))
AREA = Exercise("area", "shapes", [Criterion("values", [ONE, TWO])])
VOLUME = Exercise("volume", "shapes", [Criterion("values", [DOUBLED])])
HALVED = Misconception("halved", "area", "Half of it is missing.", "w * h", "w * h / 2")
FLAT = Misconception("flat", "volume", "It has no depth.", "* d", "* 1")
ASSIGNMENT = Assignment(
    name="a7_shapes",
    title="Shapes",
    parts=(Part("shapes", "numpy"),),
    exercises=(AREA, VOLUME),
    points={"area": {"values": 2}, "volume": {"values": 3}},
    references={"shapes": ""},
    needs={"area": (), "volume": ("area",)},
    misconceptions=(HALVED, FLAT),
)
EXPECTED = {ONE: Value(np.array([4.0, 8.0])), TWO: Value(np.array([6.0, 2.0])), DOUBLED: Value(np.array([8.0, 16.0]))}
TABLE: dict[Mistake, dict[Case, Outcome] | None] = {
    ("area", frozenset([HALVED])): {ONE: Value(np.array([2.0, 4.0])), TWO: Value(np.array([3.0, 1.0]))},
    ("volume", frozenset([FLAT])): {DOUBLED: Value(np.array([1.0, 2.0]))},
    ("volume", frozenset([HALVED])): {DOUBLED: Value(np.array([4.0, 8.0]))},
}


def evidence(one: object, two: object, doubled: object) -> Evidence:
    """Answers to the three cases: arrays, or outcomes as they are."""
    answers = dict(zip(EXPECTED, (one, two, doubled), strict=True))
    outcomes = {c: a if isinstance(a, Raised | NotImported) else Value(np.array(a)) for c, a in answers.items()}
    return Evidence(dict.fromkeys(EXPECTED, Inputs((), {})), EXPECTED, outcomes)


def settled(
    given: Evidence, table: dict[Mistake, dict[Case, Outcome] | None] = TABLE
) -> tuple[Verdict, list[set[Mistake]]]:
    """The verdict, and what was wanted on the way to it."""
    wanted = []
    while (verdict := judged(ASSIGNMENT, given, ["shapes"])).wanted:
        wanted.append(set(verdict.wanted))
        given.mistaken.update({mistake: table[mistake] for mistake in verdict.wanted})
    return verdict, wanted


def criteria(verdict: Verdict) -> dict[str, CriterionResult]:
    return {exercise.name: exercise.criteria[0] for exercise in verdict.exercises}


def test_right_answers_want_nothing_and_get_everything() -> None:
    verdict, wanted = settled(evidence([4.0, 8.0], [6.0, 2.0], [8.0, 16.0]))
    assert wanted == []
    assert [exercise.points for exercise in verdict.exercises] == [2, 3]


def test_a_mistake_is_named_and_what_follows_from_it_is_excused() -> None:
    verdict, wanted = settled(evidence([2.0, 4.0], [3.0, 1.0], [4.0, 8.0]))
    assert wanted == [{("area", frozenset([HALVED]))}, {("volume", frozenset([HALVED]))}]
    area, volume = criteria(verdict).values()
    assert (area.points, area.misconceptions) == (0, ("halved",))
    assert volume.points == 3
    assert volume.message == "Counted as right: it follows from area as handed in, where the points are lost."


def test_another_mistake_on_top_is_not_excused() -> None:
    verdict, wanted = settled(evidence([2.0, 4.0], [3.0, 1.0], [1.0, 2.0]))
    assert wanted[-1] == {("volume", frozenset([FLAT]))}
    volume = criteria(verdict)["volume"]
    assert (volume.points, volume.misconceptions) == (0, ("flat",))
    assert volume.message.startswith("First look at area: volume calls it, and it fails too.")


def test_what_the_solution_does_not_call_is_no_culprit() -> None:
    given = replace(evidence([2.0, 4.0], [3.0, 1.0], [1.0, 2.0]), calls=lambda exercise: set())
    verdict, _ = settled(given)
    assert "area" not in criteria(verdict)["volume"].message


def test_mistakes_that_cannot_be_made_together_excuse_nothing() -> None:
    verdict, _ = settled(evidence([2.0, 4.0], [3.0, 1.0], [4.0, 8.0]), {**TABLE, ("volume", frozenset([HALVED])): None})
    assert criteria(verdict)["volume"].points == 0


def test_two_mistakes_at_once_are_both_named() -> None:
    turned = Misconception("turned", "area", "Rows are columns.", "", "")
    known = replace(ASSIGNMENT, misconceptions=(HALVED, turned, FLAT))
    given = evidence([3.0, 1.5], [1.25, 4.5], [8.0, 16.0])
    table: dict[Mistake, dict[Case, Outcome] | None] = {
        **TABLE,
        ("area", frozenset([turned])): {ONE: Value(np.array([9.0, 3.5])), TWO: Value(np.array([2.5, 9.5]))},
        ("area", frozenset([HALVED, turned])): {case: given.answers[case] for case in (ONE, TWO)},
    }
    while (verdict := judged(known, given, ["shapes"])).wanted:
        given.mistaken.update({mistake: table[mistake] for mistake in verdict.wanted})
    area = criteria(verdict)["area"]
    assert area.misconceptions == ("halved", "turned")
    assert f"Two mistakes at once. {HALVED.sentence} Rows are columns." in area.message


@pytest.mark.parametrize("outcome", [Raised("ValueError"), NotImported("shapes.py could not be imported")])
def test_where_nothing_was_answered_no_mistake_is_asked_for(outcome: Outcome) -> None:
    verdict, wanted = settled(evidence(outcome, outcome, outcome))
    assert wanted == []
    assert [exercise.points for exercise in verdict.exercises] == [0, 0]


def test_a_part_that_was_not_handed_in_needs_no_evidence() -> None:
    verdict = judged(ASSIGNMENT, Evidence({}, {}, {}), [])
    assert verdict.wanted == frozenset()
    assert {exercise.status for exercise in verdict.exercises} == {"not handed in"}
    assert {one.message for one in criteria(verdict).values()} == {"shapes.py was not handed in."}
    unread = judged(ASSIGNMENT, Evidence({}, {}, {}), [], unread=True)
    assert {exercise.status for exercise in unread.exercises} == {"not read"}
    assert {one.message for one in criteria(unread).values()} == {"shapes.py was not found in what could be read."}


@pytest.mark.parametrize(
    ("change", "sentences"),
    [
        (lambda o: o, []),
        (lambda o: replace(o, changed=True), ["area writes into its arguments, which belong to the caller."]),
        (lambda _: NotImported("shapes.py could not be imported."), ["shapes.py could not be imported."]),
    ],
)
def test_notes(change: Callable[[Outcome], Outcome], sentences: list[str]) -> None:
    given = evidence([4.0, 8.0], [6.0, 2.0], [8.0, 16.0])
    assert notes(ASSIGNMENT, {**given.answers, ONE: change(given.answers[ONE])}) == sentences
