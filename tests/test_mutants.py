"""The mutants of small sources, written out, and what a change of a reference does to its marks."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from autograder.loading import find_assignments, load
from autograder.mutants import NAMES, OPERATORS, Mutant, mutants
from autograder.source import definition

ROOT = Path(__file__).parent.parent
DOCUMENTED = '''
def scale(x: list[int], factor: int = 2) -> list[int]:
    """Multiply 1 + 1 numbers."""
    if factor < 0:
        raise ValueError(f"not {factor - 1}")  # say why
    label: str = "max 1"
    return [factor * value for value in x]
'''


def statement(text: str) -> set[str]:
    """What becomes of one statement in a function."""
    changes = [mutant.change.split(" → ") for mutant in mutants(f"def f():\n    {text}\n", "f")]
    return {after for before, after in changes if before != after}


@cache
def of(name: str) -> list[tuple[str, Mutant]]:
    """Every mutant of an assignment's references, each with the source that it comes from."""
    references = load(name, ROOT).references.values()
    names = [
        (source, node.name)
        for source in references
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    return [(source, mutant) for source, name in names for mutant in mutants(source, name)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y = a + b", {"y = a - b", "y = a", "y = b"}),
        ("y = a - b", {"y = a + b", "y = b - a", "y = a", "y = b"}),
        ("y = a / b", {"y = a * b", "y = b / a", "y = a", "y = b"}),
        ("y = a @ b", {"y = b @ a", "y = a", "y = b"}),
        ("y = a // b", {"y = a * b", "y = a", "y = b"}),
        ("y = a ** b", {"y = a * b", "y = a", "y = b"}),
        ("y = a < b", {"y = a <= b"}),
        ("y = a == b", {"y = a != b"}),
        ("y = a and b", {"y = a or b", "y = a", "y = b"}),
        ("y = a is b", {"y = a is not b"}),
        ("y = -a", {"y = a"}),
        ("y = not a", {"y = a"}),
        ("y = 3", {"y = 4", "y = 2"}),
        ("y = 0", {"y = 1"}),
        ("y = True", {"y = False"}),
        ("y = 'a'", set()),
        ("y = None", set()),
        ("y = a.max()", {"y = a.min()"}),
        ("y = max(a)", {"y = min(a)"}),
        ("y = g(a, b)", {"y = g(b, a)"}),
        ("y = g(a, b, c)", {"y = g(b, a, c)"}),
        ("y = max(a, b)", {"y = min(a, b)"}),
        ("y = a.transpose(b, c)", set()),
        (
            "y = a.transpose(b, c, d)",
            {"y = a.transpose(c, b, d)", "y = a.transpose(d, c, b)", "y = a.transpose(b, d, c)"},
        ),
        ("y = g(*a, b)", set()),
        ("y = g(a, axis=b, out=c)", {"y = g(a, out=c)", "y = g(a, axis=b)"}),
        ("y = a if b else c", {"y = a", "y = c"}),
        ("y = a[b:c]", {"y = a[:c]", "y = a[b + 1:c]", "y = a[b:]"}),
        ("y = a[::b]", {"y = a[:]"}),
        ("y += a", {"y -= a", "y = a", "nothing"}),
        ("y -= a", {"y += a", "nothing"}),
        ("y = a.T", {"y = a"}),
        ("y = a[t]", {"y = a[t - 1]"}),
        ("y[:, t] = a", {"y[:, t - 1] = a", "nothing"}),
        ("y[a] = b", {"y[a - 1] = b", "nothing"}),
        ("y[1] = b", {"y[2] = b", "y[0] = b", "nothing"}),
        ("g(a)", {"nothing"}),
        ("return a", set()),
    ],
)
def test_operators(text: str, expected: set[str]) -> None:
    assert statement(text) == expected


@pytest.mark.parametrize(("before", "after"), [(before, after) for before, (after, _) in OPERATORS.items()])
def test_an_operator_becomes_another_of_its_sort(before: type[ast.AST], after: type[ast.AST]) -> None:
    assert before is not after
    kinds = (ast.operator, ast.cmpop, ast.boolop)
    assert [issubclass(before, kind) for kind in kinds] == [issubclass(after, kind) for kind in kinds]


def test_no_name_becomes_itself() -> None:
    assert not [name for name, other in NAMES.items() if name == other]


