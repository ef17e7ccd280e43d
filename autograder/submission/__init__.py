"""From what a student handed in (.py, .ipynb, .zip or a folder) to sources, without executing or extracting anything.

A *part* is supplied by the file ``<part>.py``, also in another case or as a browser or a copy renamed it; failing that
by the module or notebook that defines most of its graded names. The modules beside and below that file travel with it,
so that imports of own files work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.results import Attention
from autograder.submission.disk import Refused, newest_file
from autograder.submission.files import MAX_SOURCE, collect, decode
from autograder.submission.notebook import Notebook, code_cells, top_level_names
from autograder.syntax import MAX_TOKENS, tokens
from autograder.text import one_line

__all__ = ["Submission", "SubmissionPathError", "newest_file", "part_of", "read"]

MAX_CODE = 300_000  # characters in the code cells of all notebooks
MAX_CELLS = 2_000
MAX_NOTES = 20
MAX_NOTE = 400  # characters

Graded = Mapping[str, Sequence[str]]

_RENAMED = re.compile(r"(?:copy of )?(.+?)(?:(?: -)? copy)?(?:[ _]?\(\d+\)|[-_ ]\d+)?")


class SubmissionPathError(Exception):
    """A path that was asked for does not exist or cannot be read; the message is one sentence that names it."""


@dataclass(frozen=True)
class Submission:
    """What one student handed in.

    ``parts`` maps each part that was found to its files, relative name → source: the part's own ``<part>.py`` and the
    student's other modules. ``notes`` are sentences for the student: what was ignored, renamed or refused;
    ``attention`` marks those of them that a teacher may want to look at.
    """

    student: str
    parts: Mapping[str, Mapping[str, str]]
    notes: tuple[str, ...] = ()
    attention: tuple[Attention, ...] = ()


def read(student: str, path: Path, graded: Graded) -> Submission:
    """The sources handed in at ``path``, by part.

    Never raises for what it finds there: a submission that is refused has no parts, and a note says why.

    Raises:
        SubmissionPathError: whoever runs this is not permitted to read it.
    """
    notes: list[str] = []
    parts: dict[str, dict[str, str]] = {}
    try:
        parts = _parts(collect(path, notes), graded, notes)
        if not parts:
            wanted = ", ".join(f"{part}.py" for part in graded)
            notes.append(f"{path.name} holds nothing to grade: expected {wanted} or a notebook with their contents.")
    except Refused as refusal:
        notes = [str(refusal)]
    except PermissionError as error:
        raise SubmissionPathError(f"{error.filename or path} cannot be read: permission denied.") from None
    except OSError:
        notes = [f"{path.name} could not be read."]
    except (RecursionError, MemoryError):
        notes = [f"{path.name} was refused because its contents are too large or nested too deeply."]
    if len(notes) > MAX_NOTES:
        notes[MAX_NOTES:] = [f"{len(notes) - MAX_NOTES} more notes were left out."]
    notes = [note if len(note) <= MAX_NOTE else f"{note[:MAX_NOTE]}…" for note in map(one_line, notes)]
    return Submission(student, parts, tuple(notes))


def part_of(name: str, graded: Graded) -> str:
    """The part whose file this is by its name; the empty string if none."""
    path = PurePosixPath(name)
    stem = path.stem.lower()
    renamed = _RENAMED.fullmatch(stem)
    parts = {part.lower(): part for part in graded} if path.suffix.lower() in (".py", ".ipynb") else {}
    return parts.get(stem) or parts.get(re.sub("[- ]", "_", renamed[1]) if renamed else "", "")


def _parts(files: Mapping[str, bytes], graded: Graded, notes: list[str]) -> dict[str, dict[str, str]]:
    """The modules of each part that was found."""
    sources, cells = _texts(files, notes)
    defined = {file: top_level_names(source) for file, source in sources.items()}
    every = {name for names in graded.values() for name in names}
    notebooks: dict[str, Notebook] = {}
    for file, texts in cells.items():
        own = {PurePosixPath(path).with_suffix("").parts[0] for path in _beside(file, sources)}
        notebooks[file] = Notebook(file, texts, every, own - set(graded))
        defined[file] = notebooks[file].defined(every)

    supply: dict[str, tuple[str, str]] = {}  # part → the file that it comes from, and its source
    passed_over: set[str] = set()
    for part, names in graded.items():
        ranked = sorted(filter(None, (_rank(file, part, held, graded) for file, held in defined.items())))
        if not ranked:
            continue
        file, *others = [str(rank[-1]) for rank in ranked]
        if file in notebooks:
            notes += [note for note in notebooks[file].notes if note not in notes]
        supply[part] = file, notebooks[file].module(part, names) if file in notebooks else sources[file]
        passed_over.update(others)
        if others or PurePosixPath(file).name != f"{part}.py":
            rest = f", and not from {' or '.join(others)}" if others else ""
            notes.append(f"{part} was graded from {file}{rest}.")

    parts = {part: _modules(file, sources, supply) for part, (file, _) in supply.items()}
    used = {name for file, _ in supply.values() for name in (file, *_beside(file, sources).values())}
    if supply and (unused := [file for file in sources if file not in used | passed_over]):
        notes.append(f"Ignored, because the graded files cannot import them: {', '.join(unused)}.")
    return parts


def _rank(file: str, part: str, held: set[str], graded: Graded) -> tuple[int, int, bool, int, str] | None:
    """How well ``file``, which defines ``held``, supplies ``part``: less is better, None is not at all.

    A module with the part's name comes first, then what defines most graded names, then an empty module of that name.
    """
    shares = {other: len(held & set(names)) for other, names in graded.items()}
    named, depth = part_of(file, graded), file.count("/")
    if file.endswith(".ipynb"):
        return (1, -shares[part], True, depth, file) if shares[part] else None
    if (named or max(graded, key=lambda other: shares[other])) != part:
        return None
    if named:
        return 0 if shares[part] else 2, PurePosixPath(file).stem != part, False, depth, file
    return (1, -shares[part], False, depth, file) if shares[part] else None


def _texts(files: Mapping[str, bytes], notes: list[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The sources of the modules and the code cells of the notebooks."""
    sources: dict[str, str] = {}
    cells: dict[str, list[str]] = {}
    for name in sorted(files):
        try:
            if name.endswith(".ipynb"):
                cells[name] = code_cells(name, files[name])
            else:
                sources[name] = decode(name, files[name])
                if not sources[name].strip():
                    notes.append(f"{name} is empty.")
        except Refused as refusal:
            notes.append(str(refusal))
    every = [cell for texts in cells.values() for cell in texts]
    if len(every) > MAX_CELLS or sum(map(len, every)) > MAX_CODE or sum(map(tokens, every)) > MAX_TOKENS:
        raise Refused("The notebooks hold more than 300 kB of code, 2 000 code cells or 100 000 names and signs.")
    return sources, cells


def _beside(file: str, sources: Iterable[str]) -> dict[str, str]:
    """The modules that ``file`` can import: path relative to its folder → name in the submission."""
    folder = PurePosixPath(file).parent
    beside = {}
    for name in sources:
        path = PurePosixPath(name)
        if folder in path.parents:
            steps = path.relative_to(folder).with_suffix("").parts
            if len(steps) <= 10 and all(step.isidentifier() and len(step.encode()) <= 100 for step in steps):
                beside[f"{'/'.join(steps)}.py"] = name
    return beside


def _modules(file: str, sources: Mapping[str, str], supply: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """The modules that ``file`` can import, and those in its folder that supply a part under the part's name."""
    folder = PurePosixPath(file).parent
    supplied = {f"{part}.py": text for part, (other, text) in supply.items() if PurePosixPath(other).parent == folder}
    taken = {name.casefold() for name in supplied}
    own = {path: sources[name] for path, name in _beside(file, sources).items() if path.casefold() not in taken}
    modules = own | supplied
    if sum(len(source.encode()) for source in modules.values()) > MAX_SOURCE:
        raise Refused("The submission holds more than 900 kB of Python source.")
    return modules
