"""Where a student's results stand: a folder name for each student, whatever the student is called."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_LONGEST = 150  # bytes; every file system takes 255, an encrypted one may take 143 letters
_SIGNS = " _-.,'()@+&"
_DEVICES = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9])[ ]*(?:\..*)?", re.IGNORECASE)
_OURS = (".csv", ".html", ".json")  # what stands beside the folders: grades.csv, report.html, run.json


def folder_name(student: str) -> str:
    """A folder name for ``student`` alone, the same in every run and on every system.

    An ordinary name is its own folder. Any other (empty, too long, with signs that some system does not take, a device
    of Windows, a file of ours, in another Unicode form) becomes a readable start, ``~`` and a hash of the whole name.
    Two students never share a folder; where a system ignores case, two ordinary names that differ only in case do.
    """
    if _is_ordinary(student):
        return student
    start = "".join(char if char.isalnum() else "_" for char in unicodedata.normalize("NFKC", student[:60]))
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{start[:40].strip('_') or 'student'}~{digest}"


def _is_ordinary(name: str) -> bool:
    return (
        0 < len(name.encode("utf-8", "surrogatepass")) <= _LONGEST
        and name[0].isalnum()
        and name[-1] not in " ."
        and all(char in _SIGNS or unicodedata.category(char)[0] in "LMN" for char in name)
        and unicodedata.is_normalized("NFKC", name)
        and not _DEVICES.fullmatch(name)
        and not name.lower().endswith(_OURS)
    )
