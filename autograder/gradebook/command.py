"""``gradebook``: a table and a page over folders of grades."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from autograder.course import CourseError
from autograder.gradebook.book import gradebook
from autograder.gradebook.page import gradebook_csv, gradebook_html
from autograder.places import check_folder
from autograder.store import write_text


def write_gradebook(folders: Sequence[tuple[str, Path]], out: Path, root: Path, say: Callable[[str], None]) -> bool:
    """Write the table to ``out`` and a page beside it.

    Returns:
        Whether everybody has a total.

    Raises:
        CourseError: as in :func:`autograder.gradebook.book.gradebook`, or ``out`` does not end in ``.csv``.
        ResultsError: as there.
    """
    if out.suffix.lower() != ".csv":
        raise CourseError(f"{out} does not end in .csv; the page is written beside it and ends in .html.")
    check_folder(out.parent)
    book = gradebook(folders, root)
    page = out.with_suffix(".html")
    write_text(out, gradebook_csv(book))
    write_text(page, gradebook_html(book))
    for sentence in (*book.sentences, f"{len(book.lines)} students: {out}", f"Page: {page}"):
        say(sentence)
    return all(line.total is not None for line in book.lines)
