"""The reports: numbers that were worked out by hand, hostile text, and the edges of an empty class."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import random
import re
import time
import tracemalloc
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from autograder.class_report import report_class
from autograder.collect.entry import Person
from autograder.folders import folder_name
from autograder.loading import load
from autograder.report import changes, changes_text, class_html, class_table, feedback_html, grades_csv
from autograder.report.summary import ClassSummary, credit
from autograder.report.terminal import display_width
from autograder.results import CriterionResult, ExerciseResult, RunRecord, Status, SubmissionResult
from autograder.store import write_json, write_results
from autograder.student.checks.syntax import stream_safe
from autograder.text import one_line, printable

ROOT = Path(__file__).parent.parent
LATE = ["raw_score", "late_submission_penalty", "late_days"]
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\x1b[31mred\x1b[2J\x07\x9b",
    "line\nbreak\ttab\r",
    "evil\u202egnp.exe",
    "\u05de\u05d9\u05db\u05dc \u05db\u05d4\u05df",
    "\u738b\u5c0f\u660e \uff21\uff22",
    "zalgo\u0301" + "\u0302" * 40,
    "bytes\udcff",
    "\u1160\ufe0fa\u20e3\u200b\u2028",
    "=HYPERLINK(1)",
    "x" * 10_000,
    "",
]


def exercise(name: str, status: Status, *criteria: tuple[str, float, bool, str]) -> ExerciseResult:
    part = "topic_torch" if name == "Layer" else "topic"
    return ExerciseResult(name, part, status, tuple(CriterionResult(*c) for c in criteria), bonus=name == "extra")


def submission(student: str, *exercises: ExerciseResult, note: str = "", failed: str = "") -> SubmissionResult:
    return SubmissionResult(student, "a9_topic", "A topic", exercises, (note,) if note else (), failed)


def three_and_one_lost() -> list[SubmissionResult]:
    """By hand: ada has 10.5 of 9 (2 of them bonus), bob and eve 2.5, and the grader lost cyd."""
    wide = "The dtype is float64."
    return [
        submission(
            "ada",
            exercise("flip", "failed", ("values", 2, True, ""), ("dtype", 0.5, False, wide)),
            exercise("slide_back", "passed", ("values", 2.5, True, "")),
            exercise("Layer", "passed", ("values", 4, True, "")),
            exercise("extra", "passed", ("values", 2, True, "")),
        ),
        submission(
            "bob",
            exercise("flip", "passed", ("values", 2, True, ""), ("dtype", 0.5, True, "")),
            exercise("slide_back", "failed", ("values", 2.5, False, "Far off.\nIt is flipped.")),
            exercise("Layer", "not handed in", ("values", 4, False, "absent")),
            exercise("extra", "failed", ("values", 2, False, "")),
            note="topic_torch was not handed in.",
        ),
        submission("cyd", failed="The sandbox did not start."),
        submission(
            "eve",
            exercise("flip", "failed", ("values", 2, False, "Far off."), ("dtype", 0.5, False, wide)),
            exercise("slide_back", "passed", ("values", 2.5, True, "")),
            exercise("Layer", "not started", ("values", 4, False, "absent")),
            exercise("extra", "failed", ("values", 2, False, "")),
        ),
    ]


def large_class(names: Sequence[str] = HOSTILE) -> list[SubmissionResult]:
    """24 exercises and every hostile name, message and note."""
    statuses: list[Status] = ["passed", "failed", "not started", "not handed in"]
    return [
        submission(
            name,
            *(
                exercise(
                    f"exercise_{i}", statuses[i % 4], ("values", 10, i % 4 == 0, name), ("dtype", 2, i % 3 > 0, name)
                )
                for i in range(24)
            ),
            note=name,
            failed=name if row == 4 else "",
        )
        for row, name in enumerate(names)
    ]


class Page(HTMLParser):
    """The elements of a page and its visible text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] not in ("style", "script"):
            self.words.append(data)


def pages(results: list[SubmissionResult]) -> list[str]:
    return ["".join(class_html(results, {}, {})), *map(feedback_html, results)]


