"""Random names, files and dates: a class folder that no honest class would be, through the command line.

The students' code never runs: their children are :mod:`pretended`.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import random
import re
import shutil
import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pretended import pretending
from replies import reply

from autograder.cli import main
from autograder.collect.download import CollectError
from autograder.collect.students import collect
from autograder.results import from_gradescope, to_gradescope
from autograder.sandbox.protocol import NumberedQuestion, Program
from autograder.store import folder_of, read_results
from autograder.text import printable

ROOT = Path(__file__).resolve().parents[2]
NAMES = (b"ada", b"Ada", b"ADA", b"eve\xff", b"eve\xfe", b"\xed\xa0\x80", b"report.html", b"report.html_")
NAMES += (b"grades.csv",)
NAMES += (b"run.json", b"CON", b"con.py", b"nul", b"x\x1b[31m\nred", b"\x07bell", b"a\rb", b"=1+1", b";=1+1", b"\t=1+1")
NAMES += (b"n" * 250, b"n" * 249 + b"m", b"n" * 255, b"...", b" ", b"a b.", b"-o", b"--help", b"~", b"$HOME", b"%s")
NAMES += ("é".encode(), "e\u0301".encode(), "\u202egnp.exe".encode(), "\u2028".encode())
NAMES += (("a" + "\u0301" * 120).encode(),)
NAMES += ("ß".encode(), b"SS", "İ".encode(), "ﬁ".encode(), b"fi", "一".encode() * 80, b"earlier", b"<b>")
NAMES += (b"'\"&", b"{{7*7}}", b"convolution", b"convolution_torch", b"lab", b"\\", b"a\\b", b"C:", b"overrides.csv")
ENDS = (b"", b"", b"", b".py", b".ipynb", b".zip", b".PY", b".tar.gz", b".txt", b".pdf", b".zip.py", b"~")
INSIDE = (b"convolution.py", b"convolution_torch.py", b"lab.ipynb", b"helper.py", b"numpy.py", b"a.zip", b"x.txt")
INSIDE += (b"wire.py",)
INSIDE += (b"__init__.py", b"Convolution (1).py", b"convolution.ipynb", b".hidden.py", b"__pycache__")
ESCAPES = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f]")
DUE = ("", "", "due = 2026-03-01T12:00:00Z\n", "due = 1971-01-01T00:00:00Z\n", "due = 9998-12-31T23:59:59-12:00\n")
DUE += ("due = 1971-01-01T00:00:00+14:00\n", 'timezone = "Europe/Berlin"\ndue = 2026-03-01T12:00:00\n')


class Folder:
    """Writes a class at random. ``contents`` makes the bytes of a file of one suffix."""

    def __init__(self, r: random.Random, root: Path, contents: Callable[[str], bytes]) -> None:
        self.random, self.root, self.contents = r, os.fsencode(root), contents

    def write(self) -> None:
        os.makedirs(self.root)
        for _ in range(self.random.choice((1, 3, 8, 20))):
            name = self.random.choice(NAMES) + self.random.choice(ENDS)
            if self.random.random() < 0.2:
                name = bytes(b or 1 for b in self.random.randbytes(self.random.choice((1, 3, 20, 255))))
            with contextlib.suppress(FileExistsError, IsADirectoryError, OSError):
                self._entry(os.path.join(self.root, name.replace(b"/", b"_")[:255]), 0)

    def _entry(self, path: bytes, depth: int) -> None:
        r = self.random
        match r.randrange(14):
            case 0:
                os.mkfifo(path)
            case 1:
                with socket.socket(socket.AF_UNIX) as made, contextlib.suppress(OSError):
                    made.bind(path)  # a path may be too long for one
            case 2:
                os.symlink(r.choice((path, b".", b"..", b"/dev/zero", b"/etc/passwd", b"absent", b"a" * 255)), path)
            case 3 | 4 | 5 | 6 | 7 if depth < 4:
                os.mkdir(path)
                for _ in range(r.choice((0, 1, 1, 2, 4))):
                    with contextlib.suppress(OSError):
                        name = r.choice(INSIDE) if r.random() < 0.8 else r.choice(NAMES)
                        self._entry(os.path.join(path, name), depth + 1)
            case _:
                suffix = os.path.splitext(path)[1].decode("utf-8", "replace")
                with open(path, "xb") as file:  # another entry may be a pipe of this name
                    file.write(self.contents(suffix))
                if r.random() < 0.1:
                    os.chmod(path, r.choice((0, 0o200, 0o777)))
        if r.random() < 0.3:
            with contextlib.suppress(OSError, OverflowError):
                time = r.randrange(-(2**63), 2**63) >> r.choice((0, 0, 1, 8, 32, 62))
                os.utime(path, ns=(0, time), follow_symlinks=False)


def course(folder: Path, due: str) -> Path:
    """A course of the first assignment alone, due then."""
    shutil.rmtree(folder, ignore_errors=True)
    solution = folder / "solutions" / "a1_convolution"
    shutil.copytree(ROOT / "solutions" / "a1_convolution", solution, ignore=shutil.ignore_patterns("__pycache__"))
    settings = solution / "assignment.toml"
    settings.write_text(due + settings.read_text(encoding="utf-8"), encoding="utf-8")
    return folder


def step(
    seed: int, folder: Path, contents: Callable[[random.Random, str], bytes], graded: Mapping[str, Sequence[str]]
) -> None:
    """Grade one class in ``folder``, perhaps again, and look at what was written and printed."""
    r = random.Random(seed)
    place, out = folder / "class", folder / "out"
    for left in (place, out):
        shutil.rmtree(left, ignore_errors=True)
    Folder(r, place, lambda suffix: contents(r, suffix)).write()
    root = course(folder / "course", r.choice(DUE))
    wild = r.choice((0.0, 0.05))

    def answering(_: Program, question: NumberedQuestion | None, right: Any) -> Any:
        if r.random() < wild:
            return reply(r, question, right)
        return {**right, "value": None} if "value" in right and r.random() < 0.1 else right

    command = ["--course", str(root), "grade", "a1", str(place), "-o", str(out), "--seed", "fuzz"]
    with pretending(answering):
        for _ in range(r.choice((1, 2))):
            code, printed = run(command)
            look(code, printed, place, out, graded)


def run(command: list[str]) -> tuple[int, str]:
    """The exit code of one command, and everything that it printed."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = main(command)
    return code, output.getvalue()


