"""The command line: ``python -m autograder`` or ``autograder``."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import shutil
import sys
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from autograder import (
    appeal,
    back,
    build,
    class_report,
    demo,
    grading,
    learn,
    loading,
    places,
    report,
    show,
    store,
    translation,
)
from autograder.arguments import count as _count
from autograder.arguments import path as _path
from autograder.arguments import say as _say
from autograder.audit_command import add_command as add_audit
from autograder.collect.download import CollectError
from autograder.collect.recognise import CHOICES
from autograder.course import CourseError
from autograder.exports.sheet import ExportError
from autograder.missing import missing_pieces
from autograder.new.command import add_command as add_new
from autograder.progress import Progress
from autograder.release.command import add_command as add_release
from autograder.sandbox.isolation import ISOLATIONS, layers, problem
from autograder.sandbox.protocol import SandboxError
from autograder.submission import SubmissionPathError

GRADED, FAILED, MISUSED = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code is 0 (done), 1 (something failed) or 2 (wrong use)."""
    options = _parser().parse_args(arguments)
    try:
        code = int(options.run(options))
        sys.stdout.flush()
        return code
    except (SandboxError, SubmissionPathError, build.BuildError, store.ResultsError) as error:
        _say(error)
        return FAILED
    except OSError as error:
        if not error.filename:  # then Python would fail at its end too, over what is left of the output
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # else whoever read the output has seen enough
            _say(f"{error.filename or 'The output'}: {error.strerror or error}.")
        return FAILED
    except (CourseError, CollectError, ExportError) as error:
        for sentence in error.args:
            _say(sentence)
        return MISUSED
    except KeyboardInterrupt:
        _say("Interrupted. What is graded is kept; the same command goes on from here.")
        return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autograder", description="Grade the course's assignments.")
    cores = os.cpu_count() or 1
    parser.add_argument("--course", type=_path, metavar="DIR", help="the course's root folder (this repository)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    grade = commands.add_parser("grade", help="grade submissions: files (.py, .ipynb, .zip), folders, a folder of them")
    grade.add_argument("assignment", help="a1, or a1_convolution")
    grade.add_argument("submissions", type=_path, nargs="+")
    grade.add_argument("-o", "--out", type=_path, required=True, metavar="DIR", help="where results go")
    grade.add_argument("--jobs", type=_count("workers"), default=cores, metavar="N", help="workers (all cores)")
    grade.add_argument("--executor", default="", metavar="dask://HOST:PORT", help="a Dask cluster's workers instead")
    grade.add_argument("--seed", help="term seed (else AUTOGRADER_SEED, else .autograder-seed, else public)")
    grade.add_argument("--regrade", action="store_true", help="grade again even what has not changed")
    grade.add_argument("--require-isolation", choices=ISOLATIONS, help="refuse to grade under any other")
    _add_class(grade)
    _add_output(grade)
    grade.set_defaults(run=_grade)

    whom = commands.add_parser("collect", help="whom grade would grade, and what each handed in")
    whom.add_argument("assignment", help="a1, or a1_convolution")
    whom.add_argument("submissions", type=_path, nargs="+")
    _add_class(whom)
    whom.add_argument("--json", action="store_true")
    whom.set_defaults(run=_collect)

    again = commands.add_parser("report", help="apply overrides and late rules anew; nothing is graded")
    again.add_argument("out", type=_path, metavar="DIR", help="the folder that grade wrote")
    again.add_argument("--anonymous", action="store_true", help="write a page without names, too, to show in class")
    _add_output(again)
    again.set_defaults(run=_report)

    opened = commands.add_parser("show", help="one exercise of one student: inputs, answers, output (for staff only)")
    opened.add_argument("out", type=_path, metavar="DIR", help="the folder that grade wrote")
    opened.add_argument("student", nargs="?", help="or the beginning of the name, as with the exercise")
    opened.add_argument("exercise", nargs="?")
    opened.add_argument(
        "--group", nargs=2, metavar=("EXERCISE", "NUMBER"), help="who stands in an answer group, and one of the answers"
    )
    opened.add_argument("--html", type=_path, metavar="FILE", help="write it as a page, for an appeal")
    opened.add_argument("--seed", help="the term seed that was graded with")
    opened.set_defaults(run=_show)

    compared = commands.add_parser("diff", help="whose grade changed between two gradings, and why")
    compared.add_argument("old", type=_path)
    compared.add_argument("new", type=_path)
    compared.add_argument("--json", action="store_true")
    compared.set_defaults(run=_diff)

    back.add_commands(commands)
    add_release(commands)

    examine = commands.add_parser("doctor", help="which isolation this machine offers, layer by layer")
    examine.add_argument("--json", action="store_true")
    examine.set_defaults(run=_doctor)

    make = commands.add_parser("build", help="generate stubs, labs and what students' tests share")
    make.add_argument("--check", action="store_true", help="change nothing; fail if anything generated is stale")
    make.set_defaults(run=_build)

    add_new(commands)
    translation.add_command(commands)
    learn.add_command(commands)

    add_audit(commands)

    example = commands.add_parser("demo", help="write the demo class of an assignment")
    example.add_argument("assignment", help="a1, or all")
    example.add_argument("-o", "--out", type=_path, required=True, metavar="DIR")
    example.set_defaults(run=_demo)
    return parser


def _add_output(parser: argparse.ArgumentParser) -> None:
    """How the class is printed."""
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print scores and what needs attention as JSON")
    forms.add_argument("--quiet", action="store_true", help="print neither a table nor progress, only remarks")


def _add_class(parser: argparse.ArgumentParser) -> None:
    """How the submissions become students."""
    parser.add_argument(
        "--roster", type=_path, metavar="FILE", help="CSV of the class: id, name, email, section, username"
    )
    parser.add_argument("--from", choices=CHOICES, dest="platform", default="", help="what the submissions are")
    parser.add_argument(
        "--timezone", type=_zone, metavar="ZONE", help="of the platform's times (else that of the settings)"
    )


def _zone(text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (ValueError, OSError, KeyError):  # where there is no such zone it is a KeyError, for a folder an OSError
        raise argparse.ArgumentTypeError(f"{text!r} is no time zone such as Europe/Berlin") from None


def _grade(options: argparse.Namespace) -> int:
    with Progress(sys.stderr, quiet=options.quiet) as progress:
        run = grading.grade_class(
            options.assignment,
            options.submissions,
            options.out,
            course=options.course,
            seed=options.seed,
            isolation=options.require_isolation,
            jobs=options.jobs,
            executor=options.executor,
            regrade=options.regrade,
            roster=options.roster,
            platform=options.platform,
            timezone=options.timezone,
            say=_say,
            progress=progress.show,
        )
    _print_class(run, options)
    return GRADED if run.complete else FAILED


def _collect(options: argparse.Namespace) -> int:
    found = grading.collect_class(
        options.assignment,
        options.submissions,
        course=options.course,
        roster=options.roster,
        platform=options.platform,
        timezone=options.timezone,
    )
    if options.json:
        students = [{**one.hand_in().to_json(), "absent": one.attempt is None} for one in found.students]
        print(json.dumps({"students": students, "sentences": found.sentences}, indent=2))
    else:
        print(report.collected_text(found.students))
        for sentence in found.sentences:
            _say(sentence, sys.stdout)
    return GRADED


def _report(options: argparse.Namespace) -> int:
    run = class_report.report_class(options.out, _say, course=options.course, anonymous=options.anonymous)
    _print_class(run, options)
    if options.anonymous and not (options.json or options.quiet):
        _say(f"Without names: {options.out / class_report.ANONYMOUS}", sys.stdout)
    return GRADED if run.complete else FAILED


def _print_class(run: class_report.ClassRun, options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps(_class_json(run), indent=2))
    elif not options.quiet:
        width = shutil.get_terminal_size((100, 24)).columns
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        print(report.class_table(run.results, width, colour, run.notices))
        print()
        _say(f"Report: {run.out / 'report.html'}", sys.stdout)
        _say(f"Grades: {run.out / 'grades.csv'}", sys.stdout)


def _class_json(run: class_report.ClassRun) -> dict[str, Any]:
    scores = [
        {
            "student": r.student,
            "score": None if r.infrastructure else r.score,
            "raw_score": None if r.infrastructure else r.raw_score,
            "max_score": r.max_score,
            "late": dataclasses.asdict(r.late) if r.late else None,
            "infrastructure": r.infrastructure,
        }
        for r in run.results
    ]
    notices = [dataclasses.asdict(notice) for notice in run.notices]
    return {"assignment": run.assignment, "results": scores, "attention": notices}


def _show(options: argparse.Namespace) -> int:
    if bool(options.group) == bool(options.student and options.exercise) or (options.group and options.student):
        raise CourseError("Give a student and an exercise, or --group with an exercise and a number.")
    student, exercise = options.student, options.exercise
    if options.html:
        store.try_to_write(options.html)
    if options.group:
        group = show.find_group(options.out, *options.group)
        print(show.group_text(group), end="\n\n")
        student, exercise = group.students[0], group.exercise
    explained = show.explain(options.out, student, exercise, options.course, options.seed, _say)
    if options.html:
        store.write_text(options.html, appeal.appeal_html(explained))
        _say(f"Page: {options.html}", sys.stdout)
    else:
        print(show.text(explained))
    return GRADED


def _diff(options: argparse.Namespace) -> int:
    old, new = store.results_in(options.old), store.results_in(options.new)
    of_old, of_new = ({result.assignment for result, _ in graded if result.assignment} for graded in (old, new))
    if of_old != of_new:
        held = [f"{out} holds {', '.join(sorted(of))}" for out, of in ((options.old, of_old), (options.new, of_new))]
        raise CourseError(f"{' and '.join(held)}: there is nothing to compare.")
    found = report.changes(old, new)
    if options.json:
        print(json.dumps([dataclasses.asdict(change) for change in found], indent=2))
    else:
        print(report.changes_text(found, len({result.student for result, _ in (*old, *new)})))
    return GRADED


def _doctor(options: argparse.Namespace) -> int:
    found = layers()
    problems = {isolation: problem(isolation) for isolation in ISOLATIONS}
    if options.json:
        print(json.dumps({"layers": [dataclasses.asdict(layer) for layer in found], "problems": problems}, indent=2))
    else:
        for layer in found:
            print(f"{layer.name:<16}{'present' if layer.present else 'absent':<9}{layer.detail}")
        print()
        for isolation, reason in problems.items():
            print(f"{isolation:<16}{f'does not work: {reason}' if reason else 'works'}")
    return GRADED if not (problems["namespaces"] and problems["container"]) else FAILED


def _build(options: argparse.Namespace) -> int:
    root = loading.course_root(options.course)
    written = [] if options.check else build.build(root)
    pieces = [piece for name in loading.find_assignments(root) for piece in missing_pieces(name, root)]
    if options.check:
        for line in pieces:  # first, since without some of them nothing can be generated
            _say(line, sys.stdout)
        wrong = build.stale(root)
        for line in wrong if wrong or pieces else ["Everything generated is fresh."]:
            _say(line, sys.stdout)
        for remark in build.remarks(root):
            _say(f"Remark: {remark}", sys.stdout)
        return FAILED if wrong or pieces else GRADED
    lines = [f"wrote {path.relative_to(root)}" for path in written] + build.told(root, written)
    for line in [*lines, *(f"Left to do: {piece}" for piece in pieces)]:
        _say(line, sys.stdout)
    return GRADED


def _demo(options: argparse.Namespace) -> int:
    root = loading.course_root(options.course)
    names = loading.find_assignments(root) if options.assignment == "all" else [options.assignment]
    for name in names:
        assignment = loading.load(name, root)
        folder = options.out / assignment.name.split("_")[0]
        places.check_folder(folder)
        members = loading.grading_module(assignment.name, root, "demo").CLASS
        written = demo.write_class(assignment, members, folder)
        _say(f"{len(written)} submissions to {assignment.name} written to {folder}", sys.stdout)
    return GRADED
