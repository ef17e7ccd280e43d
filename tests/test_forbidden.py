"""What an exercise forbids is found in the source and while it runs, and nothing else is called forbidden."""

from __future__ import annotations

import ast
import fnmatch
import json
import pkgutil
import time
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.course import Assignment
from autograder.loading import load
from autograder.source import replace_definition
from autograder.student.checks import names
from autograder.student.checks.forbidden import Sources, full_name, listed
from autograder.submission import read
from autograder.submission.provided import without_provided

ROOT = Path(__file__).parent.parent
OUTSIDERS = Path(__file__).parent / "outsiders"
COURSE = {name: load(name, ROOT) for name in ("a1", "a2", "a3", "a4", "a5", "a6")}


# The list


def test_the_list_stands_in_the_docstring() -> None:
    docstring = (
        "Do.\n\n    Allowed: F.pad.\n    Forbidden: np.pad, F.conv* (and more), math.tanh,\n    nn.*LSTM*, Tensor.tanh."
        "\n    Handout: np.x."
    )
    full = ("numpy.pad", "torch.nn.functional.conv*", "math.tanh", "torch.nn.*LSTM*", "torch.Tensor.tanh")
    assert listed(f'def f():\n    """{docstring}"""\n') == {"f": full}
    forbids = COURSE["a1"].forbids
    assert "numpy.convolve" in forbids["convolve"]
    assert "torch.fft" in forbids["Conv2d"]
    assert forbids["is_linear"] == ()


@pytest.mark.parametrize("assignment", COURSE.values(), ids=COURSE)
def test_a_docstring_forbids_names_and_no_more_than_is_looked_for(assignment: Assignment) -> None:
    """A phrase such as "and their relatives" names nothing."""
    graded = [exercise.name for exercise in assignment.exercises]
    for source in assignment.references.values():
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in graded:
                _, _, rest = str(ast.get_docstring(node)).partition("\nForbidden: ")
                words = rest.partition(".\nHandout: ")[0].replace("(* stands for any letters)", "").split(",")
                promised = [word.strip() for word in words if word]
                assert tuple(map(full_name, promised)) == assignment.forbids[node.name], node.name


@pytest.mark.parametrize("assignment", COURSE.values(), ids=COURSE)
def test_what_is_forbidden_exists(assignment: Assignment) -> None:
    for ban in {ban for bans in assignment.forbids.values() for ban in bans}:
        owner, _, last = ban.rpartition(".")
        assert fnmatch.filter(dir(pkgutil.resolve_name(owner)), last) if owner else ban == "scipy", ban


# What natural code breaks it with, and what does not

NUMPY = ["numpy.convolve", "numpy.correlate", "numpy.corrcoef", "numpy.fft", "numpy.ma.corrcoef", "scipy"]
TORCH = [
    *("torch.nn.*Conv*", "torch.nn.functional.conv*", "torch.conv*", "torch.*convolution*"),
    *("torch.nn.functional.unfold", "torch.Tensor.sigmoid*"),
]
TOOLS = {
    "tools.py": "import numpy as np\ndef g(x):\n    return np.convolve(x, x)\n",
    "stars.py": "from numpy import *\ndef harmless(x):\n    return x\n",
    "pkg/__init__.py": "from .inner import g, h as renamed\nfrom . import deep\n",
    "pkg/inner.py": "import numpy as np\ndef g(x):\n    return np.convolve(x, x)\ndef h(x):\n    return x\n",
    "pkg/deep/__init__.py": "from ..inner import g\n",
    "numpy.py": "def convolve(x, h):\n    return x\n",
}
IMPORTS = "import numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"

