"""Assignment 4 in plain Python: lists, loops and math.fsum. NumPy only holds what comes and goes."""

import copy
import math

import numpy as np
from provided import adam_step


def dot(a, b):
    return math.fsum(p * q for p, q in zip(a, b, strict=True))


def columns(M):
    return [list(column) for column in zip(*M, strict=True)]


def rnn_step_forward(x, h, U, V, b):
    X, S, Ul, Vl, bl = x.tolist(), h.tolist(), U.tolist(), V.tolist(), b.tolist()
    rows = []
    for xs, hs in zip(X, S, strict=True):
        rows.append([math.tanh(math.fsum([dot(u, xs), dot(v, hs), c])) for u, v, c in zip(Ul, Vl, bl, strict=True)])
    return np.array(rows, dtype=x.dtype)


def _step_back(dh_next, xs, hs, nexts, Ul, Vl):
    """All in lists; da comes first."""
    da = [[g * (1.0 - s * s) for g, s in zip(gs, ss, strict=True)] for gs, ss in zip(dh_next, nexts, strict=True)]
    Uc, Vc, A = columns(Ul), columns(Vl), columns(da)
    dx = [[dot(row, u) for u in Uc] for row in da]
    dh = [[dot(row, v) for v in Vc] for row in da]
    dU = [[dot(a, c) for c in columns(xs)] for a in A]
    dV = [[dot(a, c) for c in columns(hs)] for a in A]
    db = [math.fsum(a) for a in A]
    return dx, dh, dU, dV, db


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    found = _step_back(dh_next.tolist(), x.tolist(), h.tolist(), h_next.tolist(), U.tolist(), V.tolist())
    return tuple(np.array(part, dtype=V.dtype) for part in found)


def rnn_forward(x, h0, U, V, b):
    out = np.zeros((x.shape[0], x.shape[1], V.shape[0]), dtype=V.dtype)
    state = h0
    for t in range(x.shape[1]):
        state = rnn_step_forward(x[:, t], state, U, V, b)
        for n in range(len(state)):
            out[n, t] = state[n]
    return out


def rnn_backward(dh, x, h0, h, U, V):
    N, T, H = h.shape
    Ul, Vl = U.tolist(), V.tolist()
    later = [[0.0] * H for _ in range(N)]
    shares, dxs = [], [None] * T
    for t in reversed(range(T)):
        g = [[p + q for p, q in zip(one, two, strict=True)] for one, two in zip(dh[:, t].tolist(), later, strict=True)]
        before = (h[:, t - 1] if t > 0 else h0).tolist()
        dxs[t], later, *share = _step_back(g, x[:, t].tolist(), before, h[:, t].tolist(), Ul, Vl)
        shares.append([np.array(part) for part in share])
    dU, dV, db = (add_up([share[i] for share in shares]).astype(V.dtype) for i in range(3))
    dx = np.array([[dxs[t][n] for t in range(T)] for n in range(N)], dtype=V.dtype)
    return dx, np.array(later, dtype=V.dtype), dU, dV, db


def add_up(arrays):
    total = np.zeros(arrays[0].shape)
    for place in np.ndindex(total.shape):
        total[place] = math.fsum(float(a[place]) for a in arrays)
    return total


def sequence_loss(h, W, target, mask):
    N, T, H = h.shape
    Wl = W.tolist()
    Wc = columns(Wl)
    squares, dh = [], np.zeros_like(h)
    terms = [[[] for _ in range(H)] for _ in Wl]
    for n in range(N):
        for t in range(T):
            if not mask[n, t]:
                continue
            state = h[n, t].tolist()
            e = [dot(w, state) - y for w, y in zip(Wl, target[n, t].tolist(), strict=True)]
            squares += [value * value for value in e]
            dh[n, t] = [2.0 * dot(e, w) / N for w in Wc]
            for o, value in enumerate(e):
                for j, s in enumerate(state):
                    terms[o][j].append(value * s)
    dW = [[2.0 * math.fsum(entry) / N for entry in row] for row in terms]
    return math.fsum(squares) / N, dh, np.array(dW, dtype=W.dtype)


def linear_recurrence_coefficients(U, V, t):
    now, Vl = U.tolist(), V.tolist()
    found = [now]
    while len(found) < t:
        Cc = columns(now)
        now = [[dot(v, c) for c in Cc] for v in Vl]
        found.insert(0, now)
    return np.array(found, dtype=U.dtype)


def _jacobian(h, Vl, t, k):
    H = len(Vl)
    J = [[float(i == j) for j in range(H)] for i in range(H)]
    Vc = columns(Vl)
    for s in range(t, t - k, -1):  # J D_s V
        slopes = [1.0 - float(v) * float(v) for v in h[s]]
        J = [[dot([p * d for p, d in zip(row, slopes, strict=True)], v) for v in Vc] for row in J]
    return J


def state_jacobian(h, V, t, k):
    if k < 0 or k > t:
        raise ValueError("k must lie between 0 and t")
    return np.array(_jacobian(h, V.tolist(), t, k), dtype=V.dtype)


