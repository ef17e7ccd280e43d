"""The hidden questions of assignment 1. Sizes differ on every axis, biases are not zero, cotangents are random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.compare import (
    RTOL,
    Check,
    Failure,
    close,
    conforming,
    cpu_ratio,
    every,
    or_raises,
    raises,
    returned,
    same_dtype,
)
from autograder.course import Case, Copies, Criterion, Exercise, Inputs, Part, conventions, fixed, inputs, kept
from autograder.outcome import Outcome

Generator = np.random.Generator

PARTS = (Part("convolution", "numpy"), Part("convolution_torch", "torch"))


# Signals and systems


def signals(rng: Generator, n: int, m: int) -> Inputs:
    return inputs(rng.normal(size=n), rng.normal(size=m))


def of_dtypes(make: Callable[[Generator], Inputs], *dtypes: Any) -> Callable[[Generator], Inputs]:
    """The same question with its first arrays in these dtypes; integers are drawn anew, from 0 to 9."""

    def converted(rng: Generator) -> Inputs:
        given = make(rng)
        drawn = [
            rng.integers(0, 10, array.shape) if np.issubdtype(dtype, np.integer) else array
            for array, dtype in zip(given.args, dtypes, strict=False)
        ]
        arrays = [array.astype(dtype) for array, dtype in zip(drawn, dtypes, strict=True)]
        return Inputs((*arrays, *given.args[len(arrays) :]), given.kwargs)

    return converted


def mixed(make: Callable[[Generator], Inputs]) -> list[Case]:
    """Two arrays whose dtypes differ: float64 beside small integers, which count as float64 too, and beside float32."""
    return [
        Case("uint8 and float64", of_dtypes(make, np.uint8, np.float64)),
        Case("float64 and float32", of_dtypes(make, np.float64, np.float32)),
    ]


def large_integers(*shapes: Any) -> Case:
    """Products of them need more digits than float32 has, or 32 bits."""
    return Case("large integers", lambda rng: inputs(*(rng.integers(-(2**24), 2**24, shape) for shape in shapes)))


def narrow(first: int | tuple[int, int], second: int | tuple[int, int]) -> Case:
    """int8 from -128 to 0: absolute values, differences and products wrap, so that an array may seem to be constant,
    or zero. The second has a third number, lest two mistakes cancel.
    """

    def make(rng: Generator) -> Inputs:
        n, m = int(np.prod(first)), int(np.prod(second))
        x = np.r_[-128, rng.permutation(np.resize([0, -128], n - 1))].astype(np.int8)
        h = np.r_[0, rng.permutation(np.resize([-128, -100, 0], m - 1))].astype(np.int8)
        return inputs(x.reshape(first), h.reshape(second))

    return Case("int8, the smallest number of all", make)


def to_precision() -> Check:
    """Close. Where float32 takes part, the values need be no more precise than that; the dtype is the reference's."""
    exactly, roughly, common = close(), close(RTOL["float32"]), same_dtype()

    def check(given: Inputs, got: Outcome, want: Outcome) -> Failure | None:
        dtypes = {array.dtype for array in given.args if isinstance(array, np.ndarray)}
        if np.dtype(np.float32) not in dtypes:
            return exactly(given, got, want)
        return (common if len(dtypes) > 1 else roughly)(given, got, want)

    return check


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
                Case("one sample each", partial(signals, n=1, m=1)),
                *mixed(partial(signals, n=8, m=3)),
                large_integers(7, 4),
            ],
            to_precision(),
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


CROSS_CORRELATE = Exercise(
    "cross_correlate",
    "convolution",
    [
        Criterion(
            "values",
            [
                Case("a template of four samples", partial(signals, n=11, m=4)),
                Case("a template of one sample", partial(signals, n=6, m=1)),
                Case("a template as long as the signal", partial(signals, n=7, m=7)),
                Case("a reversed view", lambda rng: inputs(rng.normal(size=9)[::-1], rng.normal(size=3))),
                Case("float32", lambda rng: inputs(*(rng.normal(size=n).astype(np.float32) for n in (12, 5)))),
                *mixed(partial(signals, n=9, m=4)),
                large_integers(8, 3),
                narrow(9, 4),
            ],
            to_precision(),
        ),
        Criterion(
            "errors",
            [
                Case("a template that fits", partial(signals, n=4, m=3)),
                Case("a template that is too long by one", partial(signals, n=4, m=5)),
                Case("a template that is far too long", partial(signals, n=2, m=9)),
            ],
            raises(),
        ),
    ],
)

CONVOLUTION_MATRIX = Exercise(
    "convolution_matrix",
    "convolution",
    [
        Criterion(
            "values",
            [
                Case("more columns than taps", lambda rng: inputs(rng.normal(size=3), 7)),
                Case("more taps than columns", lambda rng: inputs(rng.normal(size=6), 2)),
                Case("one tap", lambda rng: inputs(rng.normal(size=1), 5)),
                Case("one column", lambda rng: inputs(rng.normal(size=4), 1)),
                Case("one tap and one column", lambda rng: inputs(rng.normal(size=1), 1)),
                Case("integers", lambda rng: inputs(rng.permutation([-128, 127, 0, 1]).astype(np.int8), 3)),
            ],
            every(close(), same_dtype()),
        )
    ],
)


IDENTITY = {
    "taps": [1.0],
    "lookahead": 0,
    "gain": [1.0],
    "absolute": 0.0,
    "square": 0.0,
    "product": 0.0,
    "triple": 0.0,
    "median": 0.0,
    "maximum": 0.0,
    "floor": 0.0,
    "ceiling": np.inf,
    "offset": 0.0,
    "keep": 1,
    "wake": 0.0,
    "spectral": False,
    "turn": [1.0],
    "jump": 0.0,
    "view": 0,
}


def animal(title: str, *, driver: str, length: int = 0, **coefficients: Any) -> Case:
    """A system of the zoo: the identity but for its coefficients. A number of taps or gains is drawn at random, so that
    no two of them are nearly equal, and so is the length of its signals unless given.
    """

    def make(rng: Generator) -> Inputs:
        system = {**IDENTITY, **coefficients}
        for key in ("taps", "gain"):
            if isinstance(number := system[key], int):
                system[key] = 0.5 + (rng.permutation(number) + rng.uniform(0.2, 0.8, number)) / number
        return inputs(system, length=length or int(rng.integers(16, 25)), seed=int(rng.integers(2**31)))

    return Case(title, make, driver)


