"""The demo class, graded by the real command, against scores worked out by hand from how each member was made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autograder.course import load
from autograder.judge import version

ROOT = Path(__file__).parent.parent

EVERYTHING = {
    "convolve": {"values": 3, "errors": 1},
    "cross_correlate": {"values": 2, "errors": 1},
    "convolution_matrix": {"values": 4},
    "impulse_response": {"values": 2},
    "is_linear": {"systems": 3},
    "is_time_invariant": {"systems": 4},
    "cosine_similarity": {"values": 1},
    "match_template": {"values": 2, "constant": 1, "errors": 1},
    "output_size": {"values": 1, "errors": 1},
    "pad2d": {"zeros": 1, "replicate": 1, "reflect": 1, "errors": 1},
    "window_coverage": {"values": 2, "dtype": 1},
    "correlate2d": {"values": 3, "dtype": 1},
    "make_kernel": {"fixed": 2, "blurs": 1, "errors": 1},
    "filter_image": {"grey": 2, "colour": 1, "range": 1, "errors": 1},
    "conv2d_forward": {"values": 3, "stride": 2, "padding": 2, "errors": 1, "dtype": 1},
    "conv2d_backward": {"dx": 3, "dw": 2, "db": 1, "dx_strided": 3, "dw_strided": 2, "unchanged": 1},
    "im2col": {"values": 3, "strided": 2},
    "conv2d_im2col": {"values": 2, "speed": 3},
    "conv2d_parameter_count": {"values": 2},
    "linear_parameter_count": {"values": 1},
    "learn_kernel": {"kernel": 4, "losses": 2},
    "col2im": {"values": 4},
    "conv2d_unfold": {"values": 3, "gradients": 2},
    "Conv2d": {"parameters": 1, "values": 2, "gradients": 2},
    "nchw_to_nhwc": {"values": 1, "view": 0.5},
    "nhwc_to_nchw": {"values": 1, "view": 0.5},
}
TORCH = {"conv2d_unfold", "Conv2d", "nchw_to_nhwc", "nhwc_to_nchw"}
NUMPY = set(EVERYTHING) - TORCH

# Student → what is lost: whole exercises, or (exercise, criterion). Written from the class list, never computed.
LOST: dict[str, set[Any]] = {
    "ada": set(),
    "ben": set(),
    "chen": set(),
    "dora": set(),
    "emil": {("convolve", "values")},
    "fay": {("is_linear", "systems"), *TORCH},
    "gus": {("pad2d", "reflect")},
    "hana": {("filter_image", "range")},
    "igor": {("conv2d_forward", "stride"), ("conv2d_forward", "padding")},
    "judy": {("conv2d_backward", "dx"), ("conv2d_backward", "dx_strided")},
    "kai": {("Conv2d", "values"), ("Conv2d", "gradients")},
    "lena": {"conv2d_forward", "conv2d_backward", "Conv2d"},
    "mo": set(EVERYTHING),
    "nina": set(EVERYTHING),
    "otto": NUMPY,
    "pia": {"convolve"},
    "quinn": set(EVERYTHING),
}
SCORES = {
    "ada": 104, "ben": 104, "chen": 104, "dora": 104, "emil": 101, "fay": 88, "gus": 103, "hana": 103, "igor": 100,
    "judy": 98, "kai": 100, "lena": 78, "mo": 0, "nina": 0, "otto": 13, "pia": 100, "quinn": 0,
}  # fmt: skip
STATUS = {
    ("mo", "convolve"): "not started",
    ("mo", "Conv2d"): "not started",
    ("lena", "conv2d_backward"): "not started",
    ("fay", "Conv2d"): "not handed in",
    ("quinn", "pad2d"): "not handed in",
    ("pia", "convolve"): "failed",
}


def results(graded: Path, student: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((graded / student / "results.json").read_text(encoding="utf-8"))
    return data


def test_the_class_is_complete(graded: Path) -> None:
    assert {path.parent.name for path in graded.glob("*/results.json")} == set(LOST)


@pytest.mark.parametrize("student", LOST)
def test_every_member_loses_exactly_what_its_construction_implies(graded: Path, student: str) -> None:
    lost = LOST[student]
    expected = {
        f"{exercise}: {criterion}": 0 if exercise in lost or (exercise, criterion) in lost else points
        for exercise, criteria in EVERYTHING.items()
        for criterion, points in criteria.items()
    }
    data = results(graded, student)
    assert {test["name"]: test["score"] for test in data["tests"]} == expected
    assert data["score"] == SCORES[student]


@pytest.mark.parametrize(("student", "exercise"), STATUS)
def test_status(graded: Path, student: str, exercise: str) -> None:
    statuses = {e["name"]: e["status"] for e in results(graded, student)["extra_data"]["exercises"]}
    assert statuses[exercise] == STATUS[student, exercise]


def test_what_cannot_be_read_is_said_in_a_sentence(graded: Path) -> None:
    assert "quinn.zip" in results(graded, "quinn")["output"]
    assert "zip" in results(graded, "quinn")["output"]


def test_each_misconception_and_alternative_in_the_class_is_in_the_bank() -> None:
    assignment = load("a1", ROOT)
    assert len(assignment.misconceptions) >= 6
    assert len(assignment.alternatives) >= 3
    assert version(assignment) == version(load("a1_convolution", ROOT))
