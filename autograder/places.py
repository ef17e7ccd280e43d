"""Where a course, submissions and results may lie: apart from each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.course import CourseError


def check_apart(root: Path, submissions: Sequence[Path], explicit: bool) -> None:
    """The course's files are executed, unconfined: none may be a student's.

    Raises:
        CourseError: the course lies among the submissions, or they lie in a course that was named.
    """
    for given in submissions:
        place = given.resolve()
        if place == root or place in root.parents:
            raise CourseError(f"The course {root} lies among the submissions in {given}, and would be executed.")
        if explicit and root in place.parents:
            raise CourseError(f"The submissions in {given} lie in the course {root}: keep them elsewhere.")


def check_out(out: Path, submissions: Sequence[Path]) -> None:
    """Results written among the submissions would be taken for submissions, and spoil them.

    Raises:
        CourseError: ``out`` lies among them, or cannot become a folder.
    """
    for given in submissions:
        if out.resolve() == given.resolve() or given.resolve() in out.resolve().parents:
            raise CourseError(f"Results cannot go to {out}, among the submissions in {given}.")
    check_folder(out)


def check_folder(out: Path) -> None:
    """Raise a :class:`CourseError` where ``out`` cannot become a folder, because a file is in its way."""
    if file := next((place for place in (out, *out.parents) if place.is_file()), None):
        raise CourseError(f"{file} is a file, not a folder.")
