# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np
from jaxtyping import Float, Int, Int64, Shaped

Weights = tuple[Float[np.ndarray, "4*H H+D"], Float[np.ndarray, "4*H"]]


import math


def sigm(a, out=None):
    out = np.multiply(a, 0.5, out=out)
    np.tanh(out, out=out)
    out += 1
    out *= 0.5
    return out


def cut(rows, k):
    step = rows.shape[0] // k
    return [rows[j : j + step] for j in range(0, k * step, step)]


def undo(H, dh, dc, xT, hT, cT, c_nextT, gT, W):
    f, i, g, o = cut(gT, 4)
    tc = np.tanh(c_nextT)
    d = dc + dh * o * ((1 - tc) * (1 + tc))
    da = np.empty_like(gT, order="C")
    for rows, value in zip(cut(da, 4), (d * cT * f * (1 - f), d * g * i * (1 - i), d * i * (1 - g * g), dh * tc * o * (1 - o))):
        rows[...] = value
    return W.T @ da, d * f, da


def lstm_step_forward(
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    c: Float[np.ndarray, "N H"],
    W: Float[np.ndarray, "4*H H+D"],
    b: Float[np.ndarray, "4*H"],
) -> tuple[Float[np.ndarray, "N H"], Float[np.ndarray, "N H"], Float[np.ndarray, "N 4*H"]]:
    s = W @ np.vstack([h.T, x.T])
    s += b[:, None]
    f, i, g, o = cut(s, 4)
    for part, squash in zip((f, i, g, o), (sigm, sigm, np.tanh, sigm)):
        squash(part, out=part)
    cell = f * c.T
    cell += i * g
    return (o * np.tanh(cell)).T, cell.T, s.T


def lstm_step_backward(
    dh_next: Float[np.ndarray, "N H"],
    dc_next: Float[np.ndarray, "N H"],
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    c: Float[np.ndarray, "N H"],
    c_next: Float[np.ndarray, "N H"],
    gates: Float[np.ndarray, "N 4*H"],
    W: Float[np.ndarray, "4*H H+D"],
) -> tuple[
    Float[np.ndarray, "N D"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "4*H H+D"],
    Float[np.ndarray, "4*H"],
]:
    H = W.shape[0] // 4
    hx, dc, da = undo(H, dh_next.T, dc_next.T, x.T, h.T, c.T, c_next.T, gates.T, W)
    return hx[H:].T, hx[:H].T, dc.T, np.concatenate([da @ h, da @ x], axis=1), da @ np.ones(len(x), da.dtype)


def lstm_forward(
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    c0: Float[np.ndarray, "N H"],
    W: Float[np.ndarray, "4*H H+D"],
    b: Float[np.ndarray, "4*H"],
) -> tuple[Float[np.ndarray, "N T H"], Float[np.ndarray, "N T H"], Float[np.ndarray, "N T 4*H"]]:
    (N, T, D), H = x.shape, h0.shape[1]
    h, c = np.zeros((2, N, T + 1, H), x.dtype)
    h[:, 0], c[:, 0] = h0, c0
    gates = np.zeros((N, T, 4 * H), x.dtype)
    for t in range(T):
        h[:, t + 1], c[:, t + 1], gates[:, t] = lstm_step_forward(x[:, t], h[:, t], c[:, t], W, b)
    return h[:, 1:], c[:, 1:], gates


def lstm_backward(
    dh: Float[np.ndarray, "N T H"],
    dc_last: Float[np.ndarray, "N H"],
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    c0: Float[np.ndarray, "N H"],
    h: Float[np.ndarray, "N T H"],
    c: Float[np.ndarray, "N T H"],
    gates: Float[np.ndarray, "N T 4*H"],
    W: Float[np.ndarray, "4*H H+D"],
) -> tuple[
    Float[np.ndarray, "N T D"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "4*H H+D"],
    Float[np.ndarray, "4*H"],
]:
    (N, T, D), H = x.shape, h0.shape[1]
    da_all = np.empty((T, 4 * H, N), x.dtype)
    dx = np.empty((T, D, N), x.dtype)
    back_h, back_c = np.zeros((H, N), x.dtype), dc_last.T
    t = T
    while t:
        t -= 1
        old_h, old_c = (h0, c0) if t == 0 else (h[:, t - 1], c[:, t - 1])
        hx, back_c, da_all[t] = undo(H, dh[:, t].T + back_h, back_c, x[:, t].T, old_h.T, old_c.T, c[:, t].T, gates[:, t].T, W)
        back_h, dx[t] = hx[:H], hx[H:]
    flat = da_all.transpose(1, 0, 2).reshape(4 * H, T * N)
    olds = np.concatenate([h0[None], h.swapaxes(0, 1)[:-1]]).reshape(T * N, H)
    seen = x.swapaxes(0, 1).reshape(T * N, D)
    return dx.transpose(2, 0, 1), back_h.T, back_c.T, np.hstack([flat @ olds, flat @ seen]), flat.sum(axis=1)


