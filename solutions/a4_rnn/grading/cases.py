"""The hidden questions of assignment 4. Sizes differ on every axis, biases are not zero, cotangents are random."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.compare import (
    RTOL,
    Check,
    Failure,
    close,
    conforming,
    every,
    judged,
    raises,
    returned,
    same_dtype,
    unchanged,
)
from autograder.course import Case, Criterion, Exercise, Inputs, Part, conventions, fixed, inputs, kept
from autograder.outcome import Outcome, Value

Generator = np.random.Generator
Arrays = dict[str, np.ndarray]

PARTS = (Part("rnn", "numpy"), Part("rnn_torch", "torch"))

FLOAT32: dict[str, Any] = {"dtype": np.float32}
ONE: dict[str, Any] = {"N": 1, "T": 1, "D": 1, "H": 1}
AS_MANY: dict[str, Any] = {"D": 4}  # as many inputs as states: a matrix of the wrong kind still fits
SATURATED: dict[str, Any] = {"H": 5, "saturated": True}
SILENT: dict[str, Any] = {"T": 8, "H": 2, "loss_at": 8, "silent": True}


# The step


def network(
    rng: Generator,
    N: int = 3,
    T: int = 5,
    D: int = 2,
    H: int = 4,
    outputs: int = 6,
    dtype: Any = np.float64,
    saturated: bool = False,
    loss_at: int | None = None,
    loss: float = 1.0,
    silent: bool = False,
    stuck: Sequence[int] = (),
) -> Arrays:
    """Everything a network is made of, on N sequences of T steps, in a state that is not saturated.

    Or one in which, for an odd H, all states but one are, by biases of up to 1000. With ``loss_at`` the loss is on the
    state after that step alone; ``loss`` is its size. With ``silent``, for H = 2, the second unit stays at 0
    and stretches what it hears of itself; the first hears nothing but the second, and hardly that. So the gradient of a
    loss on the first is tiny one step earlier, and grows from there on. In steps that are ``stuck`` the input drives
    every state to 1 or -1, exactly: no gradient passes.
    """
    a = {
        "x": rng.normal(size=(N, T, D)),
        "h0": rng.uniform(-0.8, 0.8, size=(N, H)),
        "U": 0.6 * rng.normal(size=(H, D)),
        "V": 0.6 * rng.normal(size=(H, H)),
        "W": rng.normal(size=(outputs, H)),
        "b": rng.uniform(0.2, 0.6, size=H) * rng.choice([-1, 1], size=H),
        "dh": loss * rng.normal(size=(N, T, H)),
        "target": rng.normal(size=(N, T, outputs)),
    }
    if saturated:
        a["b"] = rng.permutation(np.linspace(-1000, 1000, H))
    if loss_at is not None:
        a["dh"] *= np.arange(1, T + 1)[:, None] == loss_at
    for step in stuck:
        a["x"][:, step - 1, 0] = 300
    if stuck:
        a["U"][:, 0] += np.copysign(0.4, a["U"][:, 0])
    if silent:
        a["V"] = np.array([[0, 1e-16], [0, 1000]])
        a["h0"][:, 1] = a["U"][1] = a["b"][1] = a["dh"][..., 1] = 0
    a = {name: array.astype(dtype) for name, array in a.items()}
    h = [a["h0"]]
    for t in range(T):
        h.append(np.tanh(a["x"][:, t] @ a["U"].T + h[-1] @ a["V"].T + a["b"]))
    return a | {"h": np.stack(h[1:], axis=1)}


def asked(*names: str, **sizes: Any) -> Any:
    """Arguments of the names given, from a network of the sizes given."""

    def make(rng: Generator) -> Inputs:
        a = network(rng, **sizes)
        return inputs(*(a[name] for name in names))

    return make


def one_step(rng: Generator, backward: bool = False, **sizes: Any) -> Inputs:
    """The arguments of a step, or those of its backward pass."""
    a = network(rng, T=1, **sizes)
    x, h, h_next, dh_next = a["x"][:, 0], a["h0"], a["h"][:, 0], a["dh"][:, 0]
    return inputs(dh_next, x, h, h_next, a["U"], a["V"]) if backward else inputs(x, h, a["U"], a["V"], a["b"])


def steps(backward: bool) -> list[Case]:
    kinds: dict[str, dict[str, Any]] = {
        "three sequences, two inputs, four states": {},
        "more inputs than states": {"D": 7, "H": 3},
        "as many inputs as states": AS_MANY,
        "one sequence": {"N": 1},
        "one input, one state": {"D": 1, "H": 1},
        "one sequence, one input, one state": {"N": 1, "D": 1, "H": 1},
        "saturated states": SATURATED,
        "saturated states, float32": SATURATED | FLOAT32,
        "float32": FLOAT32,
    }
    if backward:
        kinds["a tiny loss"] = {"loss": 1e-12}
        kinds["a large loss"] = {"loss": 1e6}
    return [Case(title, partial(one_step, backward=backward, **sizes)) for title, sizes in kinds.items()]


RNN_STEP_FORWARD = Exercise("rnn_step_forward", "rnn", [Criterion("values", steps(backward=False))])

BACKWARD_STEPS = steps(backward=True)

RNN_STEP_BACKWARD = Exercise(
    "rnn_step_backward",
    "rnn",
    [Criterion(name, BACKWARD_STEPS, close(part=number)) for number, name in enumerate(("dx", "dh", "dU", "dV", "db"))],
)

forward = partial(asked, "x", "h0", "U", "V", "b")
backward = partial(asked, "dh", "x", "h0", "h", "U", "V")


# Unrolled

RNN_FORWARD = Exercise(
    "rnn_forward",
    "rnn",
    [
        Criterion(
            "values",
            [
                Case("three sequences of five steps", forward()),
                Case("as many sequences as steps", forward(N=4, T=4, H=3)),
                Case("one sequence, whose states are stuck for two steps", forward(N=1, T=6, stuck=[3, 4])),
                Case("one step", forward(T=1)),
                Case("one of everything", forward(**ONE)),
                Case("more inputs than states, a hundred steps", forward(T=100, D=7, H=3)),
                Case("saturated states", forward(**SATURATED)),
                Case("float32", forward(**FLOAT32)),
            ],
        ),
    ],
)

BACKWARD = [
    Case("three sequences of five steps", backward()),
    Case("as many inputs as states", backward(**AS_MANY)),
    Case("one sequence, whose states are stuck in its fourth step", backward(N=1, T=6, stuck=[4])),
    Case("one step", backward(T=1)),
    Case("more inputs than states", backward(N=2, D=7, H=3)),
    Case("one input, one state, a large loss", backward(D=1, H=1, loss=1e6)),
    Case("one of everything", backward(**ONE)),
    Case("a loss on the second state alone", backward(loss_at=2)),
    Case("no loss", backward(loss_at=0)),
    Case("a tiny loss", backward(loss=1e-12)),
    Case("a unit that hardly matters, and itself grows", backward(**SILENT)),
    Case("saturated states", backward(**SATURATED)),
    Case("float32", backward(**FLOAT32)),
]

RNN_BACKWARD = Exercise(
    "rnn_backward",
    "rnn",
    [
        *(Criterion(name, BACKWARD, close(part=number)) for number, name in enumerate(("dx", "dh0", "dU", "dV", "db"))),
    ],
)


# The loss


def to_precision(part: int | None = None, **rounding: float) -> Check:
    """A number that is close, however small it is, to the precision of the arrays: the answer, or ``part`` of it, is a
    Python float. ``rounding`` says by dtype what it may be off in any case.
    """

    def check(given: Inputs, got: Outcome, want: Outcome) -> Failure | None:
        dtype = given.args[0].dtype.name

        def near(right: np.ndarray, mine: np.ndarray) -> Failure | None:
            allowed = max(RTOL[dtype] * abs(float(right)), rounding.get(dtype, 0.0))
            return None if abs(float(mine) - float(right)) <= allowed else Failure("values", "returns another number")

        return returned(near, part)(given, got, want)

    return check


def labelled(
    rng: Generator, share: float = 0.6, empty: Sequence[int] = (), meaningless: float = 30, **sizes: Any
) -> Inputs:
    """States, output weights and targets, of which ``share`` are valid; the others are ``meaningless`` times larger.

    ``empty`` numbers sequences in which none is valid. Targets of the first step are 0, as any other number could be.
    """
    a = network(rng, **sizes)
    a["target"][:, 0] = 0
    mask = np.zeros(a["h"].shape[:2], bool)
    mask.flat[rng.permutation(mask.size)[: round(share * mask.size)]] = True
    mask[list(empty)] = False
    target = np.where(mask[..., None], a["target"], meaningless * a["target"])
    return inputs(a["h"], a["W"], target.astype(a["h"].dtype), mask)


LABELLED = [
    Case("nine targets for three sequences", labelled),
    Case("a target at every step", partial(labelled, share=1.0)),
    Case("one output", partial(labelled, outputs=1)),
    Case("as many outputs as states", partial(labelled, outputs=4)),
    Case("a sequence without a target", partial(labelled, empty=[1])),
    Case("no target at all", partial(labelled, share=0.0)),
    Case("no target at all, float32", partial(labelled, share=0.0, **FLOAT32)),
    Case("float32", partial(labelled, **FLOAT32)),
    Case("1e200 where there is no target", partial(labelled, meaningless=1e200)),
    Case("1e30 where there is no target, float32", partial(labelled, meaningless=1e30, **FLOAT32)),
    Case("one of everything", partial(labelled, share=1.0, outputs=1, **ONE)),
]


def nearly_learned(rng: Generator) -> Inputs:
    """Outputs of some hundreds that are off their targets by 2^-21. Rounding takes nothing but the square of this error
    from the square of a target: written out in three terms the loss is 0, whatever their order.
    """
    _, _, target, mask = labelled(rng).args
    h, W = rng.integers(1, 8, size=(3, 5, 4)) / 8, rng.integers(200, 400, size=(6, 4)) / 1.0
    error = rng.choice([-1, 1], size=target.shape) * 2.0**-21
    return inputs(h, W, np.where(mask[..., None], h @ W.T + error, target), mask)


SEQUENCE_LOSS = Exercise(
    "sequence_loss",
    "rnn",
    [
        Criterion(
            "loss",
            [*LABELLED, Case("outputs near their targets", nearly_learned)],
            to_precision(part=0),
        ),
        Criterion("gradients", LABELLED, every(close(part=1), close(part=2))),
    ],
)


# Reach


def recurrence(rng: Generator, t: int, D: int = 2, H: int = 4) -> Inputs:
    a = network(rng, D=D, H=H)
    return inputs(a["U"], a["V"], t)


def repeated(rng: Generator, eigenvalue: float, H: int) -> Inputs:
    """Recurrent weights that cannot be diagonalized: they have one eigenvalue, and not H vectors of it."""
    return inputs(rng.normal(size=(H, 2)), spectrum(rng, *[eigenvalue] * H), 4)


LINEAR_RECURRENCE_COEFFICIENTS = Exercise(
    "linear_recurrence_coefficients",
    "rnn",
    [
        Criterion(
            "values",
            [
                Case("five steps", partial(recurrence, t=5)),
                Case("two steps", partial(recurrence, t=2)),
                Case("one step", partial(recurrence, t=1)),
                Case("as many inputs as states", partial(recurrence, t=4, D=3, H=3)),
                Case("more inputs than states", partial(recurrence, t=3, D=5, H=2)),
                Case("one of everything", partial(recurrence, t=1, D=1, H=1)),
                Case("a hundred steps", partial(recurrence, t=100, D=1, H=2)),
                Case("powers that end in zero", partial(repeated, eigenvalue=0.0, H=4)),
                Case("one eigenvalue three times", partial(repeated, eigenvalue=0.8, H=3)),
            ],
        )
    ],
)


def memory(rng: Generator, T: int = 7, H: int = 4, gain: float = 1.0, **more: Any) -> tuple[np.ndarray, np.ndarray]:
    """States of one sequence, the initial one included, and recurrent weights."""
    a = network(rng, N=1, T=T, D=3, H=H, **more)
    return np.concatenate([a["h0"], a["h"][0]]), gain * a["V"]


def lagged(rng: Generator, t: int, k: int, **settings: Any) -> Inputs:
    return inputs(*memory(rng, **settings), t, k)


STATE_JACOBIAN = Exercise(
    "state_jacobian",
    "rnn",
    [
        Criterion(
            "values",
            [
                Case("three steps back from the last", partial(lagged, t=7, k=3)),
                Case("three steps back from the middle", partial(lagged, t=5, k=3)),
                Case("one step back", partial(lagged, t=4, k=1)),
                Case("back to the initial state", partial(lagged, t=6, k=6, H=3)),
                Case("no step back", partial(lagged, t=3, k=0)),
                Case("no step back from the initial state", partial(lagged, t=0, k=0)),
                Case("one state", partial(lagged, t=3, k=2, H=1)),
                Case("saturated states", partial(lagged, t=5, k=2, **SATURATED)),
            ],
        ),
        Criterion(
            "errors",
            [
                Case("a lag that exists", partial(lagged, t=3, k=3)),
                Case("a lag that reaches before the beginning", partial(lagged, t=3, k=4)),
                Case("a lag far too long", partial(lagged, t=1, k=9)),
                Case("a negative lag", partial(lagged, t=3, k=-1)),
            ],
            raises(),
        ),
    ],
)


def reaching(rng: Generator, max_lag: int, **settings: Any) -> Inputs:
    return inputs(*memory(rng, **settings), max_lag)


def exploding(rng: Generator, size: float, dtype: Any = np.float64) -> Inputs:
    """States near 0 and weights that stretch ten steps to about this."""
    h, V = 0.1 * rng.uniform(-1, 1, size=(11, 3)), rng.uniform(0.5, 1.5, size=(3, 3))
    return inputs(h.astype(dtype), (size**0.1 / np.linalg.norm(V, 2) * V).astype(dtype), 10)


def ending(rng: Generator) -> Inputs:
    """Weights whose powers end in zero, exactly: no state reaches further than two steps."""
    h, _ = memory(rng, H=3)
    return inputs(h, np.tril(rng.uniform(0.5, 1.5, size=(3, 3)), -1), 5)


def aside(rng: Generator) -> np.ndarray:
    """A matrix one of whose singular vectors, that of the smallest singular value, is a vector of ones, exactly. The
    largest two of these values are close to one another: what approaches them step by step is not there for long.
    """
    signs = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]])
    matrix: np.ndarray = rng.permutation(signs) @ np.diag([2, rng.integers(5, 30), 30, 30 - 2.0**-12]) @ signs / 32
    return matrix


def growing_again(rng: Generator) -> Inputs:
    """The last three states are saturated, with slopes that are exact; before that, weights stretch a hundredfold."""
    h = np.zeros((13, 3))
    h[-3:] = (1 - 2.0**-26) * rng.choice([-1, 1], size=(3, 3))
    V = rng.uniform(0.5, 1.5, size=(3, 3))
    return inputs(h, 100 / np.linalg.norm(V, 2) * V, 12)


def nearly_symmetric(rng: Generator) -> np.ndarray:
    matrix = rng.uniform(0.5, 1.5, size=(4, 4))
    asymmetric: np.ndarray = matrix + matrix.T + 1e-6 * np.tril(matrix, -1)
    return asymmetric


JACOBIAN_NORMS = Exercise(
    "jacobian_norms",
    "rnn",
    [
        Criterion(
            "values",
            [
                Case("lags up to five of seven", partial(reaching, max_lag=5)),
                Case("all lags", partial(reaching, max_lag=6, T=6, H=3)),
                Case("gradients that grow", partial(reaching, max_lag=4, gain=3.0)),
                Case("gradients that vanish", partial(reaching, max_lag=4, gain=0.4)),
                Case("lag 0 alone", partial(reaching, max_lag=0)),
                Case("one state, stuck in one step", partial(reaching, max_lag=4, H=1, stuck=[5])),
                Case("saturated states", partial(reaching, max_lag=3, **SATURATED)),
                Case("ones are stretched least", lambda rng: inputs(np.zeros((3, 4)), aside(rng), 2)),
                Case("gradients up to 1e200", partial(exploding, size=1e200)),
                Case("gradients up to 1e30, float32", partial(exploding, size=1e30, **FLOAT32)),
                Case("a memory that ends", ending),
                Case("gradients that vanish and grow again", growing_again),
            ],
        )
    ],
)


def spectrum(rng: Generator, *eigenvalues: complex) -> np.ndarray:
    """A matrix with these eigenvalues, a complex one beside its conjugate, and no symmetry."""
    size = sum(2 if e.imag else 1 for e in eigenvalues)
    matrix, at = np.triu(rng.uniform(0.5, 1.5, size=(size, size)), 1), 0
    for e in eigenvalues:
        if e.imag:
            matrix[at : at + 2, at : at + 2] = [[e.real, e.imag], [-e.imag, e.real]]
        else:
            matrix[at, at] = e.real
        at += 2 if e.imag else 1
    q, _ = np.linalg.qr(rng.normal(size=(size, size)))
    rotated: np.ndarray = q @ matrix @ q.T
    return rotated


def with_spectrum(*eigenvalues: complex, **more: Any) -> Any:
    """A matrix of a random size factor with these eigenvalues, and further arguments."""
    return lambda rng: inputs(rng.uniform(0.7, 1.4) * spectrum(rng, *eigenvalues), **more)


def of_magnitude(size: float, dtype: Any = np.float64, **more: Any) -> Any:
    """A matrix with a complex pair of about this absolute value, and further arguments."""
    return lambda rng: inputs((size * spectrum(rng, 0.4, -0.6 + 0.9j)).astype(dtype), **more)


SPECTRAL_RADIUS = Exercise(
    "spectral_radius",
    "rnn",
    [
        Criterion(
            "values",
            [
                Case("a positive eigenvalue rules", with_spectrum(1.2, -0.5, 0.3)),
                Case("a negative eigenvalue rules", with_spectrum(0.7, -1.5, 0.2, 0.4)),
                Case("a complex pair rules", with_spectrum(0.6 + 1.1j, 0.9)),
                Case("a complex pair rules, others have larger real parts", with_spectrum(1.5, -0.9, 0.3 + 2.6j)),
                Case("a random matrix", lambda rng: inputs(rng.normal(size=(5, 5)))),
                Case("a matrix that is nearly symmetric", lambda rng: inputs(nearly_symmetric(rng))),
                Case("one state", with_spectrum(-0.6)),
                Case("zeros", fixed(np.zeros((2, 2)))),
                Case("a matrix without an inverse", fixed(np.full((3, 3), 0.5))),
                Case("a tiny matrix", of_magnitude(1e-20)),
                Case("a huge matrix", of_magnitude(1e20)),
                Case("a huge matrix, float32", of_magnitude(1e20, **FLOAT32)),
            ],
            to_precision(),
        )
    ],
)


def opposite(rng: Generator, size: float = 1.0) -> np.ndarray:
    """An upper triangular matrix with two opposite numbers on its diagonal, of about this ``size``."""
    diagonal, above = rng.uniform(0.5, 1.5, size=2) * [size, 1]
    return np.array([[diagonal, above], [0, -diagonal]])


SCALE_TO_RADIUS = Exercise(
    "scale_to_radius",
    "rnn",
    [
        Criterion(
            "values",
            [
                Case("to less", with_spectrum(1.9, -0.5, 0.3, radius=0.9)),
                Case("to more", with_spectrum(0.4, -0.6 + 0.2j, radius=1.7)),
                Case("to one", with_spectrum(-2.1, 0.6 + 0.3j, radius=1.0)),
                Case("one state", with_spectrum(-0.8, radius=1.3)),
                Case("to two, a whole number", with_spectrum(0.9, 0.4, radius=2)),
                Case("to a thousandth", with_spectrum(0.9, 0.4, radius=1e-3)),
                Case("to a thousand", with_spectrum(-0.9, 0.4, radius=1e3)),
                Case("a matrix without an inverse", fixed(np.full((3, 3), 0.5), 0.7)),
                Case("one eigenvalue of 0", with_spectrum(0.9, 0.0, -0.4, radius=1.2)),
                Case("a matrix that is nearly symmetric", lambda rng: inputs(nearly_symmetric(rng), 0.9)),
                Case("a triangular matrix of trace 0", lambda rng: inputs(opposite(rng), 0.6)),
                Case("a triangular matrix of tiny radius", lambda rng: inputs(opposite(rng, 1e-18), 1e-3)),
                Case("zeros on the diagonal", lambda rng: inputs(np.diag(rng.uniform(0.5, 1.5, 2))[:, ::-1], 0.6)),
                Case("a tiny matrix", of_magnitude(1e-20, radius=1.3)),
                Case("a huge matrix", of_magnitude(1e20, radius=0.8)),
                Case("a tiny matrix, float32", of_magnitude(1e-20, radius=1.2, **FLOAT32)),
            ],
        ),
        Criterion(
            "errors",
            [
                Case("a matrix that can be scaled", with_spectrum(0.4, 0.2, radius=1.0)),
                Case("a tiny matrix that can be scaled", of_magnitude(1e-20, radius=1.0)),
                Case("a matrix without an inverse", fixed(np.full((2, 2), 0.5), 0.7)),
                Case("a triangular matrix of trace 0", lambda rng: inputs(opposite(rng), 0.6)),
                Case("zeros", fixed(np.zeros((3, 3)), 0.9)),
                Case("zeros, float32", fixed(np.zeros((3, 3), np.float32), 0.9)),
                Case("a matrix whose powers end in zero", lambda rng: inputs(np.triu(rng.normal(size=(4, 4)), 1), 0.9)),
            ],
            raises(),
        ),
    ],
)


def bounded(rng: Generator, activation: str) -> Inputs:
    return inputs(rng.normal(size=(4, 4)), activation)


CONTRACTION_BOUND = Exercise(
    "contraction_bound",
    "rnn",
    [
        Criterion(
            "values",
            [
                *(Case(name, partial(bounded, activation=name)) for name in ("sigmoid", "tanh", "linear")),
                Case("one state", lambda rng: inputs(rng.normal(size=(1, 1)), "tanh")),
                Case("zeros", fixed(np.zeros((3, 3)), "sigmoid")),
                Case("ones are stretched least", lambda rng: inputs(aside(rng), "linear")),
                Case("a matrix that is nearly symmetric", lambda rng: inputs(nearly_symmetric(rng), "tanh")),
                Case("a small matrix", lambda rng: inputs(1e-12 * rng.uniform(1, 2, size=(3, 3)), "tanh")),
                Case("a large matrix", lambda rng: inputs(1e6 * rng.uniform(-1, 1, size=(3, 3)), "sigmoid")),
            ],
        )
    ],
)


# Clipping


def gradients(rng: Generator, length: float = 1.0, dtype: Any = np.float64) -> Arrays:
    """Gradients of three shapes, together of the norm ``length``, each of a different one."""
    g = {"U": rng.normal(size=(4, 2)), "V": 2 * rng.normal(size=(4, 4)), "b": 0.5 * rng.normal(size=4)}
    norm = np.sqrt(sum((array**2).sum() for array in g.values()))
    return {name: (array * length / norm).astype(dtype) for name, array in g.items()}


def clipped(limit: float, **settings: Any) -> Any:
    return lambda rng: inputs(gradients(rng, **settings), limit)


def spoilt(value: float, limit: float = 1.0) -> Any:
    """Gradients one of whose entries is not finite."""

    def make(rng: Generator) -> Inputs:
        g = gradients(rng, length=4.0)
        g["V"][1, 2] = value
        return inputs(g, limit)

    return make


CLIP_BY_VALUE = Exercise(
    "clip_by_value",
    "rnn",
    [
        Criterion(
            "values",
            [
                Case("some entries too large", clipped(0.5, length=4.0)),
                Case("all entries too large", lambda rng: inputs({"b": rng.uniform(2, 3, 5) * [1, -1, 1, 1, -1]}, 1.5)),
                Case("no entry too large", clipped(10.0, length=4.0)),
                Case("one number, a tiny limit", lambda rng: inputs({"w": rng.uniform(2, 3, size=(1, 1))}, 1e-12)),
                Case("no axes, and a whole number for a limit", lambda rng: inputs({"w": rng.uniform(2.5, 4, ())}, 2)),
                Case("an infinite entry", spoilt(np.inf, 0.5)),
                Case("an entry of minus infinity", spoilt(-np.inf, 0.5)),
                Case("no gradient", fixed({}, 0.5)),
            ],
        ),
        Criterion(
            "errors",
            [
                Case("a positive limit", clipped(0.1)),
                Case("a tiny limit", clipped(1e-12)),
                Case("a limit of zero", clipped(0.0)),
                Case("a negative limit", clipped(-1.0)),
                Case("a negative limit, and no gradient", fixed({}, -1.0)),
            ],
            raises(),
        ),
    ],
)

CLIP_BY_NORM = Exercise(
    "clip_by_norm",
    "rnn",
    [
        Criterion(
            "values",
            [
                Case("five times too long", clipped(2.0, length=10.0)),
                Case("a little too long", clipped(1.0, length=1.2)),
                Case("one array", lambda rng: inputs({"w": rng.uniform(1, 2, size=(3, 2))}, 0.7)),
                Case("one number", lambda rng: inputs({"w": rng.uniform(1, 2, size=(1, 1))}, 0.7)),
                Case("three axes", lambda rng: inputs({"w": rng.normal(size=(3, 2, 4)), "b": rng.normal(size=2)}, 0.3)),
                Case("no axes", lambda rng: inputs({"s": rng.uniform(1, 2, ()), "b": rng.normal(size=3)}, 0.7)),
                Case("float32, squares beyond its range", clipped(5.0, length=3e20, dtype=np.float32)),
                Case("entries up to 1e30, float32", clipped(2.0, length=1e30, dtype=np.float32)),
                Case("entries up to 1e150", clipped(2.0, length=1e150)),
                Case("a norm of 1e-5 wanted", clipped(1e-5, length=0.25)),
                Case("a whole number wanted", clipped(2, length=7.0)),
            ],
            close(1e-5),
        ),
        Criterion(
            "small",
            [
                Case("a gradient that is short enough", clipped(2.0, length=0.3)),
                Case("a gradient of zeros", fixed({"w": np.zeros((2, 3)), "b": np.zeros(4)}, 1.0)),
                Case("a gradient of zeros, float32", fixed({"w": np.zeros((2, 3), np.float32)}, 1.0)),
                Case("a tiny gradient", clipped(1.0, length=1e-9)),
            ],
            close(1e-5),
        ),
        Criterion(
            "errors",
            [
                Case("what can be clipped", clipped(0.5)),
                Case("a norm of zero wanted", clipped(0.0)),
                Case("a negative norm wanted", clipped(-1.0)),
                Case("a norm of zero wanted, and a gradient of zeros", fixed({"w": np.zeros((2, 3))}, 0.0)),
                Case("a negative norm wanted, and a gradient of zeros", fixed({"w": np.zeros((2, 3))}, -1.0)),
                Case("an entry that is not a number", spoilt(np.nan)),
                Case("an entry of minus infinity", spoilt(-np.inf)),
            ],
            raises(),
        ),
    ],
)


# Checking


def polynomial(
    rng: Generator,
    x: Sequence[int] = (3, 4),
    rows: int = 2,
    powers: Sequence[float] = (0.3, 1.0, -0.7, 0.4),
    dtype: Any = np.float64,
    one: bool = False,
    whole: int = 0,
    size: float = 1.0,
    **settings: Any,
) -> Inputs:
    """A function of an array of this ``size``, as the driver builds it, and dy: random, or one number for all of it, or
    this ``whole`` one.
    """
    matrix, point = rng.normal(size=(rows, *x[:1])), size * rng.uniform(0.5, 2.0, size=x) * rng.choice([-1, 1], size=x)
    shape = x[::-1] if settings.get("view") else (rows, *x[1:])
    dy: Any = float(rng.uniform(0.5, 2.0)) if one else rng.normal(size=shape).astype(dtype)
    return inputs(point.astype(dtype), whole or dy, matrix, list(powers), **settings)


def differences(title: str, **settings: Any) -> Case:
    return Case(title, partial(polynomial, **settings), "numerical_gradient")


NUMERICAL_GRADIENT = Exercise(
    "numerical_gradient",
    "rnn",
    [
        Criterion(
            "values",
            [
                differences("a matrix"),
                differences("a vector", x=(5,), rows=3),
                differences("three axes", x=(2, 3, 2), rows=4),
                differences("a function that returns a number", total=True, one=True),
                differences("no axes", x=(), rows=3),
                differences("one number for every output", one=True),
                differences("a whole number for every output", whole=3),
                differences("a step of a tenth", h=0.1),
                differences("one entry", x=(1, 1), rows=1),
                differences("a step of one half", x=(5,), rows=3, h=0.5),
                differences("a step of one, a whole number", x=(4,), h=1),
            ],
            close(1e-6),
        ),
        Criterion("views", [differences("a function that returns a view", view=True)], close(1e-6)),
        Criterion(
            "single",
            [
                differences("float32, a cube of small numbers", dtype=np.float32, powers=[0, 0, 0, 1], size=0.05),
                differences("a function that returns a number, float32", total=True, one=True, dtype=np.float32),
            ],
            every(close(1e-6), same_dtype()),
        ),
    ],
)


def pair(rng: Generator, a: float = 1.0, b: float = 1.0) -> Inputs:
    """Two arrays of these sizes, each with a zero where the other has none."""
    first, second = rng.uniform(0.5, 1.5, size=(2, 3, 4)) * rng.choice([-1, 1], size=(2, 3, 4))
    first[0, 0] = second[2, 1] = 0
    return inputs(a * first, b * second)


def of_size(rng: Generator, size: float, dtype: Any = np.float64) -> Inputs:
    """Two gradients whose largest entry is this."""
    first, second = pair(rng).args
    largest = max(abs(first).max(), abs(second).max())
    return inputs(*((array / largest * size).astype(dtype) for array in (first, second)))


def nearly(rng: Generator) -> Inputs:
    a = rng.normal(size=(4, 3))
    return inputs(a, a + 1e-7 * rng.normal(size=(4, 3)))


GRADIENT_ERROR = Exercise(
    "gradient_error",
    "rnn",
    [
        Criterion(
            "values",
            [
                Case("two gradients", pair),
                Case("nearly equal", nearly),
                Case("a large and a small one", partial(pair, a=5.0, b=0.1)),
                Case("a small and a large one", partial(pair, a=0.1, b=5.0)),
                Case("two tiny ones", partial(pair, a=1e-12, b=2e-12)),
                Case("opposite ones", lambda rng: inputs(a := rng.normal(size=5), -a)),
                Case("equal ones", lambda rng: inputs(a := rng.normal(size=5), a.copy())),
                Case("zeros and a tiny one", lambda rng: inputs(np.zeros(3), 1e-15 * rng.uniform(1, 2, size=3))),
                Case("up to 1e300", partial(of_size, size=1e300)),
                Case("up to 1e-300", partial(of_size, size=1e-300)),
                Case("up to 1e30, float32", partial(of_size, size=1e30, **FLOAT32)),
                Case("up to 1e-30, float32", partial(of_size, size=1e-30, **FLOAT32)),
                Case("one number", lambda rng: inputs(rng.normal(size=(1, 1)), rng.normal(size=(1, 1)))),
                Case("no axes", lambda rng: inputs(rng.uniform(1, 2, ()), rng.uniform(-2, -1, ()))),
            ],
            to_precision(float64=1e-15, float32=1e-6),
        ),
        Criterion(
            "zeros",
            [
                Case("two zeros", fixed(np.zeros((2, 3)), np.zeros((2, 3)))),
                Case("two zeros, float32", fixed(np.zeros(4, np.float32), np.zeros(4, np.float32))),
            ],
        ),
    ],
)


# Training


def windowed(window: int, **sizes: Any) -> Any:
    def make(rng: Generator) -> Inputs:
        a = network(rng, **sizes)
        return inputs(*(a[name] for name in ("dh", "x", "h0", "h", "U", "V")), window=window)

    return make


TRUNCATED_BPTT = Exercise(
    "truncated_bptt",
    "rnn",
    [
        Criterion(
            "values",
            [
                Case("three windows of two steps", windowed(2, T=6)),
                Case("two windows of three steps, states stuck in the second", windowed(3, T=6, D=5, H=3, stuck=[2])),
                Case("windows of one step, one input, one state, a large loss", windowed(1, D=1, H=1, loss=1e6)),
                Case("one window, a tiny loss", windowed(5, loss=1e-12)),
                Case("a loss in the second of three windows alone", windowed(2, T=6, loss_at=3)),
                Case("saturated states", windowed(2, T=4, **SATURATED)),
                Case("a unit that hardly matters, and itself grows", windowed(8, **SILENT)),
                Case("one of everything", windowed(1, **ONE)),
                Case("float32", windowed(4, T=8, **FLOAT32)),
            ],
        ),
        Criterion(
            "remainder",
            [
                Case("one step left over", windowed(3, T=7)),
                Case("a last window shorter by one", windowed(4, T=7)),
                Case("a window longer than the sequence", windowed(9)),
                Case("a window of a hundred steps", windowed(100, T=100)),
            ],
        ),
    ],
)


def lesson(
    rng: Generator,
    *,
    steps: int = 20,
    lr: float = 0.02,
    max_norm: float = 2.0,
    meaningless: float = 2.0,
    empty: Sequence[int] = (),
    **sizes: Any,
) -> Inputs:
    """A task whose gradients begin longer than ``max_norm``: Adam would not notice a gradient scaled once for all.
    Where there is no target, numbers without meaning are ``meaningless`` times as large as random ones. ``empty``
    numbers sequences without any target.

    Steps are small and sequences short: or the training may be chaotic, and magnify what PyTorch's 1e-6 in the norm
    changes beyond the tolerance. As it is that stays below 3e-7, over 4000 seeds.
    """
    a = network(rng, **sizes)
    _, _, _, mask = labelled(rng, empty=empty, **sizes).args
    params = {name: a[name] for name in ("U", "V", "W", "b")}
    target = np.where(mask[..., None], 2.0, meaningless) * a["target"]
    return inputs(params, a["x"], target, mask, steps=steps, lr=lr, max_norm=max_norm)


LESSONS = [
    Case("one step", partial(lesson, steps=1), "train"),
    Case("two steps, a sequence without a target", partial(lesson, steps=2, empty=[1]), "train"),
    Case("two steps without any target", partial(lesson, steps=2, empty=[0, 1, 2]), "train"),
    Case("twenty steps", lesson, "train", training=True),
    Case(
        "gradients that are short enough in the end",
        partial(lesson, outputs=5, T=2, steps=30, lr=0.05, max_norm=5.0, meaningless=1e200),
        "train",
        training=True,
    ),
]

TRAIN = Exercise(
    "train",
    "rnn",
    [Criterion("parameters", LESSONS, close(1e-5, part=0)), Criterion("losses", LESSONS, close(1e-5, part=1))],
)

module = partial(asked, "U", "V", "b", "x", "h0")


# PyTorch


def left_alone(_: Inputs, got: Arrays) -> Failure | None:
    """Parameters, which are not all equal, stay as they were, and can be trained, each by itself."""
    if not got["trainable"]:
        return Failure("values", "has parameters that require no gradients")
    if not (np.array_equal(got["before"], got["after"]) and np.ptp(got["before"]) > 0 and got["kept"]):
        return Failure("values", "shares memory with the arrays that it was made from")
    return None if got["apart"] else Failure("values", "has parameters that share memory with one another")


def to_its_precision(given: Inputs, got: Outcome, want: Outcome) -> Failure | None:
    """Close, to the precision of the answer. Whether it is the right precision is another criterion's question."""
    single = isinstance(got, Value) and isinstance(got.tree, np.ndarray) and got.tree.dtype == np.float32
    return close(RTOL["float32"] if single else None)(given, got, want)


