"""Correct but unusual solutions of assignment 1, each with the over-strict rule that would reject it."""

from __future__ import annotations

from autograder.course import Alternative

ALTERNATIVES = (
    Alternative(
        "a matrix product that returns a list",
        "convolve",
        "the result must be an ndarray",
        """
def convolve(x, h):
    if not len(x) or not len(h):
        raise ValueError("empty")
    table = [[0.0] * len(x) for _ in range(len(x) + len(h) - 1)]
    for k in range(len(x)):
        for j in range(len(h)):
            table[k + j][k] = h[j]
    return [float(sum(t * s for t, s in zip(row, x))) for row in table]
""",
    ),
    Alternative(
        "loops over every output",
        "conv2d_forward",
        "no Python loop over pixels",
        """
def conv2d_forward(x, w, b, *, stride=1, padding=0):
    N, C, H, W = x.shape
    F, C2, kh, kw = w.shape
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    Ho, Wo = (H + 2 * ph - kh) // sh + 1, (W + 2 * pw - kw) // sw + 1
    if C != C2 or Ho < 1 or Wo < 1:
        raise ValueError("shapes do not fit")
    y = np.empty((N, F, Ho, Wo), dtype=np.result_type(x, w, b))
    for n in range(N):
        for f in range(F):
            for i in range(Ho):
                for j in range(Wo):
                    total = 0.0
                    for u in range(kh):
                        for v in range(kw):
                            r, s = i * sh + u - ph, j * sw + v - pw
                            if 0 <= r < H and 0 <= s < W:
                                total += (x[n, :, r, s] * w[f, :, u, v]).sum()
                    y[n, f, i, j] = total + b[f]
    return y
""",
    ),
    Alternative(
        "channels last inside",
        "conv2d_backward",
        "results must be contiguous arrays that own their memory",
        """
def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    H, W = x.shape[2:]
    last = np.zeros((x.shape[0], H + 2 * ph, W + 2 * pw, x.shape[1]), dtype=x.dtype)
    last[:, ph : ph + H, pw : pw + W, :] = x.transpose(0, 2, 3, 1)
    dlast, dw = np.zeros_like(last), np.zeros(w.shape, dtype=w.dtype)
    for i in range(dy.shape[2]):
        for j in range(dy.shape[3]):
            window = np.s_[:, i * sh : i * sh + w.shape[2], j * sw : j * sw + w.shape[3], :]
            dlast[window] += np.tensordot(dy[:, :, i, j], w, 1).transpose(0, 2, 3, 1)
            dw += np.tensordot(dy[:, :, i, j].T, last[window], 1).transpose(0, 3, 1, 2)
    return dlast[:, ph : ph + H, pw : pw + W, :].transpose(0, 3, 1, 2), dw, np.einsum("nfij->f", dy)
""",
    ),
)
