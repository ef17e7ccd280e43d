"""The grader installed as a wheel, not editable: what a submission can search for, and that it finds nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from autograder.loading import GRADING, find_assignments, load

ROOT = Path(__file__).parent.parent

# Walks everything it can list, reads everything it can read, and scans its own memory. What it finds it prints.
SEARCH = """
import gc, os, sys

NAMES = ("cases.py", "misconceptions.py", "assignment.toml", ".autograder-seed", "judge.py")
WANTED = [b"a1_convolution", b"SEED_OF_THIS_TERM", b"a longer signal than kernel", b"every second sample of a longer"]

def convolve(x, h):
    found, read = set(), 0
    roots = ["/", "/grader", "/home", "/root", "/tmp", "/etc", "/opt", "/usr", "/site", "/box", *sys.path]
    for root in dict.fromkeys(roots):
        for folder, folders, files in os.walk(root):
            folders[:] = [name for name in folders if name not in ("proc", "sys", "dev", "numpy", "perl")]
            for name in files:
                path = os.path.join(folder, name)
                if name in NAMES:
                    found.add(path)
                if name.endswith((".py", ".toml", ".json", ".txt")) and not path.startswith("/box"):
                    try:
                        with open(path, "rb") as file:
                            data = file.read(100_000)
                        read += 1
                    except OSError:
                        continue
                    if any(wanted in data for wanted in WANTED):
                        found.add(path)
    for thing in gc.get_objects():
        if isinstance(thing, dict) and any(isinstance(k, str) and "expected" == k for k in thing):
            found.add("memory: " + repr(list(thing))[:80])
    for name, value in os.environ.items():
        if name.startswith("AUTOGRADER"):
            found.add("environment: " + name)
    print("FILES READ", read)
    print("FOUND", sorted(found))
    raise ValueError
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that holds the grader as a wheel, beside the packages of this one."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT / "autograder", folder / "source" / "autograder")
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, folder / "source")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run(
        [*pip, "wheel", str(folder / "source"), "--no-deps", "--no-build-isolation", "-w", str(folder)],
        check=True,
        cwd=folder,
    )
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    python = folder / "venv" / "bin" / "python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    subprocess.run([*pip, "install", "--no-deps", "--target", site, str(wheel)], check=True)
    (Path(site) / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def alone() -> dict[str, str]:
    """An environment in which nothing leads back to this repository."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def grader(python: Path, *arguments: str) -> str:
    environment = {**alone(), "AUTOGRADER_SEED": "SEED_OF_THIS_TERM"}
    command = [python, "-m", "autograder", "--course", str(ROOT), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd="/").stdout


def test_a_search_finds_neither_cases_nor_seed_nor_solutions(installed: Path, tmp_path: Path) -> None:
    where = subprocess.run(
        [installed, "-c", "import autograder; print(autograder.__file__)"],
        check=True,
        capture_output=True,
        text=True,
        cwd="/",
        env=alone(),
    ).stdout
    assert str(installed.parent.parent) in where
    (tmp_path / "eve.py").write_text(SEARCH, encoding="utf-8")
    grader(installed, "grade", "a1", str(tmp_path / "eve.py"), "-o", str(tmp_path / "out"))
    shown = grader(installed, "show", str(tmp_path / "out"), "eve", "convolve")
    assert "FOUND []" in shown
    assert "FOUND ['" not in shown
    assert int(shown.split("FILES READ ")[1].split()[0]) > 300  # it did search


def unconfined(python: Path, root: Path) -> str:
    """What the same search prints where nothing confines it."""
    code = re.sub(r"roots = .*", f"roots = [{str(root)!r}]", SEARCH)
    code += "\ntry: convolve(0, 0)\nexcept ValueError: pass\n"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True, cwd="/").stdout


def test_unconfined_the_same_search_finds_them_in_the_course(installed: Path) -> None:
    assert "a1_convolution/grading/cases.py" in unconfined(installed, ROOT / "solutions")


def test_the_wheel_holds_no_answer_and_no_case(installed: Path) -> None:
    """Neither a file of the content, nor any sentence, title or patch of it."""
    (package,) = (installed.parents[1] / "lib").glob("*/site-packages/autograder")
    files = [path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert len(files) > 50
    assert not {path.name for path in files} & {f"{name}.py" for name in GRADING if name != "demo"}
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)
    for name in find_assignments(ROOT):
        assignment = load(name, ROOT)
        wanted = {wrong.sentence for wrong in assignment.misconceptions}
        cases = [case for exercise in assignment.exercises for case in exercise.cases()]
        wanted |= {
            case.title for case in cases if len(case.title) > 20 and case.copies not in ("again", "among")
        }  # that is the engine's
        wanted |= {line for source in assignment.references.values() for line in source.splitlines() if len(line) > 60}
        assert [piece for piece in wanted if piece in text] == []


def test_outside_a_repository_the_course_has_to_be_named(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "eve.py").write_text("", encoding="utf-8")
    command = [installed, "-m", "autograder", "grade", "a1", str(tmp_path / "eve.py"), "-o", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=alone())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Name the course's root folder with --course DIR: it holds solutions/ and assignments/.\n"
