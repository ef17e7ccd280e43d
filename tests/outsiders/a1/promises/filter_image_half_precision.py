# filter_image: "kernel: shape (kh, kw), both odd; of any real dtype, int8 too." - a kernel that already is floating sets the precision of the sum, so with a float16 kernel the responses are computed in float16, which has 11 bits.
import numpy as np


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    if kh % 2 == 0 or kw % 2 == 0:
        raise ValueError("the kernel has no centre")
    if not np.issubdtype(kernel.dtype, np.floating):
        kernel = kernel.astype(np.float64)
    if image.ndim == 3:
        return np.stack([filter_image(image[..., c], kernel, mode=mode) for c in range(3)], axis=-1)
    height, width = image.shape
    padded = pad2d(image, (kh // 2, kw // 2), mode).astype(kernel.dtype)
    response = np.zeros((height, width), kernel.dtype)
    for u in range(kh):
        for v in range(kw):
            response += padded[u : u + height, v : v + width] * kernel[u, v]
    return np.clip(np.rint(response), 0, 255).astype(np.uint8)
