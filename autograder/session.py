"""One part's questions to one submission, put to as many children as it takes, within the part's budget."""

from __future__ import annotations

from autograder.import_failure import import_sentence
from autograder.limits import USUAL, Limits
from autograder.outcome import NotImported, Outcome, Raised, Stopped, Value
from autograder.pace import Pace
from autograder.sandbox.mounts import importable
from autograder.sandbox.protocol import Child, Program, Question

PART_BUDGET = 40.0  # nominal seconds of CPU that one part may use in all
PART_IDLE = 15.0  # seconds in which it may neither compute nor wait for a processor
PART_WALL = 900.0  # seconds in which the judge may wait for it
UNREAD = 64 << 20  # what a reply counts for that the judge had to give up reading


class Session:
    """Asks; close it. ``used`` and ``idle`` are seconds, ``output`` is what the children printed once it is closed."""

    def __init__(self, program: Program, pace: Pace, limits: Limits = USUAL) -> None:
        self.program, self.pace, self.limits = program, pace, limits
        self.spent = 0.0  # nominal seconds of the budget
        self.received = 0  # bytes of answers
        self.child: Child | None = None
        self.broken: NotImported | None = None
        self.started = self.doubted = False
        self.output = b""
        self._used = self._idle = self._waited = 0.0  # of children that have ended

    @property
    def used(self) -> float:
        return self._used + (self.child.used if self.child else 0.0)

    @property
    def idle(self) -> float:
        return self._idle + (self.child.slept if self.child else 0.0)

    @property
    def waited(self) -> float:
        return self._waited + (self.child.waited if self.child else 0.0)

    def close(self) -> None:
        if self.child:
            self.child.kill()
            self.output += self.child.output
            self._used, self._idle, self._waited, self.child = self.used, self.idle, self.waited, None

    def not_imported(self) -> str:
        """Why the part cannot be imported, before the first question; empty if it can."""
        self._start()
        return self.broken.detail if self.broken else ""

    @property
    def attacked(self) -> bool:
        """Whether the child ended, or did something that no accident does, while it imported."""
        failure = self.child.imported if self.child else None
        return isinstance(failure, Stopped) and failure.reason not in ("time", "waiting")

    def ask(self, question: Question, cpu_limit: float) -> Outcome:
        """The outcome of a question that may take ``cpu_limit`` nominal seconds of CPU.

        A stop for time counts only once the question was asked again, in a fresh child and at the pace of that moment.
        """
        spent = self.spent
        outcome = self._ask(question, cpu_limit)
        if outcome == Stopped("time") or (outcome == Stopped("waiting") and not self.doubted):
            self.doubted |= outcome == Stopped("waiting")  # a whole class that sleeps would cost too much twice
            self.spent = spent
            self.pace.measure()
            outcome = self._ask(question, cpu_limit)
        return outcome

    def _ask(self, question: Question, cpu_limit: float) -> Outcome:
        if not self.broken and not (self.child and self.child.alive) and not self._over():
            self._start()
        if self.broken:
            return self.broken
        if self._over():
            return Stopped("answers" if self.received >= self.limits.answers else "budget")
        assert self.child
        limit, before = min(cpu_limit, PART_BUDGET - self.spent), self.child.used
        outcome = self.child.ask(question, limit * self.pace.factor)
        self._charge(self.child.used - before, limit)
        if isinstance(outcome, Value):
            self.received += outcome.weight
        elif outcome == Stopped("protocol"):
            self.received += UNREAD
        return outcome

    def _charge(self, seconds: float, limit: float) -> None:
        self.spent += min(seconds / self.pace.factor, limit)

    def _over(self) -> bool:
        """Whether the budget is used up, also at the pace of this moment."""
        if self.received >= self.limits.answers or self.idle >= PART_IDLE or self.waited >= PART_WALL:
            return True
        if self.spent < PART_BUDGET:
            return False
        assumed = self.pace.factor
        self.pace.measure()
        self.spent *= min(1.0, assumed / self.pace.factor)
        return self.spent >= PART_BUDGET

    def _start(self) -> None:
        again = self.started
        self.close()
        self.started, self.child = True, self.pace.sandbox.child(self.program, self.pace.factor)
        failure = self.child.imported
        if failure == Stopped("time") or (failure == Stopped("waiting") and not self.doubted):
            self.doubted |= failure == Stopped("waiting")
            self.close()
            self.pace.measure()
            self.child = self.pace.sandbox.child(self.program, self.pace.factor)
            failure = self.child.imported
        self._charge(self.child.used, PART_BUDGET)
        if isinstance(failure, Raised | Stopped):
            there = importable(self.pace.sandbox.runtime)
            sentence = import_sentence(self.program.module, self.program.files, failure, there)
            if again:  # an earlier child has seen hidden inputs, and even the name of an exception could tell of them
                sentence = f"{self.program.module}.py could not be imported a second time."
            self.broken = NotImported(sentence)
