from __future__ import annotations

from typing import Any

from checks import criterion, equal, has_dtype, student, unpack
from numpy import array, asarray, float32, full, ndarray

OK_FORMAT, name = False, "layer_norm_backward"


def samples() -> tuple[ndarray, ndarray, ndarray]:
    """dy, x and gamma of three samples of four features, whose spreads are 5000, 10000, 5000."""
    dy = array([[1.0, 2.0, -1.0, 1.0], [0.0, 1.0, 0.0, -1.0], [2.0, 0.0, 4.0, 1.0]])
    x = 1000 * array([[-3.0, 3.0, 5.0, 11.0], [4.0, 16.0, -12.0, 0.0], [7.0, -7.0, 1.0, -1.0]])
    return dy, x, array([5000.0, 10000.0, -5000.0, 20000.0])


def blocks() -> tuple[ndarray, ndarray, ndarray]:
    """The same, with features in a square."""
    dy, x, gamma = samples()
    return dy.reshape(3, 2, 2), x.reshape(3, 2, 2), gamma.reshape(2, 2)


def gradients(*args: ndarray, **settings: Any) -> dict[str, Any]:
    names = ("dx", "dgamma", "dbeta")
    return dict(zip(names, unpack(student("activations").layer_norm_backward(*args, **settings), *names), strict=True))


@criterion(
    "dx",
    3,
    hint="x acts directly, by the mean and by the variance. Where does gamma stand? Does dx sum to 0 per sample?",
)
def test_dx() -> None:
    dy, x, gamma = samples()
    want = array([[-0.24, 1.68, -1.68, 0.24], [0.16, 0.62, 0.88, -1.66], [1.08, -0.08, -4.56, 3.56]])
    equal(gradients(dy, x, gamma)["dx"], want, what="dx")
    equal(gradients(dy[:, None], x[:, None], gamma)["dx"], want[:, None], what="dx of sequences")
    equal(gradients(dy[1], x[1], gamma)["dx"], want[1], what="dx of one sample")
    equal(gradients(*blocks())["dx"], want.reshape(3, 2, 2), what="dx with gamma of two axes")
    has_dtype(asarray(gradients(*(a.astype(float32) for a in samples()))["dx"]), float32, what="dx")


@criterion("dgamma", 1, hint="What does gamma multiply? It serves every sample, and has a shape of its own.")
def test_dgamma() -> None:
    dy, x, gamma = samples()
    equal(gradients(dy, x, gamma)["dgamma"], [1.4, 1, 0.6, 1.4], what="dgamma")
    equal(gradients(dy[:, None], x[:, None], gamma)["dgamma"], [1.4, 1, 0.6, 1.4], what="dgamma of sequences")
    equal(gradients(dy[1], x[1], gamma)["dgamma"], [0, 1.4, 0, 0.2], what="dgamma of one sample")
    equal(gradients(*blocks())["dgamma"], [[1.4, 1], [0.6, 1.4]], what="dgamma of two axes")


@criterion("dbeta", 1, hint="Beta is added in every sample, and keeps its shape.")
def test_dbeta() -> None:
    dy, x, gamma = samples()
    equal(gradients(dy, x, gamma)["dbeta"], [3, 3, 3, 1], what="dbeta")
    equal(gradients(dy[:, None], x[:, None], gamma)["dbeta"], [3, 3, 3, 1], what="dbeta of sequences")
    equal(gradients(dy[1], x[1], gamma)["dbeta"], [0, 1, 0, -1], what="dbeta of one sample")
    equal(gradients(*blocks())["dbeta"], [[3, 3], [3, 1]], what="dbeta of two axes")


@criterion("small", 1, hint="Which deviation divided x going forward, exactly? The same one belongs here, everywhere.")
def test_small() -> None:
    dy, x = array([[1.0, 2.0, -1.0, 0.0, 3.0]]), array([[-3.0, -1.0, 0.0, 1.0, 3.0]])
    want = [[12, 49, -90, -49, 78]]  # sqrt(4 + 5) = 3
    equal(gradients(dy, x, full(5, 135.0), eps=5.0)["dx"], want, what="dx")
    dy, x = array([[1.0, 0.0, 2.0, 3.0]]), 0.0015 * array([[-1.0, -1.0, 1.0, 1.0]])
    want = [[-15.5, -64.5, 15.5, 64.5]]  # 0.0015 ** 2 + 1e-5 = 0.0035 ** 2
    equal(gradients(dy, x, full(4, 0.1715))["dx"], want, what="dx")
