"""The demo class of assignment 5: right, partly right, unfinished, broken and hostile."""

from __future__ import annotations

from autograder.demo import ALWAYS_EQUAL, EXIT, DemoSubmission, endless

NUMPY, TORCH = "lstm", "lstm_torch"

CLASS = (
    DemoSubmission("ada", "zip"),
    DemoSubmission("ben", "folder", changes=("loops that return lists", "state held during the padding")),
    DemoSubmission("chen", "notebook", changes=("backward through the steps", "word by word")),
    DemoSubmission("dora", "zip", changes=("a GRU of two layers", "sequence by sequence")),
    DemoSubmission("emil", "folder", changes=("gates in PyTorch's order",)),
    DemoSubmission("fay", "py", changes=("sigmoid taken twice",)),
    DemoSubmission("gus", "notebook", changes=("direct path for the whole",)),
    DemoSubmission("hana", "folder", changes=("padding read first",)),
    DemoSubmission("igor", "zip", changes=("a tenth of the rest", "every word counts")),
    DemoSubmission("judy", "folder", changes=("reset before the product",)),
    DemoSubmission("kai", "zip", changes=("left context alone", "directions and batch mixed by a view")),
    DemoSubmission("lena", "notebook", unsolved=("lstm_backward", "cell_jacobian", "MaskedWordModel")),
    DemoSubmission("mo", "folder", unsolved="all"),
    DemoSubmission("nina", "folder", unsolved="all", appended={NUMPY: ALWAYS_EQUAL, TORCH: ALWAYS_EQUAL}),
    DemoSubmission("otto", "folder", appended={NUMPY: EXIT}),
    DemoSubmission("pia", "folder", appended={NUMPY: endless("gru_forward")}),
    DemoSubmission("quinn", "zip", damaged=True),
)
