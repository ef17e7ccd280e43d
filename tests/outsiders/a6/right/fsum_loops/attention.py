"""Python numbers, loops and math.fsum; NumPy only at the doors."""

from __future__ import annotations

import math
from itertools import product

import numpy as np


def _dot(a, b):
    return math.fsum(map(float.__mul__, a, b))


def _leading(*arrays):
    """The places of all leading axes."""
    return product(*map(range, arrays[0].shape[:-2]))


def _row_softmax(row, keep):
    top = max((s for s, kept in zip(row, keep) if kept), default=None)
    if top is None:
        return [0.0] * len(row)
    powers = [math.exp(s - top) if kept else 0.0 for s, kept in zip(row, keep)]
    total = math.fsum(powers)
    return [power / total for power in powers]


def masked_softmax(scores, mask=None):
    keep = np.broadcast_to(True if mask is None else mask, scores.shape)
    result = np.empty(scores.shape, scores.dtype)
    for place in product(*map(range, scores.shape[:-1])):
        result[place] = _row_softmax(scores[place].tolist(), keep[place].tolist())
    return result


def attention_scores(q, k, *, scale=None):
    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    result = np.empty((*q.shape[:-1], k.shape[-2]), q.dtype)
    for place in _leading(q):
        keys = k[place].tolist()
        result[place] = [[factor * _dot(query, key) for key in keys] for query in q[place].tolist()]
    return result


def causal_mask(T, S=None):
    S = T if S is None else S
    return np.array([[j <= i + S - T for j in range(S)] for i in range(T)])


def padding_mask(lengths, S):
    rows = [[[[j < length for j in range(S)]]] for length in lengths.tolist()]
    return np.array(rows, dtype=bool).reshape(len(lengths), 1, 1, S)


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    weights = np.empty((*q.shape[:-1], k.shape[-2]), q.dtype)
    out = np.empty((*q.shape[:-1], v.shape[-1]), q.dtype)
    keep = np.broadcast_to(True if mask is None else mask, weights.shape)
    for place in _leading(q):
        keys, columns = k[place].tolist(), v[place].T.tolist()
        for i, query in enumerate(q[place].tolist()):
            row = _row_softmax([factor * _dot(query, key) for key in keys], keep[(*place, i)].tolist())
            weights[(*place, i)] = row
            out[(*place, i)] = [_dot(row, column) for column in columns]
    return out, weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    dq, dk, dv = (np.empty(a.shape, a.dtype) for a in (q, k, v))
    for place in _leading(q):
        Q, K, V, W, G = (a[place].tolist() for a in (q, k, v, weights, dout))
        dS = []
        for w, g in zip(W, G):
            slopes = [_dot(g, value) for value in V]
            mean = _dot(w, slopes)
            dS.append([p * (slope - mean) for p, slope in zip(w, slopes)])
        dq[place] = [[factor * _dot(ds, column) for column in zip(*K)] for ds in dS]
        dk[place] = [[factor * _dot(ds, column) for column in zip(*Q)] for ds in zip(*dS)]
        dv[place] = [[_dot(w, column) for column in zip(*G)] for w in zip(*W)]
    return dq, dk, dv


def softmax_jacobian(p):
    rows = [[x * ((i == j) - y) for j, y in enumerate(p.tolist())] for i, x in enumerate(p.tolist())]
    return np.array(rows, dtype=p.dtype)


def _linear(x, weight, bias):
    result = np.empty((*x.shape[:-1], len(weight)), x.dtype)
    rows, offsets = weight.tolist(), bias.tolist()
    for place in product(*map(range, x.shape[:-1])):
        token = x[place].tolist()
        result[place] = [math.fsum([*map(float.__mul__, row, token), offset]) for row, offset in zip(rows, offsets)]
    return result


def project_qkv(x, weight, bias):
    D = x.shape[-1]
    return tuple(_linear(x, weight[i * D : (i + 1) * D], bias[i * D : (i + 1) * D]) for i in range(3))


