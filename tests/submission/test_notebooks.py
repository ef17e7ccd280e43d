"""What of a notebook becomes a module."""

from __future__ import annotations

import contextlib
import importlib
import random
import re
import sys
import time
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import nbformat
import numpy as np
import pytest

from autograder import submission
from autograder.submission import Submission, notebook, read
from tests.submission.hand_ins import (
    CONVOLVE,
    GRADED,
    MESSY,
    cells,
    make_folder,
    make_zip,
    read_notebook,
    refused,
)


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


def module_of(tmp_path: Path, *sources: str, part: str = "convolution", **kwargs: Mapping[str, str]) -> str:
    return read_notebook(tmp_path, *sources, **kwargs).parts[part][f"{part}.py"]


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


@contextlib.contextmanager
def shallow() -> Iterator[None]:
    """RecursionError for calls without an end. Python 3.13 before 3.13.8 raises none where such a call leaves out an
    argument with a default, and takes all memory instead (https://github.com/python/cpython/issues/132744).
    """
    depth = 0

    def watch(frame: types.FrameType, event: str, _: object) -> None:
        nonlocal depth
        depth += (event == "call") - (event == "return")
        if depth > 200:
            raise RecursionError

    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(None)


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
                with shallow():
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
        ("y = = 2", "is not valid Python (line 1)"),
        ("\n\ndef f(a, a): ...", "is not valid Python (line 3)"),
        ("  %%bash\necho", "starts with %%bash"),
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
        '{"worksheets": 1}', "[" * 100_000, b"\xff\xfe\x00", b"\x80\x81", '{"a": ' + "9" * 5000 + "}",
    ],
    ids=[str(number) for number in range(19)],
)  # fmt: skip
def test_what_is_not_a_notebook_is_said(tmp_path: Path, content: str | bytes) -> None:
    path = make_folder(tmp_path, {"bob.ipynb": content}) / "bob.ipynb"
    got = read("bob", path, GRADED)
    assert got.parts == {}
    assert got.notes[0] == "bob.ipynb was ignored because it is not a Jupyter notebook."


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
    assert [len(note) for note in got.notes[1:]] == [submission.MAX_NOTE + 1] * 2
    assert [note[-1] for note in got.notes] == [".", "…", "…"]


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
