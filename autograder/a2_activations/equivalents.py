"""Automatic mutants of assignment 2's reference that answer alike wherever the stub says what to answer, and why."""

from __future__ import annotations

from autograder.course import Equivalent

EQUIVALENTS: tuple[Equivalent, ...] = ()
