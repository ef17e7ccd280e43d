"""The references of assignment 3 against independent oracles: PyTorch and its autograd, and counting by hand."""

from __future__ import annotations

import importlib.util
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tests.references.arrays import frozen, scattered

ROOT = Path(__file__).parents[2]
EXACT, SINGLE = 1e-10, 1e-4
TOLERANCE: dict[Any, float] = {np.float64: EXACT, np.float32: SINGLE}
SEEDS = range(24)

dtypes = pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])
seeds = pytest.mark.parametrize("seed", SEEDS)


def imported(name: str) -> Any:
    """A module of the solutions, which finds ``provided`` beside it as a student's does."""
    spec = importlib.util.spec_from_file_location(f"a3_{name}", ROOT / "solutions" / "a3_lenet5" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


provided = imported("provided")
with mock.patch.dict(sys.modules, provided=provided):
    lenet5, lenet5_torch = imported("lenet5"), imported("lenet5_torch")

DEVICES = [
    "cpu",
    pytest.param(
        "cuda",
        marks=[pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")],
    ),
]
devices = pytest.mark.parametrize("device", DEVICES)


def assert_close(got: Any, want: Any, tolerance: float = EXACT) -> None:
    """Same shape, and equal relative to the largest magnitude wanted."""
    got, want = (a.detach().cpu().numpy() if isinstance(a, torch.Tensor) else np.asarray(a) for a in (got, want))
    assert got.shape == want.shape
    scale = np.abs(want).max()
    assert scale > 0
    assert np.abs(got - want).max() <= tolerance * scale


def noise(seed: int, *shape: int, dtype: Any = np.float64) -> np.ndarray:
    return frozen(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


def float64(*arrays: np.ndarray) -> list[torch.Tensor]:
    """Copies as double-precision tensors that record gradients."""
    return [torch.tensor(array, dtype=torch.float64, requires_grad=True) for array in arrays]


# --- pooling ---------------------------------------------------------------------------------------------------------


def geometry(seed: int) -> tuple[tuple[int, ...], dict[str, Any]]:
    """A shape of images, and windows that fit: numbers for both axes or for each, with and without stride."""
    rng = np.random.default_rng(seed)
    kernel = tuple(int(k) for k in rng.integers(1, 5, 2))
    stride = tuple(int(s) for s in rng.integers(1, 5, 2))
    padding = tuple(int(rng.integers(0, k // 2 + 1)) for k in kernel)
    shape = (*rng.integers(1, 4, 2), *(rng.integers(k, 12) for k in kernel))
    windows: dict[str, Any] = {"kernel_size": kernel, "stride": stride, "padding": padding}
    if seed % 4 == 1:
        windows = {"kernel_size": kernel[0], "stride": None, "padding": kernel[0] // 2}
        shape = (2, 3, kernel[0] + 4, kernel[0] + 7)
    if seed % 4 == 2:
        windows = {"kernel_size": 3, "stride": 2, "padding": (seed // 4 % 2, 0)}
        shape = (2, 3, 8, 9)
    return tuple(int(side) for side in shape), windows


@dtypes
@seeds
def test_max_pool_equals_torch(seed: int, dtype: Any) -> None:
    shape, windows = geometry(seed)
    x = noise(seed, *shape, dtype=dtype)
    (images,) = float64(x)
    want = F.max_pool2d(images, **windows)
    dy = noise(seed + 100, *want.shape, dtype=dtype)
    want.backward(torch.tensor(dy, dtype=torch.float64))
    for argument in (x, scattered(x)):
        got = lenet5.max_pool_forward(argument, **windows)
        assert got.dtype == dtype
        assert np.array_equal(got, want.detach())
        dx = lenet5.max_pool_backward(dy, argument, **windows)
        assert dx.dtype == dtype
        assert_close(dx, images.grad, TOLERANCE[dtype])


def test_max_pool_of_negative_images_ignores_the_padding() -> None:
    x = frozen(-1 - noise(0, 2, 3, 5, 7) ** 2)
    (images,) = float64(x)
    want = F.max_pool2d(images, 3, 2, 1)
    want.sum().backward()
    assert np.array_equal(lenet5.max_pool_forward(x, 3, stride=2, padding=1), want.detach())
    assert np.array_equal(lenet5.max_pool_backward(np.ones(want.shape), x, 3, stride=2, padding=1), images.grad)


@seeds
def test_max_pool_backward_gives_tied_windows_to_their_maxima(seed: int) -> None:
    x = frozen(np.random.default_rng(seed).integers(0, 2, (2, 3, 6, 8)).astype(float))
    dy = noise(seed, 2, 3, 3, 2)
    dx = lenet5.max_pool_backward(dy, x, (2, 4))
    windows = dx.reshape(2, 3, 3, 2, 2, 4)
    assert_close(windows.sum(axis=(3, 5)), dy)
    largest = lenet5.max_pool_forward(x, (2, 4)).repeat(2, axis=2).repeat(4, axis=3)
    assert not dx[x < largest].any()


@pytest.mark.parametrize(
    ("kernel_size", "padding"), [(2, 2), (3, 2), (1, 1), ((2, 4), (2, 0)), ((4, 2), (0, 2)), ((4, 1), 1)]
)
def test_max_pool_refuses_padding_beyond_half_of_the_window(kernel_size: Any, padding: Any) -> None:
    with pytest.raises(ValueError, match="half of the window"):
        lenet5.max_pool_forward(np.ones((1, 1, 9, 9)), kernel_size, padding=padding)


@pytest.mark.parametrize("windows", [{"kernel_size": 6}, {"kernel_size": (2, 8)}, {"kernel_size": 9, "padding": 1}])
def test_max_pool_refuses_a_window_that_does_not_fit(windows: Any) -> None:
    with pytest.raises(ValueError, match="window"):
        lenet5.max_pool_forward(np.ones((1, 1, 5, 7)), **windows)


@dtypes
@seeds
def test_average_pool_equals_torch(seed: int, dtype: Any) -> None:
    shape, windows = geometry(seed)
    del windows["padding"]
    x = noise(seed, *shape, dtype=dtype)
    (images,) = float64(x)
    want = F.avg_pool2d(images, **windows)
    dy = noise(seed + 100, *want.shape, dtype=dtype)
    want.backward(torch.tensor(dy, dtype=torch.float64))
    for argument in (x, scattered(x)):
        got = lenet5.avg_pool_forward(argument, **windows)
        assert got.dtype == dtype
        assert_close(got, want, TOLERANCE[dtype])
        dx = lenet5.avg_pool_backward(dy, argument, **windows)
        assert dx.dtype == dtype
        assert_close(dx, images.grad, TOLERANCE[dtype])


@seeds
def test_min_pool_equals_torch(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kernel = tuple(int(k) for k in rng.integers(1, 4, 2))
    x = frozen(rng.standard_normal((2, 3, 11, 13)) + 0.8)
    smallest = -F.max_pool2d(-F.relu(torch.tensor(x)), kernel)
    got = lenet5.min_pool_zero_fraction(x, kernel if seed % 3 else kernel[0])
    if seed % 3 == 0:
        smallest = -F.max_pool2d(-F.relu(torch.tensor(x)), kernel[0])
    assert type(got) is float
    assert got == (smallest == 0).double().mean().item()


def test_min_pool_after_relu_is_nearly_but_not_all_zero() -> None:
    x = noise(0, 20, 6, 60, 60)
    for k in (1, 2, 3):
        assert abs(lenet5.min_pool_zero_fraction(x, k) - (1 - 2.0 ** -(k * k))) < 0.005


# --- linear layers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint8, np.bool_])
def test_flatten_equals_torch(dtype: Any) -> None:
    x = frozen((9 * noise(0, 2, 3, 4, 5)).astype(np.int64).astype(dtype))
    for argument in (x, scattered(x)) if dtype in TOLERANCE else (x, x.transpose(0, 1, 3, 2)[:, ::-1]):
        got = lenet5.flatten(argument)
        assert got.dtype == dtype
        assert np.array_equal(got, torch.tensor(argument.copy()).flatten(1))


@dtypes
@seeds
def test_linear_layer_equals_torch(seed: int, dtype: Any) -> None:
    n, inputs, outputs = (int(side) for side in np.random.default_rng(seed).integers(1, 9, 3))
    x, w, b = (
        noise(seed + k, *shape, dtype=dtype) for k, shape in enumerate([(n, inputs), (outputs, inputs), (outputs,)])
    )
    dy = noise(seed + 9, n, outputs, dtype=dtype)
    tensors = float64(x, w, b)
    want = F.linear(*tensors)
    want.backward(torch.tensor(dy, dtype=torch.float64))
    got = lenet5.linear_forward(scattered(x), w, b)
    assert got.dtype == dtype
    assert_close(got, want, TOLERANCE[dtype])
    for gradient, tensor in zip(lenet5.linear_backward(dy, x, scattered(w)), tensors, strict=True):
        assert gradient.dtype == dtype
        assert_close(gradient, tensor.grad, TOLERANCE[dtype])


# --- equivariance ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint8, np.bool_])
def test_shift_image_moves_every_pixel(dtype: Any) -> None:
    x = frozen((1 + np.arange(2 * 3 * 4)).reshape(2, 3, 4).astype(dtype))
    for down, right in product(range(-5, 6), range(-6, 7)):
        want = np.zeros_like(x)
        for i, j in np.ndindex(3, 4):
            if 0 <= i + down < 3 and 0 <= j + right < 4:
                want[:, i + down, j + right] = x[:, i, j]
        got = lenet5.shift_image(x, down, right)
        assert got.dtype == dtype
        assert np.array_equal(got, want)


def test_shift_image_spells_the_docstring() -> None:
    x = np.array([[1, 2, 3], [4, 5, 6]])
    assert lenet5.shift_image(x, 0, 1).tolist() == [[0, 1, 2], [0, 4, 5]]
    assert lenet5.shift_image(x, -1, 0).tolist() == [[4, 5, 6], [0, 0, 0]]


Layer = Callable[[np.ndarray], np.ndarray]


def convolution(seed: int, stride: int = 1, padding: int = 0) -> Layer:
    w, b = noise(seed, 4, 3, 3, 3), noise(seed + 1, 4)
    return lambda x: F.conv2d(*map(torch.tensor, (x, w, b)), stride=stride, padding=padding).numpy()


def pooling(kernel: int) -> Layer:
    return lambda x: F.max_pool2d(torch.tensor(x), kernel).numpy()


@seeds
def test_convolution_is_equivariant_away_from_the_borders(seed: int) -> None:
    x, stride = noise(seed, 2, 3, 17, 19), 1 + seed % 3
    down, right = (int(k) * stride for k in np.random.default_rng(seed).integers(-2, 3, 2))
    layer = convolution(seed, stride)
    error = lenet5.equivariance_error(layer, x, (down, right), stride=stride, margin=2)
    assert type(error) is float
    assert error < 1e-12
    if down or right:
        assert lenet5.equivariance_error(layer, x, (down, right), stride=stride) > 1e-3


def test_equivariance_error_of_known_systems() -> None:
    error = lenet5.equivariance_error
    x = np.zeros((1, 1, 6, 6))
    x[0, 0, 2, 2] = 4
    assert error(lambda x: x, x, (1, -1)) == 0
    assert error(lambda x: x + 1, x, (0, 2)) == 1 / 5  # zeros that shift_image moves in
    assert error(lambda x: x + 1, x, (0, 2), margin=2) == 0
    assert error(lambda x: x[:, :, ::-1], x, (1, 0)) == 1
    assert error(lambda x: x[:, :, ::2, ::2], x, (2, -2), stride=2) == 0
    assert error(lambda x: x[:, :, 1::2, 1::2] + x[:, :, ::2, ::2], x, (1, 1)) == 1
    assert error(lambda x: x, x, (6, 0)) == 0
    assert error(lambda x: np.ones_like(x), x, (6, 0)) == np.inf
    assert error(lambda x: np.where(x.sum(axis=(2, 3), keepdims=True) > 0, 0.0, 1.0) + 0 * x, x, (7, 0)) == np.inf
    assert error(lambda x: 0 * x, x, (1, 2)) == 0


def test_pooling_answers_a_shift_by_its_stride_with_a_shift_by_one() -> None:
    x = noise(0, 2, 3, 18, 21)
    assert lenet5.equivariance_error(pooling(3), x, (3, -6), stride=3, margin=2) == 0
    assert lenet5.equivariance_error(pooling(3), x, (1, 0), stride=1, margin=2) > 0.1


def test_max_pooling_does_not_notice_a_spike_that_stays_in_its_window() -> None:
    spikes = np.zeros((64, 1, 12, 12))
    spikes[np.arange(64), 0, 2 + np.arange(64) // 8, 2 + np.arange(64) % 8] = 1
    shifts = [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (2, 0)]
    rates = lenet5.invariance_rate(pooling(2), frozen(spikes), shifts)
    assert rates.dtype == np.float64
    assert rates.tolist() == [1, 0.5, 0.5, 0.5, 0.5, 0.25, 0]
    assert lenet5.invariance_rate(lambda x: x.max(axis=(1, 2, 3)), spikes, shifts).tolist() == 7 * [1]


def test_invariance_counts_borders_and_every_entry() -> None:
    x = np.zeros((4, 2, 3, 5))
    x[0] = 1
    x[1, 1, 2, 4] = 1
    assert lenet5.invariance_rate(lambda x: x, x, [(0, 1), (1, 0), (0, -1)]).tolist() == [0.5, 0.5, 0.5]
    assert lenet5.invariance_rate(lambda x: 1 + 1e-13 * x, x, [(0, 0), (5, 0)]).tolist() == [1, 1]


# --- counting --------------------------------------------------------------------------------------------------------


def parameters(module: nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())


def test_parameter_table_of_lenet5() -> None:
    table = lenet5.parameter_table()
    assert table == {"conv1": 156, "conv2": 2416, "fc1": 48120, "fc2": 10164, "fc3": 850, "total": 61706}
    model = lenet5_torch.LeNet5()
    assert table["total"] == parameters(model)
    assert {name: parameters(layer) for name, layer in model.named_children()} == {
        name: count for name, count in table.items() if name != "total"
    }


@seeds
def test_parameter_table_equals_torch(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size, kernel = int(rng.integers(24, 50)), int(rng.integers(2, 6))
    channels, first, second, one, two, classes = (int(n) for n in rng.integers(1, 20, 6))
    convolutions = nn.Sequential(
        nn.Conv2d(channels, first, kernel), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(first, second, kernel), nn.ReLU()
    )
    features = nn.MaxPool2d(2)(convolutions(torch.zeros(1, channels, size, size))).numel()
    layers = [convolutions[0], convolutions[3]]
    layers += [nn.Linear(features, one), nn.Linear(one, two), nn.Linear(two, classes)]
    want = dict(zip(("conv1", "conv2", "fc1", "fc2", "fc3"), map(parameters, layers), strict=True))
    got = lenet5.parameter_table(size, channels, (first, second), kernel, (one, two), classes)
    assert got == {**want, "total": sum(want.values())}


@seeds
def test_counts_of_layers_that_share_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    source, target = (tuple(int(n) for n in rng.integers(1, 7, 3)) for _ in range(2))
    kernel = tuple(int(k) for k in rng.integers(1, 6, 2))
    dense = nn.Linear(int(np.prod(source)), int(np.prod(target)))
    assert lenet5.dense_parameter_count(source, target) == parameters(dense)
    one_window = parameters(nn.Conv2d(source[0], target[0], kernel))
    assert lenet5.locally_connected_parameter_count(source, target, kernel) == one_window * target[1] * target[2]
    square = lenet5.locally_connected_parameter_count(source, target, 3)
    assert square == lenet5.locally_connected_parameter_count(source, target, (3, 3))


def test_locality_and_sharing_save_parameters() -> None:
    shapes = (1, 32, 32), (6, 28, 28)
    assert lenet5.dense_parameter_count(*shapes) == 4_821_600
    assert lenet5.locally_connected_parameter_count(*shapes, 5) == 122_304
    assert lenet5.parameter_table()["conv1"] == 156


# --- the provided convolution ----------------------------------------------------------------------------------------


@dtypes
@seeds
def test_provided_convolution_equals_torch(seed: int, dtype: Any) -> None:
    rng = np.random.default_rng(seed)
    n, channels, filters, kh, kw = (int(side) for side in rng.integers(1, 5, 5))
    x = noise(seed, n, channels, kh + seed % 5, kw + seed % 7, dtype=dtype)
    w, b = noise(seed + 1, filters, channels, kh, kw, dtype=dtype), noise(seed + 2, filters, dtype=dtype)
    tensors = float64(x, w, b)
    want = F.conv2d(*tensors)
    dy = noise(seed + 3, *want.shape, dtype=dtype)
    want.backward(torch.tensor(dy, dtype=torch.float64))
    got = provided.conv2d_forward(scattered(x), w, b)
    assert got.dtype == dtype
    assert_close(got, want, TOLERANCE[dtype])
    for gradient, tensor in zip(provided.conv2d_backward(dy, x, scattered(w)), tensors, strict=True):
        assert gradient.dtype == dtype
        assert_close(gradient, tensor.grad, TOLERANCE[dtype])


def test_provided_convolution_keeps_exact_zeros() -> None:
    x, w = np.zeros((2, 3, 9, 9)), noise(0, 4, 3, 5, 5)
    x[:, :, :2, :2] = noise(1, 2, 3, 2, 2)
    y = provided.conv2d_forward(x, w, np.zeros(4))
    assert not y[:, :, 2:].any()
    assert not y[:, :, :, 2:].any()
    assert y[:, :, :2, :2].all()


# --- LeNet-5 ---------------------------------------------------------------------------------------------------------

SHAPES = {name: tuple(array.shape) for name, array in lenet5_torch.LeNet5().state_dict().items()}


def network(seed: int, dtype: Any = np.float64) -> dict[str, np.ndarray]:
    """Random parameters of the usual size, with biases that are not zero."""
    rng = np.random.default_rng(seed)
    fan_in = {name: np.prod(SHAPES[f"{name.split('.')[0]}.weight"][1:]) for name in SHAPES}
    return {
        name: frozen((rng.normal(size=shape) * np.sqrt(2 / fan_in[name])).astype(dtype))
        for name, shape in SHAPES.items()
    }


def by_hand(p: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """LeNet-5 in PyTorch's functions, apart from the reference's module."""
    for layer in ("conv1", "conv2"):
        x = F.max_pool2d(F.conv2d(x, p[f"{layer}.weight"], p[f"{layer}.bias"]), 2).relu()
    x = x.reshape(len(x), 400)
    for layer in ("fc1", "fc2"):
        x = F.linear(x, p[f"{layer}.weight"], p[f"{layer}.bias"]).relu()
    return F.linear(x, p["fc3.weight"], p["fc3.bias"])


def tensors(params: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    return dict(zip(params, float64(*params.values()), strict=True))


@dtypes
@seeds
def test_lenet5_equals_torch(seed: int, dtype: Any) -> None:
    n = 1 + seed % 5
    params, x = network(seed, dtype), noise(seed, n, 1, 32, 32, dtype=dtype)
    target = np.random.default_rng(seed).integers(0, 10, n)
    p = tensors(params)
    logits = by_hand(p, torch.tensor(x, dtype=torch.float64))
    loss = F.cross_entropy(logits, torch.tensor(target))
    loss.backward()
    got = lenet5.lenet5_forward(params, scattered(x))
    assert got.dtype == dtype
    assert_close(got, logits, TOLERANCE[dtype])
    value, grads = lenet5.lenet5_loss_and_gradients(params, x, target)
    assert type(value) is float
    assert abs(value - loss.item()) <= TOLERANCE[dtype] * loss.item()
    assert list(grads) != []
    assert grads.keys() == params.keys()
    for name, gradient in grads.items():
        assert gradient.dtype == dtype
        assert_close(gradient, p[name].grad, TOLERANCE[dtype])


def test_lenet5_is_stable_for_large_logits() -> None:
    params = network(0)
    params["fc3.bias"] = frozen(np.array([1000.0, -1000] + 8 * [0]))
    x, target = noise(0, 2, 1, 32, 32), np.array([0, 1])
    p = tensors(params)
    want = F.cross_entropy(by_hand(p, torch.tensor(x)), torch.tensor(target))
    want.backward()
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        loss, grads = lenet5.lenet5_loss_and_gradients(params, x, target)
    assert abs(loss - want.item()) <= EXACT * want.item()
    for name, gradient in grads.items():
        assert_close(gradient, p[name].grad)


@seeds
def test_sgd_momentum_step_equals_torch(seed: int) -> None:
    shapes = {"a": (3, 2), "b": (4,), "c": (1, 2, 2)}
    params = {name: noise(seed + k, *shape) for k, (name, shape) in enumerate(shapes.items())}
    velocity = {name: frozen(np.zeros(shape)) for name, shape in shapes.items()}
    lr, momentum = 0.1 + 0.01 * seed, seed / 24
    p = tensors(params)
    optimizer = torch.optim.SGD(p.values(), lr=lr, momentum=momentum)
    for step in range(5):
        grads = {name: noise(10 * seed + 7 * step + k, *shape) for k, (name, shape) in enumerate(shapes.items())}
        for name in shapes:
            p[name].grad = torch.tensor(grads[name])
        optimizer.step()
        before = {name: array.copy() for name, array in params.items()}
        stepped, velocity = lenet5.sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
        assert all(np.array_equal(params[name], before[name]) for name in shapes)
        params = {name: frozen(array) for name, array in stepped.items()}
        for name in shapes:
            assert_close(params[name], p[name])


@pytest.mark.parametrize("seed", range(3))
def test_train_equals_torch(seed: int) -> None:
    params, x = network(seed), noise(seed, 30, 1, 32, 32)
    rng = np.random.default_rng(seed)
    y = frozen(rng.integers(0, 10, 30))
    batches = [rng.permutation(30)[: 2 + step % 4] for step in range(20)]
    p = tensors(params)
    optimizer = torch.optim.SGD(p.values(), lr=0.02, momentum=0.8)
    losses = []
    for batch in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(by_hand(p, torch.tensor(x[batch])), torch.tensor(y[batch]))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    trained, got = lenet5.train(params, x, y, batches, lr=0.02, momentum=0.8)
    assert_close(got, losses)
    for name in SHAPES:
        assert_close(trained[name], p[name])


def data(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Digits as LeNet-5 takes them: 32 x 32, from 0 to 1."""
    with np.load(ROOT / "data" / f"{name}.npz") as digits:
        images, labels = digits["images"], digits["labels"].astype(np.int64)
    return np.pad(images[:, None] / np.float32(255), ((0, 0), (0, 0), (2, 2), (2, 2))), labels


def accuracy_of_the_full_recipe(seed: int) -> float:
    """4 000 digits, four epochs in batches of 32, the last one with a tenth of the learning rate."""
    (x, y), (hidden, labels) = data("digits"), data("digits_hidden")
    rng = np.random.default_rng(seed)
    params = network(seed, np.float32)
    params |= {name: np.zeros_like(b) for name, b in params.items() if name.endswith("bias")}
    for lr in (0.01, 0.01, 0.01, 0.001):
        params, _ = lenet5.train(params, x, y, rng.permutation(4000).reshape(-1, 32), lr=lr)
    answers = [lenet5.lenet5_forward(params, part).argmax(axis=1) for part in np.split(hidden, 20)]
    return float(np.mean(np.concatenate(answers) == labels))


@pytest.mark.long
def test_the_full_recipe_reads_digits_that_it_has_not_seen() -> None:
    """8 seeds of 8, in a process of its own: NumPy reads its number of threads when it starts, and one is fastest."""
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    command = [sys.executable, "-m", "tests.references.test_a3"]
    env = {**os.environ, **one_thread}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    accuracies = [float(line) for line in done.stdout.split()]
    assert len(accuracies) == 8
    assert min(accuracies) >= 0.93


# --- PyTorch ---------------------------------------------------------------------------------------------------------


@devices
@seeds
def test_the_module_gives_the_logits_of_numpy(seed: int, device: str) -> None:
    params, x = network(seed), noise(seed, 1 + seed % 4, 1, 32, 32)
    model = lenet5_torch.LeNet5().double().to(device)
    lenet5_torch.load_parameters(model, params)
    assert_close(model(torch.tensor(x, device=device)), lenet5.lenet5_forward(params, x))


def test_the_state_dictionary_makes_a_round_trip() -> None:
    first, second = lenet5_torch.LeNet5(), lenet5_torch.LeNet5()
    second.load_state_dict(first.state_dict())
    x = torch.randn(3, 1, 32, 32)
    assert torch.equal(first(x), second(x))
    assert {name: tuple(value.shape) for name, value in second.state_dict().items()} == SHAPES


def small_model(seed: int, dtype: Any = torch.float64) -> nn.Module:
    """A classifier that behaves differently in its two modes."""
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Flatten(), nn.Linear(12, 7), nn.BatchNorm1d(7), nn.ReLU(), nn.Linear(7, 5))
    return model.to(dtype)


def small_batches(seed: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
    rng = np.random.default_rng(seed)
    return [
        (torch.tensor(rng.normal(size=(n, 1, 3, 4))), torch.tensor(rng.integers(0, 5, n))) for n in (6, 6, 2 + seed % 4)
    ]


@devices
@seeds
def test_train_epoch_equals_a_plain_loop(seed: int, device: str) -> None:
    one, other = small_model(seed).to(device), small_model(seed).to(device)
    one.train(bool(seed % 2))
    got = lenet5_torch.train_epoch(
        one, iter(small_batches(seed)), torch.optim.SGD(one.parameters(), lr=0.1, momentum=0.9), device
    )
    assert type(got) is float
    optimizer = torch.optim.SGD(other.parameters(), lr=0.1, momentum=0.9)
    losses: list[float] = []
    for x, y in small_batches(seed):
        each = F.cross_entropy(other(x.to(device)), y.to(device), reduction="none")
        optimizer.zero_grad()
        each.mean().backward()
        optimizer.step()
        losses += each.tolist()
    assert abs(got - np.mean(losses)) < EXACT
    assert one.training
    for (name, value), want in zip(one.state_dict().items(), other.state_dict().values(), strict=True):
        assert torch.allclose(value, want, rtol=0, atol=EXACT), name


@devices
@seeds
def test_evaluate_equals_a_plain_loop_and_leaves_no_trace(seed: int, device: str) -> None:
    model = small_model(seed).to(device)
    for index, module in enumerate(model.modules()):
        module.training = bool((index + seed) % 3)
    before = [module.training for module in model.modules()], {k: v.clone() for k, v in model.state_dict().items()}
    got = lenet5_torch.evaluate(model, iter(small_batches(seed)), device)
    assert [module.training for module in model.modules()] == before[0]
    assert all(torch.equal(value, before[1][name]) for name, value in model.state_dict().items())
    assert all(p.grad is None for p in model.parameters())
    x, y = (torch.cat(parts).to(device) for parts in zip(*small_batches(seed), strict=True))
    logits = model.eval()(x)
    assert abs(got[0] - F.cross_entropy(logits, y).item()) < EXACT
    assert abs(got[1] - (logits.argmax(1) == y).double().mean().item()) < EXACT


def test_evaluate_records_nothing() -> None:
    recorded: list[bool] = []

    class Watching(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            recorded.append(torch.is_grad_enabled())
            return x.flatten(1)[:, :5]

    lenet5_torch.evaluate(Watching(), small_batches(0), "cpu")
    assert recorded == 3 * [False]
    assert torch.is_grad_enabled()


@devices
@pytest.mark.parametrize("theirs", [np.float32, np.float64])
@pytest.mark.parametrize("mine", [torch.float32, torch.float64])
def test_load_parameters_copies_and_keeps_the_dtype(mine: Any, theirs: Any, device: str) -> None:
    model = lenet5_torch.LeNet5().to(device, mine)
    held = list(model.parameters())
    params = {name: array.copy() for name, array in network(0, theirs).items()}
    lenet5_torch.load_parameters(model, params)
    for array in params.values():
        array += 1
    for p, parameter, want in zip(held, model.parameters(), network(0, theirs).values(), strict=True):
        assert parameter is p
        assert parameter.dtype is mine
        assert parameter.requires_grad
        assert torch.equal(parameter.cpu(), torch.tensor(want).to(mine))


def test_nothing_names_a_device() -> None:
    for module in (lenet5, lenet5_torch):
        assert not re.search(r"cuda|cpu|mps", inspect.getsource(module))


if __name__ == "__main__":
    for seed in range(8):
        print(accuracy_of_the_full_recipe(seed), flush=True)
