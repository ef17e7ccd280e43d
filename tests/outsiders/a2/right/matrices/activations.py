"""Linear algebra throughout: einsum, Jacobians as matrices, projections."""

import numpy as np


def sigmoid(x):
    return np.reciprocal(np.exp(-x) + 1)


def sigmoid_backward(dy, x):
    y = sigmoid(x)
    return np.einsum("...,...->...", dy, y - y * y)


def tanh(x):
    e = np.exp(np.multiply(x, -2))
    return np.where(np.isinf(e), -1, np.divide(1 - e, 1 + e)).astype(x.dtype)


def tanh_backward(dy, x):
    y = tanh(x)
    return np.einsum("...,...->...", dy, 1 - y * y)


def relu(x):
    return (x + np.abs(x)) / 2


def relu_backward(dy, x):
    return dy * ((1 + np.sign(x)) / 2)  # a half at the kink


def leaky_relu(x, negative_slope=0.01):
    return (1 + negative_slope) / 2 * x + (1 - negative_slope) / 2 * np.abs(x)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return np.select([x > 0, x < 0], [dy, negative_slope * dy], (1 + negative_slope) / 2 * dy)


def saturation_point(derivative, fraction):
    """Illinois: false position, with bisection as a safeguard."""
    threshold = fraction * derivative(0.0)
    excess = lambda x: derivative(x) - threshold
    low, high, f_low, f_high = 0.0, 100.0, excess(0.0), excess(100.0)
    if f_low <= 0:
        return 0.0
    if f_high > 0:
        return np.inf
    while high - low > 1e-8:
        guess = high - f_high * (high - low) / (f_high - f_low)
        for x in (guess - 4e-9, guess + 4e-9, (low + high) / 2):
            if low < x < high:
                f = excess(x)
                if f > 0:
                    low, f_low = x, f
                else:
                    high, f_high = x, f
    return float(high)


def sign_agreement(dy, x):
    gradient = np.einsum("no,ni->oi", dy, x)
    return np.abs(np.sign(gradient).sum(1)) == np.count_nonzero(gradient, axis=1)


