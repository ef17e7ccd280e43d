"""Automatic mutants of assignment 1's reference that answer alike wherever the stub says what to answer, and why."""

from __future__ import annotations

from functools import partial

from autograder.course import Equivalent, Group, equivalents

same, in_torch = partial(equivalents, "convolution"), partial(equivalents, "convolution_torch")

LOUDNESS: Group = (
    "the amplitudes still reach from 0.01 to 100, where the stub promises a clear violation, and no gap is wide",
    "for amplitude in np.logspace(-3, 3, 13)",
    [
        f"for amplitude in np.logspace({amplitudes})"
        for amplitudes in ("3, -3, 13", "-4, 3, 13", "-2, 3, 13", "-3, 4, 13", "-3, 2, 13", "-3, 3, 14", "-3, 3, 12")
    ],
)
RECIPROCAL = "the reciprocal of a normal number is as random, and of the same order of magnitude"
ANY_NEGATIVE = "NumPy takes every negative number, not only -1, for the one size that it is to work out"

EQUIVALENTS: tuple[Equivalent, ...] = (
    *same(
        "convolve",
        "f75bac25",
        ("convolution is commutative", "x, h = _floating(x, h)", ["x, h = _floating(h, x)"]),
    ),
    *same(
        "is_linear",
        "92be0363",
        LOUDNESS,
        (
            RECIPROCAL,
            "u, v = amplitude * rng.standard_normal((2, length))",
            ["u, v = amplitude / rng.standard_normal((2, length))"],
        ),
        (
            "a difference and its negative have the same magnitude",
            "difference = np.abs(response_to_sum - sum_of_responses).max()",
            ["difference = np.abs(sum_of_responses - response_to_sum).max()"],
        ),
    ),
    *same(
        "is_time_invariant",
        "47500ba3",
        LOUDNESS,
        (
            RECIPROCAL,
            "x[:half] = amplitude * rng.standard_normal(half)",
            ["x[:half] = amplitude / rng.standard_normal(half)"],
        ),
        (
            "a signal over the first third tells as much, and its delays still carry it to the last sample",
            "half = length // 2",
            ["half = length // 3"],
        ),
        (
            "a delay of three is one of one and then one of two: what is right at two and at three is right at one",
            "for delay in range(1, length - half + 1)",
            ["for delay in range(2, length - half + 1)"],
        ),
        (
            "one delay fewer where the length is odd, and its violations show at one and at the rest",
            "for delay in range(1, length - half + 1)",
            ["for delay in range(1, half + 1)"],
        ),
        (
            "without a relative tolerance, closeness is symmetric",
            "if not np.allclose(response_to_delayed[delay:], response[:-delay], rtol=0, atol=tolerance)",
            ["if not np.allclose(response[:-delay], response_to_delayed[delay:], rtol=0, atol=tolerance)"],
        ),
        (
            "the stub promises that a violation is clear, and NumPy's default of 1e-5 hides none that is",
            "if not np.allclose(response_to_delayed[delay:], response[:-delay], rtol=0, atol=tolerance)",
            ["if not np.allclose(response_to_delayed[delay:], response[:-delay], atol=tolerance)"],
        ),
    ),
    *same(
        "cosine_similarity",
        "83fd7c27",
        ("the cosine is symmetric", "a, b = _floating(a, b)", ["a, b = _floating(b, a)"]),
        (
            "the inner product is symmetric",
            "return float(a @ b / lengths) if lengths else 0.0",
            ["return float(b @ a / lengths) if lengths else 0.0"],
        ),
    ),
    *same(
        "pad2d",
        "3e7c94e4",
        (
            "it stands within abs()",
            "rows = last_row - abs(last_row - abs(rows))",
            ["rows = last_row - abs(abs(rows) - last_row)"],
        ),
        (
            "it stands within abs()",
            "columns = last_column - abs(last_column - abs(columns))",
            ["columns = last_column - abs(abs(columns) - last_column)"],
        ),
    ),
    *same(
        "window_coverage",
        "28161888",
        (
            "only the padding behind the image becomes larger or smaller: what is counted there is cut off in the end, "
            "and a slice that runs over the end of an array stops there",
            "seen = np.zeros((height + 2 * ph, width + 2 * pw), np.int64)",
            [
                "seen = np.zeros((height + 2 * ph, width + 3 * pw), np.int64)",
                "seen = np.zeros((height + 2 * ph, width + 1 * pw), np.int64)",
                "seen = np.zeros((height + 3 * ph, width + 2 * pw), np.int64)",
                "seen = np.zeros((height + 1 * ph, width + 2 * pw), np.int64)",
                "seen = np.zeros((height + 2 * ph, width + pw), np.int64)",
                "seen = np.zeros((height + ph, width + 2 * pw), np.int64)",
            ],
        ),
    ),
    *same(
        "make_kernel",
        "713bca8b",
        (
            "a size of two is refused all the same, for it is even",
            "if size < 3 or size % 2 == 0",
            ["if size < 2 or size % 2 == 0"],
        ),
        (
            "it is squared",
            "bell = np.exp(-(np.arange(size) - centre) ** 2 / (2 * sigma ** 2))",
            ["bell = np.exp(-(centre - np.arange(size)) ** 2 / (2 * sigma ** 2))"],
        ),
    ),
    *same(
        "conv2d_im2col",
        "44abf012",
        (
            "the matrix product, whose inner sizes differ then, raises ValueError too, with a message of its own",
            "if x.shape[1] != w.shape[1]",
            ["nothing"],
        ),
        (
            "the matrix product, whose inner sizes differ then, raises ValueError too, with a message of its own",
            "raise ValueError(f'the images have {x.shape[1]} channels, the filters {w.shape[1]}')",
            ["nothing"],
        ),
        (
            ANY_NEGATIVE,
            "y: np.ndarray = w.reshape(filters, -1) @ im2col(x, kernel_size, stride=stride, padding=padding)",
            ["y: np.ndarray = w.reshape(filters, -2) @ im2col(x, kernel_size, stride=stride, padding=padding)"],
        ),
    ),
    *same(
        "col2im",
        "d617b23e",
        (
            ANY_NEGATIVE,
            "entries = cols.reshape(len(cols), -1, kh, kw, rows, columns)",
            ["entries = cols.reshape(len(cols), -2, kh, kw, rows, columns)"],
        ),
        (
            "only the padding behind the image becomes larger, and all of it is cut off in the end",
            "padded = np.zeros((*entries.shape[:2], height + 2 * ph, width + 2 * pw), cols.dtype)",
            [
                "padded = np.zeros((*entries.shape[:2], height + 2 * ph, width + 3 * pw), cols.dtype)",
                "padded = np.zeros((*entries.shape[:2], height + 3 * ph, width + 2 * pw), cols.dtype)",
            ],
        ),
    ),
    *in_torch(
        "Conv2d",
        "286fe361",
        (
            "initial values are the student's choice; the driver loads others",
            "self.bias = nn.Parameter(torch.zeros(out_channels)) if bias else None",
            ["self.bias = nn.Parameter(torch.ones(out_channels)) if bias else None"],
        ),
    ),
)
