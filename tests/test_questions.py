"""The questions “To think about” of a handout have answers, which no student receives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder import loading

ROOT = Path(__file__).parents[1]
ANSWERED = [name for name in loading.find_assignments(ROOT) if (ROOT / "solutions" / name / "answers.md").is_file()]


def numbered(text: str) -> list[tuple[str, int]]:
    """Section and number of each item of the numbered lists below "To think about", or of all where that is missing."""
    found = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        asked = body.partition("**To think about**")[2] or (body if "**To think about**" not in text else "")
        found += [(title, int(number)) for number in re.findall(r"^(\d+)\. ", asked, re.MULTILINE)]
    return found


@pytest.mark.parametrize("name", ANSWERED)
def test_each_question_has_an_answer(name: str) -> None:
    handout = (ROOT / "assignments" / name / "README.md").read_text(encoding="utf-8")
    answers = (ROOT / "solutions" / name / "answers.md").read_text(encoding="utf-8")
    questions = numbered(handout)
    assert [number for _, number in questions] == list(range(1, len(questions) + 1))
    assert len(questions) >= 8
    assert numbered(answers) == questions


@pytest.mark.parametrize("name", ANSWERED)
def test_no_answer_is_handed_out(name: str) -> None:
    answers = (ROOT / "solutions" / name / "answers.md").read_text(encoding="utf-8")
    sentences = [line.strip() for line in answers.splitlines() if len(line) > 60]
    for path in (ROOT / "assignments" / name).rglob("*"):
        assert path.name != "answers.md"
        if path.suffix in (".md", ".py", ".ipynb"):
            text = path.read_text(encoding="utf-8")
            assert [sentence for sentence in sentences if sentence in text] == [], path
