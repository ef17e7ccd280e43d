# attack: none: type hints, classes, generators, decorators, Chinese comments
# keeps: convolve output_size
# base: none

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Optional

import numpy as np

# 卷积：把两个信号合成一个


@dataclass
class 信号:
    """一个信号。"""

    样本: np.ndarray
    名字: Optional[str] = None

    def terms(self, other: 信号) -> Iterator[tuple[int, float]]:
        for i, a in enumerate(self.样本):
            yield from ((i + k, a * b) for k, b in enumerate(other.样本))


@functools.lru_cache(maxsize=None)
def length(n: int, m: int) -> int:
    if not n or not m:
        raise ValueError("空")
    return n + m - 1


def convolve(x: np.ndarray, h: np.ndarray) -> np.ndarray:
    y = np.zeros(length(len(x), len(h)))
    for i, value in 信号(x).terms(信号(h)):
        y[i] += value
    return y


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    free = size + 2 * padding - dilation * (kernel_size - 1) - 1
    if free < 0:
        raise ValueError
    return free // stride + 1
