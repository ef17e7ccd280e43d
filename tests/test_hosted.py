"""Grading where a platform calls: in parts, within its time, by its times; and no zero where the grader fails."""

from __future__ import annotations

import dataclasses
import json
import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from gradescope_results import problems
from otter.run.run_autograder.autograder_config import AutograderConfig
from otter.test_files import GradingResults

from autograder import loading, workers
from autograder.collect.entry import HandIn
from autograder.course import Assignment
from autograder.deadline import Deadline, LatePolicy
from autograder.demo import EXIT, endless
from autograder.hosted import gradescope, parts
from autograder.hosted.otter import GraderPlugin
from autograder.judge import Judge
from autograder.limits import Limits
from autograder.outcome import Stopped
from autograder.release.package import course
from autograder.results import CriterionResult, ExerciseResult, SubmissionResult, from_gradescope, to_gradescope
from autograder.sandbox.isolation import choose
from autograder.sandbox.protocol import SandboxError
from autograder.workers import Grader, Setting, Task

ROOT = Path(__file__).parent.parent
SEED = "a secret of this term"
DUE = datetime(2027, 2, 1, 12, tzinfo=UTC)
METADATA = {
    "id": 12,
    "created_at": "2027-02-01T05:30:00.000000-08:00",
    "assignment": {"due_date": "2027-02-01T04:00:00.000000-08:00", "total_points": "100.0"},
    "users": [{"id": 3, "name": "Ada L", "email": "ada@example.org"}, {"id": 4, "name": "Bo", "email": None}],
    "previous_submissions": [{"submission_time": "2027-01-31T05:30:00-08:00", "score": "3.0"}],
}


@pytest.fixture(scope="module")
def a1() -> Assignment:
    return loading.load("a1", ROOT)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the platform calls /autograder, for assignment 1, with a submission of the reference."""
    for name, content in course("a1_convolution", ROOT, SEED).items():
        path = tmp_path / "source" / "course" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (tmp_path / "submission").mkdir()
    (tmp_path / "results").mkdir()
    (tmp_path / "submission_metadata.json").write_text(json.dumps(METADATA), encoding="utf-8")
    monkeypatch.setattr(gradescope, "isolation", choose)
    return tmp_path


def hand_in(tree: Path, **changed: str) -> None:
    for part in ("convolution", "convolution_torch"):
        source = (ROOT / "solutions" / "a1_convolution" / f"{part}.py").read_text(encoding="utf-8")
        (tree / "submission" / f"{part}.py").write_text(source + changed.get(part, ""), encoding="utf-8")


def results(tree: Path) -> Any:
    return json.loads((tree / "results" / "results.json").read_text(encoding="utf-8"))


def whole(folder: Path) -> SubmissionResult:
    grader = Grader(Setting("a1", ROOT, SEED, choose()))
    try:
        result = grader.grade(Task("submission", folder, {})).result
    finally:
        grader.close()
    assert result is not None
    return result


@pytest.mark.slow
def test_a_submission_is_graded_as_elsewhere_and_in_the_platforms_form(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(tree, convolution="\n\ndef convolve(x, h):\n    return x\n")
    assert gradescope.main([str(tree)]) == 0
    data, want = results(tree), whole(tree / "submission")
    assert problems(data) == []
    assert from_gradescope(data).exercises == want.exercises
    assert data["score"] == want.score == 100
    assert HandIn.from_json(data["extra_data"]["hand_in"]).members[1].name == "Bo"
    assert from_gradescope(data).student == "ada@example.org"
    assert "Handed in 1 hour 30 minutes after 2027-02-01 04:00 UTC-08:00: nothing is taken." in data["output"]
    assert "a1_convolution: 100 of 100 points." in capsys.readouterr().out


def test_schema_of_results_says_what_is_wrong() -> None:
    assert problems({"score": 1, "tests": []}) == []
    assert len(problems({"score": "1", "visibility": "shown", "tests": [{"name": "x", "status": "won"}]})) == 5


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.0, 600.0])
def test_a_part_without_end_costs_its_own_points(
    tree: Path, a1: Assignment, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    """One that takes all the time given to it is not graded, and the other is reported."""
    hand_in(tree, convolution_torch=EXIT)
    apart = parts._graded_apart

    def timed(setting: Setting, assignment: Assignment, task: Task, part: Any, seconds: float) -> Any:
        return apart(setting, assignment, task, part, share if part.name == "convolution" else seconds)

    monkeypatch.setattr(parts, "_graded_apart", timed)
    setting = Setting("a1", tree / "source" / "course", SEED, choose())
    graded = parts.grade_parts(setting, "ada", tree / "submission", 600)
    earned = {part.name: sum(e.points for e in graded.result.exercises if e.part == part.name) for part in a1.parts}
    assert [e.name for e in graded.result.exercises] == [e.name for e in a1.exercises]
    assert earned["convolution_torch"] == 0
    if share:
        assert earned["convolution"] > 80
        assert graded.unfinished == ()
    else:
        assert earned["convolution"] == 0
        assert graded.unfinished == ("convolution",)
        assert "convolution.py could not be graded to its end" in " ".join(graded.result.notes)
        assert {c.message for c in graded.result.exercises[0].criteria} == {
            "Not graded: convolution.py took all the time that the platform gives."
        }


def test_shares_of_time(a1: Assignment, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of two parts may use half of the time; what it leaves is the other's."""
    asked: list[float] = []
    now = [0.0]

    def graded(setting: object, assignment: object, task: object, part: object, seconds: float) -> None:
        asked.append(seconds)
        now[0] += 10

    monkeypatch.setattr(parts, "_graded_apart", graded)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    found = parts.grade_parts(Setting("a1", ROOT, SEED, "none"), "ada", ROOT, 100)
    assert asked == [50, 90]
    assert found.unfinished == ("convolution", "convolution_torch")
    assert found.result.score == 0


