"""Which isolation is chosen, what is said where one does not work, and what each layer alone was holding."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.cli import main
from autograder.compare import close
from autograder.course import Assignment, Case, Criterion, Exercise, Part, inputs
from autograder.judge import Judge
from autograder.outcome import Stopped, Value
from autograder.results import to_gradescope
from autograder.sandbox import isolation, mounts, policy, waiting
from autograder.sandbox.host import Zygote
from autograder.sandbox.inside import lock
from autograder.sandbox.protocol import Program, SandboxError
from autograder.sandbox.spawned import Spawner
from autograder.store import write_json
from autograder.submission import Submission

ROOT = Path(__file__).parent.parent
NO_SPACE = "bwrap: No permissions to create new namespace"
NO_ROOT = "The nobody isolation needs root: only root can become another user."


def out_of_reach(name: str) -> str:
    """Why a judge that is root cannot use ``name`` with this Python; empty if nothing is in the way."""
    if name in ("container", "nobody") and os.geteuid() == 0 and (closed := mounts.closed_folder("torch")):
        return f"The user nobody cannot reach Python: {closed} is closed to others."
    return NO_ROOT if name == "nobody" and os.geteuid() != 0 else ""


@pytest.fixture(params=isolation.ISOLATIONS)
def working(request: pytest.FixtureRequest) -> str:
    if reason := out_of_reach(request.param):
        pytest.skip(reason)
    return str(request.param)


@pytest.fixture
def no_namespaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that forbids user namespaces, as its bubblewrap says."""
    refusing = tmp_path / "bin" / "bwrap"
    refusing.parent.mkdir()
    refusing.write_text(f"#!/bin/sh\necho '{NO_SPACE}' >&2\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{refusing.parent}:{os.environ['PATH']}")


@pytest.fixture
def no_container(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "landlock_abi", lambda: 0)


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    """An empty one to assignment 1."""
    file = tmp_path / "class" / "ann" / "convolution.py"
    file.parent.mkdir(parents=True)
    file.write_text("", encoding="utf-8")
    return file.parent.parent


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everyone may write to."""
    folder = Path(tempfile.mkdtemp(prefix="public-"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


# The choice


def test_each_isolation_works_here(working: str) -> None:
    assert isolation.problem(working) == ""
    assert isolation.choose(working) == working


def test_the_strongest_is_chosen() -> None:
    assert isolation.choose() == "namespaces"


@pytest.mark.usefixtures("no_namespaces")
def test_a_container_is_chosen_where_namespaces_are_forbidden() -> None:
    assert isolation.problem("namespaces") == f"The numpy sandbox did not start: {NO_SPACE}"
    if reason := out_of_reach("container"):
        with pytest.raises(SandboxError) as refused:
            isolation.choose()
        assert NO_SPACE in str(refused.value)
        assert reason in str(refused.value)
    else:
        assert isolation.choose() == "container"


@pytest.mark.usefixtures("no_namespaces", "no_container")
def test_where_nothing_works_every_reason_is_given() -> None:
    with pytest.raises(SandboxError, match=f"No isolation works here.*{NO_SPACE}.*container: .*Landlock"):
        isolation.choose()


@pytest.mark.usefixtures("no_namespaces")
def test_a_required_isolation_is_not_replaced() -> None:
    with pytest.raises(SandboxError, match=f"namespaces is required and does not work here: .*{NO_SPACE}"):
        isolation.choose("namespaces")


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_without_linux_processes_are_spawned(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert isolation.problem("namespaces") == isolation.problem("container") == "it needs Linux"
    chosen = isolation.choose()
    monkeypatch.undo()
    assert chosen == "spawn"


def test_where_unix_modules_are_absent_processes_are_spawned() -> None:
    code = """
import importlib.metadata, multiprocessing.connection, subprocess, sys, tempfile
import jinja2, nbformat, numpy
sys.modules |= dict.fromkeys(["fcntl", "grp", "pwd", "resource", "termios"])
sys.platform = "win32"
import autograder.cli
from autograder.sandbox import isolation
print(isolation.choose(), isolation.layers()[3].present)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "spawn False\n", done.stderr


def test_a_container_rests_on_landlock_and_a_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    for version in (0, 2):  # the second does not hold truncation
        with monkeypatch.context() as patch:
            patch.setattr(lock, "landlock_abi", lambda version=version: version)
            assert "needs Landlock 3 (Linux 6.2)" in isolation.problem("container")
    monkeypatch.setattr(policy, "compiled", lambda *_, **__: b"")
    assert "needs libseccomp" in isolation.problem("container")


