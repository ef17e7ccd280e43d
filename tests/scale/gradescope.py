"""The Gradescope zip as its platform would run it: ``python tests/scale/gradescope.py [a1 …] [--attacks]`` (all).

Unpacks it into ``/autograder``, in a mount namespace of its own in which this repository and the home folder are hidden
and user namespaces are denied, and runs ``setup.sh``, and then ``run_autograder`` for each of the demo class, as root.
Fails unless the environment is only what ``setup.sh`` installed, every result is valid and the same as ``grade`` gives,
summed PSS stays below 768 MB, and twice the CPU time (the platform has half a core) below five minutes. With
``--attacks`` an attack of each group, which may earn no more than what is honest in it. ``--no-landlock`` grades as a
kernel without it would. Linux, root, network.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyseccomp
from gradescope_results import problems

from autograder import grade, loading
from autograder.demo import write_class
from autograder.release.gradescope import release_gradescope

ROOT = Path(__file__).resolve().parents[2]
SEED = "a term seed of this measurement"
MEGABYTES, CPU_SECONDS = 768, 150
CLONE_NEWUSER, EPERM, ENOSYS = 0x10000000, 1, 38
METADATA = {
    "id": 7,
    "created_at": "2027-02-01T12:00:00.000000-08:00",
    "assignment": {"id": 1, "due_date": "2027-02-02T12:00:00.000000-08:00", "total_points": "100.0"},
    "users": [
        {"id": 1, "name": "Ada L", "email": "ada@example.org"},
        {"id": 2, "name": "Bo", "email": "bo@example.org"},
    ],
    "previous_submissions": [],
}
# Hides the repository and the home folder, and shows the tree where the platform has it.
ENTER = """
set -e
mount --bind "$TREE" /autograder
mount -t tmpfs none "$REPOSITORY"
mount -t tmpfs none "$HIDDEN_HOME"
cd /autograder
if unshare --user true 2>/dev/null; then echo "user namespaces are allowed" >&2; exit 99; fi
exec "$@"
"""


@dataclass
class Cost:
    code: int
    output: str
    wall: float
    cpu: float
    megabytes: float


def deny(landlock: bool) -> None:
    """User namespaces, as Docker's default profile does; and ``landlock``, as a kernel without it."""
    policy = pyseccomp.SyscallFilter(defaction=pyseccomp.ALLOW)
    for call in ("unshare", "clone"):
        flag = pyseccomp.Arg(0, pyseccomp.MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER)
        policy.add_rule(pyseccomp.ERRNO(EPERM), call, flag)
    for call in ("clone3", *(["landlock_create_ruleset"] if landlock else [])):
        policy.add_rule(pyseccomp.ERRNO(ENOSYS), call)
    policy.load()


def inside(tree: Path, *command: str, landlock: bool = True) -> Cost:
    """``command`` as the platform would run it, whose kernel has ``landlock`` or not."""
    environment = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "LANG"))}
    environment |= {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nowhere", "AUTOGRADER_HOME": "/autograder/home"}
    environment |= {"TREE": str(tree), "REPOSITORY": str(ROOT), "HIDDEN_HOME": str(Path.home())}
    unshared = ["unshare", "--mount", "--propagation", "private", "bash", "-c", ENTER, "inside", *command]
    start = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            unshared,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=functools.partial(deny, not landlock),
        )
        peak = [0.0]
        watcher = threading.Thread(target=watch, args=(process.pid, peak), daemon=True)
        watcher.start()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        watcher.join()
        output.seek(0)
        text = output.read().decode(errors="replace")
    return Cost(os.waitstatus_to_exitcode(status), text, wall, used.ru_utime + used.ru_stime, peak[0])


def watch(pid: int, peak: list[float]) -> None:
    while Path(f"/proc/{pid}/smaps_rollup").exists():
        peak[0] = max(peak[0], sum(map(pss, family(pid))))
        time.sleep(0.05)


def family(pid: int) -> Iterator[int]:
    yield pid
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in (thread / "children").read_text().split():
                yield from family(int(child))


def pss(pid: int) -> float:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def unpacked(name: str, tree: Path) -> None:
    """The zip as the harness lays it out, before an image is built from it."""
    for folder in ("source", "submission", "results"):
        (tree / folder).mkdir(parents=True)
    archive = release_gradescope(name, ROOT, SEED, tree.parent)
    with zipfile.ZipFile(archive) as opened:
        for entry in opened.infolist():
            path = Path(opened.extract(entry, tree / "source"))
            path.chmod(entry.external_attr >> 16 & 0o777)
    shutil.copy(tree / "source" / "run_autograder", tree)
    tree.chmod(0o755)


