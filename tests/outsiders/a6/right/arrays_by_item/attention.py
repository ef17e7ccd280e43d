"""Assignment 6: self-attention as retrieval, in NumPy. Everything with plain loops over indices."""

from __future__ import annotations

import math

import numpy as np


def _softmax_of_list(numbers, kept):
    chosen = [s for s, yes in zip(numbers, kept) if yes]
    if not chosen:
        return [0.0] * len(numbers)
    biggest = max(chosen)
    powers = [math.exp(s - biggest) if yes else 0.0 for s, yes in zip(numbers, kept)]
    whole = math.fsum(powers)
    return [p / whole for p in powers]


def masked_softmax(scores, mask=None):
    answer = np.zeros(scores.shape, dtype=scores.dtype)
    kept = np.broadcast_to(np.ones((), dtype=bool) if mask is None else mask, scores.shape)
    for place in np.ndindex(*scores.shape[:-1]):
        answer[place] = _softmax_of_list(scores[place].tolist(), kept[place].tolist())
    return answer


def attention_scores(q, k, *, scale=None):
    T, d = q.shape[-2:]
    S = k.shape[-2]
    factor = d**-0.5 if scale is None else scale
    answer = np.empty(q.shape[:-1] + (S,), dtype=q.dtype)
    for place in np.ndindex(*q.shape[:-2]):
        for i in range(T):
            for j in range(S):
                answer[place + (i, j)] = factor * float(np.dot(q[place][i], k[place][j]))
    return answer


def causal_mask(T, S=None):
    if S is None:
        S = T
    return np.array([[j <= i + S - T for j in range(S)] for i in range(T)], dtype=bool)


def padding_mask(lengths, S):
    return np.array([[[[True] * int(n) + [False] * (S - int(n))]] for n in lengths], dtype=bool).reshape(-1, 1, 1, S)


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    out = np.zeros(q.shape[:-1] + v.shape[-1:], dtype=v.dtype)
    for place in np.ndindex(*q.shape[:-1]):
        for j, w in enumerate(weights[place]):
            out[place] += w * v[place[:-1]][j]
    return [out, weights]


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    factor = float(q.shape[-1]) ** -0.5 if scale is None else float(scale)
    dq, dk, dv = (np.zeros(a.shape, dtype=a.dtype) for a in (q, k, v))
    T, S = weights.shape[-2:]
    for place in np.ndindex(*weights.shape[:-2]):
        for i in range(T):
            w = weights[place][i]
            dw = [float(np.dot(dout[place][i], v[place][j])) for j in range(S)]
            mean = math.fsum(float(a) * b for a, b in zip(w, dw))
            for j in range(S):
                ds = float(w[j]) * (dw[j] - mean) * factor
                dq[place][i] += ds * k[place][j]
                dk[place][j] += ds * q[place][i]
                dv[place][j] += w[j] * dout[place][i]
    return dq, dk, dv


def softmax_jacobian(p):
    n = len(p)
    J = np.empty((n, n), dtype=p.dtype)
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * (1 - p[i]) if i == j else -p[i] * p[j]
    return J


def project_qkv(x, weight, bias):
    N, T, D = x.shape
    result = [np.empty_like(x) for _ in range(3)]
    for n in range(N):
        for t in range(T):
            for i in range(3 * D):
                which, feature = divmod(i, D)
                result[which][n, t, feature] = bias[i] + np.dot(weight[i], x[n, t])
    return tuple(result)


def split_heads(x, num_heads):
    N, T, D = x.shape
    d, left = divmod(D, num_heads)
    if left != 0:
        raise ValueError(f"{D} features cannot be shared out among {num_heads} heads")
    result = np.empty((N, num_heads, T, d), dtype=x.dtype)
    for h in range(num_heads):
        for i in range(d):
            result[:, h, :, i] = x[:, :, h * d + i]
    return result


