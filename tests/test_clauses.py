"""Each clause mutant breaks one promise of a docstring; and a table of sentences goes stale with its words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder import audit, audit_promises, breaking
from autograder.audit import every_clause
from autograder.audit_results import AuditResult, MutantResult
from autograder.clauses import clauses
from autograder.course import Assignment, Case, CourseError, Criterion, Exercise, Part, Promise, fixed
from autograder.docstring import Docstring
from autograder.judge import Judge
from autograder.loading import find_assignments, load
from autograder.sandbox.isolation import choose

ROOT = Path(__file__).parent.parent
HEADER = """
import numpy as np
import torch
from jaxtyping import Float, Int64
from torch import Tensor, nn
"""
SCALED = (
    HEADER
    + '''
def scaled(x: Float[np.ndarray, "N C"], w: Float[np.ndarray, " C"], shift: float = 0.5) -> Float[np.ndarray, "N C"]:
    """Scale and shift.

    Every column has a weight of its own, however large. Values may be as large as 1e5.

    Args:
        x: shape (N, C), any dtype.
        w: shape (C,).
        shift: what is added.

    Returns:
        y, shape (N, C), in the common floating dtype.

    Raises:
        ValueError: x is empty, or the shift is negative.
    """
    if not x.size or shift < 0:
        raise ValueError("no")
    return x * w + shift
'''
)
SPREAD = (
    HEADER
    + '''
def spread(x: Float[np.ndarray, "N"], mask: Bool[np.ndarray, "N"]) -> float:
    """Soft."""
    e = np.exp(x - x.max())
    return float(np.where(mask, x, 0).sum() + (e / e.sum())[0] + x.var())
'''
)
TRAINED = (
    HEADER
    + '''
def trained(model: nn.Module, x: Tensor, optimizer: torch.optim.Optimizer) -> None:
    """One step in training mode. Afterwards every mode is what it was. Parameters may have no gradient (None).

    Its buffers move.
    """
    modes = [(module, module.training) for module in model.modules()]
    model.train()
    optimizer.zero_grad()
    model(x).sum().backward()
    optimizer.step()
    for module, training in modes:
        module.training = training


def doubled(x: Float[Tensor, "N C"]) -> Float[Tensor, "N C"]:
    """Twice as much.

    Returns:
        y. Gradients reach x.
    """
    return 2 * x
'''
)
ROW, COLUMN, ONE = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]]), np.array([2.0, 3.0, 4.0]), np.ones((1, 1))
SINGLE, SMALL = ROW.astype(np.float32), COLUMN.astype(np.float32)

Call = Callable[[Callable[..., Any]], Any]


@pytest.fixture(autouse=True)
def beside_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "breaking", breaking)


def function(source: str, name: str) -> Callable[..., Any]:
    module: dict[str, Any] = {}
    exec(source, module)
    made: Callable[..., Any] = module[name]
    return made


def broken(source: str, name: str, change: str, table: tuple[Promise, ...] = ()) -> Callable[..., Any]:
    found = {clause.change: clause for clause in clauses(source, name, table)}
    return function(f"from __future__ import annotations\n{HEADER}\n{found[change].source}", name)


def told(call: Call, of: Callable[..., Any]) -> str:
    """Everything that a case can see of a call: what it returns, or the error."""
    try:
        answer = call(of)
    except ValueError:
        return "ValueError"
    return f"{answer!r} {getattr(answer, 'dtype', '')} {getattr(answer, 'shape', '')}"


def after(call: Call, *arrays: np.ndarray) -> Call:
    """What is left of the arguments beside the answer."""

    def both(of: Callable[..., Any]) -> Any:
        given = [array.copy() for array in arrays]
        return call(lambda *_, **settings: of(*given, **settings)), given

    return both


@pytest.mark.parametrize(
    ("change", "same", "other"),
    [
        ("the answer → in float64", lambda f: f(ROW, COLUMN), lambda f: f(SINGLE, SMALL)),
        ("everything → in the dtype of x", lambda f: f(ROW, COLUMN), lambda f: f(SINGLE, COLUMN)),
        ("everything → in the dtype of w", lambda f: f(ROW, COLUMN), lambda f: f(ROW, SMALL)),
        ("x → written to", lambda f: f(ROW.copy(), COLUMN), after(lambda f: f(), ROW, COLUMN)),
        ("w → written to", lambda f: f(ROW, COLUMN.copy()), after(lambda f: f(), ROW, COLUMN)),
        ("x → read as if contiguous", lambda f: f(ROW, COLUMN), lambda f: f(np.asfortranarray(ROW), COLUMN)),
        ("x → read as if contiguous", lambda f: f(ROW, COLUMN), lambda f: f(ROW[:, ::-1], COLUMN)),
        ("the answer → without a first axis of one", lambda f: f(ROW, COLUMN), lambda f: f(ROW[:1], COLUMN)),
        ("the answer → without a last axis of one", lambda f: f(ROW, COLUMN), lambda f: f(ROW[:, :1], ONE[0])),
        ("the answer → without axes of one", lambda f: f(ROW, COLUMN), lambda f: f(ONE, ONE[0])),
        ("the error → swallowed", lambda f: f(ROW, COLUMN), lambda f: f(ROW, COLUMN, -1.0)),
        ("shift → its default", lambda f: f(ROW, COLUMN), lambda f: f(ROW, COLUMN, shift=0.25)),
        ("shift → its default where it is falsy", lambda f: f(ROW, COLUMN, 0.25), lambda f: f(ROW, COLUMN, 0.0)),
    ],
)
def test_a_rule_breaks_one_promise_and_nothing_else(change: str, same: Call, other: Call) -> None:
    right, wrong = function(SCALED, "scaled"), broken(SCALED, "scaled", change)
    assert told(other, wrong) != told(other, right)
    assert told(same, wrong) == told(same, right)


def test_an_answer_is_overwritten_where_the_header_says_that_none_is() -> None:
    change = "the answer → overwritten by the next one"
    assert change not in {clause.change for clause in clauses(SCALED, "scaled")}
    right = function(SCALED, "scaled")
    wrong = broken(f'"""No answer is changed by later\\ncalls."""\n{SCALED}', "scaled", change)
    first = wrong(ROW, COLUMN)
    assert np.array_equal(first, right(ROW, COLUMN))
    wrong(ROW[:1], COLUMN)
    wrong(SINGLE, SMALL)
    assert np.array_equal(first, right(ROW, COLUMN))
    wrong(2 * ROW, COLUMN)
    assert np.array_equal(first, right(2 * ROW, COLUMN))


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        ("the answer → that to the last call with the same objects", [False, True, True]),
        ("the answer → remembered without x", [False, True, True]),
        ("the answer → remembered without w", [True, False, True]),
        ("the answer → remembered without shift", [True, True, False]),
    ],
)
def test_an_answer_is_remembered_wrongly_where_the_header_says_that_none_is(change: str, seen: list[bool]) -> None:
    assert change not in {clause.change for clause in clauses(SCALED, "scaled")}
    right, x = function(SCALED, "scaled"), ROW.copy()
    wrong = broken(f'"""What earlier\ncalls were asked shows in no answer."""\n{SCALED}', "scaled", change)
    assert np.array_equal(wrong(x, COLUMN, 2.0), right(x, COLUMN, 2.0))
    x *= 2
    calls = [(x, COLUMN, 2.0), (ROW, 2 * COLUMN, 2.0), (ROW, COLUMN, 3.0)]
    assert [np.array_equal(wrong(*given), right(*given)) for given in calls] == seen


def test_what_is_written_into_an_answer_shows_in_the_next_one_that_is_the_same() -> None:
    change = "the answer → the same arrays whenever it is asked for"
    assert change not in {clause.change for clause in clauses(SCALED, "scaled")}
    wrong = broken(f'"""Who writes\ninto their answers changes none."""\n{SCALED}', "scaled", change)
    wrong(ROW, COLUMN)[...] = 0
    assert not wrong(ROW, COLUMN).any()
    assert np.array_equal(wrong(ROW, COLUMN, 2.0), function(SCALED, "scaled")(ROW, COLUMN, 2.0))


def test_gaps_in_memory_are_read_as_entries() -> None:
    gaps = np.array([2.0, 9, 3, 9, 4, 9])[::2]
    wrong = broken(SCALED, "scaled", "w → read as if contiguous")
    assert not np.array_equal(wrong(ROW, gaps), function(SCALED, "scaled")(ROW, gaps))


def test_each_condition_of_an_error_is_swallowed_by_itself() -> None:
    table = (Promise("scaled", "ValueError: x is empty", swallowed=["not x.size", "shift < 0"]),)
    empty = broken(SCALED, "scaled", "the error → swallowed where not x.size", table)
    assert empty(ROW[:0], COLUMN) is None
    with pytest.raises(ValueError, match="no"):
        empty(ROW, COLUMN, -1.0)


def test_what_a_table_lists_must_stand_in_the_reference_once() -> None:
    table = (Promise("scaled", "Scale and shift.", broken=[("x * w", "w * w")]),)
    assert broken(SCALED, "scaled", "x * w → w * w", table)(ROW, COLUMN)[1] == 9.5
    with pytest.raises(CourseError, match="stands 0 times"):
        clauses(SCALED, "scaled", (Promise("scaled", "Scale.", broken=[("x / w", "x")]),))


@pytest.mark.parametrize(
    ("change", "x"),
    [
        ("x.var() → (x ** 2).mean() - x.mean() ** 2", np.array([1e8, 1e8 + 1])),
        ("x - x.max() → x", np.array([1e4, 1.0])),
        ("np.where(mask, x, 0) → x * mask", np.array([1.0, -np.inf])),
    ],
)
def test_an_expression_is_written_in_a_form_that_fails_far_out(change: str, x: np.ndarray) -> None:
    wrong, right, mask = broken(SPREAD, "spread", change), function(SPREAD, "spread"), np.array([True, False])
    near = np.array([1.0, 2.0])
    assert wrong(near, mask) == pytest.approx(right(near, mask))
    with np.errstate(all="ignore"):
        assert not np.isclose(wrong(x, mask), right(x, mask), rtol=1e-9)


NEAR = (
    HEADER
    + '''
def near(x: Float[np.ndarray, "N"], count: int) -> float:
    """Where x is."""
    return float((x > 0).sum() + 10 * (x == 0).sum() + 100 * (x < 0).sum() + (count > 0) + (x.size == 0))
'''
)


@pytest.mark.parametrize(
    ("change", "x", "answer"),
    [
        ("x > 0 → x > 1e-10", 1e-11, 1),
        ("x == 0 → abs(x) <= 1e-10", 1e-11, 12),
        ("x < 0 → x < -1e-10", -1e-11, 1),
    ],
)
def test_what_is_nearly_0_is_taken_for_it(change: str, x: float, answer: float) -> None:
    wrong, right = broken(NEAR, "near", change), function(NEAR, "near")
    for far in (0.0, 1e-9, -1e-9):
        assert wrong(np.array([far]), 1) == right(np.array([far]), 1)
    assert wrong(np.array([x]), 1) == answer


def test_whole_numbers_are_never_nearly_0() -> None:
    changed = {clause.change.split(" → ")[0] for clause in clauses(NEAR, "near") if "1e-10" in clause.change}
    assert changed == {"x > 0", "x == 0", "x < 0"}


class Model(nn.Module):
    """With a buffer, a child with a mode of its own, and a parameter that no gradient reaches."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.linear = nn.BatchNorm1d(3), nn.Linear(3, 2)
        self.unused = nn.Parameter(torch.ones(1))
        self.linear.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = self.linear(self.norm(x))
        return y


