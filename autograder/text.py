"""Foreign text, such as the name of a file or what a student's code says, made fit to be shown and written anywhere."""

from __future__ import annotations

import re
import unicodedata

# What moves the cursor, reorders its neighbours, ends a line or cannot be encoded.
_UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_FOREIGN_RUN = re.compile(r"[^\0-\x7f]{31,}")
MAX_MARKS = 30  # combining marks in a row; Unicode calls text with more not stream-safe (UAX #15)


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


def stream_safe(text: str) -> bool:
    """Whether no more than 30 combining marks follow each other, so that ``text`` is normalised in linear time.

    ``unicodedata.normalize`` sorts each run of marks by a method that takes the square of its length.
    """
    for run in _FOREIGN_RUN.findall(text):
        marks = 0
        for char in run:
            marks = marks + 1 if _is_mark(char) else 0
            if marks > MAX_MARKS:
                return False
    return True


def composed(text: str) -> str:
    """``text`` in the one Unicode form (NFC) in which equal texts are equal; as it is if that would take too long."""
    return unicodedata.normalize("NFC", text) if stream_safe(text) else text


def _is_mark(char: str) -> bool:
    """Whether all that ``char`` decomposes into is sorted; a few marks say so of their parts only."""
    return unicodedata.combining(char) > 0 or all(map(unicodedata.combining, unicodedata.normalize("NFKD", char)))
