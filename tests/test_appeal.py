"""The page for an appeal, from made answers: windows of arrays, marked entries, hostile text."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from autograder.answer_groups import AnswerGroup
from autograder.appeal import COLUMNS, ROWS, appeal_html
from autograder.compare import close
from autograder.judge import Answer
from autograder.outcome import Outcome, Raised, Stopped, Value
from autograder.results import CriterionResult, ExerciseResult, SubmissionResult
from autograder.show import Explained
from autograder.source import with_helpers

ATTACK = "<script>alert(1)</script>\x1b[2J"
HELPERS = "def helper(x):\n    return x\n\ndef other():\n    pass\n"
SOURCE = f"import numpy as np\n\n{HELPERS}\ndef flip(x):\n    return helper(x)\n"


def answer(got: Outcome, want: Outcome, **given: Any) -> Answer:
    return Answer("values", "a row", given, got, want, close()(None, got, want))


def page(*answers: Answer, source: str = SOURCE, output: str = "") -> str:
    exercise = ExerciseResult(
        "flip", "topic", "failed", (CriterionResult("values", 2, False, "Far off.", ("turned",)),)
    )
    result = SubmissionResult("ada", "a9_topic", "A topic", (exercise,))
    group = AnswerGroup("flip", 2, ("ada", "bob"), ("12ab",))
    code = with_helpers(source, "flip")
    return appeal_html(Explained(result, exercise, code, answers, output, ["x + 1 → x"], group))


def marked(text: str) -> list[str]:
    return re.findall("<mark>(.*?)</mark>", text)


def test_entries_that_differ_are_marked_in_both_answers() -> None:
    want = np.array([[1.0, 2.0], [3.0, 4.0]])
    text = page(answer(Value(want * [1, 1.5]), Value(want), x=np.arange(3), stride=2))
    assert marked(text) == ["3", "6", "2", "4"]
    assert "array of int64, shape (3,)" in text
    assert "<code>x</code> <small>array of int64" in text
    assert "<code>stride</code> <small>2</small>" in text
    assert "1 of 1 questions" in text


def test_numbers_that_differ_late_are_shown_with_all_their_digits() -> None:
    text = page(answer(Value(np.array([1.0, 2.00000002])), Value(np.array([1.0, 2.0]))))
    assert marked(text) == ["2.00000002", "2.0"]


@pytest.mark.parametrize("place", [(0, 0, 0), (2, 50, 60), (3, 99, 99)])
def test_of_a_large_array_what_differs_first_is_shown(place: tuple[int, ...]) -> None:
    want = np.zeros((4, 100, 100))
    want[0, 0, 1] = 1.0
    got = want.copy()
    got[place] = 0.5
    text = page(answer(Value(got), Value(want)))
    assert marked(text) == ["0.5", "0"]
    assert f"entries [{place[0]}, " in text
    assert len(re.findall('<td class="number">', text)) == 2 * ROWS * COLUMNS


def test_answers_of_other_forms_are_shown_beside_each_other() -> None:
    want = Value((np.ones(3), {"a": np.zeros((2, 2))}))
    text = page(
        answer(Value(np.ones(4)), want), answer(Raised("KeyError", ATTACK), want), answer(Stopped("time"), want)
    )
    assert "<code>[1][&#39;a&#39;]</code> <small>array of float64, shape (2, 2)</small>" in text
    assert "no answer (time)" in text
    assert marked(text) == []
    assert "<script" not in text
    assert "\x1b" not in text


def test_the_page_holds_code_with_helpers_diagnosis_group_and_output() -> None:
    text = page(answer(Value(np.ones(2)), Value(np.ones(2))), output=f"the sum is 3{ATTACK}")
    assert "def helper(x):" in text
    assert "def other" not in text
    for shown in ("Far off. <small>(turned)</small>", "x + 1 → x", "answer group 2", "the sum is 3", "values: a row"):
        assert shown in text
    assert not re.search("https?:|src=|<script", text)
    again = page(source=f"{SOURCE}\ndef flip(x):\n    return 'the second, which Python calls'\n")
    assert "the second, which Python calls" in again
    assert "return helper(x)" not in again
    broken = "def flip(x:\n"
    assert "def flip(x:" in page(source=broken)
