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

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import chain, count, takewhile
from collections.abc import Callable
from typing import Literal

import numpy as np
from jaxtyping import Float, Int64, Real, UInt8

Pair = int | tuple[int, int]
Signal = Float[np.ndarray, " length"]

@dataclass(frozen=True)
class Axis:
    """One axis of an image, with the windows that slide along it."""

    size: int
    kernel: int
    stride: int = 1
    padding: int = 0
    dilation: int = 1

    @property
    def span(self) -> int:
        return self.dilation * (self.kernel - 1) + 1

    @property
    def padded(self) -> int:
        return self.size + 2 * self.padding

    def starts(self) -> Iterator[int]:
        return takewhile(lambda start: start + self.span <= self.padded, count(0, self.stride))

    @cached_property
    def windows(self) -> int:
        if self.span > self.padded:
            raise ValueError(f"a window of {self.span} does not fit into {self.padded}")
        return (self.padded - self.span) // self.stride + 1

    @cached_property
    def seen(self) -> np.ndarray:
        """seen[o, u] is the padded sample that place u of window o looks at."""
        return np.add.outer(self.stride * np.arange(self.windows), self.dilation * np.arange(self.kernel))

def pair(value) -> tuple[int, int]:
    match value:
        case (first, second):
            return first, second
        case single:
            return single, single

def axes(size, kernel, stride, padding) -> tuple[Axis, Axis]:
    rows, columns = (Axis(*numbers) for numbers in zip(*map(pair, (size, kernel, stride, padding)), strict=True))
    _ = rows.windows, columns.windows  # both must hold one at least
    return rows, columns

class Numbers:
    """Arrays in float64 that remember the dtype which an answer made of them has."""

    def __init__(self, *arrays: np.ndarray) -> None:
        self.dtype = np.result_type(*(a.dtype if a.dtype == np.float32 else np.float64 for a in arrays))
        self.arrays = tuple(a.astype(np.float64) for a in arrays)

    def __iter__(self) -> Iterator[np.ndarray]:
        return iter(self.arrays)

    def __rshift__(self, answer) -> np.ndarray:
        return np.asarray(answer, dtype=np.float64).astype(self.dtype)

class Polynomial:
    """A signal as the coefficients of a polynomial: the product of two is their convolution."""

    def __init__(self, coefficients: np.ndarray) -> None:
        self.coefficients = coefficients

    def __len__(self) -> int:
        return len(self.coefficients)

    def halves(self) -> tuple["Polynomial", "Polynomial"]:
        middle = len(self) // 2
        return Polynomial(self.coefficients[:middle]), Polynomial(self.coefficients[middle:])

    def __mul__(self, other: "Polynomial") -> "Polynomial":
        if len(self) == 1:
            return Polynomial(self.coefficients[0] * other.coefficients)
        if len(other) == 1:
            return other * self
        low, high = self.halves()
        total = np.zeros(len(self) + len(other) - 1)
        for offset, part in ((0, low * other), (len(low), high * other)):
            total[offset : offset + len(part)] += part.coefficients
        return Polynomial(total)

class Gather:
    """The linear map that lays the windows of padded images out as columns, with its transpose."""

    def __init__(self, rows: Axis, columns: Axis) -> None:
        self.rows, self.columns = rows, columns

    @cached_property
    def places(self) -> tuple[np.ndarray, np.ndarray]:
        """Row and column in the padded image of entry [u, v, i, j]."""
        return self.rows.seen.T[:, None, :, None], self.columns.seen.T[None, :, None, :]

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows.windows, self.columns.windows

    def __matmul__(self, images: np.ndarray) -> np.ndarray:
        inside = [range(axis.padding, axis.padding + axis.size) for axis in (self.rows, self.columns)]
        framed = np.zeros((*images.shape[:2], self.rows.padded, self.columns.padded), images.dtype)
        framed[:, :, slice(inside[0].start, inside[0].stop), slice(inside[1].start, inside[1].stop)] = images
        laid = framed[:, :, *self.places]
        return laid.reshape(*images.shape[:1], -1, math.prod(self.shape))

    def scatter(self, columns: np.ndarray) -> np.ndarray:
        """Transposed: what a pixel was copied to comes back to it, added up."""
        rows, cols = self.rows, self.columns
        blocks = columns.reshape(len(columns), -1, rows.kernel, cols.kernel, *self.shape)
        framed = np.zeros((*blocks.shape[:2], rows.padded, cols.padded), columns.dtype)
        np.add.at(framed, (slice(None), slice(None), *self.places), blocks)
        return framed[:, :, rows.padding :, cols.padding :][:, :, : rows.size, : cols.size]

