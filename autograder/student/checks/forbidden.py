"""What an exercise forbids, and whether a solution uses it, from a look at the source.

The list stands in the docstring that students read ("Forbidden: np.convolve, nn.*Conv*, scipy."), and nowhere else; a
``*`` stands for any letters. A name is forbidden with everything below it, and wherever else in its package it can be
had: ``np.convolve`` is also ``numpy.ma.convolve``. What is computed (``eval``, a name put together from pieces) is not
seen here. The sandbox keeps a second watch while the code runs.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from .names import MAX_PARTS, Names, names_of

SHORT = {"np": "numpy", "F": "torch.nn.functional", "nn": "torch.nn", "Tensor": "torch.Tensor"}
_LIST = re.compile(r"^ *Forbidden:\s+(?:[\w.*]+,\s+)*[\w.*]+\.$", re.MULTILINE)  # no code ends in a dot
MAX_REACHED = 2_000  # names that a definition leads to: twenty times as many as an honest one
PACKAGES = (*SHORT, "torch", "scipy", "math", "cmath", "statistics")


def listed(source: str) -> dict[str, tuple[str, ...]]:
    """Function or class of a reference → full dotted names that its docstring forbids."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            match = re.search(r"^Forbidden:(.*?)(?=^\w+:|\Z)", ast.get_docstring(node) or "", re.DOTALL | re.MULTILINE)
            names = re.findall(rf"(?<![\w.])(?:{'|'.join(PACKAGES)})\b(?:\.[\w*]+)*", match[1]) if match else []
            found[node.name] = tuple(dict.fromkeys(map(full_name, names)))
    return found


class Sources:
    """A student's files. Each is parsed when it is first needed; those that are no Python hold nothing."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files
        self.paths: dict[str, str] = {}  # dotted name of a module → its file
        for path in sorted(files, key=lambda path: path.endswith("/__init__.py")):  # a package wins over a module
            self.paths[path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")] = path
        self.known: dict[tuple[str, str], tuple[set[str], set[str]]] = {}

    def used(self, module: str, name: str, forbidden: Sequence[str]) -> list[str]:
        """Which of ``forbidden`` the definition of ``name`` reaches, through whatever it calls in these files."""
        if not self._mentioned(forbidden):
            return []
        reached, _ = self._reached(module, name)
        exact, elsewhere = (
            {ban for ban in forbidden if any(map(_pattern(ban, anywhere).match, reached))} for anywhere in (False, True)
        )
        return sorted(exact or elsewhere)

    def unread(self, module: str, name: str, forbidden: Sequence[str]) -> list[str]:
        """The files that the definition of ``name`` leads to but that could not be looked at for ``forbidden``: they
        are too long, or nested too deeply.
        """
        return sorted(self._reached(module, name)[1]) if self._mentioned(forbidden) else []

    def reached(self, module: str, name: str) -> set[str]:
        """The top-level names of ``module`` that the definition of ``name`` leads to."""
        names = (dotted.removeprefix(f"{module}.").partition(".")[0] for dotted in self._reached(module, name)[0])
        return {first for first in names if first != name}

    @cached_property
    def texts(self) -> list[str]:
        """The files as Python reads names in them (``ﬁ`` as ``fi``), without the lists in the stubs' docstrings."""
        return [_LIST.sub("", _plain(text)) for text in self.files.values()]

    def _mentioned(self, forbidden: Sequence[str]) -> bool:
        """Whether a forbidden name can stand in these files at all: its last part has to be there as text."""
        return any(ban.rpartition(".")[2].strip("*") in text for ban in forbidden for text in self.texts)

    def _reached(self, module: str, name: str) -> tuple[set[str], set[str]]:
        """All dotted names that a definition leads to, and the files on the way that cannot be read."""
        if (module, name) not in self.known:
            reached, unread = set[str](), set[str]()
            todo = [f"{module}.{name}"]
            while todo:
                dotted = todo.pop()
                if len(reached) == MAX_REACHED:
                    unread.add(self.paths[module])
                    break
                if dotted not in reached:
                    reached.add(dotted)
                    for path, names, first, rest in self._own(dotted):
                        unread |= set() if names.readable else {path}
                        todo += [".".join([place, *rest]) for place in _places(names, first)]
                        todo += names.reaches.get(first, ())
            self.known[module, name] = reached, unread
        return self.known[module, name]

    def _own(self, dotted: str) -> Iterator[tuple[str, Names, str, list[str]]]:
        """The student's file that a dotted name leads into, if one does: its path, its names, which of them is meant,
        and the parts that follow.
        """
        parts = dotted.split(".", MAX_PARTS)[:MAX_PARTS]
        for length in range(len(parts) - 1, 0, -1):
            module = ".".join(parts[:length])
            if path := self.paths.get(module):
                package = module if path.endswith("__init__.py") else module.rpartition(".")[0]
                yield path, names_of(self.files[path], module, package), parts[length], parts[length + 1 :]
                return


def _places(names: Names, name: str) -> tuple[str, ...]:
    """The dotted names that a top-level name of a file stands for."""
    if name in names.reaches:
        return names.stands[name]
    return tuple(f"{star}.{name}" for star in names.stars)


@lru_cache(maxsize=1024)
def _pattern(ban: str, anywhere: bool) -> re.Pattern[str]:
    """What the dotted names begin with that are ``ban``, or are so somewhere else in its package.

    A tensor's method is not the function of the same name: ``F.unfold`` is not ``Tensor.unfold``.
    """
    *owner, last = (re.escape(part).replace(r"\*", r"\w*") for part in ban.split("."))
    if owner and anywhere:
        tail = r"Tensor\." if owner[-1] == "Tensor" else ""
        return re.compile(rf"{owner[0]}\.(?:(?!Tensor\.)\w+\.)*{tail}{last}(?:\.|$)")
    return re.compile(r"\.".join([*owner, rf"{last}(?:\.|$)"]))


def _plain(text: str) -> str:
    other = {char: unicodedata.normalize("NFKC", char) for char in set(text) if not char.isascii()}
    letters = {ord(char): plain for char, plain in other.items() if plain.isascii()}
    return text.translate(letters) if letters else text


def full_name(dotted: str) -> str:
    """``np.convolve`` → ``numpy.convolve``."""
    first, *rest = dotted.split(".")
    return ".".join([SHORT.get(first, first), *rest])
