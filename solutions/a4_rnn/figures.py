"""Draws the figures of the handout into ``assignments/a4_rnn/figures``.

    PYTHONPATH=. python solutions/a4_rnn/figures.py

Each function makes one figure; all numbers come from the reference module.
"""

from __future__ import annotations

import numpy as np
import rnn as reference
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path as Path2D

from solutions.drawing import BLACK, BLUE, GREEN, VERMILION, draw_all

H, T = 50, 100
Point = tuple[float, float]


def network(radius: float, *, bias: float = 0, drive: float = 1) -> tuple[np.ndarray, np.ndarray]:
    """States (T + 1, H) of one sequence of noise, and the recurrent weights: the same draw, scaled to the radius."""
    rng = np.random.default_rng(0)
    V = reference.scale_to_radius(rng.standard_normal((H, H)), radius)
    U, x = drive * rng.standard_normal((H, 3)) / 3, rng.standard_normal((1, T, 3))
    h = reference.rnn_forward(x, np.zeros((1, H)), U, V, np.full(H, bias))[0]
    return np.concatenate([np.zeros((1, H)), h]), V


def unrolled() -> Figure:
    """One cell with a loop, and the same cell at four times; in red the way of the gradient of two losses."""
    figure, axes = plt.subplots(figsize=(7.5, 3.4))
    axes.set(xlim=(-2.1, 9.2), ylim=(-0.75, 4.05), aspect="equal")
    axes.set_axis_off()
    _circle(axes, (-1.4, 0), "$x_t$", BLUE)
    _box(axes, (-1.4, 1.6), "$h_t$")
    _circle(axes, (-1.4, 3.2), "$\\hat y_t$", GREEN)
    _arrow(axes, (-1.4, 0.38), (-1.4, 1.2), label="U", side=0.2)
    _arrow(axes, (-1.4, 2.0), (-1.4, 2.82), label="W", side=0.2)
    loop = Path2D([(-1.0, 1.85), (-0.1, 2.3), (-0.1, 0.9), (-1.0, 1.35)], [1, 4, 4, 4])
    axes.add_patch(FancyArrowPatch(path=loop, arrowstyle="-|>", mutation_scale=10, lw=1.4, facecolor=BLACK))
    axes.text(-0.18, 1.6, "V", va="center", ha="left", fontsize=10)
    axes.text(0.35, 1.6, "=", fontsize=16, ha="center", va="center", color="0.4")
    places = [2.0 + 2.2 * t for t in range(4)]
    _circle(axes, (places[0] - 1.15, 1.6), "", "0.6", radius=0.08)
    axes.text(places[0] - 1.15, 1.95, "$h_0$", ha="center", color="0.4")
    for t, x in enumerate(places, start=1):
        lossy = t in (2, 4)
        _circle(axes, (x, 0), f"$x_{t}$", BLUE)
        _box(axes, (x, 1.6), f"$h_{t}$")
        _arrow(axes, (x - 0.08, 0.38), (x - 0.08, 1.2), label="U", side=-0.2)
        start = places[0] - 1.07 if t == 1 else places[t - 2] + 0.42
        _arrow(axes, (start, 1.68), (x - 0.42, 1.68), label="V" if t > 1 else "", above=0.12)
        _arrow(axes, (x - 0.08, 2.0), (x - 0.08, 2.82), label="W", side=-0.2)
        _circle(axes, (x, 3.2), f"$\\hat y_{t}$", GREEN if lossy else "0.7")
        axes.text(
            x, 3.75, "loss" if lossy else "no target", ha="center", fontsize=9, color=VERMILION if lossy else "0.55"
        )
        if lossy:
            _arrow(axes, (x + 0.08, 2.82), (x + 0.08, 2.0), VERMILION)
        _arrow(axes, (x + 0.08, 1.2), (x + 0.08, 0.38), VERMILION)
        end = places[0] - 1.07 if t == 1 else places[t - 2] + 0.42
        _arrow(axes, (x - 0.42, 1.5), (end, 1.5), VERMILION)
    axes.text(
        5.1, -0.62, "black: forward.  red: gradients, backwards through time", ha="center", fontsize=9, color="0.3"
    )
    return figure


def _circle(axes: Axes, centre: Point, text: str, colour: str, radius: float = 0.36) -> None:
    axes.add_patch(Circle(centre, radius, facecolor="white", edgecolor=colour, linewidth=1.5))
    axes.text(*centre, text, ha="center", va="center", fontsize=11)


