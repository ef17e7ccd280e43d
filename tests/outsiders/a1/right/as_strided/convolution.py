# This file is yours: put your code where it raises NotImplementedError, then run "python -m pytest".
"""Assignment 1. Everything is a view with the right strides."""

import operator

import numpy as np
from numpy.lib.stride_tricks import as_strided

Pair = int | tuple[int, int]


def _pair(p):
    try:
        return (operator.index(p),) * 2
    except TypeError:
        a, b = p
        return operator.index(a), operator.index(b)


def _float_dtype(*arrays):
    dtype = np.result_type(*arrays)
    return dtype if dtype.kind == "f" else np.dtype("float64")


def _hankel(x, m):
    """View of x with rows x[i : i + m]."""
    (s,) = x.strides
    return as_strided(x, (len(x) - m + 1, m), (s, s), writeable=False)


def _view(xp, kh, kw, sh, sw):
    """View (N, C, kh, kw, Ho, Wo) of padded images."""
    N, C, H, W = xp.shape
    if kh > H or kw > W:
        raise ValueError(f"window {kh} x {kw} in {H} x {W}")
    a, b, r, q = xp.strides
    shape = N, C, kh, kw, (H - kh) // sh + 1, (W - kw) // sw + 1
    return as_strided(xp, shape, (a, b, r, q, r * sh, q * sw), writeable=False)


def convolve(x, h):
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
    if len(x) == 0 or len(h) == 0:
        raise ValueError("empty")
    dtype = _float_dtype(x, h)
    return convolution_matrix(h.astype(dtype), len(x)) @ x.astype(dtype)


def cross_correlate(x, h):
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
    if len(h) > len(x):
        raise ValueError("h longer than x")
    dtype = _float_dtype(x, h)
    return _hankel(x.astype(dtype), len(h)) @ h.astype(dtype)


def convolution_matrix(h, n):
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
    m = len(h)
    rows = n + m - 1
    M = np.zeros((rows, n), _float_dtype(h))
    # The entry (k + j, k) lies k * (n + 1) + j * n places after the first one.
    size = M.itemsize
    as_strided(M, (n, m), ((n + 1) * size, n * size))[:] = h
    return M


def impulse_response(system, length):
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
    return np.asarray(system(impulse), dtype=np.float64)


_AMPLITUDES = 10.0 ** np.arange(-2.4, 2.41, 0.2)


def is_linear(system, length, *, rng):
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
    def run(x):
        return np.array(system(np.array(x)))

    def agree(p, q, *others):
        top = max(np.abs(s).max() for s in (p, q, *others))
        return np.abs(p - q).max() <= 3e-10 * top

    for amplitude in _AMPLITUDES:
        for shape in ("normal", "uniform", "sparse", "constant"):
            if shape == "normal":
                u, v = rng.standard_normal((2, length))
            elif shape == "uniform":
                u, v = rng.uniform(-1, 1, (2, length))
            elif shape == "sparse":
                u, v = rng.standard_normal((2, length)) * (rng.random((2, length)) < 0.3)
            else:
                u, v = np.ones(length), rng.standard_normal(length)
            u, v = amplitude * u, amplitude * v
            a = rng.normal(0, 2)
            su, sv = run(u), run(v)
            if not agree(run(u + v), su + sv, su, sv):
                return False
            if not agree(run(a * u), a * su):
                return False
    return True


def is_time_invariant(system, length, *, rng):
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
    def run(x):
        return np.array(system(np.array(x)))

    for k in range(1, length):
        for amplitude in _AMPLITUDES:
            x = np.zeros(length + k)
            x[k:length] = amplitude * rng.standard_normal(length - k)
            # x[k:] is the signal and x[:length] the same one, delayed
            now, later = run(x[k:]), run(x[:length])
            limit = 3e-10 * max(np.abs(now).max(), np.abs(later).max())
            if np.abs(later[k:] - now[: length - k]).max() > limit:
                return False
    return True


def _unit(a):
    """a over its norm, whatever its magnitude; zero remains zero."""
    a = np.asarray(a, np.float64)
    top = np.abs(a).max(initial=0)
    if top == 0:
        return a
    a = a / top
    return a / np.sqrt(a @ a)


def cosine_similarity(a, b):
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
    return float(_unit(a) @ _unit(b))


