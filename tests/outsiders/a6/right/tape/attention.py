"""A small reverse-mode tape with operators: the backward passes are not derived, they are recorded.

All is computed in float64 and rounded to the arguments' dtype at the end.
"""

from __future__ import annotations

import numpy as np


class Node:
    """An array with a memory of where it came from."""

    __array_ufunc__ = None

    def __init__(self, value, parents=()):
        self.value, self.parents, self.grad = np.asarray(value, np.float64), tuple(parents), 0.0

    def __matmul__(self, other):
        a, b = self.value, other.value
        return Node(a @ b, [(self, lambda g: g @ b.swapaxes(-1, -2)), (other, lambda g: a.swapaxes(-1, -2) @ g)])

    def __add__(self, other):
        extra = tuple(range(self.value.ndim - other.value.ndim))
        return Node(self.value + other.value, [(self, lambda g: g), (other, lambda g: g.sum(axis=extra))])

    def __mul__(self, number):
        return Node(self.value * number, [(self, lambda g: g * number)])

    def __getitem__(self, place):
        def back(g):
            whole = np.zeros(self.value.shape)
            whole[place] = g
            return whole

        return Node(self.value[place], [(self, back)])

    @property
    def T(self):
        return Node(self.value.swapaxes(-1, -2), [(self, lambda g: g.swapaxes(-1, -2))])

    def flat(self):
        """(N, T, D) to (N * T, D)."""
        shape = self.value.shape
        return Node(self.value.reshape(-1, shape[-1]), [(self, lambda g: g.reshape(shape))])

    def unflat(self, *shape):
        return Node(self.value.reshape(shape), [(self, lambda g: g.reshape(self.value.shape))])

    def split(self, heads):
        return Node(split_heads(self.value, heads), [(self, merge_heads)])

    def merge(self):
        heads = self.value.shape[1]
        return Node(merge_heads(self.value), [(self, lambda g: split_heads(g, heads))])

    def softmax(self, mask=None, weights=None):
        p = masked_softmax(self.value, mask) if weights is None else weights
        return Node(p, [(self, lambda g: p * (g - (p * g).sum(axis=-1, keepdims=True)))])

    def backward(self, seed):
        order, seen = [], set()

        def visit(node):
            if id(node) not in seen:
                seen.add(id(node))
                for parent, _ in node.parents:
                    visit(parent)
                order.append(node)

        visit(self)
        self.grad = np.asarray(seed, np.float64)
        for node in reversed(order):
            for parent, back in node.parents:
                parent.grad = parent.grad + back(node.grad)


def masked_softmax(scores, mask=None):
    wide = scores.astype(np.float64)
    hidden = np.zeros(scores.shape, bool) if mask is None else np.logical_not(np.broadcast_to(mask, scores.shape))
    kept = np.ma.masked_array(wide, hidden)
    with np.errstate(over="ignore"):
        powers = np.ma.exp(kept - kept.max(axis=-1, keepdims=True)).filled(0.0)
    powers[hidden] = 0.0
    total = powers.sum(axis=-1, keepdims=True)
    return (powers / np.where(total > 0, total, 1.0)).astype(scores.dtype)


def _scale(scale, d):
    return float(d) ** -0.5 if scale is None else scale


def attention_scores(q, k, *, scale=None):
    return ((Node(q) @ Node(k).T) * _scale(scale, q.shape[-1])).value.astype(q.dtype)


def causal_mask(T, S=None):
    S = S or T
    return ~np.triu(np.ones((T, S), bool), S - T + 1)


def padding_mask(lengths, S):
    return np.less.outer(np.zeros(()), lengths.astype(np.int64)[:, None, None, None] - np.arange(S))


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = ((Node(q) @ Node(k).T) * _scale(scale, q.shape[-1])).softmax(mask)
    return (weights @ Node(v)).value.astype(q.dtype), weights.value.astype(q.dtype)


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    leaves = [Node(q), Node(k), Node(v)]
    scores = (leaves[0] @ leaves[1].T) * _scale(scale, q.shape[-1])
    (scores.softmax(weights=weights.astype(np.float64)) @ leaves[2]).backward(dout)
    return tuple(leaf.grad.astype(q.dtype) for leaf in leaves)


