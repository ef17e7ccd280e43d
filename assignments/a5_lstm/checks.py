# Generated from autograder/student/checks.py by "python -m autograder build": change it there.
"""What the visible tests share: criteria, the student's module, and comparisons that explain themselves.

The same test file runs under pytest, where a criterion is a plain test function, and under otter, where it is one of
otter's test cases. Neither is imported here before it is needed.
"""

from __future__ import annotations

import ast
import math
import sys
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from agreement import NoArray, OtherKind, OtherShape, OtherValues, as_array, difference

HERE = Path(__file__).resolve().parent
OURS = ("agreement.py", "checks.py", "conftest.py", "labkit.py")  # lines of these are not shown as the student's
NOT_STARTED = "not started"
EXECUTED: dict[str, ModuleType] = {}  # by ``student``, the last one of each name

Copy = Callable[[np.ndarray], np.ndarray]


class Criterion(NamedTuple):
    """A named share of an exercise's points, won by one test function."""

    name: str
    points: float
    hint: str


class Call(NamedTuple):
    """What a function is called with."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Failed(AssertionError):
    """A check did not hold; the message is written for the student."""


class NotImported(Failed):
    """A module of the student's is missing or cannot be imported."""


def criterion(name: str, points: float, hint: str) -> Callable[[Callable[[], None]], Any]:
    """Make a function without parameters the test of one criterion, for whichever runner reads the file."""

    def mark(test: Callable[[], None]) -> Any:
        if "__name__" not in test.__globals__:  # otter executes the file in a bare namespace
            return _otter_case(test, Criterion(name, points, hint))
        test.criterion = Criterion(name, points, hint)  # type: ignore[attr-defined]
        return test

    return mark


def student(name: str) -> ModuleType:
    """The student's module ``name``, executed afresh from the file as it is now.

    It stays in ``sys.modules``, where classes that it defines later look it up. But what a notebook has imported under
    that name stays as it is.

    Raises:
        NotImported: the file is missing or does not execute; the message names file and line.
    """
    path = HERE / f"{name}.py"
    if not path.is_file():
        raise NotImported(f"There is no {path.name} in {HERE}.")
    module = ModuleType(name)
    module.__file__ = str(path)
    imported = sys.modules.get(name)
    sys.modules[name] = module
    executed = False
    try:
        tree = ast.parse(path.read_bytes(), str(path))
        _check_imports(path, tree)
        exec(compile(tree, str(path), "exec", dont_inherit=True), vars(module))
        executed = True
    except NotImported:
        raise
    except SyntaxError as error:
        place = Path(error.filename or path).name + (f", line {error.lineno}" if error.lineno else "")
        raise NotImported(f"{place}: {type(error).__name__}: {error.msg}") from error
    except (Exception, SystemExit) as error:
        frames = own_frames(error)
        place = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else path.name
        raise NotImported(f"{place}: {_name_and_message(error)}") from error
    finally:
        if imported is not None and imported is not EXECUTED.get(name):
            sys.modules[name] = imported
        elif not executed:
            del sys.modules[name]
    EXECUTED[name] = module
    return module


def _check_imports(path: Path, tree: ast.Module) -> None:
    """Say now what would cost the whole file later: a package that is not there when it is graded."""
    there = {"numpy", "jaxtyping", *(["torch"] if path.stem.endswith("_torch") else [])}
    own = {file.stem for file in HERE.glob("*.py")} | {folder.name for folder in HERE.iterdir() if folder.is_dir()}
    for node in tree.body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        for name in (name.split(".")[0] for name in names):
            if name not in there | own | sys.stdlib_module_names:
                raise NotImported(
                    f"{path.name}, line {node.lineno}: {name} is not there when this file is graded; "
                    f"use {' and '.join(sorted(there))} and the standard library."
                )


