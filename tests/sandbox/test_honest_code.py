"""What honest code may do in the sandbox, and what each question starts from."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.outcome import Unsuitable, Value
from autograder.sandbox.host import Zygote
from autograder.sandbox.wire import encode
from tests.sandbox.zygotes import ask, ended_as, question, start

# Honest code


def test_values_of_every_kind_come_back(box: Zygote) -> None:
    code = """
        import numpy as np
        def f(x, *, k):
            return (x[::2].T, [k, 2.5, None, True, "é"], {"a": {1: np.float32(3)}, (1, 2): np.arange(3) > 1})
    """
    child = start(box, code)
    outcome = child.ask(question(np.arange(6.0).reshape(3, 2), k=7), 2.0)
    child.kill()
    assert isinstance(outcome, Value)
    columns, row, names = outcome.tree
    assert columns.tolist() == [[0, 4], [1, 5]]
    assert row == [7, 2.5, None, True, "é"]
    assert names["a"] == {1: np.array(3, "f4")}
    assert names[1, 2].tolist() == [False, False, True]
    assert not outcome.changed
    assert 0 < outcome.cpu <= child.used


def test_drivers_see_the_students_module(box: Zygote) -> None:
    drivers = "def twice(student, x):\n    return student.g(student.g(x))\n"
    child = start(box, "def g(x):\n    return x + 1\n", drivers=drivers)
    for x in (1, 10):
        outcome = child.ask({**question(x, name="g"), "driver": "twice"}, 1.0)
        assert isinstance(outcome, Value)
        assert outcome.tree == x + 2
    child.kill()


def test_own_modules_can_be_imported(box: Zygote) -> None:
    files = {
        "helper.py": "from tools.deep import ten\n\ndef g():\n    return ten\n",
        "tools/__init__.py": "from . import deep\n",
        "tools/deep.py": "from .numbers import five\nten = 2 * five\n",
        "tools/numbers.py": "five = 5\n",
    }
    code = "import helper\nfrom helper import g\nimport tools\ndef f():\n    return [g(), helper.g(), tools.deep.ten]\n"
    assert ask(box, code, files=files).tree == [10, 10, 10]


def test_what_students_legitimately_write(box: Zygote) -> None:
    code = '''
        # 卷积 ✓ 🙂
        from __future__ import annotations
        import sys, warnings
        from dataclasses import dataclass
        from typing import Optional
        import numpy as np
        from jaxtyping import Float

        名字 = "ünïcode"
        started = False
        if __name__ == "__main__":
            started = True
            sys.exit("not when graded")

        @dataclass
        class Layer:
            """A class with annotations."""
            w: Optional[np.ndarray] = None

        def pieces(n):
            yield from range(n)

        def f(x: Float[np.ndarray, "n m"]) -> list:
            print("调试", x, file=sys.stderr)
            warnings.warn("overflow")
            np.float64(1) / np.float64(0)
            return [sum(pieces(4)), 名字, started, Layer(x).w.shape[0], __name__]
    '''
    run = ask(box, code, np.ones((2, 3)))
    assert run.tree == [6, "ünïcode", False, 2, "part"]
    assert "调试" in run.output.decode()
    assert b"overflow" in run.output


def test_files_may_be_written_where_a_child_has_a_box_of_its_own(box: Zygote, isolation: str) -> None:
    code = """
        def f(folder):
            with open(folder + "notes.txt", "w") as file:
                file.write("scratch")
            return open(folder + "notes.txt").read()
    """
    for folder in ("", "submission/"):
        run = ask(box, code, folder)
        if isolation == "namespaces":
            assert run.tree == "scratch"
        else:
            assert ended_as(run.outcome, "PermissionError")


def test_devices_that_hold_nothing_may_be_used(box: Zygote) -> None:
    code = """
        import contextlib, os
        def f():
            with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
                print("silenced")
            return [len(open("/dev/urandom", "rb").read(8)), sum(open("/dev/zero", "rb").read(2)), len(os.urandom(8))]
    """
    run = ask(box, code)
    assert run.tree == [8, 0, 8]
    assert run.output == b""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_endings_and_byte_order_marks(box: Zygote, newline: str) -> None:
    code = newline.join(['\ufeffx = """a', 'b"""', "def f():", "    return x", ""])
    assert ask(box, code).tree == "a\nb"


def test_threads_may_be_used(box: Zygote) -> None:
    code = """
        from concurrent.futures import ThreadPoolExecutor
        def f():
            with ThreadPoolExecutor(4) as pool:
                return list(pool.map(lambda n: n * n, range(8)))
    """
    assert ask(box, code).tree == [n * n for n in range(8)]


# Random numbers, arguments


def test_every_question_is_seeded(box: Zygote, torch_box: Zygote) -> None:
    draws = "[random.random(), np.random.rand(3), np.random.permutation(9)"
    for zygote, draw in ((box, draws + "]"), (torch_box, draws + ", torch.rand(3), torch.nn.Linear(2, 2).weight]")):
        torch = "import torch" if "torch" in draw else ""
        child = start(zygote, f"import random\nimport numpy as np\n{torch}\ndef f():\n    return {draw}\n")
        outcomes = [child.ask(question(seed=seed), 2.0) for seed in (5, 5, 2**32 - 1, 5)]
        child.kill()
        sent = [encode(outcome.tree) for outcome in outcomes if isinstance(outcome, Value)]
        assert len(sent) == 4
        assert sent[0] == sent[1] == sent[3] != sent[2]


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ("return x", False),
        ("x[0] = 7", True),
        ("x += 0", False),
        ("x *= 2; x /= 2", False),
        ("old = x.copy(); x.fill(9); x[:] = old", False),
        ("x[0] = -x[0]", True),  # 0.0 becomes -0.0
        ("x[1] = np.nextafter(x[1], 2)", True),
        ("x.sort()", False),
        ("x[::-1].sort()", True),
        ("x.shape = (3, 1)", True),
        ("x.dtype = 'i8'", True),
        ("rows.append(1)", True),
        ("rows[1].reverse()", True),
        ("named['new'] = 1", True),
        ("named['w'] -= 1", True),
        ("del named['w']", True),
        ("named['w'] = named['w'].copy()", False),
    ],
)
def test_writing_into_arguments_is_seen(box: Zygote, body: str, changed: bool) -> None:
    run = ask(
        box,
        f"import numpy as np\ndef f(x, rows, named):\n    {body}\n",
        np.arange(3.0),
        [0, [1, 2]],
        {"w": np.ones(2)},
    )
    assert isinstance(run.outcome, Value)
    assert run.outcome.changed is changed


@pytest.mark.parametrize(
    ("body", "doubled"),
    [
        ("return 2 * x", [0, 2, 4]),
        ("return np.multiply(x, 2, out=ROOM)", [4, 0, 2]),
        ("return ROOM if ROOM.any() and 1 / 0 else np.multiply(x, 2, out=ROOM)", [0, 2, 4]),
    ],
)
def test_a_second_call_may_overwrite_the_first_answer(box: Zygote, body: str, doubled: list[float]) -> None:
    child = start(box, f"import numpy as np\nROOM = np.zeros(3)\ndef f(x):\n    {body}\n")
    outcome = child.ask({**question(np.arange(3.0)), "copies": "again"}, 5.0)
    child.kill()
    assert isinstance(outcome, Value)
    assert outcome.tree.tolist() == doubled
    assert not outcome.changed


@pytest.mark.parametrize("forgotten", ["", "w", "a", "b", "object"])
@pytest.mark.parametrize("kept", [1, 9])
def test_an_answer_that_is_remembered_wrongly_shows_among_other_calls(box: Zygote, forgotten: str, kept: int) -> None:
    keys = {"w": "x['w'].tobytes()", "a": "a", "b": "b"}
    key = "id(x), a, b" if forgotten == "object" else ", ".join(keys[name] for name in keys if name != forgotten)
    source = f"""
