"""A group of equal wrong answers becomes an entry of the bank, proven before it is written."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

import pytest

from autograder import learn
from autograder.cli import main
from autograder.course import Misconception
from autograder.loading import load
from autograder.source import replace_definition

ROOT = Path(__file__).parent.parent
REFERENCE = load("a1", ROOT).references["convolution"]
LENGTH = '''
def length(v):
    """Ada's."""
    return math.sqrt(float(v @ v))  # Ada
'''
UNSIGNED = '''
def cosine_similarity(a, b):
    """Ada's."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    lengths = length(a) * length(b)  # by Ada
    return abs(float(a @ b)) / lengths if lengths else 0.0
'''
PATCH = ["float(a @ b / lengths)", "abs(float(a @ b / lengths))"]
SAID = ["--name", "sign of the cosine lost", "--sentence", "What does the sign of an inner product say?"]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two students whose cosine has lost its sign."""
    folder = tmp_path_factory.mktemp("class")
    source = replace_definition(REFERENCE, "cosine_similarity", LENGTH + UNSIGNED)
    source = source.replace("import numpy as np\n", "import math\n\nimport numpy as np\n", 1)
    for who in ("ada", "bob"):
        (folder / "in" / who).mkdir(parents=True)
        (folder / "in" / who / "convolution.py").write_text(f"# {who}\n{source}", encoding="utf-8")
    assert main(["grade", "a1", str(folder / "in"), "-o", str(folder / "out"), "--seed", "public", "--quiet"]) == 0
    return folder / "out"


def test_a_draft_holds_the_code_and_nobodys_name(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", str(out), "cosine", "1"]) == 0
    said = capsys.readouterr().out
    assert "cosine_similarity, group 1, 2 students: “" in said
    assert "No small change of the reference answers like this" in said
    assert "def length(v):\n    return math.sqrt(float(v @ v))" in said
    assert "-    return float(a @ b / lengths) if lengths else 0.0" in said
    assert "Ada" not in said


def test_an_entry_is_proven_written_and_known_from_then_on(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = tmp_path / "course"
    for folder in ("solutions", "assignments"):
        shutil.copytree(ROOT / folder, course / folder, ignore=shutil.ignore_patterns("__pycache__", "figures"))
    learned = [
        "--course",
        str(course),
        "learn",
        str(out),
        "cosine_similarity",
        "1",
        *SAID,
        "--change",
        *PATCH,
        "--write",
    ]
    assert main(learned) == 0
    assert "answer like the group" in capsys.readouterr().out
    test = course / "tests" / "outsiders" / "a1" / "wrong" / "cosine_similarity-sign_of_the_cosine_lost.py"
    assert test.read_text(encoding="utf-8").startswith("# cosine_similarity: [sign of the cosine lost] as a group")
    bank = runpy.run_path(str(course / "solutions" / "a1_convolution" / "grading" / "misconceptions.py"))
    assert bank["MISCONCEPTIONS"][-1] == Misconception(SAID[1], "cosine_similarity", SAID[3], *PATCH)
    assert main([*learned, "--write"]) == 2
    assert "misconceptions.py holds 'sign of the cosine lost' already." in capsys.readouterr().err


NEEDS = "Before it is written it needs --name, --sentence and a patch."


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["cosine", "7"], "There is no group 7 of cosine_similarity: they are numbered 1 to 1."),
        (["pad2d", "1"], "No answer to 'pad2d' in {out} is wrong."),
        (
            ["cosine", "1", "--change", "a @ b", "b @ a"],
            "the reference answers otherwise than the group in 3 of {cases} cases, such as “opposite vectors”: try",
        ),
        (["cosine", "1", "--change", "absent", "x"], "'absent' stands 0 times in cosine_similarity, not once."),
        (["cosine", "1", "--write", *SAID], NEEDS),
        (
            ["cosine", "1", "--write", "--change", *PATCH],
            "Before it is written it needs --name, --sentence and a patch.",
        ),
    ],
)
def test_what_cannot_be_learnt_is_said(
    out: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert main(["learn", str(out), *arguments]) == 2
    cases = len(next(e for e in load("a1", ROOT).exercises if e.name == "cosine_similarity").cases())
    assert sentence.format(out=out, cases=cases) in capsys.readouterr().err


def test_a_text_of_several_lines_is_a_literal_of_several_lines() -> None:
    literal = learn._literal('a = "b"\nc\n')
    assert literal == '"a = \\"b\\"\\n"\n        "c\\n"'
    assert eval(f"({literal})") == 'a = "b"\nc\n'


def test_a_small_change_is_found_in_the_text_of_the_reference() -> None:
    reference = "def f(x):\n    y = (x +\n         1)\n    return y\n"
    assert learn._nearest(reference, ["x + 1 → x - 1"]) == ("x +\n         1", "x - 1")
    assert learn._nearest(reference, ["helper: a → b"]) == ("", "")