def merge_heads(x):
    N, heads, T, d = x.shape
    result = np.empty((N, T, heads * d), dtype=x.dtype)
    for f in range(heads * d):
        result[:, :, f] = x[:, f // d, :, f % d]
    return result


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    searched = x if memory is None else memory
    q = project_qkv(x, params["in_proj_weight"], params["in_proj_bias"])[0]
    k, v = project_qkv(searched, params["in_proj_weight"], params["in_proj_bias"])[1:]
    found, weights = scaled_dot_product_attention(
        split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads), mask
    )
    merged = merge_heads(found)
    y = np.empty_like(merged)
    for place in np.ndindex(*merged.shape):
        n, t, i = place
        y[place] = params["out_proj.bias"][i] + np.dot(params["out_proj.weight"][i], merged[n, t])
    return y, weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    names = "in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"
    A, a, B, _ = (params[name] for name in names)
    q, k, v = (split_heads(part, num_heads) for part in project_qkv(x, A, a))
    found, weights = scaled_dot_product_attention(q, k, v, mask)
    merged = merge_heads(found)
    N, T, D = x.shape
    dA, da, dB, db = (np.zeros_like(params[name]) for name in names)
    dx, dmerged = np.zeros_like(x), np.zeros_like(merged)
    for n in range(N):
        for t in range(T):
            for i in range(D):
                db[i] += dy[n, t, i]
                dB[i] += dy[n, t, i] * merged[n, t]
                dmerged[n, t] += dy[n, t, i] * B[i]
    back = scaled_dot_product_attention_backward(split_heads(dmerged, num_heads), q, k, v, weights)
    for part, gradient in enumerate(map(merge_heads, back)):
        for n in range(N):
            for t in range(T):
                for i in range(D):
                    row = part * D + i
                    da[row] += gradient[n, t, i]
                    dA[row] += gradient[n, t, i] * x[n, t]
                    dx[n, t] += gradient[n, t, i] * A[row]
    return dx, dict(zip(names, (dA, da, dB, db)))


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2 == 1:
        raise ValueError("every sine needs a cosine")
    rows = []
    for t in range(T):
        row = []
        for i in range(D // 2):
            angle = t * math.pow(base, -2 * i / D)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return np.array(rows)


def permutation_error(layer, x, permutation):
    inside, outside = layer(x[:, permutation]), layer(x)
    largest = 0.0
    for n in range(len(x)):
        for t, origin in enumerate(permutation):
            for one, other in zip(inside[n, t], outside[n, origin]):
                largest = max(largest, abs(float(one) - float(other)))
    return largest


def incremental_attention(q, k, v, cache=None):
    old = 0 if cache is None else cache[0].shape[2]
    keys = k if cache is None else np.concatenate((cache[0], k), axis=-2)
    values = v if cache is None else np.concatenate((cache[1], v), axis=-2)
    outs = []
    for i in range(q.shape[2]):
        seen = old + i + 1
        outs.append(scaled_dot_product_attention(q[:, :, i : i + 1], keys[:, :, :seen], values[:, :, :seen])[0])
    return np.concatenate(outs, axis=2), (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("a temperature is positive")
    scores = [float(np.dot(key, query)) / temperature for key in keys]
    weights = _softmax_of_list(scores, [True] * len(scores))
    value = np.zeros(values.shape[1], dtype=values.dtype)
    for w, entry in zip(weights, values):
        value = value + w * entry
    return value, np.array(weights, dtype=keys.dtype)


def sense_shift(before, after, a, b):
    def length(u):
        return math.hypot(*map(float, u))

    def cos(u, v):
        if length(u) == 0 or length(v) == 0:
            return 0.0
        lu, lv = length(u), length(v)
        return math.fsum((float(one) / lu) * (float(other) / lv) for one, other in zip(u, v))

    way = [float(one) - float(other) for one, other in zip(after, before)]
    return math.hypot(*way), cos(after, a) - cos(after, b) - cos(before, a) + cos(before, b)
