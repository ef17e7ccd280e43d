"""The grading package of the course. ``grade`` and ``grade_class`` are its public functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.class_report import ClassRun
    from autograder.grading import grade, grade_class

__version__ = "0.1.0"
__all__ = ["ClassRun", "grade", "grade_class"]


def __getattr__(name: str) -> Any:
    """Imported at the first use: a process that runs student code must not load the judge."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from autograder import grading

    return getattr(grading, name)
