"""What an exercise forbids, and whether a solution uses it, from a look at the source.

The list stands in the docstring that students read ("Forbidden: np.convolve, scipy."), and nowhere else. The look
follows the names of imports and the student's own functions, not values: what is reached through ``getattr`` or
``eval`` is not seen here. The sandbox keeps a second watch while the code runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

MAX_SOURCE = 200_000  # characters; a tree takes five hundred times as many bytes, and nobody writes this much by hand
PREFIXES = {"np": "numpy", "F": "torch.nn.functional", "nn": "torch.nn"}


def listed(source: str) -> dict[str, tuple[str, ...]]:
    """Function or class of a reference → full dotted names that its docstring forbids."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            match = re.search(r"^Forbidden:(.*?)(?=^\w+:|\Z)", ast.get_docstring(node) or "", re.DOTALL | re.MULTILINE)
            names = re.findall(r"\b(?:np|F|nn|torch|scipy)\b(?:\.\w+)*", match[1]) if match else []
            found[node.name] = tuple(dict.fromkeys(_full(name, PREFIXES) for name in names))
    return found


class Sources:
    """A student's files, parsed once. Files that cannot be parsed hold nothing."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.modules = {path.removesuffix(".py").replace("/", "."): _Module(source) for path, source in files.items()}

    def used(self, module: str, name: str, forbidden: Sequence[str]) -> list[str]:
        """Which of ``forbidden`` the definition of ``name`` reaches, through whatever it calls in these files."""
        seen: set[tuple[str, str]] = set()
        todo, found = [(module, name)], set[str]()
        while todo and forbidden:
            place = todo.pop()
            if place in seen or place[0] not in self.modules:
                continue
            seen.add(place)
            for reached in self.modules[place[0]].reached(place[1]):
                found |= {ban for ban in forbidden if reached == ban or reached.startswith(f"{ban}.")}
                owner, _, attribute = reached.rpartition(".")
                todo.append((owner.lstrip(".") or place[0], attribute))
        return sorted(found)


class _Module:
    """The top-level definitions of one file and the aliases of its imports, wherever they stand."""

    def __init__(self, source: str) -> None:
        self.definitions: dict[str, ast.AST] = {}
        self.aliases: dict[str, str] = {}
        self.known: dict[str, list[str]] = {}  # exercises share helpers
        if len(source) > MAX_SOURCE:
            return
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self.definitions[statement.name] = statement
            elif isinstance(statement, ast.Assign | ast.AnnAssign):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                self.definitions |= {target.id: statement for target in targets if isinstance(target, ast.Name)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.aliases[alias.asname or alias.name.split(".")[0]] = (
                        alias.name if alias.asname else alias.name.split(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    self.aliases[alias.asname or alias.name] = f"{node.module or ''}.{alias.name}"

    def reached(self, name: str) -> list[str]:
        """Full dotted names that the definition of ``name`` refers to, ``.function`` for one of this file."""
        if name not in self.known:
            self.known[name] = [*self._reached(self.definitions[name])] if name in self.definitions else []
        return self.known[name]

    def _reached(self, definition: ast.AST) -> Iterator[str]:
        todo = [definition]
        while todo:
            node, parts = todo.pop(), list[str]()
            while isinstance(node, ast.Attribute):  # a chain is read once, from its end
                parts.append(node.attr)
                node = node.value
            if not isinstance(node, ast.Name):
                todo += ast.iter_child_nodes(node)
            elif node.id in self.aliases:
                yield ".".join([self.aliases[node.id], *reversed(parts)])
            elif node.id in self.definitions:
                yield f".{node.id}"


def _full(dotted: str, aliases: Mapping[str, str]) -> str:
    first, *rest = dotted.split(".")
    return ".".join([aliases.get(first, first), *rest])
