"""Many submissions on all cores: processes that keep a judge each, and what they do with one submission.

Whatever is raised while one submission is read, asked, compared or diagnosed makes that one *not graded*, with the
reason for its teacher; the others are graded all the same.
"""

from __future__ import annotations

import dataclasses
import multiprocessing
import multiprocessing.util
import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Assignment, CourseError
from autograder.fingerprint import fingerprint
from autograder.grade_key import grade_key, version
from autograder.judge import Judge
from autograder.limits import USUAL, Limits
from autograder.loading import load
from autograder.results import NotGraded, RunRecord, SubmissionResult
from autograder.sandbox.protocol import SandboxError
from autograder.submission import Submission, SubmissionPathError, newest_file, read

NOTHING = "Nothing was handed in."
DIED = "The grader's process ended while working on it."
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
    limits: Limits = USUAL


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
                yield not_graded(assignment, task.student, DIED)
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
    """Grades submissions under one setting. Its judge is made at the first need and lives as long as it works.

    With ``parts`` it grades these alone, as if no others had been handed in.
    """

    def __init__(self, setting: Setting, parts: Collection[str] = ()) -> None:
        self.setting, self.parts = setting, parts
        self.assignment = load(setting.assignment, setting.root)
        self.version = version(self.assignment)
        self.stubs = {part.name: _stub(setting, part.name) for part in self.assignment.parts}
        self.judge: Judge | None = None

    def close(self) -> None:
        if self.judge:
            self.judge.close()
            self.judge = None

    def grade(self, task: Task) -> Graded:
        """Read, look whether anything changed, grade. Never raises: what fails here has no grade, which is no zero."""
        read = self.read(task)
        return read if isinstance(read, Graded) else self.grade_read(*read)

    def read(self, task: Task) -> Graded | tuple[Submission, RunRecord]:
        """What is to be graded, and its record so far; or what is said without. Executes nothing, never raises."""
        try:
            return self._read(task)
        except Exception as error:
            return self._not_graded(task.student, error)

    def grade_read(self, submission: Submission, record: RunRecord) -> Graded:
        """The grade of what was read, with its ``record`` completed: the same wherever it is found. Never raises."""
        try:
            self.judge = self.judge or self._judge()
            result, found = self.judge.grade(submission)
        except Exception as error:
            self.close()  # nobody knows what state it is in
            return self._not_graded(submission.student, error)
        kept = {name: getattr(record, name) for name in ("key", "path", "newest", "fingerprints")}
        return Graded(submission.student, result, dataclasses.replace(found, **kept))

    def _read(self, task: Task) -> Graded | tuple[Submission, RunRecord]:
        submission = Submission(task.student, {}, (NOTHING,))
        if task.path:
            submission = read(task.student, task.path, self.assignment.graded_names())
        handed_in = {name: files for name, files in submission.parts.items() if not self.parts or name in self.parts}
        submission = dataclasses.replace(
            submission,
            parts=handed_in,
            notes=(*submission.notes, *task.notes),
            unread=submission.unread or bool(task.notes),
        )
        key = grade_key(self.version, self.setting.seed, self.setting.isolation, submission)
        if key == task.known:
            return Graded(task.student, None, RunRecord())
        when = newest_file(task.path) if task.path and not task.copied else None
        newest, path = when.isoformat() if when else "", str(task.path or "")
        return submission, RunRecord(key, path, newest=newest, fingerprints=self._fingerprints(submission))

    def _not_graded(self, student: str, error: Exception) -> Graded:
        reason = str(error) if isinstance(error, EXPLAINED) else f"The grader failed: {type(error).__name__}."
        return not_graded(self.assignment, student, reason, "".join(traceback.format_exception(error)))

    def _judge(self) -> Judge:
        return Judge(self.assignment, self.setting.seed, self.setting.isolation, self.setting.limits)

    def _fingerprints(self, submission: Submission) -> dict[str, str]:
        texts = {
            part: files.get(f"{part}.py") or files.get(f"{part}/__init__.py", "")
            for part, files in submission.parts.items()
        }
        marks = {part: fingerprint(text, self.stubs[part]) for part, text in texts.items()}
        return {part: mark for part, mark in marks.items() if mark}


def _stub(setting: Setting, part: str) -> str:
    """What students start from; empty where the course does not hold it."""
    stub = setting.root / "assignments" / setting.assignment / f"{part}.py"
    return stub.read_text(encoding="utf-8") if stub.is_file() else ""


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