def hand_in(tree: Path, path: Path) -> None:
    """What a student uploads; the platform unpacks archives."""
    for folder in ("submission", "results"):
        shutil.rmtree(tree / folder)
        (tree / folder).mkdir()
    if path.is_dir():
        shutil.copytree(path, tree / "submission", dirs_exist_ok=True)
    else:
        shutil.copy(path, tree / "submission")
    (tree / "submission_metadata.json").write_text(json.dumps(METADATA), encoding="utf-8")


def earned(data: Mapping[str, object]) -> dict[str, float]:
    tests = data["tests"]
    assert isinstance(tests, list)
    return {test["name"]: test["score"] for test in tests}


def attacks(out: Path) -> list[Path]:
    """One of each group, appended to an honest submission."""
    sys.path.insert(0, str(ROOT / "tests"))
    import test_attacks

    written = []
    for name in test_attacks.SAMPLE:
        folder = out / name.replace("/", "-")
        folder.mkdir(parents=True)
        if name in test_attacks.ATTACKS:
            (folder / "convolution.py").write_text(
                test_attacks.HONEST + (test_attacks.BANK / f"{name}.py").read_text(encoding="utf-8"), encoding="utf-8"
            )
            written.append(folder)
    return written


def measure(name: str, options: argparse.Namespace, tree: Path) -> list[str]:
    """One line a submission is printed; what is wrong is returned."""
    wrong: list[str] = []
    unpacked(name, tree)
    built = inside(tree, "/autograder/source/setup.sh")
    print(
        f"{name} setup.sh: {built.wall:.0f} s, CPU {built.cpu:.0f} s, {built.megabytes:.0f} MB\n{built.output}",
        flush=True,
    )
    if built.code:
        return [f"{name}: setup.sh failed"]
    where = inside(
        tree, "/autograder/home/venv/bin/python", "-I", "-c", "import autograder; print(autograder.__file__)"
    )
    if not where.output.startswith("/autograder/home/venv/"):
        wrong.append(f"{name}: the grader comes from {where.output}")
    assignment = loading.load(name, ROOT)
    members = loading.grading_module(assignment.name, ROOT, "demo").CLASS
    paths = (
        attacks(tree.parent / "class") if options.attacks else write_class(assignment, members, tree.parent / "class")
    )
    walls, peaks = [0.0], [0.0]
    for path in paths[: options.sample]:
        hand_in(tree, path)
        cost = inside(tree, "/autograder/run_autograder", landlock=not options.no_landlock)
        if ("nobody" in cost.output) != options.no_landlock:
            wrong.append(f"{name} {path.name}: graded in the wrong isolation: {cost.output}")
        walls.append(cost.wall)
        peaks.append(cost.megabytes)
        file = tree / "results" / "results.json"
        if cost.code or not file.exists():
            wrong.append(f"{name} {path.name}: no result: {cost.output}")
            continue
        data = json.loads(file.read_text(encoding="utf-8"))
        wrong += [f"{name} {path.name}: {problem}" for problem in problems(data)]
        want = grade(name, path, course=ROOT, seed=SEED)
        expected = {f"{e.name}: {c.name}": c.points for e in want.exercises for c in e.criteria}
        if earned(data) != expected or data["score"] != want.score:
            differing = {key for key in expected if earned(data).get(key) != expected[key]}
            wrong.append(f"{name} {path.name}: {data['score']}, and by grade {want.score}: {sorted(differing)}")
        if cost.megabytes > MEGABYTES or cost.cpu > CPU_SECONDS:
            wrong.append(f"{name} {path.name}: {cost.megabytes:.0f} MB, CPU {cost.cpu:.0f} s")
        print(
            f"{name} {path.name}: {data['score']:g} (grade: {want.score:g}), {cost.wall:.0f} s, "
            f"CPU {cost.cpu:.1f} s, {cost.megabytes:.0f} MB",
            flush=True,
        )
    print(f"{name}: longest {max(walls):.0f} s, most memory {max(peaks):.0f} MB", flush=True)
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("assignments", nargs="*", default=["a1", "a2", "a3", "a4", "a5", "a6"])
    parser.add_argument("--attacks", action="store_true")
    parser.add_argument("--no-landlock", action="store_true", help="as on a kernel without it: the isolation nobody")
    parser.add_argument("--sample", type=int, help="only so many of the class")
    options = parser.parse_args()
    wrong = []
    Path("/autograder").mkdir()  # fails where another measurement is under way, whose mount would end with the folder
    try:
        for name in options.assignments:
            with tempfile.TemporaryDirectory() as folder:
                wrong += measure(name, options, Path(folder) / "autograder")
    finally:
        Path("/autograder").rmdir()
    print("\n".join(wrong) or "Everything as it should be.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
