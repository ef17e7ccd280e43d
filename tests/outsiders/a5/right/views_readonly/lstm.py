"""Time or unit first in memory, results that are views and may not be written to, NumPy scalars, formulas to the letter."""

from __future__ import annotations

from functools import wraps

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def frozen(function):
    """Results cannot be written to."""

    @wraps(function)
    def wrapped(*args, **kwargs):
        result = function(*args, **kwargs)
        views = []
        for array in result if isinstance(result, tuple) else (result,):
            if isinstance(array, np.ndarray):
                array = array.view()
                array.flags.writeable = False
            views.append(array)
        return tuple(views) if isinstance(result, tuple) else views[0]

    return wrapped


def sigmoid(a):
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-a))


def _step(xT, hT, cT, W, b):
    """Units first: x (D, N), h and c (H, N). Returns h and c, and gates (4, H, N)."""
    H = len(hT)
    a = (W[:, :H] @ hT + W[:, H:] @ xT + b[:, None]).reshape(4, H, -1 if hT.shape[1] else 0)
    gates = sigmoid(a)
    np.tanh(a[2], out=gates[2])
    c = gates[0] * cT + gates[1] * gates[2]
    return gates[3] * np.tanh(c), c, gates


@frozen
def lstm_step_forward(x, h, c, W, b):
    h_next, c_next, gates = _step(x.T, h.T, c.T, W, b)
    return h_next.T, c_next.T, gates.reshape(4 * h.shape[1], len(h)).T


@frozen
def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    H = h.shape[1]
    hx = np.block([h, x])
    f, i, g, o = np.array_split(gates.T, 4)
    tc = np.tanh(c_next.T)
    dc = dc_next.T + dh_next.T * o * (1 - tc**2)
    ones = np.ones_like(f)
    slopes = np.concatenate([f, i, ones + g, o]) * np.concatenate([ones - f, ones - i, ones - g, ones - o])
    da = np.concatenate([dc * c.T, dc * g, dc * i, dh_next.T * tc])
    da *= slopes
    back = W.T @ da
    return back[H:].T, back[:H].T, (dc * f).T, da @ hx, da.sum(axis=1)


@frozen
def lstm_forward(x, h0, c0, W, b):
    N, T, _ = x.shape
    H = h0.shape[1]
    tape = np.empty((T + 1, 6, H, N), dtype=x.dtype)  # h, c, f, i, g, o
    tape[0, 0], tape[0, 1], tape[0, 2:] = h0.T, c0.T, 0
    for t in range(T):
        tape[t + 1, 0], tape[t + 1, 1], tape[t + 1, 2:] = _step(x[:, t].T, tape[t, 0], tape[t, 1], W, b)
    run = tape[1:].transpose(3, 0, 1, 2)  # N, T, 6, H
    return run[:, :, 0], run[:, :, 1], run[:, :, 2:].reshape(N, T, 4 * H)


@frozen
def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    N, T, D = x.shape
    H = h0.shape[1]
    tape_h = np.concatenate([h0[:, None], h], axis=1)
    tape_c = np.concatenate([c0[:, None], c], axis=1)
    before, after = np.moveaxis(sliding_window_view(tape_c, 2, axis=1), -1, 0)
    tc = np.tanh(after)
    f, i, g, o = np.split(gates, 4, axis=2)
    # Everything that does not depend on what comes back, for all steps at once.
    shown = o * (1 - tc**2)
    by_c = np.stack([before * f * (1 - f), g * i * (1 - i), i * (1 - g**2)], axis=2)  # N, T, 3, H
    by_h = tc * o * (1 - o)
    da = np.zeros_like(gates)
    back_h, back_c = np.zeros_like(h0), dc_last
    for t in range(T)[::-1]:
        here = dh[:, t] + back_h
        total = back_c + here * shown[:, t]
        da[:, t, : 3 * H] = (by_c[:, t] * total[:, None]).reshape(N, 3 * H)
        da[:, t, 3 * H :] = by_h[:, t] * here
        back_c, back_h = total * f[:, t], da[:, t] @ W[:, :H]
    flat = da.reshape(N * T, 4 * H)
    dW = np.hstack([flat.T @ tape_h[:, :-1].reshape(N * T, H), flat.T @ x.reshape(N * T, D)])
    return da @ W[:, H:], back_h, back_c, dW, np.add.reduce(flat)


@frozen
def forget_path_gradient(f, t, k):
    if k == 0:
        return np.broadcast_to(f.dtype.type(1), f.shape[1:])
    return np.multiply.accumulate(f[t - k : t])[-1]


@frozen
def cell_jacobian(c, gates, W, t, k):
    """The pair (c, h) is carried by one matrix of 2H rows a step."""
    T, H = c.shape
    V = W[:, :H]
    o = gates[t - k - 1, 3 * H :]
    first = np.diag(o * (1 - np.tanh(c[t - k - 1]) ** 2))
    pair = np.vstack([np.identity(H, dtype=c.dtype), first])
    for s in range(t - k, t):
        f, i, g, o = gates[s].reshape(4, H)
        Vf, Vi, Vg, Vo = V.reshape(4, H, H)
        tc = np.tanh(c[s])
        c_by_h = (
            np.diag(c[s - 1] * f * (1 - f)) @ Vf + np.diag(g * i * (1 - i)) @ Vi + np.diag(i * (1 - g**2)) @ Vg
        )
        c_row = np.hstack([np.diag(f), c_by_h])
        h_row = np.diag(o * (1 - tc**2)) @ c_row
        h_row[:, H:] += np.diag(tc * o * (1 - o)) @ Vo
        pair = np.vstack([c_row, h_row]) @ pair
    return pair[:H]