def a_step(of: Callable[..., Any], groups: int = 2) -> dict[str, Any]:
    """The state of the model, the modes in it, and whether anything failed."""
    torch.manual_seed(0)
    model = Model()
    parameters = list(model.parameters())
    optimizer = torch.optim.SGD([{"params": parameters[first::groups]} for first in range(groups)], lr=0.1)
    try:
        of(model, torch.arange(12.0).reshape(4, 3), optimizer)
    except AttributeError:
        return {"failed": True}
    state = {name: value.tolist() for name, value in model.state_dict().items()}
    return state | {"modes": [module.training for module in model.modules()], "groups": len(optimizer.param_groups)}


@pytest.mark.parametrize(
    "change",
    [
        "model → left in training mode",
        "model → left in evaluation mode",
        "model → always in evaluation mode",
        "model → with its old buffers",
        "model → failing for a gradient of None",
        "optimizer → its first parameter group",
    ],
)
def test_rules_for_pytorch_break_what_a_model_shows(change: str) -> None:
    assert a_step(broken(TRAINED, "trained", change)) != a_step(function(TRAINED, "trained"))


def test_of_one_group_the_first_is_all() -> None:
    wrong = broken(TRAINED, "trained", "optimizer → its first parameter group")
    assert a_step(wrong, groups=1) == a_step(function(TRAINED, "trained"), groups=1)


