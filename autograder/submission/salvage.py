"""What can be had of a part that cannot be imported as it was handed in.

A module is a notebook of one cell: what a graded name needs is kept, and everything else goes (code that only runs,
plots, asks or tests; imports of what is not there; lines that are no Python).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from autograder.submission.disk import Refused
from autograder.submission.notebook import MAX_CELL, Notebook, top_level_names

MAX_CODE = 3 * MAX_CELL  # characters of all files that are looked at

Files = Mapping[str, str]


def salvaged(
    part: str, files: Files, names: Sequence[str], there: Collection[str], imports: Callable[[Files], bool]
) -> tuple[dict[str, str], list[str]] | None:
    """``files`` reduced so that ``part`` can be imported, and those of ``names`` that are lost; None if all are.

    Tried in this order: everything that the names need; the same, with the other files reduced too; the same, with the
    names that can be imported each alone.

    Args:
        part: the module that is graded.
        files: relative name → source.
        names: the part's graded names.
        there: the top-level modules that can be imported, beside the student's own.
        imports: whether ``part`` can be imported from these files.
    """
    if sum(map(len, files.values())) > MAX_CODE:
        return None
    try:
        return next(_tries(part, files, names, there, imports), None)
    except Refused:
        return None


def _tries(
    part: str, files: Files, names: Sequence[str], there: Collection[str], imports: Callable[[Files], bool]
) -> Iterator[tuple[dict[str, str], list[str]]]:
    main = f"{part}.py" if f"{part}.py" in files else f"{part}/__init__.py"
    own = {PurePosixPath(path).with_suffix("").parts[0] for path in files}
    module = Notebook(main, [files[main]], names, own - {part})
    found = [name for name in names if module.defined({name})]
    if not found:
        return
    everything = {*there, *own}
    others = {path: text for path, text in files.items() if path != main}

    def reduced(kept: Sequence[str]) -> dict[str, str]:
        return {**others, main: module.module(part, kept, everything, package="/" in main)}

    def lost(kept: Sequence[str]) -> list[str]:
        return sorted(top_level_names(files[main]).intersection(names).difference(kept))

    if imports(whole := reduced(found)):
        yield whole, lost(found)
    for path, text in others.items():
        notebook = Notebook(path, [text], (), own)
        others[path] = notebook.module(path, notebook.names(), everything, package="/" in path)
    if others and imports(whole := reduced(found)):
        yield whole, lost(found)
    alone = [name for name in found if imports(reduced([name]))]
    if alone and imports(whole := reduced(alone)):
        yield whole, lost(alone)
