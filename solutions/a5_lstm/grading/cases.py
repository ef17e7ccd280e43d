"""The hidden questions of assignment 5. Sizes differ on every axis, biases and first states are not zero, lengths are
unequal, padding is full of numbers, and what is drawn at random is judged by its statistics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from autograder.compare import (
    RTOL,
    Failure,
    Pick,
    close,
    conforming,
    every,
    judged,
    raises,
    returned,
    same_dtype,
    unchanged,
)
from autograder.course import Case, Criterion, Exercise, Inputs, Part, conventions, inputs, kept
from autograder.outcome import Outcome, Value

Generator = np.random.Generator
Arrays = tuple[np.ndarray, ...]

PARTS = (Part("lstm", "numpy"), Part("lstm_torch", "torch"))


STEPS, BATCH, LEARNING_RATE = 75, 64, 0.02  # how a model of words is trained
FEW = 100  # draws that say nothing about shares
SIGMAS = 6  # a right answer strays so far once in five hundred million draws


def within(value: Any, expected: float, deviation: float) -> bool:
    """Whether a statistic lies as near to its expectation as its standard deviation lets it."""
    return bool(abs(value - expected) <= SIGMAS * deviation)


def spread(counts: np.ndarray, expected: Any, variance: Any) -> bool:
    """Whether counts scatter about their expectations as independent draws do: neither more nor less.

    The cube root of chi-squared over its degrees of freedom k is nearly normal (Wilson and Hilferty, 1931).
    """
    k = counts.size
    return within(np.cbrt(np.mean((counts - expected) ** 2 / variance)), 1 - 2 / (9 * k), np.sqrt(2 / (9 * k)))


def too_even(places: np.ndarray) -> bool:
    """Whether places from 0 to 1 lie more evenly than independent draws do, but for one in a trillion times."""
    n = places.size
    return bool(np.abs(np.sort(places, axis=None) - (np.arange(n) + 0.5) / n).max() < 0.2 / np.sqrt(n))


ONE: dict[str, Any] = {"N": 1, "D": 1, "H": 1}
COUNTED: dict[str, Any] = {"cell": 50000, "remember": True, "dtype": np.float32}
# What is asked of gates that are shut needs float64. Conventions ask the smallest case in float32, so these are larger.
SHUT: dict[str, Any] = {"cell": 1e5, "shut": True}

# LSTM, one step


def far_out(rng: Generator, H: int, blocks: int) -> np.ndarray:
    """From -1000 to 1000 in each block of H, in any order, with a 0 if H is odd."""
    return np.concatenate([rng.permutation(np.linspace(-1000, 1000, H)) for _ in range(blocks)])


def one_step(
    rng: Generator,
    N: int,
    D: int,
    H: int,
    *,
    cell: float | np.ndarray = 1.0,
    scale: float = 1.0,
    far: bool = False,
    remember: bool = False,
    shut: bool = False,
    quiet: bool = False,
    dtype: Any = np.float64,
) -> Inputs:
    """Where it goes ``far``, biases of up to 1000 on both sides decide over the gates. With ``remember`` forget gates
    are open to the last digit, so that beside a large cell what a step writes is small; where they are ``shut``,
    nothing of a large cell is left. If ``quiet`` output gates let a hundred millionth through.
    """
    x, h, c = rng.normal(size=(N, D)), rng.normal(size=(N, H)), cell * rng.normal(size=(N, H))
    W, b = scale * rng.normal(size=(4 * H, H + D)) / np.sqrt(H + D), scale * rng.normal(size=4 * H)
    if far:
        b += far_out(rng, H, blocks=4)
    if remember:
        b[:H] += 60
    if shut:
        b[:H] -= 100
    if quiet:
        b[3 * H :] -= 18
    return inputs(*(array.astype(dtype) for array in (x, h, c, W, b)))


def strided(make: Callable[[Generator], Inputs]) -> Callable[[Generator], Inputs]:
    """The same questions in arrays with gaps and in Fortran's order."""

    def scattered(array: np.ndarray) -> np.ndarray:
        return np.repeat(array, 2, axis=0)[::2] if array.ndim == 1 else np.asfortranarray(array)

    def remade(rng: Generator) -> Inputs:
        return inputs(*(scattered(array) for array in make(rng).args))

    return remade


STEP = [
    Case("three rows", partial(one_step, N=3, D=4, H=5)),
    Case("one row, more inputs than units", partial(one_step, N=1, D=7, H=3)),
    Case("one unit", partial(one_step, N=4, D=2, H=1)),
    Case("large cell states", partial(one_step, N=2, D=3, H=6, cell=4)),
    Case("one of everything", partial(one_step, **ONE)),
    Case("gates as far as 1000 from zero", partial(one_step, N=3, D=2, H=5, far=True)),
    Case("gates as far as 1000 from zero, float32", partial(one_step, N=3, D=2, H=5, far=True, dtype=np.float32)),
    Case("cell states of hundreds", partial(one_step, N=3, D=2, H=3, cell=800)),
    Case("cell states of hundreds, float32", partial(one_step, N=3, D=2, H=3, cell=800, dtype=np.float32)),
    Case("a very large cell behind gates that are shut", partial(one_step, N=4, D=5, H=6, **SHUT)),
    Case("float32", partial(one_step, N=3, D=5, H=2, dtype=np.float32)),
    Case("arrays in another memory order", strided(partial(one_step, N=4, D=3, H=2))),
]

LSTM_STEP_FORWARD = Exercise(
    "lstm_step_forward",
    "lstm",
    [
        Criterion("states", STEP, every(close(part=0), close(part=1))),
        Criterion("gates", STEP, close(part=2)),
    ],
)


def step(x: np.ndarray, h: np.ndarray, c: np.ndarray, W: np.ndarray, b: np.ndarray) -> Arrays:
    """States and gates after one step. Backward questions come from one right forward pass."""
    f, i, g, o = np.split(np.concatenate([h, x], axis=-1) @ W.T + b, 4, axis=-1)
    f, i, o = (0.5 * (1 + np.tanh(0.5 * gate)) for gate in (f, i, o))
    g = np.tanh(g)
    c_next = f * c + i * g
    return o * np.tanh(c_next), c_next, np.concatenate([f, i, g, o], axis=-1)


LARGE = 1e4  # gradients that no clipping leaves alone


def step_back(rng: Generator, N: int, D: int, H: int, dh: float = 1.0, dc: float = 1.0, **settings: Any) -> Inputs:
    x, h, c, W, b = one_step(rng, N, D, H, **settings).args
    _, c_next, gates = step(x, h, c, W, b)
    dh_next, dc_next = ((size * rng.normal(size=c.shape)).astype(c.dtype) for size in (dh, dc))
    return inputs(dh_next, dc_next, x, h, c, c_next, gates, W)


