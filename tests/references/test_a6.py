"""The references of assignment 6 against independent oracles: PyTorch's attention, its autograd, and closed forms."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from solutions.a6_attention import attention, attention_torch, provided
from tests.references.arrays import frozen, scattered

EXACT, SINGLE = 1e-10, 1e-5
DTYPES: dict[Any, float] = {np.float64: EXACT, np.float32: SINGLE}

dtypes = pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])
SEEDS = range(20)


def assert_close(got: Any, want: Any, tolerance: float = EXACT) -> None:
    """Same shape, finite, and equal relative to the largest magnitude wanted."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    assert np.isfinite(got).all()
    assert np.abs(got - want).max() <= tolerance * max(np.abs(want).max(), 1e-6)


def noise(rng: np.random.Generator, *shape: int, dtype: Any = np.float64) -> np.ndarray:
    return frozen(rng.standard_normal(shape).astype(dtype))


def tensors(*arrays: np.ndarray) -> list[torch.Tensor]:
    """Copies that record gradients."""
    return [torch.tensor(array, requires_grad=True) for array in arrays]


MASKS = ["none", "causal", "padding", "both", "random"]


def made_mask(kind: str, rng: np.random.Generator, N: int, heads: int, T: int, S: int) -> np.ndarray | None:
    """A mask in which every query sees something."""
    lengths = rng.integers(max(1, S - T + 1), S + 1, N)
    lengths[rng.integers(N)] = S
    padding, causal = attention.padding_mask(lengths, S), attention.causal_mask(T, S)
    anything = rng.random((N, heads, T, S)) < 0.5
    anything[..., rng.integers(S)] = True
    return {"none": None, "causal": causal, "padding": padding, "both": padding & causal, "random": anything}[kind]


def sizes(seed: int) -> tuple[np.random.Generator, int, int, int, int, int, int]:
    """N, heads, T, S, d, e, with T <= S so that a causal mask leaves every query something."""
    rng = np.random.default_rng(seed)
    N, heads, T, d, e = rng.integers(1, 6, 5).tolist()
    return rng, N, heads, T, T + int(rng.integers(4)), d, e


# --- one head --------------------------------------------------------------------------------------------------------


@dtypes
@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("seed", SEEDS)
def test_attention_and_its_gradients_equal_torch(seed: int, kind: str, dtype: Any) -> None:
    rng, N, heads, T, S, d, e = sizes(seed)
    q, k, v = (noise(rng, N, heads, *size, dtype=dtype) for size in ((T, d), (S, d), (S, e)))
    mask = made_mask(kind, rng, N, heads, T, S)
    scale = None if seed % 3 else float(rng.uniform(-2, 2))
    leaves = tensors(q, k, v)
    want = F.scaled_dot_product_attention(*leaves, None if mask is None else torch.tensor(mask), scale=scale)
    dout = noise(rng, *want.shape, dtype=dtype)
    want.backward(torch.tensor(dout))
    for arguments in ((q, k, v), tuple(map(scattered, (q, k, v)))):
        out, weights = attention.scaled_dot_product_attention(*arguments, mask, scale=scale)
        assert out.dtype == weights.dtype == dtype
        assert_close(out, want.detach(), DTYPES[dtype])
        assert_close(weights.sum(axis=-1), np.ones((N, heads, T)), DTYPES[dtype])
        gradients = attention.scaled_dot_product_attention_backward(dout, *arguments, weights, scale=scale)
        for gradient, leaf in zip(gradients, leaves, strict=True):
            assert gradient.dtype == dtype
            assert_close(gradient, leaf.grad, DTYPES[dtype])


@pytest.mark.parametrize("kind", MASKS)
def test_a_query_that_sees_nothing_gets_zeros_and_gives_no_gradient(kind: str) -> None:
    rng, N, heads, T, S, d, e = np.random.default_rng(3), 3, 2, 4, 6, 3, 5
    q, k, v = (noise(rng, N, heads, *size) for size in ((T, d), (S, d), (S, e)))
    mask = made_mask(kind, rng, N, heads, T, S)
    mask = np.array(np.broadcast_to(True if mask is None else mask, (N, heads, T, S)))
    mask[0, 1, 2] = mask[2] = False
    out, weights = attention.scaled_dot_product_attention(q, k, v, mask)
    assert not out[0, 1, 2].any()
    assert not out[2].any()
    assert not weights[~mask].any()
    dout = noise(rng, *out.shape)
    dq, dk, dv = attention.scaled_dot_product_attention_backward(dout, q, k, v, weights)
    assert np.isfinite(dq).all()
    assert not dq[0, 1, 2].any()
    assert not dk[2].any()
    assert not dv[2].any()
    leaves = tensors(q[:2], k[:2], v[:2])
    seen = torch.tensor(mask[:2])
    F.scaled_dot_product_attention(*leaves, seen).backward(torch.tensor(dout[:2]))
    for gradient, leaf in zip((dq, dk, dv), leaves, strict=True):
        assert_close(gradient[:2], torch.nan_to_num(leaf.grad))


