"""Assignment 6 in NumPy. Hidden is minus infinity, and what that breaks is mended right behind.

The heads never get an axis of their own in the multi-head functions: they are treated one after another, and what they
write is added up.
"""

import numpy as np
from numpy import inf


def masked_softmax(scores, mask=None):
    s = scores.copy()
    if mask is not None:
        s[~np.broadcast_to(mask, s.shape)] = -inf
    with np.errstate(invalid="ignore"):  # -inf - -inf is nan in a row where nothing is kept
        s -= s.max(axis=-1, keepdims=True)
        np.exp(s, out=s)
        s /= s.sum(axis=-1, keepdims=True)
    s[np.isnan(s)] = 0
    return s


def attention_scores(q, k, *, scale=None):
    if scale is None:
        scale = 1 / np.sqrt(q.shape[-1]).item()
    products = np.matmul(q, np.moveaxis(k, -1, -2))
    return float(scale) * products


def causal_mask(T, S=None):
    if S is None:
        return ~np.triu(np.ones((T, T), dtype=bool), 1)
    positions = np.arange(S - T, S)
    return np.less_equal.outer(np.arange(S), positions).T


def padding_mask(lengths, S):
    mask = np.zeros((len(lengths), 1, 1, S), dtype=bool)
    for row, length in zip(mask, lengths):
        row[..., :length] = True
    return mask


def _widest(*arrays):
    return np.result_type(*(a.dtype for a in arrays))


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    dtype = _widest(q, k, v)
    scores = attention_scores(q.astype(dtype), k.astype(dtype), scale=scale)
    weights = masked_softmax(scores, mask)
    return np.matmul(weights, v.astype(dtype)), weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    dtype = _widest(dout, q, k, v, weights)
    dout, q, k, v, weights = (a.astype(dtype) for a in (dout, q, k, v, weights))
    if scale is None:
        scale = q.shape[-1] ** -0.5
    out = np.matmul(weights, v)
    # sum_j w_ij dw_ij = sum_j w_ij dout_i . v_j = dout_i . out_i: the average needs no dw at all
    average = np.sum(dout * out, axis=-1, keepdims=True)
    dscores = weights * (np.matmul(dout, np.moveaxis(v, -1, -2)) - average)
    dscores *= float(scale)
    columns = np.moveaxis(dscores, -1, -2)
    return np.matmul(dscores, k), np.matmul(columns, q), np.matmul(np.moveaxis(weights, -1, -2), dout)


def softmax_jacobian(p):
    p = p[:, np.newaxis]
    return p * (np.identity(len(p), dtype=p.dtype) - p.T)


def project_qkv(x, weight, bias):
    D = x.shape[2]
    return tuple(np.dot(x, weight[a : a + D].T) + bias[a : a + D] for a in (0, D, 2 * D))


def split_heads(x, num_heads):
    D = x.shape[2]
    d = D // num_heads
    if d * num_heads != D:
        raise ValueError("not divisible")
    return np.stack([x[:, :, h * d : (h + 1) * d] for h in range(num_heads)], axis=1)


def merge_heads(x):
    return np.concatenate([x[:, h] for h in range(x.shape[1])], axis=2)


def _heads(params, num_heads, dtype):
    """For each head its (Wq, bq, Wk, bk, Wv, bv) and the columns of the output matrix, and where they stand."""
    W, b = params["in_proj_weight"].astype(dtype), params["in_proj_bias"].astype(dtype)
    Wo = params["out_proj.weight"].astype(dtype)
    D = len(Wo)
    d = D // num_heads
    for h in range(num_heads):
        places = [slice(part * D + h * d, part * D + h * d + d) for part in range(3)]
        yield places, [(W[rows], b[rows]) for rows in places], Wo[:, places[0]]


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    source = x if memory is None else memory
    dtype = _widest(x, source, *params.values())
    x, source = x.astype(dtype), source.astype(dtype)
    N, T, D = x.shape
    S = source.shape[1]
    y = np.zeros((N, T, D), dtype) + params["out_proj.bias"].astype(dtype)
    tables = np.empty((N, num_heads, T, S), dtype)
    everywhere = np.broadcast_to(True if mask is None else mask, tables.shape)
    for h, (_, layers, block) in enumerate(_heads(params, num_heads, dtype)):
        q, k, v = (np.dot(tokens, W.T) + b for tokens, (W, b) in zip((x, source, source), layers))
        found, tables[:, h] = scaled_dot_product_attention(q, k, v, everywhere[:, h])
        y += np.dot(found, block.T)
    return y, tables


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    dtype = _widest(dy, x, *params.values())
    dy, x = dy.astype(dtype), x.astype(dtype)
    N, T, D = x.shape
    everywhere = np.broadcast_to(True if mask is None else mask, (N, num_heads, T, T))
    both = ((0, 1), (0, 1))
    dx = np.zeros_like(x)
    grads = {name: np.zeros(p.shape, dtype) for name, p in params.items()}
    grads["out_proj.bias"] += dy.sum((0, 1))
    for h, (places, layers, block) in enumerate(_heads(params, num_heads, dtype)):
        q, k, v = (np.dot(x, W.T) + b for W, b in layers)
        found, weights = scaled_dot_product_attention(q, k, v, everywhere[:, h])
        grads["out_proj.weight"][:, places[0]] = np.tensordot(dy, found, both)
        back = scaled_dot_product_attention_backward(np.dot(dy, block), q, k, v, weights)
        for rows, (W, _), dpart in zip(places, layers, back):
            grads["in_proj_weight"][rows] = np.tensordot(dpart, x, both)
            grads["in_proj_bias"][rows] = dpart.sum((0, 1))
            dx += np.dot(dpart, W)
    return dx, grads


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2 == 1:
        raise ValueError(D)
    feature = np.arange(D)
    angle = np.arange(T).reshape(T, 1) * np.power(float(base), -2.0 * (feature // 2) / D)
    return np.where(feature % 2 == 0, np.sin(angle), np.cos(angle))


def permutation_error(layer, x, permutation):
    back = np.argsort(permutation)  # undo it on the one side instead of doing it on the other
    return float(np.max(np.abs(layer(x[:, permutation])[:, back] - layer(x.copy()))))


def incremental_attention(q, k, v, cache=None):
    dtype = _widest(q, k, v, *(cache or ()))
    old = 0 if cache is None else cache[0].shape[2]
    L = q.shape[2]
    keys = np.full((*k.shape[:2], old + L, k.shape[3]), np.nan, dtype)
    values = np.full((*v.shape[:2], old + L, v.shape[3]), np.nan, dtype)
    keys[:, :, old:], values[:, :, old:] = k, v
    if cache is not None:
        keys[:, :, :old], values[:, :, :old] = cache
    mask = np.hstack([np.ones((L, old), bool), causal_mask(L)])
    out, _ = scaled_dot_product_attention(q.astype(dtype), keys, values, mask)
    return out, (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("absolute zero")
    dtype = _widest(query, keys, values)
    fit = np.dot(keys.astype(dtype), query.astype(dtype)) / float(temperature)
    weights = masked_softmax(fit)
    return np.dot(weights, values.astype(dtype)), weights


def sense_shift(before, after, a, b):
    def cos(u, v):
        u, v = u.astype(float), v.astype(float)
        with np.errstate(invalid="ignore"):
            c = np.dot(u / np.linalg.norm(u), v / np.linalg.norm(v))
        return 0.0 if np.isnan(c) else float(c)

    distance = float(np.linalg.norm(after.astype(float) - before))
    return distance, cos(after, a) - cos(after, b) - cos(before, a) + cos(before, b)
