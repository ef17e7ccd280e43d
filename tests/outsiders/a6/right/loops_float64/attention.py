"""Loops over every index, everything computed in float64 and cast back at the end."""
from __future__ import annotations

import math
import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np


def _rows(shape):
    return np.ndindex(*shape)


def masked_softmax(scores, mask=None):
    mask = np.broadcast_to(True if mask is None else mask, scores.shape)
    weights = np.zeros(scores.shape)
    for row in _rows(scores.shape[:-1]):
        kept = [j for j in range(scores.shape[-1]) if mask[row][j]]
        if not kept:
            continue
        numbers = [float(scores[row][j]) for j in kept]
        top = max(numbers)
        powers = [math.exp(number - top) for number in numbers]
        total = math.fsum(powers)
        for j, power in zip(kept, powers):
            weights[row + (j,)] = power / total
    return weights.astype(scores.dtype)


def attention_scores(q, k, *, scale=None):
    T, S, d = q.shape[-2], k.shape[-2], q.shape[-1]
    factor = 1 / math.sqrt(d) if scale is None else scale
    scores = np.empty(q.shape[:-1] + (S,))
    for lead in _rows(q.shape[:-2]):
        Q, K = q[lead].astype(np.float64), k[lead].astype(np.float64)
        for i, j in itertools.product(range(T), range(S)):
            scores[lead + (i, j)] = factor * float(np.dot(Q[i], K[j]))
    return scores.astype(q.dtype)


def causal_mask(T, S=None):
    S = T if S is None else S
    return np.array([[j <= i + S - T for j in range(S)] for i in range(T)], dtype=bool)


def padding_mask(lengths, S):
    return np.array([[[[j < int(length) for j in range(S)]]] for length in lengths], dtype=bool).reshape(-1, 1, 1, S)


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    out = np.zeros(q.shape[:-1] + v.shape[-1:])
    for lead in _rows(q.shape[:-2]):
        for i, j in itertools.product(range(q.shape[-2]), range(k.shape[-2])):
            out[lead + (i,)] += float(weights[lead + (i, j)]) * v[lead][j].astype(np.float64)
    return out.astype(q.dtype), weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    dq, dk, dv = (np.zeros(a.shape) for a in (q, k, v))
    for lead in _rows(q.shape[:-2]):
        DO, Q, K, V, W = (a[lead].astype(np.float64) for a in (dout, q, k, v, weights))
        for i in range(Q.shape[0]):
            dw = [float(DO[i] @ V[j]) for j in range(K.shape[0])]
            average = math.fsum(W[i, j] * dw[j] for j in range(K.shape[0]))
            for j in range(K.shape[0]):
                ds = factor * W[i, j] * (dw[j] - average)
                dq[lead][i] += ds * K[j]
                dk[lead][j] += ds * Q[i]
                dv[lead][j] += W[i, j] * DO[i]
    return tuple(g.astype(a.dtype) for g, a in zip((dq, dk, dv), (q, k, v)))


def softmax_jacobian(p):
    n = len(p)
    P = [float(a) for a in p]
    return np.array([[P[i] * ((i == j) - P[j]) for j in range(n)] for i in range(n)]).astype(p.dtype)


def project_qkv(x, weight, bias):
    D = x.shape[-1]
    parts = []
    for c in range(3):
        rows, shift = weight[c * D : (c + 1) * D].astype(np.float64), bias[c * D : (c + 1) * D].astype(np.float64)
        part = np.empty(x.shape)
        for n, t in _rows(x.shape[:2]):
            part[n, t] = rows @ x[n, t].astype(np.float64) + shift
        parts.append(part.astype(x.dtype))
    return tuple(parts)


def split_heads(x, num_heads):
    N, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError(f"{D} features for {num_heads} heads")
    d = D // num_heads
    result = np.empty((N, num_heads, T, d), dtype=x.dtype)
    for n, h, t, i in _rows(result.shape):
        result[n, h, t, i] = x[n, t, h * d + i]
    return result


