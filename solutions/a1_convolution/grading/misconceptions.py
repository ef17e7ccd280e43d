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
    ),
    Misconception(
        "empty only if both are",
        "convolve",
        "One of the two signals may be empty while the other is not, and that has no answer either.",
        "x.size == 0 or h.size == 0",
        "x.size == 0 and h.size == 0",
    ),
    Misconception(
        "the middle alone",
        "convolve",
        "You keep as many samples as the signal has, from the middle. The whole convolution has both ends, too.",
        "    return y",
        "    start = (len(h) - 1) // 2\n    return y[start : start + len(x)]",
    ),
    Misconception(
        "full overlap alone",
        "convolve",
        "You keep the samples at which the two signals overlap wholly. They have products before and after that, too.",
        "    return y",
        "    shorter, longer = sorted((len(x), len(h)))\n    return y[shorter - 1 : longer]",
    ),
    Misconception(
        "one sample too many",
        "convolve",
        "The last sample is always zero: no product reaches it. Count how far the last samples of both come together.",
        "len(x) + len(h) - 1",
        "len(x) + len(h)",
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
        "last position missed",
        "cross_correlate",
        "The template was not tried at the last place where it fits. Count the places for two signals of one length.",
        "sliding_window_view(x, len(h)) @ h",
        "sliding_window_view(x, len(h))[:-1] @ h",
    ),
    Misconception(
        "zeros around the signal",
        "cross_correlate",
        "The template is also laid where it sticks out of the signal, over zeros. It should fit wholly.",
        "    y: np.ndarray = sliding_window_view(x, len(h)) @ h",
        """    if len(h) > len(x):
        raise ValueError("the template is longer than the signal")
    around = np.zeros(len(h) - 1, x.dtype)
    y = sliding_window_view(np.concatenate([around, x, around]), len(h)) @ h""",
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
        "columns laid as rows",
        "convolution_matrix",
        "The matrix lies on its side. What it is multiplied with is a column of n samples.",
        "    return matrix",
        "    return matrix.T",
    ),
    Misconception(
        "wrapped round the end",
        "convolution_matrix",
        "What goes out below comes in above: this convolves signals on a ring. A signal here has zeros behind its end.",
        """    matrix = np.zeros((n + len(h) - 1, n), h.dtype)
    for delay in range(n):
        matrix[delay : delay + len(h), delay] = h
""",
        """    matrix = np.zeros((n, n), h.dtype)
    for delay, k in np.ndindex(n, len(h)):
        matrix[(delay + k) % n, delay] += h[k]
""",
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
        "counted from one",
        "impulse_response",
        "The impulse comes one sample late, as if the first sample had the number 1.",
        "impulse[0] = 1",
        "impulse[1] = 1",
    ),
    Misconception(
        "quiet answers taken for zero",
        "impulse_response",
        "An answer that is small all over is a quiet one, not rounding errors. Nothing in it is to be tidied up.",
        "    return system(impulse)",
        """    answer = np.array(system(impulse))
    answer[np.abs(answer) < 1e-10] = 0
    return answer""",
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
        "impulses for test signals",
        "is_linear",
        "A single sample that is not zero never meets another. Some systems multiply or compare neighbours.",
        "        u, v = amplitude * rng.standard_normal((2, length))\n",
        """        u, v = np.zeros((2, length))
        u[0], v[length // 2] = amplitude * rng.standard_normal(2)
""",
    ),
    Misconception(
        "silence alone",
        "is_linear",
        "You ask only whether silence is answered with silence. Linear systems do that, and many others do, too.",
        """        if not difference <= 1e-9 * np.abs(sum_of_responses).max():  # so written, it is also true of NaN
            return False
    return True
""",
        """        if difference is None:
            return False
    return not system(np.zeros(length)).any()
""",
    ),
    Misconception(
        "linear among loud signals",
        "is_linear",
        "No test signal is really quiet. Some systems behave well as soon as a signal has been loud enough.",
        "np.logspace(-3, 3, 13)",
        "np.logspace(-1, 3, 9)",
    ),
    Misconception(
        "each sample measured by itself",
        "is_linear",
        "Where a sample should be zero, a rounding error is large beside it. Measure errors against the largest value.",
        """        difference = np.abs(response_to_sum - sum_of_responses).max()
        if not difference <= 1e-9 * np.abs(sum_of_responses).max():  # so written, it is also true of NaN
""",
        """        if not np.allclose(response_to_sum, sum_of_responses, rtol=1e-6, atol=0):
""",
    ),
    Misconception(
        "one tolerance for loud and quiet",
        "is_linear",
        "Your tolerance is the same for every system. A loud one's rounding errors are larger than all of a quiet one.",
        "difference <= 1e-9 * np.abs(sum_of_responses).max()",
        "difference <= 1e-8",
    ),
    Misconception(
        "linear by NumPy's tolerance",
        "is_linear",
        "NumPy calls two numbers close whenever both are tiny. A quiet system has nothing but tiny outputs.",
        "difference <= 1e-9 * np.abs(sum_of_responses).max()",
        "np.allclose(response_to_sum, sum_of_responses)",
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
    Misconception(
        "delayed impulse",
        "is_time_invariant",
        "An impulse is the only signal that you delay. It is over before it could meet a second sample, or grow loud.",
        """        x[:half] = amplitude * rng.standard_normal(half)  # the zeros behind leave room for the delays
""",
        "        x[0] = 1\n",
    ),
    Misconception(
        "invariant to the last bit",
        "is_time_invariant",
        "A delayed signal may be summed in another order, and sums then differ by rounding errors. Allow for those.",
        "not np.allclose(response_to_delayed[delay:], response[:-delay], rtol=0, atol=tolerance)",
        "tolerance >= 0 and not np.array_equal(response_to_delayed[delay:], response[:-delay])",
    ),
    Misconception(
        "invariant among loud signals",
        "is_time_invariant",
        "No test signal is quiet over its whole length. A system may change only what it does to such signals.",
        "np.logspace(-3, 3, 13)",
        "np.logspace(0, 3, 7)",
    ),
    Misconception(
        "same tolerance for loud and quiet",
        "is_time_invariant",
        "Your tolerance is the same for every system. A loud one's rounding errors are larger than all of a quiet one.",
        "tolerance = 1e-9 * np.abs(response).max()",
        "tolerance = 1e-8",
    ),
    Misconception(
        "invariant by NumPy's tolerance",
        "is_time_invariant",
        "NumPy calls two numbers close whenever both are tiny. A quiet system has nothing but tiny outputs.",
        "rtol=0, atol=tolerance)",
        "atol=max(1e-8, 0 * tolerance))",
    ),
    Misconception(
        "slow change missed",
        "is_time_invariant",
        "A system may change so slowly that short delays hardly show it; and over a long one, too, it changes little.",
        """    half = length // 2
    for amplitude in np.logspace(-3, 3, 13):
        x = np.zeros(length)
        x[:half] = amplitude * rng.standard_normal(half)  # the zeros behind leave room for the delays
        response = system(x.copy())
        tolerance = 1e-9 * np.abs(response).max()
""",
        """    half = length - 4
    for amplitude in np.logspace(-3, 3, 13):
        x = np.zeros(length)
        x[:half] = amplitude * rng.standard_normal(half)
        response = system(x.copy())
        tolerance = 1e-2 * np.abs(response).max()
""",
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
        "lengths left in",
        "cosine_similarity",
        "This is the inner product alone: it grows with the vectors. A cosine never goes beyond 1.",
        "float(a @ b / lengths) if lengths else 0.0",
        "float(a @ b)",
    ),
    Misconception(
        "squares of the lengths",
        "cosine_similarity",
        "A vector's product with itself is the square of its length. You divide by more than you should.",
        "np.linalg.norm(a) * np.linalg.norm(b)",
        "(a @ a) * (b @ b)",
    ),
    Misconception(
        "correlation coefficient",
        "cosine_similarity",
        "You take the means off first. That is another measure: here vectors are compared as they are.",
        "    a, b = _floating(a, b)\n",
        "    a, b = (v - v.mean() for v in _floating(a, b))\n",
    ),
    Misconception(
        "angle for its cosine",
        "cosine_similarity",
        "You return the angle itself. For two vectors of one direction the answer should be 1.",
        "float(a @ b / lengths) if lengths else 0.0",
        "float(np.arccos(np.clip(a @ b / lengths, -1, 1))) if lengths else 0.0",
    ),
    Misconception(
        "inner product in eight bits",
        "cosine_similarity",
        "The inner product is taken in the integers that came in. Eight bits count to 255 and begin again.",
        """    a, b = _floating(a, b)
    lengths = """,
        "    lengths = ",
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
    Misconception(
        "mean left in the template",
        "match_template",
        "The windows lose their mean and the template keeps its own: its length is too large, and no score reaches 1.",
        "wanted = template - template.mean()",
        "wanted = template",
    ),
    Misconception(
        "lengths before the means",
        "match_template",
        "The means are off in the products but still on in the lengths. Compare the same vectors in both places.",
        "np.linalg.norm(contrasts, axis=1) * np.linalg.norm(wanted)",
        "np.linalg.norm(windows, axis=1) * np.linalg.norm(template)",
    ),
    Misconception(
        "constant but for errors of float64",
        "match_template",
        "Your limit for rounding errors in a mean fits double precision. In single precision they are far larger.",
        "varying = (np.ptp(windows, axis=1) > 0) & (np.ptp(template) > 0)",
        """varying = np.abs(contrasts).max(axis=1) > 1e-13 * np.abs(windows).max(axis=1)
    varying &= np.abs(wanted).max() > 1e-13 * np.abs(template).max()""",
    ),
    Misconception(
        "constant by NumPy's tolerance",
        "match_template",
        "Samples that NumPy calls close need not be equal: far from zero, or near it, little contrast looks like none.",
        "varying = (np.ptp(windows, axis=1) > 0) & (np.ptp(template) > 0)",
        "varying = ~np.isclose(windows, windows[:, :1]).all(axis=1) & (not np.allclose(template, template[0]))",
    ),
    Misconception(
        "faint windows taken for constant",
        "match_template",
        "A window or template of little contrast is no constant one. Your limit ignores how faint signals may be.",
        "(np.ptp(windows, axis=1) > 0) & (np.ptp(template) > 0)",
        "(windows.std(axis=1) > 1e-8) & (template.std() > 1e-8)",
    ),
    Misconception(
        "constant but for rounding errors in double precision",
        "match_template",
        "The mean of equal numbers may differ from them in the last digit, in double precision too: none of it is 0.",
        """    contrasts = windows - windows.mean(axis=1, keepdims=True)
    wanted = template - template.mean()
    lengths = np.linalg.norm(contrasts, axis=1) * np.linalg.norm(wanted)
    varying = (np.ptp(windows, axis=1) > 0) & (np.ptp(template) > 0)
""",
        """    contrasts = windows - windows.mean(axis=1, keepdims=True, dtype=float)
    wanted = template - template.mean(dtype=float)
    lengths = np.linalg.norm(contrasts, axis=1) * np.linalg.norm(wanted)
    varying = lengths > 0
""",
    ),
    # Padding
    Misconception(
        "padding counted once",
        "output_size",
        "Padding is added on two sides.",
        "2 * padding",
        "padding",
    ),
    Misconception(
        "rounded up",
        "output_size",
        "The last window sticks out of the axis. Only windows that fit wholly count.",
        "(size + 2 * padding - extent) // stride + 1",
        "-(-(size + 2 * padding - extent) // stride) + 1",
    ),
    Misconception(
        "dilated extent too long",
        "output_size",
        "Between the samples of a dilated window lie gaps. Count the gaps once more, also for a window of one.",
        "dilation * (kernel_size - 1) + 1",
        "dilation * kernel_size",
    ),
    Misconception(
        "cut towards zero",
        "output_size",
        "Rounding a negative number by cutting its decimals makes it larger: so a window that does not fit is counted.",
        "(size + 2 * padding - extent) // stride + 1",
        "int((size + 2 * padding - extent) / stride) + 1",
    ),
    Misconception(
        "first window forgotten",
        "output_size",
        "You count the steps between the windows. There is one window more than steps.",
        "// stride + 1",
        "// stride",
        carried=False,
    ),
    Misconception(
        "one added before the division",
        "output_size",
        "The one is divided by the stride as well. Count by hand for a window as long as the axis.",
        "(size + 2 * padding - extent) // stride + 1",
        "(size + 2 * padding - extent + 1) // stride",
    ),
    Misconception(
        "fit asked without dilation",
        "output_size",
        "Whether a window fits is asked of its samples alone. A dilated window is longer than the samples it takes.",
        "    if count < 1:",
        "    if size + 2 * padding < kernel_size:",
    ),
    Misconception(
        "one gap in all",
        "output_size",
        "The window has a gap after its first sample only. With dilation, every sample is that far from the next.",
        "dilation * (kernel_size - 1) + 1",
        "kernel_size + dilation - 1",
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
        carried=False,
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
        "zeros whatever the mode",
        "pad2d",
        "The frame is always filled with zeros. The caller may ask for other samples out there.",
        'if mode == "zeros":',
        'if mode != "":',
        carried=False,
    ),
    Misconception(
        "corners left at zero",
        "pad2d",
        "The four sides are filled and the corners are not. Pad one axis first, then the other one of the result.",
        "    return x[..., rows[:, None], columns]",
        """    padded = x[..., rows[:, None], columns]
    for r in (slice(ph), slice(ph + height, None)):
        for c in (slice(pw), slice(pw + width, None)):
            padded[..., r, c] = 0
    return padded""",
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
    ),
    Misconception(
        "counts as decimals",
        "window_coverage",
        "A count is a whole number. Look up which type an array of zeros has if you do not say.",
        "width + 2 * pw), np.int64)",
        "width + 2 * pw))",
    ),
    Misconception(
        "seen or not",
        "window_coverage",
        "A pixel that many windows see is marked once. Look at the difference between setting and adding.",
        "+= 1",
        "= 1",
    ),
    Misconception(
        "windows as long as there is image",
        "window_coverage",
        "A window begins at every step as long as there is image left, and the last ones stick out.",
        "    for i, j in np.ndindex(_window_counts(size, kernel_size, stride, padding)):",
        """    _window_counts(size, kernel_size, stride, padding)
    for i, j in np.ndindex(-(-seen.shape[0] // sh), -(-seen.shape[1] // sw)):""",
    ),
    Misconception(
        "first pixel of each window",
        "window_coverage",
        "Each window is counted at the pixel where it begins. It sees all the pixels that it covers.",
        "seen[sh * i : sh * i + kh, sw * j : sw * j + kw]",
        "seen[sh * i, sw * j]",
    ),
    Misconception(
        "windows that end before the image",
        "window_coverage",
        "A window may lie wholly in the padding. Where it ends before the image, Python counts that end from behind.",
        """    seen = np.zeros((height + 2 * ph, width + 2 * pw), np.int64)
    for i, j in np.ndindex(_window_counts(size, kernel_size, stride, padding)):
        seen[sh * i : sh * i + kh, sw * j : sw * j + kw] += 1
    return seen[ph : ph + height, pw : pw + width]""",
        """    seen = np.zeros((height, width), np.int64)
    for i, j in np.ndindex(_window_counts(size, kernel_size, stride, padding)):
        top, left = sh * i - ph, sw * j - pw
        seen[max(top, 0) : top + kh, max(left, 0) : left + kw] += 1
    return seen""",
    ),
    Misconception(
        "refused only if too large both ways",
        "window_coverage",
        "A window that is too high does not fit, however narrow it is; yours has to be too wide as well.",
        """    for i, j in np.ndindex(_window_counts(size, kernel_size, stride, padding)):
""",
        """    if kh > seen.shape[0] and kw > seen.shape[1]:
        raise ValueError("the window is larger than the padded image")
    windows = [max((n - k) // s + 1, 0) for n, k, s in zip(seen.shape, (kh, kw), (sh, sw), strict=True)]
    for i, j in np.ndindex(*windows):
""",
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
        "as large as the image",
        "correlate2d",
        "The answer has the size of the image, with zeros at the rim. Where no kernel fits, nothing is answered.",
        '    y: np.ndarray = np.einsum("ijuv,uv->ij", windows, w)\n',
        """    y = np.zeros_like(x)
    top, left = w.shape[0] // 2, w.shape[1] // 2
    y[top : top + windows.shape[0], left : left + windows.shape[1]] = np.einsum("ijuv,uv->ij", windows, w)
""",
    ),
    Misconception(
        "mean of the products",
        "correlate2d",
        "The products are averaged. A kernel says itself how much each pixel weighs, so they are added.",
        '"ijuv,uv->ij", windows, w)',
        '"ijuv,uv->ij", windows, w) / w.size',
        carried=False,
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
        "bell not divided by its sum",
        "make_kernel",
        "The samples of the bell do not add up to 1, so the kernel makes every picture brighter.",
        "            kernel /= kernel.sum()\n",
        "",
    ),
    Misconception(
        "box of ones",
        "make_kernel",
        "These entries add the pixels up. To average them is something else.",
        "1 / (size * size)",
        "1.0",
    ),
    Misconception(
        "divided by the side",
        "make_kernel",
        "The box divides by the number of its rows. Count the pixels of which it takes the mean.",
        "1 / (size * size)",
        "1 / size",
    ),
    Misconception(
        "neighbours at the corners",
        "make_kernel",
        "Your Laplacian looks at the diagonal neighbours, too. The one described has four neighbours only.",
        "[[0.0, -1, 0], [-1, 4, -1], [0, -1, 0]]",
        "[[-1.0, -1, -1], [-1, 8, -1], [-1, -1, -1]]",
    ),
    Misconception(
        "bell from the corner",
        "make_kernel",
        "The top of the bell lies in a corner of the kernel. Count rows and columns from the centre.",
        "(np.arange(size) - centre)",
        "np.arange(size)",
    ),
    Misconception(
        "kernels of whole numbers",
        "make_kernel",
        "Two kernels are written down in whole numbers and so become arrays of integers. Look up what was promised.",
        "    return kernel",
        '    return kernel.astype(np.int64) if name in ("laplacian", "sharpen") else kernel',
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
    ),
    Misconception(
        "always zeros outside",
        "filter_image",
        "The caller chose what lies outside the image, and nobody passed the choice on. Compare the outermost pixels.",
        "(kh // 2, kw // 2), mode)",
        "(kh // 2, kw // 2))",
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
    Misconception(
        "kernel turned in the filter",
        "filter_image",
        "The kernel was turned round before it was used. This filter takes it as it stands; symmetric kernels hide it.",
        "(kh // 2, kw // 2), mode), kernel)",
        "(kh // 2, kw // 2), mode), kernel[::-1, ::-1])",
    ),
    Misconception(
        "picture shrinks",
        "filter_image",
        "Without a rim around it the picture loses a row and a column at each side. Its size should stay.",
        "correlate2d(pad2d(image, (kh // 2, kw // 2), mode), kernel)",
        "correlate2d(image, kernel)",
    ),
    Misconception(
        "one channel for three",
        "filter_image",
        "All three colours of your picture are the first one's. Each channel is filtered for itself.",
        "filter_image(image[:, :, c], kernel, mode=mode)",
        "filter_image(image[:, :, 0], kernel, mode=mode)",
    ),
    Misconception(
        "pixels in the kernel's dtype",
        "filter_image",
        "The pixels take on the kernel's dtype, which may be too small for them: there, large ones wrap.",
        "pad2d(image, (",
        "pad2d(image.astype(kernel.dtype), (",
    ),
    Misconception(
        "rounded into sixteen bits",
        "filter_image",
        "Before they are clipped, responses go through integers that are too short for them, and large ones wrap.",
        "response.round().clip(0, 255)",
        "response.round().astype(np.int64).astype(np.int16).clip(0, 255)",
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
    ),
    Misconception(
        "padding on one axis only",
        "conv2d_forward",
        "The padding of the rows serves for the columns as well. A pair may hold two different numbers.",
        "padded = pad2d(x, padding)",
        "padded = pad2d(x, _pair(padding)[0])",
    ),
    Misconception(
        "photograph's padding in a layer",
        "conv2d_forward",
        "You continue the image beyond its edge, as for photographs. This layer is told what to assume out there.",
        "pad2d(x, padding)",
        'pad2d(x, padding, "replicate")',
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
        "bias once for every weight",
        "conv2d_forward",
        "The bias is added in the innermost loop, once for each product. The formula adds it once for each output.",
        "b[:, None, None]",
        "b[:, None, None] * w[0].size",
    ),
    Misconception(
        "one bias for all filters",
        "conv2d_forward",
        "All filters get the same bias. Each has its own.",
        "b[:, None, None]",
        "b[0]",
    ),
    Misconception(
        "last channel alone",
        "conv2d_forward",
        "Each channel overwrites what the one before it gave. An output is a sum over all of them.",
        'np.einsum("ncijuv,fcuv->nfij", windows, w)',
        'np.einsum("ncijuv,fcuv->nfij", windows[:, -1:], w[:, -1:])',
    ),
    Misconception(
        "step down taken across as well",
        "conv2d_forward",
        "The step of the rows serves for the columns as well. A pair may hold two different numbers.",
        "sh, sw = _pair(stride)",
        "sh = sw = _pair(stride)[0]",
    ),
    Misconception(
        "channels left to the sum",
        "conv2d_forward",
        "Nobody compares the channels: a sum refuses most that do not fit, but it stretches a single one in silence.",
        """    if x.shape[1] != w.shape[1]:
        raise ValueError(f"the images have {x.shape[1]} channels, the filters {w.shape[1]}")
""",
        "",
    ),
    Misconception(
        "outputs cut towards zero",
        "conv2d_forward",
        "Rounding a negative number by cutting its decimals makes it larger: so a window that does not fit is counted.",
        """    windows = sliding_window_view(padded, w.shape[2:], axis=(2, 3))[:, :, ::sh, ::sw]
    y: np.ndarray = np.einsum("ncijuv,fcuv->nfij", windows, w)
    y += b[:, None, None]
""",
        """    (height, width), (kh, kw) = padded.shape[2:], w.shape[2:]
    rows, columns = int((height - kh) / sh) + 1, int((width - kw) / sw) + 1
    if min(rows, columns) < 1:
        raise ValueError("the filters are larger than the padded images")
    y = np.empty((len(x), len(w), rows, columns), x.dtype)
    for i, j in np.ndindex(rows, columns):
        window = padded[:, None, :, sh * i : sh * i + kh, sw * j : sw * j + kw]
        y[:, :, i, j] = (window * w).sum(axis=(2, 3, 4)) + b
""",
    ),
    Misconception(
        "overlaps overwritten",
        "conv2d_backward",
        "A pixel takes part in several windows. The chain rule has something to say about all of them, not the last.",
        "dpadded[met] += np",
        "dpadded[met] = np",
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
    ),
    Misconception(
        "stride forgotten for the weights",
        "conv2d_backward",
        "The gradient of the weights walks the image pixel by pixel. Forward, the windows stood further apart.",
        "dy, padded[met]",
        "dy, padded[:, :, u : u + out_height, v : v + out_width]",
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
        "last image alone for the weights",
        "conv2d_backward",
        "Each image overwrites the gradient of the one before. Every image of the batch has used the same weights.",
        'np.einsum("nfij,ncij->fc", dy, padded[met])',
        'np.einsum("nfij,ncij->fc", dy[-1:], padded[met][-1:])',
    ),
    Misconception(
        "last output alone for the weights",
        "conv2d_backward",
        "The gradient of a weight is set anew at every place, so the last one is left. It took part in all of them.",
        'np.einsum("nfij,ncij->fc", dy, padded[met])',
        'np.einsum("nf,nc->fc", dy[:, :, -1, -1], padded[met][:, :, -1, -1])',
    ),
    Misconception(
        "last filter alone for the images",
        "conv2d_backward",
        "Each filter overwrites what the one before it sent back. A pixel goes into the outputs of all of them.",
        'np.einsum("nfij,fc->ncij", dy, w[:, :, u, v])',
        'np.einsum("nfij,fc->ncij", dy[:, -1:], w[-1:, :, u, v])',
    ),
    Misconception(
        "stride forgotten for the images",
        "conv2d_backward",
        "The gradient goes back to neighbouring pixels. Forward, the windows stood further apart.",
        "dpadded[met] += np",
        "dpadded[:, :, u : u + out_height, v : v + out_width] += np",
    ),
    Misconception(
        "one gradient for all biases",
        "conv2d_backward",
        "You sum over the filters as well, and every bias gets the same gradient. A filter's bias is its own.",
        "dy.sum(axis=(0, 2, 3))",
        "np.full_like(dy[0, :, 0, 0], dy.sum())",
    ),
    Misconception(
        "cropped from minus zero on one axis",
        "conv2d_backward",
        "The frame is cut off by negative indices where one axis has padding. Minus zero on the other one is zero.",
        "    dx = dpadded[:, :, ph : ph + height, pw : pw + width]",
        "    dx = dpadded[:, :, ph:-ph, pw:-pw] if ph or pw else dpadded",
    ),
    Misconception(
        "channels innermost",
        "im2col",
        "The rows of your matrix list the channels last, the flattened filters list them first: they never meet.",
        "transpose(0, 1, 4, 5, 2, 3)",
        "transpose(0, 4, 5, 1, 2, 3)",
    ),
    Misconception(
        "windows column by column",
        "im2col",
        "Your windows follow one another downwards. The pixels of the output stand in another order.",
        "transpose(0, 1, 4, 5, 2, 3)",
        "transpose(0, 1, 4, 5, 3, 2)",
    ),
    Misconception(
        "windows as rows",
        "im2col",
        "Each window became a row of the matrix. The name of the function says what it should become.",
        "reshape(images, channels * kh * kw, rows * columns)",
        "reshape(images, channels * kh * kw, rows * columns).swapaxes(1, 2)",
        carried=False,
    ),
    Misconception(
        "stride applied twice",
        "im2col",
        "A limit that counts outputs was used for positions in the image: so the stride took its share twice.",
        "[:, :, ::sh, ::sw]",
        """
    windows = windows[:, :, : -(-windows.shape[2] // sh) : sh, : -(-windows.shape[3] // sw) : sw]""",
    ),
    Misconception(
        "columns of the window first",
        "im2col",
        "Each window is read column by column. The filters are read row by row, and so they do not meet.",
        "transpose(0, 1, 4, 5, 2, 3)",
        "transpose(0, 1, 5, 4, 2, 3)",
    ),
    Misconception(
        "steps down and across exchanged",
        "im2col",
        "The first number of a stride is the step down, the second the step across. Yours trade places.",
        "sh, sw = _pair(stride)",
        "sw, sh = _pair(stride)",
    ),
    Misconception(
        "images beside one another",
        "im2col",
        "All images share one wide matrix. Each image was to have a matrix of its own.",
        "    return windows.transpose(0, 1, 4, 5, 2, 3).reshape(images, channels * kh * kw, rows * columns)",
        "    return windows.transpose(1, 4, 5, 0, 2, 3).reshape(channels * kh * kw, images * rows * columns)",
    ),
    Misconception(
        "no columns, no error",
        "im2col",
        "A window that is too large yields a matrix without columns. Nobody will notice until much later.",
        """    sh, sw = _pair(stride)
    windows""",
        """    (sh, sw), (kh, kw), (ph, pw) = map(_pair, (stride, kernel_size, padding))
    if kh > x.shape[2] + 2 * ph or kw > x.shape[3] + 2 * pw:
        return np.empty((len(x), x.shape[1] * kh * kw, 0), x.dtype)
    windows""",
    ),
    Misconception(
        "columns always floating",
        "im2col",
        "Laying out windows computes nothing, so whole numbers have no reason to become decimals.",
        "sliding_window_view(pad2d(x, padding), ",
        "sliding_window_view(pad2d(_floating(x)[0], padding), ",
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
    ),
    Misconception(
        "axes of length one squeezed away",
        "conv2d_im2col",
        "Squeezing removes every axis of length one, also the one of a single filter or of a single image.",
        "y.reshape(len(x), filters, rows, columns)",
        "y.reshape(len(x), filters, rows, columns).squeeze()",
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
        "output on its side",
        "conv2d_im2col",
        "The numbers are right, and then they are laid out with the width first. A square output hides it.",
        "y.reshape(len(x), filters, rows, columns)",
        "y.reshape(len(x), filters, columns, rows)",
    ),
    Misconception(
        "filters with channels last",
        "conv2d_im2col",
        "The filters lie with their channels innermost, the columns with theirs outermost. Lay both out alike.",
        "w.reshape(filters, -1)",
        "w.transpose(0, 2, 3, 1).reshape(filters, -1)",
    ),
    Misconception(
        "product without bias",
        "conv2d_im2col",
        "The matrix product is all there is. A layer adds something to it.",
        "    y += b[:, None]\n",
        "",
    ),
    Misconception(
        "channels left to the product",
        "conv2d_im2col",
        "Nobody compares channels: a product refuses most that do not fit and may stretch a single one in silence.",
        """    if x.shape[1] != w.shape[1]:
        raise ValueError(f"the images have {x.shape[1]} channels, the filters {w.shape[1]}")
    filters, kernel_size = w.shape[0], w.shape[2:]
    rows, columns = _window_counts(x.shape[2:], kernel_size, stride, padding)
    y: np.ndarray = w.reshape(filters, -1) @ im2col(x, kernel_size, stride=stride, padding=padding)
""",
        """    filters, kernel_size = w.shape[0], w.shape[2:]
    rows, columns = _window_counts(x.shape[2:], kernel_size, stride, padding)
    cols = im2col(x, kernel_size, stride=stride, padding=padding)
    y = np.einsum("fk,nkl->nfl", w.reshape(filters, -1), cols)
""",
    ),
    Misconception(
        "one channel deep",
        "conv2d_parameter_count",
        "A filter is not flat: it has weights for every channel that comes in.",
        "in_channels * kh * kw",
        "kh * kw",
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
        "bias for every pair of channels",
        "conv2d_parameter_count",
        "Each filter has a bias for every channel that it sees. It adds just one, after the channels are summed.",
        "out_channels * (in_channels * kh * kw + int(bias))",
        "out_channels * in_channels * (kh * kw + int(bias))",
    ),
    Misconception(
        "height of the kernel squared",
        "conv2d_parameter_count",
        "You take every kernel for a square. A pair may hold two different numbers.",
        "kh * kw",
        "kh * kh",
    ),
    Misconception(
        "a bias for every input",
        "linear_parameter_count",
        "You have given a bias to each input. Ask yourself what a bias is added to.",
        "out_features * (in_features + int(bias))",
        "in_features * (out_features + int(bias))",
    ),
    Misconception(
        "one bias for all outputs",
        "linear_parameter_count",
        "The whole layer has a single bias. Look again at what each output adds.",
        "out_features * (in_features + int(bias))",
        "out_features * in_features + int(bias)",
    ),
    Misconception(
        "linear without bias",
        "linear_parameter_count",
        "Only the weights are counted. A layer may have more than weights.",
        "in_features + int(bias)",
        "in_features",
    ),
    Misconception(
        "bias of a linear layer always",
        "linear_parameter_count",
        "A layer may be made without biases. Then they are not there to be counted.",
        "int(bias)",
        "1",
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
        "mean over the kernel",
        "learn_kernel",
        "You divide by the number of weights. The loss is a mean over something else.",
        "lr * 2 / residual.size",
        "lr * 2 / w.size",
    ),
    Misconception(
        "gradient turned round",
        "learn_kernel",
        "The gradient is turned by half a circle: each weight is moved by what its opposite one has met.",
        "correlate2d(x, residual)",
        "correlate2d(x, residual)[::-1, ::-1]",
    ),
    Misconception(
        "no more losses at the minimum",
        "learn_kernel",
        "You stop where the gradient is zero. The kernel stays, and so does its loss, in every step that is left.",
        "        w -= lr",
        """        if not correlate2d(x, residual).any():
            losses[step + 1 :] = 0
            break
        w -= lr""",
    ),
    Misconception(
        "half the loss",
        "learn_kernel",
        "You report half of the loss. Other books put that half in, this formula does not.",
        "np.mean(residual**2)",
        "np.mean(residual**2) / 2",
    ),
    Misconception(
        "last window wins",
        "col2im",
        "Where windows overlap, only what came last is left. Every window has something to add.",
        "+= entries",
        "= entries",
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
    Misconception(
        "padding carried back too",
        "col2im",
        "The image comes back with its padding. What falls there belongs to no pixel.",
        "    return padded[:, :, ph : ph + height, pw : pw + width]",
        "    return padded",
    ),
    Misconception(
        "windows put back side by side",
        "col2im",
        "The windows go back one pixel apart, whatever the stride. They were cut further apart.",
        "padded[:, :, u : u + sh * rows : sh, v : v + sw * columns : sw]",
        "padded[:, :, u : u + rows, v : v + columns]",
    ),
    Misconception(
        "channels read innermost",
        "col2im",
        "You read the columns as if the channels came last in them. They come first, as in the filters.",
        "cols.reshape(len(cols), -1, kh, kw, rows, columns)",
        "np.moveaxis(cols.reshape(len(cols), kh, kw, -1, rows, columns), 3, 1)",
    ),
    # PyTorch
    Misconception(
        "padded twice",
        "conv2d_unfold",
        "The images are padded, and then the function that cuts the windows pads them again. Pad in one place.",
        "F.unfold(x, (kh, kw)",
        "F.unfold(F.pad(x, 2 * [_pair(padding)[1]] + 2 * [ph]), (kh, kw)",
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
        "weights with channels last",
        "conv2d_unfold",
        "Unfolded windows list their pixels channel by channel; your filters list theirs in another order.",
        "weight.flatten(1)",
        "weight.permute(0, 2, 3, 1).flatten(1)",
    ),
    Misconception(
        "bias not added to the columns",
        "conv2d_unfold",
        "The biases come in and do not show in the output. They will not learn either.",
        "y = y + bias[:, None]",
        "pass",
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
        "bias not registered",
        "Conv2d",
        "The bias is an ordinary tensor, so the module does not know it: it is neither trained nor saved.",
        "nn.Parameter(torch.zeros(out_channels)) if bias else None",
        "torch.zeros(out_channels) if bias else None",
    ),
    Misconception(
        "windows of the layer one apart",
        "Conv2d",
        "The layer slides its windows one pixel at a time. It was made with a stride.",
        "padded.unfold(2, kh, sh).unfold(3, kw, sw)",
        "padded.unfold(2, kh, 1).unfold(3, kw, 1)",
    ),
    Misconception(
        "kernel on its side",
        "Conv2d",
        "The kernel's columns meet the window's rows. Square kernels do not complain.",
        '"ncijuv,fcuv->nfij", windows, self.weight)',
        '"ncijuv,fcvu->nfij", windows, self.weight)',
    ),
    Misconception(
        "parameters always in single precision",
        "Conv2d",
        "The layer's numbers have one precision, whatever was chosen as the default. Somebody may have chosen another.",
        """        self.weight = nn.Parameter(nn.init.xavier_uniform_(torch.empty(out_channels, in_channels, kh, kw)))
        self.bias = nn.Parameter(torch.zeros(out_channels)) if bias else None
""",
        """        empty = torch.empty(out_channels, in_channels, kh, kw, dtype=torch.float32)
        self.weight = nn.Parameter(nn.init.xavier_uniform_(empty))
        self.bias = nn.Parameter(torch.zeros(out_channels, dtype=torch.float32)) if bias else None
""",
    ),
    Misconception(
        "spread by the number of filters",
        "Conv2d",
        "Where filters are few, your weights begin large. It is not the number of filters that an output adds up.",
        "nn.init.xavier_uniform_(torch.empty(out_channels, in_channels, kh, kw))",
        "(2 / out_channels) ** 0.5 * torch.randn(out_channels, in_channels, kh, kw)",
    ),
    Misconception(
        "filters all alike",
        "Conv2d",
        "All filters begin with the same weights, so they get the same gradients and stay alike for ever.",
        "nn.init.xavier_uniform_(torch.empty(out_channels, in_channels, kh, kw))",
        "torch.zeros(out_channels, in_channels, kh, kw)",
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
        "picture on its side",
        "nchw_to_nhwc",
        "The channels are last, and height and width have traded places. Exchanging two axes is not enough.",
        "x.permute(0, 2, 3, 1)",
        "x.transpose(1, 3)",
    ),
    Misconception(
        "channels moved behind autograd's back",
        "nchw_to_nhwc",
        "The pixels are right, but autograd sees no connection between view and images: no gradient gets through.",
        "x.permute(0, 2, 3, 1)",
        "x.detach().permute(0, 2, 3, 1)",
    ),
    Misconception(
        "strides worked out for images without gaps",
        "nchw_to_nhwc",
        "You assume how the images lie in memory. Those that are transposed or sliced lie there in another way.",
        "x.permute(0, 2, 3, 1)",
        """x.as_strided(
        (x.shape[0], x.shape[2], x.shape[3], x.shape[1]),
        (x.shape[1] * x.shape[2] * x.shape[3], x.shape[3], 1, x.shape[2] * x.shape[3]),
    )""",
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
    ),
    Misconception(
        "round trip through NumPy",
        "nhwc_to_nchw",
        "The pixels are copied on their way. PyTorch can move axes without touching a single number.",
        "x.permute(0, 3, 1, 2)",
        "torch.tensor(x.numpy().transpose(0, 3, 1, 2))",
    ),
    Misconception(
        "reshaped to channels first",
        "nhwc_to_nchw",
        "The shape is right and the pixels are scattered: a reshape reads on in memory and moves no axis.",
        "x.permute(0, 3, 1, 2)",
        "x.reshape(x.shape[0], x.shape[3], x.shape[1], x.shape[2])",
    ),
    Misconception(
        "copied to be contiguous, channels first",
        "nhwc_to_nchw",
        "The answer is right but it is a copy. What is written into it is not seen in the images.",
        "x.permute(0, 3, 1, 2)",
        "x.permute(0, 3, 1, 2).contiguous()",
    ),
    Misconception(
        "channels moved first behind autograd's back",
        "nhwc_to_nchw",
        "The pixels are right, but autograd sees no connection between view and images: no gradient gets through.",
        "x.permute(0, 3, 1, 2)",
        "x.detach().permute(0, 3, 1, 2)",
    ),
    Misconception(
        "strides worked out for pixels without gaps",
        "nhwc_to_nchw",
        "You assume how the images lie in memory. Those that are transposed or sliced lie there in another way.",
        "x.permute(0, 3, 1, 2)",
        """x.as_strided(
        (x.shape[0], x.shape[3], x.shape[1], x.shape[2]),
        (x.shape[1] * x.shape[2] * x.shape[3], 1, x.shape[2] * x.shape[3], x.shape[3]),
    )""",
    ),
)
