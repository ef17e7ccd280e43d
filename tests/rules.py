"""A vocabulary of over-strict rules: what a strict course might demand of a solution, as code.

A rule looks at one exercise of a ``Solution``: at the source of its definition, or at what it does in this process on
the inputs of its own hidden cases. ``clauses.py`` says which words of a bank mean which rule.
"""

from __future__ import annotations

import ast
import inspect
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
import torch

from autograder.course import Assignment, Case, Exercise
from autograder.source import definition

SEED = "a seed of the rules"
LOOPS = ast.For, ast.While
COMPREHENSIONS = ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp
SYNTAX: dict[str, tuple[type[ast.AST], ...]] = {
    "loop": LOOPS,
    "while loop": (ast.While,),
    "sum": (ast.Add,),
    "product": (ast.Mult,),
    "floor division": (ast.FloorDiv,),
    "matrix product": (ast.MatMult,),
    "operator that works in place": (ast.AugAssign,),
}
TYPES = {"bool": bool, "float": float, "int": int}


@dataclass(frozen=True)
class Called:
    """One call of a function, and what came of it: a value or an exception."""

    args: tuple[Any, ...]
    result: Any


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """One exercise in ``source``, a whole part of our own making: trusted, and run in this process.

    ``model`` is the reference, unless this is it.
    """

    assignment: Assignment
    name: str
    source: str
    model: Solution | None = None

    @cached_property
    def text(self) -> str:
        """The definition as it was written."""
        return definition(self.source, self.name)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the definition, decorators included."""
        return list(ast.walk(ast.parse(self.text)))

    @cached_property
    def code(self) -> str:
        """The definition in one layout, without comments and docstrings."""
        tree = ast.parse(self.text)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        return ast.unparse(tree)

    @property
    def reference(self) -> Solution:
        return self.model or self

    @cached_property
    def provided(self) -> dict[str, ModuleType]:
        return {file.removesuffix(".py"): run(text) for file, text in self.assignment.provided.items()}

    @cached_property
    def module(self) -> ModuleType:
        with importable(self.provided):
            return run(self.source)

    @cached_property
    def drivers(self) -> ModuleType:
        return run(self.assignment.drivers)

    @cached_property
    def exercise(self) -> Exercise:
        return next(e for e in self.assignment.exercises if e.name == self.name)

    @cached_property
    def answers(self) -> list[Any]:
        """What the exercise returned or raised in each case; for a class, what the driver made of it."""
        if inspect.isclass(getattr(self.module, self.name)):
            return self.ask_all()
        return [call.result for call in self.calls(self.name)]

    def calls(self, name: str) -> list[Called]:
        """The outermost calls of a function in all cases: of the module's own, an imported one, or a driver's."""
        owner = self.module if hasattr(self.module, name) else self.drivers
        function, found, depth = getattr(owner, name), list[Called](), 0

        def recorded(*args: Any, **kwargs: Any) -> Any:
            nonlocal depth
            depth += 1
            try:
                result = function(*args, **kwargs)
            except Exception as error:
                result = error
            depth -= 1
            if depth == 0:
                found.append(Called(args, result))
            if isinstance(result, Exception):
                raise result
            return result

        setattr(owner, name, recorded)
        try:
            self.ask_all()
        finally:
            setattr(owner, name, function)
        return found

    def ask_all(self) -> list[Any]:
        """What comes back in every case. An exception where the reference returns a value is no answer, but raised."""
        answers = []
        for case in self.exercise.cases():
            answers.append(answer := self.ask(case))
            if isinstance(answer, Exception) and not isinstance(self.reference.ask(case), Exception):
                raise answer
        return answers

    def ask(self, case: Case, *, writeable: bool = True) -> Any:
        """What comes back in one case, or the exception."""
        student, given = self.module, self.exercise.case_inputs(case, SEED)
        if not writeable:
            for leaf in leaves((given.args, given.kwargs)):
                if isinstance(leaf, np.ndarray):
                    leaf.flags.writeable = False
        random.seed(0)
        np.random.seed(0)
        torch.manual_seed(0)
        with importable(self.provided), warnings.catch_warnings(action="ignore"):
            try:
                if not case.driver:
                    return getattr(student, self.name)(*given.args, **given.kwargs)
                return getattr(self.drivers, case.driver)(student, *given.args, **given.kwargs)
            except Exception as error:
                return error


def run(source: str) -> ModuleType:
    """A module made from source, without a file."""
    module = ModuleType("solution")
    exec(compile(source, "solution", "exec"), vars(module))
    return module


@contextmanager
def importable(modules: dict[str, ModuleType]) -> Iterator[None]:
    """These modules can be imported by their names for a while."""
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in modules:
            del sys.modules[name]


def leaves(answer: Any) -> list[Any]:
    """What tuples and dictionaries hold. A list is a leaf: it stands where an array could; an exception holds none."""
    if isinstance(answer, tuple):
        return [leaf for part in answer for leaf in leaves(part)]
    if isinstance(answer, dict):
        return leaves(tuple(answer.values()))
    return [] if isinstance(answer, Exception) else [answer]


def vector(answer: Any) -> np.ndarray:
    """All numbers of an answer one after the other, whatever holds them; dictionaries by their sorted keys."""
    if isinstance(answer, dict):
        answer = [answer[name] for name in sorted(answer)]
    if isinstance(answer, Exception):
        answer = []
    if isinstance(answer, tuple | list):
        return np.concatenate([np.empty(0), *map(vector, answer)])
    return np.ravel(answer.detach() if isinstance(answer, torch.Tensor) else answer)


def keys(answer: Any) -> list[Any]:
    """The keys of all dictionaries of an answer, in their order."""
    if isinstance(answer, dict):
        return [[name, keys(part)] for name, part in answer.items()]
    return [keys(part) for part in answer] if isinstance(answer, tuple | list) else []


Rule = Callable[[Solution], bool]


def unless(rule: Rule) -> Rule:
    return lambda solution: not rule(solution)


def both(one: Rule, other: Rule) -> Rule:
    return lambda solution: one(solution) and other(solution)


# Rules about the source


def holds(*kinds: type[ast.AST]) -> Rule:
    """The definition has a node of one of these kinds; an operator is a node too."""
    return lambda solution: any(isinstance(node, kinds) for node in solution.nodes)


def lacks(*kinds: type[ast.AST]) -> Rule:
    return unless(holds(*kinds))


def written(pattern: str) -> Rule:
    """The code, without comments and docstrings, matches somewhere."""
    return lambda solution: re.search(pattern, solution.code) is not None


def unwritten(pattern: str) -> Rule:
    return unless(written(pattern))


def mentions(name: str) -> Rule:
    """``name`` stands in the code as a whole word."""
    return written(rf"\b{re.escape(name)}\b")


def avoids(*names: str) -> Rule:
    return lambda solution: not any(mentions(name)(solution) for name in names)


def calls(name: str) -> Rule:
    return written(rf"\b{re.escape(name)}\(")


def calls_in_a_loop(name: str) -> Rule:
    """It is called in the body of a ``for`` or ``while``; comprehensions don't count."""
    return lambda solution: any(
        re.search(rf"\b{re.escape(name)}\(", ast.unparse(statement))
        for node in solution.nodes
        if isinstance(node, LOOPS)
        for statement in node.body
    )


