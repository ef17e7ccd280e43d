from __future__ import annotations

from checks import criterion, equal, student
from numpy import array, zeros

OK_FORMAT, name = False, "cosine_similarity"


@criterion("values", 1, hint="Neither vector's length may matter, be it tiny or huge. What of a vector that has none?")
def test_values() -> None:
    cosine_similarity = student("convolution").cosine_similarity
    equal(cosine_similarity(array([3.0, 4.0]), array([4.0, 3.0])), 0.96)
    equal(cosine_similarity(array([1.0, 2.0, 2.0]), array([-3.0, -6.0, -6.0])), -1)
    equal(cosine_similarity(array([1.0, 2.0, 0.0, -2.0]), array([2.0, -1.0, 5.0, 0.0])), 0)
    equal(cosine_similarity(1e-6 * array([8.0, 6.0]), 1e-5 * array([0.0, 0.5])), 0.6)
    equal(cosine_similarity(1e5 * array([1.0, 2.0, 2.0]), 1e6 * array([2.0, 2.0, 1.0])), 8 / 9)
    equal(cosine_similarity(zeros(3), array([1.0, -2.0, 3.0])), 0)
    equal(cosine_similarity(array([5.0, 1.0]), zeros(2)), 0)
