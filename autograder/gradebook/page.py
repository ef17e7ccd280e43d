"""The gradebook as a table for Excel, and as a page."""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Iterator

from autograder.decimals import points
from autograder.gradebook.book import Gradebook
from autograder.report.cells import EXCEL_MARK, id_cell, text_cell
from autograder.report.html import ENVIRONMENT, script_hash

WHO = ("student", "id", "name", "section")
ROUNDED = {"half_up": "rounded", "up": "rounded up", "down": "rounded down"}


def gradebook_csv(book: Gradebook) -> str:
    """One row a student: who, of each assignment the points before the late rules (``raw``), after them and possible,
    free days spent, what is dropped, the total in percent, and notes.

    What is not graded is blank. Every text is quoted and none is a formula; an apostrophe stands before an id that
    Excel would change, such as one with zeros in front.
    """
    columns = [f"{name}{what}" for name in book.names for what in (" raw", "", " possible")]
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow([*WHO, *(text_cell(column) for column in columns), "late days", "dropped", "total", "notes"])
    for line in book.lines:
        cells = (line.cells[name] for name in book.names)
        numbers = ["" if n is None else n for cell in cells for n in (cell.raw, cell.score, cell.possible)]
        person = line.person
        who = [id_cell(line.key), id_cell(person.id), text_cell(person.name), id_cell(person.section)]
        dropped = text_cell(" ".join(name for name in book.names if name in line.dropped))
        total = "" if line.total is None else line.total
        writer.writerow([*who, *numbers, line.days, dropped, total, text_cell("; ".join(line.notes))])
    return EXCEL_MARK + file.getvalue()


def gradebook_html(book: Gradebook) -> str:
    """The same for teachers, complete in one file."""
    totals = [float(line.total) for line in book.lines if line.total is not None and line.readable]
    figures = {"mean": statistics.fmean(totals), "median": statistics.median(totals)} if totals else {}
    return ENVIRONMENT.get_template("gradebook.html.j2").render(
        book=book,
        figures=figures,
        unread=sum(not line.readable for line in book.lines),
        rules=list(_rules(book)),
        script_hash=script_hash(),
    )


def _rules(book: Gradebook) -> Iterator[str]:
    """How the total is made, in sentences."""
    policy, whole = book.policy, sum(book.weights.values())
    if policy.weights:
        shares = (f"{name} {points(float(100 * weight / whole))} %" for name, weight in book.weights.items())
        yield f"Weights: {', '.join(shares)}."
    else:
        yield "Each assignment counts the same."
    if policy.drop_lowest:
        number = policy.drop_lowest
        yield f"The lowest {f'{number} percentages do' if number > 1 else 'percentage does'} not count."
    if policy.bonus_cap is not None:
        yield f"Bonus adds at most {points(policy.bonus_cap)} % of the points possible in an assignment."
    places = f"{policy.decimals} decimal{'' if policy.decimals == 1 else 's'}"
    yield f"Points are those after the late rules; the total is in percent, {ROUNDED[policy.rounding]} to {places}."
