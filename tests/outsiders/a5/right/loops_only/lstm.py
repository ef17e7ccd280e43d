"""Everything entry by entry, with Python's own numbers; NumPy only stores the results."""

from __future__ import annotations

import math

import numpy as np


def _sigmoid(a):
    if a >= 0:
        return 1.0 / (1.0 + math.exp(-a))
    e = math.exp(a)
    return e / (1.0 + e)


def lstm_step_forward(x, h, c, W, b):
    N, D = x.shape
    H = h.shape[1]
    h_next, c_next = np.empty((N, H), h.dtype), np.empty((N, H), h.dtype)
    gates = np.empty((N, 4 * H), h.dtype)
    for n in range(N):
        sums = []
        for row in range(4 * H):
            total = float(b[row])
            for j in range(H):
                total += float(W[row, j]) * float(h[n, j])
            for j in range(D):
                total += float(W[row, H + j]) * float(x[n, j])
            sums.append(total)
        for p in range(H):
            f, i = _sigmoid(sums[p]), _sigmoid(sums[H + p])
            g, o = math.tanh(sums[2 * H + p]), _sigmoid(sums[3 * H + p])
            cell = f * float(c[n, p]) + i * g
            c_next[n, p] = cell
            h_next[n, p] = o * math.tanh(cell)
            gates[n, p], gates[n, H + p], gates[n, 2 * H + p], gates[n, 3 * H + p] = f, i, g, o
    return h_next, c_next, gates


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    N, D = x.shape
    H = h.shape[1]
    kind = h.dtype
    dx, dh, dc = np.empty((N, D), kind), np.empty((N, H), kind), np.empty((N, H), kind)
    dW = [[0.0] * (H + D) for _ in range(4 * H)]
    db = [0.0] * (4 * H)
    for n in range(N):
        da = [0.0] * (4 * H)
        for p in range(H):
            f, i, g, o = (float(gates[n, block * H + p]) for block in range(4))
            shown = math.tanh(float(c_next[n, p]))
            up = float(dh_next[n, p])
            cell = float(dc_next[n, p]) + up * o * (1 - shown * shown)
            dc[n, p] = cell * f
            da[p] = cell * float(c[n, p]) * f * (1 - f)
            da[H + p] = cell * g * i * (1 - i)
            da[2 * H + p] = cell * i * (1 - g * g)
            da[3 * H + p] = up * shown * o * (1 - o)
        old = [float(value) for value in h[n]] + [float(value) for value in x[n]]
        for row in range(4 * H):
            db[row] += da[row]
            for j in range(H + D):
                dW[row][j] += da[row] * old[j]
        for j in range(H + D):
            total = 0.0
            for row in range(4 * H):
                total += da[row] * float(W[row, j])
            if j < H:
                dh[n, j] = total
            else:
                dx[n, j - H] = total
    return dx, dh, dc, np.array(dW, kind), np.array(db, kind)


def lstm_forward(x, h0, c0, W, b):
    N, T, _ = x.shape
    H = h0.shape[1]
    all_h, all_c = np.empty((N, T, H), x.dtype), np.empty((N, T, H), x.dtype)
    all_gates = np.empty((N, T, 4 * H), x.dtype)
    h, c = h0, c0
    for t in range(T):
        h, c, gates = lstm_step_forward(x[:, t], h, c, W, b)
        all_h[:, t], all_c[:, t], all_gates[:, t] = h, c, gates
    return all_h, all_c, all_gates


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    N, T, D = x.shape
    H = h0.shape[1]
    dx = np.empty((N, T, D), x.dtype)
    dW, db = np.zeros(W.shape, W.dtype), np.zeros(W.shape[0], W.dtype)
    back_h, back_c = np.zeros((N, H), x.dtype), dc_last
    for t in range(T - 1, -1, -1):
        old_h, old_c = (h[:, t - 1], c[:, t - 1]) if t > 0 else (h0, c0)
        step = lstm_step_backward(dh[:, t] + back_h, back_c, x[:, t], old_h, old_c, c[:, t], gates[:, t], W)
        dx[:, t], back_h, back_c = step[0], step[1], step[2]
        dW = dW + step[3]
        db = db + step[4]
    return dx, back_h, back_c, dW, db


