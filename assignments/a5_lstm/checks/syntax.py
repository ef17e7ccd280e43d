# Generated from autograder/student/checks/syntax.py by "python -m autograder build": change it there.
"""Python source of unknown intent, parsed in bounded time and memory.

``ast.parse`` takes about 1 kB for each name, number or sign, so that 900 kB of ``a,a,a,…`` would take 600 MB. Three
things cost it the square of their length: dotted names in imports (2.4 GB for 100 kB), fields of f-strings before
Python 3.12, and identifiers with many combining marks, which it normalises.
"""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings

MAX_TOKENS = 100_000  # what 400 kB of ordinary source hold
MAX_DOTS = 100  # in one dotted name
MAX_MARKS = 30  # combining marks in a row; Unicode calls text with more not stream-safe (UAX #15)
MAX_FIELDS = 2_000_000_000  # opening braces times characters: some 0.5 s where all are in one f-string

# A line drawn in a comment is one token, as is a number. Possessive, so that no input makes the search go back.
_TOKEN = re.compile(r"#[#=*~+ -]*+|\d[\d_]*+(?:\.\d++)?|\w++|[^\s\\]")
_FOREIGN_RUN = re.compile(r"[^\0-\x7f]{31,}")
_DOTTED = re.compile(rf"(?>\.[ \t\f\\\r\n]*+\w++[ \t\f\\\r\n]*+){{{MAX_DOTS}}}")


class TooComplex(ValueError):
    """Source that would take too much time or memory to parse."""


def tokens(source: str) -> int:
    """About how many names, numbers and signs ``source`` holds, the words of comments and strings among them."""
    return _TOKEN.subn("", source)[1]


def parse(source: str) -> ast.Module:
    """The syntax tree of ``source``, without the warnings that reading it may give.

    Raises:
        SyntaxError: it is not Python.
        TooComplex: parsing it would take more than about a second or 200 MB.
        ValueError, RecursionError, MemoryError: it holds null bytes or is nested too deeply.
    """
    if len(source) > MAX_TOKENS and tokens(source) > MAX_TOKENS:
        raise TooComplex(f"more than {MAX_TOKENS} names, numbers and signs")
    if source.count("{") * len(source) > MAX_FIELDS:
        raise TooComplex("too many braces")
    if _DOTTED.search(source):
        raise TooComplex(f"a dotted name of more than {MAX_DOTS} parts")
    if not stream_safe(source):
        raise TooComplex("a name with too many combining marks")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def stream_safe(text: str) -> bool:
    """Whether no more than 30 combining marks follow each other, so that ``text`` is normalised in linear time.

    ``unicodedata.normalize`` sorts each run of marks by a method that takes the square of its length.
    """
    for run in _FOREIGN_RUN.findall(text):
        marks = 0
        for char in run:
            marks = marks + 1 if _is_mark(char) else 0
            if marks > MAX_MARKS:
                return False
    return True


def _is_mark(char: str) -> bool:
    """Whether all that ``char`` decomposes into is sorted; a few marks say so of their parts only."""
    return unicodedata.combining(char) > 0 or all(map(unicodedata.combining, unicodedata.normalize("NFKD", char)))
