"""The hidden questions of assignment 3. Sizes differ on every axis, biases are not zero, cotangents are random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from autograder.compare import Failure, close, conforming, entries, every, judged, raises, same_dtype, unchanged
from autograder.course import Case, Criterion, Exercise, Inputs, Part, conventions, fixed, inputs, kept

Generator = np.random.Generator

PARTS = (Part("lenet5", "numpy"), Part("lenet5_torch", "torch"))


# Pooling


def noise(
    rng: Generator, *args: Any, x: Sequence[int] = (3, 2, 7, 10), dtype: Any = np.float64, **settings: Any
) -> Any:
    return inputs(rng.normal(size=x).astype(dtype), *args, **settings)


def below_zero(rng: Generator, *args: Any, **settings: Any) -> Inputs:
    return inputs(-rng.uniform(0.5, 2, size=(2, 3, 6, 8)), *args, **settings)


def turned(rng: Generator, *args: Any, **settings: Any) -> Inputs:
    """Images whose memory lies otherwise."""
    return inputs(rng.normal(size=(10, 2, 7, 3)).transpose(3, 1, 2, 0)[:, :, ::-1], *args, **settings)


def depths(rng: Generator, far: float, dtype: Any = np.float64) -> Inputs:
    """An image far below zero, and one far above."""
    images = far * rng.uniform(0.5, 1, size=(2, 3, 5, 6))
    images[0] *= -1
    return inputs(images.astype(dtype), 3, padding=1)


MAX_POOL_FORWARD = Exercise(
    "max_pool_forward",
    "lenet5",
    [
        Criterion(
            "values",
            [
                Case("windows of 3 by 2, side by side", lambda rng: noise(rng, (3, 2))),
                Case("one number for the window", lambda rng: noise(rng, 2, x=(2, 3, 7, 9))),
                Case("overlapping windows of 3 by 3, stride 2, 1", lambda rng: noise(rng, 3, stride=(2, 1))),
                Case("a stride larger than the window", lambda rng: noise(rng, 2, stride=3)),
                Case("negative values", lambda rng: below_zero(rng, 2)),
                Case("one window", lambda rng: noise(rng, (4, 5), x=(2, 3, 4, 5))),
                Case("one window, with pixels left over", lambda rng: noise(rng, (2, 3), x=(2, 3, 3, 5))),
                Case("a transposed array", lambda rng: turned(rng, (2, 3), stride=(1, 2))),
                Case("one pixel", lambda rng: noise(rng, 1, x=(1, 1, 1, 1))),
            ],
        ),
        Criterion(
            "padding",
            [
                Case("padding 1", lambda rng: noise(rng, 3, stride=2, padding=1)),
                Case("negative values in padding 1, 0", lambda rng: below_zero(rng, 3, stride=1, padding=(1, 0))),
                Case("padding 2 down, 1 across", lambda rng: noise(rng, (4, 3), stride=(3, 2), padding=(2, 1))),
                Case("padding 0 down, 1 across", lambda rng: below_zero(rng, (1, 2), stride=2, padding=(0, 1))),
                Case("values far below zero, float32", partial(depths, far=1e38, dtype=np.float32)),
                Case("values from -1e308 to 1e308", partial(depths, far=1e308)),
                Case("one pixel in a window of 3 by 3", lambda rng: noise(rng, 3, x=(2, 3, 1, 1), padding=1)),
                Case("a window higher than the images", lambda rng: noise(rng, (4, 2), x=(2, 3, 3, 5), padding=(1, 0))),
                Case("a window wider than the images", lambda rng: noise(rng, (2, 5), x=(2, 3, 4, 2), padding=(0, 2))),
            ],
        ),
        Criterion(
            "errors",
            [
                Case("padding of half the window", lambda rng: noise(rng, (4, 3), padding=(2, 1))),
                Case("padding beyond half of the window", lambda rng: noise(rng, 3, padding=2)),
                Case("padding beyond half of the window down", lambda rng: noise(rng, (3, 4), padding=(2, 1))),
                Case("padding beyond half of the window across", lambda rng: noise(rng, (4, 3), padding=(1, 2))),
                Case(
                    "a window higher than the padded image", lambda rng: noise(rng, (9, 3), x=(1, 2, 5, 4), padding=1)
                ),
                Case(
                    "a window larger than the padded image", lambda rng: noise(rng, (3, 9), x=(1, 2, 5, 4), padding=1)
                ),
                Case("one row for a window of two, stride 2", lambda rng: noise(rng, 2, x=(2, 3, 1, 6), stride=2)),
                Case("one column for a window of two, stride 3", lambda rng: noise(rng, 2, x=(2, 3, 5, 1), stride=3)),
            ],
            raises(),
        ),
    ],
)


def pooled(
    rng: Generator,
    *settings: Any,
    x: Sequence[int] = (3, 2, 7, 10),
    stride: Any = None,
    padding: Any = None,
    dtype: Any = np.float64,
) -> Inputs:
    """Gradients for the outputs of windows of ``settings[0]``, and images whose values are at least 0.1 apart."""
    kernel = np.broadcast_to(settings[0], 2)
    sides = zip(x[2:], kernel, np.broadcast_to(stride or kernel, 2), np.broadcast_to(padding or 0, 2), strict=True)
    dy = rng.normal(size=(*x[:2], *((n + 2 * p - k) // s + 1 for n, k, s, p in sides)))
    images = (rng.permutation(np.prod(x)).reshape(x) - np.prod(x) / 2) / 10
    chosen = {name: value for name, value in (("stride", stride), ("padding", padding)) if value is not None}
    return inputs(dy.astype(dtype), images.astype(dtype), *settings, **chosen)


def alone_in_padding(rng: Generator, size: float = 1.0) -> Inputs:
    """No pixel competes with another, but each with what a padding may hold."""
    given = pooled(rng, 2, x=(2, 3, 2, 2), padding=1)
    dy, x, kernel = given.args
    return Inputs((dy, np.full_like(x, size * rng.uniform(-2, -1)), kernel), given.kwargs)


def widely(rng: Generator, far: float, dtype: Any = np.float64) -> Inputs:
    """An image far below zero, and one far above."""
    given = pooled(rng, 3, x=(2, 3, 7, 10), stride=3, padding=1)
    dy, x, kernel = given.args
    x[0] -= x.max() + 1
    x[1] -= x[1].min() - 1
    return Inputs((dy.astype(dtype), (x / abs(x).max() * far).astype(dtype), kernel), given.kwargs)


def close_calls(rng: Generator) -> Inputs:
    """The two largest values of every window differ by 1e-9, which is less than np.isclose sees."""
    dy, x, kernel = pooled(rng, (2, 3), x=(2, 3, 6, 9)).args
    first = np.zeros_like(x, bool)
    first[:, :, ::2, ::3] = True
    largest = x.reshape(2, 3, 3, 2, 3, 3).max(axis=(3, 5)).repeat(2, axis=2).repeat(3, axis=3)
    return inputs(dy, np.where(first & (x < largest), largest - 1e-9, x), kernel)


def faint_calls(rng: Generator) -> Inputs:
    dy, x, kernel = pooled(rng, (2, 3), x=(2, 3, 6, 9)).args
    return inputs(dy, 1e-15 * x, kernel)


def tied(rng: Generator, low: int) -> Inputs:
    """Windows side by side in which several pixels share the largest value."""
    dy = rng.uniform(0.5, 1.5, size=(3, 2, 3, 2)) * rng.choice([-1, 1], size=(3, 2, 3, 2))
    return inputs(dy, rng.integers(low, low + 2, size=(3, 2, 6, 8)).astype(float), (2, 4))


def on_maxima(given: Inputs, got: np.ndarray) -> Failure | None:
    """Each window's gradient lies on its maxima, in shares that are not negative and make up the whole."""
    dy, x, (kh, kw) = given.args
    n, c, rows, columns = dy.shape

    def windows(images: np.ndarray) -> np.ndarray:
        apart = images.reshape(n, c, rows, kh, columns, kw)
        return apart.transpose(0, 1, 2, 4, 3, 5).reshape(n, c, rows, columns, kh * kw)

    shares, candidates = windows(got) / dy[..., None], windows(x)
    elsewhere = shares[candidates < candidates.max(axis=-1, keepdims=True)]
    if shares.min() >= -1e-9 and abs(elsewhere).max() <= 1e-9 and abs(shares.sum(axis=-1) - 1).max() <= 1e-9:
        return None
    return Failure("values", "does not hand the gradient of each window to its maxima, once in all")


