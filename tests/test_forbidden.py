"""What an exercise forbids is found in the source and while it runs, and nothing else is called forbidden."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.forbidden import Sources, listed
from autograder.loading import load

ROOT = Path(__file__).parent.parent
BANNED = ["numpy.convolve", "numpy.fft", "scipy"]


def test_the_list_stands_in_the_docstring() -> None:
    docstring = (
        "Do.\n\n    Allowed: F.pad.\n    Forbidden: np.pad, F.conv2d (and more),\n    nn.LSTM.\n    Handout: np.x."
    )
    source = f'def f():\n    """{docstring}"""\n'
    assert listed(source) == {"f": ("numpy.pad", "torch.nn.functional.conv2d", "torch.nn.LSTM")}
    forbids = load("a1", ROOT).forbids
    assert "numpy.convolve" in forbids["convolve"]
    assert "torch.fft" in forbids["Conv2d"]
    assert forbids["is_linear"] == ()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import numpy as np\ndef f(x):\n    return np.convolve(x, x)\n", ["numpy.convolve"]),
        ("import numpy\ndef f(x):\n    return numpy.fft.rfft(x)\n", ["numpy.fft"]),
        ("from numpy import convolve as c\ndef f(x):\n    return c(x, x)\n", ["numpy.convolve"]),
        ("from numpy.fft import rfft\ndef f(x):\n    return rfft(x)\n", ["numpy.fft"]),
        ("def f(x):\n    import scipy.signal as s\n    return s.lfilter(x)\n", ["scipy"]),
        (
            "import numpy as np\ndef g(x):\n    return np.convolve(x, x)\ndef f(x):\n    return g(x)\n",
            ["numpy.convolve"],
        ),
        ("import numpy as np\nconv = np.convolve\ndef f(x):\n    return conv(x, x)\n", ["numpy.convolve"]),
        ("from tools import g\ndef f(x):\n    return g(x)\n", ["numpy.convolve"]),
        ("import tools\ndef f(x):\n    return tools.g(x)\n", ["numpy.convolve"]),
        ("import numpy as np\ndef plot(x):\n    return np.convolve(x, x)\ndef f(x):\n    return x\n", []),
        ("import numpy as np\ndef f(x):\n    convolve = np.dot\n    return convolve(x, x)\n", []),
        ("def f(x):\n    return x.convolve(x)\n", []),
        ("def f(x:\n", []),
        ("x = " + "(" * 3000, []),
    ],
)
def test_what_a_definition_reaches(source: str, found: list[str]) -> None:
    tools = "import numpy as np\ndef g(x):\n    return np.convolve(x, x)\n"
    assert Sources({"part.py": source, "tools.py": tools}).used("part", "f", BANNED) == found


CAUGHT = """import numpy as np

def convolve(x, h):
    f = vars(np)["convolve"]
    try:
        return f(x, h)
    except Exception:
        return x
"""
THROUGH_FFT = """import numpy as np

def convolve(x, h):
    fft = getattr(np, "fft")
    return fft.irfft(fft.rfft(x))
"""


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\ndef convolve(x, h):\n    return np.convolve(x, h)\n",
        "import numpy as np\ndef convolve(x, h):\n    return getattr(np, 'conv' + 'olve')(x, h)\n",
        CAUGHT,
        THROUGH_FFT,
    ],
    ids=["seen", "hidden", "caught", "through fft"],
)
def test_it_earns_nothing_and_is_told_why(tmp_path: Path, source: str) -> None:
    (tmp_path / "ann.py").write_text(source, encoding="utf-8")
    assert main(["grade", "a1", str(tmp_path / "ann.py"), "-o", str(tmp_path / "out")]) == 0
    data = json.loads((tmp_path / "out" / "ann" / "results.json").read_text(encoding="utf-8"))
    (values,) = [test for test in data["tests"] if test["name"] == "convolve: values"]
    assert values["score"] == 0
    assert "which this exercise forbids" in values["output"]
    assert data["score"] == 0
