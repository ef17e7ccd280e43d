"""Leaks of many kinds, planted in a bundle: each is found, by its rule and by no other."""

from __future__ import annotations

import base64
import io
import json
import re
import struct
import subprocess
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from autograder import build, visible
from autograder.loading import load, stretched
from autograder.release.archive import zip_bytes
from autograder.release.bundle import student_bundle
from autograder.release.comparing import letters, squeezed
from autograder.release.confidential import Confidential, confidential
from autograder.release.leaks import QUOTED, RULES, leaks
from autograder.release.pieces import Unreadable, git_pieces, pieces
from autograder.text import shortened

ROOT = Path(__file__).parents[1]
SEED = "SEED-OF-A-TERM-4711"


@pytest.fixture(scope="module")
def clean() -> dict[str, bytes]:
    return student_bundle(load("a1", ROOT), ROOT)


@pytest.fixture(scope="module")
def secret() -> Confidential:
    """What assignment 1 hides; a few numbers stand for those that its references would answer."""
    numbers = pytest.MonkeyPatch()
    numbers.setattr("autograder.release.confidential._numbers", lambda *_: [HIDDEN])
    try:
        return confidential(load("a1", ROOT), ROOT, SEED, print)
    finally:
        numbers.undo()


HIDDEN = np.random.default_rng(0).normal(size=(6, 8))
A1 = load("a1", ROOT)
TOLD = visible.told(build.handed_out(ROOT, A1)[visible.MISTAKES])  # on mistakes that visible tests show
SENTENCE = next(one.sentence for one in A1.misconceptions if one.sentence not in TOLD)
TITLES = [case.title for exercise in A1.exercises for case in exercise.cases()]
TITLE = max(TITLES, key=lambda title: (len(re.findall(r"[^\w ]", title)), len(title)))
MISTAKE = max(load("a1", ROOT).misconceptions[0].new.splitlines(), key=len)


def line_with(word: str, file: str) -> str:
    """A line of a file of ``solutions/a1_convolution``."""
    lines = (ROOT / "solutions" / "a1_convolution" / file).read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if word in line)


def cell(book: bytes, **changes: object) -> bytes:
    """A notebook whose last cell, one of code, has these entries."""
    tree = json.loads(book)
    tree["cells"][-1] |= changes
    return json.dumps(tree).encode()


def about(book: bytes, **metadata: object) -> bytes:
    tree = json.loads(book)
    tree["metadata"] |= metadata
    return json.dumps(tree).encode()


def with_chunk(picture: bytes, kind: bytes, content: bytes) -> bytes:
    """A PNG file with one more chunk, before the last."""
    chunk = struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    return picture[:-12] + chunk + picture[-12:]


def saved(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, x=array)
    return file.getvalue()


