"""Draws the figures of the handout into ``assignments/a1_convolution/figures``.

    PYTHONPATH=. python solutions/a1_convolution/figures.py

Each function makes one figure, from the reference module and the photographs in ``data/``.
"""

from __future__ import annotations

import convolution as reference
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from numpy.lib.stride_tricks import sliding_window_view

from solutions.drawing import BLACK, BLUE, GREEN, ORANGE, PURPLE, ROOT, SIGNED, SKY, VERMILION, bare, draw_all


def photograph(name: str) -> np.ndarray:
    with np.load(ROOT / "data" / "photographs.npz") as photographs:
        image: np.ndarray = photographs[name]
    return image


def superposition() -> Figure:
    """Why the output is a sum: each sample sends out its own copy of the impulse response."""
    x, h = np.array([2.0, 3.0, 1.0, 4.0]), np.array([1.0, 2.0, 3.0])
    time = np.arange(len(x) + len(h) - 1)
    colours = [BLUE, VERMILION, GREEN, PURPLE]
    figure, (left, right) = plt.subplots(1, 2, sharey=True, width_ratios=[4, 6])
    left.bar(time[: len(x)], x, color=colours)
    for k, sample in enumerate(x):
        left.text(k, sample + 0.3, f"{sample:g}", ha="center")
    left.set(title="Input: four scaled impulses", xlabel="time n (samples)", ylabel="value")
    below = np.zeros(len(time))
    for k, (sample, colour) in enumerate(zip(x, colours, strict=True)):
        copy = np.zeros(len(time))
        copy[k : k + len(h)] = sample * h
        right.bar(time, copy, bottom=below, color=colour, edgecolor="white", label=f"x[{k}] h[n − {k}]")
        below += copy
    for n, total in zip(time, reference.convolve(x, h), strict=True):
        right.text(n, total + 0.3, f"{total:g}", ha="center")
    right.set(
        title="Output: four shifted, scaled copies of h, stacked",
        xlabel="time n (samples)",
        ylim=(0, 21),
        yticks=range(0, 21, 5),
    )
    right.legend(loc="upper left", ncols=2, columnspacing=1, handlelength=1)
    for axes, ticks in ((left, time[: len(x)]), (right, time)):
        axes.set_xticks(ticks)
        axes.grid(axis="x", visible=False)
    return figure


def flip_and_slide() -> Figure:
    """The same sum from the side of the output: the reversed h slides over x, one step for each output sample."""
    x, h = np.array([2.0, 3.0, 1.0, 4.0]), np.array([1.0, 2.0, 3.0])
    y = reference.convolve(x, h)
    figure, grid = plt.subplots(2, 3, figsize=(7.5, 3.9))
    for n, axes in enumerate(grid.flat):
        axes.set(xlim=(-2.6, 5.6), ylim=(-0.75, 2.1), xticks=[], yticks=[], title=f"{n + 1}   n = {n}")
        axes.set_axis_off()
        products = []
        for k in range(-2, 6):
            axes.text(k, 2.0, str(k), ha="center", va="top", fontsize=8, color="0.45")
            if 0 <= k < len(x):
                _cell(axes, k, 1, f"{x[k]:g}", BLUE, met=0 <= n - k < len(h))
            if 0 <= n - k < len(h):
                _cell(axes, k, 0.2, f"{h[n - k]:g}", VERMILION, met=0 <= k < len(x))
                if 0 <= k < len(x):
                    products.append(f"{x[k]:g}·{h[n - k]:g}")
        axes.text(1.5, -0.45, f"{' + '.join(products)} = {y[n]:g}", ha="center", va="center")
        if n % 3 == 0:
            for height, label, colour in ((1.35, "x[k]", BLUE), (0.55, "h[n − k]", VERMILION)):
                axes.text(-2.75, height, label, ha="right", va="center", color=colour)
            axes.text(-2.75, 1.9, "k", ha="right", va="center", fontsize=8, color="0.45")
            axes.text(-2.75, -0.45, "y[n]", ha="right", va="center")
    return figure


def _cell(axes: Axes, k: int, bottom: float, text: str, colour: str, *, met: bool) -> None:
    fill = (colour, 0.25) if met else "white"
    axes.add_patch(Rectangle((k - 0.43, bottom), 0.86, 0.7, facecolor=fill, edgecolor=colour, linewidth=1.5))
    axes.text(k, bottom + 0.35, text, ha="center", va="center")


def padding() -> Figure:
    """Three ways to invent the pixels outside an image, here a piece of the photograph of 24×24 pixels."""
    piece, width = photograph("camera")[100:124, 184:], 10
    figure, grid = plt.subplots(1, 3, figsize=(7.5, 2.75))
    for axes, mode in zip(grid, ("zeros", "replicate", "reflect"), strict=True):
        _image(axes, reference.pad2d(piece, width, mode), mode)
        frame = (width - 0.5, width - 0.5), piece.shape[1], piece.shape[0]
        axes.add_patch(Rectangle(*frame, fill=False, edgecolor=ORANGE, linewidth=2))
    return figure


