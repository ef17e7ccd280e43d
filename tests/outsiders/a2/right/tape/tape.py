"""A very small automatic differentiation for NumPy arrays, in reverse mode."""

from __future__ import annotations

import numpy as np


class Node:
    """A value, and how gradients go from it to what it was computed from."""

    __array_ufunc__ = None

    def __init__(self, value, *sources):
        self.value = value
        self.sources = sources

    def __add__(self, other):
        other = lift(other)
        return Node(self.value + other.value, (self, lambda g: g), (other, lambda g: g))

    def __neg__(self):
        return Node(-self.value, (self, lambda g: -g))

    def __sub__(self, other):
        return self + -lift(other)

    def __mul__(self, other):
        other = lift(other)
        return Node(self.value * other.value, (self, lambda g: g * other.value), (other, lambda g: g * self.value))

    def __truediv__(self, other):
        other = lift(other)
        y = self.value / other.value
        return Node(y, (self, lambda g: g / other.value), (other, lambda g: -g * y / other.value))

    __radd__, __rmul__ = __add__, __mul__

    def mean(self, axes):
        count = int(np.prod([self.value.shape[a] for a in axes]))
        y = self.value.mean(axis=axes, keepdims=True)
        return Node(y, (self, lambda g: np.broadcast_to(g, self.value.shape) / count))

    def sum(self, axes):
        y = self.value.sum(axis=axes, keepdims=True)
        return Node(y, (self, lambda g: np.broadcast_to(g, self.value.shape)))

    def elementwise(self, y, slope):
        return Node(y, (self, lambda g: g * slope))


def lift(thing):
    return thing if isinstance(thing, Node) else Node(thing)


def exp(a):
    y = np.exp(a.value)
    return a.elementwise(y, y)


def log(a):
    return a.elementwise(np.log(a.value), 1 / a.value)


def sqrt(a):
    y = np.sqrt(a.value)
    return a.elementwise(y, 0.5 / y)


def absolute(a):
    side = np.where(a.value >= 0, 1, -1)
    return a.elementwise(np.abs(a.value), side.astype(a.value.dtype))


def choose(condition, a, b):
    a, b = lift(a), lift(b)
    return Node(
        np.where(condition, a.value, b.value),
        (a, lambda g: np.where(condition, g, 0).astype(g.dtype)),
        (b, lambda g: np.where(condition, 0, g).astype(g.dtype)),
    )


def _fit(gradient, shape):
    """Undo broadcasting."""
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    stretched = tuple(k for k, n in enumerate(shape) if n == 1 and gradient.shape[k] != 1)
    return gradient.sum(axis=stretched, keepdims=True) if stretched else gradient


def pull(output, gradient, *inputs):
    """The gradients of the inputs from the one of the output."""
    order, seen = [], set()

    def visit(node):
        if id(node) not in seen:
            seen.add(id(node))
            for source, _ in node.sources:
                visit(source)
            order.append(node)

    visit(output)
    gradients = {id(output): gradient}
    for node in reversed(order):
        if id(node) not in gradients:
            continue
        g = gradients[id(node)]
        for source, rule in node.sources:
            if not isinstance(source.value, np.ndarray | np.generic):
                continue
            part = _fit(np.asarray(rule(g)), source.value.shape)
            gradients[id(source)] = gradients[id(source)] + part if id(source) in gradients else part
    return tuple(gradients[id(node)] for node in inputs)
