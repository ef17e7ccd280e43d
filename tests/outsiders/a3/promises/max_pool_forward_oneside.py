# max_pool_forward: "ValueError: [...] or the window (kh, kw) is larger than the padded image" - takes the padded side for H + ph instead of H + 2 * ph
# x of shape (1, 1, 1, 1) holding 7.0, kernel_size=3, padding=1: right is [[[[7.0]]]], here comes a ValueError
from numpy.lib.stride_tricks import sliding_window_view


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    stride = (kh, kw) if stride is None else stride
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    if ph > kh // 2 or pw > kw // 2:
        raise ValueError("padding larger than half of the window")
    if kh > x.shape[2] + ph or kw > x.shape[3] + pw:
        raise ValueError("window larger than the padded image")
    xp = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=-np.inf)
    return sliding_window_view(xp, (kh, kw), axis=(2, 3))[:, :, ::sh, ::sw].max(axis=(4, 5))
