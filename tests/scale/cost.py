"""What grading a right submission costs, beside the reference's answers asked once.

Usage: python tests/scale/cost.py [ASSIGNMENT ...] [--repeat 5] [--profile]

For each assignment (all, if none is named) the reference is graded as a submission, after a first time in which it is
asked what is expected. *answers* is the CPU of one asking, conventions and timed repeats included, in the child that
answers; *judge* and *child* are what the whole grading used in the two kinds of process, the start of children with it.
The ratio is (judge + child) / answers, of the same run: the least of each over the repeats, which alternate. Seconds
depend on machine and load, the ratio hardly.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time
from contextlib import closing
from pathlib import Path

from autograder.judge import Judge
from autograder.loading import find_assignments, load
from autograder.sandbox.isolation import choose
from autograder.submission import Submission

ROOT = Path(__file__).parents[2]


def cost(name: str, repeat: int, profile: cProfile.Profile | None = None) -> tuple[float, float, float]:
    """Seconds of CPU: of the answers asked once, and of the judge and of the children in a whole grading."""
    assignment = load(name, ROOT)
    with closing(Judge(assignment, "cost", choose())) as judge:
        submission = Submission("reference", {p.name: assignment.reference_files(p) for p in assignment.parts})
        judge.grade(submission)
        answers, judges, children = [], [], []
        for _ in range(repeat):
            asked = [judge.examiner.ask_part(part, submission.parts[part.name]) for part in assignment.parts]
            answers.append(sum(seconds for _, seconds in asked))
            before = time.process_time()
            if profile:
                profile.enable()
            _, record = judge.grade(submission)
            if profile:
                profile.disable()
            judges.append(time.process_time() - before)
            children.append(record.student_cpu)
    return min(answers), min(judges), min(children)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("assignments", nargs="*", default=[])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--profile", action="store_true", help="where the judge's time goes")
    options = parser.parse_args()
    print("      answers    judge    child   ratio   less 30 ms")
    for name in options.assignments or [found.split("_")[0] for found in find_assignments(ROOT)]:
        profile = cProfile.Profile() if options.profile else None
        answers, judge, child = cost(name, options.repeat, profile)
        ratios = [(judge + child - base) / answers for base in (0, 0.03)]
        print(f"{name:4} {answers:7.3f} s {judge:6.3f} s {child:6.3f} s {ratios[0]:7.2f} {ratios[1]:7.2f}")
        if profile:
            pstats.Stats(profile).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
