"""Nothing that a student receives holds a hidden input, an expected value, or a number computed from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.cli import main
from autograder.judge import Judge
from autograder.loading import load
from autograder.outcome import Value
from autograder.sandbox.isolation import choose

ROOT = Path(__file__).parent.parent
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
SHORT = 5  # numbers with fewer digits than this say nothing: points, sizes in a title


def numbers(tree: Any) -> Iterator[float]:
    """Every number in a tree, and the extremes of every array."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, list | tuple):
        for item in tree:
            yield from numbers(item)
    elif isinstance(tree, np.ndarray | float) and not isinstance(tree, bool):
        array = np.asarray(tree, dtype=float).ravel()
        yield from array[np.isfinite(array)]
        if array.size:
            yield from (array.min(), array.max(), np.abs(array).max(), array.sum(), array.mean())


@pytest.fixture(scope="module")
def judge() -> Judge:
    """Inputs and expected outcomes under the public seed."""
    judge = Judge(load("a1", ROOT), "public", choose())
    for part in judge.assignment.parts:
        judge.reference.expect(part)
    judge.close()
    return judge


@pytest.fixture(scope="module")
def hidden(judge: Judge) -> set[str]:
    """The first six significant digits of everything hidden."""
    trees = [[given.args, given.kwargs] for given in judge.key.inputs.values()]
    trees += [outcome.tree for outcome in judge.key.expected.values() if isinstance(outcome, Value)]
    found = {digits(value) for tree in trees for value in numbers(tree)}
    assert len(found) > 1000
    return {text for text in found if len(text) >= SHORT}


def digits(value: float) -> str:
    """``-0.0012345678`` → ``123457``."""
    return f"{abs(value):.5e}".split("e")[0].replace(".", "").strip("0")


def test_no_hidden_number_stands_in_what_students_receive(graded: Path, hidden: set[str]) -> None:
    files = [path for name in ("results.json", "feedback.html") for path in graded.glob(f"*/{name}")]
    assert len(files) == 34
    for path in files:
        # styles and drawings hold coordinates; what is said stands in the body's text
        text = re.sub(
            r"<style.*?</style>|<svg.*?</svg>|style=\"[^\"]*\"", "", path.read_text(encoding="utf-8"), flags=re.S
        )
        said = {digits(float(match)) for match in NUMBER.findall(text)}
        assert not said & hidden, path


def test_a_hidden_number_would_be_found(judge: Judge, hidden: set[str]) -> None:
    value = next(iter(judge.key.inputs.values())).args[0][0]
    assert digits(value) in hidden
    assert {digits(float(match)) for match in NUMBER.findall(f"expected {value!r} instead")} & hidden


def test_what_the_code_says_of_its_inputs_goes_no_further(judge: Judge, tmp_path: Path) -> None:
    leak = """
class Leak(Exception):
    pass

def convolve(x, h):
    print("stdout", list(x))
    error = type("Leak_" + "_".join(str(abs(float(v))) for v in x).replace(".", "p"), (ValueError,), {})
    raise error(f"expected {list(x)} {list(h)}")

def correlate2d(x, w):
    return {f"key {x.max()}": x}
"""
    (tmp_path / "ann.py").write_text(leak, encoding="utf-8")
    assert main(["grade", "a1", str(tmp_path / "ann.py"), "-o", str(tmp_path / "out"), "--seed", "public"]) == 0
    secrets = {digits(v) for given in judge.key.inputs.values() for v in numbers([given.args, given.kwargs])}
    for name in ("results.json", "feedback.html"):
        text = (tmp_path / "out" / "ann" / name).read_text(encoding="utf-8")
        text = re.sub(r"<style.*?</style>|<svg.*?</svg>|style=\"[^\"]*\"", "", text, flags=re.S)
        said = {digits(float(match)) for match in NUMBER.findall(text)}
        assert not {s for s in said if len(s) >= SHORT} & secrets
        assert "Leak" not in text
        assert "stdout" not in text
