"""The classical kernels, one class each, registered by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np


class Kernel(ABC):
    registry: ClassVar[dict[str, type[Kernel]]] = {}
    any_size = True

    def __init_subclass__(cls) -> None:
        Kernel.registry[cls.__name__.lower()] = cls

    def __init__(self, size: int, sigma: float) -> None:
        if size < 3 or not size % 2:
            raise ValueError(f"There is no kernel of size {size}.")
        if size != 3 and not self.any_size:
            raise ValueError(f"{type(self).__name__} exists as 3 x 3 only.")
        self.size, self.sigma = size, sigma
        self.u, self.v = np.mgrid[: size, : size] - size // 2

    @abstractmethod
    def weights(self) -> np.ndarray: ...


class Identity(Kernel):
    def weights(self) -> np.ndarray:
        return ((self.u == 0) & (self.v == 0)).astype(np.float64)


class Edge(Identity):
    def weights(self) -> np.ndarray:
        return self.size**2 * super().weights() - 1


class Laplacian(Kernel):
    any_size = False

    def weights(self) -> np.ndarray:
        return np.select([self.u**2 + self.v**2 == 0, self.u**2 + self.v**2 == 1], [4.0, -1.0], 0.0)


class Sharpen(Kernel):
    any_size = False

    def weights(self) -> np.ndarray:
        return Identity(3, 1).weights() + Laplacian(3, 1).weights()


class Box(Kernel):
    def weights(self) -> np.ndarray:
        return np.full((self.size, self.size), self.size**-2.0)


class Gaussian(Kernel):
    def weights(self) -> np.ndarray:
        samples = np.exp(-(self.u**2 + self.v**2) / (2 * self.sigma**2))
        return samples / samples.sum()