def loops_at_most(depth: int) -> Rule:
    """No more than ``depth`` loops stand in one another, comprehensions included."""

    def deepest(node: ast.AST) -> int:
        below = max(map(deepest, ast.iter_child_nodes(node)), default=0)
        if isinstance(node, COMPREHENSIONS):
            return below + len(node.generators)
        return below + isinstance(node, LOOPS)

    return lambda solution: deepest(ast.parse(solution.text)) <= depth


def precedes(first: str, second: str) -> Rule:
    """Both words stand in the code, and the first ``first`` before the first ``second``."""
    return written(rf"(?s)\A((?!\b{second}\b).)*\b{first}\b.*\b{second}\b")


def stores_entries(solution: Solution) -> bool:
    """Something is assigned to an index, a slice or a mask."""
    return any(isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) for node in solution.nodes)


def is_ascii(solution: Solution) -> bool:
    return solution.code.isascii()


def stands_alone(solution: Solution) -> bool:
    """No other exercise is named."""
    return avoids(*(e.name for e in solution.assignment.exercises if e.name != solution.name))(solution)


def has_no_other_attributes(solution: Solution) -> bool:
    """What a class keeps in itself is what the reference keeps."""
    kept, known = (set(re.findall(r"self\.(\w+)", one.code)) for one in (solution, solution.reference))
    return kept <= known