IMPULSE_RESPONSE = Exercise(
    "impulse_response",
    "convolution",
    [
        Criterion(
            "values",
            [
                animal("a filter of four taps", driver="impulse_response", taps=4),
                animal("a delay", driver="impulse_response", taps=[0.0, 0.0, 1.0]),
                animal("a filter that looks ahead", driver="impulse_response", taps=3, lookahead=2),
                animal("a square", driver="impulse_response", taps=[0.5], square=1.0),
                animal("an offset", driver="impulse_response", offset=0.25),
                animal("a gain that changes with time", driver="impulse_response", taps=5, gain=3),
                animal("a quiet filter", driver="impulse_response", taps=3, gain=[1e-13]),
                animal("a loud filter", driver="impulse_response", taps=3, gain=[1e7]),
            ],
            every(close(), same_dtype()),
        )
    ],
)

linear = partial(animal, driver="is_linear")
invariant = partial(animal, driver="is_time_invariant")

IS_LINEAR = Exercise(
    "is_linear",
    "convolution",
    [
        Criterion(
            "systems",
            [
                linear("a filter of four taps", taps=4),
                linear("a delay", taps=[0.0, 0.0, 1.0]),
                linear("a filter that looks ahead", taps=3, lookahead=2),
                linear("a gain that changes with time", gain=5),
                linear("a filter followed by a changing gain", taps=3, gain=4),
                linear("a loud filter", taps=3, gain=[1e7]),
                linear("every second sample of a filter kept", taps=3, keep=2),
                linear("silence", taps=[0.0]),
                linear("an offset", offset=0.5),
                linear("a small offset after a filter", taps=3, offset=0.02),
                linear("a square", taps=[0.0], square=1.0),
                linear("a filter with a slight square", taps=3, square=0.01),
                linear("a filter with a slight absolute value", taps=3, absolute=0.1),
                linear("an absolute value", taps=[0.0], absolute=1.0),
                linear("a product of neighbours", taps=[0.0], product=1.0),
                linear("a median of three", taps=[0.0], median=1.0),
                linear("a maximum of three", taps=[0.0], maximum=1.0),
                linear("clipping", ceiling=1.0),
                linear("clipping of large signals", ceiling=50.0),
                linear("silence in place of quiet samples", floor=0.02),
                linear("clipping at 0.01", ceiling=0.01),
                linear("clipping of the largest signals", ceiling=90.0),
                linear("a quiet filter", taps=3, gain=[1e-13]),
                linear("a quiet square", taps=[0.0], square=1.0, gain=[1e-13]),
                linear("a quiet rectifier", taps=[0.0], absolute=1.0, gain=[1e-13]),
                linear("a delay with rounding errors where there was 0", taps=[0.0, 0.0, 1.0], spectral=True),
                linear("negative as long as a signal stays quiet", wake=0.05, length=16),
                linear("negative as long as a signal stays quiet, and quiet itself", wake=0.05, gain=[1e-13]),
                linear("a sample lost wherever the sign changes", turn=[0.0]),
                linear("the signal itself, backwards", view=-1),
                linear("loud samples a little louder", jump=0.2, length=64),
                linear("an offset at one sample of many", offset=[*[0.0] * 299, 9e-4, *[0.0] * 100], length=400),
            ],
        )
    ],
)


IS_TIME_INVARIANT = Exercise(
    "is_time_invariant",
    "convolution",
    [
        Criterion(
            "systems",
            [
                invariant("a filter of four taps", taps=4),
                invariant("a delay", taps=[0.0, 0.0, 1.0]),
                invariant("a filter that looks ahead", taps=4, lookahead=2),
                invariant("an offset", offset=0.5),
                invariant("a square", taps=[0.0], square=1.0),
                invariant("a median of three", taps=[0.0], median=1.0),
                invariant("a product of neighbours", taps=[0.0], product=1.0),
                invariant("clipping after a filter", taps=3, ceiling=1.0),
                invariant("silence", taps=[0.0]),
                invariant("a loud filter with rounding errors", taps=3, gain=[1e7, 1e7 * (1 + 1e-14)]),
                invariant("a gain of period two", gain=2, length=16),
                invariant("a gain of period three after a filter", taps=3, gain=3),
                invariant("a gain of period five", gain=5, length=20),
                invariant("a gain that differs at one sample in eleven", gain=[1.0] * 10 + [0.5]),
                invariant("a gain that differs at the first sample in thirteen", gain=[0.5] + [1.0] * 12),
                invariant("a gain that differs at the last sample", gain=[1.0] * 19 + [0.5], length=20),
                invariant("a slow gain", gain=[1 + 0.0013 * n for n in range(20)], length=20),
                invariant("a changing gain on a product of three neighbours", taps=[0.0], triple=1.0, gain=[1.0, 0.5]),
                invariant("a changing gain that clipping hides", gain=[1.0, 0.5], ceiling=0.003),
                invariant("a changing gain that only loud signals show", gain=[1.0, 0.5], floor=20.0),
                invariant("a changing gain that only the loudest signals show", gain=[1.0, 0.5], floor=80.0),
                invariant("every second sample kept", keep=2),
                invariant("every third sample kept after a filter", taps=2, keep=3),
                invariant("a changing gain on a square, with an offset", taps=[0.0], square=0.5, gain=4, offset=0.5),
                invariant("a quiet filter", taps=3, gain=[1e-13]),
                invariant("a quiet changing gain", gain=[1e-13, 2e-13, 3e-13]),
                invariant("negative from some sample on as long as a signal stays quiet", wake=0.05, length=16),
                invariant("negative as long as a signal stays quiet, and quiet itself", wake=0.05, gain=[1e-13]),
                invariant("a changing gain where the sign changes", turn=[0.5, 1.0]),
                invariant("the signal itself", view=1),
            ],
        )
    ],
)


# Similarity


def directions(rng: Generator, length: float, dtype: Any = np.float64) -> Inputs:
    """Two vectors of this length."""
    drawn = rng.normal(size=(2, 5))
    drawn *= length / np.linalg.norm(drawn, axis=1, keepdims=True)
    return inputs(*drawn.astype(dtype))


