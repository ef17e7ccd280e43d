"""Who handed in what and when, as it is kept beside a grade in ``DIR/<student>/handed_in.json``.

What reads it (late policies, gradebooks, exports to a platform) needs nothing else of this package.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

HANDED_IN = "handed_in.json"


@dataclass(frozen=True)
class Person:
    """A student as roster and platform know him; what neither says is empty. Ids are texts: zeros in front count."""

    id: str = ""
    name: str = ""
    login: str = ""
    email: str = ""
    section: str = ""


@dataclass(frozen=True)
class HandIn:
    """The facts of what was graded for one student.

    Attributes:
        platform: ``canvas``, ``moodle``, … or ``plain``.
        key: the student's name in folders, tables and ``overrides.csv``.
        members: the student himself, then those who handed in with him.
        attempt: 1 for the first; None where the platform does not number or date attempts.
        handed_in: the platform's time, with its offset; None where it does not say one. Never a file's date.
        late: the platform's own mark; None where it has none.
        sha256: of the files, as :func:`autograder.collect.keep.keep` takes it; empty where none could be kept.
        source: the path, or the name within the export; empty where nothing was handed in.
    """

    platform: str
    key: str
    members: tuple[Person, ...] = ()
    attempt: int | None = None
    handed_in: datetime | None = None
    late: bool | None = None
    sha256: str = ""
    source: str = ""

    @property
    def person(self) -> Person:
        """The student himself."""
        return self.members[0] if self.members else Person()

    @property
    def absent(self) -> bool:
        """Whether the roster knows the student and nothing was handed in."""
        return not self.source

    def to_json(self) -> dict[str, Any]:
        """What ``json`` takes, with the time in ISO 8601."""
        return {**dataclasses.asdict(self), "handed_in": self.handed_in.isoformat() if self.handed_in else None}

    @staticmethod
    def from_json(data: Any) -> HandIn:
        """The inverse of :meth:`to_json`.

        Raises:
            ValueError: ``data`` is not what it writes.
        """
        try:
            when = datetime.fromisoformat(data["handed_in"]) if data["handed_in"] is not None else None
            facts = {**data, "handed_in": when, "members": tuple(Person(**member) for member in data["members"])}
            hand_in = HandIn(**facts)
        except (KeyError, TypeError, ValueError):
            raise ValueError("no facts of a hand-in") from None
        texts = [hand_in.platform, hand_in.key, hand_in.sha256, hand_in.source]
        texts += [text for member in hand_in.members for text in dataclasses.astuple(member)]
        if (
            not all(isinstance(text, str) for text in texts)
            or type(hand_in.attempt) not in (int, type(None))
            or hand_in.late not in (True, False, None)
            or (when and when.tzinfo is None)
        ):
            raise ValueError("no facts of a hand-in")
        return hand_in


def read_hand_in(folder: Path) -> HandIn | None:
    """What is kept in a student's ``folder``; None where it was graded before such facts were kept.

    Raises:
        ValueError: the file is damaged.
    """
    try:
        return HandIn.from_json(json.loads((folder / HANDED_IN).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
