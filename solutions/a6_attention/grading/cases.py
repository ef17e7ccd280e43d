"""The hidden questions of assignment 6. Sizes differ on every axis, biases are not zero, cotangents are random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from autograder.compare import (
    RTOL,
    Check,
    Failure,
    close,
    conforming,
    entries,
    every,
    judged,
    raises,
    returned,
    same_dtype,
    unchanged,
)
from autograder.course import Case, Criterion, Exercise, Inputs, Part, alone, conventions, fixed, inputs, kept
from autograder.outcome import Outcome, Value

Generator = np.random.Generator

PARTS = (Part("attention", "numpy"), Part("attention_torch", "torch"))

FLOAT32: dict[str, Any] = {"dtype": np.float32}


# Softmax


def random_mask(rng: Generator, *shape: int) -> np.ndarray:
    """A mask that keeps something in each row, and hides something; with one column it hides nothing."""
    ranks = rng.random(shape).argsort(axis=-1).argsort(axis=-1)
    mask: np.ndarray = ranks < rng.integers(1, max(shape[-1], 2), size=(*shape[:-1], 1))
    return mask


def scores(
    rng: Generator,
    shape: Sequence[int],
    mask_shape: Sequence[int] | None = None,
    empty: Sequence[int] = (),
    gain: float = 1.0,
    dtype: Any = np.float64,
) -> Inputs:
    """Scores and, if wanted, a mask; ``empty`` numbers rows of the mask in which nothing is kept. ``gain`` makes scores
    larger: some weights are small then, and count all the same.
    """
    s = (gain * rng.normal(size=shape)).astype(dtype)
    if mask_shape is None:
        return inputs(s)
    mask = random_mask(rng, *mask_shape)
    mask.reshape(-1, mask.shape[-1])[list(empty)] = False
    return inputs(s, mask)


def hidden_maximum(rng: Generator) -> Inputs:
    """The largest scores are hidden, by far."""
    s, mask = scores(rng, (3, 4, 6), (3, 4, 6)).args
    return inputs(np.where(mask, s, s + 9000), mask)


def millions(rng: Generator, kept: float, hidden: float) -> Inputs:
    """Kept scores near one another, hidden ones far from them."""
    mask = random_mask(rng, 4, 6)
    return inputs(np.where(mask, kept + rng.uniform(0, 3, size=(4, 6)), hidden), mask)


def hides_wholly() -> Check:
    """What is masked has weight exactly 0."""

    def look(given: Inputs, got: np.ndarray) -> Failure | None:
        if len(given.args) > 1 and got[~np.broadcast_to(given.args[1], got.shape)].any():
            return Failure("values", "leaves a weight to what is masked")
        return None

    return judged(look)


MASKED_SOFTMAX = Exercise(
    "masked_softmax",
    "attention",
    [
        Criterion(
            "values",
            [
                Case("one row, no mask", partial(scores, shape=(5,))),
                Case("four axes, no mask", partial(scores, shape=(2, 3, 4, 5))),
                Case("two axes, no mask", partial(scores, shape=(3, 4), gain=6.0)),
                Case("five axes, a mask of one", partial(scores, shape=(2, 1, 2, 3, 5), mask_shape=(5,))),
                Case("a mask of the scores' shape", partial(scores, shape=(2, 3, 4, 5), mask_shape=(2, 3, 4, 5))),
                Case("a mask for all heads", partial(scores, shape=(3, 2, 4, 6), mask_shape=(3, 1, 1, 6))),
                Case("a mask for all sequences", partial(scores, shape=(2, 3, 4, 7), mask_shape=(4, 7))),
                Case("the largest scores hidden", hidden_maximum),
                Case(
                    "float32, a mask of three axes",
                    partial(scores, shape=(2, 3, 4, 5), mask_shape=(3, 4, 5), **FLOAT32),
                ),
                Case("one score", partial(scores, shape=(1, 1))),
            ],
            every(close(), hides_wholly()),
        ),
        Criterion(
            "extremes",
            [
                Case("scores of thousands", lambda rng: inputs(rng.uniform(-1e4, 1e4, size=(4, 6)))),
                Case("scores around ten thousand", lambda rng: inputs(1e4 - rng.uniform(0, 3, size=(3, 5)))),
                Case("scores around minus ten thousand", lambda rng: inputs(rng.uniform(0, 3, size=(3, 5)) - 1e4)),
                Case(
                    "kept scores around minus ten thousand",
                    lambda rng: inputs(rng.uniform(0, 3, size=(4, 6)) - 1e4, random_mask(rng, 4, 6)),
                ),
                Case("scores of a million", lambda rng: inputs(rng.uniform(-1e6, 1e6, size=(4, 6)))),
                Case("a million above and below", partial(millions, kept=-1e6, hidden=1e6)),
                Case("a million below and above", partial(millions, kept=1e6 - 3, hidden=-1e6)),
            ],
            every(close(), hides_wholly()),
        ),
        Criterion(
            "empty",
            [
                Case(
                    "two rows in which nothing is kept", partial(scores, shape=(5, 4), mask_shape=(5, 4), empty=[1, 4])
                ),
                Case("rows of heads", partial(scores, shape=(2, 3, 2, 5), mask_shape=(2, 3, 2, 5), empty=[0, 5, 6])),
                Case(
                    "a mask of one column", partial(scores, shape=(2, 3, 4, 5), mask_shape=(3, 4, 1), empty=[0, 5, 10])
                ),
                Case("nothing kept at all", lambda rng: inputs(rng.normal(size=(3, 4)), np.zeros((3, 4), bool))),
                Case(
                    "a row in which nothing is kept, float32",
                    partial(scores, shape=(3, 5), mask_shape=(3, 5), empty=[1], **FLOAT32),
                ),
            ],
        ),
    ],
)


# Scores


def attended(
    rng: Generator,
    T: int = 5,
    S: int = 7,
    d: int = 4,
    e: int = 6,
    lead: Sequence[int] = (2, 3),
    mask: Sequence[int] | None = None,
    empty: Sequence[int] = (),
    gain: float = 1.0,
    apart: float = 0.0,
    twins: float = 0.0,
    dtype: Any = np.float64,
    **settings: Any,
) -> Inputs:
    """q (..., T, d), k (..., S, d), v (..., S, e) and, if its shape is given, a mask. ``gain`` makes scores larger, and
    queries and keys that stand ``apart`` make all of them negative. With ``twins`` two keys differ by no more, so that
    some queries choose between them: where all weights are 0 or 1, the gradients are rounding errors.
    """
    q, k, v = (rng.normal(size=(*lead, *size)) for size in ((T, d), (S, d), (S, e)))
    if twins:
        k[..., 1, :] = k[..., 0, :] + twins * rng.normal(size=d)
    arrays = [array.astype(dtype) for array in (gain * q + apart, k - apart, v)]
    if mask is not None:
        arrays += scores(rng, (1,), mask, empty).args[1:]
    return inputs(*arrays, **settings)


def compared(rng: Generator, **sizes: Any) -> Inputs:
    """q and k only."""
    given = attended(rng, **sizes)
    return inputs(*given.args[:2], **given.kwargs)


ONE: dict[str, Any] = {"T": 1, "S": 1, "d": 1, "e": 1, "lead": (1, 1)}
LARGE: dict[str, Any] = {"gain": 1500.0}  # of scores
TWINS: dict[str, Any] = {"twins": 1 / LARGE["gain"]}  # whose scores differ by about 1

ATTENTION_SCORES = Exercise(
    "attention_scores",
    "attention",
    [
        Criterion(
            "values",
            [
                Case("two sequences of three heads", compared),
                Case("as many queries as keys and features", partial(compared, T=4, S=4, d=4)),
                Case("no leading axes", partial(compared, lead=(), d=3)),
                Case("one leading axis", partial(compared, lead=(3,))),
                Case("three leading axes", partial(compared, lead=(2, 1, 3), d=5)),
                Case("one query", partial(compared, T=1, d=5)),
                Case("one of everything", partial(compared, **ONE)),
                Case("float32", partial(compared, **FLOAT32)),
            ],
        ),
        Criterion(
            "scale",
            [
                Case("a scale of its own", partial(compared, scale=0.3)),
                Case("a negative scale near zero", partial(compared, d=6, scale=-1.5e-9)),
                Case("a scale of zero", partial(compared, scale=0.0)),
                Case("a scale of two, a whole number", partial(compared, scale=2)),
                Case("a scale of zero, a whole number", partial(compared, scale=0)),
            ],
        ),
    ],
)


# Masks

CAUSAL_MASK = Exercise(
    "causal_mask",
    "attention",
    [
        Criterion(
            "values",
            [
                Case("five tokens", lambda rng: inputs(int(rng.integers(4, 8)))),
                Case("one token", fixed(1)),
                Case("the last three of seven", fixed(3, 7)),
                Case("the last of six", fixed(1, 6)),
                Case("more queries than keys", fixed(6, 4)),
                Case("as many keys, said aloud", fixed(5, 5)),
            ],
        )
    ],
)

PADDING_MASK = Exercise(
    "padding_mask",
    "attention",
    [
        Criterion(
            "values",
            [
                Case("four lengths", lambda rng: inputs(rng.permutation([2, 5, 1, 4]), 6)),
                Case("nothing, and everything", fixed(np.array([0, 3, 5]), 5)),
                Case("as many sequences as keys", lambda rng: inputs(rng.permutation(4) + 1, 4)),
                Case("padding alone", fixed(np.array([0, 0]), 3)),
                Case("one sequence, one key", fixed(np.array([1]), 1)),
                Case("small integers without sign", fixed(np.array([2, 0, 3], np.uint8), 3)),
                Case("large integers without sign", fixed(np.array([0, 4, 1], np.uint64), 4)),
                Case("small integers, more keys than they can count", fixed(np.array([0, 200, 3], np.uint8), 300)),
            ],
        )
    ],
)


# Attention

PLAIN = [
    Case("5 queries, 7 keys, 6 features of a value", attended),
    Case("as many queries as keys", partial(attended, T=6, S=6, e=4)),
    Case("no leading axes", partial(attended, lead=())),
    Case("one leading axis", partial(attended, lead=(3,), gain=6.0)),
    Case("three leading axes", partial(attended, lead=(2, 1, 2))),
    Case("scores of thousands", partial(attended, **LARGE)),
    Case("scores of thousands, float32", partial(attended, **LARGE, **FLOAT32)),
    Case("scores of thousands, some near one another", partial(attended, T=9, **LARGE, **TWINS)),
    Case("one query, one key", partial(attended, T=1, S=1)),
    Case("one of everything", partial(attended, **ONE)),
    Case("float32", partial(attended, **FLOAT32)),
]
MASKED = [
    Case("a mask for every head", partial(attended, mask=(2, 3, 5, 7))),
    Case("a mask for all heads of a sequence", partial(attended, mask=(2, 1, 5, 7))),
    Case("padding", partial(attended, mask=(2, 1, 1, 7))),
    Case("a mask for every head, for all sequences", partial(attended, mask=(3, 5, 7))),
    Case("a mask of one column", partial(attended, mask=(5, 1), empty=[0, 3])),
    Case("one mask for all, one leading axis", partial(attended, lead=(3,), mask=(5, 7))),
    Case("scores of thousands, masked", partial(attended, mask=(5, 7), empty=[2], **LARGE)),
    Case("scores below minus ten thousand, masked", partial(attended, mask=(5, 7), apart=250.0)),
    Case("queries that see nothing", partial(attended, T=6, S=6, mask=(2, 3, 6, 6), empty=[0, 1, 17, 30])),
]


def scaled(rng: Generator, scale: float, **sizes: Any) -> Inputs:
    """A scale, and a mask that hides nothing."""
    q, k, v = attended(rng, **sizes).args
    return inputs(q, k, v, np.ones((q.shape[-2], k.shape[-2]), bool), scale=scale)


SCALED = [
    Case("a scale of its own", partial(scaled, scale=0.3)),
    Case("a large scale", partial(scaled, d=3, scale=1.7)),
    Case("a negative scale", partial(scaled, d=5, scale=-0.8)),
    Case("a scale of zero", partial(scaled, T=7, scale=0.0)),
    Case("a scale of one, a whole number", partial(scaled, T=4, scale=1)),
    Case("a scale and a mask", partial(attended, mask=(5, 7), scale=0.4)),
]

SCALED_DOT_PRODUCT_ATTENTION = Exercise(
    "scaled_dot_product_attention",
    "attention",
    [Criterion("values", PLAIN), Criterion("masked", MASKED), Criterion("scale", SCALED)],
)


# The backward pass


def softmax(s: np.ndarray) -> np.ndarray:
    """Weights for the backward pass; scores of -inf are hidden, and a row of them sees nothing."""
    largest = s.max(axis=-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(largest), largest, 0))
    weights: np.ndarray = e / np.maximum(e.sum(axis=-1, keepdims=True), np.finfo(s.dtype).tiny)
    return weights


def attended_backward(rng: Generator, **settings: Any) -> Inputs:
    """dout, q, k, v and the weights of a forward pass."""
    given = attended(rng, **settings)
    (q, k, v), mask = given.args[:3], given.args[3:]
    scale = given.kwargs.get("scale", q.shape[-1] ** -0.5)
    s = scale * (q @ k.swapaxes(-1, -2))
    weights = softmax(np.where(mask[0], s, -np.inf) if mask else s)
    dout = rng.normal(size=(*q.shape[:-1], v.shape[-1])).astype(q.dtype)
    return inputs(dout, q, k, v, weights, **given.kwargs)


BACKWARD = [
    Case("5 queries, 7 keys, 6 features of a value", attended_backward),
    Case("as many queries as keys", partial(attended_backward, T=6, S=6, e=4)),
    Case("as many queries as features", partial(attended_backward, T=4, S=5, d=4, lead=(3,))),
    Case("masked, and queries that saw nothing", partial(attended_backward, mask=(2, 3, 5, 7), empty=[0, 11, 29])),
    Case("no leading axes", partial(attended_backward, lead=())),
    Case("three leading axes", partial(attended_backward, lead=(2, 1, 2))),
    Case("scores of thousands", partial(attended_backward, T=9, **LARGE, **TWINS)),
    Case("a scale of its own", partial(attended_backward, scale=0.3)),
    Case("a negative scale near zero", partial(attended_backward, scale=-0.7e-9)),
    Case("a scale and a mask", partial(attended_backward, mask=(2, 1, 5, 7), scale=1.7)),
    Case("a scale of zero", partial(attended_backward, scale=0.0)),
    Case("a scale of two, a whole number", partial(attended_backward, scale=2)),
    Case("one of everything", partial(attended_backward, **ONE)),
    Case("float32", partial(attended_backward, **FLOAT32)),
]

SCALED_DOT_PRODUCT_ATTENTION_BACKWARD = Exercise(
    "scaled_dot_product_attention_backward",
    "attention",
    [
        Criterion("dq", BACKWARD, close(part=0)),
        Criterion("dk", BACKWARD, close(part=1)),
        Criterion("dv", BACKWARD, close(part=2)),
    ],
)


def within_rounding(given: Inputs, got: Outcome, want: Outcome) -> Failure | None:
    """Close, or off by rounding errors of weights near 1, which is much where all derivatives are small."""
    near = close()

    def look(want: np.ndarray, got: np.ndarray) -> Failure | None:
        unit = want.dtype.type(1e-2 if want.dtype == np.float32 else 1e-6)  # times the tolerance, the header's error
        return near(given, Value(np.append(got, unit)), Value(np.append(want, unit)))

    return returned(look)(given, got, want)


SOFTMAX_JACOBIAN = Exercise(
    "softmax_jacobian",
    "attention",
    [
        Criterion(
            "values",
            [
                Case("five weights", lambda rng: inputs(softmax(rng.normal(size=5)))),
                Case("one of them zero", lambda rng: inputs(softmax(np.append(rng.normal(size=4), -np.inf)))),
                Case("all but one zero", fixed(np.array([0.0, 1.0, 0.0]))),
                Case("nearly all on one", lambda rng: inputs(softmax(np.append(rng.normal(size=4), 30)))),
                Case("one weight", fixed(np.array([1.0]))),
                Case("float32", lambda rng: inputs(softmax(rng.normal(size=6).astype(np.float32)))),
            ],
            within_rounding,
        )
    ],
)


# Heads


def layer(rng: Generator, D: int, dtype: Any = np.float64) -> dict[str, np.ndarray]:
    """Parameters of a layer that are neither small nor zero."""
    shapes = {
        "in_proj_weight": (3 * D, D),
        "in_proj_bias": (3 * D,),
        "out_proj.weight": (D, D),
        "out_proj.bias": (D,),
    }
    return {name: (0.5 * rng.normal(size=shape)).astype(dtype) for name, shape in shapes.items()}


def projected(rng: Generator, N: int, T: int, D: int) -> Inputs:
    params = layer(rng, D)
    return inputs(rng.normal(size=(N, T, D)), params["in_proj_weight"], params["in_proj_bias"])


PROJECT_QKV = Exercise(
    "project_qkv",
    "attention",
    [
        Criterion(
            "values",
            [
                Case("two sequences of five tokens", partial(projected, N=2, T=5, D=4)),
                Case("six features", partial(projected, N=3, T=2, D=6)),
                Case("one feature", partial(projected, N=2, T=3, D=1)),
                Case("one of everything", partial(projected, N=1, T=1, D=1)),
            ],
        )
    ],
)


def array(*shape: int, num_heads: int | None = None) -> Any:
    return lambda rng: inputs(rng.normal(size=shape), *([] if num_heads is None else [num_heads]))


def whole(rng: Generator, *shape: int, dtype: Any = np.int64) -> np.ndarray:
    """Integers of either sign, as large as may be."""
    most = min(2**53, int(np.iinfo(dtype).max))
    return rng.integers(-most, most, size=shape, dtype=dtype, endpoint=True)


def unusual(rng: Generator, *shape: int) -> np.ndarray:
    """Numbers, some of which are infinite or none."""
    places = rng.random(shape)
    return np.select([places < 0.15, places < 0.3, places < 0.4], [np.inf, -np.inf, np.nan], rng.normal(size=shape))


SPLIT_HEADS = Exercise(
    "split_heads",
    "attention",
    [
        Criterion(
            "values",
            [
                Case("three heads", array(2, 5, 12, num_heads=3)),
                Case("as many heads as tokens", array(3, 4, 8, num_heads=4)),
                Case("one head", array(2, 3, 5, num_heads=1)),
                Case("as many heads as features", array(2, 3, 4, num_heads=4)),
                Case("integers", lambda rng: inputs(whole(rng, 2, 3, 6), 2)),
                Case("small integers", lambda rng: inputs(whole(rng, 2, 2, 6, dtype=np.int8), 3)),
                Case("truth values", lambda rng: inputs(rng.random((2, 3, 6)) < 0.5, 3)),
                Case("infinities and NaN", lambda rng: inputs(unusual(rng, 2, 4, 6), 2)),
                Case("one of everything", array(1, 1, 1, num_heads=1)),
            ],
            every(close(), same_dtype()),
        ),
        Criterion(
            "errors",
            [
                Case("heads that divide", array(2, 3, 10, num_heads=5)),
                Case("heads that do not divide", array(2, 3, 10, num_heads=4)),
                Case("more heads than features", array(2, 4, 3, num_heads=6)),
            ],
            raises(),
        ),
    ],
)

MERGE_HEADS = Exercise(
    "merge_heads",
    "attention",
    [
        Criterion(
            "values",
            [
                Case("three heads", array(2, 3, 5, 4)),
                Case("as many heads as tokens", array(2, 4, 4, 3)),
                Case("one head", array(3, 1, 4, 5)),
                Case("one of everything", array(1, 1, 1, 1)),
                Case("integers", lambda rng: inputs(whole(rng, 2, 3, 4, 5))),
                Case("small integers", lambda rng: inputs(whole(rng, 2, 3, 2, 2, dtype=np.int8))),
                Case("truth values", lambda rng: inputs(rng.random((2, 3, 4, 2)) < 0.5)),
                Case("infinities and NaN", lambda rng: inputs(unusual(rng, 2, 3, 4, 2))),
            ],
            every(close(), same_dtype()),
        )
    ],
)


def tokens(
    rng: Generator,
    heads: int = 3,
    N: int = 2,
    T: int = 5,
    D: int = 12,
    S: int | None = None,
    mask: Sequence[int] | None = None,
    empty: Sequence[int] = (),
    causal: bool = False,
    gain: float = 1.0,
    apart: float = 0.0,
    twins: float = 0.0,
    dtype: Any = np.float64,
) -> Inputs:
    """x, parameters and the number of heads; a memory of S tokens and a mask as wanted. ``gain`` makes x larger, and
    biases keep queries and keys ``apart``. With ``twins`` two tokens differ by no more.
    """
    given: dict[str, Any] = {}
    if S is not None:
        given["memory"] = rng.normal(size=(N, S, D)).astype(dtype)
    if causal:
        given["mask"] = np.tri(T, dtype=bool)
    if mask is not None:
        given["mask"] = scores(rng, (1,), mask, empty).args[1]
    x, params = (gain * rng.normal(size=(N, T, D))).astype(dtype), layer(rng, D, dtype)
    params["in_proj_bias"] += np.repeat(np.array([apart, -apart, 0], dtype), D)
    if twins:
        x[:, 1] = x[:, 0] + twins * rng.normal(size=D)
    return inputs(x, params, heads, **given)


SELF = [
    Case("three heads of four features", tokens),
    Case("one head", partial(tokens, heads=1, D=6)),
    Case("as many heads as features", partial(tokens, heads=4, T=3, D=4)),
    Case("as many heads as sequences", partial(tokens, heads=2, D=6)),
    Case("a causal mask", partial(tokens, causal=True, T=6)),
    Case("padding", partial(tokens, N=3, mask=(3, 1, 1, 5))),
    Case("as many heads as sequences, masked", partial(tokens, heads=2, D=6, mask=(2, 1, 5, 5))),
    Case("a mask for every head", partial(tokens, mask=(2, 3, 5, 5))),
    Case("a mask for every head, for all sequences", partial(tokens, N=3, mask=(3, 5, 5))),
    Case("a mask for every head, for both sequences", partial(tokens, mask=(3, 5, 5))),
    Case("queries that see nothing", partial(tokens, mask=(2, 1, 5, 5), empty=[0, 3, 8])),
    Case("queries that see nothing in one head", partial(tokens, mask=(2, 3, 5, 5), empty=[1, 12, 28])),
    Case("scores of thousands", partial(tokens, gain=30.0)),
    Case("scores of thousands, some near one another", partial(tokens, T=8, gain=30.0, twins=0.02)),
    Case("scores below minus ten thousand, masked", partial(tokens, mask=(5, 5), apart=250.0)),
    Case("one of everything", partial(tokens, heads=1, N=1, T=1, D=1)),
    Case("float32", partial(tokens, **FLOAT32)),
]

MULTI_HEAD_ATTENTION = Exercise(
    "multi_head_attention",
    "attention",
    [
        Criterion("values", SELF, close(part=0)),
        Criterion("weights", SELF, close(part=1)),
        Criterion(
            "memory",
            [
                Case("a memory of seven tokens", partial(tokens, S=7)),
                Case("a memory as long as x", partial(tokens, S=5)),
                Case("a memory of one token", partial(tokens, heads=2, D=6, S=1)),
                Case("padding of the memory", partial(tokens, N=3, S=7, mask=(3, 1, 1, 7))),
                Case("a mask for every head and query", partial(tokens, S=6, mask=(2, 3, 5, 6), empty=[4, 11])),
                Case("a memory with other strides", partial(tokens, S=7, mask=(5, 7)), copies="strided"),
            ],
            close(part=0),
        ),
    ],
)


def tokens_backward(rng: Generator, **sizes: Any) -> Inputs:
    given = tokens(rng, **sizes)
    x = given.args[0]
    return inputs(rng.normal(size=x.shape).astype(x.dtype), *given.args, **given.kwargs)


def backward_case(title: str, **sizes: Any) -> Case:
    return Case(title, partial(tokens_backward, **sizes))


SELF_BACKWARD = [
    backward_case("three heads of four features"),
    backward_case("one head", heads=1, D=6),
    backward_case("as many heads as tokens", heads=4, T=4, D=8, N=3),
    backward_case("a causal mask", causal=True),
    backward_case("padding", N=3, mask=(3, 1, 1, 5)),
    backward_case("queries that see nothing", mask=(2, 1, 5, 5), empty=[0, 3, 8]),
    backward_case("a mask for every head, for all sequences", mask=(3, 5, 5)),
    backward_case("queries that see nothing in one head", mask=(2, 3, 5, 5), empty=[1, 12, 28]),
    backward_case("scores of thousands", T=6, gain=30.0),
    backward_case("scores below minus ten thousand, masked", mask=(5, 5), apart=250.0),
    backward_case("one of everything", heads=1, N=1, T=1, D=1),
    backward_case("float32", **FLOAT32),
]

MULTI_HEAD_ATTENTION_BACKWARD = Exercise(
    "multi_head_attention_backward",
    "attention",
    [
        Criterion("dx", SELF_BACKWARD, close(part=0)),
        Criterion("in_proj", SELF_BACKWARD, close(part=entries("in_proj", part=1))),
        Criterion("out_proj", SELF_BACKWARD, close(part=entries("out_proj", part=1))),
    ],
)


# Positions

SINUSOIDAL_POSITIONS = Exercise(
    "sinusoidal_positions",
    "attention",
    [
        Criterion(
            "values",
            [
                Case("some positions", lambda rng: inputs(int(rng.integers(5, 12)), 2 * int(rng.integers(3, 7)))),
                Case("two features", fixed(7, 2)),
                Case("one position", fixed(1, 6)),
                Case("another base", lambda rng: inputs(9, 8, base=float(rng.uniform(20, 200)))),
                Case("many positions", fixed(10000, 4)),
                Case("many features", fixed(3, 128)),
                Case("98 features", fixed(4, 98)),
                Case("a thousand features", fixed(2, 1000)),
                Case("another base, a whole number", lambda rng: inputs(6, 10, base=int(rng.integers(20, 200)))),
                Case("a base near one", fixed(5, 6, base=1.25)),
            ],
        ),
        Criterion(
            "errors",
            [Case("an even number", fixed(4, 6)), Case("an odd number", fixed(4, 7)), Case("one", fixed(3, 1))],
            raises(),
        ),
    ],
)


def mixing(
    title: str,
    *,
    spread: float = 0.0,
    past: float = 0.0,
    offset: float = 0.0,
    level: float = 0.0,
    own: bool = False,
    moved: bool = True,
    integers: Any = np.int64,
) -> Case:
    """A layer of tokens that see themselves, all tokens (spread), earlier ones (past), and their place (offset, around
    a level, beside which features count little), which each sequence has for its ``own`` if wanted.
    """

    def make(rng: Generator) -> Inputs:
        N, T, D, E = 3, 6, 4, 5
        places = np.eye(T) + spread * np.ones((T, T)) / T + past * np.tri(T, k=-1)
        permutation = np.arange(T)
        while moved and np.array_equal(permutation[permutation], np.arange(T)):  # not its own inverse
            permutation = rng.permutation(T)
        features = rng.normal(size=(D, E)) / (40 if level else 4)
        x, offsets = rng.normal(size=(N, T, D)), level + offset * rng.normal(size=(N, T, E) if own else (T, E))
        return inputs(x, permutation.astype(integers), features, places, offsets)

    return Case(title, make, "permutation_error")


def handed_on(rng: Generator) -> Inputs:
    return inputs(rng.normal(size=(2, 5, 3)), np.roll(np.arange(5), 2))


PERMUTATION_ERROR = Exercise(
    "permutation_error",
    "attention",
    [
        Criterion(
            "values",
            [
                mixing("tokens on their own"),
                mixing("a mean over all tokens", spread=2.0),
                mixing("earlier tokens", past=0.5),
                mixing("positions", offset=1.0),
                mixing("positions, small integers without sign", offset=1.0, integers=np.uint8),
                mixing("positions and a mean", offset=0.3, spread=1.0),
                mixing("positions of little weight", offset=1e-5, level=2.0),
                mixing("sequences that are treated in different ways", offset=1.0, own=True),
                Case("a layer that hands on what it gets", handed_on, "permutation_error"),
                mixing("nothing moves", offset=1.0, past=0.5, moved=False),
            ],
        )
    ],
)


# The cache


def arriving(
    rng: Generator,
    L: int,
    S: int = 0,
    N: int = 2,
    heads: int = 3,
    d: int = 4,
    e: int = 5,
    gain: float = 1.0,
    apart: float = 0.0,
    twins: float = 0.0,
) -> Inputs:
    """q, k and v of L new tokens and, if S > 0, the cache of S earlier ones. ``gain`` makes scores larger, and queries
    and keys that stand ``apart`` make all of them negative. With ``twins`` two new keys differ by no more.
    """
    q, k, v = (rng.normal(size=(N, heads, L, size)) for size in (d, d, e))
    if twins:
        k[:, :, 1] = k[:, :, 0] + twins * rng.normal(size=d)
    new = [gain * q + apart, k - apart, v]
    cache = rng.normal(size=(N, heads, S, d)) - apart, rng.normal(size=(N, heads, S, e))
    return inputs(*new, cache) if S else inputs(*new)


def candidates(rng: Generator) -> Inputs:
    """Tokens at the beginning, the next ones, two different ones that may follow, and one after the first of these."""
    return inputs(*(arriving(rng, L).args for L in (4, 2, 1, 1, 1)))


ARRIVING = [
    Case("a first token", partial(arriving, L=1)),
    Case("a first piece", partial(arriving, L=4)),
    Case("one token more", partial(arriving, L=1, S=6)),
    Case("three tokens more", partial(arriving, L=3, S=5, gain=6.0)),
    Case("more new tokens than old", partial(arriving, L=5, S=2)),
    Case("scores of thousands", partial(arriving, L=3, S=4, **LARGE)),
    Case("scores of thousands, some near one another", partial(arriving, L=8, S=2, **LARGE, **TWINS)),
    Case("scores below minus ten thousand", partial(arriving, L=4, S=2, apart=250.0)),
    Case("one of everything", partial(arriving, L=1, N=1, heads=1, d=1, e=1)),
]

INCREMENTAL_ATTENTION = Exercise(
    "incremental_attention",
    "attention",
    [
        Criterion("values", ARRIVING, close(part=0)),
        Criterion("cache", ARRIVING, close(part=1)),
        Criterion(
            "unchanged",
            [
                ARRIVING[3],
                Case("one cache, two candidates", candidates, "continued_twice"),
            ],
            every(close(), unchanged()),
        ),
    ],
)


# Retrieval


def dictionary(
    rng: Generator, S: int = 6, d: int = 4, e: int = 3, gain: float = 1.0, dtype: Any = np.float64, **settings: Any
) -> Inputs:
    arrays = rng.normal(size=d), gain * rng.normal(size=(S, d)), rng.normal(size=(S, e))
    return inputs(*(array.astype(dtype) for array in arrays), **settings)


def near_one_another(rng: Generator, around: float, **settings: float) -> Inputs:
    """Dot products that differ by at most three temperatures."""
    query, keys, values = dictionary(rng).args
    wanted = around + settings.get("temperature", 1.0) * rng.uniform(0, 3, size=len(keys))
    return inputs(query, keys + np.outer(wanted - keys @ query, query) / (query @ query), values, **settings)


RETRIEVE = Exercise(
    "retrieve",
    "attention",
    [
        Criterion(
            "values",
            [
                Case("six entries", dictionary),
                Case("a high temperature", partial(dictionary, S=5, temperature=40.0)),
                Case("a low temperature", partial(dictionary, e=4, temperature=0.4)),
                Case("one entry", partial(dictionary, S=1, temperature=2.0)),
                Case("a temperature of two, a whole number", partial(dictionary, S=7, temperature=2)),
                Case("float32", partial(dictionary, temperature=0.3, **FLOAT32)),
                Case("as many entries as features", partial(dictionary, S=4, e=4)),
                Case("one of everything", partial(dictionary, S=1, d=1, e=1)),
            ],
        ),
        Criterion(
            "extremes",
            [
                Case("large dot products", partial(dictionary, gain=2000.0)),
                Case("large dot products near one another", partial(near_one_another, around=5000.0)),
                Case("dot products near one another, far below zero", partial(near_one_another, around=-5000.0)),
                Case("a temperature near zero", partial(near_one_another, around=50.0, temperature=0.01)),
                Case("large dot products, a temperature near zero", partial(dictionary, gain=2500.0, temperature=0.01)),
                Case("quotients of dozens, float32", partial(dictionary, gain=2.0, temperature=0.1, **FLOAT32)),
            ],
        ),
        Criterion(
            "errors",
            [
                Case("a temperature above zero", partial(dictionary, temperature=0.5)),
                Case("a temperature of zero", partial(dictionary, temperature=0.0)),
                Case("a negative temperature", partial(dictionary, temperature=-1.0)),
            ],
            raises(),
        ),
    ],
)


# Senses


def words(
    rng: Generator,
    d: int = 5,
    zero: Sequence[int] = (),
    scale: float | Sequence[float] = 1.0,
    turned: float | None = None,
    dtype: Any = np.float64,
) -> Inputs:
    """before, after, a and b, of different lengths; those numbered by ``zero`` are zero.

    With ``turned`` after is before and as much of another vector.
    """
    vectors = np.reshape(scale, (-1, 1)) * rng.normal(size=(4, d)) * rng.uniform(0.5, 3, size=(4, 1))
    if turned is not None:
        vectors[1] = vectors[0] + turned * vectors[1]
    vectors[list(zero)] = 0
    return inputs(*vectors.astype(dtype))


def turned_round(rng: Generator) -> Inputs:
    """Two opposite senses, and a word that goes from one to the other."""
    a = rng.normal(size=5)
    before, after, b = (size * a + 0.02 * rng.normal(size=5) for size in (-0.7, 1.6, -1.2))
    return inputs(before, after, a, b)


def summing_to_zero(rng: Generator) -> Inputs:
    """Whole numbers, one of them 0."""
    vectors = rng.integers(1, 9, size=(4, 5)) * rng.choice([-1.0, 1.0], size=(4, 5))
    vectors[:, 1] = 0
    vectors[:, 4] = -vectors[:, :4].sum(axis=1)
    return inputs(*vectors)


def distance_to_precision(given: Inputs, got: Outcome, want: Outcome) -> Failure | None:
    """Close; to the precision of float32 where that is what the vectors hold: the answers are Python floats."""
    return close(RTOL.get(given.args[0].dtype.name), part=0)(given, got, want)


def gain_to_precision(given: Inputs, got: Outcome, want: Outcome) -> Failure | None:
    """Off by a number at most, since four cosines may nearly cancel: the gain is compared beside a 1."""

    near = close(RTOL["float32"] if given.args[0].dtype == np.float32 else 1e-7)

    def look(want: np.ndarray, got: np.ndarray) -> Failure | None:
        return near(given, Value(np.append(got, 1.0)), Value(np.append(want, 1.0)))

    return returned(look, part=1)(given, got, want)


MOVED = [
    Case("five features", words),
    Case("many features", partial(words, d=40)),
    Case("two", partial(words, d=2)),
    Case("short vectors", partial(words, scale=1e-6)),
    Case("words 1e-50 long", partial(words, scale=[1e-50, 1e-50, 1, 1e-50])),
    Case("words 1e50 long", partial(words, scale=[1e50, 1e50, 1e50, 1])),
    Case("a word that was 1e-50 long", partial(words, scale=[1e-50, 1, 1, 1])),
    Case("words 1e-8 long, float32", partial(words, scale=1e-8, **FLOAT32)),
    Case("words 1e8 long, float32", partial(words, scale=1e8, **FLOAT32)),
    Case("a word that has hardly turned", partial(words, turned=1e-6)),
    Case("a word that has hardly moved", partial(words, turned=1e-12)),
    Case("a word that has turned right round", turned_round),
    Case("vectors that sum to zero", summing_to_zero),
]

SENSE_SHIFT = Exercise(
    "sense_shift",
    "attention",
    [
        Criterion("distance", MOVED, distance_to_precision),
        Criterion("gain", MOVED, gain_to_precision),
        Criterion(
            "zeros",
            [
                Case("a word without a vector", partial(words, zero=[0, 1])),
                Case("senses without a vector", partial(words, zero=[2, 3])),
                Case("a word and a sense without a vector", partial(words, zero=[0, 2])),
            ],
            gain_to_precision,
        ),
    ],
)


# PyTorch


def module(
    rng: Generator,
    heads: int = 3,
    N: int = 2,
    T: int = 5,
    D: int = 12,
    **given: Any,
) -> Inputs:
    """A layer's arguments and a cotangent."""
    x, params, heads = (made := tokens(rng, heads, N, T, D, **given)).args
    dy = rng.normal(size=x.shape).astype(x.dtype)
    return inputs(heads, params, dy, x, made.kwargs.get("memory"), made.kwargs.get("mask"))


