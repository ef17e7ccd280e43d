# Generated from autograder/student/checks/limits.py by "python -m autograder build": change it there.
"""A limit of time for a test, so that an endless loop ends with a sentence and the next test runs."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .comparing import Failed

SECONDS = 20.0  # of which half must be spent computing: a training on a busy computer takes long and is no endless loop
WAITING = 10  # times as long may a test take that waits instead of computing
INTERVAL = 0.2


class TimeUp(BaseException):
    """Raised in the thread that runs a test. No ``except Exception`` of the student's stops it."""


@contextmanager
def time_limit(exercise: str) -> Iterator[None]:
    """End what runs inside when its time is up, as soon as Python comes to the next line.

    A single call of NumPy or PyTorch cannot be ended. In a browser, where Python has no threads, nothing is.

    Raises:
        Failed: time was up; the traceback of its cause leads to the line that was running.
    """
    if sys.platform == "emscripten":
        yield
        return
    over = threading.Event()
    watcher = threading.Thread(target=_watch, args=(threading.get_ident(), over), daemon=True)
    watcher.start()
    try:
        yield
    except TimeUp as stop:
        raise Failed(f"{exercise} was still running after {SECONDS:g} s: is there a loop that never ends?") from stop
    finally:
        over.set()
        watcher.join()


def _watch(thread: int, over: threading.Event) -> None:
    began, used = time.monotonic(), time.process_time()
    while not over.wait(INTERVAL):
        passed, computed = time.monotonic() - began, time.process_time() - used
        if passed >= SECONDS * WAITING or (passed >= SECONDS and computed >= SECONDS / 2):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TimeUp))
            over.wait(1)  # a bare "except:" may have caught it
