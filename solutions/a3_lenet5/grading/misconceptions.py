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
        "T3-05",
    ),
    Misconception(
        "padded with zeros",
        "max_pool_forward",
        "The padding takes part in the contest here, and wins wherever the image is negative. It should never win.",
        "constant_values=-np.inf",
        "constant_values=0",
        "T3-04",
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
        "T3-15",
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
        "T3-14",
    ),
    Misconception(
        "the corner instead of the maximum",
        "max_pool_forward",
        "You return the same place of every window. On a ramp that happens to be the largest; try random numbers.",
        ".max(axis=(4, 5))",
        "[..., -1, -1]",
        "T3-06",
    ),
    Misconception(
        "as much padding as window",
        "max_pool_forward",
        "A window may lie wholly in the padding here, and then nothing in it can win. Think how much padding is safe.",
        "if ph > kh // 2 or pw > kw // 2",
        "if ph > kh or pw > kw",
        "T3-28",
    ),
    Misconception(
        "double precision on the way",
        "max_pool_forward",
        "The padded array is made in double precision, and the answer stays so. A maximum is one of the given numbers.",
        "np.pad(x,",
        "np.pad(x.astype(np.float64),",
    ),
    Misconception(
        "overlapping gradients overwritten",
        "max_pool_backward",
        "A pixel may win several windows that overlap. The last of them overwrites what the others have sent.",
        "np.add.at(dpadded, (n, c, sh * i + u, sw * j + v), dy)",
        "dpadded[n, c, sh * i + u, sw * j + v] = dy",
        "T3-01",
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
    wins = windows > windows.max(axis=(4, 5), keepdims=True) - 1e-2
    share = dy / wins.sum(axis=(4, 5))
    dpadded = np.zeros(padded.shape, np.result_type(dy, x))
    for u, v in np.ndindex(kh, kw):
        dpadded[:, :, u : u + sh * dy.shape[2] : sh, v : v + sw * dy.shape[3] : sw] += share * wins[..., u, v]
""",
        "T3-03",
    ),
    Misconception(
        "place in the window taken for the place in the image",
        "max_pool_backward",
        "You know where in its window the winner stands, but the window has a place in the image too.",
        "(n, c, sh * i + u, sw * j + v)",
        "(n, c, u, v)",
        "T3-11",
    ),
    Misconception(
        "every gradient in the first channel",
        "max_pool_backward",
        "All gradients arrive in one channel. Each channel has its own winners and its own gradient.",
        "(n, c, sh * i + u",
        "(n, 0 * c, sh * i + u",
        "T3-30",
    ),
    Misconception(
        "zeros may win on the way back",
        "max_pool_backward",
        "Going back, the padding wins windows of negative values and takes their gradient away with it.",
        "constant_values=-np.inf",
        "constant_values=0",
        "T3-04",
    ),
    Misconception(
        "padding not taken off",
        "max_pool_backward",
        "The gradient comes back shifted: you return a corner of the padded image instead of its middle.",
        "[:, :, ph : ph + height, pw : pw + width]",
        "[:, :, :height, :width]",
        "T3-11",
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
        "T3-15",
    ),
    Misconception(
        "the whole gradient to every pixel",
        "avg_pool_backward",
        "Every pixel receives the whole gradient of its window. Think how far a mean moves when one pixel moves.",
        "dy / (kh * kw)",
        "dy",
        "T3-07",
    ),
    Misconception(
        "incoming gradient ignored",
        "avg_pool_backward",
        "You return how the mean depends on a pixel, but not how the loss does: what came in plays no part.",
        "+= dy / (kh * kw)",
        "+= 1 / (kh * kw)",
        "T3-07",
    ),
    Misconception(
        "overlapping averages overwritten",
        "avg_pool_backward",
        "Where windows overlap, a pixel takes part in several means. Here only one of them sends its gradient.",
        "+= dy",
        "= dy",
        "T3-01",
    ),
    Misconception(
        "no stride means one on the way back",
        "avg_pool_backward",
        "Without a stride the windows stand side by side in the forward pass. They must on the way back too.",
        "kernel_size if stride is None else stride",
        "1 if stride is None else stride",
        "T3-15",
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
    # Linear layers
    Misconception(
        "channels last in the vector",
        "flatten",
        "The vector goes through the pixels and, at each, through the channels. The weights expect another order.",
        "x.reshape(len(x), -1)",
        "x.transpose(0, 2, 3, 1).reshape(len(x), -1)",
        "T3-16",
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
        "T3-17",
    ),
    Misconception(
        "odd rows kept by pooling",
        "parameter_table",
        "Half of an odd number of rows: you round up, but the last row has no partner and is left over.",
        "((size - kernel_size + 1) // 2 - kernel_size + 1) // 2",
        "-(-(-(-(size - kernel_size + 1) // 2) - kernel_size + 1) // 2)",
        "T3-14",
    ),
    Misconception(
        "one bias for each channel of a dense layer",
        "dense_parameter_count",
        "Your outputs share their biases within a channel. In this layer nothing is shared.",
        "outputs * (inputs + 1)",
        "outputs * inputs + out_shape[0]",
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
        "T3-16",
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
        "T3-31",
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
        "T3-20",
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
        "T3-27",
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
        "gradients never cleared",
        "train_epoch",
        "Each batch adds its gradient to those of all batches before. The first step is right, the second is not.",
        """        optimizer.zero_grad()
""",
        "",
        "T3-22",
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
)
