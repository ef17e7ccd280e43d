"""The zip archives for platforms: what is in them, what is not, and that they hold the same bytes every time."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from autograder import loading
from autograder.course import CourseError
from autograder.loading import find_assignments, load
from autograder.release.gradescope import release_gradescope
from autograder.release.otter import release_otter
from autograder.release.package import wheel

ROOT = Path(__file__).parent.parent
SEED = "a secret of this term"
RELEASES: Mapping[str, Callable[[str, Path, str, Path], Path]] = {
    "gradescope": release_gradescope,
    "otter": release_otter,
}


@pytest.fixture(scope="module", params=RELEASES)
def released(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return RELEASES[request.param]("a2", ROOT, SEED, tmp_path_factory.mktemp("released"))


def contents(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def test_the_grader_calls_for_programs_at_the_root(released: Path) -> None:
    with zipfile.ZipFile(released) as opened:
        modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in opened.infolist()}
    assert {name for name, mode in modes.items() if mode & 0o111} == {"setup.sh", "run_autograder"}
    for name in ("setup.sh", "run_autograder"):
        script = contents(released)[name]
        assert script.startswith(b"#!")
        assert b"\r" not in script
        subprocess.run(["bash", "-n"], input=script, check=True)


def test_it_holds_the_assignment_the_seed_and_nothing_of_another(released: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(released) as opened:
        opened.extractall(tmp_path)
    course = tmp_path / "course"
    assert find_assignments(course) == ["a2_activations"]
    assert load("a2", course).digest == load("a2", ROOT).digest
    assert loading.term_seed(course) == SEED
    held = b"".join(contents(released).values())
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as opened:
        held += b"".join(opened.read(name) for name in opened.namelist())
    banks = {name: {wrong.sentence for wrong in load(name, ROOT).misconceptions} for name in find_assignments(ROOT)}
    own = banks.pop("a2_activations")
    assert [sentence for sentence in own if sentence.encode() in held]
    assert [sentence for bank in banks.values() for sentence in bank - own if sentence.encode() in held] == []


@pytest.mark.parametrize("platform", RELEASES)
def test_the_same_bytes_every_time(platform: str, tmp_path: Path) -> None:
    first, again = (RELEASES[platform]("a1", ROOT, SEED, tmp_path / name) for name in ("first", "again"))
    assert first.name == again.name
    assert first.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("platform", RELEASES)
@pytest.mark.parametrize(("seed", "said"), [(loading.PUBLIC_SEED, "the public seed"), ("s3cret", "could be guessed")])
def test_a_seed_that_could_be_guessed_is_refused(platform: str, seed: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=said):
        RELEASES[platform]("a1", ROOT, seed, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_without_otter_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "otter.generate", None)
    with pytest.raises(CourseError, match="The otter zip needs otter"):
        release_otter("a1", ROOT, SEED, tmp_path)


def test_otter_is_told_of_the_plugin_and_installs_the_wheel(tmp_path: Path) -> None:
    held = contents(release_otter("a1", ROOT, SEED, tmp_path))
    assert json.loads(held["otter_config.json"])["plugins"] == ["autograder.hosted.otter.GraderPlugin"]
    *_, pip = yaml.safe_load(held["environment.yml"])["dependencies"]
    assert f"/autograder/source/{wheel()[0]}" in pip["pip"]
    assert wheel()[0] in held


def test_the_wheel_is_the_package_as_it_is_kept() -> None:
    there = {path for path in (ROOT / "autograder").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    with zipfile.ZipFile(io.BytesIO(wheel()[1])) as opened:
        held = {name for name in opened.namelist() if ".dist-info/" not in name}
    assert held == {path.relative_to(ROOT).as_posix() for path in there}


def test_a_wheel_that_installers_read(tmp_path: Path) -> None:
    name, content = wheel()
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        opened.extractall(tmp_path)
        files = set(opened.namelist())
    (described,) = tmp_path.glob("*.dist-info")
    distribution = PathDistribution(described)
    assert name == f"autograder-{distribution.version}-py3-none-any.whl"
    assert {str(path) for path in distribution.files or ()} == files
    assert {Requirement(line).name for line in distribution.requires or ()} >= {"numpy", "torch", "pyseccomp"}
    assert not any("extra" in line for line in distribution.requires or ())
    for path in distribution.files or ():
        if path.hash:
            where = tmp_path / path
            assert path.size == where.stat().st_size
    code = "import autograder.cli, autograder.hosted.gradescope; print(autograder.__file__)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(tmp_path / "autograder" / "__init__.py")


@pytest.mark.slow
def test_pip_installs_the_wheel(tmp_path: Path) -> None:
    name, content = wheel()
    (tmp_path / name).write_bytes(content)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", str(tmp_path / "site"), str(tmp_path / name)], check=True)
    assert (tmp_path / "site" / "autograder" / "release" / "templates" / "setup.sh.j2").is_file()
