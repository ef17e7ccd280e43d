"""Assignment 1: nothing is written twice. Each exercise calls the others where it can."""

from __future__ import annotations

import numpy as np


def _pair(p):
    return p if isinstance(p, tuple) else (p, p)


def _promote(*arrays):
    dtype = np.result_type(*arrays)
    if dtype.kind != "f":
        dtype = np.dtype("f8")
    return [a.astype(dtype) for a in arrays]


# A signal is an image of one row, and an image is a batch of one image with one channel.


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
    if x.size == 0 or h.size == 0:
        raise ValueError("no samples")
    x, h = _promote(x, h)
    return cross_correlate(pad2d(x[None], (0, h.size - 1))[0], h[::-1])


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
    if h.size > x.size:
        raise ValueError("h does not fit")
    return correlate2d(x[None], h[None])[0]


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
    (h,) = _promote(h)
    frame = pad2d(h[None], (0, n - 1))
    return im2col(frame[None, None], (1, n))[0, ::-1].T


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
    return system(make_kernel("identity", 2 * length + 1)[length, length : 2 * length])


def _matrix_of(system, length):
    """The only matrix that the system can have, if it has one."""
    return np.stack([np.array(system(row)) for row in np.eye(length)], axis=1)


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
    matrix = _matrix_of(system, length)
    for amplitude in np.repeat(10.0 ** np.linspace(-2.3, 2.3, 47), 4):
        x = amplitude * rng.standard_normal(length)
        given = x.copy()
        y = np.array(system(given))
        products = matrix * x
        largest = max(np.abs(products).max(), np.abs(y).max())
        if not np.allclose(y, products.sum(axis=1), rtol=0, atol=1e-9 * largest):
            return False
    return not np.any(system(np.zeros(length)))


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
    for samples in range(1, length):
        last = length - samples
        delays = {last, 1, *rng.integers(1, last + 1, 3).tolist()}
        for amplitude in [0.0, *np.repeat(10.0 ** np.linspace(-2.2, 2.2, 12), 2)]:
            piece = amplitude * rng.standard_normal(samples)

            def at(k, piece=piece):
                x = np.zeros(length)
                x[k : k + samples] = piece
                return np.array(system(x))

            y = at(0)
            for k in delays:
                z = at(k)
                largest = max(np.abs(y).max(), np.abs(z).max())
                if not np.allclose(z[k:], y[: length - k], rtol=0, atol=1e-9 * largest):
                    return False
    return True


def _scaled(a):
    """The vector with a largest entry of 1; float64."""
    a = a.astype(np.float64)
    return a / (np.abs(a).max(initial=0) or 1)


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
    a, b = _scaled(a), _scaled(b)
    if not a.any() or not b.any():
        return 0.0
    inner = [cross_correlate(p, q)[0] for p, q in ((a, b), (a, a), (b, b))]
    return float(inner[0] / np.sqrt(inner[1]) / np.sqrt(inner[2]))


def _without_mean(a):
    return np.zeros(a.shape) if a.min() == a.max() else a - a.mean()


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
    if template.size > x.size:
        raise ValueError("the template does not fit")
    (as_given, _) = _promote(x, template)
    x, template = x.astype(np.float64), template.astype(np.float64)
    windows = im2col(x[None, None, None], (1, template.size))[0].T
    t = _without_mean(template)
    return np.array([cosine_similarity(_without_mean(w), t) for w in windows], as_given.dtype)


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
    last_start = size - 1 + 2 * padding - dilation * (kernel_size - 1)
    if last_start < 0:
        raise ValueError("no window fits")
    return 1 + last_start // stride


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
    if ph:
        return pad2d(pad2d(x.swapaxes(-2, -1), (0, ph), mode).swapaxes(-2, -1), (0, pw), mode)
    width = x.shape[-1]
    places = np.arange(-pw, width + pw)
    if mode == "zeros":
        y = np.zeros((*x.shape[:-1], len(places)), x.dtype)
        y[..., pw : pw + width] = x
        return y
    if mode == "replicate":
        return x[..., np.maximum(0, np.minimum(places, width - 1))]
    if mode == "reflect":
        if pw >= width:
            raise ValueError("no sample to mirror")
        there_and_back = np.concatenate([np.arange(width), np.arange(width - 2, 0, -1)])
        return x[..., there_and_back[places % len(there_and_back)]]
    raise ValueError(f"no mode {mode}")


