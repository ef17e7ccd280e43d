"""Grading on a Dask cluster, which is the extra ``scale``: :func:`autograder.workers.grade_tasks` over the network.

What was handed in is read here and sent as text. The seed is not sent: each worker has its own copy of the course and
of the seed, and is refused where version, seed or isolation are not those of the client. A worker that is lost costs
nothing: what it was grading is graded elsewhere.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from distributed import Client, Future, KilledWorker, Worker, WorkerPlugin, as_completed, get_worker

from autograder.course import CourseError
from autograder.grade_key import setting_key
from autograder.loading import course_root, term_seed
from autograder.results import RunRecord
from autograder.sandbox.isolation import choose
from autograder.sandbox.protocol import SandboxError
from autograder.submission import Submission
from autograder.workers import DIED, Graded, Grader, Setting, Task, not_graded

SCHEMES = {"dask://": "tcp://", "dask+tls://": "tls://"}
CONNECT_SECONDS = 20.0
AHEAD = 2  # submissions that a worker has before it, so that it never waits for the client
DIFFERENT = {
    "grader": "another version of the course, of Python or of a library",
    "seed": "another term seed (AUTOGRADER_SEED is set on each worker's machine)",
    "isolation": "another isolation",
}


class Judging(WorkerPlugin):
    """A grader in each worker, those that join later among them. ``refusal`` is why a worker may not grade: it would do
    so otherwise than the client, or several submissions at once.
    """

    name = "autograder"

    def __init__(self, assignment: str, key: Mapping[str, str]) -> None:
        self.assignment, self.key = assignment, key
        self.refusal = ""

    def setup(self, worker: Worker) -> None:
        try:
            root = course_root()
            setting = Setting(self.assignment, root, term_seed(root), choose(self.key["isolation"]))
            self.grader = Grader(setting)
            mine = setting_key(self.grader.version, setting.seed, setting.isolation)
        except (CourseError, SandboxError) as error:
            self.refusal = f"Worker {worker.address} cannot grade: {error}"
            return
        different = [what for name, what in DIFFERENT.items() if mine[name] != self.key[name]]
        if worker.state.nthreads != 1:
            different.append("several threads (start it with --nthreads 1)")
        if different:
            self.refusal = f"Worker {worker.address} has {' and '.join(different)}."

    def teardown(self, worker: Worker) -> None:
        if not self.refusal:
            self.grader.close()


def grade_tasks(setting: Setting, tasks: Sequence[Task], address: str) -> Iterator[Graded]:
    """Every task once, in the order in which they are done.

    Args:
        address: of the scheduler, ``dask://HOST:PORT``; ``dask+tls://`` takes certificates from Dask's settings.

    Raises:
        CourseError: a worker is not fit for this class.
        SandboxError: the cluster cannot be reached, has no workers, or is lost on the way.
    """
    reader, todo = Grader(setting), deque(tasks)
    key = setting_key(reader.version, setting.seed, setting.isolation)
    running: dict[Future[Graded], str] = {}
    for name in ("distributed", "distributed.client"):  # what it says of a lost scheduler is said here, in a sentence
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        with Client(scheduler(address), timeout=CONNECT_SECONDS, set_as_default=False) as client:
            client.register_plugin(Judging(setting.assignment, key))
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            done = as_completed(loop=client.loop)
            while todo or running:
                while todo and len(running) < AHEAD * max(1, len(client.nthreads())):
                    read = reader.read(todo.popleft())
                    if isinstance(read, Graded):
                        yield read
                    else:
                        future = client.submit(_grade, *read, pure=False)
                        running[future] = read[0].student
                        done.add(future)
                if running:
                    future = next(done)
                    yield _result(reader, future, running.pop(future))
    except (OSError, TimeoutError) as error:
        reason = str(error) or type(error).__name__
        raise SandboxError(f"The cluster at {address} cannot be reached: {reason}. What is graded is kept.") from None


def scheduler(address: str) -> str:
    """Dask's address for ``dask://HOST:PORT``.

    Raises:
        CourseError: it is none.
    """
    for scheme, own in SCHEMES.items():
        if address.startswith(scheme) and ":" in address.removeprefix(scheme):
            return own + address.removeprefix(scheme)
    raise CourseError(f"{address} is no address of a cluster, such as dask://host:8786.")


def _grade(submission: Submission, record: RunRecord) -> Graded:
    plugin = get_worker().plugins[Judging.name]
    assert isinstance(plugin, Judging)
    if plugin.refusal:
        raise CourseError(plugin.refusal)
    return plugin.grader.grade_read(submission, record)


def _result(reader: Grader, future: Future[Graded], student: str) -> Graded:
    try:
        return future.result()
    except KilledWorker:
        return not_graded(reader.assignment, student, DIED)
