"""What lies outside cannot be reached: by system calls, signals, environments, descriptors, nor other packages."""

from __future__ import annotations

import os
import platform
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from autograder.outcome import Raised, Stopped, Value
from autograder.sandbox import host, mounts
from autograder.sandbox.host import Zygote
from tests.sandbox.zygotes import SECRET, ask, ended_as, honest, in_namespaces, inner_pid, unconfined

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