def _windows_on(size, kernel_size, stride, padding):
    """Ho and Wo."""
    four = zip(size, _pair(kernel_size), _pair(stride), _pair(padding))
    return tuple(output_size(n, k, stride=s, padding=p) for n, k, s, p in four)


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
    ones = im2col(np.ones((1, 1, *_pair(size)), np.int8), kernel_size, stride=stride, padding=padding)
    return col2im(ones, size, kernel_size, stride=stride, padding=padding)[0, 0].astype(np.int64)


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
    x, w = _promote(x, w)
    return conv2d_forward(x[None, None], w[None, None], np.zeros(1, x.dtype))[0, 0]


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
    if size < 3 or size % 2 == 0:
        raise ValueError("size must be odd and at least 3")
    if name == "identity":
        return pad2d(np.ones((1, 1)), size // 2)
    if name == "edge":
        return size**2 * (make_kernel("identity", size) - make_kernel("box", size))
    if name == "box":
        return np.full((size, size), 1 / size**2)
    if name == "gaussian":
        distance = np.abs(np.arange(-(size // 2), size // 2 + 1.0))
        g = np.exp(-np.hypot(*np.meshgrid(distance, distance)) ** 2 / 2 / sigma**2)
        return g / g.sum()
    if name == "laplacian" and size == 3:
        second_derivative = convolve(np.array([1.0, -1.0]), np.array([-1.0, 1.0]))  # -1 2 -1
        cross = np.zeros((3, 3))
        cross[1] += second_derivative
        cross[:, 1] += second_derivative
        return cross
    if name == "sharpen" and size == 3:
        return make_kernel("identity") + make_kernel("laplacian")
    raise ValueError(f"no kernel {name} of size {size}")


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
    if image.ndim == 3:
        result = np.empty(image.shape, np.uint8)
        for c in range(image.shape[2]):
            result[:, :, c] = filter_image(image[:, :, c], kernel, mode=mode)
        return result
    if kernel.shape[0] % 2 == 0 or kernel.shape[1] % 2 == 0:
        raise ValueError("the kernel has no centre")
    padded = pad2d(image, (kernel.shape[0] // 2, kernel.shape[1] // 2), mode)
    response = np.rint(correlate2d(padded, kernel.astype(np.float64)))
    response[response < 0] = 0
    response[response > 255] = 255
    return response.astype(np.uint8)


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
    return conv2d_im2col(x, w, b, stride=stride, padding=padding)


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
    dy, x, w = _promote(dy, x, w)
    options = {"stride": stride, "padding": padding}
    dy_rows = dy.reshape(*dy.shape[:2], -1)  # (N, F, L)
    cols = im2col(x, w.shape[2:], **options)  # (N, K, L)
    dw = (dy_rows @ cols.swapaxes(1, 2)).sum(axis=0).reshape(w.shape)
    dcols = w.reshape(len(w), -1).T @ dy_rows
    dx = col2im(dcols, x.shape[2:], w.shape[2:], **options)
    return dx, dw, dy_rows.sum(axis=(0, 2))


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
    (kh, kw), (sh, sw) = _pair(kernel_size), _pair(stride)
    ho, wo = _windows_on(x.shape[2:], kernel_size, stride, padding)
    xp = pad2d(x, padding)
    cols = np.empty((*x.shape[:2], kh, kw, ho, wo), x.dtype)
    for u in range(kh):
        for v in range(kw):
            cols[:, :, u, v] = xp[:, :, u : u + sh * ho : sh, v : v + sw * wo : sw][:, :, :ho, :wo]
    return cols.reshape(x.shape[0], x.shape[1] * kh * kw, ho * wo)


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
        raise ValueError("x and w differ in C")
    ho, wo = _windows_on(x.shape[2:], w.shape[2:], stride, padding)
    cols = im2col(x, w.shape[2:], stride=stride, padding=padding)
    y = w.reshape(w.shape[0], w.shape[1] * w.shape[2] * w.shape[3]) @ cols
    return (y + b[None, :, None]).reshape(x.shape[0], w.shape[0], ho, wo)


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
    return linear_parameter_count(in_channels * kh * kw, out_channels, bias)


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
    if bias:
        return linear_parameter_count(in_features + 1, out_features, bias=False)
    return in_features * out_features


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
    x, y = _promote(x, y)
    w = np.zeros(_pair(kernel_size), x.dtype)
    losses = np.zeros(steps, x.dtype)
    for step in range(steps):
        error = correlate2d(x, w) - y
        losses[step] = _mean_square(error)
        _, dw, _ = conv2d_backward((2 / error.size * error)[None, None], x[None, None], w[None, None])
        w -= lr * dw[0, 0]
    return w, losses


def _mean_square(error):
    return cross_correlate(error.ravel(), error.ravel())[0] / error.size


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
    (cols,) = _promote(cols)
    size, (kh, kw) = _pair(size), _pair(kernel_size)
    # im2col of the pixels' numbers says where every entry of cols came from; 0 is the padding.
    numbers = 1 + np.arange(size[0] * size[1]).reshape(1, 1, *size)
    origin = im2col(numbers, kernel_size, stride=stride, padding=padding).ravel()
    channels = cols.shape[1] // (kh * kw)
    planes = cols.reshape(len(cols) * channels, -1)
    x = np.zeros((len(planes), size[0] * size[1] + 1), cols.dtype)
    for plane, entries in zip(x, planes):
        np.add.at(plane, origin, entries)
    return x[:, 1:].reshape(len(cols), channels, *size)
