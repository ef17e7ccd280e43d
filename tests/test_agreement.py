"""One table of answers: the grader and the visible tests decide alike on each, but where the table says why not."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from autograder.compare import close
from autograder.outcome import Malformed, Outcome, Value
from autograder.sandbox.wire import WireError, decode, encode

INF, NAN = float("inf"), float("nan")
ONE_TWO = np.array([1.0, 2.0])


class Example(NamedTuple):
    """Whether ``got`` is right where ``want`` is expected, to whom, and why not to both."""

    want: Any
    got: Any
    right: str
    why: str = ""
    rtol: float | None = None


class Half(float):
    """A number of a class of its own."""


YES, NO, GRADER, VISIBLE = "both accept", "both refuse", "the grader alone accepts", "the visible tests alone accept"
WRITTEN = "a visible test writes whole numbers for real ones; the grader knows whether the reference returned integers"
PRECISION = "a visible test names its tolerance, 1e-9 if none; the grader's follows the precision of the reference"
SEVERAL = "a visible test may write an array as a tuple; to the grader it is several returned values"
RANGE = "what travels to the grader is held to 64 bits with a sign"

TABLE = [
    # relative to the largest expected magnitude, at any scale
    Example(ONE_TWO, np.array([1.0, 2 + 1.9e-9]), YES),
    Example(ONE_TWO, np.array([1 + 1.9e-9, 2.0]), YES),
    Example(ONE_TWO, np.array([1.0, 2 + 2.1e-9]), NO),
    Example(-ONE_TWO, np.array([-1.0, 2.1e-9 - 2]), NO),
    Example(1.0, 1 + 0.9e-9, YES),
    Example(1.0, 1 + 1.1e-9, NO),
    Example(1.0, 1.1, YES, rtol=0.2),
    Example(1.0, 1.1, NO, rtol=0.05),
    Example(1.0, 1.0, YES, rtol=0),
    Example(1.0, np.nextafter(1, 2), NO, rtol=0),
    Example(np.array([1e-6]), np.array([1e-6 + 0.9e-15]), YES),
    Example(np.array([1e-6]), np.array([1e-6 + 5e-13]), NO),
    Example(np.array([1e-6, 0.0]), np.array([1e-6, 5e-13]), NO),
    Example(1e-12, 0.0, NO),
    Example(1e-12, 1e-12 + 0.9e-21, YES),
    Example(np.array([1e9, 0.0]), np.array([1e9, 0.5]), YES),
    Example(np.array([1e9, 0.0]), np.array([1e9, 1.5]), NO),
    Example(np.array([1e300]), np.array([1e300 * (1 + 1e-10)]), YES),
    Example(np.array([1e308]), np.array([-1e308]), NO),
    Example(np.array([1e-300, 1.0]), np.array([0.0, 1.0]), YES),
    # an absolute tolerance of 1e-12 only where all that is expected is zero, or noise
    Example(np.zeros(2), np.array([0.0, -0.9e-12]), YES),
    Example(np.zeros(2), np.array([0.0, 1.1e-12]), NO),
    Example(0.0, -0.0, YES),
    Example(0.0, 1e-13, YES),
    Example(0.0, 1e-11, NO),
    Example(np.array([1e-300]), np.array([0.0]), YES),
    Example(np.array([1e-300]), np.array([0.9e-12]), YES),
    Example(np.array([0.9e-14]), np.array([-0.9e-14]), YES),
    Example(np.array([1.1e-14]), np.array([-1.1e-14]), NO),
    Example(np.array([5e-324]), np.array([0.0]), YES),
    # NaN and the infinities agree with themselves, in the same place
    Example(NAN, NAN, YES),
    Example(np.array([NAN, 1.0]), np.array([NAN, 1.0]), YES),
    Example(np.array([NAN, 1.0]), np.array([NAN, 1.1]), NO),
    Example(np.array([NAN, 1.0]), np.array([1.0, NAN]), NO),
    Example(np.array([NAN, NAN]), np.array([NAN, 0.0]), NO),
    Example(ONE_TWO, np.array([1.0, NAN]), NO),
    Example(np.zeros(2), np.array([0.0, NAN]), NO),
    Example(np.array([1, 2]), np.array([1.0, NAN]), NO),
    Example(INF, INF, YES),
    Example(INF, -INF, NO),
    Example(INF, NAN, NO),
    Example(NAN, INF, NO),
    Example(INF, 1e308, NO),
    Example(1e308, INF, NO),
    Example(1.0, INF, NO, rtol=1e9),
    Example(np.array([INF, -INF, 1.0]), [INF, -INF, 1], YES),
    Example(np.array([INF, 1.0]), np.array([INF, 1 + 1.1e-9]), NO),
    Example(np.array([INF, 0.0]), np.array([INF, 0.9e-12]), YES),
    Example(np.array([NAN, 1e-6]), np.array([NAN, 1e-6 + 5e-13]), NO),
    # integers
    Example(3, 3.0, YES),
    Example(3.0, 3, YES),
    Example(np.array([3, 4]), np.array([3, 5]), NO),
    Example(np.array([3, 4]), np.array([3, 4], np.uint8), YES),
    Example(np.array([0, 255], np.uint8), np.array([0, -1], np.int8), NO),
    Example(np.array([3, 4]), np.array([3.0, 4 + 1e-10]), VISIBLE, WRITTEN),
    Example(10**12, 10**12 + 1, VISIBLE, WRITTEN),
    Example(0, 1e-13, VISIBLE, WRITTEN),
    Example(2.0**63, 2**63, VISIBLE, RANGE),
    # truth values
    Example(True, True, YES),
    Example(True, np.True_, YES),
    Example(True, False, NO),
    Example(True, 1, NO),
    Example(1, True, NO),
    Example(1.0, np.True_, NO),
    Example(np.array([True, False]), [True, False], YES),
    Example(np.array([True, False]), (True, False), YES),
    Example(np.array([True, False]), [1, 0], NO),
    Example(np.array([1.0, 0.0]), [True, False], NO),
    Example(np.array([1.0, 2.0]), [True, 2], YES),
    # lists and tuples
    Example(ONE_TWO, [1, 2.0], YES),
    Example(ONE_TWO, (1, 2.0), YES),
    Example(ONE_TWO, (1, 2.1), NO),
    Example(ONE_TWO, (np.array(1.0), np.float32(2)), YES),
    Example(np.ones((2, 2)), [np.ones(2), (1, 1)], YES),
    Example(np.ones((2, 2)), ((1, 1), (1, 1)), YES),
    Example(np.ones((2, 2)), ([1, 1], [1]), NO),
    Example(np.ones((2, 2)), [[1, 1], [1]], NO),
    Example(ONE_TWO, [1, [2]], NO),
    Example(ONE_TWO, (ONE_TWO, ONE_TWO), NO),
    Example(ONE_TWO, (ONE_TWO, None), NO),
    Example(1.0, (1.0,), NO),
    Example([1.0, 2.0], ONE_TWO, YES),
    Example((1.0, 2.0), (1.0, 2.0), YES),
    Example((1.0, 2.0), [1.0, 2.5], NO),
    Example((1.0, 2.0), ONE_TWO, VISIBLE, SEVERAL),
    Example(ONE_TWO, range(1, 3), NO),
    Example(ONE_TWO, {1.0, 2.0}, NO),
    Example(ONE_TWO, {0: 1.0, 1: 2.0}, NO),
    # shapes
    Example(np.array(1.0), 1.0, YES),
    Example(1.0, np.array(1.0), YES),
    Example(1.0, np.array([1.0]), NO),
    Example(np.array([1.0]), 1.0, NO),
    Example(np.array([1.0]), [1.0], YES),
    Example(np.ones((1, 2)), np.ones(2), NO),
    Example(np.ones((2, 2)), np.ones(2), NO),
    Example(np.ones(2), np.ones((2, 1)), NO),
    Example(np.zeros(0), [], YES),
    Example(np.zeros(0), (), YES),
    Example(np.zeros(0, bool), [], NO),
    Example(np.zeros((2, 0)), [[], []], YES),
    Example(np.zeros((0, 3)), np.ones((0, 3), np.float32), YES),
    Example(np.zeros((0, 3)), np.zeros((3, 0)), NO),
    Example(np.zeros((0, 3)), [], NO),
    # precisions and kinds of numbers
    Example(ONE_TWO, ONE_TWO.astype(np.float32), YES),
    Example(ONE_TWO, ONE_TWO.astype(np.float16), YES),
    Example(1 / 3, np.float32(1 / 3), NO),
    Example(1 / 3, np.float32(1 / 3), YES, rtol=1e-6),
    Example(np.float32(1 / 3), 1 / 3, GRADER, PRECISION),
    Example(np.float32(1 / 3), 1 / 3, YES, rtol=1e-6),
    Example(np.float16(0.5), np.float64(0.5), YES),
    Example(1.0, np.longdouble(1), YES),
    Example(1.0, np.longdouble(1) + np.longdouble(1e-15), YES),
    Example(1.0, np.longdouble("1.1"), NO),
    Example(ONE_TWO, ONE_TWO.astype(np.longdouble), YES),
    Example(ONE_TWO, [np.longdouble(1), 2], YES),
    Example(INF, np.longdouble("1e400"), YES),
    Example(ONE_TWO, ONE_TWO.astype(">f8"), YES),
    Example(ONE_TWO, np.array([1.0, 9, 2])[::2], YES),
    Example(np.float64(0.5), np.float32(0.5), YES),
    Example(0.5, np.array(0.5, np.float16), YES),
    Example(0.5, Half(0.5), NO),
    Example(ONE_TWO, ONE_TWO + 0j, NO),
    Example(ONE_TWO, [1 + 0j, 2], NO),
    Example(1.0, 1 + 0j, NO),
    Example(1.0, np.clongdouble(1), NO),
    # what is no number
    Example(1.0, None, NO),
    Example(1.0, "1.0", NO),
    Example(ONE_TWO, ["1", "2"], NO),
    Example(ONE_TWO, [1, None], NO),
    Example(ONE_TWO, np.array(["1", "2"]), NO),
    Example(ONE_TWO, ONE_TWO.astype(object), NO),
    Example(1.0, object(), NO),
    Example(1.0, 10**30, NO),
    Example(np.arange(2), np.arange(2).astype("M8[s]"), NO),
    # tensors will do for arrays, and arrays not for tensors
    Example(ONE_TWO, torch.tensor([1.0, 2.0]), YES),
    Example(1.0, torch.tensor(1.0, requires_grad=True), YES),
    Example(ONE_TWO, torch.tensor([1.0, 2.0], dtype=torch.bfloat16), YES),
    Example(ONE_TWO, [torch.tensor(1.0, requires_grad=True), torch.tensor(2.0)], YES),
    Example(ONE_TWO, torch.tensor([1 + 1j, 1 + 2j]).conj().imag, NO),
    Example(-ONE_TWO, torch.tensor([1 + 1j, 1 + 2j]).conj().imag, YES),
    Example(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0]), YES),
    Example(torch.tensor([1.0, NAN]), torch.tensor([1.0, NAN]), YES),
    Example(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.5]), NO),
    Example(torch.tensor([1.0, 2.0]), ONE_TWO, NO),
    Example(torch.tensor([1.0, 2.0]), [torch.tensor(1.0), torch.tensor(2.0)], NO),
    Example(torch.tensor(True), torch.tensor(1), NO),
]


def graded(example: Example) -> bool:
    """Whether the grader accepts, once both sides have come out of the sandbox."""
    got: Outcome
    try:
        got = Value(decode(encode(example.got)))
    except WireError as error:
        got = Malformed(str(error))
    return close(example.rtol)(None, got, Value(decode(encode(example.want)))) is None


def seen(checks: ModuleType, example: Example) -> bool:
    """Whether a visible test accepts."""
    try:
        checks.equal(example.got, example.want, *([] if example.rtol is None else [example.rtol]))
    except checks.Failed:
        return False
    return True


def shown(example: Example) -> str:
    """What the test is called: without addresses in memory, which differ from process to process."""
    return re.sub(" at 0x[0-9a-f]+", "", f"{example.want!r} {example.got!r}")


@pytest.mark.parametrize("example", TABLE, ids=shown)
def test_the_grader_and_the_visible_tests_decide_alike(checks: ModuleType, example: Example) -> None:
    verdicts = {(True, True): YES, (False, False): NO, (True, False): GRADER, (False, True): VISIBLE}
    assert verdicts[graded(example), seen(checks, example)] == example.right
    assert bool(example.why) is (example.right in (GRADER, VISIBLE))