def forget_path_gradient(f: Float[np.ndarray, "T H"], t: int, k: int) -> Float[np.ndarray, " H"]:
    return np.array([math.prod(column[t - k : t]) for column in f.T], dtype=f.dtype)


def cell_jacobian(
    c: Float[np.ndarray, "T H"],
    gates: Float[np.ndarray, "T 4*H"],
    W: Float[np.ndarray, "4*H H+D"],
    t: int,
    k: int,
) -> Float[np.ndarray, "H H"]:
    # One column after the other, by forward differentiation of the pair.
    H = c.shape[1]
    columns = []
    for q in range(H):
        dc = np.zeros(H, c.dtype)
        dc[q] = 1
        dh = gates[t - k - 1, 3 * H :] * dc / np.square(np.cosh(np.clip(c[t - k - 1], -350, 350), dtype=np.float64))
        for s in range(t - k, t):
            f, i, g, o = cut(gates[s], 4)
            df, di, dg, do = cut(W[:, :H] @ dh, 4)
            dc, old = dc * f + c[s - 1] * (f - f * f) * df + g * (i - i * i) * di + i * (1 - g * g) * dg, dc
            th = np.tanh(c[s])
            dh = o * (1 - th) * (1 + th) * dc + th * (o - o * o) * do
        columns.append(dc)
    return np.stack(columns, axis=1).astype(c.dtype)


def lstm_init(
    input_size: int, hidden_size: int, *, rng: np.random.Generator, forget_bias: float = 1.0
) -> tuple[Float[np.ndarray, "4*H H+D"], Float[np.ndarray, "4*H"]]:
    k = math.sqrt(1 / hidden_size)
    blocks = [rng.uniform(-k, k, (hidden_size, n)) for n in [hidden_size] * 4 + [input_size] * 4]
    W = np.block([[blocks[j], blocks[4 + j]] for j in range(4)])
    return W, np.where(np.arange(4 * hidden_size) < hidden_size, float(forget_bias), 0.0)


def gru_step_forward(
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    weight_ih: Float[np.ndarray, "3*H D"],
    weight_hh: Float[np.ndarray, "3*H H"],
    bias_ih: Float[np.ndarray, "3*H"],
    bias_hh: Float[np.ndarray, "3*H"],
) -> Float[np.ndarray, "N H"]:
    u = weight_ih @ x.T + bias_ih[:, None]
    v = weight_hh @ h.T + bias_hh[:, None]
    (ur, uz, un), (vr, vz, vn) = cut(u, 3), cut(v, 3)
    keep = sigm(uz + vz)
    return (keep * h.T + (1 - keep) * np.tanh(un + sigm(ur + vr) * vn)).T


def gru_forward(
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    weight_ih: Float[np.ndarray, "3*H D"],
    weight_hh: Float[np.ndarray, "3*H H"],
    bias_ih: Float[np.ndarray, "3*H"],
    bias_hh: Float[np.ndarray, "3*H"],
) -> Float[np.ndarray, "N T H"]:
    if x.shape[1] == 1:
        return gru_step_forward(x[:, 0], h0, weight_ih, weight_hh, bias_ih, bias_hh)[:, None]
    half = x.shape[1] // 2
    one = gru_forward(x[:, :half], h0, weight_ih, weight_hh, bias_ih, bias_hh)
    two = gru_forward(x[:, half:], one[:, -1], weight_ih, weight_hh, bias_ih, bias_hh)
    return np.hstack([one, two])


def parameter_count(kind: Literal["rnn", "lstm", "gru"], input_size: int, hidden_size: int, *, biases: int = 1) -> int:
    rows = {"rnn": 1, "lstm": 4, "gru": 3}[kind] * hidden_size
    shapes = [(rows, input_size), (rows, hidden_size)] + [(rows,)] * biases
    return sum(map(math.prod, shapes))


def reverse_padded(x: Shaped[np.ndarray, "N T D"], lengths: Int64[np.ndarray, " N"]) -> Shaped[np.ndarray, "N T D"]:
    out = x.copy()
    steps = np.arange(x.shape[1])
    inside = steps < lengths[:, None]
    # Rows are turned whole; what then belongs inside comes out of the mask in the right order.
    out[inside] = x[:, ::-1][inside[:, ::-1]]
    return out


