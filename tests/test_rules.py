"""Every over-strict rule of the banks, run: it takes the reference, and it would reject the correct alternative."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from autograder.course import Alternative, find_assignments, load
from autograder.patch import apply
from tests.clauses import CLAUSES, parts, rules
from tests.rules import Solution

ROOT = Path(__file__).parent.parent
ASSIGNMENTS = {name: load(name, ROOT) for name in find_assignments()}


@cache
def reference(name: str, exercise: str) -> Solution:
    assignment = ASSIGNMENTS[name]
    part = next(e.part for e in assignment.exercises if e.name == exercise)
    return Solution(assignment, exercise, assignment.references[part])


@pytest.mark.parametrize(
    ("name", "right"),
    [
        pytest.param(name, right, id=f"{name}-{right.exercise}-{right.name}")
        for name, assignment in ASSIGNMENTS.items()
        for right in assignment.alternatives
    ],
)
def test_a_rule_takes_the_reference_and_rejects_the_alternative(name: str, right: Alternative) -> None:
    model = reference(name, right.exercise)
    alternative = Solution(model.assignment, model.name, apply(model.source, right), model)
    for clause, accepts in rules(name, right.rule).items():
        assert accepts(model), f"“{clause}” rejects the reference too: no course would have this rule."
        assert not accepts(alternative), f"“{clause}” accepts the alternative: the rule is not what sets it apart."


def test_an_unknown_clause_says_what_to_do() -> None:
    with pytest.raises(LookupError, match="“the moon must be full”: word it like"):
        rules("a1_convolution", "the code must be ASCII, and the moon must be full")


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_no_clause_of_the_table_has_lost_its_alternative(name: str) -> None:
    used = {part for right in ASSIGNMENTS[name].alternatives for part in parts(right.rule)}
    assert CLAUSES.get(name, {}).keys() - used == set()
