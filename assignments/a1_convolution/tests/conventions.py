"""What the header of convolution.py promises for all its functions. Each is called with small arrays."""

from __future__ import annotations

import numpy as np
from checks import call, criterion, keeps_arguments, keeps_dtype, keeps_strides, waves, widens_dtype

OK_FORMAT, name = False, "conventions"

PIXELS = np.arange(0, 240, 8, dtype=np.uint8).reshape(5, 6)
CALLS = {
    "convolve": call(waves(6), waves(3)),
    "cross_correlate": call(waves(7), waves(3)),
    "convolution_matrix": call(waves(3), 4),
    "cosine_similarity": call(waves(5), waves(5, of=np.cos)),
    "match_template": call(waves(8), waves(3)),
    "pad2d": call(waves(2, 3, 4), (1, 2), mode="reflect"),
    "correlate2d": call(waves(5, 6), waves(2, 3)),
    "filter_image": call(PIXELS, waves(3, 3)),
    "conv2d_forward": call(waves(2, 3, 5, 6), waves(4, 3, 2, 3), waves(4), stride=2),
    "conv2d_backward": call(waves(2, 4, 4, 4), waves(2, 3, 5, 6), waves(4, 3, 2, 3)),
    "im2col": call(waves(2, 3, 5, 6), (2, 3)),
    "conv2d_im2col": call(waves(2, 3, 5, 6), waves(4, 3, 2, 3), waves(4), stride=2),
    "learn_kernel": call(waves(6, 7), waves(5, 5), (2, 3), lr=0.1, steps=2),
}
SINGLE = waves(7).astype(np.float32)
FIRST_IN_FLOAT32 = {
    "convolve": call(SINGLE, waves(3)),
    "cross_correlate": call(SINGLE, waves(3)),
    "cosine_similarity": call(SINGLE, waves(7, of=np.cos)),
    "match_template": call(SINGLE, waves(3)),
    "correlate2d": call(SINGLE[None], waves(1, 3)),
}
LAST_IN_FLOAT32 = {
    "convolve": call(waves(9), SINGLE),
    "cross_correlate": call(waves(9), SINGLE),
    "cosine_similarity": call(waves(7, of=np.cos), SINGLE),
    "match_template": call(waves(9), SINGLE),
    "correlate2d": call(waves(2, 9), SINGLE[None]),
}
SMALL = np.array([3, -4, 2], np.int8)
OF_INTEGERS = {
    "convolve": call(PIXELS[1], SMALL),
    "cross_correlate": call(PIXELS[4], PIXELS[0, 1:3]),
    "convolution_matrix": call(SMALL, 4),
    "cosine_similarity": call(PIXELS[3], PIXELS[4]),
    "match_template": call(PIXELS[2] % 9, SMALL),
    "correlate2d": call(PIXELS, SMALL[None]),
}


@criterion(
    "dtype",
    1,
    hint="Which array or NumPy number is float64 by itself, and widens what it meets? What has no room in float32?",
)
def test_dtype() -> None:
    keeps_dtype("convolution", CALLS)
    for calls in (FIRST_IN_FLOAT32, LAST_IN_FLOAT32, OF_INTEGERS):
        widens_dtype("convolution", calls)


@criterion(
    "strides", 1, hint="Which function expects the numbers of an array to lie in memory in the order of its axes?"
)
def test_strides() -> None:
    keeps_strides("convolution", CALLS)


@criterion(
    "arguments",
    1,
    hint="Which line writes, by an operator like += or into a slice, and whose array is it that it writes to?",
)
def test_arguments() -> None:
    keeps_arguments("convolution", CALLS)
