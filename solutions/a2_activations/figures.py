"""Draws the figures of the handout into ``assignments/a2_activations/figures``.

    PYTHONPATH=. python solutions/a2_activations/figures.py

Each function makes one figure, from the reference module and the digits in ``data/``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import activations as reference
import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Polygon, Rectangle

from solutions.drawing import BLACK, BLUE, GREEN, ORANGE, PURPLE, ROOT, VERMILION, draw_all


def digits(count: int) -> tuple[np.ndarray, np.ndarray]:
    """The first digits, shrunk to 14×14 and standardized by one mean and one deviation for all, and their labels."""
    with np.load(ROOT / "data" / "digits.npz") as stored:
        images, labels = stored["images"][:count], stored["labels"][:count].astype(int)
    pixels: np.ndarray = images.reshape(count, 14, 2, 14, 2).mean(axis=(2, 4)).reshape(count, 196)
    return (pixels - pixels.mean()) / pixels.std(), labels


def slopes() -> Figure:
    """Four activations and their slopes, with the places where a slope has fallen to 10 % of its largest value."""
    x = np.linspace(-6, 6, 601)
    figure, (left, right) = plt.subplots(1, 2)
    left.plot(x, reference.sigmoid(x), label="sigmoid")
    left.plot(x, reference.tanh(x), "--", label="tanh")
    left.plot(x, reference.relu(x), "-.", label="ReLU")
    left.plot(x, reference.leaky_relu(x, 0.1), ":", label="leaky ReLU, slope 0.1")
    left.set(title="The activation", xlabel="input x", ylabel="output", ylim=(-1.3, 3.3), xticks=range(-6, 7, 2))
    left.legend(loc="upper left")
    one = np.ones(601)
    right.axhline(10, color="0.4", linewidth=0.8)
    right.text(-6, 12, "10 %", va="bottom", fontsize=9, color="0.3")
    for backward, largest, line, height in (
        (reference.sigmoid_backward, 0.25, "C0-", 44),
        (reference.tanh_backward, 1.0, "C1--", 62),
    ):
        right.plot(x, 100 * backward(one, x) / largest, line)

        def slope(at: float, backward: Callable[..., np.ndarray] = backward) -> float:
            return float(backward(np.ones(1), np.array([at]))[0])

        point = reference.saturation_point(slope, 0.1)
        right.plot([-point, point], [10, 10], "o", color=line[:2])
        right.annotate(
            f"{point:.2f}",
            (point, 10),
            (point + 0.6, height),
            color=line[:2],
            arrowprops={"arrowstyle": "-", "color": line[:2], "linewidth": 1},
        )
    right.plot(x[x <= 0], 0 * x[x <= 0], "C2-.")
    right.plot(x[x > 0], 100 + 0 * x[x > 0], "C2-.")
    right.set(title="Its slope, compared with the largest", xlabel="input x", ylabel="slope / largest slope (%)")
    right.set(ylim=(-5, 110), xticks=range(-6, 7, 2))
    return figure


def signs() -> Figure:
    """Which way one batch pushes the weights of ten neurons, and how many neurons agree with themselves.

    The curve is a mean over 200 batches of digits, each with other weights.
    """
    pixels, labels = digits(5000)
    rng = np.random.default_rng(1)
    first, second = reference.xavier_uniform(20, 196, rng=rng), reference.xavier_uniform(10, 20, rng=rng)

    figure = plt.figure(figsize=(7.5, 3.4))
    left, right = figure.subfigures(1, 2, width_ratios=[1, 1.35])
    grid, curve = left.subplots(3, 1), right.subplots()
    for axes, size in zip(grid, (1, 8, 128), strict=True):
        h = reference.sigmoid(pixels[:size] @ first.T)
        dy = reference.cross_entropy_backward(h @ second.T, labels[:size])
        axes.imshow(np.sign(dy.T @ h), cmap=ListedColormap([PURPLE, "white", BLUE]), vmin=-1, vmax=1, aspect="auto")
        axes.set(xticks=np.arange(-0.5, 20), yticks=np.arange(-0.5, 10), xticklabels=[], yticklabels=[])
        axes.tick_params(length=0)
        axes.grid(color="white", linewidth=0.8)
        axes.set_axisbelow(False)
        axes.spines[:].set_visible(False)
        agree = int(reference.sign_agreement(dy, h).sum())
        axes.set_title(f"batch of {size}: {agree} of 10 neurons agree", fontsize=9)
        axes.set_ylabel("neuron", fontsize=9)
    grid[-1].set_xlabel("weight (blue: ∂L/∂w > 0, purple: < 0)", fontsize=9)

    sizes = 2 ** np.arange(10)
    names = {"sigmoid": "sigmoid: between 0 and 1", "relu": "ReLU: 0 or more", "tanh": "tanh: both signs"}
    for (name, label), line in zip(names.items(), ("o-", "s--", "^-."), strict=True):
        shares = []
        for size in sizes:
            found = []
            for _ in range(200):
                first, second = reference.xavier_uniform(20, 196, rng=rng), reference.xavier_uniform(10, 20, rng=rng)
                chosen = rng.choice(len(labels), size, replace=False)
                h = getattr(reference, name)(pixels[chosen] @ first.T)
                dy = reference.cross_entropy_backward(h @ second.T, labels[chosen])
                found.append(reference.sign_agreement(dy, h).mean())
            shares.append(100 * np.mean(found))
        curve.plot(sizes, shares, line, label=label)
    curve.set_xscale("log", base=2)
    curve.set_xticks(sizes, [str(size) for size in sizes])
    curve.minorticks_off()
    curve.set(xlabel="batch size", ylabel="neurons that agree (%)", ylim=(-5, 105))
    curve.legend(loc="upper right", title="20 inputs from")
    return figure


def zigzag() -> Figure:
    """The same descent on inputs around 0.5 and around 0, each with the step that suits it best."""
    rng = np.random.default_rng(2)
    positive = reference.sigmoid(0.37 * rng.standard_normal((400, 2)))
    best = np.array([1.0, -0.6])
    figure, grid = plt.subplots(1, 2, sharey=True, figsize=(7.5, 3.6))
    inputs = {"inputs around 0.5 (sigmoids)": positive, "the same, mean subtracted": positive - positive.mean(axis=0)}
    span = np.linspace(-0.6, 1.4, 121)
    for axes, (title, x) in zip(grid, inputs.items(), strict=True):
        moments = x.T @ x / len(x)
        smallest, largest = np.linalg.eigvalsh(moments)
        path, ratio = reference.zigzag_descent(x, x @ best, np.zeros(2), lr=2 / (smallest + largest), steps=60)
        away = np.stack(np.meshgrid(span, span - 0.4), axis=-1) - best
        loss = np.einsum("...i,ij,...j", away, moments, away) / 2
        levels = np.geomspace(loss.max() / 3000, loss.max(), 9)
        axes.contour(span, span - 0.4, loss, levels=levels, colors="0.6", linewidths=0.9)
        axes.plot(*path.T, "o-", color=VERMILION, markersize=3, linewidth=1)
        axes.plot(*path[0], "o", color=BLACK)
        axes.plot(*best, "*", color=BLUE, markersize=13)
        near = np.linalg.norm(path - best, axis=1) < 0.01 * np.linalg.norm(best)
        arrived = f"1 % away after {near.argmax()} steps" if near.any() else "60 steps are not enough"
        axes.set_title(f"{title}\nκ = {largest / smallest:.2g}, path {ratio:.1f} times the straight way", fontsize=9)
        frame = {"facecolor": "white", "edgecolor": "none", "pad": 2}
        axes.text(-0.56, -0.96, arrived, ha="left", va="bottom", fontsize=9, bbox=frame)
        axes.set(xlabel="weight 1", aspect="equal", xlim=(-0.6, 1.4), ylim=(-1, 1))
        axes.grid(visible=False)
    grid[0].set_ylabel("weight 2")
    return figure


def log_softmax() -> Figure:
    """Cross-entropy of a growing mistake, in one go and through the probability, in float32."""
    margin = np.linspace(0, 130, 521, dtype=np.float32)
    logits = np.stack([0 * margin, margin], axis=1)  # the right class is the first one
    p = reference.softmax(logits)[:, 0]
    tiny = np.float32(1e-12)
    with np.errstate(divide="ignore"):
        losses = -reference.log_softmax(logits)[:, 0], -np.log(p), -np.log(p + tiny)
    slopes = [reference.cross_entropy_backward(logits, np.zeros(len(margin), int))[:, 0] * np.float32(len(margin))]
    with np.errstate(all="ignore"):
        for added in (np.float32(0), tiny):
            dp = np.stack([-1 / (p + added), 0 * margin], axis=1)
            slopes.append(reference.softmax_backward(dp, reference.softmax(logits))[:, 0])
    figure, (left, right) = plt.subplots(1, 2)
    labels = "log_softmax", "log(softmax)", "log(softmax + 1e−12)"
    widths = (4.0, 1.6, 1.6)
    for loss, slope, label, line, width in zip(losses, slopes, labels, ("C5-", "C1--", "C6-."), widths, strict=True):
        left.plot(margin, np.where(np.isfinite(loss), loss, np.nan), line, label=label, linewidth=width)
        right.plot(margin, np.where(np.isfinite(slope), slope, np.nan), line, linewidth=width)
    last = margin[p == 0][0]
    left.plot(last, last, "x", color=VERMILION, markersize=8, markeredgewidth=2)
    left.annotate(
        f"infinity from {last:.0f} on",
        (last, last),
        (last - 4, 58),
        ha="center",
        va="top",
        color=VERMILION,
        arrowprops={"arrowstyle": "-", "color": VERMILION, "linewidth": 1},
    )
    left.text(128, 24.5, f"stuck at {losses[2][-1]:.1f}", ha="right", va="top")
    left.set(title="The loss", xlabel="how far the right score lies below", ylabel="loss", ylim=(0, 135))
    left.legend(loc="upper left")
    last = margin[~np.isfinite(slopes[1])][0]
    right.plot(last, -1, "x", color=VERMILION, markersize=8, markeredgewidth=2)
    right.annotate(
        f"broken from {last:.0f} on",
        (last, -1),
        (last - 4, -0.55),
        ha="center",
        va="bottom",
        color=VERMILION,
        arrowprops={"arrowstyle": "-", "color": VERMILION, "linewidth": 1},
    )
    right.set(title="Its gradient for the right score", xlabel="how far the right score lies below", ylabel="gradient")
    right.set_ylim(-1.08, 0.05)
    return figure


def three_ways() -> Figure:
    """How one input reaches the normalized outputs: directly, through the mean, and through the variance."""
    figure, axes = plt.subplots(figsize=(7.5, 2.7))
    axes.set(xlim=(0, 12), ylim=(0, 4.2), aspect="equal")
    axes.set_axis_off()
    boxes = {
        "x": (0.8, 2.1, "$x_i$", BLACK),
        "mean": (3.4, 3.5, "mean $\\mu$", BLUE),
        "var": (5.4, 0.7, "variance $v$", VERMILION),
        "xhat": (8.0, 2.1, "$\\hat{x}_j = \\frac{x_j-\\mu}{\\sqrt{v+\\varepsilon}}$", BLACK),
        "y": (11.2, 2.1, "$y_j$", BLACK),
    }
    half = {"x": 0.5, "mean": 0.85, "var": 0.95, "xhat": 1.35, "y": 0.5}
    for name, (x, y, text, colour) in boxes.items():
        shape = FancyBboxPatch((x - half[name], y - 0.45), 2 * half[name], 0.9, boxstyle="round,pad=0.05")
        shape.set(facecolor="white", edgecolor=colour, linewidth=1.5)
        axes.add_patch(shape)
        axes.text(x, y, text, ha="center", va="center", fontsize=13 if name == "xhat" else 11, color=colour)
    arrows: tuple[tuple[tuple[float, float], tuple[float, float], str, str], ...] = (
        ((1.4, 2.1), (6.55, 2.1), GREEN, "-"),
        ((1.2, 2.6), (2.5, 3.4), BLUE, "-"),
        ((4.3, 3.5), (7.2, 2.65), BLUE, "-"),
        ((1.2, 1.6), (4.35, 0.75), VERMILION, "-"),
        ((6.4, 0.75), (7.6, 1.55), VERMILION, "-"),
        ((3.7, 3.0), (5.0, 1.2), "0.55", "--"),
        ((9.45, 2.1), (10.6, 2.1), BLACK, "-"),
    )
    for start, stop, colour, style in arrows:
        arrow = FancyArrowPatch(start, stop, arrowstyle="-|>", mutation_scale=12, color=colour, linewidth=1.5)
        arrow.set_linestyle(style)
        axes.add_patch(arrow)
    axes.text(2.1, 2.2, "directly, if $j = i$", color=GREEN, va="bottom", fontsize=9)
    axes.text(5.6, 3.35, "through the mean, for all $j$", color=BLUE, va="bottom", fontsize=9)
    axes.text(0.35, 0.35, "through the variance, for all $j$", color=VERMILION, va="center", fontsize=9)
    axes.text(10.0, 2.2, "$\\gamma,\\ \\beta$", ha="center", va="bottom", fontsize=10)
    axes.text(4.75, 1.75, "$\\Sigma(x_j - \\mu) = 0$:\nadds nothing", color="0.4", va="center", fontsize=8)
    return figure


def normalization_axes() -> Figure:
    """Which numbers share one mean and one variance, for vectors and for images."""
    figure = plt.figure(figsize=(7.5, 2.9))
    left, right = figure.subfigures(1, 2, width_ratios=[1, 1.55])
    left.suptitle("vectors (N, C)", fontsize=10)
    right.suptitle("images (N, C, H, W)", fontsize=10)
    for axes, name in zip(left.subplots(1, 2), ("batch norm", "layer norm"), strict=True):
        for n in range(6):
            for c in range(4):
                chosen = c == 1 if name == "batch norm" else n == 1
                colour = (BLUE if name == "batch norm" else ORANGE) if chosen else "0.93"
                axes.add_patch(Rectangle((c, n), 1, 1, facecolor=colour, edgecolor="white", linewidth=1.5))
        axes.set(xlim=(0, 4), ylim=(6, 0), aspect="equal", title=name, xlabel="channel")
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
    left.axes[0].set_ylabel("sample")
    for axes, name in zip(right.subplots(1, 2), ("batch norm", "layer norm"), strict=True):
        _cube(axes, name)
        axes.set_title(name)
    return figure


def _cube(axes: Axes, name: str, samples: int = 4, channels: int = 4, pixels: int = 5) -> None:
    """Blocks at (sample, channel, pixel), seen from above; those that share statistics are coloured."""
    across, down, back = np.array([0.78, -0.28]), np.array([0.0, -0.55]), np.array([0.62, 0.36])

    def corner(c: float, p: float, n: float) -> np.ndarray:
        return c * across + p * down + n * back

    def face(points: list[tuple[int, int, int]], chosen: bool, shade: float) -> None:
        base = mpl.colors.to_rgb(mpl.rcParams["axes.prop_cycle"].by_key()["color"][0 if name == "batch norm" else 4])
        colour = tuple(shade * value for value in base) if chosen else (0.95 * shade,) * 3
        shape = Polygon([corner(*point) for point in points], facecolor=colour, edgecolor="white", linewidth=1)
        axes.add_patch(shape)

    def chosen(c: int, n: int) -> bool:
        return c == 1 if name == "batch norm" else n == 1

    for n in range(samples):  # the top
        for c in range(channels):
            face([(c, 0, n), (c + 1, 0, n), (c + 1, 0, n + 1), (c, 0, n + 1)], chosen(c, n), 1)
    for p in range(pixels):
        for c in range(channels):  # the front: sample 0
            face([(c, p, 0), (c + 1, p, 0), (c + 1, p + 1, 0), (c, p + 1, 0)], chosen(c, 0), 0.88)
        for n in range(samples):  # the right side: the last channel
            side = [(channels, p, n), (channels, p, n + 1), (channels, p + 1, n + 1), (channels, p + 1, n)]
            face(side, chosen(channels - 1, n), 0.76)
    for name, place, offset, style in (
        ("channel", corner(channels / 2, pixels, 0), (-4, -3), {"ha": "right", "va": "top"}),
        ("sample", corner(channels, pixels, samples / 2), (6, -4), {"ha": "left", "va": "top"}),
        ("pixel (H and W)", corner(0, pixels / 2, 0), (-4, 0), {"ha": "right", "va": "center", "rotation": 90}),
    ):
        axes.annotate(name, place, offset, textcoords="offset points", **style)
    axes.set(xlim=(-0.7, 6.2), ylim=(-4.5, 1.6), aspect="equal")
    axes.set_axis_off()


class _Design(NamedTuple):
    activation: Literal["sigmoid", "tanh", "relu"]
    norm: Literal["batch", "layer"] | None
    line: str


_DESIGNS = {
    "sigmoid": _Design("sigmoid", None, "C0-"),
    "tanh": _Design("tanh", None, "C1-"),
    "ReLU": _Design("relu", None, "C2-"),
    "sigmoid + BN": _Design("sigmoid", "batch", "C0--"),
    "ReLU + BN": _Design("relu", "batch", "C2--"),
    "ReLU + LN": _Design("relu", "layer", "C2:"),
}


def depth() -> Figure:
    """Sixteen layers before any training: the deviation over all entries, that between samples, and the gradients."""
    x, labels = digits(256)
    rng = np.random.default_rng(0)
    weights = [reference.he_normal(100, 196 if layer == 0 else 100, rng=rng) for layer in range(16)]
    last = reference.xavier_uniform(10, 100, rng=rng)
    figure, (entries, between, gradients) = plt.subplots(1, 3, sharey=True, figsize=(7.5, 3.5))
    for name, design in _DESIGNS.items():
        statistics = reference.layer_statistics(x, weights, design.activation, norm=design.norm)
        spread, norms = _spread_and_gradients(x, labels, weights, last, design)
        layers = range(1, 17)
        for axes, values in ((entries, statistics["std"]), (between, spread), (gradients, norms)):
            axes.semilogy(layers, values, design.line, label=name)
    entries.set(title="deviation, all entries", ylabel="size", ylim=(3e-10, 30), yticks=10.0 ** np.arange(-9, 2))
    between.set(title="deviation between samples")
    gradients.set(title="norm of the gradient ∂L/∂W")
    for axes in (entries, between, gradients):
        axes.set(xlabel="layer", xticks=[1, 4, 8, 12, 16])
        axes.title.set_fontsize(9)
    handles, names = entries.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=6, columnspacing=1.2, handlelength=1.8)
    return figure


def _spread_and_gradients(
    x: np.ndarray, labels: np.ndarray, weights: list[np.ndarray], last: np.ndarray, design: _Design
) -> tuple[list[float], list[float]]:
    """For each layer the deviation of a feature over the samples (the mean of all), and the norm of ∂L/∂W."""
    activation, backward = (getattr(reference, design.activation + end) for end in ("", "_backward"))
    one, zero = np.ones(len(weights[0])), np.zeros(len(weights[0]))
    inputs, z, normalized = [x], [], []
    for w in weights:
        z.append(inputs[-1] @ w.T)
        if design.norm == "batch":
            normalized.append(reference.batch_norm_forward(z[-1], one, zero, zero, one, training=True)[0])
        elif design.norm == "layer":
            normalized.append(reference.layer_norm_forward(z[-1], one, zero))
        else:
            normalized.append(z[-1])
        inputs.append(activation(normalized[-1]))
    dh = reference.cross_entropy_backward(inputs[-1] @ last.T, labels) @ last
    norms = []
    for layer in reversed(range(len(weights))):
        dz = backward(dh, normalized[layer])
        if design.norm == "batch":
            dz = reference.batch_norm_backward(dz, z[layer], one)[0]
        elif design.norm == "layer":
            dz = reference.layer_norm_backward(dz, z[layer], one)[0]
        norms.append(float(np.linalg.norm(dz.T @ inputs[layer])))
        dh = dz @ weights[layer]
    return [float(h.std(axis=0).mean()) for h in inputs[1:]], norms[::-1]


FIGURES = (
    slopes,
    signs,
    zigzag,
    log_softmax,
    three_ways,
    normalization_axes,
    depth,
)


if __name__ == "__main__":
    draw_all("a2_activations", FIGURES)
