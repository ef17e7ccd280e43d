"""From a path to the download that it is. What is ambiguous is refused: a class never becomes one student."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from autograder.collect.download import CollectError, Download, File, listed, unpacked
from autograder.collect.found import Asked, Attempt, Entry, Recognised, gradable
from autograder.collect.platforms import PLATFORMS, gradescope, plain
from autograder.submission import SubmissionPathError
from autograder.submission.disk import Refused
from autograder.text import printable

STUDENT = "student"
CHOICES = (*PLATFORMS, STUDENT)  # what ``--from`` takes; the last says that each path is one student's
_SINGLE = ("canvas", "moodle", "brightspace", "blackboard", "sakai", "gradescope")  # whose items say whose they are


@dataclass(frozen=True)
class Class:
    """The entries at one path, and how it was recognised; ``is_class`` is False where the path is one student's."""

    place: Path
    platform: str
    found: Recognised
    is_class: bool = True


def classes(paths: Sequence[Path], asked: Asked, platform: str = "", known: Collection[str] = ()) -> list[Class]:
    """What stands at each of the ``paths``.

    Args:
        platform: the one that all of them are, if it was said.
        known: paths that were graded as one submission before, and so are again.

    Raises:
        SubmissionPathError: a path does not exist or cannot be read.
        CollectError: it cannot be told what it is.
    """
    found: list[Class] = []
    loose: dict[Path, dict[str, File]] = {}  # folder → files in it that were given one by one
    names: dict[Path, str] = {}
    for given in paths:
        try:
            path = given.resolve(strict=True)
            if path in names:
                continue
            name = names[path] = os.path.basename(os.path.abspath(given))
            if path.is_dir() and (platform == STUDENT or (str(path) in known and not platform)):
                found.append(_student(path, name))
            elif path.is_dir():
                found.append(_folder(listed(path), name, asked, platform))
            elif not path.is_file() or not os.access(path, os.R_OK):
                raise PermissionError
            elif platform != STUDENT and path.suffix.lower() == ".zip" and (inner := _zip(path, asked, platform)):
                found.append(inner)
            else:
                loose.setdefault(path.parent, {})[path.name] = File(path)
        except (OSError, RuntimeError, ValueError) as error:
            problem = "does not exist" if isinstance(error, FileNotFoundError) else "cannot be read"
            raise SubmissionPathError(f"{given} {problem}.") from None
    for folder, files in loose.items():
        recognised = None
        if platform not in (STUDENT, "plain"):
            recognised = _recognised(Download(folder, folder.name, files), asked, platform, _SINGLE)
        found += [recognised] if recognised else [_student(folder / name, names[folder / name]) for name in files]
    return found


def _student(path: Path, name: str) -> Class:
    label = printable(name if path.is_dir() else PurePosixPath(name).stem, keep="").strip(" .") or "unnamed"
    return Class(path, "plain", Recognised((Entry((), (Attempt(str(path), path),), label),)), is_class=False)


def _folder(download: Download, name: str, asked: Asked, platform: str) -> Class:
    if platform != "plain" and (item := _item(download, asked, platform)):
        return item
    if platform != "plain":
        for level in _levels(download):
            if recognised := _recognised(level, asked, platform):
                return recognised
        if platform:
            raise CollectError(f"{download.place} is no {PLATFORMS[platform].title}.")
        plain.check(download, asked)
        _check_children(download, asked)
        if plain.is_submission(download, asked):
            return _student(download.place, name)
    return Class(download.place, "plain", plain.recognise(download, asked))


def _zip(path: Path, asked: Asked, platform: str) -> Class | None:
    """The class in an archive; None where it is one student's."""
    try:
        download = unpacked(path)
    except Refused as refusal:
        if platform:
            raise CollectError(str(refusal)) from None
        return None
    if platform != "plain":
        for level in _levels(download):
            if recognised := _recognised(level, asked, platform):
                return recognised
        if platform:
            raise CollectError(f"{path} is no {PLATFORMS[platform].title}.")
        if several := plain.several_inside(download, asked) or plain.several_archives(download):
            raise CollectError(
                f"{path} holds {plain.some(several)}: say --from plain if it is a class, "
                "--from student if it is one student's."
            )
        return None
    *_, level = _levels(download)
    return Class(path, "plain", plain.recognise(level, asked))