STEP_BACK = [
    Case("three rows", partial(step_back, N=3, D=4, H=5)),
    Case("as many inputs as units", partial(step_back, N=2, D=4, H=4)),
    Case("one row, more inputs than units", partial(step_back, N=1, D=7, H=3)),
    Case("large cell states", partial(step_back, N=4, D=3, H=2, cell=3)),
    Case("cell states of hundreds", partial(step_back, N=3, D=2, H=3, cell=800)),
    Case("cell states of hundreds, float32", partial(step_back, N=3, D=2, H=3, cell=800, dtype=np.float32)),
    Case("a cell that has counted to thousands, float32", partial(step_back, N=3, D=2, H=4, **COUNTED)),
    Case("gates that are closed and open", partial(step_back, N=3, D=2, H=5, far=True)),
    Case("large gradients", partial(step_back, N=2, D=4, H=3, dh=LARGE, dc=LARGE)),
    Case("no gradient of the hidden state", partial(step_back, N=2, D=3, H=4, dh=0)),
    Case("no gradient of the cell state", partial(step_back, N=2, D=4, H=3, dc=0)),
    Case("one of everything", partial(step_back, **ONE)),
    Case("float32", partial(step_back, N=3, D=5, H=2, dtype=np.float32)),
    Case("arrays in another memory order", strided(partial(step_back, N=4, D=3, H=2))),
]

LSTM_STEP_BACKWARD = Exercise(
    "lstm_step_backward",
    "lstm",
    [Criterion(name, STEP_BACK, close(part=part)) for part, name in enumerate(("dx", "dh", "dc", "dW", "db"))],
)

# LSTM, through time


def sequences(rng: Generator, N: int, T: int, D: int, H: int, dtype: Any = np.float64, **settings: Any) -> Inputs:
    _, h0, c0, W, b = one_step(rng, N, D, H, dtype=dtype, **settings).args
    return inputs(rng.normal(size=(N, T, D)).astype(dtype), h0, c0, W, b)


UNROLLED = [
    Case("three sequences of five steps", partial(sequences, N=3, T=5, D=4, H=2)),
    Case("one sequence, more units than inputs", partial(sequences, N=1, T=6, D=2, H=4)),
    Case("one step", partial(sequences, N=2, T=1, D=3, H=5)),
    Case("one of everything", partial(sequences, T=1, **ONE)),
    Case("gates as far as 1000 from zero", partial(sequences, N=3, T=4, D=2, H=5, far=True)),
    Case("cell states of hundreds", partial(sequences, N=3, T=4, D=2, H=3, cell=800)),
    Case("a very large cell behind gates that are shut", partial(sequences, N=3, T=5, D=6, H=4, **SHUT)),
    Case("float32", partial(sequences, N=2, T=4, D=3, H=5, dtype=np.float32)),
    Case("arrays in another memory order", strided(partial(sequences, N=3, T=4, D=5, H=2))),
]

LSTM_FORWARD = Exercise(
    "lstm_forward",
    "lstm",
    [
        Criterion("states", UNROLLED, every(close(part=0), close(part=1))),
        Criterion("gates", UNROLLED, close(part=2)),
    ],
)


def run(x: np.ndarray, h: np.ndarray, c: np.ndarray, W: np.ndarray, b: np.ndarray) -> Arrays:
    """States and gates of all steps."""
    steps = []
    for t in range(x.shape[1]):
        h, c, gates = step(x[:, t], h, c, W, b)
        steps.append((h, c, gates))
    return tuple(np.stack(arrays, axis=1) for arrays in zip(*steps, strict=True))


def through_time(
    rng: Generator,
    N: int,
    T: int,
    D: int,
    H: int,
    dtype: Any = np.float64,
    h_at: int | None = None,
    dh: float = 1.0,
    dc: float = 1.0,
    **settings: Any,
) -> Inputs:
    """With ``h_at`` the loss depends on the hidden state after that step alone; ``dh`` and ``dc`` are the sizes of the
    gradients of hidden states and cell state.
    """
    x, h0, c0, W, b = sequences(rng, N, T, D, H, dtype, **settings).args
    h, cells, gates = run(x, h0, c0, W, b)
    back_h, back_c = dh * rng.normal(size=h.shape), dc * rng.normal(size=c0.shape)
    if h_at is not None:
        back_h *= np.arange(1, T + 1)[:, None] == h_at
    return inputs(back_h.astype(dtype), back_c.astype(dtype), x, h0, c0, h, cells, gates, W)


UNROLLED_BACK = [
    Case("three sequences of five steps", partial(through_time, N=3, T=5, D=4, H=2)),
    Case("one sequence, as many units as inputs", partial(through_time, N=1, T=6, D=3, H=3)),
    Case("one step", partial(through_time, N=2, T=1, D=3, H=5)),
    Case("one of everything", partial(through_time, T=1, **ONE)),
    Case("a loss on the second hidden state alone", partial(through_time, N=3, T=5, D=2, H=4, h_at=2, dc=0)),
    Case("a loss on the last cell state alone", partial(through_time, N=2, T=4, D=3, H=2, h_at=0)),
    Case("large gradients", partial(through_time, N=2, T=4, D=3, H=3, dh=LARGE, dc=LARGE)),
    Case("no loss", partial(through_time, N=2, T=3, D=2, H=3, h_at=0, dc=0)),
    Case("gates that are closed and open", partial(through_time, N=3, T=4, D=2, H=5, far=True)),
    Case("cell states of hundreds", partial(through_time, N=3, T=4, D=2, H=3, cell=800)),
    Case("a cell that has counted to thousands, float32", partial(through_time, N=3, T=3, D=2, H=4, **COUNTED)),
    Case("output gates that are nearly closed", partial(through_time, N=2, T=3, D=4, H=3, dc=0, quiet=True)),
    Case("float32", partial(through_time, N=2, T=4, D=3, H=5, dtype=np.float32)),
    Case("arrays in another memory order", strided(partial(through_time, N=3, T=4, D=5, H=2))),
]

LSTM_BACKWARD = Exercise(
    "lstm_backward",
    "lstm",
    [
        Criterion("dx", UNROLLED_BACK, close(part=0)),
        Criterion("initial", UNROLLED_BACK, every(close(part=1), close(part=2))),
        Criterion("parameters", UNROLLED_BACK, every(close(part=3), close(part=4))),
    ],
)

# How far gradients reach


def shut_before(rng: Generator) -> Inputs:
    """A product of all gates is 0 from the first step on, the path asked for is not."""
    f = rng.uniform(0.2, 1, size=(6, 3))
    f[0] = 0
    return inputs(f, 5, 3)


def nearly_shut(rng: Generator) -> Inputs:
    """Each unit has a gate of at most 1e-13 on the path."""
    f = rng.uniform(0.5, 1, size=(5, 3))
    f[[1, 2, 3], [0, 1, 2]] = rng.uniform(1e-14, 1e-13, size=3)
    return inputs(f, 4, 3)


