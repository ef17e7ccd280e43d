"""What the tests of all references run under."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
import torch

from autograder.sandbox.mounts import INSIDE

sys.path.append(str(INSIDE))  # what drivers import by its bare name


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Arrays this small only lose by threads, most of all on a busy machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
