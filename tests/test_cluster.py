"""Grading on a Dask cluster: the same bytes as here, whichever process is lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder.cli import main
from autograder.demo import write_class
from autograder.loading import grading_module, load

ROOT = Path(__file__).parent.parent
SEED = "a seed of the tests, long enough"


class Cluster:
    """A scheduler and workers, each a process as on a command line."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack, self.file = folder, stack, folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
        while not self.file.exists():
            assert self.scheduler.poll() is None, (folder / "log").read_text()
            time.sleep(0.05)
        self.address = json.loads(self.file.read_text())["address"].replace("tcp://", "dask://")
        self.workers: list[subprocess.Popen[bytes]] = []

    def worker(self, seed: str = SEED, threads: int = 1) -> subprocess.Popen[bytes]:
        options = ("--no-nanny", "--no-dashboard", "--nthreads", str(threads), "--local-directory", str(self.folder))
        process = self._start("worker", *options, seed=seed)
        self.workers.append(process)
        return process

    def _start(self, what: str, *options: str, seed: str = SEED) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "AUTOGRADER_SEED": seed, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "dask", what, *options, "--scheduler-file", str(self.file)]
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=self.folder)
        self.stack.callback(_end, process)
        return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    folder.mkdir()
    with ExitStack() as stack:
        yield Cluster(folder, stack)


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    """Five of the demo class, who make different mistakes."""
    everybody = grading_module("a1_convolution", ROOT, "demo").CLASS
    write_class(load("a1", ROOT), everybody[:5], tmp_path / "class")
    return tmp_path / "class"


def grade(submissions: Path, out: Path, *options: str) -> int:
    return main(["grade", "a1", str(submissions), "-o", str(out), "--seed", SEED, "--quiet", *options])


def results(out: Path) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in sorted(out.glob("*/results.json"))}


@pytest.mark.slow
def test_the_same_grades_as_here_though_a_worker_is_killed(submissions: Path, tmp_path: Path) -> None:
    assert grade(submissions, tmp_path / "here") == 0
    with cluster(tmp_path / "dask") as dask:
        first, _ = dask.worker(), dask.worker()
        out = tmp_path / "there"
        command = [sys.executable, "-m", "autograder", "grade", "a1", str(submissions), "-o", str(out), "--quiet"]
        environment = {**os.environ, "AUTOGRADER_SEED": SEED}
        with subprocess.Popen([*command, "--executor", dask.address], cwd=ROOT, env=environment) as grading:
            while grading.poll() is None and not results(out):
                time.sleep(0.02)
            first.send_signal(signal.SIGKILL)
            assert grading.wait() == 0
    assert results(out) == results(tmp_path / "here")


@pytest.mark.slow
def test_a_lost_scheduler_loses_nothing(
    submissions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "grades"
    with cluster(tmp_path / "dask") as dask:
        dask.worker()
        monkeypatch.setattr("autograder.grading.write_results", _killing(dask.scheduler))
        assert grade(submissions, out, "--executor", dask.address) == 1
    *_, line = capsys.readouterr().err.splitlines()
    assert line.startswith("The cluster at dask://")
    assert line.endswith("What is graded is kept.")
    assert len(kept := results(out)) == 1
    monkeypatch.undo()
    assert grade(submissions, out) == 0
    assert grade(submissions, tmp_path / "here") == 0
    assert kept.items() <= results(out).items()
    assert results(out) == results(tmp_path / "here")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes], float]:
    """The demo class of assignment 1 but for endless loops, its results, and the seconds that grading them took."""
    folder = tmp_path_factory.mktemp("undisturbed")
    members = [
        one for one in grading_module("a1_convolution", ROOT, "demo").CLASS if one.student not in ("nina", "pia")
    ]
    write_class(load("a1", ROOT), members, folder / "class")
    start = time.monotonic()
    assert grade(folder / "class", folder / "out") == 0
    return folder / "class", results(folder / "out"), time.monotonic() - start


