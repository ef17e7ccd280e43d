"""A sandbox that breaks down is said to have, and leaves nothing behind."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from autograder.outcome import Stopped
from autograder.sandbox import host, mounts, policy
from autograder.sandbox.container_root import PREFIX, ContainerRoot, left_behind
from autograder.sandbox.host import Zygote
from autograder.sandbox.protocol import SandboxError
from tests.sandbox.zygotes import (
    ask,
    descriptors,
    eventually_remaining,
    honest,
    in_container,
    inner_pid,
    is_zombie,
    offspring,
    question,
    start,
)


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


def test_a_zygote_that_takes_too_long_to_start_is_ended_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    before = descriptors()
    monkeypatch.setattr(host, "START_SECONDS", 0.001)
    with pytest.raises(SandboxError, match=r"did not start: it took more than 0\.001 seconds\."):
        Zygote("numpy", "namespaces")
    assert descriptors() == before


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
        from autograder.sandbox.host import ForkedChild, Program, Zygote
        zygote = Zygote("numpy", sys.argv[1])
        spin = "import threading\\nthreading.Thread(target=lambda: [None for _ in iter(int, 1)]).start()\\n"
        child = ForkedChild(zygote, Program({"part.py": spin}, "part", ""))
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
