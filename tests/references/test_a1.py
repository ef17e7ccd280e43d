"""The references of assignment 1 against independent oracles: PyTorch's functions and autograd, and closed forms."""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import comb
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from solutions.a1_convolution import convolution, convolution_torch

EXACT, SINGLE = 1e-12, 1e-5
TOLERANCE: dict[Any, float] = {np.float64: EXACT, np.float32: SINGLE}
MODES: dict[Any, str] = {"zeros": "constant", "replicate": "replicate", "reflect": "reflect"}

dtypes = pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Arrays this small only lose by threads, most of all on a busy machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def assert_close(got: Any, want: Any, tolerance: float = EXACT) -> None:
    """Same shape, and equal relative to the largest magnitude wanted."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    scale = np.abs(want).max()
    assert scale > 0
    assert np.abs(got - want).max() <= tolerance * scale


def frozen(array: np.ndarray) -> np.ndarray:
    """The array, protected: writing to an argument raises."""
    array.flags.writeable = False
    return array


def noise(seed: int, *shape: int, dtype: Any = np.float64) -> np.ndarray:
    return frozen(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


def scattered(array: np.ndarray) -> np.ndarray:
    """The same values with reversed axes, negative steps and gaps in memory."""
    room = np.full([2 * side for side in reversed(array.shape)], np.nan, array.dtype)
    view = room.T[tuple(slice(None, None, -2) for _ in array.shape)]
    view[...] = array
    assert view.size == 1 or not view.flags.contiguous
    return frozen(view)


def float64(*arrays: np.ndarray) -> list[torch.Tensor]:
    """Copies as double-precision tensors that record gradients."""
    return [torch.tensor(array, dtype=torch.float64, requires_grad=True) for array in arrays]


# --- one dimension ---------------------------------------------------------------------------------------------------

LENGTHS = [(1, 1), (1, 6), (6, 1), (2, 2)] + [tuple(np.random.default_rng(s).integers(2, 40, 2)) for s in range(24)]


@dtypes
@pytest.mark.parametrize(("n", "m"), LENGTHS)
def test_convolve_equals_torch(n: int, m: int, dtype: Any) -> None:
    x, h = noise(n, n, dtype=dtype), noise(m + 100, m, dtype=dtype)
    signal, kernel = float64(x, h)
    want = F.conv1d(signal[None, None], kernel.flip(0)[None, None], padding=m - 1)[0, 0]
    got = convolution.convolve(x, h)
    assert got.dtype == dtype
    assert_close(got, want.detach(), TOLERANCE[dtype])


def test_convolve_of_ones_is_a_trapezoid() -> None:
    got = convolution.convolve(np.ones(6), np.ones(4))
    assert got.tolist() == [1, 2, 3, 4, 4, 4, 3, 2, 1]


def test_convolve_multiplies_polynomials() -> None:
    binomial = [np.array([comb(n, k) for k in range(n + 1)]) for n in range(12)]
    got = convolution.convolve(binomial[4], binomial[7])
    assert got.dtype == np.float64
    assert got.tolist() == binomial[11].tolist()


def test_convolve_delays() -> None:
    x = noise(0, 9)
    assert convolution.convolve(x, np.array([0.0, 0.0, 1.0])).tolist() == [0, 0, *x]


def test_convolve_takes_scattered_and_mixed_arrays() -> None:
    x, h = noise(1, 11), noise(2, 4)
    assert_close(convolution.convolve(scattered(x), scattered(h)), np.convolve(x, h))
    assert convolution.convolve(x, h.astype(np.float32)).dtype == np.float64


@pytest.mark.parametrize(("n", "m"), [(0, 3), (3, 0), (0, 0)])
def test_convolve_refuses_empty_signals(n: int, m: int) -> None:
    with pytest.raises(ValueError, match="at least one sample"):
        convolution.convolve(np.ones(n), np.ones(m))


System = Callable[[np.ndarray], np.ndarray]


def shifted(x: np.ndarray, delay: int) -> np.ndarray:
    """x delayed, or advanced if the delay is negative, with zeros moving in."""
    y = np.zeros_like(x)
    if delay >= 0:
        y[delay:] = x[: len(x) - delay]
    else:
        y[:delay] = x[-delay:]
    return y


def fir(*taps: float) -> System:
    return lambda x: np.convolve(x, taps)[: len(x)]


def feedback(pole: float) -> System:
    def system(x: np.ndarray) -> np.ndarray:
        y = x.copy()
        for i in range(1, len(x)):
            y[i] += pole * y[i - 1]
        return y

    return system


def decimated(x: np.ndarray) -> np.ndarray:
    y = np.zeros_like(x)
    y[: (len(x) + 1) // 2] = x[::2]
    return y


def in_place(x: np.ndarray) -> np.ndarray:
    x *= 3.0
    return x


def over_neighbours(statistic: Callable[..., Any]) -> System:
    return lambda x: statistic([shifted(x, 1), x, shifted(x, -1)], axis=0)


LINEAR: dict[str, System] = {
    "identity": lambda x: x,
    "zero": np.zeros_like,
    "gain": lambda x: -0.3 * x,
    "large gain": lambda x: 1e8 * x,
    "small gain": lambda x: 1e-8 * x,
    "fir": fir(0.5, -1.2, 0.7, 0.1),
    "difference": fir(1, -1),
    "moving average": over_neighbours(np.mean),
    "delay": lambda x: shifted(x, 3),
    "advance": lambda x: shifted(x, -2),
    "decay": feedback(0.9),
    "unstable feedback": feedback(1.5),
    "running sum": np.cumsum,
    "modulation": lambda x: x * np.cos(0.3 * np.arange(len(x))),
    "ramp gain": lambda x: x * np.arange(len(x)),
    "growing gain": lambda x: x * 2.0 ** np.arange(len(x)),
    "switched on late": lambda x: np.where(np.arange(len(x)) < 9, 0.0, x),
    "decimation": decimated,
    "reversal": lambda x: x[::-1],
    "works in place": in_place,
}
NONLINEAR: dict[str, System] = {
    "offset": lambda x: x + 1,
    "small offset": lambda x: x + 0.01,
    "late offset": lambda x: x + (np.arange(len(x)) == len(x) - 1),
    "constant": np.ones_like,
    "square": np.square,
    "cube": lambda x: x**3,
    "slightly quadratic": lambda x: x + 1e-3 * x**2,
    "absolute value": np.abs,
    "rectifier": lambda x: np.maximum(x, 0),
    "leaky rectifier": lambda x: np.where(x > 0, x, 0.9 * x),
    "product of neighbours": lambda x: x * shifted(x, 1),
    "normalised product": lambda x: x * shifted(x, 1) / np.hypot(x, shifted(x, 1)),
    "clip at 0.01": lambda x: x.clip(-0.01, 0.01),
    "clip at 1": lambda x: x.clip(-1, 1),
    "clip at 100": lambda x: x.clip(-100, 100),
    "clip from above": lambda x: np.minimum(x, 10),
    "dead zone to 0.01": lambda x: np.where(np.abs(x) < 0.01, 0, x),
    "dead zone to 1": lambda x: np.where(np.abs(x) < 1, 0, x),
    "dead zone to 100": lambda x: np.where(np.abs(x) < 100, 0, x),
    "soft threshold": lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.5, 0),
    "median": over_neighbours(np.median),
    "maximum": over_neighbours(np.max),
    "running maximum": np.maximum.accumulate,
    "rounding": np.rint,
    "sign": np.sign,
    "tanh": np.tanh,
    "wide tanh": lambda x: 100 * np.tanh(x / 100),
    "sine": np.sin,
    "logarithm": lambda x: np.sign(x) * np.log1p(np.abs(x)),
    "overflow": np.exp,
    "not a number": np.sqrt,
}
ZOO = [(name, system, True) for name, system in LINEAR.items()]
ZOO += [(name, system, False) for name, system in NONLINEAR.items()]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("length", [16, 64])
@pytest.mark.parametrize(("system", "linear"), [z[1:] for z in ZOO], ids=[z[0] for z in ZOO])
def test_is_linear_judges_the_zoo(system: System, linear: bool, length: int) -> None:
    for seed in range(25):
        assert convolution.is_linear(system, length, rng=np.random.default_rng(seed)) is linear


def test_is_linear_feeds_float64_signals_of_the_length() -> None:
    def system(x: np.ndarray) -> np.ndarray:
        assert x.shape == (17,)
        assert x.dtype == np.float64
        return x

    assert convolution.is_linear(system, 17, rng=np.random.default_rng(0))


# --- two dimensions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("padding", [0, 2, (0, 2), (3, 0), (1, 2), (3, 1), (6, 7)], ids=str)
@pytest.mark.parametrize("lead", [(), (2,), (2, 3)], ids=["HW", "CHW", "NCHW"])
def test_pad2d_equals_torch(mode: Any, padding: Any, lead: tuple[int, ...]) -> None:
    x = noise(0, *lead, 7, 8)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    want = F.pad(torch.tensor(x).reshape(1, -1, 7, 8), (pw, pw, ph, ph), MODES[mode])
    want = want.reshape(*lead, 7 + 2 * ph, 8 + 2 * pw)
    for argument in (x, scattered(x)):
        got = convolution.pad2d(argument, padding, mode)
        assert got.shape == want.shape
        assert np.array_equal(got, want)


def test_pad2d_spells_the_handout() -> None:
    row = np.array([[1, 2, 3]])
    assert convolution.pad2d(row, (0, 2)).tolist() == [[0, 0, 1, 2, 3, 0, 0]]
    assert convolution.pad2d(row, (0, 2), "replicate").tolist() == [[1, 1, 1, 2, 3, 3, 3]]
    assert convolution.pad2d(row, (0, 2), "reflect").tolist() == [[3, 2, 1, 2, 3, 2, 1]]
    assert convolution.pad2d(row.T, (2, 0), mode="reflect").tolist() == [[3], [2], [1], [2], [3], [2], [1]]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.bool_, np.float16, np.float32, np.float64])
def test_pad2d_keeps_the_dtype(mode: Any, dtype: Any) -> None:
    assert convolution.pad2d(np.ones((3, 4), dtype), 1, mode).dtype == dtype


@pytest.mark.parametrize("padding", [4, (4, 0), (0, 5), (7, 1), (1, 9)], ids=str)
def test_pad2d_refuses_to_reflect_too_far(padding: Any) -> None:
    with pytest.raises(ValueError, match="smaller than the image"):
        convolution.pad2d(np.ones((2, 4, 5)), padding, "reflect")


@dtypes
@pytest.mark.parametrize("seed", range(24))
def test_correlate2d_equals_torch(seed: int, dtype: Any) -> None:
    rng = np.random.default_rng(seed)
    kh, kw, height, width = rng.permutation(np.arange(1, 6))[:2].tolist() + (6 + rng.permutation(6)[:2]).tolist()
    x, w = noise(seed, height, width, dtype=dtype), noise(seed + 100, kh, kw, dtype=dtype)
    image, kernel = float64(x, w)
    want = F.conv2d(image[None, None], kernel[None, None])[0, 0].detach()
    for arguments in ((x, w), (scattered(x), scattered(w))):
        got = convolution.correlate2d(*arguments)
        assert got.dtype == dtype
        assert_close(got, want, TOLERANCE[dtype])


def test_correlate2d_meets_an_impulse_with_the_flipped_kernel() -> None:
    x, w = np.zeros((5, 6)), noise(0, 3, 2)
    x[2, 3] = 1
    got = convolution.correlate2d(x, w)
    assert np.array_equal(got[:3, 2:4], w[::-1, ::-1])
    assert np.count_nonzero(got) == 6


def test_correlate2d_computes_integers_in_float64() -> None:
    x = np.random.default_rng(0).integers(0, 256, (6, 7), np.uint8)
    got = convolution.correlate2d(x, np.full((6, 7), 200, np.uint8))
    assert got.dtype == np.float64
    assert got.tolist() == [[200 * int(x.astype(int).sum())]]
    assert convolution.correlate2d(x, noise(0, 2, 3, dtype=np.float32)).dtype == np.float64


def filtered(image: np.ndarray, kernel: np.ndarray, mode: Any) -> np.ndarray:
    """What filter_image should return, by PyTorch; exact where the arithmetic is."""
    kh, kw = kernel.shape
    channels = torch.tensor(np.atleast_3d(image), dtype=torch.float64).permute(2, 0, 1)[:, None]
    padded = F.pad(channels, (kw // 2, kw // 2, kh // 2, kh // 2), MODES[mode])
    response = F.conv2d(padded, torch.tensor(kernel, dtype=torch.float64)[None, None])[:, 0]
    return response.round().clamp(0, 255).to(torch.uint8).permute(1, 2, 0).reshape(image.shape).numpy()


SHARPEN = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])
KERNELS = {
    "identity": np.array([[1.0]]),
    "sharpen": SHARPEN,
    "edge": 9 * np.eye(9)[4].reshape(3, 3) - 1,
    "sobel": np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], np.float32),
    "halves": np.array([[0.5, 0, 0.5]]),
    "column": np.array([[0.3], [0.1], [0.4], [0.05], [0.2]]),
    "random 3x5": np.random.default_rng(0).normal(0.05, 0.3, (3, 5)),
    "random 7x1": np.random.default_rng(1).normal(0.1, 0.3, (7, 1)),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("shape", [(8, 11), (11, 8, 3)], ids=["grey", "colour"])
def test_filter_image_equals_torch(shape: tuple[int, ...], kernel: np.ndarray, mode: Any) -> None:
    image = frozen(np.random.default_rng(3).integers(0, 256, shape, np.uint8))
    want = filtered(image, kernel, mode)
    assert want.min() < want.max()
    for argument in (image, np.asfortranarray(image)[::-1, ::-1][::-1, ::-1]):
        got = convolution.filter_image(argument, frozen(kernel), mode=mode)
        assert got.dtype == np.uint8
        assert np.array_equal(got, want)


def test_filter_image_replicates_the_edge_by_default() -> None:
    image = np.full((5, 6), 200, np.uint8)
    assert np.array_equal(convolution.filter_image(image, np.full((3, 3), 1 / 9)), image)


def test_filter_image_rounds_and_clips() -> None:
    image = np.array([[1, 3, 100, 255]], np.uint8)
    assert convolution.filter_image(image, np.array([[0.55]])).tolist() == [[1, 2, 55, 140]]
    assert convolution.filter_image(image, np.array([[3.0]])).tolist() == [[3, 9, 255, 255]]
    assert convolution.filter_image(image, np.array([[-1.0]])).tolist() == [[0, 0, 0, 0]]


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (4, 4)], ids=str)
def test_filter_image_refuses_even_kernels(shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no centre"):
        convolution.filter_image(np.zeros((8, 9), np.uint8), np.ones(shape))


# --- convolution layers ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layer:
    """Sizes of a convolution layer; stride and padding as they are passed."""

    N: int
    C: int
    H: int
    W: int
    F: int
    kh: int
    kw: int
    stride: Any
    padding: Any

    def __str__(self) -> str:
        step, pad = (str(p).replace(" ", "") for p in (self.stride, self.padding))
        return f"N{self.N} C{self.C} {self.H}x{self.W} F{self.F} k{self.kh}x{self.kw} s{step} p{pad}"

    def arrays(self, dtype: Any = np.float64) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """x, w and b."""
        x = noise(1, self.N, self.C, self.H, self.W, dtype=dtype)
        w = noise(2, self.F, self.C, self.kh, self.kw, dtype=dtype)
        return x, w, noise(3, self.F, dtype=dtype)


def random_layer(seed: int) -> Layer:
    """Every axis of another size, another stride and padding on each axis, and strides that do not divide."""
    rng = np.random.default_rng(seed)
    while True:
        n, c, f, kh, kw = rng.permutation(np.arange(1, 7))[:5].tolist()
        height, width = rng.permutation(np.arange(7, 13))[:2].tolist()
        (sh, sw), (ph, pw) = rng.permutation([2, 3, 4])[:2].tolist(), rng.permutation(4)[:2].tolist()
        if (height + 2 * ph - kh) % sh and (width + 2 * pw - kw) % sw:
            return Layer(n, c, height, width, f, kh, kw, (sh, sw), (ph, pw))


LAYERS = [random_layer(seed) for seed in range(24)] + [
    Layer(3, 2, 7, 10, 5, 3, 2, (2, 3), (1, 2)),
    Layer(3, 2, 7, 10, 5, 3, 4, 1, 0),
    Layer(2, 3, 7, 8, 4, 3, 5, 1, (2, 0)),
    Layer(2, 3, 8, 7, 4, 3, 2, 2, 1),
    Layer(2, 3, 9, 8, 4, 2, 1, (4, 3), 0),
    Layer(2, 3, 6, 5, 4, 6, 5, 3, 0),
    Layer(2, 3, 4, 3, 5, 6, 7, (2, 1), (1, 3)),
    Layer(2, 3, 5, 4, 6, 1, 1, 2, (3, 1)),
    Layer(1, 1, 5, 6, 1, 2, 3, (1, 2), 1),
]
layers = pytest.mark.parametrize("layer", LAYERS, ids=str)


def torch_layer(layer: Layer, dtype: Any) -> tuple[torch.Tensor, np.ndarray, tuple[torch.Tensor, ...]]:
    """By PyTorch in float64: the output, a random gradient for it, and the gradients of x, w and b."""
    x, w, b = float64(*layer.arrays(dtype))
    y = F.conv2d(x, w, b, stride=layer.stride, padding=layer.padding)
    dy = noise(4, *y.shape, dtype=dtype)
    gradients = torch.autograd.grad(y, (x, w, b), torch.tensor(dy, dtype=torch.float64))
    return y.detach(), dy, gradients


@dtypes
@layers
def test_conv2d_forward_equals_torch(layer: Layer, dtype: Any) -> None:
    x, w, b = layer.arrays(dtype)
    want, _, _ = torch_layer(layer, dtype)
    for arguments in ((x, w, b), (scattered(x), scattered(w), scattered(b))):
        got = convolution.conv2d_forward(*arguments, stride=layer.stride, padding=layer.padding)
        assert got.dtype == dtype
        assert_close(got, want, TOLERANCE[dtype])


@dtypes
@layers
def test_conv2d_backward_equals_autograd(layer: Layer, dtype: Any) -> None:
    x, w, _ = layer.arrays(dtype)
    _, dy, want = torch_layer(layer, dtype)
    for arguments in ((dy, x, w), (scattered(dy), scattered(x), scattered(w))):
        got = convolution.conv2d_backward(*arguments, stride=layer.stride, padding=layer.padding)
        assert len(got) == len(want) == 3
        for gradient, expected in zip(got, want, strict=True):
            assert gradient.dtype == dtype
            assert_close(gradient, expected, TOLERANCE[dtype])


def test_conv2d_by_hand() -> None:
    x = np.arange(1.0, 10.0).reshape(1, 1, 3, 3)
    w = np.array([[[[1.0, 2.0], [3.0, 4.0]]]])
    dy = np.array([[[[1.0, 0.0], [0.0, 10.0]]]])
    assert convolution.conv2d_forward(x, w, np.array([0.5])).tolist() == [[[[37.5, 47.5], [67.5, 77.5]]]]
    dx, dw, db = convolution.conv2d_backward(dy, x, w)
    assert dx.tolist() == [[[[1, 2, 0], [3, 14, 20], [0, 30, 40]]]]
    assert dw.tolist() == [[[[51, 62], [84, 95]]]]
    assert db.tolist() == [11]


def test_conv2d_defaults_are_stride_1_and_no_padding() -> None:
    layer = LAYERS[25]
    assert (layer.stride, layer.padding) == (1, 0)
    x, w, b = layer.arrays()
    want, dy, gradients = torch_layer(layer, np.float64)
    assert_close(convolution.conv2d_forward(x, w, b), want)
    for got, expected in zip(convolution.conv2d_backward(dy, x, w), gradients, strict=True):
        assert_close(got, expected)


def test_conv2d_mixes_dtypes_into_the_wider() -> None:
    layer = LAYERS[0]
    arrays = layer.arrays()
    geometry: dict[str, Any] = {"stride": layer.stride, "padding": layer.padding}
    _, dy, _ = torch_layer(layer, np.float64)
    for wide in range(3):
        x, w, b = (a if i == wide else a.astype(np.float32) for i, a in enumerate(arrays))
        assert convolution.conv2d_forward(x, w, b, **geometry).dtype == np.float64
        dy_, x, w = (a if i == wide else a.astype(np.float32) for i, a in enumerate((dy, *arrays[:2])))
        assert {g.dtype.name for g in convolution.conv2d_backward(dy_, x, w, **geometry)} == {"float64"}


def test_conv2d_forward_refuses_other_channels() -> None:
    with pytest.raises(ValueError, match="channels"):
        convolution.conv2d_forward(np.ones((2, 3, 6, 5)), np.ones((4, 1, 3, 2)), np.ones(4))


@pytest.mark.parametrize(("kernel", "padding"), [((6, 2), 0), ((2, 8), 0), ((8, 2), (1, 4)), ((2, 10), (4, 1))])
def test_conv2d_forward_refuses_windows_larger_than_the_padded_image(kernel: Any, padding: Any) -> None:
    with pytest.raises(ValueError, match="window"):
        convolution.conv2d_forward(np.ones((2, 3, 5, 7)), np.ones((4, 3, *kernel)), np.ones(4), padding=padding)


def torch_module(layer: Layer, kind: Callable[..., Any], dtype: torch.dtype, bias: bool = True) -> Any:
    """A layer class with the weights of the case."""
    _, w, b = layer.arrays()
    module = kind(layer.C, layer.F, (layer.kh, layer.kw), layer.stride, layer.padding, bias=bias).to(dtype)
    state = {"weight": torch.tensor(w)} | ({"bias": torch.tensor(b)} if bias else {})
    module.load_state_dict(state, strict=True)
    return module


@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
@layers
def test_torch_layer_equals_nn(layer: Layer, dtype: torch.dtype, bias: bool) -> None:
    """Values, and gradients of the input and the parameters, also where the input is laid out channels last."""
    tolerance = EXACT if dtype == torch.float64 else SINGLE
    want = torch_module(layer, nn.Conv2d, torch.float64, bias)
    x, _, _ = layer.arrays()
    (image,) = float64(x)
    y = want(image)
    dy = torch.tensor(noise(4, *y.shape))
    y.backward(dy)
    for memory_format in (torch.contiguous_format, torch.channels_last):
        got = torch_module(layer, convolution_torch.Conv2d, dtype, bias)
        argument = torch.tensor(x).to(dtype, memory_format=memory_format).requires_grad_()
        output = got(argument)
        output.backward(dy.to(dtype))
        assert output.dtype == dtype
        assert_close(output.detach(), y.detach(), tolerance)
        assert_close(argument.grad, image.grad, tolerance)
        assert np.array_equal(argument.detach(), torch.tensor(x).to(dtype))
        for parameter, expected in zip(got.parameters(), want.parameters(), strict=True):
            assert_close(parameter.grad, expected.grad, tolerance)


def test_torch_layer_has_the_parameters_of_nn() -> None:
    for bias in (True, False):
        got, want = convolution_torch.Conv2d(3, 5, (2, 4), bias=bias), nn.Conv2d(3, 5, (2, 4), bias=bias)
        shapes = [{k: (v.shape, v.dtype) for k, v in module.state_dict().items()} for module in (got, want)]
        assert shapes[0] == shapes[1]
        assert [name for name, _ in got.named_parameters()] == [name for name, _ in want.named_parameters()]
    assert got.bias is None
    assert convolution_torch.Conv2d(3, 5, 4).weight.shape == (5, 3, 4, 4)


# --- what students read ----------------------------------------------------------------------------------------------

FORBIDDEN = {
    convolution: {"np.convolve", "np.correlate", "np.polymul", "np.pad", "np.fft", "scipy", "torch"},
    convolution_torch: {
        "nn.Conv2d",
        "nn.Unfold",
        "F.conv2d",
        "F.unfold",
        "torch.conv2d",
        "torch.fft",
        "numpy",
        "scipy",
    },
}
GRADED: list[Any] = [
    *[getattr(convolution, name) for name in ("convolve", "is_linear", "pad2d", "correlate2d", "filter_image")],
    convolution.conv2d_forward,
    convolution.conv2d_backward,
    convolution_torch.Conv2d,
]


@pytest.mark.parametrize("module", FORBIDDEN, ids=lambda module: module.__name__.split(".")[-1])
def test_the_references_obey_what_they_forbid(module: ModuleType) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    used = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            used |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            used |= {str(node.module).split(".")[0]} | {f"np.{alias.name}" for alias in node.names}
    assert used.isdisjoint(FORBIDDEN[module])


@pytest.mark.parametrize("graded", GRADED, ids=lambda graded: graded.__name__)
def test_every_docstring_says_what_is_forbidden_and_where_to_read(graded: Any) -> None:
    documentation = str(inspect.getdoc(graded))
    assert "\nForbidden: " in documentation
    assert "\nHandout: §" in documentation
    for function in [graded.__init__, graded.forward] if hasattr(graded, "forward") else [graded]:
        described = str(function.__doc__)
        assert all(f"    {name}: " in described for name in inspect.signature(function).parameters if name != "self")
        assert "return" in typing.get_type_hints(function)
