"""Assignment 5: LSTM, GRU and bidirectional LSTM, in NumPy.

Conventions of every function here:

- Sequences are (N, T, D): batch, time, features. States are (N, H). All sizes are 1 or more. In formulas time runs
  from 1 to T and index 0 is the initial state; in arrays it runs from 0, so that h[:, t - 1] is h_t.
- An LSTM has two states: the hidden state h, which is also its output, and the cell state c, its memory. It has one
  weight matrix W (4H, H + D) and one bias b (4H,). The first H columns of W meet the hidden state h, the other D meet
  the input x. The rows come in four blocks of H: forget gate f, input gate i, candidate g (also written C with a
  tilde), output gate o. Arrays called ``gates`` have the same four blocks along their last axis.
- A GRU has PyTorch's two matrices and two biases, with three blocks of H rows: reset r, update z, candidate n.
- sigmoid(a) = 1 / (1 + exp(-a)). It and tanh are right and not NaN up to a = 1000 and down to a = -1000. In formulas
  ``*`` multiplies entry by entry, and ``@`` is the matrix product.
- The floating arrays of one call have one dtype, float32 or float64, and so have the results, unless a docstring says
  otherwise.
- Arrays may come with any strides (transposed, reversed or sliced, say) and must not be changed. They are in the
  machine's byte order. What is returned may be a new array or a view of an argument, and may be read-only; later
  calls must not change it.
- Numbers, such as ``probability``, come as Python numbers. A single number is returned as a Python number; a NumPy
  scalar passes too.
- An array is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times), unless a
  docstring says otherwise; where no entry is larger than 1e-14, errors up to 1e-12 pass. Gates, states, probabilities,
  their logarithms, and differences from 1 such as 1 - z may also be off by rounding errors of numbers near 1 (1e-15, in
  float32 1e-6), however small they are, and what you compute from them by what the formulas make of these errors: the
  formulas may be taken literally, and sigmoid(a) may be (1 + tanh(a / 2)) / 2. A gate or a state that is given to you
  has no such error: use it, and do not work it out from other numbers, which loses digits. Whole numbers and truth
  values must be exact.
- "Uses your ``f``" says what helps here; nobody asks whether you call it, and other functions of yours may be called
  too. A mistake in what you call then shows here as well.
- What stands after "Forbidden" may be used neither here nor in what you call here. Where there is no such line, all
  is allowed. (SciPy and PyTorch cannot be imported where this file is graded.)

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np
from jaxtyping import Float, Int, Int64, Shaped

Weights = tuple[Float[np.ndarray, "4*H H+D"], Float[np.ndarray, "4*H"]]


def _sigmoid(a: np.ndarray) -> np.ndarray:
    """Without overflow on either side."""
    return 0.5 * (1 + np.tanh(0.5 * a))


def lstm_step_forward(
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    c: Float[np.ndarray, "N H"],
    W: Float[np.ndarray, "4*H H+D"],
    b: Float[np.ndarray, "4*H"],
) -> tuple[Float[np.ndarray, "N H"], Float[np.ndarray, "N H"], Float[np.ndarray, "N 4*H"]]:
    """One step of an LSTM: from the states h and c before it to those after it.

    With [h, x] for the concatenation of h and x along the last axis, and a = [h, x] @ W.T + b cut into four blocks of H
    columns, a_f, a_i, a_g, a_o in this order:

        f = sigmoid(a_f),    i = sigmoid(a_i),    g = tanh(a_g),    o = sigmoid(a_o)
        c_next = f * c + i * g
        h_next = o * tanh(c_next)

    Args:
        x: input, shape (N, D).
        h: hidden state before the step, shape (N, H).
        c: cell state before the step, shape (N, H).
        W: weights, shape (4H, H + D).
        b: biases, shape (4H,).

    Returns:
        (h_next, c_next, gates): the states after the step, shape (N, H) each, and f, i, g, o side by side, shape
        (N, 4H), after their sigmoid or tanh.

    Handout: §1 The LSTM cell.
    """
    f, i, g, o = np.split(np.concatenate([h, x], axis=1) @ W.T + b, 4, axis=1)
    f, i, g, o = _sigmoid(f), _sigmoid(i), np.tanh(g), _sigmoid(o)
    c_next = i * g + f * c
    h_next = o * np.tanh(c_next)
    return h_next, c_next, np.concatenate([f, i, g, o], axis=1)


def lstm_step_backward(
    dh_next: Float[np.ndarray, "N H"],
    dc_next: Float[np.ndarray, "N H"],
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    c: Float[np.ndarray, "N H"],
    c_next: Float[np.ndarray, "N H"],
    gates: Float[np.ndarray, "N 4*H"],
    W: Float[np.ndarray, "4*H H+D"],
) -> tuple[
    Float[np.ndarray, "N D"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "4*H H+D"],
    Float[np.ndarray, "4*H"],
]:
    """Backward pass of one step: from the gradients of both states after it to the gradients of its arguments.

    Let (h_next, c_next, gates) = lstm_step_forward(x, h, c, W, b), and let a loss L depend on these arguments through
    h_next and c_next alone. ``dc_next`` is the part of the gradient that reaches c_next from later steps; what reaches
    it through h_next = o * tanh(c_next) is for you to add.

    Args:
        dh_next: gradient of h_next, shape (N, H).
        dc_next: gradient of c_next from elsewhere than h_next, shape (N, H).
        x: input of the step, shape (N, D).
        h: hidden state before the step, shape (N, H).
        c: cell state before the step, shape (N, H).
        c_next: cell state after the step, shape (N, H).
        gates: f, i, g, o of the step, after sigmoid or tanh, shape (N, 4H).
        W: weights, shape (4H, H + D).

    Returns:
        (dx, dh, dc, dW, db), with the shapes of x, h, c, W and b. Over the batch, the gradients of W and b are summed,
        not averaged.

    Handout: §2 The backward pass.
    """
    f, i, g, o = np.split(gates, 4, axis=1)
    squashed = np.tanh(c_next)
    do = dh_next * squashed
    dc_next = dc_next + dh_next * o * (1 - squashed**2)
    df, di, dg, dc = dc_next * c, dc_next * g, dc_next * i, dc_next * f
    da = np.concatenate([df * f * (1 - f), di * i * (1 - i), dg * (1 - g**2), do * o * (1 - o)], axis=1)
    dh, dx = np.split(da @ W, [h.shape[1]], axis=1)
    return dx, dh, dc, da.T @ np.concatenate([h, x], axis=1), da.sum(axis=0)


def lstm_forward(
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    c0: Float[np.ndarray, "N H"],
    W: Float[np.ndarray, "4*H H+D"],
    b: Float[np.ndarray, "4*H"],
) -> tuple[Float[np.ndarray, "N T H"], Float[np.ndarray, "N T H"], Float[np.ndarray, "N T 4*H"]]:
    """Run an LSTM over whole sequences: the same step T times, each from the states that the one before left.

        h_t, c_t, gates_t = lstm_step_forward(x_t, h_{t-1}, c_{t-1}, W, b)    for t = 1, ..., T

    Args:
        x: inputs, shape (N, T, D), T >= 1.
        h0: initial hidden state, shape (N, H).
        c0: initial cell state, shape (N, H).
        W: weights, shape (4H, H + D).
        b: biases, shape (4H,).

    Returns:
        (h, c, gates) of all steps, shapes (N, T, H), (N, T, H) and (N, T, 4H); the initial states are not among them.

    Uses your ``lstm_step_forward``.
    Handout: §1 The LSTM cell.
    """
    h, c, steps = h0, c0, []
    for t in range(x.shape[1]):
        h, c, gates = lstm_step_forward(x[:, t], h, c, W, b)
        steps.append((h, c, gates))
    hs, cs, all_gates = (np.stack(arrays, axis=1) for arrays in zip(*steps, strict=True))
    return hs, cs, all_gates


def lstm_backward(
    dh: Float[np.ndarray, "N T H"],
    dc_last: Float[np.ndarray, "N H"],
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    c0: Float[np.ndarray, "N H"],
    h: Float[np.ndarray, "N T H"],
    c: Float[np.ndarray, "N T H"],
    gates: Float[np.ndarray, "N T 4*H"],
    W: Float[np.ndarray, "4*H H+D"],
) -> tuple[
    Float[np.ndarray, "N T D"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "4*H H+D"],
    Float[np.ndarray, "4*H"],
]:
    """Backward pass through time of a whole LSTM.

    Let (h, c, gates) = lstm_forward(x, h0, c0, W, b), and let a loss depend on the hidden states of all steps and on
    the cell state of the last one. dh[:, t - 1] is its gradient with respect to h_t where h_t is used by the loss
    itself; what comes back to h_t and c_t from step t + 1 is for you to add. W and b serve at every step.

    Args:
        dh: gradient of the loss with respect to the output h, shape (N, T, H).
        dc_last: gradient of the loss with respect to c_T, the cell state after the last step, shape (N, H).
        x: inputs, shape (N, T, D).
        h0: initial hidden state, shape (N, H).
        c0: initial cell state, shape (N, H).
        h: hidden states of all steps, shape (N, T, H).
        c: cell states of all steps, shape (N, T, H).
        gates: f, i, g, o of all steps, shape (N, T, 4H).
        W: weights, shape (4H, H + D).

    Returns:
        (dx, dh0, dc0, dW, db), with the shapes of x, h0, c0, W and b.

    Uses your ``lstm_step_backward``.
    Handout: §2 The backward pass.
    """
    steps = []
    back_h, back_c = np.zeros_like(h0), dc_last
    for t in reversed(range(x.shape[1])):
        h_before, c_before = (h[:, t - 1], c[:, t - 1]) if t else (h0, c0)
        dx, back_h, back_c, dW, db = lstm_step_backward(
            dh[:, t] + back_h, back_c, x[:, t], h_before, c_before, c[:, t], gates[:, t], W
        )
        steps.append((dx, dW, db))
    dxs, dWs, dbs = zip(*reversed(steps), strict=True)
    return np.stack(dxs, axis=1), back_h, back_c, np.sum(dWs, axis=0), np.sum(dbs, axis=0)


def forget_path_gradient(f: Float[np.ndarray, "T H"], t: int, k: int) -> Float[np.ndarray, " H"]:
    """What a cell state passes on along the direct path: the product of the forget gates on the way.

        f_{t-k+1} * f_{t-k+2} * ... * f_t    (k factors, entry by entry)

    This is the derivative of c_t with respect to c_{t-k} if the gates are taken for constants. They are not: they
    depend on h, and through it on c; ``cell_jacobian`` takes that into account.

    Args:
        f: forget gates of one sequence, shape (T, H); f[t - 1] is f_t. Entries lie from 0 to 1, both included.
        t: step at which the path ends, counted from 1.
        k: how many steps it goes back, 0 <= k <= t <= T; no step at all leaves ones.

    Returns:
        The product, shape (H,).

    Handout: §3 How far gradients reach.
    """
    product: np.ndarray = np.prod(f[t - k : t], axis=0)
    return product


def cell_jacobian(
    c: Float[np.ndarray, "T H"],
    gates: Float[np.ndarray, "T 4*H"],
    W: Float[np.ndarray, "4*H H+D"],
    t: int,
    k: int,
) -> Float[np.ndarray, "H H"]:
    """The full derivative of a cell state with respect to an earlier one, along every path between them.

        J[p, q] = d c_t[p] / d c_{t-k}[q]

    for one sequence, batch left out. Change c_{t-k} a little after step t - k has computed it, and leave the inputs
    and the parameters alone. Then h_{t-k} = o_{t-k} * tanh(c_{t-k}) follows the change, while the gate o_{t-k}, which
    was there before, does not; in the steps t - k + 1, ..., t all gates, cell states and hidden states follow. J is
    what automatic differentiation finds. One step acts on the next through h as well as through c; so for k > 1, J is
    in general not the product of the k derivatives of one step each, d c_s / d c_{s-1}.

    Args:
        c: cell states of one sequence, shape (T, H); c[t - 1] is c_t.
        gates: f, i, g, o of its steps, after sigmoid or tanh, shape (T, 4H).
        W: weights, shape (4H, H + D).
        t: step of the later state, counted from 1, t <= T.
        k: how many steps lie between, 0 <= k < t; no step at all leaves the identity.

    Returns:
        J, shape (H, H).

    Handout: §3 How far gradients reach.
    """
    hidden = c.shape[1]
    f, i, g, o = np.split(gates, 4, axis=1)
    slope = o * (1 - np.tanh(c) ** 2)
    start = t - k - 1
    dc = np.eye(hidden, dtype=np.result_type(c, gates, W))
    dh = slope[start][:, None] * dc
    for s in range(start + 1, t):
        df, di, dg, do = np.split(W[:, :hidden] @ dh, 4)
        dc = (
            f[s][:, None] * dc
            + (c[s - 1] * f[s] * (1 - f[s]))[:, None] * df
            + (g[s] * i[s] * (1 - i[s]))[:, None] * di
            + (i[s] * (1 - g[s] ** 2))[:, None] * dg
        )
        dh = slope[s][:, None] * dc + (np.tanh(c[s]) * o[s] * (1 - o[s]))[:, None] * do
    return dc


def lstm_init(
    input_size: int, hidden_size: int, *, rng: np.random.Generator, forget_bias: float = 1.0
) -> tuple[Float[np.ndarray, "4*H H+D"], Float[np.ndarray, "4*H"]]:
    """Draw the parameters of an LSTM whose forget gates begin open.

    Every weight is drawn uniformly from -1 / sqrt(H) to 1 / sqrt(H), independently of the others. The biases of the
    forget gate are ``forget_bias``, all others zero: without input the forget gate is then sigmoid(forget_bias), 0.73
    for 1, where zero would give 0.5.

    Args:
        input_size: D.
        hidden_size: H.
        rng: the source of all randomness; a new one from the same seed gives the same parameters.
            Draw from rng itself and not from a copy: it moves on, and a second call with it gives other parameters.
        forget_bias: bias of the forget gate; a whole number may come as an int.

    Returns:
        (W, b), shapes (4H, H + D) and (4H,), both float64.

    Handout: §4 Initialization.
    """
    bound = hidden_size**-0.5
    W = rng.uniform(-bound, bound, size=(4 * hidden_size, hidden_size + input_size))
    b = np.zeros(4 * hidden_size)
    b[:hidden_size] = forget_bias
    return W, b


def gru_step_forward(
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    weight_ih: Float[np.ndarray, "3*H D"],
    weight_hh: Float[np.ndarray, "3*H H"],
    bias_ih: Float[np.ndarray, "3*H"],
    bias_hh: Float[np.ndarray, "3*H"],
) -> Float[np.ndarray, "N H"]:
    """One step of a GRU, as PyTorch defines it.

    Matrices and biases have three blocks of H rows: r, z, n. With u = x @ weight_ih.T + bias_ih and
    v = h @ weight_hh.T + bias_hh, each cut into u_r, u_z, u_n and v_r, v_z, v_n:

        r = sigmoid(u_r + v_r),    z = sigmoid(u_z + v_z)
        n = tanh(u_n + r * v_n)
        h_next = (1 - z) * n + z * h

    The reset gate multiplies v_n whole, with the bias in it.

    Args:
        x: input, shape (N, D).
        h: state before the step, shape (N, H), from -10 to 10.
        weight_ih: weights of the input, shape (3H, D).
        weight_hh: weights of the state, shape (3H, H).
        bias_ih: biases beside the input, shape (3H,).
        bias_hh: biases beside the state, shape (3H,).

    Returns:
        h_next, shape (N, H).

    Handout: §5 The GRU.
    """
    from_input = np.split(x @ weight_ih.T + bias_ih, 3, axis=1)
    from_state = np.split(h @ weight_hh.T + bias_hh, 3, axis=1)
    r, z = (_sigmoid(u + v) for u, v in zip(from_input[:2], from_state[:2], strict=True))
    n = np.tanh(from_input[2] + r * from_state[2])
    return (1 - z) * n + z * h


def gru_forward(
    x: Float[np.ndarray, "N T D"],
    h0: Float[np.ndarray, "N H"],
    weight_ih: Float[np.ndarray, "3*H D"],
    weight_hh: Float[np.ndarray, "3*H H"],
    bias_ih: Float[np.ndarray, "3*H"],
    bias_hh: Float[np.ndarray, "3*H"],
) -> Float[np.ndarray, "N T H"]:
    """Run a GRU over whole sequences, each step from the state that the one before left.

    Args:
        x: inputs, shape (N, T, D), T >= 1.
        h0: initial state, shape (N, H), from -10 to 10.
        weight_ih: weights of the input, shape (3H, D).
        weight_hh: weights of the state, shape (3H, H).
        bias_ih: biases beside the input, shape (3H,).
        bias_hh: biases beside the state, shape (3H,).

    Returns:
        The states after each step, shape (N, T, H); the initial one is not among them.

    Uses your ``gru_step_forward``.
    Handout: §5 The GRU.
    """
    h, states = h0, []
    for t in range(x.shape[1]):
        h = gru_step_forward(x[:, t], h, weight_ih, weight_hh, bias_ih, bias_hh)
        states.append(h)
    return np.stack(states, axis=1)


def parameter_count(kind: Literal["rnn", "lstm", "gru"], input_size: int, hidden_size: int, *, biases: int = 1) -> int:
    """Count the trainable numbers of one recurrent layer in one direction.

    Each block of H rows has a weight for every input and for every entry of the hidden state, and ``biases`` biases a
    row. A plain RNN has one block, h_next = tanh(U x + V h + b); LSTM and GRU have those of this assignment. With 10
    inputs and 20 hidden units, the plain RNN has 620.

    Args:
        kind: "rnn", "lstm" or "gru".
        input_size: D.
        hidden_size: H.
        biases: biases per row: one, or two as PyTorch has them (``bias_ih`` and ``bias_hh``).

    Returns:
        The number of weights and biases.

    Handout: §5 The GRU.
    """
    blocks = {"rnn": 1, "lstm": 4, "gru": 3}[kind]
    return blocks * hidden_size * (input_size + hidden_size + biases)


def reverse_padded(x: Shaped[np.ndarray, "N T D"], lengths: Int64[np.ndarray, " N"]) -> Shaped[np.ndarray, "N T D"]:
    """Reverse each sequence of a padded batch within its own length.

    Row n holds a sequence of lengths[n] steps, followed by padding up to T. The sequence comes out backwards, and the
    padding stays where it is: of length 3 in T = 5, a b c p q becomes c b a p q. Done twice, it returns x.

    Args:
        x: padded sequences, shape (N, T, D), float32, float64, truth values, or integers of any dtype, none beyond
            2**53. Infinities and NaN are copied too.
        lengths: lengths of the sequences, shape (N,), 0 <= lengths[n] <= T.

    Returns:
        The reversed sequences, shape (N, T, D), with what was padding in x copied to the same place; keeps the dtype.

    Handout: §6 Two directions.
    """
    time, length = np.arange(x.shape[1]), lengths[:, None]
    order = np.where(time < length, length - 1 - time, time)
    return x[np.arange(len(x))[:, None], order]


def bidirectional_lstm(
    x: Float[np.ndarray, "N T D"], lengths: Int64[np.ndarray, " N"], layers: Sequence[tuple[Weights, Weights]]
) -> Float[np.ndarray, "N T 2*H"]:
    """Run a stack of bidirectional LSTM layers over a padded batch.

    Each layer runs two LSTMs over its input, both from states of zeros: one from the first step of a sequence to its
    last, one from its last to its first. Its output at step t holds the hidden states that both have when they have
    just read step t, forward first. The next layer reads that output. A sequence is read within its own length:
    whatever numbers stand in the padding of x (of a size that weighted sums bear without overflow), they must not
    change the answer, and a sequence gets the answer that it would get alone. (What an inner layer leaves in the
    padding does not matter then. The output of the last layer is zero there.)

    Args:
        x: padded inputs, shape (N, T, D).
        lengths: lengths of the sequences, shape (N,), in any order.
        layers: for each layer, one at least, the pair (forward, backward), each a pair (W, b) as in ``lstm_forward``.
            W of the first layer has shape (4H, H + D), W of every further layer (4H, H + 2H).

    Returns:
        The output of the last layer, shape (N, T, 2H): forward states in the first H columns, backward states in the
        others, and zeros in every step beyond the length of a sequence.

    Raises:
        ValueError: a length is smaller than 1 or larger than T.

    Uses your ``lstm_forward`` and ``reverse_padded``.
    Handout: §6 Two directions.
    """
    if lengths.min() < 1 or lengths.max() > x.shape[1]:
        raise ValueError(f"lengths must lie between 1 and {x.shape[1]}")
    for forward, backward in layers:
        ahead = _run(x, forward)
        back = reverse_padded(_run(reverse_padded(x, lengths), backward), lengths)
        x = np.concatenate([ahead, back], axis=2)
    inside = np.arange(x.shape[1]) < lengths[:, None]
    return np.where(inside[:, :, None], x, 0)


def _run(x: np.ndarray, weights: Weights) -> np.ndarray:
    """Hidden states of an LSTM that starts from zeros."""
    W, b = weights
    zeros = np.zeros((len(x), len(b) // 4), np.result_type(x, W, b))
    h, _, _ = lstm_forward(x, zeros, zeros, W, b)
    return h


def mask_tokens(
    ids: Int[np.ndarray, "N T"],
    *,
    mask_id: int,
    vocab_size: int,
    special_ids: Collection[int] = (),
    probability: float = 0.15,
    rng: np.random.Generator,
) -> tuple[Int[np.ndarray, "N T"], Int[np.ndarray, "N T"]]:
    """Hide words of sentences for a masked language model, as BERT does.

    Ordinary words are those whose id is neither ``mask_id`` nor one of ``special_ids`` (padding, start and end of a
    sentence, and the like). Each position with an ordinary word is selected with the given probability, independently
    of all other positions. What becomes of a selected word is decided for each one by itself:

    - with probability 0.8 it becomes ``mask_id``,
    - with probability 0.1 it becomes a random ordinary word, drawn uniformly from all ids 0, ..., vocab_size - 1 that
      are ordinary (which may be the word itself again),
    - with probability 0.1 it stays as it is.

    All selected words are to be predicted, those that stayed too.

    Args:
        ids: word ids from 0 to vocab_size - 1, shape (N, T), signed integers of a dtype that holds all of these.
        mask_id: id that hides a word.
        vocab_size: number of ids, special ones and ``mask_id`` among them.
        special_ids: ids from 0 to vocab_size - 1 that are never selected and never drawn: a list, tuple, set or array,
            possibly empty, possibly all ids, so that no word is ordinary. ``mask_id`` may be one of them, and none
            stands there twice. (Mind that ``np.isin`` does not look into a set.)
        probability: probability of a position with an ordinary word to be selected, from 0 to 1, both included.
        rng: the source of all randomness; a new one from the same seed gives the same answer.
            Draw from rng itself and not from a copy: it moves on, and a second call with it gives another answer.

    Returns:
        (inputs, labels), shape (N, T) each, in the dtype of ids: the sentences with words hidden, and at the selected
        positions the original ids, -100 everywhere else.

    Handout: §7 Masked words.
    """
    reserved = [mask_id, *special_ids]
    ordinary = np.setdiff1d(np.arange(vocab_size), reserved)
    selected = (rng.random(ids.shape) < probability) & ~np.isin(ids, reserved)
    fate = rng.random(ids.shape)
    inputs, labels = ids.copy(), np.where(selected, ids, -100)
    inputs[selected & (fate < 0.8)] = mask_id
    replaced = selected & (fate >= 0.8) & (fate < 0.9)
    inputs[replaced] = rng.choice(ordinary, size=replaced.sum())
    return inputs, labels


def masked_lm_loss(
    logits: Float[np.ndarray, "N T V"], labels: Int[np.ndarray, "N T"]
) -> tuple[float, Float[np.ndarray, "N T V"]]:
    """Cross-entropy of a masked language model and its gradient.

    Only selected positions count, those whose label is not -100. With p = softmax of logits along the last axis,

        loss = mean over the selected positions of -log p[n, t, labels[n, t]]

    Args:
        logits: a score for each word of the vocabulary, shape (N, T, V), from -1e4 to 1e4. There, too, loss and
            gradient are right to 1e-9, in float32 to 1e-4, although float32 numbers near 1e4 are 0.001 apart.
        labels: ids of the right words, from 0 to V - 1, or -100 for positions that do not count, shape (N, T), signed
            integers of any dtype. (It may not hold V itself: ids of int8 end at 127.)

    Returns:
        (loss, dlogits): the loss as a Python float, and its gradient with respect to logits, shape (N, T, V). Without a
        single selected position the loss is 0 and the gradient is zero everywhere.

    Forbidden: scipy.
    Handout: §7 Masked words.
    """
    selected = labels != -100
    count = max(int(selected.sum()), 1)
    dlogits = np.zeros_like(logits)
    chosen, rows = logits[selected], np.arange(selected.sum())
    log_p = chosen - chosen.max(axis=1, keepdims=True)
    log_p -= np.log(np.exp(log_p).sum(axis=1, keepdims=True))
    gradient = np.exp(log_p)
    gradient[rows, labels[selected]] -= 1
    dlogits[selected] = gradient / count
    return float(-log_p[rows, labels[selected]].sum() / count), dlogits


def gru_step_backward(
    dh_next: Float[np.ndarray, "N H"],
    x: Float[np.ndarray, "N D"],
    h: Float[np.ndarray, "N H"],
    weight_ih: Float[np.ndarray, "3*H D"],
    weight_hh: Float[np.ndarray, "3*H H"],
    bias_ih: Float[np.ndarray, "3*H"],
    bias_hh: Float[np.ndarray, "3*H"],
) -> tuple[
    Float[np.ndarray, "N D"],
    Float[np.ndarray, "N H"],
    Float[np.ndarray, "3*H D"],
    Float[np.ndarray, "3*H H"],
    Float[np.ndarray, "3*H"],
    Float[np.ndarray, "3*H"],
]:
    """Bonus: backward pass of one step of a GRU.

    Let h_next = gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh), and let a loss depend on these
    arguments through h_next alone. The gates are not given: compute them again.

    Args:
        dh_next: gradient of h_next, shape (N, H).
        x: input of the step, shape (N, D).
        h: state before the step, shape (N, H), from -10 to 10.
        weight_ih: weights of the input, shape (3H, D).
        weight_hh: weights of the state, shape (3H, H).
        bias_ih: biases beside the input, shape (3H,).
        bias_hh: biases beside the state, shape (3H,).

    Returns:
        (dx, dh, dweight_ih, dweight_hh, dbias_ih, dbias_hh), with the shapes of the arguments.

    Handout: §9 Bonus.
    """
    u_r, u_z, u_n = np.split(x @ weight_ih.T + bias_ih, 3, axis=1)
    v_r, v_z, v_n = np.split(h @ weight_hh.T + bias_hh, 3, axis=1)
    r, z = _sigmoid(u_r + v_r), _sigmoid(u_z + v_z)
    n = np.tanh(u_n + r * v_n)
    dn = dh_next * (1 - z) * (1 - n**2)
    dz = dh_next * (h - n) * z * (1 - z)
    dr = dn * v_n * r * (1 - r)
    du = np.concatenate([dr, dz, dn], axis=1)
    dv = np.concatenate([dr, dz, dn * r], axis=1)
    return du @ weight_ih, dh_next * z + dv @ weight_hh, du.T @ x, dv.T @ h, du.sum(axis=0), dv.sum(axis=0)


def chrono_bias(hidden_size: int, max_lag: int, *, rng: np.random.Generator) -> Float[np.ndarray, "4*H"]:
    """Bonus: draw biases that give every cell a memory of its own length.

    A forget gate that stays at f remembers for about 1 / (1 - f) steps. Chrono initialization (Tallec and Ollivier,
    2018) draws these spans at random, none longer than ``max_lag``: for each cell, a real number s is drawn uniformly
    from 1 to max_lag - 1, independently of the others, which makes its span 1 + s, and its biases are

        log(s) for the forget gate,    -log(s) for the input gate,    0 for candidate and output gate

    Args:
        hidden_size: H.
        max_lag: longest span to be remembered, in steps, >= 3.
        rng: the source of all randomness; a new one from the same seed gives the same biases.
            Draw from rng itself and not from a copy: it moves on, and a second call with it gives other biases.

    Returns:
        b, shape (4H,), in the order of this assignment, float64.

    Handout: §9 Bonus.
    """
    forget = np.log(rng.uniform(1, max_lag - 1, size=hidden_size))
    return np.concatenate([forget, -forget, np.zeros(2 * hidden_size)])