def module_case(title: str, **sizes: Any) -> Case:
    return Case(title, partial(module, **sizes), "attention_module")


GRADIENTS = [
    module_case("self-attention, three heads"),
    module_case("a memory of seven tokens", S=7, heads=2, D=6),
    module_case("a causal mask", causal=True, T=6),
    module_case("first queries that see nothing", heads=2, mask=(5, 5), empty=[0, 1]),
    module_case("a mask for every head, queries that see nothing in one", S=6, mask=(2, 3, 5, 6), empty=[4, 11]),
    module_case("scores of thousands", gain=30.0),
    module_case("float32", **FLOAT32),
]

MULTI_HEAD_ATTENTION_MODULE = Exercise(
    "MultiHeadAttention",
    "attention_torch",
    [
        Criterion(
            "parameters",
            [
                Case("two heads of three features", fixed(6, 2), "attention_parameters"),
                Case("one head of five features", fixed(5, 1), "attention_parameters"),
                Case("the default dtype", fixed(8, 4), "attention_dtypes"),
            ],
        ),
        Criterion(
            "values",
            [
                *GRADIENTS,
                module_case("padding of the memory", N=3, S=7, mask=(3, 1, 1, 7)),
                module_case("a mask for every head, for all sequences", N=3, mask=(3, 5, 5)),
                module_case("a mask for every head, for both sequences", mask=(3, 5, 5)),
                module_case("as many heads as sequences, masked", heads=2, D=8, mask=(2, 1, 5, 5)),
                module_case("scores below minus ten thousand, masked", mask=(2, 1, 5, 5), empty=[7], apart=250.0),
                module_case("one of everything", heads=1, N=1, T=1, D=1),
                Case(
                    "transposed and sliced",
                    partial(module, S=7, mask=(2, 1, 5, 7)),
                    "attention_module",
                    copies="strided",
                    lent=["x", "memory", "mask"],
                ),
            ],
            conforming(part="y"),
        ),
        Criterion("gradients", GRADIENTS, close(part="gradients")),
    ],
)

