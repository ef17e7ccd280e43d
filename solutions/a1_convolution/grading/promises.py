"""What the docstrings of assignment 1 promise in sentences and errors, and what asks for it."""

from __future__ import annotations

from autograder.course import Promise, equivalents

PIXEL = "the window (kh, kw) is larger than the padded image"
SIZES = [
    "0 < pair(kernel_size)[0] - pair(size)[0] - 2 * pair(padding)[0] < pair(stride)[0]",
    "0 < pair(kernel_size)[1] - pair(size)[1] - 2 * pair(padding)[1] < pair(stride)[1]",
    "pair(kernel_size)[0] > pair(size)[0] + 2 * pair(padding)[0]",
    "pair(kernel_size)[1] > pair(size)[1] + 2 * pair(padding)[1]",
]
FILTERS = [
    "0 < w.shape[2] - x.shape[2] - 2 * pair(padding)[0] < pair(stride)[0]",
    "0 < w.shape[3] - x.shape[3] - 2 * pair(padding)[1] < pair(stride)[1]",
    "x.shape[1] < w.shape[1]",
    "x.shape[1] > w.shape[1]",
    "x.shape[1] == len(w) * w.shape[1]",
    "x.shape[1] < w.shape[1] and len(w) == 1",
    "w.shape[2] > x.shape[2] + 2 * pair(padding)[0]",
    "w.shape[3] > x.shape[3] + 2 * pair(padding)[1]",
]

