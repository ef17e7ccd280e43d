"""Assignment 4, every sum written out as a loop, just as the formulas on the page have it."""

from __future__ import annotations

import math

import numpy as np
from provided import adam_step


def rnn_step_forward(x, h, U, V, b):
    N, D = x.shape
    H = len(b)
    out = np.zeros((N, H), dtype=x.dtype)
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
    N, D = x.shape
    H = h.shape[1]
    dx = np.zeros((N, D), dtype=x.dtype)
    dh = np.zeros((N, H), dtype=h.dtype)
    dU = np.zeros((H, D), dtype=U.dtype)
    dV = np.zeros((H, H), dtype=V.dtype)
    db = np.zeros(H, dtype=U.dtype)
    for n in range(N):
        for i in range(H):
            slope = 1 - h_next[n, i] ** 2
            da = dh_next[n, i] * slope
            db[i] += da
            for d in range(D):
                dx[n, d] += da * U[i, d]
                dU[i, d] += da * x[n, d]
            for j in range(H):
                dh[n, j] += da * V[i, j]
                dV[i, j] += da * h[n, j]
    return dx, dh, dU, dV, db


def rnn_forward(x, h0, U, V, b):
    N, T, D = x.shape
    out = np.zeros((N, T, len(b)), dtype=x.dtype)
    state = h0
    for t in range(T):
        state = rnn_step_forward(x[:, t, :], state, U, V, b)
        for n in range(N):
            for i in range(len(b)):
                out[n, t, i] = state[n, i]
    return out


def rnn_backward(dh, x, h0, h, U, V):
    N, T, D = x.shape
    H = len(V)
    dx = np.zeros((N, T, D), dtype=x.dtype)
    dU = np.zeros((H, D), dtype=U.dtype)
    dV = np.zeros((H, H), dtype=V.dtype)
    db = np.zeros(H, dtype=U.dtype)
    handed_back = np.zeros((N, H), dtype=h0.dtype)
    t = T
    while t >= 1:
        g = np.zeros((N, H), dtype=dh.dtype)
        for n in range(N):
            for i in range(H):
                g[n, i] = dh[n, t - 1, i] + handed_back[n, i]
        if t == 1:
            before = h0
        else:
            before = h[:, t - 2, :]
        dx_t, handed_back, dU_t, dV_t, db_t = rnn_step_backward(g, x[:, t - 1, :], before, h[:, t - 1, :], U, V)
        for n in range(N):
            for d in range(D):
                dx[n, t - 1, d] = dx_t[n, d]
        for i in range(H):
            db[i] += db_t[i]
            for d in range(D):
                dU[i, d] += dU_t[i, d]
            for j in range(H):
                dV[i, j] += dV_t[i, j]
        t -= 1
    return dx, handed_back, dU, dV, db


def sequence_loss(h, W, target, mask):
    N, T, H = h.shape
    O = len(W)
    loss = 0.0
    dh = np.zeros((N, T, H), dtype=h.dtype)
    dW = np.zeros((O, H), dtype=W.dtype)
    for n in range(N):
        for t in range(T):
            if not mask[n, t]:
                continue
            for o in range(O):
                y_hat = 0.0
                for i in range(H):
                    y_hat += float(W[o, i]) * float(h[n, t, i])
                e = y_hat - float(target[n, t, o])
                loss += e * e / N
                for i in range(H):
                    dh[n, t, i] += 2 * e / N * float(W[o, i])
                    dW[o, i] += 2 * e / N * float(h[n, t, i])
    return loss, dh, dW


def _times(A, B):
    """Matrix product."""
    C = np.zeros((A.shape[0], B.shape[1]), dtype=A.dtype)
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for k in range(A.shape[1]):
                C[i, j] += A[i, k] * B[k, j]
    return C


def linear_recurrence_coefficients(U, V, t):
    H, D = U.shape
    C = np.zeros((t, H, D), dtype=U.dtype)
    # Run the recurrence: in each step all coefficients so far go through V, and a new one comes in.
    for step in range(1, t + 1):
        for s in range(1, step):
            C[s - 1] = _times(V, C[s - 1])
        for i in range(H):
            for d in range(D):
                C[step - 1, i, d] = U[i, d]
    return C


def state_jacobian(h, V, t, k):
    if k < 0:
        raise ValueError("the lag is negative")
    if k > t:
        raise ValueError("there is no state before h_0")
    H = len(V)
    J = np.zeros((H, H), dtype=V.dtype)
    for i in range(H):
        J[i, i] = 1
    for s in range(t - k + 1, t + 1):  # from the early state to the late one: new factors come from the left
        J = _times(V, J)
        for i in range(H):
            for j in range(H):
                J[i, j] *= 1 - h[s, i] ** 2
    return J


