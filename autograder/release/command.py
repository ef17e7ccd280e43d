"""``release``: writes what students receive, after a search for what they may not, and packages for platforms."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from autograder.arguments import path, say
from autograder.course import Assignment, CourseError
from autograder.loading import (
    NO_SEED,
    PUBLIC_SEED,
    course_root,
    find_assignments,
    full_name,
    load,
    read_seed,
    seed_doubt,
    term_seed,
)
from autograder.missing import unfilled
from autograder.places import check_folder
from autograder.release.archive import write_zip
from autograder.release.bundle import lab_is_remade, solution_bundle, student_bundle, write_folder
from autograder.release.classroom50 import classroom50_bundle
from autograder.release.confidential import confidential, without_solution
from autograder.release.leaks import leaks
from autograder.release.pieces import Unreadable
from autograder.release.standing import beside, check_archive, check_standing

STUDENTS, CLASSROOM50 = "students", "classroom50"
PLATFORMS = tuple(name for name in ("gradescope", "otter") if importlib.util.find_spec(f"autograder.release.{name}"))
CHOICES = (STUDENTS, CLASSROOM50, *PLATFORMS)
STAFF = "staff"  # of the folder of releases: what holds answers and the seed
NEEDS_SEED = (
    "A package for {names} needs a term seed {needed}, 16 random characters or more: --seed-from FILE, "
    'AUTOGRADER_SEED or .autograder-seed. This prints one: python -c "import secrets; print(secrets.token_hex(16))"'
)


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add it to those of the command line."""
    out = commands.add_parser("release", help="write what students receive, and packages for platforms")
    out.add_argument("assignments", nargs="*", metavar="ASSIGNMENT", help="a1 a2 ... (all)")
    out.add_argument("-o", "--out", type=path, required=True, metavar="DIR", help="where they go")
    out.add_argument(
        "--for",
        dest="whom",
        action="append",
        choices=CHOICES,
        help="only these; may be repeated (all that can be made)",
    )
    out.add_argument("--solutions", action="store_true", help="the assignment solved, to show after the deadline")
    out.add_argument("--force", action="store_true", help="replace files that were changed since the last release")
    out.add_argument("--seed-from", type=path, metavar="FILE", help="a file that holds the term seed")
    out.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    root = course_root(options.course)
    if options.solutions and options.whom:
        raise CourseError("--solutions is for students: give it without --for.")
    seed = _seed(options.seed_from, root)
    names = options.assignments or find_assignments(root)
    whom = [STUDENTS] if options.solutions else [one for one in CHOICES if one in (options.whom or CHOICES)]
    whole = release(names, root, options.out, seed, whom, solutions=options.solutions, force=options.force, tell=_tell)
    return 0 if whole else 1


def _tell(sentence: str) -> None:
    say(sentence, sys.stdout)


