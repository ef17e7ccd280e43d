"""A bank entry drafted from a group of equal wrong answers that no mistake of the bank explains, and proven at once.

The patch is that of the nearest small change of the reference, where one is known, else what a maintainer gives. It is
right if the reference answers like the group with it.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.answer_groups import AnswerGroup
from autograder.arguments import path as _path
from autograder.arguments import say
from autograder.course import Assignment, Case, Conventions, CourseError, Exercise, Misconception
from autograder.examiner import Outcomes
from autograder.groups import answer_digests
from autograder.judge import Judge
from autograder.loading import course_root, load, term_seed
from autograder.named import OUTSIDERS
from autograder.patch import apply
from autograder.sandbox.isolation import choose
from autograder.scoring import Failures
from autograder.show import find_group, handed_in
from autograder.source import definition, reached, replace_definition
from autograder.store import results_in

SENTENCE = "SENTENCE"  # what stands for it in a draft


@dataclass(frozen=True)
class Draft:
    """An entry for the bank; ``code`` is a member's, without comments and docstrings, as a test of it."""

    group: AnswerGroup
    mistake: Misconception
    code: str

    @property
    def complete(self) -> bool:
        return bool(self.mistake.old and self.mistake.sentence != SENTENCE)

    def entry(self) -> str:
        """As it stands in ``misconceptions.py``."""
        wrong = self.mistake
        texts = (wrong.name, wrong.exercise, wrong.sentence, wrong.old, wrong.new)
        return "    Misconception(\n" + "".join(f"        {_literal(text)},\n" for text in texts) + "    ),\n"

    def test(self) -> str:
        """As it stands in ``tests/outsiders``."""
        return f"# {self.mistake.exercise}: [{self.mistake.name}] as a group of students has it\n{self.code}\n"


def draft(
    out: Path,
    exercise: str,
    number: str,
    course: Path | None,
    *,
    name: str = "",
    sentence: str = "",
    change: tuple[str, str] | None = None,
) -> Draft:
    """An entry for a group among those graded into ``out``.

    Args:
        name, sentence: of the mistake; what is not given is left to be filled in.
        change: text of the reference and what replaces it; the nearest small change if not given.

    Raises:
        CourseError: there is no such group, or it has a name already.
        SubmissionPathError: no submission of it can be read any more.
    """
    group = find_group(out, exercise, number)
    if group.misconceptions:
        raise CourseError(f"Group {group.number} of {group.exercise} is known: {', '.join(group.misconceptions)}.")
    student = group.students[0]
    result, record = next(one for one in results_in(out) if one[0].student == student)
    assignment = load(result.assignment, course_root(course))
    if any(one.name == group.exercise and isinstance(one, Conventions) for one in assignment.exercises):
        raise CourseError("Conventions have no bank: what breaks one is named by the convention.")
    reference = definition(_reference(assignment, group.exercise), group.exercise)
    old, new = change or _nearest(reference, group.nearest)
    mistake = Misconception(name or "NAME", group.exercise, sentence or SENTENCE, old, new)
    part = next(one.part for one in assignment.exercises if one.name == group.exercise)
    files = handed_in(out, student, record, assignment).parts.get(part, {})
    return Draft(group, mistake, _code(files.get(f"{part}.py", ""), group.exercise, assignment))


