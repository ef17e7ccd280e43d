"""Assignment 6, NumPy part. I like to see every single number, so everything here is a loop over plain Python numbers."""

from __future__ import annotations

import math

import numpy as np


def _result(shape, *arrays):
    return np.zeros(shape, dtype=np.result_type(*arrays))


def _dot(a, b):
    total = 0.0
    for left, right in zip(a, b):
        total += float(left) * float(right)
    return total


def _factor(scale, d):
    if scale is None:
        return 1.0 / math.sqrt(d)
    return float(scale)


def masked_softmax(scores, mask=None):
    weights = _result(scores.shape, scores)
    if mask is None:
        keep = np.broadcast_to(np.array(True), scores.shape)
    else:
        keep = np.broadcast_to(mask, scores.shape)
    size = scores.shape[-1]
    for place in np.ndindex(*scores.shape[:-1]):
        best = None
        for j in range(size):
            if keep[place + (j,)]:
                score = float(scores[place + (j,)])
                if best is None or score > best:
                    best = score
        if best is None:
            continue  # nothing is kept: the zeros stay
        terms = [0.0] * size
        for j in range(size):
            if keep[place + (j,)]:
                terms[j] = math.exp(float(scores[place + (j,)]) - best)
        total = math.fsum(terms)
        for j in range(size):
            weights[place + (j,)] = terms[j] / total
    return weights


def attention_scores(q, k, *, scale=None):
    lead, T, S = q.shape[:-2], q.shape[-2], k.shape[-2]
    factor = _factor(scale, q.shape[-1])
    scores = _result((*lead, T, S), q, k)
    for place in np.ndindex(*lead):
        for i in range(T):
            for j in range(S):
                scores[place + (i, j)] = factor * _dot(q[place + (i,)], k[place + (j,)])
    return scores


def causal_mask(T, S=None):
    if S is None:
        S = T
    mask = np.zeros((T, S), dtype=bool)
    for i in range(T):
        for j in range(S):
            if j <= i + S - T:
                mask[i, j] = True
    return mask


def padding_mask(lengths, S):
    mask = np.zeros((len(lengths), 1, 1, S), dtype=bool)
    for n in range(len(lengths)):
        for j in range(int(lengths[n])):
            mask[n, 0, 0, j] = True
    return mask


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    dtype = np.result_type(q, k, v)
    weights = masked_softmax(attention_scores(q.astype(dtype), k.astype(dtype), scale=scale), mask)
    out = np.zeros((*q.shape[:-1], v.shape[-1]), dtype)
    for place in np.ndindex(*out.shape):
        lead, i, c = place[:-2], place[-2], place[-1]
        total = 0.0
        for j in range(v.shape[-2]):
            total += float(weights[lead + (i, j)]) * float(v[lead + (j, c)])
        out[place] = total
    return out, weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    given = (dout, q, k, v, weights)
    dtype = np.result_type(*given)
    # The sums grow in float64 and are rounded once at the end.
    dq, dk, dv = np.zeros(q.shape), np.zeros(k.shape), np.zeros(v.shape)
    T, d = q.shape[-2:]
    S, e = v.shape[-2:]
    factor = _factor(scale, d)
    for place in np.ndindex(*q.shape[:-2]):
        for i in range(T):
            row = [float(w) for w in weights[place + (i,)]]
            dweights = [_dot(dout[place + (i,)], v[place + (j,)]) for j in range(S)]
            average = _dot(row, dweights)
            for j in range(S):
                for c in range(e):
                    dv[place + (j, c)] += row[j] * float(dout[place + (i, c)])
                dscore = row[j] * (dweights[j] - average) * factor
                for m in range(d):
                    dq[place + (i, m)] += dscore * float(k[place + (j, m)])
                    dk[place + (j, m)] += dscore * float(q[place + (i, m)])
    return dq.astype(dtype), dk.astype(dtype), dv.astype(dtype)


def softmax_jacobian(p):
    n = len(p)
    J = _result((n, n), p)
    for i in range(n):
        for j in range(n):
            J[i, j] = float(p[i]) * ((1.0 if i == j else 0.0) - float(p[j]))
    return J


def _linear(x, weight, bias):
    """One linear layer for each token: weight has a row for each output."""
    N, T, _ = x.shape
    y = _result((N, T, len(weight)), x, weight, bias)
    for n in range(N):
        for t in range(T):
            for i in range(len(weight)):
                y[n, t, i] = float(bias[i]) + _dot(x[n, t], weight[i])
    return y


def project_qkv(x, weight, bias):
    D = x.shape[-1]
    parts = []
    for part in range(3):
        rows = range(part * D, (part + 1) * D)
        parts.append(_linear(x, weight[rows.start : rows.stop], bias[rows.start : rows.stop]))
    return parts[0], parts[1], parts[2]


def split_heads(x, num_heads):
    N, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError(f"{D} features cannot be shared by {num_heads} heads")
    d = D // num_heads
    result = np.empty((N, num_heads, T, d), dtype=x.dtype)
    for n in range(N):
        for h in range(num_heads):
            for t in range(T):
                for i in range(d):
                    result[n, h, t, i] = x[n, t, h * d + i]
    return result


