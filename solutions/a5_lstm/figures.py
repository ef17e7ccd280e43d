"""Draws the figures of the handout into ``assignments/a5_lstm/figures``.

    PYTHONPATH=. python solutions/a5_lstm/figures.py

Each function makes one figure; what is measured, is measured with the reference module.
"""

from __future__ import annotations

from collections.abc import Sequence

import lstm as reference
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from solutions.drawing import BLACK, BLUE, GREEN, ORANGE, PURPLE, VERMILION, draw_all

HIDDEN, INPUTS, LAST, DRAWS = 32, 8, 130, 5
LAGS = np.array([1, 2, 5, *range(10, 101, 10)])


def cell() -> Figure:
    """One step of an LSTM, and the two ways on which gradients go back through it."""
    figure, axes = plt.subplots(figsize=(7.5, 3.5))
    axes.set(xlim=(-1.1, 15.1), ylim=(-0.75, 6.45), aspect="equal")
    axes.set_axis_off()
    top, bottom, boxes = 5.2, 1.0, 2.1
    gates = {"f": 3.2, "i": 5.4, "g": 7.4, "o": 9.8}
    write, show, out = 3.75, 3.1, 12.0  # heights of the products i·g and o·tanh(c), and where h leaves

    forward = {"color": "black", "linewidth": 1.5}
    _line(axes, [(0, top), (gates["f"] - 0.35, top)], **forward)
    _line(axes, [(gates["f"] + 0.35, top), (gates["g"] - 0.35, top)], **forward)
    _line(axes, [(gates["g"] + 0.35, top), (14, top)], **forward)
    _line(axes, [(0, bottom), (gates["o"], bottom), (gates["o"], boxes - 0.45)], **forward)
    _line(axes, [(1.3, -0.1), (1.3, bottom)], **forward)
    for name in "fig":
        _line(axes, [(gates[name], bottom), (gates[name], boxes - 0.45)], **forward)
    _line(axes, [(gates["f"], boxes + 0.45), (gates["f"], top - 0.35)], **forward)
    _line(axes, [(gates["i"], boxes + 0.45), (gates["i"], write), (gates["g"] - 0.35, write)], **forward)
    _line(axes, [(gates["g"], boxes + 0.45), (gates["g"], write - 0.35)], **forward)
    _line(axes, [(gates["g"], write + 0.35), (gates["g"], top - 0.35)], **forward)
    _line(axes, [(gates["o"], boxes + 0.45), (gates["o"], show), (out - 0.35, show)], **forward)
    _line(axes, [(out, top), (out, 4.6)], **forward)
    _line(axes, [(out, 3.85), (out, show + 0.35)], **forward)
    _line(axes, [(out, show - 0.35), (out, bottom), (14, bottom)], **forward)

    around = {"color": PURPLE, "linewidth": 1.6, "linestyle": (0, (4, 2)), "zorder": 1}
    low, aside = 0.62, 0.27
    _line(axes, [(gates["f"] + aside, top - 0.3), (gates["f"] + aside, low)], head=False, **around)
    _line(axes, [(gates["g"] + aside, top - 0.3), (gates["g"] + aside, low)], head=False, **around)
    enter, leave = gates["i"] + aside, gates["o"] + aside
    _line(axes, [(gates["g"], write - aside), (enter, write - aside), (enter, low)], head=False, **around)
    _line(axes, [(out, show - aside), (leave, show - aside), (leave, low), (0, low)], **around)
    _line(axes, [(14, low), (out + aside, low), (out + aside, top - 0.1)], **around)
    _line(axes, [(14, top + 0.42), (0, top + 0.42)], color=VERMILION, linewidth=3.2)

    for name, x in gates.items():
        _box(axes, x, boxes, "tanh" if name == "g" else "σ")
        axes.text(x - 0.15, boxes + 0.72, name, ha="right", va="center", style="italic", fontsize=11)
    _box(axes, out, 4.22, "tanh")
    for x, y, sign in (
        (gates["f"], top, "×"),
        (gates["g"], top, "+"),
        (gates["g"], write, "×"),
        (out, show, "×"),
    ):
        axes.add_patch(Circle((x, y), 0.35, facecolor="white", edgecolor="black", linewidth=1.3, zorder=3))
        axes.text(x, y - 0.03, sign, ha="center", va="center", fontsize=13, zorder=4)
    for x, y, text in (
        (-0.1, top, "$c_{t-1}$"),
        (-0.1, bottom, "$h_{t-1}$"),
        (14.95, top, "$c_t$"),
        (14.95, bottom, "$h_t$"),
    ):
        axes.text(x, y, text, ha="right", va="center", fontsize=12)
    axes.text(1.3, -0.2, "$x_t$", ha="center", va="top", fontsize=12)
    centred = {"x": 7, "ha": "center"}
    axes.text(y=top + 0.65, s="gradient, direct path: times $f$, nothing else", va="bottom", color=VERMILION, **centred)
    detour = "gradient, through $h$: slopes of σ and tanh, and $W$"
    axes.text(y=low - 0.25, s=detour, va="top", color="#A04A7D", **centred)
    return figure


