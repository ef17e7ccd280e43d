# conv2d_im2col: [axes of length one squeezed away]
import numpy as np


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    if x.shape[1] != w.shape[1]:
        raise ValueError("different numbers of channels")
    filters, _, kh, kw = w.shape
    cols = im2col(x, (kh, kw), stride=stride, padding=padding)
    step = stride if isinstance(stride, tuple) else (stride, stride)
    frame = padding if isinstance(padding, tuple) else (padding, padding)
    out = [(x.shape[2 + a] + 2 * frame[a] - w.shape[2 + a]) // step[a] + 1 for a in (0, 1)]
    product = np.matmul(w.reshape(1, filters, -1), cols) + b[None, :, None]
    return product.reshape(-1, filters, *out).squeeze()