def rows(results: list[SubmissionResult]) -> list[list[str]]:
    return list(csv.reader(io.StringIO(grades_csv(results), newline="")))


def test_printable_keeps_languages_and_replaces_controls() -> None:
    assert printable("a\tb\nc \u738b \u05de\u05d9 e\u0301") == "a\tb\nc \u738b \u05de\u05d9 e\u0301"
    assert printable("\x00\x1b\x9b\udcff\u202e\u2066\u2028") == "\ufffd" * 7
    assert printable("a\tb\n", keep="") == "a\ufffdb\ufffd"
    assert one_line(" a\r\n\tb\u2028c\x1b ") == "a b c\ufffd"


@pytest.mark.parametrize("mark", ["\u0301", "\u0327", "\u0344", "\u0f73", "\uff9e"])
def test_long_runs_of_combining_marks_are_seen(mark: str) -> None:
    assert stream_safe("x" + 30 * mark + "é" + 30 * mark)
    assert not stream_safe("x" + 31 * mark)
    assert stream_safe("卷积" * 1000 + "Ünïcödé " * 1000)


def test_a_change_is_told_in_lines_that_control_nothing() -> None:
    old, new = (
        [
            (
                submission(
                    "eve\x1b[2J\n", exercise("flip", "failed", ("values", 2, passed, "\x1b]0;owned\x07\nFar off."))
                ),
                RunRecord(),
            )
        ]
        for passed in (True, False)
    )
    assert changes_text(changes(old, new), 1).splitlines() == [
        "eve\ufffd[2J: 2 -> 0",
        "    flip values: passed -> failed: \ufffd]0;owned\ufffd Far off.",
        "1 of 1 grades changed.",
    ]


def test_who_has_no_grade_is_said_of_two_gradings() -> None:
    """Lost before, lost now, lost both times, absent and lost, and one who is graded both times."""
    lost = {"failed": "The disk is full."}
    good = exercise("flip", "passed", ("values", 2, True, ""))
    old = [submission("a", **lost), submission("b", good), submission("c", **lost), submission("e", good)]
    new = [submission("a", good), submission("b", **lost), submission("c", **lost), submission("d", **lost)]
    graded = [[(one, RunRecord()) for one in results] for results in (old, [*new, old[-1]])]
    assert changes_text(changes(*graded), 5).splitlines() == [
        "a: not graded -> 2",
        "    not graded before: The disk is full.",
        "b: 2 -> not graded",
        "    not graded now: The disk is full.",
        "c: not graded -> not graded",
        "    not graded before: The disk is full.",
        "    not graded now: The disk is full.",
        "d: absent -> not graded",
        "    not graded now: The disk is full.",
        "2 of 5 grades changed. 2 without a grade in either.",
    ]


def test_names_of_many_marks_are_not_normalised_as_a_whole() -> None:
    def seconds(marks: int) -> float:
        name = "e" + "\u0301" * marks + "\u0327" * marks
        start = time.process_time()
        class_table([submission(name)] * 3, 80, False, ascii_only=False)
        return time.process_time() - start

    assert seconds(10_000) < 20 * max(seconds(1_000), 0.01)


def test_summary_of_the_hand_written_class() -> None:
    summary = ClassSummary(tuple(three_and_one_lost()))
    assert summary.scores == [10.5, 2.5, 2.5]
    assert (round(summary.mean, 4), summary.median, summary.max_score) == (5.1667, 2.5, 9)
    assert [(e.name, e.max_points, e.tried, e.count("full")) for e in summary.exercises] == [
        ("flip", 2.5, 3, 1),
        ("slide_back", 2.5, 3, 2),
        ("Layer", 4, 1, 1),
        ("extra", 2, 3, 1),
    ]
    assert [round(e.mean, 4) for e in summary.exercises] == [1.5, 1.6667, 1.3333, 0.6667]
    assert [e.name for e in summary.hardest(2)] == ["flip", "Layer"]
    assert [(f.exercise, f.what, f.students, f.tried) for f in summary.failed_criteria] == [
        ("flip", "dtype", ("ada", "eve"), 3),
        ("extra", "values", ("bob", "eve"), 3),
        ("flip", "values", ("eve",), 3),
        ("slide_back", "values", ("bob",), 3),
    ]
    assert [(f.exercise, f.what, f.students) for f in summary.messages(2)] == [
        ("flip", "The dtype is float64.", ("ada", "eve"))
    ]
    kinds = [credit(e) for result in summary.graded for e in result.exercises]
    assert kinds[:2] == ["partial", "full"]
    assert kinds[4:] == ["full", "none", "not handed in", "none", "none", "full", "not started", "none"]


