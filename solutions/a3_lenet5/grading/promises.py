"""What the docstrings of assignment 3 promise in sentences and errors, and what asks for it."""

from __future__ import annotations

from autograder.course import Promise, equivalents

PROMISES = (
    Promise(
        "max_pool_forward",
        "Padding never wins:",
        "padding: values far below zero",
        broken=[("-np.inf", "0"), ("-np.inf", "-1e9"), ("-np.inf", "-1e30"), ("-np.inf", "-3.4e38")],
    ),
    Promise(
        "max_pool_forward",
        "ValueError: ph > kh // 2 or pw > kw // 2 (PyTorch refuses it too), or the window (kh, kw) is larger "
        "than the padded image.",
        "errors",
        swallowed=[
            "pair(padding)[0] > pair(kernel_size)[0] // 2",
            "pair(padding)[1] > pair(kernel_size)[1] // 2",
            "pair(kernel_size)[0] > x.shape[2] + 2 * pair(padding)[0]",
            "pair(kernel_size)[1] > x.shape[3] + 2 * pair(padding)[1]",
            "0 < pair(kernel_size)[0] - x.shape[2] - 2 * pair(padding)[0] < pair(stride or kernel_size)[0]",
            "0 < pair(kernel_size)[1] - x.shape[3] - 2 * pair(padding)[1] < pair(stride or kernel_size)[1]",
        ],
    ),
    Promise(
        "max_pool_forward",
        "images, shape (N, C, H, W), between -1e308 and 1e308 (in float32, -1e38 and 1e38).",
        "padding: values below all of float32",
        before="as far from zero as float64 goes",
    ),
    Promise(
        "max_pool_backward",
        "each receives dy times a fraction from 0 to 1, and the fractions sum to 1.",
        "ties",
        broken=[("-np.inf", "x.min()"), ("-np.inf", "-1e9"), ("-np.inf", "0")],
    ),
    Promise(
        "avg_pool_forward",
        "no pixel is 1000 times as large as the largest mean.",
        needless="it says what is not asked",
    ),
    Promise(
        "avg_pool_forward",
        "images, shape (N, C, H, W), from -1e30 to 1e30;",
        needless="it says what is not asked",
        before="images, shape (N, C, H, W), finite;",
    ),
    Promise(
        "avg_pool_backward", "The gradient of a pixel is the sum over every window that it takes part in;", "overlaps"
    ),
    Promise(
        "max_pool_backward",
        "Only the largest value of a window has an influence on y, so that pixel alone receives the window's dy, "
        "however little it leads by.",
        "values: maxima that are as small as a hair",
        broken=[(".argmax(axis=-1)", ".round(12).argmax(axis=-1)")],
    ),
    Promise(
        "min_pool_zero_fraction",
        "a value of 1e-12 is not zero.",
        "values: values of 1e-12",
        broken=[(".min(axis=(4, 5))", ".prod(axis=(4, 5))"), ("smallest == 0", "np.isclose(smallest, 0)")],
    ),
    Promise(
        "train",
        "their lengths may differ, and an image that comes twice in a batch counts twice.",
        "losses: images that come twice",
        broken=[("x[batch], y[batch]", "x[np.unique(batch)], y[np.unique(batch)]")],
    ),
    *(
        Promise(
            exercise,
            "takes images to logits, shape (N, classes), which may be as large as 1e5 or -1e5.",
            "loss: logits near -1e5",
            broken=broken,
        )
        for exercise, broken in (
            (
                "train_epoch",
                [("F.cross_entropy(model(x), y)", "F.nll_loss(model(x).softmax(dim=1).log(), y)")],
            ),
            (
                "evaluate",
                [
                    ("F.cross_entropy(logits, y,", "F.nll_loss(logits.softmax(dim=1).log(), y,"),
                    ("logits.argmax(dim=1)", "logits.exp().argmax(dim=1)"),
                    ("logits.argmax(dim=1)", "logits.sigmoid().argmax(dim=1)"),
                ],
            ),
        )
    ),
    Promise(
        "load_parameters",
        "Floating tensors are given float32 or float64 arrays, and int64 tensors, which count, int64 arrays from 0 to "
        "2 ** 53 - 1.",
        "values: float32 into float32, a large counter",
        broken=[("torch.tensor(array)", "torch.tensor(array, dtype=next(model.parameters()).dtype)")],
    ),
    Promise(
        "evaluate",
        "Measure loss and accuracy of a classifier, and leave no trace in it.",
        "gradient",
        broken=[
            ("    model.eval()\n", "    model.eval()\n    model.zero_grad()\n"),
            ("    model.eval()\n", "    model.eval().requires_grad_(False)\n"),
        ],
    ),
    Promise(
        "flatten",
        "What is returned may be a new array or a view of an argument, and may be read-only; later calls must not "
        "change it.",
        "values: an answer that is kept while another is given",
        before="a view of an argument or one that you keep: nobody writes into it.",
    ),
    Promise(
        "equivariance_error",
        "Its answer may be its argument, or read-only.",
        "values: a mean that is spread over each map",
        broken=[
            (
                "np.abs(moved - expected)[inside]",
                "np.abs(np.subtract(moved, expected, out=moved))[inside]",
            ),
            (
                "expected = shift_image(layer(x), down // stride, right // stride)",
                "answer = layer(x)\n"
                "    answer[...] = shift_image(answer, down // stride, right // stride)\n"
                "    expected = answer",
            ),
        ],
    ),
    Promise(
        "invariance_rate",
        "Its answer may be its argument, or read-only.",
        "values: a mean that is spread over each map",
        broken=[
            (
                "np.abs(layer(shift_image(x, down, right)) - before)",
                "np.abs(np.subtract(y := layer(shift_image(x, down, right)), before, out=y))",
            ),
        ],
    ),
    Promise(
        "equivariance_error",
        "Values may be as small as 1e-14 without being 0, and so may the error.",
        "values: a gain of nearly 1 at one place",
        broken=[
            ("scale == 0", "scale < 1e-12"),
            (
                "return float(difference / scale)",
                "return float(difference / scale) if difference > 1e-9 * scale else 0.0",
            ),
            (
                "return float(difference / scale)",
                "return float(difference / scale) if difference > 1e-12 * scale else 0.0",
            ),
        ],
    ),
    Promise(
        "flatten",
        "images, shape (N, C, H, W), N >= 1, any dtype.",
        "values: 8 bits",
        broken=[("return x.reshape", "return x.astype(float).reshape"), ("return x.reshape", "return (x * 1).reshape")],
    ),
    Promise(
        "shift_image",
        "images, shape (..., H, W), any number of leading axes (also none), any dtype, finite.",
        "dtype: 8 bits",
        broken=[
            ("np.zeros_like(x)", "np.zeros(x.shape)"),
            ("np.zeros_like(x)", "np.zeros_like(x * 1)"),
        ],
    ),
    Promise("shift_image", "rows to shift down, at most 1000;", "values: a thousand rows up and columns to the right"),
    Promise(
        "shift_image",
        "columns to shift to the right, at most 1000;",
        "values: a thousand rows up and columns to the right",
    ),
    Promise(
        "invariance_rate",
        "A sample counts as unchanged if no entry of its output, borders included, differs by more than 1e-12 "
        "between the image and the shifted image.",
        "values: pixels as faint as 1e-11",
        broken=[
            ("<= 1e-12", "<= 1e-9"),
            ("<= 1e-12", "== 0"),
            ("<= 1e-12", "< 1e-12"),
            ("<= 1e-12", "<= 1e-12 * (1 + np.abs(before).max())"),
            ("<= 1e-12", "<= 1e-12 * (1 + np.abs(before).max()) * 1e3"),
        ],
    ),
    Promise("invariance_rate", "1e-12 is below the rounding errors of float32.", "values"),
    Promise("parameter_table", "Every filter and every linear output has a bias;", "values"),
    Promise(
        "dense_parameter_count",
        "Count the trainable numbers of a layer in which every output pixel is connected with every input pixel.",
        "values",
    ),
    Promise(
        "dense_parameter_count",
        "Every pixel of every output channel has weights of its own, one for each pixel of each input channel, "
        "and a bias of its own.",
        "values",
    ),
    Promise("dense_parameter_count", "From 1 x 32 x 32 to 6 x 28 x 28 that makes 4 821 600.", "values"),
    Promise(
        "locally_connected_parameter_count",
        "but every pixel of every output channel has weights of its own, and a bias of its own.",
        "values",
    ),
    Promise(
        "locally_connected_parameter_count",
        "from 1 x 32 x 32 to 6 x 28 x 28 with 5 x 5 windows it makes 122 304, between the dense layer's 4 821 "
        "600 and the convolution's 156.",
        "values",
    ),
    Promise(
        "lenet5_loss_and_gradients",
        "Logits may be as large as 1e5 or -1e5:",
        "loss: all logits near -1e5",
        broken=[("logits.max(axis=1, keepdims=True)", "logits.max(axis=1, keepdims=True, initial=0)")],
    ),
    Promise(
        "lenet5_loss_and_gradients",
        "none between 0 and 1e-6, in float32 0.01, is asked for.)",
        needless="it says what is not asked",
        before="none between 0 and 1e-6 is asked for.)",
    ),
    Promise(
        "lenet5_loss_and_gradients",
        "The slope of ReLU at exactly 0 counts as 0, as in PyTorch.",
        "conv2: units at exactly 0",
        broken=[
            ("(z1 > 0)", "(z1 >= 0)"),
            ("(z2 > 0)", "(z2 >= 0)"),
            ("(z3 > 0)", "(z3 >= 0)"),
            ("(z4 > 0)", "(z4 >= 0)"),
        ],
    ),
    Promise(
        "sgd_momentum_step",
        "(params, velocity): dictionaries with the same keys.",
        "values",
        before="(params, velocity): new dictionaries with the same keys.",
    ),
    Promise(
        "sgd_momentum_step", "how much of the velocity is kept, from 0 to 1, both included.", "values: no momentum"
    ),
    Promise(
        "train",
        "how much of the velocity is kept from step to step, from 0 to 1, both included.",
        "parameters: two steps without momentum",
    ),
    Promise(
        "train_epoch",
        "The whole model is trained in training mode, whatever mode it, or a part of it, comes in.",
        "mode",
        broken=[
            ("    model.train()", "    if not model.training:\n        model.train()"),
            ("    model.train()", "    if model.training:\n        model.train()"),
        ],
    ),
    Promise(
        "train_epoch",
        "pairs (x, y) of images and classes, from a list, a DataLoader or any other iterable, which may be "
        "exhausted after one pass;",
        "loss",
        broken=[("    total, samples = 0.0, 0\n", "    total, samples = 0.0, 0\n    steps = len(list(batches))\n")],
    ),
    Promise(
        "evaluate",
        "Afterwards every module in it is in the mode that it was in before:",
        "modes",
        broken=[
            (
                "    for module, training in modes:\n        module.training = training\n",
                "    model.train(modes[0][1])\n",
            )
        ],
    ),
    Promise(
        "evaluate",
        "pairs (x, y) of images and classes, from any iterable, which may be exhausted after one pass;",
        "loss",
        broken=[
            (
                "    loss, correct, samples = 0.0, 0, 0\n",
                "    loss, correct, samples = 0.0, 0, 0\n    steps = len(list(batches))\n",
            )
        ],
    ),
    Promise(
        "evaluate", "The last batch may be smaller, and every sample counts the same.", "loss: all in training mode"
    ),
    Promise(
        "evaluate",
        "(where several are largest, but for rounding errors, it is left open which one counts).",
        "accuracy",
        before="(where several are largest, it is left open which one counts).",
    ),
    Promise(
        "load_parameters",
        "its state dictionary, of parameters and buffers, has exactly the keys of params, and holds nothing under two "
        "names.",
        "values",
        before="has exactly the keys of params. It may have other buffers,",
        broken=[
            (
                "model.load_state_dict({name: torch.tensor(array) for name, array in params.items()})",
                "for name, parameter in model.named_parameters():\n        "
                "parameter.data.copy_(torch.tensor(params[name]))",
            ),
            (
                "model.load_state_dict({name: torch.tensor(array) for name, array in params.items()})",
                "for name, parameter in model.named_parameters():\n        parameter.data = "
                "torch.from_numpy(params[name]).to(parameter.dtype)",
            ),
        ],
    ),
)

EQUIVALENTS = (
    *equivalents(
        "lenet5",
        "avg_pool_backward",
        "43393f0d",
        ("only the shape of x matters, as the docstring says", "x", ["read as if contiguous"]),
    ),
    *equivalents(
        "lenet5",
        "lenet5_loss_and_gradients",
        "5dba854c",
        (
            "of the parameters, whose shapes are fixed, none has a first or a last axis of one",
            "the answer",
            ["without a first axis of one", "without a last axis of one"],
        ),
    ),
)
