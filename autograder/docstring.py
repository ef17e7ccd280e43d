"""A reference's docstrings: their sections, and the sentences that promise something."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

SECTION = re.compile(r"^(Args|Attributes|Returns|Raises|Allowed|Forbidden|Handout|Uses)\b:?", re.MULTILINE)
ENTRY = re.compile(r"^(\w+): ", re.MULTILINE)
EXTREME = re.compile(
    r"\b(any|every|never|exactly|however|whatever)\b"
    r"|\d(\.\d+)?e[+-]?\d|\b\d{4,}\b|\b\d{1,3} \d{3}\b"  # 1e-6, 1000, 10 000
    r"|\bfrom -?[\d.]+ to\b|\bbetween -?[\d.]+ and\b",
    re.IGNORECASE,
)
NAMES_ONLY = ("Forbidden", "Allowed", "Handout", "Uses")


@dataclass(frozen=True)
class Docstring:
    """One docstring, without indentation."""

    text: str

    @classmethod
    @cache
    def of(cls, source: str, name: str, method: str = "") -> Docstring:
        """That of a top-level definition, or of a method of it."""
        node: ast.AST = _named(ast.parse(source), name)
        node = _named(node, method) if method else node
        assert isinstance(node, ast.FunctionDef | ast.ClassDef)
        return cls(ast.get_docstring(node) or "")

    def section(self, name: str) -> str:
        """What is indented below a section's name."""
        parts = self._parts()
        return "\n".join(inspect.cleandoc(f"\n{body}") for title, body in parts if title == name)

    @property
    def returns(self) -> str:
        return self.section("Returns")

    @property
    def raises(self) -> str:
        return " ".join(self.section("Raises").split())

    def argument(self, name: str) -> str:
        """What is said about an argument, in one line; empty if nothing is."""
        return dict(self._entries(self.section("Args"))).get(name, "")

    def promises(self) -> list[str]:
        """The sentences that hold a word or a number by which something is promised, each in one line."""
        blocks = []
        for title, body in self._parts():
            text = inspect.cleandoc(f"\n{body}")
            if title in ("Args", "Attributes"):
                blocks += [entry for _, entry in self._entries(text)]
            elif title not in (*NAMES_ONLY, "Raises"):
                blocks += re.split(r"\n\s*\n", text)
        sentences = [s for block in blocks for s in re.split(r"(?<=[.;:])\s+(?=\S)", " ".join(block.split()))]
        return [sentence for sentence in sentences if EXTREME.search(sentence)]

    def _parts(self) -> Iterator[tuple[str, str]]:
        pieces = SECTION.split(self.text)
        yield "", pieces[0]
        yield from zip(pieces[1::2], pieces[2::2], strict=True)

    @staticmethod
    def _entries(text: str) -> Iterator[tuple[str, str]]:
        pieces = ENTRY.split(text)
        for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
            yield name, " ".join(body.split())


def _named(node: ast.AST, name: str) -> ast.AST:
    return next(
        child
        for child in ast.iter_child_nodes(node)
        if isinstance(child, ast.FunctionDef | ast.ClassDef) and child.name == name
    )


def methods(source: str, name: str) -> list[str]:
    """An empty name for the definition itself, and the methods that have a docstring."""
    node = _named(ast.parse(source), name)
    own = node.body if isinstance(node, ast.ClassDef) else []
    return ["", *(n.name for n in own if isinstance(n, ast.FunctionDef) and ast.get_docstring(n))]
