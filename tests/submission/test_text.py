"""Sources of any encoding are decoded, and what is not text is named."""

from __future__ import annotations

import codecs
import time
from pathlib import Path

import pytest

from autograder.submission import Submission, read
from autograder.submission.encoding import decode
from tests.submission.hand_ins import (
    CONV2D,
    GRADED,
    make_folder,
)


@pytest.mark.parametrize(
    ("raw", "want"),
    [
        (b"s = '\xc3\xa9'", "s = 'é'"),
        (codecs.BOM_UTF8 + b"s = 1", "s = 1"),
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        (b"# -*- coding: latin-1 -*-\ns = '\xe9'", "# -*- coding: utf-8 -*-\ns = 'é'"),
        (b"#!python\n# vim: fileencoding=gbk :\ns = '\xc4\xe3'", "#!python\n# vim: fileencoding=utf-8 :\ns = '你'"),
        (b"# coding: utf8\ns = '\xc3\xa9'", "# coding: utf-8\ns = 'é'"),
        (b"\n\n# coding: latin-1\ns = '\xc3\xa9'", "\n\n# coding: latin-1\ns = 'é'"),
    ],
)  # fmt: skip
def test_source_is_decoded(tmp_path: Path, raw: bytes, want: str) -> None:
    got = read("s", make_folder(tmp_path / "s", {"convolution.py": raw}), GRADED)
    assert got == Submission("s", {"convolution": {"convolution.py": want}})
    compile(got.parts["convolution"]["convolution.py"].encode(), "source", "exec")


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"# coding: idna\ns = '\xff\x01'", "is not text"),
        (codecs.BOM_UTF16 + b"\x01\x00", "is not text"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "is not text"),
        (b"x = 1\0", "contains null bytes"),
        (b"\0" * 100, "is not text"),
    ],
)
def test_what_is_not_text_is_ignored_and_named(tmp_path: Path, raw: bytes, problem: str) -> None:
    got = read("s", make_folder(tmp_path / "s", {"convolution.py": raw, "convolution_torch.py": CONV2D}), GRADED)
    assert set(got.parts) == {"convolution_torch"}
    assert got.notes == (f"convolution.py was ignored because it {problem}.",)
    assert [one.kind for one in got.attention] == ["left out"]


@pytest.mark.parametrize(
    ("raw", "want", "guess"),
    [
        (b"s = '\xe9\x80'", "s = 'é€'", "Windows-1252"),
        (b"s = '\xe9\x81'", "s = 'é\x81'", "Latin-1"),
        ("s = 'é'".encode("utf-16"), "s = 'é'", "UTF-16"),
        ("s = 1".encode("utf-16-le"), "s = 1", "UTF-16-LE"),
        ("s = 1".encode("utf-16-be"), "s = 1", "UTF-16-BE"),
        ("s = 1".encode("utf-32"), "s = 1", "UTF-32"),
        (b"# coding: nonsense\ns = 1", "# coding: utf-8\ns = 1", ""),
        (b"# coding: ascii\ns = '\xe9'", "# coding: utf-8\ns = 'é'", "Windows-1252"),
        (codecs.BOM_UTF8 + b"# coding: latin-1\n", "# coding: utf-8\n", ""),
        (b"# coding: zlib\n", "# coding: utf-8\n", ""),
        (b"# coding: punycode\n" + b"a-" * 400_000, "# coding: utf-8\n" + "a-" * 400_000, ""),
        (b"# coding: unicode_escape\ns = '\\ud800'", "# coding: utf-8\ns = '\\ud800'", ""),
        (b"# coding: utf-7\n+2AA-", "# coding: utf-8\n+2AA-", ""),
    ],
    ids=[str(number) for number in range(13)],
)
def test_an_encoding_is_guessed_and_the_guess_is_said(tmp_path: Path, raw: bytes, want: str, guess: str) -> None:
    got = read("s", make_folder(tmp_path / "s", {"convolution.py": raw}), GRADED)
    assert got.parts == {"convolution": {"convolution.py": want}}
    assert got.notes == ((f"convolution.py is not in UTF-8; it was read as {guess}.",) if guess else ())
    assert [one.kind for one in got.attention] == ["read as"] * len(got.notes)


def test_a_declared_encoding_is_rewritten_in_linear_time() -> None:
    def seconds(length: int) -> float:
        start = time.process_time()
        decode("x.py", b"# coding: latin-1\n" + b"#" * length, [])
        return time.process_time() - start

    assert seconds(40_000) < 40 * max(seconds(4_000), 0.002)
