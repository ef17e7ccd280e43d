"""Lists, generators and the math module; NumPy only to read and to write."""

from __future__ import annotations

import math
from itertools import accumulate, chain, repeat

import numpy as np


def sigmoid(a):
    if a >= 0:
        return 1 / (1 + math.exp(-a))
    e = math.exp(a)
    return e / (1 + e)


def dot(u, v):
    return math.fsum(map(float.__mul__, u, v))


def pack(rows, like, *shape):
    flat = rows
    for _ in range(len(shape) - 1):
        flat = chain.from_iterable(flat)
    return np.array(list(flat), dtype=like.dtype).reshape(shape)


def cells(x, h, c, W, b):
    """One row of the batch."""
    H = len(h)
    hx = h + x
    a = [dot(row, hx) + bias for row, bias in zip(W, b)]
    gates = [math.tanh(s) if 2 * H <= j < 3 * H else sigmoid(s) for j, s in enumerate(a)]
    new = [gates[j] * c[j] + gates[H + j] * gates[2 * H + j] for j in range(H)]
    return [gates[3 * H + j] * math.tanh(new[j]) for j in range(H)], new, gates


def lstm_step_forward(x, h, c, W, b):
    (N, H), W_, b_ = h.shape, W.tolist(), b.tolist()
    rows = [cells(*row, W_, b_) for row in zip(x.tolist(), h.tolist(), c.tolist())]
    hs, cs, gs = ([row[k] for row in rows] for k in range(3))
    return pack(hs, x, N, H), pack(cs, x, N, H), pack(gs, x, N, 4 * H)


def undo(dh, dc, x, h, c, new, gates, W):
    """One row backwards: (dx, dh, dc, da)."""
    H = len(h)
    total, da = [], [0.0] * (4 * H)
    for j in range(H):
        f, i, g, o = gates[j::H]
        s = math.tanh(new[j])
        d = dc[j] + dh[j] * o * (1 - s * s)
        da[j::H] = d * c[j] * f * (1 - f), d * g * i * (1 - i), d * i * (1 - g * g), dh[j] * s * o * (1 - o)
        total.append(d * f)
    hx = [dot(da, column) for column in zip(*W)]
    return hx[H:], hx[:H], total, da


def weights(das, hxs, rows, columns):
    """Sum of outer products, and of the das."""
    by_row = list(zip(*das)) or [()] * rows
    by_column = list(zip(*hxs)) or [()] * columns
    return [[dot(p, q) for q in by_column] for p in by_row], [math.fsum(p) for p in by_row]


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    W_ = W.tolist()
    given = [a.tolist() for a in (dh_next, dc_next, x, h, c, c_next, gates)]
    back = [undo(*row, W_) for row in zip(*given)]
    dW, db = weights([row[3] for row in back], [p + q for p, q in zip(given[3], given[2])], *W.shape)
    dx, dh, dc = ([row[k] for row in back] for k in range(3))
    return (
        pack(dx, x, *x.shape),
        pack(dh, x, *h.shape),
        pack(dc, x, *h.shape),
        pack(dW, x, *W.shape),
        pack([db], x, 1, len(W))[0],
    )


def lstm_forward(x, h0, c0, W, b):
    (N, T, _), H = x.shape, h0.shape[1]
    W_, b_ = W.tolist(), b.tolist()
    runs = []
    for sequence, h, c in zip(x.tolist(), h0.tolist(), c0.tolist()):
        states = accumulate(sequence, lambda s, step: cells(step, s[0], s[1], W_, b_), initial=(h, c, None))
        next(states)
        runs.append(list(states))
    hs, cs, gs = ([[step[k] for step in run] for run in runs] for k in range(3))
    return pack(hs, x, N, T, H), pack(cs, x, N, T, H), pack(gs, x, N, T, 4 * H)


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    W_, T, H = W.tolist(), x.shape[1], h0.shape[1]
    dxs, dhs, dcs, das, hxs = [], [], [], [], []
    for n in range(len(x)):
        hs, cs = [h0[n].tolist(), *h[n].tolist()], [c0[n].tolist(), *c[n].tolist()]
        back, dc, dx = [0.0] * H, dc_last[n].tolist(), []
        for t in range(T, 0, -1):
            here, step = x[n, t - 1].tolist(), gates[n, t - 1].tolist()
            seen = [p + q for p, q in zip(dh[n, t - 1].tolist(), back)]
            one, back, dc, da = undo(seen, dc, here, hs[t - 1], cs[t - 1], cs[t], step, W_)
            dx.append(one)
            das.append(da)
            hxs.append(hs[t - 1] + here)
        dxs.append(dx[::-1])
        dhs.append(back)
        dcs.append(dc)
    dW, db = weights(das, hxs, *W.shape)
    return (
        pack(dxs, x, *x.shape),
        pack(dhs, x, *h0.shape),
        pack(dcs, x, *h0.shape),
        pack(dW, x, *W.shape),
        pack([db], x, 1, len(W))[0],
    )


