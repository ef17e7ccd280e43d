"""Plain Python: every number is visited by a loop, in double precision, and stored in the dtype of the arguments."""

import itertools
import math

import numpy as np


def _dtype(*arrays):
    return np.result_type(*[a.dtype for a in arrays])


def _each(function, *arrays):
    result = np.empty(arrays[0].shape, _dtype(*arrays))
    for place in itertools.product(*[range(n) for n in arrays[0].shape]):
        result[place] = function(*[float(a[place]) for a in arrays])
    return result


def _sigma(t):
    if t >= 0:
        return 1 / (1 + math.exp(-t))
    e = math.exp(t)
    return e / (1 + e)


def sigmoid(x):
    return _each(_sigma, x)


def sigmoid_backward(dy, x):
    return _each(lambda d, t: d * _sigma(t) * _sigma(-t), dy, x)


def _tanh(t):
    e = math.exp(-2 * abs(t))
    return math.copysign((1 - e) / (1 + e), t)


def tanh(x):
    return _each(_tanh, x)


def tanh_backward(dy, x):
    def one(d, t):
        y = _tanh(t)
        return d * (1 - y) * (1 + y)

    return _each(one, dy, x)


def relu(x):
    return _each(lambda t: t if t > 0 else 0.0, x)


def relu_backward(dy, x):
    return _each(lambda d, t: d if t > 0 else 0.0, dy, x)


def leaky_relu(x, negative_slope=0.01):
    return _each(lambda t: t if t >= 0 else negative_slope * t, x)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return _each(lambda d, t: d if t > 0 else negative_slope * d, dy, x)


def saturation_point(derivative, fraction):
    threshold = fraction * derivative(0.0)
    if fraction >= 1:
        return 0.0
    if derivative(100.0) > threshold:
        return math.inf
    low, high = 0.0, 100.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        if derivative(middle) > threshold:
            low = middle
        else:
            high = middle
    return high


def sign_agreement(dy, x):
    samples, outs = dy.shape
    verdicts = []
    for j in range(outs):
        up = down = False
        for i in range(x.shape[1]):
            total = 0.0
            for n in range(samples):
                total += float(dy[n, j]) * float(x[n, i])
            up = up or total > 0
            down = down or total < 0
        verdicts.append(not (up and down))
    return np.array(verdicts, dtype=bool)


def zigzag_descent(x, y, w0, *, lr, steps):
    samples = len(x)
    a, b = float(w0[0]), float(w0[1])
    path = [[a, b]]
    length = 0.0
    for _ in range(steps):
        ga = gb = 0.0
        for n in range(samples):
            error = float(x[n, 0]) * a + float(x[n, 1]) * b - float(y[n])
            ga += error * float(x[n, 0])
            gb += error * float(x[n, 1])
        new_a, new_b = a - lr * (ga / samples), b - lr * (gb / samples)
        length += math.hypot(new_a - a, new_b - b)
        a, b = new_a, new_b
        path.append([a, b])
    straight = math.hypot(a - path[0][0], b - path[0][1])
    ratio = length / straight if straight > 0 else math.inf
    return np.array(path, dtype=_dtype(x, y, w0)), ratio


def _lines(shape, axis):
    """Index tuples, one for each line along the axis."""
    axis %= len(shape)
    ranges = [[slice(None)] if k == axis else range(n) for k, n in enumerate(shape)]
    return itertools.product(*ranges)


def _along(function, axis, *arrays):
    result = np.empty(arrays[0].shape, _dtype(*arrays))
    for line in _lines(arrays[0].shape, axis):
        result[line] = function(*[[float(v) for v in a[line]] for a in arrays])
    return result


def _probabilities(scores):
    top = max(scores)
    e = [math.exp(s - top) for s in scores]
    total = math.fsum(e)
    return [v / total for v in e]


def softmax(x, axis=-1):
    return _along(_probabilities, axis, x)


def softmax_backward(dy, y, axis=-1):
    def one(d, p):
        back = []
        for j in range(len(p)):
            terms = []
            for i in range(len(p)):
                terms.append(d[i] * (p[i] * (1 - p[i]) if i == j else -p[i] * p[j]))
            back.append(math.fsum(terms))
        return back

    return _along(one, axis, dy, y)


def _logs(scores):
    top = max(scores)
    log_total = math.log(math.fsum(math.exp(s - top) for s in scores))
    return [(s - top) - log_total for s in scores]


def log_softmax(x, axis=-1):
    return _along(_logs, axis, x)


def log_softmax_backward(dy, y, axis=-1):
    def one(d, logs):
        total = math.fsum(d)
        return [a - math.exp(b) * total for a, b in zip(d, logs)]

    return _along(one, axis, dy, y)


def cross_entropy(logits, target, *, ignore_index=-100):
    classes = logits.shape[1]
    losses = []
    for place in np.ndindex(target.shape):
        t = int(target[place])
        if t == ignore_index:
            continue
        if t < 0 or t >= classes:
            raise ValueError(f"{t} is no class")
        scores = [float(logits[(place[0], c, *place[1:])]) for c in range(classes)]
        losses.append(-_logs(scores)[t])
    return math.fsum(losses) / len(losses) if losses else 0.0


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    result = np.zeros(logits.shape, logits.dtype)
    kept = [p for p in np.ndindex(target.shape) if int(target[p]) != ignore_index]
    for place in kept:
        lines = [(place[0], c, *place[1:]) for c in range(logits.shape[1])]
        probabilities = _probabilities([float(logits[line]) for line in lines])
        for c, line in enumerate(lines):
            result[line] = (probabilities[c] - (1.0 if c == int(target[place]) else 0.0)) / len(kept)
    return result


