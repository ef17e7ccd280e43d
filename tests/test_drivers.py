"""The hard shapes of later assignments, through the real sandbox: a speed ratio, a trajectory, nested parameters.

Each stands here as a small assignment of its own, so that the design of cases, drivers and wire is held to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from autograder import session
from autograder.compare import close, cpu_ratio, raises
from autograder.course import Assignment, Case, Criterion, Exercise, Inputs, Part, inputs
from autograder.judge import Judge
from autograder.loading import load
from autograder.results import ExerciseResult
from autograder.sandbox.inside import driving
from autograder.sandbox.isolation import choose
from autograder.submission import Submission

IM2COL = """
import numpy as np

def conv2d_im2col(x, w, b):
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], axis=(2, 3))
    n, c, i, j, u, v = windows.shape
    columns = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * i * j, c * u * v)
    return (columns @ w.reshape(len(w), -1).T + b).reshape(n, i, j, len(w)).transpose(0, 3, 1, 2)
"""
LOOPS = """
import numpy as np

def conv2d_im2col(x, w, b):
    n, c, height, width = x.shape
    f, _, kh, kw = w.shape
    y = np.empty((n, f, height - kh + 1, width - kw + 1))
    for m, g, i, j in np.ndindex(y.shape):
        y[m, g, i, j] = b[g] + (x[m, :, i : i + kh, j : j + kw] * w[g]).sum()
    return y
"""
POSITIONS = """
import numpy as np

def conv2d_im2col(x, w, b):
    kh, kw = w.shape[2:]
    y = np.zeros((len(x), len(w), x.shape[2] - kh + 1, x.shape[3] - kw + 1)) + b[:, None, None]
    for u, v in np.ndindex(kh, kw):
        y += np.tensordot(w[:, :, u, v], x[:, :, u : u + y.shape[2], v : v + y.shape[3]], (1, 1)).swapaxes(0, 1)
    return y
"""


def images(rng: np.random.Generator) -> Inputs:
    return inputs(rng.normal(size=(8, 3, 24, 20)), rng.normal(size=(8, 3, 5, 3)), rng.normal(size=8))


SPEED_CASE = Case("eight images", images, repeats=5)
SPEED = Exercise(
    "conv2d_im2col",
    "part",
    [Criterion("values", [SPEED_CASE]), Criterion("speed", [SPEED_CASE], cpu_ratio(20))],
)

TRAIN = """
import numpy as np

def train(params, x, y, batches, *, lr, momentum=0.9):
    params = {name: value.copy() for name, value in params.items()}
    velocity = {name: np.zeros_like(value) for name, value in params.items()}
    losses = []
    for batch in batches:
        z = x[batch] @ params["fc1.weight"].T + params["fc1.bias"]
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        rows = np.arange(len(batch))
        losses.append(-np.log(p[rows, y[batch]]).mean())
        p[rows, y[batch]] -= 1
        grads = {"fc1.weight": p.T @ x[batch] / len(batch), "fc1.bias": p.mean(0)}
        for name in params:
            velocity[name] = momentum * velocity[name] + grads[name]
            params[name] -= lr * velocity[name]
    return params, losses
"""


def training(rng: np.random.Generator) -> Inputs:
    params = {"fc1.weight": rng.normal(size=(4, 7)), "fc1.bias": rng.normal(size=4)}
    batches = [rng.permutation(30)[:5] for _ in range(20)]
    return inputs(params, rng.normal(size=(30, 7)), rng.integers(0, 4, size=30), batches, lr=0.1)


TRAJECTORY = Exercise(
    "train",
    "part",
    [
        Criterion("parameters", [case := Case("twenty steps", training)], close(part=0)),
        Criterion("losses", [case], close(part=1)),
    ],
)

BIDIRECTIONAL = """
import numpy as np

def bidirectional_lstm(x, lengths, layers):
    for pair in layers:
        outputs = []
        for direction, (w, b) in enumerate(pair):
            hidden = len(b) // 4
            out = np.zeros((*x.shape[:2], hidden))
            for n, length in enumerate(lengths):
                h = c = np.zeros(hidden)
                for t in range(length)[:: -1 if direction else 1]:
                    f, i, g, o = np.split(w @ np.concatenate([h, x[n, t]]) + b, 4)
                    f, i, o = (1 / (1 + np.exp(-gate)) for gate in (f, i, o))
                    c = f * c + i * np.tanh(g)
                    h = o * np.tanh(c)
                    out[n, t] = h
            outputs.append(out)
        x = np.concatenate(outputs, axis=-1)
    return x
