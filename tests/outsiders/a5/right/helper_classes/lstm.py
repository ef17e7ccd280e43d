"""Helper classes: a tape of small operations, cells as objects, recursion over time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


class Sigmoid:
    @staticmethod
    def of(a):
        small = np.exp(-np.abs(a))
        return np.where(a >= 0, 1 / (1 + small), small / (1 + small)).astype(a.dtype)

    @staticmethod
    def slope(value):
        return value * (1 - value)


class Tanh:
    @staticmethod
    def of(a):
        return np.tanh(a)

    @staticmethod
    def slope(value):
        return (1 - value) * (1 + value)


@dataclass
class Gates:
    f: np.ndarray
    i: np.ndarray
    g: np.ndarray
    o: np.ndarray

    KINDS = (Sigmoid, Sigmoid, Tanh, Sigmoid)

    @classmethod
    def cut(cls, array):
        H = array.shape[-1] // 4
        return cls(*(array[..., block * H : (block + 1) * H] for block in range(4)))

    @classmethod
    def from_sums(cls, sums):
        cut = cls.cut(sums)
        return cls(*(kind.of(a) for kind, a in zip(cls.KINDS, cut, strict=True)))

    def __iter__(self):
        return iter((self.f, self.i, self.g, self.o))

    def slopes(self):
        return Gates(*(kind.slope(value) for kind, value in zip(self.KINDS, self, strict=True)))

    def joined(self):
        return np.concatenate(list(self), axis=-1)


@dataclass
class Cell:
    W: np.ndarray
    b: np.ndarray | None = None

    @cached_property
    def H(self):
        return self.W.shape[0] // 4

    @property
    def of_h(self):
        return self.W[:, : self.H]

    @property
    def of_x(self):
        return self.W[:, self.H :]

    def step(self, x, h, c):
        gates = Gates.from_sums(h @ self.of_h.T + x @ self.of_x.T + self.b)
        cell = gates.f * c + gates.i * gates.g
        return gates.o * np.tanh(cell), cell, gates

    def undo(self, dh, dc, x, h, c, c_next, gates):
        shown = np.tanh(c_next)
        d = dc + dh * gates.o * Tanh.slope(shown)
        slopes = gates.slopes()
        da = np.concatenate(
            [d * c * slopes.f, d * gates.g * slopes.i, d * gates.i * slopes.g, dh * shown * slopes.o], axis=1
        )
        dW = np.concatenate([da.T @ h, da.T @ x], axis=1)
        return da @ self.of_x, da @ self.of_h, d * gates.f, dW, da.sum(axis=0)


def lstm_step_forward(x, h, c, W, b):
    h_next, c_next, gates = Cell(W, b).step(x, h, c)
    return h_next, c_next, gates.joined()


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    return Cell(W).undo(dh_next, dc_next, x, h, c, c_next, Gates.cut(gates))


def lstm_forward(x, h0, c0, W, b):
    cell, h, c, tape = Cell(W, b), h0, c0, []
    for now in np.moveaxis(x, 1, 0):
        h, c, gates = cell.step(now, h, c)
        tape.append((h, c, gates.joined()))
    return tuple(np.moveaxis(np.array(list(part)), 0, 1) for part in zip(*tape, strict=True))


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    cell = Cell(W)

    def before(states, first, t):
        return states[:, t - 1] if t else first

    def back(t, dh_later, dc_later):
        """From the gradients that step t + 1 left to what all steps up to t say, dx in the order of the steps."""
        dx, d_h, d_c, dW, db = cell.undo(
            dh[:, t] + dh_later, dc_later, x[:, t], before(h, h0, t), before(c, c0, t), c[:, t], Gates.cut(gates[:, t])
        )
        return dx, d_h, d_c, dW, db

    d_h, d_c, found = np.zeros_like(h0), dc_last, []
    for t in reversed(range(x.shape[1])):
        dx, d_h, d_c, dW, db = back(t, d_h, d_c)
        found.append((dx, dW, db))
    found.reverse()
    return (
        np.stack([dx for dx, _, _ in found], axis=1),
        d_h,
        d_c,
        np.sum([dW for _, dW, _ in found], axis=0),
        np.sum([db for _, _, db in found], axis=0),
    )


def forget_path_gradient(f, t, k):
    if k == 0:
        return np.ones_like(f, shape=f.shape[1:])
    return f[t - 1] * forget_path_gradient(f, t - 1, k - 1)


def cell_jacobian(c, gates, W, t, k):
    """Backward: a row of J for each entry of c_t, by the backward step of a batch of H identical rows."""
    H = c.shape[1]
    cell = Cell(W)
    dh, dc = np.zeros((H, H), c.dtype), np.eye(H, dtype=c.dtype)
    nothing = np.zeros((H, W.shape[1] - H), c.dtype)
    for s in range(t - 1, t - k - 1, -1):
        row = Gates.cut(np.tile(gates[s], (H, 1)))
        _, dh, dc, _, _ = cell.undo(dh, dc, nothing, np.zeros((H, H), c.dtype), c[s - 1], c[s], row)
    start = t - k - 1
    return dc + dh * gates[start, 3 * H :] * Tanh.slope(np.tanh(c[start]))


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    bound = 1 / np.sqrt(hidden_size)
    b = np.zeros((4, hidden_size))
    b[0] = forget_bias
    return rng.uniform(-bound, bound, size=(4 * hidden_size, hidden_size + input_size)), b.reshape(-1)


class Gru:
    def __init__(self, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
        self.x, self.h, self.wi, self.wh = x, h, weight_ih, weight_hh
        H = h.shape[1]
        u, v = x @ weight_ih.T + bias_ih, h @ weight_hh.T + bias_hh
        self.r, self.z = Sigmoid.of(u[:, :H] + v[:, :H]), Sigmoid.of(u[:, H : 2 * H] + v[:, H : 2 * H])
        self.vn = v[:, 2 * H :]
        self.n = np.tanh(u[:, 2 * H :] + self.r * self.vn)

    def forward(self):
        return (1 - self.z) * self.n + self.z * self.h

    def backward(self, up):
        an = up * (1 - self.z) * Tanh.slope(self.n)
        az = up * (self.h - self.n) * Sigmoid.slope(self.z)
        ar = an * self.vn * Sigmoid.slope(self.r)
        du, dv = np.concatenate([ar, az, an], axis=1), np.concatenate([ar, az, self.r * an], axis=1)
        dh = up * self.z + dv @ self.wh
        return du @ self.wi, dh, du.T @ self.x, dv.T @ self.h, du.sum(axis=0), dv.sum(axis=0)


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    return Gru(x, h, weight_ih, weight_hh, bias_ih, bias_hh).forward()


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    states = [h0]
    for t in range(x.shape[1]):
        states.append(gru_step_forward(x[:, t], states[-1], weight_ih, weight_hh, bias_ih, bias_hh))
    return np.concatenate([state[:, None] for state in states[1:]], axis=1)


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    shapes = [(hidden_size, input_size), (hidden_size, hidden_size)] + biases * [(hidden_size,)]
    return int({"rnn": 1, "gru": 3, "lstm": 4}[kind] * sum(np.prod(shape) for shape in shapes))


def reverse_padded(x, lengths):
    rows = [np.concatenate([row[:end][::-1], row[end:]]) for row, end in zip(x, lengths.tolist(), strict=True)]
    return np.stack(rows) if rows else x.copy()


class Padded:
    def __init__(self, x, lengths):
        if ((lengths < 1) | (lengths > x.shape[1])).any():
            raise ValueError("lengths go from 1 to T")
        self.lengths = lengths
        self.outside = np.arange(x.shape[1]) >= lengths[:, None]

    def clean(self, x):
        x = x.copy()
        x[self.outside] = 0
        return x

    def run(self, x, forward, backward):
        zeros = np.zeros((len(x), len(forward[1]) // 4), x.dtype)
        h, _, _ = lstm_forward(x, zeros, zeros, *forward)
        turned, _, _ = lstm_forward(reverse_padded(x, self.lengths), zeros, zeros, *backward)
        return self.clean(np.concatenate([h, reverse_padded(turned, self.lengths)], axis=2))


def bidirectional_lstm(x, lengths, layers):
    batch = Padded(x, lengths)

    def stack(value, rest):
        return stack(batch.run(value, *rest[0]), rest[1:]) if rest else value

    return stack(batch.clean(x), list(layers))


class Masker:
    def __init__(self, mask_id, vocab_size, special_ids, rng):
        self.mask_id, self.rng = mask_id, rng
        forbidden = {mask_id} | {int(word) for word in special_ids}
        self.words = [word for word in range(vocab_size) if word not in forbidden]
        self.known = np.zeros(vocab_size, bool)
        self.known[self.words] = True

    def __call__(self, ids, probability):
        chosen = np.argwhere(self.known[ids] & (self.rng.uniform(size=ids.shape) < probability))
        inputs, labels = np.array(ids), np.full_like(ids, -100)
        for n, t in chosen:
            labels[n, t] = ids[n, t]
            ways = (self._mask, self._mask, self._mask, self._mask, self._mask, self._mask, self._mask, self._mask)
            inputs[n, t] = (*ways, self._draw, int)[self.rng.integers(10)](ids[n, t])
        return inputs, labels

    def _mask(self, word):
        return self.mask_id

    def _draw(self, word):
        return self.rng.choice(self.words)


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    return Masker(mask_id, vocab_size, special_ids, rng)(ids, probability)


def masked_lm_loss(logits, labels):
    n, t = np.nonzero(labels != -100)
    dlogits = np.zeros_like(logits)
    if len(n) == 0:
        return 0.0, dlogits
    right = labels[n, t]
    shifted = logits[n, t] - logits[n, t].max(axis=-1, keepdims=True)
    powers = np.exp(shifted)
    total = powers.sum(axis=-1, keepdims=True)
    loss = np.mean(np.log(total[:, 0]) - np.take_along_axis(shifted, right[:, None].astype(np.intp), axis=1)[:, 0])
    np.add.at(dlogits, (n, t), powers / total / len(n))
    np.subtract.at(dlogits, (n, t, right), logits.dtype.type(1 / len(n)))
    return float(loss), dlogits


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    return Gru(x, h, weight_ih, weight_hh, bias_ih, bias_hh).backward(dh_next)


def chrono_bias(hidden_size, max_lag, *, rng):
    spans = np.log(rng.uniform(1, max_lag - 1, size=hidden_size))
    return Gates(spans, -spans, np.zeros(hidden_size), np.zeros(hidden_size)).joined()
