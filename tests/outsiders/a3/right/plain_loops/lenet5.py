"""Assignment 3, everything with plain loops. Slow, but I can follow it."""

import math

import numpy as np
from provided import conv2d_backward, conv2d_forward


def both(value):
    if isinstance(value, (tuple, list)):
        return int(value[0]), int(value[1])
    return int(value), int(value)


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    kh, kw = both(kernel_size)
    if stride is None:
        sh, sw = kh, kw
    else:
        sh, sw = both(stride)
    ph, pw = both(padding)
    n_images, n_channels, height, width = x.shape
    if ph > kh // 2:
        raise ValueError("too much padding above and below")
    if pw > kw // 2:
        raise ValueError("too much padding left and right")
    if kh > height + 2 * ph or kw > width + 2 * pw:
        raise ValueError("window larger than the padded image")
    ho = (height + 2 * ph - kh) // sh + 1
    wo = (width + 2 * pw - kw) // sw + 1
    y = np.empty((n_images, n_channels, ho, wo), dtype=x.dtype)
    for n in range(n_images):
        for c in range(n_channels):
            for i in range(ho):
                for j in range(wo):
                    # no padded copy: cut the window off at the edge of the image
                    top, left = sh * i - ph, sw * j - pw
                    window = x[n, c, max(top, 0) : top + kh, max(left, 0) : left + kw]
                    y[n, c, i, j] = window.max()
    return y


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kh, kw = both(kernel_size)
    if stride is None:
        sh, sw = kh, kw
    else:
        sh, sw = both(stride)
    ph, pw = both(padding)
    n_images, n_channels, height, width = x.shape
    dx = np.zeros(x.shape, dtype=np.result_type(dy, x))
    for n in range(n_images):
        for c in range(n_channels):
            for i in range(dy.shape[2]):
                for j in range(dy.shape[3]):
                    best = -math.inf
                    row = column = None
                    for u in range(kh):
                        r = sh * i + u - ph
                        if r < 0 or r >= height:
                            continue
                        for v in range(kw):
                            q = sw * j + v - pw
                            if q < 0 or q >= width:
                                continue
                            if x[n, c, r, q] > best:
                                best = x[n, c, r, q]
                                row, column = r, q
                    dx[n, c, row, column] += dy[n, c, i, j]
    return dx


def avg_pool_forward(x, kernel_size, *, stride=None):
    kh, kw = both(kernel_size)
    sh, sw = (kh, kw) if stride is None else both(stride)
    n_images, n_channels, height, width = x.shape
    rows = range(0, height - kh + 1, sh)
    columns = range(0, width - kw + 1, sw)
    y = np.zeros((n_images, n_channels, len(rows), len(columns)), dtype=x.dtype)
    for n in range(n_images):
        for c in range(n_channels):
            for i, r in enumerate(rows):
                for j, q in enumerate(columns):
                    y[n, c, i, j] = x[n, c, r : r + kh, q : q + kw].mean()
    return y


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    kh, kw = both(kernel_size)
    sh, sw = (kh, kw) if stride is None else both(stride)
    dx = np.zeros(x.shape, dtype=np.result_type(dy, x))
    for n in range(dy.shape[0]):
        for c in range(dy.shape[1]):
            for i in range(dy.shape[2]):
                for j in range(dy.shape[3]):
                    dx[n, c, sh * i : sh * i + kh, sw * j : sw * j + kw] += dy[n, c, i, j] / (kh * kw)
    return dx


def min_pool_zero_fraction(x, kernel_size):
    kh, kw = both(kernel_size)
    zeros = total = 0
    for image in x:
        for channel in image:
            for r in range(0, channel.shape[0] - kh + 1, kh):
                for q in range(0, channel.shape[1] - kw + 1, kw):
                    total += 1
                    if not all(value > 0 for value in channel[r : r + kh, q : q + kw].flat):
                        zeros += 1
    return zeros / total


def flatten(x):
    n_images, n_channels, height, width = x.shape
    y = np.empty((n_images, n_channels * height * width), dtype=x.dtype)
    for n in range(n_images):
        for c in range(n_channels):
            for i in range(height):
                for j in range(width):
                    y[n, (c * height + i) * width + j] = x[n, c, i, j]
    return y


def linear_forward(x, w, b):
    y = np.empty((x.shape[0], w.shape[0]), dtype=np.result_type(x, w, b))
    for n in range(x.shape[0]):
        for o in range(w.shape[0]):
            y[n, o] = b[o] + (x[n] * w[o]).sum()
    return y


def linear_backward(dy, x, w):
    dtype = np.result_type(dy, x, w)
    dx = np.zeros(x.shape, dtype)
    dw = np.zeros(w.shape, dtype)
    db = np.zeros(w.shape[0], dtype)
    for n in range(dy.shape[0]):
        for o in range(dy.shape[1]):
            dx[n] += dy[n, o] * w[o]
            dw[o] += dy[n, o] * x[n]
            db[o] += dy[n, o]
    return dx, dw, db


