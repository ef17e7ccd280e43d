# This file is yours: put your code where it raises NotImplementedError, then run "python -m pytest".
"""Assignment 4: recurrent networks and backpropagation through time, in NumPy.

Conventions of every function here:

- Batches of sequences are (N, T, D): N sequences, T steps of time, D numbers in each step. All sequences of a batch are
  equally long, and T is at least 1.
- A network has U (H, D) from the input to the state, V (H, H) from the state to the next one, the bias b (H,), and,
  where it has outputs, W (O, H) from the state to the output. The activation is tanh, right and not NaN from
  tanh(-1000) to tanh(1000).
- Time is counted from 1: the state h_0 is given, and x_1, ..., x_T turn it into h_1, ..., h_T. In an array
  (N, T, H) of states h_t stands at [:, t - 1]. Where the states of a single sequence are given as (T + 1, H),
  h_0 is among them, and h_t stands at [t].
- The floating arrays of one call have one dtype, float32 or float64, and so have the results, unless a docstring says
  otherwise.
- Arrays may come with any strides (transposed, reversed or sliced, say) and must not be changed. What is returned may
  be a new array or a view of an argument.
- Numbers, such as ``lr`` or ``radius``, come as Python numbers. (A float32 array times a Python ``float`` stays
  float32, times an ``np.float64`` it becomes float64.) A single number is returned as a Python number; a NumPy scalar
  passes too.
- An array is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times), unless a
  docstring says otherwise. In states, and in slopes 1 - h^2, rounding errors of numbers near 1 pass as well (1e-15, in
  float32 1e-6), however small they are: the formulas may be taken literally. Whole numbers and truth values must be
  exact.
- "Uses your ``f``" says what you may call here; nobody asks whether you do. A mistake in ``f`` then shows here as well.
- Nothing is forbidden. (SciPy and PyTorch cannot be imported where this file is graded.)

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float
from provided import adam_step

Array = Float[np.ndarray, "..."]
Arrays = dict[str, Float[np.ndarray, "..."]]



from functools import reduce
from itertools import accumulate, islice
from math import inf, sqrt


def rnn_step_forward(x, h, U, V, b):
    return np.tanh(reduce(np.add, (U.dot(x.T), V.dot(h.T), b.reshape(-1, 1)))).T


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    front = (dh_next * (1 - np.square(h_next))).T  # columns, one for each sequence
    onto = lambda rows: front.dot(rows)
    return U.T.dot(front).T, V.T.dot(front).T, onto(x), onto(h), onto(np.ones(len(x), x.dtype))


def rnn_forward(x, h0, U, V, b):
    step = lambda h, x_t: rnn_step_forward(x_t, h, U, V, b)
    return np.stack(list(islice(accumulate(x.swapaxes(0, 1), step, initial=h0), 1, None)), axis=1)


def rnn_backward(dh, x, h0, h, U, V):
    """The first half waits for what the second half hands back: recursion over halves of time."""

    def back(first, last, handed):
        """Gradients of steps first ... last - 1 (from 0), given what comes back to the last of their states."""
        match last - first:
            case 1:
                before = h0 if first == 0 else h[:, first - 1]
                dx, *rest = rnn_step_backward(dh[:, first] + handed, x[:, first], before, h[:, first], U, V)
                return [dx], *rest
            case steps:
                middle = first + steps // 2
                late, to_middle, *shares = back(middle, last, handed)
                early, to_first, *others = back(first, middle, to_middle)
                return early + late, to_first, *map(np.add, others, shares)

    dx, *rest = back(0, x.shape[1], np.zeros_like(h0))
    return np.stack(dx, axis=1), *rest


def sequence_loss(h, W, target, mask):
    N = len(h)
    known = lambda a: np.where(mask[:, :, None], a, 0)
    error = known(h @ W.T) - known(target)
    slope = (error + error) / N
    flat = lambda a: a.reshape(-1, a.shape[2])
    return float(np.square(error).sum() / N), slope @ W, flat(slope).T @ flat(h)


def linear_recurrence_coefficients(U, V, t):
    match t:
        case 1:
            return U[None]
        case _:
            later = linear_recurrence_coefficients(U, V, t - 1)
            return np.concatenate(((V @ later[0])[None], later))


def state_jacobian(h, V, t, k):
    match k:
        case 0:
            return np.eye(V.shape[0], dtype=V.dtype)
        case _ if k < 0 or t < k:
            raise ValueError("no state that far back")
        case _:
            slope = 1 - np.square(h[t])
            return (slope * (V @ state_jacobian(h, V, t - 1, k - 1)).T).T


def jacobian_norms(h, V, max_lag):
    T = len(h) - 1
    longest = lambda k: np.linalg.svd(state_jacobian(h, V, T, k))[1].max()
    return np.fromiter(map(longest, range(max_lag + 1)), dtype=V.dtype, count=max_lag + 1)


def spectral_radius(V):
    return float(max(np.hypot(z.real, z.imag) for z in np.linalg.eigvals(V).astype(complex)))


def scale_to_radius(V, radius):
    match spectral_radius(V):
        case 0.0:
            raise ValueError("nothing to scale")
        case now:
            return (V.astype(float) * (radius / now)).astype(V.dtype)


def contraction_bound(V, activation):
    match activation:
        case "sigmoid":
            steepest = 0.25
        case "tanh" | "linear":
            steepest = 1.0
    return steepest * max(np.linalg.svd(V)[1].tolist())


def clip_by_value(grads, limit):
    if limit > 0:
        return {name: np.where(g > limit, g.dtype.type(limit), np.where(g < -limit, g.dtype.type(-limit), g)) for name, g in grads.items()}
    raise ValueError("limit")


def clip_by_norm(grads, max_norm):
    total = sqrt(sum(float(np.square(g, dtype=np.float64).sum()) for g in grads.values()))
    match (max_norm > 0, 0 <= total < inf, total > max_norm):
        case (True, True, longer):
            return {name: g * (max_norm / total) if longer else g for name, g in grads.items()}, total
        case _:
            raise ValueError("max_norm or the norm")


def numerical_gradient(f, x, dy, *, h=1e-5):
    def moved(i, by):
        a = np.array(x, dtype=np.float64, order="F")
        a[i] = a[i] + by
        return a

    L = lambda a: float((np.multiply(dy, f(a), dtype=np.float64)).sum())
    slopes = [(L(moved(i, h)) - L(moved(i, -h))) / (2 * h) for i in np.ndindex(x.shape)]
    return np.array(slopes, dtype=np.float64).reshape(x.shape).astype(x.dtype)


def gradient_error(a, b):
    top = lambda v: float(np.abs(v).max())
    match max(top(a), top(b)):
        case 0.0:
            return 0.0
        case size:
            return top(a - b) / size


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    """The first window, and then the rest, whose h0 is the state at the border."""
    _, _, *mine = rnn_backward(dh[:, :window], x[:, :window], h0, h[:, :window], U, V)
    if x.shape[1] <= window:
        return tuple(mine)
    rest = (a[:, window:] for a in (dh, x))
    return tuple(map(np.add, mine, truncated_bptt(*rest, h[:, window - 1], h[:, window:], U, V, window=window)))


def train(params, x, target, mask, *, steps, lr, max_norm):
    def path(now, adam=None):
        """Loss before each step and parameters after it, without an end."""
        h0 = np.zeros_like(x, shape=(len(x), len(now["V"])))
        while True:
            h = rnn_forward(x, h0, now["U"], now["V"], now["b"])
            loss, dh, dW = sequence_loss(h, now["W"], target, mask)
            *_, dU, dV, db = rnn_backward(dh, x, h0, h, now["U"], now["V"])
            grads, _ = clip_by_norm({"W": dW, "b": db, "V": dV, "U": dU}, max_norm)
            now, adam = adam_step(now, grads, adam, lr=lr)
            yield loss, now

    losses, after = zip(*islice(path(params), steps), strict=True)
    return after[-1], np.fromiter(losses, dtype=np.float64)
