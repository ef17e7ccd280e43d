"""The proof of an assignment's hidden cases: every known mistake caught and named, everything right accepted, and no
small change of the reference unnoticed, and nothing won by an answer that nobody has to think for.
"""

from __future__ import annotations

import ast
import itertools
import multiprocessing
import random
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import replace
from statistics import fmean

from autograder import audit_promises, trivial, visible
from autograder.audit_results import (
    AuditResult,
    KnownMistake,
    MutantResult,
    SlowSolution,
    TrivialWin,
    UnusualSolution,
)
from autograder.build import handed_out
from autograder.clauses import HELPER, Clause, clauses
from autograder.course import (
    Assignment,
    Case,
    CourseError,
    Criterion,
    Equivalent,
    Exercise,
    Inputs,
    Misconception,
    Part,
)
from autograder.diagnosis import SILENT
from autograder.judge import Judge
from autograder.loading import load
from autograder.mutants import Mutant, mutants
from autograder.outcome import Outcome, Value
from autograder.patch import apply
from autograder.scoring import Failures
from autograder.source import reached, replace_definition
from autograder.verdict import Outcomes
from autograder.workers import Setting, prepare_worker

RANDOM_INPUTS = 2000  # on which a mutant that is marked as equivalent must agree with the reference
RANDOM_CPU = 10.0  # seconds of the reference's CPU, which bound that number where a question trains a model
SAMPLED = 0.1  # of that number, where only a sample is audited
LEISURE = 0.1  # of a limit of time is what a right solution may need
PATIENCE = 4  # times that a slow solution is asked before it counts as slow: the machine may have been busy
FRESH = 200  # questions per child
CHUNK = 20
Task = tuple[str, Mutant, str]  # the name of a part, and why the mutant is equivalent, if somebody says so
UNSEEN = ("budget", "answers", "waiting", "protocol")  # kinds of failure that say nothing about what a mutant computes


def audit(setting: Setting, workers: int, sample: int | None = None, only: str = "") -> AuditResult:
    """Grade the whole bank and every mutant; of mutants and of pairs of misconceptions ``sample``, if given,
    and with a tenth of the random inputs.

    Args:
        only: an exercise; what does not concern it is left out.

    Raises:
        CourseError: there is no such exercise.
        SandboxError: no sandbox can be started.
    """
    whole = load(setting.assignment, setting.root)
    assignment, concerned = _reduced(whole, only) if only else (whole, None)
    dropped = {exercise.name for exercise in assignment.dropped}
    kept = [mark for mark in assignment.equivalents if mark.definition not in dropped]
    made = [(part, m) for part, m in every_mutant(assignment) if concerned is None or m.definition in concerned]
    tasks, stale = _tasks(made, kept)
    broken, old = _tasks(every_clause(assignment), assignment.unbroken)
    stale += [*old, *audit_promises.wrong(assignment)]
    total, total_broken = (len(every_mutant(whole)), len(every_clause(whole))) if only else (len(tasks), len(broken))
    pairs = [pair for pair in every_pair(whole) if not only or only in (pair[0].exercise, pair[1].exercise)]
    if sample is not None:
        rng = random.Random(setting.seed)
        tasks, pairs = rng.sample(tasks, min(sample, len(tasks))), rng.sample(pairs, min(sample, len(pairs)))
        broken = rng.sample(broken, min(sample, len(broken)))
    marked = [task for task in (*tasks, *broken) if task[2]]
    unmarked = [task for task in (*tasks, *broken) if not task[2]]
    names = [exercise.name for part in assignment.parts for exercise in assignment.part_exercises(part)]
    starting = setting, 1.0 if sample is None else SAMPLED
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _start_worker, starting) as pool:
        doubtful, others = pool.map(_examine, marked), pool.map(_examine, unmarked, chunksize=CHUNK)
        wrong, right, slow = zip(*pool.map(_bank, names), strict=True)
        tried, won = zip(*pool.map(_trivial, names), strict=True)
        known = {(t.exercise, t.criterion, t.answer) for t in itertools.chain(*won)}
        stale += [
            f"{mark.exercise}: the mark of “{mark.answer}” is stale: it does not win {mark.criterion}."
            for mark in assignment.trivial
            if (mark.exercise, mark.criterion, mark.answer) not in known
        ]
        examined = [*doubtful, *others]
        clauses_examined = [result for result in examined if result.promise]
        hides = [pair for pair, hidden in zip(pairs, pool.map(_hides, pairs, chunksize=CHUNK), strict=True) if hidden]
        stale += [
            f"{mistake.exercise}: “{mistake.name}” hides {other.name}: it must not be carried."
            for mistake, other in hides
            if only and mistake.exercise != only
        ]
        return AuditResult(
            assignment.name,
            assignment.title,
            tuple((e.name, criterion.name) for e in assignment.exercises for criterion in e.criteria),
            tuple(
                replace(m, hides=tuple(other.name for mistake, other in hides if mistake.name == m.name))
                for m in itertools.chain(*wrong)
            ),
            tuple(itertools.chain(*right)),
            tuple(result for result in examined if not result.promise),
            tuple(stale),
            total,
            tuple(itertools.chain(*slow)),
            sum(tried),
            tuple(itertools.chain(*won)),
            tuple(clauses_examined),
            total_broken,
            tuple(audit_promises.results(assignment, clauses_examined, complete=sample is None)),
            tuple(visible.untold(assignment, handed_out(setting.root, whole)) if only else ()),
        )


