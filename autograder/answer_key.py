"""What is asked under a term seed, and what is right: expected outcomes exist only in the process that holds this."""

from __future__ import annotations

from typing import Any

from autograder import laws, verdict
from autograder.course import Assignment, Case, Exercise, Inputs, Law
from autograder.laws import Asked, Breach
from autograder.loading import stretched
from autograder.outcome import Outcome
from autograder.scoring import Failures
from autograder.source import parameters


class AnswerKey:
    """The inputs of every case, and the expected outcomes of the parts whose reference has been asked.

    ``asked`` are the questions of each exercise for its file's conventions; their inputs and expected outcomes stand
    among the others.
    """

    def __init__(self, assignment: Assignment, seed: str) -> None:
        self.assignment, self.seed = assignment, stretched(seed)
        self.inputs: dict[Case, Inputs] = {
            case: exercise.case_inputs(case, self.seed)
            for exercise in assignment.exercises
            for case in exercise.cases()
        }
        self.expected: dict[Case, Outcome] = {}
        self.asked: dict[str, list[Asked]] = {}

    def given(self, exercise: Exercise, case: Case) -> dict[str, Any]:
        """What a case asks, by the names that the exercise's parameters have, or those of the driver that asks."""
        given = self.inputs[case]
        if case.driver:
            names = parameters(self.assignment.drivers, case.driver)[1:]  # without the student
        else:
            names = parameters(self.assignment.references[exercise.part], exercise.name)
        star = names.pop().removeprefix("*") if names and names[-1].startswith("*") else "arguments"
        names += [f"{star}[{number}]" for number in range(len(given.args) - len(names))]
        return {**dict(zip(names, given.args, strict=False)), **given.kwargs}

    def is_right(self, exercise: Exercise, case: Case, got: Outcome) -> bool:
        """Whether every criterion that the case feeds is content with the answer."""
        return not any(
            criterion.failure(self.inputs[case], got, self.expected[case])
            for criterion in exercise.criteria
            if case in criterion.cases
        )

    def failures(self, exercise: Exercise, got: verdict.Outcomes, want: verdict.Outcomes | None = None) -> Failures:
        """Criterion → the cases that fail, for the criteria that are lost; against ``expected`` or other outcomes."""
        return verdict.failures(exercise, self.inputs, got, self.expected if want is None else want)

    def broken(self, exercise: Exercise, got: verdict.Outcomes, failing: Failures) -> dict[Law, Breach | None]:
        """Convention of its file → how the exercise breaks it, or None where it keeps it."""
        wrong = {case for failed in failing.values() for case, _ in failed}
        return laws.broken(exercise, self.asked.get(exercise.name, ()), self.inputs, got, self.expected, wrong)
