"""No file outside can be found, read or changed, and none left for the next child."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import autograder
from autograder.course import Assignment, Case, Criterion, Exercise, Part, inputs
from autograder.judge import Judge
from autograder.outcome import Value
from autograder.sandbox import mounts
from autograder.sandbox.host import Zygote
from autograder.submission import Submission
from tests.sandbox.zygotes import ask, ended_as, honest, in_container, in_namespaces, question, start, unconfined

WALK = """
import os, sys

def f(roots=("/",)):
    seen = []
    for root in roots:
        for folder, folders, files in os.walk(root):
            if folder == "/proc":
                folders[:] = [name for name in folders if not name.isdigit()]
            seen += [os.path.join(folder, name) for name in folders + files]
    return "\\n".join(seen)
"""


def walk(zygote: Zygote, *roots: str) -> list[str]:
    """Every path below ``roots`` that a child can list, but for processes."""
    code = f"{WALK}\ntext = f({roots!r})\ndef f(start):\n    return text[start : start + 10**6]\n"
    child = start(zygote, code)
    text, piece = "", "more"
    while piece:  # by pieces, as the wire bounds strings
        outcome = child.ask(question(len(text)), 1.0)
        assert isinstance(outcome, Value), outcome
        piece = outcome.tree
        text += piece
    child.kill()
    return text.splitlines()


@pytest.fixture(scope="module")
def seen(bare_zygote: Zygote) -> list[str]:
    """What the wall of bubblewrap lets through, before Landlock closes the root."""
    return walk(bare_zygote, "/")


def revealing(paths: list[str]) -> list[str]:
    names = ("autograder", "cases.py", "misconceptions.py", "alternatives.py", "assignment.toml", ".autograder-seed")
    return [p for p in paths if any(name in p.rsplit("/", 1)[-1] for name in names) or "/solutions/a" in p]


@in_namespaces
def test_nothing_of_the_grader_can_be_seen(seen: list[str]) -> None:
    assert len(seen) > 1000
    assert revealing(seen) == []
    assert revealing([f"/x/{name}" for name in ("autograder", "cases.py", "solutions/a1_convolution/cnn.py")])


def test_outside_the_same_walk_finds_the_grader() -> None:
    root = str(Path(autograder.__file__).parents[1])
    found = unconfined(WALK.replace('roots=("/",)', f"roots=({root!r},)")).splitlines()
    assert len(revealing(found)) > 5


@in_namespaces
def test_only_what_is_named_can_be_seen(seen: list[str]) -> None:
    """The standard library, system libraries, named distributions, eight files of ours, and the kernel's own files."""
    base = Path(sys.base_prefix).resolve()
    allowed = [f"{base}/lib", str(Path(sys.executable).resolve().parent), "/usr/lib", "/usr/lib64", "/usr/libexec"]
    allowed += ["/lib", "/lib64", "/site", "/grader", "/proc", "/dev", "/sys", "/etc/ld.so.cache", "/box"]
    parents = {str(parent) for path in allowed for parent in Path(path).parents}
    strange = [p for p in seen if p not in parents and not any(p == a or p.startswith(f"{a}/") for a in allowed)]
    assert strange == []
    assert {p for p in seen if p.startswith("/grader/")} == {
        f"/grader/{n}.py" for n in ("__init__", "copies", "driving", "files", "lock", "runner", "wire", "zygote")
    }
    assert not [p for p in seen if p.startswith("/box/") and not p.startswith("/box/submission")]
    packages = {p.split("/")[2].split("-")[0].split(".")[0] for p in seen if p.startswith("/site/")}
    assert packages == {"numpy", "msgpack", "jaxtyping", "wadler_lindig"}


def third_party(paths: list[str]) -> list[str]:
    """Those in the packages of an interpreter's own prefix, or of the system's."""
    base = Path(sys.base_prefix).resolve()
    prefixes = "|".join(re.escape(f"{prefix}/lib") for prefix in (base, "/usr", "/usr/local"))
    pattern = re.compile(rf"({prefixes})(64)?/(python|pypy)[\d.]*/(site|dist)-packages/.")
    return [path for path in paths if pattern.match(path)]


@in_namespaces
def test_the_interpreters_own_packages_are_hidden(seen: list[str]) -> None:
    assert third_party(seen) == []