def _line(axes: Axes, points: Sequence[tuple[float, float]], *, head: bool = True, **style: object) -> None:
    """A line along the points, with an arrow's head at the last one."""
    axes.plot(*zip(*points, strict=True), solid_capstyle="butt", **style)
    if head:
        (x0, y0), (x1, y1) = points[-2:]
        length = np.hypot(x1 - x0, y1 - y0)
        before = x1 - 0.05 * (x1 - x0) / length, y1 - 0.05 * (y1 - y0) / length
        arrow = {"arrowstyle": "-|>", "color": style["color"], "mutation_scale": 6 + 3 * float(str(style["linewidth"]))}
        axes.annotate("", (x1, y1), before, arrowprops={**arrow, "shrinkA": 0, "shrinkB": 0}, zorder=2)


def _box(axes: Axes, x: float, y: float, text: str) -> None:
    style = {"boxstyle": "round,pad=0.08", "facecolor": "#DDEBF5", "edgecolor": BLUE, "zorder": 3}
    axes.add_patch(FancyBboxPatch((x - 0.5, y - 0.3), 1, 0.6, **style))
    axes.text(x, y, text, ha="center", va="center", zorder=4)


def reach() -> Figure:
    """How large the derivative of a cell is with respect to itself some steps before, without training."""
    figure, axes = plt.subplots(figsize=(7.5, 3.9))
    for bias, colour in ((3, GREEN), (1, VERMILION), (0, BLUE)):
        full, direct = np.array([_lstm_reach(bias, seed) for seed in range(DRAWS)]).transpose(1, 0, 2)
        axes.fill_between(LAGS, full.min(0), full.max(0), color=colour, alpha=0.2, linewidth=0)
        axes.semilogy(LAGS, np.median(full, 0), color=colour)
        axes.semilogy(LAGS, np.median(direct, 0), color=colour, linestyle="--")
        axes.text(101.5, np.median(full, 0)[-1], f"forget bias {bias}", va="center", color=colour)
    plain = np.median([_plain_reach(seed) for seed in range(DRAWS)], 0)
    axes.semilogy(LAGS, plain, color=BLACK, linestyle=":")
    axes.plot([], [], color="0.3", label="full derivative, the middle of five draws, and all five")
    axes.plot([], [], color="0.3", linestyle="--", label="direct path, largest entry")
    axes.plot([], [], color=BLACK, linestyle=":", label="plain recurrent network, the middle of five draws")
    axes.legend(loc="lower left")
    axes.set(xlabel="lag k (steps)", ylabel="norm of ∂c(t) / ∂c(t−k)", ylim=(1e-27, 1e3), xlim=(0, 121))
    axes.set_xticks(range(0, 101, 20))
    return figure


def _lstm_reach(bias: float, seed: int) -> tuple[list[float], list[float]]:
    rng, start = np.random.default_rng(seed), np.zeros((1, HIDDEN))
    W, b = reference.lstm_init(INPUTS, HIDDEN, rng=rng, forget_bias=bias)
    _, c, gates = reference.lstm_forward(rng.standard_normal((1, LAST, INPUTS)), start, start, W, b)
    full = [float(np.linalg.norm(reference.cell_jacobian(c[0], gates[0], W, LAST, int(k)), 2)) for k in LAGS]
    direct = [float(reference.forget_path_gradient(gates[0, :, :HIDDEN], LAST, int(k)).max()) for k in LAGS]
    return full, direct


def _plain_reach(seed: int) -> list[float]:
    """The same for the states of h(t) = tanh(V h(t−1) + U x(t))."""
    rng, bound = np.random.default_rng(seed), HIDDEN**-0.5
    U, V = rng.uniform(-bound, bound, (HIDDEN, INPUTS)), rng.uniform(-bound, bound, (HIDDEN, HIDDEN))
    h, factors = np.zeros(HIDDEN), []
    for x in rng.standard_normal((LAST, INPUTS)):
        h = np.tanh(V @ h + U @ x)
        factors.append((1 - h**2)[:, None] * V)
    product, norms = np.eye(HIDDEN), []
    for factor in reversed(factors):
        product = product @ factor
        norms.append(float(np.linalg.norm(product, 2)))
    return [norms[k - 1] for k in LAGS]


