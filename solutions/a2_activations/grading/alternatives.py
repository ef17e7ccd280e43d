"""Correct but unusual solutions of assignment 2, each with the over-strict rule that would reject it."""

from __future__ import annotations

from autograder.course import Alternative

ALTERNATIVES = (
    Alternative(
        "a power of the sum of two exponentials",
        "sigmoid",
        # would be rejected by: logaddexp must not be called
        """
def sigmoid(x):
    return np.exp(-np.logaddexp(0, -x))
""",
    ),
    Alternative(
        "the two halves apart",
        "sigmoid",
        # would be rejected by: both halves must be computed by one expression
        """
def sigmoid(x):
    y = np.empty(x.shape, x.dtype)
    left = x < 0
    e = np.exp(x[left])
    y[left] = e / (e + 1)
    y[~left] = np.reciprocal(1 + np.exp(-x[~left]))
    return y
""",
    ),
    Alternative(
        "slope from both sides",
        "sigmoid_backward",
        # would be rejected by: the slope must be made from the output
        """
def sigmoid_backward(dy, x):
    return dy * sigmoid(x) * sigmoid(-x)
""",
    ),
    Alternative(
        "expm1, and the sign put back",
        "tanh",
        # would be rejected by: the result must agree to the last bit
        """
def tanh(x):
    fall = np.expm1(-2 * np.abs(x))
    return np.copysign(-fall / (fall + 2), x)
""",
    ),
    Alternative(
        "one over the hyperbolic cosine, squared",
        "tanh_backward",
        # would be rejected by: the slope must be made from the output of tanh
        """
def tanh_backward(dy, x):
    e = np.exp(-np.abs(x))
    return dy * (2 * e / (1 + e * e)) ** 2
""",
    ),
    Alternative(
        "mean of the number and its absolute value",
        "relu",
        # would be rejected by: maximum must be called
        """
def relu(x):
    return (x + np.abs(x)) / 2
""",
    ),
    Alternative(
        "everything at the kink",
        "relu_backward",
        # would be rejected by: the gradient at zero must be zero
        """
def relu_backward(dy, x):
    dx = dy.copy()
    dx[x < 0] = 0
    return dx
""",
    ),
    Alternative(
        "the larger of two lines",
        "leaky_relu",
        # would be rejected by: the two sides must be told apart by a comparison with zero
        """
def leaky_relu(x, negative_slope=0.01):
    return np.maximum(x, negative_slope * x)
""",
    ),
    Alternative(
        "the mean slope at the kink",
        "leaky_relu_backward",
        # would be rejected by: the gradient at zero must be that of one side
        """
def leaky_relu_backward(dy, x, negative_slope=0.01):
    slope = (1 + negative_slope) / 2 + (1 - negative_slope) / 2 * np.sign(x)
    return slope * dy
""",
    ),
    Alternative(
        "digit by digit",
        "saturation_point",
        # would be rejected by: the interval must be halved
        """
def saturation_point(derivative, fraction):
    import math

    x, top = 0.0, derivative(0.0)
    if fraction >= 1:
        return 0
    for digits in range(-1, 9):
        step = 10.0**-digits
        while derivative(x + step) > fraction * top:
            x += step
            if x > 100:
                return math.inf
    return np.float64(x)
""",
    ),
    Alternative(
        "a bracket that doubles, then thirds",
        "saturation_point",
        # would be rejected by: the slope must not be asked beyond 100
        """
def saturation_point(derivative, fraction):
    def excess(x: float) -> float:
        return derivative(x) - fraction * derivative(0.0)

    if excess(0.0) <= 0:
        return 0.0
    near, far = 0.0, 1.0
    while excess(far) > 0:
        near, far = far, 2 * far
        if near >= 100:
            return float("inf")
    for _ in range(60):
        third = (far - near) / 3
        if excess(near + third) <= 0:
            far = near + third
        elif excess(far - third) <= 0:
            near, far = near + third, far - third
        else:
            near = far - third
    return (near + far) / 2 if far <= 100 else float("inf")
""",
    ),
    Alternative(
        "a set of signs for each neuron",
        "sign_agreement",
        # would be rejected by: the truth values must be NumPy's
        """
def sign_agreement(dy, x):
    def signs(column: np.ndarray) -> set[float]:
        return set(np.sign(sum(d * row for d, row in zip(column, x)))) - {0.0}

    return [len(signs(dy[:, j])) < 2 for j in range(dy.shape[1])]
""",
    ),
    Alternative(
        "a fixed matrix, and a list of lists",
        "zigzag_descent",
        # would be rejected by: every step must compute the residuals
        """
def zigzag_descent(x, y, w0, *, lr, steps):
    import math

    curvature, pull = np.einsum("ni,nj->ij", x, x) / len(x), np.einsum("ni,n->i", x, y) / len(x)
    step = np.eye(2) - lr * curvature
    path = [w0.tolist()]
    while len(path) <= steps:
        path.append((step @ path[-1] + lr * pull).tolist())
    straight = math.dist(path[0], path[-1])
    walked = math.fsum(map(math.dist, path, path[1:]))
    return path, walked / straight if straight > 0 else math.inf
""",
    ),
    Alternative(
        "one row after the other",
        "softmax",
        # would be rejected by: no Python loop over rows
        """
def softmax(x, axis=-1):
    y = np.array(x, order="F")
    rows = np.moveaxis(y, axis, -1)
    for place in np.ndindex(rows.shape[:-1]):
        weights = [np.exp(score - max(rows[place])) for score in rows[place]]
        rows[place] = np.divide(weights, sum(weights))
    return y
""",
    ),
    Alternative(
        "the whole Jacobian",
        "softmax_backward",
        # would be rejected by: the Jacobian must not be formed
        """
def softmax_backward(dy, y, axis=-1):
    p, d = np.moveaxis(y, axis, -1), np.moveaxis(dy, axis, -1)
    jacobian = np.einsum("...i,ij->...ij", p, np.eye(p.shape[-1], dtype=p.dtype)) - p[..., :, None] * p[..., None, :]
    return np.moveaxis(np.einsum("...ij,...j->...i", jacobian, d), -1, axis)
""",
    ),
    Alternative(
        "logarithms added by NumPy",
        "log_softmax",
        # would be rejected by: the maximum must be subtracted
        """
def log_softmax(x, axis=-1):
    return x - np.logaddexp.reduce(x, axis=axis, keepdims=True)
""",
    ),
    Alternative(
        "through the probabilities",
        "log_softmax_backward",
        # would be rejected by: the gradient must be computed in one step
        """
def log_softmax_backward(dy, y, axis=-1):
    p = np.exp(y)
    return softmax_backward(dy / p, p, axis)
""",
    ),
    Alternative(
        "one target after the other",
        "cross_entropy",
        # would be rejected by: no Python loop over targets
        """
def cross_entropy(logits, target, *, ignore_index=-100):
    losses = []
    for n, *place in np.ndindex(target.shape):
        right = target[(n, *place)]
        if right == ignore_index:
            continue
        if right not in range(logits.shape[1]):
            raise ValueError(f"no class {right}")
        scores = logits[(n, slice(None), *place)]
        losses.append(np.logaddexp.reduce(scores) - scores[right])
    return np.mean(losses) if losses else 0
""",
    ),
    Alternative(
        "classes moved to the end, and the loss as one product",
        "cross_entropy",
        # would be rejected by: errors must be found before anything is computed
        """
def cross_entropy(logits, target, *, ignore_index=-100):
    classes = logits.shape[1]
    log_p = np.moveaxis(log_softmax(logits, 1), 1, -1).reshape(-1, classes)
    flat = target.reshape(-1)
    log_p, flat = log_p[flat != ignore_index], flat[flat != ignore_index]
    one_hot = np.arange(classes) == flat[:, None]
    if not one_hot.any(axis=1).all():
        raise ValueError("a target is no class")
    return -float(np.einsum("nc,nc->", one_hot, log_p)) / max(len(flat), 1)
""",
    ),
    Alternative(
        "one subtracted at the right classes",
        "cross_entropy_backward",
        # would be rejected by: the targets must be turned into one-hot vectors
        """
def cross_entropy_backward(logits, target, *, ignore_index=-100):
    gradient = softmax(np.moveaxis(logits, 1, -1))
    flat, right = gradient.reshape(-1, logits.shape[1]), target.ravel()
    kept = np.flatnonzero(right != ignore_index)
    flat[kept, right[kept]] -= 1
    flat[np.setdiff1d(np.arange(len(flat)), kept)] = 0
    flat /= len(kept) or 1
    return np.moveaxis(flat.reshape(gradient.shape), -1, 1)
""",
    ),
    Alternative(
        "one channel after the other, in double precision",
        "batch_norm_forward",
        # would be rejected by: no Python loop over channels
        """
def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    y, mean, var = np.zeros_like(x), running_mean + 0, running_var + 0
    if training and x[:, 0].size < 2:
        raise ValueError("m is 1")
    for c in range(x.shape[1]):
        values = x[:, c].astype(np.float64)
        m, v = float(mean[c]), float(var[c])
        if training:
            m, v = values.mean(), values.var(ddof=1)
            mean[c] += momentum * (m - mean[c])
            var[c] += momentum * (v - var[c])
            v *= (values.size - 1) / values.size
        y[:, c] = (values - m) * (gamma[c] / (v + eps) ** 0.5) + beta[c]
    return [y, mean, var]
""",
    ),
    Alternative(
        "vectors as images of one pixel",
        "batch_norm_forward",
        # would be rejected by: moveaxis must be called
        """
def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    if x.ndim == 2:
        y, mean, var = batch_norm_forward(
            x[:, :, None, None], gamma, beta, running_mean, running_var, training=training, momentum=momentum, eps=eps
        )
        return y[:, :, 0, 0], mean, var
    m = x.shape[0] * x.shape[2] * x.shape[3]
    mean, var = running_mean.copy(), running_var.copy()
    if training:
        if m == 1:
            raise ValueError
        mean = np.einsum("nchw->c", x) / m
        centred = x - mean[:, None, None]
        var = np.einsum("nchw,nchw->c", centred, centred) / m
    scale = gamma / np.sqrt(var + eps)
    y = np.einsum("nchw,c->nchw", x - mean[:, None, None], scale) + beta.reshape(1, -1, 1, 1)
    if training:
        mean = momentum * mean + (1 - momentum) * running_mean
        var = momentum * var * m / (m - 1) + (1 - momentum) * running_var
    return y, mean, var
""",
    ),
    Alternative(
        "back through every step of the forward pass",
        "batch_norm_backward",
        # would be rejected by: the gradient must be one closed formula
        """
def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    around = (0, *range(2, x.ndim))
    kept = tuple(-1 if axis == 1 else 1 for axis in range(x.ndim))
    m = x[:, 0].size
    centred = x - x.mean(around, keepdims=True)
    root = ((centred * centred).sum(around, keepdims=True) / m + eps) ** 0.5
    dnormalized = dy * gamma.reshape(kept)
    droot = -(dnormalized * centred).sum(around, keepdims=True) / (root * root)
    dvar = droot / (2 * root)
    dcentred = dnormalized / root + 2 * centred * dvar / m
    dx = dcentred - dcentred.sum(around, keepdims=True) / m
    return dx, (dy * centred / root).sum(around), np.add.reduce(dy, around)
""",
    ),
    Alternative(
        "the matrix of a centring projection",
        "batch_norm_backward",
        # would be rejected by: memory must not grow with the square of the batch
        """
def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    shape = x.swapaxes(0, 1).shape
    X, D = (np.ascontiguousarray(a.swapaxes(0, 1)).reshape(shape[0], -1) for a in (x, dy))
    m = X.shape[1]
    centring = np.eye(m, dtype=x.dtype) - np.ones((m, m), x.dtype) / m
    dX, dgamma = np.zeros_like(X), []
    for c, (row, d) in enumerate(zip(X - X.mean(axis=1, keepdims=True), D)):
        deviation = np.sqrt(row @ row / m + eps)
        u = row / deviation
        dgamma.append(u @ d)
        dX[c] = gamma[c] / deviation * ((centring - np.outer(u, u) / m) @ d)
    return dX.reshape(shape).swapaxes(0, 1), dgamma, D.sum(axis=1)
""",
    ),
    Alternative(
        "batch normalization of the transposed batch",
        "layer_norm_forward",
        # would be rejected by: an exercise must not call another one
        """
def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    rows = x.reshape(-1, gamma.size)
    one, zero = np.ones(len(rows), x.dtype), np.zeros(len(rows), x.dtype)
    if gamma.size == 1:
        return x - x + beta
    y, _, _ = batch_norm_forward(rows.T, one, zero, zero, one, training=True, eps=eps)
    return y.T.reshape(x.shape) * gamma + beta
""",
    ),
    Alternative(
        "samples in a list",
        "layer_norm_forward",
        # would be rejected by: the result must be one array
        """
def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    if x.ndim > gamma.ndim:
        return [layer_norm_forward(sample, gamma, beta, eps=eps) for sample in x]
    centred = x - x.sum() / x.size
    return centred * (np.vdot(centred, centred) / x.size + eps) ** -0.5 * gamma + beta
""",
    ),
    Alternative(
        "a Jacobian for every sample",
        "layer_norm_backward",
        # would be rejected by: the Jacobian must not be formed
        """
def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    d = gamma.size
    rows, drows = x.reshape(-1, d), dy.reshape(-1, d)
    dx, dgamma, dbeta = np.zeros(rows.shape, x.dtype), np.zeros(d, x.dtype), np.zeros(d, x.dtype)
    for n in range(len(rows)):
        centred = rows[n] - rows[n].mean()
        deviation = (np.mean(centred**2) + eps) ** 0.5
        u = centred / deviation
        jacobian = (np.eye(d) - 1 / d - np.outer(u, u) / d) / deviation
        dx[n] = jacobian.T @ (gamma.ravel() * drows[n])
        dgamma += u * drows[n]
        dbeta += drows[n]
    return tuple(a.reshape(b.shape) for a, b in zip((dx, dgamma, dbeta), (x, gamma, gamma)))
""",
    ),
    Alternative(
        "layer after layer by recursion, saturation by the input",
        "layer_statistics",
        # would be rejected by: saturation must be computed from slopes
        """
def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    edge = {"sigmoid": 2 * np.arccosh(10**0.5), "tanh": np.arccosh(10**0.5), "relu": 0}[activation]

    def normalized(a: np.ndarray, here: bool) -> np.ndarray:
        if not (norm and here):
            return a
        if norm == "batch":
            return np.stack([(column - column.mean()) / (column.var() + 1e-5) ** 0.5 for column in a.T], axis=-1)
        return layer_norm_forward(a, np.ones(a.shape[1]), np.zeros(a.shape[1]), eps=1e-5)

    first, *others = weights
    z = normalized(np.einsum("ni,oi->no", x, first), not norm_after)
    h = normalized({"sigmoid": sigmoid, "tanh": tanh, "relu": relu}[activation](z), norm_after)
    out = (np.abs(z) >= edge) if activation != "relu" else z <= 0
    here = {"saturated": np.mean(out), "positive": np.count_nonzero(h > 0) / h.size, "std": h.std(), "mean": h.mean()}
    if not others:
        return {name: [value] for name, value in here.items()}
    rest = layer_statistics(h, others, activation, norm=norm, norm_after=norm_after)
    return {name: [value, *rest[name]] for name, value in here.items()}
""",
    ),
    Alternative(
        "a transposed draw between zero and one",
        "xavier_uniform",
        # would be rejected by: the numbers must be those of rng.uniform
        """
def xavier_uniform(out, in_, *, rng):
    return (2 * rng.random((in_, out)).T - 1) * (6 / (out + in_)) ** 0.5
""",
    ),
    Alternative(
        "a neuron at a time",
        "he_normal",
        # would be rejected by: one call of the generator must draw all weights
        """
def he_normal(out, in_, *, rng):
    neurons = [rng.normal(0.0, 1.0, in_).tolist() for _ in range(out)]
    return [[weight * (2 / in_) ** 0.5 for weight in neuron] for neuron in neurons]
""",
    ),
    Alternative(
        "from pairs of uniform numbers",
        "he_normal",
        # would be rejected by: rng.normal must be called
        """
def he_normal(out, in_, *, rng):
    u, v = 1 - rng.random((out, in_)), rng.random((out, in_))
    return np.sqrt(2 / in_) * np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)
""",
    ),
    Alternative(
        "context set up apart, and the input saved",
        "SigmoidFunction",
        # would be rejected by: forward must take the context
        """
class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.exp(-torch.logaddexp(torch.zeros_like(x), -x))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        e = torch.exp(-torch.abs(x))
        return dy * e / (1 + e) ** 2
""",
    ),
    Alternative(
        "buffers assigned anew, channels in front",
        "BatchNorm2d",
        # would be rejected by: buffers must be updated in place
        """
class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.settings = (eps, momentum)
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.weight = nn.Parameter(self.bias.detach() + 1)
        for name, value in (("running_var", 1.0), ("running_mean", 0.0)):
            self.register_buffer(name, torch.full((num_features,), value))
        self.register_buffer("num_batches_tracked", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        eps, momentum = self.settings
        rows = x.transpose(0, 1).flatten(1)
        mean, var = self.running_mean, self.running_var
        if self.training:
            unbiased, mean = torch.var_mean(rows, dim=1)
            var = unbiased * (1 - 1 / rows.shape[1])
            self.num_batches_tracked = self.num_batches_tracked + 1
            self.running_mean = torch.lerp(self.running_mean, mean.detach(), momentum)
            self.running_var = self.running_var * (1 - momentum) + momentum * unbiased.detach()
        y = torch.addcmul(self.bias, (rows.T - mean) * torch.rsqrt(var + eps), self.weight)
        return y.T.reshape(x.transpose(0, 1).shape).transpose(0, 1)
""",
    ),
    Alternative(
        "samples flattened, by einsum",
        "LayerNorm",
        # would be rejected by: the statistics must be taken over several axes at once
        """
class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.register_parameter("bias", nn.Parameter(torch.zeros(*shape)))
        self.register_parameter("weight", nn.Parameter(torch.ones(*shape)))
        self.eps = eps

    def forward(self, x):
        rows = x.reshape(-1, self.weight.numel())
        centred = rows - torch.einsum("nd->n", rows)[:, None] / rows.shape[1]
        power = torch.einsum("nd,nd->n", centred, centred) / rows.shape[1]
        normalized = centred / torch.sqrt(power + self.eps)[:, None]
        return self.weight * normalized.reshape(x.shape) + self.bias
""",
    ),
)
