"""Recursion and functions of functions: pooling is a tournament, the network calls itself; convolution is written here."""

from __future__ import annotations

from functools import reduce
from math import inf, prod

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view as view


def _pair(p):
    return p if isinstance(p, tuple) else (p, p)


def _players(x, k, s, p):
    """Each place of a window: the pixels there, one for each window, and how gradients are added there."""
    xp = np.full((*x.shape[:2], x.shape[2] + 2 * p[0], x.shape[3] + 2 * p[1]), -inf, x.dtype)
    xp[:, :, p[0] : p[0] + x.shape[2], p[1] : p[1] + x.shape[3]] = x
    dxp = np.zeros_like(xp)
    ho, wo = ((side - kk) // ss + 1 for side, kk, ss in zip(xp.shape[2:], k, s))

    def player(u, v):
        where = np.s_[:, :, u : u + s[0] * (ho - 1) + 1 : s[0], v : v + s[1] * (wo - 1) + 1 : s[1]]

        def receive(g):
            dxp[where] += g

        return xp[where], receive

    inner = dxp[:, :, p[0] : p[0] + x.shape[2], p[1] : p[1] + x.shape[3]]
    return [player(u, v) for u in range(k[0]) for v in range(k[1])], inner


def _tournament(players):
    if len(players) == 1:
        return players[0]
    half = len(players) // 2
    (a, to_a), (b, to_b) = _tournament(players[:half]), _tournament(players[half:])

    def receive(g):
        to_a(np.where(a > b, g, g.dtype.type(0)))
        to_b(np.where(a > b, g.dtype.type(0), g))

    return np.maximum(a, b), receive


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    k, p = _pair(kernel_size), _pair(padding)
    if p[0] > k[0] // 2 or p[1] > k[1] // 2 or k[0] > x.shape[2] + 2 * p[0] or k[1] > x.shape[3] + 2 * p[1]:
        raise ValueError
    return _tournament(_players(x, k, k if stride is None else _pair(stride), p)[0])[0]


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    k = _pair(kernel_size)
    players, dx = _players(x, k, k if stride is None else _pair(stride), _pair(padding))
    _tournament(players)[1](dy)
    return dx


def avg_pool_forward(x, kernel_size, *, stride=None):
    k = _pair(kernel_size)
    players, _ = _players(x, k, k if stride is None else _pair(stride), (0, 0))

    def total(pixels):
        return pixels[0] if len(pixels) == 1 else total(pixels[::2]) + total(pixels[1::2])

    return total([pixels for pixels, _ in players]) / prod(k)


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    k = _pair(kernel_size)
    players, dx = _players(np.zeros(x.shape, x.dtype), k, k if stride is None else _pair(stride), (0, 0))
    share = dy / prod(k)
    for _, receive in players:
        receive(share)
    return dx


def min_pool_zero_fraction(x, kernel_size):
    lowest = -max_pool_forward(-np.maximum(x, 0), kernel_size)
    return float((lowest == 0).mean(dtype=np.float64))


def flatten(x):
    return x if x.ndim == 2 else flatten(x.reshape(x.shape[0], x.shape[1] * x.shape[2], *x.shape[3:]))


def linear_forward(x, w, b):
    return np.hstack([x, np.ones((len(x), 1), x.dtype)]) @ np.hstack([w, b[:, None]]).T


def linear_backward(dy, x, w):
    both = dy.T @ np.hstack([x, np.ones((len(x), 1), x.dtype)])
    return (w.T @ dy.T).T, both[:, :-1], both[:, -1]


def shift_image(x, down, right):
    if right:
        return shift_image(x.swapaxes(-1, -2), right, 0).swapaxes(-1, -2) if not down else shift_image(
            shift_image(x, down, 0), 0, right
        )
    if down < 0:
        return shift_image(x[..., ::-1, :], -down, 0)[..., ::-1, :]
    keep = max(x.shape[-2] - down, 0)
    return np.concatenate([np.zeros_like(x[..., keep:, :]), x[..., :keep, :]], axis=-2).astype(x.dtype, copy=False)


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    if margin:  # S' comes before the crop
        return _ratio(*(y[:, :, margin:-margin, margin:-margin] for y in _sides(layer, x, shift, stride)))
    return _ratio(*_sides(layer, x, shift, stride))


def _sides(layer, x, shift, stride):
    return layer(shift_image(x, *shift)), shift_image(layer(x), shift[0] // stride, shift[1] // stride)


def _ratio(a, b):
    top, bottom = float(abs(a - b).max()), float(abs(b).max())
    return top / bottom if bottom > 0 else inf if top > 0 else 0.0


def invariance_rate(layer, x, shifts):
    if len(shifts) > 1:
        return np.concatenate([invariance_rate(layer, x, [shift]) for shift in shifts])
    pair = layer(np.concatenate([x, shift_image(x, *shifts[0])]))  # a layer treats each image on its own
    a, b = pair[: len(x)].reshape(len(x), -1), pair[len(x) :].reshape(len(x), -1)
    return np.array([(abs(a - b).max(axis=1) <= 1e-12).mean()])


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    def shrink(side, times):
        return side if not times else shrink((side - kernel_size + 1) // 2, times - 1)

    def rows(names, sizes, extra):
        if not names:
            return {}
        return {names[0]: sizes[1] * (sizes[0] * extra[0] + 1)} | rows(names[1:], sizes[1:], extra[1:])

    sizes = (in_channels, *channels, *hidden, classes)
    table = rows(
        ("conv1", "conv2", "fc1", "fc2", "fc3"), sizes, (kernel_size**2, kernel_size**2, shrink(size, 2) ** 2, 1, 1)
    )
    return {**table, "total": sum(table.values())}


dense_parameter_count = lambda in_shape, out_shape: prod(out_shape) * prod(in_shape) + prod(out_shape)  # noqa: E731


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    return dense_parameter_count((in_shape[0], *_pair(kernel_size)), out_shape)


def _conv(x, w, b):
    return np.tensordot(view(x, w.shape[2:], (2, 3)), w, ((1, 4, 5), (1, 2, 3))).transpose(0, 3, 1, 2) + b[:, None, None]


def _conv_back(dy, x, w):
    u, v = w.shape[2] - 1, w.shape[3] - 1
    wide = np.pad(dy, ((0, 0), (0, 0), (u, u), (v, v)))
    dx = np.tensordot(view(wide, w.shape[2:], (2, 3)), w[:, :, ::-1, ::-1], ((1, 4, 5), (0, 2, 3)))
    dw = np.tensordot(dy, view(x, w.shape[2:], (2, 3)), ((0, 2, 3), (0, 2, 3)))
    return dx.transpose(0, 3, 1, 2), dw, dy.sum((0, 2, 3))


def _run(names, params, x, end):
    """The rest of the network from here: what ``end`` makes of the logits, and the gradient of x."""
    name, *rest = names
    w, b = params[f"{name}.weight"], params[f"{name}.bias"]
    if name.startswith("conv"):
        z = _conv(x, w, b)
        y = np.maximum(max_pool_forward(z, 2), 0)
        value, dy, grads = _run(rest, params, y, end)
        dx, dw, db = _conv_back(max_pool_backward(dy * (y > 0), z, 2), x, w)
    else:
        flat = flatten(x)
        z = linear_forward(flat, w, b)
        if rest:
            value, da, grads = _run(rest, params, np.maximum(z, 0), end)
            dz = np.where(z > 0, da, np.zeros_like(da))
        else:
            value, dz = end(z)
            grads = {}
        dx, dw, db = linear_backward(dz, flat, w)
        dx = dx.reshape(x.shape)
    return value, dx, {f"{name}.weight": dw, f"{name}.bias": db, **grads}


_LAYERS = ("conv1", "conv2", "fc1", "fc2", "fc3")


def lenet5_forward(params, x):
    def go(a, name):
        w, b = params[f"{name}.weight"], params[f"{name}.bias"]
        a = np.where(a > 0, a, np.zeros_like(a)) if name != "conv1" else a
        return max_pool_forward(_conv(a, w, b), 2) if name[0] == "c" else linear_forward(flatten(a), w, b)

    return reduce(go, _LAYERS, x)


def lenet5_loss_and_gradients(params, x, target):
    def end(z):
        n = np.arange(len(z))
        over = z.astype(np.float64) - z[n, target, None]
        each = np.logaddexp.reduce(over, axis=1)
        dz = np.exp(over - each[:, None])
        dz[n, target] = np.expm1(-each)
        return float(each.mean()), (dz / len(z)).astype(z.dtype)

    loss, _, grads = _run(_LAYERS, params, x, end)
    return loss, {key: grads[key] for key in params}


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    if not params:
        return {}, {}
    key, *others = params
    v = momentum * velocity[key] + grads[key]
    p_rest, v_rest = sgd_momentum_step({k: params[k] for k in others}, grads, velocity, lr=lr, momentum=momentum)
    return {key: params[key] - lr * v, **p_rest}, {key: v, **v_rest}


def train(params, x, y, batches, *, lr, momentum=0.9):
    def step(state, batch):
        p, v, losses = state
        loss, grads = lenet5_loss_and_gradients(p, x[batch], y[batch])
        return *sgd_momentum_step(p, grads, v, lr=lr, momentum=momentum), (*losses, loss)

    start = {key: value.copy() for key, value in params.items()}
    after, _, losses = reduce(step, batches, (start, {key: np.zeros_like(value) for key, value in start.items()}, ()))
    return after, np.array(losses, np.float64)