MAX_POOL_BACKWARD = Exercise(
    "max_pool_backward",
    "lenet5",
    [
        Criterion(
            "values",
            [
                Case("windows of 3 by 2, side by side", lambda rng: pooled(rng, (3, 2))),
                Case("one number for the window", lambda rng: pooled(rng, 2, x=(2, 3, 7, 9))),
                Case("maxima that win by a hair", close_calls),
                Case("maxima that are as small as a hair", faint_calls),
                Case("one window", lambda rng: pooled(rng, (4, 5), x=(2, 3, 4, 5))),
                Case("one window, with pixels left over", lambda rng: pooled(rng, (2, 3), x=(2, 3, 3, 5))),
                Case("one pixel", lambda rng: pooled(rng, 1, x=(1, 1, 1, 1))),
            ],
        ),
        Criterion(
            "overlaps",
            [
                Case("windows of 3 by 4, stride 2, 1", lambda rng: pooled(rng, (3, 4), stride=(2, 1))),
                Case("3 by 3 windows, stride 2, 1", lambda rng: pooled(rng, 3, x=(2, 3, 7, 9), stride=(2, 1))),
                Case("stride 1", lambda rng: pooled(rng, 2, x=(1, 3, 4, 6), stride=1)),
            ],
        ),
        Criterion(
            "padding",
            [
                Case("padding 1", lambda rng: pooled(rng, 3, x=(2, 3, 7, 10), stride=3, padding=1)),
                Case(
                    "padding 2 down, 1 across",
                    lambda rng: pooled(rng, (4, 3), x=(3, 2, 8, 10), stride=(4, 3), padding=(2, 1)),
                ),
                Case("padding 0 down, 1 across", lambda rng: pooled(rng, (1, 2), stride=2, padding=(0, 1))),
                Case("one pixel in each padded window, all of them equal", alone_in_padding),
                Case(
                    "one pixel in each padded window, all of them far below zero", partial(alone_in_padding, size=1e17)
                ),
                Case(
                    "a window wider than the images",
                    lambda rng: pooled(rng, (2, 5), x=(2, 3, 4, 2), stride=(2, 1), padding=(0, 2)),
                ),
                Case("values far below zero, float32", partial(widely, far=1e38, dtype=np.float32)),
                Case("values from -1e308 to 1e308", partial(widely, far=1e308)),
            ],
        ),
        Criterion(
            "ties",
            [
                Case("zeros and ones", partial(tied, low=0)),
                Case("negative ties", partial(tied, low=-2)),
            ],
            judged(on_maxima),
        ),
    ],
)


