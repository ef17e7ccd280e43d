"""The temporary folder of a zygote without bubblewrap: the modules in ``inside``, links to what may be imported, and
the submission of each child.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograder.sandbox import mounts
from autograder.sandbox.inside.files import write_files

PREFIX = "autograder-container-"
OLD = 60.0  # seconds; a judge that is just starting may not have locked its own yet


class ContainerRoot(tempfile.TemporaryDirectory[str]):
    """The folder of one zygote, locked while its judge lives. A new one removes those that killed judges left."""

    def __init__(self, runtime: str) -> None:
        for left in left_behind():
            shutil.rmtree(left, ignore_errors=True)
        super().__init__(prefix=PREFIX)
        self.lock = os.open(self.name, os.O_RDONLY)
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        folder = Path(self.name)
        for name in ("grader", "site", "tmp"):
            (folder / name).mkdir()
        for path in (*mounts.INSIDE.glob("*.py"), mounts.WIRE):
            (folder / "grader" / path.name).write_bytes(path.read_bytes())
        for name, path in mounts.distribution_paths(runtime).items():
            (folder / "site" / name).symlink_to(path)
        _show_to_nobody(folder)
        (folder / "tmp").chmod(0o1777)  # torch wants a place for temporary files when it is imported

    def new_box(self, files: Mapping[str, str]) -> str:
        """The folder that one child works in, with its submission. The child can only read it."""
        box = tempfile.mkdtemp(prefix="box-", dir=self.name)
        write_files(os.path.join(box, "submission"), files)
        _show_to_nobody(Path(box))
        return box

    def cleanup(self) -> None:
        super().cleanup()
        if self.lock >= 0:
            os.close(self.lock)
            self.lock = -1


def left_behind() -> Iterator[Path]:
    """Container roots of this user whose lock nobody holds."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # it is locked, or no folder, or gone
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                status = os.fstat(descriptor)
                if status.st_uid == os.geteuid() and time.time() - status.st_mtime > OLD:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    yield path
            finally:
                os.close(descriptor)


def _show_to_nobody(folder: Path) -> None:
    """Where the judge is root, its children are the user nobody: let others read ``folder``, whatever the umask."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() else 0o644)
