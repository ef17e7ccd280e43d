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



import math
from functools import wraps

_wide = np.float64


def _in_float64(function):
    """Give a function its floating arrays in float64 and cast what it returns back."""

    def widen(v):
        return v.astype(_wide) if isinstance(v, np.ndarray) and v.dtype.kind == "f" else v

    @wraps(function)
    def wrapped(*args, **kwargs):
        given = [v for v in (*args, *kwargs.values()) if isinstance(v, np.ndarray) and v.dtype.kind == "f"]
        kind = given[0].dtype

        def narrow(v):
            if isinstance(v, tuple):
                return tuple(map(narrow, v))
            return v.astype(kind) if isinstance(v, np.ndarray) else v

        return narrow(function(*map(widen, args), **{k: widen(v) for k, v in kwargs.items()}))

    return wrapped


@_in_float64
def rnn_step_forward(x, h, U, V, b):
    a = np.tile(b, (len(x), 1))
    for d in range(U.shape[1]):
        a += np.multiply.outer(x[:, d], U[:, d])
    for j in range(V.shape[1]):
        a += np.multiply.outer(h[:, j], V[:, j])
    return np.tanh(a)


@_in_float64
def rnn_step_backward(dh_next, x, h, h_next, U, V):
    da = dh_next * (1 - h_next * h_next)
    dx = sum(da[:, i, None] * U[i] for i in range(len(U)))
    dh = sum(da[:, i, None] * V[i] for i in range(len(V)))
    dU = sum(np.outer(a, v) for a, v in zip(da, x))
    dV = sum(np.outer(a, v) for a, v in zip(da, h))
    return dx, dh, dU, dV, da.sum(0)


@_in_float64
def rnn_forward(x, h0, U, V, b):
    N, T, _ = x.shape
    h = np.empty((N, T, len(V)))
    for t in range(T):
        h[:, t] = rnn_step_forward(x[:, t], h[:, t - 1] if t > 0 else h0, U, V, b)
    return h


@_in_float64
def rnn_backward(dh, x, h0, h, U, V):
    # All times and sequences in one matrix, row t * N + n, filled from the end.
    N, T, H = h.shape
    rows = h.transpose(1, 0, 2).reshape(T * N, H)
    da = dh.transpose(1, 0, 2).reshape(T * N, H).copy()
    for t in range(T - 1, -1, -1):
        here, later = slice(t * N, (t + 1) * N), slice((t + 1) * N, (t + 2) * N)
        if t + 1 < T:
            da[here] += da[later] @ V
        da[here] *= 1 - rows[here] ** 2
    before = np.vstack([h0, rows[: (T - 1) * N]])
    inputs = x.transpose(1, 0, 2).reshape(T * N, x.shape[2])
    dx = (da @ U).reshape(T, N, x.shape[2]).transpose(1, 0, 2)
    return dx, da[:N] @ V, da.T @ inputs, da.T @ before, np.ones(T * N) @ da


@_in_float64
def sequence_loss(h, W, target, mask):
    rows, times = np.nonzero(mask)  # only the places with a target are looked at
    seen = h[rows, times]
    error = seen @ W.T - target[rows, times]
    dh = np.zeros_like(h)
    dh[rows, times] = (2 / len(h)) * (error @ W)
    return float(np.sum(error * error) / len(h)), dh, (2 / len(h)) * (error.T @ seen)


@_in_float64
def linear_recurrence_coefficients(U, V, t):
    # By doubling: the last m coefficients, times V^m, are those before them.
    C, P = U[None], V
    while len(C) < t:
        C, P = np.concatenate([P @ C, C]), P @ P
    return C[len(C) - t :]


@_in_float64
def state_jacobian(h, V, t, k):
    if min(k, t - k) < 0:
        raise ValueError("k must be from 0 to t")
    J = np.eye(len(V))
    for s in range(k):
        J = J @ np.diag(1 - h[t - s] ** 2) @ V
    return J


