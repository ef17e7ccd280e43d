"""Feedback back to students: Moodle's zip of feedback files, and Markdown for GitHub. Nothing is sent anywhere."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.collect.platforms.moodle import feedback_name
from autograder.decimals import points
from autograder.exports.people import Member
from autograder.folders import folder_name
from autograder.results import CriterionResult, ExerciseResult, SubmissionResult
from autograder.store import write_bytes, write_text
from autograder.text import one_line, printable

FEEDBACK = "feedback.html"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # of each file in the archive, so that the same feedback makes the same bytes
_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+!|~@&-])")


def moodle_zip(graded: Sequence[Member], path: Path) -> tuple[int, list[str]]:
    """Write each ``feedback.html`` under the name that Moodle gave to the student's folder.

    Returns:
        how many were written, and sentences on those that were not.
    """
    names: dict[str, list[Member]] = {}
    without, not_graded = [], []
    for member in graded:
        source = member.hand_in.source if member.hand_in and member.hand_in.platform == "moodle" else ""
        if not (member.folder / FEEDBACK).is_file():
            not_graded.append(member.shown)
        elif name := feedback_name(source, FEEDBACK):
            names.setdefault(name, []).append(member)
        else:
            without.append(member.shown)
    shared = [member.shown for several in names.values() if len(several) > 1 for member in several]
    single = {name: several[0] for name, several in names.items() if len(several) == 1}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, member in sorted(single.items()):
            page = (member.folder / FEEDBACK).read_bytes()
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), page, zipfile.ZIP_DEFLATED)
    write_bytes(path, content.getvalue())
    lists = (
        ("Not graded", not_graded),
        ("Without a folder in a Moodle download", without),
        ("In a folder of several students, whose feedback differs", shared),
    )
    return len(single), [f"{what}: {'; '.join(who)}." for what, who in lists if who]


def github_files(graded: Sequence[Member], folder: Path) -> tuple[int, list[str]]:
    """Write a file for each student into ``folder``, for an issue or for a comment on a commit.

    Returns:
        how many were written, and sentences on those that were not.
    """
    not_graded = [member.shown for member in graded if member.result.infrastructure]
    known = [member for member in graded if not member.result.infrastructure]
    for member in known:
        write_text(folder / f"{folder_name(member.person.login or member.key)}.md", markdown(member.result))
    without = [member.shown for member in known if not member.person.login]
    sentences = [f"Not graded: {'; '.join(not_graded)}."] if not_graded else []
    return len(known), sentences + ([f"No login is known; named by the key: {'; '.join(without)}."] if without else [])


def markdown(result: SubmissionResult) -> str:
    """What one student reads, in GitHub's Markdown. What a submission can say is text there, and mentions nobody."""
    lines = [f"# {_plain(result.title)}", "", f"**{points(result.score)} of {points(result.max_score)} points**", ""]
    lines += [f"> {_plain(remark)}\n" for remark in result.remarks]
    lines += ["| exercise | points | of |", "|---|---:|---:|"]
    for exercise in result.exercises:
        bonus = " (bonus)" if exercise.bonus else ""
        lines.append(f"| `{exercise.name}`{bonus} | {points(exercise.points)} | {points(exercise.max_points)} |")
    for exercise in result.exercises:
        if said := list(_said(exercise)):
            lines += ["", f"## `{exercise.name}`", "", *said]
    return "\n".join(lines) + "\n"


def _said(exercise: ExerciseResult) -> Iterator[str]:
    if exercise.override is not None:
        yield f"- Set to {points(exercise.override)} points by your teacher. {_plain(exercise.reason)}".rstrip()
    for criterion in exercise.criteria:
        if criterion.told or not criterion.won:
            yield f"- `{criterion.name}`: {points(criterion.points)} of {points(criterion.max_points)} points"
            yield from _message(criterion)


def _message(criterion: CriterionResult) -> Iterator[str]:
    """The message as code that is fenced off by more ticks than it holds."""
    if criterion.told:
        text = printable(criterion.told)
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
        yield from ("", f"  {fence}text", *(f"  {line}" for line in text.splitlines()), f"  {fence}")


def _plain(text: str) -> str:
    """Text in one line, without a meaning in Markdown. What follows ``@`` or ``#`` at once would be a mention."""
    return re.sub("([@#])", "\\1\u2060", _MARKS.sub(r"\\\1", one_line(text)))