AVG_POOL_FORWARD = Exercise(
    "avg_pool_forward",
    "lenet5",
    [
        Criterion(
            "values",
            [
                Case("windows of 3 by 2, side by side", lambda rng: noise(rng, (3, 2))),
                Case("one number for the window", lambda rng: noise(rng, 2, x=(2, 3, 7, 9))),
                Case("overlapping windows of 3 by 3, stride 2, 1", lambda rng: noise(rng, 3, stride=(2, 1))),
                Case("a stride larger than the window", lambda rng: noise(rng, (1, 2), stride=3)),
                Case("one window, with pixels left over", lambda rng: noise(rng, (2, 3), x=(2, 3, 3, 5))),
                Case("a transposed array", lambda rng: turned(rng, (2, 3), stride=2)),
                Case("float32", lambda rng: noise(rng, (2, 5), dtype=np.float32)),
                Case("a large image, float32", lambda rng: inputs(1 + rng.random((1, 1, 230, 250), np.float32), 2)),
                Case("one pixel", lambda rng: noise(rng, 1, x=(1, 1, 1, 1))),
            ],
        )
    ],
)


def of_any_kind(rng: Generator) -> Inputs:
    """Images that hold what no number is."""
    dy, x, kernel = pooled(rng, (3, 2)).args
    x[:, 0, 1::2] = np.nan
    x[0, :, :, ::3] = np.inf
    return inputs(dy, x, kernel)


AVG_POOL_BACKWARD = Exercise(
    "avg_pool_backward",
    "lenet5",
    [
        Criterion(
            "values",
            [
                Case("windows of 3 by 2, side by side", lambda rng: pooled(rng, (3, 2))),
                Case("one number for the window", lambda rng: pooled(rng, 2, x=(2, 3, 11, 9))),
                Case("images that hold NaN and infinity", of_any_kind),
                Case("one window", lambda rng: pooled(rng, (4, 5), x=(2, 3, 4, 5))),
                Case("one window, with pixels left over", lambda rng: pooled(rng, (2, 3), x=(2, 3, 3, 5))),
                Case("float32", lambda rng: pooled(rng, (2, 3), dtype=np.float32)),
                Case("one pixel", lambda rng: pooled(rng, 1, x=(1, 1, 1, 1))),
            ],
        ),
        Criterion(
            "overlaps",
            [
                Case("windows of 3 by 4, stride 2, 1", lambda rng: pooled(rng, (3, 4), stride=(2, 1))),
                Case("3 by 3 windows, stride 2, 1", lambda rng: pooled(rng, 3, x=(2, 3, 7, 9), stride=(2, 1))),
                Case("a stride larger than the window", lambda rng: pooled(rng, (2, 1), stride=3)),
            ],
        ),
    ],
)

MIN_POOL_ZERO_FRACTION = Exercise(
    "min_pool_zero_fraction",
    "lenet5",
    [
        Criterion(
            "values",
            [
                Case("windows of 2 by 2", lambda rng: inputs(rng.normal(0.7, 1, size=(3, 2, 8, 10)), 2)),
                Case(
                    "windows of 1 by 3 that leave a column over",
                    lambda rng: inputs(rng.normal(size=(2, 3, 5, 7)), (1, 3)),
                ),
                Case("windows of 3 by 2", lambda rng: inputs(rng.normal(1.5, 1, size=(3, 4, 7, 9)), (3, 2))),
                Case("positive values", lambda rng: inputs(rng.uniform(0.1, 2, size=(2, 3, 4, 6)), 2)),
                Case("values of 1e-12", lambda rng: inputs(1e-12 * rng.normal(1.5, 1, size=(2, 3, 6, 8)), 2)),
                Case("many values of 1e-12", lambda rng: inputs(1e-12 * rng.uniform(1, 2, size=(2, 3, 6, 7)), (6, 7))),
                Case(
                    "values of 1e-30, float32",
                    lambda rng: inputs((1e-30 * rng.normal(1.5, 1, size=(2, 3, 6, 8))).astype(np.float32), (2, 3)),
                ),
            ],
        )
    ],
)


# Linear layers

FLATTEN = Exercise(
    "flatten",
    "lenet5",
    [
        Criterion(
            "values",
            [
                Case("sizes that all differ", lambda rng: noise(rng, x=(2, 3, 4, 5))),
                Case("one image", lambda rng: noise(rng, x=(1, 4, 3, 2))),
                Case("a transposed array", turned),
                Case("one image, column by column in memory", lambda rng: noise(rng, x=(1, 4, 3, 2)), copies="fortran"),
                Case("one pixel", lambda rng: noise(rng, x=(1, 1, 1, 1))),
                Case("8 bits", lambda rng: inputs(rng.integers(0, 256, size=(2, 3, 2, 4), dtype=np.uint8))),
                Case("64 bits", lambda rng: inputs(rng.integers(2**61, 2**62, size=(2, 2, 3, 4)))),
                Case("truth values", lambda rng: inputs(rng.random((2, 3, 4, 5)) < 0.5)),
                Case("half precision", lambda rng: noise(rng, x=(2, 3, 2, 4), dtype=np.float16)),
            ],
            every(close(), same_dtype()),
        )
    ],
)


def linear(rng: Generator, n: int = 4, size: int = 3, out: int = 5, dtype: Any = np.float64) -> list[np.ndarray]:
    return [rng.normal(size=shape).astype(dtype) for shape in ((n, size), (out, size), (out,))]


LINEAR_FORWARD = Exercise(
    "linear_forward",
    "lenet5",
    [
        Criterion(
            "values",
            [
                Case("4 vectors, from 3 to 5", lambda rng: inputs(*linear(rng))),
                Case("as many inputs as outputs", lambda rng: inputs(*linear(rng, size=4, out=4))),
                Case("one vector", lambda rng: inputs(*linear(rng, n=1, size=6, out=2))),
                Case("one number", lambda rng: inputs(*linear(rng, n=1, size=1, out=1))),
                Case("float32", lambda rng: inputs(*linear(rng, dtype=np.float32))),
            ],
        )
    ],
)


def linear_gradient(rng: Generator, **sizes: Any) -> Inputs:
    x, w, b = linear(rng, **sizes)
    return inputs(rng.normal(size=(len(x), len(b))).astype(x.dtype), x, w)


