"""Assignment 1: gather with index arrays, scatter with bincount and np.add.at. Indented with tabs."""

from __future__ import annotations

import numpy as np

import geometry
from geometry import both_axes, pair


def _as_float(*arrays):
	"""Common floating dtype and the arrays in it; anything that is not floating is float64."""
	dtype = np.result_type(*(a.dtype if np.issubdtype(a.dtype, np.floating) else np.float64 for a in arrays))
	return dtype, *(np.asarray(a, dtype) for a in arrays)


def convolve(x, h):
	if min(x.size, h.size) < 1:
		raise ValueError("no samples")
	dtype, x, h = _as_float(x, h)
	place = np.add.outer(np.arange(x.size), np.arange(h.size))
	return np.bincount(place.ravel(), weights=np.multiply.outer(x, h).ravel()).astype(dtype)


def cross_correlate(x, h):
	if h.size > x.size:
		raise ValueError("too long")
	_, x, h = _as_float(x, h)
	return (x[np.add.outer(np.arange(x.size - h.size + 1), np.arange(h.size))] * h).sum(axis=1)


def convolution_matrix(h, n):
	dtype, h = _as_float(h)
	matrix = np.zeros((n + h.size - 1, n), dtype)
	columns = np.arange(n)
	matrix[np.add.outer(np.arange(h.size), columns), columns] = h[:, None]
	return matrix


def impulse_response(system, length):
	impulse = np.zeros(length)
	impulse.put(0, 1)
	return system(impulse)


def _experiments(rng, length):
	"""Random signals of many sizes; every third is full of gaps."""
	for count, exponent in enumerate(np.tile(np.linspace(-2.3, 2.3, 24), 3)):
		u, v = 10**exponent * rng.standard_normal((2, length))
		if count % 3 == 2:
			u[rng.integers(0, 2, length) == 0] = 0
		yield u, v


def is_linear(system, length, *, rng):
	for u, v in _experiments(rng, length):
		a, b = rng.choice([-2.5, -1.0, -0.3, 0.0, 0.7, 1.0, 4.0], 2)
		su, sv, both, au, bv = (np.copy(system(np.copy(s))) for s in (u, v, a * u + b * v, a * u, b * v))
		for left, right, size in (
			(both, a * su + b * sv, [both, a * su, b * sv]),
			(both, au + bv, [both, au, bv]),
			(au, a * su, [au, a * su]),
		):
			if (abs(left - right) > 1e-9 * np.abs(size).max()).any():
				return False
	return True


def is_time_invariant(system, length, *, rng):
	n = np.arange(length)
	for u, v in _experiments(rng, length):
		for x in (u, v):
			for k in range(1, length):
				short = np.where(n < length - k, x, 0)
				late = np.where(n >= k, short[n - k], 0)
				y, z = np.copy(system(short.copy())), np.copy(system(late))
				if (abs(z[k:] - y[n[k:] - k]) > 1e-9 * max(abs(y).max(), abs(z).max())).any():
					return False
	return True


def cosine_similarity(a, b):
	lengths = []
	for vector in (a, b):
		vector = vector.astype(float)
		scale = np.abs(vector).max(initial=0.0)
		if scale == 0.0:
			return 0.0
		vector = vector / scale
		lengths.append(vector / np.linalg.norm(vector))
	return np.dot(*lengths).item()


def match_template(x, template):
	if template.size > x.size:
		raise ValueError("too long")
	dtype = _as_float(x, template)[0]
	x, template = x.astype(float), template.astype(float)
	windows = x[np.add.outer(np.arange(x.size - template.size + 1), np.arange(template.size))]
	if np.ptp(template) == 0:
		return np.zeros(len(windows), dtype)
	shaped = np.ptp(windows, axis=1) > 0
	score = np.zeros(len(windows))
	w = windows[shaped]
	w = w - w.mean(axis=1, keepdims=True)
	w /= np.abs(w).max(axis=1, keepdims=True)
	t = template - template.mean()
	t /= np.abs(t).max()
	score[shaped] = (w * t).sum(axis=1) / np.linalg.norm(w, axis=1) / np.linalg.norm(t)
	return score.astype(dtype)


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
	first_samples = range(0, size + 2 * padding - dilation * (kernel_size - 1), stride)
	if not first_samples:
		raise ValueError("no window")
	return len(first_samples)


def _source(size, p, mode):
	"""For each sample of a padded axis, the index of the sample that it copies."""
	index = np.arange(-p, size + p)
	if mode == "replicate":
		return np.clip(index, 0, size - 1)
	if p >= size:
		raise ValueError("no sample to mirror")
	index = abs(index)
	return np.where(index < size, index, 2 * size - 2 - index)


def pad2d(x, padding, mode="zeros"):
	if mode not in ["zeros", "replicate", "reflect"]:
		raise ValueError(f"unknown mode {mode}")
	ph, pw = pair(padding)
	if mode == "zeros":
		y = np.zeros([*x.shape[:-2], x.shape[-2] + 2 * ph, x.shape[-1] + 2 * pw], x.dtype)
		y[..., ph : y.shape[-2] - ph, pw : y.shape[-1] - pw] = x
		return y
	return x.take(_source(x.shape[-2], ph, mode), axis=-2).take(_source(x.shape[-1], pw, mode), axis=-1)


def window_coverage(size, kernel_size, *, stride=1, padding=0):
	size, (ph, pw) = pair(size), pair(padding)
	rows, columns = both_axes(size, kernel_size, stride, padding)
	counts = np.zeros((size[0] + 2 * ph, size[1] + 2 * pw), np.int64)
	np.add.at(counts, (rows, columns), 1)
	return counts[ph : ph + size[0], pw : pw + size[1]]


