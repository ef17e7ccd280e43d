# conv2d_backward: "(dx, dw, db), with the shapes of x, w and b" and "Pixels of x that no window sees have gradient zero." - dx is a full convolution of the dilated dy, padded by kh - 1 - ph or cropped where that is negative; where the crop is longer than the dilated dy (all windows lie in the padding above, rows are left over below) the slice stops at nothing, and dx has a wrong shape.
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    ph, pw = (padding, padding) if isinstance(padding, int) else padding
    (n, f, ho, wo), (kh, kw) = dy.shape, w.shape[2:]
    height, width = x.shape[2:]
    xp = pad2d(x, (ph, pw))

    def framed_or_cut(array, axis, before, after):
        """Add zeros along an axis; a negative number cuts off as many entries instead."""
        array = np.moveaxis(array, axis, 0)
        array = array[max(0, -before) : len(array) - max(0, -after)]
        zeros = [np.zeros((max(0, side), *array.shape[1:]), array.dtype) for side in (before, after)]
        return np.moveaxis(np.concatenate([zeros[0], array, zeros[1]]), 0, axis)

    # dy with its entries a stride apart
    spread = np.zeros((n, f, sh * (ho - 1) + 1, sw * (wo - 1) + 1), dy.dtype)
    spread[:, :, ::sh, ::sw] = dy

    windows = sliding_window_view(xp, spread.shape[2:], axis=(2, 3))[:, :, :kh, :kw]
    dw = np.einsum("nfij,ncuvij->fcuv", spread, windows)
    db = dy.sum(axis=(0, 2, 3))

    # full convolution, already without the frame of padding; pixels left over by the floor come last
    over_h = height + 2 * ph - kh - sh * (ho - 1)
    over_w = width + 2 * pw - kw - sw * (wo - 1)
    spread = framed_or_cut(spread, 2, kh - 1 - ph, kh - 1 - ph + over_h)
    spread = framed_or_cut(spread, 3, kw - 1 - pw, kw - 1 - pw + over_w)
    windows = sliding_window_view(spread, (kh, kw), axis=(2, 3))
    dx = np.einsum("nfijuv,fcuv->ncij", windows, w[:, :, ::-1, ::-1])
    return dx, dw, db