def _moments(values):
    mean = math.fsum(values) / len(values)
    return mean, math.fsum((v - mean) ** 2 for v in values)


def _channel(array, c):
    """The values of a channel, as a list; sample by sample and row by row."""
    return [float(v) for v in array[:, c].flatten()]


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    dtype = _dtype(x, gamma, beta, running_mean, running_var)
    y = np.empty(x.shape, dtype)
    new_mean, new_var = np.array(running_mean, dtype), np.array(running_var, dtype)
    if training and x[:, :1].size == 1:
        raise ValueError("one value has no spread")
    for c in range(x.shape[1]):
        values = _channel(x, c)
        mean, var = float(running_mean[c]), float(running_var[c])
        if training:
            batch_mean, squares = _moments(values)
            new_mean[c] = (1 - momentum) * mean + momentum * batch_mean
            new_var[c] = (1 - momentum) * var + momentum * squares / (len(values) - 1)
            mean, var = batch_mean, squares / len(values)
        deviation = math.sqrt(var + eps)
        out = [float(gamma[c]) * (v - mean) / deviation + float(beta[c]) for v in values]
        y[:, c] = np.array(out).reshape(y[:, c].shape)
    return y, new_mean, new_var


def _norm_back(dys, xs, gammas, eps):
    """dx and the normalized values of one group that shares its mean."""
    m = len(xs)
    mean, squares = _moments(xs)
    deviation = math.sqrt(squares / m + eps)
    hats = [(v - mean) / deviation for v in xs]
    g = [a * b for a, b in zip(dys, gammas)]
    average = math.fsum(g) / m
    share = math.fsum(a * b for a, b in zip(g, hats)) / m
    return [(a - average - h * share) / deviation for a, h in zip(g, hats)], hats


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    dtype = _dtype(dy, x, gamma)
    dx, dgamma, dbeta = np.empty(x.shape, dtype), np.empty(gamma.shape, dtype), np.empty(gamma.shape, dtype)
    for c in range(x.shape[1]):
        dys = _channel(dy, c)
        back, hats = _norm_back(dys, _channel(x, c), [float(gamma[c])] * len(dys), eps)
        dx[:, c] = np.array(back).reshape(dx[:, c].shape)
        dgamma[c] = math.fsum(a * b for a, b in zip(dys, hats))
        dbeta[c] = math.fsum(dys)
    return dx, dgamma, dbeta


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    y = np.empty(x.shape, _dtype(x, gamma, beta))
    for place in np.ndindex(x.shape[: x.ndim - gamma.ndim]):
        values = [float(v) for v in x[place].flatten()]
        mean, squares = _moments(values)
        deviation = math.sqrt(squares / len(values) + eps)
        out = [float(g) * (v - mean) / deviation + float(b) for v, g, b in zip(values, gamma.flatten(), beta.flatten())]
        y[place] = np.array(out).reshape(gamma.shape)
    return y


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    dtype = _dtype(dy, x, gamma)
    dx, dgamma, dbeta = np.empty(x.shape, dtype), np.zeros(gamma.shape, dtype), np.zeros(gamma.shape, dtype)
    for place in np.ndindex(x.shape[: x.ndim - gamma.ndim]):
        dys = [float(v) for v in dy[place].flatten()]
        back, hats = _norm_back(dys, [float(v) for v in x[place].flatten()], [float(v) for v in gamma.flatten()], eps)
        dx[place] = np.array(back).reshape(gamma.shape)
        dgamma += np.array([a * b for a, b in zip(dys, hats)]).reshape(gamma.shape).astype(dtype)
        dbeta += dy[place]
    return dx, dgamma, dbeta


def _normalize_rows(z):
    rows = []
    for row in z:
        mean, squares = _moments([float(v) for v in row])
        rows.append([(float(v) - mean) / math.sqrt(squares / len(row) + 1e-5) for v in row])
    return np.array(rows)


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    function = {"sigmoid": _sigma, "tanh": _tanh, "relu": lambda t: max(t, 0.0)}[activation]
    slope = {
        "sigmoid": lambda t: 4 * _sigma(t) * _sigma(-t),
        "tanh": lambda t: 1 - _tanh(t) ** 2,
        "relu": lambda t: 1.0 if t > 0 else 0.0,
    }[activation]

    def normalize(z):
        if norm == "batch":
            return _normalize_rows(z.T).T
        return _normalize_rows(z) if norm == "layer" else z

    found = {"mean": [], "std": [], "positive": [], "saturated": []}
    h = np.array(x, dtype=np.float64)
    for w in weights:
        z = h @ w.T
        if not norm_after:
            z = normalize(z)
        h = np.array([[function(float(t)) for t in row] for row in z])
        if norm_after:
            h = normalize(h)
        values = h.flatten().tolist()
        mean, squares = _moments(values)
        found["mean"].append(mean)
        found["std"].append(math.sqrt(squares / len(values)))
        found["positive"].append(sum(v > 0 for v in values) / len(values))
        found["saturated"].append(sum(slope(t) <= 0.1 for t in z.flatten().tolist()) / len(values))
    return {key: np.array(numbers) for key, numbers in found.items()}


def xavier_uniform(out, in_, *, rng):
    bound = math.sqrt(6 / (in_ + out))
    weights = np.empty((out, in_))
    for j in range(out):
        for i in range(in_):
            weights[j, i] = rng.uniform(-bound, bound)
    return weights


def he_normal(out, in_, *, rng):
    weights = np.empty((out, in_))
    for j in range(out):
        for i in range(in_):
            weights[j, i] = rng.normal(0.0, math.sqrt(2 / in_))
    return weights
