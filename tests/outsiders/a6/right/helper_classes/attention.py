"""Helper classes: a soft dictionary, linear layers that know their gradient, recursion, np.add.at, stride tricks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Linear:
    weight: np.ndarray
    bias: np.ndarray

    def __call__(self, x):
        return np.matmul(x, self.weight.T) + self.bias

    def back(self, dy, x):
        """Gradients of x, weight and bias."""
        flat, inputs = dy.reshape(-1, dy.shape[-1]), x.reshape(-1, x.shape[-1])
        return dy @ self.weight, flat.T @ inputs, flat.sum(axis=0)


class Softmax:
    def __init__(self, scores, keep):
        self.scores, self.keep = scores, np.broadcast_to(keep, scores.shape)

    def weights(self):
        some = self.keep.any(axis=-1)
        weights = np.zeros_like(self.scores)
        # rows that see something, and nothing else
        rows = np.where(self.keep, self.scores, -np.inf)[some]
        rows = np.exp(rows - rows.max(axis=-1, keepdims=True))
        weights[some] = rows / rows.sum(axis=-1, keepdims=True)
        return weights

    @staticmethod
    def back(weights, dweights):
        return weights * (dweights - np.sum(weights * dweights, axis=-1, keepdims=True))


class SoftDictionary:
    def __init__(self, keys, values, scale):
        self.keys, self.values = keys, values
        self.scale = 1 / math.sqrt(keys.shape[-1]) if scale is None else scale

    def scores(self, queries):
        return np.matmul(queries, np.swapaxes(self.keys, -1, -2)) * self.scale

    def __call__(self, queries, mask):
        weights = masked_softmax(self.scores(queries), mask)
        return weights @ self.values, weights

    def back(self, dout, queries, weights):
        ds = Softmax.back(weights, dout @ np.swapaxes(self.values, -1, -2)) * self.scale
        return ds @ self.keys, np.swapaxes(ds, -1, -2) @ queries, np.swapaxes(weights, -1, -2) @ dout


def masked_softmax(scores, mask=None):
    return Softmax(scores, True if mask is None else mask).weights()


def attention_scores(q, k, *, scale=None):
    return SoftDictionary(k, None, scale).scores(q)


def causal_mask(T, S=None):
    """Windows into one line: S trues, then falses; each earlier query begins one further to the right."""
    S = T if S is None else S
    line = np.concatenate([np.ones(S, bool), np.zeros(T + S, bool)])
    windows = np.lib.stride_tricks.sliding_window_view(line, S)[:T]
    return windows[::-1].copy()


def padding_mask(lengths, S):
    rows = [[j < length for j in range(S)] for length in lengths.tolist()]
    return np.array(rows, dtype=bool).reshape(len(lengths), 1, 1, S)


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    return SoftDictionary(k, v, scale)(q, mask)


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    return SoftDictionary(k, v, scale).back(dout, q, weights)


def softmax_jacobian(p):
    J = -np.multiply.outer(p, p)
    np.fill_diagonal(J, p * (1 - p))
    return J


def project_qkv(x, weight, bias):
    D = x.shape[-1]
    return tuple(Linear(weight[start : start + D], bias[start : start + D])(x) for start in (0, D, 2 * D))


def split_heads(x, num_heads):
    d, rest = divmod(x.shape[2], num_heads)
    if rest:
        raise ValueError("some features would be left over")
    return np.stack([x[:, :, h * d : (h + 1) * d] for h in range(num_heads)], axis=1)


def merge_heads(x):
    return np.concatenate([x[:, h] for h in range(x.shape[1])], axis=-1)


class Heads:
    def __init__(self, params, count):
        self.count, self.params = count, params
        self.out = Linear(params["out_proj.weight"], params["out_proj.bias"])

    def run(self, x, searched, mask):
        project = self.params["in_proj_weight"], self.params["in_proj_bias"]
        asked, read = project_qkv(x, *project), project_qkv(searched, *project)
        self.q, self.k, self.v = (split_heads(a, self.count) for a in (asked[0], *read[1:]))
        out, self.weights = scaled_dot_product_attention(self.q, self.k, self.v, mask)
        self.merged = merge_heads(out)
        return self.out(self.merged), self.weights

    def back(self, dy, x):
        dmerged, dWo, dbo = self.out.back(dy, self.merged)
        parts = scaled_dot_product_attention_backward(
            split_heads(dmerged, self.count), self.q, self.k, self.v, self.weights
        )
        together = np.concatenate([merge_heads(part) for part in parts], axis=-1)
        into = Linear(self.params["in_proj_weight"], self.params["in_proj_bias"])
        dx, dW, db = into.back(together, x)
        return dx, {"out_proj.bias": dbo, "out_proj.weight": dWo, "in_proj_bias": db, "in_proj_weight": dW}


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    return Heads(params, num_heads).run(x, x if memory is None else memory, mask)


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    layer = Heads(params, num_heads)
    layer.run(x, x, mask)
    return layer.back(dy, x)


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2 == 1:
        raise ValueError("D must be even")
    result = np.zeros((T, D))
    angles = np.arange(T)[:, None] / np.power(float(base), np.arange(0, D, 2) / D)
    np.add.at(result, (slice(None), np.arange(0, D, 2)), np.sin(angles))
    np.add.at(result, (slice(None), np.arange(1, D, 2)), np.cos(angles))
    return result


def permutation_error(layer, x, permutation):
    difference = np.take(layer(x), permutation, axis=1) - layer(np.take(x, permutation, axis=1))
    return max(float(difference.max()), -float(difference.min()))


def incremental_attention(q, k, v, cache=None):
    """One token after another, by recursion on pieces of half the length."""
    L = q.shape[2]
    if L > 1:
        half = L // 2
        first, cache = incremental_attention(q[:, :, :half], k[:, :, :half], v[:, :, :half], cache)
        second, cache = incremental_attention(q[:, :, half:], k[:, :, half:], v[:, :, half:], cache)
        return np.concatenate([first, second], axis=2), cache
    keys, values = (k, v) if cache is None else (np.append(cache[0], k, axis=2), np.append(cache[1], v, axis=2))
    out, _ = SoftDictionary(keys, values, None)(q, None)
    return out, (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("only positive temperatures")
    out, weights = SoftDictionary(keys, values, 1 / temperature)(query[None], None)
    return out[0], weights[0]


class Vector:
    def __init__(self, entries):
        self.entries = [float(entry) for entry in entries]
        self.length = math.hypot(*self.entries)

    def cosine(self, other):
        if 0 in (self.length, other.length):
            return 0.0
        return sum((u / self.length) * (v / other.length) for u, v in zip(self.entries, other.entries, strict=True))


def sense_shift(before, after, a, b):
    old, new, first, second = (Vector(u) for u in (before, after, a, b))
    lean = [word.cosine(first) - word.cosine(second) for word in (old, new)]
    return math.dist(new.entries, old.entries), lean[1] - lean[0]
