"""What the reference answers: as it is, with known misconceptions in it, and with small changes.

It runs in the same kind of sandbox as the students' code, in a child that has ended before theirs begins.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from autograder import cache, laws, nearest, verdict
from autograder.course import Case, CourseError, Exercise, Misconception, Part
from autograder.diagnosis import diagnose
from autograder.examiner import Examiner
from autograder.grade_key import version
from autograder.outcome import Outcome, Raised, Value
from autograder.patch import apply
from autograder.sandbox.wire import WireError, decode
from autograder.verdict import Mistake, Verdict

Outcomes = dict[Case, Outcome]


class Reference:
    """Asked when an answer is first needed; ``mistaken`` and ``tables``, which evidence refers to, grow with that."""

    def __init__(self, examiner: Examiner) -> None:
        self.examiner, self.key, self.sandboxes = examiner, examiner.key, examiner.sandboxes
        self.assignment = examiner.assignment
        self.mistaken: dict[Mistake, verdict.Outcomes | None] = {}
        self.tables: dict[str, nearest.Table] = {}  # of small changes, by exercise

    def expect(self, part: Part) -> None:
        """Fill in the answer key, the first time that a part is needed.

        Raises:
            CourseError: the reference fails one of its own criteria.
        """
        key, exercises = self.key, self.assignment.part_exercises(part)
        if all(case in key.expected for exercise in exercises for case in exercise.cases()):
            return
        files = self.assignment.reference_files(part)
        outcomes, _ = self.sandboxes.twice(self.examiner.ask_part, part, files)
        for exercise in exercises:
            for name, [(case, failure), *_] in key.failures(exercise, outcomes, outcomes).items():
                problem = f"{exercise.name} fails its own criterion {name}: “{case.title}”: {failure.sentence}"
                raise CourseError(f"The reference of {problem}.")
        key.expected.update(outcomes)
        if conventions := self.assignment.conventions_of(part.name):
            for exercise in exercises:
                asked = laws.questions(conventions, exercise, key.inputs, key.expected)
                key.asked[exercise.name] = asked
                key.inputs |= {one.case: key.inputs[one.plain] for one in asked}
            key.expected |= self.sandboxes.twice(self._ask_for_laws, part)

    def _ask_for_laws(self, part: Part) -> Outcomes:
        outcomes: Outcomes = {}
        with closing(self.sandboxes.session(part, self.assignment.reference_files(part))) as session:
            for exercise in self.assignment.part_exercises(part):
                outcomes |= self.examiner.ask_for_laws(session, exercise, self.key.expected)
        return outcomes

    def mistakes(self, exercise: Exercise, wrong: Iterable[Misconception]) -> verdict.Outcomes:
        """What the reference with these misconceptions answers to one exercise; asked once.

        Raises:
            CourseError: they cannot be applied to it, alone or together.
        """
        mistake = exercise.name, frozenset(wrong)
        if not (known := self.mistaken.get(mistake)):
            changes = sorted(mistake[1], key=lambda change: change.name)
            known = self.mistaken[mistake] = self._mistakes(exercise, changes)
        return known

    def _mistakes(self, exercise: Exercise, changes: Sequence[Misconception]) -> verdict.Outcomes:
        part = self.assignment.part_of(exercise)
        self.expect(part)
        path = self._cache_file("mistakes", exercise, [change.name for change in changes])
        cases = [*exercise.cases(), *(one.case for one in self.key.asked.get(exercise.name, ()))]
        with contextlib.suppress(ValueError, TypeError, LookupError):
            if frames := cache.kept(path, self._stamp):
                return cache.unpacked(decode(frames[0]), cases)
        source = functools.reduce(apply, changes, self.assignment.references[part.name])
        found, _ = self.sandboxes.twice(self.examiner.ask_part, part, {f"{part.name}.py": source}, [exercise])
        if not any(case.repeats > 1 for case in cases):  # times are those of the run that compares them
            with contextlib.suppress(WireError):
                cache.keep(path, self._stamp, [cache.frame(cache.packed(found, cases))])
        return found

    def table(self, exercise: Exercise) -> nearest.Table:
        """What small changes of the reference answer to an exercise: asked once, and kept for other judges."""
        if exercise.name not in self.tables:
            self.tables[exercise.name] = self._table(exercise) if nearest.takes_part(exercise) else {}
        return self.tables[exercise.name]

    def complete(self, judged: Verdict) -> None:
        """Find out what a verdict lacks."""
        for mistake in sorted(judged.wanted, key=_order):
            name, wrong = mistake
            try:
                self.mistakes(self._exercise(name), wrong)
            except CourseError:  # patches of the same lines, or a stale one that the audit names: no grade hangs on it
                self.mistaken[mistake] = None
        for name in sorted(judged.tables):
            self.table(self._exercise(name))

    def diagnose(self, exercise: Exercise, got: verdict.Outcomes) -> dict[str, Misconception]:
        """Criterion → the misconception that its failure shows."""
        bank = verdict.bank_of(self.assignment, exercise, got)
        answers = {wrong: self.mistakes(exercise, [wrong]) for wrong in bank.values()}
        return diagnose(exercise, self.key.inputs, got, self.key.expected, answers)

    def _exercise(self, name: str) -> Exercise:
        return next(exercise for exercise in self.assignment.exercises if exercise.name == name)

    def _table(self, exercise: Exercise) -> nearest.Table:
        path = self._cache_file("nearest", exercise)
        with contextlib.suppress(ValueError, TypeError, LookupError):
            if (frames := cache.kept(path, self._stamp)) is not None:
                return nearest.unpacked(exercise, frames)
        if not self.sandboxes.limits.make_tables:
            return {}
        part = self.assignment.part_of(exercise)
        self.expect(part)
        changes = nearest.candidates(self.assignment, exercise, self.key.seed)
        answers = (
            (change, self.sandboxes.twice(self._ask_change, part, exercise, source)) for change, source in changes
        )
        known = ((change, outcomes) for change, outcomes in answers if outcomes)
        frames = nearest.packed(exercise, self.key.inputs, self.key.expected, known)
        cache.keep(path, self._stamp, frames)
        return nearest.unpacked(exercise, frames)  # as they would be read from the cache

    @functools.cached_property
    def _stamp(self) -> str:
        return f"{version(self.assignment)} {self.sandboxes.isolation}"

    def _cache_file(self, kind: str, exercise: Exercise, names: Iterable[str] = ()) -> Path:
        return cache.file_of(kind, self.assignment, exercise, self.key.seed, names)

    def _ask_change(self, part: Part, exercise: Exercise, source: str) -> Outcomes:
        """Every case once, and never mind the time; nothing where one comes to no answer."""
        outcomes: Outcomes = {}
        with closing(self.sandboxes.session(part, {f"{part.name}.py": source})) as session:
            for case in exercise.cases():
                outcome = self.examiner.ask_once(session, exercise, case, self.key.inputs[case])
                if not isinstance(outcome, Value | Raised):
                    return {}
                outcomes[case] = replace(outcome, cpu=0.0) if isinstance(outcome, Value) else outcome
        return outcomes


def _order(mistake: Mistake) -> tuple[str, list[str]]:
    name, wrong = mistake
    return name, sorted(change.name for change in wrong)
