from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import functools
from dataclasses import dataclass, field
import numpy as np
from jaxtyping import Bool, Float
from provided import adam_step

Array = Float[np.ndarray, "..."]
Arrays = dict[str, Float[np.ndarray, "..."]]


def _double(function):
    def inward(a):
        if isinstance(a, dict):
            return {k: inward(v) for k, v in a.items()}
        return np.array(a, np.float64) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a
    def outward(a, dtype):
        if isinstance(a, dict):
            return {k: outward(v, dtype) for k, v in a.items()}
        if isinstance(a, tuple):
            return tuple(outward(v, dtype) for v in a)
        return a.astype(dtype) if isinstance(a, np.ndarray) else a
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        first = next(iter(args[0].values())) if isinstance(args[0], dict) else args[0]
        return outward(function(*map(inward, args), **kwargs), first.dtype)
    return wrapped


class _Cell:
    def __init__(self, U, V, b=None):
        self.M = np.hstack((V, U) if b is None else (V, U, b[:, None]))
        self.H, self.D = U.shape
        self.dM = np.zeros((self.H, self.H + self.D + 1))
    def __call__(self, h, x):
        return np.tanh(np.hstack((h, x, np.ones((len(x), 1)))) @ self.M.T)
    def back(self, g, h, x, h_next):
        da = g - g * h_next * h_next
        self.dM += da.T @ np.hstack((h, x, np.ones((len(x), 1))))
        both = da @ self.M[:, : self.H + self.D]
        return both[:, : self.H], both[:, self.H :]
    @property
    def grads(self):
        dV, dU, db = np.split(self.dM, [self.H, self.H + self.D], axis=1)
        return dU, dV, db[:, 0]


@dataclass
class _Windows:
    T: int
    width: int
    starts: list = field(init=False)
    def __post_init__(self):
        self.starts = [s for s in range(self.T) if s % self.width == 0]
    def __iter__(self):
        return iter(zip(self.starts, [*self.starts[1:], self.T]))


class _Nudged:
    def __init__(self, x, h):
        self.x, self.h = np.array(x, np.float64), h
    def __iter__(self):
        it = np.nditer(self.x, flags=["multi_index"], order="C")
        for _ in it:
            pair = []
            for sign in (1, -1):
                moved = self.x.copy()
                moved[it.multi_index] += sign * self.h
                pair.append(moved)
            yield it.multi_index, pair


@_double
def rnn_step_forward(
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    U: Float[np.ndarray, "H D"],
    V: Float[np.ndarray, "H H"],
    b: Float[np.ndarray, " H"],
) -> Float[np.ndarray, "N H"]:
    return _Cell(U, V, b)(h, x)


@_double
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
    cell = _Cell(U, V)
    dh, dx = cell.back(dh_next, h, x, h_next)
    return dx, dh, *cell.grads


@_double
def rnn_forward(
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    U: Float[np.ndarray, "H D"],
    V: Float[np.ndarray, "H H"],
    b: Float[np.ndarray, " H"],
) -> Float[np.ndarray, "N T H"]:
    import itertools
    cell = _Cell(U, V, b)
    chain = itertools.accumulate(np.moveaxis(x, 1, 0), cell, initial=h0)
    return np.moveaxis(np.array(list(chain)[1:]), 0, 1)


@_double
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
    cell, g, dx = _Cell(U, V), 0.0, []
    befores = [h0, *np.moveaxis(h, 1, 0)[:-1]]
    steps = list(zip(np.moveaxis(dh, 1, 0), befores, np.moveaxis(x, 1, 0), np.moveaxis(h, 1, 0)))
    for direct, before, inputs, after in steps[::-1]:
        g, dx_t = cell.back(direct + g, before, inputs, after)
        dx.insert(0, dx_t)
    return np.stack(dx, axis=1), g, *cell.grads


@_double
def sequence_loss(
    h: Float[np.ndarray, "N T H"],
    W: Float[np.ndarray, "O H"],
    target: Float[np.ndarray, "N T O"],
    mask: Bool[np.ndarray, "N T"],
) -> tuple[float, Float[np.ndarray, "N T H"], Float[np.ndarray, "O H"]]:
    e = np.zeros(target.shape)
    np.subtract(h @ W.T, target, out=e, where=np.broadcast_to(mask[..., None], e.shape))
    dy = e * 2 / e.shape[0]
    return np.linalg.norm(e.ravel()) ** 2 / e.shape[0], dy @ W, np.tensordot(dy, h, axes=((0, 1), (0, 1)))


