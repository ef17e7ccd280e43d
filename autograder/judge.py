"""Ask the reference and the submission the same questions, and have the answers judged.

The reference runs in the same kind of sandbox as the students' code, in a child that has ended before theirs begins;
expected outcomes exist only in this process.
"""

from __future__ import annotations

import hashlib
import hmac
import importlib.metadata
import platform
import random
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autograder import verdict
from autograder.compare import Failure
from autograder.course import Assignment, Case, CourseError, Criterion, Exercise, Inputs, Misconception, Part, Runtime
from autograder.diagnosis import SILENT, diagnose
from autograder.forbidden import Sources
from autograder.loading import stretched
from autograder.outcome import Outcome, Stopped, Unsuitable, Value
from autograder.pace import Pace
from autograder.patch import apply
from autograder.results import RunRecord, SubmissionResult
from autograder.sandbox.isolation import start
from autograder.sandbox.protocol import Question, SandboxError, Source
from autograder.sandbox.wire import weight
from autograder.scoring import Failures
from autograder.session import Session
from autograder.submission import Submission
from autograder.submission.provided import without_provided
from autograder.verdict import Evidence, Mistake

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


def version(assignment: Assignment) -> str:
    """A hash of everything that can change a grade: the engine, this assignment, Python and the libraries."""
    package = Path(__file__).parent
    digest = hashlib.sha256(f"{assignment.digest} {platform.python_version()}".encode())
    digest.update(repr([importlib.metadata.version(name) for name in ("numpy", "torch")]).encode())
    for path in sorted(package.rglob("*.py")):
        if "report" not in path.relative_to(package).parts:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class Judge:
    """One assignment under one term seed, as a context manager: it holds sandboxes, which end with it.

    A runtime is started and a reference asked when a submission first needs them.
    """

    def __init__(self, assignment: Assignment, seed: str, isolation: str) -> None:
        self.assignment, self.seed, self.isolation = assignment, stretched(seed), isolation
        self.paces: dict[Runtime, Pace] = {}  # of the sandboxes that have been needed
        self.inputs: dict[Case, Inputs] = {
            case: exercise.case_inputs(case, self.seed)
            for exercise in assignment.exercises
            for case in exercise.cases()
        }
        self.expected: Outcomes = {}
        self.repeated: dict[tuple[Case, int], Outcome] = {}  # what is expected where a case is asked again
        self.mistaken: dict[Mistake, verdict.Outcomes | None] = {}

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for pace in self.paces.values():
            pace.sandbox.close()
        self.paces.clear()

    def pace(self, runtime: Runtime) -> Pace:
        """The sandbox of a runtime, with its pace."""
        if runtime not in self.paces:
            self.paces[runtime] = Pace(start(runtime, self.isolation))
        return self.paces[runtime]

    def grade(self, submission: Submission) -> tuple[SubmissionResult, RunRecord]:
        """The result of one submission.

        Raises:
            SandboxError: the sandbox failed twice.
            CourseError: the reference fails one of its own criteria.
        """
        wall, grader = time.monotonic(), time.process_time()
        evidence, student = self.gather(submission)
        while (judged := verdict.judged(self.assignment, evidence, submission.parts)).wanted:
            for mistake in sorted(judged.wanted, key=_order):
                self._ask_mistaken(mistake)
        result = SubmissionResult(
            submission.student,
            self.assignment.name,
            self.assignment.title,
            judged.exercises,
            (*submission.notes, *verdict.notes(self.assignment, evidence.answers)),
            visibility=self.assignment.visibility,
        )
        isolation = {
            "name": self.isolation,
            "layers": {str(runtime): pace.sandbox.layers for runtime, pace in sorted(self.paces.items())},
        }
        cpu = time.process_time() - grader
        return result, RunRecord(student_cpu=student, grader_cpu=cpu, wall=time.monotonic() - wall, isolation=isolation)

    def gather(self, submission: Submission) -> tuple[Evidence, float]:
        """Everything that a verdict on the submission needs, and the seconds of CPU that its code used."""
        answers: Outcomes = {}
        timed: Outcomes = {}  # what is expected of questions that were asked of both, one right after the other
        student = 0.0
        for part in self.assignment.parts:
            if part.name not in submission.parts:
                continue
            files = submission.parts[part.name]
            self.expect(part)
            found, used = self._twice(part, self.ask_part, part, files)
            student += used
            if slow := self._too_slow(part, found):
                reference, _ = self._twice(part, self.ask_part, part, self._reference(part), slow)
                again, used = self._twice(part, self.ask_part, part, files, slow)
                timed, found, student = timed | reference, found | again, student + used
            changed, used = self._twice(part, self._inconsistent, part, files, found)
            answers |= found | changed | self._forbidden(part, files)
            student += used
        return Evidence(self.inputs, self.expected | timed, answers, self.mistaken), student

    def _too_slow(self, part: Part, answers: Outcomes) -> list[Exercise]:
        """Exercises to be asked again, right after the reference: their answers took too long beside its answers, which
        were given at another time.
        """
        return [
            exercise
            for exercise in self.assignment.part_exercises(part)
            if any(case.repeats > 1 for case in exercise.cases())
            and any(f.kind == "slow" for failed in self.failures(exercise, answers).values() for _, f in failed)
        ]

    def _reference(self, part: Part) -> dict[str, str]:
        return {f"{part.name}.py": self.assignment.references[part.name]}

    def expect(self, part: Part) -> None:
        """Ask the reference, the first time that a part is needed.

        Raises:
            CourseError: the reference fails one of its own criteria.
        """
        exercises = self.assignment.part_exercises(part)
        if all(case in self.expected for exercise in exercises for case in exercise.cases()):
            return
        outcomes, _ = self._twice(part, self.ask_part, part, self._reference(part))
        for exercise in exercises:
            for name, [(case, failure), *_] in self.failures(exercise, outcomes, outcomes).items():
                problem = f"{exercise.name} fails its own criterion {name}: “{case.title}”: {failure.sentence}"
                raise CourseError(f"The reference of {problem}.")
        self.expected.update(outcomes)

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

    def _inconsistent(self, part: Part, files: Mapping[str, str], answers: Outcomes) -> tuple[Outcomes, float]:
        """A sample asked again, twice, in a fresh child and another order: an answer must not depend on what was asked
        before, nor on how often. Of each exercise it holds one right answer out of the half with the smaller inputs.
        """
        chance = random.Random(f"{self.seed} again {part.name}")
        sample: list[tuple[Exercise, Criterion, Case]] = []
        for exercise in self.assignment.part_exercises(part):
            right = [
                (exercise, criterion, case)
                for criterion in exercise.criteria
                for case in criterion.cases
                if case.repeats == 1 and not case.training and isinstance(answers[case], Value)
                if not criterion.failure(self.inputs[case], answers[case], self.expected[case])
            ]
            right.sort(key=lambda one: weight([*self.inputs[one[2]].args, self.inputs[one[2]].kwargs]))
            sample += [chance.choice(right[: (len(right) + 1) // 2])] if right else []
        chance.shuffle(sample)
        found: Outcomes = {}
        with closing(self.session(part, files)) as session:
            for exercise, criterion, case in [*sample, *sample]:
                again = self._ask_once(session, exercise, case, self.inputs[case])
                if not isinstance(again, Stopped) and criterion.failure(self.inputs[case], again, self.expected[case]):
                    found |= dict.fromkeys(exercise.cases(), Unsuitable("inconsistent"))
        return found, session.used

    def _forbidden(self, part: Part, files: Mapping[str, str]) -> Outcomes:
        """The verdict on every exercise whose source reaches what it forbids, or cannot be looked at, whatever it
        answered.
        """
        sources = Sources(without_provided(files, self.assignment.provided))
        found: Outcomes = {}
        for exercise in self.assignment.part_exercises(part):
            bans = self.assignment.forbids.get(exercise.name, ())
            if names := sources.used(part.name, exercise.name, bans):
                found |= dict.fromkeys(exercise.cases(), Unsuitable("forbidden", names[0]))
            elif unread := sources.unread(part.name, exercise.name, bans):
                found |= dict.fromkeys(exercise.cases(), Unsuitable("unread", unread[0]))
        return found

    def _twice(self, part: Part, ask: Any, *arguments: Any) -> tuple[Outcomes, float]:
        """What ``ask`` returns, at the second try with a new sandbox if the first fails."""
        try:
            answered: tuple[Outcomes, float] = ask(*arguments)
        except SandboxError:
            if broken := self.paces.pop(part.runtime, None):
                broken.sandbox.close()
            answered = ask(*arguments)
        return answered

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
        files = {**without_provided(files, self.assignment.provided), **self.assignment.provided}
        return Session(Source(files, part.name, self.assignment.drivers), self.pace(part.runtime))

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
                outcomes[case] = outcome = self._ask_case(session, exercise, case)
                if isinstance(outcome, Stopped):
                    stopped, stops = outcome, stops + 1
        return outcomes

    def _ask_case(self, session: Session, exercise: Exercise, case: Case) -> Outcome:
        """The answer; where the case repeats, with the least CPU time of all, if all are as right as the first."""
        first = self._ask_once(session, exercise, case, self.inputs[case])
        if case.repeats == 1 or not isinstance(first, Value):
            return first
        checks = [c.failure for c in exercise.criteria if case in c.cases and case in self.expected]
        right = not any(_wrong(check(self.inputs[case], first, self.expected[case])) for check in checks)
        times = [first.cpu]
        for number in range(1, case.repeats):
            given = exercise.case_inputs(case, f"{self.seed}/{number}")
            outcome = self._ask_once(session, exercise, case, given)
            if not isinstance(outcome, Value):
                return outcome
            want = self.repeated.setdefault((case, number), outcome)  # the reference is the first to be asked
            if right and any(_wrong(check(given, outcome, want)) for check in checks):
                return Unsuitable("inconsistent")
            times.append(outcome.cpu)
        return replace(first, cpu=min(times))

    def _ask_once(self, session: Session, exercise: Exercise, case: Case, given: Inputs) -> Outcome:
        return self._bounded(case, session.ask(self.question(exercise, case, given), exercise.cpu_limit))

    def _bounded(self, case: Case, outcome: Outcome) -> Outcome:
        """An answer that is let go of where it is far larger than the reference's: they all are held until the end."""
        want = self.expected.get(case)
        if want and isinstance(outcome, Value):
            right = weight(want.tree) if isinstance(want, Value) else 0
            if weight(outcome.tree) > LARGE + 16 * right:
                return Unsuitable("oversized")
        return outcome

    def question(self, exercise: Exercise, case: Case, given: Inputs) -> Question:
        """What is sent to a child."""
        digest = hmac.digest(self.seed.encode(), f"{exercise.name}/{case.title}".encode(), "sha256")
        return {
            "name": exercise.name,
            "driver": case.driver,
            "args": given.args,
            "kwargs": given.kwargs,
            "seed": int.from_bytes(digest[:4]),
            "forbidden": list(self.assignment.forbids.get(exercise.name, ())),
        }

    def failures(self, exercise: Exercise, got: verdict.Outcomes, want: verdict.Outcomes | None = None) -> Failures:
        """Criterion → the cases that fail, for the criteria that are lost; against ``expected`` or other outcomes."""
        return verdict.failures(exercise, self.inputs, got, self.expected if want is None else want)

    def mistakes(self, exercise: Exercise, wrong: Iterable[Misconception]) -> verdict.Outcomes:
        """What the reference with these misconceptions answers to one exercise; asked once.

        Raises:
            CourseError: they cannot be applied to it, alone or together.
        """
        mistake = exercise.name, frozenset(wrong)
        if not (known := self.mistaken.get(mistake)):
            part = self.assignment.part_of(exercise)
            source = self.assignment.references[part.name]
            for change in sorted(mistake[1], key=lambda change: change.name):
                source = apply(source, change)
            known, _ = self._twice(part, self.ask_part, part, {f"{part.name}.py": source}, [exercise])
            self.mistaken[mistake] = known
        return known

    def _ask_mistaken(self, mistake: Mistake) -> None:
        name, wrong = mistake
        exercise = next(exercise for exercise in self.assignment.exercises if exercise.name == name)
        try:
            self.mistakes(exercise, wrong)
        except CourseError:  # patches of the same lines, or a stale one, which the audit names: no grade hangs on it
            self.mistaken[mistake] = None

    def diagnose(self, exercise: Exercise, got: verdict.Outcomes) -> dict[str, Misconception]:
        """Criterion → the misconception that its failure shows."""
        bank = verdict.bank_of(self.assignment, exercise, got)
        answers = {wrong: self.mistakes(exercise, [wrong]) for wrong in bank.values()}
        return diagnose(exercise, self.inputs, got, self.expected, answers)


def _wrong(failure: Failure | None) -> bool:
    """Whether an answer is, however long it took."""
    return failure is not None and failure.kind not in SILENT


def _order(mistake: Mistake) -> tuple[str, list[str]]:
    name, wrong = mistake
    return name, sorted(change.name for change in wrong)
