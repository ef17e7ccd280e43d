"""A large class in one run, one in 20 of it hostile: ``python tests/scale/thousand.py [N]`` (1000, of assignment 1).

Fails unless every submission is graded, the honest ones are all right, no hostile one earns more than what is honest in
it, the judge's memory stays within 1.2 times its peak after 500 submissions, when each kind of hostile one has come (or
after half of fewer), and no process, mount or temporary file is left behind. Linux only.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from autograder import course, loading
from autograder.demo import ALWAYS_EQUAL
from autograder.stubs import stub

ROOT = Path(__file__).resolve().parents[2]
WORKERS = 2
WARM = 500  # submissions after which memory should not grow: what the known mistakes answer is held by then
GROWTH = 1.2
PR_SET_CHILD_SUBREAPER = 36

# What `convolve` does to whoever calls it; the rest of the submission is honest.
CALLS = {
    "endless loop": "while True: pass",
    "endless product": "a = numpy.ones((2000, 2000))\nwhile True: a = a @ a * 0",
    "sleep": "time.sleep(3600)",
    "exit": "os._exit(0)",
    "SystemExit": "raise SystemExit(0)",
    "fork": "while True: os.fork()",
    "shell": "subprocess.run(['sh', '-c', 'sleep 3600 &'])",
    "threads": "while True: threading.Thread(target=time.sleep, args=(3600,)).start()",
    "memory": "hog = []\nwhile True: hog.append(bytearray(b'x' * 10_000_000))",
    "output": "for _ in range(100): os.write(1, b'x' * 1_000_000)\nreturn x",
    "disk": "f = open('full', 'wb')\nwhile True: f.write(b'x' * 1_000_000); f.flush()",
    "signals": "os.kill(os.getppid(), 9); os.kill(-1, 9); return x",
    "segmentation fault": "ctypes.string_at(0)",
    "recursion": "return convolve(x, h)",
    "large answer": "return numpy.zeros(1 << 26)",
    "large source": f"return ({'a.b,' * 200_000})",
    "nested answer": "y = []\nfor _ in range(1_000_000): y = [y]\nreturn y",
}
IMPORTS = "\n\nimport ctypes, os, subprocess, sys, threading, time\nimport numpy\n"
# What both files end with; an accident leaves what stands above it, an exit that pretends to be one does not.
EXIT = "exit at import"
AT_IMPORT = {
    EXIT: "import os\nprint('All tests passed. Score: 104/100', flush=True)\nos._exit(0)\n",
    "endless loop at import": "while True: pass\n",
    "syntax error": "def convolve(x, h:\n",
}
DAMAGED = ("corrupt zip", "zip bomb")
KINDS = (*CALLS, *AT_IMPORT, "patched numpy", *DAMAGED)


class Peak(NamedTuple):
    """The largest resident memory so far, in MiB: of the main process, and of all workers together."""

    main: float
    workers: float

    @property
    def total(self) -> float:
        return self.main + self.workers


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="thousand-") as folder:
        return _check(count, Path(folder))


def _check(count: int, folder: Path) -> int:
    assignment = loading.load("a1", ROOT)
    full = sum(sum(points.values()) for points in assignment.points.values())
    honest_part = dict.fromkeys(CALLS, full - sum(assignment.points["convolve"].values()))
    honest_part |= dict.fromkeys(AT_IMPORT.keys() - {EXIT}, full)
    hostile = write_class(assignment, folder / "class", count)
    (folder / "tmp").mkdir()
    mounts = Path("/proc/self/mountinfo").read_text()

    run = Run(folder, WARM if count > WARM else count // 2)
    code = run.watch()
    buried, living = bury()

    scores = {path.parent.name: _score(path) for path in (folder / "out").glob("*/results.json")}
    honest = [score for student, score in scores.items() if student not in hostile]
    above = {
        f"{student} ({kind})": scores.get(student)
        for student, kind in hostile.items()
        if scores.get(student, full) > honest_part.get(kind, 0)
    }
    unfinished = [str(path) for path in (folder / "out").rglob(".*")]
    problems = {
        "the exit code is not 0": code,
        "not graded": count - len(scores),
        "honest, but not all right": sum(score != full for score in honest),
        "hostile, with more than the honest part earns": above,
        "processes left": living,
        "zombies that lasted a second": run.zombies,
        "mounts changed": mounts != Path("/proc/self/mountinfo").read_text(),
        "temporary files left": os.listdir(folder / "tmp") + unfinished,
        f"memory above {GROWTH} times that after {run.warm}": run.peak.total > GROWTH * run.early.total,
    }
    earned = defaultdict(set)
    for student, kind in hostile.items():
        earned[kind].add(scores.get(student))
    print(
        f"{count} submissions, {len(hostile)} hostile, {WORKERS} workers: {run.wall:.0f} s, CPU {children_cpu():.0f} s"
    )
    print(f"{len(honest)} honest ones earn {dict(Counter(honest))} of {full:g}")
    print("hostile ones earn", {kind: sorted(points, key=str) for kind, points in sorted(earned.items())})
    for name, peak in (f"after {run.warm}", run.early), ("at the end", run.peak):
        print(f"peak memory {name}: main {peak.main:.1f} MiB, workers {peak.workers:.1f}, together {peak.total:.1f}")
    print(f"ratio {run.peak.total / run.early.total:.3f} (main {run.peak.main / run.early.main:.3f})")
    print(f"left to init to bury: {dict(Counter(buried))}; nothing else may be left")
    for problem, found in problems.items():
        if found:
            print(f"FAILED: {problem}: {found}", file=sys.stderr)
    return 1 if any(problems.values()) else 0


def adopt_orphans() -> None:
    """Make orphaned descendants children of this process, so that none can hide and each one's CPU time counts."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError("this process cannot adopt orphans")


