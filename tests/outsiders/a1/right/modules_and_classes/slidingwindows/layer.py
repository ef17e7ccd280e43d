"""A convolution layer as an object that remembers its geometry."""

from __future__ import annotations

import numpy as np

from .geometry import Pair, Plane


class Layer:
    def __init__(self, w: np.ndarray, stride: Pair, padding: Pair) -> None:
        self.w, self.stride, self.padding = w, stride, padding

    def _plane(self, x: np.ndarray) -> Plane:
        return Plane.of(x.shape[2:], self.w.shape[2:], self.stride, self.padding)

    @staticmethod
    def _framed(x: np.ndarray, plane: Plane) -> np.ndarray:
        xp = np.zeros((*x.shape[:2], *plane.padded), x.dtype)
        xp[(..., *plane.inside)] = x
        return xp

    def forward(self, x: np.ndarray, b: np.ndarray) -> np.ndarray:
        if x.shape[1] != self.w.shape[1]:
            raise ValueError(f"The images have {x.shape[1]} channels, the filters {self.w.shape[1]}.")
        plane = self._plane(x)
        xp = self._framed(x, plane)
        y = np.empty((len(x), len(self.w), *plane.shape), x.dtype)
        y[:] = b[:, None, None]
        for u, v, seen in plane.places():
            y += np.einsum("ncij,fc->nfij", xp[(..., *seen)], self.w[:, :, u, v])
        return y

    def backward(self, dy: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        plane = self._plane(x)
        xp = self._framed(x, plane)
        dxp, dw = np.zeros_like(xp), np.zeros_like(self.w)
        for u, v, seen in plane.places():
            dw[:, :, u, v] = np.einsum("nfij,ncij->fc", dy, xp[(..., *seen)])
            dxp[(..., *seen)] += np.einsum("nfij,fc->ncij", dy, self.w[:, :, u, v])
        return dxp[(..., *plane.inside)], dw, dy.sum((0, 2, 3))
