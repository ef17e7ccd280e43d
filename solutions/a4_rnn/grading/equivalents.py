"""Automatic mutants of assignment 4's reference that answer alike wherever the stub says what to answer, and why."""

from __future__ import annotations

from functools import partial

from autograder.course import Equivalent, TrivialAnswer, equivalents

same = partial(equivalents, "rnn")

EQUIVALENTS: tuple[Equivalent, ...] = (
    *same(
        "rnn_backward",
        "7902970c",
        (
            "one state more at the end, which no step reads",
            "before = np.concatenate([h0[:, None], h[:, :-1]], axis=1)",
            ["before = np.concatenate([h0[:, None], h[:, :]], axis=1)"],
        ),
        (
            "every entry of dx is written before it is returned",
            "dx, dU, dV, db = (np.zeros_like(x), np.zeros_like(U), np.zeros_like(V), np.zeros_like(V[0]))",
            ["dx, dU, dV, db = (np.ones_like(x), np.zeros_like(U), np.zeros_like(V), np.zeros_like(V[0]))"],
        ),
    ),
    *same(
        "clip_by_norm",
        "504b4c85",
        (
            "where the norm is 0 every gradient is, and stays so under any scale",
            "scale = min(1.0, max_norm / total_norm) if total_norm else 1.0",
            [f"scale = min(1.0, max_norm / total_norm) if total_norm else {scale}" for scale in ("2.0", "0.0")],
        ),
    ),
    *same(
        "numerical_gradient",
        "68767847",
        (
            "every entry of dx is written before it is returned",
            "dx = np.zeros(x.shape)",
            ["dx = np.ones(x.shape)"],
        ),
    ),
    *same(
        "gradient_error",
        "86e3ac42",
        (
            "a difference and its negative have the same magnitude",
            "return float(np.abs(a - b).max() / largest) if largest else 0.0",
            ["return float(np.abs(b - a).max() / largest) if largest else 0.0"],
        ),
    ),
)

# Answers that nobody has to think for, and that are right
TRIVIAL = (
    TrivialAnswer("gradient_error", "zeros", "0", "two gradients of zeros do not differ"),
    TrivialAnswer("gradient_error", "zeros", "0.0", "two gradients of zeros do not differ"),
    TrivialAnswer("gradient_error", "zeros", "zeros", "two gradients of zeros do not differ"),
)
