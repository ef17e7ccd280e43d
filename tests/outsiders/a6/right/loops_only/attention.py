"""Entry by entry, with Python's own numbers; NumPy only stores the results."""

from __future__ import annotations

import math

import numpy as np


def masked_softmax(scores, mask=None):
    weights = np.zeros(scores.shape, scores.dtype)
    keep = np.broadcast_to(True if mask is None else mask, scores.shape)
    S = scores.shape[-1]
    for place in np.ndindex(scores.shape[:-1]):
        kept = [j for j in range(S) if keep[place + (j,)]]
        if not kept:
            continue
        row = {j: float(scores[place + (j,)]) for j in kept}
        top = max(row.values())
        powers = {j: math.exp(s - top) for j, s in row.items()}
        total = math.fsum(powers.values())
        for j, power in powers.items():
            weights[place + (j,)] = power / total
    return weights


def attention_scores(q, k, *, scale=None):
    T, d = q.shape[-2:]
    S = k.shape[-2]
    factor = 1 / math.sqrt(d) if scale is None else scale
    scores = np.empty((*q.shape[:-1], S), q.dtype)
    for place in np.ndindex(q.shape[:-2]):
        for i in range(T):
            for j in range(S):
                total = 0.0
                for m in range(d):
                    total += float(q[place + (i, m)]) * float(k[place + (j, m)])
                scores[place + (i, j)] = factor * total
    return scores


def causal_mask(T, S=None):
    if S is None:
        S = T
    mask = np.zeros((T, S), bool)
    for i in range(T):
        for j in range(S):
            mask[i, j] = j <= i + S - T
    return mask


def padding_mask(lengths, S):
    mask = np.zeros((len(lengths), 1, 1, S), bool)
    for n in range(len(lengths)):
        for j in range(S):
            mask[n, 0, 0, j] = j < int(lengths[n])
    return mask


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    out = np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    for place in np.ndindex(out.shape):
        front, i, e = place[:-2], place[-2], place[-1]
        out[place] = sum(float(weights[front + (i, j)]) * float(v[front + (j, e)]) for j in range(k.shape[-2]))
    return out, weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    (T, d), (S, E) = q.shape[-2:], v.shape[-2:]
    factor = 1 / math.sqrt(d) if scale is None else scale
    dq, dk, dv = np.zeros(q.shape), np.zeros(k.shape), np.zeros(v.shape)
    for front in np.ndindex(q.shape[:-2]):
        for i in range(T):
            row = [float(weights[front + (i, j)]) for j in range(S)]
            dw = [sum(float(dout[front + (i, e)]) * float(v[front + (j, e)]) for e in range(E)) for j in range(S)]
            mean = math.fsum(p * g for p, g in zip(row, dw))
            for j in range(S):
                for e in range(E):
                    dv[front + (j, e)] += row[j] * float(dout[front + (i, e)])
                ds = row[j] * (dw[j] - mean)
                for m in range(d):
                    dq[front + (i, m)] += factor * ds * float(k[front + (j, m)])
                    dk[front + (j, m)] += factor * ds * float(q[front + (i, m)])
    return dq.astype(q.dtype), dk.astype(q.dtype), dv.astype(q.dtype)


def softmax_jacobian(p):
    n = len(p)
    J = np.empty((n, n), p.dtype)
    for i in range(n):
        for j in range(n):
            J[i, j] = float(p[i]) * ((1.0 if i == j else 0.0) - float(p[j]))
    return J


def project_qkv(x, weight, bias):
    N, T, D = x.shape
    parts = [np.empty((N, T, D), x.dtype) for _ in range(3)]
    for n in range(N):
        for t in range(T):
            for part in range(3):
                for i in range(D):
                    row = part * D + i
                    total = float(bias[row])
                    for j in range(D):
                        total += float(x[n, t, j]) * float(weight[row, j])
                    parts[part][n, t, i] = total
    return tuple(parts)


def split_heads(x, num_heads):
    N, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError(f"{D} features cannot be divided among {num_heads} heads")
    d = D // num_heads
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


