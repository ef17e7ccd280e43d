"""Right, unusual: windows as strided views, einsum everywhere, own im2col convolution, ufunc.at, float64 inside."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def _two(value):
    return tuple(np.broadcast_to(value, 2).tolist())


def _windows(x, kernel_size, stride, padding=0, fill=0.0):
    """All windows as (N, C, Ho, Wo, kh, kw); sliding_window_view raises the ValueError for a window too large."""
    k, p = _two(kernel_size), _two(padding)
    s = k if stride is None else _two(stride)
    if any(2 * a > b for a, b in zip(p, k, strict=True)):
        raise ValueError(f"padding {p} is more than half of the window {k}")
    if any(p):
        big = np.empty((*x.shape[:2], x.shape[2] + 2 * p[0], x.shape[3] + 2 * p[1]), x.dtype)
        big.fill(fill)
        big[:, :, p[0] : p[0] + x.shape[2], p[1] : p[1] + x.shape[3]] = x
        x = big
    return sliding_window_view(x, k, axis=(2, 3))[:, :, :: s[0], :: s[1]]


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    return _windows(x, kernel_size, stride, padding, -np.inf).max(axis=(-1, -2))


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    """Every winner of a tie gets the same share. The places are windows of an array of places."""
    windows = _windows(x, kernel_size, stride, padding, -np.inf)
    places = np.arange(x.size, dtype=np.float64).reshape(x.shape)
    places = _windows(places, kernel_size, stride, padding, -1).astype(np.int64)
    wins = windows == windows.max(axis=(-2, -1), keepdims=True)
    share = dy[..., None, None] * wins / wins.sum(axis=(-2, -1), keepdims=True)
    dx = np.zeros(x.size, np.float64)
    np.add.at(dx, places[wins], share[wins])
    return dx.reshape(x.shape).astype(dy.dtype)


def avg_pool_forward(x, kernel_size, *, stride=None):
    windows = _windows(x, kernel_size, stride)
    kh, kw = windows.shape[-2:]
    return np.einsum("ncijuv->ncij", windows.astype(np.float64) / (kh * kw)).astype(x.dtype)


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    """By writing through a writeable strided view, one place of the window at a time."""
    dx = np.zeros(x.shape, dy.dtype)
    k = _two(kernel_size)
    s = k if stride is None else _two(stride)
    view = sliding_window_view(dx, k, axis=(2, 3), writeable=True)[:, :, :: s[0], :: s[1]]
    for u, v in np.ndindex(*k):
        view[..., u, v] += dy / (k[0] * k[1])
    return dx


def min_pool_zero_fraction(x, kernel_size):
    alive = np.logical_and.reduce(_windows(x > 0, kernel_size, None), axis=(-2, -1))
    return 1 - np.count_nonzero(alive) / alive.size


def flatten(x):
    return np.ascontiguousarray(x).reshape(x.shape[0], x.shape[1] * x.shape[2] * x.shape[3])


def linear_forward(x, w, b):
    return np.einsum("ni,oi->no", x, w) + b


def linear_backward(dy, x, w):
    return np.einsum("no,oi->ni", dy, w), np.einsum("no,ni->oi", dy, x), np.einsum("no->o", dy)


def shift_image(x, down, right):
    """The right window of an image with a broad margin of zeros."""
    height, width = x.shape[-2:]
    room = np.zeros((*x.shape[:-2], height + 2 * abs(down), width + 2 * abs(right)), x.dtype)
    room[..., abs(down) : abs(down) + height, abs(right) : abs(right) + width] = x
    top, left = abs(down) - down, abs(right) - right
    return room[..., top : top + height, left : left + width]


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    both = layer(np.concatenate([shift_image(x, *shift), x]))
    moved, still = np.split(both, 2)
    follows = shift_image(still, *(int(round(s / stride)) for s in shift))

    def largest(y):
        return float(np.linalg.norm(y[:, :, margin : y.shape[2] - margin, margin : y.shape[3] - margin].ravel(), np.inf))

    above, below = largest(np.subtract(moved, follows)), largest(follows)
    if below == 0:
        return 0.0 if above == 0 else float("inf")
    return above / below


def invariance_rate(layer, x, shifts):
    still = layer(x)
    rates = np.empty(len(shifts))
    for k, (down, right) in enumerate(shifts):
        unlike = ~(np.abs(layer(shift_image(x, down, right)) - still) <= 1e-12)
        rates[k] = 1 - np.count_nonzero(unlike.any(axis=tuple(range(1, unlike.ndim)))) / len(x)
    return rates


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    side = (size - 3 * (kernel_size - 1)) // 4  # nested floors are one
    f, g = channels
    table = dict(
        conv1=f * in_channels * kernel_size**2 + f,
        conv2=g * f * kernel_size**2 + g,
        fc1=hidden[0] * g * side * side + hidden[0],
        fc2=hidden[1] * hidden[0] + hidden[1],
        fc3=classes * hidden[1] + classes,
    )
    table["total"] = sum(table.values())
    return table


def dense_parameter_count(in_shape, out_shape):
    return locally_connected_parameter_count(in_shape, out_shape, in_shape[1:])


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    kh, kw = _two(kernel_size)
    return int(np.prod([int(n) for n in out_shape], dtype=object) * (in_shape[0] * kh * kw + 1))


def _conv(x, w, b):
    return np.einsum("ncijuv,fcuv->nfij", sliding_window_view(x, w.shape[2:], axis=(2, 3)), w, optimize=True) + b.reshape(-1, 1, 1)


def _conv_back(dz, x, w):
    dw = np.einsum("nfij,ncijuv->fcuv", dz, sliding_window_view(x, w.shape[2:], axis=(2, 3)), optimize=True)
    kh, kw = w.shape[2:]
    dzp = np.pad(dz, ((0, 0), (0, 0), (kh - 1, kh - 1), (kw - 1, kw - 1)))
    dx = np.einsum("nfijuv,fcuv->ncij", sliding_window_view(dzp, (kh, kw), axis=(2, 3)), w[:, :, ::-1, ::-1], optimize=True)
    return dx, dw, np.einsum("nfij->f", dz)


def _run(params, x):
    """Logits and what every layer received, in float64. The ReLU comes after the pooling: it is the same."""
    p = {key: value.astype(np.float64) for key, value in params.items()}
    seen = {"conv1": x.astype(np.float64)}
    for layer, after in (("conv1", "conv2"), ("conv2", "fc1")):
        z = seen[f"z{layer}"] = _conv(seen[layer], p[f"{layer}.weight"], p[f"{layer}.bias"])
        seen[after] = np.clip(max_pool_forward(z, 2), 0, None)
    seen["shape"] = seen["fc1"].shape
    seen["fc1"] = flatten(seen["fc1"])
    for layer, after in (("fc1", "fc2"), ("fc2", "fc3")):
        seen[after] = np.clip(linear_forward(seen[layer], p[f"{layer}.weight"], p[f"{layer}.bias"]), 0, None)
    return p, seen, linear_forward(seen["fc3"], p["fc3.weight"], p["fc3.bias"])


def lenet5_forward(params, x):
    return _run(params, x)[2].astype(x.dtype)


def lenet5_loss_and_gradients(params, x, target):
    p, seen, z = _run(params, x)
    truth = np.eye(10)[target]
    margin = z - np.einsum("nk,nk->n", z, truth)[:, None]  # over the right logit
    top = np.maximum(margin.max(axis=1, keepdims=True), 0)
    weights = np.exp(margin - top)
    others = np.einsum("nk,nk->n", weights, 1 - truth)
    own = np.exp(-top[:, 0])
    loss = np.where(top[:, 0] == 0, np.log1p(others), top[:, 0] + np.log(own + others))
    probability = weights / weights.sum(axis=1, keepdims=True)
    d = (probability * (1 - truth) - truth * (others / (own + others))[:, None]) / len(x)
    grads = {}
    for layer in ("fc3", "fc2", "fc1"):
        received = seen[layer]
        d, grads[f"{layer}.weight"], grads[f"{layer}.bias"] = linear_backward(d, received, p[f"{layer}.weight"])
        d = d * (received > 0)
    d = d.reshape(seen["shape"])
    for layer in ("conv2", "conv1"):
        d = max_pool_backward(d, seen[f"z{layer}"], 2)
        d, grads[f"{layer}.weight"], grads[f"{layer}.bias"] = _conv_back(d, seen[layer], p[f"{layer}.weight"])
        d = d * (seen[layer] > 0)
    return float(loss.mean()), {key: grads[key].astype(params[key].dtype) for key in params}


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    new = {key: np.add(np.multiply(velocity[key], momentum), grads[key]) for key in reversed(sorted(params))}
    return {key: np.subtract(value, np.multiply(new[key], lr)) for key, value in params.items()}, new


def train(params, x, y, batches, *, lr, momentum=0.9):
    losses = np.zeros(len(batches), np.float64)
    velocity = {key: value - value for key, value in params.items()}
    now = dict(params)
    for step, batch in enumerate(batches):
        losses[step], slopes = lenet5_loss_and_gradients(now, x.take(batch, axis=0), y.take(batch))
        now, velocity = sgd_momentum_step(now, slopes, velocity, lr=lr, momentum=momentum)
    return now, losses
