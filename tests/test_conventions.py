"""What a file's header promises for all its functions: wrong variants of the references, asked by the real judge, and
what the file is paid for it, from tables of answers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import numpy as np
import pytest

from autograder.compare import Failure, close
from autograder.course import (
    Assignment,
    Case,
    Conventions,
    Copies,
    Criterion,
    Exercise,
    Inputs,
    Law,
    Misconception,
    Part,
    conventions,
    fixed,
)
from autograder.judge import Judge
from autograder.laws import Breach, questions, sentence
from autograder.loading import find_assignments, load
from autograder.outcome import NotImported, Outcome, Raised, Value
from autograder.patch import apply
from autograder.results import ExerciseResult
from autograder.sandbox.inside import copies
from autograder.sandbox.isolation import choose
from autograder.scoring import score_conventions
from autograder.settings import remarks
from autograder.show import Explained, text
from autograder.submission import Submission
from autograder.verdict import Evidence, judged, notes

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Variant:
    """A change of a reference that students make, right in every number and wrong by the header alone."""

    assignment: str
    exercise: str
    old: str
    new: str
    law: Law

    @property
    def change(self) -> Misconception:
        return Misconception("a variant", self.exercise, "", self.old, self.new)


VARIANTS = [
    Variant("a1", "conv2d_backward", "np.zeros_like(padded)", "np.zeros(padded.shape)", "dtype"),
    Variant("a2", "batch_norm_forward", "x.size // x.shape[1]", "np.prod(x.shape) // x.shape[1]", "dtype"),
    Variant("a3", "avg_pool_backward", "np.result_type(dy, x)", "float", "dtype"),
    Variant(
        "a3",
        "lenet5_loss_and_gradients",
        "    dlogits[wanted] -= 1\n",
        "    dlogits = dlogits - np.eye(10)[target]\n",
        "dtype",
    ),
    Variant("a3", "train", "np.zeros_like(value)", "np.zeros(value.shape)", "dtype"),
    Variant("a4", "train", 'len(params["b"])), x.dtype)', 'len(params["b"])))', "dtype"),
    Variant("a4", "state_jacobian", "np.eye(len(V), dtype=V.dtype)", "np.eye(len(V))", "dtype"),
    Variant("a6", "softmax_jacobian", "np.diag(p)", "np.eye(len(p)) * p", "dtype"),
    Variant(
        "a6",
        "masked_softmax",
        "np.where(mask, scores, -np.inf)",
        "np.where(mask, scores, np.full(scores.shape, -np.inf))",
        "dtype",
    ),
    Variant(
        "a1",
        "match_template",
        "    wanted = template - template.mean()\n",
        "    template -= template.mean()\n    wanted = template\n",
        "arguments",
    ),
    Variant(
        "a2",
        "cross_entropy",
        "    chosen = np.where(kept, target, 0)\n",
        "    target[~kept] = 0\n    chosen = target\n",
        "arguments",
    ),
    Variant("a4", "sequence_loss", "    error = ", "    target[~mask] = 0\n    error = ", "arguments"),
    Variant(
        "a4",
        "clip_by_norm",
        "    return {name: scale * g for name, g in grads.items()}, total_norm",
        "    for g in grads.values():\n        g *= scale\n    return grads, total_norm",
        "arguments",
    ),
    Variant("a5", "lstm_backward", "dh[:, t] + back_h,", "np.add(dh[:, t], back_h, out=dh[:, t]),", "arguments"),
    Variant(
        "a1",
        "im2col",
        "    windows = sliding_window_view(pad2d(x, padding), _pair(kernel_size), axis=(2, 3))[:, :, ::sh, ::sw]\n",
        """    x = pad2d(x, padding) if np.any(padding) else x
    _window_counts(x.shape[2:], kernel_size, 1, 0)
    step = [x.itemsize * int(np.prod(x.shape[axis + 1 :])) for axis in range(4)]
    size = (*x.shape[:2], *(n - k + 1 for n, k in zip(x.shape[2:], _pair(kernel_size))), *_pair(kernel_size))
    windows = np.lib.stride_tricks.as_strided(x, size, (*step, *step[2:]))[:, :, ::sh, ::sw]
