"""Grade one submission: ask it what the reference was asked, and have the answers judged."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from autograder import groups, repair, verdict
from autograder.answer_key import AnswerKey
from autograder.compare import Failure
from autograder.course import Assignment, Conventions, Exercise, Inputs, Part
from autograder.examiner import Examiner, Outcomes
from autograder.limits import USUAL, Limits
from autograder.outcome import Outcome, Unsuitable
from autograder.reference import Reference
from autograder.repair import Importable
from autograder.results import RunRecord, SubmissionResult
from autograder.sandbox.mounts import importable
from autograder.sandboxes import Sandboxes
from autograder.student.checks.forbidden import Sources
from autograder.submission import Submission
from autograder.submission.provided import without_provided
from autograder.verdict import Evidence


@dataclass(frozen=True)
class Answer:
    """One answer with everything that it was judged by. For staff only."""

    criterion: str
    case: str
    inputs: Inputs
    got: Outcome
    expected: Outcome
    failure: Failure | None


class Judge:
    """One assignment under one term seed, as a context manager: it holds sandboxes, which end with it."""

    def __init__(self, assignment: Assignment, seed: str, isolation: str, limits: Limits = USUAL) -> None:
        self.assignment = assignment
        self.key = AnswerKey(assignment, seed)
        self.sandboxes = Sandboxes(assignment, isolation, limits)
        self.examiner = Examiner(self.key, self.sandboxes)
        self.reference = Reference(self.examiner)

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.sandboxes.close()

    def grade(self, submission: Submission) -> tuple[SubmissionResult, RunRecord]:
        """The result of one submission.

        Raises:
            SandboxError: the sandbox failed twice.
            CourseError: the reference fails one of its own criteria.
        """
        wall, grader = time.monotonic(), time.process_time()
        submission, imports = self.importable(submission)
        evidence, student = self.gather(submission)
        while (judged := verdict.judged(self.assignment, evidence, submission.parts)).incomplete:
            self.reference.complete(judged)
        result = SubmissionResult(
            submission.student,
            self.assignment.name,
            self.assignment.title,
            judged.exercises,
            (*submission.notes, *verdict.notes(self.assignment, evidence.answers)),
            visibility=self.assignment.visibility,
            attention=submission.attention,
        )
        isolation = {
            "name": self.sandboxes.isolation,
            "layers": {str(runtime): pace.sandbox.layers for runtime, pace in sorted(self.sandboxes.paces.items())},
        }
        cpu = time.process_time() - grader
        wall = time.monotonic() - wall
        wrong = groups.digests(self.assignment, evidence, judged)
        record = RunRecord({}, "", student + imports, cpu, wall, isolation, judged.nearest, wrong)
        return result, record

    def importable(self, submission: Submission) -> tuple[Submission, float]:
        """The submission with what can be imported of each part, and the seconds of CPU that finding it took."""
        parts, notes, attention, used = dict(submission.parts), [*submission.notes], [*submission.attention], 0.0
        names = self.assignment.graded_names()
        for part in self.assignment.parts:
            if part.name in parts:
                found = self.sandboxes.twice(self._importable, part, parts[part.name], names[part.name])
                parts[part.name] = found.files
                used += found.used
                if one := found.attention:
                    attention.append(one)
                    notes += [one.sentence] if one.kind == "repaired" else []  # the other is the answers' own
        return replace(submission, parts=parts, notes=tuple(notes), attention=tuple(attention)), used

    def _importable(self, part: Part, files: Mapping[str, str], names: Sequence[str]) -> Importable:
        there = importable(part.runtime) | {path.removesuffix(".py") for path in self.assignment.provided}
        return repair.importable(part.name, files, names, there, lambda some: self.sandboxes.session(part, some))

    def gather(self, submission: Submission) -> tuple[Evidence, float]:
        """Everything that a verdict on the submission needs, and the seconds of CPU that its code used."""
        answers: Outcomes = {}
        timed: Outcomes = {}  # what is expected of questions that were asked of both, one right after the other
        sources: dict[str, Sources] = {}
        student = 0.0
        for part in self.assignment.parts:
            if part.name not in submission.parts:
                continue
            files = submission.parts[part.name]
            sources[part.name] = Sources(without_provided(files, self.assignment.provided))
            self.reference.expect(part)
            found, used = self.sandboxes.twice(self.examiner.ask_part, part, files)
            student += used
            found, beside, used = self.examiner.timed_again(part, files, found)
            timed, student = timed | beside, student + used
            changed, used = self.sandboxes.twice(self.examiner.inconsistent, part, files, found)
            answers |= found | changed | self._forbidden(part, sources[part.name])
            student += used
        expected = self.key.expected | timed

        def calls(exercise: Exercise) -> set[str]:
            return sources[exercise.part].reached(exercise.part, exercise.name)

        key, reference = self.key, self.reference
        evidence = Evidence(key.inputs, expected, answers, reference.mistaken, reference.tables, key.asked, calls)
        return evidence, student

    def _forbidden(self, part: Part, sources: Sources) -> Outcomes:
        """The verdict on every exercise whose source reaches what it forbids, or cannot be looked at, whatever it
        answered.
        """
        found: Outcomes = {}
        for exercise in self.assignment.part_exercises(part):
            bans = self.assignment.forbids.get(exercise.name, ())
            if names := sources.used(part.name, exercise.name, bans):
                found |= dict.fromkeys(exercise.cases(), Unsuitable("forbidden", names[0]))
            elif unread := sources.unread(part.name, exercise.name, bans):
                found |= dict.fromkeys(exercise.cases(), Unsuitable("unread", unread[0]))
        return found

    def explain(self, submission: Submission, exercise: Exercise) -> tuple[list[Answer], str]:
        """Every answer to one exercise, with its inputs and the expected outcome, and what the code printed.

        Of a part's conventions: what its exercises were asked for them, where they answer the plain question right.
        """
        submission, _ = self.importable(submission)
        part = self.assignment.part_of(exercise)
        self.reference.expect(part)
        of_file = isinstance(exercise, Conventions)
        exercises = self.assignment.part_exercises(part) if of_file else [exercise]
        with closing(self.sandboxes.session(part, submission.parts[part.name])) as session:
            outcomes = self.examiner.ask_exercises(session, exercises)
        output = session.output.decode(errors="replace")
        if of_file:
            return list(self._breaches(part, outcomes)), output
        answers = [
            Answer(criterion.name, case.title, self.key.inputs[case], outcomes[case], self.key.expected[case], failure)
            for criterion in exercise.criteria
            for case in criterion.cases
            for failure in [criterion.failure(self.key.inputs[case], outcomes[case], self.key.expected[case])]
        ]
        return answers, output

    def _breaches(self, part: Part, outcomes: Outcomes) -> Iterator[Answer]:
        """The answers by which exercises of the part break its conventions."""
        for exercise in self.assignment.part_exercises(part):
            for law, breach in self.key.broken(exercise, outcomes, self.key.failures(exercise, outcomes)).items():
                if breach:
                    case, failure = breach
                    given, got, want = self.key.inputs[case], outcomes[case], self.key.expected[case]
                    yield Answer(law, f"{exercise.name}: {case.title}", given, got, want, failure)