def release(
    names: Sequence[str],
    root: Path,
    out: Path,
    seed: str,
    whom: Sequence[str] = CHOICES,
    *,
    solutions: bool = False,
    force: bool = False,
    tell: Callable[[str], None],
) -> bool:
    """Write the releases of some assignments below ``out``: for each a folder and a zip archive of the same files.

    Args:
        whom: of :data:`CHOICES`. Where these are all, what needs a term seed and has none is left out and said.
        solutions: write the assignment solved, for after the deadline.
        force: replace files that a person has changed since the last release.

    Returns:
        Whether everything was written. Nothing is written of an assignment in which something leaks, which is said.

    Raises:
        CourseError: unknown assignment, or one that is not filled in; a platform without a term seed, or with one that
            could be guessed; something is in the way.
        BuildError: a file that students receive is missing.
    """
    everything = tuple(whom) == CHOICES
    platforms = [name for name in whom if name in PLATFORMS]
    if platforms and seed_doubt(seed):
        needed = "of your own" if seed == PUBLIC_SEED else "that cannot be guessed"
        sentence = NEEDS_SEED.format(names=" or ".join(platforms), needed=needed)
        if not (everything and seed == PUBLIC_SEED):
            raise CourseError(sentence)
        tell(sentence)
        platforms = []
    if STUDENTS in whom and not lab_is_remade():
        tell("Labs are taken as they stand: jupytext, which makes them, is not installed.")
    check_folder(out)
    for source in (root / "assignments", root / "solutions"):
        if out.resolve().is_relative_to(source.resolve()):
            raise CourseError(f"{out} is part of the course itself: give another folder.")
    assignments = [load(name, root) for name in dict.fromkeys(full_name(name, root) for name in names)]
    if left := [sentence for assignment in assignments for sentence in unfilled(assignment.name, root)]:
        raise CourseError(f"{left[0]}. Nothing is released before all is filled in, which build --check lists.")
    made = [dict(_bundles(assignment, root, whom, solutions)) for assignment in assignments]
    for assignment, bundles in zip(assignments, made, strict=True):  # before anything is written
        for name, entries in bundles.items():
            check_standing(out / name, entries, force=force)
        for platform in platforms:
            check_archive(out / STAFF / f"{platform}-{assignment.name}.zip", force=force)
    whole = True
    for assignment, bundles in zip(assignments, made, strict=True):
        if bundles:
            whole &= _write_bundles(assignment, root, out, seed, bundles, solutions, tell)
        for platform in platforms:
            (out / STAFF).mkdir(mode=0o700, parents=True, exist_ok=True)
            make = getattr(importlib.import_module(f"autograder.release.{platform}"), f"release_{platform}")
            try:
                written = make(assignment.name, root, seed, out / STAFF)
            except CourseError as error:  # something it needs is not installed
                if not everything:
                    raise
                tell(str(error))
            else:
                tell(f"{written}: for staff alone, it holds answers and the seed.")
    return whole


def _bundles(
    assignment: Assignment, root: Path, whom: Sequence[str], solutions: bool
) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Name → files of everything that students can read."""
    if solutions:
        yield f"{assignment.name}-solution", solution_bundle(assignment, root)
        return
    bundle = student_bundle(assignment, root)
    if STUDENTS in whom:
        yield assignment.name, bundle
    if CLASSROOM50 in whom:
        yield f"{assignment.name}-classroom50", classroom50_bundle(assignment, bundle)


def _write_bundles(
    assignment: Assignment,
    root: Path,
    out: Path,
    seed: str,
    bundles: Mapping[str, dict[str, bytes]],
    solutions: bool,
    tell: Callable[[str], None],
) -> bool:
    secret = confidential(assignment, root, seed, say)
    secret = without_solution(secret, assignment) if solutions else secret
    found = []
    for name, entries in bundles.items():
        try:
            found += [leak.sentence() for leak in leaks(secret, entries, beside(out / name))]
        except Unreadable as error:
            found.append(str(error))
    if found:
        for sentence in found:
            say(sentence)
        say(f"{assignment.name} is not released: students would read what they may not.")
        return False
    for name, entries in bundles.items():
        write_folder(out / name, entries)
        write_zip(out / f"{name}.zip", {f"{name}/{file}": content for file, content in entries.items()})
        tell(f"{out / name}: {len(entries)} files, and {name}.zip.")
    return True


def _seed(file: Path | None, root: Path) -> str:
    """
    Raises:
        CourseError: there is no such file, or it holds no seed.
    """
    if file is None:
        return term_seed(root)
    try:
        seed = read_seed(file)
    except (FileNotFoundError, NotADirectoryError):
        raise CourseError(f"{file} is not there: --seed-from names the file that holds the term seed.") from None
    except IsADirectoryError:
        raise CourseError(f"{file} is a folder: --seed-from names the file that holds the term seed.") from None
    if not seed:
        raise CourseError(NO_SEED.format(file=file))
    return seed