def test_terminal_table_of_the_hand_written_class() -> None:
    assert class_table(three_and_one_lost(), 80, False, ascii_only=True).splitlines() == [
        "               slide                          ",
        "student  flip   back  Layer  extra       score",
        "out of    2.5    2.5      4      2           9",
        "-" * 46,
        "ada         2    2.5      4      2      10.5/9",
        "bob       2.5      0      -      0       2.5/9",
        "cyd                                 not graded",
        "eve         0    2.5      .      0       2.5/9",
        "",
        ". not started     - not handed in",
        "",
        "3 of 4 graded; mean 5.2, median 2.5 of 9",
        "lowest success: flip 33 %, Layer 33 %, slide_back 67 %",
    ]


def test_where_all_passed_no_exercise_is_called_hard() -> None:
    best = [submission("ada", exercise("flip", "passed", ("values", 2, True, "")))]
    assert class_table(best, 80, False).splitlines()[-1] == "1 of 1 graded; mean 2, median 2 of 2"


def test_narrow_terminals_get_numbers_and_then_symbols() -> None:
    numbers = class_table(three_and_one_lost(), 36, False, ascii_only=True).splitlines()
    assert numbers[3] == "ada       2 2.5 4 2      10.5/9"
    assert " 2 slide_back" in "".join(numbers)
    symbols = class_table(three_and_one_lost(), 26, False, ascii_only=True).splitlines()
    assert symbols[2] == "ada      +###      10.5/9"
    assert symbols[3] == "bob      #x-x       2.5/9"


def test_24_exercises_fit_into_100_columns_with_their_points() -> None:
    table = class_table([result for result in large_class() if not result.infrastructure], 100, False, ascii_only=False)
    assert " 24 " in table.splitlines()[0]
    assert max(display_width(line) for line in table.splitlines()) <= 100


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("width", [0, 60, 80, 100, 140, 250])
def test_hostile_names_cannot_break_the_table(width: int, colour: bool, ascii_only: bool) -> None:
    results = large_class()
    table = class_table(results, width, colour, ascii_only=ascii_only)
    plain = re.sub(r"\x1b\[[0-9]*m", "", table)
    assert colour == ("\x1b[32m" in table)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\udcff\ufe0f]", plain)
    lines = plain.split("\n")
    grid = lines[: lines.index("")]
    assert len([line for line in grid if "/288" in line or "not graded" in line]) == len(results)
    assert len({display_width(line) for line in grid}) == 1
    assert not re.search("[\u0300-\u036f]{3}", plain)
    assert width < 60 or max(map(display_width, lines)) <= width
    assert not ascii_only or table.isascii()
    table.encode("utf-8")


def test_right_to_left_names_are_fenced_so_that_numbers_stay_in_place() -> None:
    (line,) = [
        line for line in class_table(large_class(), 100, False, ascii_only=False).splitlines() if "\u05de" in line
    ][:1]
    assert line.startswith("\u200e\u05de\u05d9\u05db\u05dc \u05db\u05d4\u05df\u200e ")


def test_ascii_is_the_default_where_the_terminal_lacks_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    results = three_and_one_lost()
    for encoding, ascii_only in (("cp1252", True), ("UTF-8", False)):
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
        assert class_table(results, 80, True) == class_table(results, 80, True, ascii_only=ascii_only)


def test_display_width_of_wide_and_combining_characters() -> None:
    assert [display_width(text) for text in ("abc", "\u738b\u5c0f", "\uff21", "e\u0301", "\u200e")] == [3, 4, 2, 1, 0]