@pytest.mark.parametrize("change", ["the answer → without gradients", "x → read as if contiguous", "x → written to"])
def test_rules_for_tensors(change: str) -> None:
    wrong, x = broken(TRAINED, "doubled", change), torch.arange(6.0).reshape(2, 3).T.requires_grad_()
    y = wrong(x)
    assert not (y.requires_grad and torch.equal(y, 2 * torch.arange(6.0).reshape(2, 3).T) and torch.equal(x, y / 2))


def test_a_keyword_that_cannot_be_zero_is_not_taken_for_falsy() -> None:
    positive = SCALED.replace("what is added.", "what is added, > 0.")
    changes = {clause.change for clause in clauses(positive, "scaled")}
    assert "shift → its default" in changes
    assert "shift → its default where it is falsy" not in changes


@pytest.mark.parametrize("name", find_assignments(ROOT))
def test_every_clause_mutant_compiles_and_no_two_are_alike(name: str) -> None:
    found = [clause for _, clause in every_clause(load(name, ROOT))]
    assert len(found) >= 150
    assert len({(clause.definition, clause.source) for clause in found}) == len(found)
    assert len({(clause.definition, clause.change) for clause in found}) == len(found)
    for clause in found:
        compile(clause.source, clause.change, "exec")


# Promises


