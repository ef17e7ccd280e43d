"""Many submissions on all cores: processes that keep a judge each, and what they do with one submission.

Whatever is raised while one submission is read, asked, compared or diagnosed makes that one *not graded*, with the
reason for its teacher; the others are graded all the same.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import multiprocessing
import multiprocessing.util
import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Assignment, CourseError
from autograder.judge import Judge, version
from autograder.loading import load, stretched
from autograder.results import NotGraded, RunRecord, SubmissionResult
from autograder.sandbox.protocol import SandboxError
from autograder.submission import Submission, SubmissionPathError, newest_file, read

NOTHING = "Nothing was handed in."
EXPLAINED = (SandboxError, SubmissionPathError, CourseError)  # whose message is a sentence for a teacher


@dataclass(frozen=True)
class Task:
    """One submission to grade; ``known`` is the key under which it was last graded, if it was.

    ``path`` is None where nothing was handed in; ``notes`` say what was left out before it was read. Files that are
    ``copied`` have dates of ours.
    """

    student: str
    path: Path | None
    known: Mapping[str, str]
    notes: tuple[str, ...] = ()
    copied: bool = False


@dataclass(frozen=True)
class Graded:
    """``result`` is None when nothing has changed since the last run."""

    student: str
    result: SubmissionResult | None
    record: RunRecord


@dataclass(frozen=True)
class Setting:
    """What every worker of a run shares."""

    assignment: str
    root: Path
    seed: str
    isolation: str


def grade_tasks(setting: Setting, tasks: Sequence[Task], workers: int) -> Iterator[Graded]:
    """Every task once; a task that takes its worker down with it is tried again alone, then not graded."""
    assignment = load(setting.assignment, setting.root)
    todo, suspects = deque(tasks), list[Task]()
    while todo:
        yield from _run_pool(setting, todo, workers, suspects)
        for task in suspects:
            alone, failed = deque([task]), list[Task]()
            yield from _run_pool(setting, alone, 1, failed)
            if failed:
                yield not_graded(assignment, task.student, "The grader's process ended while working on it.")
        suspects.clear()


def _run_pool(setting: Setting, todo: deque[Task], workers: int, suspects: list[Task]) -> Iterator[Graded]:
    """Work off ``todo`` in one pool; if a worker dies, what was under way goes to ``suspects``."""
    # spawned, not forked: the parent may have threads, and a worker starts the same way on every system
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _start_worker, (setting,)) as pool:
        running: dict[Future[Graded], Task] = {}
        try:
            while todo or running:
                while todo and len(running) < 2 * workers:
                    task = todo.popleft()
                    running[pool.submit(_grade, task)] = task
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    graded = future.result()
                    del running[future]
                    yield graded
        except BrokenProcessPool:
            suspects += running.values()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


class Grader:
    """Grades submissions under one setting. Its judge is made at the first need and lives as long as it works."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.assignment = load(setting.assignment, setting.root)
        self.version = version(self.assignment)
        self.judge: Judge | None = None

    def close(self) -> None:
        if self.judge:
            self.judge.close()
            self.judge = None

    def grade(self, task: Task) -> Graded:
        """Read, look whether anything changed, grade. Never raises: what fails here has no grade, which is no zero."""
        try:
            return self._graded(task)
        except Exception as error:
            self.close()  # nobody knows what state it is in
            reason = str(error) if isinstance(error, EXPLAINED) else f"The grader failed: {type(error).__name__}."
            return not_graded(self.assignment, task.student, reason, traceback.format_exc())

    def _graded(self, task: Task) -> Graded:
        submission = Submission(task.student, {}, (NOTHING,))
        if task.path:
            submission = read(task.student, task.path, self.assignment.graded_names())
        submission = dataclasses.replace(submission, notes=(*submission.notes, *task.notes))
        key = grade_key(self.version, self.setting.seed, self.setting.isolation, submission)
        if key == task.known:
            return Graded(task.student, None, RunRecord())
        self.judge = self.judge or Judge(self.assignment, self.setting.seed, self.setting.isolation)
        result, record = self.judge.grade(submission)
        when = newest_file(task.path) if task.path and not task.copied else None
        newest, path = when.isoformat() if when else "", str(task.path or "")
        return Graded(task.student, result, dataclasses.replace(record, key=key, path=path, newest=newest))


def not_graded(assignment: Assignment, student: str, reason: str, trace: str = "") -> Graded:
    """A submission that the grader failed at."""
    without = NotGraded(student, assignment.name, assignment.title, reason, trace)
    return Graded(student, without.result(), RunRecord(not_graded=without))


_grader: Grader


def _start_worker(setting: Setting) -> None:
    global _grader
    _grader = Grader(setting)
    prepare_worker(_grader.close)


def _grade(task: Task) -> Graded:
    return _grader.grade(task)


def prepare_worker(close: Callable[[], None]) -> None:
    """In a worker: ``close`` at its end, leave Ctrl-C to the parent, and do not outlive it."""
    multiprocessing.util.Finalize(None, close, exitpriority=10)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever, and keep its zygotes."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def grade_key(grader: str, seed: str, isolation: str, submission: Submission) -> dict[str, str]:
    """What a grade depends on, as hashes; results under the same key are the same, whoever handed in."""
    parts = {name: dict(files) for name, files in submission.parts.items()}
    content = json.dumps([parts, submission.notes], sort_keys=True)
    return {
        "grader": grader,
        "seed": hashlib.sha256(stretched(seed).encode()).hexdigest()[:16],
        "isolation": isolation,
        "submission": hashlib.sha256(content.encode()).hexdigest()[:16],
    }
