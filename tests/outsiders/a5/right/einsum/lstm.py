"""Everything with einsum, blocks as an axis of their own, sigmoid from tanh."""
from __future__ import annotations

import numpy as np

es = np.einsum


def _sig(a):
    return (1 + np.tanh(a / 2)) / 2


def _four(W, b):
    H = W.shape[0] // 4
    M = W.reshape(4, H, W.shape[1])
    return M[:, :, :H], M[:, :, H:], None if b is None else b.reshape(4, H)


def lstm_step_forward(x, h, c, W, b):
    V, U, B = _four(W, b)
    a = es("bpq,nq->nbp", V, h) + es("bpd,nd->nbp", U, x) + B
    act = np.empty_like(a)
    act[:, [0, 1, 3]] = _sig(a[:, [0, 1, 3]])
    act[:, 2] = np.tanh(a[:, 2])
    c_next = es("nbp,nbp->np", act[:, 0:2], np.stack([c, act[:, 2]], 1))
    return es("np,np->np", act[:, 3], np.tanh(c_next)), c_next, act.reshape(a.shape[0], -1)


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    V, U, _ = _four(W, None)
    N, H = h.shape
    G = gates.reshape(N, 4, H)
    f, i, g, o = es("nbp->bnp", G)
    tc = np.tanh(c_next)
    dcb = dc_next + es("np,np,np->np", dh_next, o, 1 - tc * tc)
    up = np.stack([dcb * c, dcb * g, dcb * i, dh_next * tc], 1)
    slope = G * (1 - G)
    slope[:, 2] = 1 - g * g
    da = up * slope
    dV, dU = es("nbp,nq->bpq", da, h), es("nbp,nd->bpd", da, x)
    return (
        es("nbp,bpd->nd", da, U),
        es("nbp,bpq->nq", da, V),
        dcb * f,
        np.concatenate([dV, dU], axis=2).reshape(4 * H, -1),
        es("nbp->bp", da).reshape(-1),
    )


def lstm_forward(x, h0, c0, W, b):
    h, c, all_three = h0, c0, []
    for x_t in es("ntd->tnd", x):
        h, c, gates = lstm_step_forward(x_t, h, c, W, b)
        all_three.append((h, c, gates))
    return tuple(es("tn...->nt...", np.array(kind)) for kind in zip(*all_three))


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    T = x.shape[1]
    before_h = np.concatenate([h0[:, None], h], axis=1)
    before_c = np.concatenate([c0[:, None], c], axis=1)
    back_h, back_c = 0 * h0, dc_last
    dxs, dWs, dbs = [], [], []
    for t in range(T)[::-1]:
        dx, back_h, back_c, dW, db = lstm_step_backward(
            dh[:, t] + back_h, back_c, x[:, t], before_h[:, t], before_c[:, t], c[:, t], gates[:, t], W
        )
        dxs.append(dx), dWs.append(dW), dbs.append(db)
    return es("tnd->ntd", np.array(dxs)[::-1]), back_h, back_c, es("tij->ij", np.array(dWs)), es("ti->i", np.array(dbs))


def forget_path_gradient(f, t, k):
    way = f[t - k : t]
    return es(*(thing for row in way for thing in (row, [0])), [0]) if 0 < k < 20 else np.prod(way, axis=0)


def cell_jacobian(c, gates, W, t, k):
    H = c.shape[1]
    V = W[:, :H].reshape(4, H, H)
    G = gates.reshape(-1, 4, H)
    J = np.identity(H, c.dtype)
    s = t - k - 1
    K = es("p,pq->pq", G[s, 3] * (1 - np.tanh(c[s]) ** 2), J)  # of h
    for s in range(t - k, t):
        f, i, g, o = G[s]
        slope = np.stack([f * (1 - f), i * (1 - i), 1 - g * g, o * (1 - o)])
        d = es("bp,bpr,rq->bpq", slope, V, K)
        tc = np.tanh(c[s])
        J = es("p,pq->pq", f, J) + es("bp,bpq->pq", np.stack([c[s - 1], g, i]), d[:3])
        K = es("p,p,pq->pq", o, 1 - tc * tc, J) + es("p,pq->pq", tc, d[3])
    return J


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    H = hidden_size
    W = (2 * rng.random((4, H, H + input_size)) - 1) / np.sqrt(H)
    b = es("b,h->bh", np.array([forget_bias, 0, 0, 0], dtype=np.float64), np.ones(H))
    return W.reshape(4 * H, -1), b.reshape(-1)


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    H = h.shape[1]
    u = es("bpd,nd->bnp", weight_ih.reshape(3, H, -1), x) + bias_ih.reshape(3, 1, H)
    v = es("bpd,nd->bnp", weight_hh.reshape(3, H, H), h) + bias_hh.reshape(3, 1, H)
    r, z = _sig(u[:2] + v[:2])
    n = np.tanh(u[2] + r * v[2])
    return es("anp,anp->np", np.stack([1 - z, z]), np.stack([n, h]))


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    states = [h0]
    for x_t in es("ntd->tnd", x):
        states.append(gru_step_forward(x_t, states[-1], weight_ih, weight_hh, bias_ih, bias_hh))
    return es("tnh->nth", np.array(states[1:]))


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    return dict(rnn=1, gru=3, lstm=4)[kind] * hidden_size * sum((input_size, hidden_size, biases))


