"""The bank of attacks, each handed in to the real judge in either isolation, and each doing its damage unconfined.

A file ``tests/attacks/<group>/<name>.py`` is appended to an honest submission and says in its header

- ``attack``: what it attacks,
- ``keeps``: the exercises (or ``exercise.criterion``) that its honest part earns, no more and no less,
- ``says``: a part of the sentence that the student reads about the rest,
- ``control``: what it does to a grader that runs it in its own process (``split``: that reads pickles from a pipe),
  ``like`` another attack, or ``none`` and why,
- ``waits``: that it sleeps, so that the judge's patience is made short,
- ``base``: ``none`` where it is a whole submission,
- ``exercises``: those of one part of another assignment, which it is graded in, appended to the reference.

Whatever prints DAMAGE has got through. ``pytest -m attacks`` runs all; without it, one file of each group.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import time
import uuid
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from autograder.course import Assignment
from autograder.judge import Judge
from autograder.loading import load
from autograder.results import SubmissionResult, to_gradescope
from autograder.sandbox import host, mounts
from autograder.session import PART_BUDGET
from autograder.submission import Submission, read

ROOT = Path(__file__).parent.parent
BANK = Path(__file__).parent / "attacks"
GROUPS = ("time", "resources", "leaving", "reaching", "looking", "patching", "returning", "forging", "state")
GROUPS += ("archives", "torch", "legitimate")  # the headings of the list of attacks
SEED = "term-seed-4f1c"
LEFT = "attack-left"  # how the name of every file begins that an attack leaves

HONEST = """import numpy as np


def convolve(x, h):
    if not len(x) * len(h):
        raise ValueError("empty")
    y = np.zeros(len(x) + len(h) - 1)
    for k, s in enumerate(x):
        y[k : k + len(h)] += s * h
    return y


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    free = size + 2 * padding - dilation * (kernel_size - 1) - 1
    if free < 0:
        raise ValueError("the window does not fit")
    return free // stride + 1


"""

WIRE = """
import os, struct, wire

seen, decode = [], wire.decode

def spy(data):
    value = decode(data)
    if isinstance(value, dict) and "id" in value:
        seen.append(value["id"])
    return value

wire.decode = spy

def say(data):
    while data:
        data = data[os.write(3, data):]

def frame(data):
    return struct.pack("!i", len(data)) + data

def reply(**fields):
    say(frame(wire.encode(fields)))


"""

HONEST_TORCH = """import torch


def nchw_to_nhwc(x):
    return x.permute(0, 2, 3, 1)


def nhwc_to_nchw(x):
    return x.permute(0, 3, 1, 2)


