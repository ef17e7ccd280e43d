"""Recursion over leading axes down to a single query, whose hidden keys are cut out before anything is computed."""

from functools import lru_cache, partial, singledispatch

import numpy as np


def _each(function, *arrays, axes):
    """Apply to the last ``axes`` axes of arrays that agree in those before, and stack what comes out."""
    if arrays[0].ndim == axes:
        return function(*arrays)
    results = [_each(function, *parts, axes=axes) for parts in zip(*arrays)]
    if isinstance(results[0], tuple):
        return tuple(np.stack(column) for column in zip(*results))
    return np.stack(results)


def _row(scores, keep):
    weights = np.zeros_like(scores)
    if keep.any():
        kept = np.compress(keep, scores)
        powers = np.exp(kept - np.max(kept))
        np.place(weights, keep, powers / np.add.reduce(powers))
    return weights


def masked_softmax(scores, mask=None):
    keep = np.broadcast_to(np.bool_(True) if mask is None else mask, scores.shape)
    return _each(_row, scores, keep, axes=1)


def attention_scores(q, k, *, scale=None):
    root = float(q.shape[-1]) ** 0.5

    def table(a, b):
        dots = np.inner(a, b)
        return dots / root if scale is None else dots * scale

    return _each(table, q, k, axes=2)


@lru_cache(maxsize=None)
def causal_mask(T, S=None):
    if S is None:
        return causal_mask(T, T)
    mask = np.logical_not(np.triu(np.ones((T, S), dtype=np.uint8), k=S - T + 1))
    mask.setflags(write=False)
    return mask


def padding_mask(lengths, S):
    mask = np.zeros((len(lengths), 1, 1, S), bool)
    for row, length in zip(mask, lengths):
        row[..., : int(length)] = True
    return mask


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    return _each(np.dot, weights, v, axes=2), weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    factor = q.shape[-1] ** (-1 / 2) if scale is None else scale

    def one(g, a, b, c, w):
        ds = np.stack([softmax_jacobian(p) @ (c @ slope) for p, slope in zip(w, g)]) * factor
        return ds @ b, ds.T @ a, w.T @ g

    return _each(one, dout, q, k, v, weights, axes=2)


def softmax_jacobian(p):
    return np.multiply(np.eye(len(p), dtype=p.dtype) - p, p[:, np.newaxis])


class Linear:
    def __init__(self, weight, bias):
        self.weight, self.bias = weight, bias

    def __call__(self, x):
        return np.tensordot(x, self.weight, axes=(-1, 1)) + self.bias


def project_qkv(x, weight, bias):
    layers = map(Linear, np.split(weight, 3), np.split(bias, 3))
    return tuple(layer(x) for layer in layers)


def split_heads(x, num_heads):
    return np.stack(np.split(x, num_heads, axis=-1), axis=1)  # np.split raises ValueError itself


def merge_heads(x):
    return np.concatenate([x[:, h] for h in range(x.shape[1])], axis=-1)


class _Layer:
    """Remembers what its forward pass computed."""

    def __init__(self, params, num_heads):
        self.params, self.split = params, partial(split_heads, num_heads=num_heads)
        self.out_proj = Linear(params["out_proj.weight"], params["out_proj.bias"])

    def forward(self, x, memory, mask):
        project = partial(project_qkv, weight=self.params["in_proj_weight"], bias=self.params["in_proj_bias"])
        self.q, self.k, self.v = (
            self.split(project(tokens)[part]) for part, tokens in enumerate((x, memory, memory))
        )
        out, self.weights = scaled_dot_product_attention(self.q, self.k, self.v, mask)
        self.merged = merge_heads(out)
        return self.out_proj(self.merged), self.weights

    def backward(self, dy, x):
        flat = [row for sequence in dy for row in sequence]
        dhead = self.split(np.tensordot(dy, self.params["out_proj.weight"], axes=1))
        parts = scaled_dot_product_attention_backward(dhead, self.q, self.k, self.v, self.weights)
        parts = list(map(merge_heads, parts))
        over = ([0, 1], [0, 1])
        dx = sum(np.tensordot(p, w, axes=1) for p, w in zip(parts, np.split(self.params["in_proj_weight"], 3)))
        return dx, {
            "out_proj.bias": np.add.reduce(flat),
            "out_proj.weight": np.tensordot(dy, self.merged, over),
            "in_proj_bias": np.concatenate([p.sum((0, 1)) for p in parts]),
            "in_proj_weight": np.vstack([np.tensordot(p, x, over) for p in parts]),
        }


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    return _Layer(params, num_heads).forward(x, x if memory is None else memory, mask)


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    layer = _Layer(params, num_heads)
    layer.forward(x, x, mask)
    return layer.backward(dy, x)


def sinusoidal_positions(T, D, base=10000.0):
    if D & 1:
        raise ValueError(D)
    speed = np.exp(np.log(base) * np.linspace(0, -1, D // 2, endpoint=False))
    phase = np.tile([0.0, np.pi / 2], D // 2)
    # sin(a + pi/2) = cos(a)
    return np.sin(np.arange(T).reshape(-1, 1) * np.repeat(speed, 2) + phase)


def permutation_error(layer, x, permutation):
    inverse = np.empty(len(permutation), np.intp)
    inverse[permutation] = np.arange(len(permutation))
    first = np.array(layer(np.copy(x)))
    second = np.array(layer(np.ascontiguousarray(x[:, permutation])))
    gap = second[:, inverse] - first
    return max(float(gap.max()), -float(gap.min()))


def incremental_attention(q, k, v, cache=None):
    """A single token sees everything; of several, the first half goes first, by recursion."""
    if q.shape[2] == 1:
        if cache is not None:
            k, v = np.concatenate((cache[0], k), 2), np.concatenate((cache[1], v), 2)
        return scaled_dot_product_attention(q, k, v)[0], (k, v)
    half = q.shape[2] // 2
    first, cache = incremental_attention(q[:, :, :half], k[:, :, :half], v[:, :, :half], cache)
    last, cache = incremental_attention(q[:, :, half:], k[:, :, half:], v[:, :, half:], cache)
    return np.concatenate((first, last), 2), cache


def retrieve(query, keys, values, *, temperature=1.0):
    if not 0 < temperature:
        raise ValueError(temperature)
    out, weights = scaled_dot_product_attention(query[None], keys, values, scale=1 / temperature)
    return out[0], weights[0]


@singledispatch
def _unit(u):
    norm = np.sqrt(np.vdot(u, u))
    return u / norm if norm > 0 else np.zeros_like(u)


def sense_shift(before, after, a, b):
    before, after, a, b = map(np.float64, (before, after, a, b))
    steps = [_unit(after) @ _unit(sense) - _unit(before) @ _unit(sense) for sense in (a, b)]
    return np.linalg.norm(before - after), steps[0] - steps[1]