SENSE_GAP = 0.6  # correct models 0.9 to 1.9; without projections at most 0.1
RECALL_GATE = 0.7  # correct models 0.87 to 1.00; with two tables at most 0.52, guessing 0.125
CHANCE = 0.25  # guessing one of eight answers in 200 lists gets beyond once in a million terms


def finite(look: Callable[[Any, Any], Failure | None]) -> Check:
    """A property of arrays in which every number is finite."""

    def safe(given: Any, got: Any) -> Failure | None:
        for array in got.values() if isinstance(got, dict) else [got]:
            if not np.isfinite(array).all():
                return Failure("not finite", "returns values that are not finite")
        return look(given, got)

    return judged(safe)


def alike(got: np.ndarray, want: np.ndarray) -> bool:
    """Equal row by row to float32 precision, of sums over many terms."""
    return bool((np.abs(got - want) <= 1e-3 * np.abs(want).max(axis=-1, keepdims=True)).all())


def scattered(_: Inputs, table: np.ndarray) -> Failure | None:
    """Independent normal entries of standard deviation 1 / sqrt(dim)."""
    standard = table * np.sqrt(table.shape[1])
    margin = 6 / np.sqrt(table.size)  # six standard deviations of the mean
    if abs(standard.mean()) > margin or abs(standard.std() - 1) > margin:
        return Failure("values", "has a table whose mean or standard deviation is not the one asked for")
    if not 0.5 < np.abs(standard).max() / np.sqrt(2 * np.log(table.size)) < 2 or len(np.unique(table)) < table.size / 2:
        return Failure("values", "has a table whose entries are not normally distributed")
    for axis in (0, 1):  # squares of independent entries have variance 2
        spread = np.std((standard**2).mean(axis=axis)) * np.sqrt(table.shape[axis] / 2)
        if spread < 0.2:
            return Failure("values", "has a table whose rows, or columns, are all of one length")
    return None


