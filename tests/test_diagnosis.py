"""Diagnosis names a misconception where the answers are its own and no other's; follow-through counts it once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.compare import Failure, close, cpu_ratio, raises, unchanged
from autograder.course import Case, Criterion, Exercise, Inputs, Misconception, inputs
from autograder.diagnosis import ENOUGH, diagnose, diagnose_pair, evidence, pairs
from autograder.judge import Judge
from autograder.loading import load
from autograder.outcome import Outcome, Raised, Stopped, Value
from autograder.patch import apply
from autograder.results import ExerciseResult, SubmissionResult
from autograder.sandbox.isolation import choose
from autograder.scoring import score
from autograder.source import replace_definition
from autograder.submission import Submission

SMALL, LARGE, EMPTY = (Case(title, lambda rng: inputs()) for title in ("small", "large", "empty"))
EXERCISE = Exercise(
    "double",
    "part",
    [
        Criterion("first", [SMALL, LARGE], close(part=0)),
        Criterion("second", [SMALL, LARGE], close(part=1)),
        Criterion("errors", [EMPTY], raises()),
    ],
)
GIVEN = dict.fromkeys(EXERCISE.cases(), Inputs((), {}))


def outcomes(small: Any, large: Any, empty: Outcome) -> dict[Case, Outcome]:
    """What a function of two results answers; a number stands for both."""
    found: dict[Case, Outcome] = {EMPTY: empty}
    for case, answer in ((SMALL, small), (LARGE, large)):
        both = answer if isinstance(answer, tuple) else (answer, answer)
        found[case] = (
            answer if isinstance(answer, Raised | Stopped) else Value(tuple(np.full(3, float(b)) for b in both))
        )
    return found


ERROR = Raised("ValueError")
RIGHT = outcomes(2, 20, ERROR)


def named(name: str) -> Misconception:
    return Misconception(name, "double", "A sentence.", "", "")


BANK = {
    named("both halved"): outcomes(1, 10, ERROR),
    named("large halved"): outcomes(2, 10, ERROR),
    named("second lost"): outcomes((2, 0), (20, 0), ERROR),
    named("second lost and first off"): outcomes((3, 0), (30, 0), ERROR),
    named("no error"): outcomes(2, 20, Value((np.zeros(0),) * 2)),
    named("wrong error"): outcomes(2, 20, Raised("IndexError")),
    named("raises on large"): outcomes(2, Raised("IndexError"), ERROR),
    named("raises on large and off"): outcomes(3, Raised("IndexError"), ERROR),
}


def all_values(name: Any) -> dict[str, Any]:
    return {"first": name, "second": name}


def found(answers: dict[Case, Outcome]) -> dict[str, str]:
    return {criterion: wrong.name for criterion, wrong in diagnose(EXERCISE, GIVEN, answers, RIGHT, BANK).items()}


@pytest.mark.parametrize(
    ("answers", "diagnosis"),
    [
        (RIGHT, {}),
        (outcomes(1, 10, ERROR), all_values("both halved")),
        (outcomes(1 + 1e-12, 10, ERROR), all_values("both halved")),
        (outcomes(2, 10, ERROR), all_values("large halved")),
        (outcomes(1, 11, ERROR), {}),  # like a known mistake in one case only
        (outcomes((2, 0), (20, 0), ERROR), {"second": "second lost"}),
        (outcomes((3, 0), (30, 0), ERROR), all_values("second lost and first off")),
        (outcomes((5, 0), (50, 0), ERROR), {}),  # another mistake beside a known one, which explains but one criterion
        (outcomes(1, 10, Raised("IndexError")), {}),  # an error that nobody knows beside a known mistake
        (outcomes(2, 20, Value((np.zeros(0),) * 2)), {"errors": "no error"}),
        (outcomes(2, 20, Value((np.zeros(1),) * 2)), {}),  # no error either, but another answer
        (outcomes(2, 20, Raised("IndexError")), {}),  # a name of an exception alone says too little
        (outcomes(2, Raised("IndexError"), ERROR), {}),  # nor where another case is right
        (outcomes(3, Raised("IndexError"), ERROR), all_values("raises on large and off")),
        (outcomes(1, 10, Value((np.zeros(0),) * 2)), all_values("both halved") | {"errors": "no error"}),
        (outcomes(1, Stopped("time"), ERROR), {}),
    ],
)  # fmt: skip
def test_a_misconception_is_named_where_it_alone_explains_the_answers(
    answers: dict[Case, Outcome], diagnosis: dict[str, str]
) -> None:
    assert found(answers) == diagnosis


def both(
    answers: dict[Case, Outcome], known: dict[frozenset[Misconception], dict[Case, Outcome]]
) -> dict[str, set[str]]:
    found = diagnose_pair(EXERCISE, GIVEN, answers, RIGHT, known)
    return {criterion: {wrong.name for wrong in pair} for criterion, pair in found.items()}


def test_two_mistakes_at_once_are_tried_where_both_may_have_been_made() -> None:
    halved, lost, off = (next(w for w in BANK if w.name == n) for n in ("both halved", "second lost", "no error"))
    few = {wrong: BANK[wrong] for wrong in (halved, lost, off)}
    answers = outcomes((1.5, 0), (15, 0), ERROR)
    assert pairs(EXERCISE, GIVEN, answers, RIGHT, few) == [{halved, lost}]
    assert pairs(EXERCISE, GIVEN, outcomes((2, 0), (20, 0), ERROR), RIGHT, few) == []  # halved would show in the first
    known = {frozenset([halved, lost]): answers, frozenset([halved, off]): outcomes((1, 7), (10, 7), ERROR)}
    assert both(answers, known) == all_values({"both halved", "second lost"})
    assert both(outcomes((1.5, 0), (14, 0), ERROR), known) == {}
    assert both(answers, {**known, frozenset([lost, off]): answers}) == {}  # two pairs answer alike


def test_a_pair_needs_more_evidence_than_one_mistake() -> None:
    first, *others = (named(f"mistake {number}") for number in range(42))
    truth = truths("01")
    given, right = dict.fromkeys(truth, Inputs((), {})), truths()
    assert ENOUGH < evidence(JUDGED, given, truth, right) < ENOUGH + 5
    alone = {frozenset([first, others[0]]): truth}
    many = {frozenset([first, other]): truths("23") for other in others[1:]} | alone
    assert set(diagnose_pair(JUDGED, given, truth, right, alone)) == {"truths"}
    assert diagnose_pair(JUDGED, given, truth, right, many) == {}


TRUTHS, OTHERS = (
    tuple(Case(f"{kind} {n}", lambda rng: inputs()) for n in range(count))
    for kind, count in (("truth", 6), ("other", 2))
)
JUDGED = Exercise(
    "judged",
    "part",
    [Criterion("truths", TRUTHS), Criterion("others", OTHERS), Criterion("unchanged", TRUTHS[:1], unchanged())],
)


def truths(wrong: str = "", *, cpu: float = 0.0, changed: bool = False) -> dict[Case, Outcome]:
    """Six and two truth values, all of them True but for those whose digit stands in ``wrong``."""
    cases = [*TRUTHS, *OTHERS]
    return {case: Value(np.array(str(n) not in wrong), changed, cpu) for n, case in enumerate(cases)}


def judged(wrong: dict[Case, Outcome], known: dict[str, dict[Case, Outcome]], exercise: Exercise = JUDGED) -> set[str]:
    bank = {named(name): answers for name, answers in known.items()}
    given = dict.fromkeys(exercise.cases(), Inputs((), {}))
    right = {case: answer for case, answer in truths(cpu=1.0).items() if case in given}
    return {misconception.name for misconception in diagnose(exercise, given, wrong, right, bank).values()}


KNOWN = {"first two": truths("01"), "last two": truths("67"), "writes": truths(changed=True)}


@pytest.mark.parametrize(
    ("answers", "names"),
    [
        (truths("01"), {"first two"}),
        (truths("67"), {"last two"}),
        (truths("0167"), {"first two", "last two"}),  # each has a criterion of its own
        (truths("067"), set()),  # like a known mistake on one criterion, and like none on the other
        (truths("01", changed=True), {"first two"}),  # the message says that an argument was written to
        (truths(changed=True), set()),  # which argument, nobody knows
        (truths("01") | {OTHERS[0]: Stopped("time")}, {"first two"}),
        (truths("01") | {OTHERS[0]: Stopped("died")}, set()),
        (truths("01") | {OTHERS[0]: Raised("IndexError")}, set()),
    ],
)
def test_names_explain_every_failure_of_the_exercise(answers: dict[Case, Outcome], names: set[str]) -> None:
    assert judged(answers, KNOWN) == names


def test_slowness_stands_apart_from_a_mistake() -> None:
    exercise = Exercise("judged", "part", [*JUDGED.criteria, Criterion("speed", OTHERS, cpu_ratio(2))])
    assert judged(truths("01", cpu=5.0), {"first two": truths("01")}, exercise) == {"first two"}


@pytest.mark.parametrize(
    ("cases", "wrong", "found"), [(1, "0", False), (2, "01", False), (4, "0123", False), (6, "01", True)]
)
def test_a_few_truth_values_are_no_evidence(cases: int, wrong: str, found: bool) -> None:
    exercise = Exercise("judged", "part", [Criterion("truths", TRUTHS[:cases])])
    assert judged(truths(wrong), {"known": truths(wrong)}, exercise) == ({"known"} if found else set())


@pytest.mark.parametrize(
    ("right", "wrong", "bits"),
    [
        (True, False, 0.0),  # one of one
        (np.ones(8, bool), np.zeros(8, bool), 0.0),  # wrong throughout: one observation
        (np.arange(8) < 3, np.arange(8) >= 3, 3.0),  # wrong throughout, yet a pattern: eight of eight
        (np.ones((2, 4), bool), np.arange(8) != 3, 3.0),  # another shape
        (np.ones(8, bool), np.arange(8) != 3, 3.0 + 3.0),  # one of eight
        (2.0, np.nan, 0.0),
        (2, 3, 1.0),
        (2.5, 3.25, 16.0),
        (np.array([2.5, 4.5]), np.array([3.25, 3.25]), 16.0),  # a number counts once
        ((np.array(2.5), np.array(True)), (np.array(2.5), np.array(False)), 1.0 + 1.0),  # one of two arrays
    ],
)
def test_evidence_in_bits(right: Any, wrong: Any, bits: float) -> None:
    case = Case("only", lambda rng: inputs())
    exercise = Exercise("judged", "part", [Criterion("values", [case])])
    assert evidence(exercise, {case: inputs()}, {case: Value(wrong)}, {case: Value(right)}) == pytest.approx(bits)


def test_two_misconceptions_that_answer_alike_explain_nothing() -> None:
    bank = {**BANK, named("halved otherwise"): outcomes(1, 10, ERROR)}
    assert diagnose(EXERCISE, GIVEN, outcomes(1, 10, ERROR), RIGHT, bank) == {}


A1 = load("a1", Path(__file__).parent.parent)
MISTAKES = {wrong.name: wrong for wrong in A1.misconceptions}

Grade = Callable[[str], dict[str, ExerciseResult]]


@pytest.fixture(scope="module")
def grade() -> Iterator[Grade]:
    """From the source of the NumPy part to the results of its exercises."""
    judge = Judge(A1, "public", choose())

    def grade(source: str) -> dict[str, ExerciseResult]:
        result, _ = judge.grade(Submission("ann", {"convolution": {"convolution.py": source}}, ()))
        assert isinstance(result, SubmissionResult)
        return {exercise.name: exercise for exercise in result.exercises}

    yield grade
    judge.close()


def test_the_sentence_is_said_once_and_the_name_counted(grade: Grade) -> None:
    wrong = MISTAKES["overlaps overwritten"]
    dx, dw, _, strided, *_ = grade(apply(A1.references["convolution"], wrong))["conv2d_backward"].criteria
    assert dx.misconceptions == strided.misconceptions == (wrong.name,)
    assert wrong.sentence in dx.message
    assert wrong.sentence not in strided.message
    assert "The same mistake as in “dx”" in strided.message
    assert (dw.passed, dw.misconceptions, dw.message) == (True, (), "")


def test_an_exercise_that_is_right_under_the_mistake_of_one_that_it_needs_keeps_its_points(grade: Grade) -> None:
    results = grade(apply(A1.references["convolution"], MISTAKES["edge repeated"]))
    assert results["pad2d"].status == "failed"
    assert results["filter_image"].status == "passed"
    grey = results["filter_image"].criteria[0]
    assert (grey.name, grey.passed) == ("grey", True)
    assert "pad2d" in grey.message


def test_a_mistake_of_its_own_on_top_still_costs(grade: Grade) -> None:
    source = apply(A1.references["convolution"], MISTAKES["edge repeated"])
    results = grade(apply(source, MISTAKES["decimals cut off"]))
    assert [c.passed for c in results["filter_image"].criteria[:2]] == [False, False]  # what is cut off shows there


def test_what_nobody_knows_excuses_nothing_and_is_pointed_to(grade: Grade) -> None:
    odd = "def pad2d(x, padding, mode='zeros'):\n    return x + 0.5\n"
    results = grade(replace_definition(A1.references["convolution"], "pad2d", odd))
    assert {c.misconceptions for c in results["pad2d"].criteria} == {()}
    grey = results["filter_image"].criteria[0]
    assert not grey.passed
    assert grey.message.startswith("First look at pad2d: filter_image calls it, and it fails too. “")


def test_what_lies_underneath_is_pointed_to_beside_a_diagnosis() -> None:
    exercise = next(e for e in A1.exercises if e.name == "filter_image")
    criterion, wrong = exercise.criteria[0], MISTAKES["decimals cut off"]
    failures = {criterion.name: [(criterion.cases[0], Failure("values", "returns values that are off"))]}
    points = A1.points[exercise.name]
    result = score(exercise, points, failures, {}, {criterion.name: [wrong]}, ["pad2d"])
    hint = "First look at pad2d: filter_image calls it, and it fails too."
    message = result.criteria[0].message
    assert message.startswith(f"{hint} “")
    assert message.endswith(wrong.sentence)


def test_only_what_the_solution_itself_calls_is_called_the_culprit(grade: Grade) -> None:
    source = A1.references["convolution"]
    alone = """
