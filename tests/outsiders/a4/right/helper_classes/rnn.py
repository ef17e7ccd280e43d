"""Assignment 4 with classes and recursion."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from provided import adam_step


@dataclass
class Step:
    U: np.ndarray
    V: np.ndarray
    b: np.ndarray | None = None

    def forward(self, x, h):
        both = np.concatenate([x, h], axis=1)
        weights = np.concatenate([self.U, self.V], axis=1)
        return np.tanh(both @ weights.T + self.b)

    def backward(self, dh_next, x, h, h_next):
        da = dh_next * (1 + h_next) * (1 - h_next)
        D = x.shape[1]
        back = da @ np.concatenate([self.U, self.V], axis=1)
        shares = da.T @ np.concatenate([x, h, np.ones_like(h[:, :1])], axis=1)
        return back[:, :D], back[:, D:], shares[:, :D], shares[:, D:-1], shares[:, -1]


def rnn_step_forward(x, h, U, V, b):
    return Step(U, V, b).forward(x, h)


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    return Step(U, V).backward(dh_next, x, h, h_next)


def rnn_forward(x, h0, U, V, b):
    T = x.shape[1]
    if T == 1:
        return rnn_step_forward(x[:, 0], h0, U, V, b)[:, None]
    early = rnn_forward(x[:, : T // 2], h0, U, V, b)
    return np.concatenate([early, rnn_forward(x[:, T // 2 :], early[:, -1], U, V, b)], axis=1)


@dataclass
class Sums:
    """Gradients of the parameters, added up."""

    parts: list = field(default_factory=list)

    def add(self, *shares):
        self.parts = [a + b for a, b in zip(self.parts, shares)] if self.parts else list(shares)


def rnn_backward(dh, x, h0, h, U, V):
    sums, dx = Sums(), []

    def down(first, last, arriving):
        """From step last back to step first; what arrives from later steps, and what goes on to earlier ones."""
        if first < last:
            middle = (first + last) // 2
            return down(first, middle, down(middle + 1, last, arriving))
        before = h[:, first - 1] if first else h0
        d, handed_back, *shares = rnn_step_backward(dh[:, first] + arriving, x[:, first], before, h[:, first], U, V)
        dx.append(d)
        sums.add(*shares)
        return handed_back

    dh0 = down(0, h.shape[1] - 1, np.zeros_like(h0))
    return (np.stack(dx[::-1], axis=1), dh0, *sums.parts)


class SquaredError:
    def __init__(self, h, W, target, mask):
        self.at = np.nonzero(mask)
        self.h, self.W, self.N = h, W, h.shape[0]
        self.errors = h[self.at] @ W.T - target[self.at]

    def loss(self):
        return float(np.sum(self.errors**2, dtype=np.float64)) / self.N

    def dh(self):
        out = np.zeros(self.h.shape, self.h.dtype)
        out[self.at] = 2 * self.errors @ self.W / self.N
        return out

    def dW(self):
        return 2 * self.errors.T @ self.h[self.at] / self.N


def sequence_loss(h, W, target, mask):
    error = SquaredError(h, W, target, mask)
    return error.loss(), error.dh(), error.dW()


def linear_recurrence_coefficients(U, V, t):
    if t == 1:
        return U[None]
    later = linear_recurrence_coefficients(U, V, t // 2)
    return np.concatenate([linear_recurrence_coefficients(V @ later[0], V, t - t // 2), later])


def state_jacobian(h, V, t, k):
    if k < 0 or t - k < 0:
        raise ValueError(f"no state {k} steps before {t}")
    if k == 0:
        return np.identity(V.shape[0], dtype=V.dtype)
    if k == 1:
        return np.diag(1 - h[t] ** 2) @ V
    return state_jacobian(h, V, t, k // 2) @ state_jacobian(h, V, t - k // 2, k - k // 2)


def jacobian_norms(h, V, max_lag):
    T = h.shape[0] - 1
    return np.array([np.linalg.svd(state_jacobian(h, V, T, k))[1][0] for k in range(max_lag + 1)], dtype=V.dtype)


class Spectrum:
    def __init__(self, V):
        self.values = np.linalg.eigvals(V.T)

    def radius(self):
        return float(np.hypot(self.values.real, self.values.imag).max())


def spectral_radius(V):
    return Spectrum(V).radius()


def scale_to_radius(V, radius):
    now = Spectrum(V).radius()
    if now == 0.0:
        raise ValueError("all eigenvalues are 0")
    return V * (radius / now)


def contraction_bound(V, activation):
    match activation:
        case "sigmoid":
            slope = 1 / 4
        case "tanh" | "linear":
            slope = 1
    return slope * float(np.linalg.norm(V, ord=2))


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError("limit must be positive")
    return {name: np.minimum(np.maximum(g, -limit), limit) for name, g in grads.items()}


class Vector:
    """All arrays as one vector."""

    def __init__(self, grads):
        self.names, self.arrays = list(grads), list(grads.values())
        self.flat = np.concatenate([np.zeros(0), *(np.ravel(a).astype(np.float64) for a in self.arrays)])

    def norm(self):
        with np.errstate(all="ignore"):
            return float(np.sqrt(self.flat @ self.flat))

    def scaled(self, factor):
        out, start = {}, 0
        for name, a in zip(self.names, self.arrays):
            out[name] = (self.flat[start : start + a.size] * factor).reshape(a.shape).astype(a.dtype)
            start += a.size
        return out


def clip_by_norm(grads, max_norm):
    vector = Vector(grads)
    norm = vector.norm()
    if max_norm <= 0 or not np.isfinite(norm):
        raise ValueError("nothing to clip to, or nothing to clip")
    return vector.scaled(1 if norm <= max_norm else max_norm / norm), norm


class Probe:
    def __init__(self, f, x, dy):
        self.f, self.x, self.dy = f, np.array(x, dtype=np.float64, order="C"), np.array(dy, dtype=np.float64)

    def __call__(self, place, step):
        self.x.flat[place], kept = self.x.flat[place] + step, self.x.flat[place]
        value = float(np.sum(self.dy * np.array(self.f(self.x), dtype=np.float64)))
        self.x.flat[place] = kept
        return value


def numerical_gradient(f, x, dy, *, h=1e-5):
    L, dx = Probe(f, x, dy), np.empty(x.shape, x.dtype)
    for place in range(x.size):
        dx.flat[place] = (L(place, h) - L(place, -h)) / (2 * h)
    return dx


def gradient_error(a, b):
    scale = np.max([np.abs(a), np.abs(b)])
    return float(np.max(np.abs(a - b)) / scale) if scale > 0 else 0.0


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    windows = -(-h.shape[1] // window)
    if windows == 1:
        return rnn_backward(dh, x, h0, h, U, V)[2:]
    m = windows // 2 * window
    early = truncated_bptt(dh[:, :m], x[:, :m], h0, h[:, :m], U, V, window=window)
    late = truncated_bptt(dh[:, m:], x[:, m:], h[:, m - 1], h[:, m:], U, V, window=window)
    return tuple(a + b for a, b in zip(early, late))


class Trainer:
    def __init__(self, params, lr, max_norm):
        self.params, self.state, self.lr, self.max_norm = params, None, lr, max_norm

    def step(self, x, target, mask):
        p = self.params
        h0 = np.zeros((x.shape[0], p["V"].shape[0]), p["V"].dtype)
        h = rnn_forward(x, h0, p["U"], p["V"], p["b"])
        loss, dh, dW = sequence_loss(h, p["W"], target, mask)
        _, _, dU, dV, db = rnn_backward(dh, x, h0, h, p["U"], p["V"])
        grads, _ = clip_by_norm({"b": db, "W": dW, "V": dV, "U": dU}, self.max_norm)
        self.params, self.state = adam_step(p, grads, self.state, lr=self.lr)
        return loss


def train(params, x, target, mask, *, steps, lr, max_norm):
    trainer = Trainer(params, lr, max_norm)
    losses = np.array([trainer.step(x, target, mask) for _ in range(steps)], np.float64)
    return trainer.params, losses
