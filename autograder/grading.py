"""Grade one submission, or a class of them into a folder of grades. The command line is a thin layer over this."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import os
import platform as machine
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, tzinfo
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from autograder import submission, workers
from autograder.class_report import ClassRun, class_files, tables_by_hand
from autograder.collect.entry import HANDED_IN
from autograder.collect.keep import keep
from autograder.collect.roster import read_roster
from autograder.collect.students import Collected, Student, collect
from autograder.course import CourseError
from autograder.loading import PUBLIC_SEED, course_root, load, seed_doubt, term_seed
from autograder.places import check_apart, check_out
from autograder.results import ExerciseResult, NotGraded, RunRecord, SubmissionResult
from autograder.sandbox.isolation import choose
from autograder.settings import remarks
from autograder.store import (
    Graded,
    assignments_in,
    folder_of,
    hand_ins,
    known_key,
    read_all,
    read_results,
    shared,
    write_json,
    write_results,
)
from autograder.term import late_rules
from autograder.workers import Grader, Setting, Task, grade_tasks, not_graded


def grade(
    assignment: str,
    path: str | Path,
    *,
    course: str | Path | None = None,
    seed: str | None = None,
    isolation: str | None = None,
) -> SubmissionResult:
    """Grade one submission.

    Args:
        assignment: its name, ``a1`` or ``a1_convolution``.
        path: a ``.py``, ``.ipynb`` or ``.zip`` file, or a folder.
        course: the course's root folder; the repository that holds this package by default.
        seed: the term seed; by default from ``AUTOGRADER_SEED``, else ``.autograder-seed`` in ``course``, else public.
        isolation: the one to use; the strongest that works here by default.

    Returns:
        The result, without a grade and with the reason in ``infrastructure`` where the grader failed.

    Raises:
        CourseError: there is no such assignment, or it is not complete.
        SandboxError: no isolation works here, or not the one asked for.
        SubmissionPathError: there is nothing at ``path``.
    """
    root = course_root(course)
    place = Path(path)
    if not place.exists():
        raise submission.SubmissionPathError(f"{place} does not exist.")
    check_apart(root, [place], explicit=course is not None)
    grader = Grader(Setting(assignment, root, seed or term_seed(root), choose(isolation)))
    try:
        graded = grader.grade(Task(place.stem if place.is_file() else place.resolve().name, place, {}))
    finally:
        grader.close()
    assert graded.result  # nothing was known of it
    return graded.result


def _ignore(*_: Any) -> None:
    pass


def grade_class(
    assignment: str,
    submissions: Sequence[Path],
    out: Path,
    *,
    course: str | Path | None = None,
    seed: str | None = None,
    isolation: str | None = None,
    jobs: int | None = None,
    executor: str = "",
    regrade: bool = False,
    roster: Path | None = None,
    platform: str = "",
    timezone: tzinfo | None = None,
    say: Callable[[str], None] = _ignore,
    progress: Callable[[int, int], None] = _ignore,
) -> ClassRun:
    """Grade every submission at ``submissions`` that has changed, and write results, tables and reports into ``out``.

    Args:
        assignment, course, seed, isolation: as in :func:`grade`.
        submissions: files and folders: downloads of a platform, folders of submissions, or one submission each.
        out: a folder for this assignment alone. A run that was ended goes on where it was.
        jobs: workers; as many as there are cores by default.
        executor: a Dask cluster's scheduler in place of workers here, ``dask://HOST:PORT``.
        regrade: grade again even what has not changed.
        roster: a CSV of the class, whose ids become the students' names here; who handed in nothing gets 0.
        platform: what ``submissions`` are, where they cannot tell; one of :data:`autograder.collect.recognise.CHOICES`.
        timezone: of the platform's times that say none; by default that of the settings.
        say: called with each sentence for the teacher.
        progress: called with the number of submissions graded so far, and of all.

    Raises:
        CourseError: as in :func:`grade`; or ``out`` cannot be used, or ``overrides.csv`` holds a slip.
        CollectError: who handed in what cannot be told without guessing.
        SandboxError, SubmissionPathError: as in :func:`grade`; or the cluster cannot be reached.
    """
    root = course_root(course)
    loaded = load(assignment, root)
    check_apart(root, submissions, explicit=course is not None)
    check_out(out, submissions)
    tables_by_hand(out, root, loaded.name)  # mistakes in them are said before the work, not after
    found = collect_class(assignment, submissions, out, root, roster, platform, timezone)
    if others := sorted(assignments_in(out) - {loaded.name}):
        raise CourseError(f"{out} holds results of {', '.join(others)}: give {loaded.name} a folder of its own.")
    for sentence in found.sentences:
        say(sentence)
    for remark in remarks(loaded):
        say(remark)
    setting = Setting(loaded.name, root, seed or term_seed(root), choose(isolation))
    if doubt := seed_doubt(setting.seed):
        say(doubt)
    jobs = jobs or os.cpu_count() or 1
    start, graded = time.monotonic(), list[Graded]()
    tasks, unkept = list[Task](), list[workers.Graded]()
    mates = {group[0].key: group for group in found.groups()}
    for first, group in mates.items():
        try:
            tasks.append(_task(out, group, regrade))
        except Exception as error:
            sentence = f"What was handed in cannot be kept: {_reason(error)}."
            unkept.append(not_graded(loaded, first, sentence, traceback.format_exc()))
    known: dict[ExerciseResult, ExerciseResult] = {}
    progress(0, len(found.students))
    for one in itertools.chain(unkept, _graded(setting, tasks, jobs, executor)):
        for student in mates[one.student]:
            own = one.result and dataclasses.replace(one.result, student=student.key)
            without = one.record.not_graded and dataclasses.replace(one.record.not_graded, student=student.key)
            record = dataclasses.replace(one.record, not_graded=without)
            result, record = _kept(out, loaded.name, student.key, own, record)
            graded.append((shared(result, known), record))
            progress(len(graded), len(found.students))
    facts = {
        "assignment": loaded.name,
        "graded": datetime.now().astimezone().isoformat(" ", "minutes"),
        "submissions": len(found.students),
        "isolation": setting.isolation,
        "seed": "public" if setting.seed == PUBLIC_SEED else "secret",
        "workers": executor or jobs,
        "wall_seconds": round(time.monotonic() - start, 2),
        "python": machine.python_version(),
        "numpy": installed("numpy"),
        "torch": installed("torch"),
        "platform": machine.platform(),
    }
    write_json(out / "run.json", facts)
    earlier = read_all(out, without=[result.student for result, _ in graded])
    if earlier:
        say(f"Earlier results in {out}, kept and reported too: {len(earlier)}.")
    return class_files([*graded, *earlier], facts, out, root, say)


def _graded(setting: Setting, tasks: Sequence[Task], jobs: int, executor: str) -> Iterator[workers.Graded]:
    if not executor:
        return grade_tasks(setting, tasks, max(1, min(jobs, len(tasks))))
    try:
        from autograder import cluster
    except ModuleNotFoundError:
        raise CourseError("Clusters are Dask's, which is not installed: pip install -e '.[scale]'.") from None
    return cluster.grade_tasks(setting, tasks, executor)


def collect_class(
    assignment: str,
    submissions: Sequence[Path],
    out: Path | None = None,
    course: str | Path | None = None,
    roster: Path | None = None,
    platform: str = "",
    timezone: tzinfo | None = None,
) -> Collected:
    """The students at ``submissions``, as :func:`grade_class` takes them; those graded into ``out`` keep their keys.

    Raises:
        CourseError, CollectError, SubmissionPathError: as in :func:`grade_class`.
    """
    root = course_root(course)
    loaded = load(assignment, root)
    rules = late_rules(out, root, loaded.name)
    found = collect(
        submissions,
        loaded.graded_names(),
        assignment=loaded.name,
        roster=read_roster(roster) if roster else None,
        platform=platform,
        zone=timezone or rules.deadline.timezone,
        earlier=hand_ins(out) if out else (),
        choose=rules.counted,
        rule=rules.deadline.policy.attempt.replace("_", " "),
    )
    if not found.students:
        raise submission.SubmissionPathError(f"{submissions[0]} holds no submission.")
    return found


def _task(out: Path, group: Sequence[Student], regrade: bool) -> Task:
    """Keep a copy and the facts for each of a group, and grade what they handed in once."""
    first, one = group[0], group[0].attempt
    notes, path = tuple[str, ...](), None
    for student in group:
        folder = folder_of(out, student.key)
        kept = keep(one, folder) if one else None
        write_json(folder / HANDED_IN, student.hand_in(kept.sha256 if kept else "").to_json())
        if kept and student is first:
            path, notes = kept.path, kept.notes
    keys = [known_key(folder_of(out, student.key)) for student in group]
    known = keys[0] if not regrade and all(key == keys[0] for key in keys) else {}
    return Task(first.key, path, known, notes, copied=bool(one and not one.path))


def _kept(out: Path, assignment: str, student: str, result: SubmissionResult | None, record: RunRecord) -> Graded:
    """What was graded, once it is written; or what was kept, if nothing has changed."""
    folder = folder_of(out, student)
    try:
        if result is None:
            return read_results(folder)
        write_results(folder, result, record)
        return result, record
    except Exception as error:
        title, sentence = result.title if result else "", f"Results cannot be written: {_reason(error)}."
        without = NotGraded(student, assignment, title, sentence, traceback.format_exc())
        failed = without.result(), RunRecord(not_graded=without)
        with contextlib.suppress(Exception):
            write_results(folder, *failed)
        return failed


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror}"
    return type(error).__name__