def test_csv_of_the_hand_written_class() -> None:
    text = grades_csv(three_and_one_lost())
    assert rows(three_and_one_lost()) == [
        ["student", "score", "max_score", "flip", "slide_back", "Layer", "extra", *LATE, "status", "notes"],
        ["ada", "10.5", "9", "2", "2.5", "4", "2", "10.5", "0", "0", "graded", ""],
        ["bob", "2.5", "9", "2.5", "0", "0", "0", "2.5", "0", "0", "graded", "topic_torch was not handed in."],
        ["cyd", "", "", "", "", "", "", "", "", "", "not graded", "The sandbox did not start."],
        ["eve", "2.5", "9", "0", "2.5", "0", "0", "2.5", "0", "0", "graded", ""],
    ]
    assert '"ada",10.5,9,2,2.5,4,2,10.5,0,0,"graded",""\n' in text
    assert "\r" not in text


def test_a_message_of_all_criteria_is_said_once() -> None:
    missing = [("values", 2, False, "topic.py was not handed in."), ("errors", 1, False, "topic.py was not handed in.")]
    page = feedback_html(submission("ada", exercise("flip", "not handed in", *missing)))
    assert page.count("topic.py was not handed in.") == 1
    other = [missing[0], ("errors", 1, False, "Far off.")]
    text = feedback_html(submission("ada", exercise("flip", "failed", *other)))
    assert (text.count("topic.py was not handed in."), text.count("Far off.")) == (1, 1)


def test_names_stand_beside_keys_in_the_class_report() -> None:
    page = "".join(class_html(three_and_one_lost(), {}, {}, people={"ada": "Ada <Byron>", "bob": "bob", "cyd": ""}))
    assert '<a href="ada/feedback.html"><bdi>ada</bdi></a> <bdi>Ada &lt;Byron&gt;</bdi></th>' in page
    for student in ("bob", "cyd", "eve"):
        assert f'<a href="{student}/feedback.html"><bdi>{student}</bdi></a></th>' in page


def test_csv_ends_with_what_the_roster_says() -> None:
    attack = "=1+1"
    people = {"ada": Person("7", "Ada Müller, Jr.", section="01"), "bob": Person(name=attack)}
    text = grades_csv(three_and_one_lost(), people)
    head, *students = csv.reader(io.StringIO(text, newline=""))
    assert head == [*rows(three_and_one_lost())[0], "name", "section"]  # nobody has an address
    assert [row[-2:] for row in students] == [["Ada Müller, Jr.", "'01"], [f"'{attack}", ""], ["", ""], ["", ""]]
    assert {len(row) for row in students} == {len(head)}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "\uff1d", "\t=", "\x00=", "\u202e="])
def test_csv_cells_are_never_formulas(start: str) -> None:
    attack = start + "cmd|' /C calc'!A0;=1+1"
    (_, row) = rows([submission(attack, note=attack)])
    assert row[0] == row[-1]
    assert row[0][0] in ("'", "\ufffd")
    assert re.fullmatch(r"[0-9.,\n]*", re.sub(r'"([^"]|"")*"', "", grades_csv([submission(attack)])))


@pytest.mark.parametrize("separator", [";", "\t", "|", "\n", "\r"])
@pytest.mark.parametrize("lead", ["", " ", '"', '" "', "\xa0"])
def test_csv_cells_are_no_formulas_where_another_separator_splits_them(separator: str, lead: str) -> None:
    attack = f"ill{separator}{lead}=cmd|' /C calc'!A0{separator}{lead}-1+1"
    (_, row) = rows([submission("ada", note=attack)])
    for piece in re.split(r"[;\t|\r\n]", row[-1]):
        assert not re.match(r'[\s"]*[=+@-]', piece)
    harmless = "a = b; c - 1, -2"
    assert rows([submission("ada", note=harmless)])[1][-1] == harmless


def test_csv_has_one_row_a_student_whatever_the_names() -> None:
    table = rows(large_class())
    assert len(table) == 1 + len(HOSTILE)
    assert {len(row) for row in table} == {3 + 24 + 3 + 2}
    grades_csv(large_class()).encode("utf-8")


