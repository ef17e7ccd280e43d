"""Assignment 3, with plain loops."""

from __future__ import annotations

import math

import numpy as np
from provided import conv2d_backward, conv2d_forward


def pair(p):
    return (int(p), int(p)) if isinstance(p, (int, np.integer)) else (int(p[0]), int(p[1]))


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    kh, kw = pair(kernel_size)
    sh, sw = (kh, kw) if stride is None else pair(stride)
    ph, pw = pair(padding)
    N, C, H, W = x.shape
    if ph > kh // 2 or pw > kw // 2:
        raise ValueError("padding is more than half of the window")
    if kh > H + 2 * ph or kw > W + 2 * pw:
        raise ValueError("window larger than the padded image")
    Ho = (H + 2 * ph - kh) // sh + 1
    Wo = (W + 2 * pw - kw) // sw + 1
    y = np.zeros((N, C, Ho, Wo), dtype=x.dtype)
    for n in range(N):
        for c in range(C):
            for i in range(Ho):
                for j in range(Wo):
                    best = None
                    for u in range(kh):
                        r = sh * i + u - ph
                        if r < 0 or r >= H:
                            continue
                        for v in range(kw):
                            q = sw * j + v - pw
                            if q < 0 or q >= W:
                                continue
                            if best is None or x[n, c, r, q] > best:
                                best = x[n, c, r, q]
                    y[n, c, i, j] = best
    return y


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kh, kw = pair(kernel_size)
    sh, sw = (kh, kw) if stride is None else pair(stride)
    ph, pw = pair(padding)
    N, C, H, W = x.shape
    dx = np.zeros(x.shape, dtype=x.dtype)
    for n in range(N):
        for c in range(C):
            for i in range(dy.shape[2]):
                for j in range(dy.shape[3]):
                    place = None
                    for u in range(kh):
                        r = sh * i + u - ph
                        if r < 0 or r >= H:
                            continue
                        for v in range(kw):
                            q = sw * j + v - pw
                            if q < 0 or q >= W:
                                continue
                            # the last of the largest wins
                            if place is None or x[n, c, r, q] >= x[n, c, place[0], place[1]]:
                                place = (r, q)
                    dx[n, c, place[0], place[1]] += dy[n, c, i, j]
    return dx


def avg_pool_forward(x, kernel_size, *, stride=None):
    kh, kw = pair(kernel_size)
    sh, sw = (kh, kw) if stride is None else pair(stride)
    N, C, H, W = x.shape
    Ho, Wo = (H - kh) // sh + 1, (W - kw) // sw + 1
    y = np.zeros((N, C, Ho, Wo), dtype=x.dtype)
    for n in range(N):
        for c in range(C):
            for i in range(Ho):
                for j in range(Wo):
                    total = 0.0
                    for u in range(kh):
                        for v in range(kw):
                            total += float(x[n, c, sh * i + u, sw * j + v])
                    y[n, c, i, j] = total / (kh * kw)
    return y


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    kh, kw = pair(kernel_size)
    sh, sw = (kh, kw) if stride is None else pair(stride)
    N, C, H, W = x.shape
    dx = np.zeros(x.shape, dtype=dy.dtype)
    for n in range(N):
        for c in range(C):
            for i in range(dy.shape[2]):
                for j in range(dy.shape[3]):
                    for u in range(kh):
                        for v in range(kw):
                            dx[n, c, sh * i + u, sw * j + v] += dy[n, c, i, j] / (kh * kw)
    return dx


def min_pool_zero_fraction(x, kernel_size):
    kh, kw = pair(kernel_size)
    N, C, H, W = x.shape
    zeros = windows = 0
    for n in range(N):
        for c in range(C):
            for i in range(0, H - kh + 1, kh):
                for j in range(0, W - kw + 1, kw):
                    windows += 1
                    for u in range(kh):
                        if any(x[n, c, i + u, j + v] <= 0 for v in range(kw)):
                            zeros += 1
                            break
    return zeros / windows


def flatten(x):
    N, C, H, W = x.shape
    y = np.empty((N, C * H * W), dtype=x.dtype)
    for c in range(C):
        for i in range(H):
            for j in range(W):
                y[:, (c * H + i) * W + j] = x[:, c, i, j]
    return y


def linear_forward(x, w, b):
    y = np.zeros((len(x), len(w)), dtype=x.dtype)
    rows, weights, biases = x.tolist(), w.tolist(), b.tolist()
    for n, row in enumerate(rows):
        for o, weight in enumerate(weights):
            total = biases[o]
            for xi, wi in zip(row, weight):
                total += xi * wi
            y[n, o] = total
    return y


def linear_backward(dy, x, w):
    N, O, I = len(x), len(w), w.shape[1]
    dx = [[0.0] * I for _ in range(N)]
    dw = [[0.0] * I for _ in range(O)]
    db = [0.0] * O
    X, Wt, D = x.tolist(), w.tolist(), dy.tolist()
    for n in range(N):
        for o in range(O):
            d = D[n][o]
            db[o] += d
            if d == 0:
                continue
            xn, wo, dxn, dwo = X[n], Wt[o], dx[n], dw[o]
            for i in range(I):
                dxn[i] += d * wo[i]
                dwo[i] += d * xn[i]
    kind = x.dtype
    return np.array(dx, kind).reshape(N, I), np.array(dw, kind).reshape(O, I), np.array(db, kind)


