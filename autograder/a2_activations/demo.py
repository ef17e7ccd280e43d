"""The demo class of assignment 2: right, partly right, unfinished, broken and hostile."""

from __future__ import annotations

from autograder.demo import ALWAYS_EQUAL, EXIT, DemoSubmission, endless

NUMPY, TORCH = "activations", "activations_torch"

CLASS = (
    DemoSubmission("aya", "zip"),
    DemoSubmission("bo", "folder", changes=("a power of the sum of two exponentials", "logarithms added by NumPy")),
    DemoSubmission("carla", "notebook", changes=("back through every step of the forward pass",)),
    DemoSubmission("dev", "zip", changes=("buffers assigned anew, channels in front", "samples flattened, by einsum")),
    DemoSubmission("ewa", "folder", changes=("infinity over infinity",)),
    DemoSubmission("femi", "py", changes=("zero counted as a sign",)),
    DemoSubmission("gao", "notebook", changes=("diagonal of the Jacobian",)),
    DemoSubmission("hugo", "folder", changes=("ignored targets counted",)),
    DemoSubmission("ines", "zip", changes=("biased variance stored", "statistics taken for constants")),
    DemoSubmission("jun", "folder", changes=("scale applied at the end",)),
    DemoSubmission("kofi", "zip", changes=("ten percent of one", "statistics cut off from the graph")),
    DemoSubmission(
        "lars", "notebook", unsolved=("batch_norm_backward", "layer_norm_backward", "layer_statistics", "LayerNorm")
    ),
    DemoSubmission("mei", "folder", unsolved="all"),
    DemoSubmission("nils", "folder", unsolved="all", appended={NUMPY: ALWAYS_EQUAL, TORCH: ALWAYS_EQUAL}),
    DemoSubmission("olga", "folder", appended={NUMPY: EXIT}),
    DemoSubmission("paul", "folder", appended={NUMPY: endless("sigmoid")}),
    DemoSubmission("rosa", "zip", damaged=True),
)