def dies(*_: object) -> None:
    raise SystemExit(3)


@pytest.mark.parametrize("how", ["dies", "fails"])
def test_where_the_grader_fails_there_is_no_result(
    tree: Path, how: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "submission" / "convolution.py").write_text("x = 1\n", encoding="utf-8")
    if how == "dies":
        monkeypatch.setattr(parts, "_grade", dies)
    else:
        (tree / "source/course/solutions/a1_convolution/convolution.py").write_text("", encoding="utf-8")
    assert gradescope.main([str(tree)]) == 1
    assert not (tree / "results" / "results.json").exists()
    assert "Not graded: " in capsys.readouterr().out


def test_where_nothing_confines_there_is_no_result(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(gradescope, "problem", lambda name: f"no {name} here")
    assert gradescope.main([str(tree)]) == 1
    said = "Students' code cannot be confined here. container: no container here nobody: no nobody here"
    assert capsys.readouterr().out == f"Not graded: {said}\n"
    assert list((tree / "results").iterdir()) == []
    assert gradescope.main([str(tree), "--prepare"]) == 0  # images may be built elsewhere than they run


def test_nobody_stands_in_for_a_container(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gradescope, "problem", lambda name: "" if name == "nobody" else "no Landlock")
    assert gradescope.isolation() == "nobody"
    monkeypatch.setattr(gradescope, "problem", lambda name: "")
    assert gradescope.isolation() == "container"
    monkeypatch.setattr(gradescope, "problem", lambda name: "none")
    with pytest.raises(SandboxError, match="cannot be confined"):
        gradescope.isolation()


# Whose it is, and when it was handed in


def test_metadata_of_a_group(tmp_path: Path) -> None:
    file = tmp_path / "submission_metadata.json"
    file.write_text(json.dumps(METADATA), encoding="utf-8")
    found = gradescope.read_metadata(file)
    assert found.due == DUE
    assert found.hand_in.handed_in == DUE + timedelta(hours=1.5)
    assert (found.hand_in.key, found.hand_in.attempt, found.hand_in.source) == ("ada@example.org", 2, "submission_12")
    assert [(one.name, one.email) for one in found.hand_in.members] == [("Ada L", "ada@example.org"), ("Bo", "")]


@pytest.mark.parametrize(
    ("data", "key"), [({}, "submission"), ({"id": 5}, "submission 5"), ({"users": None}, "submission")]
)
def test_metadata_that_says_little(tmp_path: Path, data: dict[str, Any], key: str) -> None:
    file = tmp_path / "submission_metadata.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    found = gradescope.read_metadata(file)
    assert (found.hand_in.key, found.hand_in.handed_in, found.due) == (key, None, None)


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"users": {"id": 3}}', '{"users": [3]}', '{"assignment": 3}', '{"created_at": "2027-02-01T12:00:00"}'],
)
def test_metadata_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "submission_metadata.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r".+"):
        gradescope.read_metadata(file)


RATE = LatePolicy(unit="day", rate=Decimal(10))


@pytest.mark.parametrize(
    ("deadline", "due", "hours", "off"),
    [
        (Deadline(DUE, policy=RATE), None, 1, 10),  # of the settings
        (Deadline(DUE, policy=RATE), DUE + timedelta(days=2), 25, 0),  # an extension on the platform
        (Deadline(None, policy=RATE), DUE, 25, 20),
        (Deadline(DUE - timedelta(days=9), policy=RATE), DUE, 25, 20),
        (Deadline(DUE), DUE, 25, 0),  # nothing is docked without a policy
        (Deadline(DUE, policy=dataclasses.replace(RATE, days=3)), DUE, 25, 0),  # nobody knows here how many are left
    ],
)
def test_late_rules_take_the_platforms_times(deadline: Deadline, due: datetime | None, hours: int, off: float) -> None:
    hand_in = HandIn("gradescope", "ada", handed_in=DUE + timedelta(hours=hours), source="s")
    result = dataclasses.replace(SubmissionResult("ada", "a1", "A1", ()), override=80)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SubmissionResult, "max_score", 100)
        found = gradescope.late_by(deadline, gradescope.Metadata(hand_in, due), result)
    assert (found.points_off if found else 0) == off
    if deadline.policy.days:
        assert found is not None
        assert "Free days of the term, and what remains after them, are counted later." in found.sentence


