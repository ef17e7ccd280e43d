"""Assignment 6: self-attention as retrieval, in NumPy. Odd facilities: running softmax, vectorize, take, stride tricks."""

from __future__ import annotations

import itertools

import numpy as np


def masked_softmax(scores, mask=None):
    S = scores.shape[-1]
    keep = np.broadcast_to(True if mask is None else mask, scores.shape)
    # one pass over the keys with a running maximum and a running sum, as in "online softmax"
    top = np.full(scores.shape[:-1], -np.inf, scores.dtype)
    total = np.zeros(scores.shape[:-1], scores.dtype)
    for j in range(S):
        s, m = scores[..., j], keep[..., j]
        new = np.where(m, np.maximum(top, s), top)
        with np.errstate(invalid="ignore"):
            shrink = np.where(total > 0, np.exp(top - new), 0)
            grown = total * shrink + np.exp(s - new)
        total = np.where(m, grown, total).astype(scores.dtype)
        top = new
    with np.errstate(invalid="ignore", over="ignore"):
        weights = np.where(keep, np.exp(scores - top[..., None]), 0)
    total = np.where(total == 0, 1, total)[..., None]
    return (weights / total).astype(scores.dtype)


def attention_scores(q, k, *, scale=None):
    if scale is None:
        scale = pow(q.shape[-1], -1 / 2)
    scaled = np.multiply(q, scale, dtype=q.dtype)
    return np.matmul(scaled, np.moveaxis(k, -1, -2))


def causal_mask(T, S=None):
    S = T if S is None else S
    i, j = np.indices((T, S))
    return np.logical_not(j > i + (S - T))


def padding_mask(lengths, S):
    rows = np.eye(S + 1, dtype=bool)[lengths.astype(np.intp)]  # True where the padding begins
    return ~np.logical_or.accumulate(rows, axis=1)[:, np.newaxis, np.newaxis, :S]


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    out = (weights[..., None] * v[..., None, :, :]).sum(axis=-2)
    return out, weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    turn = (*range(q.ndim - 2), q.ndim - 1, q.ndim - 2)
    c = q.shape[-1] ** -0.5 if scale is None else scale
    dscores = weights * np.matmul(dout, v.transpose(turn))
    dscores = dscores - weights * dscores.sum(-1, keepdims=True)
    dscores = dscores * float(c)
    return dscores @ k, dscores.transpose(turn) @ q, weights.transpose(turn) @ dout


def softmax_jacobian(p):
    n = p.shape[0]
    result = np.zeros((n, n), p.dtype)
    for (i, a), (j, b) in itertools.combinations(enumerate(p), 2):
        result[i, j] = result[j, i] = -a * b
    np.fill_diagonal(result, p - p**2)
    return result


def project_qkv(x, weight, bias):
    x1 = np.concatenate([x, np.ones_like(x[..., :1])], axis=-1)  # the bias as the weight of a feature 1
    all_weights = np.column_stack([weight, bias])
    return tuple(np.split(x1 @ all_weights.T, 3, axis=-1))


def split_heads(x, num_heads):
    N, T, D = x.shape
    if num_heads not in [h for h in range(1, D + 1) if D % h == 0]:
        raise ValueError
    d = D // num_heads
    n, t, f = x.strides
    return np.lib.stride_tricks.as_strided(x, (N, num_heads, T, d), (n, d * f, t, f), writeable=False)


def merge_heads(x):
    return np.hstack(list(x.transpose(1, 3, 0, 2).reshape(-1, 1, x.shape[0] * x.shape[2]))).reshape(
        x.shape[1] * x.shape[3], x.shape[0], x.shape[2]
    ).transpose(1, 2, 0)


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    # queries and memory in one row, projected together
    T = x.shape[1]
    both = x if memory is None else np.concatenate([x, memory], axis=1)
    q, k, v = project_qkv(both, params["in_proj_weight"], params["in_proj_bias"])
    if memory is not None:
        q, k, v = q[:, :T], k[:, T:], v[:, T:]
    out, weights = scaled_dot_product_attention(*(split_heads(a, num_heads) for a in (q, k, v)), mask)
    # every head writes into y, with its block of columns
    y = np.zeros_like(x) + params["out_proj.bias"]
    for h, block in enumerate(np.split(params["out_proj.weight"], num_heads, axis=1)):
        y = y + out[:, h] @ block.T
    return y, weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    N, T, D = x.shape
    d = D // num_heads
    shape = (N, num_heads, T, T)
    keep = np.ones(shape, bool) if mask is None else np.broadcast_to(mask, shape)
    grads = {key: np.zeros_like(value) for key, value in params.items()}
    dx = np.zeros_like(x)
    W, b, Wo = params["in_proj_weight"], params["in_proj_bias"], params["out_proj.weight"]
    for n in range(N):
        grads["out_proj.bias"] += dy[n].sum(axis=0)
        for h in range(num_heads):
            rows = [np.arange(d) + h * d + part * D for part in range(3)]
            q, k, v = (x[n] @ W[r].T + b[r] for r in rows)
            out, weights = scaled_dot_product_attention(q, k, v, keep[n, h])
            grads["out_proj.weight"][:, rows[0]] += dy[n].T @ out
            back = scaled_dot_product_attention_backward(dy[n] @ Wo[:, rows[0]], q, k, v, weights)
            for r, g in zip(rows, back):
                grads["in_proj_weight"][r] += g.T @ x[n]
                grads["in_proj_bias"][r] += g.sum(axis=0)
                dx[n] += g @ W[r]
    return dx, grads


def sinusoidal_positions(T, D, base=10000.0):
    half, odd = divmod(D, 2)
    if odd:
        raise ValueError("odd")
    features = np.arange(D)
    angle = np.outer(np.arange(float(T)), np.exp(-np.log(base) * (features // 2) / half))
    return np.where(features % 2, np.cos(angle), np.sin(angle))


def permutation_error(layer, x, permutation):
    shuffled = np.empty_like(x)
    for t, origin in enumerate(permutation):
        shuffled[:, t] = x[:, origin]
    straight = layer(x)
    return float(np.ptp(np.append(np.abs(layer(shuffled) - straight[:, permutation]), 0)))


def incremental_attention(q, k, v, cache=None):
    (N, heads, L, d), e = k.shape, v.shape[-1]
    S = 0 if cache is None else cache[0].shape[2]
    keys, values = np.empty((N, heads, S + L, d), k.dtype), np.empty((N, heads, S + L, e), v.dtype)
    keys[:, :, S:], values[:, :, S:] = k, v
    if S:
        keys[:, :, :S], values[:, :, :S] = cache
    keep = np.concatenate([np.ones((L, S), bool), causal_mask(L)], axis=1)
    return scaled_dot_product_attention(q, keys, values, keep)[0], (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature")
    fit = np.matvec(keys, query) if hasattr(np, "matvec") else keys.dot(query)
    differences = (fit[None, :] - fit[:, None]) / temperature  # [s, other]
    with np.errstate(over="ignore"):
        weights = (1 / np.exp(differences).sum(axis=1)).astype(keys.dtype)
    return np.average(values, axis=0, weights=weights).astype(values.dtype), weights


def sense_shift(before, after, a, b):
    def cos(u, v):
        size = np.linalg.norm(u.astype(float)) * np.linalg.norm(v.astype(float))
        return 0.0 if size == 0 else np.vdot(u.astype(float), v.astype(float)) / size

    gains = [cos(u, a) - cos(u, b) for u in (before, after)]
    return np.sqrt(np.sum(np.square(after.astype(float) - before.astype(float)))), np.diff(gains)[0]
