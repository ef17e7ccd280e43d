"""Attacks on the sandbox from inside it, and what honest code may do there, in both isolations.

Each attack costs at most its own call and leaves nothing behind: after every test the same honest question, put to a
fresh child of the same zygote, must be answered with the same bytes. Where it is cheap, a positive control shows that
the attack does its damage outside. Where Landlock alone would refuse an attack, a zygote without it shows that the
wall behind it stands too.
"""

from __future__ import annotations

import gc
import importlib.metadata
import itertools
import os
import platform
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import autograder
from autograder.course import Assignment, Case, Criterion, Exercise, Part, inputs
from autograder.judge import Judge
from autograder.outcome import Malformed, Outcome, Raised, Stopped, Unsuitable, Value
from autograder.sandbox import host, mounts, policy
from autograder.sandbox.container_root import PREFIX, ContainerRoot, left_behind
from autograder.sandbox.host import ForkedChild, Zygote
from autograder.sandbox.protocol import ChildStopped, SandboxError, Source
from autograder.sandbox.wire import MAX_FRAME, Tensor, encode
from autograder.submission import Submission

SECRET = "term-seed-4f1c"
NOBODY = 65534


class Run(NamedTuple):
    """What came of one question: the outcomes of import and call, CPU seconds of the child, and its output."""

    imported: Outcome
    outcome: Outcome
    used: float
    output: bytes

    @property
    def tree(self) -> Any:
        assert isinstance(self.imported, Value), self.imported
        assert isinstance(self.outcome, Value), self.outcome
        return self.outcome.tree


def question(*args: Any, name: str = "f", seed: int = 1, **kwargs: Any) -> dict[str, Any]:
    return {"name": name, "driver": "", "args": args, "kwargs": kwargs, "seed": seed}


def start(zygote: Zygote, code: str, files: dict[str, str] | None = None, drivers: str = "") -> ForkedChild:
    return zygote.child(Source({"part.py": textwrap.dedent(code), **(files or {})}, "part", drivers))


def ask(zygote: Zygote, code: str, *args: Any, limit: float = 5.0, files: dict[str, str] | None = None) -> Run:
    """Import ``code`` in a fresh child, call its ``f`` with ``args``, end the child."""
    child = start(zygote, code, files)
    try:
        outcome = child.ask(question(*args), limit) if isinstance(child.imported, Value) else child.imported
    finally:
        child.kill()
    return Run(child.imported, outcome, child.used, child.output)


def unconfined(code: str, **options: Any) -> str:
    """The same code in a plain process of ours: the positive control."""
    code = textwrap.dedent(code) + "\nprint(f())"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, **options).stdout


HONEST = """
import numpy as np

def f(x, scale):
    \"\"\"Prints, uses random numbers, warns: all allowed.\"\"\"
    print("debugging")
    np.random.rand(3)
    return {"y": x @ x.T * scale, "n": [len(x), None, "ok"], "r": np.random.rand(4)}
"""


def honest(zygote: Zygote) -> bytes:
    return encode(ask(zygote, HONEST, np.arange(12.0).reshape(3, 4), 0.5).tree)


in_namespaces = pytest.mark.parametrize("isolation", ["namespaces"], indirect=True)
in_container = pytest.mark.parametrize("isolation", ["container"], indirect=True)


@pytest.fixture(scope="module", params=["namespaces", "container"])
def isolation(request: pytest.FixtureRequest) -> str:
    """Both, save where a judge that is root cannot become a user who reaches Python."""
    if request.param == "container" and os.geteuid() == 0 and (closed := mounts.closed_folder("torch")):
        pytest.skip(f"The user nobody cannot reach Python: {closed} is closed to others.")
    return str(request.param)


@pytest.fixture(scope="module")
def numpy_zygote(isolation: str) -> Iterator[Zygote]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRADER_SEED", SECRET)
        zygote = Zygote("numpy", isolation)
    yield zygote
    zygote.close()


@pytest.fixture(scope="module")
def bare_zygote(isolation: str) -> Iterator[Zygote]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRADER_SEED", SECRET)
        zygote = Zygote("numpy", isolation, without=("landlock",))
    yield zygote
    zygote.close()


@pytest.fixture(scope="module")
def torch_zygote(isolation: str) -> Iterator[Zygote]:
    zygote = Zygote("torch", isolation)
    yield zygote
    zygote.close()


@pytest.fixture(scope="module")
def answer(numpy_zygote: Zygote) -> bytes:
    return honest(numpy_zygote)


@contextmanager
def unharmed(zygote: Zygote, answer: bytes) -> Iterator[Zygote]:
    """Afterwards it must answer as at first, hold no child, and have left no file."""
    files = in_root(zygote)
    yield zygote
    assert honest(zygote) == answer
    assert not eventually_remaining(zygote)
    assert in_root(zygote) == files


@pytest.fixture
def box(numpy_zygote: Zygote, answer: bytes) -> Iterator[Zygote]:
    with unharmed(numpy_zygote, answer) as zygote:
        yield zygote


@pytest.fixture
def bare(bare_zygote: Zygote, answer: bytes) -> Iterator[Zygote]:
    """Without Landlock: behind bubblewrap the wall still stands; in a container this is the positive control."""
    with unharmed(bare_zygote, answer) as zygote:
        yield zygote


@pytest.fixture
def torch_box(torch_zygote: Zygote) -> Iterator[Zygote]:
    with unharmed(torch_zygote, honest(torch_zygote)) as zygote:
        yield zygote


def offspring(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def inner_pid(zygote: Zygote) -> int:
    """The zygote itself as this namespace sees it: behind a wall, the child of bubblewrap's first process."""
    if zygote.isolation == "container":
        return zygote.process.pid
    (init,) = offspring(zygote.process.pid)
    return min(offspring(init))


def remaining(zygote: Zygote) -> list[int]:
    """Every process of the sandbox but bubblewrap and the zygote, zombies too."""
    own = inner_pid(zygote)
    if zygote.isolation == "container":
        return offspring(own)
    (init,) = offspring(zygote.process.pid)
    return [*offspring(own), *(pid for pid in offspring(init) if pid != own)]


def eventually_remaining(zygote: Zygote) -> list[int]:
    """What still remains a moment later: the zygote buries its children by itself."""
    end = time.monotonic() + 2
    while (left := remaining(zygote)) and time.monotonic() < end:
        time.sleep(0.001)
    return left


def in_root(zygote: Zygote) -> list[str]:
    """Every file in the folder of a zygote without bubblewrap."""
    return sorted(map(str, Path(zygote.root.name).rglob("*"))) if zygote.root else []


def is_zombie(pid: int) -> bool:
    return ") Z " in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")


def descriptors() -> set[str]:
    gc.collect()
    return set(os.listdir("/proc/self/fd"))


# Honest code


def test_values_of_every_kind_come_back(box: Zygote) -> None:
    code = """
        import numpy as np
        def f(x, *, k):
            return (x[::2].T, [k, 2.5, None, True, "é"], {"a": {1: np.float32(3)}, (1, 2): np.arange(3) > 1})
    """
    child = start(box, code)
    outcome = child.ask(question(np.arange(6.0).reshape(3, 2), k=7), 2.0)
    child.kill()
    assert isinstance(outcome, Value)
    columns, row, names = outcome.tree
    assert columns.tolist() == [[0, 4], [1, 5]]
    assert row == [7, 2.5, None, True, "é"]
    assert names["a"] == {1: np.array(3, "f4")}
    assert names[1, 2].tolist() == [False, False, True]
    assert not outcome.changed
    assert 0 < outcome.cpu <= child.used


def test_drivers_see_the_students_module(box: Zygote) -> None:
    drivers = "def twice(student, x):\n    return student.g(student.g(x))\n"
    child = start(box, "def g(x):\n    return x + 1\n", drivers=drivers)
    for x in (1, 10):
        outcome = child.ask({**question(x, name="g"), "driver": "twice"}, 1.0)
        assert isinstance(outcome, Value)
        assert outcome.tree == x + 2
    child.kill()


def test_own_modules_can_be_imported(box: Zygote) -> None:
    files = {
        "helper.py": "from tools.deep import ten\n\ndef g():\n    return ten\n",
        "tools/__init__.py": "from . import deep\n",
        "tools/deep.py": "from .numbers import five\nten = 2 * five\n",
        "tools/numbers.py": "five = 5\n",
    }
    code = "import helper\nfrom helper import g\nimport tools\ndef f():\n    return [g(), helper.g(), tools.deep.ten]\n"
    assert ask(box, code, files=files).tree == [10, 10, 10]


def test_what_students_legitimately_write(box: Zygote) -> None:
    code = '''
        # 卷积 ✓ 🙂
        from __future__ import annotations
        import sys, warnings
        from dataclasses import dataclass
        from typing import Optional
        import numpy as np
        from jaxtyping import Float

        名字 = "ünïcode"
        started = False
        if __name__ == "__main__":
            started = True
            sys.exit("not when graded")

        @dataclass
        class Layer:
            """A class with annotations."""
            w: Optional[np.ndarray] = None

        def pieces(n):
            yield from range(n)

        def f(x: Float[np.ndarray, "n m"]) -> list:
            print("调试", x, file=sys.stderr)
            warnings.warn("overflow")
            np.float64(1) / np.float64(0)
            return [sum(pieces(4)), 名字, started, Layer(x).w.shape[0], __name__]
    '''
    run = ask(box, code, np.ones((2, 3)))
    assert run.tree == [6, "ünïcode", False, 2, "part"]
    assert "调试" in run.output.decode()
    assert b"overflow" in run.output


def test_files_may_be_written_where_a_child_has_a_box_of_its_own(box: Zygote, isolation: str) -> None:
    code = """
        def f(folder):
            with open(folder + "notes.txt", "w") as file:
                file.write("scratch")
            return open(folder + "notes.txt").read()
    """
    for folder in ("", "submission/"):
        run = ask(box, code, folder)
        if isolation == "namespaces":
            assert run.tree == "scratch"
        else:
            assert ended_as(run.outcome, "PermissionError")


def test_devices_that_hold_nothing_may_be_used(box: Zygote) -> None:
    code = """
        import contextlib, os
        def f():
            with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
                print("silenced")
            return [len(open("/dev/urandom", "rb").read(8)), sum(open("/dev/zero", "rb").read(2)), len(os.urandom(8))]
    """
    run = ask(box, code)
    assert run.tree == [8, 0, 8]
    assert run.output == b""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_endings_and_byte_order_marks(box: Zygote, newline: str) -> None:
    code = newline.join(['\ufeffx = """a', 'b"""', "def f():", "    return x", ""])
    assert ask(box, code).tree == "a\nb"


def test_threads_may_be_used(box: Zygote) -> None:
    code = """
        from concurrent.futures import ThreadPoolExecutor
        def f():
            with ThreadPoolExecutor(4) as pool:
                return list(pool.map(lambda n: n * n, range(8)))
    """
    assert ask(box, code).tree == [n * n for n in range(8)]


# Random numbers, arguments


def test_every_question_is_seeded(box: Zygote, torch_box: Zygote) -> None:
    draws = "[random.random(), np.random.rand(3), np.random.permutation(9)"
    for zygote, draw in ((box, draws + "]"), (torch_box, draws + ", torch.rand(3), torch.nn.Linear(2, 2).weight]")):
        torch = "import torch" if "torch" in draw else ""
        child = start(zygote, f"import random\nimport numpy as np\n{torch}\ndef f():\n    return {draw}\n")
        outcomes = [child.ask(question(seed=seed), 2.0) for seed in (5, 5, 2**32 - 1, 5)]
        child.kill()
        sent = [encode(outcome.tree) for outcome in outcomes if isinstance(outcome, Value)]
        assert len(sent) == 4
        assert sent[0] == sent[1] == sent[3] != sent[2]


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ("return x", False),
        ("x[0] = 7", True),
        ("x += 0", False),
        ("x *= 2; x /= 2", False),
        ("old = x.copy(); x.fill(9); x[:] = old", False),
        ("x[0] = -x[0]", True),  # 0.0 becomes -0.0
        ("x[1] = np.nextafter(x[1], 2)", True),
        ("x.sort()", False),
        ("x[::-1].sort()", True),
        ("x.shape = (3, 1)", True),
        ("x.dtype = 'i8'", True),
        ("rows.append(1)", True),
        ("rows[1].reverse()", True),
        ("named['new'] = 1", True),
        ("named['w'] -= 1", True),
        ("del named['w']", True),
        ("named['w'] = named['w'].copy()", False),
    ],
)
def test_writing_into_arguments_is_seen(box: Zygote, body: str, changed: bool) -> None:
    run = ask(
        box,
        f"import numpy as np\ndef f(x, rows, named):\n    {body}\n",
        np.arange(3.0),
        [0, [1, 2]],
        {"w": np.ones(2)},
    )
    assert isinstance(run.outcome, Value)
    assert run.outcome.changed is changed


