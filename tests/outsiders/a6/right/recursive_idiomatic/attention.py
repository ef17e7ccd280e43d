"""Assignment 6, NumPy, divide and conquer: whatever is long is halved, and the halves are put together again."""

from __future__ import annotations

import math

import numpy as np


def _join(left, right):
    """Two parts of a softmax: each (top, loudness relative to the top, its sum). Together they have one top."""
    top = np.maximum(left[0], right[0])
    parts, total = [], 0
    for part_top, loud, part_total in (left, right):
        # exp(part_top - top), and 0 for a part in which nothing was kept
        nothing = np.isneginf(part_top)
        factor = np.exp(np.subtract(part_top, top, out=np.full_like(loud[..., :1], -np.inf), where=~nothing))
        parts.append(loud * factor)
        total = total + part_total * factor
    return top, np.concatenate(parts, axis=-1), total


def _loudness(scores, keep):
    S = scores.shape[-1]
    if S == 1:
        return np.where(keep, scores, -np.inf), keep.astype(scores.dtype), keep.astype(scores.dtype)
    half = S // 2
    return _join(_loudness(scores[..., :half], keep[..., :half]), _loudness(scores[..., half:], keep[..., half:]))


def masked_softmax(scores, mask=None):
    keep = np.broadcast_to(np.True_ if mask is None else mask, scores.shape)
    _, loud, total = _loudness(scores, keep)
    return loud / np.maximum(total, np.finfo(scores.dtype).tiny)


def attention_scores(q, k, *, scale=None):
    if q.ndim > 2:
        return np.stack([attention_scores(one_q, one_k, scale=scale) for one_q, one_k in zip(q, k)])
    return np.dot(q, k.T) * (1 / math.sqrt(q.shape[1]) if scale is None else float(scale))


def causal_mask(T, S=None):
    S = T if S is None else S
    last = np.ones((1, S), bool)
    if T == 1:
        return last
    # The queries before the last one see what they would see if the last key did not exist.
    if S == 1:
        return np.concatenate([np.zeros((T - 1, 1), bool), last])
    before = np.pad(causal_mask(T - 1, S - 1), ((0, 0), (0, 1)))
    return np.concatenate([before, last])


def padding_mask(lengths, S):
    ends = np.asarray(lengths)[:, None] == np.arange(S)  # True where the padding begins
    return ~np.logical_or.accumulate(ends, axis=1)[:, None, None]


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    dtype = np.result_type(q, k, v)
    weights = masked_softmax(attention_scores(q.astype(dtype), k.astype(dtype), scale=scale), mask)
    return weights @ v.astype(dtype), weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    dtype = np.result_type(dout, q, k, v, weights)
    if q.ndim > 2:
        single = [scaled_dot_product_attention_backward(*one, scale=scale) for one in zip(dout, q, k, v, weights)]
        return tuple(np.stack(gradient).astype(dtype) for gradient in zip(*single))
    factor = 1 / math.sqrt(q.shape[1]) if scale is None else float(scale)
    if len(q) == 1:  # one query
        p, g = weights[0], dout[0]
        dscores = softmax_jacobian(p) @ (v @ g) * factor
        gradients = (dscores @ k)[None], np.outer(dscores, q[0]), np.outer(p, g)
    else:
        half = len(q) // 2
        (dq1, dk1, dv1), (dq2, dk2, dv2) = (
            scaled_dot_product_attention_backward(dout[some], q[some], k, v, weights[some], scale=scale)
            for some in (slice(half), slice(half, None))
        )
        gradients = np.concatenate([dq1, dq2]), dk1 + dk2, dv1 + dv2
    return tuple(gradient.astype(dtype) for gradient in gradients)


def softmax_jacobian(p):
    J = np.empty((len(p), len(p)), p.dtype)
    for i, weight in enumerate(p):
        J[i] = -weight * p
        J[i, i] = weight * (1 - weight)
    return J


def project_qkv(x, weight, bias):
    dtype = np.result_type(x, weight, bias)
    N, T, D = x.shape
    below_each_other = x.reshape(N * T, D).astype(dtype)
    q, k, v = (
        (np.dot(below_each_other, rows.T.astype(dtype)) + part).reshape(N, T, D)
        for rows, part in zip(weight.reshape(3, D, D), bias.reshape(3, D))
    )
    return q, k, v


def split_heads(x, num_heads):
    if x.shape[2] % num_heads:
        raise ValueError("unequal heads")
    if num_heads == 1:
        return x[:, None]
    d = x.shape[2] // num_heads
    return np.concatenate([x[:, None, :, :d], split_heads(x[:, :, d:], num_heads - 1)], axis=1)


