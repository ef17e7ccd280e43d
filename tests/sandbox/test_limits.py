"""Time, memory, output, recursion, files and threads are limited, and no judge that is slow is the student's fault."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.outcome import Raised, Stopped, Value
from autograder.sandbox import host, waiting
from autograder.sandbox.host import Zygote
from autograder.sandbox.protocol import ChildStopped, Program
from tests.sandbox.zygotes import NOBODY, ask, eventually_remaining, in_namespaces, question, start

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
    busy = Program({"part.py": "while True: pass\n"}, "part", "")
    used = []
    for slowness in (1.0, 20.0):
        child = box.child(busy, slowness)
        assert child.imported == Stopped("time")
        used.append(child.used)
    assert used[0] < used[1]
    assert used[1] >= 1.0
    sleeping = Program({"part.py": "import time\ndef f():\n    time.sleep(0.2)\n"}, "part", "")
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
    monkeypatch.setattr(waiting, "MAX_THREADS", 10_000)
    assert len(waiting.delays(os.getpid())) > 20
    monkeypatch.setattr(waiting, "MAX_THREADS", 20)
    with pytest.raises(ChildStopped, match="threads"):
        waiting.delays(os.getpid())
    done.set()
    for thread in threads:
        thread.join()


MS = 1_000_000  # nanoseconds


@pytest.mark.parametrize(
    ("before", "after", "milliseconds"),
    [
        ({}, {}, 0),
        ({"1": 7 * MS}, {"1": 10 * MS}, 3),
        ({"1": 0, "2": 5 * MS}, {"1": 0, "2": 9 * MS}, 4),  # another thread
        ({"1": 0}, {"1": 0, "2": 4 * MS}, 4),  # a new one
        ({"1": 9 * MS}, {"2": 0}, 0),  # one that waited has ended
        ({str(n): 0 for n in range(15)}, {str(n): MS for n in range(15)}, 1),  # many wake together
    ],
)
def test_many_threads_that_wake_together_do_not_hide_that_they_sleep(
    before: dict[str, int], after: dict[str, int], milliseconds: float
) -> None:
    assert waiting.delay(before, after) == pytest.approx(milliseconds / 1000)


@pytest.mark.parametrize(
    ("looks", "slept"),
    [
        ([(0.0, 0)] * 4, 1.0),  # asleep
        ([(0.25, 0)] * 4, 0.0),  # computes
        ([(0.0, 0), (0.0, 0), (0.0, 0), (0.05, 950)], 0.0),  # the kernel says only afterwards that it had no processor
        ([(0.05, 0), (0.0, 0), (0.0, 200), (0.0, 0)], 0.75),
        ([(0.0, 900), (0.0, 0), (0.0, 0), (0.0, 0)], 0.75),  # what it waited for before is no excuse
    ],
)
def test_what_looks_like_sleep_may_turn_out_to_have_been_waiting(
    monkeypatch: pytest.MonkeyPatch, looks: list[tuple[float, int]], slept: float
) -> None:
    """Four looks at a child, a quarter of a second apart: seconds of CPU and milliseconds without a processor since."""
    seen = itertools.accumulate([0, *(waits for _, waits in looks)])
    monkeypatch.setattr(waiting, "delays", lambda pid: {"1": next(seen) * MS})
    monkeypatch.setattr(waiting, "held_up", lambda: 0.0)
    call, cpu = waiting.Waiting(1, 3.0), 3.0
    call.add(waiting.GLANCE, cpu)  # from here on it looks
    for used, _ in looks:
        cpu += used
        call.add(0.25, cpu)
    assert call.waited == 1.0 + waiting.GLANCE
    assert call.slept == pytest.approx(slept, abs=1.1 * waiting.GLANCE)


@pytest.mark.parametrize("held_up", [0.0, 0.25, 0.75])
def test_a_child_that_has_answered_does_not_sleep_while_the_judge_waits_for_a_processor(
    monkeypatch: pytest.MonkeyPatch, held_up: float
) -> None:
    seen = iter([7.0, 7.0 + held_up])  # from before the call, and since
    monkeypatch.setattr(waiting, "delays", lambda pid: {"1": 0})
    monkeypatch.setattr(waiting, "held_up", lambda: next(seen))
    call = waiting.Waiting(1, 3.0)
    call.add(waiting.GLANCE, 3.0)
    call.add(1.0, 3.0)
    assert call.waited == call.slept == pytest.approx(1.0 - held_up + waiting.GLANCE)


def test_the_judge_counts_how_long_it_waits_for_a_processor(crowded_processor: int) -> None:
    everywhere, before = os.sched_getaffinity(0), waiting.held_up()
    os.sched_setaffinity(0, {crowded_processor})
    try:
        for _ in range(1000):  # seconds of CPU: three others want the same processor
            sum(range(100_000))
            if waiting.held_up() - before > 0.01:
                break
    finally:
        os.sched_setaffinity(0, everywhere)
    assert waiting.held_up() - before > 0.01


def test_whether_a_process_could_run() -> None:
    assert waiting.can_run(os.getpid())
    with subprocess.Popen(["sleep", "60"]) as sleeper:
        while "sleep" not in Path(f"/proc/{sleeper.pid}/comm").read_text():
            time.sleep(0.01)
        time.sleep(0.1)
        assert not waiting.can_run(sleeper.pid)
        sleeper.kill()
    assert not waiting.can_run(sleeper.pid)


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
