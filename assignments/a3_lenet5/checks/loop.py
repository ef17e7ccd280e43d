# Generated from autograder/student/checks/loop.py by "python -m autograder build": change it there.
"""The loop: what is done, and the first exercise that is not right yet, in the order of the handout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from . import files, running
from .console import Console
from .examples import smallest
from .reading import NOT_STARTED, own_files
from .report import Exercise, Line, culprits, details, order, table, total

WHOLE_FILE = "conventions"  # the exercise that no function is named after


class Unknown(Exception):
    """No exercise has this name, or there are none; the message says so."""


def show_next(console: Console) -> bool:
    """Run module after module up to the first exercise that is not right; bonus exercises come last.

    Returns:
        Whether all are right.

    Raises:
        Unknown: there are no tests.
    """
    everything = [exercise for exercise in _declared() if exercise.possible]
    modules = files.modules()
    places = {exercise.name: running.module_of(exercise.name) for exercise in everything}
    asked: list[Exercise] = []
    following: Exercise | None = None
    for bonus in (False, True):
        for module in (*modules, ""):
            theirs = by_section(e for e in everything if places[e.name] == module and e.bonus == bonus)
            if following is None:
                _run(theirs)
                asked += theirs
                following = next((exercise for exercise in theirs if not exercise.right), None)
    _write_progress(console, everything)
    if following is None:
        console.write(Line("All visible tests pass. Grading uses other inputs.", "green"))
        return True
    known = {exercise.name: exercise for exercise in asked}
    following = _innermost(following, known)
    console.write(Line(""))
    for line in _next(following, known):
        console.write(line)
    for line in _rest(following, everything, asked):
        console.write(line)
    return False


def show(console: Console, names: Sequence[str]) -> bool:
    """Run single exercises, with those that they call, and show all that fails in them.

    Raises:
        Unknown: there is no exercise of a name.
    """
    known = _known(names)
    called = {name for asked in names for name in files.calls(asked) & known.keys()}
    for name in sorted(called | set(names), key=order):
        running.run(known[name])
    for number, name in enumerate(names):
        exercise = known[name]
        above = "\n" * (number > 0)
        console.write(Line(f"{above}{exercise.label}  {exercise.score}  {exercise.status}".rstrip(), _colour(exercise)))
        if not exercise.right:
            for line in _shown(exercise, known, folded=False):
                console.write(line)
    return all(known[name].right for name in names)


def show_all(console: Console) -> bool:
    """Run everything, and show a line an exercise.

    Raises:
        Unknown: there are no tests.
    """
    exercises = _declared()
    for exercise in exercises:
        running.run(exercise)
    for line in table(exercises):
        console.write(line)
    console.write(Line(""))
    console.write(Line(f"Total: {total(exercises)} points in the visible tests. Grading uses other inputs."))
    console.write(Line("One exercise alone: python -m checks NAME"))
    return all(exercise.right for exercise in exercises)


def show_hint(console: Console, name: str) -> bool:
    """Show the smallest failing case of an exercise, with its numbers.

    Raises:
        Unknown: there is no such exercise.
    """
    exercise = _known([name])[name]
    running.run(exercise)
    if exercise.right:
        console.write(Line(f"{name} passes: there is nothing to show."))
        return True
    example = None if exercise.status else smallest(name, running.tests(name))
    if example:
        for text in example.lines():
            console.write(Line(text))
        return False
    console.write(Line(f"{exercise.label}  {exercise.score}  {exercise.status}".rstrip(), _colour(exercise)))
    for line in _shown(exercise, {}, folded=True):
        console.write(line)
    return False


def by_section(exercises: Iterable[Exercise]) -> list[Exercise]:
    """Exercises in the order of the handout's sections, of several by the last, and within one in that of the file.

    One whose docstring names no section belongs to that before it. One that nothing defines comes first: it is said.
    """
    section, found = 0, []
    for exercise in exercises:
        section = max(map(int, re.findall(r"§(\d+)", _handout(exercise.name))), default=section)
        missing = exercise.name != WHOLE_FILE and not files.place(exercise.name)
        found.append((-1 if missing else section, exercise))
    return [exercise for _, exercise in sorted(found, key=lambda pair: pair[0])]


def _run(exercises: Sequence[Exercise]) -> None:
    """Run exercises of one module. If all are as they were handed out, that is not needed, and torch not imported."""
    defined = [exercise.name for exercise in exercises if files.place(exercise.name)]
    if defined and all(map(files.unwritten, defined)):
        for exercise in exercises:
            for result in exercise.results:
                result.ran = True
                result.fail(NotImplementedError(exercise.name), exercise.name)
        return
    for exercise in exercises:
        running.run(exercise)


def _declared() -> list[Exercise]:
    if found := running.declared():
        return found
    raise Unknown(f"There are no tests in {running.TESTS}: take that folder from what was handed out.")


def _known(names: Sequence[str]) -> dict[str, Exercise]:
    known = {exercise.name: exercise for exercise in _declared()}
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=3, cutoff=0.5)
            raise Unknown(f"There is no exercise {name}." + (f" Do you mean {' or '.join(near)}?" if near else ""))
    return known


def _innermost(exercise: Exercise, known: dict[str, Exercise]) -> Exercise:
    """The exercise, or the one further down in the file that all its failures go back to: what is mended first."""
    blamed = culprits(exercise, known)
    return known[min(blamed.values(), key=order)] if len(blamed) == len(exercise.failures) else exercise


def _write_progress(console: Console, everything: Sequence[Exercise]) -> None:
    expected = sum(exercise.possible for exercise in everything if not exercise.bonus)
    won, right = sum(exercise.won for exercise in everything), sum(exercise.right for exercise in everything)
    bar = console.bar(won / expected if expected else 0)
    console.write(Line(f"{bar} {total(everything)} points, {right} of {len(everything)} exercises"))


def _next(exercise: Exercise, known: dict[str, Exercise]) -> Iterator[Line]:
    place = files.place(exercise.name)
    where = f" ({place[0]}.py, line {place[1]}{_handout(exercise.name)})" if place else ""
    yield Line(f"Next: {exercise.label}{where}  {exercise.score}  {exercise.status}".rstrip(), "bold")
    yield from _shown(exercise, known, folded=False)
    if not exercise.status:
        yield Line(f"  Run it alone: python -m checks {exercise.name}")
        yield Line(f"  See an example with its numbers: python -m checks --hint {exercise.name}")


def _shown(exercise: Exercise, known: dict[str, Exercise], folded: bool) -> Iterator[Line]:
    if exercise.status == NOT_STARTED:
        yield Line("  Write it where the file raises NotImplementedError, save, and run this again.")
    elif exercise.status == "cannot be imported":
        yield Line(f"  {exercise.failures[0].sentence}", "red")
    else:
        yield from details(exercise, known, folded=folded)


def _rest(following: Exercise, everything: Sequence[Exercise], asked: Sequence[Exercise]) -> Iterator[Line]:
    waiting = [e.name for e in asked if not e.right and following.name in files.calls(e.name)]
    if waiting:
        yield Line(f"  Waiting for it: {', '.join(waiting)}.")
    if later := dict.fromkeys(running.module_of(e.name) for e in everything if e not in asked and not e.bonus):
        names = " and ".join(f"{module}.py" for module in later if module)
        yield Line("")
        yield Line(f"{names} comes after that, and has not been run: python -m checks --all runs everything.")


def _handout(exercise: str) -> str:
    """The section of the handout that the docstring names."""
    module, line = files.place(exercise) or ("", 1)
    text = next((path.read_text(encoding="utf-8", errors="replace") for path in own_files() if path.stem == module), "")
    rest = "\n".join(text.splitlines()[line:])
    found = re.search(r"^ *Handout: (.*?)\.?$|^(?:def|class) ", rest, re.MULTILINE)
    return f"; handout {found[1]}" if found and found[1] else ""


def _colour(exercise: Exercise) -> str:
    return "green" if exercise.right else "" if exercise.status == NOT_STARTED else "red"