def _forward(x, params, num_heads, memory, mask):
    searched = x if memory is None else memory
    weight, bias = params["in_proj_weight"], params["in_proj_bias"]
    q = project_qkv(x, weight, bias)[0]
    _, k, v = project_qkv(searched, weight, bias)
    heads = [split_heads(a, num_heads) for a in (q, k, v)]
    out, weights = scaled_dot_product_attention(*heads, mask)
    return heads, merge_heads(out), weights


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    _, merged, weights = _forward(x, params, num_heads, memory, mask)
    W, b = params["out_proj.weight"], params["out_proj.bias"]
    y = np.empty_like(merged)
    for n, t, i in np.ndindex(y.shape):
        y[n, t, i] = float(b[i]) + sum(float(merged[n, t, j]) * float(W[i, j]) for j in range(W.shape[1]))
    return y, weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    (q, k, v), merged, weights = _forward(x, params, num_heads, None, mask)
    N, T, D = x.shape
    W, Wo = params["in_proj_weight"], params["out_proj.weight"]
    dWo, dbo, dmerged = np.zeros((D, D)), np.zeros(D), np.zeros((N, T, D))
    for n, t, i in np.ndindex(N, T, D):
        up = float(dy[n, t, i])
        dbo[i] += up
        for j in range(D):
            dWo[i, j] += up * float(merged[n, t, j])
            dmerged[n, t, j] += up * float(Wo[i, j])
    dheads = split_heads(dmerged.astype(x.dtype), num_heads)
    dparts = [merge_heads(a) for a in scaled_dot_product_attention_backward(dheads, q, k, v, weights)]
    dW, db, dx = np.zeros((3 * D, D)), np.zeros(3 * D), np.zeros((N, T, D))
    for part in range(3):
        for n, t, i in np.ndindex(N, T, D):
            up, row = float(dparts[part][n, t, i]), part * D + i
            db[row] += up
            for j in range(D):
                dW[row, j] += up * float(x[n, t, j])
                dx[n, t, j] += up * float(W[row, j])
    grads = {"in_proj_weight": dW, "in_proj_bias": db, "out_proj.weight": dWo, "out_proj.bias": dbo}
    return dx.astype(x.dtype), {key: value.astype(x.dtype) for key, value in grads.items()}


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("D is odd")
    result = np.empty((T, D))
    for t in range(T):
        for i in range(D // 2):
            angle = t * base ** (-2 * i / D)
            result[t, 2 * i], result[t, 2 * i + 1] = math.sin(angle), math.cos(angle)
    return result


def permutation_error(layer, x, permutation):
    moved, plain = layer(x[:, permutation]), layer(x)
    worst = 0.0
    for n in range(plain.shape[0]):
        for t in range(plain.shape[1]):
            for e in range(plain.shape[2]):
                worst = max(worst, abs(float(moved[n, t, e]) - float(plain[n, permutation[t], e])))
    return worst


def incremental_attention(q, k, v, cache=None):
    N, heads, L, d = q.shape
    S = 0 if cache is None else cache[0].shape[2]
    keys, values = np.empty((N, heads, S + L, d), k.dtype), np.empty((N, heads, S + L, v.shape[3]), v.dtype)
    for s in range(S):
        keys[:, :, s], values[:, :, s] = cache[0][:, :, s], cache[1][:, :, s]
    for new in range(L):
        keys[:, :, S + new], values[:, :, S + new] = k[:, :, new], v[:, :, new]
    out = np.empty((N, heads, L, v.shape[3]), q.dtype)
    for new in range(L):
        end = S + new + 1
        seen, _ = scaled_dot_product_attention(q[:, :, new : new + 1], keys[:, :, :end], values[:, :, :end])
        out[:, :, new] = seen[:, :, 0]
    return out, (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("no such temperature")
    fits = np.array([math.fsum(float(a) * float(b) for a, b in zip(query, key)) / temperature for key in keys])
    weights = masked_softmax(fits)
    value = np.array([sum(w * float(a) for w, a in zip(weights, column)) for column in values.T], values.dtype)
    return value, weights.astype(keys.dtype)


def sense_shift(before, after, a, b):
    def length(u):
        return math.hypot(*(float(entry) for entry in u))

    def cosine(u, v):
        if length(u) == 0 or length(v) == 0:
            return 0.0
        return math.fsum((float(m) / length(u)) * (float(n) / length(v)) for m, n in zip(u, v))

    distance = math.hypot(*(float(m) - float(n) for m, n in zip(after, before)))
    return distance, (cosine(after, a) - cosine(after, b)) - (cosine(before, a) - cosine(before, b))