FORGET_PATH_GRADIENT = Exercise(
    "forget_path_gradient",
    "lstm",
    [
        Criterion(
            "values",
            [
                Case("three steps back from the last", lambda rng: inputs(rng.uniform(0.2, 1, size=(7, 4)), 7, 3)),
                Case("two steps back from the middle", lambda rng: inputs(rng.uniform(0.2, 1, size=(8, 3)), 5, 2)),
                Case("one step", lambda rng: inputs(rng.uniform(0.2, 1, size=(6, 2)), 4, 1)),
                Case("all the way", lambda rng: inputs(rng.uniform(0.2, 1, size=(5, 3)), 5, 5)),
                Case("no step", lambda rng: inputs(rng.uniform(0.2, 1, size=(5, 3)), 3, 0)),
                Case("no step from the beginning", lambda rng: inputs(rng.uniform(0.2, 1, size=(4, 2)), 0, 0)),
                Case("closed and open gates", lambda rng: inputs(rng.integers(0, 2, size=(6, 8)).astype(float), 5, 2)),
                Case("a gate that was closed before", shut_before),
                Case("gates that are nearly closed", nearly_shut),
                Case("one unit", lambda rng: inputs(rng.uniform(0.2, 1, size=(4, 1)), 3, 2)),
            ],
        )
    ],
)


def one_sequence(rng: Generator, T: int, D: int, H: int, t: int, k: int, scale: float = 1.0, **more: Any) -> Inputs:
    x, h0, c0, W, b = sequences(rng, 1, T, D, H, **more).args
    W = scale * W
    _, c, gates = run(x, h0, c0, W, b)
    return inputs(c[0], gates[0], W, t, k)


CELL_JACOBIAN = Exercise(
    "cell_jacobian",
    "lstm",
    [
        Criterion(
            "short",
            [
                Case("one step to the last", partial(one_sequence, T=5, D=4, H=3, t=5, k=1)),
                Case("no step", partial(one_sequence, T=5, D=2, H=4, t=3, k=0)),
                Case("one step, large weights", partial(one_sequence, T=6, D=3, H=5, t=4, k=1, scale=2)),
                Case("the first step that counts", partial(one_sequence, T=4, D=3, H=2, t=2, k=1, scale=2)),
            ],
        ),
        Criterion(
            "long",
            [
                Case("two steps", partial(one_sequence, T=6, D=2, H=4, t=5, k=2, scale=2)),
                Case("four steps to the last", partial(one_sequence, T=7, D=4, H=3, t=7, k=4, scale=2)),
                Case("from the first to the last", partial(one_sequence, T=6, D=3, H=2, t=6, k=5, scale=3)),
                Case("one unit", partial(one_sequence, T=6, D=2, H=1, t=4, k=3, scale=3)),
                Case("gates that are closed and open", partial(one_sequence, T=5, D=2, H=5, t=4, k=2, far=True)),
                Case("cell states of hundreds", partial(one_sequence, T=5, D=2, H=4, t=4, k=2, cell=800)),
                Case(
                    "cells that have counted far beside small ones, float32",
                    partial(one_sequence, T=5, D=2, H=6, t=4, k=2, **COUNTED | {"cell": np.array([1e7, 1, 1] * 2)}),
                ),
            ],
        ),
    ],
)

# Initialization


def of_pairs(number: int) -> Pick:
    """The first or the second of each of several pairs."""

    def pick(tree: Any) -> Any:
        if not isinstance(tree, tuple | list) or any(
            not isinstance(pair, tuple | list) or len(pair) != 2 for pair in tree
        ):
            return Failure("type", "does not return two values")
        return tuple(pair[number] for pair in tree)

    return pick


def uniform_weights(given: Inputs, got: Arrays) -> Failure | None:
    _, H = given.args
    W, again, other = got
    if W.dtype != np.float64:
        return Failure("dtype", f"returns weights of dtype {W.dtype}")
    if not np.array_equal(W, again):
        return Failure("random", "draws other weights although the generator is in the same state")
    if np.array_equal(W, other):
        return Failure("random", "draws the same weights although the generator is in another state")
    if np.unique(np.stack([W, other])).size < 1.8 * W.size:
        return Failure("random", "draws many weights more than once")
    scaled = W * np.sqrt(H)
    if not (np.abs(scaled).max() <= 1 and within((scaled**2).mean(), 1 / 3, np.sqrt(4 / 45 / W.size))):
        return Failure("values", "draws weights from another range")
    blocks = [block for rows in np.split(scaled, 4) for block in (rows[:, :H], rows[:, H:])]
    if not all(within(block.mean(), 0, np.sqrt(1 / 3 / block.size)) for block in blocks):
        return Failure("values", "draws weights whose mean is not zero")
    if too_even((scaled + 1) / 2):
        return Failure("statistics", "draws weights that depend on one another")
    return None


def forget_bias_alone(given: Inputs, got: Arrays) -> Failure | None:
    _, H = given.args
    want = np.repeat([given.kwargs.get("forget_bias", 1.0), 0, 0, 0], H)
    if not all(np.allclose(b, want, rtol=1e-9, atol=0) for b in got):
        return Failure("values", "returns other biases")
    return next((Failure("dtype", f"returns biases of dtype {b.dtype}") for b in got if b.dtype != np.float64), None)


def drawn(title: str, D: int, H: int, **settings: Any) -> Case:
    return Case(title, lambda rng: inputs(D, H, seed=int(rng.integers(2**31)), **settings), "lstm_init")


INITIAL = [
    drawn("the usual forget bias", 30, 20),
    drawn("another forget bias", 12, 25, forget_bias=2.5),
    drawn("more inputs than units", 80, 9, forget_bias=-1.0),
    drawn("no forget bias", 25, 21, forget_bias=0.0),
    drawn("a whole number for the forget bias", 17, 14, forget_bias=3),
]


LSTM_INIT = Exercise(
    "lstm_init",
    "lstm",
    [
        Criterion("weights", INITIAL, judged(uniform_weights, of_pairs(0))),
        Criterion("bias", INITIAL, judged(forget_bias_alone, of_pairs(1))),
    ],
)

# GRU


def gru_step(
    rng: Generator,
    N: int,
    D: int,
    H: int,
    dtype: Any = np.float64,
    far: bool = False,
    shut: Literal["", "small", "flat"] = "",
    wide: bool = False,
) -> Inputs:
    """States are ``wide`` if they come near to 10 and -10. Where it goes ``far``, biases of up to 1000 on both sides
    decide over the gates. Where update gates are ``shut``, candidates are either small beside the state that is
    forgotten or so large that their tanh is nearly flat.
    """
    x, h, weight_ih, weight_hh, bias_ih, bias_hh = (
        rng.normal(size=shape) for shape in ((N, D), (N, H), (3 * H, D), (3 * H, H), 3 * H, 3 * H)
    )
    if wide:
        h = rng.choice([-1, 1], size=h.shape) * rng.uniform(6, 10, size=h.shape)
    if far:
        bias_ih += far_out(rng, H, blocks=3)
    if shut:
        for array in (weight_ih, weight_hh, bias_ih, bias_hh):
            array *= 0.3
        bias_ih[H : 2 * H] -= 100
    if shut == "small":
        for array in (weight_ih, weight_hh, bias_ih, bias_hh):
            array[2 * H :] *= 1e-4
    if shut == "flat":
        bias_ih[2 * H :] += 7 * rng.choice([-1, 1], size=H)
    arrays = x, h, weight_ih / np.sqrt(D), weight_hh / np.sqrt(H), bias_ih, bias_hh
    return inputs(*(array.astype(dtype) for array in arrays))


