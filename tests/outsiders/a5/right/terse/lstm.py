import numpy as np

cat, tanh = np.concatenate, np.tanh
sig = lambda a: (1 + tanh(a / 2)) / 2
one = lambda *xs: [x.astype(np.result_type(*xs), copy=False) for x in xs]
cut = lambda a, n: np.split(a, n, -1)


def lstm_step_forward(x, h, c, W, b):
    x, h, c, W, b = one(x, h, c, W, b)
    f, i, g, o = cut(cat([h, x], 1) @ W.T + b, 4)
    f, i, g, o = sig(f), sig(i), tanh(g), sig(o)
    c = f * c + i * g
    return o * tanh(c), c, cat([f, i, g, o], 1)


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    dh, dc, x, h, c, C, gates, W = one(dh_next, dc_next, x, h, c, c_next, gates, W)
    (f, i, g, o), y = cut(gates, 4), tanh(C)
    dc = dc + dh * o * (1 - y * y)
    da = cat([dc * c * f * (1 - f), dc * g * i * (1 - i), dc * i * (1 - g * g), dh * y * o * (1 - o)], 1)
    d = da @ W
    return d[:, h.shape[1] :], d[:, : h.shape[1]], dc * f, da.T @ cat([h, x], 1), da.sum(0)


def lstm_forward(x, h0, c0, W, b):
    x, h, c, W, b = one(x, h0, c0, W, b)
    out = [(h, c, None)]
    for y in x.swapaxes(0, 1):
        out += [lstm_step_forward(y, *out[-1][:2], W, b)]
    return tuple(np.stack(s, 1) for s in zip(*out[1:]))


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    dh, dc, x, h0, c0, h, c, gates, W = one(dh, dc_last, x, h0, c0, h, c, gates, W)
    hs, cs = (cat([s0[:, None], s], 1) for s0, s in ((h0, h), (c0, c)))
    dx, d, dW, db = np.empty_like(x), 0 * h0, 0, 0
    for t in range(x.shape[1])[::-1]:
        dx[:, t], d, dc, w, v = lstm_step_backward(
            dh[:, t] + d, dc, x[:, t], hs[:, t], cs[:, t], cs[:, t + 1], gates[:, t], W
        )
        dW, db = dW + w, db + v
    return dx, d, dc, dW, db


def forget_path_gradient(f, t, k):
    return f[t - k : t].prod(0)


def cell_jacobian(c, gates, W, t, k):
    # the rows of J are gradients: a batch of H backward passes, each from one entry of c_t
    c, gates, W = one(c, gates, W)
    H = c.shape[1]
    dc, rep = np.eye(H, dtype=c.dtype), lambda a: np.broadcast_to(a, (H, a.size))
    dh, x = 0 * dc, np.zeros((H, W.shape[1] - H), c.dtype)
    for s in range(t - k, t)[::-1]:
        _, dh, dc, *_ = lstm_step_backward(dh, dc, x, dh, rep(c[s - 1]), rep(c[s]), rep(gates[s]), W)
    s = t - k - 1
    return dc + dh * gates[s, 3 * H :] * (1 - tanh(c[s]) ** 2)


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    return (
        rng.uniform(-1, 1, (4 * hidden_size, hidden_size + input_size)) * hidden_size**-0.5,
        np.repeat([float(forget_bias), 0, 0, 0], hidden_size),
    )


def gru_parts(x, h, wi, wh, bi, bh):
    (a, b, c), (p, q, v) = cut(x @ wi.T + bi, 3), cut(h @ wh.T + bh, 3)
    r = sig(a + p)
    return r, sig(b + q), tanh(c + r * v), v


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    x, h, *w = one(x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    _, z, n, _ = gru_parts(x, h, *w)
    return (1 - z) * n + z * h


def gru_forward(x, h0, *weights):
    x, h, *w = one(x, h0, *weights)
    return np.stack([h := gru_step_forward(y, h, *w) for y in x.swapaxes(0, 1)], 1)


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    return (1 + 2 * (kind == "gru") + 3 * (kind == "lstm")) * hidden_size * (input_size + hidden_size + biases)


def reverse_padded(x, lengths):
    y = x.copy()
    for a, b, n in zip(y, x, lengths):
        a[:n] = b[:n][::-1]
    return y


def bidirectional_lstm(x, lengths, layers):
    # no turning: flip all, and let rubbish be forgotten until the sequence begins
    lengths, T = np.asarray(lengths), x.shape[1]
    if (lengths < 1).any() or (lengths > T).any():
        raise ValueError
    dt = np.result_type(x, *(p for layer in layers for d in layer for p in d))
    m = (np.arange(T) < lengths[:, None])[..., None]
    x = np.where(m, x, 0).astype(dt)
    for (W, b), (V, d) in layers:
        z = np.zeros((len(x), len(b) // 4), dt)
        F = lstm_forward(x, z, z, W, b)[0]
        h, c, B = z, z, []
        for t in range(T)[::-1]:
            h, c, _ = lstm_step_forward(x[:, t], h, c, V, d)
            h, c = h * m[:, t], c * m[:, t]
            B = [h, *B]
        x = cat([F, np.stack(B, 1)], 2) * m
    return x


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    ok = np.setdiff1d(np.arange(vocab_size), [mask_id, *special_ids]).astype(ids.dtype)
    r = np.where(np.isin(ids, ok), rng.random(ids.shape), 2.0)  # one number decides all
    new = ok[rng.integers(len(ok), size=ids.shape)] if len(ok) else ids
    p, m = probability, np.full_like(ids, mask_id)
    return np.select([r < 0.8 * p, r < 0.9 * p], [m, new], ids), np.where(r < p, ids, np.full_like(ids, -100))


def masked_lm_loss(logits, labels):
    on = labels != -100
    m = max(on.sum().item(), 1)
    z = logits - logits.max(-1, keepdims=True)
    z = z - np.log(np.exp(z).sum(-1, keepdims=True))
    hit = np.arange(z.shape[-1]) == labels[..., None]
    return -z[hit & on[..., None]].sum(dtype=float).item() / m, (np.exp(z) - hit) * on[..., None] / m


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    d, x, h, *w = one(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    r, z, n, v = gru_parts(x, h, *w)
    an, az = d * (1 - z) * (1 - n * n), d * (h - n) * z * (1 - z)
    ar = an * v * r * (1 - r)
    du, dv = cat([ar, az, an], 1), cat([ar, az, r * an], 1)
    return du @ w[0], dv @ w[1] + d * z, du.T @ x, dv.T @ h, du.sum(0), dv.sum(0)


def chrono_bias(hidden_size, max_lag, *, rng):
    return np.outer([1, -1, 0, 0], np.log(rng.uniform(1, max_lag - 1, hidden_size))).ravel()