COSINE_SIMILARITY = Exercise(
    "cosine_similarity",
    "convolution",
    [
        Criterion(
            "values",
            [
                Case("two vectors", partial(signals, n=7, m=7)),
                Case("opposite vectors", lambda rng: inputs(v := rng.normal(size=5), -2 * v)),
                Case(
                    "vectors of very different length",
                    lambda rng: inputs(1e-6 * rng.normal(size=4), 1e6 * rng.normal(size=4)),
                ),
                Case("a zero vector", lambda rng: inputs(np.zeros(6), rng.normal(size=6))),
                Case("two zero vectors", fixed(np.zeros(3), np.zeros(3))),
                Case("very short vectors", partial(directions, length=2e-50)),
                Case("very long vectors", partial(directions, length=5e49)),
                Case("short vectors in float32", partial(directions, length=2e-8, dtype=np.float32)),
                Case("long vectors in float32", partial(directions, length=5e7, dtype=np.float32)),
                Case("uint8", lambda rng: inputs(*rng.integers(1, 250, (2, 6)).astype(np.uint8))),
                narrow(7, 7),
                *mixed(partial(signals, n=5, m=5)),
                large_integers(6, 6),
            ],
            to_precision(),
        )
    ],
)


def bright(rng: Generator) -> Inputs:
    """A signal in which the match is faint and a plateau is bright."""
    template = rng.normal(size=5)
    plateau = np.full(7, 30.1)
    return inputs(np.concatenate([rng.normal(size=4), 0.1 * template + 3, rng.normal(size=3), plateau]), template)


def faint(
    rng: Generator, m: int, contrast: float = 1.0, height: float = 0.0, wanted: float = 1.0, above: float = 0.0
) -> Inputs:
    """A signal of this contrast and a template of contrast ``wanted``, ``height`` and ``above`` away from zero; neither
    has two samples that are nearly equal.
    """
    x, template = (rng.permutation(np.arange(n) + rng.uniform(0.1, 0.4, n)) / n for n in (13, m))
    return inputs(height + contrast * x, above + wanted * template)


def plateau(rng: Generator, height: float, template: Sequence[float]) -> Inputs:
    """Nine equal samples and a template, in float32, whose mean is off by more than that of float64."""
    return inputs(np.full(9, height, np.float32), np.array(template, np.float32))


MATCH_TEMPLATE = Exercise(
    "match_template",
    "convolution",
    [
        Criterion(
            "values",
            [
                Case("a template of four samples", partial(signals, n=15, m=4)),
                Case("a faint match beside a bright plateau", bright),
                Case("a signal far from zero", lambda rng: inputs(100 + rng.normal(size=12), 7 + rng.normal(size=5))),
                Case("a template as long as the signal", partial(signals, n=6, m=6)),
                Case("a faint template", lambda rng: inputs(rng.normal(size=13), 0.01 * rng.normal(size=5))),
                Case("both at 10 000", lambda rng: inputs(1e4 + rng.normal(size=14), 1e4 + rng.normal(size=4))),
                Case("little contrast at 10 000", partial(faint, m=4, contrast=0.02, height=1e4)),
                Case("a template of little contrast at 10 000", partial(faint, m=5, wanted=0.02, above=1e4)),
                Case(
                    "both at 10 000, of little contrast",
                    partial(faint, m=4, contrast=0.02, height=1e4, wanted=0.02, above=-1e4),
                ),
                Case("a template as faint as may be", partial(faint, m=4, wanted=1e-12)),
                Case("a signal as faint as may be", partial(faint, m=5, contrast=1e-12)),
                Case("both as faint as may be", partial(faint, m=3, contrast=1e-12, wanted=1e-12)),
                *mixed(partial(signals, n=12, m=5)),
                large_integers(11, 4),
                narrow(12, 5),
                Case(
                    "a signal that is faint for a while",
                    lambda rng: inputs(np.r_[rng.normal(size=6), 1e-5 * rng.normal(size=8)], rng.normal(size=4)),
                ),
            ],
            to_precision(),
        ),
        Criterion(
            "constant",
            [
                Case("a constant window", lambda rng: inputs(np.r_[rng.normal(size=5), [0.1] * 6], rng.normal(size=3))),
                Case("a constant template", lambda rng: inputs(rng.normal(size=9), np.full(4, 0.25))),
                Case(
                    "a constant window and template",
                    lambda rng: inputs(np.r_[rng.normal(size=4), [0.1] * 5], np.full(3, 0.7)),
                ),
                Case("a template of one sample", partial(signals, n=5, m=1)),
                Case("a constant signal", lambda rng: inputs(np.full(9, 0.1), rng.normal(size=6))),
                *(
                    Case(title, partial(plateau, height=1.3, template=template))
                    for title, template in (
                        ("a constant signal in float32", [0, 1, 4, 2, 2, 4]),
                        ("a constant signal and template in float32", [1.3] * 6),
                    )
                ),
            ],
        ),
        Criterion(
            "errors",
            [
                Case("a template that fits", partial(signals, n=6, m=4)),
                Case("a template that is too long", partial(signals, n=4, m=5)),
            ],
            raises(),
        ),
    ],
)


# Padding


def fitting(
    rng: Generator, kernel: int, stride: int = 1, padding: int = 0, dilation: int = 1, over: int = 0, windows: int = 0
) -> int:
    """A size into which ``windows`` windows fit (by default a drawn number), with ``over`` samples left over."""
    windows = windows or int(rng.integers(4, 12))
    return (windows - 1) * stride + dilation * (kernel - 1) + 1 - 2 * padding + over


def counted(title: str, **settings: Any) -> Case:
    """A question for ``output_size``; a kernel of 3 to 6 is drawn unless given."""

    def make(rng: Generator) -> Inputs:
        kernel = settings.get("kernel") or int(rng.integers(3, 7))
        given = {name: settings[name] for name in ("stride", "padding", "dilation") if name in settings}
        over, windows = settings.get("over", 0), settings.get("windows", 0)
        return inputs(fitting(rng, kernel, over=over, windows=windows, **given), kernel, **given)

    return Case(title, make)


def too_large(title: str, **settings: Any) -> Case:
    """A window that is larger by ``by`` than what there is."""

    def make(rng: Generator) -> Inputs:
        kernel = int(rng.integers(7, 11))
        given = {name: settings[name] for name in ("stride", "padding", "dilation") if name in settings}
        return inputs(fitting(rng, kernel, windows=1, **given) - settings["by"], kernel, **given)

    return Case(title, make)