GRU_STEP_FORWARD = Exercise(
    "gru_step_forward",
    "lstm",
    [
        Criterion(
            "values",
            [
                Case("three rows", partial(gru_step, N=3, D=4, H=5)),
                Case("one row, as many inputs as units, states near 10", partial(gru_step, N=1, D=3, H=3, wide=True)),
                Case("one unit", partial(gru_step, N=4, D=2, H=1)),
                Case("one of everything", partial(gru_step, **ONE)),
                Case("gates as far as 1000 from zero", partial(gru_step, N=3, D=4, H=5, far=True)),
                Case(
                    "gates as far as 1000 from zero, float32",
                    partial(gru_step, N=3, D=2, H=5, far=True, dtype=np.float32),
                ),
                Case("update gates that are shut", partial(gru_step, N=4, D=5, H=6, shut="small")),
                Case("float32", partial(gru_step, N=2, D=5, H=3, dtype=np.float32)),
                Case("arrays in another memory order", strided(partial(gru_step, N=4, D=3, H=2))),
            ],
        )
    ],
)


def gru_sequences(rng: Generator, N: int, T: int, D: int, H: int, dtype: Any = np.float64, **more: Any) -> Inputs:
    _, *others = gru_step(rng, N, D, H, dtype, **more).args
    return inputs(rng.normal(size=(N, T, D)).astype(dtype), *others)


GRU_FORWARD = Exercise(
    "gru_forward",
    "lstm",
    [
        Criterion(
            "values",
            [
                Case("three sequences of five steps", partial(gru_sequences, N=3, T=5, D=4, H=2)),
                Case(
                    "one sequence, more units than inputs, states near 10",
                    partial(gru_sequences, N=1, T=6, D=2, H=4, wide=True),
                ),
                Case("one step", partial(gru_sequences, N=2, T=1, D=3, H=5)),
                Case("one of everything", partial(gru_sequences, T=1, **ONE)),
                Case("gates as far as 1000 from zero", partial(gru_sequences, N=3, T=4, D=2, H=5, far=True)),
                Case("update gates that are shut", partial(gru_sequences, N=3, T=5, D=6, H=4, shut="small")),
                Case("float32", partial(gru_sequences, N=3, T=4, D=2, H=5, dtype=np.float32)),
            ],
        ),
    ],
)


def counted(kind: str, **settings: Any) -> Case:
    """With two biases inputs are more than units, else fewer."""
    title = f"kind {kind}" + (", two biases" if settings else "")
    fewer, more = (3, 40), (41, 80)
    sizes = (more, fewer) if settings else (fewer, more)
    return Case(title, lambda rng: inputs(kind, *(int(rng.integers(*size)) for size in sizes), **settings))


PARAMETER_COUNT = Exercise(
    "parameter_count",
    "lstm",
    [
        Criterion(
            "values",
            [counted(kind, **settings) for settings in ({}, {"biases": 2}) for kind in ("rnn", "lstm", "gru")],
        )
    ],
)

# Two directions


def padded(rng: Generator, T: int, D: int, lengths: list[int], dtype: Any = np.float64) -> Inputs:
    return inputs((9 * rng.normal(size=(len(lengths), T, D))).astype(dtype), np.array(lengths))


def with_infinities(rng: Generator) -> Inputs:
    x, lengths = padded(rng, T=5, D=4, lengths=[3, 5, 2, 1]).args
    places = rng.random(x.shape)
    return inputs(np.select([places < 0.15, places < 0.3, places < 0.4], [np.inf, -np.inf, np.nan], x), lengths)


PADDED = [
    Case("unequal lengths", partial(padded, T=6, D=3, lengths=[4, 6, 1, 3, 4])),
    Case("infinities and NaN", with_infinities),
    Case("truth values", lambda rng: inputs(rng.random((4, 6, 3)) < 0.5, np.array([4, 6, 1, 3]))),
    Case(
        "small integers without sign",
        lambda rng: inputs(rng.integers(0, 256, (3, 5, 2)).astype(np.uint8), np.array([2, 5, 3])),
    ),
    Case("no padding", partial(padded, T=5, D=2, lengths=[5, 5, 5])),
    Case("long sequences", partial(padded, T=300, D=1, lengths=[20, 290])),
    Case("all shorter than the batch", partial(padded, T=7, D=1, lengths=[2, 5])),
    Case("equal lengths, shorter than the batch", partial(padded, T=5, D=2, lengths=[3, 3])),
    Case("an empty sequence", partial(padded, T=4, D=2, lengths=[0, 3, 2])),
    Case("nothing but padding", partial(padded, T=4, D=1, lengths=[0])),
    Case("integers", lambda rng: inputs(rng.integers(-(2**53), 2**53, (3, 6, 2)), np.array([5, 2, 4]))),
    Case("one sequence of one step", partial(padded, T=1, D=1, lengths=[1])),
]

REVERSE_PADDED = Exercise(
    "reverse_padded",
    "lstm",
    [
        Criterion("values", PADDED, every(close(), same_dtype())),
    ],
)


def stacked(rng: Generator, T: int, D: int, H: int, lengths: list[int], depth: int, dtype: Any = np.float64) -> Inputs:
    layers = [
        tuple(one_step(rng, 1, size, H, dtype=dtype).args[3:] for _ in range(2)) for size in [D, *[2 * H] * depth]
    ]
    x = rng.normal(size=(len(lengths), T, D)).astype(dtype)
    return inputs(x, np.array(lengths), layers[:depth])


def huge_padding(rng: Generator) -> Inputs:
    x, lengths, layers = stacked(rng, T=5, D=3, H=4, lengths=[3, 5, 1], depth=2).args
    there = np.arange(5) < lengths[:, None]
    return inputs(np.where(there[:, :, None], x, rng.choice([-1e300, 1e300], size=x.shape)), lengths, layers)


BATCHES = [
    Case("one layer", partial(stacked, T=5, D=3, H=4, lengths=[3, 5, 1], depth=1)),
    Case("two layers", partial(stacked, T=6, D=5, H=2, lengths=[2, 6, 4, 3, 2], depth=2)),
    Case("three layers, all shorter than the batch", partial(stacked, T=7, D=2, H=3, lengths=[3, 5], depth=3)),
    Case(
        "equal lengths, shorter than the batch, float32",
        partial(stacked, T=5, D=3, H=5, lengths=[4, 4], depth=2, dtype=np.float32),
    ),
    Case("one sequence of one step", partial(stacked, T=1, D=1, H=1, lengths=[1], depth=1)),
    Case("the largest numbers in the padding", huge_padding),
]


