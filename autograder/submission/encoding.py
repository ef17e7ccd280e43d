"""The text of a file whose encoding nobody may have thought about."""

from __future__ import annotations

import codecs
import io
import json
import re
import tokenize

from autograder.results import Attention
from autograder.submission.disk import Refused

_COOKIE = re.compile(r"^([ \t\f]*#.*?coding[:=][ \t]*)[-\w.]+", re.ASCII)
_NOT_CHARSETS = {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}  # slow, or not for files
_CONTROL = re.compile("[\0-\x08\x0e-\x1b\x1c-\x1f\x7f]")  # what no text holds
_SHOWN = {"cp1252": "Windows-1252", "latin-1": "Latin-1"}


def unicode_text(data: bytes) -> tuple[str, str]:
    """``data`` in UTF-8, UTF-16 or UTF-32, told apart by a mark or by where null bytes stand, as in JSON; else in a
    Western encoding. And the encoding's name where it is such a guess, else the empty string.

    Raises:
        ValueError: it is not text.
    """
    encoding = json.detect_encoding(data)
    for name, guess in ((encoding, not encoding.startswith("utf-8")), ("cp1252", True), ("latin-1", True)):
        try:
            text = data.decode(name)
            text.encode()  # some codecs produce surrogates, which cannot be written again
        except ValueError:
            continue
        if guess and _CONTROL.search(text):
            break
        return text.removeprefix("\ufeff"), _SHOWN.get(name, name.upper()) if guess else ""
    raise ValueError("no text")


def decode(name: str, data: bytes, notes: list[str | Attention]) -> str:
    r"""Python source as text with ``\n`` line ends.

    UTF-8 with or without BOM, or the encoding that it declares (PEP 263); that declaration is rewritten, since the
    source travels as UTF-8. Where neither fits, a guess, and a note says so.

    Raises:
        Refused: it is not text.
    """
    declared = ""
    try:
        declared, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if codecs.lookup(declared).name in _NOT_CHARSETS:
            raise LookupError(declared)
        text = data.decode(declared)
        text.encode()  # some codecs produce surrogates, which cannot be written again
        if "\0" in text:
            raise ValueError("null bytes")
    except (SyntaxError, ValueError, LookupError):
        try:
            text, guess = unicode_text(data)
        except ValueError:
            raise Refused(f"{name} was ignored because it is not text.") from None
        if "\0" in text:
            raise Refused(f"{name} was ignored because it contains null bytes.") from None
        if guess:
            notes.append(Attention("read as", f"{name} is not in UTF-8; it was read as {guess}."))
        declared = guess or "unknown"
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if declared not in ("utf-8", "utf-8-sig"):
        lines[:2] = [_COOKIE.sub(r"\1utf-8", line, count=1) for line in lines[:2]]
    return "\n".join(lines)
