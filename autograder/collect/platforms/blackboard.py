"""Blackboard: one flat folder, a text file an attempt with who and when, and files that start like it.

Source: the public readers of such downloads (bb-file-cleanup, nbgrader's documentation).
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from autograder.collect.download import CollectError, Download
from autograder.collect.entry import Person
from autograder.collect.found import Asked, Attempt, Entry, Recognised, in_order

TITLE = "Blackboard download"
_FILE = re.compile(
    r"(?P<start>(?P<assignment>.+)_(?P<user>[^_]+)_attempt_(?P<time>\d{4}(?:-\d\d){5}))(?:_(?P<file>.+)|\.txt)"
)
_NAME = re.compile(r"^Name:[ \t]*(?P<name>.*?)[ \t]*\((?P<login>[^()\n]+)\)[ \t]*\r?$", re.MULTILINE)
_ASSIGNMENT = re.compile(r"^Assignment:[ \t]*(.+?)[ \t]*\r?$", re.MULTILINE)


def recognise(download: Download, asked: Asked) -> Recognised | None:
    starts: dict[str, dict[str, str]] = {}  # of an attempt → the student's name of each file → its name here
    users: dict[str, str] = {}
    times: dict[str, str] = {}
    stray, told = [], {}
    for top in download.tops:
        found = None if download.is_folder(top) else _FILE.fullmatch(top)
        if not found:
            stray.append(top)
            continue
        start = found["start"]
        files = starts.setdefault(start, {})
        users[start], times[start] = found["user"], found["time"]
        if found["file"]:
            files[found["file"]] = top
        else:
            told[start] = download.text(top)
    people: dict[str, tuple[Person, list[Attempt]]] = {}
    assignments = set()
    for start, files in starts.items():
        said = told.get(start, "")
        who = _NAME.search(said)
        person = Person(name=who["name"], login=who["login"]) if who else Person(login=users[start])
        title = _ASSIGNMENT.search(said)
        assignments.add(title[1] if title else start.removesuffix(f"_{users[start]}_attempt_{times[start]}"))
        content = {own: download.files[top] for own, top in files.items()}
        one = Attempt(start, None, content, when=_when(times[start], asked))
        people.setdefault(person.login, (person, []))[1].append(one)
    if not people:
        return None
    if len(assignments) > 1 and told:
        raise CollectError(
            f"{download.place} holds several assignments ({', '.join(sorted(assignments))}): "
            "keep the files of each in a folder of its own."
        )
    entries = []
    for login, (person, several) in people.items():
        ordered = sorted(several, key=lambda one: one.source.rpartition("_attempt_")[2])
        if len(ordered) > 1:
            ordered = [replace(one, number=number) for number, one in enumerate(ordered, 1)]
        entries.append(Entry((person,), in_order(ordered), login))
    return Recognised(tuple(entries), tuple(stray))


def _when(text: str, asked: Asked) -> datetime | None:
    """The time in the name says no zone."""
    try:
        return datetime.strptime(text, "%Y-%m-%d-%H-%M-%S").replace(tzinfo=asked.zone) if asked.zone else None
    except ValueError:
        return None
