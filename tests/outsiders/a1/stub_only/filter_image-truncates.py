# filter_image: [decimals cut off] converting to uint8 cuts the decimals off instead of rounding to the nearest integer
import numpy as np


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    if kh % 2 == 0 or kw % 2 == 0:
        raise ValueError("a kernel needs a centre")
    if image.ndim == 3:
        channels = [filter_image(image[..., c], kernel, mode=mode) for c in range(image.shape[-1])]
        return np.stack(channels, axis=-1)
    response = correlate2d(pad2d(image, (kh // 2, kw // 2), mode), np.asarray(kernel, dtype=np.float64))
    return np.clip(response, 0, 255).astype(np.uint8)
