from __future__ import annotations

import torch
from checks import criterion, equal, student

OK_FORMAT, name = False, "nhwc_to_nchw"


@criterion("values", 1, hint="Which axis holds the channels now, and where do they belong? The rest keep their order.")
def test_values() -> None:
    nhwc_to_nchw = student("convolution_torch").nhwc_to_nchw
    first = [[[0, 2], [4, 6]], [[1, 3], [5, 7]]]
    second = [[[8, 10], [12, 14]], [[9, 11], [13, 15]]]
    equal(nhwc_to_nchw(torch.arange(16).reshape(2, 2, 2, 2)), torch.tensor([first, second]))
    x = torch.arange(120.0).reshape(2, 4, 5, 3)
    y = nhwc_to_nchw(x)
    equal(y.shape, [2, 3, 4, 5], what="The shape of the result")
    for channel in range(3):
        equal(y[:, channel], x[..., channel], what=f"Channel {channel} of the result")


@criterion("view", 0.5, hint="Which operations rename the axes of the same numbers, and which copy the numbers?")
def test_view() -> None:
    x = torch.zeros(2, 4, 5, 3)
    y = student("convolution_torch").nhwc_to_nchw(x)
    x[1, 3, 4, 2] = 7
    equal(y[1, 2, 3, 4], 7, what="y[1, 2, 3, 4], after 7 was written into x[1, 3, 4, 2],")
    y[0, 0, 2, 1] = 8
    equal(x[0, 2, 1, 0], 8, what="x[0, 2, 1, 0], after 8 was written into y[0, 0, 2, 1],")
