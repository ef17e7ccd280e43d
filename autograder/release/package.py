"""What every platform's package holds: the grader as a wheel, and the course of one assignment with its seed."""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from autograder.course import CourseError
from autograder.deadline import COURSE
from autograder.loading import GRADING, PROVIDED, load, seed_doubt
from autograder.release.archive import zip_bytes
from autograder.settings import SETTINGS

DISTRIBUTION = "autograder"
CONSTRAINTS = "constraints.txt"
SUFFIXES = (".py", ".typed", ".j2", ".css", ".js", ".toml", ".yml", ".mplstyle", ".ini")  # what the package consists of
TAG = "py3-none-any"


def wheel() -> tuple[str, bytes]:
    """The file name and content of a wheel of this package as it is installed, the same bytes on every Python.

    Raises:
        CourseError: the package is not installed, so that nobody knows what it needs.
    """
    try:
        about = importlib.metadata.metadata(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        raise CourseError(f"{DISTRIBUTION} is not installed: pip install -e . -c {CONSTRAINTS}.") from None
    version = about["Version"]
    folder = Path(str(files(DISTRIBUTION)))
    entries = {
        f"{DISTRIBUTION}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in SUFFIXES and path.is_file()
    }
    facts = [("Metadata-Version", "2.1"), ("Name", DISTRIBUTION), ("Version", version)]
    facts += [("Requires-Python", about["Requires-Python"])]
    needed = importlib.metadata.requires(DISTRIBUTION) or []
    facts += [("Requires-Dist", need) for need in needed if "extra ==" not in need]
    described = f"{DISTRIBUTION}-{version}.dist-info"
    entries[f"{described}/METADATA"] = _headers(facts)
    entries[f"{described}/WHEEL"] = _headers(
        [("Wheel-Version", "1.0"), ("Generator", DISTRIBUTION), ("Root-Is-Purelib", "true"), ("Tag", TAG)]
    )
    record = f"{described}/RECORD"
    entries[record] = (
        b"".join(_row(name, content) for name, content in sorted(entries.items())) + f"{record},,\n".encode()
    )
    return f"{DISTRIBUTION}-{version}-{TAG}.whl", zip_bytes(entries)


def _headers(facts: list[tuple[str, str]]) -> bytes:
    return "".join(f"{key}: {value}\n" for key, value in facts).encode()


def _row(name: str, content: bytes) -> bytes:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n".encode()


def course(name: str, root: Path, seed: str) -> dict[str, bytes]:
    """Path → content of a course of one assignment, with the term seed: what the grader reads, and nothing else.

    Args:
        name: the assignment's full name.

    Raises:
        CourseError: the assignment is not complete; or the seed is the public one, or could be guessed.
    """
    if doubt := seed_doubt(seed):
        raise CourseError(doubt)
    assignment = load(name, root)
    ours, theirs = Path("solutions", name), Path("assignments", name)
    modules = [f"{part.name}.py" for part in assignment.parts]
    wanted = [ours / SETTINGS, *(ours / module for module in modules)]
    wanted += [ours / "grading" / f"{module}.py" for module in GRADING]
    there = [Path("solutions", COURSE), ours / PROVIDED, *(theirs / module for module in modules)]
    wanted += [path for path in there if (root / path).is_file()]
    found = {path.as_posix(): (root / path).read_bytes() for path in wanted}
    return {**found, ".autograder-seed": f"{seed}\n".encode()}


def constraints(root: Path) -> bytes:
    """The versions that the grader was tried with; of the course, which stands beside its package.

    Raises:
        CourseError: the course has none.
    """
    try:
        return (root / CONSTRAINTS).read_bytes()
    except FileNotFoundError:
        raise CourseError(f"{root / CONSTRAINTS} is missing: it names the versions that a platform installs.") from None


def below(folder: str, entries: Mapping[str, bytes]) -> dict[str, bytes]:
    """``entries`` in ``folder``."""
    return {f"{folder}/{name}": content for name, content in entries.items()}


def rendered(template: str, **values: object) -> bytes:
    """A template of this package, with LF at the ends of lines."""
    environment = Environment(
        loader=PackageLoader("autograder.release"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )
    return environment.get_template(template).render(**values).replace("\r\n", "\n").encode()
