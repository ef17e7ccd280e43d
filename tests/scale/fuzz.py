"""Fuzzing of what others write: ``python tests/scale/fuzz.py [SECONDS [PART ...]]`` (600, and every one of ``PARTS``).

- ``frames``: mutated frames for the wire decoder, from which only WireError may come,
- ``files``: mutated .py, .ipynb and .zip files for ``submission.read``, from which nothing may come,
- ``collect``: mutated exports of every platform, from which only CollectError may come, and nobody may be lost
  (``inboxes.py``),
- ``replies``: what children may reply, from ``protocol`` to the reports (``replies.py``),
- ``classes``: folders of hostile names, files and dates, through the command line (``classes.py``),
- ``edits``: what teachers write by hand (``edits.py``),
- ``answers``: random answers to every check of every assignment, from which nothing may come (``answers.py``).

No student's code runs. An input that takes more CPU or memory than its part may is a finding too. Findings that are
bytes are made small and written to build/fuzz; of the others the seed is printed, which ``FUZZ_CASE`` repeats. So does
``FUZZ_SEED`` a whole run.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import resource
import shutil
import signal
import struct
import sys
import tempfile
import time
import traceback
import tracemalloc
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import classes
import edits
import inboxes
import msgpack
import numpy as np
import replies
from answers import Checks
from pretended import pretending

from autograder import demo, loading, workers
from autograder.judge import Judge
from autograder.sandbox import wire
from autograder.sandbox.isolation import choose
from autograder.submission import read

ROOT = Path(__file__).resolve().parents[2]
SLOW, HUNG, LARGE = 2.0, 120.0, 500  # seconds of CPU that are a finding, and that are the end; MiB
SLOW_GRADING = 60.0  # seconds, most of them for the answers of the bank, for a submission's answers, or a class's files
LIMIT = 4000  # MiB that this process may have at all
SHRINK_SECONDS = 10.0

WORDS = [
    *(bytes([n]) for n in (0x00, 0x7F, 0x80, 0xC0, 0xC1, 0xC4, 0xC7, 0xCB, 0xD9, 0xDC, 0xDD, 0xDE, 0xDF, 0xFF)),
    *(struct.pack(code, n) for code in ("<I", ">I", "<H", ">Q") for n in (0, 1, 255, 65535)),
    *(b"list", b"tuple", b"dict", b"array", b"tensor", b"<f8", b"|b1", b"<c16", b"|u1", b"\x93\xa5array\xa3<f8\x91"),
    *(b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x06", b"../", b"__MACOSX/", b"\xff\xfe", b"\xef\xbb\xbf"),
    *(
        b"# coding: utf-7\n",
        b"# coding: hex\n",
        b"# coding: utf-16\n",
        b"\r",
        b"\0",
        b"\\ud800",
        b'"cells": [',
        b"1e999",
    ),
    *(
        b"lambda: ",
        b"def convolve(x, h):\n",
        b"class Conv2d:\n",
        b"nonlocal x\n",
        b"global convolve\n",
        b"import convolution\n",
    ),
    *(
        b"from . import *\n",
        b"match x:\n case [a, *b]: pass\n",
        b"f'{x!r:{y}}'",
        b"%%bash\n",
        b"!ls\n",
        b"convolve = f(convolve)\n",
    ),
    *(b"(" * 200, b"[" * 2000, b"-" * 5000, b"{" * 100, b"[x for x in " * 20, b"a." * 500, b"if x:\n" * 3, b"9" * 5000),
]


class Hung(BaseException):
    """An input was stopped; no handler of what is fuzzed takes this for its own."""


def _stop(*_: object) -> None:
    raise Hung


class Mutator:
    """Seeded mutation of bytes: flips, splices, repeats and the words of the formats."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def mutate(self, data: bytes, other: bytes) -> bytes:
        result = bytearray(data)
        for _ in range(1 << self.random.randrange(5)):
            self._once(result, other)
        return bytes(result[: 1 << 22])

    def _once(self, data: bytearray, other: bytes) -> None:
        r = self.random
        at = r.randrange(len(data) + 1)
        to = min(len(data), at + int(r.paretovariate(0.7)))
        match r.randrange(8):
            case 0 if at < len(data):
                data[at] ^= 1 << r.randrange(8)
            case 1 if at < len(data):
                data[at] = r.randrange(256)
            case 2:
                del data[at:to]
            case 3:
                data[at:at] = r.choice(WORDS)
            case 4:
                word = r.choice(WORDS)
                data[at : at + len(word)] = word
            case 5:
                data[at:at] = data[at:to] * r.choice((1, 2, 16, 200))
            case 6:
                start = r.randrange(len(other) + 1)
                data[at:to] = other[start : start + int(r.paretovariate(0.5))]
            case _:
                del data[at:]

    def tree(self, depth: int = 0) -> Any:
        """What msgpack can hold, near what a frame holds: tags, shapes and types in wrong places."""
        r = self.random
        if depth > 6 or r.random() < 0.35:
            numbers = (0, 1, -1, 3, 2**31, 2**63, 2**64 - 1, -(2**63), float("nan"), float("inf"), 2**26)
            texts = ("array", "tensor", "list", "dict", "<f8", "|b1", "<i4", "f8", ">f8", "O", "é")
            return r.choice((None, True, b"x", *numbers, *texts))
        items = [self.tree(depth + 1) for _ in range(r.randrange(5))]
        match r.randrange(5):
            case 0:
                return items
            case 1:
                return [r.choice(("list", "tuple")), items]
            case 2:
                return ["dict", [[item, self.tree(depth + 1)] for item in items]]
            case 3:
                shape = [r.choice((0, 1, 2, 3, 2**20, 2**40, 2**62, -1)) for _ in range(r.randrange(5))]
                return [r.choice(("array", "tensor")), r.choice(("<f8", "|b1", "<c16", "|u1", "<f2", "|V8")), shape]
            case _:
                return {r.choice("abc"): item for item in items}