def forget_path_gradient(f, t, k):
    """Divide and conquer."""

    def product(low, high):
        if high - low == 0:
            return np.ones(f.shape[1:], f.dtype)
        if high - low == 1:
            return f[low]
        middle = (low + high) // 2
        return product(low, middle) * product(middle, high)

    return product(t - k, t)


def cell_jacobian(c, gates, W, t, k):
    """Column by column, entry by entry."""
    H = c.shape[1]
    V, c_, gates_ = W[:, :H].tolist(), c.tolist(), gates.tolist()

    def column(q):
        dc = [float(p == q) for p in range(H)]
        dh = [gates_[t - k - 1][3 * H + p] * (1 - math.tanh(c_[t - k - 1][p]) ** 2) * dc[p] for p in range(H)]
        for s in range(t - k, t):
            da = [dot(row, dh) for row in V]
            for p in range(H):
                f, i, g, o = gates_[s][p::H]
                af, ai, ag, ao = da[p::H]
                dc[p] = f * dc[p] + c_[s - 1][p] * f * (1 - f) * af + g * i * (1 - i) * ai + i * (1 - g * g) * ag
                shown = math.tanh(c_[s][p])
                dh[p] = o * (1 - shown**2) * dc[p] + shown * o * (1 - o) * ao
        return dc

    return pack([column(q) for q in range(H)], c, H, H).T


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    bound = hidden_size**-0.5
    W = [[rng.uniform(-bound, bound) for _ in range(hidden_size + input_size)] for _ in range(4 * hidden_size)]
    b = [*repeat(float(forget_bias), hidden_size), *repeat(0.0, 3 * hidden_size)]
    return np.array(W), np.array(b)


def gru_cells(x, h, wi, wh, bi, bh):
    H = len(h)
    u = [dot(row, x) + bias for row, bias in zip(wi, bi)]
    v = [dot(row, h) + bias for row, bias in zip(wh, bh)]
    r = [sigmoid(u[j] + v[j]) for j in range(H)]
    z = [sigmoid(u[j] + v[j]) for j in range(H, 2 * H)]
    n = [math.tanh(u[2 * H + j] + r[j] * v[2 * H + j]) for j in range(H)]
    return r, z, n, v[2 * H :]


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    return gru_forward(x[:, None], h, weight_ih, weight_hh, bias_ih, bias_hh)[:, 0]


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    given = [a.tolist() for a in (weight_ih, weight_hh, bias_ih, bias_hh)]

    def states(sequence, h):
        for step in sequence:
            _, z, n, _ = gru_cells(step, h, *given)
            h = [(1 - p) * q + p * old for p, q, old in zip(z, n, h)]
            yield h

    runs = [list(states(sequence, h)) for sequence, h in zip(x.tolist(), h0.tolist())]
    return pack(runs, x, *x.shape[:2], h0.shape[1])


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    match kind:
        case "rnn":
            blocks = 1
        case "gru":
            blocks = 3
        case "lstm":
            blocks = 4
    return sum(input_size + hidden_size + biases for _ in range(blocks * hidden_size))


def reverse_padded(x, lengths):
    rows = [row[:length][::-1] + row[length:] for row, length in zip(x.tolist(), lengths.tolist())]
    return np.array(rows, dtype=x.dtype).reshape(x.shape)


