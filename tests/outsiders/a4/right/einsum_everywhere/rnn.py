"""Assignment 4 in as few statements as I can."""

from __future__ import annotations

from functools import reduce
from itertools import accumulate

import numpy as np
from provided import adam_step


def rnn_step_forward(x, h, U, V, b):
    return np.tanh(np.einsum("nd,id->ni", x, U) + np.einsum("nj,ij->ni", h, V) + b)


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    a = dh_next - dh_next * h_next * h_next
    e = np.einsum
    return e("ni,id->nd", a, U), e("ni,ij->nj", a, V), e("ni,nd->id", a, x), e("ni,nj->ij", a, h), e("ni->i", a)


def rnn_forward(x, h0, U, V, b):
    return np.stack([*accumulate(x.swapaxes(0, 1), lambda h, s: rnn_step_forward(s, h, U, V, b), initial=h0)][1:], 1)


def rnn_backward(dh, x, h0, h, U, V):
    slopes = 1 - h * h
    steps = reversed([*zip(dh.swapaxes(0, 1), slopes.swapaxes(0, 1))])
    da = [*accumulate(steps, lambda a, s: (s[0] + a @ V) * s[1], initial=np.zeros_like(h0))][:0:-1]
    da, before = np.stack(da, 1), np.concatenate([h0[:, None], h[:, :-1]], 1)
    e = np.einsum
    return e("nti,id->ntd", da, U), da[:, 0] @ V, e("nti,ntd->id", da, x), e("nti,ntj->ij", da, before), da.sum((0, 1))


def sequence_loss(h, W, target, mask):
    e = np.subtract(h @ W.T, target, where=mask[..., None], out=np.zeros(target.shape, h.dtype))
    return float((e * e).sum()) / len(h), e @ W * 2 / len(h), np.einsum("nto,nth->oh", e, h) * 2 / len(h)


def linear_recurrence_coefficients(U, V, t):
    return np.stack([np.linalg.matrix_power(V, t - s) @ U for s in range(1, t + 1)])


def state_jacobian(h, V, t, k):
    if not 0 <= k <= t:
        raise ValueError(k)
    return reduce(lambda J, s: (1 - s * s)[:, None] * (V @ J), h[t - k + 1 : t + 1], np.eye(len(V), dtype=V.dtype))


def jacobian_norms(h, V, max_lag):
    return np.linalg.norm(np.stack([state_jacobian(h, V, len(h) - 1, k) for k in range(max_lag + 1)]), 2, (1, 2))


def spectral_radius(V):
    return float(abs(np.linalg.eigvals(V)).max())


def scale_to_radius(V, radius):
    if (r := spectral_radius(V)) == 0:
        raise ValueError
    return V / r * radius


def contraction_bound(V, activation):
    return {"sigmoid": 0.25, "tanh": 1, "linear": 1}[activation] * float(np.linalg.norm(V, 2))


def clip_by_value(grads, limit):
    if not limit > 0:
        raise ValueError
    return {k: g.clip(-limit, limit) for k, g in grads.items()}


def clip_by_norm(grads, max_norm):
    norm = float(sum((g.astype(np.float64) ** 2).sum() for g in grads.values())) ** 0.5
    if not (max_norm > 0 and np.isfinite(norm)):
        raise ValueError
    c = max_norm / max(norm, max_norm)
    return {k: (g.astype(np.float64) * c).astype(g.dtype) for k, g in grads.items()}, norm


def numerical_gradient(f, x, dy, *, h=1e-5):
    L = lambda e: np.sum(np.asarray(dy, np.float64) * np.asarray(f(np.array(x + e, np.float64)), np.float64))  # noqa: E731
    es = (h * np.eye(x.size)).reshape(x.size, *x.shape)
    return np.array([(L(e) - L(-e)) / (2 * h) for e in es]).reshape(x.shape).astype(x.dtype)


def gradient_error(a, b):
    return float(abs(a - b).max() / m) if (m := max(abs(a).max(), abs(b).max())) else 0.0


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    starts = range(0, dh.shape[1], window)
    cut = [(*(a[:, s : s + window] for a in (dh, x)), h[:, s - 1] if s else h0, h[:, s : s + window]) for s in starts]
    return tuple(map(sum, zip(*(rnn_backward(*args, U, V)[2:] for args in cut))))


def train(params, x, target, mask, *, steps, lr, max_norm):
    state, losses, h0 = None, [], np.zeros_like(params["V"], shape=(len(x), len(params["V"])))
    for _ in range(steps):
        h = rnn_forward(x, h0, *(params[k] for k in "UVb"))
        loss, dh, dW = sequence_loss(h, params["W"], target, mask)
        grads = dict(zip("UVb", rnn_backward(dh, x, h0, h, params["U"], params["V"])[2:])) | {"W": dW}
        params, state = adam_step(params, clip_by_norm(grads, max_norm)[0], state, lr=lr)
        losses += [loss]
    return params, np.array(losses)
