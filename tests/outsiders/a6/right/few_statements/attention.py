"""einsum, and as few statements as possible."""

from __future__ import annotations

import numpy as np


def masked_softmax(scores, mask=None):
    keep = np.broadcast_to(True if mask is None else mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=keep, initial=-3e38)
    powers = np.where(keep, np.exp(np.where(keep, scores - np.where(top < -2e38, 0, top), 0)), 0).astype(scores.dtype)
    return powers / np.maximum(powers.sum(-1, keepdims=True), scores.dtype.type(0.5))


def attention_scores(q, k, *, scale=None):
    return np.einsum("...id,...jd->...ij", q, k) * (q.shape[-1] ** -0.5 if scale is None else scale)


def causal_mask(T, S=None):
    return np.tri(T, S or T, (S or T) - T, dtype=bool)


def padding_mask(lengths, S):
    return np.less.outer(np.arange(S), lengths).T[:, None, None]


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    return np.einsum("...ij,...je->...ie", w := masked_softmax(attention_scores(q, k, scale=scale), mask), v), w


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    dw = np.einsum("...ie,...je->...ij", dout, v)
    ds = weights * (dw - np.einsum("...ij,...ij->...i", weights, dw)[..., None]) * (q.shape[-1] ** -0.5 if scale is None else scale)
    return np.einsum("...ij,...jd->...id", ds, k), np.einsum("...ij,...id->...jd", ds, q), np.einsum("...ij,...ie->...je", weights, dout)


def softmax_jacobian(p):
    return p[:, None] * (np.eye(len(p), dtype=p.dtype) - p)


def project_qkv(x, weight, bias):
    return tuple(np.einsum("ntj,pij->pnti", x, weight.reshape(3, -1, x.shape[2])) + bias.reshape(3, 1, 1, -1))


def split_heads(x, num_heads):
    if x.shape[2] % num_heads:
        raise ValueError("the heads cannot share out the features")
    return x.reshape(*x.shape[:2], num_heads, x.shape[2] // num_heads).swapaxes(1, 2)


def merge_heads(x):
    return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], x.shape[1] * x.shape[3])


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    q, k, v = (
        split_heads(project_qkv(tokens, params["in_proj_weight"], params["in_proj_bias"])[part], num_heads)
        for part, tokens in enumerate((x, *2 * (x if memory is None else memory,)))
    )
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(out) @ params["out_proj.weight"].T + params["out_proj.bias"], weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    W, b, Wo, _ = (params[key] for key in ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"))
    heads = [split_heads(part, num_heads) for part in project_qkv(x, W, b)]
    out, weights = scaled_dot_product_attention(*heads, mask)
    back = scaled_dot_product_attention_backward(split_heads(dy @ Wo, num_heads), *heads, weights)
    d = np.dstack([merge_heads(part) for part in back])
    return d @ W, {
        "in_proj_weight": np.einsum("nti,ntj->ij", d, x),
        "in_proj_bias": d.sum((0, 1)),
        "out_proj.weight": np.einsum("nti,ntj->ij", dy, merge_heads(out)),
        "out_proj.bias": dy.sum((0, 1)),
    }


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("D is odd")
    turns = np.exp(1j * np.outer(np.arange(T), float(base) ** (-np.arange(0, D, 2) / D)))
    return np.stack([turns.imag, turns.real], -1).reshape(T, D)


def permutation_error(layer, x, permutation):
    return float(np.abs(layer(x[:, permutation]) - layer(x)[:, permutation]).max())


def incremental_attention(q, k, v, cache=None):
    longer = (k, v) if cache is None else tuple(np.concatenate(pair, 2) for pair in zip(cache, (k, v)))
    return scaled_dot_product_attention(q, *longer, causal_mask(q.shape[2], longer[0].shape[2]))[0], longer


def retrieve(query, keys, values, *, temperature=1.0):
    if not temperature > 0:
        raise ValueError("temperatures are positive")
    return (w := masked_softmax(keys @ query / temperature)) @ values, w


def sense_shift(before, after, a, b):
    before, after, a, b = (u.astype(np.longdouble) for u in (before, after, a, b))
    unit = lambda u: u / (np.sqrt(u @ u) or 1)
    return float(np.sqrt((after - before) @ (after - before))), float((unit(after) - unit(before)) @ (unit(a) - unit(b)))
