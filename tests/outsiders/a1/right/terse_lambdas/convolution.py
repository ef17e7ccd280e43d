"""Assignment 1, as short as I can."""
import itertools as it
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view as win

dt = lambda *a: d if (d := np.result_type(*a)).kind == 'f' else np.dtype(float)
P = lambda p: (p, p) if np.ndim(p) == 0 else p
def no(bad, why=''):
    if bad: raise ValueError(why)
Z = lambda x, *p: np.concatenate([np.zeros(p[0], x.dtype), x, np.zeros(p[-1], x.dtype)])

def convolve(x, h): no(not x.size * h.size); return cross_correlate(Z(x.astype(dt(x, h)), h.size - 1), h[::-1])
def cross_correlate(x, h): no(h.size > x.size); d = dt(x, h); return win(x.astype(d), h.size) @ h.astype(d)
convolution_matrix = lambda h, n: np.array([Z(h.astype(dt(h)), k, n - 1 - k) for k in range(n)]).T
impulse_response = lambda system, length: np.array(system(np.eye(length)[0]))

AMP = [*10 ** np.arange(-2.2, 2.3, .2)]
eq = lambda a, b, *c: np.max(abs(a - b)) <= 1e-9 * max(np.max(abs(s)) for s in (a, b, *c))
copying = lambda S: lambda x: np.array(S(np.array(x)))

def is_linear(system, length, *, rng):
    S = copying(system)
    for A, B, _ in it.product(AMP, [.2, 1, 5], range(2)):
        u, v = np.array([[A], [A * B]]) * rng.normal(size=(2, length)); a = rng.normal() * 2
        if not eq(S(u + v), S(u) + S(v), S(u), S(v)) or not eq(S(a * u), a * S(u)): return False
    return True

def is_time_invariant(system, length, *, rng):
    S = copying(system)
    def ok(A, k):
        x = A * rng.normal(size=length - k)
        y, z = S([*x, *[0.] * k]), S([*[0.] * k, *x])
        return eq(z[k:], y[:-k], y, z)
    return all(it.starmap(ok, it.product([0, *AMP, *AMP], range(1, length))))

unit = lambda a: a if not a.any() else (b := a / abs(a).max()) / (b @ b) ** .5
cosine_similarity = lambda a, b: float(unit(a.astype(float)) @ unit(b.astype(float)))
flat0 = lambda a: a - a.mean() if (a != a[0]).any() else a * 0

def match_template(x, template):
    no(len(template) > len(x)); t = flat0(template.astype(float))
    return np.array([cosine_similarity(flat0(w), t) for w in win(x.astype(float), len(t))], dt(x, template))

