"""Keeping a student's files from taking the place of those that the assignment provides."""

from __future__ import annotations

from collections.abc import Mapping


def without_provided(files: Mapping[str, str], provided: Mapping[str, str]) -> dict[str, str]:
    """``files`` without those that would be imported instead of a ``provided`` one, or written over it.

    Python prefers a folder ``provided/`` to ``provided.py``, and many computers take ``Provided.py`` for the same file.
    """
    taken = {_module(path) for path in provided}
    return {path: text for path, text in files.items() if _module(path) not in taken}


def _module(path: str) -> str:
    """What is imported first on the way to ``path``, in one spelling."""
    return path.partition("/")[0].removesuffix(".py").casefold()