def _reduced(assignment: Assignment, name: str) -> tuple[Assignment, set[str]]:
    """The assignment as if it asked for one exercise alone, and what its mutants are made of: it and its helpers."""
    exercise = next((e for part in assignment.parts for e in assignment.part_exercises(part) if e.name == name), None)
    if exercise is None:
        raise CourseError(f"{assignment.name} has no exercise {name!r} that is graded.")
    others = [other for other in assignment.exercises if other is not exercise]
    concerned = {name, *reached(assignment.references[exercise.part])[name]} - {other.name for other in others}
    reduced = replace(
        assignment,
        exercises=[exercise],
        dropped=[*assignment.dropped, *others],
        misconceptions=[one for one in assignment.misconceptions if one.exercise == name],
        alternatives=[one for one in assignment.alternatives if one.exercise == name],
        equivalents=[mark for mark in assignment.equivalents if mark.definition in concerned],
        unbroken=[mark for mark in assignment.unbroken if mark.definition in concerned],
        trivial=[mark for mark in assignment.trivial if mark.exercise == name],
        promises=[one for one in assignment.promises if one.exercise == name],
    )
    return reduced, concerned


def _tasks(made: Sequence[tuple[str, Mutant]], marks: Sequence[Equivalent]) -> tuple[list[Task], list[str]]:
    """The mutants, each with the name of its part and the reason of its mark, and sentences on marks of none."""
    reasons = {(m.part, m.definition, m.digest, m.change): m.reason for m in marks}
    tasks = [(part, m, reasons.pop((part, m.definition, m.digest, m.change), "")) for part, m in made]
    return tasks, [f"{name}: the mark of “{change}” is stale: the code has changed." for _, name, _, change in reasons]


def every_clause(assignment: Assignment) -> list[tuple[str, Clause]]:
    """The clause mutants of every exercise that is graded, each with the name of its part."""
    return [
        (part.name, clause)
        for part in assignment.parts
        for exercise in assignment.part_exercises(part)
        for clause in clauses(assignment.references[part.name], exercise.name, tuple(assignment.promises))
    ]


def every_mutant(assignment: Assignment) -> list[tuple[str, Mutant]]:
    """The mutants of every function and class of the references, each with the name of its part; none of exercises
    that are dropped, for which nobody asks.
    """
    dropped = {exercise.name for exercise in assignment.dropped}
    return [
        (part, mutant)
        for part, source in assignment.references.items()
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in dropped
        for mutant in mutants(source, node.name)
    ]


def every_pair(assignment: Assignment) -> list[tuple[Misconception, Misconception]]:
    """Each misconception that is carried, with each one of the exercises that need its own."""
    asked = [mistake for mistake in assignment.misconceptions if mistake.exercise in assignment.points]
    return [
        (mistake, other)
        for mistake in asked
        for other in asked
        if mistake.carried and mistake.exercise in assignment.needs[other.exercise]
    ]


_judge: Judge
_share = 1.0  # of the random inputs
_answered: dict[tuple[str, ...], list[Outcome]] = {}  # exercises → the reference's answers to random inputs


