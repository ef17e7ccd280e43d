"""Assignment 6, NumPy. Everything fused that can be fused.

A bias is the weight of one more feature that is always 1, so a linear layer is one matrix; queries, keys and values are
one product; the backward pass stays in the fused layout until the end.
"""

from __future__ import annotations

import numpy as np


def masked_softmax(scores, mask=None):
    keep = np.broadcast_to(True if mask is None else mask, scores.shape)
    top = np.where(keep, scores, -np.inf).max(-1, keepdims=True)
    top[np.isinf(top)] = 0
    e = np.exp(np.minimum(scores - top, 0)) * keep  # hidden scores may be above the top: cut, then zeroed
    total = e.sum(-1, keepdims=True)
    total[total == 0] = 1
    return e / total


def attention_scores(q, k, *, scale=None):
    scores = q @ np.swapaxes(k, -2, -1)
    if scale is None:
        scores /= float(np.sqrt(k.shape[-1]))
    else:
        scores *= float(scale)
    return scores


def causal_mask(T, S=None):
    i, j = np.indices((T, T if S is None else S))
    return j - j.max() <= i - i.max()  # counted from the end


def padding_mask(lengths, S):
    table = np.tri(S + 1, S, -1, dtype=bool)  # the row of each possible length
    return table[lengths][:, None, None]


def _cast(*arrays):
    dtype = np.result_type(*arrays)
    return tuple(np.array(a, dtype=dtype) for a in arrays)  # copies: safe to work in place


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    q, k, v = _cast(q, k, v)
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    return weights @ v, weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    """With the Jacobians in full: (..., T, S, S). Wasteful, and exactly what the derivation says."""
    dout, q, k, v, weights = _cast(dout, q, k, v, weights)
    factor = 1 / float(np.sqrt(q.shape[-1])) if scale is None else float(scale)
    J = weights[..., :, None] * (np.eye(weights.shape[-1], dtype=weights.dtype) - weights[..., None, :])
    dweights = dout @ np.swapaxes(v, -2, -1)
    dscores = factor * (dweights[..., None, :] @ J)[..., 0, :]
    return dscores @ k, np.swapaxes(dscores, -2, -1) @ q, np.swapaxes(weights, -2, -1) @ dout


def softmax_jacobian(p):
    J = np.multiply.outer(p, -p)
    J.flat[:: len(p) + 1] += p
    return J


def _with_one(x):
    return np.concatenate([x, np.ones_like(x[..., :1])], axis=-1)


def _with_bias(weight, bias):
    return np.concatenate([weight, bias[:, None]], axis=1)


def project_qkv(x, weight, bias):
    x, weight, bias = _cast(x, weight, bias)
    fused = _with_one(x) @ _with_bias(weight, bias).T
    return tuple(np.moveaxis(fused.reshape(*x.shape[:2], 3, -1), 2, 0))


def split_heads(x, num_heads):
    return np.stack(np.split(x, num_heads, axis=-1), axis=1)  # np.split raises the ValueError


def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, 1, 0)), axis=-1)


def _heads(fused, num_heads, parts):
    """(N, T, parts * D) -> (parts, N, heads, T, d)"""
    N, T, _ = fused.shape
    return fused.reshape(N, T, parts, num_heads, -1).transpose(2, 0, 3, 1, 4)


def _fused(stack):
    """(parts, N, heads, T, d) -> (N, T, parts * D)"""
    parts, N, heads, T, d = stack.shape
    return stack.transpose(1, 3, 0, 2, 4).reshape(N, T, parts * heads * d)


def _matrices(params, *others):
    W, b, Wo, bo, *others = _cast(
        *(params[name] for name in ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias")), *others
    )
    return (_with_bias(W, b), _with_bias(Wo, bo), *others)


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    D = x.shape[-1]
    if memory is None:
        A, B, x = _matrices(params, x)
        q, k, v = _heads(_with_one(x) @ A.T, num_heads, 3)
    else:
        A, B, x, memory = _matrices(params, x, memory)
        (q,) = _heads(_with_one(x) @ A[:D].T, num_heads, 1)
        k, v = _heads(_with_one(memory) @ A[D:].T, num_heads, 2)
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return _with_one(_fused(out[None])) @ B.T, weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    A, B, x, dy = _matrices(params, x, dy)
    x1 = _with_one(x)
    q, k, v = _heads(x1 @ A.T, num_heads, 3)
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    merged1 = _with_one(_fused(out[None]))

    dB = np.tensordot(dy, merged1, axes=([0, 1], [0, 1]))
    (dout,) = _heads((dy @ B)[..., :-1], num_heads, 1)
    dfused = _fused(np.stack(scaled_dot_product_attention_backward(dout, q, k, v, weights)))
    dA = np.tensordot(dfused, x1, axes=([0, 1], [0, 1]))
    dx = (dfused @ A)[..., :-1]  # nobody asks for the gradient of the 1
    return dx, {
        "in_proj_weight": dA[:, :-1],
        "in_proj_bias": dA[:, -1],
        "out_proj.weight": dB[:, :-1],
        "out_proj.bias": dB[:, -1],
    }


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("odd")
    speed = np.repeat(float(base) ** (-np.arange(0, D, 2) / D), 2)
    quarter = np.tile([0.0, np.pi / 2], D // 2)  # cos(a) = sin(a + quarter turn)
    return np.sin(np.arange(T)[:, None] * speed + quarter)


def permutation_error(layer, x, permutation):
    answers = [layer(tokens) for tokens in (x[:, permutation], x.copy())]
    return float(np.abs(np.subtract(answers[0], np.take(answers[1], permutation, axis=1))).max())


def incremental_attention(q, k, v, cache=None):
    d = k.shape[-1]
    fused = np.concatenate([k, v], axis=-1)
    if cache is not None:
        fused = np.concatenate([np.concatenate(cache, axis=-1), fused], axis=-2)
    q, fused = _cast(q, fused)
    keys, values = fused[..., :d], fused[..., d:]
    L, total = q.shape[-2], fused.shape[-2]
    out, _ = scaled_dot_product_attention(q, keys, values, causal_mask(L, total))
    return out, (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature")
    query, keys, values = _cast(query, keys, values)
    fit = keys @ query
    fit -= fit.max()
    loud = np.exp(fit / float(temperature))
    return loud @ values / loud.sum(), loud / loud.sum()


def sense_shift(before, after, a, b):
    M = np.array([before, after, a, b], dtype=float)
    length = np.linalg.norm(M, axis=1)
    M /= np.where(length == 0, 1, length)[:, None]
    cosines = M[:2] @ M[2:].T  # rows before, after; columns a, b
    (before_a, before_b), (after_a, after_b) = cosines.tolist()
    step = np.subtract(after, before, dtype=float)
    return float(np.linalg.norm(step)), (after_a - after_b) - (before_a - before_b)
