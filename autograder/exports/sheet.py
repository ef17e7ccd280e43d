"""A platform's table, of which single cells are replaced and everything else stays as it is, byte for byte.

The standard library reads CSV, but does not say how each cell was written; a table that is written anew by it has other
quotes, line ends or marks at its start than the one that the platform exported.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

DELIMITERS = ",;\t"
MAX_BYTES = 50_000_000
NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?%?")
_WITH_FRACTION = re.compile(r"[+-]?\d+([.,])\d+%?")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class ExportError(Exception):
    """A platform's export cannot be filled in without guessing; the message is one sentence that says why."""


@dataclass
class Row:
    """The cells of a line as they are written, with their quotes, and its end."""

    raw: list[str]
    end: str

    @property
    def cells(self) -> list[str]:
        return [_value(raw) for raw in self.raw]

    def cell(self, column: int | None) -> str:
        """The text of a cell without spaces around it; empty where the line is too short, or has no such column."""
        return "" if column is None or column >= len(self.raw) else _value(self.raw[column]).strip()


@dataclass
class Sheet:
    """``rows`` of cells between ``delimiter``; ``mark`` stood before them, and ``encoding`` is that of the rest."""

    rows: list[Row]
    delimiter: str
    mark: bytes
    encoding: str

    def to_bytes(self) -> bytes:
        """What was read, with the cells that were replaced."""
        text = "".join(self.delimiter.join(row.raw) + row.end for row in self.rows)
        return self.mark + text.encode(self.encoding)

    def decimal_mark(self, columns: Sequence[int]) -> str:
        """The mark of the numbers in ``columns``, else of all numbers; a comma where none has one, and semicolons part
        the cells.

        Raises:
            ExportError: both marks occur in ``columns``.
        """
        found = self._marks(columns)
        if len(found) > 1:
            raise ExportError("Some grades have a decimal comma, and some a decimal point: export the file again.")
        found = found or self._marks(range(max(len(row.raw) for row in self.rows)))
        return found.pop() if len(found) == 1 else "," if self.delimiter == ";" else "."

    def _marks(self, columns: Sequence[int]) -> set[str]:
        cells = (row.cell(column) for row in self.rows[1:] for column in columns)
        return {found[1] for cell in cells if (found := _WITH_FRACTION.fullmatch(cell))}

    def replace(self, row: Row, column: int, text: str) -> None:
        """Write ``text`` into a cell, quoted where the cell was, the others of its column are, or it has to be."""
        row.raw += [""] * (column + 1 - len(row.raw))
        old = row.raw[column]
        quoted = old.startswith('"') if old else self._quotes(column)
        must = any(sign in text for sign in (self.delimiter, '"', "\r", "\n"))
        row.raw[column] = '"' + text.replace('"', '""') + '"' if quoted or must else text

    def _quotes(self, column: int) -> bool:
        below = [row.raw[column] for row in self.rows[1:] if column < len(row.raw) and row.raw[column]]
        return bool(below) and all(raw.startswith('"') for raw in below)


def read_sheet(path: Path) -> Sheet:
    """The table at ``path``.

    Raises:
        ExportError: it cannot be read, is too large, or no text in UTF-8 or UTF-16.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ExportError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > MAX_BYTES:
        raise ExportError(f"{path} is larger than {MAX_BYTES // 10**6} MB, and no table of grades.")
    mark, encoding = next((one for one in _MARKS if data.startswith(one[0])), (b"", "utf-8"))
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError:
        raise ExportError(f"{path} is not UTF-8 text: export it again, and do not save it from Excel.") from None
    delimiter = _delimiter(text)
    rows = list(_rows(text, delimiter))
    if len(rows) < 2:
        raise ExportError(f"{path} has no line below its headers.")
    return Sheet(rows, delimiter, mark, encoding)


def _delimiter(text: str) -> str:
    """What parts the cells of the first line; signs within quotes do not count."""
    first = re.sub(r'"[^"]*"', "", text[:100_000]).lstrip("\r\n").splitlines()[:1] or [""]
    return max(DELIMITERS, key=first[0].count)


def _rows(text: str, delimiter: str) -> Iterator[Row]:
    """The lines of a table; a quoted cell may hold line ends. What follows a closing quote belongs to its cell."""
    sign = re.escape(delimiter)
    cell = re.compile(rf'("(?:[^"]|"")*+"?[^{sign}\r\n]*+|[^{sign}\r\n]*+)({sign}|\r\n|\n|\r|\Z)')
    place, raw = 0, list[str]()
    while place < len(text) or raw:
        found = cell.match(text, place)
        assert found  # either alternative matches anything up to a delimiter, a line end or the end
        raw.append(found[1])
        place = found.end()
        if found[2] != delimiter:
            yield Row(raw, found[2])
            raw = []


def _value(raw: str) -> str:
    if not raw.startswith('"'):
        return raw
    body, _, rest = raw[1:].replace('""', "\0").partition('"')
    return (body + rest).replace("\0", '"')
