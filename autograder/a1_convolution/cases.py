"""The hidden questions of assignment 1. Sizes differ on every axis, biases are not zero, cotangents are random."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.compare import close, every, raises, same_dtype, unchanged
from autograder.course import Case, Criterion, Exercise, Inputs, Part, inputs

Generator = np.random.Generator

PARTS = (Part("convolution", "numpy"), Part("convolution_torch", "torch"))


def signals(rng: Generator, n: int, m: int) -> Inputs:
    return inputs(rng.normal(size=n), rng.normal(size=m))


CONVOLVE = Exercise(
    "convolve",
    "convolution",
    [
        Criterion(
            "values",
            [
                Case("a longer signal than kernel", partial(signals, n=11, m=4)),
                Case("a longer kernel than signal", partial(signals, n=3, m=7)),
                Case("a kernel of one sample", partial(signals, n=6, m=1)),
                Case("a signal of one sample", partial(signals, n=1, m=5)),
                Case(
                    "every second sample of a longer array",
                    lambda rng: inputs(rng.normal(size=17)[::2], rng.normal(size=3)),
                ),
            ],
        ),
        Criterion(
            "errors",
            [
                Case("two signals that are not empty", partial(signals, n=3, m=2)),
                Case("an empty signal", lambda rng: inputs(np.zeros(0), rng.normal(size=3))),
                Case("an empty kernel", lambda rng: inputs(rng.normal(size=3), np.zeros(0))),
            ],
            raises(),
        ),
    ],
)


IDENTITY = {
    "taps": [1.0],
    "lookahead": 0,
    "gain": [1.0],
    "absolute": 0.0,
    "square": 0.0,
    "product": 0.0,
    "median": 0.0,
    "maximum": 0.0,
    "ceiling": np.inf,
    "offset": 0.0,
    "keep": 1,
}


def animal(title: str, **coefficients: Any) -> Case:
    """A system of the zoo: the identity but for its coefficients. A number of taps or gains is drawn at random."""

    def make(rng: Generator) -> Inputs:
        system = {**IDENTITY, **coefficients}
        for key in ("taps", "gain"):
            if isinstance(system[key], int):
                system[key] = rng.uniform(0.5, 1.5, size=system[key])
        return inputs(system, length=int(rng.integers(16, 25)), seed=int(rng.integers(2**31)))

    return Case(title, make, "is_linear")


IS_LINEAR = Exercise(
    "is_linear",
    "convolution",
    [
        Criterion(
            "systems",
            [
                animal("a filter of four taps", taps=4),
                animal("a delay", taps=[0.0, 0.0, 1.0]),
                animal("a filter that looks ahead", taps=3, lookahead=2),
                animal("a gain that changes with time", gain=5),
                animal("a filter followed by a changing gain", taps=3, gain=4),
                animal("every second sample kept", keep=2),
                animal("silence", taps=[0.0]),
                animal("an offset", offset=0.5),
                animal("a small offset after a filter", taps=3, offset=0.02),
                animal("a square", taps=[0.0], square=1.0),
                animal("a filter with a slight square", taps=3, square=0.01),
                animal("an absolute value", taps=[0.0], absolute=1.0),
                animal("a product of neighbours", taps=[0.0], product=1.0),
                animal("a median of three", taps=[0.0], median=1.0),
                animal("a maximum of three", taps=[0.0], maximum=1.0),
                animal("clipping", ceiling=1.0),
            ],
        )
    ],
)


def image(rng: Generator, shape: Sequence[int], padding: Any, mode: str, dtype: Any = np.float64) -> Inputs:
    return inputs((10 * rng.normal(size=shape)).astype(dtype), padding, mode=mode)


def pads(mode: str) -> list[Case]:
    return [
        Case("one number", partial(image, shape=(4, 6), padding=2, mode=mode)),
        Case("rows and columns apart", partial(image, shape=(5, 4), padding=(1, 3), mode=mode)),
        Case("a batch of channels", partial(image, shape=(2, 3, 4, 5), padding=(2, 1), mode=mode)),
        Case("rows only", partial(image, shape=(3, 5), padding=(2, 0), mode=mode)),
        Case("no padding", partial(image, shape=(3, 4), padding=0, mode=mode)),
    ]


PAD2D = Exercise(
    "pad2d",
    "convolution",
    [
        *(
            Criterion(mode, [Case(f"{mode}: {case.title}", case.make) for case in pads(mode)])
            for mode in ("zeros", "replicate", "reflect")
        ),
        Criterion(
            "errors",
            [
                Case("reflect by less than the size", partial(image, shape=(3, 6), padding=(2, 5), mode="reflect")),
                Case("reflect by the height", partial(image, shape=(3, 6), padding=(3, 1), mode="reflect")),
                Case("reflect by more than the width", partial(image, shape=(6, 3), padding=(1, 4), mode="reflect")),
            ],
            raises(),
        ),
    ],
)


def plane(rng: Generator, size: tuple[int, int], kernel: tuple[int, int], dtype: Any = np.float64) -> Inputs:
    return inputs(rng.normal(size=size).astype(dtype), rng.normal(size=kernel).astype(dtype))


CORRELATE2D = Exercise(
    "correlate2d",
    "convolution",
    [
        Criterion(
            "values",
            [
                Case("a 2 by 3 kernel", partial(plane, size=(7, 10), kernel=(2, 3))),
                Case("a 4 by 1 kernel", partial(plane, size=(6, 5), kernel=(4, 1))),
                Case("a square kernel", partial(plane, size=(5, 8), kernel=(3, 3))),
                Case("a kernel as large as the image", partial(plane, size=(4, 6), kernel=(4, 6))),
                Case("a transposed view", lambda rng: inputs(rng.normal(size=(9, 6)).T, rng.normal(size=(3, 2)).T)),
                Case("float32", partial(plane, size=(8, 6), kernel=(3, 2), dtype=np.float32)),
            ],
        ),
        Criterion(
            "dtype",
            [
                Case("float32 in, float32 out", partial(plane, size=(5, 7), kernel=(2, 3), dtype=np.float32)),
                Case("float64 in, float64 out", partial(plane, size=(5, 7), kernel=(2, 3))),
            ],
            same_dtype(),
        ),
    ],
)


def photograph(
    rng: Generator, shape: Sequence[int], kernel: tuple[int, int], mode: str = "replicate", gain: float = 1.0
) -> Inputs:
    """Random pixels and a kernel that sums to ``gain``. No result lies near a half, where rounding is a choice."""
    while True:
        pixels = rng.integers(0, 256, size=shape).astype(np.uint8)
        weights = rng.uniform(0.1, 1.0, size=kernel)
        given = inputs(pixels, gain * weights / weights.sum(), mode=mode)
        if distance_to_half(given) > 1e-6:
            return given


def distance_to_half(given: Inputs) -> float:
    """How near any filtered pixel comes to a half before rounding."""
    pixels, kernel = given.args
    kh, kw = kernel.shape
    rim = [(kh // 2, kh // 2), (kw // 2, kw // 2)] + [(0, 0)] * (pixels.ndim - 2)
    modes = {"zeros": "constant", "replicate": "edge", "reflect": "reflect"}
    padded = np.pad(pixels.astype(float), rim, modes[given.kwargs["mode"]])  # type: ignore[call-overload]
    windows = np.lib.stride_tricks.sliding_window_view(padded, (kh, kw), axis=(0, 1))
    exact = (windows * kernel).sum((-2, -1))
    return float(np.abs(exact % 1 - 0.5).min())


def edge(rng: Generator) -> Inputs:
    """A kernel whose results leave 0…255 on both sides."""
    kernel = -np.ones((3, 3))
    kernel[1, 1] = 8
    return inputs(rng.integers(0, 256, size=(9, 7)).astype(np.uint8), kernel, mode="replicate")


FILTER_IMAGE = Exercise(
    "filter_image",
    "convolution",
    [
        Criterion(
            "gray",
            [
                Case("3 by 5, replicate", partial(photograph, shape=(9, 12), kernel=(3, 5))),
                Case("5 by 3, zeros", partial(photograph, shape=(10, 7), kernel=(5, 3), mode="zeros")),
                Case("3 by 3, reflect", partial(photograph, shape=(6, 8), kernel=(3, 3), mode="reflect")),
                Case("1 by 3", partial(photograph, shape=(5, 9), kernel=(1, 3))),
            ],
        ),
        Criterion(
            "colour",
            [
                Case("3 by 5 on three channels", partial(photograph, shape=(8, 11, 3), kernel=(3, 5))),
                Case("three columns wide", partial(photograph, shape=(7, 3, 3), kernel=(3, 3), mode="zeros")),
            ],
        ),
        Criterion(
            "range",
            [
                Case("an edge kernel", edge),
                Case("a kernel that brightens", partial(photograph, shape=(8, 6), kernel=(3, 3), gain=2.5)),
                Case("a kernel that negates", partial(photograph, shape=(8, 6), kernel=(3, 3), gain=-1.0)),
            ],
            same_dtype(),
        ),
        Criterion(
            "errors",
            [
                Case("odd sides", partial(photograph, shape=(6, 8), kernel=(3, 5))),
                Case("an even height", lambda rng: inputs(np.zeros((8, 9), np.uint8), rng.normal(size=(2, 3)))),
                Case("an even width", lambda rng: inputs(np.zeros((8, 9), np.uint8), rng.normal(size=(3, 4)))),
            ],
            raises(),
        ),
    ],
    needs=("pad2d", "correlate2d"),
)


def convolution(
    rng: Generator,
    x: Sequence[int] = (3, 2, 7, 10),
    w: Sequence[int] = (5, 2, 3, 2),
    dtype: Any = np.float64,
    **stride_and_padding: Any,
) -> Inputs:
    """x (N, C, H, W), w (F, C, kh, kw) and b (F,)."""
    arrays = (rng.normal(size=x), rng.normal(size=w), rng.normal(size=w[0]))
    return inputs(*(a.astype(dtype) for a in arrays), **stride_and_padding)


SQUARE: dict[str, Any] = {"x": (2, 3, 6, 8), "w": (4, 3, 3, 3)}
FLOAT32: dict[str, Any] = {"dtype": np.float32}

CONV2D_FORWARD = Exercise(
    "conv2d_forward",
    "convolution",
    [
        Criterion(
            "values",
            [
                Case("3 images, 2 channels, 5 filters of 3 by 2", convolution),
                Case("3 by 3 filters", partial(convolution, **SQUARE)),
                Case("one filter", partial(convolution, w=(1, 2, 2, 4))),
                Case("one image of one channel", partial(convolution, x=(1, 1, 5, 7), w=(3, 1, 2, 3))),
                Case("filters as large as the image", partial(convolution, x=(2, 3, 4, 5), w=(6, 3, 4, 5))),
                Case("float32", partial(convolution, **FLOAT32)),
            ],
        ),
        Criterion(
            "stride",
            [
                Case("stride 2", partial(convolution, stride=2)),
                Case("stride 2 down, 3 across", partial(convolution, stride=(2, 3))),
                Case("stride 3 down, 1 across", partial(convolution, stride=(3, 1))),
                Case("stride larger than the filter", partial(convolution, stride=4)),
            ],
        ),
        Criterion(
            "padding",
            [
                Case("padding 1", partial(convolution, padding=1)),
                Case("padding 1 down, 2 across", partial(convolution, padding=(1, 2))),
                Case("padding 0 down, 3 across", partial(convolution, padding=(0, 3))),
                Case("padding 1, 2 with stride 2, 3", partial(convolution, padding=(1, 2), stride=(2, 3))),
            ],
        ),
        Criterion(
            "errors",
            [
                Case("sizes that fit", convolution),
                Case("channels that do not match", partial(convolution, w=(5, 3, 3, 2))),
                Case("a filter higher than the image", partial(convolution, w=(5, 2, 8, 2))),
                Case("a filter wider than the padded image", partial(convolution, w=(5, 2, 3, 13), padding=(3, 1))),
            ],
            raises(),
        ),
        Criterion("dtype", [Case("float32 in, float32 out", partial(convolution, **FLOAT32))], same_dtype()),
    ],
)


def backward(
    rng: Generator,
    x: Sequence[int] = (3, 2, 7, 10),
    w: Sequence[int] = (5, 2, 3, 2),
    stride: Any = 1,
    padding: Any = 0,
    dtype: Any = np.float64,
) -> Inputs:
    """dy (N, F, Ho, Wo), x and w, with dy random: a cotangent of ones would hide mistakes that cancel."""
    (sh, sw), (ph, pw) = np.broadcast_to(stride, 2), np.broadcast_to(padding, 2)
    size = ((x[2] + 2 * ph - w[2]) // sh + 1, (x[3] + 2 * pw - w[3]) // sw + 1)
    arrays = (rng.normal(size=(x[0], w[0], *size)), rng.normal(size=x), rng.normal(size=w))
    return inputs(*(a.astype(dtype) for a in arrays), stride=stride, padding=padding)


PLAIN = [
    Case("stride 1, no padding", backward),
    Case("3 by 3 filters", partial(backward, **SQUARE)),
    Case("one filter", partial(backward, w=(1, 2, 2, 4))),
    Case("one image of one channel", partial(backward, x=(1, 1, 5, 7), w=(3, 1, 2, 3))),
    Case("as many filters as channels", partial(backward, x=(2, 3, 6, 5), w=(3, 3, 2, 3))),
    Case("float32", partial(backward, **FLOAT32)),
]
STRIDED = [
    Case("stride 2, 3 and padding 1, 2", partial(backward, stride=(2, 3), padding=(1, 2))),
    Case("stride 2 that leaves a row over", partial(backward, x=(2, 3, 8, 9), w=(4, 3, 3, 2), stride=2)),
    Case("padding 0 down, 1 across", partial(backward, padding=(0, 1))),
    Case("padding 2", partial(backward, padding=2)),
    Case("stride larger than the filter", partial(backward, stride=4)),
]

CONV2D_BACKWARD = Exercise(
    "conv2d_backward",
    "convolution",
    [
        Criterion("dx", PLAIN, close(part=0)),
        Criterion("dw", PLAIN, close(part=1)),
        Criterion("db", PLAIN, close(part=2)),
        Criterion("dx_strided", STRIDED, close(part=0)),
        Criterion("dw_strided", STRIDED, close(part=1)),
        Criterion("unchanged", [PLAIN[0], STRIDED[0]], every(close(part=1), unchanged())),
    ],
)


def layer(
    rng: Generator,
    x: Sequence[int] = (3, 2, 7, 10),
    w: Sequence[int] = (5, 2, 3, 2),
    stride: Any = 1,
    padding: Any = 0,
    bias: bool = True,
    dtype: Any = np.float64,
) -> Inputs:
    dy, x_, w_ = backward(rng, x, w, stride, padding, dtype).args
    b = rng.normal(size=w[0]).astype(dtype) if bias else None
    return inputs(x_, w_, b, dy, stride, padding)


LAYERS = [
    Case("stride 1, no padding", layer, "conv2d_module"),
    Case("stride 2, 3 and padding 1, 2", partial(layer, stride=(2, 3), padding=(1, 2)), "conv2d_module"),
    Case("stride 2, padding 1, 3 by 3", partial(layer, **SQUARE, stride=2, padding=1), "conv2d_module"),
    Case("no bias", partial(layer, bias=False), "conv2d_module"),
    Case("float32", partial(layer, **FLOAT32, padding=1), "conv2d_module"),
]

CONV2D = Exercise(
    "Conv2d",
    "convolution_torch",
    [
        Criterion(
            "parameters",
            [
                Case("a filter of 3 by 2", lambda rng: inputs(2, 5, (3, 2), True), "conv2d_parameters"),
                Case("a square filter", lambda rng: inputs(4, 3, 5, True), "conv2d_parameters"),
                Case("without a bias", lambda rng: inputs(2, 5, (3, 2), False), "conv2d_parameters"),
            ],
        ),
        Criterion("forward", LAYERS, close(part="y")),
        Criterion("gradients", LAYERS, close(part="gradients")),
    ],
)

EXERCISES = (CONVOLVE, IS_LINEAR, PAD2D, CORRELATE2D, FILTER_IMAGE, CONV2D_FORWARD, CONV2D_BACKWARD, CONV2D)
