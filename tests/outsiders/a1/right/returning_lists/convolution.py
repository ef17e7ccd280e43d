"""Assignment 1. Signals are lists to me; NumPy numbers inside keep their precision."""

import numpy as np

from dft import circular, dft


def _kind(*arrays):
    dtype = np.result_type(*arrays)
    return dtype if dtype.kind == "f" else np.dtype(np.float64)


def _two(p):
    return [p, p] if np.isscalar(p) else list(p)


def convolve(x, h):
    if len(x) * len(h) == 0:
        raise ValueError("empty")
    n = len(x) + len(h) - 1
    # The convolution theorem, with room enough that nothing comes around the end.
    y = circular(np.r_[x, np.zeros(n - len(x))].astype(float), np.r_[h, np.zeros(n - len(h))].astype(float))
    return list(y.astype(_kind(x, h)))


def cross_correlate(x, h):
    if len(x) < len(h):
        raise ValueError("h is longer than x")
    kind = _kind(x, h)
    return [kind.type(np.sum(x[i : i + len(h)].astype(kind) * h)) for i in range(len(x) - len(h) + 1)]


def convolution_matrix(h, n):
    numbers = list(h.astype(_kind(h)))
    zero = numbers[0] * 0
    columns = [[zero] * k + numbers + [zero] * (n - 1 - k) for k in range(n)]
    return [list(row) for row in zip(*columns)]


def impulse_response(system, length):
    return list(system(np.array([1.0] + [0.0] * (length - 1))))


def _sizes():
    return [10.0**e for e in np.arange(-2.3, 2.31, 0.2)]


def is_linear(system, length, *, rng):
    def S(x):
        return np.array(system(np.array(x)))

    verdicts = []
    for size in _sizes():
        for _ in range(5):
            u, v = [size * np.array(rng.standard_normal(length)) for _ in range(2)]
            a, b = rng.uniform(0.2, 5), -rng.uniform(0.2, 5)
            left, right = S(a * u + b * v), [a * S(u), b * S(v)]
            top = np.max(np.abs([left, *right]))
            verdicts.append(np.max(np.abs(left - sum(right))) <= 1e-9 * top)
            left, right = S(a * u), a * S(u)
            verdicts.append(np.max(np.abs(left - right)) <= 1e-9 * np.max(np.abs([left, right])))
    return np.all(verdicts)


def is_time_invariant(system, length, *, rng):
    verdicts = []
    for size in [0.0] + _sizes():
        for k in range(1, length):
            for _ in range(2):
                x = [size * number for number in rng.standard_normal(length - k)]
                y = np.array(system(np.array(x + [0.0] * k)))
                z = np.array(system(np.array([0.0] * k + x)))
                top = np.max(np.abs([y, z]))
                verdicts.append(np.max(np.abs(z[k:] - y[:-k])) <= 1e-9 * top)
    return np.all(verdicts)


def cosine_similarity(a, b):
    """By Parseval: the inner product of two signals is that of their spectra."""
    spectra = []
    for v in (a, b):
        v = np.array(v, float)
        if not np.any(v):
            return np.float64(0)
        v /= np.max(np.abs(v))
        spectra.append(np.fft.fft(v / np.linalg.norm(v)))
    return np.vdot(*spectra).real / len(a)


def match_template(x, template):
    m = len(template)
    if m > len(x):
        raise ValueError("the template is longer than x")
    kind = _kind(x, template)
    t = [float(v) for v in template]
    scores = []
    for i in range(len(x) - m + 1):
        w = [float(v) for v in x[i : i + m]]
        if len(set(w)) == 1 or len(set(t)) == 1:
            scores.append(kind.type(0))
        else:
            scores.append(kind.type(cosine_similarity(np.array(w) - sum(w) / m, np.array(t) - sum(t) / m)))
    return scores


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    n = np.floor_divide(size + 2 * padding - dilation * (kernel_size - 1) - 1, stride) + 1
    if n <= 0:
        raise ValueError("no window")
    return n


