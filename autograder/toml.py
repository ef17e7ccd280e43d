"""Reads TOML that teachers write: what is wrong in it is a ValueError whose text names the key."""

from __future__ import annotations

import contextlib
import json
import re
import tomllib
from collections.abc import Collection, Iterator
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from autograder.course import CourseError
from autograder.text import shortened


@contextlib.contextmanager
def mistakes_in(file: Path) -> Iterator[None]:
    """Turns a ValueError into a CourseError: one sentence that names ``file``."""
    try:
        yield
    except ValueError as error:
        raise CourseError(f"{file}: {shortened(str(error))}.") from None


def parsed(content: bytes) -> dict[str, Any]:
    """The tables of a TOML file, with decimals for floats.

    Raises:
        ValueError: it is no UTF-8 text or no TOML.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:
        what = str(error).replace("Cannot overwrite a value", "A key stands there twice")
        found = re.search(r"\(at line (\d+)", what)
        line = text.split("\n")[int(found[1]) - 1].strip() if found else ""
        raise ValueError(f"it is not valid TOML: {what}" + (f", in “{line}”" if line else "")) from None


def check_known(name: str, known: Collection[str], what: str, before: str = "") -> None:
    """Raises ValueError for a ``name`` that is not among the ``known``, with the one that may be meant."""
    if name not in known:
        near = get_close_matches(name, known, 1)
        meant = f" (do you mean {near[0]}?)" if near else ""
        raise ValueError(f"{before}{name}: there is no such {what}{meant}; there are {', '.join(known)}")


def choice(key: str, value: Any, known: Collection[str]) -> str:
    """``value``, one of the texts ``known``."""
    if not isinstance(value, str):
        raise ValueError(f"{key} is {shown(value)}, not a text such as {shown(next(iter(known)))}")
    check_known(value, known, key.removeprefix("late."), f"{key} = ")
    return value


def shown(value: Any) -> str:
    """A value as TOML writes it; tables and lists by their kind alone."""
    match value:
        case dict():
            return "a table"
        case list():
            return "a list"
        case bool() | str():
            return json.dumps(value, ensure_ascii=False)
    return str(value)