KEPT = {{}}

def f(x, a, *, b=0):
    if ({key}) not in KEPT:
        if len(KEPT) == {kept}:
            KEPT.clear()
        KEPT[{key}] = a * x["w"] + b
    return KEPT[{key}].copy()
"""
    child = start(box, source)
    outcome = child.ask({**question({"w": np.arange(3.0)}, 2), "kwargs": {"b": 5}, "copies": "among"}, 5.0)
    child.kill()
    said = (outcome.tree.tolist(), outcome.changed) if isinstance(outcome, Value) else outcome
    assert (said == ([5, 7, 9], False)) == (not forgotten)
    assert isinstance(outcome, Value) or outcome == Unsuitable("inconsistent")


@pytest.mark.parametrize(
    ("returned", "is_right"),
    [
        ("K.setdefault(x.tobytes(), 2 * x)", False),
        ("{'y': [K.setdefault(x.tobytes(), 2 * x)]}", False),
        ("K.setdefault(x.tobytes(), 2 * x).copy()", True),
        ("np.broadcast_to(K.setdefault(x.tobytes(), 2 * x), (1, 3))", True),
        ("x", True),
        ("x[::-1]", True),
        ("(2 * x, x)", True),
    ],
)
def test_what_is_written_into_an_answer_changes_no_later_one_but_views_of_arguments_are_left_alone(
    box: Zygote, returned: str, is_right: bool
) -> None:
    child = start(box, f"import numpy as np\nK = {{}}\ndef f(x): return {returned}")
    outcome = child.ask({**question(np.arange(3.0)), "copies": "among"}, 5.0)
    child.kill()
    assert outcome == Unsuitable("inconsistent") if not is_right else isinstance(outcome, Value) and not outcome.changed


def test_a_call_leaves_no_setting_behind_but_the_import_may(box: Zygote, torch_box: Zygote) -> None:
    child = start(box, "import numpy as np\nnp.seterr(over='raise')\ndef f(x): return np.seterr(all='raise')[x]")
    said = [child.ask(question(kind), 5.0) for kind in ("over", "under", "under")]
    child.kill()
    assert [one.tree for one in said if isinstance(one, Value)] == ["raise", "ignore", "ignore"]
    code = """
import torch

def f():
    seen = torch.is_grad_enabled(), str(torch.get_default_dtype()), str(torch.get_default_device())
    torch.set_grad_enabled(False)
    torch.set_default_dtype(torch.float16)
    torch.set_default_device("meta")
    return seen
"""
    child = start(torch_box, f"import torch\ntorch.set_default_dtype(torch.float64)\n{code}")
    said = [child.ask(question(), 5.0) for _ in range(2)]
    child.kill()
    assert [one.tree for one in said if isinstance(one, Value)] == [(True, "torch.float64", "cpu")] * 2


def test_arguments_do_not_alias_those_of_the_next_question(box: Zygote) -> None:
    child = start(box, "seen = []\ndef f(x):\n    seen.append(x)\n    seen[0][:] = 5\n    return x\n")
    first, second = (child.ask(question(np.zeros(2)), 1.0) for _ in range(2))
    child.kill()
    assert isinstance(first, Value)
    assert isinstance(second, Value)
    assert first.tree.tolist() == [5, 5]
    assert second.tree.tolist() == [0, 0]