def pad2d(x, padding, mode="zeros"):
    ph, pw = _two(padding)
    H, W = x.shape[-2:]
    if mode == "reflect" and (ph >= H or pw >= W):
        raise ValueError("cannot mirror")

    def sources(n, p):
        for i in range(-p, n + p):
            if 0 <= i < n:
                yield i
            elif mode == "zeros":
                yield None
            elif mode == "replicate":
                yield 0 if i < 0 else n - 1
            elif mode == "reflect":
                yield -i if i < 0 else 2 * n - 2 - i
            else:
                raise ValueError(mode)

    nothing = np.zeros(x.shape[:-2] + (W,), x.dtype)
    x = np.stack([nothing if i is None else x[..., i, :] for i in sources(H, ph)], axis=-2)
    nothing = np.zeros(x.shape[:-1], x.dtype)
    return np.stack([nothing if j is None else x[..., j] for j in sources(W, pw)], axis=-1)


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    axes = []
    for n, k, s, p in zip(_two(size), _two(kernel_size), _two(stride), _two(padding)):
        windows = output_size(n, k, stride=s, padding=p)
        axes.append([sum(s * i <= r + p < s * i + k for i in range(windows)) for r in range(n)])
    return np.array([[a * b for b in axes[1]] for a in axes[0]], dtype=np.int64)


def correlate2d(x, w):
    """The correlation theorem: the spectrum of x times the conjugate of that of w. Valid places do not wrap around."""
    H, W = x.shape
    kh, kw = w.shape
    big = np.zeros((H, W))
    big[:kh, :kw] = w
    spectrum = (dft(H) @ x.astype(float) @ dft(W)) * (dft(H) @ big @ dft(W)).conj()
    y = (dft(H, 1) @ spectrum @ dft(W, 1)).real / (H * W)
    return y[: H - kh + 1, : W - kw + 1].astype(_kind(x, w))