@dtypes
@pytest.mark.parametrize("largest", [1, 100, 1e4])
@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4, 6)])
def test_masked_softmax_equals_torch(shape: tuple[int, ...], largest: float, dtype: Any) -> None:
    rng = np.random.default_rng(len(shape))
    scores = frozen(rng.uniform(-largest, largest, shape).astype(dtype))
    got = attention.masked_softmax(scores)
    assert got.dtype == dtype
    assert_close(got, torch.tensor(scores).softmax(-1), DTYPES[dtype])
    mask = rng.random(shape) < 0.6
    mask[..., 1] = True
    got = attention.masked_softmax(scores, mask)
    assert_close(got, torch.tensor(scores).masked_fill(~torch.tensor(mask), -torch.inf).softmax(-1), DTYPES[dtype])
    assert not got[~mask].any()
    assert not attention.masked_softmax(scores, np.zeros(shape, bool)).any()


@dtypes
@pytest.mark.parametrize("offset", [-1e4, 1e4])
def test_masked_softmax_does_not_see_an_offset(offset: float, dtype: Any) -> None:
    scores = np.array([0.0, 1.0, 2.0], dtype)
    got = attention.masked_softmax((scores + offset).astype(dtype))
    assert_close(got, attention.masked_softmax(scores), 1e-3)  # float32 has steps of 0.001 there


@dtypes
def test_scores_keep_the_dtype_and_take_any_scale(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    q, k = noise(rng, 2, 5, 4, dtype=dtype), noise(rng, 2, 7, 4, dtype=dtype)
    for scale in (None, 0.3, -2.0, 0.0):
        got = attention.attention_scores(q, k, scale=scale)
        assert got.dtype == dtype
        factor = 0.5 if scale is None else scale
        assert_close(got, factor * np.einsum("nid,njd->nij", q, k), DTYPES[dtype])


def test_scores_of_independent_components_have_variance_one() -> None:
    rng = np.random.default_rng(0)
    for d in (4, 64, 1024):
        scores = attention.attention_scores(noise(rng, 300, d), noise(rng, 300, d))
        assert abs(scores.std() - 1) < 0.05


@pytest.mark.parametrize(("T", "S"), list(product([1, 2, 5], [1, 2, 4, 7])))
def test_causal_mask_is_its_definition(T: int, S: int) -> None:
    got = attention.causal_mask(T, S)
    assert got.dtype == bool
    assert got.tolist() == [[j <= i + S - T for j in range(S)] for i in range(T)]
    if T == S:
        assert np.array_equal(attention.causal_mask(T), got)


def test_masks_spell_their_docstrings() -> None:
    assert attention.causal_mask(2, 4).astype(int).tolist() == [[1, 1, 1, 0], [1, 1, 1, 1]]
    got = attention.padding_mask(np.array([2, 0]), 3)
    assert got.dtype == bool
    assert got.astype(int).tolist() == [[[[1, 1, 0]]], [[[0, 0, 0]]]]


@pytest.mark.parametrize("n", range(1, 21))
def test_softmax_jacobian_equals_autograd(n: int) -> None:
    scores = torch.tensor(noise(np.random.default_rng(n), n))
    p = scores.softmax(0)
    got = attention.softmax_jacobian(p.numpy())
    assert_close(got, torch.autograd.functional.jacobian(lambda s: s.softmax(0), scores))
    assert_close(got.sum(axis=1), np.zeros(n))
    assert attention.softmax_jacobian(np.full(2, 0.5, np.float32)).tolist() == [[0.25, -0.25], [-0.25, 0.25]]


# --- several heads ---------------------------------------------------------------------------------------------------

DIVISIONS = [(1, 1), (1, 5), (2, 3), (3, 2), (4, 1), (5, 4)]  # heads, features of a head


def layer(heads: int, d: int, seed: int) -> tuple[nn.MultiheadAttention, dict[str, np.ndarray]]:
    """PyTorch's layer, with biases that are not zero, and its parameters."""
    torch.manual_seed(seed)
    module = nn.MultiheadAttention(heads * d, heads, batch_first=True, dtype=torch.float64)
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)
    return module, {name: frozen(value.numpy().copy()) for name, value in module.state_dict().items()}


