"""How many wrong answers are told a mistake that they do not make: ``python tests/scale/false_diagnosis.py [a1 …]``.

The wrong answers are the bank's own misconceptions, those of ``tests/outsiders`` and automatic mutants of the
references (``--sample N`` an assignment; 150). What the first two are is known. A mutant is named falsely if it and
the misconception answer differently, somewhere in the exercise, to inputs of another seed.

A second line measures the rule of ``autograder.diagnosis`` alone, on every pair of wrong answers of one exercise: how
many are found to be alike, and how many of those differ on the other seed. Minutes an assignment; ``--names`` prints
what was named falsely. Exits with 1 if a bank's or an outsider's mistake was.

The lines ``two at once`` do the same for two misconceptions, where none alone explains the answers; the last of them
for every two of one exercise's bank, made at once: how many of these are told both, one, or none.

The lines ``nearest`` do the same for the nearest small change of the reference, as if no misconception were known: how
many wrong answers get a kind, for how many a change that is named answers differently on the other seed, and for how
many mutants it is not their own kind. Of the outsiders' mistakes the last line says how many are named by the bank, by
the nearest change alone, and by neither.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import combinations
from operator import attrgetter
from pathlib import Path

from autograder.audit import every_mutant
from autograder.compare import close
from autograder.course import Assignment, Case, CourseError, Exercise, Misconception, Part
from autograder.diagnosis import diagnose, diagnose_pair, pairs
from autograder.judge import Judge
from autograder.loading import find_assignments, load
from autograder.mutants import Kind
from autograder.nearest import candidates, nearest, takes_part
from autograder.outcome import Outcome, Raised, Value
from autograder.patch import apply
from autograder.sandbox.isolation import choose
from autograder.source import reached, replace_definition

ROOT = Path(__file__).resolve().parents[2]
OUTSIDERS = ROOT / "tests" / "outsiders"
SEED, FRESH = "public", "fresh"

Outcomes = dict[Case, Outcome]


@dataclass(frozen=True, eq=False)
class Wrong:
    """A wrong solution of one exercise. ``mistake`` is the misconception it is known to show, "" if none is known, and
    None where only its answers can tell (a mutant, of a ``kind``); ``source`` is the whole part.
    """

    name: str
    exercise: Exercise
    source: str
    mistake: str | None
    kind: Kind | None = None


def bank(assignment: Assignment) -> Iterator[Wrong]:
    for exercise in assignment.exercises:
        for wrong in assignment.misconceptions:
            if wrong.exercise == exercise.name:
                yield Wrong(wrong.name, exercise, apply(assignment.references[exercise.part], wrong), wrong.name)


def outsiders(assignment: Assignment) -> Iterator[Wrong]:
    exercises = {exercise.name: exercise for exercise in assignment.exercises}
    folder = OUTSIDERS / assignment.name.split("_")[0]
    for path in sorted([*folder.glob("wrong/*.py"), *folder.glob("stub_only/*.py")]):
        text = path.read_text(encoding="utf-8")
        match = re.match(r"# (\w+): (?:\[(.+?)\])?", text)
        assert match, f"{path}: the first line names no exercise"
        exercise = exercises[match[1]]
        source = replace_definition(assignment.references[exercise.part], exercise.name, text)
        yield Wrong(path.name, exercise, source, match[2] or "")


def sampled_mutants(assignment: Assignment, sample: int) -> Iterator[Wrong]:
    """Each with the exercise whose code it changes, or every one that reaches the changed helper."""
    every = every_mutant(assignment)
    for part, mutant in random.Random(SEED).sample(every, min(sample, len(every))):
        reference = assignment.references[part]
        calls = reached(reference)
        source = replace_definition(reference, mutant.definition, mutant.source)
        exercises = assignment.part_exercises(next(one for one in assignment.parts if one.name == part))
        own = [exercise for exercise in exercises if exercise.name == mutant.definition]
        for exercise in own or [e for e in exercises if mutant.definition in calls[e.name]]:
            yield Wrong(f"{mutant.definition}: {mutant.change}", exercise, source, None, mutant.kind)


class Answers:
    """What wrong solutions answer under one seed; each is asked once."""

    def __init__(self, assignment: Assignment, seed: str) -> None:
        self.assignment, self.judge = assignment, Judge(assignment, seed, choose())
        self.asked: dict[tuple[str, str], Outcomes] = {}
        self.close = self.judge.close

    def of(self, wrong: Wrong) -> Outcomes:
        key = wrong.exercise.name, wrong.source
        if key not in self.asked:
            part: Part = self.assignment.part_of(wrong.exercise)
            self.judge.reference.expect(part)
            self.asked[key], _ = self.judge.examiner.ask_part(part, {f"{part.name}.py": wrong.source}, [wrong.exercise])
        return self.asked[key]

    def right(self, wrong: Wrong) -> bool:
        return not self.judge.key.failures(wrong.exercise, self.of(wrong))

    def named(self, wrong: Wrong, candidates: list[Wrong]) -> set[str]:
        """The names given to a wrong solution where ``candidates`` are all that is known."""
        known = {Misconception(c.name, c.exercise.name, "", "", ""): self.of(c) for c in candidates}
        found = diagnose(wrong.exercise, self.judge.key.inputs, self.of(wrong), self.judge.key.expected, known)
        return {misconception.name for misconception in found.values()}

    def named_together(self, wrong: Wrong) -> list[Wrong]:
        """The two misconceptions of the bank that are named together, where neither explains the answers alone."""
        exercise, judge = wrong.exercise, self.judge
        asked = exercise, judge.key.inputs, self.of(wrong), judge.key.expected
        own = [mistake for mistake in self.assignment.misconceptions if mistake.exercise == exercise.name]
        alone = {mistake: judge.reference.mistakes(exercise, [mistake]) for mistake in own}
        if diagnose(*asked, alone):
            return []
        known = {}
        for pair in pairs(*asked, alone):
            with suppress(CourseError):
                known[pair] = judge.reference.mistakes(exercise, pair)
        return [self.together(exercise, pair) for pair in set(diagnose_pair(*asked, known).values())]

    def together(self, exercise: Exercise, mistakes: Collection[Misconception]) -> Wrong:
        """The reference with several misconceptions in it.

        Raises:
            CourseError: they change the same lines.
        """
        source = self.assignment.references[exercise.part]
        for mistake in sorted(mistakes, key=attrgetter("name")):
            source = apply(source, mistake)
        return Wrong(" + ".join(sorted(mistake.name for mistake in mistakes)), exercise, source, None)

    def every_two(self) -> Iterator[Wrong]:
        for exercise in self.assignment.exercises:
            own = [mistake for mistake in self.assignment.misconceptions if mistake.exercise == exercise.name]
            for two in combinations(own, 2) if takes_part(exercise) else ():
                with suppress(CourseError):
                    yield self.together(exercise, two)

    def near(self, wrong: Wrong) -> list[Wrong]:
        """The small changes of the reference, other than itself, that are named where no misconception is known."""
        got, exercise = self.of(wrong), wrong.exercise
        sources = dict(candidates(self.assignment, exercise, self.judge.key.seed))
        others = {c: shown for c, shown in self.judge.reference.table(exercise).items() if sources[c] != wrong.source}
        found = nearest(exercise, self.judge.key.inputs, got, self.judge.key.expected, others)
        named = {change for changes in found.values() for change in changes}
        return [Wrong(c.exact, exercise, sources[c], None, c.kind) for c in named]

    def alike(self, first: Wrong, second: Wrong) -> bool:
        """Whether two solutions answer every question in the same way, as far as the criteria look at it."""
        mine, theirs, inputs = self.of(first), self.of(second), self.judge.key.inputs
        for criterion in first.exercise.criteria:
            for case in criterion.cases:
                one, other, want = mine[case], theirs[case], self.judge.key.expected[case]
                failures = [criterion.failure(inputs[case], outcome, want) for outcome in (one, other)]
                if failures == [None, None]:
                    continue
                if isinstance(one, Value) and isinstance(other, Value):
                    same = None not in failures and (
                        close()(inputs[case], one, other) is None or criterion.failure(inputs[case], one, other) is None
                    )
                elif isinstance(one, Raised) and isinstance(other, Raised):
                    same = one.name == other.name
                else:
                    same = one == other
                if not same:
                    return False
        return True


def measure(assignment: Assignment, sample: int, show: bool) -> int:
    """Print the counts of one assignment; the number of known mistakes that were named falsely."""
    with closing(Answers(assignment, SEED)) as answers, closing(Answers(assignment, FRESH)) as fresh:
        known = list(bank(assignment))
        kinds = {
            "misconceptions": known,
            "outsiders": list(outsiders(assignment)),
            "mutants": list(sampled_mutants(assignment, sample)),
        }
        print(assignment.name)
        failed = 0
        for kind, every in kinds.items():
            every[:] = [wrong for wrong in every if not answers.right(wrong)]
            named, false = 0, []
            for wrong in every:
                candidates = {other.name: other for other in known if other.exercise is wrong.exercise}
                names = answers.named(wrong, list(candidates.values()))
                named += bool(names)
                false += [
                    f"{wrong.exercise.name}: {wrong.name} is called “{name}”"
                    for name in sorted(names)
                    if not (fresh.alike(wrong, candidates[name]) if wrong.mistake is None else name == wrong.mistake)
                ]
            failed += len(false) if kind != "mutants" else 0
            print(f"  {kind:15} {len(every)} wrong, {named} named, {len(false)} falsely", flush=True)
            for line in false if show else []:
                print(f"    {line}")
            both = {wrong: told for wrong in every if (told := answers.named_together(wrong))}
            differ = [(wrong, told[0]) for wrong, told in both.items() if not fresh.alike(wrong, told[0])]
            failed += len(differ) if kind != "mutants" else 0
            print(f"  {'two at once':15} {len(both)} named, {len(differ)} falsely", flush=True)
            for wrong, pair in differ if show else []:
                print(f"    {wrong.exercise.name}: {wrong.name} is called “{pair.name}”")
            near = {wrong: changes for wrong in every if (changes := answers.near(wrong))}
            print_near(near, fresh, show)
            if kind == "outsiders":
                bare = sum(not answers.named(w, [o for o in known if o.exercise is w.exercise]) for w in every)
                only = sum(not answers.named(w, [o for o in known if o.exercise is w.exercise]) for w in near)
                print(
                    f"  {'of these':15} {len(every) - bare} by the bank, {only} by nearest alone, {bare - only} unnamed"
                )
        failed += print_every_two(answers, fresh, known, show)
        everybody = [wrong for every in kinds.values() for wrong in every]
        twos = [(a, b) for a in everybody for b in everybody if a is not b and a.exercise is b.exercise]
        alike = [(a, b) for a, b in twos if answers.named(a, [b])]
        differ = [(a, b) for a, b in alike if not fresh.alike(a, b)]
        print(f"  {'pairs':15} {len(twos)}, {len(alike)} taken for each other, {len(differ)} falsely", flush=True)
        for a, b in differ if show else []:
            print(f"    {a.exercise.name}: {a.name} is called “{b.name}”")
    return failed


def print_every_two(answers: Answers, fresh: Answers, known: Sequence[Wrong], show: bool) -> int:
    """What every two misconceptions of one exercise are told, made at once; how many are told one that is neither."""
    told: Counter[int] = Counter()
    false = []
    for both in (both for both in answers.every_two() if not answers.right(both)):
        candidates = [other for other in known if other.exercise is both.exercise]
        names = answers.named(both, candidates)
        made = set(both.name.split(" + "))
        if names:
            strange = [c for c in candidates if c.name in names - made and not fresh.alike(both, c)]
        else:
            found = answers.named_together(both)
            names = {name for pair in found for name in pair.name.split(" + ")}
            strange = [pair for pair in found if not fresh.alike(both, pair)]
        told[len(names)] += 1
        false += [f"{both.exercise.name}: {both.name} is called “{other.name}”" for other in strange]
    counts = f"{told[2]} told both, {told[1]} one, {told[0]} none, {len(false)} falsely"
    print(f"  {'two at once':15} {told.total()} made of the bank, {counts}", flush=True)
    for line in false if show else []:
        print(f"    {line}")
    return len(false)


def print_near(near: Mapping[Wrong, Sequence[Wrong]], fresh: Answers, show: bool) -> None:
    """How many wrong answers the nearest change names, and how often falsely."""
    differ = [
        (wrong, change) for wrong, changes in near.items() for change in changes if not fresh.alike(wrong, change)
    ]
    other = [(wrong, changes[0]) for wrong, changes in near.items() if wrong.kind and changes[0].kind != wrong.kind]
    falsely = f"{len({wrong for wrong, _ in differ})} answer otherwise"
    print(f"  {'nearest':15} {len(near)} named, {falsely}, {len(other)} of another kind", flush=True)
    for wrong, change in [*differ, *other] if show else []:
        print(f"    {wrong.exercise.name}: {wrong.name} is called “{change.kind}”: {change.name}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assignments", nargs="*", help="a1 to a6; all of them by default")
    parser.add_argument("--sample", type=int, default=150, metavar="N", help="mutants of each assignment")
    parser.add_argument("--names", action="store_true", help="print what was named falsely")
    arguments = parser.parse_args()
    names = arguments.assignments or find_assignments(ROOT)
    return 1 if sum(measure(load(name, ROOT), arguments.sample, arguments.names) for name in names) else 0


if __name__ == "__main__":
    sys.exit(main())