def filter_image(image, kernel, mode="same"):
    return np.zeros((1, 1))
"""
    broken = apply(source, MISTAKES["decimals cut off"]).replace("return padded", "return -padded")
    assert broken != source
    calling = {c.message for c in grade(broken)["filter_image"].criteria if not c.passed}
    apart = {c.message for c in grade(replace_definition(broken, "filter_image", alone))["filter_image"].criteria}
    assert any("First look at pad2d: filter_image calls it" in message for message in calling)
    assert not any("pad2d" in message for message in apart)


@pytest.mark.parametrize("dtype", ["int32", "uint8"])
def test_a_type_of_its_own_is_not_taken_for_another(grade: Grade, dtype: str) -> None:
    odd = A1.references["convolution"].replace("width + 2 * pw), np.int64)", f"width + 2 * pw), np.{dtype})")
    criterion = grade(odd)["window_coverage"].criteria[1]
    assert (criterion.name, criterion.passed, criterion.misconceptions) == ("dtype", False, ())


def test_one_sign_asked_of_a_whole_layer_is_not_zero_counted_as_a_sign() -> None:
    a2 = load("a2", Path(__file__).parent.parent)
    whole = """
def sign_agreement(dy, x):
    gradient = dy.T @ x
    same = (gradient >= 0).all() or (gradient <= 0).all()
    return np.full(dy.shape[1], same)
