"""Limits of time, in sandboxes that only pretend: nobody's grade depends on how busy the machine is."""

from __future__ import annotations

import numpy as np
import pytest

from autograder import session as limits
from autograder.outcome import NotImported, Outcome, Stopped, Value
from autograder.pace import NOMINAL, SLOWEST, Pace
from autograder.sandbox.protocol import Program, Question, SandboxError
from autograder.session import Session

QUESTION: Question = {"name": "f", "driver": "", "args": (), "kwargs": {}, "seed": 0}
PROGRAM = Program({"part.py": ""}, "part", "")


class Child:
    """Needs ``work`` nominal seconds for an answer on a machine that is ``busy`` times slower."""

    def __init__(self, machine: Machine, work: float, imported: Outcome) -> None:
        self.machine, self.work, self.imported = machine, work, imported
        self.alive, self.output, self.used, self.slept, self.waited = True, b"", 0.0, 0.0, 0.0

    def ask(self, question: Question, cpu_limit: float) -> Outcome:
        if self.machine.sleeping and self.work != NOMINAL:
            self.slept += 5.0
            self.alive = False
            return Stopped("waiting")
        needed = self.work * self.machine.busy
        self.used += min(needed, cpu_limit)
        self.waited += min(needed, cpu_limit)
        self.alive = needed <= cpu_limit and not isinstance(self.machine.answers, Stopped)
        if needed > cpu_limit:
            return Stopped("time")
        return self.machine.answers or Value(None, cpu=needed)

    def kill(self) -> None:
        self.alive = False


class Machine:
    """A sandbox. ``children`` counts those that were made for a submission."""

    runtime, isolation = "numpy", "spawn"

    def __init__(self, work: float = 0.0, busy: float = 1.0) -> None:
        self.work, self.busy, self.sleeping, self.children = work, busy, False, 0
        self.layers: list[str] = []
        self.imported: Outcome = Value(None)
        self.answers: Outcome | None = None

    def child(self, program: Program, slowness: float = 1.0) -> Child:
        if program.module == "pace":
            return Child(self, NOMINAL, Value(None))
        self.children += 1
        return Child(self, self.work, self.imported)

    def close(self) -> str:
        return ""


def session(machine: Machine) -> Session:
    return Session(PROGRAM, Pace(machine))


@pytest.mark.parametrize("busy", [1.0, 3.0, 10.0])
@pytest.mark.parametrize(("work", "answered"), [(0.1, True), (1.9, True), (2.1, False), (1e9, False)])
def test_a_call_is_stopped_or_not_whatever_the_load(work: float, answered: bool, busy: float) -> None:
    outcome = session(Machine(work, busy)).ask(QUESTION, 2.0)
    assert isinstance(outcome, Value) == answered
    assert answered or outcome == Stopped("time")


def test_a_load_that_has_passed_costs_nothing() -> None:
    machine = Machine(work=0.5, busy=8.0)
    asked = session(machine)
    measure = asked.pace.measure

    def quieter() -> None:
        machine.busy = 1.0
        measure()

    asked.pace.measure = quieter  # type: ignore[method-assign]
    assert isinstance(asked.ask(QUESTION, 2.0), Value)


def test_a_loop_without_end_is_asked_twice_and_charged_once() -> None:
    machine = Machine(work=1e9)
    asked = session(machine)
    assert asked.ask(QUESTION, 2.0) == Stopped("time")
    assert machine.children == 2
    assert asked.spent == 2.0
    assert asked.used == 4.0


@pytest.mark.parametrize("busy", [1.0, 4.0])
def test_the_budget_of_a_part_is_in_nominal_seconds(busy: float) -> None:
    asked = session(Machine(work=1.0, busy=busy))
    outcomes = [asked.ask(QUESTION, 2.0) for _ in range(int(limits.PART_BUDGET) + 3)]
    assert sum(isinstance(outcome, Value) for outcome in outcomes) == int(limits.PART_BUDGET)
    assert outcomes[-1] == Stopped("budget")


@pytest.mark.parametrize("busy", [1.0, 4.0])
def test_loops_without_end_use_up_the_budget_after_as_many_questions(busy: float) -> None:
    asked = session(Machine(work=1e9, busy=busy))
    outcomes = [asked.ask(QUESTION, 2.0) for _ in range(int(limits.PART_BUDGET))]
    assert outcomes.count(Stopped("time")) == int(limits.PART_BUDGET / 2)
    assert outcomes[-1] == Stopped("budget")


def test_waiting_is_doubted_once() -> None:
    machine = Machine(work=0.1)
    asked = session(machine)
    machine.sleeping = True
    assert [asked.ask(QUESTION, 2.0) for _ in range(3)] == [Stopped("waiting"), Stopped("waiting"), Stopped("budget")]
    assert asked.idle == limits.PART_IDLE  # 5 seconds each, the first of them twice


def test_a_part_cannot_be_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PART_WALL", 3.0)
    asked = session(Machine(work=1.0))
    assert [type(asked.ask(QUESTION, 2.0)) for _ in range(4)] == [Value, Value, Value, Stopped]


def test_what_cannot_be_imported_is_asked_nothing() -> None:
    machine = Machine()
    machine.imported = Stopped("died")
    asked = session(machine)
    first, second = asked.ask(QUESTION, 2.0), asked.ask(QUESTION, 2.0)
    assert first == second
    assert isinstance(first, NotImported)
    assert machine.children == 1


@pytest.mark.parametrize(("busy", "factor"), [(0.2, 1.0), (1.0, 1.0), (2.5, 2.5), (1e6, SLOWEST)])
def test_a_pace_has_bounds(busy: float, factor: float) -> None:
    pace = Pace(Machine(busy=busy))
    if busy > 100:
        with pytest.raises(SandboxError, match="too slow to work with"):
            pace.measure()
        return
    pace.measure()
    assert pace.factor == pytest.approx(factor)


@pytest.mark.parametrize(("outcome", "answered"), [(Value(np.zeros(1 << 23)), 8), (Stopped("protocol"), 8)])
def test_the_answers_of_a_part_are_bounded_together(outcome: Outcome, answered: int) -> None:
    """64 MiB each, kept or not: hundreds of them would cost the judge minutes."""
    machine = Machine()
    asked = session(machine)
    machine.answers = outcome
    outcomes = [asked.ask(QUESTION, 2.0) for _ in range(20)]
    assert [got == Stopped("answers") for got in outcomes] == [False] * answered + [True] * (20 - answered)


def test_honest_answers_are_far_from_that_bound() -> None:
    machine = Machine()
    asked = session(machine)
    machine.answers = Value([np.zeros(1 << 12)] * 4)
    assert all(isinstance(asked.ask(QUESTION, 2.0), Value) for _ in range(1000))
