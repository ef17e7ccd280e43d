"""The zip archive that an instructor uploads to Gradescope as the autograder of one assignment."""

from __future__ import annotations

from pathlib import Path

from autograder.hosted.gradescope import SECONDS
from autograder.loading import full_name, load
from autograder.release.archive import write_zip
from autograder.release.package import CONSTRAINTS, below, constraints, course, rendered, wheel

PROGRAMS = ("setup.sh", "run_autograder")


def release_gradescope(assignment: str, root: Path, seed: str, out: Path) -> Path:
    """Write ``gradescope-<assignment>.zip`` into ``out``.

    Args:
        assignment: its name, ``a1`` or ``a1_convolution``.
        root: the course's root folder.
        seed: the term seed. Whoever may download the autograder from the platform can read it, and every answer.
        out: a folder, made where it is missing.

    Returns:
        The archive: the same bytes for the same course, seed and grader.

    Raises:
        CourseError: there is no such assignment, it is not complete, or the seed could be guessed.
        OSError: it cannot be written.
    """
    name = full_name(assignment, root)
    file, content = wheel()
    title = load(name, root).title
    entries = {
        "setup.sh": rendered("setup.sh.j2", title=" ".join(title.split())),
        "run_autograder": rendered("run_autograder.j2", seconds=f"{SECONDS:g}"),
        CONSTRAINTS: constraints(root),
        file: content,
        **below("course", course(name, root, seed)),
    }
    path = out / f"gradescope-{name}.zip"
    write_zip(path, entries, executable=PROGRAMS)
    return path