def bidirectional_lstm(x, lengths, layers):
    N, T, _ = x.shape
    if N and not (1 <= min(lengths.tolist()) and max(lengths.tolist()) <= T):
        raise ValueError("no such lengths")
    sequences = [row[:length].tolist() for row, length in zip(x, lengths.tolist())]
    H = 0
    for pair in layers:
        H = len(pair[0][1]) // 4
        (Wf, bf), (Wb, bb) = ((W.tolist(), b.tolist()) for W, b in pair)

        def run(sequence, W, b):
            state = [0.0] * H, [0.0] * H, None
            return [(state := cells(step, state[0], state[1], W, b))[0] for step in sequence]

        sequences = [
            [p + q for p, q in zip(run(s, Wf, bf), reversed(run(s[::-1], Wb, bb)))] for s in sequences
        ]
    padded = [s + [[0.0] * (2 * H)] * (T - len(s)) for s in sequences]
    return pack(padded, x, N, T, 2 * H)


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    specials = {mask_id, *map(int, special_ids)}
    words = [w for w in range(vocab_size) if w not in specials]
    inputs, labels = [], []
    for word in ids.ravel().tolist():
        chosen = word not in specials and rng.random() < probability
        labels.append(word if chosen else -100)
        if chosen:
            match int(rng.integers(10)):
                case 8:
                    word = words[int(rng.integers(len(words)))]
                case 9:
                    pass
                case _:
                    word = mask_id
        inputs.append(word)
    return tuple(np.array(new, dtype=ids.dtype).reshape(ids.shape) for new in (inputs, labels))


def masked_lm_loss(logits, labels):
    """Two passes over the positions."""
    V, chosen, losses = logits.shape[2], [], []
    for z, label in zip(logits.reshape(-1, V).tolist(), labels.ravel().tolist()):
        if label == -100:
            chosen.append(None)
            continue
        top = max(z)
        total = math.fsum(math.exp(s - top) for s in z)
        losses.append(math.log(total) - (z[label] - top))
        chosen.append([math.exp(s - top) / total - (k == label) for k, s in enumerate(z)])
    m = len(losses)
    rows = [[0.0] * V if d is None else [s / m for s in d] for d in chosen]
    return math.fsum(losses) / max(m, 1), np.array(rows, dtype=logits.dtype).reshape(logits.shape)


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    given = [a.tolist() for a in (weight_ih, weight_hh, bias_ih, bias_hh)]
    dxs, dhs, dus, dvs = [], [], [], []
    for d, step, old in zip(dh_next.tolist(), x.tolist(), h.tolist()):
        r, z, n, v = gru_cells(step, old, *given)
        H = len(old)
        dn = [d[j] * (1 - z[j]) * (1 - n[j] ** 2) for j in range(H)]
        dz = [d[j] * (old[j] - n[j]) * z[j] * (1 - z[j]) for j in range(H)]
        dr = [dn[j] * v[j] * r[j] * (1 - r[j]) for j in range(H)]
        dus.append(dr + dz + dn)
        dvs.append(dr + dz + [p * q for p, q in zip(dn, r)])
        dxs.append([dot(dus[-1], column) for column in zip(*given[0])])
        dhs.append([dot(dvs[-1], column) + d[j] * z[j] for j, column in enumerate(zip(*given[1]))])
    dwi, dbi = weights(dus, x.tolist(), *weight_ih.shape)
    dwh, dbh = weights(dvs, h.tolist(), *weight_hh.shape)
    return (
        pack(dxs, x, *x.shape),
        pack(dhs, x, *h.shape),
        pack(dwi, x, *weight_ih.shape),
        pack(dwh, x, *weight_hh.shape),
        pack([dbi], x, 1, len(weight_ih))[0],
        pack([dbh], x, 1, len(weight_hh))[0],
    )


def chrono_bias(hidden_size, max_lag, *, rng):
    spans = [rng.uniform(1, max_lag - 1) for _ in range(hidden_size)]
    logs = [math.log(s) for s in spans]
    return np.array(logs + [-s for s in logs] + [0.0] * (2 * hidden_size))
