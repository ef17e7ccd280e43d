from __future__ import annotations

from typing import Any

from checks import criterion, equal, has_dtype, student, unpack
from numpy import array, asarray, float32, full, ndarray

OK_FORMAT, name = False, "batch_norm_backward"


def vectors() -> tuple[ndarray, ...]:
    """dy, x and gamma for five samples of two channels with the variances 2000 ** 2 and 4000 ** 2."""
    dy = array([[0.0, 2.0], [1.0, -2.0], [-1.0, 4.0], [3.0, 0.0], [2.0, 6.0]])
    x = 1000 * array([[3.0, -1.0], [-1.0, 5.0], [2.0, -3.0], [5.0, -7.0], [1.0, 1.0]])
    return dy, x, array([2000.0, 8000.0])


def images() -> tuple[ndarray, ...]:
    """dy, x and gamma for two images of three channels, 1 by 2."""
    dy = array([[[[1.0, 2.0]], [[0.0, 5.0]], [[4.0, 0.0]]], [[[3.0, 2.0]], [[0.0, -1.0]], [[4.0, 0.0]]]])
    x = array([[[[-6.0, 0.0]], [[5.0, -1.0]], [[2.0, -14.0]]], [[[2.0, 8.0]], [[-9.0, -3.0]], [[-2.0, 14.0]]]])
    return dy, 1000 * x, array([5000.0, 10000.0, -5000.0])


def gradients(*args: ndarray, **settings: Any) -> dict[str, Any]:
    names = ("dx", "dgamma", "dbeta")
    return dict(zip(names, unpack(student("activations").batch_norm_backward(*args, **settings), *names), strict=True))


@criterion(
    "dx",
    3,
    hint="x acts directly, by the mean and by the variance. Which factors, and which sign, has each of the three ways?",
)
def test_dx() -> None:
    want = [[-1.2, 0], [0.6, -6.8], [-2, 3.6], [1.4, -5.2], [1.2, 8.4]]
    dy, x, gamma = vectors()
    equal(gradients(dy, x, gamma)["dx"], want, what="dx")
    equal(gradients(dy, x + 123456789, gamma)["dx"], want, what="dx of channels far from zero")
    has_dtype(asarray(gradients(*(a.astype(float32) for a in vectors()))["dx"]), float32, what="dx")


@criterion(
    "images",
    3,
    hint="Is dx right for vectors? Here each mean is over all samples and pixels of a channel: how many numbers?",
)
def test_images() -> None:
    want = [[[[-0.44, 0.08]], [[-2.84, 7.88]], [[-1, 1]]], [[[0.92, -0.56]], [[-1.16, -3.88]], [[-1, 1]]]]
    equal(gradients(*images())["dx"], want, what="dx")


@criterion("dgamma", 2, hint="What does gamma multiply? Each sample and pixel of its channel contributes.")
def test_dgamma() -> None:
    equal(gradients(*vectors())["dgamma"], [2, -2], what="dgamma")
    equal(gradients(*images())["dgamma"], [1.6, 1.2, 0], what="dgamma of images")


@criterion("dbeta", 2, hint="Beta is added to every sample and pixel of its channel.")
def test_dbeta() -> None:
    equal(gradients(*vectors())["dbeta"], [5, 10], what="dbeta")
    equal(gradients(*images())["dbeta"], [8, 4, 8], what="dbeta of images")


@criterion(
    "small", 1, hint="Is dx right for large variances? Here eps counts beside them. Where did it stand going forward?"
)
def test_small() -> None:
    dy, x = array([[1.0], [2.0], [-1.0], [0.0], [3.0]]), array([[-3.0], [-1.0], [0.0], [1.0], [3.0]])
    want = [[12], [49], [-90], [-49], [78]]  # sqrt(4 + 5) = 3
    equal(gradients(dy, x, full(1, 135.0), eps=5.0)["dx"], want, what="dx")
    dy, x = array([[1.0], [0.0], [2.0], [3.0]]), 0.0015 * array([[-1.0], [-1.0], [1.0], [1.0]])
    want = [[-15.5], [-64.5], [15.5], [64.5]]  # 0.0015 ** 2 + 1e-5 = 0.0035 ** 2
    equal(gradients(dy, x, full(1, 0.1715))["dx"], want, what="dx")
