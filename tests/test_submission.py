"""What students hand in becomes sources: the right ones, from any wrapping, and never an exception."""

from __future__ import annotations

import codecs
import errno
import importlib
import io
import json
import os
import random
import re
import stat
import sys
import time
import types
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import nbformat
import numpy as np
import pytest

from autograder import submission
from autograder.submission import Submission, SubmissionPathError, disk, files, notebook, read
from autograder.text import one_line

GRADED = {
    "convolution": ["convolve", "pad2d", "correlate2d", "filter_image"],
    "convolution_torch": ["Conv2d", "conv2d_unfold"],
}
CONVOLVE = "def convolve(x, h):\n    return 1\n"
CONV2D = "class Conv2d:\n    pass\n"


def make_zip(path: Path, members: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def make_folder(path: Path, members: Mapping[str, str | bytes]) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    for name, content in members.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def cells(*sources: str | list[str], **extra: object) -> str:
    code: list[object] = [
        {"cell_type": "code", "source": s, "outputs": [], "metadata": {}, "execution_count": 1} for s in sources
    ]
    text = {"cell_type": "markdown", "source": "# def convolve(x, h): return 'text'", "metadata": {}}
    return json.dumps({"cells": [text, *code], "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **extra})


def read_notebook(tmp_path: Path, *sources: str, beside: Mapping[str, str] | None = None) -> Submission:
    return read("s", make_folder(tmp_path / "nb", {"lab.ipynb": cells(*sources), **(beside or {})}), GRADED)


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., types.ModuleType]]:
    """Imports a part of a submission, as the grader's child does (these sources are the tests' own)."""
    folder = tmp_path / "imported"
    before = set(sys.modules)

    def load(handed_in: Submission, part: str = "convolution") -> types.ModuleType:
        make_folder(folder, handed_in.parts[part])
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
        return importlib.import_module(part)

    yield load
    for name in set(sys.modules) - before:
        if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


# which file is which part


@pytest.mark.parametrize("wrap", ["", "hw1/", "export/hw1/"])
@pytest.mark.parametrize("kind", ["zip", "folder", "zip in folder"])
def test_parts_travel_with_their_helpers(tmp_path: Path, wrap: str, kind: str) -> None:
    members = {
        "convolution.py": "from .pkg import y\n" + CONVOLVE,
        "convolution_torch.py": CONV2D,
        "helper.py": "x = 1\n",
        "pkg/__init__.py": "",
        "pkg/deep/mod.py": "y = 2\n",
        "data.csv": "1,2",
    }
    wrapped = {wrap + name: text for name, text in members.items()}
    if kind == "folder":
        path = make_folder(tmp_path / "alice", wrapped)
    else:
        path = make_zip(make_folder(tmp_path / "alice", {}) / "work.zip", wrapped)
        path = path.parent if "folder" in kind else path
    got = read("alice", path, GRADED)
    expected = {name: text for name, text in members.items() if name.endswith(".py")}
    assert got.student == "alice"
    assert got.parts == {"convolution": expected, "convolution_torch": expected}
    assert got.notes == (f"{wrap}pkg/__init__.py is empty.",)


@pytest.mark.parametrize(
    "name",
    ["Convolution.py", "CONVOLUTION.PY", "convolution (1).py", "convolution(12).py", "convolution-2.py",
     "convolution_3.py", "convolution - Copy.py", "Copy of convolution.py", "convolution copy 2.py"],
)  # fmt: skip
def test_renamed_files_are_recognised(tmp_path: Path, name: str) -> None:
    got = read("s", make_folder(tmp_path / "s", {name: CONVOLVE}), GRADED)
    assert got.parts["convolution"]["convolution.py"] == CONVOLVE
    assert got.notes == (f"convolution was graded from {Path(name).with_suffix('.py')}.",)
    assert sum(path.lower() == "convolution.py" for path in got.parts["convolution"]) == 1


def test_hyphens_stand_for_underscores(tmp_path: Path) -> None:
    assert set(read("s", make_folder(tmp_path / "s", {"convolution-torch (1).py": CONV2D}), GRADED).parts) == {
        "convolution_torch"
    }


def test_a_part_may_end_in_a_number(tmp_path: Path) -> None:
    graded = {"lenet_5": ["train"], "lenet": ["fit"]}
    folder = make_folder(tmp_path / "s", {"lenet_5.py": "x = 1", "lenet (5).py": "x = 2"})
    assert {part: files[f"{part}.py"] for part, files in read("s", folder, graded).parts.items()} == {
        "lenet_5": "x = 1",
        "lenet": "x = 2",
    }


def test_a_name_says_more_than_the_contents(tmp_path: Path) -> None:
    got = read("s", make_folder(tmp_path / "s", {"convolution.py": CONV2D}), GRADED)
    assert got == Submission("s", {"convolution": {"convolution.py": CONV2D}})


def test_the_exact_name_wins_then_the_shallower(tmp_path: Path) -> None:
    members = {
        "a/convolution.py": CONVOLVE + "# deep",
        "convolution (1).py": CONVOLVE + "# renamed",
        "b/c/convolution.py": CONVOLVE + "# deeper",
    }
    got = read("s", make_folder(tmp_path / "s", members), GRADED)
    assert got.parts["convolution"] == {"convolution.py": CONVOLVE + "# deep"}
    assert got.notes == (
        "convolution was graded from a/convolution.py, and not from b/c/convolution.py or convolution (1).py.",
    )


def test_a_file_of_any_name_is_recognised_by_what_it_defines(tmp_path: Path) -> None:
    members = {
        "alice.py": CONVOLVE + "pad2d = lambda x: x\nclass Other:\n    def Conv2d(self): ...\n",
        "more.py": CONVOLVE,
        "net.py": "from alice import convolve\n" + CONV2D + CONVOLVE + "def conv2d_unfold(): ...\n",
    }
    got = read("s", make_zip(tmp_path / "s.zip", members), GRADED)
    assert got.parts["convolution"]["convolution.py"] == members["alice.py"]
    assert got.parts["convolution_torch"]["convolution_torch.py"] == members["net.py"]
    assert got.parts["convolution_torch"]["alice.py"] == members["alice.py"]
    assert "convolution was graded from alice.py, and not from more.py." in got.notes


def test_a_single_file_is_recognised_by_what_it_defines(tmp_path: Path) -> None:
    path = make_folder(tmp_path, {"bob.py": "def f(:\n" + CONV2D}) / "bob.py"
    got = read("bob", path, GRADED)
    assert got.parts["convolution_torch"]["convolution_torch.py"].endswith(CONV2D)
    assert set(got.parts) == {"convolution_torch"}


def test_syntax_errors_in_a_module_are_handed_on(tmp_path: Path) -> None:
    got = read("s", make_folder(tmp_path / "s", {"convolution.py": "def convolve(:\n"}), GRADED)
    assert got == Submission("s", {"convolution": {"convolution.py": "def convolve(:\n"}})


def test_helpers_that_cannot_be_imported_are_named(tmp_path: Path) -> None:
    members = {"a/convolution.py": CONVOLVE, "a/my helper.py": "", "outside.py": "", f"a/{'n' * 101}.py": "x = 1"}
    members |= {f"a/{'d/' * 10}deep.py": "x = 1"}
    got = read("s", make_folder(tmp_path / "s", members), GRADED)
    assert set(got.parts["convolution"]) == {"convolution.py"}
    assert "a/my helper.py" in got.notes[-1]
    assert "outside.py" in got.notes[-1]
    assert "n" * 101 in got.notes[-1]
    assert "deep.py" in got.notes[-1]


def test_nothing_to_grade_is_said(tmp_path: Path) -> None:
    zips = [make_zip(tmp_path / "z.zip", {"x.py": "y = 1"}), make_zip(tmp_path / "none.zip", {})]
    for path in [make_folder(tmp_path / "empty", {"a.txt": ""}), *zips]:
        got = read("s", path, GRADED)
        assert got.parts == {}
        assert got.notes == (
            f"{path.name} holds nothing to grade: expected convolution.py, convolution_torch.py or a notebook with "
            "their contents.",
        )


def test_no_graded_names_is_no_crash(tmp_path: Path) -> None:
    assert read("s", make_folder(tmp_path / "s", {"x.py": "y = 1", "n.ipynb": cells("z = 1")}), {}).parts == {}


# notebooks and modules together


def test_a_module_beats_a_notebook_and_says_so(tmp_path: Path) -> None:
    got = read_notebook(tmp_path, CONVOLVE + "pad2d = 1", CONV2D, beside={"convolution.py": "convolve = 1\n"})
    assert got.parts["convolution"]["convolution.py"] == "convolve = 1\n"
    assert got.parts["convolution_torch"]["convolution_torch.py"] == CONV2D
    assert got.notes[0] == "convolution was graded from convolution.py, and not from lab.ipynb."


def test_an_empty_module_does_not_beat_a_notebook(tmp_path: Path) -> None:
    got = read_notebook(tmp_path, CONVOLVE, beside={"convolution.py": "\n"})
    assert got.parts["convolution"]["convolution.py"] == CONVOLVE
    assert got.notes[0] == "convolution.py is empty."


def test_an_empty_module_alone_is_handed_on(tmp_path: Path) -> None:
    got = read("s", make_folder(tmp_path / "s", {"convolution.py": ""}), GRADED)
    assert got == Submission("s", {"convolution": {"convolution.py": ""}}, ("convolution.py is empty.",))


def test_a_helper_that_holds_less_than_the_notebook_stays_a_helper(tmp_path: Path) -> None:
    mine = {"mine.py": CONVOLVE}
    sources = ["from mine import convolve", "def pad2d(): ...", "def correlate2d(): return convolve"]
    got = read_notebook(tmp_path, *sources, beside=mine)
    module = got.parts["convolution"]["convolution.py"]
    assert module == "\n\n".join(sources) + "\n"
    assert got.parts["convolution"]["mine.py"] == CONVOLVE


def test_the_unchanged_lab_of_the_course_is_not_graded(tmp_path: Path) -> None:
    lab = ["%load_ext autoreload\n%autoreload 2", "from convolution import *\nimport convolution", "convolve([1], [2])"]
    lab.append("from convolution import convolve, pad2d\nimport convolution as student")
    got = read_notebook(tmp_path, *lab, beside={"convolution.py": CONVOLVE})
    assert got == Submission("s", {"convolution": {"convolution.py": CONVOLVE}})


def test_the_better_of_two_notebooks_is_taken(tmp_path: Path) -> None:
    folder = make_folder(
        tmp_path / "s", {"a.ipynb": cells(CONVOLVE), "b.ipynb": cells(CONVOLVE, "def pad2d(): ..."), "c.ipynb": cells()}
    )
    assert "pad2d" in read("s", folder, GRADED).parts["convolution"]["convolution.py"]


# from notebook to module


def module_of(tmp_path: Path, *sources: str, part: str = "convolution", **kwargs: Mapping[str, str]) -> str:
    return read_notebook(tmp_path, *sources, **kwargs).parts[part][f"{part}.py"]


MESSY = [
    "%matplotlib inline\n!pip install -q numpy\nimport numpy as np, torch\nimport matplotlib.pyplot as plt",
    "from __future__ import annotations\nfrom convolution import convolve, pad2d  # the stub",
    "x = np.arange(5.0)\nh = np.array([1.0, 2.0])\nMODES = {'zeros': 0}",
    "def convolve(x, h):\n    return np.zeros(len(x) + len(h) - 1)  # first try",
    "convolve?\n?convolve\nconvolve??\n%timeit -n 1 convolve(x, h)",
    "%%bash\nls def convolve",
    "def _flip(h):\n    return h[::-1]\n\n@np.errstate(all='ignore')\ndef convolve(x, h):\n    '''What is it?\n"
    "% of !all\n    '''\n    n = len(x) + len(h) - 1\n    padded = np.zeros(n + len(h) - 1)\n"
    "    padded[len(h) - 1 : len(h) - 1 + len(x)] = x\n"
    "    return np.array([padded[k : k + len(h)] @ _flip(h) for k in range(n)])",
    "y = convolve(x, h)\nplt.plot(y)\nfor name, k in [('a', 1)]:\n    plt.imshow(np.outer(y, y))",
    "def broken(x):\n  return x +",
    "MODES['replicate'] = 'edge'; WIDTH: int = 2\nif True:\n    MODES['reflect'] = 'reflect'",
    "def pad2d(x, padding=WIDTH, mode='zeros'):\n    return np.pad(x, padding, mode=_mode(mode))",
    "def _mode(mode):\n    return MODES[mode] or 'constant'",
    "class Conv2d(torch.nn.Module):\n    def forward(self, x):\n        return x",
    "def _flip(h):\n    return h[::-1]\n\ndef _flip(h):\n    return np.flip(h)\nconvolve = convolve(x, h)",
    "torch.manual_seed(0)\nmodel = Conv2d()\nprint(model(torch.ones(1)))\ndisplay(pad2d(np.ones((2, 2)), 1))",
]


def test_a_messy_notebook_gives_the_student_their_work(tmp_path: Path, load: Callable[..., types.ModuleType]) -> None:
    got = read_notebook(tmp_path, *MESSY)
    source = got.parts["convolution"]["convolution.py"]
    assert source.startswith("from __future__ import annotations\n\nimport numpy as np\n\n")
    assert "torch" not in source
    assert "plt" not in source
    assert "first try" not in source
    assert source.count("def _flip") == 1
    module = load(got)
    np.testing.assert_array_equal(module.convolve(np.arange(3.0), np.array([1.0, 2.0])), [0, 1, 4, 4])
    assert module.convolve.__doc__ == "What is it?\n% of !all\n    "
    assert module.pad2d(np.ones((2, 2)), mode="reflect", padding=1).shape == (4, 4)
    assert module.pad2d(np.ones((2, 2))).shape == (6, 6)
    torch_part = got.parts["convolution_torch"]["convolution_torch.py"]
    assert torch_part == "from __future__ import annotations\n\nimport torch\n\n" + MESSY[12] + "\n"
    assert [note for note in got.notes if "code cell" in note] == [
        "lab.ipynb: code cell 6 was left out because it starts with %%bash.",
        "lab.ipynb: code cell 9 was left out because it is not valid Python (line 2).",
    ]


NEEDS: dict[str, tuple[list[str], list[str]]] = {
    "imports": (["import a, b as c, d.e\ndef convolve(): return c, d.e"], ["import b as c", "import d.e"]),
    "default": (["from a import b, c\ndef convolve(x=c): ..."], ["from a import c"]),
    "annotation": (["import a\ndef convolve(x: a.T): ..."], ["import a"]),
    "return annotation": (["import a\ndef convolve() -> a.T: ..."], ["import a"]),
    "decorator": (["import a\n@a.b\ndef convolve(): ..."], ["import a"]),
    "base class": (["import a\nclass convolve(a.B): ..."], ["import a"]),
    "metaclass": (["import a\nclass convolve(metaclass=a.M): ..."], ["import a"]),
    "method": (["import a\nclass convolve:\n  def f(self):\n    return a"], ["import a"]),
    "comprehension": (["import a\ndef convolve():\n  return [a for _ in ()]"], ["import a"]),
    "lambda": (["import a\ndef convolve():\n  return lambda: a"], ["import a"]),
    "transitive": (
        ["K = 1", "L = K", "M = L", "def f(): return M", "def convolve(): return f()"],
        ["K = 1", "L = K", "M = L", "def f(): return M"],
    ),
    "global": (["N = 0", "def convolve():\n  global N\n  N = 1"], ["N = 0"]),
    "unpacking": (["K, (L, *M) = 1, (2, 3)", "def convolve(): return M"], ["K, (L, *M) = 1, (2, 3)"]),
    "try": (
        ["try:\n  import a\nexcept ImportError:\n  a = None", "def convolve(): return a"],
        ["try:\n  import a\nexcept ImportError:\n  a = None"],
    ),
    "if": (
        ["import sys\nif sys.platform:\n  def f(): ...\nelse:\n  f = None", "def convolve(): f()"],
        ["import sys", "if sys.platform:\n  def f(): ...\nelse:\n  f = None"],
    ),
    "in place": (["T = {}", "T[3] = 1", "T |= {4: 1}", "def convolve(): T"], ["T = {}", "T[3] = 1", "T |= {4: 1}"]),
    "filled in a loop": (
        ["T = []", "for i in range(3):\n  T.append(i)", "def convolve(): T"],
        ["T = []", "for i in range(3):\n  T.append(i)"],
    ),
    "value of its time": (["K = 1\nK = 2\nL = K\nK = 3", "def convolve(): return L"], ["K = 2", "L = K"]),
    "value of its time through a function": (
        ["def f(): return K\nK = 1\nL = f()\nK = 2", "def convolve(): return L"],
        ["def f(): return K", "K = 1", "L = f()"],
    ),
    "submodules": (["import s.a\nimport s.b", "def convolve(): s.a, s.b"], ["import s.a", "import s.b"]),
    "comprehension over": (["D = 1", "def convolve():\n  return [i for i in D]"], ["D = 1"]),
    "last of two imports": (["import a", "import a", "def convolve(): return a"], ["import a"]),
    "import with a new name": (["c = 1", "import a.b as c", "def convolve(): return c"], ["import a.b as c"]),
    "only called": (
        ["K = 1", "def f(): return K", "L = f()", "K = 2", "def convolve(): return L"],
        ["K = 1", "def f(): return K", "L = f()"],
    ),
    "semicolons": (["x = 1; K = 2; y = 3", "def convolve(): return K"], ["K = 2"]),
    "columns are bytes": (["é = 'ü'; K = 'ß'", "def convolve(): return K"], ["K = 'ß'"]),
    "no magic": (["K = (1\n\n  % 2)\n%time\n!ls", "def convolve(): return K"], ["K = (1\n\n  % 2)"]),
    "magic in a block": (
        ["try:\n  %magic\n  K = 1\nexcept E: K = 2", "def convolve(): return K"],
        ["try:\n  pass\n  K = 1\nexcept E: K = 2"],
    ),
    "continued magic": (["!pip install a \\\n  b\nz = %pwd\nu, v = !ls\nK = 1", "def convolve(): return K"], ["K = 1"]),
    "magic in text": (["K = '''\n!ls\n%x\n?'''", "def convolve(): return K"], ["K = '''\n!ls\n%x\n?'''"]),
}


@pytest.mark.parametrize(("sources", "kept"), NEEDS.values(), ids=list(NEEDS))
def test_what_a_definition_needs(tmp_path: Path, sources: list[str], kept: list[str]) -> None:
    noise = ["import unused, torch\ny = torch.ones(3)", "def other(): return y", "print(other())"]
    *_, definition = re.split(r"^(?=@|def convolve|class convolve)", sources[-1], maxsplit=1, flags=re.MULTILINE)
    assert module_of(tmp_path, *noise, *sources, *noise) == "\n\n".join([*kept, definition]) + "\n"


@pytest.mark.parametrize(
    ("sources", "dropped"),
    [
        (["x = 1", "def convolve(x): return x"], "x = 1"),
        (["n = 1", "def convolve():\n  return [n for n in ()]"], "n = 1"),
        (["e = 1", "def convolve():\n  try: ...\n  except E as e: return e"], "e = 1"),
        (["m = 1", "def convolve(v):\n  match v:\n    case {'a': 1, **m}: return m"], "m = 1"),
        (["y = 1", "def convolve():\n  def f():\n    nonlocal y\n    y = 2\n  y = 0\n  f()"], "y = 1"),
        (["f = 1", "def convolve():\n  import f\n  return f"], "f = 1"),
        (["s = 1", "class convolve:\n  s = 2\n  t = s"], "s = 1"),
        (["import a\ndef convolve(): ...\nconvolve()\na.seed(0)"], "a"),
        (["T = {}\nT[1] = 2\ndef convolve(): ..."], "T"),
        (["K: int", "def convolve(): return K"], "K: int"),
        (["del convolve", "def convolve(): ..."], "del"),
    ],
)
def test_what_a_definition_does_not_need(tmp_path: Path, sources: list[str], dropped: str) -> None:
    module = module_of(tmp_path, *sources)
    assert dropped not in module.split("\n\n")
    assert module.split("\n\n")[-1].rstrip("\n") in "\n".join(sources)


WORKS: dict[str, tuple[list[str], object]] = {
    "last wins": (["def convolve(): return 1", "def convolve(): return 2"], 2),
    "last helper wins": (["def f(): return 1", "def convolve(): return f()", "def f(): return 2"], 2),
    "last constant wins": (["K = 1", "def convolve(): return K", "K = 5"], 5),
    "result reuses the name": (["def convolve(): return 1", "convolve = convolve()"], 1),
    "reused twice": (["def convolve(): return 1", "convolve = convolve()", "convolve = str(convolve)"], 1),
    "import reuses the name": (["def convolve(): return 1", "from math import sin as convolve"], 1),
    "loop reuses the name": (["def convolve(): return 1", "for convolve in [3]:\n  pass"], 1),
    "alias": (["def fast(): return 3", "def convolve(): return 1", "convolve = fast"], 3),
    "lambda": (["def convolve(): return 1", "convolve = lambda: 4"], 4),
    "functions in a loop reuse the name": (
        ["def fast(): return 3", "def convolve(): return 1", "for convolve in [fast]:\n  pass"],
        1,
    ),
    "alias after reuse": (
        ["def fast(): return 3", "def convolve(): return 1", "convolve = convolve()", "convolve = fast"],
        3,
    ),
    "wrapped after reuse": (
        [
            "def wrap(f): return lambda: f() + 1",
            "def convolve(): return 1",
            "convolve = convolve()",
            "def convolve(): return 5",
            "convolve = wrap(convolve)",
        ],
        6,
    ),
    "wrapped twice, then its constant changes": (
        [
            "def wrap(f): return f",
            "K = 1",
            "def f(): return K",
            "g = wrap(f)",
            "h = wrap(g)",
            "K = 2",
            "def convolve(): return h()",
        ],
        2,
    ),
    "functions made in a comprehension": (
        ["K = 4", "FS = [lambda: K for _ in range(2)]", "def convolve(): return FS[0]()"],
        4,
    ),
    "a function kept before what it calls": (
        ["def f(): return g()", "T = {'a': f}", "g = lambda n=len(T): n", "def convolve(): return T['a']()"],
        1,
    ),
    "a builtin that is reused below": (["K = sum([1, 2])", "def convolve(): return K", "sum = 5"], 3),
    "the name of a future import": (
        ["K = 1", "from __future__ import annotations", "def convolve(): return K and annotations.compiler_flag > 0"],
        True,
    ),
    "import from a package that is not there": (["from . import helper", "def convolve(): return 1"], 1),
    "only a lambda": (["convolve = lambda: 4"], 4),
    "wrapped": (["def twice(f): return lambda: 2 * f()", "def convolve(): return 3", "convolve = twice(convolve)"], 6),
    "method added": (["class convolve:\n  def __new__(cls): return cls.f()", "convolve.f = lambda: 7"], 7),
    "in place": (["T = [0] * 3", "T[2] = 1", "T += [4]", "T.append(8)", "def convolve(): return sum(T)"], 13),
    "table from a loop": (
        [
            "G = {}",
            "for i in range(3):\n  for j in range(3):\n    G[i, j] = i * j",
            "def convolve(): return sum(G.values())",
        ],
        9,
    ),
    "comprehension variable": (
        ["n = 3", "SQUARES = [n * n for n in range(4)]", "def convolve(): return n + SQUARES[-1]"],
        12,
    ),
    "reused variable": (["sizes = [3]", "K = sizes[0]", "sizes = [9]", "def convolve(): return K"], 3),
    "cells out of order": (["def convolve(x=K): return x", "K = 4"], 4),
    "cells out of order, transitively": (
        ["A = f(1)", "def convolve(): return A", "def f(x): return g(x)", "def g(x): return x + K", "K = 5"],
        6,
    ),
    "cell run twice": (["K = 1", "K = K + 1", "K = K + 1", "def convolve(): return K"], 3),
    "recursion": (["def convolve(n=5): return n and n + convolve(n - 1)"], 15),
    "mutual recursion": (
        [
            "def even(n): return n == 0 or odd(n - 1)",
            "def odd(n): return n > 0 and even(n - 1)",
            "def convolve(): return even(4)",
        ],
        True,
    ),
    "one graded name needs another": (
        ["import math\ndef convolve(): return pad2d()", "def pad2d(): return math.floor(2.5)"],
        2,
    ),
    "star import is placed first": (
        ["from math import *", "def floor(x): return 7", "def convolve(): return floor(ceil(0.5))"],
        7,
    ),
    "star import of a helper": (["from helper import *", "def convolve(): return helped()"], "yes"),
    "helper": (["import helper as h", "def convolve(): return h.helped()"], "yes"),
    "own module": (
        [
            "from convolution import *",
            "from convolution import convolve, pad2d",
            "import convolution",
            "def convolve(): return 8",
        ],
        8,
    ),
    "own module afterwards": (["def convolve(): return 8", "from convolution import convolve"], 8),
    "own module by name": (
        ["import convolution as me", "def pad2d(): return 9", "def convolve(): return me.pad2d()"],
        9,
    ),
    "future": (["def convolve() -> Undefined: return 1", "from __future__ import annotations"], 1),
    "class body": (["class A:\n  size = 2\n  area = size * 2\ndef convolve(): return A.area"], 4),
    "async": (["async def f(): ...", "def convolve(): return f.__name__"], "f"),
    "decorators": (["def deco(f):\n  return lambda: f() + 1", "@deco\n# why\n@deco\ndef convolve(): return 1"], 3),
    "with": (["with open(__file__) as F:\n  TEXT = F.read(3)", "def convolve(): return TEXT"], "wit"),
}


@pytest.mark.parametrize(("sources", "want"), WORKS.values(), ids=list(WORKS))
def test_a_module_from_a_notebook_works(
    tmp_path: Path, load: Callable[..., types.ModuleType], sources: list[str], want: object
) -> None:
    got = read_notebook(tmp_path, *sources, beside={"helper.py": "def helped():\n    return 'yes'\n"})
    assert load(got).convolve() == want


def random_statement(rng: random.Random) -> str:
    """Code that computes with a, b, c, a table, a list, a class, and functions that read them."""
    name, other = rng.choice("abc"), rng.choice("abc")
    function = f"f{rng.randrange(3)}"
    values = [str(rng.randrange(9)), name, f"{other} * 2", f"{function}()", "T.get(1, 0)", "sum(L)", "K.v", "K().m()"]
    values += ["sum(a for a in range(3))", f"(lambda b: b + {other})(1)"]
    value = " + ".join(rng.choices(values, k=rng.randint(1, 2)))
    blocks = [f"if {value}:", f"for {other} in range(2):", "try:"]
    assignments = [f"{name} = {value}", f"{name}, {other} = {value}, {other}", f"{name} += {value}", f"T[1] = {value}"]
    assignments += [f"L.append({value})", f"K.v = {value}", f"T = {{1: {value}}}", f"L = [{value}]"]
    definitions = [
        f"def {function}():\n  return {value}",
        f"{function} = lambda: {value}",
        f"{function} = wrap({function})",
    ]
    definitions += [f"def {function}(x={name}):\n  {other} = {value}\n  return {other} + x"]
    definitions += [
        f"def {function}():\n  global {name}\n  return {name} + {value}",
        "def wrap(f):\n  return lambda: f() + 1",
    ]
    definitions += [f"class K:\n  v = {name}\n  def m(self):\n    return {value}", "convolve = wrap(convolve)"]
    definitions += [f"def convolve():\n  return a + 3 * b + 5 * c + 7 * f0() + 9 * f1() + 11 * f2() + {value}"]
    block = f"{rng.choice(blocks)}\n  {rng.choice(assignments)}"
    if block.startswith("try"):
        block += f"\nexcept NameError:\n  {name} = 0"
    return rng.choice([rng.choice(assignments), rng.choice(definitions), block])


def test_a_module_computes_what_its_notebook_computes() -> None:
    shorter = 0
    for seed in range(150):
        rng = random.Random(seed)
        cells = ["a, b, c = 1, 2, 3", "T, L = {}, []", "class K:\n  v = 1\n  def m(self): return a"]
        cells += ["def f0(): return a", "def f1(): return b", "def f2(): return c", "def wrap(f): return f"]
        cells += ["def convolve(): return f0()"]
        want: object = None
        for _ in range(rng.randint(3, 40)):
            attempt = [*cells, random_statement(rng)]
            whole: dict[str, Callable[[], object]] = {}
            try:
                exec("\n".join(attempt), whole)
                want = whole["convolve"]()
            except (RecursionError, NameError):
                continue
            cells = attempt
        part: dict[str, Callable[[], object]] = {}
        source = notebook.Notebook("n", cells, {"convolve"}, ()).module("convolution", ["convolve"])
        exec(source, part)
        assert part["convolve"]() == want, seed
        shorter += source.count("\n\n") + 1 < len(cells)
    assert shorter > 100


def test_star_imports_go_when_nothing_needs_them(tmp_path: Path) -> None:
    sources = ["K = 1", "def convolve(x):\n  return len(x) + K"]
    assert module_of(tmp_path, "from torch import *", *sources) == "\n\n".join(sources) + "\n"


def test_one_part_may_import_the_other_from_the_same_notebook(
    tmp_path: Path, load: Callable[..., types.ModuleType]
) -> None:
    got = read_notebook(
        tmp_path,
        "def convolve(): return 5",
        "import convolution as c\nfrom convolution import convolve",
        "def conv2d_unfold(): return c.convolve()",
    )
    assert "def convolve" not in got.parts["convolution_torch"]["convolution_torch.py"]
    assert load(got, "convolution_torch").conv2d_unfold() == 5


def test_foreign_imports_define_nothing(tmp_path: Path) -> None:
    got = read_notebook(tmp_path, "from numpy import convolve", "from mine import pad2d", beside={"mine.py": "x = 1"})
    assert got.parts["convolution"]["convolution.py"] == "from mine import pad2d\n"


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("def f(x):\n    return (x", "is not valid Python (line 2)"),
        ("x = 1\n%magic\ny = = 2", "is not valid Python (line 3)"),
        ("\n\ndef f(a, a): ...", "is not valid Python (line 3)"),
        ("  %%time\ndef f(): ...", "starts with %%time"),
        ("x = " + "-" * 5000 + "1", "is nested too deeply"),
        ("x = " + "+".join(["1"] * 9000), "is nested too deeply"),
        ("x = " + "(" * 500 + ")" * 500, "is not valid Python (line 1)"),
        ("x = '" + "a" * 100_000 + "'", "is longer than 100000 characters"),
        ("x = 1\0", "contains null bytes"),
    ],
)
def test_a_cell_that_cannot_be_used_is_left_out_and_named(tmp_path: Path, cell: str, problem: str) -> None:
    got = read_notebook(tmp_path, "", cell, CONVOLVE)
    assert got.parts["convolution"]["convolution.py"] == CONVOLVE
    assert f"lab.ipynb: code cell 2 was left out because it {problem}." in got.notes


