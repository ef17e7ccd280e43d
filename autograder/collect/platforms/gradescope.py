"""Gradescope's export: a folder a submission, and ``submission_metadata.yml``, which says whose each is.

Source: the readers of such exports that are public.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import yaml

from autograder.collect.download import CollectError, Download
from autograder.collect.entry import Person
from autograder.collect.found import Asked, Attempt, Entry, Recognised, attempt, in_order

TITLE = "Gradescope export"
METADATA = "submission_metadata.yml"
_FOLDER = re.compile(r"submission_\d+")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same, if it is there, and ten times as fast


def recognise(download: Download, asked: Asked) -> Recognised | None:
    tops = download.tops
    if METADATA not in download.files:
        folders = [top for top in tops if _FOLDER.fullmatch(top) and download.is_folder(top)]
        if len(folders) < 2:
            return None
        raise CollectError(
            f"{download.place} looks like a Gradescope export without {METADATA}, which says whose each submission is: "
            "export it again, or take the folders as they are called, with --from plain."
        )
    described = _described(download)
    people: dict[tuple[Person, ...], list[Attempt]] = {}
    nobody: list[Entry] = []
    for name, facts in described.items():
        members = tuple(_people(facts, name))
        when, earlier = _when(facts.get(":created_at")), facts.get(":history") or []
        earlier = [one for one in earlier if isinstance(one, dict)] if isinstance(earlier, list) else []
        times = [_when(one.get(":created_at")) for one in earlier]
        number = 1 + sum(1 for time in times if time and when and time < when) if earlier else None
        one = attempt(download, [name] if name in tops else [], name, number=number, when=when)
        if members:
            people.setdefault(tuple(sorted(members, key=_order)), []).append(one)
        else:
            nobody.append(Entry((), (one,), name))
    entries = []
    for who, several in people.items():
        label = who[0].email or who[0].name if len(who) == 1 else several[-1].source
        entries.append(Entry(who, in_order(several), label))
    stray = tuple(top for top in tops if top not in described and top != METADATA)
    return Recognised((*entries, *nobody), stray)


def _order(person: Person) -> tuple[str, str, str]:
    return person.id, person.email, person.name


def _described(download: Download) -> dict[str, dict[Any, Any]]:
    try:
        data = yaml.load(download.text(METADATA), Loader=_LOADER)
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError):
        data = None
    if not isinstance(data, dict) or not all(isinstance(facts, dict) for facts in data.values()):
        raise CollectError(f"{METADATA} in {download.place} is damaged: export the submissions again.")
    return {str(name): facts for name, facts in data.items()}


def _people(facts: dict[Any, Any], name: str) -> Iterator[Person]:
    submitters = facts.get(":submitters") or []
    if not isinstance(submitters, list) or not all(isinstance(one, dict) for one in submitters):
        raise CollectError(f"{METADATA} does not say in the usual way who handed in {name}: export it again.")
    for one in submitters:
        texts = [str(one.get(field) or "").strip() for field in (":sid", ":name", ":email")]
        if any(texts):
            yield Person(id=texts[0], name=texts[1], email=texts[2])


def _when(value: object) -> datetime | None:
    """YAML's times are aware where they say an offset; those without one are in UTC, as YAML has it."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return datetime(value.year, value.month, value.day, tzinfo=UTC) if isinstance(value, date) else None
