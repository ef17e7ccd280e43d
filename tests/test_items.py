"""What a class says about its exercises: points earned and discrimination against SciPy, and a page without names."""

from __future__ import annotations

import random

import pytest
from scipy import stats

from autograder.answer_groups import answer_groups
from autograder.report import anonymous, class_html, class_table, feedback_html
from autograder.report.summary import ClassSummary, readable
from autograder.results import Attention, CriterionResult, ExerciseResult, Late, RunRecord, Status, SubmissionResult

IMPORT = "topic.py could not be imported: line 3 holds a syntax error."


def exercise(name: str, *won: bool, status: Status | None = None, message: str = "Far off.") -> ExerciseResult:
    """One criterion of 2 points for each of ``won``."""
    criteria = tuple(CriterionResult(f"c{n}", 2, w, "" if w else message) for n, w in enumerate(won))
    return ExerciseResult(name, "topic", status or ("passed" if all(won) else "failed"), criteria)


def submission(student: str, *exercises: ExerciseResult, notes: tuple[str, ...] = ()) -> SubmissionResult:
    return SubmissionResult(student, "a9_topic", "A topic", exercises, notes)


def a_class(number: int) -> list[SubmissionResult]:
    """Students of all abilities; ``luck`` has nothing to do with them, and ``trap`` catches the good ones."""
    chance = random.Random(number)
    results = []
    for student in range(number):
        ability = chance.random()
        results.append(
            submission(
                f"s{student:03}",
                exercise("base", ability > 0.3),
                exercise("steps", ability > 0.2, ability > 0.5, ability > 0.7),
                exercise("more", *(ability > threshold / 10 for threshold in range(1, 10))),
                exercise("half", chance.random() + 0.6 * ability > 0.8),
                exercise("luck", chance.random() > 0.5),
                exercise("trap", ability < 0.6, True),
                exercise("gift", True),
            )
        )
    return results


def test_shares_of_points_and_discrimination_are_those_of_scipy() -> None:
    results = a_class(60)
    for position, item in enumerate(ClassSummary(tuple(results)).exercises):
        earned = [result.exercises[position].points for result in results]
        rest = [result.raw_score - points for result, points in zip(results, earned, strict=True)]
        assert item.earned == pytest.approx(sum(earned) / (60 * item.max_points))
        if item.name == "gift":
            assert item.discrimination is None
            continue
        assert item.discrimination == pytest.approx(stats.pearsonr(earned, rest).statistic)
        if item.name in ("base", "luck"):
            won = [points > 0 for points in earned]
            assert item.discrimination == pytest.approx(stats.pointbiserialr(won, rest).statistic)


def test_each_number_is_read_in_plain_words() -> None:
    readings = {item.name: item.reading for item in ClassSummary(tuple(a_class(200))).exercises}
    assert readings == {
        "base": "of medium difficulty; tells strong students from weak ones well",
        "steps": "of medium difficulty; tells strong students from weak ones well",
        "more": "of medium difficulty; tells strong students from weak ones well",
        "half": "of medium difficulty; tells strong students from weak ones to some degree",
        "luck": "of medium difficulty; hardly tells strong students from weak ones",
        "trap": "of medium difficulty; who is good elsewhere does worse here: look at the question",
        "gift": "easy; all have the same points",
    }
    assert {item.reading for item in ClassSummary(tuple(a_class(9))).exercises} == {"too few students to say"}


def test_criteria_that_everybody_or_nobody_passes() -> None:
    results = [submission(f"s{n}", exercise("flip", True, n > 1, False), exercise("turn", False)) for n in range(4)]
    results.append(
        submission("t", exercise("flip", False, False, False, status="not started"), exercise("turn", False))
    )
    flip, turn = ClassSummary(tuple(results)).exercises
    assert (list(flip.criteria(True)), list(flip.criteria(False))) == (["c0"], ["c2"])
    assert (list(turn.criteria(True)), list(turn.criteria(False))) == ([], ["c0"])
    page = "".join(class_html(results, {}, {}))
    assert "Criteria that nobody passes, of those who started: <code>flip.c2</code>, <code>turn.c0</code></p>" in page