@pytest.mark.filterwarnings("error")
def test_warnings_of_the_parser_do_not_matter(tmp_path: Path) -> None:
    source = 'def convolve():\n    return "\\d" is 1'
    assert module_of(tmp_path, source) == source + "\n"


def test_deep_sources_outside_the_notebooks_closure_cost_nothing(tmp_path: Path) -> None:
    deep = "def f():\n" + "".join(f"{' ' * (i + 1)}if 1:\n" for i in range(90)) + " " * 92 + "pass"
    assert module_of(tmp_path, deep, CONVOLVE) == CONVOLVE


def test_source_as_a_list_of_lines_and_foreign_line_ends(tmp_path: Path) -> None:
    path = make_folder(tmp_path, {"a.ipynb": cells(["def convolve():\r\n", "    return 1\r\n"])}) / "a.ipynb"
    assert read("a", path, GRADED).parts["convolution"]["convolution.py"] == "def convolve():\n    return 1\n"


def test_notebooks_as_jupyter_writes_them(tmp_path: Path) -> None:
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# A1"), nbformat.v4.new_code_cell(CONVOLVE)])
    nbformat.write(book, tmp_path / "bob.ipynb")
    got = read("bob", tmp_path / "bob.ipynb", GRADED)
    assert got == Submission(
        "bob", {"convolution": {"convolution.py": CONVOLVE}}, ("convolution was graded from bob.ipynb.",)
    )


