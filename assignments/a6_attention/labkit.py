# Generated from autograder/student/labkit.py by "python -m autograder build": change it there.
"""What the labs share: checks and experiments that wait for the code they call, a slider, pictures that look alike."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import otter
from matplotlib.axes import Axes
from matplotlib.image import AxesImage

SIGNED = "PuOr_r"  # colours for numbers of both signs: purple below zero, white at zero, orange above


class NotStarted:
    """What a check of an exercise shows that is not written yet."""

    def __init__(self, exercise: str) -> None:
        self.exercise = exercise

    def __repr__(self) -> str:
        return f"{self.exercise}: not started"


class Grader(otter.Notebook):  # type: ignore[misc]
    """Otter's notebook, which shows an exercise that is not written yet as that and not as a failure."""

    def check(self, exercise: str) -> Any:
        """Run the visible tests of an exercise, and return what the notebook shows of them."""
        found = super().check(exercise, {})
        messages = [result.message or "" for result in found.test_case_results]
        return NotStarted(exercise) if all("not started" in message for message in messages) else found


@contextmanager
def experiment() -> Iterator[None]:
    """Run the block up to the first call of an exercise that is not written yet, and name that exercise.

    An unwritten exercise raises NotImplementedError with its name. Any other error passes, with its traceback.
    """
    try:
        yield
    except NotImplementedError as error:
        exercise = str(error).split(".")[0]
        if not exercise.isidentifier():
            raise
        plt.close("all")
        print(f"Not started yet: {exercise}. Write it, then run this cell again.")


def picture(axes: Axes, image: np.ndarray, title: str = "", *, signed: float = 0) -> AxesImage:
    """Show an image: grey or colour from 0 to 255, or numbers of both signs, from -signed to signed."""
    low, high, colours = (-signed, signed, SIGNED) if signed else (0, 255, "gray")
    shown = axes.imshow(image, cmap=colours, vmin=low, vmax=high)
    axes.set(xticks=[], yticks=[])
    axes.set_title(title, fontsize=9)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    return shown


def numbers(axes: Axes, matrix: np.ndarray, title: str = "", *, signed: float) -> None:
    """Show a small matrix as its numbers, on colours from -signed to signed."""
    picture(axes, matrix, title, signed=signed)
    for (row, column), value in np.ndenumerate(matrix):
        text = f"{value:.1f}".replace("-0.0", "0.0").replace("-", "−")
        colour = "white" if abs(value) > signed / 2 else "black"
        axes.text(column, row, text, ha="center", va="center", fontsize=8, color=colour)


def slider(low: float, high: float, step: float, start: float) -> Callable[[Callable[[float], None]], None]:
    """Let the decorated function draw for the number at which a slider stands, and again when it is moved.

    Without ipywidgets a sentence stands in its place.
    """

    def show(draw: Callable[[float], None]) -> None:
        try:
            from ipywidgets import FloatSlider, interact
        except ImportError:
            print("Here would be a slider, but ipywidgets is not installed. The figure above shows some of its places.")
            return
        (name,) = inspect.signature(draw).parameters
        moved = FloatSlider(value=start, min=low, max=high, step=step, continuous_update=False)
        interact(draw, **{name: moved})

    return show
