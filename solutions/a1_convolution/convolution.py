"""Assignment 1: convolution and kernels, in NumPy.

Conventions of every function here:

- Images are (N, C, H, W): batch, channels, height, width. Convolution weights are (F, C, kh, kw), with F filters.
- Results have the common floating dtype of the array arguments: float32 stays float32, and integers are computed in
  float64. Where a function says "keeps the dtype", it does.
- Arguments may come with any strides (a transposed or sliced array, say) and must not be changed.
- Where a signature says ``Pair``, one number stands for both axes: ``padding=1`` means ``padding=(1, 1)``.

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int64, Real, Shaped, UInt8
from numpy.lib.stride_tricks import sliding_window_view

Pair = int | tuple[int, int]
Signal = Float[np.ndarray, " length"]


def _pair(value: Pair) -> tuple[int, int]:
    """One number for both axes, or (height, width), as (height, width)."""
    return value if isinstance(value, tuple) else (value, value)


def _floating(*arrays: np.ndarray) -> list[np.ndarray]:
    """The arrays in their common floating dtype, in which integers count as float64."""
    kinds = [array.dtype if np.issubdtype(array.dtype, np.floating) else np.float64 for array in arrays]
    dtype: Any = np.result_type(*kinds)
    return [np.asarray(array, dtype) for array in arrays]


def _window_counts(size: Pair, kernel_size: Pair, stride: Pair, padding: Pair) -> tuple[int, int]:
    """How many windows fit below and beside one another: Ho and Wo."""
    (height, width), (kh, kw), (sh, sw), (ph, pw) = map(_pair, (size, kernel_size, stride, padding))
    return output_size(height, kh, stride=sh, padding=ph), output_size(width, kw, stride=sw, padding=pw)


def convolve(x: Real[np.ndarray, " n"], h: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n+m-1"]:
    """Convolve two signals: the whole ("full") convolution, from its definition.

        y[i] = sum over k of x[k] * h[i - k]

    Samples outside a signal count as zero, and i runs over every index at which a product can be nonzero:
    0, ..., n + m - 2. Either signal may be the longer one.

    Args:
        x: input signal, shape (n,).
        h: impulse response, shape (m,).

    Returns:
        y, shape (n + m - 1,), in the common floating dtype.

    Raises:
        ValueError: x or h is empty.

    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.fft, scipy.
    Handout: §1 Convolution.
    """
    if x.size == 0 or h.size == 0:
        raise ValueError("convolution needs at least one sample in each signal")
    x, h = _floating(x, h)
    y = np.zeros(len(x) + len(h) - 1, x.dtype)
    for delay, weight in enumerate(h):
        y[delay : delay + len(x)] += weight * x
    return y


def cross_correlate(x: Real[np.ndarray, " n"], h: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    """Cross-correlate two signals wherever h fits into x ("valid"), without flipping h.

        y[i] = sum over k of x[i + k] * h[k]

    This is what neural networks call convolution. For x = 1 2 3 4 and h = 1 10 it gives 21 32 43, whereas their
    convolution is 1 12 23 34 40. The order matters: here x is searched, and h is what is searched for.

    Args:
        x: signal, shape (n,).
        h: template, shape (m,), m >= 1.

    Returns:
        y, shape (n - m + 1,), in the common floating dtype.

    Raises:
        ValueError: h is longer than x.

    Forbidden: np.convolve, np.correlate, np.fft, scipy.
    Handout: §4 Correlation.
    """
    x, h = _floating(x, h)
    y: np.ndarray = sliding_window_view(x, len(h)) @ h
    return y


def convolution_matrix(h: Real[np.ndarray, " m"], n: int) -> Float[np.ndarray, "n+m-1 n"]:
    """Write convolution with h as a matrix: convolution is a linear map, and every linear map has one.

    The matrix M satisfies M @ x = convolve(x, h) for every signal x of n samples. For h = 1 2 3 and n = 2:

        1 0
        2 1
        3 2
        0 3

    Args:
        h: impulse response, shape (m,), m >= 1.
        n: number of samples of the signals that M is applied to, >= 1.

    Returns:
        M, shape (n + m - 1, n), in the floating dtype of h.

    Forbidden: np.convolve, np.correlate, np.fft, scipy.
    Handout: §1 Convolution.
    """
    (h,) = _floating(h)
    matrix = np.zeros((n + len(h) - 1, n), h.dtype)
    for delay in range(n):
        matrix[delay : delay + len(h), delay] = h
    return matrix


def impulse_response(system: Callable[[Signal], Signal], length: int) -> Signal:
    """Measure a system's answer to the unit impulse: 1 at n = 0, followed by zeros.

    A linear, time-invariant system that does not look ahead is known completely by this answer h: its output for any
    input x is the beginning of convolve(x, h), the first ``length`` samples. A system that adds x[n - 1] / 2 to x[n],
    for one, answers 1, 0.5, 0, 0, ...

    The system takes and returns float64 signals of shape (length,), is deterministic and keeps nothing from one call
    to the next. It takes for zero whatever comes before the first sample.

    Args:
        system: the function to be measured; it need be neither linear nor time-invariant.
        length: number of samples of its signals, at least 16.

    Returns:
        The answer as it is, shape (length,), float64.

    Forbidden: nothing.
    Handout: §2 Linear and time-invariant.
    """
    impulse = np.zeros(length)
    impulse[0] = 1
    return system(impulse)


def is_linear(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    """Decide by experiment whether a system is linear.

    A system S is linear when it is additive, S(u + v) = S(u) + S(v), and homogeneous, S(a * u) = a * S(u), for all
    signals u, v and all numbers a. Homogeneity alone is not enough: a median filter has it and is not additive.

    You see the system only through its outputs. It takes and returns float64 signals of shape (length,), is
    deterministic and keeps nothing from one call to the next. It need not be time-invariant. Some nonlinear systems
    behave linearly for signals that are small enough, or large enough: a clipper does not touch what stays below its
    threshold. Each one you meet violates linearity clearly somewhere between amplitudes of 0.01 and 100. A linear one
    fulfils it up to rounding errors, which are below 1e-12 of the largest value of the outputs compared.

    Args:
        system: the function to be judged.
        length: number of samples of its signals, at least 16.
        rng: source of randomness for the test signals.

    Returns:
        True if no experiment contradicts linearity, else False.

    Forbidden: nothing.
    Handout: §2 Linear and time-invariant.
    """
    for amplitude in np.logspace(-3, 3, 13):
        u, v = amplitude * rng.standard_normal((2, length))
        a, b = rng.standard_normal(2)
        response_to_sum = system(a * u + b * v)
        sum_of_responses = a * system(u) + b * system(v)
        difference = np.abs(response_to_sum - sum_of_responses).max()
        if not difference <= 1e-9 * np.abs(sum_of_responses).max():  # so written, it is also true of NaN
            return False
    return True


def is_time_invariant(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    """Decide by experiment whether a system is time-invariant.

    A system S is time-invariant when it answers a delayed signal with the answer to the signal itself, delayed as
    much. With x_k for x delayed by k samples (x_k[n] = x[n - k], zeros move in from the left), that is

        S(x_k)[n] = S(x)[n - k]    for n = k, k + 1, ...

    for all signals x and all delays k. What S says before the delayed signal begins, at n < k, does not count: a
    system that adds 1 to every sample is time-invariant (and not linear). One that keeps every second sample,
    y[n] = x[2 * n], and fills the rest of its output with zeros, is not.

    You see the system only through its outputs. It takes and returns float64 signals of shape (length,), is
    deterministic and keeps nothing from one call to the next. Its output at n depends on the input up to n, or looks
    ahead, up to n + 2 at most. It takes for zero whatever comes before the first sample and after the last. Mind the
    right end: what a delay pushes out there, a system that looks ahead has seen before and no longer sees.

    It need not be linear, and may change its behaviour at any sample, the first and the last too. One that changes
    periodically does not show it at delays of whole periods; a nonlinear one may show it only for signals that are
    large enough, or small enough. Each system that is not time-invariant shows it clearly somewhere between amplitudes
    of 0.01 and 100. One that is fulfils the equation up to rounding errors, which are below 1e-12 of the largest value
    of its outputs.

    Args:
        system: the function to be judged.
        length: number of samples of its signals, at least 16.
        rng: source of randomness for the test signals.

    Returns:
        True if no experiment contradicts time-invariance, else False.

    Forbidden: nothing.
    Handout: §2 Linear and time-invariant.
    """
    half = length // 2
    for amplitude in np.logspace(-3, 3, 13):
        x = np.zeros(length)
        x[:half] = amplitude * rng.standard_normal(half)  # the zeros behind leave room for the delays
        response = system(x.copy())
        tolerance = 1e-9 * np.abs(response).max()
        for delay in range(1, length - half + 1):
            response_to_delayed = system(np.roll(x, delay))
            if not np.allclose(response_to_delayed[delay:], response[:-delay], rtol=0, atol=tolerance):
                return False
    return True


def cosine_similarity(a: Real[np.ndarray, " n"], b: Real[np.ndarray, " n"]) -> float:
    """Cosine of the angle between two vectors: their inner product once the lengths are taken out.

        a . b / (|a| |b|)

    It lies between -1 and 1 (up to rounding errors), and scaling a vector by a positive number does not change it. The
    zero vector has no direction: its cosine with any vector is defined as 0 here.

    Args:
        a: vector, shape (n,).
        b: vector, shape (n,).

    Returns:
        The cosine, a Python float.

    Forbidden: scipy.
    Handout: §4 Correlation.
    """
    a, b = _floating(a, b)
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / lengths) if lengths else 0.0


def match_template(x: Real[np.ndarray, " n"], template: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    """Look for a template in a signal by zero-mean normalised cross-correlation.

    The score at i compares the window x[i], ..., x[i + m - 1] with the template, after the window has lost its own
    mean and the template its own:

        score[i] = cosine of the angle between (window - mean of window) and (template - mean of template)

    It is 1 where the window is the template up to contrast and brightness (a * template + b with a > 0), and -1 where
    it is the negative. A bright plateau, which wins in plain cross-correlation, gets nothing: a constant window, all
    of whose samples are equal, scores exactly 0, and so does every window if the template is constant. Rounding errors
    in a mean must not hide that a window is constant.

    Args:
        x: signal, shape (n,).
        template: what to look for, shape (m,), m >= 1.

    Returns:
        The scores, shape (n - m + 1,), in the common floating dtype.

    Raises:
        ValueError: the template is longer than x.

    Forbidden: np.convolve, np.correlate, np.corrcoef, np.cov, scipy.
    Handout: §4 Correlation.
    """
    x, template = _floating(x, template)
    windows = sliding_window_view(x, len(template))
    contrasts = windows - windows.mean(axis=1, keepdims=True)
    wanted = template - template.mean()
    lengths = np.linalg.norm(contrasts, axis=1) * np.linalg.norm(wanted)
    varying = (np.ptp(windows, axis=1) > 0) & (np.ptp(template) > 0)
    scores = np.zeros(len(windows), x.dtype)
    np.divide(contrasts @ wanted, lengths, out=scores, where=varying)
    return scores


def output_size(size: int, kernel_size: int, *, stride: int = 1, padding: int = 0, dilation: int = 1) -> int:
    """Count the windows along one axis: the size of a convolution's output.

    The axis is padded on both sides. A window takes ``kernel_size`` samples, ``dilation`` apart from one another
    (1: neighbours; 2: every second sample). The first window begins at the first sample, padding included, each
    further one ``stride`` samples later, and only windows that lie wholly in the padded axis count:

        size 32, kernel 5                             28
        size  7, kernel 3, stride 2, padding 1         4
        size  8, kernel 3, stride 2                    3    the last sample is left over
        size 10, kernel 3, dilation 2                  6

    Args:
        size: number of samples before padding, >= 1.
        kernel_size: number of samples in a window, >= 1.
        stride: step from window to window, >= 1.
        padding: number of samples added on each side, >= 0.
        dilation: step from sample to sample within a window, >= 1.

    Returns:
        The number of windows, at least 1.

    Raises:
        ValueError: not one window fits.

    Forbidden: nothing.
    Handout: §3 Padding.
    """
    extent = dilation * (kernel_size - 1) + 1
    count = (size + 2 * padding - extent) // stride + 1
    if count < 1:
        raise ValueError(f"a window over {extent} samples does not fit into {size} with {padding} more on each side")
    return count


def pad2d(
    x: Real[np.ndarray, "... H W"], padding: Pair, mode: Literal["zeros", "replicate", "reflect"] = "zeros"
) -> Real[np.ndarray, "... H+2*ph W+2*pw"]:
    """Pad the last two axes: ph rows above and below, pw columns left and right.

    What a row ``a b c`` becomes with pw = 2:

        zeros:      0 0 a b c 0 0
        replicate:  a a a b c c c    the nearest sample of the edge
        reflect:    c b a b c b a    mirrored at the edge sample, which is not repeated

    Args:
        x: images, shape (..., H, W), any number of leading axes (also none), any dtype.
        padding: (ph, pw) or one number for both, >= 0.
        mode: how the new samples are filled, on both axes.

    Returns:
        The padded images, shape (..., H + 2 * ph, W + 2 * pw); keeps the dtype.

    Raises:
        ValueError: mode is "reflect" and ph >= H or pw >= W, which leaves no sample to mirror.

    Forbidden: np.pad, scipy.
    Handout: §3 Padding.
    """
    ph, pw = _pair(padding)
    height, width = x.shape[-2:]
    if mode == "zeros":
        padded = np.zeros((*x.shape[:-2], height + 2 * ph, width + 2 * pw), x.dtype)
        padded[..., ph : ph + height, pw : pw + width] = x
        return padded
    rows, columns = np.arange(-ph, height + ph), np.arange(-pw, width + pw)
    if mode == "replicate":
        rows, columns = rows.clip(0, height - 1), columns.clip(0, width - 1)
    else:
        if ph >= height or pw >= width:
            raise ValueError("reflect padding must be smaller than the image")
        last_row, last_column = height - 1, width - 1
        rows = last_row - abs(last_row - abs(rows))
        columns = last_column - abs(last_column - abs(columns))
    return x[..., rows[:, None], columns]


def window_coverage(size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0) -> Int64[np.ndarray, "H W"]:
    """Count for each pixel of an image how many windows of a convolution see it.

    The windows are those of ``conv2d_forward``: all that lie wholly in the padded image, sh rows and sw columns apart.
    Without padding, a 3 x 3 kernel looks at a corner once and at a pixel far inside nine times:

        1 2 3 ... 3 2 1
        2 4 6 ... 6 4 2
        3 6 9 ... 9 6 3

    Args:
        size: (H, W) of the image, before padding, or one number for both.
        kernel_size: (kh, kw) or one number for both, >= 1.
        stride: (sh, sw) or one number for both, >= 1.
        padding: (ph, pw) or one number for both, >= 0.

    Returns:
        The counts, shape (H, W) (the padding is not part of it), int64. Some are 0 where the stride leaps over pixels
        or leaves some over.

    Raises:
        ValueError: the window (kh, kw) is larger than the padded image.

    Uses your ``output_size``.
    Forbidden: np.convolve, np.correlate, np.pad, np.fft, scipy.
    Handout: §3 Padding.
    """
    (height, width), (kh, kw) = _pair(size), _pair(kernel_size)
    (sh, sw), (ph, pw) = _pair(stride), _pair(padding)
    seen = np.zeros((height + 2 * ph, width + 2 * pw), np.int64)
    for i, j in np.ndindex(_window_counts(size, kernel_size, stride, padding)):
        seen[sh * i : sh * i + kh, sw * j : sw * j + kw] += 1
    return seen[ph : ph + height, pw : pw + width]


def correlate2d(x: Real[np.ndarray, "H W"], w: Real[np.ndarray, "kh kw"]) -> Float[np.ndarray, "H-kh+1 W-kw+1"]:
    """Cross-correlate an image with a kernel wherever the kernel fits ("valid"), without flipping it.

        y[i, j] = sum over u, v of x[i + u, j + v] * w[u, v]

    Args:
        x: image, shape (H, W), floating or integer (uint8 too, which would overflow if it were not converted).
        w: kernel, shape (kh, kw), not larger than the image.

    Returns:
        y, shape (H - kh + 1, W - kw + 1), in the common floating dtype.

    Forbidden: np.convolve, np.correlate, np.fft, scipy.
    Handout: §4 Correlation.
    """
    x, w = _floating(x, w)
    windows = sliding_window_view(x, w.shape)
    y: np.ndarray = np.einsum("ijuv,uv->ij", windows, w)
    return y


def make_kernel(
    name: Literal["identity", "edge", "laplacian", "sharpen", "box", "gaussian"], size: int = 3, sigma: float = 1.0
) -> Float[np.ndarray, "size size"]:
    """Make one of the classical kernels of image processing.

        identity:   1 at the centre, else 0
        edge:       size * size times the identity, minus 1 everywhere: for size 3, 8 at the centre and -1 around it
        laplacian:  (3 x 3 only) 4 at the centre, -1 at its four neighbours to the side, above and below, 0 at the
                    corners
        sharpen:    (3 x 3 only) identity plus laplacian
        box:        the mean of size * size pixels: all entries are equal, and their sum is 1
        gaussian:   exp(-(u * u + v * v) / (2 * sigma * sigma)), where u and v count the rows and columns from the
                    centre; sampled at the pixels, then divided by the sum of the samples, so that the sum is 1

    Args:
        name: which kernel.
        size: rows and columns, odd and at least 3.
        sigma: standard deviation of the Gaussian in pixels, > 0; the other kernels do not use it.

    Returns:
        The kernel, shape (size, size), float64.

    Raises:
        ValueError: the size is even or below 3, or it is not 3 and the kernel exists as 3 x 3 only, or there is no
            kernel of that name.

    Forbidden: scipy.
    Handout: §5 Filtering photographs.
    """
    if size < 3 or size % 2 == 0:
        raise ValueError(f"the size of a kernel is odd and at least 3, not {size}")
    if name in ("laplacian", "sharpen") and size != 3:
        raise ValueError(f"{name} is a 3 x 3 kernel; it has no size {size}")
    centre = size // 2
    kernel: np.ndarray
    identity = np.zeros((size, size))
    identity[centre, centre] = 1
    laplacian = np.array([[0.0, -1, 0], [-1, 4, -1], [0, -1, 0]])
    match name:
        case "identity":
            kernel = identity
        case "edge":
            kernel = size * size * identity - 1
        case "laplacian":
            kernel = laplacian
        case "sharpen":
            kernel = identity + laplacian
        case "box":
            kernel = np.full((size, size), 1 / (size * size))
        case "gaussian":
            bell = np.exp(-((np.arange(size) - centre) ** 2) / (2 * sigma**2))
            kernel = np.outer(bell, bell)
            kernel /= kernel.sum()
        case _:
            raise ValueError(f"there is no kernel called {name!r}")
    return kernel


def filter_image(
    image: UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"],
    kernel: Real[np.ndarray, "kh kw"],
    *,
    mode: Literal["zeros", "replicate", "reflect"] = "replicate",
) -> UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"]:
    """Filter a photograph: pad, cross-correlate, and return to 8 bits, without changing the size.

    The kernel's centre lies on the pixel that is computed; the kernel is not flipped. A colour image is filtered
    channel by channel. Responses are first rounded to the nearest integer (as np.rint does), then clipped to 0...255.

    Args:
        image: grey (H, W) or colour (H, W, 3), uint8.
        kernel: shape (kh, kw), both odd.
        mode: padding as in ``pad2d``.

    Returns:
        The filtered image, shape of ``image``, uint8.

    Raises:
        ValueError: kh or kw is even, so that the kernel has no centre.

    Uses your ``pad2d`` and ``correlate2d``.
    Forbidden: np.convolve, np.correlate, np.pad, np.fft, scipy.
    Handout: §5 Filtering photographs.
    """
    kh, kw = kernel.shape
    if kh % 2 == 0 or kw % 2 == 0:
        raise ValueError("a kernel with an even side has no centre")
    if image.ndim == 3:
        channels = [filter_image(image[:, :, c], kernel, mode=mode) for c in range(image.shape[2])]
        return np.stack(channels, axis=2)
    response = correlate2d(pad2d(image, (kh // 2, kw // 2), mode), kernel)
    return response.round().clip(0, 255).astype(np.uint8)


def conv2d_forward(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    """Forward pass of a convolution layer (a cross-correlation: nothing is flipped).

        y[n, f, i, j] = b[f] + sum over c, u, v of xp[n, c, sh * i + u, sw * j + v] * w[f, c, u, v]

    where xp is x padded with ph rows of zeros above and below and pw columns left and right. Only windows that lie
    wholly in xp count:

        Ho = floor((H + 2 * ph - kh) / sh) + 1,    Wo = floor((W + 2 * pw - kw) / sw) + 1

    Args:
        x: images, shape (N, C, H, W).
        w: filters, shape (F, C, kh, kw).
        b: biases, shape (F,).
        stride: (sh, sw) or one number for both, >= 1.
        padding: (ph, pw) or one number for both, >= 0.

    Returns:
        y, shape (N, F, Ho, Wo), in the common floating dtype.

    Raises:
        ValueError: x and w differ in C, or the window (kh, kw) is larger than the padded image.

    Forbidden: np.convolve, np.correlate, np.pad, np.fft, scipy.
    Handout: §6 Convolution layers.
    """
    if x.shape[1] != w.shape[1]:
        raise ValueError(f"the images have {x.shape[1]} channels, the filters {w.shape[1]}")
    x, w, b = _floating(x, w, b)
    sh, sw = _pair(stride)
    padded = pad2d(x, padding)
    windows = sliding_window_view(padded, w.shape[2:], axis=(2, 3))[:, :, ::sh, ::sw]
    y: np.ndarray = np.einsum("ncijuv,fcuv->nfij", windows, w)
    y += b[:, None, None]
    return y


def conv2d_backward(
    dy: Float[np.ndarray, "N F Ho Wo"],
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> tuple[Float[np.ndarray, "N C H W"], Float[np.ndarray, "F C kh kw"], Float[np.ndarray, " F"]]:
    """Backward pass of a convolution layer: from the gradient of its output to the gradients of its arguments.

    Let y = conv2d_forward(x, w, b, stride=stride, padding=padding), and let a loss L depend on x, w and b through y
    alone. Given dy, the partial derivative of L with respect to each entry of y, find

        dx = dL/dx,    dw = dL/dw,    db = dL/db,

    each entry the partial derivative with respect to the entry at the same place. The chain rule sums over every
    output that an entry takes part in; nothing is averaged over the batch. Pixels of x that no window sees have
    gradient zero.

    Args:
        dy: gradient of the output, shape (N, F, Ho, Wo).
        x: images given to the forward pass, shape (N, C, H, W), not padded.
        w: filters given to the forward pass, shape (F, C, kh, kw).
        stride: (sh, sw) or one number for both, as in the forward pass.
        padding: (ph, pw) or one number for both, as in the forward pass.

    Returns:
        (dx, dw, db), with the shapes of x, w and b, in the common floating dtype.

    Forbidden: np.convolve, np.correlate, np.pad, np.fft, scipy.
    Handout: §7 The backward pass.
    """
    dy, x, w = _floating(dy, x, w)
    (sh, sw), (ph, pw) = _pair(stride), _pair(padding)
    (height, width), (out_height, out_width) = x.shape[2:], dy.shape[2:]
    padded = pad2d(x, padding)
    dpadded = np.zeros_like(padded)
    dw = np.empty_like(w)
    for u, v in np.ndindex(w.shape[2:]):
        # The pixels that weight (u, v) meets, one for each output.
        met = np.s_[:, :, u : u + sh * out_height : sh, v : v + sw * out_width : sw]
        dw[:, :, u, v] = np.einsum("nfij,ncij->fc", dy, padded[met])
        dpadded[met] += np.einsum("nfij,fc->ncij", dy, w[:, :, u, v])
    dx = dpadded[:, :, ph : ph + height, pw : pw + width]
    db = dy.sum(axis=(0, 2, 3))
    return dx, dw, db


def im2col(
    x: Shaped[np.ndarray, "N C H W"], kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Shaped[np.ndarray, "N C*kh*kw L"]:
    """Lay out the windows of a convolution as the columns of a matrix, one matrix for each image.

        cols[n, (c * kh + u) * kw + v, i * Wo + j] = xp[n, c, sh * i + u, sw * j + v]

    where xp is x padded with ph rows of zeros above and below and pw columns left and right. A column holds what one
    window sees, channel by channel and row by row, in the order in which w.reshape(F, C * kh * kw) holds the weights of
    a filter. The columns follow one another like the pixels of the output, row by row; L = Ho * Wo of them, with Ho and
    Wo as in ``conv2d_forward``. This is the layout of PyTorch's ``F.unfold``.

    For the 3 x 3 image 1 2 3 / 4 5 6 / 7 8 9 and 2 x 2 windows:

        1 2 4 5
        2 3 5 6
        4 5 7 8
        5 6 8 9

    Args:
        x: images, shape (N, C, H, W), any dtype.
        kernel_size: (kh, kw) or one number for both.
        stride: (sh, sw) or one number for both, >= 1.
        padding: (ph, pw) or one number for both, >= 0.

    Returns:
        cols, shape (N, C * kh * kw, L); keeps the dtype.

    Raises:
        ValueError: the window (kh, kw) is larger than the padded image.

    No loop over windows is needed: NumPy can show an array under other shapes and strides without a copy
    (``np.lib.stride_tricks.sliding_window_view``, or slices with a step).
    Forbidden: np.pad, scipy.
    Handout: §6 Convolution layers.
    """
    sh, sw = _pair(stride)
    windows = sliding_window_view(pad2d(x, padding), _pair(kernel_size), axis=(2, 3))[:, :, ::sh, ::sw]
    images, channels, rows, columns, kh, kw = windows.shape
    return windows.transpose(0, 1, 4, 5, 2, 3).reshape(images, channels * kh * kw, rows * columns)


def conv2d_im2col(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    """Forward pass of a convolution layer as one matrix product: the values of ``conv2d_forward``, fast.

    With the windows as columns, the filters as rows of a matrix meet them all in a single product, which is what
    computers do best. Arguments, result and errors are those of ``conv2d_forward``.

    Speed is graded: at most 60 times the CPU time of a solution without any Python loop, on 8 images of 3 x 24 x 20
    pixels and 8 filters of 5 x 3. A loop over the positions in the kernel stays far below that; loops over images,
    filters and pixels go far beyond.

    Args:
        x: images, shape (N, C, H, W).
        w: filters, shape (F, C, kh, kw).
        b: biases, shape (F,).
        stride: (sh, sw) or one number for both, >= 1.
        padding: (ph, pw) or one number for both, >= 0.

    Returns:
        y, shape (N, F, Ho, Wo), in the common floating dtype.

    Raises:
        ValueError: x and w differ in C, or the window (kh, kw) is larger than the padded image.

    Uses your ``im2col``.
    Forbidden: np.convolve, np.correlate, np.pad, np.fft, scipy.
    Handout: §6 Convolution layers.
    """
    if x.shape[1] != w.shape[1]:
        raise ValueError(f"the images have {x.shape[1]} channels, the filters {w.shape[1]}")
    x, w, b = _floating(x, w, b)
    filters, kernel_size = w.shape[0], w.shape[2:]
    rows, columns = _window_counts(x.shape[2:], kernel_size, stride, padding)
    y: np.ndarray = w.reshape(filters, -1) @ im2col(x, kernel_size, stride=stride, padding=padding)
    y += b[:, None]
    return y.reshape(len(x), filters, rows, columns)


def conv2d_parameter_count(in_channels: int, out_channels: int, kernel_size: Pair, bias: bool = True) -> int:
    """Count the trainable numbers of a convolution layer.

    Every output channel has a filter of its own, which spans all input channels, and a bias of its own. From 3
    channels to 1 with a 3 x 3 kernel that makes 28; the size of the images plays no part.

    Args:
        in_channels: channels of the images.
        out_channels: number of filters.
        kernel_size: (kh, kw) or one number for both.
        bias: whether the layer adds a bias.

    Returns:
        The number of weights and biases.

    Forbidden: nothing.
    Handout: §6 Convolution layers.
    """
    kh, kw = _pair(kernel_size)
    return out_channels * (in_channels * kh * kw + int(bias))


def linear_parameter_count(in_features: int, out_features: int, bias: bool = True) -> int:
    """Count the trainable numbers of a linear layer, which connects every input with every output.

    Every output has a bias of its own. From 3 features to 2 that makes 8.

    Args:
        in_features: numbers that go in.
        out_features: numbers that come out.
        bias: whether the layer adds a bias.

    Returns:
        The number of weights and biases.

    Forbidden: nothing.
    Handout: §6 Convolution layers.
    """
    return out_features * (in_features + int(bias))


def learn_kernel(
    x: Real[np.ndarray, "H W"], y: Real[np.ndarray, "H-kh+1 W-kw+1"], kernel_size: Pair, *, lr: float, steps: int
) -> tuple[Float[np.ndarray, "kh kw"], Float[np.ndarray, " steps"]]:
    """Find the kernel that turns one image into another, by gradient descent.

    The kernel w starts at zero everywhere. With the loss

        L(w) = mean over all outputs of (correlate2d(x, w) - y) ** 2

    each step takes the loss at the present w, then replaces w by w - lr * dL/dw, plain gradient descent on the whole
    image: no momentum, no randomness. The mean divides by the number of outputs, (H - kh + 1) * (W - kw + 1), and the
    gradient contains that division too.

    Args:
        x: image, shape (H, W).
        y: what the kernel should make of it, shape (H - kh + 1, W - kw + 1).
        kernel_size: (kh, kw) or one number for both.
        lr: learning rate, > 0.
        steps: number of steps, >= 0.

    Returns:
        (w, losses), in the common floating dtype of x and y: w after the last step, shape (kh, kw), and the loss before
        each step, shape (steps,). So losses[0] is the mean of y ** 2, and the loss of the returned w is not among them.

    Uses your ``correlate2d``.
    Forbidden: np.convolve, np.correlate, np.fft, scipy.
    Handout: §8 Learning a kernel.
    """
    x, y = _floating(x, y)
    w = np.zeros(_pair(kernel_size), x.dtype)
    losses = np.empty(steps, x.dtype)
    for step in range(steps):
        residual = correlate2d(x, w) - y
        losses[step] = np.mean(residual**2)
        w -= lr * 2 / residual.size * correlate2d(x, residual)
    return w, losses


def col2im(
    cols: Real[np.ndarray, "N C*kh*kw L"], size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Float[np.ndarray, "N C H W"]:
    """Bonus: carry the columns of ``im2col`` back to the pixels that they came from, and add them up there.

        x[n, c, r, s] = sum of all cols[n, (c * kh + u) * kw + v, i * Wo + j]
                        with sh * i + u - ph = r and sw * j + v - pw = s

    What falls on the padding is dropped. Where windows overlap, a pixel receives several entries, so col2im does not
    undo im2col: col2im(im2col(x)) is x times ``window_coverage``. It is the transposed map of im2col, which is why
    the backward pass of a convolution consists of it: the gradient of a pixel is the sum of the gradients of its
    copies. This is PyTorch's ``F.fold``. Columns of ones, for a 3 x 3 image and 2 x 2 windows, give

        1 2 1
        2 4 2
        1 2 1

    Args:
        cols: columns, shape (N, C * kh * kw, L), L = Ho * Wo.
        size: (H, W) of the images, before padding, or one number for both.
        kernel_size: (kh, kw) or one number for both.
        stride: (sh, sw) or one number for both, as for ``im2col``.
        padding: (ph, pw) or one number for both, as for ``im2col``.

    Returns:
        x, shape (N, C, H, W), in the floating dtype of cols.

    Raises:
        ValueError: the window (kh, kw) is larger than the padded image.

    Uses your ``output_size``.
    Forbidden: np.pad, scipy.
    Handout: §7 The backward pass.
    """
    (cols,) = _floating(cols)
    (height, width), (kh, kw) = _pair(size), _pair(kernel_size)
    (sh, sw), (ph, pw) = _pair(stride), _pair(padding)
    rows, columns = _window_counts(size, kernel_size, stride, padding)
    entries = cols.reshape(len(cols), -1, kh, kw, rows, columns)
    padded = np.zeros((*entries.shape[:2], height + 2 * ph, width + 2 * pw), cols.dtype)
    for u, v in np.ndindex(kh, kw):
        padded[:, :, u : u + sh * rows : sh, v : v + sw * columns : sw] += entries[:, :, u, v]
    return padded[:, :, ph : ph + height, pw : pw + width]
