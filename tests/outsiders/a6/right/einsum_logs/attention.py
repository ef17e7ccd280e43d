"""einsum for every product, log-sum-exp for every softmax, float64 inside, strides for the heads."""

import numpy as np
from numpy.lib.stride_tricks import as_strided


def _wide(*arrays):
    return [np.array(a, dtype=np.float64) for a in arrays]


def masked_softmax(scores, mask=None):
    (wide,) = _wide(scores)
    if mask is not None:
        np.copyto(wide, -np.inf, where=~np.asarray(mask))
    with np.errstate(all="ignore"):
        wide -= np.nan_to_num(wide.max(axis=-1, keepdims=True), neginf=0.0)
        total = np.logaddexp.reduce(wide, axis=-1, keepdims=True)
        weights = np.exp(wide - np.where(np.isneginf(total), 0, total))
    return weights.astype(scores.dtype)


def attention_scores(q, k, *, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    a, b = _wide(q, k)
    return np.einsum("...id,...jd->...ij", a, b * float(scale)).astype(q.dtype)


def causal_mask(T, S=None):
    S = S or T
    return np.tri(T, S, S - T, dtype=bool)


def padding_mask(lengths, S):
    table = np.tri(S + 1, S, -1, dtype=bool)  # a row for each length
    return np.expand_dims(table[lengths.astype(np.intp)], (1, 2))


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    a, b, c = _wide(q, k, v)
    weights = masked_softmax(attention_scores(a, b, scale=scale), mask)
    out = np.einsum("...ij,...je->...ie", weights, c)
    return out.astype(v.dtype), weights.astype(q.dtype)


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    g, a, b, c, w = _wide(dout, q, k, v, weights)
    out = np.einsum("...ij,...je->...ie", w, c)
    delta = np.einsum("...ie,...ie->...i", g, out)  # the average of dw under the weights
    ds = w * (np.einsum("...ie,...je->...ij", g, c) - delta[..., None])
    dq = np.einsum("...ij,...jd->...id", ds, b) * scale
    dk = np.einsum("...ij,...id->...jd", ds, a) * scale
    dv = np.einsum("...ij,...ie->...je", w, g)
    return tuple(d.astype(like.dtype) for d, like in ((dq, q), (dk, k), (dv, v)))


def softmax_jacobian(p):
    (w,) = _wide(p)
    J = np.einsum("i,j->ij", w, -w)
    np.einsum("ii->i", J)[...] += w
    return J.astype(p.dtype)


def project_qkv(x, weight, bias):
    D = x.shape[2]
    a, w, b = _wide(x, weight, bias)
    y = np.einsum("ntj,cij->cnti", a, w.reshape(3, D, D)) + b.reshape(3, 1, 1, D)
    return tuple(y.astype(x.dtype))


def split_heads(x, num_heads):
    N, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError
    d = D // num_heads
    n, t, f = x.strides
    return as_strided(x, (N, num_heads, T, d), (n, d * f, t, f), writeable=False)


def merge_heads(x):
    return np.dstack(list(x.swapaxes(0, 1)))


def _forward(x, params, num_heads, memory, mask):
    N, T, D = x.shape
    source = x if memory is None else memory
    wi = params["in_proj_weight"].astype(np.float64).reshape(3, num_heads, D // num_heads, D)
    bi = params["in_proj_bias"].astype(np.float64).reshape(3, num_heads, 1, D // num_heads)
    q = np.einsum("ntj,hij->nhti", x, wi[0]) + bi[0]
    k, v = (np.einsum("nsj,hij->nhsi", source, wi[c]) + bi[c] for c in (1, 2))
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    wo = params["out_proj.weight"].astype(np.float64).reshape(D, num_heads, D // num_heads)
    return wi, wo, q, k, v, weights, out


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    _, wo, *_, weights, out = _forward(x, params, num_heads, memory, mask)
    y = np.einsum("nhti,ohi->nto", out, wo) + params["out_proj.bias"]
    return y.astype(x.dtype), weights.astype(x.dtype)


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    wi, wo, q, k, v, weights, out = _forward(x, params, num_heads, None, mask)
    g, a = _wide(dy, x)
    dout = np.einsum("nto,ohi->nhti", g, wo)
    parts = np.stack(scaled_dot_product_attention_backward(dout, q, k, v, weights))
    dx = np.einsum("cnhti,chij->ntj", parts, wi)
    grads = {
        "out_proj.bias": np.einsum("nto->o", g),
        "out_proj.weight": np.einsum("nto,nhti->ohi", g, out),
        "in_proj_bias": np.einsum("cnhti->chi", parts),
        "in_proj_weight": np.einsum("cnhti,ntj->chij", parts, a),
    }
    return dx.astype(x.dtype), {
        key: grad.reshape(params[key].shape).astype(params[key].dtype) for key, grad in grads.items()
    }


def sinusoidal_positions(T, D, base=10000.0):
    half, odd = divmod(D, 2)
    if odd:
        raise ValueError
    angle = np.multiply.outer(np.arange(T), np.power(float(base), np.arange(half) * (-2 / D)))
    return (1j * np.exp(-1j * angle)).view(np.float64)  # i exp(-ia) = sin a + i cos a


def permutation_error(layer, x, permutation):
    back = np.argsort(permutation)
    moved = np.array(layer(x[:, permutation]), np.float64)
    return np.linalg.norm((moved[:, back] - np.asarray(layer(x.copy()))).ravel(), np.inf).item()


def incremental_attention(q, k, v, cache=None):
    if cache is None:
        cache = k[:, :, :0], v[:, :, :0]
    keys, values = np.append(cache[0], k, axis=2), np.append(cache[1], v, axis=2)
    for array in (keys, values):
        array.flags.writeable = False
    mask = causal_mask(keys.shape[2])[-q.shape[2] :]
    return scaled_dot_product_attention(q, keys, values, mask)[0], (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError
    (a, b, c) = _wide(query, keys, values)
    weights = masked_softmax(np.einsum("sd,d->s", b, a) / temperature)
    return np.einsum("s,se->e", weights, c).astype(values.dtype), weights.astype(keys.dtype)


def sense_shift(before, after, a, b):
    table = np.array([before, after, a, b], np.float64)
    largest = np.abs(table).max(axis=1, keepdims=True)
    shrunk = np.divide(table, largest, out=np.zeros_like(table), where=largest > 0)
    norm = np.sqrt(np.einsum("id,id->i", shrunk, shrunk))[:, None]
    unit = np.divide(shrunk, norm, out=np.zeros_like(table), where=norm > 0)
    turn, sense = unit[1] - unit[0], unit[2] - unit[3]
    step = table[1] - table[0]
    size = np.abs(step).max()
    return float(size and size * np.sqrt(np.sum((step / size) ** 2))), float(turn @ sense)
