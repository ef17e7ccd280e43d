"""Correct but unusual solutions of assignment 4, each with the over-strict rule that would reject it."""

from __future__ import annotations

from autograder.course import Alternative

ALTERNATIVES = (
    Alternative(
        "one product of joined arrays",
        "rnn_step_forward",
        # would be rejected by: input and state must each be multiplied with their own weights
        """
def rnn_step_forward(x, h, U, V, b):
    ones = np.ones_like(x[:, :1])
    return np.tanh(np.hstack([x, h, ones]) @ np.hstack([U, V, b[:, None]]).T)
""",
    ),
    Alternative(
        "neuron by neuron, tanh from exponentials",
        "rnn_step_forward",
        # would be rejected by: no Python loop over sequences and neurons
        """
def rnn_step_forward(x, h, U, V, b):
    def neuron(n: int, i: int) -> float:
        a = float(b[i])
        for j in range(len(x[n])):
            a += float(U[i, j]) * float(x[n, j])
        for j in range(len(h[n])):
            a += float(V[i, j]) * float(h[n, j])
        return 1 - 2 / (1 + np.exp(2 * a))

    return np.array([[neuron(n, i) for i in range(len(b))] for n in range(len(x))], dtype=h.dtype)
""",
    ),
    Alternative(
        "a list of five, by einsum",
        "rnn_step_backward",
        # would be rejected by: the results must be a tuple
        """
def rnn_step_backward(dh_next, x, h, h_next, U, V):
    # 先乘以 tanh 的导数，再分给每个参数
    da = np.einsum("nh,nh->nh", dh_next, (1 - h_next) * (1 + h_next))
    rules = {"nh,hd->nd": (da, U), "nh,hk->nk": (da, V), "nh,nd->hd": (da, x), "nh,nk->hk": (da, h), "nh->h": (da,)}
    return [np.einsum(rule, *arrays) for rule, arrays in rules.items()]
""",
    ),
    Alternative(
        "columns inside, outer products outside",
        "rnn_step_backward",
        # would be rejected by: a loop over sequences must not be needed, and results lie in memory row by row
        """
def rnn_step_backward(dh_next, x, h, h_next, U, V):
    columns = (dh_next - dh_next * h_next * h_next).T
    dU, dV = (np.zeros_like(w, order="F") for w in (U, V))
    for n, column in enumerate(columns.T):
        dU += np.outer(column, x[n])
        dV += np.multiply.outer(column, h[n])
    return (U.T @ columns).T, (V.T @ columns).T, dU, dV, columns @ np.ones(len(x), x.dtype)
""",
    ),
    Alternative(
        "recursion over time",
        "rnn_forward",
        # would be rejected by: time must be a loop
        """
def rnn_forward(x, h0, U, V, b):
    if x.shape[1] == 0:
        return h0[:, :0, None].repeat(len(b), axis=2)
    past = rnn_forward(x[:, :-1], h0, U, V, b)
    before = past[:, -1] if past.shape[1] else h0
    return np.concatenate([past, np.tanh(x[:, -1] @ U.T + before @ V.T + b)[:, None]], axis=1)
""",
    ),
    Alternative(
        "all inputs at once, time first in memory",
        "rnn_forward",
        # would be rejected by: rnn_step_forward must be called, and the result be contiguous
        """
def rnn_forward(x, h0, U, V, b):
    a = np.tensordot(x, U, axes=(2, 1)).transpose(1, 0, 2) + b
    h = np.empty((1 + len(a), *h0.shape), dtype=np.result_type(x, h0, U, V, b))
    h[0] = h0
    for t, drive in enumerate(a, start=1):
        np.tanh(drive + h[t - 1] @ V.T, out=h[t])
    return h[1:].swapaxes(0, 1)
""",
    ),
    Alternative(
        "slopes first, weights in one product at the end",
        "rnn_backward",
        # would be rejected by: the shares of the steps must be added up one by one
        """
def rnn_backward(dh, x, h0, h, U, V):
    N, T, H = h.shape
    da = np.empty_like(h)
    g = np.zeros_like(h0)
    for t in range(T - 1, -1, -1):
        da[:, t] = (g + dh[:, t]) * (1 - np.square(h[:, t]))
        g = da[:, t].dot(V)
    flat = da.reshape(N * T, H)
    previous = np.insert(h[:, :-1], 0, h0, axis=1).reshape(N * T, H)
    return da @ U, g, flat.T @ x.reshape(N * T, -1), flat.T @ previous, flat.sum(0)
""",
    ),
    Alternative(
        "one system of equations for all of time",
        "rnn_backward",
        # would be rejected by: time must be walked from the end to the beginning
        """
def rnn_backward(dh, x, h0, h, U, V):
    N, T, H = h.shape
    dx, dh0, dU, dV, db = (np.zeros_like(a) for a in (x, h0, U, V, U[:, 0]))
    for n in range(N):
        # 每个时刻的梯度都依赖于下一时刻，一次解完
        system = np.eye(T * H, dtype=h.dtype).reshape(T, H, T, H)
        for t in range(T - 1):
            system[t, :, t + 1, :] = -V.T * (1 - h[n, t + 1] ** 2)
        g = np.linalg.solve(system.reshape(T * H, T * H), dh[n].reshape(-1)).reshape(T, H)
        da = g * (1 - h[n] ** 2)
        dx[n], dh0[n] = da @ U, V.T @ da[0]
        dU += da.T @ x[n]
        dV += da.T @ np.vstack([h0[n], h[n, :-1]])
        db += da.sum(axis=0)
    return dx, dh0, dU, dV, db
""",
    ),
    Alternative(
        "the caller's gradient borrowed and put back",
        "rnn_backward",
        # would be rejected by: arguments must not be written to, not even for a moment
        """
def rnn_backward(dh, x, h0, h, U, V):
    kept = dh.copy()
    dx, grads = [], [0, 0, 0]
    for t in range(h.shape[1] - 1, -1, -1):
        before = h[:, t - 1] if t > 0 else h0
        dx_t, back, *shares = rnn_step_backward(dh[:, t], x[:, t], before, h[:, t], U, V)
        if t > 0:
            dh[:, t - 1] += back
        dx.append(dx_t)
        grads = [a + b for a, b in zip(grads, shares)]
    dh[...] = kept
    return np.stack(dx[::-1], axis=1), back, *grads
""",
    ),
    Alternative(
        "only where there are targets",
        "sequence_loss",
        # would be rejected by: the loss must be of type float
        """
def sequence_loss(h, W, target, mask):
    seen = h[mask]
    error = seen @ W.T - target[mask]
    dh = np.zeros_like(h)
    dh[mask] = error @ W * (2 / len(h))
    return np.square(error).sum() / h.shape[0], dh, error.T @ seen * (2 / len(h))
""",
    ),
    Alternative(
        "answers to impulses",
        "linear_recurrence_coefficients",
        # would be rejected by: products of matrices must be formed
        """
def linear_recurrence_coefficients(U, V, t):
    H, D = U.shape
    table = np.empty((t, H, D), dtype=np.result_type(U, V))
    for s in range(t):
        for d in range(D):
            state = np.zeros(H, dtype=U.dtype)
            for step in range(t):
                state = V.dot(state) + (U[:, d] if step == s else 0)
            table[s, :, d] = state
    return table
""",
    ),
    Alternative(
        "powers of the matrix, as a list",
        "linear_recurrence_coefficients",
        # would be rejected by: each coefficient must be made from the one before
        """
def linear_recurrence_coefficients(U, V, t):
    return [(np.linalg.matrix_power(V, t - s) @ U).tolist() for s in range(1, t + 1)]
""",
    ),
    Alternative(
        "recursion over the lag",
        "state_jacobian",
        # would be rejected by: the product must be formed in one loop
        """
def state_jacobian(h, V, t, k):
    if k < 0 or t - k < 0:
        raise ValueError((t, k))
    if k == 0:
        return np.identity(h.shape[1], dtype=h.dtype)
    step = np.diag(1 - h[t] * h[t]) @ V
    return step @ state_jacobian(h, V, t - 1, k - 1)
""",
    ),
    Alternative(
        "rows sent backwards",
        "state_jacobian",
        # would be rejected by: the factors must be multiplied as matrices
        """
def state_jacobian(h, V, t, k):
    if k not in range(t + 1):
        raise ValueError("no such state")
    rows = []
    for i in range(V.shape[0]):
        g = np.zeros_like(V[0])
        g[i] = 1
        for s in range(t, t - k, -1):
            g = (g * (1 - h[s] ** 2)) @ V
        rows.append(g)
    return np.array(rows)
""",
    ),
    Alternative(
        "grown lag by lag, norms from eigenvalues",
        "jacobian_norms",
        # would be rejected by: state_jacobian must be called, and the singular values computed
        """
def jacobian_norms(h, V, max_lag):
    J, norms = np.eye(len(V)), []
    for lag in range(max_lag + 1):
        largest = max(np.abs(J).max(), 1e-300)  # whose square may not be finite
        norms.append(largest * np.sqrt(np.linalg.eigvalsh((J / largest).T @ (J / largest))[-1]))
        J = J * (1 - h[len(h) - 1 - lag] ** 2) @ V
    return norms
""",
    ),
    Alternative(
        "norms of ever higher powers",
        "spectral_radius",
        # would be rejected by: eigenvalues must be computed
        """
def spectral_radius(V):
    power, logarithm, weight = np.array(V), 0.0, 1.0
    for _ in range(70):
        size = np.abs(power).max()
        if size == 0:
            return 0
        logarithm += weight * np.log(size)
        power = power / size
        power, weight = power @ power, weight / 2
    return np.exp(logarithm)
""",
    ),
    Alternative(
        "an error of its own",
        "scale_to_radius",
        # would be rejected by: the exception must be ValueError itself
        '''
def scale_to_radius(V, radius):
    class Nilpotent(ValueError):
        """A power of the matrix is zero."""

    found = np.max(np.hypot(*(part(np.linalg.eigvals(V)) for part in (np.real, np.imag))))
    if not found:
        raise Nilpotent
    return np.array([[radius * entry / found for entry in row] for row in V], dtype=V.dtype)
''',
    ),
    Alternative(
        "the slope found by search",
        "contraction_bound",
        # would be rejected by: the result must be of type float
        """
def contraction_bound(V, activation):
    a = np.linspace(-4, 4, 1025)
    slopes = {"linear": 0 * a + 1, "tanh": np.cosh(a) ** -2, "sigmoid": np.exp(a) / (1 + np.exp(a)) ** 2}
    return np.sqrt(np.linalg.eigvalsh(V @ V.T).max()) * slopes[activation].max()
""",
    ),
    Alternative(
        "signs times sizes, in lists",
        "clip_by_value",
        # would be rejected by: the dictionary must hold arrays
        """
def clip_by_value(grads, limit):
    if not limit > 0:
        raise ValueError(limit)
    return {name: (np.sign(g) * np.minimum(np.abs(g), limit)).tolist() for name, g in sorted(grads.items())}
""",
    ),
    Alternative(
        "as PyTorch does it",
        "clip_by_norm",
        # would be rejected by: results must agree to nine digits
        """
def clip_by_norm(grads, max_norm):
    norms = [np.linalg.norm(g.ravel().astype(np.float64)) for g in grads.values()]
    total_norm = np.linalg.norm(norms)
    if max_norm <= 0 or np.isnan(total_norm) or np.isinf(total_norm):
        raise ValueError("cannot be clipped")
    coefficient = min(max_norm / (total_norm + 1e-6), 1.0)
    return {name: (g * coefficient).astype(g.dtype) for name, g in grads.items()}, total_norm
""",
    ),
    Alternative(
        "one long vector",
        "clip_by_norm",
        # would be rejected by: the keys must stay in their order
        """
def clip_by_norm(grads, max_norm):
    import math

    names = sorted(grads, reverse=True)
    norm = math.hypot(*(float(entry) for name in names for entry in grads[name].flat))
    if not (max_norm > 0 and math.isfinite(norm)):
        raise ValueError
    if norm <= max_norm:
        return dict(grads), norm
    return {name: grads[name] / (norm / max_norm) for name in names}, norm
""",
    ),
    Alternative(
        "unit vectors added",
        "numerical_gradient",
        # would be rejected by: x must be perturbed in place
        """
def numerical_gradient(f, x, dy, *, h=1e-5):
    x64, slopes = np.array(x, dtype=float), []
    for unit in np.eye(x.size):
        away = h * unit.reshape(x.shape)
        high, low = np.sum(np.multiply(dy, f(x64 + away))), np.sum(np.multiply(dy, f(x64 - away)))
        slopes.append((high - low) / h / 2)
    return np.reshape(slopes, x.shape).astype(x.dtype)
""",
    ),
    Alternative(
        "the caller's array changed and restored",
        "numerical_gradient",
        # would be rejected by: x must never be written to
        """
def numerical_gradient(f, x, dy, *, h=1e-5):
    point = x if x.dtype == np.float64 else np.float64(x)
    gradient = np.empty(x.shape, order="F")
    with np.nditer(gradient, flags=["multi_index"], op_flags=["writeonly"]) as entries:
        for entry in entries:
            at = entries.multi_index
            old, point[at] = point[at], point[at] - h
            low = np.sum(dy * f(point))
            point[at] = old + h
            entry[...] = (np.sum(dy * f(point)) - low) / (2 * h)
            point[at] = old
    return gradient.astype(x.dtype)
""",
    ),
    Alternative(
        "sorted entries, and an answer without dimensions",
        "gradient_error",
        # would be rejected by: the result must be of type float
        """
def gradient_error(a, b):
    largest = np.sort(np.concatenate([abs(a), abs(b)], axis=None))[-1]
    return np.array(0 if largest == 0 else np.ptp([a.ravel(), b.ravel()], axis=0).max() / largest)
""",
    ),
    Alternative(
        "nothing carried over a border",
        "truncated_bptt",
        # would be rejected by: rnn_backward must be called once for each window
        """
def truncated_bptt(dh, x, h0, h, U, V, *, window):
    dU, dV, db, t = 0, 0, 0, x.shape[1]
    carry = np.zeros_like(h0)
    while t > 0:
        if t % window == 0:
            carry = np.zeros_like(carry)
        before = h0 if t == 1 else h[:, t - 2]
        a, carry, *shares = rnn_step_backward(dh[:, t - 1] + carry, x[:, t - 1], before, h[:, t - 1], U, V)
        dU, dV, db = dU + shares[0], dV + shares[1], db + shares[2]
        t -= 1
    return [dU, dV, db]
""",
    ),
    Alternative(
        "every window a sequence of its own, the last one filled up",
        "truncated_bptt",
        # would be rejected by: no more steps may be taken than there are
        """
def truncated_bptt(dh, x, h0, h, U, V, *, window):
    count = -(-h.shape[1] // window)

    def windows(a):
        filled = np.pad(a, [(0, 0), (0, count * window - a.shape[1]), (0, 0)])
        return filled.reshape(len(a) * count, window, -1)

    first = np.concatenate([h0[:, None], h[:, :-1]], axis=1)[:, ::window].reshape(len(h) * count, -1)
    return rnn_backward(windows(dh), windows(x), first, windows(h), U, V)[2:]
""",
    ),
    Alternative(
        "all parameters in one vector",
        "train",
        # would be rejected by: adam_step must see four arrays, and the losses be an array
        """
def train(params, x, target, mask, *, steps, lr, max_norm):
    from provided import adam_step as adam

    names = list(params)
    borders = np.cumsum([params[name].size for name in names])[:-1]
    theta, state, losses = {"all": np.concatenate([params[name].ravel() for name in names])}, None, []

    def unpacked(vector):
        pieces = np.split(vector, borders)
        return {name: piece.reshape(params[name].shape) for name, piece in zip(names, pieces)}

    for _ in range(steps):
        p = unpacked(theta["all"])
        start = np.zeros((x.shape[0], p["V"].shape[0]), x.dtype)
        h = rnn_forward(x, start, p["U"], p["V"], p["b"])
        loss, dh, dW = sequence_loss(h, p["W"], target, mask)
        *_, dU, dV, db = rnn_backward(dh, x, start, h, p["U"], p["V"])
        found = {"U": dU, "V": dV, "W": dW, "b": db}
        g = np.concatenate([found[name].ravel() for name in names])
        norm = float(np.linalg.norm(g))
        g = g * min(1, max_norm / (norm + 1e-6))
        theta, state = adam(theta, {"all": g}, state, lr=lr)
        losses.append(float(loss))
    return unpacked(theta["all"]), losses
""",
    ),
    Alternative(
        "the bias on the other side",
        "to_torch",
        # would be rejected by: the second bias must be zero
        """
def to_torch(U, V, b):
    H, D = U.shape
    rnn = nn.RNN(input_size=D, hidden_size=H, num_layers=1, nonlinearity="tanh", batch_first=True)
    rnn = rnn.double() if U.dtype == np.float64 else rnn.float()
    values = {"weight_ih_l0": U, "weight_hh_l0": V, "bias_ih_l0": -2 * b, "bias_hh_l0": 3 * b}
    rnn.load_state_dict({name: torch.as_tensor(value) for name, value in values.items()})
    return rnn
""",
    ),
    Alternative(
        "the rest of the way, once for each state",
        "state_gradient_norms",
        # would be rejected by: one backward pass must give all norms
        """
def state_gradient_norms(cell, x, h0, dy):
    h, norms = h0, []
    for t in range(x.shape[1]):
        h = cell(x[:, t], h).detach().requires_grad_()
        last = h
        for later in range(t + 1, x.shape[1]):
            last = cell(x[:, later], last)
        (g,) = torch.autograd.grad((last * dy).sum(), h)
        norms.append(torch.linalg.vector_norm(g))
    return torch.stack(norms)
""",
    ),
    Alternative(
        "a full backward pass, tidied up",
        "state_gradient_norms",
        # would be rejected by: the parameters' gradients must not be touched, not even for a moment
        """
def state_gradient_norms(cell, x, h0, dy):
    everything = [*cell.parameters(), *(leaf for leaf in (x, h0) if leaf.is_leaf)]
    kept = [None if p.grad is None else p.grad.clone() for p in everything]
    norms = {}
    h = h0
    for t, x_t in enumerate(x.unbind(dim=1)):
        h = cell(x_t, h)
        h.register_hook(lambda g, t=t: norms.__setitem__(t, g.square().sum().sqrt()))
    h.backward(dy)
    for p, old in zip(everything, kept):
        p.grad = old
    return torch.tensor([norms[t] for t in range(x.shape[1])], dtype=x.dtype)
""",
    ),
    Alternative(
        "clipped by hand, told in tensors",
        "train_step",
        # would be rejected by: loss and norm must be floats, and clip_grad_norm_ be called
        """
def train_step(model, x, y, loss_fn, optimizer, max_norm):
    parameters = [p for p in model.parameters() if p.requires_grad]
    loss = loss_fn(model(x), y)
    gradients = torch.autograd.grad(loss, parameters, allow_unused=True)
    norm = torch.sqrt(sum((g**2).sum() for g in gradients if g is not None))
    for p, g in zip(parameters, gradients):
        p.grad = None if g is None else g * torch.clamp(max_norm / norm, max=1)
    optimizer.step()
    return loss, norm
""",
    ),
    Alternative(
        "moved in place and put back",
        "numerical_gradient",
        # would be rejected by: x must not be written to, even for a moment
        """
def numerical_gradient(f, x, dy, *, h=1e-5):
    work = np.asarray(x, dtype=np.float64)
    weights = np.asarray(dy, dtype=np.float64)
    dx = np.empty(x.shape)
    for i in np.ndindex(x.shape):
        kept = work[i].copy()
        work[i] = kept + h
        up = float(np.sum(weights * f(work)))
        work[i] = kept - h
        down = float(np.sum(weights * f(work)))
        work[i] = kept
        dx[i] = (up - down) / (2 * h)
    return dx.astype(x.dtype)
""",
    ),
    Alternative(
        "divided before they are subtracted",
        "gradient_error",
        # would be rejected by: a small error must be as exact as a large one
        """
def gradient_error(a, b):
    largest = max(np.abs(a).max(), np.abs(b).max())
    if largest == 0:
        return 0.0
    return float(np.abs(a / largest - b / largest).max())
""",
    ),
    Alternative(
        "a look at the triangles",
        "scale_to_radius",
        # would be rejected by: the eigenvalues must be what decides
        """
def scale_to_radius(V, radius):
    if not np.tril(V).any() or not np.triu(V).any():
        raise ValueError("The spectral radius is 0.")
    return (V.astype(np.float64) * (radius / spectral_radius(V))).astype(V.dtype)
""",
    ),
    Alternative(
        "an identity that is kept",
        "state_jacobian",
        # would be rejected by: what is returned must be a new array
        """
def state_jacobian(h, V, t, k, kept={}):
    if k < 0 or k > t:
        raise ValueError(f"There is no lag {k} at time {t}.")
    J = kept.setdefault((len(V), V.dtype), np.eye(len(V), dtype=V.dtype))
    for s in range(t - k + 1, t + 1):
        J = (1 - h[s] ** 2)[:, None] * (V @ J)
    return J
""",
    ),
)