def _box(axes: Axes, centre: Point, text: str) -> None:
    shape = FancyBboxPatch((centre[0] - 0.33, centre[1] - 0.31), 0.66, 0.62, boxstyle="round,pad=0.07")
    shape.set(facecolor="0.94", edgecolor=BLACK, linewidth=1.5)
    axes.add_patch(shape)
    axes.text(*centre, text, ha="center", va="center", fontsize=11)


def _arrow(
    axes: Axes, start: Point, stop: Point, colour: str = BLACK, *, label: str = "", side: float = 0, above: float = 0
) -> None:
    arrow = FancyArrowPatch(start, stop, arrowstyle="-|>", mutation_scale=10, shrinkA=0, shrinkB=0, lw=1.4)
    arrow.set_color(colour)
    axes.add_patch(arrow)
    middle = (start[0] + stop[0]) / 2 + side, (start[1] + stop[1]) / 2 + above
    axes.text(*middle, label, ha="center", va="bottom" if above else "center", fontsize=10)


def linear_memory() -> Figure:
    """What a linear readout finds in the states of a network with random weights: past inputs, and their products."""
    rng, size, length, longest = np.random.default_rng(0), 30, 4000, 40
    V = reference.scale_to_radius(rng.standard_normal((size, size)), 0.9)
    U, b = rng.standard_normal((size, 1)) / 2, rng.standard_normal(size) / 2
    x = rng.choice([-1.0, 1.0], size=length)
    states = {
        "without tanh": _linear_states(x, U, V),
        "with tanh": reference.rnn_forward(x[None, :, None], np.zeros((1, size)), U, V, b)[0],
    }
    lags = np.arange(longest)
    figure, (inputs, products) = plt.subplots(1, 2, sharey=True)
    for (name, h), line in zip(states.items(), ("C0o-", "C1s--"), strict=True):
        inputs.plot(lags, [_explained(h, np.roll(x, lag)) for lag in lags], line, label=name, markersize=3.5)
        pairs = [_explained(h, np.roll(x, lag) * np.roll(x, lag + 1)) for lag in lags]
        products.plot(lags, pairs, line, label=name, markersize=3.5)
    inputs.set(title="the input k steps ago: $x_{t-k}$", xlabel="lag k", ylabel="R² of a linear readout of $h_t$")
    products.set(title="a product of two: $x_{t-k} \\cdot x_{t-k-1}$", xlabel="lag k", ylim=(-0.04, 1.05))
    inputs.legend()
    return figure


def _linear_states(x: np.ndarray, U: np.ndarray, V: np.ndarray, reach: int = 150) -> np.ndarray:
    """The states (T, H) of the network without tanh, from the coefficients of the last ``reach`` inputs."""
    coefficients = reference.linear_recurrence_coefficients(U, V, reach)[:, :, 0]
    windows = np.lib.stride_tricks.sliding_window_view(np.concatenate([np.zeros(reach - 1), x]), reach)
    states: np.ndarray = windows @ coefficients
    return states


def _explained(h: np.ndarray, wanted: np.ndarray, start: int = 200) -> float:
    """R² on the second half of the sequence, of the linear readout with a bias that fits the first half best."""
    a, y = np.c_[h, np.ones(len(h))][start:], wanted[start:]
    half = len(y) // 2
    weights = np.linalg.lstsq(a[:half], y[:half])[0]
    error = a[half:] @ weights - y[half:]
    return float(1 - error.var() / y[half:].var())


def norm_against_lag() -> Figure:
    """The norm of the Jacobian against the lag, for four radii, for three biases, and for three strengths of input."""
    figure, (radii, biases, drives) = plt.subplots(1, 3, sharey=True, figsize=(7.5, 3.5))
    lines = ("C0-", "C1--", "C2-.", "C3:")
    for radius, line in zip((0.5, 0.9, 1.2, 2.0), lines, strict=True):
        _reach(radii, network(radius), line, f"ρ = {radius}")
    for bias, line in zip((0.0, 0.5, 1.0), lines, strict=False):
        _reach(biases, network(1.2, bias=bias), line, f"b = {bias}")
    for drive, line in zip((0.1, 1, 4), lines, strict=False):
        _reach(drives, network(1.2, drive=drive), line, f"U × {drive}")
    radii.set(title="radius of V", ylim=(1e-16, 1e6))
    radii.set_ylabel("$\\|\\partial h_T / \\partial h_{T-k}\\|_2$")
    biases.set(title="bias (ρ = 1.2)")
    drives.set(title="size of the input (ρ = 1.2)")
    for axes in (radii, biases, drives):
        axes.axhline(1, color="0.4", linewidth=0.8)
        axes.set_xlabel("lag k")
        axes.legend(loc="upper left", ncols=2, columnspacing=0.8, handlelength=1.7)
    return figure


