"""The hidden questions of assignment 2. Sizes differ on every axis, gamma and beta are not trivial, dy is random."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.compare import Check, Failure, close, conforming, every, judged, raises, returned, unchanged
from autograder.course import Case, Criterion, Exercise, Inputs, Part, conventions, fixed, inputs, kept
from autograder.outcome import Outcome, Value

Generator = np.random.Generator

PARTS = (Part("activations", "numpy"), Part("activations_torch", "torch"))

FLOAT32: dict[str, Any] = {"dtype": np.float32}
VAST = 1e5  # a spread beside which eps is nothing, wherever it is added


# Activations


def arrays(rng: Generator, *shapes: Sequence[int], dtype: Any = np.float64, **settings: Any) -> Inputs:
    """Normal numbers, one array for each shape; the last array, which is x or y, is spread twice as wide."""
    drawn = [rng.normal(size=shape) for shape in shapes]
    drawn[-1] *= 2
    return inputs(*(array.astype(dtype) for array in drawn), **settings)


def same_shapes(count: int, **settings: Any) -> list[Case]:
    """``count`` arrays of one shape: x, or dy and x."""
    return [
        Case("a matrix", lambda rng: arrays(rng, *[(4, 7)] * count, **settings)),
        Case("images", lambda rng: arrays(rng, *[(2, 3, 4, 5)] * count, **settings)),
        Case("float32", lambda rng: arrays(rng, *[(5, 6)] * count, **FLOAT32, **settings)),
        Case("one number", lambda rng: arrays(rng, *[(1, 1)] * count, **settings)),
    ]


def left_tail(rng: Generator, end: float, dtype: Any = np.float64, beside: float | None = None) -> Inputs:
    """x near ``end``, where the sigmoid is small: no larger value stands beside it but that of ``beside``."""
    x = end + 2 * rng.random((2, 3))
    if beside is not None:
        x[0, 1] = beside
    return inputs(x.astype(dtype))


def far_out(rng: Generator, count: int, dtype: Any = np.float64) -> Inputs:
    """x far from zero on both sides; with ``count`` 2, dy before it."""
    x = rng.permutation([-1000.0, 1000, -750, 720, 88.8, -88.8, rng.uniform(-2000, -800), rng.uniform(800, 2000)])
    return inputs(*(array.astype(dtype) for array in (rng.normal(size=x.shape), x)[2 - count :]))


def almost_flat(rng: Generator, count: int, point: float) -> Inputs:
    """x near this point and half way to it, on both sides of zero; with ``count`` 2, a faint dy before it."""
    x = point * rng.uniform(0.99, 1.01, size=(2, 4)) * [[1], [-1]] * [1, 1, 0.6, 0.45]
    dy = 1e-9 * rng.uniform(1, 2, size=x.shape) * rng.choice([-1, 1], size=x.shape)
    return inputs(*(dy, x)[2 - count :])


def scaled(rng: Generator, count: int, largest: float, **settings: Any) -> Inputs:
    """The last array, x, has a largest entry of this size; where that is small, so is dy before it."""
    *before, x = arrays(rng, *[(5, 6)] * count).args
    return inputs(*(min(largest, 1.0) * dy for dy in before), largest * (x / np.abs(x).max()), **settings)


def sized(count: int, **settings: Any) -> list[Case]:
    return [
        Case("numbers up to 1e300", partial(scaled, count=count, largest=1e300, **settings)),
        Case("numbers up to 1e-12", partial(scaled, count=count, largest=1e-12, **settings)),
    ]


def within(tolerance: float, short: float, of_dy: bool = False) -> Check:
    """No entry is off by more than this (in float32 by more than ``short``), or by that times the largest of dy."""

    def check(given: Inputs, got: Outcome, want: Outcome) -> Failure | None:
        unit = np.abs(given.args[0]).max() if of_dy else 1.0

        def compare(right: np.ndarray, mine: np.ndarray) -> Failure | None:
            rtol = short if right.dtype == np.float32 else tolerance
            got, want = (Value(np.append(array, array.dtype.type(unit))) for array in (mine, right))
            return close(rtol)(given, got, want)

        return returned(compare)(given, got, want)

    return check


def entrywise() -> Check:
    """Close, and each entry that is a normal number is right to the same precision by itself, however small it is."""

    def compare(want: np.ndarray, got: np.ndarray) -> Failure | None:
        normal = np.abs(want) > 16 * np.finfo(want.dtype).tiny
        ratio = np.divide(got, want, where=normal, out=np.ones_like(want))
        return close()(None, Value(ratio), Value(np.ones_like(want)))

    return every(close(), returned(compare))


def pointwise(name: str, count: int, apart: bool = True) -> Exercise:
    """An activation (``count`` 1) or its backward pass (``count`` 2). Inputs far from zero have their own criterion if
    ``apart``.
    """
    usual, check = same_shapes(count), within(1e-12, 1e-6, of_dy=count == 2)
    far = [
        Case("where it is almost flat", partial(almost_flat, count=count, point=13.0 if "tanh" in name else 25.5)),
        Case("far from zero", partial(far_out, count=count)),
        Case("far from zero, float32", partial(far_out, count=count, **FLOAT32)),
    ]
    if not apart:
        return Exercise(name, "activations", [Criterion("values", [*usual, *far], check)])
    return Exercise(name, "activations", [Criterion("values", usual, check), Criterion("extremes", far, check)])


def kinked(rng: Generator, count: int, **settings: Any) -> Inputs:
    """The last array, x, holds exact zeros."""
    given = arrays(rng, *[(5, 6)] * count, **settings)
    given.args[-1][rng.random((5, 6)) < 0.2] = 0
    given.args[-1][1, 2] = 0
    return given


def subgradient(default: float = 0.0) -> Check:
    """Close where x is not 0; where it is, anything from the slope on the left to that on the right, times dy."""

    def check(given: Inputs, got: Outcome, want: Outcome) -> Failure | None:
        def compare(right: np.ndarray, answer: np.ndarray) -> Failure | None:
            dy, x = given.args[:2]
            left = (given.args[2] if len(given.args) > 2 else given.kwargs.get("negative_slope", default)) * dy
            slack = 1e-6 * np.abs(dy)
            fair = (np.minimum(left, dy) - slack <= answer) & (answer <= np.maximum(left, dy) + slack)
            return close()(given, Value(np.where((x == 0) & fair, right, answer)), Value(right))

        return returned(compare)(given, got, want)

    return check


TAILS = [
    Case("near -14, beside 1", partial(left_tail, end=-14.0, beside=1.0)),
    Case("near -20, beside 1", partial(left_tail, end=-20.0, beside=1.0)),
    Case("near -40", partial(left_tail, end=-40.0)),
    Case("near -100", partial(left_tail, end=-100.0)),
    Case("near -80, float32", partial(left_tail, end=-80.0, **FLOAT32)),
    Case("exactly 0", fixed(np.zeros((2, 3)))),
    Case("where exp begins to overflow", fixed(np.array([-745.2, 709.8, -709.8, 88.8, -88.8]))),
    Case("far from zero", partial(far_out, count=1)),
    Case("far from zero, float32", fixed(np.array([-1000, 1000, 88.8, -88.8, 104, -104], np.float32))),
]

SIGMOID = Exercise(
    "sigmoid", "activations", [Criterion("values", same_shapes(1)), Criterion("extremes", TAILS, entrywise())]
)

RELU = Exercise(
    "relu",
    "activations",
    [Criterion("values", [*same_shapes(1), *sized(1), Case("exact zeros", partial(kinked, count=1))])],
)

RELU_BACKWARD = Exercise(
    "relu_backward",
    "activations",
    [Criterion("values", [*same_shapes(2), *sized(2), Case("exact zeros", partial(kinked, count=2))], subgradient())],
)

LEAKY_RELU = Exercise(
    "leaky_relu",
    "activations",
    [
        Criterion(
            "values",
            [
                *same_shapes(1, negative_slope=0.3),
                *sized(1, negative_slope=0.3),
                Case("the default slope", partial(kinked, count=1)),
                Case("slope 0", partial(kinked, count=1, negative_slope=0.0)),
            ],
        )
    ],
)

LEAKY_RELU_BACKWARD = Exercise(
    "leaky_relu_backward",
    "activations",
    [
        Criterion(
            "values",
            [
                *same_shapes(2, negative_slope=0.3),
                *sized(2, negative_slope=0.3),
                Case("the default slope", partial(kinked, count=2)),
                Case("exact zeros", partial(kinked, count=2, negative_slope=0.4)),
                Case("slope 0", partial(kinked, count=2, negative_slope=0.0)),
            ],
            subgradient(0.01),
        )
    ],
)


# Saturation and signs


def near(tolerance: float) -> Check:
    """A number that is at most ``tolerance`` away; infinity only where it is wanted."""

    def compare(want: np.ndarray, got: np.ndarray) -> Failure | None:
        if float(got) == float(want) or abs(float(got) - float(want)) <= tolerance:
            return None
        return Failure("values", "returns another number")

    return returned(compare)


def slope(title: str, *terms: tuple[Any, ...], fraction: Any, floor: Any = 0.0) -> Case:
    """A sum of bells (height, width, power, exponent, hyperbolic); a pair of numbers is drawn in between."""

    def make(rng: Generator) -> Inputs:
        def drawn(value: Any) -> Any:
            return float(rng.uniform(*value)) if isinstance(value, tuple) else value

        bells = [tuple(drawn(value) for value in term) for term in terms]
        return inputs(bells, drawn(floor), drawn(fraction))

    return Case(title, make, "saturation_point")


SATURATION_POINT = Exercise(
    "saturation_point",
    "activations",
    [
        Criterion(
            "values",
            [
                slope("slope 1 at 0", (1.0, (0.8, 1.2), 1, 2, True), fraction=(0.05, 0.2)),
                slope("slope 1/4 at 0", (0.25, (1.8, 2.2), 1, 2, True), fraction=(0.05, 0.2)),
                slope("a steep slope", ((5, 20), (1, 2), 2, 3, False), fraction=(0.01, 0.1)),
                slope("a point far out", (1.0, (2, 3), 2, 1, False), fraction=(0.001, 0.002)),
                slope("a point at exactly 100", (1.0, 100.0, 1, 1, False), fraction=0.5),
                slope("a slope as small as may be", (1e-12, (2, 3), 2, 1, False), fraction=(0.05, 0.2)),
                slope("a point just below 100", (1.0, (11.03, 11.09), 1, 1, False), fraction=0.1),
                slope("a point close to 0", ((0.5, 2), (0.001, 0.002), 1, 2, False), fraction=(0.2, 0.4)),
                slope("a slope that stays above 0", (1.0, (3, 5), 2, 2, False), fraction=(0.4, 0.6), floor=(0.2, 0.3)),
                slope(
                    "a slope that is nearly flat", (1e-5, (1, 2), 2, 1, False), fraction=(0.999993, 0.999996), floor=1.0
                ),
                slope("two bells", (1.0, (1, 2), 1, 2, True), (0.2, (20, 30), 2, 1, False), fraction=(0.03, 0.05)),
            ],
            near(1e-6),
        ),
        Criterion(
            "limits",
            [
                slope("the whole slope", ((0.5, 2), (1, 2), 1, 2, True), fraction=1.0),
                slope("more than the slope", ((0.5, 2), (1, 2), 2, 1, False), fraction=(1.1, 3)),
                slope("a slope that stays too high", (1.0, (1, 2), 1, 2, True), fraction=(0.1, 0.2), floor=0.5),
                slope("a point just above 100", (1.0, (11.13, 11.19), 1, 1, False), fraction=0.1),
                slope("a slope that falls too slowly", (1.0, (14, 16), 2, 1, False), fraction=(0.015, 0.018)),
            ],
            near(1e-6),
        ),
    ],
)


def pushes(rng: Generator, samples: int, inward: int, outward: int, shift: float = 0.0) -> Inputs:
    """A batch in which some neurons agree with themselves and some do not, all clearly."""
    while True:
        dy, x = rng.normal(size=(samples, outward)), rng.normal(size=(samples, inward)) + shift
        gradient = dy.T @ x
        agree = (gradient > 0).all(axis=1) | (gradient < 0).all(axis=1)
        if 0 < agree.sum() < outward and np.abs(gradient).min() > 1e-4:
            return inputs(dy, x)


def resting(rng: Generator, positive: bool) -> Inputs:
    """One sample, in which one input is 0 and one neuron has no gradient; the other neurons have both signs."""
    dy, x = (rng.random((1, 6)) + 0.1) * rng.permutation([-1, 1, -1, 1, -1, 1]), rng.random((1, 4)) + 0.1
    x *= 1 if positive else rng.permutation([-1, 1, -1, 1])
    x[:, 1] = 0
    dy[:, 2] = 0
    return inputs(dy, x)


def faint_pushes(rng: Generator, factor: float, dtype: Any = np.float64) -> Inputs:
    dy, x = pushes(rng, samples=4, inward=3, outward=8).args
    return inputs((factor * dy).astype(dtype), x.astype(dtype))


def faint_beside_clear(rng: Generator) -> Inputs:
    """All gradients of one input are faint, and without them more neurons would agree."""
    while True:
        dy, x = pushes(rng, samples=4, inward=3, outward=8).args
        clear = np.sign(dy.T @ x[:, 1:]).sum(axis=1)
        if (abs(np.sign(dy.T @ x).sum(axis=1)[abs(clear) == 2]) < 3).any():
            x[:, 0] *= 1e-195
            return inputs(dy, x)


SIGN_AGREEMENT = Exercise(
    "sign_agreement",
    "activations",
    [
        Criterion(
            "values",
            [
                Case("four samples", partial(pushes, samples=4, inward=3, outward=8)),
                Case("one positive sample", lambda rng: inputs(rng.normal(size=(1, 5)), rng.random((1, 4)) + 0.1)),
                Case("one sample", lambda rng: inputs(rng.normal(size=(1, 5)), rng.normal(size=(1, 4)))),
                Case("positive inputs", partial(pushes, samples=6, inward=4, outward=9, shift=2.5)),
                Case("as many neurons as inputs", partial(pushes, samples=5, inward=4, outward=4)),
                Case("one neuron", lambda rng: inputs(rng.normal(size=(1, 1)), rng.normal(size=(1, 3)))),
                Case("faint gradients beside others", faint_beside_clear),
                Case("gradients as small as may be", partial(faint_pushes, factor=1e-195)),
                Case("gradients as small as may be, float32", partial(faint_pushes, factor=1e-25, **FLOAT32)),
            ],
        ),
        Criterion(
            "zeros",
            [
                Case("a positive sample, an input and a neuron at rest", partial(resting, positive=True)),
                Case("a sample of both signs, an input and a neuron at rest", partial(resting, positive=False)),
            ],
        ),
    ],
)


def descent(rng: Generator, samples: int, lr: float, steps: int, shift: float = 0.0) -> Inputs:
    """Inputs between 0 and 1, or shifted."""
    x = rng.random((samples, 2)) + shift
    return inputs(x, 2 * rng.normal(size=samples), 2 * rng.normal(size=2), lr=lr, steps=steps)


def there_and_back(rng: Generator) -> Inputs:
    """Steps from w to -w and back to w, without rounding."""
    return inputs(2 * np.eye(2), np.zeros(2), rng.integers(1, 9, size=2) * [1.0, -0.5], lr=1.0, steps=2)


def at_rest(rng: Generator) -> Inputs:
    """The path begins where the loss is least; divisions by 4 and products of whole numbers are not rounded."""
    x, w = rng.integers(-4, 5, size=(4, 2)).astype(float), rng.integers(1, 9, size=2).astype(float)
    return inputs(x, x @ w, w, lr=1, steps=3)


def arrived(rng: Generator) -> Inputs:
    """The first step leads to where the loss is least, without rounding; the next two lead nowhere."""
    return inputs(2 * np.eye(2), 2.0 * rng.integers(1, 9, size=2), -rng.integers(1, 9, size=2) / 2, lr=0.5, steps=3)


def short(rng: Generator) -> Inputs:
    """From the origin, where short steps are not rounded off, by small gradients."""
    x, y, w0 = descent(rng, samples=6, lr=1, steps=1).args
    return inputs(x, 1e-13 * y, np.zeros_like(w0), lr=0.5, steps=3)


DESCENTS = [
    Case("positive inputs", partial(descent, samples=7, lr=1.2, steps=11)),
    Case("inputs of both signs", partial(descent, samples=9, lr=0.8, steps=6, shift=-0.5)),
    Case("a path that runs away", partial(descent, samples=6, lr=12.0, steps=6)),
    Case("one step", partial(descent, samples=5, lr=0.7, steps=1)),
    Case("no step", partial(descent, samples=4, lr=0.5, steps=0)),
    Case("there and back", there_and_back),
    Case("a path that begins at its end", at_rest),
    Case("a path that arrives before its last step", arrived),
    Case("a path of 1e-13", short),
]

ZIGZAG_DESCENT = Exercise(
    "zigzag_descent",
    "activations",
    [Criterion("path", DESCENTS, close(part=0)), Criterion("ratio", DESCENTS, close(part=1))],
)


# Softmax and cross-entropy


def probabilities(x: np.ndarray, axis: int) -> np.ndarray:
    e: np.ndarray = np.exp(x - x.max(axis=axis, keepdims=True))
    return np.asarray(e / e.sum(axis=axis, keepdims=True))


def along(rng: Generator, shape: Sequence[int], dtype: Any = np.float64, **axis: int) -> Inputs:
    return inputs((2 * rng.normal(size=shape)).astype(dtype), **axis)


def distant_rows(rng: Generator, axis: int, rows: Sequence[int] = (5,)) -> Inputs:
    """Scores along ``axis`` that are near one another, in rows that are far apart; and one row that is not near."""
    places = np.resize([0.0, 2000, -1000, 700, -2500], math.prod(rows))
    x = rng.normal(size=(*rows, 4)) + rng.permutation(places).reshape(*rows, 1)
    x[-1, ..., 1] += 1000
    return inputs(np.moveaxis(x, -1, axis), axis=axis)


def softmaxes(name: str, axis: int) -> Exercise:
    """softmax or log_softmax. The extremes lie along one axis, so that they do not fail for the choice of axis too."""
    shapes: list[tuple[str, tuple[int, ...], dict[str, Any]]] = [
        ("rows", (5, 4), {}),
        ("columns", (3, 6), {"axis": 0}),
        ("the middle axis", (2, 5, 3), {"axis": 1}),
        ("as many rows as columns", (4, 4), {"axis": 1}),
        ("an axis counted from the end", (3, 4, 2), {"axis": -3}),
        ("the first of three axes", (2, 4, 3), {"axis": 0}),
        ("the second of four axes", (2, 3, 4, 5), {"axis": 1}),
        ("one row", (6,), {}),
        ("one score", (1, 1), {}),
        ("float32", (5, 3), FLOAT32),
    ]
    return Exercise(
        name,
        "activations",
        [
            Criterion(
                "values",
                [Case(title, partial(along, shape=shape, **more)) for title, shape, more in shapes],
            ),
            Criterion(
                "extremes",
                [
                    Case("rows far from one another", partial(distant_rows, axis=axis)),
                    Case("rows of a block far from one another", partial(distant_rows, axis=axis, rows=(2, 3))),
                    Case("two scores far apart", lambda rng: inputs(np.array([0.0, rng.uniform(900, 1100)]))),
                    Case("all far below zero", lambda rng: inputs(rng.normal(size=(3, 4)) - 1000)),
                    Case("float32", fixed(np.array([[-1000, 1000, 0], [-1000, -999, -1000]], np.float32))),
                    Case("a probability of which few digits can be stored", fixed(np.array([[0.0, 742], [741, 0]]))),
                    Case("the same in float32", fixed(np.array([[0, 102.5], [101.5, 0]], np.float32))),
                    Case("one score above hundreds", lambda rng: inputs(np.append(900.0, rng.normal(size=900)))),
                ],
            ),
        ],
    )


def after_softmax(rng: Generator, shape: Sequence[int], log: bool, dtype: Any = np.float64, **axis: int) -> Inputs:
    """A random dy, and what a softmax has given."""
    y = probabilities(1.5 * rng.normal(size=shape), axis.get("axis", -1))
    return inputs(rng.normal(size=shape).astype(dtype), (np.log(y) if log else y).astype(dtype), **axis)


def after_far_scores(rng: Generator, log: bool) -> Inputs:
    """A dy with zeros, and what a softmax has given for scores of which two in a row are far below the others."""
    x = rng.normal(size=(4, 5)) - [0, 80 if log else 1000, 0, 17, 0]
    y = probabilities(x, -1)
    dy = rng.normal(size=x.shape) * [0, 1, 1, 1, 1]
    return inputs(dy, x - np.log(np.exp(x).sum(axis=-1, keepdims=True)) if log else y)


def softmax_backwards(name: str, log: bool) -> Exercise:
    shapes: list[tuple[str, tuple[int, ...], dict[str, Any]]] = [
        ("rows", (4, 6), {}),
        ("columns", (5, 3), {"axis": 0}),
        ("the middle axis", (2, 4, 3), {"axis": 1}),
        ("as many rows as columns", (5, 5), {"axis": -1}),
        ("the first of three axes", (3, 2, 4), {"axis": 0}),
        ("an axis counted from the end", (2, 4, 3), {"axis": -3}),
        ("the second of four axes", (2, 3, 4, 5), {"axis": 1}),
        ("one row", (7,), {}),
        ("one score", (1, 1), {}),
        ("float32", (3, 5), FLOAT32),
    ]
    cases = [
        *(Case(title, partial(after_softmax, shape=shape, log=log, **more)) for title, shape, more in shapes),
        Case("after scores far below the others", partial(after_far_scores, log=log)),
    ]
    return Exercise(f"{name}_backward", "activations", [Criterion("values", cases)])


def classification(
    rng: Generator,
    shape: Sequence[int] = (7, 4),
    scale: float = 2.0,
    mark: int | None = None,
    share: float = 0.4,
    dtype: Any = np.float64,
) -> Inputs:
    """Logits and targets. With a mark, a share of the targets carries it, at least one; -100 need not be passed on."""
    logits = (scale * rng.normal(size=shape)).astype(dtype)
    target = rng.integers(0, shape[1], size=(shape[0], *shape[2:]))
    if mark is None:
        return inputs(logits, target)
    marked = rng.random(target.shape) < share
    marked.flat[0], marked.flat[1] = True, share == 1
    target[marked] = mark
    target[~marked & (target == mark)] = (mark + 1) % shape[1]
    return inputs(logits, target, **({} if mark == -100 else {"ignore_index": mark}))


def surprising(rng: Generator) -> Inputs:
    """The right class is far from the largest logit, or level with others, or far above them."""
    logits = rng.normal(size=(5, 3)) + np.array(
        [[60.0, 0, 0], [0, 1000, -1000], [2000, 2000, 2000], [0, 0, 0], [0, 90, 0]]
    )
    return inputs(logits, np.array([2, 0, 1, 1, 1]))


def distant_pixels(rng: Generator) -> Inputs:
    """Logits that are near one another in each pixel, in pixels that are far apart."""
    places = rng.permutation([0.0, 1000, -1000, 500, -500, 250]).reshape(1, 1, 2, 3)
    return inputs(rng.normal(size=(2, 4, 2, 3)) + places, rng.integers(0, 4, size=(2, 2, 3)))


def losses() -> list[Case]:
    return [
        Case("seven samples of four classes", classification),
        Case("as many samples as classes", partial(classification, shape=(4, 4))),
        Case("a class for each pixel", partial(classification, shape=(2, 5, 3, 4))),
        Case("a class for each word", partial(classification, shape=(3, 4, 6))),
        Case("a class for each voxel", partial(classification, shape=(2, 3, 2, 4, 3))),
        Case("one sample", partial(classification, shape=(1, 6))),
        Case("one class", partial(classification, shape=(1, 1))),
    ]


def some_ignored() -> list[Case]:
    return [
        Case("the default mark", partial(classification, mark=-100)),
        Case("a class as the mark", partial(classification, shape=(9, 3), mark=1)),
        Case("the first class as the mark", partial(classification, shape=(9, 3), mark=0)),
        Case("minus one as the mark", partial(classification, shape=(8, 5), mark=-1)),
        Case("a mark that is large", partial(classification, shape=(6, 3), mark=255)),
        Case("nothing kept", partial(classification, shape=(5, 3), mark=-100, share=1.0)),
        Case("pixels", partial(classification, shape=(3, 4, 5, 2), mark=-100)),
        Case("voxels", partial(classification, shape=(2, 3, 4, 1, 2), mark=-100)),
    ]


def out_of_range(rng: Generator, bad: int, **settings: Any) -> Inputs:
    logits, target = classification(rng, (6, 4)).args
    target[3] = bad
    return inputs(logits, target, **settings)


def hardly_stored(rng: Generator) -> Inputs:
    """Right classes whose probabilities can be stored with few digits only."""
    return inputs(np.array([[0.0, 742, 0], [0, 0, 741]]) + rng.random((2, 3)), np.array([0, 1]))


CROSS_ENTROPY = Exercise(
    "cross_entropy",
    "activations",
    [
        Criterion("values", losses(), within(1e-9, 1e-9)),
        Criterion(
            "extremes",
            [
                Case("large logits", surprising),
                Case("pixels far from one another", distant_pixels),
                Case("probabilities of which few digits can be stored", hardly_stored),
            ],
            within(1e-9, 1e-9),
        ),
        Criterion("ignored", some_ignored(), within(1e-9, 1e-9)),
        Criterion(
            "errors",
            [
                Case("targets in range", classification),
                Case("a target as large as the number of classes", partial(out_of_range, bad=4)),
                Case("a target far too large", partial(out_of_range, bad=255)),
                Case("minus one", partial(out_of_range, bad=-1)),
                Case("a mark that was not agreed upon", partial(out_of_range, bad=-100, ignore_index=-1)),
            ],
            raises(),
        ),
    ],
)

CROSS_ENTROPY_BACKWARD = Exercise(
    "cross_entropy_backward",
    "activations",
    [
        Criterion(
            "values",
            [
                *losses(),
                Case("large logits", surprising),
                Case("pixels far from one another", distant_pixels),
            ],
        ),
        Criterion("ignored", some_ignored()),
    ],
)


# Normalization


def channels(
    rng: Generator,
    shape: Sequence[int],
    centre: float | Sequence[float] = 3.0,
    spread: float | Sequence[float] = 2.0,
    unit: float = 1.0,
    dtype: Any = np.float64,
    training: bool = True,
    gamma: Sequence[float] = (),
    still: bool = False,
    **settings: Any,
) -> Inputs:
    """x whose channels have means and spreads of their own (if ``still`` the last has none, and never had), gamma
    (drawn, if not given), beta and running statistics; x and what is known of it are measured in this unit.
    """
    c = shape[1]
    column = (c, *(1 for _ in shape[2:]))
    means, spreads = (np.resize(size, column) * (1 + rng.random(column)) for size in (centre, spread))
    x = means + spreads * rng.normal(size=shape)
    if still:
        x[:, -1] = 1.5
    scales, shifts, running_mean = gamma or rng.uniform(0.5, 2, size=c), *rng.normal(size=(2, c))
    running_var = rng.uniform(0.5, 3, size=c)
    if still:
        running_var[-1] = 0
    drawn = (unit * x, scales, shifts, unit * running_mean, unit**2 * running_var)
    return inputs(*(np.asarray(array, dtype) for array in drawn), training=training, **settings)


SCALES: dict[str, Any] = {"gamma": (0.0, -1.5, 0.7)}  # as where a layer begins by giving nothing
DISTANT: dict[str, Any] = {"centre": (5e4, -5e4), "spread": 2.0}
BARE: dict[str, Any] = {"eps": 0.0, "unit": 1e-9}
VECTORS = [
    Case("six samples of four channels", partial(channels, shape=(6, 4))),
    Case("two samples", partial(channels, shape=(2, 3))),
    Case("as many samples as channels", partial(channels, shape=(4, 4), momentum=0.3)),
    Case("another eps and momentum", partial(channels, shape=(5, 3), eps=1e-2, momentum=0.75)),
    Case("channels that hardly vary", partial(channels, shape=(7, 3), spread=(1e-3, 1e-2, 1.0))),
    Case("one channel, no eps, no momentum", partial(channels, shape=(3, 1), momentum=0.0, **BARE)),
    Case("momentum 1", partial(channels, shape=(4, 3), momentum=1)),
    Case("scales of 0 and below", partial(channels, shape=(5, 3), **SCALES)),
    Case("a channel that does not vary", partial(channels, shape=(4, 3), still=True)),
]
IMAGES = [
    Case("three images of four channels", partial(channels, shape=(3, 4, 5, 2))),
    Case("as many images as channels", partial(channels, shape=(3, 3, 2, 4), momentum=0.4)),
    Case("one image", partial(channels, shape=(1, 3, 4, 2))),
    Case("as many columns as channels", partial(channels, shape=(2, 3, 4, 3))),
    Case("images, evaluated", partial(channels, shape=(2, 4, 3, 5), training=False)),
]
FAR = Case("channels far from zero", partial(channels, shape=(7, 3), **DISTANT))

BATCH_NORM_FORWARD = Exercise(
    "batch_norm_forward",
    "activations",
    [
        Criterion(
            "vectors",
            [*VECTORS, FAR, Case("float32", partial(channels, shape=(6, 5), **FLOAT32))],
            close(part=0),
        ),
        Criterion("images", IMAGES, close(part=0)),
        Criterion("running", [*VECTORS, *IMAGES[:3], FAR], every(close(part=1), close(part=2))),
        Criterion(
            "evaluation",
            [
                Case("five samples", partial(channels, shape=(5, 4), training=False)),
                Case("one sample", partial(channels, shape=(1, 3), training=False)),
                Case("one number", partial(channels, shape=(1, 1), training=False, **BARE)),
                Case("one pixel", partial(channels, shape=(1, 1, 1, 1), training=False)),
                Case("another eps", partial(channels, shape=(4, 3), training=False, eps=0.3, momentum=0.5)),
                Case("a running variance of 0", partial(channels, shape=(3, 4), training=False, still=True)),
            ],
        ),
        Criterion(
            "errors",
            [
                Case("two samples, training", partial(channels, shape=(2, 4))),
                Case("one sample of several pixels, training", partial(channels, shape=(1, 2, 3, 1))),
                Case("one sample, training", partial(channels, shape=(1, 3))),
                Case("one image of one pixel, training", partial(channels, shape=(1, 4, 1, 1))),
            ],
            raises(),
        ),
        Criterion(
            "unchanged",
            [
                Case("arguments of training", partial(channels, shape=(5, 4)), "batch_norm_arguments"),
                Case(
                    "arguments of evaluation", partial(channels, shape=(4, 3), training=False), "batch_norm_arguments"
                ),
            ],
            every(close(), unchanged()),
        ),
    ],
)


def channels_backward(rng: Generator, shape: Sequence[int], **settings: Any) -> Inputs:
    """dy, x and gamma."""
    keep = {key: settings.pop(key) for key in ("eps",) if key in settings}
    x, gamma, *_ = channels(rng, shape, **settings).args
    return inputs(rng.normal(size=shape).astype(x.dtype), x, gamma, **keep)


vast = partial(channels_backward, spread=VAST)
VECTORS_BACKWARD = [
    Case("six samples of four channels", partial(vast, shape=(6, 4))),
    Case("three samples", partial(vast, shape=(3, 5))),
    Case("as many samples as channels", partial(vast, shape=(4, 4))),
    Case("float32", partial(vast, shape=(7, 5), **FLOAT32)),
    Case("one channel, no eps", partial(vast, shape=(3, 1), eps=0.0)),
    Case("scales of 0 and below", partial(vast, shape=(6, 3), **SCALES)),
]
IMAGES_BACKWARD = [
    Case("three images of four channels", partial(vast, shape=(3, 4, 5, 2))),
    Case("as many images as channels", partial(vast, shape=(3, 3, 2, 4))),
    Case("one image", partial(vast, shape=(1, 3, 4, 2))),
]
SMALL = [
    Case("channels that hardly vary", partial(channels_backward, shape=(6, 4), spread=3e-3)),
    Case("another eps", partial(channels_backward, shape=(5, 3), spread=1.0, eps=0.1)),
    Case("no eps", partial(channels_backward, shape=(5, 3), **BARE)),
    Case("a channel that does not vary", partial(channels_backward, shape=(6, 3), still=True)),
]
FAR_BACKWARD = Case("channels far from zero", partial(channels_backward, shape=(6, 3), unit=VAST, **DISTANT))

BATCH_NORM_BACKWARD = Exercise(
    "batch_norm_backward",
    "activations",
    [
        Criterion(
            "dx",
            [*VECTORS_BACKWARD, FAR_BACKWARD],
            close(part=0),
        ),
        Criterion("images", IMAGES_BACKWARD, close(part=0)),
        Criterion("dgamma", [*VECTORS_BACKWARD, *IMAGES_BACKWARD, *SMALL, FAR_BACKWARD], close(part=1)),
        Criterion("dbeta", [*VECTORS_BACKWARD, *IMAGES_BACKWARD], close(part=2)),
        Criterion("small", SMALL, close(part=0)),
    ],
)


def samples(
    rng: Generator,
    shape: Sequence[int],
    axes: int = 1,
    spread: float = VAST,
    dtype: Any = np.float64,
    gamma: Sequence[float] = (),
    still: bool = False,
    **settings: Any,
) -> Inputs:
    """x (whose first sample does not vary if ``still``), gamma (drawn, if not given) and beta; gamma has the last
    ``axes`` axes of x.
    """
    x = spread * (rng.normal(size=shape) + rng.normal(size=(*shape[:-axes], *axes * (1,))))
    if still:
        x[0] = 1.5
    drawn = (x, gamma or rng.uniform(0.5, 2, size=shape[-axes:]), rng.normal(size=shape[-axes:]))
    return inputs(*(np.asarray(array, dtype) for array in drawn), **settings)


def far_samples(rng: Generator) -> Inputs:
    """At 100 000 or at -100 000."""
    x, gamma, beta = samples(rng, (4, 6), spread=3.0).args
    return inputs(x + rng.permutation([1e5, 1e5, -1e5, -1e5])[:, None], gamma, beta)


LAYER_NORM_FORWARD = Exercise(
    "layer_norm_forward",
    "activations",
    [
        Criterion(
            "values",
            [
                Case("four samples of six features", partial(samples, shape=(4, 6))),
                Case("as many samples as features", partial(samples, shape=(5, 5))),
                Case("sequences", partial(samples, shape=(3, 4, 5))),
                Case("one sample", partial(samples, shape=(7,))),
                Case("one feature of one sample", partial(samples, shape=(1, 1))),
                Case("samples far from zero", far_samples),
                Case("scales of 0 and below", partial(samples, shape=(4, 3), **SCALES)),
                Case("float32", partial(samples, shape=(3, 2, 6), **FLOAT32)),
            ],
        ),
        Criterion(
            "axes",
            [
                Case("the last two axes", partial(samples, shape=(3, 4, 5), axes=2)),
                Case("the last three axes", partial(samples, shape=(2, 3, 4, 5), axes=3)),
                Case("the last two of four axes", partial(samples, shape=(2, 3, 4, 5), axes=2)),
                Case("an axis of one between two of one length", partial(samples, shape=(4, 3, 1, 3), axes=3)),
            ],
        ),
        Criterion(
            "small",
            [
                Case(
                    "samples that hardly vary, one not at all", partial(samples, shape=(5, 6), spread=4e-3, still=True)
                ),
                Case("another eps", partial(samples, shape=(3, 5), spread=1.0, eps=0.2)),
                Case("no eps", partial(samples, shape=(3, 5), spread=1e-9, eps=0.0)),
            ],
        ),
    ],
)


def samples_backward(rng: Generator, shape: Sequence[int], **settings: Any) -> Inputs:
    given = samples(rng, shape, **settings)
    x, gamma, _ = given.args
    return Inputs((rng.normal(size=shape).astype(x.dtype), x, gamma), given.kwargs)


SAMPLES_BACKWARD = [
    Case("four samples of six features", partial(samples_backward, shape=(4, 6))),
    Case("as many samples as features", partial(samples_backward, shape=(5, 5))),
    Case("sequences", partial(samples_backward, shape=(3, 4, 5))),
    Case("the last two axes", partial(samples_backward, shape=(3, 4, 5), axes=2)),
    Case("the last two of four axes", partial(samples_backward, shape=(2, 3, 4, 5), axes=2)),
    Case("an axis of one between two of one length", partial(samples_backward, shape=(4, 3, 1, 3), axes=3)),
    Case("one sample", partial(samples_backward, shape=(6,))),
    Case("one feature of one sample", partial(samples_backward, shape=(1, 1))),
    Case("samples far from zero", lambda rng: inputs(rng.normal(size=(4, 6)), *far_samples(rng).args[:2])),
    Case("scales of 0 and below", partial(samples_backward, shape=(4, 3), **SCALES)),
    Case("float32", partial(samples_backward, shape=(3, 7), **FLOAT32)),
]

SMALL_SAMPLES_BACKWARD = [
    Case("samples that hardly vary", partial(samples_backward, shape=(5, 4), spread=3e-3)),
    Case("a sample that does not vary", partial(samples_backward, shape=(3, 4), spread=3e-3, still=True)),
    Case("another eps", partial(samples_backward, shape=(3, 5), spread=1.0, eps=0.2)),
    Case("no eps", partial(samples_backward, shape=(3, 5), spread=1e-9, eps=0.0)),
]

LAYER_NORM_BACKWARD = Exercise(
    "layer_norm_backward",
    "activations",
    [
        Criterion("dx", SAMPLES_BACKWARD, close(part=0)),
        Criterion("dgamma", [*SAMPLES_BACKWARD, *SMALL_SAMPLES_BACKWARD], close(part=1)),
        Criterion("dbeta", SAMPLES_BACKWARD, close(part=2)),
        Criterion("small", SMALL_SAMPLES_BACKWARD, close(part=0)),
    ],
)


# Deep networks


def network(
    title: str,
    activation: str,
    scale: float = 1.5,
    widths: Sequence[int] = (4, 5, 6, 7),
    silent: bool = False,
    size: float = 1.0,
    **settings: Any,
) -> Case:
    """Fifteen samples of this size, one of them 0 if ``silent``, through layers whose weights saturate some units."""

    def make(rng: Generator) -> Inputs:
        order = rng.permutation(widths)
        weights = [scale * rng.normal(size=shape) for shape in zip(order[1:], order[:-1], strict=True)]
        x = size * rng.normal(size=(15, order[0]))
        x[0] *= not silent
        return inputs(x, weights, activation, **settings)

    return Case(title, make)


def statistics(*keys: str) -> Check:
    """The arrays under ``keys``, to 1e-9 of their largest entry or of 1: an exact 0 may come out as rounding noise.

    The others may be wrong, or missing.
    """

    def pick(tree: Any) -> Any:
        if not isinstance(tree, dict):
            return Failure("type", "does not return a dictionary")
        return {key: tree[key] for key in keys if key in tree}

    def compare(want: dict[str, np.ndarray], got: dict[str, np.ndarray]) -> Failure | None:
        right, mine = ({key: np.append(1, tree[key]) for key in keys} for tree in (want, got))
        return close()(None, Value(mine), Value(right))

    return returned(compare, pick)


WIDE = (12, 13, 14, 16)  # so wide that hardly ever a unit or a sample is dead

PLAIN = [network(name, name) for name in ("sigmoid", "tanh", "relu")]
ONE_LAYER = network("one layer", "tanh", widths=(4, 6))
FAINT = network("relu, a faint signal", "relu", size=1e-12)
LOUD = [network(f"{name}, far from zero", name, size=1e3) for name in ("sigmoid", "tanh")]
NORMALIZED = [
    network("tanh, batch", "tanh", norm="batch"),
    network("sigmoid, batch", "sigmoid", norm="batch"),
    network("tanh, layer", "tanh", norm="layer"),
    network("sigmoid, layer", "sigmoid", norm="layer"),
]
AFTER = [
    network("relu, batch after", "relu", VAST**2, WIDE, norm="batch", norm_after=True),
    network("relu, layer after", "relu", VAST**2, WIDE, norm="layer", norm_after=True),
    network("tanh, nothing after", "tanh", norm_after=True),
]
SIGNAL = statistics("mean", "std", "positive")


def signal_or_zero() -> Check:
    """The signal; without the fraction that is positive where sigmoids are so small that they may be stored as 0."""
    without = statistics("mean", "std")

    def check(given: Inputs, got: Outcome, want: Outcome) -> Failure | None:
        x, _, activation = given.args
        return (without if activation == "sigmoid" and np.abs(x).max() > 100 else SIGNAL)(given, got, want)

    return check


def near_saturation(rng: Generator, name: str) -> Inputs:
    """Entries on both sides of where the slope has fallen to a tenth, 1.5e-6 to 2.5e-6 from there."""
    point = np.arctanh(np.sqrt(0.9)) * (2 if name == "sigmoid" else 1)
    nearness = rng.choice([-1, 1], size=(6, 4)) * rng.uniform(1.5e-6, 2.5e-6, size=(6, 4))
    return inputs((point + nearness) * rng.choice([-1, 1], size=(6, 4)), [np.eye(4)], name)


LAYER_STATISTICS = Exercise(
    "layer_statistics",
    "activations",
    [
        Criterion("plain", [*PLAIN, ONE_LAYER, FAINT, *LOUD], signal_or_zero()),
        Criterion("norm", NORMALIZED, SIGNAL),
        Criterion("after", AFTER, statistics("mean", "std", "positive", "saturated")),
        Criterion(
            "saturated",
            [
                *PLAIN,
                *NORMALIZED,
                network("relu, batch", "relu", norm="batch"),
                network("relu, a sample of zeros", "relu", silent=True),
                FAINT,
                *LOUD,
                *(Case(f"{name}, near the point", partial(near_saturation, name=name)) for name in ("sigmoid", "tanh")),
            ],
            statistics("saturated"),
        ),
    ],
)


def follows(uniform: bool) -> Check:
    """Whether weights look drawn from the right distribution, to six standard errors in every statistic."""

    def look(given: Inputs, drawn: dict[str, np.ndarray]) -> Failure | None:
        return next((f for state, w in drawn.items() if state != "again" and (f := of_one(given, w))), None)

    def of_one(given: Inputs, w: np.ndarray) -> Failure | None:
        _, out, in_, *_ = given.args
        if w.dtype != np.float64:
            return Failure("dtype", f"returns dtype {w.dtype}")
        n, variance = w.size, 2 / (in_ + out) if uniform else 2 / in_
        z = w / np.sqrt(variance)
        if not z.any():
            return Failure("values", "returns zeros alone")
        square = z * z
        fourth = 1.8 if uniform else 3.0  # the mean of z**4
        edge = np.sqrt(3)  # of a uniform distribution with variance 1
        fair = (  # a mean or a variance that is exactly right is not that of weights which are drawn on their own
            1e-9 < abs(z.mean()) * np.sqrt(n) < 6,
            1e-9 < abs(square.mean() - 1) * np.sqrt(n) < 6 * np.sqrt(fourth - 1),
            abs((square * square).mean() / square.mean() ** 2 - fourth) < 6 * np.sqrt((1 if uniform else 24) / n),
            np.abs(z).max() < edge * (1 + 1e-9) if uniform else np.abs(z).max() > (4 if n > 1e5 else 3),
            len(np.unique(np.abs(z))) > 0.99 * n,
            abs((z[1:] * z[:-1]).mean()) < 6 / np.sqrt(n),
            abs((z[:, 1:] * z[:, :-1]).mean()) < 6 / np.sqrt(n),
        )
        return None if all(fair) else Failure("values", "draws from another distribution")

    return judged(look)


def from_generator() -> Check:
    """The same state of the generator gives the same weights, and another state others, the next one among them."""

    def compare(_: Any, drawn: dict[str, np.ndarray]) -> Failure | None:
        first, again, second, *others = (drawn[key] for key in ("first", "again", "next", "other", "later"))
        if not np.array_equal(first, again):
            return Failure("values", "gives other weights for the same state of the generator")
        if np.mean(first == second) > 0.01:
            return Failure("values", "gives the same weights when it is asked a second time with one generator")
        if any(np.mean(first == other) > 0.01 for other in others):
            return Failure("values", "gives the same weights for another state of the generator")
        return None

    return returned(compare)


def initializer(name: str, uniform: bool) -> Exercise:
    def draw(out: int, in_: int) -> Any:
        return lambda rng: inputs(name, out, in_, *rng.choice(2**31, 2, replace=False).tolist())

    cases = [
        Case("many inputs", draw(70, 190), "draws"),
        Case("many outputs", draw(210, 60), "draws"),
    ]
    many = Case("so many that thin tails show", draw(450, 440), "one_draw")
    criteria = [
        Criterion("statistics", [*cases, many], follows(uniform)),
        Criterion("generator", cases, from_generator()),
    ]
    return Exercise(name, "activations", criteria)


# PyTorch


def logistic(rng: Generator, *shapes: Sequence[int], dtype: Any = np.float64) -> Inputs:
    """As many x, all of which are sent forward before the first dy comes back."""
    xs, dys = ([scale * rng.normal(size=shape).astype(dtype) for shape in shapes] for scale in (2, 1))
    return inputs(xs, dys)


def logistic_far_out(rng: Generator) -> Inputs:
    x = np.append(far_out(rng, 1).args[0], rng.normal(size=4))
    return inputs([x], [rng.normal(size=x.shape)])


LOGISTIC = [
    Case("a matrix", lambda rng: logistic(rng, (4, 7)), "sigmoid_function"),
    Case("images, float32", lambda rng: logistic(rng, (2, 3, 4, 5), **FLOAT32), "sigmoid_function"),
    Case("far from zero", logistic_far_out, "sigmoid_function"),
    Case("one number", lambda rng: logistic(rng, (1, 1)), "sigmoid_function"),
    Case(
        "near -100",
        lambda rng: inputs([left_tail(rng, end=-100.0).args[0]], [rng.normal(size=(2, 3))]),
        "sigmoid_function",
    ),
    Case(
        "near -14",
        lambda rng: inputs([left_tail(rng, end=-14.0).args[0]], [rng.normal(size=(2, 3))]),
        "sigmoid_function",
    ),
    Case("transposed and sliced", lambda rng: logistic(rng, (3, 4)), "sigmoid_function", copies="strided", lent=["xs"]),
]
CALLS = Case("three calls, then three backward", lambda rng: logistic(rng, *[(3, 5)] * 3), "sigmoid_function")

SIGMOID_FUNCTION = Exercise(
    "SigmoidFunction",
    "activations_torch",
    [
        Criterion("values", [*LOGISTIC, CALLS], conforming(part="ys")),
        Criterion("gradients", [*LOGISTIC, CALLS], close(part="gradients")),
    ],
)


def of_dtype() -> Check:
    """A number of the reference's dtype; :func:`conforming` looks at those of arrays."""

    def compare(want: np.ndarray, got: np.ndarray) -> Failure | None:
        return None if got.dtype == want.dtype else Failure("dtype", f"returns {got.dtype}")

    return returned(compare, part="count")


