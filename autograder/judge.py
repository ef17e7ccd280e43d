"""Grade submissions of one assignment: ask the reference and the submission the same questions, compare, score.

The reference runs in the same kind of sandbox as the students' code, in a child that has ended before theirs begins;
expected outcomes exist only in this process.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
import random
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from autograder.compare import STOPPED, Failure
from autograder.course import Assignment, Case, CourseError, Criterion, Exercise, Inputs, Misconception, Part, Runtime
from autograder.diagnosis import diagnose
from autograder.forbidden import Sources
from autograder.outcome import Malformed, NotImported, Outcome, Raised, Stopped, Unsuitable, Value
from autograder.patch import apply
from autograder.results import ExerciseResult, RunRecord, SubmissionResult
from autograder.sandbox.host import Child, SandboxError, Source, Zygote
from autograder.sandbox.isolation import start
from autograder.sandbox.spawned import SpawnedChild, Spawner
from autograder.scoring import Failures, not_handed_in, score
from autograder.submission import Submission

PART_BUDGET = 30.0  # seconds of CPU that one part may use in all
PART_IDLE = 15.0  # seconds in which it may neither compute nor wait for a processor
MAX_STOPS = 2  # children that one exercise may cost before the rest of it is not asked
LARGE = 1 << 20  # bytes that every answer may have, beside a multiple of the reference's

Outcomes = dict[Case, Outcome]


@dataclass(frozen=True)
class Answer:
    """One answer with everything that it was judged by. For staff only."""

    criterion: str
    case: str
    inputs: Inputs
    got: Outcome
    expected: Outcome
    failure: Failure | None


def _not_imported(outcomes: Outcomes) -> list[str]:
    """Why a part is worth nothing, once: what follows repeats it for every exercise."""
    return list(dict.fromkeys(outcome.detail for outcome in outcomes.values() if isinstance(outcome, NotImported)))


def weight(tree: Any) -> int:
    """Bytes of an answer, or of the array that a check could make of its texts: each takes as much as the longest."""
    size = leaves = longest = 0
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, list | tuple):
            todo += node
        elif isinstance(node, dict):
            todo += [*node.keys(), *node.values()]
        else:
            leaves += 1
            size += node.nbytes if isinstance(node, np.ndarray) else 8
            longest = max(longest, len(node)) if isinstance(node, str) else longest
    return max(size, 4 * leaves * longest)


def version(assignment: Assignment) -> str:
    """A hash of everything that can change a grade: grader and case sources, references, points, libraries."""
    package = Path(__file__).parent
    digest = hashlib.sha256(repr((assignment.points, assignment.due, platform.python_version())).encode())
    digest.update(repr([importlib.metadata.version(name) for name in ("numpy", "torch")]).encode())
    for path in sorted(package.rglob("*.py")):
        if "report" not in path.relative_to(package).parts:
            digest.update(path.read_bytes())
    for name, source in sorted({**assignment.references, **assignment.provided}.items()):
        digest.update(f"{name}\0{source}\0".encode())
    return digest.hexdigest()[:16]


class Judge:
    """One assignment under one term seed. Holds its zygotes and expected outcomes; ``close`` ends them.

    A runtime is started and a reference asked when a submission first needs them.
    """

    def __init__(self, assignment: Assignment, seed: str, isolation: str) -> None:
        self.assignment, self.seed, self.isolation = assignment, seed, isolation
        self.zygotes: dict[Runtime, Zygote | Spawner] = {}
        self.inputs: dict[Case, Inputs] = {
            case: exercise.case_inputs(case, seed) for exercise in assignment.exercises for case in exercise.cases()
        }
        self.expected: Outcomes = {}
        self.mistaken: dict[tuple[str, frozenset[Misconception]], Outcomes] = {}

    def expect(self, part: Part) -> None:
        """Ask the reference, the first time that a part is needed.

        Raises:
            CourseError: the reference fails one of its own criteria.
        """
        exercises = self.assignment.part_exercises(part)
        if all(case in self.expected for exercise in exercises for case in exercise.cases()):
            return
        outcomes, _ = self._ask_twice(part, {f"{part.name}.py": self.assignment.references[part.name]})
        self.expected.update(outcomes)
        for exercise in exercises:
            for name, [(case, failure), *_] in self.failures(exercise, outcomes).items():
                problem = f"{exercise.name} fails its own criterion {name}: “{case.title}”: {failure.sentence}"
                raise CourseError(f"The reference of {problem}.")

    def close(self) -> None:
        for zygote in self.zygotes.values():
            zygote.close()
        self.zygotes.clear()

    def zygote(self, runtime: Runtime) -> Zygote | Spawner:
        if runtime not in self.zygotes:
            self.zygotes[runtime] = start(runtime, self.isolation)
        return self.zygotes[runtime]

    def grade(self, submission: Submission) -> tuple[SubmissionResult, RunRecord]:
        """The result of one submission. A sandbox that fails twice gives no grade, never a zero."""
        handed_in = [part for part in self.assignment.parts if part.name in submission.parts]
        for part in handed_in:
            self.expect(part)
        wall, grader, student = time.monotonic(), time.process_time(), 0.0
        outcomes: Outcomes = {}
        failure = ""
        for part in handed_in:
            files = submission.parts[part.name]
            try:
                answers, used = self._ask_twice(part, files)
                changed, more = self._inconsistent(part, files, answers)
            except SandboxError as error:
                failure = str(error)
                continue
            outcomes |= answers | changed | self._forbidden(part, files)
            student += used + more
        result = SubmissionResult(
            submission.student,
            self.assignment.name,
            self.assignment.title,
            self._score(outcomes, submission.parts),
            (*submission.notes, *_not_imported(outcomes), *self._changed(outcomes)),
            infrastructure=failure,
            visibility=self.assignment.visibility,
        )
        isolation = {
            "name": self.isolation,
            "layers": {str(runtime): zygote.layers for runtime, zygote in sorted(self.zygotes.items())},
        }
        cpu = time.process_time() - grader
        return result, RunRecord(student_cpu=student, grader_cpu=cpu, wall=time.monotonic() - wall, isolation=isolation)

    def _inconsistent(self, part: Part, files: Mapping[str, str], answers: Outcomes) -> tuple[Outcomes, float]:
        """A sample asked again, twice, in a fresh child and another order: an answer must not depend on what was asked
        before, nor on how often.
        """
        chance = random.Random(f"{self.seed} again {part.name}")
        sample: list[tuple[Exercise, Criterion, Case]] = []
        for exercise in self.assignment.part_exercises(part):
            right = [
                (exercise, criterion, case)
                for criterion in exercise.criteria
                for case in criterion.cases
                if case.repeats == 1 and isinstance(answers[case], Value)
                if not criterion.failure(self.inputs[case], answers[case], self.expected[case])
            ]
            sample += [chance.choice(right)] if right else []
        chance.shuffle(sample)
        found: Outcomes = {}
        with closing(self.session(part, files)) as session:
            for exercise, criterion, case in [*sample, *sample]:
                limit = exercise.cpu_limit
                again = self._bounded(case, session.ask([self.question(exercise, case, self.inputs[case])], limit))
                if not isinstance(again, Stopped) and criterion.failure(self.inputs[case], again, self.expected[case]):
                    found |= dict.fromkeys(exercise.cases(), Unsuitable("inconsistent"))
        return found, session.used

    def _changed(self, outcomes: Outcomes) -> list[str]:
        """A note for every exercise that wrote into its arguments. Points hang on it only where a criterion says so."""
        return [
            f"{exercise.name} writes into its arguments, which belong to the caller."
            for exercise in self.assignment.exercises
            if any(isinstance(o := outcomes.get(case), Value) and o.changed for case in exercise.cases())
        ]

    def _forbidden(self, part: Part, files: Mapping[str, str]) -> Outcomes:
        """The verdict on every exercise whose source reaches what it forbids, whatever it answered."""
        sources = Sources({path: text for path, text in files.items() if path not in self.assignment.provided})
        found: Outcomes = {}
        for exercise in self.assignment.part_exercises(part):
            if names := sources.used(part.name, exercise.name, self.assignment.forbids.get(exercise.name, ())):
                found |= dict.fromkeys(exercise.cases(), Unsuitable("forbidden", names[0]))
        return found

    def _ask_twice(self, part: Part, files: Mapping[str, str]) -> tuple[Outcomes, float]:
        try:
            return self.ask_part(part, files)
        except SandboxError:
            if broken := self.zygotes.pop(part.runtime, None):
                broken.close()
            return self.ask_part(part, files)

    def ask_part(
        self, part: Part, files: Mapping[str, str], exercises: Iterable[Exercise] = ()
    ) -> tuple[Outcomes, float]:
        """Every case of one part, or of some of its exercises, put to one set of files; and the child's seconds of CPU.

        A child that has to be ended costs the criterion it was ended in; the next one starts with a fresh child.
        """
        with closing(self.session(part, files)) as session:
            outcomes: Outcomes = {}
            for exercise in exercises or self.assignment.part_exercises(part):
                outcomes.update(self._ask_exercise(session, exercise))
        return outcomes, session.used

    def explain(self, submission: Submission, exercise: Exercise) -> tuple[list[Answer], str]:
        """Every answer to one exercise, with its inputs and the expected outcome, and what the code printed."""
        part = self.assignment.part_of(exercise)
        self.expect(part)
        with closing(self.session(part, submission.parts[part.name])) as session:
            outcomes = self._ask_exercise(session, exercise)
        answers = [
            Answer(criterion.name, case.title, self.inputs[case], outcomes[case], self.expected[case], failure)
            for criterion in exercise.criteria
            for case in criterion.cases
            for failure in [criterion.failure(self.inputs[case], outcomes[case], self.expected[case])]
        ]
        return answers, session.output.decode(errors="replace")

    def session(self, part: Part, files: Mapping[str, str]) -> Session:
        """Questions to ``files``; close it."""
        files = {**files, **self.assignment.provided}
        return Session(self.zygote(part.runtime), Source(files, part.name, self.assignment.drivers))

    def _ask_exercise(self, session: Session, exercise: Exercise) -> Outcomes:
        outcomes: Outcomes = {}
        stops = 0
        for criterion in exercise.criteria:
            stopped: Stopped | None = None
            cases = list(criterion.cases)
            random.Random(f"{self.seed} {exercise.name} {criterion.name}").shuffle(cases)  # counting calls won't help
            for case in cases:
                if case in outcomes:
                    continue
                if stopped or stops >= MAX_STOPS:
                    outcomes[case] = stopped or Stopped("budget")
                    continue
                outcome = session.ask(self._questions(exercise, case), exercise.cpu_limit)
                outcomes[case] = self._bounded(case, outcome)
                if isinstance(outcome, Stopped):
                    stopped, stops = outcome, stops + 1
        return outcomes

    def _bounded(self, case: Case, outcome: Outcome) -> Outcome:
        """An answer that is let go of where it is far larger than the reference's: they all are held until the end."""
        want = self.expected.get(case)
        if want and isinstance(outcome, Value):
            right = weight(want.tree) if isinstance(want, Value) else 0
            if weight(outcome.tree) > LARGE + 16 * right:
                return Unsuitable("oversized")
        return outcome

    def _questions(self, exercise: Exercise, case: Case) -> Iterator[dict[str, Any]]:
        """The question, and again with other inputs of the same kind as often as the case repeats."""
        yield self.question(exercise, case, self.inputs[case])
        for repeat in range(1, case.repeats):
            yield self.question(exercise, case, exercise.case_inputs(case, f"{self.seed}/{repeat}"))

    def question(self, exercise: Exercise, case: Case, given: Inputs) -> dict[str, Any]:
        """What is sent to a child."""
        seed = int.from_bytes(hashlib.sha256(f"{self.seed}/{exercise.name}/{case.title}".encode()).digest()[:4])
        return {
            "name": exercise.name,
            "driver": case.driver,
            "args": given.args,
            "kwargs": given.kwargs,
            "seed": seed,
            "forbidden": list(self.assignment.forbids.get(exercise.name, ())),
        }

    def failures(self, exercise: Exercise, got: Outcomes, want: Outcomes | None = None) -> Failures:
        """Criterion → the cases that fail, for the criteria that are lost; against ``expected`` or other outcomes."""
        want = self.expected if want is None else want
        failed = {
            criterion.name: [
                (case, failure)
                for case in criterion.cases
                if (failure := criterion.failure(self.inputs[case], got[case], want[case]))
            ]
            for criterion in exercise.criteria
        }
        return {name: cases for name, cases in failed.items() if cases}

    def mistakes(self, exercise: Exercise, wrong: Iterable[Misconception]) -> Outcomes:
        """What the reference with these misconceptions answers to one exercise; asked once."""
        key = exercise.name, frozenset(wrong)
        if key not in self.mistaken:
            part = self.assignment.part_of(exercise)
            source = self.assignment.references[part.name]
            for change in sorted(key[1], key=lambda change: change.name):
                source = apply(source, change)
            self.mistaken[key], _ = self.ask_part(part, {f"{part.name}.py": source}, [exercise])
        return self.mistaken[key]

    def diagnose(self, exercise: Exercise, got: Outcomes) -> dict[str, Misconception]:
        """Criterion → the misconception that its failure shows."""
        if not any(isinstance(got[case], Value) for case in exercise.cases()):
            return {}
        bank = {w: self.mistakes(exercise, [w]) for w in self.assignment.misconceptions if w.exercise == exercise.name}
        return diagnose(exercise, self.inputs, got, self.expected, bank)

    def _score(self, outcomes: Outcomes, handed_in: Collection[str]) -> tuple[ExerciseResult, ...]:
        """Every exercise. One that needs another with a known misconception may be right under that one instead."""
        results: dict[str, ExerciseResult] = {}
        known: dict[str, set[Misconception]] = {}  # failing exercise → what is known to be wrong in it
        for exercise in self.assignment.exercises:
            points = self.assignment.points[exercise.name]
            if exercise.part not in handed_in:
                results[exercise.name] = not_handed_in(exercise, points)
                continue
            failures = self.failures(exercise, outcomes)
            needs = self.assignment.needs.get(exercise.name, ())
            inherited = {wrong for name in needs for wrong in known.get(name, ()) if wrong.carried}
            lost = [name for name in needs if name in results and results[name].status != "passed"]
            blockers = sorted({*lost, *(wrong.exercise for wrong in inherited)})
            excused: set[str] = set()
            diagnosis: dict[str, Misconception] = {}
            if failures and inherited:
                try:
                    want = self.mistakes(exercise, inherited)
                except CourseError:  # two patches of the same lines: nobody knows what both together answer
                    want = self.expected
                excused = failures.keys() - self.failures(exercise, outcomes, want).keys()
            if failures.keys() - excused:
                diagnosis = self.diagnose(exercise, outcomes)
            if failures:
                known[exercise.name] = set(diagnosis.values())
            results[exercise.name] = score(exercise, points, failures, excused, diagnosis, blockers)
        return tuple(results.values())


class Session:
    """One part's questions, put to as many children as it takes, within the part's budget."""

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
