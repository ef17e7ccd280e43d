"""Foreign text, such as the name of a file or what a student's code says, made fit to be shown and written anywhere."""

from __future__ import annotations

import re
import unicodedata

from autograder.student.checks.syntax import stream_safe

# What moves the cursor, reorders its neighbours, ends a line or cannot be encoded.
_UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str, keep: str = "\t\n") -> str:
    """``text`` with U+FFFD for control characters (other than ``keep``), line and paragraph separators, bidirectional
    controls and lone surrogates.

    Names come from file systems and messages from submissions: as they are, some cannot be encoded, and some make
    ``exe.png`` out of ``gnp.exe``. Every letter of every language stays.
    """
    return _UNPRINTABLE.sub(lambda match: match[0] if match[0] in keep else "\ufffd", text)


def one_line(text: str) -> str:
    """:func:`printable` text in a single line: line ends, tabs and runs of spaces become one space."""
    return printable(" ".join(text.split()), keep="")


def shortened(text: str, longest: int = 300) -> str:
    """``text`` with ``…`` in place of what is more than ``longest`` characters."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def composed(text: str) -> str:
    """``text`` in the one Unicode form (NFC) in which equal texts are equal; as it is if that would take too long."""
    return unicodedata.normalize("NFC", text) if stream_safe(text) else text