def asked(
    module: nn.MultiheadAttention, x: torch.Tensor, memory: torch.Tensor, mask: np.ndarray | None
) -> tuple[torch.Tensor, torch.Tensor]:
    """PyTorch's answer. It wants True where it may not look, one mask for each head, and no padding axis."""
    hidden = None
    if mask is not None:
        full = np.broadcast_to(mask, (len(x), module.num_heads, x.shape[1], memory.shape[1]))
        hidden = torch.tensor(~full).flatten(0, 1)
    return module(x, memory, memory, attn_mask=hidden, average_attn_weights=False)


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("crossed", [False, True], ids=["self", "cross"])
@pytest.mark.parametrize(("heads", "d"), DIVISIONS)
def test_multi_head_attention_equals_torch(heads: int, d: int, crossed: bool, kind: str) -> None:
    rng, N, _, T, S, *_ = sizes(heads * d)
    S = S + 2 if crossed else T
    module, params = layer(heads, d, seed=d)
    x, memory = noise(rng, N, T, heads * d), noise(rng, N, S, heads * d)
    mask = made_mask(kind, rng, N, heads, T, S)
    given = {"memory": memory} if crossed else {}
    want, probabilities = asked(module, torch.tensor(x), torch.tensor(memory if crossed else x), mask)
    y, weights = attention.multi_head_attention(x, params, heads, mask=mask, **given)
    assert_close(y, want.detach())
    assert_close(weights, probabilities.detach())
    assert_close(attention.multi_head_attention(scattered(x), params, heads, mask=mask, **given)[0], want.detach())


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize(("heads", "d"), DIVISIONS)
def test_multi_head_gradients_equal_autograd(heads: int, d: int, kind: str) -> None:
    rng, N, _, T, *_ = sizes(heads + 10 * d)
    module, params = layer(heads, d, seed=d)
    x, dy = noise(rng, N, T, heads * d), noise(rng, N, T, heads * d)
    mask = made_mask(kind, rng, N, heads, T, T)
    (leaf,) = tensors(x)
    asked(module, leaf, leaf, mask)[0].backward(torch.tensor(dy))
    dx, grads = attention.multi_head_attention_backward(dy, x, params, heads, mask=mask)
    assert_close(dx, leaf.grad)
    assert grads.keys() == params.keys()
    for name, parameter in module.named_parameters():
        assert_close(grads[name], parameter.grad)


def test_many_heads_see_nothing_and_stay_finite() -> None:
    rng = np.random.default_rng(0)
    _, params = layer(2, 3, seed=0)
    x, mask = noise(rng, 2, 4, 6), np.ones((2, 1, 4, 4), bool)
    mask[0, :, 1] = mask[1] = False
    y, weights = attention.multi_head_attention(x, params, 2, mask=mask)
    assert_close(y[0, 1], params["out_proj.bias"])
    assert_close(y[1], np.tile(params["out_proj.bias"], (4, 1)))
    assert not weights[1].any()
    dx, grads = attention.multi_head_attention_backward(noise(rng, 2, 4, 6), x, params, 2, mask=mask)
    assert np.isfinite(dx).all()
    assert not dx[1].any()
    assert all(np.isfinite(grad).all() for grad in grads.values())


