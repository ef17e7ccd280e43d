"""The references of assignment 2 against independent oracles: PyTorch and its autograd, SciPy, and closed forms."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import scipy.special
import scipy.stats
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from solutions.a2_activations import activations, activations_torch
from tests.references.arrays import frozen, scattered

EXACT, SINGLE = 1e-12, 1e-5
TOLERANCE: dict[Any, float] = {np.float64: EXACT, np.float32: SINGLE}
EXTREMES = np.array([-1000.0, 1000, -745, 710, -40, 40, -1, 1, 0.5, 1e-9])

dtypes = pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])
seeds = pytest.mark.parametrize("seed", range(24))


def assert_close(got: Any, want: Any, tolerance: float = EXACT) -> None:
    """Same shape, and equal relative to the largest magnitude wanted."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    scale = np.abs(want).max()
    assert scale > 0
    assert np.abs(got - want).max() <= tolerance * scale


def noise(seed: int, *shape: int, dtype: Any = np.float64) -> np.ndarray:
    return frozen(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


def shape_of(seed: int, axes: int | None = None) -> tuple[int, ...]:
    """A random shape whose sides differ, of one to four axes if not told."""
    rng = np.random.default_rng(1000 + seed)
    return tuple(rng.permutation(np.arange(3, 10))[: axes or 1 + seed % 4].tolist())


def by_autograd(f: Callable[..., Tensor], *arrays: np.ndarray, seed: int = 0) -> tuple[Any, ...]:
    """y, a random dy, and the gradient of each array, all in double precision."""
    tensors = [torch.tensor(array, dtype=torch.float64, requires_grad=True) for array in arrays]
    y = f(*tensors)
    dy = noise(seed + 500, *y.shape)
    y.backward(torch.tensor(dy))
    return y.detach().numpy(), dy, *(tensor.grad.numpy() for tensor in tensors if tensor.grad is not None)


# --- activations -----------------------------------------------------------------------------------------------------

ACTIVATIONS: dict[str, tuple[Callable[..., Tensor], dict[str, float]]] = {
    "sigmoid": (torch.sigmoid, {}),
    "tanh": (torch.tanh, {}),
    "relu": (F.relu, {}),
    "leaky_relu": (F.leaky_relu, {"negative_slope": 0.3}),
}
each_activation = pytest.mark.parametrize("name", ACTIVATIONS)


@dtypes
@each_activation
@seeds
def test_activations_equal_torch(seed: int, name: str, dtype: Any) -> None:
    oracle, settings = ACTIVATIONS[name]
    x = noise(seed, *shape_of(seed, 2 + seed % 3), dtype=dtype)
    y, dy, dx = by_autograd(lambda t: oracle(t, **settings), x)
    dy = frozen(dy.astype(dtype))
    forward, backward = getattr(activations, name), getattr(activations, f"{name}_backward")
    for argument, cotangent in ((x, dy), (scattered(x), scattered(dy))):
        got, gradient = forward(argument, **settings), backward(cotangent, argument, **settings)
        assert got.dtype == gradient.dtype == dtype
        assert_close(got, y, TOLERANCE[dtype])
        assert_close(gradient, dx, TOLERANCE[dtype])


@pytest.mark.parametrize("name", ["sigmoid", "tanh"])
@dtypes
def test_activations_are_stable(name: str, dtype: Any) -> None:
    x = EXTREMES.astype(dtype)
    y, dy, dx = by_autograd(ACTIVATIONS[name][0], x)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        assert_close(getattr(activations, name)(x), y, TOLERANCE[dtype])
        assert_close(getattr(activations, f"{name}_backward")(dy.astype(dtype), x), dx, TOLERANCE[dtype])


def test_leaky_relu_has_the_default_of_torch() -> None:
    x, dy = np.array([-2.0, 3.0]), np.array([5.0, 7.0])
    assert activations.leaky_relu(x).tolist() == [-0.02, 3]
    assert activations.leaky_relu_backward(dy, x).tolist() == [0.05, 7]


def test_at_the_kink_a_subgradient_comes_back() -> None:
    zero, dy = np.zeros(2), np.array([2.0, -3.0])
    for dx, slope in (
        (activations.relu_backward(dy, zero), 0.0),
        (activations.leaky_relu_backward(dy, zero, negative_slope=0.4), 0.4),
    ):
        assert np.all((slope <= dx / dy) & (dx / dy <= 1))


# --- saturation and signs --------------------------------------------------------------------------------------------

SLOPES: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {  # slope, its inverse
    "sigmoid": (
        lambda x: float(scipy.special.expit(x) * scipy.special.expit(-x)),
        lambda y: 2 * math.acosh(0.5 / math.sqrt(y)),
    ),
    "tanh": (lambda x: 1 / math.cosh(x) ** 2, lambda y: math.acosh(1 / math.sqrt(y))),
    "arctan": (lambda x: 1 / (1 + x**2), lambda y: math.sqrt(1 / y - 1)),
    "erf": (lambda x: 3 * math.exp(-(x**2) / 8), lambda y: math.sqrt(-8 * math.log(y / 3))),
    "softsign": (lambda x: 0.2 / (1 + abs(x)) ** 2, lambda y: math.sqrt(0.2 / y) - 1),
}


@pytest.mark.parametrize("fraction", [0.9, 0.5, 0.1, 0.01, 1e-3])
@pytest.mark.parametrize("name", SLOPES)
def test_saturation_point_inverts_the_slope(name: str, fraction: float) -> None:
    slope, inverse = SLOPES[name]
    assert activations.saturation_point(slope, fraction) == pytest.approx(inverse(fraction * slope(0)), abs=1e-8)


def test_saturation_point_at_its_limits() -> None:
    slope, _ = SLOPES["sigmoid"]
    assert activations.saturation_point(slope, 0.1) == pytest.approx(3.6369, abs=5e-5)
    assert activations.saturation_point(slope, 1) == activations.saturation_point(slope, 1.5) == 0
    assert activations.saturation_point(lambda x: 1 + math.exp(-(x**2)), 0.4) == math.inf
    assert activations.saturation_point(lambda x: 1 / (1 + abs(x)), 1 / 102) == math.inf
    assert activations.saturation_point(lambda x: 1 / (1 + abs(x)), 1 / 98) == pytest.approx(97)


def test_the_range_of_tanh_is_half_that_of_the_sigmoid() -> None:
    for fraction in (0.5, 0.1, 0.01):
        wide, narrow = (activations.saturation_point(SLOPES[name][0], fraction) for name in ("sigmoid", "tanh"))
        assert wide == pytest.approx(2 * narrow, abs=1e-7)


@seeds
def test_sign_agreement_reads_the_gradients_of_torch(seed: int) -> None:
    samples, inputs, neurons = shape_of(seed, 3)
    x, dy = frozen(noise(seed, samples, inputs) + 0.8), frozen(noise(seed + 1, samples, neurons) + 0.3)
    w = torch.zeros(neurons, inputs, dtype=torch.float64, requires_grad=True)
    F.linear(torch.tensor(x), w).backward(torch.tensor(dy))
    assert w.grad is not None
    want = [bool((row >= 0).all() or (row <= 0).all()) for row in w.grad]
    assert activations.sign_agreement(dy, x).tolist() == want
    assert activations.sign_agreement(scattered(dy), scattered(x)).tolist() == want


def test_one_positive_sample_always_agrees_and_larger_batches_ever_less() -> None:
    rng = np.random.default_rng(0)
    shares = [
        np.mean([activations.sign_agreement(rng.normal(size=(n, 30)), rng.random((n, 20))).mean() for _ in range(200)])
        for n in (1, 2, 8, 64)
    ]
    assert shares[0] == 1
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.5


def test_gradients_of_zero_take_no_part() -> None:
    dy, x = np.array([[1.0, 0, 1, -1], [-1, 0, 1, 1]]), np.array([[1.0, 2, 0], [1, 2, 0]])
    assert activations.sign_agreement(dy, x).tolist() == [True, True, True, True]
    assert activations.sign_agreement(dy[:1], np.array([[1.0, 0, -1]])).tolist() == [False, True, False, False]


@dtypes
@seeds
def test_zigzag_descent_follows_torch(seed: int, dtype: Any) -> None:
    n, steps = 3 + seed, 1 + seed // 2
    x, y, w0 = (noise(seed + i, *shape, dtype=dtype) for i, shape in enumerate([(n, 2), (n,), (2,)]))
    w = torch.tensor(w0, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.3)
    path = [w.detach().clone()]
    for _ in range(steps):
        optimizer.zero_grad()
        (0.5 * (torch.tensor(x).double() @ w - torch.tensor(y).double()).square().mean()).backward()
        optimizer.step()
        path.append(w.detach().clone())
    got, ratio = activations.zigzag_descent(scattered(x), y, w0, lr=0.3, steps=steps)
    assert got.dtype == dtype
    assert_close(got, torch.stack(path), TOLERANCE[dtype])
    length = sum(float((b - a).norm()) for a, b in itertools.pairwise(path))
    assert type(ratio) is float
    assert ratio == pytest.approx(length / float((path[-1] - path[0]).norm()), rel=TOLERANCE[dtype])


def test_all_positive_inputs_make_a_zigzag() -> None:
    rng = np.random.default_rng(1)
    target = np.array([1.0, -1.0])
    positive = rng.random((200, 2))
    lr = 1.9 / np.linalg.eigvalsh(positive.T @ positive / 200)[-1]
    ratios = [
        activations.zigzag_descent(x, x @ target, np.array([1.5, 0.5]), lr=lr, steps=60)[1]
        for x in (positive, positive - 0.5)
    ]
    assert ratios[0] > 5
    assert ratios[1] < 1.1


def test_no_step_leads_nowhere() -> None:
    path, ratio = activations.zigzag_descent(noise(0, 4, 2), noise(1, 4), noise(2, 2), lr=0.1, steps=0)
    assert path.tolist() == [noise(2, 2).tolist()]
    assert ratio == math.inf


# --- softmax and cross-entropy ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
@dtypes
@seeds
def test_softmax_equals_torch(seed: int, name: str, dtype: Any) -> None:
    shape = shape_of(seed)
    axis = seed % (2 * len(shape)) - len(shape)
    x = frozen(3 * noise(seed, *shape, dtype=dtype))
    y, dy, dx = by_autograd(lambda t: getattr(F, name)(t, dim=axis), x)
    dy = frozen(dy.astype(dtype))
    forward, backward = getattr(activations, name), getattr(activations, f"{name}_backward")
    for argument, cotangent in ((x, dy), (scattered(x), scattered(dy))):
        got = forward(argument, axis=axis)
        gradient = backward(cotangent, got, axis=axis)
        assert got.dtype == gradient.dtype == dtype
        assert_close(got, y, TOLERANCE[dtype])
        assert_close(gradient, dx, TOLERANCE[dtype])
    if axis in (-1, len(shape) - 1):
        assert_close(forward(x), got, TOLERANCE[dtype])
        assert_close(backward(dy, got), gradient, TOLERANCE[dtype])


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax_is_stable(name: str) -> None:
    x = np.array([[0.0, 1, 3], [2000, 2001, 1999], [-1000, 1000, 0], [-1000, -1001, -1002], [5, 5, 5]])
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        got = getattr(activations, name)(x)
    assert_close(got, getattr(scipy.special, name)(x, axis=-1))
    assert activations.log_softmax(np.array([0.0, 1000])).tolist() == [-1000, 0]


def classification(seed: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Logits with zero to three axes after the classes, targets of which some are left out, and their mark."""
    rng = np.random.default_rng(seed)
    n, classes, *rest = shape_of(seed, 2 + seed % 4)
    target = rng.integers(0, classes, size=(n, *rest))
    ignored = int(rng.choice([-100, -1, 0, classes + 3]))
    target[rng.random(target.shape) < 0.3] = ignored
    return noise(seed, n, classes, *rest), frozen(target), ignored


@seeds
def test_cross_entropy_equals_torch(seed: int) -> None:
    x, target, ignored = classification(seed)
    assert (target != ignored).any()
    logits = torch.tensor(x, requires_grad=True)
    loss = F.cross_entropy(logits, torch.tensor(target), ignore_index=ignored)
    loss.backward()
    for argument, right in ((x, target), (scattered(x), np.asfortranarray(target))):
        got = activations.cross_entropy(argument, right, ignore_index=ignored)
        assert type(got) is float
        assert_close(got, loss.detach())
        assert_close(activations.cross_entropy_backward(argument, right, ignore_index=ignored), logits.grad)
    single = activations.cross_entropy_backward(x.astype(np.float32), target, ignore_index=ignored)
    assert single.dtype == np.float32
    assert_close(single, logits.grad, SINGLE)


def test_cross_entropy_of_large_logits() -> None:
    x = np.array([[0.0, 60, 0], [1000, -1000, 0], [2000, 2000, 2000]])
    target = np.array([0, 1, 2])
    assert activations.cross_entropy(x, target) == pytest.approx((60 + 2000 + math.log(3)) / 3, rel=1e-15)
    dlogits = activations.cross_entropy_backward(x, target)
    assert_close(dlogits, (scipy.special.softmax(x, axis=1) - np.eye(3)) / 3)


def test_cross_entropy_of_nothing() -> None:
    x, target = noise(0, 3, 4), np.full(3, -100)
    assert activations.cross_entropy(x, target) == 0
    assert np.array_equal(activations.cross_entropy_backward(x, target), np.zeros((3, 4)))


@pytest.mark.parametrize("bad", [4, -1, 7, -100])
def test_a_target_out_of_range_is_refused_unless_ignored(bad: int) -> None:
    x, target = noise(0, 3, 4), np.array([1, bad, 3])
    kept = activations.cross_entropy(x[::2], target[::2])
    assert activations.cross_entropy(x, target, ignore_index=bad) == pytest.approx(kept, rel=1e-14)
    with pytest.raises(ValueError, match="classes"):
        activations.cross_entropy(x, target, ignore_index=-100 if bad != -100 else -1)


# --- normalization ---------------------------------------------------------------------------------------------------


def batch(seed: int, dtype: Any = np.float64) -> list[np.ndarray]:
    """x (N, C) or (N, C, H, W), gamma, beta and running statistics; some channels vary as little as eps."""
    shape = shape_of(seed, 2 if seed % 2 else 4)
    rng = np.random.default_rng(seed)
    c = shape[1]
    spread = 10.0 ** rng.uniform(-3, 1, size=(c, *(1 for _ in shape[2:])))
    arrays = (spread * rng.normal(size=shape) + rng.normal(), *rng.normal(size=(3, c)), rng.uniform(0.1, 2, size=c))
    return [frozen(array.astype(dtype)) for array in arrays]


@pytest.mark.parametrize("training", [True, False], ids=["training", "evaluation"])
@dtypes
@seeds
def test_batch_norm_forward_equals_torch(seed: int, dtype: Any, training: bool) -> None:
    arrays = batch(seed, dtype)
    x, gamma, beta, running_mean, running_var = (torch.tensor(a).double() for a in arrays)
    want = F.batch_norm(x, running_mean, running_var, gamma, beta, training, 0.3, 1e-4)
    for arguments in (arrays, [scattered(a) for a in arrays]):
        got = activations.batch_norm_forward(*arguments, training=training, momentum=0.3, eps=1e-4)
        for mine, theirs in zip(got, (want, running_mean, running_var), strict=True):
            assert mine.dtype == dtype
            assert_close(mine, theirs, 100 * TOLERANCE[dtype])


def test_batch_norm_has_the_defaults_of_torch() -> None:
    arrays = batch(0)
    x, gamma, beta, running_mean, running_var = map(torch.tensor, arrays)
    want = F.batch_norm(x, running_mean, running_var, gamma, beta, training=True)
    for mine, theirs in zip(
        activations.batch_norm_forward(*arrays, training=True), (want, running_mean, running_var), strict=True
    ):
        assert_close(mine, theirs)


@dtypes
@seeds
def test_batch_norm_backward_equals_autograd(seed: int, dtype: Any) -> None:
    x, gamma, beta, _, _ = batch(seed, dtype)

    def forward(*tensors: Tensor) -> Tensor:
        return F.batch_norm(tensors[0], None, None, *tensors[1:], training=True, eps=1e-4)

    _, dy, *want = by_autograd(forward, x, gamma, beta)
    dy = frozen(dy.astype(dtype))
    for cotangent, argument in ((dy, x), (scattered(dy), scattered(x))):
        got = activations.batch_norm_backward(cotangent, argument, gamma, eps=1e-4)
        for mine, theirs in zip(got, want, strict=True):
            assert mine.dtype == dtype
            assert_close(mine, theirs, 1000 * TOLERANCE[dtype])


def test_evaluation_returns_copies() -> None:
    x, gamma, beta, *running = batch(0)
    _, *returned = activations.batch_norm_forward(x, gamma, beta, *running, training=False)
    for before, after in zip(running, returned, strict=True):
        assert np.array_equal(before, after)
        assert not np.shares_memory(before, after)


@pytest.mark.parametrize("shape", [(1, 3), (1, 3, 1, 1)], ids=str)
def test_one_value_per_channel_has_no_spread(shape: tuple[int, ...]) -> None:
    four = noise(1, 4, 3) ** 2
    with pytest.raises(ValueError, match="more than one"):
        activations.batch_norm_forward(noise(0, *shape), *four, training=True)
    y, _, _ = activations.batch_norm_forward(noise(0, *shape), *four, training=False)
    assert y.shape == shape


@dtypes
@seeds
def test_layer_norm_equals_torch(seed: int, dtype: Any) -> None:
    shape = shape_of(seed)
    rng = np.random.default_rng(seed)
    features = shape[-int(rng.integers(1, len(shape) + 1)) :]
    x = frozen((10.0 ** rng.uniform(-3, 1) * rng.normal(size=shape) + rng.normal()).astype(dtype))
    gamma, beta = (noise(seed + i, *features, dtype=dtype) for i in (1, 2))
    y, dy, *want = by_autograd(lambda t, g, b: F.layer_norm(t, features, g, b, 1e-4), x, gamma, beta)
    dy = frozen(dy.astype(dtype))
    for arguments in ((dy, x, gamma, beta), tuple(map(scattered, (dy, x, gamma, beta)))):
        got = activations.layer_norm_forward(*arguments[1:], eps=1e-4)
        gradients = activations.layer_norm_backward(*arguments[:3], eps=1e-4)
        for mine, theirs in zip((got, *gradients), (y, *want), strict=True):
            assert mine.dtype == dtype
            assert_close(mine, theirs, 1000 * TOLERANCE[dtype])
    if dtype == np.float64:
        assert_close(activations.layer_norm_forward(x, gamma, beta), oracle_layer_norm(x, gamma, beta), 1e-11)


def oracle_layer_norm(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> Any:
    return F.layer_norm(*(torch.tensor(x), gamma.shape), torch.tensor(gamma), torch.tensor(beta))


# --- deep networks ---------------------------------------------------------------------------------------------------


def deep(seed: int) -> tuple[np.ndarray, list[np.ndarray]]:
    rng = np.random.default_rng(seed)
    widths = rng.integers(3, 9, size=2 + seed % 4)
    weights = [frozen(1.5 * rng.normal(size=(b, a))) for a, b in itertools.pairwise(widths)]
    return frozen(rng.normal(size=(7 + seed, widths[0]))), weights


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("norm", [None, "batch", "layer"])
@pytest.mark.parametrize("name", ["sigmoid", "tanh", "relu"])
def test_layer_statistics_are_those_of_a_torch_network(name: Any, norm: Any, after: bool) -> None:
    for seed in range(24):
        assert_same_statistics(*deep(seed), name, norm, after)


def assert_same_statistics(x: np.ndarray, weights: list[np.ndarray], name: Any, norm: Any, after: bool) -> None:
    h, want = torch.tensor(x), []
    activate, _ = ACTIVATIONS[name]
    for w in weights:
        normalizer = {
            None: nn.Identity(),
            "batch": nn.BatchNorm1d(len(w), affine=False, track_running_stats=False),
            "layer": nn.LayerNorm(len(w), elementwise_affine=False),
        }[norm]
        z = h @ torch.tensor(w).T
        z = z if after else normalizer(z)
        z.requires_grad_()
        a = activate(z)
        (slope,) = torch.autograd.grad(a.sum(), z)
        h = (normalizer(a) if after else a).detach()
        largest = 0.25 if name == "sigmoid" else 1
        saturated = (slope <= 0.1 * largest).double().mean()
        want.append([h.mean(), h.std(correction=0), (h > 0).double().mean(), saturated])
    for arguments in ((x, weights), (scattered(x), [scattered(w) for w in weights])):
        got = activations.layer_statistics(*arguments, name, norm=norm, norm_after=after)
        assert list(got) == ["mean", "std", "positive", "saturated"]
        assert np.allclose(np.stack(list(got.values()), axis=1), np.array(want), rtol=0, atol=1e-10)


def test_a_deep_sigmoid_network_dies_and_normalization_revives_it() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(64, 50))
    weights = [activations.he_normal(50, 50, rng=rng) for _ in range(12)]
    plain, normalized = (activations.layer_statistics(x, weights, "sigmoid", norm=n) for n in (None, "batch"))
    assert plain["std"][-1] < 0.2
    assert np.all(plain["positive"] == 1)
    assert np.all(normalized["std"] > 0.2)
    assert normalized["saturated"].max() < 0.01


@pytest.mark.parametrize("shape", [(60, 500), (500, 60), (200, 200), (1, 9000)], ids=str)
def test_initial_weights_follow_their_distributions(shape: tuple[int, int]) -> None:
    out, in_ = shape
    bound = math.sqrt(6 / (out + in_))
    for draw, law, std in (
        (activations.xavier_uniform, scipy.stats.uniform(-bound, 2 * bound), math.sqrt(2 / (out + in_))),
        (activations.he_normal, scipy.stats.norm(scale=math.sqrt(2 / in_)), math.sqrt(2 / in_)),
    ):
        w, again, other = (draw(out, in_, rng=np.random.default_rng(seed)) for seed in (0, 0, 1))
        assert w.shape == shape
        assert w.dtype == np.float64
        assert np.array_equal(w, again)
        assert not np.any(w == other)
        assert w.std() == pytest.approx(std, rel=0.05)
        assert scipy.stats.kstest(w.ravel(), law.cdf).pvalue > 1e-4


# --- PyTorch ---------------------------------------------------------------------------------------------------------


@seeds
def test_sigmoid_function_equals_torch(seed: int) -> None:
    x = 3 * noise(seed, *shape_of(seed, 1 + seed % 2))
    y, _, dx = by_autograd(torch.sigmoid, x)
    got, _, gradient = by_autograd(activations_torch.SigmoidFunction.apply, x)
    assert_close(got, y)
    assert_close(gradient, dx)
    assert torch.autograd.gradcheck(activations_torch.SigmoidFunction.apply, torch.tensor(x, requires_grad=True))


def test_sigmoid_function_is_stable_and_keeps_its_calls_apart() -> None:
    x, other = (torch.tensor(a, requires_grad=True) for a in (EXTREMES, noise(0, 3, 5)))
    y, z = activations_torch.SigmoidFunction.apply(x), activations_torch.SigmoidFunction.apply(other)
    y.sum().backward()
    z.sum().backward()
    for tensor, value in ((x, y), (other, z)):
        s = torch.sigmoid(tensor.detach())
        assert_close(value.detach(), s)
        assert_close(tensor.grad, s * (1 - s))


def same_layers(seed: int, mine: nn.Module, theirs: nn.Module, dtype: torch.dtype) -> list[nn.Module]:
    """Both with the same random state, each as strict as the other about the names in it."""
    generator = torch.Generator().manual_seed(seed)
    state = {
        name: torch.rand(value.shape, generator=generator) + 0.1 if value.is_floating_point() else value + seed
        for name, value in theirs.state_dict().items()
    }
    layers = [mine, theirs]
    for layer in layers:
        layer.to(dtype).load_state_dict(state)
    return layers


def assert_same_state(mine: nn.Module, theirs: nn.Module, tolerance: float) -> None:
    got, want = mine.state_dict(), theirs.state_dict()
    assert list(got) == list(want)
    for name, value in want.items():
        assert got[name].dtype == value.dtype
        assert torch.allclose(got[name], value, rtol=tolerance, atol=tolerance)


def assert_same_step(layers: Sequence[nn.Module], x: np.ndarray, dtype: torch.dtype, tolerance: float) -> None:
    """Output and all gradients of one batch, also where the batch is laid out channels last."""
    dy = torch.tensor(noise(999, *x.shape)).to(dtype)
    results = []
    for layer in layers:
        argument = torch.tensor(x).to(dtype)
        if layer is layers[0] and x.ndim == 4:
            argument = argument.contiguous(memory_format=torch.channels_last)
        argument.requires_grad_()
        layer.zero_grad()
        y = layer(argument)
        y.backward(dy)
        results.append([y.detach(), argument.grad, *(p.grad for p in layer.parameters())])
    for got, want in zip(*results, strict=True):
        assert got.dtype == dtype
        assert_close(got, want, tolerance)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
@seeds
def test_batch_norm_2d_equals_nn(seed: int, dtype: torch.dtype) -> None:
    tolerance = 1e-11 if dtype == torch.float64 else 1e-4
    n, c, height, width = shape_of(seed, 4)
    settings = {"eps": 1e-3, "momentum": 0.3} if seed % 2 else {}
    mine, theirs = activations_torch.BatchNorm2d(c, **settings), nn.BatchNorm2d(c, **settings)
    assert_same_state(mine, theirs, 0)
    layers = same_layers(seed, mine, theirs, dtype)
    for mode in (True, True, False, True):
        for layer in layers:
            layer.train(mode)
        assert_same_step(layers, 2 * noise(seed, n, c, height, width) + 0.5, dtype, tolerance)
        assert_same_state(*layers, tolerance)
    assert_same_state(copy.deepcopy(layers[0]), layers[1], tolerance)
    assert not any(buffer.requires_grad for buffer in layers[0].buffers())
    for source, target in (layers, layers[::-1]):
        target.load_state_dict(source.state_dict())


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
@seeds
def test_layer_norm_module_equals_nn(seed: int, dtype: torch.dtype) -> None:
    tolerance = 1e-11 if dtype == torch.float64 else 1e-4
    shape = shape_of(seed)
    features: Any = shape[-1] if seed % 3 == 0 else shape[-(1 + seed % len(shape)) :]
    settings = {"eps": 1e-3} if seed % 2 else {}
    mine, theirs = activations_torch.LayerNorm(features, **settings), nn.LayerNorm(features, **settings)
    assert_same_state(mine, theirs, 0)
    layers = same_layers(seed, mine, theirs, dtype)
    for mode in (True, False):
        for layer in layers:
            layer.train(mode)
        assert_same_step(layers, 2 * noise(seed, *shape) + 0.5, dtype, tolerance)
