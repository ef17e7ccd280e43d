"""What a regrade request needs: points set by hand that survive, an answer opened for staff, two gradings compared."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from autograder.cli import main


def results(out: Path, student: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((out / student / "results.json").read_text(encoding="utf-8"))
    return data


def override(out: Path, *rows: str) -> None:
    (out / "overrides.csv").write_text("\n".join(["student,exercise,points,reason", *rows, ""]), encoding="utf-8")


@pytest.fixture
def out(graded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(graded, tmp_path / "out"))


def test_an_override_counts_everywhere_and_survives_regrading(
    demo_class: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    override(out, 'emil,convolve,4,"Accepted: the handout was unclear"')
    for command in (
        ["report", str(out)],
        ["grade", "a1", str(demo_class), "-o", str(out), "--seed", "public"],
        ["grade", "a1", str(demo_class / "emil"), "-o", str(out), "--seed", "public", "--regrade"],
    ):
        assert main(command) == 0
        data = results(out, "emil")
        assert data["score"] == 104
        assert sum(test["score"] for test in data["tests"]) == 104
        assert "the handout was unclear" in (out / "emil" / "feedback.html").read_text(encoding="utf-8")
        (row,) = [r for r in (out / "grades.csv").read_text(encoding="utf-8").splitlines() if r.startswith('"emil"')]
        assert row.startswith('"emil",104,100,4,')
    override(out)
    assert main(["report", str(out)]) == 0
    assert results(out, "emil")["score"] == 101
    assert "the handout was unclear" not in (out / "emil" / "feedback.html").read_text(encoding="utf-8")


def test_an_override_of_nobody_is_said_and_the_others_count(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    override(
        out, "nobody,convolve,1,", "emil,polish,1,", " emil ,convolve , 1,", "emil,convolve,3.5,", "gus,convolve,99,"
    )
    assert main(["report", str(out)]) == 0
    *errors, same = capsys.readouterr().err.splitlines()
    assert same.startswith("The same but for names and layout: ")
    assert errors == [
        "overrides.csv: 'emil' has 2 rows for 'convolve', of which the last counts.",
        "overrides.csv: there is no student 'nobody'.",
        "overrides.csv: there is no exercise 'polish'.",
        "overrides.csv: gus gets 99 points of 4 for convolve: 4 count.",
    ]
    assert results(out, "emil")["score"] == 103.5


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("student,exercise,points\n", "lacks the column reason"),
        ("student,exercise,points,reason\nemil,convolve,many,\n", "line 2: 'many' is not a number"),
        ("student,exercise,points,reason\nemil,convolve,-1,\n", "line 2: -1 is not a number"),
        ("student,exercise,points,reason\nemil,convolve,nan,\n", "line 2: nan is not a number"),
        ("student,exercise,points,reason\nemil\n", "line 2 has no points"),
        ("student,exercise,points,reason\nemil,convolve,,late\n", "line 2 has no points"),
        ("student,exercise,points,reason\nemil,convolve,3,good, but late\n", "line 2 has a field too many"),
        ("", "lacks the columns student, exercise, points, reason"),
        (f"student,exercise,points,reason\nemil,convolve,3,{'x' * 200_000}\n", "is no table in CSV: field larger than"),
        (f"student,exercise,points,reason\nemil,convolve,{'x' * 999},\n", f"line 2: '{'x' * 299}….\n"),
    ],
)
def test_a_mistake_in_the_overrides_is_said_before_anything_is_graded(
    demo_class: Path, out: Path, capsys: pytest.CaptureFixture[str], text: str, sentence: str
) -> None:
    (out / "overrides.csv").write_text(text, encoding="utf-8")
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert main(["grade", "a1", str(demo_class), "-o", str(out), "--seed", "public", "--regrade"]) == 2
    assert sentence in capsys.readouterr().err
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_every_mistake_in_tables_by_hand_is_said_at_once(
    demo_class: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    override(out, "emil,convolve,many,", "gus,convolve,4,", "emil,*,50,", "judy,pad2d,3,good, but late")
    (out / "extensions.csv").write_text("student,until,reason\nada,soon,\nben,never,\n", encoding="utf-8")
    for command in (["report", str(out)], ["grade", "a1", str(demo_class), "-o", str(out), "--seed", "public"]):
        assert main(command) == 2
        places = [line.partition(":")[0] for line in capsys.readouterr().err.splitlines()]
        assert [re.sub(r".*/(\w+\.csv, line \d+).*", r"\1", place) for place in places] == [
            *(f"overrides.csv, line {line}" for line in (2, 4, 5)),
            *(f"extensions.csv, line {line}" for line in (2, 3)),
        ]


def test_show_opens_an_answer(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(out), "emil", "convolve", "--seed", "public"]) == 0
    text = capsys.readouterr().out
    assert "values / a longer signal than kernel: fails" in text
    assert "errors / an empty signal: passes" in text
    title, won, group, *_ = text.splitlines()
    assert (title, won) == ("emil, Convolution and kernels", "convolve: 1 of 4 points")
    assert group == "answer group 1: nobody else answers like this"
    for label in ("    x:          float64 (11,)", "    h:          float64 (4,)", "got:", "expected:"):
        assert label in text


def test_show_takes_the_beginning_of_a_name(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(out), "emi", "convolve", "--seed", "public"]) == 0
    assert "values / a longer signal than kernel: fails" in capsys.readouterr().out
    assert main(["show", str(out), "emi", "conv2d_"]) == 2
    assert "'conv2d_' could be conv2d_forward, conv2d_backward" in capsys.readouterr().err
    assert main(["show", str(out), "emi"]) == 2
    assert "Give a student and an exercise" in capsys.readouterr().err


def test_show_writes_a_page_for_an_appeal(out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "appeal.html"
    assert main(["show", str(out), "emil", "convolve", "--seed", "public", "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "def convolve(" in text
    assert "a longer signal than kernel" in text
    assert "array of float64, shape (11,)" in text
    assert "<mark>" in text
    assert not re.search("https?:|src=", text)


def test_a_group_is_shown_with_its_members(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(out), "--group", "convolve", "1", "--seed", "public"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("convolve, group 1: ")
    assert "Points for all of them: group:convolve:" in text
    assert ": fails" in text
    assert main(["show", str(out), "--group", "convolve", "99"]) == 2
    assert "There is no group 99 of convolve: they are numbered 1 to " in capsys.readouterr().err


def test_points_for_a_group_reach_newcomers_and_survive_regrading(
    demo_class: Path, out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Emma hands in what Emil does, laid out otherwise."""
    assert main(["show", str(out), "--group", "convolve", "1", "--seed", "public"]) == 0
    text = capsys.readouterr().out
    assert "Students (1): emil" in text
    (key,) = re.findall(r"group:convolve:\w+", text)
    emma = Path(shutil.copytree(demo_class / "emil", tmp_path / "emma"))
    for file in emma.rglob("*.py"):
        file.write_text(f"# by Emma\n\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
    override(out, f"{key},convolve,4,The handout was unclear", "emma,*,50,an interview")
    for _ in range(2):
        assert main(["grade", "a1", str(emma), "-o", str(out), "--seed", "public", "--regrade"]) == 0
        assert results(out, "emil")["score"] == 104
        emmas = results(out, "emma")
        assert (emmas["score"], sum(test["score"] for test in emmas["tests"])) == (50, 50)
        assert any(test["name"].startswith("convolve: set to 4 points") for test in emmas["tests"])


def test_show_prints_what_the_code_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = 'def convolve(x, h):\n    print("the signal is", len(x))\n    raise KeyError(len(h))\n'
    (tmp_path / "ann.py").write_text(source, encoding="utf-8")
    assert main(["grade", "a1", str(tmp_path / "ann.py"), "-o", str(tmp_path / "out")]) == 0
    assert main(["show", str(tmp_path / "out"), "ann", "convolve"]) == 0
    text = capsys.readouterr().out
    assert "the signal is 11" in text
    assert "KeyError: 4 (convolution.py, line 3)" in text


@pytest.mark.parametrize(
    ("student", "exercise", "sentence"),
    [("nobody", "convolve", "no student 'nobody'"), ("emil", "polish", "no exercise 'polish'")],
)
def test_show_of_what_is_not_there(
    out: Path, capsys: pytest.CaptureFixture[str], student: str, exercise: str, sentence: str
) -> None:
    assert main(["show", str(out), student, exercise]) == 2
    assert sentence in capsys.readouterr().err


def test_show_says_when_another_seed_was_graded_with(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(out), "emil", "convolve", "--seed", "other"]) == 0
    assert "have changed since this was graded" in capsys.readouterr().err


