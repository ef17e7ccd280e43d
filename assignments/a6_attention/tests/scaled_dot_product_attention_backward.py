from __future__ import annotations

import numpy as np
from checks import criterion, equal, student, unpack
from numpy import array

OK_FORMAT, name = False, "scaled_dot_product_attention_backward"

LN2 = np.log(2)
Gradients = dict[str, np.ndarray]


def given() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """dout for two queries, and q, k, v as in the tests of the forward pass.

    The gradient of the weights is 7, 0, 7 in the first row and 7, 7, 21 in the second.
    """
    dout = array([[1.0, 0.0], [1.0, 1.0]])
    q = LN2 * array([[2.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0]])
    k = array([[1.0, 0.0, 5.0, 1.0], [0.0, 1.0, 0.0, 3.0], [2.0, 0.5, 1.0, 0.0]])
    v = array([[7.0, 0.0], [0.0, 7.0], [7.0, 14.0]])
    return dout, q, k, v


def backward(*args: np.ndarray, **settings: float) -> Gradients:
    """The gradients by name."""
    result = student("attention").scaled_dot_product_attention_backward(*args, **settings)
    names = ("dq", "dk", "dv")
    return dict(zip(names, unpack(result, *names), strict=True))


def usual() -> Gradients:
    """Scale 1/2; the gradient of the scores is 2, -6, 4 in the first row and -4, -16, 20 in the second, over 7."""
    return backward(*given(), array([[2.0, 1.0, 4.0], [1.0, 4.0, 2.0]]) / 7)


def steep() -> Gradients:
    """Scale 1; the gradient of the scores is 4, -20, 16 and -8, -128, 136, over 21."""
    weights = array([[4.0, 1.0, 16.0], [1.0, 16.0, 4.0]]) / 21
    dout, q, k, v = given()
    return backward(3 * dout, q, k, v, weights, scale=1.0)


def masked() -> Gradients:
    """The first query sees the first two keys (weights 2/3 and 1/3), the second none. The scores get 14/9, -14/9, 0."""
    return backward(*given(), array([[2.0, 1.0, 0.0], [0.0, 0.0, 0.0]]) / 3)


def two_heads() -> tuple[Gradients, Gradients]:
    """A sequence of two heads, the second with exchanged queries, and the gradients of one of them alone."""
    dout, q, k, v = given()
    weights = array([[2.0, 1.0, 4.0], [1.0, 4.0, 2.0]]) / 7
    both = [array([[a, b]]) for a, b in ((dout, dout[::-1]), (q, q[::-1]), (k, k), (v, v), (weights, weights[::-1]))]
    return backward(*both), usual()


@criterion(
    "dq",
    4,
    hint="The scores' gradient first: is each row's sum 0? Then: which keys did a query meet, with which scale?",
)
def test_dq() -> None:
    equal(usual()["dq"], array([[5.0, -2.0, 7.0, -8.0], [18.0, -3.0, 0.0, -26.0]]) / 7, what="dq")
    equal(steep()["dq"], array([[36.0, -12.0, 36.0, -56.0], [264.0, -60.0, 96.0, -392.0]]) / 21, what="dq at scale 1")
    equal(masked()["dq"], array([[7.0, -7.0, 35.0, -14.0], [0.0, 0.0, 0.0, 0.0]]) / 9, what="dq with hidden keys")
    both, alone = two_heads()
    equal(both["dq"], [[alone["dq"], alone["dq"][::-1]]], what="dq of two heads")


@criterion("dk", 4, hint="Is dq right? Then: with which queries was a key compared, and with which scale?")
def test_dk() -> None:
    want = LN2 / 7 * array([[2.0, -8.0, 0.0, 0.0], [-6.0, -32.0, 0.0, 0.0], [4.0, 40.0, 0.0, 0.0]])
    equal(usual()["dk"], want, what="dk")
    want = LN2 / 21 * array([[8.0, -32.0, 0.0, 0.0], [-40.0, -512.0, 0.0, 0.0], [32.0, 544.0, 0.0, 0.0]])
    equal(steep()["dk"], want, what="dk at scale 1")
    want = LN2 / 9 * array([[14.0, 0.0, 0.0, 0.0], [-14.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    equal(masked()["dk"], want, what="dk with hidden keys")
    both, alone = two_heads()
    equal(both["dk"], [[alone["dk"], alone["dk"]]], what="dk of two heads")


@criterion("dv", 3, hint="In which outputs does a value appear, and with which factor? The scale is not among them.")
def test_dv() -> None:
    equal(usual()["dv"], array([[3.0, 1.0], [5.0, 4.0], [6.0, 2.0]]) / 7, what="dv")
    equal(steep()["dv"], array([[5.0, 1.0], [17.0, 16.0], [20.0, 4.0]]) / 7, what="dv at scale 1")
    equal(masked()["dv"], array([[2.0, 0.0], [1.0, 0.0], [0.0, 0.0]]) / 3, what="dv with hidden keys")
    both, alone = two_heads()
    equal(both["dv"], [[alone["dv"], alone["dv"]]], what="dv of two heads")