""",
        "strides",
    ),
    Variant("a6", "merge_heads", "x.swapaxes(1, 2)", 'x.ravel("K").reshape(x.shape).swapaxes(1, 2)', "strides"),
]


@pytest.fixture(scope="module")
def judges() -> Iterator[dict[str, Judge]]:
    """A judge for each assignment, with the exercises of the table."""
    found = {}
    for name in sorted({variant.assignment for variant in VARIANTS}):
        wanted = {variant.exercise for variant in VARIANTS if variant.assignment == name}
        assignment = load(name, ROOT)
        kept = [e for e in assignment.exercises if e.name in wanted or isinstance(e, Conventions)]
        found[name] = Judge(replace(assignment, exercises=kept), "public", choose())
    yield found
    for judge in found.values():
        judge.close()


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: f"{v.assignment}-{v.exercise}-{v.law}")
def test_a_variant_that_is_right_in_every_number_breaks_its_law_alone(
    judges: Mapping[str, Judge], variant: Variant
) -> None:
    judge = judges[variant.assignment]
    exercise = next(e for e in judge.assignment.exercises if e.name == variant.exercise)
    judge.reference.expect(judge.assignment.part_of(exercise))
    got = judge.reference.mistakes(exercise, [variant.change])
    failing = judge.key.failures(exercise, got)
    broken = judge.key.broken(exercise, got, failing)
    assert failing == {}
    assert [law for law, breach in broken.items() if breach] == [variant.law]
    reference = judge.key.broken(exercise, judge.key.expected, {})
    assert set(reference) >= {variant.law}
    assert not any(reference.values())


def test_the_file_pays_for_each_law_once_and_names_each_exercise(judges: Mapping[str, Judge]) -> None:
    judge = judges["a1"]
    (part,) = (part for part in judge.assignment.parts if part.name == "convolution")
    source = judge.assignment.references[part.name]
    for variant in (variant for variant in VARIANTS if variant.assignment == "a1"):
        source = apply(source, variant.change)
    submission = Submission("ada", {part.name: {f"{part.name}.py": source}}, ())
    result, _ = judge.grade(submission)
    found = {e.name: e for e in result.exercises}
    paid = found.pop("conventions")
    assert {e.status for e in found.values() if e.part == part.name} == {"passed"}
    assert {c.name: (c.points, c.message) for c in paid.criteria} == {
        "dtype": (0, "conv2d_backward returns float64 for float32 arguments."),
        "strides": (0, paid.criteria[1].message),
        "arguments": (0, "match_template writes into its arguments."),
    }
    assert paid.criteria[1].message.startswith("im2col ")
    asked = next(e for e in judge.assignment.exercises if isinstance(e, Conventions))
    shown = text(Explained(result, paid, source, *judge.explain(submission, asked)))
    assert "arguments / match_template:" in shown
    assert "got:" in shown


@pytest.mark.parametrize("name", find_assignments(ROOT))
def test_a_law_never_pays_more_than_the_cheapest_exercise_of_its_file(name: str) -> None:
    assignment = load(name, ROOT)
    (paid,) = (e for e in assignment.exercises if isinstance(e, Conventions))
    others = [e for e in assignment.exercises if e.part == paid.part and e is not paid]
    cheapest = min(sum(assignment.points[e.name].values()) for e in others)
    assert max(assignment.points[paid.name].values()) <= cheapest
    assert remarks(assignment) == []
    dear = {**assignment.points, paid.name: {**assignment.points[paid.name], "dtype": cheapest + 1}}
    said = f"solutions/{name}/assignment.toml: conventions.dtype pays more than an exercise of {paid.part}.py."
    assert said in remarks(replace(assignment, points=dear))


# From tables


X, Y = np.array([[1.0, 2.0, 3.0], [4.0, 6.0, 5.0]]), np.array([[2.0, 4.0, 6.0], [8.0, 12.0, 10.0]])
PLAIN = Case("plain", fixed(X))
TINY = Case("a row", fixed(X[:1]))
DOUBLE = Exercise("double", "work", [Criterion("values", [PLAIN, TINY])])
NAME = Exercise("name", "work", [Criterion("values", [named := Case("a name", fixed("x"))])])
LAWS = conventions("work", "dtype", "strides", "arguments")
WORK = Assignment(
    name="a8_work",
    title="Work",
    parts=(Part("work", "numpy"),),
    exercises=(DOUBLE, NAME, LAWS),
    points={"double": {"values": 2}, "name": {"values": 3}, "conventions": {"dtype": 1, "strides": 1, "arguments": 1}},
    references={"work": ""},
)
INPUTS = {PLAIN: Inputs((X,), {}), TINY: Inputs((X[:1],), {}), named: Inputs(("x",), {})}
EXPECTED: dict[Case, Outcome] = {PLAIN: Value(Y), TINY: Value(Y[:1]), named: Value("X")}
ASKED = questions(LAWS, DOUBLE, INPUTS, EXPECTED)
SINGLE, FORTRAN, STRIDED = (one.case for one in ASKED)
INPUTS |= dict.fromkeys((SINGLE, FORTRAN, STRIDED), INPUTS[PLAIN])
EXPECTED |= {SINGLE: Value(Y.astype("f4")), FORTRAN: Value(Y), STRIDED: Value(Y)}


def kept(answers: Mapping[Case, Any] | None = None) -> ExerciseResult:
    """What is paid where the answers are the expected ones but for some."""
    outcomes = {c: o if isinstance(o, Value | Raised) else Value(o) for c, o in {**EXPECTED, **(answers or {})}.items()}
    evidence = Evidence(INPUTS, EXPECTED, outcomes, asked={"double": ASKED})
    verdict = judged(WORK, evidence, ["work"])
    assert [e.name for e in verdict.exercises] == ["double", "name", "conventions"]
    return verdict.exercises[-1]


def lost(result: ExerciseResult) -> dict[str, str]:
    return {criterion.name: criterion.message for criterion in result.criteria if not criterion.passed}


def test_one_question_for_each_kind_of_copies_about_the_case_that_shows_most() -> None:
    assert [(one.law, one.plain, one.case.copies) for one in ASKED] == [
        ("dtype", PLAIN, "float32"),
        ("strides", PLAIN, "fortran"),
        ("strides", PLAIN, "strided"),
    ]
    assert questions(LAWS, NAME, INPUTS, EXPECTED) == []


def test_several_dtypes_and_integers_are_asked_of_the_exercises_that_a_header_promises_it_for() -> None:
    def kinds(*exercises: str) -> list[str | None]:
        laws = replace(LAWS, mixed={name: ["float64 first", "integers"] for name in exercises})
        return [one.case.copies for one in questions(laws, DOUBLE, INPUTS, EXPECTED) if one.law == "dtype"]

    assert kinds("double") == ["float32", "float64 first", "integers"]
    assert kinds("triple") == ["float32"]


def test_where_integers_count_as_float64_nobody_is_asked_for_them_beside_float32() -> None:
    pair = Case("a pair", fixed(X.astype(int), X))
    exercise = Exercise("double", "work", [Criterion("values", [pair])])
    given, want = {pair: Inputs((X.astype(int), X), {})}, {pair: Value(Y)}
    assert [one.case.copies for one in questions(LAWS, exercise, given, want) if one.law == "dtype"] == ["float32"]
    laws = replace(LAWS, mixed={"double": ["integers"]})
    assert [one.case.copies for one in questions(laws, exercise, given, want) if one.law == "dtype"] == ["integers"]


def test_an_answer_that_is_always_float64_is_so_for_float32_too() -> None:
    evidence = Evidence(
        INPUTS,
        {**EXPECTED, SINGLE: Value(Y)},
        {**EXPECTED, SINGLE: Value(Y.astype("f4"))},
        asked={"double": ASKED},
    )
    result = judged(WORK, evidence, ["work"]).exercises[-1]
    assert lost(result) == {"dtype": "double returns float32 for float32 arguments."}


def test_an_array_of_one_value_leads_another_way() -> None:
    alike = Case("equal numbers", fixed(np.ones_like(X)))
    exercise = Exercise("double", "work", [Criterion("values", [PLAIN, alike])])
    inputs, expected = INPUTS | {alike: Inputs((np.ones_like(X),), {})}, EXPECTED | {alike: Value(Y)}
    assert [one.plain for one in questions(LAWS, exercise, inputs, expected) if one.law == "dtype"] == [PLAIN, alike]


@pytest.mark.parametrize(("given", "want"), [(1e300 * X, Y), (X, 1e300 * Y), (np.full_like(X, np.inf), Y)])
def test_what_float32_does_not_hold_is_not_asked_in_float32(given: np.ndarray, want: np.ndarray) -> None:
    case = Case("a keyword leads another way", fixed(given, way=2))
    exercise = Exercise("double", "work", [Criterion("values", [PLAIN, case])])
    inputs, expected = INPUTS | {case: Inputs((given,), {"way": 2})}, EXPECTED | {case: Value(want)}
    assert [one.plain for one in questions(LAWS, exercise, inputs, expected) if one.law == "dtype"] == [PLAIN]
    inputs[case], expected[case] = Inputs((X,), {"way": 2}), Value(Y)
    assert [one.plain for one in questions(LAWS, exercise, inputs, expected) if one.law == "dtype"] == [PLAIN, case]


def test_only_names_tell_the_entries_of_a_dictionary_apart() -> None:
    arrays = {"a": X, "b": {"c": Y, "d": X}}
    case = Case("dictionaries", fixed(arrays, [arrays, (1, arrays)], more=arrays))
    given = DOUBLE.case_inputs(case, "public")
    first, (second, (_, third)) = given.args
    fourth = given.kwargs["more"]  # each next dictionary begins one key later, and the keywords are one too
    orders = [(list(tree), list(tree["b"])) for tree in (first, second, third, fourth)]
    assert orders == [(["b", "a"], ["c", "d"])] * 3 + [(["a", "b"], ["d", "c"])]
    for tree in (first, second, third, fourth):
        assert tree["a"] is X
        assert tree["b"] == {"c": Y, "d": X}


@pytest.mark.parametrize("change", [{"training": True}, {"repeats": 3}, {"driver": "build"}])
def test_trainings_timings_and_cases_of_other_drivers_are_not_asked(change: dict[str, Any]) -> None:
    case = replace(PLAIN, **change)
    exercise = Exercise("double", "work", [Criterion("values", [case])])
    given, want = {case: INPUTS[PLAIN]}, {case: EXPECTED[PLAIN]}
    assert questions(LAWS, exercise, given, want) == []
    lent = replace(LAWS, lent={"build": ("x",)})
    assert bool(questions(lent, exercise, given, want)) is ("driver" in change)


def test_who_keeps_everything_is_paid() -> None:
    assert (kept().status, kept().points, lost(kept())) == ("passed", 3, {})


@pytest.mark.parametrize(
    ("answers", "law", "message"),
    [
        ({SINGLE: Y}, "dtype", "double returns float64 for float32 arguments."),
        ({SINGLE: Y.astype("f2")}, "dtype", "double returns float16 for float32 arguments."),
        ({SINGLE: (2 * Y).astype("f4")}, "dtype", "double returns values that are far off for float32 arguments."),
        ({SINGLE: Raised("TypeError")}, "dtype", "double raises TypeError for float32 arguments."),
        ({SINGLE: Y.tolist()}, "dtype", "No exercise returns an array that could show it."),
        ({FORTRAN: Y[::-1]}, "strides", "double returns values that are far off for arguments with other strides."),
        ({STRIDED: Y[::-1]}, "strides", "double returns values that are far off for arguments with other strides."),
        ({PLAIN: Value(Y, changed=True)}, "arguments", "double writes into its arguments."),
        ({TINY: Value(Y[:1], changed=True)}, "arguments", "double writes into its arguments."),
        ({STRIDED: Value(Y, changed=True)}, "arguments", "double writes into its arguments."),
    ],
)
def test_what_is_broken_is_said_and_costs_its_law_alone(answers: dict[Case, Any], law: str, message: str) -> None:
    assert lost(kept(answers)) == {law: message}


def test_an_exercise_that_is_wrong_anyway_is_not_asked() -> None:
    assert lost(kept({PLAIN: 3 * Y, SINGLE: Y, FORTRAN: -Y, STRIDED: Value(Y, changed=True)})) == {
        "dtype": "No exercise returns an array that could show it.",
        "strides": "No exercise returns an array that could show it.",
    }


def test_a_tie_may_be_decided_as_it_was_before() -> None:
    """The check takes one of two answers for right, and the student's is not the reference's."""

    def either(_: Any, got: Outcome, want: Outcome) -> Failure | None:
        assert isinstance(got, Value)
        tie = got.tree.dtype == np.float64 and np.array_equal(np.abs(got.tree), Y[: len(got.tree)])
        return None if tie else Failure("values", "chooses neither")

    exercise = replace(DOUBLE, criteria=[Criterion("values", [PLAIN, TINY], either)])
    answers = {**EXPECTED, PLAIN: Value(-Y), TINY: Value(-Y[:1]), SINGLE: Value(-Y.astype("f4"))}
    evidence = Evidence(INPUTS, EXPECTED, answers, asked={"double": ASKED})
    verdict = judged(replace(WORK, exercises=(exercise, NAME, LAWS)), evidence, ["work"])
    assert "dtype" not in lost(verdict.exercises[-1])


def test_half_of_the_points_must_be_won() -> None:
    sentence = "Paid only with at least half of the points of work.py."
    assert lost(kept({named: "Y"})) == dict.fromkeys(("dtype", "strides", "arguments"), sentence)
    assert lost(kept({PLAIN: -Y})).keys() == {"dtype", "strides"}


def test_a_stub_is_not_started() -> None:
    nothing = dict.fromkeys((PLAIN, TINY, named), Raised("NotImplementedError"))
    assert kept(nothing).status == "not started"
    assert set(lost(kept(nothing)).values()) == {"Not started."}


def test_arguments_are_said_where_they_cost_nothing_only() -> None:
    answers = {**EXPECTED, PLAIN: Value(Y, changed=True)}
    assert notes(WORK, answers) == []
    free = replace(WORK, exercises=(DOUBLE, NAME))
    assert notes(free, answers) == ["double writes into its arguments, which belong to the caller."]


# Copies


def test_the_child_and_the_visible_tests_make_the_same_copies(
    checks: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)  # a child with NumPy alone makes reversed copies
    array = np.arange(24.0).reshape(2, 3, 4)
    assert set(copies.COPIES) == set(get_args(Copies)) - {"among"}  # which copies nothing
    own = checks.conventions
    for kind, make in {"float32": own._float32, "fortran": own._fortran, "strided": own.strided}.items():
        mine, theirs = copies.COPIES[kind]()(array), make(array)
        assert (mine.dtype, mine.strides) == (theirs.dtype, theirs.strides)
        assert (mine == array).all()
        assert (theirs == array).all()
        assert not np.shares_memory(mine, array)


VISIBLE = """
import numpy as np


