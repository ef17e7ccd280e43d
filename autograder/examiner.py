"""How the cases of exercises are put to files, whoever's they are, and when an answer is asked for again.

Within a criterion the order is shuffled. A child that has to be ended costs the criterion it was ended in, and an
exercise may cost no more than a few of them. Answers that are far too large are let go of.
"""

from __future__ import annotations

import hmac
import random
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

from autograder.answer_key import AnswerKey
from autograder.compare import Failure
from autograder.course import Case, Criterion, Exercise, Inputs, Part
from autograder.diagnosis import SILENT
from autograder.outcome import Outcome, Stopped, Unsuitable, Value
from autograder.sandbox.protocol import Question
from autograder.sandbox.wire import Prepared
from autograder.sandboxes import Sandboxes
from autograder.session import Session

MAX_STOPS = 2  # children that one exercise may cost before the rest of it is not asked
UNEVEN = 8  # by which CPU times that were taken at different times may differ
LARGE = 1 << 20  # bytes that every answer may have, beside a multiple of the reference's

Outcomes = dict[Case, Outcome]


class Examiner:
    """Asks for the answers of the reference and of submissions in the same way."""

    def __init__(self, key: AnswerKey, sandboxes: Sandboxes) -> None:
        self.key, self.sandboxes = key, sandboxes
        self.assignment, self.seed = key.assignment, key.seed
        self.repeated: dict[tuple[Case, int], Outcome] = {}  # what is expected where a case repeats
        self.questions: dict[Case, Question] = {}  # ready to be sent to the next submission

    def ask_part(
        self, part: Part, files: Mapping[str, str], exercises: Iterable[Exercise] = ()
    ) -> tuple[Outcomes, float]:
        """Every case of one part, or of some of its exercises, put to one set of files; and the child's seconds of CPU.

        Then what is asked for the part's conventions, once the reference's answers are known.
        """
        with closing(self.sandboxes.session(part, files)) as session:
            outcomes = self.ask_exercises(session, list(exercises) or self.assignment.part_exercises(part))
        return outcomes, session.used

    def timed_again(self, part: Part, files: Mapping[str, str], answers: Outcomes) -> tuple[Outcomes, Outcomes, float]:
        """The answers, what is expected of those that were asked again right after the reference, and the seconds of
        CPU that this took: exercises that are slow, or nearly, beside a reference that was asked at another time.
        """
        close_calls = {
            case: replace(answer, cpu=UNEVEN * answer.cpu) if case.repeats > 1 and isinstance(answer, Value) else answer
            for case, answer in answers.items()
        }
        doubtful = [
            exercise
            for exercise in self.assignment.part_exercises(part)
            if any(case.repeats > 1 and case in answers for case in exercise.cases())
            and any(f.kind == "slow" for failed in self.key.failures(exercise, close_calls).values() for _, f in failed)
        ]
        if not doubtful:
            return answers, {}, 0.0
        reference, _ = self.sandboxes.twice(self.ask_part, part, self.assignment.reference_files(part), doubtful)
        again, used = self.sandboxes.twice(self.ask_part, part, files, doubtful)
        return answers | again, reference, used

    def inconsistent(self, part: Part, files: Mapping[str, str], answers: Outcomes) -> tuple[Outcomes, float]:
        """The verdict on exercises whose answers change when a sample is asked again, and the child's seconds of CPU.

        The sample is asked twice, in a fresh child and another order: an answer must not depend on what was asked
        before, nor on how often. Of each exercise it holds one right answer, if there is one from the half with the
        smaller inputs. A check that would take anything for an answer, as some that ask for errors do, sees no change.
        """
        inputs, expected = self.key.inputs, self.key.expected
        chance = random.Random(f"{self.seed} again {part.name}")
        sample: list[tuple[Exercise, Criterion, Case]] = []
        for exercise in self.assignment.part_exercises(part):
            answered = [
                (exercise, criterion, case)
                for criterion in exercise.criteria
                for case in criterion.cases
                if case.repeats == 1 and not case.training and isinstance(answers[case], Value)
            ]
            answered.sort(key=lambda one: inputs[one[2]].weight)
            small = answered[: (len(answered) + 1) // 2]
            chance.shuffle(small)
            for one in [*small, *answered[len(small) :]]:
                _, criterion, case = one
                given, want = inputs[case], expected[case]
                if criterion.failure(given, Value(None), want) and not criterion.failure(given, answers[case], want):
                    sample.append(one)
                    break
        chance.shuffle(sample)
        found: Outcomes = {}
        with closing(self.sandboxes.session(part, files)) as session:
            for exercise, criterion, case in [*sample, *sample]:
                again = self.ask_once(session, exercise, case, inputs[case])
                if not isinstance(again, Stopped) and criterion.failure(inputs[case], again, expected[case]):
                    found |= dict.fromkeys(exercise.cases(), Unsuitable("inconsistent"))
        return found, session.used

    def ask_exercises(self, session: Session, exercises: Sequence[Exercise]) -> Outcomes:
        """Every case, and then the questions for the conventions."""
        outcomes: Outcomes = {}
        for exercise in exercises:
            outcomes |= self._ask_exercise(session, exercise)
        for exercise in exercises:
            outcomes |= self.ask_for_laws(session, exercise, outcomes)
        return outcomes

    def ask_for_laws(self, session: Session, exercise: Exercise, answers: Mapping[Case, Outcome]) -> Outcomes:
        """The questions for the conventions of the exercise's file, where its answer to the plain question is right."""
        return {
            one.case: self.ask_once(session, exercise, one.case, self.key.inputs[one.case])
            for one in self.key.asked.get(exercise.name, ())
            if self.key.is_right(exercise, one.plain, answers[one.plain])
        }

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
        inputs, expected = self.key.inputs, self.key.expected
        first = self.ask_once(session, exercise, case, inputs[case])
        if case.repeats == 1 or not isinstance(first, Value):
            return first
        checks = [c.failure for c in exercise.criteria if case in c.cases and case in expected]
        right = not any(_wrong(check(inputs[case], first, expected[case])) for check in checks)
        times = [first.cpu]
        for number in range(1, case.repeats):
            given = exercise.case_inputs(case, f"{self.seed}/{number}")
            outcome = self.ask_once(session, exercise, case, given)
            if not isinstance(outcome, Value):
                return outcome
            want = self.repeated.setdefault((case, number), outcome)  # the reference is the first to be asked
            if right and any(_wrong(check(given, outcome, want)) for check in checks):
                return Unsuitable("inconsistent")
            times.append(outcome.cpu)
        return replace(first, cpu=min(times))

    def ask_once(self, session: Session, exercise: Exercise, case: Case, given: Inputs) -> Outcome:
        """One answer, which is let go of where it is far larger than the reference's: they all are held until the
        end.
        """
        outcome = session.ask(self.question(exercise, case, given), exercise.cpu_limit)
        want = self.key.expected.get(case)
        right = want.weight if isinstance(want, Value) else 0
        if want and isinstance(outcome, Value) and outcome.weight > LARGE + 16 * right:
            return Unsuitable("oversized")
        return outcome

    def question(self, exercise: Exercise, case: Case, given: Inputs) -> Question:
        """What is sent to a child."""
        usual = given is self.key.inputs.get(case)
        if usual and case in self.questions:
            return self.questions[case]
        digest = hmac.digest(self.seed.encode(), f"{exercise.name}/{case.title}".encode(), "sha256")
        question: Question = {
            "name": exercise.name,
            "driver": case.driver,
            "args": Prepared(given.args),
            "kwargs": Prepared(given.kwargs),
            "seed": int.from_bytes(digest[:4]),
            "forbidden": list(self.assignment.forbids.get(exercise.name, ())),
        }
        if case.copies:
            question |= {"copies": case.copies, "lent": list(case.lent)}
        if usual:
            self.questions[case] = question
        return question


def _wrong(failure: Failure | None) -> bool:
    """Whether an answer is, however long it took."""
    return failure is not None and failure.kind not in SILENT
