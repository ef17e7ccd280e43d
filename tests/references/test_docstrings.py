"""What students read in the stubs of all assignments: every docstring is complete, and its reference obeys it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from autograder.course import Assignment, Conventions
from autograder.loading import find_assignments, load
from autograder.student.checks.forbidden import Sources

ROOT = Path(__file__).parents[2]
ASSIGNMENTS = [load(name, ROOT) for name in find_assignments(ROOT)]
PARTS = [pytest.param(a, part.name, id=f"{a.name}-{part.name}") for a in ASSIGNMENTS for part in a.parts]
DEFINITIONS = {
    (assignment.name, node.name): node
    for assignment in ASSIGNMENTS
    for source in assignment.references.values()
    for node in ast.parse(source).body
    if isinstance(node, ast.FunctionDef | ast.ClassDef)
}
EXERCISES = [
    pytest.param(a, e.name, id=f"{a.name}-{e.name}")
    for a in ASSIGNMENTS
    for e in a.exercises
    if not isinstance(e, Conventions)
]


def functions(definition: ast.FunctionDef | ast.ClassDef) -> list[ast.FunctionDef]:
    """The function itself, or the methods of a class that are not private."""
    if isinstance(definition, ast.FunctionDef):
        return [definition]
    methods = [node for node in definition.body if isinstance(node, ast.FunctionDef)]
    return [method for method in methods if method.name == "__init__" or method.name[0] != "_"]


@pytest.mark.parametrize(("assignment", "part"), PARTS)
def test_the_exercises_stand_in_the_order_in_which_they_are_graded(assignment: Assignment, part: str) -> None:
    exercises = [e for e in assignment.exercises if e.part == part and not isinstance(e, Conventions)]
    graded = [exercise.name for exercise in exercises]
    body = ast.parse(assignment.references[part]).body
    defined = [node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert [name for name in defined if name[0] != "_"] == graded


@pytest.mark.parametrize(("assignment", "part"), PARTS)
def test_a_header_says_what_holds_for_every_function(assignment: Assignment, part: str) -> None:
    """Dtypes, layouts, arguments left alone, and what the docstrings below it take for granted."""
    header, body = assignment.references[part].split('"""\n', 1)
    unchanged = "not be changed|be unchanged"
    for promise in ("\nConventions of every", " one dtype,| common floating dtype ", "sliced", unchanged):
        assert re.search(promise, header.replace("\n  ", " ")), promise
    for words in ('"Forbidden"', '"Uses your'):
        assert (words in header) is (words.strip('"') in body), words


@pytest.mark.parametrize(("assignment", "name"), EXERCISES)
def test_a_docstring_describes_every_parameter_and_what_comes_back(assignment: Assignment, name: str) -> None:
    definition = DEFINITIONS[assignment.name, name]
    whole = str(ast.get_docstring(definition))
    assert "Forbidden: nothing" not in whole, "the file's header says what no such line means"
    for function in functions(definition):
        described = str(ast.get_docstring(function))
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        for argument in arguments:
            if argument.arg != "self":
                assert f"    {argument.arg}: " in described
                assert argument.annotation is not None
        assert function.returns is not None
        assert ast.unparse(function.returns) == "None" or "Returns:\n" in described


@pytest.mark.parametrize(("assignment", "name"), EXERCISES)
def test_a_reference_does_not_use_what_it_forbids(assignment: Assignment, name: str) -> None:
    part = next(exercise.part for exercise in assignment.exercises if exercise.name == name)
    sources = Sources({f"{part}.py": assignment.references[part]})
    assert sources.used(part, name, assignment.forbids[name]) == []