def _start_worker(setting: Setting, share: float) -> None:
    global _judge, _share
    _share = share
    _judge = Judge(load(setting.assignment, setting.root), setting.seed, setting.isolation)
    prepare_worker(_judge.close)


def _part(name: str) -> Part:
    part = next(part for part in _judge.assignment.parts if part.name == name)
    _judge.reference.expect(part)
    return part


def _bank(name: str) -> tuple[list[KnownMistake], list[UnusualSolution], list[SlowSolution]]:
    """In a worker: the misconceptions and alternatives of one exercise, and which right solutions are slow."""
    assignment = _judge.assignment
    exercise = next(exercise for exercise in assignment.exercises if exercise.name == name)
    part = _part(exercise.part)
    key, examiner, reference = _judge.key, _judge.examiner, _judge.reference
    wrong, right = [], []
    slow = _slow(exercise, "the reference", assignment.reference_files(part), key.expected)
    for mistake in assignment.misconceptions:
        if mistake.exercise == name:
            files = {f"{part.name}.py": apply(assignment.references[part.name], mistake)}
            got, timed, _ = examiner.timed_again(part, files, dict(reference.mistakes(exercise, [mistake])))
            said = {known.name for known in reference.diagnose(exercise, got).values()}
            failing = key.failures(exercise, got, key.expected | timed)
            broken = _broken(exercise, got, failing)
            wrong.append(KnownMistake(mistake.name, name, tuple(failing), tuple(sorted(said)), broken=broken))
    for solution in assignment.alternatives:
        if solution.exercise == name:
            files = {f"{part.name}.py": apply(assignment.references[part.name], solution)}
            got, timed, _ = examiner.timed_again(part, files, examiner.ask_part(part, files, [exercise])[0])
            failing = key.failures(exercise, got, key.expected | timed)
            lost = (*failing, *_broken(exercise, got, failing))
            right.append(UnusualSolution(solution.name, name, lost))
            slow += _slow(exercise, f"the alternative “{solution.name}”", files, got)
    return wrong, right, slow


def _broken(exercise: Exercise, got: Outcomes, failing: Failures) -> tuple[str, ...]:
    """The conventions of its file that the exercise breaks, as "conventions: dtype"."""
    paid = _judge.assignment.conventions_of(exercise.part)
    found = _judge.key.broken(exercise, got, failing)
    return tuple(f"{paid.name}: {law}" for law in found if found[law] and law in paid.laws) if paid else ()


def _slow(exercise: Exercise, name: str, files: Mapping[str, str], answers: Outcomes) -> list[SlowSolution]:
    """The solution, if its slowest answer takes more than a tenth of the limit, however often it is asked."""
    part = _judge.assignment.part_of(exercise)
    pace = _judge.sandboxes.pace(part.runtime)
    shares = []
    for _ in range(PATIENCE):
        longest = max((o.cpu for case in exercise.cases() if isinstance(o := answers[case], Value)), default=0.0)
        shares.append(longest / (exercise.cpu_limit * pace.factor))
        if shares[-1] <= LEISURE:
            return []
        pace.measure()
        answers, _ = _judge.examiner.ask_part(part, files, [exercise])
    return [SlowSolution(name, exercise.name, min(shares))]


def _trivial(name: str) -> tuple[int, list[TrivialWin]]:
    """In a worker: how many trivial answers to one exercise were tried, and what they win."""
    exercise = next(exercise for exercise in _judge.assignment.exercises if exercise.name == name)
    _part(exercise.part)
    reasons = {(mark.exercise, mark.criterion, mark.answer): mark.reason for mark in _judge.assignment.trivial}
    tries = list(trivial.tries(exercise, _judge.key.inputs, _judge.key.expected))
    won = [
        TrivialWin(name, criterion, answer, reasons.get((name, criterion, answer), ""))
        for answer, criteria in tries
        for criterion in criteria
    ]
    return len(tries), won


def _hides(pair: tuple[Misconception, Misconception]) -> bool:
    """In a worker: whether a misconception of an exercise that needs another's would be right under the other's."""
    mistake, other = pair
    exercise = next(exercise for exercise in _judge.assignment.exercises if exercise.name == other.exercise)
    part = _part(exercise.part)
    under = _judge.reference.mistakes(exercise, [mistake])
    alone = _judge.key.failures(exercise, _judge.reference.mistakes(exercise, [other]))
    slow = all(failure.kind in SILENT for cases in alone.values() for _, failure in cases)
    if slow or not _judge.key.failures(exercise, under):
        return False
    both = apply(apply(_judge.assignment.references[part.name], mistake), other)
    return not _killer(part, {f"{part.name}.py": both}, [exercise], under)