TO_TORCH = Exercise(
    "to_torch",
    "rnn_torch",
    [
        Criterion(
            "values",
            [
                Case("three sequences of five steps", module(), "to_torch"),
                Case("as many inputs as states", module(**AS_MANY), "to_torch"),
                Case("as many sequences as steps", module(N=4, T=4, H=3), "to_torch"),
                Case("one of everything", module(**ONE), "to_torch"),
            ],
            every(to_its_precision, unchanged()),
        ),
        Criterion(
            "dtype",
            [
                Case("float32", module(**FLOAT32), "to_torch"),
                Case("float64", module(), "to_torch"),
                Case("float32 where new tensors are float64", module(**FLOAT32), "to_torch_default"),
            ],
            same_dtype(),
        ),
        Criterion(
            "copies", [Case("arrays that change later", asked("U", "V", "b"), "to_torch_copies")], judged(left_alone)
        ),
    ],
)


def cell(
    rng: Generator, nonlinearity: str = "tanh", biases: bool = True, watched: bool = False, **sizes: Any
) -> Inputs:
    a = network(rng, **sizes)
    weights = {"weight_ih": a["U"], "weight_hh": a["V"]}
    if biases:
        weights |= {"bias_ih": a["b"], "bias_hh": rng.normal(size=a["b"].shape).astype(a["b"].dtype)}
    return inputs(a["x"], a["h0"], a["dh"][:, -1], weights, a["V"] ** 2, nonlinearity, watched=watched)