def compared_with_words(given: Inputs, got: dict[str, np.ndarray]) -> Failure | None:
    table, _ = given.args
    if got["logits"].dtype != table.dtype:
        return Failure("dtype", f"returns {got['logits'].dtype}")
    if np.ptp(got["vectors"], axis=(0, 1)).max() <= 1e-5 * np.abs(got["vectors"]).max():
        return Failure("values", "gives the same vector to all words")
    if not alike(got["logits"], got["vectors"] @ table.T):
        return Failure("values", "has logits that are not the vectors in context compared with the table")
    if not alike(got["alone"], got["vectors"][-1:]):
        return Failure("values", "gives other vectors when a sequence stands alone")
    return None


# The words of provided.py: those that any sentence may hold, then the first verbs, adjectives and nouns of either sense
MASK, AMBIGUOUS, THE, PEOPLE, NEUTRAL, TIMES = 0, 1, 2, range(3, 7), range(7, 10), range(10, 14)
VERBS, ADJECTIVES, NOUNS = (14, 24), (18, 28), (21, 31)
VOCABULARY, NOUN = 34, 4


@dataclass(frozen=True)
class Examined(Inputs):
    """Inputs with what does not travel: the sense (0 or 1) of each word and of each sentence."""

    of_words: np.ndarray
    of_sentences: np.ndarray


