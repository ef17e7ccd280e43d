# Generated from autograder/student/checks/__init__.py by "python -m autograder build": change it there.
"""What the visible tests share, and the loop that runs them: ``python -m checks``.

The same test file runs under pytest, under ``python -m checks``, and under otter; ``criterion`` fits a test to the one
that reads it. Nothing here imports torch, pytest or otter before it is needed. Where grading and these tests have to
agree, the rule is written once, and lies here: ``agreement`` says when two answers are equal, ``forbidden`` what a
solution uses.
"""

from __future__ import annotations

from .comparing import Failed, equal, has_dtype, raises, unpack
from .conventions import Call, call, keeps_arguments, keeps_dtype, keeps_strides, strided, widens_dtype
from .criteria import Criterion, criterion
from .gradients import gradient
from .inputs import devices, integers, waves
from .reading import NotImported, student

__all__ = [
    "Call",
    "Criterion",
    "Failed",
    "NotImported",
    "call",
    "criterion",
    "devices",
    "equal",
    "gradient",
    "has_dtype",
    "integers",
    "keeps_arguments",
    "keeps_dtype",
    "keeps_strides",
    "raises",
    "strided",
    "student",
    "unpack",
    "waves",
    "widens_dtype",
]
