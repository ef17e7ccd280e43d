"""Assignment 5 in extended precision inside, with vectors per row, matrices of slopes, and pairs (c, h) as one state."""

from __future__ import annotations

import numpy as np

LONG = np.longdouble


def _long(*arrays):
    return [np.asarray(array, dtype=LONG) for array in arrays]


def _gate(a):
    return np.exp(-np.logaddexp(LONG(0), -a))


def _lstm_row(x, h, c, W, b):
    """One row: the states after the step and the gates."""
    H = h.size
    a = (W @ np.r_[h, x] + b).reshape(4, H)
    gates = np.array([_gate(a[0]), _gate(a[1]), np.tanh(a[2]), _gate(a[3])])
    c_next = gates[0] * c + gates[1] * gates[2]
    return gates[3] * np.tanh(c_next), c_next, gates.ravel()


def _slopes(c, c_next, gates):
    """How a step moves: d c_next / d a (H, 4H), d c_next / d c (H, H), and d h_next / d a with c_next held (H, 4H),
    d h_next / d c_next (H, H).
    """
    f, i, g, o = gates.reshape(4, -1)
    shown, none = np.tanh(c_next), np.zeros((c.size, c.size), LONG)
    c_by_a = np.hstack([np.diag(v) for v in (c * f * (1 - f), g * i * (1 - i), i * (1 - g * g))] + [none])
    h_by_a = np.hstack([none, none, none, np.diag(shown * o * (1 - o))])
    return c_by_a, np.diag(f), h_by_a, np.diag(o * (1 - shown * shown))


def _lstm_row_back(dh_next, dc_next, c, c_next, gates):
    """One row: gradients of the four sums and of the old cell."""
    c_by_a, c_by_c, h_by_a, h_by_c = _slopes(c, c_next, gates)
    at_c = dc_next + dh_next @ h_by_c
    return at_c @ c_by_a + dh_next @ h_by_a, at_c @ c_by_c


def lstm_step_forward(x, h, c, W, b):
    N, H = h.shape
    x_, h_, c_, W_, b_ = _long(x, h, c, W, b)
    h_next, c_next, gates = np.empty((N, H), h.dtype), np.empty((N, H), h.dtype), np.empty((N, 4 * H), h.dtype)
    for n in range(N):
        h_next[n], c_next[n], gates[n] = _lstm_row(x_[n], h_[n], c_[n], W_, b_)
    return h_next, c_next, gates


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    whole = lstm_backward(
        dh_next[:, None], dc_next, x[:, None], h, c, np.zeros_like(h)[:, None], c_next[:, None], gates[:, None], W
    )
    return whole[0][:, 0], *whole[1:]


def lstm_forward(x, h0, c0, W, b):
    (N, T, _), H, dtype = x.shape, h0.shape[1], x.dtype
    x_, W_, b_ = _long(x, W, b)
    h, c, gates = np.empty((N, T, H), dtype), np.empty((N, T, H), dtype), np.empty((N, T, 4 * H), dtype)
    for n in range(N):
        now, cell = _long(h0[n], c0[n])
        for t in range(T):
            now, cell, gates[n, t] = _lstm_row(x_[n, t], now, cell, W_, b_)
            h[n, t], c[n, t] = now, cell
    return h, c, gates


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    (N, T, _), H, dtype = x.shape, h0.shape[1], x.dtype
    dh_, dc_last_, x_, h0_, c0_, h_, c_, gates_, W_ = _long(dh, dc_last, x, h0, c0, h, c, gates, W)
    h_, c_ = np.concatenate([h0_[:, None], h_], 1), np.concatenate([c0_[:, None], c_], 1)  # now index t is time t
    dx, dh0, dc0 = np.empty(x.shape, dtype), np.empty(h0.shape, dtype), np.empty(c0.shape, dtype)
    dW, db = np.zeros(W.shape, LONG), np.zeros(4 * H, LONG)
    for n in range(N):
        d_h, d_c = np.zeros(H, LONG), dc_last_[n]
        for t in range(T, 0, -1):
            da, d_c = _lstm_row_back(d_h + dh_[n, t - 1], d_c, c_[n, t - 1], c_[n, t], gates_[n, t - 1])
            dW += np.outer(da, np.r_[h_[n, t - 1], x_[n, t - 1]])
            db += da
            d_h, dx[n, t - 1] = np.split(da @ W_, [H])
        dh0[n], dc0[n] = d_h, d_c
    return dx, dh0, dc0, dW.astype(dtype), db.astype(dtype)


def forget_path_gradient(f, t, k):
    return np.multiply.reduce(np.flip(f[t - k : t]), axis=0, dtype=LONG)[::-1].astype(f.dtype)