def look(code: int, printed: str, place: Path, out: Path, graded: Mapping[str, Sequence[str]]) -> None:
    """Assert that everybody has a row, a folder, and a grade or a reason, and that nothing moves a cursor."""
    assert not ESCAPES.search(printed), printed
    assert printable(printed) == printed
    assert "Traceback" not in printed
    try:
        found = collect([place], graded).students
    except CollectError:
        assert code == 2, printed
        assert len(printed.splitlines()) == 1, printed
        return
    students = [student.key for student in found]
    if not students:
        assert code == 1, printed
        assert "holds no submission" in printed
        return
    assert code in (0, 1), printed
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(students)
    assert len({row["student"] for row in rows}) == len(rows)
    assert len({folder_of(out, student) for student in students}) == len(students)
    assert sorted(path.name for path in out.iterdir() if path.is_dir()) == sorted(
        folder_of(out, student).name for student in students
    )
    failed = 0
    for student in students:
        folder = folder_of(out, student)
        result, record = read_results(folder)
        assert result.student == student
        failed += bool(result.infrastructure)
        if result.infrastructure:
            assert record.not_graded
            assert not (folder / "results.json").exists()
            continue
        data = json.loads((folder / "results.json").read_text(encoding="utf-8"), parse_constant=_refuse)
        assert json.loads(json.dumps(to_gradescope(from_gradescope(data)))) == data
        assert 0 <= data["score"] <= 1000
        assert result.score or data["output"] or any(test["output"] for test in data["tests"])
        page = (folder / "feedback.html").read_text(encoding="utf-8")
        assert not ESCAPES.search(page)
    assert code == (1 if failed else 0), printed
    assert not failed, [row["notes"] for row in rows if row["status"] != "graded"]
    report = (out / "report.html").read_text(encoding="utf-8")
    assert not ESCAPES.search(report)
    if len(found) > 1 or not found[0].attempt or found[0].attempt.path != place.resolve():
        entries = [entry for entry in os.listdir(place) if not entry.startswith(".")]
        entries = [entry for entry in entries if entry not in ("__MACOSX", "__pycache__", "site-packages")]
        over = re.search("Passed over in ", printed)
        assert over or len(entries) <= len(students), printed


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