def senses(rng: Generator) -> list[np.ndarray]:
    """Verbs, adjectives and nouns of two senses, shape (2, number). Which belong together is drawn anew: it cannot be
    known, only learned."""
    kinds = [np.add.outer(start, np.arange(n)) for start, n in ((VERBS, 4), (ADJECTIVES, 3), (NOUNS, 3))]
    return [rng.permutation(kind.ravel()).reshape(kind.shape) for kind in kinds]


def company(rng: Generator, dim: int, count: int, steps: int, batch: int, lr: float) -> Inputs:
    """Lessons like those of ``draw_sentences`` and ``hide_nouns``, then nouns of either sense, and "apple" after verbs
    of either sense, in no order."""
    verbs, adjectives, nouns = senses(rng)
    sense = rng.integers(2, size=count)

    def choice(words: np.ndarray) -> np.ndarray:
        chosen: np.ndarray = words[sense, rng.integers(words.shape[1], size=count)]
        return chosen

    adjective = np.where(rng.integers(2, size=count), rng.choice(NEUTRAL, count), choice(adjectives))
    noun = np.where(rng.integers(4, size=count), choice(nouns), AMBIGUOUS)
    people, times = (rng.choice(words, count) for words in (PEOPLE, TIMES))
    corpus = np.stack([people, choice(verbs), np.full(count, THE), adjective, noun, times], axis=1)
    taught = corpus[rng.integers(count, size=(steps, batch))]
    hidden, masked = taught.copy(), rng.random((steps, batch)) < 0.5
    hidden[..., NOUN] = np.where(masked, MASK, rng.integers(VOCABULARY, size=masked.shape))
    words = rng.permutation(nouns.ravel())
    asked = [(PEOPLE[0], verb, THE, word, AMBIGUOUS, TIMES[1]) for verb in verbs.ravel() for word in NEUTRAL]
    sentences = rng.permutation(np.array(asked))
    lesson = inputs(
        vocab_size=VOCABULARY,
        dim=dim,
        lr=lr,
        batches=(hidden, taught[..., NOUN]),
        place=NOUN,
        words=words,
        sentences=sentences,
    )
    return Examined(**vars(lesson), of_words=np.isin(words, nouns[1]), of_sentences=np.isin(sentences[:, 1], verbs[1]))