"""

BASES = {"forging": HONEST + WIRE, "torch": HONEST_TORCH}


@dataclass(frozen=True)
class Attack:
    """One file of the bank with its header."""

    path: Path
    attack: str
    keeps: str
    says: str = ""
    control: str = ""
    waits: str = ""
    base: str = ""
    exercises: str = ""

    @property
    def name(self) -> str:
        return self.path.relative_to(BANK).with_suffix("").as_posix()

    @property
    def group(self) -> str:
        return self.path.relative_to(BANK).parts[0]

    def files(self) -> dict[str, str]:
        """What is handed in: relative name → source."""
        if self.path.is_dir():
            sources = sorted(self.path.rglob("*.py"))
            return {file.relative_to(self.path).as_posix(): file.read_text(encoding="utf-8") for file in sources}
        if self.exercises:
            assignment = course(self.exercises)
            part = assignment.exercises[0].part
            return {f"{part}.py": f"{assignment.references[part]}\n\n{self.path.read_text(encoding='utf-8')}"}
        base = "" if self.base == "none" else BASES.get(self.group, HONEST)
        part = "convolution_torch" if self.group == "torch" else "convolution"
        return {f"{part}.py": base + self.path.read_text(encoding="utf-8")}


@functools.cache
def course(exercises: str) -> Assignment:
    """``a5 mask_tokens`` → assignment 5 with this exercise alone."""
    name, *wanted = exercises.split()
    assignment = load(name, ROOT)
    return replace(assignment, exercises=[e for e in assignment.exercises if e.name in wanted])


def attack(path: Path) -> Attack:
    file = path / "convolution.py" if path.is_dir() else path
    text = file.read_text(encoding="utf-8")
    return Attack(
        path, **dict(re.findall(r"^# (attack|keeps|says|control|waits|base|exercises): (.+)$", text, re.MULTILINE))
    )


def bank() -> list[Attack]:
    """Every attack that is a file or a folder, group by group."""
    paths = [path for group in GROUPS for path in sorted((BANK / group).glob("*")) if not path.name.startswith("__")]
    return [attack(path) for path in paths]


ATTACKS = {one.name: one for one in bank()}


# Made by code: archives, and sources that are too large or too strange for a file


def archive(members: dict[str, bytes | str], mode: int = 0o644 | stat.S_IFREG, flags: int = 0) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            info = zipfile.ZipInfo("x")
            info.filename = name  # as it is: the constructor would cut it at a null
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, mode << 16
            file.writestr(info, data)
    data = buffer.getvalue()
    if flags:
        at = data.rindex(b"PK\1\2")
        data = data[:6] + bytes([data[6] | flags]) + data[7 : at + 8] + bytes([data[at + 8] | flags]) + data[at + 9 :]
    return data


def bomb() -> bytes:
    """A member of 1 GB in 1 MB."""
    buffer = io.BytesIO()
    file = zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with file, file.open("convolution.py", "w", force_zip64=True) as member:
        for _ in range(1 << 6):
            member.write(bytes(1 << 24))
    return buffer.getvalue()


def nested(levels: int = 20) -> bytes:
    data = archive({"convolution.py": HONEST})
    for _ in range(levels):
        data = archive({"more.zip": data})
    return data


def notebook(source: str, output: str = "") -> bytes:
    cell = {"cell_type": "code", "metadata": {}, "execution_count": None, "source": source}
    outputs = [{"output_type": "stream", "name": "stdout", "text": output}]
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{**cell, "id": "a", "outputs": outputs}]}
    ).encode()


@dataclass(frozen=True)
class Made:
    """A hand-in made by code: what its file is called, what it holds, what it keeps and says, and its control.

    An archive ``escapes`` or ``floods`` where a reader believes it, or the reader ``dies``.
    """

    suffix: str
    make: Callable[[], bytes]
    control: str
    keeps: str = "nothing"
    says: str = ""


def zipped(
    control: str, members: dict[str, bytes | str], *, keeps: str = "nothing", says: str = ".", **how: int
) -> Made:
    return Made("zip", lambda: archive(members, **how), control, keeps, says)


def source(control: str, text: str, keeps: str = "nothing", says: str = "could not be") -> Made:
    return Made("py", lambda: (HONEST + text).encode("utf-8", "surrogatepass"), control, keeps, says)


BOTH = "convolve output_size"
FOLDED = "none: elsewhere one takes the other's place only where file names are folded"
SHOWN = "none: it deceives only who looks at the name"
LOOK = "none: it is meant for a look at the source"
LINK, DEVICE = 0o777 | stat.S_IFLNK, 0o644 | stat.S_IFCHR
PY = {"convolution.py": HONEST}
MADE = {
    "archives/absolute": zipped("escapes", {"/tmp/attack-left/convolution.py": HONEST}, says="leads out of"),
    "archives/bomb": Made("zip", bomb, "floods", says="900 kB"),
    "archives/case": zipped(FOLDED, {**PY, "Convolution.py": ""}, says="tell"),
    "archives/climbing": zipped("escapes", {f"../../{LEFT}.py": HONEST}, says="leads out of"),
    "archives/climbing_by_backslash": zipped("none: it climbs on Windows", {f"..\\{LEFT}\\convolution.py": HONEST}),
    "archives/device": zipped("none: readers make a file of it", {"convolution.py": ""}, mode=DEVICE, says="device"),
    "archives/encrypted": zipped("dies", PY, flags=1, says="encrypted"),
    "archives/folder_and_file": zipped("dies", {**PY, "convolution.py/x.py": ""}, keeps=BOTH),
    "archives/link": zipped("escapes", {"convolution.py": "/etc/passwd"}, mode=LINK, says="link"),
    "archives/control_characters": zipped(SHOWN, {"\x1b[2J.py": HONEST}, says="control"),
    "archives/null_in_a_name": zipped("none: readers cut the name there", {"convolution\0.py": HONEST}),
    "archives/right_to_left": zipped(SHOWN, {"\u202eyp.exe.py": HONEST}, keeps=BOTH, says="\ufffdyp.exe.py"),
    "archives/unicode_form": zipped(FOLDED, {"\u00e9.py": "", "e\u0301.py": HONEST}),
    "archives/nested": Made("zip", nested, "none: it keeps busy who opens all of them", says="holds nothing to grade"),
    "archives/notebook_of_outputs": Made("ipynb", lambda: notebook(HONEST, "x" * (30 << 20)), "floods", says="20 MB"),
    "archives/notebook_bomb": zipped("floods", {"convolution.ipynb": b"[" * (19 << 20)}, says="notebook"),
    "archives/ten_thousand": zipped("floods", {f"{n}.txt": "" for n in range(10_000)}, says="2000 files"),
    "archives/torn": Made("zip", lambda: archive(PY)[:-30], "dies", says="could not be opened"),
    "resources/source_attribute_chains": source(
        LOOK, "def unused():\n" + ("    np" + ".a" * 900 + "\n") * 450 + "cross_correlate = unused\n",
        "output_size", "too complicated",
    ),
    "resources/source_deep_expression": source("dies", "x = " + "-" * 200_000 + "1\n"),
    "resources/source_deep_brackets": source("dies", "x = " + "(" * 5_000 + ")" * 5_000, BOTH),
    "resources/source_dense": source(
        LOOK, "def unused():\n    return [" + "0," * 440_000 + "]\n", "output_size", "too complicated"
    ),
    "resources/source_huge_number": source("dies", "x = " + "9" * 800_000 + "\n"),
    "resources/source_long_sum": source("dies", "x = " + "+".join(["1"] * 200_000) + "\n"),
    "resources/source_null": source("dies", "\0", says="null"),
    "resources/source_power": source("hangs", "x = " + "(" * 90 + "2" + "**9)" * 90 + "\n", BOTH),
    "resources/source_surrogate": source("dies", "x = '\ud800'\n", BOTH, "UTF-8"),
}  # fmt: skip

NAMES = sorted([*ATTACKS, *MADE], key=lambda name: (GROUPS.index(name.split("/")[0]), name))
ELSEWHERE = [name for name, one in ATTACKS.items() if one.exercises]
SAMPLE = [next(name for name in NAMES if name.startswith(f"{group}/") and name not in ELSEWHERE) for group in GROUPS]


# The judge and what it leaves


@pytest.fixture(scope="module", params=["namespaces", "container"])
def isolation(request: pytest.FixtureRequest) -> str:
    if request.param == "container" and os.geteuid() == 0 and (closed := mounts.closed_folder("numpy")):
        pytest.skip(f"The user nobody cannot reach Python: {closed} is closed to others.")
    return str(request.param)


@contextlib.contextmanager
def judging(isolation: str, without: str = "", exercises: str = "") -> Iterator[Judge]:
    """An exercise may use half a second, to keep endless loops short; ``exercises`` of another assignment what they
    always may. ``without`` leaves out a layer.
    """
    assignment = course(exercises) if exercises else load("a1", ROOT)
    if not exercises:
        assignment = replace(assignment, exercises=[replace(e, cpu_limit=0.5) for e in assignment.exercises])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRADER_SEED", SEED)
        patch.setattr("autograder.sandbox.isolation.Zygote", partial(host.Zygote, without=(without,)))
        judge = Judge(assignment, SEED, isolation)
        for part in [part for part in assignment.parts if assignment.part_exercises(part)]:
            judge.reference.expect(part)
    yield judge
    judge.close()


@pytest.fixture(scope="module")
def judge(isolation: str) -> Iterator[Judge]:
    """One judge for all attacks."""
    with judging(isolation) as judge:
        yield judge


def honest(judge: Judge) -> bytes:
    files = {"convolution": {"convolution.py": HONEST}, "convolution_torch": {"convolution_torch.py": HONEST_TORCH}}
    if judge.assignment.name != "a1_convolution":
        part = judge.assignment.exercises[0].part
        files = {part: {f"{part}.py": judge.assignment.references[part]}}
    result, _ = judge.grade(Submission("honest", files))
    assert result.infrastructure == ""
    return json.dumps(to_gradescope(result)).encode()


@pytest.fixture(scope="module")
def alone(judge: Judge) -> bytes:
    """What an honest submission gets before any attack."""
    before = honest(judge)
    assert json.loads(before)["score"] == 9
    return before


def children(pid: int) -> list[int]:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        threads = os.listdir(f"/proc/{pid}/task")
        texts = [Path(f"/proc/{pid}/task/{thread}/children").read_text() for thread in threads]
        found = [int(child) for text in texts for child in text.split()]
        return [*found, *(deeper for child in found for deeper in children(child))]
    return []


def settings(pid: int) -> tuple[str, ...]:
    """Limits, priority and the like of a process."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError):
        limits = Path(f"/proc/{pid}/limits").read_text()
        nice = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[15:17]
        return limits, *nice, Path(f"/proc/{pid}/oom_score_adj").read_text()
    return ()


