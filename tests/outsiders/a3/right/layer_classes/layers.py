"""My own little framework: a layer remembers what it needs, and knows its way back."""

import numpy as np
from provided import conv2d_backward, conv2d_forward


class Window:
    """Where pooling windows lie."""

    def __init__(self, kernel_size, stride=None, padding=0):
        self.k = self.pair(kernel_size)
        self.s = self.k if stride is None else self.pair(stride)
        self.p = self.pair(padding)

    @staticmethod
    def pair(value):
        return tuple(int(v) for v in value) if hasattr(value, "__len__") else (int(value),) * 2

    def check(self, height, width):
        for size, k, p in zip((height, width), self.k, self.p):
            if p > k // 2:
                raise ValueError(f"padding {p} beyond half of the window {k}")
            if k > size + 2 * p:
                raise ValueError(f"window {k} larger than the padded image {size + 2 * p}")

    def indices(self, size, axis):
        """Rows (or columns) of each window, shape (outputs, k), in the padded image."""
        k, s, p = self.k[axis], self.s[axis], self.p[axis]
        starts = np.arange(0, size + 2 * p - k + 1, s)
        return starts[:, None] + np.arange(k)

    def gather(self, x, fill=0.0):
        """(N, C, Ho, Wo, kh * kw): a copy of every window."""
        rows, cols = self.indices(x.shape[2], 0), self.indices(x.shape[3], 1)
        if any(self.p):
            (a, b), dtype = self.p, x.dtype
            x = np.pad(x, [(0, 0), (0, 0), (a, a), (b, b)], constant_values=dtype.type(fill))
        windows = x[:, :, rows[:, None, :, None], cols[None, :, None, :]]
        return windows.reshape(*windows.shape[:4], -1)

    def scatter(self, windows, shape):
        """The transpose of gather: add every window back to the image of this shape."""
        n, c, h, w = shape
        rows, cols = self.indices(h, 0), self.indices(w, 1)
        out = np.zeros((n, c, h + 2 * self.p[0], w + 2 * self.p[1]), windows.dtype)
        windows = windows.reshape(*windows.shape[:4], *self.k)
        np.add.at(out, np.s_[:, :, rows[:, None, :, None], cols[None, :, None, :]], windows)
        return out[:, :, self.p[0] : self.p[0] + h, self.p[1] : self.p[1] + w]


class Layer:
    names = ()

    def forward(self, x):
        raise TypeError

    def backward(self, dy):
        raise TypeError


class Conv(Layer):
    def __init__(self, name, params):
        self.names = (f"{name}.weight", f"{name}.bias")
        self.w, self.b = (params[key] for key in self.names)

    def forward(self, x):
        self.x = x
        return conv2d_forward(x, self.w, self.b)

    def backward(self, dy):
        dx, *self.grads = conv2d_backward(dy, self.x, self.w)
        return dx


class Linear(Conv):
    def forward(self, x):
        self.x = x
        return np.dot(x, self.w.transpose()) + self.b

    def backward(self, dy):
        dtype = np.result_type(dy, self.x, self.w)
        dw = sum((np.outer(d, v) for d, v in zip(dy, self.x)), np.zeros(self.w.shape, dtype))
        self.grads = [dw, dy.sum(axis=0).astype(dtype)]
        return np.dot(dy, self.w).astype(dtype)


class ReLU(Layer):
    def forward(self, x):
        self.on = x > 0
        return np.where(self.on, x, x.dtype.type(0))

    def backward(self, dy):
        return np.where(self.on, dy, dy.dtype.type(0))


class MaxPool(Layer):
    def __init__(self, *args, **kwargs):
        self.window = Window(*args, **kwargs)

    def forward(self, x):
        self.window.check(*x.shape[2:])
        self.shape, self.dtype = x.shape, x.dtype
        windows = self.window.gather(x, -np.inf)
        self.winner = windows.argmax(axis=-1)
        return np.take_along_axis(windows, self.winner[..., None], -1)[..., 0]

    def backward(self, dy):
        kh, kw = self.window.k
        windows = np.zeros((*dy.shape, kh * kw), np.result_type(dy, self.dtype))
        np.put_along_axis(windows, self.winner[..., None], dy[..., None], axis=-1)
        return self.window.scatter(windows, self.shape)


class AvgPool(Layer):
    def __init__(self, *args, **kwargs):
        self.window = Window(*args, **kwargs)

    def forward(self, x):
        self.shape, self.dtype = x.shape, x.dtype
        return self.window.gather(x).mean(axis=-1)

    def backward(self, dy):
        kh, kw = self.window.k
        dy = dy.astype(np.result_type(dy, self.dtype))
        return self.window.scatter(np.repeat(dy[..., None] / (kh * kw), kh * kw, axis=-1), self.shape)


class Flatten(Layer):
    def forward(self, x):
        self.shape = x.shape
        return np.stack([image.ravel() for image in x])

    def backward(self, dy):
        return dy.reshape(self.shape)


class CrossEntropy:
    def __init__(self, target):
        self.target = target

    def forward(self, z):
        z = z - np.max(z, axis=1)[:, None]
        e = np.exp(z)
        total = e.sum(axis=1)
        self.p = e / total[:, None]
        return float((np.log(total) - np.take_along_axis(z, self.target[:, None], 1)[:, 0]).mean())

    def backward(self):
        truth = np.eye(self.p.shape[1], dtype=self.p.dtype)[self.target]
        return (self.p - truth) / len(truth)


class Network:
    def __init__(self, params):
        self.layers = [
            Conv("conv1", params), ReLU(), MaxPool(2),
            Conv("conv2", params), ReLU(), MaxPool(2),
            Flatten(),
            Linear("fc1", params), ReLU(),
            Linear("fc2", params), ReLU(),
            Linear("fc3", params),
        ]  # fmt: skip

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, dy):
        grads = {}
        for layer in reversed(self.layers):
            dy = layer.backward(dy)
            if layer.names:
                grads.update(zip(layer.names, layer.grads))
        return grads


class Momentum:
    """Keeps the velocity, and never writes into what it was given."""

    def __init__(self, lr, momentum, velocity=None):
        self.lr, self.momentum, self.velocity = float(lr), float(momentum), velocity

    def step(self, params, grads):
        if self.velocity is None:
            self.velocity = {key: np.zeros_like(value) for key, value in params.items()}
        self.velocity = {key: self.momentum * v + grads[key] for key, v in self.velocity.items()}
        return {key: value - self.lr * self.velocity[key] for key, value in params.items()}
