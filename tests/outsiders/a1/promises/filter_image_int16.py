# filter_image: "rounded to the nearest integer ..., then clipped to 0...255" - the rounded responses go through int16, which wraps around above 32767, before they are clipped.
# image = [[255]], kernel = [[200.0]]: right is 255 (51000 clipped), here comes 0.
import numpy as np


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    if kh % 2 == 0 or kw % 2 == 0:
        raise ValueError("the kernel has no centre")

    def channel(plane):
        response = correlate2d(pad2d(plane, (kh // 2, kw // 2), mode), kernel)
        return np.clip(np.rint(response).astype(np.int32).astype(np.int16), 0, 255).astype(np.uint8)

    if image.ndim == 2:
        return channel(image)
    return np.stack([channel(image[..., c]) for c in range(image.shape[2])], axis=2)