def stretch(M):
    """The largest singular value: columns are turned in pairs until they are orthogonal (one-sided Jacobi)."""
    size = max(abs(value) for row in M for value in row)
    if size == 0:
        return 0.0
    A = columns([[value / size for value in row] for row in M])
    for _ in range(60):
        turned = False
        for p in range(len(A)):
            for q in range(p + 1, len(A)):
                a, b, c = dot(A[p], A[p]), dot(A[q], A[q]), dot(A[p], A[q])
                if abs(c) <= 1e-16 * math.sqrt(a * b) or c == 0:
                    continue
                turned = True
                z = (b - a) / (2 * c)
                t = math.copysign(1.0, z) / (abs(z) + math.hypot(1.0, z))
                cos = 1 / math.hypot(1.0, t)
                sin = cos * t
                A[p], A[q] = (
                    [cos * x - sin * y for x, y in zip(A[p], A[q], strict=True)],
                    [sin * x + cos * y for x, y in zip(A[p], A[q], strict=True)],
                )
        if not turned:
            break
    return size * max(math.hypot(*column) for column in A)


def jacobian_norms(h, V, max_lag):
    T = len(h) - 1
    return np.array([stretch(_jacobian(h, V.tolist(), T, k)) for k in range(max_lag + 1)], dtype=V.dtype)


def spectral_radius(V):
    return max(abs(complex(value)) for value in np.linalg.eigvals(np.array(V.tolist(), dtype=np.float64)))


def scale_to_radius(V, radius):
    if all(V[i, j] == 0 for i in range(len(V)) for j in range(i + 1)):
        raise ValueError("zeros on and below the diagonal: the radius is 0")
    factor = radius / spectral_radius(V)
    return np.array([[value * factor for value in row] for row in V.tolist()], dtype=V.dtype)


def contraction_bound(V, activation):
    return stretch(V.tolist()) / (4 if activation == "sigmoid" else 1)


def clip_by_value(grads, limit):
    if limit <= 0:
        raise ValueError("limit must be positive")
    clipped = {}
    for name, g in grads.items():
        out = np.zeros(g.shape, dtype=g.dtype)
        for place in np.ndindex(g.shape):
            out[place] = max(-limit, min(limit, float(g[place])))
        clipped[name] = out
    return clipped


def clip_by_norm(grads, max_norm):
    if max_norm <= 0:
        raise ValueError("max_norm must be positive")
    entries = [float(value) for g in grads.values() for value in g.flat]
    if not all(map(math.isfinite, entries)):
        raise ValueError("not finite")
    total = math.hypot(*entries)
    if total <= max_norm:
        return dict(grads), total
    return {name: (g.astype(np.float64) / total * max_norm).astype(g.dtype) for name, g in grads.items()}, total


def numerical_gradient(f, x, dy, *, h=1e-5):
    def L(point):
        y = np.array(f(point), dtype=np.float64)
        weights = np.full(y.shape, dy, dtype=np.float64) if isinstance(dy, int | float) else dy
        return math.fsum(float(weights[place]) * float(y[place]) for place in np.ndindex(y.shape))

    start = copy.deepcopy(x).astype(np.float64)
    out = np.zeros(x.shape, dtype=x.dtype)
    for place in np.ndindex(x.shape):
        up, down = np.array(start), np.array(start)
        up[place], down[place] = start[place] + h, start[place] - h
        out[place] = (L(up) - L(down)) / (2 * h)
    return out


def gradient_error(a, b):
    A, B = [float(v) for v in a.flat], [float(v) for v in b.flat]
    largest = max(map(abs, A + B))
    return 0.0 if largest == 0 else max(abs(p - q) for p, q in zip(A, B, strict=True)) / largest


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    T, start, found = x.shape[1], 0, []
    while start < T:
        end = min(T, start + window)
        before = h0 if start == 0 else h[:, start - 1]
        found.append(rnn_backward(dh[:, start:end], x[:, start:end], before, h[:, start:end], U, V)[2:])
        start = end
    return tuple(add_up([share[i] for share in found]).astype(V.dtype) for i in range(3))


def train(params, x, target, mask, *, steps, lr, max_norm):
    now = {name: params[name].copy() for name in ("U", "V", "W", "b")}
    zeros = np.zeros((x.shape[0], now["V"].shape[0]), dtype=x.dtype)
    memory, losses = None, []
    while len(losses) < steps:
        h = rnn_forward(x, zeros, now["U"], now["V"], now["b"])
        loss, dh, dW = sequence_loss(h, now["W"], target, mask)
        losses.append(loss)
        _, _, dU, dV, db = rnn_backward(dh, x, zeros, h, now["U"], now["V"])
        short, _ = clip_by_norm(dict(U=dU, V=dV, W=dW, b=db), max_norm)
        now, memory = adam_step(now, short, memory, lr=lr)
    return now, np.array(losses, dtype=np.float64)
