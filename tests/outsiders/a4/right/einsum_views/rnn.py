"""Assignment 4: arrays as a whole. Only what truly depends on the step before is in a loop over time.

Internally time comes first; what is returned is often a view with its axes swapped.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from provided import adam_step

_SLOPE = {"sigmoid": 1 / 4, "tanh": 1.0, "linear": 1.0}


def rnn_step_forward(x, h, U, V, b):
    return np.tanh(np.einsum("nd,hd->nh", x, U) + np.einsum("nj,ij->ni", h, V) + b)


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    da = dh_next - dh_next * h_next**2
    return (
        np.einsum("ni,id->nd", da, U),
        np.einsum("ni,ij->nj", da, V),
        np.einsum("ni,nd->di", da, x).T,
        np.einsum("ni,nj->ji", da, h).T,
        np.einsum("ni->i", da),
    )


def rnn_forward(x, h0, U, V, b):
    front = np.einsum("ntd,hd->tnh", x, U) + b  # the inputs' share, for all times at once
    states = np.empty_like(front, order="C")
    before = h0
    for a, out in zip(front, states):
        before = np.tanh(a + before @ V.T, out=out)
    return states.transpose(1, 0, 2)


def _front(dh, h, V):
    """The gradients in front of tanh, time first: da[t - 1] belongs to step t."""
    slope = 1 - np.moveaxis(h, 1, 0) ** 2
    da = slope * np.moveaxis(dh, 1, 0)
    for t in reversed(range(len(da) - 1)):
        da[t] += slope[t] * (da[t + 1] @ V)
    return da


def _before(h0, h):
    """The states that the steps started from, time first."""
    return np.concatenate([h0[None], np.moveaxis(h, 1, 0)[:-1]])


def rnn_backward(dh, x, h0, h, U, V):
    da = _front(dh, h, V)
    return (
        np.einsum("tni,id->ntd", da, U),
        da[0] @ V,
        np.einsum("tni,ntd->id", da, x),
        np.einsum("tni,tnj->ij", da, _before(h0, h)),
        da.sum(axis=(0, 1)),
    )


def sequence_loss(h, W, target, mask):
    output = np.einsum("nth,oh->nto", h, W)
    e = output - np.where(mask[:, :, None], target, output)
    scaled = e * (2 / len(h))
    return (
        np.einsum("nto,nto->", e, e) / len(h),
        np.einsum("nto,oh->nth", scaled, W),
        np.einsum("nto,nth->oh", scaled, h),
    )


def linear_recurrence_coefficients(U, V, t):
    powers = np.empty((t, *U.shape), U.dtype)
    powers[0] = U
    for s in range(1, t):
        np.einsum("ij,jd->id", V, powers[s - 1], out=powers[s])
    return powers[::-1]


def state_jacobian(h, V, t, k):
    if not 0 <= k <= t:
        raise ValueError(f"lag {k} at time {t}")
    factors = (1 - h[t - k + 1 : t + 1, :, None] ** 2) * V  # D_s V for all s
    J = np.eye(len(V), dtype=V.dtype)
    for factor in factors[::-1]:
        J = np.einsum("ij,jk->ik", J, factor)
    return J


def jacobian_norms(h, V, max_lag):
    T = len(h) - 1
    stack = np.stack([state_jacobian(h, V, T, k) for k in range(max_lag + 1)], axis=-1)
    return np.linalg.norm(stack, ord=2, axis=(0, 1))


def spectral_radius(V):
    return np.abs(np.linalg.eigvals(V)).max()


def scale_to_radius(V, radius):
    rho = spectral_radius(V)
    if not rho:
        raise ValueError("spectral radius 0")
    return (V * (radius / rho)).astype(V.dtype)


def contraction_bound(V, activation):
    return _SLOPE[activation] * np.linalg.norm(V, 2)


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError("limit")
    return {name: np.clip(g, -float(limit), float(limit)) for name, g in grads.items()}


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm")
    vector = np.concatenate([np.asarray(g, np.float64).ravel() for g in grads.values()])
    with np.errstate(over="ignore", invalid="ignore"):
        norm = np.sqrt(np.einsum("i,i->", vector, vector))
    if not np.isfinite(norm):
        raise ValueError("not finite")
    if norm <= max_norm:
        return dict(grads), norm
    vector *= max_norm / norm
    ends = np.cumsum([np.size(g) for g in grads.values()])[:-1]
    parts = np.split(vector, ends)
    return {k: part.reshape(g.shape).astype(g.dtype) for (k, g), part in zip(grads.items(), parts)}, norm


def numerical_gradient(f, x, dy, *, h=1e-5):
    centre = np.array(x, dtype=np.float64)
    dy = np.asarray(dy, dtype=np.float64)
    steps = h * np.eye(centre.size).reshape(centre.size, *centre.shape)
    up = np.array([np.sum(dy * f(np.asarray(centre + step))) for step in steps])
    down = np.array([np.sum(dy * f(np.asarray(centre - step))) for step in steps])
    return ((up - down) / (2 * h)).reshape(x.shape).astype(x.dtype)


def gradient_error(a, b):
    both = np.stack([a, b]).astype(np.float64)
    scale = np.abs(both).max()
    if scale == 0:
        return 0.0
    both /= scale
    return np.abs(both[0] - both[1]).max()


def _fold(a, window):
    """(N, T, K) to (N * windows, window, K): each window becomes a sequence, the last one filled up with zeros."""
    N, T, K = a.shape
    missing = -T % window
    a = np.concatenate([a, np.zeros((N, missing, K), a.dtype)], axis=1)
    views = sliding_window_view(a, window, axis=1)[:, ::window]  # (N, windows, K, window)
    return np.swapaxes(views, 2, 3).reshape(-1, window, K)


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    # No gradient passes between windows, so they may just as well be different sequences.
    w = min(window, x.shape[1])
    starts = np.concatenate([h0[:, None], h[:, w - 1 : -1 : w]], axis=1)
    _, _, dU, dV, db = rnn_backward(
        _fold(dh, w), _fold(x, w), starts.reshape(-1, len(V)), _fold(h, w), U, V
    )
    return dU, dV, db


def train(params, x, target, mask, *, steps, lr, max_norm):
    h0 = np.zeros((len(x), len(params["V"])), x.dtype)
    losses = np.empty(steps, x.dtype)
    state = None
    for i in range(steps):
        U, V, W, b = (params[k] for k in "UVWb")
        h = rnn_forward(x, h0, U, V, b)
        losses[i], dh, dW = sequence_loss(h, W, target, mask)
        grads = dict(zip("UVb", rnn_backward(dh, x, h0, h, U, V)[2:]), W=dW)
        params, state = adam_step({"U": U, "V": V, "W": W, "b": b}, clip_by_norm(grads, max_norm)[0], state, lr=lr)
    return params, losses
