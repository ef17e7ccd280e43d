"""From what a student handed in (.py, .ipynb, .zip or a folder) to sources, without executing or extracting anything.

A *part* is supplied by the file ``<part>.py``, also in another case or as a browser or a copy renamed it; failing that
by the module or notebook that defines most of its graded names. The modules beside and below that file travel with it,
so that imports of own files work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from autograder.results import Attention
from autograder.student.checks.syntax import MAX_TOKENS, tokens
from autograder.submission.choice import Candidate, Graded, choose, part_of
from autograder.submission.disk import Refused, newest_file
from autograder.submission.encoding import decode
from autograder.submission.files import MAX_SOURCE, File, Notes, collect
from autograder.submission.notebook import Notebook, code_cells, top_level_names
from autograder.text import one_line, shortened

__all__ = ["Submission", "SubmissionPathError", "newest_file", "part_of", "read"]

MAX_CODE = 300_000  # characters in the code cells of all notebooks
MAX_CELLS = 2_000
MAX_NOTES = 20
MAX_NOTE = 400  # characters


class SubmissionPathError(Exception):
    """A path that was asked for does not exist or cannot be read; the message is one sentence that names it."""


@dataclass(frozen=True)
class Submission:
    """What one student handed in.

    ``parts`` maps each part that was found to its files, relative name → source: the part's own ``<part>.py`` and the
    student's other modules. ``notes`` are sentences for the student: what was ignored, renamed or refused;
    ``attention`` marks those of them that a teacher may want to look at. ``unread`` says that something which could
    hold a part was refused or left out, so that nobody knows whether a part that is missing was handed in.
    """

    student: str
    parts: Mapping[str, Mapping[str, str]]
    notes: tuple[str, ...] = ()
    attention: tuple[Attention, ...] = ()
    unread: bool = False


def read(student: str, path: Path, graded: Graded) -> Submission:
    """The sources handed in at ``path``, by part.

    Never raises for what it finds there: a submission that is refused has no parts, and a note says why.

    Raises:
        SubmissionPathError: whoever runs this is not permitted to read it.
    """
    notes: Notes = []
    parts: dict[str, dict[str, str]] = {}
    refusal = ""
    try:
        parts = _parts(collect(path, notes), graded, notes)
        if not parts:
            wanted = ", ".join(f"{part}.py" for part in graded)
            missing = f"{path.name} holds nothing to grade: expected {wanted} or a notebook with their contents."
            notes.append(Attention("refused", missing))
    except Refused as refused:
        refusal = str(refused)
    except PermissionError as error:
        raise SubmissionPathError(f"{error.filename or path} cannot be read: permission denied.") from None
    except OSError:
        refusal = f"{path.name} could not be read."
    except (RecursionError, MemoryError):
        refusal = f"{path.name} was refused because its contents are too large or nested too deeply."
    if refusal:
        notes = [Attention("refused", refusal)]
    unread = bool(refusal) or any(isinstance(note, Attention) and note.kind == "left out" for note in notes)
    if len(notes) > MAX_NOTES:
        notes[MAX_NOTES:] = [f"{len(notes) - MAX_NOTES} more notes were left out."]
    marked = [replace(note, sentence=_fit(note.sentence)) for note in notes if isinstance(note, Attention)]
    sentences = [_fit(note if isinstance(note, str) else note.sentence) for note in notes]
    return Submission(student, parts, tuple(sentences), tuple(marked), unread)


def _fit(sentence: str) -> str:
    return shortened(one_line(sentence), MAX_NOTE)


def _parts(files: Mapping[str, File], graded: Graded, notes: Notes) -> dict[str, dict[str, str]]:
    """The modules of each part that was found."""
    every = {name for names in graded.values() for name in names}
    sources, cells = _texts(files, every, notes)
    defined = {file: top_level_names(source) for file, source in sources.items()}
    notebooks: dict[str, Notebook] = {}
    for file, texts in cells.items():
        own = {PurePosixPath(path).with_suffix("").parts[0] for path in _beside(file, sources)}
        notebooks[file] = Notebook(file, texts, every, own - set(graded))
        defined[file] = notebooks[file].defined(every)

    supply: dict[str, tuple[str, str]] = {}  # part → the file that it comes from, and its source
    passed_over: set[str] = set()
    for part, names in graded.items():

        def text(file: str, part: str = part, names: Sequence[str] = names) -> str:
            return notebooks[file].module(part, names) if file in notebooks else sources[file]

        candidates = [
            Candidate(file, bool(part_of(file, graded)), held & set(names), files[file].time, partial(text, file))
            for file, held in defined.items()
            if _may_supply(file, part, held, graded)
        ]
        if candidates:
            best, said = choose(part, candidates)
            if best.file in notebooks:
                notes += [note for note in notebooks[best.file].notes if note not in notes]
            notes += [said] if said else []
            supply[part] = best.file, best.text()
            passed_over.update(other.file for other in candidates if other is not best)

    parts = {part: _modules(file, sources, supply) for part, (file, _) in supply.items()}
    used = {name for file, _ in supply.values() for name in (file, *_beside(file, sources).values())}
    if supply and (unused := [file for file in sources if file not in used | passed_over]):
        notes.append(f"Ignored, because the graded files cannot import them: {', '.join(unused)}.")
    return parts


def _may_supply(file: str, part: str, held: set[str], graded: Graded) -> bool:
    """Whether ``file``, which defines ``held``, has the part's name or, without any part's name, most of the part."""
    shares = {other: len(held & set(names)) for other, names in graded.items()}
    if file.endswith(".ipynb"):
        return shares[part] > 0
    if named := part_of(file, graded):
        return named == part
    return shares[part] > 0 and max(graded, key=lambda other: shares[other]) == part


def _texts(files: Mapping[str, File], graded: set[str], notes: Notes) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The sources of the modules and the code cells of the notebooks."""
    sources: dict[str, str] = {}
    cells: dict[str, list[str]] = {}
    for name in sorted(files):
        try:
            if name.endswith(".ipynb"):
                cells[name] = code_cells(name, files[name].content, graded, notes)
            else:
                sources[name] = decode(name, files[name].content, notes)
                if not sources[name].strip():
                    notes.append(f"{name} is empty.")
        except Refused as refusal:
            notes.append(Attention("left out", str(refusal)))
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
    """The modules that ``file`` can import, and those in its folder that supply a part under the part's name.

    A package that is called like the part stays one. Where the folder's own name is mentioned, as in ``from a1.helpers
    import f``, its modules stand below that name too.
    """
    folder = PurePosixPath(file).parent
    if PurePosixPath(file).name == "__init__.py" and folder.name in supply:
        return _limited({path: sources[name] for path, name in _beside(str(folder), sources).items()})
    supplied = {f"{part}.py": text for part, (other, text) in supply.items() if PurePosixPath(other).parent == folder}
    taken = {name.casefold() for name in supplied}
    own = {path: sources[name] for path, name in _beside(file, sources).items() if path.casefold() not in taken}
    modules = own | supplied
    mention = re.compile(rf"^\s*(?:from|import)\s+{re.escape(folder.name)}\b", re.MULTILINE)
    if folder.name.isidentifier() and any(map(mention.search, modules.values())):
        modules |= {f"{folder.name}/{path}": text for path, text in modules.items()}
    return _limited(modules)


def _limited(modules: dict[str, str]) -> dict[str, str]:
    if sum(len(source.encode()) for source in modules.values()) > MAX_SOURCE:
        raise Refused("The submission holds more than 900 kB of Python source.")
    return modules