def inside(given: Inputs) -> np.ndarray:
    """Which steps lie within their sequence, shape (N, T)."""
    x, lengths, *_ = given.args
    steps: np.ndarray = np.arange(x.shape[1]) < lengths[:, None]
    return steps


def close_inside(given: Inputs, got: Outcome, want: Outcome) -> Failure | None:
    """Close within the sequences; what stands in the padding is left aside."""
    kept, compare = inside(given)[:, :, None], close()

    def look(want: np.ndarray, got: np.ndarray) -> Failure | None:
        return compare(given, Value(np.where(kept, got, want)), Value(want))

    return returned(look)(given, got, want)


def zero_outside(given: Inputs, got: np.ndarray) -> Failure | None:
    if not np.array_equal(got.any(axis=2), inside(given)):
        return Failure("values", "does not return zeros in the padding, and only there")
    return None


def lengths_of(lengths: list[int]) -> Callable[[Generator], Inputs]:
    return partial(stacked, T=4, D=2, H=3, lengths=lengths, depth=1)


BIDIRECTIONAL_LSTM = Exercise(
    "bidirectional_lstm",
    "lstm",
    [
        Criterion("values", BATCHES, close_inside),
        Criterion("zeros", BATCHES, judged(zero_outside)),
        Criterion(
            "errors",
            [
                Case("lengths from one to the whole", lengths_of([4, 1, 3])),
                Case("a length of zero", lengths_of([3, 0, 4])),
                Case("a negative length", lengths_of([2, -1])),
                Case("a length beyond the batch", lengths_of([1, 5, 2])),
            ],
            raises(),
        ),
    ],
)

# Masked words


def text(
    rng: Generator,
    N: int,
    T: int,
    V: int,
    special: tuple[int, ...],
    mask: int,
    probability: float | None,
    absent: tuple[int, ...] = (),
    dtype: Any = np.int64,
    **more: Any,
) -> Inputs:
    """Sentences of all words, the mask and special ones among them, but for those that are absent from this batch.

    Special words differ in number from row to row.
    """
    ids = rng.choice(np.setdiff1d(np.arange(V), absent), size=(N, T))
    settings: dict[str, Any] = {"mask_id": mask, "vocab_size": V}
    settings |= {"special_ids": special} if special else {}
    settings |= {} if probability is None else {"probability": probability}
    return inputs(ids.astype(dtype), seed=int(rng.integers(2**31)), **settings, **more)


MASKED = [
    Case(title, make, "mask_tokens")
    for title, make in {
        "the usual probability": partial(text, N=90, T=110, V=24, special=(0, 3, 23), mask=5, probability=None),
        "a small vocabulary": partial(text, N=60, T=100, V=8, special=(0, 4), mask=6, probability=0.5),
        "no special words": partial(text, N=70, T=90, V=9, special=(), mask=0, probability=0.4),
        "words that no sentence holds": partial(
            text, N=70, T=110, V=10, special=(2,), mask=9, probability=0.5, absent=(0, 5, 8)
        ),
        "a set of special words": partial(
            text, N=60, T=90, V=12, special=(0, 1, 7), mask=4, probability=0.4, collection="set"
        ),
        "an array of one special word, int16": partial(
            text, N=60, T=90, V=12, special=(0,), mask=4, probability=0.4, collection="array", dtype=np.int16
        ),
        "the mask among the special words": partial(
            text, N=60, T=90, V=10, special=(0, 4, 7), mask=4, probability=0.8, collection="list", dtype=np.int32
        ),
        "small integers, as many words as they count": partial(
            text, N=150, T=120, V=128, special=(0, 7), mask=4, probability=0.5, dtype=np.int8
        ),
        "no word selected": partial(text, N=6, T=9, V=12, special=(0,), mask=4, probability=0.0),
        "every word selected": partial(text, N=60, T=90, V=12, special=(0,), mask=4, probability=1.0),
        "one word": partial(text, N=1, T=1, V=12, special=(), mask=4, probability=1, absent=(4,)),
        "no ordinary word": partial(text, N=5, T=7, V=6, special=(0, 1, 3, 4, 5), mask=2, probability=0.9),
        "no ordinary word, and every word selected": partial(
            text, N=4, T=5, V=3, special=(0, 1), mask=2, probability=1
        ),
    }.items()
]
# A few words at a time: what is drawn for one must not depend on what is drawn for the others
MASKED += [
    Case(title, make, "mask_tokens_by_sentence")
    for title, make in {
        "short sentences one by one": partial(text, N=400, T=6, V=14, special=(3,), mask=5, probability=0.4),
        "pairs of words one by one": partial(text, N=500, T=2, V=9, special=(1,), mask=6, probability=0.5),
        "short sentences one by one, every word selected": partial(
            text, N=400, T=5, V=15, special=(), mask=7, probability=1.0, absent=(7,)
        ),
    }.items()
]


def text_of(given: Inputs) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """The sentences, which of their words are ordinary, all ordinary ids, and the probability."""
    (ids,), settings = given.args, given.kwargs
    reserved = [settings["mask_id"], *settings.get("special_ids", ())]
    words = np.setdiff1d(np.arange(settings["vocab_size"]), reserved)
    return ids, np.isin(ids, words), words, settings.get("probability", 0.15)


def right_labels(given: Inputs, labels: np.ndarray) -> Failure | None:
    ids, ordinary, _, probability = text_of(given)
    selected = labels != -100
    if labels.dtype != ids.dtype:
        return Failure("dtype", f"returns {labels.dtype}")
    if not np.array_equal(labels[selected], ids[selected]):
        return Failure("values", "returns labels that are not the original words")
    if (selected & ~ordinary).any():
        return Failure("values", "selects words that are not ordinary")
    if probability in (0, 1):
        right = np.array_equal(selected, ordinary & bool(probability))
        return None if right else Failure("statistics", "selects too many words or too few")
    variance = probability * (1 - probability)
    if not within(selected.sum(), probability * ordinary.sum(), np.sqrt(variance * ordinary.sum())):
        return Failure("statistics", "selects too many words or too few")
    for axis in (0, 1):
        number = ordinary.sum(axis=axis)
        there = number > 0
        if there.any() and not spread(
            selected.sum(axis=axis)[there], probability * number[there], variance * number[there]
        ):
            return Failure("statistics", "selects words that depend on one another")
    return None


