"""Tables in CSV that teachers write beside the results: what is wrong in one is a sentence with file and line."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

from autograder.course import CourseError

Row = TypeVar("Row")


@contextlib.contextmanager
def together() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Every mistake at once: what is raised within the context managers that this yields is raised at the end.

    Raises:
        CourseError: some were; the message has a line for each.
    """
    sentences: list[str] = []

    @contextlib.contextmanager
    def each() -> Iterator[None]:
        try:
            yield
        except CourseError as error:
            sentences.extend(error.args)

    yield each
    if sentences:
        raise CourseError(*sentences)


def read_rows(path: Path, columns: Sequence[str], read: Callable[..., Row]) -> list[Row]:
    """What ``read(where, *fields)`` makes of each row of ``path``: ``where`` names file and line, and the fields come
    in the order of ``columns``, without spaces around them.

    There are none when there is no such file.

    Raises:
        CourseError: it is no CSV, columns are missing, or rows have too many fields or are refused by ``read``; every
            such row has its line in the message.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if missing := [name for name in columns if name not in (reader.fieldnames or ())]:
                lacks = f"the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}"
                raise CourseError(f"{path} lacks {lacks}; it wants {','.join(columns)}, with commas.")
            found = []
            with together() as each:
                for row in reader:
                    with each():
                        where = f"{path}, line {reader.line_num}"
                        if any(row.get(None, ())):
                            raise CourseError(
                                f"{where} has a field too many: put a text with a comma into double quotes."
                            )
                        found.append(read(where, *((row[name] or "").strip() for name in columns)))
            return found
    except FileNotFoundError:
        return []
    except UnicodeDecodeError:
        raise CourseError(f"{path} is not UTF-8 text.") from None
    except csv.Error as error:
        raise CourseError(f"{path} is no table in CSV: {error}.") from None
