# filter_image: "Responses, which may be of any size, are first rounded to the nearest integer (...), then clipped to 0...255. (kernel: Real)" - to leave uint8, the image is converted to the dtype of the kernel; pixels above 127 wrap around where that is int8.
# kernel = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]], np.int8)  # the identity
# got = filter_image(np.array([[100, 200], [250, 5]], np.uint8), kernel)
# print(got)  # promised the image itself, comes out [[100, 0], [0, 5]]
import numpy as np


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    if kh % 2 == 0 or kw % 2 == 0:
        raise ValueError("the kernel has no centre")
    image = image.astype(kernel.dtype)  # uint8 would overflow

    def filtered(channel):
        return correlate2d(pad2d(channel, (kh // 2, kw // 2), mode), kernel)

    if image.ndim == 2:
        response = filtered(image)
    else:
        response = np.stack([filtered(image[:, :, c]) for c in range(image.shape[2])], axis=2)
    return np.clip(np.round(response), 0, 255).astype(np.uint8)
