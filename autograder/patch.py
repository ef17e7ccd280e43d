"""Small edits of a reference: how misconceptions and alternatives are made from it."""

from __future__ import annotations

from autograder.course import Alternative, CourseError, Misconception
from autograder.source import definition, replace_definition


def apply(source: str, change: Misconception | Alternative) -> str:
    """The reference with one exercise changed.

    Raises:
        CourseError: the exercise, or the text to be replaced, does not stand in ``source`` exactly once.
    """
    if isinstance(change, Alternative):
        return replace_definition(source, change.exercise, change.source)
    old = definition(source, change.exercise)
    if (count := old.count(change.old)) != 1:
        raise CourseError(f"{change.name}: {change.old!r} stands {count} times in {change.exercise}, not once.")
    return replace_definition(source, change.exercise, old.replace(change.old, change.new))
