"""Replies that are forged, and answers that are no tree of arrays, cost their own child."""

from __future__ import annotations

import itertools
import shutil
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.outcome import Malformed, Outcome, Raised, Stopped, Unsuitable, Value
from autograder.sandbox import host, mounts
from autograder.sandbox.host import Zygote
from autograder.sandbox.protocol import SandboxError
from autograder.sandbox.wire import MAX_FRAME
from tests.sandbox.zygotes import Run, ask, honest, question, start

# Forging the protocol

FORGE = """
import os, struct
import numpy as np
import wire

seen = []
decode = wire.decode

def spy(frame):
    value = decode(frame)
    if isinstance(value, dict) and "id" in value:
        seen.append(value["id"])
    return value

wire.decode = spy

def say(data):
    while data:
        data = data[os.write(3, data):]

def frame(data):
    return struct.pack("!i", len(data)) + data

def reply(**fields):
    say(frame(wire.encode(fields)))
"""


def forge(zygote: Zygote, body: str, top: str = "") -> Run:
    return ask(zygote, FORGE + textwrap.dedent(top) + "\ndef f():\n" + textwrap.indent(textwrap.dedent(body), "    "))


@pytest.mark.parametrize(
    "body",
    [
        "reply(id=0, value='passed', changed=False, cpu=0.0)",
        "reply(id=seen[-1] - 1, value=1, changed=False, cpu=0.0)",
        "reply(id=True, value=1, changed=False, cpu=0.0)",
        "reply(id=None, value=1, changed=False, cpu=0.0)",
        "reply(id=np.zeros(2), value=1, changed=False, cpu=0.0)",
        "reply(id=np.array(seen[-1]), value=1, changed=False, cpu=0.0)",
        "reply(id=[seen[-1]], value=1, changed=False, cpu=0.0)",
        "reply(value=1, changed=False, cpu=0.0)",
        "reply(id=seen[-1])",
        "reply(id=seen[-1], passed=True)",
        "reply()",
        "say(frame(wire.encode([seen[-1], 1])))",
        "say(frame(wire.encode('passed')))",
        "say(frame(wire.encode(seen[-1])))",
        "say(frame(b'garbage'))",
        "import pickle; say(frame(pickle.dumps({'id': seen[-1], 'value': 1})))",
        "say(b'\\xff' * 100)",
        "say(struct.pack('!i', 0))",
        "say(struct.pack('!i', -1) + struct.pack('!Q', 8) + bytes(8))",
        f"say(struct.pack('!i', {MAX_FRAME + 1}))",
        "say(struct.pack('!i', 2**31 - 1))",
        "say(frame(struct.pack('<I', 2**32 - 1)))",
        "say(frame(wire.encode({'id': seen[-1], 'value': 1}) + b'more'))",
        "say(frame(wire.encode({'id': seen[-1], 'value': 1})[:-1]))",
    ],
)
def test_forged_answers_end_the_child(box: Zygote, body: str) -> None:
    assert forge(box, f"{body}\nreturn 'passed'").outcome == Stopped("protocol")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("raised='Hidden_input_3', detail=''", Raised("Exception")),
        ("raised='ValueError', detail='x' * 500", Raised("ValueError", "x" * 500)),
        ("raised='ValueError', detail='x' * 501", Stopped("protocol")),
        ("raised='ValueError', detail=np.zeros(1 << 20)", Stopped("protocol")),
        ("raised=np.array(['ValueError'] != 1), detail=''", Stopped("protocol")),
        ("raised='KeyError', detail='', value=1", Stopped("protocol")),
        ("malformed='what it is'", Malformed("what it is")),
        ("malformed=list(range(10**4))", Stopped("protocol")),
        ("unsuitable='missing'", Unsuitable("missing")),
        ("unsuitable='hidden input 3'", Stopped("protocol")),
        ("unsuitable=np.zeros(2)", Stopped("protocol")),
        ("forbidden='numpy.convolve'", Stopped("protocol")),
        ("forbidden=np.zeros(2)", Stopped("protocol")),
    ],
)
def test_forged_answers_say_no_more_than_real_ones(box: Zygote, fields: str, expected: Outcome) -> None:
    assert forge(box, f"reply(id=seen[-1], {fields})").outcome == expected


@pytest.mark.parametrize("claim", ["cpu=0.0", "cpu=-1.0", "cpu=float('nan')", "cpu=1e300"])
def test_the_time_that_a_child_claims_is_not_believed(box: Zygote, claim: str) -> None:
    outcome = forge(box, f"sum(range(10**6)); reply(id=seen[-1], value=1, changed=False, {claim})").outcome
    assert isinstance(outcome, Value)
    assert 1e-3 < outcome.cpu < 1e300


@pytest.mark.parametrize("claim", ["changed='no'", "changed=None", "changed=0", "cpu=1", "isolation=1"])
def test_claims_of_another_kind_end_the_child(box: Zygote, claim: str) -> None:
    body = f"reply(**{{'id': seen[-1], 'value': 1, 'changed': False, 'cpu': 0.0, **dict({claim})}})"
    assert forge(box, body).outcome == Stopped("protocol")


