"""Shared machinery: activations as objects with a memory, and a standardizer of rows."""

import numpy as np


class Activation:
    def __call__(self, x):
        raise NotImplementedError

    def slope(self, x):
        raise NotImplementedError

    def back(self, dy, x):
        return dy * self.slope(x)

    def largest(self):
        return 1.0


class Sigmoid(Activation):
    def __call__(self, x):
        x = np.asarray(x)
        y = np.empty(x.shape, x.dtype)
        right = x >= 0
        y[right] = 1 / (1 + np.exp(-x[right]))
        e = np.exp(x[~right])
        y[~right] = e / (1 + e)
        return y

    def slope(self, x):
        return self(x) * self(-x)

    def largest(self):
        return 0.25


class Tanh(Activation):
    def __call__(self, x):
        e = np.expm1(-2 * np.abs(x))  # exp(-2|x|) - 1, exact near 0 too
        return np.sign(x) * (-e / (2 + e))

    def slope(self, x):
        e = np.exp(-2 * np.abs(x))
        return 4 * e / (1 + e) ** 2


class Leaky(Activation):
    def __init__(self, a=0.0):
        self.a = a

    def __call__(self, x):
        return np.clip(x, 0, None) + self.a * np.clip(x, None, 0)

    def slope(self, x):
        step = np.heaviside(x, 0)
        return step + self.a * (1 - step)


class Rows:
    """Rows (R, m), each with mean and variance of its own."""

    def __init__(self, rows, eps):
        self.mean = rows.mean(axis=1)
        deviations = rows - self.mean[:, None]
        self.squares = np.square(deviations).sum(axis=1)
        self.m = rows.shape[1]
        self.inverse = 1 / np.sqrt(self.squares / self.m + eps)[:, None]
        self.hat = deviations * self.inverse

    def back(self, g):
        average = g.mean(axis=1)[:, None]
        share = (g * self.hat).mean(axis=1)[:, None]
        return (g - average - self.hat * share) * self.inverse


class Channels:
    """Rearranges (N, C, ...) to (C, N * ...), and back."""

    def __init__(self, x):
        self.moved = np.moveaxis(x, 1, 0).shape

    @staticmethod
    def rows(x):
        return np.moveaxis(x, 1, 0).reshape(x.shape[1], -1)

    def images(self, rows):
        return np.moveaxis(rows.reshape(self.moved), 0, 1)


class LastAxis:
    """Rearranges an array so that an axis is last and all others are one."""

    def __init__(self, x, axis):
        self.axis = axis
        self.shape = np.moveaxis(x, axis, -1).shape

    def rows(self, x):
        return np.moveaxis(x, self.axis, -1).reshape(-1, self.shape[-1])

    def undo(self, rows):
        return np.moveaxis(rows.reshape(self.shape), -1, self.axis)
