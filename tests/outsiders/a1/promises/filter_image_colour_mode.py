# filter_image: "mode: padding as in ``pad2d``." - the mode is not passed on to the channels of a colour image
# image = np.full((3, 3, 3), 90, np.uint8), kernel = np.ones((3, 3)) / 9, mode="zeros": right 40 in the corners; here 90 everywhere
import numpy as np


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    if kh % 2 == 0 or kw % 2 == 0:
        raise ValueError("the kernel has no centre")
    if image.ndim == 3:
        return np.stack([filter_image(image[..., c], kernel) for c in range(image.shape[2])], axis=-1)
    response = correlate2d(pad2d(image, (kh // 2, kw // 2), mode), kernel)
    return np.clip(np.rint(response), 0, 255).astype(np.uint8)
