"""What a process did while the judge waited for it: compute, wait for a processor, or neither.

The kernel adds to a thread's waiting (``schedstat``) when the thread gets a processor, so that what looks like sleep at
one moment may turn out to have been waiting at the next. Only the sum over a call is to be trusted, and a thread that
could run at this moment is not asleep. Nor does a process sleep whose answer lies there while the judge itself waits
for a processor.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping

from autograder.sandbox.protocol import ChildStopped

MAX_THREADS = 64  # of a child whose own limit would count the user's other processes; the judge looks at each of them
GLANCE = 0.002  # seconds; whether a shorter call was idle is not looked up, which costs the judge as much as an answer


class Waiting:
    """Since one message was sent to process ``pid``, which had used ``cpu`` seconds: ``waited`` and ``slept`` are the
    seconds for which the judge waited for the process, and those of them in which it neither computed nor waited for a
    processor.
    """

    def __init__(self, pid: int, cpu: float) -> None:
        self.pid, self.start = pid, cpu
        self.waited = self.slept = 0.0
        self._looked = False
        self._delayed = self._held_up = 0.0
        self._delays: dict[str, int] = {}

    @property
    def patience(self) -> float:
        """Seconds after which to look again."""
        return 0.25 if self._looked else GLANCE

    def add(self, seconds: float, cpu: float) -> None:
        """The judge was held for some more ``seconds``, and the process has used ``cpu`` seconds by now.

        Raises:
            ChildStopped: there are more threads than a child may have.
        """
        if self.waited + seconds >= GLANCE:
            delays_before, self._delays = self._delays, delays(self.pid)
            held_up_before, self._held_up = self._held_up, held_up()
            if self._looked:
                self._delayed += delay(delays_before, self._delays)
                seconds = max(0.0, seconds - (self._held_up - held_up_before))
            self._looked = True
        self.waited += seconds
        idle = max(0.0, self.waited - (cpu - self.start))
        self._delayed = min(self._delayed, idle)
        self.slept = idle - self._delayed


def held_up() -> float:
    """Seconds for which this thread, the judge's, has waited for a processor (0 where the kernel does not say)."""
    with contextlib.suppress(OSError, IndexError, ValueError), open("/proc/thread-self/schedstat") as file:
        return int(file.read().split()[1]) / 1e9
    return 0.0


def delay(before: Mapping[str, int], after: Mapping[str, int]) -> float:
    """Seconds for which a process has waited for a processor, from two looks at its :func:`delays`.

    Of threads that did so together the one that waited longest counts: their sum would hide the sleep of many that wake
    at the same time.
    """
    return max([0, *(after[thread] - before.get(thread, 0) for thread in after)]) / 1e9


def delays(pid: int) -> dict[str, int]:
    """Thread → nanoseconds that it has waited for a processor (nothing where the kernel does not say).

    Raises:
        ChildStopped: there are more threads than a child may have.
    """
    found: dict[str, int] = {}
    for thread in _threads(pid):
        if len(found) == MAX_THREADS:
            raise ChildStopped("threads")
        found[thread] = 0
        with contextlib.suppress(OSError, IndexError, ValueError), open(f"{thread}/schedstat") as file:
            found[thread] = int(file.read().split()[1])
    return found


def can_run(pid: int) -> bool:
    """Whether a thread of the process runs, or would if it had a processor."""
    for thread in _threads(pid):
        with contextlib.suppress(OSError, IndexError), open(f"{thread}/stat") as file:
            if file.read().rpartition(")")[2].split()[0] == "R":
                return True
    return False


def _threads(pid: int) -> Iterator[str]:
    with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/task") as threads:
        yield from (thread.path for thread in threads)
