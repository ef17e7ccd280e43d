"""The command line: ``python -m autograder`` or ``autograder``."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import platform
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version as installed
from pathlib import Path

from autograder import audit, batch, build, course, demo, judge, report, show, submission
from autograder.overrides import apply_overrides, doubts, read_overrides
from autograder.results import RunRecord, SubmissionResult
from autograder.sandbox.host import SandboxError
from autograder.sandbox.isolation import ISOLATIONS, choose, layers, problem

GRADED, FAILED, MISUSED = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code is 0 (done), 1 (something failed) or 2 (wrong use)."""
    options = _parser().parse_args(arguments)
    try:
        code = int(options.run(options))
        sys.stdout.flush()
        return code
    except (SandboxError, submission.SubmissionPathError, build.BuildError, batch.ResultsError) as error:
        print(error, file=sys.stderr)
        return FAILED
    except OSError as error:
        if not error.filename:  # then Python would fail at its end too, over what is left of the output
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # else whoever read the output has seen enough
            print(f"{error.filename or 'The output'}: {error.strerror or error}.", file=sys.stderr)
        return FAILED
    except course.CourseError as error:
        print(error, file=sys.stderr)
        return MISUSED
    except KeyboardInterrupt:
        print("Interrupted. What is graded is kept; the same command goes on from here.", file=sys.stderr)
        return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autograder", description="Grade the course's assignments.")
    here = Path(__file__).parent.parent
    root = here if (here / "solutions").is_dir() else Path.cwd()
    cores = os.cpu_count() or 1
    parser.add_argument("--course", type=_path, default=root, metavar="DIR", help="the course's root folder")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    grade = commands.add_parser("grade", help="grade submissions: files (.py, .ipynb, .zip), folders, a folder of them")
    grade.add_argument("assignment", help="a1, or a1_convolution")
    grade.add_argument("submissions", type=_path, nargs="+")
    grade.add_argument("-o", "--out", type=_path, required=True, metavar="DIR", help="where results go")
    grade.add_argument("--jobs", type=_count("workers"), default=cores, metavar="N", help="workers (all cores)")
    grade.add_argument("--seed", help="term seed (else AUTOGRADER_SEED, else .autograder-seed, else public)")
    grade.add_argument("--regrade", action="store_true", help="grade again even what has not changed")
    grade.add_argument("--require-isolation", choices=ISOLATIONS, help="refuse to grade under any other")
    grade.add_argument("--json", action="store_true", help="print the scores as JSON")
    grade.set_defaults(run=_grade)

    again = commands.add_parser("report", help="write grades.csv and report.html again from the results")
    again.add_argument("out", type=_path, metavar="DIR", help="the folder that grade wrote")
    again.set_defaults(run=_report)

    opened = commands.add_parser("show", help="one exercise of one student: inputs, answers, output (for staff only)")
    opened.add_argument("out", type=_path, metavar="DIR", help="the folder that grade wrote")
    opened.add_argument("student")
    opened.add_argument("exercise")
    opened.add_argument("--seed", help="the term seed that was graded with")
    opened.set_defaults(run=_show)

    compared = commands.add_parser("diff", help="whose grade changed between two gradings, and why")
    compared.add_argument("old", type=_path)
    compared.add_argument("new", type=_path)
    compared.add_argument("--json", action="store_true")
    compared.set_defaults(run=_diff)

    examine = commands.add_parser("doctor", help="which isolation this machine offers, layer by layer")
    examine.add_argument("--json", action="store_true")
    examine.set_defaults(run=_doctor)

    make = commands.add_parser("build", help="generate stubs, labs and what students' tests share")
    make.add_argument("--check", action="store_true", help="change nothing; fail if anything generated is stale")
    make.set_defaults(run=_build)

    prove = commands.add_parser("audit", help="prove the hidden cases: mistakes, unusual solutions, mutants")
    prove.add_argument("assignment", nargs="?", default="all", help="a1, or all (default)")
    prove.add_argument("--sample", type=_count("mutants"), metavar="N", help="only N mutants, and N pairs of mistakes")
    prove.add_argument("--html", type=_path, metavar="FILE", help="write the kill matrix and the mutants as a page")
    prove.add_argument("--jobs", type=_count("workers"), default=cores, metavar="N", help="workers (all cores)")
    prove.add_argument("--seed", default=course.PUBLIC_SEED, help="term seed (public)")
    prove.add_argument("--json", action="store_true")
    prove.set_defaults(run=_audit)

    example = commands.add_parser("demo", help="write the demo class of an assignment")
    example.add_argument("assignment", help="a1, or all")
    example.add_argument("-o", "--out", type=_path, required=True, metavar="DIR")
    example.set_defaults(run=_demo)
    return parser


