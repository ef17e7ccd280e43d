"""The same submissions give the same bytes, whatever the workers, the order, the load or the neighbours."""

from __future__ import annotations

import json
import multiprocessing
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder.cli import main

DEAR = ("nina", "pia")  # one fails everything, the other never ends: together most of the time that the class takes


def same_files(out: Path) -> dict[str, bytes]:
    """Everything that the contract says is byte-identical."""
    paths = [*out.glob("*/results.json"), *out.glob("*/feedback.html"), out / "grades.csv"]
    return {str(path.relative_to(out)): path.read_bytes() for path in paths}


def spin() -> None:
    while True:
        pass


@contextmanager
def load(processes: int) -> Iterator[None]:
    busy = [multiprocessing.get_context("spawn").Process(target=spin, daemon=True) for _ in range(processes)]
    for process in busy:
        process.start()
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.join()


def test_neither_workers_nor_order_nor_load_change_a_byte(demo_class: Path, graded: Path, tmp_path: Path) -> None:
    members = [str(path) for path in demo_class.iterdir()]
    random.Random(0).shuffle(members)
    with load(2):
        assert main(["grade", "a1", *members, "-o", str(tmp_path), "--seed", "public", "--jobs", "2"]) == 0
    assert same_files(tmp_path) == same_files(graded)


def test_another_seed_gives_every_member_the_same_points(demo_class: Path, graded: Path, tmp_path: Path) -> None:
    members = [str(path) for path in demo_class.iterdir() if path.stem not in DEAR]
    assert main(["grade", "a1", *members, "-o", str(tmp_path), "--seed", "another"]) == 0

    def points(out: Path) -> dict[str, dict[str, float]]:
        read = {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in out.glob("*/results.json")}
        return {student: {t["name"]: t["score"] for t in data["tests"]} for student, data in read.items()}

    same = {student: won for student, won in points(graded).items() if student not in DEAR}
    assert points(tmp_path) == same
