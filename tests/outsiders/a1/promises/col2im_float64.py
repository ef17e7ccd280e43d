# col2im: "x, shape (N, C, H, W), in the floating dtype of cols." - the image begins as np.zeros(shape), which is float64 for float32 columns too
# cols = np.ones((1, 4, 4), np.float32), size = 3, kernel_size = 2: right float32; here float64
import numpy as np


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    def pair(p):
        return p if isinstance(p, tuple) else (p, p)

    (H, W), (kh, kw), (sh, sw), (ph, pw) = pair(size), pair(kernel_size), pair(stride), pair(padding)
    Ho = output_size(H, kh, stride=sh, padding=ph)
    Wo = output_size(W, kw, stride=sw, padding=pw)
    blocks = cols.reshape(len(cols), -1, kh, kw, Ho, Wo)
    x = np.zeros((len(cols), blocks.shape[1], H + 2 * ph, W + 2 * pw))
    for i in range(Ho):
        for j in range(Wo):
            x[:, :, sh * i : sh * i + kh, sw * j : sw * j + kw] += blocks[..., i, j]
    return x[:, :, ph : ph + H, pw : pw + W]
