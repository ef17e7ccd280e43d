"""Assignment 4: thin functions around the classes in ``cells.py``."""

from __future__ import annotations

import math

import numpy as np
import provided
from cells import Step, Unrolled


def rnn_step_forward(x, h, U, V, b):
    a = np.broadcast_to(b, h.shape).copy()
    a += np.inner(x, U)
    a += np.inner(h, V)
    return np.tanh(a, out=a)


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    return Step(x, h, h_next, U, V).pull(dh_next)


def rnn_forward(x, h0, U, V, b):
    h = np.empty((*x.shape[:2], V.shape[0]), dtype=x.dtype, order="F")
    for t in range(x.shape[1]):
        h[:, t] = rnn_step_forward(x[:, t], h[:, t - 1] if t else h0, U, V, b)
    return h


def rnn_backward(dh, x, h0, h, U, V):
    return Unrolled(x, h0, h, U, V).gradients(dh)


def sequence_loss(h, W, target, mask):
    N, T, H = h.shape
    rows = h.reshape(N * T, H)
    wanted = target.reshape(N * T, -1)
    chosen = np.flatnonzero(mask)
    errors = np.zeros((N * T, len(W)), dtype=h.dtype)
    errors[chosen] = rows[chosen] @ W.T - wanted[chosen]
    slopes = 2 * errors / N
    return np.vdot(errors, errors) / N, (slopes @ W).reshape(h.shape), slopes.T @ rows


def linear_recurrence_coefficients(U, V, t):
    # What the network answers to a single impulse, one for each input.
    state = U
    response = [state]
    while len(response) < t:
        state = V @ state
        response.insert(0, state)
    return np.asarray(response)


def state_jacobian(h, V, t, k):
    if k < 0 or t - k < 0:
        raise ValueError(f"no state {k} steps before h_{t}")
    # Row i of J is what backpropagation makes of a gradient that is 1 at cell i.
    rows = np.eye(len(V), dtype=V.dtype)
    nothing = np.zeros((len(V), 0), V.dtype)
    for s in range(t, t - k, -1):
        rows = Step(nothing, rows, np.broadcast_to(h[s], rows.shape), nothing, V).pull(rows)[1]
    return rows


def jacobian_norms(h, V, max_lag):
    def longest(J):
        return np.linalg.svdvals(J)[0]

    last = len(h) - 1
    return np.array([longest(state_jacobian(h, V, last, k)) for k in range(max_lag + 1)])


def spectral_radius(V):
    # Gelfand: |V^k|^(1/k) for k = 2^64, by squaring; the lengths are taken out and kept as logarithms.
    power = np.array(V, dtype=np.float64)
    logarithm = 0.0
    for doubling in range(64):
        length = np.linalg.norm(power)
        if length == 0:
            return 0.0
        logarithm += math.log(length) / 2**doubling
        power = power / length
        power = power @ power
    return math.exp(logarithm)


def scale_to_radius(V, radius):
    rho = spectral_radius(V)
    if rho == 0:
        raise ValueError("the spectral radius is 0 and stays 0")
    return np.divide(np.multiply(V, float(radius)), rho)


def contraction_bound(V, activation):
    stretch = np.linalg.svdvals(V).max()
    match activation:
        case "sigmoid":
            return 0.25 * stretch
        case "tanh" | "linear":
            return stretch
        case _:
            raise ValueError(f"unknown activation {activation}")


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError("limit must be positive")
    clipped = {}
    for name, g in grads.items():
        new = np.array(g)
        new[new > limit] = limit
        new[new < -limit] = -limit
        clipped[name] = new
    return clipped


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm must be positive")
    total_norm = float(np.linalg.norm([np.linalg.norm(np.asarray(g, dtype=np.float64)) for g in grads.values()]))
    if not math.isfinite(total_norm):
        raise ValueError(f"the norm is {total_norm}")
    clipped = {name: np.array(g, copy=True) for name, g in grads.items()}
    if total_norm > max_norm:
        for name, g in clipped.items():
            clipped[name] = (np.float64(max_norm) * g / total_norm).astype(g.dtype)
    return clipped, total_norm


def numerical_gradient(f, x, dy, *, h=1e-5):
    weights = np.asarray(dy, dtype=np.float64)

    class Probe:
        """The loss as a function of one entry."""

        def __init__(self, place):
            self.place = place

        def __call__(self, by):
            point = np.array(x, dtype=np.float64)
            point[self.place] += by
            return (weights * f(point)).sum()

        def slope(self):
            return (self(+h) - self(-h)) / (2 * h)

    dx = np.empty_like(x, dtype=np.float64)
    with np.nditer(dx, flags=["multi_index"], op_flags=["writeonly"]) as entries:
        for entry in entries:
            entry[...] = Probe(entries.multi_index).slope()
    return dx.astype(x.dtype)


def gradient_error(a, b):
    largest = max(np.linalg.norm(np.ravel(a), np.inf), np.linalg.norm(np.ravel(b), np.inf))
    if largest == 0:
        return 0.0
    difference = np.true_divide(a, largest, dtype=np.float64) - np.true_divide(b, largest, dtype=np.float64)
    return float(np.linalg.norm(np.ravel(difference), np.inf))


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    return Unrolled(x, h0, h, U, V).windowed(dh, window)


class _Trainer:
    def __init__(self, params, lr, max_norm):
        self.params = {name: np.array(p) for name, p in params.items()}
        self.lr, self.max_norm, self.adam = lr, max_norm, None

    def step(self, x, target, mask):
        U, V, W, b = map(self.params.get, ("U", "V", "W", "b"))
        h0 = np.zeros((x.shape[0], b.size), dtype=x.dtype)
        h = rnn_forward(x, h0, U, V, b)
        loss, dh, dW = sequence_loss(h, W, target, mask)
        grads = dict(zip(("dx", "dh0", "U", "V", "b"), rnn_backward(dh, x, h0, h, U, V)))
        del grads["dx"], grads["dh0"]
        grads["W"] = dW
        grads, _ = clip_by_norm(grads, self.max_norm)
        self.params, self.adam = provided.adam_step(self.params, grads, self.adam, lr=self.lr)
        return loss


def train(params, x, target, mask, *, steps, lr, max_norm):
    trainer = _Trainer(params, lr, max_norm)
    losses = np.fromiter((trainer.step(x, target, mask) for _ in range(steps)), dtype=x.dtype)
    return trainer.params, losses
