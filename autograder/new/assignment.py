"""``new assignment``: both folders of an assignment that has no exercise yet, but the conventions of its file."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path

from autograder.course import CourseError
from autograder.loading import GRADING, HALVES, find_assignments
from autograder.new.rendering import rendered
from autograder.settings import SETTINGS


def new_assignment(short: str, topic: str, root: Path) -> dict[Path, str]:
    """Path → content of every file of a new assignment; nothing is written.

    Args:
        short: as in ``a7``.
        topic: what stands behind it in the name of its folders, and the name of its first module.

    Raises:
        CourseError: a name is taken, or cannot be one.
    """
    if not re.fullmatch(r"[a-z]+\d*", short):
        raise CourseError(f"{short!r} is no short name such as a7.")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", topic) or keyword.iskeyword(topic):
        raise CourseError(f"{topic!r} is no topic: small letters, digits and underscores, as in moving_average.")
    if topic in sys.stdlib_module_names or topic in ("numpy", "torch", "scipy", "jaxtyping"):
        raise CourseError(
            f"A module {topic} is there already: students could not import both. Name the topic otherwise."
        )
    name = f"{short}_{topic}"
    taken = [full for full in find_assignments(root) if full.split("_")[0] == short]
    taken += [name for half in HALVES if (root / half / name).exists()]
    if taken:
        raise CourseError(f"{short} is taken: {taken[0]}.")
    ours, theirs = (root / half / name for half in HALVES)
    words = {"topic": topic, "number": short.lstrip("a") or short}
    files = {
        ours / f"{topic}.py": rendered("assignment/part.py.j2", torch=False),
        ours / "lab.py": rendered("assignment/lab.py.j2", **words),
        ours / SETTINGS: rendered("assignment/assignment.toml.j2"),
        theirs / "README.md": rendered("assignment/README.md.j2", **words),
        theirs / "tests" / "conventions.py": rendered("assignment/conventions.py.j2", **words),
    }
    grading = {ours / "grading" / f"{module}.py": f"assignment/{module}.py.j2" for module in GRADING}
    return files | {path: rendered(template, **words) for path, template in grading.items()}
