"""Everything in higher precision inside (longdouble, log space), rounded once at the end."""

from __future__ import annotations

import numpy as np

Wide = np.longdouble


def _wide(*arrays):
    return tuple(np.asarray(a, Wide) for a in arrays)


def _log_sigmoid(a):
    return np.minimum(a, 0) - np.log1p(np.exp(-np.abs(a)))


def _sigmoid(a):
    return np.exp(_log_sigmoid(a))


def lstm_step_forward(x, h, c, W, b):
    kind = h.dtype
    x, h, c, W, b = _wide(x, h, c, W, b)
    H = h.shape[1]
    a = np.concatenate([h, x], axis=1) @ W.T + b
    gates = np.exp(_log_sigmoid(a))
    gates[:, 2 * H : 3 * H] = np.tanh(a[:, 2 * H : 3 * H])
    f, i, g, o = (gates[:, k * H : (k + 1) * H] for k in range(4))
    c_next = f * c + i * g
    return (o * np.tanh(c_next)).astype(kind), c_next.astype(kind), gates.astype(kind)


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    kind = h.dtype
    dh_next, dc_next, x, h, c, c_next, gates, W = _wide(dh_next, dc_next, x, h, c, c_next, gates, W)
    H = h.shape[1]
    f, i, g, o = (gates[:, k * H : (k + 1) * H] for k in range(4))
    shown = np.tanh(c_next)
    small = np.exp(-2 * np.abs(c_next))
    d = dc_next + dh_next * o * 4 * small / (1 + small) ** 2
    da = np.empty_like(gates)
    da[:, :H], da[:, H : 2 * H] = d * c * f * (1 - f), d * g * i * (1 - i)
    da[:, 2 * H : 3 * H], da[:, 3 * H :] = d * i * (1 - g) * (1 + g), dh_next * shown * o * (1 - o)
    both = da @ W
    dW = da.T @ np.concatenate([h, x], axis=1)
    return tuple(a.astype(kind) for a in (both[:, H:], both[:, :H], d * f, dW, da.sum(axis=0)))


def lstm_forward(x, h0, c0, W, b):
    out = []
    h, c = h0, c0
    for t in range(x.shape[1]):
        h, c, gates = lstm_step_forward(x[:, t], h, c, W, b)
        out.append(np.concatenate([h, c, gates], axis=1))
    everything, H = np.stack(out, axis=1), h0.shape[1]
    return everything[..., :H], everything[..., H : 2 * H], everything[..., 2 * H :]


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    kind, T, H = x.dtype, x.shape[1], h0.shape[1]
    old_h, old_c = (np.roll(np.concatenate([s, first[:, None]], axis=1), 1, axis=1)[:, :T] for s, first in ((h, h0), (c, c0)))
    dh, d_c, x, old_h, old_c, c, gates, W = _wide(dh, dc_last, x, old_h, old_c, c, gates, W)
    d_h, dx, dW, db = np.zeros_like(d_c), np.empty_like(x), np.zeros_like(W), np.zeros(4 * H, Wide)
    for t in range(T)[::-1]:
        dx[:, t], d_h, d_c, more_W, more_b = lstm_step_backward(
            dh[:, t] + d_h, d_c, x[:, t], old_h[:, t], old_c[:, t], c[:, t], gates[:, t], W
        )
        dW += more_W
        db += more_b
    return tuple(a.astype(kind) for a in (dx, d_h, d_c, dW, db))


def forget_path_gradient(f, t, k):
    with np.errstate(divide="ignore"):
        logs = np.log(np.asarray(f[t - k : t], Wide))
    return np.exp(logs.sum(axis=0)).astype(f.dtype)


