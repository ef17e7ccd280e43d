"""Correct but unusual solutions of assignment 3, each with the over-strict rule that would reject it."""

from __future__ import annotations

from autograder.course import Alternative

ALTERNATIVES = (
    Alternative(
        "loops over every window",
        "max_pool_forward",
        # would be rejected by: no Python loop over pixels
        """
def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    sh, sw = (kh, kw) if stride is None else stride if isinstance(stride, tuple) else (stride, stride)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    N, C, H, W = x.shape
    if 2 * ph > kh or 2 * pw > kw or H + 2 * ph < kh or W + 2 * pw < kw:
        raise ValueError("no such windows")
    y = np.empty((N, C, (H + 2 * ph - kh) // sh + 1, (W + 2 * pw - kw) // sw + 1), x.dtype)
    for i in range(y.shape[2]):
        for j in range(y.shape[3]):
            top, left = i * sh - ph, j * sw - pw
            y[:, :, i, j] = x[:, :, max(top, 0) : top + kh, max(left, 0) : left + kw].max(axis=(2, 3))
    return y
""",
    ),
    Alternative(
        "rows first, then columns",
        "max_pool_forward",
        # would be rejected by: windows must be two-dimensional
        """
def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    def along(x, axis):
        k, s, p = (v[axis] if isinstance(v, tuple) else v for v in (kernel_size, stride, padding))
        s = k if s is None else s
        if 2 * p > k:
            raise ValueError("too much padding")
        x = np.moveaxis(x, axis + 2, 0)
        n = len(x)
        outputs = (n + 2 * p - k) // s + 1
        if outputs < 1:
            raise ValueError("the window does not fit")
        best = [x[max(i * s - p, 0) : i * s - p + k].max(axis=0) for i in range(outputs)]
        return np.moveaxis(np.stack(best), 0, axis + 2)

    return along(along(x, 0), 1)
""",
    ),
    Alternative(
        "the last of several maxima wins",
        "max_pool_backward",
        # would be rejected by: ties go to the first maximum
        """
def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    sh, sw = (kh, kw) if stride is None else stride if isinstance(stride, tuple) else (stride, stride)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    dx = np.zeros(x.shape, dtype=dy.dtype)
    for n, c, i, j in np.ndindex(*dy.shape):
        best, where = -np.inf, None
        for u in range(kh):
            for v in range(kw):
                r, s = i * sh + u - ph, j * sw + v - pw
                if 0 <= r < x.shape[2] and 0 <= s < x.shape[3] and x[n, c, r, s] >= best:
                    best, where = x[n, c, r, s], (n, c, r, s)
        dx[where] += dy[n, c, i, j]
    return dx
""",
    ),
    Alternative(
        "tied pixels share",
        "max_pool_backward",
        # would be rejected by: the gradient of a window goes to one pixel
        """
def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kh, kw = np.broadcast_to(kernel_size, 2)
    sh, sw = np.broadcast_to(kernel_size if stride is None else stride, 2)
    ph, pw = np.broadcast_to(padding, 2)
    rows, columns = dy.shape[2:]
    xp = np.full((*x.shape[:2], x.shape[2] + 2 * ph, x.shape[3] + 2 * pw), -np.inf)
    xp[:, :, ph : ph + x.shape[2], pw : pw + x.shape[3]] = x
    places = [np.s_[:, :, u : u + sh * rows : sh, v : v + sw * columns : sw] for u in range(kh) for v in range(kw)]
    y = np.maximum.reduce([xp[place] for place in places])
    ties = sum((xp[place] == y).astype(x.dtype) for place in places)
    dxp = np.zeros_like(xp)
    for place in places:
        dxp[place] += dy / ties * (xp[place] == y)
    return dxp[:, :, ph : ph + x.shape[2], pw : pw + x.shape[3]].astype(x.dtype)
""",
    ),
    Alternative(
        "padded with the smallest number",
        "max_pool_backward",
        # would be rejected by: the padding is minus infinity
        """
def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kh, kw = np.broadcast_to(kernel_size, 2)
    sh, sw = np.broadcast_to(kernel_size if stride is None else stride, 2)
    ph, pw = np.broadcast_to(padding, 2)
    xp = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=np.finfo(x.dtype).min)
    dxp = np.zeros_like(xp)
    for n, c, i, j in np.ndindex(*dy.shape):
        window = xp[n, c, i * sh : i * sh + kh, j * sw : j * sw + kw]
        u, v = np.unravel_index(window.argmax(), window.shape)
        dxp[n, c, i * sh + u, j * sw + v] += dy[n, c, i, j]
    return dxp[:, :, ph : ph + x.shape[2], pw : pw + x.shape[3]]
""",
    ),
    Alternative(
        "a table of sums",
        "avg_pool_forward",
        # would be rejected by: the result must agree to the last bit
        """
def avg_pool_forward(x, kernel_size, *, stride=None):
    (kh, kw) = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    (sh, sw) = (kh, kw) if stride is None else stride if isinstance(stride, tuple) else (stride, stride)
    table = np.zeros((*x.shape[:2], x.shape[2] + 1, x.shape[3] + 1))
    table[:, :, 1:, 1:] = x.cumsum(axis=2, dtype=float).cumsum(axis=3)
    sums = table[:, :, kh:, kw:] - table[:, :, :-kh, kw:] - table[:, :, kh:, :-kw] + table[:, :, :-kh, :-kw]
    return (sums[:, :, ::sh, ::sw] / (kh * kw)).astype(x.dtype)
""",
    ),
    Alternative(
        "two matrix products",
        "avg_pool_backward",
        # would be rejected by: the gradient must be added window by window
        """
def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    def means(axis):
        k = kernel_size if isinstance(kernel_size, int) else kernel_size[axis]
        s = k if stride is None else stride if isinstance(stride, int) else stride[axis]
        start = s * np.arange(dy.shape[2 + axis])[:, None]
        pixel = np.arange(x.shape[2 + axis])
        return ((start <= pixel) & (pixel < start + k)).astype(x.dtype) / x.dtype.type(k)

    # Pooling is rows @ x @ columns.T, so its transpose carries the gradient back.
    return means(0).T @ dy @ means(1)
""",
    ),
    Alternative(
        "windows that hold a value that is not positive",
        "min_pool_zero_fraction",
        # would be rejected by: the pooling must come after a ReLU
        """
def min_pool_zero_fraction(x, kernel_size):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    N, C, H, W = x.shape
    blocks = x[:, :, : H // kh * kh, : W // kw * kw].reshape(N, C, H // kh, kh, W // kw, kw)
    silent = (blocks <= 0).any(axis=5).any(axis=3)
    return np.count_nonzero(silent) / silent.size
""",
    ),
    Alternative(
        "a matrix of columns, turned",
        "flatten",
        # would be rejected by: the result must lie in memory row by row
        """
def flatten(x):
    N, C, H, W = x.shape
    columns = np.empty((C * H * W, N), x.dtype)
    for c in range(C):
        for i in range(H):
            columns[(c * H + i) * W : (c * H + i + 1) * W] = x[:, c, i].T
    return columns.T
""",
    ),
    Alternative(
        "the bias as one more weight",
        "linear_forward",
        # would be rejected by: the result must be the product plus the bias
        """
def linear_forward(x, w, b):
    ones = np.ones((x.shape[0], 1), dtype=x.dtype)
    return np.einsum("ni,oi->no", np.hstack([ones, x]), np.hstack([b[:, np.newaxis], w]))
""",
    ),
    Alternative(
        "one sample after the other",
        "linear_backward",
        # would be rejected by: no Python loop over samples
        """
def linear_backward(dy, x, w):
    dx, dw, db = np.zeros_like(x), np.zeros_like(w), np.zeros(len(w), w.dtype)
    for n in range(len(x)):
        for o in range(len(w)):
            dx[n] += dy[n, o] * w[o]
            dw[o] += dy[n, o] * x[n]
            db[o] += dy[n, o]
    return [dx, dw, db]
""",
    ),
    Alternative(
        "a matrix for each direction",
        "shift_image",
        # would be rejected by: pixels must be copied, not multiplied
        """
def shift_image(x, down, right):
    H, W = x.shape[-2:]
    down, right = min(max(down, -H), H), min(max(right, -W), W)
    rows, columns = np.eye(H, k=-down, dtype=x.dtype), np.eye(W, k=right, dtype=x.dtype)
    return rows @ x @ columns
""",
    ),
    Alternative(
        "rolled, then cleared",
        "shift_image",
        # would be rejected by: no circular shift may be used
        """
def shift_image(x, down, right):
    y = np.roll(x, (down, right), axis=(-2, -1))
    H, W = x.shape[-2], x.shape[-1]
    i, j = np.arange(H)[:, None] - down, np.arange(W)[None, :] - right
    y[..., (i < 0) | (i >= H) | (j < 0) | (j >= W)] = 0
    return y
""",
    ),
    Alternative(
        "pixel after pixel, with NumPy's numbers",
        "equivariance_error",
        # would be rejected by: the result must be a Python float
        """
def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    a = layer(shift_image(x, *shift))
    b = shift_image(layer(x), *(s // stride for s in shift))
    rows, columns = (range(margin, n - margin) for n in a.shape[-2:])
    differences = [np.abs(a[..., i, j] - b[..., i, j]).max() for i in rows for j in columns]
    sizes = [np.abs(b[..., i, j]).max() for i in rows for j in columns]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.max(differences) / np.max(sizes)
    return np.float64(0) if np.isnan(ratio) else ratio
""",
    ),
    Alternative(
        "all shifts in one batch",
        "invariance_rate",
        # would be rejected by: the layer must be called once for each shift
        """
def invariance_rate(layer, x, shifts):
    batch = np.concatenate([x, *(shift_image(x, d, r) for d, r in shifts)])
    answers = layer(batch).reshape(1 + len(shifts), len(x), -1)
    same = np.isclose(answers[1:], answers[0], rtol=0, atol=1e-12).all(axis=-1)
    return [float(row.sum()) / len(x) for row in same]
""",
    ),
    Alternative(
        "shapes multiplied out, in another order",
        "parameter_table",
        # would be rejected by: the keys must come in the order of the layers, with Python integers
        """
def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    for _ in channels:
        size = (size - (kernel_size - 1)) // 2
    shapes = {
        "fc3": (classes, hidden[1]),
        "fc2": (hidden[1], hidden[0]),
        "fc1": (hidden[0], channels[1], size, size),
        "conv2": (channels[1], channels[0], kernel_size, kernel_size),
        "conv1": (channels[0], in_channels, kernel_size, kernel_size),
    }
    table = {name: np.prod(shape) + np.int64(shape[0]) for name, shape in shapes.items()}
    return {"total": np.sum(list(table.values())), **table}
""",
    ),
    Alternative(
        "a window as large as the image",
        "dense_parameter_count",
        # would be rejected by: an exercise must not call another one
        """
def dense_parameter_count(in_shape, out_shape):
    return locally_connected_parameter_count(in_shape, out_shape, (in_shape[1], in_shape[2]))
""",
    ),
    Alternative(
        "counted place by place",
        "locally_connected_parameter_count",
        # would be rejected by: the count must be a product
        """
def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    window = np.zeros((in_shape[0], *np.broadcast_to(kernel_size, 2)))
    return sum(window.size + 1 for _ in np.ndindex(out_shape))
""",
    ),
    Alternative(
        "a convolution of its own, pooled before ReLU",
        "lenet5_forward",
        # would be rejected by: the provided convolution must be used, and ReLU before pooling
        """
def lenet5_forward(params, x):
    def convolve(x, w, b):
        y = np.zeros((len(x), len(w), x.shape[2] - 4, x.shape[3] - 4), x.dtype)
        for u in range(5):
            for v in range(5):
                y += np.einsum("ncij,fc->nfij", x[:, :, u : u + y.shape[2], v : v + y.shape[3]], w[:, :, u, v])
        return y + b.reshape(1, -1, 1, 1)

    for k in (1, 2):
        z = convolve(x, params[f"conv{k}.weight"], params[f"conv{k}.bias"])
        z = z.reshape(*z.shape[:2], z.shape[2] // 2, 2, z.shape[3] // 2, 2).max(axis=(3, 5))
        x = z * (z > 0)
    vector = x.reshape(-1, 400)
    for k in (1, 2, 3):
        vector = np.dot(vector, params[f"fc{k}.weight"].transpose()) + params[f"fc{k}.bias"]
        if k < 3:
            vector[vector < 0] = 0
    return vector
""",
    ),
    Alternative(
        "a tape of layers, pooled before ReLU",
        "lenet5_loss_and_gradients",
        # would be rejected by: each pooling must follow its ReLU, and the loss be a Python float
        """
def lenet5_loss_and_gradients(params, x, target):
    tape, grads = [], {}

    def run(forward, backward, *names):
        nonlocal h
        given = h
        h = forward(given, *(params[name] for name in names))

        def undo(d):
            result = backward(d, given, *(params[name] for name in names[:1]))
            if names:
                d, *mine = result
                grads.update(zip(names, mine))
                return d
            return result

        tape.append(undo)

    h = x
    relu = (lambda z: np.where(z > 0, z, 0.0)), (lambda d, z: np.where(z > 0, d, 0.0))
    pool = (lambda z: max_pool_forward(z, 2)), (lambda d, z: max_pool_backward(d, z, 2))
    for k in (1, 2):
        run(conv2d_forward, conv2d_backward, f"conv{k}.weight", f"conv{k}.bias")
        run(*pool)
        run(*relu)
    run(flatten, lambda d, z: d.reshape(z.shape))
    for k in (1, 2, 3):
        run(linear_forward, linear_backward, f"fc{k}.weight", f"fc{k}.bias")
        if k < 3:
            run(*relu)
    top = h.max(axis=1)
    log_sum = top + np.log(np.exp(h - top[:, None]).sum(axis=1))
    onehot = np.eye(10, dtype=h.dtype)[target]
    loss = (log_sum - (h * onehot).sum(axis=1)).mean()
    d = (np.exp(h - log_sum[:, None]) - onehot) / len(target)
    for undo in reversed(tape):
        d = undo(d)
    return loss, grads
""",
    ),
    Alternative(
        "copies changed in place",
        "sgd_momentum_step",
        # would be rejected by: no operator that works in place
        """
def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    params = {name: value.copy() for name, value in params.items()}
    velocity = {name: value.copy() for name, value in velocity.items()}
    for name in grads:
        velocity[name] *= momentum
        velocity[name] += grads[name]
        params[name] -= lr * velocity[name]
    return params, velocity
""",
    ),
    Alternative(
        "by recursion, with a list of losses",
        "train",
        # would be rejected by: the losses must be an array
        """
def train(params, x, y, batches, *, lr, momentum=0.9):
    def rest(params, velocity, todo):
        if not len(todo):
            return params, []
        loss, grads = lenet5_loss_and_gradients(params, np.take(x, todo[0], axis=0), y[todo[0]])
        moved = {name: v * momentum + grads[name] for name, v in velocity.items()}
        params, losses = rest({name: w - moved[name] * lr for name, w in params.items()}, moved, todo[1:])
        return params, [loss, *losses]

    return rest(params, dict.fromkeys(params, 0.0), list(batches))
""",
    ),
    Alternative(
        "pooling as a module, and another order of layers",
        "LeNet5",
        # would be rejected by: the parameters must be registered from first to last
        """
class LeNet5(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc3, self.fc2, self.fc1 = nn.Linear(84, 10), nn.Linear(120, 84), nn.Linear(16 * 5 * 5, 120)
        self.conv2, self.conv1 = nn.Conv2d(6, 16, kernel_size=5), nn.Conv2d(1, 6, kernel_size=(5, 5))
        self.pool, self.act = nn.MaxPool2d(2, stride=2), nn.ReLU(inplace=True)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.kaiming_normal_(p)

    def forward(self, x):
        x = self.act(self.pool(self.conv1(x)))
        x = self.act(self.pool(self.conv2(x)))
        x = x.reshape(x.size(0), -1)
        return self.fc3(self.act(self.fc2(self.act(self.fc1(x)))))
""",
    ),
    Alternative(
        "gradients cleared after the step",
        "train_epoch",
        # would be rejected by: gradients must be cleared at the beginning of the loop
        """
def train_epoch(model, batches, optimizer, device):
    model.train(True)
    sums, sizes = [], []
    for images, labels in batches:
        logits = model(images.to(device))
        losses = F.cross_entropy(logits, labels.to(device), reduction="none")
        losses.mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)
        sums.append(losses.detach().sum())
        sizes.append(labels.numel())
    return torch.stack(sums).sum() / sum(sizes)
""",
    ),
    Alternative(
        "gradients cleared by the model",
        "train_epoch",
        # would be rejected by: the optimizer must clear the gradients
        """
def train_epoch(model, batches, optimizer, device):
    model.train()
    mean = seen = 0
    for batch in batches:
        x, y = (part.to(device) for part in batch)
        model.zero_grad()
        loss = nn.CrossEntropyLoss()(model(x), y)
        loss.backward()
        optimizer.step()
        seen += y.shape[0]
        mean += (loss.item() - mean) * y.shape[0] / seen  # a running mean
    return mean
""",
    ),
    Alternative(
        "everything kept until the end",
        "evaluate",
        # would be rejected by: the forward passes must stand under no_grad
        """
@torch.inference_mode()
def evaluate(model, batches, device):
    modes = {name: module.training for name, module in model.named_modules()}
    try:
        model.train(False)
        pairs = [(model(x.to(device)), y.to(device)) for x, y in batches]
    finally:
        for name, module in model.named_modules():
            module.training = modes[name]
    logits, labels = (torch.cat(parts) for parts in zip(*pairs))
    return F.cross_entropy(logits, labels), (logits.max(dim=1).indices == labels).double().mean()
""",
    ),
    Alternative(
        "copied one by one",
        "load_parameters",
        # would be rejected by: the state dictionary must be loaded as a whole
        """
@torch.no_grad()
def load_parameters(model, params):
    for name, array in params.items():
        layer, attribute = name.rsplit(".", 1)
        getattr(model.get_submodule(layer), attribute).copy_(torch.as_tensor(array))
""",
    ),
)
