"""Writing a submission's files, on either end. Their names were vetted when the submission was read."""

from __future__ import annotations

import os
from collections.abc import Mapping


def write_files(folder: str, files: Mapping[str, str]) -> None:
    """Write ``files`` (relative name → source) below a new ``folder``."""
    os.mkdir(folder)
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
