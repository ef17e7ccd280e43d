import numpy as np

n_ = np.newaxis
cast = lambda *a: [np.asarray(z, np.result_type(*a)) for z in a]
root = lambda q, s: q.shape[-1] ** -0.5 if s is None else float(s)


def masked_softmax(scores, mask=None):
    # 1 / p_j = sum over kept k of exp(s_k - s_j); what overflows there is the 0 of here
    keep = np.broadcast_to(True if mask is None else mask, scores.shape)
    with np.errstate(over="ignore"):
        inverse = np.exp(scores[..., n_, :] - scores[..., n_]).sum(-1, where=keep[..., n_, :])
    return np.divide(1, inverse, out=np.zeros_like(scores), where=keep)


def attention_scores(q, k, *, scale=None):
    return root(q, scale) * (q @ k.swapaxes(-1, -2))


def causal_mask(T, S=None):
    return np.tri(T, S or T, (S or T) - T) > 0


def padding_mask(lengths, S):
    return (np.arange(S) < lengths[:, n_])[:, n_, n_]


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    q, k, v = cast(q, k, v)
    return (w := masked_softmax(attention_scores(q, k, scale=scale), mask)) @ v, w


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    g, q, k, v, w = cast(dout, q, k, v, weights)
    s = w * (dw := g @ v.swapaxes(-1, -2)) - w * (w * dw).sum(-1, keepdims=True)
    s *= root(q, scale)
    return s @ k, s.swapaxes(-1, -2) @ q, w.swapaxes(-1, -2) @ g


def softmax_jacobian(p):
    return np.diagflat(p) - p * p[:, n_]


def project_qkv(x, weight, bias):
    return np.split(x @ weight.T + bias, 3, -1)


def split_heads(x, num_heads):
    return np.array(np.split(x, num_heads, 2), dtype=x.dtype).swapaxes(0, 1)


def merge_heads(x):
    return np.concatenate([*x.swapaxes(0, 1)], -1)


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    x, m, *p = cast(x, x if memory is None else memory, *params.values())
    p = dict(zip(params, p))
    W, b = p["in_proj_weight"], p["in_proj_bias"]
    qkv = project_qkv(x, W, b)[0], *project_qkv(m, W, b)[1:]
    out, w = scaled_dot_product_attention(*(split_heads(a, num_heads) for a in qkv), mask)
    return merge_heads(out) @ p["out_proj.weight"].T + p["out_proj.bias"], w


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    dy, x, *p = cast(dy, x, *params.values())
    p = dict(zip(params, p))
    qkv = [split_heads(a, num_heads) for a in project_qkv(x, p["in_proj_weight"], p["in_proj_bias"])]
    out, w = scaled_dot_product_attention(*qkv, mask)
    back = scaled_dot_product_attention_backward(split_heads(dy @ p["out_proj.weight"], num_heads), *qkv, w)
    side = np.concatenate([merge_heads(a) for a in back], -1)
    outer = lambda a, b: (a.swapaxes(1, 2) @ b).sum(0)
    return side @ p["in_proj_weight"], {
        "in_proj_weight": outer(side, x),
        "in_proj_bias": side.sum((0, 1)),
        "out_proj.weight": outer(dy, merge_heads(out)),
        "out_proj.bias": dy.sum((0, 1)),
    }


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError
    a = np.outer(np.arange(T), float(base) ** -(np.arange(0, D, 2) / D))
    return np.dstack([np.sin(a), np.cos(a)]).reshape(T, D)


def permutation_error(layer, x, permutation):
    return float(np.ptp([layer(x[:, permutation]), layer(x)[:, permutation]], 0).max())


def incremental_attention(q, k, v, cache=None):
    q, *new = cast(q, k, v, *cache or ())
    k, v = (np.append(new[i + 2], new[i], 2) if cache else new[i] for i in (0, 1))
    return scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))[0], (k, v)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError
    q, k, v = cast(query, keys, values)
    return (w := masked_softmax(k @ q / float(temperature))) @ v, w


def sense_shift(before, after, a, b):
    *u, step = (z.astype(float) for z in (before, after, a, b, np.subtract(after, before, dtype=float)))
    p, q, a, b = (z / (np.linalg.norm(z) or 1) for z in u)
    return float(np.linalg.norm(step)), float((q - p) @ (a - b))
