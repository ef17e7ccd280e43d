"""Where no known mistake explains an exercise, the nearest small change of the reference may: by kind for students."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from autograder.cache import file_of
from autograder.course import Assignment, Case, Criterion, Exercise, Inputs, Misconception, Part, fixed
from autograder.diagnosis import signature
from autograder.judge import Judge
from autograder.loading import load
from autograder.mutants import Kind
from autograder.nearest import BUDGET, Change, candidates, nearest, packed, takes_part, unpacked
from autograder.outcome import Outcome, Raised, Value
from autograder.results import ExerciseResult, RunRecord, SubmissionResult
from autograder.sandbox.isolation import choose
from autograder.sandbox.wire import Tensor
from autograder.show import Explained, text
from autograder.submission import Submission
from autograder.verdict import Evidence, Verdict, judged

ROOT = Path(__file__).parent.parent
ONE, TWO, EMPTY = (Case(title, fixed(n)) for n, title in enumerate(("one", "two", "empty")))
AREA = Exercise("area", "shapes", [Criterion("values", [ONE, TWO]), Criterion("empty", [EMPTY])])
GIVEN = dict.fromkeys(AREA.cases(), Inputs((), {}))
HALVED = Misconception("halved", "area", "Half of it is missing.", "w * h", "w * h / 2")
SOURCE = """
def area(w, h):
    return side(w) * side(h)

def side(x):
    return shared(x) + 1

def shared(x):
    return 2 * x

def volume(w, h, d):
    return area(w, h) * shared(d)
