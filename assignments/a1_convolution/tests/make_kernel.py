from __future__ import annotations

import numpy as np
from checks import criterion, equal, raises, student
from numpy import array

OK_FORMAT, name = False, "make_kernel"


@criterion(
    "fixed", 2, hint="Which neighbours does each kernel look at, with which sign? And what must its weights add up to?"
)
def test_fixed() -> None:
    make_kernel = student("convolution").make_kernel
    equal(make_kernel("identity"), [[0, 0, 0], [0, 1, 0], [0, 0, 0]], what="identity")
    equal(make_kernel("edge"), [[-1, -1, -1], [-1, 8, -1], [-1, -1, -1]], what="edge")
    equal(make_kernel("laplacian"), [[0, -1, 0], [-1, 4, -1], [0, -1, 0]], what="laplacian")
    equal(make_kernel("sharpen"), [[0, -1, 0], [-1, 5, -1], [0, -1, 0]], what="sharpen")
    for kernel, centre, elsewhere in (("identity", 1, 0), ("edge", 48, -1)):
        want = np.full((7, 7), elsewhere)
        want[3, 3] = centre
        equal(make_kernel(kernel, 7), want, what=f"{kernel}, 7")


@criterion(
    "blurs", 1, hint="What must a blur's weights add up to? From where do u and v count, and where does sigma stand?"
)
def test_blurs() -> None:
    make_kernel = student("convolution").make_kernel
    equal(make_kernel("box"), np.full((3, 3), 1 / 9), what="box, 3")
    equal(make_kernel("box", 5), np.full((5, 5), 1 / 25), what="box, 5")
    sigma = (2 * np.log(2)) ** -0.5  # at which a step to the side halves the weight, and two steps leave a sixteenth
    equal(make_kernel("gaussian", 3, sigma), array([[1, 2, 1], [2, 4, 2], [1, 2, 1]]) / 16, what="gaussian, 3")
    outer, near, middle = [1, 8, 16, 8, 1], [8, 64, 128, 64, 8], [16, 128, 256, 128, 16]
    equal(make_kernel("gaussian", 5, sigma), array([outer, near, middle, near, outer]) / 1156, what="gaussian, 5")


@criterion("errors", 1, hint="An even size has no centre, and not every kernel exists in every size: ask that first.")
def test_errors() -> None:
    make_kernel = student("convolution").make_kernel
    for kernel, size in (("box", 6), ("identity", 1), ("gaussian", 2), ("edge", -3), ("laplacian", 5), ("sharpen", 7)):
        raises(make_kernel, kernel, size)
    raises(make_kernel, "blur")
