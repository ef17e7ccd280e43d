"""Random replies, any type in any field, from a child to a grade: no exception, and pages that can be shown.

``step`` puts one submission's worth of them through the judge, and through every report of it.
"""

from __future__ import annotations

import builtins
import contextlib
import json
import random
from typing import Any

import numpy as np
from pretended import pretending

from autograder import report, workers
from autograder.course import Assignment
from autograder.results import RunRecord, SubmissionResult, from_gradescope, to_gradescope
from autograder.sandbox.protocol import (
    ChildStopped,
    NumberedQuestion,
    Program,
    SandboxError,
    check_locked,
    read_import,
    read_reply,
)
from autograder.sandbox.wire import MAX_DEPTH, MAX_DETAIL, Tensor
from autograder.submission import Submission
from autograder.text import one_line, printable

FIELDS = ("id", "value", "changed", "cpu", "raised", "detail", "malformed", "unsuitable", "forbidden", "locked")
FIELDS += ("problem",)
TEXTS = ("", "missing", "parameters", "forbidden", "numpy.convolve", "KeyError", "<b>&\"'", "=1+1", "\x1b[31m")
TEXTS += ("\u202e",)
TEXTS += ("\ud800", "a\nb\tc", "{0}", "%s", "é" * 200, "x" * MAX_DETAIL, "x" * (1 << 20), "NotImplementedError", "str")
NUMBERS = (0, 1, -1, 7, 2**31, 2**53, 2**63 - 1, -(2**63), 2**64 - 1, 0.0, -0.0, 0.5, 1e308, 5e-324)
NUMBERS += (float("nan"), float("inf"), -float("inf"))
DTYPES = ("?", *"bBhHiIlLqQefdFD")
STOPS = ("time", "waiting", "died", "protocol", "threads")
EXCEPTIONS = [name for name, kind in vars(builtins).items() if isinstance(kind, type)]
PASSING = {"\n", "\t"}


def array(r: random.Random) -> np.ndarray:
    """An array as ``decode`` may return it: of any dtype, shape and layout, with any number in it."""
    shape = [r.choice((0, 1, 1, 2, 3, 5, 17)) for _ in range(r.choice((0, 1, 1, 2, 2, 3, 4, 6, 32)))]
    if np.prod([length or 1 for length in shape], dtype=float) > 1e5:
        shape = [r.randrange(100_000)]
    with np.errstate(all="ignore"):
        made = np.random.default_rng(r.randrange(2**32)).normal(size=shape) * r.choice((0, 1, 1e9, 1e308))
        made = np.asarray(made).astype(r.choice(DTYPES))
    if made.size and r.random() < 0.3 and made.dtype.kind in "fc":
        made.flat[r.randrange(made.size)] = r.choice((np.nan, np.inf, -np.inf))
    if made.ndim and r.random() < 0.2:
        made = np.repeat(made, 2, axis=-1)[..., ::2]
    return made.view(Tensor) if r.random() < 0.3 else made


def tree(r: random.Random, depth: int = 0) -> Any:
    """Anything that ``decode`` may return."""
    kind = r.randrange(10) if depth < 4 else r.randrange(5)
    match kind:
        case 0:
            return r.choice((None, True, False))
        case 1:
            return r.choice(NUMBERS)
        case 2:
            return r.choice(TEXTS)
        case 3 | 4 | 5:
            return array(r)
        case 6:
            return [tree(r, depth + 1) for _ in range(r.randrange(5))]
        case 7:
            return tuple(tree(r, depth + 1) for _ in range(r.randrange(5)))
        case 8:
            keys = [r.choice((None, True, *NUMBERS, *TEXTS[:-3], (), (1, "a"))) for _ in range(r.randrange(5))]
            return {key: tree(r, depth + 1) for key in keys}
    if r.random() < 0.5:
        return [r.choice((None, array(r), "x", 1.5))] * r.choice((100, 3_000, 50_000))
    nested: Any = tree(r, 4)
    for _ in range(MAX_DEPTH):
        nested = r.choice(([nested], (nested,), {"a": nested}))
    return nested


def near(r: random.Random, value: Any) -> Any:
    """A right answer with something else somewhere in it."""
    if isinstance(value, dict) and value and r.random() < 0.9:
        key = r.choice(list(value))
        return {**value, key: near(r, value[key])}
    if isinstance(value, list | tuple) and value and r.random() < 0.9:
        at = r.randrange(len(value))
        return type(value)([*value[:at], near(r, value[at]), *value[at + 1 :]])
    if isinstance(value, np.ndarray) and r.random() < 0.8:
        with np.errstate(all="ignore"), contextlib.suppress(ValueError, OverflowError):
            match r.randrange(8):
                case 0:
                    return value.astype(r.choice(DTYPES))
                case 1:
                    return value[None]
                case 2:
                    return value.T
                case 3:
                    return value.tolist()
                case 4:
                    return value.view(np.ndarray if isinstance(value, Tensor) else Tensor)
                case 5:
                    return value * r.choice((-1, 0, 2, np.nan, 1 + 1e-8))
                case 6:
                    return value.reshape(-1)[: r.randrange(3)]
                case _:
                    return np.broadcast_to(value, (2, *value.shape)).copy()
    return tree(r)