def coverage() -> Figure:
    """How many 3×3 windows see each pixel, for three widths of padding."""
    size = (5, 7)
    figure, grid = plt.subplots(1, 3, figsize=(7.5, 2.4))
    titles = ("no padding (“valid”)", "padding 1 (“same”)", "padding 2 = k − 1 (“full”)")
    for pad, (axes, title) in enumerate(zip(grid, titles, strict=True)):
        seen = reference.window_coverage(size, 3, padding=pad)
        axes.imshow(seen, vmin=0, vmax=9)
        for (i, j), count in np.ndenumerate(seen):
            axes.text(j, i, str(count), ha="center", va="center", color="white" if count < 5 else "black")
        axes.set_title(title)
        axes.set(xlabel="column", xticks=range(size[1]), yticks=range(size[0]))
        axes.grid(visible=False)
    grid[0].set_ylabel("row")
    return figure


def matching() -> Figure:
    """A bright plateau beats the exact match in the inner product, and not in zero-mean normalized correlation."""
    template = np.array([1.0, 4.0, 2.0])
    x = np.array([0, 1, 4, 2, 0, 0, 6, 6, 6, 6, 0, 0, 2, 4, 1, 0.0])
    scores = [reference.cross_correlate(x, template), reference.match_template(x, template)]
    figure, (signal, inner, normalized) = plt.subplots(3, 1, sharex=True, figsize=(7.5, 4.6))
    colours = ["0.7"] * len(x)
    marked = ((1, 4, GREEN, "the template"), (6, 10, ORANGE, "a plateau"), (12, 15, SKY, "its mirror image"))
    for start, stop, colour, label in marked:
        colours[start:stop] = [colour] * (stop - start)
        signal.text((start + stop - 1) / 2, 6.4, label, ha="center", va="bottom")
    signal.bar(range(len(x)), x, color=colours)
    signal.set(ylabel="signal x[n]", ylim=(0, 8.4))
    for axes, score, label in ((inner, scores[0], "inner product"), (normalized, scores[1], "zero-mean NCC")):
        best = np.flatnonzero(np.isclose(score, score.max()))
        axes.axhline(0, color="0.4", linewidth=0.8)
        axes.stem(range(len(score)), score, linefmt="C0-", markerfmt="C0o", basefmt=" ")
        axes.plot(best, score[best], "o", color=VERMILION, markersize=9, fillstyle="none", markeredgewidth=1.8)
        axes.set_ylabel(label)
    inner.set_ylim(-4, 56)
    normalized.set_ylim(-1.1, 1.5)
    for n in (1, 6, 12):
        inner.annotate(f"{scores[0][n]:g}", (n, scores[0][n]), (6, 3), textcoords="offset points")
        normalized.annotate(f"{scores[1][n]:.2f}", (n, scores[1][n]), (6, 3), textcoords="offset points")
    normalized.set(xlabel="position n of the window's first sample", xticks=range(len(x)))
    for axes in (signal, inner, normalized):
        axes.grid(axis="x", visible=False)
    figure.align_ylabels()
    return figure


