"""A part that cannot be imported as it stands is graded from those of its definitions that can be.

The child says whether an import succeeds, so nothing is guessed here. No child of the part has seen a hidden input yet.
A child that ends itself or disturbs the connection has met with no accident: its file stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from autograder.results import Attention
from autograder.session import Session
from autograder.submission.salvage import salvaged

BUDGET = 10.0  # nominal seconds that all further imports of one part may take

Files = Mapping[str, str]


@dataclass(frozen=True)
class Importable:
    """The files to grade, what a teacher should know of them, and the seconds of CPU that finding them took."""

    files: Files
    attention: Attention | None
    used: float


def importable(
    part: str, files: Files, names: Sequence[str], there: Collection[str], session: Callable[[Files], Session]
) -> Importable:
    """``files`` where ``part`` can be imported from them; else as much of them as can.

    Args:
        part: the module that is graded, with its graded ``names``.
        files: relative name → source.
        there: the top-level modules that can be imported, beside the student's own.
        session: questions to some files.
    """
    spent = used = 0.0
    why, attacked = "", False

    def imports(some: Files) -> bool:
        nonlocal spent, used, why, attacked
        if spent > BUDGET:
            return False
        with closing(session(some)) as asked:
            failure, attacked = asked.not_imported(), asked.attacked
            spent += asked.spent + asked.idle
        used += asked.used
        why = why or failure
        return not failure

    if imports(files):
        return Importable(files, None, used)
    spent = 0.0
    if attacked or not (found := salvaged(part, files, names, there, imports)):
        return Importable(files, Attention("not imported", why), used)
    kept, lost = found
    without = f", without {', '.join(lost)}" if lost else ""
    sentence = f"{why} It was graded from the definitions that can be imported{without}."
    return Importable(kept, Attention("repaired", sentence), used)
