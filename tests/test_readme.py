"""The commands and the Python of README, CONTRIBUTING and docs run as they stand there, and links lead somewhere."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder import cli

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
OURS = ["python", "-m", "autograder"]
RUN = ("collect", "demo", "diff", "export", "grade", "report", "show")  # the others have tests of their own
ELSEWHERE = {"dask://HOST:8786", "repositories", "a7"}  # what would need a cluster, clones, or a new assignment
CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section,Convolution and kernels (7)\n    Points Possible,,,,,100\n"


@dataclass(frozen=True)
class Command:
    """A line of a page, as the shell reads it: without variables that are set before it, and without comments."""

    page: str
    text: str

    @property
    def words(self) -> list[str]:
        words = shlex.split(self.text.split(" > ")[0], comments=True)
        return words[next(i for i, word in enumerate(words) if not re.match(r"[A-Z_]+=", word)) :]

    @property
    def ours(self) -> bool:
        return self.words[:3] == OURS


def blocks(language: str) -> Iterator[tuple[Path, str]]:
    for page in PAGES:
        for found in re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            yield page, found


COMMANDS = [
    Command(page.name, line.removeprefix("$ "))
    for page, block in blocks("console")
    for line in block.splitlines()
    if line.startswith("$ ")
]


def title(command: Command) -> str:
    return f"{command.page} {command.text.split('  #')[0].strip()}"


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.ours], ids=title)
def test_a_command_of_ours_has_these_options(command: Command) -> None:
    cli._parser().parse_args(command.words[3:])  # exits where it knows a word of them not


@pytest.mark.parametrize("command", [c for c in COMMANDS if not c.ours], ids=title)
def test_another_command_names_what_is_there(command: Command) -> None:
    match command.words:
        case ["make", target, *_]:
            assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        case ["python", "-c", code]:
            done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
            assert len(done.stdout.strip()) == 32
        case ["python", "-m", "pytest", "-m", mark]:
            assert f'"{mark}: ' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        case ["python", "-m", "pytest" | "ruff" | "mypy", *files]:
            places = (ROOT, ROOT / "assignments" / "a1_convolution")
            assert all(any((place / file).exists() for place in places) for file in files if "/" in file)
        case ["python", "-m", "checks", *options]:
            folder = ROOT / "assignments" / "a1_convolution"
            done = subprocess.run(
                [sys.executable, "-m", "checks", "--help"], cwd=folder, capture_output=True, text=True
            )
            assert all(option in done.stdout for option in options if option.startswith("-"))
        case ["python", script, *_]:
            assert (ROOT / script).is_file()
        case words:
            assert words[0] in ("dask", "git")


@pytest.fixture(scope="module")
def term(graded: Path, demo_class: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A teacher's folder in the middle of a term: the demo class handed in, and graded here and there."""
    folder = tmp_path_factory.mktemp("term")
    for place in ("submissions", "practice/a1"):
        shutil.copytree(demo_class, folder / place)
    for place in ("grades", "old", "practice/grades", "term/grades/a1"):
        shutil.copytree(graded, folder / place)
    rows = "".join(f"{path.stem},{path.stem.title()}\n" for path in sorted(demo_class.iterdir()))
    (folder / "class.csv").write_text(f"id,name\n{rows}", encoding="utf-8")
    (folder / "term" / "gradebook.csv").write_text(CANVAS + "Ada,1,ada,ada,A,\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.ours and c.words[3] in RUN], ids=title)
def test_a_command_of_ours_runs(command: Command, term: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if ELSEWHERE & set(command.words):
        return
    monkeypatch.chdir(term / "term" if "grades/a1" in command.words else term)
    monkeypatch.delenv("AUTOGRADER_SEED", raising=False)
    jobs = ["--jobs", "1"] if command.words[3] == "grade" else []
    assert cli.main([*command.words[3:], *jobs]) == 0


def test_grading_from_python(tmp_path: Path) -> None:
    ((_, code),) = blocks("python")
    assert len(code.strip().splitlines()) <= 10
    (tmp_path / "submissions" / "ada").mkdir(parents=True)
    source = "def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):\n    return 0\n"
    (tmp_path / "submissions" / "ada" / "convolution.py").write_text(source, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    )
    first, *rest = done.stdout.splitlines()
    assert first.strip() == "0 of 100"
    assert any(line.startswith("output_size values") for line in rest)
    assert "conv2d_unfold gradients convolution_torch.py was not handed in." in rest


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8")):
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        assert path.exists(), target
        assert not anchor or anchor in anchors(path.read_text(encoding="utf-8")), target


def anchors(text: str) -> set[str]:
    """Those that GitHub gives to headings."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_each_page_is_reached_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [
        page.name for page in PAGES if page.name != "README.md" and f"({page.relative_to(ROOT)})" not in readme
    ] == []
