# window_coverage: "The counts, shape (H, W), int64" - counts in eight bits and converts at the end.
import numpy as np
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
    (height, width), (kh, kw) = _pair(size), _pair(kernel_size)
    (sh, sw), (ph, pw) = _pair(stride), _pair(padding)
    seen = np.zeros((height + 2 * ph, width + 2 * pw), np.uint8)
    for i, j in np.ndindex(_window_counts(size, kernel_size, stride, padding)):
        seen[sh * i : sh * i + kh, sw * j : sw * j + kw] += 1
    return seen[ph : ph + height, pw : pw + width].astype(np.int64)
