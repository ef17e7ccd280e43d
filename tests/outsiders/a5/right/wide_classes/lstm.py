"""Dataclasses and match; float64 inside (by a decorator), cast back at the end."""
from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np


def wide(function):
    """Run in float64, answer in the dtype of the first floating array."""

    @functools.wraps(function)
    def run(*args, **kwargs):
        kinds = [a.dtype for a in (*args, *kwargs.values()) if isinstance(a, np.ndarray) and a.dtype.kind == "f"]
        up = lambda a: a.astype(np.float64) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a
        down = lambda a: a.astype(kinds[0]) if isinstance(a, np.ndarray) and a.ndim else a
        answer = function(*map(up, args), **{key: up(a) for key, a in kwargs.items()})
        return tuple(map(down, answer)) if isinstance(answer, tuple) else down(answer)

    return run


def sigmoid(a):
    return np.exp(-np.logaddexp(0, -a))


@dataclass(frozen=True)
class Gates:
    f: np.ndarray
    i: np.ndarray
    g: np.ndarray
    o: np.ndarray

    @classmethod
    def of(cls, array):
        return cls(*np.split(array, 4, axis=-1))

    @property
    def slopes(self):
        return Gates(*((1 - v**2) if name == "g" else v - v**2 for name, v in vars(self).items()))

    def flat(self):
        return np.concatenate([self.f, self.i, self.g, self.o], axis=-1)


@wide
def lstm_step_forward(x, h, c, W, b):
    H = h.shape[1]
    sums = Gates.of(h @ W[:, :H].T + x @ W[:, H:].T + b)
    act = Gates(sigmoid(sums.f), sigmoid(sums.i), np.tanh(sums.g), sigmoid(sums.o))
    c_next = act.f * c + act.i * act.g
    return act.o * np.tanh(c_next), c_next, act.flat()


@wide
def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    act, shown = Gates.of(gates), np.tanh(c_next)
    s = act.slopes
    d = dc_next + dh_next * act.o * (1 - shown**2)
    da = Gates(d * c * s.f, d * act.g * s.i, d * act.i * s.g, dh_next * shown * s.o).flat()
    H = h.shape[1]
    return da @ W[:, H:], da @ W[:, :H], d * act.f, np.hstack([da.T @ h, da.T @ x]), da.sum(axis=0)


@wide
def lstm_forward(x, h0, c0, W, b):
    N, T, _ = x.shape
    H = h0.shape[1]
    room = np.empty((N, T, 6 * H))  # h, c and the gates in one; what is returned are views of it
    h, c = h0, c0
    for t in range(T):
        h, c, gates = lstm_step_forward(x[:, t], h, c, W, b)
        room[:, t] = np.hstack([h, c, gates])
    return room[..., :H], room[..., H : 2 * H], room[..., 2 * H :]


@wide
def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    dx, dW, db = np.empty(x.shape), np.zeros(W.shape), np.zeros(len(W))
    gh, gc = np.zeros(h0.shape), dc_last
    t = x.shape[1]
    while t:
        t -= 1
        match t:
            case 0:
                before = h0, c0
            case _:
                before = h[:, t - 1], c[:, t - 1]
        dx[:, t], gh, gc, dW_t, db_t = lstm_step_backward(gh + dh[:, t], gc, x[:, t], *before, c[:, t], gates[:, t], W)
        dW += dW_t
        db += db_t
    return dx, gh, gc, dW, db


@wide
def forget_path_gradient(f, t, k):
    match k:
        case 0:
            return np.ones(f.shape[1])
        case _:
            return forget_path_gradient(f, t - 1, k - 1) * f[t - 1] if k < 50 else f[t - k : t].prod(axis=0)


@wide
def cell_jacobian(c, gates, W, t, k):
    """The transposed way: rows of J are carried back, as in backpropagation."""
    H = c.shape[1]
    V = W[:, :H]
    jc, jh = np.eye(H), np.zeros((H, H))  # by c_s and by h_s, s = t at first
    for s in range(t - 1, t - k - 1, -1):
        act, shown = Gates.of(gates[s]), np.tanh(c[s])
        slope = act.slopes
        total = jc + jh * (act.o * (1 - shown**2))
        da = np.hstack(
            [total * c[s - 1] * slope.f, total * act.g * slope.i, total * act.i * slope.g, jh * shown * slope.o]
        )
        jc, jh = total * act.f, da @ V
    s = t - k - 1
    return jc + jh * (Gates.of(gates[s]).o * (1 - np.tanh(c[s]) ** 2))


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    bound = 1 / np.sqrt(hidden_size)
    W = np.hstack([rng.uniform(-bound, bound, (4 * hidden_size, n)) for n in (hidden_size, input_size)])
    b = np.zeros(4 * hidden_size)
    b[:hidden_size] = forget_bias
    return W, b


