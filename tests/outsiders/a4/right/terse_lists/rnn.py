"""Assignment 4. Short."""

from __future__ import annotations

from functools import reduce

import numpy as np
from provided import adam_step


def rnn_step_forward(x, h, U, V, b):
    return np.tanh(np.c_[x, h] @ np.c_[U, V].T + b)


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    da, D = dh_next * (1 - h_next**2), x.shape[1]
    back, weights = da @ np.c_[U, V], da.T @ np.c_[x, h]
    return [back[:, :D], back[:, D:], weights[:, :D], weights[:, D:], da.sum(0)]


def rnn_forward(x, h0, U, V, b):
    h = [h0]
    for t in range(x.shape[1]):
        h += [rnn_step_forward(x[:, t], h[-1], U, V, b)]
    return np.array(h[1:]).swapaxes(0, 1)


def rnn_backward(dh, x, h0, h, U, V):
    dx, g, p = [], 0 * h0, [0, 0, 0]
    for t in range(x.shape[1])[::-1]:
        d, g, *q = rnn_step_backward(dh[:, t] + g, x[:, t], h[:, t - 1] if t else h0, h[:, t], U, V)
        dx, p = [d, *dx], [a + b for a, b in zip(p, q)]
    return [np.stack(dx, 1), g, *p]


def sequence_loss(h, W, target, mask):
    e = np.where(mask[..., None], h @ W.T - target, 0).astype(h.dtype)
    d = e * (2 / len(h))
    return (e**2).sum() / len(h), d @ W, np.tensordot(d, h, ([0, 1], [0, 1]))


def linear_recurrence_coefficients(U, V, t):
    return [np.linalg.matrix_power(V, t - s) @ U for s in range(1, t + 1)]


def state_jacobian(h, V, t, k):
    if k not in range(t + 1):
        raise ValueError(k)
    return reduce(lambda J, s: ((1 - s**2) * (V @ J).T).T, h[t - k + 1 : t + 1], np.eye(len(V), dtype=V.dtype))


def jacobian_norms(h, V, max_lag):
    J, norms = np.eye(len(V), dtype=V.dtype), []
    for s in h[::-1][: max_lag + 1]:
        norms += [np.linalg.norm(J, 2)]
        J = (J * (1 - s**2)) @ V
    return norms


def spectral_radius(V):
    return max(abs(np.linalg.eigvals(V)))


def scale_to_radius(V, radius):
    if not (r := float(spectral_radius(V))):
        raise ValueError(r)
    return V / r * float(radius)


def contraction_bound(V, activation):
    return np.linalg.norm(V, 2) / (4 if activation == "sigmoid" else 1)


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError(limit)
    return {k: g.clip(-limit, limit).astype(g.dtype) for k, g in grads.items()}


def clip_by_norm(grads, max_norm):
    n = sum((g.astype("f8") ** 2).sum() for g in grads.values()) ** 0.5
    if max_norm <= 0 or not np.isfinite(n):
        raise ValueError(n, max_norm)
    return {k: (g * np.float64(min(1, max_norm / (n + 1e-6)))).astype(g.dtype) for k, g in grads.items()}, n


def numerical_gradient(f, x, dy, *, h=1e-5):
    dx = np.empty(x.shape)
    for i in np.ndindex(x.shape):
        e = np.zeros(x.shape)
        e[i] = h
        dx[i] = np.sum(np.float64(dy) * (f(np.array(x + e)) - f(np.array(x - e)))) / (2 * h)
    return dx.astype(x.dtype)


def gradient_error(a, b):
    m = np.float64(max(abs(a).max(), abs(b).max()))
    return abs(a / m - b / m).max() if m else 0


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    s = np.concatenate([h0[:, None], h], 1)
    cuts = [slice(i, i + window) for i in range(0, x.shape[1], window)]
    parts = [rnn_backward(dh[:, c], x[:, c], s[:, c.start], h[:, c], U, V)[2:] for c in cuts]
    return [sum(p) for p in zip(*parts)]


def train(params, x, target, mask, *, steps, lr, max_norm):
    p, adam, losses, h0 = params, None, [], np.zeros((len(x), len(params["b"])), x.dtype)
    for _ in range(steps):
        h = rnn_forward(x, h0, p["U"], p["V"], p["b"])
        loss, dh, dW = sequence_loss(h, p["W"], target, mask)
        *_, dU, dV, db = rnn_backward(dh, x, h0, h, p["U"], p["V"])
        g, _ = clip_by_norm(dict(U=dU, V=dV, W=dW, b=db), max_norm)
        p, adam = adam_step(p, g, adam, lr=lr)
        losses.append(loss)
    return p, losses
