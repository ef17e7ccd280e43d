"""The demo class of assignment 3: right, partly right, unfinished, broken and hostile."""

from __future__ import annotations

from autograder.demo import ALWAYS_EQUAL, EXIT, DemoSubmission, endless

NUMPY, TORCH = "lenet5", "lenet5_torch"

CLASS = (
    DemoSubmission("ada", "zip"),
    DemoSubmission("ben", "folder", changes=("the last of several maxima wins", "a matrix of columns, turned")),
    DemoSubmission("chen", "notebook", changes=("tied pixels share", "gradients cleared after the step")),
    DemoSubmission("dora", "zip", changes=("a tape of layers, pooled before ReLU", "everything kept until the end")),
    DemoSubmission("emil", "folder", changes=("padded with zeros", "zeros may win on the way back")),
    DemoSubmission("fay", "py", changes=("overlapping gradients overwritten", "overlapping averages overwritten")),
    DemoSubmission("gus", "notebook", changes=("the whole gradient to every tied pixel",)),
    DemoSubmission(
        "hana", "folder", changes=("output shifted as far as the input", "comes in again on the other side")
    ),
    DemoSubmission("igor", "zip", changes=("ReLU skipped at the first convolution", "mean of the batch means")),
    DemoSubmission("judy", "folder", changes=("gradients never cleared", "everything back to training")),
    DemoSubmission("kai", "zip", changes=("channels last in the vector",)),
    DemoSubmission("lena", "notebook", unsolved=("lenet5_loss_and_gradients", "train", "evaluate")),
    DemoSubmission("mo", "folder", unsolved="all"),
    DemoSubmission("nina", "folder", unsolved="all", appended={NUMPY: ALWAYS_EQUAL, TORCH: ALWAYS_EQUAL}),
    DemoSubmission("otto", "folder", appended={NUMPY: EXIT}),
    DemoSubmission("pia", "folder", appended={NUMPY: endless("max_pool_forward")}),
    DemoSubmission("quinn", "zip", damaged=True),
)
