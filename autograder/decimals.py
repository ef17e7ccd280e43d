"""Points are decimals: what a teacher writes is what stands in every report, and a total is exact.

A decimal of at most 15 digits and the float nearest to it stand for each other. Points have no more digits than that,
so they are kept as floats; only what is computed with them is computed in decimals.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

MOST, PLACES = 10_000, 9
RULE = f"from 0 to {MOST}, with at most {PLACES} decimals"


def number(value: str | int | Decimal) -> float:
    """Points as a teacher wrote them; an integer where they are whole.

    Raises:
        ValueError: it is no number, or not one that :data:`RULE` admits.
    """
    try:
        exact = Decimal(value)
    except InvalidOperation:
        raise ValueError(f"{value!r} is not a number of points") from None
    if not (exact.is_finite() and 0 <= exact <= MOST and exact == round(exact, PLACES)):
        raise ValueError(f"{value} is not a number of points {RULE}")
    return _short(exact)


def total(values: Iterable[float]) -> float:
    """The exact sum of points: 0.1 and 0.2 make 0.3. It is an integer where it is whole."""
    return _short(sum((Decimal(str(value)) for value in values), Decimal()))


def points(value: float) -> str:
    """``2.0`` → ``2``, ``2.5`` → ``2.5``; never with an exponent."""
    return f"{Decimal(str(round(value, PLACES))).normalize():f}"


def _short(exact: Decimal) -> float:
    return int(exact) if exact == int(exact) else float(exact)
