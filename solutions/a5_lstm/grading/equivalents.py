"""Automatic mutants of assignment 5's reference that answer alike wherever the stub says what to answer, and why."""

from __future__ import annotations

from functools import partial

from autograder.course import Equivalent, TrivialAnswer, equivalents

same, in_torch = partial(equivalents, "lstm"), partial(equivalents, "lstm_torch")

ONE_LENGTH = "strict only checks that the lengths agree, and here they always do"
NEVER = "a random number of 53 bits is equal to the bound once in many thousand years"

EQUIVALENTS: tuple[Equivalent, ...] = (
    *same(
        "lstm_forward",
        "79efd970",
        (
            ONE_LENGTH,
            "hs, cs, all_gates = (np.stack(arrays, axis=1) for arrays in zip(*steps, strict=True))",
            [
                "hs, cs, all_gates = (np.stack(arrays, axis=1) for arrays in zip(*steps))",
                "hs, cs, all_gates = (np.stack(arrays, axis=1) for arrays in zip(*steps, strict=False))",
            ],
        ),
    ),
    *same(
        "lstm_backward",
        "375a70b5",
        (
            ONE_LENGTH,
            "dxs, dWs, dbs = zip(*reversed(steps), strict=True)",
            ["dxs, dWs, dbs = zip(*reversed(steps))", "dxs, dWs, dbs = zip(*reversed(steps), strict=False)"],
        ),
    ),
    *same(
        "cell_jacobian",
        "78bd36e9",
        (
            "the common dtype does not depend on the order",
            "dc = np.eye(hidden, dtype=np.result_type(c, gates, W))",
            ["dc = np.eye(hidden, dtype=np.result_type(gates, c, W))"],
        ),
    ),
    *same(
        "gru_step_forward",
        "6db0f623",
        (
            "a sum does not depend on the order",
            "r, z = (_sigmoid(u + v) for u, v in zip(from_input[:2], from_state[:2], strict=True))",
            ["r, z = (_sigmoid(u + v) for u, v in zip(from_state[:2], from_input[:2], strict=True))"],
        ),
        (
            ONE_LENGTH,
            "r, z = (_sigmoid(u + v) for u, v in zip(from_input[:2], from_state[:2], strict=True))",
            [
                "r, z = (_sigmoid(u + v) for u, v in zip(from_input[:2], from_state[:2]))",
                "r, z = (_sigmoid(u + v) for u, v in zip(from_input[:2], from_state[:2], strict=False))",
            ],
        ),
    ),
    *same(
        "_run",
        "521cf3dc",
        (
            "the common dtype does not depend on the order",
            "zeros = np.zeros((len(x), len(b) // 4), np.result_type(x, W, b))",
            ["zeros = np.zeros((len(x), len(b) // 4), np.result_type(W, x, b))"],
        ),
    ),
    *same(
        "mask_tokens",
        "3fd85085",
        (
            NEVER,
            "selected = (rng.random(ids.shape) < probability) & ~np.isin(ids, reserved)",
            ["selected = (rng.random(ids.shape) <= probability) & ~np.isin(ids, reserved)"],
        ),
        (
            NEVER,
            "inputs[selected & (fate < 0.8)] = mask_id",
            ["inputs[selected & (fate <= 0.8)] = mask_id"],
        ),
        (
            NEVER,
            "replaced = selected & (fate >= 0.8) & (fate < 0.9)",
            [
                "replaced = selected & (fate >= 0.8) & (fate <= 0.9)",
                "replaced = selected & (fate > 0.8) & (fate < 0.9)",
            ],
        ),
    ),
    *in_torch(
        "MaskedWordModel",
        "6b8c4bfa",
        (
            "packed sequences carry their own layout: batch_first says nothing about them",
            "self.lstm = nn.LSTM(embedding_dim, hidden_size, batch_first=True, bidirectional=True)",
            [
                "self.lstm = nn.LSTM(embedding_dim, hidden_size, bidirectional=True)",
                "self.lstm = nn.LSTM(embedding_dim, hidden_size, batch_first=False, bidirectional=True)",
            ],
        ),
    ),
)

# Answers that nobody has to think for, and that are right
TRIVIAL = (TrivialAnswer("masked_lm_loss", "empty", "zeros", "where no word is selected, loss and gradient are 0"),)
