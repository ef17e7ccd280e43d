"""Tables in CSV that teachers write beside the results: what is wrong in one is a sentence with file and line."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from autograder.course import CourseError


def read_rows(path: Path, columns: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Each row of ``path``: where it stands, and its fields in the order of ``columns``, without spaces around them.

    There are none when there is no such file.

    Raises:
        CourseError: it is no CSV, a column is missing, or a row has too many fields.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if missing := [name for name in columns if name not in (reader.fieldnames or ())]:
                raise CourseError(f"{path} lacks the column {missing[0]}; it wants {','.join(columns)}, with commas.")
            found = []
            for row in reader:
                where = f"{path}, line {reader.line_num}"
                if any(row.get(None, ())):
                    raise CourseError(f"{where} has a field too many: put a text with a comma into double quotes.")
                found.append((where, [(row[name] or "").strip() for name in columns]))
            return found
    except FileNotFoundError:
        return []
    except UnicodeDecodeError:
        raise CourseError(f"{path} is not UTF-8 text.") from None
    except csv.Error as error:
        raise CourseError(f"{path} is no table in CSV: {error}.") from None
