"""My own little library for assignment 6: parts with a forward and a backward pass. NumPy only."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


class Precision:
    """The common dtype of some arrays."""

    def __init__(self, *arrays: np.ndarray) -> None:
        self.dtype = np.result_type(*arrays)

    def __call__(self, *arrays: np.ndarray):
        cast = [np.ascontiguousarray(a, dtype=self.dtype) for a in arrays]
        return cast[0] if len(cast) == 1 else cast


class Softmax:
    """Along the last axis, only over what the mask keeps. Remembers its weights."""

    def __init__(self, mask: np.ndarray | None = None) -> None:
        self.mask = mask

    def forward(self, scores: np.ndarray) -> np.ndarray:
        self.weights = np.zeros(scores.shape, scores.dtype)
        rows = scores.reshape(-1, scores.shape[-1])
        weights = self.weights.reshape(rows.shape)  # a view
        if self.mask is None:
            keep = np.ones(rows.shape, bool)
        else:
            keep = np.broadcast_to(self.mask, scores.shape).reshape(rows.shape)
        for row, kept, target in zip(rows, keep, weights):
            if kept.any():
                loud = np.exp(row[kept] - row[kept].max())
                target[kept] = loud / loud.sum()
        return self.weights

    def backward(self, dweights: np.ndarray) -> np.ndarray:
        retrieved = np.vecdot(self.weights, dweights)[..., None]
        return self.weights * (dweights - retrieved)


class Retrieval:
    """Scaled dot-product attention."""

    def __init__(self, scale: float | None = None, mask: np.ndarray | None = None) -> None:
        self.scale, self.softmax = scale, Softmax(mask)

    def factor(self, d: int) -> float:
        return float(d) ** -0.5 if self.scale is None else float(self.scale)

    def scores(self, q: np.ndarray, k: np.ndarray) -> np.ndarray:
        return (q @ k.mT) * self.factor(q.shape[-1])

    def forward(self, q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
        self.q, self.k, self.v = q, k, v
        return self.softmax.forward(self.scores(q, k)) @ v

    def backward(self, dout: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        dscores = self.softmax.backward(dout @ self.v.mT) * self.factor(self.q.shape[-1])
        return dscores @ self.k, dscores.mT @ self.q, self.softmax.weights.mT @ dout

    @property
    def weights(self) -> np.ndarray:
        return self.softmax.weights

    @classmethod
    def remembered(cls, q, k, v, weights, scale):
        """As if the forward pass had just been done."""
        one = cls(scale)
        one.q, one.k, one.v, one.softmax.weights = q, k, v, weights
        return one


@dataclass
class Linear:
    weight: np.ndarray
    bias: np.ndarray
    grads: dict[str, np.ndarray] = field(default_factory=dict)

    def forward(self, x: np.ndarray) -> np.ndarray:
        self.x = x
        return x @ self.weight.T + self.bias

    def backward(self, dy: np.ndarray) -> np.ndarray:
        rows, inputs = dy.reshape(-1, dy.shape[-1]), self.x.reshape(-1, self.x.shape[-1])
        self.grads = {"weight": rows.T @ inputs, "bias": rows.sum(axis=0)}
        return dy @ self.weight


class Heads:
    """Splitting is the forward pass of this part, merging its backward pass (and the other way round)."""

    def __init__(self, count: int) -> None:
        self.count = count

    def split(self, x: np.ndarray) -> np.ndarray:
        N, T, D = x.shape
        if D % self.count:
            raise ValueError(f"{self.count} heads cannot share {D} features evenly")
        return np.ascontiguousarray(x.reshape(N, T, self.count, D // self.count).transpose(0, 2, 1, 3))

    @staticmethod
    def merge(x: np.ndarray) -> np.ndarray:
        N, H, T, d = x.shape
        return np.ascontiguousarray(x.transpose(0, 2, 1, 3)).reshape(N, T, H * d)


class MultiHead:
    NAMES = ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias")

    def __init__(self, params: dict[str, np.ndarray], num_heads: int, precision: Precision, mask=None) -> None:
        W, b, Wo, bo = precision(*(params[name] for name in self.NAMES))
        self.inputs = [Linear(*part) for part in zip(np.split(W, 3), np.split(b, 3))]
        self.output = Linear(Wo, bo)
        self.heads, self.retrieval = Heads(num_heads), Retrieval(mask=mask)

    def forward(self, x: np.ndarray, memory: np.ndarray) -> np.ndarray:
        sources = (x, memory, memory)
        qkv = [self.heads.split(layer.forward(tokens)) for layer, tokens in zip(self.inputs, sources)]
        return self.output.forward(self.heads.merge(self.retrieval.forward(*qkv)))

    def backward(self, dy: np.ndarray) -> np.ndarray:
        dheads = self.retrieval.backward(self.heads.split(self.output.backward(dy)))
        return sum(layer.backward(self.heads.merge(d)) for layer, d in zip(self.inputs, dheads))

    @property
    def grads(self) -> dict[str, np.ndarray]:
        return {
            "in_proj_weight": np.vstack([layer.grads["weight"] for layer in self.inputs]),
            "in_proj_bias": np.hstack([layer.grads["bias"] for layer in self.inputs]),
            "out_proj.weight": self.output.grads["weight"],
            "out_proj.bias": self.output.grads["bias"],
        }


@dataclass(frozen=True)
class Clock:
    """A hand that turns by ``speed`` radians a step."""

    speed: float

    def read(self, times: np.ndarray) -> np.ndarray:
        return np.column_stack([np.sin(self.speed * times), np.cos(self.speed * times)])


class Direction:
    """A vector without its length; the zero vector has none."""

    def __init__(self, vector: np.ndarray) -> None:
        vector = np.asarray(vector, dtype=np.float64)
        length = float(np.linalg.norm(vector))
        self.unit = vector / length if length > 0 else np.zeros_like(vector)

    def cosine(self, other: Direction) -> float:
        return float(self.unit @ other.unit)