def cell_jacobian(c, gates, W, t, k):
    """The pair (c, h) is the state: a chain of (2H, 2H) matrices, of which the corner is cut out."""
    H = c.shape[1]
    c_, gates_, W_h = _long(c, gates, W[:, :H])
    at = t - k - 1
    o = gates_[at, 3 * H :]
    pair = np.vstack([np.eye(H, dtype=LONG), np.diag(o * (1 - np.tanh(c_[at]) ** 2))])  # (2H, H)
    for s in range(at + 1, t):
        c_by_a, c_by_c, h_by_a, h_by_c = _slopes(c_[s - 1], c_[s], gates_[s])
        to_c = np.hstack([c_by_c, c_by_a @ W_h])
        pair = np.vstack([to_c, h_by_c @ to_c + np.hstack([np.zeros((H, H), LONG), h_by_a @ W_h])]) @ pair
    return pair[:H].astype(c.dtype)


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    size = 4 * hidden_size, hidden_size + input_size
    W = np.sqrt(1 / hidden_size) * (1 - 2 * rng.beta(1, 1, size))
    return W, np.where(np.arange(4 * hidden_size) < hidden_size, np.float64(forget_bias), 0.0)


def _gru_row(x, h, w_ih, w_hh, b_ih, b_hh):
    (u_r, u_z, u_n), (v_r, v_z, v_n) = (w_ih @ x + b_ih).reshape(3, -1), (w_hh @ h + b_hh).reshape(3, -1)
    r, z = _gate(u_r + v_r), _gate(u_z + v_z)
    return r, z, np.tanh(u_n + r * v_n), v_n


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    return gru_forward(x[:, None], h, weight_ih, weight_hh, bias_ih, bias_hh)[:, 0]


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    states = np.empty((*x.shape[:2], h0.shape[1]), x.dtype)
    x_, h0_, *weights = _long(x, h0, weight_ih, weight_hh, bias_ih, bias_hh)
    for n, h in enumerate(h0_):
        for t in range(x.shape[1]):
            _, z, new, _ = _gru_row(x_[n, t], h, *weights)
            h = new + z * (h - new)
            states[n, t] = h
    return states


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    match kind:
        case "rnn":
            return hidden_size * (input_size + hidden_size) + biases * hidden_size
        case "gru":
            return 3 * parameter_count("rnn", input_size, hidden_size, biases=biases)
        case _:
            return 4 * parameter_count("rnn", input_size, hidden_size, biases=biases)


def reverse_padded(x, lengths):
    steps = np.arange(x.shape[1])
    order = np.argsort(np.where(steps < lengths[:, None], -steps - 1, steps), axis=1, kind="stable")
    return x[np.arange(x.shape[0])[:, None], order]


def bidirectional_lstm(x, lengths, layers):
    N, T, _ = x.shape
    if ((lengths - 1) // T != 0).any():
        raise ValueError(lengths)
    out = np.zeros((N, T, len(layers[0][0][0]) // 2), x.dtype)
    for length in np.unique(lengths):  # all sequences of one length at once: no padding at all
        rows = np.flatnonzero(lengths == length)
        words = x[rows, :length]
        for forward, backward in layers:
            halves = []
            for way, (W, b) in ((1, forward), (-1, backward)):
                zeros = np.zeros((rows.size, len(b) // 4), x.dtype)
                halves.append(lstm_forward(words[:, ::way], zeros, zeros, W, b)[0][:, ::way])
            words = np.concatenate(halves, axis=-1)
        out[rows, :length] = words
    return out


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    words = np.setdiff1d(np.arange(vocab_size), np.array([mask_id, *special_ids], dtype=np.int64))
    shares = np.array([1 - probability, 0.8 * probability, 0.1 * probability, 0.1 * probability])
    fate = rng.choice(4, size=ids.shape, p=shares)
    fate[~np.isin(ids, words)] = 0
    drawn = rng.choice(words, size=ids.shape) if words.size else ids
    inputs = np.choose(fate, [ids, np.full_like(ids, mask_id), drawn.astype(ids.dtype), ids])
    return inputs, np.where(fate > 0, ids, ids.dtype.type(-100))


def masked_lm_loss(logits, labels):
    z = logits.astype(LONG)
    chosen = (labels != -100)[..., None]
    count = max(int(chosen.sum()), 1)
    log_p = z - np.logaddexp.reduce(z, axis=-1, keepdims=True)
    truth = np.equal(np.arange(logits.shape[-1]), labels[..., None])
    loss = -np.sum(log_p, where=truth) / count
    return float(loss), np.where(chosen, (np.exp(log_p) - truth) / count, 0).astype(logits.dtype)


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    dh_next_, x_, h_, *weights = _long(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    du, dv = np.zeros((2, len(x), len(bias_ih)), LONG)
    direct = np.zeros(h.shape, LONG)
    for n, dy in enumerate(dh_next_):
        r, z, new, v_n = _gru_row(x_[n], h_[n], *weights)
        a_n = dy * (1 - z) * (1 - new * new)
        a_z, a_r = dy * (h_[n] - new) * z * (1 - z), a_n * v_n * r * (1 - r)
        du[n], dv[n], direct[n] = np.r_[a_r, a_z, a_n], np.r_[a_r, a_z, a_n * r], dy * z
    found = du @ weights[0], dv @ weights[1] + direct, du.T @ x_, dv.T @ h_, du.sum(0), dv.sum(0)
    return tuple(array.astype(x.dtype) for array in found)


def chrono_bias(hidden_size, max_lag, *, rng):
    log_s = np.log(1 + (max_lag - 2) * rng.random(hidden_size).astype(LONG))
    return np.concatenate([log_s, -log_s, np.zeros(2 * hidden_size)]).astype(np.float64)