# Rules about what comes back


def all_results(test: Callable[[Any], bool]) -> Rule:
    """Every answer as a whole passes, if it is no exception."""
    return lambda solution: all(test(answer) for answer in solution.answers if not isinstance(answer, Exception))


def all_numbers(test: Callable[[Any], bool]) -> Rule:
    """Every part of an answer that has no dimensions passes."""
    return all_results(lambda answer: all(map(test, (leaf for leaf in leaves(answer) if not has_axes(leaf)))))


def all_arrays(test: Callable[[Any], bool]) -> Rule:
    """Every part of an answer that has dimensions is an array or tensor and passes."""
    arrays = (np.ndarray, torch.Tensor)
    return all_results(
        lambda answer: all(isinstance(leaf, arrays) and test(leaf) for leaf in leaves(answer) if has_axes(leaf))
    )


def same(view: Callable[[Any], Any], equal: Callable[[Any, Any], bool] = lambda a, b: bool(a == b)) -> Rule:
    """In every case, ``view`` of the answer equals that of the reference's answer."""

    def rule(solution: Solution) -> bool:
        pairs = zip(solution.answers, solution.reference.answers, strict=True)
        return all(equal(view(mine), view(theirs)) for mine, theirs in pairs)

    return rule


def has_axes(leaf: Any) -> bool:
    return isinstance(leaf, list) or np.ndim(leaf) > 0


def is_array(leaf: np.ndarray | torch.Tensor) -> bool:
    return isinstance(leaf, np.ndarray)


def is_contiguous(leaf: np.ndarray | torch.Tensor) -> bool:
    return as_array(leaf).flags.c_contiguous


def is_writeable(leaf: np.ndarray | torch.Tensor) -> bool:
    return as_array(leaf).flags.writeable


def owns_its_memory(leaf: np.ndarray | torch.Tensor) -> bool:
    return leaf._base is None if isinstance(leaf, torch.Tensor) else leaf.flags.owndata


def lies_row_by_row(leaf: np.ndarray | torch.Tensor) -> bool:
    """An earlier axis never has the smaller stride, though there may be gaps."""
    array = as_array(leaf)
    steps = [stride for stride, length in zip(array.strides, array.shape, strict=True) if length > 1]
    return min(steps, default=0) >= 0 and steps == sorted(steps, reverse=True)


def as_array(leaf: np.ndarray | torch.Tensor) -> np.ndarray:
    """The same memory as an array."""
    return leaf.detach().numpy() if isinstance(leaf, torch.Tensor) else leaf


def to_the_last_bit(a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(a, b, equal_nan=True)


def to_nine_digits(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True)


def exception(answer: Any) -> type | None:
    return type(answer) if isinstance(answer, Exception) else None


# Rules about what happens in between


def writes_to_no_argument(solution: Solution) -> bool:
    """Nothing fails when the arguments cannot be written to."""
    answers = [solution.ask(case, writeable=False) for case in solution.exercise.cases()]
    return not any(isinstance(answer, ValueError) and "read-only" in str(answer) for answer in answers)


def each_call(name: str, test: Callable[[Called], bool]) -> Rule:
    """A function of the module or of the drivers is called, and every call passes that raised nothing."""

    def rule(solution: Solution) -> bool:
        found = [call for call in solution.calls(name) if not isinstance(call.result, Exception)]
        return bool(found) and all(map(test, found))

    return rule
