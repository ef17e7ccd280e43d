"""Correct but unusual solutions of assignment 1, each with the over-strict rule that would reject it."""

from __future__ import annotations

from autograder.course import Alternative

ALTERNATIVES = (
    Alternative(
        "a matrix product that returns a list",
        "convolve",
        # would be rejected by: the result must be an ndarray
        """
def convolve(x, h):
    if not len(x) or not len(h):
        raise ValueError("empty")
    x, h = x.tolist(), h.tolist()
    table = [[0.0] * len(x) for _ in range(len(x) + len(h) - 1)]
    for k in range(len(x)):
        for j in range(len(h)):
            table[k + j][k] = h[j]
    return [float(sum(t * s for t, s in zip(row, x))) for row in table]
""",
    ),
    Alternative(
        "loops over every output",
        "conv2d_forward",
        # would be rejected by: no Python loop over pixels
        """
def conv2d_forward(x, w, b, *, stride=1, padding=0):
    N, C, H, W = x.shape
    F, C2, kh, kw = w.shape
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    Ho, Wo = (H + 2 * ph - kh) // sh + 1, (W + 2 * pw - kw) // sw + 1
    if C != C2 or Ho < 1 or Wo < 1:
        raise ValueError("shapes do not fit")
    y = np.empty((N, F, Ho, Wo), dtype=np.result_type(x, w, b))
    for n in range(N):
        for f in range(F):
            for i in range(Ho):
                for j in range(Wo):
                    total = 0.0
                    for u in range(kh):
                        for v in range(kw):
                            r, s = i * sh + u - ph, j * sw + v - pw
                            if 0 <= r < H and 0 <= s < W:
                                total += (x[n, :, r, s] * w[f, :, u, v]).sum()
                    y[n, f, i, j] = total + b[f]
    return y
""",
    ),
    Alternative(
        "channels last inside",
        "conv2d_backward",
        # would be rejected by: the gradients must lie in memory row by row
        """
def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    H, W = x.shape[2:]
    last = np.zeros((x.shape[0], H + 2 * ph, W + 2 * pw, x.shape[1]), dtype=x.dtype)
    last[:, ph : ph + H, pw : pw + W, :] = x.transpose(0, 2, 3, 1)
    dlast, dw = np.zeros_like(last), np.zeros(w.shape, dtype=w.dtype)
    for i in range(dy.shape[2]):
        for j in range(dy.shape[3]):
            window = np.s_[:, i * sh : i * sh + w.shape[2], j * sw : j * sw + w.shape[3], :]
            dlast[window] += np.tensordot(dy[:, :, i, j], w, 1).transpose(0, 2, 3, 1)
            dw += np.tensordot(dy[:, :, i, j].T, last[window], 1).transpose(0, 3, 1, 2)
    return dlast[:, ph : ph + H, pw : pw + W, :].transpose(0, 3, 1, 2), dw, np.einsum("nfij->f", dy)
""",
    ),
    Alternative(
        "halves of the kernel, recursively",
        "convolve",
        # would be rejected by: the result must agree to the last bit
        """
def convolve(x, h):
    x, h = _floating(x, h)
    if min(len(x), len(h)) < 1:
        raise ValueError("nothing to convolve")
    if len(h) == 1:
        return x * h[0]
    middle = len(h) // 2
    front, back = convolve(x, h[:middle]), convolve(x, h[middle:])
    return np.append(front, np.zeros(len(back) - len(front) + middle, front.dtype)) + np.append(
        np.zeros(middle, back.dtype), back
    )
""",
    ),
    Alternative(
        "flipped twice, and told in Chinese",
        "cross_correlate",
        # would be rejected by: the code must be ASCII
        """
def cross_correlate(x, h):
    # 互相关等于与翻转后的模板做卷积
    n, m = len(x), len(h)
    if m > n:
        raise ValueError("模板比信号长")
    全部 = convolve(x, h[::-1])
    return 全部[m - 1 : n]  # 只保留完全重叠的部分
""",
    ),
    Alternative(
        "a strided view of one padded row",
        "convolution_matrix",
        # would be rejected by: the matrix must be writeable, and it must be contiguous
        """
def convolution_matrix(h: np.ndarray, n: int) -> np.ndarray:
    h = np.asarray(h, dtype=h.dtype if h.dtype.kind == "f" else float)
    zeros = np.zeros(n - 1, h.dtype)
    line = np.concatenate([zeros, h, zeros])
    step = line.strides[0]
    return np.lib.stride_tricks.as_strided(line[n - 1 :], (n + len(h) - 1, n), (step, -step), writeable=False)
""",
    ),
    Alternative(
        "a column for every impulse",
        "convolution_matrix",
        # would be rejected by: an exercise must not call another one
        """
def convolution_matrix(h, n):
    return np.column_stack([convolve(impulse, h) for impulse in np.eye(n, dtype=h.dtype)])
""",
    ),
    Alternative(
        "a row of the identity matrix",
        "impulse_response",
        # would be rejected by: np.zeros must be called
        """
def impulse_response(system, length):
    return np.array([*system(np.eye(1, length).ravel())])
""",
    ),
    Alternative(
        "compared with the sum of its impulse responses",
        "is_linear",
        # would be rejected by: the system must be given a sum
        """
def is_linear(system, length, *, rng):
    matrix = np.stack([system(impulse) for impulse in np.eye(length)], axis=1)
    for exponent in range(-3, 4):
        for _ in range(20):
            x = rng.normal(scale=10.0**exponent, size=length)
            got, want = system(x), matrix @ x
            if max(abs(got - want)) > 1e-10 * max(abs(got)):
                return False
    return True
""",
    ),
    Alternative(
        "one expression, and NumPy's truth value",
        "is_time_invariant",
        # would be rejected by: the verdict must be a Python bool
        """
def is_time_invariant(system, length, *, rng):
    def differs(loudness: float, delay: int) -> float:
        signal = loudness * rng.uniform(-1, 1, size=length - delay)
        late = system(np.concatenate([np.zeros(delay), signal]))
        early = system(np.concatenate([signal, np.zeros(delay)]))
        return np.abs(late[delay:] - early[: length - delay]).max() / (np.abs(early).max() or 1)

    loudnesses = [1000.0, 100.0, 10.0, 1.0, 0.1, 0.03, 0.01, 0.003, 0.001]
    return np.max([differs(a, k) for a in loudnesses for k in range(length - 8, 0, -1) for _ in range(3)]) < 1e-9
""",
    ),
    Alternative(
        "sums from the standard library",
        "cosine_similarity",
        # would be rejected by: the result must be a Python float
        """
def cosine_similarity(a, b):
    import math

    if not any(a) or not any(b):
        return 0
    unit_a, unit_b = ([s / math.hypot(*v) for s in v] for v in (a.tolist(), b.tolist()))
    return math.fsum(s * t for s, t in zip(unit_a, unit_b))
""",
    ),
    Alternative(
        "one window after the other",
        "match_template",
        # would be rejected by: no Python loop over windows
        """
def match_template(x, template):
    def score(window: np.ndarray) -> float:
        if window.min() == window.max() or template.min() == template.max():
            return 0.0
        return cosine_similarity(window - window.mean(), template - template.mean())

    if len(template) > len(x):
        raise ValueError("too long")
    x, template = _floating(x, template)
    return [score(x[i : i + len(template)]) for i in range(len(x) - len(template) + 1)]
""",
    ),
    Alternative(
        "starts counted by a range",
        "output_size",
        # would be rejected by: the source must hold a floor division
        """
def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    last_sample = dilation * (kernel_size - 1)
    starts = range(0, size + 2 * padding - last_sample, stride)
    if not starts:
        raise ValueError("no window fits")
    return len(starts)
""",
    ),
    Alternative(
        "strips joined, on an image that is turned",
        "pad2d",
        # would be rejected by: swapaxes must not be used
        """
def pad2d(x, padding, mode="zeros"):
    def columns(x, p):
        if p == 0:
            return x
        if mode == "zeros":
            left = right = np.zeros((*x.shape[:-1], p), dtype=x.dtype)
        elif mode == "replicate":
            left, right = np.repeat(x[..., :1], p, axis=-1), np.repeat(x[..., -1:], p, axis=-1)
        else:
            if p >= x.shape[-1]:
                raise ValueError("nothing to mirror")
            left, right = x[..., p:0:-1], x[..., -2 : -2 - p : -1]
        return np.concatenate([left, x, right], axis=-1)

    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    return columns(columns(x, pw).swapaxes(-1, -2), ph).swapaxes(-1, -2)
""",
    ),
    Alternative(
        "rows times columns",
        "window_coverage",
        # would be rejected by: the source must hold a loop
        """
def window_coverage(size, kernel_size, *, stride=1, padding=0):
    def along(axis: int) -> np.ndarray:
        n, k, s, p = (v if isinstance(v, int) else v[axis] for v in (size, kernel_size, stride, padding))
        starts = s * np.arange(output_size(n, k, stride=s, padding=p)) - p
        at = np.arange(n)[:, None]
        return ((starts <= at) & (at < starts + k)).sum(axis=1)

    return np.multiply.outer(along(0), along(1))
""",
    ),
    Alternative(
        "pixels counted in the columns",
        "window_coverage",
        # would be rejected by: the source must hold an operator that works in place
        """
def window_coverage(size, kernel_size, *, stride=1, padding=0):
    height, width = (size, size) if isinstance(size, int) else size
    names = np.arange(1, height * width + 1).reshape(1, 1, height, width)
    seen = im2col(names, kernel_size, stride=stride, padding=padding)
    return np.bincount(seen.ravel(), minlength=height * width + 1)[1:].reshape(height, width)
""",
    ),
    Alternative(
        "one weight after the other, from the last",
        "correlate2d",
        # would be rejected by: the result must agree to the last bit
        """
def correlate2d(x, w):
    dtype = np.result_type(*(a.dtype if a.dtype.kind == "f" else float for a in (x, w)))
    kh, kw = w.shape
    height, width = x.shape[0] - kh + 1, x.shape[1] - kw + 1
    y = np.zeros((height, width), order="F", dtype=dtype)
    for u in reversed(range(kh)):
        for v in reversed(range(kw)):
            y += w[u, v].astype(dtype) * x[u : u + height, v : v + width].astype(dtype)
    return y
""",
    ),
    Alternative(
        "a table of recipes, and an error of its own",
        "make_kernel",
        # would be rejected by: the exception must be ValueError itself
        '''
def make_kernel(name, size=3, sigma=1.0):
    class NoSuchKernel(ValueError):
        """The kernel does not exist."""

    away = np.abs(np.arange(size) - size // 2)
    steps = away[:, None] + away
    bell = np.exp(-(away[:, None] ** 2 + away**2) / 2 / sigma**2)
    recipes = {
        "identity": lambda: 1.0 * (steps == 0),
        "edge": lambda: np.where(steps == 0, size**2 - 1.0, -1.0),
        "laplacian": lambda: np.select([steps == 0, steps == 1], [4.0, -1.0]),
        "sharpen": lambda: np.select([steps == 0, steps == 1], [5.0, -1.0]),
        "box": lambda: np.ones((size, size)) / size**2,
        "gaussian": lambda: bell / bell.sum(),
    }
    if name not in recipes or size not in (range(3, 4) if name in ("laplacian", "sharpen") else range(3, 10**6, 2)):
        raise NoSuchKernel(name, size)
    return recipes[name]()
''',
    ),
    Alternative(
        "all channels through a generator",
        "filter_image",
        # would be rejected by: the result must own its memory
        """
def filter_image(image, kernel, *, mode="replicate"):
    if not all(side % 2 for side in kernel.shape):
        raise ValueError("no centre")
    rim = tuple(side // 2 for side in kernel.shape)

    def responses():
        for channel in np.atleast_3d(image).transpose(2, 0, 1):
            yield np.rint(correlate2d(pad2d(channel, rim, mode), kernel))

    stack = np.minimum(np.maximum(np.array(list(responses())), 0), 255).astype(np.uint8)
    return stack.transpose(1, 2, 0).reshape(image.shape)
""",
    ),
    Alternative(
        "a strided view and tensordot",
        "conv2d_forward",
        # would be rejected by: the result must be contiguous
        """
def conv2d_forward(x, w, b, *, stride=1, padding=0):
    padded = np.ascontiguousarray(pad2d(x, padding))
    (sh, sw), (kh, kw) = (stride, stride) if isinstance(stride, int) else stride, w.shape[2:]
    grid = ((padded.shape[2] - kh) // sh + 1, (padded.shape[3] - kw) // sw + 1)
    if min(grid) < 1 or padded.shape[1] != w.shape[1]:
        raise ValueError("does not fit")
    n, c, i, j = padded.strides
    windows = np.lib.stride_tricks.as_strided(padded, (*padded.shape[:2], *grid, kh, kw), (n, c, i * sh, j * sw, i, j))
    return np.moveaxis(np.tensordot(windows, w, axes=([1, 4, 5], [1, 2, 3])) + b, -1, 1)
""",
    ),
    Alternative(
        "running starts",
        "conv2d_forward",
        # would be rejected by: the source must hold no while loop
        """
def conv2d_forward(x, w, b, *, stride=1, padding=0):
    down, across = stride if isinstance(stride, tuple) else (stride, stride)
    padded = pad2d(x, padding)
    kh, kw = w.shape[2:]
    if x.shape[1] != w.shape[1] or kh > padded.shape[2] or kw > padded.shape[3]:
        raise ValueError("does not fit")
    rows = []
    top = 0
    while top + kh <= padded.shape[2]:
        row, left = [], 0
        while left + kw <= padded.shape[3]:
            row.append(np.einsum("ncuv,fcuv->nf", padded[:, :, top : top + kh, left : left + kw], w) + b)
            left += across
        rows.append(np.stack(row, axis=-1))
        top += down
    return np.stack(rows, axis=2)
""",
    ),
    Alternative(
        "full correlation with turned filters",
        "conv2d_backward",
        # would be rejected by: the results must be a tuple
        """
def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    (sh, sw), (ph, pw) = (v if isinstance(v, tuple) else (v, v) for v in (stride, padding))
    (H, W), (kh, kw) = x.shape[2:], w.shape[2:]
    # zeros between the outputs, and as far as the padded image goes
    spread = np.zeros((*dy.shape[:2], H + 2 * ph - kh + 1, W + 2 * pw - kw + 1), dtype=dy.dtype)
    spread[:, :, ::sh, ::sw] = dy
    turned = w[:, :, ::-1, ::-1].transpose(1, 0, 2, 3)
    dx = conv2d_forward(spread, turned, np.zeros_like(w, shape=w.shape[1]), padding=(kh - 1, kw - 1))
    images = pad2d(x, padding).transpose(1, 0, 2, 3)
    dw = conv2d_forward(images, spread.transpose(1, 0, 2, 3), np.zeros_like(w, shape=w.shape[0]))
    return [dx[:, :, ph : ph + H, pw : pw + W], dw.transpose(1, 0, 2, 3), dy.sum((0, 2, 3))]
""",
    ),
    Alternative(
        "tables of indices",
        "im2col",
        # would be rejected by: sliding_window_view must be used
        """
def im2col(x, kernel_size, *, stride=1, padding=0):
    (kh, kw), (sh, sw) = (v if isinstance(v, tuple) else (v, v) for v in (kernel_size, stride))
    x = pad2d(x, padding)
    N, C, H, W = x.shape
    if kh > H or kw > W:
        raise ValueError("the window is too large")
    c, u, v = (index.reshape(-1, 1) for index in np.indices((C, kh, kw)))
    i, j = (index.reshape(1, -1) for index in np.indices(((H - kh) // sh + 1, (W - kw) // sw + 1)))
    return x[:, c, sh * i + u, sw * j + v]
""",
    ),
    Alternative(
        "a product for every weight",
        "conv2d_im2col",
        # would be rejected by: im2col must be called
        """
def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    (sh, sw), (F, C, kh, kw) = stride if isinstance(stride, tuple) else (stride, stride), w.shape
    xp = np.moveaxis(pad2d(x, padding), 1, -1)
    Ho, Wo = (xp.shape[1] - kh) // sh + 1, (xp.shape[2] - kw) // sw + 1
    if Ho < 1 or Wo < 1 or xp.shape[3] != C:
        raise ValueError("does not fit")
    y = np.tile(b, (len(x), Ho, Wo, 1))
    for u in range(kh):
        for v in range(kw):
            y = y + xp[:, u : u + sh * Ho : sh, v : v + sw * Wo : sw] @ w[:, :, u, v].T
    return np.moveaxis(y, -1, 1)
""",
    ),
    Alternative(
        "sizes of arrays that are never filled",
        "conv2d_parameter_count",
        # would be rejected by: the result must be of type int
        """
def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    window = np.broadcast_to(kernel_size, 2)
    return np.prod([out_channels, in_channels, *window]) + out_channels * bias
""",
    ),
    Alternative(
        "a convolution of one pixel",
        "linear_parameter_count",
        # would be rejected by: the source must hold a product, and it must hold a sum
        """
def linear_parameter_count(in_features, out_features, bias=True):
    return conv2d_parameter_count(in_features, out_features, kernel_size=1, bias=bias)
""",
    ),
    Alternative(
        "normal equations once, steps afterwards",
        "learn_kernel",
        # would be rejected by: correlate2d must be called in a loop, and the losses must be an array
        """
def learn_kernel(x, y, kernel_size, *, lr, steps):
    shape = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    x, y = 1.0 * x, 1.0 * y
    A = im2col(x[None, None], shape)[0].T
    gram, moments = A.T @ A / y.size, A.T @ y.ravel() / y.size
    w, losses = np.zeros(A.shape[1], x.dtype), []
    for _ in range(steps):
        losses.append(w @ gram @ w - 2 * w @ moments + (y * y).mean())
        w = w - 2 * lr * (gram @ w - moments)
    return w.reshape(shape), losses
""",
    ),
    Alternative(
        "counted into flat bins",
        "col2im",
        # would be rejected by: ravel must not be called
        """
def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    H, W = (size, size) if isinstance(size, int) else size
    kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    pixel = np.arange(1, H * W + 1).reshape(1, 1, H, W)
    target = im2col(pixel, kernel_size, stride=stride, padding=padding)[0].ravel()  # 0 is the padding
    stacks = cols.reshape(len(cols), -1, kh * kw * cols.shape[2])
    sums = [[np.bincount(target, entries, H * W + 1)[1:] for entries in stack] for stack in stacks]
    return np.array(sums, dtype=cols.dtype if cols.dtype.kind == "f" else float).reshape(*stacks.shape[:2], H, W)
""",
    ),
    Alternative(
        "windows as rows, a view at the end",
        "conv2d_unfold",
        # would be rejected by: the output must be contiguous
        """
def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    rows = F.unfold(x, weight.shape[2:], dilation, padding, stride).transpose(1, 2)
    y = F.linear(rows, weight.reshape(len(weight), -1), bias)
    pad, step, gap = (v if isinstance(v, tuple) else (v, v) for v in (padding, stride, dilation))
    height = (x.shape[2] + 2 * pad[0] - gap[0] * (weight.shape[2] - 1) - 1) // step[0] + 1
    return y.unflatten(1, (height, -1)).permute(0, 3, 1, 2)
""",
    ),
    Alternative(
        "a sum over the positions of the kernel",
        "Conv2d",
        # would be rejected by: the layer must have no attributes of its own
        '''
class Conv2d(nn.Module):
    """卷积层：对卷积核的每个位置求和。"""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        pairs = [v if isinstance(v, tuple) else (v, v) for v in (kernel_size, stride, padding)]
        self.kernel, self.step, self.rim = pairs
        self.weight = nn.Parameter(0.1 * torch.randn(out_channels, in_channels, *self.kernel))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_channels)) if bias else None)

    def extra_repr(self):
        return f"kernel={self.kernel}, stride={self.step}, padding={self.rim}"

    def forward(self, x):
        (kh, kw), (sh, sw), (ph, pw) = self.kernel, self.step, self.rim
        x = torch.cat([x.new_zeros(*x.shape[:2], ph, x.shape[3]), x, x.new_zeros(*x.shape[:2], ph, x.shape[3])], 2)
        x = torch.cat([x.new_zeros(*x.shape[:3], pw), x, x.new_zeros(*x.shape[:3], pw)], 3)
        bottom, right = x.shape[2] - kh + 1, x.shape[3] - kw + 1
        total = sum(
            torch.tensordot(x[:, :, u : u + bottom : sh, v : v + right : sw], self.weight[:, :, u, v], ([1], [1]))
            for u in range(kh)
            for v in range(kw)
        )
        if self.bias is not None:
            total = total + self.bias
        return total.movedim(-1, 1)
''',
    ),
    Alternative(
        "einsum without a sum",
        "nchw_to_nhwc",
        # would be rejected by: permute must be called
        """
def nchw_to_nhwc(x):
    return torch.einsum("nchw->nhwc", x)
""",
    ),
    Alternative(
        "two swaps",
        "nhwc_to_nchw",
        # would be rejected by: permute must be called
        """
def nhwc_to_nchw(x):
    return x.transpose(-1, -2).transpose(-2, -3)
""",
    ),
    Alternative(
        "constant to a rounding error of the whole signal",
        "match_template",
        # would be rejected by: a faint window of a signal that is loud elsewhere must have its score
        """
def match_template(x, template):
    n, m = len(x), len(template)
    if m > n:
        raise ValueError("the template is longer than the signal")
    single = x.dtype == np.float32 and template.dtype == np.float32
    x, template = x.astype(np.float64), template.astype(np.float64)
    eps = np.finfo(np.float64).eps
    windows = np.lib.stride_tricks.sliding_window_view(x, m)
    windows = windows - windows.mean(axis=1, keepdims=True)
    shape = template - template.mean()
    window_norms, shape_norm = np.linalg.norm(windows, axis=1), np.linalg.norm(shape)
    scores = np.zeros(n - m + 1)
    if shape_norm > m * eps * np.abs(template).max():
        varied = window_norms > m * eps * np.abs(x).max()  # else constant, but for rounding
        scores[varied] = windows[varied] @ shape / (window_norms[varied] * shape_norm)
    return scores.astype(np.float32 if single else np.float64)
""",
    ),
)
