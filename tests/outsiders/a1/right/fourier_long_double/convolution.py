# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".
"""Assignment 1: convolution and kernels, in NumPy.

Conventions of every function here:

- Images are (N, C, H, W): batch, channels, height, width. Convolution weights are (F, C, kh, kw), with F filters.
- Where a signature says ``Pair``, one number stands for both axes: ``padding=1`` means ``padding=(1, 1)``.
- Results have the common floating dtype of all array arguments: float32 if all of them are float32, float64 if one of
  them is. Integers count as float64; what integers and float32 arrays together make, float32 or float64, is left
  open. The layers (``conv2d_forward``, ``conv2d_backward``, ``conv2d_im2col``, ``learn_kernel`` and ``col2im``) get
  floating arrays of one dtype. Where a function "keeps the dtype", the result has that of its first argument, also if
  it holds integers.
- Arrays hold finite numbers, at least one unless a docstring says otherwise, and must not be changed. They may come
  with any strides (transposed, reversed or sliced, say), but no two entries share memory. What is returned may be a new
  array or a view of an argument, and may be read-only; later calls must not change it.
- Numbers, such as ``lr`` or ``sigma``, come as Python numbers. (A float32 array times a Python ``float`` stays
  float32, times an ``np.float64`` it becomes float64.) A single number is returned as a Python number; a NumPy scalar
  passes too.
- An array is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times), unless a
  docstring says otherwise. Arrays of integers, single integers and truth values must be exact. Integers, given or
  computed, and sums of their products stay below 2**53: 64 bits hold them, 8 bits need not.
- "Uses your ``f``" says what helps here; nobody asks whether you call it, and other functions of yours may be called
  too. A mistake in what you call then shows here as well.
- What stands after "Forbidden" may be used neither here nor in what you call here. Where there is no such line, all
  is allowed. (SciPy and PyTorch cannot be imported where this file is graded.)

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations


from collections.abc import Callable
from typing import Literal

import numpy as np
from jaxtyping import Float, Int64, Real, UInt8

Pair = int | tuple[int, int]
Signal = Float[np.ndarray, " length"]

Wide = np.longdouble

BLOCK = 96

def _pair(value):
    return tuple(value) if isinstance(value, tuple) else (value,) * 2

def _dtype(*arrays):
    return np.float32 if {a.dtype for a in arrays} == {np.dtype(np.float32)} else np.float64

def _fourier(n):
    """The matrix of the discrete Fourier transform of n samples, in the widest complex numbers there are."""
    turns = np.outer(np.arange(n), np.arange(n)) % n
    angles = 2 * np.arctan2(Wide(0), Wide(-1)) * turns.astype(Wide) / n
    return np.cos(angles) - 1j * np.sin(angles)

def _spectrum(x, height, width):
    """The transform of images (..., H, W), continued by zeros to (height, width)."""
    rows, columns = _fourier(height)[:, : x.shape[-2]], _fourier(width)[: x.shape[-1]]
    return rows @ (x @ columns)

def _signal(spectrum):
    height, width = spectrum.shape[-2:]
    return (np.conj(_fourier(height)) @ spectrum @ np.conj(_fourier(width))).real / (height * width)

def _whole(x, h):
    """Full convolution of two signals, by products of spectra of short pieces."""
    x, h = x.astype(Wide), h.astype(Wide)
    y = np.zeros(x.size + h.size - 1, Wide)
    for i in range(0, x.size, BLOCK):
        for j in range(0, h.size, BLOCK):
            one, other = x[i : i + BLOCK], h[j : j + BLOCK]
            n = one.size + other.size - 1
            matrix = _fourier(n)
            spectrum = (matrix[:, : one.size] @ one) * (matrix[:, : other.size] @ other)
            y[i + j : i + j + n] += (np.conj(matrix) @ spectrum).real / n
    return y

def _starts(size, kernel, stride, padding):
    return stride * np.arange(output_size(size, kernel, stride=stride, padding=padding))

def _both_starts(size, kernel_size, stride, padding):
    sides = zip(_pair(size), _pair(kernel_size), _pair(stride), _pair(padding))
    return [_starts(*side) for side in sides]

def _framed(x, padding):
    """Zeros around images."""
    ph, pw = _pair(padding)
    rows = np.zeros((*x.shape[:-2], ph, x.shape[-1]), x.dtype)
    x = np.concatenate([rows, x, rows], axis=-2)
    columns = np.zeros((*x.shape[:-1], pw), x.dtype)
    return np.concatenate([columns, x, columns], axis=-1)

def _differ(left, right):
    gap, top = np.ptp([left, right], axis=0).max(), np.abs([left, right]).max()
    return gap > 1e-7 * top


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

    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.fft, scipy.
    Handout: §1 Convolution.
    """
    if x.shape[0] == 0 or h.shape[0] == 0:
        raise ValueError("nothing to convolve")
    return _whole(x, h).astype(_dtype(x, h))


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

    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.fft, scipy.
    Handout: §4 Correlation.
    """
    if x.shape[0] < h.shape[0]:
        raise ValueError("h does not fit into x")
    return _whole(x, h[::-1])[h.size - 1 : x.size].astype(_dtype(x, h))


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

    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.fft, scipy.
    Handout: §1 Convolution.
    """
    matrix = np.zeros((n, n + h.size), _dtype(h))
    matrix[:, : h.size] = h
    # cut into rows one shorter, each begins one sample earlier than the one before
    return matrix.ravel()[: n * (n + h.size - 1)].reshape(n, n + h.size - 1).T


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
        The answer as it is, loud or quiet, shape (length,), float64.

    Handout: §2 Linear and time-invariant.
    """
    impulse = np.zeros(length)
    impulse[0] = 1
    return np.asarray(system(impulse)) + 0.0


def is_linear(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    """Decide by experiment whether a system is linear.

    A system S is linear when it is additive, S(u + v) = S(u) + S(v), and homogeneous, S(a * u) = a * S(u), for all
    signals u, v and all numbers a. Homogeneity alone is not enough: a median filter has it and is not additive.

    You see the system only through its outputs. It takes and returns float64 signals of shape (length,), is
    deterministic and keeps nothing from one call to the next. It does not write into its argument, but may return it,
    or a view of it. It need not be time-invariant.

    Some nonlinear systems behave linearly for signals that are small enough, or large enough: a clipper does not touch
    what stays below its threshold. Each one you meet violates linearity clearly for random signals of both signs,
    somewhere between amplitudes (standard deviations or largest values) of 0.01 and 100: by more than a hundredth of
    the largest value on either side of the equation. A linear one fulfils it up to rounding errors, which are below
    1e-12 of that value for random signals. The outputs may be loud or quiet, 1e7 or 1e-13 times as large as the
    signals.

    Args:
        system: the function to be judged.
        length: number of samples of its signals, at least 16.
        rng: source of randomness for the test signals.

    Returns:
        True if no experiment contradicts linearity, else False.

    Handout: §2 Linear and time-invariant.
    """
    for level in 10.0 ** np.arange(-2, 2.01, 0.2):
        for signals in (level * rng.normal(size=(3, length)), level * rng.uniform(-1, 1, (3, length))):
            a, b, c = rng.uniform(0.5, 1.5, 3) * rng.choice([-1, 1], 3)
            answers = np.array([np.array(system(signal)) for signal in signals])
            for weights in ((1, 1, 0), (a, 0, 0), (a, b, c)):
                weights = np.array(weights)
                if _differ(np.array(system(weights @ signals)), weights @ answers):
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
    deterministic and keeps nothing from one call to the next. It does not write into its argument, but may return it,
    or a view of it. Its output at n depends on no sample after n + 2; only those that keep every k-th sample, like the
    one above, look further ahead. It takes for zero whatever comes before the first sample and after the last. So the
    equation can fail at the right end for a system that looks ahead, time-invariant or not: a sample that the delay
    pushes out there is lost to it.

    It need not be linear, and may change its behaviour at any sample, the first and the last too. One that changes
    periodically does not show it at delays of whole periods; a nonlinear one may show it only for signals that are
    large enough, or small enough. Each system that is not time-invariant shows it clearly for random signals of both
    signs and some delay, somewhere between amplitudes (standard deviations or largest values) of 0.01 and 100: by more
    than a hundredth of the largest value on either side of the equation, over the samples that it compares. One that is
    fulfils it up to rounding errors, which are below 1e-12 of that value for random signals. The outputs may be loud or
    quiet, 1e7 or 1e-13 times as large as the signals.

    Args:
        system: the function to be judged.
        length: number of samples of its signals, at least 16.
        rng: source of randomness for the test signals.

    Returns:
        True if no experiment contradicts time-invariance, else False.

    Handout: §2 Linear and time-invariant.
    """
    for level in 10.0 ** np.arange(-2, 2.01, 0.25):
        for delay in range(length - 1, 0, -1):
            for uniform in (False, True):
                x = level * (rng.uniform(-1, 1, length) if uniform else rng.normal(size=length))
                x[length - delay :] = 0
                first = np.array(system(x.copy()))[: length - delay]
                second = np.array(system(np.roll(x, delay)))[delay:]
                if _differ(first, second):
                    return False
    return True


