"""No grade depends on load: ``python tests/scale/busy.py [a1 …] [--busy 8]`` (all assignments).

Grades a class of the demo submissions and the outsiders' right ones, as a teacher would, and once more beside busy
processes, which have the same priority. Fails unless every results.json has the same bytes. Linux; the more processes,
the longer it takes.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder.demo import write_class
from autograder.grading import grade_class
from autograder.loading import find_assignments, grading_module, load

ROOT = Path(__file__).parents[2]


@contextmanager
def busy(count: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def graded(name: str, submissions: Path, out: Path) -> tuple[dict[str, bytes], float]:
    """Each student's results, and how long it took."""
    start = time.monotonic()
    grade_class(name, [submissions], out)
    return {path.parent.name: path.read_bytes() for path in out.glob("*/results.json")}, time.monotonic() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("assignments", nargs="*")
    parser.add_argument("--busy", type=int, default=8, metavar="N")
    options = parser.parse_args()
    different = 0
    for name in options.assignments or find_assignments(ROOT):
        with tempfile.TemporaryDirectory() as temporary:
            handed_in = Path(temporary, "class")
            write_class(load(name, ROOT), grading_module(load(name, ROOT).name, ROOT, "demo").CLASS, handed_in)
            for right in (ROOT / "tests" / "outsiders" / name.split("_")[0] / "right").iterdir():
                shutil.copytree(right, handed_in / f"right_{right.name}")
            alone, seconds = graded(name, handed_in, Path(temporary, "alone"))
            with busy(options.busy):
                beside, longer = graded(name, handed_in, Path(temporary, "beside"))
        changed = sorted(student for student in {*alone, *beside} if alone.get(student) != beside.get(student))
        different += len(changed)
        print(
            f"{name}: {len(alone)} submissions, {seconds:.0f} s alone, {longer:.0f} s beside {options.busy};", end=" "
        )
        print(f"different: {', '.join(changed) or 'none'}", flush=True)
    return min(different, 1)


if __name__ == "__main__":
    sys.exit(main())