OUTPUT_SIZE = Exercise(
    "output_size",
    "convolution",
    [
        Criterion(
            "values",
            [
                counted("no padding"),
                counted("padding", padding=2),
                counted("a stride that does not divide", stride=2, over=1),
                counted("a stride of three with padding", stride=3, padding=1, over=2),
                counted("dilation", dilation=2),
                counted("everything at once", stride=3, padding=2, dilation=3, over=1),
                counted("a dilated window of one sample", kernel=1, dilation=4),
                counted("exactly one window", dilation=2, windows=1),
            ],
        ),
        Criterion(
            "errors",
            [
                counted("a window that fits exactly", padding=1, windows=1),
                too_large("a window too large by one", by=1),
                too_large("a dilated window too large by one", dilation=2, by=1),
                too_large("a window too large in spite of padding", padding=2, stride=3, by=2),
            ],
            raises(),
        ),
    ],
)


def image(rng: Generator, shape: Sequence[int], padding: Any, mode: str, dtype: Any = np.float64) -> Inputs:
    pixels = rng.integers(-(2**30), 2**30, shape) if np.issubdtype(dtype, np.integer) else 10 * rng.normal(size=shape)
    return inputs(pixels.astype(dtype), padding, mode=mode)


def pads(mode: str) -> list[Case]:
    return [
        Case("one number", partial(image, shape=(4, 6), padding=2, mode=mode)),
        Case("rows and columns apart", partial(image, shape=(5, 4), padding=(1, 3), mode=mode)),
        Case("a batch of channels", partial(image, shape=(2, 3, 4, 5), padding=(2, 1), mode=mode)),
        Case("rows only", partial(image, shape=(2, 3, 5), padding=(2, 0), mode=mode)),
        Case("no padding", partial(image, shape=(3, 4), padding=0, mode=mode)),
        Case("integers", partial(image, shape=(2, 1, 3, 4, 5), padding=(1, 2), mode=mode, dtype=np.int32)),
        Case("one pixel", partial(image, shape=(1, 1), padding=0, mode=mode)),
    ]


def wide(mode: str) -> list[Case]:
    """More padding than there is image, for the modes that allow it."""
    return [Case(f"{mode}: wider than the image", partial(image, shape=(2, 3), padding=(2, 5), mode=mode))]


PAD2D = Exercise(
    "pad2d",
    "convolution",
    [
        *(
            Criterion(
                mode,
                [*(Case(f"{mode}: {case.title}", case.make) for case in pads(mode)), *more],
                every(close(), same_dtype()),
            )
            for mode, more in (
                ("zeros", [Case("no mode", lambda rng: inputs(rng.normal(size=(3, 5)), (1, 2))), *wide("zeros")]),
                ("replicate", wide("replicate")),
                ("reflect", []),
            )
        ),
        Criterion(
            "errors",
            [
                Case("reflect by less than the size", partial(image, shape=(3, 6), padding=(2, 5), mode="reflect")),
                Case("reflect by the height", partial(image, shape=(3, 6), padding=(3, 1), mode="reflect")),
                Case("reflect by the width", partial(image, shape=(6, 3), padding=(1, 3), mode="reflect")),
                Case("reflect by more than the width", partial(image, shape=(6, 3), padding=(1, 4), mode="reflect")),
            ],
            raises(),
        ),
    ],
)


PADDING_ALONE = "windows in the padding alone"
IN_TURN = "several answers, of which none may change another"


def covered(title: str, kernel: Any, stride: Any = 1, padding: Any = 0, over: tuple[int, int] = (0, 0)) -> Case:
    """An image into which a drawn number of windows fits, different down and across."""

    def make(rng: Generator) -> Inputs:
        (kh, kw), (sh, sw), (ph, pw) = (np.broadcast_to(v, 2).tolist() for v in (kernel, stride, padding))
        rows = int(rng.integers(3, 6)) + 2 * max(ph, pw)
        size = (
            fitting(rng, kh, sh, ph, over=over[0], windows=rows),
            fitting(rng, kw, sw, pw, over=over[1], windows=rows + 1),
        )
        given = {name: value for name, value in (("stride", stride), ("padding", padding)) if value not in (0, 1)}
        return inputs(size, kernel, **given)

    return Case(title, make)


WINDOW_COVERAGE = Exercise(
    "window_coverage",
    "convolution",
    [
        Criterion(
            "values",
            [
                covered("no padding", (3, 2)),
                covered("padding that keeps the size", 3, padding=(1, 1)),
                covered("padding that treats all alike", (17, 16), padding=(16, 15)),
                covered("a stride that leaves pixels over", (3, 4), stride=(2, 3), over=(1, 2)),
                covered("a stride larger than the window", (2, 3), stride=(4, 5), over=(1, 1)),
                covered("stride and padding", (3, 2), stride=(2, 3), padding=(1, 2), over=(1, 0)),
                covered("padding wider than the window", (2, 3), padding=(4, 5)),
                Case(PADDING_ALONE, fixed((1, 3), 1, stride=2, padding=1)),
                Case(IN_TURN, fixed("window_coverage", ((6, 5), (3, 2)), ((6, 5), (2, 4)), ((6, 5), 1)), "in_turn"),
            ],
        ),
        Criterion(
            "dtype",
            [
                covered("counts", (2, 3)),
                Case("a window that is too high", fixed((4, 9), (7, 3), padding=(1, 2))),
                Case("a window that is too wide", fixed((9, 4), (3, 7), padding=(2, 1))),
                Case("one row for a window of two, stride 2", fixed((1, 9), (2, 3), stride=2)),
                Case("one column for a window of two, stride 3", fixed((9, 1), (3, 2), stride=(1, 3))),
            ],
            or_raises(same_dtype()),
        ),
    ],
)


# Images


def eight_bits(rng: Generator, *shape: int) -> np.ndarray:
    return rng.integers(0, 256, size=shape).astype(np.uint8)


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
                Case("uint8 image", lambda rng: inputs(eight_bits(rng, 6, 9), rng.normal(size=(3, 2)))),
                Case("uint8 image and kernel", lambda rng: inputs(eight_bits(rng, 7, 5), eight_bits(rng, 2, 3))),
                *mixed(partial(plane, size=(6, 8), kernel=(2, 3))),
                large_integers((5, 7), (3, 2)),
                narrow((5, 7), (3, 2)),
            ],
            to_precision(),
        ),
    ],
)


