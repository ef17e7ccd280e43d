"""Assignment 4: expm1, triangular solves, scaled sums."""

from __future__ import annotations

import math

import numpy as np
from provided import adam_step


def _tanh(a):
    """-expm1(-2|a|) / (2 + expm1(-2|a|)) with the sign of a: nothing overflows, nothing cancels."""
    m = np.expm1(-2 * np.abs(a))
    return np.copysign(-m / (2 + m), a)


def rnn_step_forward(x, h, U, V, b):
    a = np.matmul(U, x.T) + np.matmul(V, h.T) + b[:, None]
    return np.ascontiguousarray(_tanh(a).T)


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    da = ((1 - h_next) * dh_next * (1 + h_next)).T  # one column for each sequence
    return (U.T @ da).T, (V.T @ da).T, np.dot(da, x), np.dot(da, h), np.add.reduce(da, axis=1)


def rnn_forward(x, h0, U, V, b):
    N, T, _ = x.shape
    front = x @ U.T + b  # what the inputs do, all steps at once
    h = np.empty((N, T + 1, len(b)), dtype=h0.dtype)
    h[:, 0] = h0
    for t in range(T):
        h[:, t + 1] = _tanh(front[:, t] + h[:, t] @ V.T)
    return h[:, 1:]


def rnn_backward(dh, x, h0, h, U, V):
    """g_t - V^T D_{t+1} g_{t+1} = dh_t for all t: one triangular system for each sequence."""
    N, T, H = h.shape
    kind, slopes = h.dtype, (1 - h.astype(np.float64) ** 2)
    system = np.zeros((N, T, H, T, H))
    i, t = np.arange(H), np.arange(T)
    system[:, t[:, None], i, t[:, None], i] = 1
    for s in range(T - 1):
        system[:, s, :, s + 1, :] = -V.T * slopes[:, s + 1, None, :]
    g = np.linalg.solve(system.reshape(N, T * H, T * H), dh.reshape(N, T * H, 1).astype(np.float64))
    da = g.reshape(N, T, H) * slopes
    before = np.concatenate([h0[:, None], h[:, :-1]], axis=1)
    found = (
        np.einsum("nti,id->ntd", da, U),
        da[:, 0] @ V,
        np.einsum("nti,ntd->id", da, x),
        np.einsum("nti,ntj->ij", da, before),
        da.sum(axis=(0, 1)),
    )
    return tuple(a.astype(kind) for a in found)


def sequence_loss(h, W, target, mask):
    wanted = np.where(mask[:, :, None], target, np.zeros((), target.dtype))
    root = math.sqrt(1 / len(h))
    e = (np.matmul(h, W.T) * mask[:, :, None] - wanted) * root  # the 1/N, half of it in each factor
    loss = math.fsum((e.astype(np.float64) ** 2).ravel())
    e = e * (2 * root)
    return loss, np.matmul(e, W), np.tensordot(e, h, axes=([0, 1], [0, 1]))


def linear_recurrence_coefficients(U, V, t):
    C = np.empty((t, *U.shape), U.dtype)
    C[-1] = U
    done, power = 1, V  # doubling: the block before is V**done times what is there
    while done < t:
        more = min(done, t - done)
        C[t - done - more : t - done] = power @ C[t - more :]
        done, power = done + more, power @ power if done + more < t else power
    return C


def state_jacobian(h, V, t, k):
    if k < 0 or k > t:
        raise ValueError("k")
    J = np.eye(len(V), dtype=V.dtype)
    for s in range(t, t - k, -1):  # from the left
        J = np.einsum("ij,j,jm->im", J, (1 - h[s]) * (1 + h[s]), V)
    return J


def jacobian_norms(h, V, max_lag):
    norms = []
    for k in range(max_lag + 1):
        J = state_jacobian(h, V, len(h) - 1, k).astype(np.float64)
        scale = np.abs(J).max()
        if scale == 0:
            norms.append(0.0)
            continue
        S = J / scale
        norms.append(scale * math.sqrt(np.linalg.eigvalsh(S @ S.T)[-1]))
    return np.array(norms, V.dtype)


def spectral_radius(V):
    return float(np.linalg.norm(np.linalg.eigvals(V), ord=np.inf))


def scale_to_radius(V, radius):
    values = np.linalg.eigvals(V)
    if not values.any():
        raise ValueError("no factor changes 0")
    return (V / float(np.abs(values).max())) * radius


def contraction_bound(V, activation):
    # where each is steepest, at 0
    s = 1 / (1 + math.exp(-0.0))
    slope = {"sigmoid": s * (1 - s), "tanh": 1 - math.tanh(0.0) ** 2, "linear": 1.0}[activation]
    return slope * float(np.linalg.svd(V.astype(np.float64), compute_uv=False)[0])


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError("limit")
    return {name: np.where(np.abs(g) > limit, np.copysign(g.dtype.type(limit), g), g) for name, g in grads.items()}


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm")
    squares = np.array([np.sum(np.square(g, dtype=np.float64)) for g in grads.values()], np.float64)
    total_norm = math.sqrt(squares.sum())
    if not math.isfinite(total_norm):
        raise ValueError("total_norm")
    if total_norm > max_norm:  # PyTorch's way
        factor = np.float64(max_norm / (total_norm + 1e-6))
        grads = {name: np.asarray(np.multiply(g, factor, dtype=np.float64), g.dtype) for name, g in grads.items()}
    return grads, total_norm


def numerical_gradient(f, x, dy, *, h=1e-5):
    dy = np.asarray(dy, np.float64)
    start = np.ascontiguousarray(x, np.float64).ravel()

    def loss(flat):
        value = np.array(f(flat.reshape(x.shape)), np.float64)
        return math.fsum(np.ravel(value * dy))

    dx = []
    for i in range(x.size):
        moved = np.stack([start, start])
        moved[0, i] += h
        moved[1, i] -= h
        dx.append((loss(moved[0]) - loss(moved[1])) / (2 * h))
    return np.array(dx, x.dtype).reshape(x.shape)


def gradient_error(a, b):
    largest = np.maximum(np.abs(a), np.abs(b)).max()
    if largest == 0:
        return 0.0
    a, b = np.float64(a) / np.float64(largest), np.float64(b) / np.float64(largest)
    return float(np.abs(a - b).max())


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    """All windows of full length as one larger batch, then what is left over."""
    N, T, H = h.shape
    w = min(window, T)
    full = T // w
    starts = np.concatenate([h0[:, None], h[:, :-1]], axis=1)[:, ::w]

    def cut(a):
        return a[:, : full * w].reshape(N * full, w, a.shape[2])

    sums = rnn_backward(cut(dh), cut(x), starts[:, :full].reshape(N * full, H), cut(h), U, V)[2:]
    if full * w < T:
        rest = rnn_backward(dh[:, full * w :], x[:, full * w :], starts[:, full], h[:, full * w :], U, V)[2:]
        sums = [a + b for a, b in zip(sums, rest, strict=True)]
    return tuple(sums)


def train(params, x, target, mask, *, steps, lr, max_norm):
    state, losses = None, np.empty(steps, np.float64)
    h0 = np.zeros((x.shape[0], params["b"].size), x.dtype)
    for step in range(steps):
        h = rnn_forward(x, h0, params["U"], params["V"], params["b"])
        losses[step], dh, dW = sequence_loss(h, params["W"], target, mask)
        dU, dV, db = truncated_bptt(dh, x, h0, h, params["U"], params["V"], window=x.shape[1])
        grads, _ = clip_by_norm({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)
        params, state = adam_step(params, grads, state, lr=lr)
    return params, losses
