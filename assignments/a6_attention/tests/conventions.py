"""What the header of attention.py promises for all its functions. Each is called with small arrays."""

from __future__ import annotations

import numpy as np
from checks import call, criterion, keeps_arguments, keeps_dtype, keeps_strides, waves
from numpy import array

OK_FORMAT, name = False, "conventions"

Q, K, V = waves(2, 3, 4, 5), waves(2, 3, 6, 5, of=np.cos), waves(2, 3, 6, 2)
WEIGHTS = np.exp(waves(2, 3, 4, 6)) / np.exp(waves(2, 3, 4, 6)).sum(axis=-1, keepdims=True)
SEEN = np.tri(4, 6, 2, dtype=bool)
X = waves(2, 4, 6)
PARAMS = {
    "in_proj_weight": waves(18, 6),
    "in_proj_bias": waves(18),
    "out_proj.weight": waves(6, 6),
    "out_proj.bias": waves(6),
}


def places(x: np.ndarray) -> np.ndarray:
    """A layer that gives each place an offset of its own."""
    return x + np.arange(4, dtype=x.dtype)[:, None]


CALLS = {
    "masked_softmax": call(waves(2, 3, 4, 6), SEEN),
    "attention_scores": call(Q, K),
    "padding_mask": call(array([2, 4, 1]), 4),
    "scaled_dot_product_attention": call(Q, K, V, SEEN),
    "scaled_dot_product_attention_backward": call(waves(2, 3, 4, 2), Q, K, V, WEIGHTS),
    "softmax_jacobian": call(WEIGHTS[0, 0, 0]),
    "project_qkv": call(X, PARAMS["in_proj_weight"], PARAMS["in_proj_bias"]),
    "split_heads": call(X, 3),
    "merge_heads": call(Q),
    "multi_head_attention": call(X, PARAMS, 3),
    "multi_head_attention_backward": call(waves(2, 4, 6, of=np.cos), X, PARAMS, 3),
    "permutation_error": call(places, X, array([2, 0, 3, 1])),
    "incremental_attention": call(Q, K[:, :, :4], V[:, :, :4], (K, V)),
    "retrieve": call(waves(5), K[0, 0], V[0, 0]),
    "sense_shift": call(*waves(4, 3)),
}


@criterion(
    "dtype",
    1,
    hint="Which array or NumPy number is float64 by itself, and widens what it meets? What has no room in float32?",
)
def test_dtype() -> None:
    keeps_dtype("attention", CALLS)


@criterion(
    "strides", 1, hint="Which function expects the numbers of an array to lie in memory in the order of its axes?"
)
def test_strides() -> None:
    keeps_strides("attention", CALLS)


@criterion(
    "arguments",
    1,
    hint="Which line writes, by an operator like += or into a slice, and whose array is it that it writes to?",
)
def test_arguments() -> None:
    keeps_arguments("attention", CALLS)
