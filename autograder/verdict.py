"""From answers to points: pure, so that it cannot fail for want of a sandbox and can be tested from tables.

A verdict may want to know what the reference answers with some of the known mistakes in it. What it does not find in
the evidence it names, and whoever asks the questions adds it and asks for the verdict again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.course import Assignment, Case, Conventions, Exercise, Inputs, Misconception
from autograder.decimals import total
from autograder.diagnosis import diagnose, diagnose_pair, pairs
from autograder.laws import Asked, broken, sentence
from autograder.nearest import Change, Table, computed, nearest
from autograder.outcome import NotImported, Outcome, Value
from autograder.results import ExerciseResult
from autograder.scoring import NOTHING_STARTED, Failures, absent, score, score_conventions

Outcomes = Mapping[Case, Outcome]
Mistake = tuple[str, frozenset[Misconception]]  # an exercise, and what is wrong in the reference when it is asked


@dataclass(frozen=True)
class Evidence:
    """What the judge has asked and heard.

    ``inputs`` and ``expected`` are those of every case of the parts that were handed in, ``answers`` the submission's.
    ``mistaken`` is what the reference answers to an exercise with some mistakes in it; None where they cannot be made
    together. ``tables`` are of small changes, by the exercise that they are compared with. ``asked`` are the questions
    of each exercise for its file's conventions; their answers stand among the others, where the plain answer was right.
    ``calls`` says which exercises the submission's own solution of one calls; those that the reference calls, if None.
    """

    inputs: Mapping[Case, Inputs]
    expected: Outcomes
    answers: Outcomes
    mistaken: dict[Mistake, Outcomes | None] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    asked: Mapping[str, Sequence[Asked]] = field(default_factory=dict)
    calls: Callable[[Exercise], Collection[str]] | None = None


@dataclass(frozen=True)
class Verdict:
    """``wanted`` and ``tables`` are what has to be added to the evidence before ``exercises`` are complete; both empty
    if they are. ``nearest`` is for staff: exercise → the small changes that its answers show. ``failures`` are those of
    each exercise that was asked.
    """

    exercises: tuple[ExerciseResult, ...]
    wanted: frozenset[Mistake]
    tables: frozenset[str]
    nearest: dict[str, list[str]]
    failures: Mapping[str, Failures] = field(default_factory=dict)

    @property
    def incomplete(self) -> bool:
        return bool(self.wanted or self.tables)


def judged(assignment: Assignment, evidence: Evidence, handed_in: Collection[str], *, unread: bool = False) -> Verdict:
    """Every exercise. One that needs another with a known misconception may be right under that one instead.

    Parts that are not among those ``handed_in`` may be in what is ``unread``.
    """
    results: dict[str, ExerciseResult] = {}
    failed: dict[str, Failures] = {}
    known: dict[str, set[Misconception]] = {}  # failing exercise → what is known to be wrong in it
    wanted: set[Mistake] = set()
    tables: set[str] = set()
    changes: dict[str, list[str]] = {}
    waiting: set[str] = set()  # exercises for which something is wanted, and those that need one of them

    for exercise in assignment.exercises:
        points = assignment.points[exercise.name]
        if exercise.part not in handed_in:
            results[exercise.name] = absent(exercise, points, unread=unread)
            continue
        if isinstance(exercise, Conventions):
            continue  # they wait for the points of all others
        needs = assignment.needs.get(exercise.name, ())
        if waiting.intersection(needs):
            waiting.add(exercise.name)
            continue
        failing = failures(exercise, evidence.inputs, evidence.answers, evidence.expected)
        failed[exercise.name] = failing
        inherited = frozenset(wrong for name in needs for wrong in known.get(name, ()) if wrong.carried)
        called = evidence.calls(exercise) if evidence.calls and failing else needs
        culprits = [name for name in needs if name in called and name in results and results[name].status != "passed"]
        excused: dict[str, list[str]] = {}
        diagnosis: dict[str, Collection[Misconception]] = {}
        near: dict[str, list[Change]] = {}
        if failing and inherited:
            mistake = exercise.name, inherited
            if mistake not in evidence.mistaken:
                wanted.add(mistake)
                waiting.add(exercise.name)
                continue
            if under := evidence.mistaken[mistake]:
                lost = failures(exercise, evidence.inputs, evidence.answers, under, evidence.expected)
                excused = dict.fromkeys(failing.keys() - lost.keys(), sorted({wrong.exercise for wrong in inherited}))
        if failing.keys() - excused.keys():
            bank = bank_of(assignment, exercise, evidence.answers)
            if missing := bank.keys() - evidence.mistaken.keys():
                wanted |= missing
                waiting.add(exercise.name)
                continue
            outcomes = {wrong: found for mistake, wrong in bank.items() if (found := evidence.mistaken[mistake])}
            asked = exercise, evidence.inputs, evidence.answers, evidence.expected
            diagnosis = {name: [wrong] for name, wrong in diagnose(*asked, outcomes).items()}
            if not diagnosis:
                both = {pair: (exercise.name, pair) for pair in pairs(*asked, outcomes)}
                if missing := both.values() - evidence.mistaken.keys():
                    wanted |= missing
                    waiting.add(exercise.name)
                    continue
                known_pairs = {pair: found for pair, one in both.items() if (found := evidence.mistaken[one])}
                diagnosis = dict(diagnose_pair(*asked, known_pairs))
            if not diagnosis and computed(evidence.answers, failing):
                if exercise.name not in evidence.tables:
                    tables.add(exercise.name)
                else:
                    near = nearest(*asked, evidence.tables[exercise.name])
        if failing:
            known[exercise.name] = {wrong for found in diagnosis.values() for wrong in found}
        if near:
            changes[exercise.name] = list(dict.fromkeys(change.exact for found in near.values() for change in found))
        results[exercise.name] = score(exercise, points, failing, excused, diagnosis, culprits, near)

    for exercise in assignment.exercises:
        if isinstance(exercise, Conventions) and exercise.part in handed_in:
            results[exercise.name] = _kept(assignment, exercise, evidence, failed, results)
    exercises = tuple(results[e.name] for e in assignment.exercises if e.name in results)
    return Verdict(exercises, frozenset(wanted), frozenset(tables), changes, failed)


def _kept(
    assignment: Assignment,
    conventions: Conventions,
    evidence: Evidence,
    failed: Mapping[str, Failures],
    results: Mapping[str, ExerciseResult],
) -> ExerciseResult:
    """What the exercises of one part keep of what its header promises; paid only where half of the part is right."""
    exercises = [
        e for e in assignment.exercises if e.part == conventions.part and e.name in failed and e.name in results
    ]
    broke: dict[str, list[str]] = {}
    shown: set[str] = set()
    for exercise in exercises:
        wrong = {case for cases in failed[exercise.name].values() for case, _ in cases}
        asked = evidence.asked.get(exercise.name, ())
        found = broken(exercise, asked, evidence.inputs, evidence.answers, evidence.expected, wrong)
        for law, breach in found.items():
            if breach:
                broke.setdefault(law, []).append(sentence(exercise, law, breach))
            else:
                shown.add(law)
    counted = [results[e.name] for e in exercises if not e.bonus]
    withheld = ""
    if 2 * total(r.points for r in counted) < total(r.max_points for r in counted):
        withheld = f"Paid only with at least half of the points of {conventions.part}.py."
    if all(result.status == "not started" for result in counted):
        withheld = NOTHING_STARTED
    return score_conventions(conventions, assignment.points[conventions.name], broke, shown, withheld)


def failures(
    exercise: Exercise, inputs: Mapping[Case, Inputs], got: Outcomes, want: Outcomes, right: Outcomes | None = None
) -> Failures:
    """Criterion → the cases that fail, for the criteria that are lost.

    ``right`` are the right outcomes where ``want`` are others: those of a reference with a mistake in it.
    """
    failed = {
        criterion.name: [
            (case, failure)
            for case in criterion.cases
            if (failure := criterion.failure(inputs[case], got[case], want[case], right[case] if right else None))
        ]
        for criterion in exercise.criteria
    }
    return {name: cases for name, cases in failed.items() if cases}


def bank_of(assignment: Assignment, exercise: Exercise, answers: Outcomes) -> dict[Mistake, Misconception]:
    """The misconceptions that answers to ``exercise`` are compared with: none where nothing was answered."""
    if not any(isinstance(answers[case], Value) for case in exercise.cases()):
        return {}
    return {
        (exercise.name, frozenset([wrong])): wrong
        for wrong in assignment.misconceptions
        if wrong.exercise == exercise.name
    }


def notes(assignment: Assignment, answers: Outcomes) -> list[str]:
    """Sentences on the submission as a whole: each reason why a part could not be imported, once, and the exercises
    that wrote into their arguments, in parts where that costs nothing.
    """
    reasons = dict.fromkeys(outcome.detail for outcome in answers.values() if isinstance(outcome, NotImported))
    changed = [
        f"{exercise.name} writes into its arguments, which belong to the caller."
        for exercise in assignment.exercises
        if not ((paid := assignment.conventions_of(exercise.part)) and "arguments" in paid.laws)
        if any(isinstance(o := answers.get(case), Value) and o.changed for case in exercise.cases())
    ]
    return [*reasons, *changed]
