"""Runs visible tests on modules with a mistake, in the student's folder that it is started in (see ``visible``).

Reads a list of attempts from its input, as JSON, and prints a list: exercise → criterion that fails → fingerprint.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

SECONDS = 10  # for a test


def main() -> None:
    sys.path.insert(0, str(Path.cwd()))
    from checks import limits, mistakes, running

    limits.SECONDS = SECONDS
    declared = {exercise.name: exercise for exercise in running.declared()}

    def failing(name: str) -> dict[str, str]:
        """An answer that is another one the second time has no fingerprint."""
        found = once(name)
        again = once(name) if found else {}
        return {criterion: mark if again.get(criterion) == mark else "" for criterion, mark in found.items()}

    def once(name: str) -> dict[str, str]:
        exercise = declared[name]
        for result in exercise.results:
            result.error = None
        running.run(exercise)
        return {one.criterion.name: mistakes.fingerprint(one.criterion.name, one.error) for one in exercise.failures}

    found = [asked(attempt, failing) for attempt in json.load(sys.stdin)]
    print(json.dumps(found))


def asked(attempt: dict[str, Any], failing: Any) -> dict[str, dict[str, str]]:
    """What fails while a module of the folder is that of the attempt."""
    path = Path(f"{attempt['module']}.py")
    right = path.read_bytes()
    path.write_text(attempt["source"], encoding="utf-8")
    try:
        return {name: failing(name) for name in attempt["exercises"]}
    finally:
        path.write_bytes(right)


if __name__ == "__main__":
    main()
