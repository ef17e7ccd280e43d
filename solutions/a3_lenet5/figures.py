"""Draws the figures of the handout into ``assignments/a3_lenet5/figures``.

    PYTHONPATH=. python solutions/a3_lenet5/figures.py

Each function makes one figure, from the reference module and the digits in ``data/``.
"""

from __future__ import annotations

import functools

import lenet5 as reference
import numpy as np
from lenet5_torch import LeNet5, evaluate, load_parameters
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Circle, Rectangle
from provided import conv2d_forward
from torch import from_numpy

from solutions.drawing import BLACK, BLUE, GREEN, PURPLE, ROOT, VERMILION, bare, draw_all

TRAINED_ON, BATCH, EPOCHS, LR = 4000, 32, 4, 0.01
EDGE = np.repeat([[-1.0, -1.0, 0.0, 1.0, 1.0]], 5, axis=0) / 10  # answers where ink begins on the right


@functools.cache
def digits() -> tuple[np.ndarray, np.ndarray]:
    """All digits as (5000, 1, 32, 32), paper 0 and ink 1, and their classes."""
    with np.load(ROOT / "data" / "digits.npz") as file:
        images, labels = file["images"], file["labels"]
    return np.pad(images[:, None] / 255, ((0, 0), (0, 0), (2, 2), (2, 2))), labels.astype(np.int64)


def digit(number: int) -> np.ndarray:
    """The first digit of one class, (1, 1, 32, 32)."""
    x, y = digits()
    first = np.flatnonzero(y == number)[0]
    return x[first : first + 1]


def response(x: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """Convolution with one filter, and ReLU."""
    return np.maximum(conv2d_forward(x, kernel[None, None], np.zeros(1)), 0)


def he_parameters(rng: np.random.Generator) -> reference.Parameters:
    shapes = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5), "fc1": (120, 400), "fc2": (84, 120), "fc3": (10, 84)}
    params = {}
    for layer, shape in shapes.items():
        params[f"{layer}.weight"] = rng.standard_normal(shape) * np.sqrt(2 / np.prod(shape[1:]))
        params[f"{layer}.bias"] = np.zeros(shape[0])
    return params


