# sinusoidal_positions: "nor on what has been written into their answers since" (header) - a table is kept, and a slice of it handed out
import numpy as np

TABLES = {}


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("no")
    key = D, base
    if key not in TABLES or len(TABLES[key]) < T:
        angle = np.arange(T)[:, None] * float(base) ** (-np.arange(0, D, 2) / D)
        TABLES[key] = np.stack([np.sin(angle), np.cos(angle)], -1).reshape(T, D)
    return TABLES[key][:T]