LINEAR_GRADIENTS = [
    Case("4 vectors, from 3 to 5", linear_gradient),
    Case("all sizes equal", partial(linear_gradient, n=3, size=3, out=3)),
    Case("one vector", partial(linear_gradient, n=1, size=6, out=2)),
    Case("one number", partial(linear_gradient, n=1, size=1, out=1)),
    Case("float32", partial(linear_gradient, n=2, dtype=np.float32)),
]

LINEAR_BACKWARD = Exercise(
    "linear_backward",
    "lenet5",
    [Criterion(name, LINEAR_GRADIENTS, close(part=part)) for part, name in enumerate(("dx", "dw", "db"))],
)


# Equivariance


def shifted(title: str, down: int, right: int, shape: Sequence[int] = (2, 3, 5, 7)) -> Case:
    return Case(title, lambda rng: inputs(rng.normal(size=shape), down, right))


SHIFT_IMAGE = Exercise(
    "shift_image",
    "lenet5",
    [
        Criterion(
            "values",
            [
                shifted("down and to the right", 2, 3),
                shifted("up and to the left", -1, -2),
                shifted("down and to the left", 1, -3),
                shifted("across only, without leading axes", 0, 2, (4, 6)),
                shifted("not at all", 0, 0),
                shifted("as many rows as there are", 5, 0),
                shifted("more columns than there are, to the left", 1, -9, (3, 4, 6)),
                shifted("far up", -8, 1),
                shifted("a thousand rows up and columns to the right", -1000, 1000),
                shifted("one pixel", 0, 0, (1, 1)),
            ],
        ),
        Criterion(
            "dtype",
            [
                Case("8 bits", lambda rng: inputs(rng.integers(1, 256, size=(5, 7), dtype=np.uint8), 1, 2)),
                Case("64 bits", lambda rng: inputs(rng.integers(2**61, 2**62, size=(4, 6)), 1, -2)),
                Case("float32", lambda rng: noise(rng, 2, 1, x=(2, 5, 4), dtype=np.float32)),
                Case("truth values", lambda rng: inputs(rng.random((2, 4, 5)) < 0.5, -1, 1)),
                Case("half precision", lambda rng: noise(rng, -1, 2, x=(5, 4), dtype=np.float16)),
            ],
            same_dtype(),
        ),
    ],
)


def layer(rng: Generator, kernel: Sequence[int] = (3, 2), channels: int = 3, filters: int = 4, **settings: Any) -> Any:
    """Coefficients of a convolution layer with biases, and of what follows it."""
    random = {
        "weight": rng.normal(size=(filters, channels, *kernel)),
        "bias": rng.uniform(0.5, 1, size=filters),
        "gain": None,
    }
    fixed = {"step": 1, "padding": 0, "relu": False, "pool": 1, "over_all": False, "spread": False}
    return {**random, **fixed, **settings}


LARGE = (2, 3, 17, 19)


def moved(
    title: str,
    shift: tuple[int, int],
    margin: int | None = None,
    stride: int | None = None,
    gain: tuple[int, int] | None = None,
    peak: tuple[int, int] = (2, 3),
    bias: float | None = None,
    x: Sequence[int] = (2, 3, 11, 13),
    size: float = 1.0,
    **kind: Any,
) -> Case:
    """A question about the layer of this kind under this shift; ``gain`` is the size of its output."""

    def make(rng: Generator) -> Inputs:
        coefficients = layer(rng, **kind)
        if gain:
            coefficients["gain"] = rng.uniform(0.5, 1.5, size=gain)
            coefficients["gain"][peak] = 50  # a place that decides over the maximum
        if bias is not None:
            coefficients["bias"] = np.full(4, bias)
        chosen = {name: value for name, value in (("stride", stride), ("margin", margin)) if value is not None}
        return inputs(coefficients, size * rng.normal(size=x), shift, **chosen)

    return Case(title, make, "equivariance_error")


def nearly_equivariant(rng: Generator) -> Inputs:
    """One place has a gain of a little less than 1. All numbers are exact, and the largest is a power of two."""
    coefficients = layer(rng, kernel=(1, 1), channels=1, filters=1, weight=np.ones((1, 1, 1, 1)), bias=np.zeros(1))
    coefficients["gain"] = np.ones((11, 13))
    coefficients["gain"][4, 6] -= 2.0**-43
    return inputs(coefficients, rng.integers(4, 9, size=(2, 1, 11, 13)).astype(float), (1, -2))


EQUIVARIANCE_ERROR = Exercise(
    "equivariance_error",
    "lenet5",
    [
        Criterion(
            "values",
            [
                moved("a convolution with its borders", (1, -2)),
                moved("a padded convolution with its borders", (-2, 1), kernel=(3, 3), padding=1),
                moved("a gain that depends on the place", (1, 3), gain=(9, 12), relu=True),
                moved("a point by point layer without bias", (2, -1), kernel=(1, 1), bias=0.0),
                moved("a convolution away from its borders, down and to the left", (2, -1), margin=2),
                moved("a convolution away from its borders, up and to the right", (-2, 1), margin=2),
                moved("a gain away from the borders", (1, 2), margin=1, gain=(9, 12), peak=(3, 8)),
                moved("the largest values in the margin", (1, 2), margin=2, gain=(9, 12), peak=(0, 3)),
                moved("the largest value beside the margin", (-3, 0), margin=1, gain=(9, 12), peak=(3, 1)),
                moved("a margin smaller than the shift", (-3, 1), margin=2),
                moved("a layer that hands on what it gets", (2, -3), weight=None),
                Case("a gain of nearly 1 at one place", nearly_equivariant, "equivariance_error"),
                moved("a mean that is spread over each map", (-3, 2), margin=1, spread=True),
                replace(moved("images with other strides", (1, -2)), copies="strided", lent=["x"]),
            ],
        ),
        Criterion(
            "stride",
            [
                moved("a convolution of stride 2", (4, 2), margin=2, stride=2, step=2, kernel=(2, 3), x=LARGE),
                moved("max pooling of 3 by 3", (3, 6), margin=2, stride=3, kernel=(1, 1), pool=3, x=LARGE),
                moved(
                    "a gain behind stride 2", (4, 2), margin=2, stride=2, step=2, kernel=(2, 3), gain=(8, 9), x=LARGE
                ),
            ],
        ),
        Criterion(
            "zeros",
            [
                moved("nothing left of image and answer", (11, 0), margin=1, bias=0.0),
                moved("nothing left of the answer", (0, -13), margin=1, bias=1.0),
                moved("silence", (1, 1), margin=2, bias=-1e9, relu=True),
                moved("next to nothing", (1, -2), bias=0.0, size=1e-14),
                moved("nothing left of the answer, a bias of 1e-14", (0, -13), margin=1, bias=1e-14),
            ],
        ),
    ],
)


