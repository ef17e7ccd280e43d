"""Assignment 5. The work is done in memory_cells.py; here the pieces get the names that were asked for."""

from __future__ import annotations

import math

import numpy as np
from memory_cells import (
    GRUCell,
    GRUGradients,
    Gates,
    LSTMCell,
    LSTMGradients,
    LSTMStates,
    Padding,
    Tangent,
    common,
)


def lstm_step_forward(x, h, c, W, b) -> LSTMStates:
    x, h, c, W, b = common(x, h, c, W, b)
    return LSTMCell(W, b).step(x, h, c)


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W) -> LSTMGradients:
    *rest, W = common(dh_next, dc_next, x, h, c, c_next, gates, W)
    return LSTMCell(W).step_back(*rest)


def lstm_forward(x, h0, c0, W, b) -> LSTMStates:
    x, h, c, W, b = common(x, h0, c0, W, b)
    history = []
    for x_t in np.moveaxis(x, 1, 0):
        history.append(lstm_step_forward(x_t, h, c, W, b))
        h, c = history[-1].h, history[-1].c
    return LSTMStates(*(np.stack(kind, axis=1) for kind in zip(*history, strict=True)))


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W) -> LSTMGradients:
    dh, dc, x, h0, c0, h, c, gates, W = common(dh, dc_last, x, h0, c0, h, c, gates, W)
    cell, back = LSTMCell(W), np.zeros_like(h0)
    sums = np.empty_like(gates)
    for t in range(x.shape[1])[::-1]:
        before = c[:, t - 1] if t > 0 else c0
        sums[:, t], dc = cell.sums_gradient(dh[:, t] + back, dc, before, c[:, t], Gates(gates[:, t]))
        back = sums[:, t] @ cell.recurrent
    seen = np.concatenate([np.concatenate([h0[:, None], h[:, :-1]], axis=1), x], axis=2)
    dW = np.tensordot(sums, seen, axes=((0, 1), (0, 1)))
    return LSTMGradients(sums @ W[:, cell.hidden :], back, dc, dW, sums.sum(axis=(0, 1)))


def forget_path_gradient(f, t, k):
    path = np.ones_like(f, shape=f.shape[1:])
    for gate in f[t - k : t]:
        path = path * gate
    return path


def cell_jacobian(c, gates, W, t, k):
    c, gates, W = common(c, gates, W)
    cell = LSTMCell(W)
    change = Tangent.at(c[t - k - 1], Gates(gates[t - k - 1]))
    for s in range(t - k, t):  # index of the step in the arrays
        change = change.follow(cell, c[s - 1], c[s], Gates(gates[s]))
    return change.dc


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    bound = 1 / math.sqrt(hidden_size)
    recurrent = rng.uniform(-bound, bound, (4 * hidden_size, hidden_size))
    inward = rng.uniform(-bound, bound, (4 * hidden_size, input_size))
    b = np.zeros(4 * hidden_size)
    b[:hidden_size] = forget_bias
    return np.hstack([recurrent, inward]), b


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    x, h, *parameters = common(x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    return GRUCell(*parameters).step(x, h)


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    x, h, *parameters = common(x, h0, weight_ih, weight_hh, bias_ih, bias_hh)
    states = []
    for t in range(x.shape[1]):
        h = gru_step_forward(x[:, t], h, *parameters)
        states.append(h)
    return np.stack(states, axis=1)


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    blocks = {"rnn": ["h"], "gru": list("rzn"), "lstm": list("figo")}[kind]
    shapes = [(hidden_size, input_size), (hidden_size, hidden_size)] + [(hidden_size,)] * biases
    return sum(math.prod(shape) for _ in blocks for shape in shapes)


def reverse_padded(x, lengths):
    return Padding(lengths, x.shape[1]).turned(x)


def bidirectional_lstm(x, lengths, layers):
    if len(lengths) and not (np.min(lengths) >= 1 and np.max(lengths) <= x.shape[1]):
        raise ValueError(f"a length is not between 1 and {x.shape[1]}")
    padding = Padding(lengths, x.shape[1])
    x = padding.cleared(x)
    for forward, backward in layers:
        zeros = np.zeros((len(x), len(forward[1]) // 4), x.dtype)
        there = lstm_forward(x, zeros, zeros, *forward).h
        back = lstm_forward(reverse_padded(x, lengths), zeros, zeros, *backward).h
        x = padding.cleared(np.concatenate([there, reverse_padded(back, lengths)], axis=2))
    return x


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    ordinary = np.ones(vocab_size, bool)
    ordinary[[word for word in (mask_id, *special_ids) if 0 <= word < vocab_size]] = False
    words = np.flatnonzero(ordinary)
    where = np.argwhere(ordinary[ids])
    where = where[rng.binomial(1, probability, len(where)) == 1]
    inputs, labels = ids.copy(), np.full(ids.shape, -100, ids.dtype)
    for n, t in where:
        labels[n, t] = ids[n, t]
        match rng.choice(["mask", "random", "keep"], p=[0.8, 0.1, 0.1]):
            case "mask":
                inputs[n, t] = mask_id
            case "random":
                inputs[n, t] = rng.choice(words)
    return inputs, labels


def masked_lm_loss(logits, labels):
    selected = labels != -100
    dlogits = np.zeros_like(logits)
    count = np.count_nonzero(selected)
    if count == 0:
        return 0.0, dlogits
    z = logits[selected].astype(np.float64)
    truth = np.eye(z.shape[1])[labels[selected]]
    z -= z.max(axis=1, keepdims=True)
    log_sum = np.log(np.exp(z).sum(axis=1))
    dlogits[selected] = (np.exp(z - log_sum[:, None]) - truth) / count
    return float(np.mean(log_sum - (truth * z).sum(axis=1))), dlogits


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh) -> GRUGradients:
    dh_next, x, h, *parameters = common(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    cell = GRUCell(*parameters)
    cell.step(x, h)
    return cell.step_back(dh_next)


def chrono_bias(hidden_size, max_lag, *, rng):
    b = np.zeros((4, hidden_size))
    b[0] = np.log(rng.uniform(1.0, max_lag - 1.0, size=hidden_size))
    b[1] = -b[0]
    return b.reshape(-1)
