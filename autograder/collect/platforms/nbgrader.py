"""nbgrader: ``submitted/student/assignment/``, or a course's inbox of ``student+assignment+time+random``.

Source: nbgrader's documentation and its exchange.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from difflib import get_close_matches
from zoneinfo import ZoneInfo

from autograder.collect.download import CollectError, Download
from autograder.collect.entry import Person
from autograder.collect.found import Asked, Attempt, Entry, Recognised, attempt, in_order
from autograder.text import printable

TITLE = "nbgrader folder"
_ROOT = "submitted"
_TIME = "timestamp.txt"
_INBOX = re.compile(r"(?P<student>.+)\+(?P<assignment>[^+]+)\+(?P<time>\d{4}-\d\d-\d\d[^+]+)\+[^+]+")
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?)\s*(\S*)")


def recognise(download: Download, asked: Asked) -> Recognised | None:
    tops = download.tops
    inbox = {top: found for top in tops if download.is_folder(top) and (found := _INBOX.fullmatch(top))}
    if inbox:
        return _inbox(download, asked, inbox)
    if _ROOT in tops and download.is_folder(_ROOT) and _is_tree(download.below(_ROOT)):
        others = {"source", "release", "autograded", "feedback", "gradebook.db", "nbgrader_config.py", "header.ipynb"}
        tree = _tree(download.below(_ROOT), asked)
        stray = (*tree.stray, *(top for top in tops if top != _ROOT and top not in others))
        return Recognised(tree.entries, stray, tree.remarks)
    if download.name == _ROOT and _is_tree(download):
        return _tree(download, asked)
    return None


def _is_tree(download: Download) -> bool:
    """Whether every folder holds folders alone: a student's assignments."""
    folders = [top for top in download.tops if download.is_folder(top)]
    files = [name for top in folders for name in download.tops[top] if "/" not in name]
    return bool(folders) and not files


def _tree(download: Download, asked: Asked) -> Recognised:
    students = {top: download.below(top) for top in download.tops if download.is_folder(top)}
    wanted = _wanted({name for one in students.values() for name in one.tops}, download, asked)
    entries = []
    for student, one in students.items():
        attempts: tuple[Attempt, ...] = ()
        if wanted in one.tops:
            inner = one.below(wanted)
            when = _when(inner.text(_TIME), asked.zone) if _TIME in inner.files else None
            attempts = (attempt(one, [wanted], f"{student}/{wanted}", when=when),)
        entries.append(Entry((Person(login=student),), attempts, student))
    others = {name for one in students.values() for name in one.tops} - {wanted}
    stray = tuple(top for top in download.tops if top not in students)
    return Recognised(tuple(entries), stray, _left_alone(others))


def _inbox(download: Download, asked: Asked, inbox: dict[str, re.Match[str]]) -> Recognised:
    wanted = _wanted({found["assignment"] for found in inbox.values()}, download, asked)
    people: dict[str, list[Attempt]] = {found["student"]: [] for found in inbox.values()}
    for top, found in inbox.items():
        if found["assignment"] == wanted:
            one = attempt(download, [top], top, when=_when(found["time"], asked.zone))
            people[found["student"]].append(one)
    entries = tuple(Entry((Person(login=who),), in_order(several), who) for who, several in people.items())
    others = {found["assignment"] for found in inbox.values()} - {wanted}
    return Recognised(entries, tuple(top for top in download.tops if top not in inbox), _left_alone(others))


def _left_alone(assignments: set[str]) -> tuple[str, ...]:
    names = ", ".join(printable(name, keep="") for name in sorted(assignments))
    return (f"Left alone, as other assignments: {names}.",) if names else ()


def _wanted(names: set[str], download: Download, asked: Asked) -> str:
    """The folder of this assignment among those of several."""
    short = asked.assignment.partition("_")[0]
    for name in filter(None, (asked.assignment, short)):
        if same := [one for one in names if one.casefold() == name.casefold()]:
            near = get_close_matches(same[0].casefold(), [one.casefold() for one in names - {same[0]}], 1, 0.8)
            if near or len(same) > 1:
                alike = sorted(one for one in names if one in same or one.casefold() in near)
                raise CollectError(
                    f"{download.place} holds {' and '.join(map(printable, alike))}, which may be one assignment: "
                    "give them one name, or move away what is none."
                )
            return same[0]
    if len(names) == 1:
        return next(iter(names))
    raise CollectError(
        f"{download.place} holds {', '.join(sorted(names)) or 'no assignment'}, of which none is called "
        f"{asked.assignment or 'as the one to grade'}: rename the one that is meant."
    )


def _when(text: str, zone: tzinfo | None) -> datetime | None:
    """``2026-02-02 14:58:23.948203 UTC``; the name of a zone may stand for UTC."""
    found = _STAMP.fullmatch(text.strip())
    if not found:
        return None
    try:
        moment = datetime.fromisoformat(found[1])
        if found[2] and found[2] not in ("UTC", "Z"):
            zone = datetime.strptime(found[2], "%z").tzinfo if found[2][0] in "+-" else ZoneInfo(found[2])
        elif found[2]:
            zone = UTC
        return moment.replace(tzinfo=zone) if zone else None
    except (ValueError, OSError, KeyError):  # ZoneInfoNotFoundError is a KeyError; a folder's name is an OSError
        return None