USES = {
    "as it is": ("def f(x):\n    return np.convolve(x, x)", "numpy.convolve"),
    "by its full name": ("import numpy\ndef f(x):\n    return numpy.fft.rfft(x)", "numpy.fft"),
    "imported under another name": ("from numpy import convolve as c\ndef f(x):\n    return c(x, x)", "numpy.convolve"),
    "from below": ("from numpy.fft import rfft\ndef f(x):\n    return rfft(x)", "numpy.fft"),
    "imported within": ("def f(x):\n    import scipy.signal as s\n    return s.lfilter(x)", "scipy"),
    "imported within, by name": ("def f(x):\n    from scipy.signal import lfilter\n    return lfilter(x)", "scipy"),
    "by a helper": ("def g(x):\n    return np.convolve(x, x)\ndef f(x):\n    return g(x)", "numpy.convolve"),
    "by a helper elsewhere": ("from tools import g\ndef f(x):\n    return g(x)", "numpy.convolve"),
    "by a module's helper": ("import tools\ndef f(x):\n    return tools.g(x)", "numpy.convolve"),
    "by a module's import": ("import tools\ndef f(x):\n    return tools.np.convolve(x, x)", "numpy.convolve"),
    "by a package": ("from pkg import g\ndef f(x):\n    return g(x)", "numpy.convolve"),
    "by a package's package": ("import pkg\ndef f(x):\n    return pkg.deep.g(x)", "numpy.convolve"),
    "by a relative import": ("from .tools import g\ndef f(x):\n    return g(x)", "numpy.convolve"),
    "by a star": ("from numpy import *\ndef f(x):\n    return convolve(x, x)", "numpy.convolve"),
    "by a star of torch": ("from torch.nn.functional import *\ndef f(x):\n    return conv2d(x, x)", TORCH[1]),
    "by a star, in a class": ("from torch.nn import *\nclass f(Module):\n    make = Conv3d", TORCH[0]),
    "by a star of a star": ("from stars import *\ndef f(x):\n    return convolve(x, x)", "numpy.convolve"),
    "by an alias": ("conv = np.convolve\ndef f(x):\n    return conv(x, x)", "numpy.convolve"),
    "by an alias of an alias": ("conv = F.conv2d\nop = conv\ndef f(x):\n    return op(x, x)", TORCH[1]),
    "by an alias of a module": ("lib = np\ndef f(x):\n    return lib.convolve(x, x)", "numpy.convolve"),
    "by an alias of a module, within": ("def f(x):\n    lib = F\n    return lib.conv2d(x, x)", TORCH[1]),
    "by unpacking": ("a, b = F.conv2d, F.pad\ndef f(x):\n    return a(x, x)", TORCH[1]),
    "by unpacking what is computed": ("a, b = map(id, [F.conv2d, F])\ndef f(x):\n    return a", TORCH[1]),
    "by a walrus": ("if (conv := F.conv2d):\n    pass\ndef f(x):\n    return conv(x, x)", TORCH[1]),
    "by a loop": ("for conv in (F.pad, F.conv2d):\n    pass\ndef f(x):\n    return conv(x, x)", TORCH[1]),
    "by a loop within": ("def f(x):\n    return [m.conv2d(x, x) for m in (F,)]", TORCH[1]),
    "by with": ("with use(F.conv2d) as conv:\n    pass\ndef f(x):\n    return conv(x, x)", TORCH[1]),
    "by one of two definitions": (
        "if x:\n    def g(x):\n        return np.convolve(x, x)\nelse:\n    def g(x):\n        return x\n"
        "def f(x):\n    return g(x)",
        "numpy.convolve",
    ),
    "where it can be imported": (
        "try:\n    from scipy.signal import g\nexcept ImportError:\n    g = None\ndef f(x):\n    return g(x)",
        "scipy",
    ),
    "wrapped": ("def f(x):\n    return np.convolve(x, x)\nf = checked(f)", "numpy.convolve"),
    "by inheritance": ("class f(nn.Conv2d):\n    pass", TORCH[0]),
    "by an older class of the name": ("class f(nn.LazyConv2d):\n    pass\nclass f(f):\n    pass", TORCH[0]),
    "in a class": ("class f:\n    op = staticmethod(F.conv2d)\n    def g(self):\n        return self.op", TORCH[1]),
    "in a method": ("class f:\n    def forward(self, x):\n        return torch.convolution(x)", TORCH[3]),
    "attached to a class": ("class f:\n    pass\nf.forward = lambda self, x: F.conv2d(x, x)", TORCH[1]),
    "in a default": ("def f(x, conv=F.conv2d):\n    return conv(x, x)", TORCH[1]),
    "in a decorator": ("@wraps(F.conv2d)\ndef f(x):\n    return x", TORCH[1]),
    "by a decorator": ("def d(g):\n    return F.conv2d\n@d\ndef f(x):\n    return x", TORCH[1]),
    "by partial": ("g = functools.partial(F.conv2d, stride=1)\ndef f(x):\n    return g(x, x)", TORCH[1]),
    "in a table": ("ops = {'conv': F.conv2d}\ndef f(x):\n    return ops['conv'](x, x)", TORCH[1]),
    "put into a table": ("ops = {}\nops['conv'] = F.conv2d\ndef f(x):\n    return ops['conv'](x, x)", TORCH[1]),
    "in a lambda": ("f = lambda x: np.convolve(x, x)", "numpy.convolve"),
    "by getattr": ("def f(x):\n    return getattr(F, 'conv2d')(x, x)", TORCH[1]),
    "by getattr, kept": ("conv = getattr(np, 'convolve', None)\ndef f(x):\n    return conv(x, x)", "numpy.convolve"),
    "by vars": ("def f(x):\n    return vars(np)['convolve'](x, x)", "numpy.convolve"),
    "by __dict__": ("def f(x):\n    return np.__dict__['convolve'](x, x)", "numpy.convolve"),
    "by sys.modules": ("import sys\ndef f(x):\n    return sys.modules['numpy'].convolve(x, x)", "numpy.convolve"),
    "by import_module": (
        "import importlib\ndef f(x):\n    return importlib.import_module('torch.nn.functional').conv2d(x, x)",
        TORCH[1],
    ),
    "by import_module, kept": (
        "from importlib import import_module\nm = import_module('scipy.signal')\ndef f(x):\n    return m.lfilter(x)",
        "scipy",
    ),
    "by __import__": ("def f(x):\n    return __import__('numpy').convolve(x, x)", "numpy.convolve"),
    "by globals": ("from numpy import convolve\ndef f(x):\n    return globals()['convolve'](x, x)", "numpy.convolve"),
    "one or the other": ("def f(x):\n    return (np if x.ndim else torch).convolve(x, x)", "numpy.convolve"),
    "conv1d": ("def f(x):\n    return F.conv1d(x, x)", TORCH[1]),
    "transposed": ("def f(x):\n    return F.conv_transpose2d(x, x)", TORCH[1]),
    "a transposed layer": ("def f(x):\n    return nn.ConvTranspose2d(1, 1, 3)(x)", TORCH[0]),
    "a lazy layer": ("def f(x):\n    return nn.LazyConv1d(1, 3)(x)", TORCH[0]),
    "torch.conv_tbc": ("def f(x):\n    return torch.conv_tbc(x, x)", TORCH[2]),
    "torch.mkldnn_convolution": ("def f(x):\n    return torch.mkldnn_convolution(x, x)", TORCH[3]),
    "from where it is defined": ("from torch.nn.modules.conv import Conv2d as f", TORCH[0]),
    "from torch.ops": ("def f(x):\n    return torch.ops.aten.conv2d(x, x)", TORCH[1]),
    "from NumPy's core": ("from numpy._core.multiarray import correlate as f", "numpy.correlate"),
    "the masked one": ("def f(x):\n    return np.ma.corrcoef(x, x)", "numpy.ma.corrcoef"),
    "the masked one that is not listed": ("def f(x):\n    return np.ma.convolve(x, x)", "numpy.convolve"),
    "a method by its class": ("def f(x):\n    return torch.Tensor.sigmoid(x)", TORCH[5]),
    "in letters that Python takes for others": ("def f(x):\n    return np.\uff43onvolve(x, x)", "numpy.convolve"),
}  # fmt: skip
USES_NOT = {
    "elsewhere in the file": "def plot(x):\n    return np.convolve(x, x)\ndef f(x):\n    return x",
    "a local name": "def f(x):\n    convolve = np.dot\n    return convolve(x, x)",
    "a parameter": "from numpy import convolve\ndef f(x, convolve):\n    return convolve(x, x)",
    "a local name that is a result elsewhere": "y = np.convolve([1], [1])\ndef f(x):\n    y = x\n    return y",
    "a variable of a comprehension": "y = np.convolve([1], [1])\ndef f(x):\n    return [y for y in x]",
    "a class's name in its method": "y = 1\nclass f:\n    y = 2\n    def g(self):\n        return y",
    "a method": "def f(x):\n    return x.convolve(x)",
    "a method of its own": "class f:\n    def convolve(self, x):\n        return self.convolve(x)",
    "an own function": "def convolve(x, h):\n    return x\ndef f(x):\n    return convolve(x, x)",
    "an own function after a star": "from numpy import *\ndef convolve(x):\n    return x\nf = lambda x: convolve(x)",
    "an older version": "def f(x):\n    return np.convolve(x, x)\ndef f(x):\n    return x",
    "an older helper": "def g(x):\n    return np.convolve(x)\ndef f(x):\n    return g(x)\ndef g(x):\n    return g(x)",
    "an older import": "from numpy import convolve\ndef convolve(x):\n    return x\ndef f(x):\n    return convolve(x)",
    "an import in another function": (
        "def g():\n    from numpy import convolve\ndef convolve(x):\n    return x\ndef f(x):\n    return convolve(x)"
    ),
    "the other of two": "a, b = F.conv2d, F.pad\ndef f(x):\n    return b(x)",
    "an annotation": "def f(x: nn.Conv2d) -> nn.Conv2d:\n    y: nn.Conv2d = x\n    return y",
    "a docstring": "def f(x):\n    'np.convolve'\n    return x",
    "a message": "def f(x):\n    raise ValueError('np.convolve')",
    "tensors' unfold": "def f(x):\n    return torch.Tensor.unfold(x, 1, 1, 1)",
    "a harmless part of a module": "from pkg import renamed\ndef f(x):\n    return renamed(x)",
    "a package's own names": "import pkg\nnumpy = pkg\ndef f(x):\n    return pkg.deep",
    "another of the library": "def f(x):\n    return np.dot(x, F.pad(x, 1))",
    "a longer name": "def f(x):\n    return np.convolved(x), scipyx.y",
    "no Python": "def f(x:\n np.convolve",
    "too deep for Python": "convolve = " + "(" * 3000,
    "itself": "convolve = convolve.convolve\nx = x.y or x.z\ndef f():\n    a = a.b or a.c\n    return x, convolve, f",
}  # fmt: skip


