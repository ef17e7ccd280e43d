"""Gradescope's ``results.json`` as its documentation describes it."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator

VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
TEXT, NUMBER = {"type": "string"}, {"type": "number"}
TEST = {
    "type": "object",
    "additionalProperties": False,
    "required": ["score", "max_score", "name"],
    "properties": {
        "score": NUMBER,
        "max_score": NUMBER,
        "status": {"enum": ["passed", "failed"]},
        "name": {"type": "string", "minLength": 1},
        "name_format": FORMAT,
        "number": TEXT,
        "output": TEXT,
        "output_format": FORMAT,
        "tags": {"type": "array", "items": TEXT},
        "visibility": VISIBILITY,
        "extra_data": {"type": "object"},
    },
}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["score", "tests"],
    "properties": {
        "score": NUMBER,
        "execution_time": NUMBER,
        "output": TEXT,
        "output_format": FORMAT,
        "test_output_format": FORMAT,
        "test_name_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "extra_data": {"type": "object"},
        "tests": {"type": "array", "items": TEST},
        "leaderboard": {"type": "array"},
    },
}


def problems(data: Any) -> list[str]:
    """A sentence for everything in which ``data`` is not what the platform reads."""
    found = Draft202012Validator(SCHEMA).iter_errors(data)
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in found]