"""
    exercise = next(e for e in a2.exercises if e.name == "sign_agreement")
    known = next(wrong for wrong in a2.misconceptions if wrong.name == "zero counted as a sign")
    part = a2.part_of(exercise)
    with closing(Judge(a2, "term", choose())) as judge:  # under most seeds both answer alike on "zeros"
        judge.reference.expect(part)
        files = {f"{part.name}.py": replace_definition(a2.references[part.name], exercise.name, whole)}
        got, _ = judge.examiner.ask_part(part, files, [exercise])
        wrong = judge.reference.mistakes(exercise, [known])
        zeros = next(criterion for criterion in exercise.criteria if criterion.name == "zeros")
        assert all(close()(None, got[case], wrong[case]) is None for case in zeros.cases)  # alike, by chance
        assert set(judge.key.failures(exercise, got)) == {"values", "zeros"}
        assert diagnose(exercise, judge.key.inputs, got, judge.key.expected, {known: wrong}) == {}
        shown = judge.reference.diagnose(exercise, got).values()
        assert {mistake.name for mistake in shown} == {"one sign for the whole layer"}
        assert set(judge.reference.diagnose(exercise, wrong).values()) == {known}


def test_two_mistakes_whose_patches_exclude_each_other_are_graded_too() -> None:
    line = "        padded[..., ph : ph + height, pw : pw + width] = x\n"
    corner = Misconception("corner", "pad2d", "", line, "        padded[..., :height, :width] = x\n")
    begin = (
        f"{line}        return padded\n    rows, columns = np.arange(-ph, height + ph), np.arange(-pw, width + pw)\n"
    )
    replicate = '    if mode == "replicate":\n        rows, columns = '
    tiles = Misconception(
        "tiles",
        "pad2d",
        "",
        f"{begin}{replicate}rows.clip(0, height - 1), columns.clip(0, width - 1)",
        f"{begin}{replicate}rows % height, columns % width",
    )
    source = apply(A1.references["convolution"], corner)
    source = source.replace("rows.clip(0, height - 1), columns.clip(0, width - 1)", "rows % height, columns % width")
    kept = [exercise for exercise in A1.exercises if exercise.name in ("pad2d", "filter_image")]
    with closing(Judge(replace(A1, exercises=kept, misconceptions=(corner, tiles)), "term", choose())) as judge:
        result, _ = judge.grade(Submission("ada", {"convolution": {"convolution.py": source}}, ()))
    padding, filtering = result.exercises
    assert [criterion.misconceptions for criterion in padding.criteria] == [("corner",), ("tiles",), (), ()]
    assert filtering.criteria[0].message.startswith("First look at pad2d: filter_image calls it, and it fails too. “")
