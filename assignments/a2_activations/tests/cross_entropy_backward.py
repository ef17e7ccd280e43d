from __future__ import annotations

from checks import criterion, equal, has_dtype, student
from numpy import array, float32, float64, log, ndarray, newaxis, zeros

OK_FORMAT, name = False, "cross_entropy_backward"


def logits() -> ndarray:
    """Of three samples and three classes, with the probabilities 1/8, 1/4, 5/8; 1/4, 1/4, 1/2; 3/5, 1/5, 1/5."""
    return log(array([[1.0, 2.0, 5.0], [1.0, 1.0, 2.0], [3.0, 1.0, 1.0]]))


@criterion(
    "values",
    2,
    hint="On which axis are the classes? What does the right one get, what the others? How many share the mean?",
)
def test_values() -> None:
    cross_entropy_backward = student("activations").cross_entropy_backward
    want = array([[1 / 8, 1 / 4, -3 / 8], [-3 / 4, 1 / 4, 1 / 2], [3 / 5, -4 / 5, 1 / 5]]) / 3
    equal(cross_entropy_backward(logits(), array([2, 0, 1])), want)
    equal(cross_entropy_backward(logits()[:2], array([2, 0])), want[:2] * 3 / 2)
    words = logits()[:2].T[newaxis]  # one sample, three classes, two targets
    equal(cross_entropy_backward(words, array([[2, 0]])), want[:2].T[newaxis] * 3 / 2)
    pixels = logits().T.reshape(1, 3, 3, 1)
    equal(cross_entropy_backward(pixels, array([[[2], [0], [1]]])), want.T.reshape(1, 3, 3, 1))
    equal(cross_entropy_backward(array([[0.0, 1000.0], [5.0, 5.0]]), array([0, 1])), [[-0.5, 0.5], [0.25, -0.25]])


@criterion("ignored", 1, hint="A target that is left out pushes nothing, and the others share the mean without it.")
def test_ignored() -> None:
    cross_entropy_backward = student("activations").cross_entropy_backward
    want = array([[1 / 8, 1 / 4, -3 / 8], [0, 0, 0], [3 / 5, -4 / 5, 1 / 5]]) / 2
    equal(cross_entropy_backward(logits(), array([2, -100, 1])), want)
    equal(cross_entropy_backward(logits(), array([2, 0, 1]), ignore_index=0), want)
    equal(cross_entropy_backward(logits().T[newaxis], array([[2, 9, 1]]), ignore_index=9), want.T[newaxis])
    equal(cross_entropy_backward(logits(), array([-100, -100, -100])), zeros((3, 3)))