def assignment(*table: Promise, source: str = SCALED) -> Assignment:
    case = Case("far out", fixed(ROW, COLUMN))
    exercise = Exercise("scaled", "toy", [Criterion("values", [case])])
    return Assignment("a7_toy", "Toy", [Part("toy", "numpy")], [exercise], {}, {"toy": source}, promises=table)


EMPTY = AuditResult("a7_toy", "Toy", (), (), (), ())
EVERY = Promise("scaled", "Every column has a weight of its own, however large.", "values: far out")
LARGE = Promise("scaled", "Values may be as large as 1e5.", "values")
ANY = Promise("scaled", "shape (N, C), any dtype.", "values: far out")


def test_sentences_with_extremes_are_found() -> None:
    found = Docstring.of(SCALED, "scaled").promises()
    assert found == [EVERY.sentence, LARGE.sentence, ANY.sentence]
    assert audit_promises.wrong(assignment(EVERY, LARGE, ANY)) == []


def test_a_sentence_that_stands_in_no_table_is_said() -> None:
    (problem,) = audit_promises.wrong(assignment(EVERY, ANY))
    assert problem == "scaled: nothing is said to ask for “Values may be as large as 1e5.”"


def test_a_promise_goes_stale_with_its_wording() -> None:
    reworded = SCALED.replace("as large as 1e5", "as large as 1e6")
    problems = audit_promises.wrong(assignment(EVERY, LARGE, ANY, source=reworded))
    assert problems == [
        "scaled: nothing is said to ask for “Values may be as large as 1e6.”",
        f"scaled: the promise “{LARGE.sentence}” is stale: the docstring does not say so.",
    ]


