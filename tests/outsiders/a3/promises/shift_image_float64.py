# shift_image: "Whole numbers and truth values must be exact" (header; "any dtype") - the zeros are float64 and the result is cast back at the end: int64 and uint64 beyond 2 ** 53 (and long doubles) are rounded on the way.
import numpy as np


def shift_image(x, down, right):
    height, width = x.shape[-2:]
    y = np.zeros(x.shape)
    rows = range(max(down, 0), min(height, height + down))
    columns = range(max(right, 0), min(width, width + right))
    if len(rows) and len(columns):
        top, left = rows[0] - down, columns[0] - right
        y[..., rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] = x[
            ..., top : top + len(rows), left : left + len(columns)
        ]
    return y.astype(x.dtype)
