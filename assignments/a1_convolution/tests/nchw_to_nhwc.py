from __future__ import annotations

import torch
from checks import criterion, equal, student

OK_FORMAT, name = False, "nchw_to_nhwc"


@criterion("values", 1, hint="Where do the channels of a pixel stand before, and where after? Reshape moves nothing.")
def test_values() -> None:
    nchw_to_nhwc = student("convolution_torch").nchw_to_nhwc
    first = [[[0, 4], [1, 5]], [[2, 6], [3, 7]]]
    second = [[[8, 12], [9, 13]], [[10, 14], [11, 15]]]
    equal(nchw_to_nhwc(torch.arange(16).reshape(2, 2, 2, 2)), torch.tensor([first, second]))
    x = torch.arange(120.0).reshape(2, 3, 4, 5)
    y = nchw_to_nhwc(x)
    equal(y.shape, [2, 4, 5, 3], what="The shape of the result")
    for channel in range(3):
        equal(y[..., channel], x[:, channel], what=f"Channel {channel} of the result")


@criterion("view", 0.5, hint="Which operations rename the axes of the same numbers, and which copy the numbers?")
def test_view() -> None:
    x = torch.zeros(2, 3, 4, 5)
    y = student("convolution_torch").nchw_to_nhwc(x)
    x[1, 2, 3, 4] = 7
    equal(y[1, 3, 4, 2], 7, what="y[1, 3, 4, 2], after 7 was written into x[1, 2, 3, 4],")
    y[0, 2, 1, 0] = 8
    equal(x[0, 0, 2, 1], 8, what="x[0, 0, 2, 1], after 8 was written into y[0, 2, 1, 0],")