def test_a_tangle_is_refused_in_time(tmp_path: Path) -> None:
    functions = [f"def f{i}(): return " + ", ".join(f"f{j}" for j in range(200)) for i in range(200)]
    constants = [f"c{i} = f0() or c{i - 1}" for i in range(1000)]
    begin = time.process_time()
    got = read_notebook(tmp_path, *functions, *constants, "def convolve(): return c999")
    assert time.process_time() - begin < 20
    assert got.parts == {}
    assert got.notes == ("The cells of the notebook depend on each other in too many ways.",)


@pytest.mark.parametrize(
    "content",
    [
        "", "{", "[]", "1", "null", '"cells"', "{}", '{"cells": 1}', '{"cells": [1]}', '{"cells": [{}]}',
        '{"cells": [{"cell_type": "code"}]}', '{"cells": [{"cell_type": "code", "source": 1}]}',
        '{"cells": [{"cell_type": "code", "source": [1]}]}', '{"cells": [{"cell_type": "code", "source": "\\ud800"}]}',
        '{"worksheets": []}', "[" * 100_000, b"\xff\xfe\x00", b"\x80\x81", '{"a": ' + "9" * 5000 + "}",
    ],
    ids=[str(number) for number in range(19)],
)  # fmt: skip
def test_what_is_not_a_notebook_is_said(tmp_path: Path, content: str | bytes) -> None:
    path = make_folder(tmp_path, {"bob.ipynb": content}) / "bob.ipynb"
    got = read("bob", path, GRADED)
    assert got.parts == {}
    assert got.notes[0] == "bob.ipynb was ignored because it is not a Jupyter notebook (format 4)."


