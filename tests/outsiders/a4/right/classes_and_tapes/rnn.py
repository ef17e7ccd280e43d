# This file is yours: put your code where it raises NotImplementedError, then run "python -m pytest".
"""Assignment 4: recurrent networks and backpropagation through time, in NumPy.

Conventions of every function here:

- Batches of sequences are (N, T, D): N sequences, T steps of time, D numbers in each step. All sequences of a batch are
  equally long, and T is at least 1.
- A network has U (H, D) from the input to the state, V (H, H) from the state to the next one, the bias b (H,), and,
  where it has outputs, W (O, H) from the state to the output. The activation is tanh, right and not NaN from
  tanh(-1000) to tanh(1000).
- Time is counted from 1: the state h_0 is given, and x_1, ..., x_T turn it into h_1, ..., h_T. In an array
  (N, T, H) of states h_t stands at [:, t - 1]. Where the states of a single sequence are given as (T + 1, H),
  h_0 is among them, and h_t stands at [t].
- The floating arrays of one call have one dtype, float32 or float64, and so have the results, unless a docstring says
  otherwise.
- Arrays may come with any strides (transposed, reversed or sliced, say) and must not be changed. What is returned may
  be a new array or a view of an argument.
- Numbers, such as ``lr`` or ``radius``, come as Python numbers. (A float32 array times a Python ``float`` stays
  float32, times an ``np.float64`` it becomes float64.) A single number is returned as a Python number; a NumPy scalar
  passes too.
- An array is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times), unless a
  docstring says otherwise. In states, and in slopes 1 - h^2, rounding errors of numbers near 1 pass as well (1e-15, in
  float32 1e-6), however small they are: the formulas may be taken literally. Whole numbers and truth values must be
  exact.
- "Uses your ``f``" says what you may call here; nobody asks whether you do. A mistake in ``f`` then shows here as well.
- Nothing is forbidden. (SciPy and PyTorch cannot be imported where this file is graded.)

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float
from provided import adam_step

Array = Float[np.ndarray, "..."]
Arrays = dict[str, Float[np.ndarray, "..."]]



from dataclasses import dataclass, field


@dataclass(frozen=True)
class _Cell:
    U: np.ndarray
    V: np.ndarray
    b: np.ndarray | None = None

    def step(self, x, h):
        a = np.matmul(x, np.transpose(self.U))
        a = np.add(a, np.matmul(h, np.transpose(self.V)))
        return np.tanh(np.add(a, self.b))


@dataclass
class _Tape:
    """What a way back collects: the gradient handed on and the shares of the parameters."""

    cell: _Cell
    g: np.ndarray
    dx: list = field(default_factory=list)
    shares: list = field(default_factory=list)

    def back(self, direct, x, before, after):
        dx, self.g, *share = rnn_step_backward(direct + self.g, x, before, after, self.cell.U, self.cell.V)
        self.dx.insert(0, dx)
        self.shares.append(share)

    def total(self):
        return [np.sum(np.stack(kind), axis=0) for kind in zip(*self.shares)]


class _States:
    """States by their time from 0, h_0 among them."""

    def __init__(self, h0, h):
        self.h0, self.h = h0, h

    def __getitem__(self, t):
        return self.h[:, t - 1] if t else self.h0


def rnn_step_forward(x, h, U, V, b):
    return _Cell(U, V, b).step(x, h)


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    da = np.empty_like(h_next, order="F")
    np.multiply(h_next, h_next, out=da)
    np.subtract(1, da, out=da)
    np.multiply(dh_next, da, out=da)
    return (
        np.matmul(da, U),
        np.matmul(da, V),
        np.tensordot(da, x, axes=(0, 0)),
        np.tensordot(da, h, axes=(0, 0)),
        np.add.reduce(da, axis=0),
    )


def rnn_forward(x, h0, U, V, b):
    h = np.full((x.shape[0], x.shape[1], h0.shape[1]), np.nan, dtype=h0.dtype)
    states = _States(h0, h)
    for t in range(1, x.shape[1] + 1):
        states[t][...] = rnn_step_forward(x[:, t - 1], states[t - 1], U, V, b)
    return h


def rnn_backward(dh, x, h0, h, U, V):
    states, tape = _States(h0, h), _Tape(_Cell(U, V), np.zeros_like(h0))
    for t in range(x.shape[1], 0, -1):
        tape.back(dh[:, t - 1], x[:, t - 1], states[t - 1], states[t])
    return [np.stack(tape.dx, axis=1), tape.g, *tape.total()]


def sequence_loss(h, W, target, mask):
    loss, dh, dW = 0.0, np.zeros_like(h), np.zeros_like(W)
    N = h.shape[0]
    for t in range(h.shape[1]):  # time by time, the sequences with a target only
        here = np.flatnonzero(mask[:, t])
        error = h[here, t] @ W.T - target[here, t]
        loss += float(np.vdot(error, error))
        dh[here, t] = error @ W * (2 / N)
        dW += error.T @ h[here, t] * (2 / N)
    return loss / N, dh, dW


def linear_recurrence_coefficients(U, V, t):
    # Push unit inputs through the recurrence: the state after them is a column of each coefficient.
    H, D = U.shape
    C = np.zeros((t, H, D), dtype=U.dtype)
    for s in range(t):
        C[: s + 1] = V @ C[: s + 1]
        C[s] += U
    return C


def state_jacobian(h, V, t, k):
    if k not in range(t + 1):
        raise ValueError(f"k must be in 0 ... {t}")
    # Row by row from the left, as gradients go: start with each unit vector at h_t.
    rows = np.eye(len(V), dtype=V.dtype)
    for s in range(t, t - k, -1):
        rows = (rows * (1 - h[s] * h[s])) @ V
    return rows


def jacobian_norms(h, V, max_lag):
    norms = []
    for k in range(max_lag + 1):
        J = state_jacobian(h, V, h.shape[0] - 1, k)
        size = float(np.abs(J).max())
        if size == 0:
            norms.append(0.0)
            continue
        norms.append(size * float(np.linalg.norm(J.astype(np.float64) / size, 2)))
    return np.array(norms, dtype=h.dtype)


def spectral_radius(V):
    size = float(np.abs(V).max())
    return 0.0 if size == 0 else float(np.abs(np.linalg.eigvals(V)).max())


def scale_to_radius(V, radius):
    now = spectral_radius(V)
    if now == 0:
        raise ValueError("no factor changes a radius of 0")
    return np.multiply(V, radius / now, dtype=np.float64).astype(V.dtype)


def contraction_bound(V, activation):
    slopes = {"sigmoid": lambda a: 1 / (2 + np.exp(a) + np.exp(-a)), "tanh": lambda a: 1 - np.tanh(a) ** 2, "linear": lambda a: 1.0}
    return float(slopes[activation](0.0)) * float(np.linalg.norm(V, 2))  # all three are steepest at 0


class _Clipped(dict):
    """Gradients under their names, made from others entry by entry or all alike."""

    @classmethod
    def of(cls, grads, change):
        return cls((name, np.asarray(change(g), dtype=g.dtype)) for name, g in grads.items())


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError("limit")
    return _Clipped.of(grads, lambda g: np.clip(g, a_min=-limit, a_max=limit))


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm")
    total = 0.0
    for g in grads.values():
        total = float(np.hypot(total, np.linalg.norm(g.astype(np.float64).ravel())))
    if not np.isfinite(total):
        raise ValueError("the norm is not finite")
    return _Clipped.of(grads, (lambda g: g) if total <= max_norm else (lambda g: g * (max_norm / total))), total


def numerical_gradient(f, x, dy, *, h=1e-5):
    point, dx = np.array(x, dtype=np.float64), np.empty_like(x)
    for i, own in np.ndenumerate(np.array(x, dtype=np.float64)):
        values = {}
        for sign in (1, -1):
            point[i] = own + sign * h
            values[sign] = (np.asarray(dy, dtype=np.float64) * np.array(f(point), dtype=np.float64)).sum()
        point[i] = own
        dx[i] = (values[1] - values[-1]) / (2 * h)
    return dx


def gradient_error(a, b):
    both = np.abs(np.array([a, b], dtype=np.float64)).max()
    return float(np.divide(np.abs(np.subtract(a, b, dtype=np.float64)).max(), both)) if both else 0


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    # The way back of the whole sequence; at each border what is handed back is forgotten.
    whole, states = [], _States(h0, h)
    for t in range(1, x.shape[1] + 1, window):
        cut = slice(t - 1, t - 1 + window)
        whole.append(rnn_backward(dh[:, cut], x[:, cut], states[t - 1], h[:, cut], U, V))
    return [np.add.reduce([share[place] for share in whole]) for place in (2, 3, 4)]


class _Training:
    def __init__(self, params, lr, max_norm):
        self.params, self.lr, self.max_norm, self.adam, self.losses = dict(params), lr, max_norm, None, []

    def step(self, x, target, mask):
        U, V, W, b = (self.params[name] for name in "UVWb")
        h0 = np.zeros((x.shape[0], V.shape[0]), dtype=V.dtype)
        h = rnn_forward(x, h0, U, V, b)
        loss, dh, dW = sequence_loss(h, W, target, mask)
        back = rnn_backward(dh, x, h0, h, U, V)
        grads, _ = clip_by_norm({"U": back[2], "V": back[3], "W": dW, "b": back[4]}, self.max_norm)
        self.params, self.adam = adam_step(self.params, grads, self.adam, lr=self.lr)
        self.losses.append(loss)


def train(params, x, target, mask, *, steps, lr, max_norm):
    training = _Training(params, lr, max_norm)
    for _ in range(steps):
        training.step(x, target, mask)
    return training.params, np.array(training.losses, dtype=np.float64)
