from __future__ import annotations

from checks import criterion, equal, raises, student

OK_FORMAT, name = False, "output_size"


@criterion(
    "values",
    1,
    hint="How long is the padded axis, how many samples does a window span, and how many strides fit after it?",
)
def test_values() -> None:
    output_size = student("convolution").output_size
    equal(output_size(9, 4), 6)
    equal(output_size(6, 3, padding=2), 8)
    equal(output_size(12, 3, stride=4), 3)
    equal(output_size(224, 7, stride=2, padding=3), 112)
    equal(output_size(9, 3, dilation=3), 3)
    equal(output_size(5, 1, dilation=3), 5)
    equal(output_size(20, 4, stride=3, padding=2, dilation=2), 6)
    equal(output_size(7, 3, stride=2, dilation=3), 1)
    equal(output_size(1, 5, stride=3, padding=2), 1)


@criterion("errors", 1, hint="How many windows remain where not even the first one fits? Rounding can hide that.")
def test_errors() -> None:
    output_size = student("convolution").output_size
    raises(output_size, 2, 5)
    raises(output_size, 4, 6, stride=4)
    raises(output_size, 6, 3, dilation=3)
    raises(output_size, 3, 9, stride=2, padding=2)
