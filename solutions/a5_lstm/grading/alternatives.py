"""Correct but unusual solutions of assignment 5, each with the over-strict rule that would reject it."""

from __future__ import annotations

from autograder.course import Alternative

ALTERNATIVES = (
    Alternative(
        "four products instead of one",
        "lstm_step_forward",
        # would be rejected by: the step is one matrix product over the concatenation
        """
def lstm_step_forward(x, h, c, W, b):
    H = h.shape[1]

    def block(k):
        rows = slice(k * H, (k + 1) * H)
        return np.einsum("ij,nj->ni", W[rows, :H], h) + np.einsum("ij,nj->ni", W[rows, H:], x) + b[rows]

    f, i, o = (1 / (1 + np.exp(-block(k))) for k in (0, 1, 3))
    g = np.tanh(block(2))
    c = c * f + g * i
    return [np.tanh(c) * o, c, np.hstack((f, i, g, o))]
""",
    ),
    Alternative(
        "loops that return lists",
        "lstm_step_forward",
        # would be rejected by: the results must be ndarrays
        """
def lstm_step_forward(x, h, c, W, b):
    from math import tanh

    hs, cs, gates = [], [], []
    size = len(b) // 4
    for n in range(len(x)):
        both = [float(v) for v in h[n]] + [float(v) for v in x[n]]
        a = [sum(float(w) * v for w, v in zip(W[r], both)) + float(b[r]) for r in range(4 * size)]
        a = [tanh(v) if 2 * size <= r < 3 * size else (1 + tanh(v / 2)) / 2 for r, v in enumerate(a)]
        cell = [a[j] * float(c[n][j]) + a[size + j] * a[2 * size + j] for j in range(size)]
        hs.append([a[3 * size + j] * tanh(cell[j]) for j in range(size)])
        cs.append(cell)
        gates.append(a)
    return hs, cs, gates
""",
    ),
    Alternative(
        "row after row",
        "lstm_step_backward",
        # would be rejected by: no Python loop over the batch
        """
def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    H = h.shape[1]
    kind = np.result_type(dh_next, dc_next, x, h, c, c_next, gates, W)
    dx, dh, dc = np.empty(x.shape, kind), np.empty(h.shape, kind), np.empty(c.shape, kind)
    dW, db = np.zeros(W.shape, kind), np.zeros(4 * H, kind)
    for n in reversed(range(len(x))):
        f, i, g, o = gates[n].reshape(4, H)
        cell = dc_next[n] + dh_next[n] * o / np.cosh(c_next[n]) ** 2
        slopes = np.array([cell * c[n] * (f - f * f), cell * g * (i - i * i), cell * i * (1 - g) * (1 + g),
                           dh_next[n] * np.tanh(c_next[n]) * (o - o * o)]).ravel()
        dW += np.outer(slopes, np.r_[h[n], x[n]])
        db += slopes
        dx[n] = W[:, H:].T @ slopes
        dh[n] = W[:, :H].T @ slopes
        dc[n] = cell * f
    return dx, dh, dc, dW, db
""",
    ),
    Alternative(
        "views of one array",
        "lstm_step_backward",
        # would be rejected by: sum must be called
        """
def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    N, H = h.shape
    f, i, g, o = gates.reshape(N, 4, H).transpose(1, 0, 2)
    t = np.tanh(c_next)
    dc_next = dc_next + o * dh_next - o * dh_next * t * t
    da = np.stack([dc_next * c, dc_next * g, dc_next * i, dh_next * t], axis=1)
    slopes = np.stack([f * (1 - f), i * (1 - i), 1 - g * g, o * (1 - o)], axis=1)
    da = (da * slopes).reshape(N, 4 * H)
    back = np.tensordot(da, W, axes=1)
    everything = np.einsum("na,nb->ab", da, np.c_[h, x, np.ones((N, 1), x.dtype)])
    return back[:, H:], back[:, :H], f * dc_next, everything[:, :-1], everything[:, -1]
""",
    ),
    Alternative(
        "products of the inputs in advance",
        "lstm_forward",
        # would be rejected by: every step must read its own input
        """
def lstm_forward(x, h0, c0, W, b):
    N, T, _ = x.shape
    H = h0.shape[1]
    fed = np.tensordot(x, W[:, H:], axes=(2, 1)) + b
    h = np.empty((T, N, H), fed.dtype)
    c, gates = np.empty_like(h), np.empty((T, N, 4 * H), fed.dtype)
    last_h, last_c = h0, c0
    for t in range(T):
        a = fed[:, t] + last_h @ W[:, :H].T
        a[:, 2 * H : 3 * H] *= 2  # tanh(a) = 2 * sigmoid(2 * a) - 1
        a = 1 / (1 + np.exp(-a))
        a[:, 2 * H : 3 * H] = 2 * a[:, 2 * H : 3 * H] - 1
        f, i, g, o = a.reshape(N, 4, H).swapaxes(0, 1)
        last_c = f * last_c + i * g
        last_h = o * np.tanh(last_c)
        h[t], c[t], gates[t] = last_h, last_c, a
    return h.swapaxes(0, 1), c.swapaxes(0, 1), gates.swapaxes(0, 1)
""",
    ),
    Alternative(
        "recursion over time",
        "lstm_forward",
        # would be rejected by: time is walked by a loop
        """
def lstm_forward(x, h0, c0, W, b):
    h, c, gates = (a[:, None] for a in lstm_step_forward(x[:, 0], h0, c0, W, b))
    if x.shape[1] == 1:
        return h, c, gates
    later = lstm_forward(x[:, 1:], h[:, 0], c[:, 0], W, b)
    return tuple(np.concatenate([now, then], axis=1) for now, then in zip((h, c, gates), later))
""",
    ),
    Alternative(
        "weights from all steps at once",
        "lstm_backward",
        # would be rejected by: the gradient of the weights is summed up step by step
        """
def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    N, T, H = h.shape
    before = np.concatenate([h0[:, None], h[:, :-1]], axis=1)
    cells = np.concatenate([c0[:, None], c[:, :-1]], axis=1)
    f, i, g, o = np.moveaxis(gates.reshape(N, T, 4, H), 2, 0)
    t = np.tanh(c)
    da = np.empty_like(gates)
    dc, carried = dc_last, np.zeros_like(h0)
    for s in range(T - 1, -1, -1):
        up = dh[:, s] + carried
        dc = dc + up * o[:, s] * (1 - t[:, s] ** 2)
        da[:, s] = np.hstack([
            dc * cells[:, s] * f[:, s] * (1 - f[:, s]), dc * g[:, s] * i[:, s] * (1 - i[:, s]),
            dc * i[:, s] * (1 - g[:, s] ** 2), up * t[:, s] * o[:, s] * (1 - o[:, s]),
        ])
        dc = dc * f[:, s]
        carried = da[:, s] @ W[:, :H]
    flat, seen = da.reshape(N * T, -1), np.concatenate([before, x], axis=2).reshape(N * T, -1)
    return da @ W[:, H:], carried, dc, flat.T @ seen, flat.sum(axis=0)
""",
    ),
    Alternative(
        "sum of logarithms",
        "forget_path_gradient",
        # would be rejected by: the product must be taken factor by factor
        """
def forget_path_gradient(f, t, k):
    total = np.zeros_like(f[0])
    for step in range(t - k + 1, t + 1):
        total += np.log(f[step - 1])
    return np.exp(total)
""",
    ),
    Alternative(
        "backward through the steps",
        "cell_jacobian",
        # would be rejected by: the derivative is carried forward in time
        """
def cell_jacobian(c, gates, W, t, k):
    H = c.shape[1]
    dc, dh = np.eye(H, dtype=c.dtype), np.zeros((H, H), c.dtype)  # rows: entries of the last cell state
    for s in range(t - 1, t - k - 1, -1):
        f, i, g, o = gates[s].reshape(4, H)
        squashed = np.tanh(c[s])
        dc = dc + dh * o * (1 - squashed**2)
        da = np.concatenate([dc * c[s - 1] * f * (1 - f), dc * g * i * (1 - i), dc * i * (1 - g**2),
                             dh * squashed * o * (1 - o)], axis=1)
        dc, dh = dc * f, da @ W[:, :H]
    first = t - k - 1
    return dc + dh * gates[first, 3 * H :] * (1 - np.tanh(c[first]) ** 2)
""",
    ),
    Alternative(
        "product of larger matrices",
        "cell_jacobian",
        # would be rejected by: no matrix larger than (H, H) is allowed
        """
def cell_jacobian(c, gates, W, t, k):
    H = c.shape[1]
    start = t - k - 1
    f, i, g, o = (gates[:, n * H : (n + 1) * H] for n in range(4))
    slope = o * (1 - np.tanh(c) ** 2)
    total = np.vstack([np.eye(H), np.diag(slope[start])])  # of the cell and the hidden state together
    for s in range(start + 1, t):
        to_cell = (
            np.diag(c[s - 1] * f[s] * (1 - f[s])) @ W[:H, :H]
            + np.diag(g[s] * i[s] * (1 - i[s])) @ W[H : 2 * H, :H]
            + np.diag(i[s] * (1 - g[s] ** 2)) @ W[2 * H : 3 * H, :H]
        )
        to_output = np.diag(np.tanh(c[s]) * o[s] * (1 - o[s])) @ W[3 * H :, :H]
        upper = np.hstack([np.diag(f[s]), to_cell])
        lower = np.hstack([np.diag(slope[s] * f[s]), np.diag(slope[s]) @ to_cell + to_output])
        total = np.vstack([upper, lower]) @ total
    return total[:H].tolist()
""",
    ),
    Alternative(
        "complex step",
        "cell_jacobian",
        # would be rejected by: the derivative must be written down by hand
        """
def cell_jacobian(c, gates, W, t, k):
    H, tiny = c.shape[1], 1e-20
    first = t - k - 1
    with np.errstate(divide="ignore"):
        raw = np.log(np.abs(gates)) - np.log(1 - np.abs(gates))
        raw[:, 2 * H : 3 * H] = np.arctanh(gates[:, 2 * H : 3 * H])
    raw = raw.clip(-700, 700)  # of gates that are closed or open
    hidden = gates[:, 3 * H :] * np.tanh(c)
    J = np.empty((H, H))
    for q in range(H):
        cell = c[first] + 1j * tiny * (np.arange(H) == q)
        h = gates[first, 3 * H :] * np.tanh(cell)
        for s in range(first + 1, t):
            f, i, g, o = np.split(raw[s] + W[:, :H] @ (h - hidden[s - 1]), 4)
            f, i, o = (1 / (1 + np.exp(-a)) for a in (f, i, o))
            cell = f * cell + i * np.tanh(g)
            h = o * np.tanh(cell)
        J[:, q] = cell.imag / tiny
    return J.astype(c.dtype)
""",
    ),
    Alternative(
        "gate after gate",
        "lstm_init",
        # would be rejected by: all weights come from one draw
        """
def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    edge = 1 / np.sqrt(hidden_size)
    blocks = []
    for _ in range(4):
        for_input = edge * (1 - 2 * rng.random((hidden_size, input_size)))
        for_state = edge * (1 - 2 * rng.random((hidden_size, hidden_size)))
        blocks.append(np.hstack([for_state, for_input]))
    return np.vstack(blocks), np.repeat([float(forget_bias), 0.0, 0.0, 0.0], hidden_size)
""",
    ),
    Alternative(
        "an update of the old state",
        "gru_step_forward",
        # would be rejected by: the new state must be written as the stub writes it
        """
def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    H = h.shape[1]
    both = np.concatenate([weight_ih, weight_hh], axis=1)[: 2 * H]
    a = np.concatenate([x, h], axis=1) @ both.T + (bias_ih + bias_hh)[: 2 * H]
    gates = np.exp(-np.logaddexp(0, -a))
    n = h @ weight_hh[2 * H :].T + bias_hh[2 * H :]
    n = np.tanh(gates[:, :H] * n + x @ weight_ih[2 * H :].T + bias_ih[2 * H :])
    return h + (1 - gates[:, H:]) * (n - h)
""",
    ),
    Alternative(
        "filled from a transposed array",
        "gru_forward",
        # would be rejected by: results must be contiguous
        """
def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    states = np.empty((x.shape[1], len(x), h0.shape[1]), np.result_type(x, h0, weight_ih, weight_hh, bias_ih, bias_hh))
    for t, step in enumerate(x.transpose(1, 0, 2)):
        states[t] = gru_step_forward(step, states[t - 1] if t else h0, weight_ih, weight_hh, bias_ih, bias_hh)
    return states.transpose(1, 0, 2)
""",
    ),
    Alternative(
        "counted matrix by matrix",
        "parameter_count",
        # would be rejected by: the count must be a Python int
        """
def parameter_count(kind, input_size, hidden_size, *, biases=1):
    rows = hidden_size * (1 if kind == "rnn" else 3 if kind == "gru" else 4)
    arrays = [np.broadcast_to(0, (rows, input_size)), np.broadcast_to(0, (rows, hidden_size))]
    arrays += [np.broadcast_to(0, rows)] * biases
    return np.sum([array.size for array in arrays])
""",
    ),
    Alternative(
        "a list of rows",
        "reverse_padded",
        # would be rejected by: no Python loop over sequences
        """
def reverse_padded(x, lengths):
    return np.array([[*row[:length][::-1], *row[length:]] for row, length in zip(x, lengths)], dtype=x.dtype)
""",
    ),
    Alternative(
        "state held during the padding",
        "bidirectional_lstm",
        # would be rejected by: sequences must be reversed before they are read
        """
def bidirectional_lstm(x, lengths, layers):
    N, T = x.shape[:2]
    if any(not 0 < length <= T for length in lengths.tolist()):
        raise ValueError("impossible length")
    for pair in layers:
        halves = []
        for (W, b), times in zip(pair, (range(T), range(T - 1, -1, -1))):
            h = c = np.zeros((N, len(b) // 4), np.result_type(x, W, b))
            out = np.zeros((N, T, len(b) // 4), h.dtype)
            for t in times:
                here = (t < lengths)[:, None]
                new_h, new_c, _ = lstm_step_forward(x[:, t], h, c, W, b)
                h, c = np.where(here, new_h, h), np.where(here, new_c, c)
                out[:, t] = here * h
            halves.append(out)
        x = np.concatenate(halves, axis=2)
    return x
""",
    ),
    Alternative(
        "sentence by sentence",
        "bidirectional_lstm",
        # would be rejected by: the batch is read together
        """
def bidirectional_lstm(x, lengths, layers):
    if np.any(lengths < 1) or np.any(lengths > x.shape[1]):
        raise ValueError("lengths")

    def read(row, W, b):
        start = np.zeros((1, len(b) // 4), row.dtype)
        return lstm_forward(row[None], start, start, W, b)[0][0]

    rows = []
    for row, length in zip(x, lengths):
        row = row[:length]
        for (W, b), (W_back, b_back) in layers:
            row = np.hstack([read(row, W, b), read(row[::-1], W_back, b_back)[::-1]])
        rows.append(np.pad(row, ((0, x.shape[1] - length), (0, 0))))
    return np.stack(rows)
""",
    ),
    Alternative(
        "word by word",
        "mask_tokens",
        # would be rejected by: draws must come in whole arrays
        """
def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    reserved = {mask_id, *special_ids}
    ordinary = [word for word in range(vocab_size) if word not in reserved]
    inputs, labels = ids.copy(), np.full_like(ids, -100)
    for place in np.ndindex(ids.shape):
        if int(ids[place]) in reserved or rng.random() >= probability:
            continue
        labels[place] = ids[place]
        fate = rng.integers(10)
        if fate < 8:
            inputs[place] = mask_id
        elif fate == 8:
            inputs[place] = ordinary[rng.integers(len(ordinary))]
    return inputs, labels
""",
    ),
    Alternative(
        "a candidate for every position",
        "mask_tokens",
        # would be rejected by: random words are drawn only where they are needed
        """
def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    weights = np.ones(vocab_size)
    weights[[mask_id, *special_ids]] = 0
    if not weights.any():
        return ids.copy(), np.full_like(ids, -100)
    usable = weights[ids] > 0
    random_words = rng.choice(vocab_size, size=ids.shape, p=weights / weights.sum())
    fate = rng.choice(4, size=ids.shape, p=[1 - probability, 0.8 * probability, 0.1 * probability, 0.1 * probability])
    fate[~usable] = 0
    inputs = np.choose(fate, [ids, mask_id, random_words, ids])
    return inputs, np.where(fate > 0, ids, -100)
""",
    ),
    Alternative(
        "one-hot targets",
        "masked_lm_loss",
        # would be rejected by: labels serve as indices
        """
def masked_lm_loss(logits, labels):
    V = logits.shape[-1]
    hit = labels[..., None] == np.arange(V)
    count = hit.sum()
    if count == 0:
        return np.float32(0), logits * 0
    top = logits.max(axis=-1, keepdims=True)
    scale = np.log(np.exp(logits - top).sum(axis=-1, keepdims=True))
    loss = ((top - logits + scale) * hit).sum() / count
    chosen = hit.any(axis=-1, keepdims=True)
    return np.asarray(loss), (np.exp(logits - top - scale) - hit) * chosen / logits.dtype.type(count)
""",
    ),
    Alternative(
        "block by block",
        "gru_step_backward",
        # would be rejected by: gradients must be computed by one product each
        """
def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    H = h.shape[1]
    u, v = x @ weight_ih.T + bias_ih, h @ weight_hh.T + bias_hh
    r, z = (0.5 + 0.5 * np.tanh((u + v)[:, k * H : (k + 1) * H] / 2) for k in range(2))
    n = np.tanh(u[:, 2 * H :] + r * v[:, 2 * H :])
    dn = dh_next * (1 - z) / np.cosh(u[:, 2 * H :] + r * v[:, 2 * H :]) ** 2
    blocks = [(dn * v[:, 2 * H :] * r * (1 - r),) * 2, (dh_next * (h - n) * z * (1 - z),) * 2, (dn, dn * r)]
    dx, dh = np.zeros_like(x), dh_next * z
    grads = [[], [], [], []]
    for k, (from_input, from_state) in enumerate(blocks):
        rows = slice(k * H, (k + 1) * H)
        dx = dx + from_input @ weight_ih[rows]
        dh = dh + from_state @ weight_hh[rows]
        for kept, new in zip(grads, (from_input.T @ x, from_state.T @ h, from_input.sum(0), from_state.sum(0))):
            kept.append(new)
    return dx, dh, *(np.concatenate(kept) for kept in grads)
""",
    ),
    Alternative(
        "a list of biases",
        "chrono_bias",
        # would be rejected by: the biases must be an array
        """
def chrono_bias(hidden_size, max_lag, *, rng):
    from math import log

    forget = [log(1 + (max_lag - 2) * rng.random()) for _ in range(hidden_size)]
    return forget + [-bias for bias in forget] + [0.0] * (2 * hidden_size)
""",
    ),
    Alternative(
        "bias beside the state",
        "lstm_to_torch",
        # would be rejected by: the whole bias must stand beside the input
        """
def lstm_to_torch(W, b):
    import torch

    H = W.shape[0] // 4
    blocks = torch.from_numpy(np.array(W)).reshape(4, H, -1)[[1, 0, 2, 3]].flatten(0, 1)
    layer = nn.LSTM(W.shape[1] - H, H, batch_first=True).to(blocks.dtype)
    with torch.no_grad():
        layer.weight_hh_l0[:] = blocks[:, :H]
        layer.weight_ih_l0[:] = blocks[:, H:]
        layer.bias_hh_l0[:] = 3 * torch.from_numpy(np.array(b)).reshape(4, H)[[1, 0, 2, 3]].flatten()
        layer.bias_ih_l0[:] = -2 / 3 * layer.bias_hh_l0
    return layer
""",
    ),
    Alternative(
        "gathered from all outputs",
        "packed_final_states",
        # would be rejected by: the final states come from the second return value
        """
def packed_final_states(lstm, x, lengths):
    import torch

    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    states, _ = pad_packed_sequence(lstm(packed)[0], batch_first=True)
    H = states.shape[2] // 2
    rows = torch.arange(len(x))
    return torch.hstack([states[rows, lengths - 1, :H], states[:, 0, H:]])
""",
    ),
    Alternative(
        "sequence by sequence",
        "packed_final_states",
        # would be rejected by: the batch must be packed
        """
def packed_final_states(lstm, x, lengths):
    finals = []
    for row, length in zip(x, lengths.tolist()):
        _, (h, _) = lstm(row[None, :length])
        finals.append(h.view(lstm.num_layers, 2, -1)[-1].flatten())
    return torch.stack(finals)
""",
    ),
    Alternative(
        "a GRU of two layers",
        "MaskedWordModel",
        # would be rejected by: the recurrent layer must be an LSTM
        """
class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.words = nn.Parameter(0.5 * torch.randn(vocab_size, embedding_dim))
        self.gru = nn.GRU(embedding_dim, hidden_size, 2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.words[ids], lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.gru(packed)[0], batch_first=True, total_length=ids.size(1))
        return self.head(states)
""",
    ),
    Alternative(
        "no numbers in the padding",
        "MaskedWordModel",
        # would be rejected by: scores are looked at in the padding too
        """
class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.words = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_size, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.words(ids), lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=ids.size(1))
        padding = torch.arange(ids.size(1)) >= lengths[:, None]
        return self.head(states).masked_fill(padding[:, :, None], torch.nan)
""",
    ),
    Alternative(
        "two networks and a reversed batch",
        "MaskedWordModel",
        # would be rejected by: the two directions come from one bidirectional layer
        """
class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embedding_dim)
        self.ahead = nn.LSTM(embedding_dim, hidden_size, batch_first=True)
        self.back = nn.LSTM(embedding_dim, hidden_size, batch_first=True)
        self.left, self.right = nn.Linear(hidden_size, vocab_size), nn.Linear(hidden_size, vocab_size, bias=False)

    def forward(self, ids, lengths):
        time = torch.arange(ids.shape[1])[None]
        turn = torch.where(time < lengths[:, None], lengths[:, None] - 1 - time, time)
        x, turn = self.embed(ids), turn[:, :, None]
        back, _ = self.back(x.gather(1, turn.expand_as(x)))
        return self.left(self.ahead(x)[0]) + self.right(back.gather(1, turn.expand_as(back)))
""",
    ),
    Alternative(
        "scores that begin at zero",
        "MaskedWordModel",
        # would be rejected by: the layers must keep the initial values that PyTorch gives them
        """
class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_size, batch_first=True, bidirectional=True)
        self.scores = nn.Linear(2 * hidden_size, vocab_size)
        for parameter in self.scores.parameters():
            nn.init.zeros_(parameter)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.embedding(ids), lengths, batch_first=True, enforce_sorted=False)
        states = self.lstm(packed)[0]
        return self.scores(pad_packed_sequence(states, batch_first=True, total_length=ids.shape[1])[0])
""",
    ),
)