def test_what_landlock_lets_through_reveals_nothing_either(box: Zygote) -> None:
    """From the root, from where files of the judge and of others lie, and from all that a child may read."""
    others = [Path(autograder.__file__).parents[1], Path.home(), Path(sys.prefix), Path(tempfile.gettempdir())]
    roots = ["/", "/grader", "/proc", "/dev", "/etc", "/home", "/sys", "/usr", "/var", *map(str, others)]
    roots += [*box.readable, "."]
    if box.root:
        roots += [box.root.name, f"{box.root.name}/grader"]
    found = walk(box, *roots)
    assert len(found) > 1000
    assert revealing(found) == []
    assert [path for path in found if path.startswith("./")] == ["./submission", "./submission/part.py"]
    named = tuple(map(str, mounts.distribution_paths("numpy").values()))
    assert [path for path in third_party(found) if not path.startswith(named)] == []


@pytest.mark.parametrize(
    "folder", ["/", "/proc", "/proc/self", "/proc/self/task", "/dev", "/etc", "/sys", "..", "/tmp"]
)
def test_what_holds_no_library_cannot_be_listed(box: Zygote, bare: Zygote, folder: str) -> None:
    code = "import os\ndef f(folder):\n    return len(os.listdir(folder)) if os.path.isdir(folder) else 0\n"
    if ask(bare, code, folder).tree:
        assert ended_as(ask(box, code, folder).outcome, "PermissionError")
    else:
        assert folder == "/tmp"  # which is nowhere behind the wall


REQUIRED = {
    "first": ['Second_one>=1; python_version >= "3"', "never; python_version < '3'", "plain; extra == 'all'"],
    "second-one": ["third[fast] @ https://example.org/third.whl", "first"],
    "third": ["quick; extra == 'fast'", "slow; extra == 'slow'", "gone"],
    "quick": None,
    "slow": None,
    "plain": None,
    "never": None,
}


def test_requirements_are_followed_as_an_installer_would(monkeypatch: pytest.MonkeyPatch) -> None:
    def requires(name: str) -> list[str] | None:
        if name not in REQUIRED:
            raise importlib.metadata.PackageNotFoundError(name)
        return REQUIRED[name]

    monkeypatch.setattr(importlib.metadata, "requires", requires)
    assert mounts.requirements(("First",)) == {"first", "second-one", "third", "quick"}


def test_packages_of_other_pythons_are_hidden_too(tmp_path: Path) -> None:
    """An installed grader is as readable in those of another version that shares the prefix."""
    folders = [
        tmp_path / name for name in ("python3.9/site-packages", "python3.99/dist-packages", "python3/dist-packages")
    ]
    for folder in folders:
        folder.mkdir(parents=True)
    assert set(mounts.package_folders(tmp_path)) == set(folders)


READ = """
import os

def f(paths):
    out = []
    for path in paths:
        try:
            out.append(len(os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(100)) > 0)
        except OSError:
            out.append(False)
    return out
"""


def test_files_outside_cannot_be_read(box: Zygote, bare: Zygote, isolation: str) -> None:
    package = Path(autograder.__file__).parent
    course = package.parent
    paths = [package / "judge.py", package / "a1_convolution" / "cases.py", package, course, course / "tests"]
    paths += [
        course / "solutions",
        Path("/etc/passwd"),
        Path("/etc/hostname"),
        Path("/home"),
        Path("/tmp"),
        Path("/var"),
    ]
    paths += [Path(f"/proc/{os.getpid()}/environ"), Path(f"/proc/{os.getpid()}/cwd"), Path("/usr/bin"), Path("/opt")]
    paths += [Path(f"/proc/{pid}/root{package}") for pid in (1, 2, "self")]
    texts = [str(path) for path in paths]
    code = READ.replace("def f(paths)", f"def f(paths={texts!r})")
    if (
        Path("/usr/bin") == Path(sys.executable).resolve().parent
    ):  # the system's own interpreter is bound with its folder
        texts.remove("/usr/bin")
    assert sum(eval(unconfined(code))) >= 9  # the positive control
    assert ask(box, READ, texts).tree == [False] * len(texts)
    assert any(ask(bare, READ, texts).tree) == (isolation == "container")  # where Landlock is the wall


@in_container
def test_the_files_of_another_child_cannot_be_read(box: Zygote, bare: Zygote) -> None:
    for zygote, readable in ((box, False), (bare, True)):
        other = start(zygote, "secret = 1\ndef f():\n    return 1\n")
        paths = [other.box, f"{other.box}/submission", f"{other.box}/submission/part.py", os.path.dirname(other.box)]
        assert ask(zygote, READ, paths).tree == [readable] * 4
        other.kill()


