"""Answer groups: digests that equal wrong answers share, a class of 300 with known mistakes, overrides for a group."""

from __future__ import annotations

import dataclasses
import random
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies

from autograder.answer_groups import AnswerGroup, answer_groups, group_of
from autograder.compare import Failure
from autograder.course import Assignment, Case, CourseError, Criterion, Exercise, Inputs, Misconception, Part, fixed
from autograder.groups import BUCKETS, GRIDS, _numbers, answer_digests, digests
from autograder.outcome import NotImported, Outcome, Raised, Stopped, Value
from autograder.overrides import Override, apply_overrides, doubts, of_students, read_overrides
from autograder.report import class_html
from autograder.report.summary import ClassSummary
from autograder.results import RunRecord, SubmissionResult, from_gradescope, to_gradescope
from autograder.verdict import Evidence, Mistake, failures, judged

ONE, TWO = Case("one", fixed()), Case("two", fixed())
EXERCISE = Exercise("area", "shapes", [Criterion("values", [ONE, TWO])])
WANT = np.array([[1.0, -2.0, 30.0], [0.5, 7.0, 3.0]])


def shared(one: Outcome, other: Outcome, want: np.ndarray = WANT) -> bool:
    """Whether two wrong answers to both cases stand in one group."""
    expected = dict.fromkeys((ONE, TWO), Value(want))
    found = []
    for answer in (one, other):
        got = dict.fromkeys((ONE, TWO), answer)
        failed = failures(EXERCISE, dict.fromkeys((ONE, TWO), Inputs((), {})), got, expected)
        assert failed
        found.append(set(answer_digests(EXERCISE, failed, got, expected)))
    assert [len(one) for one in found] == [GRIDS, GRIDS]
    return bool(found[0] & found[1])


@given(
    seed=strategies.integers(0, 10_000),
    scale=strategies.floats(-100, 100),
    dtype=strategies.sampled_from(["float64", "float32"]),
)
def test_answers_within_the_tolerance_share_a_digest_wherever_the_borders_lie(
    seed: int, scale: float, dtype: str
) -> None:
    """By the whole tolerance, all entries in the direction that moves most."""
    chance = np.random.default_rng(seed)
    want = chance.normal(size=(3, 4)).astype(dtype)
    wrong = (chance.normal(size=(3, 4)) * 10 ** (scale / 5)).astype(dtype)
    largest = max(np.abs(want).max(), np.abs(wrong).max())
    tolerance = 1e-9 if dtype == "float64" else 1e-4 - 1e-6  # float32 rounds what is added
    moved = (wrong + np.sign(chance.normal(size=(3, 4))) * tolerance * largest).astype(dtype)
    assert shared(Value(wrong), Value(moved), want)


@pytest.mark.parametrize(
    "other",
    [
        Value(WANT + 1.001),
        Value((WANT + 1).astype(np.float32)),
        Value((WANT + 1).astype(int)),
        Value((WANT + 1).ravel()),
        Value((WANT + 1,)),
        Value({"a": WANT + 1}),
        Value(np.where(WANT == 7, np.nan, WANT + 1)),
        Value(np.where(WANT == 7, 8 + 1e-5, WANT + 1)),
        Raised("ValueError"),
        Stopped("time"),
        NotImported("No."),
    ],
)
def test_different_answers_share_none(other: Outcome) -> None:
    assert shared(Value(WANT + 1), Value(WANT + 1))
    assert not shared(Value(WANT + 1), other)
    assert not shared(other, Value(WANT + 1))


def test_names_of_exceptions_integers_and_signs_of_infinity_count() -> None:
    assert shared(Raised("ValueError", "for 3"), Raised("ValueError", "for 4"))
    assert not shared(Raised("ValueError"), Raised("TypeError"))
    assert not shared(Value(np.array([1, 2])), Value(np.array([1, 3])))
    assert not shared(Value(np.array([np.inf, 1])), Value(np.array([-np.inf, 1])))
    assert shared(Value((WANT + 1).tolist()), Value(WANT + 1))  # a list of numbers stands for an array


def test_one_wrong_entry_of_many_is_not_lost_among_the_others() -> None:
    want = np.random.default_rng(3).normal(size=20_000)
    one, other = want.copy(), want.copy()
    one[17] += 0.5
    other[[17, 18]] += 0.5
    assert not shared(Value(one), Value(other), want)


def test_which_cases_fail_counts_and_time_does_not_beside_values() -> None:
    expected = dict.fromkeys((ONE, TWO), Value(WANT))
    far, slow = Failure("values", "is far off"), Failure("slow", "is slow")
    got: dict[Case, Outcome] = {ONE: Value(WANT + 1), TWO: Value(WANT)}
    first = answer_digests(EXERCISE, {"values": [(ONE, far)]}, got, expected)
    assert first == answer_digests(EXERCISE, {"values": [(ONE, far), (TWO, slow)]}, got, expected)
    assert not {*first} & {*answer_digests(EXERCISE, {"values": [(TWO, far)]}, got, expected)}
    assert not {*first} & {*answer_digests(EXERCISE, {"values": [(ONE, slow)]}, got, expected)}