def softmax_jacobian(p):
    n = len(p)
    scores = Node(np.zeros((n, n)))  # a row for each output
    scores.softmax(weights=np.tile(p.astype(np.float64), (n, 1))).backward(np.eye(n))
    return scores.grad.astype(p.dtype)


def _projections(x, weight, bias):
    N, T, D = x.value.shape
    for start in range(0, 3 * D, D):
        rows = slice(start, start + D)
        yield (x.flat() @ weight[rows].T + bias[rows]).unflat(N, T, D)


def project_qkv(x, weight, bias):
    return tuple(part.value.astype(x.dtype) for part in _projections(*map(Node, (x, weight, bias))))


def split_heads(x, num_heads):
    if x.shape[2] % num_heads:
        raise ValueError("the heads cannot share the features")
    return np.stack(np.split(x, num_heads, axis=2), axis=1)


def merge_heads(x):
    return np.concatenate(list(x.swapaxes(0, 1)), axis=-1)


def _layer(x, nodes, num_heads, memory, mask):
    weight, bias = nodes["in_proj_weight"], nodes["in_proj_bias"]
    q, k, v = _projections(x, weight, bias)
    if memory is not None:
        _, k, v = _projections(memory, weight, bias)
    q, k, v = (part.split(num_heads) for part in (q, k, v))
    weights = ((q @ k.T) * _scale(None, q.value.shape[-1])).softmax(mask)
    merged = (weights @ v).merge().flat()
    return (merged @ nodes["out_proj.weight"].T + nodes["out_proj.bias"]).unflat(*x.value.shape), weights


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    nodes = {name: Node(value) for name, value in params.items()}
    answer = _layer(Node(x), nodes, num_heads, None if memory is None else Node(memory), mask)
    return tuple(part.value.astype(x.dtype) for part in answer)


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    nodes, tokens = {name: Node(value) for name, value in params.items()}, Node(x)
    y, _ = _layer(tokens, nodes, num_heads, None, mask)
    y.backward(dy)
    return tokens.grad.astype(x.dtype), {name: node.grad.astype(x.dtype) for name, node in nodes.items()}


def sinusoidal_positions(T, D, base=10000.0):
    half, odd = divmod(D, 2)
    if odd:
        raise ValueError("D is odd")
    turns = np.exp(1j * np.outer(np.arange(T), np.power(float(base), -2 * np.arange(half) / D)))
    return np.stack([turns.imag, turns.real], axis=-1).reshape(T, D)


def permutation_error(layer, x, permutation):
    back = np.argsort(permutation)
    return np.ptp(np.stack([layer(x), layer(np.take(x, permutation, axis=1))[:, back]]), axis=0).max().item()


def incremental_attention(q, k, v, cache=None):
    before = () if cache is None else (cache,)
    keys, values = (np.concatenate(parts, axis=2) for parts in zip(*before, (k, v)))
    mask = causal_mask(keys.shape[2])[-q.shape[2] :]
    return scaled_dot_product_attention(q, keys, values, mask)[0], (keys, values)


def retrieve(query, keys, values, *, temperature=1.0):
    if not temperature > 0:
        raise ValueError("too cold")
    scores = Node(keys) @ Node(query[:, None])
    weights = Node(scores.value / temperature).T.softmax()
    return (weights @ Node(values)).value[0].astype(query.dtype), weights.value[0].astype(query.dtype)


class Direction:
    """A vector as a unit vector and a length; ``@`` is the cosine."""

    def __init__(self, vector):
        wide = vector.astype(np.longdouble)
        self.length = np.sqrt(np.sum(wide * wide))
        self.unit = wide / self.length if self.length else wide

    def __matmul__(self, other):
        return float(self.unit @ other.unit)


def sense_shift(before, after, a, b):
    old, new, a_, b_ = map(Direction, (before, after, a, b))
    moved = Direction(after.astype(np.longdouble) - before.astype(np.longdouble))
    return float(moved.length), (new @ a_ - new @ b_) - (old @ a_ - old @ b_)