def spikes(rng: Generator, border: int, pixels: int = 1, **kind: Any) -> Inputs:
    """Images with a few bright pixels, at least ``border`` pixels inside, and shifts by up to two pixels."""
    n, height, width = 11, 8, 12
    x = np.zeros((n, 1, height, width))
    for _ in range(pixels):
        rows, columns = rng.integers(border, height - border, n), rng.integers(border, width - border, n)
        x[np.arange(n), 0, rows, columns] = rng.uniform(0.1, 2, n)
    shifts = np.concatenate([[[0, 0], [0, 1], [-1, 0]], rng.integers(-2, 3, size=(4, 2))])
    return inputs(layer(rng, kernel=(1, 1), channels=1, filters=2, **kind), x, shifts)


def faint(rng: Generator, scale: float) -> Inputs:
    """Biases would round such small differences away."""
    coefficients, x, shifts = spikes(rng, border=0).args
    return inputs({**coefficients, "bias": np.zeros(2)}, scale * x, shifts)


def at_the_limit(rng: Generator) -> Inputs:
    """Every change is one of exactly 1e-12."""
    coefficients, x, shifts = spikes(rng, border=0).args
    return inputs({**coefficients, "weight": np.ones((2, 1, 1, 1)), "bias": np.zeros(2)}, 1e-12 * (x > 0), shifts)


def below_the_limit(rng: Generator) -> Inputs:
    """Several entries change, each by less than 1e-12."""
    coefficients, x, shifts = spikes(rng, border=0, pixels=3).args
    return inputs({**coefficients, "weight": np.ones((2, 1, 1, 1)), "bias": np.zeros(2)}, 9e-13 * (x > 0), shifts)


def on_a_hill(rng: Generator) -> Inputs:
    """Changes that are small beside what changes."""
    coefficients, x, shifts = spikes(rng, border=0).args
    return inputs({**coefficients, "bias": np.full(2, 1e6)}, 1e-7 * (1 + x) * (x > 0), shifts)


def one_shift(rng: Generator) -> Inputs:
    coefficients, x, shifts = spikes(rng, border=2, pool=2).args
    return inputs(coefficients, x[:1], shifts[1:2])


INVARIANCE_RATE = Exercise(
    "invariance_rate",
    "lenet5",
    [
        Criterion(
            "values",
            [
                Case("2 by 2 max pooling", partial(spikes, border=0, pool=2), "invariance_rate"),
                Case("4 by 4 max pooling", partial(spikes, border=2, pool=4), "invariance_rate"),
                Case("no pooling", partial(spikes, border=0), "invariance_rate"),
                Case(
                    "one number for each image", partial(spikes, border=2, pixels=20, over_all=True), "invariance_rate"
                ),
                Case("one number, pixels that leave", partial(spikes, border=0, over_all=True), "invariance_rate"),
                Case("pixels as faint as 1e-11", partial(faint, scale=1e-11), "invariance_rate"),
                Case("pixels fainter than 1e-13", partial(faint, scale=1e-14), "invariance_rate"),
                Case("one image and one shift", one_shift, "invariance_rate"),
                Case("changes of exactly 1e-12", at_the_limit, "invariance_rate"),
                Case("several changes of less than 1e-12", below_the_limit, "invariance_rate"),
                Case("small changes of large values", on_a_hill, "invariance_rate"),
                Case("a layer that hands on what it gets", partial(spikes, border=0, weight=None), "invariance_rate"),
                Case("a mean that is spread over each map", partial(spikes, border=0, spread=True), "invariance_rate"),
                Case(
                    "images with other strides",
                    partial(spikes, border=0, pixels=3),
                    "invariance_rate",
                    copies="strided",
                    lent=["x"],
                ),
            ],
            every(close(), same_dtype()),
        )
    ],
)


# Counting


def drawn(rng: Generator, number: int, low: int = 2, high: int = 30) -> list[int]:
    """Numbers that are all different."""
    chosen: list[int] = rng.choice(np.arange(low, high), number, replace=False).tolist()
    return chosen


def plan(rng: Generator, first_over: int, second_over: int) -> Inputs:
    """A network whose poolings leave a row over or not."""
    channels, first, second, one, two, classes = drawn(rng, 6)
    kernel = int(rng.integers(2, 5))
    side = 2 * (2 * int(rng.integers(3, 6)) + second_over + kernel - 1) + first_over + kernel - 1
    return inputs(side, channels, (first, second), kernel, (one, two), classes)


