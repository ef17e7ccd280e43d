"""One part's questions to one submission, put to as many children as it takes, within the part's budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from autograder.compare import STOPPED
from autograder.outcome import Malformed, NotImported, Outcome, Raised, Stopped, Value
from autograder.sandbox.host import Child, Source, Zygote
from autograder.sandbox.spawned import SpawnedChild, Spawner

PART_BUDGET = 30.0  # seconds of CPU that one part may use in all
PART_IDLE = 15.0  # seconds in which it may neither compute nor wait for a processor


class Session:
    """Asks; close it."""

    def __init__(self, zygote: Zygote | Spawner, source: Source) -> None:
        self.zygote, self.source, self.spent, self.slept = zygote, source, 0.0, 0.0
        self.child: Child | SpawnedChild | None = None
        self.broken: NotImported | None = None
        self.doubted = False
        self.output = b""

    @property
    def used(self) -> float:
        return self.spent + (self.child.used if self.child else 0.0)

    @property
    def idle(self) -> float:
        return self.slept + (self.child.slept if self.child else 0.0)

    def close(self) -> None:
        if self.child:
            self.child.kill()
            self.output += self.child.output
            self.spent, self.slept, self.child = self.used, self.idle, None

    def ask(self, questions: Iterable[Mapping[str, Any]], cpu_limit: float) -> Outcome:
        """The outcome of the first question; if it is a value, with the least CPU time of all."""
        outcomes: list[Outcome] = []
        for question in questions:
            if self.broken:
                return self.broken
            if self.used >= PART_BUDGET or self.idle >= PART_IDLE:
                return Stopped("budget")
            if not (self.child and self.child.alive):
                self._start()
            if self.broken:
                return self.broken
            assert self.child
            outcome = self.child.ask(question, min(cpu_limit, PART_BUDGET - self.used))
            if outcome == Stopped("waiting") and not self.doubted:
                self.doubted = True  # the machine may have been at fault, once
                self._start()
                outcome = self.broken or self.child.ask(question, min(cpu_limit, PART_BUDGET - self.used))
            if not isinstance(outcome, Value):
                return outcome
            outcomes.append(outcome)
        first = outcomes[0]
        assert isinstance(first, Value)
        return replace(first, cpu=min(o.cpu for o in outcomes if isinstance(o, Value)))

    def _start(self) -> None:
        again = self.child is not None
        self.close()
        self.child = self.zygote.child(self.source)
        file = f"{self.source.module}.py could not be imported"
        if again and not isinstance(self.child.imported, Value):
            # a second child may have learnt a hidden input from the first, and could say it in its message
            self.broken = NotImported(f"{file} a second time.")
            return
        match self.child.imported:
            case Raised(_, detail) | Malformed(detail):
                self.broken = NotImported(f"{file}: {detail}.")
            case Stopped(reason):
                self.broken = NotImported(f"{file}: it {STOPPED[reason]}.")
