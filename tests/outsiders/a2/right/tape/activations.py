"""Every forward pass is written once, for nodes of a tape; backward passes come from the tape."""

from functools import reduce

import numpy as np

import tape
from tape import Node, pull


def _sigmoid(x):
    t = tape.exp(-tape.absolute(x))
    return tape.choose(x.value >= 0, Node(np.ones_like(x.value)), t) / (t + 1)


def _tanh(x):
    return _sigmoid(x * 2) * 2 - 1


def _leaky(x, a):
    return tape.choose(x.value >= 0, x, x * a)


def _run(f, x, *more):
    return f(Node(x), *more).value


def _back(f, dy, x, *more):
    node = Node(x)
    (dx,) = pull(f(node, *more), dy, node)
    return dx


def sigmoid(x):
    return _run(_sigmoid, x)


def sigmoid_backward(dy, x):
    return _back(_sigmoid, dy, x)


def tanh(x):
    return _run(_tanh, x)


def tanh_backward(dy, x):
    return _back(_tanh, dy, x)


def relu(x):
    return _run(_leaky, x, 0)


def relu_backward(dy, x):
    return _back(_leaky, dy, x, 0)


def leaky_relu(x, negative_slope=0.01):
    return _run(_leaky, x, float(negative_slope))


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return _back(_leaky, dy, x, float(negative_slope))


def saturation_point(derivative, fraction):
    threshold = fraction * derivative(0.0)

    def enough(x):
        return derivative(x) <= threshold

    def search(low, high):
        middle = 0.5 * (low + high)
        if high - low < 1e-10 or middle in (low, high):
            return high
        return search(low, middle) if enough(middle) else search(middle, high)

    if enough(0.0):
        return 0.0
    return search(0.0, 100.0) if enough(100.0) else float("inf")


def sign_agreement(dy, x):
    gradient = reduce(np.add, (np.multiply.outer(d, s) for d, s in zip(dy, x)))
    return ~(np.any(gradient > 0, axis=1) & np.any(gradient < 0, axis=1))


def zigzag_descent(x, y, w0, *, lr, steps):
    def loss(w):
        error = (Node(x) * w).sum((1,)) - y[:, None]
        return (error * error).mean((0, 1)) * 0.5

    def walk(w, left):
        points = [w]
        for _ in range(left):
            node = Node(w)
            value = loss(node)
            (gradient,) = pull(value, np.ones_like(value.value), node)
            w = w - lr * gradient
            points.append(w)
        return points

    path = np.array(walk(np.array(w0), steps))
    way = sum(float(np.hypot(*step)) for step in path[1:] - path[:-1])
    if (path[-1] == path[0]).all():
        return path, float("inf")
    return path, way / float(np.hypot(*(path[-1] - path[0])))


def _softmax(x, axis):
    e = tape.exp(x - x.value.max(axis=axis, keepdims=True))
    return e / e.sum((axis,))


def _log_softmax(x, axis):
    shifted = x - x.value.max(axis=axis, keepdims=True)
    return shifted - tape.log(tape.exp(shifted).sum((axis,)))


def softmax(x, axis=-1):
    return _run(_softmax, x, axis)


def softmax_backward(dy, y, axis=-1):
    def nearby(change):  # the softmax, if the scores change a little
        raised = tape.exp(change) * y
        return raised / raised.sum((axis,))

    return _back(nearby, dy, np.zeros_like(y))


def log_softmax(x, axis=-1):
    return _run(_log_softmax, x, axis)


def log_softmax_backward(dy, y, axis=-1):
    return _back(_log_softmax, dy, y, axis)


def _pick(target, classes, ignore_index):
    """One-hot along axis 1; nothing where the target is left out."""
    shape = [-1 if k == 1 else 1 for k in range(target.ndim + 1)]
    hot = target[:, None] == np.arange(classes).reshape(shape)
    return hot & (target != ignore_index)[:, None]


def cross_entropy(logits, target, *, ignore_index=-100):
    hot = _pick(target, logits.shape[1], ignore_index)
    kept = int((target != ignore_index).sum())
    if int(hot.sum()) != kept:
        raise ValueError("a target is no class")
    return -float(log_softmax(logits, 1)[hot].sum()) / kept if kept else 0.0


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    hot = _pick(target, logits.shape[1], ignore_index).astype(logits.dtype)
    kept = int((target != ignore_index).sum())
    return _back(_log_softmax, hot / -max(kept, 1), logits, 1)


def _normalize(x, axes, eps):
    centred = x - x.mean(axes)
    var = (centred * centred).mean(axes)
    return centred / tape.sqrt(var + eps), var


def _channels(x):
    axes = tuple(k for k in range(x.ndim) if k != 1)
    return axes, tuple(-1 if k == 1 else 1 for k in range(x.ndim))


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    axes, shape = _channels(x)
    gamma, beta = gamma.reshape(shape), beta.reshape(shape)
    if not training:
        hat = (x - running_mean.reshape(shape)) / np.sqrt(running_var.reshape(shape) + eps)
        return gamma * hat + beta, running_mean.copy(), running_var.copy()
    m = x.size // x.shape[1]
    if m == 1:
        raise ValueError("more than one value per channel is needed")
    hat, var = _normalize(Node(x), axes, eps)
    running_mean = running_mean + momentum * (x.mean(axis=axes) - running_mean)
    running_var = running_var + momentum * (var.value.reshape(-1) * m / (m - 1) - running_var)
    return gamma * hat.value + beta, running_mean, running_var


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes, shape = _channels(x)
    x, scale, shift = Node(x), Node(gamma.reshape(shape)), Node(np.zeros_like(gamma).reshape(shape))
    dx, dscale, dshift = pull(_normalize(x, axes, eps)[0] * scale + shift, dy, x, scale, shift)
    return dx, dscale.reshape(-1), dshift.reshape(-1)


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    return _normalize(Node(x), axes, eps)[0].value * gamma + beta


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    x, gamma, beta = Node(x), Node(gamma), Node(np.zeros_like(gamma))
    return pull(_normalize(x, axes, eps)[0] * gamma + beta, dy, x, gamma, beta)


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    functions = {"sigmoid": _sigmoid, "tanh": _tanh, "relu": None}

    def slopes(z):
        if activation == "relu":
            return (z > 0).astype(float)
        largest = _back(functions[activation], np.ones(1), np.zeros(1))
        return _back(functions[activation], np.ones_like(z), z) / largest

    def activate(z):
        return relu(z) if activation == "relu" else _run(functions[activation], z)

    def normalize(z):
        return _normalize(Node(z), (0,) if norm == "batch" else (1,), 1e-5)[0].value if norm else z

    found = {"mean": [], "std": [], "positive": [], "saturated": []}
    h = np.asarray(x, np.float64)
    for w in weights:
        z = h @ w.T
        if not norm_after:
            z = normalize(z)
        h = activate(z)
        if norm_after:
            h = normalize(h)
        found["mean"].append(np.average(h))
        found["std"].append(np.average((h - np.average(h)) ** 2) ** 0.5)
        found["positive"].append(np.count_nonzero(h > 0) / h.size)
        found["saturated"].append(np.count_nonzero(slopes(z) <= 0.1) / z.size)
    return {name: np.array(values) for name, values in found.items()}


def xavier_uniform(out, in_, *, rng):
    a = (3 * 2 / (in_ + out)) ** 0.5
    return rng.uniform(-a, a, size=(out, in_))


def he_normal(out, in_, *, rng):
    return rng.normal(scale=(2 / in_) ** 0.5, size=(out, in_))
