"""The demo class of assignment 6: right, partly right, unfinished, broken and hostile."""

from __future__ import annotations

from autograder.demo import ALWAYS_EQUAL, EXIT, DemoSubmission, endless

NUMPY, TORCH = "attention", "attention_torch"

CLASS = (
    DemoSubmission("ada", "zip"),
    DemoSubmission("ben", "folder", changes=("a bias of minus infinity added, normalized at the end",)),
    DemoSubmission(
        "chen", "notebook", changes=("every head with matrices of its own", "pairs as tokens, learned projections")
    ),
    DemoSubmission("dora", "zip", changes=("positions, four heads, normalized", "a sum that runs over blocks of keys")),
    DemoSubmission("emil", "folder", changes=("weights masked after the softmax",)),
    DemoSubmission("fay", "py", changes=("root forgotten",)),
    DemoSubmission("gus", "notebook", changes=("corner at the top left", "softmax entry by entry")),
    DemoSubmission("hana", "folder", changes=("scale of the whole token", "mean instead of maximum")),
    DemoSubmission("igor", "zip", changes=("repaired after the softmax", "nothing learned but the table")),
    DemoSubmission("judy", "folder", changes=("a table for keys and a table for queries", "all weights kept")),
    DemoSubmission("kai", "notebook", unsolved=("multi_head_attention_backward", "SenseModel", "RecallModel")),
    DemoSubmission("lena", "folder", unsolved="all"),
    DemoSubmission("mo", "folder", unsolved="all", appended={NUMPY: ALWAYS_EQUAL, TORCH: ALWAYS_EQUAL}),
    DemoSubmission("nina", "folder", appended={TORCH: EXIT}),
    DemoSubmission("otto", "folder", appended={NUMPY: endless("masked_softmax")}),
    DemoSubmission("pia", "zip", damaged=True),
)
