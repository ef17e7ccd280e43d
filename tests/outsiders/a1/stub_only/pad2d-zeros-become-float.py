# pad2d: [always floating] with zeros the frame is allocated without a dtype, so a uint8 or float32 image comes back as float64 (the other modes keep the dtype)
import numpy as np


def pad2d(x, padding, mode="zeros"):
    ph, pw = (padding, padding) if np.isscalar(padding) else padding
    H, W = x.shape[-2:]
    if mode == "zeros":
        framed = np.zeros(x.shape[:-2] + (H + 2 * ph, W + 2 * pw))
        framed[..., ph : ph + H, pw : pw + W] = x
        return framed
    rows, columns = np.arange(-ph, H + ph), np.arange(-pw, W + pw)
    if mode == "replicate":
        rows, columns = rows.clip(0, H - 1), columns.clip(0, W - 1)
    elif mode == "reflect":
        if ph >= H or pw >= W:
            raise ValueError("nothing left to mirror")
        rows, columns = np.abs(rows), np.abs(columns)
        rows = np.where(rows >= H, 2 * (H - 1) - rows, rows)
        columns = np.where(columns >= W, 2 * (W - 1) - columns, columns)
    else:
        raise ValueError(mode)
    return x[..., rows[:, None], columns]
