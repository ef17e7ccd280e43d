"""Recursion by halves, closures, reduce, generators; results are often views with unusual strides."""
from __future__ import annotations

from functools import reduce
from itertools import accumulate, chain

import numpy as np

join = lambda *parts: np.concatenate(parts, axis=-1)


def squash(a):
    """A sigmoid that takes exponentials of numbers below zero only."""
    e = np.exp(-np.abs(a))
    return np.where(a < 0, e, 1) / (1 + e)


def lstm_step_forward(x, h, c, W, b):
    out = (join(h, x) @ W.T + b).T  # (4H, N)
    H = h.shape[1]
    rows = lambda k: out[k * H : (k + 1) * H].T
    gates = join(*(fn(rows(k)) for k, fn in enumerate((squash, squash, np.tanh, squash))))
    f, i, g, o = (gates[:, k * H : k * H + H] for k in range(4))
    after = f * c + i * g
    return o * np.tanh(after), after, gates


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    f, i, g, o = np.hsplit(gates, 4)
    shown = np.tanh(c_next)
    total = dc_next + dh_next * o * (1 + shown) * (1 - shown)
    da = join(
        total * c * f * (1 - f),
        total * g * i * (1 - i),
        total * i * (1 + g) * (1 - g),
        dh_next * shown * o * (1 - o),
    )
    dh, dx = np.split(da @ W, [h.shape[1]], axis=1)
    return dx, dh, total * f, (join(h, x).T @ da).T, np.ones(len(da), da.dtype) @ da


def _by_halves(low, high, one, both):
    """Solve a range of steps by solving its halves."""
    if high - low == 1:
        return one(low)
    middle = (low + high) // 2
    first = _by_halves(low, middle, one, both)
    return both(first, _by_halves(middle, high, one, both))


def lstm_forward(x, h0, c0, W, b):
    now = [h0, c0]

    def one(t):
        h, c, gates = lstm_step_forward(x[:, t], *now, W, b)
        now[:] = h, c
        return [(h, c, gates)]

    steps = _by_halves(0, x.shape[1], one, lambda p, q: p + q)
    return tuple(np.stack(kind).swapaxes(0, 1) for kind in zip(*steps))


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    T = x.shape[1]

    def undo(low, high, up_h, up_c):
        """Gradients of the steps low, ..., high - 1; the second half first."""
        if high - low == 1:
            before = (h[:, low - 1], c[:, low - 1]) if low else (h0, c0)
            dx, *rest = lstm_step_backward(up_h + dh[:, low], up_c, x[:, low], *before, c[:, low], gates[:, low], W)
            return dx[:, None], *rest
        middle = low + (high - low) // 2
        dx2, up_h, up_c, dW2, db2 = undo(middle, high, up_h, up_c)
        dx1, up_h, up_c, dW1, db1 = undo(low, middle, up_h, up_c)
        return np.concatenate([dx1, dx2], axis=1), up_h, up_c, dW1 + dW2, db1 + db2

    return undo(0, T, np.zeros_like(h0), dc_last)


def forget_path_gradient(f, t, k):
    return reduce(np.multiply, f[t - k : t], np.broadcast_to(f.dtype.type(1), f.shape[1:]))


def cell_jacobian(c, gates, W, t, k):
    H = c.shape[1]
    V = np.split(W[:, :H], 4)
    eye = np.eye(H, dtype=c.dtype)

    def pair(k):
        """The derivatives of c_s and h_s at s = t0 + k by c at t0 = t - K."""
        s = start + k
        f, i, g, o = (part[:, None] for part in np.split(gates[s - 1], 4))
        shown = np.tanh(c[s - 1])[:, None]
        return f, i, g, o, shown

    start = t - k
    _, _, _, o, shown = pair(0)

    def step(state, j):
        J, K = state
        f, i, g, o, shown = pair(j)
        F, I, G, O = (M @ K for M in V)
        new = f * J + c[start + j - 2][:, None] * f * (1 - f) * F + g * i * (1 - i) * I + i * (1 - g * g) * G
        return new, o * (1 - shown**2) * new + shown * o * (1 - o) * O

    *_, (J, _) = accumulate(range(1, k + 1), step, initial=(eye, o * (1 - shown**2) * eye))
    return J


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    bound = hidden_size**-0.5
    columns = [rng.uniform(-bound, bound, 4 * hidden_size) for _ in range(hidden_size + input_size)]
    biases = chain([float(forget_bias)] * hidden_size, [0.0] * 3 * hidden_size)
    return np.stack(columns).T, np.fromiter(biases, dtype=np.float64)


