"""Index arithmetic: flat indices, interleaved blocks, time first inside, derivatives of the pair (c, h) as a matrix."""
from __future__ import annotations

import numpy as np


def _block(H, k):
    return np.arange(k * H, (k + 1) * H)


def _logistic(a):
    low = a < 0
    e = np.exp(np.where(low, a, -a))
    return np.where(low, e / (1 + e), 1 / (1 + e))


def lstm_step_forward(x, h, c, W, b):
    N, H = h.shape
    hx = np.empty((1 + W.shape[1], N), W.dtype)
    hx[:H], hx[H:-1], hx[-1] = h.T, x.T, 1
    a = np.column_stack([W, b]) @ hx  # the bias is the last column
    is_g = np.arange(4 * H) // H == 2
    gates = np.where(is_g[:, None], np.tanh(a), _logistic(a))
    c_next = gates[_block(H, 0)] * c.T + gates[_block(H, 1)] * gates[_block(H, 2)]
    return (gates[_block(H, 3)] * np.tanh(c_next)).T, c_next.T, gates.T


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    N, H = h.shape
    f, i, g, o = (gates.take(_block(H, k), axis=1) for k in range(4))
    th = np.tanh(c_next)
    d = dc_next + dh_next * (o - o * th * th)
    da = np.zeros((N, 4 * H), W.dtype)
    da[:, 0:H] = d * c * (f - f * f)
    da[:, H : 2 * H] = d * g * (i - i * i)
    da[:, 2 * H : 3 * H] = d * (i - i * g * g)
    da[:, 3 * H :] = dh_next * th * (o - o * o)
    hx1 = np.ones((N, W.shape[1] + 1), W.dtype)
    hx1[:, :H], hx1[:, H:-1] = h, x
    dWb, dhx = np.dot(da.T, hx1), np.dot(da, W)
    return dhx[:, H:], dhx[:, :H], d * f, dWb[:, :-1], dWb[:, -1]


def lstm_forward(x, h0, c0, W, b):
    N, T, _ = x.shape
    H = h0.shape[1]
    h, c = (np.empty((T + 1, N, H), x.dtype) for _ in range(2))  # index 0 is the initial state, as in formulas
    gates = np.empty((T + 1, N, 4 * H), x.dtype)
    h[0], c[0] = h0, c0
    for t in range(1, T + 1):
        h[t], c[t], gates[t] = lstm_step_forward(x[:, t - 1], h[t - 1], c[t - 1], W, b)
    return np.moveaxis(h[1:], 0, 1), np.moveaxis(c[1:], 0, 1), np.moveaxis(gates[1:], 0, 1)


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    N, T, D = x.shape
    H = h0.shape[1]
    hh, cc = np.empty((2, N, T + 1, H), x.dtype)
    hh[:, 0], cc[:, 0], hh[:, 1:], cc[:, 1:] = h0, c0, h, c
    da = np.empty((T, N, 4 * H), x.dtype)
    to_h, to_c = dh[:, T - 1], dc_last
    for t in range(T, 0, -1):
        f, i, g, o = np.split(gates[:, t - 1], 4, axis=1)
        th = np.tanh(cc[:, t])
        d = to_c + to_h * o * (1 - th**2)
        parts = d * cc[:, t - 1] * f * (1 - f), d * g * i * (1 - i), d * i * (1 - g**2), to_h * th * o * (1 - o)
        np.concatenate(parts, axis=1, out=da[t - 1])
        to_h, to_c = da[t - 1] @ W[:, :H], d * f
        if t > 1:
            to_h = to_h + dh[:, t - 2]
    flat = da.reshape(T * N, 4 * H)  # all steps at once, time first
    read = np.concatenate([hh[:, :-1], x], axis=2).swapaxes(0, 1).reshape(T * N, H + D)
    return (da @ W[:, H:]).swapaxes(0, 1), to_h, to_c, flat.T @ read, flat.sum(axis=0)


def forget_path_gradient(f, t, k):
    steps = np.arange(1, len(f) + 1)[:, None]
    return np.where((t - k < steps) & (steps <= t), f, f.dtype.type(1)).prod(axis=0)


def cell_jacobian(c, gates, W, t, k):
    """The pair (c, h) has a one-step derivative (2H, 2H); these may be multiplied."""
    H = c.shape[1]
    eye = np.eye(H, dtype=c.dtype)

    def pair(s):
        f, i, g, o = np.split(gates[s - 1], 4)
        th = np.tanh(c[s - 1])
        F, I, G, O = np.split(W[:, :H], 4)
        by_h = (
            (c[s - 2] * f * (1 - f))[:, None] * F + (g * i * (1 - i))[:, None] * I + (i * (1 - g * g))[:, None] * G
        )
        show = (o * (1 - th * th))[:, None]
        return np.block([[np.diag(f), by_h], [show * np.diag(f), show * by_h + (th * o * (1 - o))[:, None] * O]])

    th, o = np.tanh(c[t - k - 1]), gates[t - k - 1, 3 * H :]
    column = np.vstack([eye, np.diag(o * (1 - th * th))])
    for s in range(t - k + 1, t + 1):
        column = pair(s) @ column
    return column[:H]


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    rows, columns = 4 * hidden_size, hidden_size + input_size
    W = np.array([rng.uniform(-1.0, 1.0, columns) for _ in range(rows)]) * hidden_size**-0.5
    return W, np.where(np.arange(rows) < hidden_size, float(forget_bias), 0.0)


