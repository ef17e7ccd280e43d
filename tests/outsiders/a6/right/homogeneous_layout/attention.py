"""Features first: every matrix is transposed, biases are a column beside a constant 1, extended precision inside."""

import numpy as np

LONG = np.longdouble


def _t(array):
    return np.moveaxis(array, -1, -2)


def _factor(q, scale):
    return LONG(1) / np.sqrt(LONG(q.shape[-1])) if scale is None else LONG(scale)


def masked_softmax(scores, mask=None):
    work = scores.astype(LONG)
    keep = np.ones(scores.shape, bool) & (True if mask is None else mask)
    top = np.max(work, axis=-1, keepdims=True, where=keep, initial=-np.inf)
    top[np.isneginf(top)] = 0
    work -= top
    np.minimum(work, 0, out=work)  # hidden ones may be larger than the largest kept one
    np.exp(work, out=work)
    work *= keep
    total = np.sum(work, axis=-1, keepdims=True)
    total[total == 0] = 1
    work /= total
    return work.astype(scores.dtype, order="F")


def attention_scores(q, k, *, scale=None):
    table = _t(k.astype(LONG) @ _t(q.astype(LONG)) * _factor(q, scale))
    return table.astype(q.dtype)


def causal_mask(T, S=None):
    S = T if S is None else S
    flipped = np.add.outer(np.arange(T)[::-1], np.arange(S))  # (T - 1 - i) + j
    return flipped <= S - 1


def padding_mask(lengths, S):
    room = np.full((S, 1, 1, len(lengths)), False)
    for j in range(S):
        room[j] = lengths > j
    return room.T


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    return _t(_t(v) @ _t(weights)), weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    g, a, b, c, w = (_t(x.astype(LONG)) for x in (dout, q, k, v, weights))  # features or keys first
    dw = _t(c) @ g  # (S, T)
    ds = w * dw
    ds = (ds - w * ds.sum(axis=-2, keepdims=True)) * _factor(q, scale)
    results = b @ ds, a @ _t(ds), g @ _t(w)
    return tuple(_t(x).astype(like.dtype) for x, like in zip(results, (q, k, v)))


def softmax_jacobian(p):
    w = p.astype(LONG)
    J = -w * w[:, None]
    J.flat[:: len(w) + 1] = w * (1 - w)
    return J.astype(p.dtype)


def _affine(weight, bias):
    return np.column_stack([weight, bias])


def _with_one(x):
    return np.concatenate([x, np.ones_like(x[..., :1])], axis=-1)


def project_qkv(x, weight, bias):
    y = np.matmul(_affine(weight, bias), _t(_with_one(x)))  # (N, 3D, T)
    return tuple(_t(part) for part in np.array_split(y, 3, axis=1))


def split_heads(x, num_heads):
    N, T, D = x.shape
    if D != D // num_heads * num_heads:
        raise ValueError("does not divide")
    features_first = np.ascontiguousarray(x.transpose(2, 0, 1))  # (D, N, T)
    return features_first.reshape(num_heads, D // num_heads, N, T).transpose(2, 0, 3, 1)


def merge_heads(x):
    N, heads, T, d = x.shape
    return np.reshape(x.transpose(1, 3, 0, 2), (heads * d, N, T)).transpose(1, 2, 0)


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    (N, T, D), both = x.shape, x
    if memory is not None:
        both = np.concatenate([x, memory], axis=1)
    q, k, v = (split_heads(a, num_heads) for a in project_qkv(both, params["in_proj_weight"], params["in_proj_bias"]))
    first = 0 if memory is None else T
    out, weights = scaled_dot_product_attention(q[:, :, :T], k[:, :, first:], v[:, :, first:], mask)
    d, y = D // num_heads, np.zeros_like(x) + params["out_proj.bias"]
    for h in range(num_heads):  # each head writes what it has found into all features
        y += out[:, h] @ params["out_proj.weight"][:, h * d : (h + 1) * d].T
    return y, weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    N, T, D = x.shape
    d = D // num_heads
    wi, bi, wo = (params[key].astype(np.float64) for key in ("in_proj_weight", "in_proj_bias", "out_proj.weight"))
    tokens, g = _with_one(x.astype(np.float64)), dy.astype(np.float64)
    keep = np.broadcast_to(True if mask is None else mask, (N, num_heads, T, T))
    dtokens, dwi, dwo = np.zeros(tokens.shape), np.zeros((3 * D, D + 1)), np.zeros((D, D))
    for n in range(N):
        for h in range(num_heads):
            blocks = [slice(c * D + h * d, c * D + (h + 1) * d) for c in range(3)]
            matrices = [_affine(wi[block], bi[block]) for block in blocks]
            q, k, v = (tokens[n] @ matrix.T for matrix in matrices)
            out, weights = scaled_dot_product_attention(q, k, v, keep[n, h])
            dwo[:, blocks[0]] += g[n].T @ out
            parts = scaled_dot_product_attention_backward(g[n] @ wo[:, blocks[0]], q, k, v, weights)
            for block, matrix, part in zip(blocks, matrices, parts):
                dwi[block] += part.T @ tokens[n]
                dtokens[n] += part @ matrix
    grads = {
        "in_proj_weight": dwi[:, :-1],
        "in_proj_bias": dwi[:, -1],
        "out_proj.weight": dwo,
        "out_proj.bias": np.ones(N * T) @ g.reshape(N * T, D),
    }
    return dtokens[..., :-1].astype(x.dtype), {key: grad.astype(params[key].dtype) for key, grad in grads.items()}


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("odd")
    hands = np.empty((T, D // 2), np.clongdouble)
    hands[0] = 1
    hands[1:] = np.exp(1j * LONG(base) ** (-2 * np.arange(D // 2, dtype=LONG) / D))
    np.multiply.accumulate(hands, axis=0, out=hands)  # each step is one more turn
    return np.stack([hands.imag, hands.real], axis=-1).reshape(T, D).astype(np.float64)


def permutation_error(layer, x, permutation):
    want = np.array(layer(x.copy()), LONG)[:, permutation]
    return float(np.ptp(np.stack([np.array(layer(x[:, permutation]), LONG), want]), axis=0).max())


def incremental_attention(q, k, v, cache=None):
    keys, values = (k, v) if cache is None else map(_join, cache, (k, v))
    L, S = q.shape[2], keys.shape[2]
    scores = attention_scores(q, keys)
    weights = masked_softmax(scores, np.tri(S, dtype=bool)[S - L :])
    return weights @ values, (keys, values)


def _join(old, new):
    room = np.empty((*old.shape[:2], old.shape[2] + new.shape[2], old.shape[3]), old.dtype)
    room[:, :, : old.shape[2]], room[:, :, old.shape[2] :] = old, new
    return room


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("not positive")
    weights = masked_softmax((keys.astype(LONG) @ query.astype(LONG)) / LONG(temperature))
    return (values.T.astype(LONG) @ weights).astype(values.dtype), weights.astype(keys.dtype)


def sense_shift(before, after, a, b):
    vectors = np.stack([before, after, a, b]).astype(LONG)
    gram = vectors @ vectors.T
    lengths = np.sqrt(np.diag(gram))
    lengths[lengths == 0] = np.inf
    cosines = gram / np.outer(lengths, lengths)
    step = vectors[1] - vectors[0]
    gain = cosines[1, 2] - cosines[1, 3] - cosines[0, 2] + cosines[0, 3]
    return float(np.sqrt(step @ step)), float(gain)
