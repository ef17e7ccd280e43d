"""Grade many submissions: workers with prewarmed judges, results written atomically, a killed run resumed."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import hashlib
import json
import multiprocessing
import multiprocessing.util
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder.course import load
from autograder.judge import Judge, version
from autograder.report import feedback_html
from autograder.results import ExerciseResult, RunRecord, SubmissionResult, from_gradescope, to_gradescope
from autograder.submission import Submission, SubmissionPathError, read

RESERVED = {"grades.csv", "overrides.csv", "report.html", "run.json"}


class ResultsError(Exception):
    """Results that were written earlier cannot be read; the message is one sentence that names them."""


@dataclass(frozen=True)
class Task:
    """One submission to grade; ``known`` is the key under which it was last graded, if it was."""

    student: str
    path: Path
    known: Mapping[str, str]


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


def folder_of(out: Path, student: str) -> Path:
    """Where a student's results stand: ``out/<student>``."""
    return out / (f"{student}_" if student.lower() in RESERVED else student)


def grade_all(
    setting: Setting, submissions: Sequence[tuple[str, Path]], out: Path, workers: int, regrade: bool = False
) -> Iterator[tuple[SubmissionResult, RunRecord]]:
    """Grade and write ``out/<student>/{results.json,feedback.html,run.json}``, yielding in order of completion.

    Raises:
        SandboxError: no sandbox can be started at all.
    """
    shared: dict[ExerciseResult, ExerciseResult] = {}
    tasks = [Task(s, path, {} if regrade else _known_key(folder_of(out, s))) for s, path in submissions]
    for graded in _run(setting, tasks, max(1, min(workers, len(tasks)))):
        folder = folder_of(out, graded.student)
        if graded.result is None:
            result, record = read_results(folder)
        else:
            result, record = graded.result, graded.record
            if not result.infrastructure:
                write_results(folder, result, record)
        # a class has the same few results of each exercise many times: keep each once
        exercises = tuple(shared.setdefault(exercise, exercise) for exercise in result.exercises)
        yield dataclasses.replace(result, exercises=exercises), record