def test_many_heads_and_the_cache_keep_float32() -> None:
    rng = np.random.default_rng(0)
    _, double = layer(3, 2, seed=0)
    params = {name: value.astype(np.float32) for name, value in double.items()}
    x, dy, mask = noise(rng, 2, 5, 6), noise(rng, 2, 5, 6), rng.random((2, 3, 5, 5)) < 0.5
    single, dsingle = x.astype(np.float32), dy.astype(np.float32)
    got = [*attention.multi_head_attention(single, params, 3, mask=mask)]
    dx, grads = attention.multi_head_attention_backward(dsingle, single, params, 3, mask=mask)
    want = [*attention.multi_head_attention(x, double, 3, mask=mask)]
    dx64, grads64 = attention.multi_head_attention_backward(dy, x, double, 3, mask=mask)
    for mine, exact in zip([*got, dx, *grads.values()], [*want, dx64, *grads64.values()], strict=True):
        assert mine.dtype == np.float32
        assert_close(mine, exact, SINGLE)
    q = attention.split_heads(single, 3)
    out, cache = attention.incremental_attention(q, q, q)
    assert {out.dtype, *(array.dtype for array in cache)} == {np.dtype(np.float32)}


@pytest.mark.parametrize(("heads", "d"), DIVISIONS)
def test_heads_are_split_and_merged(heads: int, d: int) -> None:
    x = np.arange(2 * 3 * heads * d).reshape(2, 3, heads * d)
    parts = attention.split_heads(x, heads)
    assert parts.dtype == x.dtype
    assert parts.shape == (2, heads, 3, d)
    for n, h, t, i in np.ndindex(*parts.shape):
        assert parts[n, h, t, i] == x[n, t, h * d + i]
    assert np.array_equal(attention.merge_heads(parts), x)
    assert np.array_equal(attention.merge_heads(scattered(parts)), x)


@pytest.mark.parametrize("heads", [4, 7, 12])
def test_heads_must_divide_the_features(heads: int) -> None:
    with pytest.raises(ValueError, match="cannot be divided"):
        attention.split_heads(np.ones((2, 3, 6)), heads)