def merge_heads(x):
    N, heads, T, d = x.shape
    result = np.empty((N, T, heads * d), dtype=x.dtype)
    for n, h, t, i in _rows(x.shape):
        result[n, t, h * d + i] = x[n, h, t, i]
    return result


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    dtype = x.dtype
    wide = {key: value.astype(np.float64) for key, value in params.items()}
    x = x.astype(np.float64)
    memory = x if memory is None else memory.astype(np.float64)
    q, _, _ = project_qkv(x, wide["in_proj_weight"], wide["in_proj_bias"])
    _, k, v = project_qkv(memory, wide["in_proj_weight"], wide["in_proj_bias"])
    out, weights = scaled_dot_product_attention(*(split_heads(a, num_heads) for a in (q, k, v)), mask)
    merged = merge_heads(out)
    y = np.empty(x.shape)
    for n, t in _rows(x.shape[:2]):
        y[n, t] = wide["out_proj.weight"] @ merged[n, t] + wide["out_proj.bias"]
    return y.astype(dtype), weights.astype(dtype)


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    dtype = x.dtype
    wide = {key: value.astype(np.float64) for key, value in params.items()}
    x, dy = x.astype(np.float64), dy.astype(np.float64)
    heads = [split_heads(a, num_heads) for a in project_qkv(x, wide["in_proj_weight"], wide["in_proj_bias"])]
    out, weights = scaled_dot_product_attention(*heads, mask)
    merged, dmerged = merge_heads(out), np.empty(x.shape)
    grads = {key: np.zeros(value.shape) for key, value in wide.items()}
    for n, t in _rows(x.shape[:2]):
        dmerged[n, t] = dy[n, t] @ wide["out_proj.weight"]
        grads["out_proj.weight"] += np.outer(dy[n, t], merged[n, t])
        grads["out_proj.bias"] += dy[n, t]
    back = scaled_dot_product_attention_backward(split_heads(dmerged, num_heads), *heads, weights)
    dproj = np.concatenate([merge_heads(g) for g in back], axis=2)
    dx = np.empty(x.shape)
    for n, t in _rows(x.shape[:2]):
        dx[n, t] = dproj[n, t] @ wide["in_proj_weight"]
        grads["in_proj_weight"] += np.outer(dproj[n, t], x[n, t])
        grads["in_proj_bias"] += dproj[n, t]
    return dx.astype(dtype), {key: value.astype(dtype) for key, value in grads.items()}


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2 == 1:
        raise ValueError("D is odd")
    result = np.empty((T, D))
    for t, i in itertools.product(range(T), range(D // 2)):
        angle = t * base ** (-2 * i / D)
        result[t, 2 * i], result[t, 2 * i + 1] = math.sin(angle), math.cos(angle)
    return result


def permutation_error(layer, x, permutation):
    order = [int(p) for p in permutation]
    first, second = layer(np.stack([x[:, p] for p in order], axis=1)), layer(x.copy())
    largest = 0.0
    for n in range(first.shape[0]):
        for t, p in enumerate(order):
            for a, b in zip(first[n, t].ravel(), second[n, p].ravel()):
                largest = max(largest, abs(float(a) - float(b)))
    return largest


def incremental_attention(q, k, v, cache=None):
    S, L = 0 if cache is None else cache[0].shape[2], q.shape[2]
    keys, values = (
        np.empty(new.shape[:2] + (S + L,) + new.shape[3:], dtype=new.dtype) for new in (k, v)
    )
    if cache is not None:
        keys[:, :, :S], values[:, :, :S] = cache
    keys[:, :, S:], values[:, :, S:] = k, v
    out = np.empty(q.shape[:3] + v.shape[3:], dtype=q.dtype)
    for i in range(L):  # one token after the other, without any mask
        seen = S + i + 1
        out[:, :, i : i + 1] = scaled_dot_product_attention(q[:, :, i : i + 1], keys[:, :, :seen], values[:, :, :seen])[0]
    return out, (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("the temperature must be positive")
    dots = [math.fsum(float(a) * float(b) for a, b in zip(key, query)) / temperature for key in keys]
    weights = masked_softmax(np.array(dots, dtype=np.float64))
    value = np.zeros(values.shape[1])
    for weight, row in zip(weights, values):
        value += weight * row
    return value.astype(values.dtype), weights.astype(query.dtype)


def sense_shift(before, after, a, b):
    before, after, a, b = ([float(c) for c in u] for u in (before, after, a, b))

    def cosine(u, v):
        lu, lv = math.hypot(*u), math.hypot(*v)
        return 0.0 if lu == 0 or lv == 0 else math.fsum((p / lu) * (r / lv) for p, r in zip(u, v))

    gain = cosine(after, a) - cosine(after, b) - cosine(before, a) + cosine(before, b)
    return math.dist(before, after), gain
