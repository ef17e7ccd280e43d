"""Assignment 6 in NumPy: if it has indices, it is an einsum. Reductions and ufuncs get their masks by ``where=``."""

from __future__ import annotations

import numpy as np
from numpy import einsum


def _as_one(*arrays):
    """All arrays in their common dtype (no copies where they have it already)."""
    dtype = np.result_type(*arrays)
    return [a.astype(dtype, copy=False) for a in arrays]


def masked_softmax(scores, mask=None):
    keep = True if mask is None else mask
    top = np.max(scores, axis=-1, keepdims=True, where=keep, initial=-np.inf)
    weights = np.zeros_like(scores, order="C")
    np.exp(np.subtract(scores, top), out=weights, where=np.broadcast_to(keep, scores.shape))
    total = einsum("...j->...", weights)[..., None]
    return np.divide(weights, total, out=weights, where=total > 0)


def attention_scores(q, k, *, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else float(scale)
    return einsum("...im,...jm->...ij", *_as_one(q, k)) * scale


def causal_mask(T, S=None):
    S = T if S is None else S
    # Seen from the last query and the last key it is an upper triangle: a view that runs backwards.
    return np.triu(np.ones((T, S), bool))[::-1, ::-1]


def padding_mask(lengths, S):
    return einsum("nj->jn", np.less.outer(np.arange(S), lengths))[:, None, None, :]


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    q, k, v = _as_one(q, k, v)
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    return einsum("...ij,...jc->...ic", weights, v), weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    dout, q, k, v, w = _as_one(dout, q, k, v, weights)
    scale = q.shape[-1] ** -0.5 if scale is None else float(scale)
    dw = einsum("...ic,...jc->...ij", dout, v)
    ds = einsum("...ij,...ij->...ij", w, dw) - einsum("...ij,...im,...im->...ij", w, w, dw)
    dq = einsum("...ij,...jm->...im", ds, k) * scale
    dk = einsum("...ij,...im->...jm", ds, q) * scale
    dv = einsum("...ij,...ic->...jc", w, dout)
    return dq, dk, dv


def softmax_jacobian(p):
    J = -einsum("i,j->ij", p, p)
    diagonal = einsum("ii->i", J)  # a view, and a writable one
    diagonal += p
    return J


def project_qkv(x, weight, bias):
    D = x.shape[-1]
    x, weight, bias = _as_one(x, weight, bias)
    stacked = einsum("ntj,cij->cnti", x, weight.reshape(3, D, D)) + bias.reshape(3, 1, 1, D)
    q, k, v = stacked
    return q, k, v


def split_heads(x, num_heads):
    N, T, D = x.shape
    d, left_over = divmod(D, num_heads)
    if left_over:
        raise ValueError(f"{left_over} features are left over")
    return einsum("nthi->nhti", x.reshape(N, T, num_heads, d))


def merge_heads(x):
    N, H, T, d = x.shape
    return einsum("nhti->nthi", x).reshape(N, T, H * d)


def _blocks(params, num_heads, *others):
    """The parameters with an axis for the head: (3, H, d, D), (3, H, d), (D, H, d), (D,); then the others."""
    names = ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias")
    W, b, U, c, *others = _as_one(*(params[name] for name in names), *others)
    D = len(c)
    return (
        W.reshape(3, num_heads, -1, D),
        b.reshape(3, num_heads, -1),
        U.reshape(D, num_heads, -1),
        c,
        *others,
    )


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    W, b, U, c, x, memory = _blocks(params, num_heads, x, x if memory is None else memory)
    q = einsum("ntj,hij->nhti", x, W[0]) + b[0, :, None]
    k, v = einsum("nsj,chij->cnhsi", memory, W[1:]) + b[1:, None, :, None]
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return einsum("nhti,ohi->nto", out, U) + c, weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    W, b, U, _, x, dy = _blocks(params, num_heads, x, dy)
    q, k, v = einsum("ntj,chij->cnhti", x, W) + b[:, None, :, None]
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    dout = einsum("nto,ohi->nhti", dy, U)
    back = np.stack(scaled_dot_product_attention_backward(dout, q, k, v, weights))
    D = x.shape[-1]
    return einsum("cnhti,chij->ntj", back, W), {
        "in_proj_weight": einsum("cnhti,ntj->chij", back, x).reshape(3 * D, D),
        "in_proj_bias": einsum("cnhti->chi", back).reshape(3 * D),
        "out_proj.weight": einsum("nto,nhti->ohi", dy, out).reshape(D, D),
        "out_proj.bias": einsum("nto->o", dy),
    }


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("D must be even")
    speeds = np.exp(-np.log(float(base)) * np.arange(0, D, 2) / D)
    angles = einsum("t,i->ti", np.arange(T, dtype=float), speeds)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, D)


def permutation_error(layer, x, permutation):
    # Permuting is multiplying by a matrix of zeros and ones.
    P = np.eye(len(permutation), dtype=x.dtype)[permutation]
    before = layer(einsum("ts,nsd->ntd", P, x))
    after = einsum("ts,nse->nte", P, layer(x.copy()))
    return float(abs(before - after).max())


def incremental_attention(q, k, v, cache=None):
    if cache is None:
        cache = k[:, :, :0], v[:, :, :0]
    q, k, v, old_k, old_v = _as_one(q, k, v, *cache)
    keys, values = np.concatenate([old_k, k], axis=2), np.concatenate([old_v, v], axis=2)
    out, _ = scaled_dot_product_attention(q, keys, values, causal_mask(q.shape[2], keys.shape[2]))
    return out, (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    query, keys, values = _as_one(query, keys, values)
    weights = masked_softmax(einsum("sm,m->s", keys, query) / float(temperature))
    return einsum("s,sc->c", weights, values), weights


def sense_shift(before, after, a, b):
    vectors = np.array([before, after, a, b], dtype=np.float64)
    lengths = np.sqrt(einsum("im,im->i", vectors, vectors))
    units = np.divide(vectors, lengths[:, None], out=np.zeros_like(vectors), where=lengths[:, None] > 0)
    # [[cos(before, a), cos(before, b)], [cos(after, a), cos(after, b)]], contracted with signs
    gain = einsum("im,jm,i,j->", units[:2], units[2:], np.array([-1.0, 1.0]), np.array([1.0, -1.0]))
    step = vectors[1] - vectors[0]
    return float(np.sqrt(einsum("m,m->", step, step))), float(gain)