"""


def sentences(rng: np.random.Generator) -> Inputs:
    hidden, depth = 3, 4
    layers = [
        tuple((rng.normal(size=(4 * hidden, hidden + size)), rng.normal(size=4 * hidden)) for _ in range(2))
        for size in (depth, 2 * hidden)
    ]
    return inputs(rng.normal(size=(2, 5, depth)), np.array([5, 3]), layers)


NESTED = Exercise("bidirectional_lstm", "part", [Criterion("values", [Case("two layers", sentences)])])


def graded(exercise: Exercise, reference: str, *students: str) -> Iterator[ExerciseResult]:
    """The exercise's result for each student's source."""
    points = {exercise.name: {criterion.name: 1.0 for criterion in exercise.criteria}}
    assignment = Assignment("trial", "Trial", [Part("part", "numpy")], [exercise], points, {"part": reference})
    judge = Judge(assignment, "public", choose())
    try:
        for source in students:
            result, _ = judge.grade(Submission("student", {"part": {"part.py": source}}, ()))
            yield result.exercises[0]
    finally:
        judge.close()


def won(result: ExerciseResult) -> list[str]:
    return [criterion.name for criterion in result.criteria if criterion.passed]


def test_speed_is_a_ratio_of_cpu_times() -> None:
    vectorized, loops, positions = graded(SPEED, IM2COL, IM2COL, LOOPS, POSITIONS)
    assert won(vectorized) == ["values", "speed"]
    assert won(loops) == ["values"]
    assert won(positions) == ["values", "speed"]


def test_training_is_graded_by_its_trajectory() -> None:
    no_momentum = TRAIN.replace("momentum * velocity[name] + grads", "0 * velocity[name] + grads")
    late = TRAIN.replace("-np.log(p[rows, y[batch]]).mean()", "0.0")
    right, wrong, unrecorded = graded(TRAJECTORY, TRAIN, TRAIN, no_momentum, late)
    assert won(right) == ["parameters", "losses"]
    assert won(wrong) == []
    assert won(unrecorded) == ["parameters"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("range(length)[:: -1 if direction else 1]", "range(x.shape[1])[:: -1 if direction else 1]"),
        ("[:: -1 if direction else 1]", ""),
        ("f, i, g, o", "i, f, g, o"),
    ],
    ids=["padding is read", "both directions forward", "gates in another order"],
)
def test_nested_parameters_travel(old: str, new: str) -> None:
    assert BIDIRECTIONAL.count(old) == 1
    right, wrong = graded(NESTED, BIDIRECTIONAL, BIDIRECTIONAL, BIDIRECTIONAL.replace(old, new))
    assert won(right) == ["values"]
    assert won(wrong) == []


def test_a_driver_builds_what_cannot_travel() -> None:
    drivers = "def square(student, factor, x):\n    return student.apply(lambda value: factor * value, x)\n"
    ask: Any = Case("a function", lambda rng: inputs(3.0, rng.normal(size=4)), "square")
    exercise = Exercise("apply", "part", [Criterion("values", [ask])])
    reference = "def apply(f, x):\n    return f(x)\n"
    points = {"apply": {"values": 1}}
    part = Part("part", "numpy")
    assignment = Assignment("trial", "Trial", [part], [exercise], points, {"part": reference}, drivers=drivers)
    judge = Judge(assignment, "public", choose())
    try:
        result, _ = judge.grade(Submission("student", {"part": {"part.py": reference + "# mine\n"}}, ()))
        wrong, _ = judge.grade(Submission("student", {"part": {"part.py": "def apply(f, x):\n    return x\n"}}, ()))
    finally:
        judge.close()
    assert (result.score, wrong.score) == (1, 0)


def test_a_speed_cannot_be_remembered() -> None:
    """The timed question is asked again with other inputs of the same kind."""
    remembering = LOOPS.replace("def conv2d_im2col", "MEMO = {}\n\ndef slow") + (
        "\ndef conv2d_im2col(x, w, b):\n    key = x.tobytes()\n    if key not in MEMO:\n"
        "        MEMO[key] = slow(x, w, b)\n    return MEMO[key]\n"
    )
    (result,) = graded(SPEED, IM2COL, remembering)
    assert won(result) == ["values"]


@pytest.mark.parametrize("seed", [str(number) for number in range(8)])
def test_an_answer_that_changes_is_found_whatever_is_asked_again(seed: str) -> None:
    """A case whose check takes any answer is no sample: the smaller half of these is of that kind."""
    some = [Case(f"some {n}", lambda rng: inputs(rng.normal(size=3))) for n in range(4)]
    others = [Case(f"others {n}", lambda rng: inputs(rng.normal(size=2))) for n in range(4)]
    exercise = Exercise("f", "part", [Criterion("values", some), Criterion("errors", others, raises())])
    source = "def f(x):\n    return 2 * x\n"
    forgetful = "SEEN = set()\n\ndef f(x):\n    y = 0 if x[0] in SEEN else 2 * x\n    SEEN.add(x[0])\n    return y\n"
    points = {"f": {"values": 1, "errors": 1}}
    assignment = Assignment("trial", "Trial", [Part("part", "numpy")], [exercise], points, {"part": source})
    with closing(Judge(assignment, seed, choose())) as judge:
        result, _ = judge.grade(Submission("student", {"part": {"part.py": forgetful}}, ()))
    assert won(result.exercises[0]) == []


def test_a_sleeper_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "PART_IDLE", 0.5)
    cases = [Case(str(n), lambda rng: inputs(1.0)) for n in range(40)]
    exercise = Exercise("f", "part", [Criterion("values", cases)])
    source = "import time\n\ndef f(x):\n    time.sleep(0.2)\n    return x\n"
    (result,) = graded(exercise, "def f(x):\n    return x\n", source)
    assert won(result) == []
    assert "earlier calls had used up the time" in result.criteria[0].message


def test_what_is_provided_is_ours_whatever_was_handed_in_under_its_name() -> None:
    assignment = load("a3", Path(__file__).parent.parent)
    files = {"lenet5.py": assignment.references["lenet5"], "provided.py": "raise RuntimeError('mine')\n"}
    with closing(Judge(assignment, "public", choose())) as judge:
        result, _ = judge.grade(Submission("ann", {"lenet5": files}, ()))
    assert {e.status for e in result.exercises if e.part == "lenet5"} == {"passed"}


BACKWARD = """
import torch