def zigzag_descent(x, y, w0, *, lr, steps):
    """One step is an affine map: a 3 by 3 matrix for (w, 1)."""
    n = len(y)
    step = np.eye(3, dtype=np.result_type(x, y, w0))
    step[:2, :2] -= lr * np.einsum("ni,nj->ij", x, x) / n
    step[:2, 2] += lr * np.einsum("ni,n->i", x, y) / n
    points = [np.append(w0, 1).astype(step.dtype)]
    for _ in range(steps):
        points.append(step @ points[-1])
    path = np.array(points)[:, :2]
    moves = np.diff(path, axis=0)
    way = np.sqrt(np.einsum("si,si->s", moves, moves)).sum()
    crow = np.linalg.norm(path[-1] - path[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = float(way / crow)
    return path, ratio if ratio == ratio else np.inf


def softmax(x, axis=-1):
    rows = np.swapaxes(x, axis, -1)
    e = np.exp(rows - np.amax(rows, -1, keepdims=True))
    return np.swapaxes(np.einsum("...c,...->...c", e, 1 / np.einsum("...c->...", e)), axis, -1)


def softmax_backward(dy, y, axis=-1):
    dy, y = np.swapaxes(dy, axis, -1), np.swapaxes(y, axis, -1)
    eye = np.eye(y.shape[-1], dtype=y.dtype)
    jacobian = np.einsum("...i,ij->...ij", y, eye) - np.einsum("...i,...j->...ij", y, y)
    return np.swapaxes(np.einsum("...i,...ij->...j", dy, jacobian), axis, -1)


def log_softmax(x, axis=-1):
    rows = np.swapaxes(x, axis, -1)
    rows = rows - np.amax(rows, -1, keepdims=True)
    return np.swapaxes(rows - np.log(np.exp(rows) @ np.ones((rows.shape[-1], 1), rows.dtype)), axis, -1)


def log_softmax_backward(dy, y, axis=-1):
    dy, y = np.swapaxes(dy, axis, -1), np.swapaxes(y, axis, -1)
    jacobian = np.eye(y.shape[-1], dtype=y.dtype) - np.exp(y)[..., None, :]
    return np.swapaxes(np.einsum("...i,...ij->...j", dy, jacobian), axis, -1)


def _one_hot(target, classes, keep, dtype):
    hot = np.eye(classes, dtype=dtype)[np.where(keep, target, 0)] * keep[..., None]
    return np.moveaxis(hot, -1, 1).astype(dtype)


def cross_entropy(logits, target, *, ignore_index=-100):
    classes, keep = logits.shape[1], target != ignore_index
    if not np.isin(target[keep], np.arange(classes)).all():
        raise ValueError("targets must be classes")
    if not keep.any():
        return 0.0
    hot = _one_hot(target, classes, keep, logits.dtype)
    return float(-np.vdot(hot, log_softmax(logits, 1)) / np.sum(keep))


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    keep = np.not_equal(target, ignore_index)
    weight = keep.astype(logits.dtype) / max(int(np.count_nonzero(keep)), 1)
    difference = softmax(logits, 1) - _one_hot(target, logits.shape[1], keep, logits.dtype)
    return np.einsum("nc...,n...->nc...", difference, weight)


def _flat(x):
    """(N, C, ...) as (N, P, C)."""
    return np.einsum("ncp->npc", x.reshape(*x.shape[:2], -1))


def _unflat(flat, shape):
    return np.einsum("npc->ncp", flat).reshape(shape)


def _standard(flat, eps, labels):
    """Normalized values and deviations; labels say what belongs together: "npc->c", for example."""
    kept = labels.split("->")[1]
    m = flat.size // max(1, np.einsum(labels, flat).size)
    back = f"{kept},{labels.split('->')[0]}->{labels.split('->')[0]}"
    spread = lambda s: np.einsum(back, s, np.ones_like(flat))
    mean = np.einsum(labels, flat) / m
    first = flat - spread(mean)
    deviations = first - spread(np.einsum(labels, first) / m)  # once more, for what rounding has left
    var = np.einsum(labels, deviations * deviations) / m
    return deviations / spread(np.sqrt(var + eps)), mean, var, spread(np.sqrt(var + eps)), m, spread


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    flat = _flat(x)
    if training:
        if flat.shape[0] * flat.shape[1] == 1:
            raise ValueError("m is 1")
        hat, mean, var, _, m, _ = _standard(flat, eps, "npc->c")
        mix = np.array([1 - momentum, momentum, momentum * m / (m - 1)], dtype=x.dtype)
        running_mean = np.einsum("k,kc->c", mix[:2], np.stack([running_mean, mean]))
        running_var = np.einsum("k,kc->c", mix[::2], np.stack([running_var, var]))
    else:
        hat = (flat - running_mean) / np.sqrt(running_var + eps)
        running_mean, running_var = running_mean + 0, running_var + 0
    return _unflat(np.einsum("npc,c->npc", hat, gamma) + beta, x.shape), running_mean, running_var


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    hat, _, _, deviation, m, spread = _standard(_flat(x), eps, "npc->c")
    d = _flat(dy)
    dbeta, dgamma = np.einsum("npc->c", d), np.einsum("npc,npc->c", d, hat)
    dx = (m * d - spread(dbeta) - hat * spread(dgamma)) * spread(gamma) / (m * deviation)
    return _unflat(dx, x.shape), dgamma, dbeta


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    hat = _standard(x.reshape(-1, gamma.size), eps, "sd->s")[0]
    return (np.einsum("sd,d->sd", hat, gamma.ravel()) + beta.ravel()).reshape(x.shape)


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    hat, _, _, deviation, m, _ = _standard(x.reshape(-1, gamma.size), eps, "sd->s")
    d = dy.reshape(-1, gamma.size)
    g = d * gamma.ravel()
    basis = np.stack([np.ones_like(hat), hat], axis=1)  # (S, 2, D): the two directions that g loses
    coordinates = np.einsum("skd,sd->sk", basis, g) / m
    dx = (g - np.einsum("sk,skd->sd", coordinates, basis)) / deviation
    return (
        dx.reshape(x.shape),
        np.einsum("sd,sd->d", d, hat).reshape(gamma.shape),
        np.einsum("sd->d", d).reshape(gamma.shape),
    )


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    labels = {"batch": "nd->d", "layer": "nd->n"}
    normalize = (lambda a: _standard(a, 1e-5, labels[norm])[0]) if norm else (lambda a: a)
    if activation == "sigmoid":
        act, flat_part = sigmoid, lambda z: np.abs(z) >= np.log((1 + np.sqrt(0.9)) / (1 - np.sqrt(0.9)))
    elif activation == "tanh":
        act, flat_part = np.tanh, lambda z: np.abs(z) >= np.arctanh(np.sqrt(0.9))
    else:
        act, flat_part = relu, lambda z: z <= 0
    table = []
    for w in weights:
        z = np.einsum("ni,oi->no", x, w)
        if not norm_after:
            z = normalize(z)
        x = act(z)
        if norm_after:
            x = normalize(x)
        table.append([np.mean(x), np.std(x), np.mean(x > 0), np.mean(flat_part(z))])
    mean, std, positive, saturated = np.transpose(table)
    return {"saturated": saturated, "positive": positive, "std": std, "mean": mean}


def xavier_uniform(out, in_, *, rng):
    a = np.sqrt(12 * 2 / (in_ + out))  # width of the interval
    return (rng.random((out, in_)) - 0.5) * a


def he_normal(out, in_, *, rng):
    return rng.standard_normal(out * in_).reshape(out, in_) * np.sqrt(2 / in_)
