"""``new assignment``: both folders of an assignment that has no exercise yet, but the conventions of its file."""

from __future__ import annotations

from pathlib import Path

from autograder.course import CourseError
from autograder.loading import GRADING, HALVES, find_assignments
from autograder.new.names import check_short, check_topic
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
    check_short(short, find_assignments(root))
    check_topic(topic)
    name = f"{short}_{topic}"
    if taken := [half for half in HALVES if (root / half / name).exists()]:
        raise CourseError(f"{root / taken[0] / name} is there already: delete it, or choose another topic.")
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
