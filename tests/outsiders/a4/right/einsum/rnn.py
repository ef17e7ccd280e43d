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



def _wx(M, v):
    """M v for every row of v, by einsum."""
    return np.einsum("ij,...j->...i", M, v)


def rnn_step_forward(x, h, U, V, b):
    joined = np.concatenate([x, h, np.ones_like(x[:, :1])], axis=1)  # one product with [U | V | b]
    return np.tanh(_wx(np.concatenate([U, V, b[:, None]], axis=1), joined))


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    da = np.einsum("ni,ni->ni", dh_next, (1 - h_next) * (1 + h_next))
    return (
        np.einsum("ni,id->nd", da, U),
        np.einsum("ni,ij->nj", da, V),
        np.einsum("ni,nd->id", da, x),
        np.einsum("ni,nj->ij", da, h),
        np.einsum("ni->i", da),
    )


def rnn_forward(x, h0, U, V, b):
    # Time first, so that each step is one slice; what is returned is a view with the axes swapped back.
    steps = np.empty((x.shape[1] + 1, *h0.shape), h0.dtype)
    steps[0] = h0
    for t, x_t in enumerate(np.einsum("ntd->tnd", x)):
        steps[t + 1] = rnn_step_forward(x_t, steps[t], U, V, b)
    return np.einsum("tnh->nth", steps[1:])


def rnn_backward(dh, x, h0, h, U, V):
    slope = 1 - np.einsum("nth,nth->nth", h, h)
    da = np.array(dh)
    da[:, -1] *= slope[:, -1]
    for t in range(h.shape[1] - 2, -1, -1):
        da[:, t] += np.einsum("ni,ij->nj", da[:, t + 1], V)
        da[:, t] *= slope[:, t]
    before = np.concatenate([h0[:, None], h[:, :-1]], axis=1)
    return (
        np.einsum("nti,id->ntd", da, U),
        np.einsum("ni,ij->nj", da[:, 0], V),
        np.einsum("nti,ntd->id", da, x),
        np.einsum("nti,ntj->ij", da, before),
        np.einsum("nti->i", da),
    )


def sequence_loss(h, W, target, mask):
    e = _wx(W, h) - target
    e[~mask] = 0
    factor = 2 / h.shape[0]
    loss = float(np.einsum("nto,nto->", e, e)) / h.shape[0]
    return loss, factor * np.einsum("nto,oh->nth", e, W), factor * np.einsum("nto,nth->oh", e, h)


def linear_recurrence_coefficients(U, V, t):
    C = np.empty((t, *U.shape), U.dtype)
    C[-1] = U
    for s in range(t - 2, -1, -1):
        np.einsum("ij,jd->id", V, C[s + 1], out=C[s])
    return C


def state_jacobian(h, V, t, k):
    if not 0 <= k <= t:
        raise ValueError(f"there is no lag {k} at time {t}")
    J = np.identity(h.shape[1], h.dtype)
    for s in range(t, t - k, -1):  # from the left: J D_s V
        J = np.einsum("ij,j,jk->ik", J, 1 - h[s] ** 2, V)
    return J


def jacobian_norms(h, V, max_lag):
    last = h.shape[0] - 1
    stack = np.stack([state_jacobian(h, V, last, k) for k in range(max_lag + 1)])
    return np.linalg.svd(stack, compute_uv=False)[:, 0]


def spectral_radius(V):
    return max(map(abs, np.linalg.eigvals(V).tolist()))


def scale_to_radius(V, radius):
    now = spectral_radius(V)
    if not now > 0:
        raise ValueError("a spectral radius of 0 cannot be changed")
    wide = np.einsum("ij,->ij", V.astype(np.float64), radius / now)
    return wide.astype(V.dtype)


def contraction_bound(V, activation):
    return float(np.linalg.svd(V, compute_uv=False).max()) / (4 if activation == "sigmoid" else 1)


def clip_by_value(grads, limit):
    if not limit > 0:
        raise ValueError("limit must be above 0")
    return {name: np.minimum(np.maximum(g, -limit), limit) for name, g in grads.items()}


def clip_by_norm(grads, max_norm):
    if not max_norm > 0:
        raise ValueError("max_norm must be above 0")
    wide = {name: g.astype(np.float64) for name, g in grads.items()}
    total = float(np.sqrt(sum(np.einsum("i,i->", g.ravel(), g.ravel()) for g in wide.values())))
    if not np.isfinite(total):
        raise ValueError("the norm is not finite")
    factor = max_norm / (total + 1e-6) if total > max_norm else 1.0
    return {name: np.asarray(g * factor).astype(grads[name].dtype) for name, g in wide.items()}, total


def numerical_gradient(f, x, dy, *, h=1e-5):
    def L(moved):
        y = np.asarray(f(moved), np.float64)
        return np.einsum("i,i->", np.broadcast_to(np.asarray(dy, np.float64), y.shape).ravel(), y.ravel())

    dx = np.empty(x.shape, np.float64)
    for i in np.ndindex(*x.shape):
        up, down = np.array(x, np.float64), np.array(x, np.float64)
        up[i] += h
        down[i] -= h
        dx[i] = (L(up) - L(down)) / (2 * h)
    return dx.astype(x.dtype)


def gradient_error(a, b):
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    size = float(np.max(np.abs(np.stack([a, b]))))
    return float(np.max(np.abs(a - b))) / size if size > 0 else 0.0


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    steps = x.shape[1]
    before = np.concatenate([h0[:, None], h], axis=1)  # before[:, s] is the state that step s (from 0) began with
    shares = [
        rnn_backward(dh[:, s : s + window], x[:, s : s + window], before[:, s], h[:, s : s + window], U, V)[2:]
        for s in range(0, steps, window)
    ]
    return tuple(np.einsum("w...->...", np.stack(kind)) for kind in zip(*shares, strict=True))


def train(params, x, target, mask, *, steps, lr, max_norm):
    now = {name: np.array(params[name]) for name in ("U", "V", "W", "b")}
    start = np.zeros((len(x), len(now["b"])), now["b"].dtype)
    losses, adam = np.empty(steps, np.float64), None
    for step in range(steps):
        h = rnn_forward(x, start, now["U"], now["V"], now["b"])
        losses[step], dh, dW = sequence_loss(h, now["W"], target, mask)
        dU, dV, db = rnn_backward(dh, x, start, h, now["U"], now["V"])[2:]
        grads = clip_by_norm({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)[0]
        now, adam = adam_step(now, grads, adam, lr=lr)
    return now, losses