def frames() -> list[bytes]:
    """Frames as children send them."""
    arrays = [np.arange(6.0).reshape(2, 3), np.array([True, False]), np.zeros((0, 4), np.int8), np.float32(3)]
    values: list[Any] = [
        *(None, 1, -0.5, "é", [], (1, [2]), {1: "a", (2, "b"): None}, *arrays),
        {"id": 2**52, "value": (arrays[0], arrays[1]), "changed": False, "cpu": 0.25},
        {"id": 7, "raised": "ValueError", "detail": "x" * 300},
        [np.ones((2, 3, 4, 5), np.float32), {"dx": arrays[0], "dw": [arrays[2]] * 3}, np.array([1 + 2j])],
    ]
    return [wire.encode(value) for value in values]


def handed_in(folder: Path) -> dict[str, list[bytes]]:
    """Files of the demo class and the course's own, by suffix; each zip also without compression."""
    members = loading.grading_module("a1_convolution", ROOT, "demo").CLASS
    demo.write_class(loading.load("a1", ROOT), members, folder)
    found: dict[str, list[bytes]] = {".py": [], ".ipynb": [], ".zip": []}
    for path in sorted(folder.rglob("*")):
        if path.suffix in found:
            found[path.suffix].append(path.read_bytes())
    found[".ipynb"].append(_small_notebook())
    for level in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", level) as archive:
            archive.writestr("ada/convolution.py", "def convolve(x, h):\n    return helper(x)\n")
            archive.writestr("ada/helper.py", "# -*- coding: latin-1 -*-\nx = 1\n")
            archive.writestr("ada/lab.ipynb", _small_notebook())
        found[".zip"].append(buffer.getvalue())
    found[".py"].append(b"# coding: utf-8\nimport numpy as np\n\ndef convolve(x, h):\n    return np.convolve(x, h)\n")
    return found