def reverse_padded(x, lengths):
    t, L = np.arange(x.shape[1]), lengths[:, None]
    return x[np.arange(len(x))[:, None], np.where(t < L, L - 1 - t, t)]


def bidirectional_lstm(x, lengths, layers):
    T = x.shape[1]
    if ((lengths < 1) | (lengths > T)).any():
        raise ValueError("lengths must lie from 1 to T")
    inside = (np.arange(T) < lengths[:, None])[:, :, None]
    out = np.where(inside, x, x.dtype.type(0))
    for (Wf, bf), (Wb, bb) in layers:
        zero = np.zeros((len(x), len(bf) // 4), x.dtype)
        there = lstm_forward(out, zero, zero, Wf, bf)[0]
        back = reverse_padded(lstm_forward(reverse_padded(out, lengths), zero, zero, Wb, bb)[0], lengths)
        out = np.where(inside, np.concatenate([there, back], axis=2), x.dtype.type(0))
    return out


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    usual = np.ones(vocab_size, bool)
    usual[[mask_id, *special_ids]] = False
    words = np.flatnonzero(usual)
    chosen = usual[ids] & (rng.random(ids.shape) < probability)
    labels = np.where(chosen, ids, np.array(-100, ids.dtype))
    inputs = ids.copy()
    fate = rng.choice(3, size=ids.shape, p=[0.8, 0.1, 0.1])
    inputs[chosen & (fate == 0)] = mask_id
    if len(words):
        drawn = words[rng.integers(len(words), size=ids.shape)].astype(ids.dtype)
        inputs = np.where(chosen & (fate == 1), drawn, inputs)
    return inputs, labels


def masked_lm_loss(logits, labels):
    chosen = labels != -100
    m = max(1, int(chosen.sum()))
    z = logits - logits.max(axis=-1, keepdims=True)
    e = np.exp(z)
    total = es("ntv->nt", e)
    truth = (labels[..., None] == np.arange(logits.shape[-1])).astype(logits.dtype)
    one = np.log(total) - es("ntv,ntv->nt", z, truth)
    share = chosen.astype(logits.dtype) / m
    loss = float(es("nt,nt->", one.astype(np.float64), chosen.astype(np.float64))) / m
    return loss, es("ntv,nt->ntv", e / total[..., None] - truth, share)


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    N, H = h.shape
    Wi, Wh = weight_ih.reshape(3, H, -1), weight_hh.reshape(3, H, H)
    u = es("bpd,nd->bnp", Wi, x) + bias_ih.reshape(3, 1, H)
    v = es("bpd,nd->bnp", Wh, h) + bias_hh.reshape(3, 1, H)
    r, z = _sig(u[:2] + v[:2])
    n = np.tanh(u[2] + r * v[2])
    dn = dh_next * (1 - z) * (1 - n * n)
    dz = dh_next * (h - n) * z * (1 - z)
    dr = dn * v[2] * r * (1 - r)
    du, dv = np.stack([dr, dz, dn]), np.stack([dr, dz, dn * r])
    return (
        es("bnp,bpd->nd", du, Wi),
        es("bnp,bpd->nd", dv, Wh) + dh_next * z,
        es("bnp,nd->bpd", du, x).reshape(3 * H, -1),
        es("bnp,nd->bpd", dv, h).reshape(3 * H, -1),
        es("bnp->bp", du).reshape(-1),
        es("bnp->bp", dv).reshape(-1),
    )


def chrono_bias(hidden_size, max_lag, *, rng):
    log = np.log(1 + (max_lag - 2) * rng.random(hidden_size))
    return es("b,h->bh", np.array([1.0, -1, 0, 0]), log).reshape(-1)