@pytest.mark.parametrize(("source", "found"), USES.values(), ids=USES)
def test_what_a_definition_uses(source: str, found: str) -> None:
    files = {"part.py": f"{IMPORTS}{source}\n", **TOOLS}
    assert found in Sources(files).used("part", "f", NUMPY + TORCH)


@pytest.mark.parametrize("source", USES_NOT.values(), ids=USES_NOT)
def test_what_it_does_not_use(source: str) -> None:
    sources = Sources({"part.py": f"{IMPORTS}{source}\n", **TOOLS})
    assert sources.used("part", "f", NUMPY + TORCH) == []
    assert source.startswith("convolve = (") or sources.unread("part", "f", NUMPY + TORCH) == []


def test_a_package_wins_over_a_module_as_it_does_in_python() -> None:
    files = {"part.py": "def f(x):\n    return x\n", "part/__init__.py": "from numpy import convolve as f\n"}
    assert Sources(files).used("part", "f", NUMPY) == ["numpy.convolve"]


@pytest.mark.parametrize("assignment", COURSE.values(), ids=COURSE)
def test_right_solutions_use_nothing_that_is_forbidden(assignment: Assignment) -> None:
    handed_in = [
        (path.name, part, files)
        for path in sorted((OUTSIDERS / assignment.name.split("_")[0] / "right").iterdir())
        for part, files in read(path.name, path, assignment.graded_names()).parts.items()
    ]
    for one in assignment.alternatives:
        part = next(exercise.part for exercise in assignment.exercises if exercise.name == one.exercise)
        source = replace_definition(assignment.references[part], one.exercise, one.source)
        handed_in.append((one.name, part, {f"{part}.py": source}))
    found = {}
    for title, part, files in handed_in:
        sources = Sources(without_provided(files, assignment.provided))
        for exercise in assignment.exercises:
            if exercise.part == part:
                bans = assignment.forbids.get(exercise.name, ())
                used = sources.used(part, exercise.name, bans) + sources.unread(part, exercise.name, bans)
                found |= {(title, exercise.name): used} if used else {}
    assert len(handed_in) > 10
    assert found == {}


