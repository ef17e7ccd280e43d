"""What the docstrings of assignment 2 promise in sentences and errors, and what asks for it."""

from __future__ import annotations

from autograder.course import Promise, equivalents

PROMISES = (
    Promise("sigmoid", "It lies between 0 and 1 and is 1/2 at x = 0.", "extremes: exactly 0"),
    Promise(
        "sigmoid",
        "about 4.2e-18 at x = -40, and down to x = -100 (in float32 -80) such small values must be right too, "
        "each up to 1e-9 of itself (in float32 1e-4).",
        "extremes: near -100",
        broken=[
            (
                "    small = np.exp(-np.abs(x))  # never overflows\n    return np.where(x >= 0, 1, small) / (1 + "
                "small)\n",
                "    return 1 / (1 + np.exp(-np.clip(x, -20, 20)))\n",
            ),
            (
                "    small = np.exp(-np.abs(x))  # never overflows\n    return np.where(x >= 0, 1, small) / (1 + "
                "small)\n",
                "    return 1 / (1 + np.exp(-np.clip(x, -40, 40)))\n",
            ),
            (
                "    small = np.exp(-np.abs(x))  # never overflows\n    return np.where(x >= 0, 1, small) / (1 + "
                "small)\n",
                "    return 1 / (1 + np.exp(-np.clip(x, -60, 60)))\n",
            ),
            (
                "    small = np.exp(-np.abs(x))  # never overflows\n    return np.where(x >= 0, 1, small) / (1 + "
                "small)\n",
                "    return 0.5 * (1 + np.sinh(np.clip(x / 2, -350, 350)) / np.cosh(np.clip(x / 2, -350, 350)))\n",
            ),
            (
                "    small = np.exp(-np.abs(x))  # never overflows\n    return np.where(x >= 0, 1, small) / (1 + "
                "small)\n",
                "    return 1 - 1 / (1 + np.exp(np.minimum(x, 80)))\n",
            ),
        ],
    ),
    Promise(
        "sigmoid",
        "x = -1000 gives 0, or what is less than 1e-30, and x = 1000 gives 1, not NaN or infinity.",
        "extremes: far from zero",
        broken=[
            (
                "    small = np.exp(-np.abs(x))  # never overflows\n    return np.where(x >= 0, 1, small) / (1 + "
                "small)\n",
                "    return np.exp(x) / (1 + np.exp(x))\n",
            )
        ],
        before="x = -1000 gives 0 and x = 1000 gives 1, not NaN or infinity.",
    ),
    Promise("sigmoid", "any shape.", "values: images"),
    Promise("tanh", "any shape.", "values: images"),
    Promise("relu", "any shape.", "values: images"),
    Promise(
        "relu",
        "Entries may be as large as 1e300 (in float32 1e37), and as small as 1e-12.",
        "values: numbers up to 1e300",
        broken=[("np.maximum(x, 0)", "np.sqrt(x * np.maximum(x, 0))"), ("np.maximum(x, 0)", "x * (x > 1e-10)")],
    ),
    Promise("leaky_relu", "any shape.", "values: images"),
    Promise(
        "sigmoid_backward",
        "at x = 1000 and x = -1000 it is 0, not NaN.",
        "extremes: far from zero",
        broken=[("y = sigmoid(x)\n    return dy * y * (1 - y)", "e = np.exp(-x)\n    return dy * e / (1 + e) ** 2")],
    ),
    Promise("sigmoid_backward", "input of the forward pass (not its output), any shape.", "values: images"),
    Promise("tanh_backward", "input of the forward pass (not its output), any shape.", "values: images"),
    Promise("tanh", "It lies between -1 and 1 and is 0 at x = 0;", "values"),
    Promise(
        "tanh",
        "x = -1000 gives -1 and x = 1000 gives 1, not NaN or infinity.",
        "extremes: far from zero",
        broken=[("2 * sigmoid(2 * x) - 1", "(np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x))")],
    ),
    Promise(
        "tanh",
        "Errors up to 1e-12 pass (in float32 1e-6) and larger ones do not, also where tanh(x) itself is as small as "
        "that.",
        "extremes",
        broken=[("2 * sigmoid(2 * x) - 1", "2 * sigmoid(2 * np.clip(x, -12, 12)) - 1")],
    ),
    *(
        Promise(
            name,
            "Errors up to 1e-12 times the largest entry of dy pass (in float32 1e-6 times), also where the slope "
            "itself is as small as that.",
            "values",
        )
        for name in ("sigmoid_backward", "tanh_backward")
    ),
    Promise(
        "tanh_backward",
        "At x = 1000 and x = -1000 it is 0, not NaN.",
        "values: far from zero",
        broken=[("dy * (1 - tanh(x) ** 2)", "dy * 4 * np.exp(2 * x) / (1 + np.exp(2 * x)) ** 2")],
    ),
    Promise(
        "relu_backward",
        "There each value between 0 and dy, both included, is accepted.",
        "values: exact zeros",
        broken=[("dy * (x > 0)", "dy / (x > 0) * (x > 0)")],
    ),
    Promise("relu_backward", "input of the forward pass, any shape.", "values: images"),
    Promise("leaky_relu_backward", "input of the forward pass, any shape.", "values: images"),
    Promise(
        "saturation_point",
        "By a relative criterion like this one two activations can be compared, whatever the height of their slopes.",
        "values: a steep slope",
    ),
    Promise(
        "saturation_point", "For the sigmoid and a fraction of 0.1, the answer is 3.6369.", "values: slope 1/4 at 0"
    ),
    Promise(
        "saturation_point",
        "The point, a Python float, at most 1e-6 from the true one.",
        "values",
        broken=[("high - low > 1e-9", "high - low > 1e-5")],
    ),
    Promise("saturation_point", "Even at x = 0 it may be as small as 1e-12.", "values: a slope as small as may be"),
    Promise(
        "sign_agreement",
        "one of 1e-200 (in float32 1e-30) does take part, and none is smaller but 0.",
        "values: gradients as small as may be",
        broken=[
            (
                "~((gradient > 0).any(axis=1) & (gradient < 0).any(axis=1))",
                "gradient.min(axis=1) * gradient.max(axis=1) >= 0",
            ),
            ("dy.T @ x", "(dy.T @ x) * (1e-24 if x.dtype == np.float32 else 1)"),
        ],
        before="one of 1e-200 does take part.",
    ),
    Promise(
        "sign_agreement",
        "one of 1e-200 (in float32 1e-30) does take part, and none is smaller but 0.",
        "values: faint gradients beside others",
        broken=[
            (
                "    gradient = dy.T @ x\n",
                "    gradient = dy.T @ x\n"
                "    gradient = gradient * (np.abs(gradient) > 1e-12 * np.abs(gradient).max(axis=1, keepdims=True))\n",
            )
        ],
    ),
    Promise(
        "zigzag_descent",
        "(Where its points should be the same, no operation is rounded.)",
        "ratio: a path that begins at its end",
    ),
    Promise(
        "zigzag_descent",
        "number of steps, >= 0.",
        "path: a path of 1e-13",
        broken=[
            (
                "        path[step + 1] = path[step] - lr * gradient\n",
                "        path[step + 1] = path[step] - lr * gradient * (np.abs(gradient).max() > 1e-8)\n",
            )
        ],
    ),
    Promise(
        "zigzag_descent",
        "a path may be as short as 1e-13.",
        "ratio: a path of 1e-13",
        broken=[
            ("if distance else np.inf", "if distance > 1e-12 else np.inf"),
            ("if distance else np.inf", "if steps else np.inf"),
        ],
    ),
    Promise(
        "zigzag_descent",
        "A path may run away, but no further than 1e9.",
        "path: a path that runs away",
        broken=[("- lr * gradient\n", "- lr * np.clip(gradient, -50, 50)\n")],
        before="A path may run away, but none is asked for that leads to infinity.",
    ),
    Promise(
        "zigzag_descent",
        "the weights before the first step and after each one, shape (steps + 1, 2), and a Python float.",
        "path: a path that arrives before its last step",
        broken=[
            (
                "        path[step + 1] = path[step] - lr * gradient\n",
                "        if not gradient.any():\n"
                "            path[step:] = w0\n"
                "            break\n"
                "        path[step + 1] = path[step] - lr * gradient\n",
            )
        ],
    ),
    Promise(
        "leaky_relu",
        "slope left of 0, which is 0 or at least 0.001, and below 1.",
        "values: slope 0",
        before="slope left of 0, at least 0 and below 1.",
    ),
    Promise("BatchNorm2d", "weight of the new batch in the running statistics, from 0 to 1.", "running: no momentum"),
    Promise(
        "BatchNorm2d",
        "what is said there about small numbers, about those far from zero and about rounding holds here too.",
        "running: channels far from zero",
        broken=[
            (
                "var * count / (count - 1)",
                "(x.square().sum(dim=(0, 2, 3)) - count * mean**2) / (count - 1)",
            )
        ],
    ),
    *(
        Promise(
            name,
            "(dx, dgamma, dbeta): dx of the shape of x, the others "
            + ("(C,)." if name == "batch_norm_backward" else "of the shape of gamma."),
            "dgamma: scales of 0 and below",
            broken=[(f"return {dx}, {dgamma}, {dbeta}", f"return {dx}, {dgamma} * gamma / gamma, {dbeta}")],
        )
        for name, dx, dgamma, dbeta in (
            ("batch_norm_backward", "np.moveaxis(dx, -1, 1)", "dgamma", "dbeta"),
            ("layer_norm_backward", "dx", "(dy * normalized).sum(axis=samples)", "dy.sum(axis=samples)"),
        )
    ),
    Promise(
        "layer_statistics",
        'the batch, shape (N, D); for "batch" at least two samples.',
        "norm",
    ),
    Promise(
        "sign_agreement",
        "A weight whose gradient is 0 takes no part, so a neuron without any gradient agrees;",
        "zeros",
    ),
    Promise("sign_agreement", "For a single sample with x > 0 every neuron agrees:", "values: one positive sample"),
    Promise(
        "softmax",
        "They may be large, 1000 or -1000, and differ as much from row to row;",
        "extremes: rows far from one another",
        broken=[
            ("x - x.max(axis=axis, keepdims=True)", "x - x.max()"),
            ("x - x.max(axis=axis, keepdims=True)", "np.clip(x, -700, 700)"),
        ],
    ),
    Promise("softmax", "scores, any shape with at least one axis.", "values: one row"),
    Promise(
        "softmax_backward",
        "Each score takes part in every probability along the axis, so its gradient is a sum over all of them.",
        "values: rows",
    ),
    Promise("softmax_backward", "gradient of the probabilities, any shape with at least one axis.", "values: one row"),
    Promise(
        "log_softmax",
        "Scores may be large, 1000 or -1000, and differ as much from row to row.",
        "extremes: rows far from one another",
        broken=[("x - x.max(axis=axis, keepdims=True)", "x - x.max()")],
    ),
    Promise(
        "log_softmax",
        "0 and 1000 give -1000 and 0.",
        "extremes: two scores far apart",
        broken=[
            (
                "shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))",
                "np.log(np.exp(shifted) / np.exp(shifted).sum(axis=axis, keepdims=True))",
            ),
            (
                "shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))",
                "np.log(np.exp(shifted) / np.exp(shifted).sum(axis=axis, keepdims=True) + 1e-300)",
            ),
        ],
    ),
    Promise("log_softmax", "scores, any shape with at least one axis.", "values: one row"),
    Promise(
        "log_softmax_backward",
        "dy is any gradient, not only the one that a cross-entropy sends.",
        "values: rows",
        broken=[("dy.sum(axis=axis, keepdims=True)", "-1")],
    ),
    Promise(
        "log_softmax_backward",
        "gradient of the log-probabilities, any shape with at least one axis.",
        "values: one row",
    ),
    Promise(
        "cross_entropy",
        "The mean cross-entropy of logits (scores before any softmax) with the right classes.",
        "values",
    ),
    Promise(
        "cross_entropy",
        "That is looked at first, and ``ignore_index`` may be any number, also that of a class.",
        "ignored: a class as the mark",
        broken=[
            ("kept = target != ignore_index", "kept = (target != ignore_index) | (target >= 0)"),
            ("kept & ((target < 0)", "((target < 0)"),
        ],
    ),
    Promise("cross_entropy", "Logits may be as large as 1000 or -1000.", "extremes: pixels far from one another"),
    Promise(
        "cross_entropy",
        "Errors up to 1e-9 pass also where L is smaller than that.",
        "values",
    ),
    *(
        Promise(
            name,
            f"the {what}, output of the forward pass (not its input), shape of dy.",
            "values: after scores far below the others",
            broken=broken,
        )
        for name, what, broken in (
            (
                "softmax_backward",
                "probabilities",
                [
                    ("    return y * (", "    y = np.clip(y, 1e-7, 1)\n    return y * ("),
                    ("(dy - (dy * y).sum(", "(dy - (dy * y * y / y).sum("),
                ],
            ),
            ("log_softmax_backward", "log-probabilities", [("np.exp(y)", "np.exp(np.maximum(y, -15))")]),
        )
    ),
    Promise(
        "batch_norm_forward",
        "shape (C,), >= 0.",
        "evaluation: a running variance of 0",
        broken=[("np.sqrt(var + eps)", "np.where(var > 0, np.sqrt(var + eps), 1)")],
    ),
    Promise(
        "BatchNorm2d",
        "In evaluation it normalizes with the running statistics and leaves them alone.",
        "evaluation: a channel that does not vary",
        broken=[("torch.sqrt(var + self.eps)", "torch.where(var > 0, torch.sqrt(var + self.eps), 1)")],
    ),
    Promise(
        "BatchNorm2d",
        "buffer, an int64 scalar, at first 0:",
        "parameters",
        broken=[("torch.tensor(0)", "torch.tensor(0, dtype=torch.int32)")],
    ),
    Promise(
        "cross_entropy",
        "ValueError: a target is neither ``ignore_index`` nor one of 0, ..., C - 1. Negative ones are no classes "
        "either.",
        "errors",
        swallowed=["(target < 0).any()", "(target == logits.shape[1]).any()", "(target > logits.shape[1]).any()"],
    ),
    Promise(
        "batch_norm_forward",
        "In float64, the mean of a channel that varies may be up to 100 000 times its deviation, the root of var (as "
        "where the values are 100 000 plus or minus 1):",
        "running: channels far from zero",
        before="In float64, channels may lie as far from zero as 100 000 plus or minus 1, or in that proportion:",
    ),
    Promise(
        "batch_norm_forward", "weight of the new batch in the running statistics, from 0 to 1.", "running: momentum 1"
    ),
    Promise(
        "batch_norm_forward",
        "ValueError: in training, m is 1. (One value has no spread.)",
        "errors",
        swallowed=["x.ndim == 2", "x.ndim == 4"],
    ),
    Promise(
        "layer_norm_forward",
        "In float64, the mean of a sample that varies may be up to 100 000 times its deviation, the root of var (as "
        "where the values are 100 000 plus or minus 1):",
        "values: samples far from zero",
        broken=[
            (
                "    var = x.var(axis=features, keepdims=True)\n",
                "    z = x - x.mean()\n"
                "    var = (z * z).mean(axis=features, keepdims=True) - z.mean(axis=features, keepdims=True) ** 2\n",
            )
        ],
        before="In float64, samples may lie as far from zero as 100 000 plus or minus 1.",
    ),
    *(
        Promise(
            name,
            f"In float64, the {what} of x, not of dy, may lie as far from zero as in the forward pass.",
            f"dx: {what} far from zero",
            before=f"In float64, {what} may lie as far from zero as in the forward pass.",
        )
        for name, what in (("batch_norm_backward", "channels"), ("layer_norm_backward", "samples"))
    ),
    *(
        Promise(
            name,
            "where it is 0, no variance is, but one may be as small as 1e-20.",
            asked,
            broken=[(old, new)],
            before="where it is 0, no variance is.",
        )
        for name, asked, old, new in (
            (
                "batch_norm_forward",
                "vectors: one channel, no eps, no momentum",
                "np.sqrt(var + eps)",
                "np.maximum(np.sqrt(var + eps), 1e-8)",
            ),
            ("layer_norm_forward", "small: no eps", "np.sqrt(var + eps)", "np.maximum(np.sqrt(var + eps), 1e-8)"),
            (
                "BatchNorm2d",
                "evaluation: one channel, no eps",
                "torch.sqrt(var + self.eps)",
                "torch.sqrt(var + self.eps).clamp(min=1e-8)",
            ),
            (
                "LayerNorm",
                "last: no eps",
                "torch.sqrt(var + self.eps)",
                "torch.sqrt(var + self.eps).clamp(min=1e-8)",
            ),
        )
    ),
    Promise(
        "batch_norm_backward",
        "as in the forward pass.",
        "small: no eps",
        broken=[("np.sqrt(x.var(axis=axes) + eps)", "np.maximum(np.sqrt(x.var(axis=axes) + eps), 1e-8)")],
    ),
    Promise(
        "layer_norm_backward",
        "(With one entry dx is 0, and errors up to 1e-12 pass.)",
        "dx: one feature of one sample",
    ),
    Promise(
        "layer_norm_backward",
        "as in the forward pass.",
        "small: no eps",
        broken=[
            (
                "np.sqrt(x.var(axis=features, keepdims=True) + eps)",
                "np.maximum(np.sqrt(x.var(axis=features, keepdims=True) + eps), 1e-8)",
            )
        ],
    ),
    *(
        Promise(
            name,
            "Draw from rng itself and not from a copy: it moves on, and a second call with it gives other weights.",
            "generator",
            broken=[(old, f"__import__('copy').deepcopy(rng).{old.removeprefix('rng.')}")],
        )
        for name, old in (("xavier_uniform", "rng.uniform("), ("he_normal", "rng.normal("))
    ),
    Promise(
        "BatchNorm2d",
        "In evaluation it normalizes with the running statistics and leaves them alone.",
        "evaluation: from one mode into the other",
        broken=[
            (
                "            mean, var = self.running_mean, self.running_var\n",
                "            mean, var = self.__dict__.setdefault('prepared', (self.running_mean.clone(), "
                "self.running_var.clone()))\n",
            )
        ],
    ),
    Promise("layer_norm_forward", "any number of axes before that, also none.", "values: one sample"),
    Promise(
        "layer_norm_backward",
        "gamma and beta serve every sample, so their gradients are sums over the axes of x that gamma does not have.",
        "dgamma: sequences",
    ),
    Promise(
        "layer_statistics",
        "normalize subtracts a mean and divides by sqrt(var + 1e-5), var being the mean squared deviation;",
        "norm",
    ),
    Promise(
        "layer_statistics",
        "Errors up to 1e-9 (where x is float32, 1e-4) of the largest entry of an array, or of 1, pass.",
        "norm",
    ),
    Promise(
        "layer_statistics",
        "No fraction that is asked for depends on that, on 1e-6 more or less of an activation's input, on what your "
        "``tanh`` makes of the smallest numbers, or on whether your ``sigmoid`` is 0 or a little more far left of 0.",
        "saturated: sigmoid, near the point",
        broken=[
            ("slope = 4 * h * (1 - h)", "slope = np.abs(z) < 3.6369"),
            ("slope = 1 - h**2", "slope = np.abs(z) < 3.6369 / 2"),
        ],
        before="No fraction that is asked for depends on that, on what your ``tanh`` makes of the smallest numbers, or "
        "on whether your ``sigmoid`` is 0 or a little more far left of 0.",
    ),
    Promise(
        "xavier_uniform",
        "Each weight is drawn on its own, from the uniform distribution between -a and a whose variance is "
        "2 / (in_ + out):",
        "statistics",
        broken=[
            (
                "rng.uniform(-bound, bound, size=(out, in_))",
                "np.tile(rng.uniform(-bound, bound, size=((out + 1) // 2, in_)), (2, 1))[:out]",
            ),
            (
                "rng.uniform(-bound, bound, size=(out, in_))",
                "(rng.integers(0, 2**15, size=(out, in_)) / 2**14 - 1) * bound",
            ),
        ],
    ),
    Promise(
        "he_normal",
        "Nothing is cut off far from the mean.",
        "statistics: so many that thin tails show",
        broken=[
            (
                "rng.normal(scale=np.sqrt(2 / in_), size=(out, in_))",
                "np.sqrt(2 / in_) * (rng.random((12, out, in_)).sum(axis=0) - 6)",
            ),
            (
                "rng.normal(scale=np.sqrt(2 / in_), size=(out, in_))",
                "np.sqrt(2 / in_) * np.clip(rng.normal(size=(out, in_)), -3.5, 3.5)",
            ),
            (
                "rng.normal(scale=np.sqrt(2 / in_), size=(out, in_))",
                "np.tile(rng.normal(scale=np.sqrt(2 / in_), size=(out, (in_ + 1) // 2)), 2)[:, :in_]",
            ),
        ],
    ),
    Promise(
        "SigmoidFunction",
        "It calls ``backward`` instead, later and possibly after other calls of ``forward``, so whatever the "
        "backward pass needs travels in ``ctx``, which each call has to itself.",
        "values: three calls, then three backward",
    ),
    Promise(
        "SigmoidFunction",
        "At x = 1000 the sigmoid is 1, at x = -1000 it is 0, and its slope is 0 at both:",
        "values: far from zero",
        broken=[
            ("torch.where(x >= 0, 1, small) / (1 + small)", "torch.exp(x) / (1 + torch.exp(x))"),
            ("dy * y * (1 - y)", "dy * y**2 * (1 / y - 1)"),
        ],
    ),
    Promise("SigmoidFunction", "any shape.", "values: images, float32"),
    Promise("LayerNorm", "any number of axes before that.", "last: sequences"),
)

NOT_PROMISED = "nothing is said of a signal far from zero, which normalization and tanh keep near it"

NEAR_ZERO = "so near 0 both halves give 1/2, to the last digit that is asked for"

EQUIVALENTS = (
    *equivalents("activations", "sigmoid", "8d042ccd", (NEAR_ZERO, "x >= 0", ["x >= -1e-10"])),
    *equivalents("activations_torch", "SigmoidFunction", "0ae591cb", (NEAR_ZERO, "x >= 0", ["x >= -1e-10"])),
    *equivalents(
        "activations",
        "cross_entropy",
        "40b518cd",
        ("a target times False is 0", "np.where(kept, target, 0)", ["target * kept"]),
    ),
    *equivalents(
        "activations",
        "layer_statistics",
        "fad006d9",
        (NOT_PROMISED, "h.std()", ["((h ** 2).mean() - h.mean() ** 2) ** 0.5"]),
        (
            NOT_PROMISED,
            "a.var(axis=axis, keepdims=True)",
            ["(a ** 2).mean(axis=axis, keepdims=True) - a.mean(axis=axis, keepdims=True) ** 2"],
        ),
    ),
)
