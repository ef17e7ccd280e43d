"""The references of assignment 1 against independent oracles: PyTorch and its autograd, SciPy, and closed forms."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import comb
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.signal
import torch
import torch.nn.functional as F
from torch import nn

from solutions.a1_convolution import convolution, convolution_torch
from tests.references.arrays import frozen, scattered

EXACT, SINGLE = 1e-12, 1e-5
TOLERANCE: dict[Any, float] = {np.float64: EXACT, np.float32: SINGLE}
SHARPEN = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])
KERNEL_NAMES: list[Any] = ["identity", "edge", "laplacian", "sharpen", "box", "gaussian"]
MODES: dict[Any, str] = {"zeros": "constant", "replicate": "replicate", "reflect": "reflect"}

dtypes = pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])


def assert_close(got: Any, want: Any, tolerance: float = EXACT) -> None:
    """Same shape, and equal relative to the largest magnitude wanted."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    scale = np.abs(want).max()
    assert scale > 0
    assert np.abs(got - want).max() <= tolerance * scale


def noise(seed: int, *shape: int, dtype: Any = np.float64) -> np.ndarray:
    return frozen(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


def pair(value: Any) -> tuple[int, int]:
    return value if isinstance(value, tuple) else (value, value)


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


FITTING = [(max(pair), min(pair)) for pair in LENGTHS]


@dtypes
@pytest.mark.parametrize(("n", "m"), FITTING)
def test_cross_correlate_equals_torch_and_scipy(n: int, m: int, dtype: Any) -> None:
    x, h = noise(n, n, dtype=dtype), noise(m + 100, m, dtype=dtype)
    signal, template = float64(x, h)
    want = F.conv1d(signal[None, None], template[None, None])[0, 0].detach()
    for arguments in ((x, h), (scattered(x), scattered(h))):
        got = convolution.cross_correlate(*arguments)
        assert got.dtype == dtype
        assert_close(got, want, TOLERANCE[dtype])
        assert_close(got, scipy.signal.correlate(x.astype(float), h.astype(float), "valid"), TOLERANCE[dtype])


def test_cross_correlate_spells_the_docstring() -> None:
    x, h = np.array([1, 2, 3, 4]), np.array([1, 10])
    got = convolution.cross_correlate(x, h)
    assert got.dtype == np.float64
    assert got.tolist() == [21, 32, 43]
    assert convolution.convolve(x, h).tolist() == [1, 12, 23, 34, 40]


def test_cross_correlate_mixes_dtypes_into_the_wider() -> None:
    x, h = noise(0, 5), noise(1, 3)
    assert convolution.cross_correlate(x, h.astype(np.float32)).dtype == np.float64
    assert convolution.cross_correlate(x.astype(np.float32), h).dtype == np.float64


@pytest.mark.parametrize("search", [convolution.cross_correlate, convolution.match_template])
@pytest.mark.parametrize(("n", "m"), [(3, 4), (1, 9)])
def test_a_template_longer_than_the_signal_is_refused(search: Callable[..., Any], n: int, m: int) -> None:
    with pytest.raises(ValueError, match="window"):
        search(np.arange(n), np.arange(m))


@dtypes
@pytest.mark.parametrize(("n", "m"), LENGTHS)
def test_convolution_matrix_equals_scipy(n: int, m: int, dtype: Any) -> None:
    h, x = noise(m, m, dtype=dtype), noise(n + 100, n, dtype=dtype)
    for argument in (h, scattered(h)):
        got = convolution.convolution_matrix(argument, n)
        assert got.dtype == dtype
        assert np.array_equal(got, scipy.linalg.convolution_matrix(h, n, "full"))
        assert_close(got @ x, scipy.signal.convolve(x.astype(float), h.astype(float)), TOLERANCE[dtype])


def test_convolution_matrix_spells_the_docstring() -> None:
    got = convolution.convolution_matrix(np.array([1, 2, 3]), 2)
    assert got.dtype == np.float64
    assert got.tolist() == [[1, 0], [2, 1], [3, 2], [0, 3]]


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


def recursive_filter(seed: int) -> tuple[System, np.ndarray, np.ndarray]:
    """A stable linear, time-invariant system with feedback, by SciPy, and its coefficients b and a."""
    rng = np.random.default_rng(seed)
    poles = rng.uniform(-0.9, 0.9, rng.integers(1, 5))
    b, a = rng.standard_normal(rng.integers(1, 6)), np.poly(poles)
    return lambda x: scipy.signal.lfilter(b, a, x), b, a


@pytest.mark.parametrize("seed", range(24))
def test_impulse_response_convolves_as_the_system_does(seed: int) -> None:
    length = 16 + seed
    system, b, a = recursive_filter(seed)
    got = convolution.impulse_response(system, length)
    assert got.shape == (length,)
    assert got.dtype == np.float64
    want = scipy.signal.dimpulse((np.append(b, np.zeros(9)), np.append(a, np.zeros(9 + len(b) - len(a))), 1), n=length)
    assert_close(got, want[1][0][:, 0])
    x = noise(seed, length)
    assert_close(np.convolve(x, got)[:length], system(x))


def test_impulse_response_of_known_systems() -> None:
    measure = convolution.impulse_response
    assert measure(lambda x: x + shifted(x, 1) / 2, 16).tolist() == [1, 0.5] + 14 * [0]
    assert measure(feedback(-0.5), 17).tolist() == [(-0.5) ** n for n in range(17)]
    assert measure(lambda x: shifted(x, 15), 16).tolist() == 15 * [0] + [1]
    assert measure(lambda x: shifted(x, -1), 16).tolist() == 16 * [0]
    assert measure(lambda x: 3 * x + 1, 16).tolist() == [4] + 15 * [1]
    assert measure(lambda x: -x if len(x) == 20 and x.dtype == np.float64 else x, 20).tolist() == [-1] + 19 * [0]


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
    "normalized product": lambda x: x * shifted(x, 1) / np.hypot(x, shifted(x, 1)),
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


def at(n: int, value: float, otherwise: float = 0.0) -> System:
    """A signal, as a function of another one only for its length: ``value`` at n (from the end, if negative)."""

    def signal(x: np.ndarray) -> np.ndarray:
        y = np.full(len(x), float(otherwise))
        y[n] = value
        return y

    return signal


def periodic_gain(period: int) -> System:
    return lambda x: x * np.resize(np.linspace(1, 2, period), len(x))


def kept(step: int) -> System:
    """Every step-th sample, then zeros."""
    return lambda x: np.resize(np.append(x[::step], np.zeros(len(x))), len(x))


def by_fourier(*taps: float) -> System:
    return lambda x: np.fft.irfft(np.fft.rfft(x, 128) * np.fft.rfft(taps, 128), 128)[: len(x)]


def block_sums(x: np.ndarray) -> np.ndarray:
    """A running sum that begins anew at every eighth sample."""
    return np.concatenate([np.cumsum(x[n : n + 8]) for n in range(0, len(x), 8)])


def swapped(x: np.ndarray) -> np.ndarray:
    """Each even sample changes places with the one after it."""
    y = x.copy()
    pairs = len(x) // 2 * 2
    y[0:pairs:2], y[1:pairs:2] = x[1:pairs:2], x[0:pairs:2]
    return y


TIME_INVARIANT: dict[str, System] = {
    "identity": lambda x: x,
    "zero": np.zeros_like,
    "constant": np.ones_like,
    "large gain": lambda x: 1e8 * x,
    "small gain": lambda x: 1e-8 * x,
    "offset": lambda x: x + 1,
    "filter and offset": lambda x: fir(0.5, -1, 2)(x) - 0.02,
    "fir": fir(0.5, -1.2, 0.7, 0.1),
    "fir by Fourier": by_fourier(0.5, -1.2, 0.7, 0.1),
    "large fir by Fourier": by_fourier(5e8, -1.2e9, 7e8, 1e8),
    "delay": lambda x: shifted(x, 3),
    "long delay": lambda x: shifted(x, 15),
    "long delay by Fourier": by_fourier(*np.eye(16)[15]),
    "echo": lambda x: x + 0.5 * shifted(x, 11),
    "advance by 1": lambda x: shifted(x, -1),
    "advance by 2": lambda x: shifted(x, -2),
    "fir that looks ahead": lambda x: 0.3 * shifted(x, -2) + 0.2 * shifted(x, -1) + x - shifted(x, 1),
    "moving average": over_neighbours(np.mean),
    "decay": feedback(0.9),
    "unstable feedback": feedback(1.5),
    "running sum": np.cumsum,
    "running maximum": lambda x: np.maximum.accumulate(x.clip(0)),
    "square": np.square,
    "absolute value": np.abs,
    "rectifier": lambda x: np.maximum(x, 0),
    "product of neighbours": lambda x: x * shifted(x, 1),
    "product with what comes": lambda x: x * shifted(x, -2),
    "clip at 0.01": lambda x: x.clip(-0.01, 0.01),
    "clip at 100": lambda x: x.clip(-100, 100),
    "dead zone to 100": lambda x: np.where(np.abs(x) < 100, 0, x),
    "median": over_neighbours(np.median),
    "maximum": over_neighbours(np.max),
    "rounding": np.rint,
    "sign": np.sign,
    "tanh": np.tanh,
    "overflow": np.exp,
    "works in place": in_place,
}
TIME_VARIANT: dict[str, System] = {
    "modulation": lambda x: x * np.cos(0.3 * np.arange(len(x))),
    "alternating sign": lambda x: x * (-1.0) ** np.arange(len(x)),
    **{f"gain of period {period}": periodic_gain(period) for period in (2, 3, 4, 5, 6, 7, 8, 12)},
    "small gain of period 3": lambda x: 1e-14 * periodic_gain(3)(x),
    "ramp gain": lambda x: x * np.arange(len(x)),
    "growing gain": lambda x: x * 2.0 ** np.arange(len(x)),
    "fading gain": lambda x: x * 0.5 ** np.arange(len(x)),
    "slowly fading gain": lambda x: x * 0.999 ** np.arange(len(x)),
    "switched on late": lambda x: np.where(np.arange(len(x)) < 9, 0.0, x),
    "other gain in the second half": lambda x: np.where(np.arange(len(x)) < len(x) // 2, 1.1, 1.0) * x,
    "other gain at the first sample": lambda x: at(0, 2, 1)(x) * x,
    "other gain in the middle": lambda x: at(8, 1.1, 1)(x) * x,
    "other gain at the last sample but one": lambda x: at(-2, 1.1, 1)(x) * x,
    "other gain at the last sample": lambda x: at(-1, 1.1, 1)(x) * x,
    "last sample lost": lambda x: at(-1, 0, 1)(x) * x,
    "offset at the first sample": lambda x: x + at(0, 1)(x),
    "offset at the last sample": lambda x: x + at(-1, 0.02)(x),
    "offset that grows": lambda x: x + 0.01 * np.arange(len(x)),
    "offset of period 2": lambda x: x + np.resize([0, 0.1], len(x)),
    "a clock": lambda x: np.arange(len(x), dtype=float),
    "every 2nd sample kept": kept(2),
    "every 3rd sample kept": kept(3),
    "every 20th sample kept": kept(20),
    "every sample twice": lambda x: np.repeat(x, 2)[: len(x)],
    "growing delay": lambda x: x[np.arange(len(x)) * 3 // 4],
    "reversal": lambda x: x[::-1],
    "pairs swapped": swapped,
    "first sample taken off": lambda x: x - x[0],
    "running mean": lambda x: np.cumsum(x) / (1 + np.arange(len(x))),
    "sum in blocks": block_sums,
    "filter, then gain of period 4": lambda x: periodic_gain(4)(fir(1, -0.5)(x)),
    "gain of period 5, then filter": lambda x: fir(1, -0.5)(periodic_gain(5)(x)),
    "advance, then gain of period 3": lambda x: periodic_gain(3)(shifted(x, -2)),
    "advance, then other gain at the last sample": lambda x: at(-1, 2, 1)(x) * (shifted(x, -2) + x),
    "rectified at odd samples": lambda x: np.where(np.arange(len(x)) % 2, np.abs(x), x),
    "rectified at the last sample": lambda x: np.where(at(-1, 1)(x) == 1, np.abs(x), x),
    "ceiling of period 2 at 0.01": lambda x: np.minimum(x, np.resize([0.01, 0.02], len(x))),
    "ceiling of period 2 at 100": lambda x: np.minimum(x, np.resize([100, 50], len(x))),
    "dead zone of period 3 to 0.01": lambda x: np.where(np.abs(x) < np.resize([0, 0, 0.01], len(x)), 0, x),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("system", TIME_INVARIANT.values(), ids=TIME_INVARIANT)
def test_is_time_invariant_accepts(system: System) -> None:
    for seed, length in enumerate([16, 17, 16, 17, 22, 31]):
        assert convolution.is_time_invariant(system, length, rng=np.random.default_rng(seed)) is True


@pytest.mark.parametrize("system", TIME_VARIANT.values(), ids=TIME_VARIANT)
def test_is_time_invariant_finds_out(system: System) -> None:
    for seed, length in product(range(20), [16, 17, 40]):
        assert convolution.is_time_invariant(system, length, rng=np.random.default_rng(seed)) is False


@pytest.mark.parametrize("seed", range(24))
def test_is_time_invariant_knows_filters_from_filters_that_change(seed: int) -> None:
    system, _, _ = recursive_filter(seed)
    change = np.random.default_rng(seed).integers(1, 20)
    rng = np.random.default_rng(seed)
    assert convolution.is_time_invariant(system, 20, rng=rng)
    assert not convolution.is_time_invariant(
        lambda x: system(x) * np.where(np.arange(20) < change, 1, 1.5), 20, rng=rng
    )


@pytest.mark.parametrize("judge", [convolution.is_linear, convolution.is_time_invariant])
def test_systems_receive_float64_signals_of_the_length(judge: Callable[..., bool]) -> None:
    def system(x: np.ndarray) -> np.ndarray:
        assert x.shape == (17,)
        assert x.dtype == np.float64
        return x

    assert judge(system, 17, rng=np.random.default_rng(0))


# --- similarity ------------------------------------------------------------------------------------------------------


@dtypes
@pytest.mark.parametrize("size", [1, *range(3, 26)])
def test_cosine_similarity_equals_torch(size: int, dtype: Any) -> None:
    a, b = noise(size, size, dtype=dtype), noise(size + 100, size, dtype=dtype)
    u, v = float64(a, b)
    want = F.cosine_similarity(u, v, dim=0, eps=0).item()
    for arguments in ((a, b), (scattered(a), scattered(b))):
        got = convolution.cosine_similarity(*arguments)
        assert type(got) is float
        assert abs(got - want) <= TOLERANCE[dtype]


def test_cosine_similarity_of_known_angles() -> None:
    for angle in np.linspace(0, np.pi, 25):
        a, b = np.array([3.0, 0.0]), 0.2 * np.array([np.cos(angle), np.sin(angle)])
        assert abs(convolution.cosine_similarity(a, b) - np.cos(angle)) <= EXACT
    bytes_ = np.array([200, 200], np.uint8), np.array([200, 0], np.uint8)
    assert abs(convolution.cosine_similarity(*bytes_) - 2**-0.5) <= EXACT
    assert convolution.cosine_similarity(np.array([3, 4]), np.array([4, 3])) == 0.96


@pytest.mark.filterwarnings("error")
def test_cosine_similarity_with_the_zero_vector_is_0() -> None:
    a, zero = noise(0, 5), np.zeros(5)
    for arguments in ((a, zero), (zero, a), (zero, zero)):
        got = convolution.cosine_similarity(*arguments)
        assert type(got) is float
        assert got == 0


@dtypes
@pytest.mark.parametrize(("n", "m"), [(n, m) for n, m in FITTING if m > 1])
def test_match_template_equals_pearson_correlation(n: int, m: int, dtype: Any) -> None:
    x, template = noise(n, n, dtype=dtype) + dtype(0.5), noise(m + 100, m, dtype=dtype)
    want = [np.corrcoef(x[i : i + m].astype(float), template.astype(float))[0, 1] for i in range(n - m + 1)]
    for arguments in ((frozen(x), template), (scattered(x), scattered(template))):
        got = convolution.match_template(*arguments)
        assert got.dtype == dtype
        assert_close(got, want, TOLERANCE[dtype])


@pytest.mark.parametrize("seed", range(20))
def test_match_template_finds_the_template_in_spite_of_contrast_and_brightness(seed: int) -> None:
    template = noise(seed, 5 + seed)
    m, brightness = len(template), float(seed - 10)
    x = np.concatenate(
        [noise(51, 7), 0.1 * template + brightness, noise(52, 3), brightness - 8 * template, noise(53, 4)]
    )
    score = convolution.match_template(x, template)
    assert abs(score[7] - 1) <= EXACT
    assert abs(score[m + 10] + 1) <= EXACT
    assert np.abs(np.delete(score, [7, m + 10])).max() < 0.999
    assert_close(convolution.match_template(1e-6 * (x - brightness), 1e6 * template), score)
    assert_close(convolution.match_template(1e6 * (x - brightness), 1e-6 * template), score)


def test_match_template_is_not_blinded_by_a_plateau() -> None:
    x, template = np.array([0, 1, 3, 1, 0, 9, 9, 9, 0]), np.array([1, 3, 1])
    assert convolution.cross_correlate(x, template).argmax() == 5
    score = convolution.match_template(x, template)
    assert score.argmax() == 1
    assert score[5] == 0


@dtypes
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("m", [1, 2, 3, 6, 7, 10])
def test_match_template_gives_nothing_for_constants(m: int, dtype: Any) -> None:
    """Levels whose mean is not exact: what rounding leaves of them must not count as a shape."""
    rough = noise(0, m, dtype=dtype)
    for level in (0.1, 1 / 3, 0.7, 1e6 + 0.1, -1e-9, 0.0):
        flat = np.full(m, level, dtype)
        score = convolution.match_template(np.concatenate([rough, flat, flat, rough]), rough)
        assert score[m : 2 * m + 1].tolist() == (m + 1) * [0]
        assert np.isfinite(score).all()
        assert convolution.match_template(np.concatenate([rough, rough, rough]), flat).tolist() == (2 * m + 1) * [0]


# --- sizes -----------------------------------------------------------------------------------------------------------

GEOMETRIES = [
    dict(zip(("size", "kernel_size", "stride", "padding", "dilation"), numbers, strict=True))
    for numbers in product(range(1, 10), range(1, 5), range(1, 4), range(3), range(1, 4))
]


def test_output_size_counts_the_windows() -> None:
    for g in GEOMETRIES:
        starts = range(-g["padding"], g["size"] + g["padding"] - g["dilation"] * (g["kernel_size"] - 1), g["stride"])
        if len(starts):
            got = convolution.output_size(**g)
            assert type(got) is int
            assert got == len(starts)
        else:
            with pytest.raises(ValueError, match="does not fit"):
                convolution.output_size(**g)


@pytest.mark.parametrize("seed", range(24))
def test_output_size_equals_torch(seed: int) -> None:
    size, kernel, stride, padding, dilation = np.random.default_rng(seed).integers([20, 1, 1, 0, 1], [50, 7, 6, 5, 4])
    geometry: dict[str, Any] = {"stride": int(stride), "padding": int(padding), "dilation": int(dilation)}
    want = F.conv1d(torch.zeros(1, 1, size), torch.zeros(1, 1, kernel), **geometry).shape[2]
    assert convolution.output_size(int(size), int(kernel), **geometry) == want


def test_output_size_spells_the_docstring() -> None:
    assert convolution.output_size(32, 5) == 28
    assert convolution.output_size(7, 3, stride=2, padding=1) == 4
    assert convolution.output_size(8, 3, stride=2) == 3
    assert convolution.output_size(10, 3, dilation=2) == 6


# --- two dimensions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("padding", [0, 2, (0, 2), (3, 0), (1, 2), (3, 1), (6, 7)], ids=str)
@pytest.mark.parametrize("lead", [(), (2,), (2, 3)], ids=["HW", "CHW", "NCHW"])
def test_pad2d_equals_torch(mode: Any, padding: Any, lead: tuple[int, ...]) -> None:
    x = noise(0, *lead, 7, 8)
    ph, pw = pair(padding)
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


@pytest.mark.parametrize("size", [3, 5, 7, 9])
def test_make_kernel_of_any_size(size: int) -> None:
    make = convolution.make_kernel
    centre = (size // 2, size // 2)
    impulse = np.zeros((size, size))
    impulse[centre] = 1
    assert make("identity", size).tolist() == impulse.tolist()
    assert np.abs(make("box", size) - size**-2.0).max() <= 1e-16
    edge = make("edge", size)
    assert edge[centre] == size**2 - 1
    assert np.array_equal(edge[impulse == 0], np.full(size**2 - 1, -1))
    assert_close(edge, size**2 * (make("identity", size) - make("box", size)))
    for name in ("identity", "edge", "box", "gaussian"):
        assert make(name, size).dtype == np.float64
        assert make(name, size).shape == (size, size)


@pytest.mark.parametrize("size", [3, 5, 7, 11])
@pytest.mark.parametrize("sigma", [0.3, 0.5, 1, 1.7, 4.0, 50.0])
def test_make_kernel_gaussian_equals_scipy(size: int, sigma: float) -> None:
    bell = scipy.signal.windows.gaussian(size, sigma)
    got = convolution.make_kernel("gaussian", size, sigma)
    assert_close(got, np.outer(bell, bell) / bell.sum() ** 2)
    assert abs(got.sum() - 1) <= EXACT


def test_make_kernel_3x3() -> None:
    make = convolution.make_kernel
    laplacian = make("laplacian")
    assert laplacian.tolist() == [[0, -1, 0], [-1, 4, -1], [0, -1, 0]]
    assert make("sharpen").tolist() == SHARPEN.tolist()
    assert make("edge").tolist() == [[-1, -1, -1], [-1, 8, -1], [-1, -1, -1]]
    assert {make(name).dtype.name for name in ("laplacian", "sharpen")} == {"float64"}
    assert make("laplacian", size=3).tolist() == laplacian.tolist()
    assert make("sharpen", 3).tolist() == SHARPEN.tolist()
    i, j = np.mgrid[:6, :7]
    assert_close(convolution.correlate2d(3 * i**2 + 2 * j**2 + 5 * i * j - j, laplacian), np.full((4, 5), -10))


def test_make_kernel_defaults() -> None:
    assert np.array_equal(convolution.make_kernel("gaussian"), convolution.make_kernel("gaussian", 3, 1.0))
    assert np.array_equal(convolution.make_kernel("gaussian", 5), convolution.make_kernel("gaussian", 5, 1.0))


def test_make_kernel_makes_a_new_one_each_time() -> None:
    for name in KERNEL_NAMES:
        want = convolution.make_kernel(name).copy()
        convolution.make_kernel(name)[...] = 7
        assert np.array_equal(convolution.make_kernel(name), want)


@pytest.mark.parametrize("size", [2, 4, 1, 0, -3])
def test_make_kernel_refuses_sizes_without_centre_or_neighbours(size: int) -> None:
    for name in KERNEL_NAMES:
        with pytest.raises(ValueError, match="odd and at least 3"):
            convolution.make_kernel(name, size)


def test_make_kernel_refuses_what_does_not_exist() -> None:
    names: list[Any] = ["laplacian", "sharpen"]
    for name in names:
        with pytest.raises(ValueError, match="3 x 3"):
            convolution.make_kernel(name, 5)
    unknown: Any = "blur"
    with pytest.raises(ValueError, match="blur"):
        convolution.make_kernel(unknown)


def filtered(image: np.ndarray, kernel: np.ndarray, mode: Any) -> np.ndarray:
    """What filter_image should return, by PyTorch; exact where the arithmetic is."""
    kh, kw = kernel.shape
    channels = torch.tensor(np.atleast_3d(image), dtype=torch.float64).permute(2, 0, 1)[:, None]
    padded = F.pad(channels, (kw // 2, kw // 2, kh // 2, kh // 2), MODES[mode])
    response = F.conv2d(padded, torch.tensor(kernel, dtype=torch.float64)[None, None])[:, 0]
    return response.round().clamp(0, 255).to(torch.uint8).permute(1, 2, 0).reshape(image.shape).numpy()


KERNELS = {
    "identity": np.array([[1.0]]),
    "sharpen": SHARPEN,
    "edge": 9 * np.eye(9)[4].reshape(3, 3) - 1,
    "sobel": np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], np.float32),
    "halves": np.array([[0.5, 0, 0.5]]),
    "column": np.array([[0.3], [0.1], [0.4], [0.05], [0.2]]) * np.pi / 3,  # no response lies at a half
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

    @property
    def windows(self) -> dict[str, Any]:
        """Size, stride and padding of the windows, by name."""
        return {"kernel_size": (self.kh, self.kw), "stride": self.stride, "padding": self.padding}

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


forwards = pytest.mark.parametrize("forward", [convolution.conv2d_forward, convolution.conv2d_im2col])


@dtypes
@layers
@forwards
def test_conv2d_forward_equals_torch(forward: Callable[..., Any], layer: Layer, dtype: Any) -> None:
    x, w, b = layer.arrays(dtype)
    want, _, _ = torch_layer(layer, dtype)
    for arguments in ((x, w, b), (scattered(x), scattered(w), scattered(b))):
        got = forward(*arguments, stride=layer.stride, padding=layer.padding)
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
    for forward in (convolution.conv2d_forward, convolution.conv2d_im2col):
        assert forward(x, w, np.array([0.5])).tolist() == [[[[37.5, 47.5], [67.5, 77.5]]]]
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
    assert_close(convolution.conv2d_im2col(x, w, b), want)
    for got, expected in zip(convolution.conv2d_backward(dy, x, w), gradients, strict=True):
        assert_close(got, expected)


@forwards
def test_conv2d_forward_refuses_other_channels(forward: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="channels"):
        forward(np.ones((2, 3, 6, 5)), np.ones((4, 1, 3, 2)), np.ones(4))


WINDOWED: dict[str, Callable[[tuple[int, int], Any, Any], Any]] = {
    "conv2d_forward": lambda kernel, padding, stride: convolution.conv2d_forward(
        np.ones((2, 3, 5, 7)), np.ones((4, 3, *kernel)), np.ones(4), padding=padding, stride=stride
    ),
    "conv2d_im2col": lambda kernel, padding, stride: convolution.conv2d_im2col(
        np.ones((2, 3, 5, 7)), np.ones((4, 3, *kernel)), np.ones(4), padding=padding, stride=stride
    ),
    "im2col": lambda kernel, padding, stride: convolution.im2col(
        np.ones((2, 3, 5, 7)), kernel, padding=padding, stride=stride
    ),
    "col2im": lambda kernel, padding, stride: convolution.col2im(
        np.ones((2, 3 * kernel[0] * kernel[1], 1)), (5, 7), kernel, padding=padding, stride=stride
    ),
    "window_coverage": lambda kernel, padding, stride: convolution.window_coverage(
        (5, 7), kernel, padding=padding, stride=stride
    ),
}


@pytest.mark.parametrize(("kernel", "padding"), [((6, 2), 0), ((2, 8), 0), ((8, 2), (1, 4)), ((2, 10), (4, 1))])
@pytest.mark.parametrize("stride", [1, (2, 3)], ids=str)
@pytest.mark.parametrize("windowed", WINDOWED.values(), ids=WINDOWED)
def test_windows_larger_than_the_padded_image_are_refused(
    windowed: Callable[..., Any], stride: Any, kernel: tuple[int, int], padding: Any
) -> None:
    with pytest.raises(ValueError, match="window"):
        windowed(kernel, padding, stride)


# --- windows as columns ----------------------------------------------------------------------------------------------


@layers
def test_window_coverage_equals_torch(layer: Layer) -> None:
    ones = torch.ones(1, 1, layer.H, layer.W, dtype=torch.float64)
    want = F.fold(F.unfold(ones, **layer.windows), (layer.H, layer.W), **layer.windows)[0, 0]
    got = convolution.window_coverage((layer.H, layer.W), **layer.windows)
    assert got.dtype == np.int64
    assert np.array_equal(got, want)


def test_window_coverage_of_corners() -> None:
    coverage = convolution.window_coverage
    for padding, corner in ((0, 1), (1, 4), (2, 9)):
        seen = coverage(6, 3, padding=padding)
        assert seen.shape == (6, 6)
        assert {int(seen[i, j]) for i in (0, -1) for j in (0, -1)} == {corner}
        assert seen[2, 3] == 9
    edge, middle = [1, 2, 3, 3, 2, 1], [3, 6, 9, 9, 6, 3]
    assert coverage((6, 6), (3, 3)).tolist() == [
        edge,
        [2 * e for e in edge],
        middle,
        middle,
        [2 * e for e in edge],
        edge,
    ]
    assert coverage((2, 7), (1, 2), stride=(2, 3)).tolist() == [[1, 1, 0, 1, 1, 0, 0], [0] * 7]
    assert coverage((3, 2), 1, stride=1, padding=(0, 1)).tolist() == [[1, 1]] * 3


@layers
def test_im2col_equals_torch(layer: Layer) -> None:
    x, _, _ = layer.arrays()
    want = F.unfold(torch.tensor(x), **layer.windows)
    for argument in (x, scattered(x)):
        got = convolution.im2col(argument, **layer.windows)
        assert got.shape == want.shape
        assert np.array_equal(got, want)


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.bool_, np.float16, np.float32, np.float64])
def test_im2col_keeps_the_dtype(dtype: Any) -> None:
    x = np.arange(2 * 3 * 5 * 6).reshape(2, 3, 5, 6)
    got = convolution.im2col(x.astype(dtype), (3, 2), stride=(1, 2), padding=(0, 1))
    assert got.dtype == dtype
    assert np.array_equal(got, convolution.im2col(x, (3, 2), stride=(1, 2), padding=(0, 1)).astype(dtype))


@dtypes
@layers
def test_col2im_equals_torch(layer: Layer, dtype: Any) -> None:
    """F.fold, and the gradient of F.unfold."""
    (x,) = float64(layer.arrays()[0])
    columns = F.unfold(x, **layer.windows)
    cols = noise(5, *columns.shape, dtype=dtype)
    wide = torch.tensor(cols, dtype=torch.float64)
    (gradient,) = torch.autograd.grad(columns, x, wide)
    for argument in (cols, scattered(cols)):
        got = convolution.col2im(argument, (layer.H, layer.W), **layer.windows)
        assert got.dtype == dtype
        assert_close(got, F.fold(wide, (layer.H, layer.W), **layer.windows), TOLERANCE[dtype])
        assert_close(got, gradient, TOLERANCE[dtype])


def test_im2col_and_col2im_spell_the_docstrings() -> None:
    x = np.arange(1, 10).reshape(1, 1, 3, 3)
    assert convolution.im2col(x, 2).tolist() == [[[1, 2, 4, 5], [2, 3, 5, 6], [4, 5, 7, 8], [5, 6, 8, 9]]]
    assert convolution.im2col(x, (1, 3), stride=(2, 1)).tolist() == [[[1, 7], [2, 8], [3, 9]]]
    back = convolution.col2im(np.ones((1, 4, 4)), 3, 2)
    assert back.tolist() == [[[[1, 2, 1], [2, 4, 2], [1, 2, 1]]]]


@layers
def test_col2im_of_im2col_counts_the_windows(layer: Layer) -> None:
    x, _, _ = layer.arrays()
    size = (layer.H, layer.W)
    got = convolution.col2im(convolution.im2col(x, **layer.windows), size, **layer.windows)
    assert_close(got, x * convolution.window_coverage(size, **layer.windows))


# --- parameters and learning -----------------------------------------------------------------------------------------


def parameters(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
@pytest.mark.parametrize("seed", range(20))
def test_parameter_counts_equal_torch(seed: int, bias: bool) -> None:
    channels, filters, kh, kw = np.random.default_rng(seed).permutation(np.arange(1, 9))[:4].tolist()
    for kernel in ((kh, kw), kh):
        got = convolution.conv2d_parameter_count(channels, filters, kernel, bias)
        assert type(got) is int
        assert got == parameters(nn.Conv2d(channels, filters, kernel, bias=bias))
    got = convolution.linear_parameter_count(channels, filters, bias)
    assert type(got) is int
    assert got == parameters(nn.Linear(channels, filters, bias=bias))


def test_parameter_counts_of_lenet() -> None:
    layers = ((1, 6, 5), (6, 16, 5), (16, 120, 5))
    assert [convolution.conv2d_parameter_count(*layer) for layer in layers] == [156, 2416, 48120]
    assert [convolution.linear_parameter_count(*layer) for layer in ((120, 84), (84, 10), (3, 2))] == [10164, 850, 8]
    assert convolution.conv2d_parameter_count(3, 1, 3) == 28


def descent(x: np.ndarray, y: np.ndarray, kernel: tuple[int, int], lr: float, steps: int) -> tuple[Any, list[float]]:
    """The kernel and the losses, by PyTorch's autograd and optimizer in float64."""
    image, target = torch.tensor(x, dtype=torch.float64), torch.tensor(y, dtype=torch.float64)
    w = torch.zeros(1, 1, *kernel, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=lr)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss: Any = F.mse_loss(F.conv2d(image[None, None], w)[0, 0], target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return w.detach()[0, 0], losses


@dtypes
@pytest.mark.parametrize("seed", range(24))
def test_learn_kernel_follows_torch(seed: int, dtype: Any) -> None:
    rng = np.random.default_rng(seed)
    kh, kw, height, width = rng.permutation(np.arange(1, 6))[:2].tolist() + (7 + rng.permutation(6)[:2]).tolist()
    lr, steps = rng.uniform(0.01, 0.2), 15 + seed
    x = noise(seed, height, width, dtype=dtype)
    y = noise(seed + 100, height - kh + 1, width - kw + 1, dtype=dtype)
    want, want_losses = descent(x, y, (kh, kw), lr, steps)
    for arguments in ((x, y), (scattered(x), scattered(y))):
        w, losses = convolution.learn_kernel(*arguments, (kh, kw), lr=lr, steps=steps)
        assert w.dtype == losses.dtype == dtype
        assert_close(w, want, TOLERANCE[dtype])
        assert_close(losses, want_losses, TOLERANCE[dtype])


def test_learn_kernel_discovers_the_laplacian() -> None:
    x, laplacian = noise(0, 40, 30), SHARPEN - np.eye(3)[1] * np.eye(3)[1][:, None]
    y = scipy.signal.correlate2d(x, laplacian, "valid")
    w, losses = convolution.learn_kernel(x, y, 3, lr=0.3, steps=150)
    assert w.shape == (3, 3)
    assert losses.shape == (150,)
    assert np.abs(w - laplacian).max() < 1e-9
    assert abs(losses[0] - np.square(y).mean()) <= EXACT * losses[0]
    assert (np.diff(losses[:40]) < 0).all()


def test_learn_kernel_takes_no_step_or_one() -> None:
    x, y = noise(1, 6, 7), noise(2, 5, 5)
    w, losses = convolution.learn_kernel(x, y, (2, 3), lr=0.1, steps=0)
    assert w.tolist() == np.zeros((2, 3)).tolist()
    assert losses.shape == (0,)
    w, losses = convolution.learn_kernel(x, y, (2, 3), lr=0.1, steps=1)
    assert_close(w, 0.2 / 25 * scipy.signal.correlate2d(x, y, "valid"))
    assert_close(losses, [np.square(y).mean()])


@dtypes
def test_learn_kernel_keeps_the_dtype(dtype: Any) -> None:
    x, y = noise(1, 6, 7, dtype=dtype), noise(2, 5, 5, dtype=dtype)
    lr: Any = np.float64(0.1)
    w, losses = convolution.learn_kernel(x, y, (2, 3), lr=lr, steps=2)
    assert w.dtype == losses.dtype == dtype


# --- PyTorch ---------------------------------------------------------------------------------------------------------

DILATED = [
    (layer, dilation)
    for layer in LAYERS
    for dilation in (1, 2, (1, 3), (3, 2))
    if all(
        d * (k - 1) < side + 2 * pad
        for d, k, side, pad in zip(
            pair(dilation), (layer.kh, layer.kw), (layer.H, layer.W), pair(layer.padding), strict=True
        )
    )
]


@pytest.mark.parametrize("arguments", [2, 3], ids=["no bias", "bias"])
@pytest.mark.parametrize(("layer", "dilation"), DILATED, ids=str)
def test_conv2d_unfold_equals_torch(layer: Layer, dilation: Any, arguments: int) -> None:
    """Values and gradients, also of tensors that are not contiguous."""
    arrays: Any = layer.arrays()[:arguments]
    geometry: dict[str, Any] = {"stride": layer.stride, "padding": layer.padding, "dilation": dilation}
    exact: Any = float64(*arrays)
    want = F.conv2d(*exact, **geometry)
    dy = torch.tensor(noise(4, *want.shape))
    gradients = torch.autograd.grad(want, exact, dy)
    for dtype, permuted in ((torch.float64, False), (torch.float64, True), (torch.float32, False)):
        tensors: Any = [torch.tensor(array).to(dtype) for array in arrays]
        if permuted:
            tensors[:2] = [tensor.to(memory_format=torch.channels_last) for tensor in tensors[:2]]
        for tensor in tensors:
            tensor.requires_grad_()
        got = convolution_torch.conv2d_unfold(*tensors, **geometry)
        tolerance = EXACT if dtype == torch.float64 else SINGLE
        assert got.dtype == dtype
        assert_close(got.detach(), want.detach(), tolerance)
        for gradient, expected in zip(torch.autograd.grad(got, tensors, dy.to(dtype)), gradients, strict=True):
            assert_close(gradient, expected, tolerance)
        for tensor, array in zip(tensors, arrays, strict=True):
            assert torch.equal(tensor, torch.tensor(array).to(dtype))


def test_conv2d_unfold_has_the_signature_of_torch() -> None:
    x, w, b = (torch.tensor(array) for array in LAYERS[24].arrays())
    assert_close(convolution_torch.conv2d_unfold(x, w), F.conv2d(x, w))
    assert_close(convolution_torch.conv2d_unfold(x, w, b, (2, 3), (1, 2), 1), F.conv2d(x, w, b, (2, 3), (1, 2), 1))
    assert_close(convolution_torch.conv2d_unfold(x, w, b, 2, 1, 2), F.conv2d(x, w, b, 2, 1, 2))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.uint8, torch.bool], ids=str)
@pytest.mark.parametrize("seed", range(20))
def test_layouts_are_views(seed: int, dtype: torch.dtype) -> None:
    shape = np.random.default_rng(seed).permutation(np.arange(1, 8))[:4].tolist()
    first: tuple[Callable[..., Any], tuple[int, ...]] = (convolution_torch.nchw_to_nhwc, (0, 2, 3, 1))
    last: tuple[Callable[..., Any], tuple[int, ...]] = (convolution_torch.nhwc_to_nchw, (0, 3, 1, 2))
    for (there, axes), (back, _) in ((first, last), (last, first)):
        x = torch.tensor(3 * noise(seed, *shape)).to(dtype)
        y = there(x)
        want = np.transpose(x.numpy(), axes).copy()
        assert y.dtype == dtype
        assert y.shape == want.shape
        assert np.array_equal(y, want)
        assert torch.equal(back(y), x)
        assert y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
        y[...] = torch.tensor(1 - want) if dtype != torch.bool else ~y.clone()
        assert not np.array_equal(x, np.transpose(want, np.argsort(axes)))
        assert torch.equal(there(x), y)


def test_layouts_of_views_and_of_channels_as_many_as_rows() -> None:
    x = torch.arange(2 * 3 * 3 * 3).reshape(2, 3, 3, 3)
    for view in (x, x.flip(1)[:, :, ::2], x.transpose(1, 3)):
        got = convolution_torch.nchw_to_nhwc(view)
        assert all(got[n, i, j, c] == view[n, c, i, j] for n, c, i, j in np.ndindex(*view.shape))
        got = convolution_torch.nhwc_to_nchw(view)
        assert all(got[n, c, i, j] == view[n, i, j, c] for n, i, j, c in np.ndindex(*view.shape))


def test_layouts_let_gradients_through() -> None:
    (x,) = float64(noise(0, 2, 3, 4, 5))
    dy = torch.tensor(noise(1, 2, 4, 5, 3))
    (gradient,) = torch.autograd.grad(convolution_torch.nchw_to_nhwc(x), x, dy)
    assert torch.equal(gradient, torch.movedim(dy, 3, 1))


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


# --- what students may not use ---------------------------------------------------------------------------------------

FORBIDDEN: dict[ModuleType, set[str]] = {
    convolution: {"np.convolve", "np.correlate", "np.polymul", "np.pad", "np.fft", "scipy", "torch"},
    convolution_torch: {"nn.Conv2d", "nn.Unfold", "F.conv2d", "torch.conv2d", "torch.fft", "numpy", "scipy"},
}


def names_in(tree: ast.AST) -> set[str]:
    """What a piece of code uses, as dotted names, and what it imports."""
    used = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            used |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            used |= {str(node.module).split(".")[0]} | {f"np.{alias.name}" for alias in node.names}
    return used


@pytest.mark.parametrize("module", FORBIDDEN, ids=lambda module: module.__name__.split(".")[-1])
def test_no_reference_uses_what_any_exercise_forbids(module: ModuleType) -> None:
    assert names_in(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))).isdisjoint(FORBIDDEN[module])