def read_results(folder: Path) -> tuple[SubmissionResult, RunRecord]:
    """What :func:`grade_all` wrote.

    Raises:
        ResultsError: it is not as it was written.
    """
    try:
        result = from_gradescope(json.loads((folder / "results.json").read_text(encoding="utf-8")))
        return result, RunRecord(**json.loads((folder / "run.json").read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ResultsError(f"The results in {folder} are damaged: delete the folder and grade again.") from None


def read_all(out: Path, without: Iterable[str] = ()) -> list[tuple[SubmissionResult, RunRecord]]:
    """Every graded submission below ``out``, by student, ``without`` those of some students."""
    left_out = {folder_of(out, student) for student in without}
    folders = [path.parent for path in sorted(out.glob("*/run.json"))]
    return [read_results(folder) for folder in folders if folder not in left_out]


def read_run(out: Path) -> dict[str, Any]:
    """The facts of the last run into ``out``.

    Raises:
        ResultsError: there is no such file, or it is not as it was written.
    """
    path = out / "run.json"
    with contextlib.suppress(FileNotFoundError, ValueError):
        if isinstance(run := json.loads(path.read_text(encoding="utf-8")), dict):
            return run
    raise ResultsError(f"{path} is missing or damaged: grade again, nothing that is unchanged is graded anew.")


def assignments_in(out: Path) -> set[str]:
    """Whose results stand below ``out``, as far as they can be read."""
    found = set()
    for path in out.glob("*/run.json"):
        with contextlib.suppress(OSError, ResultsError):
            found.add(read_results(path.parent)[0].assignment)
    return found


def write_json(path: Path, data: Any) -> None:
    write_text(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Replace the file at once or not at all."""
    with _beside(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)


def try_to_write(path: Path) -> None:
    """Raise what would keep :func:`write_text` from writing there; change nothing."""
    with _beside(path) as temporary:
        temporary.touch()
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A temporary file to write in place of ``path``, whose name an error then gives."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.parent / f".{path.name}.{os.getpid()}"
    try:
        yield temporary
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def write_results(folder: Path, result: SubmissionResult, record: RunRecord) -> None:
    """``run.json`` holds the key and comes last: it says that the rest is there."""
    (folder / "run.json").unlink(missing_ok=True)
    write_json(folder / "results.json", to_gradescope(result))
    write_text(folder / "feedback.html", feedback_html(result))
    write_json(folder / "run.json", dataclasses.asdict(record))


def _known_key(folder: Path) -> dict[str, str]:
    try:
        return read_results(folder)[1].key
    except (OSError, ResultsError):
        return {}


def _run(setting: Setting, tasks: Sequence[Task], workers: int) -> Iterator[Graded]:
    """Every task once; a task that takes its worker down with it is tried again alone, then not graded."""
    todo, suspects = deque(tasks), list[Task]()
    while todo:
        yield from _run_pool(setting, todo, workers, suspects)
        for task in suspects:
            alone, failed = deque([task]), list[Task]()
            yield from _run_pool(setting, alone, 1, failed)
            if failed:
                yield _not_graded(setting, task, "The grader's process ended while working on it.")
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


_setting: Setting
_judge: Judge | None = None
_version = ""


def _start_worker(setting: Setting) -> None:
    global _setting
    _setting = setting
    settle(_end_worker)


def settle(close: Callable[[], None]) -> None:
    """In a worker: ``close`` at its end, leave Ctrl-C to the parent, and do not outlive it."""
    multiprocessing.util.Finalize(None, close, exitpriority=10)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_worker() -> None:
    if _judge:
        _judge.close()


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever, and keep its zygotes."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def _grade(task: Task) -> Graded:
    """In a worker: read, look whether anything changed, grade. The judge is made at the first need."""
    global _judge, _version
    assignment = load(_setting.assignment, _setting.root)
    try:
        submission = read(task.student, task.path, assignment.graded_names())
    except SubmissionPathError as error:
        return _not_graded(_setting, task, str(error))
    if assignment.due and handed_in(task.path) > assignment.due.astimezone():
        note = f"Handed in after {assignment.due:%Y-%m-%d %H:%M}, by the time stamp of its newest file."
        submission = dataclasses.replace(submission, notes=(*submission.notes, note))
    _version = _version or version(assignment)
    key = grade_key(_version, _setting.seed, _setting.isolation, submission)
    if key == task.known:
        return Graded(task.student, None, RunRecord())
    _judge = _judge or Judge(assignment, _setting.seed, _setting.isolation)
    result, record = _judge.grade(submission)
    return Graded(task.student, result, dataclasses.replace(record, key=key, path=str(task.path)))


def handed_in(path: Path) -> datetime:
    """When the newest file of a submission was written."""
    files = [path, *path.rglob("*")] if path.is_dir() else [path]
    return datetime.fromtimestamp(max(file.lstat().st_mtime for file in files)).astimezone()


def grade_key(grader: str, seed: str, isolation: str, submission: Submission) -> dict[str, str]:
    """What a grade depends on, as hashes; results under the same key are the same."""
    parts = {name: dict(files) for name, files in submission.parts.items()}
    content = json.dumps([submission.student, parts, submission.notes], sort_keys=True)
    return {
        "grader": grader,
        "seed": hashlib.sha256(f"seed {seed}".encode()).hexdigest()[:16],
        "isolation": isolation,
        "submission": hashlib.sha256(content.encode()).hexdigest()[:16],
    }


def _not_graded(setting: Setting, task: Task, reason: str) -> Graded:
    assignment = load(setting.assignment, setting.root)
    result = SubmissionResult(task.student, assignment.name, assignment.title, (), infrastructure=reason)
    return Graded(task.student, result, RunRecord())
