"""Mutated exports of every platform: names, metadata, archives and rosters that no platform would write.

Whatever they hold, they are refused in a sentence, or every file that could be graded belongs to somebody, everybody
has a key and a folder of his own, and nothing is written elsewhere.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import stat
import unicodedata
import zipfile
from collections.abc import Callable
from datetime import UTC
from pathlib import Path, PurePosixPath

from exports import EXPORTS, GRADED

from autograder.collect.download import CollectError, Download, listed, unpacked
from autograder.collect.entry import HandIn
from autograder.collect.keep import keep
from autograder.collect.recognise import CHOICES
from autograder.collect.roster import read_roster
from autograder.collect.students import Collected, collect
from autograder.folders import folder_name
from autograder.report import collected_text
from autograder.submission import SubmissionPathError, read
from autograder.text import printable

Mutate = Callable[[bytes, bytes], bytes]
PIECES = (
    "_",
    "__",
    "LATE_",
    "anon_",
    "_text.html",
    "assignsubmission_file",
    "_attempt_",
    " - ",
    "(u1)",
    "+",
    "-1",
    "(1)",
)
PIECES += (
    "\u0301",
    "é",
    "\u202e",
    "\x1b[31m",
    "\n",
    "0",
    "12",
    "99999999999999999999",
    ".py",
    ".zip",
    ".ipynb",
    " ",
    "A",
)
MEMBERS = (
    "../x.py",
    "/x.py",
    "C:/x.py",
    "a/../../x.py",
    "a\\..\\..\\x.py",
    "",
    "/",
    ".",
    "x/",
    "x",
    "x/y.py",
    "\ud800.py",
)
METADATA = (".yml", ".txt", ".csv")
ROSTERS = (
    "id,name,email,section,username,group\n1,Ada Lovelace,a@x.test,A,ada,\n2,Wei Zhang,w@x.test,B,bob,Default group\n",
    "First Name,Last Name,SID,Email,Role\nAda,Lovelace,0017,ada@x.test,Student\nEve,One,0020,eve@x.test,Student\n",
    'Student,ID,SIS User ID,Section\n    Points Possible,,,\n"Lovelace, Ada",4021,S1,A\n"Müller, Jörg",4022,S2,B\n',
)


def step(seed: int, folder: Path, mutate: Mutate) -> bool:
    """One inbox; whether students were found in it."""
    r = random.Random(seed)
    shutil.rmtree(folder, ignore_errors=True)
    name = r.choice(sorted(EXPORTS))
    place = folder / "in" / name
    EXPORTS[name][0](place)
    for _ in range(r.choice((0, 1, 1, 2, 5))):
        _spoil(r, place, mutate)
    if r.random() < 0.4:
        place = _packed(r, place, mutate)
    given = [place] if r.random() < 0.9 else [place, folder / "in"]
    roster = None
    before = _tree(folder)
    try:
        if r.random() < 0.4:
            text = r.choice(ROSTERS).encode()
            (folder / "roster.csv").write_bytes(mutate(text, text) if r.random() < 0.5 else text)
            before = _tree(folder)
            roster = read_roster(folder / "roster.csv")
        platform = r.choice(CHOICES) if r.random() < 0.3 else ""
        zone = r.choice((None, UTC))
        found = collect(given, GRADED, assignment="a1_convolution", roster=roster, platform=platform, zone=zone)
    except (CollectError, SubmissionPathError):
        return False
    look(found, given, folder / "out")
    assert _tree(folder, without="out") == before
    return bool(found.students)


def look(found: Collected, given: list[Path], out: Path) -> None:
    """Assert that nobody and nothing is lost, and that what is kept can be read."""
    keys = [student.key for student in found.students]
    assert len({key.casefold() for key in keys}) == len(keys)
    assert len({folder_name(key) for key in keys}) == len(keys)
    assert all(printable(text, keep="") == text for text in (*keys, *found.sentences))
    collected_text(found.students).encode()
    for student in found.students:
        assert (student.attempt is None) == (not student.attempts)
        facts = student.hand_in("0" * 64)
        assert HandIn.from_json(facts.to_json()) == facts
        assert facts.handed_in is None or facts.handed_in.tzinfo
        if student.attempt:
            kept = keep(student.attempt, out / folder_name(student.key))
            read(student.key, kept.path, GRADED)
    attempts = [attempt for student in found.students for attempt in student.attempts]
    places = {attempt.path for attempt in attempts if attempt.path}
    files = {(file.place, file.member) for attempt in attempts for file in attempt.files.values()}
    alone = " ".join(sentence for sentence in found.sentences if sentence.startswith("Left alone"))
    for path in given:
        for file in _gradable(path.resolve()):
            said = any(part in alone for part in (*file[0].parts[-2:-1], *PurePosixPath(file[1]).parts[-2:-1]))
            assert said or file in files or places & {file[0], *file[0].parents}, file


def _gradable(path: Path) -> set[tuple[Path, str]]:
    """The Python files of an inbox; nbgrader keeps those of other assignments, and Sakai feedback, beside them."""
    download: Download | None = None
    with contextlib.suppress(Exception):
        download = listed(path) if path.is_dir() else unpacked(path)
    if not download:
        return set()
    names = {name for name in download.files if PurePosixPath(name).suffix == ".py"}
    names = {name for name in names if not {"source", "a2_activations", "comments"} & set(name.split("/"))}
    return {(download.files[name].place, download.files[name].member) for name in names}


def _spoil(r: random.Random, place: Path, mutate: Mutate) -> None:
    files = sorted(path for path in place.rglob("*") if path.is_file() and not path.is_symlink())
    folders = sorted(path for path in place.rglob("*") if path.is_dir() and not path.is_symlink())
    if not files:
        return
    path = r.choice(files)
    with contextlib.suppress(OSError, UnicodeError, ValueError):
        match r.randrange(9):
            case 0 | 1:
                path = r.choice(files + folders)
                path.rename(path.with_name(_renamed(r, path.name)))
            case 2:
                path = r.choice([file for file in files if file.suffix in METADATA] or files)
                data = path.read_bytes()
                path.write_bytes(mutate(data, data))
            case 3:
                path.unlink()
            case 4:
                shutil.copy(path, place / _renamed(r, path.name))
            case 5:
                shutil.copytree(
                    r.choice(folders or [path.parent]), place / _renamed(r, path.parent.name), symlinks=True
                )
            case 6:
                os.symlink(r.choice(("/etc/passwd", "..", "absent", ".")), place / _renamed(r, path.name))
            case 7:
                os.mkfifo(place / _renamed(r, path.name))
            case _:
                shutil.rmtree(r.choice(folders or [place / "nothing"]), ignore_errors=True)


def _renamed(r: random.Random, name: str) -> str:
    match r.randrange(4):
        case 0:
            return unicodedata.normalize(r.choice(("NFC", "NFD", "NFKD")), name)
        case 1:
            return name.swapcase()
        case 2:
            at, to = sorted((r.randrange(len(name) + 1), r.randrange(len(name) + 1)))
            return (name[:at] + name[to:]) or "x"
    at = r.randrange(len(name) + 1)
    return name[:at] + r.choice(PIECES) + name[at:]


def _packed(r: random.Random, place: Path, mutate: Mutate) -> Path:
    """The inbox as an archive, perhaps damaged or with members that none should have."""
    path = place.parent / f"{place.name}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(place.rglob("*")):
            if file.is_file() and not file.is_symlink():
                name = str(file.relative_to(place))
                with contextlib.suppress(UnicodeError):
                    info = zipfile.ZipInfo(name)
                    if r.random() < 0.02:
                        info.external_attr = (stat.S_IFLNK | 0o777) << 16
                    archive.writestr(info, file.read_bytes())
        if r.random() < 0.3:
            with contextlib.suppress(UnicodeError):
                archive.writestr(r.choice(MEMBERS) or "x", "x = 1\n")
    shutil.rmtree(place)
    if r.random() < 0.4:
        data = path.read_bytes()
        path.write_bytes(mutate(data, data))
    return path


def _tree(folder: Path, without: str = "") -> set[str]:
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if not without or path.relative_to(folder).parts[0] != without
    }
