"""Everything is an index into something flat."""

from __future__ import annotations

import numpy as np
import provided


def _pair(p):
    a = np.broadcast_to(p, 2)
    return int(a[0]), int(a[1])


def _table(h, w, kernel_size, stride, padding):
    """Flat places in an h x w picture, one row for each window; -1 for padding. And (Ho, Wo)."""
    kh, kw = _pair(kernel_size)
    sh, sw = (kh, kw) if stride is None else _pair(stride)
    ph, pw = _pair(padding)
    ho, wo = (h + 2 * ph - kh) // sh + 1, (w + 2 * pw - kw) // sw + 1
    places = np.full((h + 2 * ph, w + 2 * pw), -1)
    places[ph : ph + h, pw : pw + w] = np.arange(h * w).reshape(h, w)
    corners = (np.arange(ho) * sh)[:, None] * places.shape[1] + (np.arange(wo) * sw)[None]
    inside = np.arange(kh)[:, None] * places.shape[1] + np.arange(kw)[None]
    return places.ravel()[corners.reshape(-1, 1) + inside.reshape(1, -1)], (ho, wo)


def _seen(x, table):
    """(N, C, windows, places), with minus infinity for padding."""
    lines = x.reshape(*x.shape[:2], -1)
    lines = np.concatenate([lines, np.full((*x.shape[:2], 1), -np.inf, x.dtype)], axis=2)
    return lines[:, :, table]  # -1 is the last place: the infinity


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    (kh, kw), (ph, pw) = _pair(kernel_size), _pair(padding)
    h, w = x.shape[2:]
    if not (ph <= kh // 2 and pw <= kw // 2 and kh <= h + 2 * ph and kw <= w + 2 * pw):
        raise ValueError("no such windows")
    table, out = _table(h, w, kernel_size, stride, padding)
    return _seen(x, table).max(axis=3).reshape(*x.shape[:2], *out)


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    n, c, h, w = x.shape
    table, _ = _table(h, w, kernel_size, stride, padding)
    winner = table[np.arange(len(table)), _seen(x, table).argmax(axis=3)]  # (N, C, windows)
    winner = winner + h * w * np.arange(n * c).reshape(n, c, 1)
    dx = np.bincount(winner.ravel(), weights=dy.ravel(), minlength=x.size)
    return dx.reshape(x.shape).astype(np.result_type(dy, x))


def avg_pool_forward(x, kernel_size, *, stride=None):
    table, out = _table(*x.shape[2:], kernel_size, stride, 0)
    return np.average(_seen(x, table), axis=3).reshape(*x.shape[:2], *out).astype(x.dtype)


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    """The matrix of the (linear) forward pass, transposed."""
    n, c, h, w = x.shape
    dtype = np.result_type(dy, x)
    table, _ = _table(h, w, kernel_size, stride, 0)
    matrix = np.zeros((len(table), h * w), dtype)
    matrix[np.arange(len(table))[:, None], table] = 1 / table.shape[1]
    return (dy.reshape(n * c, -1) @ matrix).reshape(x.shape)


def min_pool_zero_fraction(x, kernel_size):
    table, _ = _table(*x.shape[2:], kernel_size, None, 0)
    relu = np.clip(x, 0, None)
    least = _seen(relu, table).min(axis=3)
    return np.mean(least == 0).item()


def flatten(x):
    return np.ascontiguousarray(x).ravel().reshape(x.shape[0], np.prod(x.shape[1:]))


def linear_forward(x, w, b):
    ones = np.ones((len(x), 1), x.dtype)
    return np.hstack([x, ones]) @ np.hstack([w, b[:, None]]).T


def linear_backward(dy, x, w):
    ones = np.ones((len(x), 1), x.dtype)
    both = np.tensordot(dy, np.hstack([x, ones]), axes=(0, 0))
    t = np.result_type(dy, x, w)
    return np.tensordot(dy, w, axes=1).astype(t), both[:, :-1].astype(t), both[:, -1].astype(t)


def shift_image(x, down, right):
    h, w = x.shape[-2:]
    if abs(down) >= h or abs(right) >= w:
        return np.zeros(x.shape, x.dtype)
    y = np.roll(x, (down, right), axis=(-2, -1))
    # what came back on the other side is wiped out
    y[..., : max(down, 0), :] = 0
    y[..., h + min(down, 0) :, :] = 0
    y[..., : max(right, 0)] = 0
    y[..., w + min(right, 0) :] = 0
    return y


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    steps = [int(s) // stride for s in shift]
    want = shift_image(layer(x), *steps)
    got = layer(shift_image(x, *shift))
    mask = np.zeros(want.shape[-2:], bool)
    mask[margin : mask.shape[0] - margin, margin : mask.shape[1] - margin] = True
    want, got = want[..., mask], got[..., mask]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.abs(got - want).max() / np.abs(want).max()
    return 0.0 if np.isnan(ratio) else float(ratio)


def invariance_rate(layer, x, shifts):
    n = x.shape[0]
    stack = np.array([layer(x)] + [layer(shift_image(x, d, r)) for d, r in shifts], dtype=np.float64)
    worst = np.abs(stack[1:] - stack[:1]).reshape(len(shifts), n, stack[0].size // n).max(axis=2)
    return (worst <= 1e-12).mean(axis=1)


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    side = size
    for _ in channels:
        side = side - kernel_size + 1
        side -= side % 2
        side //= 2
    area = kernel_size**2
    ins = [in_channels * area, channels[0] * area, channels[1] * side**2, *hidden]
    outs = [*channels, *hidden, classes]
    counts = [int(o * (i + 1)) for i, o in zip(ins, outs, strict=True)]
    return dict(zip(["conv1", "conv2", "fc1", "fc2", "fc3", "total"], [*counts, sum(counts)]))


def dense_parameter_count(in_shape, out_shape):
    one = int(np.prod(in_shape, dtype=np.int64)) + 1
    return one * int(np.prod(out_shape, dtype=np.int64))


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    c, _, _ = in_shape
    kh, kw = _pair(kernel_size)
    return sum(c * kh * kw + 1 for _ in range(out_shape[0] * out_shape[1] * out_shape[2]))


def _run(params, x):
    kept = {"x": x}
    a = x
    for i in "12":
        kept["in" + i] = a
        kept["z" + i] = z = provided.conv2d_forward(a, params[f"conv{i}.weight"], params[f"conv{i}.bias"])
        kept["r" + i] = r = z * (z > 0)
        a = max_pool_forward(r, 2)
    kept["shape"] = a.shape
    a = flatten(a)
    for i in "123":
        kept["fin" + i] = a
        kept["fz" + i] = a = linear_forward(a, params[f"fc{i}.weight"], params[f"fc{i}.bias"])
        if i != "3":
            a = a * (a > 0)
    return a, kept


def lenet5_forward(params, x):
    return _run(params, x)[0]


def lenet5_loss_and_gradients(params, x, target):
    z, kept = _run(params, x)
    n = z.shape[0]
    top = z.max(axis=1)
    log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
    flat = np.arange(n) * z.shape[1] + target
    loss = np.mean(log_sum - z.ravel()[flat])
    d = np.exp(z - log_sum[:, None]).ravel()
    d[flat] -= 1
    d = (d / n).reshape(z.shape)
    out = {}
    for i in "321":
        if i != "3":
            d = d * (kept["fz" + i] > 0)
        d, out[f"fc{i}.weight"], out[f"fc{i}.bias"] = linear_backward(d, kept["fin" + i], params[f"fc{i}.weight"])
    d = d.reshape(kept["shape"])
    for i in "21":
        d = max_pool_backward(d, kept["r" + i], 2)
        d = d * (kept["r" + i] > 0)
        d, out[f"conv{i}.weight"], out[f"conv{i}.bias"] = provided.conv2d_backward(
            d, kept["in" + i], params[f"conv{i}.weight"]
        )
    return loss.item(), out


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    """On one long vector a dtype, in effect: names are only views of it. (Simpler: name by name.)"""
    pairs = {}
    for name in sorted(params):
        v = np.add(np.multiply(velocity[name], float(momentum)), grads[name])
        pairs[name] = np.subtract(params[name], np.multiply(v, float(lr))), v
    return {name: pairs[name][0] for name in params}, {name: pairs[name][1] for name in params}


def train(params, x, y, batches, *, lr, momentum=0.9):
    def go(state, remaining, losses):
        while remaining:
            batch, *remaining = remaining
            loss, grads = lenet5_loss_and_gradients(state[0], np.take(x, batch, axis=0), np.take(y, batch))
            state = sgd_momentum_step(state[0], grads, state[1], lr=lr, momentum=momentum)
            losses = [*losses, loss]
        return state[0], np.array(losses, dtype=np.float64)

    start = {name: np.array(value) for name, value in params.items()}
    rest = {name: np.zeros_like(value) for name, value in params.items()}
    return go((start, rest), list(batches), [])
