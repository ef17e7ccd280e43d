from __future__ import annotations

from checks import criterion, equal, student

OK_FORMAT, name = False, "conv2d_parameter_count"


@criterion(
    "values",
    2,
    hint="How many numbers has one filter, which sees all channels, with and without a bias? How many filters?",
)
def test_values() -> None:
    conv2d_parameter_count = student("convolution").conv2d_parameter_count
    equal(conv2d_parameter_count(3, 1, 3), 28)
    equal(conv2d_parameter_count(3, 8, 5), 608)
    equal(conv2d_parameter_count(2, 8, (5, 3)), 248)
    equal(conv2d_parameter_count(3, 4, (1, 7), bias=False), 84)
