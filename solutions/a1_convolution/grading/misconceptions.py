"""Mistakes that students make in assignment 1, each a patch of the reference and a teacher's sentence."""

from __future__ import annotations

from autograder.course import Misconception

MISCONCEPTIONS = (
    # Signals and systems
    Misconception(
        "kernel not flipped",
        "convolve",
        "Both indices run the same way here: that is cross-correlation. In a convolution they add up to the output's.",
        "enumerate(h)",
        "enumerate(h[::-1])",
    ),
    Misconception(
        "negative indices",
        "convolve",
        "Before its first sample a signal counts as zero. Python has another opinion about negative indices.",
        """    for delay, weight in enumerate(h):
        y[delay : delay + len(x)] += weight * x
""",
        """    for i in range(len(y)):
        for k in range(len(h)):
            if i - k < len(x):
                y[i] += x[i - k] * h[k]
""",
    ),
    Misconception(
        "as long as the signal",
        "convolve",
        "The output stops where the signal does, but the kernel still has something to say about the last samples.",
        "    return y",
        "    return y[: len(x)]",
        "T1-42",
    ),
    Misconception(
        "empty only if both are",
        "convolve",
        "One of the two signals may be empty while the other is not, and that has no answer either.",
        "x.size == 0 or h.size == 0",
        "x.size == 0 and h.size == 0",
    ),
    Misconception(
        "template flipped",
        "cross_correlate",
        "This is a convolution: the template runs backwards. To search for something, hold it the way it stands.",
        "@ h",
        "@ h[::-1]",
    ),
    Misconception(
        "signal and template exchanged",
        "cross_correlate",
        "The shorter signal is not always the template. Searching for a long one in a short one has no answer.",
        "    x, h = _floating(x, h)",
        """    x, h = _floating(x, h)
    if len(h) > len(x):
        x, h = h, x""",
    ),
    Misconception(
        "kernel backwards in every column",
        "convolution_matrix",
        "Apply your matrix to the unit impulse: out comes a column, and it should be the kernel as it stands.",
        "= h",
        "= h[::-1]",
    ),
    Misconception(
        "square matrix",
        "convolution_matrix",
        "A convolution's output is longer than its input, so its matrix has more rows than columns.",
        "    return matrix",
        "    return matrix[:n]",
    ),
    Misconception(
        "unit step",
        "impulse_response",
        "This measures the answer to a step. An impulse is over after one sample.",
        "impulse[0] = 1",
        "impulse[:] = 1",
    ),
    Misconception(
        "impulse in the middle",
        "impulse_response",
        "The impulse comes late: time begins at n equal to 0, and the answer is read from there.",
        "impulse[0] = 1",
        "impulse[length // 2] = 1",
    ),
    Misconception(
        "answer to silence subtracted",
        "impulse_response",
        "You measure the system and then improve on it. Its answer is what it is, offset and all.",
        "return system(impulse)",
        "return system(impulse) - system(np.zeros(length))",
    ),
    Misconception(
        "homogeneity alone",
        "is_linear",
        "Scaling the input was tried, adding two inputs was not. Some systems scale properly and still are not linear.",
        """        u, v = amplitude * rng.standard_normal((2, length))
        a, b = rng.standard_normal(2)
        response_to_sum = system(a * u + b * v)
        sum_of_responses = a * system(u) + b * system(v)
""",
        """        u = amplitude * rng.standard_normal(length)
        a = rng.standard_normal()
        response_to_sum = system(a * u)
        sum_of_responses = a * system(u)
""",
    ),
    Misconception(
        "linear at one loudness",
        "is_linear",
        "No test signal is really loud. Some systems behave well until a signal is large enough.",
        "np.logspace(-3, 3, 13)",
        "np.ones(13)",
    ),
    Misconception(
        "equal to the last bit",
        "is_linear",
        "Two sums in another order differ by rounding errors. A linear system should not be condemned for those.",
        "not difference <= 1e-9 * np.abs(sum_of_responses).max()",
        "not np.array_equal(response_to_sum, sum_of_responses)",
    ),
    Misconception(
        "positive samples and factors",
        "is_linear",
        "No test signal or factor is ever negative, and so whatever goes wrong below zero stays unseen.",
        """        u, v = amplitude * rng.standard_normal((2, length))
        a, b = rng.standard_normal(2)
""",
        """        u, v = amplitude * rng.random((2, length))
        a, b = rng.random(2)
""",
    ),
    Misconception(
        "one delay",
        "is_time_invariant",
        "A single delay was tried. Imagine a system that changes with just that period.",
        "range(1, length - half + 1)",
        "(half,)",
    ),
    Misconception(
        "end comes round to the beginning",
        "is_time_invariant",
        "A delay that rolls the signal round brings its end back in front. Look up what should move in there instead.",
        "        x[:half] = amplitude * rng.standard_normal(half)",
        "        x[:] = amplitude * rng.standard_normal(length)",
    ),
    Misconception(
        "end pushed out",
        "is_time_invariant",
        "The delayed signal has lost its end, and a system that looks ahead notices. Leave some room on the right.",
        """        x[:half] = amplitude * rng.standard_normal(half)  # the zeros behind leave room for the delays
        response = system(x.copy())
        tolerance = 1e-9 * np.abs(response).max()
        for delay in range(1, length - half + 1):
            response_to_delayed = system(np.roll(x, delay))
""",
        """        x[:] = amplitude * rng.standard_normal(length)
        response = system(x.copy())
        tolerance = 1e-9 * np.abs(response).max()
        for delay in range(1, length - half + 1):
            response_to_delayed = system(np.concatenate([np.zeros(delay), x[:-delay]]))
""",
    ),
    Misconception(
        "silence expected before the delayed signal",
        "is_time_invariant",
        "You expect zeros before the delayed signal begins. Not every system answers silence with silence.",
        "np.allclose(response_to_delayed[delay:], response[:-delay], rtol=0, atol=tolerance)",
        "np.allclose(response_to_delayed, np.r_[np.zeros(delay), response[:-delay]], rtol=0, atol=tolerance)",
    ),
    Misconception(
        "invariant at one loudness",
        "is_time_invariant",
        "Neither very quiet nor very loud signals were tried, and a system may hide what it does to the others.",
        "np.logspace(-3, 3, 13)",
        "(1.0,)",
    ),
    # Similarity
    Misconception(
        "zero vector divides",
        "cosine_similarity",
        "The zero vector has length 0, and you divide by it. Its cosine was given a value by definition.",
        "float(a @ b / lengths) if lengths else 0.0",
        "float(np.float64(a @ b) / lengths)",
    ),
    Misconception(
        "a little added to the lengths",
        "cosine_similarity",
        "A small number in the denominator avoids one division by zero and makes every other answer slightly wrong.",
        "a @ b / lengths) if lengths else 0.0",
        "a @ b / (lengths + 1e-8))",
    ),
    Misconception(
        "one length taken out",
        "cosine_similarity",
        "Only one of the two vectors had its length taken out: make the other twice as long and see what happens.",
        "np.linalg.norm(a) * np.linalg.norm(b)",
        "np.linalg.norm(a) ** 2",
    ),
    Misconception(
        "means left in",
        "match_template",
        "The windows keep their brightness: a bright plateau has nearly the direction of any bright template.",
        """    contrasts = windows - windows.mean(axis=1, keepdims=True)
    wanted = template - template.mean()
""",
        """    contrasts = windows
    wanted = template
""",
    ),
    Misconception(
        "mean of the whole signal",
        "match_template",
        "The signal lost one mean for all windows. A bright stretch of it is then still bright.",
        "windows.mean(axis=1, keepdims=True)",
        "x.mean()",
    ),
    Misconception(
        "contrast of the windows kept",
        "match_template",
        "A window with more contrast scores higher here. The score should be blind to that, as a cosine is.",
        "np.linalg.norm(contrasts, axis=1) * np.linalg.norm(wanted)",
        "np.full(len(windows), np.linalg.norm(wanted) ** 2)",
    ),
    Misconception(
        "constant but for rounding errors",
        "match_template",
        "The mean of equal numbers may differ from them in the last digit, so nothing is exactly zero any more.",
        "(np.ptp(windows, axis=1) > 0) & (np.ptp(template) > 0)",
        "lengths > 0",
    ),
    Misconception(
        "no window, no error",
        "match_template",
        "The template does not fit into the signal, and the function returns an empty answer without a word.",
        "    windows = sliding_window_view(x, len(template))",
        """    if len(template) > len(x):
        return np.zeros(0)
    windows = sliding_window_view(x, len(template))""",
    ),
    # Padding
    Misconception(
        "padding counted once",
        "output_size",
        "Padding is added on two sides.",
        "2 * padding",
        "padding",
        "T1-14",
    ),
    Misconception(
        "rounded up",
        "output_size",
        "The last window sticks out of the axis. Only windows that fit wholly count.",
        "(size + 2 * padding - extent) // stride + 1",
        "-(-(size + 2 * padding - extent) // stride) + 1",
        "T1-12",
    ),
    Misconception(
        "dilated extent too long",
        "output_size",
        "Between the samples of a dilated window lie gaps. Count the gaps once more, also for a window of one.",
        "dilation * (kernel_size - 1) + 1",
        "dilation * kernel_size",
        "T1-17",
    ),
    Misconception(
        "cut towards zero",
        "output_size",
        "Rounding a negative number by cutting its decimals makes it larger: so a window that does not fit is counted.",
        "(size + 2 * padding - extent) // stride + 1",
        "int((size + 2 * padding - extent) / stride) + 1",
    ),
    Misconception(
        "edge repeated",
        "pad2d",
        "Reflection has its mirror on the outermost sample, not beside it: look at how often that sample appears.",
        """        rows = last_row - abs(last_row - abs(rows))
        columns = last_column - abs(last_column - abs(columns))
""",
        """        rows = np.where(rows < 0, -rows - 1, rows)
        rows = np.where(rows > last_row, 2 * last_row + 1 - rows, rows)
        columns = np.where(columns < 0, -columns - 1, columns)
        columns = np.where(columns > last_column, 2 * last_column + 1 - columns, columns)
""",
    ),
    Misconception(
        "padding of rows and columns exchanged",
        "pad2d",
        "Rows go with the height and columns with the width. Try it with two different numbers.",
        "ph, pw = _pair(padding)",
        "pw, ph = _pair(padding)",
        "T1-15",
    ),
    Misconception(
        "image in the corner",
        "pad2d",
        "All the zeros are below and to the right. The image belongs in the middle of them.",
        "padded[..., ph : ph + height, pw : pw + width] = x",
        "padded[..., :height, :width] = x",
    ),
    Misconception(
        "round to the other side",
        "pad2d",
        "What goes out on one side comes in on the other, as if the image were a tile. Replication knows one edge.",
        "rows.clip(0, height - 1), columns.clip(0, width - 1)",
        "rows % height, columns % width",
    ),
    Misconception(
        "first two axes padded",
        "pad2d",
        "In a batch of images the height and the width are not the first two axes. Count the axes from the other end.",
        "x.shape[-2:]",
        "x.shape[:2]",
    ),
    Misconception(
        "mirror beyond the image",
        "pad2d",
        "An image of three rows has two beside its edge to be mirrored. Check where your limit lies.",
        "ph >= height or pw >= width",
        "ph > height or pw > width",
    ),
    Misconception(
        "always floating",
        "pad2d",
        "Padding computes nothing, so nothing forces whole numbers to become decimals. Ask which type a new array has.",
        "(*x.shape[:-2], height + 2 * ph, width + 2 * pw), x.dtype)",
        "(*x.shape[:-2], height + 2 * ph, width + 2 * pw))",
        carried=False,
    ),
    Misconception(
        "padding kept",
        "window_coverage",
        "You count for the padding too. The question was about the image's own pixels.",
        "seen[ph : ph + height, pw : pw + width]",
        "seen",
    ),
    Misconception(
        "windows one apart",
        "window_coverage",
        "The number of windows is right, but they stand side by side. Ask how far apart the stride puts them.",
        "seen[sh * i : sh * i + kh, sw * j : sw * j + kw]",
        "seen[i : i + kh, j : j + kw]",
        "T1-09",
    ),
    Misconception(
        "counts as decimals",
        "window_coverage",
        "A count is a whole number. Look up which type an array of zeros has if you do not say.",
        "width + 2 * pw), np.int64)",
        "width + 2 * pw))",
    ),
    # Images
    Misconception(
        "kernel flipped",
        "correlate2d",
        "This is a true convolution: the kernel was turned by half a circle. Correlation takes it as it stands.",
        "windows, w)",
        "windows, w[::-1, ::-1])",
    ),
    Misconception(
        "patch transposed",
        "correlate2d",
        "Window and kernel meet with rows against columns. A transpose that makes shapes fit hides on square kernels.",
        '"ijuv,uv->ij", windows, w',
        '"ijuv,vu->ij", windows, w',
        "T1-02",
    ),
    Misconception(
        "last window missed",
        "correlate2d",
        "The loops stop before the last row and column of the output. Ask where the last window that fits begins.",
        """    y: np.ndarray = np.einsum("ijuv,uv->ij", windows, w)
""",
        """    y = np.zeros(windows.shape[:2], x.dtype)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if i + w.shape[0] < x.shape[0] and j + w.shape[1] < x.shape[1]:
                y[i, j] = (windows[i, j] * w).sum()
""",
        "T1-03",
    ),
    Misconception(
        "stored as the image's integers",
        "correlate2d",
        "The output array was made like the image, and an image of integers has no room for fractions.",
        """    x, w = _floating(x, w)
    windows = sliding_window_view(x, w.shape)
    y: np.ndarray = np.einsum("ijuv,uv->ij", windows, w)
""",
        """    windows = sliding_window_view(x, w.shape)
    y = np.zeros_like(x, shape=windows.shape[:2])
    y[:] = np.einsum("ijuv,uv->ij", windows, w)
""",
        "T1-36",
        carried=False,
    ),
    Misconception(
        "computed in eight bits",
        "correlate2d",
        "Eight bits count to 255 and begin again. Products and sums of pixels soon go beyond that.",
        """    x, w = _floating(x, w)
    windows""",
        "    windows",
    ),
    Misconception(
        "single precision lost in the plane",
        "correlate2d",
        "The numbers are right but twice as wide as those that came in. Ask where the output gets its type from.",
        """    y: np.ndarray = np.einsum("ijuv,uv->ij", windows, w)
""",
        """    y = np.zeros(windows.shape[:2])
    y += np.einsum("ijuv,uv->ij", windows, w)
""",
    ),
    Misconception(
        "centre of eight at every size",
        "make_kernel",
        "The centre balances all the others so that the sum is zero. In a larger kernel there are more of them.",
        "size * size * identity - 1",
        "9 * identity - 1",
    ),
    Misconception(
        "blurred instead of sharpened",
        "make_kernel",
        "This Laplacian is positive at its centre. One sign brings out the edges, the other smooths them away.",
        "identity + laplacian",
        "identity - laplacian",
    ),
    Misconception(
        "variance forgotten",
        "make_kernel",
        "The bell has the right width for a sigma of 1 only. Look at what happens to sigma in the exponent.",
        "2 * sigma**2",
        "2 * sigma",
    ),
    Misconception(
        "integral instead of sum",
        "make_kernel",
        "That constant is the integral of a continuous bell. A few samples of it add up to something else.",
        "kernel /= kernel.sum()",
        "kernel /= 2 * np.pi * sigma**2",
    ),
    Misconception(
        "even sizes let through",
        "make_kernel",
        "A kernel with an even number of rows has no pixel in its middle, so nobody should get one.",
        "size < 3 or size % 2 == 0",
        "size < 3",
    ),
    Misconception(
        "three by three whatever was asked",
        "make_kernel",
        "Somebody asked for a size that this kernel does not have, and received another one without being told.",
        'name in ("laplacian", "sharpen") and size != 3',
        "False",
    ),
    Misconception(
        "no clipping",
        "filter_image",
        "Eight bits hold 0 to 255, and a response may lie outside. Think about what a cast does with those values.",
        "response.round().clip(0, 255).astype(np.uint8)",
        "response.round().astype(np.int64).astype(np.uint8)",
    ),
    Misconception(
        "decimals cut off",
        "filter_image",
        "A cast to integers cuts off the decimals: 99.9 becomes 99. That is not the nearest integer.",
        "response.round()",
        "response",
    ),
    Misconception(
        "rims of rows and columns exchanged",
        "filter_image",
        "The rim that a kernel needs above and below depends on its height, the one at the sides on its width.",
        "(kh // 2, kw // 2)",
        "(kw // 2, kh // 2)",
        "T1-15",
    ),
    Misconception(
        "always zeros outside",
        "filter_image",
        "The caller chose what lies outside the image, and nobody passed the choice on. Compare the outermost pixels.",
        "(kh // 2, kw // 2), mode)",
        "(kh // 2, kw // 2))",
        "T1-05",
    ),
    Misconception(
        "absolute value of the response",
        "filter_image",
        "Negative responses have become positive. They do not fit into a picture, but that is another matter.",
        "response.round()",
        "abs(response).round()",
    ),
    Misconception(
        "stretched to the full range",
        "filter_image",
        "Each result is stretched until it fills 0 to 255. A blur should leave a uniform grey as grey as it was.",
        "response.round()",
        "((response - response.min()) * (255 / np.ptp(response))).round()",
    ),
    Misconception(
        "rows taken for channels",
        "filter_image",
        "A colour image is a stack of pictures along one of its axes. Ask which one; its length gives it away.",
        """[filter_image(image[:, :, c], kernel, mode=mode) for c in range(image.shape[2])]
        return np.stack(channels, axis=2)""",
        """[filter_image(image[c], kernel, mode=mode) for c in range(image.shape[0])]
        return np.stack(channels, axis=0)""",
    ),
    Misconception(
        "colour by the length of the last axis",
        "filter_image",
        "A grey image may happen to be three pixels wide. Colour is a matter of how many axes there are.",
        """    if image.ndim == 3:
        channels = [filter_image(image[:, :, c], kernel, mode=mode) for c in range(image.shape[2])]
        return np.stack(channels, axis=2)
""",
        """    if image.shape[-1] == 3:
        channels = [correlate2d(pad2d(image[:, :, c], (kh // 2, kw // 2), mode), kernel) for c in range(3)]
        return np.stack(channels, axis=2).round().clip(0, 255).astype(np.uint8)
""",
    ),
    Misconception(
        "even kernels let through",
        "filter_image",
        "An even kernel has no centre to be laid on a pixel, and the picture that comes back has another size.",
        """    if kh % 2 == 0 or kw % 2 == 0:
        raise ValueError("a kernel with an even side has no centre")
""",
        "",
    ),
    # Layers
    Misconception(
        "stride ignored in the window's start",
        "conv2d_forward",
        "The size of the output follows the stride, but its windows do not: ask where the window of output i starts.",
        "[:, :, ::sh, ::sw]",
        """[
        :, :, : (padded.shape[2] - w.shape[2]) // sh + 1, : (padded.shape[3] - w.shape[3]) // sw + 1
    ]""",
        "T1-09",
    ),
    Misconception(
        "filters flipped",
        "conv2d_forward",
        "A layer does not turn its filters round: what networks call convolution is a correlation.",
        "windows, w)",
        "windows, w[:, :, ::-1, ::-1])",
    ),
    Misconception(
        "strides exchanged",
        "conv2d_forward",
        "The first number of a stride is the step down, the second the step across. Here they trade places.",
        "sh, sw = _pair(stride)",
        "sw, sh = _pair(stride)",
        "T1-15",
    ),
    Misconception(
        "bias once for every channel",
        "conv2d_forward",
        "The bias was added inside the sum over the channels. Count how many biases an output has.",
        "y += b[:, None, None]",
        "y += x.shape[1] * b[:, None, None]",
    ),
    Misconception(
        "first image for all",
        "conv2d_forward",
        "Every image of the batch gets the answer to the first one. An index 0 somewhere drops the batch.",
        "    return y",
        "    return np.broadcast_to(y[:1], y.shape)",
        "T1-07",
    ),
    Misconception(
        "padding on one axis only",
        "conv2d_forward",
        "The padding of the rows serves for the columns as well. A pair may hold two different numbers.",
        "padded = pad2d(x, padding)",
        "padded = pad2d(x, _pair(padding)[0])",
        "T1-15",
    ),
    Misconception(
        "photograph's padding in a layer",
        "conv2d_forward",
        "You continue the image beyond its edge, as for photographs. This layer is told what to assume out there.",
        "pad2d(x, padding)",
        'pad2d(x, padding, "replicate")',
        "T1-05",
    ),
    Misconception(
        "empty output instead of an error",
        "conv2d_forward",
        "A filter larger than the image leaves no output at all. Nobody will notice an empty array until much later.",
        "    sh, sw = _pair(stride)\n    padded = pad2d(x, padding)",
        """    sh, sw = _pair(stride)
    padded = pad2d(x, padding)
    if padded.shape[2] < w.shape[2] or padded.shape[3] < w.shape[3]:
        return np.zeros((len(x), len(w), 0, 0))""",
    ),
    Misconception(
        "single precision lost in the layer",
        "conv2d_forward",
        "Float32 went in and float64 came out: a network would take twice the memory from here on.",
        '    y: np.ndarray = np.einsum("ncijuv,fcuv->nfij", windows, w)',
        """    y = np.zeros((len(x), len(w), *windows.shape[2:4]))
    y += np.einsum("ncijuv,fcuv->nfij", windows, w)""",
    ),
    Misconception(
        "overlaps overwritten",
        "conv2d_backward",
        "A pixel takes part in several windows. The chain rule has something to say about all of them, not the last.",
        "dpadded[met] += np",
        "dpadded[met] = np",
        "T1-21",
    ),
    Misconception(
        "filters turned round on the way back",
        "conv2d_backward",
        "Going back, each weight returns to the pixel that it met going forward. Follow a single one both ways.",
        "w[:, :, u, v])",
        "w[:, :, -1 - u, -1 - v])",
    ),
    Misconception(
        "filters and channels exchanged",
        "conv2d_backward",
        "On the way back, filters are summed and channels remain. With equally many of both, a mix-up raises no error.",
        '"nfij,fc->ncij"',
        '"nfij,cf->ncij"',
        "T1-24",
    ),
    Misconception(
        "averaged over the batch",
        "conv2d_backward",
        "The gradient of the weights was divided by the number of images. If the loss averages, it has done so.",
        'np.einsum("nfij,ncij->fc", dy, padded[met])',
        'np.einsum("nfij,ncij->fc", dy, padded[met]) / len(x)',
    ),
    Misconception(
        "mean for the bias",
        "conv2d_backward",
        "A bias takes part in every output of its filter. Ask the chain rule what it does with many paths.",
        "dy.sum(axis=(0, 2, 3))",
        "dy.mean(axis=(0, 2, 3))",
    ),
    Misconception(
        "cropped from minus zero",
        "conv2d_backward",
        "Cutting off the last zero rows by a negative index leaves nothing at all: minus zero is zero.",
        "dpadded[:, :, ph : ph + height, pw : pw + width]",
        "dpadded[:, :, ph:-ph, pw:-pw]",
        "T1-27",
    ),
    Misconception(
        "leftover pixels dropped",
        "conv2d_backward",
        "Some pixels lie beyond the last window. Their gradient is zero, but they are part of the image.",
        "dpadded[:, :, ph : ph + height, pw : pw + width]",
        """dpadded[
        :,
        :,
        ph : max(0, sh * (out_height - 1) + w.shape[2] - ph),
        pw : max(0, sw * (out_width - 1) + w.shape[3] - pw),
    ]""",
        "T1-26",
    ),
    Misconception(
        "stride forgotten for the weights",
        "conv2d_backward",
        "The gradient of the weights walks the image pixel by pixel. Forward, the windows stood further apart.",
        "dy, padded[met]",
        "dy, padded[:, :, u : u + out_height, v : v + out_width]",
        "T1-09",
    ),
    Misconception(
        "flipped in place",
        "conv2d_backward",
        "The answer is right, but afterwards an array of the caller's is not what it was. A slice is not a copy.",
        """    for u, v in np.ndindex(w.shape[2:]):
        # The pixels that weight (u, v) meets, one for each output.
        met = np.s_[:, :, u : u + sh * out_height : sh, v : v + sw * out_width : sw]
        dw[:, :, u, v] = np.einsum("nfij,ncij->fc", dy, padded[met])
        dpadded[met] += np.einsum("nfij,fc->ncij", dy, w[:, :, u, v])
""",
        """    w[:] = w[:, :, ::-1, ::-1].copy()
    for u, v in np.ndindex(w.shape[2:]):
        met = np.s_[:, :, u : u + sh * out_height : sh, v : v + sw * out_width : sw]
        dw[:, :, u, v] = np.einsum("nfij,ncij->fc", dy, padded[met])
        dpadded[met] += np.einsum("nfij,fc->ncij", dy, w[:, :, -1 - u, -1 - v])
""",
    ),
    Misconception(
        "channels innermost",
        "im2col",
        "The rows of your matrix list the channels last, the flattened filters list them first: they never meet.",
        "transpose(0, 1, 4, 5, 2, 3)",
        "transpose(0, 4, 5, 1, 2, 3)",
        "T1-18",
    ),
    Misconception(
        "windows column by column",
        "im2col",
        "Your windows follow one another downwards. The pixels of the output stand in another order.",
        "transpose(0, 1, 4, 5, 2, 3)",
        "transpose(0, 1, 4, 5, 3, 2)",
        "T1-45",
    ),
    Misconception(
        "windows as rows",
        "im2col",
        "Each window became a row of the matrix. The name of the function says what it should become.",
        "reshape(images, channels * kh * kw, rows * columns)",
        "reshape(images, channels * kh * kw, rows * columns).swapaxes(1, 2)",
        "T1-22",
    ),
    Misconception(
        "stride applied twice",
        "im2col",
        "A limit that counts outputs was used for positions in the image: so the stride took its share twice.",
        "[:, :, ::sh, ::sw]",
        """
    windows = windows[:, :, : -(-windows.shape[2] // sh) : sh, : -(-windows.shape[3] // sw) : sw]""",
        "T1-11",
    ),
    Misconception(
        "images mixed by a reshape",
        "conv2d_im2col",
        "A reshape never moves an axis. With all images in one matrix, the filters come first and the images second.",
        """    y: np.ndarray = w.reshape(filters, -1) @ im2col(x, kernel_size, stride=stride, padding=padding)
    y += b[:, None]
""",
        """    cols = np.concatenate(list(im2col(x, kernel_size, stride=stride, padding=padding)), axis=1)
    y = w.reshape(filters, -1) @ cols + b[:, None]
""",
        "T1-20",
    ),
    Misconception(
        "axes of length one squeezed away",
        "conv2d_im2col",
        "Squeezing removes every axis of length one, also the one of a single filter or of a single image.",
        "y.reshape(len(x), filters, rows, columns)",
        "y.reshape(len(x), filters, rows, columns).squeeze()",
        "T1-46",
    ),
    Misconception(
        "filters in the order of memory",
        "conv2d_im2col",
        "You lay the numbers of a filter in a row as they lie in memory. A transposed array has them in another order.",
        "w.reshape(filters, -1)",
        'w.reshape(filters, -1, order="A")',
    ),
    Misconception(
        "loops remain",
        "conv2d_im2col",
        "Each output is still computed in a loop of its own. The columns were made to leave that to a product.",
        """    y: np.ndarray = w.reshape(filters, -1) @ im2col(x, kernel_size, stride=stride, padding=padding)
    y += b[:, None]
""",
        """    cols = im2col(x, kernel_size, stride=stride, padding=padding)
    y = np.zeros((len(x), filters, rows * columns), x.dtype)
    for n, f, i in np.ndindex(y.shape):
        y[n, f, i] = np.sum(cols[n, :, i] * w[f].ravel()) + b[f]
""",
    ),
    Misconception(
        "one channel deep",
        "conv2d_parameter_count",
        "A filter is not flat: it has weights for every channel that comes in.",
        "in_channels * kh * kw",
        "kh * kw",
        "T1-40",
    ),
    Misconception(
        "one bias for the layer",
        "conv2d_parameter_count",
        "The whole layer shares a single bias here. Look again at how many the forward pass adds.",
        "out_channels * (in_channels * kh * kw + int(bias))",
        "out_channels * in_channels * kh * kw + int(bias)",
    ),
    Misconception(
        "bias counted always",
        "conv2d_parameter_count",
        "A layer may be made without biases. Then there are fewer numbers to be counted.",
        "int(bias)",
        "1",
    ),
    Misconception(
        "a bias for every input",
        "linear_parameter_count",
        "You have given a bias to each input. Ask yourself what a bias is added to.",
        "out_features * (in_features + int(bias))",
        "in_features * (out_features + int(bias))",
        "T1-41",
    ),
    # Learning
    Misconception(
        "uphill",
        "learn_kernel",
        "The loss grows from step to step: a gradient points to where it rises.",
        "w -= lr",
        "w += lr",
    ),
    Misconception(
        "derivative of the square",
        "learn_kernel",
        "The step is too short by a constant factor. Differentiate the square once more, on paper.",
        "lr * 2 / residual.size",
        "lr / residual.size",
    ),
    Misconception(
        "sum instead of mean",
        "learn_kernel",
        "The loss is a mean, but its gradient is that of a sum, and so the steps are far too long.",
        "lr * 2 / residual.size",
        "lr * 2",
    ),
    Misconception(
        "loss after the step",
        "learn_kernel",
        "The losses are right but one step late: each belongs to the kernel before it is changed.",
        """        losses[step] = np.mean(residual**2)
        w -= lr * 2 / residual.size * correlate2d(x, residual)
""",
        """        w -= lr * 2 / residual.size * correlate2d(x, residual)
        losses[step] = np.mean((correlate2d(x, w) - y) ** 2)
""",
    ),
    Misconception(
        "last step not taken",
        "learn_kernel",
        "The kernel that you return belongs to the last loss. Read again which loss is not among them.",
        """        w -= lr * 2 / residual.size * correlate2d(x, residual)
    return w, losses""",
        """        previous = w.copy()
        w -= lr * 2 / residual.size * correlate2d(x, residual)
    return previous if steps else w, losses""",
    ),
    Misconception(
        "last window wins",
        "col2im",
        "Where windows overlap, only what came last is left. Every window has something to add.",
        "+= entries",
        "= entries",
        "T1-21",
    ),
    Misconception(
        "averaged where windows overlap",
        "col2im",
        "You divide by the number of windows, as if the image were to come back. Nobody promised an inverse.",
        "    return padded[",
        """    seen = np.zeros(padded.shape[2:])
    for u, v in np.ndindex(kh, kw):
        seen[u : u + sh * rows : sh, v : v + sw * columns : sw] += 1
    padded /= seen.clip(1)
    return padded[""",
    ),
    # PyTorch
    Misconception(
        "padded twice",
        "conv2d_unfold",
        "The images are padded, and then the function that cuts the windows pads them again. Pad in one place.",
        "F.unfold(x, (kh, kw)",
        "F.unfold(F.pad(x, 2 * [_pair(padding)[1]] + 2 * [ph]), (kh, kw)",
        "T1-08",
    ),
    Misconception(
        "dilation not passed on",
        "conv2d_unfold",
        "The size of the output knows about the dilation, the windows themselves do not.",
        "dilation=dilation, ",
        "",
    ),
    Misconception(
        "images made anew",
        "conv2d_unfold",
        "A tensor that is made anew from another's numbers has no history, and no gradient finds the way back.",
        "F.unfold(x,",
        "F.unfold(torch.tensor(x.tolist(), dtype=x.dtype),",
    ),
    Misconception(
        "bias left out",
        "Conv2d",
        "The layer holds a bias but its output does not depend on it; neither will its gradient.",
        "return y if self.bias is None else y + self.bias[:, None, None]",
        "return y",
    ),
    Misconception(
        "pads of rows and columns exchanged",
        "Conv2d",
        "This function pads the last axis first. Your rows received what was meant for the columns.",
        "(pw, pw, ph, ph)",
        "(ph, ph, pw, pw)",
        "T1-15",
    ),
    Misconception(
        "weights not registered",
        "Conv2d",
        "The weights are an ordinary tensor, so the module does not know them: no optimizer will ever move them.",
        "nn.Parameter(nn.init.xavier_uniform_(torch.empty(out_channels, in_channels, kh, kw)))",
        "nn.init.xavier_uniform_(torch.empty(out_channels, in_channels, kh, kw))",
    ),
    Misconception(
        "bias in spite of all",
        "Conv2d",
        "Whoever asks for a layer without a bias finds one in it all the same.",
        "nn.Parameter(torch.zeros(out_channels)) if bias else None",
        "nn.Parameter(torch.zeros(out_channels))",
    ),
    Misconception(
        "weights taken out of the graph",
        "Conv2d",
        "The output is right, but the weights learn nothing: you compute with their numbers behind autograd's back.",
        "windows, self.weight)",
        "windows, self.weight.data)",
    ),
    Misconception(
        "reshaped to channels last",
        "nchw_to_nhwc",
        "The shape is right and the pixels are scattered: a reshape reads on in memory and moves no axis.",
        "x.permute(0, 2, 3, 1)",
        "x.reshape(x.shape[0], x.shape[2], x.shape[3], x.shape[1])",
    ),
    Misconception(
        "copied to be contiguous",
        "nchw_to_nhwc",
        "The answer is right but it is a copy. What is written into it is not seen in the images.",
        "x.permute(0, 2, 3, 1)",
        "x.permute(0, 2, 3, 1).contiguous()",
    ),
    Misconception(
        "same permutation both ways",
        "nhwc_to_nchw",
        "There and back are not the same permutation: done twice, it would have to return the image.",
        "x.permute(0, 3, 1, 2)",
        "x.permute(0, 2, 3, 1)",
    ),
    Misconception(
        "height and width exchanged",
        "nhwc_to_nchw",
        "The channels are where they should be, but every picture lies on its side. Trading two axes is not enough.",
        "x.permute(0, 3, 1, 2)",
        "x.transpose(1, 3)",
        "T1-15",
    ),
    Misconception(
        "round trip through NumPy",
        "nhwc_to_nchw",
        "The pixels are copied on their way. PyTorch can move axes without touching a single number.",
        "x.permute(0, 3, 1, 2)",
        "torch.tensor(x.numpy().transpose(0, 3, 1, 2))",
    ),
)
