"""Dense Jacobians of whole steps, complex steps instead of derivatives by hand, one product over all times."""

from __future__ import annotations

import functools

import numpy as np

TINY = 1e-40  # the imaginary step: (c + i TINY) has no cancellation


def _halves(a):
    """sigmoid, of real or complex numbers with a tiny imaginary part."""
    return 0.5 + 0.5 * np.tanh(0.5 * a)


def _ctanh(a):
    """tanh that carries a tiny imaginary part by the chain rule; exact for parts of size TINY."""
    if not np.iscomplexobj(a):
        return np.tanh(a)
    y = np.tanh(a.real)
    return y + 1j * a.imag * (1 - y * y)


def _csigmoid(a):
    return 0.5 + 0.5 * _ctanh(0.5 * a)


def lstm_step_forward(x, h, c, W, b):
    N, H = h.shape
    a = np.dot(h, W[:, :H].T) + np.dot(x, W[:, H:].T)
    a = (a + b).reshape(N, 4, H)
    is_gate = np.array([True, True, False, True])[None, :, None]
    # tanh(a) is 2 sigmoid(2 a) - 1: one tanh for all four, at half the argument for the gates.
    scaled = np.tanh(np.where(is_gate, a / 2, a))
    gates = np.where(is_gate, (1 + scaled) / 2, scaled)
    c_next = (gates[:, 0:2] * np.stack([c, gates[:, 2]], axis=1)).sum(axis=1)
    return gates[:, 3] * np.tanh(c_next), c_next, gates.reshape(N, 4 * H)


def _jacobian(c, c_next, gates, W):
    """d (h_next, c_next) / d (a, c) of each row, dense: (N, 2, H, 5, H)."""
    N, H = c.shape
    f, i, g, o = gates.reshape(N, 4, H).transpose(1, 0, 2)
    s = np.tanh(c_next)
    j = np.zeros((N, 2, H, 5, H), dtype=W.dtype)
    d = np.arange(H)
    j[:, 1, d, 0, d] = c * f * (1 - f)
    j[:, 1, d, 1, d] = g * i * (1 - i)
    j[:, 1, d, 2, d] = i * (1 - g * g)
    j[:, 1, d, 4, d] = f
    j[:, 0, d] = j[:, 1, d] * (o * (1 - s * s))[:, :, None, None]
    j[:, 0, d, 3, d] = s * o * (1 - o)
    return j


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    N, H = h.shape
    both = np.stack([dh_next, dc_next], axis=1).reshape(N, 1, 2 * H)
    back = (both @ _jacobian(c, c_next, gates, W).reshape(N, 2 * H, 5 * H))[:, 0]
    da, dc = back[:, : 4 * H], back[:, 4 * H :]
    dh, dx = np.split(da @ W, [H], axis=1)
    return dx, dh, dc, np.tensordot(da, np.hstack([h, x]), axes=(0, 0)), np.ones(N, W.dtype) @ da


def lstm_forward(x, h0, c0, W, b):
    def advance(states, step):
        return [*states, lstm_step_forward(step, *states[-1][:2], W, b)]

    runs = functools.reduce(advance, np.swapaxes(x, 0, 1), [(h0, c0)])[1:]
    return tuple(np.stack([run[k] for run in runs], axis=1) for k in range(3))


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    """The sums over time are one product at the end; the walk back is a chain of dense matrices."""
    N, T, D = x.shape
    H = h0.shape[1]
    c_before = np.concatenate([c0[:, None], c[:, :-1]], axis=1)
    h_before = np.concatenate([h0[:, None], h[:, :-1]], axis=1)
    local = _jacobian(
        c_before.reshape(-1, H), c.reshape(-1, H), gates.reshape(-1, 4 * H), W
    ).reshape(N, T, 2 * H, 5 * H)
    state = np.concatenate([np.zeros_like(dc_last), dc_last], axis=1)
    da = np.empty((N, T, 4 * H), dtype=W.dtype)
    for t in range(T - 1, -1, -1):
        state = np.concatenate([state[:, :H] + dh[:, t], state[:, H:]], axis=1)
        back = np.matmul(state[:, None], local[:, t])[:, 0]
        da[:, t] = back[:, : 4 * H]
        state = np.concatenate([da[:, t] @ W[:, :H], back[:, 4 * H :]], axis=1)
    dW = np.tensordot(da, np.concatenate([h_before, x], axis=2), axes=([0, 1], [0, 1]))
    return da @ W[:, H:], state[:, :H], state[:, H:], dW, da.sum(axis=(0, 1))


def forget_path_gradient(f, t, k):
    path = (step in range(t - k, t) for step in range(len(f)))
    return np.prod(f, axis=0, where=np.fromiter(path, dtype=bool)[:, None])


def cell_jacobian(c, gates, W, t, k):
    """A complex step along each entry q of c_{t-k}: row q of the batch."""
    H, dtype = c.shape[1], c.dtype
    c, gates, V = c.astype(np.float64), gates.astype(np.float64), W[:, :H].astype(np.float64)
    cell = c[t - k - 1] + 1j * TINY * np.eye(H)
    hidden = gates[t - k - 1, 3 * H :] * _ctanh(cell)
    for s in range(t - k, t):
        # The sums before the activations are unknown; only how they move counts.
        move = 1j * (hidden.imag @ V.T)
        f, i, g, o = np.split(gates[s], 4)
        mf, mi, mg, mo = np.split(move, 4, axis=1)
        cell = (f + f * (1 - f) * mf) * cell + (i + i * (1 - i) * mi) * (g + (1 - g * g) * mg)
        cell = c[s] + 1j * cell.imag
        hidden = (o + o * (1 - o) * mo) * _ctanh(cell)
    return (cell.imag.T / TINY).astype(dtype)


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    bound = 1 / np.sqrt(hidden_size)
    blocks = [rng.uniform(-bound, bound, size=(hidden_size, hidden_size + input_size)) for _ in range(4)]
    return np.vstack(blocks), np.repeat(np.array([forget_bias, 0, 0, 0], dtype=float), hidden_size)