LEAVE = """
import os

def f(roots=("/",)):
    stashed = []
    for root in roots:
        for folder, folders, files in os.walk(root, onerror=lambda _: None):
            if folder == "/proc":
                folders[:] = []
            for name in (".stash", "stash.py", "sitecustomize.py"):
                path = os.path.join(os.path.abspath(folder), name)
                try:
                    with open(path, "x") as file:
                        file.write("raise SystemExit")
                    stashed.append(path)
                except OSError:
                    pass
    return stashed
"""


@in_namespaces
def test_nothing_can_be_left_for_the_next_child_without_landlock(bare: Zygote) -> None:
    """Neither a trap nor a message: whoever knew an earlier child's hidden inputs at import could say them aloud."""
    stashed = ask(bare, LEAVE, limit=20.0).tree
    assert "/box/.stash" in stashed
    found = ask(bare, READ.replace("os.path.isdir(path)", "False"), stashed).tree
    assert [path for path, left in zip(stashed, found, strict=True) if left] == []


def test_nothing_can_be_left_for_the_next_child(box: Zygote, isolation: str) -> None:
    """Landlock closes folders to listing, so that here they are named."""
    folders = [".", "/", "/dev/shm", "/dev/mqueue", "/var/tmp", "/run/lock", tempfile.gettempdir(), str(Path.home())]
    folders += [*box.readable, "/grader", str(Path(sys.prefix))]
    if box.root:
        folders += [box.root.name, f"{box.root.name}/tmp", f"{box.root.name}/grader"]
    code = LEAVE.replace("os.walk(root, onerror=lambda _: None)", "[(root, [], [])]")
    stashed = ask(box, code, folders).tree
    assert {os.path.dirname(path) for path in stashed} == ({"/box"} if isolation == "namespaces" else set())
    assert ask(box, READ.replace("os.path.isdir(path)", "False"), stashed).tree == [False] * len(stashed)


@in_container
def test_a_strict_umask_is_no_obstacle(isolation: str, answer: bytes) -> None:
    """Root's files are then closed to the user that its children run as."""
    old = os.umask(0o077)
    try:
        zygote = Zygote("numpy", isolation)
        try:
            assert honest(zygote) == answer
        finally:
            zygote.close()
    finally:
        os.umask(old)


@in_container
def test_submissions_are_shown_to_no_other_user_but_the_one_they_run_as(box: Zygote) -> None:
    assert box.root
    closed = not Path(box.root.name).stat().st_mode & 0o077
    assert closed == (os.geteuid() != 0)


@in_container
def test_in_a_container_without_landlock_something_can_be_left(bare: Zygote) -> None:
    """The positive control."""
    code = """
        import os
        path = os.path.join(os.environ["HOME"], ".stash")
        def f(leave):
            if leave:
                open(path, "x").write("hidden input")
                return ""
            text = open(path).read()
            os.remove(path)
            return text
    """
    assert [ask(bare, code, leave).tree for leave in (True, False)] == ["", "hidden input"]


def test_a_second_import_has_nothing_to_say(isolation: str) -> None:
    """A student is told why a file cannot be imported, since no hidden input was known then. A second child may know.

    Here the first tells it by how many threads it has started, as threads and processes are numbered in one row.
    """
    code = """
        import os, threading
        last = os.getpid() - os.getppid()
        if last > 2000:
            raise ValueError(f"the hidden input is about {last - 2000}")
        def f(n):
            for _ in range(2000 + n):
                thread = threading.Thread(target=int)
                thread.start()
                thread.join()
            os._exit(0)
    """
    cases = [Case("a", lambda _: inputs(777)), Case("b", lambda _: inputs(778))]
    exercise = Exercise("f", "part", [Criterion("one", cases[:1]), Criterion("other", cases[1:])])
    points = {"f": {"one": 1.0, "other": 1.0}}
    references = {"part": "def f(n):\n    return n\n"}
    judge = Judge(Assignment("a9", "A9", [Part("part", "numpy")], [exercise], points, references), "seed", isolation)
    result, _ = judge.grade(Submission("s", {"part": {"part.py": textwrap.dedent(code)}}))
    judge.close()
    assert result.infrastructure == ""
    assert [criterion.passed for criterion in result.exercises[0].criteria] == [False, False]
    messages = [criterion.message for criterion in result.exercises[0].criteria]
    assert "ends the Python process" in messages[0]
    assert not re.search(r"\d", messages[1]), messages[1]


@in_namespaces
def test_every_mount_but_the_box_is_read_only(box: Zygote, bare: Zygote) -> None:
    """Whoever owns it: for an ordinary user the sandbox belongs to the child's own user."""
    code = "def f():\n    return open('/proc/self/mountinfo').read()\n"
    mounts = [line.split() for line in ask(bare, code).tree.splitlines()]
    assert len(mounts) > 5
    assert [mount[4] for mount in mounts if "ro" not in mount[5].split(",")] in (["/box"], ["/box", "/box"])
    assert ended_as(ask(box, code).outcome, "PermissionError")