def test_feedback_of_the_hand_written_class() -> None:
    ada, bob, cyd, _ = (Page(feedback_html(result)).text for result in three_and_one_lost())
    assert "ada" in ada
    assert "10.5 of 9 points" in ada
    assert "3 of 4 exercises passed" in ada
    assert "flip partly passed 2 / 2.5" in ada
    assert "dtype : not passed 0 / 0.5 The dtype is float64." in ada
    assert "extra bonus passed 2 / 2" in ada
    assert "topic 6.5 / 5" in ada
    assert "topic_torch was not handed in." in bob
    assert "slide_back failed 0 / 2.5" in bob
    assert "Far off. It is flipped." in bob
    assert "Layer not handed in 0 / 4" in bob
    assert "extra bonus failed 0 / 2" in bob
    assert "Not graded yet." in cyd
    assert "points" not in cyd
    assert "sandbox" not in cyd


def test_class_page_of_the_hand_written_class() -> None:
    records = {
        "ada": RunRecord({}, "", 1.0, 0.25, 4.0, {"name": "namespaces"}),
        "eve": RunRecord({}, "", 3.0, 0.75, 8.0),
    }
    run = {"seed": "public default", "versions": {"numpy": "2.4.0"}, "required_isolation": False, "layers": ["a", "b"]}
    page = Page("".join(class_html(three_and_one_lost(), records, run)))
    assert "submissions 4 graded 3 mean 5.2 of 9 median 2.5 of 9" in page.text
    assert "1.8 to 2.7: 2;" in page.text
    assert "8.1 to 9: 1 " in page.text
    assert "out of 9 2.5 2.5 4 2 ada 10.5 2 2.5 4 2 bob 2.5 2.5 0 \u2013 0 cyd not graded The sandbox" in page.text
    assert "flip 33 % 1 1 1 1.5 of 2.5" in page.text
    assert "Layer 33 % 1 1 1 1.3 of 4" in page.text
    assert (
        "2 of 3 flip dtype ada , eve 2 of 3 extra values bob , eve 1 of 3 flip values eve 1 of 3 slide_back values bob"
        in page.text
    )
    assert "2 of 3 ada , eve flip The dtype is float64." in page.text
    assert "bob topic_torch was not handed in." in page.text
    assert "seed public default versions numpy: 2.4.0 required isolation no layers a, b" in page.text
    assert "isolation name: namespaces (1 submission)" in page.text
    assert "student's code, CPU 2.00 3.00 4.00 grader, CPU 0.50 0.75 1.00 wall clock 6.00 8.00 12.00" in page.text
    assert " 8.1 9+ score in points" in page.text  # ada has more than 9
    bars = [attributes for tag, attributes in page.elements if tag == "rect"]
    assert [(bar["x"], bar["height"]) for bar in bars] == [("132", "136.0"), ("433", "68.0")]


@pytest.mark.parametrize(("won", "level"), [(0, 0), (1, 1), (5, 1), (13, 3), (20, 5)])
def test_only_no_points_at_all_have_the_colour_of_none(won: int, level: int) -> None:
    criteria = ("won", won, True, ""), ("lost", 20 - won, False, "Far off.")
    page = Page("".join(class_html([submission("ada", exercise("flip", "failed", *criteria))], {}, {})))
    classes = [attributes.get("class") or "" for tag, attributes in page.elements if tag == "td"]
    assert [name for name in classes if name.startswith("level-")] == [f"level-{level}"]


def test_hostile_text_adds_no_element_and_no_script() -> None:
    tame = large_class(["harmless" if name else "" for name in HOSTILE])
    for page, harmless in zip(map(feedback_html, large_class()), map(feedback_html, tame), strict=True):
        assert [tag for tag, _ in Page(page).elements] == [tag for tag, _ in Page(harmless).elements]
        assert "<script" not in page
        page.encode("utf-8")
    report = Page("".join(class_html(large_class(), {name: RunRecord() for name in HOSTILE}, {HOSTILE[0]: HOSTILE[1]})))
    assert [tag for tag, _ in report.elements].count("script") == 1
    assert "img" not in [tag for tag, _ in report.elements]
    assert not [name for _, attributes in report.elements for name in attributes if name.startswith("on")]
    assert HOSTILE[0] in report.text
    assert HOSTILE[1] in report.text
    assert not re.search("[\x00-\x08\x0e-\x1f\x80-\x9f\u202e\udcff]", report.text)