def test_a_call_leaves_no_setting_behind_but_the_import_may(box: Zygote, torch_box: Zygote) -> None:
    child = start(box, "import numpy as np\nnp.seterr(over='raise')\ndef f(x): return np.seterr(all='raise')[x]")
    said = [child.ask(question(kind), 5.0) for kind in ("over", "under", "under")]
    child.kill()
    assert [one.tree for one in said if isinstance(one, Value)] == ["raise", "ignore", "ignore"]
    code = """
import torch

def f():
    seen = torch.is_grad_enabled(), str(torch.get_default_dtype()), str(torch.get_default_device())
    torch.set_grad_enabled(False)
    torch.set_default_dtype(torch.float16)
    torch.set_default_device("meta")
    return seen
"""
    child = start(torch_box, f"import torch\ntorch.set_default_dtype(torch.float64)\n{code}")
    said = [child.ask(question(), 5.0) for _ in range(2)]
    child.kill()
    assert [one.tree for one in said if isinstance(one, Value)] == [(True, "torch.float64", "cpu")] * 2


def test_arguments_do_not_alias_those_of_the_next_question(box: Zygote) -> None:
    child = start(box, "seen = []\ndef f(x):\n    seen.append(x)\n    seen[0][:] = 5\n    return x\n")
    first, second = (child.ask(question(np.zeros(2)), 1.0) for _ in range(2))
    child.kill()
    assert isinstance(first, Value)
    assert isinstance(second, Value)
    assert first.tree.tolist() == [5, 5]
    assert second.tree.tolist() == [0, 0]


# Time

BUSY = {
    "loop": "while True: pass",
    "one long C call": "sum(range(10**13))",
    "one long NumPy call": "np.sort(np.random.rand(10**7)); np.linalg.svd(np.random.rand(2500, 2500))",
    "catastrophic regular expression": "import re; re.match('(a*)*b', 'a' * 60)",
    "caught exceptions": "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
    "blocked signals": "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n    while True: pass",
    "system calls": "import os\n    while True: os.getppid()",
}


@pytest.mark.parametrize("name", BUSY)
def test_computing_ends_at_the_limit(box: Zygote, name: str) -> None:
    used = {}
    for limit in (0.1, 1.0):
        child = start(box, f"import numpy as np\ndef f():\n    {BUSY[name]}\n")
        before = child.used
        assert child.ask(question(), limit) == Stopped("time")
        assert not child.alive
        used[limit] = child.used - before
        assert used[limit] >= limit
    assert used[0.1] < used[1.0]


def test_an_endless_import_ends_at_its_limit(box: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    used = []
    for limit in (0.1, 1.0):
        monkeypatch.setattr(host, "IMPORT_CPU", limit)
        run = ask(box, "while True: pass\n")
        assert run.imported == Stopped("time")
        assert run.used >= limit
        used.append(run.used)
    assert used[0] < used[1]


def test_limits_grow_on_a_slow_machine(box: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "IMPORT_CPU", 0.05)
    monkeypatch.setattr(host, "IDLE_SECONDS", 0.05)
    busy = Source({"part.py": "while True: pass\n"}, "part", "")
    used = []
    for slowness in (1.0, 20.0):
        child = box.child(busy, slowness)
        assert child.imported == Stopped("time")
        used.append(child.used)
    assert used[0] < used[1]
    assert used[1] >= 1.0
    sleeping = Source({"part.py": "import time\ndef f():\n    time.sleep(0.2)\n"}, "part", "")
    child = box.child(sleeping, 100.0)
    assert isinstance(child.ask(question(), 1.0), Value)
    child.kill()


def test_threads_share_one_limit(box: Zygote) -> None:
    code = """
        import threading
        def spin():
            while True: pass
        def f():
            for _ in range(4):
                threading.Thread(target=spin).start()
            spin()
    """
    one, all_five = (ask(box, source, limit=0.5) for source in (code.replace("range(4)", "range(0)"), code))
    assert one.outcome == all_five.outcome == Stopped("time")
    assert all_five.used < 3 * one.used


def test_a_thread_left_running_costs_its_own_child(box: Zygote) -> None:
    code = """
        import threading
        def spin():
            while True: pass
        def f(first):
            if first:
                threading.Thread(target=spin, daemon=True).start()
            return 1
    """
    child = start(box, code)
    assert isinstance(child.ask(question(True), 1.0), Value)
    pid = child.pid
    end = time.monotonic() + 5
    while child.used < 0.05:  # its CPU is counted
        assert isinstance(child.ask(question(False), 1.0), Value)
        assert time.monotonic() < end
    child.kill()
    assert not eventually_remaining(box)
    assert not Path(f"/proc/{pid}").exists()


SLEEPING = {
    "sleep": "time.sleep(60)",
    "lock": "lock = threading.Lock(); lock.acquire(); lock.acquire()",
    "pipe": "os.read(os.pipe()[0], 1)",
    "judge": "os.read(3, 1)",
    "select": "select.select([], [], [])",
    "pause": "signal.pause()",
    "mostly": "while True: time.sleep(0.02)",
}


@pytest.mark.parametrize("name", SLEEPING)
def test_waiting_without_computing_ends_too(box: Zygote, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "IDLE_SECONDS", 0.1)
    code = f"import os, select, signal, threading, time\ndef f():\n    {SLEEPING[name]}\n"
    child = start(box, code)
    slept = child.slept
    assert child.ask(question(), 0.05) == Stopped("waiting")
    assert child.slept - slept > 0.1
    assert not child.alive


def test_a_short_sleep_is_allowed(box: Zygote) -> None:
    run = ask(box, "import time\ndef f():\n    time.sleep(0.3)\n    return 1\n", limit=0.1)
    assert run.tree == 1


@pytest.fixture
def crowded_processor() -> Iterator[int]:
    """A processor on which three others compute all the time."""
    number = max(os.sched_getaffinity(0))
    code = f"import os\nos.sched_setaffinity(0, {{{number}}})\nprint(flush=True)\nwhile True: pass"
    others = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(3)]
    for other in others:
        assert other.stdout
        other.stdout.readline()
    yield number
    for other in others:
        other.kill()
        other.communicate()


@in_namespaces
@pytest.mark.parametrize("where", ["main thread", "another thread"])
def test_waiting_for_a_processor_is_not_waiting(
    box: Zygote, crowded_processor: int, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "IDLE_SECONDS", 0.2)
    code = "import threading\ndef spin():\n    while True: pass\ndef f():\n    spin()\n"
    if where == "another thread":
        code = code.replace("    spin()\n", "    t = threading.Thread(target=spin)\n    t.start()\n    t.join()\n")
    child = start(box, code)
    os.sched_setaffinity(child.pid, {crowded_processor})
    outcome = child.ask(question(), 0.3)
    child.kill()
    assert outcome == Stopped("time")


