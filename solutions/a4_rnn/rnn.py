"""Assignment 4: recurrent networks and backpropagation through time, in NumPy.

Conventions of every function here:

- Batches of sequences are (N, T, D): N sequences, T steps of time, D numbers in each step. All sequences of a batch are
  equally long, and T is at least 1 and at most 100.
- A network has U (H, D) from the input to the state, V (H, H) from the state to the next one, the bias b (H,), and,
  where it has outputs, W (O, H) from the state to the output. The activation is tanh, right and not NaN from
  tanh(-1000) to tanh(1000).
- Time is counted from 1: the state h_0 is given, and x_1, ..., x_T turn it into h_1, ..., h_T. In an array
  (N, T, H) of states h_t stands at [:, t - 1]. Where the states of a single sequence are given as (T + 1, H),
  h_0 is among them, and h_t stands at [t].
- The floating arrays of one call have one dtype, float32 or float64, and so have the results, unless a docstring says
  otherwise.
- No array is empty, and one of "any shape" may have no axes either. Arrays may come with any strides (transposed,
  reversed or sliced, say), but no two entries share memory, and all can be written to. They, and dictionaries, must be
  unchanged afterwards. What is returned may be a new array or a view of an argument, and may be read-only; later calls
  must not change it. Dictionaries may come with their names in any order.
- Numbers, such as ``lr`` or ``radius``, come as Python numbers. (A float32 array times a Python ``float`` stays
  float32, times an ``np.float64`` it becomes float64.) A single number is returned as a Python number; a NumPy scalar
  passes too, also for an array without axes.
- An array is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times), or, where all
  entries are below 1e-14, by more than 1e-12, unless a docstring says otherwise. The formulas may be taken literally:
  in states and in slopes 1 - h^2, however small these are, a rounding error of 1 passes (1e-15, in float32 1e-6), and
  so does the error that it causes in what is computed from them.
- "Uses your ``f``" says what helps here; nobody asks whether you call it, and other functions of yours may be called
  too. A mistake in what you call then shows here as well.
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


def rnn_step_forward(
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    U: Float[np.ndarray, "H D"],
    V: Float[np.ndarray, "H H"],
    b: Float[np.ndarray, " H"],
) -> Float[np.ndarray, "N H"]:
    """Update the memory: one step of a recurrent network, for every sequence of a batch.

        h_next = tanh(U x + V h + b)

    for one sequence, whose x and h are columns. Here they are the rows of arrays, one row for each sequence.

    Args:
        x: inputs of this step, shape (N, D).
        h: states before it, shape (N, H).
        U: input weights, shape (H, D).
        V: recurrent weights, shape (H, H): V[i, j] is the weight from h[j] to h_next[i].
        b: biases, shape (H,).

    Returns:
        h_next, the states after the step, shape (N, H).

    Handout: §1 A network with memory.
    """
    return np.tanh(x @ U.T + h @ V.T + b)


def rnn_step_backward(
    dh_next: Float[np.ndarray, "N H"],
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    h_next: Float[np.ndarray, "N H"],
    U: Float[np.ndarray, "H D"],
    V: Float[np.ndarray, "H H"],
) -> tuple[
    Float[np.ndarray, "N D"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "H D"],
    Float[np.ndarray, "H H"],
    Float[np.ndarray, " H"],
]:
    """Backward pass of one step: from the gradient of its output to the gradients of its arguments.

    Let h_next = rnn_step_forward(x, h, U, V, b), and let a loss L depend on x, h, U, V and b through h_next alone.
    Given dh_next, the partial derivative of L with respect to each entry of h_next, find

        dx = dL/dx,    dh = dL/dh,    dU = dL/dU,    dV = dL/dV,    db = dL/db,

    each entry the partial derivative with respect to the entry at the same place. All sequences share the parameters;
    nothing is averaged over the batch.

    Args:
        dh_next: gradient of the states after the step, shape (N, H).
        x: inputs given to the forward pass, shape (N, D).
        h: states given to the forward pass, shape (N, H).
        h_next: states that the forward pass returned, shape (N, H).
        U: input weights, shape (H, D).
        V: recurrent weights, shape (H, H).

    Returns:
        (dx, dh, dU, dV, db), with the shapes of x, h, U, V and b.

    Handout: §2 Backpropagation through time.
    """
    da = dh_next * (1 - h_next**2)  # a = U x + V h + b, what tanh is applied to
    return da @ U, da @ V, da.T @ x, da.T @ h, da.sum(axis=0)


def rnn_forward(
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    U: Float[np.ndarray, "H D"],
    V: Float[np.ndarray, "H H"],
    b: Float[np.ndarray, " H"],
) -> Float[np.ndarray, "N T H"]:
    """Run a recurrent network over sequences: the same step, with the same parameters, T times.

        h_t = tanh(U x_t + V h_{t-1} + b)    for t = 1, ..., T

    Args:
        x: inputs, shape (N, T, D); x_t stands at x[:, t - 1].
        h0: initial states h_0, shape (N, H).
        U: input weights, shape (H, D).
        V: recurrent weights, shape (H, H).
        b: biases, shape (H,).

    Returns:
        h, all states but the initial ones, shape (N, T, H): h_t stands at h[:, t - 1].

    Uses your ``rnn_step_forward``.
    Handout: §1 A network with memory.
    """
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_step_forward(x[:, t], h, U, V, b)
        states.append(h)
    return np.stack(states, axis=1)


def rnn_backward(
    dh: Float[np.ndarray, "N T H"],
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    h: Float[np.ndarray, "N T H"],
    U: Float[np.ndarray, "H D"],
    V: Float[np.ndarray, "H H"],
) -> tuple[
    Float[np.ndarray, "N T D"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "H D"],
    Float[np.ndarray, "H H"],
    Float[np.ndarray, " H"],
]:
    """Backpropagation through time: the backward pass of ``rnn_forward``.

    Let h = rnn_forward(x, h0, U, V, b), and let a loss L be computed from the states: L = loss(h_1, ..., h_T), where
    any of them may take part. dh holds the partial derivatives of that function, the direct influence of each state
    with the other states held fixed: dh[:, t - 1] = d loss / d h_t. But a state also influences all later ones. Find

        dx = dL/dx,    dh0 = dL/dh0,    dU = dL/dU,    dV = dL/dV,    db = dL/db,

    the whole derivatives, along every path from an argument to L. The parameters take part in every step; nothing is
    averaged, neither over the batch nor over time.

    Args:
        dh: direct gradient of the states, shape (N, T, H).
        x: inputs given to the forward pass, shape (N, T, D).
        h0: initial states given to the forward pass, shape (N, H).
        h: states that the forward pass returned, shape (N, T, H).
        U: input weights, shape (H, D).
        V: recurrent weights, shape (H, H).

    Returns:
        (dx, dh0, dU, dV, db), with the shapes of x, h0, U, V and b.

    Uses your ``rnn_step_backward``.
    Handout: §2 Backpropagation through time.
    """
    before = np.concatenate([h0[:, None], h[:, :-1]], axis=1)  # the state that each step began with
    dx, dU, dV, db = np.zeros_like(x), np.zeros_like(U), np.zeros_like(V), np.zeros_like(V[0])
    carry = np.zeros_like(h0)  # what the later steps say about the state
    for t in reversed(range(x.shape[1])):
        total = dh[:, t] + carry
        dx[:, t], carry, dU_t, dV_t, db_t = rnn_step_backward(total, x[:, t], before[:, t], h[:, t], U, V)
        dU += dU_t
        dV += dV_t
        db += db_t
    return dx, carry, dU, dV, db


def sequence_loss(
    h: Float[np.ndarray, "N T H"],
    W: Float[np.ndarray, "O H"],
    target: Float[np.ndarray, "N T O"],
    mask: Bool[np.ndarray, "N T"],
) -> tuple[float, Float[np.ndarray, "N T H"], Float[np.ndarray, "O H"]]:
    """Squared error of the outputs W h_t, wherever there is a target, and its gradients.

        loss = 1 / N * sum over n, t with mask[n, t] of |W h[n, t] - target[n, t]|^2

    where |v|^2 is the sum of the squares of the entries of v. The loss is summed over time and averaged over sequences:
    N is their number, however many targets there are, and a sequence without any counts too. If there is no target at
    all, loss and gradients are 0.

    Args:
        h: states, shape (N, T, H).
        W: output weights, shape (O, H).
        target: wanted outputs, shape (N, T, O); where mask is False, finite numbers without meaning, even 1e200 (in
            float32 1e30).
        mask: True where there is a target, shape (N, T), bool.

    Returns:
        (loss, dh, dW): the loss, a Python float; its partial derivatives with respect to h, shape (N, T, H) (each
        state's direct influence, as ``rnn_backward`` wants it), and with respect to W, shape (O, H).

    Handout: §3 A loss where there are targets.
    """
    error = (h @ W.T - target) * mask[..., None]
    loss = float((error**2).sum() / len(h))
    doutput = 2 * error / len(h)
    return loss, doutput @ W, np.einsum("nto,nth->oh", doutput, h)


def linear_recurrence_coefficients(
    U: Float[np.ndarray, "H D"], V: Float[np.ndarray, "H H"], t: int
) -> Float[np.ndarray, "t H D"]:
    """Write the state of a network without nonlinearity as a linear map of the inputs.

    Without tanh, without a bias and from h_0 = 0, h_s = U x_s + V h_{s-1} gives

        h_t = C_1 x_1 + C_2 x_2 + ... + C_t x_t

    with matrices C_s that depend on U and V alone. Find them.

    Args:
        U: input weights, shape (H, D).
        V: recurrent weights, shape (H, H).
        t: number of steps, from 1 to 100.

    Returns:
        The coefficients, shape (t, H, D): C_s stands at [s - 1].

    Handout: §4 Without the nonlinearity.
    """
    coefficients = [U]
    for _ in range(t - 1):
        coefficients.append(V @ coefficients[-1])
    return np.stack(coefficients[::-1])


def state_jacobian(h: Float[np.ndarray, "T+1 H"], V: Float[np.ndarray, "H H"], t: int, k: int) -> Array:
    """Measure how a state depends on the state k steps before it: the Jacobian of h_t with respect to h_{t-k}.

        J[i, j] = d h_t[i] / d h_{t-k}[j]

    where the inputs are held fixed and the states between the two follow h_{t-k}. With k = 0, J is the identity.

    Args:
        h: states of one sequence, the initial one included, shape (T + 1, H): h_t stands at h[t]. The inputs that led
            to them need not be known.
        V: recurrent weights, shape (H, H).
        t: time of the later state, from 0 to T.
        k: lag, the number of steps between the two states, from 0 to t.

    Returns:
        J, shape (H, H).

    Raises:
        ValueError: k is negative or larger than t.

    Handout: §5 How far a gradient reaches.
    """
    if not 0 <= k <= t:
        raise ValueError(f"there is no state {k} steps before step {t}")
    jacobian: np.ndarray = np.eye(len(V), dtype=V.dtype)
    for later in h[t - k + 1 : t + 1]:
        jacobian = (1 - later**2)[:, None] * (V @ jacobian)
    return jacobian


def jacobian_norms(h: Float[np.ndarray, "T+1 H"], V: Float[np.ndarray, "H H"], max_lag: int) -> Array:
    """Measure how strongly the last state depends on earlier ones, lag by lag.

        norms[k] = | d h_T / d h_{T-k} |    for k = 0, 1, ..., max_lag

    in the spectral norm, the largest singular value of the matrix: how much longer the Jacobian can make a vector.

    Args:
        h: states of one sequence, the initial one included, shape (T + 1, H).
        V: recurrent weights, shape (H, H).
        max_lag: the largest lag, from 0 to T.

    Returns:
        The norms, shape (max_lag + 1,). Where gradients explode, these norms and those of the Jacobians between two
        earlier states reach up to 1e200 (in float32 1e30). Where a Jacobian is all zeros, its norm is 0.

    Uses your ``state_jacobian``.
    Handout: §5 How far a gradient reaches.
    """
    lags = range(max_lag + 1)
    return np.array([np.linalg.norm(state_jacobian(h, V, len(h) - 1, k), 2) for k in lags])


def spectral_radius(V: Float[np.ndarray, "H H"]) -> float:
    """Largest absolute value of an eigenvalue of V: what decides the growth of V^k for large k.

    The eigenvalues of a real matrix may be complex.

    Args:
        V: square matrix, shape (H, H), not necessarily symmetric. Its entries may be small or large, down to 1e-20 or
            up to 1e20.

    Returns:
        The spectral radius, a Python float, right to 1e-9 of itself (in float32 1e-4); of zeros it is 0.

    Handout: §5 How far a gradient reaches.
    """
    return float(np.abs(np.linalg.eigvals(V)).max())


def scale_to_radius(V: Float[np.ndarray, "H H"], radius: float) -> Float[np.ndarray, "H H"]:
    """Multiply V by the positive number that gives it the spectral radius wanted.

    Args:
        V: square matrix, shape (H, H). Its entries may be small or large, down to 1e-20 or up to 1e20: a small radius
            is not 0.
        radius: spectral radius of the result, from 1e-3 to 1e3.

    Returns:
        The scaled matrix, shape (H, H).

    Raises:
        ValueError: V is all zeros, or has zeros on and below its diagonal: its spectral radius is 0, which no factor
            changes. (Other matrices of radius 0 do not occur, neither with zeros on and above the diagonal nor such as
            1 -1 / 1 -1: rounding errors may leave a tiny number for them.)

    Uses your ``spectral_radius``.
    Handout: §5 How far a gradient reaches.
    """
    found = spectral_radius(V)
    if found == 0:
        raise ValueError("all eigenvalues are 0, and so are those of every multiple")
    return V * (radius / found)


def contraction_bound(V: Float[np.ndarray, "H H"], activation: Literal["sigmoid", "tanh", "linear"]) -> float:
    """Bound how much one step can stretch a change of the state, whatever the inputs are.

    In h_t = activation(U x_t + V h_{t-1} + b) the Jacobian d h_t / d h_{t-1} depends on where the activation's
    argument lies. Its spectral norm (largest singular value) is at most

        steepest slope of the activation anywhere * spectral norm of V

    If this is below 1, gradients must vanish. If it is above, they may or may not explode. The activations are
    sigmoid(a) = 1 / (1 + exp(-a)), tanh(a), and linear: a itself.

    Args:
        V: recurrent weights, shape (H, H). The largest entry is 0, or its absolute value lies between 1e-12 and 1e6.
        activation: "sigmoid", "tanh" or "linear"; there are no others.

    Returns:
        The bound, a Python float.

    Handout: §5 How far a gradient reaches.
    """
    steepest = {"sigmoid": 0.25, "tanh": 1.0, "linear": 1.0}[activation]
    return float(steepest * np.linalg.norm(V, 2))


def clip_by_value(grads: Arrays, limit: float) -> Arrays:
    """Clip every entry of every gradient to -limit ... limit. An infinite entry becomes limit or -limit.

    Args:
        grads: gradients by name, each of any shape, possibly none at all. No entry is NaN.
        limit: the largest absolute value allowed, > 0 and finite.

    Returns:
        The clipped gradients, under the same names.

    Raises:
        ValueError: limit is 0 or negative, whatever grads holds.

    Handout: §6 Clipping.
    """
    if limit <= 0:
        raise ValueError("a limit is positive")
    return {name: g.clip(-limit, limit) for name, g in grads.items()}


def clip_by_norm(grads: Arrays, max_norm: float) -> tuple[Arrays, float]:
    """Shorten the gradient to max_norm if it is longer, and keep its direction.

    All arrays together are one vector. Its length is

        total_norm = sqrt(sum of the squares of all entries of all arrays)

    If it is larger than max_norm, all arrays are multiplied by one number, such that together they have the norm
    max_norm. Otherwise they are returned as they are. The squares are taken and added up in float64, also those of
    float32 gradients, which may be too large for float32; the clipped gradients keep their dtype.

    Errors up to 1e-5 of the largest entry pass. Gradients are of two kinds only: total_norm is larger than max_norm and
    at least 0.2, or it is at most max_norm / 2. So PyTorch's way, which divides by total_norm + 1e-6, is right too.

    Args:
        grads: gradients by name, each of any shape, at least one. Finite entries reach up to 1e150 (in float32 1e30).
        max_norm: the largest norm allowed, finite. If it is positive it is at least 1e-5.

    Returns:
        (clipped, total_norm): the gradients under the same names, and the norm before clipping, a Python float.

    Raises:
        ValueError: max_norm is 0 or negative, or total_norm is not finite (NaN or infinite).

    Handout: §6 Clipping.
    """
    total_norm = float(np.sqrt(sum(np.square(g, dtype=np.float64).sum() for g in grads.values())))
    if max_norm <= 0 or not np.isfinite(total_norm):
        raise ValueError(f"a gradient of norm {total_norm} cannot be clipped to {max_norm}")
    scale = min(1.0, max_norm / total_norm) if total_norm else 1.0
    return {name: scale * g for name, g in grads.items()}, total_norm


def numerical_gradient(f: Callable[[Array], Array | float], x: Array, dy: Array | float, *, h: float = 1e-5) -> Array:
    """Estimate a gradient by central differences, from values of f alone, to check a backward pass with.

    Let L = sum of dy * f(x). For each entry x[i],

        dx[i] = (L(x[i] + h) - L(x[i] - h)) / (2 * h)

    where all other entries stay as they are (up to rounding). This very quotient is asked for, also with an h that is
    not small.

    f takes an array of the shape of x (where that has no axes, a NumPy scalar will do) and depends on nothing else. It
    does not write into it, but what it returns may be a view of it. It computes in the precision of its argument. In
    float32 a difference as small as this is lost in rounding errors, so call f with float64 arrays in any case, do
    everything in float64, and convert the result at the end. Errors up to 1e-6 of the largest entry pass.

    Args:
        f: function of an array, which returns a floating array of any shape, or a float.
        x: where to take the gradient, any shape, entries from -10 to 10.
        dy: gradient of L with respect to f(x), an array of the shape of f(x); or one Python number, an int or a float,
            which counts for every entry (always so where f returns a float).
        h: step, > 0.

    Returns:
        dx, the shape and dtype of x.

    Handout: §7 Checking gradients.
    """
    point = x.astype(np.float64)
    dx = np.zeros(x.shape)
    for i in np.ndindex(x.shape):
        centre = point[i]
        point[i] = centre + h
        above = np.array(f(point))  # a copy: it could be a view of what is changed next
        point[i] = centre - h
        below = np.array(f(point))
        point[i] = centre
        dx[i] = np.sum(dy * (above - below)) / (2 * h)
    return dx.astype(x.dtype)


def gradient_error(a: Array, b: Array) -> float:
    """Compare two gradients: their largest difference, relative to the largest entry of either.

        max |a - b| / max(max |a|, max |b|)

    It does not change when both are multiplied by the same number, as long as the largest entry stays between 1e-300
    and 1e300 (in float32 between 1e-30 and 1e30). If all entries of both are 0, the error is 0.

    Args:
        a: one gradient, any shape.
        b: the other, of the same shape.

    Returns:
        The error, a Python float from 0 to 2. As the difference of two gradients is no more exact than they are, it may
        be off by 1e-15 (in float32 by 1e-6).

    Handout: §7 Checking gradients.
    """
    largest = max(np.abs(a).max(), np.abs(b).max())
    return float(np.abs(a - b).max() / largest) if largest else 0.0


def truncated_bptt(
    dh: Float[np.ndarray, "N T H"],
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    h: Float[np.ndarray, "N T H"],
    U: Float[np.ndarray, "H D"],
    V: Float[np.ndarray, "H H"],
    *,
    window: int,
) -> tuple[Float[np.ndarray, "H D"], Float[np.ndarray, "H H"], Float[np.ndarray, " H"]]:
    """Backpropagation through time, cut into windows: steps 1 to w, w + 1 to 2 w, and so on.

    The forward pass was not cut: the first state of a window was computed from the last one of the window before. But
    no gradient crosses from a window to the one before it: there the last state of the window before counts as a
    constant. The gradients of all windows are added up.

    Args:
        dh: direct gradient of the states, as for ``rnn_backward``, shape (N, T, H).
        x: inputs, shape (N, T, D).
        h0: initial states, shape (N, H).
        h: states of the uncut forward pass, shape (N, T, H).
        U: input weights, shape (H, D).
        V: recurrent weights, shape (H, H).
        window: number w of steps in a window, from 1 to 100. The last window is shorter where w does not divide T; a
            window longer than T cuts nothing.

    Returns:
        (dU, dV, db), with the shapes of U, V and b.

    Uses your ``rnn_backward``.
    Handout: §8 Training.
    """
    dU, dV, db = np.zeros_like(U), np.zeros_like(V), np.zeros_like(V[0])
    for start in range(0, x.shape[1], window):
        steps = np.s_[:, start : start + window]
        before = h[:, start - 1] if start else h0
        _, _, dU_w, dV_w, db_w = rnn_backward(dh[steps], x[steps], before, h[steps], U, V)
        dU += dU_w
        dV += dV_w
        db += db_w
    return dU, dV, db


def train(
    params: Arrays,
    x: Float[np.ndarray, "N T D"],
    target: Float[np.ndarray, "N T O"],
    mask: Bool[np.ndarray, "N T"],
    *,
    steps: int,
    lr: float,
    max_norm: float,
) -> tuple[Arrays, Float[np.ndarray, " steps"]]:
    """Train a recurrent network with outputs W h_t on the loss of ``sequence_loss``.

    Every step takes the whole batch: all states from h_0 = 0 (which is not trained), the loss, the gradients of the
    four parameters through all of time, clipped together by their common norm as ``clip_by_norm`` does, and one step of
    Adam with them. Adam is given: ``from provided import adam_step``. Errors up to 1e-5 of the largest entry pass, and
    so does PyTorch's way of clipping.

    Args:
        params: initial values under the names "U", "V", "W" and "b", shapes (H, D), (H, H), (O, H) and (H,).
        x: inputs, shape (N, T, D).
        target: wanted outputs, shape (N, T, O); where mask is False, without meaning as in ``sequence_loss``.
        mask: True where there is a target, shape (N, T), bool.
        steps: number of steps, >= 1.
        lr: learning rate, > 0.
        max_norm: largest norm of the gradient, finite, at least 1e-5.

    Returns:
        (params, losses): the trained parameters under the same four names, and the loss before each step, shape
        (steps,), in float32 or float64 as you like.

    Uses your ``rnn_forward``, ``sequence_loss``, ``rnn_backward`` and ``clip_by_norm``.
    Handout: §8 Training.
    """
    h0 = np.zeros((len(x), len(params["b"])), x.dtype)
    adam, losses = None, []
    for _ in range(steps):
        U, V, W, b = (params[name] for name in ("U", "V", "W", "b"))
        states = rnn_forward(x, h0, U, V, b)
        loss, dstates, dW = sequence_loss(states, W, target, mask)
        _, _, dU, dV, db = rnn_backward(dstates, x, h0, states, U, V)
        grads, _ = clip_by_norm({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)
        params, adam = adam_step(params, grads, adam, lr=lr)
        losses.append(loss)
    return params, np.array(losses)
