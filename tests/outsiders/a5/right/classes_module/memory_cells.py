"""My own module: recurrent cells as objects that remember what their backward pass needs. NumPy only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


class LSTMStates(NamedTuple):
    h: np.ndarray
    c: np.ndarray
    gates: np.ndarray


class LSTMGradients(NamedTuple):
    dx: np.ndarray
    dh: np.ndarray
    dc: np.ndarray
    dW: np.ndarray
    db: np.ndarray


class GRUGradients(NamedTuple):
    dx: np.ndarray
    dh: np.ndarray
    dweight_ih: np.ndarray
    dweight_hh: np.ndarray
    dbias_ih: np.ndarray
    dbias_hh: np.ndarray


def common(*arrays: np.ndarray) -> list[np.ndarray]:
    dtype = np.result_type(*arrays)
    return [array if array.dtype == dtype else array.astype(dtype) for array in arrays]


class Sigmoid:
    @staticmethod
    def value(a: np.ndarray) -> np.ndarray:
        # exp of negative numbers only
        small = np.exp(-np.abs(a))
        return np.where(a < 0, small, np.ones_like(small)) / (1 + small)

    @staticmethod
    def slope(value: np.ndarray) -> np.ndarray:
        return value * (1 - value)


class Tanh:
    @staticmethod
    def value(a: np.ndarray) -> np.ndarray:
        return np.tanh(a)

    @staticmethod
    def slope(value: np.ndarray) -> np.ndarray:
        return 1 - np.square(value)


FORGET, INPUT, CANDIDATE, OUTPUT = range(4)
ACTIVATIONS = (Sigmoid, Sigmoid, Tanh, Sigmoid)


@dataclass
class Gates:
    """Four blocks side by side in one array, (..., 4H)."""

    array: np.ndarray

    @classmethod
    def from_sums(cls, a: np.ndarray) -> Gates:
        gates = cls(np.empty_like(a))
        for block, (kind, sums) in enumerate(zip(ACTIVATIONS, np.split(a, 4, axis=-1), strict=True)):
            gates[block][...] = kind.value(sums)
        return gates

    def __getitem__(self, block: int) -> np.ndarray:
        size = self.array.shape[-1] // 4
        return self.array[..., block * size : (block + 1) * size]

    def slope(self, block: int) -> np.ndarray:
        return ACTIVATIONS[block].slope(self[block])


@dataclass
class LSTMCell:
    W: np.ndarray
    b: np.ndarray | None = None
    hidden: int = field(init=False)

    def __post_init__(self) -> None:
        self.hidden = self.W.shape[0] // 4

    @property
    def recurrent(self) -> np.ndarray:
        return self.W[:, : self.hidden]

    def step(self, x: np.ndarray, h: np.ndarray, c: np.ndarray) -> LSTMStates:
        gates = Gates.from_sums(h @ self.recurrent.T + x @ self.W[:, self.hidden :].T + self.b)
        c = gates[FORGET] * c + gates[INPUT] * gates[CANDIDATE]
        return LSTMStates(gates[OUTPUT] * np.tanh(c), c, gates.array)

    def sums_gradient(
        self, dh: np.ndarray, dc: np.ndarray, c: np.ndarray, c_next: np.ndarray, gates: Gates
    ) -> tuple[np.ndarray, np.ndarray]:
        shown = np.tanh(c_next)
        dc = dc + dh * gates[OUTPUT] * Tanh.slope(shown)
        da = Gates(np.empty_like(gates.array))
        da[FORGET][...] = dc * c
        da[INPUT][...] = dc * gates[CANDIDATE]
        da[CANDIDATE][...] = dc * gates[INPUT]
        da[OUTPUT][...] = dh * shown
        for block in range(4):
            da[block][...] *= gates.slope(block)
        return da.array, dc * gates[FORGET]

    def step_back(self, dh, dc, x, h, c, c_next, gates) -> LSTMGradients:
        da, dc = self.sums_gradient(dh, dc, c, c_next, Gates(gates))
        dhx = da @ self.W
        dW = np.concatenate([da.T @ h, da.T @ x], axis=1)
        return LSTMGradients(dhx[:, self.hidden :], dhx[:, : self.hidden], dc, dW, da.sum(axis=0))


@dataclass
class Tangent:
    """A small change of the pair (c, h): column q of both belongs to a change of entry q of the first cell state."""

    dc: np.ndarray
    dh: np.ndarray

    @classmethod
    def at(cls, c: np.ndarray, gates: Gates) -> Tangent:
        return cls(np.eye(c.size, dtype=c.dtype), np.diag(gates[OUTPUT] * Tanh.slope(np.tanh(c))))

    def follow(self, cell: LSTMCell, c: np.ndarray, c_next: np.ndarray, gates: Gates) -> Tangent:
        change = [
            gates.slope(block)[:, None] * da
            for block, da in enumerate(np.split(cell.recurrent @ self.dh, 4))
        ]
        dc = (
            gates[FORGET][:, None] * self.dc
            + c[:, None] * change[FORGET]
            + gates[CANDIDATE][:, None] * change[INPUT]
            + gates[INPUT][:, None] * change[CANDIDATE]
        )
        shown = np.tanh(c_next)
        dh = (gates[OUTPUT] * Tanh.slope(shown))[:, None] * dc + shown[:, None] * change[OUTPUT]
        return Tangent(dc, dh)


class GRUCell:
    def __init__(self, weight_ih, weight_hh, bias_ih, bias_hh) -> None:
        self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh = weight_ih, weight_hh, bias_ih, bias_hh

    def step(self, x: np.ndarray, h: np.ndarray) -> np.ndarray:
        u = np.split(x @ self.weight_ih.T + self.bias_ih, 3, axis=1)
        v = np.split(h @ self.weight_hh.T + self.bias_hh, 3, axis=1)
        self.x, self.h, self.v_n = x, h, v[2]
        self.r, self.z = Sigmoid.value(u[0] + v[0]), Sigmoid.value(u[1] + v[1])
        self.n = np.tanh(u[2] + self.r * self.v_n)
        return (1 - self.z) * self.n + self.z * h

    def step_back(self, dh: np.ndarray) -> GRUGradients:
        """Of the step taken last."""
        dn = dh * (1 - self.z) * Tanh.slope(self.n)
        dz = dh * (self.h - self.n) * Sigmoid.slope(self.z)
        dr = dn * self.v_n * Sigmoid.slope(self.r)
        du, dv = np.hstack([dr, dz, dn]), np.hstack([dr, dz, dn * self.r])
        return GRUGradients(
            du @ self.weight_ih,
            dv @ self.weight_hh + dh * self.z,
            du.T @ self.x,
            dv.T @ self.h,
            du.sum(axis=0),
            dv.sum(axis=0),
        )


class Padding:
    """Where the sequences of a batch end."""

    def __init__(self, lengths: np.ndarray, steps: int) -> None:
        self.lengths = np.asarray(lengths)
        time = np.arange(steps)
        self.outside = time >= self.lengths[:, None]
        # Sorted by this key, each sequence is turned, and the padding keeps its place behind it.
        self.order = np.argsort(np.where(self.outside, time, -1 - time), axis=1, kind="stable")

    def turned(self, x: np.ndarray) -> np.ndarray:
        return x[np.arange(len(x))[:, None], self.order]

    def cleared(self, x: np.ndarray) -> np.ndarray:
        x = x.copy()
        x[self.outside] = 0
        return x
