"""What the docstrings of assignment 4 promise in sentences and errors, and what asks for it."""

from __future__ import annotations

from autograder.course import Promise, equivalents

PROMISES = (
    Promise("rnn_step_forward", "one step of a recurrent network, for every sequence of a batch.", "values"),
    Promise("rnn_backward", "L = loss(h_1, ..., h_T), where any of them may take part.", "dx"),
    Promise("rnn_backward", "the whole derivatives, along every path from an argument to L.", "dU"),
    Promise("rnn_backward", "The parameters take part in every step;", "dV"),
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
        "contraction_bound",
        "Bound how much one step can stretch a change of the state, whatever the inputs are.",
        "values",
    ),
    Promise(
        "scale_to_radius",
        "ValueError: the spectral radius of V is 0, which no factor changes, as for zeros or a matrix with zeros "
        "on and below its diagonal.",
        "errors",
        swallowed=["not V.any()", "V.any()"],
    ),
    Promise("clip_by_value", "Clip every entry of every gradient to -limit ...", "values: all entries too large"),
    Promise("clip_by_value", "gradients by name, of any shapes.", "values: some entries too large"),
    Promise("clip_by_value", "ValueError: limit is 0 or negative.", "errors", swallowed=["limit == 0", "limit < 0"]),
    Promise(
        "clip_by_norm",
        "Errors up to 1e-5 of the largest entry pass, and what is too long has a total_norm of at least 0.2.",
        "values: one array",
    ),
    Promise("clip_by_norm", "So PyTorch's way, which divides by total_norm + 1e-6, is right too.", "values"),
    Promise("clip_by_norm", "gradients by name, of any shapes.", "values: three axes"),
    Promise(
        "clip_by_norm",
        "ValueError: max_norm is 0 or negative, or total_norm is not finite (NaN or infinite).",
        "errors",
        broken=[("np.square(g, dtype=np.float64)", "np.square(g)"), ("if max_norm <= 0", "if max_norm < 0")],
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
        "single: float32",
        broken=[("x.astype(np.float64)", "x.copy()"), ("return dx.astype(x.dtype)", "return dx")],
    ),
    Promise("numerical_gradient", "Errors up to 1e-6 of the largest entry pass.", "values"),
    Promise(
        "numerical_gradient",
        "function of an array, which returns an array of any shape, or a number.",
        "values: a function that returns a number",
    ),
    Promise("numerical_gradient", "where to take the gradient, any shape, any strides.", "values: three axes"),
    Promise(
        "numerical_gradient",
        "gradient of L with respect to f(x), of the shape of f(x), or one number, which counts for every entry.",
        "values: one number for every output",
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
    Promise("gradient_error", "one gradient, any shape, not empty.", "values"),
    Promise("gradient_error", "The error, a Python float from 0 to 2.", "values: opposite ones"),
    Promise("train", "Every step takes the whole batch:", "parameters"),
    Promise("train", "Errors up to 1e-5 of the largest entry pass.", "parameters"),
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
            (
                "nn.utils.clip_grad_norm_(model.parameters(), max_norm)",
                "torch.sqrt(sum((p.grad**2).sum() for p in model.parameters()))",
            ),
        ],
    ),
    Promise(
        "to_torch",
        "They have memory of their own: neither training the module nor writing into the arrays changes the other.",
        "copies",
    ),
)

EQUIVALENTS = (
    *equivalents(
        "rnn",
        "truncated_bptt",
        "31f474cf",
        ("the gradient of x, the only one that needs U, is not asked for", "U", ["read as if contiguous"]),
    ),
)