@pytest.mark.long
@pytest.mark.parametrize("moment", range(5))
@pytest.mark.parametrize("victim", ["judge", "its worker", "judge with a cluster", "worker", "scheduler"])
def test_a_kill_at_a_random_moment_loses_nothing(
    victim: str, moment: int, undisturbed: tuple[Path, dict[str, bytes], float], tmp_path: Path
) -> None:
    submissions, expected, seconds = undisturbed
    out = tmp_path / "out"
    command = [sys.executable, "-m", "autograder", "grade", "a1", str(submissions), "-o", str(out), "--quiet"]
    environment = {**os.environ, "AUTOGRADER_SEED": SEED}
    with ExitStack() as stack:
        if victim in ("judge", "its worker"):
            command += ["--jobs", "2"]
        else:
            dask = stack.enter_context(cluster(tmp_path / "dask"))
            first, _ = dask.worker(), dask.worker()
            command += ["--executor", dask.address]
        grading = stack.enter_context(subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL))
        time.sleep(random.Random(f"{victim} {moment}").uniform(0, 1.2 * seconds))
        if victim == "worker":
            first.kill()
        elif victim == "scheduler":
            dask.scheduler.kill()
        elif victim == "its worker":
            for worker in _workers(grading.pid)[:1]:
                os.kill(worker, signal.SIGKILL)
        else:
            grading.kill()
        grading.wait()
    assert grade(submissions, out) == 0
    assert results(out) == expected


def _workers(pid: int) -> list[int]:
    """The workers of a process that grades, if it still does."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    found = [int(child) for child in children.read_text().split()] if children.exists() else []
    return [child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def _killing(process: subprocess.Popen[bytes]):  # type: ignore[no-untyped-def]
    from autograder.store import write_results

    def write(*args, **kwargs):  # type: ignore[no-untyped-def]
        write_results(*args, **kwargs)
        process.kill()
        process.wait()

    return write


@pytest.mark.slow
@pytest.mark.parametrize(
    ("worker", "sentence"),
    [
        ({"seed": "some other seed of a term"}, "has another term seed"),
        ({"threads": 2}, "has several threads"),
    ],
)
def test_a_worker_that_would_grade_otherwise_is_refused(
    worker: dict[str, Any], sentence: str, submissions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with cluster(tmp_path / "dask") as dask:
        dask.worker(**worker)
        assert grade(submissions, tmp_path / "grades", "--executor", dask.address) == 2
    assert sentence in capsys.readouterr().err
    assert not results(tmp_path / "grades")


def test_no_cluster(submissions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert grade(submissions, tmp_path / "grades", "--executor", "slurm") == 2
    assert "no address of a cluster, such as dask://host:8786" in capsys.readouterr().err


def test_the_job_that_slurm_gets() -> None:
    """Dask's own dry run: nothing is submitted. One worker, one thread, and no seed."""
    command = [
        sys.executable,
        str(ROOT / "docs" / "cluster" / "slurm.py"),
        "a1",
        "submissions",
        "-o",
        "grades",
        "--dry-run",
    ]
    environment = {**os.environ, "AUTOGRADER_SEED": SEED}
    script = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120).stdout
    assert script.startswith("#!/usr/bin/env bash")
    assert "#SBATCH --cpus-per-task=1" in script
    assert "--nthreads 1" in script
    assert SEED not in script


def test_the_cluster_that_kubernetes_gets() -> None:
    manifest = yaml.safe_load((ROOT / "docs" / "cluster" / "kubernetes.yaml").read_text(encoding="utf-8"))
    assert (manifest["apiVersion"], manifest["kind"]) == ("kubernetes.dask.org/v1", "DaskCluster")
    (worker,) = manifest["spec"]["worker"]["spec"]["containers"]
    assert worker["args"][worker["args"].index("--nthreads") + 1] == "1"
    (seed,) = worker["env"]
    assert seed == {"name": "AUTOGRADER_SEED", "valueFrom": {"secretKeyRef": {"name": "term-seed", "key": "seed"}}}
    (scheduler,) = manifest["spec"]["scheduler"]["spec"]["containers"]
    ports = {port["name"] for port in scheduler["ports"]}
    assert {port["targetPort"] for port in manifest["spec"]["scheduler"]["service"]["ports"]} <= ports
