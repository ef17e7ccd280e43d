"""The demo class of assignment 2: right, partly right, unfinished, broken and hostile."""

from __future__ import annotations

from autograder.demo import ALWAYS_EQUAL, EXIT, DemoSubmission, endless

NUMPY, TORCH = "activations", "activations_torch"

CLASS = (
    DemoSubmission("ada", "zip"),
    DemoSubmission("ben", "folder", changes=("a power of the sum of two exponentials", "logarithms added by NumPy")),
    DemoSubmission("chen", "notebook", changes=("back through every step of the forward pass",)),
    DemoSubmission("dora", "zip", changes=("buffers assigned anew, channels in front", "samples flattened, by einsum")),
    DemoSubmission("emil", "folder", changes=("infinity over infinity",)),
    DemoSubmission("fay", "py", changes=("zero counted as a sign",)),
    DemoSubmission("gus", "notebook", changes=("diagonal of the Jacobian",)),
    DemoSubmission("hana", "folder", changes=("ignored targets counted",)),
    DemoSubmission("igor", "zip", changes=("biased variance stored", "statistics taken for constants")),
    DemoSubmission("judy", "folder", changes=("scale applied at the end",)),
    DemoSubmission("kai", "zip", changes=("ten percent of one", "statistics cut off from the graph")),
    DemoSubmission(
        "lena", "notebook", unsolved=("batch_norm_backward", "layer_norm_backward", "layer_statistics", "LayerNorm")
    ),
    DemoSubmission("mo", "folder", unsolved="all"),
    DemoSubmission("nina", "folder", unsolved="all", appended={NUMPY: ALWAYS_EQUAL, TORCH: ALWAYS_EQUAL}),
    DemoSubmission("otto", "folder", appended={NUMPY: EXIT}),
    DemoSubmission("pia", "folder", appended={NUMPY: endless("sigmoid")}),
    DemoSubmission("quinn", "zip", damaged=True),
)
