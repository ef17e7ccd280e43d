from __future__ import annotations

from checks import criterion, equal, has_dtype, student
from numpy import array, asarray, float32, log

OK_FORMAT, name = False, "softmax"


@criterion("values", 1, hint="exp(log 5) is 5. Which numbers must sum to 1, and does the sum keep its axis?")
def test_values() -> None:
    softmax = student("activations").softmax
    x = log(array([[1.0, 2.0, 5.0], [3.0, 2.0, 15.0]]))
    rows, columns = [[1 / 8, 1 / 4, 5 / 8], [0.15, 0.1, 0.75]], [[0.25, 0.5, 0.25], [0.75, 0.5, 0.75]]
    equal(softmax(x), rows)
    equal(softmax(x, axis=0), columns)
    equal(softmax(x.T, axis=-2), array(rows).T)
    equal(softmax(x[:, :, None], axis=1), array(rows)[:, :, None])
    equal(softmax(x[1]), rows[1])
    equal(softmax(log(array([[1.0, 1.0], [1.0, 3.0]]))), [[0.5, 0.5], [0.25, 0.75]])
    has_dtype(asarray(softmax(array([[1.0, -1.0]], float32))), float32)


@criterion("extremes", 1, hint="One number may be subtracted from all scores of a row. Is it the same for every row?")
def test_extremes() -> None:
    softmax = student("activations").softmax
    x = log(array([[1.0, 2.0, 5.0], [3.0, 2.0, 15.0]])) + array([[1000.0], [-1000.0]])
    equal(softmax(x), [[1 / 8, 1 / 4, 5 / 8], [0.15, 0.1, 0.75]])
    equal(softmax(x.T, axis=0), array([[1 / 8, 1 / 4, 5 / 8], [0.15, 0.1, 0.75]]).T)
    equal(softmax(array([0.0, 1000.0, -1000.0])), [0, 1, 0])