@in_namespaces
@pytest.mark.parametrize("when", ["before the question", "after the question"])
def test_a_judge_that_is_slow_blames_no_student(box: Zygote, when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was stopped by a terminal, say, or starved by its neighbours."""
    monkeypatch.setattr(host, "IDLE_SECONDS", 0.1)
    child = start(box, "def f():\n    return 1\n")
    send = child._send

    def late(data: bytes) -> None:
        if when == "before the question":
            time.sleep(0.3)
        send(data)
        if when == "after the question":
            time.sleep(0.3)

    monkeypatch.setattr(child, "_send", late)
    outcome = child.ask(question(), 1.0)
    child.kill()
    assert isinstance(outcome, Value), outcome


# Memory, output, recursion, files


@pytest.mark.parametrize(
    "body",
    [
        "np.ones(2**30)",
        "np.ones(2**50)",
        "held = [np.zeros(2**20) for _ in range(10**6)]",
        "'x' * 2**40",
        "bytearray(2**31)",
        "import mmap; mmap.mmap(-1, 2**31)",
        "[0] * 2**40",
    ],
)
def test_memory_is_limited(box: Zygote, body: str) -> None:
    outcome = ask(box, f"import numpy as np\ndef f():\n    {body}\n").outcome
    assert isinstance(outcome, Raised)
    assert outcome.name in ("MemoryError", "OSError")


def test_memory_below_the_limit_may_be_used(box: Zygote) -> None:
    assert ask(box, "import numpy as np\ndef f():\n    return np.zeros(110 << 20).nbytes\n").tree == 880 << 20


def test_a_memory_error_leaves_the_child_alive(box: Zygote) -> None:
    child = start(box, "import numpy as np\ndef f(n):\n    return np.ones(n).sum()\n")
    assert isinstance(child.ask(question(2**40), 1.0), Raised)
    assert child.alive
    outcome = child.ask(question(4), 1.0)
    assert isinstance(outcome, Value)
    assert outcome.tree == 4
    child.kill()


@pytest.mark.parametrize(
    "body",
    [
        "return f()",
        "x = []\n    for _ in range(10**5): x = [x]\n    return repr(x)",
        "return eval('(' * 10**5 + ')' * 10**5)",
        "return eval('-' * 10**6 + '1')",
        "return eval('+'.join(['1'] * 10**5))",
        "import re; return re.compile('(' * 5000 + ')' * 5000)",
    ],
)
def test_recursion_ends_in_an_exception(box: Zygote, body: str) -> None:
    outcome = ask(box, f"def f():\n    {body}\n").outcome
    assert isinstance(outcome, Raised)
    assert outcome.name in ("RecursionError", "MemoryError", "SyntaxError", "OverflowError")


@pytest.mark.parametrize(
    ("write", "least", "most"),
    [
        ("os.write(1, block)", 30, 32),  # MB that were written before it raised
        ("os.write(2, block)", 30, 32),
        ("print('x' * len(block))", 99, 99),  # whoever prints too much has not failed
        ("print('x' * len(block), file=sys.stderr)", 99, 99),
    ],
)
def test_output_is_capped(box: Zygote, write: str, least: int, most: int) -> None:
    code = f"""
        import os, sys
        def f():
            block = b"x" * (1 << 20)
            os.write(1, b"first ")
            for n in range(100):
                try:
                    {write}
                except OSError:
                    return n
            return n
    """
    run = ask(box, code)
    assert isinstance(run.outcome, Value)
    assert least <= run.tree <= most
    assert len(run.output) == host.MAX_OUTPUT
    assert run.output.startswith(b"first xxx")


def test_output_of_a_child_that_dies_is_kept(box: Zygote) -> None:
    run = ask(box, "import os\nprint('so far')\ndef f():\n    print('and on')\n    os._exit(0)\n")
    assert run.output == b"so far\nand on\n"


@in_namespaces
def test_the_box_is_small(box: Zygote) -> None:
    code = """
        import errno, os
        def f():
            out = []
            try:
                for n in range(100):
                    with open(f"/box/{n}", "wb") as file:
                        file.write(bytes(1 << 20))
            except OSError as error:
                out += [n, errno.errorcode[error.errno]]
            for name in range(n + 1):
                os.remove(f"/box/{name}")
            try:
                for n in range(10_000):
                    os.mkdir(f"/box/d{n}")
            except OSError as error:
                out += [n < 2048, errno.errorcode[error.errno]]
            held = []
            try:
                for n in range(1000):
                    held.append(os.open("/box", os.O_RDONLY))
            except OSError as error:
                out += [n < 64, errno.errorcode[error.errno]]
            for fd in held:
                os.close(fd)
            return out
    """
    written, *rest = ask(box, code).tree
    assert 30 <= written <= 32
    assert rest == ["ENOSPC", True, "ENOSPC", True, "EMFILE"]


def test_threads_are_few(box: Zygote, isolation: str) -> None:
    """In a container the count cannot be limited, as it would be that of the user's own processes: the judge counts."""
    code = """
        import _thread, time
        _thread.stack_size(32 << 10)
        def f():
            n, spare = 0, bytearray(16 << 20)
            try:
                for n in range(20_000):
                    _thread.start_new_thread(time.sleep, (60,))
            except (RuntimeError, MemoryError):
                del spare  # to answer with
            return n
    """
    child = start(box, code)
    outcome = child.ask(question(), 5.0)
    if isolation == "namespaces":
        assert isinstance(outcome, Value)
        assert 4 <= outcome.tree <= host.LIMITS["threads"]
    else:
        outcome = child.ask(question(), 5.0) if isinstance(outcome, Value) else outcome  # they are seen by now
        assert outcome == Stopped("threads")
    child.kill()


def test_no_look_at_a_child_reads_more_threads_than_it_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()
    threads = [threading.Thread(target=done.wait) for _ in range(20)]
    for thread in threads:
        thread.start()
    monkeypatch.setattr(host, "MAX_THREADS", 10_000)
    assert len(host._delays(os.getpid())) > 20
    monkeypatch.setattr(host, "MAX_THREADS", 20)
    with pytest.raises(ChildStopped, match="threads"):
        host._delays(os.getpid())
    done.set()
    for thread in threads:
        thread.join()


MS = 1_000_000  # nanoseconds


@pytest.mark.parametrize(
    ("cpu", "before", "after", "idle"),
    [
        (0.0, {}, {}, 0.005),  # asleep
        (0.005, {"1": 0}, {"1": 0}, 0.0),  # computes
        (0.002, {"1": 7 * MS}, {"1": 10 * MS}, 0.0),  # waits for a processor
        (0.001, {"1": 0, "2": 5 * MS}, {"1": 0, "2": 9 * MS}, 0.0),  # another thread does
        (0.001, {"1": 0}, {"1": 0, "2": 4 * MS}, 0.0),  # a new one does
        (0.0, {"1": 9 * MS}, {"2": 0}, 0.005),  # one that waited has ended
        (0.001, {str(n): 0 for n in range(15)}, {str(n): MS for n in range(15)}, 0.003),  # many wake together
    ],
)
def test_many_threads_that_wake_together_do_not_hide_that_they_sleep(
    cpu: float, before: dict[str, int], after: dict[str, int], idle: float
) -> None:
    assert host.idle_time(0.005, cpu, before, after) == pytest.approx(idle, abs=1e-9)


def test_how_long_a_child_was_waited_for_in_all(box: Zygote) -> None:
    child = start(box, "import time\ndef f(seconds):\n    time.sleep(seconds)\n")
    began = child.waited
    for _ in range(3):
        assert isinstance(child.ask(question(0.05), 1.0), Value)
    assert child.waited - began >= 0.15
    assert 0 < child.slept <= child.waited
    child.kill()


def test_threads_of_others_do_not_count(box: Zygote) -> None:
    """Otherwise a grade would depend on how many workers run, and on who else is the same user."""
    user = NOBODY if os.geteuid() == 0 else None
    others = [subprocess.Popen(["sleep", "60"], user=user) for _ in range(2 * host.LIMITS["threads"])]
    code = "import threading\ndef f():\n    thread = threading.Thread(target=int)\n    thread.start()\n    return 1\n"
    try:
        assert ask(box, code).tree == 1
    finally:
        for other in others:
            other.kill()
            other.wait()


@pytest.mark.parametrize(
    "body",
    [
        "resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)",
        "n = resource.getrlimit(resource.RLIMIT_NPROC)[1]; resource.setrlimit(resource.RLIMIT_NPROC, (n, n + 1))",
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2**40, 2**40))",
        "resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (3, 3))",
        "resource.prlimit(os.getppid(), resource.RLIMIT_CPU)",
    ],
)
def test_limits_cannot_be_raised(box: Zygote, body: str) -> None:
    outcome = ask(box, f"import os, resource\ndef f():\n    {body}\n").outcome
    assert isinstance(outcome, Raised)
    assert outcome.name in ("PermissionError", "ValueError")


# Leaving

LEAVING = {
    "os._exit": ("os._exit(0)", "died"),
    "abort": ("os.abort()", "died"),
    "segmentation fault": ("ctypes.string_at(0)", "died"),
    "illegal instruction": ("ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.create_string_buffer(16)))()", "died"),
    "C stack overflow": ("sys.setrecursionlimit(10**9)\ndef g():\n  (lambda *_: g())(*[0] * 9)\nlist(map(g, [0]))", ""),
    "closed connection": ("os.close(3)", "died"),
    "all descriptors closed": ("os.closerange(0, 64)", "died"),
    "connection replaced": ("os.dup2(1, 3)", "died"),
    "exception that cannot be described": ("raise type('E', (BaseException,), {'__str__': lambda s: 1 // 0})", ""),
    "exit by alarm": ("signal.setitimer(signal.ITIMER_REAL, 0.001); time.sleep(1)", "died"),
    "sys.exit": ("sys.exit()", "SystemExit"),
    "sys.exit(0)": ("sys.exit(0)", "SystemExit"),
    "exit": ("raise SystemExit('passed')", "SystemExit"),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "GeneratorExit": ("raise GeneratorExit", "GeneratorExit"),
    "BaseException": ("raise BaseException", "BaseException"),
    "own BaseException": ("raise type('Passed', (BaseException,), {})('full marks')", "BaseException"),
    "own ValueError": ("raise type('Mine', (ValueError,), {})", "ValueError"),
    "false module": ("raise type('Forged', (KeyError,), {'__module__': 'builtins'})", "Exception"),
    "group": ("raise ExceptionGroup('many', [ValueError(1)])", "ExceptionGroup"),
    "huge message": ("raise ValueError('x' * 10**7)", "ValueError"),
    "surrogate message": ("raise ValueError('\\ud800')", "ValueError"),
}


def ended_as(outcome: Outcome, expected: str) -> bool:
    match outcome:
        case Stopped(reason):
            return expected in ("", reason)
        case Raised(name, detail):
            return expected in ("", name) and len(detail) <= 500
    return False


@pytest.mark.parametrize("name", LEAVING)
@pytest.mark.parametrize("where", ["import", "call"])
def test_leaving_earns_nothing(box: Zygote, name: str, where: str) -> None:
    body, expected = LEAVING[name]
    code = f"import ctypes, os, signal, sys, time\nexec({body!r})\n"
    if where == "call":
        code = f"import ctypes, os, signal, sys, time\ndef f():\n    exec({body!r}, globals())\n    return 1\n"
    run = ask(box, code)
    assert ended_as(run.imported if where == "import" else run.outcome, expected), run
    assert (where == "import") or isinstance(run.imported, Value)


def test_exit_handlers_and_destructors_do_nothing(box: Zygote) -> None:
    code = """
        import atexit, os, threading
        atexit.register(os._exit, 0)
        class Bomb:
            def __del__(self):
                raise SystemExit("bomb")
        def f():
            Bomb()
            return 1
    """
    assert ask(box, code).tree == 1


def test_after_an_exception_the_child_goes_on(box: Zygote) -> None:
    child = start(box, "def f(x):\n    return 1 / x\n")
    outcomes = [child.ask(question(x), 1.0) for x in (0, 2)]
    child.kill()
    assert isinstance(outcomes[0], Raised)
    assert outcomes[0].name == "ZeroDivisionError"
    assert "part.py, line 2" in outcomes[0].detail
    assert isinstance(outcomes[1], Value)


def test_cpu_of_a_child_that_left_is_counted(box: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its clock vanishes when the zygote buries it, before or after the judge looks at it: here always before."""
    clock = ForkedChild._cpu

    def buried(child: ForkedChild) -> float:
        if select.select([child.pidfd], [], [], 0)[0]:
            raise ProcessLookupError
        return clock(child)

    monkeypatch.setattr(ForkedChild, "_cpu", buried)
    run = ask(box, "import os\ndef f():\n    sum(range(3 * 10**7))\n    os._exit(0)\n")
    assert run.outcome == Stopped("died")
    assert run.used > 0.1


@pytest.mark.parametrize(
    "code",
    ["x = \0", "def f(:", "x = '", "\x0c\x0b(", "# -*- coding: utf-7 -*-\nx = '+AGE-'", "return 1", "f = 1\n" * 90_000],
)
def test_sources_that_are_no_python_or_too_much_of_it(box: Zygote, code: str) -> None:
    run = ask(box, code)
    assert isinstance(run.imported, Raised | Value)
    assert isinstance(run.outcome, Raised | Unsuitable)


def test_missing_names_and_modules(box: Zygote) -> None:
    assert ask(box, "").outcome == ask(box, "f = None").outcome == Unsuitable("missing")
    assert ask(box, "import sys\nsys.modules[__name__] = None\ndef f(): return 1").outcome == Unsuitable("missing")
    assert isinstance(ask(box, "import no_such_module").imported, Raised)
    assert isinstance(ask(box, "import sys\ndel sys.modules[__name__]\ndef f(): return 1").imported, Raised)


@pytest.mark.parametrize(
    ("definition", "fits"),
    [
        ("f = 5", False),
        ("def f(): return 1", False),
        ("def f(x, y): return 1", False),
        ("def f(*, x): return 1", False),
        ("def f(x): return 1", True),
        ("def f(x, y=2): return 1", True),
        ("def f(*args, **kwargs): return 1", True),
        ("f = lambda x: 1", True),
        ("import functools\n@functools.cache\ndef f(x): return 1", True),
        ("class f:\n    def __new__(cls, x): return 1", True),
        ("class Call:\n    def __call__(self, x): return 1\nf = Call()", True),
        ("import numpy as np\nf = np.vectorize(lambda x: 1)", True),
        ("def f(x): raise TypeError('from inside')", True),
    ],
)
def test_parameters_that_do_not_fit_are_said_so(box: Zygote, definition: str, fits: bool) -> None:
    outcome = ask(box, definition, 3).outcome
    assert outcome == Unsuitable("parameters") if not fits else isinstance(outcome, Value | Raised)


# Reaching out

PROBES = """
import ctypes, fcntl, mmap, multiprocessing, os, resource, signal, socket, struct, subprocess, sys

libc = ctypes.CDLL(None, use_errno=True)
parent = os.getppid()

def call(number, *args):
    result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, args))
    if result == -1:
        raise OSError(ctypes.get_errno(), "")
    return result

