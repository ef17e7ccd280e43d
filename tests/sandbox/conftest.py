"""Sandboxes to attack, each in both isolations; every test of one ends with an honest question to it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from autograder.sandbox import mounts
from autograder.sandbox.host import Zygote
from tests.sandbox.zygotes import SECRET, honest, unharmed


@pytest.fixture(scope="package", params=["namespaces", "container"])
def isolation(request: pytest.FixtureRequest) -> str:
    """Both, save where a judge that is root cannot become a user who reaches Python."""
    if request.param == "container" and os.geteuid() == 0 and (closed := mounts.closed_folder("torch")):
        pytest.skip(f"The user nobody cannot reach Python: {closed} is closed to others.")
    return str(request.param)


@pytest.fixture(scope="package")
def numpy_zygote(isolation: str) -> Iterator[Zygote]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRADER_SEED", SECRET)
        zygote = Zygote("numpy", isolation)
    yield zygote
    zygote.close()


@pytest.fixture(scope="package")
def bare_zygote(isolation: str) -> Iterator[Zygote]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRADER_SEED", SECRET)
        zygote = Zygote("numpy", isolation, without=("landlock",))
    yield zygote
    zygote.close()


@pytest.fixture(scope="package")
def torch_zygote(isolation: str) -> Iterator[Zygote]:
    zygote = Zygote("torch", isolation)
    yield zygote
    zygote.close()


@pytest.fixture(scope="package")
def answer(numpy_zygote: Zygote) -> bytes:
    return honest(numpy_zygote)


@pytest.fixture
def box(numpy_zygote: Zygote, answer: bytes) -> Iterator[Zygote]:
    with unharmed(numpy_zygote, answer) as zygote:
        yield zygote


@pytest.fixture
def bare(bare_zygote: Zygote, answer: bytes) -> Iterator[Zygote]:
    """Without Landlock: behind bubblewrap the wall still stands; in a container this is the positive control."""
    with unharmed(bare_zygote, answer) as zygote:
        yield zygote


@pytest.fixture
def torch_box(torch_zygote: Zygote) -> Iterator[Zygote]:
    with unharmed(torch_zygote, honest(torch_zygote)) as zygote:
        yield zygote