def _count(things: str) -> Callable[[str], int]:
    def count(text: str) -> int:
        if not text.isdecimal() or int(text) < 1:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of {things}")
        return int(text)

    return count


def _path(text: str) -> Path:
    if not text:  # to Python this is the current folder
        raise argparse.ArgumentTypeError("an empty name is no path")
    return Path(text)


def _grade(options: argparse.Namespace) -> int:
    assignment = course.load(options.assignment, options.course)
    found = submission.discover(options.submissions, assignment.graded_names())
    if not found:
        raise submission.SubmissionPathError(f"{options.submissions[0]} holds no submission.")
    _check_out(options.out, options.submissions)
    if others := sorted(batch.assignments_in(options.out) - {assignment.name}):
        raise course.CourseError(
            f"{options.out} holds results of {', '.join(others)}: give {assignment.name} a folder of its own."
        )
    if left := submission.passed_over(options.submissions, found):
        print(f"Passed over, as no folder, .py, .ipynb or .zip: {', '.join(left)}.", file=sys.stderr)
    read_overrides(options.out / "overrides.csv")  # a mistake in it is said before the work, not after
    seed = options.seed or course.term_seed(options.course)
    isolation = choose(options.require_isolation)
    setting = batch.Setting(assignment.name, options.course.resolve(), seed, isolation)
    if seed == course.PUBLIC_SEED:
        print(
            "Hidden inputs come from the public seed; set AUTOGRADER_SEED before you grade for marks.", file=sys.stderr
        )
    start, graded = time.monotonic(), []
    for result in batch.grade_all(setting, found, options.out, options.jobs, options.regrade):
        graded.append(result)
        if sys.stderr.isatty():
            print(f"\r{len(graded)} of {len(found)} graded", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    run = {
        "assignment": assignment.name,
        "submissions": len(found),
        "isolation": isolation,
        "seed": "public" if seed == course.PUBLIC_SEED else "secret",
        "workers": options.jobs,
        "wall_seconds": round(time.monotonic() - start, 2),
        "python": platform.python_version(),
        "numpy": installed("numpy"),
        "torch": installed("torch"),
        "platform": platform.platform(),
    }
    batch.write_json(options.out / "run.json", run)
    earlier = batch.read_all(options.out, without=[result.student for result, _ in graded])
    if earlier:
        print(f"Earlier results in {options.out}, kept and reported too: {len(earlier)}.", file=sys.stderr)
    results = _write_class(sorted([*graded, *earlier], key=lambda pair: pair[0].student), run, options.out)
    if options.json:
        scores = [
            {
                "student": r.student,
                "score": None if r.infrastructure else r.score,
                "max_score": r.max_score,
                "infrastructure": r.infrastructure,
            }
            for r in results
        ]
        print(json.dumps({"assignment": assignment.name, "results": scores}, indent=2))
    else:
        _print_class(results, options.out)
    return FAILED if any(r.infrastructure for r in results) else GRADED


def _check_out(out: Path, submissions: Sequence[Path]) -> None:
    """Results written among the submissions would be taken for submissions, and spoil them."""
    for given in submissions:
        if out.resolve() == given.resolve() or given.resolve() in out.resolve().parents:
            raise course.CourseError(f"Results cannot go to {out}, among the submissions in {given}.")
    _check_folder(out)


def _check_folder(out: Path) -> None:
    if file := next((place for place in (out, *out.parents) if place.is_file()), None):
        raise course.CourseError(f"{file} is a file, not a folder.")


def _report(options: argparse.Namespace) -> int:
    graded = _read_all(options.out)
    _print_class(_write_class(graded, batch.read_run(options.out), options.out), options.out)
    return GRADED


def _read_all(out: Path) -> list[tuple[SubmissionResult, RunRecord]]:
    if graded := batch.read_all(out):
        return graded
    if out.is_dir() and not os.access(out, os.R_OK | os.X_OK):
        raise batch.ResultsError(f"{out} cannot be read: permission denied.")
    raise course.CourseError(f"{out} holds no results: give a folder that grade wrote with -o.")


def _show(options: argparse.Namespace) -> int:
    graded = {result.student: (result, record) for result, record in _read_all(options.out)}
    if options.student not in graded:
        raise course.CourseError(f"{options.out} holds no student {options.student!r}.")
    result, record = graded[options.student]
    assignment = course.load(result.assignment, options.course)
    exercise = next((e for e in assignment.exercises if e.name == options.exercise), None)
    if exercise is None:
        raise course.CourseError(f"{assignment.name} has no exercise {options.exercise!r}.")
    handed_in = submission.read(options.student, Path(record.path), assignment.graded_names())
    if exercise.part not in handed_in.parts:
        print(*handed_in.notes, f"{exercise.part}.py is not to be found in {record.path}.", sep="\n")
        return FAILED
    seed = options.seed or course.term_seed(options.course)
    isolation = choose(record.key.get("isolation"))
    if batch.grade_key(judge.version(assignment), seed, isolation, handed_in) != record.key:
        print("Grader, seed or submission have changed since this was graded.\n", file=sys.stderr)
    opened = judge.Judge(assignment, seed, isolation)
    with contextlib.closing(opened):
        print(show.show(*opened.explain(handed_in, exercise)))
    return GRADED


def _diff(options: argparse.Namespace) -> int:
    old, new = _read_all(options.old), _read_all(options.new)
    of_old, of_new = ({result.assignment for result, _ in graded} for graded in (old, new))
    if of_old != of_new:
        held = [f"{out} holds {', '.join(sorted(of))}" for out, of in ((options.old, of_old), (options.new, of_new))]
        raise course.CourseError(f"{' and '.join(held)}: there is nothing to compare.")
    found = report.changes(old, new)
    if options.json:
        print(json.dumps([dataclasses.asdict(change) for change in found], indent=2))
    else:
        print(report.changes_text(found, len({result.student for result, _ in (*old, *new)})))
    return GRADED


def _write_class(
    graded: Sequence[tuple[SubmissionResult, RunRecord]], run: dict[str, object], out: Path
) -> list[SubmissionResult]:
    overrides = read_overrides(out / "overrides.csv")
    results = []
    for result, record in graded:
        overridden = apply_overrides(result, overrides)
        if overridden != result:
            batch.write_results(batch.folder_of(out, result.student), overridden, record)
        results.append(overridden)
    for sentence in doubts(overrides, results):
        print(sentence, file=sys.stderr)
    batch.write_text(out / "grades.csv", report.grades_csv(results))
    records = {result.student: record for result, record in graded}
    batch.write_text(out / "report.html", report.class_html(results, records, run))
    return results


def _print_class(results: Sequence[SubmissionResult], out: Path) -> None:
    width = shutil.get_terminal_size((100, 24)).columns
    print(report.class_table(results, width, sys.stdout.isatty() and "NO_COLOR" not in os.environ))
    print(f"\nReport: {out / 'report.html'}\nGrades: {out / 'grades.csv'}")


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
    graded = {name: course.load(name, options.course).graded_names() for name in course.find_assignments()}
    if options.check:
        wrong = build.stale(options.course, graded)
        print(*wrong, sep="\n") if wrong else print("Everything generated is fresh.")
        return FAILED if wrong else GRADED
    for path in build.build(options.course, graded):
        print(f"wrote {path.relative_to(options.course)}")
    return GRADED


def _audit(options: argparse.Namespace) -> int:
    if options.html:
        batch.try_to_write(options.html)
    isolation = choose(None)
    audits = []
    for name in course.find_assignments() if options.assignment == "all" else [options.assignment]:
        setting = batch.Setting(course.full_name(name), options.course.resolve(), options.seed, isolation)
        audits.append(audit.audit(setting, options.jobs, options.sample))
        if not options.json:
            print(report.audit_text(audits[-1]))
    if options.json:
        found = {a.assignment: {**a.counts(), "problems": a.problems(), "lists": dataclasses.asdict(a)} for a in audits}
        print(json.dumps(found, indent=2))
    if options.html:
        batch.write_text(options.html, report.audit_html(audits))
    return FAILED if any(a.problems() for a in audits) else GRADED


def _demo(options: argparse.Namespace) -> int:
    names = course.find_assignments() if options.assignment == "all" else [options.assignment]
    for name in names:
        assignment = course.load(name, options.course)
        folder = options.out / assignment.name.split("_")[0]
        _check_folder(folder)
        written = demo.write_class(assignment, folder)
        print(f"{len(written)} submissions to {assignment.name} written to {folder}")
    return GRADED
