"""The otter zip under the real ``otter run``: ``python tests/scale/otter_zip.py [a1 …]`` (a1 a3).

Every submission of the demo class that otter accepts must get the points that ``grade`` gives, exercise by exercise;
those that it refuses are listed with its words, and handed in again as ``grader.export`` packs them, beside the lab.
Otter runs in an environment that holds the grader as the wheel that is
in the zip, beside the packages of this one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

from autograder import grade, loading
from autograder.demo import write_class
from autograder.release.otter import release_otter

ROOT = Path(__file__).resolve().parents[2]
SEED = "a term seed of this measurement"


def environment(archive: Path, folder: Path) -> Path:
    """The Python of an environment with the wheel that is in ``archive``."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout.strip()
    with zipfile.ZipFile(archive) as outer:
        (wheel,) = (name for name in outer.namelist() if name.endswith(".whl"))
        with outer.open(wheel) as file, zipfile.ZipFile(file) as inner:
            inner.extractall(site)
    Path(site, "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def otter_run(python: Path, archive: Path, submission: Path, out: Path) -> tuple[dict[str, object] | None, str]:
    """``results.json``, or None and what otter said; a folder is handed in as a zip archive, as a browser would."""
    out.mkdir()
    if submission.is_dir():
        packed = out / f"{submission.name}.zip"
        with zipfile.ZipFile(packed, "w") as zipped:
            for path in sorted(submission.rglob("*")):
                zipped.write(path, path.relative_to(submission))
        submission = packed
    command = [python, "-m", "otter", "run", "-a", str(archive), "-o", str(out), "--no-logo", str(submission)]
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=out, env=alone, capture_output=True, text=True)
    file = out / "results.json"
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines() or ["nothing"]
    return (json.loads(file.read_text(encoding="utf-8")) if file.exists() else None), lines[-1]


def exported(submission: Path, lab: Path, out: Path) -> Path | None:
    """The modules handed in and the lab, as ``grader.export`` packs them; None where there are no modules."""
    modules: dict[str, bytes] = {}
    if submission.suffix == ".zip" and zipfile.is_zipfile(submission):
        with zipfile.ZipFile(submission) as archive:
            modules = {Path(name).name: archive.read(name) for name in archive.namelist() if name.endswith(".py")}
    elif submission.is_dir():
        modules = {path.name: path.read_bytes() for path in submission.glob("*.py")}
    if not modules:
        return None
    with zipfile.ZipFile(out, "w") as packed:
        packed.write(lab, lab.name)
        for name, content in modules.items():
            packed.writestr(name, content)
    return out


def points(data: dict[str, object]) -> dict[str, float]:
    tests = data["tests"]
    assert isinstance(tests, list)
    return {test["name"]: test["score"] for test in tests}


def main(names: list[str]) -> int:
    wrong = 0
    for name in names:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            archive = release_otter(name, ROOT, SEED, folder)
            python = environment(archive, folder / "environment")
            assignment = loading.load(name, ROOT)
            members = loading.grading_module(assignment.name, ROOT, "demo").CLASS
            for path in write_class(assignment, members, folder / "class"):
                data, said = otter_run(python, archive, path, folder / f"out-{path.name}")
                if data is None:
                    print(f"{name} {path.name}: refused by otter: {said}", flush=True)
                    lab = ROOT / "assignments" / assignment.name / "lab.ipynb"
                    if not (again := exported(path, lab, folder / f"{path.stem}-export.zip")):
                        continue
                    data, said = otter_run(python, archive, again, folder / f"out-{again.name}")
                    if data is None:
                        wrong += 1
                        print(f"{name} {again.name}: refused by otter: {said}", flush=True)
                        continue
                result = grade(name, path, course=ROOT, seed=SEED)
                equal = points(data) == {exercise.name: exercise.points for exercise in result.exercises}
                wrong += not equal
                total = sum(points(data).values())
                print(
                    f"{name} {path.name}: {total:g} (grade: {result.score:g}){'' if equal else ' DIFFERENT'}",
                    flush=True,
                )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["a1", "a3"]))