def test_no_number_moves_more_than_the_entry_that_moves_most() -> None:
    chance = np.random.default_rng(5)
    entries = chance.normal(size=100)
    moved = entries + chance.uniform(-1e-3, 1e-3, size=100)
    assert np.abs(_numbers(entries, [1.0]) - _numbers(moved, [1.0])).max() <= 1e-3
    assert len(_numbers(entries, [])) == 2 * BUCKETS + 1


# A class of 300 on four exercises, with three mistakes each, of which the last is in no bank.

RATES = {"area": (45, 30, 24), "volume": (60, 21, 15), "length": (36, 18, 9), "angle": (75, 12, 6)}
EXERCISES = {
    name: Exercise(name, "shapes", [Criterion("values", [Case(f"{name} {number}", fixed()) for number in (1, 2)])])
    for name in RATES
}
BANK = [Misconception(f"{e}_{n}", e, f"What is {e} of {n}?", "", "") for e in RATES for n in range(2)]
ASSIGNMENT = Assignment(
    name="a7_shapes",
    title="Shapes",
    parts=(Part("shapes", "numpy"),),
    exercises=tuple(EXERCISES.values()),
    points={name: {"values": 25} for name in RATES},
    references={"shapes": ""},
    misconceptions=BANK,
)
EXPECTED: dict[Case, Outcome] = {
    case: Value(np.random.default_rng(number).normal(size=(4, 5)))
    for number, case in enumerate(case for exercise in EXERCISES.values() for case in exercise.cases())
}


def wrong(exercise: Exercise, number: int, noise: float = 0.0) -> dict[Case, Outcome]:
    """The answers of one mistake, with rounding errors of ``noise``."""
    found: dict[Case, Outcome] = {}
    for case in exercise.cases():
        right = EXPECTED[case]
        assert isinstance(right, Value)
        found[case] = Value((right.tree + np.roll(right.tree, number + 1)) * (1 + noise))
    return found


@pytest.fixture(scope="module")
def class_of_300() -> list[tuple[SubmissionResult, RunRecord]]:
    """Who makes which mistake is drawn anew for each exercise; nobody's rounding errors are another's."""
    chance = random.Random(7)
    mistakes: dict[str, list[int | None]] = {}
    for name, rates in RATES.items():
        mistakes[name] = [number for number, rate in enumerate(rates) for _ in range(rate)]
        mistakes[name] += [None] * (300 - len(mistakes[name]))
        chance.shuffle(mistakes[name])
    table: dict[Mistake, dict[Case, Outcome] | None] = {
        (e, frozenset([BANK[2 * row + n]])): wrong(EXERCISES[e], n) for row, e in enumerate(RATES) for n in range(2)
    }
    graded = []
    for student in range(300):
        answers = dict(EXPECTED)
        for name, drawn in mistakes.items():
            if (number := drawn[student]) is not None:
                answers |= wrong(EXERCISES[name], number, chance.uniform(-1e-12, 1e-12))
        found = Evidence(dict.fromkeys(EXPECTED, Inputs((), {})), EXPECTED, answers, dict(table))
        found = dataclasses.replace(found, tables={name: {} for name in RATES})
        while (verdict := judged(ASSIGNMENT, found, ["shapes"])).wanted:
            found.mistaken.update(dict.fromkeys(verdict.wanted))
        result = SubmissionResult(f"s{student:03}", "a7_shapes", "Shapes", verdict.exercises)
        graded.append((result, RunRecord(groups=digests(ASSIGNMENT, found, verdict))))
    return graded