@_double
def linear_recurrence_coefficients(
    U: Float[np.ndarray, "H D"], V: Float[np.ndarray, "H H"], t: int
) -> Float[np.ndarray, "t H D"]:
    C = np.empty((t, *U.shape))
    C[-1] = U
    for s in range(t - 1, 0, -1):
        np.matmul(V, C[s], out=C[s - 1])
    return C


@_double
def state_jacobian(h: Float[np.ndarray, "T+1 H"], V: Float[np.ndarray, "H H"], t: int, k: int) -> Array:
    if k not in range(t + 1):
        raise ValueError("k")
    return functools.reduce(lambda J, s: J @ ((1 - s * s).reshape(-1, 1) * V), h[t - k + 1 : t + 1][::-1], np.eye(len(V)))


@_double
def jacobian_norms(h: Float[np.ndarray, "T+1 H"], V: Float[np.ndarray, "H H"], max_lag: int) -> Array:
    last = len(h) - 1
    return np.array([max(np.linalg.svd(state_jacobian(h, V, last, k))[1]) for k in range(max_lag + 1)])


def spectral_radius(V: Float[np.ndarray, "H H"]) -> float:
    w = np.linalg.eig(V.astype(np.complex128)).eigenvalues
    return np.max(np.absolute(w))


def scale_to_radius(V: Float[np.ndarray, "H H"], radius: float) -> Float[np.ndarray, "H H"]:
    if np.array_equal(V, np.triu(V, 1)):
        raise ValueError("radius 0")
    return (V.astype(np.float64) * (radius / spectral_radius(V))).astype(V.dtype)


@_double
def contraction_bound(V: Float[np.ndarray, "H H"], activation: Literal["sigmoid", "tanh", "linear"]) -> float:
    return float(np.linalg.norm(V, ord=2)) / {"s": 4, "t": 1, "l": 1}[activation[0]]


def clip_by_value(grads: Arrays, limit: float) -> Arrays:
    if limit > 0:
        return {k: np.maximum(np.minimum(g, limit), -limit) for k, g in grads.items()}
    raise ValueError("limit")


def clip_by_norm(grads: Arrays, max_norm: float) -> tuple[Arrays, float]:
    norms = [np.linalg.norm(g.ravel().astype(np.float64)) for g in grads.values()]
    total = np.linalg.norm(norms)
    if max_norm <= 0 or np.isnan(total) or np.isinf(total):
        raise ValueError("clip_by_norm")
    if total > max_norm:
        grads = {k: np.asarray(g * np.asarray(max_norm / total, dtype=g.dtype)) for k, g in grads.items()}
    return grads, total


def numerical_gradient(f: Callable[[Array], Array | float], x: Array, dy: Array | float, *, h: float = 1e-5) -> Array:
    dx = np.empty(x.shape, np.float64)
    for place, (above, below) in _Nudged(x, h):
        change = np.subtract(np.copy(f(above)), np.copy(f(below)), dtype=np.float64)
        dx[place] = (change * dy).sum(dtype=np.float64) / (h + h)
    return np.asarray(dx, dtype=x.dtype)


@_double
def gradient_error(a: Array, b: Array) -> float:
    scale = max(np.linalg.norm(a.ravel(), np.inf), np.linalg.norm(b.ravel(), np.inf))
    return 0.0 if scale == 0 else np.linalg.norm((a - b).ravel(), np.inf) / scale


@_double
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
    cell = _Cell(U, V)
    for start, stop in _Windows(x.shape[1], window):
        g = np.zeros_like(h0)
        for t in range(stop - 1, start - 1, -1):
            g, _ = cell.back(dh[:, t] + g, h[:, t - 1] if t else h0, x[:, t], h[:, t])
    return cell.grads


@_double
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
    x, target = x.astype(np.float64), target.astype(np.float64)
    state, losses = None, np.zeros(steps)
    rest = np.zeros((len(x), len(params["b"])))
    for step in range(steps):
        U, V, W, b = (params[k] for k in ("U", "V", "W", "b"))
        h = rnn_forward(x, rest, U, V, b)
        losses[step], dh, dW = sequence_loss(h, W, target, mask)
        dU, dV, db = rnn_backward(dh, x, rest, h, U, V)[2:]
        grads = clip_by_norm({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)[0]
        params, state = adam_step({"U": U, "V": V, "W": W, "b": b}, grads, state, lr=lr)
    return params, losses
