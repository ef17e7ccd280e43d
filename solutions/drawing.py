"""What the figures of the handouts share: colours, bare axes, and how they are drawn and saved. Needs the extra lab."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import matplotlib as mpl
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

ROOT = Path(__file__).parents[1]
STYLE = ROOT / "autograder" / "student" / "course.mplstyle"

BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK = (f"C{i}" for i in range(7))
SIGNED = "PuOr_r"  # diverging, and told apart by colour-blind readers
LARGEST = 60_000  # bytes


class Drawing(Protocol):
    """A function that draws the figure after which it is named."""

    __name__: str

    def __call__(self) -> Figure: ...


def bare(axes: Axes, title: str) -> None:
    """Axes without ticks, grid and frame, for pictures."""
    axes.set(xticks=[], yticks=[])
    axes.set_title(title, fontsize=9)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)


def draw_all(assignment: str, drawings: Iterable[Drawing]) -> None:
    """Draw every figure into the assignment's folder, and say how large it is."""
    mpl.use("agg")
    plt.style.use(STYLE)
    target = ROOT / "assignments" / assignment / "figures"
    target.mkdir(exist_ok=True)
    for draw in drawings:
        path = target / f"{draw.__name__}.png"
        figure = draw()
        drawn = io.BytesIO()
        figure.savefig(drawn, format="png")
        plt.close(figure)
        _save(Image.open(drawn).convert("RGB"), path)
        print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} kB")


def _save(image: Image.Image, path: Path) -> None:
    """Save with as many colours as the limit of size allows."""
    for colours in (256, 128, 64):
        image.quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size <= LARGEST:
            return
    raise ValueError(f"{path.name} is larger than {LARGEST} bytes")
