"""Gradescope: one submission in the folder that its harness lays out, graded into ``results/results.json``.

Where the grader fails there is no such file. The platform then says that the autograder failed, which is no zero, and
shows what stands in the output to staff alone.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from autograder import late, nearest
from autograder.collect.entry import HandIn, Person
from autograder.course import CourseError
from autograder.deadline import Deadline, read_deadline
from autograder.decimals import points
from autograder.hosted.parts import GradedParts, grade_parts
from autograder.judge import Judge
from autograder.limits import Limits
from autograder.loading import find_assignments, load, term_seed
from autograder.results import Late, SubmissionResult, to_gradescope
from autograder.sandbox.isolation import problem
from autograder.sandbox.protocol import SandboxError
from autograder.settings import SETTINGS, read_regrade
from autograder.store import write_json
from autograder.submission import SubmissionPathError
from autograder.void import apply_void, read_void
from autograder.workers import Setting

SECONDS = 540.0  # of the ten minutes after which the platform ends a container, and everything in it is lost
SMALL = Limits(child=192 << 20, answers=64 << 20, make_tables=False)  # of the platform's 768 MB
ISOLATIONS = ("container", "nobody")
FAILED = 1


@dataclass(frozen=True)
class Metadata:
    """What ``submission_metadata.json`` says: who handed in, when, and when it was due for them."""

    hand_in: HandIn
    due: datetime | None = None


def read_metadata(file: Path) -> Metadata:
    """What the platform knows of a submission; what it does not say is empty.

    Raises:
        ValueError: it is not JSON, or not of the platform's form.
    """
    data = _table(json.loads(file.read_text(encoding="utf-8")))
    users, earlier = data.get("users") or [], data.get("previous_submissions") or []
    if not isinstance(users, list) or not isinstance(earlier, list):
        raise ValueError("no lists of users and earlier submissions")
    people = [Person(name=_text(user, "name"), email=_text(user, "email")) for user in map(_table, users)]
    known = (text for person in people for text in (person.email, person.name) if text)
    number = _text(data, "id")
    hand_in = HandIn(
        "gradescope",
        next(known, f"submission {number}".strip()),
        tuple(people),
        attempt=len(earlier) + 1,
        handed_in=_time(data.get("created_at")),
        source=f"submission_{number}",
    )
    return Metadata(hand_in, _time(_table(data.get("assignment") or {}).get("due_date")))


def _table(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("no table of facts")
    return value


def _text(facts: Mapping[str, Any], key: str) -> str:
    value = facts.get(key)
    return "" if value is None else str(value).strip()


def _time(value: object) -> datetime | None:
    if value is None:
        return None
    when = datetime.fromisoformat(str(value))
    if when.tzinfo is None:
        raise ValueError("a time without its offset")
    return when


def grade(folder: Path, seconds: float) -> tuple[SubmissionResult, HandIn, GradedParts]:
    """Grade ``folder/submission`` by the course in ``folder/source``.

    Raises:
        CourseError, SandboxError, SubmissionPathError: as in :func:`autograder.grade`.
    """
    root, name = course_in(folder)
    settings = root / "solutions" / name / SETTINGS
    metadata = Metadata(HandIn("gradescope", "submission", source="submission"))
    try:
        metadata = read_metadata(folder / "submission_metadata.json")
    except (OSError, ValueError) as error:
        print(f"submission_metadata.json cannot be read, so no late rule applies: {error}.")
    setting = Setting(name, root, term_seed(root), isolation(), SMALL)
    graded = grade_parts(setting, metadata.hand_in.key, folder / "submission", seconds)
    result = apply_void(graded.result, read_void(settings))
    if not result.infrastructure:
        lateness = late_by(read_deadline(settings), metadata, result)
        result = dataclasses.replace(result, late=lateness, regrade=read_regrade(settings))
    return result, metadata.hand_in, graded


def course_in(folder: Path) -> tuple[Path, str]:
    """The course's root below ``folder``, and its only assignment."""
    root = folder / "source" / "course"
    names = find_assignments(root)
    if len(names) != 1:
        raise CourseError(f"{root} holds {len(names)} assignments: unpack the zip archive anew.")
    return root, names[0]