@pytest.mark.parametrize("values", ["[],", "1,", '{"a":', '":,",'])
def test_a_notebook_of_too_many_values_is_not_parsed(tmp_path: Path, values: str) -> None:
    content = '{"cells": [], "a": [' + values * (notebook.MAX_VALUES // len(re.findall(r"[\[{,:]", values))) + "1]}"
    got = read("bob", make_folder(tmp_path, {"bob.ipynb": content}) / "bob.ipynb", GRADED)
    assert got.notes[0] == "bob.ipynb was ignored because its outputs are too large: clear them and save it."


def test_notebooks_of_too_much_code_are_refused_before_it_is_parsed(tmp_path: Path) -> None:
    refused(read_notebook(tmp_path, CONVOLVE, *["a;" * 40_000] * 3), "more than 300 kB of code")


def test_long_notes_are_cut(tmp_path: Path) -> None:
    members = {"convolution.py": CONVOLVE, f"{'n' * 390}.zip": "", f"{'m' * 390}.py": ""}
    got = read("s", make_zip(tmp_path / "s.zip", members), GRADED)
    assert set(got.parts["convolution"]) == {"convolution.py"}
    assert [(len(note), note[-1]) for note in got.notes] == [(submission.MAX_NOTE + 1, "…")] * 3


def test_names_that_nobody_gives_are_ignored(tmp_path: Path) -> None:
    deep = "d/" * 30
    members = {"convolution.py": CONVOLVE, f"{'n' * 500}.py": "", f"{deep}x.py": "", f"{deep[2:]}y.csv": ""}
    got = read("s", make_zip(tmp_path / "s.zip", members), GRADED)
    assert got.parts == {"convolution": {"convolution.py": CONVOLVE}}
    assert got.notes == (
        f"{'n' * 80}… was ignored because its name is longer than 400 characters.",
        f"{deep}x.py was ignored because it lies deeper than 30 folders.",
    )


def test_names_of_many_marks_are_never_normalised(tmp_path: Path) -> None:
    def seconds(marks: int) -> float:
        name = "a" + "\u0301" * marks + "\u0327" * marks
        members = {"convolution.py": CONVOLVE, "lab.ipynb": cells(f"{name} = 1")} | {f"{n}{name}": "" for n in range(3)}
        path = make_zip(tmp_path / "s.zip", members)
        start = time.process_time()
        assert set(read("s", path, GRADED).parts) == {"convolution"}
        return time.process_time() - start

    assert seconds(10_000) < 20 * max(seconds(1_000), 0.01)


def test_many_notes_are_cut(tmp_path: Path) -> None:
    got = read_notebook(tmp_path, *["x ="] * 50, CONVOLVE)
    assert len(got.notes) == submission.MAX_NOTES + 1
    assert got.notes[-1] == "31 more notes were left out."


# text


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
        (b"s = '\xe9'", "is not text in UTF-8"),
        ("s = 1".encode("utf-16"), "is not text in UTF-8"),
        (b"# coding: nonsense\ns = 1", "is not text in UTF-8"),
        (codecs.BOM_UTF8 + b"# coding: latin-1\n", "is not text in UTF-8"),
        (b"# coding: zlib\n", "is not text in UTF-8"),
        (b"# coding: punycode\n" + b"a-" * 400_000, "is not text in UTF-8"),
        (b"# coding: unicode_escape\ns = '\\ud800'", "is not text in UTF-8"),
        (b"# coding: utf-7\n+2AA-", "is not text in UTF-8"),
        (b"x = 1\0", "contains null bytes"),
        (b"\0" * 100, "contains null bytes"),
        ("s = 1".encode("utf-16-le"), "contains null bytes"),
    ],
)
def test_what_is_not_text_is_ignored_and_named(tmp_path: Path, raw: bytes, problem: str) -> None:
    got = read("s", make_folder(tmp_path / "s", {"convolution.py": raw, "convolution_torch.py": CONV2D}), GRADED)
    assert set(got.parts) == {"convolution_torch"}
    assert got.notes == (f"convolution.py was ignored because it {problem}.",)