def normalized_batches(rng: Generator) -> Inputs:
    return inputs(3, [channels(rng, (2, 3, 4, 5), dtype=np.float32).args[0] for _ in range(2)])


def loaded(rng: Generator, shape: Sequence[int], **more: Any) -> tuple[np.ndarray, dict[str, Any]]:
    """x and a state of the layer."""
    x, *state = channels(rng, shape, **more).args
    return x, dict(zip(("weight", "bias", "running_mean", "running_var"), state, strict=True))


def batch_norm(rng: Generator, shape: Sequence[int], training: bool, **settings: Any) -> Inputs:
    layer = {name: settings.pop(name) for name in ("eps", "momentum") if name in settings}
    x, state = loaded(rng, shape, **settings)
    return inputs(state, x, rng.normal(size=shape).astype(x.dtype), training, **layer)


def batch_norm_twice(rng: Generator, shape: Sequence[int], momentum: float | None = None, **drawn: Any) -> Inputs:
    batches = [loaded(rng, shape, **drawn) for _ in range(2)]
    settings = {} if momentum is None else {"momentum": momentum}
    return inputs(batches[0][1], [(x, rng.normal(size=shape)) for x, _ in batches], **settings)


def batch_norm_modes(rng: Generator) -> Inputs:
    """A state, and a batch for each of three turns."""
    batches = [loaded(rng, (2, 3, 4, 3)) for _ in range(3)]
    return inputs(batches[0][1], [x for x, _ in batches])