MAKE_KERNEL = Exercise(
    "make_kernel",
    "convolution",
    [
        Criterion(
            "fixed",
            [
                Case("identity", fixed("identity", 5)),
                Case("edge, 3", fixed("edge")),
                Case("edge, 5", fixed("edge", 5)),
                Case("laplacian", fixed("laplacian")),
                Case("sharpen", fixed("sharpen")),
                Case(IN_TURN, fixed("make_kernel", ["identity"], ["edge"], ["laplacian"], ["sharpen"]), "in_turn"),
            ],
            every(close(), same_dtype()),
        ),
        Criterion(
            "blurs",
            [
                Case("box", lambda rng: inputs("box", int(rng.choice([5, 7, 9])))),
                Case("gaussian, 3", fixed("gaussian")),
                Case("gaussian, wide", lambda rng: inputs("gaussian", 7, sigma=float(rng.uniform(2, 3)))),
                Case("gaussian, narrow", lambda rng: inputs("gaussian", 5, sigma=float(rng.uniform(0.4, 0.7)))),
                Case("gaussian, as narrow as may be", fixed("gaussian", 5, sigma=0.001)),
                Case("gaussian, as wide as may be", fixed("gaussian", 5, sigma=1000)),
                Case(
                    "several blurs, of which none may change another",
                    fixed("make_kernel", ["box"], ["gaussian"], ["gaussian", 3, 2.0]),
                    "in_turn",
                ),
            ],
            every(close(), same_dtype()),
        ),
        Criterion(
            "errors",
            [
                Case("an odd size", fixed("box", 5)),
                Case("an even size", fixed("box", 4)),
                Case("a size below three", fixed("gaussian", 1)),
                Case("a Laplacian of size five", fixed("laplacian", 5)),
                Case("a sharpening kernel of size seven", fixed("sharpen", 7)),
                Case("a kernel that does not exist", fixed("blur")),
                Case("a kernel of another spelling", fixed("Gaussian")),
            ],
            raises(),
        ),
    ],
)


def photograph(
    rng: Generator,
    shape: Sequence[int],
    kernel: tuple[int, int],
    mode: str = "replicate",
    gain: float = 1.0,
    dtype: Any = np.float64,
) -> Inputs:
    """Random pixels and a kernel that sums to ``gain``. No result lies near a half, where rounding is a choice."""
    while True:
        pixels = rng.integers(0, 256, size=shape).astype(np.uint8)
        weights = rng.uniform(0.1, 1.0, size=kernel)
        given = inputs(pixels, (gain * weights / weights.sum()).astype(dtype), mode=mode)
        if distance_to_half(given) > 1e-6:
            return given


SHARPEN = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])


def little_contrast(rng: Generator, *shape: int) -> np.ndarray:
    """Pixels that remain within 0…255 when they are sharpened."""
    return rng.integers(100, 121, size=shape).astype(np.uint8)


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


def cancelling(rng: Generator) -> Inputs:
    """Rows of equal pixels, and a kernel whose large weights cancel there."""
    given = photograph(rng, shape=(7, 1), kernel=(3, 3))
    pixels, kernel = given.args
    return inputs(np.repeat(pixels, 8, axis=1), kernel + np.array([1e5, -2e5, 1e5]), **given.kwargs)


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
            "grey",
            [
                Case("3 by 5, replicate", partial(photograph, shape=(9, 12), kernel=(3, 5))),
                Case("5 by 3, zeros", partial(photograph, shape=(10, 7), kernel=(5, 3), mode="zeros")),
                Case("3 by 3, reflect", partial(photograph, shape=(6, 8), kernel=(3, 3), mode="reflect")),
                Case("1 by 3", partial(photograph, shape=(5, 9), kernel=(1, 3))),
                Case("a grey image three columns wide", partial(photograph, shape=(8, 3), kernel=(3, 3))),
                Case("no mode", lambda rng: inputs(*photograph(rng, shape=(7, 9), kernel=(5, 3)).args)),
                Case("one pixel", partial(photograph, shape=(1, 1), kernel=(1, 1))),
                Case("a kernel larger than the image", partial(photograph, shape=(2, 3), kernel=(5, 9))),
                Case("a kernel in float32", lambda rng: inputs(little_contrast(rng, 5, 6), SHARPEN.astype(np.float32))),
                Case("a kernel of integers", lambda rng: inputs(little_contrast(rng, 6, 5), SHARPEN)),
                Case("a kernel of int8", lambda rng: inputs(little_contrast(rng, 5, 7) + 40, SHARPEN.astype(np.int8))),
                Case("a kernel of float16", partial(photograph, shape=(8, 9), kernel=(3, 5), dtype=np.float16)),
                Case("a kernel whose large weights cancel", cancelling),
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
                Case(
                    "a kernel that brightens a thousand times",
                    partial(photograph, shape=(8, 6), kernel=(3, 3), gain=1000.0),
                ),
                Case(
                    "a kernel that negates a thousand times",
                    partial(photograph, shape=(8, 6), kernel=(3, 3), gain=-1000.0),
                ),
                Case(
                    "a kernel of large integers",
                    lambda rng: inputs(eight_bits(rng, 6, 7), 2**40 * np.array([[-1, 2, -1]])),
                ),
                Case(
                    "a kernel of the smallest and largest int8",
                    lambda rng: inputs(eight_bits(rng, 6, 7), rng.choice([-128, 127], (3, 3)).astype(np.int8)),
                ),
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
)


# Layers


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


def too_narrow(make: Callable[..., Inputs], **given: Any) -> list[Case]:
    """A window of 2 by 2 beside one row or one column, which would be stretched to it in silence, and a stride by which
    -1 is divided to 0 in a careless formula.
    """
    return [
        Case("one row", partial(make, x=(3, 2, 1, 6), stride=2, **given)),
        Case("one column", partial(make, x=(3, 2, 5, 1), stride=(1, 3), **given)),
    ]


SQUARE: dict[str, Any] = {"x": (2, 3, 6, 8), "w": (4, 3, 3, 3)}
FLOAT32: dict[str, Any] = {"dtype": np.float32}
PADDED: dict[str, Any] = {"x": (2, 2, 2, 3), "padding": (3, 4)}
LEAPT: dict[str, Any] = {"x": (2, 2, 2, 3), "stride": (10, 1), "padding": (5, 4)}
MORE_PADDING = "padding wider than image and filter"


