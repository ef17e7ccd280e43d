"""The demo class of assignment 1: right, partly right, unfinished, broken and hostile."""

from __future__ import annotations

from autograder.demo import ALWAYS_EQUAL, EXIT, DemoSubmission, endless

NUMPY, TORCH = "convolution", "convolution_torch"

CLASS = (
    DemoSubmission("ada", "zip"),
    DemoSubmission("ben", "folder", changes=("a matrix product that returns a list",)),
    DemoSubmission("chen", "notebook", changes=("loops over every output",)),
    DemoSubmission("dora", "zip", changes=("channels last inside",)),
    DemoSubmission("emil", "folder", changes=("kernel not flipped",)),
    DemoSubmission("fay", "py", changes=("homogeneity alone",)),
    DemoSubmission("gus", "notebook", changes=("edge repeated",)),
    DemoSubmission("hana", "folder", changes=("no clipping",)),
    DemoSubmission("igor", "zip", changes=("stride ignored in the window's start",)),
    DemoSubmission("judy", "folder", changes=("overlaps overwritten",)),
    DemoSubmission("kai", "zip", changes=("bias left out",)),
    DemoSubmission("lena", "notebook", unsolved=("conv2d_forward", "conv2d_backward", "Conv2d")),
    DemoSubmission("mo", "folder", unsolved="all"),
    DemoSubmission("nina", "folder", unsolved="all", appended={NUMPY: ALWAYS_EQUAL, TORCH: ALWAYS_EQUAL}),
    DemoSubmission("otto", "folder", appended={NUMPY: EXIT}),
    DemoSubmission("pia", "folder", appended={NUMPY: endless("convolve")}),
    DemoSubmission("quinn", "zip", damaged=True),
)
