"""Random edits of what a teacher writes, ``assignment.toml`` and ``overrides.csv``: a sentence, never a traceback.

``step`` makes one edit of each. Both are read through the command line, as a teacher has them read.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
from collections.abc import Callable
from pathlib import Path

from autograder.cli import main

OVERRIDES = b"""student,exercise,points,reason
ada,convolve,2.5,"a reason, with a comma"
eve,pad2d,0,
"""
ESCAPES = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f]")
WORDS = (b"1e999999999", b"-1", b"nan", b"inf", b"sNaN", b"1_0", "٣".encode(), b"0x10", b"0.1234567891")
WORDS += (b"9" * 5000, b"true")
WORDS += (b'"', b"'''", b'"""', b"\r", b"\r\n", b"\0", b",,,,", b";", b"[points]\n", b"[[points]]\n", b"{", b"}")
WORDS += (b"=", b"#")
WORDS += (b"due = 2026-02-30\n", b"due = 2026-03-01\n", b"due = 10:00:00\n", b"title = 3\n", b"[" * 3000, b"a." * 3000)
WORDS += (b"\xff", b"\xef\xbb\xbf", b"\x1b[31m", "\u202e".encode(), b"x" * 200_000, b"visibility = 'after'\n")
WORDS += (b"\\u0000",)
WORDS += (b"{a=" * 500, b"due = 0001-01-01T00:00:00+14:00\n", b"title = '\x1b'\n", b'title = "\\u001b"\n', b"ada,")
WORDS += (b"=1+1",)

Mutate = Callable[[bytes, bytes], bytes]


def edited(r: random.Random, data: bytes, mutate: Mutate) -> bytes:
    """``data`` with a word of the formats in it, a line of it elsewhere, or bytes changed."""
    for _ in range(r.choice((1, 1, 2, 5))):
        lines = data.split(b"\n")
        at = r.randrange(len(data) + 1)
        match r.randrange(4):
            case 0:
                data = data[:at] + r.choice(WORDS) + data[at:]
            case 1:
                lines.insert(r.randrange(len(lines) + 1), lines.pop(r.randrange(len(lines))))
                data = b"\n".join(lines)
            case 2:
                numbers = list(re.finditer(rb"[0-9.]+|\"[^\"\n]*\"|\w+", data))
                if numbers:
                    found = r.choice(numbers)
                    data = data[: found.start()] + r.choice(WORDS) + data[found.end() :]
            case _:
                data = mutate(data, data)
    return data


def step(seed: int, course: Path, graded: Path, mutate: Mutate) -> None:
    """Edit the settings of the assignment in ``course`` and the overrides in the folder of grades ``graded``."""
    r = random.Random(seed)
    settings = course / "solutions" / "a1_convolution" / "assignment.toml"
    before = settings.read_bytes()
    try:
        settings.write_bytes(edited(r, before, mutate))
        said("--course", str(course), "grade", "a1", str(graded / "absent"), "-o", str(graded))
    finally:
        settings.write_bytes(before)
    (graded / "overrides.csv").write_bytes(edited(r, OVERRIDES, mutate))
    said("report", str(graded))


def said(*command: str) -> None:
    """Run a command whose exit code may be any, and assert that it prints lines that can be shown."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = main(command)
    assert code in (0, 1, 2)
    assert not ESCAPES.search(output.getvalue()), output.getvalue()
    if code:
        *_, last = output.getvalue().rstrip("\n").split("\n")
        assert last.endswith("."), last
        assert len(last) < 2000, last[:2000]