def equal(got: Any, want: Any, rtol: float = 1e-9, *, what: str = "The result") -> None:
    """Hold a result to the expected one: shape, then type, then values.

    Numbers of any precision will do for numbers, and only truth values for truth values. Values agree when
    max|got - want| <= rtol * max|want|; nothing is broadcast, and what is not finite must be met exactly. Grading
    compares by the same rule, with tolerances of its own, and integers exactly.

    Args:
        got: what the student's code returned: an array, a number, a list, or a tensor where ``want`` is one.
        want: the expected array or number. Whole numbers stand for real ones, which are often written so.
        rtol: tolerance relative to the largest expected magnitude.
        what: how the message calls the result.

    Raises:
        Failed: with the first difference in words.
    """
    __tracebackhide__ = True
    if hasattr(want, "detach") and not hasattr(got, "detach"):
        raise Failed(f"{what} is {_describe(got)}, expected a tensor.")
    want = as_array(want)
    want = want.astype(np.float64) if want.dtype.kind in "iu" else want
    expected = f"an array of shape {want.shape}" if want.ndim else "a number"
    if got is None:
        raise Failed(f"{what} is None, expected {expected}: is a return statement missing?")
    found = difference(got, want, rtol)
    match found:
        case NoArray(ragged=True) if isinstance(got, list):
            raise Failed(f"{what} is a list whose rows differ in length, expected {expected}.")
        case NoArray():
            raise Failed(f"{what} is {_describe(got)}, expected {expected}.")
        case OtherShape(array):
            raise Failed(f"{what} has shape {array.shape}, expected {want.shape}.")
        case OtherKind(array):
            kind = "True or False" if want.dtype.kind == "b" else "real numbers"
            raise Failed(f"{what} has dtype {array.dtype}, expected {kind}.")
        case OtherValues():
            raise Failed(f"{what} {_first(found, want)}.")


def has_dtype(got: Any, dtype: Any, *, what: str = "The result") -> None:
    """Hold a returned array to a dtype, whatever its values.

    Raises:
        Failed: it is no array, or has another dtype.
    """
    __tracebackhide__ = True
    if not isinstance(got, np.ndarray | np.generic):
        raise Failed(f"{what} is {_describe(got)}, expected an array of dtype {np.dtype(dtype)}.")
    if got.dtype != dtype:
        raise Failed(f"{what} has dtype {got.dtype}, expected {np.dtype(dtype)}.")


