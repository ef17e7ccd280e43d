from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float
from provided import adam_step

Array = Float[np.ndarray, "..."]
Arrays = dict[str, Float[np.ndarray, "..."]]


def _block_rows(h, V, links):
    T, H = h.shape
    B = np.zeros((T, H, T, H), h.dtype)
    for t in range(T - 1):
        if links[t]:
            B[t, :, t + 1, :] = V.T * (1 - h[t + 1] ** 2)
    return B.reshape(T * H, T * H)


def _solve(dh, h, V, links):
    N, T, H = dh.shape
    g = np.empty((N, T, H), dh.dtype)
    for n in range(N):
        B = _block_rows(h[n], V, links)
        term = dh[n].reshape(-1)
        total = term.copy()
        for _ in range(T - 1):
            term = B @ term
            total = total + term
        g[n] = total.reshape(T, H)
    return g


def _params_of(da, x, h0, h):
    N, T, H = h.shape
    lagged = np.roll(h, 1, axis=1)
    lagged[:, 0] = h0
    rows = da.reshape(N * T, H)
    return rows.T @ x.reshape(N * T, -1), rows.T @ lagged.reshape(N * T, H), rows.T @ np.ones(N * T, rows.dtype)


def rnn_step_forward(
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    U: Float[np.ndarray, "H D"],
    V: Float[np.ndarray, "H H"],
    b: Float[np.ndarray, " H"],
) -> Float[np.ndarray, "N H"]:
    return np.tanh((np.dot(U, x.T) + np.dot(V, h.T) + b[:, np.newaxis])).T


def rnn_step_backward(
    dh_next: Float[np.ndarray, "N H"],
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    h_next: Float[np.ndarray, "N H"],
    U: Float[np.ndarray, "H D"],
    V: Float[np.ndarray, "H H"],
) -> tuple[
    Float[np.ndarray, "N D"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "H D"],
    Float[np.ndarray, "H H"],
    Float[np.ndarray, " H"],
]:
    da = (dh_next * (1 - np.square(h_next))).T
    return (U.T @ da).T, (V.T @ da).T, np.inner(da, x.T), np.inner(da, h.T), np.add.reduce(da, axis=1)


def rnn_forward(
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    U: Float[np.ndarray, "H D"],
    V: Float[np.ndarray, "H H"],
    b: Float[np.ndarray, " H"],
) -> Float[np.ndarray, "N T H"]:
    h = np.zeros((x.shape[0], x.shape[1] + 1, h0.shape[1]), dtype=h0.dtype)
    h[:, 0] = h0
    for t in range(x.shape[1]):
        h[:, t + 1] = rnn_step_forward(x[:, t], h[:, t], U, V, b)
    return h[:, 1:]


def rnn_backward(
    dh: Float[np.ndarray, "N T H"],
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    h: Float[np.ndarray, "N T H"],
    U: Float[np.ndarray, "H D"],
    V: Float[np.ndarray, "H H"],
) -> tuple[
    Float[np.ndarray, "N T D"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "H D"],
    Float[np.ndarray, "H H"],
    Float[np.ndarray, " H"],
]:
    da = _solve(dh, h, V, [True] * h.shape[1]) * (1 - h**2)
    return da @ U, da[:, 0] @ V, *_params_of(da, x, h0, h)


def sequence_loss(
    h: Float[np.ndarray, "N T H"],
    W: Float[np.ndarray, "O H"],
    target: Float[np.ndarray, "N T O"],
    mask: Bool[np.ndarray, "N T"],
) -> tuple[float, Float[np.ndarray, "N T H"], Float[np.ndarray, "O H"]]:
    N, T, H = h.shape
    m = mask.reshape(-1)
    rows, wanted = h.reshape(N * T, H), np.array(target.reshape(N * T, -1))
    wanted[~m] = 0
    e = (rows @ W.T - wanted) * m[:, None]
    loss = np.trace(e.T @ e) / N
    return loss.item(), (e @ W * 2 / N).reshape(N, T, H), e.T @ rows * 2 / N


def linear_recurrence_coefficients(
    U: Float[np.ndarray, "H D"], V: Float[np.ndarray, "H H"], t: int
) -> Float[np.ndarray, "t H D"]:
    """Powers of a block companion matrix would do too; here Krylov blocks by doubling."""
    blocks, power = U[None], V
    while len(blocks) < t:
        blocks = np.concatenate((power @ blocks, blocks))
        power = power @ power
    return blocks[-t:]


def state_jacobian(h: Float[np.ndarray, "T+1 H"], V: Float[np.ndarray, "H H"], t: int, k: int) -> Array:
    """Push all unit vectors through the linearised steps, as a batch of k chained products by halves."""
    if k < 0 or t < k:
        raise ValueError((t, k))

    def between(late, early):
        if late == early:
            return np.eye(h.shape[1], dtype=h.dtype)
        if late == early + 1:
            return np.multiply(V, (1 - h[late] ** 2)[:, None])
        middle = (late + early) // 2
        return between(late, middle) @ between(middle, early)

    return between(t, t - k)


