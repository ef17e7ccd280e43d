"""pyproject.toml, environment.yml and constraints.txt describe one environment."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))

FROM_CONDA_NAME = {
    "pytorch-cpu": "torch",
    "python-tzdata": "tzdata",
    "msgpack-python": "msgpack",
    "matplotlib-base": "matplotlib",
}
CUDA_ONLY = re.compile("triton|(nvidia|cuda)-.*")

SYSTEMS = [
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
]
PYTHONS = [{"python_version": v, "python_full_version": f"{v}.2"} for v in ("3.11", "3.12", "3.13")]


def requirements(*extras: str) -> list[Requirement]:
    """What the project asks for directly: the core, then the extras."""
    optional = PROJECT["optional-dependencies"]
    return [Requirement(line) for line in PROJECT["dependencies"] + [line for e in extras for line in optional[e]]]


def conda_lines() -> tuple[list[str], list[str]]:
    """The lines of environment.yml for conda and for pip."""
    *lines, pip = CONDA["dependencies"]
    return lines, pip["pip"]


def pin_lines() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def pins() -> dict[str, str]:
    return dict(line.split("==") for line in pin_lines())


def needed(requirement: Requirement, extras: set[str]) -> bool:
    """Whether any supported system and Python installs ``requirement`` for a package asked for with ``extras``."""
    if requirement.marker is None:
        return True
    environments = itertools.product(SYSTEMS, PYTHONS, extras or {""})
    return any(requirement.marker.evaluate({**s, **p, "extra": extra}) for s, p, extra in environments)


def closure(wanted: list[Requirement]) -> Iterator[tuple[str, str]]:
    """Pairs (package, who asks for it), as far as packages are installed here in their pinned version."""
    versions, queue, seen = pins(), [(r, "pyproject.toml") for r in wanted], set()
    while queue:
        requirement, parent = queue.pop()
        name, extras = canonicalize_name(requirement.name), requirement.extras
        if (name, *sorted(extras)) in seen or CUDA_ONLY.fullmatch(name):
            continue
        seen.add((name, *sorted(extras)))
        yield name, parent
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        if Version(package.version).public == versions.get(name):
            queue += [(r, name) for r in map(Requirement, package.requires or []) if needed(r, extras)]


def test_environment_yml_names_what_pyproject_needs_and_nothing_else() -> None:
    lines, pip_lines = conda_lines()
    found = [Requirement(line) for line in lines if line.split()[0] not in ("python", "pip")]
    found += [Requirement(line) for line in pip_lines if line != "-e ."]
    in_yml = [(FROM_CONDA_NAME.get(r.name, r.name), r.specifier, str(r.marker)) for r in found]
    in_pyproject = [(r.name, r.specifier, str(r.marker)) for r in requirements("lab", "dev")]
    assert sorted(in_yml, key=str) == sorted(in_pyproject, key=str)


def test_environment_yml_installs_the_package_with_a_supported_python() -> None:
    lines, pip_lines = conda_lines()
    assert CONDA["channels"][0] == "conda-forge"
    assert "pip" in lines
    assert pip_lines[-1] == "-e ."
    (python,) = [line.partition("=")[2] for line in lines if line.startswith("python ")]
    assert f"{python}.0" in SpecifierSet(PROJECT["requires-python"])


def test_pins_are_plain_names_and_public_versions() -> None:
    for line in pin_lines():
        name, version = line.split("==")
        assert name == canonicalize_name(name)
        assert version == Version(version).public
        assert not CUDA_ONLY.fullmatch(name)
    assert len(pins()) == len(pin_lines()), "a package is pinned twice"


def test_every_direct_requirement_is_pinned_within_its_range() -> None:
    versions = pins()
    for requirement in requirements(*PROJECT["optional-dependencies"]):
        assert versions[canonicalize_name(requirement.name)] in requirement.specifier


def test_everything_installed_on_any_system_is_pinned() -> None:
    asked_by = dict(closure(requirements(*PROJECT["optional-dependencies"])))
    assert {"numpy", "markupsafe", "colorama"} <= asked_by.keys()  # direct, indirect, and on Windows alone
    assert {name: parent for name, parent in asked_by.items() if name not in pins()} == {}
