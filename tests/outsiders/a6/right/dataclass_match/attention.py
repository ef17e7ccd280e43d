"""Dataclasses, match, closures; a running (online) softmax; one head at a time."""
from __future__ import annotations

import math
import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Running:
    """Largest score and sum of exponentials so far, updated key by key."""

    top: np.ndarray
    total: np.ndarray

    def see(self, score, kept):
        top = np.where(kept, np.maximum(self.top, score), self.top)
        with np.errstate(invalid="ignore", over="ignore"):
            shrink = np.where(np.isneginf(self.top), 0, np.exp(self.top - top))
            add = np.where(kept, np.exp(score - top), 0)
        self.total = (self.total * shrink + add).astype(score.dtype)
        self.top = top.astype(score.dtype)


def masked_softmax(scores, mask=None):
    match mask:
        case None:
            kept = np.ones(scores.shape, bool)
        case _:
            kept = np.broadcast_to(mask, scores.shape)
    state = Running(np.full(scores.shape[:-1], -np.inf, scores.dtype), np.zeros(scores.shape[:-1], scores.dtype))
    for j in range(scores.shape[-1]):
        state.see(scores[..., j], kept[..., j])
    top = np.where(np.isneginf(state.top), 0, state.top)[..., None]
    total = np.where(state.total == 0, 1, state.total)[..., None]
    hidden = np.where(kept, scores - top, -np.inf)
    return (np.exp(hidden) / total).astype(scores.dtype)


def _factor(scale, d):
    match scale:
        case None:
            return 1.0 / math.sqrt(d)
        case number:
            return float(number)


def attention_scores(q, k, *, scale=None):
    return np.matmul(_factor(scale, q.shape[-1]) * q, np.swapaxes(k, -1, -2))


def causal_mask(T, S=None):
    match S:
        case None:
            return causal_mask(T, T)
        case _:
            return np.subtract.outer(np.arange(T), np.arange(S)) >= T - S


def padding_mask(lengths, S):
    mask = np.zeros((len(lengths), 1, 1, S), dtype=bool)
    for row, length in zip(mask, map(int, lengths)):
        row[..., :length] = True
    return mask


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    return np.swapaxes(np.swapaxes(v, -1, -2) @ np.swapaxes(weights, -1, -2), -1, -2), weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    factor = _factor(scale, q.shape[-1])
    out = weights @ v
    # the average of dw under the weights is dout . out
    ds = weights * (dout @ np.swapaxes(v, -1, -2) - (dout * out).sum(-1, keepdims=True))
    return factor * (ds @ k), factor * (np.swapaxes(ds, -1, -2) @ q), np.swapaxes(weights, -1, -2) @ dout


def softmax_jacobian(p):
    return p[:, None] * (np.eye(len(p), dtype=p.dtype) - p[None, :])


@dataclass(frozen=True)
class Linear:
    weight: np.ndarray
    bias: np.ndarray

    def __call__(self, x):
        return x @ self.weight.T + self.bias

    def back(self, dy, x):
        flat_dy, flat_x = dy.reshape(-1, dy.shape[-1]), x.reshape(-1, x.shape[-1])
        return dy @ self.weight, flat_dy.T @ flat_x, flat_dy.sum(axis=0)

    def thirds(self):
        return [Linear(w, b) for w, b in zip(np.split(self.weight, 3), np.split(self.bias, 3))]


def project_qkv(x, weight, bias):
    return tuple(part(x) for part in Linear(weight, bias).thirds())


def split_heads(x, num_heads):
    match divmod(x.shape[-1], num_heads):
        case d, 0:
            return x.reshape(*x.shape[:2], num_heads, d).swapaxes(1, 2)
        case _:
            raise ValueError("the features cannot be divided among the heads")


def merge_heads(x):
    match x.shape:
        case N, heads, T, d:
            return np.moveaxis(x, 1, 2).reshape(N, T, heads * d)


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    layer = Linear(params["in_proj_weight"], params["in_proj_bias"])
    last = Linear(params["out_proj.weight"], params["out_proj.bias"])
    source = x if memory is None else memory
    q, k, v = (split_heads(part(a), num_heads) for part, a in zip(layer.thirds(), (x, source, source)))
    seen = None if mask is None else np.broadcast_to(mask, (*q.shape[:3], k.shape[2]))
    pairs = [
        scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], None if seen is None else seen[:, h])
        for h in range(num_heads)
    ]
    out, weights = (np.stack(things, axis=1) for things in zip(*pairs))
    return last(merge_heads(out)), weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    layer = Linear(params["in_proj_weight"], params["in_proj_bias"])
    last = Linear(params["out_proj.weight"], params["out_proj.bias"])
    heads = [split_heads(part(x), num_heads) for part in layer.thirds()]
    out, weights = scaled_dot_product_attention(*heads, mask)
    dmerged, dweight, dbias = last.back(dy, merge_heads(out))
    back = scaled_dot_product_attention_backward(split_heads(dmerged, num_heads), *heads, weights)
    parts = [part.back(merge_heads(g), x) for part, g in zip(layer.thirds(), back)]
    dx = functools.reduce(np.add, (part[0] for part in parts))
    return dx, dict(
        zip(
            ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"),
            (np.vstack([p[1] for p in parts]), np.hstack([p[2] for p in parts]), dweight, dbias),
        )
    )


def sinusoidal_positions(T, D, base=10000.0):
    match D % 2:
        case 1:
            raise ValueError("D is odd")
    clocks = [math.pow(base, -2 * i / D) for i in range(D // 2)]
    time = np.arange(T, dtype=np.float64)

    def columns():
        for speed in clocks:
            yield np.sin(time * speed)
            yield np.cos(time * speed)

    return np.stack(list(columns()), axis=1)


def permutation_error(layer, x, permutation):
    order = np.asarray(permutation, dtype=np.int64)
    inverse = np.argsort(order)
    # the same tokens are compared, only in the order of the unpermuted output
    return float(np.max(np.abs(np.take(layer(np.take(x, order, axis=1)), inverse, axis=1) - layer(x))))


def incremental_attention(q, k, v, cache=None):
    match cache:
        case None:
            keys, values = np.array(k), np.array(v)
        case (old_keys, old_values):
            keys, values = np.concatenate((old_keys, k), 2), np.concatenate((old_values, v), 2)
    mask = causal_mask(q.shape[2], keys.shape[2])
    return scaled_dot_product_attention(q, keys, values, mask)[0], (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("not a temperature")
    value, weights = scaled_dot_product_attention(query[None], keys, values, scale=1 / float(temperature))
    return value[0], weights[0]


def sense_shift(before, after, a, b):
    def direction(u):
        length = float(np.linalg.norm(u.astype(np.float64)))
        return u.astype(np.float64) / (length or 1.0)

    def lean(word):
        return float(direction(word) @ (direction(a) - direction(b)))

    return float(np.linalg.norm(after.astype(np.float64) - before.astype(np.float64))), lean(after) - lean(before)