def match_template(x, template):
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

    Forbidden: np.convolve, np.correlate, np.corrcoef, np.cov, np.fft, scipy.
    Handout: §4 Correlation.
    """
    m = len(template)
    if m > len(x):
        raise ValueError("template longer than x")
    t = template.astype(np.float64)
    windows = _hankel(x.astype(np.float64), m)
    # Differences to the first sample of the window are exactly 0 if all samples are equal.
    windows = windows - windows[:, :1]
    t = t - t[0]
    scores = np.zeros(len(windows))
    if t.any():
        t = _unit(t - t.mean())
        for i in np.flatnonzero(windows.any(axis=1)):
            scores[i] = _unit(windows[i] - windows[i].mean()) @ t
    return scores.astype(_float_dtype(x, template))


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
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
    left_over = size + 2 * padding - (dilation * (kernel_size - 1) + 1)
    if left_over < 0:
        raise ValueError("not one window fits")
    return 1 + left_over // stride


def pad2d(x, padding, mode="zeros"):
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
    H, W = x.shape[-2:]
    y = np.zeros(x.shape[:-2] + (H + 2 * ph, W + 2 * pw), x.dtype)
    y[..., ph : ph + H, pw : pw + W] = x
    if mode == "replicate":
        y[..., :ph, :] = y[..., ph : ph + 1, :]
        y[..., ph + H :, :] = y[..., ph + H - 1 : ph + H, :]
        y[..., :pw] = y[..., pw : pw + 1]
        y[..., pw + W :] = y[..., pw + W - 1 : pw + W]
    elif mode == "reflect":
        if not (ph < H and pw < W):
            raise ValueError("nothing to reflect")
        for d in range(1, ph + 1):
            y[..., ph - d, :] = y[..., ph + d, :]
            y[..., ph + H - 1 + d, :] = y[..., ph + H - 1 - d, :]
        for d in range(1, pw + 1):
            y[..., pw - d] = y[..., pw + d]
            y[..., pw + W - 1 + d] = y[..., pw + W - 1 - d]
    elif mode != "zeros":
        raise ValueError(mode)
    return y


def window_coverage(size, kernel_size, *, stride=1, padding=0):
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
    H, W = _pair(size)
    kh, kw = _pair(kernel_size)
    sh, sw = _pair(stride)
    ph, pw = _pair(padding)
    output_size(H, kh, stride=sh, padding=ph), output_size(W, kw, stride=sw, padding=pw)
    counts = np.zeros((1, 1, H + 2 * ph, W + 2 * pw), np.int64)
    view = _view(counts, kh, kw, sh, sw)[0, 0]
    # as_strided may not be written to where it overlaps, so place by place of the kernel
    for u in range(kh):
        for v in range(kw):
            place = as_strided(counts[0, 0, u:, v:], view.shape[2:], view.strides[2:])
            place += 1
    return counts[0, 0, ph : ph + H, pw : pw + W]


def correlate2d(x, w):
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
    dtype = _float_dtype(x, w)
    view = _view(x.astype(dtype)[None, None], *w.shape, 1, 1)[0, 0]
    return np.tensordot(w.astype(dtype), view, 2)


def make_kernel(name, size=3, sigma=1.0):
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
    if size % 2 != 1 or size < 3:
        raise ValueError("size")
    if name == "box":
        return np.full((size, size), 1.0) / size**2
    if name == "gaussian":
        r2 = sum(axis**2 for axis in np.meshgrid(*[np.arange(size) - size // 2] * 2))
        g = np.exp(-r2 / (2 * sigma**2))
        return g / g.sum()
    identity = np.zeros((size, size))
    identity.flat[size * size // 2] = 1
    if name == "identity":
        return identity
    if name == "edge":
        return size * size * identity - 1
    if name not in ("laplacian", "sharpen") or size != 3:
        raise ValueError("name")
    laplacian = np.array([[0.0, -1.0, 0.0], [-1.0, 4.0, -1.0], [0.0, -1.0, 0.0]])
    return laplacian if name == "laplacian" else identity + laplacian


def filter_image(image, kernel, *, mode="replicate"):
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
    if not all(k % 2 for k in kernel.shape):
        raise ValueError("even kernel")
    channels_first = image[None] if image.ndim == 2 else image.transpose(2, 0, 1)
    margin = tuple(k // 2 for k in kernel.shape)
    result = np.empty_like(image, order="C")
    for c, plane in enumerate(channels_first):
        response = np.rint(correlate2d(pad2d(plane, margin, mode).astype(float), kernel))
        np.minimum(np.maximum(response, 0), 255, out=response)
        if image.ndim == 2:
            result[:] = response
        else:
            result[..., c] = response
    return result


def conv2d_forward(x, w, b, *, stride=1, padding=0):
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
        raise ValueError("C")
    view = _view(pad2d(x, padding), *w.shape[2:], *_pair(stride))
    y = np.tensordot(view, w, ([1, 2, 3], [1, 2, 3])) + b  # (N, Ho, Wo, F), where b does land on F
    return np.ascontiguousarray(y.transpose(0, 3, 1, 2))


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
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
    dtype = _float_dtype(dy, x, w)
    ph, pw = _pair(padding)
    sh, sw = _pair(stride)
    xp = pad2d(x, padding)
    dw = np.tensordot(dy, _view(xp, *w.shape[2:], sh, sw), ([0, 2, 3], [0, 4, 5]))
    handed_back = np.tensordot(w, dy, (0, 1))  # (C, kh, kw, N, Ho, Wo)
    dxp = np.zeros(xp.shape, dtype)
    N, C, H, W = xp.shape
    a, c, r, q = dxp.strides
    for u in range(w.shape[2]):
        for v in range(w.shape[3]):
            place = as_strided(dxp[:, :, u:, v:], (N, C, *dy.shape[2:]), (a, c, r * sh, q * sw))
            place += handed_back[:, u, v].swapaxes(0, 1)
    dx = dxp[:, :, ph : H - ph, pw : W - pw]
    return dx, dw.astype(dtype), dy.sum(axis=(0, 2, 3)).astype(dtype)


def im2col(x, kernel_size, *, stride=1, padding=0):
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
    view = _view(pad2d(x, padding), *_pair(kernel_size), *_pair(stride))
    N, C, kh, kw, Ho, Wo = view.shape
    return view.reshape(N, C * kh * kw, Ho * Wo)


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
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
        raise ValueError("C")
    F, _, kh, kw = w.shape
    cols = im2col(x, (kh, kw), stride=stride, padding=padding)
    y = w.reshape(F, -1) @ cols + b.reshape(F, 1)
    Ho = (x.shape[2] + 2 * _pair(padding)[0] - kh) // _pair(stride)[0] + 1
    return y.reshape(len(x), F, Ho, y.shape[2] // Ho)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
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
    weights = out_channels * in_channels * kh * kw
    return weights + out_channels if bias else weights


def linear_parameter_count(in_features, out_features, bias=True):
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
    return conv2d_parameter_count(in_features, out_features, 1, bias)


def learn_kernel(x, y, kernel_size, *, lr, steps):
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
    kh, kw = _pair(kernel_size)
    dtype = _float_dtype(x, y)
    x, y = x.astype(dtype), y.astype(dtype)
    windows = _view(x[None, None], kh, kw, 1, 1).reshape(kh * kw, -1).T
    target = y.ravel()
    w = np.zeros(kh * kw, dtype)
    losses = []
    for _ in range(steps):
        error = windows @ w - target
        losses.append(error @ error / len(error))
        w -= lr * 2 / len(error) * (error @ windows)
    return w.reshape(kh, kw), np.array(losses, dtype)


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
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
    H, W = _pair(size)
    kh, kw = _pair(kernel_size)
    sh, sw = _pair(stride)
    ph, pw = _pair(padding)
    Ho = output_size(H, kh, stride=sh, padding=ph)
    Wo = output_size(W, kw, stride=sw, padding=pw)
    N = len(cols)
    C = cols.shape[1] // (kh * kw)
    pieces = cols.reshape(N, C, kh, kw, Ho, Wo)
    xp = np.zeros((N, C, H + 2 * ph, W + 2 * pw), _float_dtype(cols))
    a, c, r, q = xp.strides
    for u in range(kh):
        for v in range(kw):
            place = as_strided(xp[:, :, u:, v:], (N, C, Ho, Wo), (a, c, r * sh, q * sw))
            place += pieces[:, :, u, v]
    return xp[:, :, ph : ph + H, pw : pw + W]
