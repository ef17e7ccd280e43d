"""``audit``: proves the hidden cases of assignments, once nothing of them is missing."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os

from autograder import audit, report, store
from autograder.arguments import count, path, say
from autograder.loading import PUBLIC_SEED, course_root, find_assignments, full_name
from autograder.missing import missing_pieces
from autograder.sandbox.isolation import choose
from autograder.workers import Setting


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add it to those of the command line."""
    parser = commands.add_parser("audit", help="prove the hidden cases: mistakes, unusual solutions, mutants")
    parser.add_argument("assignment", nargs="?", default="all", help="a1, or all (default)")
    parser.add_argument("--exercise", default="", metavar="NAME", help="only what concerns this exercise")
    parser.add_argument("--sample", type=count("mutants"), metavar="N", help="N mutants, N pairs, few random inputs")
    parser.add_argument("--html", type=path, metavar="FILE", help="write the kill matrix and the mutants as a page")
    parser.add_argument("--jobs", type=count("workers"), default=os.cpu_count() or 1, metavar="N", help="(all cores)")
    parser.add_argument("--seed", default=PUBLIC_SEED, help="term seed (public)")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=_audit)


def _audit(options: argparse.Namespace) -> int:
    root = course_root(options.course)
    if options.html:
        store.try_to_write(options.html)
    names = find_assignments(root) if options.assignment == "all" else [full_name(options.assignment, root)]
    missing = [sentence for name in names for sentence in missing_pieces(name, root)]
    for sentence in missing:
        say(f"{sentence}.")
    if missing:
        return 1
    isolation = choose(None)
    audits = []
    for name in names:
        setting = Setting(name, root, options.seed, isolation)
        audits.append(audit.audit(setting, options.jobs, options.sample, options.exercise))
        if not options.json:
            print(report.audit_text(audits[-1]))
    if options.json:
        found = {a.assignment: {**a.counts(), "problems": a.problems(), "lists": dataclasses.asdict(a)} for a in audits}
        print(json.dumps(found, indent=2))
    if options.html:
        store.write_text(options.html, report.audit_html(audits))
    return 1 if any(a.problems() for a in audits) else 0
