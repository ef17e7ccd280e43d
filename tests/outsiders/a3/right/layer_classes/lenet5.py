"""The exercises in terms of layers.py."""

import math

import numpy as np
from layers import AvgPool, CrossEntropy, Flatten, Linear, MaxPool, Momentum, Network, Window


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    return MaxPool(kernel_size, stride, padding).forward(x)


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    layer = MaxPool(kernel_size, stride, padding)
    layer.forward(x)
    return layer.backward(dy)


def avg_pool_forward(x, kernel_size, *, stride=None):
    return AvgPool(kernel_size, stride).forward(x)


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    layer = AvgPool(kernel_size, stride)
    layer.forward(x)
    return layer.backward(dy)


def min_pool_zero_fraction(x, kernel_size):
    dead = (Window(kernel_size).gather(x) <= 0).any(axis=-1)
    return float(np.mean(dead))


def flatten(x):
    return Flatten().forward(x)


def linear_forward(x, w, b):
    return Linear("l", {"l.weight": w, "l.bias": b}).forward(x)


def linear_backward(dy, x, w):
    layer = Linear("l", {"l.weight": w, "l.bias": np.zeros(len(w), w.dtype)})
    layer.forward(x)
    dx = layer.backward(dy)
    return (dx, *layer.grads)


def shift_image(x, down, right):
    height, width = x.shape[-2:]
    rows, columns = np.arange(height) - down, np.arange(width) - right
    inside = ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))
    picked = x[..., rows.clip(0, height - 1)[:, None], columns.clip(0, width - 1)]
    return np.where(inside, picked, np.zeros((), x.dtype))


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    down, right = shift
    left_side = layer(shift_image(x, down, right))
    right_side = shift_image(layer(x), down // stride, right // stride)
    if margin > 0:
        left_side, right_side = (y[:, :, margin:-margin, margin:-margin] for y in (left_side, right_side))
    difference = float(np.max(np.abs(left_side - right_side)))
    size = float(np.max(np.abs(right_side)))
    if size:
        return difference / size
    return math.inf if difference else 0.0


def invariance_rate(layer, x, shifts):
    shifts = list(shifts)
    reference = layer(x)
    rates = np.empty(len(shifts))
    for i, (down, right) in enumerate(shifts):
        moved = layer(shift_image(x, down, right))
        unchanged = [not np.any(np.abs(np.subtract(a, b, dtype=float)) > 1e-12) for a, b in zip(reference, moved)]
        rates[i] = sum(unchanged) / len(unchanged)
    return rates


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    def conv(f, c):
        return f * c * kernel_size**2 + f

    def fc(o, i):
        return o * i + o

    def group(side):
        return (side - kernel_size + 1) // 2

    table = {
        "conv1": conv(channels[0], in_channels),
        "conv2": conv(channels[1], channels[0]),
        "fc1": fc(hidden[0], channels[1] * group(group(size)) ** 2),
        "fc2": fc(hidden[1], hidden[0]),
        "fc3": fc(classes, hidden[1]),
    }
    table["total"] = sum(table.values())
    return table


def dense_parameter_count(in_shape, out_shape):
    return math.prod(out_shape) * math.prod(in_shape) + math.prod(out_shape)


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    seen = in_shape[0] * math.prod(Window.pair(kernel_size))
    return math.prod(out_shape) * (seen + 1)


def lenet5_forward(params, x):
    return Network(params).forward(x)


def lenet5_loss_and_gradients(params, x, target):
    network, criterion = Network(params), CrossEntropy(target)
    loss = criterion.forward(network.forward(x))
    return loss, network.backward(criterion.backward())


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    optimizer = Momentum(lr, momentum, velocity)
    return optimizer.step(params, grads), optimizer.velocity


def train(params, x, y, batches, *, lr, momentum=0.9):
    optimizer = Momentum(lr, momentum)
    params, losses = dict(params), []
    for batch in batches:
        loss, grads = lenet5_loss_and_gradients(params, x[batch], y[batch])
        params = optimizer.step(params, grads)
        losses.append(loss)
    return params, np.asarray(losses, dtype=np.float64)
