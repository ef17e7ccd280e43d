"""Ask the reference and the submission the same questions, and have the answers judged.

The reference runs in the same kind of sandbox as the students' code, in a child that has ended before theirs begins;
expected outcomes exist only in this process.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
import random
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autograder import verdict
from autograder.compare import Failure
from autograder.course import Assignment, Case, CourseError, Criterion, Exercise, Inputs, Misconception, Part, Runtime
from autograder.diagnosis import diagnose
from autograder.forbidden import Sources
from autograder.outcome import Outcome, Stopped, Unsuitable, Value
from autograder.patch import apply
from autograder.results import RunRecord, SubmissionResult
from autograder.sandbox.host import SandboxError, Source, Zygote
from autograder.sandbox.isolation import start
from autograder.sandbox.spawned import Spawner
from autograder.scoring import Failures
from autograder.session import Session
from autograder.submission import Submission
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
    """A hash of everything that can change a grade: the engine, this assignment, Python and the libraries."""
    package = Path(__file__).parent
    digest = hashlib.sha256(f"{assignment.digest} {platform.python_version()}".encode())
    digest.update(repr([importlib.metadata.version(name) for name in ("numpy", "torch")]).encode())
    for path in sorted(package.rglob("*.py")):
        if "report" not in path.relative_to(package).parts:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class Judge:
    """One assignment under one term seed, as a context manager: it holds zygotes, which end with it.

    A runtime is started and a reference asked when a submission first needs them.
    """

    def __init__(self, assignment: Assignment, seed: str, isolation: str) -> None:
        self.assignment, self.seed, self.isolation = assignment, seed, isolation
        self.zygotes: dict[Runtime, Zygote | Spawner] = {}
        self.inputs: dict[Case, Inputs] = {
            case: exercise.case_inputs(case, seed) for exercise in assignment.exercises for case in exercise.cases()
        }
        self.expected: Outcomes = {}
        self.mistaken: dict[Mistake, verdict.Outcomes | None] = {}

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for zygote in self.zygotes.values():
            zygote.close()
        self.zygotes.clear()

    def zygote(self, runtime: Runtime) -> Zygote | Spawner:
        if runtime not in self.zygotes:
            self.zygotes[runtime] = start(runtime, self.isolation)
        return self.zygotes[runtime]

    def grade(self, submission: Submission) -> tuple[SubmissionResult, RunRecord]:
        """The result of one submission.

        Raises:
            SandboxError: the sandbox failed twice.
            CourseError: the reference fails one of its own criteria, or a misconception cannot be applied to it.
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
            "layers": {str(runtime): zygote.layers for runtime, zygote in sorted(self.zygotes.items())},
        }
        cpu = time.process_time() - grader
        return result, RunRecord(student_cpu=student, grader_cpu=cpu, wall=time.monotonic() - wall, isolation=isolation)

    def gather(self, submission: Submission) -> tuple[Evidence, float]:
        """Everything that a verdict on the submission needs, and the seconds of CPU that its code used."""
        answers: Outcomes = {}
        student = 0.0
        for part in self.assignment.parts:
            if part.name not in submission.parts:
                continue
            files = submission.parts[part.name]
            self.expect(part)
            found, used = self._twice(part, self.ask_part, part, files)
            changed, more = self._twice(part, self._inconsistent, part, files, found)
            answers |= found | changed | self._forbidden(part, files)
            student += used + more
        return Evidence(self.inputs, self.expected, answers, self.mistaken), student

    def expect(self, part: Part) -> None:
        """Ask the reference, the first time that a part is needed.

        Raises:
            CourseError: the reference fails one of its own criteria.
        """
        exercises = self.assignment.part_exercises(part)
        if all(case in self.expected for exercise in exercises for case in exercise.cases()):
            return
        reference = {f"{part.name}.py": self.assignment.references[part.name]}
        outcomes, _ = self._twice(part, self.ask_part, part, reference)
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

    def _forbidden(self, part: Part, files: Mapping[str, str]) -> Outcomes:
        """The verdict on every exercise whose source reaches what it forbids, whatever it answered."""
        sources = Sources({path: text for path, text in files.items() if path not in self.assignment.provided})
        found: Outcomes = {}
        for exercise in self.assignment.part_exercises(part):
            if names := sources.used(part.name, exercise.name, self.assignment.forbids.get(exercise.name, ())):
                found |= dict.fromkeys(exercise.cases(), Unsuitable("forbidden", names[0]))
        return found

    def _twice(self, part: Part, ask: Any, *arguments: Any) -> tuple[Outcomes, float]:
        """What ``ask`` returns, at the second try with a new sandbox if the first fails."""
        try:
            answered: tuple[Outcomes, float] = ask(*arguments)
        except SandboxError:
            if broken := self.zygotes.pop(part.runtime, None):
                broken.close()
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
        except CourseError:
            if len(wrong) == 1:
                raise
            self.mistaken[mistake] = None  # patches of the same lines: nobody knows what both together answer

    def diagnose(self, exercise: Exercise, got: verdict.Outcomes) -> dict[str, Misconception]:
        """Criterion → the misconception that its failure shows."""
        bank = verdict.bank_of(self.assignment, exercise, got)
        answers = {wrong: self.mistakes(exercise, [wrong]) for wrong in bank.values()}
        return diagnose(exercise, self.inputs, got, self.expected, answers)


def _order(mistake: Mistake) -> tuple[str, list[str]]:
    name, wrong = mistake
    return name, sorted(change.name for change in wrong)