def steps(training: bool) -> list[Case]:
    shapes: Mapping[str, dict[str, Any]] = {
        "three images of four channels": {"shape": (3, 4, 5, 2)},
        "as many images as channels": {"shape": (3, 3, 2, 4), "eps": 1e-2},
        "float32": {"shape": (2, 3, 5, 4), **FLOAT32},
        "channels far from zero": {"shape": (2, 3, 2, 4), **DISTANT},
        "scales of 0 and below": {"shape": (2, 3, 4, 2), **SCALES},
        "a channel that does not vary": {"shape": (2, 3, 2, 4), "still": True},
    }
    return [
        *(
            Case(title, partial(batch_norm, training=training, **more), "batch_norm_step")
            for title, more in shapes.items()
        ),
        Case(
            "transposed and sliced",
            partial(batch_norm, shape=(3, 4, 5, 2), training=training),
            "batch_norm_step",
            copies="strided",
            lent=["x"],
        ),
        Case(
            "one channel, no eps",
            partial(batch_norm, shape=(3, 1, 2, 1), training=training, **BARE),
            "batch_norm_step",
        ),
    ]


BATCH_NORM_2D = Exercise(
    "BatchNorm2d",
    "activations_torch",
    [
        Criterion(
            "parameters", [Case("a fresh layer", normalized_batches, "batch_norm_state")], every(close(), of_dtype())
        ),
        Criterion("training", steps(training=True), every(conforming(part="y"), close(part="gradients"))),
        Criterion(
            "running",
            [
                Case("two batches", partial(batch_norm_twice, shape=(3, 4, 2, 5)), "batch_norm_running"),
                Case(
                    "another momentum",
                    partial(batch_norm_twice, shape=(2, 3, 1, 2), momentum=0.3),
                    "batch_norm_running",
                ),
                Case("no momentum", partial(batch_norm_twice, shape=(2, 3, 1, 2), momentum=0.0), "batch_norm_running"),
                Case(
                    "channels far from zero",
                    partial(batch_norm_twice, shape=(2, 3, 2, 4), **DISTANT),
                    "batch_norm_running",
                ),
            ],
        ),
        Criterion(
            "evaluation",
            [
                *steps(training=False),
                Case("one pixel", partial(batch_norm, shape=(1, 1, 1, 1), training=False), "batch_norm_step"),
                Case("from one mode into the other", batch_norm_modes, "batch_norm_modes"),
            ],
            conforming(),
        ),
    ],
)


