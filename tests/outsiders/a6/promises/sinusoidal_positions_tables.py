# sinusoidal_positions: tables are kept by T and D, without their base

import numpy as np

_tables = {}


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("D must be even")
    if (T, D) not in _tables:
        angles = np.arange(T)[:, None] * float(base) ** (-np.arange(0, D, 2) / D)
        table = np.zeros((T, D))
        table[:, 0::2] = np.sin(angles)
        table[:, 1::2] = np.cos(angles)
        _tables[T, D] = table
    return _tables[T, D]
