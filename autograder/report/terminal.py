"""The class table as text, for terminals of any width, with or without colour and Unicode."""

from __future__ import annotations

import re
import sys
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from operator import attrgetter

from wcwidth import wcwidth

from autograder.decimals import points
from autograder.report.attention import ADVICE, Notice
from autograder.report.summary import ClassSummary, Credit, credit
from autograder.report.text import percent
from autograder.results import ExerciseResult, SubmissionResult

NONE: dict[Credit, str] = {"not handed in": "-", "not read": "?"}
UNICODE: dict[Credit, str] = {"full": "●", "partial": "◐", "none": "○", "not started": "·", **NONE}
ASCII: dict[Credit, str] = {"full": "#", "partial": "+", "none": "x", "not started": ".", **NONE}
WORDS: dict[Credit, str] = {"full": "passed", "partial": "partly", "none": "failed"}
STYLES = {"full": "32", "partial": "33", "none": "31", "head": "1"}
FAINT = "2"
LONG_NAME, SHORT_NAME, NARROWEST = 32, 12, 20
NOTICES = 10  # lines of one kind; the page has them all
LOOKED_AT = 20  # characters a column: more are combining marks, which take the square of their number to normalise

# Terminals disagree on the width of single vowels and finals of Hangul, of variation selectors and enclosing marks.
FICKLE = re.compile("[\u1160-\u11ff\u20dd-\u20e4\ud7b0-\ud7fb\ufe00-\ufe0f]")
LEFT_TO_RIGHT = "\u200e"


def display_width(text: str) -> int:
    """Terminal columns that ``text`` fills: 2 for wide East Asian characters, 0 for combining and format ones."""
    return sum(max(0, wcwidth(char)) for char in text)


@dataclass(frozen=True)
class Terminal:
    width: int
    colour: bool
    ascii_only: bool

    @property
    def symbols(self) -> dict[Credit, str]:
        return ASCII if self.ascii_only else UNICODE

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{STYLES.get(style, FAINT)}m{text}\x1b[0m" if self.colour and style and text.strip() else text

    def line(self, text: str, width: int) -> str:
        """Foreign text as one line of at most ``width`` columns that cannot move, hide or reorder its neighbours."""
        if self.ascii_only:
            text = text.encode("ascii", "backslashreplace").decode()
        unknown, ellipsis = ("?", "~") if self.ascii_only else ("\ufffd", "…")
        kept, used, marks = "", 0, 0
        for char in FICKLE.sub("", unicodedata.normalize("NFC", text[: LOOKED_AT * width + 1])):
            shown = char if char.isprintable() else " " if unicodedata.category(char) == "Zs" else unknown
            columns = display_width(shown)
            marks = 0 if columns else marks + 1
            if used + columns > width:
                while display_width(kept) > width - 1:
                    kept = kept[:-1]
                kept += ellipsis
                break
            if marks <= 2:
                kept, used = kept + shown, used + columns
        mark = LEFT_TO_RIGHT if any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in kept) else ""
        return mark + kept + mark

    def cell(self, text: str, width: int) -> str:
        """:meth:`line`, padded to exactly ``width`` columns."""
        text = self.line(text, width)
        return text + " " * (width - display_width(text))


def class_table(
    results: Sequence[SubmissionResult],
    width: int,
    colour: bool,
    notices: Sequence[Notice] = (),
    *,
    ascii_only: bool | None = None,
) -> str:
    """One row a student, then the class in a few lines, then what needs attention.

    Where somebody was late, what the late rules took stands beside the scores, which are those after it.

    Exercises are columns of points, headed by their names where these fit into ``width`` and else by numbers; a
    narrow terminal gets one symbol an exercise. No line is longer than ``width`` unless those symbols already are.

    Args:
        ascii_only: whether to keep to ASCII; by default where standard output cannot show Unicode.
    """
    if not results:
        return "No submissions."
    if ascii_only is None:
        ascii_only = "utf" not in (sys.stdout.encoding or "").lower()
    width = max(width, NARROWEST)
    terminal = Terminal(width, colour, ascii_only)
    summary = ClassSummary(tuple(results))
    names = [exercise.name for exercise in summary.exercises]
    numbers = [str(number) for number in range(1, len(names) + 1)]
    legend = _in_columns([f"{number:>2} {name}" for number, name in zip(numbers, names, strict=True)], width)
    kinds: list[Credit] = ["not started", *NONE]
    if table := _table(summary, terminal, [name.split("_") for name in names], gap=2):
        legend = []
    elif not (table := _table(summary, terminal, [[number] for number in numbers], gap=1)):
        table = _table(summary, terminal, [[number[-1]] for number in numbers], gap=0)
        kinds = [*terminal.symbols]
    present = {credit(exercise) for result in summary.results for exercise in result.exercises}
    shown = [kind for kind in kinds if kind in present]
    key = _in_columns([f"{terminal.symbols[kind]} {WORDS.get(kind, kind)}" for kind in shown], width)
    below = [*_class_lines(summary, terminal), *_notice_lines(notices, terminal)]
    return "\n".join([*table, "", *legend, *key, *[""] * bool(legend or key), *below])