def _gru_parts(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    ur, uz, un = np.hsplit((weight_ih @ x.T + bias_ih[:, None]).T, 3)
    vr, vz, vn = np.hsplit((weight_hh @ h.T + bias_hh[:, None]).T, 3)
    r, z = squash(ur + vr), squash(uz + vz)
    return r, z, np.tanh(un + r * vn), vn


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    _, z, n, _ = _gru_parts(x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    return n - z * n + z * h


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    step = lambda h, x_t: gru_step_forward(x_t, h, weight_ih, weight_hh, bias_ih, bias_hh)
    return np.dstack([*accumulate(x.swapaxes(0, 1), step, initial=h0)][1:]).swapaxes(1, 2)


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    blocks = {"rnn": "h", "gru": "rzn", "lstm": "figo"}[kind]
    return sum(hidden_size * (input_size + hidden_size) + hidden_size * biases for _ in blocks)


def reverse_padded(x, lengths):
    out = np.array(x)
    for row, source, length in zip(out, x, lengths.tolist()):
        row[:length] = source[:length][::-1]
    return out


def bidirectional_lstm(x, lengths, layers):
    N, T, _ = x.shape
    if any(not 1 <= length <= T for length in lengths.tolist()):
        raise ValueError(f"each length must lie from 1 to {T}")
    beyond = np.arange(T) >= lengths[:, None]

    def clean(y):
        y = np.array(y)
        y[beyond] = 0
        return y

    def under(y, depth):
        if not depth:
            return y
        y = under(y, depth - 1)
        H = layers[depth - 1][0][1].shape[0] // 4
        zeros = np.zeros((N, H), x.dtype)
        turn = lambda a: reverse_padded(a, lengths)
        ways = (lambda a: a, turn)
        return clean(join(*(w(lstm_forward(w(y), zeros, zeros, *p)[0]) for w, p in zip(ways, layers[depth - 1]))))

    return under(clean(x), len(layers))


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    banned = {int(word) for word in special_ids} | {int(mask_id)}
    words = [word for word in range(vocab_size) if word not in banned]

    def fate(word):
        """(input, label) of one word."""
        if word in banned or rng.random() >= probability:
            return word, -100
        lot = rng.integers(10)
        return (mask_id if lot < 8 else words[rng.integers(len(words))] if lot == 8 else word), word

    pairs = np.array([fate(word) for word in ids.ravel().tolist()], dtype=ids.dtype).reshape(*ids.shape, 2)
    return pairs[..., 0], pairs[..., 1]


def masked_lm_loss(logits, labels):
    where = np.nonzero(labels != -100)
    if not where[0].size:
        return 0.0, np.broadcast_to(logits.dtype.type(0), logits.shape)
    z, right = logits[where], labels[where]
    m, rows = len(z), np.arange(len(z))
    z = z - z.max(axis=1, keepdims=True)
    p = np.exp(z)
    s = p.sum(axis=1, keepdims=True)
    loss = (np.log(s[:, 0]) - z[rows, right]).mean(dtype=np.float64)
    p /= s
    p[rows, right] -= 1
    d = np.zeros(logits.shape, logits.dtype)
    d[where] = p / m
    return loss, d


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    r, z, n, vn = _gru_parts(x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    dn = dh_next * (1 - z) * (1 + n) * (1 - n)
    shared = join(dn * vn * r * (1 - r), dh_next * (h - n) * z * (1 - z))
    du, dv = join(shared, dn), join(shared, r * dn)
    return du @ weight_ih, dh_next * z + dv @ weight_hh, (x.T @ du).T, (h.T @ dv).T, du.sum(0), dv.sum(0)


def chrono_bias(hidden_size, max_lag, *, rng):
    spans = [rng.uniform(1, max_lag - 1) for _ in range(hidden_size)]
    log = np.log(np.array(spans))
    return join(log, -log, np.zeros(2 * hidden_size))