def right(x):
    return 2 * x


def wide(x):
    return x * np.float64(2)


def flat(x):
    return x.ravel("K").reshape(x.shape) * 2


def greedy(x):
    x *= 2
    return x.copy()


def through(x):
    return helper(x)


def helper(x):
    return [greedy(each) for each in [x]][0]


def ping(x, left=2):
    x *= 2
    return pong(x, left - 1) if left else x.copy()


def pong(x, left=2):
    return ping(x, left - 1) if left else x.copy()


def listed(x):
    return (2 * x).tolist()


def unwritten(x):
    raise NotImplementedError("unwritten")
"""


@pytest.mark.parametrize(
    ("law", "names", "message"),
    [
        ("dtype", ["right", "wide", "listed"], "wide returns float64 for float32 arguments."),
        ("strides", ["right", "flat"], "flat returns something else for arguments with other strides."),
        ("arguments", ["right", "greedy"], "greedy writes into its arguments."),
        ("arguments", ["through", "greedy"], "greedy writes into its arguments, and is called by through."),
        ("arguments", ["ping", "pong"], "ping writes into its arguments; pong writes into its arguments."),
        ("dtype", ["right", "unwritten"], ""),
        ("dtype", ["unwritten"], "not started"),
        ("dtype", ["right", "unwritten", "absent"], "Fewer than half of the functions of work.py return anything yet."),
    ],
)
def test_visible(checks: ModuleType, tmp_path: Path, law: str, names: list[str], message: str) -> None:
    (tmp_path / "work.py").write_text(VISIBLE, encoding="utf-8")
    calls = {name: checks.call(X) for name in names}
    keeps = getattr(checks, f"keeps_{law}")
    if not message:
        keeps("work", calls)
        return
    with pytest.raises(checks.Failed) as caught:
        keeps("work", calls)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "arrays", "message"),
    [
        ("right", [np.float32([1, 2])], "right returns float32 where one argument is float64 or holds integers."),
        ("right", [np.float64([1, 2])], ""),
        ("right", [np.uint8([200, 2])], "right returns uint8 where one argument is float64 or holds integers."),
        ("wide", [np.uint8([200, 2])], ""),
    ],
)
def test_visible_mixed(checks: ModuleType, tmp_path: Path, name: str, arrays: list[np.ndarray], message: str) -> None:
    (tmp_path / "work.py").write_text(VISIBLE, encoding="utf-8")
    calls = {name: checks.call(*arrays)}
    if not message:
        checks.widens_dtype("work", calls)
        return
    with pytest.raises(checks.Failed) as caught:
        checks.widens_dtype("work", calls)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("kind", "dtypes"),
    [
        ("float32", ["f4", "f4", "i8"]),
        ("float32 first", ["f4", "f8", "i8"]),
        ("float64 first", ["f8", "f4", "i8"]),
        ("integers", ["u1", "u1", "i8"]),
    ],
)
def test_dtypes_of_copies(kind: str, dtypes: list[str]) -> None:
    arrays = [np.array([0.5, 3.14]), np.array([1.0, -2.0]), np.arange(3)]
    args, _ = copies.with_copies(print, arrays, {}, kind, None)
    assert [array.dtype for array in args] == dtypes
    assert args[2].tolist() == [0, 1, 2]


def test_a_file_that_cannot_be_imported_again_is_said_once() -> None:
    """A child that had to be ended is replaced by one that may fail to import the same file."""
    case = Case("x", fixed(X), copies="strided")
    failure = close()(None, NotImported("work.py could not be imported."), Value(X))
    assert failure
    exercises = [Exercise(name, "work", [Criterion("values", [case])]) for name in "fg"]
    said = [sentence(exercise, "strides", Breach(case, failure)) for exercise in exercises]
    result = score_conventions(conventions("work", "strides"), {"strides": 1}, {"strides": said}, (), "")
    assert [criterion.message for criterion in result.criteria] == ["work.py could not be imported."]
