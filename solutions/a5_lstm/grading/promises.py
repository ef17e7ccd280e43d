"""What the docstrings of assignment 5 promise in sentences and errors, and what asks for it."""

from __future__ import annotations

from autograder.course import Promise, equivalents

PROMISES = (
    Promise(
        "lstm_step_forward",
        "f = sigmoid(a_f), i = sigmoid(a_i), g = tanh(a_g), o = sigmoid(a_o)",
        "gates: gates as far as 1000 from zero",
        broken=[
            (
                "_sigmoid(f), _sigmoid(i), np.tanh(g), _sigmoid(o)",
                "np.exp(f) / (1 + np.exp(f)), _sigmoid(i), np.tanh(g), _sigmoid(o)",
            ),
            (
                "_sigmoid(f), _sigmoid(i), np.tanh(g), _sigmoid(o)",
                "_sigmoid(f), _sigmoid(i), (np.exp(g) - np.exp(-g)) / (np.exp(g) + np.exp(-g)), _sigmoid(o)",
            ),
            ("_sigmoid(o)\n", "np.exp(o) / (1 + np.exp(o))\n"),
        ],
    ),
    Promise(
        "gru_step_forward",
        "r = sigmoid(u_r + v_r), z = sigmoid(u_z + v_z)",
        "values: gates as far as 1000 from zero",
        broken=[("(_sigmoid(u + v) for", "(np.exp(u + v) / (1 + np.exp(u + v)) for")],
    ),
    Promise("lstm_backward", "W and b serve at every step.", "parameters"),
    Promise(
        "forget_path_gradient",
        "Entries lie from 0 to 1, both included.",
        "values: a gate that was closed before",
        broken=[("np.prod(f[t - k : t], axis=0)", "np.prod(f[:t], axis=0) / np.prod(f[: t - k], axis=0)")],
    ),
    Promise(
        "cell_jacobian",
        "The full derivative of a cell state with respect to an earlier one, along every path between them.",
        "long",
    ),
    Promise(
        "lstm_init",
        "Every weight is drawn uniformly from -1 / sqrt(H) to 1 / sqrt(H), independently of the others.",
        "weights",
    ),
    Promise(
        "parameter_count",
        "Each block of H rows has a weight for every input and for every entry of the hidden state, and "
        "``biases`` biases a row.",
        "values",
    ),
    Promise("reverse_padded", "padded sequences, shape (N, T, D), any dtype.", "values: integers"),
    Promise(
        "bidirectional_lstm",
        "whatever finite numbers stand in the padding of x, they must not change the answer, and a sequence gets "
        "the answer that it would get alone.",
        "values: the largest numbers in the padding",
    ),
    Promise("bidirectional_lstm", "lengths of the sequences, shape (N,), in any order.", "values: two layers"),
    Promise(
        "bidirectional_lstm",
        "W of the first layer has shape (4H, H + D), W of every further layer (4H, H + 2H).",
        "values: three layers, all shorter than the batch",
    ),
    Promise(
        "bidirectional_lstm",
        "forward states in the first H columns, backward states in the others, and zeros in every step beyond "
        "the length of a sequence.",
        "zeros",
    ),
    Promise(
        "bidirectional_lstm",
        "ValueError: a length is smaller than 1 or larger than T.",
        "errors",
        swallowed=["lengths.min() == 0", "lengths.min() < 0", "lengths.max() > x.shape[1]"],
    ),
    Promise(
        "mask_tokens",
        "word ids, shape (N, T), signed integers from 0 to vocab_size - 1.",
        "labels: an array of special words, int16",
    ),
    Promise(
        "mask_tokens",
        "ids that are never selected and never drawn:",
        "labels: a set of special words",
        broken=[
            (
                "[mask_id, *special_ids]",
                "[mask_id] + (list(special_ids) if isinstance(special_ids, list | tuple | np.ndarray) else [])",
            ),
            (
                "[mask_id, *special_ids]",
                "[mask_id, *(special_ids or ())] if not isinstance(special_ids, np.ndarray) else [mask_id]",
            ),
        ],
    ),
    Promise(
        "mask_tokens",
        "probability of a position with an ordinary word to be selected, from 0 to 1, both included.",
        "labels: every word selected",
        broken=[("rng.random(ids.shape) < probability", "rng.random(ids.shape) < probability * 0.999")],
    ),
    Promise(
        "masked_lm_loss",
        "a score for each word of the vocabulary, shape (N, T, V), from -1e4 to 1e4.",
        "loss: very large scores",
    ),
    Promise(
        "masked_lm_loss",
        "ids of the right words, from 0 to V - 1, or -100 for positions that do not count, shape (N, T).",
        "loss: half of the words selected",
    ),
    Promise("chrono_bias", "draw biases that give every cell a memory of its own length.", "forget"),
    Promise(
        "chrono_bias",
        "Chrono initialization (Tallec and Ollivier, 2018) spreads these spans evenly up to ``max_lag``:",
        "forget",
    ),
    Promise(
        "chrono_bias",
        "for each cell, a real number s is drawn uniformly from 1 to max_lag - 1, independently of the others, "
        "and its biases are",
        "forget",
    ),
    Promise(
        "packed_final_states",
        "Whatever finite numbers stand in the padding, they must not change the answer.",
        "values: the largest numbers in the padding",
    ),
    Promise(
        "packed_final_states",
        "lengths of the sequences, shape (N,), from 1 to T, in any order.",
        "values: unsorted lengths",
        broken=[("torch.cat([h[-2], h[-1]], dim=1)", "torch.cat([h[-2].squeeze(0), h[-1].squeeze(0)], dim=-1)")],
    ),
    Promise("MaskedWordModel", "the padding holds ids too, any of them.", "padding"),
    Promise("MaskedWordModel", "lengths of the sentences, shape (N,), from 1 to T, in any order.", "padding"),
)

EQUIVALENTS = (
    *equivalents(
        "lstm",
        "bidirectional_lstm",
        "e5d657a6",
        (
            "states are finite, whatever finite numbers stand in the padding",
            "np.where(inside[:, :, None], x, 0)",
            ["x * inside[:, :, None]"],
        ),
    ),
    *equivalents(
        "lstm_torch",
        "MaskedWordModel",
        "6b8c4bfa",
        ("a vocabulary holds the mask and words", "forward: the answer", ["without a last axis of one"]),
    ),
)