PARAMETER_TABLE = Exercise(
    "parameter_table",
    "lenet5",
    [
        Criterion(
            "values",
            [
                Case("LeNet-5", fixed()),
                Case("a row over at the first pooling", partial(plan, first_over=1, second_over=0)),
                Case("a row over at the second pooling", partial(plan, first_over=0, second_over=1)),
                Case("a row over at both", partial(plan, first_over=1, second_over=1)),
                Case(
                    "colour images of another size, many hidden units",
                    lambda rng: inputs(
                        size=int(rng.integers(36, 60)), in_channels=3, hidden=tuple(drawn(rng, 2, 4500, 6000))
                    ),
                ),
            ],
        )
    ],
)


def shapes(rng: Generator, *kernel_size: Any) -> Inputs:
    sides = drawn(rng, 6, 2, 20)
    return inputs(tuple(sides[:3]), tuple(sides[3:]), *kernel_size)


def many(rng: Generator, *kernel_size: Any) -> Inputs:
    """Sizes whose count is odd and beyond 2 ** 24, which single precision cannot hold."""
    sides = drawn(rng, 6, 15, 25)
    return inputs(tuple(2 * side for side in sides[:3]), tuple(2 * side + 1 for side in sides[3:]), *kernel_size)


DENSE_PARAMETER_COUNT = Exercise(
    "dense_parameter_count",
    "lenet5",
    [Criterion("values", [Case("sizes that all differ", shapes), Case("millions", many)])],
)

LOCALLY_CONNECTED_PARAMETER_COUNT = Exercise(
    "locally_connected_parameter_count",
    "lenet5",
    [
        Criterion(
            "values",
            [
                Case("a window of 3 by 2", lambda rng: shapes(rng, (3, 2))),
                Case("one number for the window, millions", lambda rng: many(rng, 5)),
            ],
        )
    ],
)


# LeNet-5

SHAPES = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5), "fc1": (120, 400), "fc2": (84, 120), "fc3": (10, 84)}


def network(rng: Generator, dtype: Any = np.float64) -> dict[str, np.ndarray]:
    """Random parameters of LeNet-5 under which about half of all units are active; biases are not zero."""
    params = {}
    for name, shape in SHAPES.items():
        params[f"{name}.weight"] = (rng.normal(size=shape) * np.sqrt(2 / np.prod(shape[1:]))).astype(dtype)
        params[f"{name}.bias"] = rng.uniform(-0.5, 0.5, size=shape[0]).astype(dtype)
    return params


def digits(rng: Generator, n: int, dtype: Any = np.float64, bright: float = 1) -> np.ndarray:
    """Images of which the first is ``bright`` if wanted."""
    x = rng.normal(size=(n, 1, 32, 32)).astype(dtype)
    x[0] *= bright
    return x


LENET5_FORWARD = Exercise(
    "lenet5_forward",
    "lenet5",
    [
        Criterion(
            "values",
            [
                Case("three images", lambda rng: inputs(network(rng), digits(rng, 3))),
                Case("one image, as bright as bytes", lambda rng: inputs(network(rng), digits(rng, 1, bright=255))),
                Case("float32", lambda rng: inputs(network(rng, np.float32), digits(rng, 2, np.float32))),
            ],
        )
    ],
)


def lesson(rng: Generator, n: int, logits: float = 0, bright: float = 1, level: float = 0) -> Inputs:
    """A batch; with ``logits`` far from one another, or all of them near a ``level``, or a first image that is
    ``bright``, if wanted.
    """
    params, x = network(rng), digits(rng, n, bright=bright)
    params["fc3.bias"] = params["fc3.bias"] + logits * rng.permutation(np.linspace(-1, 1, 10)) + level
    return inputs(params, x, rng.integers(0, 10, n))


def at_rest(rng: Generator) -> Inputs:
    """In each layer some units are at exactly 0, where ReLU has its kink; the first image is black."""
    params, x, target = lesson(rng, n=2).args
    x[0] = 0
    params["conv1.bias"][::2] = 0
    for number, name in enumerate(("conv2", "fc1", "fc2")):
        params[f"{name}.weight"][number] = params[f"{name}.bias"][number] = 0
    return inputs(params, x, target)


def faint_units(rng: Generator) -> Inputs:
    """In each hidden layer the units are as small as others' rounding errors; the last one makes up for it."""
    params, x, target = lesson(rng, n=2).args
    for name in ("conv1.weight", "conv1.bias", "conv2.bias", "fc1.bias", "fc2.bias"):
        params[name] *= 1e-12
    params["fc3.weight"] *= 1e12
    return inputs(params, x, target)


LESSONS = [
    Case("three images", partial(lesson, n=3)),
    Case("one image", partial(lesson, n=1)),
    Case("units at exactly 0", at_rest),
    Case("units of 1e-12", faint_units),
]

LARGE_LESSONS = [
    Case("large logits", partial(lesson, n=2, logits=2000)),
    Case("logits as large as 1e5", partial(lesson, n=2, logits=1e5)),
    Case("all logits near 1e5", partial(lesson, n=2, level=9.99e4)),
    Case("all logits near -1e5", partial(lesson, n=2, level=-9.99e4)),
    Case("one image far brighter than the others", partial(lesson, n=3, bright=1e4)),
]

LENET5_LOSS_AND_GRADIENTS = Exercise(
    "lenet5_loss_and_gradients",
    "lenet5",
    [
        Criterion("loss", [*LESSONS, *LARGE_LESSONS], close(part=0)),
        *(
            Criterion(name, [*LESSONS, *more], close(part=entries(f"{name}.", part=1)))
            for name, more in {"fc3": LARGE_LESSONS, "fc2": [], "fc1": [], "conv2": [], "conv1": []}.items()
        ),
    ],
    cpu_limit=5.0,
)


