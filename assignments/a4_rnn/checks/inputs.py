# Generated from autograder/student/checks/inputs.py by "python -m autograder build": change it there.
"""Arrays without a visible pattern that are the same on every machine, and the devices to try them on."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

Copy = Callable[[np.ndarray], np.ndarray]


def integers(*shape: int) -> np.ndarray:
    """Whole numbers from -4 to 4 in float64."""
    k = np.arange(1, 1 + math.prod(shape))
    return (k**3 % 101 % 9 - 4.0).reshape(shape)


def waves(*shape: int, of: Copy = np.sin) -> np.ndarray:
    """Numbers between -1 and 1; with ``of=np.cos`` others."""
    return of(np.arange(1.0, 1 + math.prod(shape)) ** 2).reshape(shape)


def devices() -> list[str]:
    """Where what is written in PyTorch is tested: on the CPU, and on a CUDA device where there is one."""
    import torch

    return ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
