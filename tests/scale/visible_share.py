"""How many known mistakes the visible tests notice: ``python tests/scale/visible_share.py [a1 …]``.

A line an assignment: entries of the bank, how many the exercise's own visible test notices, how many that or the
conventions of its file do, and for how many a student is told the bank's sentence. ``--missed`` names the others. About
a minute of CPU an assignment.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from autograder import visible
from autograder.build import handed_out
from autograder.course import Assignment, Conventions, Misconception
from autograder.loading import find_assignments, load

ROOT = Path(__file__).resolve().parents[2]


def noticed(assignment: Assignment) -> list[tuple[Misconception, bool, bool, bool]]:
    """Each entry of the bank, with: noticed by its exercise's test, noticed at all, told by its sentence."""
    given = handed_out(ROOT, assignment)
    told = visible.told(given[visible.MISTAKES])
    laws = {e.part: e.name for e in assignment.every_exercise if isinstance(e, Conventions)}
    parts = {e.name: e.part for e in assignment.every_exercise}
    bank = [one for one in assignment.misconceptions if one.exercise in parts]
    asked = [[one.exercise, *filter(None, [laws.get(parts[one.exercise])])] for one in bank]
    attempts = [visible.attempt(assignment, one, names) for one, names in zip(bank, asked, strict=True)]
    found = visible.failures(assignment, given, attempts)
    return [
        (one, bool(failed[one.exercise]), any(failed.values()), one.sentence in told)
        for one, failed in zip(bank, found, strict=True)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("assignments", nargs="*", help="all, if none is named")
    parser.add_argument("--missed", action="store_true", help="name the entries that no visible test notices")
    options = parser.parse_args()
    print(f"{'':4}{'bank':>6}{'own test':>12}{'with conventions':>18}{'sentence told':>15}")
    for name in options.assignments or find_assignments(ROOT):
        rows = noticed(load(name, ROOT))
        own, any_, told = (sum(row[column] for row in rows) for column in (1, 2, 3))
        shares = (f"{count} ({100 * count / len(rows):.0f} %)" for count in (own, any_, told))
        line = "{:>12}{:>18}{:>15}".format(*shares)
        print(f"{name.split('_')[0]:4}{len(rows):6}{line}", flush=True)
        for one, _, found, _ in rows if options.missed else ():
            if not found:
                print(f"    {one.exercise}: {one.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