@frozen
def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    W = np.empty((4 * hidden_size, hidden_size + input_size), order="F")
    rng.random(out=W.T)
    W -= 0.5
    W *= 2 / np.sqrt(hidden_size)
    b = np.where(np.arange(4 * hidden_size) < hidden_size, np.float64(forget_bias), 0.0)
    return W, b


@frozen
def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    H = h.shape[1]
    u = weight_ih @ x.T + bias_ih[:, np.newaxis]
    v = weight_hh @ h.T + bias_hh[:, np.newaxis]
    r, z = np.split(sigmoid(u[: 2 * H] + v[: 2 * H]), 2)
    n = np.tanh(u[2 * H :] + r * v[2 * H :])
    return ((1 - z) * n + z * h.T).T


@frozen
def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    out = np.empty((x.shape[1] + 1, *h0.shape), dtype=x.dtype)
    out[0] = h0
    for t, step in enumerate(np.moveaxis(x, 1, 0)):
        out[t + 1] = gru_step_forward(step, out[t], weight_ih, weight_hh, bias_ih, bias_hh)
    return np.moveaxis(out[1:], 0, 1)


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    return np.int64(len({"rnn": "h", "lstm": "figo", "gru": "rzn"}[kind]) * hidden_size) * (
        input_size + hidden_size + biases
    )


@frozen
def reverse_padded(x, lengths):
    """x itself where there is nothing to turn; else whole rows turned, and rolled back by their padding."""
    if not len(x) or lengths.max() <= 1:
        return x
    T = x.shape[1]
    t = np.arange(T)
    turned = x[:, ::-1]
    rolled = turned[np.arange(len(x))[:, None], (t + T - lengths[:, None]) % T]
    return np.where((t < lengths[:, None])[:, :, None], rolled, x)


@frozen
def bidirectional_lstm(x, lengths, layers):
    """Sequences of the same length together, cut to it."""
    N, T, _ = x.shape
    if np.any(lengths <= 0) or np.any(lengths > T):
        raise ValueError("a length is not from 1 to T")
    H = layers[-1][0][0].shape[0] // 4
    out = np.zeros((2 * H, N, T), dtype=x.dtype)
    for length in np.unique(lengths):
        rows = np.flatnonzero(lengths == length)
        y = x[rows, :length]
        for (Wf, bf), (Wb, bb) in layers:
            zero = np.zeros((len(rows), len(Wf) // 4), dtype=x.dtype)
            ahead = lstm_forward(y, zero, zero, Wf, bf)[0]
            behind = lstm_forward(y[:, ::-1], zero, zero, Wb, bb)[0]
            y = np.dstack([ahead, behind[:, ::-1]])
        out[:, rows, :length] = np.moveaxis(y, 2, 0)
    return np.moveaxis(out, 0, 2)


@frozen
def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    """Replacement for every place and fate for every place, most of which go unused."""
    hidden_from = np.zeros(vocab_size, dtype=bool)
    hidden_from[[mask_id, *special_ids]] = True
    (words,) = np.nonzero(~hidden_from)
    selected = rng.binomial(1, probability, size=ids.shape).astype(bool) & ~hidden_from[ids]
    fate = rng.choice(3, p=[0.8, 0.1, 0.1], size=ids.shape)
    inputs = ids
    if words.size:
        other = rng.choice(words, size=ids.shape).astype(ids.dtype)
        inputs = np.choose(np.where(selected, fate, 2), [ids.dtype.type(mask_id), other, ids])
    return inputs, np.where(selected, ids, ids.dtype.type(-100))


@frozen
def masked_lm_loss(logits, labels):
    selected = labels != -100
    m = np.count_nonzero(selected)
    if m == 0:
        return np.float64(0), np.broadcast_to(logits.dtype.type(0), logits.shape)
    shifted = np.subtract(logits, logits.max(axis=2, keepdims=True), dtype=np.float64)
    p = np.exp(shifted)
    total = p.sum(axis=2, keepdims=True)
    p /= total
    index = np.where(selected, labels, 0).astype(np.int64)[:, :, None]
    losses = np.log(total) - np.take_along_axis(shifted, index, axis=2)
    np.put_along_axis(p, index, np.take_along_axis(p, index, axis=2) - 1, axis=2)
    p[~selected] = 0
    return np.float64(losses[selected].sum() / m), (p / m).astype(logits.dtype)


@frozen
def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    H = h.shape[1]
    u = x @ weight_ih.T + bias_ih
    v = h @ weight_hh.T + bias_hh
    rz = sigmoid(u[:, : 2 * H] + v[:, : 2 * H])
    r, z = rz[:, :H], rz[:, H:]
    n = np.tanh(u[:, 2 * H :] + r * v[:, 2 * H :])
    both = np.empty((2, len(x), 3, H), dtype=x.dtype)
    both[:, :, 2] = dh_next * (1 - z) * (1 - n**2)
    both[:, :, 1] = dh_next * (h - n) * z * (1 - z)
    both[:, :, 0] = both[:, :, 2] * v[:, 2 * H :] * r * (1 - r)
    both[1, :, 2] *= r
    du, dv = both.reshape(2, len(x), 3 * H)
    dh = dv @ weight_hh
    dh += dh_next * z
    return du @ weight_ih, dh, (x.T @ du).T, (h.T @ dv).T, du.sum(axis=0), dv.sum(axis=0)


@frozen
def chrono_bias(hidden_size, max_lag, *, rng):
    b = np.zeros(4 * hidden_size)
    for j, s in enumerate(rng.uniform(1, max_lag - 1, size=hidden_size)):
        b[j : 2 * hidden_size : hidden_size] = np.log(s), -np.log(s)
    return b
