"""What the docstrings of assignment 4 promise in sentences and errors, and what asks for it."""

from __future__ import annotations

from autograder.course import Promise, equivalents

PROMISES = (
    Promise(
        "rnn_forward",
        "h_t = tanh(U x_t + V h_{t-1} + b) for t = 1, ..., T",
        "values: one sequence, whose states are stuck for two steps",
        broken=[
            (
                "        states.append(h)",
                "        states.append(h)\n"
                "        if t and np.allclose(h, states[-2]):\n"
                "            states += [h] * (x.shape[1] - 1 - t)\n"
                "            break",
            )
        ],
    ),
    Promise(
        "rnn_forward",
        "All sequences of a batch are equally long, and T is at least 1 and at most 100.",
        "values: more inputs than states, a hundred steps",
        before="T is at least 1.",
    ),
    Promise(
        "rnn_forward",
        "no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times), or, where all entries are "
        "below 1e-14, by more than 1e-12, unless a docstring says otherwise.",
        "values",
        before="1e-9 times the largest entry (in float32 1e-4 times), unless",
    ),
    Promise("rnn_step_forward", "one step of a recurrent network, for every sequence of a batch.", "values"),
    Promise(
        "rnn_step_forward",
        "The activation is tanh, right and not NaN from tanh(-1000) to tanh(1000).",
        "values: saturated states",
        broken=[
            ("np.tanh(x @ U.T + h @ V.T + b)", "(lambda e: (e - 1 / e) / (e + 1 / e))(np.exp(x @ U.T + h @ V.T + b))")
        ],
    ),
    Promise(
        "rnn_forward",
        "in states and in slopes 1 - h^2, however small these are, a rounding error of 1 passes (1e-15, in float32 "
        "1e-6), and so does the error that it causes in what is computed from them.",
        needless="no state is as small as that in any case",
        before="and what is multiplied by them by as much as follows from that",
    ),
    Promise(
        "rnn_forward",
        "What is returned may be a new array or a view of an argument, and may be read-only; later calls must not "
        "change it.",
        "values: an answer that is kept while another is given",
        before="a view of an argument or one that you keep: nobody writes into it.",
    ),
    Promise(
        "rnn_step_backward",
        "each entry the partial derivative with respect to the entry at the same place.",
        "dx: a large loss",
        broken=[("dh_next * (1 - h_next**2)", "np.clip(dh_next * (1 - h_next**2), -100, 100)")],
    ),
    Promise(
        "rnn_backward",
        "L = loss(h_1, ..., h_T), where any of them may take part.",
        "dx: a loss on the second state alone",
        broken=[
            ("total = dh[:, t] + carry\n", "total = dh[:, t] + carry\n        if not total.any():\n            break\n")
        ],
    ),
    Promise(
        "rnn_backward",
        "But a state also influences all later ones.",
        "dh0: one sequence, whose states are stuck in its fourth step",
        broken=[
            (
                "total = dh[:, t] + carry\n",
                "total = dh[:, t] + carry\n        if not (total * (1 - h[:, t] ** 2)).any():\n            continue\n",
            )
        ],
    ),
    Promise(
        "rnn_backward",
        "the whole derivatives, along every path from an argument to L.",
        "dU: a unit that hardly matters, and itself grows",
        broken=[
            (
                "total = dh[:, t] + carry\n",
                "total = dh[:, t] + carry\n        if abs(total).max() < 1e-15:\n            break\n",
            )
        ],
    ),
    Promise("rnn_backward", "The parameters take part in every step;", "dV"),
    Promise(
        "sequence_loss",
        "the loss, a Python float;",
        "loss",
        broken=[("float((error**2).sum() / len(h))", "float((error.astype(np.float32) ** 2).sum() / len(h))")],
    ),
    Promise(
        "sequence_loss",
        "N is their number, however many targets there are, and a sequence without any counts too.",
        "loss: a sequence without a target",
    ),
    Promise(
        "sequence_loss",
        "where mask is False, finite numbers without meaning, even 1e200 (in float32 1e30).",
        "loss: 1e200 where there is no target",
        broken=[
            ("float((error**2).sum() / len(h))", "float((((h @ W.T - target) ** 2) * mask[..., None]).sum() / len(h))")
        ],
    ),
    Promise("state_jacobian", "time of the later state, from 0 to T.", "values: three steps back from the last"),
    Promise(
        "state_jacobian",
        "lag, the number of steps between the two states, from 0 to t.",
        "values: back to the initial state",
    ),
    Promise("state_jacobian", "ValueError: k is negative or larger than t.", "errors", swallowed=["k < 0", "k > t"]),
    Promise("jacobian_norms", "the largest lag, from 0 to T.", "values: all lags"),
    Promise(
        "jacobian_norms",
        "Where gradients explode, these norms and those of the Jacobians between two earlier states reach up to 1e200 "
        "(in float32 1e30).",
        "values: gradients up to 1e200",
        before="products over some of the steps are no larger",
        broken=[
            (
                "np.linalg.norm(state_jacobian(h, V, len(h) - 1, k), 2)",
                "(lambda J: np.sqrt(np.linalg.norm(J.T @ J, 2)))(state_jacobian(h, V, len(h) - 1, k))",
            )
        ],
    ),
    Promise(
        "jacobian_norms",
        "in the spectral norm, the largest singular value of the matrix:",
        "values: ones are stretched least",
        broken=[
            (
                "np.linalg.norm(state_jacobian(h, V, len(h) - 1, k), 2)",
                "(lambda J, v: np.linalg.norm(J @ v) / np.linalg.norm(v))(J := state_jacobian(h, V, len(h) - 1, k), "
                "np.linalg.matrix_power(J.T @ J / ((J**2).sum() or 1), 1000) @ np.arange(1.0, len(V) + 1) + 1e-300)",
            )
        ],
    ),
    Promise(
        "jacobian_norms",
        "Where a Jacobian is all zeros, its norm is 0.",
        "values: a memory that ends",
        broken=[
            (
                "np.linalg.norm(state_jacobian(h, V, len(h) - 1, k), 2)",
                "(lambda J: abs(J).max() * np.linalg.norm(J / abs(J).max(), 2))(state_jacobian(h, V, len(h) - 1, k))",
            )
        ],
    ),
    Promise(
        "linear_recurrence_coefficients",
        "number of steps, from 1 to 100.",
        "values: a hundred steps",
        before="number of steps, >= 1.",
    ),
    Promise(
        "linear_recurrence_coefficients",
        "with matrices C_s that depend on U and V alone.",
        "values: powers that end in zero",
        broken=[
            (
                "V @ coefficients[-1]",
                "(lambda e, v: (v * e @ np.linalg.pinv(v)).real)(*np.linalg.eig(V)) @ coefficients[-1]",
            )
        ],
    ),
    Promise(
        "spectral_radius",
        "The eigenvalues of a real matrix may be complex.",
        "values: a complex pair rules, others have larger real parts",
        broken=[
            (
                "np.abs(np.linalg.eigvals(V)).max()",
                "max(abs(np.linalg.eigvals(V).max()), abs(np.linalg.eigvals(V).min()))",
            ),
            ("np.abs(np.linalg.eigvals(V)).max()", "np.abs(np.linalg.eigvals(V).real).max()"),
        ],
    ),
    Promise("spectral_radius", "of zeros it is 0.", "values: zeros"),
    Promise(
        "spectral_radius",
        "The spectral radius, a Python float, right to 1e-9 of itself (in float32 1e-4);",
        "values: a tiny matrix",
        broken=[
            (
                "np.abs(np.linalg.eigvals(V)).max()",
                "(np.abs(np.linalg.eigvals(V)).max() if abs(V).max() > 1e-15 else 0)",
            )
        ],
    ),
    Promise(
        "spectral_radius",
        "Its entries may be small or large, down to 1e-20 or up to 1e20.",
        "values: a tiny matrix",
        broken=[
            ("np.abs(np.linalg.eigvals(V)).max()", "np.abs(np.linalg.eigvals(V)).max() + 1e-12"),
            ("np.abs(np.linalg.eigvals(V)).max()", "np.abs(np.linalg.eigvals(V).round(10)).max()"),
        ],
    ),
    Promise(
        "contraction_bound",
        "Bound how much one step can stretch a change of the state, whatever the inputs are.",
        "values: ones are stretched least",
        broken=[
            (
                "np.linalg.norm(V, 2)",
                "(lambda v: np.linalg.norm(V @ v) / np.linalg.norm(v))("
                "np.linalg.matrix_power(V.T @ V / ((V**2).sum() or 1), 1000) @ np.arange(1.0, len(V) + 1) + 1e-300)",
            )
        ],
    ),
    Promise(
        "scale_to_radius",
        "Its entries may be small or large, down to 1e-20 or up to 1e20:",
        "values: a tiny matrix",
        broken=[
            ("found == 0", "found < 1e-12"),
            ("radius / found", "radius / (found + 1e-12)"),
            ("found == 0", "np.linalg.matrix_rank(V) < len(V)"),
        ],
    ),
    Promise(
        "scale_to_radius",
        "a small radius is not 0.",
        "values: a triangular matrix of tiny radius",
        broken=[("found == 0", "found <= np.finfo(V.dtype).eps * np.abs(V).max()")],
    ),
    Promise(
        "scale_to_radius",
        "ValueError: V is all zeros, or has zeros on and below its diagonal:",
        "errors",
        broken=[("found == 0", "np.tril(V).sum() == 0"), ("found == 0", "not np.tril(V, -1).any()")],
        swallowed=["not V.any()", "V.any()"],
        before="as for zeros or a matrix with zeros on and below its diagonal",
    ),
    Promise("scale_to_radius", "spectral radius of the result, from 1e-3 to 1e3.", "values: to a thousandth"),
    Promise(
        "contraction_bound",
        "The largest entry is 0, or its absolute value lies between 1e-12 and 1e6.",
        "values: a small matrix",
    ),
    Promise(
        "clip_by_value",
        "the largest absolute value allowed, > 0 and finite.",
        "values: one number, a tiny limit",
        before="> 0.",
        broken=[("g.clip(-limit, limit)", "g.clip(-limit, limit).round(10)")],
    ),
    Promise("clip_by_value", "Clip every entry of every gradient to -limit ...", "values: all entries too large"),
    Promise(
        "clip_by_value",
        "An infinite entry becomes limit or -limit.",
        "values: an infinite entry",
        broken=[
            ("g.clip(-limit, limit)", "g / np.maximum(np.abs(g) / limit, 1)"),
            ("g.clip(-limit, limit)", "np.nan_to_num(g, posinf=0.0, neginf=0.0).clip(-limit, limit)"),
        ],
    ),
    Promise(
        "clip_by_value",
        "gradients by name, each of any shape, possibly none at all.",
        "values: no axes, and a whole number for a limit",
        before="of any shapes",
        broken=[("g.clip(-limit, limit)", "np.atleast_1d(g).clip(-limit, limit)")],
    ),
    Promise(
        "clip_by_value",
        "ValueError: limit is 0 or negative, whatever grads holds.",
        "errors",
        swallowed=["limit == 0", "limit < 0", "not grads"],
    ),
    Promise("clip_by_norm", "Errors up to 1e-5 of the largest entry pass.", "values: one array"),
    Promise(
        "clip_by_norm",
        "So PyTorch's way, which divides by total_norm + 1e-6, is right too.",
        "values: a norm of 1e-5 wanted",
        broken=[("max_norm / total_norm)", "max_norm / (total_norm + 1e-5))")],
    ),
    Promise(
        "clip_by_norm",
        "gradients by name, each of any shape, at least one.",
        "values: no axes",
        broken=[("np.square(g, dtype=np.float64)", "np.square(list(g), dtype=np.float64)")],
        before="of any shapes",
    ),
    Promise(
        "clip_by_norm",
        "Finite entries reach up to 1e150 (in float32 1e30).",
        "values: entries up to 1e150",
        broken=[("np.square(g, dtype=np.float64)", "np.square(1e6 * g, dtype=np.float64) / 1e12")],
    ),
    Promise(
        "clip_by_norm",
        "If it is positive it is at least 1e-5.",
        "values: a norm of 1e-5 wanted",
        before="none between 0 and 1e-5 is asked for",
    ),
    Promise(
        "clip_by_norm",
        "ValueError: max_norm is 0 or negative, or total_norm is not finite (NaN or infinite).",
        "errors",
        broken=[
            ("np.square(g, dtype=np.float64)", "np.square(g)"),
            ("if max_norm <= 0", "if max_norm < 0"),
            ("not np.isfinite(total_norm)", "np.isnan(total_norm) or any((g == np.inf).any() for g in grads.values())"),
        ],
        swallowed=[
            "max_norm == 0",
            "max_norm < 0",
            "any(np.isnan(g).any() for g in grads.values())",
            "any(np.isinf(g).any() for g in grads.values())",
        ],
    ),
    Promise(
        "numerical_gradient",
        "In float32 a difference as small as this is lost in rounding errors, so call f with float64 arrays in "
        "any case, do everything in float64, and convert the result at the end.",
        "single: float32, a cube of small numbers",
        broken=[("x.astype(np.float64)", "x.copy()"), ("return dx.astype(x.dtype)", "return dx")],
    ),
    Promise("numerical_gradient", "Errors up to 1e-6 of the largest entry pass.", "values"),
    Promise(
        "numerical_gradient",
        "This very quotient is asked for, also with an h that is not small.",
        "single: float32, a cube of small numbers",
        broken=[
            ("    dx = np.zeros", "    h = max(h, 1e-3) if x.dtype == np.float32 else h\n    dx = np.zeros"),
            ("centre + h", "centre + min(h, 0.01)"),
        ],
    ),
    Promise(
        "numerical_gradient",
        "function of an array, which returns a floating array of any shape, or a float.",
        "values: a function that returns a number",
    ),
    Promise(
        "numerical_gradient",
        "where to take the gradient, any shape, entries from -10 to 10.",
        "values: no axes",
        before="where to take the gradient, any shape.",
        broken=[("np.ndindex(x.shape)", "np.ndindex(x.shape or (1,))")],
    ),
    Promise(
        "numerical_gradient",
        "f takes an array of the shape of x (where that has no axes, a NumPy scalar will do) and depends on nothing "
        "else.",
        "values: no axes",
        before="f is called with arrays of the shape of x",
    ),
    Promise(
        "numerical_gradient",
        "or one Python number, an int or a float, which counts for every entry (always so where f returns a float).",
        "values: a whole number for every output",
        broken=[("np.sum(dy * (above - below))", "np.sum((dy if type(dy) is float else dy.copy()) * (above - below))")],
        before="of the shape of f(x), or one number, which counts for every entry.",
    ),
    Promise(
        "gradient_error",
        "It does not change when both are multiplied by the same number, as long as the largest entry stays "
        "between 1e-300 and 1e300 (in float32 between 1e-30 and 1e30).",
        "values: up to 1e300",
        broken=[
            ("/ largest) if largest", "/ (largest + 1e-12)) if largest"),
            ("if largest else", "if largest > 1e-12 else"),
            ("np.abs(a - b).max() / largest", "np.sqrt(((a - b) ** 2).max() / (largest**2))"),
            ("np.abs(a - b).max() / largest", "(np.abs(a - b) * 1e10).max() / (largest * 1e10)"),
        ],
    ),
    Promise(
        "gradient_error",
        "one gradient, any shape.",
        "values: no axes",
        broken=[("np.abs(a - b).max()", "max(abs(x - y) for x, y in zip(np.concatenate(a), np.concatenate(b)))")],
        before="not empty",
    ),
    Promise("gradient_error", "The error, a Python float from 0 to 2.", "values: opposite ones"),
    Promise(
        "gradient_error",
        "As the difference of two gradients is no more exact than they are, it may be off by 1e-15 (in float32 by "
        "1e-6).",
        "values: nearly equal",
        broken=[
            ("if largest else", "if not np.allclose(a, b, rtol=1e-5, atol=0) else"),
            ("np.abs(a - b).max()", "np.where(np.isclose(a / largest, b / largest), 0, np.abs(a - b)).max()"),
        ],
    ),
    Promise(
        "truncated_bptt",
        "number w of steps in a window, from 1 to 100.",
        "remainder: a window of a hundred steps",
        before="number w of steps in a window, >= 1.",
        broken=[("range(0, x.shape[1], window)", "range(0, x.shape[1], min(window, 64))")],
    ),
    Promise(
        "train",
        "Every step takes the whole batch:",
        "losses: two steps, a sequence without a target",
        broken=[
            (
                "    adam, losses = None, []",
                "    x, target, mask, h0 = (a[mask.any(axis=1)] for a in (x, target, mask, h0))\n"
                "    adam, losses = None, []",
            )
        ],
    ),
    Promise(
        "train",
        'initial values under the names "U", "V", "W" and "b", shapes (H, D), (H, H), (O, H) and (H,).',
        "parameters",
        broken=[('(params[name] for name in ("U", "V", "W", "b"))', "params.values()")],
    ),
    Promise(
        "train",
        "where mask is False, without meaning as in ``sequence_loss``.",
        "parameters: gradients that are short enough in the end",
    ),
    Promise(
        "train", "Errors up to 1e-5 of the largest entry pass, and so does PyTorch's way of clipping.", "parameters"
    ),
    Promise("train", "largest norm of the gradient, finite, at least 1e-5.", "parameters"),
    Promise(
        "train",
        "the loss before each step, shape (steps,), in float32 or float64 as you like.",
        "losses: two steps without any target",
        broken=[
            ("        losses.append(loss)", "        losses.append(loss)\n        if loss == 0:\n            break"),
            (
                'clip_by_norm({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)',
                "(lambda g, size: ({name: min(1.0, max_norm / size) * a for name, a in g.items()}, size))"
                '(g := {"U": dU, "V": dV, "W": dW, "b": db}, '
                "sum(np.square(a, dtype=np.float64).sum() for a in g.values()).item() ** 0.5)",
            ),
        ],
    ),
    Promise(
        "train_step",
        "One that the loss does not depend on has no gradient (``None``), takes no part and stays as it is.",
        "parameters",
        broken=[
            (
                "nn.utils.clip_grad_norm_(model.parameters(), max_norm)",
                'nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], max_norm)',
            ),
            ("    optimizer.zero_grad()", "    for parameter in model.parameters():\n        parameter.grad.zero_()"),
            ("optimizer.zero_grad()", "optimizer.zero_grad(set_to_none=False)"),
            (
                "nn.utils.clip_grad_norm_(model.parameters(), max_norm)",
                "torch.sqrt(sum((p.grad**2).sum() for p in model.parameters()))",
            ),
        ],
    ),
    Promise(
        "train_step",
        "Its gradient, that of all parameters of the model together, is clipped to the norm max_norm,",
        "parameters: a gradient that is too long",
        broken=[
            (
                "    loss.backward()\n    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n",
                "    gradients = torch.autograd.grad(loss, list(model.parameters()), allow_unused=True)\n"
                "    norm = torch.sqrt(sum((g**2).sum() for g in gradients if g is not None))\n"
                "    for parameter, g in zip(model.parameters(), gradients):\n"
                "        parameter.grad = g if g is None else g.mul_(min(1.0, max_norm / max(norm.item(), 1e-9)))\n",
            )
        ],
    ),
    Promise(
        "train_step",
        "All its parameters require gradients, and may be transposed.",
        "norm",
        broken=[
            (
                "nn.utils.clip_grad_norm_(model.parameters(), max_norm)",
                "torch.cat([p.grad.view(-1) for p in model.parameters() if p.grad is not None]).norm()\n"
                "    nn.utils.clip_grad_norm_(model.parameters(), max_norm)",
            )
        ],
    ),
    Promise("train_step", "Errors up to 1e-5 of the largest entry pass, in the parameters too.", "parameters"),
    Promise(
        "train_step",
        "One that several layers share is one parameter, with one gradient.",
        "parameters: a parameter of two layers",
        broken=[
            (
                "clip_grad_norm_(model.parameters(), max_norm)",
                "clip_grad_norm_([p for m in model.modules() for p in m.parameters(recurse=False)], max_norm)",
            )
        ],
    ),
    Promise(
        "to_torch",
        "Each has memory of its own: writing into one changes neither another one nor an array, and writing into an "
        "array changes none.",
        "copies",
        broken=[
            ("rnn.bias_hh_l0.zero_()", "rnn.bias_ih_l0 /= 2\n        rnn.bias_hh_l0 = rnn.bias_ih_l0"),
            ("rnn.weight_ih_l0.copy_(weight_ih)", "rnn.weight_ih_l0 = nn.Parameter(torch.from_numpy(U))"),
        ],
    ),
    Promise(
        "to_torch",
        "Make the ``nn.RNN`` that computes what ``rnn_forward`` computes with these parameters.",
        "values",
        broken=[
            ("rnn.weight_ih_l0.copy_(weight_ih)", "rnn.weight_ih_l0.copy_(weight_ih.float())"),
            ("bias_hh_l0.zero_()", "bias_hh_l0.fill_(1e-7)"),
        ],
    ),
    Promise(
        "state_gradient_norms",
        "That, and what their ``grad`` holds (None or an earlier gradient), must be the same after the call.",
        "unchanged",
        broken=[
            ("    h, states = h0, []", "    cell.zero_grad()\n    h, states = h0, []"),
            (
                "torch.autograd.grad(h, states, dy)",
                "(torch.autograd.grad(h, states, dy), cell.requires_grad_(False))[0]",
            ),
        ],
    ),
    Promise("state_gradient_norms", "Each is 0 or between 1e-18 and 1e18.", "values: a tiny gradient"),
    Promise(
        "state_gradient_norms",
        "Like h0 it is a leaf that may require gradients: what their ``grad`` holds stays as well.",
        "unchanged",
        broken=[
            ("    h, states = h0, []", "    h, states = h0.requires_grad_(), []"),
            (
                "return torch.stack([gradient.norm() for gradient in torch.autograd.grad(h, states, dy)])",
                "for state in states:\n        state.retain_grad()\n    kept = [p.grad for p in cell.parameters()]\n"
                "    h.backward(dy)\n    for p, grad in zip(cell.parameters(), kept):\n        p.grad = grad\n"
                "    return torch.stack([state.grad.norm() for state in states])",
            ),
        ],
    ),
)

EQUIVALENTS = (
    *equivalents(
        "rnn",
        "clip_by_norm",
        "504b4c85",
        ("no norm between 0 and 1e-5 is asked for", "max_norm <= 0", ["max_norm <= 1e-10"]),
    ),
    *equivalents(
        "rnn",
        "truncated_bptt",
        "31f474cf",
        ("the gradient of x, the only one that needs U, is not asked for", "U", ["read as if contiguous"]),
    ),
)
