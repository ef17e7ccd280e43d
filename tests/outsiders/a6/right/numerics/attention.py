"""Longdouble and log space inside, rounded once at the end."""

from __future__ import annotations

import numpy as np

Wide = np.longdouble


def _w(*arrays):
    return tuple(np.asarray(a).astype(Wide) for a in arrays)


def masked_softmax(scores, mask=None):
    """exp of (score - log of the sum of powers), the sum taken by logaddexp."""
    wide = scores.astype(Wide)
    if mask is not None:
        wide = np.where(mask, wide, -Wide(np.inf))
    with np.errstate(invalid="ignore"):
        total = np.logaddexp.reduce(wide, axis=-1, keepdims=True)
    seen = np.isfinite(total)
    logs = np.where(seen, wide - np.where(seen, total, 0), -Wide(np.inf))
    return np.exp(logs).astype(scores.dtype)


def attention_scores(q, k, *, scale=None):
    a, b = _w(q, k)
    product = a @ b.swapaxes(-1, -2)
    return (product / np.sqrt(Wide(q.shape[-1])) if scale is None else product * Wide(scale)).astype(q.dtype)


def causal_mask(T, S=None):
    S = S if S is not None else T
    return np.arange(S) - S <= np.arange(T)[:, None] - T


def padding_mask(lengths, S):
    steps = np.zeros((len(lengths), S + 1), int)
    np.add.at(steps, (np.arange(len(lengths)), lengths.astype(int)), 1)
    return (np.cumsum(steps, axis=1)[:, :S] == 0)[:, None, None, :]


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = masked_softmax(attention_scores(*_w(q, k), scale=scale), mask)
    return (weights @ v.astype(Wide)).astype(q.dtype), weights.astype(q.dtype)


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    kind = q.dtype
    dout, q, k, v, p = _w(dout, q, k, v, weights)
    factor = 1 / np.sqrt(Wide(q.shape[-1])) if scale is None else Wide(scale)
    dw = dout @ v.swapaxes(-1, -2)
    # p_j * sum over k of p_k (dw_j - dw_k), plus what is missing of a sum of 1 by rounding
    pairs = dw[..., :, None] - dw[..., None, :]
    ds = p * ((p[..., None, :] * pairs).sum(axis=-1) + dw * (1 - p.sum(axis=-1, keepdims=True)))
    dq, dk = factor * (ds @ k), factor * (ds.swapaxes(-1, -2) @ q)
    return dq.astype(kind), dk.astype(kind), (p.swapaxes(-1, -2) @ dout).astype(kind)


def softmax_jacobian(p):
    w = p.astype(Wide)
    return (np.diag(w) @ (np.eye(len(p), dtype=Wide) - w[None])).astype(p.dtype)


def project_qkv(x, weight, bias):
    a, W, b = _w(x, weight, bias)
    return tuple(part.astype(x.dtype) for part in np.array_split(np.tensordot(a, W, axes=(2, 1)) + b, 3, axis=2))


