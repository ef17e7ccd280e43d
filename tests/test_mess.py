"""Every usual mess, through the real grader: graded or refused with one clear sentence, and nobody else's business."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest

from autograder.cli import main
from autograder.decimals import total
from autograder.loading import load

ROOT = Path(__file__).parent.parent
RIGHT = """import numpy as np

def convolve(x, h):
    if not len(x) * len(h):
        raise ValueError
    y = np.zeros(len(x) + len(h) - 1)
    for k, s in enumerate(x):
        y[k : k + len(h)] += s * h
    return y
"""


def archive(members: dict[str, bytes | str], **modes: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = modes.get(name.partition(".")[0], 0o644 | stat.S_IFREG) << 16
            file.writestr(info, data)
    return buffer.getvalue()


def huge() -> bytes:
    """A member of 4 GB of zeros in 4 MB of archive."""
    buffer = io.BytesIO()
    block = bytes(1 << 24)
    file = zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with file, file.open("convolution.py", "w", force_zip64=True) as member:
        for _ in range(1 << 8):
            member.write(block)
    return buffer.getvalue()


FULL = total(load("a1", ROOT).points["convolve"].values())
# name → (what is handed in: file name or files of a folder, its points, a sentence in its results)
MESS: dict[str, tuple[str | None, Any, float, str]] = {
    "climbing": ("zip", archive({"../convolution.py": RIGHT}), 0, "leads out of it"),
    "absolute": ("zip", archive({"/etc/convolution.py": RIGHT}), 0, "leads out of it"),
    "link": ("zip", archive({"convolution.py": "/etc/passwd"}, convolution=0o777 | stat.S_IFLNK), 0, "link"),
    "members": ("zip", archive({f"{n}.txt": "" for n in range(10_000)}), 0, "more than 2000 files"),
    "huge": ("zip", huge, 0, "900 kB"),
    "torn": ("zip", archive({"convolution.py": RIGHT})[:150], 0, "could not be opened as a zip archive"),
    "pipe": ("py", None, 0, "a pipe, a socket or a device, not a file."),
    "no json": ("ipynb", b"{not json", 0, "notebook"),
    "syntax": (
        "py",
        "def convolve(x, h:\n",
        0,
        "be imported: SyntaxError in line 1: '(' was never closed.",
    ),
    "absent": ("py", f"import jax\n{RIGHT}", FULL, "it imports jax, which is not there when it is graded. It was"),
    "latin": ("py", "# Faltung für Anfänger\n".encode("latin-1") + RIGHT.encode(), FULL, "read as Windows-1252"),
    "windows": ("py", b"\xef\xbb\xbf" + RIGHT.replace("\n", "\r\n").encode(), FULL, "graded"),
    "renamed": (None, {"Convolution (1).py": RIGHT}, FULL, "convolution was graded from Convolution (1).py."),
    "package": (None, {"convolution/__init__.py": RIGHT}, FULL, "was graded from convolution/__init__.py."),
    "wrapped": ("zip", archive({"my homework/a1/convolution.py": RIGHT}), FULL, ""),
    "mac": ("zip", archive({"convolution.py": RIGHT, "__MACOSX/._convolution.py": b"\0\5\x16\7"}), FULL, ""),
    "empty": (None, {"convolution.py": ""}, 0, "convolution.py is empty."),
    "nothing": (None, {"notes.txt": "I was ill."}, 0, "holds nothing to grade"),
    "missing": ("py", "def pad2d(x, padding, mode='zeros'):\n    pass\n", 0, "convolve is not defined."),
    "parameters": ("py", "def convolve(x):\n    return x\n", 0, "convolve does not take the parameters"),
    "helpers": (None, {"convolution.py": "from tools.sums import convolve\n", "tools/sums.py": RIGHT}, FULL, ""),
    "main": ("py", RIGHT + "\nif __name__ == '__main__':\n    raise SystemExit('not when graded')\n", FULL, ""),
}


def hand_in(folder: Path, name: str) -> None:
    suffix, content, _, _ = MESS[name]
    if callable(content):
        content = content()
    if content is None:
        os.mkfifo(folder / f"{name}.{suffix}")
    elif suffix is None:
        for path, text in content.items():
            (folder / name / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / name / path).write_text(text, encoding="utf-8")
    else:
        (folder / f"{name}.{suffix}").write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mess")
    (folder / "class").mkdir()
    for name in MESS:
        hand_in(folder / "class", name)
    assert main(["grade", "a1", str(folder / "class"), "-o", str(folder / "out"), "--seed", "public"]) == 0
    return folder / "out"


def results(out: Path, student: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((out / student / "results.json").read_text(encoding="utf-8"))
    return data


@pytest.mark.parametrize("name", MESS)
def test_mess(graded: Path, name: str) -> None:
    _, _, points, sentence = MESS[name]
    data = results(graded, name)
    said = [data["output"], *(test["output"] for test in data["tests"])]
    assert data["score"] == points
    assert any(sentence in text for text in said), set(said)
    assert not any("Traceback" in text for text in said)


def test_why_a_file_was_not_imported_is_said_once_for_the_whole(graded: Path) -> None:
    assert results(graded, "syntax")["output"].count("SyntaxError") == 1


def test_a_layer_without_forward_costs_what_needs_it(tmp_path: Path) -> None:
    source = """import torch