def test_diff_says_whose_grade_changed_and_why(
    demo_class: Path, graded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(demo_class, tmp_path / "class")
    shutil.copy(demo_class / "hana" / "convolution.py", tmp_path / "class" / "emil" / "convolution.py")
    shutil.copytree(graded, tmp_path / "new")
    for place in ("class", "new"):
        shutil.rmtree(tmp_path / place / "judy")
    assert main(["grade", "a1", str(tmp_path / "class"), "-o", str(tmp_path / "new"), "--seed", "public"]) == 0
    override(tmp_path / "new", "gus,pad2d,4,accepted")
    assert main(["report", str(tmp_path / "new")]) == 0
    capsys.readouterr()
    assert main(["diff", str(graded), str(tmp_path / "new")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" ")[0] for line in lines if not line.startswith(" ")] == ["emil:", "gus:", "judy:", "3"]
    assert "emil: 101 -> 103 (another submission)" in lines
    assert "    convolve values: failed -> passed" in lines
    assert any(line.startswith("    filter_image range: passed -> failed: ") for line in lines)
    assert "gus: 103 -> 104 (overrides.csv)" in lines
    assert "judy: 98 -> absent" in lines
    assert lines[-1] == "3 of 17 grades changed."
    assert main(["diff", str(graded), str(graded)]) == 0
    assert capsys.readouterr().out == "0 of 17 grades changed.\n"
    assert main(["diff", str(graded), str(tmp_path / "new"), "--json"]) == 0
    assert [change["student"] for change in json.loads(capsys.readouterr().out)] == ["emil", "gus", "judy"]


def test_diff_of_two_assignments_is_refused(graded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "emil.py").write_text("")
    assert main(["grade", "a2", str(tmp_path / "emil.py"), "-o", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    assert main(["diff", str(graded), str(tmp_path / "out")]) == 2
    sentence = (
        f"{graded} holds a1_convolution and {tmp_path / 'out'} holds a2_activations: there is nothing to compare."
    )
    assert capsys.readouterr().err == f"{sentence}\n"