def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    n = (size + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1; no(n < 1); return n

def pad2d(x, padding, mode='zeros'):
    for ax, p in zip((-2, -1), P(padding)):
        n = x.shape[ax]; no(mode == 'reflect' and p >= n); i = np.arange(-p, n + p)
        j = {'zeros': i % n, 'replicate': i.clip(0, n - 1), 'reflect': n - 1 - abs(n - 1 - abs(i))}[mode]
        x = x.take(j, ax)
        if mode == 'zeros': np.moveaxis(x, ax, 0)[(i < 0) | (i >= n)] = 0
    return x

def window_coverage(size, kernel_size, *, stride=1, padding=0):
    one = lambda n, k, s, p: sum(np.eye(1, n + 2 * p, i * s + u, dtype=np.int64)[0] for i in range(output_size(n, k, stride=s, padding=p)) for u in range(k))[p:n + p]
    return np.outer(*map(one, P(size), P(kernel_size), P(stride), P(padding)))

correlate2d = lambda x, w: np.tensordot(win(x.astype(d := dt(x, w)), w.shape), w.astype(d))

def make_kernel(name, size=3, sigma=1.0):
    no(size < 3 or size % 2 < 1 or size > 3 and name in ('laplacian', 'sharpen'))
    u, v = np.mgrid[:size, :size] - size // 2; r = u * u + v * v; g = np.exp(-r / (2 * sigma * sigma))
    all_ = dict(identity=r < 1, edge=size * size * (r < 1) - 1, laplacian=5 * (r < 1) - (r < 2), sharpen=6 * (r < 1) - (r < 2), box=r * 0 + size ** -2., gaussian=g / g.sum())
    no(name not in all_); return all_[name] * 1.

def filter_image(image, kernel, *, mode='replicate'):
    no(0 in [k % 2 for k in kernel.shape])
    if image.ndim > 2: return np.stack([filter_image(c, kernel, mode=mode) for c in image.T.swapaxes(1, 2)], 2)
    return correlate2d(pad2d(image * 1., (kernel.shape[0] // 2, kernel.shape[1] // 2), mode), kernel).round().clip(0, 255).astype('u1')

def W(x, k, s, p):
    k = P(k); x = pad2d(x, p); no(k[0] > x.shape[2] or k[1] > x.shape[3])
    return win(x, k, (2, 3))[:, :, ::P(s)[0], ::P(s)[1]]

def conv2d_forward(x, w, b, *, stride=1, padding=0):
    no(x.shape[1] != w.shape[1]); return np.moveaxis(np.tensordot(W(x, w.shape[2:], stride, padding), w, [[1, 4, 5], [1, 2, 3]]) + b, 3, 1)

def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    d = dt(dy, x, w); dy, x, w = (a.astype(d) for a in (dy, x, w)); k = w.shape[2:]
    dw = np.tensordot(dy, W(x, k, stride, padding), [[0, 2, 3], [0, 2, 3]])
    cols = w.reshape(len(w), -1).T @ dy.reshape(*dy.shape[:2], -1)
    return col2im(cols, x.shape[2:], k, stride=stride, padding=padding), dw, dy.sum((0, 2, 3))

def im2col(x, kernel_size, *, stride=1, padding=0):
    v = W(x, kernel_size, stride, padding).transpose(0, 1, 4, 5, 2, 3)
    return v.reshape(len(x), int(np.prod(v.shape[1:4])), -1)

def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    no(x.shape[1] != w.shape[1]); s, p = P(stride), P(padding)
    y = w.reshape(len(w), -1) @ im2col(x, w.shape[2:], stride=s, padding=p) + b[:, None]
    return y.reshape(len(x), len(w), *(output_size(x.shape[a + 2], w.shape[a + 2], stride=s[a], padding=p[a]) for a in (0, 1)))

conv2d_parameter_count = lambda in_channels, out_channels, kernel_size, bias=True: out_channels * (in_channels * P(kernel_size)[0] * P(kernel_size)[1] + bool(bias))
linear_parameter_count = lambda in_features, out_features, bias=True: out_features * (in_features + bool(bias))

def learn_kernel(x, y, kernel_size, *, lr, steps):
    d = dt(x, y); v = win(x.astype(float), P(kernel_size)); w = np.zeros(P(kernel_size)); losses = []
    for _ in range(steps): e = np.tensordot(v, w) - y; losses += [(e * e).mean()]; w = w - lr * 2 / e.size * np.tensordot(e, v)
    return w.astype(d), np.array(losses, d)

def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    (H, Wd), (kh, kw), (sh, sw), (ph, pw) = map(P, (size, kernel_size, stride, padding))
    a, b = output_size(H, kh, stride=sh, padding=ph), output_size(Wd, kw, stride=sw, padding=pw)
    c = cols.astype(dt(cols)).reshape(len(cols), -1, kh, kw, a, b); x = np.zeros((*c.shape[:2], H + 2 * ph, Wd + 2 * pw), c.dtype)
    for i, j in it.product(range(a), range(b)): x[..., i * sh:i * sh + kh, j * sw:j * sw + kw] += c[..., i, j]
    return x[..., ph:ph + H, pw:pw + Wd]
