"""Assignment 4 with iterators: accumulate, reduce and generators; what is returned may be transposed or read-only."""

from __future__ import annotations

from functools import reduce
from itertools import accumulate, chain, islice, pairwise, repeat

import numpy as np
from helpers import by_time, locked, summed
from provided import adam_step


def rnn_step_forward(x, h, U, V, b):
    together = np.concatenate([U, V, b[:, None]], axis=1)  # (H, D + H + 1), for the columns x over h over 1
    columns = np.concatenate([x.T, h.T, np.ones_like(x.T[:1])])
    return np.tanh(together @ columns).T


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    da = (dh_next - dh_next * np.square(h_next)).T  # columns are sequences
    return (U.T @ da).T, (V.T @ da).T, da @ x, da @ h, locked(da @ np.ones_like(x[:, 0]))


def rnn_forward(x, h0, U, V, b):
    states = accumulate(by_time(x), lambda h, x_t: rnn_step_forward(x_t, h, U, V, b), initial=h0)
    return by_time(np.stack(list(islice(states, 1, None))))


def rnn_backward(dh, x, h0, h, U, V):
    states = pairwise(chain([h0], by_time(h)))

    def back(later, given):
        (before, after), x_t, dh_t = given
        return rnn_step_backward(dh_t + later[1], x_t, before, after, U, V)

    backwards = list(zip(states, by_time(x), by_time(dh), strict=True))[::-1]
    start = (None, np.zeros_like(h0), None, None, None)
    dxs, dhs, *shares = zip(*islice(accumulate(backwards, back, initial=start), 1, None), strict=True)
    return (by_time(np.stack(dxs[::-1])), dhs[-1], *map(summed, shares))


def sequence_loss(h, W, target, mask):
    places = list(zip(*np.nonzero(mask), strict=True))
    errors = {place: W @ h[place] - target[place] for place in places}
    loss = sum(float(np.dot(e, e)) for e in errors.values())
    dh, dW = np.zeros_like(h), np.zeros_like(W)
    for place, e in errors.items():
        dh[place] = W.T @ e * (2 / len(h))
        dW += np.outer(e, h[place]) * (2 / len(h))
    return np.float64(loss / len(h)), locked(dh), locked(dW)


def linear_recurrence_coefficients(U, V, t):
    return np.stack(list(accumulate(repeat(V, t - 1), lambda C, factor: factor @ C, initial=U)))[::-1]


def factors(h, V):
    """The Jacobian of each step, from the last to the first."""
    return (V * np.expand_dims(1 - np.square(state), 1) for state in h[:0:-1])


def state_jacobian(h, V, t, k):
    if k < 0 or k > t:
        raise ValueError(f"0 <= k <= t does not hold for k = {k}, t = {t}")
    return locked(reduce(np.matmul, islice(factors(h[: t + 1], V), k), np.identity(len(V), V.dtype)))


def jacobian_norms(h, V, max_lag):
    products = accumulate(factors(h, V), np.matmul, initial=np.identity(len(V), V.dtype))
    return np.fromiter((np.linalg.svd(J, compute_uv=False).max() for J in islice(products, max_lag + 1)), V.dtype)


def spectral_radius(V):
    return reduce(np.maximum, map(np.abs, np.linalg.eigvals(V.astype("f8"))))


def scale_to_radius(V, radius):
    if not any(row[: i + 1].any() for i, row in enumerate(V)):
        raise ValueError("strictly triangular")
    return (V / V.dtype.type(spectral_radius(V))) * radius


def contraction_bound(V, activation):
    return np.linalg.svd(V.T, compute_uv=False)[0] * dict(sigmoid=1 / 4).get(activation, 1)


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError("limit <= 0")
    return {name: np.where(abs(g) <= limit, g, np.copysign(g.dtype.type(limit), g)) for name, g in grads.items()}


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm <= 0")
    total = reduce(np.hypot, (np.linalg.norm(np.ravel(g).astype("f8")) for g in grads.values()))
    if not np.isfinite(total):
        raise ValueError("not finite")
    if total <= max_norm:
        return grads, total
    return {name: (g * (max_norm / total)).astype(g.dtype) for name, g in reversed(grads.items())}, total


def numerical_gradient(f, x, dy, *, h=1e-5):
    def moved(place, step):
        point = np.array(x, "f8", order="C")
        point[place] = point[place] + step
        return point

    def differences():
        for place in np.ndindex(x.shape):
            up, down = (np.asarray(f(moved(place, step)), "f8") for step in (h, -h))
            yield np.sum((up - down) * dy) / (2 * h)

    return np.fromiter(differences(), "f8").reshape(x.shape).astype(x.dtype)


def gradient_error(a, b):
    largest = np.abs([a, b]).max()
    return np.subtract(a, b, dtype="f8").__abs__().max() / np.float64(largest) if largest else 0.0


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    borders = chain(range(0, x.shape[1], window), [x.shape[1]])
    starts = by_time(np.concatenate([h0[:, None], h], axis=1))
    shares = (
        rnn_backward(dh[:, i:j], x[:, i:j], starts[i], h[:, i:j], U, V)[2:] for i, j in pairwise(borders)
    )
    return tuple(map(summed, zip(*shares, strict=True)))


def train(params, x, target, mask, *, steps, lr, max_norm):
    h0 = np.zeros((x.shape[0], params["V"].shape[0]), x.dtype)

    def course(now, state=None):
        while True:
            h = rnn_forward(x, h0, *(now[name] for name in "UVb"))
            loss, dh, dW = sequence_loss(h, now["W"], target, mask)
            dU, dV, db = rnn_backward(dh, x, h0, h, now["U"], now["V"])[2:]
            clipped, _ = clip_by_norm({"b": db, "W": dW, "V": dV, "U": dU}, max_norm)
            now, state = adam_step(now, clipped, state, lr=lr)
            yield now, loss

    passed, losses = zip(*islice(course(params), steps), strict=True)
    return passed[-1], np.array(losses, "f8")
