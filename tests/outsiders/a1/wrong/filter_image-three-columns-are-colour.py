# filter_image: [colour by the length of the last axis]
import numpy as np


def _filter_image_plane(plane, kernel, mode):
    kh, kw = kernel.shape
    padded = pad2d(plane.astype(np.float64), ((kh - 1) // 2, (kw - 1) // 2), mode)
    return np.rint(correlate2d(padded, kernel)).clip(0, 255).astype(np.uint8)


def filter_image(image, kernel, *, mode="replicate"):
    if kernel.shape[0] % 2 == 0 or kernel.shape[1] % 2 == 0:
        raise ValueError("both sides of the kernel have to be odd")
    result = np.empty_like(image)
    if image.shape[-1] == 3:
        for c in range(3):
            result[..., c] = _filter_image_plane(np.atleast_2d(image[..., c]), kernel, mode)
    else:
        result[...] = _filter_image_plane(image, kernel, mode)
    return result
