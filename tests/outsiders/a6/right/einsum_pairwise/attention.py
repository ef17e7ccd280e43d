"""Everything by einsum; the softmax by pairs: w[j] = 1 / sum over k of exp(s[k] - s[j])."""
from __future__ import annotations

import math
import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np


def masked_softmax(scores, mask=None):
    kept = np.broadcast_to(np.True_ if mask is None else mask, scores.shape)
    with np.errstate(over="ignore"):
        # what is overflown is an infinite sum, whose inverse is the right 0
        ratios = np.exp(scores[..., None, :] - scores[..., :, None])
    sums = np.einsum("...jk,...k->...j", np.where(kept[..., None, :], ratios, 0), np.ones_like(scores))
    sums = np.where(kept, sums, math.inf).astype(scores.dtype)
    return 1 / sums


def attention_scores(q, k, *, scale=None):
    return np.einsum("...id,...jd->...ij", q, k) * (float(q.shape[-1]) ** -0.5 if scale is None else float(scale))


def causal_mask(T, S=None):
    return ~np.triu(np.ones((T, T if S is None else S), dtype=bool), (T if S is None else S) - T + 1)


def padding_mask(lengths, S):
    return np.less.outer(np.arange(S), lengths).T[:, None, None]


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    return np.einsum("...ij,...je->...ie", weights, v), weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    factor = float(q.shape[-1]) ** -0.5 if scale is None else float(scale)
    dw = np.einsum("...ie,...je->...ij", dout, v)
    ds = weights * (dw - np.einsum("...ij,...ij->...i", dw, weights)[..., None]) * factor
    return [
        np.einsum("...ij,...jd->...id", ds, k),
        np.einsum("...ij,...id->...jd", ds, q),
        np.einsum("...ij,...ie->...je", weights, dout),
    ]


def softmax_jacobian(p):
    J = -np.einsum("i,j->ij", p, p)
    np.einsum("ii->i", J)[...] += p  # a writeable view of the diagonal
    return J


def project_qkv(x, weight, bias):
    D = x.shape[-1]
    return tuple(
        np.einsum("ntj,cij->cnti", x, weight.reshape(3, D, D)) + np.einsum("ci->ci", bias.reshape(3, D))[:, None, None]
    )


def split_heads(x, num_heads):
    N, T, D = x.shape
    if D % num_heads:
        raise ValueError("features do not divide")
    return np.einsum("nthi->nhti", x.reshape(N, T, num_heads, D // num_heads))


def merge_heads(x):
    N, heads, T, d = x.shape
    return np.einsum("nhti->nthi", x).reshape(N, T, heads * d)


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    searched = x if memory is None else memory
    q = project_qkv(x, params["in_proj_weight"], params["in_proj_bias"])[0]
    _, k, v = project_qkv(searched, params["in_proj_weight"], params["in_proj_bias"])
    q, k, v = (split_heads(a, num_heads) for a in (q, k, v))
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    d = q.shape[-1]
    W = params["out_proj.weight"]
    blocks = W.reshape(W.shape[0], num_heads, d)  # a block of columns for each head; no merging
    return np.einsum("nhti,ohi->nto", out, blocks) + params["out_proj.bias"], weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    W, b, Wo = (params[key] for key in ("in_proj_weight", "in_proj_bias", "out_proj.weight"))
    D = x.shape[-1]
    q, k, v = (split_heads(a, num_heads) for a in project_qkv(x, W, b))
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    blocks = Wo.reshape(D, num_heads, D // num_heads)
    dout = np.einsum("nto,ohi->nhti", dy, blocks)
    dqkv = np.array([merge_heads(g) for g in scaled_dot_product_attention_backward(dout, q, k, v, weights)])
    grads = {
        "out_proj.bias": np.einsum("nto->o", dy),
        "out_proj.weight": np.einsum("nto,nhti->ohi", dy, out).reshape(D, D),
        "in_proj_bias": np.einsum("cnti->ci", dqkv).reshape(3 * D),
        "in_proj_weight": np.einsum("cnti,ntj->cij", dqkv, x).reshape(3 * D, D),
    }
    return np.einsum("cnti,cij->ntj", dqkv, W.reshape(3, D, D)), grads


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("D is odd")
    angles = np.einsum("t,i->ti", np.arange(float(T)), float(base) ** (-2 * np.arange(D // 2) / D))
    # real and imaginary part of exp(i (pi/2 - a)) would lose digits; sine and cosine are taken as they are
    return np.array([np.sin(angles), np.cos(angles)]).transpose(1, 2, 0).reshape(T, D)


def permutation_error(layer, x, permutation):
    order = permutation.astype(np.intp)
    return float(np.abs(layer(x[:, order]) - layer(x)[:, order]).max())


def incremental_attention(q, k, v, cache=None):
    if cache is not None:
        k, v = (np.concatenate(pair, axis=-2) for pair in zip(cache, (k, v)))
    out, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[-2], k.shape[-2]))
    return out, (k, v)


def retrieve(query, keys, values, *, temperature=1.0):
    if not temperature > 0:
        raise ValueError("temperature")
    weights = masked_softmax(np.einsum("sd,d->s", keys, query) / float(temperature))
    return np.einsum("s,se->e", weights, values), weights


def sense_shift(before, after, a, b):
    before, after, a, b = (np.asarray(u, np.float64) for u in (before, after, a, b))

    def unit(u):
        largest = np.abs(u).max(initial=0.0)
        if largest == 0:
            return u
        u = u / largest
        return u / math.sqrt(np.einsum("i,i->", u, u))

    turn = np.einsum("i,i->", unit(after) - unit(before), unit(a) - unit(b))
    step = after - before
    return math.sqrt(np.einsum("i,i->", step, step)), float(turn)