def test_a_promise_may_be_the_files() -> None:
    header = Promise("scaled", "Numbers near 1 have rounding errors.", needless="nobody minds", before="They must not.")
    table = (EVERY, LARGE, ANY, header)
    assert audit_promises.wrong(assignment(*table, source=f'"""{header.sentence}"""\n{SCALED}')) == []
    assert audit_promises.wrong(assignment(*table, source=f'"""{header.before}"""\n{SCALED}')) == [
        f"scaled: the promise “{header.sentence}” is stale: the docstring does not say so.",
        "scaled: the docstring still says “They must not.”",
    ]


@pytest.mark.parametrize(
    ("promise", "problem"),
    [
        (replace(LARGE, asked="values: near"), "is said to be asked by “values: near”, which is no case."),
        (replace(LARGE, asked=""), "scaled: nothing asks for “Values may be as large as 1e5.”"),
        (replace(LARGE, before="Scale and shift."), "scaled: the docstring still says “Scale and shift.”"),
    ],
)
def test_a_promise_names_what_asks_for_it(promise: Promise, problem: str) -> None:
    (said,) = audit_promises.wrong(assignment(EVERY, promise, ANY))
    assert said.endswith(problem)


def test_promises_stand_beside_what_asks_for_them() -> None:
    mutants = [
        MutantResult("scaled", "00", "shift → its default", "scaled: values", promise="shift=0.5"),
        MutantResult("scaled", "00", "the error → swallowed", promise="raises"),
        MutantResult("scaled", "00", "x → read as if contiguous", reason="it is one number", promise="strides"),
    ]
    rewritten = replace(LARGE, before="Values may be as large as 1e300.")
    found = audit_promises.results(assignment(EVERY, rewritten, ANY), mutants, complete=True)
    assert {p.promise: p.asked for p in found} == {
        "shift=0.5": ("values",),
        "raises": (),
        "strides": (),
        EVERY.sentence: ("values: far out",),
        LARGE.sentence: ("values",),
        ANY.sentence: ("values: far out",),
    }
    result = AuditResult(
        "a7_toy", "Toy", (), (), (), (), clauses=tuple(mutants), total_clauses=30, promises=tuple(found)
    )
    assert {key: result.counts()[key] for key in ("promises", "asked", "rewritten", "clauses", "clauses_killed")} == {
        "promises": 6,
        "asked": 5,
        "rewritten": 1,
        "clauses": 3,
        "clauses_killed": 1,
    }
    assert result.problems() == ["scaled [00]: the error → swallowed: survives."]


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Assignment], None]]:
    opened: list[Judge] = []

    def use(assignment: Assignment) -> None:
        opened.append(Judge(assignment, "public", choose()))
        monkeypatch.setattr(audit, "_judge", opened[-1], raising=False)

    yield use
    for one in opened:
        one.close()


@pytest.mark.parametrize("asked", [True, False])
def test_a_clause_mutant_survives_where_nothing_asks(judge: Callable[[Assignment], None], asked: bool) -> None:
    whole = load("a1", ROOT)
    (coverage,) = [exercise for exercise in whole.exercises if exercise.name == "window_coverage"]
    values, dtype = coverage.criteria
    kept = [values, dtype if asked else replace(dtype, cases=dtype.cases[:1])]
    judge(replace(whole, exercises=[replace(coverage, criteria=kept)]))
    (clause,) = [c for c in clauses(whole.references["convolution"], "window_coverage") if c.promise == "raises"]
    assert audit._examine(("convolution", clause, "")).survived != asked