def make_kernel(name, size=3, sigma=1.0):
    if size < 3 or size % 2 == 0:
        raise ValueError("size")
    middle = size // 2
    if size == 3 and name == "laplacian":
        return [[0.0, -1.0, 0.0], [-1.0, 4.0, -1.0], [0.0, -1.0, 0.0]]
    if size == 3 and name == "sharpen":
        return [[0.0, -1.0, 0.0], [-1.0, 5.0, -1.0], [0.0, -1.0, 0.0]]
    if name == "identity":
        return [[float(i == j == middle) for j in range(size)] for i in range(size)]
    if name == "edge":
        return [[size * size - 1.0 if i == j == middle else -1.0 for j in range(size)] for i in range(size)]
    if name == "box":
        return [[1 / (size * size)] * size] * size
    if name == "gaussian":
        g = [[np.exp(-((i - middle) ** 2 + (j - middle) ** 2) / (2 * sigma**2)) for j in range(size)] for i in range(size)]
        total = sum(sum(row) for row in g)
        return [[value / total for value in row] for row in g]
    raise ValueError("name")


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    if not (kh % 2 and kw % 2):
        raise ValueError("even")
    planes = [image] if image.ndim == 2 else [image[..., c] for c in range(image.shape[2])]
    padded = [pad2d(plane, (kh // 2, kw // 2), mode) for plane in planes]
    answers = [np.clip(np.rint(correlate2d(p, kernel.astype(float))), 0, 255).astype(np.uint8) for p in padded]
    return answers[0] if image.ndim == 2 else np.stack(answers, axis=-1)


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    if x.shape[1] != w.shape[1]:
        raise ValueError("channels")
    (sh, sw), (ph, pw) = _two(stride), _two(padding)
    kh, kw = w.shape[2:]
    Ho = output_size(x.shape[2], kh, stride=sh, padding=ph)
    Wo = output_size(x.shape[3], kw, stride=sw, padding=pw)
    xp = pad2d(x, (ph, pw))
    y = [
        [
            [
                [np.vdot(w[f], image[:, sh * i : sh * i + kh, sw * j : sw * j + kw]) + b[f] for j in range(Wo)]
                for i in range(Ho)
            ]
            for f in range(len(w))
        ]
        for image in xp
    ]
    return np.array(y, dtype=_kind(x, w, b))


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    kind = _kind(dy, x, w)
    (sh, sw), (ph, pw) = _two(stride), _two(padding)
    N, C, H, W = x.shape
    F, _, kh, kw = w.shape
    xp = pad2d(x, (ph, pw))
    dxp, dw = np.zeros(xp.shape, kind), np.zeros(w.shape, kind)
    for n in range(N):
        for i in range(dy.shape[2]):
            for j in range(dy.shape[3]):
                r, q = slice(sh * i, sh * i + kh), slice(sw * j, sw * j + kw)
                dxp[n, :, r, q] += np.tensordot(dy[n, :, i, j], w, 1)
                dw += np.multiply.outer(dy[n, :, i, j], xp[n, :, r, q])
    db = np.array([dy[:, f].sum() for f in range(F)], kind)
    return [dxp[:, :, ph : ph + H, pw : pw + W], dw, db]


def im2col(x, kernel_size, *, stride=1, padding=0):
    (kh, kw), (sh, sw), (ph, pw) = _two(kernel_size), _two(stride), _two(padding)
    Ho = output_size(x.shape[2], kh, stride=sh, padding=ph)
    Wo = output_size(x.shape[3], kw, stride=sw, padding=pw)
    xp = np.zeros(x.shape[:2] + (x.shape[2] + 2 * ph, x.shape[3] + 2 * pw), x.dtype)
    xp[:, :, ph : ph + x.shape[2], pw : pw + x.shape[3]] = x
    columns = []
    for i in range(Ho):
        for j in range(Wo):
            columns.append(xp[:, :, sh * i : sh * i + kh, sw * j : sw * j + kw].reshape(len(x), -1))
    return np.stack(columns, axis=2)


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    if x.shape[1] != w.shape[1]:
        raise ValueError("channels")
    (sh, sw), (ph, pw) = _two(stride), _two(padding)
    Ho = output_size(x.shape[2], w.shape[2], stride=sh, padding=ph)
    Wo = output_size(x.shape[3], w.shape[3], stride=sw, padding=pw)
    rows = w.reshape(len(w), -1)
    images = [rows @ cols + b[:, None] for cols in im2col(x, w.shape[2:], stride=stride, padding=padding)]
    return np.array(images).reshape(len(x), len(w), Ho, Wo)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    return np.prod([out_channels, in_channels, *_two(kernel_size)]) + np.where(bias, out_channels, 0)


def linear_parameter_count(in_features, out_features, bias=True):
    return np.dot([in_features, 1], [out_features, out_features if bias else 0])


def learn_kernel(x, y, kernel_size, *, lr, steps):
    kind = _kind(x, y)
    kh, kw = _two(kernel_size)
    # L(w) = w A w - 2 B w + const, so the images are needed only once; it is the same descent.
    places = [x[u : u + y.shape[0], v : v + y.shape[1]].astype(float).ravel() for u in range(kh) for v in range(kw)]
    goal = y.astype(float).ravel()
    A = [[p @ q / goal.size for q in places] for p in places]
    B = [p @ goal / goal.size for p in places]
    w, losses = np.zeros(kh * kw), []
    for _ in range(steps):
        losses.append(w @ A @ w - 2 * np.dot(B, w) + goal @ goal / goal.size)
        w = w - lr * 2 * (np.dot(A, w) - B)
    return [list(row) for row in w.reshape(kh, kw).astype(kind)], [kind.type(loss) for loss in losses]


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    """Laying a row of cols out on the image is a delay by (u, v): a phase in the spectrum."""
    (H, W), (kh, kw), (sh, sw), (ph, pw) = map(_two, (size, kernel_size, stride, padding))
    Ho = output_size(H, kh, stride=sh, padding=ph)
    Wo = output_size(W, kw, stride=sw, padding=pw)
    parts = cols.reshape(len(cols), -1, kh, kw, Ho, Wo)
    N, C = parts.shape[:2]
    Hp, Wp = H + 2 * ph, W + 2 * pw
    spectrum = np.zeros((N, C, Hp, Wp), complex)
    for u in range(kh):
        for v in range(kw):
            spread = np.zeros((N, C, Hp, Wp))
            spread[:, :, 0 : sh * (Ho - 1) + 1 : sh, 0 : sw * (Wo - 1) + 1 : sw] = parts[:, :, u, v]
            delay = np.exp(-2j * np.pi * (u * np.fft.fftfreq(Hp)[:, None] + v * np.fft.fftfreq(Wp)))
            spectrum += np.fft.fft2(spread) * delay
    return np.fft.ifft2(spectrum).real[:, :, ph : ph + H, pw : pw + W].astype(_kind(cols))