def _gru(u, v, h):
    ur, uz, un = np.split(u, 3, axis=-1)
    vr, vz, vn = np.split(v, 3, axis=-1)
    z = _csigmoid(uz + vz)
    return (1 - z) * _ctanh(un + _csigmoid(ur + vr) * vn) + z * h


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    return _gru(x @ weight_ih.T + bias_ih, h @ weight_hh.T + bias_hh, h)


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    u = x @ weight_ih.T + bias_ih  # the input's share of all steps at once
    states = [h0]
    for t in range(x.shape[1]):
        states.append(_gru(u[:, t], states[-1] @ weight_hh.T + bias_hh, states[-1]))
    return np.stack(states[1:], axis=1)


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    """Count the entries of arrays of that size."""
    blocks = ("rnn", None, "gru", "lstm").index(kind) + 1
    weight_ih = np.broadcast_to(0.0, (blocks * hidden_size, input_size))
    weight_hh = np.broadcast_to(0.0, (blocks * hidden_size, hidden_size))
    return int(weight_ih.size + weight_hh.size + biases * blocks * hidden_size)


def reverse_padded(x, lengths):
    """A stable sort of the times by what they become."""
    t = np.arange(x.shape[1])
    key = np.where(t < lengths[:, None], -1 - t, 0)
    order = np.argsort(key, axis=1, kind="stable")
    return x[np.arange(len(x))[:, None], order]


def bidirectional_lstm(x, lengths, layers):
    """A step of the padding leaves the states as they are."""
    N, T, _ = x.shape
    if not np.all((1 <= lengths) & (lengths <= T)):
        raise ValueError("lengths")
    inside = (np.arange(T) < lengths[:, None])[:, :, None]
    y = np.zeros_like(x)
    np.copyto(y, x, where=inside)
    for layer in layers:
        sides = []
        for (W, b), times in zip(layer, (range(T), range(T - 1, -1, -1))):
            h = c = np.zeros((N, len(b) // 4), dtype=x.dtype)
            side = [None] * T
            for t in times:
                new_h, new_c, _ = lstm_step_forward(y[:, t], h, c, W, b)
                h, c = np.where(inside[:, t], new_h, h), np.where(inside[:, t], new_c, c)
                side[t] = h
            sides.append(np.stack(side, axis=1))
        y = np.concatenate(sides, axis=2) * inside
    return y


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    """A count of the selected from a binomial, then which; counts of the fates from a multinomial, then whose."""
    special = np.unique([mask_id, *list(special_ids)])
    places = np.flatnonzero(~np.isin(ids, special))
    chosen = rng.permutation(places)[: rng.binomial(len(places), probability)]
    hide, swap, _ = rng.multinomial(len(chosen), [0.8, 0.1, 0.1])
    inputs, labels = ids.flatten(), np.repeat(np.array([-100], dtype=ids.dtype), ids.size)
    labels[chosen] = inputs[chosen]
    inputs[chosen[:hide]] = mask_id
    words = np.setdiff1d(np.arange(vocab_size), special)
    if swap:
        inputs[chosen[hide : hide + swap]] = words[np.floor(rng.random(swap) * len(words)).astype(int)]
    return inputs.reshape(ids.shape), labels.reshape(ids.shape)


def masked_lm_loss(logits, labels):
    """A complex step for the gradient would cost V passes; the softmax is enough. One-hot products instead of indices."""
    V = logits.shape[-1]
    z = logits.astype(np.float64)
    ones = np.equal.outer(labels, np.arange(V)).astype(np.float64)
    m = ones.sum()
    z -= np.max(z, axis=-1, keepdims=True)
    lse = np.log(np.exp(z).sum(axis=-1, keepdims=True))
    counted = ones.sum(axis=-1, keepdims=True)
    share = 1 / m if m else 0.0
    loss = float(np.vdot(ones, lse - z) * share)
    return loss, (share * (np.exp(z - lse) * counted - ones)).astype(logits.dtype)


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    """Complex steps in the sums u and v, and in h where it is carried: all entries of a unit are its own."""
    dtype = x.dtype
    d, x, h, wi, wh, bi, bh = (
        a.astype(np.float64) for a in (dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    )
    u, v = x @ wi.T + bi, h @ wh.T + bh
    H = h.shape[1]

    def slope(block, which):
        step = np.zeros(3 * H, dtype=complex)
        step[block * H : (block + 1) * H] = 1j * TINY
        moved = _gru(u + step, v, h) if which == "u" else _gru(u, v + step, h)
        return d * moved.imag / TINY

    du, dv = (np.concatenate([slope(block, which) for block in range(3)], axis=1) for which in "uv")
    direct = d * _gru(u, v, h + 1j * TINY).imag / TINY
    answer = du @ wi, dv @ wh + direct, du.T @ x, dv.T @ h, du.sum(axis=0), dv.sum(axis=0)
    return tuple(a.astype(dtype) for a in answer)


def chrono_bias(hidden_size, max_lag, *, rng):
    s = 1 + (max_lag - 2) * (1 - rng.random(size=(hidden_size, 1)))
    return np.ravel(np.log(s) * np.array([1.0, -1.0, 0.0, 0.0]), order="F")
