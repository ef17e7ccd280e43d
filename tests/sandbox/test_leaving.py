"""Code that exits, dies, raises or cannot be called earns nothing, and says so."""

from __future__ import annotations

import select

import pytest

from autograder.outcome import Raised, Stopped, Unsuitable, Value
from autograder.sandbox.host import ForkedChild, Zygote
from tests.sandbox.zygotes import ask, ended_as, question, start

LEAVING = {
    "os._exit": ("os._exit(0)", "died"),
    "abort": ("os.abort()", "died"),
    "segmentation fault": ("ctypes.string_at(0)", "died"),
    "illegal instruction": ("ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.create_string_buffer(16)))()", "died"),
    "C stack overflow": ("sys.setrecursionlimit(10**9)\ndef g():\n  (lambda *_: g())(*[0] * 9)\nlist(map(g, [0]))", ""),
    "closed connection": ("os.close(3)", "died"),
    "all descriptors closed": ("os.closerange(0, 64)", "died"),
    "connection replaced": ("os.dup2(1, 3)", "died"),
    "exception that cannot be described": ("raise type('E', (BaseException,), {'__str__': lambda s: 1 // 0})", ""),
    "exit by alarm": ("signal.setitimer(signal.ITIMER_REAL, 0.001); time.sleep(1)", "died"),
    "sys.exit": ("sys.exit()", "SystemExit"),
    "sys.exit(0)": ("sys.exit(0)", "SystemExit"),
    "exit": ("raise SystemExit('passed')", "SystemExit"),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "GeneratorExit": ("raise GeneratorExit", "GeneratorExit"),
    "BaseException": ("raise BaseException", "BaseException"),
    "own BaseException": ("raise type('Passed', (BaseException,), {})('full marks')", "BaseException"),
    "own ValueError": ("raise type('Mine', (ValueError,), {})", "ValueError"),
    "false module": ("raise type('Forged', (KeyError,), {'__module__': 'builtins'})", "Exception"),
    "group": ("raise ExceptionGroup('many', [ValueError(1)])", "ExceptionGroup"),
    "huge message": ("raise ValueError('x' * 10**7)", "ValueError"),
    "surrogate message": ("raise ValueError('\\ud800')", "ValueError"),
}


@pytest.mark.parametrize("name", LEAVING)
@pytest.mark.parametrize("where", ["import", "call"])
def test_leaving_earns_nothing(box: Zygote, name: str, where: str) -> None:
    body, expected = LEAVING[name]
    code = f"import ctypes, os, signal, sys, time\nexec({body!r})\n"
    if where == "call":
        code = f"import ctypes, os, signal, sys, time\ndef f():\n    exec({body!r}, globals())\n    return 1\n"
    run = ask(box, code)
    assert ended_as(run.imported if where == "import" else run.outcome, expected), run
    assert (where == "import") or isinstance(run.imported, Value)


def test_exit_handlers_and_destructors_do_nothing(box: Zygote) -> None:
    code = """
        import atexit, os, threading
        atexit.register(os._exit, 0)
        class Bomb:
            def __del__(self):
                raise SystemExit("bomb")
        def f():
            Bomb()
            return 1
    """
    assert ask(box, code).tree == 1


def test_after_an_exception_the_child_goes_on(box: Zygote) -> None:
    child = start(box, "def f(x):\n    return 1 / x\n")
    outcomes = [child.ask(question(x), 1.0) for x in (0, 2)]
    child.kill()
    assert isinstance(outcomes[0], Raised)
    assert outcomes[0].name == "ZeroDivisionError"
    assert "part.py, line 2" in outcomes[0].detail
    assert isinstance(outcomes[1], Value)


def test_cpu_of_a_child_that_left_is_counted(box: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its clock vanishes when the zygote buries it, before or after the judge looks at it: here always before."""
    clock = ForkedChild._cpu

    def buried(child: ForkedChild) -> float:
        if select.select([child.pidfd], [], [], 0)[0]:
            raise ProcessLookupError
        return clock(child)

    monkeypatch.setattr(ForkedChild, "_cpu", buried)
    run = ask(box, "import os\ndef f():\n    sum(range(3 * 10**7))\n    os._exit(0)\n")
    assert run.outcome == Stopped("died")
    assert run.used > 0.1


@pytest.mark.parametrize(
    "code",
    ["x = \0", "def f(:", "x = '", "\x0c\x0b(", "# -*- coding: utf-7 -*-\nx = '+AGE-'", "return 1", "f = 1\n" * 90_000],
)
def test_sources_that_are_no_python_or_too_much_of_it(box: Zygote, code: str) -> None:
    run = ask(box, code)
    assert isinstance(run.imported, Raised | Value)
    assert isinstance(run.outcome, Raised | Unsuitable)


def test_missing_names_and_modules(box: Zygote) -> None:
    assert ask(box, "").outcome == ask(box, "f = None").outcome == Unsuitable("missing")
    assert ask(box, "import sys\nsys.modules[__name__] = None\ndef f(): return 1").outcome == Unsuitable("missing")
    assert isinstance(ask(box, "import no_such_module").imported, Raised)
    assert isinstance(ask(box, "import sys\ndel sys.modules[__name__]\ndef f(): return 1").imported, Raised)


@pytest.mark.parametrize(
    ("definition", "fits"),
    [
        ("f = 5", False),
        ("def f(): return 1", False),
        ("def f(x, y): return 1", False),
        ("def f(*, x): return 1", False),
        ("def f(x): return 1", True),
        ("def f(x, y=2): return 1", True),
        ("def f(*args, **kwargs): return 1", True),
        ("f = lambda x: 1", True),
        ("import functools\n@functools.cache\ndef f(x): return 1", True),
        ("class f:\n    def __new__(cls, x): return 1", True),
        ("class Call:\n    def __call__(self, x): return 1\nf = Call()", True),
        ("import numpy as np\nf = np.vectorize(lambda x: 1)", True),
        ("def f(x): raise TypeError('from inside')", True),
    ],
)
def test_parameters_that_do_not_fit_are_said_so(box: Zygote, definition: str, fits: bool) -> None:
    outcome = ask(box, definition, 3).outcome
    assert outcome == Unsuitable("parameters") if not fits else isinstance(outcome, Value | Raised)