def test_a_declared_encoding_is_rewritten_in_linear_time() -> None:
    def seconds(length: int) -> float:
        start = time.process_time()
        files.decode("x.py", b"# coding: latin-1\n" + b"#" * length)
        return time.process_time() - start

    assert seconds(40_000) < 40 * max(seconds(4_000), 0.002)


# archives and folders


def zip_with(path: Path, change: Callable[[zipfile.ZipInfo], None], name: str = "data.txt") -> Path:
    make_zip(path, {"convolution.py": CONVOLVE})
    info = zipfile.ZipInfo(name)
    change(info)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(info, "/etc/passwd")
    return path


def refused(got: Submission, pattern: str) -> None:
    assert got.parts == {}
    assert len(got.notes) == 1
    assert pattern in got.notes[0]
    assert got.notes[0].endswith(".")
    assert got.notes[0] == one_line(got.notes[0])


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../evil.py", "leads out"),
        ("a/../../evil.txt", "leads out"),
        ("a\\..\\evil.py", "leads out"),
        ("/etc/evil.py", "leads out"),
        ("\\evil.py", "leads out"),
        ("C:\\evil.py", "leads out"),
        ("c:evil.py", "leads out"),
        ("\uff0e\uff0e/evil.py", "leads out"),
        ("ev\x1b[31mil.py", "control characters"),
        ("ev\nil.txt", "control characters"),
        ("Convolution.py", "cannot tell"),
        ("./convolution.py", "cannot tell"),
        ("\uff43onvolution.py", "cannot tell"),
    ],
)
def test_hostile_names_in_an_archive_refuse_it(tmp_path: Path, name: str, problem: str) -> None:
    refused(read("s", make_zip(tmp_path / "s.zip", {"convolution.py": CONVOLVE, name: "x = 1"}), GRADED), problem)


