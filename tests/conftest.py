"""What several test files share: folders made once for all workers, among them the demo class of assignment 1 with its
grades, and a student's checks.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from filelock import FileLock
from hypothesis import settings

from autograder.build import STUDENT
from autograder.cli import main

pytest.register_assert_rewrite("tests.sandbox.zygotes", "tests.submission.hand_ins")

# The same examples in every run, and no example fails for being slow on a busy machine.
settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.load_profile("same")


Once = Callable[[str, Callable[[Path], None]], Path]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Once:
    """Make a folder by name, unless another worker has made it already. Nobody writes into it afterwards."""
    base = tmp_path_factory.getbasetemp()
    shared = (base if worker_id == "master" else base.parent) / "once"
    shared.mkdir(exist_ok=True)

    def make(name: str, fill: Callable[[Path], None]) -> Path:
        folder, made = shared / name, shared / f"{name}.made"
        with FileLock(shared / f"{name}.lock"):
            if not made.exists():
                shutil.rmtree(folder, ignore_errors=True)  # left behind by one who failed
                folder.mkdir()
                fill(folder)
                made.touch()
        return folder

    return make


@pytest.fixture(scope="session", autouse=True)
def cache_of_its_own(once: Once) -> Iterator[None]:
    """The user's own cache is neither read nor written; the workers share one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRADER_CACHE", str(once("cache", lambda folder: None)))
        yield


@pytest.fixture(scope="session")
def demo_class(once: Once) -> Path:
    def write(folder: Path) -> None:
        assert main(["demo", "a1", "-o", str(folder)]) == 0

    return once("demo", write) / "a1"


@pytest.fixture(scope="session")
def graded(demo_class: Path, once: Once) -> Path:
    """The folder of results, graded by one worker under the public seed."""

    def grade(folder: Path) -> None:
        assert main(["grade", "a1", str(demo_class), "-o", str(folder), "--seed", "public", "--jobs", "1"]) == 0

    return once("graded", grade)


@pytest.fixture
def checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The package ``checks`` as it stands in a student's folder."""
    shutil.copytree(STUDENT / "checks", tmp_path / "checks", ignore=shutil.ignore_patterns("__pycache__"))
    for name in [name for name in sys.modules if name.partition(".")[0] == "checks"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module("checks")
