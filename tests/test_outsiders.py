"""Solutions by people who had seen neither the reference's patches nor the hidden cases.

``outsiders/<assignment>/wrong`` were written from a misconception's sentence, ``stub_only`` from the stub: each is one
exercise, in a file whose first line says ``# exercise: [misconception] in other words``, without a name in brackets
where the mistake is none of the known ones. ``promises`` were written against a sentence of a docstring, to slip past
the hidden cases. ``right`` holds whole hand-ins, written from stub and handout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from autograder.judge import Judge
from autograder.loading import load
from autograder.sandbox.isolation import choose
from autograder.source import replace_definition
from autograder.submission import read

ROOT = Path(__file__).parent.parent
OUTSIDERS = Path(__file__).parent / "outsiders"
ASSIGNMENTS = sorted(path.name for path in OUTSIDERS.iterdir())
FIRST_LINE = re.compile(r"# (\w+): (?:\[(.+?)\])?")


@pytest.fixture(scope="module", params=ASSIGNMENTS)
def judge(request: pytest.FixtureRequest) -> Iterator[Judge]:
    with closing(Judge(load(request.param, ROOT), "public", choose())) as judge:
        yield judge


def folder(judge: Judge, kind: str) -> Path:
    return OUTSIDERS / judge.assignment.name.split("_")[0] / kind


def subject(path: Path) -> str:
    """The exercise that a file is about."""
    match = FIRST_LINE.match(path.read_text(encoding="utf-8"))
    assert match, f"{path}: the first line names no exercise"
    return match[1]


def examine(judge: Judge, path: Path) -> tuple[str, set[str], set[str]]:
    """The misconception that the file names (if it does), what it loses (criteria and its file's conventions), and what
    is diagnosed.
    """
    text = path.read_text(encoding="utf-8")
    match = FIRST_LINE.match(text)
    assert match
    exercise = next(e for e in judge.assignment.exercises if e.name == subject(path))
    part = next(p for p in judge.assignment.parts if p.name == exercise.part)
    judge.reference.expect(part)
    source = replace_definition(judge.assignment.references[part.name], exercise.name, text)
    got, _ = judge.examiner.ask_part(part, {f"{part.name}.py": source}, [exercise])
    said = {wrong.name for wrong in judge.reference.diagnose(exercise, got).values()}
    failing = judge.key.failures(exercise, got)
    broken = {law for law, breach in judge.key.broken(exercise, got, failing).items() if breach}
    return match[2] or "", {*failing, *broken}, said


@pytest.fixture(
    scope="module", params=[pytest.param(1, marks=pytest.mark.long, id="all"), pytest.param(3, id="a third")]
)
def step(request: pytest.FixtureRequest) -> int:
    """Every how manyth is looked at: of exercises with all that was written to them, or of hand-ins."""
    return int(request.param)


def written(judge: Judge, kind: str, step: int) -> dict[str, tuple[str, set[str], set[str]]]:
    """The name of each file, and what :func:`examine` finds."""
    exercises = [exercise.name for exercise in judge.assignment.exercises][::step]
    paths = [path for path in sorted(folder(judge, kind).glob("*.py")) if subject(path) in exercises]
    return {path.name: examine(judge, path) for path in paths}


def test_every_wrong_solution_loses_points_none_is_misdiagnosed_and_seven_in_ten_are_named(
    judge: Judge, step: int
) -> None:
    by_sentence, by_stub = written(judge, "wrong", step), written(judge, "stub_only", step)
    everyone = by_sentence | by_stub
    assert [name for name, (_, lost, _) in everyone.items() if not lost] == []
    assert {name: said for name, (wrong, _, said) in everyone.items() if said - {wrong}} == {}
    if step == 1:
        assert sum(bool(said) for _, _, said in by_sentence.values()) >= 0.7 * len(by_sentence)


def test_every_broken_promise_costs_points(judge: Judge, step: int) -> None:
    assert [name for name, (_, lost, _) in written(judge, "promises", step).items() if not lost] == []


def test_every_right_solution_gets_every_point(judge: Judge, step: int) -> None:
    lost = {}
    for path in sorted(folder(judge, "right").iterdir())[:: 2 * step - 1]:  # a fifth
        result, _ = judge.grade(read(path.name, path, judge.assignment.graded_names()))
        for exercise in result.exercises:
            lost |= {(path.name, exercise.name, c.name): c.message for c in exercise.criteria if not c.passed}
    assert lost == {}
