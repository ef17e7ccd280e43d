"""Everything number by number, in Python floats; arrays only at the borders."""

import math
from itertools import product
from operator import mul

import numpy as np


def _dot(u, v):
    return math.fsum(map(mul, u, v))


def _columns(rows):
    return list(zip(*rows))


def _scale(scale, d):
    return d**-0.5 if scale is None else scale


def masked_softmax(scores, mask=None):
    result = np.zeros(scores.shape, dtype=scores.dtype)
    keep = np.broadcast_to(True if mask is None else mask, scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        row = scores[place].tolist()
        kept = [j for j, yes in enumerate(keep[place].tolist()) if yes]
        if not kept:
            continue
        top = max(row[j] for j in kept)
        powers = {j: math.exp(row[j] - top) for j in kept}
        total = math.fsum(powers.values())
        for j, power in powers.items():
            result[(*place, j)] = power / total
    return result


def attention_scores(q, k, *, scale=None):
    factor = _scale(scale, q.shape[-1])
    result = np.empty((*q.shape[:-1], k.shape[-2]), q.dtype)
    for place in np.ndindex(q.shape[:-2]):
        queries, keys = q[place].tolist(), k[place].tolist()
        for (i, one), (j, other) in product(enumerate(queries), enumerate(keys)):
            result[(*place, i, j)] = factor * _dot(one, other)
    return result


def causal_mask(T, S=None):
    if S is None:
        S = T
    return np.array([[j <= i + S - T for j in range(S)] for i in range(T)])


def padding_mask(lengths, S):
    return np.array([[[[j < length for j in range(S)]]] for length in lengths.tolist()])


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    out = np.zeros((*q.shape[:-1], v.shape[-1]), v.dtype)
    for place in np.ndindex(q.shape[:-2]):
        columns = _columns(v[place].tolist())
        for i, row in enumerate(weights[place].tolist()):
            out[(*place, i)] = [_dot(row, column) for column in columns]
    return out, weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    factor = _scale(scale, q.shape[-1])
    dq, dk, dv = (np.zeros(a.shape, a.dtype) for a in (q, k, v))
    for place in np.ndindex(q.shape[:-2]):
        g, queries, keys, values, w = (a[place].tolist() for a in (dout, q, k, v, weights))
        dw = [[_dot(one, value) for value in values] for one in g]
        ds = []
        for wrow, drow in zip(w, dw):
            mean = _dot(wrow, drow)
            ds.append([factor * p * (slope - mean) for p, slope in zip(wrow, drow)])
        for i, row in enumerate(ds):
            dq[(*place, i)] = [_dot(row, column) for column in _columns(keys)]
        for j, column in enumerate(_columns(ds)):
            dk[(*place, j)] = [_dot(column, other) for other in _columns(queries)]
        for j, column in enumerate(_columns(w)):
            dv[(*place, j)] = [_dot(column, other) for other in _columns(g)]
    return dq, dk, dv


def softmax_jacobian(p):
    numbers = p.tolist()
    rows = [[a * ((i == j) - b) for j, b in enumerate(numbers)] for i, a in enumerate(numbers)]
    return np.array(rows, p.dtype)


def project_qkv(x, weight, bias):
    N, T, D = x.shape
    results = [np.empty((N, T, D), x.dtype) for _ in range(3)]
    matrix, offsets = weight.tolist(), bias.tolist()
    for n, t in product(range(N), range(T)):
        token = x[n, t].tolist()
        for row, (line, offset) in enumerate(zip(matrix, offsets)):
            part, i = divmod(row, D)
            results[part][n, t, i] = offset + _dot(token, line)
    return tuple(results)


def split_heads(x, num_heads):
    N, T, D = x.shape
    d, left = divmod(D, num_heads)
    if left:
        raise ValueError("features are left over")
    result = np.empty((N, num_heads, T, d), x.dtype)
    for n, h, t, i in product(*map(range, result.shape)):
        result[n, h, t, i] = x[n, t, h * d + i]
    return result


def merge_heads(x):
    N, heads, T, d = x.shape
    result = np.empty((N, T, heads * d), x.dtype)
    for n, t, f in product(*map(range, result.shape)):
        result[n, t, f] = x[n, f // d, t, f % d]
    return result


def _linear(x, weight, bias):
    result = np.empty((*x.shape[:-1], len(bias)), x.dtype)
    for place in np.ndindex(x.shape[:-1]):
        token = x[place].tolist()
        result[place] = [b + _dot(token, row) for row, b in zip(weight.tolist(), bias.tolist())]
    return result


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    asked, searched = (
        project_qkv(tokens, params["in_proj_weight"], params["in_proj_bias"])
        for tokens in (x, x if memory is None else memory)
    )
    heads = [split_heads(a, num_heads) for a in (asked[0], searched[1], searched[2])]
    out, weights = scaled_dot_product_attention(*heads, mask)
    return _linear(merge_heads(out), params["out_proj.weight"], params["out_proj.bias"]), weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    N, T, D = x.shape
    heads = [split_heads(a, num_heads) for a in project_qkv(x, params["in_proj_weight"], params["in_proj_bias"])]
    out, weights = scaled_dot_product_attention(*heads, mask)
    merged = merge_heads(out)
    totals = {key: np.zeros(value.shape) for key, value in params.items()}
    dmerged = np.zeros((N, T, D), x.dtype)
    for n, t in product(range(N), range(T)):
        totals["out_proj.bias"] += dy[n, t]
        totals["out_proj.weight"] += [[a * b for b in merged[n, t].tolist()] for a in dy[n, t].tolist()]
        dmerged[n, t] = [_dot(dy[n, t].tolist(), column) for column in _columns(params["out_proj.weight"].tolist())]
    parts = scaled_dot_product_attention_backward(split_heads(dmerged, num_heads), *heads, weights)
    parts = [merge_heads(part) for part in parts]
    dx = np.zeros((N, T, D))
    for number, part in enumerate(parts):
        for row in range(D):
            line = number * D + row
            for n, t in product(range(N), range(T)):
                slope = float(part[n, t, row])
                totals["in_proj_bias"][line] += slope
                totals["in_proj_weight"][line] += [slope * f for f in x[n, t].tolist()]
                dx[n, t] += [slope * f for f in params["in_proj_weight"][line].tolist()]
    return dx.astype(x.dtype), {key: total.astype(params[key].dtype) for key, total in totals.items()}


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2 == 1:
        raise ValueError("odd")
    speeds = [base ** (-2 * i / D) for i in range(D // 2)]
    return np.array([[f(t * w) for w in speeds for f in (math.sin, math.cos)] for t in range(T)])


def permutation_error(layer, x, permutation):
    order = permutation.tolist()
    there = np.array(layer(np.stack([x[:, t] for t in order], axis=1)))
    here = np.array(layer(np.array(x)))
    worst = 0.0
    for n, (to, come) in product(range(x.shape[0]), enumerate(order)):
        worst = max(worst, *(abs(a - b) for a, b in zip(there[n, to].tolist(), here[n, come].tolist())))
    return worst


def incremental_attention(q, k, v, cache=None):
    old = ((), ()) if cache is None else cache
    keys, values = (
        np.array([[[*(earlier[n][h] if len(earlier) else ()), *new[n][h]] for h in range(new.shape[1])]
                  for n in range(new.shape[0])], new.dtype)
        for earlier, new in zip(old, (k, v))
    )
    out = np.empty((*q.shape[:3], v.shape[3]), v.dtype)
    for i in range(q.shape[2]):
        seen = keys.shape[2] - q.shape[2] + i + 1
        out[:, :, i : i + 1] = scaled_dot_product_attention(q[:, :, i : i + 1], keys[:, :, :seen], values[:, :, :seen])[0]
    return out, (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if not temperature > 0:
        raise ValueError("too cold")
    asked = query.tolist()
    scores = [_dot(key, asked) / temperature for key in keys.tolist()]
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    weights = [power / math.fsum(powers) for power in powers]
    value = [_dot(weights, column) for column in _columns(values.tolist())]
    return np.array(value, values.dtype), np.array(weights, values.dtype)


def sense_shift(before, after, a, b):
    before, after, a, b = (u.tolist() for u in (before, after, a, b))

    def unit(u):
        length = math.hypot(*u)
        return [c / length for c in u] if length else u

    def lean(u):
        u = unit(u)
        return _dot(u, unit(a)) - _dot(u, unit(b))

    return math.dist(before, after), lean(after) - lean(before)