def test_rates_are_those_of_readable_work() -> None:
    """Of five, one handed in nothing, one a file that cannot be imported, and one was lost by the grader."""
    results = [
        submission("ada", exercise("flip", True)),
        submission("bob", exercise("flip", False)),
        submission("cyd", exercise("flip", False, status="not handed in"), notes=("Nothing was handed in.",)),
        submission("dan", exercise("flip", False, message=IMPORT), notes=(IMPORT,)),
        SubmissionResult("eve", "a9_topic", "A topic", (), infrastructure="The disk is full."),
    ]
    summary = ClassSummary(tuple(results))
    assert [readable(result) for result in results] == [True, True, False, False, False]
    assert (len(summary.graded), len(summary.readable)) == (4, 2)
    assert (summary.exercises[0].success_rate, summary.exercises[0].earned) == (0.5, 0.5)
    assert (summary.scores, summary.mean, summary.median, summary.unread) == ([2, 0], 1, 1, 2)
    page = "".join(class_html(results, {}, {}))
    assert "of the 2 students who handed in readable work" in page
    assert '<th scope="col">earned</th>' in page
    assert '<td class="number" data-value="0.5">50 %</td>' in page
    assert "2 handed in nothing readable, and count in no average and no rate." in page
    assert "0 to 0.2: 1;" in page
    table = class_table(results, 100, False)
    assert "4 of 5 graded; mean 1, median 1 of 2\n2 handed in nothing readable and count in no average\n" in table


def test_where_nobody_handed_in_readable_work_there_is_no_mean() -> None:
    results = [submission("cyd", exercise("flip", False, status="not handed in"))]
    assert "1 of 1 graded\n1 handed in nothing readable and counts in no average" in class_table(results, 100, False)
    assert "<dt>mean</dt>" not in "".join(class_html(results, {}, {}))


def test_a_page_without_names_holds_none_and_counts_the_same() -> None:
    name, file = "ada.lovelace", "lovelace_final.py"
    late = Late(1, 1, sentence=f"{name} was late.")
    one = SubmissionResult(
        name,
        "a9_topic",
        "A topic",
        (exercise("flip", True, False),),
        (f"{file} was taken.",),
        attention=(Attention("chosen", f"{file} was taken."),),
        late=late,
        override=3,
        reason=f"{name} came by.",
    )
    broken = submission("dan", exercise("flip", False, False, message=IMPORT), notes=(IMPORT,))
    lost = SubmissionResult("eve_", "a9_topic", "A topic", (), infrastructure=f"{file} is a pipe.")
    record = RunRecord(groups={"flip": ["12"]}, nearest={"flip": ["dw += x → dw = x"]})
    graded = [(one, record), (submission("bob", exercise("flip", True, False)), record), (broken, RunRecord())]
    results, groups = anonymous([*(result for result, _ in graded), lost], answer_groups(graded))
    page = "".join(class_html(results, {}, {}, (), groups, {}, anonymous=True))
    for hidden in (name, "bob", "dan", "eve_", file, "dw +=", "feedback.html", "group:flip", "came by"):
        assert hidden not in page
    assert sorted(result.student for result in results) == ["student 1", "student 2", "student 3", "student 4"]
    assert sorted(result.score for result in results) == [0, 0, 2, 2]
    assert len(ClassSummary(tuple(results)).readable) == 2
    assert [len(group.students) for group in groups] == [2]


def test_feedback_begins_with_what_failed_and_folds_what_passed() -> None:
    result = SubmissionResult(
        "ada",
        "a9_topic",
        "A topic",
        (
            exercise("first", True),
            exercise("second", True, False),
            exercise("third", False, message="First look at second: third calls it, and it fails too."),
            exercise("fourth", False, status="not started", message="Not started."),
            exercise("fifth", True),
        ),
        regrade="Write to regrade@example.org within a week.",
    )
    page = feedback_html(result)
    places = [page.index(f"<code>{name}</code>") for name in ("second", "third", "fourth", "first", "fifth")]
    assert places == sorted(places)
    assert page.count("<details") == 2
    assert page.index("</article>") < page.index("<details")
    assert "say why your answer is right. Write to regrade@example.org within a week." in page
    assert "Write to your teacher." in feedback_html(submission("bob", exercise("first", True)))