def test_what_says_rather_than_computes_is_left_alone() -> None:
    assert {mutant.change for mutant in mutants(DOCUMENTED, "scale")} == {
        "def scale(x, factor=2) → def scale(x, factor=3)",
        "def scale(x, factor=2) → def scale(x, factor=1)",
        "if factor < 0 → nothing",
        "if factor < 0 → if factor <= 0",
        "if factor < 0 → if factor < 1",
        "raise ValueError(f'not {factor - 1}') → nothing",
        "return [factor * value for value in x] → return [factor / value for value in x]",
        "return [factor * value for value in x] → return [factor for value in x]",
        "return [factor * value for value in x] → return [value for value in x]",
    }


def test_methods_and_nested_functions_are_changed_and_not_left_out() -> None:
    source = "class A:\n    def f(self):\n        def g():\n            return 1\n        return g() + 2\n"
    changes = {mutant.change for mutant in mutants(source, "A")}
    assert {"return 1 → return 2", "return g() + 2 → return g() - 2"} <= changes
    assert not [change for change in changes if change.endswith("nothing")]


def test_equal_changes_of_different_statements_are_numbered() -> None:
    source = "def f(x):\n    x += 1\n    x += 1\n    return x\n"
    found = mutants(source, "f")
    assert {"x += 1 → x += 2", "x += 1 → x += 2 #2"} <= {mutant.change for mutant in found}
    assert len({mutant.change for mutant in found}) == len(found)


def test_only_the_named_definition_is_changed() -> None:
    source = "def f():\n    return 1\n\ndef g():\n    return 5\n"
    assert {mutant.source for mutant in mutants(source, "g")} == {
        "def g():\n    return 6",
        "def g():\n    return 4",
    }


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("name", find_assignments(ROOT))
def test_every_mutant_of_a_reference_differs_and_compiles(name: str) -> None:
    found = of(name)
    assert len(found) >= 300
    assert len({(mutant.definition, mutant.source, source) for source, mutant in found}) == len(found)
    for source, mutant in found:
        compile(mutant.source, mutant.change, "exec")
        assert mutant.source != without_words(source, mutant.definition)


@cache
def without_words(source: str, name: str) -> str:
    """The definition as a mutant shows it, without a change: no docstrings, no annotations of arguments."""
    tree = ast.parse(definition(source, name))
    for node in ast.walk(tree):
        match node:
            case ast.arg():
                node.annotation = None
            case ast.FunctionDef(body=[ast.Expr(ast.Constant(str())), *rest]):
                node.body, node.returns = rest or [ast.Pass()], None
            case ast.FunctionDef():
                node.returns = None
            case ast.ClassDef(body=[ast.Expr(ast.Constant(str())), *rest]):
                node.body = rest or [ast.Pass()]
    return ast.unparse(tree)


@pytest.mark.parametrize("name", find_assignments(ROOT))
def test_the_same_mutants_come_in_the_same_order(name: str) -> None:
    assert of(name) == of.__wrapped__(name)


@pytest.mark.parametrize("name", find_assignments(ROOT))
def test_every_mark_belongs_to_a_mutant_and_gives_a_reason(name: str) -> None:
    known = {(mutant.definition, mutant.digest, mutant.change) for _, mutant in of(name)}
    marks = load(name, ROOT).equivalents
    assert {(mark.definition, mark.digest, mark.change) for mark in marks} <= known
    assert all(len(mark.reason.split()) >= 3 and not mark.reason.endswith(".") for mark in marks)
    assert len({(mark.part, mark.definition, mark.change) for mark in marks}) == len(marks)


@pytest.mark.parametrize(
    ("old", "new", "stale"),
    [
        ("Multiply 1 + 1 numbers.", "Multiply.", False),
        ("  # say why", "", False),
        ("x: list[int]", "x: list[float]", False),
        ("factor * value", "(factor * value)", False),
        ("factor * value", "value * factor", True),
        ("factor: int = 2", "factor: int = 3", True),
        ("max 1", "max 2", True),
    ],
)
def test_a_mark_is_stale_once_the_code_has_changed(old: str, new: str, stale: bool) -> None:
    assert DOCUMENTED.count(old) == 1
    before, after = ({m.digest for m in mutants(text, "scale")} for text in (DOCUMENTED, DOCUMENTED.replace(old, new)))
    assert len(before) == len(after) == 1
    assert (before != after) == stale