def merge_heads(x):
    if x.shape[1] == 1:
        return x[:, 0]
    half = x.shape[1] // 2
    return np.concatenate([merge_heads(x[:, :half]), merge_heads(x[:, half:])], axis=2)


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    memory = x if memory is None else memory
    dtype = np.result_type(x, memory, *params.values())
    project = params["in_proj_weight"].astype(dtype), params["in_proj_bias"].astype(dtype)
    q, (_, k, v) = project_qkv(x, *project)[0], project_qkv(memory, *project)
    out, weights = scaled_dot_product_attention(*(split_heads(part, num_heads) for part in (q, k, v)), mask)
    y = np.inner(merge_heads(out), params["out_proj.weight"].astype(dtype)) + params["out_proj.bias"].astype(dtype)
    return y, weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    """The batch is halved: the tokens' gradients stand side by side, those of the parameters add up."""
    N = len(x)
    if N > 1:
        shape = (N, num_heads, x.shape[1], x.shape[1])
        full = np.broadcast_to(np.True_ if mask is None else mask, shape)
        (dx1, one), (dx2, two) = (
            multi_head_attention_backward(dy[some], x[some], params, num_heads, mask=full[some])
            for some in (slice(N // 2), slice(N // 2, None))
        )
        return np.concatenate([dx1, dx2]), {name: one[name] + two[name] for name in one}
    dtype = np.result_type(dy, x, *params.values())
    p = {name: value.astype(dtype) for name, value in params.items()}
    dy, x = dy.astype(dtype), x.astype(dtype)
    qkv = [split_heads(part, num_heads) for part in project_qkv(x, p["in_proj_weight"], p["in_proj_bias"])]
    out, weights = scaled_dot_product_attention(*qkv, mask)
    back = scaled_dot_product_attention_backward(split_heads(dy @ p["out_proj.weight"], num_heads), *qkv, weights)
    dtokens = np.hstack([merge_heads(part)[0] for part in back])  # (T, 3 D)
    return (dtokens @ p["in_proj_weight"])[None], {
        "in_proj_weight": dtokens.T @ x[0],
        "in_proj_bias": dtokens.sum(axis=0),
        "out_proj.weight": dy[0].T @ merge_heads(out)[0],
        "out_proj.bias": dy[0].sum(axis=0),
    }


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("odd D")
    if T == 1:
        return np.tile([0.0, 1.0], (1, D // 2))
    # The later half is the earlier one, every clock turned on by half of the time.
    half = (T + 1) // 2
    early = sinusoidal_positions(half, D, base)
    angle = half * float(base) ** (-2 * np.arange(D // 2) / D)
    sin, cos = early[:, ::2], early[:, 1::2]
    late = np.empty_like(early)
    late[:, ::2] = sin * np.cos(angle) + cos * np.sin(angle)
    late[:, 1::2] = cos * np.cos(angle) - sin * np.sin(angle)
    return np.vstack([early, late])[:T]


def permutation_error(layer, x, permutation):
    permuted_input, permuted_output = layer(x[:, permutation].copy()), layer(x.copy())[:, permutation]
    return max(abs(permuted_input - permuted_output).ravel().tolist())


def incremental_attention(q, k, v, cache=None):
    dtype = np.result_type(q, k, v, *(cache or ()))
    if q.shape[2] == 1:
        if cache is not None:
            k, v = np.concatenate([cache[0], k], axis=2), np.concatenate([cache[1], v], axis=2)
        k, v = k.astype(dtype, copy=False), v.astype(dtype, copy=False)
        return scaled_dot_product_attention(q.astype(dtype), k, v)[0], (k, v)  # the newest sees everything: no mask
    half = q.shape[2] // 2
    first, cache = incremental_attention(q[:, :, :half], k[:, :, :half], v[:, :, :half], cache)
    second, cache = incremental_attention(q[:, :, half:], k[:, :, half:], v[:, :, half:], cache)
    return np.concatenate([first, second], axis=2), cache


def retrieve(query, keys, values, *, temperature=1.0):
    if not temperature > 0:
        raise ValueError("not a temperature")
    dtype = np.result_type(query, keys, values)
    weights = masked_softmax(np.dot(keys.astype(dtype), query.astype(dtype)) / float(temperature))

    def mean(weights, values):
        if len(values) == 1:
            return weights[0] * values[0]
        half = len(values) // 2
        return mean(weights[:half], values[:half]) + mean(weights[half:], values[half:])

    return mean(weights, values.astype(dtype)), weights


def sense_shift(before, after, a, b):
    def cosine(u, w):
        size = math.dist(u, [0] * len(u)), math.dist(w, [0] * len(w))
        return sum(float(x) / size[0] * (float(y) / size[1]) for x, y in zip(u, w)) if all(size) else 0.0

    def lean(u):
        return cosine(u, a) - cosine(u, b)

    return math.dist(before, after), lean(after) - lean(before)
