"""From failures to points and sentences. A message holds no hidden input or expected value."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType

from autograder.compare import NOT_IMPORTED, NOT_STARTED, Failure
from autograder.course import Case, Conventions, Criterion, Exercise, Misconception
from autograder.nearest import Change
from autograder.results import CriterionResult, ExerciseResult, Status

NOTHING_STARTED = "Not started."

Failures = Mapping[str, Sequence[tuple[Case, Failure]]]  # by criterion


def absent(exercise: Exercise, points: Mapping[str, float], *, unread: bool) -> ExerciseResult:
    """The result of one exercise whose part was not found; ``unread`` says that not everything could be read."""
    status: Status = "not read" if unread else "not handed in"
    message = f"{exercise.part}.py was not {'found in what could be read' if unread else 'handed in'}."
    criteria = (CriterionResult(c.name, points[c.name], False, message) for c in exercise.criteria)
    return ExerciseResult(exercise.name, exercise.part, status, tuple(criteria), exercise.bonus)


def score(
    exercise: Exercise,
    points: Mapping[str, float],
    failures: Failures,
    excused: Mapping[str, Sequence[str]],
    diagnosis: Mapping[str, Collection[Misconception]],
    culprits: Sequence[str],
    near: Mapping[str, Sequence[Change]] = MappingProxyType({}),
) -> ExerciseResult:
    """The result of one exercise that was asked.

    Args:
        points: of each criterion.
        failures: the cases that fail, by criterion; criteria without any are won.
        excused: criteria that are won nevertheless, with the exercises that they are right after, as handed in.
        diagnosis: criterion → the misconception that explains its failure, or two that do so together.
        culprits: exercises that this one calls and that fail.
        near: criterion → the small changes of the reference, of one kind, that explain its failure.
    """
    results, said = [], dict[str, str]()
    for criterion in exercise.criteria:
        failed = failures.get(criterion.name, ())
        wrong = sorted(diagnosis.get(criterion.name, ()), key=attrgetter("name"))
        sentence = " ".join(one.sentence for one in wrong)
        if len(wrong) > 1:
            sentence = f"Two mistakes at once. {sentence}"
        elif not wrong:
            sentence = next((change.sentence for change in near.get(criterion.name, ())), "")
        message = ""
        if criterion.name in excused:
            source = _and(excused[criterion.name])
            message = f"Counted as right: it follows from {source} as handed in, where the points are lost."
        elif failed:
            message = _message(exercise, criterion, failed, sentence, culprits)
            if sentence in said:
                message = _message(exercise, criterion, failed, f"The same mistake as in “{said[sentence]}”.", ())
            elif sentence:
                said[sentence] = criterion.name
        names = () if criterion.name in excused else tuple(one.name for one in wrong)
        passed = not failed or criterion.name in excused
        results.append(CriterionResult(criterion.name, points[criterion.name], passed, message, names))
    kinds = {failure.kind for failed in failures.values() for _, failure in failed}
    status: Status = "passed" if all(result.passed for result in results) else "failed"
    if kinds == {NOT_STARTED} and not any(result.passed for result in results):
        status = "not started"
    return ExerciseResult(exercise.name, exercise.part, status, tuple(results), exercise.bonus)


def score_conventions(
    conventions: Conventions,
    points: Mapping[str, float],
    broken: Mapping[str, Sequence[str]],
    shown: Collection[str],
    withheld: str,
) -> ExerciseResult:
    """The result of what is promised for all exercises of a part.

    Args:
        points: of each law.
        broken: law → a sentence on each exercise that breaks it.
        shown: laws that some exercise keeps.
        withheld: why nothing is paid, whatever is kept; empty where there is no such reason.
    """
    results = []
    for criterion in conventions.criteria:
        law, message = criterion.name, withheld
        if not withheld and broken.get(law):
            message = f"{'; '.join(dict.fromkeys(broken[law]))}."
        elif not withheld and law not in shown:
            message = "No exercise returns an array that could show it."
        results.append(CriterionResult(law, points[law], not message, message))
    status: Status = "passed" if all(result.passed for result in results) else "failed"
    if withheld == NOTHING_STARTED:
        status = "not started"
    return ExerciseResult(conventions.name, conventions.part, status, tuple(results))


def _message(
    exercise: Exercise,
    criterion: Criterion,
    failed: Sequence[tuple[Case, Failure]],
    explanation: str,
    culprits: Sequence[str],
) -> str:
    case, failure = failed[0]
    if failure.kind == NOT_STARTED:
        return NOTHING_STARTED
    if failure.kind == NOT_IMPORTED:
        return failure.sentence
    if failure.kind in ("missing", "parameters", "forbidden", "unread", "inconsistent"):
        return f"{exercise.name} {failure.sentence}."
    count = f" ({len(failed)} of {len(criterion.cases)} cases fail)" if len(criterion.cases) > 1 else ""
    what = f"“{case.title}”: {failure.sentence}{count}."
    if not culprits:
        return f"{what} {explanation or f'Try: python -m pytest tests/{exercise.name}.py -k {criterion.name}'}"
    them, fail = ("it", "it fails") if len(culprits) == 1 else ("them", "they fail")
    first = f"First look at {_and(culprits)}: {exercise.name} calls {them}, and {fail} too."
    return " ".join([first, what, *([explanation] if explanation else [])])


def _and(names: Sequence[str]) -> str:
    return " and ".join([*([", ".join(names[:-1])] if names[:-1] else []), names[-1]])
