"""Assignment 5: functions that make functions, and recursion over halves of the time axis (depth log T)."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np


def promote(function):
    """Call ``function`` with all its arrays in their common dtype."""

    def wrapped(*arguments):
        dtype = np.result_type(*(a for a in arguments if isinstance(a, np.ndarray)))
        return function(*(a.astype(dtype) if isinstance(a, np.ndarray) else a for a in arguments))

    wrapped.__name__, wrapped.__doc__ = function.__name__, function.__doc__
    return wrapped


def sigmoid(a):
    e = np.exp(-np.abs(a))
    return np.where(a >= 0, 1 / (1 + e), e / (1 + e))


def halves(lo, hi):
    middle = (lo + hi) // 2
    return (lo, middle), (middle, hi)


def scan(step, state, lo, hi):
    """All states that ``step(state, t)`` leaves for t = lo, ..., hi - 1, in order."""
    if hi - lo == 1:
        return [step(state, lo)]
    first, second = halves(lo, hi)
    left = scan(step, state, *first)
    return left + scan(step, left[-1], *second)


def cell(W, b):
    """The step of the LSTM with these parameters."""

    def step(h, c, x):
        f, i, g, o = np.split(np.hstack([h, x]) @ W.T + b, 4, axis=1)
        f, i, g, o = sigmoid(f), sigmoid(i), np.tanh(g), sigmoid(o)
        c = f * c + i * g
        return o * np.tanh(c), c, np.hstack([f, i, g, o])

    return step


@promote
def lstm_step_forward(x, h, c, W, b):
    return cell(W, b)(h, c, x)


@promote
def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    size = h.shape[1]
    f, i, g, o = np.split(gates, 4, axis=1)

    def through_sigmoid(gradient, value):
        return gradient * value * (1 - value)

    def through_tanh(gradient, value):
        return gradient * (1 - value * value)

    shown = np.tanh(c_next)
    inside = dc_next + through_tanh(dh_next * o, shown)
    da = np.hstack(
        [
            through_sigmoid(inside * c, f),
            through_sigmoid(inside * g, i),
            through_tanh(inside * i, g),
            through_sigmoid(dh_next * shown, o),
        ]
    )
    dh, dx = np.split(da @ W, [size], axis=1)
    return dx, dh, inside * f, da.T @ np.hstack([h, x]), da.sum(axis=0)


@promote
def lstm_forward(x, h0, c0, W, b):
    def step(state, t):
        return lstm_step_forward(x[:, t], state[0], state[1], W, b)

    states = scan(step, (h0, c0, None), 0, x.shape[1])
    return tuple(np.stack(kind, axis=1) for kind in zip(*states))


@promote
def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    def before(t):
        return (h[:, t - 1], c[:, t - 1]) if t else (h0, c0)

    def walk(lo, hi, dh_after, dc_after):
        """Gradients of the inputs lo, ..., hi - 1 (a list), of the states before lo, and of W and b."""
        if hi - lo == 1:
            dx, *others = lstm_step_backward(
                dh[:, lo] + dh_after, dc_after, x[:, lo], *before(lo), c[:, lo], gates[:, lo], W
            )
            return [dx], *others
        first, second = halves(lo, hi)
        late, dh_mid, dc_mid, dW_late, db_late = walk(*second, dh_after, dc_after)
        early, dh_before, dc_before, dW_early, db_early = walk(*first, dh_mid, dc_mid)
        return early + late, dh_before, dc_before, dW_early + dW_late, db_early + db_late

    dxs, dh0, dc0, dW, db = walk(0, x.shape[1], np.zeros_like(h0), dc_last)
    return np.stack(dxs, axis=1), dh0, dc0, dW, db


def forget_path_gradient(f, t, k):
    if k == 0:
        return np.ones_like(f[0])
    if k == 1:
        return f[t - 1].copy()
    late = k // 2
    return forget_path_gradient(f, t - late, k - late) * forget_path_gradient(f, t, late)


def cell_jacobian(c, gates, W, t, k):
    """Carry (dc, dh) with one function per step; all columns of the identity at the same time, as rows."""
    dtype = np.result_type(c, gates, W)
    c, gates, recurrent = c.astype(dtype), gates.astype(dtype), W[:, : c.shape[1]].astype(dtype)

    def push(s):
        f, i, g, o = np.split(gates[s - 1], 4)
        old, shown = c[s - 2], np.tanh(c[s - 1])

        def step(change):
            dc, dh = change
            df, di, dg, do = np.split(dh @ recurrent.T, 4, axis=1)
            dc = f * dc + old * f * (1 - f) * df + g * i * (1 - i) * di + i * (1 - g**2) * dg
            return dc, o * (1 - shown**2) * dc + shown * o * (1 - o) * do

        return step

    start = np.eye(c.shape[1], dtype=dtype)
    output = np.split(gates[t - k - 1], 4)[3]
    change = start, start * (output * (1 - np.tanh(c[t - k - 1]) ** 2))
    changed, _ = reduce(lambda now, step: step(now), map(push, range(t - k + 1, t + 1)), change)
    return changed.T


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    bound = hidden_size**-0.5

    def block():
        return rng.uniform(-bound, bound, size=(hidden_size, hidden_size + input_size))

    biases = [np.full(hidden_size, forget_bias, dtype=float)] + [np.zeros(hidden_size)] * 3
    return np.vstack([block() for _ in range(4)]), np.concatenate(biases)


def gru_cell(weight_ih, weight_hh, bias_ih, bias_hh):
    """Step of the GRU; besides the new state it returns what the backward pass wants."""

    def step(h, x):
        u_r, u_z, u_n = np.split(x @ weight_ih.T + bias_ih, 3, axis=1)
        v_r, v_z, v_n = np.split(h @ weight_hh.T + bias_hh, 3, axis=1)
        r, z = sigmoid(u_r + v_r), sigmoid(u_z + v_z)
        n = np.tanh(u_n + r * v_n)
        return (1 - z) * n + z * h, (r, z, n, v_n)

    return step


@promote
def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    return gru_cell(weight_ih, weight_hh, bias_ih, bias_hh)(h, x)[0]


@promote
def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    def step(h, t):
        return gru_step_forward(x[:, t], h, weight_ih, weight_hh, bias_ih, bias_hh)

    return np.stack(scan(step, h0, 0, x.shape[1]), axis=1)


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    if kind == "rnn":
        return hidden_size * input_size + hidden_size**2 + hidden_size * biases
    return {"gru": 3, "lstm": 4}[kind] * parameter_count("rnn", input_size, hidden_size, biases=biases)


def backwards(row):
    """The steps of a row in reverse: the second half turned, then the first."""
    if len(row) < 2:
        return row
    middle = len(row) // 2
    return np.concatenate([backwards(row[middle:]), backwards(row[:middle])])


def reverse_padded(x, lengths):
    rows = [np.concatenate([backwards(row[:length]), row[length:]]) for row, length in zip(x, lengths)]
    return np.stack(rows).astype(x.dtype, copy=False) if rows else x.copy()


def bidirectional_lstm(x, lengths, layers):
    steps = x.shape[1]
    if any(not 1 <= length <= steps for length in lengths):
        raise ValueError(f"lengths from 1 to {steps}, please: {lengths}")
    inside = np.less.outer(np.arange(steps), lengths).T[:, :, None]

    def clean(values):
        return np.where(inside, values, values.dtype.type(0))

    def run(values, weights):
        zero = np.zeros((len(values), len(weights[1]) // 4), values.dtype)
        return lstm_forward(values, zero, zero, *weights)[0]

    def climb(values, remaining):
        if not remaining:
            return values
        (ahead, behind), *rest = remaining
        turned = reverse_padded(values, lengths)
        both = run(values, ahead), reverse_padded(run(turned, behind), lengths)
        return climb(clean(np.concatenate(both, axis=2)), rest)

    return climb(clean(x), list(layers))


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    is_special = {int(mask_id), *(int(word) for word in special_ids)}.__contains__
    ordinary = [word for word in range(vocab_size) if not is_special(word)]
    if not ordinary:
        return ids.copy(), np.full_like(ids, -100)
    # What happens to a word: 0 nothing (not selected), 1 mask, 2 another word, 3 nothing (selected)
    shares = [1 - probability, 0.8 * probability, 0.1 * probability, 0.1 * probability]
    fate = rng.choice(4, size=ids.shape, p=shares)
    fate[~np.isin(ids, ordinary)] = 0
    words = np.asarray(ordinary, ids.dtype)[rng.integers(len(ordinary), size=ids.shape)]
    inputs = np.choose(fate, [ids, np.full_like(ids, mask_id), words, ids])
    return inputs, np.where(fate > 0, ids, np.full_like(ids, -100))


def masked_lm_loss(logits, labels):
    n, t = np.nonzero(labels != -100)
    dlogits = np.zeros_like(logits)
    if not n.size:
        return 0.0, dlogits
    z, right, each = logits[n, t], labels[n, t], np.arange(n.size)
    log_p = z - z.max(axis=1, keepdims=True)
    log_p = log_p - np.log(np.exp(log_p).sum(axis=1, keepdims=True))
    gradient = np.exp(log_p)
    gradient[each, right] -= 1
    dlogits[n, t] = gradient / n.size
    return -reduce(add, log_p[each, right].tolist()) / n.size, dlogits


@promote
def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    _, (r, z, n, v_n) = gru_cell(weight_ih, weight_hh, bias_ih, bias_hh)(h, x)
    da_n = dh_next * (1 - z) * (1 - n**2)
    da_z = dh_next * (h - n) * z * (1 - z)
    da_r = da_n * v_n * r * (1 - r)

    def linear(values, weight):
        def back(*da):
            da = np.hstack(da)
            return da @ weight, da.T @ values, da.sum(axis=0)

        return back

    dx, dweight_ih, dbias_ih = linear(x, weight_ih)(da_r, da_z, da_n)
    dh, dweight_hh, dbias_hh = linear(h, weight_hh)(da_r, da_z, r * da_n)
    return dx, dh + dh_next * z, dweight_ih, dweight_hh, dbias_ih, dbias_hh


def chrono_bias(hidden_size, max_lag, *, rng):
    forget = np.log([rng.uniform(1, max_lag - 1) for _ in range(hidden_size)])
    return np.concatenate([forget, -forget, 0 * forget, 0 * forget])
