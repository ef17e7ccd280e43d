"""What a student reads about a failed import: made from the source, never from the child's message."""

from __future__ import annotations

import random
import tracemalloc

import pytest

from autograder.compare import STOPPED
from autograder.import_failure import MAX_PARSED, import_sentence
from autograder.outcome import Raised, Stopped
from autograder.sandbox.mounts import importable
from autograder.sandbox.protocol import MAX_DETAIL

THERE = importable("numpy")
SECRET = "0.8414709848"


def why(source: str, failure: Raised | Stopped | None = None, **others: str) -> str:
    """The sentence's second half, for ``part.py`` and other files (``helper="..."`` is helper.py)."""
    files = {"part.py": source, **{f"{name}.py": text for name, text in others.items()}}
    sentence = import_sentence("part", files, failure or Raised("ValueError", SECRET), THERE)
    first, _, second = sentence.partition("part.py could not be imported: ")
    assert first == ""
    assert sentence.endswith(".")
    return second[:-1]


def test_a_syntax_error_is_found_by_the_judge() -> None:
    assert why("x = 1\ndef f(:\n", Raised("SyntaxError", SECRET)) == "SyntaxError in line 2: invalid syntax"
    assert why("x = (\n") == "SyntaxError in line 1: '(' was never closed"
    assert why("  x = 1\n", Stopped("died")) == "SyntaxError in line 1: unexpected indent"
    assert why("x = 1\n", Raised("SyntaxError", SECRET)) == "it raises SyntaxError"  # by eval, say


def test_a_syntax_error_of_another_file_is_named_only_if_one_was_raised() -> None:
    assert why("import helper", Raised("SyntaxError"), helper="\n1 +").startswith("SyntaxError in helper.py, line 2: ")
    assert why("import other", Raised("KeyError"), helper="1 +") == "it raises KeyError"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import matplotlib.pyplot as plt", "matplotlib"),
        ("import numpy\nfrom torch import nn\nimport scipy", "torch"),
        ("if True:\n    import pandas", "pandas"),
        ("class A:\n    import pandas", "pandas"),
        ("with open('x'):\n    for a in b:\n        import pandas", "pandas"),
        ("try:\n    import google.colab\nfinally:\n    pass", "google"),
        ("try:\n    import cupy\nexcept ImportError:\n    import jax", "jax"),
        ("import helper", "seaborn"),
    ],
)
def test_an_absent_module_is_found_in_the_import_statements(source: str, name: str) -> None:
    said = why(source, Raised("ModuleNotFoundError", SECRET), helper="import seaborn")
    assert said == f"it imports {name}, which is not there when it is graded"


@pytest.mark.parametrize(
    "source",
    [
        "from numpy import no_such_name",
        "import os, json, msgpack, jaxtyping, helper",
        "from . import helper\nfrom .helper import x",
        "def f():\n    import pandas",
        "async def f():\n    import pandas",
        "try:\n    import pandas\nexcept ImportError:\n    pass",
        "raise ImportError('import pandas')",
    ],
)
def test_an_import_error_of_another_kind_is_called_by_its_name(source: str) -> None:
    assert why(source, Raised("ImportError", SECRET), helper="") == "it raises ImportError"


def test_whether_a_module_is_there_depends_on_the_runtime() -> None:
    assert {"numpy", "msgpack", "jaxtyping", "os"} <= THERE
    assert not {"torch", "scipy", "autograder", "pytest"} & THERE
    assert "torch" in importable("torch")


@pytest.mark.parametrize("reason", STOPPED)
def test_a_child_that_was_ended(reason: str) -> None:
    assert why("x = 1", Stopped(reason)) == f"it {STOPPED[reason]}"  # type: ignore[arg-type]


def test_nothing_of_the_childs_message_is_said() -> None:
    """Whatever the message is, the sentence is the same for the same exception."""
    chance = random.Random(1)
    for source in ("x = 1", "import pandas", "def f(:"):
        for name in ("ValueError", "ImportError", "SyntaxError"):
            details = ["", SECRET, *("".join(chance.choices("0123456789.", k=MAX_DETAIL)) for _ in range(3))]
            assert len({why(source, Raised(name, detail)) for detail in details}) == 1


HOSTILE = {
    "null": "x = \0",
    "surrogate": "x = '\ud800'",
    "deep brackets": "(" * 5000 + ")" * 5000,
    "deep expression": "-" * 90_000 + "1",
    "long sum": "+".join(["1"] * 49_000),
    "long chain": "a" + "()" * 49_000,
    "nested finally": "".join(f"{' ' * i}try:\n{' ' * i} 0\n{' ' * i}finally:\n" for i in range(90)) + " " * 90 + "0",
    "many else": "if a:0\n" + "elif a:0\n" * 11_000,
    "huge number": "9" * 99_000,
    "power": "x = " + "(" * 90 + "2" + "**9)" * 90,
    "too large": "def f(:" + "#" * MAX_PARSED,
    "control characters": "'\x1b[2J",
    "long name": f"def f({'a' * 40_000}, {'a' * 40_000}): pass",
    "warning": "'\\d'",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("failure", [Raised("SyntaxError"), Raised("ImportError"), Stopped("time")], ids=str)
@pytest.mark.filterwarnings("error")
def test_hostile_sources_get_a_short_sentence(name: str, failure: Raised | Stopped) -> None:
    tracemalloc.start()
    try:
        for said in (why(HOSTILE[name], failure), why("import helper", failure, helper=HOSTILE[name])):
            assert said.isprintable()
            assert len(said) < 300
        assert tracemalloc.get_traced_memory()[1] < 128 << 20
    finally:
        tracemalloc.stop()


def test_files_beyond_the_bound_are_not_parsed() -> None:
    large = "x = 1\n" * (MAX_PARSED // 6)
    assert why(large[:-30], Raised("SyntaxError"), helper="1 +").startswith("SyntaxError in helper.py")
    assert why(large, Raised("SyntaxError"), helper="1 + # and more") == "it raises SyntaxError"
    assert why("1 +" + large * 2) == "it raises ValueError"