def correlate2d(x, w):
	_, x, w = _as_float(x, w)
	rows, columns = both_axes(x.shape, w.shape, 1, 0)
	return (x[rows, columns] * w[:, :, None, None]).sum(axis=(0, 1))


def make_kernel(name, size=3, sigma=1.0):
	if size not in range(3, max(size, 3) + 1, 2):
		raise ValueError("size must be odd, and 3 or more")
	u, v = np.indices((size, size)) - size // 2
	recipes = {
		"identity": lambda: np.where((u == 0) & (v == 0), 1.0, 0.0),
		"edge": lambda: np.where((u == 0) & (v == 0), size**2 - 1.0, -1.0),
		"laplacian": lambda: np.choose(abs(u) + abs(v), [4.0, -1.0, 0.0]),
		"sharpen": lambda: np.choose(abs(u) + abs(v), [5.0, -1.0, 0.0]),
		"box": lambda: np.ones((size, size)) / size**2,
		"gaussian": lambda: np.exp(-(u * u + v * v) / (2 * sigma * sigma)),
	}
	if name not in recipes or (name in ("laplacian", "sharpen") and size != 3):
		raise ValueError(f"no {name} of size {size}")
	kernel = recipes[name]()
	return kernel / kernel.sum() if name == "gaussian" else kernel


def filter_image(image, kernel, *, mode="replicate"):
	if kernel.shape[0] % 2 == 0 or kernel.shape[1] % 2 == 0:
		raise ValueError("no centre")
	margin = (kernel.shape[0] // 2, kernel.shape[1] // 2)
	if image.ndim == 2:
		response = correlate2d(pad2d(image, margin, mode), kernel.astype(np.float64))
		return np.uint8(np.clip(np.rint(response), 0, 255))
	return np.stack([filter_image(image[..., c], kernel, mode=mode) for c in range(image.shape[-1])], axis=-1)


def _gather(x, kernel_size, stride, padding):
	"""Windows (N, C, kh, kw, Ho, Wo)."""
	rows, columns = both_axes(x.shape[2:], kernel_size, stride, padding)
	return pad2d(x, padding)[:, :, rows, columns]


def conv2d_forward(x, w, b, *, stride=1, padding=0):
	if x.shape[1] != w.shape[1]:
		raise ValueError("channels")
	windows = _gather(x, w.shape[2:], stride, padding)
	y = (windows[:, None] * w[None, ..., None, None]).sum(axis=(2, 3, 4))
	return y + b.reshape(-1, 1, 1)


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
	dtype, dy, x, w = _as_float(dy, x, w)
	windows = _gather(x, w.shape[2:], stride, padding)
	db = dy.sum(axis=(0, 2, 3))
	dw = np.tensordot(dy, windows, [(0, 2, 3), (0, 4, 5)])
	dwindows = np.moveaxis(np.tensordot(dy, w, [1, 0]), (1, 2), (4, 5))
	rows, columns = both_axes(x.shape[2:], w.shape[2:], stride, padding)
	(ph, pw), (height, width) = pair(padding), x.shape[2:]
	dxp = np.zeros((*x.shape[:2], height + 2 * ph, width + 2 * pw), dtype)
	np.add.at(dxp, (slice(None), slice(None), rows, columns), dwindows)
	return dxp[..., ph : ph + height, pw : pw + width], dw, db


def im2col(x, kernel_size, *, stride=1, padding=0):
	windows = _gather(x, kernel_size, stride, padding)
	n, c, kh, kw, ho, wo = windows.shape
	return windows.reshape(n, c * kh * kw, ho * wo)


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
	if x.shape[1] != w.shape[1]:
		raise ValueError("channels")
	cols = im2col(x, w.shape[2:], stride=stride, padding=padding)
	sizes = [
		geometry.one_axis(*four).shape[1]
		for four in zip(x.shape[2:], w.shape[2:], pair(stride), pair(padding))
	]
	y = np.matmul(w.reshape(w.shape[0], -1), cols)
	y = y + b[:, None]
	return y.reshape(x.shape[0], w.shape[0], *sizes)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
	kh, kw = pair(kernel_size)
	return in_channels * out_channels * kh * kw + (out_channels if bias else 0)


def linear_parameter_count(in_features, out_features, bias=True):
	return in_features * out_features + (out_features if bias else 0)


def learn_kernel(x, y, kernel_size, *, lr, steps):
	dtype, x, y = _as_float(x, y)
	rows, columns = both_axes(x.shape, kernel_size, 1, 0)
	windows = x[rows, columns]
	w = np.zeros(pair(kernel_size), dtype)
	losses = np.zeros(steps, dtype)
	for step in range(steps):
		difference = correlate2d(x, w) - y
		losses[step] = np.square(difference).mean()
		w -= (lr * 2 * (windows * difference).mean(axis=(2, 3))).astype(dtype)
	return w, losses


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
	dtype, cols = _as_float(cols)
	(height, width), (ph, pw) = pair(size), pair(padding)
	rows, columns = both_axes((height, width), kernel_size, stride, padding)
	padded_width = width + 2 * pw
	pixel = (rows * padded_width + columns).ravel()
	number = (height + 2 * ph) * padded_width
	kh, kw, ho, wo = rows.shape
	planes = cols.reshape(-1, pixel.size)
	images = [np.bincount(pixel, weights=plane, minlength=number) for plane in planes]
	channels = cols.shape[1] // (kh * kw)
	x = np.array(images, dtype).reshape(cols.shape[0], channels, height + 2 * ph, padded_width)
	return x[:, :, ph : ph + height, pw : pw + width]