def test_composed_and_decomposed_names_are_the_same(tmp_path: Path) -> None:
    members = {"convolution.py": CONVOLVE, "\u00e9.py": "", "e\u0301.py": ""}
    refused(read("s", make_zip(tmp_path / "s.zip", members), GRADED), "cannot tell")
    refused(read("s", make_folder(tmp_path / "s", members), GRADED), "cannot tell")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_refuse_the_archive(tmp_path: Path) -> None:
    refused(read("s", zip_with(tmp_path / "s.zip", lambda info: None, "convolution.py"), GRADED), "cannot tell")


def ignored(got: Submission, sentence: str) -> None:
    assert got.parts == {"convolution": {"convolution.py": CONVOLVE}}
    assert got.notes == (sentence,)


SPECIAL = "was ignored because it is a link, a pipe, a socket or a device."


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK])
def test_links_and_devices_in_an_archive_are_ignored(tmp_path: Path, kind: int) -> None:
    def change(info: zipfile.ZipInfo) -> None:
        info.create_system, info.external_attr = 3, (kind | 0o777) << 16

    ignored(read("s", zip_with(tmp_path / "s.zip", change), GRADED), f"data.txt {SPECIAL}")


def test_an_encrypted_archive_holds_nothing(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "s.zip", {"convolution.py": CONVOLVE})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(data)
    got = read("s", path, GRADED)
    assert got.parts == {}
    assert got.notes[0] == "convolution.py was ignored because it is encrypted."


