from __future__ import annotations

from checks import criterion, equal, student, unpack
from numpy import array

OK_FORMAT, name = False, "project_qkv"


@criterion(
    "values",
    2,
    hint="Take the token 1, 0: which numbers of the matrix does it pick out, in which order, and what is added?",
)
def test_values() -> None:
    weight = array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [-1.0, 0.0], [2.0, -3.0]])
    bias = array([100.0, 200.0, 300.0, 400.0, 500.0, 600.0])
    x = array([[[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]], [[0.0, 0.0], [2.0, 1.0], [0.0, 3.0]]])
    q, k, v = unpack(student("attention").project_qkv(x, weight, bias), "q", "k", "v")
    equal(q, [[[101, 203], [102, 204], [99, 199]], [[100, 200], [104, 210], [106, 212]]], what="q")
    equal(k, [[[305, 407], [306, 408], [299, 399]], [[300, 400], [316, 422], [318, 424]]], what="k")
    equal(v, [[[499, 602], [500, 597], [499, 605]], [[500, 600], [498, 601], [500, 591]]], what="v")
