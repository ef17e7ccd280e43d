"""The demo class, graded by the real command, against scores worked out by hand from how each member was made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autograder.cli import main
from autograder.demo import DemoSubmission
from autograder.loading import find_assignments, grading_module, load

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
    "correlate2d": {"values": 3},
    "make_kernel": {"fixed": 2, "blurs": 1, "errors": 1},
    "filter_image": {"grey": 2, "colour": 1, "range": 1, "errors": 1},
    "conv2d_forward": {"values": 3, "stride": 2, "padding": 2, "errors": 1},
    "conv2d_backward": {"dx": 3, "dw": 2, "db": 1, "dx_strided": 3, "dw_strided": 2},
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
    "conventions": {"dtype": 1, "strides": 1, "arguments": 1},
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
    "judy": 98, "kai": 100, "lena": 80, "mo": 0, "nina": 0, "otto": 13, "pia": 100, "quinn": 0,
}  # fmt: skip
STATUS = {
    ("mo", "convolve"): "not started",
    ("mo", "Conv2d"): "not started",
    ("lena", "conv2d_backward"): "not started",
    ("fay", "Conv2d"): "not handed in",
    ("quinn", "pad2d"): "not read",
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


@pytest.mark.parametrize("name", find_assignments(ROOT))
def test_what_a_class_names_is_there(name: str) -> None:
    assignment = load(name, ROOT)
    known = [change.name for change in (*assignment.misconceptions, *assignment.alternatives)]
    members: tuple[DemoSubmission, ...] = grading_module(name, ROOT, "demo").CLASS
    assert [change for member in members for change in member.changes if known.count(change) != 1] == []
    unsolved = {exercise for member in members if member.unsolved != "all" for exercise in member.unsolved}
    assert unsolved <= {exercise.name for exercise in assignment.every_exercise}


# The classes of the other assignments: exercises, or (exercise, criteria). Who is not named has everything, "all" lacks
# everything, "NUMPY" and "TORCH" all of that part.
LOST_ELSEWHERE: dict[str, dict[str, list[Any]]] = {
    "a2": {
        "emil": [("sigmoid", "extremes")],
        "fay": [("sign_agreement", "zeros"), "TORCH"],
        "gus": ["softmax_backward"],
        "hana": [("cross_entropy", "ignored")],
        "igor": [("batch_norm_forward", "running"), ("batch_norm_backward", "dx", "images", "small")],
        "judy": [("layer_norm_backward", "dx", "small")],
        "kai": [("layer_statistics", "saturated"), ("BatchNorm2d", "training")],
        "lena": ["batch_norm_backward", "layer_norm_backward", "layer_statistics", "LayerNorm"],
        "mo": ["all"],
        "nina": ["all"],
        "otto": ["NUMPY"],
        "pia": ["sigmoid", "sigmoid_backward", "tanh", "tanh_backward", "layer_statistics"],  # all that call it
        "quinn": ["all"],
    },
    "a3": {
        "emil": [("max_pool_forward", "padding"), ("max_pool_backward", "padding")],
        "fay": [("max_pool_backward", "overlaps"), ("avg_pool_backward", "overlaps"), "TORCH"],
        "gus": [("max_pool_backward", "ties")],
        "hana": ["shift_image", "equivariance_error", "invariance_rate"],  # the shift's mistake is not carried
        "igor": [("lenet5_loss_and_gradients", "conv1"), ("evaluate", "loss")],
        "judy": [("train_epoch", "parameters"), ("evaluate", "modes")],
        "kai": ["flatten"],
        "lena": ["lenet5_loss_and_gradients", "train", "evaluate"],
        "mo": ["all"],
        "nina": ["all"],
        "otto": ["NUMPY"],
        "pia": ["max_pool_forward", "lenet5_forward", "lenet5_loss_and_gradients", "train"],
        "quinn": ["all"],
    },
    "a4": {
        "emil": ["rnn_step_forward"],
        "fay": ["rnn_step_backward", "TORCH"],
        # the mistake is not carried: whoever cuts everywhere cannot be seen to cut windows, nor to train
        "gus": [("rnn_backward", "dx", "dh0", "dU", "dV", "db"), "truncated_bptt", "train"],
        "hana": [("state_jacobian", "values"), "scale_to_radius"],
        "igor": [("clip_by_norm", "values")],
        "judy": [("numerical_gradient", "single"), ("conventions", "dtype")],
        "kai": ["sequence_loss", ("to_torch", "values")],
        "lena": ["rnn_backward", "truncated_bptt", "train", "train_step"],
        "mo": ["all"],
        "nina": ["all"],
        "otto": ["NUMPY"],
        "pia": ["rnn_forward", "train"],
        "quinn": ["all"],
    },
    "a5": {
        "emil": ["lstm_step_forward"],
        "fay": [("lstm_step_backward", "dx", "dh", "dW", "db"), "TORCH"],
        "gus": ["cell_jacobian"],
        "hana": [("bidirectional_lstm", "values")],
        "igor": [("mask_tokens", "inputs"), "masked_lm_loss"],
        "judy": ["gru_step_forward"],
        "kai": [("packed_final_states", "values"), ("MaskedWordModel", "accuracy")],
        "lena": ["lstm_backward", "cell_jacobian", "MaskedWordModel"],
        "mo": ["all"],
        "nina": ["all"],
        "otto": ["NUMPY"],
        "pia": ["gru_forward"],
        "quinn": ["all"],
    },
    "a6": {
        "emil": ["masked_softmax"],
        "fay": [("attention_scores", "values"), "TORCH"],
        # the corner is not carried: in the cache, too, it would hide the same mistake
        "gus": [
            "causal_mask",
            ("incremental_attention", "values", "unchanged"),
            ("scaled_dot_product_attention_backward", "dq", "dk"),
        ],
        "hana": ["multi_head_attention", "permutation_error"],
        "igor": [("MultiHeadAttention", "gradients"), ("SenseModel", "senses")],
        "judy": [("RecallModel", "recall"), ("chunked_attention", "memory")],
        "kai": ["multi_head_attention_backward", "SenseModel", "RecallModel"],
        "lena": ["all"],
        "mo": ["all"],
        "nina": ["TORCH"],
        "otto": [
            "masked_softmax",
            "scaled_dot_product_attention",
            "multi_head_attention",
            "multi_head_attention_backward",
            "incremental_attention",
            "retrieve",
            "conventions",  # less than half of the file is left
        ],
        "pia": ["all"],
    },
}


@pytest.mark.long
@pytest.mark.parametrize("name", LOST_ELSEWHERE)
def test_every_member_of_the_other_classes_loses_exactly_what_its_construction_implies(
    name: str, tmp_path: Path
) -> None:
    assignment = load(name, ROOT)
    every = {(e.name, criterion) for e in assignment.exercises for criterion in assignment.points[e.name]}
    numpy = {e.name for e in assignment.exercises if assignment.part_of(e).runtime == "numpy"}
    groups = {
        "all": every,
        "NUMPY": {pair for pair in every if pair[0] in numpy},
        "TORCH": {pair for pair in every if pair[0] not in numpy},
    }

    def lost(entry: Any) -> set[tuple[str, str]]:
        if isinstance(entry, tuple):
            return {(entry[0], criterion) for criterion in entry[1:]}
        return groups.get(entry) or {pair for pair in every if pair[0] == entry}

    assert main(["demo", name, "-o", str(tmp_path)]) == 0
    assert main(["grade", name, str(tmp_path / name), "-o", str(tmp_path / "out"), "--seed", "public"]) == 0
    students = {path.parent.name for path in (tmp_path / "out").glob("*/results.json")}
    assert {"ada", "ben", "chen", "dora", *LOST_ELSEWHERE[name]} == students
    for student in students:
        expected = set[tuple[str, str]]().union(*map(lost, LOST_ELSEWHERE[name].get(student, [])))
        assert expected <= every
        data = results(tmp_path / "out", student)
        failed = {
            (e["name"], c["name"]) for e in data["extra_data"]["exercises"] for c in e["criteria"] if not c["passed"]
        }
        assert (student, failed) == (student, expected)
        assert data["score"] == sum(assignment.points[exercise][criterion] for exercise, criterion in every - expected)