def test_without_a_time_nothing_is_late() -> None:
    metadata = gradescope.Metadata(HandIn("gradescope", "ada"), DUE)
    assert gradescope.late_by(Deadline(DUE, policy=RATE), metadata, SubmissionResult("ada", "a1", "A1", ())) is None


def test_results_are_read_without_the_facts_of_the_hand_in() -> None:
    result = SubmissionResult("ada", "a1", "A1", ())
    data = to_gradescope(result)
    data["extra_data"]["hand_in"] = HandIn("gradescope", "ada").to_json()
    assert from_gradescope(data) == result


# Smaller limits


def test_a_child_may_have_less_memory(a1: Assignment) -> None:
    """What 64 MB more hold does not fit into 32 MB; the positive control has the usual limit."""
    source = "import numpy as np\ndef convolve(x, h):\n    np.ones(8 << 20)\n    raise KeyError\n"
    exercise = next(e for e in a1.exercises if e.name == "convolve")
    case = exercise.cases()[0]
    said = []
    for limits in (Limits(), Limits(child=32 << 20)):
        with Judge(a1, SEED, choose(), limits) as judge:
            session = judge.sandboxes.session(a1.parts[0], {"convolution.py": source})
            said.append(session.ask(judge.examiner.question(exercise, case, judge.key.inputs[case]), 5.0))
            session.close()
    assert [getattr(outcome, "name", outcome) for outcome in said] == ["KeyError", "MemoryError"]


def test_answers_may_take_less_memory(a1: Assignment) -> None:
    source = "import numpy as np\ndef convolve(x, h):\n    return np.ones(1 << 17)\n"
    exercise = next(e for e in a1.exercises if e.name == "convolve")
    case = exercise.cases()[0]
    with Judge(a1, SEED, choose(), Limits(answers=3 << 20)) as judge:
        session = judge.sandboxes.session(a1.parts[0], {"convolution.py": source})
        asked = [session.ask(judge.examiner.question(exercise, case, judge.key.inputs[case]), 5.0) for _ in range(5)]
        session.close()
    assert asked.count(Stopped("answers")) == 2


def test_tables_are_not_made_where_no_time_is_for_it(a1: Assignment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.nearest.candidates", lambda *_: pytest.fail("it was asked"))
    exercise = next(e for e in a1.exercises if e.name == "convolve")
    with Judge(a1, "another seed", "none", Limits(make_tables=False)) as judge:
        assert judge.reference.table(exercise) == {}


def test_a_grader_of_some_parts_asks_no_other(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in(tree, convolution=endless("convolve"))
    asked: list[Any] = []

    class Recording:
        def __init__(self, *_: object) -> None: ...

        def grade(self, submission: Any) -> Any:
            asked.append(sorted(submission.parts))
            raise SandboxError("enough")

        def close(self) -> None: ...

    monkeypatch.setattr(workers, "Judge", Recording)
    for some in ([], ["convolution_torch"]):
        Grader(Setting("a1", ROOT, SEED, "none"), some).grade(Task("ada", tree / "submission", {}))
    assert asked == [["convolution", "convolution_torch"], ["convolution_torch"]]


# Otter


def test_a_bonus_comes_on_top_of_what_is_possible_in_otter() -> None:
    """Full marks without the bonus are all that is possible; with it they are more."""

    def exercise(name: str, points: float, won: bool, bonus: bool = False) -> ExerciseResult:
        return ExerciseResult(name, "part", "passed", (CriterionResult("values", points, won, "So."),), bonus)

    for won, total in ((False, 100), (True, 104)):
        plugin = object.__new__(GraderPlugin)
        exercises = (
            exercise("convolve", 60, True),
            exercise("pad2d", 40, True),
            exercise("col2im", 4, won, bonus=True),
        )
        plugin.result = SubmissionResult("ada", "a1", "A1", exercises)
        results = GradingResults([])
        plugin.after_grading(results)
        assert (results.total, results.possible, results.percent) == (total, 100, total / 100)
        tests = results.to_gradescope_dict(AutograderConfig())["tests"]
        assert [(test["score"], test["max_score"]) for test in tests[-3:]] == [(60, 60), (40, 40), (4 * won, 0)]
