"""Assignment 6, NumPy.

Two habits: the scale goes into the queries before they meet the keys (d numbers to multiply instead of S), and hidden
scores get the most negative number that their dtype has.
"""

from __future__ import annotations

from math import sqrt

import numpy as np


def _scaled(q, scale):
    return q * (1 / sqrt(q.shape[-1]) if scale is None else float(scale))


def _T(a):
    return np.swapaxes(a, -1, -2)


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = np.ones(1, dtype=bool)
    lowest = np.finfo(scores.dtype).min
    filled = np.where(mask, scores, lowest)
    with np.errstate(over="ignore", under="ignore"):  # lowest - top may fall off the end: exp of that is 0, as it should
        e = np.exp(filled - filled.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    # A row in which everything was hidden is all lowest, hence uniform by now.
    return p * np.broadcast_to(mask, scores.shape).any(axis=-1, keepdims=True)


def attention_scores(q, k, *, scale=None):
    return _scaled(q, scale) @ _T(k)


def causal_mask(T, S=None):
    S = T if S is None else S
    return np.tri(T, S, S - T, dtype=bool)


def padding_mask(lengths, S):
    return np.arange(S) < np.asarray(lengths).reshape(-1, 1, 1, 1)


def _unify(first, *others):
    dtype = np.result_type(first, *others)
    return tuple(np.asarray(a, dtype=dtype) for a in (first, *others))


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    q, k, v = _unify(q, k, v)
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    return weights @ v, weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    dout, q, k, v, weights = _unify(dout, q, k, v, weights)
    asked = _scaled(q, scale)  # scores = asked k^T: this product has no scale any more
    dweights = dout @ _T(v)
    dscores = weights * dweights
    dscores -= weights * dscores.sum(axis=-1, keepdims=True)
    dasked = dscores @ k
    # d(scale * q) -> d(q) multiplies by the scale of q's size, which _scaled does to any array of q's width.
    return _scaled(dasked, scale), _T(dscores) @ asked, _T(weights) @ dout


def softmax_jacobian(p):
    return np.diag(p) - np.outer(p, p)


def project_qkv(x, weight, bias):
    return tuple(np.split(x @ weight.T + bias, 3, axis=-1))


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("the features do not divide by the heads")
    return x.reshape(*x.shape[:-1], num_heads, -1).swapaxes(1, 2)


def merge_heads(x):
    x = x.swapaxes(1, 2)
    return x.reshape(*x.shape[:2], x.shape[2] * x.shape[3])


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    W, b, Wo, bo, x, source = _unify(
        params["in_proj_weight"],
        params["in_proj_bias"],
        params["out_proj.weight"],
        params["out_proj.bias"],
        x,
        x if memory is None else memory,
    )
    D = x.shape[-1]
    q = x @ W[:D].T + b[:D]
    k = source @ W[D:-D].T + b[D:-D]
    v = source @ W[-D:].T + b[-D:]
    out, weights = scaled_dot_product_attention(*(split_heads(a, num_heads) for a in (q, k, v)), mask)
    return merge_heads(out) @ Wo.T + bo, weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    names = list(params)
    unified = _unify(dy, x, *params.values())
    dy, x, p = unified[0], unified[1], dict(zip(names, unified[2:]))
    D = x.shape[-1]

    projected = project_qkv(x, p["in_proj_weight"], p["in_proj_bias"])
    q, k, v = (split_heads(a, num_heads) for a in projected)
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    merged = merge_heads(out)

    def flat(a):  # all tokens of all sequences below each other
        return a.reshape(-1, a.shape[-1])

    grads = {
        "out_proj.weight": flat(dy).T @ flat(merged),
        "out_proj.bias": flat(dy).sum(axis=0),
    }
    dheads = split_heads(dy @ p["out_proj.weight"], num_heads)
    dq, dk, dv = map(merge_heads, scaled_dot_product_attention_backward(dheads, q, k, v, weights))
    dx = np.zeros_like(x)
    dW, db = np.empty_like(p["in_proj_weight"]), np.empty_like(p["in_proj_bias"])
    for number, gradient in enumerate((dq, dk, dv)):
        rows = slice(number * D, (number + 1) * D)
        dx += gradient @ p["in_proj_weight"][rows]
        dW[rows] = flat(gradient).T @ flat(x)
        db[rows] = flat(gradient).sum(axis=0)
    grads["in_proj_weight"], grads["in_proj_bias"] = dW, db
    return dx, {name: grads[name] for name in names}


def sinusoidal_positions(T, D, base=10000.0):
    if D & 1:
        raise ValueError(f"D must be even, not {D}")
    # The imaginary part of exp(i * angle) is the sine, the real part the cosine.
    hands = np.exp(1j * np.arange(T)[:, None] / float(base) ** (np.arange(0, D, 2) / D))
    positions = np.empty((T, D))
    positions[:, ::2], positions[:, 1::2] = hands.imag, hands.real
    return positions


def permutation_error(layer, x, permutation):
    difference = layer(x[:, permutation]) - layer(x)[:, permutation]
    return np.abs(difference).max().item()


def incremental_attention(q, k, v, cache=None):
    if cache is not None:
        k = np.concatenate((cache[0], k), axis=-2)
        v = np.concatenate((cache[1], v), axis=-2)
    q, k, v = _unify(q, k, v)
    out, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[-2], k.shape[-2]))
    return out, (k, v)


def retrieve(query, keys, values, *, temperature=1.0):
    if not temperature > 0:
        raise ValueError("temperature <= 0")
    # One query among keys is attention with T = 1 whose scale is 1 / temperature.
    out, weights = scaled_dot_product_attention(query[None], keys, values, scale=1 / float(temperature))
    return out[0], weights[0]


def sense_shift(before, after, a, b):
    before, after, a, b = (np.asarray(u, dtype=np.float64) for u in (before, after, a, b))

    def direction(u):
        length = np.linalg.norm(u)
        return u / length if length else u

    lean = direction(a) - direction(b)  # cos(u, a) - cos(u, b) = direction(u) . lean
    return float(np.linalg.norm(after - before)), float((direction(after) - direction(before)) @ lean)
