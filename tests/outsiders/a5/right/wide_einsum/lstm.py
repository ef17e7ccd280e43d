"""Everything in float64 (or wider) inside, einsum, classes; cast back at the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

BLOCKS = "figo"


def _wide(*arrays):
    return [np.asarray(a, dtype=np.float64) for a in arrays]


def _logistic(a):
    """exp(-log(1 + exp(-a))): never overflows."""
    return np.exp(-np.logaddexp(0.0, -a))


@dataclass
class Gates:
    """The four blocks, each (..., H)."""

    f: np.ndarray
    i: np.ndarray
    g: np.ndarray
    o: np.ndarray

    @classmethod
    def of(cls, flat):
        cut = flat.reshape(*flat.shape[:-1], 4, flat.shape[-1] // 4)
        return cls(*np.moveaxis(cut, -2, 0))

    @classmethod
    def from_sums(cls, a):
        raw = cls.of(a)
        return cls(_logistic(raw.f), _logistic(raw.i), np.tanh(raw.g), _logistic(raw.o))

    def flat(self):
        both = np.stack([self.f, self.i, self.g, self.o], axis=-2)
        return both.reshape(*both.shape[:-2], both.shape[-2] * both.shape[-1])

    def slopes(self):
        return Gates(self.f - self.f**2, self.i - self.i**2, (1 - self.g) * (1 + self.g), self.o - self.o**2)


def _step(x, h, c, W, b):
    H = h.shape[-1]
    rows = W.reshape(4, H, W.shape[1])
    a = np.einsum("bhk,nk->nbh", rows[..., :H], h) + np.einsum("bhd,nd->nbh", rows[..., H:], x) + b.reshape(4, H)
    gates = Gates.from_sums(a.reshape(len(h), 4 * H))
    c = gates.f * c + gates.i * gates.g
    return gates.o * np.tanh(c), c, gates


def lstm_step_forward(x, h, c, W, b):
    dtype = x.dtype
    h, c, gates = _step(*_wide(x, h, c, W, b))
    return h.astype(dtype), c.astype(dtype), gates.flat().astype(dtype)


def _undo(dh_next, dc_next, x, h, c, c_next, gates, W):
    H = h.shape[-1]
    g, s = Gates.of(gates), Gates.of(gates).slopes()
    shown = np.tanh(c_next)
    total = dc_next + dh_next * g.o * (1 - shown) * (1 + shown)
    da = Gates(total * c * s.f, total * g.g * s.i, total * g.i * s.g, dh_next * shown * s.o).flat()
    dx, dh = np.einsum("na,ad->nd", da, W[:, H:]), np.einsum("na,ah->nh", da, W[:, :H])
    dW = np.empty(W.shape)
    np.einsum("na,nh->ah", da, h, out=dW[:, :H])
    np.einsum("na,nd->ad", da, x, out=dW[:, H:])
    return dx, dh, total * g.f, dW, np.einsum("na->a", da)


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    answer = _undo(*_wide(dh_next, dc_next, x, h, c, c_next, gates, W))
    return tuple(a.astype(x.dtype) for a in answer)


def lstm_forward(x, h0, c0, W, b):
    wide_x, h, c, W, b = _wide(x, h0, c0, W, b)
    N, T, _ = x.shape
    H = h0.shape[1]
    out = np.empty((N, T, 6 * H), dtype=x.dtype)
    for t in range(T):
        h, c, gates = _step(wide_x[:, t], h, c, W, b)
        out[:, t] = np.concatenate([h, c, gates.flat()], axis=1)
    return out[..., :H], out[..., H : 2 * H], out[..., 2 * H :]


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    dtype = x.dtype
    dh, dc, x, h0, c0, h, c, gates, W = _wide(dh, dc_last, x, h0, c0, h, c, gates, W)
    h_all, c_all = np.concatenate([h0[:, None], h], axis=1), np.concatenate([c0[:, None], c], axis=1)
    dx, dW, db, back = np.empty(x.shape), np.zeros(W.shape), np.zeros(len(W)), np.zeros(h0.shape)
    for t in range(x.shape[1], 0, -1):
        dx[:, t - 1], back, dc, more_W, more_b = _undo(
            dh[:, t - 1] + back, dc, x[:, t - 1], h_all[:, t - 1], c_all[:, t - 1], c_all[:, t], gates[:, t - 1], W
        )
        dW, db = dW + more_W, db + more_b
    return tuple(a.astype(dtype) for a in (dx, back, dc, dW, db))


def forget_path_gradient(f, t, k):
    return np.multiply.reduce(f[t - k : t].astype(np.longdouble), axis=0, initial=1).astype(f.dtype)


def cell_jacobian(c, gates, W, t, k):
    """Backwards, one cotangent for each unit p: the adjoint of what the handout describes."""
    dtype, H = c.dtype, c.shape[1]
    c, gates, W = _wide(c, gates, W)
    back_c, back_h = np.eye(H), np.zeros((H, H))  # row p: the gradient of c_t[p]
    for s in range(t, t - k, -1):
        g, slope, shown = Gates.of(gates[s - 1]), Gates.of(gates[s - 1]).slopes(), np.tanh(c[s - 1])
        total = back_c + back_h * g.o * (1 - shown**2)
        da = Gates(total * c[s - 2] * slope.f, total * g.g * slope.i, total * g.i * slope.g, back_h * shown * slope.o)
        back_c, back_h = total * g.f, np.einsum("pa,ah->ph", da.flat(), W[:, :H])
    g = Gates.of(gates[t - k - 1])
    return (back_c + back_h * g.o * (1 - np.tanh(c[t - k - 1]) ** 2)).astype(dtype)


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    u = rng.random(size=(hidden_size + input_size, 4 * hidden_size)).T
    return (2 * u - 1) / hidden_size**0.5, np.kron([float(forget_bias), 0.0, 0.0, 0.0], np.ones(hidden_size))


class _GRU:
    def __init__(self, weight_ih, weight_hh, bias_ih, bias_hh):
        self.wi, self.wh, self.bi, self.bh = (
            a.reshape(3, len(a) // 3, *a.shape[1:]) for a in _wide(weight_ih, weight_hh, bias_ih, bias_hh)
        )

    def gates(self, x, h):
        u = np.einsum("bhd,nd->bnh", self.wi, x) + self.bi[:, None]
        v = np.einsum("bhk,nk->bnh", self.wh, h) + self.bh[:, None]
        r, z = _logistic(u[0] + v[0]), _logistic(u[1] + v[1])
        closing = _logistic(-(u[1] + v[1]))  # 1 - z without cancellation
        return r, z, closing, np.tanh(u[2] + r * v[2]), v[2]

    def step(self, x, h):
        _, z, closing, n, _ = self.gates(x, h)
        return closing * n + z * h


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    return _GRU(weight_ih, weight_hh, bias_ih, bias_hh).step(*_wide(x, h)).astype(x.dtype)


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    gru, out = _GRU(weight_ih, weight_hh, bias_ih, bias_hh), np.empty((*x.shape[:2], h0.shape[1]), x.dtype)
    wide, h = _wide(x, h0)
    for t in range(x.shape[1]):
        out[:, t] = h = gru.step(wide[:, t], h)
    return out


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    D, H = input_size, hidden_size
    shapes = [(H, D), (H, H), *[(H, 1)] * biases] * dict(rnn=1, lstm=4, gru=3)[kind]
    return sum(a * b for a, b in shapes)


def reverse_padded(x, lengths):
    out = x.copy()
    for row, copy, length in zip(x, out, lengths.tolist()):
        copy[:length] = row[:length][::-1]
    return out


def bidirectional_lstm(x, lengths, layers):
    """Each sequence alone."""
    T = x.shape[1]
    if any(not 1 <= length <= T for length in lengths.tolist()):
        raise ValueError(f"lengths must lie between 1 and {T}")
    out = np.zeros((len(x), T, 2 * (len(layers[-1][0][1]) // 4)), dtype=x.dtype)
    for n, length in enumerate(lengths.tolist()):
        y = x[n : n + 1, :length]
        for forward, backward in layers:
            zero = np.zeros((1, len(forward[1]) // 4), dtype=x.dtype)
            ahead = lstm_forward(y, zero, zero, *forward)[0]
            behind = lstm_forward(y[:, ::-1], zero, zero, *backward)[0][:, ::-1]
            y = np.concatenate([ahead, behind], axis=2)
        out[n, :length] = y[0]
    return out


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    """One number decides selection and fate: u < 0.8 p hides, u < 0.9 p exchanges, u < p keeps."""
    is_ordinary = np.ones(vocab_size, dtype=bool)
    is_ordinary[mask_id] = False
    for special in special_ids:
        is_ordinary[special] = False
    words = np.flatnonzero(is_ordinary)
    u = np.where(is_ordinary[ids], rng.random(ids.shape), np.inf)
    drawn = words[rng.integers(len(words), size=ids.shape)] if len(words) else ids
    inputs = np.select([u < 0.8 * probability, u < 0.9 * probability], [np.full(ids.shape, mask_id), drawn], ids)
    labels = np.where(u < probability, ids, -100)
    return inputs.astype(ids.dtype), labels.astype(ids.dtype)


def masked_lm_loss(logits, labels):
    z = logits.astype(np.longdouble)
    counts = labels != -100
    m = int(counts.sum())
    if m == 0:
        return 0.0, np.zeros_like(logits)
    truth = labels[:, :, None] == np.arange(logits.shape[2])
    z = z - z.max(axis=2, keepdims=True)
    e = np.exp(z)
    total = e.sum(axis=2, keepdims=True)
    loss = np.where(truth, np.log(total) - z, 0).sum(axis=2)
    d = (e / total - truth) * counts[:, :, None] / m
    return float((loss * counts).sum() / m), d.astype(logits.dtype)


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    dtype = x.dtype
    gru = _GRU(weight_ih, weight_hh, bias_ih, bias_hh)
    d, x, h = _wide(dh_next, x, h)
    r, z, closing, n, v = gru.gates(x, h)
    dn = d * closing * (1 - n) * (1 + n)
    dz = d * (h - n) * z * closing
    dr = dn * v * r * (1 - r)
    du, dv = np.stack([dr, dz, dn]), np.stack([dr, dz, r * dn])
    H, D = h.shape[1], x.shape[1]
    answer = (
        np.einsum("bnh,bhd->nd", du, gru.wi),
        np.einsum("bnh,bhk->nk", dv, gru.wh) + d * z,
        np.einsum("bnh,nd->bhd", du, x).reshape(3 * H, D),
        np.einsum("bnh,nk->bhk", dv, h).reshape(3 * H, H),
        np.einsum("bnh->bh", du).reshape(3 * H),
        np.einsum("bnh->bh", dv).reshape(3 * H),
    )
    return tuple(a.astype(dtype) for a in answer)


def chrono_bias(hidden_size, max_lag, *, rng):
    b = np.zeros((4, hidden_size))
    b[0] = np.log1p((max_lag - 2) * rng.random(hidden_size))
    b[1] -= b[0]
    return b.ravel()
