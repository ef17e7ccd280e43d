"""Mistakes that students make in assignment 3, each a patch of the reference and a teacher's sentence."""

from __future__ import annotations

from autograder.course import Misconception

MISCONCEPTIONS = (
    # Pooling
    Misconception(
        "the maximum starts at zero",
        "max_pool_forward",
        "Your running maximum begins at zero, and a window of negative values never gets past it.",
        ".max(axis=(4, 5))",
        ".max(axis=(4, 5), initial=0)",
    ),
    Misconception(
        "padded with zeros",
        "max_pool_forward",
        "The padding takes part in the contest here, and wins wherever the image is negative. It should never win.",
        "constant_values=-np.inf",
        "constant_values=0",
    ),
    Misconception(
        "padding of rows and columns exchanged",
        "max_pool_forward",
        "The first number of the padding belongs to the height. Try an example in which the two numbers differ.",
        "(ph, ph), (pw, pw)",
        "(pw, pw), (ph, ph)",
    ),
    Misconception(
        "stride ignored",
        "max_pool_forward",
        "Your windows always stand side by side. The size of a window and the step to the next one are two things.",
        "_windows(padded, kernel_size, stride)",
        "_windows(padded, kernel_size, None)",
    ),
    Misconception(
        "no stride means one",
        "max_pool_forward",
        "Without a stride a pooling layer does not move pixel by pixel, as a convolution does. Reread what it does.",
        "_windows(padded, kernel_size, stride)",
        "_windows(padded, kernel_size, 1 if stride is None else stride)",
    ),
    Misconception(
        "windows that stick out",
        "max_pool_forward",
        "You keep a last window that reaches beyond the image. Only windows that lie wholly inside count.",
        """    padded = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=-np.inf)
""",
        """    sh, sw = _pair(kernel_size if stride is None else stride)
    below, right = -max(x.shape[2] + 2 * ph - kh, 0) % sh, -max(x.shape[3] + 2 * pw - kw, 0) % sw
    padded = np.pad(x, ((0, 0), (0, 0), (ph, ph + below), (pw, pw + right)), constant_values=-np.inf)
""",
    ),
    Misconception(
        "the corner instead of the maximum",
        "max_pool_forward",
        "You return the same place of every window. On a ramp that happens to be the largest; try random numbers.",
        ".max(axis=(4, 5))",
        "[..., -1, -1]",
    ),
    Misconception(
        "as much padding as window",
        "max_pool_forward",
        "A window may lie wholly in the padding here, and then nothing in it can win. Think how much padding is safe.",
        "if ph > kh // 2 or pw > kw // 2",
        "if ph > kh or pw > kw",
    ),
    Misconception(
        "double precision on the way",
        "max_pool_forward",
        "The padded array is made in double precision, and the answer stays so. A maximum is one of the given numbers.",
        "np.pad(x,",
        "np.pad(x.astype(np.float64),",
    ),
    Misconception(
        "mean of the window",
        "max_pool_forward",
        "You average each window. This layer keeps one of its values.",
        """    padded = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=-np.inf)
    y: np.ndarray = _windows(padded, kernel_size, stride).max(axis=(4, 5))
""",
        """    padded = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)))
    y = _windows(padded, kernel_size, stride).mean(axis=(4, 5))
""",
        carried=False,
    ),
    Misconception(
        "one step for both axes",
        "max_pool_forward",
        "The step of the rows serves for the columns as well. A pair may hold two different numbers.",
        "_windows(padded, kernel_size, stride)",
        "_windows(padded, kernel_size, _pair(kernel_size if stride is None else stride)[0])",
    ),
    Misconception(
        "smallest number of single precision",
        "max_pool_forward",
        "Your padding is the smallest number of single precision. In double precision there are smaller ones.",
        "constant_values=-np.inf",
        "constant_values=float(np.finfo(np.float32).min)",
    ),
    Misconception(
        "overlapping gradients overwritten",
        "max_pool_backward",
        "A pixel may win several windows that overlap. The last of them overwrites what the others have sent.",
        "np.add.at(dpadded, (n, c, sh * i + u, sw * j + v), dy)",
        "dpadded[n, c, sh * i + u, sw * j + v] = dy",
    ),
    Misconception(
        "the whole gradient to every tied pixel",
        "max_pool_backward",
        "Where several pixels tie for the maximum, each receives everything, so more comes back than was sent.",
        """    winner = _windows(padded, kernel_size, stride).reshape(*dy.shape, kh * kw).argmax(axis=-1)
    n, c, i, j = np.indices(dy.shape, sparse=True)
    u, v = np.divmod(winner, kw)
    dpadded = np.zeros(padded.shape, np.result_type(dy, x))
    np.add.at(dpadded, (n, c, sh * i + u, sw * j + v), dy)
""",
        """    windows = _windows(padded, kernel_size, stride)
    wins = windows == windows.max(axis=(4, 5), keepdims=True)
    dpadded = np.zeros(padded.shape, np.result_type(dy, x))
    for u, v in np.ndindex(kh, kw):
        dpadded[:, :, u : u + sh * dy.shape[2] : sh, v : v + sw * dy.shape[3] : sw] += dy * wins[..., u, v]
""",
    ),
    Misconception(
        "nearly the largest is enough",
        "max_pool_backward",
        "Pixels that are nearly as large as the maximum receive a share. Only a pixel that equals it has won.",
        """    winner = _windows(padded, kernel_size, stride).reshape(*dy.shape, kh * kw).argmax(axis=-1)
    n, c, i, j = np.indices(dy.shape, sparse=True)
    u, v = np.divmod(winner, kw)
    dpadded = np.zeros(padded.shape, np.result_type(dy, x))
    np.add.at(dpadded, (n, c, sh * i + u, sw * j + v), dy)
""",
        """    windows = _windows(padded, kernel_size, stride)
    wins = windows >= windows.max(axis=(4, 5), keepdims=True) - 1e-2
    share = dy / wins.sum(axis=(4, 5))
    dpadded = np.zeros(padded.shape, np.result_type(dy, x))
    for u, v in np.ndindex(kh, kw):
        dpadded[:, :, u : u + sh * dy.shape[2] : sh, v : v + sw * dy.shape[3] : sw] += share * wins[..., u, v]
""",
    ),
    Misconception(
        "place in the window taken for the place in the image",
        "max_pool_backward",
        "You know where in its window the winner stands, but the window has a place in the image too.",
        "(n, c, sh * i + u, sw * j + v)",
        "(n, c, u, v)",
    ),
    Misconception(
        "every gradient in the first channel",
        "max_pool_backward",
        "All gradients arrive in one channel. Each channel has its own winners and its own gradient.",
        "(n, c, sh * i + u",
        "(n, 0 * c, sh * i + u",
        carried=False,
    ),
    Misconception(
        "zeros may win on the way back",
        "max_pool_backward",
        "Going back, the padding wins windows of negative values and takes their gradient away with it.",
        "constant_values=-np.inf",
        "constant_values=0",
    ),
    Misconception(
        "padding not taken off",
        "max_pool_backward",
        "The gradient comes back shifted: you return a corner of the padded image instead of its middle.",
        "[:, :, ph : ph + height, pw : pw + width]",
        "[:, :, :height, :width]",
    ),
    Misconception(
        "spread evenly",
        "max_pool_backward",
        "Each pixel of a window gets a share. That is right for a mean, which depends on all, unlike a maximum.",
        """    winner = _windows(padded, kernel_size, stride).reshape(*dy.shape, kh * kw).argmax(axis=-1)
    n, c, i, j = np.indices(dy.shape, sparse=True)
    u, v = np.divmod(winner, kw)
    dpadded = np.zeros(padded.shape, np.result_type(dy, x))
    np.add.at(dpadded, (n, c, sh * i + u, sw * j + v), dy)
""",
        """    dpadded = np.zeros(padded.shape, np.result_type(dy, x))
    for u, v in np.ndindex(kh, kw):
        dpadded[:, :, u : u + sh * dy.shape[2] : sh, v : v + sw * dy.shape[3] : sw] += dy / (kh * kw)
""",
    ),
    Misconception(
        "an equal value elsewhere",
        "max_pool_backward",
        "You look for the largest value in the whole channel. A pixel outside the window may equal it and has not won.",
        """    winner = _windows(padded, kernel_size, stride).reshape(*dy.shape, kh * kw).argmax(axis=-1)
    n, c, i, j = np.indices(dy.shape, sparse=True)
    u, v = np.divmod(winner, kw)
    dpadded = np.zeros(padded.shape, np.result_type(dy, x))
    np.add.at(dpadded, (n, c, sh * i + u, sw * j + v), dy)
""",
        """    largest = _windows(padded, kernel_size, stride).max(axis=(4, 5))
    dpadded = np.zeros(padded.shape, np.result_type(dy, x))
    for n, c, i, j in np.ndindex(dy.shape):
        row, column = np.argwhere(padded[n, c] == largest[n, c, i, j])[0]
        dpadded[n, c, row, column] += dy[n, c, i, j] + 0 * sh * sw
""",
    ),
    Misconception(
        "counted with the height of the window",
        "max_pool_backward",
        "The number of the winner is split with the wrong side of the window. A square window hides it.",
        "np.divmod(winner, kw)",
        "np.divmod(winner, kh)",
    ),
    Misconception(
        "windows side by side on the way back",
        "max_pool_backward",
        "The winners are found in the right windows, and looked for where windows side by side would stand.",
        "(n, c, sh * i + u, sw * j + v)",
        "(n, c, (kh * i + u) % padded.shape[2], (kw * j + v) % padded.shape[3] + 0 * sh * sw)",
    ),
    Misconception(
        "padding just below the smallest",
        "max_pool_backward",
        "Your padding is the smallest value less one. Next to a large number, one is too little to make a difference.",
        "constant_values=-np.inf",
        "constant_values=x.min() - 1",
    ),
    Misconception(
        "tied within rounding errors",
        "max_pool_backward",
        "Pixels that differ by next to nothing count as tied in yours, and share. The larger one has won.",
        """    winner = _windows(padded, kernel_size, stride).reshape(*dy.shape, kh * kw).argmax(axis=-1)
    n, c, i, j = np.indices(dy.shape, sparse=True)
    u, v = np.divmod(winner, kw)
    dpadded = np.zeros(padded.shape, np.result_type(dy, x))
    np.add.at(dpadded, (n, c, sh * i + u, sw * j + v), dy)
""",
        """    windows = _windows(padded, kernel_size, stride)
    wins = windows.max(axis=(4, 5), keepdims=True) - windows < 1e-12
    share = dy / wins.sum(axis=(4, 5)).astype(dy.dtype)
    dpadded = np.zeros(padded.shape, np.result_type(dy, x))
    for u, v in np.ndindex(kh, kw):
        dpadded[:, :, u : u + sh * dy.shape[2] : sh, v : v + sw * dy.shape[3] : sw] += share * wins[..., u, v]
""",
    ),
    Misconception(
        "row and column looked for apart",
        "max_pool_backward",
        "You look for the winner's row and column apart. Where pixels tie, the two may not belong together.",
        """    winner = _windows(padded, kernel_size, stride).reshape(*dy.shape, kh * kw).argmax(axis=-1)
    n, c, i, j = np.indices(dy.shape, sparse=True)
    u, v = np.divmod(winner, kw)
""",
        """    windows = _windows(padded, kernel_size, stride)
    n, c, i, j = np.indices(dy.shape, sparse=True)
    u, v = windows.max(axis=5).argmax(axis=4), windows.max(axis=4).argmax(axis=4)
""",
    ),
    Misconception(
        "running sums in single precision",
        "avg_pool_forward",
        "The running sums of a large image leave single precision few digits for the difference of two of them.",
        """    y: np.ndarray = _windows(x, kernel_size, stride).mean(axis=(4, 5))
    return y
""",
        """    kh, kw = _pair(kernel_size)
    sh, sw = _pair(kernel_size if stride is None else stride)
    sums = np.pad(x.cumsum(axis=2).cumsum(axis=3), ((0, 0), (0, 0), (1, 0), (1, 0)))
    totals = sums[:, :, kh:, kw:] - sums[:, :, :-kh, kw:] - sums[:, :, kh:, :-kw] + sums[:, :, :-kh, :-kw]
    return totals[:, :, ::sh, ::sw] / (kh * kw)
""",
    ),
    Misconception(
        "the sum of a window",
        "avg_pool_forward",
        "This adds up each window. A mean lies between the smallest and the largest value.",
        ".mean(axis=(4, 5))",
        ".sum(axis=(4, 5))",
    ),
    Misconception(
        "averages side by side whatever the stride",
        "avg_pool_forward",
        "Your windows always stand side by side. The size of a window and the step to the next one are two things.",
        "_windows(x, kernel_size, stride)",
        "_windows(x, kernel_size, None)",
    ),
    Misconception(
        "no stride means one for means",
        "avg_pool_forward",
        "Without a stride a pooling layer does not move pixel by pixel, as a convolution does. Reread what it does.",
        "_windows(x, kernel_size, stride)",
        "_windows(x, kernel_size, 1 if stride is None else stride)",
    ),
    Misconception(
        "divided by the step",
        "avg_pool_forward",
        "You divide by how far the windows stand apart. A mean divides by how many pixels it takes.",
        "_windows(x, kernel_size, stride).mean(axis=(4, 5))",
        """_windows(x, kernel_size, stride).sum(axis=(4, 5))
    y /= np.prod(_pair(kernel_size if stride is None else stride)).item()""",
    ),
    Misconception(
        "last means missed",
        "avg_pool_forward",
        "The last row and column of windows are not there. Ask where the last window that fits begins.",
        ".mean(axis=(4, 5))",
        ".mean(axis=(4, 5))[:, :, :-1, :-1]",
    ),
    Misconception(
        "the whole gradient to every pixel",
        "avg_pool_backward",
        "Every pixel receives the whole gradient of its window. Think how far a mean moves when one pixel moves.",
        "dy / (kh * kw)",
        "dy",
    ),
    Misconception(
        "incoming gradient ignored",
        "avg_pool_backward",
        "You return how the mean depends on a pixel, but not how the loss does: what came in plays no part.",
        "+= dy / (kh * kw)",
        "+= 1 / (kh * kw)",
    ),
    Misconception(
        "overlapping averages overwritten",
        "avg_pool_backward",
        "Where windows overlap, a pixel takes part in several means. Here only one of them sends its gradient.",
        "+= dy",
        "= dy",
    ),
    Misconception(
        "no stride means one on the way back",
        "avg_pool_backward",
        "Without a stride the windows stand side by side in the forward pass. They must on the way back too.",
        "kernel_size if stride is None else stride",
        "1 if stride is None else stride",
    ),
    Misconception(
        "area of the step",
        "avg_pool_backward",
        "You divide by how far the windows stand apart. Each window has shared its mean among its own pixels.",
        "dy / (kh * kw)",
        "dy / (sh * sw)",
    ),
    Misconception(
        "gradients side by side whatever the stride",
        "avg_pool_backward",
        "The gradients go back to windows side by side. Going forward they stood a stride apart.",
        "kernel_size if stride is None else stride",
        "kernel_size",
    ),
    Misconception(
        "divided by the windows of a pixel",
        "avg_pool_backward",
        "You average where windows overlap. A pixel that takes part in several means has that much more influence.",
        "    return dx",
        """    seen = np.zeros(dx.shape[2:])
    for u, v in np.ndindex(kh, kw):
        seen[u : u + sh * rows : sh, v : v + sw * columns : sw] += 1
    dx /= seen.clip(1)
    return dx""",
    ),
    Misconception(
        "one window taken for the whole image",
        "avg_pool_backward",
        "Where there is only one window, every pixel receives a share, also those that it does not see.",
        "    return dx",
        """    if (rows, columns) == (1, 1):
        dx[:] = dy / (kh * kw)
    return dx""",
    ),
    Misconception(
        "zero times the images",
        "avg_pool_backward",
        "You begin from zero times the images. Not every number becomes zero that way.",
        "np.zeros(x.shape, np.result_type(dy, x))",
        "0 * x",
    ),
    Misconception(
        "minimum without ReLU",
        "min_pool_zero_fraction",
        "You pool the values before ReLU, and those are hardly ever exactly zero. Look at what ReLU makes of them.",
        "np.maximum(x, 0)",
        "x",
    ),
    Misconception(
        "fraction of the pixels",
        "min_pool_zero_fraction",
        "You count the pixels that are zero. Count outputs, after each window kept its smallest.",
        "smallest == 0",
        "np.maximum(x, 0) == 0",
    ),
    Misconception(
        "the largest value kept",
        "min_pool_zero_fraction",
        "A window counts here only if all of its values are zero. Min pooling needs fewer than that.",
        ".min(axis=(4, 5))",
        ".max(axis=(4, 5))",
    ),
    Misconception(
        "outputs that are not zero",
        "min_pool_zero_fraction",
        "You count what is left, and the question was what is lost.",
        "smallest == 0",
        "smallest > 0",
    ),
    Misconception(
        "windows one apart in min pooling",
        "min_pool_zero_fraction",
        "Your windows overlap. They were to stand side by side.",
        "kernel_size, None)",
        "kernel_size, 1)",
    ),
    Misconception(
        "outputs counted, not divided",
        "min_pool_zero_fraction",
        "This is the number of the outputs that are zero. A fraction is at most 1.",
        "np.mean(smallest == 0)",
        "np.sum(smallest == 0)",
    ),
    Misconception(
        "product of the window",
        "min_pool_zero_fraction",
        "You ask whether the product of a window is zero. That of small numbers soon is, though none of them is.",
        ".min(axis=(4, 5))",
        ".prod(axis=(4, 5))",
    ),
    Misconception(
        "nearly zero counted",
        "min_pool_zero_fraction",
        "Outputs that are nearly zero count in yours. A positive one, however small, has come through.",
        "smallest == 0",
        "np.isclose(smallest, 0)",
    ),
    # Linear layers
    Misconception(
        "channels last in the vector",
        "flatten",
        "The vector goes through the pixels and, at each, through the channels. The weights expect another order.",
        "x.reshape(len(x), -1)",
        "x.transpose(0, 2, 3, 1).reshape(len(x), -1)",
    ),
    Misconception(
        "column by column",
        "flatten",
        "The vector runs down the columns of each channel. Look up which index changes fastest.",
        "x.reshape(len(x), -1)",
        "x.swapaxes(2, 3).reshape(len(x), -1)",
    ),
    Misconception(
        "in the order of memory",
        "flatten",
        "The vector has the order in which the numbers lie in memory. A transposed array has them in another.",
        "x.reshape(len(x), -1)",
        'x.reshape(len(x), -1, order="A")',
    ),
    Misconception(
        "one vector for the batch",
        "flatten",
        "All images end up in one long vector. Each image was to be written as a vector of its own.",
        "x.reshape(len(x), -1)",
        "x.reshape(-1)",
    ),
    Misconception(
        "rows before channels",
        "flatten",
        "The vector goes row by row, and in each row through the channels. Look up which index changes slowest.",
        "x.reshape(len(x), -1)",
        "x.swapaxes(1, 2).reshape(len(x), -1)",
    ),
    Misconception(
        "weights reshaped instead of transposed",
        "linear_forward",
        "A reshape gives the weights the shape that you need and puts them in the wrong places.",
        "w.T",
        "w.reshape(w.shape[::-1])",
    ),
    Misconception(
        "bias forgotten",
        "linear_forward",
        "For an input of zeros your layer answers zeros. There is something that it gives whatever comes in.",
        "x @ w.T + b",
        "x @ w.T",
        carried=False,
    ),
    Misconception(
        "ReLU in the layer",
        "linear_forward",
        "Your outputs are never negative. This layer is linear; what follows it is not its business.",
        "x @ w.T + b",
        "np.maximum(x @ w.T + b, 0)",
        carried=False,
    ),
    Misconception(
        "one bias for all outputs",
        "linear_forward",
        "All outputs get the same bias. Each has its own.",
        "x @ w.T + b",
        "x @ w.T + b[0]",
    ),
    Misconception(
        "bias once for every weight",
        "linear_forward",
        "The bias is added in the inner loop, once for each input. The formula adds it once for each output.",
        "x @ w.T + b",
        "x @ w.T + b * x.shape[1]",
    ),
    Misconception(
        "weights reshaped on the way back",
        "linear_backward",
        "The gradient of the input goes through the weights in the wrong order: a reshape is no transpose.",
        "dx = dy @ w",
        "dx = dy @ w.T.reshape(w.shape)",
    ),
    Misconception(
        "mean over the batch",
        "linear_backward",
        "You average the gradient of the weights over the batch. If the loss is a mean, what comes in knows it.",
        "dy.T @ x",
        "dy.T @ x / len(x)",
    ),
    Misconception(
        "gradient of the weights on its side",
        "linear_backward",
        "A gradient has the shape of what it is the gradient of. Yours has inputs where the weights have outputs.",
        "dy.T @ x",
        "x.T @ dy",
    ),
    Misconception(
        "bias averaged over the batch",
        "linear_backward",
        "The bias takes part in every sample's output. You take the mean of what they send back.",
        "dy.sum(axis=0)",
        "dy.mean(axis=0)",
    ),
    Misconception(
        "last sample alone",
        "linear_backward",
        "Each sample overwrites the gradient of the one before. All samples have used the same weights.",
        "dy.T @ x",
        "dy[-1:].T @ x[-1:]",
    ),
    Misconception(
        "one number for all biases",
        "linear_backward",
        "You sum over the outputs as well, and every bias gets the same gradient. An output's bias is its own.",
        "dy.sum(axis=0)",
        "np.full_like(dy[0], dy.sum())",
    ),
    Misconception(
        "bias of the last sample",
        "linear_backward",
        "The gradient of the bias is that of one sample. The bias was added to all of them.",
        "dy.sum(axis=0)",
        "dy[-1]",
    ),
    # Equivariance
    Misconception(
        "comes in again on the other side",
        "shift_image",
        "What leaves the image on one side comes in on the other. Look up what should move in there.",
        """    y = np.zeros_like(x)
    y[..., new_rows, new_columns] = x[..., old_rows, old_columns]
""",
        """    y = np.roll(x, (down, right), axis=(-2, -1))
""",
        carried=False,
    ),
    Misconception(
        "shifted the other way",
        "shift_image",
        "Down is up here, and right is left. Follow a single bright pixel through your code.",
        "y[..., new_rows, new_columns] = x[..., old_rows, old_columns]",
        "y[..., old_rows, old_columns] = x[..., new_rows, new_columns]",
    ),
    Misconception(
        "down and right exchanged",
        "shift_image",
        "The first number moves rows, the second one columns. Try a shift in one direction only.",
        """    new_rows, old_rows = (slice(max(s, 0), max(height + min(s, 0), 0)) for s in (down, -down))
""",
        """    down, right = right, down
    new_rows, old_rows = (slice(max(s, 0), max(height + min(s, 0), 0)) for s in (down, -down))
""",
    ),
    Misconception(
        "negative shifts as Python slices",
        "shift_image",
        "Shifts down and to the right work. For negative numbers a slice counts from the end, which is another thing.",
        "y[..., new_rows, new_columns] = x[..., old_rows, old_columns]",
        "y[..., down:, right:] = x[..., : -down or None, : -right or None]",
    ),
    Misconception(
        "the edge repeated",
        "shift_image",
        "What moves in is a copy of the edge. The handout asks for something else.",
        """    y = np.zeros_like(x)
    y[..., new_rows, new_columns] = x[..., old_rows, old_columns]
""",
        """    rows = (np.arange(height) - down).clip(0, height - 1)
    columns = (np.arange(width) - right).clip(0, width - 1)
    y = x[..., rows[:, None], columns]
""",
    ),
    Misconception(
        "zeros in double precision",
        "shift_image",
        "Shifted images come back as floating-point numbers of 64 bits, whatever they were before.",
        "np.zeros_like(x)",
        "np.zeros(x.shape)",
    ),
    Misconception(
        "moved down alone",
        "shift_image",
        "Your images move up and down and never to the side.",
        "for s in (right, -right)",
        "for s in (0 * right, 0)",
    ),
    Misconception(
        "pixels as floating-point numbers",
        "shift_image",
        "The pixels pass through floating-point numbers, which hold large whole numbers only roughly.",
        "= x[..., old_rows, old_columns]",
        "= x[..., old_rows, old_columns].astype(float)",
    ),
    Misconception(
        "output shifted as far as the input",
        "equivariance_error",
        "With a stride the output has fewer pixels than the input. Think how far it moves with the image.",
        "layer(x), down // stride, right // stride",
        "layer(x), down, right",
    ),
    Misconception(
        "invariance measured",
        "equivariance_error",
        "You ask whether the output stays the same. An equivariant layer's output moves with its input.",
        "shift_image(layer(x), down // stride, right // stride)",
        "layer(x)",
    ),
    Misconception(
        "cropped at two sides of four",
        "equivariance_error",
        "The margin is cut off at the top and at the left. Pixels come in or go out at the other two sides as well.",
        "[:, :, margin : height - margin, margin : width - margin]",
        "[:, :, margin:, margin:]",
    ),
    Misconception(
        "scale of the uncropped output",
        "equivariance_error",
        "The error is cropped, but what it is compared with is not. Both maxima run over what is left.",
        "np.abs(expected)[inside].max()",
        "np.abs(expected).max()",
    ),
    Misconception(
        "zero over zero",
        "equivariance_error",
        "Nothing divided by nothing is not a number. A silent layer that stays silent makes no mistake.",
        """    if scale == 0:
        return 0.0 if difference == 0 else np.inf
    return float(difference / scale)
""",
        """    return float(np.float64(difference) / scale)
""",
    ),
    Misconception(
        "mean difference",
        "equivariance_error",
        "You average the differences, and a single wrong pixel nearly vanishes among many right ones.",
        "np.abs(moved - expected)[inside].max()",
        "np.abs(moved - expected)[inside].mean()",
    ),
    Misconception(
        "each image's own quotient",
        "equivariance_error",
        "You divide for each image and take the largest quotient. Each maximum runs over all images first.",
        """    difference = np.abs(moved - expected)[inside].max()
    scale = np.abs(expected)[inside].max()
    if scale == 0:
        return 0.0 if difference == 0 else np.inf
    return float(difference / scale)
""",
        """    differences = np.abs(moved - expected)[inside].reshape(len(x), -1).max(axis=1)
    scales = np.abs(expected)[inside].reshape(len(x), -1).max(axis=1)
    return max(
        float(d / s) if s else 0.0 if d == 0 else np.inf for d, s in zip(differences, scales, strict=True)
    )
""",
    ),
    Misconception(
        "difference with its sign",
        "equivariance_error",
        "Where the moved image gives less, your difference is negative and never the largest.",
        "np.abs(moved - expected)[inside].max()",
        "max((moved - expected)[inside].max(), 0)",
    ),
    Misconception(
        "scale of the other output",
        "equivariance_error",
        "You compare with the output for the shifted image. The definition divides by the other one.",
        "np.abs(expected)[inside].max()",
        "np.abs(moved)[inside].max()",
    ),
    Misconception(
        "difference alone",
        "equivariance_error",
        "The error grows with the output of the layer. It is to be compared with how large that is.",
        "return float(difference / scale)",
        "return float(difference)",
    ),
    Misconception(
        "next to nothing taken for nothing",
        "equivariance_error",
        "You take small outputs for zeros. The quotient of two small numbers is as good as any.",
        """    if scale == 0:
        return 0.0 if difference == 0 else np.inf
""",
        """    if scale < 1e-12:
        return 0.0 if difference < 1e-15 else np.inf
""",
    ),
    Misconception(
        "all samples or none",
        "invariance_rate",
        "One sample that changes spoils the whole batch here. They are to be judged one by one.",
        "np.mean(change.reshape(len(x), -1).max(axis=1) <= 1e-12)",
        "float(change.max() <= 1e-12)",
    ),
    Misconception(
        "fraction of the entries",
        "invariance_rate",
        "You count numbers that stay the same, and most are zero anyway. A sample counts with its whole output.",
        "change.reshape(len(x), -1).max(axis=1) <= 1e-12",
        "change <= 1e-12",
    ),
    Misconception(
        "unchanged to the last bit",
        "invariance_rate",
        "Sums in another order differ by rounding errors, and you count those as changes.",
        "<= 1e-12",
        "== 0",
    ),
    Misconception(
        "fraction of those that change",
        "invariance_rate",
        "You count the samples that do not stay the same.",
        "<= 1e-12",
        "> 1e-12",
    ),
    Misconception(
        "compared with the shift before",
        "invariance_rate",
        "Each output is compared with that of the shift before. All are to be compared with the image at rest.",
        "        rates[k] =",
        "        before = layer(shift_image(x, down, right))\n        rates[k] =",
    ),
    Misconception(
        "length of the whole difference",
        "invariance_rate",
        "You compare the length of the whole difference with the limit. The limit is for each entry.",
        "change.reshape(len(x), -1).max(axis=1)",
        "np.linalg.norm(change.reshape(len(x), -1), axis=1)",
    ),
    Misconception(
        "relative to the values",
        "invariance_rate",
        "You allow large values to change by more. The limit is the same for all.",
        "np.abs(layer(shift_image(x, down, right)) - before)",
        "np.abs(layer(shift_image(x, down, right)) - before) - 1e-12 * np.abs(before)",
    ),
    # Counting
    Misconception(
        "one bias for the whole layer",
        "parameter_table",
        "A layer of several filters has more than one bias.",
        "second * (first * area + 1)",
        "second * first * area + 1",
    ),
    Misconception(
        "filters that see one channel",
        "parameter_table",
        "A filter of the second convolution looks at one channel here. It sees its window in all that there are.",
        "second * (first * area + 1)",
        "second * (area + 1)",
    ),
    Misconception(
        "convolutions that keep the size",
        "parameter_table",
        "Without padding a convolution makes the image smaller. Follow the side of the image from layer to layer.",
        "((size - kernel_size + 1) // 2 - kernel_size + 1) // 2",
        "size // 2 // 2",
    ),
    Misconception(
        "odd rows kept by pooling",
        "parameter_table",
        "Half of an odd number of rows: you round up, but the last row has no partner and is left over.",
        "((size - kernel_size + 1) // 2 - kernel_size + 1) // 2",
        "-(-(-(-(size - kernel_size + 1) // 2) - kernel_size + 1) // 2)",
    ),
    Misconception(
        "side of the filter for its area",
        "parameter_table",
        "Your filters are one pixel high. A filter is a square.",
        "area = kernel_size * kernel_size",
        "area = kernel_size",
    ),
    Misconception(
        "no biases at all",
        "parameter_table",
        "Only weights are counted, and every filter and every output has something else.",
        """table = {"conv1": first * (in_channels * area + 1), "conv2": second * (first * area + 1)}
    for number, (in_features, out_features) in enumerate(pairwise(features), start=1):
        table[f"fc{number}"] = out_features * (in_features + 1)
""",
        """table = {"conv1": first * in_channels * area, "conv2": second * first * area}
    for number, (in_features, out_features) in enumerate(pairwise(features), start=1):
        table[f"fc{number}"] = out_features * in_features
""",
    ),
    Misconception(
        "one channel in the vector",
        "parameter_table",
        "What the first linear layer receives is one channel of the image. All channels are flattened.",
        "features = (second * side * side,",
        "features = (side * side,",
    ),
    Misconception(
        "biases of the inputs",
        "parameter_table",
        "The linear layers have a bias for each input. Ask yourself what a bias is added to.",
        "out_features * (in_features + 1)",
        "(out_features + 1) * in_features",
    ),
    Misconception(
        "one bias for each channel of a dense layer",
        "dense_parameter_count",
        "Your outputs share their biases within a channel. In this layer nothing is shared.",
        "outputs * (inputs + 1)",
        "outputs * inputs + out_shape[0]",
    ),
    Misconception(
        "dense without bias",
        "dense_parameter_count",
        "Only the weights are counted. Every output pixel has one number more.",
        "outputs * (inputs + 1)",
        "outputs * inputs",
    ),
    Misconception(
        "one bias for the dense layer",
        "dense_parameter_count",
        "The whole layer has a single bias here. In this layer nothing is shared.",
        "outputs * (inputs + 1)",
        "outputs * inputs + 1",
    ),
    Misconception(
        "channels left out of the count",
        "dense_parameter_count",
        "You connect the places of the images and forget that each place has several channels.",
        "(channels * height * width for",
        "(height * width + 0 * channels for",
    ),
    Misconception(
        "shared as in a convolution",
        "locally_connected_parameter_count",
        "You count each window's weights once for all places. Here every place has its own.",
        "channels * height * width * (",
        "channels * (",
    ),
    Misconception(
        "biases shared within a channel",
        "locally_connected_parameter_count",
        "The weights differ from place to place, but your biases do not. In this layer nothing is shared.",
        "channels * height * width * (in_shape[0] * kh * kw + 1)",
        "channels * (height * width * in_shape[0] * kh * kw + 1)",
    ),
    Misconception(
        "windows that see one channel",
        "locally_connected_parameter_count",
        "Each output looks through its window at one channel. It sees all of them.",
        "in_shape[0] * kh * kw",
        "kh * kw",
    ),
    Misconception(
        "locally connected without bias",
        "locally_connected_parameter_count",
        "Only the weights are counted. Every output pixel has one number more.",
        "(in_shape[0] * kh * kw + 1)",
        "(in_shape[0] * kh * kw)",
    ),
    Misconception(
        "a window for each input pixel",
        "locally_connected_parameter_count",
        "You count a window for every pixel of the input. There is one for every pixel of the output.",
        "channels, height, width = out_shape",
        "channels, height, width = out_shape[0], *in_shape[1:]",
    ),
    Misconception(
        "outputs worked out from the input",
        "locally_connected_parameter_count",
        "You work out the size of the output from the input and the window. The layer may have a stride or padding.",
        "channels, height, width = out_shape",
        "channels, height, width = out_shape[0], in_shape[1] - kh + 1, in_shape[2] - kw + 1",
    ),
    Misconception(
        "weights shared and biases not",
        "locally_connected_parameter_count",
        "Every place has a bias of its own in your count, but the weights of one window serve all places.",
        "channels * height * width * (in_shape[0] * kh * kw + 1)",
        "channels * (in_shape[0] * kh * kw + height * width)",
    ),
    # LeNet-5
    Misconception(
        "ReLU after the last layer",
        "lenet5_forward",
        "Your logits are never negative. Two classes that are both cut off at zero cannot be told apart.",
        'return linear_forward(x, params["fc3.weight"], params["fc3.bias"])',
        'return np.maximum(linear_forward(x, params["fc3.weight"], params["fc3.bias"]), 0)',
    ),
    Misconception(
        "probabilities instead of logits",
        "lenet5_forward",
        "Your outputs are positive and sum to one. The loss takes care of that; the network returns what goes into it.",
        'return linear_forward(x, params["fc3.weight"], params["fc3.bias"])',
        """z = np.exp(linear_forward(x, params["fc3.weight"], params["fc3.bias"]))
    return z / z.sum(axis=1, keepdims=True)""",
    ),
    Misconception(
        "convolutions without ReLU",
        "lenet5_forward",
        "After the convolutions negative values go on. Convolution, nonlinearity and pooling belong together.",
        "max_pool_forward(np.maximum(x, 0), 2)",
        "max_pool_forward(x, 2)",
    ),
    Misconception(
        "average pooling",
        "lenet5_forward",
        "You average the windows, as LeNet-5 did in 1998. The modern form keeps the strongest response.",
        "max_pool_forward(",
        "avg_pool_forward(",
    ),
    Misconception(
        "pixels scaled once more",
        "lenet5_forward",
        "You scale the images inside the network. It should use them as they come, whoever prepared them.",
        """    for layer in ("conv1", "conv2"):
""",
        """    x = x / 255
    for layer in ("conv1", "conv2"):
""",
    ),
    Misconception(
        "linear layers without ReLU",
        "lenet5_forward",
        "Three linear layers follow one another with nothing between them, which makes them one linear layer.",
        'x = np.maximum(linear_forward(x, params[f"{layer}.weight"], params[f"{layer}.bias"]), 0)',
        'x = linear_forward(x, params[f"{layer}.weight"], params[f"{layer}.bias"])',
    ),
    Misconception(
        "maps flattened with channels last",
        "lenet5_forward",
        "The maps are flattened with their channels last. The weights of the first linear layer expect another order.",
        "x = flatten(x)",
        "x = flatten(x.transpose(0, 2, 3, 1))",
    ),
    Misconception(
        "sum of the losses",
        "lenet5_loss_and_gradients",
        "Your loss grows with the batch, while your gradients belong to its mean.",
        "np.mean(log_probability[wanted])",
        "np.sum(log_probability[wanted])",
    ),
    Misconception(
        "overflow in the softmax",
        "lenet5_loss_and_gradients",
        "The exponential of a large logit overflows. Softmax does not change when all logits move by the same amount.",
        "logits - logits.max(axis=1, keepdims=True)",
        "logits",
    ),
    Misconception(
        "logarithm of a rounded probability",
        "lenet5_loss_and_gradients",
        "You take the logarithm of a probability. One that has been rounded to 0 makes the loss infinite.",
        "np.mean(log_probability[wanted])",
        "np.mean(np.log(np.exp(log_probability[wanted])))",
    ),
    Misconception(
        "one maximum for the whole batch",
        "lenet5_loss_and_gradients",
        "You take one maximum out of all samples, and next to a sample with large logits the others underflow.",
        "logits.max(axis=1, keepdims=True)",
        "logits.max()",
    ),
    Misconception(
        "gradient of the sum",
        "lenet5_loss_and_gradients",
        "The loss is a mean over the batch. Your gradients are those of the sum.",
        "dlogits /= len(x)",
        "dlogits /= 1",
    ),
    Misconception(
        "probabilities without the target",
        "lenet5_loss_and_gradients",
        "Your gradient is the same whatever the right class is. For a perfect prediction it should vanish.",
        "dlogits[wanted] -= 1",
        "dlogits[wanted] -= 0",
    ),
    Misconception(
        "activations before ReLU",
        "lenet5_loss_and_gradients",
        "The last layer receives what ReLU lets through. For the gradient of its weights you use what was before.",
        "linear_backward(dlogits, a4,",
        "linear_backward(dlogits, z4,",
    ),
    Misconception(
        "ReLU forgotten between linear layers",
        "lenet5_loss_and_gradients",
        "One ReLU between the linear layers is not there on the way back: gradient passes units that were silent.",
        "da4 * (z4 > 0)",
        "da4",
    ),
    Misconception(
        "bias behind the ReLU",
        "lenet5_loss_and_gradients",
        "The bias of the second linear layer is added before ReLU, so its gradient has to come through ReLU too.",
        """    da3, grads["fc2.weight"], grads["fc2.bias"] = linear_backward(da4 * (z4 > 0), a3, params["fc2.weight"])
""",
        """    da3, grads["fc2.weight"], _ = linear_backward(da4 * (z4 > 0), a3, params["fc2.weight"])
    grads["fc2.bias"] = da4.sum(axis=0)
""",
    ),
    Misconception(
        "divided by the batch twice",
        "lenet5_loss_and_gradients",
        "The first linear layer's bias is averaged over a batch whose size has already been divided out.",
        """    da2 = max_pool""",
        """    grads["fc1.bias"] = grads["fc1.bias"] / len(x)
    da2 = max_pool""",
    ),
    Misconception(
        "maps rebuilt with channels last",
        "lenet5_loss_and_gradients",
        "Going back through the flattening you lay out the numbers in another order than on the way there.",
        "dfeatures.reshape(h2.shape)",
        "dfeatures.reshape(len(x), 5, 5, 16).transpose(0, 3, 1, 2)",
    ),
    Misconception(
        "filter bias averaged over the places",
        "lenet5_loss_and_gradients",
        "A filter's bias takes part in the output at every place. For the second convolution you average over them.",
        """    da1 = max_pool""",
        """    grads["conv2.bias"] = grads["conv2.bias"] / (10 * 10)
    da1 = max_pool""",
    ),
    Misconception(
        "ReLU skipped at the first convolution",
        "lenet5_loss_and_gradients",
        "On the way back the first ReLU is missing, and gradient reaches filters whose response was cut off.",
        "da1 * (z1 > 0)",
        "da1",
    ),
    Misconception(
        "nothing for the first layer",
        "lenet5_loss_and_gradients",
        "The second convolution hands nothing on, so the first one never learns. Each layer owes its input a gradient.",
        "max_pool_backward(dh1, a1, 2)",
        "max_pool_backward(0 * dh1, a1, 2)",
    ),
    Misconception(
        "right class alone",
        "lenet5_loss_and_gradients",
        "Only the logit of the right class gets a gradient. The others stand in the denominator of the softmax.",
        "    dlogits /= len(x)",
        """    right = np.zeros_like(dlogits)
    right[wanted] = dlogits[wanted]
    dlogits = right / len(x)""",
    ),
    Misconception(
        "ReLU skipped at the second convolution",
        "lenet5_loss_and_gradients",
        "On the way back the ReLU of the second convolution is missing, and gradient reaches what was cut off.",
        "da2 * (z2 > 0)",
        "da2",
    ),
    Misconception(
        "target minus probability",
        "lenet5_loss_and_gradients",
        "All gradients point the wrong way: a step downwards would make the right class less probable.",
        "dlogits /= len(x)",
        "dlogits /= -len(x)",
    ),
    Misconception(
        "the largest logit never below zero",
        "lenet5_loss_and_gradients",
        "You never take off a negative number. Where all logits are far below zero, every exponential vanishes.",
        "logits.max(axis=1, keepdims=True)",
        "logits.max(axis=1, keepdims=True, initial=0)",
    ),
    Misconception(
        "gradient through what is exactly zero",
        "lenet5_loss_and_gradients",
        "Units of the first layer that are at exactly zero let the gradient pass. Look up which slope counts there.",
        "(z1 > 0)",
        "(z1 >= 0)",
    ),
    # Training
    Misconception(
        "learning rate inside the velocity",
        "sgd_momentum_step",
        "Your velocity contains the learning rate. As long as the rate stays the same nobody notices.",
        """    velocity = {name: momentum * velocity[name] + grads[name] for name in params}
    params = {name: params[name] - lr * velocity[name] for name in params}
""",
        """    velocity = {name: momentum * velocity[name] + lr * grads[name] for name in params}
    params = {name: params[name] - velocity[name] for name in params}
""",
    ),
    Misconception(
        "average of the gradients",
        "sgd_momentum_step",
        "You form a weighted mean of velocity and gradient. In this form of momentum the gradient counts in full.",
        "+ grads[name]",
        "+ (1 - momentum) * grads[name]",
    ),
    Misconception(
        "looking ahead",
        "sgd_momentum_step",
        "That is Nesterov's variant, which applies the momentum once more in the step. Asked for is the plain one.",
        "- lr * velocity[name]",
        "- lr * (grads[name] + momentum * velocity[name])",
    ),
    Misconception(
        "velocity kept and not used",
        "sgd_momentum_step",
        "You keep a velocity and then step along the gradient alone. The first step does not tell them apart.",
        "- lr * velocity[name]",
        "- lr * grads[name]",
        carried=False,
    ),
    Misconception(
        "biases left where they were",
        "sgd_momentum_step",
        "The weights move, the biases stay. They are parameters like any others.",
        "params[name] - lr * velocity[name] for name in params",
        'params[name] - lr * velocity[name] * (not name.endswith("bias")) for name in params',
    ),
    Misconception(
        "the caller's arrays changed",
        "sgd_momentum_step",
        "The step is right, but it is made in the arrays of whoever called, who may still need the old ones.",
        """    velocity = {name: momentum * velocity[name] + grads[name] for name in params}
    params = {name: params[name] - lr * velocity[name] for name in params}
""",
        """    for name in params:
        velocity[name] *= momentum
        velocity[name] += grads[name]
        params[name] -= lr * velocity[name]
""",
    ),
    Misconception(
        "uphill",
        "sgd_momentum_step",
        "The parameters move up the slope. A gradient points to where the loss rises.",
        "params[name] - lr * velocity[name]",
        "params[name] + lr * velocity[name]",
    ),
    Misconception(
        "momentum over the sum",
        "sgd_momentum_step",
        "The momentum multiplies the new gradient as well. It says how much of the old velocity is kept.",
        "momentum * velocity[name] + grads[name]",
        "momentum * (velocity[name] + grads[name])",
    ),
    Misconception(
        "step with the old velocity",
        "sgd_momentum_step",
        "The parameters move with the velocity from before this gradient. So every gradient counts one step too late.",
        """    velocity = {name: momentum * velocity[name] + grads[name] for name in params}
    params = {name: params[name] - lr * velocity[name] for name in params}
""",
        """    params = {name: params[name] - lr * velocity[name] for name in params}
    velocity = {name: momentum * velocity[name] + grads[name] for name in params}
""",
        carried=False,
    ),
    Misconception(
        "by place instead of by name",
        "sgd_momentum_step",
        "You walk through the dictionaries side by side. Each may have its names in another order.",
        """    velocity = {name: momentum * velocity[name] + grads[name] for name in params}
""",
        """    pairs = zip(params, grads.values(), velocity.values(), strict=True)
    velocity = {name: momentum * v + g for name, g, v in pairs}
""",
    ),
    Misconception(
        "velocity left alone without momentum",
        "sgd_momentum_step",
        "Without momentum the step is right, but the velocity that you return is the old one.",
        """    velocity = {name: momentum * velocity[name] + grads[name] for name in params}
    params = {name: params[name] - lr * velocity[name] for name in params}
""",
        """    moved = {name: momentum * velocity[name] + grads[name] for name in params}
    params = {name: params[name] - lr * moved[name] for name in params}
    velocity = moved if momentum else velocity
""",
    ),
    Misconception(
        "velocity forgotten from step to step",
        "train",
        "Every step starts from rest. The velocity is what remembers the steps before.",
        "grads, velocity, lr=lr",
        "grads, {name: 0 * v for name, v in velocity.items()}, lr=lr",
    ),
    Misconception(
        "momentum not passed on",
        "train",
        "Whatever momentum is asked for, the steps take the usual one.",
        ", momentum=momentum)",
        ")",
    ),
    Misconception(
        "labels in another order than images",
        "train",
        "Images and labels of a batch are picked in different orders, so most images learn somebody else's label.",
        "y[batch]",
        "y[np.sort(batch)]",
    ),
    Misconception(
        "loss after the step",
        "train",
        "You report the loss of a batch once the network has learned from it. Asked for is the loss that it came to.",
        """        losses[step], grads = lenet5_loss_and_gradients(params, x[batch], y[batch])
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
""",
        """        _, grads = lenet5_loss_and_gradients(params, x[batch], y[batch])
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
        losses[step], _ = lenet5_loss_and_gradients(params, x[batch], y[batch])
""",
    ),
    Misconception(
        "the last step not returned",
        "train",
        "The parameters that you return have not seen the last batch.",
        """        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
    return params, losses
""",
        """        before = params
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
    return before, losses
""",
    ),
    Misconception(
        "all images at every step",
        "train",
        "Each step is taken with all images. Its batch says which ones it is to look at.",
        "lenet5_loss_and_gradients(params, x[batch], y[batch])",
        "lenet5_loss_and_gradients(params, x + 0 * len(batch), y)",
    ),
    Misconception(
        "first batch again and again",
        "train",
        "Every step looks at the first batch. There is one for each step.",
        "lenet5_loss_and_gradients(params, x[batch], y[batch])",
        "lenet5_loss_and_gradients(params, x[batches[0] + 0 * batch[:1]], y[batches[0]])",
    ),
    Misconception(
        "gradients at the beginning",
        "train",
        "All gradients are taken at the initial parameters. Each step begins where the one before has ended.",
        """    for step, batch in enumerate(batches):
        losses[step], grads = lenet5_loss_and_gradients(params, x""",
        """    initial = params
    for step, batch in enumerate(batches):
        losses[step], grads = lenet5_loss_and_gradients(initial, x""",
    ),
    Misconception(
        "each image once",
        "train",
        "An image that comes twice in a batch counts once in yours.",
        "lenet5_loss_and_gradients(params, x[batch], y[batch])",
        "lenet5_loss_and_gradients(params, x[np.unique(batch)], y[np.unique(batch)])",
    ),
    Misconception(
        "no momentum taken for none given",
        "train",
        "A momentum of zero is a momentum. You take it for none at all, and use the usual one.",
        ", momentum=momentum)",
        ", momentum=momentum or 0.9)",
    ),
    # PyTorch
    Misconception(
        "graph cut before the linear layers",
        "LeNet5",
        "The logits are right, but the convolutions receive no gradient: something cuts the path between the layers.",
        "x.flatten(1)",
        "x.flatten(1).detach()",
    ),
    Misconception(
        "batch axis lost",
        "LeNet5",
        "Ask for the logits of a single image and count the axes that come back.",
        "self.fc3(x)",
        "self.fc3(x).squeeze()",
    ),
    Misconception(
        "softmax in the network",
        "LeNet5",
        "The loss function applies a softmax of its own. What the network returns should not have been through one.",
        "self.fc3(x)",
        "self.fc3(x).softmax(dim=1)",
    ),
    Misconception(
        "linear layers in a row",
        "LeNet5",
        "Two linear layers follow one another with nothing between them, which makes them one linear layer.",
        "F.relu(self.fc2(x))",
        "self.fc2(x)",
    ),
    Misconception(
        "average in place of the largest",
        "LeNet5",
        "You average the windows, as LeNet-5 did in 1998. The modern form keeps the strongest response.",
        """        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
""",
        """        x = F.avg_pool2d(F.relu(self.conv1(x)), 2)
        x = F.avg_pool2d(F.relu(self.conv2(x)), 2)
""",
    ),
    Misconception(
        "ReLU on the logits",
        "LeNet5",
        "Your logits are never negative. Two classes that are both cut off at zero cannot be told apart.",
        "self.fc3(x)",
        "F.relu(self.fc3(x))",
    ),
    Misconception(
        "logarithms of the probabilities",
        "LeNet5",
        "You return logarithms of probabilities. What was asked for is what goes into the softmax.",
        "self.fc3(x)",
        "self.fc3(x).log_softmax(dim=1)",
    ),
    Misconception(
        "convolution straight into pooling",
        "LeNet5",
        "After a convolution negative values go on. Convolution, nonlinearity and pooling belong together.",
        """        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
""",
        """        x = F.max_pool2d(self.conv1(x), 2)
        x = F.max_pool2d(self.conv2(x), 2)
""",
    ),
    Misconception(
        "filters that begin alike",
        "LeNet5",
        "Some filters of a layer begin with the same values. They would receive the same gradients, and stay alike.",
        """        self.fc1 = nn.Linear(400, 120)
""",
        """        nn.init.dirac_(self.conv2.weight)
        self.fc1 = nn.Linear(400, 120)
""",
    ),
    Misconception(
        "gradients never cleared",
        "train_epoch",
        "Each batch adds its gradient to those of all batches before. The first step is right, the second is not.",
        """        optimizer.zero_grad()
""",
        "",
    ),
    Misconception(
        "gradients of the first group cleared",
        "train_epoch",
        "Parameters may stand in several groups of the optimizer. You clear the gradients of the first group alone.",
        """        optimizer.zero_grad()
""",
        """        for parameter in optimizer.param_groups[0]["params"]:
            parameter.grad = None
""",
    ),
    Misconception(
        "every batch counts the same",
        "train_epoch",
        "The last batch is smaller than the others and counts as much. Asked for is the mean per sample.",
        """        total += loss.item() * len(x)
        samples += len(x)
""",
        """        total += loss.item()
        samples += 1
""",
    ),
    Misconception(
        "the mode that it came in",
        "train_epoch",
        "A model that has just been evaluated comes in evaluation mode, and you train it so.",
        """    model.train()
""",
        "",
    ),
    Misconception(
        "step before the gradient",
        "train_epoch",
        "The optimizer takes its step before the gradient of the batch is there.",
        """        loss.backward()
        optimizer.step()
""",
        """        optimizer.step()
        loss.backward()
""",
    ),
    Misconception(
        "loss of the last batch",
        "train_epoch",
        "You return one batch's loss. The mean of the epoch looks at all samples.",
        "return total / samples",
        "return loss.item() + 0 * total / samples",
    ),
    Misconception(
        "softmax before the loss",
        "train_epoch",
        "The loss function applies a softmax of its own, and you give it what has been through one.",
        "F.cross_entropy(model(x), y)",
        "F.cross_entropy(model(x).softmax(dim=1), y)",
    ),
    Misconception(
        "logarithm of a rounded probability in training",
        "train_epoch",
        "You take the logarithm of a probability. One that has been rounded to 0 makes the loss infinite.",
        "F.cross_entropy(model(x), y)",
        "F.nll_loss(model(x).softmax(dim=1).log(), y)",
    ),
    Misconception(
        "losses added up",
        "train_epoch",
        "The losses of the samples are added and not averaged: an epoch of more samples looks worse.",
        "return total / samples",
        "return total",
    ),
    Misconception(
        "loss of the batch after its step",
        "train_epoch",
        "You take the loss of a batch once the model has learned from it. Asked for is the one that it came to.",
        """        total += loss.item() * len(x)
""",
        """        total += F.cross_entropy(model(x), y).item() * len(x)
""",
    ),
    Misconception(
        "parts in training mode alone",
        "train_epoch",
        "The parts of the model are in training mode, but the model itself stays in the mode that it came in.",
        """    model.train()
""",
        """    for part in model.children():
        part.train()
""",
    ),
    Misconception(
        "mode of the model alone",
        "train_epoch",
        "A model that is in training mode itself may have parts that are not. You leave those as they are.",
        """    model.train()
""",
        """    if not model.training:
        model.train()
""",
    ),
    Misconception(
        "mean of the batch means",
        "evaluate",
        "The last batch is smaller than the others and its loss counts as much. Asked for is the mean per sample.",
        """    loss, correct, samples = 0.0, 0, 0
    with torch.no_grad():
        for x, y in batches:
            x, y = x.to(device), y.to(device)
            logits = model(x)
            loss += F.cross_entropy(logits, y, reduction="sum").item()
            correct += int((logits.argmax(dim=1) == y).sum())
            samples += len(x)
    for module, training in modes:
        module.training = training
    return loss / samples, correct / samples
""",
        """    losses, correct, samples = [], 0, 0
    with torch.no_grad():
        for x, y in batches:
            x, y = x.to(device), y.to(device)
            logits = model(x)
            losses.append(F.cross_entropy(logits, y).item())
            correct += int((logits.argmax(dim=1) == y).sum())
            samples += len(x)
    for module, training in modes:
        module.training = training
    return sum(losses) / len(losses), correct / samples
""",
    ),
    Misconception(
        "accuracy in per cent",
        "evaluate",
        "Your accuracy goes up to one hundred. The docstring gives another range.",
        "correct / samples",
        "100 * correct / samples",
    ),
    Misconception(
        "everything back to training",
        "evaluate",
        "Afterwards every layer is in training mode, also one that was frozen or a model that was being evaluated.",
        """    for module, training in modes:
        module.training = training
""",
        """    model.train()
""",
    ),
    Misconception(
        "only the outer mode remembered",
        "evaluate",
        "You remember one mode for the whole model. Its layers may differ, and afterwards they no longer do.",
        """    for module, training in modes:
        module.training = training
""",
        """    model.train(modes[0][1])
""",
    ),
    Misconception(
        "gradients recorded for nothing",
        "evaluate",
        "Nobody asks for gradients here, and yet every forward pass is recorded, which costs memory and time.",
        "torch.no_grad()",
        "torch.enable_grad()",
    ),
    Misconception(
        "evaluated in training mode",
        "evaluate",
        "Batch normalization still uses the statistics of each batch, and learns from the test images.",
        """    model.eval()
""",
        "",
    ),
    Misconception(
        "children's modes alone",
        "evaluate",
        "You remember the modes of the model and of its children. Modules may hold modules that hold modules.",
        """    for module, training in modes:
        module.training = training
""",
        """    near = [model, *model.children()]
    for module, training in modes:
        if any(module is other for other in near):
            module.train(training)
""",
    ),
    Misconception(
        "mean of the batches' accuracies",
        "evaluate",
        "The last batch is smaller than the others and its accuracy counts as much. Every sample counts the same.",
        """    loss, correct, samples = 0.0, 0, 0
    with torch.no_grad():
        for x, y in batches:
            x, y = x.to(device), y.to(device)
            logits = model(x)
            loss += F.cross_entropy(logits, y, reduction="sum").item()
            correct += int((logits.argmax(dim=1) == y).sum())
            samples += len(x)
    for module, training in modes:
        module.training = training
    return loss / samples, correct / samples
""",
        """    loss, correct, samples, count = 0.0, 0.0, 0, 0
    with torch.no_grad():
        for x, y in batches:
            x, y = x.to(device), y.to(device)
            logits = model(x)
            loss += F.cross_entropy(logits, y, reduction="sum").item()
            correct += (logits.argmax(dim=1) == y).double().mean().item()
            samples += len(x)
            count += 1
    for module, training in modes:
        module.training = training
    return loss / samples, correct / count
""",
    ),
    Misconception(
        "softmax before the measured loss",
        "evaluate",
        "The loss function applies a softmax of its own, and you give it what has been through one.",
        "F.cross_entropy(logits, y,",
        "F.cross_entropy(logits.softmax(dim=1), y,",
    ),
    Misconception(
        "logarithm of a rounded probability in evaluation",
        "evaluate",
        "You take the logarithm of a probability. One that has been rounded to 0 makes the loss infinite.",
        "F.cross_entropy(logits, y,",
        "F.nll_loss(logits.softmax(dim=1).log(), y,",
    ),
    Misconception(
        "right answers counted",
        "evaluate",
        "This is how many samples were right. A fraction is at most 1.",
        "correct / samples",
        "correct",
    ),
    Misconception(
        "already in evaluation mode",
        "evaluate",
        "A model that is in evaluation mode itself may have parts that are not. You leave those as they are.",
        """    model.eval()
""",
        """    if model.training:
        model.eval()
""",
    ),
    Misconception(
        "gradients cleared",
        "evaluate",
        "The model may hold gradients that somebody still needs. You clear them.",
        """    for module, training in modes:
        module.training = training
""",
        """    model.zero_grad()
    for module, training in modes:
        module.training = training
""",
    ),
    Misconception(
        "frozen with all its parts",
        "evaluate",
        "A module that is in evaluation mode takes all that is inside it along when you put it back.",
        """    for module, training in modes:
        module.training = training
""",
        """    model.train()
    for module, training in modes:
        if not training:
            module.eval()
""",
    ),
    Misconception(
        "memory shared with the arrays",
        "load_parameters",
        "Model and arrays share their memory. Change one and see what becomes of the other.",
        "    model.load_state_dict({name: torch.tensor(array) for name, array in params.items()})",
        """    model.load_state_dict({name: torch.tensor(array) for name, array in params.items()})
    for name, parameter in model.named_parameters():
        parameter.data = torch.from_numpy(params[name]).to(parameter.dtype)""",
    ),
    Misconception(
        "dtype of the arrays taken over",
        "load_parameters",
        "The model takes over the precision of the arrays. Its layers would then no longer fit their inputs.",
        "    model.load_state_dict({name: torch.tensor(array) for name, array in params.items()})",
        """    model.load_state_dict({name: torch.tensor(array) for name, array in params.items()})
    for name, parameter in model.named_parameters():
        parameter.data = torch.tensor(params[name])""",
    ),
    Misconception(
        "buffers left out",
        "load_parameters",
        "A model is more than what its optimizer holds: running statistics and counters stay behind here.",
        "    model.load_state_dict({name: torch.tensor(array) for name, array in params.items()})",
        """    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(torch.tensor(params[name]))""",
    ),
    Misconception(
        "parameters replaced by new ones",
        "load_parameters",
        "The model gets new parameters, and an optimizer made before goes on changing the old ones.",
        "    model.load_state_dict({name: torch.tensor(array) for name, array in params.items()})",
        """    model.load_state_dict({name: torch.tensor(array) for name, array in params.items()})
    for name, parameter in list(model.named_parameters()):
        layer, _, attribute = name.rpartition(".")
        value = torch.tensor(params[name], dtype=parameter.dtype)
        setattr(model.get_submodule(layer), attribute, nn.Parameter(value))""",
    ),
    Misconception(
        "counters in the precision of the parameters",
        "load_parameters",
        "You give all arrays the dtype of the parameters. A counter that takes this way comes out as a rounded number.",
        "torch.tensor(array) for",
        "torch.tensor(array, dtype=next(model.parameters()).dtype) for",
    ),
    Misconception(
        "rounded to single precision",
        "load_parameters",
        "On their way the numbers pass through single precision, and a model in double precision gets them rounded.",
        "torch.tensor(array) for",
        'torch.tensor(array.astype("float32")) for',
    ),
)
