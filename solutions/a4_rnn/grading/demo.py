"""The demo class of assignment 4: right, partly right, unfinished, broken and hostile."""

from __future__ import annotations

from autograder.demo import ALWAYS_EQUAL, EXIT, DemoSubmission, endless

NUMPY, TORCH = "rnn", "rnn_torch"

CLASS = (
    DemoSubmission("ada", "zip"),
    DemoSubmission("ben", "folder", changes=("powers of the matrix, as a list",)),
    DemoSubmission("chen", "notebook", changes=("one system of equations for all of time",)),
    DemoSubmission("dora", "zip", changes=("as PyTorch does it", "all parameters in one vector")),
    DemoSubmission("emil", "folder", changes=("recurrent weights the wrong way round",)),
    DemoSubmission("fay", "py", changes=("squashed twice",)),
    DemoSubmission("gus", "notebook", changes=("cut after every step",)),
    DemoSubmission("hana", "folder", changes=("slope on the wrong side", "largest entry")),
    DemoSubmission("igor", "zip", changes=("every array on its own",)),
    DemoSubmission("judy", "folder", changes=("in single precision",)),
    DemoSubmission("kai", "zip", changes=("averaged over the targets", "bias twice")),
    DemoSubmission("lena", "notebook", unsolved=("rnn_backward", "truncated_bptt", "train", "train_step")),
    DemoSubmission("mo", "folder", unsolved="all"),
    DemoSubmission("nina", "folder", unsolved="all", appended={NUMPY: ALWAYS_EQUAL, TORCH: ALWAYS_EQUAL}),
    DemoSubmission("otto", "folder", appended={NUMPY: EXIT}),
    DemoSubmission("pia", "folder", appended={NUMPY: endless("rnn_forward")}),
    DemoSubmission("quinn", "zip", damaged=True),
)