def split_heads(x, num_heads):
    N, T, D = x.shape
    if D != num_heads * (D // num_heads):
        raise ValueError("not divisible")
    x = np.ascontiguousarray(x)
    d, item = D // num_heads, x.itemsize
    shape, strides = (N, num_heads, T, d), (T * D * item, d * item, D * item, item)
    return np.lib.stride_tricks.as_strided(x, shape, strides).copy()


def merge_heads(x):
    N, heads, T, d = x.shape
    return np.moveaxis(x, 1, 2).reshape((N, T, heads * d))


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    wide = {key: value.astype(Wide) for key, value in params.items()}
    y, weights, _, _ = _attend(x.astype(Wide), wide, num_heads, memory, mask)
    return y.astype(x.dtype), weights.astype(x.dtype)


def _attend(x, wide, num_heads, memory, mask):
    source = x if memory is None else memory.astype(Wide)
    q, _, _ = project_qkv(x, wide["in_proj_weight"], wide["in_proj_bias"])
    _, k, v = project_qkv(source, wide["in_proj_weight"], wide["in_proj_bias"])
    heads = tuple(split_heads(a, num_heads) for a in (q, k, v))
    out, weights = scaled_dot_product_attention(*heads, mask)
    merged = merge_heads(out)
    return merged @ wide["out_proj.weight"].T + wide["out_proj.bias"], weights, heads, merged


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    kind = x.dtype
    wide = {key: value.astype(Wide) for key, value in params.items()}
    dy, x = _w(dy, x)
    _, weights, heads, merged = _attend(x, wide, num_heads, None, mask)
    back = scaled_dot_product_attention_backward(split_heads(dy @ wide["out_proj.weight"], num_heads), *heads, weights)
    d = np.concatenate([merge_heads(a) for a in back], axis=2)
    both = ([0, 1], [0, 1])
    grads = {
        "in_proj_weight": np.tensordot(d, x, axes=both),
        "in_proj_bias": d.sum(axis=1).sum(axis=0),
        "out_proj.weight": np.tensordot(dy, merged, axes=both),
        "out_proj.bias": dy.sum(axis=1).sum(axis=0),
    }
    return (d @ wide["in_proj_weight"]).astype(kind), {key: grads[key].astype(kind) for key in params}


def sinusoidal_positions(T, D, base=10000.0):
    if D & 1:
        raise ValueError("odd")
    i = np.repeat(np.arange(D // 2), 2)
    speed = np.exp(-np.log(Wide(base)) * (2 * i) / Wide(D))
    angle = np.arange(T, dtype=Wide)[:, None] * speed
    return np.where(np.arange(D) % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float64)


def permutation_error(layer, x, permutation):
    inverse = np.empty(len(permutation), int)
    inverse[permutation] = np.arange(len(permutation))
    back = np.asarray(layer(x[:, permutation]))[:, inverse]
    return float(np.linalg.norm((back - layer(x)).ravel(), ord=np.inf))


def incremental_attention(q, k, v, cache=None):
    """A running maximum, sum and mean over blocks of keys: first the cache, then the new tokens one by one."""
    kind, (N, heads, L, d) = q.dtype, q.shape
    keys, values = (k.copy(), v.copy()) if cache is None else (np.concatenate([c, new], axis=2) for c, new in zip(cache, (k, v)))
    old = keys.shape[2] - L
    wide_q, wide_k, wide_v = _w(q, keys, values)
    scores = wide_q @ wide_k.swapaxes(-1, -2) / np.sqrt(Wide(d))
    top = np.full((N, heads, L, 1), -Wide(np.inf))
    total, sums = np.zeros_like(top), np.zeros((N, heads, L, v.shape[3]), Wide)
    for j in range(keys.shape[2]):
        sees = (np.arange(L) + old >= j)[:, None]
        s = np.where(sees, scores[..., j : j + 1], -Wide(np.inf))
        new_top = np.maximum(top, s)
        fade = np.where(np.isfinite(top), np.exp(np.where(np.isfinite(new_top), top - new_top, 0)), 0)
        power = np.where(sees, np.exp(np.where(sees, s - new_top, 0)), 0)
        total, sums, top = total * fade + power, sums * fade + power * wide_v[:, :, j : j + 1], new_top
    return (sums / total).astype(kind), (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0.0:
        raise ValueError("temperature")
    kind = query.dtype
    query, keys, values = _w(query, keys, values)
    weights = masked_softmax(keys @ query / Wide(temperature))
    return (weights @ values).astype(kind), weights.astype(kind)


def sense_shift(before, after, a, b):
    """Directions by the largest entry first, so that no square under- or overflows."""

    def direction(u):
        largest = np.abs(u).max(initial=0)
        if largest == 0:
            return u.astype(Wide)
        u = u.astype(Wide) / largest.astype(Wide)
        return u / np.sqrt(np.sum(u * u))

    way = after.astype(Wide) - before.astype(Wide)
    largest = np.abs(way).max(initial=0) or Wide(1)
    distance = largest * np.sqrt(np.sum((way / largest) ** 2))
    before, after, a, b = (direction(u) for u in (before, after, a, b))
    gain = (after @ a - after @ b) - (before @ a - before @ b)
    return float(distance), float(gain)
