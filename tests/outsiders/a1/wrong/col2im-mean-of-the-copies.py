# col2im: [averaged where windows overlap]
import numpy as np


def _col2im_pair(p):
    return (p, p) if isinstance(p, int) else (p[0], p[1])


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    (H, W), (kh, kw) = _col2im_pair(size), _col2im_pair(kernel_size)
    (sh, sw), (ph, pw) = _col2im_pair(stride), _col2im_pair(padding)
    Ho = output_size(H, kh, stride=sh, padding=ph)
    Wo = output_size(W, kw, stride=sw, padding=pw)
    kind = cols.dtype if cols.dtype.kind == "f" else np.dtype(np.float64)
    N, C = cols.shape[0], cols.shape[1] // (kh * kw)
    blocks = cols.reshape(N, C, kh, kw, Ho, Wo)
    total = np.zeros((N, C, H + 2 * ph, W + 2 * pw), kind)
    times = np.zeros((H + 2 * ph, W + 2 * pw), kind)
    for u, v in np.ndindex(kh, kw):
        for i, j in np.ndindex(Ho, Wo):
            total[:, :, sh * i + u, sw * j + v] += blocks[:, :, u, v, i, j]
            times[sh * i + u, sw * j + v] += 1
    image = total / np.maximum(times, 1)
    return image[:, :, ph : ph + H, pw : pw + W]
