"""A class in which every input that once ended or choked a whole run sits beside honest students.

Each gets a result or a reason, and the honest ones get, to the byte, what they get without the others.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import socket
import statistics
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder import grading
from autograder.cli import main
from autograder.collect.students import collect
from autograder.decimals import total
from autograder.loading import load
from autograder.sandbox import mounts
from autograder.store import folder_of, read_results
from autograder.text import printable
from autograder.workers import Grader

ROOT = Path(__file__).parent.parent
# Of what an honest submission costs the judge, or of the memory that a class of them takes
MOST_CPU, MOST_MEMORY = 200, 8
HONEST = """import numpy as np

def convolve(x, h):
    if not len(x) * len(h):
        raise ValueError
    y = np.zeros(len(x) + len(h) - 1)
    for k, s in enumerate(x):
        y[k : k + len(h)] += s * h
    return y
"""
# Takes the protocol over at import and answers each question with what the next lines make of its number.
WIRE = """import os, struct, msgpack, wire
import numpy as np

def take(n):
    data = b""
    while len(data) < n:
        chunk = os.read(3, n - len(data))
        if not chunk:
            os._exit(0)
        data += chunk
    return data

def send(data):
    data = memoryview(struct.pack("!i", len(data)) + data)
    while data:
        data = data[os.write(3, data):]

def packed(body, **fields):
    pairs = b"".join(b"\\x92" + msgpack.packb(key) + value for key, value in fields.items())
    skeleton = b"\\x92" + msgpack.packb("dict") + bytes([0x90 + len(fields)]) + pairs
    send(struct.pack("<I", len(skeleton)) + skeleton + body)

def questions():
    send(wire.encode({"id": 0, "value": None, "changed": False, "cpu": 0.0}))
    while True:
        yield msgpack.packb(wire.decode(take(struct.unpack("!i", take(4))[0]))["id"])

NO, ZERO = msgpack.packb(False), msgpack.packb(0.0)
"""
ARRAYS = WIRE + "LARGE, BODY = msgpack.packb(['list', [['array', '<f8', [8]]] * 40_000]), bytes(64 * 40_000)\n"
THREADS = """
import ctypes, mmap
libc = ctypes.CDLL(None, use_errno=True)
area = mmap.mmap(-1, 4096, prot=7)
area.write(bytes.fromhex("b822000000" "0f05" "ebf7"))  # pause() for ever
entry = ctypes.addressof(ctypes.c_char.from_buffer(area))
attributes = ctypes.create_string_buffer(256)
libc.pthread_attr_init(attributes)
libc.pthread_attr_setstacksize(attributes, ctypes.c_size_t(16384))
for _ in range(3000):
    libc.pthread_create(ctypes.byref(ctypes.c_ulong()), attributes, ctypes.c_void_p(entry), None)
"""
SOURCES = {
    "id is an array": WIRE + "send(wire.encode({'id': np.zeros(2)}))\n",
    "a field is an array": WIRE + "FIELD = msgpack.packb(['array', '<f8', [2]])\n"
    "for n in questions(): packed(bytes(16), id=n, unsuitable=FIELD)\n",
    "arrays in detail": ARRAYS + "NAME = msgpack.packb('KeyError')\n"
    "for n in questions(): packed(BODY, id=n, raised=NAME, detail=LARGE)\n",
    "arrays in malformed": ARRAYS + "for n in questions(): packed(BODY, id=n, malformed=LARGE)\n",
    "tiny arrays": WIRE + "LARGE = msgpack.packb(['list', [['tensor', '<f8', [0] * 20, 'gaps']] * 40_000])\n"
    "for n in questions(): packed(b'', id=n, value=LARGE, changed=NO, cpu=ZERO)\n",
    "64 MB each time": WIRE + "LARGE, BODY = msgpack.packb(['array', '<f8', [8_000_000]]), bytes(64_000_000)\n"
    "for n in questions(): packed(BODY, id=n, value=LARGE, changed=NO, cpu=ZERO)\n",
    "huge around nothing": "import numpy as np\ndef convolve(x, h): return np.zeros((1 << 26, 32, 0))\n",
    "huge around a dimension": "import numpy as np\ndef convolve(x, h): return np.zeros((1, 0, 1 << 19))\n",
    "threads": THREADS,
    "loop": "def convolve(x, h):\n    while True: pass\n",
    "exit": "import os\ndef convolve(x, h): os._exit(0)\n",
    "exit at import": "raise SystemExit(0)\n",
    "messages": "class E(Exception): pass\ndef convolve(x, h): raise E('\\x1b[31m\\r=1+1')\n",
}


def marks(number: int) -> str:
    """65 kB of combining marks, which a normal form would sort in quadratic time."""
    return f"{number}a" + "\u0301" * 16_000 + "\u0327" * 16_000


def crowded(path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(20):
            info = zipfile.ZipInfo("x")
            info.filename = f"{marks(number)}.py"
            archive.writestr(info, HONEST)
    path.write_bytes(buffer.getvalue())


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        here = os.getcwd()
        os.chdir(path.parent)  # the address of a socket is short
        try:
            made.bind(path.name)
        finally:
            os.chdir(here)


def folder(path: Path, source: str = HONEST) -> None:
    path.mkdir()
    (path / "convolution.py").write_text(source, encoding="utf-8")


def in_another_age(path: Path) -> None:
    folder(path)
    os.utime(path / "convolution.py", ns=(1 << 62, 1 << 62))
    os.utime(path / "convolution.py", (1 << 40, 1 << 40))


PLACES: dict[bytes, Callable[[Path], None]] = {
    b"eve\xff": folder,
    b"pipe.py": os.mkfifo,
    b"socket.py": bound,
    b"marks.zip": crowded,
    b"beyond 9999": in_another_age,
    b"n" * 250: folder,
    b"n" * 249 + b"m": folder,
    b"report.html": folder,
    b"report.html_": folder,
    b"\x1b[31mred\r\n": folder,
    b";=1+1": folder,
}
QUICK = (
    "id is an array",
    "a field is an array",
    "arrays in detail",
    "exit at import",
    "messages",
    "huge around nothing",
)


@pytest.fixture(params=["namespaces", "container"])
def isolation(request: pytest.FixtureRequest) -> str:
    if request.param == "container" and os.geteuid() == 0 and (closed := mounts.closed_folder("numpy")):
        pytest.skip(f"The user nobody cannot reach Python: {closed} is closed to others.")
    return str(request.param)


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course whose first assignment is due, graded in this process, so that what a judge costs can be read."""
    solutions = tmp_path / "course" / "solutions"
    shutil.copytree(ROOT / "solutions", solutions, ignore=shutil.ignore_patterns("__pycache__"))
    settings = solutions / "a1_convolution" / "assignment.toml"
    settings.write_text("due = 2999-03-01T12:00:00Z\n" + settings.read_text(encoding="utf-8"), encoding="utf-8")

    def here(setting: object, tasks: list[object], _: int) -> Iterator[object]:
        grader = Grader(setting)  # type: ignore[arg-type]
        try:
            yield from map(grader.grade, tasks)  # type: ignore[arg-type]
        finally:
            grader.close()

    monkeypatch.setattr(grading, "grade_tasks", here)
    return tmp_path / "course"