LIBRARY = os.open(os.__file__, os.O_RDONLY)  # a file that every child may read
BUFFER = ctypes.create_string_buffer(4096)
PAGE = ctypes.addressof(BUFFER)
BYTES = ctypes.create_string_buffer(struct.pack("QQ", PAGE, 8))
IOVEC = ctypes.addressof(BYTES)

def whole():  # the address of a page of the library, mapped and shared
    libc.mmap.restype = ctypes.c_void_p
    return libc.mmap(None, ctypes.c_size_t(4096), 1, 1, LIBRARY, ctypes.c_long(0))

def child(make):
    pid = make()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)

PROBES = {
    "fork": lambda: child(os.fork),
    "forkpty": lambda: child(lambda: os.forkpty()[0]),
    "vfork": lambda: call(58),
    "clone": lambda: child(lambda: call(56, 17, 0, 0, 0, 0)),
    "posix_spawn": lambda: os.posix_spawn(sys.executable, ["python", "-c", ""], {}),
    "exec": lambda: os.execv(sys.executable, ["python", "-c", ""]),
    "subprocess": lambda: subprocess.run([sys.executable, "-c", ""], check=True),
    "shell": lambda: subprocess.run("true", shell=True, check=True),
    "multiprocessing": lambda: multiprocessing.get_context("fork").Process(target=int).start(),
    "TCP socket": lambda: socket.socket().close(),
    "UDP socket": lambda: socket.socket(type=socket.SOCK_DGRAM).close(),
    "abstract socket": lambda: socket.socket(socket.AF_UNIX).bind("\\0x"),
    "socket pair": lambda: socket.socketpair()[0].close(),
    "name look-up": lambda: socket.create_connection(("localhost", 1), 0.1),
    "signal to the parent": lambda: os.kill(parent, 0),
    "signal to init": lambda: os.kill(1, 0),
    "signal to all": lambda: os.kill(-1, 0),
    "signal to the group": lambda: os.killpg(0, 0),
    "tgkill": lambda: call(234, parent, parent, 0),
    "pidfd": lambda: os.pidfd_open(parent),
    "signals of files to the parent": lambda: fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, parent),
    "signals of sockets to the parent": lambda: fcntl.ioctl(3, 0x8901, parent.to_bytes(4, sys.byteorder)),
    "SIGKILL for files": lambda: fcntl.fcntl(os.pipe()[0], 10, 9),
    "asynchronous files": lambda: fcntl.fcntl(os.pipe()[0], fcntl.F_SETFL, os.O_ASYNC),
    "asynchronous files by ioctl": lambda: fcntl.ioctl(os.pipe()[0], 0x5452, (1).to_bytes(4, sys.byteorder)),
    "pages of a file that leave memory": lambda: os.posix_fadvise(LIBRARY, 0, 0, os.POSIX_FADV_DONTNEED),
    "pages of a file that are in memory": lambda: call(27, whole(), 4096, PAGE),
    "pages of a file that are read ahead": lambda: call(187, LIBRARY, 0, 4096),
    "pages of a map that leave memory": lambda: call(28, whole(), 4096, 21),
    "pages of a map that grow cold": lambda: call(28, whole(), 4096, 20),
    "pages of a map that are read ahead": lambda: call(28, whole(), 4096, 3),
    "pages that are read only if in memory": lambda: call(327, LIBRARY, IOVEC, 1, 0, 0, 8),
    "a lock on a file": lambda: fcntl.flock(LIBRARY, fcntl.LOCK_SH | fcntl.LOCK_NB),
    "a lock on bytes of a file": lambda: fcntl.lockf(LIBRARY, fcntl.LOCK_SH | fcntl.LOCK_NB),
    "who locks a file": lambda: fcntl.fcntl(LIBRARY, fcntl.F_GETLK, bytes(64)),
    "a lock of an open file": lambda: fcntl.fcntl(LIBRARY, 37, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)),
    "a lease on a file": lambda: fcntl.fcntl(LIBRARY, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "news of a folder": lambda: fcntl.fcntl(os.open(os.path.dirname(os.__file__), os.O_RDONLY), fcntl.F_NOTIFY, 1),
    "ptrace": lambda: call(101, 16, parent, 0, 0),
    "process_vm_readv": lambda: call(310, parent, 0, 0, 0, 0, 0),
    "memory of the parent": lambda: open(f"/proc/{parent}/mem", "rb"),
    "environment of the parent": lambda: open(f"/proc/{parent}/environ", "rb").read(),
    "environment of init": lambda: open("/proc/1/environ", "rb").read(),
    "descriptors of the parent": lambda: [os.stat(f"/proc/{parent}/fd/{n}") for n in os.listdir(f"/proc/{parent}/fd")],
    "fewest killed last": lambda: open(f"/proc/{parent}/oom_score_adj", "w").write("1"),
    "core of the parent": lambda: open(f"/proc/{parent}/coredump_filter", "w").write("0x33"),
    "limits of the parent": lambda: resource.prlimit(parent, resource.RLIMIT_CPU, (1, 1)),
    "priority of the parent": lambda: os.setpriority(os.PRIO_PROCESS, parent, 19),
    "affinity of the parent": lambda: os.sched_setaffinity(parent, {0}),
    "unshare": lambda: call(272, 0x10000000),
    "mount": lambda: call(165, 0, 0, 0, 0, 0),
    "umount": lambda: call(166, 0, 0),
    "chroot": lambda: os.chroot("/"),
    "setuid": lambda: os.setuid(0),
    "setsid": lambda: os.setsid(),
    "memfd": lambda: os.memfd_create("x"),
    "userfaultfd": lambda: call(323, 0),
    "io_uring": lambda: call(425, 1, 0),
    "bpf": lambda: call(321, 0, 0, 0),
    "perf": lambda: call(298, 0, 0, 0, 0, 0),
    "keyring": lambda: call(250, 0, 0, 0, 0, 0),
    "shared memory": lambda: call(29, 0, 4096, 0o1600),
    "personality": lambda: call(135, 0x0040000),
    "new filter": lambda: call(317, 1, 0, 0),
    "dumpable": lambda: call(157, 4, 1, 0, 0, 0),
    "host name": lambda: socket.sethostname("x"),
    "terminal": lambda: os.open("/dev/tty", os.O_RDWR),
    "execution from the box": lambda: (open("x", "w").write("#!/bin/sh"), os.chmod("x", 0o755), os.execv("x", ["x"])),
}

def f(names=PROBES):
    out = {}
    for name in names:
        try:
            out[name] = f"{PROBES[name]()}"
        except (OSError, ValueError, PermissionError) as error:
            out[name] = ""
        except subprocess.CalledProcessError:
            out[name] = ""
    return out
"""
X86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of these system calls are those of x86-64")


@X86
def test_nothing_outside_can_be_reached(box: Zygote) -> None:
    done = ask(box, PROBES).tree
    assert len(done) > 50
    assert {name: what for name, what in done.items() if what} == {}


@X86
@in_namespaces
def test_nothing_outside_can_be_reached_without_landlock(bare: Zygote) -> None:
    assert {name: what for name, what in ask(bare, PROBES).tree.items() if what} == {}


@X86
def test_outside_it_can() -> None:
    """The positive control: what a plain process may do without doing harm."""
    harmless = ["fork", "clone", "subprocess", "shell", "posix_spawn", "TCP socket", "socket pair", "memfd", "pidfd"]
    harmless += ["signal to the parent", "environment of the parent", "descriptors of the parent", "dumpable"]
    harmless += ["pages of a file that leave memory", "pages of a file that are in memory", "a lock on a file"]
    harmless += ["pages of a file that are read ahead", "pages of a map that leave memory", "a lock on bytes of a file"]
    harmless += ["pages of a map that grow cold", "pages of a map that are read ahead", "who locks a file"]
    harmless += ["a lock of an open file"]
    harmless += ["signals of files to the parent", "SIGKILL for files", "shared memory"]
    code = PROBES + f"\nprint({{name: what for name, what in f({harmless}).items() if not what}})\nf = str\n"
    assert unconfined(code).strip() == "{}"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM], ids=lambda s: s.name)
def test_children_cannot_signal_their_zygote_through_files(
    isolation: str, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``F_SETOWN`` and ``F_SETSIG`` make the kernel send any signal to any process of the same user."""
    code = """
        import fcntl, os
        def f(number, group):
            for target in (os.getppid(), -os.getpgid(os.getppid()))[: 1 + group]:
                r, w = os.pipe()
                for command, value in ((fcntl.F_SETOWN, target), (10, number), (fcntl.F_SETFL, os.O_ASYNC)):
                    try:
                        fcntl.fcntl(r, command, value)
                    except OSError:
                        pass
                os.write(w, b"x")
            return 1
    """
    monkeypatch.setattr(host, "IDLE_SECONDS", 0.5)
    zygote = Zygote("numpy", isolation, without=("landlock",))  # whose newer versions refuse signals too
    own = inner_pid(zygote)
    try:
        ask(zygote, code, int(number), os.getpgid(own) != os.getpgrp())  # never the group of these tests
        time.sleep(0.05)
        state = Path(f"/proc/{own}/stat").read_text().rsplit(")")[1].split()[0] if Path(f"/proc/{own}").exists() else ""
        assert state == "S"
        assert honest(zygote)
    finally:
        if Path(f"/proc/{own}").exists():
            os.kill(own, signal.SIGCONT)
        zygote.close()


@X86
@pytest.mark.parametrize("number", [0x40000000 | 39, 0x40000000 | 57])
def test_x32_system_calls_are_refused(box: Zygote, number: int) -> None:
    code = "import ctypes\ndef f(n):\n    return ctypes.CDLL(None).syscall(ctypes.c_long(n))\n"
    run = ask(box, code, number)
    assert run.outcome in (Stopped("died"), Value(-1, cpu=getattr(run.outcome, "cpu", 0)))


@X86
def test_32_bit_system_calls_are_refused(box: Zygote) -> None:
    code = """
        import ctypes, mmap
        def f():
            page = mmap.mmap(-1, 4096, prot=7)
            page.write(b"\\x53\\xb8\\x14\\0\\0\\0\\xcd\\x80\\x5b\\xc3")  # push rbx; mov eax, 20; int 0x80; pop rbx; ret
            return ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    """
    assert int(unconfined(code)) > 0
    assert ask(box, code).outcome == Stopped("died")


WALK = """
import os, sys

def f(roots=("/",)):
    seen = []
    for root in roots:
        for folder, folders, files in os.walk(root):
            if folder == "/proc":
                folders[:] = [name for name in folders if not name.isdigit()]
            seen += [os.path.join(folder, name) for name in folders + files]
    return "\\n".join(seen)
"""


def walk(zygote: Zygote, *roots: str) -> list[str]:
    """Every path below ``roots`` that a child can list, but for processes."""
    code = f"{WALK}\ntext = f({roots!r})\ndef f(start):\n    return text[start : start + 10**6]\n"
    child = start(zygote, code)
    text, piece = "", "more"
    while piece:  # by pieces, as the wire bounds strings
        outcome = child.ask(question(len(text)), 1.0)
        assert isinstance(outcome, Value), outcome
        piece = outcome.tree
        text += piece
    child.kill()
    return text.splitlines()


@pytest.fixture(scope="module")
def seen(bare_zygote: Zygote) -> list[str]:
    """What the wall of bubblewrap lets through, before Landlock closes the root."""
    return walk(bare_zygote, "/")


def revealing(paths: list[str]) -> list[str]:
    names = ("autograder", "cases.py", "misconceptions.py", "alternatives.py", "assignment.toml", ".autograder-seed")
    return [p for p in paths if any(name in p.rsplit("/", 1)[-1] for name in names) or "/solutions/a" in p]