@pytest.mark.parametrize("fields", ["value=1, changed=False, cpu=0.0", "malformed='x'", "unsuitable='missing'"])
def test_an_import_is_answered_by_nothing_or_an_exception(box: Zygote, fields: str) -> None:
    run = ask(box, FORGE + f"reply(id=0, {fields})\ndef f():\n    return 1\n")
    assert run.imported == Stopped("protocol")


def test_answers_sent_ahead_are_not_taken(box: Zygote) -> None:
    """At import the number of the import is known, but no number of a question."""
    ahead = "for _ in range(3):\n    reply(id=0, value=None, changed=False, cpu=0.0)\n"
    run = ask(box, f"{FORGE}{ahead}def f():\n    return 1\n")
    assert isinstance(run.imported, Value)
    assert run.outcome == Stopped("protocol")


def test_an_answer_for_the_next_question_is_not_taken(box: Zygote) -> None:
    code = FORGE + "def f():\n    reply(id=seen[-1], value=1, changed=False, cpu=0.0)\n    return 2\n"
    child = start(box, code)
    first, second = child.ask(question(), 1.0), child.ask(question(), 1.0)
    child.kill()
    assert isinstance(first, Value)
    assert first.tree == 1
    assert second == Stopped("protocol")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("say(b'\\0'); time.sleep(60)", "waiting"),
        ("say(b'\\0\\0\\0\\x40abc'); time.sleep(60)", "waiting"),
        (f"say(struct.pack('!i', {MAX_FRAME})); time.sleep(60)", "waiting"),
        ("data = frame(bytes(4000))\nfor i in range(4000): say(data[i:i + 1]); time.sleep(0.02)", "waiting"),
        (f"say(struct.pack('!i', {MAX_FRAME})); os._exit(0)", "died"),
        ("say(b'\\0\\0\\0\\x40abc'); os.close(3); time.sleep(60)", "died"),
        (f"say(struct.pack('!i', {MAX_FRAME}))\nwhile True: say(b'x')", ""),  # as fast as the judge
        ("while True: say(frame(wire.encode({'id': 0})))", "protocol"),
        ("while True: os.read(3, 1 << 20)", "waiting"),
    ],
)
def test_partial_and_endless_answers_end_too(
    box: Zygote, body: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "IDLE_SECONDS", 0.1)
    code = FORGE + "import time\ndef f():\n" + textwrap.indent(body, "    ")
    outcome = ask(box, code, limit=0.1).outcome
    assert isinstance(outcome, Stopped)
    assert outcome.reason == expected if expected else outcome.reason in ("time", "waiting")


def test_a_thread_cannot_flood_the_judge(box: Zygote) -> None:
    code = FORGE + (
        "import threading\n"
        "def flood():\n    while True: reply(id=0, value='passed')\n"
        "threading.Thread(target=flood, daemon=True).start()\n"
        "def f():\n    return 1\n"
    )
    run = ask(box, code)
    assert run.outcome == Stopped("protocol")


