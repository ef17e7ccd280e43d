from __future__ import annotations

from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "sign_agreement"


@criterion("values", 3, hint="First write down dL/dw for each weight: a sum over the samples. Only then look at signs.")
def test_values() -> None:
    sign_agreement = student("activations").sign_agreement
    equal(sign_agreement(array([[2.0, -1.0, 0.5, 4.0]]), array([[1.0, 2.0, 3.0]])), array([True] * 4))
    equal(sign_agreement(array([[2.0, -1.0]]), array([[1.0, -2.0, 3.0]])), array([False] * 2))
    dy, x = array([[1.0, 1.0, -1.0], [-0.5, 1.0, 0.25]]), array([[1.0, 2.0], [3.0, 1.0]])
    equal(sign_agreement(dy, x), array([False, True, True]))  # dL/dw: (-0.5, 1.5), (4, 3) and (-0.25, -1.75)
    dy, x = array([[1.0, -2.0], [0.0, 1.0], [-1.0, 3.0]]), array([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]])
    equal(sign_agreement(dy, x), array([True, True]))  # (-2, -2) and (9, 15)
    equal(sign_agreement(dy, -x), array([True, True]))


@criterion("zeros", 1, hint="A weight that is not pushed at all contradicts nobody.")
def test_zeros() -> None:
    sign_agreement = student("activations").sign_agreement
    equal(sign_agreement(array([[1.0, 0.0, -3.0]]), array([[1.0, 0.0, 2.0]])), array([True] * 3))
    equal(sign_agreement(array([[1.0, 0.0, -3.0]]), array([[1.0, 0.0, -2.0]])), array([False, True, False]))
    equal(sign_agreement(array([[1.0], [-1.0]]), array([[1.0, 2.0], [1.0, -1.0]])), array([True]))  # (0, 3)
