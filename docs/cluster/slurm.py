"""Grade on a Slurm cluster: python slurm.py a1 submissions/ -o grades/ [--workers 40] [--dry-run]

The course lies on a file system that all nodes see, with its ``.venv``, and the term seed in its ``.autograder-seed``,
readable by you alone. What is not named here is passed on to ``autograder grade``. Needs dask-jobqueue, which
the extra ``scale`` brings.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile

from dask_jobqueue import SLURMCluster


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=40, help="jobs, each with one core and one worker")
    parser.add_argument("--dry-run", action="store_true", help="print the script of one job, and submit nothing")
    options, grade = parser.parse_known_args()
    with (
        tempfile.TemporaryDirectory() as scratch,
        SLURMCluster(
            cores=1,
            processes=1,  # and so one thread: a grader works at one submission at a time
            memory="3GB",
            walltime="02:00:00",
            local_directory=scratch,
            scheduler_options={"dashboard": False},
        ) as cluster,
    ):
        if options.dry_run:
            print(cluster.job_script())
            return 0
        cluster.scale(options.workers)
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        return subprocess.run([sys.executable, "-m", "autograder", "grade", *grade, "--executor", address]).returncode


if __name__ == "__main__":
    sys.exit(main())
