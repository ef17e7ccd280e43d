"""What needs a teacher's attention: one list in terminal, page and JSON, first what can still be mended."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest

from autograder import store
from autograder.cli import main
from autograder.collect.entry import HANDED_IN, HandIn
from autograder.deadline import Deadline, LatePolicy
from autograder.folders import folder_name
from autograder.report import class_html, class_table, needs_attention
from autograder.report.attention import TECHNICAL, Notice
from autograder.results import (
    Attention,
    AttentionKind,
    CriterionResult,
    ExerciseResult,
    Late,
    NotGraded,
    RunRecord,
    Status,
    SubmissionResult,
)

WHEN = datetime(2027, 3, 1, tzinfo=UTC)


def submission(
    student: str,
    points: float = 5,
    *attention: Attention,
    status: Status = "failed",
    late: Late | None = None,
    failed: str = "",
) -> SubmissionResult:
    criteria = (CriterionResult("values", points, True), CriterionResult("errors", 10 - points, False, "Far off."))
    exercise = ExerciseResult("main", "topic", status, criteria if points else criteria[1:])
    notes = tuple(one.sentence for one in attention)
    return SubmissionResult(student, "a1", "A", (exercise,), notes, failed, attention=attention, late=late)


def the_class() -> tuple[list[SubmissionResult], dict[str, HandIn]]:
    """Named in the order in which they should be looked at; the last three need nobody."""
    close = Late(10, 1, close=True, sentence="Handed in 3 minutes late.")
    results = [
        submission("01 lost", failed="The sandbox did not start."),
        submission("02 refused", 0, Attention("refused", "The archive is damaged.")),
        submission("03 no import", 0, Attention("not imported", "topic.py could not be imported.")),
        submission("04 half", 5, Attention("not imported", "topic_torch.py could not be imported.")),
        submission("05 absent", 0, status="not handed in"),
        submission("06 empty", 0, status="not handed in"),
        submission("07 two", 5, Attention("chosen", "topic.py was taken, not topic (1).py.")),
        submission("08 again", 5),
        submission("09 close", 10, late=close),
        submission("10 repaired", 5, Attention("repaired", "Without its line 3.")),
        submission("11 encoding", 5, Attention("read as", "Read as cp1252.")),
        submission("12 late", 10, late=Late(10, 1, sentence="Handed in a day late.")),
        submission("13 wrong", 0),
        submission("14 right", 10),
    ]
    facts = {
        "05 absent": HandIn("canvas", "05 absent"),
        "08 again": HandIn("moodle", "08 again", attempt=3, handed_in=WHEN, source="x"),
        "14 right": HandIn("moodle", "14 right", attempt=1, handed_in=WHEN, source="x"),
    }
    return results, facts


EXPECTED = [
    ("01 lost", "not graded", "The sandbox did not start."),
    ("02 refused", "no points for a technical reason", "The archive is damaged."),
    ("03 no import", "no points for a technical reason", "topic.py could not be imported."),
    ("04 half", "no points for a technical reason", "topic_torch.py could not be imported."),
    ("05 absent", "nothing handed in", "Nothing was handed in."),
    ("06 empty", "nothing handed in", "Nothing was handed in."),
    ("07 two", "several candidates", "topic.py was taken, not topic (1).py."),
    ("08 again", "several attempts", "Attempt 3 was graded."),
    ("09 close", "late by minutes", "Handed in 3 minutes late."),
    ("10 repaired", "repaired", "Without its line 3."),
    ("11 encoding", "repaired", "Read as cp1252."),
]


def test_the_list_is_ordered_by_what_can_be_mended() -> None:
    results, facts = the_class()
    found = needs_attention(results[::-1], facts)
    assert [(notice.student, notice.kind, notice.sentence) for notice in found] == EXPECTED
    assert needs_attention(results[-3:], {}) == ()


def test_every_mark_of_a_result_has_its_place() -> None:
    assert set(TECHNICAL) == set(get_args(AttentionKind))


def test_one_submission_may_need_it_twice() -> None:
    close = Late(1, 1, close=True, sentence="Handed in 3 minutes late.")
    twice = submission("ada", 5, Attention("repaired", "Without its line 3."), Attention("chosen", "One of two."))
    facts = {"ada": HandIn("moodle", "ada", attempt=2, handed_in=WHEN, source="x")}
    both = SubmissionResult(**{**vars(twice), "late": close})
    again = submission("bob", 5, Attention("repaired", "Without its line 3."), Attention("repaired", "Nor line 4."))
    notices = needs_attention([again], {})
    assert "repaired: 1\n  bob: Without its line 3.\n  bob: Nor line 4." in class_table([again], 100, False, notices)
    assert "<b>1</b> <span>repaired</span>" in "".join(class_html([again], {}, {}, notices))
    assert [notice.kind for notice in needs_attention([both], facts)] == [
        "several candidates",
        "several attempts",
        "late by minutes",
        "repaired",
    ]


@pytest.mark.parametrize(
    ("late_rules", "due", "told", "override", "said"),
    [
        ({"rate": Decimal(10)}, WHEN, None, None, True),
        ({"cutoff": timedelta(days=1)}, WHEN, None, None, True),
        ({"rate": Decimal(10)}, None, WHEN, None, True),
        ({"rate": Decimal(10)}, WHEN, WHEN, None, False),  # its time is charged
        ({"rate": Decimal(10)}, WHEN, None, 3.0, False),  # a teacher has decided
        ({}, WHEN, None, None, False),  # nothing is ever taken
    ],
)
def test_a_late_mark_that_costs_nothing_is_said_where_it_could_cost(
    late_rules: dict[str, Any], due: datetime | None, told: datetime | None, override: float | None, said: bool
) -> None:
    late = Late(sentence="The platform marks it as late.")
    results = [dataclasses.replace(submission(name, late=late), override=override) for name in ("ada", "bob")]
    facts = {name: HandIn("canvas", name, handed_in=told, late=True, source="x") for name in ("ada", "bob")}
    notices = needs_attention(results, facts, Deadline(due, None, LatePolicy(**late_rules)))
    assert [notice.kind for notice in notices] == ["marked late and not charged"] * 2 * said
    advice = "a row of overrides.csv with * as exercise"
    assert " ".join(class_table(results, 100, False, notices).split()).count(advice) == said
    assert "".join(class_html(results, {}, {}, notices)).count(advice) == said


def test_the_terminal_lists_it_below_the_table() -> None:
    results, facts = the_class()
    lines = class_table(results, 100, False, needs_attention(results, facts), ascii_only=True).splitlines()
    assert lines[lines.index("needs attention") + 1 :] == [
        "not graded: 1",
        "  01 lost: The sandbox did not start.",
        "no points for a technical reason: 3",
        "  02 refused: The archive is damaged.",
        "  03 no import: topic.py could not be imported.",
        "  04 half: topic_torch.py could not be imported.",
        "nothing handed in: 2",
        "  05 absent: Nothing was handed in.",
        "  06 empty: Nothing was handed in.",
        "several candidates: 1",
        "  07 two: topic.py was taken, not topic (1).py.",
        "several attempts: 1",
        "  08 again: Attempt 3 was graded.",
        "late by minutes: 1",
        "  09 close: Handed in 3 minutes late.",
        "repaired: 2",
        "  10 repaired: Without its line 3.",
        "  11 encoding: Read as cp1252.",
    ]
    narrow = class_table(results, 24, False, needs_attention(results, facts), ascii_only=True)
    assert max(map(len, narrow.partition("needs attention")[2].splitlines())) <= 24
    assert "needs attention" not in class_table(results[-3:], 100, False)


def test_a_long_list_is_cut_in_the_terminal_and_whole_on_the_page() -> None:
    results = [submission(f"s{n:03}", 0, status="not handed in") for n in range(120)]
    notices = needs_attention(results, {})
    lines = class_table(results, 100, False, notices).splitlines()
    assert "nothing handed in: 120" in lines
    assert lines[-2:] == ["  s009: Nothing was handed in.", "  and others, all in report.html"]
    assert "".join(class_html(results, {}, {}, notices)).count("Nothing was handed in.") == 120


def test_hostile_sentences_stay_in_their_line_and_add_no_element() -> None:
    attack = "\x1b[2J\n<script>alert(1)</script>\u202e"
    notices = [Notice(attack, "repaired", attack)]
    results = [submission(attack)]
    table = class_table(results, 100, False, notices)
    assert "\x1b" not in table
    assert len(table.splitlines()) == len(class_table(results, 100, False).splitlines()) + 4
    page = "".join(class_html(results, {}, {}, notices))
    assert "<script>alert" not in page
    assert "\x1b" not in page


def test_late_points_stand_beside_the_score() -> None:
    results = [
        submission("ada", 10, late=Late(2.5, 1, sentence="Late.")),
        submission("bob", 5, late=Late(sentence="Late by its files.")),
        submission("cyd", 5),
        submission("dan", failed="Lost."),
    ]
    assert class_table(results, 60, False, ascii_only=True).splitlines()[:7] == [
        "student  main       score  late",
        "out of     10          10      ",
        "-" * 31,
        "ada        10      7.5/10  -2.5",
        "bob         5        5/10     0",
        "cyd         5        5/10      ",
        "dan            not graded      ",
    ]
    page = "".join(class_html(results, {}, {}))
    assert '<td data-value="2.5" title="10 before the late rules. Late.">−2.5</td>' in page
    assert '<th scope="col">late</th>' in page
    assert '<th scope="col">late</th>' not in "".join(class_html(results[2:], {}, {}))


@pytest.fixture
def reported(tmp_path: Path) -> Path:
    settings = tmp_path / "solutions" / "a1_first" / "assignment.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("due = 2027-03-01T00:00:00Z\n", encoding="utf-8")
    out = tmp_path / "grades"
    for student in ("ada", "bob"):
        folder = out / folder_name(student)
        store.write_results(folder, submission(student, 0, Attention("refused", "It is damaged.")), RunRecord())
        store.write_json(folder / HANDED_IN, HandIn("canvas", student, handed_in=WHEN, source="x").to_json())
    store.write_json(out / "run.json", {"assignment": "a1_first"})
    return tmp_path


def test_json_of_a_report_holds_the_list(reported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--course", str(reported), "report", str(reported / "grades"), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    kind = "no points for a technical reason"
    assert data["attention"] == [{"student": s, "kind": kind, "sentence": "It is damaged."} for s in ("ada", "bob")]
    assert [result["raw_score"] for result in data["results"]] == [0, 0]
    assert "It is damaged." in (reported / "grades" / "report.html").read_text(encoding="utf-8")


def test_damaged_facts_of_a_hand_in_are_no_grade(reported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whether it was late cannot be known, and on time is only a guess."""
    facts = reported / "grades" / "bob" / HANDED_IN
    facts.write_text("{}", encoding="utf-8")
    before = (reported / "grades" / "bob" / "results.json").read_bytes()
    assert main(["--course", str(reported), "report", str(reported / "grades")]) == 1
    assert "not graded: 1\n  bob: Its handed_in.json is damaged: grade again." in capsys.readouterr().out
    assert (reported / "grades" / "bob" / "results.json").read_bytes() == before


def test_without_a_grade_nothing_is_late(reported: Path) -> None:
    lost = NotGraded("bob", "a1_first", "A", "The disk is full.")
    store.write_results(reported / "grades" / "bob", lost.result(), RunRecord(not_graded=lost))
    assert main(["--course", str(reported), "report", str(reported / "grades"), "--quiet"]) == 1
    row = (reported / "grades" / "grades.csv").read_text(encoding="utf-8").splitlines()[2]
    assert row == '"bob","","","","","","","not graded","The disk is full."'