def test_a_member_of_an_unusual_compression_is_ignored(tmp_path: Path) -> None:
    def change(info: zipfile.ZipInfo) -> None:
        info.compress_type = zipfile.ZIP_LZMA

    got = read("s", zip_with(tmp_path / "s.zip", change, "helper.py"), GRADED)
    ignored(got, "helper.py was ignored because it is compressed in an unusual way.")


def test_system_files_and_nested_archives_are_ignored(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {
        "convolution.py": CONVOLVE,
        "old.zip": b"PK",
        "__MACOSX/._convolution.py": b"\0\5",
        "__pycache__/convolution.py": b"\0",
        ".ipynb_checkpoints/lab.ipynb": cells(CONVOLVE),
        ".venv/lib/x.py": "",
        "venv/lib/site-packages/y.py": "",
    }
    for path in (make_zip(tmp_path / "s.zip", members), make_folder(tmp_path / "folder", members)):
        got = read("s", path, GRADED)
        assert got.parts == {"convolution": {"convolution.py": CONVOLVE}}
        assert got.notes == ("old.zip was ignored because it is a zip archive within the submission.",)


def test_backslashes_separate_folders(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "s.zip", {"hw\\convolution.py": CONVOLVE, "hw\\lib\\a.py": "x = 1"})
    assert set(read("s", path, GRADED).parts["convolution"]) == {"convolution.py", "lib/a.py"}


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip", b"PK\5\6" + b"\xff" * 18])
def test_a_corrupt_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "solution.zip").write_bytes(content)
    got = read("s", tmp_path / "solution.zip", GRADED)
    assert got == Submission("s", {}, ("solution.zip could not be opened as a zip archive.",))


def test_a_damaged_member_refuses_the_archive(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "s.zip", {"convolution.py": os.urandom(5000).hex()})
    data = bytearray(path.read_bytes())
    data[1000:1010] = b"\0" * 10
    path.write_bytes(data)
    refused(read("s", path, GRADED), "could not be opened")


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    for limit, suffix in ((files.MAX_FILES, ".py"), (files.MAX_MEMBERS, ".txt")):
        members = {f"m{i}{suffix}": "" for i in range(limit)} | {"convolution.py": CONVOLVE}
        for path in (make_zip(tmp_path / "s.zip", members), make_folder(tmp_path / f"s{suffix}", members)):
            refused(read("s", path, GRADED), f"more than {limit}")
        members.pop("m0" + suffix)
        assert set(read("s", make_zip(tmp_path / "t.zip", members), GRADED).parts) == {"convolution"}