def test_nobody_rests_on_root_and_a_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert isolation.problem("nobody") == NO_ROOT
    monkeypatch.setattr(policy, "compiled", lambda *_, **__: b"")
    assert isolation.problem("nobody") == "The nobody isolation needs libseccomp."


def test_namespaces_stand_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "landlock_abi", lambda: 0)
    monkeypatch.setattr(policy, "compiled", lambda *_, **__: b"")
    assert isolation.problem("namespaces") == ""
    with contextlib.closing(Zygote("numpy")) as zygote:
        assert zygote.layers == ["rlimits", "capabilities", "private box"]


@pytest.mark.parametrize("code", ["def add(a, b):\n    return 4\n", "import os\nos._exit(0)\n"])
def test_a_sandbox_that_cannot_add_does_not_work(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "TRIAL", Program({"trial.py": code}, "trial", ""))
    assert "a trial call came to" in isolation.problem("namespaces")


def test_python_out_of_reach_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(mounts, "closed_folder", lambda _: Path("/closed"))
    assert isolation.problem("container") == "The user nobody cannot reach Python: /closed is closed to others."


def test_closed_folders_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if not folder.stat().st_mode & 0o001:  # pytest's own is closed
            break
    else:
        folder = tmp_path
        tmp_path.chmod(0o750)
    (tmp_path / "python").touch()
    monkeypatch.setattr(mounts, "interpreter", lambda: tmp_path / "python")
    monkeypatch.setattr(mounts, "distribution_paths", lambda _: {})
    found = mounts.closed_folder("numpy")
    assert found is not None
    assert found in tmp_path.parents or found == tmp_path
    assert not found.stat().st_mode & 0o001


def test_temporary_files_must_be_open_to_nobody_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "interpreter", lambda: Path("/bin/python"))
    monkeypatch.setattr(mounts, "distribution_paths", lambda _: {})
    assert mounts.closed_folder("numpy") is None
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    tmp_path.chmod(0o700)
    found = mounts.closed_folder("numpy")
    assert found == tmp_path or found in tmp_path.parents


# What is said of it


def test_layers_that_are_here() -> None:
    found = {layer.name: layer for layer in isolation.layers()}
    assert list(found) == ["bubblewrap", "user namespaces", "seccomp", "landlock", "another user"]
    assert all(layer.present for name, layer in found.items() if name != "another user")
    assert found["bubblewrap"].detail == mounts.find_bubblewrap()
    assert found["another user"].present == (os.geteuid() == 0)


@pytest.mark.usefixtures("no_namespaces", "no_container")
def test_layers_that_are_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "compiled", lambda *_, **__: b"")
    found = {layer.name: layer for layer in isolation.layers()}
    assert [name for name, layer in found.items() if layer.present] == ["bubblewrap", *["another user"][os.geteuid() :]]
    assert NO_SPACE in found["user namespaces"].detail
    assert "apt install libseccomp2" in found["seccomp"].detail
    assert "5.13" in found["landlock"].detail
    monkeypatch.setattr(mounts, "find_bubblewrap", lambda: None)
    bubblewrap = isolation.layers()[0]
    assert not bubblewrap.present
    assert "apt install bubblewrap" in bubblewrap.detail


def test_doctor_says_what_is_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for layer in isolation.layers():
        assert f"{layer.name:<16}{'present' if layer.present else 'absent':<9}{layer.detail}" in lines
    for name in isolation.ISOLATIONS:
        reason = out_of_reach(name)
        assert f"{name:<16}{f'does not work: {reason}' if reason else 'works'}" in lines


def test_doctor_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["problems"] == {name: out_of_reach(name) for name in isolation.ISOLATIONS}
    assert [layer["name"] for layer in said["layers"]] == [layer.name for layer in isolation.layers()]
    assert {type(layer["present"]) for layer in said["layers"]} == {bool}