# --- positions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", [10000.0, 30.0])
@pytest.mark.parametrize(("T", "D"), [(1, 2), (7, 2), (5, 6), (300, 64)])
def test_sinusoidal_positions_are_their_definition(T: int, D: int, base: float) -> None:
    got = attention.sinusoidal_positions(T, D, base)
    assert got.dtype == np.float64
    for t, i in np.ndindex(T, D // 2):
        angle = t * base ** (-2 * i / D)
        assert abs(got[t, 2 * i] - np.sin(angle)) < 1e-10
        assert abs(got[t, 2 * i + 1] - np.cos(angle)) < 1e-10


def test_the_default_base_is_ten_thousand() -> None:
    assert np.array_equal(attention.sinusoidal_positions(9, 8), attention.sinusoidal_positions(9, 8, 1e4))


def test_a_shift_is_a_rotation_of_every_pair() -> None:
    """What makes them useful: the dot product of two positions depends on their distance alone."""
    positions = attention.sinusoidal_positions(40, 16)
    products = positions @ positions.T
    for distance in range(1, 10):
        assert np.ptp(np.diagonal(products, distance)) < 1e-10


@pytest.mark.parametrize("D", [1, 7])
def test_odd_numbers_of_features_are_refused(D: int) -> None:
    with pytest.raises(ValueError, match="odd"):
        attention.sinusoidal_positions(4, D)


def self_attention(positions: bool, mask: np.ndarray | None) -> Callable[[np.ndarray], np.ndarray]:
    _, params = layer(2, 4, seed=1)

    def apply(x: np.ndarray) -> np.ndarray:
        x = x + attention.sinusoidal_positions(x.shape[1], 8) if positions else x
        return attention.multi_head_attention(x, params, 2, mask=mask)[0]

    return apply


@pytest.mark.parametrize("seed", range(5))
def test_permutation_error_tells_sets_from_sequences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, permutation = noise(rng, 3, 6, 8), np.roll(rng.permutation(6), 1)
    assert attention.permutation_error(self_attention(False, None), x, permutation) < 1e-12
    assert attention.permutation_error(self_attention(True, None), x, np.array([1, 2, 0, 3, 5, 4])) > 0.01
    causal = attention.causal_mask(6)
    assert attention.permutation_error(self_attention(False, causal), x, np.array([1, 2, 0, 3, 5, 4])) > 0.01
    assert attention.permutation_error(self_attention(True, causal), x, np.arange(6)) == 0
    assert isinstance(attention.permutation_error(lambda x: x, x, permutation), float)


# --- the cache -------------------------------------------------------------------------------------------------------


def compositions(total: int) -> Iterator[list[int]]:
    """Every way of cutting ``total`` tokens into pieces."""
    for cuts in product([False, True], repeat=total - 1):
        pieces = [1]
        for cut in cuts:
            if cut:
                pieces.append(1)
            else:
                pieces[-1] += 1
        yield pieces


@pytest.mark.parametrize("T", [1, 2, 5, 8])
def test_the_cache_equals_the_causal_pass_however_a_sequence_is_cut(T: int) -> None:
    rng = np.random.default_rng(T)
    q, k, v = (noise(rng, 2, 3, T, size) for size in (4, 4, 5))
    want = F.scaled_dot_product_attention(*map(torch.tensor, (q, k, v)), is_causal=True)
    for pieces in compositions(T):
        cache, start, outputs = None, 0, []
        for length in pieces:
            new = (a[:, :, start : start + length] for a in (q, k, v))
            out, cache = attention.incremental_attention(*new, cache)
            outputs.append(out)
            start += length
        assert_close(np.concatenate(outputs, axis=2), want)
        assert np.array_equal(cache[0], k)
        assert np.array_equal(cache[1], v)


def test_one_cache_continues_in_two_ways() -> None:
    rng = np.random.default_rng(0)
    cache = noise(rng, 2, 3, 5, 4), noise(rng, 2, 3, 5, 4)
    first, second = ([noise(rng, 2, 3, 1, 4) for _ in range(3)] for _ in range(2))
    outputs = [attention.incremental_attention(*tokens, cache)[0] for tokens in (first, second, first)]
    assert np.array_equal(outputs[0], outputs[2])
    assert not np.allclose(outputs[0], outputs[1])


# --- retrieval and senses --------------------------------------------------------------------------------------------


@dtypes
@pytest.mark.parametrize("temperature", [0.01, 1, 5.0])
def test_retrieve_is_a_softmax_of_dot_products(temperature: float, dtype: Any) -> None:
    rng = np.random.default_rng(0)
    query, keys, values = noise(rng, 4, dtype=dtype), noise(rng, 6, 4, dtype=dtype), noise(rng, 6, 3, dtype=dtype)
    value, weights = attention.retrieve(query, keys, values, temperature=temperature)
    assert value.dtype == weights.dtype == dtype
    want = (torch.tensor(keys.astype(float)) @ torch.tensor(query.astype(float)) / temperature).softmax(0)
    assert_close(weights, want, 1e-3 if dtype == np.float32 else EXACT)
    assert_close(value, want.numpy() @ values, 1e-3 if dtype == np.float32 else EXACT)


def test_retrieve_becomes_a_lookup_and_a_mean() -> None:
    keys, values = np.eye(3), np.arange(6.0).reshape(3, 2)
    assert_close(attention.retrieve(keys[1], keys, values, temperature=0.01)[0], values[1])
    assert_close(attention.retrieve(keys[1], keys, values, temperature=1e6)[0], values.mean(axis=0), 1e-5)


@pytest.mark.parametrize("temperature", [0, 0.0, -1.0])
def test_retrieve_refuses_temperatures_that_do_not_exist(temperature: float) -> None:
    with pytest.raises(ValueError, match="above zero"):
        attention.retrieve(np.ones(2), np.ones((3, 2)), np.ones((3, 2)), temperature=temperature)


@pytest.mark.parametrize("seed", SEEDS)
def test_sense_shift_equals_torch(seed: int) -> None:
    before, after, a, b = vectors = [noise(np.random.default_rng(seed + i), seed + 2) for i in range(4)]
    u, w, first, second = map(torch.tensor, vectors)

    def lean(x: torch.Tensor) -> torch.Tensor:
        return F.cosine_similarity(x, first, dim=0) - F.cosine_similarity(x, second, dim=0)

    distance, gain = attention.sense_shift(before, after, a, b)
    assert isinstance(distance, float)
    assert isinstance(gain, float)
    assert_close(distance, (w - u).norm())
    assert_close(gain, lean(w) - lean(u))


def test_a_vector_without_direction_leans_nowhere() -> None:
    zero, a, b = np.zeros(2), np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert attention.sense_shift(zero, 3 * a, a, b) == (3.0, 1.0)
    assert attention.sense_shift(a, zero, a, b) == (1.0, -1.0)
    assert attention.sense_shift(a, b, zero, zero) == (2**0.5, 0.0)
    assert attention.sense_shift(zero, b, zero, b) == (1.0, -1.0)


# --- PyTorch ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("crossed", [False, True], ids=["self", "cross"])
@pytest.mark.parametrize(("heads", "d"), DIVISIONS)
def test_the_layer_equals_torch_in_values_and_gradients(heads: int, d: int, crossed: bool, kind: str) -> None:
    rng, N, _, T, S, *_ = sizes(heads * d)
    S = S + 2 if crossed else T
    theirs, params = layer(heads, d, seed=d)
    ours = attention_torch.MultiHeadAttention(heads * d, heads).double()
    ours.load_state_dict(theirs.state_dict())  # strict
    assert ours.state_dict().keys() == params.keys()
    x, memory, dy = (noise(rng, N, length, heads * d) for length in (T, S, T))
    mask = made_mask(kind, rng, N, heads, T, S)
    leaves, answers = [tensors(x, memory) for _ in range(2)], []
    for module, (leaf, searched) in zip((theirs, ours), leaves, strict=True):
        if module is theirs:
            y, _ = asked(theirs, leaf, searched if crossed else leaf, mask)
        else:
            y = ours(leaf, searched if crossed else None, None if mask is None else torch.tensor(mask))
        y.backward(torch.tensor(dy))
        answers.append(y.detach())
    assert_close(answers[1], answers[0])
    for (their, our), wanted in zip(zip(*leaves, strict=True), (True, crossed), strict=True):
        if wanted:
            assert_close(our.grad, their.grad)
    for name, parameter in theirs.named_parameters():
        assert_close(dict(ours.named_parameters())[name].grad, parameter.grad)


def test_the_layer_stays_finite_where_nothing_is_seen_and_where_scores_are_huge() -> None:
    torch.manual_seed(0)
    module = attention_torch.MultiHeadAttention(6, 2).double()
    x = (100 * torch.randn(2, 4, 6, dtype=torch.float64)).requires_grad_()
    mask = torch.ones(2, 1, 4, 4, dtype=torch.bool)
    mask[0, :, 1] = mask[1] = False
    y = module(x, mask=mask)
    assert_close(y[1].detach(), module.out_proj.bias.detach().expand(4, 6))
    y.square().sum().backward()
    assert torch.isfinite(x.grad).all()
    assert all(torch.isfinite(p.grad).all() for p in module.parameters())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_layer_and_the_numpy_functions_agree_also_where_nothing_is_seen(seed: int) -> None:
    """There nn.MultiheadAttention has no answer but NaN; these two were written apart."""
    rng = np.random.default_rng(seed)
    _, params = layer(3, 2, seed)
    module = attention_torch.MultiHeadAttention(6, 3).double()
    module.load_state_dict({name: torch.tensor(value) for name, value in params.items()})
    x, dy, mask = noise(rng, 2, 5, 6), noise(rng, 2, 5, 6), rng.random((2, 3, 5, 5)) < 0.3
    assert not mask.any(axis=-1).all()
    (leaf,) = tensors(x)
    y = module(leaf, mask=torch.tensor(mask))
    assert_close(y.detach(), attention.multi_head_attention(x, params, 3, mask=mask)[0])
    y.backward(torch.tensor(dy))
    dx, grads = attention.multi_head_attention_backward(dy, x, params, 3, mask=mask)
    assert_close(dx, leaf.grad)
    for name, parameter in module.named_parameters():
        assert_close(grads[name], parameter.grad)


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("chunk", [1, 3, 4, 12, 50])
def test_chunked_attention_equals_torch(chunk: int, is_causal: bool) -> None:
    q, k, v = (torch.tensor(noise(np.random.default_rng(i), 2, 3, 12, size)) for i, size in enumerate((4, 4, 5)))
    got = attention_torch.chunked_attention(q, k, v, chunk=chunk, is_causal=is_causal)
    assert_close(got, F.scaled_dot_product_attention(q, k, v, is_causal=is_causal))


PEAK = """
import re, sys, torch
from pathlib import Path
from solutions.a6_attention.attention_torch import chunked_attention
torch.set_num_threads(1)
q, k, v = torch.randn(3, 1, 2, 4096, 16)
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
before = peak()
if sys.argv[1] == "plain":
    (q @ k.mT / 4).softmax(dim=-1) @ v
else:
    chunked_attention(q, k, v, chunk=128, is_causal=sys.argv[1] == "causal")
print(peak() - before)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is read from /proc")
def test_chunked_attention_needs_a_quarter_of_the_memory_at_4096_tokens() -> None:
    """The growth of the peak resident set, in a process for each form; ``ru_maxrss`` would begin at the parent's."""

    def peak(form: str) -> int:
        run = [sys.executable, "-c", PEAK, form]
        return int(subprocess.run(run, check=True, capture_output=True, text=True).stdout)

    plain = peak("plain")
    assert plain > 2 * 4096 * 4096 * 4 // 1024  # at least the scores of both heads
    assert 4 * peak("chunked") <= plain
    assert 4 * peak("causal") <= plain


# --- what attention learns -------------------------------------------------------------------------------------------

Made = Callable[[], nn.Module]


def trained(model: nn.Module, draw: Callable[[], tuple[Any, ...]], steps: int, logits: Any = None) -> float:
    """Train with Adam, as the stubs say; returns the seconds of CPU."""
    optimizer, start = torch.optim.Adam(model.parameters(), lr=0.01), time.process_time()
    for _ in range(steps):
        *question, answer = map(torch.from_numpy, draw())
        out = model(*question)
        loss = F.cross_entropy(out if logits is None else logits(out), answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return time.process_time() - start


def leaning(model: Any) -> tuple[float, float]:
    """The mean gain of "apple" among words of eating, and among words of technology."""
    with torch.no_grad():
        table = model.embedding.weight.double().numpy()
        a, b = (table[provided.word_ids(" ".join(sense["nouns"]))].mean(axis=0) for sense in provided.SENSES)
        before = table[provided.VOCABULARY.index(provided.AMBIGUOUS)]
        gains = []
        for sense in provided.SENSES:
            words = [f"we {v} the {w} apple now" for v in sense["verbs"] for w in provided.NEUTRAL]
            after = model.encode(torch.tensor(np.stack([provided.word_ids(s) for s in words])))[:, provided.NOUN]
            gains.append(np.mean([attention.sense_shift(before, x, a, b)[1] for x in after.double().numpy()]))
    return float(gains[0]), float(gains[1])


def sense_model(seed: int) -> attention_torch.SenseModel:
    torch.manual_seed(seed)
    return attention_torch.SenseModel(len(provided.VOCABULARY), 32)


def taught_senses(model: nn.Module, seed: int) -> float:
    rng = np.random.default_rng(seed)
    corpus = provided.draw_sentences(1000, rng=rng)
    draw = lambda: provided.hide_nouns(corpus[rng.integers(1000, size=64)], rng=rng)  # noqa: E731
    return trained(model, draw, 300, lambda out: out[:, provided.NOUN])


class Untaught(nn.Module):
    """Query, key and value are the word itself."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(len(provided.VOCABULARY), 32)
        nn.init.normal_(self.embedding.weight, std=32**-0.5)

    def encode(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.embedding(ids)
        return x + F.scaled_dot_product_attention(x, x, x)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.encode(ids) @ self.embedding.weight.T


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_context_moves_apple_to_its_sense(seed: int) -> None:
    model = sense_model(seed)
    assert abs(np.subtract(*leaning(model))) < 0.1  # before the training
    assert taught_senses(model, seed) < 4
    eating, technology = leaning(model)
    assert eating - technology > 0.7
    assert eating > 0 > technology
    untaught = Untaught()
    taught_senses(untaught, seed)
    assert np.subtract(*leaning(untaught)) < 0.1


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_recall_works_on_lists_sixteen_times_as_long(seed: int) -> None:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model = attention_torch.RecallModel(2048, 8, 48)
    assert trained(model, lambda: provided.draw_lists(64, 64, 2048, 8, rng=rng), 300) < 4
    *lists, answers = map(torch.from_numpy, provided.draw_lists(400, 1024, 2048, 8, rng=rng))
    with torch.no_grad():
        logits = model(*lists)
        order = torch.randperm(1024)
        assert (logits.argmax(dim=1) == answers).double().mean() >= 0.9
        assert_close(model(lists[0][:, order], lists[1][:, order], lists[2]), logits, 1e-4)
        assert_close(model(*(a[3:4] for a in lists)), logits[3:4], 1e-4)


class TwoTargets(nn.Module):
    """Two lookups in one layer: which value has the first key asked for, and which the second."""

    def __init__(self, heads: int, keys: int = 16, values: int = 8, dim: int = 24) -> None:
        super().__init__()
        self.key, self.value, self.values = nn.Embedding(keys, dim), nn.Embedding(values, dim), values
        self.asked = nn.Embedding(keys, dim)
        self.attention = attention_torch.MultiHeadAttention(dim, heads)
        self.readout = nn.Linear(dim, 2 * values)

    def forward(self, keys: torch.Tensor, values: torch.Tensor, queries: torch.Tensor) -> torch.Tensor:
        question = self.key(queries[:, 0]) + self.asked(queries[:, 1])
        found = self.attention(question[:, None], self.key(keys) + self.value(values))
        return self.readout(found[:, 0]).unflatten(1, (2, self.values)).transpose(1, 2)


def draw_two(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Lists of eight pairs and two places in each."""
    keys, values, *_ = provided.draw_lists(count, 8, 16, 8, rng=rng)
    places = rng.permuted(np.tile(np.arange(8), (count, 1)), axis=1)[:, :2]
    return keys, values, np.take_along_axis(keys, places, 1), np.take_along_axis(values, places, 1)


def found_both(heads: int, seed: int) -> tuple[float, int]:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model = TwoTargets(heads)
    trained(model, lambda: draw_two(128, rng), 400)
    *lists, answers = map(torch.from_numpy, draw_two(1000, rng))
    with torch.no_grad():
        right = (model(*lists).argmax(dim=1) == answers).all(dim=1)
    return float(right.double().mean()), sum(p.numel() for p in model.parameters())


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_one_head_cannot_look_in_two_places(seed: int) -> None:
    (one, parameters), (two, as_many) = found_both(1, seed), found_both(2, seed)
    assert parameters == as_many
    assert one <= 0.3
    assert two >= 0.95


# --- what comes with the assignment ----------------------------------------------------------------------------------


def test_sentences_say_what_their_docstring_says() -> None:
    rng = np.random.default_rng(0)
    assert len(set(provided.VOCABULARY)) == len(provided.VOCABULARY)
    sentences = provided.draw_sentences(2000, rng=rng)
    text = [[provided.VOCABULARY[i] for i in sentence] for sentence in sentences]
    for sense in provided.SENSES:
        mine = [words for words in text if words[1] in sense["verbs"]]
        assert 850 < len(mine) < 1150
        assert {words[provided.NOUN] for words in mine} == {*sense["nouns"], provided.AMBIGUOUS}
        assert {words[3] for words in mine} == {*sense["adjectives"], *provided.NEUTRAL}
    assert abs(np.mean([words[provided.NOUN] == provided.AMBIGUOUS for words in text]) - 0.25) < 0.04
    assert np.array_equal(sentences, provided.draw_sentences(2000, rng=np.random.default_rng(0)))
    hidden, nouns = provided.hide_nouns(sentences, rng=rng)
    assert np.array_equal(nouns, sentences[:, provided.NOUN])
    assert np.array_equal(np.delete(hidden, provided.NOUN, 1), np.delete(sentences, provided.NOUN, 1))
    assert 0.45 < np.mean(hidden[:, provided.NOUN] == provided.VOCABULARY.index(provided.MASK)) < 0.6


def test_lists_hold_no_key_twice_and_the_answer_to_their_question() -> None:
    keys, values, query, answer = provided.draw_lists(300, 20, 50, 8, rng=np.random.default_rng(0))
    assert keys.shape == values.shape == (300, 20)
    assert all(len(set(row)) == 20 for row in keys.tolist())
    assert np.array_equal(values[keys == query[:, None]], answer)
    assert set(values.ravel().tolist()) == set(range(8))
    assert set(keys.ravel().tolist()) == set(range(50))


def shapes(arrays: Sequence[np.ndarray]) -> list[tuple[int, ...]]:
    return [array.shape for array in arrays]


def test_projections_come_in_their_order() -> None:
    rng = np.random.default_rng(0)
    x, weight, bias = noise(rng, 2, 3, 4), noise(rng, 12, 4), noise(rng, 12)
    got = attention.project_qkv(x, weight, bias)
    assert shapes(got) == 3 * [(2, 3, 4)]
    for part, rows, offset in zip(got, np.split(weight, 3), np.split(bias, 3), strict=True):
        assert_close(part, F.linear(torch.tensor(x), torch.tensor(rows), torch.tensor(offset)))
