"""Automatic mutants of assignment 3's reference that answer alike wherever the stub says what to answer, and why."""

from __future__ import annotations

from functools import partial

from autograder.course import Equivalent, equivalents

same = partial(equivalents, "lenet5")

ANY_NEGATIVE = "NumPy takes every negative number, not only -1, for the one size that it is to work out"
POSITIVE_SHIFT = "it differs for positive shifts only, where the slice ends at the end of the image either way"
MAGNITUDE = "a difference and its negative have the same magnitude"
WRITTEN = "every entry is written before it is returned"

EQUIVALENTS: tuple[Equivalent, ...] = (
    *same(
        "max_pool_backward",
        "f1236b1f",
        (
            "sparse indices broadcast to the dense ones",
            "n, c, i, j = np.indices(dy.shape, sparse=True)",
            ["n, c, i, j = np.indices(dy.shape)", "n, c, i, j = np.indices(dy.shape, sparse=False)"],
        ),
    ),
    *same(
        "flatten",
        "60f46ef1",
        (ANY_NEGATIVE, "return x.reshape(len(x), -1)", ["return x.reshape(len(x), -2)"]),
    ),
    *same(
        "shift_image",
        "e4f943eb",
        (
            POSITIVE_SHIFT,
            "new_rows, old_rows = (slice(max(s, 0), max(height + min(s, 0), 0)) for s in (down, -down))",
            ["new_rows, old_rows = (slice(max(s, 0), max(height + min(s, 1), 0)) for s in (down, -down))"],
        ),
        (
            POSITIVE_SHIFT,
            "new_columns, old_columns = (slice(max(s, 0), max(width + min(s, 0), 0)) for s in (right, -right))",
            ["new_columns, old_columns = (slice(max(s, 0), max(width + min(s, 1), 0)) for s in (right, -right))"],
        ),
    ),
    *same(
        "equivariance_error",
        "e9dd46d7",
        (
            MAGNITUDE,
            "difference = np.abs(moved - expected)[inside].max()",
            ["difference = np.abs(expected - moved)[inside].max()"],
        ),
    ),
    *same(
        "invariance_rate",
        "3252051e",
        (WRITTEN, "rates = np.zeros(len(shifts))", ["rates = np.ones(len(shifts))"]),
        (
            MAGNITUDE,
            "change = np.abs(layer(shift_image(x, down, right)) - before)",
            ["change = np.abs(before - layer(shift_image(x, down, right)))"],
        ),
        (
            ANY_NEGATIVE,
            "rates[k] = np.mean(change.reshape(len(x), -1).max(axis=1) <= 1e-12)",
            ["rates[k] = np.mean(change.reshape(len(x), -2).max(axis=1) <= 1e-12)"],
        ),
    ),
    *same(
        "parameter_table",
        "4b014d85",
        (
            "pooling rounds down: images of 33 pixels have the same table as those of 32",
            "def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10)",
            [
                "def parameter_table(size=33, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10)"
            ],
        ),
    ),
    *same(
        "train",
        "75153e6f",
        (WRITTEN, "losses = np.zeros(len(batches))", ["losses = np.ones(len(batches))"]),
    ),
)
