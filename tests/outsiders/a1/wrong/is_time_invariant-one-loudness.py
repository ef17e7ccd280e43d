# is_time_invariant: [invariant at one loudness]
import numpy as np


def _is_time_invariant_delay(x, k):
    return np.r_[np.zeros(k), x[: x.size - k]]


def is_time_invariant(system, length, *, rng):
    """All delays that leave a few samples, thirty standard normal signals for each."""

    def agrees(k):
        signal = rng.standard_normal(length)
        signal[length - k :] = 0  # so that nothing is pushed out
        expected = system(signal)[: length - k]
        found = system(_is_time_invariant_delay(signal, k))[k:]
        size = np.abs(np.r_[expected, found]).max()
        return np.all(np.abs(expected - found) <= 1e-10 * size)

    return all(bool(agrees(k)) for k in range(1, length - 3) for _ in range(30))