def prove(drafted: Draft, out: Path, course: Path | None, seed: str | None) -> None:
    """Ask the reference with the patch, and with a member's code in its place, what the group was asked.

    Raises:
        CourseError: the patch does not fit, either answers otherwise than the group (the message names cases), or the
            bank knows the answers.
    """
    root = course_root(course)
    assignment = load(_assignment_of(out, drafted.group), root)
    exercise = next(one for one in assignment.exercises if one.name == drafted.group.exercise)
    reference = _reference(assignment, exercise.name)
    patched = apply(reference, drafted.mistake)
    replaced = replace_definition(reference, exercise.name, drafted.code)
    with Judge(assignment, seed or term_seed(root), choose()) as judge:
        theirs, got = (_answers(judge, exercise, source) for source in (replaced, patched))
        if not _equal(judge, exercise, theirs, drafted.group):
            raise CourseError(
                f"Among right functions the {exercise.name} of the group answers otherwise: what it calls is wrong."
            )
        if not _equal(judge, exercise, got, drafted.group):
            cases = _differing(judge, exercise, theirs, got)
            where = f" in {len(cases)} of {len(exercise.cases())} cases, such as {cases[0]}" if cases else ""
            raise CourseError(f"With this patch the reference answers otherwise than the group{where}: try another.")
        if known := {wrong.name for wrong in judge.reference.diagnose(exercise, got).values()}:
            raise CourseError(f"The bank knows these answers: {', '.join(sorted(known))}.")


def write(drafted: Draft, out: Path, course: Path | None) -> tuple[Path, Path]:
    """Put the entry at the end of the bank and the member's code among the outsiders'; returns both files.

    Raises:
        CourseError: the bank holds a mistake of this name, or the test stands there already.
    """
    root = course_root(course)
    name = _assignment_of(out, drafted.group)
    bank = root / "solutions" / name / "grading" / "misconceptions.py"
    text = bank.read_text(encoding="utf-8")
    if _literal(drafted.mistake.name) in text:
        raise CourseError(f"{bank} holds {drafted.mistake.name!r} already.")
    slug = re.sub(r"\W+", "_", drafted.mistake.name.casefold()).strip("_")
    test = root / OUTSIDERS / name.split("_")[0] / "wrong" / f"{drafted.mistake.exercise}-{slug}.py"
    if test.exists():
        raise CourseError(f"{test} is there already.")
    lines = text.splitlines(keepends=True)
    lines.insert(_end_of_bank(text, bank) - 1, drafted.entry())
    bank.write_text("".join(lines), encoding="utf-8", newline="\n")
    test.parent.mkdir(parents=True, exist_ok=True)
    test.write_text(drafted.test(), encoding="utf-8", newline="\n")
    return bank, test


def _answers(judge: Judge, exercise: Exercise, source: str) -> Outcomes:
    part = judge.assignment.part_of(exercise)
    judge.reference.expect(part)
    return judge.examiner.ask_part(part, {f"{part.name}.py": source}, [exercise])[0]


def _equal(judge: Judge, exercise: Exercise, got: Outcomes, group: AnswerGroup) -> bool:
    failing = judge.key.failures(exercise, got)
    return bool(failing) and bool({*answer_digests(exercise, failing, got, judge.key.expected)} & {*group.digests})


def _differing(judge: Judge, exercise: Exercise, one: Outcomes, other: Outcomes) -> list[str]:
    """The titles of the cases that are not answered alike, quoted."""

    def digests(got: Outcomes, failing: Failures, case: Case) -> set[str]:
        alone = {name: [pair for pair in failed if pair[0] is case] for name, failed in failing.items()}
        alone = {name: failed for name, failed in alone.items() if failed}
        return {*answer_digests(exercise, alone, got, judge.key.expected)}

    both = [(got, judge.key.failures(exercise, got)) for got in (one, other)]
    return [
        f"“{case.title}”"
        for case in exercise.cases()
        if not set.intersection(*(digests(got, failing, case) for got, failing in both))
    ]


def _assignment_of(out: Path, group: AnswerGroup) -> str:
    return next(result.assignment for result, _ in results_in(out) if result.student == group.students[0])


def _reference(assignment: Assignment, name: str) -> str:
    return assignment.references[next(one.part for one in assignment.exercises if one.name == name)]


def _nearest(reference: str, changes: Sequence[str]) -> tuple[str, str]:
    """The text of the reference that a small change replaces, and what by; empty where there is none or several."""
    for change in changes:
        before, _, after = change.partition(" → ")
        for node in ast.walk(ast.parse(reference)):
            if isinstance(node, ast.stmt | ast.expr) and ast.unparse(node) == before:
                text = ast.get_source_segment(reference, node)
                if text and reference.count(text) == 1:
                    return text, after
    return "", ""


