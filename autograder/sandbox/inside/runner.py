"""The loop in the student's process. The judge believes nothing that is said here; it only asks and compares."""

from __future__ import annotations

import importlib
import inspect
import os
import random
import sys
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any

import numpy as np
import wire
from files import write_files


def serve(io: Connection) -> None:
    """Write (where they are not yet written) and import the submission, then answer until the judge is satisfied."""
    start = wire.decode(io.recv_bytes())
    sys.modules.update(dict.fromkeys(start["absent"]))  # None: importing the name raises ImportError
    drivers = ModuleType("drivers")
    exec(compile(start["drivers"], "drivers.py", "exec"), drivers.__dict__)
    if start["files"]:
        write_files(start["folder"], start["files"])
    sys.path.insert(0, start["folder"])
    io.send_bytes(_report(0, lambda: importlib.import_module(start["module"]) and None))
    student = sys.modules.get(start["module"])
    while True:
        question = wire.decode(io.recv_bytes())
        if what := _unsuitable(student, question):
            io.send_bytes(wire.encode({"id": question["id"], "unsuitable": what}))
            continue
        with Watch(question.get("forbidden", ())) as watch:
            frame = _report(question["id"], lambda q=question: _answer(drivers, student, q))
        if watch.touched:
            frame = wire.encode({"id": question["id"], "forbidden": watch.touched[0]})
        io.send_bytes(frame)


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
    """Puts a tripwire in the place of each forbidden name while a question is answered."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names, self.touched, self.saved = names, [], []  # type: ignore[var-annotated]

    def __enter__(self) -> Watch:
        for name in self.names:
            owner, _, attribute = name.rpartition(".")
            module = sys.modules.get(owner)
            if module is not None and hasattr(module, attribute):
                self.saved.append((module, attribute, getattr(module, attribute)))
                setattr(module, attribute, Tripwire(name, self.touched))
        return self

    def __exit__(self, *_: object) -> None:
        for module, attribute, value in reversed(self.saved):
            setattr(module, attribute, value)


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
