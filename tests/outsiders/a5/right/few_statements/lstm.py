"""As few statements as possible."""

from __future__ import annotations

from itertools import accumulate

import numpy as np


def _sig(a):
    return np.exp(-np.logaddexp(a.dtype.type(0), -a))


def _steps(a, H):
    return a[..., :H], a[..., H : 2 * H], a[..., 2 * H : 3 * H], a[..., 3 * H :]


def lstm_step_forward(x, h, c, W, b):
    f, i, g, o = (act(a) for act, a in zip((_sig, _sig, np.tanh, _sig), np.split(np.c_[h, x] @ W.T + b, 4, 1)))
    return o * np.tanh(f * c + i * g), f * c + i * g, np.hstack([f, i, g, o])


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    (f, i, g, o), H, s = _steps(gates, h.shape[1]), h.shape[1], np.tanh(c_next)
    d = dc_next + dh_next * o * (1 - s**2)
    da = np.hstack([d * c * f * (1 - f), d * g * i * (1 - i), d * i * (1 - g**2), dh_next * s * o * (1 - o)])
    return da @ W[:, H:], da @ W[:, :H], d * f, np.einsum("na,nb->ab", da, np.c_[h, x]), da.sum(0)


def lstm_forward(x, h0, c0, W, b):
    steps = accumulate(x.swapaxes(0, 1), lambda s, xt: lstm_step_forward(xt, *s[:2], W, b), initial=(h0, c0, None))
    return tuple(np.stack(part, 1) for part in zip(*list(steps)[1:]))


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    hs, cs, T = np.hstack([h0[:, None], h]), np.hstack([c0[:, None], c]), x.shape[1]
    start = (None, np.zeros_like(h0), dc_last, 0, 0)
    back = list(
        accumulate(
            range(T)[::-1],
            lambda s, t: lstm_step_backward(dh[:, t] + s[1], s[2], x[:, t], hs[:, t], cs[:, t], c[:, t], gates[:, t], W),
            initial=start,
        )
    )[1:]
    dx, dh_, dc_, dW, db = zip(*back)
    return np.stack(dx[::-1], 1), dh_[-1], dc_[-1], sum(dW), sum(db)


def forget_path_gradient(f, t, k):
    return f[t - k : t].prod(0)


def cell_jacobian(c, gates, W, t, k):
    H, s = c.shape[1], t - k - 1
    dc = np.eye(H, dtype=c.dtype)
    dh = dc * (gates[s, 3 * H :] * (1 - np.tanh(c[s]) ** 2))[:, None]
    for s in range(t - k, t):
        (f, i, g, o), th, old = gates[s].reshape(4, H, 1), np.tanh(c[s])[:, None], c[s - 1][:, None]
        af, ai, ag, ao = (W[:, :H] @ dh).reshape(4, H, H)
        dc = f * dc + old * f * (1 - f) * af + g * i * (1 - i) * ai + i * (1 - g**2) * ag
        dh = th * o * (1 - o) * ao + o * (1 - th**2) * dc
    return dc


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    W = (2 * rng.random((4 * hidden_size, hidden_size + input_size)) - 1) / hidden_size**0.5
    return W, np.kron(np.array([forget_bias, 0.0, 0.0, 0.0]), np.ones(hidden_size))


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    (ur, uz, un), (vr, vz, vn) = (np.split(a @ W.T + b, 3, 1) for a, W, b in ((x, weight_ih, bias_ih), (h, weight_hh, bias_hh)))
    return _sig(-(uz + vz)) * np.tanh(un + _sig(ur + vr) * vn) + _sig(uz + vz) * h


def gru_forward(x, h0, *params):
    return np.stack(list(accumulate(x.swapaxes(0, 1), lambda h, xt: gru_step_forward(xt, h, *params), initial=h0))[1:], 1)


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    return ("rnn", "", "gru", "lstm").index(kind) * hidden_size * (n := input_size + hidden_size + biases) + hidden_size * n


def reverse_padded(x, lengths):
    t, ends = np.arange(x.shape[1]), lengths[:, None]
    return x[np.arange(len(x))[:, None], np.where(t < ends, ends - 1 - t, t)]


def bidirectional_lstm(x, lengths, layers):
    inside, H = np.arange(x.shape[1]) < lengths[:, None], layers[0][0][1].size // 4
    if np.any(lengths < 1) or np.any(lengths > x.shape[1]):
        raise ValueError("lengths must be from 1 to T")
    zeros = np.zeros((len(x), H), x.dtype)
    for ahead, back in layers:
        x = np.where(inside[:, :, None], x, x.dtype.type(0))
        there = lstm_forward(reverse_padded(x, lengths), zeros, zeros, *back)[0]
        x = np.dstack([lstm_forward(x, zeros, zeros, *ahead)[0], reverse_padded(there, lengths)])
    return np.where(inside[:, :, None], x, x.dtype.type(0))


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    words = np.setdiff1d(np.arange(vocab_size), [mask_id, *special_ids]).astype(ids.dtype)
    chosen = np.isin(ids, words) & (rng.random(ids.shape) < probability)
    fate, drawn = rng.random(ids.shape), rng.integers(max(words.size, 1), size=ids.shape)
    words = words if words.size else np.zeros(1, ids.dtype)
    inputs = np.select([chosen & (fate < 0.8), chosen & (fate < 0.9)], [np.full_like(ids, mask_id), words[drawn]], ids)
    return inputs, np.where(chosen, ids, ids.dtype.type(-100))


def masked_lm_loss(logits, labels):
    picked = labels != -100
    z, y, out = logits[picked].astype(np.float64), labels[picked].astype(int), np.zeros_like(logits)
    if not y.size:
        return 0.0, out
    logp = z - np.max(z, 1, keepdims=True)
    logp = logp - np.log(np.exp(logp).sum(1, keepdims=True))
    out[picked] = (np.exp(logp) - (np.arange(z.shape[1]) == y[:, None])) / y.size
    return float(-logp[np.arange(y.size), y].mean()), out


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    (ur, uz, un), (vr, vz, vn) = (np.split(a @ W.T + b, 3, 1) for a, W, b in ((x, weight_ih, bias_ih), (h, weight_hh, bias_hh)))
    r, z = _sig(ur + vr), _sig(uz + vz)
    n = np.tanh(un + r * vn)
    an, az = dh_next * (1 - z) * (1 - n**2), dh_next * (h - n) * z * (1 - z)
    du, dv = (np.hstack([an * vn * r * (1 - r), az, last]) for last in (an, an * r))
    return du @ weight_ih, dv @ weight_hh + dh_next * z, du.T @ x, dv.T @ h, du.sum(0), dv.sum(0)


def chrono_bias(hidden_size, max_lag, *, rng):
    return np.kron([1.0, -1.0, 0.0, 0.0], np.log(1 + (max_lag - 2) * rng.random(hidden_size)))
