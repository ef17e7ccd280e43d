"""What a grade depends on, as hashes: where none of them has changed, it need not be found again."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
from pathlib import Path

from autograder.course import Assignment
from autograder.loading import stretched
from autograder.submission import Submission


def version(assignment: Assignment) -> str:
    """A hash of everything that can change a grade: the engine, this assignment, Python and the libraries."""
    package = Path(__file__).parent
    digest = hashlib.sha256(f"{assignment.digest} {platform.python_version()}".encode())
    digest.update(repr([importlib.metadata.version(name) for name in ("numpy", "torch")]).encode())
    for path in sorted(package.rglob("*.py")):
        if not {"report", "exports", "gradebook", "release", "hosted"} & {*path.relative_to(package).parts}:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def setting_key(grader: str, seed: str, isolation: str) -> dict[str, str]:
    """What the grades of a class depend on, beside the submissions; ``grader`` is its :func:`version`."""
    return {
        "grader": grader,
        "seed": hashlib.sha256(stretched(seed).encode()).hexdigest()[:16],
        "isolation": isolation,
    }


def grade_key(grader: str, seed: str, isolation: str, submission: Submission) -> dict[str, str]:
    """Results under the same key are the same, whoever handed in."""
    parts = {name: dict(files) for name, files in submission.parts.items()}
    content = json.dumps([parts, submission.notes], sort_keys=True)
    submitted = hashlib.sha256(content.encode()).hexdigest()[:16]
    return {**setting_key(grader, seed, isolation), "submission": submitted}