def step(rng: Generator, moving: bool = True, **settings: Any) -> Inputs:
    """Parameters, gradients and velocities, which do not stand in one order."""
    sizes = {"conv1.weight": (3, 1, 2, 2), "fc1.weight": (4, 3), "fc1.bias": (4,), "fc2.weight": (1, 1)}
    params, grads, velocity = ({name: rng.normal(size=shape) for name, shape in sizes.items()} for _ in range(3))
    grads = dict(sorted(grads.items(), reverse=True))
    if not moving:
        velocity = {name: np.zeros_like(value) for name, value in velocity.items()}
    return inputs(params, grads, velocity, **settings)


def alike(rng: Generator) -> Inputs:
    """Parameters of one shape, each dictionary in another order."""
    orders = ["abc", "cab", "bca"]
    return inputs(*({name: rng.normal(size=(2, 3)) for name in order} for order in orders), lr=0.1)


STEPS = [
    Case("a velocity that is not zero", partial(step, lr=0.1)),
    Case("the first step", partial(step, moving=False, lr=0.3)),
    Case("another momentum", partial(step, lr=0.02, momentum=0.4)),
    Case("no momentum", partial(step, lr=0.02, momentum=0.0)),
    Case("momentum 1", partial(step, lr=0.02, momentum=1.0)),
    Case("parameters of one shape", alike),
]

SGD_MOMENTUM_STEP = Exercise(
    "sgd_momentum_step",
    "lenet5",
    [Criterion("values", STEPS)],
)


def course(rng: Generator, sizes: Sequence[int], twice: bool = False, **settings: Any) -> Inputs:
    """Images in no order, and a batch of each size, whose first image comes ``twice`` if wanted."""
    n = 17
    batches = [rng.permutation(n)[:size] for size in sizes]
    if twice:
        batches = [np.append(batch, batch[0]) for batch in batches]
    return inputs(network(rng), digits(rng, n), rng.integers(0, 10, n), batches, **settings)


COURSES = [
    Case("twenty steps", partial(course, sizes=[2, 3] * 10, lr=0.01), training=True),
    Case("three steps with another momentum", partial(course, sizes=[4, 2, 3], lr=0.05, momentum=0.5)),
    Case("two steps without momentum", partial(course, sizes=[2, 1], lr=0.05, momentum=0.0)),
    Case("three steps of momentum 1", partial(course, sizes=[1, 1, 1], lr=0.01, momentum=1.0)),
    Case("one step", partial(course, sizes=[2], lr=0.01)),
    Case("images that come twice", partial(course, sizes=[2, 3], twice=True, lr=0.01)),
]

TRAIN = Exercise(
    "train",
    "lenet5",
    [Criterion("parameters", COURSES, close(part=0)), Criterion("losses", COURSES, close(part=1))],
    cpu_limit=10.0,
)


# PyTorch


def module(rng: Generator, n: int, dtype: Any = np.float64, bright: float = 1, **settings: Any) -> Inputs:
    return inputs(
        network(rng, dtype), digits(rng, n, dtype, bright), rng.normal(size=(n, 10)).astype(dtype), **settings
    )


THREE = Case("three images", partial(module, n=3), "lenet5_module")

LENET5 = Exercise(
    "LeNet5",
    "lenet5_torch",
    [
        Criterion(
            "values",
            [
                THREE,
                Case(
                    "one image, as bright as bytes, in evaluation mode",
                    partial(module, n=1, bright=255, training=False),
                    "lenet5_module",
                ),
                Case("float32", partial(module, n=2, dtype=np.float32), "lenet5_module"),
                Case("channels last", partial(module, n=2, channels_last=True), "lenet5_module"),
                Case("transposed and sliced", partial(module, n=2), "lenet5_module", copies="strided", lent=["x"]),
            ],
            every(conforming(part="logits"), close(part="different")),
        ),
        Criterion(
            "gradients", [THREE, Case("two images", partial(module, n=2), "lenet5_module")], close(part="gradients")
        ),
    ],
)


def classifier(rng: Generator, norm: bool) -> dict[str, np.ndarray]:
    """Parameters of a small classifier of 3 x 4 images, five classes, with or without batch normalization."""
    sizes = {"first.weight": (7, 12), "first.bias": (7,), "last.weight": (5, 7), "last.bias": (5,)}
    params = {name: rng.normal(size=shape) for name, shape in sizes.items()}
    if norm:
        params |= {f"norm.{name}": rng.uniform(0.5, 2, size=7) for name in ("weight", "bias", "running_var")}
        params["norm.running_mean"] = rng.normal(size=7)
    return params


def batches(rng: Generator, sizes: Sequence[int]) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(rng.normal(size=(n, 1, 3, 4)), rng.integers(0, 5, n)) for n in sizes]


def epoch(
    rng: Generator, sizes: Sequence[int], norm: bool = False, training: bool | Sequence[bool] = True, groups: int = 1
) -> Inputs:
    """``training`` may be told for each module, the root first."""
    modes = np.resize(training, 9 if norm else 8)
    return inputs(classifier(rng, norm), batches(rng, sizes), modes, lr=0.2, momentum=0.5, groups=groups)


def far_apart(given: Inputs, level: float) -> Inputs:
    """The same with logits near a level and thousands apart, of which the last is the largest, but for one image with a
    bright pixel, which lies thousands above the others of its batch.
    """
    params, pairs, *others = given.args
    params["first.weight"][:, 0] = 1
    params["last.weight"] = abs(params["last.weight"])
    params["last.bias"] = level + 1e3 * np.arange(5)
    pairs[-1][0][0, 0, 0, 0] = 600
    return Inputs((params, [(x, np.arange(len(x)) % 4 + 1) for x, _ in pairs], *others), given.kwargs)


