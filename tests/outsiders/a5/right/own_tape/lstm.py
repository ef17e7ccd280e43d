"""Assignment 5 with a small tape for derivatives: operators on a class, generators, accumulate and reduce."""

from __future__ import annotations

import operator
from functools import reduce
from itertools import accumulate, islice
from typing import NamedTuple

import numpy as np


class Var:
    """An array that remembers what it was made of: pairs of an earlier Var and what takes gradients back to it."""

    __array_ufunc__ = None  # so that NumPy leaves array * Var to us

    def __init__(self, value, *made_of):
        self.value, self.made_of = value, made_of

    def __add__(self, other):
        other = as_var(other)
        return Var(
            self.value + other.value,
            (self, lambda d: fit(d, self.value)),
            (other, lambda d: fit(d, other.value)),
        )

    def __mul__(self, other):
        other = as_var(other)
        return Var(
            self.value * other.value,
            (self, lambda d: fit(d * other.value, self.value)),
            (other, lambda d: fit(d * self.value, other.value)),
        )

    def __rsub__(self, number):
        return Var(number - self.value, (self, operator.neg))

    def __matmul__(self, other):
        return Var(
            self.value @ other.value,
            (self, lambda d: d @ other.value.T),
            (other, lambda d: self.value.T @ d),
        )

    @property
    def T(self):
        return Var(self.value.T, (self, np.transpose))

    def __getitem__(self, where):
        def back(d):
            whole = np.zeros_like(self.value)
            whole[where] = d
            return whole

        return Var(self.value[where], (self, back))

    def blocks(self, count):
        width = self.value.shape[-1] // count
        return [self[..., k * width : (k + 1) * width] for k in range(count)]

    def through(self, value, slope):
        """A function entry by entry, of which the values are known."""
        return Var(value, (self, lambda d: d * slope))

    def tanh(self, value=None):
        value = np.tanh(self.value) if value is None else value
        return self.through(value, 1 - value * value)

    def sigmoid(self, value=None):
        value = sigmoid(self.value) if value is None else value
        return self.through(value, value * (1 - value))


def as_var(value):
    return value if isinstance(value, Var) else Var(value)


def fit(d, like):
    """Biases are added to every row, so their gradient is a sum over rows."""
    return d.sum(axis=0) if d.ndim > like.ndim else d


def sigmoid(a):
    small = np.exp(-abs(a))
    return np.where(a >= 0, 1, small) / (1 + small)


def side_by_side(left, right):
    columns = left.value.shape[1]
    return Var(
        np.hstack([left.value, right.value]), (left, lambda d: d[:, :columns]), (right, lambda d: d[:, columns:])
    )


def gradients(ends, wanted):
    """The gradients of ``wanted`` where those of ``ends``, pairs of a Var and its gradient, are given."""
    order, seen = [], set()

    def visit(var):
        if id(var) not in seen:
            seen.add(id(var))
            for earlier, _ in var.made_of:
                visit(earlier)
            order.append(var)

    found = {}
    for var, d in ends:
        visit(var)
        found[id(var)] = found[id(var)] + d if id(var) in found else d
    for var in reversed(order):
        for earlier, back in var.made_of if id(var) in found else ():
            d = back(found[id(var)])
            found[id(earlier)] = found[id(earlier)] + d if id(earlier) in found else d
    return [found[id(var)] if id(var) in found else np.zeros_like(var.value) for var in wanted]


class State(NamedTuple):
    h: np.ndarray
    c: np.ndarray
    gates: np.ndarray | None = None


def time_first(x):
    return (x[:, t] for t in range(x.shape[1]))


def lstm_step_forward(x, h, c, W, b):
    a_f, a_i, a_g, a_o = np.split(np.concatenate((h, x), axis=-1) @ W.T + b, 4, axis=-1)
    gates = f, i, g, o = sigmoid(a_f), sigmoid(a_i), np.tanh(a_g), sigmoid(a_o)
    c_next = f * c + i * g
    return State(o * np.tanh(c_next), c_next, np.concatenate(gates, axis=-1))


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    f, i, g, o = np.split(gates, 4, axis=-1)
    leaves = x, h, c, W, b = [Var(x), Var(h), Var(c), Var(W), Var(np.zeros_like(W[:, 0]))]
    a_f, a_i, a_g, a_o = (side_by_side(h, x) @ W.T + b).blocks(4)
    cell = a_f.sigmoid(f) * c + a_i.sigmoid(i) * a_g.tanh(g)
    cell.value = c_next
    return tuple(gradients([(a_o.sigmoid(o) * cell.tanh(), dh_next), (cell, dc_next)], leaves))


def lstm_forward(x, h0, c0, W, b):
    def step(state, x_t):
        return lstm_step_forward(x_t, state.h, state.c, W, b)

    states = islice(accumulate(time_first(x), step, initial=State(h0, c0)), 1, None)
    return tuple(np.stack(parts, axis=1) for parts in zip(*states))


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    def walk():
        d_h, d_c = np.zeros_like(h0), dc_last
        befores = [State(h0, c0), *map(State, time_first(h), time_first(c))]
        steps = list(zip(time_first(dh), time_first(x), befores, time_first(c), time_first(gates)))
        for dh_t, x_t, before, c_t, gates_t in steps[::-1]:
            back = lstm_step_backward(dh_t + d_h, d_c, x_t, before.h, before.c, c_t, gates_t, W)
            _, d_h, d_c, *_ = back
            yield back

    dx, dh0, dc0, dW, db = zip(*walk())
    return np.stack(dx[::-1], axis=1), dh0[-1], dc0[-1], reduce(operator.add, dW), reduce(operator.add, db)


