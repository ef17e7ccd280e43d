"""The geometry of windows: along one axis, and on a plane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

Pair = int | tuple[int, int]


def both(value: Pair) -> tuple[int, int]:
    """One number stands for both axes."""
    if isinstance(value, tuple):
        first, second = value
        return first, second
    return value, value


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis with the windows on it. It cannot be made if no window fits."""

    size: int
    kernel: int
    stride: int = 1
    padding: int = 0
    dilation: int = 1
    windows: int = field(init=False)

    def __post_init__(self) -> None:
        span = self.dilation * (self.kernel - 1) + 1
        if span > self.padded:
            raise ValueError(f"A window spans {span} samples, and there are {self.padded}.")
        object.__setattr__(self, "windows", (self.padded - span) // self.stride + 1)

    @property
    def padded(self) -> int:
        return self.size + 2 * self.padding

    @property
    def inside(self) -> slice:
        """The axis without its padding."""
        return slice(self.padding, self.padding + self.size)

    def seen_by(self, place: int) -> slice:
        """What this place of the kernel sees in the windows, one after the other."""
        first = place * self.dilation
        return slice(first, first + self.stride * (self.windows - 1) + 1, self.stride)


@dataclass(frozen=True)
class Plane:
    """Rows and columns."""

    rows: Axis
    columns: Axis

    @classmethod
    def of(cls, size: Pair, kernel: Pair, stride: Pair = 1, padding: Pair = 0, dilation: Pair = 1) -> Plane:
        return cls(*(Axis(*numbers) for numbers in zip(*map(both, (size, kernel, stride, padding, dilation)))))

    @property
    def shape(self) -> tuple[int, int]:
        """How many windows there are: the size of the output."""
        return self.rows.windows, self.columns.windows

    @property
    def padded(self) -> tuple[int, int]:
        return self.rows.padded, self.columns.padded

    @property
    def inside(self) -> tuple[slice, slice]:
        return self.rows.inside, self.columns.inside

    def places(self) -> Iterator[tuple[int, int, tuple[slice, slice]]]:
        """Each place (u, v) of the kernel, and what it sees."""
        for u in range(self.rows.kernel):
            for v in range(self.columns.kernel):
                yield u, v, (self.rows.seen_by(u), self.columns.seen_by(v))