def test_too_much_source_is_refused(tmp_path: Path) -> None:
    half = "#" * (files.MAX_SOURCE // 2)
    members = {"convolution.py": CONVOLVE + half, "helper.py": half}
    for path in (make_zip(tmp_path / "s.zip", members), make_folder(tmp_path / "s", members)):
        refused(read("s", path, GRADED), "more than 900 kB")
    refused(read_notebook(tmp_path, CONVOLVE, *["#" * 90_000] * 4), "more than 300 kB of code")
    refused(read_notebook(tmp_path, CONVOLVE, *[""] * 2_000), "2 000 code cells")
    doubled = {"mine.py": CONVOLVE + half}  # travels under both names
    refused(read("s", make_folder(tmp_path / "d", doubled), GRADED), "more than 900 kB")


def test_declared_sizes_are_not_believed(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "bomb.zip", {"convolution.py": b"#" * 50_000_000})
    data = bytearray(path.read_bytes())
    for header, offset in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        start = data.index(header) + offset
        data[start : start + 4] = (10).to_bytes(4, "little")
    path.write_bytes(data)
    refused(read("s", path, GRADED), "could not be opened")
    refused(read("s", make_zip(path, {"convolution.py": b"#" * 50_000_000}), GRADED), "more than 900 kB")


def test_a_huge_table_of_contents_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    record = b"PK\1\2" + b"\0" * 42
    count = files.MAX_DIRECTORY // len(record) + 1
    size = (count * len(record)).to_bytes(4, "little")
    end = b"PK\5\6" + b"\0" * 4 + b"\xff" * 4 + size + b"\0" * 4 + b"\0" * 2
    (tmp_path / "s.zip").write_bytes(record * count + end)
    refused(read("s", tmp_path / "s.zip", GRADED), "could not be opened")


def test_a_huge_notebook_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_NOTEBOOK", 10_000)
    members = {"lab.ipynb": cells(CONVOLVE, outputs="o" * 10_000), "convolution_torch.py": CONV2D}
    for path in (make_zip(tmp_path / "s.zip", members), make_folder(tmp_path / "s", members)):
        got = read("s", path, GRADED)
        assert set(got.parts) == {"convolution_torch"}
        assert got.notes[0].startswith("lab.ipynb was ignored because it is larger than 20 MB")
    monkeypatch.setattr(files, "MAX_NOTEBOOKS", 10_000)
    members = {f"{i}.ipynb": cells(CONVOLVE, outputs="o" * 5_000) for i in range(3)}
    got = read("s", make_zip(tmp_path / "s.zip", members), GRADED)
    assert got.notes[0] == "2.ipynb was ignored because the notebooks before it are larger than 60 MB."
    assert "convolution was graded from 0.ipynb, and not from 1.ipynb." in got.notes


def test_huge_notebooks_are_read_up_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    bounded = files._bounded

    def counted(entry: files._Entry, limit: int) -> bytes:
        data = bounded(entry, limit)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(files, "_bounded", counted)
    monkeypatch.setattr(files, "MAX_NOTEBOOK", 100_000)
    monkeypatch.setattr(files, "MAX_NOTEBOOKS", 300_000)
    members = {f"{i}.ipynb": b"o" * 1_000_000 for i in range(40)} | {"convolution.py": CONVOLVE}
    for path in (make_zip(tmp_path / "s.zip", members), make_folder(tmp_path / "s", members)):
        sizes.clear()
        assert set(read("s", path, GRADED).parts) == {"convolution"}
        assert sum(sizes) < 600_000


def test_an_archive_that_unpacks_to_nothing_is_read_up_to_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = b"\0\0\0\xff\xff" * 100_000 + b"\1\0\0\xff\xff"  # empty blocks
    path = make_zip(tmp_path / "s.zip", {"convolution.py": CONVOLVE})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(zipfile.ZipInfo("x.py"), nothing)
    data = bytearray(path.read_bytes())
    for start in (data.rindex(b"PK\3\4") + 8, data.rindex(b"PK\1\2") + 10):
        data[start] = zipfile.ZIP_DEFLATED
        data[start + 6 : start + 10] = (0).to_bytes(4, "little")  # the sum of nothing
    path.write_bytes(data)
    assert "x.py is empty." in read("s", path, GRADED).notes
    monkeypatch.setattr(files._Archive, "_unread", 300_000)
    refused(read("s", path, GRADED), "take up more than 100 MB of the archive")


def test_links_in_folders_are_never_followed(tmp_path: Path) -> None:
    secret = make_folder(tmp_path / "secret", {"convolution_torch.py": CONV2D})
    for name, target in (
        ("convolution_torch.py", secret / "convolution_torch.py"),
        ("sub", secret),
        ("dangling.py", tmp_path / "x"),
    ):
        folder = make_folder(tmp_path / f"s_{name}", {"convolution.py": CONVOLVE})
        (folder / name).symlink_to(target)
        ignored(read("s", folder, GRADED), f"{name} {SPECIAL}")
    (tmp_path / "bob.py").symlink_to(secret / "convolution_torch.py")
    refused(read("bob", tmp_path / "bob.py", GRADED), "bob.py is a link")
    folder = make_folder(tmp_path / "s_zip", {})
    (folder / "a.zip").symlink_to(make_zip(tmp_path / "real.zip", {"convolution.py": CONVOLVE}))
    refused(read("s", folder, GRADED), "a.zip is a link")


def test_nothing_is_executed_or_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = f"open({str(tmp_path / 'ran')!r}, 'w')\nraise SystemExit\n"
    members = {"convolution.py": trap + CONVOLVE, "lab.ipynb": cells(trap, CONV2D + "X = exit()"), "__init__.py": trap}
    path = make_zip(tmp_path / "s.zip", members)
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.chdir(tmp_path)
    assert len(read("s", path, GRADED).parts) == 2
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["a.txt", "a.rar", "a", "a.tar.gz"])
def test_other_files_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("x")
    sentence = f"{name} is not a .py, .ipynb or .zip file: hand in one of those, or a folder."
    refused(read("s", tmp_path / name, GRADED), sentence)


def test_a_path_that_vanished_is_said(tmp_path: Path) -> None:
    refused(read("s", tmp_path / "gone.py", GRADED), "gone.py could not be read.")


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: str, flags: int) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(disk, "_open", denied)  # root may read everything
    folder = make_folder(tmp_path / "late", {"layers.py": "x = 1", "notes.txt": ""})
    with pytest.raises(SubmissionPathError, match=r"/late/layers\.py cannot be read: permission denied\.$"):
        read("late", folder, GRADED)


def test_reading_is_deterministic(tmp_path: Path) -> None:
    members = {f"{name}/convolution.py": CONVOLVE for name in "dcba"} | {"lab.ipynb": cells(*MESSY)}
    first = read("s", make_zip(tmp_path / "s.zip", members), GRADED)
    assert first == read("s", make_zip(tmp_path / "s.zip", dict(reversed(members.items()))), GRADED)
    assert first == read("s", make_folder(tmp_path / "s", members), GRADED)


def mutated(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.randint(0, 12)):
        position = rng.randrange(len(data) + 1)
        match rng.randrange(4):
            case 0:
                data[position : position + 1] = rng.randbytes(1)
            case 1:
                data[position:position] = rng.randbytes(rng.randint(1, 9))
            case 2:
                del data[position : position + rng.randint(1, 30)]
            case _:
                data[position:position] = rng.choice([b"%", b"\n", b"(", b'"', b"\\", b"\xed\xa0\x80", b"PK\1\2"])
    return bytes(data)


@pytest.mark.parametrize("suffix", [".zip", ".ipynb", ".py"])
@pytest.mark.filterwarnings("error")
def test_garbage_never_raises(tmp_path: Path, suffix: str) -> None:
    rng = random.Random(f"submission{suffix}")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a/convolution.py", CONVOLVE)
        archive.writestr("a/lab.ipynb", cells(*MESSY), zipfile.ZIP_DEFLATED)
    seeds = {".zip": [buffer.getvalue()], ".ipynb": [cells(*MESSY).encode()], ".py": ["\n".join(MESSY).encode()]}[
        suffix
    ]
    path = tmp_path / f"fuzz{suffix}"
    graded = 0
    for _ in range(300):
        path.write_bytes(mutated(rng, [*seeds * 4, b"", rng.randbytes(200)]))
        got = read("s", path, GRADED)
        assert got.parts or got.notes
        assert all(note == one_line(note) and note.endswith((".", "…")) for note in got.notes)
        for sources in got.parts.values():
            "".join(sources.values()).encode()
        graded += bool(got.parts)
    assert 0 < graded < 300


def test_the_public_names_are_few() -> None:
    assert submission.__all__ == ["Submission", "SubmissionPathError", "newest_file", "part_of", "read"]
    assert notebook.top_level_names("x: int = 1\ny == 2\n  z = 3\nasync def f(): ...") == {"x", "f"}