def isolation() -> str:
    """The strongest of those that need no user namespace.

    Raises:
        SandboxError: none works here.
    """
    reasons = []
    for name in ISOLATIONS:
        if not (reason := problem(name)):
            return name
        reasons.append(f"{name}: {reason}")
    raise SandboxError("Students' code cannot be confined here. " + " ".join(reasons))


def late_by(deadline: Deadline, metadata: Metadata, result: SubmissionResult) -> Late | None:
    """What the course's late rules say of the platform's times. The platform's due, which holds a student's extension,
    stands before that of the settings; free days are left to whoever sees the other assignments.
    """
    when, policy = metadata.hand_in.handed_in, deadline.policy
    if when is None:
        return None
    due = metadata.due or deadline.due
    if due and deadline.timezone:
        due = due.astimezone(deadline.timezone)
    if policy.days:
        policy = dataclasses.replace(policy, rate=Decimal())
    rules = dataclasses.replace(deadline, due=due, policy=policy)
    found = late.apply(rules, when, 0, result.raw_score, result.max_score)
    if found and deadline.policy.days and not found.points_off:
        later = "Free days of the term, and what remains after them, are counted later."
        return dataclasses.replace(found, sentence=f"{found.sentence} {later}")
    return found


def prepare(folder: Path) -> None:
    """Ask the references everything once, and keep what they answer with a known mistake in them or after a small
    change: no submission waits for that.

    Raises:
        CourseError: a reference fails one of its own criteria.
    """
    root, name = course_in(folder)
    assignment = load(name, root)
    try:
        chosen = isolation()
    except SandboxError as error:  # where images are built it may be otherwise than where they run
        print(f"{error} Nothing was tried.")
        return
    limits = dataclasses.replace(SMALL, make_tables=True)
    for part in assignment.parts:
        with closing(Judge(assignment, term_seed(root), chosen, limits)) as judge:
            judge.reference.expect(part)
            exercises = {one.name: one for one in assignment.part_exercises(part)}
            mistakes = [one for one in assignment.misconceptions if one.exercise in exercises]
            for mistake in mistakes:
                judge.reference.mistakes(exercises[mistake.exercise], [mistake])
            changed = [one for one in exercises.values() if nearest.takes_part(one)]
            for exercise in changed:
                judge.reference.table(exercise)
            found = f"{len(mistakes)} known mistakes were tried, and small changes in {len(changed)} exercises"
            print(f"{part.name}: the reference earns every point; {found}.", flush=True)


def summary(result: SubmissionResult, graded: GradedParts) -> str:
    """For staff: the platform shows them the output."""
    lines = [f"{result.assignment}: {points(result.score)} of {points(result.max_score)} points."]
    for record in graded.records:
        layers = record.isolation.get("layers", {})
        lines += [
            f"{runtime}: {record.isolation['name']} ({', '.join(locks)}), CPU {record.student_cpu:.1f} s in the "
            f"student's code, {record.grader_cpu:.1f} s in the grader"
            for runtime, locks in layers.items()
        ]
    lines += [f"{part}.py did not come to its end." for part in graded.unfinished]
    return "\n".join([*lines, *result.remarks])


def main(arguments: Sequence[str] | None = None) -> int:
    """Grade, or ``--prepare``; the exit code is 0 where there is a result, else 1."""
    parser = argparse.ArgumentParser(description="Grade one submission on Gradescope.")
    parser.add_argument("folder", type=Path, help="what the platform calls /autograder")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"in which all is done ({SECONDS:g})")
    parser.add_argument("--prepare", action="store_true", help="while the image is built: try the references")
    options = parser.parse_args(arguments)
    try:
        if options.prepare:
            prepare(options.folder)
            return 0
        result, hand_in, graded = grade(options.folder, options.seconds)
        if result.infrastructure:
            print(f"Not graded: {result.infrastructure}\n{graded.traceback}".strip())
            return FAILED
        data = to_gradescope(result)
        data["extra_data"]["hand_in"] = hand_in.to_json()
        write_json(options.folder / "results" / "results.json", data)
        print(summary(result, graded))
        return 0
    except (CourseError, SandboxError, SubmissionPathError) as error:
        print(f"Not graded: {error}")
    except Exception:
        print(f"Not graded: the grader failed.\n{traceback.format_exc()}")
    return FAILED


if __name__ == "__main__":
    sys.exit(main())
