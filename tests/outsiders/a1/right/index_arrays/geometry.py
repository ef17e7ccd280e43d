"""Where windows lie: index arrays for gathering and scattering."""

import numpy as np


def pair(p):
	return p if isinstance(p, tuple) else (p, p)


def one_axis(size, k, s, p):
	"""Index of the padded pixel for (place in the kernel, window), shape (k, number of windows)."""
	room = size + 2 * p - k
	if room < 0:
		raise ValueError(f"a window of {k} does not fit into {size} + 2 * {p}")
	return np.add.outer(np.arange(k), s * np.arange(room // s + 1))


def both_axes(size, kernel_size, stride, padding):
	"""Index arrays rows, columns of shape (kh, kw, Ho, Wo), into the padded image."""
	r, c = (one_axis(*four) for four in zip(size, pair(kernel_size), pair(stride), pair(padding)))
	r, c = r[:, None, :, None], c[None, :, None, :]
	return np.broadcast_arrays(r, c)
