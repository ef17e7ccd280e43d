"""Imports the heavy libraries once, then forks one confined child a request. Holds no secret.

The judge passes, by socket, a description of the locks and two descriptors (the child's connection and the file that
takes its output), and gets a pidfd back.
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import select
import signal
import socket
import sys
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

import jaxtyping  # noqa: F401 (every stub imports it, and it takes as long as the rest of a child)
import lock
import numpy as np
import runner
import wire

if TYPE_CHECKING:
    from autograder.sandbox.protocol import Locks

NOBODY = 65534
CONNECTION = 3


def warm_numpy() -> None:
    """Pay once for what every child would otherwise pay: lazy imports, LAPACK, the generator."""
    np.linalg.svd(np.eye(3))
    np.random.default_rng(0).normal(size=3)
    _ = np.fft, np.polynomial, np.ma  # which a child would load to set its tripwires
    wire.decode(wire.encode({"x": [np.eye(2), (1, "a", 2.0)]}))


def warm_torch() -> None:
    """One thread before the first operation (an OpenMP pool does not survive a fork), then one optimizer step."""
    import torch

    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    import torch._dynamo

    parameter = torch.nn.Parameter(torch.ones(2))
    (parameter * 2).sum().backward()
    torch.optim.Adam([parameter]).step()


def run_child(descriptors: list[int], locks: Locks, ours: frozenset[str]) -> None:
    """Arrange the descriptors (output on 1 and 2, the judge on 3, nothing else), lock, serve. Never returns."""
    try:
        connection, output, null = (os.dup2(fd, 100 + i) for i, fd in enumerate([*descriptors, os.open(os.devnull, 0)]))
        for opened, number in ((null, 0), (output, 1), (output, 2), (connection, CONNECTION)):
            os.dup2(opened, number)
        os.closerange(CONNECTION + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        gc.enable()
        io = Connection(CONNECTION)
        try:
            lock.lock(locks)
        except BaseException as error:
            problem = f"{type(error).__name__}: {error}"
            io.send_bytes(wire.encode({"problem": problem[: wire.MAX_DETAIL]}))
            return
        io.send_bytes(wire.encode({"locked": True}))
        runner.serve(io, ours)
    finally:
        os._exit(0)


def end_all(children: dict[int, int], isolation: str) -> None:
    """Kill every child. Inside bubblewrap kill every other process: without a filter, children may have forked.

    Outside it -1 would mean all of the user's processes, but there a filter is always on.
    """
    for pid in [-1] if isolation == "namespaces" else children.values():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def end_first() -> None:
    """Where memory runs out let the kernel end a child: not the judge, which reports the rest."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def main(control_fd: int, runtime: str, isolation: str) -> None:
    end_first()
    if os.getuid() == 0:  # become nobody before any student code exists
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    warm_numpy()
    if runtime == "torch":
        warm_torch()
    ours = frozenset(sys.modules)
    control, poller = socket.socket(fileno=control_fd), select.poll()
    children: dict[int, int] = {}  # pidfd -> pid
    poller.register(control_fd, select.POLLIN)
    gc.collect()
    gc.freeze()
    gc.disable()
    socket.send_fds(control, [b"ready"], [os.pidfd_open(os.getpid())])
    while True:
        for fd, _ in poller.poll():
            if fd != control_fd:  # a child ended
                poller.unregister(fd)
                os.waitpid(children.pop(fd), 0)
                os.close(fd)
                if not children:  # where system calls are not filtered it may have left processes behind
                    end_all(children, isolation)
                continue
            message, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 2)
            if not message:  # the judge is gone
                end_all(children, isolation)
                os._exit(0)
            pid = os.fork()
            if pid == 0:
                run_child(descriptors, wire.decode(message), ours)
            pidfd = os.pidfd_open(pid)
            children[pidfd] = pid
            poller.register(pidfd, select.POLLIN)
            socket.send_fds(control, [b"child"], [pidfd])
            for descriptor in descriptors:
                os.close(descriptor)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