# Files that cannot be read, and what reading costs


@pytest.mark.parametrize(
    "text",
    [
        "x = [" + "0, " * 80_000 + "]\n",
        "x = " + "-" * 20_000 + "1\n",
        "x" + "\u0301\u0323" * 60_000 + " = 1\n",
        "x = x" + "".join(f" or x.a{n}" for n in range(9)) + "\n",
    ],
    ids=["too long", "too deep", "combining marks", "leads too far"],
)
def test_a_file_that_cannot_be_looked_at_is_named(text: str) -> None:
    files = {"part.py": "import data\ndef f(a):\n    return data.x\ndef g():\n    return {}\n", "data.py": text}
    sources = Sources({**files, "data.py": text + "from numpy import convolve\n"})
    assert sources.used("part", "f", NUMPY) == []
    assert sources.unread("part", "f", NUMPY) in (["data.py"], ["part.py"])
    assert sources.unread("part", "g", NUMPY) == []
    assert Sources(files).unread("part", "f", NUMPY) == []  # no forbidden name can stand there


def test_a_file_is_parsed_once_and_only_where_something_could_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed, parse = [], ast.parse
    monkeypatch.setattr(names.ast, "parse", lambda source: parsed.append(source) or parse(source))
    unique = f"# {time.time_ns()}\nimport numpy as np\n"
    uses, stub = (
        f"{unique}def f(x):\n    return np.convolve(x, x)\n",
        'def f():\n    """Do.\n\n    Forbidden: scipy.\n    """\n',
    )
    assert Sources({"part.py": uses}).used("part", "f", ()) == []
    assert Sources({"part.py": uses}).used("part", "f", ["scipy"]) == []
    assert Sources({"part.py": unique + stub}).used("part", "f", ["scipy"]) == []
    assert parsed == []
    for _ in range(2):
        sources = Sources({"part.py": uses, "convolve.py": unique})
        assert sources.used("part", "f", NUMPY) == sources.used("part", "f", ["numpy.convolve"]) == ["numpy.convolve"]
    assert parsed == [uses]


def test_what_is_provided_cannot_be_replaced() -> None:
    theirs = {"provided.py": "", "provided/__init__.py": "", "Provided.py": "", "PROVIDED/x.py": ""}
    kept = {"attention.py": "", "tools/provided.py": "", "provided_too.py": ""}
    assert without_provided({**theirs, **kept}, {"provided.py": ""}) == kept
    assert without_provided({**theirs, **kept}, {}) == {**theirs, **kept}


# While it runs

CAUGHT = """import numpy as np

def convolve(x, h):
    f = vars(np)["con" + "volve"]
    try:
        return f(x, h)
    except Exception:
        return x
"""
THROUGH_FFT = """import numpy as np

def convolve(x, h):
    fft = getattr(np, "f" + "ft")
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