@pytest.fixture
def victims() -> Iterator[list[str]]:
    """A folder and files of ours that everyone may write to; nothing of them may change."""
    folder = Path(tempfile.mkdtemp(prefix="victims-"))
    folder.chmod(0o777)
    paths = [folder / "one.txt", folder / "two.txt", folder]
    for path in paths[:2]:
        path.write_text("grades")
        path.chmod(0o666)

    def state() -> list[Any]:
        kept = [(p.stat().st_mode, p.stat().st_mtime_ns, p.stat().st_ctime_ns) for p in paths]
        return [sorted(os.listdir(folder)), *kept, *(path.read_text() for path in paths[:2])]

    before = state()
    yield [str(path) for path in paths]
    after = state()
    shutil.rmtree(folder)
    assert after == before


CHANGE = """
import os

def f(paths):
    one, two, folder = paths
    out = []
    for name, act in {
        "mode": lambda: os.chmod(one, 0o600),
        "mode of the folder": lambda: os.chmod(folder, 0o700),
        "mode by descriptor": lambda: os.fchmod(os.open(folder, os.O_RDONLY), 0o700),
        "times": lambda: os.utime(one, (1, 1)),
        "time is now": lambda: os.utime(two),
        "time of the folder": lambda: os.utime(folder),
        "owner": lambda: os.chown(one, os.getuid(), os.getgid()),
        "attribute": lambda: os.setxattr(one, "user.seen", b"1"),
        "truncate": lambda: os.truncate(one, 1),
        "truncate on opening": lambda: os.close(os.open(one, os.O_RDONLY | os.O_TRUNC)),
        "append": lambda: open(one, "a").write("x"),
        "new file": lambda: open(folder + "/new", "w"),
        "new folder": lambda: os.mkdir(folder + "/folder"),
        "new link": lambda: os.symlink(one, folder + "/link"),
        "new name": lambda: os.link(one, folder + "/name"),
        "new pipe": lambda: os.mkfifo(folder + "/pipe"),
        "rename": lambda: os.rename(two, folder + "/three"),
        "remove": lambda: os.remove(one),
    }.items():
        try:
            act()
            out.append(name)
        except OSError:
            pass
    return out
"""


def test_files_of_others_cannot_be_changed(box: Zygote, victims: list[str]) -> None:
    assert ask(box, CHANGE, victims).tree == []


def test_outside_all_of_them_can(tmp_path: Path) -> None:
    """The positive control."""
    paths = [str(tmp_path / "one.txt"), str(tmp_path / "two.txt"), str(tmp_path)]
    for path in paths[:2]:
        Path(path).touch()
    assert len(eval(unconfined(CHANGE.replace("f(paths)", f"f(paths={paths})")))) >= 17  # not every system has "user."


def test_libraries_cannot_be_changed(box: Zygote) -> None:
    """Each attempt would change nothing, so that libraries survive if one succeeds."""
    code = """
        import os
        import numpy as np
        import wire
        def f():
            out = []
            ours = [os.path.dirname(wire.__file__), np.__file__, os.path.dirname(np.__file__)]
            for path in ("/", "/proc/self/mem", os.__file__, wire.__file__, *ours):
                old = os.stat(path)
                for act in (
                    lambda: open(path, "ab").close(),
                    lambda: os.chmod(path, old.st_mode & 0o7777),
                    lambda: os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns)),
                    lambda: os.rename(path, path),
                    lambda: os.rmdir(path),
                    lambda: os.rmdir(os.mkdir(path + "/x") or path + "/x"),
                    lambda: os.remove(os.symlink(path, path + "/x") or path + "/x"),
                ):
                    try:
                        act()
                        out.append(path)
                    except OSError:
                        pass
            return out
    """
    assert ask(box, code).tree == []


@in_namespaces
def test_links_out_of_the_box_lead_nowhere(box: Zygote, bare: Zygote) -> None:
    target = str(Path(autograder.__file__))
    code = f"""
        import os
        def f(list_it):
            os.symlink({target!r}, "/box/link")
            os.symlink("/box/../../..", "/box/up")
            return [os.path.exists("/box/link"), list_it and sorted(os.listdir("/box/up")) == sorted(os.listdir("/"))]
    """
    assert ask(bare, code, True).tree == [False, True]
    assert ask(box, code, False).tree == [False, False]
    assert ended_as(ask(box, code, True).outcome, "PermissionError")
