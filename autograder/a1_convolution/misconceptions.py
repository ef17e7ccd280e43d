"""Mistakes that students make in assignment 1, each a patch of the reference and a teacher's sentence."""

from __future__ import annotations

from autograder.course import Misconception

MISCONCEPTIONS = (
    Misconception(
        "kernel not flipped",
        "convolve",
        "Both indices run the same way here: that is cross-correlation. In a convolution they add up to the output's.",
        "enumerate(h)",
        "enumerate(h[::-1])",
    ),
    Misconception(
        "homogeneity alone",
        "is_linear",
        "Scaling the input was tried, adding two inputs was not. Some systems scale properly and still are not linear.",
        """        u, v = amplitude * rng.standard_normal((2, length))
        a, b = rng.standard_normal(2)
        response_to_sum = system(a * u + b * v)
        sum_of_responses = a * system(u) + b * system(v)
""",
        """        u = amplitude * rng.standard_normal(length)
        a = rng.standard_normal()
        response_to_sum = system(a * u)
        sum_of_responses = a * system(u)
""",
    ),
    Misconception(
        "edge repeated",
        "pad2d",
        "Reflection has its mirror on the outermost sample, not beside it: look at how often that sample appears.",
        """        rows = last_row - abs(last_row - abs(rows))
        columns = last_column - abs(last_column - abs(columns))
""",
        """        rows = np.where(rows < 0, -rows - 1, rows)
        rows = np.where(rows > last_row, 2 * last_row + 1 - rows, rows)
        columns = np.where(columns < 0, -columns - 1, columns)
        columns = np.where(columns > last_column, 2 * last_column + 1 - columns, columns)
""",
    ),
    Misconception(
        "no clipping",
        "filter_image",
        "Eight bits hold 0 to 255, and a response may lie outside. Think about what a cast does with those values.",
        "response.round().clip(0, 255).astype(np.uint8)",
        "response.round().astype(np.int64).astype(np.uint8)",
    ),
    Misconception(
        "stride ignored in the window's start",
        "conv2d_forward",
        "The size of the output follows the stride, but its windows do not: ask where the window of output i starts.",
        "[:, :, ::sh, ::sw]",
        """[
        :, :, : (padded.shape[2] - w.shape[2]) // sh + 1, : (padded.shape[3] - w.shape[3]) // sw + 1
    ]""",
    ),
    Misconception(
        "overlaps overwritten",
        "conv2d_backward",
        "A pixel takes part in several windows. The chain rule has something to say about all of them, not the last.",
        "dpadded[met] += np",
        "dpadded[met] = np",
    ),
    Misconception(
        "bias left out",
        "Conv2d",
        "The layer holds a bias but its output does not depend on it; neither will its gradient.",
        "return y if self.bias is None else y + self.bias[:, None, None]",
        "return y",
    ),
)