def test_a_class_of_300_is_told_the_rates_of_its_mistakes(
    class_of_300: list[tuple[SubmissionResult, RunRecord]],
) -> None:
    groups = answer_groups(class_of_300)
    assert {name: [g.size for g in groups if g.exercise == name] for name in RATES} == {
        name: sorted(rates, reverse=True) for name, rates in RATES.items()
    }
    assert Counter((g.size, g.misconceptions) for g in groups) == Counter(
        (rate, (f"{name}_{number}",) if number < 2 else ())
        for name, rates in RATES.items()
        for number, rate in enumerate(rates)
    )
    results = [result for result, _ in class_of_300]
    summary = ClassSummary(tuple(results))
    assert {f.what: len(f.students) for f in summary.misconceptions} == {
        f"{name}_{number}": rates[number] for name, rates in RATES.items() for number in range(2)
    }
    assert {e.name: e.success_rate for e in summary.exercises} == {
        name: (300 - sum(rates)) / 300 for name, rates in RATES.items()
    }
    sentences = {(wrong.exercise, wrong.name): wrong.sentence for wrong in BANK}
    page = "".join(class_html(results, {}, {}, (), groups, sentences))
    text = " ".join(re.sub(r"<[^>]+>", " ", page.partition("</style>")[2]).split())
    first = text.index("Most misunderstood")
    ideas = text[first : text.index("Exercises", first)]
    assert ideas.split("What is")[0] == "Most misunderstood 75 of 300 angle "
    assert [
        ideas.count(f"What is {name} of {number}?")
        for name, number in (("angle", 0), ("volume", 0), ("area", 0), ("length", 0), ("area", 1), ("volume", 1))
    ] == [1, 1, 1, 1, 1, 0]
    for rate, name in ((24, "area"), (15, "volume"), (9, "length"), (6, "angle")):
        assert f"{rate} {name} no name yet" in text


def test_a_group_outlives_newcomers_and_its_key_finds_it(
    class_of_300: list[tuple[SubmissionResult, RunRecord]],
) -> None:
    before, after = answer_groups(class_of_300[:150]), answer_groups(class_of_300)
    for group in before:
        (same,) = [one for one in after if one.matches(group.key)]
        assert {*group.students} <= {*same.students}
        assert group_of(after, group.exercise, group.students[0]) == same
    assert group_of(after, "area", "nobody") is None


def test_points_for_a_group_reach_all_its_members_and_no_more_than_there_are(
    class_of_300: list[tuple[SubmissionResult, RunRecord]],
) -> None:
    groups = answer_groups(class_of_300)
    group = next(group for group in groups if group.exercise == "area")
    exception = group.students[3]
    overrides = [
        Override(exception, "area", 5, "talked about it"),
        Override(group.key, "area", 99, "the handout was unclear"),
    ]
    by_hand = of_students(overrides, groups)
    assert by_hand.keys() == {*group.students}
    results = [result for result, _ in class_of_300]
    assert list(doubts(overrides, results, groups)) == [
        f"overrides.csv: {group.key} gets 99 points of 25 for area: 25 count."
    ]
    for result in results:
        given = apply_overrides(result, by_hand.get(result.student, {}))
        gain = given.score - result.score
        assert gain == (5 if result.student == exception else 25 if result.student in group.students else 0)
    assert list(doubts([Override("group:area:ffff", "area", 1, "why")], results, groups)) == [
        "overrides.csv: there is no group 'group:area:ffff'."
    ]


def test_points_for_a_whole_submission_replace_all_others(
    class_of_300: list[tuple[SubmissionResult, RunRecord]],
) -> None:
    result = class_of_300[0][0]
    given = apply_overrides(result, {"*": Override(result.student, "*", 1000, "an interview")})
    assert given.score == given.max_score == 100
    data = to_gradescope(given)
    assert sum(test["score"] for test in data["tests"]) == data["score"] == 100
    assert data["tests"][-1]["output"] == "an interview"
    assert from_gradescope(data) == given
    assert apply_overrides(given, {}) == result


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("s1,*,3,", "line 2 has no reason"),
        ("group:area:12ab,area,3,", "line 2 has no reason"),
        ("group:area:12ab,volume,3,why", "group:area:12ab is a group of another exercise than 'volume'"),
    ],
)
def test_rows_that_move_much_need_a_reason(tmp_path_factory: pytest.TempPathFactory, row: str, sentence: str) -> None:
    file = tmp_path_factory.mktemp("out") / "overrides.csv"
    file.write_text(f"student,exercise,points,reason\n{row}\n", encoding="utf-8")
    with pytest.raises(CourseError, match=sentence.replace("(", r"\(")):
        read_overrides(file)


def test_a_chain_of_neighbours_is_one_group() -> None:
    def graded(student: str, *own: str) -> tuple[SubmissionResult, RunRecord]:
        result = SubmissionResult(student, "a7", "S", judged(ASSIGNMENT, _nothing(), ["shapes"]).exercises)
        return result, RunRecord(groups={"area": list(own)})

    found = answer_groups([graded("c", "3", "4"), graded("a", "1", "2"), graded("b", "2", "3"), graded("d", "5")])
    assert [(group.number, group.students) for group in found] == [(1, ("a", "b", "c")), (2, ("d",))]
    assert found[0].digests[:2] == ("2", "3")
    assert isinstance(found[0], AnswerGroup)


def _nothing() -> Evidence:
    answers: dict[Case, Outcome] = dict.fromkeys(EXPECTED, Raised("NotImplementedError"))
    return Evidence(dict.fromkeys(EXPECTED, Inputs((), {})), EXPECTED, answers)
