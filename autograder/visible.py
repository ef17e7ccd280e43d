"""What the visible tests make of solutions with one mistake each: which they notice, and what they show of it.

Where a visible test shows exactly one mistake of the bank, its sentence travels to students: ``checks/mistakes.json``
in their folder maps fingerprints of wrong answers to sentences. No answer can be read from it, and a sentence whose
mistake no visible test shows, or shows as it shows another, is not in it.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.audit_results import Untold
from autograder.course import Assignment, CourseError, Misconception
from autograder.missing import MARK
from autograder.patch import apply
from autograder.store import write_bytes

MISTAKES = "checks/mistakes.json"
DECIDING = ("agreement", "calls", "comparing", "inputs", "mistakes")  # modules of checks/ that a fingerprint depends on
PROGRAM = Path(__file__).parent / "mistaken.py"
_POINTS = re.compile(rb'(criterion\(\s*"\w+", )[\d.]+')


@dataclass(frozen=True)
class Attempt:
    """A module of the student's with one mistake, and the exercises whose visible tests are run on it."""

    module: str
    source: str
    exercises: Sequence[str]


def failures(
    assignment: Assignment, handed_out: Mapping[str, bytes], attempts: Iterable[Attempt]
) -> list[dict[str, dict[str, str]]]:
    """For each attempt exercise → criterion that fails → fingerprint of its wrong answer, or an empty text.

    Args:
        handed_out: path in the student's folder → content: helpers, tests, data.

    Raises:
        CourseError: the tests cannot be run.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        solved = {f"{name}.py": source.encode() for name, source in assignment.references.items()}
        for name, content in {**handed_out, **solved}.items():
            write_bytes(folder / name, content)
        asked = json.dumps([asdict(attempt) for attempt in attempts])
        command = [sys.executable, str(PROGRAM)]
        done = subprocess.run(command, cwd=folder, input=asked, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise CourseError(f"{assignment.name}: the visible tests cannot be run on solutions with a mistake: {last}.")
    found: list[dict[str, dict[str, str]]] = json.loads(done.stdout.splitlines()[-1])
    return found


def mistakes(assignment: Assignment, handed_out: Mapping[str, bytes], earlier: bytes | None) -> bytes:
    """What ``mistakes.json`` has to hold; ``earlier``, which is what it holds, where nothing has changed since.

    Raises:
        CourseError: as in :func:`failures`.
    """
    if earlier is not None and is_fresh(assignment, handed_out, earlier):
        return earlier
    sentences: dict[str, dict[str, str]] = {}
    shown = _shown(assignment, handed_out)
    for (exercise, fingerprint), makers in sorted(_makers(shown).items(), key=lambda item: item[0]):
        known = {one.sentence for one in makers}
        told = sentences.setdefault(exercise, {})
        if len(known) == 1:
            told[fingerprint] = min(known)
    digest = _digest(assignment, handed_out, sentences)
    return (json.dumps({"digest": digest, "sentences": sentences}, ensure_ascii=False, indent=1) + "\n").encode()


def untold(assignment: Assignment, handed_out: Mapping[str, bytes]) -> list[Untold]:
    """The mistakes that ``mistakes.json`` leaves out, and why.

    Raises:
        CourseError: as in :func:`failures`.
    """
    shown, found = _shown(assignment, handed_out), []
    makers = _makers(shown)
    for mistake, failed in shown:
        alike = [makers[mistake.exercise, fingerprint] for fingerprint in failed.values() if fingerprint]
        if any(len({one.sentence for one in several}) == 1 for several in alike):
            continue
        if alike:
            others = dict.fromkeys(one.name for several in alike for one in several if one is not mistake)
            why = f"their answer to it is that to {' and '.join(f'“{name}”' for name in others)}"
        else:
            why = "what fails shows too few numbers to tell it by" if failed else "none of them fails"
        found.append(Untold(mistake.exercise, mistake.name, why))
    return found


def summary(assignment: Assignment, content: bytes) -> str:
    """Of how many mistakes a ``mistakes.json`` tells."""
    bank, said = _filled_in(assignment), told(content)
    count = sum(one.sentence in said for one in bank)
    short = assignment.name.split("_")[0]
    return (
        f"{assignment.name}: the visible tests tell {count} of {len(bank)} known mistakes by name; "
        f"audit {short} --exercise NAME says which not, and why."
    )


def is_fresh(assignment: Assignment, handed_out: Mapping[str, bytes], content: bytes) -> bool:
    """Whether ``content`` was made of the tests, references and mistakes as they are now, and not changed since."""
    try:
        found = json.loads(content)
        return bool(found["digest"] == _digest(assignment, handed_out, found["sentences"]))
    except (ValueError, LookupError, TypeError):
        return False


def attempt(assignment: Assignment, mistake: Misconception, exercises: Sequence[str]) -> Attempt:
    """A solution with the mistake in it."""
    module = next(e.part for e in assignment.every_exercise if e.name == mistake.exercise)
    return Attempt(module, apply(assignment.references[module], mistake), exercises)


def told(content: bytes) -> set[str]:
    """The sentences of a ``mistakes.json``."""
    sentences: dict[str, dict[str, str]] = json.loads(content)["sentences"]
    return {sentence for known in sentences.values() for sentence in known.values()}


def _filled_in(assignment: Assignment) -> list[Misconception]:
    names = {exercise.name for exercise in assignment.every_exercise}
    return [one for one in assignment.misconceptions if one.exercise in names and MARK not in one.old]


def _shown(assignment: Assignment, handed_out: Mapping[str, bytes]) -> list[tuple[Misconception, dict[str, str]]]:
    """Each mistake with what fails of the visible test of its exercise: criterion → fingerprint, or an empty text."""
    bank = _filled_in(assignment)
    attempts = [attempt(assignment, mistake, [mistake.exercise]) for mistake in bank]
    found = failures(assignment, handed_out, attempts) if attempts else []
    return [(mistake, failed.get(mistake.exercise, {})) for mistake, failed in zip(bank, found, strict=True)]


def _makers(shown: Sequence[tuple[Misconception, dict[str, str]]]) -> dict[tuple[str, str], list[Misconception]]:
    """(exercise, fingerprint) → the mistakes whose answer has it."""
    makers: dict[tuple[str, str], list[Misconception]] = {}
    for mistake, failed in shown:
        for fingerprint in filter(None, failed.values()):
            makers.setdefault((mistake.exercise, fingerprint), []).append(mistake)
    return makers


def _digest(assignment: Assignment, handed_out: Mapping[str, bytes], sentences: object) -> str:
    """Of everything that decides what the file holds, and of that. Points decide nothing."""
    names = [f"checks/{module}.py" for module in DECIDING]
    names += [name for exercise in assignment.every_exercise if (name := f"tests/{exercise.name}.py") in handed_out]
    names += [name for name in handed_out if name.startswith("data/")]
    digest = hashlib.sha256()
    for name in sorted(names):
        digest.update(f"{name}\0".encode() + _POINTS.sub(rb"\1", handed_out[name]) + b"\0")
    bank = [(one.exercise, one.sentence, one.old, one.new) for one in _filled_in(assignment)]
    everything = [assignment.references, assignment.provided, bank, sentences]
    digest.update(json.dumps(everything, sort_keys=True, ensure_ascii=False).encode())
    return digest.hexdigest()