def right_inputs(given: Inputs, got: Arrays) -> Failure | None:
    ids, ordinary, words, _ = text_of(given)
    hidden, labels = got
    selected = (labels != -100) & ordinary
    if not np.array_equal(hidden[~selected], ids[~selected]):
        return Failure("values", "changes words that are not selected")
    before, after = ids[selected], hidden[selected]
    masked, kept = after == given.kwargs["mask_id"], after == before
    other = after[~masked & ~kept]
    if not np.isin(other, words).all():
        return Failure("values", "draws words that are not ordinary")
    if len(after) < FEW:
        return None
    for share, right in ((masked, 0.8), (kept, 0.1 + 0.1 / len(words))):
        if not within(share.mean(), right, np.sqrt(right * (1 - right) / len(after))):
            return Failure("statistics", "does not keep to the shares of the three fates")
    hides = selected & (hidden == given.kwargs["mask_id"])
    for axis in (0, 1):
        number = selected.sum(axis=axis)
        there = number > 0
        if not spread(hides.sum(axis=axis)[there], 0.8 * number[there], 0.16 * number[there]):
            return Failure("statistics", "lets what becomes of a word depend on other words")
    if not other.size:  # among few words chance may replace none
        return None
    chances = np.count_nonzero(before[:, None] != words, axis=0)  # a word drawn for itself does not show
    counts = np.count_nonzero(other[:, None] == words, axis=0)[chances > 0]
    expected = other.size * chances[chances > 0] / chances.sum()
    if not spread(counts, expected, expected) or not counts[expected > 25].all():
        return Failure("statistics", "does not draw the ordinary words evenly")
    return None


def same_state_same_answer(_: Inputs, got: tuple[Arrays, ...]) -> Failure | None:
    first, again, other = got
    if not all(map(np.array_equal, first, again)):
        return Failure("random", "answers differently although the generator is in the same state")
    if np.array_equal(first[1], other[1]) or not all(np.ptp(array) > 0 for array in other):
        return Failure("random", "does not answer otherwise although the generator is in another state")
    return None


MASK_TOKENS = Exercise(
    "mask_tokens",
    "lstm",
    [
        Criterion("labels", MASKED, judged(right_labels, part=1)),
        Criterion("inputs", MASKED, judged(right_inputs)),
        Criterion(
            "generator",
            [
                Case(
                    "the same state twice, then another",
                    partial(text, N=9, T=40, V=11, special=(1,), mask=10, probability=0.3),
                    "mask_tokens_again",
                )
            ],
            judged(same_state_same_answer),
        ),
    ],
)


def scored(
    rng: Generator,
    N: int,
    T: int,
    V: int,
    scale: float = 2.0,
    share: float = 0.5,
    dtype: Any = np.float64,
    labels_in: Any = np.int64,
) -> Inputs:
    """Scores and labels; a share of the words is selected, among them one for the last id and one for the first.

    One of them has the lowest score: were all the highest, their loss would be the rounding error of 1 + 1e-12.
    """
    labels = np.where(rng.random((N, T)) < share, rng.integers(0, V, size=(N, T)), -100)
    labels[0, -1], labels[-1, 0] = V - 1, 0
    logits = scale * rng.normal(size=(N, T, V))
    logits[0, -1] = np.sort(logits[0, -1])[::-1]
    return inputs(logits.astype(dtype), labels.astype(labels_in))


def equally_likely(rng: Generator, sign: int) -> Inputs:
    """Two words with one score near 10 000, where numbers of float32 are so sparse that adding log 2 loses digits."""
    return inputs(np.full((1, 1, 2), sign * (rng.integers(8200, 9999) + 0.5), np.float32), np.array([[1]]))


def scored_once(rng: Generator, selected: int) -> Inputs:
    """Scores of 12 words of which none or a single one is selected."""
    labels = np.full((3, 4), -100)
    labels.flat[rng.permutation(12)[:selected]] = rng.integers(5)
    return inputs(rng.normal(size=(3, 4, 5)), labels)


def scored_by_few_bits(rng: Generator) -> Inputs:
    """More words than the labels' integers count."""
    labels = np.where(rng.random((2, 5)) < 0.5, rng.integers(0, 128, size=(2, 5)), -100)
    labels[0, 0], labels[1, 1] = 127, -100
    return inputs(rng.normal(size=(2, 5, 200)), labels.astype(np.int8))


SCORED = [
    Case("a single word selected", partial(scored_once, selected=1)),
    Case("half of the words selected", partial(scored, N=3, T=5, V=7)),
    Case("few of many words selected", partial(scored, N=4, T=6, V=9, share=0.1)),
    Case("all words selected", partial(scored, N=2, T=3, V=5, share=1.1)),
    Case("a large vocabulary", partial(scored, N=2, T=4, V=130)),
    Case("large scores", partial(scored, N=2, T=4, V=6, scale=60)),
    Case("very large scores", partial(scored, N=3, T=2, V=5, scale=3000)),
    Case("one word of a vocabulary of one", partial(scored, N=1, T=1, V=1)),
    Case("labels of int16", partial(scored, N=3, T=4, V=6, labels_in=np.int16)),
    Case("labels of int8", partial(scored, N=12, T=13, V=4, share=0.9, labels_in=np.int8)),
    Case("labels of int8, more words than they count", scored_by_few_bits),
    Case("float32", partial(scored, N=3, T=4, V=6, dtype=np.float32)),
    Case("two equal scores near 10 000, float32", partial(equally_likely, sign=1)),
    Case("two equal scores near minus 10 000, float32", partial(equally_likely, sign=-1)),
]


def loss_to_precision(given: Inputs, got: Outcome, want: Outcome) -> Failure | None:
    """Close; to the precision of float32 where that is what the scores hold: the loss is a Python float."""
    return close(RTOL.get(given.args[0].dtype.name), part=0)(given, got, want)


MASKED_LM_LOSS = Exercise(
    "masked_lm_loss",
    "lstm",
    [
        Criterion("loss", SCORED, loss_to_precision),
        Criterion("gradient", SCORED, close(part=1)),
        Criterion("empty", [Case("no word selected", partial(scored_once, selected=0))]),
    ],
)

# Bonus


def gru_step_back(
    rng: Generator, N: int, D: int, H: int, dtype: Any = np.float64, dh: float = 1.0, **more: Any
) -> Inputs:
    return inputs((dh * rng.normal(size=(N, H))).astype(dtype), *gru_step(rng, N, D, H, dtype, **more).args)


GRU_BACK = [
    Case("three rows", partial(gru_step_back, N=3, D=4, H=5)),
    Case("one row, as many inputs as units, states near 10", partial(gru_step_back, N=1, D=3, H=3, wide=True)),
    Case("one unit", partial(gru_step_back, N=4, D=2, H=1)),
    Case("one of everything", partial(gru_step_back, **ONE)),
    Case("gates as far as 1000 from zero", partial(gru_step_back, N=3, D=4, H=5, far=True)),
    Case("gates as far as 1000 from zero, float32", partial(gru_step_back, N=3, D=4, H=5, far=True, dtype=np.float32)),
    Case("update gates that are shut", partial(gru_step_back, N=4, D=5, H=6, shut="flat")),
    Case("large gradients", partial(gru_step_back, N=3, D=2, H=4, dh=LARGE)),
    Case("float32", partial(gru_step_back, N=2, D=5, H=3, dtype=np.float32)),
]