def reply(r: random.Random, question: NumberedQuestion | None, right: Any) -> Any:
    """What a child may answer where ``right`` would be right: mostly of a right form, so that it is used."""
    number = question["id"] if question else 0
    chance = r.random()
    if chance < 0.3 or (question is None and chance < 0.9):
        made = dict(right)
    elif chance < 0.7:
        value = near(r, right.get("value")) if r.random() < 0.7 else tree(r)
        made = {"id": number, "value": value, "changed": r.random() < 0.3, "cpu": r.choice((0.1, *NUMBERS[-8:]))}
    elif chance < 0.8:
        made = {"id": number, "raised": r.choice((*EXCEPTIONS, *TEXTS)), "detail": r.choice(TEXTS)[:MAX_DETAIL]}
    elif chance < 0.9:
        names = (*(question or {}).get("forbidden", ()), "numpy.convolve", *TEXTS)
        made = r.choice(
            (
                {"id": number, "malformed": r.choice(TEXTS)[:MAX_DETAIL]},
                {"id": number, "unsuitable": r.choice(TEXTS[:5])},
                {"id": number, "forbidden": r.choice(names)},
            )
        )
    elif chance < 0.99:
        made = {field: tree(r) for field in r.sample(FIELDS, r.randrange(len(FIELDS)))}
    else:
        raise ChildStopped(r.choice(STOPS))
    if r.random() < 0.1:
        made = {**made, r.choice(FIELDS): tree(r)}
    if made and r.random() < 0.03:
        made.pop(r.choice(list(made)))
    return made if r.random() < 0.99 else tree(r)


def read_them(r: random.Random) -> None:
    """Random messages to each function that reads one: only what it says is raised."""
    question: NumberedQuestion = {"name": "f", "driver": "", "args": (), "kwargs": {}, "seed": 0, "id": 7}
    question["forbidden"] = ["numpy.convolve"]
    right = {"id": 7, "value": array(r), "changed": False, "cpu": 0.5}
    for _ in range(100):
        with contextlib.suppress(ChildStopped):
            message = reply(r, question, right)
            with contextlib.suppress(ChildStopped):
                read_reply(message, question, r.choice((None, 0.5)))
            with contextlib.suppress(ChildStopped):
                read_import(message, 0.5)
            with contextlib.suppress(SandboxError):
                check_locked(message)


def step(seed: int, grader: workers.Grader) -> None:
    """Grade one submission that answers at random, more or less wildly, and look at everything that is written."""
    r = random.Random(seed)
    read_them(r)
    wild = r.choice((0.02, 0.2, 1.0))

    def answering(_: Program, question: NumberedQuestion | None, right: Any) -> Any:
        return reply(r, question, right) if r.random() < wild else right

    with pretending(answering):
        judge = grader.judge = grader.judge or workers.Judge(grader.assignment, "fuzz", "namespaces")
        for sandbox in judge.sandboxes.pretended.values():  # type: ignore[attr-defined]
            sandbox.answering = answering
        parts = {part.name: {f"{part.name}.py": "import numpy\n"} for part in grader.assignment.parts}
        result, record = judge.grade(Submission("eve", parts))
    written(result, record, grader.assignment)


def written(result: SubmissionResult, record: RunRecord, assignment: Assignment) -> None:
    """Assert that a result is one: within its points, and as valid JSON, page, table and row."""
    assert not result.infrastructure, result.infrastructure
    assert [e.name for e in result.exercises] == [e.name for e in assignment.exercises]
    assert 0 <= result.score <= sum(sum(paid.values()) for paid in assignment.points.values())
    gradescope = to_gradescope(result)
    text = json.dumps(gradescope, allow_nan=False)
    assert from_gradescope(json.loads(text)) == result
    for exercise in result.exercises:
        for criterion in exercise.criteria:
            assert criterion.passed or criterion.message
            assert len(criterion.message) < 1000
            assert one_line(criterion.message) == criterion.message
    pages = [report.feedback_html(result), report.grades_csv([result]), report.class_table([result], 80, False)]
    pages.append("".join(report.class_html([result], {result.student: record}, {"assignment": assignment.name})))
    for page in pages:
        page.encode()
        assert printable(page) == page
