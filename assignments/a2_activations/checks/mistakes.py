# Generated from autograder/student/checks/mistakes.py by "python -m autograder build": change it there.
"""Known mistakes that a visible case shows exactly: how a wrong answer is recognised, and what is said of it.

``mistakes.json`` maps fingerprints of wrong answers to sentences, so no answer can be read from it. Whoever builds the
course makes it, by running these tests on solutions with one mistake each.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path

import numpy as np

from .agreement import as_array
from .comparing import Differs

FILE = "mistakes.json"
STEPS = 31415.926  # to the largest entry: odd, so that no simple number lies between two steps
FEWEST = 2  # wrong entries that differ from each other, of an answer that says something


def sentence(exercise: str, criterion: str, error: BaseException) -> str:
    """What is said of the mistake that this failure shows; empty where it is none that is known."""
    known = _known(Path(__file__).parent / FILE).get(exercise, {})
    return known.get(fingerprint(criterion, error), "")


def fingerprint(criterion: str, error: BaseException) -> str:
    """A digest of a wrong answer to a criterion, the same for answers that are equal but for rounding.

    It is empty where the answer says too little to tell a mistake by: no array, truth values, or few numbers.
    """
    if not isinstance(error, Differs):
        return ""
    try:
        got = as_array(error.got)
    except (TypeError, ValueError):
        return ""
    if got.dtype.kind not in "iuf" or len(np.unique(got)) < FEWEST:
        return ""
    values = got.astype(np.float64)
    finite = np.isfinite(values)
    largest = np.abs(values[finite]).max(initial=0)
    if not largest:
        return ""
    steps = np.where(finite, np.rint(np.where(finite, values, 0) / largest * STEPS), values)
    said = [criterion, error.what, str(got.shape), f"{largest * STEPS:.3e}"]
    said += [f"{step:g}" for step in (steps + 0.0).flat]  # no -0
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:20]


@lru_cache(maxsize=8)
def _known(path: Path) -> dict[str, dict[str, str]]:
    try:
        found: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))["sentences"]
    except (OSError, ValueError, LookupError):  # without it, hints are those of the tests
        return {}
    return found