def _reach(axes: Axes, states_and_weights: tuple[np.ndarray, np.ndarray], line: str, label: str) -> None:
    norms = reference.jacobian_norms(*states_and_weights, 60)
    axes.semilogy(np.maximum(norms, 1e-300), line, label=label)


def norm_and_radius() -> Figure:
    """Powers of three matrices: the norm says how the first step stretches, the radius where the powers go."""
    shear = np.array([[0.5, 10.0], [0.0, 0.5]])
    turn = np.array([[np.cos(0.4), -np.sin(0.4)], [np.sin(0.4), np.cos(0.4)]])
    matrices = {
        "[[0.5, 10], [0, 0.5]]": (shear, "C1s--"),
        "a rotation": (turn, "C0o-"),
        "1.1 × a rotation": (1.1 * turn, "C2^-."),
    }
    figure, (powers, bound) = plt.subplots(1, 2, width_ratios=[1.15, 1])
    for name, (matrix, line) in matrices.items():
        still = np.zeros((31, 2))  # where every slope of tanh is 1
        norm, radius = reference.contraction_bound(matrix, "linear"), reference.spectral_radius(matrix)
        label = f"{name}\n‖V‖ = {norm:.3g}, ρ = {radius:.2g}"
        powers.semilogy(reference.jacobian_norms(still, matrix, 30), line, markersize=3, label=label)
    powers.set(title="without nonlinearity: $\\|V^k\\|_2$", xlabel="lag k", ylim=(1e-7, 1e9))
    powers.legend(loc="upper right", fontsize=8)
    _, V = network(0.9)
    sixteen = 0.9 * 16 / reference.contraction_bound(V, "tanh")
    for (h, weights), line, inputs in ((network(0.9), "C0", ""), (network(sixteen, drive=60), "C1", ", inputs × 60")):
        stretch, radius = reference.contraction_bound(weights, "tanh"), reference.spectral_radius(weights)
        bound.semilogy(stretch ** np.arange(31), line + ":")
        norms = np.maximum(reference.jacobian_norms(h, weights, 30), 1e-300)
        bound.semilogy(norms, line + "-", label=f"ρ = {radius:.2g}, ‖V‖ = {stretch:.2g}{inputs}")
    bound.set(
        title="with tanh; dotted: the bound", xlabel="lag k", ylim=(1e-20, 1e40), yticks=10.0 ** np.arange(-20, 41, 10)
    )
    bound.legend(loc="upper left", fontsize=8)
    return figure


def clipping() -> Figure:
    """Left, clipping (30, 4) at 5, by value and by norm; right, a cliff in a loss, steeper the longer it runs."""
    gradient = {"g": np.array([30.0, 4.0])}
    value, norm = reference.clip_by_value(gradient, 5)["g"], reference.clip_by_norm(gradient, 5)[0]["g"]
    figure, (arrows, cliff) = plt.subplots(1, 2, width_ratios=[1, 1.2])
    arrows.plot([0, 12], [0, 1.6], color="0.6", linestyle=":")
    arrows.annotate("to (30, 4)", (11.9, 1.6), (-2, 6), textcoords="offset points", ha="right", color="0.4", fontsize=9)
    arrows.plot([-5, 5, 5, -5, -5], [-5, -5, 5, 5, -5], color=VERMILION, linewidth=0.9, linestyle="--")
    arrows.add_patch(Circle((0, 0), 5, fill=False, edgecolor=BLUE, linewidth=0.9, linestyle="--"))
    turned = np.degrees(np.arctan2(*value[::-1]) - np.arctan2(*norm[::-1]))
    for vector, colour, label, place in (
        (value, VERMILION, f"by value: (5, 4)\nturned by {turned:.0f}°", (5.5, 5.0)),
        (norm, BLUE, f"by norm:\n({norm[0]:.2f}, {norm[1]:.2f})", (5.5, -1.3)),
    ):
        _arrow(arrows, (0, 0), (float(vector[0]), float(vector[1])), colour)
        arrows.text(*place, label, color=colour, fontsize=9, va="center")
    arrows.set(xlim=(-5.8, 12.4), ylim=(-5.8, 6.6), aspect="equal", title="a gradient of (30, 4), clipped at 5")
    bs = np.linspace(0.15, 0.45, 1500)
    for steps, line in ((4, "C2-."), (8, "C1--"), (20, "C0-")):
        cliff.plot(bs, [_cliff(b, steps) for b in bs], line, label=f"T = {steps}")
    cliff.set(
        title="loss $(h_T - 0.6)^2$ for $h_t = \\tanh(2 h_{t-1} + b)$, $h_0 = -0.3$", xlabel="bias b", ylim=(0, 3)
    )
    cliff.set(ylabel="loss")
    cliff.title.set_fontsize(9)
    cliff.legend(loc="upper right")
    return figure


