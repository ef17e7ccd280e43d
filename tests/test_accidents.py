"""A right solution with one small accident is graded as what it is, and a sentence says what was done about it."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder.judge import Judge
from autograder.loading import load
from autograder.results import SubmissionResult
from autograder.sandbox.isolation import choose
from autograder.source import definition, replace_definition
from autograder.submission import read

ROOT = Path(__file__).parent.parent
ASKED = ("convolve", "cross_correlate", "cosine_similarity", "output_size", "pad2d", "im2col", "conv2d_im2col")
ASSIGNMENT = load("a1", ROOT)
ASSIGNMENT = replace(
    ASSIGNMENT,
    parts=[part for part in ASSIGNMENT.parts if part.name == "convolution"],
    exercises=[exercise for exercise in ASSIGNMENT.exercises if exercise.name in ASKED],
)
RIGHT = ASSIGNMENT.references["convolution"]
STUB = (ROOT / "assignments" / "a1_convolution" / "convolution.py").read_text(encoding="utf-8")
ALL = 1.0
Content = str | bytes


def after_head(lines: str) -> str:
    return RIGHT.replace("import numpy as np\n", f"import numpy as np\n{lines}\n", 1)


def book(*cells: str | tuple[str, str], **extra: Any) -> str:
    listed = [("code", cell) if isinstance(cell, str) else cell for cell in cells]
    plain = [{"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True)} for kind, text in listed]
    return json.dumps({"cells": plain, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **extra})


def cells(**changed: str | tuple[str, str]) -> list[str | tuple[str, str]]:
    """The reference as a notebook: what stands above the first definition, and a cell for each of the asked ones."""
    rest = RIGHT
    for name in ASKED:
        rest = replace_definition(rest, name, "")
    return [rest, *(changed.get(name, definition(RIGHT, name)) for name in ASKED)]


def zipped(members: Mapping[str, Content], *links: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        for name in links:
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, 0o120777 << 16
            archive.writestr(info, "/etc/passwd")
    return buffer.getvalue()


def tarred(members: Mapping[str, Content], mode: str, *links: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for name in links:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(info)
    return buffer.getvalue()


def py(source: str | bytes, name: str = "convolution.py") -> dict[str, Content]:
    return {name: source}


BROKEN = "def later(x:\n    return x\n"
# kind → files (or one file), the share of the points that the student deserves, what is said, how it is marked
ACCIDENTS: dict[str, tuple[dict[str, Content], float, str, str]] = {
    # that could not be imported
    "absent import": (py(after_head("import matplotlib.pyplot as plt")), ALL, "imports matplotlib", "repaired"),
    "google.colab": (
        py(after_head("from google.colab import drive\ndrive.mount('/content/drive')")),
        ALL, "imports google", "repaired"),
    "checks": (py(after_head("from checks import equal\nfrom labkit import picture")), ALL, "checks", "repaired"),
    "exported magics": (
        py(after_head("get_ipython().run_line_magic('matplotlib', 'inline')\nget_ipython().system('pip install x')")),
        ALL, "NameError", "repaired"),
    "exported cell": (
        py(RIGHT.replace(
            definition(RIGHT, "convolve"),
            f"get_ipython().run_cell_magic('time', '', {definition(RIGHT, 'convolve')!r})\n")),
        ALL, "NameError", "repaired"),
    "magics left in": (py(after_head("%matplotlib inline\n!pip install numpy")), ALL, "SyntaxError", "repaired"),
    "main": (py(RIGHT + "\ndef main():\n    raise SystemExit(0)\n\nmain()\n"), ALL, "SystemExit", "repaired"),
    "input": (py(RIGHT + "\nn = int(input('n? '))\nprint(convolve([n], [1]))\n"), ALL, "EOFError", "repaired"),
    "assert": (py(RIGHT + "\nassert output_size(3, 1) == 99\n"), ALL, "AssertionError", "repaired"),
    "plot": (py(RIGHT + "\nfig, ax = plt.subplots()\nax.plot([1])\nplt.show()\n"), ALL, "NameError", "repaired"),
    "data": (py(RIGHT + "\nimage = np.load('/kaggle/input/cat.npy')\n"), ALL, "FileNotFoundError", "repaired"),
    "error elsewhere": (py(RIGHT + "\n" + BROKEN), ALL, "SyntaxError in line", "repaired"),
    "error in front": (py(after_head(BROKEN)), ALL, "SyntaxError in line", "repaired"),
    "open string elsewhere": (py(RIGHT + '\ndef last():\n    """Says\n    return 1\n'), ALL, "SyntaxError", "repaired"),
    "fences": (py(f"```python\n{RIGHT}```\n"), ALL, "SyntaxError in line 1", "repaired"),
    "prose": (py(f"Here is my solution:\n\n{RIGHT}\nHope this helps!\n"), ALL, "SyntaxError in line 1", "repaired"),
    "prompts": (
        py("".join(f"{'... ' if line[:1].strip() == '' else '>>> '}{line}\n" for line in RIGHT.splitlines())),
        ALL, "SyntaxError", "repaired"),
    "indented": (py("".join(f"    {line}\n" for line in RIGHT.splitlines())), ALL, "unexpected", "repaired"),
    "merge conflict": (py(after_head("<<<<<<< HEAD\n=======\n>>>>>>> main")), ALL, "SyntaxError", "repaired"),
    "helper with magics": (
        py(after_head("from tools import K").replace("    return y\n", "    return y * K\n"))
        | {"tools.py": "%matplotlib inline\nK = 1\n"},
        ALL, "SyntaxError in tools.py", "repaired"),
    "relative import": (
        py(after_head("from .tools import K\nfrom . import tools")) | {"tools.py": "K = 1"},
        ALL, "ImportError", "repaired"),
    # that could be imported
    "prints": (py(RIGHT.replace("    return y\n", "    print('x' * 9_000_000)\n    return y\n")), ALL, "", ""),
    "tuple": (py(RIGHT + "\n_right = im2col\ndef im2col(*a, **k): return _right(*a, **k)\n"), ALL, "", ""),
    # text
    "cp1252": (py("# Größe – €\n".encode("cp1252") + RIGHT.encode()), ALL, "read as Windows-1252", "read as"),
    "latin-1": (py("# \xe9\x81\n".encode("latin-1") + RIGHT.encode()), ALL, "read as Latin-1", "read as"),
    "UTF-16": (py(RIGHT.encode("utf-16")), ALL, "read as UTF-16", "read as"),
    "UTF-16 without mark": (py(RIGHT.encode("utf-16-le")), ALL, "read as UTF-16", "read as"),
    "BOM": (py(b"\xef\xbb\xbf" + RIGHT.encode()), ALL, "", ""),
    "wrong declaration": (py(b"# coding: ascii\n# Gr\xf6\xdfe\n" + RIGHT.encode()), ALL, "Windows-1252", "read as"),
    # names
    "package": (
        {"convolution/__init__.py": after_head("from .own import *"), "convolution/own.py": "K = 1\n"},
        ALL, "graded from convolution/__init__.py", ""),
    "in a package": (
        {"a1/__init__.py": "", "a1/own.py": "K = 1\n", "a1/convolution.py": after_head("from a1.own import K")},
        ALL, "", ""),
    ".py.txt": (py(RIGHT, "convolution.py.txt"), ALL, "convolution.py.txt was read as convolution.py", ""),
    ".py.py": (py(RIGHT, "convolution.py.py"), ALL, "convolution.py.py was read as convolution.py", ""),
    "Copy of": (py(RIGHT, "Copy of convolution.py"), ALL, "graded from Copy of convolution.py", ""),
    "(1)": (py(RIGHT, "convolution (1).py"), ALL, "graded from convolution (1).py", ""),
    "Canvas": (py(RIGHT, "convolution-1.py"), ALL, "graded from convolution-1.py", ""),
    "other name": (py(RIGHT, "homework.py"), ALL, "graded from homework.py", ""),
    ".ipynb.json": ({"lab.ipynb.json": book(RIGHT)}, ALL, "lab.ipynb.json was read as lab.ipynb", ""),
    # notebooks
    "%%time": ({"lab.ipynb": book(*cells(convolve=f"%%time\n{definition(RIGHT, 'convolve')}"))}, ALL, "", ""),
    "%%writefile": ({"lab.ipynb": book(f"%%writefile convolution.py\n{RIGHT}")}, ALL, "", ""),
    "raw cell": (
        {"lab.ipynb": book(*cells(convolve=("raw", definition(RIGHT, "convolve"))))}, ALL, "raw cell", "repaired"),
    "half a cell": ({"lab.ipynb": book(RIGHT + "\n" + BROKEN)}, ALL, "lines", "left out"),
    "Colab": (
        {"lab.ipynb": book(RIGHT, nbformat_minor=0).replace('"metadata": {}', '"metadata": {"id": 1}, "id": "x"')},
        ALL, "", ""),
    "Kaggle": (
        {"lab.ipynb": json.dumps({"cells": [{"cell_type": "code", "_uuid": "1", "source": RIGHT}]})}, ALL, "", ""),
    "format 3": (
        {"lab.ipynb": json.dumps({"worksheets": [{"cells": [{"cell_type": "code", "input": [RIGHT]}]}]})}, ALL, "", ""),
    "UTF-16 notebook": ({"lab.ipynb": book(RIGHT).encode("utf-16")}, ALL, "", ""),
    "notebook asks for matplotlib": ({"lab.ipynb": book("import matplotlib.pyplot as plt", *cells(), "plt.show()")},
                                     ALL, "", ""),
    # archives
    "link": ({"a.zip": zipped({"convolution.py": RIGHT}, "latest")}, ALL, "latest was ignored", ""),
    "README twice": ({"a.zip": zipped({"README.md": "", "readme.md": "", "convolution.py": RIGHT})}, ALL, "", ""),
    "zip in zip": ({"a.zip": zipped({"report.pdf": "x", "code.zip": zipped({"convolution.py": RIGHT})})},
                   ALL, "", ""),
    ".tar.gz": ({"a.tar.gz": tarred({"hw/convolution.py": RIGHT}, "w:gz", "hw/latest")}, ALL, "is a link", ""),
    ".tar in a folder": ({"a.tar": tarred({"convolution.py": RIGHT}, "w"), "notes.txt": ""}, ALL, "", ""),
    "environment": (
        {"a.zip": zipped({"convolution.py": RIGHT} | {f"venv/lib/{n}.py": "x = 1" for n in range(3_000)})},
        ALL, "venv was ignored because it holds an environment", ""),
    # several files
    "stub beside notebook": ({"convolution.py": STUB, "lab.ipynb": book(RIGHT)}, ALL, "(as it was handed out)", ""),
    "stub beside download": ({"convolution.py": STUB, "convolution (1).py": RIGHT}, ALL, "(as it was handed out)", ""),
    # that is the student's own error
    "own error": (
        py(RIGHT.replace(definition(RIGHT, "convolve"), "def convolve(x, h):\n    return (x\n")),
        -1.0, "It was graded from the definitions that can be imported, without convolve.", "repaired"),
    "own need": (
        py(after_head("import matplotlib.pyplot as plt").replace(
            "def output_size(", "@plt.cache\ndef output_size(")),
        -1.0, "without conv2d_im2col, output_size", "repaired"),
    "tabs": (py(RIGHT.replace("    return y\n", "\treturn y\n")), -1.0, "", "repaired"),
    "nothing": ({"notes.txt": RIGHT}, 0.0, "holds nothing to grade", "refused"),
    "hopeless": (py("x = = 1\n"), 0.0, "SyntaxError in line 1", "not imported"),
}  # fmt: skip


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge(ASSIGNMENT, "accidents", choose(None)) as judge:
        yield judge