def packed(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


LAB, FIGURE, MODULE = "lab.ipynb", "figures/padding.png", "convolution.py"
ANSWER = line_with("multiplication", "answers.md")
SOLVED, CASE = line_with("sliding_window_view(", "convolution.py"), line_with("Case(", "grading/cases.py")
PLANTS: dict[str, tuple[str, str, Callable[[bytes], bytes]]] = {
    "a solution in a docstring": ("solution", MODULE, lambda old: old.replace(b'"""', f'"""{SOLVED}\n'.encode(), 1)),
    "a solution in a comment, in other spaces": (
        "solution",
        MODULE,
        lambda old: old + f"\n#  {SOLVED.replace(' ', '')}\n".encode(),
    ),
    "a solution in the escapes of a cell": ("solution", LAB, lambda old: cell(old, source=["x\n", f'f("{SOLVED}")'])),
    "an alternative in the handout": (
        "solution",
        "README.md",
        lambda old: old + max(load("a1", ROOT).alternatives[0].source.splitlines(), key=len).encode(),
    ),
    "a hidden case in a visible test": ("case", "tests/convolve.py", lambda old: old + f"\n# {CASE}\n".encode()),
    "a teacher's sentence in the handout": ("mistake", "README.md", lambda old: old + SENTENCE.encode()),
    "a teacher's sentence in capitals, without marks and in short lines": (
        "mistake",
        "README.zh.md",
        lambda old: old + "\n> - ".join(re.sub(r"[^\w ]", "", SENTENCE).upper().split(" ")).encode(),
    ),
    "a case's title in a comment of two lines": (
        "case",
        "tests/pad2d.py",
        lambda old: old + f"\n# {TITLE.replace(' ', chr(10) + '# ', 1).capitalize()}!\n".encode(),
    ),
    "an answer to a question": (
        "answer",
        "README.md",
        lambda old: old + ANSWER.encode(),
    ),
    "a mistake as a hint": ("mistake", "tests/im2col.py", lambda old: old + f"\n# not: {MISTAKE}\n".encode()),
    "a hidden number": ("number", "README.md", lambda old: old + f"\n{HIDDEN[2, 3]:.9f}\n".encode()),
    "hidden data": ("array", "data/photographs.npz", lambda old: saved(HIDDEN)),
    "hidden digits": (
        "array",
        "data/photographs.npz",
        lambda old: saved(np.load(ROOT / "data" / "digits_hidden.npz")["images"][40:44]),
    ),
    "the seed": ("seed", "requirements.txt", lambda old: old + f"# {SEED}\n".encode()),
    "the seed in base64": ("seed", ".gitignore", lambda old: old + base64.b64encode(SEED.encode()) + b"\n"),
    "what the seed becomes": ("seed", ".ci/summary.py", lambda old: old + f"# {stretched(SEED)}\n".encode()),
    "a module that was compiled": ("path", "__pycache__/convolution.cpython-312.pyc", lambda _: b"\x00"),
    "a repository": ("path", ".git/config", lambda _: b"[core]\n"),
    "a file of the grading": ("path", "grading/drivers.py", lambda _: b""),
    "a wheel's list of files": (
        "record",
        "vendor/grader-1.0-py3-none-any.whl",
        lambda _: packed({"grader-1.0.dist-info/RECORD": b"a1/grading/cases.py,sha256=x,1\n"}),
    ),
    "an archive in an archive": (
        "case",
        "data/more.zip",
        lambda _: packed({"inner.zip": packed({"notes.txt": CASE.encode()})}),
    ),
    "an output": (
        "output",
        LAB,
        lambda old: cell(old, outputs=[{"output_type": "stream", "name": "stdout", "text": "3\n"}]),
    ),
    "a cell that has been run": ("output", LAB, lambda old: cell(old, execution_count=7)),
    "a cell's metadata": ("metadata", LAB, lambda old: cell(old, metadata={"tags": ["answer"]})),
    "a notebook's metadata": ("metadata", LAB, lambda old: about(old, authors=[{"who": "staff"}])),
    "a picture's text": ("picture", FIGURE, lambda old: with_chunk(old, b"tEXt", b"Comment\x00see the notes")),
    "bytes behind a picture": ("picture", FIGURE, lambda old: old + b"more"),
}


def test_nothing_of_the_bundle_leaks(clean: dict[str, bytes], secret: Confidential) -> None:
    assert [leak.sentence() for leak in leaks(secret, clean)] == []
    assert min(map(len, (secret.solution, secret.cases, secret.mistakes, secret.sentences))) > 100
    assert min(map(len, (secret.titles, secret.answers))) > 30


@pytest.mark.parametrize("plant", PLANTS)
def test_a_leak_is_found_by_its_rule_and_passes_without_it(
    clean: dict[str, bytes], secret: Confidential, plant: str
) -> None:
    rule, path, change = PLANTS[plant]
    planted = {path: change(clean.get(path, b""))}
    found = leaks(secret, planted)
    assert {leak.rule for leak in found} == {rule}, [leak.sentence() for leak in found]
    assert all(path in leak.sentence() for leak in found)
    assert leaks(secret, planted, rules={name: each for name, each in RULES.items() if name != rule}) == []


def test_a_leak_is_shown_where_it_stands_and_as_it_stands(clean: dict[str, bytes], secret: Confidential) -> None:
    line = SOLVED.strip()
    seed = clean["README.md"] + f"\n\nseed:  {SEED}\n".encode()
    wide = clean[MODULE] + f"\n\n#  {line.replace(' ', '  ')}\n".encode()
    said = [leak.sentence() for leak in leaks(secret, {"README.md": seed, MODULE: wide})]
    shown = shortened(line, QUOTED)
    assert said == [
        f"README.md:{len(seed.splitlines())} holds the term seed.",
        f"{MODULE}:{len(wide.splitlines())} holds a line of a solution: “{shown}”.",
    ]
    (leak,) = leaks(secret, {LAB: cell(clean[LAB], source=["x = 1\n", "\n", f"{SOLVED}\n"])})
    cells = len(json.loads(clean[LAB])["cells"])
    assert leak.sentence() == f"cell {cells} of {LAB}, line 3 holds a line of a solution: “{shown}”."


def test_every_rule_has_a_plant() -> None:
    assert {rule for rule, _, _ in PLANTS.values()} == RULES.keys()
    assert len(PLANTS) >= 12


@pytest.mark.parametrize("place", list(np.ndindex(HIDDEN.shape)))
def test_a_number_is_known_by_all_digits_that_are_written(secret: Confidential, place: tuple[int, int]) -> None:
    """Among tens of thousands of hidden numbers, some agree with a visible one in its first digits by chance."""
    value = HIDDEN[place]
    for digits in (8, 10, 12, 17):
        assert leaks(secret, {"README.md": f"{value:.{digits - 1}e}".encode()}), digits
    for other in (value * (1 + 3e-9), value * (1 - 3e-9)):
        assert not leaks(secret, {"README.md": f"{other:.11e}".encode()})
    assert not leaks(secret, {"README.md": f"{value:.6e} 1.00000000e-999 1.00000000e999 {value:.3f}".encode()})


@pytest.mark.parametrize("kind", [b"zTXt", b"iTXt"])
def test_compressed_text_of_a_picture_is_read(clean: dict[str, bytes], secret: Confidential, kind: bytes) -> None:
    head = b"Comment\x00\x00" if kind == b"zTXt" else b"Comment\x00\x01\x00\x00\x00"
    planted = with_chunk(clean[FIGURE], kind, head + zlib.compress(SENTENCE.encode()))
    assert {leak.rule for leak in leaks(secret, {FIGURE: planted})} == {"mistake", "picture"}


def test_what_was_deleted_again_is_found_in_the_history(tmp_path: Path, secret: Confidential) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True, capture_output=True)

    git("init", "-q")
    for number, text in enumerate((CASE, "nothing")):
        (tmp_path / "notes.txt").write_text(text, encoding="utf-8")
        git("add", "-A")
        git("commit", "-q", "-m", f"step {number}")
    git("gc", "-q")
    (found,) = leaks(secret, {}, git_pieces(tmp_path))
    assert found.rule == "case"
    assert found.where.startswith(".git (blob ")


def test_a_wheel_of_the_course_would_be_found(secret: Confidential) -> None:
    folder = ROOT / "solutions" / "a1_convolution"
    wheel = zip_bytes({path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.py")})
    assert {"solution", "case", "mistake", "path"} <= {leak.rule for leak in leaks(secret, {"grader.whl": wheel})}


def test_what_cannot_be_searched_is_said() -> None:
    archive = b"text"
    for _ in range(8):
        archive = packed({"a.zip": archive})
    with pytest.raises(Unreadable, match="packed more than"):
        list(pieces("data/deep.zip", archive))


def test_each_line_that_students_may_read_still_stands_in_something_hidden_and_is_read() -> None:
    hidden = "".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("solutions/*/**/*.[pm][yd]")))
    bundles = [student_bundle(load(name, ROOT), ROOT) for name in ("a1", "a2", "a3", "a4", "a5", "a6")]
    read = "".join(content.decode(errors="ignore") for files in bundles for content in files.values())
    lines = [line for line in (ROOT / "solutions" / "shown.txt").read_text(encoding="utf-8").splitlines() if line]
    for line in (line for line in lines if not line.startswith("#")):
        for text in (hidden, read):
            assert any(form(line) in form(text) for form in (squeezed, letters)), line
