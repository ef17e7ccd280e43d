# Generated from autograder/student/checks/examples.py by "python -m autograder build": change it there.
"""A failing case with its numbers: the smallest of those that the tests of an exercise come across."""

from __future__ import annotations

import ast
import linecache
import textwrap
import traceback
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from . import calls, comparing
from .calls import Made, leaves
from .comparing import Differs, NotRaised, name_and_message
from .reading import NOT_STARTED, NotImported, explain

LARGEST = 60  # entries of an array that is written out


class Example(NamedTuple):
    """``call`` is None where it is not certain which one gave the answer; then ``test`` is the line of the test."""

    size: int
    call: Made | None
    test: str
    got: str
    want: str
    what: str

    def lines(self) -> Iterator[str]:
        """As it is shown."""
        yield "The smallest visible case that fails:"
        yield from _indented(_typed_call(self.call) if self.call else self.test)
        yield f"{self.what} as it comes out:"
        yield from _indented(self.got)
        yield f"{self.what} as it should be:"
        yield from _indented(self.want)


def smallest(exercise: str, tests: Mapping[str, Callable[[], None]]) -> Example | None:
    """The smallest failing case of an exercise, by the number of entries of arguments and answer; None if none fails.

    Every test runs on behind a wrong answer, as far as it can.
    """
    found: list[Example] = []
    try:
        for test in tests.values():
            calls.made = []
            comparing.on_difference = lambda error, place: found.append(_differing(error, place))
            try:
                test()
            except (Exception, SystemExit) as error:
                if isinstance(error, NotImported) or explain(error, exercise)[0] == NOT_STARTED:
                    continue
                if calls.made and (not isinstance(error, comparing.Failed) or isinstance(error, NotRaised)):
                    found.append(_raising(error, calls.made[-1]))
    finally:
        calls.made, comparing.on_difference = None, None
    return min(found, key=lambda example: example.size, default=None)


def _differing(error: Differs, place: str) -> Example:
    path, _, _ = place.rpartition(":")
    # A helper's line does not say what it was given: the outermost line of the test file does.
    *_, line = (line for frame, line in traceback.walk_stack(None) if frame.f_code.co_filename == path)
    call = next((made for made in reversed(calls.made or []) if _gave(made, error.got)), None)
    size = error.want.size + (_size((call.args, call.kwargs)) if call else error.want.size)
    test = linecache.getline(path, line).strip()
    return Example(size, call, test, _typed(error.got), _typed(error.want), error.what)


def _raising(error: BaseException, call: Made) -> Example:
    if isinstance(error, NotRaised):
        cause = error.__cause__
        got = name_and_message(cause) if cause else _typed(call.answer)
        return Example(_size((call.args, call.kwargs)), call, "", got, "ValueError", "The result")
    last = traceback.extract_tb(error.__traceback__)[-1]
    got = f"{name_and_message(error)} (in line {last.lineno})"
    return Example(_size((call.args, call.kwargs)), call, "", got, "an answer, and no error", "The result")


def _gave(made: Made, got: Any) -> bool:
    """Whether an answer is, or lies in, what the call returned."""
    for leaf in leaves(made.answer):
        if leaf is got or made.answer is got:
            return True
        if isinstance(leaf, np.ndarray) and isinstance(got, np.ndarray) and np.may_share_memory(leaf, got):
            return True
    return False


def _size(tree: Any) -> int:
    return sum(getattr(leaf, "size", 1) if isinstance(leaf, np.ndarray) else 1 for leaf in leaves(tree))


def _typed_call(made: Made) -> str:
    names = [*made.names, *[""] * (len(made.args) - len(made.names)), *made.kwargs]
    given = [
        f"{name}={_typed(value)}" if name else _typed(value)
        for name, value in zip(names, [*made.args, *made.kwargs.values()], strict=True)
    ]
    if any("\n" in text for text in given):  # an argument a line
        given = [f"\n{textwrap.indent(text, '    ')}," for text in given] + ["\n"]
        return f"{made.function}({''.join(given)})"
    return f"{made.function}({', '.join(given)})"


def _typed(value: Any) -> str:
    """As one would type it; of large arrays only what they are."""
    match value:
        case np.ndarray() if value.size > LARGEST:
            return f"<{comparing.describe(value)}>"
        case np.ndarray():
            dtype = "" if value.dtype in (np.float64, np.int64, np.bool_) else f", {value.dtype.name!r}"
            return f"array({np.array2string(value, separator=', ', prefix='array(', precision=12)}{dtype})"
        case dict():
            return "{" + ", ".join(f"{key!r}: {_typed(item)}" for key, item in value.items()) + "}"
        case list():
            return f"[{', '.join(map(_typed, value))}]"
        case tuple():
            return f"({', '.join(map(_typed, value))}{',' * (len(value) == 1)})"
        case np.generic():
            return str(value.item())
        case np.random.Generator():
            return "rng"
        case FunctionType(__name__="<lambda>"):
            return _source(value)
    return getattr(value, "__name__", None) or repr(value)


def _source(function: FunctionType) -> str:
    """What a lambda was written as, where its line has no other."""
    text = "".join(linecache.getlines(function.__code__.co_filename))
    line = function.__code__.co_firstlineno
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Lambda) and node.lineno == line]
    return ast.get_source_segment(text, found[0]) or "" if len(found) == 1 else function.__name__


def _indented(text: str) -> Iterator[str]:
    return (f"    {line}" for line in text.splitlines())
