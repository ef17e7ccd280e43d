"""Assignment 6, NumPy. The work is done by the classes in ``attention_parts.py``; these functions call them."""

from __future__ import annotations

import numpy as np
from attention_parts import Clock, Direction, Heads, Linear, MultiHead, Precision, Retrieval, Softmax


def masked_softmax(scores, mask=None):
    return Softmax(mask).forward(scores)


def attention_scores(q, k, *, scale=None):
    return Retrieval(scale).scores(q, k)


def causal_mask(T, S=None):
    S = S or T
    return np.fromfunction(lambda i, j: j <= i + S - T, (T, S), dtype=int)


def padding_mask(lengths, S):
    return np.stack([np.arange(S) < length for length in lengths])[:, np.newaxis, np.newaxis, :]


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    retrieval = Retrieval(scale, mask)
    out = retrieval.forward(*Precision(q, k, v)(q, k, v))
    return out, retrieval.weights


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    dout, *forward = Precision(dout, q, k, v, weights)(dout, q, k, v, weights)
    return Retrieval.remembered(*forward, scale).backward(dout)


def softmax_jacobian(p):
    softmax = Softmax()
    softmax.weights = p
    # J is symmetric: the gradients of the single weights are its rows.
    return np.stack([softmax.backward(one) for one in np.eye(len(p), dtype=p.dtype)])


def project_qkv(x, weight, bias):
    return tuple(Linear(*part).forward(x) for part in zip(np.split(weight, 3), np.split(bias, 3)))


def split_heads(x, num_heads):
    return Heads(num_heads).split(x)


def merge_heads(x):
    return Heads.merge(x)


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    memory = x if memory is None else memory
    precision = Precision(x, memory, *params.values())
    layer = MultiHead(params, num_heads, precision, mask)
    y = layer.forward(*precision(x, memory))
    return y, layer.retrieval.weights


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    precision = Precision(dy, x, *params.values())
    dy, x = precision(dy, x)
    layer = MultiHead(params, num_heads, precision, mask)
    layer.forward(x, x)
    return layer.backward(dy), layer.grads


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2 != 0:
        raise ValueError("every clock fills two features")
    times = np.arange(T, dtype=np.float64)
    return np.hstack([Clock(float(base) ** (-2 * i / D)).read(times) for i in range(D // 2)])


def permutation_error(layer, x, permutation):
    def permuted(tokens):
        return np.take(tokens, permutation, axis=1)

    return float(np.linalg.norm((layer(permuted(x)) - permuted(layer(x))).ravel(), ord=np.inf))


class _Cache:
    """Grows by making longer copies."""

    def __init__(self, arrays) -> None:
        self.arrays = arrays

    def extended(self, *new):
        old = [a[:, :, :0] for a in new] if self.arrays is None else self.arrays
        return tuple(np.concatenate(pair, axis=2) for pair in zip(old, new))


def incremental_attention(q, k, v, cache=None):
    precision = Precision(q, k, v, *([] if cache is None else cache))
    q, k, v = precision(q, k, v)
    keys, values = _Cache(cache).extended(k, v)
    retrieval = Retrieval(mask=causal_mask(q.shape[2], keys.shape[2]))
    return retrieval.forward(q, keys, values), (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError(f"no answer at temperature {temperature}")
    query, keys, values = Precision(query, keys, values)(query, keys, values)
    lookup = Retrieval(scale=1 / float(temperature))
    value = lookup.forward(query.reshape(1, -1), keys, values)
    return value.reshape(-1), lookup.weights.reshape(-1)


def sense_shift(before, after, a, b):
    start, end, one, other = (Direction(u) for u in (before, after, a, b))
    gain = (end.cosine(one) - end.cosine(other)) - (start.cosine(one) - start.cosine(other))
    return float(np.linalg.norm(np.asarray(after, np.float64) - np.asarray(before, np.float64))), gain
