"""The fallback for systems without Linux's locks (macOS, Windows): the same protocol over a spawned process.

A submission still cannot see expected values or end the judge, but nothing keeps its hands off files and the network,
and time is limited by the wall clock. ``run.json`` lists no layer.
"""

from __future__ import annotations

import multiprocessing
import os
import secrets
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from autograder.outcome import Outcome, Stopped
from autograder.sandbox import view
from autograder.sandbox.host import ChildStopped, SandboxError, Source, read_reply
from autograder.sandbox.wire import MAX_FRAME, WireError, decode, encode

START_SECONDS = 120.0
IMPORT_SECONDS = 30.0
WALL_PER_CPU = 5.0  # an honest loop on a busy machine may take this much longer than its CPU limit
LAYERS: list[str] = []


class Spawner:
    """Takes the place of a zygote: every child is a new interpreter."""

    isolation = "spawn"
    layers = LAYERS

    def __init__(self, runtime: str) -> None:
        self.runtime = runtime

    def child(self, source: Source) -> SpawnedChild:
        return SpawnedChild(self.runtime, source)

    def close(self) -> str:
        return ""


class SpawnedChild:
    """One process that has imported (or failed to import) one part of one submission."""

    def __init__(self, runtime: str, source: Source) -> None:
        self.alive, self.output, self.used, self.slept = True, b"", 0.0, 0.0
        self.folder = tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True)
        self.io, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=_serve, args=(theirs, self.folder.name), daemon=True)
        self.process.start()
        theirs.close()
        if not self.io.poll(START_SECONDS) or decode(self.io.recv_bytes(MAX_FRAME)) != {"locked": True}:
            self.kill()
            raise SandboxError("A child process could not be started.")
        start = {
            "folder": str(Path(self.folder.name, "submission")),
            "files": dict(source.files),
            "module": source.module,
            "drivers": source.drivers,
            "absent": list(view.ABSENT[runtime]),
        }
        self.imported = self._exchange(start, 0, IMPORT_SECONDS)

    def ask(self, question: Mapping[str, Any], cpu_limit: float) -> Outcome:
        """One call, limited by the wall clock; CPU time is as the child reports it."""
        number = secrets.randbits(53)
        return self._exchange({**question, "id": number}, number, WALL_PER_CPU * cpu_limit)

    def _exchange(self, message: Mapping[str, Any], number: int, seconds: float) -> Outcome:
        start = time.monotonic()
        ending = threading.Timer(seconds, self.process.kill)  # half an answer, or none read, would block for ever
        ending.start()
        try:
            self.io.send_bytes(encode(message))
            frame = self.io.recv_bytes(MAX_FRAME)
            outcome = read_reply(decode(frame), number, None, message.get("forbidden", ()))
            self.used += time.monotonic() - start
            return outcome
        except ChildStopped as error:
            reason = error.args[0]
        except WireError:
            reason = "protocol"
        except (OSError, EOFError):
            reason = "died" if time.monotonic() - start < seconds else "time"
        finally:
            ending.cancel()
        self.used += time.monotonic() - start
        self.kill()
        return Stopped(reason)

    def kill(self) -> None:
        if self.alive:
            self.alive = False
            self.process.kill()
            self.process.join()
            self.io.close()
            self.output = Path(self.folder.name, "output").read_bytes()[: 64 << 10]
            self.folder.cleanup()


def _serve(io: Connection, folder: str) -> None:
    """In the child: send its output to a file, then run the same loop as behind the wall."""
    output = os.open(os.path.join(folder, "output"), os.O_WRONLY | os.O_CREAT, 0o600)
    for descriptor in (1, 2):
        os.dup2(output, descriptor)
    sys.path[:0] = [str(view.INSIDE), str(view.WIRE.parent)]
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    import runner

    io.send_bytes(encode({"locked": True}))
    runner.serve(io)
