"""One recogniser a platform: from a download to entries, or None where the download is not of its form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from autograder.collect.download import Download
from autograder.collect.found import Asked, Recognised
from autograder.collect.platforms import (
    blackboard,
    brightspace,
    canvas,
    gradescope,
    moodle,
    nbgrader,
    plain,
    repositories,
    sakai,
)


class Platform(NamedTuple):
    title: str
    recognise: Callable[[Download, Asked], Recognised | None]


PLATFORMS: Mapping[str, Platform] = {
    "canvas": Platform(canvas.TITLE, canvas.recognise),
    "moodle": Platform(moodle.TITLE, moodle.recognise),
    "gradescope": Platform(gradescope.TITLE, gradescope.recognise),
    "blackboard": Platform(blackboard.TITLE, blackboard.recognise),
    "brightspace": Platform(brightspace.TITLE, brightspace.recognise),
    "sakai": Platform(sakai.TITLE, sakai.recognise),
    "nbgrader": Platform(nbgrader.TITLE, nbgrader.recognise),
    "repositories": Platform(repositories.TITLE, repositories.recognise),
    "plain": Platform(plain.TITLE, plain.recognise),
}