"""
VOLUME = Exercise("volume", "shapes", [])
ASSIGNMENT = Assignment(
    name="a7_shapes",
    title="Shapes",
    parts=(Part("shapes", "numpy"),),
    exercises=(AREA,),
    points={"area": {"values": 2, "empty": 1}},
    references={"shapes": SOURCE},
    needs={"area": ()},
    misconceptions=(HALVED,),
)
Outcomes = dict[Case, Outcome]


def outcomes(one: float, two: float, empty: float = 0.5) -> Outcomes:
    return {case: Value(np.array([number])) for case, number in zip(AREA.cases(), (one, two, empty), strict=True)}


RIGHT = outcomes(4.25, 6.25)
SIGN, OTHER_SIGN = Change(Kind.SIGN, "a + b → a - b"), Change(Kind.SIGN, "b - c → c - b")
TERM, EVERYTHING = Change(Kind.TERM, "a + b → a"), Change(Kind.AXIS, "axis=0 → axis=1")
EMPTY_ONLY = Change(Kind.CASE, "a if b else c → a")


def found(got: Outcomes, known: dict[Change, Outcomes]) -> dict[str, list[Change]]:
    table = {change: shown for change, answers in known.items() if (shown := signature(AREA, GIVEN, answers, RIGHT))}
    return nearest(AREA, GIVEN, got, RIGHT, table)


WRONG = outcomes(4.75, 6.75)


@pytest.mark.parametrize(
    ("got", "known", "expected"),
    [
        (WRONG, {SIGN: WRONG}, {"values": [SIGN]}),
        (WRONG, {SIGN: WRONG, TERM: outcomes(4.75, 6.5)}, {"values": [SIGN]}),
        (WRONG, {SIGN: WRONG, OTHER_SIGN: WRONG}, {"values": [SIGN, OTHER_SIGN]}),
        (WRONG, {SIGN: WRONG, TERM: WRONG}, {}),  # two kinds fit
        (WRONG, {SIGN: outcomes(4.75, 6.75, 0.25)}, {}),  # it would show in what is right
        (outcomes(4.75, 6.75, 0.25), {SIGN: WRONG}, {}),  # and leaves a failure unexplained
        (outcomes(4.75, 6.75, 0.25), {SIGN: WRONG, EMPTY_ONLY: outcomes(4.25, 6.25, 0.25)},
         {"values": [SIGN], "empty": [EMPTY_ONLY]}),
        (outcomes(4.75, 6.75, 0.25), {SIGN: WRONG, EVERYTHING: outcomes(4.75, 6.75, 0.25)},
         {"values": [EVERYTHING], "empty": [EVERYTHING]}),
        (RIGHT, {SIGN: WRONG}, {}),
    ],
)  # fmt: skip
def test_changes_of_one_kind_explain_the_whole_exercise(
    got: Outcomes, known: dict[Change, Outcomes], expected: dict[str, list[Change]]
) -> None:
    assert found(got, known) == expected


def settled(got: Outcomes, table: dict[Change, Outcomes], halved: Outcomes) -> tuple[Verdict, list[set[str]]]:
    """The verdict, and the exercises whose tables were wanted on the way to it."""
    evidence, tables = Evidence(GIVEN, RIGHT, got), []
    while (verdict := judged(ASSIGNMENT, evidence, ["shapes"])).incomplete:
        evidence.mistaken.update(dict.fromkeys(verdict.wanted, halved))
        if verdict.tables:
            tables.append(set(verdict.tables))
            shown = {c: s for c, answers in table.items() if (s := signature(AREA, GIVEN, answers, RIGHT))}
            evidence = replace(evidence, tables={"area": shown})
    return verdict, tables


def test_students_read_the_kind_and_staff_the_change() -> None:
    verdict, tables = settled(WRONG, {SIGN: WRONG}, outcomes(2.125, 3.125))
    assert tables == [{"area"}]
    values, empty = verdict.exercises[0].criteria
    assert (values.points, values.misconceptions, empty.points) == (0, (), 1)
    assert values.message.endswith("(2 of 2 cases fail). It looks as if a sign is the wrong way round.")
    assert verdict.nearest == {"area": [SIGN.exact]}
    assert not any(SIGN.exact in criterion.message for criterion in verdict.exercises[0].criteria)


@pytest.mark.parametrize(
    "got",
    [
        WRONG,  # the bank knows it
        dict.fromkeys(AREA.cases(), Raised("ValueError")),
        outcomes(4.25, 6.25) | {EMPTY: Value(np.array([0.5], np.float32))},  # only the dtype, which the message says
        RIGHT,
    ],
)
def test_no_table_is_wanted_without_need(got: Outcomes) -> None:
    verdict, tables = settled(got, {SIGN: WRONG}, WRONG)
    assert (tables, verdict.nearest) == ([], {})


def test_the_mutants_are_those_of_the_exercise_and_of_helpers_that_it_alone_reaches() -> None:
    alone = list(candidates(ASSIGNMENT, AREA, "seed"))
    assert {change.exact.split(":")[0] for change, _ in alone if ":" in change.exact} == {"side", "shared"}
    both = list(candidates(replace(ASSIGNMENT, dropped=(VOLUME,)), AREA, "seed"))
    assert {change.exact for change, _ in both if "shared:" in change.exact} == set()
    assert all(source.count("def ") == 4 and source != SOURCE for _, source in alone)


def test_the_budget_counts_mutants_and_the_seed_chooses_them() -> None:
    large = "def area(x):\n" + "".join(f"    x = x + {n}\n" for n in range(2, BUDGET)) + "    return x\n"
    many = replace(ASSIGNMENT, references={"shapes": large})
    one, again, other = ([c.exact for c, _ in candidates(many, AREA, seed)] for seed in ("a", "a", "b"))
    assert len(one) == BUDGET
    assert one == again != other


def test_trainings_take_no_part() -> None:
    assert takes_part(AREA)
    assert not takes_part(replace(AREA, cpu_limit=5.0))
    assert not takes_part(replace(AREA, criteria=[Criterion("values", [Case("one", fixed(1), training=True)])]))


def test_a_table_is_the_same_after_it_was_kept() -> None:
    tensor = np.array([0.5, 1.5]).view(Tensor)
    answers = outcomes(4.75, 6.75) | {EMPTY: Value({"a": tensor}, cpu=3.0)}
    frames = packed(AREA, GIVEN, RIGHT, [(SIGN, answers), (TERM, RIGHT)])
    table = unpacked(AREA, frames)
    assert list(table) == [SIGN]  # what is right explains nothing
    back = table[SIGN].outcomes[EMPTY]
    assert isinstance(back, Value)
    assert (type(back.tree["a"]), back.cpu) == (Tensor, 0.0)
    assert nearest(AREA, GIVEN, answers, RIGHT, table) == {"values": [SIGN], "empty": [SIGN]}


A2 = load("a2", ROOT)
SUM = "def softmax_backward(dy, y, axis=-1):\n    inner = {}\n    return {}\n"
INNER = "np.sum(y * dy, axis, keepdims=True)"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AUTOGRADER_CACHE", str(tmp_path))
    return file_of(
        "nearest", A2, next(e for e in A2.exercises if e.name == "softmax_backward"), Judge(A2, "term", "").key.seed
    )


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge(A2, "term", choose()) as judge:
        yield judge


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (SUM.format(INNER, "y * dy + y * inner"), Kind.SIGN),
        (SUM.format(INNER, "dy - inner"), Kind.FACTOR),
        (SUM.format(INNER, "y * dy"), Kind.TERM),
        (SUM.format(INNER.replace("sum", "mean"), "y * (dy - inner)"), Kind.FUNCTION),
        (SUM.format("(y * dy).sum()", "y * (dy - inner)"), Kind.OPTION),
        (SUM.format(INNER, "y * (dy - inner) + 0.125"), None),
    ],
)
def test_kinds_of_real_mistakes(judge: Judge, source: str, kind: Kind | None) -> None:
    exercise = next(e for e in A2.exercises if e.name == "softmax_backward")
    part = A2.part_of(exercise)
    judge.reference.expect(part)
    got, _ = judge.examiner.ask_part(part, {"activations.py": f"import numpy as np\n\n{source}"}, [exercise])
    changes = nearest(exercise, judge.key.inputs, got, judge.key.expected, judge.reference.table(exercise))
    assert {change.kind for known in changes.values() for change in known} == ({kind} if kind else set())


def graded(source: str) -> tuple[SubmissionResult, RunRecord]:
    with Judge(A2, "term", choose()) as judge:
        return judge.grade(Submission("ann", {"activations": {"activations.py": source}}, ()))


def test_grades_are_the_same_with_a_cache_without_and_with_a_damaged_one(cache: Path) -> None:
    source = "import numpy as np\n\n" + SUM.format(INNER, "y * (dy + inner)")
    first, record = graded(source)
    (result,) = [e for e in first.exercises if e.name == "softmax_backward"]
    assert "It looks as if a sign is the wrong way round." in result.criteria[0].message
    before = "return y * (dy - (dy * y).sum(axis=axis, keepdims=True))"
    assert record.nearest == {"softmax_backward": [f"{before} → {before.replace('-', '+')}"]}
    content = cache.read_bytes()
    second, again = graded(source)
    assert (second, again.nearest) == (first, record.nearest)
    cache.write_bytes(content[:-1])
    third, again = graded(source)
    assert (third, again.nearest) == (first, record.nearest)
    assert cache.read_bytes() == content


def test_staff_are_shown_the_change() -> None:
    exercise = ExerciseResult("area", "shapes", "failed", ())
    explained = Explained(
        SubmissionResult("ada", "a7_shapes", "Shapes", (exercise,)), exercise, "", (), "", [SIGN.exact]
    )
    *_, last = text(explained).splitlines()
    assert last == "The answers are those of the reference with a + b → a - b"