def one_channel() -> list[Case]:
    """One channel on one side alone, which some sums and products stretch in silence; a product, where filters are one
    pixel large; a sum with the biases, where all filters together have as many channels as an image, or it has fewer.
    """
    return [
        Case("images of one channel", partial(convolution, x=(3, 1, 7, 10))),
        Case("filters of one channel and one pixel", partial(convolution, w=(5, 1, 1, 1))),
        Case("images of one channel, filters of one pixel", partial(convolution, x=(3, 1, 4, 5), w=(5, 2, 1, 1))),
        Case("images of one channel, one filter", partial(convolution, x=(3, 1, 7, 10), w=(1, 2, 3, 2))),
        Case("as many channels as two filters have", partial(convolution, x=(3, 4, 7, 10), w=(2, 2, 3, 2))),
    ]


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
                Case(MORE_PADDING, partial(convolution, **PADDED)),
                Case(PADDING_ALONE, partial(convolution, **LEAPT)),
            ],
        ),
        Criterion(
            "errors",
            [
                Case("sizes that fit", convolution),
                Case("channels that do not match", partial(convolution, w=(5, 3, 3, 2))),
                Case("filters of one channel", partial(convolution, w=(5, 1, 3, 2))),
                Case("a filter higher than the image", partial(convolution, w=(5, 2, 8, 2))),
                Case("a filter wider than the padded image", partial(convolution, w=(5, 2, 3, 13), padding=(3, 1))),
                Case("a filter that fits because of the padding", partial(convolution, w=(5, 2, 9, 12), padding=1)),
                Case("half as many channels", partial(convolution, x=(3, 4, 7, 10))),
                *one_channel(),
                *too_narrow(convolution, w=(5, 2, 2, 2)),
            ],
            raises(),
        ),
    ],
)


def backward(
    rng: Generator,
    x: Sequence[int] = (3, 2, 7, 10),
    w: Sequence[int] = (5, 2, 3, 2),
    dtype: Any = np.float64,
    **settings: Any,
) -> Inputs:
    """dy (N, F, Ho, Wo), x and w, with dy random: a cotangent of ones would hide mistakes that cancel."""
    stride, padding = settings.get("stride", 1), settings.get("padding", 0)
    (sh, sw), (ph, pw) = np.broadcast_to(stride, 2), np.broadcast_to(padding, 2)
    size = ((x[2] + 2 * ph - w[2]) // sh + 1, (x[3] + 2 * pw - w[3]) // sw + 1)
    arrays = (rng.normal(size=(x[0], w[0], *size)), rng.normal(size=x), rng.normal(size=w))
    return inputs(*(a.astype(dtype) for a in arrays), **settings)


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
    Case(MORE_PADDING, partial(backward, **PADDED)),
    Case(PADDING_ALONE, partial(backward, **LEAPT)),
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
    ],
)


def columns(rng: Generator, x: Sequence[int] = (2, 3, 7, 10), dtype: Any = np.float64, **windows: Any) -> Inputs:
    return inputs(rng.normal(size=x).astype(dtype), **windows)


IM2COL = Exercise(
    "im2col",
    "convolution",
    [
        Criterion(
            "values",
            [
                Case("windows of 3 by 2", partial(columns, kernel_size=(3, 2))),
                Case("one number for the window", partial(columns, kernel_size=3)),
                Case("a window as large as the image", partial(columns, x=(2, 3, 4, 5), kernel_size=(4, 5))),
                Case("one image of one channel", partial(columns, x=(1, 1, 5, 4), kernel_size=(2, 3))),
                Case("uint8", lambda rng: inputs(eight_bits(rng, 2, 2, 4, 5), (2, 3), padding=(1, 0))),
            ],
            every(close(), same_dtype()),
        ),
        Criterion(
            "strided",
            [
                Case("stride 2, 3", partial(columns, kernel_size=(3, 2), stride=(2, 3))),
                Case("padding 1, 2", partial(columns, kernel_size=(3, 2), padding=(1, 2))),
                Case("both", partial(columns, kernel_size=(2, 3), stride=(3, 2), padding=(2, 1))),
                Case(MORE_PADDING, partial(columns, kernel_size=(3, 2), **PADDED)),
                Case(PADDING_ALONE, partial(columns, kernel_size=(3, 2), **LEAPT)),
                Case("a window that is too high", partial(columns, kernel_size=(10, 3), padding=1)),
                Case("a window that is too wide", partial(columns, kernel_size=(3, 13), padding=(3, 1))),
                *too_narrow(columns, kernel_size=2),
            ],
            or_raises(close()),
        ),
    ],
)

FAST = Case("eight images", partial(convolution, x=(8, 3, 24, 20), w=(8, 3, 5, 3)), repeats=5)

CONV2D_IM2COL = Exercise(
    "conv2d_im2col",
    "convolution",
    [
        Criterion(
            "values",
            [
                Case("3 images, 2 channels, 5 filters of 3 by 2", convolution),
                FAST,
                Case("stride 2, 3 and padding 1, 2", partial(convolution, stride=(2, 3), padding=(1, 2))),
                Case("one filter", partial(convolution, w=(1, 2, 2, 4))),
                Case("one image", partial(convolution, x=(1, 2, 5, 7), w=(3, 2, 2, 3))),
                Case("one window", partial(convolution, x=(2, 3, 4, 5), w=(6, 3, 4, 5))),
                Case(MORE_PADDING, partial(convolution, **PADDED)),
                Case(PADDING_ALONE, partial(convolution, **LEAPT)),
                *one_channel(),
                Case("channels that do not match", partial(convolution, w=(5, 3, 3, 2))),
                Case("filters of one channel", partial(convolution, w=(5, 1, 3, 2))),
                Case("half as many channels", partial(convolution, x=(3, 4, 7, 10))),
                Case("a filter higher than the image", partial(convolution, w=(5, 2, 8, 2))),
                Case("a filter wider than the padded image", partial(convolution, w=(5, 2, 3, 13), padding=(3, 1))),
                *too_narrow(convolution, w=(5, 2, 2, 2)),
            ],
            or_raises(close()),
        ),
        Criterion("speed", [FAST], every(close(), cpu_ratio(30))),
    ],
)