def grade(course: Path, submissions: Path, out: Path, isolation: str) -> int:
    """The exit code; and the peak of memory, in MiB, that this process had."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    command = ["--course", str(course), "grade", "a1", str(submissions), "-o", str(out), "--seed", "public"]
    assert main([*command, "--require-isolation", isolation]) == 0
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) >> 10


def holds(
    course: Path, place: Path, isolation: str, hostile: dict[str, str], honest: int, output: pytest.CaptureFixture[str]
) -> None:
    """Grade the honest alone, then with everybody else, and compare."""
    names = [f"ann{number:02}" for number in range(honest)]
    for group in ("alone", "together"):
        (place / group).mkdir()
        for name in names:
            folder(place / group / name, f"# {name}\n{HONEST}")
    together = os.fsencode(place / "together")
    for name, make in PLACES.items():
        make(Path(os.fsdecode(os.path.join(together, name))))
    for name, source in hostile.items():
        folder(place / "together" / name, source)
    memory = {group: grade(course, place / group, place / f"{group}.out", isolation) for group in ("alone", "together")}
    out, said = place / "together.out", output.readouterr()

    students = collect([place / "together"], load("a1", ROOT).graded_names()).students
    found = [(one.key, one.attempt.path) for one in students if one.attempt and one.attempt.path]
    assert len(found) == honest + len(PLACES) + len(hostile)
    assert printable(said.out + said.err) == said.out + said.err
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert len(rows) == len(found)
    assert len({folder_of(out, student) for student, _ in found}) == len(found)
    full = total(load("a1", ROOT).points["convolve"].values())
    cost = {}
    for student, path in found:
        result, record = read_results(folder_of(out, student))
        cost[student] = record.grader_cpu
        assert result.student == student
        assert not result.infrastructure
        reasons = [*result.notes, *(c.message for e in result.exercises for c in e.criteria)]
        assert result.score == full or any(reasons), path
        assert result.score == (0 if student in hostile or path.suffix in (".py", ".zip") else full), (path, reasons)
        json.loads((folder_of(out, student) / "results.json").read_text(encoding="utf-8"))
    for name in names:
        for file in ("results.json", "feedback.html"):
            assert (out / name / file).read_bytes() == (place / "alone.out" / name / file).read_bytes()

    usual = statistics.median(cost[name] for name in names)
    worst = max(cost, key=lambda student: cost[student])
    with output.disabled():
        print(f"\n{isolation}: memory {memory['alone']} MiB alone, {memory['together']} MiB together;", end=" ")
        print(f"CPU of the judge {usual:.2f} s, at most {cost[worst]:.2f} s ({printable(worst)})")
    assert cost[worst] < MOST_CPU * usual
    assert memory["together"] < MOST_MEMORY * memory["alone"]


def test_a_small_hostile_class(course: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    holds(course, tmp_path, "namespaces", {name: SOURCES[name] for name in QUICK}, 3, capsys)


@pytest.mark.attacks
def test_a_hostile_class_of_forty(
    course: Path, tmp_path: Path, isolation: str, capsys: pytest.CaptureFixture[str]
) -> None:
    holds(course, tmp_path, isolation, SOURCES, 40 - len(PLACES) - len(SOURCES), capsys)
