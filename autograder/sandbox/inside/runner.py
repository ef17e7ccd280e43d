"""The loop in the student's process. The judge believes nothing that is said here; it only asks and compares."""

from __future__ import annotations

import importlib
import inspect
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from types import FunctionType, ModuleType
from typing import Any

import driving  # noqa: F401 (drivers import it, which they could not from behind the locks)
import numpy as np
import wire
from files import write_files

# What NumPy's functions rest on, in C, and where it can be had
BENEATH = {"numpy.convolve": "correlate", "numpy.correlate": "correlate2"}
CORE = ("numpy._core.multiarray", "numpy._core._multiarray_umath")


def serve(io: Connection) -> None:
    """Write (where they are not yet written) and import the submission, then answer until the judge is satisfied."""
    start = wire.decode(io.recv_bytes())
    sys.modules.update(dict.fromkeys(start["absent"]))  # None: importing the name raises ImportError
    for name in BENEATH.values():
        _stand_before(name)
    drivers = ModuleType("drivers")
    exec(compile(start["drivers"], "drivers.py", "exec"), drivers.__dict__)
    if start["files"]:
        write_files(start["folder"], start["files"])
    sys.path.insert(0, start["folder"])
    switches = list(_switches())
    io.send_bytes(_report(0, lambda: importlib.import_module(start["module"]) and None))
    student = sys.modules.get(start["module"])
    settings = [read() for read, _ in switches]
    while True:
        question = wire.decode(io.recv_bytes())
        if what := _unsuitable(student, question):
            io.send_bytes(wire.encode({"id": question["id"], "unsuitable": what}))
            continue
        for (read, write), setting in zip(switches, settings, strict=True):
            if read() != setting:
                write(setting)
        with Watch(question.get("forbidden", ())) as watch:
            frame = _report(question["id"], lambda q=question: _answer(drivers, student, q))
        if watch.touched:
            frame = wire.encode({"id": question["id"], "forbidden": watch.touched[0]})
        io.send_bytes(frame)


def _switches() -> Iterator[tuple[Callable[[], Any], Callable[[Any], Any]]]:
    """How to read and write what one exercise could leave behind for all others: its own import may, a call may not."""
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
    except BaseException as error:
        builtin = next(c for c in type(error).__mro__ if c.__module__ == "builtins")
        return bytes(wire.encode({"id": number, "raised": builtin.__name__, "detail": _describe(error)}))
    try:
        reply = {"id": number, "value": value, "changed": changed, "cpu": time.process_time() - start}
        return bytes(wire.encode(reply))
    except wire.WireError as error:
        return bytes(wire.encode({"id": number, "malformed": _clean(str(error))}))


class Watch:
    """Puts a tripwire in the place of each forbidden name while a question is answered.

    A function in Python is also changed in place, so that it raises wherever and whenever it was taken from there; one
    in C is found by its name alone.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names, self.touched, self.saved = names, [], []  # type: ignore[var-annotated]

    def __enter__(self) -> Watch:
        for name in self.names:
            tripwire = Tripwire(name, self.touched)
            for place in (name, f"{CORE[0]}.{BENEATH.get(name)}"):
                owner, _, attribute = place.rpartition(".")
                module = sys.modules.get(owner)
                if module is not None and hasattr(module, attribute):
                    for function in _functions(getattr(module, attribute)):
                        self._set(function, "__kwdefaults__", {"tripwire": tripwire})
                        self._set(function, "__code__", _trap.__code__)
                    self._set(module, attribute, tripwire)
        return self

    def _set(self, owner: object, attribute: str, value: object) -> None:
        self.saved.append((owner, attribute, getattr(owner, attribute)))
        setattr(owner, attribute, value)

    def __exit__(self, *_: object) -> None:
        for owner, attribute, value in reversed(self.saved):
            setattr(owner, attribute, value)


def _functions(found: Any) -> Iterator[FunctionType]:
    """What is written in Python of a function, a class or a package."""
    for part in vars(found).values() if isinstance(found, type | ModuleType) else [found]:
        function = inspect.unwrap(part)  # NumPy's dispatcher wraps one
        if isinstance(function, FunctionType) and not function.__closure__:  # whose code the trap's could not replace
            yield function


def _trap(*_: object, tripwire: Tripwire, **__: object) -> None:
    """The code of a forbidden function."""
    tripwire()


def _stand_before(name: str) -> None:
    """Put a function in Python before NumPy's ``name``, for a trap to be set in."""

    in_c: Callable[..., Any] = getattr(sys.modules[CORE[0]], name)

    def front(*args: Any, function: Callable[..., Any] = in_c, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    for module in CORE:
        setattr(sys.modules[module], name, front)


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


def _unsuitable(student: Any, question: dict[str, Any]) -> str:
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


def _answer(drivers: ModuleType, student: Any, question: dict[str, Any]) -> tuple[Any, bool]:
    args, kwargs, seed = question["args"], question["kwargs"], question["seed"]
    random.seed(seed)
    np.random.seed(seed)
    if torch := sys.modules.get("torch"):
        torch.manual_seed(seed)
    before = wire.encode([args, kwargs])
    if question["driver"]:
        value = getattr(drivers, question["driver"])(student, *args, **kwargs)
    else:
        value = getattr(student, question["name"])(*args, **kwargs)
    return value, wire.encode([args, kwargs]) != before


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
    return text[:500].encode("utf-8", "replace").decode()