def merge_heads(x):
    N, heads, T, d = x.shape
    result = np.empty((N, T, heads * d), dtype=x.dtype)
    for n in range(N):
        for h in range(heads):
            for t in range(T):
                for i in range(d):
                    result[n, t, h * d + i] = x[n, h, t, i]
    return result


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    searched = x if memory is None else memory
    dtype = np.result_type(x, searched, *params.values())
    W, b = params["in_proj_weight"].astype(dtype), params["in_proj_bias"]
    q, _, _ = project_qkv(x, W, b)
    _, k, v = project_qkv(searched, W, b)
    out, weights = scaled_dot_product_attention(
        split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads), mask
    )
    y = _linear(merge_heads(out), params["out_proj.weight"], params["out_proj.bias"])
    return y.astype(dtype), weights.astype(dtype)


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    dtype = np.result_type(dy, x, *params.values())
    N, T, D = x.shape
    W, Wo = params["in_proj_weight"].astype(dtype), params["out_proj.weight"].astype(dtype)
    q, k, v = (split_heads(part, num_heads) for part in project_qkv(x, W, params["in_proj_bias"]))
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    merged = merge_heads(out)

    dWo, dbo = np.zeros((D, D)), np.zeros(D)
    dmerged = np.zeros((N, T, D))
    for n in range(N):
        for t in range(T):
            for o in range(D):
                slope = float(dy[n, t, o])
                dbo[o] += slope
                for i in range(D):
                    dWo[o, i] += slope * float(merged[n, t, i])
                    dmerged[n, t, i] += slope * float(Wo[o, i])

    parts = scaled_dot_product_attention_backward(split_heads(dmerged, num_heads), q, k, v, weights)

    dW, db = np.zeros((3 * D, D)), np.zeros(3 * D)
    dx = np.zeros((N, T, D))
    for part in range(3):
        dpart = merge_heads(parts[part])
        for n in range(N):
            for t in range(T):
                for i in range(D):
                    row, slope = part * D + i, float(dpart[n, t, i])
                    db[row] += slope
                    for j in range(D):
                        dW[row, j] += slope * float(x[n, t, j])
                        dx[n, t, j] += slope * float(W[row, j])
    grads = {
        "in_proj_weight": dW.astype(dtype),
        "in_proj_bias": db.astype(dtype),
        "out_proj.weight": dWo.astype(dtype),
        "out_proj.bias": dbo.astype(dtype),
    }
    return dx.astype(dtype), grads


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2 != 0:
        raise ValueError("a sine without a cosine")
    result = np.zeros((T, D))
    for t in range(T):
        for i in range(D // 2):
            angle = t * float(base) ** (-2 * i / D)
            result[t, 2 * i] = math.sin(angle)
            result[t, 2 * i + 1] = math.cos(angle)
    return result


def permutation_error(layer, x, permutation):
    mixed = np.empty_like(x)
    for t in range(len(permutation)):
        mixed[:, t] = x[:, permutation[t]]
    permuted_first, permuted_later = layer(mixed), layer(x.copy())
    worst = 0.0
    for n in range(permuted_first.shape[0]):
        for t in range(permuted_first.shape[1]):
            for one, other in zip(permuted_first[n, t], permuted_later[n, permutation[t]]):
                worst = max(worst, abs(float(one) - float(other)))
    return worst


def incremental_attention(q, k, v, cache=None):
    arrays = (q, k, v) if cache is None else (q, k, v, *cache)
    dtype = np.result_type(*arrays)
    N, heads, L, d = q.shape
    e = v.shape[-1]
    old = 0 if cache is None else cache[0].shape[2]
    keys, values = np.empty((N, heads, old + L, d), dtype), np.empty((N, heads, old + L, e), dtype)
    for t in range(old):
        keys[:, :, t], values[:, :, t] = cache[0][:, :, t], cache[1][:, :, t]
    out = np.empty((N, heads, L, e), dtype)
    for t in range(L):
        keys[:, :, old + t], values[:, :, old + t] = k[:, :, t], v[:, :, t]
        seen = old + t + 1  # what stands behind is not filled in yet, and not looked at
        token = q[:, :, t : t + 1].astype(dtype)
        answer, _ = scaled_dot_product_attention(token, keys[:, :, :seen], values[:, :, :seen])
        out[:, :, t] = answer[:, :, 0]
    return out, (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("the temperature must be positive")
    fits = [_dot(key, query) for key in keys]
    best = max(fits)
    loudness = [math.exp((fit - best) / float(temperature)) for fit in fits]
    total = math.fsum(loudness)
    weights = _result(len(fits), query, keys, values)
    value = [0.0] * values.shape[1]
    for s in range(len(fits)):
        weights[s] = loudness[s] / total
        for c in range(values.shape[1]):
            value[c] += loudness[s] / total * float(values[s, c])
    return np.array(value, dtype=weights.dtype), weights


def sense_shift(before, after, a, b):
    def length(u):
        return math.hypot(*(float(number) for number in u))

    def cosine(u, w):
        long_u, long_w = length(u), length(w)
        if long_u == 0 or long_w == 0:
            return 0.0
        return _dot([float(c) / long_u for c in u], [float(c) / long_w for c in w])

    distance = length([float(y) - float(x) for x, y in zip(before, after)])
    gain = (cosine(after, a) - cosine(after, b)) - (cosine(before, a) - cosine(before, b))
    return distance, gain
