# sinusoidal_positions: [last frequency at the end] the exponents are spread from 0 to 1 inclusive, -i / (D/2 - 1), so that the slowest clock has exactly the frequency 1 / base
import numpy as np


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2 == 1:
        raise ValueError(f"D must be even, got {D}")
    table = np.empty((T, D))
    rates = np.power(float(base), -np.linspace(0.0, 1.0, D // 2))
    for t in range(T):
        table[t, ::2] = np.sin(t * rates)
        table[t, 1::2] = np.cos(t * rates)
    return table
