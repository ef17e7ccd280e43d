"""The bundle for Classroom 50: its script for the runner, and the visible tests as they were handed out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from autograder.build import HELPERS
from autograder.course import Assignment
from autograder.visible import MISTAKES

RUNNER = Path(__file__).parent / "runner" / "classroom50.py"
SUMMARY = ".ci/summary.py"
PARTS = "parts.txt"


def classroom50_bundle(assignment: Assignment, handed_out: Mapping[str, bytes]) -> dict[str, bytes]:
    """Path in ``CLASSROOM/autograders/ASSIGNMENT/`` → content.

    Args:
        handed_out: the student bundle.
    """
    parts = [f"{part.name}.py" for part in assignment.parts]
    wanted = {*HELPERS, MISTAKES, *assignment.provided, *parts, "requirements.txt", "constraints.txt"}
    visible = {
        name: content for name, content in handed_out.items() if name in wanted or name.startswith(("tests/", "data/"))
    }
    visible[PARTS] = "".join(f"{name}\n" for name in parts).encode()
    return {
        "autograder.py": RUNNER.read_bytes(),
        "summary.py": handed_out[SUMMARY],
        **{f"visible/{name}": content for name, content in visible.items()},
    }