@pytest.mark.usefixtures("no_namespaces", "no_container")
def test_doctor_fails_where_no_isolation_works(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert f"user namespaces absent   The numpy sandbox did not start: {NO_SPACE}" in said
    assert "container       does not work: The container isolation needs Landlock" in said


def test_a_required_isolation_is_used_recorded_and_leaves_no_file(
    working: str, submission: Path, tmp_path: Path, public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(public))
    monkeypatch.setattr(tempfile, "tempdir", str(public))
    out = tmp_path / "out"
    assert main(["grade", "a1", str(submission), "-o", str(out), "--require-isolation", working, "--jobs", "1"]) == 0
    assert list(public.iterdir()) == []
    assert json.loads((out / "run.json").read_text())["isolation"] == working
    recorded = json.loads((out / "ann" / "run.json").read_text())["isolation"]
    private = ["private box"] if working == "namespaces" else []
    layers = [] if working == "spawn" else ["rlimits", "capabilities", *private, "landlock", "seccomp"]
    assert recorded["name"] == working
    assert set(map(tuple, recorded["layers"].values())) == {tuple(layers)}


@pytest.mark.usefixtures("no_namespaces", "no_container")
@pytest.mark.parametrize(("required", "why"), [("namespaces", NO_SPACE), ("container", "needs Landlock")])
def test_what_is_required_and_missing_is_no_grade(
    required: str, why: str, submission: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["grade", "a1", str(submission), "-o", str(out), "--require-isolation", required]) == 1
    *_, sentence = capsys.readouterr().err.splitlines()  # before it stands what the submissions were taken for
    assert sentence.startswith(f"The isolation {required} is required and does not work here: ")
    assert why in sentence
    assert not out.exists()


def test_an_unknown_isolation_is_wrong_use(submission: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["grade", "a1", str(submission), "-o", "x", "--require-isolation", "none"])
    assert ended.value.code == 2
    assert "'namespaces', 'container', 'nobody', 'spawn'" in capsys.readouterr().err


# The same grades everywhere

CLASS = {
    "ann": "def double(x):\n    print('here')\n    return 2 * x\ndef root(x):\n    return x ** 0.5\n",
    "bob": "import sys\ndef double(x):\n    return x + 'a'\ndef root(y, z):\n    sys.exit(0)\n",
    "eve": "def double(x):\n    while True: pass\ndef root(x):\n    return x ** 0.5\n",
    "ida": "def double(x:\n",
}


def small_assignment() -> Assignment:
    def case(title: str, value: Any) -> Case:
        return Case(title, lambda rng: inputs(value))

    exercises = [
        Exercise(
            name, "part", [Criterion("values", [case("ones", np.ones(3)), case("nine", 9.0)], close())], cpu_limit=0.1
        )
        for name in ("double", "root")
    ]
    points = {"double": {"values": 2.0}, "root": {"values": 1.0}}
    references = {"part": CLASS["ann"]}
    return Assignment("a9", "A9", [Part("part", "numpy")], exercises, points, references)


def graded(name: str, folder: Path) -> dict[str, bytes]:
    """Student → the bytes of results.json."""
    judge = Judge(small_assignment(), "seed", name)
    written = {}
    with contextlib.closing(judge):
        for student, code in CLASS.items():
            result, _ = judge.grade(Submission(student, {"part": {"part.py": code}}))
            write_json(folder / f"{student}.json", to_gradescope(result))
            written[student] = (folder / f"{student}.json").read_bytes()
    return written


@pytest.fixture(scope="module")
def in_namespaces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return graded("namespaces", tmp_path_factory.mktemp("namespaces"))


def test_every_isolation_gives_the_same_bytes(working: str, in_namespaces: dict[str, bytes], tmp_path: Path) -> None:
    scores = {student: json.loads(text)["score"] for student, text in in_namespaces.items()}
    assert scores == {"ann": 3, "bob": 0, "eve": 1, "ida": 0}
    assert graded(working, tmp_path) == in_namespaces


SILENT = {
    "half an answer": """
import os, sys, time

def f(x):
    frame = sys._getframe()
    while not hasattr(frame.f_locals.get("io"), "fileno"):
        frame = frame.f_back
    os.write(frame.f_locals["io"].fileno(), b"\\0\\0\\0\\x40abc")
    time.sleep(60)
""",
    "no answer": "import time\ndef f(x):\n    time.sleep(60)\n",
    "no reading": """
import time
from multiprocessing.connection import Connection

Connection.recv_bytes = lambda *_: time.sleep(60)

def f(x):
    return x
""",
}


@pytest.mark.parametrize("what", SILENT)
def test_a_spawned_child_that_falls_silent_is_ended(what: str) -> None:
    child = Spawner("numpy").child(Program({"part.py": SILENT[what]}, "part", ""))
    outcomes = []
    question = {"name": "f", "driver": "", "args": (np.zeros(1 << 20),), "kwargs": {}, "seed": 1}
    asking = threading.Thread(target=lambda: outcomes.append(child.ask(question, 0.1)), daemon=True)
    asking.start()
    asking.join(5)
    in_time = not asking.is_alive()
    child.process.kill()
    asking.join(5)
    child.kill()
    assert in_time
    assert outcomes == [Stopped("time")]


# What each layer alone was holding

PROBES = r"""
import _thread, fcntl, mmap, os, resource, shutil, socket, threading
import wire

parent = os.getppid()

FOLDERS = (os.environ["HOME"], ".")

def leave():
    for folder in FOLDERS:
        try:
            with open(os.path.join(folder, "stash"), "x") as file:
                file.write("a hidden input")
            break
        except OSError as error:
            last = error
    else:
        raise last
    shutil.rmtree("submission", ignore_errors=True)  # in a shared box it would be in the next child's way

def found():
    for folder in FOLDERS:
        try:
            return open(os.path.join(folder, "stash")).read()
        except OSError:
            pass
    return ""

def fork():
    if (pid := os.fork()) == 0:
        os._exit(0)
    os.waitpid(pid, 0)

def stop_through_a_file():
    reader, writer = os.pipe()
    fcntl.fcntl(reader, fcntl.F_SETOWN, parent)
    fcntl.fcntl(reader, 10, 19)  # F_SETSIG, SIGSTOP
    fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC)
    os.write(writer, b"x")
    fcntl.fcntl(reader, fcntl.F_SETFL, 0)  # once is enough: closing it would be another event

def threads():
    done = threading.Event()
    try:
        for _ in range(400):  # whose stacks are 3 GB
            _thread.start_new_thread(done.wait, ())
    finally:
        done.set()

def forbidden_file():
    os.close(os.open("closed", os.O_CREAT | os.O_WRONLY, 0))
    os.close(os.open("closed", os.O_RDONLY))

def big(descriptor):
    for _ in range(64):
        os.write(descriptor, bytes(1 << 20))

def big_file():
    for folder in FOLDERS:
        try:
            file = os.open(os.path.join(folder, "big"), os.O_CREAT | os.O_WRONLY)
            break
        except OSError as error:
            last = error
    else:
        raise last
    try:
        big(file)
    finally:
        os.close(file)
        os.remove(os.path.join(folder, "big"))

def probes(victim):
    return {
        "2 GB of memory": lambda: mmap.mmap(-1, 2 << 30).close(),
        "400 threads": threads,
        "64 MB of output": lambda: big(1),
        "64 MB in its box": big_file,
        "a file closed to its owner": forbidden_file,
        "something left for the next child": leave,
        "the source of the zygote": lambda: open(wire.__file__).read(),
        "its own status": lambda: open("/proc/self/status").read(),
        "a list of the root": lambda: os.listdir("/"),
        "a file of the judge": lambda: open(victim).read(),
        "a word in a file of the judge": lambda: open(victim, "a").write("x"),
        "the date of a file of the judge": lambda: os.utime(victim),
        "fork": fork,
        "socket": lambda: socket.socket().close(),
        "memory without a name": lambda: os.close(os.memfd_create("x")),
        "the limits of the parent": lambda: resource.prlimit(parent, resource.RLIMIT_CORE),
        "the priority of the parent": lambda: os.setpriority(0, parent, os.getpriority(0, parent)),
        "a signal to the parent": lambda: os.kill(parent, 0),
        "the parent stopped through a file": stop_through_a_file,
    }

def f(victim):
    done = []
    for name, act in probes(victim).items():
        try:
            act()
            done.append(name)
        except (OSError, MemoryError, RuntimeError, ValueError):
            pass
    return done
"""

SYSTEM = {"fork", "socket", "memory without a name", "the limits of the parent", "the priority of the parent"}
READING = {"the source of the zygote", "its own status", "a list of the root"}
MEMORY = {"2 GB of memory", "400 threads", "64 MB of output"}
FILES = {"a file of the judge", "a word in a file of the judge"}
LEFT, STOPPED = "something left for the next child", "the parent stopped through a file"
SIGNALS = {"a signal to the parent", STOPPED}

# isolation, layer left out → what succeeds then and only then
HELD: dict[tuple[str, str], set[str]] = {
    ("namespaces", ""): set(),
    ("namespaces", "rlimits"): MEMORY,
    ("namespaces", "capabilities"): {"a file closed to its owner"},
    ("namespaces", "private box"): {LEFT},
    ("namespaces", "landlock"): READING,
    ("namespaces", "seccomp"): SYSTEM,
    ("container", ""): set(),
    ("container", "rlimits"): MEMORY,
    ("container", "capabilities"): set(),  # an ordinary user has none
    ("container", "landlock"): {*READING, *FILES, LEFT},
    ("container", "seccomp"): {*SYSTEM, "the date of a file of the judge"},
    # without Landlock: what everybody may read is read, and nothing is written
    ("nobody", "landlock"): {*READING, "a file of the judge"},
}


def succeeding(zygote: Zygote, victim: Path) -> set[str]:
    """The probes that do, as their child says, but for what is seen from outside alone."""

    def ask(name: str, *args: Any) -> Any:
        child = zygote.child(Program({"part.py": PROBES}, "part", ""))
        question = {"name": name, "driver": "", "args": args, "kwargs": {}, "seed": 1}
        outcome = child.ask(question, 5.0)
        child.kill()
        assert isinstance(outcome, Value), outcome
        return outcome.tree

    said = set(ask("f", str(victim)))
    if STOPPED in said and not ends_up_stopped(zygote):
        said.remove(STOPPED)
    return said if ask("found") else said - {LEFT}  # in a private box it may well leave something


def ends_up_stopped(zygote: Zygote) -> bool:
    """Whether the zygote is, in a moment; then it goes on."""
    own, end = inner_pid(zygote), time.monotonic() + 0.3
    while time.monotonic() < end:
        if Path(f"/proc/{own}/stat").read_text().rsplit(")")[1].split()[0] == "T":
            os.kill(own, signal.SIGCONT)
            return True
        time.sleep(0.01)
    return False


def inner_pid(zygote: Zygote) -> int:
    """The zygote itself as this namespace sees it."""
    if zygote.isolation != "namespaces":
        return zygote.process.pid
    init = Path(f"/proc/{zygote.process.pid}/task/{zygote.process.pid}/children").read_text().strip()
    return min(map(int, Path(f"/proc/{init}/task/{init}/children").read_text().split()))


@pytest.fixture
def victim(public: Path) -> Path:
    file = public / "grades.csv"
    file.write_text("ann,100")
    file.chmod(0o666)
    return file


def let_through(name: str, layers: tuple[str, ...], victim: Path) -> set[str]:
    """What succeeds in ``name`` without ``layers``."""
    with pytest.MonkeyPatch.context() as patch, contextlib.closing(Zygote("numpy", name, without=layers)) as zygote:
        patch.setattr(waiting, "MAX_THREADS", 1000)  # it is the judge's, and no layer of the child's
        return succeeding(zygote, victim)


def held(name: str, layer: str) -> set[str]:
    older = layer == "seccomp" and lock.landlock_abi() < 6  # which has no scopes yet
    return HELD[name, layer] | (SIGNALS if older else set())


@pytest.mark.parametrize(("name", "layer"), HELD, ids=lambda text: text or "none left out")
def test_each_layer_left_out_lets_through_what_it_alone_was_holding(name: str, layer: str, victim: Path) -> None:
    if reason := out_of_reach(name):
        pytest.skip(reason)
    assert let_through(name, (layer,), victim) == held(name, layer)


@pytest.mark.attacks
@pytest.mark.parametrize("name", ["namespaces", "container"])
def test_table_of_layers(name: str, victim: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Prints, as measured, what each layer alone was holding: ``pytest -m attacks -k table_of_layers``."""
    if reason := out_of_reach(name):
        pytest.skip(reason)
    layers = [layer for isolation, layer in HELD if isolation == name]
    rows = {layer: let_through(name, (layer,), victim) for layer in layers}
    with capsys.disabled():
        print(f"\n\n{name}, without", "lets through, and only then", sep=" | ")
        for layer, probes in rows.items():
            print(f"{layer or 'nothing':<{len(name) + 9}} | {', '.join(sorted(probes)) or '-'}")
    assert rows == {layer: held(name, layer) for layer in layers}


@pytest.mark.parametrize("name", ["namespaces", "container"])
def test_without_any_layer_every_probe_succeeds_that_a_wall_does_not_hold(name: str, victim: Path) -> None:
    """The positive control: it is the layers that hold, each probe does what it says."""
    if reason := out_of_reach(name):
        pytest.skip(reason)
    everything = set().union(*HELD.values(), SIGNALS, {"64 MB in its box"})
    walled = {"a file closed to its owner"}  # only the private box's user namespace would confer that right
    if name == "namespaces":  # behind bubblewrap
        walled |= {*FILES, "the date of a file of the judge", "64 MB in its box"}
    layers = ("rlimits", "capabilities", "private box", "landlock", "seccomp")
    assert let_through(name, layers, victim) == everything - walled
