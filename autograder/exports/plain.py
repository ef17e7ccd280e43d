"""The class as a table of its own, for whatever reads CSV and for Excel."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from autograder.exports.people import Member
from autograder.report.cells import EXCEL_MARK, id_cell, text_cell

HEADERS = ("student", "id", "login", "email", "name", "section", "score", "max_score", "raw_score", "status")


def plain_csv(graded: Sequence[Member]) -> str:
    """A row a student, every text quoted; no numbers where there is no grade."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(HEADERS)
    for member in graded:
        who, result = member.person, member.result
        numbers = [result.score, result.max_score, result.raw_score] if not result.infrastructure else ["", "", ""]
        texts = [id_cell(member.key), id_cell(who.id), id_cell(who.login), text_cell(who.email), text_cell(member.name)]
        status = "not graded" if result.infrastructure else "graded"
        writer.writerow([*texts, id_cell(who.section), *numbers, status])
    return EXCEL_MARK + file.getvalue()