CELLS = [
    Case("three sequences of five steps", cell, "state_gradient_norms"),
    Case("one sequence", partial(cell, N=1, T=8), "state_gradient_norms"),
    Case("one step", partial(cell, T=1), "state_gradient_norms"),
    Case("as many sequences as steps", partial(cell, N=4, T=4, H=3), "state_gradient_norms"),
    Case("a cell with another nonlinearity", partial(cell, nonlinearity="relu"), "state_gradient_norms"),
    Case("float32", partial(cell, **FLOAT32), "state_gradient_norms"),
    Case("inputs and initial states that require gradients", partial(cell, watched=True), "state_gradient_norms"),
    Case("no gradient", partial(cell, loss_at=0), "state_gradient_norms"),
    Case("a tiny gradient", partial(cell, loss=1e-12), "state_gradient_norms"),
    Case("a unit that hardly matters, and itself grows", partial(cell, biases=False, **SILENT), "state_gradient_norms"),
    Case("a cell without biases", partial(cell, biases=False), "state_gradient_norms"),
    Case("transposed and sliced", cell, "state_gradient_norms", copies="strided", lent=["x", "h0", "dy"]),
]

STATE_GRADIENT_NORMS = Exercise(
    "state_gradient_norms",
    "rnn_torch",
    [
        Criterion("values", CELLS, conforming(part="norms")),
        Criterion("unchanged", [CELLS[0], CELLS[2], CELLS[6]], close(part="left")),
    ],
)