@_in_float64
def jacobian_norms(h, V, max_lag):
    norms = np.ones(max_lag + 1)
    for k in range(1, max_lag + 1):
        norms[k] = np.linalg.norm(state_jacobian(h, V, h.shape[0] - 1, k), ord=2)
    return norms


def spectral_radius(V):
    values = np.linalg.eigvals(V.astype(_wide))
    return float(np.max(np.hypot(values.real, values.imag)))


@_in_float64
def scale_to_radius(V, radius):
    if (now := spectral_radius(V)) == 0.0:
        raise ValueError("the spectral radius is 0")
    return V / now * radius


def contraction_bound(V, activation):
    steepest = {"sigmoid": 1 / 4, "tanh": 1, "linear": 1}
    return float(steepest[activation] * np.linalg.norm(V.astype(_wide), ord=2))


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError("limit")
    out = {}
    for name, g in grads.items():
        g = np.array(g)
        g[g > limit] = limit
        g[g < -limit] = -limit
        out[name] = g
    return out


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm")
    flat = np.concatenate([g.astype(_wide).reshape(-1) for g in grads.values()])
    total = math.sqrt(float(np.sum(flat * flat))) if np.isfinite(flat).all() else math.nan
    if not math.isfinite(total):
        raise ValueError("total_norm")
    if total > max_norm:
        flat = flat * (max_norm / total)
    out, at = {}, 0
    for name, g in grads.items():
        out[name] = flat[at : at + g.size].reshape(g.shape).astype(g.dtype)
        at += g.size
    return out, total


def numerical_gradient(f, x, dy, *, h=1e-5):
    weights, flat = np.asarray(dy, _wide), x.astype(_wide).reshape(-1)
    slopes = np.empty(flat.size)
    for i in range(flat.size):
        L = []
        for place in (flat[i] + h, flat[i] - h):
            moved = flat.copy()
            moved[i] = place
            L.append(float((weights * f(moved.reshape(x.shape))).sum()))
        slopes[i] = (L[0] - L[1]) / (2 * h)
    return slopes.reshape(x.shape).astype(x.dtype)


def gradient_error(a, b):
    a, b = a.astype(_wide), b.astype(_wide)
    size = max(abs(a).max(), abs(b).max())
    return 0.0 if size == 0 else float(abs(a - b).max() / size)


@_in_float64
def truncated_bptt(dh, x, h0, h, U, V, *, window):
    # All states are known, so a window is a call of its own, whatever the order: here the last window comes first.
    T = h.shape[1]
    dU, dV, db = np.zeros_like(U), np.zeros_like(V), np.zeros(len(V))
    for first in reversed(range(0, T, window)):
        last = min(first + window, T)
        start = h0 if first == 0 else h[:, first - 1]
        got = rnn_backward(dh[:, first:last], x[:, first:last], start, h[:, first:last], U, V)
        dU, dV, db = dU + got[2], dV + got[3], db + got[4]
    return dU, dV, db


def train(params, x, target, mask, *, steps, lr, max_norm):
    kinds = {name: params[name].dtype for name in "UVWb"}
    p = {name: params[name].astype(_wide) for name in "UVWb"}
    x, target, state, losses = x.astype(_wide), target.astype(_wide), None, []
    h0 = np.zeros((len(x), len(p["V"])))
    while len(losses) < steps:
        h = rnn_forward(x, h0, p["U"], p["V"], p["b"])
        loss, dh, dW = sequence_loss(h, p["W"], target, mask)
        _, _, dU, dV, db = rnn_backward(dh, x, h0, h, p["U"], p["V"])
        clipped, _ = clip_by_norm(dict(U=dU, V=dV, W=dW, b=db), max_norm)
        p, state = adam_step(p, clipped, state, lr=lr)
        losses.append(loss)
    return {name: p[name].astype(kinds[name]) for name in p}, np.array(losses, dtype=_wide)