def _code(source: str, name: str, assignment: Assignment) -> str:
    """A definition after the imports and the helpers of its own, without comments and docstrings, which may say whose
    it is.
    """
    exercises = {exercise.name for exercise in assignment.exercises}
    try:
        own = [one for one in sorted(reached(source)[name]) if one not in exercises]
        top = [one for one in ast.parse(source).body if isinstance(one, ast.Import | ast.ImportFrom)]
        imports = [ast.unparse(one) for one in top if getattr(one, "module", "") != "__future__"]
        tree = ast.parse("\n".join([*imports, *(definition(source, one) for one in [*own, name])]))
    except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError):
        raise CourseError(f"No code of {name} can be read from what the group handed in.") from None
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            node.body = body[1:] or [ast.Pass()]  # type: ignore[attr-defined]
    return ast.unparse(tree)


def _end_of_bank(text: str, bank: Path) -> int:
    for node in ast.parse(text).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(target, ast.Name) and target.id == "MISCONCEPTIONS" for target in targets):
            assert node.end_lineno
            return node.end_lineno
    raise CourseError(f"{bank} holds no MISCONCEPTIONS.")


def _literal(text: str) -> str:
    """As ruff formats it; a text of several lines as one literal a line."""
    lines = [json.dumps(line, ensure_ascii=False) for line in text.splitlines(keepends=True)] or ['""']
    return lines[0] if len(lines) == 1 else "\n        ".join(lines)


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``learn`` to the commands of the command line."""
    parser = commands.add_parser("learn", help="draft an entry of the bank from an answer group without a name")
    parser.add_argument("out", type=_path, metavar="DIR", help="the folder that grade wrote")
    parser.add_argument("exercise")
    parser.add_argument("number", help="of the group, as the report has it")
    parser.add_argument("--name", default="", help="of the mistake, for staff: a few words")
    parser.add_argument("--sentence", default="", help="what students are told: it explains, and gives no answer away")
    parser.add_argument(
        "--change", nargs=2, metavar=("OLD", "NEW"), help="of the reference; else the nearest small one"
    )
    parser.add_argument("--write", action="store_true", help="into the bank and tests/outsiders, once it is proven")
    parser.add_argument("--seed", help="the term seed that was graded with")
    parser.set_defaults(run=_learn)


def _learn(options: argparse.Namespace) -> int:
    change = tuple(options.change) if options.change else None
    drafted = draft(
        options.out,
        options.exercise,
        options.number,
        options.course,
        name=options.name,
        sentence=options.sentence,
        change=change,
    )
    group = drafted.group
    students = "1 student" if group.size == 1 else f"{group.size} students"
    say(f"{group.exercise}, group {group.number}, {students}: {group.message}", sys.stdout)
    if drafted.mistake.old:
        prove(drafted, options.out, options.course, options.seed)
        say("The reference with this patch, and the code below, answer like the group.", sys.stdout)
    else:
        say("No small change of the reference answers like this: give one by --change OLD NEW.", sys.stdout)
    if not (options.write and options.name and drafted.complete):
        if options.write:
            raise CourseError("Before it is written it needs --name, --sentence and a patch.")
        print(f"\n{drafted.entry()}\n{drafted.test()}\n{_difference(drafted, options.out, options.course)}")
        return 0
    bank, test = write(drafted, options.out, options.course)
    say(f"Written to {bank} and {test}: read both, then run audit.", sys.stdout)
    return 0


def _difference(drafted: Draft, out: Path, course: Path | None) -> str:
    """The reference beside the group's code, both as Python writes them."""
    assignment = load(_assignment_of(out, drafted.group), course_root(course))
    name = drafted.group.exercise
    ours = _code(_reference(assignment, name), name, assignment)
    lines = difflib.unified_diff(ours.splitlines(), drafted.code.splitlines(), "reference", "group", lineterm="", n=2)
    return "\n".join(lines)
