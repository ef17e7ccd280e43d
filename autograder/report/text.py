"""How numbers are written, the same in every report."""

from __future__ import annotations


def points(value: float) -> str:
    """``2.0`` → ``2``, ``2.5`` → ``2.5``; at most four decimals."""
    return f"{round(value, 4):.12g}"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"