def cosine_similarity(a: Real[np.ndarray, " n"], b: Real[np.ndarray, " n"]) -> float:
    """Cosine of the angle between two vectors: their inner product once the lengths are taken out.

        a . b / (|a| |b|)

    It lies between -1 and 1 (up to rounding errors), and scaling a vector by a positive number does not change it, as
    long as lengths stay between 1e-50 and 1e50. Where one vector or both are float32, lengths are between 1e-8 and 1e8,
    and errors up to 1e-4 pass. The zero vector has no direction: its
    cosine with any vector is defined as 0 here.

    Args:
        a: vector, shape (n,).
        b: vector, shape (n,).

    Returns:
        The cosine, a Python float.

    Forbidden: scipy.
    Handout: §4 Correlation.
    """
    a, b = a.astype(Wide), b.astype(Wide)
    if not (a.any() and b.any()):
        return 0.0
    a, b = a / np.abs(a).max(), b / np.abs(b).max()
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))


def match_template(x: Real[np.ndarray, " n"], template: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    """Look for a template in a signal by zero-mean normalized cross-correlation.

    The score at i compares the window x[i], ..., x[i + m - 1] with the template, after the window has lost its own
    mean and the template its own:

        score[i] = cosine of the angle between (window - mean of window) and (template - mean of template)

    It is 1 where the window is the template up to contrast and brightness (a * template + b with a > 0), and -1 where
    it is the negative. A bright plateau, which wins in plain cross-correlation, gets nothing: a constant window, all
    of whose samples are equal, scores exactly 0, and so does every window if the template is constant. Rounding errors
    in a mean, larger ones in float32, must not hide that a window is constant. In float64, signal and template, one or
    both, may lie far from zero, at 10 000 plus or minus 0.02, say, or be faint throughout, down to 1e-12: their scores
    must be as exact as others. A window may also be 100 000 times fainter than others of the same signal.

    Args:
        x: signal, shape (n,).
        template: what to look for, shape (m,), m >= 1.

    Returns:
        The scores, shape (n - m + 1,), in the common floating dtype.

    Raises:
        ValueError: the template is longer than x.

    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.corrcoef, np.cov,
    np.ma.corrcoef, np.ma.cov, statistics.correlation, statistics.covariance, scipy.
    Handout: §4 Correlation.
    """
    places = x.size - template.size + 1
    if places < 1:
        raise ValueError("the template does not fit into x")
    windows = x.astype(Wide)[np.arange(places)[:, None] + np.arange(template.size)]
    wanted = template.astype(Wide)
    shaped = (windows.max(axis=1) > windows.min(axis=1)) & bool(wanted.max() > wanted.min())
    windows, wanted = windows[shaped], wanted - wanted.mean()
    windows = windows - windows.mean(axis=1, keepdims=True)
    scores = np.zeros(places, Wide)
    scores[shaped] = windows @ wanted / np.sqrt((windows**2).sum(axis=1) * (wanted**2).sum())
    return scores.astype(_dtype(x, template))


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

    Handout: §3 Padding.
    """
    last = size + 2 * padding - dilation * (kernel_size - 1) - 1
    windows, _ = divmod(last + stride, stride)
    if windows <= 0:
        raise ValueError("no window fits")
    return windows


def pad2d(
    x: Real[np.ndarray, "... H W"], padding: Pair, mode: Literal["zeros", "replicate", "reflect"] = "zeros"
) -> Real[np.ndarray, "... H+2*ph W+2*pw"]:
    """Pad the last two axes: ph rows above and below, pw columns left and right.

    What a row ``a b c`` becomes with pw = 2:

        zeros:      0 0 a b c 0 0
        replicate:  a a a b c c c    the nearest sample of the edge
        reflect:    c b a b c b a    mirrored at the edge sample, which is not repeated

    Args:
        x: images, shape (..., H, W), any number of leading axes (also none), any real dtype.
        padding: (ph, pw) or one number for both, >= 0.
        mode: how the new samples are filled, on both axes.

    Returns:
        The padded images, shape (..., H + 2 * ph, W + 2 * pw); keeps the dtype.

    Raises:
        ValueError: mode is "reflect" and ph >= H or pw >= W, which leaves no sample to mirror.

    Forbidden: np.pad, scipy.
    Handout: §3 Padding.
    """
    (ph, pw), (height, width) = _pair(padding), x.shape[-2:]
    if mode == "zeros":
        return _framed(x, (ph, pw))
    rows, columns = np.arange(-ph, height + ph), np.arange(-pw, width + pw)
    if mode == "replicate":
        return x.take(rows, axis=-2, mode="clip").take(columns, axis=-1, mode="clip")
    if ph >= height or pw >= width:
        raise ValueError("nothing to mirror")
    rows, columns = np.abs(rows), np.abs(columns)
    rows, columns = np.minimum(rows, 2 * height - 2 - rows), np.minimum(columns, 2 * width - 2 - columns)
    return np.take(np.take(x, rows, axis=-2), columns, axis=-1)


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
        or leaves some over, and all where every window lies in the padding.

    Raises:
        ValueError: the window (kh, kw) is larger than the padded image.

    Uses your ``output_size``.
    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.pad, np.fft, scipy.
    Handout: §3 Padding.
    """
    counts = []
    for n, k, p, starts in zip(
        _pair(size), _pair(kernel_size), _pair(padding), _both_starts(size, kernel_size, stride, padding)
    ):
        seen = (starts[:, None] + np.arange(k)).ravel()
        counts.append(np.bincount(seen, minlength=n + 2 * p)[p : p + n])
    return np.outer(*counts).astype(np.int64)


def correlate2d(x: Real[np.ndarray, "H W"], w: Real[np.ndarray, "kh kw"]) -> Float[np.ndarray, "H-kh+1 W-kw+1"]:
    """Cross-correlate an image with a kernel wherever the kernel fits ("valid"), without flipping it.

        y[i, j] = sum over u, v of x[i + u, j + v] * w[u, v]

    Args:
        x: image, shape (H, W), floating or integer (uint8 too, which would overflow if it were not converted).
        w: kernel, shape (kh, kw), not larger than the image.

    Returns:
        y, shape (H - kh + 1, W - kw + 1), in the common floating dtype.

    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.fft, scipy.
    Handout: §4 Correlation.
    """
    (height, width), (kh, kw) = x.shape, w.shape
    product = _spectrum(x.astype(Wide), height, width) * np.conj(_spectrum(w.astype(Wide), height, width))
    return _signal(product)[: height - kh + 1, : width - kw + 1].astype(_dtype(x, w))


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
        sigma: standard deviation of the Gaussian in pixels, between 0.001 and 1000; the other kernels do not use it.

    Returns:
        The kernel, shape (size, size), float64.

    Raises:
        ValueError: the size is even or below 3, or it is not 3 and the kernel exists as 3 x 3 only, or there is no
            kernel of that name.

    Forbidden: scipy.
    Handout: §5 Filtering photographs.
    """
    if size < 3 or not size & 1:
        raise ValueError("odd sizes only, from 3")
    half = size // 2
    delta = np.zeros((size, size))
    delta[half, half] = 1
    line = np.arange(-half, half + 1.0)
    bell = np.exp(-0.5 * (line / sigma) ** 2)
    kernels = {
        "identity": delta,
        "edge": size * size * delta - 1,
        "box": np.ones((size, size)) / (size * size),
        "gaussian": np.outer(bell / bell.sum(), bell / bell.sum()),
    }
    if size == 3:
        kernels["laplacian"] = 4 * delta - np.roll(delta, 1, 0) - np.roll(delta, -1, 0) - np.roll(delta, 1, 1)
        kernels["laplacian"] -= np.roll(delta, -1, 1)
        kernels["sharpen"] = delta + kernels["laplacian"]
    if name not in kernels:
        raise ValueError("no such kernel")
    return kernels[name]


def filter_image(
    image: UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"],
    kernel: Real[np.ndarray, "kh kw"],
    *,
    mode: Literal["zeros", "replicate", "reflect"] = "replicate",
) -> UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"]:
    """Filter a photograph: pad, cross-correlate, and return to 8 bits, without changing the size.

    The kernel's centre lies on the pixel that is computed; the kernel is not flipped. A colour image is filtered
    channel by channel. Responses, which may be of any size, are first rounded to the nearest integer (at halves, up to
    rounding errors, either neighbour will do), then clipped to 0...255.

    Args:
        image: grey (H, W) or colour (H, W, 3), uint8.
        kernel: shape (kh, kw), both odd; of any real dtype, int8 too.
        mode: padding as in ``pad2d``; with "reflect" the kernel is not too large for that.

    Returns:
        The filtered image, shape of ``image``, uint8.

    Raises:
        ValueError: kh or kw is even, so that the kernel has no centre.

    Uses your ``pad2d`` and ``correlate2d``.
    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.pad, np.fft, scipy.
    Handout: §5 Filtering photographs.
    """
    kh, kw = kernel.shape
    if kh * kw % 2 == 0:
        raise ValueError("no centre")
    colours = image[..., None] if image.ndim == 2 else image
    framed = pad2d(np.moveaxis(colours, 2, 0), (kh // 2, kw // 2), mode).astype(Wide)
    height, width = image.shape[:2]
    answer = np.zeros((len(framed), height, width), Wide)
    for (u, v), weight in np.ndenumerate(kernel.astype(Wide)):
        answer += weight * framed[:, u : u + height, v : v + width]
    answer = np.moveaxis(np.rint(answer).clip(0, 255).astype(np.uint8), 0, 2)
    return answer[..., 0] if image.ndim == 2 else answer


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
        y, shape (N, F, Ho, Wo), in the one dtype that x, w and b have.

    Raises:
        ValueError: x and w differ in C, or the window (kh, kw) is larger than the padded image.

    Uses your ``pad2d``.
    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.pad, np.fft, scipy.
    Handout: §6 Convolution layers.
    """
    if x.shape[1] != w.shape[1]:
        raise ValueError("x and w differ in C")
    rows, columns = _both_starts(x.shape[2:], w.shape[2:], stride, padding)
    framed = _framed(x, padding).astype(Wide)
    size = framed.shape[2:]
    image, kernel = _spectrum(framed, *size), np.conj(_spectrum(w.astype(Wide), *size))
    y = _signal((image[:, None] * kernel).sum(axis=2))
    return (y[:, :, rows[:, None], columns] + b.astype(Wide)[:, None, None]).astype(x.dtype)


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
        (dx, dw, db), with the shapes of x, w and b, in the one dtype that dy, x and w have.

    Uses your ``pad2d``.
    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.pad, np.fft, scipy.
    Handout: §7 The backward pass.
    """
    (sh, sw), (ph, pw), (kh, kw), (height, width) = _pair(stride), _pair(padding), w.shape[2:], x.shape[2:]
    framed = _framed(x, padding).astype(Wide)
    size = framed.shape[2:]
    apart = np.zeros((*dy.shape[:2], *size), Wide)  # every slope at the place where its window begins
    apart[:, :, : sh * dy.shape[2] : sh, : sw * dy.shape[3] : sw] = dy
    slopes, kernel, image = _spectrum(apart, *size), _spectrum(w.astype(Wide), *size), _spectrum(framed, *size)
    dx = _signal((slopes[:, :, None] * kernel).sum(axis=1))[:, :, ph : ph + height, pw : pw + width]
    dw = _signal((np.conj(slopes)[:, :, None] * image[:, None]).sum(axis=0))[:, :, :kh, :kw]
    return dx.astype(x.dtype), dw.astype(x.dtype), apart.sum(axis=(0, 2, 3)).astype(x.dtype)


def im2col(
    x: Real[np.ndarray, "N C H W"], kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Real[np.ndarray, "N C*kh*kw L"]:
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
        x: images, shape (N, C, H, W), any real dtype.
        kernel_size: (kh, kw) or one number for both.
        stride: (sh, sw) or one number for both, >= 1.
        padding: (ph, pw) or one number for both, >= 0.

    Returns:
        cols, shape (N, C * kh * kw, L); keeps the dtype.

    Raises:
        ValueError: the window (kh, kw) is larger than the padded image.

    Uses your ``pad2d``.
    No loop over windows is needed: NumPy can show an array under other shapes and strides without a copy
    (``np.lib.stride_tricks.sliding_window_view``, or slices with a step).
    Forbidden: np.pad, scipy.
    Handout: §6 Convolution layers.
    """
    starts = _both_starts(x.shape[2:], kernel_size, stride, padding)
    r, s = (np.add.outer(np.arange(k), start) for k, start in zip(_pair(kernel_size), starts))
    picked = _framed(x, padding)[:, :, r[:, None, :, None], s[None, :, None, :]]
    return picked.reshape(len(x), x.shape[1] * r.shape[0] * s.shape[0], r.shape[1] * s.shape[1])


def conv2d_im2col(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    """Forward pass of a convolution layer as one matrix product: the values of ``conv2d_forward``, fast.

    With the windows as the columns of one matrix and the filters as the rows of another, all outputs are one matrix
    product, which NumPy computes fast. Arguments, result and errors are those of ``conv2d_forward``.

    Speed is graded: at most 30 times the CPU time of a solution without any Python loop, on 8 images of 3 x 24 x 20
    pixels and 8 filters of 5 x 3. A loop over the positions in the kernel stays far below that; loops over images,
    filters and pixels go far beyond. (The visible test has no such solution at hand. It compares with a bare matrix
    product of the same size, which is faster, and allows 100 times its time.)

    Args:
        x: images, shape (N, C, H, W).
        w: filters, shape (F, C, kh, kw).
        b: biases, shape (F,).
        stride: (sh, sw) or one number for both, >= 1.
        padding: (ph, pw) or one number for both, >= 0.

    Returns:
        y, shape (N, F, Ho, Wo), in the one dtype that x, w and b have.

    Raises:
        ValueError: x and w differ in C, or the window (kh, kw) is larger than the padded image.

    Uses your ``im2col``.
    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.pad, np.fft, scipy.
    Handout: §6 Convolution layers.
    """
    if x.shape[1] != w.shape[1]:
        raise ValueError("x and w differ in C")
    rows, columns = _both_starts(x.shape[2:], w.shape[2:], stride, padding)
    cols = im2col(x, w.shape[2:], stride=stride, padding=padding)
    ones = np.ones_like(cols[:, :1])  # the bias is the weight of a pixel that is always 1
    affine = np.concatenate([w.reshape(len(w), -1), b[:, None]], axis=1)
    return (affine @ np.concatenate([cols, ones], axis=1)).reshape(len(x), len(w), rows.size, columns.size)


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

    Handout: §6 Convolution layers.
    """
    kh, kw = _pair(kernel_size)
    return out_channels * (in_channels * kh * kw + int(bool(bias)))


def linear_parameter_count(in_features: int, out_features: int, bias: bool = True) -> int:
    """Count the trainable numbers of a linear layer, which connects every input with every output.

    Every output has a bias of its own. From 3 features to 2 that makes 8.

    Args:
        in_features: numbers that go in.
        out_features: numbers that come out.
        bias: whether the layer adds a bias.

    Returns:
        The number of weights and biases.

    Handout: §6 Convolution layers.
    """
    return conv2d_parameter_count(in_features, out_features, 1, bias)


def learn_kernel(
    x: Float[np.ndarray, "H W"], y: Float[np.ndarray, "H-kh+1 W-kw+1"], kernel_size: Pair, *, lr: float, steps: int
) -> tuple[Float[np.ndarray, "kh kw"], Float[np.ndarray, " steps"]]:
    """Find the kernel that turns one image into another, by gradient descent.

    The kernel w starts at zero everywhere. With the loss

        L(w) = mean over all outputs of (correlate2d(x, w) - y) ** 2

    each step takes the loss at the present w, then replaces w by w - lr * dL/dw, plain gradient descent on the whole
    image: no momentum, no randomness. The mean divides by the number of outputs, (H - kh + 1) * (W - kw + 1), and the
    gradient contains that division too.

    Args:
        x: image, shape (H, W).
        y: what the kernel should make of it, shape (H - kh + 1, W - kw + 1), in the dtype of x.
        kernel_size: (kh, kw) or one number for both.
        lr: learning rate, > 0.
        steps: number of steps, >= 0.

    Returns:
        (w, losses), in the dtype of x and y: w after the last step, shape (kh, kw), and the loss before each step,
        shape (steps,), however little a step changes w. So losses[0] is the mean of y ** 2, and the loss of the
        returned w is not among them.

    Uses your ``correlate2d``.
    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.fft, scipy.
    Handout: §8 Learning a kernel.
    """
    kh, kw = _pair(kernel_size)
    windows = im2col(x[None, None].astype(Wide), (kh, kw))[0]
    target = y.astype(Wide).ravel()
    # L(w) = w A w - 2 w a + c: all that the images say about w
    curved, slope, constant = windows @ windows.T / target.size, windows @ target / target.size, np.mean(target**2)
    w, losses = np.zeros(kh * kw, Wide), np.zeros(steps, Wide)
    for step in range(steps):
        losses[step] = w @ (curved @ w) - 2 * (w @ slope) + constant
        w = w - 2 * Wide(lr) * (curved @ w - slope)
    return w.reshape(kh, kw).astype(x.dtype), losses.astype(x.dtype)


def col2im(
    cols: Float[np.ndarray, "N C*kh*kw L"], size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
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
        cols: columns, shape (N, C * kh * kw, L), L = Ho * Wo; none, L = 0, where no window fits.
        size: (H, W) of the images, before padding, or one number for both.
        kernel_size: (kh, kw) or one number for both.
        stride: (sh, sw) or one number for both, as for ``im2col``.
        padding: (ph, pw) or one number for both, as for ``im2col``.

    Returns:
        x, shape (N, C, H, W); keeps the dtype.

    Raises:
        ValueError: the window (kh, kw) is larger than the padded image.

    Uses your ``output_size``.
    Forbidden: np.pad, scipy.
    Handout: §7 The backward pass.
    """
    (height, width), (kh, kw), (ph, pw) = _pair(size), _pair(kernel_size), _pair(padding)
    rows, columns = _both_starts(size, kernel_size, stride, padding)
    places = np.arange((height + 2 * ph) * (width + 2 * pw)).reshape(1, 1, height + 2 * ph, width + 2 * pw)
    places = im2col(places, (kh, kw), stride=stride).ravel()
    planes = cols.reshape(-1, kh * kw * rows.size * columns.size)
    sums = np.array([np.bincount(places, plane, (height + 2 * ph) * (width + 2 * pw)) for plane in planes])
    framed = sums.reshape(len(cols), -1, height + 2 * ph, width + 2 * pw)
    return framed[:, :, ph : ph + height, pw : pw + width].astype(cols.dtype)
