"""Assignment 5 in NumPy, with einsum and an axis of its own for everything: gate g, unit h, row n, time t, direction d.

Time comes first inside; what is returned is often a transposed view of an inner buffer.
"""

from __future__ import annotations

from functools import partial

import numpy as np

einsum = partial(np.einsum, optimize=True)

# sigmoid(a) = 1/2 + 1/2 tanh(a/2), so that all four blocks are SHIFT + SCALE * tanh(SCALE * a)
SCALE = np.array([0.5, 0.5, 1.0, 0.5])
SHIFT = np.array([0.5, 0.5, 0.0, 0.5])


def _together(*arrays):
    dtype = np.result_type(*arrays)
    return [np.asarray(array, dtype) for array in arrays]


def _blocks(array, count=4):
    """(..., count * H) -> (..., count, H)"""
    return array.reshape(*array.shape[:-1], count, array.shape[-1] // count)


def _rows(W, count=4):
    """(count * H, K) -> (count, H, K)"""
    return W.reshape(count, W.shape[0] // count, W.shape[1])


def _activate(a):
    """a (..., 4, H)"""
    scale, shift = SCALE.astype(a.dtype)[:, None], SHIFT.astype(a.dtype)[:, None]
    return shift + scale * np.tanh(scale * a)


def _slopes(gates):
    """Of the activations, from their values (..., 4, H)."""
    f, i, g, o = np.moveaxis(gates, -2, 0)
    return np.stack([f * (1 - f), i * (1 - i), (1 - g) * (1 + g), o * (1 - o)], axis=-2)


def _sigmoid(a):
    return 0.5 + 0.5 * np.tanh(0.5 * a)


def lstm_step_forward(x, h, c, W, b):
    x, h, c, W, b = _together(x, h, c, W, b)
    H = h.shape[1]
    W4 = _rows(W)
    a = einsum("ghk,nk->ngh", W4[..., :H], h) + einsum("ghk,nk->ngh", W4[..., H:], x) + _blocks(b)
    gates = _activate(a)
    f, i, g, o = np.moveaxis(gates, 1, 0)
    c_next = f * c + i * g
    return o * np.tanh(c_next), c_next, gates.reshape(len(x), 4 * H)


def _sums_gradient(dh_next, dc_next, c, c_next, gates):
    """Gradients of the four sums (N, 4, H) and of the old cell."""
    gates = _blocks(gates)
    f, i, g, o = np.moveaxis(gates, -2, 0)
    shown = np.tanh(c_next)
    dcell = dc_next + dh_next * o * (1 - shown**2)
    values = np.stack([dcell * c, dcell * g, dcell * i, dh_next * shown], axis=-2)
    return values * _slopes(gates), dcell * f


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    dh_next, dc_next, x, h, c, c_next, gates, W = _together(dh_next, dc_next, x, h, c, c_next, gates, W)
    H = h.shape[1]
    da, dc = _sums_gradient(dh_next, dc_next, c, c_next, gates)
    dhx = einsum("ngh,ghk->nk", da, _rows(W))
    dW = einsum("ngh,nk->ghk", da, np.concatenate([h, x], axis=1)).reshape(W.shape)
    return dhx[:, H:], dhx[:, :H], dc, dW, einsum("ngh->gh", da).reshape(4 * H)


def lstm_forward(x, h0, c0, W, b):
    x, h0, c0, W, b = _together(x, h0, c0, W, b)
    (N, T, _), H = x.shape, h0.shape[1]
    # The initial states stand at index 0 of the buffers.
    h, c, gates = (np.empty((size, N, width), x.dtype) for size, width in ((T + 1, H), (T + 1, H), (T, 4 * H)))
    h[0], c[0] = h0, c0
    for t in range(T):
        h[t + 1], c[t + 1], gates[t] = lstm_step_forward(x[:, t], h[t], c[t], W, b)
    return h[1:].swapaxes(0, 1), c[1:].swapaxes(0, 1), gates.swapaxes(0, 1)


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    dh, dc_last, x, h0, c0, h, c, gates, W = _together(dh, dc_last, x, h0, c0, h, c, gates, W)
    H, W4 = h0.shape[1], _rows(W)
    h_before = np.concatenate([h0[:, None], h[:, :-1]], axis=1)
    c_before = np.concatenate([c0[:, None], c[:, :-1]], axis=1)
    da = np.empty((x.shape[1], x.shape[0], 4, H), x.dtype)
    dh_t, dc_t = np.zeros_like(h0), dc_last
    for t in reversed(range(x.shape[1])):
        da[t], dc_t = _sums_gradient(dh[:, t] + dh_t, dc_t, c_before[:, t], c[:, t], gates[:, t])
        dh_t = einsum("ngh,ghk->nk", da[t], W4[..., :H])
    # All that does not travel through time is done for all steps at once.
    dx = einsum("tngh,ghk->tnk", da, W4[..., H:]).swapaxes(0, 1)
    dW = einsum("tngh,ntk->ghk", da, np.concatenate([h_before, x], axis=2)).reshape(W.shape)
    return dx, dh_t, dc_t, dW, einsum("tngh->gh", da).reshape(-1)


def forget_path_gradient(f, t, k):
    return np.multiply.reduce(f[t - k : t], axis=0, dtype=f.dtype)


def cell_jacobian(c, gates, W, t, k):
    c, gates, W = _together(c, gates, W)
    H = c.shape[1]
    identity = np.eye(H, dtype=c.dtype)
    gates, tanh = _blocks(gates), np.tanh(c)
    shows = gates[:, 3] * (1 - tanh**2)
    first = t - k - 1
    pair = np.concatenate([identity, shows[first, :, None] * identity])  # changes of (c, h), stacked
    steps = slice(first + 1, t)
    f, i, g, _ = np.moveaxis(gates[steps], 1, 0)
    factors = np.stack([c[first : t - 1], g, i, tanh[steps]], axis=1) * _slopes(gates[steps])
    through = einsum("sgh,ghk->sghk", factors, _rows(W)[..., :H])
    transition = np.empty((k, 2 * H, 2 * H), c.dtype)
    cc, ch = f[:, :, None] * identity, through[:, :3].sum(axis=1)
    transition[:, :H, :H], transition[:, :H, H:] = cc, ch
    transition[:, H:, :H] = shows[steps, :, None] * cc
    transition[:, H:, H:] = shows[steps, :, None] * ch + through[:, 3]
    for matrix in transition:
        pair = einsum("pq,qr->pr", matrix, pair)
    return pair[:H]


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    W = (2 * rng.random((hidden_size + input_size, 4, hidden_size)) - 1) / np.sqrt(hidden_size)
    b = np.multiply.outer([1.0, 0.0, 0.0, 0.0], np.full(hidden_size, float(forget_bias)))
    return W.reshape(hidden_size + input_size, -1).T, b.ravel()


def _gru(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    u = einsum("nd,bhd->bnh", x, _rows(weight_ih, 3)) + _blocks(bias_ih, 3)[:, None]
    v = einsum("nk,bhk->bnh", h, _rows(weight_hh, 3)) + _blocks(bias_hh, 3)[:, None]
    r, z = _sigmoid(u[:2] + v[:2])
    return r, z, np.tanh(u[2] + r * v[2]), v[2]


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    arguments = _together(x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    _, z, n, _ = _gru(*arguments)
    return n + z * (arguments[1] - n)


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    x, h0, *weights = _together(x, h0, weight_ih, weight_hh, bias_ih, bias_hh)
    states = np.empty((x.shape[1] + 1, *h0.shape), x.dtype)
    states[0] = h0
    for t in range(x.shape[1]):
        states[t + 1] = gru_step_forward(x[:, t], states[t], *weights)
    return np.einsum("tnh->nth", states[1:])


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    blocks = {"rnn": 1, "gru": 3, "lstm": 4}[kind]
    return blocks * hidden_size * (input_size + hidden_size + biases)


def reverse_padded(x, lengths):
    time, lengths = np.arange(x.shape[1])[None, :], np.asarray(lengths)[:, None]
    source = np.where(time < lengths, lengths - 1 - time, time)
    return np.take_along_axis(x, source[:, :, None], axis=1)


def bidirectional_lstm(x, lengths, layers):
    """Both directions in one run: (W, b) of the two are stacked along an axis d."""
    x, lengths = np.asarray(x), np.asarray(lengths)
    (N, T, _) = x.shape
    if ((lengths < 1) | (lengths > T)).any():
        raise ValueError("1 <= lengths <= T")
    dtype = np.result_type(x, *(array for layer in layers for direction in layer for array in direction))
    inside = (np.arange(T) < lengths[:, None])[:, :, None]
    x = np.where(inside, x, 0).astype(dtype)
    for layer in layers:
        W, b = (np.stack([np.asarray(array, dtype) for array in arrays]) for arrays in zip(*layer, strict=True))
        H = b.shape[1] // 4
        W, b = W.reshape(2, 4, H, -1), b.reshape(2, 1, 4, H)
        u = einsum("dntk,dghk->tdngh", np.stack([x, reverse_padded(x, lengths)]), W[..., H:])
        h = c = np.zeros((2, N, H), dtype)
        states = np.empty((T, 2, N, H), dtype)
        for t in range(T):
            f, i, g, o = np.moveaxis(_activate(u[t] + einsum("dnk,dghk->dngh", h, W[..., :H]) + b), 2, 0)
            c = f * c + i * g
            states[t] = h = o * np.tanh(c)
        there, back = states.transpose(1, 2, 0, 3)
        x = np.where(inside, np.concatenate([there, reverse_padded(back, lengths)], axis=2), 0).astype(dtype)
    return x


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    ordinary = np.setdiff1d(np.arange(vocab_size), [mask_id, *special_ids])
    selected = np.isin(ids, ordinary) & (rng.random(ids.shape) < probability)
    fate = rng.random(ids.shape)
    inputs = ids.copy()
    inputs[selected & (fate < 0.8)] = mask_id
    drawn = selected & (fate >= 0.9)
    if drawn.any():
        inputs[drawn] = rng.choice(ordinary, size=np.count_nonzero(drawn))
    return inputs, np.where(selected, ids, ids.dtype.type(-100))


def masked_lm_loss(logits, labels):
    selected = labels != -100
    m = max(1, int(selected.sum()))
    shifted = logits - logits.max(axis=-1, keepdims=True)
    exponentials = np.exp(shifted)
    sums = einsum("ntv->nt", exponentials)
    right = np.take_along_axis(shifted, np.where(selected, labels, 0)[..., None], axis=-1)[..., 0]
    loss = float(einsum("nt,nt->", selected.astype(np.float64), np.log(sums.astype(np.float64)) - right)) / m
    truth = np.arange(logits.shape[-1]) == labels[..., None]
    dlogits = einsum("nt,ntv->ntv", selected.astype(logits.dtype), exponentials / sums[..., None] - truth) / m
    return loss, dlogits.astype(logits.dtype)


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    dh_next, x, h, *parameters = _together(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    weight_ih, weight_hh = (_rows(weight, 3) for weight in parameters[:2])
    r, z, n, v_n = _gru(x, h, *parameters)
    da_n = dh_next * (1 - z) * (1 - n**2)
    da_z = dh_next * (h - n) * z * (1 - z)
    da_r = da_n * v_n * r * (1 - r)
    du, dv = np.stack([da_r, da_z, da_n]), np.stack([da_r, da_z, r * da_n])
    return (
        einsum("bnh,bhd->nd", du, weight_ih),
        einsum("bnh,bhk->nk", dv, weight_hh) + dh_next * z,
        einsum("bnh,nd->bhd", du, x).reshape(parameters[0].shape),
        einsum("bnh,nk->bhk", dv, h).reshape(parameters[1].shape),
        einsum("bnh->bh", du).ravel(),
        einsum("bnh->bh", dv).ravel(),
    )


def chrono_bias(hidden_size, max_lag, *, rng):
    logs = np.log(rng.uniform(1, max_lag - 1, hidden_size))
    return einsum("g,h->gh", np.array([1.0, -1.0, 0.0, 0.0]), logs).ravel()