def shift_image(x, down, right):
    y = np.zeros(x.shape, dtype=x.dtype)
    height, width = x.shape[-2], x.shape[-1]
    for i in range(height):
        for j in range(width):
            if 0 <= i - down < height and 0 <= j - right < width:
                y[..., i, j] = x[..., i - down, j - right]
    return y


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    down, right = shift
    moved_input = layer(shift_image(x, down, right))
    moved_output = shift_image(layer(x), down // stride, right // stride)
    numerator = denominator = 0.0
    height, width = moved_output.shape[2], moved_output.shape[3]
    for i in range(margin, height - margin):
        for j in range(margin, width - margin):
            a, b = moved_input[:, :, i, j], moved_output[:, :, i, j]
            numerator = max(numerator, float(abs(a - b).max()))
            denominator = max(denominator, float(abs(b).max()))
    if denominator == 0:
        return 0.0 if numerator == 0 else math.inf
    return numerator / denominator


def invariance_rate(layer, x, shifts):
    before = layer(x)
    rates = []
    for down, right in shifts:
        after = layer(shift_image(x, down, right))
        same = 0
        for one, other in zip(before, after):
            changed = False
            for p, q in zip(np.ravel(one), np.ravel(other)):
                if abs(float(p) - float(q)) > 1e-12:
                    changed = True
                    break
            if not changed:
                same += 1
        rates.append(same / len(x))
    return np.array(rates, dtype=np.float64)


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    table = {}
    side, depth = size, in_channels
    for name, filters in zip(("conv1", "conv2"), channels):
        table[name] = filters * (depth * kernel_size * kernel_size + 1)
        side = (side - kernel_size + 1) // 2
        depth = filters
    inputs = depth * side * side
    for name, outputs in zip(("fc1", "fc2", "fc3"), (hidden[0], hidden[1], classes)):
        table[name] = outputs * (inputs + 1)
        inputs = outputs
    table["total"] = sum(table.values())
    return table


def dense_parameter_count(in_shape, out_shape):
    weights = biases = 1
    for number in out_shape:
        biases *= number
    for number in tuple(in_shape) + tuple(out_shape):
        weights *= number
    return weights + biases


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    kh, kw = both(kernel_size)
    outputs = out_shape[0] * out_shape[1] * out_shape[2]
    return outputs * in_shape[0] * kh * kw + outputs


def relu(z):
    return np.where(z > 0, z, np.zeros_like(z))


def lenet5_forward(params, x):
    maps = x
    for name in ("conv1", "conv2"):
        maps = conv2d_forward(maps, params[name + ".weight"], params[name + ".bias"])
        maps = max_pool_forward(relu(maps), 2)
    vector = flatten(maps)
    for name in ("fc1", "fc2", "fc3"):
        vector = linear_forward(vector, params[name + ".weight"], params[name + ".bias"])
        if name != "fc3":
            vector = relu(vector)
    return vector


def lenet5_loss_and_gradients(params, x, target):
    # forward, keeping everything
    z1 = conv2d_forward(x, params["conv1.weight"], params["conv1.bias"])
    a1 = relu(z1)
    m1 = max_pool_forward(a1, 2)
    z2 = conv2d_forward(m1, params["conv2.weight"], params["conv2.bias"])
    a2 = relu(z2)
    m2 = max_pool_forward(a2, 2)
    f = flatten(m2)
    z3 = linear_forward(f, params["fc1.weight"], params["fc1.bias"])
    a3 = relu(z3)
    z4 = linear_forward(a3, params["fc2.weight"], params["fc2.bias"])
    a4 = relu(z4)
    z5 = linear_forward(a4, params["fc3.weight"], params["fc3.bias"])

    count = len(target)
    loss = 0.0
    dz5 = np.zeros_like(z5)
    for n in range(count):
        logits = [float(value) for value in z5[n]]
        top = max(logits)
        powers = [math.exp(value - top) for value in logits]
        total = sum(powers)
        loss += top + math.log(total) - logits[target[n]]
        for k in range(len(logits)):
            dz5[n, k] = (powers[k] / total - (1 if k == target[n] else 0)) / count
    loss /= count

    g = {}
    da4, g["fc3.weight"], g["fc3.bias"] = linear_backward(dz5, a4, params["fc3.weight"])
    da3, g["fc2.weight"], g["fc2.bias"] = linear_backward(da4 * (z4 > 0), a3, params["fc2.weight"])
    df, g["fc1.weight"], g["fc1.bias"] = linear_backward(da3 * (z3 > 0), f, params["fc1.weight"])
    dm2 = df.reshape(m2.shape)
    da2 = max_pool_backward(dm2, a2, 2)
    dm1, g["conv2.weight"], g["conv2.bias"] = conv2d_backward(da2 * (z2 > 0), m1, params["conv2.weight"])
    da1 = max_pool_backward(dm1, a1, 2)
    _, g["conv1.weight"], g["conv1.bias"] = conv2d_backward(da1 * (z1 > 0), x, params["conv1.weight"])
    return loss, g


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    lr, momentum = float(lr), float(momentum)
    new_params, new_velocity = {}, {}
    for key in params:
        new_velocity[key] = momentum * velocity[key] + grads[key]
        new_params[key] = params[key] - lr * new_velocity[key]
    return new_params, new_velocity


def train(params, x, y, batches, *, lr, momentum=0.9):
    params = {key: value.copy() for key, value in params.items()}
    velocity = {key: np.zeros_like(value) for key, value in params.items()}
    losses = np.zeros(len(batches))
    for step in range(len(batches)):
        chosen = batches[step]
        losses[step], grads = lenet5_loss_and_gradients(params, x[chosen], y[chosen])
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
    return params, losses