def jacobian_norms(h, V, max_lag):
    T = len(h) - 1
    norms = np.zeros(max_lag + 1, dtype=V.dtype)
    for k in range(max_lag + 1):
        _, singular, _ = np.linalg.svd(state_jacobian(h, V, T, k))
        norms[k] = singular[0]
    return norms


def spectral_radius(V):
    largest = 0.0
    for eigenvalue in np.linalg.eigvals(V):
        size = math.hypot(eigenvalue.real, eigenvalue.imag)
        if size > largest:
            largest = size
    return largest


def scale_to_radius(V, radius):
    now = spectral_radius(V)
    if now == 0:
        raise ValueError("a matrix of the spectral radius 0 stays one, whatever the factor")
    out = np.zeros(V.shape, dtype=V.dtype)
    for i in range(len(V)):
        for j in range(len(V)):
            out[i, j] = float(V[i, j]) * (float(radius) / now)
    return out


def contraction_bound(V, activation):
    if activation == "sigmoid":
        steepest = 0.25
    elif activation == "tanh":
        steepest = 1.0
    elif activation == "linear":
        steepest = 1.0
    else:
        raise ValueError(activation)
    return steepest * float(np.linalg.svd(V)[1][0])


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError("the limit must be positive")
    out = {}
    for name in grads:
        g = grads[name]
        clipped = np.zeros(g.shape, dtype=g.dtype)
        for place in np.ndindex(g.shape):
            if g[place] > limit:
                clipped[place] = limit
            elif g[place] < -limit:
                clipped[place] = -limit
            else:
                clipped[place] = g[place]
        out[name] = clipped
    return out


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm must be positive")
    squares = 0.0
    for name in grads:
        for place in np.ndindex(grads[name].shape):
            entry = float(grads[name][place])
            squares += entry * entry
    total_norm = math.sqrt(squares)
    if math.isnan(total_norm) or math.isinf(total_norm):
        raise ValueError("the gradient is not finite")
    out = {}
    for name in grads:
        g = grads[name]
        out[name] = g.copy()
        if total_norm > max_norm:
            for place in np.ndindex(g.shape):
                out[name][place] = float(g[place]) * float(max_norm) / total_norm
    return out, total_norm


def numerical_gradient(f, x, dy, *, h=1e-5):
    def L(point):
        y = np.asarray(f(point), dtype=np.float64)
        total = 0.0
        for place in np.ndindex(y.shape):
            weight = dy if np.ndim(dy) == 0 else dy[place]
            total += float(weight) * float(y[place])
        return total

    dx = np.zeros(x.shape, dtype=x.dtype)
    for place in np.ndindex(x.shape):
        above = x.astype(np.float64)
        above[place] += h
        below = x.astype(np.float64)
        below[place] -= h
        dx[place] = (L(above) - L(below)) / (2 * h)
    return dx


def gradient_error(a, b):
    largest = 0.0
    for place in np.ndindex(a.shape):
        largest = max(largest, abs(float(a[place])), abs(float(b[place])))
    if largest == 0:
        return 0.0
    error = 0.0
    for place in np.ndindex(a.shape):
        error = max(error, abs(float(a[place]) / largest - float(b[place]) / largest))
    return error


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    T = x.shape[1]
    dU = np.zeros(U.shape, dtype=U.dtype)
    dV = np.zeros(V.shape, dtype=V.dtype)
    db = np.zeros(len(V), dtype=V.dtype)
    first = 0
    while first < T:
        last = min(first + window, T)
        start = h0 if first == 0 else h[:, first - 1]
        _, _, dU_w, dV_w, db_w = rnn_backward(dh[:, first:last], x[:, first:last], start, h[:, first:last], U, V)
        dU += dU_w
        dV += dV_w
        db += db_w
        first = last
    return dU, dV, db


def train(params, x, target, mask, *, steps, lr, max_norm):
    now = {}
    for name in ("U", "V", "W", "b"):
        now[name] = params[name].copy()
    h0 = np.zeros((x.shape[0], len(now["b"])), dtype=x.dtype)
    losses = np.zeros(steps, dtype=x.dtype)
    memory = None
    for step in range(steps):
        h = rnn_forward(x, h0, now["U"], now["V"], now["b"])
        losses[step], dh, dW = sequence_loss(h, now["W"], target, mask)
        _, _, dU, dV, db = rnn_backward(dh, x, h0, h, now["U"], now["V"])
        grads, _ = clip_by_norm({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)
        now, memory = adam_step(now, grads, memory, lr=lr)
    return now, losses