def test_pages_load_nothing() -> None:
    for page in pages(large_class()):
        policy = next(a["content"] for tag, a in Page(page).elements if tag == "meta" and "http-equiv" in a)
        assert policy is not None
        assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
        assert not re.search(r"https?:|@import|url\(", page)
        for _, attributes in Page(page).elements:
            assert not attributes.keys() & {"src", "srcset", "data"}


def test_the_policy_admits_exactly_the_sorting_script() -> None:
    page = "".join(class_html(large_class(), {}, {}))
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'\"" in page.replace("&#43;", "+")


def test_links_lead_to_the_feedback_beside_the_report() -> None:
    links = [a["href"] for tag, a in Page("".join(class_html(large_class(), {}, {}))).elements if tag == "a"]
    assert [unquote(link or "") for link in links] == [f"{folder_name(name)}/feedback.html" for name in HOSTILE]
    assert all(re.fullmatch(r"[A-Za-z0-9%._~-]*/feedback\.html", link or "") for link in links)


def test_reports_are_deterministic_and_feedback_knows_one_student_only() -> None:
    assert pages(large_class()) == pages(large_class())
    assert grades_csv(large_class()) == grades_csv(large_class())
    ada = three_and_one_lost()[0]
    assert feedback_html(ada) == pages(three_and_one_lost())[1]


def test_empty_class() -> None:
    assert class_table([], 80, False) == "No submissions."
    assert rows([]) == [["student", "score", "max_score", *LATE, "status", "notes"]]
    assert "No submissions" in Page("".join(class_html([], {}, {}))).text


def test_nobody_graded() -> None:
    lost = [submission(name, failed="The disk is full.") for name in ("ada", "bob")]
    table = class_table(lost, 80, False, ascii_only=True)
    assert "0 of 2 graded" in table
    assert "mean" not in table
    assert rows(lost)[1] == ["ada", "", "", "", "", "", "not graded", "The disk is full."]
    text = Page("".join(class_html(lost, {}, {}))).text
    assert "submissions 2 graded 0 Students and exercises" in text
    assert text.count("not graded The disk is full.") == 2


def test_zero_points_divide_nothing() -> None:
    free = [submission("ada", exercise("warm_up", "passed", ("runs", 0, True, ""))), submission("bob")]
    assert "0/0" in class_table(free, 80, False)
    assert rows(free)[1:] == [
        ["ada", "0", "0", "0", "0", "0", "0", "graded", ""],
        ["bob", "0", "0", "", "0", "0", "0", "graded", ""],
    ]
    page = Page("".join(class_html(free, {}, {})))
    assert "mean 0 of 0" in page.text
    assert "rect" not in [tag for tag, _ in page.elements]
    assert "0 of 0 points" in Page(feedback_html(free[0])).text


def test_the_memory_of_a_report_hardly_grows_with_the_class(tmp_path: Path) -> None:
    assignment, chance = load("a1", ROOT), random.Random(0)
    peaks = []
    for count in (5, 20, 120):  # the first also compiles the templates
        out = tmp_path / str(count)
        for number in range(count):
            exercises = []
            for one in assignment.exercises:
                failed = chance.choice([None, *assignment.points[one.name]])
                criteria = [
                    (name, points, name != failed, f"What {one.name} does not do: {name}." * (name == failed))
                    for name, points in assignment.points[one.name].items()
                ]
                exercises.append(exercise(one.name, "failed" if failed else "passed", *criteria))
            result = SubmissionResult(f"s{number:04}", assignment.name, assignment.title, tuple(exercises))
            write_results(out / result.student, result, RunRecord({"grader": "0" * 64, "submission": f"{number:064}"}))
        write_json(out / "run.json", {"assignment": assignment.name})
        tracemalloc.start()
        report_class(out)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert (peaks[2] - peaks[1]) / 100 < 12_000, f"bytes a student; {peaks}"
