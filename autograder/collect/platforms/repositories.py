"""Clones of the students' repositories in an organisation: a folder each, ``prefix-username`` or ``prefix-team``.

User names hold hyphens: only the roster, or the name of the folder that ``gh classroom clone`` makes, says where the
prefix ends.
"""

from __future__ import annotations

from autograder.collect.download import Download
from autograder.collect.entry import Person
from autograder.collect.found import Asked, Entry, Recognised, attempt

TITLE = "Repositories"
_SUFFIX = "-submissions"  # gh classroom clone student-repos


def recognise(download: Download, asked: Asked) -> Recognised | None:
    tops = [top for top in download.tops if download.is_folder(top)]
    clones = [top for top in tops if top in download.repositories]
    if not clones or len(clones) < len(tops):  # else some students handed in their own repository
        return None
    prefix = f"{download.name.removesuffix(_SUFFIX)}-" if download.name.endswith(_SUFFIX) else ""
    entries = []
    unknown = 0
    for top in clones:
        login = _login(top, prefix, asked)
        unknown += not login
        entries.append(Entry((Person(login=login),) if login else (), (attempt(download, [top], top),), login or top))
    remarks: tuple[str, ...] = ()
    if unknown:
        remarks = (
            f"{unknown} of {len(clones)} repositories are kept under their whole names: "
            "--roster says which part of a name is the user.",
        )
    return Recognised(tuple(entries), tuple(top for top in download.tops if top not in clones), remarks)


def _login(repository: str, prefix: str, asked: Asked) -> str:
    name = repository.casefold()
    if known := [login for login in asked.logins if name == login or name.endswith(f"-{login}")]:
        return max(known, key=len)
    return repository[len(prefix) :] if prefix and name.startswith(prefix.casefold()) else ""
