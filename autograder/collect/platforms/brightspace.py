"""Brightspace (D2L): files or folders ``user-submission - [id - ]name - date``, and ``index.html``.

Source: the public scripts that unpack such downloads, and their fixtures.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from autograder.collect.download import Download, File
from autograder.collect.entry import Person
from autograder.collect.found import Asked, Attempt, Entry, Recognised, in_order

TITLE = "Brightspace download"
_START = (
    r"(?P<user>\d+)(?:-(?P<submission>\d+))? - (?:(?P<org>[A-Z]?\d+) - )?(?P<name>.+?) ?- "
    r"(?P<date>[A-Z][a-z]{2} \d{1,2}, \d{4} \d{3,4} [AP]M)"
)
_FOLDER = re.compile(_START)
_FILE = re.compile(_START + " - (?P<file>.+)")


def recognise(download: Download, asked: Asked) -> Recognised | None:
    people: dict[str, tuple[Person, dict[str, list[str]]]] = {}
    stray = []
    for top in download.tops:
        found = (_FOLDER if download.is_folder(top) else _FILE).fullmatch(top)
        if not found:
            stray += [top] if top != "index.html" else []
            continue
        who = found["org"] or found["user"]
        of = people.setdefault(found["user"], (Person(id=who, name=found["name"]), {}))[1]
        of.setdefault(found["date"], []).append(top)
    entries = []
    for user, (person, dates) in people.items():
        attempts = [_attempt(download, tops, date, asked) for date, tops in dates.items()]
        moments = sorted(moment for date in dates if (moment := _moment(date)))
        if len(moments) == len(attempts) > 1:
            order = [moments.index(moment) + 1 for date in dates if (moment := _moment(date))]
            attempts = [replace(one, number=number) for one, number in zip(attempts, order, strict=True)]
        entries.append(Entry((person,), in_order(attempts), person.name, user))
    return Recognised(tuple(entries), tuple(stray)) if entries else None


def _attempt(download: Download, tops: list[str], date: str, asked: Asked) -> Attempt:
    moment = _moment(date)
    when = moment.replace(tzinfo=asked.zone) if moment and asked.zone else None
    if len(tops) == 1 and download.is_folder(tops[0]) and (path := download.path(tops[0])):
        return Attempt(tops[0], path, when=when)
    files: dict[str, File] = {}
    for top in tops:
        if found := _FILE.fullmatch(top):
            files[found["file"] if found["file"] not in files else top] = download.files[top]
        else:
            files |= {rest: download.files[f"{top}/{rest}"] for rest in download.tops[top]}
    return Attempt(", ".join(tops), None, files, when=when)


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _moment(date: str) -> datetime | None:
    """``Jan 2, 2026 934 AM``, whose months are English wherever it is read."""
    month, day, year, clock, half = date.replace(",", "").split()
    try:
        hour, minute = int(clock[:-2]) % 12, int(clock[-2:])
        return datetime(int(year), _MONTHS.index(month) + 1, int(day), hour + 12 * (half == "PM"), minute)
    except ValueError:
        return None