def counts(title: str, *given: Any, sizes: int, **settings: Any) -> Case:
    """``sizes`` drawn numbers, all different, then ``given``."""
    return Case(
        title, lambda rng: inputs(*rng.choice(np.arange(2, 40), sizes, replace=False).tolist(), *given, **settings)
    )


CONV2D_PARAMETER_COUNT = Exercise(
    "conv2d_parameter_count",
    "convolution",
    [
        Criterion(
            "values",
            [
                counts("a square filter", 5, sizes=2),
                counts("a filter of 3 by 2", (3, 2), sizes=2),
                counts("without a bias", 3, sizes=2, bias=False),
                counts("without a bias, 2 by 5", (2, 5), False, sizes=2),
            ],
        )
    ],
)

LINEAR_PARAMETER_COUNT = Exercise(
    "linear_parameter_count",
    "convolution",
    [
        Criterion(
            "values",
            [counts("a bias", sizes=2), counts("again", sizes=2), counts("without a bias", sizes=2, bias=False)],
        )
    ],
)


# Learning


def lesson(rng: Generator, size: tuple[int, int], kernel_size: Any, lr: float, steps: int) -> Inputs:
    """A noise image and what a random kernel with a little noise makes of it."""
    x = rng.normal(size=size)
    w = rng.normal(size=np.broadcast_to(kernel_size, 2))
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape)
    y = (windows * w).sum((-2, -1))
    return inputs(x, y + 0.1 * rng.normal(size=y.shape), kernel_size, lr=lr, steps=steps)


def learned_at_once(rng: Generator) -> Inputs:
    """Whole numbers and a rate with which the first step leads to where the gradient is 0, exactly; the loss is not."""
    y = rng.choice(np.arange(1.0, 10.0), size=(1, 2), replace=False)
    return inputs(np.ones((1, 2)), y, 1, lr=0.5, steps=4)


LESSONS = [
    Case(
        "a kernel of 3 by 2, twelve steps",
        partial(lesson, size=(9, 12), kernel_size=(3, 2), lr=0.2, steps=12),
        training=True,
    ),
    Case("a square kernel, five steps", partial(lesson, size=(11, 8), kernel_size=3, lr=0.1, steps=5)),
    Case("one step", partial(lesson, size=(6, 7), kernel_size=(1, 3), lr=0.3, steps=1)),
    Case("no step", partial(lesson, size=(5, 6), kernel_size=(2, 3), lr=0.1, steps=0)),
    Case("a kernel of one", partial(lesson, size=(5, 6), kernel_size=1, lr=0.1, steps=1)),
    Case("the best kernel after one of four steps", learned_at_once),
    Case("a loss that grows", partial(lesson, size=(5, 7), kernel_size=(2, 1), lr=2.5, steps=4)),
]

LEARN_KERNEL = Exercise(
    "learn_kernel",
    "convolution",
    [Criterion("kernel", LESSONS, close(part=0)), Criterion("losses", LESSONS, close(part=1))],
)


# Bonus


