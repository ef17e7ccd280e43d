"""Helper module of assignment 4: one step of the network as an object, and gradients carried *along* with the states.

Backpropagation goes from the losses back. The same numbers come out when the derivatives of each state with respect to
everything before it are carried forward (real-time recurrent learning). It costs more, but nothing has to be kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Step:
    """h_next = tanh(U x + V h + b), with what its derivatives need."""

    x: np.ndarray
    h: np.ndarray
    h_next: np.ndarray
    U: np.ndarray
    V: np.ndarray

    @property
    def slope(self) -> np.ndarray:
        return 1 - np.square(self.h_next)

    def pull(self, g: np.ndarray) -> tuple[np.ndarray, ...]:
        """From the gradient of h_next to those of x, h, U, V and b."""
        da = g * self.slope
        return da @ self.U, da @ self.V, da.T @ self.x, da.T @ self.h, da.sum(axis=0)

    def push(self, change: np.ndarray) -> np.ndarray:
        """From changes of h, shape (N, H, ...), to changes of h_next."""
        return self.scale(np.moveaxis(np.tensordot(self.V, change, axes=(1, 1)), 0, 1))

    def scale(self, change: np.ndarray) -> np.ndarray:
        """From changes in front of tanh, shape (N, H, ...), to changes behind it."""
        return change * self.slope.reshape(*self.slope.shape, *[1] * (change.ndim - 2))

    def by_parameters(self) -> np.ndarray:
        """Derivatives of what stands in front of tanh by (U | V | b), shape (N, H, H, D + H + 1)."""
        N, H = self.h.shape
        z = np.concatenate([self.x, self.h, np.ones((N, 1), self.h.dtype)], axis=1)
        return np.eye(H, dtype=z.dtype)[None, :, :, None] * z[:, None, None, :]


class Sensitivities:
    """How the current state depends on the parameters, on h_0 and on every input so far."""

    def __init__(self, h0: np.ndarray, D: int):
        N, H = h0.shape
        self.shape, self.D = (N, H), D
        self.forget(h0.dtype)
        self.by_h0 = np.broadcast_to(np.eye(H, dtype=h0.dtype), (N, H, H))
        self.by_inputs: list[np.ndarray] = []

    def forget(self, dtype: np.dtype) -> None:
        """Take the current state for a constant, as far as the parameters are concerned."""
        N, H = self.shape
        self.by_parameters = np.zeros((N, H, H, self.D + H + 1), dtype)

    def advance(self, step: Step, *, inputs: bool) -> None:
        self.by_parameters = step.push(self.by_parameters) + step.scale(step.by_parameters())
        if inputs:
            self.by_h0 = step.push(self.by_h0)
            self.by_inputs = [step.push(s) for s in self.by_inputs]
            self.by_inputs.append(step.scale(np.broadcast_to(step.U, (len(step.x), *step.U.shape))))


class Unrolled:
    """A network together with the states that it went through."""

    def __init__(self, x: np.ndarray, h0: np.ndarray, h: np.ndarray, U: np.ndarray, V: np.ndarray):
        before = [h0, *np.moveaxis(h, 1, 0)]
        self.h0, self.U, self.V = h0, U, V
        self.steps = [Step(x[:, t], before[t], before[t + 1], U, V) for t in range(x.shape[1])]

    def split(self, d: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(U | V | b) in three."""
        D = self.U.shape[1]
        return d[:, :D], d[:, D:-1], d[:, -1]

    def gradients(self, dh: np.ndarray) -> tuple[np.ndarray, ...]:
        now = Sensitivities(self.h0, self.U.shape[1])
        dx, dh0, d = [], 0, 0
        for t, step in enumerate(self.steps):
            now.advance(step, inputs=True)
            direct = dh[:, t]
            dx.append(0)
            dx = [sofar + np.einsum("ni,nid->nd", direct, s) for sofar, s in zip(dx, now.by_inputs)]
            dh0 = dh0 + np.einsum("ni,nij->nj", direct, now.by_h0)
            d = d + np.einsum("ni,nipq->pq", direct, now.by_parameters)
        return np.stack(dx, axis=1), dh0, *self.split(d)

    def windowed(self, dh: np.ndarray, window: int) -> tuple[np.ndarray, ...]:
        now = Sensitivities(self.h0, self.U.shape[1])
        d = 0
        for t, step in enumerate(self.steps):
            if t % window == 0:
                now.forget(self.h0.dtype)
            now.advance(step, inputs=False)
            d = d + np.einsum("ni,nipq->pq", dh[:, t], now.by_parameters)
        return self.split(d)