def layer(x: np.ndarray, w: np.ndarray, stride, padding) -> Gather:
    if x.shape[1] != w.shape[1]:
        raise ValueError("x and w differ in C")
    return Gather(*axes(x.shape[2:], w.shape[2:], stride, padding))

def agree(left: np.ndarray, right: np.ndarray) -> bool:
    loud = max(np.max(np.abs(left), initial=0), np.max(np.abs(right), initial=0))
    return bool(np.all(np.abs(left - right) <= 1e-9 * loud))

def trials(rng: np.random.Generator, length: int) -> Iterator[np.ndarray]:
    """Random signals of both signs, from faint to loud."""
    for scale in np.logspace(-2, 2, 25):
        yield scale * rng.standard_normal(length)
        yield scale * rng.choice([-1.0, 1.0], length) * rng.random(length)

def chained(*pieces: np.ndarray) -> np.ndarray:
    return np.fromiter(chain(*pieces), np.float64)

def unit(samples: np.ndarray) -> np.ndarray:
    """The samples without mean, scaled to length 1; zeros where all are equal."""
    if np.all(samples == samples[0]):
        return np.zeros(len(samples))
    differences = samples - samples[len(samples) // 2]
    differences = differences / np.max(np.abs(differences))
    differences = differences - np.sum(differences) / len(differences)
    return differences / math.sqrt(differences @ differences)

def frame(x: np.ndarray, axis: int, width: int, mode: str) -> np.ndarray:
    """Pad one axis by one sample on each side, and the result again until ``width`` of them are there."""
    x = np.moveaxis(x, axis, -1)
    original = x

    def grow(inner: np.ndarray, done: int) -> np.ndarray:
        match mode:
            case "zeros":
                left = right = np.zeros_like(inner[..., :1])
            case "replicate":
                left, right = inner[..., :1], inner[..., -1:]
            case "reflect":
                n = original.shape[-1]
                left, right = original[..., done + 1, None], original[..., n - 2 - done, None]
        return np.concatenate([left, inner, right], axis=-1)

    return np.moveaxis(reduce(grow, range(width), x), -1, axis)


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
    if not (len(x) and len(h)):
        raise ValueError("a signal without samples")
    given = Numbers(x, h)
    first, second = map(Polynomial, given)
    return given >> (first * second).coefficients


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
    if len(h) > len(x):
        raise ValueError("h is longer than x")
    given = Numbers(x, h)
    signal, searched = given
    spots = len(signal) - len(searched) + 1
    return given >> reduce(np.add, (weight * signal[k : k + spots] for k, weight in enumerate(searched)))


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
    given = Numbers(h)
    (response,) = given

    def columns(left: int) -> Iterator[np.ndarray]:
        if left:
            yield chained(np.zeros(n - left), response, np.zeros(left - 1))
            yield from columns(left - 1)

    if n < 500:
        return given >> np.stack(list(columns(n)), axis=1)
    matrix = np.zeros((n + len(response) - 1, n))  # too deep for a recursion
    for k in range(n):
        matrix[k : k + len(response), k] = response
    return given >> matrix


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
    return np.array(system(np.fromiter((n == 0 for n in range(length)), np.float64, length)), copy=True)


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
    def lawful(u: np.ndarray) -> bool:
        v = np.std(u) * rng.standard_normal(length)
        of_u, of_v = np.array(system(u.copy())), np.array(system(v.copy()))
        return (
            agree(np.array(system(u + v)), of_u + of_v)
            and agree(np.array(system(u - v)), of_u - of_v)
            and agree(np.array(system(-0.37 * u)), -0.37 * of_u)
        )

    return all(map(lawful, trials(rng, length)))


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
    def lawful(x: np.ndarray) -> bool:
        for k in range(1, length):
            body = x[: length - k]
            early = np.array(system(chained(body, np.zeros(k))))
            late = np.array(system(chained(np.zeros(k), body)))
            if not agree(late[k:], early[: length - k]):
                return False
        return True

    return all(map(lawful, trials(rng, length)))


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
    first, second = (math.sqrt(vector @ vector) for vector in Numbers(a, b))
    if 0 in (first, second):
        return 0.0
    left, right = Numbers(a, b)
    return float((left / first) @ (right / second))


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
    if len(template) > len(x):
        raise ValueError("the template is longer than x")
    given = Numbers(x, template)
    signal, searched = given
    wanted = unit(searched)
    return given >> [unit(signal[i : i + len(searched)]) @ wanted for i in range(len(signal) - len(searched) + 1)]


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
    return Axis(size, kernel_size, stride, padding, dilation).windows


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
    ph, pw = pair(padding)
    if mode == "reflect" and (ph >= x.shape[-2] or pw >= x.shape[-1]):
        raise ValueError("no sample to mirror")
    return frame(frame(x, -2, ph, mode), -1, pw, mode)


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
    gather = Gather(*axes(size, kernel_size, stride, padding))
    ones = np.ones((1, gather.rows.kernel * gather.columns.kernel, math.prod(gather.shape)), np.int64)
    return gather.scatter(ones)[0, 0]


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
    given = Numbers(x, w)
    image, kernel = given
    (height, width), (kh, kw) = x.shape, w.shape
    shifted = (
        kernel[u, v] * image[u : u + height - kh + 1, v : v + width - kw + 1] for u in range(kh) for v in range(kw)
    )
    return given >> reduce(np.add, shifted)


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
    if size % 2 == 0 or size < 3 or (name in {"laplacian", "sharpen"} and size != 3):
        raise ValueError("the size")
    u, v = np.mgrid[:size, :size] - float(size // 2)
    match name:
        case "identity":
            return np.where((u == 0) & (v == 0), 1.0, 0.0)
        case "edge":
            return size**2 * make_kernel("identity", size) - 1
        case "laplacian":
            return make_kernel("sharpen") - make_kernel("identity")
        case "sharpen":
            return np.array([[0.0, -1.0, 0.0], [-1.0, 5.0, -1.0], [0.0, -1.0, 0.0]])
        case "box":
            return np.ones((size, size)) / size / size
        case "gaussian":
            bell = np.exp(-(u**2) / (2 * sigma**2)) * np.exp(-(v**2) / (2 * sigma**2))
            return bell / bell.sum()
        case _:
            raise ValueError(name)


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
    if not all(side % 2 for side in kernel.shape):
        raise ValueError("no centre")
    if image.ndim == 3:
        planes = np.moveaxis(image, -1, 0)
        return np.moveaxis(np.array([filter_image(plane, kernel, mode=mode) for plane in planes]), 0, -1)
    kh, kw = kernel.shape
    framed = pad2d(image.astype(np.float64), (kh // 2, kw // 2), mode)
    response = correlate2d(framed, kernel.astype(np.float64))
    return np.floor(np.clip(response, 0, 255) + 0.5).astype(np.uint8)


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
    gather = layer(x, w, stride, padding)
    (ho, wo), columns = gather.shape, gather @ x
    y = np.tensordot(columns, w.reshape(len(w), -1), axes=(1, 1)) + b
    return np.moveaxis(y, 2, 1).reshape(len(x), len(w), ho, wo)


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
    gather = layer(x, w, stride, padding)
    slopes, flat = dy.reshape(*dy.shape[:2], -1), w.reshape(len(w), -1)
    dw = sum(slope @ columns.T for slope, columns in zip(slopes, gather @ x))
    return gather.scatter(flat.T @ slopes), dw.reshape(w.shape), slopes.sum(axis=2).sum(axis=0)


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
    return Gather(*axes(x.shape[2:], kernel_size, stride, padding)) @ x


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
    gather = layer(x, w, stride, padding)
    y = w.reshape(len(w), -1) @ (gather @ x)
    y += b[:, np.newaxis]
    return y.reshape(len(x), len(w), *gather.shape)


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
    return linear_parameter_count(in_channels * math.prod(pair(kernel_size)), out_channels, bias)


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
    return (in_features + bool(bias)) * out_features


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
    given = Numbers(x, y)
    image, target = given
    kernel_size = pair(kernel_size)

    def descent(w: np.ndarray) -> Iterator[tuple[float, np.ndarray]]:
        while True:
            error = correlate2d(image, w) - target
            w = w - lr * correlate2d(image, 2 * error / error.size)
            yield float(np.mean(error**2)), w

    w, losses = np.zeros(kernel_size), []
    for _, (loss, w) in zip(range(steps), descent(w)):
        losses.append(loss)
    return given >> w, given >> losses


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
    return Gather(*axes(size, kernel_size, stride, padding)).scatter(cols)