def jacobian_norms(h: Float[np.ndarray, "T+1 H"], V: Float[np.ndarray, "H H"], max_lag: int) -> Array:
    J = np.eye(len(V), dtype=V.dtype)
    norms = np.ones(max_lag + 1, V.dtype)
    for k in range(1, max_lag + 1):
        J = J @ (V * (1 - h[-k, :, None] ** 2))
        norms[k] = np.linalg.norm(J, 2)
    return norms


def spectral_radius(V: Float[np.ndarray, "H H"]) -> float:
    return max(map(abs, np.linalg.eigvals(np.float64(V)))).item() if V.any() else 0.0


def scale_to_radius(V: Float[np.ndarray, "H H"], radius: float) -> Float[np.ndarray, "H H"]:
    factor = spectral_radius(V)
    if factor == 0.0:
        raise ValueError("the radius of V is 0")
    return np.multiply(V, radius / factor, dtype=V.dtype)


def contraction_bound(V: Float[np.ndarray, "H H"], activation: Literal["sigmoid", "tanh", "linear"]) -> float:
    match activation:
        case "sigmoid":
            gamma = 0.25
        case _:
            gamma = 1.0
    return gamma * float(np.sqrt(np.linalg.eigvalsh(np.block([[np.zeros_like(V, float), V], [V.T, np.zeros_like(V, float)]])).max() ** 2))


def clip_by_value(grads: Arrays, limit: float) -> Arrays:
    if limit <= 0:
        raise ValueError("not positive")
    return {n: np.where(np.abs(g) > limit, np.copysign(limit, g).astype(g.dtype), g) for n, g in grads.items()}


def clip_by_norm(grads: Arrays, max_norm: float) -> tuple[Arrays, float]:
    if not max_norm > 0:
        raise ValueError("not positive")
    names = list(grads)
    sizes = np.cumsum([grads[n].size for n in names])[:-1]
    vector = np.concatenate([grads[n] for n in names], axis=None, dtype=np.float64)
    length = float(np.sqrt(vector @ vector))
    if not np.isfinite(length):
        raise ValueError("not finite")
    if length > max_norm:
        vector = vector * (max_norm / length)
    pieces = np.split(vector, sizes)
    return {n: p.reshape(grads[n].shape).astype(grads[n].dtype) for n, p in zip(names, pieces)}, length


def numerical_gradient(f: Callable[[Array], Array | float], x: Array, dy: Array | float, *, h: float = 1e-5) -> Array:
    start = x.astype(np.float64)

    def L(i, step):
        a = start.copy()
        a[i] += step
        y = np.atleast_1d(np.asarray(f(a), np.float64))
        return np.vdot(np.broadcast_to(np.asarray(dy, np.float64), np.shape(y)) if np.ndim(dy) == 0 else np.reshape(dy, y.shape).astype(float), y)

    out = np.zeros(x.shape)
    for i in np.ndindex(*x.shape):
        out[i] = (L(i, +h) - L(i, -h)) / (2 * h)
    return np.array(out, dtype=x.dtype)


def gradient_error(a: Array, b: Array) -> float:
    top = np.maximum(np.abs(a), np.abs(b)).max()
    return float(np.abs(np.subtract(a / top, b / top)).max()) if top > 0 else 0.0


def truncated_bptt(
    dh: Float[np.ndarray, "N T H"],
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    h: Float[np.ndarray, "N T H"],
    U: Float[np.ndarray, "H D"],
    V: Float[np.ndarray, "H H"],
    *,
    window: int,
) -> tuple[Float[np.ndarray, "H D"], Float[np.ndarray, "H H"], Float[np.ndarray, " H"]]:
    links = [t % window != 0 for t in range(1, h.shape[1] + 1)]
    return _params_of(_solve(dh, h, V, links) * (1 - h**2), x, h0, h)


def train(
    params: Arrays,
    x: Float[np.ndarray, "N T D"],
    target: Float[np.ndarray, "N T O"],
    mask: Bool[np.ndarray, "N T"],
    *,
    steps: int,
    lr: float,
    max_norm: float,
) -> tuple[Arrays, Float[np.ndarray, " steps"]]:
    def go(params, state, left):
        if left == 0:
            return params, []
        h0 = np.zeros((x.shape[0], params["V"].shape[0]), x.dtype)
        h = rnn_forward(x, h0, params["U"], params["V"], params["b"])
        loss, dh, grads["W"] = sequence_loss(h, params["W"], target, mask)
        _, _, grads["U"], grads["V"], grads["b"] = rnn_backward(dh, x, h0, h, params["U"], params["V"])
        end, losses = go(*adam_step(params, clip_by_norm(grads, max_norm)[0], state, lr=lr), left - 1)
        return end, [loss, *losses]

    grads = {}
    end, losses = go(params, None, steps)
    return end, np.array(losses, np.float64)
