"""Moodle: a folder a student and plugin, ``Full name_number_assignsubmission_file``, or the same as names of files.

The number is one of this assignment alone, so that the name is the key; under blind marking there is no name.
Source: Moodle, ``mod/assign/classes/downloader.php``.
"""

from __future__ import annotations

import re
from collections import Counter

from autograder.collect.download import CollectError, Download, File
from autograder.collect.entry import Person
from autograder.collect.found import Asked, Attempt, Entry, Recognised, gradable
from autograder.text import composed

TITLE = "Moodle download"
_FOLDER = re.compile(r"(?P<name>[^_]+)(?:_(?P<number>\d+))?_assignsubmission_(?P<plugin>[a-z]+?)_?")
_FILE = re.compile(r"(?P<name>[^_]+)(?:_(?P<number>\d+))?_assignsubmission_(?P<plugin>[a-z]+?)_(?P<file>.+)")


def recognise(download: Download, asked: Asked) -> Recognised | None:
    people: dict[tuple[str, str], dict[str, list[str]]] = {}
    stray = []
    for top in download.tops:
        found = (_FOLDER if download.is_folder(top) else _FILE).fullmatch(top)
        if not found:
            stray.append(top)
            continue
        of = people.setdefault((composed(found["name"]), found["number"] or ""), {})
        of.setdefault(found["plugin"], []).append(top)
    if not people:
        return None
    uses = Counter(name for name, _ in people)
    blind = "Participant" in uses or (len(uses) == 1 and len(people) > 1)
    entries = []
    for (name, number), plugins in people.items():
        every = [top for several in plugins.values() for top in several]
        tops = plugins.get("file") or every
        stray += [top for top in every if top not in tops and any(map(gradable, (top, *download.tops.get(top, ()))))]
        label = f"{name} {number}" if blind else name
        members = () if not number else (Person(name="" if blind else name),)
        one = _attempt(download, tops)
        entries.append(Entry(members, (one,), label, number, several=not number))
    return Recognised(tuple(entries), tuple(stray))


def _attempt(download: Download, tops: list[str]) -> Attempt:
    if len(tops) == 1 and download.is_folder(tops[0]) and (path := download.path(tops[0])):
        return Attempt(tops[0], path)
    files: dict[str, File] = {}
    for top in tops:
        if download.is_folder(top):
            inner = {rest: download.files[f"{top}/{rest}"] for rest in download.tops[top]}
        else:
            found = _FILE.fullmatch(top)
            inner = {found["file"]: download.files[top]} if found else {}
        if twice := sorted(set(inner) & set(files)):
            raise CollectError(f"{twice[0]} of {tops[0]} is there twice: keep the files of one download, not of two.")
        files |= inner
    return Attempt(", ".join(tops), None, files)


def number_in(source: str) -> str:
    """Moodle's number of the participant whose hand-in is called ``source``; empty where there is none."""
    found = _FOLDER.match(source)
    return (found and found["number"]) or ""


def feedback_name(source: str, name: str) -> str:
    """What a file called ``name`` has to be called in a feedback zip to reach whoever handed in ``source``.

    That is the student's folder as Moodle named it, or its name at the start of a file's; empty where it named none.
    """
    if _FOLDER.fullmatch(source):
        return f"{source}/{name}"
    found = _FILE.match(source)
    return f"{source[: found.start('file')]}{name}" if found else ""