def forget_path_gradient(f, t, k):
    product = np.ones(f.shape[1], f.dtype)
    for p in range(f.shape[1]):
        for step in range(t - k, t):
            product[p] = product[p] * f[step, p]
    return product


def cell_jacobian(c, gates, W, t, k):
    H = c.shape[1]
    J = np.empty((H, H), c.dtype)
    for q in range(H):
        moved_c = [1.0 if p == q else 0.0 for p in range(H)]
        start = t - k - 1
        moved_h = []
        for p in range(H):
            shown = math.tanh(float(c[start, p]))
            moved_h.append(float(gates[start, 3 * H + p]) * (1 - shown * shown) * moved_c[p])
        for s in range(start + 1, t):
            da = [sum(float(W[row, j]) * moved_h[j] for j in range(H)) for row in range(4 * H)]
            new_c, new_h = [], []
            for p in range(H):
                f, i, g, o = (float(gates[s, block * H + p]) for block in range(4))
                cell = (
                    f * moved_c[p]
                    + float(c[s - 1, p]) * f * (1 - f) * da[p]
                    + g * i * (1 - i) * da[H + p]
                    + i * (1 - g * g) * da[2 * H + p]
                )
                shown = math.tanh(float(c[s, p]))
                new_c.append(cell)
                new_h.append(shown * o * (1 - o) * da[3 * H + p] + o * (1 - shown * shown) * cell)
            moved_c, moved_h = new_c, new_h
        for p in range(H):
            J[p, q] = moved_c[p]
    return J


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    bound = 1 / math.sqrt(hidden_size)
    W, b = np.empty((4 * hidden_size, hidden_size + input_size)), np.zeros(4 * hidden_size)
    for row in range(W.shape[0]):
        for column in range(W.shape[1]):
            W[row, column] = rng.uniform(-bound, bound)
    for p in range(hidden_size):
        b[p] = forget_bias
    return W, b


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    N, D = x.shape
    H = h.shape[1]
    h_next = np.empty((N, H), h.dtype)
    for n in range(N):
        for p in range(H):
            u, v = [], []
            for block in range(3):
                row = block * H + p
                u.append(sum((float(weight_ih[row, j]) * float(x[n, j]) for j in range(D)), float(bias_ih[row])))
                v.append(sum((float(weight_hh[row, j]) * float(h[n, j]) for j in range(H)), float(bias_hh[row])))
            r = _sigmoid(u[0] + v[0])
            z = _sigmoid(u[1] + v[1])
            candidate = math.tanh(u[2] + r * v[2])
            h_next[n, p] = (1 - z) * candidate + z * float(h[n, p])
    return h_next


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    N, T, _ = x.shape
    out = np.empty((N, T, h0.shape[1]), h0.dtype)
    h = h0
    for t in range(T):
        h = gru_step_forward(x[:, t], h, weight_ih, weight_hh, bias_ih, bias_hh)
        out[:, t] = h
    return out


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    count = 0
    for _ in range({"rnn": 1, "gru": 3, "lstm": 4}[kind]):
        for _ in range(hidden_size):
            count += input_size + hidden_size + biases
    return count


def reverse_padded(x, lengths):
    result = x.copy()
    for n in range(x.shape[0]):
        length = int(lengths[n])
        for t in range(length):
            for d in range(x.shape[2]):
                result[n, t, d] = x[n, length - 1 - t, d]
    return result


