"""Children on systems without Linux's locks (macOS, Windows): the same protocol with a process started anew.

A submission still cannot see expected values or end the judge, but nothing keeps it from files and the network, and
time is limited by the wall clock. ``run.json`` lists no layer.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from autograder.outcome import Outcome, Stopped
from autograder.sandbox import mounts
from autograder.sandbox.protocol import (
    MAX_OUTPUT,
    START_SECONDS,
    Child,
    ChildStopped,
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
from autograder.sandbox.wire import MAX_FRAME, WireError, decode, encode

IMPORT_SECONDS = 30.0
WALL_PER_CPU = 5.0  # an honest loop on a busy machine may take this much longer than its CPU limit


class Spawner(Sandbox):
    """Starts a new interpreter for every child."""

    def __init__(self, runtime: str) -> None:
        self.runtime, self.isolation, self.layers = runtime, "spawn", []

    def child(self, program: Program, slowness: float = 1.0) -> Child:
        return SpawnedChild(self.runtime, program, slowness)

    def close(self) -> str:
        return ""


class SpawnedChild(Child):
    """An interpreter of its own, in a temporary folder.

    Raises:
        SandboxError: it could not be started.
    """

    def __init__(self, runtime: str, program: Program, slowness: float = 1.0) -> None:
        self.alive, self.output, self.used, self.slept, self.waited = True, b"", 0.0, 0.0, 0.0
        self.folder = tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True)
        self.io, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=_serve, args=(theirs, self.folder.name), daemon=True)
        self.process.start()
        theirs.close()
        try:
            if not self.io.poll(START_SECONDS):
                raise SandboxError("A child process could not be started.")
            check_locked(decode(self.io.recv_bytes(MAX_FRAME)))
        except (OSError, EOFError, WireError) as error:
            self.kill()
            raise SandboxError(f"A child process could not be started: {error}") from None
        except SandboxError:
            self.kill()
            raise
        start = start_message(program, runtime, str(Path(self.folder.name, "submission")))
        self.imported = self._exchange(start, read_import, IMPORT_SECONDS * slowness)

    def ask(self, question: Question, cpu_limit: float) -> Outcome:
        """As every child, but limited by the wall clock; CPU time is as the child reports it."""
        message = numbered(question)
        seconds = WALL_PER_CPU * cpu_limit
        return self._exchange(message, lambda reply, cpu: read_reply(reply, message, cpu), seconds)

    def _exchange(
        self, message: Mapping[str, Any], read: Callable[[Any, float | None], Outcome], seconds: float
    ) -> Outcome:
        """Send one message; what ``read`` makes of the reply."""
        start = time.monotonic()
        ending = threading.Timer(seconds, self.process.kill)  # half an answer, or none read, would block for ever
        ending.start()
        try:
            self.io.send_bytes(encode(message))
            return read(decode(self.io.recv_bytes(MAX_FRAME)), None)
        except ChildStopped as error:
            reason = error.args[0]
        except WireError:
            reason = "protocol"
        except (OSError, EOFError):
            reason = "died" if time.monotonic() - start < seconds else "time"
        finally:
            ending.cancel()
            self.waited += time.monotonic() - start
            self.used = self.waited
        self.kill()
        return Stopped(reason)

    def kill(self) -> None:
        if self.alive:
            self.alive = False
            self.process.kill()
            self.process.join()
            self.io.close()
            with contextlib.suppress(OSError), open(Path(self.folder.name, "output"), "rb") as file:
                self.output = file.read(MAX_OUTPUT)
            self.folder.cleanup()


def _serve(io: Connection, folder: str) -> None:
    """In the child: send its output to a file, then run the same loop as a forked child."""
    output = os.open(os.path.join(folder, "output"), os.O_WRONLY | os.O_CREAT, 0o600)
    for descriptor in (1, 2):
        os.dup2(output, descriptor)
    sys.path[:0] = [str(mounts.INSIDE), str(mounts.WIRE.parent)]
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    import runner

    io.send_bytes(encode({"locked": True}))
    runner.serve(io)