def test_a_child_that_does_not_read_is_no_obstacle(box: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question larger than the socket's buffer."""
    monkeypatch.setattr(host, "IDLE_SECONDS", 0.2)
    code = (
        "import time\nimport runner\nrunner.Connection.recv_bytes = lambda _: time.sleep(60)\ndef f(x):\n    return 1\n"
    )
    assert ask(box, code, np.zeros(1 << 22)).outcome == Stopped("waiting")


def test_large_questions_and_answers_travel(box: Zygote) -> None:
    x = np.random.default_rng(0).normal(size=4 << 20)
    assert np.array_equal(ask(box, "def f(x):\n    return -x\n", x).tree, -x)


# Returning

MALFORMED = {
    "object": "object()",
    "lambda": "lambda: 0",
    "generator": "(i for i in range(3))",
    "object array": "np.array([object()], object)",
    "structured": "np.zeros(2, [('a', 'f8')])",
    "datetime": "np.array(['2020'], 'M8[Y]')",
    "strings": "np.array(['a'])",
    "self-reference": "(lambda a: a.append(a) or a)([])",
    "million deep": "__import__('functools').reduce(lambda a, _: [a], range(10**6), 0)",
    "terabytes": "np.broadcast_to(1.0, (10**6, 10**6))",
    "always equal": "type('Yes', (), {'__eq__': lambda *_: True, '__array__': lambda *_: np.ones(3)})()",
    "huge int": "10**30",
    "beyond the frame": "np.ones(70 << 20, 'u1')",
    "beyond the child's memory": "np.zeros(600 << 20, 'u1')",
    "surrogates": "'\\ud800'",
    "long list": "[0.0] * 120_000",
    "many rows": "[[0.0] * 400] * 300",
    "many keys": "{i: 0 for i in range(3000)}",
    "many dimensions": "np.zeros((1,) * 40)",
    "hostile __array_interface__": "type('A', (), {'__array_interface__': {'shape': (9,), 'data': (1, False)}})()",
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_no_tree_of_arrays_is_called_so(box: Zygote, name: str) -> None:
    """Malformed, which tells the student what was wrong, rather than a child that died or disturbed its connection."""
    outcome = ask(box, f"import numpy as np\ndef f():\n    return {MALFORMED[name]}\n").outcome
    assert isinstance(outcome, Malformed), outcome


def test_fan_out_costs_only_its_own_time(box: Zygote) -> None:
    run = ask(box, "def f():\n    x = [0]\n    for _ in range(22): x = [x] * 9\n    return x\n", limit=0.3)
    assert isinstance(run.outcome, Malformed) or run.outcome == Stopped("time")


@pytest.mark.parametrize(
    "patch",
    [
        "np.allclose = np.array_equal = lambda *a, **k: True",
        "np.ndarray.__eq__ = lambda *a: True",
        "builtins.isinstance = lambda *a: True",
        "sys.modules['wire'] = sys.modules['numpy'] = None",
        "wire.encode = lambda value: b'passed'",
        "wire.WireError = Exception",
        "gc.get_objects()[0].__class__",
        "sys.settrace(lambda *a: None)",
        "sys.stdout = sys.stderr = sys.stdin = None",
        "sys.modules.clear()",
        "builtins.print = builtins.open = builtins.len = None",
        "struct.pack = lambda *a: b'xxxx'",
        "os.write = lambda *a: 0",
    ],
)
def test_patching_harms_only_the_patched(box: Zygote, patch: str) -> None:
    imports = "import builtins, gc, os, struct, sys\nimport numpy as np\nimport wire\n"
    code = f"{imports}def f():\n    {patch}\n    return 'passed'\n"
    try:
        outcome = ask(box, code).outcome
    except SandboxError:
        pytest.fail("the zygote was harmed")
    assert not isinstance(outcome, Value) or outcome.tree == "passed"


@pytest.mark.parametrize("name", ["numpy.convolve", "numpy.correlate", "numpy.poly1d", "numpy.fft", "numpy.pad"])
def test_what_a_question_forbids_is_found_by_any_name_and_free_for_the_next(box: Zygote, name: str) -> None:
    code = """
        import numpy as np
        from numpy._core._multiarray_umath import correlate, correlate2
        from numpy.lib._arraypad_impl import pad
        line, rfft = np.poly1d([1.0, 2.0]), np.fft.rfft
        uses = {
            "numpy.convolve": [np.convolve, np.polymul, lambda x, y: correlate(x, y, 2)],
            "numpy.correlate": [np.correlate, lambda x, y: correlate2(x, y, 0)],
            "numpy.poly1d": [lambda x, y: (line * 3.0).coeffs],
            "numpy.fft": [lambda x, y: rfft(x).real],
            "numpy.pad": [lambda x, y: pad(x, 1)],
        }
        def f(name, n):
            return uses[name][n](np.arange(3.0), np.ones(3)) if n < len(uses[name]) else None
    """
    child = start(box, code)
    for n in itertools.count():
        allowed = child.ask(question(name, n), 1.0)
        assert isinstance(allowed, Value)
        if allowed.tree is None:
            break
        assert child.ask({**question(name, n), "forbidden": [name]}, 1.0) == Unsuitable("forbidden", name)
        assert np.array_equal(child.ask(question(name, n), 1.0).tree, allowed.tree)
    child.kill()
    assert n > 0


def test_a_numpy_without_the_private_functions_that_are_wrapped(
    isolation: str, answer: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Public names are still watched; what lies beneath them is not."""
    inside = tmp_path / "inside"
    shutil.copytree(mounts.INSIDE, inside)
    text = (inside / "runner.py").read_text(encoding="utf-8")
    for old, new in (('"correlate"', '"renamed"'), ('"correlate2"', '"renamed2"'), ("umath", "renamed")):
        assert old in text
        text = text.replace(old, new)
    (inside / "runner.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(mounts, "INSIDE", inside)
    tmp_path.chmod(0o755)
    zygote = Zygote("numpy", isolation)
    try:
        assert honest(zygote) == answer
        child = start(zygote, "import numpy as np\ndef f():\n    return np.convolve([1.0], [2.0])\n")
        forbidden: Any = {**question(), "forbidden": ["numpy.convolve"]}
        assert child.ask(forbidden, 1.0) == Unsuitable("forbidden", "numpy.convolve")
        assert isinstance(child.ask(question(), 1.0), Value)
        child.kill()
    finally:
        zygote.close()


def test_the_signature_is_looked_at_under_the_watch(box: Zygote) -> None:
    """Binding the arguments to it may run code of the student's."""
    code = """
        import inspect
        import numpy as np
        class Signature(inspect.Signature):
            def bind(self, x):
                self.kept = np.convolve(x, x)
        class Function:
            __signature__ = Signature()
            def __call__(self, x):
                return self.__signature__.kept
        f = Function()
    """
    child = start(box, code)
    forbidden: Any = {**question(np.ones(2)), "forbidden": ["numpy.convolve"]}
    assert child.ask(forbidden, 1.0) == Unsuitable("forbidden", "numpy.convolve")
    child.kill()
