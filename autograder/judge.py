"""Grade one submission: ask it what the reference was asked, and have the answers judged."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from autograder import groups, repair, verdict
from autograder.answer_key import AnswerKey
from autograder.compare import Failure
from autograder.course import Assignment, Conventions, Exercise, Part
from autograder.examiner import Examiner, Outcomes
from autograder.limits import USUAL, Limits
from autograder.outcome import NotImported, Outcome, Unsuitable
from autograder.reference import Reference
from autograder.repair import Importable
from autograder.results import RunRecord, SubmissionResult
from autograder.sandbox.mounts import importable
from autograder.sandboxes import Sandboxes
from autograder.student.checks.forbidden import Sources
from autograder.submission import Submission
from autograder.submission.provided import without_provided
from autograder.verdict import Evidence, Verdict


@dataclass(frozen=True)
class Answer:
    """One answer with everything that it was judged by; ``given`` are the arguments by name. For staff only."""

    criterion: str
    case: str
    given: Mapping[str, Any]
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
        submission, answers, asking = self.ask(submission)
        evidence, student = self.gather(submission, answers)
        while (judged := self._judged(submission, evidence)).incomplete:
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
        record = RunRecord({}, "", asking + student, cpu, wall, isolation, judged.nearest, wrong)
        return result, record

    def _judged(self, submission: Submission, evidence: Evidence) -> Verdict:
        return verdict.judged(self.assignment, evidence, submission.parts, unread=submission.unread)

    def ask(self, submission: Submission) -> tuple[Submission, dict[Part, Outcomes], float]:
        """What each part answers, with the submission as it could be imported for that, and the seconds of CPU that its
        code used.
        """
        answers: dict[Part, Outcomes] = {}
        used = 0.0
        for part in self.assignment.parts:
            if part.name in submission.parts:
                self.reference.expect(part)
                files = submission.parts[part.name]
                answers[part], seconds = self.sandboxes.twice(self.examiner.ask_part, part, files)
                used += seconds
                if all(isinstance(answer, NotImported) for answer in answers[part].values()):
                    submission, seconds = self.importable(submission, part)
                    used += seconds
                    if (mended := submission.parts[part.name]) != files:
                        answers[part], seconds = self.sandboxes.twice(self.examiner.ask_part, part, mended)
                        used += seconds
        return submission, answers, used

    def importable(self, submission: Submission, part: Part) -> tuple[Submission, float]:
        """The submission with what can be imported of a part, and the seconds of CPU that finding it took."""
        files, names = submission.parts[part.name], self.assignment.graded_names()[part.name]
        found = self.sandboxes.twice(self._importable, part, files, names)
        notes, attention = submission.notes, submission.attention
        if one := found.attention:
            attention = (*attention, one)
            notes = (*notes, *([one.sentence] if one.kind == "repaired" else []))  # the other is the answers' own
        parts = {**submission.parts, part.name: found.files}
        return replace(submission, parts=parts, notes=notes, attention=attention), found.used

    def _importable(self, part: Part, files: Mapping[str, str], names: Sequence[str]) -> Importable:
        there = importable(part.runtime) | {path.removesuffix(".py") for path in self.assignment.provided}
        return repair.importable(part.name, files, names, there, lambda some: self.sandboxes.session(part, some))

    def gather(self, submission: Submission, asked: Mapping[Part, Outcomes]) -> tuple[Evidence, float]:
        """Everything that a verdict needs, with what the parts were ``asked``, and the seconds of CPU that the
        submission's code used for the rest.
        """
        answers: Outcomes = {}
        timed: Outcomes = {}  # what is expected of questions that were asked of both, one right after the other
        sources: dict[str, Sources] = {}
        student = 0.0
        for part, found in asked.items():
            files = submission.parts[part.name]
            sources[part.name] = Sources(without_provided(files, self.assignment.provided))
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
        part = self.assignment.part_of(exercise)
        submission, _ = self.importable(submission, part)
        self.reference.expect(part)
        of_file = isinstance(exercise, Conventions)
        exercises = self.assignment.part_exercises(part) if of_file else [exercise]
        with closing(self.sandboxes.session(part, submission.parts[part.name])) as session:
            outcomes = self.examiner.ask_exercises(session, exercises)
        output = session.output.decode(errors="replace")
        if of_file:
            return list(self._breaches(part, outcomes)), output
        answers = [
            Answer(
                criterion.name,
                case.title,
                self.key.given(exercise, case),
                outcomes[case],
                self.key.expected[case],
                failure,
            )
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
                    given, got, want = self.key.given(exercise, case), outcomes[case], self.key.expected[case]
                    yield Answer(law, f"{exercise.name}: {case.title}", given, got, want, failure)
