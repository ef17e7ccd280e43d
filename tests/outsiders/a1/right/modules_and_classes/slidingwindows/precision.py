"""float32 stays float32, integers become float64."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np


def common_dtype(*arrays: Any) -> np.dtype:
    dtype = np.result_type(*(array.dtype for array in arrays))
    return dtype if dtype.kind == "f" else np.dtype(np.float64)


def in_common_precision(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: positional array arguments arrive in their common floating dtype, as copies."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        arrays = [a for a in (*args, *kwargs.values()) if isinstance(a, np.ndarray)]
        dtype = common_dtype(*arrays)
        convert = lambda a: a.astype(dtype) if isinstance(a, np.ndarray) else a  # noqa: E731
        return function(*map(convert, args), **{key: convert(value) for key, value in kwargs.items()})

    return wrapper
