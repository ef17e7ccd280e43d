# conv2d_forward: "floor((H + 2 * ph - kh) / sh)" and "ValueError: ... the window (kh, kw) is larger than the padded image" - int(a / b) rounds -1/2 up to 0, so that with a stride the check finds one window.
# x of shape (1, 1, 2, 3), w of shape (1, 1, 3, 2), stride 2: right is a ValueError, here comes an IndexError.
import numpy as np


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    ph, pw = (padding, padding) if isinstance(padding, int) else padding
    N, C, H, W = x.shape
    F, channels, kh, kw = w.shape
    if channels != C:
        raise ValueError("x and w differ in C")
    Ho, Wo = int((H + 2 * ph - kh) / sh) + 1, int((W + 2 * pw - kw) / sw) + 1
    if Ho < 1 or Wo < 1:
        raise ValueError("the window is larger than the padded image")
    xp = pad2d(x, (ph, pw))
    y = np.zeros((N, F, Ho, Wo), x.dtype)
    for i in range(Ho):
        for j in range(Wo):
            for u in range(kh):
                for v in range(kw):
                    y[:, :, i, j] += xp[:, :, sh * i + u, sw * j + v] @ w[:, :, u, v].T
    return y + b[:, None, None]
