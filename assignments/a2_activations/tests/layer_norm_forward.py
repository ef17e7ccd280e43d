from __future__ import annotations

from checks import criterion, equal, has_dtype, student
from numpy import array, asarray, float32, full, ndarray, ones, zeros

OK_FORMAT, name = False, "layer_norm_forward"


def samples() -> tuple[ndarray, ndarray, ndarray]:
    """x, gamma and beta of three samples of four features, whose means are 4000, 2000, 0."""
    x = 1000 * array([[-3.0, 3.0, 5.0, 11.0], [4.0, 16.0, -12.0, 0.0], [7.0, -7.0, 1.0, -1.0]])
    return x, array([5.0, 10.0, -5.0, 20.0]), array([1.0, 0.0, 2.0, -4.0])


@criterion("values", 2, hint="Each sample alone has the mean 0 and the spread 1 before gamma. Which axis is that?")
def test_values() -> None:
    layer_norm_forward = student("activations").layer_norm_forward
    x, gamma, beta = samples()
    want = array([[-6, -2, 1, 24], [2, 14, 9, -8], [8, -14, 1, -8]])
    equal(layer_norm_forward(x, gamma, beta), want)
    equal(layer_norm_forward(x[:, None], gamma, beta), want[:, None])
    equal(layer_norm_forward(x[None], gamma, beta), want[None])
    equal(layer_norm_forward(x[1], gamma, beta), want[1])
    square = 1000 * array([[1.0, 3.0], [8.0, 2.0]])
    equal(layer_norm_forward(square, array([1.0, 2.0]), array([3.0, 5.0])), [[2, 7], [4, 3]])
    has_dtype(asarray(layer_norm_forward(*(a.astype(float32) for a in samples()))), float32)


@criterion("axes", 2, hint="Gamma has several axes here. The mean runs over as many, all at once.")
def test_axes() -> None:
    layer_norm_forward = student("activations").layer_norm_forward
    x = 1000 * array([[[-3.0, -1.0, -1.0], [0.0, 2.0, 3.0]], [[5.0, 11.0, 3.0], [9.0, -1.0, 3.0]]])
    gamma, beta = array([[2.0, 4.0, -2.0], [1.0, 6.0, 2.0]]), array([[1.0, 0.0, 3.0], [-1.0, 0.5, 2.0]])
    want = array([[[-2, -2, 4], [-1, 6.5, 5]], [[1, 6, 4], [0, -8.5, 1]]])
    equal(layer_norm_forward(x, gamma, beta), want)
    equal(layer_norm_forward(x[:, None], gamma, beta), want[:, None])
    equal(layer_norm_forward(x[1], gamma, beta), want[1])
    shape = (2, 1, 3)
    equal(layer_norm_forward(x.reshape(2, *shape), gamma.reshape(shape), beta.reshape(shape)), want.reshape(2, *shape))


@criterion("small", 1, hint="Where exactly does eps stand? What becomes of a sample whose features are all equal?")
def test_small() -> None:
    layer_norm_forward = student("activations").layer_norm_forward
    x = array([[-3.0, -1.0, 0.0, 1.0, 3.0], [7.0, 13.0, 9.0, 11.0, 10.0]])  # sqrt(4 + 5) = 3
    want = [[-1.5, -0.5, 0, 0.5, 1.5], [-1.5, 1.5, -0.5, 0.5, 0]]
    equal(layer_norm_forward(x, full(5, 1.5), zeros(5), eps=5.0), want)
    x = array([[0.9985, 1.0015, 1.0015, 0.9985], [0.1, 0.1, 0.1, 0.1]])  # 0.0015 ** 2 + 1e-5 = 0.0035 ** 2
    equal(layer_norm_forward(x, full(4, 7.0), ones(4)), [[-2, 4, 4, -2], [1, 1, 1, 1]])
