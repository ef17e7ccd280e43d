"""The zip archive with which otter grades one assignment, by ``otter run`` or in its containers."""

from __future__ import annotations

import contextlib
import json
import tempfile
import zipfile
from pathlib import Path

from autograder.course import CourseError
from autograder.loading import full_name
from autograder.release.archive import write_zip
from autograder.release.package import CONSTRAINTS, below, constraints, course, rendered, wheel

CONFIG = "otter_config.json"
PLUGIN = "autograder.hosted.otter.GraderPlugin"
PROGRAMS = ("setup.sh", "run_autograder")
# Verdicts are the plugin's: otter shows them as they are, and adds no summary of tests of its own.
SETTINGS = {"plugins": [PLUGIN], "show_hidden": True, "force_public_test_summary": False, "print_summary": False}


def release_otter(assignment: str, root: Path, seed: str, out: Path) -> Path:
    """Write ``otter-<assignment>.zip`` into ``out``; it needs the extra ``lab``, which brings otter.

    Args:
        assignment: its name, ``a1`` or ``a1_convolution``.
        root: the course's root folder.
        seed: the term seed. Whoever has the archive can read it, and every answer.
        out: a folder, made where it is missing.

    Returns:
        The archive: the same bytes for the same course, seed, grader and otter.

    Raises:
        CourseError: there is no such assignment, it is not complete, the seed could be guessed, or otter is missing.
        OSError: it cannot be written.
    """
    name = full_name(assignment, root)
    file, content = wheel()
    entries = {
        **generated(file),
        CONSTRAINTS: constraints(root),
        file: content,
        **below("course", course(name, root, seed)),
    }
    path = out / f"otter-{name}.zip"
    write_zip(path, entries, executable=PROGRAMS)
    return path


def generated(grader: str) -> dict[str, bytes]:
    """What ``otter generate`` makes of the plugin, for a container that installs the wheel ``grader``.

    Raises:
        CourseError: otter is not installed.
    """
    try:
        from otter.generate import main
    except ImportError:
        raise CourseError("The otter zip needs otter: pip install -e '.[lab]' -c constraints.txt.") from None
    with tempfile.TemporaryDirectory() as temporary, contextlib.chdir(temporary):
        folder = Path(temporary)
        (folder / CONFIG).write_text(json.dumps(SETTINGS), encoding="utf-8")
        (folder / "requirements.txt").write_bytes(rendered("otter-requirements.txt.j2", wheel=grader))
        tests = folder / "tests"
        tests.mkdir()
        (tests / "graded.py").write_bytes(rendered("otter-test.py.j2"))
        main(tests_dir=str(tests), output_path=str(folder / "otter.zip"), no_environment=True)
        with zipfile.ZipFile(folder / "otter.zip") as archive:
            entries = {entry: archive.read(entry).replace(b"\r\n", b"\n") for entry in archive.namelist()}
    entries["setup.sh"] += rendered("otter-setup.sh.j2")
    return entries
