"""What is asked, by the names under which staff reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.answer_key import AnswerKey
from autograder.course import Assignment, Case, Criterion, Exercise, Part, fixed
from autograder.loading import find_assignments, load

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", find_assignments(ROOT))
def test_every_argument_has_the_name_of_a_parameter(name: str) -> None:
    key = AnswerKey(load(name, ROOT), "public")
    for exercise in key.assignment.exercises:
        for case in exercise.cases():
            given, named = key.inputs[case], key.given(exercise, case)
            assert len(named) == len(given.args) + len(given.kwargs)
            assert not any(name.startswith("arguments[") for name in named), (exercise.name, case.title)


def test_what_a_parameter_with_a_star_takes_is_numbered() -> None:
    case = Case("three", fixed(1, 2, 3, scale=4))
    exercise = Exercise("add", "topic", [Criterion("values", [case])])
    reference = {"topic": "def add(first, *others, scale=1):\n    pass\n"}
    key = AnswerKey(Assignment("a9", "A", [Part("topic", "numpy")], [exercise], {}, reference), "public")
    assert key.given(exercise, case) == {"first": 1, "others[0]": 2, "others[1]": 3, "scale": 4}
