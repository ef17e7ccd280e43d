"""How shares are written, the same in every report."""

from __future__ import annotations


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"
