"""Two forms in which texts are compared, so that layout hides nothing, and where in a text something stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property

_SPACES, _NO_LETTERS = re.compile(r"\s+"), re.compile(r"[\W_]+")


def squeezed(text: str) -> str:
    """Without spaces: for code, in which every other character says something."""
    return _SPACES.sub("", text)


def letters(text: str) -> str:
    """Letters and digits alone, without case: for sentences, however their lines break and whatever marks they have."""
    return _NO_LETTERS.sub("", text).casefold()


class Searched:
    """A text, and the form of it in which things are looked for."""

    def __init__(self, text: str, form: Callable[[str], str]) -> None:
        self.text, self.form, self.reduced = text, form, form(text)

    def find(self, wanted: str) -> tuple[int, str] | None:
        """The line (from 1) in which ``wanted``, in the same form, begins, and what stands there in the text's own
        spelling; None if it does not.
        """
        start = self.reduced.find(wanted)
        if start < 0:
            return None
        first, last = self._places[start], self._places[start + len(wanted) - 1]
        return line_at(self.text, first), self.text[first : last + 1]

    @cached_property
    def _places(self) -> list[int]:
        """Of each character of the form, where in the text it comes from."""
        return [place for place, char in enumerate(self.text) for _ in self.form(char)]


def line_at(text: str, place: int) -> int:
    """The number of the line, from 1, in which the character at ``place`` stands."""
    return text.count("\n", 0, place) + 1