def taught(
    rng: Generator, max_norm: float, steps: int = 2, lr: float = 0.1, perfect: bool = False, **more: Any
) -> Inputs:
    """What a step is taken with. A ``perfect`` model gives the targets exactly, so that its gradient is 0."""
    a = network(rng, outputs=2)
    weights = {
        "rnn.weight_ih_l0": a["U"],
        "rnn.weight_hh_l0": a["V"],
        "rnn.bias_ih_l0": a["b"],
        "rnn.bias_hh_l0": rng.normal(size=4),
        "out.weight": a["W"],
        "out.bias": rng.normal(size=2),
    }
    y = rng.uniform(2, 3, size=(3, 2)) * rng.choice([-1, 1], size=(3, 2))
    if perfect:
        y = np.tile(weights["out.bias"], (3, 1))
        weights["out.weight"] = np.zeros((2, 4))
    return inputs(a["x"], y, weights, stale=5.0, lr=lr, max_norm=max_norm, steps=steps, **more)


TAUGHT = [
    Case("a gradient that is too long", partial(taught, max_norm=0.5), "train_step"),
    Case("a gradient that is short enough", partial(taught, max_norm=1e6, lr=1e-3), "train_step"),
    Case("one step", partial(taught, max_norm=1.0, steps=1), "train_step"),
    Case("two groups of parameters", partial(taught, max_norm=0.5, groups=2), "train_step"),
    Case("a model in evaluation mode", partial(taught, max_norm=0.5, training=False), "train_step"),
    Case("a gradient of zeros", partial(taught, max_norm=0.5, steps=1, perfect=True), "train_step"),
    Case("a parameter of two layers", partial(taught, max_norm=0.5, tied=True), "train_step"),
    Case("transposed and sliced", partial(taught, max_norm=0.5), "train_step", copies="strided", lent=["x", "y"]),
]