def graded(judge: Judge, folder: Path, files: Mapping[str, Content]) -> SubmissionResult:
    for name, content in files.items():
        path = folder / "ann" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return judge.grade(read("ann", folder / "ann", ASSIGNMENT.graded_names()))[0]


@pytest.mark.parametrize("kind", ACCIDENTS)
def test_an_accident(judge: Judge, tmp_path: Path, kind: str) -> None:
    files, share, said, mark = ACCIDENTS[kind]
    result = graded(judge, tmp_path, files)
    if share < 0:
        assert 0.2 * result.max_score < result.score < result.max_score, result.notes
    else:
        assert result.score == share * result.max_score, result.notes
    assert said in " ".join(result.notes)
    assert [one.kind for one in result.attention] == [mark] * bool(mark)
    assert {one.sentence for one in result.attention} <= set(result.notes)
    assert len(result.notes) <= 4


def test_most_right_solutions_with_an_accident_are_graded_as_right() -> None:
    right = [kind for kind, (_, share, _, _) in ACCIDENTS.items() if share == ALL]
    assert len(right) >= 0.9 * len(ACCIDENTS)


def test_code_of_another_student_does_not_come_in_by_a_link(judge: Judge, tmp_path: Path) -> None:
    (tmp_path / "bob.py").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "convolution.py").symlink_to(tmp_path / "bob.py")
    assert graded(judge, tmp_path, {}).score == 0