def _levels(download: Download) -> Iterator[Download]:
    """The download, and what lies in folders around it that hold nothing else, or in a zip archive."""
    while True:
        yield download
        if len(download.tops) != 1:
            return
        (top,) = download.tops
        if download.is_folder(top):
            download = download.below(top)
        elif (inner := plain.archive_in(download, top)) and not inner.tops.keys() <= {top}:
            download = inner
        else:
            return


def _recognised(
    download: Download, asked: Asked, platform: str, among: Collection[str] = tuple(PLATFORMS)
) -> Class | None:
    """What the recognisers make of it.

    Raises:
        CollectError: several know it, or something in it belongs to nobody.
    """
    names = [platform] if platform else [name for name in among if name != "plain"]
    found = {name: one for name in names if (one := PLATFORMS[name].recognise(download, asked))}
    if not platform:
        # one file of a student's folder may well be called as Canvas would call it
        found = {
            n: one for n, one in found.items() if n != "canvas" or len(one.entries) > 1 or not _lost(download, one)
        }
    if not found:
        return None
    if len(found) > 1:
        titles = " and as ".join(PLATFORMS[name].title for name in found)
        raise CollectError(f"{download.place} can be read as {titles}: say which with --from {next(iter(found))}.")
    ((name, one),) = found.items()
    title = PLATFORMS[name].title
    if not download.complete:
        raise CollectError(f"{download.place} holds more files than a {title} can be looked through for.")
    if lost := _lost(download, one):
        raise CollectError(
            f"{download.place} is a {title}, but {plain.some(lost)} in it belongs to no student: move it away, "
            "or say --from plain if it is none."
        )
    return Class(download.place, name, one)


def _lost(download: Download, found: Recognised) -> list[str]:
    """What no entry takes and somebody may have handed in."""
    return [top for top in found.stray if gradable(top) or (download.is_folder(top) and download.tops[top])]


def _item(download: Download, asked: Asked, platform: str) -> Class | None:
    """One student's folder of a platform's download, given by itself: it has the same key as in its class."""
    name, parent = download.place.name, download.place.parent
    files = {f"{name}/{inner}": file for inner, file in download.files.items()}
    folders = frozenset({name, *(f"{name}/{inner}" for inner in download.folders)})
    metadata = parent / gradescope.METADATA
    if metadata.is_file():
        files[gradescope.METADATA] = File(metadata)
    around = Download(parent, parent.name, files, folders)
    names = [platform] if platform in _SINGLE else [] if platform else _SINGLE
    for one in names:
        if found := PLATFORMS[one].recognise(around, asked):
            mine = tuple(e for e in found.entries if any(a.source.split("/")[0] == name for a in e.attempts))
            if mine:
                return Class(download.place, one, replace(found, entries=mine, stray=()), is_class=False)
    return None


def _check_children(download: Download, asked: Asked) -> None:
    """Raise where a child of a plain folder is itself the download of a class."""
    if plain.is_submission(download, asked):
        return
    for top in download.tops:
        inner = download.below(top) if download.is_folder(top) else plain.archive_in(download, top)
        for level in _levels(inner) if inner else ():
            try:
                found = _recognised(level, asked, "")
            except CollectError as error:
                raise CollectError(f"{error} Or say --from plain, if {printable(top)} is one student's.") from None
            if found and len(found.found.entries) > 1:
                raise CollectError(
                    f"{printable(top)} in {download.place} is a {PLATFORMS[found.platform].title} of "
                    f"{len(found.found.entries)}: give it by itself if it is the class, or say --from plain if it is "
                    "one student's."
                )
