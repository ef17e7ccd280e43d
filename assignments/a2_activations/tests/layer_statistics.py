from __future__ import annotations

from math import log, sqrt
from typing import Any

from checks import Failed, criterion, equal, student
from numpy import array, eye, full, ndarray, ones, tanh

OK_FORMAT, name = False, "layer_statistics"

SPREAD_OUT = 1000 * array([[-7.0, 14.0], [-1.0, 2.0], [1.0, -14.0], [7.0, -2.0]])  # the deviations: 5000 and 10000


def outlier(samples: int) -> ndarray:
    """One number far from the others, in one column. Normalized it is (samples - 1) ** 0.5, and they its inverse."""
    return 1000 * (samples * eye(samples)[:, :1] - 1)


def statistics(*args: Any, **settings: Any) -> dict[str, Any]:
    """What layer_statistics returns."""
    __tracebackhide__ = True
    found = student("activations").layer_statistics(*args, **settings)
    if not isinstance(found, dict):
        raise Failed(f"The result is of type {type(found).__name__}, expected a dictionary.")
    for key in ("mean", "std", "positive", "saturated"):
        if key not in found:
            raise Failed(f'The dictionary has no entry "{key}".')
    return found


def signal(found: dict[str, Any], mean: list[float], std: list[float], positive: list[float]) -> None:
    """Hold three of the entries."""
    __tracebackhide__ = True
    for key, want in (("mean", mean), ("std", std), ("positive", positive)):
        equal(found[key], want, what=f'"{key}"')


def saturated(want: list[float], *args: Any, **settings: Any) -> None:
    """Hold the last of the entries."""
    __tracebackhide__ = True
    equal(statistics(*args, **settings)["saturated"], want, what='"saturated"')


def relu_network() -> tuple[ndarray, list[ndarray], str]:
    """Three samples of two features, four units, one unit: h is (0 2 2 0; 4 6 0 0; 0 0 0 2) and then (0; 4; 4)."""
    weights = [array([[1.0, -1.0], [2.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]), array([[1.0, 0.0, -1.0, 2.0]])]
    return array([[1.0, 2.0], [3.0, -1.0], [-2.0, 0.0]]), weights, "relu"


def sigmoid_network() -> tuple[ndarray, list[ndarray], str]:
    """Two samples of one feature and three units: h is (3/4 9/10 81/82; 1/4 1/10 1/82)."""
    return array([[log(3)], [-log(3)]]), [array([[1.0], [2.0], [4.0]])], "sigmoid"


def tanh_network() -> tuple[ndarray, list[ndarray], str]:
    """Three samples of one feature and two units: h is (39 63; -39 -63; 39 63) / 65."""
    return array([[log(2)], [-log(2)], [log(2)]]), [array([[1.0], [3.0]])], "tanh"


@criterion("plain", 2, hint="Draw the network of two layers: what does each unit receive, and what is recorded of it?")
def test_plain() -> None:
    found = statistics(*relu_network())
    signal(found, mean=[4 / 3, 8 / 3], std=[sqrt(32 / 9)] * 2, positive=[5 / 12, 2 / 3])
    std = sqrt((0.25**2 + 0.4**2 + (40 / 41) ** 2 / 4) / 3)
    signal(statistics(*sigmoid_network()), mean=[0.5], std=[std], positive=[1])
    signal(statistics(*tanh_network()), mean=[17 / 65], std=[sqrt(2456) / 65], positive=[2 / 3])


@criterion("norm", 2, hint="Over the samples or over the features? And does it come before or after the activation?")
def test_norm() -> None:
    std = sqrt((tanh(1.4) ** 2 + tanh(0.2) ** 2) / 2)
    signal(statistics(SPREAD_OUT, [eye(2)], "tanh", norm="batch"), mean=[0], std=[std], positive=[0.5])
    signal(statistics(SPREAD_OUT.T, [eye(4)], "tanh", norm="layer"), mean=[0], std=[std], positive=[0.5])
    mixed = tanh(array([7, 1, -13, 5]) / sqrt(61))  # the sums of the two features, normalized
    found = statistics(SPREAD_OUT, [ones((1, 2))], "tanh", norm="batch")
    signal(found, mean=[mixed.mean()], std=[mixed.std()], positive=[0.75])
    sigmoid_of_one = (1 + tanh(0.5)) / 2
    found = statistics(1000 * array([[3.0, 5.0], [-1.0, 8.0], [2.0, 0.0]]), [eye(2)], "sigmoid", norm="layer")
    signal(found, mean=[0.5], std=[sigmoid_of_one - 0.5], positive=[1])  # two features: normalized they are -1 and 1
    far, near = float(tanh(3.0)), float(tanh(1 / 3))
    mean, square = (far - 9 * near) / 10, (far**2 + 9 * near**2) / 10
    found = statistics(outlier(10), [ones((1, 1))], "tanh", norm="batch")
    signal(found, mean=[mean], std=[sqrt(square - mean**2)], positive=[0.1])
    found = statistics(outlier(10).T, [eye(10)], "tanh", norm="layer")
    signal(found, mean=[mean], std=[sqrt(square - mean**2)], positive=[0.1])


@criterion("after", 1, hint="The next layer receives what comes last, and that is what is recorded.")
def test_after() -> None:
    x = 1000 * array([[-7.0], [-1.0], [1.0], [7.0]])
    weights = [ones((1, 1)), 1000 * array([[1.0], [-1.0]])]
    found = statistics(x, weights, "relu", norm="batch", norm_after=True)
    signal(found, mean=[0, 0], std=[1, 1], positive=[1 / 4, 3 / 8])
    equal(found["saturated"], [0.5, 0.5], what='"saturated"')
    found = statistics(x.T, [eye(4)], "relu", norm="layer", norm_after=True)
    signal(found, mean=[0], std=[1], positive=[1 / 4])
    signal(statistics(*relu_network(), norm_after=True), [4 / 3, 8 / 3], [sqrt(32 / 9)] * 2, [5 / 12, 2 / 3])


@criterion(
    "saturated", 2, hint="Take each activation's slope at what it receives, and compare with its own largest slope."
)
def test_saturated() -> None:
    saturated([7 / 12, 1 / 3], *relu_network())
    saturated([1 / 3], *sigmoid_network())
    saturated([1 / 2], *tanh_network())
    saturated([1 / 10], outlier(10), [ones((1, 1))], "tanh", norm="batch")
    saturated([0], outlier(10), [ones((1, 1))], "sigmoid", norm="batch")
    saturated([1 / 17], outlier(17).T, [eye(17)], "sigmoid", norm="layer")
    saturated([1 / 2], SPREAD_OUT, [eye(2)], "relu", norm="batch")
    saturated([1], full((2, 3), -1.0), [eye(3)], "relu")
