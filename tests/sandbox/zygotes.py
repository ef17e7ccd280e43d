"""What the tests of the sandbox share: questions to a child, and what a zygote has left in the system."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from autograder.outcome import Outcome, Raised, Stopped, Value
from autograder.sandbox.host import ForkedChild, Zygote
from autograder.sandbox.protocol import Program
from autograder.sandbox.wire import encode

SECRET = "term-seed-4f1c"
NOBODY = 65534


class Run(NamedTuple):
    """What came of one question: the outcomes of import and call, CPU seconds of the child, and its output."""

    imported: Outcome
    outcome: Outcome
    used: float
    output: bytes

    @property
    def tree(self) -> Any:
        assert isinstance(self.imported, Value), self.imported
        assert isinstance(self.outcome, Value), self.outcome
        return self.outcome.tree


def question(*args: Any, name: str = "f", seed: int = 1, **kwargs: Any) -> dict[str, Any]:
    return {"name": name, "driver": "", "args": args, "kwargs": kwargs, "seed": seed}


def start(zygote: Zygote, code: str, files: dict[str, str] | None = None, drivers: str = "") -> ForkedChild:
    return zygote.child(Program({"part.py": textwrap.dedent(code), **(files or {})}, "part", drivers))


def ask(zygote: Zygote, code: str, *args: Any, limit: float = 5.0, files: dict[str, str] | None = None) -> Run:
    """Import ``code`` in a fresh child, call its ``f`` with ``args``, end the child."""
    child = start(zygote, code, files)
    try:
        outcome = child.ask(question(*args), limit) if isinstance(child.imported, Value) else child.imported
    finally:
        child.kill()
    return Run(child.imported, outcome, child.used, child.output)


def ended_as(outcome: Outcome, expected: str) -> bool:
    match outcome:
        case Stopped(reason):
            return expected in ("", reason)
        case Raised(name, detail):
            return expected in ("", name) and len(detail) <= 500
    return False


def unconfined(code: str, **options: Any) -> str:
    """The same code in a plain process of ours: the positive control."""
    code = textwrap.dedent(code) + "\nprint(f())"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, **options).stdout


HONEST = """
import numpy as np

def f(x, scale):
    \"\"\"Prints, uses random numbers, warns: all allowed.\"\"\"
    print("debugging")
    np.random.rand(3)
    return {"y": x @ x.T * scale, "n": [len(x), None, "ok"], "r": np.random.rand(4)}
"""


def honest(zygote: Zygote) -> bytes:
    return encode(ask(zygote, HONEST, np.arange(12.0).reshape(3, 4), 0.5).tree)


in_namespaces = pytest.mark.parametrize("isolation", ["namespaces"], indirect=True)
in_container = pytest.mark.parametrize("isolation", ["container"], indirect=True)


@contextmanager
def unharmed(zygote: Zygote, answer: bytes) -> Iterator[Zygote]:
    """Afterwards it must answer as at first, hold no child, and have left no file."""
    files = in_root(zygote)
    yield zygote
    assert honest(zygote) == answer
    assert not eventually_remaining(zygote)
    assert in_root(zygote) == files


def offspring(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def inner_pid(zygote: Zygote) -> int:
    """The zygote itself as this namespace sees it: behind a wall, the child of bubblewrap's first process."""
    if zygote.isolation == "container":
        return zygote.process.pid
    (init,) = offspring(zygote.process.pid)
    return min(offspring(init))


def remaining(zygote: Zygote) -> list[int]:
    """Every process of the sandbox but bubblewrap and the zygote, zombies too."""
    own = inner_pid(zygote)
    if zygote.isolation == "container":
        return offspring(own)
    (init,) = offspring(zygote.process.pid)
    return [*offspring(own), *(pid for pid in offspring(init) if pid != own)]


def eventually_remaining(zygote: Zygote) -> list[int]:
    """What still remains a moment later: the zygote buries its children by itself."""
    end = time.monotonic() + 2
    while (left := remaining(zygote)) and time.monotonic() < end:
        time.sleep(0.001)
    return left


def in_root(zygote: Zygote) -> list[str]:
    """Every file in the folder of a zygote without bubblewrap."""
    return sorted(map(str, Path(zygote.root.name).rglob("*"))) if zygote.root else []


def is_zombie(pid: int) -> bool:
    return ") Z " in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")


def descriptors() -> set[str]:
    gc.collect()
    return set(os.listdir("/proc/self/fd"))
