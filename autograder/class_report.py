"""What is written of a class as a whole: late rules and corrections by hand applied, tables and pages."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder import extensions, report
from autograder.answer_groups import answer_groups
from autograder.collect.entry import HANDED_IN, read_hand_in
from autograder.loading import course_root, full_name, sentences
from autograder.overrides import Override, apply_overrides, doubts, of_students, read_overrides
from autograder.results import ExerciseResult, NotGraded, RunRecord, SubmissionResult
from autograder.rows import together
from autograder.settings import SETTINGS, read_regrade
from autograder.store import Graded, folder_of, read_run, results_in, shared, write_pieces, write_results, write_text
from autograder.term import LateRules, late_rules
from autograder.void import apply_void, named, read_void

SIMILAR = "similar.csv"  # in a folder of grades, for staff
ANONYMOUS = "report-anonymous.html"


@dataclass(frozen=True)
class ClassRun:
    """A class as it was graded into ``out``; ``facts`` are those of the run as a whole, and ``notices`` say what needs
    a teacher's attention.
    """

    assignment: str
    results: tuple[SubmissionResult, ...]
    notices: tuple[report.Notice, ...]
    facts: Mapping[str, Any]
    out: Path

    @property
    def complete(self) -> bool:
        """Whether every submission has a grade."""
        return not any(result.infrastructure for result in self.results)


def report_class(
    out: Path,
    say: Callable[[str], None] = lambda sentence: None,
    *,
    course: str | Path | None = None,
    anonymous: bool = False,
) -> ClassRun:
    """Write ``grades.csv`` and ``report.html`` again from the results in ``out``, with ``overrides.csv``, and then the
    late rules of the ``course`` and ``extensions.csv``, applied anew. Nothing is graded. ``anonymous`` adds
    :data:`ANONYMOUS`, a page without names.

    Raises:
        CourseError: there are none, the course has no such assignment, or settings, ``overrides.csv`` or
            ``extensions.csv`` hold a slip.
        ResultsError: they cannot be read.
    """
    graded, facts = results_in(out), read_run(out)
    root = course_root(course)
    run = class_files(graded, facts, out, root, say)
    if anonymous:
        results, groups = report.anonymous(run.results, answer_groups(graded))
        known: dict[str, Any] = {name: facts[name] for name in ("graded", "isolation") if name in facts}
        said = sentences(run.assignment, root)
        write_pieces(out / ANONYMOUS, report.class_html(results, {}, known, (), groups, said, anonymous=True))
    return run


def tables_by_hand(out: Path, root: Path, assignment: str) -> tuple[list[Override], LateRules]:
    """What ``overrides.csv`` and ``extensions.csv`` say, the latter as part of the late rules.

    Raises:
        CourseError: they or the settings hold mistakes; each has its line in the message.
        ResultsError: as in :func:`autograder.term.late_rules`.
    """
    with together() as each:
        with each():
            overrides = read_overrides(out / "overrides.csv")
        with each():
            rules = late_rules(out, root, assignment)
    return overrides, rules


def class_files(
    graded: Sequence[Graded], facts: Mapping[str, Any], out: Path, root: Path, say: Callable[[str], None]
) -> ClassRun:
    """Apply what is decided after grading to what was ``graded``, and write the tables and pages of the class."""
    assignment = str(facts.get("assignment", ""))
    overrides, rules = tables_by_hand(out, root, assignment)
    settings = root / "solutions" / full_name(assignment, root) / SETTINGS
    voided, regrade = read_void(settings), read_regrade(settings)
    groups = answer_groups(graded)
    by_hand = of_students(overrides, groups)
    results, records, known = [], {}, {}
    same_exercises: dict[ExerciseResult, ExerciseResult] = {}
    days_moved = False
    for result, record in sorted(graded, key=lambda pair: pair[0].student):
        folder = folder_of(out, result.student)
        try:
            hand_in = read_hand_in(folder)
        except ValueError:
            damaged = NotGraded(result.student, assignment, result.title, f"Its {HANDED_IN} is damaged: grade again.")
            final, record = damaged.result(), RunRecord(not_graded=damaged)
        else:
            mine = by_hand.get(result.student, {})
            final = rules.apply(apply_overrides(apply_void(result, voided), mine), record, hand_in)
            if not final.infrastructure:
                final = dataclasses.replace(final, regrade=regrade)
            if final != result:
                write_results(folder, final, record)
            if hand_in:
                known[result.student] = hand_in
        days_moved |= (final.late.days if final.late else 0) != (result.late.days if result.late else 0)
        results.append(shared(final, same_exercises))
        records[result.student] = record
    for sentence in doubts(overrides, results, groups):
        say(sentence)
    for sentence in extensions.doubts(rules.extensions, records, rules.deadline):
        say(sentence)
    if rules.earlier:
        say(f"Free days spent in {', '.join(folder.name for folder in rules.earlier)} count here.")
    if days_moved and rules.later:
        say(f"Free days spent here have changed: report {', '.join(folder.name for folder in rules.later)} again.")
    if voided:
        say(f"Counts in full for everyone: {', '.join(named(voided))}.")
    same = report.similar(records, known)
    if same:
        say(f"{report.similar_text(same)}, listed in {out / SIMILAR}.")
        write_text(out / SIMILAR, report.similar_csv(same))
    else:
        (out / SIMILAR).unlink(missing_ok=True)
    said = {"void": named(voided)} if voided else {}
    said |= {"same hand-ins": [report.similar_text(same), SIMILAR]} if same else {}
    notices = report.needs_attention(results, known, rules.deadline)
    people = {key: one.person for key, one in known.items()}
    write_text(out / "grades.csv", report.grades_csv(results, people))
    page = report.class_html(
        results,
        records,
        {**facts, **said},
        notices,
        groups,
        sentences(assignment, root),
        people={key: person.name for key, person in people.items()},
    )
    write_pieces(out / "report.html", page)
    return ClassRun(assignment, tuple(results), notices, facts, out)
