"""What several test files share: the demo class of assignment 1, written and graded once, and a student's checks.py."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from autograder.build import STUDENT
from autograder.cli import main
from autograder.student import agreement

pytest.register_assert_rewrite("tests.sandbox.zygotes", "tests.submission.hand_ins")

# The same examples in every run, and no example fails for being slow on a busy machine.
settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.load_profile("same")


@pytest.fixture(scope="session", autouse=True)
def cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The user's own cache is neither read nor written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRADER_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


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


@pytest.fixture
def checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """checks.py as it stands in a student's folder, where it imports its neighbour by the bare name."""
    monkeypatch.setitem(sys.modules, "agreement", agreement)
    path = shutil.copy(STUDENT / "checks.py", tmp_path)
    spec = importlib.util.spec_from_file_location("checks_of_a_student", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
