"""Fuzzing of what reads hostile bytes and answers: ``python tests/scale/fuzz.py [SECONDS]`` (600).

Mutated frames go to the wire decoder, from which only WireError may come; mutated .py, .ipynb and .zip files to
``submission.discover``, from which only SubmissionPathError may come, and to ``submission.read``, from which nothing
may. Random answers (``answers.py`` beside this file) go to every check of every assignment, from which nothing may
come. An input that takes more than 2 seconds of CPU or 500 MB is a finding too. Findings are made small and written to
build/fuzz. The seed is printed; ``FUZZ_SEED=...`` repeats a run.
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
from answers import Checks  # beside this script

from autograder import demo, loading
from autograder.judge import Judge
from autograder.sandbox import wire
from autograder.sandbox.isolation import choose
from autograder.submission import SubmissionPathError, discover, read

ROOT = Path(__file__).resolve().parents[2]
SLOW, HUNG, LARGE = 2.0, 20.0, 500  # seconds of CPU that are a finding, and that are the end; MiB
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
    demo.write_class(loading.load("a1", ROOT), folder)
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
                judge.expect(part)
        found.append(Checks(judge.assignment, judge.inputs, judge.expected))
    return found


class Fuzzer:
    """Runs inputs under watch and keeps what should not have happened."""

    def __init__(self, seed: int, folder: Path, kept: Path, checks: list[Checks]) -> None:
        self.mutator, self.folder, self.kept, self.checks = Mutator(seed), folder, kept, checks
        assignment = loading.load("a1", ROOT)
        self.graded = assignment.graded_names()
        self.frames, self.files = frames(), handed_in(folder / "class")
        self.executions: Counter[str] = Counter()
        self.accepted: Counter[str] = Counter()
        self.slowest: dict[str, float] = {}
        self.findings: dict[str, str] = {}

    def step(self) -> None:
        """A thousand frames, some thousand times cheaper than files, ten files of each kind, and a hundred answers."""
        r = self.mutator.random
        for _ in range(1000):
            if r.random() < 0.3:
                skeleton = msgpack.packb(self._packable())
                self._try("wire", struct.pack("<I", len(skeleton)) + skeleton + r.randbytes(r.choice((0, 0, 8, 48))))
            else:
                self._try("wire", self.mutator.mutate(r.choice(self.frames), r.choice(self.frames)))
        for suffix, corpus in self.files.items():
            for _ in range(10):
                data = self.mutator.mutate(r.choice(corpus), r.choice(corpus))
                if suffix == ".zip" and r.random() < 0.5:
                    data = self._archive()
                elif suffix == ".ipynb" and r.random() < 0.5:
                    data = self._notebook()
                self._try(suffix, data)
        tracemalloc.start()  # which makes everything else slow
        for _ in range(100):
            self._try(".answer", r.randbytes(8))
        tracemalloc.stop()

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
        targets: dict[str, Callable[[str, bytes], None]] = {"wire": self._decode, ".answer": self._check}
        target = targets.get(kind, self._read)
        start, problem, before = time.process_time(), "", _peak_memory()
        signal.setitimer(signal.ITIMER_PROF, HUNG)
        try:
            target(kind, data)
        except Hung:
            problem = f"{kind}: more than {HUNG:g} s"
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            frame = traceback.extract_tb(error.__traceback__)[-1]
            problem = f"{kind}: {type(error).__name__} from {Path(frame.filename).name}:{frame.lineno}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = time.process_time() - start
        if seconds > SLOW:
            problem = problem or f"{kind}: more than {SLOW:g} s"
        if _peak_memory() - before > LARGE:
            problem = problem or f"{kind}: more than {LARGE} MiB"
            _reset_peak()
        return problem, seconds

    def _decode(self, kind: str, data: bytes) -> None:
        with contextlib.suppress(wire.WireError):
            value = wire.decode(data)
            self.accepted[kind] += 1
            wire.encode(value)  # what is let in can be written again

    def _check(self, kind: str, data: bytes) -> None:
        """The answer that is drawn with ``data`` for a seed."""
        rng = np.random.default_rng(list(data))
        self.checks[int(rng.integers(len(self.checks)))].one(rng)
        self.accepted[kind] += 1

    def _read(self, kind: str, data: bytes) -> None:
        path = self.folder / f"s{kind}"
        path.write_bytes(data)
        with contextlib.suppress(SubmissionPathError):
            for student, found in discover([path], self.graded):
                result = read(student, found, self.graded)
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
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _reset_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 600.0
    checks = every_check()  # before the limits, which the sandbox would inherit
    signal.signal(signal.SIGPROF, _stop)
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT << 20, resource.RLIM_INFINITY))
    seed = int(os.environ.get("FUZZ_SEED", time.time_ns() % 2**32))
    warnings.simplefilter("ignore")
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    try:
        fuzzer = Fuzzer(seed, folder, ROOT / "build" / "fuzz", checks)
        print(f"seed {seed}, {seconds:g} s", flush=True)
        before = _peak_memory()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            fuzzer.step()
    finally:
        shutil.rmtree(folder)
    for kind, count in fuzzer.executions.items():
        print(f"{kind:<7}{count:>9} inputs, {fuzzer.accepted[kind]} accepted, slowest {fuzzer.slowest[kind]:.2f} s")
    print(f"peak memory {before:.0f} MiB before, {_peak_memory():.0f} after; {len(fuzzer.findings)} findings")
    return 1 if fuzzer.findings else 0


if __name__ == "__main__":
    sys.exit(main())