@functools.cache
def trainings() -> tuple[reference.Parameters, np.ndarray, dict[str, dict[int, float]]]:
    """One training whose last epoch was run twice: parameters and losses of the better one, test accuracy of both."""
    x, y = digits()
    rng = np.random.default_rng(3)
    params = he_parameters(rng)
    velocity = {name: np.zeros_like(value) for name, value in params.items()}
    orders = [rng.permutation(TRAINED_ON).reshape(-1, BATCH) for _ in range(EPOCHS)]
    held_out = [(from_numpy(x[TRAINED_ON:]), from_numpy(y[TRAINED_ON:]))]
    model = LeNet5().double()

    def run(step: int, batches: np.ndarray, lr: float, every: int) -> dict[int, float]:
        nonlocal params, velocity
        accuracy = {}
        for batch in batches:
            loss, grads = reference.lenet5_loss_and_gradients(params, x[batch], y[batch])
            params, velocity = reference.sgd_momentum_step(params, grads, velocity, lr=lr)
            losses[step] = loss
            step += 1
            if step % every == 0:
                load_parameters(model, params)
                accuracy[step] = evaluate(model, held_out, "cpu")[1]
        return accuracy

    losses = np.zeros(EPOCHS * TRAINED_ON // BATCH)
    start = len(losses) - len(orders[-1])
    shared = run(0, np.concatenate(orders[:-1]), LR, 25)
    before_last = params, velocity
    constant = run(start, orders[-1], LR, 5)
    params, velocity = before_last
    dropped = run(start, orders[-1], LR / 10, 5)
    return params, losses, {"shared": shared, "constant": constant, "dropped": dropped}


def poolings() -> Figure:
    """What four pixels become: a feature map under three poolings, and how much min pooling leaves."""
    features = response(digit(5), EDGE)
    pooled = {
        "max": reference.max_pool_forward(features, 2),
        "average": reference.avg_pool_forward(features, 2),
        "min": -reference.max_pool_forward(-features, 2),
    }
    figure = plt.figure(figsize=(7.5, 3.5))
    left, right = figure.subfigures(1, 2, width_ratios=[1.5, 1])
    places = left.subplot_mosaic([["digit"] * 3 + ["edges"] * 3, ["max"] * 2 + ["average"] * 2 + ["min"] * 2])
    _image(places["digit"], digit(5)[0, 0], "a digit, 32×32", "gray", 0, 1)
    _image(places["edges"], features[0, 0], "edges after ReLU, 28×28", "cividis", 0, features.max())
    for name, image in pooled.items():
        _image(places[name], image[0, 0], f"{name} pooling", "cividis", 0, features.max())

    curve = right.subplots()
    sizes = np.arange(1, 5)
    noise = np.random.default_rng(0).standard_normal((40, 1, 48, 48))
    zeros = [reference.min_pool_zero_fraction(noise, int(k)) for k in sizes]
    curve.plot(sizes, 1 - 0.5 ** (sizes**2), color="0.6", label="$1 - 2^{-k^2}$")
    curve.plot(sizes, zeros, "o", color=VERMILION, label="measured on noise")
    for k, fraction in zip(sizes[:3], zeros, strict=False):
        curve.annotate(f"{100 * fraction:.1f} %", (k, fraction), (8, -13), textcoords="offset points", fontsize=9)
    curve.set(title="zeros after ReLU and min pooling", xlabel="side k of the window", ylabel="fraction of outputs")
    curve.set(xticks=sizes, xlim=(0.8, 4.3), ylim=(0.4, 1.05))
    curve.legend(loc="center right")
    return figure


def gradient_routing() -> Figure:
    """Overlapping windows, 3×3 with stride 2: who receives the gradient of the four outputs."""
    x = np.array([[3, 1, 2, 0, 6], [0, 5, 1, 2, 1], [2, 8, 0, 3, 0], [1, 6, 2, 1, 4], [4, 2, 0, 5, 3.0]])
    dy = np.array([[1, 2], [3, 5.0]])
    batch, dbatch = x[None, None], dy[None, None]
    y = reference.max_pool_forward(batch, 3, stride=2)[0, 0]
    winners = reference.max_pool_backward(dbatch, batch, 3, stride=2)[0, 0]
    shared = reference.avg_pool_backward(dbatch, batch, 3, stride=2)[0, 0]

    figure = plt.figure(figsize=(7.5, 2.7))
    top = figure.subplots(1, 4, width_ratios=[5, 2.3, 5, 5])
    frames = {(0, 0): BLUE, (0, 1): VERMILION, (1, 0): GREEN, (1, 1): PURPLE}
    _table(top[0], x, "x, and four windows\nof 3×3, stride 2")
    _table(top[2], winners, "dx of max pooling\n", shade=winners)
    _table(top[3], 9 * shared, "dx of average pooling,\ntimes 9", shade=9 * shared)
    for inset, ((i, j), colour) in enumerate(frames.items()):
        gap = 0.06 + 0.05 * inset
        corner = 2 * j - 0.5 + gap, 2 * i - 0.5 + gap
        top[0].add_patch(Rectangle(corner, 3 - 2 * gap, 3 - 2 * gap, fill=False, edgecolor=colour, linewidth=2))
    for where in np.argwhere(winners):
        for axes in (top[0], top[2]):
            axes.add_patch(Circle(where[::-1], 0.33, fill=False, edgecolor=BLACK, linewidth=1.3))
    outputs = top[1]
    outputs.set(xlim=(-0.5, 1.5), ylim=(4.55, -0.55), aspect="equal")
    outputs.set_axis_off()
    for row, (values, title) in enumerate(((y, "y, max pooling"), (dy, "dy"))):
        outputs.text(-0.5, 3 * row - 0.62, title, va="bottom", fontsize=9)
        for (i, j), colour in frames.items():
            centre = j, 3 * row + i
            outputs.add_patch(
                Rectangle((j - 0.43, centre[1] - 0.43), 0.86, 0.86, facecolor=(colour, 0.25), edgecolor=colour)
            )
            outputs.text(*centre, f"{values[i, j]:g}", ha="center", va="center")
    return figure


def _table(axes: Axes, values: np.ndarray, title: str, shade: np.ndarray | None = None) -> None:
    """A matrix as its numbers, darker where ``shade`` is large."""
    background = np.zeros_like(values) if shade is None else shade
    axes.imshow(background, cmap="Greys", vmin=0, vmax=2.5 * max(background.max(), 1))
    for (i, j), value in np.ndenumerate(values):
        muted = shade is not None and value == 0
        axes.text(j, i, f"{value:g}", ha="center", va="center", color="0.6" if muted else "black")
    bare(axes, title)
    axes.set_xticks(np.arange(0.5, values.shape[1] - 1), minor=True)
    axes.set_yticks(np.arange(0.5, values.shape[0] - 1), minor=True)
    axes.grid(visible=True, which="minor")
    axes.tick_params(which="minor", length=0)


def equivariance() -> Figure:
    """A digit, moved by two pixels and by one: the convolution follows both, the pooling after it only the first."""
    x = digit(4)
    shifts = {"the image": (0, 0), "moved right by 2 pixels": (0, 2), "moved right by 1 pixel": (0, 1)}

    def pool(images: np.ndarray) -> np.ndarray:
        return reference.max_pool_forward(response(images, EDGE), 2)

    figure, grid = plt.subplots(3, 3, figsize=(6.4, 6.2))
    for (title, shift), column in zip(shifts.items(), grid.T, strict=True):
        moved = reference.shift_image(x, *shift)
        features, pooled = response(moved, EDGE), pool(moved)
        _image(column[0], moved[0, 0, 2:30, 2:30], title, "gray", 0, 1)
        _image(column[1], features[0, 0], "", "cividis", 0, features.max())
        _image(column[2], pooled[0, 0], "", "cividis", 0, features.max())
    for axes, label in zip(grid[:, 0], ("image", "5×5 convolution, ReLU", "2×2 max pooling"), strict=True):
        axes.set_ylabel(label)
    for axes, layer, moved_by, stride in (
        (grid[1, 1], lambda images: response(images, EDGE), 2, 1),
        (grid[1, 2], lambda images: response(images, EDGE), 1, 1),
        (grid[2, 1], pool, 2, 2),
    ):
        assert reference.equivariance_error(layer, x, (0, moved_by), stride=stride) < 1e-12
        axes.set_xlabel(f"the first map, moved by {moved_by // stride}", fontsize=9)
    odd = pool(reference.shift_image(x, 0, 1))
    errors = []
    for move in (0, 1):
        nearest = reference.shift_image(pool(x), 0, move)
        errors.append(np.abs(odd - nearest).max() / nearest.max())
    grid[2, 2].set_xlabel(f"not the first map moved by 0\n(off by {errors[0]:.0%}) or 1 ({errors[1]:.0%})", fontsize=9)
    return figure


def spike() -> Figure:
    """Bright pixels under 2×2 max pooling: which moves by one pixel go unnoticed."""
    size, pool = 8, functools.partial(reference.max_pool_forward, kernel_size=2)
    figure, (board, curve) = plt.subplots(1, 2, figsize=(7.5, 3.4), width_ratios=[1, 1.15])
    moves = {True: 0, False: 0}
    for i, j in np.ndindex(size, size):
        image = np.zeros((1, 1, size, size))
        image[0, 0, i, j] = 1
        for down, right in ((0, 1), (1, 0)):
            if i + down < size and j + right < size:
                unnoticed = bool(reference.invariance_rate(pool, image, [(down, right)])[0])
                moves[unnoticed] += 2  # there and back
                style = {"color": GREEN, "linewidth": 4} if unnoticed else {"color": VERMILION, "linewidth": 1.2}
                board.plot([j, j + right], [i, i + down], zorder=1, **style)
    for line in np.arange(-0.5, size, 2):
        board.axhline(line, color="0.6", linewidth=0.8)
        board.axvline(line, color="0.6", linewidth=0.8)
    board.plot(*np.indices((size, size)).reshape(2, -1), "o", color="0.25", markersize=4, zorder=2)
    board.set(xlim=(-0.5, size - 0.5), ylim=(size - 0.5, -0.5), aspect="equal")
    bare(board, "one bright pixel moves by one")
    board.set_xlabel(f"unnoticed (thick, green): {moves[True]} of {moves[True] + moves[False]} moves", fontsize=9)

    numbers_of_spikes = np.arange(1, 7)
    rng = np.random.default_rng(0)
    rates = []
    for count in numbers_of_spikes:
        images = np.zeros((1000, 1, 32, 32))
        for image in images:
            place = rng.choice(28 * 28, count, replace=False)
            image[0, 2 + place // 28, 2 + place % 28] = rng.uniform(0.5, 1, count)
        rates.append(reference.invariance_rate(pool, images, [(0, 1)])[0])
    digits_rate = reference.invariance_rate(pool, digits()[0][:1000], [(0, 1)])[0]
    curve.plot(numbers_of_spikes, 0.5**numbers_of_spikes, color="0.6", label="½, ¼, ⅛, …")
    curve.plot(numbers_of_spikes, rates, "o", color=BLUE, label="bright pixels on black, measured")
    curve.axhline(digits_rate, color=VERMILION, linestyle="--", label="1000 real digits")
    curve.set(title="pictures whose whole pooled map stays the same", xlabel="bright pixels in the picture")
    curve.set(ylabel="fraction, moved right by 1", ylim=(-0.03, 0.6))
    curve.legend(loc="upper right")
    return figure


def sharing() -> Figure:
    """Two savings: small windows, then the same weights in every window; counts for LeNet-5's first layer."""
    shapes = (1, 32, 32), (6, 28, 28)
    counts = {
        "dense": reference.dense_parameter_count(*shapes),
        "locally connected": reference.locally_connected_parameter_count(*shapes, 5),
        "convolution": reference.parameter_table()["conv1"],
    }
    notes = ("all inputs,\nown weights", "a window,\nown weights", "a window,\nshared weights")
    figure, grid = plt.subplots(1, 3, figsize=(7.5, 2.6))
    inputs, outputs, width = 7, 5, 3
    for axes, (name, count), note in zip(grid, counts.items(), notes, strict=True):
        axes.set(xlim=(-0.6, inputs - 0.4), ylim=(-1.35, 2.4))
        axes.set_axis_off()
        for o in range(outputs):
            for i in range(inputs):
                inside = o <= i < o + width
                if inside or name == "dense":
                    shared = name == "convolution"
                    colour = (BLUE, VERMILION, GREEN)[i - o] if shared else "0.55"
                    axes.plot([i, o + 1], [0, 1.6], color=colour, linewidth=1.8 if shared else 1.1, zorder=1)
        axes.plot(np.arange(inputs), np.zeros(inputs), "o", color="0.25", markersize=8)
        axes.plot(np.arange(outputs) + 1, np.full(outputs, 1.6), "s", color="0.25", markersize=8)
        axes.text(3, 2.15, name, ha="center", fontsize=10, fontweight="bold")
        axes.text(3, -0.3, note, ha="center", va="top", fontsize=9)
        axes.text(3, -1.3, f"{count:,} parameters".replace(",", " "), ha="center", fontsize=10)
    return figure


def shapes() -> Figure:
    """A digit on its way through a trained LeNet-5: shapes, real feature maps, and where the parameters are."""
    params, _, _ = trainings()
    table = reference.parameter_table()
    x = digit(5)
    stages = {"input": x[0]}
    for layer in ("1", "2"):
        x = conv2d_forward(x, params[f"conv{layer}.weight"], params[f"conv{layer}.bias"])
        stages[f"conv{layer}, ReLU"] = np.maximum(x, 0)[0]
        x = reference.max_pool_forward(np.maximum(x, 0), 2)
        stages[f"max pool {layer}"] = x[0]
    x = reference.flatten(x)
    vectors = {"flatten": x[0]}
    for layer in ("fc1", "fc2"):
        x = np.maximum(reference.linear_forward(x, params[f"{layer}.weight"], params[f"{layer}.bias"]), 0)
        vectors[layer] = x[0]
    logits = reference.linear_forward(x, params["fc3.weight"], params["fc3.bias"])[0]

    figure = plt.figure(figsize=(7.5, 4.9))
    above, below = figure.subfigures(2, 1, height_ratios=[1.35, 1])
    for axes, (name, maps) in zip(above.subplots(1, 5, width_ratios=[32, 58, 34, 58, 34]), stages.items(), strict=True):
        count = len(maps)
        columns = {1: 1, 6: 2, 16: 4}[count]
        title = f"{name}\n{count}×{maps.shape[1]}×{maps.shape[2]}"
        _image(axes, _mosaic(maps, columns), title, "cividis", 0, maps.max())
        layer = name.split(",")[0]
        if layer != "input":
            axes.set_xlabel(_count(table[layer]) if layer in table else "no parameters", fontsize=9)

    left, right = below.subfigures(1, 2, width_ratios=[1.6, 1])
    for axes, (name, values) in zip(left.subplots(3, 1), vectors.items(), strict=True):
        title = f"{name}: {len(values)} values, {_count(table[name]) if name in table else 'no parameters'}"
        _image(axes, values[None], title, "cividis", 0, values.max())
        axes.set_aspect("auto")
    bars = right.subplots()
    bars.bar(np.arange(10), logits, color=[VERMILION if k == logits.argmax() else BLUE for k in range(10)])
    bars.set(title=f"fc3: 10 logits, {_count(table['fc3'])}", xticks=range(10), xlabel="class")
    bars.title.set_fontsize(9)
    bars.axhline(0, color="0.4", linewidth=0.8)
    bars.grid(axis="x", visible=False)
    return figure


def _count(parameters: int) -> str:
    return f"{parameters:,} parameters".replace(",", " ")


def _mosaic(maps: np.ndarray, columns: int) -> np.ndarray:
    """Maps side by side in rows of ``columns``, with white seams."""
    framed = np.pad(maps, ((0, 0), (0, 2), (0, 2)), constant_values=np.nan)
    rows = framed.reshape(-1, columns, *framed.shape[1:])
    whole: np.ndarray = rows.transpose(0, 2, 1, 3).reshape(len(rows) * framed.shape[1], -1)
    return whole[:-2, :-2]


def training() -> Figure:
    """Loss and accuracy of one training, and what a smaller last step length is good for."""
    _, losses, accuracy = trainings()
    figure, (loss, right) = plt.subplots(1, 2, figsize=(7.5, 3.1))
    steps = np.arange(len(losses))
    loss.plot(steps, losses, color="0.75", linewidth=0.8, label="each batch")
    smooth = np.convolve(losses, np.ones(25) / 25, mode="valid")
    loss.plot(np.arange(len(smooth)) + 12, smooth, color=BLUE, label="mean of 25 batches")
    loss.axhline(np.log(10), color=BLACK, linewidth=0.9, linestyle=":")
    loss.text(len(losses), np.log(10) + 0.05, "ln 10: guessing", ha="right", fontsize=9)
    loss.set(title="loss before each step", xlabel="step", ylabel="cross-entropy", ylim=(0, 3))
    loss.legend(loc="center right")
    shared, constant, dropped = (accuracy[name] for name in ("shared", "constant", "dropped"))
    last = max(shared)
    right.plot(list(shared), list(shared.values()), ".-", color=BLUE)
    lines = {f"lr {LR:g} to the end": (constant, VERMILION, 1.0), f"last epoch lr {LR / 10:g}": (dropped, GREEN, 2.4)}
    for label, (part, colour, width) in lines.items():
        line = {last: shared[last], **part}
        right.plot(list(line), list(line.values()), color=colour, linewidth=width, label=label)
    right.set(title=f"accuracy on {len(digits()[1]) - TRAINED_ON} other digits", xlabel="step", ylim=(0.84, 0.98))
    right.legend(loc="lower right")
    return figure


FIGURES = (
    poolings,
    gradient_routing,
    equivariance,
    spike,
    sharing,
    shapes,
    training,
)


def _image(axes: Axes, image: np.ndarray, title: str, cmap: str = "gray", low: float = 0, high: float = 1) -> AxesImage:
    shown = axes.imshow(image, cmap=cmap, vmin=low, vmax=high)
    bare(axes, title)
    return shown


if __name__ == "__main__":
    draw_all("a3_lenet5", FIGURES)
