"""Sakai: a folder a student, ``Last, First(login)``, with folders for what was handed in and for feedback, and a time.

The folders' names are in the language of the site. Source: Sakai's guides, and public converters.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from autograder.collect.download import CollectError, Download
from autograder.collect.entry import Person
from autograder.collect.found import Asked, Attempt, Entry, Recognised, attempt, gradable

TITLE = "Sakai download"
_FOLDER = re.compile(r"(?P<name>.+)\((?P<login>[^()]+)\)")
_TIME = "timestamp.txt"
_ENGLISH = "Submission attachment(s)"


def recognise(download: Download, asked: Asked) -> Recognised | None:
    tops = download.tops
    named = {top: found for top in tops if download.is_folder(top) and (found := _FOLDER.fullmatch(top))}
    if not named or not ("grades.csv" in download.files or any(_TIME in tops[top] for top in named)):
        return None
    entries = []
    for top, found in named.items():
        last, comma, first = found["name"].strip().partition(",")
        name = f"{first.strip()} {last.strip()}" if comma else last
        one = _attempt(download, top)
        person = Person(name=name, login=found["login"].strip())
        entries.append(Entry((person,), (one,) if one else (), top))
    stray = tuple(top for top in tops if top not in named and top != "grades.csv")
    return Recognised(tuple(entries), stray)


def _attempt(download: Download, top: str) -> Attempt | None:
    """None where the student's folder holds neither a time nor a file: Sakai makes one for everybody."""
    inner = download.below(top)
    when = _when(inner.text(_TIME)) if _TIME in inner.files else None
    full = [folder for folder, names in inner.tops.items() if inner.is_folder(folder) and names]
    if _ENGLISH in inner.tops:
        full = [_ENGLISH]
    loose = [name for name in inner.tops if name in inner.files and gradable(name)]
    if len(full) + bool(loose) > 1:
        where = " and ".join([*full, *loose])
        raise CollectError(
            f"{top} in {download.place} has files in {where}, and nothing says which were handed in: leave only those."
        )
    if not full:
        return attempt(inner, loose, top, when=when) if loose or when else None
    return attempt(inner, full, f"{top}/{full[0]}", when=when)


def _when(text: str) -> datetime | None:
    """``yyyyMMddHHmmssSSS`` in UTC."""
    digits = text.strip()
    try:
        return datetime.strptime(digits[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC) if digits.isdecimal() else None
    except ValueError:
        return None