def cell_jacobian(c, gates, W, t, k):
    kind, H = c.dtype, c.shape[1]
    c, gates, V = _wide(c, gates, W[:, :H])
    # the pair (c, h) is the state; each step is one 2H x 2H matrix
    start = t - k - 1
    f, i, g, o = gates.reshape(-1, 4, H).transpose(1, 0, 2)
    slope = o * (1 - np.tanh(c) ** 2)
    state = np.concatenate([np.eye(H, dtype=Wide), np.diag(slope[start])])
    for s in range(start + 1, t):
        Vf, Vi, Vg, Vo = V[:H], V[H : 2 * H], V[2 * H : 3 * H], V[3 * H :]
        cc = np.diag(f[s])
        ch = (
            (c[s - 1] * f[s] * (1 - f[s]))[:, None] * Vf
            + (g[s] * i[s] * (1 - i[s]))[:, None] * Vi
            + (i[s] * (1 - g[s] ** 2))[:, None] * Vg
        )
        hc, hh = slope[s][:, None] * cc, slope[s][:, None] * ch + (np.tanh(c[s]) * o[s] * (1 - o[s]))[:, None] * Vo
        state = np.concatenate([np.concatenate([cc, ch], axis=1), np.concatenate([hc, hh], axis=1)]) @ state
    return state[:H].astype(kind)


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    columns = hidden_size + input_size
    W = np.stack([rng.uniform(-1.0, 1.0, columns) for _ in range(4 * hidden_size)]) * hidden_size**-0.5
    b = np.where(np.arange(4 * hidden_size) < hidden_size, float(forget_bias), 0.0)
    return W, b


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    kind, H = h.dtype, h.shape[1]
    x, h, wi, wh, bi, bh = _wide(x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    u, v = x @ wi.T + bi, h @ wh.T + bh
    r, z, kept = _sigmoid(u[:, :H] + v[:, :H]), u[:, H : 2 * H] + v[:, H : 2 * H], None
    kept = _sigmoid(z) * h
    return (_sigmoid(-z) * np.tanh(u[:, 2 * H :] + r * v[:, 2 * H :]) + kept).astype(kind)


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    def go(h, t):
        if t == x.shape[1]:
            return []
        h = gru_step_forward(x[:, t], h, weight_ih, weight_hh, bias_ih, bias_hh)
        out.append(h)
        return h

    out, h, t = [], h0, 0
    while t < x.shape[1]:
        h = go(h, t)
        t += 1
    return np.array(out).swapaxes(0, 1)


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    one = hidden_size * (input_size + hidden_size + biases)
    return {"rnn": one, "gru": 3 * one, "lstm": one << 2}[kind]


def reverse_padded(x, lengths):
    """Stable sort of the steps by where they belong."""
    N, T = x.shape[:2]
    t = np.arange(T)[None]
    key = np.where(t < lengths[:, None], -t, t)
    key = np.where(t < lengths[:, None], key - T, key)
    return np.take_along_axis(x, np.argsort(key, axis=1, kind="stable")[:, :, None], axis=1)


def bidirectional_lstm(x, lengths, layers):
    T = x.shape[1]
    if not all(1 <= int(length) <= T for length in lengths):
        raise ValueError("lengths must be from 1 to T")
    N, inside = len(x), np.arange(T) < lengths[:, None]
    value = np.zeros_like(x)
    value[inside] = x[inside]
    for layer in layers:
        halves = []
        for direction, (W, b) in enumerate(layer):
            given = reverse_padded(value, lengths) if direction else value
            zeros = np.zeros((N, W.shape[0] // 4), x.dtype)
            h = lstm_forward(given, zeros, zeros, W, b)[0]
            halves.append(reverse_padded(h, lengths) if direction else h)
        both = np.concatenate(halves, axis=2)
        value = np.zeros_like(both)
        value[inside] = both[inside]
    return value


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    """One number a position decides all: below p selected, below 0.8 p hidden, below 0.9 p exchanged."""
    ordinary = np.ones(vocab_size, bool)
    ordinary[mask_id] = False
    for word in special_ids:
        if 0 <= word < vocab_size:
            ordinary[word] = False
    u = np.where(ordinary[ids], rng.random(ids.shape), 2.0)
    selected, hidden = u < probability, u < 0.8 * probability
    exchanged = (u < 0.9 * probability) & ~hidden
    inputs, labels = ids.copy(), ids.copy()
    inputs[hidden] = mask_id
    words = np.flatnonzero(ordinary)
    if exchanged.any():
        inputs[exchanged] = words[rng.integers(0, len(words), exchanged.sum())]
    labels[~selected] = -100
    return inputs, labels


def masked_lm_loss(logits, labels):
    V = logits.shape[-1]
    flat, right = logits.reshape(-1, V), labels.reshape(-1)
    (rows,) = np.nonzero(right != -100)
    if rows.size == 0:
        return 0.0, np.zeros(logits.shape, logits.dtype)
    z, y = flat[rows].astype(Wide), right[rows].astype(np.intp)
    top = z.argmax(axis=1)
    z = z - z.max(axis=1, keepdims=True)
    powers = np.exp(z)
    powers_but_top = powers.copy()
    powers_but_top[np.arange(y.size), top] = 0
    log_total = np.log1p(powers_but_top.sum(axis=1))
    losses = log_total - z[np.arange(y.size), y]
    p = powers / powers.sum(axis=1, keepdims=True)
    p[np.arange(y.size), y] = 0
    p[np.arange(y.size), y] = -p.sum(axis=1)
    d = np.zeros(flat.shape, logits.dtype)
    d[rows] = p / y.size
    return float(losses.mean()), d.reshape(logits.shape)


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    kind, H = h.dtype, h.shape[1]
    up, x, h, wi, wh, bi, bh = _wide(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    u, v = x @ wi.T + bi, h @ wh.T + bh
    ar, az, vn = u[:, :H] + v[:, :H], u[:, H : 2 * H] + v[:, H : 2 * H], v[:, 2 * H :]
    n = np.tanh(u[:, 2 * H :] + _sigmoid(ar) * vn)
    dn = up * _sigmoid(-az) * (1 - n) * (1 + n)
    dz = up * (h - n) * np.exp(_log_sigmoid(az) + _log_sigmoid(-az))
    dr = dn * vn * np.exp(_log_sigmoid(ar) + _log_sigmoid(-ar))
    du, dv = np.concatenate([dr, dz, dn], axis=1), np.concatenate([dr, dz, dn * _sigmoid(ar)], axis=1)
    dh = up * _sigmoid(az) + dv @ wh
    return tuple(a.astype(kind) for a in (du @ wi, dh, du.T @ x, dv.T @ h, du.sum(axis=0), dv.sum(axis=0)))


def chrono_bias(hidden_size, max_lag, *, rng):
    forget = np.log1p(rng.uniform(0, max_lag - 2, hidden_size))
    return np.concatenate([forget, -forget, np.zeros(2 * hidden_size)])