@in_namespaces
def test_nothing_of_the_grader_can_be_seen(seen: list[str]) -> None:
    assert len(seen) > 1000
    assert revealing(seen) == []
    assert revealing([f"/x/{name}" for name in ("autograder", "cases.py", "solutions/a1_convolution/cnn.py")])


def test_outside_the_same_walk_finds_the_grader() -> None:
    root = str(Path(autograder.__file__).parents[1])
    found = unconfined(WALK.replace('roots=("/",)', f"roots=({root!r},)")).splitlines()
    assert len(revealing(found)) > 5


@in_namespaces
def test_only_what_is_named_can_be_seen(seen: list[str]) -> None:
    """The standard library, system libraries, named distributions, eight files of ours, and the kernel's own files."""
    base = Path(sys.base_prefix).resolve()
    allowed = [f"{base}/lib", str(Path(sys.executable).resolve().parent), "/usr/lib", "/usr/lib64", "/usr/libexec"]
    allowed += ["/lib", "/lib64", "/site", "/grader", "/proc", "/dev", "/sys", "/etc/ld.so.cache", "/box"]
    parents = {str(parent) for path in allowed for parent in Path(path).parents}
    strange = [p for p in seen if p not in parents and not any(p == a or p.startswith(f"{a}/") for a in allowed)]
    assert strange == []
    assert {p for p in seen if p.startswith("/grader/")} == {
        f"/grader/{n}.py" for n in ("__init__", "copies", "driving", "files", "lock", "runner", "wire", "zygote")
    }
    assert not [p for p in seen if p.startswith("/box/") and not p.startswith("/box/submission")]
    packages = {p.split("/")[2].split("-")[0].split(".")[0] for p in seen if p.startswith("/site/")}
    assert packages == {"numpy", "msgpack", "jaxtyping", "wadler_lindig"}


def third_party(paths: list[str]) -> list[str]:
    """Those in the packages of an interpreter's own prefix, or of the system's."""
    base = Path(sys.base_prefix).resolve()
    prefixes = "|".join(re.escape(f"{prefix}/lib") for prefix in (base, "/usr", "/usr/local"))
    pattern = re.compile(rf"({prefixes})(64)?/(python|pypy)[\d.]*/(site|dist)-packages/.")
    return [path for path in paths if pattern.match(path)]


@in_namespaces
def test_the_interpreters_own_packages_are_hidden(seen: list[str]) -> None:
    assert third_party(seen) == []


def test_what_landlock_lets_through_reveals_nothing_either(box: Zygote) -> None:
    """From the root, from where files of the judge and of others lie, and from all that a child may read."""
    others = [Path(autograder.__file__).parents[1], Path.home(), Path(sys.prefix), Path(tempfile.gettempdir())]
    roots = ["/", "/grader", "/proc", "/dev", "/etc", "/home", "/sys", "/usr", "/var", *map(str, others)]
    roots += [*box.readable, "."]
    if box.root:
        roots += [box.root.name, f"{box.root.name}/grader"]
    found = walk(box, *roots)
    assert len(found) > 1000
    assert revealing(found) == []
    assert [path for path in found if path.startswith("./")] == ["./submission", "./submission/part.py"]
    named = tuple(map(str, mounts.distribution_paths("numpy").values()))
    assert [path for path in third_party(found) if not path.startswith(named)] == []


@pytest.mark.parametrize(
    "folder", ["/", "/proc", "/proc/self", "/proc/self/task", "/dev", "/etc", "/sys", "..", "/tmp"]
)
def test_what_holds_no_library_cannot_be_listed(box: Zygote, bare: Zygote, folder: str) -> None:
    code = "import os\ndef f(folder):\n    return len(os.listdir(folder)) if os.path.isdir(folder) else 0\n"
    if ask(bare, code, folder).tree:
        assert ended_as(ask(box, code, folder).outcome, "PermissionError")
    else:
        assert folder == "/tmp"  # which is nowhere behind the wall


REQUIRED = {
    "first": ['Second_one>=1; python_version >= "3"', "never; python_version < '3'", "plain; extra == 'all'"],
    "second-one": ["third[fast] @ https://example.org/third.whl", "first"],
    "third": ["quick; extra == 'fast'", "slow; extra == 'slow'", "gone"],
    "quick": None,
    "slow": None,
    "plain": None,
    "never": None,
}


def test_requirements_are_followed_as_an_installer_would(monkeypatch: pytest.MonkeyPatch) -> None:
    def requires(name: str) -> list[str] | None:
        if name not in REQUIRED:
            raise importlib.metadata.PackageNotFoundError(name)
        return REQUIRED[name]

    monkeypatch.setattr(importlib.metadata, "requires", requires)
    assert mounts.requirements(("First",)) == {"first", "second-one", "third", "quick"}


def test_packages_of_other_pythons_are_hidden_too(tmp_path: Path) -> None:
    """An installed grader is as readable in those of another version that shares the prefix."""
    folders = [
        tmp_path / name for name in ("python3.9/site-packages", "python3.99/dist-packages", "python3/dist-packages")
    ]
    for folder in folders:
        folder.mkdir(parents=True)
    assert set(mounts.package_folders(tmp_path)) == set(folders)


READ = """
import os

def f(paths):
    out = []
    for path in paths:
        try:
            out.append(len(os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(100)) > 0)
        except OSError:
            out.append(False)
    return out
"""


def test_files_outside_cannot_be_read(box: Zygote, bare: Zygote, isolation: str) -> None:
    package = Path(autograder.__file__).parent
    course = package.parent
    paths = [package / "judge.py", package / "a1_convolution" / "cases.py", package, course, course / "tests"]
    paths += [
        course / "solutions",
        Path("/etc/passwd"),
        Path("/etc/hostname"),
        Path("/home"),
        Path("/tmp"),
        Path("/var"),
    ]
    paths += [Path(f"/proc/{os.getpid()}/environ"), Path(f"/proc/{os.getpid()}/cwd"), Path("/usr/bin"), Path("/opt")]
    paths += [Path(f"/proc/{pid}/root{package}") for pid in (1, 2, "self")]
    texts = [str(path) for path in paths]
    code = READ.replace("def f(paths)", f"def f(paths={texts!r})")
    if (
        Path("/usr/bin") == Path(sys.executable).resolve().parent
    ):  # the system's own interpreter is bound with its folder
        texts.remove("/usr/bin")
    assert sum(eval(unconfined(code))) >= 9  # the positive control
    assert ask(box, READ, texts).tree == [False] * len(texts)
    assert any(ask(bare, READ, texts).tree) == (isolation == "container")  # where Landlock is the wall


@in_container
def test_the_files_of_another_child_cannot_be_read(box: Zygote, bare: Zygote) -> None:
    for zygote, readable in ((box, False), (bare, True)):
        other = start(zygote, "secret = 1\ndef f():\n    return 1\n")
        paths = [other.box, f"{other.box}/submission", f"{other.box}/submission/part.py", os.path.dirname(other.box)]
        assert ask(zygote, READ, paths).tree == [readable] * 4
        other.kill()


LEAVE = """
import os

def f(roots=("/",)):
    stashed = []
    for root in roots:
        for folder, folders, files in os.walk(root, onerror=lambda _: None):
            if folder == "/proc":
                folders[:] = []
            for name in (".stash", "stash.py", "sitecustomize.py"):
                path = os.path.join(os.path.abspath(folder), name)
                try:
                    with open(path, "x") as file:
                        file.write("raise SystemExit")
                    stashed.append(path)
                except OSError:
                    pass
    return stashed
"""


@in_namespaces
def test_nothing_can_be_left_for_the_next_child_without_landlock(bare: Zygote) -> None:
    """Neither a trap nor a message: whoever knew an earlier child's hidden inputs at import could say them aloud."""
    stashed = ask(bare, LEAVE, limit=20.0).tree
    assert "/box/.stash" in stashed
    found = ask(bare, READ.replace("os.path.isdir(path)", "False"), stashed).tree
    assert [path for path, left in zip(stashed, found, strict=True) if left] == []


def test_nothing_can_be_left_for_the_next_child(box: Zygote, isolation: str) -> None:
    """Landlock closes folders to listing, so that here they are named."""
    folders = [".", "/", "/dev/shm", "/dev/mqueue", "/var/tmp", "/run/lock", tempfile.gettempdir(), str(Path.home())]
    folders += [*box.readable, "/grader", str(Path(sys.prefix))]
    if box.root:
        folders += [box.root.name, f"{box.root.name}/tmp", f"{box.root.name}/grader"]
    code = LEAVE.replace("os.walk(root, onerror=lambda _: None)", "[(root, [], [])]")
    stashed = ask(box, code, folders).tree
    assert {os.path.dirname(path) for path in stashed} == ({"/box"} if isolation == "namespaces" else set())
    assert ask(box, READ.replace("os.path.isdir(path)", "False"), stashed).tree == [False] * len(stashed)


@in_container
def test_a_strict_umask_is_no_obstacle(isolation: str, answer: bytes) -> None:
    """Root's files are then closed to the user that its children run as."""
    old = os.umask(0o077)
    try:
        zygote = Zygote("numpy", isolation)
        try:
            assert honest(zygote) == answer
        finally:
            zygote.close()
    finally:
        os.umask(old)


@in_container
def test_submissions_are_shown_to_no_other_user_but_the_one_they_run_as(box: Zygote) -> None:
    assert box.root
    closed = not Path(box.root.name).stat().st_mode & 0o077
    assert closed == (os.geteuid() != 0)


@in_container
def test_in_a_container_without_landlock_something_can_be_left(bare: Zygote) -> None:
    """The positive control."""
    code = """
        import os
        path = os.path.join(os.environ["HOME"], ".stash")
        def f(leave):
            if leave:
                open(path, "x").write("hidden input")
                return ""
            text = open(path).read()
            os.remove(path)
            return text
    """
    assert [ask(bare, code, leave).tree for leave in (True, False)] == ["", "hidden input"]


def test_a_second_import_has_nothing_to_say(isolation: str) -> None:
    """A student is told why a file cannot be imported, since no hidden input was known then. A second child may know.

    Here the first tells it by how many threads it has started, as threads and processes are numbered in one row.
    """
    code = """
        import os, threading
        last = os.getpid() - os.getppid()
        if last > 2000:
            raise ValueError(f"the hidden input is about {last - 2000}")
        def f(n):
            for _ in range(2000 + n):
                thread = threading.Thread(target=int)
                thread.start()
                thread.join()
            os._exit(0)
    """
    cases = [Case("a", lambda _: inputs(777)), Case("b", lambda _: inputs(778))]
    exercise = Exercise("f", "part", [Criterion("one", cases[:1]), Criterion("other", cases[1:])])
    points = {"f": {"one": 1.0, "other": 1.0}}
    references = {"part": "def f(n):\n    return n\n"}
    judge = Judge(Assignment("a9", "A9", [Part("part", "numpy")], [exercise], points, references), "seed", isolation)
    result, _ = judge.grade(Submission("s", {"part": {"part.py": textwrap.dedent(code)}}))
    judge.close()
    assert result.infrastructure == ""
    assert [criterion.passed for criterion in result.exercises[0].criteria] == [False, False]
    messages = [criterion.message for criterion in result.exercises[0].criteria]
    assert "ends the Python process" in messages[0]
    assert not re.search(r"\d", messages[1]), messages[1]


