"""Folders and files that a teacher has sorted: each is called as its student.

A folder that directly holds a graded file is one submission; otherwise each child is one.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import PurePosixPath

from autograder.collect.download import CollectError, Download, unpacked
from autograder.collect.found import Asked, Attempt, Entry, Recognised, attempt, gradable
from autograder.submission.disk import Refused
from autograder.text import composed, printable

TITLE = "Plain folder"
SEVERAL = 2
_SECTION = re.compile(r"(?:sec|section|group|class|tutorial|gruppe|kurs|lab)[ _-]?(?:[a-z]|\d+)", re.IGNORECASE)


def recognise(download: Download, asked: Asked) -> Recognised:
    """Each child that is a folder or that could be handed in; an entry's label is its name."""
    tops = download.tops
    found = {top: download.is_folder(top) or gradable(top) or _leads_to_folder(download, top) for top in tops}
    children = [top for top in tops if found[top]]
    stems = {top: printable(top if download.is_folder(top) else PurePosixPath(top).stem, keep="") for top in children}
    uses = Counter(stem.casefold() for stem in stems.values())
    entries = []
    for top in children:
        label = stems[top] if uses[stems[top].casefold()] == 1 else printable(top, keep="")
        path = download.path(top)
        one = Attempt(str(path), path) if path else attempt(download, [top], top)
        entries.append(Entry((), (one,), label.strip(" .") or "unnamed"))
    return Recognised(tuple(entries), tuple(top for top in tops if not found[top]))


def _leads_to_folder(download: Download, top: str) -> bool:
    """A link to a folder is a hand-in too, which is then refused."""
    path = download.path(top)
    return bool(path and download.files[top].problem and path.is_dir())


def is_submission(download: Download, asked: Asked) -> bool:
    """Whether it directly holds a graded file."""
    return any(asked.is_part(name) and not file.problem for name, file in download.files.items() if "/" not in name)


def several_inside(download: Download, asked: Asked) -> list[str]:
    """The folders side by side that hold the same graded file, none of which lies above them: students, or versions."""
    if is_submission(download, asked):
        return []
    inside: dict[str, set[str]] = {}  # graded part → folders directly in this one that hold it
    for name in download.files:
        top, slash, rest = name.partition("/")
        if slash and asked.is_part(rest):
            inside.setdefault(PurePosixPath(rest).stem.casefold(), set()).add(top)
    most = max(inside.values(), key=len, default=set[str]())
    if len(most) >= SEVERAL:
        return sorted(most)
    folders = [top for top in download.tops if download.is_folder(top)]
    return several_inside(download.below(folders[0]), asked) if len(folders) == 1 else []


def check(download: Download, asked: Asked) -> None:
    """Raise what keeps a folder from being told apart as a class or as one student.

    Raises:
        CollectError: a graded file lies beside several students' folders, a child looks like a class, or all look like
            sections.
    """
    tops = download.tops
    for one, other in pairwise(sorted(tops, key=composed)):
        if one != other and composed(one) == composed(other):
            raise CollectError(
                f"{download.place} holds {printable(one)} twice, in two Unicode forms that look alike: put them "
                "together if they are one student, or say --from plain if they are two."
            )
    if is_submission(download, asked):
        holders = [top for top in tops if download.is_folder(top) and is_submission(download.below(top), asked)]
        archives = [top for top in tops if PurePosixPath(top).suffix.lower() == ".zip" and top in download.files]
        others = sorted(holders + archives)
        if len(others) >= SEVERAL:
            stray = next(top for top in tops if asked.is_part(top) and top in download.files)
            raise CollectError(
                f"{download.place} holds {printable(stray)} beside {some(others)}: move the file away if they are "
                "students, or the folders if this is one student."
            )
        return
    folders = [top for top in tops if download.is_folder(top)]
    if folders and len(folders) == len([top for top in tops if download.is_folder(top) or gradable(top)]):
        nested = [top for top in folders if not is_submission(download.below(top), asked) and tops[top]]
        if len(nested) == len(folders) and len(folders) >= SEVERAL and all(map(_SECTION.fullmatch, folders)):
            raise CollectError(
                f"{download.place} holds {some(folders)}, which look like sections: give the folder of each section, "
                "or --from plain if each is one student."
            )
    for top in tops:
        inner = download.below(top) if download.is_folder(top) else archive_in(download, top)
        if inner and (several := several_inside(inner, asked)):
            raise CollectError(
                f"{printable(top)} in {download.place} holds the same graded file in {some(several)}: give "
                f"{printable(top)} itself if it is a class, or --from plain if it is one student."
            )


def archive_in(download: Download, top: str) -> Download | None:
    """The zip archive on disk that is called ``top``; None if there is none, or it is damaged."""
    path = download.path(top)
    if not path or PurePosixPath(top).suffix.lower() != ".zip" or download.is_folder(top):
        return None
    try:
        return unpacked(path)
    except (Refused, OSError):
        return None  # then it is one student's, and what is wrong with it is said there


def several_archives(download: Download) -> list[str]:
    """The zip archives side by side in one: students, or versions."""
    found = [top for top in download.tops if top.lower().endswith(".zip")]
    return found if len(found) >= SEVERAL else []


def some(names: list[str]) -> str:
    shown = [printable(name) for name in names]
    return ", ".join(shown[:3]) + (f" and {len(shown) - 3} more" if len(shown) > 3 else "")