def _cliff(b: float, steps: int) -> float:
    one = np.ones((1, 1))
    h = reference.rnn_forward(np.zeros((1, steps, 1)), -0.3 * one, 0 * one, 2 * one, np.array([b]))
    return float((h[0, -1, 0] - 0.6) ** 2)


def gradient_check() -> Figure:
    """The error of central differences against their step, in two precisions, and that of a wrong backward pass."""
    rng = np.random.default_rng(0)
    x, h0, dh = rng.standard_normal((2, 6, 3)), rng.standard_normal((2, 5)), rng.standard_normal((2, 6, 5))
    U, V, b = rng.standard_normal((5, 3)) / 2, rng.standard_normal((5, 5)) / 2, rng.standard_normal(5) / 2
    h = reference.rnn_forward(x, h0, U, V, b)
    dV = reference.rnn_backward(dh, x, h0, h, U, V)[3]
    wrong = reference.truncated_bptt(dh, x, h0, h, U, V, window=1)[1]
    steps = np.logspace(-12, 0, 49)
    figure, axes = plt.subplots(figsize=(7.5, 3.2))
    for dtype, line in ((np.float32, "C1s--"), (np.float64, "C0o-")):
        inputs = [array.astype(dtype) for array in (x, h0, U, V, b)]

        def states(weights: np.ndarray, inputs: list[np.ndarray] = inputs) -> np.ndarray:
            x, h0, U, V, b = inputs
            return reference.rnn_forward(x, h0, U, weights.astype(V.dtype), b).astype(np.float64)

        estimates = [reference.numerical_gradient(states, V, dh, h=step) for step in steps]
        errors = [reference.gradient_error(estimate, dV) for estimate in estimates]
        axes.loglog(steps, errors, line, markersize=3.5, label=f"right dV, f computes in {dtype.__name__}")
        if dtype is np.float64:
            errors = [reference.gradient_error(estimate, wrong) for estimate in estimates]
            axes.loglog(steps, errors, "C2^-.", markersize=3.5, label="dV without the gradient of later steps, float64")
    axes.axvline(1e-5, color="0.4", linewidth=0.9, linestyle=":")
    axes.text(1.15e-5, 3e-12, "h = 1e-5", color="0.35", fontsize=9)
    axes.set(xlabel="step h of the central difference", ylabel="gradient_error", ylim=(1e-12, 10))
    axes.legend(loc="lower left")
    return figure


def truncated() -> Figure:
    """Which losses reach which inputs: the whole of BPTT, and windows of 6 steps."""
    rng, steps, size, window = np.random.default_rng(3), 24, 20, 6
    V = reference.scale_to_radius(rng.standard_normal((size, size)), 1.0)
    U, b, w = rng.standard_normal((size, 1)), np.zeros(size), rng.standard_normal(size)
    x = np.tile(rng.standard_normal((1, steps, 1)), (steps, 1, 1))  # one sequence for each loss
    h0 = np.zeros((steps, size))
    h = reference.rnn_forward(x, h0, U, V, b)
    dh = np.einsum("nt,h->nth", np.eye(steps), w)  # sequence t has its loss at t alone
    whole = np.abs(reference.rnn_backward(dh, x, h0, h, U, V)[0][:, :, 0])
    cut = np.zeros_like(whole)
    for start in range(0, steps, window):
        part = np.s_[:, start : start + window]
        before = h[:, start - 1] if start else h0
        cut[part] = np.abs(reference.rnn_backward(dh[part], x[part], before, h[part], U, V)[0][:, :, 0])
    figure, pair = plt.subplots(1, 2, figsize=(7.5, 3.6), sharey=True)
    for axes, shown, title in ((pair[0], whole, "through all of time"), (pair[1], cut, "truncated to windows of 6")):
        logs = np.log10(np.where(shown > 0, shown, np.nan))
        image = axes.imshow(logs, vmin=-3, vmax=0.5, extent=(0.5, steps + 0.5, steps + 0.5, 0.5))
        axes.set(title=title, xlabel="input at time s", xticks=range(6, 25, 6), yticks=range(6, 25, 6))
        axes.grid(visible=False)
    pair[0].set_ylabel("loss at time t")
    figure.colorbar(image, ax=pair, label="$\\log_{10} |\\partial L_t / \\partial x_s|$", extend="both")
    return figure


FIGURES = (
    unrolled,
    linear_memory,
    norm_against_lag,
    norm_and_radius,
    clipping,
    gradient_check,
    truncated,
)


if __name__ == "__main__":
    draw_all("a4_rnn", FIGURES)
