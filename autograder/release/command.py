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
from autograder.loading import PUBLIC_SEED, course_root, find_assignments, load, seed_doubt, term_seed
from autograder.places import check_folder
from autograder.release.archive import write_zip
from autograder.release.bundle import lab_is_remade, solution_bundle, student_bundle, write_folder
from autograder.release.classroom50 import classroom50_bundle
from autograder.release.confidential import confidential, without_solution
from autograder.release.leaks import leaks
from autograder.release.pieces import Piece, Unreadable, git_pieces

STUDENTS, CLASSROOM50 = "students", "classroom50"
PLATFORMS = tuple(name for name in ("gradescope", "otter") if importlib.util.find_spec(f"autograder.release.{name}"))
CHOICES = (STUDENTS, CLASSROOM50, *PLATFORMS)
NO_SEED = (
    "A package for {names} needs a term seed of your own, 16 random characters or more: --seed-from FILE, "
    "AUTOGRADER_SEED or .autograder-seed."
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
    out.add_argument("--seed-from", type=path, metavar="FILE", help="a file that holds the term seed")
    out.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    root = course_root(options.course)
    if options.solutions and options.whom:
        raise CourseError("--solutions is for students: give it without --for.")
    seed = _seed(options.seed_from, root)
    names = options.assignments or find_assignments(root)
    whom = [STUDENTS] if options.solutions else options.whom or CHOICES
    return 0 if release(names, root, options.out, seed, whom, solutions=options.solutions, tell=_tell) else 1


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
    tell: Callable[[str], None],
) -> bool:
    """Write the releases of some assignments below ``out``: for each a folder and a zip archive of the same files.

    Args:
        whom: of :data:`CHOICES`. Where these are all, what needs a term seed and has none is left out and said.
        solutions: write the assignment solved, for after the deadline.

    Returns:
        Whether everything was written. Nothing is written of an assignment in which something leaks, which is said.

    Raises:
        CourseError: unknown assignment; a platform without a term seed; something is in the way.
        BuildError: a file that students receive is missing.
    """
    everything = tuple(whom) == CHOICES
    platforms = [name for name in whom if name in PLATFORMS]
    if platforms and seed == PUBLIC_SEED:
        sentence = NO_SEED.format(names=" or ".join(platforms))
        if not everything:
            raise CourseError(sentence)
        tell(sentence)
        platforms = []
    elif platforms and (doubt := seed_doubt(seed)):
        say(doubt)
    if not lab_is_remade():
        tell("Labs are taken as they stand: jupytext, which makes them, is not installed.")
    check_folder(out)
    for source in (root / "assignments", root / "solutions"):
        if out.resolve().is_relative_to(source.resolve()):
            raise CourseError(f"{out} is part of the course itself: give another folder.")
    assignments = [load(name, root) for name in names]
    whole = True
    for assignment in assignments:
        if bundles := dict(_bundles(assignment, root, whom, solutions)):
            whole &= _write_bundles(assignment, root, out, seed, bundles, solutions, tell)
        for platform in platforms:
            make = getattr(importlib.import_module(f"autograder.release.{platform}"), f"release_{platform}")
            try:
                written = make(assignment.name, root, seed, out)
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
            found += [leak.sentence() for leak in leaks(secret, entries, _beside(out / name, entries))]
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


def _beside(folder: Path, entries: Mapping[str, bytes]) -> Iterator[Piece]:
    """What lies in the folder already and would go out with the release; a repository with its history.

    Raises:
        CourseError: something stands there that no release has written.
        Unreadable: the repository cannot be searched.
    """
    if (folder / ".git").exists():
        yield from git_pieces(folder)
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if file.is_dir() and not file.is_symlink():
            continue
        if file.is_symlink() or (name not in entries and not name.startswith(".git/")):
            raise CourseError(f"{file} is no part of the release: move it away, and release again.")


def _seed(file: Path | None, root: Path) -> str:
    """
    Raises:
        CourseError: ``file`` holds no text.
    """
    if file is None:
        return term_seed(root)
    try:
        seed = file.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        seed = ""
    if not seed:
        raise CourseError(f"{file} holds no seed: one line of UTF-8 text is wanted.")
    return seed
