# col2im: "keeps the dtype" - np.bincount adds up in float64 and returns that, whatever its weights are.
# cols = float32 ones of shape (1, 4, 4), size 3, kernel 2: right is float32, here comes float64.
import numpy as np


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    def pair(p):
        return (p, p) if isinstance(p, int) else p

    (H, W), (kh, kw), (sh, sw), (ph, pw) = pair(size), pair(kernel_size), pair(stride), pair(padding)
    Ho, Wo = output_size(H, kh, stride=sh, padding=ph), output_size(W, kw, stride=sw, padding=pw)
    N, C = cols.shape[0], cols.shape[1] // (kh * kw)
    n, c, u, v, i, j = np.indices((N, C, kh, kw, Ho, Wo), sparse=True)
    height, width = H + 2 * ph, W + 2 * pw
    places = ((n * C + c) * height + sh * i + u) * width + sw * j + v
    summed = np.bincount(places.ravel(), cols.ravel(), N * C * height * width)
    return summed.reshape(N, C, height, width)[:, :, ph : ph + H, pw : pw + W]