def moved(given: Inputs, got: dict[str, np.ndarray]) -> Failure | None:
    """After verbs of either sense "apple" leans towards the nouns of that sense."""
    assert isinstance(given, Examined)
    vectors = got["in context"] / np.maximum(np.linalg.norm(got["in context"], axis=1, keepdims=True), 1e-30)
    means = [got["words"][given.of_words == sense].mean(axis=0) for sense in (0, 1)]
    first, second = (vectors @ mean / max(float(np.linalg.norm(mean)), 1e-30) for mean in means)
    preference = [(first - second)[given.of_sentences == sense].mean() for sense in (0, 1)]
    if preference[0] - preference[1] > SENSE_GAP:
        return None
    return Failure("values", "does not move the word far enough towards the sense of its context after the training")


def sense_ids(
    rng: Generator, vocab_size: int, dim: int, shape: Sequence[int], gain: float = 1.0, dtype: Any = np.float32
) -> Inputs:
    """A table and word numbers. ``gain`` makes the table larger, and scores of sentences lie far from one another."""
    table = (gain * rng.normal(size=(vocab_size, dim))).astype(dtype)
    return inputs(table, rng.integers(vocab_size, size=shape))


def two_words(rng: Generator) -> Inputs:
    """Different ones: the vectors in context of equal words may be equal."""
    return inputs(rng.normal(size=(9, 8)).astype(np.float32), rng.permutation(9)[None, :2])