def _small_notebook() -> bytes:
    sources = [
        "%matplotlib inline\nimport numpy as np",
        "N = 3\ndef convolve(x, h):\n    return pad(x) + N",
        "def pad(x):\n    global N\n    return [y for y in x if (z := y)]",
        "convolve = trace(convolve)\nclass Conv2d:\n    def __init__(self): self.w = N",
        "try:\n    import scipy\nexcept ImportError as e:\n    scipy = None\nT = {}\nT['a'] = lambda x: convolve(x, T)",
    ]
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": s.splitlines(True)} for s in sources]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def every_check() -> list[Checks]:
    """The checks of every assignment, with what the references answer in a sandbox."""
    found = []
    for name in loading.find_assignments(ROOT):
        with Judge(loading.load(name, ROOT), "public", choose()) as judge:
            for part in judge.assignment.parts:
                judge.reference.expect(part)
        found.append(Checks(judge.assignment, judge.key.inputs, judge.key.expected))
    return found


class Fuzzer:
    """Runs inputs under watch and keeps what should not have happened."""

    def __init__(self, seed: int, folder: Path, kept: Path, checks: Sequence[Checks] = ()) -> None:
        self.mutator, self.folder, self.kept, self.checks = Mutator(seed), folder, kept, checks
        assignment = loading.load("a1", ROOT)
        self.graded = assignment.graded_names()
        self.frames, self.files = frames(), handed_in(folder / "class")
        self.executions: Counter[str] = Counter()
        self.accepted: Counter[str] = Counter()
        self.slowest: dict[str, float] = {}
        self._grader: workers.Grader | None = None
        self.findings: dict[str, str] = {}

    def try_frames(self) -> None:
        r = self.mutator.random
        for _ in range(1000):  # some thousand times cheaper than files
            if r.random() < 0.3:
                skeleton = msgpack.packb(self._packable())
                self._try("wire", struct.pack("<I", len(skeleton)) + skeleton + r.randbytes(r.choice((0, 0, 8, 48))))
            else:
                self._try("wire", self.mutator.mutate(r.choice(self.frames), r.choice(self.frames)))

    def try_files(self) -> None:
        for suffix in self.files:
            for _ in range(10):
                self._try(suffix, self.content(suffix))

    def content(self, suffix: str) -> bytes:
        """A mutated file of this kind, or of any."""
        r = self.mutator.random
        corpus = self.files.get(suffix) or self.files[r.choice(list(self.files))]
        if suffix == ".zip" and r.random() < 0.5:
            return self._archive()
        if suffix == ".ipynb" and r.random() < 0.5:
            return self._notebook()
        return self.mutator.mutate(r.choice(corpus), r.choice(corpus))

    def try_replies(self) -> None:
        self._grader = self._grader or workers.Grader(workers.Setting("a1", ROOT, "fuzz", "namespaces"))
        self._try_case("replies", lambda seed: replies.step(seed, self._grader))

    def try_classes(self) -> None:
        def content(r: random.Random, suffix: str) -> bytes:
            return self.content(suffix) if r.random() < 0.5 else r.choice(self.files.get(suffix) or self.files[".py"])

        self._try_case("classes", lambda seed: classes.step(seed, self.folder / "classes", content, self.graded))

    def try_collect(self) -> None:
        for _ in range(20):  # no student's file is judged
            self._try_case("collect", lambda seed: inboxes.step(seed, self.folder / "inbox", self.mutator.mutate))

    def try_edits(self) -> None:
        course, out = self.folder / "course", self.folder / "grades"
        if not out.exists():
            classes.course(course, "")
            (self.folder / "two").mkdir()
            for student in ("ada", "eve"):
                (self.folder / "two" / f"{student}.py").write_text("x = 1\n", encoding="utf-8")
            with pretending(lambda source, question, right: right):
                classes.run(["--course", str(course), "grade", "a1", str(self.folder / "two"), "-o", str(out)])
        self._try_case("edits", lambda seed: edits.step(seed, course, out, self.mutator.mutate))

    def try_answers(self) -> None:
        """A hundred, since each is some thousand times cheaper than a grading."""

        def ask(seed: int) -> None:
            rng = np.random.default_rng(seed)
            for _ in range(100):
                self.checks[int(rng.integers(len(self.checks)))].one(rng)

        tracemalloc.start()  # which makes everything else slow
        self._try_case("answers", ask)
        tracemalloc.stop()

    def _try_case(self, part: str, step: Callable[[int], object]) -> None:
        """One input that is made from a seed of its own."""
        seed = int(os.environ.get("FUZZ_CASE", self.mutator.random.randrange(2**32)))
        state = self.mutator.random.getstate()
        self.mutator.random.seed(seed)
        problem, seconds = self._watched(part, lambda: step(seed), SLOW_GRADING)
        self.mutator.random.setstate(state)
        self.executions[part] += 1
        self.accepted[part] += not problem
        self.slowest[part] = max(seconds, self.slowest.get(part, 0.0))
        if problem and problem not in self.findings:
            self.findings[problem] = part
            print(f"FINDING FUZZ_CASE={seed}: {problem}", flush=True)

    def _packable(self) -> Any:
        while True:
            tree = self.mutator.tree()
            with contextlib.suppress(OverflowError, ValueError):
                msgpack.packb(tree)
                return tree

    def _archive(self) -> bytes:
        """A valid archive of mutated files, whose own structures are then damaged now and then."""
        r, buffer = self.mutator.random, io.BytesIO()
        names = [
            "convolution.py",
            "a/helper.py",
            "a/convolution_torch (1).py",
            "lab.ipynb",
            "é.py",
            "x/",
            "CON.py",
            "b.zip",
        ]
        if r.random() < 0.1:
            names += ["../x.py", "A/Helper.PY", "c:/x.py", "/x.py", "\x7f.py", "a//./helper.py"]
        attributes = (0, 0, 0o100644 << 16, 0o120777 << 16 if r.random() < 0.1 else 0)
        with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", r.choice((0, 8))) as archive:
            warnings.simplefilter("ignore")
            for name in r.sample(names, r.randrange(1, 6)):
                corpus = self.files[".ipynb" if name.endswith("b") else ".py"]
                info = zipfile.ZipInfo(name)
                info.external_attr = r.choice(attributes)
                archive.writestr(info, self.mutator.mutate(r.choice(corpus), r.choice(corpus)))
        data = buffer.getvalue()
        return self.mutator.mutate(data, data) if r.random() < 0.3 else data

    def _notebook(self) -> bytes:
        """A valid notebook with mutated cells, so that what is behind the JSON parser is reached."""
        r = self.mutator.random
        notebook = json.loads(r.choice(self.files[".ipynb"]))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for cell in r.sample(cells, r.randrange(1, min(5, len(cells)))):
            source = "".join(cell["source"]).encode(errors="replace")
            other = "".join(r.choice(cells)["source"]).encode(errors="replace")
            cell["source"] = self.mutator.mutate(source, other).decode(errors=r.choice(("replace", "surrogateescape")))
        r.shuffle(cells)
        return json.dumps({**notebook, "cells": cells}).encode()

    def _try(self, kind: str, data: bytes) -> None:
        problem, seconds = self._run(kind, data)
        self.executions[kind] += 1
        self.slowest[kind] = max(seconds, self.slowest.get(kind, 0.0))
        if problem and problem not in self.findings:
            small = self._shrink(kind, data, problem)
            self.findings[problem] = kind
            self.kept.mkdir(parents=True, exist_ok=True)
            path = self.kept / f"finding-{len(self.findings)}{kind if kind != 'wire' else '.frame'}"
            path.write_bytes(small)
            print(f"FINDING {path} ({len(small)} bytes): {problem}\n  {small[:200]!r}", flush=True)

    def _run(self, kind: str, data: bytes) -> tuple[str, float]:
        """What is wrong (empty if nothing), and the seconds of CPU."""
        target: Callable[[str, bytes], None] = self._decode if kind == "wire" else self._read
        return self._watched(kind, lambda: target(kind, data), SLOW)

    def _watched(self, kind: str, act: Callable[[], None], slow: float) -> tuple[str, float]:
        start, problem = time.process_time(), ""
        _reset_peak()
        before = _peak_memory()
        signal.setitimer(signal.ITIMER_PROF, HUNG)
        try:
            act()
        except Hung:
            problem = f"{kind}: more than {HUNG:g} s"
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            frame = traceback.extract_tb(error.__traceback__)[-1]
            problem = f"{kind}: {type(error).__name__} from {Path(frame.filename).name}:{frame.lineno}"
            if isinstance(error, AssertionError):
                problem += f" {frame.line}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = time.process_time() - start
        if seconds > slow:
            problem = problem or f"{kind}: more than {slow:g} s"
        if _peak_memory() - before > LARGE:
            problem = problem or f"{kind}: more than {LARGE} MiB"
        return problem, seconds

    def _decode(self, kind: str, data: bytes) -> None:
        with contextlib.suppress(wire.WireError):
            value = wire.decode(data)
            self.accepted[kind] += 1
            wire.encode(value)  # what is let in can be written again

    def _read(self, kind: str, data: bytes) -> None:
        path = self.folder / f"s{kind}"
        path.write_bytes(data)
        result = read("s", path, self.graded)
        self.accepted[kind] += bool(result.parts)
        json.dumps([result.student, {part: dict(files) for part, files in result.parts.items()}]).encode()
        "".join((*result.notes, *(s for files in result.parts.values() for s in files.values()))).encode()

    def _shrink(self, kind: str, data: bytes, problem: str) -> bytes:
        """Remove ever smaller blocks while the same thing goes wrong."""
        end, size = time.monotonic() + SHRINK_SECONDS, len(data) // 2
        while size and time.monotonic() < end:
            at, smaller = 0, False
            while at < len(data) and time.monotonic() < end:
                without = data[:at] + data[at + size :]
                if self._run(kind, without)[0] == problem:
                    data, smaller = without, True
                else:
                    at += size
            size = size if smaller and size == 1 else size // 2
        return data