@in_namespaces
def test_every_mount_but_the_box_is_read_only(box: Zygote, bare: Zygote) -> None:
    """Whoever owns it: for an ordinary user the sandbox belongs to the child's own user."""
    code = "def f():\n    return open('/proc/self/mountinfo').read()\n"
    mounts = [line.split() for line in ask(bare, code).tree.splitlines()]
    assert len(mounts) > 5
    assert [mount[4] for mount in mounts if "ro" not in mount[5].split(",")] in (["/box"], ["/box", "/box"])
    assert ended_as(ask(box, code).outcome, "PermissionError")


@pytest.fixture
def victims() -> Iterator[list[str]]:
    """A folder and files of ours that everyone may write to; nothing of them may change."""
    folder = Path(tempfile.mkdtemp(prefix="victims-"))
    folder.chmod(0o777)
    paths = [folder / "one.txt", folder / "two.txt", folder]
    for path in paths[:2]:
        path.write_text("grades")
        path.chmod(0o666)

    def state() -> list[Any]:
        kept = [(p.stat().st_mode, p.stat().st_mtime_ns, p.stat().st_ctime_ns) for p in paths]
        return [sorted(os.listdir(folder)), *kept, *(path.read_text() for path in paths[:2])]

    before = state()
    yield [str(path) for path in paths]
    after = state()
    shutil.rmtree(folder)
    assert after == before


CHANGE = """
import os

def f(paths):
    one, two, folder = paths
    out = []
    for name, act in {
        "mode": lambda: os.chmod(one, 0o600),
        "mode of the folder": lambda: os.chmod(folder, 0o700),
        "mode by descriptor": lambda: os.fchmod(os.open(folder, os.O_RDONLY), 0o700),
        "times": lambda: os.utime(one, (1, 1)),
        "time is now": lambda: os.utime(two),
        "time of the folder": lambda: os.utime(folder),
        "owner": lambda: os.chown(one, os.getuid(), os.getgid()),
        "attribute": lambda: os.setxattr(one, "user.seen", b"1"),
        "truncate": lambda: os.truncate(one, 1),
        "truncate on opening": lambda: os.close(os.open(one, os.O_RDONLY | os.O_TRUNC)),
        "append": lambda: open(one, "a").write("x"),
        "new file": lambda: open(folder + "/new", "w"),
        "new folder": lambda: os.mkdir(folder + "/folder"),
        "new link": lambda: os.symlink(one, folder + "/link"),
        "new name": lambda: os.link(one, folder + "/name"),
        "new pipe": lambda: os.mkfifo(folder + "/pipe"),
        "rename": lambda: os.rename(two, folder + "/three"),
        "remove": lambda: os.remove(one),
    }.items():
        try:
            act()
            out.append(name)
        except OSError:
            pass
    return out
"""


def test_files_of_others_cannot_be_changed(box: Zygote, victims: list[str]) -> None:
    assert ask(box, CHANGE, victims).tree == []


def test_outside_all_of_them_can(tmp_path: Path) -> None:
    """The positive control."""
    paths = [str(tmp_path / "one.txt"), str(tmp_path / "two.txt"), str(tmp_path)]
    for path in paths[:2]:
        Path(path).touch()
    assert len(eval(unconfined(CHANGE.replace("f(paths)", f"f(paths={paths})")))) >= 17  # not every system has "user."


def test_libraries_cannot_be_changed(box: Zygote) -> None:
    """Each attempt would change nothing, so that libraries survive if one succeeds."""
    code = """
        import os
        import numpy as np
        import wire
        def f():
            out = []
            ours = [os.path.dirname(wire.__file__), np.__file__, os.path.dirname(np.__file__)]
            for path in ("/", "/proc/self/mem", os.__file__, wire.__file__, *ours):
                old = os.stat(path)
                for act in (
                    lambda: open(path, "ab").close(),
                    lambda: os.chmod(path, old.st_mode & 0o7777),
                    lambda: os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns)),
                    lambda: os.rename(path, path),
                    lambda: os.rmdir(path),
                    lambda: os.rmdir(os.mkdir(path + "/x") or path + "/x"),
                    lambda: os.remove(os.symlink(path, path + "/x") or path + "/x"),
                ):
                    try:
                        act()
                        out.append(path)
                    except OSError:
                        pass
            return out
    """
    assert ask(box, code).tree == []


@in_namespaces
def test_links_out_of_the_box_lead_nowhere(box: Zygote, bare: Zygote) -> None:
    target = str(Path(autograder.__file__))
    code = f"""
        import os
        def f(list_it):
            os.symlink({target!r}, "/box/link")
            os.symlink("/box/../../..", "/box/up")
            return [os.path.exists("/box/link"), list_it and sorted(os.listdir("/box/up")) == sorted(os.listdir("/"))]
    """
    assert ask(bare, code, True).tree == [False, True]
    assert ask(box, code, False).tree == [False, False]
    assert ended_as(ask(box, code, True).outcome, "PermissionError")


ENVIRON = """
import glob, os

def f():
    found = [f"{k}={v}" for k, v in os.environ.items()]
    for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
        try:
            found += open(path, "rb").read().decode(errors="replace").split(chr(0))
        except OSError:
            pass
    return found
"""


def test_the_environment_is_clean(box: Zygote) -> None:
    """The zygote was started with a secret in the judge's environment."""
    assert not [text for text in ask(box, ENVIRON).tree if SECRET in text]
    names = {text.split("=")[0] for text in ask(box, "import os\ndef f():\n    return list(os.environ)\n").tree}
    assert names <= {*mounts.environment("", "", ""), "PWD", "LC_CTYPE"}
    assert SECRET in unconfined(ENVIRON, env={**os.environ, "AUTOGRADER_SEED": SECRET})


@in_namespaces
def test_the_environments_of_all_processes_are_clean(bare: Zygote) -> None:
    found = ask(bare, ENVIRON).tree
    assert "HOME=/box" in found
    assert not [text for text in found if SECRET in text]


def test_the_child_is_nobody_in_particular(box: Zygote, bare: Zygote, isolation: str) -> None:
    code = """
        import os
        def f():
            status = dict(line.split(":", 1) for line in open("/proc/self/status"))
            caps = [status[name].strip().strip("0") for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")]
            flags = [status[name].strip() for name in ("NoNewPrivs", "Seccomp")]
            return [[os.getuid(), os.geteuid()], [os.getgid(), os.getegid()], caps, flags]
    """
    users, groups, capabilities, flags = ask(bare, code).tree
    assert 0 not in users
    assert 0 not in groups
    assert capabilities == [""] * 4
    assert flags == ["1", "2"]
    assert ended_as(ask(box, code).outcome, "PermissionError")
    private = ["private box"] if isolation == "namespaces" else []
    assert box.layers == ["rlimits", "capabilities", *private, "landlock", "seccomp"]
    assert bare.layers == ["rlimits", "capabilities", *private, "seccomp"]


def test_the_child_holds_four_descriptors(box: Zygote) -> None:
    code = """
        import os
        def f():
            held = {}
            for fd in range(4096):
                try:
                    held[fd] = os.readlink(f"/proc/self/fd/{fd}")
                except OSError:
                    pass
            return held
    """
    held = ask(box, code).tree
    assert set(held) == {0, 1, 2, 3}
    assert held[0] == "/dev/null"
    assert held[1] == held[2] == "/memfd:output (deleted)"
    assert held[3].startswith("socket:")


@pytest.mark.parametrize(
    "attempt",
    [
        "import torch",
        "import torch.nn.functional",
        "from torch import nn",
        "import importlib; importlib.import_module('torch')",
        "import sys; del sys.modules['torch']; import torch",
        "import sys; sys.modules.pop('torch'); sys.path += ['/site', '/usr/lib']; import torch",
        f"import sys; del sys.modules['torch']; sys.path.append({str(Path(np.__file__).parents[1])!r}); import torch",
        "import scipy.signal",
        "import sys; del sys.modules['scipy']; import scipy",
        "import autograder",
        "from solutions.a1_convolution.grading import cases",
        "import pytest",
        "import pip",
    ],
)
def test_what_a_runtime_lacks_cannot_be_imported(box: Zygote, attempt: str) -> None:
    for code in (attempt, f"def f():\n    {attempt}\n"):
        outcome = ask(box, code).outcome
        assert isinstance(outcome, Raised)
        assert outcome.name in ("ImportError", "ModuleNotFoundError")


# Forging the protocol

