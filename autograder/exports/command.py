"""``export``: one platform's file, from a folder of grades and, where it has one, the platform's own export."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from autograder.exports.columns import PLATFORMS
from autograder.exports.feedback import github_files, moodle_zip
from autograder.exports.fill import fill, summary
from autograder.exports.people import members
from autograder.exports.plain import plain_csv
from autograder.exports.sheet import ExportError
from autograder.places import check_folder
from autograder.store import results_in, write_bytes, write_text

FEEDBACK, GITHUB, PLAIN = "moodle-feedback", "github", "plain"
CHOICES = (*PLATFORMS, FEEDBACK, GITHUB)


def export(
    platform: str,
    out: Path,
    target: Path,
    given: Path | None = None,
    *,
    column: str = "",
    scale: bool = False,
    say: Callable[[str], None],
) -> None:
    """Write the grades, or the feedback, of the folder ``out`` to ``target``.

    Args:
        platform: one of :data:`CHOICES`.
        given: what the platform exported, which stays as it is; without it ``plain`` writes a table of its own.
        column, scale: as in :func:`autograder.exports.fill.fill`.
        say: called with each sentence for the teacher.

    Raises:
        CourseError: ``out`` holds no results, or ``target`` cannot be written.
        ExportError: ``given`` is missing, not wanted, or cannot be filled in without guessing.
        ResultsError: the results cannot be read.
    """
    needs = platform in PLATFORMS and platform != PLAIN
    if needs and given is None:
        raise ExportError(f"{PLATFORMS[platform].title}: give the file that the platform exports; a copy is filled in.")
    if given is None and (column or scale):
        raise ExportError("--column and --scale are for an exported file, and none is given.")
    if given and platform not in PLATFORMS:
        raise ExportError(f"{platform} is written from the grades alone: give no exported file.")
    if given and given.resolve() == target.resolve():
        raise ExportError(f"{target} is the exported file itself: name another for the copy.")
    check_folder(target if platform == GITHUB else target.parent)
    graded = results_in(out)
    people = members(out, graded)
    if given:
        results = [result for result, _ in graded if result.title]
        titles = [results[0].title, results[0].assignment, results[0].assignment.split("_")[0]] if results else []
        filled = fill(given, platform, people, titles or [out.name], column, scale)
        write_bytes(target, filled.content)
        sentences = [summary(filled, platform), *filled.sentences]
    elif platform == PLAIN:
        write_text(target, plain_csv(people))
        sentences = [f"Table of {len(people)} students."]
    else:
        number, told = (moodle_zip if platform == FEEDBACK else github_files)(people, target)
        sentences = [f"Feedback for {number} of {len(people)} students.", *told]
    for sentence in sentences:
        say(sentence)
    say(f"Written: {target}")
