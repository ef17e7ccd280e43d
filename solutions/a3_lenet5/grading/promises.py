"""What the docstrings of assignment 3 promise in sentences and errors, and what asks for it."""

from __future__ import annotations

from autograder.course import Promise, equivalents

FORWARD = "stride: (sh, sw) or one number for both, >= 1; None for windows side by side, (kh, kw)."
FIRST = "(stride[0] if isinstance(kernel_size, int) and isinstance(stride, tuple) else stride)"  # one number for all

PROMISES = (
    Promise(
        "max_pool_forward",
        "Padding never wins:",
        "padding: values far below zero, float32",
        broken=[
            ("-np.inf", "0"),
            ("-np.inf", "-1e9"),
            ("-np.inf", "-1e30"),
            ("-np.inf", "-3.4e38"),
            ("-np.inf", "-1e30 if x.dtype == np.float32 else -np.inf"),
        ],
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
        "padding: values from -1e308 to 1e308",
        before="as far from zero as float64 goes",
        broken=[
            (
                "padded = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=-np.inf)",
                "padded = np.pad(x - x.min(), ((0, 0), (0, 0), (ph, ph), (pw, pw)))",
            ),
        ],
    ),
    Promise(
        "max_pool_backward",
        "images given to the forward pass, shape (N, C, H, W), not padded; in the same range.",
        "padding: values from -1e308 to 1e308",
        broken=[
            (
                "padded = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=-np.inf)",
                "padded = np.pad(x - x.min() + 1, ((0, 0), (0, 0), (ph, ph), (pw, pw)))",
            ),
        ],
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
        "min_pool_zero_fraction",
        "A window gives zero as soon as one of its values is not positive, and only then:",
        "values: values of 1e-30, float32",
        broken=[("smallest == 0", "smallest < np.finfo(float).eps")],
    ),
    *(
        Promise(
            exercise,
            "images, shape (N, 1, 32, 32), used as they are: no scaling.",
            f"values: one image, as bright as bytes{mode}",
            broken=[(first, f"if x.max() > 100:\n{indent}    x = x / 255\n{indent}{first}")],
        )
        for exercise, mode, indent, first in (
            ("lenet5_forward", "", "    ", 'for layer in ("conv1", "conv2"):'),
            ("LeNet5", ", in evaluation mode", " " * 8, "x = F.max_pool2d(F.relu(self.conv1(x)), 2)"),
        )
    ),
    Promise(
        "LeNet5",
        "LeNet-5 in its modern form: what ``lenet5_forward`` computes, as a module.",
        "values: one image, as bright as bytes, in evaluation mode",
        broken=[("return logits", "return logits if self.training else logits.softmax(dim=1)")],
    ),
    Promise(
        "load_parameters",
        "Nothing else about the model changes: modes, gradients, ``requires_grad``.",
        "kept",
        broken=[
            ("    model.load", "    model.requires_grad_(False)\n    model.load"),
            ("    model.load", "    model.eval()\n    model.load"),
            ("    model.load", "    model.zero_grad()\n    model.load"),
        ],
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
                [
                    ("F.cross_entropy(model(x), y)", "F.nll_loss(model(x).softmax(dim=1).log(), y)"),
                    (
                        "F.cross_entropy(model(x), y)",
                        "F.nll_loss(((z := model(x)) - z.max()).softmax(dim=1).log(), y)",
                    ),
                ],
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
        "Values and the error may be as small as 1e-14 without being 0, and values as large as 1e14.",
        "values: a gain of nearly 1 at one place",
        before="Values may be as small as 1e-14 without being 0, and so may the error.",
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
        broken=[
            ("return x.reshape", "return x.astype(float).reshape"),
            ("return x.reshape", "return (x * 1).reshape"),
            (
                "return x.reshape",
                "return x.astype(max(x.dtype, np.float32) if x.dtype.kind == 'f' else x.dtype).reshape",
            ),
        ],
    ),
    Promise(
        "shift_image",
        "images, shape (..., H, W), any number of leading axes (also none), any dtype, finite.",
        "dtype: 8 bits",
        broken=[
            ("np.zeros_like(x)", "np.zeros(x.shape)"),
            ("np.zeros_like(x)", "np.zeros_like(x * 1)"),
            ("np.zeros_like(x)", "np.zeros_like(x, max(x.dtype, np.float32) if x.dtype.kind == 'f' else x.dtype)"),
        ],
    ),
    Promise(
        "shift_image", "rows to shift down, from -1000 to 1000;", "values: a thousand rows up and columns to the right"
    ),
    Promise(
        "shift_image",
        "columns to shift to the right, from -1000 to 1000;",
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
    Promise(
        "parameter_table",
        "Every filter and every linear output has a bias;",
        "values: colour images of another size, many hidden units",
        broken=[("sum(table.values())", "int(np.sum(list(table.values()), dtype=np.float32))")],
    ),
    Promise(
        "lenet5_loss_and_gradients",
        "and the gradients contain the division by N too.",
        "fc3: one image",
        broken=[("dlogits /= len(x)", "dlogits /= max(len(x), 2)")],
    ),
    *(
        Promise(exercise, sentence, case, broken=[(old, new)])
        for exercise, sentence, case, old, new in (
            (
                "max_pool_forward",
                "padding: (ph, pw) or one number for both, >= 0.",
                "padding: negative values in padding 1, 0",
                "_pair(padding)",
                "_pair(padding[0] if isinstance(kernel_size, int) and isinstance(padding, tuple) else padding)",
            ),
            (
                "max_pool_forward",
                FORWARD,
                "values: overlapping windows of 3 by 3, stride 2, 1",
                "_windows(padded, kernel_size, stride)",
                f"_windows(padded, kernel_size, {FIRST})",
            ),
            (
                "avg_pool_forward",
                FORWARD,
                "values: overlapping windows of 3 by 3, stride 2, 1",
                "_windows(x, kernel_size, stride)",
                f"_windows(x, kernel_size, {FIRST})",
            ),
            *(
                (
                    exercise,
                    "stride: (sh, sw), one number for both, or None for (kh, kw), as in the forward pass.",
                    "overlaps: 3 by 3 windows, stride 2, 1",
                    "else stride)",
                    f"else {FIRST})",
                )
                for exercise in ("max_pool_backward", "avg_pool_backward")
            ),
        )
    ),
    Promise(
        "dense_parameter_count",
        "Count the trainable numbers of a layer in which every output pixel is connected with every input pixel.",
        "values",
    ),
    Promise(
        "dense_parameter_count",
        "Every pixel of every output channel has weights of its own, one for each pixel of each input channel, "
        "and a bias of its own.",
        "values: millions",
        broken=[("return outputs * (inputs + 1)", "return int(np.float32(outputs) * np.float32(inputs + 1))")],
    ),
    Promise("dense_parameter_count", "From 1 x 32 x 32 to 6 x 28 x 28 that makes 4 821 600.", "values"),
    Promise(
        "locally_connected_parameter_count",
        "but every pixel of every output channel has weights of its own, and a bias of its own.",
        "values: one number for the window, millions",
        broken=[
            (
                "return channels * height * width * (in_shape[0] * kh * kw + 1)",
                "return int(np.float32(channels * height * width) * np.float32(in_shape[0] * kh * kw + 1))",
            ),
        ],
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
        "fc3: one image far brighter than the others",
        broken=[
            ("logits.max(axis=1, keepdims=True)", "logits.max(axis=1, keepdims=True, initial=0)"),
            ("np.exp(log_probability)", "np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)"),
            (
                "np.exp(log_probability)",
                "np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum(axis=1, keepdims=True)",
            ),
        ],
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
        "evaluate",
        "The last batch may be smaller, and every sample counts the same.",
        "accuracy: all in training mode",
        broken=[
            (
                "int((logits.argmax(dim=1) == y).sum())",
                "int((logits.argmax(dim=1) == y).float().mean().item() * len(x))",
            ),
        ],
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
