from __future__ import annotations

from checks import criterion, equal, raises, student
from numpy import array, log, ndarray, newaxis

OK_FORMAT, name = False, "cross_entropy"


def logits() -> ndarray:
    """Of three samples and three classes, with the probabilities 1/8, 1/4, 5/8; 1/4, 1/4, 1/2; 3/5, 1/5, 1/5."""
    return log(array([[1.0, 2.0, 5.0], [1.0, 1.0, 2.0], [3.0, 1.0, 1.0]]))


@criterion(
    "values", 1, hint="Each sample contributes one number, for its own right class. The mean runs over all targets."
)
def test_values() -> None:
    cross_entropy = student("activations").cross_entropy
    equal(cross_entropy(logits(), array([2, 0, 1])), (log(8 / 5) + log(4) + log(5)) / 3)
    equal(cross_entropy(logits()[:2], array([1, 2])), (log(4) + log(2)) / 2)
    two_words = logits()[:2].T[newaxis]  # one sample, three classes, two targets
    equal(cross_entropy(two_words, array([[1, 2]])), (log(4) + log(2)) / 2)
    pixels = logits().T.reshape(1, 3, 3, 1)
    equal(cross_entropy(pixels, array([[[2], [0], [1]]])), (log(8 / 5) + log(4) + log(5)) / 3)


@criterion(
    "extremes",
    1,
    hint="Where does yours overflow, or lose a tiny probability? The loss may be as large as the logits differ.",
)
def test_extremes() -> None:
    cross_entropy = student("activations").cross_entropy
    equal(cross_entropy(array([[0.0, 1000.0]]), array([0])), 1000)
    equal(cross_entropy(array([[0.0, 60.0], [-1000.0, -1000.0]]), array([0, 1])), (60 + log(2)) / 2)
    equal(cross_entropy(array([[1000.0, -1000.0, 0.0]]), array([0])), 0)


@criterion(
    "ignored", 1, hint="Whoever is left out is missing from the sum and from the count. What if that leaves nobody?"
)
def test_ignored() -> None:
    cross_entropy = student("activations").cross_entropy
    equal(cross_entropy(logits(), array([2, -100, 1])), (log(8 / 5) + log(5)) / 2)
    equal(cross_entropy(logits(), array([-1, -1, 0]), ignore_index=-1), log(5 / 3))
    equal(cross_entropy(logits(), array([2, 0, 1]), ignore_index=2), (log(4) + log(5)) / 2)
    equal(cross_entropy(logits(), array([7, 0, 7]), ignore_index=7), log(4))
    equal(cross_entropy(logits().T[newaxis], array([[2, -100, 1]])), (log(8 / 5) + log(5)) / 2)
    equal(cross_entropy(logits(), array([-100, -100, -100])), 0, what="The loss of no target")


@criterion("errors", 1, hint="Which numbers are classes? Python finds a meaning for more of them than that.")
def test_errors() -> None:
    cross_entropy = student("activations").cross_entropy
    raises(cross_entropy, logits(), array([2, 3, 1]))
    raises(cross_entropy, logits(), array([2, -1, 1]))
    raises(cross_entropy, logits(), array([-100, 0, 1]), ignore_index=-1)
    raises(cross_entropy, logits().T[newaxis], array([[2, 100, 1]]))