def reverse_padded() -> Figure:
    """A padded batch, turned the wrong way and the right way, read, and turned back."""
    words, lengths = ("abcde", "fgh", "klmn"), np.array([5, 3, 4])
    rows = np.array([list(word.ljust(5, "·")) for word in words])[:, :, None]
    turned = reference.reverse_padded(rows, lengths)
    read = np.array([[word[t:][::-1] if t < len(word) else "·" for t in range(5)] for word in words])
    steps = [["".join(row[: t + 1]) if row[t] != "·" else "·" for t in range(5)] for row in turned[:, :, 0]]
    states = np.array(steps)
    assert (reference.reverse_padded(states[:, :, None], lengths)[:, :, 0] == read).all()

    panels = (
        (rows[:, :, 0], "1   a padded batch x"),
        (rows[:, ::-1, 0], "✗   whole rows turned: x[:, ::-1]"),
        (turned[:, :, 0], "2   each row turned within its length"),
        (states, "3   read: at each step, what was seen"),
        (read, "4   its states turned back"),
    )
    figure, grid = plt.subplots(2, 3, figsize=(7.5, 4))
    figure.get_layout_engine().set(h_pad=0.1)
    order = (grid[0, 0], grid[0, 1], grid[1, 0], grid[1, 1], grid[1, 2])
    colours = (BLUE, ORANGE, GREEN)
    for axes, (texts, title) in zip(order, panels, strict=True):
        axes.set(xlim=(-0.55, 4.55), ylim=(2.95, -0.55), aspect="equal")
        axes.set_title(title, fontsize=9)
        axes.set_axis_off()
        for (n, t), text in np.ndenumerate(texts):
            box, face, edge, colour = (t - 0.45, n - 0.42), (colours[n], 0.25), colours[n], "black"
            size = 10 if len(text) < 3 else 8 if len(text) < 5 else 6.5
            if text == "·":
                text, size, face, edge, colour = "pad", 8, "0.88", "0.7", "0.45"
            axes.add_patch(Rectangle(box, 0.9, 0.84, facecolor=face, edgecolor=edge))
            axes.text(t, n, text, ha="center", va="center", fontsize=size, color=colour)
        for t in range(5):
            axes.text(t, 2.75, str(t + 1), ha="center", va="center", fontsize=8, color="0.45")
    grid[0, 2].set_axis_off()
    note = (
        "Wrong: in the shorter rows the\nbackward LSTM reads padding\nbefore it reads a word.\n\n"
        "Right: 1 → 2 → 3 → 4.\nAt position t the state has read\nall words from the end to t."
    )
    grid[0, 2].text(0, 0.95, note, va="top", fontsize=9, transform=grid[0, 2].transAxes)
    return figure


def layout() -> Figure:
    """Where the blocks of W stand in this assignment, and where PyTorch keeps them."""
    colours = {"f": BLUE, "i": ORANGE, "g": GREEN, "o": PURPLE}
    figure, axes = plt.subplots(figsize=(7.5, 3.1))
    axes.set(xlim=(-1.2, 16.2), ylim=(5.6, -1.5), aspect="equal")
    axes.set_axis_off()

    def matrix(left: float, order: str, parts: Sequence[tuple[str, float]], title: str, shape: str) -> None:
        width = sum(size for _, size in parts)
        for row, gate in enumerate(order):
            x = left
            for part, size in parts:
                axes.add_patch(
                    Rectangle((x, row), size, 1, facecolor=(colours[gate], 0.5), edgecolor="white", linewidth=2)
                )
                label = f"{gate}, {part}" if part in "hx" else gate
                axes.text(x + size / 2, row + 0.5, label, ha="center", va="center", fontsize=9)
                x += size
        axes.text(left + width / 2, -0.2, title, ha="center", va="bottom", fontsize=9, family="monospace")
        axes.text(left + width / 2, 4.15, shape, ha="center", va="top", fontsize=9, color="0.35")

    matrix(0, "figo", [("h", 2), ("x", 1.3)], "W", "(4H, H + D)")
    matrix(3.7, "figo", [("b", 0.6)], "b", "(4H,)")
    matrix(6.8, "ifgo", [("h", 2)], "weight_hh_l0", "(4H, H)")
    matrix(10.6, "ifgo", [("x", 1.3)], "weight_ih_l0", "(4H, D)")
    matrix(14.3, "ifgo", [("b", 0.6)], "bias_ih_l0\n+ bias_hh_l0", "(4H,)")
    axes.annotate("", (6.3, 2), (4.8, 2), arrowprops={"arrowstyle": "-|>", "color": "black"})
    axes.text(2.15, 5.5, "here: rows f, i, g, o", ha="center", va="bottom")
    axes.text(10.9, 5.5, "PyTorch: rows i, f, g, o; two matrices, two biases", ha="center", va="bottom")
    return figure


FIGURES = (cell, reach, reverse_padded, layout)


if __name__ == "__main__":
    draw_all("a5_lstm", FIGURES)