GRU_STEP_BACKWARD = Exercise(
    "gru_step_backward",
    "lstm",
    [
        Criterion("dx", GRU_BACK, close(part=0)),
        Criterion("dh", GRU_BACK, close(part=1)),
        Criterion("weights", GRU_BACK, every(close(part=2), close(part=3))),
        Criterion("biases", GRU_BACK, every(close(part=4), close(part=5))),
    ],
    bonus=True,
)


def drawn_spans(given: Inputs, got: Arrays) -> Failure | None:
    b, again, other = got
    if b.dtype != np.float64:
        return Failure("dtype", f"returns {b.dtype}")
    if not np.array_equal(b, again):
        return Failure("random", "draws other biases although the generator is in the same state")
    if np.array_equal(b, other):
        return Failure("random", "draws the same biases although the generator is in another state")
    return next((failure for one in (b, other) if (failure := spans_spread(given, one))), None)


def spans_spread(given: Inputs, b: np.ndarray) -> Failure | None:
    H, max_lag = given.args
    place = np.sort((np.exp(b[:H]) - 1) / (max_lag - 2))
    if not (place[0] >= -1e-9 and place[-1] <= 1 + 1e-9):
        return Failure("values", "draws forget biases outside their range")
    if not np.abs(place - (np.arange(H) + 0.5) / H).max() < 3 / np.sqrt(H):
        return Failure("statistics", "does not spread the spans evenly")
    if too_even(place) or not within(np.corrcoef(b[:H], np.arange(H))[0, 1], 0, 1 / np.sqrt(H)):
        return Failure("statistics", "draws spans that depend on one another")
    return None


def other_biases(_: Inputs, got: Arrays) -> Failure | None:
    for forget, enter, candidate, output in (np.split(b, 4) for b in got):
        if not (forget.any() and np.allclose(enter, -forget, rtol=1e-9, atol=1e-12)):
            return Failure("values", "gives the input gate other biases")
        if candidate.any() or output.any():
            return Failure("values", "gives biases to all four blocks")
    return None


CHRONO = [
    Case("spans up to 12 steps", lambda rng: inputs(2000, 12, seed=int(rng.integers(2**31))), "chrono_bias"),
    Case("spans up to 300 steps", lambda rng: inputs(1500, 300, seed=int(rng.integers(2**31))), "chrono_bias"),
    Case("spans up to 3 steps", lambda rng: inputs(1800, 3, seed=int(rng.integers(2**31))), "chrono_bias"),
]

CHRONO_BIAS = Exercise(
    "chrono_bias",
    "lstm",
    [Criterion("forget", CHRONO, judged(drawn_spans)), Criterion("others", CHRONO, judged(other_biases))],
    bonus=True,
)

# PyTorch


def to_convert(rng: Generator, N: int, T: int, D: int, H: int, dtype: Any = np.float64) -> Inputs:
    x, h0, c0, W, b = sequences(rng, N, T, D, H, dtype).args
    return inputs(W, b, x, h0, c0)


CONVERTED = [
    Case("five units, three inputs", partial(to_convert, N=3, T=4, D=3, H=5), "converted"),
    Case("as many inputs as units", partial(to_convert, N=2, T=5, D=4, H=4), "converted"),
    Case("one unit", partial(to_convert, N=4, T=3, D=2, H=1), "converted"),
    Case("one of everything", partial(to_convert, T=1, **ONE), "converted"),
]
PRECISIONS = [
    Case(np.dtype(dtype).name, partial(to_convert, N=2, T=3, D=4, H=3, dtype=dtype), "converted")
    for dtype in (np.float64, np.float32)
]
PRECISIONS.append(
    Case(
        "float32 where new tensors are float64",
        partial(to_convert, N=2, T=3, D=3, H=4, dtype=np.float32),
        "converted_by_default",
    )
)

LSTM_TO_TORCH = Exercise(
    "lstm_to_torch",
    "lstm_torch",
    [
        Criterion("values", CONVERTED, every(close(rtol=1e-4, part="h"), close(part="kept"))),
        Criterion("dtype", PRECISIONS, conforming(1e-4, part="h")),
    ],
)


def packed(rng: Generator, T: int, D: int, H: int, lengths: list[int], depth: int) -> Inputs:
    """A padded batch with the parameters of a bidirectional LSTM under PyTorch's names."""
    state: dict[str, np.ndarray] = {}
    for layer in range(depth):
        size = 2 * H if layer else D
        for suffix in (f"l{layer}", f"l{layer}_reverse"):
            shapes: dict[str, Any] = {"weight_ih": (4 * H, size), "weight_hh": (4 * H, H)}
            shapes |= {"bias_ih": 4 * H, "bias_hh": 4 * H}
            state |= {f"{name}_{suffix}": rng.normal(size=shape) / np.sqrt(H) for name, shape in shapes.items()}
    x, dy = rng.normal(size=(len(lengths), T, D)), rng.normal(size=(len(lengths), 2 * H))
    return inputs(x, np.array(lengths), state, dy)


def packed_huge(rng: Generator) -> Inputs:
    x, lengths, *others = packed(rng, T=5, D=3, H=2, lengths=[3, 5, 1], depth=1).args
    there = np.arange(5) < lengths[:, None]
    return inputs(np.where(there[:, :, None], x, rng.choice([-1e300, 1e300], size=x.shape)), lengths, *others)


PADDED_WITH: dict[str, Callable[[Generator], Inputs]] = {
    "unsorted lengths": partial(packed, T=6, D=3, H=4, lengths=[2, 6, 1, 4, 2], depth=1),
    "two layers": partial(packed, T=5, D=2, H=3, lengths=[3, 5, 4], depth=2),
    "three layers, all shorter than the batch": partial(packed, T=7, D=4, H=2, lengths=[5, 2], depth=3),
    "one sequence": partial(packed, T=5, D=3, H=2, lengths=[3], depth=1),
    "one of everything": partial(packed, T=1, D=1, H=1, lengths=[1], depth=1),
    "the largest numbers in the padding": packed_huge,
}
PACKED = [
    *(Case(title, make, "packed_final_states") for title, make in PADDED_WITH.items()),
    Case("float32", partial(packed, T=4, D=3, H=2, lengths=[2, 4], depth=1), "packed_final_states", copies="float32"),
    Case(
        "transposed and sliced",
        partial(packed, T=4, D=3, H=2, lengths=[2, 4], depth=1),
        "packed_final_states",
        copies="strided",
        lent=["x", "lengths"],
    ),
]


PACKED_FINAL_STATES = Exercise(
    "packed_final_states",
    "lstm_torch",
    [
        Criterion("values", PACKED, conforming(part="y")),
        Criterion("gradients", PACKED, every(close(part="gradient"), close(part="reached"))),
    ],
)

