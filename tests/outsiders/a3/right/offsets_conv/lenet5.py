"""LeNet-5. Loops run over the places inside a window; everything else is reused as often as I can."""

from __future__ import annotations

from functools import reduce
from itertools import product, starmap

import numpy as np
from provided import conv2d_backward, conv2d_forward


def as_pair(n):
    try:
        a, b = n
    except TypeError:
        a = b = n
    return a, b


def geometry(shape, kernel_size, stride, padding=0):
    """Window, stride, padding, and the number of windows in each direction."""
    k = as_pair(kernel_size)
    s = as_pair(kernel_size if stride is None else stride)
    p = as_pair(padding)
    out = tuple((shape[2 + a] + 2 * p[a] - k[a]) // s[a] + 1 for a in (0, 1))
    return k, s, p, out


def places(k, s, out):
    """For each place in the window the slice that takes this place from every window."""
    for u, v in product(range(k[0]), range(k[1])):
        yield (
            ...,
            slice(u, u + s[0] * (out[0] - 1) + 1, s[0]),
            slice(v, v + s[1] * (out[1] - 1) + 1, s[1]),
        )


def surround(x, p, value):
    """x in a frame of this value; and the slice in which x lies."""
    n, c, h, w = x.shape
    inner = np.s_[:, :, p[0] : p[0] + h, p[1] : p[1] + w]
    framed = np.empty((n, c, h + 2 * p[0], w + 2 * p[1]), dtype=x.dtype)
    framed.fill(value)
    framed[inner] = x
    return framed, inner


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    k, s, p, out = geometry(x.shape, kernel_size, stride, padding)
    for axis in (0, 1):
        if 2 * p[axis] > k[axis]:
            raise ValueError(f"padding {p} is more than half of {k}")
        if x.shape[2 + axis] + 2 * p[axis] < k[axis]:
            raise ValueError(f"window {k} does not fit")
    framed, _ = surround(x, p, -np.inf)
    return reduce(np.maximum, (framed[at] for at in places(k, s, out))).copy()


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    """The last of several winners takes it (the windows are walked backwards, first come first served)."""
    k, s, p, out = geometry(x.shape, kernel_size, stride, padding)
    framed, inner = surround(x, p, -np.inf)
    y = max_pool_forward(x, kernel_size, stride=stride, padding=padding)
    dx = np.zeros(framed.shape, np.result_type(dy, x))
    open_ = np.ones(y.shape, bool)
    for at in reversed(list(places(k, s, out))):
        wins = open_ & (framed[at] == y)
        dx[at] += np.where(wins, dy, 0)
        open_ &= ~wins
    return dx[inner].copy()


def _box(k, dtype):
    return np.full((1, 1, *k), 1 / (k[0] * k[1]), dtype=dtype)


def avg_pool_forward(x, kernel_size, *, stride=None):
    """The box filter of assignment 1, of which every s-th pixel is kept."""
    k, s, _, _ = geometry(x.shape, kernel_size, stride)
    n, c, h, w = x.shape
    blurred = conv2d_forward(x.reshape(n * c, 1, h, w), _box(k, x.dtype), np.zeros(1, x.dtype))
    return blurred[:, 0, :: s[0], :: s[1]].reshape(n, c, *-(-np.array(blurred.shape[2:]) // s))


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    k, s, _, _ = geometry(x.shape, kernel_size, stride)
    n, c, h, w = x.shape
    dtype = np.result_type(dy, x)
    spread = np.zeros((n * c, 1, h - k[0] + 1, w - k[1] + 1), dtype)
    spread[:, 0, :: s[0], :: s[1]] = dy.reshape(n * c, *dy.shape[2:])
    dx, _, _ = conv2d_backward(spread, x.reshape(n * c, 1, h, w).astype(dtype), _box(k, dtype))
    return dx.reshape(x.shape)


def min_pool_zero_fraction(x, kernel_size):
    smallest = -max_pool_forward(-np.maximum(x, 0), kernel_size)
    return 1 - int(np.count_nonzero(smallest)) / smallest.size


def flatten(x):
    return x.reshape(x.shape[0], -1, order="C").copy()


def linear_forward(x, w, b):
    return x @ w.T + b


def linear_backward(dy, x, w):
    dtype = np.result_type(dy, x, w)
    return (
        (dy @ w).astype(dtype, copy=False),
        (x.T @ dy).T.astype(dtype, copy=False),
        (np.ones(len(dy), dtype) @ dy).astype(dtype, copy=False),
    )


def shift_image(x, down, right):
    """One axis after the other, by recursion: sideways is downwards in the transposed picture."""
    if right:
        turned = shift_image(np.swapaxes(x, -1, -2), right, 0)
        return shift_image(np.swapaxes(turned, -1, -2), down, 0)
    if down < 0:
        return shift_image(x[..., ::-1, :], -down, 0)[..., ::-1, :]
    down = min(down, x.shape[-2])
    fresh = np.zeros_like(x[..., :down, :])
    return np.concatenate([fresh, x[..., : x.shape[-2] - down, :]], axis=-2)


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    down, right = shift

    def crop(y):
        return y[:, :, margin : y.shape[-2] - margin, margin : y.shape[-1] - margin]

    reference = crop(shift_image(layer(x), down // stride, right // stride))
    difference = crop(layer(shift_image(x, down, right))) - reference
    scale, error = (float(np.linalg.norm(np.ravel(a), np.inf)) for a in (reference, difference))
    if error == 0:
        return 0.0
    return error / scale if scale > 0 else float("inf")


def invariance_rate(layer, x, shifts):
    original = layer(x)
    others = tuple(range(1, np.ndim(original)))

    def rate(down, right):
        close = np.isclose(layer(shift_image(x, down, right)), original, rtol=0, atol=1e-12)
        return np.mean(close.all(axis=others) if others else close)

    return np.array(list(starmap(rate, shifts)), dtype=np.float64)


def parameter_table(
    size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10
) -> dict[str, int]:
    shape = (in_channels, size, size)
    table = {}
    for number, filters in enumerate(channels, start=1):
        table[f"conv{number}"] = dense_parameter_count((shape[0], kernel_size, kernel_size), (filters, 1, 1))
        side = (shape[1] - (kernel_size - 1)) // 2
        shape = (filters, side, side)
    for number, outputs in enumerate((*hidden, classes), start=1):
        table[f"fc{number}"] = dense_parameter_count(shape, (outputs, 1, 1))
        shape = (outputs, 1, 1)
    return {**table, "total": sum(table.values())}


def dense_parameter_count(in_shape, out_shape):
    volume = lambda shape: reduce(int.__mul__, map(int, shape))  # noqa: E731
    return (volume(in_shape) + 1) * volume(out_shape)


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    kh, kw = as_pair(kernel_size)
    return dense_parameter_count([in_shape[0], kh, kw], out_shape)


def lenet5_forward(params, x):
    def weights(layer):
        return params[layer + ".weight"], params[layer + ".bias"]

    def group(a, layer):  # pooling first: the ReLU has less to do, and the two commute
        return np.maximum(max_pool_forward(conv2d_forward(a, *weights(layer)), 2), 0)

    a = flatten(group(group(x, "conv1"), "conv2"))
    for layer in ("fc1", "fc2"):
        a = np.maximum(linear_forward(a, *weights(layer)), 0)
    return linear_forward(a, *weights("fc3"))


def lenet5_loss_and_gradients(params, x, target):
    gradients = {}

    def record(layer, dw, db):
        gradients[f"{layer}.weight"], gradients[f"{layer}.bias"] = dw, db

    def descend(layers, a):
        """Go down through the layers; on the way up again, hand the gradient of a back. (loss, da)"""
        if not layers:
            return cross_entropy(a)
        layer, *rest = layers
        w, b = params[f"{layer}.weight"], params[f"{layer}.bias"]
        if layer.startswith("conv"):
            z = conv2d_forward(a, w, b)
            pooled = max_pool_forward(z, 2)
            loss, d = descend(rest, np.maximum(pooled, 0))
            d = max_pool_backward(d.reshape(pooled.shape) * (pooled > 0), z, 2)
            da, dw, db = conv2d_backward(d, a, w)
        else:
            flat = flatten(a) if a.ndim > 2 else a
            z = linear_forward(flat, w, b)
            loss, d = descend(rest, np.maximum(z, 0) if rest else z)
            da, dw, db = linear_backward(d * (z > 0) if rest else d, flat, w)
        record(layer, dw, db)
        return loss, da

    def cross_entropy(z):
        n = np.arange(len(z))
        shifted = z - z.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        dz = np.exp(log_p)
        dz[n, target] -= 1
        return float(-log_p[n, target].mean()), dz / len(z)

    loss, _ = descend(["conv1", "conv2", "fc1", "fc2", "fc3"], x)
    return loss, gradients


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    faster, moved = {}, {}
    for key, v in velocity.items():
        v = v.copy()
        v *= momentum
        faster[key] = v = v + grads[key]
        step = v.copy()
        step *= lr
        moved[key] = params[key] - step
    return moved, faster


def train(params, x, y, batches, *, lr, momentum=0.9):
    velocity = {key: np.zeros(value.shape, value.dtype) for key, value in params.items()}
    losses = np.full(len(batches), np.nan)
    here = params | {}
    for step, batch in enumerate(batches):
        losses[step], grads = lenet5_loss_and_gradients(here, x[batch], y[batch])
        here, velocity = sgd_momentum_step(here, grads, velocity, lr=lr, momentum=momentum)
    return here, losses
