"""Files, folders, archives and notebooks of a student, for the tests of what becomes of them."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

from autograder.submission import Submission, read
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


def refused(got: Submission, pattern: str) -> None:
    assert got.parts == {}
    assert len(got.notes) == 1
    assert pattern in got.notes[0]
    assert got.notes[0].endswith(".")
    assert got.notes[0] == one_line(got.notes[0])