def shift_image(x, down, right):
    H, W = x.shape[-2:]
    y = np.zeros(x.shape, dtype=x.dtype)
    for i in range(H):
        for j in range(W):
            r, q = i - down, j - right
            if 0 <= r < H and 0 <= q < W:
                y[..., i, j] = x[..., r, q]
    return y


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    down, right = shift
    a = layer(shift_image(x, down, right))
    b = shift_image(layer(x), down // stride, right // stride)
    N, F, H, W = a.shape
    numerator = denominator = 0.0
    for n in range(N):
        for f in range(F):
            for i in range(margin, H - margin):
                for j in range(margin, W - margin):
                    numerator = max(numerator, abs(float(a[n, f, i, j]) - float(b[n, f, i, j])))
                    denominator = max(denominator, abs(float(b[n, f, i, j])))
    if denominator == 0:
        return 0.0 if numerator == 0 else math.inf
    return numerator / denominator


def invariance_rate(layer, x, shifts):
    rates = []
    before = layer(x)
    for down, right in shifts:
        after = layer(shift_image(x, down, right))
        same = 0
        for one, other in zip(before, after):
            largest = 0.0
            for p, q in zip(np.ravel(one).tolist(), np.ravel(other).tolist()):
                largest = max(largest, abs(p - q))
            if not largest > 1e-12:
                same += 1
        rates.append(same / len(x))
    return np.array(rates, dtype=np.float64)


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    table, side, wide = {}, size, in_channels
    for k, filters in enumerate(channels, 1):
        table[f"conv{k}"] = filters * (wide * kernel_size * kernel_size + 1)
        side, wide = (side - kernel_size + 1) // 2, filters
    features = wide * side * side
    for k, outputs in enumerate((*hidden, classes), 1):
        table[f"fc{k}"] = outputs * (features + 1)
        features = outputs
    table["total"] = sum(table.values())
    return table


def dense_parameter_count(in_shape, out_shape):
    inputs = outputs = 1
    for side in in_shape:
        inputs *= side
    for side in out_shape:
        outputs *= side
    return outputs * inputs + outputs


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    kh, kw = pair(kernel_size)
    total = 0
    for _ in range(out_shape[0]):
        total += out_shape[1] * out_shape[2] * (in_shape[0] * kh * kw + 1)
    return total


def lenet5_forward(params, x):
    a = x
    for k in (1, 2):
        a = np.maximum(conv2d_forward(a, params[f"conv{k}.weight"], params[f"conv{k}.bias"]), 0)
        a = max_pool_forward(a, 2)
    a = flatten(a)
    for k in (1, 2, 3):
        a = linear_forward(a, params[f"fc{k}.weight"], params[f"fc{k}.bias"])
        if k < 3:
            a = np.maximum(a, 0)
    return a


def lenet5_loss_and_gradients(params, x, target):
    tape, a = [], x
    for k in (1, 2):
        z = conv2d_forward(a, params[f"conv{k}.weight"], params[f"conv{k}.bias"])
        r = np.maximum(z, 0)
        tape.append((a, z, r))
        a = max_pool_forward(r, 2)
    shape = a.shape
    a = flatten(a)
    for k in (1, 2, 3):
        z = linear_forward(a, params[f"fc{k}.weight"], params[f"fc{k}.bias"])
        tape.append((a, z, None))
        a = np.maximum(z, 0)
    logits = tape[-1][1]
    N = len(x)
    loss, d = 0.0, np.zeros(logits.shape, dtype=logits.dtype)
    for n in range(N):
        row = logits[n].tolist()
        top = max(row)
        e = [math.exp(value - top) for value in row]
        t = int(target[n])
        loss += (math.log(sum(e)) + top - row[t]) / N
        for k in range(len(row)):
            d[n, k] = (e[k] / sum(e) - (k == t)) / N
    grads = {}
    for k in (3, 2, 1):
        a, z, _ = tape[1 + k]
        if k < 3:
            d = np.where(z > 0, d, 0).astype(d.dtype)
        d, grads[f"fc{k}.weight"], grads[f"fc{k}.bias"] = linear_backward(d, a, params[f"fc{k}.weight"])
    d = d.reshape(shape)
    for k in (2, 1):
        a, z, r = tape[k - 1]
        d = max_pool_backward(d, r, 2)
        d = d * (z > 0)
        d, grads[f"conv{k}.weight"], grads[f"conv{k}.bias"] = conv2d_backward(d, a, params[f"conv{k}.weight"])
    return loss, grads


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    new, fast = {}, {}
    for key in params:
        p, g, v = params[key], grads[key], velocity[key]
        f, q = np.empty(p.shape, p.dtype), np.empty(p.shape, p.dtype)
        for index in np.ndindex(p.shape):
            f[index] = momentum * v[index] + g[index]
            q[index] = p[index] - lr * f[index]
        new[key], fast[key] = q, f
    return new, fast


def train(params, x, y, batches, *, lr, momentum=0.9):
    velocity = {}
    for key in params:
        velocity[key] = np.zeros(params[key].shape, params[key].dtype)
    losses = []
    for batch in batches:
        loss, grads = lenet5_loss_and_gradients(params, x[batch], y[batch])
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
        losses.append(loss)
    return params, np.array(losses, dtype=np.float64)
