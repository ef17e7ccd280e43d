"""Flat indices: rows are flattened, gathered by number, and added up by number."""
from __future__ import annotations

import math
import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np


def masked_softmax(scores, mask=None):
    S = scores.shape[-1]
    flat = np.array(scores, order="C").reshape(-1)  # a copy
    kept = np.ones(flat.size, bool) if mask is None else np.broadcast_to(mask, scores.shape).reshape(-1)
    place = np.flatnonzero(kept)  # only the kept ones take part at all
    row = place // S
    rows = flat.size // S
    top = np.full(rows, -np.inf, flat.dtype)
    np.maximum.at(top, row, flat[place])
    powers = np.exp(flat[place] - top[row])
    total = np.zeros(rows, flat.dtype)
    np.add.at(total, row, powers)
    weights = np.zeros_like(flat)
    weights[place] = powers / total[row]
    return weights.reshape(scores.shape)


def attention_scores(q, k, *, scale=None):
    factor = q.shape[-1] ** -0.5 if scale is None else scale
    return (q[..., :, None, :] * k[..., None, :, :]).sum(axis=-1) * factor


def causal_mask(T, S=None):
    S = T if S is None else S
    place = np.arange(T * S)
    return (place % S <= place // S + S - T).reshape(T, S)


def padding_mask(lengths, S):
    lengths = lengths.astype(np.int64)
    N = lengths.shape[0]
    place = np.arange(N * S)
    return (place % S < lengths[place // S]).reshape(N, 1, 1, S) if S else np.zeros((N, 1, 1, 0), bool)


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    return (weights[..., None] * v[..., None, :, :]).sum(axis=-2), weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    factor = q.shape[-1] ** -0.5 if scale is None else scale
    dw = (dout[..., :, None, :] * v[..., None, :, :]).sum(axis=-1)
    # p_j (dw_j - sum_i p_i dw_i), as the sum over i of p_i p_j (dw_j - dw_i) where the weights sum to 1 or are all 0
    pairs = weights[..., :, None] * weights[..., None, :] * (dw[..., :, None] - dw[..., None, :])
    ds = pairs.sum(axis=-1)
    dq = (ds[..., None] * k[..., None, :, :]).sum(axis=-2) * factor
    dk = (ds[..., None] * q[..., :, None, :]).sum(axis=-3) * factor
    dv = (weights[..., None] * dout[..., :, None, :]).sum(axis=-3)
    return dq, dk, dv


def softmax_jacobian(p):
    n = p.shape[0]
    J = -np.outer(p, p).reshape(-1)
    J[:: n + 1] = p * (1 - p)
    return J.reshape(n, n)


def project_qkv(x, weight, bias):
    N, T, D = x.shape
    rows = np.concatenate([weight, bias[:, None]], axis=1)  # the bias as one more feature, of value 1
    tokens = np.concatenate([x.reshape(N * T, D), np.ones((N * T, 1), x.dtype)], axis=1)
    result = np.dot(tokens, rows.T).reshape(N, T, 3 * D)
    return result[:, :, :D], result[:, :, D : 2 * D], result[:, :, 2 * D :]


def split_heads(x, num_heads):
    N, T, D = x.shape
    if D % num_heads:
        raise ValueError("D % num_heads")
    d = D // num_heads
    place = np.arange(x.size)
    i, rest = place % d, place // d
    t, rest = rest % max(T, 1), rest // max(T, 1)
    h, n = rest % num_heads, rest // num_heads
    return np.take(x.reshape(-1), (n * T + t) * D + h * d + i).reshape(N, num_heads, T, d)


def merge_heads(x):
    N, heads, T, d = x.shape
    result = np.empty((N, T, heads, d), dtype=x.dtype)
    for h in range(heads):
        result[:, :, h] = x[:, h]
    return result.reshape(N, T, heads * d)


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    W, b = params["in_proj_weight"], params["in_proj_bias"]
    T = x.shape[1]
    both = x if memory is None else np.concatenate([x, memory], axis=1)  # projected in one piece
    q, k, v = (split_heads(a, num_heads) for a in project_qkv(both, W, b))
    if memory is not None:
        q, k, v = q[:, :, :T], k[:, :, T:], v[:, :, T:]
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return np.dot(merge_heads(out), params["out_proj.weight"].T) + params["out_proj.bias"], weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    W, b, Wo = params["in_proj_weight"], params["in_proj_bias"], params["out_proj.weight"]
    N, T, D = x.shape
    grads = {key: np.zeros(value.shape, value.dtype) for key, value in params.items()}
    dx = np.zeros(x.shape, x.dtype)
    for n in range(N):  # one sequence after the other
        q, k, v = (split_heads(a, num_heads) for a in project_qkv(x[n : n + 1], W, b))
        seen = mask
        if mask is not None:
            seen = np.broadcast_to(mask, (N, num_heads, T, T))[n : n + 1]
        out, weights = scaled_dot_product_attention(q, k, v, seen)
        merged = merge_heads(out)[0]
        dout = split_heads(np.dot(dy[n : n + 1], Wo), num_heads)
        back = scaled_dot_product_attention_backward(dout, q, k, v, weights)
        grads["out_proj.weight"] += np.dot(dy[n].T, merged)
        grads["out_proj.bias"] += dy[n].sum(axis=0)
        for c, g in enumerate(back):
            part, rows = merge_heads(g)[0], slice(c * D, (c + 1) * D)
            grads["in_proj_weight"][rows] += np.dot(part.T, x[n])
            grads["in_proj_bias"][rows] += part.sum(axis=0)
            dx[n] += np.dot(part, W[rows])
    return dx, grads


def sinusoidal_positions(T, D, base=10000.0):
    if D & 1:
        raise ValueError("D is odd")
    place = np.arange(T * D)
    t, feature = place // D, place % D
    angle = t * np.power(float(base), -2 * (feature // 2) / D)
    return np.where(feature % 2 == 0, np.sin(angle), np.cos(angle)).reshape(T, D)


def permutation_error(layer, x, permutation):
    order = permutation.astype(np.int64)
    difference = np.subtract(layer(x[:, order]), layer(x)[:, order])
    return max(float(difference.max()), -float(difference.min()), 0.0)


def incremental_attention(q, k, v, cache=None):
    S, L = 0 if cache is None else cache[0].shape[2], q.shape[2]
    if S:
        k, v = np.append(cache[0], k, axis=2), np.append(cache[1], v, axis=2)
    mask = np.hstack([np.ones((L, S), bool), causal_mask(L)])
    return scaled_dot_product_attention(q, k, v, mask)[0], (k, v)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature <= 0")
    weights = masked_softmax((keys * query).sum(axis=1) / temperature)
    return (values * weights[:, None]).sum(axis=0), weights


def sense_shift(before, after, a, b):
    words = np.array([before, after, a, b], dtype=np.float64)
    sizes = np.abs(words).max(axis=1)
    words_one = words / np.where(sizes > 0, sizes, 1)[:, None]
    lengths = np.sqrt((words_one**2).sum(axis=1))
    units = words_one / np.where(lengths > 0, lengths, 1)[:, None]
    table = units @ units.T
    gain = (table[1, 2] - table[1, 3]) - (table[0, 2] - table[0, 3])
    return float(np.sqrt(((words[1] - words[0]) ** 2).sum())), float(gain)
