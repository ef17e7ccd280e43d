"""Limits that depend on the machine that the grader runs on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Memory is in bytes.

    Attributes:
        child: what the process with a student's code may allocate beside what its libraries take.
        answers: what all answers of one part may take together, those among them that are not kept.
        make_tables: whether small changes of the references are asked at the first need; if not, a table that has not
            been made before is empty.
    """

    child: int = 1 << 30
    answers: int = 512 << 20
    make_tables: bool = True


USUAL = Limits()