PROMISES = (
    Promise(
        "convolve",
        "Samples outside a signal count as zero, and i runs over every index at which a product can be nonzero:",
        "values: a longer kernel than signal",
    ),
    Promise("convolve", "ValueError: x or h is empty.", "errors", swallowed=["x.size == 0", "h.size == 0"]),
    Promise("cross_correlate", "ValueError: h is longer than x.", "errors", swallowed=["len(h) == len(x) + 1"]),
    Promise(
        "convolution_matrix",
        "convolution is a linear map, and every linear map has one.",
        "values",
    ),
    Promise(
        "convolution_matrix",
        "The matrix M satisfies M @ x = convolve(x, h) for every signal x of n samples.",
        "values: more taps than columns",
    ),
    Promise(
        "impulse_response",
        "its output for any input x is the beginning of convolve(x, h), the first ``length`` samples.",
        "values: a filter of four taps",
    ),
    Promise(
        "impulse_response",
        "The answer as it is, loud or quiet, shape (length,), float64.",
        "values: a quiet filter",
        broken=[("return system(impulse)", "return system(impulse).round(10)")],
    ),
    Promise("impulse_response", "It takes for zero whatever comes before the first sample.", "values: a delay"),
    Promise(
        "is_linear",
        "Each one you meet violates linearity clearly for random signals of both signs, somewhere between amplitudes "
        "(standard deviations or largest values) of 0.01 and 100, from one to twice as large at least:",
        "systems: clipping of the largest signals",
        broken=[
            ("np.logspace(-3, 3, 13)", "np.logspace(-1, 1, 5)"),
            ("np.logspace(-3, 3, 13)", "np.logspace(-3, 1, 9)"),
            ("np.logspace(-3, 3, 13)", "np.logspace(-1, 3, 9)"),
            ("np.logspace(-3, 3, 13)", "(0.1, 1, 10)"),
            ("a, b = rng.standard_normal(2)", "u, v, (a, b) = abs(u), abs(v), abs(rng.standard_normal(2))"),
        ],
    ),
    Promise(
        "is_linear",
        "by more than a hundredth of the largest value on either side of the equation.",
        "systems: an offset at one sample of many",
        broken=[
            (
                """    for amplitude in np.logspace(-3, 3, 13):
        u, v = amplitude * rng.standard_normal((2, length))
        a, b = rng.standard_normal(2)
""",
                """    for amplitude in (0.01, 0.1, 1, 10, 100) * 10:
        u, v = amplitude * rng.standard_normal((2, length))
        a, b = 1, 1
        left, right = system(u + v), system(u) + system(v)
        if np.abs(left - right).max() <= 1e-2 * np.abs(right).max():
            continue
""",
            ),
            (
                """    for amplitude in np.logspace(-3, 3, 13):
        u, v = amplitude * rng.standard_normal((2, length))
        a, b = rng.standard_normal(2)
        response_to_sum = system(a * u + b * v)
        sum_of_responses = a * system(u) + b * system(v)
        difference = np.abs(response_to_sum - sum_of_responses).max()
        if not difference <= 1e-9 * np.abs(sum_of_responses).max():""",
                """    for amplitude in np.logspace(-2, 2, 9):
        u, v = amplitude * rng.standard_normal((2, length))
        response_to_sum, sum_of_responses = system(u + v), system(u) + system(v)
        difference = np.linalg.norm(response_to_sum - sum_of_responses)
        if not difference <= 1e-2 * np.linalg.norm(sum_of_responses):""",
            ),
        ],
    ),
    Promise(
        "is_linear",
        "A linear one fulfils it up to rounding errors, which are below 1e-12 of that value for random signals.",
        "systems: a loud filter",
        broken=[
            ("1e-9 * np.abs(sum_of_responses).max()", "1e-9"),
            (
                "difference <= 1e-9 * np.abs(sum_of_responses).max()",
                "np.allclose(response_to_sum, sum_of_responses, atol=0)",
            ),
        ],
    ),
    Promise(
        "is_linear",
        "The outputs may be loud or quiet, 1e7 or 1e-13 times as large as the signals.",
        "systems: a quiet square",
        broken=[
            ("1e-9 * np.abs(sum_of_responses).max()", "1e-9 * np.abs(sum_of_responses).max() + 1e-8"),
            ("1e-9 * np.abs(sum_of_responses).max()", "1e-9 * np.abs(sum_of_responses).max() + 1e-14"),
        ],
    ),
    Promise(
        "is_linear",
        "It does not write into its argument, but may return it, or a view of it.",
        "systems: the signal itself, backwards",
        broken=[
            (
                "        response_to_sum = system(a * u + b * v)\n"
                "        sum_of_responses = a * system(u) + b * system(v)\n",
                "        response_to_u, response_to_v = system(u), system(v)\n"
                "        u *= a\n"
                "        u += b * v\n"
                "        response_to_sum, sum_of_responses = system(u), a * response_to_u + b * response_to_v\n",
            )
        ],
    ),
    Promise(
        "is_time_invariant",
        "a system that adds 1 to every sample is time-invariant (and not linear).",
        "systems: an offset",
    ),
    Promise(
        "is_time_invariant",
        "One that keeps every second sample, y[n] = x[2 * n], and fills the rest of its output with zeros, is not.",
        "systems: every second sample kept",
    ),
    Promise(
        "is_time_invariant",
        "only those that keep every k-th sample, like the one above, look further ahead.",
        "systems: every third sample kept after a filter",
    ),
    Promise(
        "is_time_invariant",
        "It takes for zero whatever comes before the first sample and after the last.",
        "systems: a filter that looks ahead",
    ),
    Promise(
        "is_time_invariant",
        "It need not be linear, and may change its behaviour at any sample, the first and the last too.",
        "systems: a gain that differs at the last sample",
        broken=[("range(1, length - half + 1)", "range(1, length - half)")],
    ),
    Promise(
        "is_time_invariant",
        "Each system that is not time-invariant shows it clearly for random signals of both signs and some delay of at "
        "most half the length, somewhere between amplitudes (standard deviations or largest values) of 0.01 and 100, "
        "from one to twice as large at least:",
        "systems: a changing gain that only loud signals show",
        before="for random signals of both signs and some delay, somewhere between amplitudes",
        broken=[
            ("np.logspace(-3, 3, 13)", "np.logspace(-1, 1, 5)"),
            ("np.logspace(-3, 3, 13)", "np.logspace(-1, 3, 9)"),
            ("np.logspace(-3, 3, 13)", "np.logspace(-3, 1, 9)"),
            ("rng.standard_normal(half)", "rng.random(half)"),
            ("range(1, length - half + 1)", "range(1, 7)"),
        ],
    ),
    Promise(
        "is_time_invariant",
        "It does not write into its argument, but may return it, or a view of it.",
        "systems: the signal itself",
    ),
    Promise(
        "is_time_invariant",
        "One that is fulfils it up to rounding errors, which are below 1e-12 of that value for random signals.",
        "systems: a loud filter with rounding errors",
        broken=[("1e-9 * np.abs(response).max()", "1e-9")],
    ),
    Promise(
        "is_time_invariant",
        "The outputs may be loud or quiet, 1e7 or 1e-13 times as large as the signals.",
        "systems: a quiet changing gain",
        broken=[("rtol=0, atol=tolerance", "rtol=1e-9"), ("atol=tolerance", "atol=tolerance + 1e-14")],
    ),
    Promise(
        "cosine_similarity",
        "It lies between -1 and 1 (up to rounding errors), and scaling a vector by a positive number does not change "
        "it, as long as lengths stay between 1e-50 and 1e50.",
        "values: very short vectors",
        broken=[
            ("a @ b / lengths) if", "a @ b / (lengths + 1e-12)) if"),
            ("if lengths else", "if lengths > 1e-12 else"),
            ("np.linalg.norm(a) * np.linalg.norm(b)", "np.sqrt((a @ a) ** 2 * (b @ b) ** 2) ** 0.5"),
        ],
    ),
    Promise(
        "cosine_similarity",
        "The zero vector has no direction:",
        "values: int8, the smallest number of all",
        broken=[
            (
                "    a, b = _floating(a, b)\n",
                "    if min(abs(a).max(), abs(b).max()) <= 0:\n        return 0.0\n    a, b = _floating(a, b)\n",
            )
        ],
    ),
    Promise(
        "cosine_similarity",
        "Where one vector or both are float32, lengths are between 1e-8 and 1e8, and errors up to 1e-4 pass.",
        "values: short vectors in float32",
    ),
    Promise("cosine_similarity", "its cosine with any vector is defined as 0 here.", "values: a zero vector"),
    Promise(
        "match_template",
        "a constant window, all of whose samples are equal, scores exactly 0, and so does every window if the "
        "template is constant.",
        "constant: a constant window and template",
        broken=[("(np.ptp(windows, axis=1) > 0) & (np.ptp(template) > 0)", "lengths > 0")],
    ),
    Promise(
        "match_template",
        "In float64, signal and template, one or both, may lie far from zero, at 10 000 plus or minus 0.02, say, or be "
        "faint throughout, down to 1e-12:",
        "values: both at 10 000, of little contrast",
        broken=[
            (
                "np.linalg.norm(contrasts, axis=1) *",
                "np.sqrt(abs((windows**2).sum(axis=1) - len(template) * windows.mean(axis=1) ** 2)) *",
            ),
            ("* np.linalg.norm(wanted)", "* np.sqrt((template**2).sum() - len(template) * template.mean() ** 2)"),
            ("contrasts @ wanted", "windows @ template - len(template) * windows.mean(axis=1) * template.mean()"),
            ("(np.ptp(windows, axis=1) > 0)", "(windows.std(axis=1) > 1e-3 * abs(windows.mean(axis=1)))"),
            ("(np.ptp(windows, axis=1) > 0)", "(np.ptp(windows, axis=1) > 1e-5 * abs(windows).max(axis=1))"),
            ("(np.ptp(windows, axis=1) > 0)", "(np.ptp(windows, axis=1) > 1e-8)"),
            ("(np.ptp(template) > 0)", "(np.ptp(template) > 1e-8)"),
        ],
    ),
    Promise(
        "match_template",
        "It is 1 where the window is the template up to contrast and brightness (a * template + b with a > 0), and -1 "
        "where it is the negative.",
        "values: int8, the smallest number of all",
        broken=[
            (
                "    x, template = _floating(x, template)\n",
                "    if (np.ptp(template) <= 0) and len(template) <= len(x):\n"
                "        return np.zeros(len(x) - len(template) + 1)\n"
                "    x, template = _floating(x, template)\n",
            )
        ],
    ),
    Promise(
        "match_template",
        "A window may also be 100 000 times fainter than others of the same signal.",
        "values: a signal that is faint for a while",
        broken=[("(np.ptp(windows, axis=1) > 0)", "(np.ptp(windows, axis=1) > 1e-4 * np.ptp(x))")],
    ),
    Promise(
        "match_template",
        "ValueError: the template is longer than x.",
        "errors",
        swallowed=["len(template) == len(x) + 1"],
    ),
    Promise("output_size", "every second sample).", "values: dilation"),
    Promise(
        "output_size",
        "ValueError: not one window fits.",
        "errors",
        swallowed=[
            "dilation > 1",
            "padding > 0",
            "dilation == 1 and not padding",
            "0 < dilation * (kernel_size - 1) + 1 - size - 2 * padding < stride",
        ],
    ),
    Promise(
        "pad2d",
        "images, shape (..., H, W), any number of leading axes (also none), any real dtype.",
        "zeros: zeros: a batch of channels",
        before="any real dtype; H and W are at least 1.",
        broken=[
            (
                "    ph, pw = _pair(padding)\n",
                "    ph, pw = _pair(padding)\n    if x.ndim > 4:\n        raise IndexError\n",
            )
        ],
    ),
    Promise(
        "pad2d",
        'ValueError: mode is "reflect" and ph >= H or pw >= W, which leaves no sample to mirror.',
        "errors",
        swallowed=["pair(padding)[0] >= x.shape[-2]", "pair(padding)[1] >= x.shape[-1]"],
    ),
    Promise("window_coverage", f"ValueError: {PIXEL}.", "dtype", swallowed=SIZES),
    Promise(
        "window_coverage",
        "The counts, shape (H, W) (the padding is not part of it), int64.",
        "values: padding that treats all alike",
        broken=[("sw * j + kw] += 1\n", "sw * j + kw] += 1\n    seen %= 256\n")],
    ),
    Promise(
        "window_coverage",
        "Some are 0 where the stride leaps over pixels or leaves some over, and all where every window lies in the "
        "padding.",
        "values: windows in the padding alone",
        broken=[
            (
                "    return seen[ph : ph + height, pw : pw + width]",
                "    if not seen[ph : ph + height, pw : pw + width].any():\n"
                '        raise ValueError("no window")\n'
                "    return seen[ph : ph + height, pw : pw + width]",
            )
        ],
    ),
    Promise(
        "make_kernel",
        "standard deviation of the Gaussian in pixels, between 0.001 and 1000;",
        "blurs: gaussian, as narrow as may be",
        before="standard deviation of the Gaussian in pixels, > 0;",
    ),
    Promise(
        "make_kernel",
        "ValueError: the size is even or below 3, or it is not 3 and the kernel exists as 3 x 3 only, or there is no "
        "kernel of that name.",
        "errors",
        swallowed=[
            "size % 2 == 0",
            "size < 3",
            "name == 'laplacian' and size > 3",
            "name == 'sharpen' and size > 3",
            "size == 3 and name not in ('box', 'gaussian')",
        ],
        broken=[("    match name:\n", "    match name.lower():\n")],
    ),
    Promise(
        "filter_image",
        "Responses, which may be of any size, are first rounded to the nearest integer (at halves, up to rounding "
        "errors, either neighbour will do), then clipped to 0...255.",
        "range: a kernel that brightens a thousand times",
        broken=[
            (".round().clip(0, 255)", ".round().astype(int).astype(np.int16).clip(0, 255)"),
            (
                "pad2d(image, (kh // 2, kw // 2), mode), kernel)",
                "pad2d(image.astype(np.float32), (kh // 2, kw // 2), mode), kernel.astype(np.float32))",
            ),
        ],
    ),
    Promise(
        "filter_image",
        "of any real dtype, int8 and float16 too.",
        "grey: a kernel of float16",
        broken=[
            ("pad2d(image, (", "pad2d(image.astype(kernel.dtype), ("),
            (
                "pad2d(image, (",
                "pad2d(image.astype(kernel.dtype if np.issubdtype(kernel.dtype, np.floating) else float), (",
            ),
        ],
    ),
    Promise(
        "filter_image",
        "ValueError: kh or kw is even, so that the kernel has no centre.",
        "errors",
        swallowed=["kernel.shape[0] % 2 == 0", "kernel.shape[1] % 2 == 0"],
    ),
    Promise(
        "conv2d_forward",
        f"ValueError: x and w differ in C, or {PIXEL}.",
        "errors",
        swallowed=FILTERS,
        broken=[
            (
                "    sh, sw = _pair(stride)\n",
                "    sh, sw = _pair(stride)\n    if w.shape[2] > x.shape[2] or w.shape[3] > x.shape[3]:\n"
                '        raise ValueError("larger than the image")\n',
            ),
        ],
    ),
    Promise(
        "conv2d_backward",
        "with the shapes of x, w and b, in the one dtype that dy, x and w have.",
        "dx: float32",
        before="with the shapes of x, w and b, in the common floating dtype.",
    ),
    Promise(
        "learn_kernel",
        "(w, losses), in the dtype of x and y:",
        "kernel: one step",
        before="(w, losses), in the common floating dtype of x and y:",
    ),
    Promise(
        "learn_kernel",
        "w after the last step, shape (kh, kw), and the loss before each step, shape (steps,), however little a step "
        "changes w.",
        "losses: the best kernel after one of four steps",
        broken=[
            (
                "        w -= lr",
                "        if losses[step] > losses[0]:\n            losses[step:] = losses[step]\n            break\n"
                "        w -= lr",
            ),
            (
                "        w -= lr",
                "        if not correlate2d(x, residual).any():\n            losses[step:] = 0\n            break\n"
                "        w -= lr",
            ),
        ],
    ),
    Promise(
        "conv2d_backward",
        "The chain rule sums over every output that an entry takes part in;",
        "dx_strided: padding 2",
    ),
    Promise(
        "conv2d_backward",
        "Pixels of x that no window sees have gradient zero.",
        "dx_strided: windows in the padding alone",
        broken=[
            (
                "    return dx, dw, db",
                "    return dx[:, :, : len(dx[0, 0]) if dx.any() else 0], dw, db",
            )
        ],
    ),
    Promise(
        "im2col",
        "images, shape (N, C, H, W), any real dtype.",
        "values: uint8",
        broken=[("pad2d(x, padding)", "pad2d(x if _pair(padding) == (0, 0) else x * 1.0, padding)")],
    ),
    Promise(
        "im2col",
        f"ValueError: {PIXEL}.",
        "strided",
        swallowed=[condition.replace("pair(size)", "x.shape[2:]") for condition in SIZES],
    ),
    Promise(
        "conv2d_im2col",
        "at most 30 times the CPU time of a solution without any Python loop, on 8 images of 3 x 24 x 20 pixels "
        "and 8 "
        "filters of 5 x 3.",
        "speed",
    ),
    Promise("conv2d_im2col", f"ValueError: x and w differ in C, or {PIXEL}.", "values", swallowed=FILTERS),
    Promise(
        "conv2d_parameter_count",
        "Every output channel has a filter of its own, which spans all input channels, and a bias of its own.",
        "values",
    ),
    Promise(
        "linear_parameter_count",
        "Count the trainable numbers of a linear layer, which connects every input with every output.",
        "values",
    ),
    Promise("linear_parameter_count", "Every output has a bias of its own.", "values: a bias"),
    Promise("col2im", f"ValueError: {PIXEL}.", "values", swallowed=[*SIZES, "cols.shape[2] == 0"]),
    Promise(
        "Conv2d",
        "random weights, so that no two filters begin alike, of an expected absolute value below 1 (any if C = kh = kw "
        "= 1);",
        "parameters: one filter",
        before="random weights, whose absolute values are below 1 on average, so that no two filters begin alike;",
    ),
    Promise(
        "Conv2d",
        "It can be applied again, to images of any other size.",
        "values: after images of another size",
        broken=[
            (
                'y = torch.einsum("ncijuv,fcuv->nfij", windows, self.weight)',
                "self.size = getattr(self, 'size', windows.shape[2:4])\n"
                '        y = torch.einsum("ncijuv,fcuv->nfij", windows, self.weight)\n'
                "        y = y.reshape(len(x), -1, *self.size)",
            )
        ],
    ),
    Promise("nchw_to_nhwc", "images, shape (N, C, H, W), any dtype.", "values: integers"),
    Promise("nhwc_to_nchw", "images, shape (N, H, W, C), any dtype.", "values: integers"),
)

EQUIVALENTS = equivalents(
    "convolution",
    "make_kernel",
    "713bca8b",
    ("sigma is 0.001 at least", "sigma", ["its default where it is falsy"]),
)