from torch import nn

class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
        self.weight = nn.Parameter(torch.randn(out_channels, in_channels, kh, kw) / 10)
        self.bias = nn.Parameter(torch.zeros(out_channels)) if bias else None
"""
    (tmp_path / "ann.py").write_text(source, encoding="utf-8")
    assert main(["grade", "a1", str(tmp_path / "ann.py"), "-o", str(tmp_path / "out")]) == 0
    tests = {test["name"]: test for test in results(tmp_path / "out", "ann")["tests"]}
    assert tests["Conv2d: parameters"]["score"] == 1
    assert tests["Conv2d: values"]["score"] == 0
    assert "raises NotImplementedError" not in tests["Conv2d: values"]["output"]


def test_ten_of_twenty_change_nothing_for_the_other_ten(tmp_path: Path) -> None:
    good = [f"good{n}" for n in range(10)]
    bad = ["climbing", "members", "torn", "no json", "syntax", "absent", "latin", "nothing", "missing", "parameters"]
    for folder in ("alone", "together"):
        for name in good:
            (tmp_path / folder / name).mkdir(parents=True)
            (tmp_path / folder / name / "convolution.py").write_text(f"# {name}\n{RIGHT}", encoding="utf-8")
    for name in bad:
        hand_in(tmp_path / "together", name)
    for folder in ("alone", "together"):
        out = tmp_path / "out" / folder
        assert main(["grade", "a1", str(tmp_path / folder), "-o", str(out), "--seed", "public"]) == 0
    assert len(list((tmp_path / "out" / "together").glob("*/results.json"))) == 20
    for name in good:
        for file in ("results.json", "feedback.html"):
            alone, together = (tmp_path / "out" / folder / name / file for folder in ("alone", "together"))
            assert alone.read_bytes() == together.read_bytes()


def test_names_and_dates_that_no_format_takes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is graded into a folder of its own: names that are not UTF-8, of our own files, with controls, too long."""
    course = tmp_path / "course" / "solutions"
    shutil.copytree(ROOT / "solutions", course, ignore=shutil.ignore_patterns("__pycache__"))
    settings = course / "a1_convolution" / "assignment.toml"
    settings.write_text("due = 2026-03-01T12:00:00Z\n" + settings.read_text(encoding="utf-8"), encoding="utf-8")
    names = [b"eve\xff", b"eve\xfe", b"report.html", b"report.html_", b"x\x1b[31m\nred", b"n" * 250, b"n" * 249 + b"m"]
    for number, name in enumerate(names):
        folder = os.fsencode(tmp_path / "class") + b"/" + name
        os.makedirs(folder)
        file = folder + b"/convolution.py"
        Path(os.fsdecode(file)).write_text("def output_size(*a, **k): return 0\n", encoding="utf-8")
        os.utime(file, ns=((1 << 58) * number, (1 << 58) * number))  # the last in the year 2024, 2079 …
    where = ["--course", str(tmp_path / "course")]
    assert main([*where, "grade", "a1", str(tmp_path / "class"), "-o", str(tmp_path / "out")]) == 0
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err
    records = sorted((tmp_path / "out").glob("*/run.json"))
    assert len(records) == len(names)
    paths = {os.fsencode(json.loads(record.read_text(encoding="utf-8"))["path"]) for record in records}
    assert {os.path.basename(path) for path in paths} == set(names)
    assert main(["report", str(tmp_path / "out")]) == 0
    assert "7 of 7 graded" in capsys.readouterr().out