def square(x):
    return x**2

def flat(x):
    return x.flatten() ** 2

def detached(x):
    return x.detach() ** 2

def none(x):
    return None

def single(x):
    return x.float() ** 2
"""


def test_backward_is_run_where_the_shape_is_right_and_else_the_answer_says_what_is_wrong() -> None:
    """No student reads of a RuntimeError that comes from a question's own backward pass."""
    drivers = (
        "from driving import backward, tensors\n\ndef both(student, name, x, dy):\n    (x,) = tensors(x)\n"
        "    y = getattr(student, name)(x.requires_grad_())\n    backward(y, dy)\n    return {'y': y, 'dx': x.grad}\n"
    )
    names = ("square", "flat", "detached", "none", "single")
    case = Case("a matrix", lambda rng: inputs("square", *rng.normal(size=(2, 3, 4))), "both")
    exercise = Exercise("square", "part", [Criterion(part, [case], close(part=part)) for part in ("y", "dx")])
    part, points = Part("part", "torch"), {"square": {"y": 1, "dx": 1}}
    assignment = Assignment("trial", "Trial", [part], [exercise], points, {"part": BACKWARD}, drivers=drivers)
    said = {}
    with closing(Judge(assignment, "public", choose())) as judge:
        for name in names:
            source = f"{BACKWARD}\nsquare = {name}\n"
            result, _ = judge.grade(Submission("student", {"part": {"part.py": source}}, ()))
            said[name] = [criterion.message for criterion in result.exercises[0].criteria]
    assert not [messages for messages in said.values() if any("raises" in message for message in messages)]
    assert said["square"] == ["", ""]
    assert "wrong shape" in said["flat"][0]
    assert said["detached"][0] == ""
    assert "None" in said["none"][0]
    assert all("None" in said[name][1] for name in ("flat", "detached", "none"))


def test_parameters_are_apart_where_none_shares_memory_with_another() -> None:
    bias = torch.ones(3)
    copied, shared, one = (torch.nn.Parameter(of) for of in (bias.clone(), bias, bias))
    assert driving.apart(torch.nn.ParameterDict({"a": copied, "b": one}))
    assert not driving.apart(torch.nn.ParameterDict({"a": shared, "b": one}))
    assert not driving.apart(torch.nn.ParameterDict({"a": one, "b": one}))


def test_new_tensors_are_float64_in_a_block_alone() -> None:
    with driving.float64_by_default():
        assert torch.nn.Linear(1, 1).weight.dtype == torch.float64
    assert torch.nn.Linear(1, 1).weight.dtype == torch.float32


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_new_tensors_can_have_another_dtype_than_a_given_one(dtype: torch.dtype) -> None:
    with driving.other_by_default(torch.zeros(2, dtype=dtype)):
        assert torch.zeros(2).dtype != dtype
    assert torch.zeros(2).dtype == torch.float32


def test_words_of_assignment_6_stand_where_its_questions_say() -> None:
    from solutions.a6_attention.grading import cases

    module: dict[str, Any] = {"__name__": "provided"}
    exec((Path(__file__).parent.parent / "solutions" / "a6_attention" / "provided.py").read_text(), module)
    words = module["VOCABULARY"]
    assert (len(words), module["NOUN"]) == (cases.VOCABULARY, cases.NOUN)
    assert [words[n] for n in (cases.MASK, cases.AMBIGUOUS, cases.THE)] == [module["MASK"], module["AMBIGUOUS"], "the"]
    for kind in ("PEOPLE", "NEUTRAL", "TIMES"):
        assert tuple(words[n] for n in getattr(cases, kind)) == module[kind]
    for kind in ("VERBS", "ADJECTIVES", "NOUNS"):
        for start, sense in zip(getattr(cases, kind), module["SENSES"], strict=True):
            assert words[start : start + len(sense[kind.lower()])] == sense[kind.lower()]
