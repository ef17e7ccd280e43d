"""Assignment 5. I wrote every sum as a loop over plain Python numbers, so that I can see which index goes where."""

from __future__ import annotations

import math

import numpy as np


def sigmoid(a):
    if a >= 0:
        return 1.0 / (1.0 + math.exp(-a))
    e = math.exp(a)
    return e / (1.0 + e)


def floating(*arrays):
    """The dtype of the result."""
    return np.result_type(*[a.dtype for a in arrays])


def lstm_step_forward(x, h, c, W, b):
    dtype = floating(x, h, c, W, b)
    N, D = x.shape
    H = h.shape[1]
    h_next = np.zeros((N, H), dtype)
    c_next = np.zeros((N, H), dtype)
    gates = np.zeros((N, 4 * H), dtype)
    weights, bias, old = W.tolist(), b.tolist(), c.tolist()
    for n in range(N):
        both = h[n].tolist() + x[n].tolist()
        a = []
        for row in range(4 * H):
            total = bias[row]
            for column in range(H + D):
                total += weights[row][column] * both[column]
            a.append(total)
        for j in range(H):
            f = sigmoid(a[j])
            i = sigmoid(a[H + j])
            g = math.tanh(a[2 * H + j])
            o = sigmoid(a[3 * H + j])
            new = f * old[n][j] + i * g
            c_next[n, j] = new
            h_next[n, j] = o * math.tanh(new)
            gates[n, j] = f
            gates[n, H + j] = i
            gates[n, 2 * H + j] = g
            gates[n, 3 * H + j] = o
    return h_next, c_next, gates


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    dtype = floating(dh_next, dc_next, x, h, c, c_next, gates, W)
    N, D = x.shape
    H = h.shape[1]
    dx, dh, dc = np.zeros((N, D), dtype), np.zeros((N, H), dtype), np.zeros((N, H), dtype)
    weights = W.tolist()
    dW = [[0.0] * (H + D) for _ in range(4 * H)]
    db = [0.0] * (4 * H)
    for n in range(N):
        both = h[n].tolist() + x[n].tolist()
        gate = gates[n].tolist()
        da = [0.0] * (4 * H)
        for j in range(H):
            f, i, g, o = gate[j], gate[H + j], gate[2 * H + j], gate[3 * H + j]
            shown = math.tanh(float(c_next[n, j]))
            d_out = float(dh_next[n, j])
            d_cell = float(dc_next[n, j]) + d_out * o * (1 - shown * shown)
            dc[n, j] = d_cell * f
            da[j] = d_cell * float(c[n, j]) * f * (1 - f)
            da[H + j] = d_cell * g * i * (1 - i)
            da[2 * H + j] = d_cell * i * (1 - g * g)
            da[3 * H + j] = d_out * shown * o * (1 - o)
        d_both = [0.0] * (H + D)
        for row in range(4 * H):
            db[row] += da[row]
            for column in range(H + D):
                dW[row][column] += da[row] * both[column]
                d_both[column] += da[row] * weights[row][column]
        for j in range(H):
            dh[n, j] = d_both[j]
        for j in range(D):
            dx[n, j] = d_both[H + j]
    return dx, dh, dc, np.array(dW, dtype).reshape(W.shape), np.array(db, dtype)


def lstm_forward(x, h0, c0, W, b):
    dtype = floating(x, h0, c0, W, b)
    N, T, _ = x.shape
    H = h0.shape[1]
    hs = np.zeros((N, T, H), dtype)
    cs = np.zeros((N, T, H), dtype)
    gates = np.zeros((N, T, 4 * H), dtype)
    h, c = h0, c0
    for t in range(T):
        h, c, gate = lstm_step_forward(x[:, t], h, c, W, b)
        hs[:, t] = h
        cs[:, t] = c
        gates[:, t] = gate
    return hs, cs, gates


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    dtype = floating(dh, dc_last, x, h0, c0, h, c, gates, W)
    N, T, _ = x.shape
    dx = np.zeros(x.shape, dtype)
    dW = np.zeros(W.shape, dtype)
    db = np.zeros(W.shape[0], dtype)
    back_h = np.zeros(h0.shape, dtype)
    back_c = dc_last
    for t in range(T - 1, -1, -1):
        if t == 0:
            h_before, c_before = h0, c0
        else:
            h_before, c_before = h[:, t - 1], c[:, t - 1]
        into_h = dh[:, t] + back_h
        dx_t, back_h, back_c, dW_t, db_t = lstm_step_backward(
            into_h, back_c, x[:, t], h_before, c_before, c[:, t], gates[:, t], W
        )
        dx[:, t] = dx_t
        dW = dW + dW_t
        db = db + db_t
    return dx, back_h.astype(dtype), back_c.astype(dtype), dW, db


