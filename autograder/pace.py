"""How fast a sandbox is at this moment, so that limits in seconds of CPU do not depend on machine and load.

Limits are nominal: seconds on a quiet machine like the one on which they were set. On a busy machine processes share
caches and cores, and the same work can take three times the CPU.
"""

from __future__ import annotations

from autograder.outcome import Value
from autograder.sandbox.protocol import Program, Question, Sandbox, SandboxError

NOMINAL = 0.015  # seconds of CPU that WORK takes on that machine, the least of REPEATS
REPEATS = 3
SLOWEST = 20.0  # how much slower than nominal a machine may count as
ALLOWED = 10.0  # seconds of CPU before the measurement itself is given up

# What exercises do: loops over Python numbers, small and larger arrays, memory.
WORK = """
import numpy as np


def work():
    total = 0
    for i in range(60_000):
        total += i * i % 7
    a = np.arange(40_000.0).reshape(200, 200) / 40_000
    for _ in range(10):
        a = np.sort(a @ a / 200, axis=0)
    for i in range(6_000):
        a[i % 200] += a[0, i % 200]
    return total
"""
QUESTION: Question = {"name": "work", "driver": "", "args": (), "kwargs": {}, "seed": 0}


class Pace:
    """``factor`` is how many seconds of CPU in this sandbox count as one: 1 or more, as last measured."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox, self.factor = sandbox, 1.0

    def measure(self) -> None:
        """Look again, in a child like those that are limited.

        Raises:
            SandboxError: the measurement did not come to an end.
        """
        child = self.sandbox.child(Program({"pace.py": WORK}, "pace", ""))
        try:
            outcomes = [child.ask(QUESTION, ALLOWED) for _ in range(REPEATS) if child.alive]
        finally:
            child.kill()
        seconds = [outcome.cpu for outcome in outcomes if isinstance(outcome, Value)]
        if not seconds:
            raise SandboxError(f"The {self.sandbox.runtime} sandbox is too slow to work with.")
        self.factor = min(max(1.0, min(seconds) / NOMINAL), SLOWEST)
