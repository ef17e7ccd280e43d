"""Cells of a table that a spreadsheet program opens as they are meant."""

from __future__ import annotations

import re

from autograder.text import printable

EXCEL_MARK = "\ufeff"  # at the start of a file, by which Excel knows UTF-8

_SEPARATOR = re.compile(r"([;|\t\r\n])")
_FORMULA = re.compile(r'[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]')
# Excel reads the first as a smaller number, the second as a rounded one, then powers of ten, dates and times.
_CHANGED = re.compile(
    r"0\d+(?:[.,]\d+)?|\d{16,}|\d+(?:[.,]\d+)?[eE][+-]?\d+|\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?|\d{1,2}(?::\d{1,2})+"
)


def text_cell(value: str) -> str:
    """``value`` with an apostrophe before whatever a spreadsheet program would take for a formula.

    One that splits at semicolons, tabs or bars reads on in the middle of a quoted cell, where a quote opens a new one.
    """
    pieces = _SEPARATOR.split(printable(value, keep="\t\r\n"))
    text = "".join(f"'{piece}" if _FORMULA.match(piece) else piece for piece in pieces)
    return f"'{text}" if text.startswith(("\t", "\r", "\n")) else text


def id_cell(value: str) -> str:
    """:func:`text_cell`, with an apostrophe also before what Excel would take for a number or a date and write anew:
    zeros in front, more digits than a number holds, ``1-2``.
    """
    text = text_cell(value)
    return f"'{text}" if _CHANGED.fullmatch(text) else text