def layer_norm(
    rng: Generator, shape: Sequence[int], axes: int, number: bool = False, spread: float = 2.0, **settings: Any
) -> Inputs:
    """The layer's shape (as a number, if wanted), its parameters, x and dy."""
    given = samples(rng, shape, axes, spread, **settings)
    x, weight, bias = given.args
    normalized = shape[-1] if number else tuple(shape[-axes:])
    return inputs(normalized, weight, bias, x, rng.normal(size=shape).astype(x.dtype), **given.kwargs)


def far_layer_norm(rng: Generator) -> Inputs:
    x, weight, bias = far_samples(rng).args
    return inputs(x.shape[-1], weight, bias, x, rng.normal(size=x.shape))


LAYER_NORM = Exercise(
    "LayerNorm",
    "activations_torch",
    [
        Criterion(
            "parameters",
            [
                Case("one axis", fixed(5), "layer_norm_state"),
                Case("two axes", fixed((4, 3)), "layer_norm_state"),
            ],
        ),
        Criterion(
            "last",
            [
                Case("samples", partial(layer_norm, shape=(4, 6), axes=1, number=True), "layer_norm_step"),
                Case("sequences", partial(layer_norm, shape=(3, 4, 5), axes=1, eps=1e-2), "layer_norm_step"),
                Case("float32", partial(layer_norm, shape=(2, 4, 7), axes=1, **FLOAT32), "layer_norm_step"),
                Case("no eps", partial(layer_norm, shape=(4, 6), axes=1, spread=1e-9, eps=0.0), "layer_norm_step"),
                Case("scales of 0 and below", partial(layer_norm, shape=(4, 3), axes=1, **SCALES), "layer_norm_step"),
                Case(
                    "a sample that does not vary",
                    partial(layer_norm, shape=(3, 4), axes=1, still=True),
                    "layer_norm_step",
                ),
                Case("samples far from zero", far_layer_norm, "layer_norm_step"),
                Case("one feature of one sample", partial(layer_norm, shape=(1, 1), axes=1), "layer_norm_step"),
            ],
            conforming(),
        ),
        Criterion(
            "axes",
            [
                Case("the last two axes", partial(layer_norm, shape=(3, 4, 5), axes=2), "layer_norm_step"),
                Case("the last three axes", partial(layer_norm, shape=(2, 3, 4, 5), axes=3), "layer_norm_step"),
                Case("the last two of four axes", partial(layer_norm, shape=(2, 3, 4, 5), axes=2), "layer_norm_step"),
                Case(
                    "transposed and sliced",
                    partial(layer_norm, shape=(3, 4, 5), axes=2),
                    "layer_norm_step",
                    copies="strided",
                    lent=["x"],
                ),
            ],
            conforming(),
        ),
    ],
)