def forget_path_gradient(f, t, k):
    product = np.ones(f.shape[1], f.dtype)
    for step in range(t - k + 1, t + 1):
        for j in range(f.shape[1]):
            product[j] *= f[step - 1, j]
    return product


def cell_jacobian(c, gates, W, t, k):
    dtype = floating(c, gates, W)
    H = c.shape[1]
    weights, cells, gate = W.tolist(), c.tolist(), gates.tolist()
    J = np.zeros((H, H), dtype)
    start = t - k  # counted from 1
    for q in range(H):
        dc = [1.0 if j == q else 0.0 for j in range(H)]
        dh = [0.0] * H
        dh[q] = gate[start - 1][3 * H + q] * (1 - math.tanh(cells[start - 1][q]) ** 2)
        for s in range(start + 1, t + 1):
            now, before, cell = gate[s - 1], cells[s - 2], cells[s - 1]
            da = []
            for row in range(4 * H):
                total = 0.0
                for j in range(H):
                    total += weights[row][j] * dh[j]
                da.append(total)
            new_dc, new_dh = [], []
            for j in range(H):
                f, i, g, o = now[j], now[H + j], now[2 * H + j], now[3 * H + j]
                change = f * dc[j]
                change += before[j] * f * (1 - f) * da[j]
                change += g * i * (1 - i) * da[H + j]
                change += i * (1 - g * g) * da[2 * H + j]
                shown = math.tanh(cell[j])
                new_dc.append(change)
                new_dh.append(o * (1 - shown * shown) * change + shown * o * (1 - o) * da[3 * H + j])
            dc, dh = new_dc, new_dh
        for p in range(H):
            J[p, q] = dc[p]
    return J


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    bound = 1 / math.sqrt(hidden_size)
    W = np.zeros((4 * hidden_size, hidden_size + input_size))
    for row in range(W.shape[0]):
        for column in range(W.shape[1]):
            W[row, column] = rng.uniform(-bound, bound)
    b = np.zeros(4 * hidden_size)
    for j in range(hidden_size):
        b[j] = forget_bias
    return W, b


def gru_sums(inputs, weight, bias):
    """weight @ inputs + bias for one row, as a list."""
    sums = []
    for row, start in zip(weight, bias):
        total = start
        for w, value in zip(row, inputs):
            total += w * value
        sums.append(total)
    return sums


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    N, H = h.shape
    h_next = np.zeros((N, H), floating(x, h, weight_ih, weight_hh, bias_ih, bias_hh))
    w_i, w_h, b_i, b_h = weight_ih.tolist(), weight_hh.tolist(), bias_ih.tolist(), bias_hh.tolist()
    for n in range(N):
        old = h[n].tolist()
        u = gru_sums(x[n].tolist(), w_i, b_i)
        v = gru_sums(old, w_h, b_h)
        for j in range(H):
            r = sigmoid(u[j] + v[j])
            z = sigmoid(u[H + j] + v[H + j])
            new = math.tanh(u[2 * H + j] + r * v[2 * H + j])
            h_next[n, j] = (1 - z) * new + z * old[j]
    return h_next


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    N, T, _ = x.shape
    states = np.zeros((N, T, h0.shape[1]), floating(x, h0, weight_ih, weight_hh, bias_ih, bias_hh))
    h = h0
    for t in range(T):
        h = gru_step_forward(x[:, t], h, weight_ih, weight_hh, bias_ih, bias_hh)
        states[:, t] = h
    return states


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    if kind == "rnn":
        blocks = 1
    elif kind == "gru":
        blocks = 3
    else:
        blocks = 4
    count = 0
    for _ in range(blocks):
        for _ in range(hidden_size):
            count += input_size + hidden_size + biases
    return count


def reverse_padded(x, lengths):
    out = np.empty(x.shape, x.dtype)
    for n in range(x.shape[0]):
        length = int(lengths[n])
        for t in range(x.shape[1]):
            if t < length:
                out[n, t] = x[n, length - 1 - t]
            else:
                out[n, t] = x[n, t]
    return out