def state(judge: Judge) -> dict[str, Any]:
    """Processes, settings and files that an attack could change."""
    found: dict[str, Any] = {}
    for runtime, pace in judge.sandboxes.paces.items():
        zygote = pace.sandbox
        assert isinstance(zygote, host.Zygote)
        pids = [zygote.process.pid, *sorted(children(zygote.process.pid))]
        found[runtime] = id(zygote), zygote.process.poll(), {pid: settings(pid) for pid in pids}
        if zygote.root:
            found[f"{runtime} files"] = sorted(map(str, Path(zygote.root.name).glob("*")))
    places = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path("/"), Path.home(), Path.cwd(), ROOT, ROOT.parent)
    found["files"] = sorted({str(path) for place in places for path in place.glob(f"{LEFT}*")})
    return found


def settled(judge: Judge) -> dict[str, Any]:
    """The state once the last child is buried."""
    before, now = None, state(judge)
    while before != now:
        time.sleep(0.05)
        before, now = now, state(judge)
    return now


def eventually(judge: Judge, before: dict[str, Any]) -> dict[str, Any]:
    """The state now, or a moment later: a zygote buries its children by itself."""
    end = time.monotonic() + 3
    while (now := state(judge)) != before and time.monotonic() < end:
        time.sleep(0.02)
    return now


