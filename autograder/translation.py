"""Handouts in a second language: which section each part was translated from, and what has changed since.

``README.zh.md`` stands beside ``README.md``. Below each of its headings a comment, which no reader sees, holds the
title of the English section and a digest of its text at the time of the translation:

    ## §1 卷积
    <!-- from: §1 Convolution (3f2a9c81d0e7) -->

Nothing but ``python -m autograder translated a1 --done SECTION`` writes digests. A translator says with it that the
section says again what the English one says. Points take no part: ``build`` writes them into both.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.arguments import say
from autograder.course import CourseError
from autograder.loading import course_root, full_name
from autograder.restated import HANDOUT, without_points

if TYPE_CHECKING:
    from markdown_it.token import Token

TRANSLATIONS = "README.??.md"
ALL = "all"
_ORIGIN = re.compile(r"<!-- from: (?P<title>.+?)(?: \((?P<digest>[0-9a-f]{12})\))? -->")


@dataclass
class Section:
    """A heading and what stands below it, up to the next heading of any level.

    ``parts`` holds, by kind, what a translation has to keep: formulas, tables (as their numbers), figures and code.
    """

    level: int
    title: str
    text: str = ""
    parts: dict[str, Counter[str]] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """The title of the section that this one is from; empty if it does not say so."""
        found = _ORIGIN.search(self.text)
        return found["title"] if found else ""

    @property
    def translated(self) -> str:
        """The digest of that section when it was translated; empty if it never was."""
        found = _ORIGIN.search(self.text)
        return found["digest"] or "" if found else ""

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.strip().encode()).hexdigest()[:12]

    def add(self, kind: str, what: str) -> None:
        self.parts.setdefault(kind, Counter())[what] += 1


def sections(text: str) -> list[Section]:
    """The sections of a handout, in their order; what stands above the first heading belongs to none.

    Raises:
        CourseError: the Markdown parser is not installed.
    """
    text = without_points(text)
    tokens = _tokens(text)
    starts = [i for i, token in enumerate(tokens) if token.type == "heading_open" and token.map and not token.level]
    lines, found = text.splitlines(), list[Section]()
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        first = (tokens[start].map or [0, 0])[1]
        last = (tokens[end].map or [0])[0] if end < len(tokens) else len(lines)
        section = Section(int(tokens[start].tag[1:]), tokens[start + 1].content, "\n".join(lines[first:last]))
        for kind, what in _parts(tokens[start:end]):
            section.add(kind, what)
        found.append(section)
    return found


def differences(original: str, translation: str) -> list[str]:
    """In what the sections of a translation, their formulas, tables, figures and code differ: sentences."""
    wanted, found = sections(original), sections(translation)
    titles, origins = [section.title for section in wanted], [section.origin for section in found]
    said = [f"“{section.title}” does not say which section it is from" for section in found if not section.origin]
    said += [f"“{title}” is not translated" for title in titles if title not in origins]
    said += [f"there is no section “{origin}”" for origin in origins if origin and origin not in titles]
    if said:
        return said
    if titles != origins:
        return ["the sections stand in another order, or one stands twice"]
    for old, new in zip(wanted, found, strict=True):
        if old.level != new.level:
            said.append(f"“{old.title}” has another level of heading")
        for kind in sorted({*old.parts, *new.parts}):
            has, wants = new.parts.get(kind, Counter()), old.parts.get(kind, Counter())
            said += [f"“{old.title}” lacks the {kind} {what}" for what in wants - has]
            said += [f"“{old.title}” has the {kind} {what}, which the original has not" for what in has - wants]
    return said


def changed(original: str, translation: str) -> list[str]:
    """The titles of the sections that have changed since they were translated."""
    digests = {section.origin: section.translated for section in sections(translation)}
    return [s.title for s in sections(original) if s.title in digests and digests[s.title] != s.digest]


def confirmed(original: str, translation: str, titles: Collection[str]) -> str:
    """The translation with the present digests of the sections with these titles."""
    digests = {section.title: section.digest for section in sections(original) if section.title in titles}

    def origin(found: re.Match[str]) -> str:
        title = found["title"]
        return f"<!-- from: {title} ({digests[title]}) -->" if title in digests else found[0]

    return _ORIGIN.sub(origin, translation)


def chosen(original: str, wanted: Sequence[str]) -> list[str]:
    """The titles that begin with one of ``wanted``, each with the sections below it; all for "all".

    Raises:
        CourseError: no title begins so.
    """
    found, titles = sections(original), list[str]()
    for start in wanted:
        begins = re.compile("" if start == ALL else re.escape(start) + r"(?!\w)")
        hits = [i for i, section in enumerate(found) if begins.match(section.title)]
        if not hits:
            raise CourseError(f"No section's title begins with “{start}”.")
        for i in hits:
            deeper = next((j for j in range(i + 1, len(found)) if found[j].level <= found[i].level), len(found))
            titles += [section.title for section in found[i : deeper if found[i].level > 1 else i + 1]]
    return titles


def remarks(folder: Path) -> list[str]:
    """What is to be said of the translations in an assignment's folder: where they differ, and what has changed."""
    said = []
    for path in sorted(folder.glob(TRANSLATIONS)):
        original, translation = _read(folder / HANDOUT), _read(path)
        label = f"{folder.name}/{path.name}"
        said += [f"{label}: {sentence}." for sentence in differences(original, translation)]
        said += [f"{label}: “{title}” has changed since it was translated." for title in changed(original, translation)]
    return said


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``translated`` to the commands of the command line."""
    parser = commands.add_parser("translated", help="what has changed in a handout since it was translated")
    parser.add_argument("assignment", help="a1, or a1_convolution")
    parser.add_argument(
        "--done",
        nargs="+",
        metavar="SECTION",
        help='sections that are translated anew, by the beginning of their English titles ("§3"), or all',
    )
    parser.set_defaults(run=_translated)


def _translated(options: argparse.Namespace) -> int:
    root = course_root(options.course)
    folder = root / "assignments" / full_name(options.assignment, root)
    translations = sorted(folder.glob(TRANSLATIONS))
    if not translations:
        raise CourseError(f"{folder} holds no translation of {HANDOUT}, such as README.zh.md.")
    if options.done:
        original = _read(folder / HANDOUT)
        titles = chosen(original, options.done)
        for path in translations:
            path.write_text(confirmed(original, _read(path), titles), encoding="utf-8", newline="\n")
    said = remarks(folder)
    for line in said or ["All sections are translated as they stand."]:
        say(line, sys.stdout)
    return 1 if said else 0


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _tokens(text: str) -> list[Token]:
    try:
        from markdown_it import MarkdownIt
        from mdit_py_plugins.dollarmath import dollarmath_plugin
    except ImportError:
        raise CourseError("Translations are read by markdown-it-py: pip install -e '.[lab]'.") from None
    return MarkdownIt("commonmark").enable("table").use(dollarmath_plugin).parse(text)


def _parts(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """What a translation keeps, as kind and text, without the words in a formula and the comments in code.

    What stands within a line counts once, however often it is repeated.
    """
    within = dict[tuple[str, str], None]()
    for token in tokens:
        if token.type == "fence" and token.info.strip() == "math":
            yield "formula", _formula(token.content)
        elif token.type == "fence":
            yield "code", re.sub(r"\s+#.*", "", token.content).strip()
        for child in token.children or ():
            if child.type == "math_inline":
                within["formula", _formula(child.content)] = None
            elif child.type == "image":
                yield "figure", str(child.attrs["src"])
            elif child.type == "code_inline":
                within["code", child.content] = None
    yield from within
    for table in _tables(tokens):
        yield "table", table


def _tables(tokens: Sequence[Token]) -> Iterator[str]:
    """Each table as its numbers, row by row and cell by cell; within a cell by size, as words change places."""
    rows = list[list[str]]()
    for before, token in pairwise(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif before.type in ("th_open", "td_open"):
            plain = "".join(child.content for child in token.children or () if child.type == "text")
            rows[-1].append(" ".join(sorted(re.findall(r"\d+(?:\.\d+)?", plain), key=float)))
        elif token.type == "table_close":
            yield " / ".join(" | ".join(row) for row in rows)
            rows.clear()


def _formula(text: str) -> str:
    return re.sub(r"\s+", "", re.sub(r"\\text\{[^}]*\}", "", text))