def bidirectional_lstm(x, lengths, layers):
    N, T, _ = x.shape
    for length in lengths:
        if length < 1 or length > T:
            raise ValueError(f"length {length} does not lie between 1 and {T}")
    dtype = x.dtype
    width = x.shape[2]
    for (W, b), (V, d) in layers:
        dtype = np.result_type(dtype, W, b, V, d)
        width = 2 * (W.shape[0] // 4)
    out = np.zeros((N, T, width), dtype)
    for n in range(N):
        length = int(lengths[n])
        row = x[n : n + 1, :length].astype(dtype)  # alone, without its padding
        for (W_forward, b_forward), (W_backward, b_backward) in layers:
            zero = np.zeros((1, W_forward.shape[0] // 4), dtype)
            there, _, _ = lstm_forward(row, zero, zero, W_forward, b_forward)
            turned = reverse_padded(row, np.array([length]))
            back, _, _ = lstm_forward(turned, zero, zero, W_backward, b_backward)
            back = reverse_padded(back, np.array([length]))
            row = np.concatenate([there, back], axis=2)
        out[n, :length] = row[0]
    return out


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    never = {int(word) for word in special_ids} | {int(mask_id)}
    ordinary = [word for word in range(vocab_size) if word not in never]
    inputs = np.array(ids)
    labels = np.zeros(ids.shape, ids.dtype)
    for n in range(ids.shape[0]):
        for t in range(ids.shape[1]):
            labels[n, t] = -100
            word = int(ids[n, t])
            if word in never or rng.random() >= probability:
                continue
            labels[n, t] = word
            dice = rng.integers(10)
            if dice < 8:
                inputs[n, t] = mask_id
            elif dice == 8:
                inputs[n, t] = ordinary[rng.integers(len(ordinary))]
    return inputs, labels


def masked_lm_loss(logits, labels):
    N, T, V = logits.shape
    dlogits = np.zeros(logits.shape, logits.dtype)
    count = 0
    for n in range(N):
        for t in range(T):
            if labels[n, t] != -100:
                count += 1
    loss = 0.0
    for n in range(N):
        for t in range(T):
            label = int(labels[n, t])
            if label == -100:
                continue
            z = logits[n, t].tolist()
            top = max(z)
            total = 0.0
            for value in z:
                total += math.exp(value - top)
            loss += (math.log(total) + top - z[label]) / count
            for k in range(V):
                p = math.exp(z[k] - top) / total
                dlogits[n, t, k] = (p - (1 if k == label else 0)) / count
    return float(loss), dlogits


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    dtype = floating(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    N, D = x.shape
    H = h.shape[1]
    w_i, w_h, b_i, b_h = weight_ih.tolist(), weight_hh.tolist(), bias_ih.tolist(), bias_hh.tolist()
    dx, dh = np.zeros((N, D), dtype), np.zeros((N, H), dtype)
    dw_i = np.zeros((3 * H, D))
    dw_h = np.zeros((3 * H, H))
    db_i, db_h = np.zeros(3 * H), np.zeros(3 * H)
    for n in range(N):
        inputs, old = x[n].tolist(), h[n].tolist()
        u = gru_sums(inputs, w_i, b_i)
        v = gru_sums(old, w_h, b_h)
        du, dv, direct = [0.0] * (3 * H), [0.0] * (3 * H), [0.0] * H
        for j in range(H):
            r = sigmoid(u[j] + v[j])
            z = sigmoid(u[H + j] + v[H + j])
            new = math.tanh(u[2 * H + j] + r * v[2 * H + j])
            d = float(dh_next[n, j])
            direct[j] = d * z
            da_n = d * (1 - z) * (1 - new * new)
            da_z = d * (old[j] - new) * z * (1 - z)
            da_r = da_n * v[2 * H + j] * r * (1 - r)
            du[j], du[H + j], du[2 * H + j] = da_r, da_z, da_n
            dv[j], dv[H + j], dv[2 * H + j] = da_r, da_z, da_n * r
        for row in range(3 * H):
            db_i[row] += du[row]
            db_h[row] += dv[row]
            for j in range(D):
                dw_i[row, j] += du[row] * inputs[j]
            for j in range(H):
                dw_h[row, j] += dv[row] * old[j]
        for j in range(D):
            total = 0.0
            for row in range(3 * H):
                total += du[row] * w_i[row][j]
            dx[n, j] = total
        for j in range(H):
            total = direct[j]
            for row in range(3 * H):
                total += dv[row] * w_h[row][j]
            dh[n, j] = total
    return dx, dh, dw_i.astype(dtype), dw_h.astype(dtype), db_i.astype(dtype), db_h.astype(dtype)


def chrono_bias(hidden_size, max_lag, *, rng):
    b = np.zeros(4 * hidden_size)
    for j in range(hidden_size):
        s = 1 + (max_lag - 2) * rng.random()
        b[j] = math.log(s)
        b[hidden_size + j] = -math.log(s)
    return b