def split_heads(x, num_heads):
    N, T, D = x.shape
    d, rest = divmod(D, num_heads)
    if rest:
        raise ValueError(f"{D} features for {num_heads} heads")
    result = np.empty((N, num_heads, T, d), x.dtype)
    for n, h, t, i in np.ndindex(result.shape):
        result[n, h, t, i] = x[n, t, h * d + i]
    return result


def merge_heads(x):
    N, heads, T, d = x.shape
    result = np.empty((N, T, heads * d), x.dtype)
    for n, h, t, i in np.ndindex(x.shape):
        result[n, t, h * d + i] = x[n, h, t, i]
    return result


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    source = x if memory is None else memory
    weight, bias = params["in_proj_weight"], params["in_proj_bias"]
    q = project_qkv(x, weight, bias)[0]
    _, k, v = project_qkv(source, weight, bias)
    out, weights = scaled_dot_product_attention(*(split_heads(a, num_heads) for a in (q, k, v)), mask)
    return _linear(merge_heads(out), params["out_proj.weight"], params["out_proj.bias"]), weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    weight, bias = params["in_proj_weight"], params["in_proj_bias"]
    q, k, v = (split_heads(a, num_heads) for a in project_qkv(x, weight, bias))
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    D = x.shape[-1]
    nothing = np.zeros(D, x.dtype)

    def rows(a):
        return [a[n, t].tolist() for n in range(a.shape[0]) for t in range(a.shape[1])]

    def outer(left, right, shape):
        values = [[_dot(a, b) for b in zip(*rows(right))] for a in zip(*rows(left))]
        return np.array(values, x.dtype).reshape(shape)

    dmerged = _linear(dy, params["out_proj.weight"].T, nothing)
    parts = scaled_dot_product_attention_backward(split_heads(dmerged, num_heads), q, k, v, weights)
    stacked = np.concatenate([merge_heads(part) for part in parts], axis=-1)
    grads = {
        "in_proj_weight": outer(stacked, x, (3 * D, D)),
        "in_proj_bias": np.array([math.fsum(column) for column in zip(*rows(stacked))], x.dtype),
        "out_proj.weight": outer(dy, merge_heads(out), (D, D)),
        "out_proj.bias": np.array([math.fsum(column) for column in zip(*rows(dy))], x.dtype),
    }
    return _linear(stacked, weight.T, nothing), grads


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2 == 1:
        raise ValueError("an odd number of features")
    steps = [base ** (-2 * i / D) for i in range(D // 2)]
    return np.array([[f(t * step) for step in steps for f in (math.sin, math.cos)] for t in range(T)])


def permutation_error(layer, x, permutation):
    moved = layer(np.stack([x[:, place] for place in permutation.tolist()], axis=1))
    plain = layer(x)
    return max(
        float(np.max(np.abs(moved[:, t].astype(float) - plain[:, place].astype(float))))
        for t, place in enumerate(permutation.tolist())
    )


def incremental_attention(q, k, v, cache=None):
    old = ([], []) if cache is None else tuple([a[:, :, s] for s in range(a.shape[2])] for a in cache)
    keys, values = (
        np.stack([*before, *(a[:, :, t] for t in range(a.shape[2]))], axis=2) for before, a in zip(old, (k, v))
    )
    S = keys.shape[2] - q.shape[2]
    outs = [
        scaled_dot_product_attention(q[:, :, t : t + 1], keys[:, :, : S + t + 1], values[:, :, : S + t + 1])[0]
        for t in range(q.shape[2])
    ]
    return np.concatenate(outs, axis=2), (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("the temperature must be positive")
    asked = query.tolist()
    weights = _row_softmax([_dot(key, asked) / temperature for key in keys.tolist()], [True] * len(keys))
    value = [_dot(weights, column) for column in zip(*values.tolist())]
    return np.array(value, values.dtype), np.array(weights, keys.dtype)


def sense_shift(before, after, a, b):
    before, after, a, b = (u.tolist() for u in (before, after, a, b))

    def unit(u):
        length = math.hypot(*u)
        return [x / length for x in u] if length else u

    def cosine(u, w):
        return _dot(unit(u), unit(w))

    gain = (cosine(after, a) - cosine(after, b)) - (cosine(before, a) - cosine(before, b))
    return math.dist(before, after), gain
