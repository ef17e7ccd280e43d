"""Assignment 4, with plain loops over everything."""

from __future__ import annotations

import math

import numpy as np
from provided import adam_step


def rnn_step_forward(x, h, U, V, b):
    N, H = h.shape
    D = x.shape[1]
    out = np.zeros((N, H), dtype=h.dtype)
    for n in range(N):
        for i in range(H):
            a = float(b[i])
            for d in range(D):
                a += float(U[i, d]) * float(x[n, d])
            for j in range(H):
                a += float(V[i, j]) * float(h[n, j])
            out[n, i] = math.tanh(a)
    return out


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    N, H = h.shape
    D = x.shape[1]
    kind = h.dtype
    dx, dh, dU, dV, db = np.zeros((N, D)), np.zeros((N, H)), np.zeros((H, D)), np.zeros((H, H)), np.zeros(H)
    for n in range(N):
        for i in range(H):
            s = float(h_next[n, i])
            da = float(dh_next[n, i]) * (1 - s * s)
            db[i] += da
            for d in range(D):
                dx[n, d] += da * float(U[i, d])
                dU[i, d] += da * float(x[n, d])
            for j in range(H):
                dh[n, j] += da * float(V[i, j])
                dV[i, j] += da * float(h[n, j])
    return dx.astype(kind), dh.astype(kind), dU.astype(kind), dV.astype(kind), db.astype(kind)


def rnn_forward(x, h0, U, V, b):
    N, T, _ = x.shape
    h = np.zeros((N, T, len(b)), dtype=h0.dtype)
    state = h0
    for t in range(T):
        state = rnn_step_forward(x[:, t], state, U, V, b)
        h[:, t] = state
    return h


def rnn_backward(dh, x, h0, h, U, V):
    N, T, H = dh.shape
    dx = np.zeros(x.shape, dtype=x.dtype)
    dU, dV, db = np.zeros(U.shape, U.dtype), np.zeros(V.shape, V.dtype), np.zeros(H, U.dtype)
    back = np.zeros(h0.shape, dtype=h0.dtype)
    for t in range(T - 1, -1, -1):
        before = h0 if t == 0 else h[:, t - 1]
        dx[:, t], back, u, v, s = rnn_step_backward(dh[:, t] + back, x[:, t], before, h[:, t], U, V)
        dU += u
        dV += v
        db += s
    return dx, back, dU, dV, db


def sequence_loss(h, W, target, mask):
    N, T, H = h.shape
    O = len(W)
    loss = 0.0
    dh, dW = np.zeros((N, T, H)), np.zeros((O, H))
    for n in range(N):
        for t in range(T):
            if not mask[n, t]:
                continue
            for o in range(O):
                e = -float(target[n, t, o])
                for j in range(H):
                    e += float(W[o, j]) * float(h[n, t, j])
                loss += e * e / N
                for j in range(H):
                    dh[n, t, j] += 2 * e / N * float(W[o, j])
                    dW[o, j] += 2 * e / N * float(h[n, t, j])
    return loss, dh.astype(h.dtype), dW.astype(h.dtype)


def linear_recurrence_coefficients(U, V, t):
    H, D = U.shape
    C = np.zeros((t, H, D))
    for s in range(t - 1, -1, -1):
        for i in range(H):
            for d in range(D):
                if s == t - 1:
                    C[s, i, d] = U[i, d]
                else:
                    for j in range(H):
                        C[s, i, d] += float(V[i, j]) * C[s + 1, j, d]
    return C.astype(U.dtype)


def state_jacobian(h, V, t, k):
    if k < 0 or k > t:
        raise ValueError("there is no such lag")
    H = len(V)
    J = np.eye(H)
    for s in range(t - k + 1, t + 1):
        new = np.zeros((H, H))
        for i in range(H):
            slope = 1 - float(h[s, i]) ** 2
            for j in range(H):
                for m in range(H):
                    new[i, j] += slope * float(V[i, m]) * J[m, j]
        J = new
    return J.astype(V.dtype)


def jacobian_norms(h, V, max_lag):
    norms = np.zeros(max_lag + 1, dtype=V.dtype)
    for k in range(max_lag + 1):
        norms[k] = np.linalg.norm(state_jacobian(h, V, len(h) - 1, k), 2)
    return norms


def spectral_radius(V):
    radius = 0.0
    for value in np.linalg.eigvals(V):
        radius = max(radius, abs(complex(value)))
    return radius


def scale_to_radius(V, radius):
    old = spectral_radius(V)
    if old == 0:
        raise ValueError("its radius is 0")
    W = np.zeros(V.shape, V.dtype)
    for i in range(len(V)):
        for j in range(len(V)):
            W[i, j] = float(V[i, j]) * (radius / old)
    return W


def contraction_bound(V, activation):
    slope = 1.0
    if activation == "sigmoid":
        slope = 0.25
    return slope * float(np.linalg.svd(V, compute_uv=False).max())


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError("limit")
    out = {}
    for name, g in grads.items():
        c = np.array(g)
        for index in np.ndindex(c.shape):
            if c[index] > limit:
                c[index] = limit
            elif c[index] < -limit:
                c[index] = -limit
        out[name] = c
    return out


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm")
    total = 0.0
    for g in grads.values():
        for value in np.ravel(g).tolist():
            total += value * value
    total = math.sqrt(total)
    if math.isnan(total) or math.isinf(total):
        raise ValueError("total_norm is not finite")
    if total <= max_norm:
        return dict(grads), total
    out = {}
    for name, g in grads.items():
        c = np.empty(g.shape, g.dtype)
        for index in np.ndindex(g.shape):
            c[index] = float(g[index]) / total * max_norm
        out[name] = c
    return out, total


def numerical_gradient(f, x, dy, *, h=1e-5):
    weights = np.asarray(dy, dtype=np.float64)
    dx = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = np.array(x, dtype=np.float64), np.array(x, dtype=np.float64)
        up[index] += h
        down[index] -= h
        difference = np.asarray(f(up), dtype=np.float64) - np.asarray(f(down), dtype=np.float64)
        dx[index] = np.sum(weights * difference) / (2 * h)
    return dx.astype(x.dtype)


def gradient_error(a, b):
    largest = difference = 0.0
    for p, q in zip(np.ravel(a).tolist(), np.ravel(b).tolist()):
        difference = max(difference, abs(p - q))
        largest = max(largest, abs(p), abs(q))
    return difference / largest if largest else 0.0


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    T = dh.shape[1]
    dU, dV, db = np.zeros(U.shape, U.dtype), np.zeros(V.shape, V.dtype), np.zeros(len(V), V.dtype)
    for t in range(T):
        if t % window:
            continue
        end = min(t + window, T)
        first = h0 if t == 0 else h[:, t - 1]
        _, _, u, v, s = rnn_backward(dh[:, t:end], x[:, t:end], first, h[:, t:end], U, V)
        dU += u
        dV += v
        db += s
    return dU, dV, db


def train(params, x, target, mask, *, steps, lr, max_norm):
    state, losses = None, []
    h0 = np.zeros((len(x), len(params["V"])), dtype=x.dtype)
    for _ in range(steps):
        U, V, W, b = params["U"], params["V"], params["W"], params["b"]
        h = rnn_forward(x, h0, U, V, b)
        loss, dh, dW = sequence_loss(h, W, target, mask)
        _, _, dU, dV, db = rnn_backward(dh, x, h0, h, U, V)
        grads, _ = clip_by_norm({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)
        params, state = adam_step({"U": U, "V": V, "W": W, "b": b}, grads, state, lr=lr)
        losses.append(loss)
    return params, np.array(losses, dtype=np.float64)
