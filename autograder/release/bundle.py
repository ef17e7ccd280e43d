"""What students receive, built up file by file: nothing is copied because it lies in a folder."""

from __future__ import annotations

import fnmatch
import importlib.util
import re
from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from autograder import visible
from autograder.build import BuildError, generated
from autograder.course import Assignment
from autograder.restated import HANDOUT, HANDOUTS, restated
from autograder.store import write_bytes
from autograder.translation import TRANSLATIONS

PYTHON = "3.12"
CHECKS = ("jaxtyping", "numpy", "pytest", "watchfiles")
LAB = ("ipykernel", "ipywidgets", "jupyterlab", "matplotlib", "otter-grader")
SOLUTION_HEADER = "# One way to solve it."
LICENCES = ("LICENSE", "LICENSE-text")
POLICY = "AI-POLICY.md"  # the teacher's, if there is one
TEMPLATES = Path(__file__).parent / "student"
PLACES = {
    "checks.yml": ".github/workflows/checks.yml",
    "gitlab-ci.yml": ".gitlab-ci.yml",
    "summary.py": ".ci/summary.py",
}
IGNORED = ("__pycache__/", ".ipynb_checkpoints/", ".OTTER_LOG", ".venv/", "report.xml", "submission.zip")
_FIGURE = re.compile(r"\((figures/[\w.-]+)\)")
_TITLE = re.compile(r"# .*\n(<!-- .* -->\n)?")
_PIN = re.compile(r"([\w.-]+)==(\S+)")


def student_bundle(assignment: Assignment, root: Path) -> dict[str, bytes]:
    """Path in the student's folder → content.

    Raises:
        BuildError: a file that belongs to it is missing or cannot be made.
    """
    files = _handed_out(assignment, root)
    entries = {**files, **_requirements(assignment, root, lab="lab.ipynb" in files)}
    entries |= _with_start(files, solved=False)
    entries |= {place: (TEMPLATES / name).read_bytes() for name, place in PLACES.items()}
    entries[".gitignore"] = "".join(f"{line}\n" for line in IGNORED).encode()
    entries[".gitattributes"] = b"* text=auto eol=lf\n"
    if (root / POLICY).is_file():
        entries[POLICY] = (root / POLICY).read_bytes()
    return entries


def solution_bundle(assignment: Assignment, root: Path) -> dict[str, bytes]:
    """The same assignment with its references in place of the stubs, and without what runs on a push.

    Raises:
        BuildError: as in :func:`student_bundle`.
    """
    files = _handed_out(assignment, root)
    for module, source in assignment.references.items():
        files[f"{module}.py"] = f"{SOLUTION_HEADER}\n{source}".encode()
    return {
        **files,
        **_requirements(assignment, root, lab="lab.ipynb" in files),
        **_with_start(files, solved=True),
    }


def write_folder(folder: Path, entries: Mapping[str, bytes]) -> None:
    """Write every entry below ``folder``; what else lies there stays."""
    for name, content in entries.items():
        write_bytes(folder / name, content)


def lab_is_remade() -> bool:
    """Whether labs are made anew; without jupytext they are taken as they stand."""
    return importlib.util.find_spec("jupytext") is not None


def _handed_out(assignment: Assignment, root: Path) -> dict[str, bytes]:
    """The files of ``assignments/``: those that are generated, and of those by hand what the assignment names."""
    folder = root / "assignments" / assignment.name
    as_it_stands = None if lab_is_remade() else lambda _: _read(folder / "lab.ipynb").decode()
    files = {
        path.relative_to(folder).as_posix(): content
        for path, content in generated(root, assignment, as_it_stands).items()
    }
    written = restated(assignment, folder)
    for path in (folder / HANDOUT, *(folder / "tests" / f"{e.name}.py" for e in assignment.every_exercise)):
        if path not in written:
            raise BuildError(f"{path} is missing.")
        files[path.relative_to(folder).as_posix()] = written[path].content
    files[visible.MISTAKES] = _read(folder / visible.MISTAKES)
    if not visible.is_fresh(assignment, files, files[visible.MISTAKES]):
        raise BuildError(f"{folder / visible.MISTAKES} is not as it would be made now: python -m autograder build.")
    for path in sorted(folder.glob(TRANSLATIONS)):
        files[path.name] = written[path].content if path in written else _read(path)
    for name in fnmatch.filter(files, HANDOUTS):
        try:
            files[name].decode()
        except UnicodeDecodeError:
            raise BuildError(f"{folder / name} is no text in UTF-8.") from None
    for figure in sorted(set(_FIGURE.findall(files[HANDOUT].decode()))):
        files[figure] = _read(folder / figure)
    return files | {name: _read(root / name) for name in LICENCES}


def _requirements(assignment: Assignment, root: Path, *, lab: bool) -> dict[str, bytes]:
    """Exact versions of what is asked for, and of everything that those bring along."""
    constraints = _read(root / "constraints.txt")
    pins = dict(_PIN.findall(constraints.decode()))
    torch = ("torch",) if any(part.runtime == "torch" for part in assignment.parts) else ()
    lists = {"requirements.txt": sorted((*CHECKS, *torch))} | ({"requirements-lab.txt": LAB} if lab else {})
    files = {"constraints.txt": constraints}
    for name, packages in lists.items():
        if missing := [package for package in packages if package not in pins]:
            raise BuildError(f"{root / 'constraints.txt'} names no version of {', '.join(missing)}.")
        above = "-r requirements.txt\n" if name != "requirements.txt" else "-c constraints.txt\n"
        files[name] = (above + "".join(f"{package}=={pins[package]}\n" for package in packages)).encode()
    environment = (
        f"name: {assignment.name.split('_')[0]}\nchannels:\n  - conda-forge\n  - nodefaults\n"
        f"dependencies:\n  - python ={PYTHON}\n  - pip\n  - pip:\n      - -r {list(lists)[-1]}\n"
    )
    return {**files, "environment.yml": environment.encode()}


def _with_start(files: Mapping[str, bytes], *, solved: bool) -> dict[str, bytes]:
    """The handout and its translations with what to do first below their titles; English where no template is."""
    templates = Environment(
        loader=PackageLoader("autograder.release", "student"), undefined=StrictUndefined, autoescape=False
    )
    found = {}
    for name in fnmatch.filter(files, HANDOUTS):
        language = name.removeprefix("README").removesuffix("md").strip(".")
        template = templates.select_template([f"start.{language}.md.j2", "start.md.j2"])
        start = template.render(solved=solved, lab="lab.ipynb" in files)
        head = _TITLE.match(files[name].decode())
        if not head:
            raise BuildError(f"{name} does not begin with a title.")
        found[name] = f"{head[0]}\n{start}{files[name].decode()[head.end() :]}".encode()
    return found


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise BuildError(f"{path} is missing.") from None