FORGE = """
import os, struct
import numpy as np
import wire

seen = []
decode = wire.decode

def spy(frame):
    value = decode(frame)
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


def forge(zygote: Zygote, body: str, top: str = "") -> Run:
    return ask(zygote, FORGE + textwrap.dedent(top) + "\ndef f():\n" + textwrap.indent(textwrap.dedent(body), "    "))


@pytest.mark.parametrize(
    "body",
    [
        "reply(id=0, value='passed', changed=False, cpu=0.0)",
        "reply(id=seen[-1] - 1, value=1, changed=False, cpu=0.0)",
        "reply(id=True, value=1, changed=False, cpu=0.0)",
        "reply(id=None, value=1, changed=False, cpu=0.0)",
        "reply(id=np.zeros(2), value=1, changed=False, cpu=0.0)",
        "reply(id=np.array(seen[-1]), value=1, changed=False, cpu=0.0)",
        "reply(id=[seen[-1]], value=1, changed=False, cpu=0.0)",
        "reply(value=1, changed=False, cpu=0.0)",
        "reply(id=seen[-1])",
        "reply(id=seen[-1], passed=True)",
        "reply()",
        "say(frame(wire.encode([seen[-1], 1])))",
        "say(frame(wire.encode('passed')))",
        "say(frame(wire.encode(seen[-1])))",
        "say(frame(b'garbage'))",
        "import pickle; say(frame(pickle.dumps({'id': seen[-1], 'value': 1})))",
        "say(b'\\xff' * 100)",
        "say(struct.pack('!i', 0))",
        "say(struct.pack('!i', -1) + struct.pack('!Q', 8) + bytes(8))",
        f"say(struct.pack('!i', {MAX_FRAME + 1}))",
        "say(struct.pack('!i', 2**31 - 1))",
        "say(frame(struct.pack('<I', 2**32 - 1)))",
        "say(frame(wire.encode({'id': seen[-1], 'value': 1}) + b'more'))",
        "say(frame(wire.encode({'id': seen[-1], 'value': 1})[:-1]))",
    ],
)
def test_forged_answers_end_the_child(box: Zygote, body: str) -> None:
    assert forge(box, f"{body}\nreturn 'passed'").outcome == Stopped("protocol")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("raised='Hidden_input_3', detail=''", Raised("Exception")),
        ("raised='ValueError', detail='x' * 500", Raised("ValueError", "x" * 500)),
        ("raised='ValueError', detail='x' * 501", Stopped("protocol")),
        ("raised='ValueError', detail=np.zeros(1 << 20)", Stopped("protocol")),
        ("raised=np.array(['ValueError'] != 1), detail=''", Stopped("protocol")),
        ("raised='KeyError', detail='', value=1", Stopped("protocol")),
        ("malformed='what it is'", Malformed("what it is")),
        ("malformed=list(range(10**4))", Stopped("protocol")),
        ("unsuitable='missing'", Unsuitable("missing")),
        ("unsuitable='hidden input 3'", Stopped("protocol")),
        ("unsuitable=np.zeros(2)", Stopped("protocol")),
        ("forbidden='numpy.convolve'", Stopped("protocol")),
        ("forbidden=np.zeros(2)", Stopped("protocol")),
    ],
)
def test_forged_answers_say_no_more_than_real_ones(box: Zygote, fields: str, expected: Outcome) -> None:
    assert forge(box, f"reply(id=seen[-1], {fields})").outcome == expected


@pytest.mark.parametrize("claim", ["cpu=0.0", "cpu=-1.0", "cpu=float('nan')", "cpu=1e300"])
def test_the_time_that_a_child_claims_is_not_believed(box: Zygote, claim: str) -> None:
    outcome = forge(box, f"sum(range(10**6)); reply(id=seen[-1], value=1, changed=False, {claim})").outcome
    assert isinstance(outcome, Value)
    assert 1e-3 < outcome.cpu < 1e300


@pytest.mark.parametrize("claim", ["changed='no'", "changed=None", "changed=0", "cpu=1", "isolation=1"])
def test_claims_of_another_kind_end_the_child(box: Zygote, claim: str) -> None:
    body = f"reply(**{{'id': seen[-1], 'value': 1, 'changed': False, 'cpu': 0.0, **dict({claim})}})"
    assert forge(box, body).outcome == Stopped("protocol")


@pytest.mark.parametrize("fields", ["value=1, changed=False, cpu=0.0", "malformed='x'", "unsuitable='missing'"])
def test_an_import_is_answered_by_nothing_or_an_exception(box: Zygote, fields: str) -> None:
    run = ask(box, FORGE + f"reply(id=0, {fields})\ndef f():\n    return 1\n")
    assert run.imported == Stopped("protocol")


def test_answers_sent_ahead_are_not_taken(box: Zygote) -> None:
    """At import the number of the import is known, but no number of a question."""
    ahead = "for _ in range(3):\n    reply(id=0, value=None, changed=False, cpu=0.0)\n"
    run = ask(box, f"{FORGE}{ahead}def f():\n    return 1\n")
    assert isinstance(run.imported, Value)
    assert run.outcome == Stopped("protocol")


def test_an_answer_for_the_next_question_is_not_taken(box: Zygote) -> None:
    code = FORGE + "def f():\n    reply(id=seen[-1], value=1, changed=False, cpu=0.0)\n    return 2\n"
    child = start(box, code)
    first, second = child.ask(question(), 1.0), child.ask(question(), 1.0)
    child.kill()
    assert isinstance(first, Value)
    assert first.tree == 1
    assert second == Stopped("protocol")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("say(b'\\0'); time.sleep(60)", "waiting"),
        ("say(b'\\0\\0\\0\\x40abc'); time.sleep(60)", "waiting"),
        (f"say(struct.pack('!i', {MAX_FRAME})); time.sleep(60)", "waiting"),
        ("data = frame(bytes(4000))\nfor i in range(4000): say(data[i:i + 1]); time.sleep(0.02)", "waiting"),
        (f"say(struct.pack('!i', {MAX_FRAME})); os._exit(0)", "died"),
        ("say(b'\\0\\0\\0\\x40abc'); os.close(3); time.sleep(60)", "died"),
        (f"say(struct.pack('!i', {MAX_FRAME}))\nwhile True: say(b'x')", ""),  # as fast as the judge
        ("while True: say(frame(wire.encode({'id': 0})))", "protocol"),
        ("while True: os.read(3, 1 << 20)", "waiting"),
    ],
)
def test_partial_and_endless_answers_end_too(
    box: Zygote, body: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "IDLE_SECONDS", 0.1)
    code = FORGE + "import time\ndef f():\n" + textwrap.indent(body, "    ")
    outcome = ask(box, code, limit=0.1).outcome
    assert isinstance(outcome, Stopped)
    assert outcome.reason == expected if expected else outcome.reason in ("time", "waiting")


def test_a_thread_cannot_flood_the_judge(box: Zygote) -> None:
    code = FORGE + (
        "import threading\n"
        "def flood():\n    while True: reply(id=0, value='passed')\n"
        "threading.Thread(target=flood, daemon=True).start()\n"
        "def f():\n    return 1\n"
    )
    run = ask(box, code)
    assert run.outcome == Stopped("protocol")


def test_a_child_that_does_not_read_is_no_obstacle(box: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question larger than the socket's buffer."""
    monkeypatch.setattr(host, "IDLE_SECONDS", 0.2)
    code = (
        "import time\nimport runner\nrunner.Connection.recv_bytes = lambda _: time.sleep(60)\ndef f(x):\n    return 1\n"
    )
    assert ask(box, code, np.zeros(1 << 22)).outcome == Stopped("waiting")


def test_large_questions_and_answers_travel(box: Zygote) -> None:
    x = np.random.default_rng(0).normal(size=4 << 20)
    assert np.array_equal(ask(box, "def f(x):\n    return -x\n", x).tree, -x)


# Returning

