"""The loop in the student's process: import the submission, answer questions.

Student code can change everything here, so the judge checks each reply and measures time itself. Three things it cannot
measure are taken from here: whether an argument was written to, whether a forbidden name was touched, and whether the
exercise could be called.
"""

from __future__ import annotations

import contextlib
import fnmatch
import importlib
import inspect
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from io import BufferedWriter, FileIO, TextIOWrapper
from multiprocessing.connection import Connection
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import driving  # noqa: F401 (drivers import it, which they could not from behind the locks)
import numpy as np
import wire
from copies import agree, rounds, with_copies, write_over
from files import write_files

if TYPE_CHECKING:
    from autograder.sandbox.protocol import NumberedQuestion, Question, Start

# Functions of NumPy → the private function in C that does their work, and the modules that offer it
BENEATH = {"numpy.convolve": "correlate", "numpy.correlate": "correlate2"}
CORE = ("numpy._core.multiarray", "numpy._core._multiarray_umath")
AGAIN = "again"  # copies for a second call, which must not change the answer to the first
AMONG = "among"  # no copies, but other calls before the one that is asked for, which must not show in its answer
OURS = ("copies", "files", "lock", "runner", "wire")  # modules that a child imports by their bare names


def serve(io: Connection, ours: frozenset[str] = frozenset()) -> None:
    """Write (where they are not yet written) and import the submission, then answer until the connection closes.

    ``ours`` are the modules that the zygote had imported. To look at these would copy the memory in which they lie, and
    take longer than most answers.
    """
    _cut_output()
    start: Start = wire.decode(io.recv_bytes())
    for name in start["absent"]:
        sys.modules[name] = None  # type: ignore[assignment]  # importing it raises ImportError
    for name in BENEATH.values():
        _wrap_in_python(name)
    drivers = ModuleType("drivers")
    exec(compile(start["drivers"], "drivers.py", "exec"), drivers.__dict__)
    if start["files"]:
        write_files(start["folder"], start["files"])
    _give_way(start["folder"])
    sys.path.insert(0, start["folder"])
    switches = list(_switches())
    ours = ours or frozenset(sys.modules)
    io.send_bytes(_report(0, lambda: importlib.import_module(start["module"]) and None))
    student = sys.modules.get(start["module"])
    own = [sys.modules[name] for name in [*sys.modules] if name not in ours]
    own = [module for module in own if _lies_in(module, start["folder"])]
    settings = [read() for read, _ in switches]
    while True:
        question: NumberedQuestion = wire.decode(io.recv_bytes())
        for (read, write), setting in zip(switches, settings, strict=True):
            if read() != setting:
                write(setting)
        with Watch(question.get("forbidden", ()), own) as watch:
            if what := _unsuitable(student, question):  # looks at the signature, which may be code of the student's
                frame = bytes(wire.encode({"id": question["id"], "unsuitable": what}))
            else:
                frame = _report(question["id"], partial(_answer, drivers, student, question))
        if watch.touched:
            frame = wire.encode({"id": question["id"], "forbidden": watch.touched[0]})
        io.send_bytes(frame)


class _Cut(FileIO):
    """What is written beyond the limit on a file's size is dropped: whoever prints too much has not failed."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def _cut_output() -> None:
    """Let ``print`` go on where the output is full. A line is written at once, since a killed child flushes nothing."""
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        raw = BufferedWriter(_Cut(descriptor, "w", closefd=False))
        setattr(sys, name, TextIOWrapper(raw, "utf-8", errors="backslashreplace", line_buffering=True))


def _give_way(folder: str) -> None:
    """Let the student's own modules be imported where they are called like one of ours, which is imported already."""
    for name in OURS:
        if os.path.exists(os.path.join(folder, f"{name}.py")) or os.path.isdir(os.path.join(folder, name)):
            sys.modules.pop(name, None)


def _lies_in(module: Any, folder: str) -> bool:
    file = getattr(module, "__file__", None) if isinstance(module, ModuleType) else None
    return isinstance(file, str) and file.startswith(folder + os.sep)