def _table(summary: ClassSummary, terminal: Terminal, heads: list[list[str]], gap: int) -> list[str]:
    """The rows, or none if they do not fit. Without a ``gap`` every cell is a symbol, and they are taken to fit."""
    rows: list[tuple[str, list[tuple[str, str]], str, str]] = []  # name, (text, style) of each cell, score, style
    taken = [_late(result) for result in summary.results]
    late = max(map(len, ["late", *taken])) + 2 if any(taken) else 0  # columns
    levels = [*zip_longest(*map(reversed, heads), fillvalue="")] or [()]
    for height, level in reversed([*enumerate(levels)]):
        student, score = ("", "") if height else ("student", "score" + ("late".rjust(late) if late else ""))
        rows.append((student, [(text, "head") for text in level], score, "head"))
    if gap:
        limits = [(points(exercise.max_points), "dim") for exercise in summary.exercises]
        rows.append(("out of", limits, points(summary.max_score) + " " * late, "dim"))
    for result, off in zip(summary.results, taken, strict=True):
        cells = [_cell(exercise, terminal, symbol=not gap) for exercise in summary.cells(result)]
        score = "not graded" if result.infrastructure else f"{points(result.score)}/{points(result.max_score)}"
        rows.append((result.student, cells, score + off.rjust(late), ""))

    lead = " " * (0 if gap else 2)
    widths = [max(len(cells[column][0]) for _, cells, _, _ in rows) + gap for column in range(len(heads))]
    score_width = max(len(score) for _, _, score, _ in rows) + 2
    longest = max(display_width(terminal.line(name, LONG_NAME)) for name, _, _, _ in rows)
    left = terminal.width - len(lead) - sum(widths) - score_width
    if gap and left < min(longest, SHORT_NAME):
        return []
    name_width = min(longest, max(left, SHORT_NAME))

    def line(name: str, cells: list[tuple[str, str]], score: str, style: str) -> str:
        return "".join(
            [
                terminal.paint(terminal.cell(name, name_width), style) + lead,
                *(terminal.paint(text.rjust(width), kind) for (text, kind), width in zip(cells, widths, strict=True)),
                terminal.paint(score.rjust(score_width), style),
            ]
        )

    lines = [line(*row) for row in rows]
    rule = ("-" if terminal.ascii_only else "─") * (name_width + len(lead) + sum(widths) + score_width)
    lines.insert(-len(summary.results), terminal.paint(rule, "dim"))
    return lines


def _late(result: SubmissionResult) -> str:
    """What the late rules took; empty where it was not late."""
    return f"-{points(result.points_off)}" if result.points_off else "0" if result.late else ""


def _cell(exercise: ExerciseResult | None, terminal: Terminal, symbol: bool) -> tuple[str, str]:
    if exercise is None:
        return "", ""
    kind = credit(exercise)
    return terminal.symbols[kind] if symbol or kind.startswith("not") else points(exercise.points), kind


def _in_columns(entries: list[str], width: int) -> list[str]:
    """Entries downwards, in as many columns as fit."""
    column = max(map(len, entries), default=0) + 3
    down = -(-len(entries) // max(1, (width + 3) // column))
    return ["".join(entry.ljust(column) for entry in entries[row::down]).rstrip() for row in range(down)]


def _class_lines(summary: ClassSummary, terminal: Terminal) -> list[str]:
    lines = [f"{len(summary.graded)} of {len(summary.results)} graded"]
    if summary.scores:
        mean, median = points(round(summary.mean, 1)), points(round(summary.median, 1))
        lines[0] += f"; mean {mean}, median {median} of {points(summary.max_score)}"
    if summary.unread:
        handed = f"{summary.unread} handed in nothing readable"
        lines += textwrap.wrap(f"{handed} and count{'s' if summary.unread == 1 else ''} in no average", terminal.width)
    if hardest := summary.hardest(3):
        rates = ", ".join(f"{exercise.name} {percent(exercise.success_rate)}" for exercise in hardest)
        lines += textwrap.wrap(f"lowest success: {rates}", terminal.width, subsequent_indent="  ")
    if frequent := summary.misconceptions[:3]:
        shares = ", ".join(f"{f.exercise}: {f.what} ({len(f.students)} of {f.tried})" for f in frequent)
        lines += textwrap.wrap(f"most frequent misconceptions: {shares}", terminal.width, subsequent_indent="  ")
    return lines


def _notice_lines(notices: Sequence[Notice], terminal: Terminal) -> Iterator[str]:
    """Below each kind of notice a line for each; of many the first few, but everyone who was not graded."""
    if notices:
        yield ""
        yield terminal.paint("needs attention", "head")
    for kind, group in groupby(notices, attrgetter("kind")):
        found = list(group)
        yield terminal.line(f"{kind}: {len({notice.student for notice in found})}", terminal.width)
        yield from textwrap.wrap(
            ADVICE.get(kind, ""), terminal.width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
        )
        listed = found if kind == "not graded" else found[:NOTICES]
        for notice in listed:
            start = f"  {terminal.line(notice.student, min(LONG_NAME, terminal.width // 3))}: "
            yield start + terminal.line(notice.sentence, max(1, terminal.width - display_width(start)))
        if len(found) > len(listed):
            yield "  and others, all in report.html"
