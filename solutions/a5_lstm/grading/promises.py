"""What the docstrings of assignment 5 promise in sentences and errors, and what asks for it."""

from __future__ import annotations

from autograder.course import Promise, equivalents

TANH = "lambda a: (np.exp(a) - np.exp(-a)) / (np.exp(a) + np.exp(-a))"  # which overflows
CUT = "lambda a: 1 / (1 + np.exp(-np.clip(a, -30, 30)))"  # which never closes a gate

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
            ("f, i, g, o = _sigmoid(f)", f"f, i, g, o = ({CUT})(f)"),
            ("np.tanh(c_next)", f"({TANH})(c_next)"),
        ],
    ),
    Promise(
        "lstm_step_forward",
        "Gates, states, probabilities, their logarithms, and differences from 1 such as 1 - z may also be off by "
        "rounding errors of numbers near 1 (1e-15, in float32 1e-6), however small they are, and what you compute from "
        "them by what the formulas make of these errors: the formulas may be taken literally, and sigmoid(a) may be "
        "(1 + tanh(a / 2)) / 2.",
        needless="no answer is as small as that but where all it is made of is given",
        before="unless a docstring says otherwise. Whole numbers",
    ),
    Promise(
        "lstm_step_backward",
        "It and tanh are right and not NaN up to a = 1000 and down to a = -1000.",
        "dx: cell states of hundreds",
        broken=[("np.tanh(c_next)", f"({TANH})(c_next)")],
    ),
    Promise(
        "cell_jacobian",
        "It and tanh are right and not NaN up to a = 1000 and down to a = -1000.",
        "long: cell states of hundreds",
        broken=[("1 - np.tanh(c) ** 2", f"1 - ({TANH})(c) ** 2"), ("np.tanh(c[s])", f"({TANH})(c[s])")],
    ),
    Promise(
        "cell_jacobian",
        "A gate or a state that is given to you has no such error: use it, and do not work it out from other numbers, "
        "which loses digits.",
        "long: cells that have counted far beside small ones, float32",
        broken=[("(g[s] * i[s] * (1 - i[s]))", "((c[s] - f[s] * c[s - 1]) * (1 - i[s]))")],
    ),
    Promise(
        "gru_step_forward",
        "r = sigmoid(u_r + v_r), z = sigmoid(u_z + v_z)",
        "values: gates as far as 1000 from zero",
        broken=[
            ("(_sigmoid(u + v) for", "(np.exp(u + v) / (1 + np.exp(u + v)) for"),
            ("(_sigmoid(u + v) for", f"(({CUT})(u + v) for"),
            ("n = np.tanh(", f"n = ({TANH})("),
        ],
    ),
    Promise(
        "gru_step_backward",
        "It and tanh are right and not NaN up to a = 1000 and down to a = -1000.",
        "dx: gates as far as 1000 from zero",
        broken=[
            ("r, z = _sigmoid(u_r + v_r)", "r, z = np.exp(u_r + v_r) / (1 + np.exp(u_r + v_r))"),
            (", _sigmoid(u_z + v_z)", ", np.exp(u_z + v_z) / (1 + np.exp(u_z + v_z))"),
            (", _sigmoid(u_z + v_z)", f", ({CUT})(u_z + v_z)"),
            ("n = np.tanh(", f"n = ({TANH})("),
        ],
    ),
    Promise("lstm_backward", "W and b serve at every step.", "parameters"),
    Promise(
        "lstm_backward",
        "what comes back to h_t and c_t from step t + 1 is for you to add.",
        "dx: large gradients",
        broken=[
            (
                "        steps.append((dx, dW, db))\n",
                "        steps.append((dx, dW, db))\n"
                "        back_h, back_c = np.clip(back_h, -100, 100), np.clip(back_c, -100, 100)\n",
            )
        ],
    ),
    Promise(
        "lstm_backward",
        "and let a loss depend on the hidden states of all steps and on the cell state of the last one.",
        "dx: a loss on the second hidden state alone",
        broken=[
            (
                "    for t in reversed(range(x.shape[1])):\n",
                "    for t in reversed(range(x.shape[1])):\n"
                "        if not (dh[:, t].any() or back_h.any() or back_c.any()):\n"
                "            break\n",
            ),
            ("np.stack(dxs, axis=1), back_h, back_c", "np.stack(dxs, axis=1), back_h, back_c * bool(dh.any())"),
        ],
    ),
    Promise(
        "forget_path_gradient",
        "Entries lie from 0 to 1, both included.",
        "values: a gate that was closed before",
        broken=[
            ("np.prod(f[t - k : t], axis=0)", "np.prod(f[:t], axis=0) / np.prod(f[: t - k], axis=0)"),
            ("np.prod(f[t - k : t], axis=0)", "np.prod(np.maximum(f[t - k : t], 1e-12), axis=0)"),
        ],
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
        broken=[
            (
                "rng.uniform(-bound, bound, size=(4 * hidden_size, hidden_size + input_size))",
                "rng.permutation(np.linspace(-bound, bound, 4 * hidden_size * (hidden_size + input_size)))"
                ".reshape(4 * hidden_size, -1)",
            )
        ],
    ),
    Promise(
        "lstm_init",
        "(W, b), shapes (4H, H + D) and (4H,), both float64.",
        "weights",
        broken=[("    return W, b\n", "    return (W / (1 + 1e-6)).astype(np.float32), b\n")],
    ),
    *(
        Promise(
            name,
            f"Draw from rng itself and not from a copy: it moves on, and a second call with it gives {other}.",
            asked,
            broken=[(old, f"__import__('copy').deepcopy(rng).{old.removeprefix('rng.')}")],
        )
        for name, other, asked, old in (
            ("lstm_init", "other parameters", "weights", "rng.uniform("),
            ("mask_tokens", "another answer", "generator", "rng.random(ids.shape) < probability"),
            ("chrono_bias", "other biases", "forget", "rng.uniform("),
        )
    ),
    Promise(
        "chrono_bias",
        "b, shape (4H,), in the order of this assignment, float64.",
        "forget",
        broken=[("np.zeros(2 * hidden_size)])", "np.zeros(2 * hidden_size)]).astype(np.float32)")],
    ),
    Promise(
        "parameter_count",
        "Each block of H rows has a weight for every input and for every entry of the hidden state, and "
        "``biases`` biases a row.",
        "values",
    ),
    Promise(
        "lstm_init",
        "bias of the forget gate; a whole number may come as an int.",
        "bias: a whole number for the forget bias",
        broken=[
            (
                "b = np.zeros(4 * hidden_size)\n    b[:hidden_size] = forget_bias\n",
                "b = np.repeat([forget_bias, 0, 0, 0], hidden_size)\n",
            )
        ],
    ),
    Promise(
        "reverse_padded",
        "padded sequences, shape (N, T, D), float32, float64, truth values, or integers of any dtype, none beyond "
        "2**53.",
        "values: truth values",
        before="padded sequences, shape (N, T, D), any dtype of numbers or truth values.",
        broken=[
            ("return x[np.arange(len(x))[:, None], order]", "return 1 * x[np.arange(len(x))[:, None], order]"),
            (
                "return x[np.arange(len(x))[:, None], order]",
                "reals = np.result_type(x, np.float16)\n"
                "    return x.astype(np.float32 if x.dtype.kind == 'i' else reals)"
                "[np.arange(len(x))[:, None], order].astype(x.dtype)",
            ),
        ],
    ),
    Promise(
        "reverse_padded",
        "lengths of the sequences, shape (N,), 0 <= lengths[n] <= T.",
        "values: nothing but padding",
        broken=[
            (
                "    time, length = np.arange(x.shape[1]), lengths[:, None]\n",
                "    if (lengths == lengths[0]).all():\n"
                "        turned, rest = x[:, lengths[0] - 1 :: -1], x[:, lengths[0] :]\n"
                "        return np.concatenate([turned, rest], axis=1)[:, : x.shape[1]]\n"
                "    time, length = np.arange(x.shape[1]), lengths[:, None]\n",
            )
        ],
    ),
    Promise(
        "reverse_padded",
        "Row n holds a sequence of lengths[n] steps, followed by padding up to T.",
        "values: equal lengths, shorter than the batch",
        broken=[
            (
                "    time, length = np.arange(x.shape[1]), lengths[:, None]\n",
                "    if lengths[0] and (lengths == lengths[0]).all():\n"
                "        return x[:, ::-1]\n"
                "    time, length = np.arange(x.shape[1]), lengths[:, None]\n",
            ),
            (
                "return x[",
                "return x[np.unique(lengths, return_index=True)[1]][np.unique(lengths, return_inverse=True)[1]][",
            ),
        ],
    ),
    Promise(
        "reverse_padded",
        "The reversed sequences, shape (N, T, D), with what was padding in x copied to the same place;",
        "values: long sequences",
        broken=[
            (
                "    order = np.where(time < length, length - 1 - time, time)\n",
                "    order = np.argsort(np.where(time < length, length - 1 - time, len(time)), axis=1)\n",
            )
        ],
    ),
    Promise(
        "reverse_padded",
        "Infinities and NaN are copied too.",
        "values: infinities and NaN",
        broken=[
            (
                "return x[np.arange(len(x))[:, None], order]",
                "return np.einsum('nts,nsd->ntd', order[:, :, None] == time, x).astype(x.dtype)",
            )
        ],
    ),
    Promise(
        "bidirectional_lstm",
        "whatever numbers stand in the padding of x (of a size that weighted sums bear without overflow), they must "
        "not change the answer, and a sequence gets the answer that it would get alone.",
        "values: the largest numbers in the padding",
        before="whatever numbers from -1e300 to 1e300 (in float32 from -1e30 to 1e30) stand in the padding of x",
        broken=[
            (
                "    for forward, backward in layers:\n",
                "    if lengths.min() == lengths.max():\n"
                "        lengths = lengths * 0 + x.shape[1]\n"
                "    for forward, backward in layers:\n",
            ),
            (
                "    for forward, backward in layers:\n",
                "    first = (lengths[:, None] == lengths).argmax(axis=1)\n"
                "    if len(set(first.tolist())) > 1:\n"
                "        x = x[first]\n"
                "    for forward, backward in layers:\n",
            ),
        ],
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
        "word ids from 0 to vocab_size - 1, shape (N, T), signed integers of a dtype that holds all of these.",
        "labels: an array of one special word, int16",
    ),
    Promise(
        "mask_tokens",
        "ids from 0 to vocab_size - 1 that are never selected and never drawn:",
        "labels: a set of special words",
        before="special_ids: ids that are never selected and never drawn:",
        broken=[
            (
                "[mask_id, *special_ids]",
                "[mask_id] + (list(special_ids) if isinstance(special_ids, list | tuple | np.ndarray) else [])",
            ),
            (
                "[mask_id, *special_ids]",
                "(mask_id,) + (special_ids if isinstance(special_ids, tuple | list) else tuple(special_ids))",
            ),
            (
                "[mask_id, *special_ids]",
                "[mask_id, *(special_ids or ())] if not isinstance(special_ids, np.ndarray) else [mask_id]",
            ),
        ],
    ),
    Promise(
        "mask_tokens",
        "a list, tuple, set or array, possibly empty, possibly all ids, so that no word is ordinary.",
        "labels: no ordinary word",
        broken=[("size=replaced.sum())", "size=ids.shape)[replaced]")],
    ),
    Promise(
        "mask_tokens",
        "What becomes of a selected word is decided for each one by itself:",
        "inputs: short sentences one by one, every word selected",
        broken=[
            (
                "fate = rng.random(ids.shape)",
                "fate = np.ones(ids.shape)\n"
                "    fate[selected] = (rng.permutation(selected.sum()) + 0.5) / max(selected.sum(), 1)",
            ),
            ("fate = rng.random(ids.shape)", "fate = rng.random((len(ids), 1)) + np.zeros(ids.shape)"),
        ],
    ),
    Promise(
        "mask_tokens",
        "Each position with an ordinary word is selected with the given probability, independently of all other "
        "positions.",
        "labels: short sentences one by one",
        broken=[
            (
                "    fate = rng.random(ids.shape)\n",
                "    ordinary_ones = np.flatnonzero(~np.isin(ids, reserved))\n"
                "    if probability and ordinary_ones.size and not selected.any():\n"
                "        selected.flat[rng.choice(ordinary_ones)] = True\n"
                "    fate = rng.random(ids.shape)\n",
            ),
            (
                "(rng.random(ids.shape) < probability)",
                "((rng.permuted(np.indices(ids.shape)[1], axis=1) + 0.5) / ids.shape[1] < probability)",
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
        broken=[
            (
                "log_p -= np.log(np.exp(log_p).sum(axis=1, keepdims=True))",
                "log_p = chosen - (chosen.max(axis=1, keepdims=True) "
                "+ np.log(np.exp(log_p).sum(axis=1, keepdims=True)))",
            )
        ],
    ),
    Promise(
        "masked_lm_loss",
        "There, too, loss and gradient are right to 1e-9, in float32 to 1e-4, although float32 numbers near 1e4 are "
        "0.001 apart.",
        "loss: two equal scores near 10 000, float32",
    ),
    Promise(
        "packed_final_states",
        "In grading all tensors lie on the CPU;",
        needless="the grader knows no other device",
        before="and lie on one device",
    ),
    Promise(
        "MaskedWordModel",
        "H, of each direction in the model above; in another one you decide what it means.",
        needless="it asks for nothing",
        before="H, of each direction.",
    ),
    Promise(
        "masked_lm_loss",
        "ids of the right words, from 0 to V - 1, or -100 for positions that do not count, shape (N, T), signed "
        "integers of any dtype.",
        "loss: labels of int8, more words than they count",
        broken=[
            ("gradient[rows, labels[selected]] -= 1", "gradient[rows, labels[selected] % logits.shape[2]] -= 1"),
            ("max(int(selected.sum()), 1)", "int(max(selected.sum(dtype=labels.dtype), 1))"),
        ],
    ),
    Promise(
        "mask_tokens",
        "``mask_id`` may be one of them, and none stands there twice.",
        "inputs: the mask among the special words",
        broken=[
            (
                "rng.choice(ordinary, size=replaced.sum())",
                "rng.choice(np.setdiff1d(ordinary, [mask_id + 1] * (mask_id in special_ids)), size=replaced.sum())",
            )
        ],
    ),
    Promise(
        "lstm_step_backward",
        "An array is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times), "
        "unless a docstring says otherwise;",
        "db: a cell that has counted to thousands, float32",
        broken=[("di * i * (1 - i)", "dc_next * (c_next - f * c) * (1 - i)")],
    ),
    Promise(
        "lstm_init",
        "a new one from the same seed gives the same parameters.",
        "weights",
        before="the same state gives the same parameters.",
    ),
    Promise(
        "mask_tokens",
        "a new one from the same seed gives the same answer.",
        "generator",
        before="the same state gives the same answer.",
    ),
    Promise(
        "chrono_bias",
        "a new one from the same seed gives the same biases.",
        "forget",
        before="the same state gives the same biases.",
        broken=[("rng.uniform(", "np.random.uniform("), ("rng.uniform(", "np.random.default_rng(0).uniform(")],
    ),
    Promise("lstm_to_torch", "The layer.", "values", before="The layer, on the CPU."),
    Promise("chrono_bias", "draw biases that give every cell a memory of its own length.", "forget"),
    Promise(
        "chrono_bias",
        "Chrono initialization (Tallec and Ollivier, 2018) draws these spans at random, none longer than ``max_lag``:",
        "forget",
    ),
    Promise(
        "chrono_bias",
        "for each cell, a real number s is drawn uniformly from 1 to max_lag - 1, independently of the others, "
        "which makes its span 1 + s, and its biases are",
        "forget",
        broken=[
            ("rng.uniform(1, max_lag - 1, size=hidden_size)", "np.sort(rng.uniform(1, max_lag - 1, size=hidden_size))"),
            (
                "rng.uniform(1, max_lag - 1, size=hidden_size)",
                "1 + (max_lag - 2) * (rng.permutation(hidden_size) + rng.random(hidden_size)) / hidden_size",
            ),
        ],
    ),
    Promise(
        "lstm_to_torch",
        "Its parameters require gradients, have the dtype of W, and each has memory of its own:",
        "values",
        broken=[
            (
                "    return lstm\n",
                "    lstm.bias_hh_l0 = lstm.bias_ih_l0 = nn.Parameter(bias / 2)\n    return lstm\n",
            ),
            ("batch_first=True, dtype=weight.dtype", "batch_first=True"),
        ],
    ),
    Promise(
        "packed_final_states",
        "Gradients reach x and the parameters.",
        "gradients",
        broken=[
            ("_, (h, _) = lstm(packed)", "_, (h, _) = lstm.requires_grad_(False)(packed)"),
            ("torch.cat([h[-2], h[-1]], dim=1)", "torch.cat([h[-2] / 2 + h[-2].detach() / 2, h[-1]], dim=1)"),
        ],
    ),
    Promise(
        "MaskedWordModel",
        "A model of another dtype (turned by ``double()`` or ``float()``, or made under another default dtype) returns "
        "logits of that dtype, whatever it returned before.",
        "shape: a model made where new tensors are float64, and turned to float32",
        before="(``model.double()``, or another default dtype when it is made)",
        broken=[
            ("logits: Tensor = self.scores(states)", "logits: Tensor = self.scores(states).float()"),
            ("nn.Embedding(vocab_size, embedding_dim)", "nn.Embedding(vocab_size, embedding_dim, dtype=torch.float32)"),
            (
                "self.embedding(ids), lengths",
                "self.embedding(ids) + vars(self).setdefault('one', torch.ones_like(self.scores.bias)[:1]), lengths",
            ),
        ],
    ),
    Promise(
        "packed_final_states",
        "Whatever numbers stand in the padding (of a size that weighted sums bear without overflow), they must not "
        "change the answer.",
        "values: the largest numbers in the padding",
        before="Whatever numbers from -1e300 to 1e300 (in float32 from -1e30 to 1e30) stand in the padding",
    ),
    Promise(
        "packed_final_states",
        "row n belongs to sequence n of x.",
        "values: unsorted lengths",
        broken=[
            (
                "return torch.cat([h[-2], h[-1]], dim=1)",
                "h = h[:, (lengths[:, None] == lengths).int().argmax(dim=1)]\n"
                "    return torch.cat([h[-2], h[-1]], dim=1)",
            )
        ],
    ),
    Promise(
        "packed_final_states",
        "lengths of the sequences, shape (N,), from 1 to T, in any order.",
        "values: unsorted lengths",
        broken=[("torch.cat([h[-2], h[-1]], dim=1)", "torch.cat([h[-2].squeeze(0), h[-1].squeeze(0)], dim=-1)")],
    ),
    Promise(
        "lstm_backward",
        "A gate or a state that is given to you has no such error: use it, and do not work it out from other numbers, "
        "which loses digits.",
        "initial: output gates that are nearly closed",
        broken=[
            (
                "    steps = []\n",
                "    steps = []\n"
                "    squashed = h / (gates[:, :, 3 * h0.shape[1] :] + 1e-12)\n"
                "    c = np.where(np.abs(c) < 3, np.arctanh(np.clip(squashed, -0.999, 0.999)), c)\n",
            )
        ],
    ),
    *(
        Promise(
            name,
            f"{what}, shape (N, H), from -10 to 10.",
            f"{criterion}: one {where}, states near 10",
            broken=[(old, new)],
        )
        for name, what, criterion, where, old, new in (
            (
                "gru_step_forward",
                "state before the step",
                "values",
                "row, as many inputs as units",
                "    from_input =",
                "    h = np.clip(h, -5, 5)\n    from_input =",
            ),
            (
                "gru_forward",
                "initial state",
                "values",
                "sequence, more units than inputs",
                "h, states = h0",
                "h, states = np.clip(h0, -5, 5)",
            ),
            (
                "gru_step_backward",
                "state before the step",
                "dh",
                "row, as many inputs as units",
                "    u_r, u_z, u_n =",
                "    h = np.clip(h, -5, 5)\n    u_r, u_z, u_n =",
            ),
        )
    ),
    Promise(
        "MaskedWordModel",
        "padded sentences, shape (N, T), T up to 100;",
        "padding",
        broken=[("self.embedding(ids), lengths", "self.embedding(ids)[:, :64], lengths")],
    ),
    Promise(
        "MaskedWordModel",
        "In that mode what a sentence gets must not depend on the ids in the padding, on how long the padding is, or "
        "on the other sentences of the batch.",
        "padding: sentences shorter than the batch",
        broken=[
            (
                "self.embedding(ids), lengths",
                "self.embedding(ids), lengths if len(ids) > 1 else 0 * lengths + ids.shape[1]",
            ),
            (
                "self.embedding(ids), lengths",
                "self.embedding(ids), lengths if lengths.min() < lengths.max() else 0 * lengths + ids.shape[1]",
            ),
        ],
    ),
    Promise(
        "packed_final_states",
        "a bidirectional LSTM that takes its sequences batch first, with one layer or several, with biases, without "
        "projections or dropout.",
        "values: two layers",
        before="with one layer or several, without projections.",
    ),
    Promise("MaskedWordModel", "the padding holds ids too, any from 0 to V - 1.", "padding"),
    Promise(
        "MaskedWordModel",
        "lengths of the sentences, shape (N,), from 1 to T, in any order.",
        "padding",
        broken=[("self.embedding(ids), lengths", "self.embedding(ids) / (lengths - 1)[:, None, None], lengths")],
    ),
)

EQUIVALENTS = (
    *equivalents(
        "lstm",
        "bidirectional_lstm",
        "e5d657a6",
        (
            "states are finite where no weighted sum overflows",
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
