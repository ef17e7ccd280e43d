"""What assignment 3 gives you: convolution, so that a mistake in assignment 1 costs nothing here. NumPy only.

Stride 1, no padding. It computes by Fourier transforms, in float64, and casts the result.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float


def conv2d_forward(
    x: Float[np.ndarray, "N C H W"], w: Float[np.ndarray, "F C kh kw"], b: Float[np.ndarray, " F"]
) -> Float[np.ndarray, "N F H-kh+1 W-kw+1"]:
    """Forward pass of a convolution layer (a cross-correlation: nothing is flipped).

        y[n, f, i, j] = b[f] + sum over c, u, v of x[n, c, i + u, j + v] * w[f, c, u, v]

    Args:
        x: images, shape (N, C, H, W).
        w: filters, shape (F, C, kh, kw), not larger than the images.
        b: biases, shape (F,).

    Returns:
        y, shape (N, F, H - kh + 1, W - kw + 1), in the common dtype.
    """
    size = x.shape[2:]
    height, width = size[0] - w.shape[2] + 1, size[1] - w.shape[3] + 1
    spectrum = np.einsum("ncij,fcij->nfij", _spectrum(x, size), _spectrum(w, size).conj())
    y = _signal(spectrum, size)[:, :, :height, :width] + b[:, None, None]
    return y.astype(np.result_type(x, w, b), copy=False)


def conv2d_backward(
    dy: Float[np.ndarray, "N F H-kh+1 W-kw+1"], x: Float[np.ndarray, "N C H W"], w: Float[np.ndarray, "F C kh kw"]
) -> tuple[Float[np.ndarray, "N C H W"], Float[np.ndarray, "F C kh kw"], Float[np.ndarray, " F"]]:
    """Backward pass of a convolution layer: from the gradient of its output to the gradients of its arguments.

    Args:
        dy: gradient of the output, shape (N, F, H - kh + 1, W - kw + 1).
        x: images given to the forward pass, shape (N, C, H, W).
        w: filters given to the forward pass, shape (F, C, kh, kw).

    Returns:
        (dx, dw, db), with the shapes of x, w and b, in the common dtype.
    """
    size = x.shape[2:]
    images, filters, gradient = (_spectrum(array, size) for array in (x, w, dy))
    dx = _signal(np.einsum("nfij,fcij->ncij", gradient, filters), size)
    dw = _signal(np.einsum("ncij,nfij->fcij", images, gradient.conj()), size)[:, :, : w.shape[2], : w.shape[3]]
    db = dy.sum(axis=(0, 2, 3), dtype=np.float64)
    dtype = np.result_type(dy, x, w)
    return dx.astype(dtype, copy=False), dw.astype(dtype, copy=False), db.astype(dtype, copy=False)


def _spectrum(array: np.ndarray, size: tuple[int, ...]) -> np.ndarray:
    return np.fft.rfft2(array.astype(np.float64, copy=False), size)


def _signal(spectrum: np.ndarray, size: tuple[int, ...]) -> np.ndarray:
    """Back from the spectrum, with exact zeros: a ReLU would let half of the rounding errors around them pass."""
    signal = np.fft.irfft2(spectrum, size)
    signal[np.abs(signal) < 1e-12 * np.abs(signal).max(initial=0)] = 0
    return signal