def kernel_gallery() -> Figure:
    """A piece of a photograph under six kernels, as ``filter_image`` returns it.

    Below each, how many pixels of the whole photograph the kernel drives out of 0…255.
    """
    image = photograph("camera")
    piece = np.s_[40:132, 50:160]
    figure, grid = plt.subplots(2, 3, figsize=(7.5, 4.7))
    figure.get_layout_engine().set(hspace=0.06)
    kernels = {
        "identity": reference.make_kernel("identity"),
        "box, 5×5": reference.make_kernel("box", 5),
        "Gaussian, 7×7, σ = 1.5": reference.make_kernel("gaussian", 7, 1.5),
        "sharpen": reference.make_kernel("sharpen"),
        "Laplacian": reference.make_kernel("laplacian"),
        "edge": reference.make_kernel("edge"),
    }
    for axes, (title, kernel) in zip(grid.flat, kernels.items(), strict=True):
        _image(axes, reference.filter_image(image, kernel)[piece], title)
        response = reference.correlate2d(reference.pad2d(image, len(kernel) // 2, "replicate"), kernel).round()
        outside = [100 * np.mean(part) for part in (response < 0, response > 255)]
        axes.set_xlabel(f"below 0: {outside[0]:.1f} %,  above 255: {outside[1]:.1f} %", fontsize=9)
    return figure


def edge_signs() -> Figure:
    """The edge kernel is a second derivative: silent on a ramp, of both signs at a step, and fooled by zero padding."""
    edge = reference.make_kernel("edge")
    row = np.concatenate([np.full(5, 40.0), np.arange(40, 120, 10), np.full(4, 120.0), np.full(6, 60.0)])
    response = reference.correlate2d(reference.pad2d(np.tile(row, (3, 1)), (0, 1), "replicate"), edge)[0]
    figure = plt.figure(figsize=(7.5, 4.7))
    top, bottom = figure.subfigures(2, 1, height_ratios=[1.35, 1])
    pixels, signed = top.subplots(1, 2)
    pixels.plot(row, "o-", color=BLUE)
    pixels.set(title="One row: flat, ramp, flat, step, flat", xlabel="column", ylabel="pixel value", ylim=(0, 150))
    signed.axhline(0, color="0.4", linewidth=0.8)
    signed.plot(response, "o-", color=VERMILION, label="signed response")
    signed.plot(response.clip(0, 255), "x", color=BLACK, label="what uint8 keeps")
    signed.set(title="The same row after the edge kernel", xlabel="column", ylabel="response")
    signed.legend(loc="lower left")
    image = photograph("camera")[20:90, 100:200]
    first, second, third = bottom.subplots(1, 3)
    _image(first, image, "a piece of the photograph")
    for axes, mode, title in ((second, "replicate", "response, replicate"), (third, "zeros", "response, zero padding")):
        whole = reference.correlate2d(reference.pad2d(image, 1, mode), edge)
        shown = _image(axes, whole, title, SIGNED, -500, 500)
    bottom.colorbar(shown, ax=[second, third], label="signed response", extend="both")
    return figure


def learned_kernel() -> Figure:
    """Gradient descent finds the Laplacian from noise within ten steps, and from a photograph hardly in 300."""
    laplacian, steps = reference.make_kernel("laplacian"), 300
    noise = np.random.default_rng(1).standard_normal((192, 208))
    inputs = {"noise": noise, "chelsea": photograph("chelsea")[:, :, 1] / 255, "camera": photograph("camera") / 255}
    inputs["chelsea"] -= inputs["chelsea"].mean()
    titles = {"noise": "white noise", "chelsea": "chelsea, mean subtracted", "camera": "camera"}
    figure = plt.figure(figsize=(7.5, 3.2))
    left, right = figure.subfigures(1, 2, width_ratios=[1.55, 1])
    curve = left.subplots()
    kernels = right.subplots(2, 2)
    _numbers(kernels[0, 0], laplacian, "to be found")
    for axes, (name, x), line in zip(kernels.flat[1:], inputs.items(), ("-", "--", "-."), strict=True):
        curvatures = np.linalg.eigvalsh(_second_moments(x, 3))
        smallest, largest = curvatures[0], curvatures[-1]
        y = reference.correlate2d(x, laplacian)
        kernel, losses = reference.learn_kernel(x, y, 3, lr=1 / (smallest + largest), steps=steps)
        label = f"{titles[name]}: κ = {_two_digits(largest / smallest)}"
        curve.semilogy(losses / losses[0], line, label=label)
        _numbers(axes, kernel, f"{name}, step {steps}")
    curve.set(ylim=(1e-12, 5), xlabel="step of gradient descent", ylabel="loss / first loss")
    curve.legend(loc="center right")
    return figure


def _second_moments(x: np.ndarray, size: int) -> np.ndarray:
    """Mean of p pᵀ over all windows p of x, written as vectors: half the second derivative of the loss."""
    windows = sliding_window_view(x, (size, size)).reshape(-1, size * size)
    moments: np.ndarray = windows.T @ windows / len(windows)
    return moments


def _two_digits(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{float(f'{value:.2g}'):,.0f}".replace(",", " ")


def _numbers(axes: Axes, kernel: np.ndarray, title: str) -> None:
    axes.imshow(kernel, cmap=SIGNED, vmin=-4, vmax=4)
    for (i, j), weight in np.ndenumerate(kernel):
        text, colour = f"{weight:.1f}".replace("-0.0", "0.0").replace("-", "−"), "white" if weight > 2 else "black"
        axes.text(j, i, text, ha="center", va="center", fontsize=8, color=colour)
    bare(axes, title)


def _image(
    axes: Axes, image: np.ndarray, title: str, cmap: str = "gray", low: float = 0, high: float = 255
) -> AxesImage:
    shown = axes.imshow(image, cmap=cmap, vmin=low, vmax=high)
    bare(axes, title)
    return shown


FIGURES = (
    superposition,
    flip_and_slide,
    padding,
    coverage,
    matching,
    kernel_gallery,
    edge_signs,
    learned_kernel,
)


if __name__ == "__main__":
    draw_all("a1_convolution", FIGURES)
