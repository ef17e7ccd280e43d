from __future__ import annotations

from typing import Any

from checks import criterion, equal, has_dtype, raises, student, unpack
from numpy import array, asarray, float32, ndarray, ones, zeros

OK_FORMAT, name = False, "batch_norm_forward"


def vectors() -> tuple[ndarray, ...]:
    """Five samples of two channels with the means 2000, -1000 and the variances 2000 ** 2, 4000 ** 2, and the rest."""
    x = 1000 * array([[3.0, -1.0], [-1.0, 5.0], [2.0, -3.0], [5.0, -7.0], [1.0, 1.0]])
    return x, array([2.0, -4.0]), array([1.0, 10.0]), array([100.0, 200.0]), array([1e6, 2e6])


def images() -> tuple[ndarray, ...]:
    """Two images of three channels, 1 by 2, with the means 1000, -2000, 0; and the rest."""
    x = array([[[[-6.0, 0.0]], [[5.0, -1.0]], [[2.0, -14.0]]], [[[2.0, 8.0]], [[-9.0, -3.0]], [[-2.0, 14.0]]]])
    return 1000 * x, array([5.0, 10.0, -5.0]), array([1.0, -4.0, 3.0]), zeros(3), array([0.0, 0.0, 1e6])


def forward(*args: ndarray, training: bool, **settings: Any) -> tuple[Any, ...]:
    """y and the new running statistics."""
    result = student("activations").batch_norm_forward(*args, training=training, **settings)
    return unpack(result, "y", "running_mean", "running_var")


@criterion(
    "vectors", 2, hint="After the normalization, and before gamma, each channel has the mean 0 and the spread 1."
)
def test_vectors() -> None:
    want = [[2, 10], [-2, 4], [1, 12], [4, 16], [0, 8]]
    x, *rest = vectors()
    equal(forward(x, *rest, training=True)[0], want, what="y")
    equal(forward(x + 123456789, *rest, training=True)[0], want, what="y of channels far from zero")
    tiny = 0.0015 * array([[-1.0], [1.0]])  # its variance is 0.0015 ** 2, and 0.0015 ** 2 + 1e-5 = 0.0035 ** 2
    equal(forward(tiny, ones(1), zeros(1), zeros(1), ones(1), training=True)[0], [[-3 / 7], [3 / 7]], what="y")
    equal(
        forward(array([[1.0], [7.0]]), ones(1), ones(1), zeros(1), ones(1), training=True, eps=16.0)[0], [[0.4], [1.6]]
    )
    has_dtype(asarray(forward(*(a.astype(float32) for a in vectors()), training=True)[0]), float32, what="y")


@criterion("images", 2, hint="How many numbers does one channel have in the whole batch? On which axis does gamma lie?")
def test_images() -> None:
    want = [[[[-6, 0]], [[10, -2]], [[2, 10]]], [[[2, 8]], [[-18, -6]], [[4, -4]]]]
    equal(forward(*images(), training=True)[0], want, what="y")
    square = 1000 * array([[[[-7.0, -1.0], [1.0, 7.0]], [[14.0, -14.0], [-2.0, 2.0]]]])  # as many columns as channels
    rest = array([5.0, 10.0]), array([0.0, 3.0]), array([5000.0, -1000.0]), array([16e6, 4e6])
    want = [[[[-7, -1], [1, 7]], [[17, -11], [1, 5]]]]
    equal(forward(square, *rest, training=True)[0], want, what="y")
    want = [[[[-15, -7.5], [-5, 2.5]], [[78, -62], [-2, 18]]]]
    equal(forward(square, *rest, training=False)[0], want, what="y in evaluation")


@criterion("running", 2, hint="How much of the old stays? And which of the two variances is it that is remembered?")
def test_running() -> None:
    _, mean, var = forward(*vectors(), training=True)
    equal(mean, [290, 80], what="The new running_mean")
    equal(var, [1.4e6, 3.8e6], what="The new running_var")  # the sums of squared deviations are 20e6 and 80e6
    _, mean, var = forward(*vectors(), training=True, momentum=0.75)
    equal(mean, [1525, -700], what="The new running_mean")
    equal(var, [4e6, 15.5e6], what="The new running_var")
    _, mean, var = forward(*images(), training=True, momentum=0.3)
    equal(mean, [300, -600, 0], what="The new running_mean of images")
    equal(var, [10e6, 10e6, 40.7e6], what="The new running_var of images")


@criterion(
    "evaluation",
    2,
    hint="Which statistics serve here? No sample depends on another one, and what was measured stays as it is.",
)
def test_evaluation() -> None:
    x, gamma, beta = array([[5.0, -8.0], [1.0, 4.0], [-3.0, -2.0]]), array([2.0, 6.0]), array([1.0, -1.0])
    mean, var = array([1.0, -2.0]), array([9.0, 2.0])
    for rows in (slice(3), slice(1), slice(2, 3)):
        y, new_mean, new_var = forward(x[rows], gamma, beta, mean, var, training=False, eps=7.0)
        equal(y, array([[3.0, -13.0], [1.0, 11.0], [-1.0, -1.0]])[rows], what="y")
        equal(new_mean, [1, -2], what="The running_mean in evaluation")
        equal(new_var, [9, 2], what="The running_var in evaluation")


@criterion("errors", 1, hint="One value has no spread. In which mode does that matter, and what counts as a value?")
def test_errors() -> None:
    batch_norm_forward = student("activations").batch_norm_forward
    x, *rest = vectors()
    raises(batch_norm_forward, x[:1], *rest, training=True)
    raises(batch_norm_forward, x[:1, :, None, None], *rest, training=True)
    x, *rest = images()
    equal(forward(x[:1], *rest, training=True)[1], [-300, 200, -600], what="The new running_mean of two pixels")


@criterion("unchanged", 1, hint="What you return must not be the caller's array, and += writes into it.")
def test_unchanged() -> None:
    names = ("x", "gamma", "beta", "running_mean", "running_var")
    for training in (True, False):
        given = vectors()
        _, mean, var = forward(*given, training=training)
        if not training and isinstance(mean, ndarray) and isinstance(var, ndarray):
            mean += 1
            var += 1
        for what, now, before in zip(names, given, vectors(), strict=True):
            equal(now, before, what=f"{what}, after the call{'' if training else ' and a change of what came back'},")