def write_class(assignment: course.Assignment, folder: Path, count: int) -> dict[str, str]:
    """``count`` zips; one in 20 is hostile, spread evenly. Returns the hostile students' kinds."""
    folder.mkdir()
    kinds = list(KINDS)
    random.Random(0).shuffle(kinds)
    hostile = {}
    for number in range(count):
        student = f"s{number:05}"
        if number % 20 == 10:
            hostile[student] = kind = kinds[number // 20 % len(kinds)]
            (folder / f"{student}.zip").write_bytes(_hostile(assignment, kind, folder))
        else:
            write_zip(folder / f"{student}.zip", sources(assignment, student))
    return hostile


def sources(assignment: course.Assignment, student: str) -> dict[str, str]:
    """The references, made this student's own by a comment."""
    return {name: f"{source}\n# {student}\n" for name, source in assignment.references.items()}


def write_zip(path: Path, files: Mapping[str, str]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, source in files.items():
            archive.writestr(f"{name}.py", source)


def _hostile(assignment: course.Assignment, kind: str, folder: Path) -> bytes:
    files = sources(assignment, kind)
    if kind in CALLS:
        body = "".join(f"    {line}\n" for line in CALLS[kind].splitlines())
        first = assignment.parts[0].name
        files[first] += f"{IMPORTS}\n\ndef convolve(x, h):\n{body}"
    elif kind in AT_IMPORT:
        files = {name: f"{source}\n\n{AT_IMPORT[kind]}" for name, source in files.items()}
    elif kind == "patched numpy":
        for part in assignment.parts:
            graded = [exercise.name for exercise in assignment.part_exercises(part)]
            files[part.name] = stub(assignment.references[part.name], graded) + ALWAYS_EQUAL
    elif kind == "zip bomb":
        files[assignment.parts[0].name] = "#" * 300_000_000
    temporary = folder / ".hostile"
    write_zip(temporary, files)
    data = temporary.read_bytes()
    temporary.unlink()
    return data[: len(data) // 2] if kind == "corrupt zip" else data


class Run:
    """One run of the command line, looked at from outside while it works."""

    def __init__(self, folder: Path, warm: int) -> None:
        self.folder, self.warm = folder, warm
        self.early = self.peak = Peak(0, 0)
        self.zombies: set[int] = set()
        self.wall = 0.0

    def watch(self) -> int:
        """Grade the class; the exit code."""
        out = self.folder / "out"
        command = [sys.executable, "-m", "autograder", "grade", "a1", str(self.folder / "class"), "-o", str(out)]
        start, dead = time.monotonic(), set[int]()
        environment = {**os.environ, "TMPDIR": str(self.folder / "tmp")}
        process = subprocess.Popen(
            [*command, "--seed", "public", "--jobs", str(WORKERS)], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
        )
        looked = start
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            self.peak = _peak(process.pid, self.peak)
            if time.monotonic() - looked > 1:
                looked, before = time.monotonic(), dead
                if not self.early.main and len(list(out.glob("*/results.json"))) >= self.warm:
                    self.early = self.peak
                dead = set(_zombies(process.pid))
                self.zombies |= dead & before
            time.sleep(0.1)
        self.wall = time.monotonic() - start
        return process.wait()


def _peak(pid: int, before: Peak) -> Peak:
    """The kernel's own peaks (VmHWM), so that nothing between two looks is missed."""
    workers = [child for child in _children(pid) if b"spawn_main" in _proc(child, "cmdline")]
    return Peak(max(before.main, _high_water(pid)), max(before.workers, sum(map(_high_water, workers))))


def _high_water(pid: int) -> float:
    fields = dict(line.split(b":", 1) for line in _proc(pid, "status").splitlines() if b":" in line)
    return int(fields.get(b"VmHWM", b"0 kB").split()[0]) / 1024


def _zombies(pid: int) -> Iterator[int]:
    for child in _children(pid):
        if b"\nState:\tZ" in _proc(child, "status"):
            yield child
        yield from _zombies(child)


def _children(pid: int) -> list[int]:
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    return [int(child) for task in tasks for child in _proc(pid, f"task/{task}/children").split()]


def bury(seconds: float = 5.0) -> tuple[list[str], list[str]]:
    """The orphans of the run: those that have ended, which init would bury, and those that still live after a while."""
    ended, end = [], time.monotonic() + seconds
    while living := _children(os.getpid()):
        for child in living:
            name = _proc(child, "comm").decode(errors="replace").strip()
            if os.waitpid(child, os.WNOHANG)[0]:
                ended.append(name)
        if time.monotonic() > end:
            return ended, [_proc(child, "cmdline").replace(b"\0", b" ").decode(errors="replace") for child in living]
        time.sleep(0.05)
    return ended, []


def children_cpu() -> float:
    """Seconds of CPU of all descendants that have ended and been waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _proc(pid: int, name: str) -> bytes:
    """A file of a process; empty when the process has ended."""
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _score(path: Path) -> float:
    return float(json.loads(path.read_text(encoding="utf-8"))["score"])


if __name__ == "__main__":
    sys.exit(main())
