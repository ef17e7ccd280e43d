"""Points are decimals: what a teacher writes is what stands in every report, and a total is exact.

A decimal of at most 15 digits and the float nearest to it stand for each other. Points have no more digits than that,
so they are kept as floats; only what is computed with them is computed in decimals.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_DOWN, Decimal, InvalidOperation

MOST, PLACES = 10_000, 9
RULE = f"from 0 to {MOST}, with at most {PLACES} decimals"


def number(value: str | int | Decimal) -> float:
    """Points as a teacher wrote them; an integer where they are whole.

    Raises:
        ValueError: it is no number, or not one that :data:`RULE` admits.
    """
    try:
        found = Decimal(value)
    except InvalidOperation:
        raise ValueError(f"{value!r} is not a number of points") from None
    if not (found.is_finite() and 0 <= found <= MOST and found == round(found, PLACES)):
        raise ValueError(f"{value} is not a number of points {RULE}")
    return _short(found)


def total(values: Iterable[float]) -> float:
    """The exact sum of points: 0.1 and 0.2 make 0.3. It is an integer where it is whole."""
    return _short(sum(map(exact, values), Decimal()))


def exact(value: float) -> Decimal:
    """The decimal that points stand for."""
    return Decimal(str(value))


def rounded_down(value: Decimal) -> float:
    """A computed number of points, without what is beyond the digits that points have."""
    return _short(value.quantize(Decimal(1).scaleb(-PLACES), ROUND_DOWN))


def points(value: float) -> str:
    """``2.0`` → ``2``, ``2.5`` → ``2.5``; never with an exponent."""
    return f"{Decimal(str(round(value, PLACES))).normalize():f}"


def _short(value: Decimal) -> float:
    return int(value) if value == int(value) else float(value)