def folded(rng: Generator, size: Any = (7, 10), kernel_size: Any = (3, 2), **settings: Any) -> Inputs:
    """Columns for two images of three channels."""
    stride, padding = settings.get("stride", 1), settings.get("padding", 0)
    axes = zip(*(np.broadcast_to(v, 2) for v in (size, kernel_size, stride, padding)), strict=True)
    length = int(np.prod([(n + 2 * p - k) // s + 1 for n, k, s, p in axes]))
    cols = rng.normal(size=(2, 3 * int(np.prod(np.broadcast_to(kernel_size, 2))), length))
    return inputs(cols, size, kernel_size, **settings)


COL2IM = Exercise(
    "col2im",
    "convolution",
    [
        Criterion(
            "values",
            [
                Case("windows of 3 by 2", folded),
                Case("stride 2, 3 and padding 1, 2", partial(folded, stride=(2, 3), padding=(1, 2))),
                Case("a stride that leaves pixels over", partial(folded, size=(8, 9), stride=2)),
                Case("padding 0 down, 1 across", partial(folded, padding=(0, 1))),
                Case("one number for size and window", partial(folded, size=6, kernel_size=3, padding=1)),
                Case("padding 3, 2", partial(folded, kernel_size=(5, 3), padding=(3, 2))),
                Case(MORE_PADDING, partial(folded, size=(2, 3), padding=(3, 4))),
                Case(PADDING_ALONE, partial(folded, size=(2, 3), stride=(10, 1), padding=(5, 4))),
                Case("one pixel", lambda rng: inputs(rng.normal(size=(1, 1, 1)), 1, 1)),
                Case("a window that is too high", lambda rng: inputs(rng.normal(size=(2, 63, 1)), (6, 5), (7, 3))),
                Case("a window that is too wide", lambda rng: inputs(rng.normal(size=(2, 63, 1)), (5, 6), (3, 7))),
                Case("one row", lambda rng: inputs(rng.normal(size=(2, 18, 2)), (1, 5), (2, 3), stride=2)),
                Case("one column", lambda rng: inputs(rng.normal(size=(2, 18, 2)), (5, 1), (3, 2), stride=2)),
                Case("a window that is too high, and no columns", fixed(np.zeros((2, 18, 0)), (2, 5), (3, 2))),
                Case("a window that is too wide, and no columns", fixed(np.zeros((2, 18, 0)), (5, 1), (3, 2))),
            ],
            or_raises(close()),
        )
    ],
    bonus=True,
)


# PyTorch


def unfolded(rng: Generator, bias: bool = True, **settings: Any) -> Inputs:
    """A layer's arguments; dy fits the dilated filter."""
    x, w = (3, 2, 8, 11), (5, 2, 3, 2)
    extent = [(k - 1) * d + 1 for k, d in zip(w[2:], np.broadcast_to(settings.get("dilation", 1), 2), strict=True)]
    dy, x_, _ = backward(rng, x, (*w[:2], *extent), **settings).args
    return inputs(x_, rng.normal(size=w), rng.normal(size=w[0]) if bias else None, dy, **settings)


UNFOLDED = [
    Case("stride 1, no padding", unfolded, "conv2d_unfold"),
    Case("stride 2, 3 and padding 1, 2", partial(unfolded, stride=(2, 3), padding=(1, 2)), "conv2d_unfold"),
    Case("dilation 2, 3", partial(unfolded, dilation=(2, 3), padding=(2, 1)), "conv2d_unfold"),
    Case("no bias", partial(unfolded, bias=False, stride=2), "conv2d_unfold"),
    Case("padding wider than the filter", partial(unfolded, padding=(4, 3)), "conv2d_unfold"),
    Case(PADDING_ALONE, partial(unfolded, stride=(13, 1), padding=(4, 0)), "conv2d_unfold"),
    Case("transposed and sliced", unfolded, "conv2d_unfold", copies="strided", lent=("x", "weight", "bias")),
    Case("float32", partial(unfolded, padding=1), "conv2d_unfold", copies="float32"),
    Case("float32, no bias", partial(unfolded, bias=False), "conv2d_unfold", copies="float32"),
    Case(
        "one pixel", lambda rng: inputs(*rng.normal(size=(2, 1, 1, 1, 1)), None, np.ones((1, 1, 1, 1))), "conv2d_unfold"
    ),
]

CONV2D_UNFOLD = Exercise(
    "conv2d_unfold",
    "convolution_torch",
    [Criterion("values", UNFOLDED, conforming(part="y")), Criterion("gradients", UNFOLDED, close(part="gradients"))],
)


def is_view(want: np.ndarray, got: np.ndarray) -> Failure | None:
    """What was written into the argument after the call is seen in the answer."""
    if np.array_equal(want, got):
        return None
    return Failure("values", "does not show what is written into its argument afterwards")


def layout(name: str) -> Exercise:
    """One of the two moves of the channel axis; its answer must be a view."""

    def move(shape: Sequence[int]) -> Any:
        return lambda rng: inputs(name, *rng.normal(size=(2, *shape)))

    cases = [
        Case("sizes that all differ", move((2, 3, 4, 5)), "layout"),
        Case("sizes that are equal", move((2, 4, 4, 4)), "layout"),
        Case("one pixel", move((1, 1, 1, 1)), "layout"),
        Case("transposed", move((2, 3, 4, 5)), "layout", copies="fortran"),
        Case("float32", move((2, 3, 4, 5)), "layout", copies="float32"),
        Case("integers", lambda rng: inputs(name, *rng.integers(-99, 99, (2, 3, 2, 4, 5)).astype(np.int32)), "layout"),
    ]
    criteria = [
        Criterion("values", cases, every(conforming(part="values"), close(part="recorded"))),
        Criterion("view", cases, returned(is_view, part="later")),
    ]
    return Exercise(name, "convolution_torch", criteria)


def layer(
    rng: Generator,
    x: Sequence[int] = (3, 2, 7, 10),
    w: Sequence[int] = (5, 2, 3, 2),
    bias: bool = True,
    dtype: Any = np.float64,
    **stride_and_padding: Any,
) -> Inputs:
    """x, weight, bias and dy, then stride and padding by position, if any."""
    dy, x_, w_ = backward(rng, x, w, dtype, **stride_and_padding).args
    b = rng.normal(size=w[0]).astype(dtype) if bias else None
    return inputs(x_, w_, b, dy, *stride_and_padding.values())


LAYERS = [
    Case("stride 1, no padding", layer, "conv2d_module"),
    Case("stride 2, 3 and padding 1, 2", partial(layer, stride=(2, 3), padding=(1, 2)), "conv2d_module"),
    Case("stride 2, padding 1, 3 by 3", partial(layer, **SQUARE, stride=2, padding=1), "conv2d_module"),
    Case("no bias", partial(layer, bias=False), "conv2d_module"),
    Case(MORE_PADDING, partial(layer, stride=1, **PADDED), "conv2d_module"),
    Case(PADDING_ALONE, partial(layer, **LEAPT), "conv2d_module"),
    Case("float32", partial(layer, **FLOAT32, stride=1, padding=1), "conv2d_module"),
    Case("float32, no bias", partial(layer, **FLOAT32, bias=False), "conv2d_module"),
    Case("after images of another size", partial(layer, x=(2, 2, 6, 9)), "conv2d_module_again"),
    Case("transposed and sliced", layer, "conv2d_module", copies="strided", lent=("x",)),
    Case("one pixel", partial(layer, x=(1, 1, 1, 1), w=(1, 1, 1, 1)), "conv2d_module"),
]

CONV2D = Exercise(
    "Conv2d",
    "convolution_torch",
    [
        Criterion(
            "parameters",
            [
                Case("a filter of 3 by 2", fixed(2, 5, (3, 2)), "conv2d_parameters"),
                Case("a square filter", fixed(4, 3, 5, bias=True), "conv2d_parameters"),
                Case("without a bias", fixed(2, 5, (3, 2), bias=False), "conv2d_parameters"),
                Case("one filter", fixed(9, 1, (12, 11)), "conv2d_parameters"),
                Case("one channel", fixed(1, 8, (11, 13)), "conv2d_parameters"),
                Case("filters of one pixel", fixed(40, 30, 1), "conv2d_parameters"),
            ],
        ),
        Criterion("values", LAYERS, conforming(part="y")),
        Criterion("gradients", LAYERS, close(part="gradients")),
    ],
)

MIXED: dict[str, Sequence[Copies]] = {
    "convolution_matrix": ["integers"],
    **dict.fromkeys(
        ("convolve", "cross_correlate", "cosine_similarity", "match_template", "correlate2d"),
        ("float32 first", "float64 first", "integers"),
    ),
}

EXERCISES = (
    kept(CONVOLVE),
    kept(CROSS_CORRELATE),
    kept(CONVOLUTION_MATRIX),
    kept(IMPULSE_RESPONSE),
    IS_LINEAR,
    IS_TIME_INVARIANT,
    COSINE_SIMILARITY,
    kept(MATCH_TEMPLATE),
    OUTPUT_SIZE,
    kept(PAD2D),
    WINDOW_COVERAGE,
    kept(CORRELATE2D),
    MAKE_KERNEL,
    kept(FILTER_IMAGE),
    kept(CONV2D_FORWARD),
    kept(CONV2D_BACKWARD),
    kept(IM2COL),
    kept(CONV2D_IM2COL),
    CONV2D_PARAMETER_COUNT,
    LINEAR_PARAMETER_COUNT,
    kept(LEARN_KERNEL),
    kept(COL2IM),
    CONV2D_UNFOLD,
    CONV2D,
    layout("nchw_to_nhwc"),
    layout("nhwc_to_nchw"),
    conventions("convolution", "dtype", "strides", "arguments", mixed=MIXED),
)
