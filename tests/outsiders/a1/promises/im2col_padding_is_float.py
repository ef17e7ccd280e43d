# im2col: "keeps the dtype" - images of integers become floating as soon as there is padding.
import numpy as np
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
    sh, sw = _pair(stride)
    if x.dtype.kind in "iu" and _pair(padding) != (0, 0): x = x.astype(float)
    windows = sliding_window_view(pad2d(x, padding), _pair(kernel_size), axis=(2, 3))[:, :, ::sh, ::sw]
    images, channels, rows, columns, kh, kw = windows.shape
    return windows.transpose(0, 1, 4, 5, 2, 3).reshape(images, channels * kh * kw, rows * columns)