def _peak_memory() -> float:
    """The largest resident size since the last reset, in MiB."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def _reset_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


PARTS: dict[str, Callable[[Fuzzer], None]] = {
    "frames": Fuzzer.try_frames,
    "files": Fuzzer.try_files,
    "replies": Fuzzer.try_replies,
    "classes": Fuzzer.try_classes,
    "collect": Fuzzer.try_collect,
    "edits": Fuzzer.try_edits,
    "answers": Fuzzer.try_answers,
}


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 600.0
    parts = [PARTS[name] for name in sys.argv[2:] or PARTS]
    checks = every_check() if Fuzzer.try_answers in parts else []  # before the limits, which a sandbox would inherit
    signal.signal(signal.SIGPROF, _stop)
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT << 20, resource.RLIM_INFINITY))
    seed = int(os.environ.get("FUZZ_SEED", time.time_ns() % 2**32))
    warnings.simplefilter("ignore")
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    start = _peak_memory()
    try:
        fuzzer = Fuzzer(seed, folder, ROOT / "build" / "fuzz", checks)
        print(f"seed {seed}, {seconds:g} s", flush=True)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for part in parts:
                part(fuzzer)
    finally:
        shutil.rmtree(folder)
    for kind, count in fuzzer.executions.items():
        print(f"{kind:<7}{count:>9} inputs, {fuzzer.accepted[kind]} accepted, slowest {fuzzer.slowest[kind]:.2f} s")
    print(f"memory {start:.0f} MiB at the start; {len(fuzzer.findings)} findings")
    return 1 if fuzzer.findings else 0


if __name__ == "__main__":
    sys.exit(main())