def _examine(task: Task) -> MutantResult:
    """In a worker: one mutant, and whether a mark of equivalence holds."""
    name, mutant, reason = task
    part = _part(name)
    source = _judge.assignment.references[name]
    promise = mutant.promise if isinstance(mutant, Clause) else ""
    files = {f"{name}.py": replace_definition(source, mutant.definition, mutant.source)} | (HELPER if promise else {})
    exercises = _asked(source, mutant.definition, _judge.assignment.part_exercises(part))
    killed_by, doubt = _killer(part, files, exercises), ""
    if reason:
        doubt = "is marked as equivalent, and killed" if killed_by else _difference(part, files, exercises)
    return MutantResult(mutant.definition, mutant.digest, mutant.change, killed_by, reason, doubt, promise)


def _asked(source: str, definition: str, exercises: Sequence[Exercise]) -> list[Exercise]:
    """An exercise answers for its own code, and those that reach a helper for the helper's."""
    calls = reached(source)
    own = [exercise for exercise in exercises if exercise.name == definition]
    return own or [exercise for exercise in exercises if definition in calls[exercise.name]]


def _killer(part: Part, files: Mapping[str, str], exercises: Sequence[Exercise], want: Outcomes | None = None) -> str:
    """The first exercise and criterion that fail, by default against the reference and then its file's conventions;
    speed is not asked for.
    """
    reference, want = want is None, want or _judge.key.expected
    with closing(_judge.sandboxes.session(part, files)) as session:
        for exercise in exercises:
            answers: dict[Case, Outcome] = {}
            for criterion in exercise.criteria:
                for case in criterion.cases:
                    if case.repeats > 1:
                        continue
                    given = _judge.key.inputs[case]
                    if case not in answers:
                        answers[case] = session.ask(_judge.examiner.question(exercise, case, given), exercise.cpu_limit)
                    failure = criterion.failure(given, answers[case], want[case], _judge.key.expected[case])
                    if failure and failure.kind not in UNSEEN:
                        return f"{exercise.name}: {criterion.name}"
            if reference:
                answers |= _judge.examiner.ask_for_laws(session, exercise, answers)
                if broken := _broken(exercise, answers, {}):
                    return broken[0]
    return ""


def _difference(part: Part, files: Mapping[str, str], exercises: Sequence[Exercise]) -> str:
    """Where a mutant differs from the reference on random inputs of the cases' kinds."""
    names = tuple(exercise.name for exercise in exercises)
    if names not in _answered:
        reference = _judge.assignment.reference_files(part)
        _answered[names] = [got for *_, got in _random_answers(part, reference, exercises)]
    with closing(_random_answers(part, files, exercises)) as answers:
        for want, (criterion, case, given, got) in zip(_answered[names], answers, strict=True):
            if criterion.failure(given, got, want):
                return f"is marked as equivalent, and differs on a random input of “{case.title}”"
    return ""


def _random_answers(
    part: Part, files: Mapping[str, str], exercises: Sequence[Exercise]
) -> Generator[tuple[Criterion, Case, Inputs, Outcome], None, None]:
    """The same questions each time, of all cases in turn."""
    asked = [
        (exercise, criterion, case)
        for exercise in exercises
        for criterion in exercise.criteria
        for case in criterion.cases
        if case.repeats == 1
    ]
    cost = fmean(o.cpu for *_, case in asked if isinstance(o := _judge.key.expected[case], Value))
    questions, count = itertools.cycle(asked), int(_share * min(RANDOM_INPUTS, RANDOM_CPU / cost))
    for first in range(0, count, FRESH):
        with closing(_judge.sandboxes.session(part, files)) as session:
            for number in range(first, min(count, first + FRESH)):
                exercise, criterion, case = next(questions)
                given = exercise.case_inputs(case, f"{_judge.key.seed}/random {number}")
                got = session.ask(_judge.examiner.question(exercise, case, given), exercise.cpu_limit)
                yield criterion, case, given, got
