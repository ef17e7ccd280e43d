"""The demo class of assignment 1, written and graded once for all tests that look at it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from autograder.cli import main

# The same examples in every run, and no example fails for being slow on a busy machine.
settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.load_profile("same")


@pytest.fixture(scope="session")
def demo_class(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    assert main(["demo", "a1", "-o", str(folder)]) == 0
    return folder / "a1"


@pytest.fixture(scope="session")
def graded(demo_class: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of results, graded by one worker under the public seed."""
    out = tmp_path_factory.mktemp("graded")
    assert main(["grade", "a1", str(demo_class), "-o", str(out), "--seed", "public", "--jobs", "1"]) == 0
    return out