def _switches() -> Iterator[tuple[Callable[[], Any], Callable[[Any], Any]]]:
    """How to read and write each global setting. They are restored before each question to what the import left."""
    set_errors = np.seterr
    yield np.geterr, lambda setting: set_errors(**setting)
    if torch := sys.modules.get("torch"):
        yield torch.is_grad_enabled, torch.set_grad_enabled
        yield torch.get_default_dtype, torch.set_default_dtype
        set_device = torch.set_default_device  # None: as if no device had ever been set
        yield torch.get_default_device, lambda device: set_device(None if device.type == "cpu" else device)
        yield torch.get_num_threads, torch.set_num_threads
        yield torch.is_anomaly_enabled, torch.set_anomaly_enabled
        yield torch.are_deterministic_algorithms_enabled, torch.use_deterministic_algorithms


def _report(number: int, act: Any) -> bytes:
    """What ``act`` came to, as one frame: a value, an exception or an explanation of what cannot travel."""
    start = time.process_time()
    try:
        value, changed = act() or (None, False)
    except Inconsistent:
        return bytes(wire.encode({"id": number, "unsuitable": "inconsistent"}))
    except BaseException as error:
        builtin = next(c for c in type(error).__mro__ if c.__module__ == "builtins")
        return bytes(wire.encode({"id": number, "raised": builtin.__name__, "detail": _describe(error)}))
    try:
        reply = {"id": number, "value": value, "changed": changed, "cpu": time.process_time() - start}
        return bytes(wire.encode(reply))
    except wire.WireError as error:
        return bytes(wire.encode({"id": number, "malformed": _clean(str(error))}))


class Watch:
    """Replaces each forbidden name by a tripwire while a question is answered.

    The code of a function in Python is replaced too, so that it also raises under another name or if it was taken from
    its module earlier. That cannot be done to a function in C: it is replaced in the ``own`` modules of the student,
    whatever its name is there.
    """

    def __init__(self, names: Sequence[str], own: Sequence[ModuleType] = ()) -> None:
        self.names, self.own, self.touched, self.saved = names, own, [], []  # type: ignore[var-annotated]

    def __enter__(self) -> Watch:
        found: dict[int, tuple[object, Tripwire]] = {}
        for name in self.names:
            tripwire = Tripwire(name, self.touched)
            for owner, attribute in _places(name):
                value = getattr(owner, attribute, None)
                found[id(value)] = value, tripwire
                for function in _functions(value):
                    kept = (function.__kwdefaults__ or {}).get("in_c")
                    found[id(kept)] = kept, tripwire
                    self._set(function, "__kwdefaults__", {"tripwire": tripwire})
                    self._set(function, "__code__", _trap.__code__)
                self._set(owner, attribute, tripwire)
        found.pop(id(None), None)
        for module in self.own:
            for key, value in [*vars(module).items()]:
                if id(value) in found:
                    self._set(module, key, found[id(value)][1])
        return self

    def _set(self, owner: object, attribute: str, value: object) -> None:
        self.saved.append((owner, attribute, getattr(owner, attribute)))
        setattr(owner, attribute, value)

    def __exit__(self, *_: object) -> None:
        for owner, attribute, value in reversed(self.saved):
            setattr(owner, attribute, value)


@cache
def _places(name: str) -> list[tuple[Any, str]]:
    """Where a forbidden name can be had, among what is imported: the owner, and the attribute. ``*`` is any letters."""
    found = []
    for place in (name, f"{CORE[0]}.{BENEATH.get(name)}"):
        module, _, pattern = place.rpartition(".")
        owner: Any = sys.modules.get(module.removesuffix(".Tensor"))
        if module.endswith(".Tensor"):
            owner = getattr(owner, "Tensor", None)
        names = fnmatch.filter(dir(owner), pattern) if "*" in pattern else [pattern]
        found += [(owner, attribute) for attribute in names if hasattr(owner, attribute)]
    return found


def _functions(found: Any) -> Iterator[FunctionType]:
    """What is written in Python of a function, a class or a package."""
    for part in vars(found).values() if isinstance(found, type | ModuleType) else [found]:
        function = inspect.unwrap(part)  # NumPy's dispatcher wraps one
        if isinstance(function, FunctionType) and not function.__closure__:  # code cannot replace that of a closure
            yield function


def _trap(*_: object, tripwire: Tripwire, **__: object) -> None:
    """The code of a forbidden function."""
    tripwire()