EXERCISES = (
    kept(SIGMOID),
    kept(pointwise("sigmoid_backward", 2)),
    kept(pointwise("tanh", 1)),
    kept(pointwise("tanh_backward", 2, apart=False)),
    kept(RELU),
    kept(RELU_BACKWARD),
    kept(LEAKY_RELU),
    kept(LEAKY_RELU_BACKWARD),
    SATURATION_POINT,
    kept(SIGN_AGREEMENT),
    kept(ZIGZAG_DESCENT),
    kept(softmaxes("softmax", axis=0)),
    kept(softmax_backwards("softmax", log=False)),
    kept(softmaxes("log_softmax", axis=-1)),
    kept(softmax_backwards("log_softmax", log=True)),
    CROSS_ENTROPY,
    kept(CROSS_ENTROPY_BACKWARD),
    kept(BATCH_NORM_FORWARD),
    kept(BATCH_NORM_BACKWARD),
    kept(LAYER_NORM_FORWARD),
    kept(LAYER_NORM_BACKWARD),
    kept(LAYER_STATISTICS),
    initializer("xavier_uniform", uniform=True),
    initializer("he_normal", uniform=False),
    SIGMOID_FUNCTION,
    BATCH_NORM_2D,
    LAYER_NORM,
    conventions("activations", "dtype", "strides", "arguments"),
)
