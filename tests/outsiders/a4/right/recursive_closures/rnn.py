"""Assignment 4 in a functional manner: folds, closures and halves of halves; hardly a loop, and nothing is written into.

Sequences are halved rather than shortened by one, so that long ones do not exhaust Python's stack.
"""

from __future__ import annotations

from functools import reduce
from itertools import accumulate, repeat
from math import isfinite, sqrt

import numpy as np
from provided import adam_step


def _cell(U, V, b):
    """The network as a function (state, input) -> state."""
    return lambda h, x: np.tanh(x @ U.T + h @ V.T + b)


def _pullback(x, h, h_next, U, V):
    """One step's linear map from the gradient of its result to those of its arguments."""

    def pull(g):
        da = g * (1 - h_next) * (1 + h_next)
        return da @ U, da @ V, da.T @ x, da.T @ h, np.add.reduce(da)

    return pull


def rnn_step_forward(x, h, U, V, b):
    return _cell(U, V, b)(h, x)


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    return _pullback(x, h, h_next, U, V)(dh_next)


def rnn_forward(x, h0, U, V, b):
    states = accumulate(np.swapaxes(x, 0, 1), _cell(U, V, b), initial=h0)
    next(states)
    return np.stack(list(states), axis=1)


def rnn_backward(dh, x, h0, h, U, V):
    def before(t):
        return h[:, t - 1] if t else h0

    def walk(first, last, arriving):
        """Gradients of the steps first, ..., last - 1, when ``arriving`` comes back from the step after them."""
        if last - first == 1:
            dx, *rest = rnn_step_backward(dh[:, first] + arriving, x[:, first], before(first), h[:, first], U, V)
            return dx[:, None], *rest
        middle = (first + last) // 2
        dx_late, passed_on, *late = walk(middle, last, arriving)
        dx_early, handed_back, *early = walk(first, middle, passed_on)
        return np.concatenate((dx_early, dx_late), axis=1), handed_back, *(e + l for e, l in zip(early, late))

    return walk(0, x.shape[1], np.zeros_like(h0))


def sequence_loss(h, W, target, mask):
    heard = h[mask]  # (targets, H)
    e = heard @ W.T - target[mask]
    share = e * (2 / h.shape[0])
    dh = np.zeros_like(h)
    dh[mask] = share @ W
    return float((e * e).sum()) / h.shape[0], dh, share.T @ heard


def linear_recurrence_coefficients(U, V, t):
    def coefficients(steps):
        """C_1, ..., C_steps, and V to the power of steps."""
        if steps == 1:
            return U[None], V
        late, power = coefficients(steps // 2)
        both, squared = np.concatenate((power @ late, late)), power @ power
        return (np.concatenate((squared @ U[None], both)), squared @ V) if steps % 2 else (both, squared)

    return coefficients(t)[0]


def state_jacobian(h, V, t, k):
    if k < 0 or k > t:
        raise ValueError("0 <= k <= t, please")

    def between(early, late):
        """d h_late / d h_early, by the chain rule at the state halfway."""
        if early == late:
            return np.eye(V.shape[0], dtype=V.dtype)
        if late - early == 1:
            return np.diag(1 - h[late] ** 2) @ V
        halfway = (early + late) // 2
        return between(halfway, late) @ between(early, halfway)

    return between(t - k, t)


def jacobian_norms(h, V, max_lag):
    T = h.shape[0] - 1
    norm = lambda k: np.linalg.svd(state_jacobian(h, V, T, k), compute_uv=False).max()  # noqa: E731
    return np.fromiter(map(norm, range(max_lag + 1)), dtype=V.dtype, count=max_lag + 1)


def spectral_radius(V):
    return float(max(map(abs, np.linalg.eig(V).eigenvalues)))


def scale_to_radius(V, radius):
    current = spectral_radius(V)
    if current == 0.0:
        raise ValueError("no factor helps")
    return V * float(radius / current)


def contraction_bound(V, activation):
    def at_zero(slope):
        return slope * sqrt(max(np.linalg.eigvalsh(V.T.astype(float) @ V.astype(float))))

    return {"sigmoid": lambda: at_zero(0.25), "tanh": lambda: at_zero(1), "linear": lambda: at_zero(1)}[activation]()


def _each(function, grads):
    return dict(zip(grads, map(function, grads.values())))


def clip_by_value(grads, limit):
    if not limit > 0:
        raise ValueError("limit > 0, please")
    c = float(limit)
    return _each(lambda g: np.minimum(np.maximum(g, -c), c), grads)


def clip_by_norm(grads, max_norm):
    if not max_norm > 0:
        raise ValueError("max_norm > 0, please")
    norm = sqrt(reduce(lambda total, g: total + float(np.square(g, dtype=np.float64).sum()), grads.values(), 0.0))
    if not isfinite(norm):
        raise ValueError("a gradient of no length")
    if norm <= max_norm:
        return grads, norm
    return _each(lambda g: (g.astype(np.float64) * (max_norm / norm)).astype(g.dtype), grads), norm


def numerical_gradient(f, x, dy, *, h=1e-5):
    weights = np.asarray(dy, np.float64)

    def L(flat):
        return float(np.sum(weights * np.asarray(f(flat.reshape(x.shape)))))

    def moved(flat, i, by):
        return np.concatenate((flat[:i], flat[i : i + 1] + by, flat[i + 1 :]))

    flat = x.astype(np.float64).reshape(-1)
    quotients = [(L(moved(flat, i, h)) - L(moved(flat, i, -h))) / (2 * h) for i in range(flat.size)]
    return np.array(quotients, dtype=x.dtype).reshape(x.shape)


def gradient_error(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    top = float(max(abs(a).max(), abs(b).max()))
    return float(abs(a / top - b / top).max()) if top else 0.0


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    def rest(dh, x, h0, h):
        """A list of the windows' gradients."""
        now = [a[:, :window] for a in (dh, x, h)]
        own = rnn_backward(now[0], now[1], h0, now[2], U, V)[2:]
        return own, *(a[:, window:] for a in (dh, x)), h[:, window - 1] if h.shape[1] > window else None, h[:, window:]

    def add(so_far, own):
        return own if so_far is None else tuple(s + o for s, o in zip(so_far, own))

    total, remaining = None, (dh, x, h0, h)
    while remaining[0].shape[1]:
        own, *remaining = rest(*remaining)
        total = add(total, own)
    return total


def train(params, x, target, mask, *, steps, lr, max_norm):
    h0 = np.zeros((x.shape[0], params["V"].shape[0]), dtype=x.dtype)

    def gradient(p):
        h = rnn_forward(x, h0, p["U"], p["V"], p["b"])
        loss, dh, dW = sequence_loss(h, p["W"], target, mask)
        _, _, dU, dV, db = rnn_backward(dh, x, h0, h, p["U"], p["V"])
        return loss, {"U": dU, "V": dV, "W": dW, "b": db}

    def step(situation, _):
        p, adam, losses = situation
        loss, grads = gradient(p)
        p, adam = adam_step(p, clip_by_norm(grads, max_norm)[0], adam, lr=lr)
        return p, adam, (*losses, loss)

    trained, _, losses = reduce(step, repeat(None, steps), (dict(params), None, ()))
    return trained, np.array(losses, dtype=x.dtype)