SENSE_MODEL = Exercise(
    "SenseModel",
    "attention_torch",
    [
        Criterion(
            "table",
            [
                Case("a table of 300 words", fixed(300, 12), "sense_table"),
                Case("a table of 200 words", fixed(200, 32), "sense_table"),
            ],
            finite(scattered),
        ),
        Criterion(
            "tied",
            [
                Case("three sentences", partial(sense_ids, vocab_size=17, dim=8, shape=(3, 5)), "sense_logits"),
                Case("one long sentence", partial(sense_ids, vocab_size=23, dim=12, shape=(1, 16)), "sense_logits"),
                Case("many short ones", partial(sense_ids, vocab_size=40, dim=32, shape=(20, 2)), "sense_logits"),
                Case("one sentence of two words", two_words, "sense_logits"),
                Case(
                    "a model turned to float64, scores far from one another",
                    partial(sense_ids, vocab_size=15, dim=8, shape=(4, 6), gain=100.0, dtype=np.float64),
                    "sense_logits",
                ),
                Case(
                    "transposed and sliced",
                    partial(sense_ids, vocab_size=17, dim=8, shape=(3, 5)),
                    "sense_logits",
                    copies="strided",
                    lent=["ids"],
                ),
            ],
            every(finite(compared_with_words), unchanged()),
        ),
        Criterion(
            "senses",
            [
                Case(
                    "300 steps on 1000 sentences",
                    partial(company, dim=32, count=1000, steps=300, batch=64, lr=0.01),
                    "sense_trained",
                    training=True,
                )
            ],
            finite(moved),
        ),
    ],
    cpu_limit=12.0,
)


def long_lists(rng: Generator) -> Inputs:
    """The recipe, and 200 lists of 1024 pairs. The answers stay here: they follow from the lists."""
    num_keys, num_values, count, length = 2048, 8, 200, 1024
    keys = rng.permuted(np.tile(np.arange(num_keys), (count, 1)), axis=1)[:, :length]
    values = rng.integers(num_values, size=(count, length))
    query = keys[np.arange(count), rng.integers(length, size=count)]
    return inputs(
        dim=48,
        num_keys=num_keys,
        num_values=num_values,
        length=64,
        batch=64,
        steps=300,
        lr=0.01,
        seed=int(rng.integers(2**31)),
        keys=keys,
        values=values,
        query=query,
        order=rng.permutation(length),
    )


def other_lists(rng: Generator) -> Inputs:
    """Forty lists of six pairs, of other numbers of keys and values than the recipe's."""
    num_keys, count, length = 50, 40, 6
    keys = rng.permuted(np.tile(np.arange(num_keys), (count, 1)), axis=1)[:, :length]
    values = rng.integers(3, size=(count, length))
    return inputs(num_keys, 3, 12, keys, values, keys[np.arange(count), rng.integers(length, size=count)])