def raises(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Hold ``function(*args, **kwargs)`` to raising a ValueError.

    Raises:
        Failed: it returned, or raised something else.
    """
    __tracebackhide__ = True
    try:
        got = function(*args, **kwargs)
    except ValueError:
        return
    except NotImplementedError:
        raise
    except Exception as error:
        raise Failed(f"Expected a ValueError, got {_name_and_message(error)}") from error
    described = f"a {type(got).__name__}" if _describe(got).startswith("of type") else _describe(got)
    raise Failed(f"Expected a ValueError, but the function returned {described}.")


def unpack(result: Any, *names: str) -> tuple[Any, ...]:
    """The elements of a returned tuple, one for each name.

    Raises:
        Failed: it is no tuple, or one of another length.
    """
    __tracebackhide__ = True
    if not isinstance(result, tuple | list):
        raise Failed(f"The result is {_describe(result)}, expected a tuple ({', '.join(names)}).")
    if len(result) != len(names):
        raise Failed(f"The result has length {len(result)}, expected {len(names)}: ({', '.join(names)}).")
    return tuple(result)


def call(*args: Any, **kwargs: Any) -> Call:
    """``call(x, h, stride=2)`` reads like the call that it stands for."""
    return Call(args, kwargs)


def keeps_dtype(name: str, calls: Mapping[str, Call], *, first: Collection[str] = ()) -> None:
    """Hold the functions of a module to the same answer, in float32, where all arrays of a call are float32.

    Numbers and lists have no dtype. A function that is not written, or fails otherwise, is not asked: its own tests say
    so.

    Args:
        name: of the student's module.
        calls: function -> a call of it with arrays in float64.
        first: functions of whose answer, a tuple, only the first element is looked at.

    Raises:
        Failed: a function breaks the promise, or fewer than half of them return anything.
    """
    __tracebackhide__ = True

    def broken(function: str, plain: Any, again: Any, changed: bool) -> str:
        if function in first:
            plain, again = (answer[:1] if isinstance(answer, tuple | list) else answer for answer in (plain, again))
        arrays = [leaf for leaf in _leaves(again) if isinstance(leaf, np.ndarray) and leaf.ndim]
        if other := [array.dtype for array in arrays if array.dtype.kind == "f" and array.dtype != np.float32]:
            return f"returns {other[0]} for float32 arguments"
        return "" if _agree(plain, again, 1e-4) else "returns something else for float32 arguments"

    _hold(name, calls, [_float32], broken)


def widens_dtype(name: str, calls: Mapping[str, Call]) -> None:
    """Hold the functions of a module to float64, and to the answer that they give where all arrays are float64, where
    one array of a call is float64 or holds integers.

    Parameters and errors are those of :func:`keeps_dtype`, but the calls have such arrays.
    """
    __tracebackhide__ = True

    def broken(function: str, wide: Any, mixed: Any, changed: bool) -> str:
        arrays = [leaf for leaf in _leaves(mixed) if isinstance(leaf, np.ndarray) and leaf.ndim]
        if other := [array.dtype for array in arrays if array.dtype != np.float64]:
            return f"returns {other[0]} where one argument is float64 or holds integers"
        return "" if _agree(wide, mixed, 1e-9) else "returns something else where the dtypes of arguments differ"

    _hold(name, calls, [np.copy], broken, plain=_float64)


def keeps_strides(name: str, calls: Mapping[str, Call]) -> None:
    """Hold the functions of a module to the same answer where the arrays of a call lie in memory in another order, or
    are :func:`strided`.

    Parameters and errors are those of :func:`keeps_dtype`.
    """
    __tracebackhide__ = True

    def broken(function: str, plain: Any, again: Any, changed: bool) -> str:
        return "" if _agree(plain, again, 1e-9) else "returns something else for arguments with other strides"

    _hold(name, calls, [_fortran, strided], broken)


def keeps_arguments(name: str, calls: Mapping[str, Call]) -> None:
    """Hold the functions of a module to leaving their arguments as they are.

    Parameters and errors are those of :func:`keeps_dtype`.
    """
    __tracebackhide__ = True

    def broken(function: str, plain: Any, again: Any, changed: bool) -> str:
        return "writes into its arguments" if changed else ""

    _hold(name, calls, [np.copy], broken)


def strided(array: np.ndarray) -> np.ndarray:
    """A copy whose axes lie in memory in the opposite order, backwards and with gaps."""
    room = np.zeros([2 * side for side in reversed(array.shape)], array.dtype)
    view = room.T[tuple(slice(None, None, -2) for _ in array.shape)]
    view[...] = array
    return view


def integers(*shape: int) -> np.ndarray:
    """Whole numbers from -4 to 4 in float64, without a visible pattern and the same on every machine."""
    k = np.arange(1, 1 + math.prod(shape))
    return (k**3 % 101 % 9 - 4.0).reshape(shape)


def waves(*shape: int, of: Copy = np.sin) -> np.ndarray:
    """Numbers between -1 and 1 without a visible pattern; with ``of=np.cos`` others."""
    return of(np.arange(1.0, 1 + math.prod(shape)) ** 2).reshape(shape)


def devices() -> list[str]:
    """Where what is written in PyTorch is tested: on the CPU, and on a CUDA device where there is one."""
    import torch

    return ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]


def explain(error: BaseException, exercise: str) -> tuple[str, str]:
    """What went wrong in words, and the line of the student's code where it did ("" where none was running)."""
    if isinstance(error, NotImported):
        return str(error), ""
    frames = own_frames(error.__cause__ if isinstance(error, Failed) and error.__cause__ else error)
    sentence = str(error) if isinstance(error, Failed) else _name_and_message(error)
    if isinstance(error, NotImplementedError):
        unwritten = str(error)
        if unwritten.split(".")[0] == exercise:
            return NOT_STARTED, ""
        if unwritten.isidentifier() and len(frames) > 1:
            sentence = f"It needs {unwritten}, which is not started."
            frames.pop()
    if isinstance(error, AttributeError) and isinstance(error.obj, ModuleType) and not frames:
        sentence = f"{error.obj.__name__}.py defines no {error.name}."
    return sentence, f"{Path(frames[-1].filename).name}:{frames[-1].lineno}: {frames[-1].line}" if frames else ""


def own_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The frames of an error's traceback that lie in the student's own files, the innermost last."""
    theirs = {path for path in HERE.glob("*.py") if path.name not in OURS}
    return [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).resolve() in theirs]


def _float32(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32 if array.dtype == np.float64 else array.dtype)


def _float64(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64)


def _fortran(array: np.ndarray) -> np.ndarray:
    return np.array(array, order="F")


def _hold(
    name: str,
    calls: Mapping[str, Call],
    copies: Sequence[Copy],
    broken: Callable[[str, Any, Any, bool], str],
    plain: Copy = np.copy,
) -> None:
    """Hold functions to what ``broken`` says, if anything, of a function, its answer to a call with ``plain`` copies of
    all arrays, its answer to the same call with other copies, and whether those were written to. The first sentence for
    each function counts.
    """
    __tracebackhide__ = True
    module = student(name)
    answers, unwritten = {}, 0
    for function, given in calls.items():
        try:
            answers[function], _ = _ask(getattr(module, function), given, plain)
        except NotImplementedError:
            unwritten += 1
        except Exception:  # its own tests show it
            continue
    if unwritten == len(calls):
        raise Failed(NOT_STARTED)
    if 2 * len(answers) < len(calls):
        raise Failed(f"Fewer than half of the functions of {name}.py return anything yet.")
    found = dict[str, str]()
    for function, answer in answers.items():
        for copy in copies:
            try:
                sentence = broken(function, answer, *_ask(getattr(module, function), calls[function], copy))
            except Exception as error:
                sentence = f"raises {_name_and_message(error)}"
            if sentence:
                found.setdefault(function, f"{function} {sentence}")
    if found:
        raise Failed(f"{'; '.join(found.values())}.")


def _ask(function: Callable[..., Any], given: Call, copy: Copy) -> tuple[Any, bool]:
    """The answer to a call with copies of all arrays, and whether it has changed one of those."""
    args, kwargs = _copied(given, copy)
    before = _written((args, kwargs))
    answer = function(*args, **kwargs)
    return answer, _written((args, kwargs)) != before


def _written(tree: Any) -> list[Any]:
    """What the arrays in a tree hold, to be compared."""
    arrays = (leaf for leaf in _leaves(tree) if isinstance(leaf, np.ndarray))
    return [(array.dtype, array.shape, array.tobytes()) for array in arrays]


def _copied(tree: Any, copy: Copy) -> Any:
    if isinstance(tree, dict):
        return {key: _copied(value, copy) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        copies = [_copied(value, copy) for value in tree]
        return copies if isinstance(tree, list) else tuple(copies)
    if isinstance(tree, np.ndarray) and tree.ndim:
        return copy(tree)
    return deepcopy(tree)  # a generator must not go on where the last call left it


def _leaves(tree: Any) -> Iterator[Any]:
    if isinstance(tree, dict | list | tuple):
        for item in tree.values() if isinstance(tree, dict) else tree:
            yield from _leaves(item)
    else:
        yield tree


def _agree(plain: Any, again: Any, rtol: float) -> bool:
    """Whether two answers hold the same numbers, as far as they are made of numbers."""
    mine, theirs = list(_leaves(plain)), list(_leaves(again))
    if len(mine) != len(theirs):
        return False
    try:
        wanted = [as_array(leaf) for leaf in mine]
    except TypeError:
        return True
    return not any(difference(got, want, rtol) for got, want in zip(theirs, wanted, strict=True))


def _otter_case(test: Callable[[], None], about: Criterion) -> Any:
    """``test`` as one of otter's test cases, with the explanation in place of the bare exception."""
    from otter.test_files import test_case

    class Case(test_case):  # type: ignore[misc]
        def call_func(self, global_environment: dict[str, Any]) -> None:
            try:
                self.test_func()
            except (Exception, SystemExit) as error:
                sentence, line = explain(error, test.__globals__["name"])
                hint = "" if sentence == NOT_STARTED else f"Hint: {about.hint}"
                message = "\n".join(part for part in (sentence, line, hint) if part)
                # Otter quotes the line of the frame below this one, which is the test's.
                below = error.__traceback__.tb_next if error.__traceback__ else None
                raise Failed(message).with_traceback(below) from None

        def __reduce__(self) -> Any:  # otter logs each check, and a local class cannot be pickled
            return test_case, (about.name, about.points)

    return Case(about.name, about.points)(test)


def _first(found: OtherValues, want: np.ndarray) -> str:
    """The first value that differs, and how many do."""
    if not want.ndim:
        return f"is {_show(found.got)}, expected {_show(want)}"
    first = tuple(np.argwhere(found.where)[0])
    place, values = ", ".join(map(str, first)), f"got {_show(found.got[first])}, expected {_show(want[first])}"
    return f"differs first at [{place}]: {values} ({np.count_nonzero(found.where)} of {want.size} entries differ)"


def _show(number: Any) -> str:
    value = number.item()
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _describe(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and dtype {value.dtype}"
    return f"of type {type(value).__name__}"


def _name_and_message(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".strip(": ")
