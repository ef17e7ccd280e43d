"""Canvas: files of one flat folder, ``name[_LATE]_user_attachment_file``, the latest attempt of each student alone.

Source: canvas-lms, ``lib/content_zipper.rb`` and ``app/models/attachment.rb``.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from autograder.collect.download import Download, File
from autograder.collect.entry import Person
from autograder.collect.found import Asked, Attempt, Entry, Recognised

TITLE = "Canvas download"
_FILE = re.compile(
    r"(?:(?!LATE_)(?P<name>.+?)_)?(?P<late>LATE_)?(?:anon_(?P<anon>[^_]+)|(?P<user>\d+))_"
    r"(?:(?P<attachment>\d+)_(?P<file>.+)|(?P<kind>text|link)\.html)"
)
_QUIZ = re.compile(r"(?P<name>.+?)(?P<user>\d+)_question_(?P<question>\d+)_(?P<attachment>\d+)_(?P<file>.+)")
_AGAIN = re.compile(r"-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\.)")  # what the eighth file of a name gets


def recognise(download: Download, asked: Asked) -> Recognised | None:
    people: dict[str, tuple[str, bool, dict[str, File]]] = {}
    stray = []
    for top in download.tops:
        found = None if download.is_folder(top) else _QUIZ.fullmatch(top) or _FILE.fullmatch(top)
        if not found:
            stray.append(top)
            continue
        facts = found.groupdict()
        who = facts.get("anon") or facts["user"]
        name, late, files = people.setdefault(who, (facts["name"] or "", False, {}))
        file = facts["file"] or f"{facts['kind']}.html"
        wanted = _AGAIN.sub("", file)
        file = wanted if asked.is_part(wanted) else file
        if file in files:  # two with one name: the larger number was attached later, and the reader may see both
            file = f"{facts['attachment']}/{file}"
        files[file] = download.files[top]
        people[who] = name, late or bool(facts.get("late")), files
    entries = []
    for who, (name, late, files) in people.items():
        source = ", ".join(PurePosixPath(file.member or file.place).name for file in files.values())
        one = Attempt(source, None, files, late=late)
        entries.append(Entry((Person(id=who, name=name),), (one,), name or who, who))
    return Recognised(tuple(entries), tuple(stray)) if entries else None
