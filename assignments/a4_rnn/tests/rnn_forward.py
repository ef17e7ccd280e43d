from __future__ import annotations

import math

import numpy as np
from checks import criterion, equal, has_dtype, student
from numpy import array

OK_FORMAT, name = False, "rnn_forward"

Arrays = tuple[np.ndarray, ...]
L = math.log(2)  # tanh(L) = 0.6


def register() -> Arrays:
    """x, h0, U, V and b: two sequences of four steps, and three memory cells that pass their contents on.

    The first cell takes 0.6, 0 or -0.6 where the first input is 0, -1 or -2; the second takes over what the first held;
    the third what the second held, if the second input is 0.
    """
    x = array([[[-2, 0], [-1, 0], [0, 0], [-2, 1]], [[-1, -1], [0, 1], [-1, 0], [0, 0]]]) * 1.0
    h0 = array([[0.6, -0.6, 0.0], [0.0, 0.6, -0.6]])
    U = L * array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    V = L / 0.6 * array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    return x, h0, U, V, L * array([1.0, 0.0, 0.0])


@criterion(
    "values",
    4,
    hint="Is one step right? Write down the state after each. What does the next start from? Which axis is time?",
)
def test_values() -> None:
    rnn_forward = student("rnn").rnn_forward
    first = array([[-0.6, 0.6, -0.6], [0, -0.6, 0.6], [0.6, 0, -0.6], [-0.6, 0.6, 0.6]])
    second = array([[0, 0, 0], [0.6, 0, 0.6], [0, 0.6, 0], [0.6, 0, 0.6]])
    x, h0, *parameters = register()
    equal(rnn_forward(x, h0, *parameters), [first, second])
    equal(rnn_forward(x[:1], h0[:1], *parameters), [first], what="The result for one sequence")
    equal(rnn_forward(x[:, :1], h0, *parameters), [first[:1], second[:1]], what="The result for one step")
    backwards = x[:, ::-1][:, 2:]  # not contiguous: the first two inputs, the second of them first
    want = [[[0, 0.6, -0.6], [-0.6, 0, 0.6]], [[0.6, 0, 15 / 17], [0, 0.6, -0.6]]]
    equal(rnn_forward(backwards, h0, *parameters), want, what="The result for another order of the inputs")