def bidirectional_lstm(
    x: Float[np.ndarray, "N T D"], lengths: Int64[np.ndarray, " N"], layers: Sequence[tuple[Weights, Weights]]
) -> Float[np.ndarray, "N T 2*H"]:
    N, T, _ = x.shape
    if ((lengths > T) | (lengths <= 0)).any():
        raise ValueError("a sequence has no step, or too many")
    order = np.argsort(-lengths, kind="stable")
    alive = [int((lengths > t).sum()) for t in range(T)]  # sorted, these are the first rows
    y = np.where((np.arange(T) < lengths[:, None])[:, :, None], x, 0).astype(x.dtype)[order]
    for pair in layers:
        H = len(pair[0][1]) // 4
        out = np.zeros((N, T, 2 * H), x.dtype)
        for way, (W, b) in enumerate(pair):
            h, c = np.zeros((2, N, H), x.dtype)
            for t in range(T)[:: 1 - 2 * way]:
                n = alive[t]
                if n:
                    h[:n], c[:n], _ = lstm_step_forward(y[:n, t], h[:n], c[:n], W, b)
                    out[:n, t, way * H : (way + 1) * H] = h[:n]
        y = out
    result = np.empty_like(y)
    result[order] = y
    return result


def mask_tokens(
    ids: Int[np.ndarray, "N T"],
    *,
    mask_id: int,
    vocab_size: int,
    special_ids: Collection[int] = (),
    probability: float = 0.15,
    rng: np.random.Generator,
) -> tuple[Int[np.ndarray, "N T"], Int[np.ndarray, "N T"]]:
    banned = {int(special) for special in special_ids} | {mask_id}
    words = np.array(sorted(set(range(vocab_size)) - banned), dtype=ids.dtype)
    inputs, labels = ids.copy(), ids.copy()
    free = np.ones(ids.shape, bool)
    for word in banned:
        free &= ids != word
    lots = rng.uniform(size=ids.shape)
    free &= lots < probability
    labels[~free] = -100
    kinds = rng.integers(10, size=ids.shape)
    inputs[free & (kinds < 8)] = mask_id
    for place in zip(*np.nonzero(free & (kinds == 8))):
        inputs[place] = rng.choice(words)
    return inputs, labels


def masked_lm_loss(
    logits: Float[np.ndarray, "N T V"], labels: Int[np.ndarray, "N T"]
) -> tuple[float, Float[np.ndarray, "N T V"]]:
    selected = labels != -100
    m = int(np.sum(selected)) or 1
    z = np.moveaxis(logits, -1, 0)
    top = z.max(axis=0)
    log_z = np.log(np.sum(np.exp(z - top), axis=0))
    safe = np.where(selected, labels, 0).astype(np.intp)
    picked = np.choose(np.zeros_like(safe), [np.take_along_axis(z, safe[None], axis=0)[0]])
    loss = np.where(selected, log_z - (picked - top), 0).sum() / m
    p = np.exp((z - top) - log_z)
    n, t = np.indices(safe.shape)
    p[safe, n, t] -= 1
    return float(loss), np.moveaxis(np.where(selected, p, p.dtype.type(0)) / m, 0, -1)


def gru_step_backward(
    dh_next: Float[np.ndarray, "N H"],
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    weight_ih: Float[np.ndarray, "3*H D"],
    weight_hh: Float[np.ndarray, "3*H H"],
    bias_ih: Float[np.ndarray, "3*H"],
    bias_hh: Float[np.ndarray, "3*H"],
) -> tuple[
    Float[np.ndarray, "N D"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "3*H D"],
    Float[np.ndarray, "3*H H"],
    Float[np.ndarray, "3*H"],
    Float[np.ndarray, "3*H"],
]:
    u = weight_ih @ x.T + bias_ih[:, None]
    v = weight_hh @ h.T + bias_hh[:, None]
    (ur, uz, un), (vr, vz, vn) = cut(u, 3), cut(v, 3)
    r, z, d = sigm(ur + vr), sigm(uz + vz), dh_next.T
    n = np.tanh(un + r * vn)
    gu = np.empty_like(u)
    gr, gz, gn = cut(gu, 3)
    gn[...] = d * (1 - z) * (1 - n) * (1 + n)
    gz[...] = d * z * (1 - z) * (h.T - n)
    gr[...] = gn * vn * r * (1 - r)
    gv = gu.copy()
    cut(gv, 3)[2][...] *= r
    dh = weight_hh.T @ gv
    dh += d * z
    return (weight_ih.T @ gu).T, dh.T, gu @ x, gv @ h, gu.sum(1), gv.sum(1)


def chrono_bias(hidden_size: int, max_lag: int, *, rng: np.random.Generator) -> Float[np.ndarray, "4*H"]:
    b = np.zeros((4, hidden_size))
    rng.random(out=b[0])
    b[0] = np.log(b[0] * (max_lag - 1) + (1 - b[0]))
    b[1] -= b[0]
    return b.reshape(-1)