TRAIN_STEP = Exercise(
    "train_step",
    "rnn_torch",
    [
        Criterion("loss", TAUGHT, close(1e-5, part="loss")),
        Criterion("norm", TAUGHT, close(1e-5, part="norm")),
        Criterion("parameters", TAUGHT, every(close(1e-5, part="parameters"), unchanged())),
    ],
)

EXERCISES = (
    kept(RNN_STEP_FORWARD),
    kept(RNN_STEP_BACKWARD),
    kept(RNN_FORWARD),
    kept(RNN_BACKWARD),
    kept(SEQUENCE_LOSS),
    kept(LINEAR_RECURRENCE_COEFFICIENTS),
    kept(STATE_JACOBIAN),
    kept(JACOBIAN_NORMS),
    SPECTRAL_RADIUS,
    kept(SCALE_TO_RADIUS),
    CONTRACTION_BOUND,
    kept(CLIP_BY_VALUE),
    kept(CLIP_BY_NORM),
    kept(NUMERICAL_GRADIENT),
    GRADIENT_ERROR,
    kept(TRUNCATED_BPTT),
    kept(TRAIN),
    TO_TORCH,
    STATE_GRADIENT_NORMS,
    TRAIN_STEP,
    conventions(
        "rnn", "dtype", "strides", "arguments", numerical_gradient=["x", "dy"], train=["params", "x", "target", "mask"]
    ),
)