def forget_path_gradient(f, t, k):
    if k == 0:
        return np.broadcast_to(f.dtype.type(1), f.shape[1:])  # read-only
    if k == 1:
        return f[t - 1]  # a view
    return forget_path_gradient(f, t, k // 2) * forget_path_gradient(f, t - k // 2, k - k // 2)


class Pair(NamedTuple):
    """What all entries of c_{t-k} do to the cell state and to the hidden state, a column each."""

    c: np.ndarray
    h: np.ndarray


def cell_jacobian(c, gates, W, t, k):
    H = c.shape[1]

    def column(v):
        return v[:, None]

    def slopes(s):
        f, i, g, o = map(column, np.split(gates[s - 1], 4))
        shown = column(np.tanh(c[s - 1]))
        return f, i, g, o, shown, o * (1 - shown * shown)

    def carry(pair, s):
        f, i, g, o, shown, through = slopes(s)
        a_f, a_i, a_g, a_o = np.split(W[:, :H] @ pair.h, 4)
        written = i * (1 - i) * a_i * g + i * (1 - g * g) * a_g
        cell = f * pair.c + f * (1 - f) * a_f * column(c[s - 2]) + written
        return Pair(cell, through * cell + o * (1 - o) * a_o * shown)

    same = np.identity(H, dtype=c.dtype)
    return reduce(carry, range(t - k + 1, t + 1), Pair(same, slopes(t - k)[-1] * same)).c


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    def rows():
        for _ in range(4 * hidden_size):
            yield (2 * rng.random(hidden_size + input_size) - 1) / hidden_size**0.5

    b = np.zeros((4, hidden_size))
    b[0] = forget_bias
    return np.array([*rows()]), b.ravel()


def gru_tape(*given):
    """The new state and the six arguments, on the tape."""
    leaves = x, h, weight_ih, weight_hh, bias_ih, bias_hh = [*map(Var, given)]
    (u_r, u_z, u_n), (v_r, v_z, v_n) = (x @ weight_ih.T + bias_ih).blocks(3), (h @ weight_hh.T + bias_hh).blocks(3)
    z = (u_z + v_z).sigmoid()
    n = (u_n + (u_r + v_r).sigmoid() * v_n).tanh()
    return (1 - z) * n + z * h, leaves


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    return gru_tape(x, h, weight_ih, weight_hh, bias_ih, bias_hh)[0].value


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    def step(h, x_t):
        return gru_step_forward(x_t, h, weight_ih, weight_hh, bias_ih, bias_hh)

    _, *states = accumulate(time_first(x), step, initial=h0)
    return np.stack(states, axis=1)


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    return len({"rnn": "h", "gru": "rzn", "lstm": "figo"}[kind]) * hidden_size * (input_size + hidden_size + biases)


def reverse_padded(x, lengths):
    turned = [np.concatenate((row[:length][::-1], row[length:])) for row, length in zip(x, lengths)]
    return np.stack(turned) if turned else x


def bidirectional_lstm(x, lengths, layers):
    if any(length not in range(1, x.shape[1] + 1) for length in lengths.tolist()):
        raise ValueError("lengths are from 1 to T")
    padding = np.arange(x.shape[1])[None, :] >= lengths[:, None]

    def clean(out):
        out = np.array(out)
        out[padding] = 0
        return out

    def turned(out):
        return reverse_padded(out, lengths)

    def layer(words, pair):
        def run(way, W, b):
            zeros = np.zeros((len(x), len(W) // 4), x.dtype)
            return way(lstm_forward(way(words), zeros, zeros, W, b)[0])

        (there, back) = pair
        return clean(np.dstack([run(np.asarray, *there), run(turned, *back)]))

    return reduce(layer, layers, clean(x))


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    never = frozenset((mask_id, *(int(word) for word in special_ids)))
    ordinary = np.array([word for word in range(vocab_size) if word not in never], ids.dtype)
    inputs, labels = np.array(ids), np.full(ids.shape, -100, ids.dtype)
    rows, columns = np.nonzero(np.isin(ids, ordinary))
    draws = rng.random((2, rows.size))
    for row, column, whether, what in zip(rows, columns, *draws):
        if whether < probability:
            labels[row, column] = ids[row, column]
            if what < 0.8:
                inputs[row, column] = mask_id
            elif what < 0.9:
                inputs[row, column] = rng.choice(ordinary)
    return inputs, labels


def masked_lm_loss(logits, labels):
    gradient = np.zeros_like(logits)
    where = np.nonzero(labels != -100)
    right = labels[where].astype(np.intp)
    if not right.size:
        return 0.0, gradient
    scores = logits[where] - logits[where].max(axis=1, keepdims=True)
    rows = np.arange(right.size)
    log_p = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    loss = -log_p[rows, right].mean()
    share = np.exp(log_p)
    share[rows, right] -= 1
    gradient[where] = share / right.size
    return float(loss), gradient


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    h_next, leaves = gru_tape(x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    return tuple(gradients([(h_next, dh_next)], leaves))


def chrono_bias(hidden_size, max_lag, *, rng):
    spans = np.fromiter((1 + (max_lag - 2) * rng.random() for _ in range(hidden_size)), float)
    return np.pad(np.concatenate((np.log(spans), -np.log(spans))), (0, 2 * hidden_size))