def _wrap_in_python(name: str) -> None:
    """Wrap NumPy's private function ``name``, in C, in one whose code :class:`Watch` can replace.

    Where a later NumPy has no such function nothing is wrapped, and only the public names are watched.
    """
    in_c = getattr(sys.modules.get(CORE[0]), name, None)
    if in_c is None:
        return

    def wrapper(*args: Any, in_c: Callable[..., Any] = in_c, **kwargs: Any) -> Any:
        return in_c(*args, **kwargs)

    for module in map(sys.modules.get, CORE):
        if module is not None:
            setattr(module, name, wrapper)


class Tripwire:
    """Remembers that it was called or looked into, and raises."""

    def __init__(self, name: str, touched: list[str]) -> None:
        self.name, self.touched = name, touched

    def __call__(self, *_: object, **__: object) -> None:
        self.touched.append(self.name)
        raise RuntimeError(f"{self.name} is forbidden in this exercise")

    def __getattr__(self, name: str) -> None:
        if not name.startswith("__"):
            self()
        raise AttributeError(name)


def _unsuitable(student: Any, question: Question) -> str:
    """What keeps the exercise from being called at all: it is missing, or takes other parameters."""
    try:
        function = getattr(student, question["name"], None)
        if function is None:
            return "missing"
        if not question["driver"]:
            inspect.signature(function).bind(*question["args"], **question["kwargs"])
    except TypeError:
        return "parameters"
    except BaseException:  # it hides its signature: the call will show
        return ""
    return ""


def _answer(drivers: ModuleType, student: Any, question: Question) -> tuple[Any, bool]:
    if question["driver"]:
        call = partial(getattr(drivers, question["driver"]), student)
    else:
        call = getattr(student, question["name"])
    args, kwargs, seed = question["args"], question["kwargs"], question["seed"]
    kind, lent = question.get("copies"), question.get("lent")
    if kind and kind not in (AGAIN, AMONG):
        args, kwargs = with_copies(call, args, kwargs, kind, lent)
    before = wire.encode([args, kwargs])
    value = _among_others(call, args, kwargs, seed) if kind == AMONG else _seeded(call, args, kwargs, seed)
    if kind == AGAIN:
        others, more = with_copies(call, args, kwargs, kind, lent)
        with contextlib.suppress(Exception):
            call(*others, **more)
    return value, wire.encode([args, kwargs]) != before


def _seeded(call: Callable[..., Any], args: Sequence[Any], kwargs: Any, seed: int) -> Any:
    random.seed(seed)
    np.random.seed(seed)
    if torch := sys.modules.get("torch"):
        torch.default_generator.manual_seed(seed)  # manual_seed looks for devices, and takes longer than most answers
    return call(*args, **kwargs)


def _among_others(call: Callable[..., Any], args: Sequence[Any], kwargs: Any, seed: int) -> Any:
    """The answer after calls with other arguments, and after somebody has written into an earlier answer."""
    first: Any = None
    value: Any = None
    for number, others in enumerate(rounds(call, args, kwargs)):
        write_over(value, [args, kwargs])
        for other in others:
            with contextlib.suppress(Exception), other() as (instead, more):
                call(*instead, **more)
        value = _seeded(call, args, kwargs, seed)
        said = wire.decode(bytes(wire.encode([value])))  # which nobody changes any more
        if number and not agree(first, said):
            raise Inconsistent
        first = said
    return value


class Inconsistent(Exception):
    """One question has several answers."""


def _describe(error: BaseException) -> str:
    """Type, message, and the last line of the student's own code that was running."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return _clean(f"it imports {error.name.split('.')[0]}, which is not there when it is graded")
    where, trace = "", error.__traceback__
    while trace:
        name = trace.tb_frame.f_code.co_filename
        if f"{os.sep}submission{os.sep}" in name or not where:
            where = f" ({os.path.basename(name)}, line {trace.tb_lineno})"
        trace = trace.tb_next
    try:
        text = str(error)
    except Exception:
        text = "(its message could not be shown)"
    at_source = isinstance(error, SyntaxError)  # names file and line itself
    return _clean(f"{type(error).__name__}: {text}" + ("" if at_source else where))


def _clean(text: str) -> str:
    return text[: wire.MAX_DETAIL].encode("utf-8", "replace").decode()
