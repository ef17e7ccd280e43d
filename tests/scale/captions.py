"""What the labs' remarks are about, under five seeds: ``python tests/scale/captions.py a3 [--only 4 10] [--seeds 5]``.

Runs a lab with the references, each time with another number added to all its seeds, and prints one below the other
what every experiment drew and printed. A remark that depends on a draw has to hold for each row: whoever changes an
experiment reads them again. Equal rows are printed once. Up to half a minute of CPU for a lab and a seed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from autograder.loading import find_assignments

ROOT = Path(__file__).resolve().parents[2]
POINTS = 9  # of a longer curve so many are printed
MANY = 60  # of a larger image the smallest number, the mean and the largest are printed
Shown = dict[str, Any]  # what an experiment shows: curves (2, n), bars and images (n,), and texts


def drawn(figures: list[Any]) -> Shown:
    """The numbers and the texts of the figures, axes by axes."""
    found: Shown = {}
    for place, axes in enumerate(axes for figure in figures for axes in figure.axes):
        titles = [axes.get_title(loc) for loc in ("left", "center", "right")]
        labels = [str(line.get_label()) for line in axes.lines]
        texts = [*titles, axes.get_xlabel(), *labels, *(text.get_text() for text in axes.texts)]
        words = (" ".join(text.split()) for text in texts if not text.startswith("_child"))
        found[f"axes {place}"] = " | ".join(filter(None, words))
        for number, line in enumerate(axes.lines):
            found[f"axes {place}, line {number}"] = line.get_xydata().T.astype(float)
        for number, bars in enumerate(axes.containers):
            found[f"axes {place}, bars {number}"] = getattr(bars, "datavalues", [])
        for number, image in enumerate(axes.images):
            found[f"axes {place}, image {number}"] = image.get_array().astype(float).ravel()
    return found


def run(name: str, added: int, only: Sequence[str] = ()) -> tuple[dict[str, Shown], float]:
    """Each experiment of a lab with ``added`` on all seeds, and the CPU seconds. In a process of its own."""
    os.chdir(ROOT / "assignments" / name)
    sys.path[:0] = [str(ROOT / "solutions" / name), os.getcwd()]
    import labkit  # type: ignore[import-not-found]
    import matplotlib.pyplot as plt
    import numpy as np
    import torch

    start, generator, seed = time.process_time(), np.random.default_rng, torch.manual_seed
    np.random.default_rng = lambda of=None: generator(of if of is None else of + added)
    torch.manual_seed = lambda of: seed(of + added)
    plt.show = lambda: None
    labkit.slider = lambda low, high, step, start: lambda draw: draw(start)
    space: dict[str, Any] = {}
    results: dict[str, Shown] = {}
    heading = ""
    for cell in re.split(r"^# %%", (ROOT / "solutions" / name / "lab.py").read_text(encoding="utf-8"), flags=re.M):
        if cell.startswith(" [markdown]"):
            heading = next(iter(re.findall(r"^# ### (.+)", cell, re.M)), heading)
            continue
        shows = "with experiment(" in cell
        if shows and only and heading.split()[1] not in only:  # what it defines may be needed later
            shows, cell = False, cell.split("\nwith experiment(")[0]
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            if "grader." not in cell:
                exec(compile(cell.replace('Grader("lab.ipynb")', "None"), "a cell", "exec"), space)
        if shows:
            figures = [plt.figure(number) for number in plt.get_fignums()]
            again = heading if heading not in results else f"{heading}, continued"
            results[again] = {**drawn(figures), "printed": " | ".join(printed.getvalue().splitlines())}
        plt.close("all")
    return results, time.process_time() - start


def in_words(value: Any) -> str:
    """A text as it is, numbers with three digits, of a curve at some points: x: y."""
    import numpy as np

    if isinstance(value, str):
        return value
    if np.ndim(value) == 1:
        several = value if len(value) <= MANY else [np.min(value), np.mean(value), np.max(value)]
        return " ".join(f"{number:.3g}" for number in several)
    chosen = np.unique(np.linspace(0, len(value[0]) - 1, min(POINTS, len(value[0]))).astype(int))
    return "  ".join(f"{x:.3g}: {y:.3g}" for x, y in value[:, chosen].T)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("assignment", help="such as a3")
    parser.add_argument("--only", nargs="+", default=(), metavar="N", help="the numbers of these experiments")
    parser.add_argument("--seeds", type=int, default=5, metavar="N")
    options = parser.parse_args()
    (name,) = (one for one in find_assignments(ROOT) if options.assignment in (one, one.split("_")[0]))
    os.environ |= {"MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1"}  # as the labs, before anything imports NumPy
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        runs = list(pool.map(run, [name] * options.seeds, range(options.seeds), [options.only] * options.seeds))
    for heading, shown in runs[0][0].items():
        print(f"\n{heading}")
        for what in shown:
            rows = [in_words(results[heading].get(what, "")) for results, _ in runs]
            print(f"  {what}" + (f": {rows[0]}" if len(set(rows)) == 1 else ""))
            for added, row in enumerate(rows if len(set(rows)) > 1 else ()):
                print(f"    +{added}  {row}")
    print("\nCPU seconds:", ", ".join(f"{seconds:.0f}" for _, seconds in runs))


if __name__ == "__main__":
    main()