def _gru(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    H = h.shape[1]
    u, v = np.inner(x, weight_ih) + bias_ih, np.inner(h, weight_hh) + bias_hh
    rz = _logistic(u[:, : 2 * H] + v[:, : 2 * H])
    return rz[:, :H], rz[:, H:], np.tanh(u[:, 2 * H :] + rz[:, :H] * v[:, 2 * H :]), v[:, 2 * H :]


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    _, z, n, _ = _gru(x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    return z * h + (1 - z) * n


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    N, T, _ = x.shape
    out = np.empty((N, h0.shape[1], T + 1), x.dtype)  # time last
    out[:, :, 0] = h0
    for t in range(T):
        out[:, :, t + 1] = gru_step_forward(x[:, t], out[:, :, t], weight_ih, weight_hh, bias_ih, bias_hh)
    return out.transpose(0, 2, 1)[:, 1:]


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    blocks = (1, 3, 4)[("rnn", "gru", "lstm").index(kind)]
    return blocks * (hidden_size * input_size + hidden_size * hidden_size + biases * hidden_size)


def reverse_padded(x, lengths):
    N, T, D = x.shape
    n, t = np.divmod(np.arange(N * T), T)
    source = np.where(t < lengths[n], lengths[n] - 1 - t, t)
    return x.reshape(N * T, D)[n * T + source].reshape(N, T, D)


def bidirectional_lstm(x, lengths, layers):
    """No turning: the backward LSTM goes through time backwards, and its state is zero until a row has begun."""
    N, T, _ = x.shape
    if lengths.min(initial=1) < 1 or lengths.max(initial=1) > T:
        raise ValueError("length")
    on = np.arange(T)[:, None] < lengths  # (T, N)
    y = np.where(on.T[:, :, None], x, x.dtype.type(0))
    for pair in layers:
        H = pair[0][1].shape[0] // 4
        out = np.zeros((N, T, 2 * H), x.dtype)
        for way, (W, b) in enumerate(pair):
            h, c = np.zeros((2, N, H), x.dtype)
            for t in range(T)[:: 1 - 2 * way]:
                new_h, new_c, _ = lstm_step_forward(y[:, t], h, c, W, b)
                h, c = (np.where(on[t][:, None], new, old) for new, old in ((new_h, h), (new_c, c)))
                out[on[t], t, way * H : (way + 1) * H] = h[on[t]]
        y = out
    return y


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    usual = np.ones(vocab_size, dtype=bool)
    usual[mask_id] = False
    for word in special_ids:
        usual[word] = False
    words = np.flatnonzero(usual)
    inputs, labels = ids.flatten(), np.full(ids.size, -100, ids.dtype)
    places = np.flatnonzero(usual[inputs])
    places = places[rng.random(len(places)) < probability]
    labels[places] = inputs[places]
    lot = rng.random(len(places))
    inputs[places[lot < 0.8]] = mask_id
    other = places[lot >= 0.9]
    if len(other):
        inputs[other] = rng.choice(words, size=len(other))
    return inputs.reshape(ids.shape), labels.reshape(ids.shape)


def masked_lm_loss(logits, labels):
    N, T, V = logits.shape
    flat = labels.astype(np.int64).ravel()
    at = np.flatnonzero(flat != -100)
    d = np.zeros((N * T, V), logits.dtype)
    loss = 0.0
    z = logits.reshape(N * T, V)
    for row in at:
        shifted = z[row] - z[row].max()
        e = np.exp(shifted)
        loss += (float(np.log(e.sum())) - float(shifted[flat[row]])) / len(at)
        d[row] = e / e.sum()
        d[row, flat[row]] -= 1
    return loss, (d / max(len(at), 1)).reshape(N, T, V)


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    N, H = h.shape
    r, z, n, v = _gru(x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    du = np.empty((N, 3 * H), h.dtype)
    du[:, 2 * H :] = dn = dh_next * (1 - z) * (1 - n * n)
    du[:, H : 2 * H] = dh_next * (h - n) * z * (1 - z)
    du[:, :H] = dn * v * r * (1 - r)
    dv = du.copy()
    dv[:, 2 * H :] *= r
    return (
        du.dot(weight_ih),
        dv.dot(weight_hh) + dh_next * z,
        du.T.dot(x),
        dv.T.dot(h),
        np.add.reduce(du),
        np.add.reduce(dv),
    )


def chrono_bias(hidden_size, max_lag, *, rng):
    log = np.log(max_lag - 1 - (max_lag - 2) * rng.random(hidden_size))
    return np.outer([1.0, -1.0, 0.0, 0.0], log).ravel()