def recalls(least: float) -> Check:
    """More than a fraction ``least`` of the answers is right."""

    def look(given: Inputs, got: dict[str, np.ndarray]) -> Failure | None:
        lists = given.kwargs
        if got["logits"].dtype != np.float32:
            return Failure("dtype", "does not return the default dtype")
        answers = lists["values"][lists["keys"] == lists["query"][:, None]]
        if (got["logits"].argmax(axis=1) == answers).mean() > least:
            return None
        return Failure("values", "does not find enough values in long lists after the training")

    return finite(look)


def not_influenced(by: str, sentence: str) -> Check:
    """The same answers, and logits that differ little compared with how they differ from list to list. A constant for
    each list does not count: a large one would hide anything."""

    def look(_: Inputs, got: dict[str, np.ndarray]) -> Failure | None:
        want, other = (got[key] - got[key].mean(axis=1, keepdims=True, dtype=np.float64) for key in ("logits", by))
        spread, want = np.ptp(want, axis=0), want[: len(other)]
        same = (want.argmax(axis=1) == other.argmax(axis=1)).mean() > 0.97  # two may be as likely
        near = (np.abs(other - want) <= 1e-3 * spread).all()
        return None if same and near else Failure("values", sentence)

    return finite(look)


TRAINED = Case("300 steps on lists of 64 pairs, asked on lists of 1024", long_lists, "recall_trained", training=True)
UNTRAINED = Case("short lists, scores far from one another", other_lists, "recall_untrained")
ALONE = not_influenced("alone", "gives other logits when a list stands alone")
REORDERED = not_influenced("reordered", "gives other logits when the pairs are reordered")
DOUBLE = not_influenced("double", "gives other logits when the model is float64")


def in_float64(_: Inputs, logits: np.ndarray) -> Failure | None:
    return None if logits.dtype == np.float64 else Failure("dtype", "does not return the dtype of the model")


def of_lists(given: Inputs, got: Outcome, want: Outcome) -> Failure | None:
    """Each list for itself; after the training, answers that are better than guessing, and the model's dtype."""
    trained = every(recalls(CHANCE), ALONE, judged(in_float64, part="double"), DOUBLE)
    return (trained if given.kwargs else ALONE)(given, got, want)


RECALL_MODEL = Exercise(
    "RecallModel",
    "attention_torch",
    [
        Criterion("lists", [TRAINED, UNTRAINED], of_lists),
        Criterion("order", [TRAINED], every(recalls(CHANCE), REORDERED)),
        Criterion("recall", [TRAINED], recalls(RECALL_GATE)),
    ],
    cpu_limit=20.0,
)


def long_sequence(rng: Generator, T: int, chunk: int, is_causal: bool = False, **sizes: Any) -> Inputs:
    q, k, v = attended(rng, **{"T": T, "S": T, **sizes}).args
    return inputs(q, k, v, chunk=chunk, **({"is_causal": True} if is_causal else {}))


def lowest_scores(rng: Generator) -> Inputs:
    """All of them within ten of -1e4."""
    q, k, v = attended(rng, T=9, S=9).args
    return inputs(70.68 + 0.01 * q, 0.01 * k - 70.68, v, chunk=4, is_causal=True)


def frugal(want: Any, got: dict[str, Any]) -> Failure | None:
    """No less than the answer itself, and at most half of a T x T matrix for every head."""
    *lead, T, _ = want["out"].shape
    limit = int(np.prod(lead)) * T * T * want["out"].itemsize / 2
    return (
        None
        if want["out"].nbytes <= got["peak"] < limit
        else Failure("memory", "holds more memory at its peak than it may")
    )


def chunks(title: str, **sizes: Any) -> Case:
    return Case(title, partial(long_sequence, **sizes), "chunked_attention")


def metered(title: str, **sizes: Any) -> Case:
    return Case(title, partial(long_sequence, **sizes, dtype=np.float32), "chunked_memory")


CHUNKED_ATTENTION = Exercise(
    "chunked_attention",
    "attention_torch",
    [
        Criterion(
            "values",
            [
                chunks("chunks that divide", T=12, chunk=4),
                chunks("a last chunk that is shorter", T=11, chunk=4),
                chunks("causal, a last chunk that is shorter", T=11, chunk=3, is_causal=True),
                chunks("causal, one query at a time", T=7, chunk=1, is_causal=True),
                chunks("a chunk longer than the sequence", T=5, chunk=8, is_causal=True),
                chunks("float32", T=10, chunk=4, is_causal=True, dtype=np.float32),
                chunks("one of everything", chunk=1, **ONE),
                chunks("scores of thousands", T=9, chunk=4, **LARGE),
                chunks("scores of thousands, causal", T=8, chunk=3, is_causal=True, **LARGE),
                chunks("scores of thousands, float32", T=7, chunk=2, is_causal=True, **LARGE, **FLOAT32),
                Case("scores around minus ten thousand, causal", lowest_scores, "chunked_attention"),
                Case(
                    "transposed and sliced",
                    partial(long_sequence, T=9, chunk=4),
                    "chunked_attention",
                    copies="strided",
                    lent=["q", "k", "v"],
                ),
            ],
            conforming(),
        ),
        Criterion(
            "memory",
            [
                metered("512 tokens", T=512, chunk=16),
                metered("384 tokens, causal", T=384, chunk=12, is_causal=True),
                metered("one head of one sequence, causal", T=512, chunk=16, is_causal=True, lead=(1, 1)),
            ],
            every(close(part="out"), returned(frugal)),
        ),
    ],
    bonus=True,
)

EXERCISES = (
    kept(alone(MASKED_SOFTMAX, "a mask of the scores' shape")),
    kept(alone(ATTENTION_SCORES, "a scale of its own")),
    kept(alone(CAUSAL_MASK, "the last three of seven")),
    kept(alone(PADDING_MASK)),
    kept(alone(SCALED_DOT_PRODUCT_ATTENTION, "a scale and a mask")),
    kept(alone(SCALED_DOT_PRODUCT_ATTENTION_BACKWARD, "a scale and a mask")),
    kept(alone(SOFTMAX_JACOBIAN)),
    kept(alone(PROJECT_QKV)),
    kept(alone(SPLIT_HEADS)),
    kept(alone(MERGE_HEADS)),
    kept(alone(MULTI_HEAD_ATTENTION, "padding of the memory")),
    kept(alone(MULTI_HEAD_ATTENTION_BACKWARD, "padding")),
    kept(alone(SINUSOIDAL_POSITIONS, "another base")),
    alone(PERMUTATION_ERROR, "positions and a mean"),
    kept(alone(INCREMENTAL_ATTENTION, "three tokens more")),
    kept(alone(RETRIEVE, "a low temperature")),
    kept(alone(SENSE_SHIFT)),
    MULTI_HEAD_ATTENTION_MODULE,
    SENSE_MODEL,
    RECALL_MODEL,
    CHUNKED_ATTENTION,
    conventions(
        "attention",
        "dtype",
        "strides",
        "arguments",
        permutation_error=["x", "permutation"],
    ),
)
