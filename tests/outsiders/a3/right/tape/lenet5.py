"""Right, unusual: a small automatic differentiation for the network, tournaments for the maxima, Fourier-free."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
import provided


@dataclass(frozen=True)
class Window:
    kh: int
    kw: int
    sh: int
    sw: int
    ph: int
    pw: int

    @classmethod
    def of(cls, kernel_size, stride=None, padding=0):
        kernel = (kernel_size,) * 2 if isinstance(kernel_size, int) else kernel_size
        step = kernel if stride is None else (stride,) * 2 if isinstance(stride, int) else stride
        pad = (padding,) * 2 if isinstance(padding, int) else padding
        return cls(*kernel, *step, *pad)

    def outputs(self, height, width):
        if self.ph > self.kh // 2 or self.pw > self.kw // 2:
            raise ValueError("padding")
        spare = height + 2 * self.ph - self.kh, width + 2 * self.pw - self.kw
        if min(spare) < 0:
            raise ValueError("window")
        return spare[0] // self.sh + 1, spare[1] // self.sw + 1

    def views(self, array, ho, wo):
        """The array seen through each place of the window."""
        for u in range(self.kh):
            for v in range(self.kw):
                yield array[..., u : u + self.sh * (ho - 1) + 1 : self.sh, v : v + self.sw * (wo - 1) + 1 : self.sw]


def _framed(x, window, value):
    n, c, h, w = x.shape
    frame = np.full((n, c, h + 2 * window.ph, w + 2 * window.pw), value, x.dtype)
    inner = frame[:, :, window.ph : window.ph + h, window.pw : window.pw + w]
    inner[...] = x
    return frame, inner


def _tournament(candidates):
    """The larger of two, in rounds; each comes as (value, place), and the later one wins a tie."""
    if len(candidates) == 1:
        return candidates[0]
    half = len(candidates) // 2
    (a, place_a), (b, place_b) = _tournament(candidates[:half]), _tournament(candidates[half:])
    return np.where(a > b, a, b), np.where(a > b, place_a, place_b)


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    window = Window.of(kernel_size, stride, padding)
    ho, wo = window.outputs(*x.shape[2:])
    frame, _ = _framed(x, window, -np.inf)
    return _tournament([(view, k) for k, view in enumerate(window.views(frame, ho, wo))])[0].astype(x.dtype)


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    window = Window.of(kernel_size, stride, padding)
    frame, _ = _framed(x, window, -np.inf)
    _, winner = _tournament([(view, k) for k, view in enumerate(window.views(frame, *dy.shape[2:]))])
    slopes, inner = _framed(np.zeros(x.shape, dy.dtype), window, 0)
    for k, view in enumerate(window.views(slopes, *dy.shape[2:])):
        view += dy * (winner == k)
    return inner


def avg_pool_forward(x, kernel_size, *, stride=None):
    """As a matrix product from the left and from the right."""
    window = Window.of(kernel_size, stride)
    ho, wo = window.outputs(*x.shape[2:])
    left = np.zeros((ho, x.shape[2]))
    right = np.zeros((x.shape[3], wo))
    for i in range(ho):
        left[i, window.sh * i : window.sh * i + window.kh] = 1 / window.kh
    for j in range(wo):
        right[window.sw * j : window.sw * j + window.kw, j] = 1 / window.kw
    return (left @ x @ right).astype(x.dtype)


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    """Upsample dy with gaps, then box filter by running sums of what comes in minus what goes out."""
    window = Window.of(kernel_size, stride)
    ho, wo = dy.shape[2:]
    n, c, h, w = x.shape
    events = np.zeros((n, c, h + window.kh + 1, w + window.kw + 1))
    share = dy.astype(np.float64) / (window.kh * window.kw)
    for down, sign in ((0, 1), (window.kh, -1)):
        for right, mark in ((0, 1), (window.kw, -1)):
            events[:, :, down : down + window.sh * (ho - 1) + 1 : window.sh, right : right + window.sw * (wo - 1) + 1 : window.sw] += sign * mark * share
    return events.cumsum(axis=2).cumsum(axis=3)[:, :, :h, :w].astype(dy.dtype)


def min_pool_zero_fraction(x, kernel_size):
    window = Window.of(kernel_size)
    ho, wo = window.outputs(*x.shape[2:])
    zero = np.zeros((*x.shape[:2], ho, wo), bool)
    for view in window.views(x, ho, wo):
        zero |= ~(view > 0)
    return int(zero.sum()) / zero.size


def flatten(x):
    return x.transpose(1, 2, 3, 0).reshape(-1, len(x)).T


def linear_forward(x, w, b):
    y = np.empty((len(x), len(w)), x.dtype)
    y[...] = b
    y += np.inner(x, w)
    return y


def linear_backward(dy, x, w):
    return np.dot(dy, w), np.inner(dy.T, x.T), np.ones(len(dy), dy.dtype) @ dy


def shift_image(x, down, right):
    y = x.copy()
    for axis, s in ((-2, down), (-1, right)):
        n = y.shape[axis]
        s = max(-n, min(n, s))
        y = np.roll(y, s, axis)
        gone = [slice(None)] * y.ndim
        gone[axis] = slice(0, s) if s >= 0 else slice(n + s, n)
        y[tuple(gone)] = 0
    return y


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    follows = layer(x)
    follows = shift_image(follows, *[s // stride for s in shift])
    moved = layer(shift_image(x, *shift))
    for _ in range(margin):
        follows, moved = follows[:, :, 1:-1, 1:-1], moved[:, :, 1:-1, 1:-1]
    largest = max(map(abs, follows.ravel().tolist()))
    gap = max(abs(a - b) for a, b in zip(moved.ravel().tolist(), follows.ravel().tolist(), strict=True))
    return {(True, True): 0.0, (True, False): float("inf")}.get((largest == 0, gap == 0), gap / (largest or 1))


def invariance_rate(layer, x, shifts):
    base = layer(x)
    counts = []
    for shift in shifts:
        other = layer(shift_image(x, *shift))
        counts.append(sum(bool(np.max(np.abs(a - b), initial=0) <= 1e-12) for a, b in zip(base, other, strict=True)))
    return np.divide(counts, len(x))


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    conv = Window(kernel_size, kernel_size, 1, 1, 0, 0)
    pool = Window(2, 2, 2, 2, 0, 0)
    rows, columns = pool.outputs(*conv.outputs(*pool.outputs(*conv.outputs(size, size))))
    one = (1, 1)
    table = {
        "conv1": locally_connected_parameter_count((in_channels, size, size), (channels[0], *one), kernel_size),
        "conv2": locally_connected_parameter_count((channels[0], size, size), (channels[1], *one), kernel_size),
        "fc1": dense_parameter_count((channels[1], rows, columns), (hidden[0], *one)),
        "fc2": dense_parameter_count((hidden[0], *one), (hidden[1], *one)),
        "fc3": dense_parameter_count((hidden[1], *one), (classes, *one)),
    }
    return {"total": sum(table.values()), **table}


def dense_parameter_count(in_shape, out_shape):
    c, h, w = in_shape
    f, i, j = out_shape
    return f * i * j * (c * h * w + 1)


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    window = Window.of(kernel_size)
    f, i, j = out_shape
    return f * i * j * (in_shape[0] * window.kh * window.kw + 1)


@dataclass(eq=False)
class Node:
    """A value, where it came from, and how a gradient goes back there."""

    value: np.ndarray
    parents: tuple = ()
    back: object = None
    name: str = field(default="")

    def relu(self):
        positive = self.value > 0
        return Node(self.value * positive, (self,), lambda d: (d * positive,))

    def pool(self):
        return Node(max_pool_forward(self.value, 2), (self,), lambda d: (max_pool_backward(d, self.value, 2),))

    def flat(self):
        return Node(flatten(self.value), (self,), lambda d: (d.reshape(self.value.shape),))

    def conv(self, w, b):
        y = provided.conv2d_forward(self.value, w.value, b.value)
        return Node(y, (self, w, b), lambda d: provided.conv2d_backward(d, self.value, w.value))

    def linear(self, w, b):
        y = linear_forward(self.value, w.value, b.value)
        return Node(y, (self, w, b), lambda d: linear_backward(d, self.value, w.value))


def _network(params, x):
    leaf = {key: Node(value, name=key) for key, value in params.items()}

    def of(layer):
        return leaf[f"{layer}.weight"], leaf[f"{layer}.bias"]

    maps = Node(x).conv(*of("conv1")).relu().pool().conv(*of("conv2")).relu().pool()
    return maps.flat().linear(*of("fc1")).relu().linear(*of("fc2")).relu().linear(*of("fc3"))


def lenet5_forward(params, x):
    return _network(params, x).value


def lenet5_loss_and_gradients(params, x, target):
    logits = _network(params, x)
    z = logits.value.astype(np.longdouble)
    z = z - z.max(axis=1, keepdims=True)
    total = np.exp(z).sum(axis=1, keepdims=True)
    logs = z - np.log(total)
    picked = np.take_along_axis(logs, target[:, None], axis=1)
    slope = np.exp(logs)
    np.put_along_axis(slope, target[:, None], np.expm1(picked), axis=1)

    waiting = defaultdict(lambda: 0)
    waiting[logits] = (slope / len(x)).astype(logits.value.dtype)
    order, grads = [logits], {}
    while order:  # a chain: each node has one child
        node = order.pop()
        d = waiting.pop(node)
        if node.name:
            grads[node.name] = d
        for parent, gradient in zip(node.parents, node.back(d) if node.back else (), strict=True):
            waiting[parent] = waiting[parent] + gradient
            order.append(parent)
    return float(-picked.mean()), grads


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    new_velocity = dict.fromkeys(params)
    new_params = dict.fromkeys(params)
    for name, parameter in params.items():
        new_velocity[name] = grads[name] + velocity[name] * momentum
        new_params[name] = parameter - new_velocity[name] * lr
    return new_params, new_velocity


def train(params, x, y, batches, *, lr, momentum=0.9):
    state = params, {name: np.zeros_like(array, order="C") for name, array in params.items()}
    losses = []
    for batch in batches:
        loss, grads = lenet5_loss_and_gradients(state[0], np.ascontiguousarray(x[batch]), y[batch])
        losses.append(loss)
        state = sgd_momentum_step(state[0], grads, state[1], lr=lr, momentum=momentum)
    return state[0], np.fromiter(losses, np.float64, len(losses))
