"""Searches what goes to students for what may not. Each rule finds one kind of leak; together they fail a release."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from autograder.release.comparing import Searched, line_at, squeezed
from autograder.release.confidential import DIGITS, Confidential, arrays_in, hashed, rows
from autograder.release.pieces import NPY, Piece, pieces
from autograder.text import one_line, shortened

QUOTED = 60  # characters of a leak that are shown to staff
NOTEBOOK_KEYS = {"kernelspec", "language_info"}
# What draws a picture, and how large it is. All other chunks can hold text.
PICTURE = {"IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "bKGD", "pHYs"}
FOLDERS = {".git", ".hg", "__pycache__", ".ipynb_checkpoints", "grading", "solutions", ".venv", ".pytest_cache"}
FILES = {".autograder-seed", ".env", ".netrc", ".pypirc", ".OTTER_LOG", ".DS_Store", "assignment.toml", "course.toml"}
FILES |= {f"{name}.py" for name in ("cases", "misconceptions", "alternatives", "equivalents", "promises", "lab")}
ENDINGS = (".pyc", ".pyo", ".pkl", ".pickle", ".orig", ".rej", ".bak", ".swp", "~")
_NUMBER = re.compile(r"\d+\.\d+(?:[eE][-+]?\d+)?")


@dataclass(frozen=True)
class Leak:
    """``quote`` is what was found, as it stands there, for staff."""

    rule: str
    where: str
    what: str
    quote: str

    def sentence(self) -> str:
        """For whoever made the release."""
        quote = f": “{shortened(one_line(self.quote), QUOTED)}”" if self.quote else ""
        return f"{one_line(self.where)} {self.what}{quote}."


# What was found, as what, quote and the number of its line, or 0.
Found = Iterator[tuple[str, str, int]]
Rule = Callable[[Confidential, Piece], Found]


def _solution(secret: Confidential, piece: Piece) -> Found:
    yield from _lines("holds a line of a solution", secret.solution, piece.code)


def _answer(secret: Confidential, piece: Piece) -> Found:
    yield from _lines("holds an answer to a question of the handout", secret.answers, piece.said)


def _case(secret: Confidential, piece: Piece) -> Found:
    yield from _lines("holds a line of the hidden cases", secret.cases, piece.code)
    yield from _lines("holds the title of a hidden case", secret.titles, piece.said)


def _mistake(secret: Confidential, piece: Piece) -> Found:
    yield from _lines("holds a known mistake", secret.mistakes, piece.code)
    yield from _lines("holds what is said of a known mistake", secret.sentences, piece.said)


def _number(secret: Confidential, piece: Piece) -> Found:
    for found in _NUMBER.finditer(piece.text):
        number = found[0]
        digits = len(re.sub(r"[eE].*|\.", "", number).lstrip("0"))
        if digits >= DIGITS and secret.has_number(float(number), digits):
            yield "holds a number of the hidden cases", number, line_at(piece.text, found.start())


def _array(secret: Confidential, piece: Piece) -> Found:
    if piece.data.startswith(NPY):
        for array in arrays_in(piece.data):
            if any(hashed(row) in secret.arrays for row in rows(array)):
                yield "holds data of the hidden cases", "", 0


def _seed(secret: Confidential, piece: Piece) -> Found:
    for seed in secret.seed:
        plain = seed.encode()
        forms = (seed, plain.hex(), base64.b64encode(plain).rstrip(b"=").decode())
        if found := next(filter(None, (piece.code.find(squeezed(form)) for form in forms)), None):
            yield "holds the term seed", "", found[0]
        elif any(form in piece.data for form in (*(form.encode() for form in forms), seed.encode("utf-16-le"))):
            yield "holds the term seed", "", 0


def _path(secret: Confidential, piece: Piece) -> Found:
    if piece.kind in ("file", "container", "strings") and (reason := _unfit(piece.path)):
        yield reason, "", 0


def _record(secret: Confidential, piece: Piece) -> Found:
    """The list of files in a wheel, and in what is built beside one."""
    if PurePosixPath(piece.path).name in ("RECORD", "SOURCES.txt", "installed-files.txt"):
        for number, line in enumerate(piece.text.splitlines(), 1):
            if _unfit(line.split(",")[0]):
                yield "names a file of the instructor's", line, number


def _output(secret: Confidential, piece: Piece) -> Found:
    if piece.kind in ("cell outputs", "cell execution_count", "cell attachments"):
        yield "should be empty", "", 0


def _metadata(secret: Confidential, piece: Piece) -> Found:
    if piece.kind == "cell metadata":
        yield "should be empty", "", 0
    if piece.kind == "notebook metadata" and (more := re.findall(r'"(\w+)": ', piece.text)):
        known = NOTEBOOK_KEYS | {"display_name", "language", "name"}
        if strange := set(more) - known:
            yield "holds more than kernel and language", ", ".join(sorted(strange)), 0


def _picture(secret: Confidential, piece: Piece) -> Found:
    kind, _, chunk = piece.kind.partition(" ")
    if kind == "chunk" and chunk not in PICTURE:
        yield "is no part of the picture", "", 0


RULES: Mapping[str, Rule] = {
    "solution": _solution,
    "answer": _answer,
    "case": _case,
    "mistake": _mistake,
    "number": _number,
    "array": _array,
    "seed": _seed,
    "path": _path,
    "record": _record,
    "output": _output,
    "metadata": _metadata,
    "picture": _picture,
}


def leaks(
    secret: Confidential,
    entries: Mapping[str, bytes],
    beside: Iterable[Piece] = (),
    rules: Mapping[str, Rule] = RULES,
) -> list[Leak]:
    """What stands in ``entries`` (path → content), or in other pieces ``beside`` them, and may not.

    Raises:
        Unreadable: an archive cannot be searched.
    """
    found: dict[Leak, None] = {}
    inside = (piece for path, content in sorted(entries.items()) for piece in pieces(path, content))
    for piece in (*inside, *beside):
        for name, rule in rules.items():
            found |= dict.fromkeys(Leak(name, piece.at(line), what, quote) for what, quote, line in rule(secret, piece))
    return list(found)


def _lines(what: str, lines: Iterable[str], text: Searched) -> Found:
    for line in sorted(lines):
        if found := text.find(line):
            yield what, found[1], found[0]


def _unfit(path: str) -> str:
    """Why no file of this path goes to students, if so."""
    place = PurePosixPath(path)
    if folder := next((part for part in place.parts[:-1] if part in FOLDERS), ""):
        return f"lies in a folder {folder}"
    if place.name in FILES and place.parent.name != "tests":
        return "is a file of the instructor's"
    return "is left over by a tool" if place.name.endswith(ENDINGS) else ""
