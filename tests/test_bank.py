"""The bank of each assignment against its hidden cases, as ``autograder audit`` has it, with a sample of the mutants.

Every mistake loses points where it was made and is named, everything right is accepted, no criterion is idle.
"""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.audit import audit, every_mutant
from autograder.audit_results import AuditResult, KnownMistake
from autograder.cli import main
from autograder.course import Alternative, Assignment, Conventions, Equivalent, Misconception
from autograder.loading import find_assignments, grading_module, load
from autograder.patch import apply
from autograder.sandbox.isolation import choose
from autograder.source import definition
from autograder.workers import Setting

ROOT = Path(__file__).parent.parent
ASSIGNMENTS = {name: load(name, ROOT) for name in find_assignments(ROOT)}
ENOUGH = {  # misconceptions and alternatives
    "a1_convolution": (45, 20),
    "a2_activations": (40, 15),
    "a3_lenet5": (35, 15),
    "a4_rnn": (35, 15),
    "a5_lstm": (35, 15),
    "a6_attention": (38, 20),
}

Change = Misconception | Alternative


@cache
def audited(name: str) -> AuditResult:
    return audit(Setting(name, ROOT, "public", choose()), 1, sample=40)


def reference(assignment: Assignment, exercise: str) -> str:
    part = next(e.part for e in assignment.every_exercise if e.name == exercise)
    return assignment.references[part]


def every(kind: str) -> list[Any]:
    return [
        pytest.param(assignment, change, id=f"{name}-{change.exercise}-{change.name}")
        for name, assignment in ASSIGNMENTS.items()
        for change in getattr(assignment, kind)
    ]


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_nothing_is_left_unexplained(name: str) -> None:
    assert audited(name).problems() == []


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_at_most_eight_percent_of_all_mutants_are_marked_as_equivalent(name: str) -> None:
    total = len(every_mutant(ASSIGNMENTS[name]))
    assert total >= 300
    assert len(ASSIGNMENTS[name].equivalents) <= 0.08 * total


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_the_bank_is_large_enough_and_covers_every_exercise(name: str) -> None:
    assignment = ASSIGNMENTS[name]
    misconceptions, alternatives = ENOUGH[name]
    assert len(assignment.misconceptions) >= misconceptions
    assert len(assignment.alternatives) >= alternatives
    assert {wrong.exercise for wrong in assignment.misconceptions} == {
        e.name for e in assignment.every_exercise if not isinstance(e, Conventions)
    }


@pytest.mark.parametrize(("assignment", "change"), [*every("misconceptions"), *every("alternatives")])
def test_a_change_applies_and_can_be_compiled(assignment: Assignment, change: Change) -> None:
    source = reference(assignment, change.exercise)
    changed = apply(source, change)  # raises unless the old text stands exactly once
    compile(changed, change.name, "exec")
    before, after = (ast.parse(definition(text, change.exercise)) for text in (source, changed))
    assert ast.dump(after) != ast.dump(before)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_no_two_changes_share_a_name_or_a_patch(name: str) -> None:
    assignment = ASSIGNMENTS[name]
    changes: list[Change] = [*assignment.misconceptions, *assignment.alternatives]
    assert len({change.name for change in changes}) == len(changes)
    patches = {(wrong.exercise, wrong.old, wrong.new) for wrong in assignment.misconceptions}
    assert len(patches) == len(assignment.misconceptions)
    assert len({right.source for right in assignment.alternatives}) == len(assignment.alternatives)


@pytest.mark.parametrize(("assignment", "wrong"), every("misconceptions"))
def test_a_sentence_explains_and_does_not_give_the_answer(assignment: Assignment, wrong: Misconception) -> None:
    assert wrong.sentence.endswith(".")
    assert len(wrong.sentence) <= 200
    assert not set("`[]{}=*_@\n") & set(wrong.sentence)  # words, not code
    tree = ast.parse(definition(reference(assignment, wrong.exercise), wrong.exercise))
    code = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.BinOp | ast.Call | ast.Compare)}
    assert not [piece for piece in code if piece in wrong.sentence]


def test_a_mistake_is_named_by_itself_alone_or_by_the_convention_that_is_all_it_breaks() -> None:
    law = ("conventions: dtype",)
    named = [
        KnownMistake("itself", "f", ("values",), ("itself",)),
        KnownMistake("itself on top of a convention", "f", ("values",), ("itself on top of a convention",), broken=law),
        KnownMistake("a convention", "f", (), (), broken=law),
    ]
    unnamed = [
        KnownMistake("nobody", "f", ("values",), ()),
        KnownMistake("values and a convention", "f", ("values",), (), broken=law),
        KnownMistake("another", "f", ("values",), ("itself",)),
        KnownMistake("itself and another", "f", ("values",), ("itself", "itself and another")),
        KnownMistake("another beside a convention", "f", (), ("itself",), broken=law),
        KnownMistake("full marks", "f", (), ()),
    ]
    result = AuditResult("a0", "", (), (*named, *unnamed), (), ())
    assert [mistake.name for mistake in result.misconceptions if mistake.named] == [m.name for m in named]
    assert result.counts()["diagnosed"] == len(named)
    assert "Fewer than nine in ten misconceptions are named." in result.problems()


def test_the_command_counts_in_json_and_fails_where_something_is_wrong(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    equivalents = grading_module("a1_convolution", ROOT, "equivalents")
    gone = Equivalent("convolution", "convolve", "00000000", "a → b", "an old reason")
    monkeypatch.setattr(equivalents, "EQUIVALENTS", (gone,))
    page = tmp_path / "audit.html"
    assert main(["audit", "a1", "--sample", "1", "--json", "--html", str(page)]) == 1
    found = json.loads(capsys.readouterr().out)["a1_convolution"]
    assert found["misconceptions"] == found["killed"] == len(ASSIGNMENTS["a1_convolution"].misconceptions)
    assert found["mutants"] == 1
    assert found["problems"][-1:] == ["convolve: the mark of “a → b” is stale: the code has changed."]
    assert "kernel not flipped" in page.read_text(encoding="utf-8")
