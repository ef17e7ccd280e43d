"""Everything in float64 inside, sums by einsum, channels moved to the end, results cast back (often Fortran ordered)."""

import functools

import numpy as np


def widened(function):
    """Call with float64 copies of the floating arrays; give arrays back in the dtype of the first one."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        dtype = next(a.dtype for a in (*args, *kwargs.values()) if isinstance(a, np.ndarray))

        def up(a):
            return a.astype(np.float64) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a

        def down(r):
            if isinstance(r, tuple):
                return tuple(map(down, r))
            if isinstance(r, np.ndarray) and r.dtype.kind == "f" and r.ndim:
                return np.asfortranarray(r.astype(dtype))
            return r

        with np.errstate(all="ignore"):
            return down(function(*map(up, args), **{k: up(v) for k, v in kwargs.items()}))

    return wrapper


@widened
def sigmoid(x):
    return np.reciprocal(1 + np.exp(-x))


@widened
def sigmoid_backward(dy, x):
    return np.einsum("i,i,i->i", dy.ravel(), *(sigmoid(s * x).ravel() for s in (1, -1))).reshape(x.shape)


@widened
def tanh(x):
    e = np.exp(-2 * np.abs(x))
    return np.sign(x) * -np.expm1(-2 * np.abs(x)) / (1 + e)


@widened
def tanh_backward(dy, x):
    return dy / np.cosh(x) ** 2


@widened
def relu(x):
    x *= x > 0
    return x


@widened
def relu_backward(dy, x):
    return dy * np.heaviside(x, 0.5)


@widened
def leaky_relu(x, negative_slope=0.01):
    return np.maximum(x, negative_slope * x)


@widened
def leaky_relu_backward(dy, x, negative_slope=0.01):
    return dy * (negative_slope + (1 - negative_slope) * np.heaviside(x, 0.25))


def saturation_point(derivative, fraction):
    if fraction >= 1:
        return 0.0
    goal = float(fraction) * derivative(0.0)
    # k-ary search by a grid of eleven points, refined again and again
    low, width = 0.0, 100.0
    if not derivative(100.0) <= goal:
        return np.inf
    while width > 1e-8:
        width /= 10
        k = next(k for k in range(1, 12) if k >= 10 or derivative(low + k * width) <= goal)
        low += (k - 1) * width
    return float(low + width)


@widened
def sign_agreement(dy, x):
    s = np.sign(np.einsum("nj,ni->ji", dy, x))
    return s.max(axis=1) - s.min(axis=1) < 2


def zigzag_descent(x, y, w0, *, lr, steps):
    path = np.empty((2, steps + 1), x.dtype).T
    path[0] = w0
    for k in range(steps):
        error = np.einsum("ni,i->n", x, path[k]) - y
        path[k + 1] = path[k] - np.einsum("n,ni->i", error, x) / x.shape[0] * lr
    moves = path[1:].astype(float) - path[:-1]
    crow = path[-1].astype(float) - path[0]
    walked = np.hypot(moves[:, 0], moves[:, 1]).sum()
    flown = np.hypot(*crow)
    return path, (float(walked / flown) if flown else np.inf)


@widened
def softmax(x, axis=-1):
    x = np.moveaxis(x, axis, -1)
    x = np.exp(x - x.max(-1)[..., None])
    return np.moveaxis(np.einsum("...c,...->...c", x, 1 / np.einsum("...c->...", x)), -1, axis)


@widened
def softmax_backward(dy, y, axis=-1):
    dy, y = np.moveaxis(dy, axis, 0), np.moveaxis(y, axis, 0)
    return np.moveaxis(np.einsum("c...,c...->c...", y, dy - np.einsum("c...,c...->...", y, dy)), 0, axis)


@widened
def log_softmax(x, axis=-1):
    return x - np.logaddexp.reduce(x, axis=axis, keepdims=True)


@widened
def log_softmax_backward(dy, y, axis=-1):
    dy, p = np.moveaxis(dy, axis, -1), np.exp(np.moveaxis(y, axis, -1))
    return np.moveaxis(dy - np.einsum("...c,...d->...d", dy, p), -1, axis)


def _flat(logits, target, ignore_index):
    """Rows of scores, their targets, and which of them are kept."""
    rows = np.moveaxis(logits, 1, -1)
    return rows.reshape(-1, logits.shape[1]), target.reshape(-1), (target != ignore_index).reshape(-1)


@widened
def cross_entropy(logits, target, *, ignore_index=-100):
    rows, right, kept = _flat(logits, target, ignore_index)
    rows, right = rows[kept], right[kept]
    if not np.isin(right, np.arange(rows.shape[1])).all():
        raise ValueError(right)
    if not right.size:
        return 0.0
    onehot = right[:, None] == np.arange(rows.shape[1])
    return np.einsum("nc,nc->", -log_softmax(rows), onehot) / right.size


@widened
def cross_entropy_backward(logits, target, *, ignore_index=-100):
    rows, right, kept = _flat(logits, target, ignore_index)
    p = softmax(rows) - (right[:, None] == np.arange(rows.shape[1]))
    p *= kept[:, None] / max(kept.sum(), 1)
    return np.moveaxis(p.reshape(target.shape + (-1,)), -1, 1)


def _standard(rows, eps):
    """Rows with their mean subtracted (twice, for what rounding left) and divided by sigma, sigma, mean, var."""
    mean = np.einsum("rm->r", rows) / rows.shape[1]
    rest = rows - mean[:, None]
    more = np.einsum("rm->r", rest) / rows.shape[1]
    rest -= more[:, None]
    var = np.einsum("rm,rm->r", rest, rest) / rows.shape[1]
    sigma = (var + eps) ** 0.5
    return rest / sigma[:, None], sigma, mean + more, var


@widened
def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    rows = np.swapaxes(x, 0, 1).reshape(len(gamma), -1)
    if training:
        m = rows.shape[1]
        if m < 2:
            raise ValueError("m")
        normal, _, mean, var = _standard(rows, eps)
        running_mean = running_mean * (1 - momentum) + momentum * mean
        running_var = running_var * (1 - momentum) + momentum * m / (m - 1) * var
    else:
        normal = (rows - running_mean[:, None]) / np.sqrt(running_var + eps)[:, None]
    y = np.einsum("c,cm->cm", gamma, normal) + beta[:, None]
    return y.reshape(x.shape[1], x.shape[0], *x.shape[2:]).swapaxes(0, 1), running_mean, running_var


@widened
def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    rows, grads = (np.swapaxes(a, 0, 1).reshape(len(gamma), -1) for a in (x, dy))
    normal, sigma, _, _ = _standard(rows, eps)
    dgamma, dbeta = np.einsum("cm,cm->c", grads, normal), np.einsum("cm->c", grads)
    inner = rows.shape[1] * grads - dbeta[:, None] - np.einsum("cm,c->cm", normal, dgamma)
    dx = np.einsum("c,cm->cm", gamma / (sigma * rows.shape[1]), inner)
    return dx.reshape(x.shape[1], x.shape[0], *x.shape[2:]).swapaxes(0, 1), dgamma, dbeta


@widened
def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    normal, *_ = _standard(x.reshape(-1, gamma.size), eps)
    return np.einsum("d,rd->rd", gamma.ravel(), normal).reshape(x.shape) + beta


@widened
def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    normal, sigma, _, _ = _standard(x.reshape(-1, gamma.size), eps)
    dy = dy.reshape(-1, gamma.size)
    g = np.einsum("rd,d->rd", dy, gamma.ravel())
    along = np.einsum("rd,rd,re->re", g, normal, normal) if gamma.size < 2 else normal * (g * normal).sum(1)[:, None]
    dx = (g - (np.einsum("rd->r", g)[:, None] + along) / gamma.size) / sigma[:, None]
    return dx.reshape(x.shape), np.einsum("rd,rd->d", dy, normal).reshape(gamma.shape), dy.sum(0).reshape(gamma.shape)


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    def normalize(a):
        if norm is None:
            return a
        return _standard(a, 1e-5)[0] if norm == "layer" else _standard(a.T, 1e-5)[0].T

    before, after = (lambda a: a, normalize) if norm_after else (normalize, lambda a: a)
    function, slope = {
        "sigmoid": (sigmoid, lambda z: 4 * sigmoid(z) * sigmoid(-z)),
        "tanh": (tanh, lambda z: np.cosh(np.clip(z, -300, 300)) ** -2.0),
        "relu": (relu, lambda z: (z > 0) * 1.0),
    }[activation]
    table = []
    h = np.array(x, np.float64)
    for w in weights:
        z = before(np.einsum("ni,oi->no", h, w.astype(np.float64)))
        h = after(function(z))
        table.append([h.mean(), np.sqrt(((h - h.mean()) ** 2).mean()), np.mean(h > 0), np.mean(slope(z) <= 0.1)])
    return dict(zip(("mean", "std", "positive", "saturated"), np.array(table).T))


def xavier_uniform(out, in_, *, rng):
    return (2 * rng.random((in_, out)).T - 1) * (6 / (in_ + out)) ** 0.5


def he_normal(out, in_, *, rng):
    return np.stack([rng.standard_normal(in_) for _ in range(out)]) * np.sqrt(2 / in_)