def bidirectional_lstm(x, lengths, layers):
    N, T, _ = x.shape
    for n in range(N):
        if not 1 <= lengths[n] <= T:
            raise ValueError("a length is not from 1 to T")
    value = x
    for forward, backward in layers:
        H = forward[1].shape[0] // 4
        result = np.zeros((N, T, 2 * H), x.dtype)
        for n in range(N):  # every sequence alone
            length = int(lengths[n])
            own = value[n : n + 1, :length]
            zeros = np.zeros((1, H), x.dtype)
            result[n, :length, :H] = lstm_forward(own, zeros, zeros, *forward)[0][0]
            turned = lstm_forward(own[:, ::-1], zeros, zeros, *backward)[0][0]
            for t in range(length):
                result[n, t, H:] = turned[length - 1 - t]
        value = result
    return value


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    hidden = {int(word) for word in special_ids}
    hidden.add(int(mask_id))
    ordinary = [word for word in range(vocab_size) if word not in hidden]
    inputs, labels = ids.copy(), np.full(ids.shape, -100, ids.dtype)
    for n in range(ids.shape[0]):
        for t in range(ids.shape[1]):
            word = int(ids[n, t])
            if word in hidden or not rng.random() < probability:
                continue
            labels[n, t] = word
            fate = rng.random()
            if fate < 0.8:
                inputs[n, t] = mask_id
            elif fate < 0.9:
                inputs[n, t] = ordinary[int(rng.integers(len(ordinary)))]
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
            if labels[n, t] == -100:
                continue
            row, label = [float(z) for z in logits[n, t]], int(labels[n, t])
            top = row.index(max(row))
            others = math.fsum(math.exp(z - row[top]) for k, z in enumerate(row) if k != top)
            loss += (row[top] - row[label]) + math.log1p(others)
            chances = [math.exp(z - row[top]) / (1 + others) for z in row]
            for k in range(V):
                if k != label:
                    dlogits[n, t, k] = chances[k] / count
            dlogits[n, t, label] = -math.fsum(chances[k] for k in range(V) if k != label) / count
    return (loss / count if count else 0.0), dlogits


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    N, D = x.shape
    H = h.shape[1]
    kind = h.dtype
    dx, dh = np.zeros((N, D)), np.zeros((N, H))
    dwi, dwh, dbi, dbh = np.zeros((3 * H, D)), np.zeros((3 * H, H)), np.zeros(3 * H), np.zeros(3 * H)
    for n in range(N):
        for p in range(H):
            u, v = [], []
            for block in range(3):
                row = block * H + p
                u.append(sum((float(weight_ih[row, j]) * float(x[n, j]) for j in range(D)), float(bias_ih[row])))
                v.append(sum((float(weight_hh[row, j]) * float(h[n, j]) for j in range(H)), float(bias_hh[row])))
            r, z = _sigmoid(u[0] + v[0]), _sigmoid(u[1] + v[1])
            m = math.tanh(u[2] + r * v[2])
            up, old = float(dh_next[n, p]), float(h[n, p])
            an = up * (1 - z) * (1 - m * m)
            az = up * (old - m) * z * (1 - z)
            ar = an * v[2] * r * (1 - r)
            dh[n, p] += up * z
            for block, (du, dv) in enumerate(((ar, ar), (az, az), (an, an * r))):
                row = block * H + p
                dbi[row] += du
                dbh[row] += dv
                for j in range(D):
                    dwi[row, j] += du * float(x[n, j])
                    dx[n, j] += du * float(weight_ih[row, j])
                for j in range(H):
                    dwh[row, j] += dv * float(h[n, j])
                    dh[n, j] += dv * float(weight_hh[row, j])
    return tuple(array.astype(kind) for array in (dx, dh, dwi, dwh, dbi, dbh))


def chrono_bias(hidden_size, max_lag, *, rng):
    b = np.zeros(4 * hidden_size)
    for p in range(hidden_size):
        span = rng.uniform(1, max_lag - 1)
        b[p], b[hidden_size + p] = math.log(span), -math.log(span)
    return b