TWO = [
    Case("two batches, the last one smaller", partial(epoch, sizes=[6, 2]), "train_epoch"),
    Case("one batch", partial(epoch, sizes=[5]), "train_epoch"),
]
GROUPS = Case("two groups of parameters", partial(epoch, sizes=[3, 4], groups=2), "train_epoch")
STRIDED = Case("transposed and sliced", partial(epoch, sizes=[5, 3]), "train_epoch", copies="strided", lent=["batches"])
PARTLY = [
    Case(
        f"a model whose {title} comes in evaluation mode",
        partial(epoch, sizes=[6], norm=True, training=modes),
        "train_epoch",
    )
    for title, modes in (
        ("normalization", [True, True, True, True, False, True, True, True, True]),
        ("root", [False, *[True] * 8]),
    )
]
MANY = Case("four batches, the last one smaller", partial(epoch, sizes=[4, 4, 4, 3]), "train_epoch")
LARGE_LOGITS = [
    Case("logits near 1e5", lambda rng: far_apart(epoch(rng, sizes=[6, 3]), 8e4), "train_epoch"),
    Case("logits near -1e5", lambda rng: far_apart(epoch(rng, sizes=[5]), -9e4), "train_epoch"),
]
FROM_EVALUATION = Case(
    "a model that comes in evaluation mode", partial(epoch, sizes=[6], norm=True, training=False), "train_epoch"
)

TRAIN_EPOCH = Exercise(
    "train_epoch",
    "lenet5_torch",
    [
        Criterion("loss", [*TWO, *LARGE_LOGITS], close(part="loss")),
        Criterion(
            "parameters", [*TWO, MANY, GROUPS, STRIDED, *LARGE_LOGITS], every(close(part="parameters"), unchanged())
        ),
        Criterion("mode", [FROM_EVALUATION, *PARTLY], every(close(part="parameters"), close(part="modes"))),
    ],
)


def evaluation(rng: Generator, sizes: Sequence[int], modes: Sequence[bool]) -> Inputs:
    return inputs(classifier(rng, norm=True), batches(rng, sizes), np.array(modes))


def large_evaluation(rng: Generator, level: float) -> Inputs:
    return far_apart(evaluation(rng, sizes=[6, 3], modes=[True] * 9), level)


EVALUATIONS = [  # of 23, most shares in single precision are a little too small
    Case(
        "some layers in training mode, a smaller last batch",
        partial(evaluation, sizes=[23, 23, 23, 5], modes=[True, True, False, True, False, True, False, True, True]),
        "evaluate",
    ),
    Case("all in training mode", partial(evaluation, sizes=[23, 23, 3], modes=[True] * 9), "evaluate"),
    Case("all in evaluation mode", partial(evaluation, sizes=[23, 1], modes=[False] * 9), "evaluate"),
    Case("the root in evaluation mode", partial(evaluation, sizes=[9], modes=[False, *[True] * 8]), "evaluate"),
    Case(
        "one of two owners of a part in evaluation mode",
        partial(evaluation, sizes=[7], modes=[True, True, True, True, True, True, True, False, True]),
        "evaluate",
    ),
    Case("logits near 1e5", partial(large_evaluation, level=7e4), "evaluate"),
    Case("logits near -1e5", partial(large_evaluation, level=-9e4), "evaluate"),
    Case(
        "transposed and sliced",
        partial(evaluation, sizes=[4, 3], modes=[True] * 9),
        "evaluate",
        copies="strided",
        lent=["batches"],
    ),
]

EVALUATE = Exercise(
    "evaluate",
    "lenet5_torch",
    [
        Criterion(name, EVALUATIONS, every(close(part=name), unchanged()))
        for name in ("loss", "accuracy", "modes", "gradient")
    ],
)


def loaded(title: str, theirs: Any, mine: str, most: int = 99) -> Case:
    """Arrays of one dtype for a model of another, and a counter."""

    def make(rng: Generator) -> Inputs:
        sizes = {"conv1.weight": (3, 2, 4, 5), "conv1.bias": (3,), "fc1.weight": (6, 7), "fc1.bias": (6,)}
        arrays = {name: rng.normal(size=shape).astype(theirs) for name, shape in sizes.items()}
        for name in ("running_mean", "running_var"):
            arrays[f"norm.{name}"] = rng.uniform(0.5, 2, size=6).astype(theirs)
        count = 2 * rng.integers(most // 4, most // 2) + 1  # odd, so that float32 cannot hold it beyond 2 ** 24
        return inputs({**arrays, "norm.batches": np.array([count])}, mine)

    return Case(title, make, "load_parameters")


LOADED = [
    loaded("float32 into float32, a large counter", np.float32, "float32", most=2**53),
    loaded("float64 into float32", np.float64, "float32"),
    loaded("float64 into float64", np.float64, "float64"),
]

LOAD_PARAMETERS = Exercise(
    "load_parameters",
    "lenet5_torch",
    [Criterion(name, LOADED, close(part=name)) for name in ("values", "kept")],
)

EXERCISES = (
    kept(MAX_POOL_FORWARD),
    kept(MAX_POOL_BACKWARD),
    kept(AVG_POOL_FORWARD),
    kept(AVG_POOL_BACKWARD),
    MIN_POOL_ZERO_FRACTION,
    kept(FLATTEN),
    kept(LINEAR_FORWARD),
    kept(LINEAR_BACKWARD),
    kept(SHIFT_IMAGE),
    EQUIVARIANCE_ERROR,
    kept(INVARIANCE_RATE),
    PARAMETER_TABLE,
    DENSE_PARAMETER_COUNT,
    LOCALLY_CONNECTED_PARAMETER_COUNT,
    kept(LENET5_FORWARD),
    kept(LENET5_LOSS_AND_GRADIENTS),
    kept(SGD_MOMENTUM_STEP),
    kept(TRAIN),
    LENET5,
    TRAIN_EPOCH,
    EVALUATE,
    LOAD_PARAMETERS,
    conventions("lenet5", "dtype", "strides", "arguments", equivariance_error=["x"], invariance_rate=["x"]),
)