MALFORMED = {
    "object": "object()",
    "lambda": "lambda: 0",
    "generator": "(i for i in range(3))",
    "object array": "np.array([object()], object)",
    "structured": "np.zeros(2, [('a', 'f8')])",
    "datetime": "np.array(['2020'], 'M8[Y]')",
    "strings": "np.array(['a'])",
    "self-reference": "(lambda a: a.append(a) or a)([])",
    "million deep": "__import__('functools').reduce(lambda a, _: [a], range(10**6), 0)",
    "terabytes": "np.broadcast_to(1.0, (10**6, 10**6))",
    "always equal": "type('Yes', (), {'__eq__': lambda *_: True, '__array__': lambda *_: np.ones(3)})()",
    "huge int": "10**30",
    "beyond the frame": "np.ones(70 << 20, 'u1')",
    "beyond the child's memory": "np.zeros(600 << 20, 'u1')",
    "surrogates": "'\\ud800'",
    "long list": "[0.0] * 120_000",
    "many rows": "[[0.0] * 400] * 300",
    "many keys": "{i: 0 for i in range(3000)}",
    "many dimensions": "np.zeros((1,) * 40)",
    "hostile __array_interface__": "type('A', (), {'__array_interface__': {'shape': (9,), 'data': (1, False)}})()",
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_no_tree_of_arrays_is_called_so(box: Zygote, name: str) -> None:
    """Malformed, which tells the student what was wrong, rather than a child that died or disturbed its connection."""
    outcome = ask(box, f"import numpy as np\ndef f():\n    return {MALFORMED[name]}\n").outcome
    assert isinstance(outcome, Malformed), outcome


def test_fan_out_costs_only_its_own_time(box: Zygote) -> None:
    run = ask(box, "def f():\n    x = [0]\n    for _ in range(22): x = [x] * 9\n    return x\n", limit=0.3)
    assert isinstance(run.outcome, Malformed) or run.outcome == Stopped("time")


@pytest.mark.parametrize(
    "patch",
    [
        "np.allclose = np.array_equal = lambda *a, **k: True",
        "np.ndarray.__eq__ = lambda *a: True",
        "builtins.isinstance = lambda *a: True",
        "sys.modules['wire'] = sys.modules['numpy'] = None",
        "wire.encode = lambda value: b'passed'",
        "wire.WireError = Exception",
        "gc.get_objects()[0].__class__",
        "sys.settrace(lambda *a: None)",
        "sys.stdout = sys.stderr = sys.stdin = None",
        "sys.modules.clear()",
        "builtins.print = builtins.open = builtins.len = None",
        "struct.pack = lambda *a: b'xxxx'",
        "os.write = lambda *a: 0",
    ],
)
def test_patching_harms_only_the_patched(box: Zygote, patch: str) -> None:
    imports = "import builtins, gc, os, struct, sys\nimport numpy as np\nimport wire\n"
    code = f"{imports}def f():\n    {patch}\n    return 'passed'\n"
    try:
        outcome = ask(box, code).outcome
    except SandboxError:
        pytest.fail("the zygote was harmed")
    assert not isinstance(outcome, Value) or outcome.tree == "passed"


@pytest.mark.parametrize("name", ["numpy.convolve", "numpy.correlate", "numpy.poly1d", "numpy.fft", "numpy.pad"])
def test_what_a_question_forbids_is_found_by_any_name_and_free_for_the_next(box: Zygote, name: str) -> None:
    code = """
        import numpy as np
        from numpy._core._multiarray_umath import correlate, correlate2
        from numpy.lib._arraypad_impl import pad
        line, rfft = np.poly1d([1.0, 2.0]), np.fft.rfft
        uses = {
            "numpy.convolve": [np.convolve, np.polymul, lambda x, y: correlate(x, y, 2)],
            "numpy.correlate": [np.correlate, lambda x, y: correlate2(x, y, 0)],
            "numpy.poly1d": [lambda x, y: (line * 3.0).coeffs],
            "numpy.fft": [lambda x, y: rfft(x).real],
            "numpy.pad": [lambda x, y: pad(x, 1)],
        }
        def f(name, n):
            return uses[name][n](np.arange(3.0), np.ones(3)) if n < len(uses[name]) else None
    """
    child = start(box, code)
    for n in itertools.count():
        allowed = child.ask(question(name, n), 1.0)
        assert isinstance(allowed, Value)
        if allowed.tree is None:
            break
        assert child.ask({**question(name, n), "forbidden": [name]}, 1.0) == Unsuitable("forbidden", name)
        assert np.array_equal(child.ask(question(name, n), 1.0).tree, allowed.tree)
    child.kill()
    assert n > 0


def test_a_numpy_without_the_private_functions_that_are_wrapped(
    isolation: str, answer: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Public names are still watched; what lies beneath them is not."""
    inside = tmp_path / "inside"
    shutil.copytree(mounts.INSIDE, inside)
    text = (inside / "runner.py").read_text(encoding="utf-8")
    for old, new in (('"correlate"', '"renamed"'), ('"correlate2"', '"renamed2"'), ("umath", "renamed")):
        assert old in text
        text = text.replace(old, new)
    (inside / "runner.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(mounts, "INSIDE", inside)
    tmp_path.chmod(0o755)
    zygote = Zygote("numpy", isolation)
    try:
        assert honest(zygote) == answer
        child = start(zygote, "import numpy as np\ndef f():\n    return np.convolve([1.0], [2.0])\n")
        forbidden: Any = {**question(), "forbidden": ["numpy.convolve"]}
        assert child.ask(forbidden, 1.0) == Unsuitable("forbidden", "numpy.convolve")
        assert isinstance(child.ask(question(), 1.0), Value)
        child.kill()
    finally:
        zygote.close()


def test_the_signature_is_looked_at_under_the_watch(box: Zygote) -> None:
    """Binding the arguments to it may run code of the student's."""
    code = """
        import inspect
        import numpy as np
        class Signature(inspect.Signature):
            def bind(self, x):
                self.kept = np.convolve(x, x)
        class Function:
            __signature__ = Signature()
            def __call__(self, x):
                return self.__signature__.kept
        f = Function()
    """
    child = start(box, code)
    forbidden: Any = {**question(np.ones(2)), "forbidden": ["numpy.convolve"]}
    assert child.ask(forbidden, 1.0) == Unsuitable("forbidden", "numpy.convolve")
    child.kill()


# Torch


def test_tensors_of_every_kind(torch_box: Zygote) -> None:
    code = """
        import torch
        def f(x):
            w = torch.tensor(x, requires_grad=True)
            (w ** 2).sum().backward()
            return [w * 1, w.grad, w.detach().to(torch.bfloat16), torch.tensor([1 + 2j]).conj().imag,
                    torch.nn.Parameter(w.detach().T), torch.zeros(0, 3), float(w.sum()), w.detach().numpy()]
    """
    x = np.arange(6.0).reshape(2, 3)
    tree = ask(torch_box, code, x).tree
    assert [type(value) for value in tree] == [Tensor] * 6 + [float, np.ndarray]
    for got, want in zip(tree, (x, 2 * x, x, [-2], x.T, np.zeros((0, 3)), 15.0, x), strict=True):
        assert np.array_equal(got, want)


def test_torch_trains_saves_and_multiplies(torch_box: Zygote, isolation: str) -> None:
    code = """
        import io, torch
        def f(target):
            layers = [torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(144, 3)]
            net = torch.nn.Sequential(*layers)
            optimizer = torch.optim.Adam(net.parameters())
            data = torch.utils.data.TensorDataset(torch.randn(8, 1, 8, 8))
            for (x,) in torch.utils.data.DataLoader(data, batch_size=4, shuffle=True):
                optimizer.zero_grad()
                net(x).pow(2).mean().backward()
                optimizer.step()
            target = target or io.BytesIO()
            torch.save(net.state_dict(), target)
            if not isinstance(target, str):
                target.seek(0)
            net.load_state_dict(torch.load(target))
            torch.set_num_threads(4)
            return [list(net.parameters()), (torch.ones(400, 400) @ torch.ones(400, 400)).sum()]
    """
    parameters, total = ask(torch_box, code, "net.pt" if isolation == "namespaces" else None).tree
    assert len(parameters) == 4
    assert total == 400**3


@pytest.mark.parametrize(
    "body",
    [
        "list(torch.utils.data.DataLoader(torch.arange(8.0), num_workers=2))",
        "torch.ones(2, device='cuda')",
        "torch.hub.load('pytorch/vision', 'resnet18')",
        "import scipy",
        "torch.ones(2**40)",
        "torch.multiprocessing.spawn(int, nprocs=2)",
        "import torch.utils.cpp_extension as c; c.load_inline('x', 'int f() { return 1; }')",
    ],
)
def test_what_torch_may_not_do_fails_as_an_exception(torch_box: Zygote, body: str) -> None:
    assert isinstance(ask(torch_box, f"import torch\ndef f():\n    {body}\n").outcome, Raised)


NO_ARRAYS = ["torch.eye(2).to_sparse()", "torch.ones(2, device='meta')", "torch.ones(2, dtype=torch.float8_e4m3fn)"]


@pytest.mark.parametrize(
    "value", ["torch.max(torch.tensor([1, 7]), 0)", "collections.OrderedDict(a=torch.ones(2))", "net.state_dict()"]
)
def test_named_tuples_and_dictionaries_of_torch_are_trees(torch_box: Zygote, value: str) -> None:
    code = f"import collections, torch\nnet = torch.nn.Linear(1, 1)\ndef f():\n    return {value}\n"
    assert type(ask(torch_box, code).tree) in (tuple, dict)


@pytest.mark.parametrize("value", [*NO_ARRAYS, "torch.nn.Linear(1, 1)", "torch.float32"])
def test_tensors_that_hold_no_array_are_malformed(torch_box: Zygote, value: str) -> None:
    outcome = ask(torch_box, f"import torch\ndef f():\n    return {value}\n").outcome
    assert isinstance(outcome, Malformed), outcome


def test_hostile_tensor_subclasses_are_contained(torch_box: Zygote) -> None:
    code = """
        import torch
        class Always(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return True
            def detach(self):
                raise SystemExit("passed")
        def f():
            return torch.ones(3).as_subclass(Always)
    """
    outcome = ask(torch_box, code).outcome
    assert isinstance(outcome, Malformed | Raised | Stopped)


# Breaking down, and leaving nothing behind


def test_without_bubblewrap_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "find_bubblewrap", lambda: None)
    with pytest.raises(SandboxError, match="bubblewrap was not found"):
        Zygote("numpy")


@pytest.mark.parametrize("command", ["/bin/false", "/bin/sh"])
def test_a_wall_that_does_not_stand_is_reported(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    before = descriptors()
    monkeypatch.setattr(mounts, "find_bubblewrap", lambda: command)
    with pytest.raises(SandboxError, match="did not start"):
        Zygote("numpy")
    assert descriptors() == before


def test_a_dead_zygote_is_an_error_of_the_sandbox_and_a_new_one_works(isolation: str, answer: bytes) -> None:
    before = descriptors()
    zygote = Zygote("numpy", isolation)
    child = start(zygote, "def f():\n    return 1\n")
    os.kill(inner_pid(zygote), signal.SIGKILL)
    zygote.process.wait(5)
    assert select.select([child.pidfd], [], [], 5)[0]
    assert child.ask(question(), 1.0) == Stopped("died")
    for _ in range(2):
        with pytest.raises(SandboxError):
            start(zygote, "")
    zygote.close()
    child.kill()
    del zygote, child
    assert descriptors() == before
    zygote = Zygote("numpy", isolation)
    assert honest(zygote) == answer
    zygote.close()


def test_what_is_behind_a_dead_bubblewrap_ends_with_the_judges_socket() -> None:
    before = descriptors()
    zygote = Zygote("numpy")
    child = start(zygote, "def f():\n    return 1\n")
    os.kill(zygote.process.pid, signal.SIGKILL)
    zygote.close()
    assert select.select([child.pidfd], [], [], 5)[0]
    child.kill()
    assert descriptors() == before


def test_a_zygote_that_dies_while_it_is_asked(isolation: str) -> None:
    zygote = Zygote("numpy", isolation)
    before, own = descriptors(), inner_pid(zygote)
    os.kill(own, signal.SIGSTOP)
    threading.Timer(0.1, os.kill, (own, signal.SIGKILL)).start()
    with pytest.raises(SandboxError):
        start(zygote, "")
    assert descriptors() == before
    zygote.close()


@pytest.mark.parametrize("broken", [{"box_bytes": "many"}, {"cpu_seconds": "much"}])
def test_a_child_that_cannot_be_locked_runs_nothing(
    numpy_zygote: Zygote, monkeypatch: pytest.MonkeyPatch, broken: dict[str, Any]
) -> None:
    before = descriptors()
    with monkeypatch.context() as patch:
        patch.setattr(host, "LIMITS", {**host.LIMITS, **broken})
        for _ in range(3):
            with pytest.raises(SandboxError):
                start(numpy_zygote, "")
    assert honest(numpy_zygote)
    assert not eventually_remaining(numpy_zygote)
    assert descriptors() == before


def test_a_child_that_ends_before_it_is_known(numpy_zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_: int) -> int:
        raise OSError("a child ended before it could be confined")

    before = descriptors()
    with monkeypatch.context() as patch:
        patch.setattr(host, "_pid_of", unknown)
        with pytest.raises(SandboxError):
            start(numpy_zygote, "")
    assert honest(numpy_zygote)
    assert not eventually_remaining(numpy_zygote)
    assert descriptors() == before


def test_a_zygote_that_does_not_answer_any_more_is_ended(isolation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    zygote = Zygote("numpy", isolation)
    own = inner_pid(zygote)
    child = start(zygote, "def f():\n    return 1\n")
    os.kill(own, signal.SIGSTOP)
    communicate = zygote.process.communicate
    monkeypatch.setattr(zygote.process, "communicate", lambda timeout=None: communicate(timeout=timeout and 0.2))
    closing = threading.Thread(target=zygote.close, daemon=True)
    closing.start()
    closing.join(5)
    survived = Path(f"/proc/{own}").exists()
    if survived:
        os.kill(own, signal.SIGKILL)
    assert not survived
    assert select.select([child.pidfd], [], [], 5)[0]
    child.kill()


@pytest.mark.parametrize("why", ["libseccomp is missing", "the layer is left out"])
def test_without_a_filter_nothing_survives_its_child(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where libseccomp is missing a child can fork: what it forked must still end with it."""
    if why == "libseccomp is missing":
        monkeypatch.setattr(policy, "compiled", lambda *_, **__: b"")
    code = (
        "import os, time\ndef f():\n    if os.fork() == 0:\n        os.close(3)\n        time.sleep(5)\n    return 1\n"
    )
    zygote = Zygote("numpy", without=() if why == "libseccomp is missing" else ("seccomp",))
    try:
        assert "seccomp" not in zygote.layers
        assert ask(zygote, code).tree == 1
        assert not eventually_remaining(zygote)
    finally:
        zygote.close()


def test_a_hundred_children_leave_nothing(box: Zygote) -> None:
    honest(box)
    before = descriptors()
    kinds = ["def f():\n    return 1\n", "import os\nos._exit(0)\n", "def f():\n    raise ValueError\n", "x = ("]
    for n in range(100):
        ask(box, kinds[n % 4])
    assert descriptors() == before
    assert not eventually_remaining(box)
    assert not [pid for pid in offspring(os.getpid()) if is_zombie(pid)]


def test_a_closed_zygote_leaves_nothing(isolation: str) -> None:
    before, processes = descriptors(), offspring(os.getpid())
    zygote = Zygote("numpy", isolation)
    child = start(zygote, "def f():\n    return 1\n")
    own, root = inner_pid(zygote), zygote.root and zygote.root.name
    zygote.close()
    child.kill()
    del zygote, child
    assert descriptors() == before
    assert offspring(os.getpid()) == processes
    assert not Path(f"/proc/{own}").exists()
    assert not (root and Path(root).exists())


def test_neither_a_terminal_nor_its_signals_reach_a_zygote(box: Zygote) -> None:
    """Ctrl-C is the judge's to handle."""
    assert os.getsid(inner_pid(box)) not in (0, os.getsid(0))


def test_a_killed_judge_leaves_nothing_for_long(isolation: str) -> None:
    code = """
        import os, signal, sys
        from autograder.sandbox.host import ForkedChild, Source, Zygote
        zygote = Zygote("numpy", sys.argv[1])
        spin = "import threading\\nthreading.Thread(target=lambda: [None for _ in iter(int, 1)]).start()\\n"
        child = ForkedChild(zygote, Source({"part.py": spin}, "part", ""))
        print(zygote.process.pid, child.pid, zygote.root.name if zygote.root else "", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    command = [sys.executable, "-c", textwrap.dedent(code), isolation]
    judge = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    *numbers, root = judge.stdout.rstrip("\n").split(" ")
    pids = [int(number) for number in numbers]
    assert len(pids) == 2
    end = time.monotonic() + 5
    while left := [pid for pid in pids if Path(f"/proc/{pid}").exists() and not is_zombie(pid)]:
        assert time.monotonic() < end, left
        time.sleep(0.01)
    if root:  # is the next judge's to remove, which waits until it is old
        ContainerRoot("numpy").cleanup()
        assert Path(root).exists()
        os.utime(root, (0, 0))
        ContainerRoot("numpy").cleanup()
        assert not Path(root).exists()


@in_container
def test_only_what_is_left_of_ones_own_is_removed(box: Zygote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert box.root
    os.utime(box.root.name, (0, 0))
    assert Path(box.root.name) not in left_behind()  # it is in use
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "another").mkdir()
    (tmp_path / f"{PREFIX}link").symlink_to(tmp_path / "another")
    left = tmp_path / f"{PREFIX}left"
    left.mkdir()
    for folder in (left, tmp_path / "another"):
        os.utime(folder, (0, 0))
    assert list(left_behind()) == [left]
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert list(left_behind()) == []


def test_a_zygote_outlives_the_thread_that_started_it(isolation: str, answer: bytes) -> None:
    """The signal that bubblewrap asks for at its parent's death comes when the thread ends that started it."""
    zygotes: list[Zygote] = []
    thread = threading.Thread(target=lambda: zygotes.append(Zygote("numpy", isolation)))
    thread.start()
    thread.join()
    time.sleep(0.1)
    try:
        assert honest(zygotes[0]) == answer
    finally:
        zygotes[0].close()


def test_killing_twice_does_no_harm(box: Zygote) -> None:
    child = start(box, "def f():\n    return 1\n")
    child.kill()
    child.kill()
    assert child.ask(question(), 1.0) == Stopped("died")
