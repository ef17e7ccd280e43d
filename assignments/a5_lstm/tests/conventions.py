"""What the header of lstm.py promises for all its functions. Each is called with small arrays.

No forward pass made them: where an answer is compared, it is with another one to the same numbers.
"""

from __future__ import annotations

import numpy as np
from checks import call, criterion, keeps_arguments, keeps_dtype, keeps_strides, waves
from numpy import array

OK_FORMAT, name = False, "conventions"

X, H0, C0 = waves(2, 4, 3), waves(2, 2), waves(2, 2, of=np.cos)
W, B = waves(8, 5), waves(8)
H, C, DH = waves(2, 4, 2), waves(2, 4, 2, of=np.cos), waves(2, 4, 2)
GATES = (1 + waves(2, 4, 8)) / 2
GRU = (waves(6, 3), waves(6, 2), waves(6), waves(6, of=np.cos))
IDS = np.arange(24).reshape(4, 6) % 9
LABELS = array([[3, -100, 0, 1], [-100, 2, -100, 4]])
CALLS = {
    "lstm_step_forward": call(X[:, 0], H0, C0, W, B),
    "lstm_step_backward": call(DH[:, 0], C[:, 1], X[:, 0], H0, C0, C[:, 0], GATES[:, 0], W),
    "lstm_forward": call(X, H0, C0, W, B),
    "lstm_backward": call(DH, C[:, 0], X, H0, C0, H, C, GATES, W),
    "forget_path_gradient": call(GATES[0, :, :2], 3, 2),
    "cell_jacobian": call(C[0], GATES[0], W, 3, 1),
    "gru_step_forward": call(X[:, 0], H0, *GRU),
    "gru_forward": call(X, H0, *GRU),
    "reverse_padded": call(X, array([3, 4])),
    "bidirectional_lstm": call(X, array([3, 4]), [((W, B), (-W, B))]),
    "mask_tokens": call(IDS, mask_id=9, vocab_size=10, special_ids=(0,), probability=0.5, rng=np.random.default_rng(1)),
    "masked_lm_loss": call(waves(2, 4, 5), LABELS),
    "gru_step_backward": call(DH[:, 0], X[:, 0], H0, *GRU),
}


@criterion(
    "dtype",
    1,
    hint="Which array or NumPy number is float64 by itself, and widens what it meets? What has no room in float32?",
)
def test_dtype() -> None:
    keeps_dtype("lstm", CALLS)


@criterion(
    "strides", 1, hint="Which function expects the numbers of an array to lie in memory in the order of its axes?"
)
def test_strides() -> None:
    keeps_strides("lstm", CALLS)


@criterion(
    "arguments",
    1,
    hint="Which line writes, by an operator like += or into a slice, and whose array is it that it writes to?",
)
def test_arguments() -> None:
    keeps_arguments("lstm", CALLS)
