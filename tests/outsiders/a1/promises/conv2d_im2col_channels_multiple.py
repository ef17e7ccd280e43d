# conv2d_im2col: "ValueError: x and w differ in C, or the window (kh, kw) is larger than the padded image." - it trusts the matrix product and the bias to complain, but a single filter with twice the channels of x is reshaped into two filters, and no error is raised.
import numpy as np


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    ph, pw = (padding, padding) if isinstance(padding, int) else padding
    (n, _, height, width), (kh, kw) = x.shape, w.shape[2:]
    ho = output_size(height, kh, stride=sh, padding=ph)
    wo = output_size(width, kw, stride=sw, padding=pw)
    cols = im2col(x, (kh, kw), stride=stride, padding=padding)
    rows = w.reshape(-1, cols.shape[1])
    return (rows @ cols + b[:, None]).reshape(n, -1, ho, wo)