# Words of the artificial language: the mask, eight words that may be hidden, two that begin a sentence, eight that end
# it, and one that says nothing.
MASK, FIRST, LAST, FILLER, VOCABULARY = 0, 9, 11, 19, 20


@dataclass(frozen=True)
class Examined(Inputs):
    """Inputs with the right answers beside them, which do not travel."""

    answers: np.ndarray


def sentences(rng: Generator, count: int, rule: np.ndarray, T: int = 10) -> Arrays:
    """Padded sentences, their lengths, the place of the hidden word in each, and the hidden words.

    rule[first, last] is the word that sentences with this first and last word hide.
    """
    rows, lengths = np.arange(count), rng.integers(3, T, size=count)
    first, last = rng.integers(2, size=count), rng.integers(8, size=count)
    ids = rng.choice([*range(1, FIRST), FILLER], size=(count, T))
    padding = np.arange(T) >= lengths[:, None]
    ids[padding] = rng.integers(VOCABULARY, size=padding.sum())
    places = rng.integers(1, lengths - 1)
    ids[rows, 0], ids[rows, lengths - 1], ids[rows, places] = FIRST + first, LAST + last, MASK
    return ids, lengths, places, rule[first, last]


def language(rng: Generator) -> np.ndarray:
    """A rule: the last word leaves two words to choose from, the first word leaves four, both leave one."""
    pairs = rng.permutation(np.arange(1, FIRST)).reshape(4, 2)
    return pairs[rng.permutation(8) // 2].T


def schooling(rng: Generator) -> Inputs:
    rule = language(rng)
    train, (*test, answers) = sentences(rng, STEPS * BATCH, rule), sentences(rng, 500, rule)
    return Examined((train, tuple(test)), {"steps": STEPS, "batch": BATCH, "lr": LEARNING_RATE}, answers)


def hidden_words_found(given: Inputs, logits: np.ndarray) -> Failure | None:
    assert isinstance(given, Examined)
    share = np.mean(logits.argmax(axis=1) == given.answers)
    if not np.isfinite(logits).all() or share < 0.95:
        return Failure("accuracy", "finds too few of the hidden words after training")
    return None


LENGTHS = [4, 7, 1, 7, 100]  # of sentences; the last one stands in a batch as wide as any may be
COMPANY = ([0, 1, 2, 3], [0, 1, 2, 3, 4], [1], [1, 3])  # which of them share a batch


def batches(rng: Generator, **settings: Any) -> Inputs:
    """Sentences in batches of several kinds, with other padding in each, and every sentence alone without padding."""
    words = rng.integers(VOCABULARY, size=(len(LENGTHS), max(LENGTHS)))
    lengths = np.array(LENGTHS)
    there = np.arange(max(LENGTHS)) < lengths[:, None]
    alone = [(words[n : n + 1, :length], lengths[n : n + 1]) for n, length in enumerate(LENGTHS)]
    shared = []
    for rows in COMPANY:
        ids = np.where(there, words, rng.integers(VOCABULARY, size=words.shape))[rows]
        shared.append((ids if max(lengths[rows]) > 10 else ids[:, :10], lengths[rows]))
    return inputs([*alone, *shared], **settings)


def scores_at_all(given: Inputs, got: Arrays) -> Failure | None:
    """In the right shape, which has been looked at, and the model's dtype, not all words have the same scores; a model
    that is turned to another dtype keeps them within the sentences.
    """
    (shown,) = given.args
    asked = len(shown)
    for n, logits in enumerate(got):
        dtype = given.kwargs["turned"] if n >= asked else given.kwargs.get("default", "float32")
        if logits.dtype != dtype:
            return Failure("dtype", f"returns {logits.dtype} from a model of {dtype}")
    if not any(np.ptp(logits[0, 0]) > 0 for logits in got):
        return Failure("values", "gives all words the same scores")
    for (ids, lengths), before, after in zip(shown, got, got[asked:], strict=False):  # none where nothing is turned
        there = np.arange(ids.shape[1]) < lengths[:, None]
        if not np.abs(after[there] - before[there]).max() <= 1e-3 * np.ptp(before[there]):
            return Failure("values", "gives other scores once the model has another dtype")
    return None


def blind_to_padding(given: Inputs, got: Arrays) -> Failure | None:
    """Scores up to a constant for each place: what is added to all words alike, or always, makes nothing else small."""
    scores = [logits.astype(np.float64) for logits in got]
    scores = [logits - logits.mean(axis=2, keepdims=True) for logits in scores]
    alone, shared = scores[: len(LENGTHS)], scores[len(LENGTHS) :]
    spread = np.ptp(np.concatenate([row[0] for row in alone]), axis=0)
    if not spread.max() >= 1e-3:
        return Failure("values", "gives all words of all sentences the same scores")
    for rows, batch in zip(COMPANY, shared, strict=True):
        for n, other in zip(rows, batch, strict=True):
            if not (np.abs(other[: LENGTHS[n]] - alone[n][0]) <= 1e-3 * spread).all():
                return Failure("values", "gives a sentence other scores when there is padding or company")
    return None


WORDS = [
    Case("sentences shorter than the batch", batches, "masked_word_logits"),
    Case("transposed and sliced", batches, "masked_word_logits", copies="strided", lent=["batches"]),
]
DOUBLE = [
    Case("a model turned to float64", partial(batches, turned="float64"), "masked_word_logits"),
    Case(
        "a model made where new tensors are float64, and turned to float32",
        partial(batches, default="float64", turned="float32"),
        "masked_word_logits",
    ),
]

MASKED_WORD_MODEL = Exercise(
    "MaskedWordModel",
    "lstm_torch",
    [
        Criterion(
            "shape",
            [*WORDS, *DOUBLE],
            every(judged(scores_at_all), unchanged()),
        ),
        Criterion("padding", WORDS, judged(blind_to_padding)),
        Criterion(
            "accuracy",
            [Case("500 new sentences", schooling, "masked_word_training", training=True)],
            judged(hidden_words_found),
        ),
    ],
    cpu_limit=12.0,
)

EXERCISES = (
    kept(LSTM_STEP_FORWARD),
    kept(LSTM_STEP_BACKWARD),
    kept(LSTM_FORWARD),
    kept(LSTM_BACKWARD),
    kept(FORGET_PATH_GRADIENT),
    kept(CELL_JACOBIAN),
    LSTM_INIT,
    kept(GRU_STEP_FORWARD),
    kept(GRU_FORWARD),
    PARAMETER_COUNT,
    kept(REVERSE_PADDED),
    kept(BIDIRECTIONAL_LSTM),
    MASK_TOKENS,
    kept(MASKED_LM_LOSS),
    kept(GRU_STEP_BACKWARD),
    CHRONO_BIAS,
    LSTM_TO_TORCH,
    PACKED_FINAL_STATES,
    MASKED_WORD_MODEL,
    conventions("lstm", "dtype", "strides", "arguments", mask_tokens=["ids"]),
)