@dataclass(frozen=True)
class Gru:
    weight_ih: np.ndarray
    weight_hh: np.ndarray
    bias_ih: np.ndarray
    bias_hh: np.ndarray

    def parts(self, x, h):
        u = np.split(x @ self.weight_ih.T + self.bias_ih, 3, axis=1)
        v = np.split(h @ self.weight_hh.T + self.bias_hh, 3, axis=1)
        r, z = sigmoid(u[0] + v[0]), sigmoid(u[1] + v[1])
        return r, z, np.tanh(u[2] + r * v[2]), v[2]

    def step(self, x, h):
        _, z, n, _ = self.parts(x, h)
        return (1 - z) * n + z * h


@wide
def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    return Gru(weight_ih, weight_hh, bias_ih, bias_hh).step(x, h)


@wide
def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    cell = Gru(weight_ih, weight_hh, bias_ih, bias_hh)

    def states(h):
        for t in range(x.shape[1]):
            yield (h := cell.step(x[:, t], h))

    return np.stack(list(states(h0)), axis=1)


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    match kind:
        case "rnn":
            blocks = 1
        case "gru":
            blocks = 3
        case "lstm":
            blocks = 4
    return blocks * hidden_size * (input_size + hidden_size + biases)


def reverse_padded(x, lengths):
    out = x.copy()
    for length in set(lengths.tolist()):
        rows = lengths == length
        out[rows, :length] = np.flip(x[rows, :length], axis=1)
    return out


def bidirectional_lstm(x, lengths, layers):
    match [int(n) for n in lengths if n < 1 or n > x.shape[1]]:
        case [wrong, *_]:
            raise ValueError(f"length {wrong}")
    keep = np.arange(x.shape[1])[None, :, None] < lengths[:, None, None]
    y = np.where(keep, x, np.zeros_like(x))
    for forward, backward in layers:
        start = np.zeros((x.shape[0], forward[1].size // 4), dtype=x.dtype)
        left = lstm_forward(y, start, start, *forward)[0]
        right = reverse_padded(lstm_forward(reverse_padded(y, lengths), start, start, *backward)[0], lengths)
        y = np.concatenate([left, right], axis=-1)
    return np.where(keep, y, np.zeros_like(y))


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    words = np.setdiff1d(np.arange(vocab_size), [mask_id, *special_ids])
    selected = np.isin(ids, words) & (rng.uniform(size=ids.shape) < probability)
    inputs, labels = ids.copy(), np.full(ids.shape, -100, dtype=ids.dtype)
    labels[selected] = ids[selected]
    for n, t in np.argwhere(selected):
        match int(rng.integers(0, 10)):
            case 0:
                inputs[n, t] = rng.choice(words)
            case 1:
                pass
            case _:
                inputs[n, t] = mask_id
    return inputs, labels


@wide
def masked_lm_loss(logits, labels):
    chosen = labels != -100
    count = int(np.count_nonzero(chosen))
    if count == 0:
        return 0.0, np.zeros(logits.shape)
    z = logits - logits.max(axis=2)[:, :, None]
    log_p = z - np.log(np.exp(z).sum(axis=2))[:, :, None]
    target = np.where(chosen, labels, 0).astype(np.int64)[:, :, None]
    loss = -np.take_along_axis(log_p, target, axis=2)[:, :, 0][chosen].sum() / count
    d = np.exp(log_p)
    np.put_along_axis(d, target, np.take_along_axis(d, target, axis=2) - 1, axis=2)
    return float(loss), np.where(chosen[:, :, None], d, 0) / count


@wide
def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    r, z, n, v = Gru(weight_ih, weight_hh, bias_ih, bias_hh).parts(x, h)
    dn = (dh_next - dh_next * z) * (1 - n**2)
    dz = dh_next * (h - n) * (z - z**2)
    dr = dn * v * (r - r**2)
    du, dv = np.hstack([dr, dz, dn]), np.hstack([dr, dz, dn * r])
    return (
        du @ weight_ih,
        dv @ weight_hh + z * dh_next,
        np.tensordot(du, x, axes=(0, 0)),
        np.tensordot(dv, h, axes=(0, 0)),
        du.sum(axis=0),
        dv.sum(axis=0),
    )


def chrono_bias(hidden_size, max_lag, *, rng):
    b = np.zeros((4, hidden_size))
    b[0] = np.log(rng.uniform(1, max_lag - 1, hidden_size))
    b[1] = -b[0]
    return b.ravel()