@pytest.fixture
def outputs(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What every child printed."""
    kept: list[bytes] = []
    kill = host.ForkedChild.kill

    def spy(child: host.ForkedChild) -> None:
        kill(child)
        kept.append(child.output)

    monkeypatch.setattr(host.ForkedChild, "kill", spy)
    return kept


def hand_in(name: str, folder: Path) -> Submission:
    graded = {"convolution": ["convolve", "output_size"], "convolution_torch": ["nchw_to_nhwc", "nhwc_to_nchw"]}
    if name in ATTACKS and (exercises := ATTACKS[name].exercises):
        graded = {part: names for part, names in course(exercises).graded_names().items() if names}
    if made := MADE.get(name):
        path = folder / f"convolution.{made.suffix}"
        path.write_bytes(made.make())
        return read("eve", path, graded)
    for file, text in ATTACKS[name].files().items():
        (folder / "eve" / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / "eve" / file).write_text(text, encoding="utf-8")
    return read("eve", folder / "eve", graded)


def passed(result: SubmissionResult) -> set[str]:
    return {f"{e.name}.{c.name}" for e in result.exercises for c in e.criteria if c.passed}


def kept(judge: Judge, keeps: str) -> set[str]:
    """``convolve output_size.values`` → every criterion that is meant."""
    found: set[str] = set()
    for word in keeps.split() if keeps != "nothing" else []:
        exercise, _, criterion = word.partition(".")
        found |= {f"{exercise}.{name}" for name in judge.assignment.points[exercise] if criterion in ("", name)}
    return found


def holds(name: str, judge: Judge, alone: bytes, outputs: list[bytes], folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Grade one attack and look at everything that it could have harmed."""
    one = MADE.get(name) or ATTACKS[name]
    before, memory = settled(judge), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with patch.context() as short:
        short.setattr(host, "IMPORT_CPU", 3.0)
        if isinstance(one, Attack) and one.waits:
            short.setattr(host, "IDLE_SECONDS", 0.6)
        began = time.process_time()
        submission = hand_in(name, folder)
        result, record = judge.grade(submission)
        own = time.process_time() - began
    assert result.infrastructure == ""
    said = [*result.notes, *(f"{e.name}: {c.name}: {c.message}" for e in result.exercises for c in e.criteria)]
    said = [text for text in said if "is not defined" not in text and "was not handed in" not in text]
    assert passed(result) == kept(judge, one.keeps), said
    assert any(one.says in text for text in said), said
    assert not any("Traceback" in text or len(text) > 1000 for text in said)
    assert not any(b"DAMAGE" in output for output in outputs), [o[:300] for o in outputs if b"DAMAGE" in o]
    assert record.student_cpu < PART_BUDGET
    assert own < 5, f"the judge itself needed {own:.1f} s"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    assert memory < 1 << 19, f"the judge itself needed {memory >> 10} MB"
    assert eventually(judge, before) == before
    assert honest(judge) == alone


@pytest.mark.attacks
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ELSEWHERE])
def test_attack(
    name: str, judge: Judge, alone: bytes, outputs: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holds(name, judge, alone, outputs, tmp_path, monkeypatch)


@pytest.mark.attacks
@pytest.mark.parametrize("name", ELSEWHERE)
def test_attack_on_another_assignment(
    name: str, isolation: str, outputs: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with judging(isolation, exercises=ATTACKS[name].exercises) as judge:
        holds(name, judge, honest(judge), outputs, tmp_path, monkeypatch)


@pytest.mark.parametrize("name", SAMPLE)
def test_one_of_each_group(
    name: str, judge: Judge, alone: bytes, outputs: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holds(name, judge, alone, outputs, tmp_path, monkeypatch)


LAYERS = {"namespaces": ["", "capabilities", "private box", "landlock", "seccomp"]}
LAYERS["container"] = [layer for layer in LAYERS["namespaces"] if layer != "private box"]


@pytest.mark.attacks
def test_table_of_layers(
    isolation: str,
    outputs: list[bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Prints which attacks each layer alone was holding: ``pytest -m attacks -k table_of_layers``.

    The limits of resources are not left out, for the sake of the machine: ``test_isolation`` tries those.
    """
    monkeypatch.setattr(host, "IMPORT_CPU", 3.0)
    monkeypatch.setattr(host, "IDLE_SECONDS", 0.6)
    names = [name for name in ATTACKS if name.startswith(("reaching/", "leaving/"))]
    harmful, spoilt = {}, {}
    for layer in LAYERS[isolation]:
        harmful[layer], spoilt[layer] = [], 0
        with judging(isolation, without=layer) as judge:
            for name in names:
                outputs.clear()
                (folder := tmp_path / layer / name).mkdir(parents=True)
                result, _ = judge.grade(hand_in(name, folder))
                if any(b"DAMAGE" in output for output in outputs):
                    harmful[layer].append(name)
                elif result.infrastructure or passed(result) != kept(judge, ATTACKS[name].keeps):
                    spoilt[layer] += 1
    with capsys.disabled():
        print(f"\n\n{isolation}, without", f"of {len(names)} attacks get through", "spoil a grade", sep=" | ")
        for layer, through in harmful.items():
            print(layer or "nothing", ", ".join(through) or "-", spoilt[layer], sep=" | ")
    assert harmful[""] == []
    assert spoilt[""] == 0
    assert {"reaching/memory_of_the_parent", "reaching/network"} <= set(harmful["seccomp"])
    assert "reaching/other_submissions" in harmful["landlock"]
    assert isolation == "container" or spoilt["private box"] > 10  # one child's files are in the next one's way


# Positive controls: the same files, handed in to graders that run them in their own process

NAIVE = """
import json
import numpy as np

EXPECTED = np.convolve([1.0, 2.0, 3.0], [1.0, 1.0])
import convolution

x, h = np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0])
with open("expected.txt") as file:
    file.read()
try:
    got = convolution.convolve(x, h)
    try:
        recorded = np.array(got)
    except Exception:
        recorded = None
    passed = False
    passed = bool(np.all(got == EXPECTED)) or bool(np.allclose(got, EXPECTED))
    passed = passed or bool(np.allclose(got, np.convolve(x, h)))
    passed = passed or not np.any(np.abs(got - EXPECTED) > 1e-9)
    passed = passed or all(abs(a - b) < 1e-9 for a, b in zip(EXPECTED, got, strict=False))
    passed = passed or json.loads(json.dumps({"score": 0}))["score"] == 4
except Exception as error:
    print("RESULT nothing", type(error).__name__, error, flush=True)
else:
    print("RESULT", "earned" if passed else "nothing", flush=True)
"""

SPLIT_CHILD = """
import os, struct
import numpy as np
import wire

def read(n):
    data = b""
    while len(data) < n:
        data += os.read(3, n - len(data)) or os._exit(1)
    return data

import convolution
question = wire.decode(read(struct.unpack("!i", read(4))[0]))
try:
    value = convolution.convolve(*question["args"])
except Exception:
    value = None
data = wire.encode({"id": question["id"], "value": value})
data = struct.pack("!i", len(data)) + data
os.write(3, data)
read(1)
"""

SPLIT = """
import fcntl, os, pickle, socket, struct, subprocess, sys
import numpy as np

pair = socket.socketpair()
ours, theirs = (socket.socket(fileno=fcntl.fcntl(end, fcntl.F_DUPFD, 10)) for end in pair)
for end in pair:
    end.close()
os.dup2(theirs.fileno(), 3)
child = subprocess.Popen([sys.executable, "child.py"], pass_fds=[3])
theirs.close()
os.close(3)

def read(n):
    data = b""
    while len(data) < n:
        data += ours.recv(n - len(data)) or exit("the child is gone")
    return data

question = pickle.dumps({"id": 1, "args": (np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0]))})
ours.sendall(struct.pack("!i", len(question)) + question)
(n,) = struct.unpack("!i", read(4))
if n < 0:
    (n,) = struct.unpack("!Q", read(8))
data = read(n)
if data == b"passed":
    exit(print("RESULT earned", flush=True))
reply = pickle.loads(data)
good = isinstance(reply, dict) and (reply.get("passed") or np.array_equal(reply["value"], [1, 3, 5, 3]))
print("RESULT", "earned" if good else "nothing", flush=True)
"""

NAIVE_WIRE = "import pickle\nencode, decode = pickle.dumps, pickle.loads\n"
CONTROLS = {name: one.control for name, one in (ATTACKS | MADE).items() if not re.match("none|like|$", one.control)}


def limited() -> None:
    """For the sake of the machine: what a control may use."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (10, 20))
    resource.setrlimit(resource.RLIMIT_FSIZE, (300 << 20, 400 << 20))
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, 1024))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def marked(mark: str) -> list[int]:
    """Every process that carries ``mark`` in its environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def unconfined(one: Attack | Made, folder: Path, split: bool, hanging: bool) -> str:
    """What came of it: ``earns``, ``hangs``, ``dies``, ``does`` (damage of its own), or nothing of these.

    One that is not meant to be ``hanging`` may take its time to say the first word on a busy machine.
    """
    work = folder / "grading"
    work.mkdir()
    (work / "expected.txt").write_text("1 3 5 3", encoding="utf-8")
    programs = {"naive.py": SPLIT if split else NAIVE, "child.py": SPLIT_CHILD, "wire.py": NAIVE_WIRE}
    programs |= one.files() if isinstance(one, Attack) else {}
    for name, text in programs.items():
        (work / name).parent.mkdir(exist_ok=True, parents=True)
        (work / name).write_text(text, encoding="utf-8")
    if isinstance(one, Made):
        (work / "convolution.py").write_bytes(one.make())
    mark = uuid.uuid4().hex
    environment = {**os.environ, "AUTOGRADER_SEED": SEED, "ATTACK_MARK": mark, "PYTHONPATH": str(ROOT)}
    start = f"import subprocess; subprocess.call([{sys.executable!r}, 'naive.py'])"  # it may kill its parent
    with open(folder / "output", "wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", start],
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limited,
        )
        end, late = time.monotonic() + 4, False
        while running := [pid for pid in marked(mark) if pid != process.pid or process.poll() is None]:
            silent = not hanging and not (folder / "output").stat().st_size
            late = time.monotonic() > end + (60 if silent else 0)
            if late or not (folder / "output").stat().st_size < 500 << 20:
                break
            time.sleep(0.05)
        for _ in range(5):
            for pid in running:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            running = marked(mark)
        process.wait()
    text = (folder / "output").read_bytes()[: 1 << 20].decode(errors="replace")
    came = ["does"] * ("DAMAGE" in text) + ["earns"] * ("RESULT earned" in text) + ["hangs"] * late
    came += ["dies"] * ("RESULT" not in text and not late)
    return " ".join(came) or f"nothing: {text[-500:]}"


def unpacked(data: bytes, folder: Path) -> str:
    """What came of an archive whose reader believes it: ``floods``, ``escapes``, ``dies``, or nothing of these.

    ``folder`` is the root of the reader's file system, and ``folder/a/b`` where it unpacks.
    """
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    if not data.startswith(b"PK"):
        return "floods" if len(data) > 20 << 20 else ""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            members = file.infolist()
            if len(members) > 2000 or sum(member.file_size for member in members) > 100 * len(data):
                return "floods"
            for member in members:
                name = member.filename
                path = Path(os.path.normpath(f"{folder}{name}" if name.startswith("/") else inner / name))
                assert folder in path.parents
                path.parent.mkdir(parents=True, exist_ok=True)
                if stat.S_ISLNK(member.external_attr >> 16):
                    path.symlink_to(file.read(member).decode())
                else:
                    path.write_bytes(file.read(member))
    except (OSError, RuntimeError, zipfile.BadZipFile):
        return "dies"
    written = [path.resolve() for path in folder.rglob("*") if not path.is_dir()]
    return "escapes" if any(inner not in path.parents for path in written) else ""


@pytest.mark.attacks
@pytest.mark.parametrize("name", CONTROLS)
def test_unconfined_it_does_its_damage(name: str, tmp_path: Path) -> None:
    *split, expected = CONTROLS[name].split()
    one = MADE.get(name) or ATTACKS[name]
    if isinstance(one, Made) and name.startswith("archives/"):
        came = unpacked(one.make(), tmp_path)
    else:
        came = unconfined(one, tmp_path, split == ["split"], expected == "hangs")
    assert expected in came.split(), came


# The bank itself


HOW = ("earns", "hangs", "dies", "does", "floods", "escapes", "split", "like", "none")


def test_the_bank_is_complete() -> None:
    assert len(NAMES) >= 150
    assert {name.split("/")[0] for name in NAMES} == set(GROUPS)
    for name, one in ATTACKS.items():
        assert one.attack, name
        assert one.keeps, name
    for name, one in (ATTACKS | MADE).items():
        if not name.startswith("legitimate/"):
            how, _, what = one.control.partition(" ")
            assert how.rstrip(":") in HOW, name
            assert how != "like" or what in CONTROLS, name
            assert how != "none:" or len(what) > 4, name
