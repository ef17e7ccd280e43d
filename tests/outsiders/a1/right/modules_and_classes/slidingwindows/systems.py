"""Experiments with systems."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


class Laboratory:
    """Sends signals through a system and compares what comes back."""

    tolerance = 1e-9

    def __init__(self, system, length: int, rng: np.random.Generator) -> None:
        self._system, self.length, self.rng = system, length, rng

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return np.array(self._system(np.array(x)), float)

    def signals(self, count: int) -> Iterator[np.ndarray]:
        """Random signals from tiny to huge: dense ones, then ones with many zeros."""
        for density in (1.0, 0.4):
            for amplitude in np.geomspace(0.005, 200, 20):
                for _ in range(count):
                    x = amplitude * self.rng.laplace(size=self.length)
                    x[self.rng.random(self.length) > density] = 0
                    yield x

    def differ(self, p: np.ndarray, q: np.ndarray, *measured: np.ndarray) -> bool:
        largest = max(np.abs(y).max() for y in (p, q, *measured))
        return bool(np.abs(p - q).max() > self.tolerance * largest)


class Linearity(Laboratory):
    def contradicted(self) -> bool:
        previous = np.zeros(self.length)
        answer_to_previous = self(previous)
        if answer_to_previous.any():
            return True
        for u in self.signals(4):
            a = self.rng.normal(scale=2)
            answer = self(u)
            if self.differ(self(a * u), a * answer):
                return True
            if self.differ(self(u + previous), answer + answer_to_previous, answer, answer_to_previous):
                return True
            v = self.rng.permutation(u)
            if self.differ(self(u - v), answer - self(v), answer):
                return True
            previous, answer_to_previous = u, answer
        return False


class TimeInvariance(Laboratory):
    def contradicted(self) -> bool:
        return any(self._shows(x, k) for x in self.signals(1) for k in range(1, self.length))

    def _shows(self, x: np.ndarray, k: int) -> bool:
        rest = self.length - k
        early, late = np.zeros((2, self.length))
        early[:rest] = late[k:] = self.rng.permutation(x)[:rest]
        y, z = self(early), self(late)
        largest = max(np.abs(y).max(), np.abs(z).max())
        return bool(np.abs(z[k:] - y[:rest]).max() > self.tolerance * largest)
