"""Mistakes that students make in assignment 2, each a patch of the reference and a teacher's sentence."""

from __future__ import annotations

from autograder.course import Misconception

MISCONCEPTIONS = (
    # Activations
    Misconception(
        "argument not halved",
        "sigmoid",
        "This curve is twice as steep as the sigmoid: the argument of tanh needed rescaling, and yours did not.",
        "np.exp(-np.abs(x))",
        "np.exp(-2 * np.abs(x))",
    ),
    Misconception(
        "infinity over infinity",
        "sigmoid",
        "For large inputs you divide infinity by infinity. There is an equal form whose exponent is never positive.",
        """    small = np.exp(-np.abs(x))  # never overflows
    return np.where(x >= 0, 1, small) / (1 + small)
""",
        "    return np.exp(x) / (1 + np.exp(x))\n",
    ),
    Misconception(
        "exponent of the wrong sign",
        "sigmoid",
        "Your curve falls where it should rise. Look at what happens to the exponential for large positive inputs.",
        "x >= 0",
        "x <= 0",
    ),
    Misconception(
        "activation applied twice",
        "sigmoid_backward",
        "The slope is taken at the output of the sigmoid, as if it were the input, and so it is nearly 1/4 everywhere.",
        "y = sigmoid(x)",
        "y = sigmoid(sigmoid(x))",
        "T2-16",
    ),
    Misconception(
        "slope without the chain",
        "sigmoid_backward",
        "This is the slope of the sigmoid. The chain rule wants something more than the slope.",
        "dy * y * (1 - y)",
        "np.ones_like(dy) * y * (1 - y)",
    ),
    Misconception(
        "slope overflows",
        "sigmoid_backward",
        "Your formula for the slope is right on paper, but far to one side it divides infinity by infinity.",
        "    return dy * y * (1 - y)",
        "    e = np.exp(-x)\n    return dy * e / (1 + e) ** 2 + 0 * y",
    ),
    Misconception(
        "ratio of overflowing sums",
        "tanh",
        "Far from zero both sums of exponentials are infinite. Use a form whose exponents are never positive.",
        "2 * sigmoid(2 * x) - 1",
        "(np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x))",
        "T2-22",
    ),
    Misconception(
        "sigmoid stretched in one direction only",
        "tanh",
        "A sigmoid stretched from -1 to 1 is half as steep as tanh at zero. Something must happen to its input too.",
        "sigmoid(2 * x)",
        "sigmoid(x)",
    ),
    Misconception(
        "input taken for the output",
        "tanh_backward",
        "That formula wants the output of tanh, and it was given the input.",
        "tanh(x) ** 2",
        "x**2",
        "T2-16",
    ),
    Misconception(
        "slope borrowed from the sigmoid",
        "tanh_backward",
        "The slope of the sigmoid has this form; tanh has another one. Differentiate it once on paper.",
        "1 - tanh(x) ** 2",
        "tanh(x) * (1 - tanh(x))",
    ),
    Misconception(
        "negative half folded over",
        "relu",
        "Negative inputs come out positive. A rectifier of this kind lets nothing of them through.",
        "np.maximum(x, 0)",
        "np.abs(x)",
        carried=False,
    ),
    Misconception(
        "mask instead of values",
        "relu",
        "You return where the input is positive. What is wanted there is the input itself.",
        "np.maximum(x, 0)",
        "(x > 0).astype(x.dtype)",
    ),
    Misconception(
        "gate from the gradient",
        "relu_backward",
        "Negative gradients are stopped here. Which units were open was decided going forward, by something else.",
        "dy * (x > 0)",
        "dy * (dy > 0)",
        "T2-18",
    ),
    Misconception(
        "output over input",
        "relu_backward",
        "The ratio of output and input is indeed the slope, except where the input is exactly zero.",
        "dy * (x > 0)",
        "dy * (relu(x) / x)",
    ),
    Misconception(
        "maximum with the slope itself",
        "leaky_relu",
        "Below zero you return the slope, a constant. There should be a line there.",
        "np.where(x > 0, x, negative_slope * x)",
        "np.maximum(x, negative_slope)",
    ),
    Misconception(
        "written into a copy of the copy",
        "leaky_relu",
        "ravel shows some arrays and copies others, depending on how they lie in memory. A copy is thrown away.",
        "    return np.where(x > 0, x, negative_slope * x)",
        """    y = np.array(x)
    y.ravel()[(x <= 0).ravel()] *= negative_slope
    return y""",
    ),
    Misconception(
        "slope always the default",
        "leaky_relu",
        "The caller may choose how much leaks through. Your function always leaks the same.",
        "x, negative_slope * x)",
        "x, 0.01 * x)",
    ),
    Misconception(
        "constant gradient on the left",
        "leaky_relu_backward",
        "Left of zero every gradient is the same number. What came from behind got lost there.",
        "np.where(x > 0, dy, negative_slope * dy)",
        "np.where(x > 0, dy, negative_slope)",
        "T2-19",
    ),
    Misconception(
        "gradient sent forward",
        "leaky_relu_backward",
        "You send the gradient through the activation as if it were an input. Its own sign decides nothing.",
        "np.where(x > 0, dy, negative_slope * dy)",
        "leaky_relu(dy, negative_slope)",
        "T2-18",
    ),
    # Saturation and signs
    Misconception(
        "absolute threshold",
        "saturation_point",
        "Your criterion is an absolute slope. By it a curve that is flat from the start is saturated far too early.",
        "fraction * derivative(0.0)",
        "fraction",
    ),
    Misconception(
        "search too short",
        "saturation_point",
        "The search stops early. Some slopes fall slowly, and the answer may lie much further out.",
        """    if derivative(high) > threshold:
""",
        """    high = 10.0
    if derivative(high) > threshold:
""",
    ),
    Misconception(
        "grid too coarse",
        "saturation_point",
        "You stop at a point of a grid. The answer lies somewhere between it and the one before.",
        "high - low > 1e-9",
        "high - low > 1e-2",
    ),
    Misconception(
        "end of the search as the answer",
        "saturation_point",
        "Some slopes never fall below the threshold. You return the place where the search ended.",
        "return np.inf",
        "return high",
    ),
    Misconception(
        "every sample for itself",
        "sign_agreement",
        "You compare the samples with one another. A weight is moved once for the whole batch, by the sum over them.",
        """    gradient = dy.T @ x
    return ~((gradient > 0).any(axis=1) & (gradient < 0).any(axis=1))
""",
        """    each = dy[:, :, None] * x[:, None, :]
    return ~((each > 0).any(axis=(0, 2)) & (each < 0).any(axis=(0, 2)))
""",
    ),
    Misconception(
        "averages multiplied",
        "sign_agreement",
        "The mean of products is not the product of means. Ask when the samples are put together.",
        "dy.T @ x",
        "np.outer(dy.mean(axis=0), x.mean(axis=0))",
    ),
    Misconception(
        "zero counted as a sign",
        "sign_agreement",
        "A weight without any gradient contradicts nobody, and neither does a neuron without one.",
        "~((gradient > 0).any(axis=1) & (gradient < 0).any(axis=1))",
        "(gradient > 0).all(axis=1) | (gradient < 0).all(axis=1)",
    ),
    Misconception(
        "inputs compared instead of neurons",
        "sign_agreement",
        "You have compared the weights that leave one input. The question was about those that arrive at one neuron.",
        "~((gradient > 0).any(axis=1) & (gradient < 0).any(axis=1))",
        "~((gradient > 0).any(axis=0) & (gradient < 0).any(axis=0))",
    ),
    Misconception(
        "one array in every row of the path",
        "zigzag_descent",
        "All points of your path are the same. The list holds one array many times, and that array kept changing.",
        """    for step in range(steps):
        gradient = x.T @ (x @ path[step] - y) / len(y)
        path[step + 1] = path[step] - lr * gradient
""",
        """    w = np.array(w0, path.dtype)
    points = [w]
    for _ in range(steps):
        w -= lr * (x.T @ (x @ w - y) / len(y))
        points.append(w)
    path = np.array(points)
""",
    ),
    Misconception(
        "sum over the samples",
        "zigzag_descent",
        "The loss is a mean, but the steps are those of a sum: they grow with the number of samples.",
        " / len(y)",
        "",
    ),
    Misconception(
        "one weight after the other",
        "zigzag_descent",
        "The second weight already sees the first one's new value. A gradient is taken at one point, for all weights.",
        """        gradient = x.T @ (x @ path[step] - y) / len(y)
        path[step + 1] = path[step] - lr * gradient
""",
        """        w = path[step].copy()
        for i in range(2):
            w[i] -= lr * (x[:, i] @ (x @ w - y)) / len(y)
        path[step + 1] = w
""",
    ),
    Misconception(
        "start left out of the path",
        "zigzag_descent",
        "A path of so many steps has one point more: it begins before the first of them.",
        "return path, float",
        "return path[1:], float",
    ),
    Misconception(
        "ratio upside down",
        "zigzag_descent",
        "Your ratio is small for a crooked path. Read again what is divided by what.",
        "float(length / distance) if distance",
        "float(distance / length) if distance",
    ),
    Misconception(
        "standing still called straight",
        "zigzag_descent",
        "A path that ends where it began has no direction. What such a ratio is was fixed by definition.",
        "else np.inf",
        "else 1.0",
    ),
    # Softmax and cross-entropy
    Misconception(
        "columns instead of rows",
        "softmax",
        "The classes lie along the axis that the caller names. You always sum along the first one.",
        """    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
        """    e = np.exp(x - x.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)
""",
        "T2-02",
        carried=False,
    ),
    Misconception(
        "one maximum for all rows",
        "softmax",
        "You subtract the largest score of all. A row far below it vanishes altogether and is then divided by zero.",
        "x.max(axis=axis, keepdims=True)",
        "x.max()",
        "T2-03",
    ),
    Misconception(
        "nothing subtracted",
        "softmax",
        "The exponential of a large score is infinite. Use that a constant may be added to all scores of a row.",
        "x - x.max(axis=axis, keepdims=True)",
        "x",
    ),
    Misconception(
        "summed axis dropped",
        "softmax",
        "A sum loses the axis it ran along, and what is left lines up with another one. A square array hides it.",
        "e.sum(axis=axis, keepdims=True)",
        "e.sum(axis=axis)",
        "T2-04",
    ),
    Misconception(
        "diagonal of the Jacobian",
        "softmax_backward",
        "You use the diagonal of the Jacobian only. Raising one score lowers all the other probabilities.",
        "y * (dy - (dy * y).sum(axis=axis, keepdims=True))",
        "y * (1 - y) * dy",
        "T2-05",
    ),
    Misconception(
        "one sum for the whole batch",
        "softmax_backward",
        "The rows disturb one another: you sum over the whole array. Each row has a Jacobian of its own.",
        "(dy * y).sum(axis=axis, keepdims=True)",
        "(dy * y).sum()",
        "T2-07",
    ),
    Misconception(
        "logarithm of a vanished probability",
        "log_softmax",
        "A probability too small to be stored becomes zero, and its logarithm infinite. Take the logarithm on paper.",
        "shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))",
        "np.log(np.exp(shifted) / np.exp(shifted).sum(axis=axis, keepdims=True))",
    ),
    Misconception(
        "always the last axis",
        "log_softmax",
        "The caller says along which axis the classes lie, and you normalize along the last one regardless.",
        """    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
""",
        """    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
""",
    ),
    Misconception(
        "upstream gradient assumed to sum to one",
        "log_softmax_backward",
        "This is right for the gradient that one particular loss sends. For any other one, something more is needed.",
        "np.exp(y) * dy.sum(axis=axis, keepdims=True)",
        "np.exp(y)",
        "T2-06",
    ),
    Misconception(
        "backward pass of softmax",
        "log_softmax_backward",
        "This is how a gradient passes through softmax. The logarithm has changed the derivative.",
        "dy - np.exp(y) * dy.sum(axis=axis, keepdims=True)",
        "np.exp(y) * (dy - (dy * np.exp(y)).sum(axis=axis, keepdims=True))",
    ),
    Misconception(
        "log-probabilities taken for probabilities",
        "log_softmax_backward",
        "The second argument holds logarithms. Your formula treats them as the probabilities themselves.",
        "np.exp(y)",
        "y",
    ),
    Misconception(
        "every target for every sample",
        "cross_entropy",
        "You pick the columns of all targets in every row. A target belongs to one row only.",
        """    log_p = np.take_along_axis(log_softmax(logits, axis=1), chosen[:, None], axis=1)[:, 0]
""",
        """    log_p = log_softmax(logits, axis=1)[:, chosen].mean(axis=1)
""",
        "T2-45",
    ),
    Misconception(
        "logarithm forgotten",
        "cross_entropy",
        "Your loss is negative. A probability went where its logarithm was wanted.",
        "log_softmax(logits, axis=1)",
        "np.exp(log_softmax(logits, axis=1))",
        "T2-47",
    ),
    Misconception(
        "a little added inside the logarithm",
        "cross_entropy",
        "The small number that keeps the logarithm finite also caps the loss, just where the network is most wrong.",
        "float(-log_p[kept].mean())",
        "float(-np.log(np.exp(log_p[kept]) + 1e-15).mean())",
        "T2-10",
    ),
    Misconception(
        "mean over samples, sum over pixels",
        "cross_entropy",
        "With several targets for each sample, you divide by the samples only. The mean runs over all targets.",
        "float(-log_p[kept].mean())",
        "float(-log_p[kept].sum() / max(kept.reshape(len(kept), -1).any(axis=1).sum(), 1))",
    ),
    Misconception(
        "ignored targets counted",
        "cross_entropy",
        "The targets that are left out add nothing to the sum, but your division still counts them.",
        "-log_p[kept].mean()",
        "-log_p[kept].sum() / target.size",
    ),
    Misconception(
        "mean of nothing",
        "cross_entropy",
        "If no target is kept, you take the mean of nothing. What the loss is then was fixed.",
        """    if not kept.any():
        return 0.0
""",
        "",
    ),
    Misconception(
        "negative targets let through",
        "cross_entropy",
        "A negative index is a legal one in Python, and picks a class from the end. No class has a negative number.",
        "(target < 0) | (target >= logits.shape[1])",
        "target >= logits.shape[1]",
    ),
    Misconception(
        "divided by all logits",
        "cross_entropy_backward",
        "Your gradient is too small by the number of classes. Ask what the mean in the loss runs over.",
        "max(int(kept.sum()), 1)",
        "logits.size",
        "T2-11",
    ),
    Misconception(
        "gradient of the sum",
        "cross_entropy_backward",
        "This is the gradient of a sum of losses, and it grows with the batch. The loss was a mean.",
        " / max(int(kept.sum()), 1)",
        "",
    ),
    Misconception(
        "softmax along the last axis",
        "cross_entropy_backward",
        "For images the classes are not on the last axis: yours compete between pixels instead of within each one.",
        "softmax(logits, axis=1)",
        "softmax(logits)",
    ),
    Misconception(
        "ignored targets still push",
        "cross_entropy_backward",
        "Where the target is left out, your logits still get a gradient. What adds nothing to the loss pushes nothing.",
        " * kept[:, None]",
        "",
    ),
    Misconception(
        "divided by ignored targets too",
        "cross_entropy_backward",
        "The mean does not count the targets that are left out, but your division does.",
        "max(int(kept.sum()), 1)",
        "target.size",
    ),
    Misconception(
        "single precision lost to a count",
        "cross_entropy_backward",
        "Float32 went in and float64 came out. A count made by NumPy is a NumPy number and has a dtype.",
        "max(int(kept.sum()), 1)",
        "np.maximum(kept.sum(), 1)",
    ),
    # Batch normalization
    Misconception(
        "unbiased variance in the output",
        "batch_norm_forward",
        "The output is made with the mean squared deviation. The unbiased estimate is for another purpose.",
        """        mean, var = last.mean(axis=axes), last.var(axis=axes)
        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * var * count / (count - 1)
""",
        """        mean, var = last.mean(axis=axes), last.var(axis=axes, ddof=1)
        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * var
""",
        "T2-24",
    ),
    Misconception(
        "mean of squares minus square of the mean",
        "batch_norm_forward",
        "Two huge numbers are subtracted, and few of their digits are left. The definition of the variance avoids it.",
        "last.mean(axis=axes), last.var(axis=axes)",
        "last.mean(axis=axes), (last**2).mean(axis=axes) - last.mean(axis=axes) ** 2",
    ),
    Misconception(
        "biased variance stored",
        "batch_norm_forward",
        "The running variance is an estimate for data not yet seen. The spread within a batch is a little too small.",
        "momentum * var * count / (count - 1)",
        "momentum * var",
        "T2-25",
    ),
    Misconception(
        "momentum on the wrong side",
        "batch_norm_forward",
        "Your running statistics forget the past at once. Ask which of the two terms the momentum belongs to here.",
        """        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * var * count / (count - 1)
""",
        """        new_mean = momentum * running_mean + (1 - momentum) * mean
        new_var = momentum * running_var + (1 - momentum) * var * count / (count - 1)
""",
    ),
    Misconception(
        "divided by the variance",
        "batch_norm_forward",
        "You divide by the variance. Measure the input in other units and see whether the output stays the same.",
        "np.sqrt(var + eps)",
        "(var + eps)",
    ),
    Misconception(
        "a little added outside the root",
        "batch_norm_forward",
        "The small number stands outside the root. For channels that hardly vary this makes a visible difference.",
        "np.sqrt(var + eps)",
        "(np.sqrt(var) + eps)",
        "T2-26",
    ),
    Misconception(
        "batch statistics in evaluation",
        "batch_norm_forward",
        "In evaluation a sample's output depends on its neighbours here. There are other statistics for that mode.",
        "mean, var = running_mean, running_var",
        "mean, var = last.mean(axis=axes), last.var(axis=axes)",
        "T2-29",
    ),
    Misconception(
        "running statistics move in evaluation",
        "batch_norm_forward",
        "Evaluation watches and does not learn: the running statistics should come back as they went in.",
        "new_mean, new_var = running_mean.copy(), running_var.copy()",
        """new_mean = (1 - momentum) * running_mean + momentum * last.mean(axis=axes)
        new_var = (1 - momentum) * running_var + momentum * last.var(axis=axes)""",
    ),
    Misconception(
        "reshaped instead of moved",
        "batch_norm_forward",
        "A reshape does not move the channels: pixels of different channels share their statistics now.",
        "last = np.moveaxis(x, 1, -1)  # channels last, where they broadcast",
        "last = x.reshape(len(x), *x.shape[2:], x.shape[1])",
        "T2-34",
    ),
    Misconception(
        "moved there and reshaped back",
        "batch_norm_forward",
        "You moved the channels and then reshaped the result. The shape is the old one, the places are not.",
        "return np.moveaxis(y, -1, 1), new_mean, new_var",
        "return y.reshape(x.shape), new_mean, new_var",
        "T2-34",
    ),
    Misconception(
        "scale along the width",
        "batch_norm_forward",
        "Gamma and beta meet the last axis, which in images is the width. They belong to the channels.",
        """    y = gamma * (last - mean) / np.sqrt(var + eps) + beta
    return np.moveaxis(y, -1, 1), new_mean, new_var""",
        """    normalized = (last - mean) / np.sqrt(var + eps)
    return gamma * np.moveaxis(normalized, -1, 1) + beta, new_mean, new_var""",
        "T2-36",
    ),
    Misconception(
        "single value let through",
        "batch_norm_forward",
        "The variance of one value is no variance, and the unbiased one divides by zero. Nobody is told.",
        """        if count == 1:
            raise ValueError("training needs more than one value per channel")
""",
        """        if count == 1:
            return x - x, running_mean, running_var
""",
    ),
    Misconception(
        "running statistics updated in place",
        "batch_norm_forward",
        "The answer is right, but you have also written it into the caller's arrays, which nobody asked for.",
        """        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * var * count / (count - 1)
""",
        """        running_mean += momentum * (mean - running_mean)
        running_var += momentum * (var * count / (count - 1) - running_var)
        new_mean, new_var = running_mean, running_var
""",
    ),
    Misconception(
        "the caller's arrays returned",
        "batch_norm_forward",
        "In evaluation you hand back the caller's own arrays. Whoever updates the result changes the original too.",
        "running_mean.copy(), running_var.copy()",
        "running_mean, running_var",
    ),
    Misconception(
        "statistics taken for constants",
        "batch_norm_backward",
        "Mean and variance depend on the input as well. Two of the three ways from input to output are missing.",
        "(dy - dbeta / count - normalized * dgamma / count)",
        "dy",
        "T2-31",
    ),
    Misconception(
        "way through the variance missing",
        "batch_norm_backward",
        "You have followed the input through the mean. It reaches the output through the variance too.",
        "(dy - dbeta / count - normalized * dgamma / count)",
        "(dy - dbeta / count)",
    ),
    Misconception(
        "scale left out of the gradient",
        "batch_norm_backward",
        "The gradient of the input does not know about gamma, which multiplies everything on the way out.",
        "gamma / deviation * (dy",
        "1 / deviation * (dy",
    ),
    Misconception(
        "variance from squares far from zero",
        "batch_norm_backward",
        "For channels far from zero the squares are huge, and their difference keeps few digits of the variance.",
        "x.var(axis=axes)",
        "np.abs((x**2).mean(axis=axes) - x.mean(axis=axes) ** 2)",
    ),
    Misconception(
        "pixels not counted",
        "batch_norm_backward",
        "For images the means run over the pixels as well, but you divide by the number of images only.",
        "count = x.size // len(gamma)",
        "count = len(x)",
    ),
    Misconception(
        "raw input in the gradient of the scale",
        "batch_norm_backward",
        "Gamma multiplies something that was made from the input, and not the input itself.",
        "return np.moveaxis(dx, -1, 1), dgamma, dbeta",
        "return np.moveaxis(dx, -1, 1), (dy * x).sum(axis=axes), dbeta",
    ),
    Misconception(
        "averaged over the batch",
        "batch_norm_backward",
        "Beta is added to every sample, and each sends a gradient back. You have averaged them.",
        "return np.moveaxis(dx, -1, 1), dgamma, dbeta",
        "return np.moveaxis(dx, -1, 1), dgamma, dbeta / count",
        "T2-41",
    ),
    Misconception(
        "one number for all channels",
        "batch_norm_backward",
        "Beta has an entry for each channel, and so has its gradient. You have summed over the channels too.",
        "return np.moveaxis(dx, -1, 1), dgamma, dbeta",
        "return np.moveaxis(dx, -1, 1), dgamma, np.full_like(dbeta, dbeta.sum())",
        "T2-40",
    ),
    Misconception(
        "deviation without the small number",
        "batch_norm_backward",
        "Going forward a small number stood beside the variance. The way back has to pass the same place.",
        "np.sqrt(x.var(axis=axes) + eps)",
        "np.sqrt(x.var(axis=axes))",
        "T2-33",
    ),
    # Layer normalization
    Misconception(
        "everything but the batch",
        "layer_norm_forward",
        "In a sequence every step is normalized by itself. You take all axes but the first, whatever shape gamma has.",
        "features = tuple(range(-gamma.ndim, 0))",
        "features = tuple(range(1, x.ndim)) or (0,)",
    ),
    Misconception(
        "last axis only",
        "layer_norm_forward",
        "Gamma may have several axes, and the statistics then run over all of them.",
        "features = tuple(range(-gamma.ndim, 0))",
        "features = (-1,)",
    ),
    Misconception(
        "a little added to the deviation",
        "layer_norm_forward",
        "The small number belongs beside the variance. Beside its root it changes samples that hardly vary.",
        "np.sqrt(var + eps)",
        "(np.sqrt(var) + eps)",
        "T2-26",
    ),
    Misconception(
        "unbiased variance of the features",
        "layer_norm_forward",
        "You divide the squared deviations by one less than their number. Nothing is being estimated here.",
        "x.var(axis=features, keepdims=True)",
        "x.var(axis=features, keepdims=True, ddof=1)",
        "T2-37",
    ),
    Misconception(
        "normalized over the samples",
        "layer_norm_forward",
        "Your statistics run over the samples of the batch. That is the other normalization.",
        "features = tuple(range(-gamma.ndim, 0))",
        "features = tuple(range(max(x.ndim - gamma.ndim, 1)))",
    ),
    Misconception(
        "mean and deviation held fixed",
        "layer_norm_backward",
        "You treat the mean and the deviation as constants. Each feature moves both of them.",
        "(scaled - scaled.mean(axis=features, keepdims=True) - normalized * along)",
        "scaled",
        "T2-31",
    ),
    Misconception(
        "means over the whole block",
        "layer_norm_backward",
        "The samples disturb one another, because a mean runs over all of them. Keep every sample to itself.",
        "(scaled * normalized).mean(axis=features, keepdims=True)",
        "(scaled * normalized).mean()",
        "T2-39",
    ),
    Misconception(
        "one mean over the last axis only",
        "layer_norm_backward",
        "Where gamma has several axes, your means run over one of them, though forward they ran over all.",
        "(scaled * normalized).mean(axis=features, keepdims=True)",
        "(scaled * normalized).mean(axis=-1, keepdims=True)",
    ),
    Misconception(
        "scale applied at the end",
        "layer_norm_backward",
        "In batch normalization gamma can wait until the end. Here it changes along the axis of your means.",
        """    scaled = dy * gamma
    along = (scaled * normalized).mean(axis=features, keepdims=True)
    dx = (scaled - scaled.mean(axis=features, keepdims=True) - normalized * along) / deviation
""",
        """    along = (dy * normalized).mean(axis=features, keepdims=True)
    dx = gamma * (dy - dy.mean(axis=features, keepdims=True) - normalized * along) / deviation
""",
    ),
    Misconception(
        "scale in its own gradient",
        "layer_norm_backward",
        "The gradient of gamma contains gamma. Ask what gamma is multiplied by on the way forward.",
        "(dy * normalized).sum(axis=samples)",
        "(scaled * normalized).sum(axis=samples)",
    ),
    Misconception(
        "summed over the first axis only",
        "layer_norm_backward",
        "In a sequence every step uses the same beta. The gradient should have the shape of what it belongs to.",
        "dy.sum(axis=samples)",
        "dy.sum(axis=samples[:1])",
    ),
    Misconception(
        "bare deviation on the way back",
        "layer_norm_backward",
        "The deviation has lost its small number on the way back. Both passes divide by the same thing.",
        "np.sqrt(x.var(axis=features, keepdims=True) + eps)",
        "np.sqrt(x.var(axis=features, keepdims=True))",
        "T2-33",
    ),
    # Deep networks
    Misconception(
        "zero counted as positive",
        "layer_statistics",
        "After a ReLU most of your units seem to be positive. Many of them are exactly zero.",
        "h > 0",
        "h >= 0",
    ),
    Misconception(
        "what goes into the activation",
        "layer_statistics",
        "You describe what enters the activation. The question was what leaves the layer.",
        """        found["mean"].append(h.mean())
        found["std"].append(h.std())
        found["positive"].append((h > 0).mean())
""",
        """        found["mean"].append(z.mean())
        found["std"].append(z.std())
        found["positive"].append((z > 0).mean())
""",
    ),
    Misconception(
        "input of the layer normalized",
        "layer_statistics",
        "You normalize before the weights are applied. They stand between your normalization and the activation.",
        """        z = h @ w.T
        if norm and not norm_after:
            z = normalize(z)
""",
        """        z = (normalize(h) if norm and not norm_after else h) @ w.T
""",
    ),
    Misconception(
        "a little added to the root",
        "layer_statistics",
        "The small number stands outside the root. That is nearly the same, and not the same.",
        "np.sqrt(a.var(axis=axis, keepdims=True) + 1e-5)",
        "a.std(axis=axis, keepdims=True) + 1e-5",
        "T2-26",
    ),
    Misconception(
        "place of the normalization ignored",
        "layer_statistics",
        "Normalization before and after the activation give the same here. The order makes a difference.",
        """        if norm and not norm_after:
            z = normalize(z)
""",
        """        if norm:
            z = normalize(z)
            norm_after = False
""",
    ),
    Misconception(
        "batch and layer exchanged",
        "layer_statistics",
        "One normalization runs over the samples, the other over the features. You have them the wrong way round.",
        'axis = 0 if norm == "batch" else 1',
        'axis = 1 if norm == "batch" else 0',
    ),
    Misconception(
        "saturation read off the output",
        "layer_statistics",
        "You call a unit saturated when its output is near 1. A sigmoid saturates on its other side as well.",
        "(slope <= 0.1).mean()",
        "(h > 0.99).mean()",
        "T2-49",
    ),
    Misconception(
        "ten percent of one",
        "layer_statistics",
        "Ten percent of the largest slope is less for the sigmoid than for tanh. You use one number for both.",
        "slope = 4 * h * (1 - h)",
        "slope = h * (1 - h)",
    ),
    Misconception(
        "inputs of one side only",
        "xavier_uniform",
        "Your bound looks at one side of the layer only. The compromise is between both.",
        "6 / (in_ + out)",
        "3 / in_",
    ),
    Misconception(
        "deviation taken for the bound",
        "xavier_uniform",
        "The standard deviation of a uniform distribution is not its bound. Your weights are too small.",
        "np.sqrt(6 / (in_ + out))",
        "np.sqrt(2 / (in_ + out))",
    ),
    Misconception(
        "never negative",
        "xavier_uniform",
        "All your weights are positive. Remember what positive numbers did to the signs of the gradients.",
        "rng.uniform(-bound, bound, size=(out, in_))",
        "rng.uniform(0, bound, size=(out, in_))",
    ),
    Misconception(
        "a generator of its own",
        "xavier_uniform",
        "You make a generator of your own, and it starts from the same number every time. One was given to you.",
        "rng.uniform(",
        "np.random.default_rng(0).uniform(",
    ),
    Misconception(
        "outputs instead of inputs",
        "he_normal",
        "You keep the variance of what flows back. The formula here looks at how many inputs a neuron sums.",
        "np.sqrt(2 / in_)",
        "np.sqrt(2 / out)",
    ),
    Misconception(
        "variance given as deviation",
        "he_normal",
        "The generator wants a standard deviation, and what you gave it is a variance.",
        "np.sqrt(2 / in_)",
        "2 / in_",
    ),
    Misconception(
        "global randomness",
        "he_normal",
        "Your numbers come from a generator that everybody shares. Whoever asks twice with the same one gets others.",
        "rng.normal(",
        "np.random.normal(",
    ),
    # PyTorch
    Misconception(
        "kept away from zero and one",
        "SigmoidFunction",
        "Your output never reaches 0 or 1. It is safer for a logarithm to come, but it is not the function.",
        "        return y\n",
        "        return y.clamp(1e-7, 1 - 1e-7)\n",
    ),
    Misconception(
        "exponentials divided",
        "SigmoidFunction",
        "Far to the right both exponentials are infinite. Choose a form whose exponent is never positive.",
        """        small = torch.exp(-x.abs())
        y = torch.where(x >= 0, 1, small) / (1 + small)
""",
        """        y = torch.exp(x) / (1 + torch.exp(x))
""",
    ),
    Misconception(
        "incoming gradient dropped",
        "SigmoidFunction",
        "Your backward pass returns the slope. It was given a gradient, too, and the chain rule needs both.",
        "return dy * y * (1 - y)",
        "return y * (1 - y)",
    ),
    Misconception(
        "sigmoid of the sigmoid",
        "SigmoidFunction",
        "What you have saved is already the output. The backward pass puts it through the sigmoid again.",
        "(y,) = ctx.saved_tensors",
        "y = 1 / (1 + torch.exp(-ctx.saved_tensors[0]))",
        "T2-16",
    ),
    Misconception(
        "stored on the class",
        "SigmoidFunction",
        "All calls share one place for what they save, so the last one overwrites the others. Each call has a context.",
        '''        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, dy: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
        """From the gradient of the output to the gradient of the input.

        Args:
            ctx: gives the tensors back as ``ctx.saved_tensors``, a tuple.
            dy: gradient of y.

        Returns:
            dx, shape of x.
        """
        (y,) = ctx.saved_tensors
''',
        '''        SigmoidFunction.saved = y
        return y

    @staticmethod
    def backward(ctx: Any, dy: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
        """From the gradient of the output to the gradient of the input.

        Args:
            ctx: gives the tensors back as ``ctx.saved_tensors``, a tuple.
            dy: gradient of y.

        Returns:
            dx, shape of x.
        """
        y = SigmoidFunction.saved
''',
    ),
    Misconception(
        "batches not counted",
        "BatchNorm2d",
        "Whoever loads your layer finds that it has never seen a batch.",
        "                self.num_batches_tracked += 1\n",
        "",
    ),
    Misconception(
        "counter left out of the state",
        "BatchNorm2d",
        "The state dictionary lacks an entry, so a layer saved elsewhere cannot be loaded into yours.",
        'self.register_buffer("num_batches_tracked", torch.tensor(0))',
        "self.num_batches_tracked = 0",
    ),
    Misconception(
        "statistics cut off from the graph",
        "BatchNorm2d",
        "The output is right, but no gradient passes through the mean and the variance: they were detached.",
        "mean, var = x.mean(dim=(0, 2, 3)), x.var(dim=(0, 2, 3), correction=0)",
        "mean, var = x.detach().mean(dim=(0, 2, 3)), x.detach().var(dim=(0, 2, 3), correction=0)",
        "T2-31",
    ),
    Misconception(
        "default of the variance",
        "BatchNorm2d",
        "The variance of a tensor is the unbiased one unless you say otherwise. The output is made with another one.",
        """        if self.training:
            mean, var = x.mean(dim=(0, 2, 3)), x.var(dim=(0, 2, 3), correction=0)
            count = x.numel() // x.shape[1]
            with torch.no_grad():
                self.running_mean.lerp_(mean, self.momentum)
                self.running_var.lerp_(var * count / (count - 1), self.momentum)
""",
        """        if self.training:
            mean, var = x.mean(dim=(0, 2, 3)), x.var(dim=(0, 2, 3))
            with torch.no_grad():
                self.running_mean.lerp_(mean, self.momentum)
                self.running_var.lerp_(var, self.momentum)
""",
        "T2-24",
    ),
    Misconception(
        "biased variance in the buffer",
        "BatchNorm2d",
        "What you store is the spread within the batch. The buffer holds an estimate for images not yet seen.",
        "var * count / (count - 1)",
        "var",
        "T2-25",
    ),
    Misconception(
        "momentum taken for the share of the past",
        "BatchNorm2d",
        "The running statistics jump to every new batch. In this layer a small momentum means small changes.",
        """                self.running_mean.lerp_(mean, self.momentum)
                self.running_var.lerp_(var * count / (count - 1), self.momentum)
""",
        """                self.running_mean.lerp_(mean, 1 - self.momentum)
                self.running_var.lerp_(var * count / (count - 1), 1 - self.momentum)
""",
    ),
    Misconception(
        "buffers that drag the graph along",
        "BatchNorm2d",
        "The running statistics remember how they were computed, and each batch makes that history longer.",
        """            with torch.no_grad():
                self.running_mean.lerp_(mean, self.momentum)
                self.running_var.lerp_(var * count / (count - 1), self.momentum)
                self.num_batches_tracked += 1
""",
        """            self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean
            self.running_var = (1 - self.momentum) * self.running_var + self.momentum * var * count / (count - 1)
            self.num_batches_tracked += 1
""",
    ),
    Misconception(
        "always in training",
        "BatchNorm2d",
        "In evaluation your layer still looks at the batch, so an image's output depends on its company.",
        "if self.training:",
        "if True:",
        "T2-29",
    ),
    Misconception(
        "scale drawn at random",
        "LayerNorm",
        "A fresh layer of yours scales its features at random. Before it has learnt anything it should only normalize.",
        "torch.ones(normalized_shape)",
        "torch.randn(normalized_shape)",
    ),
    Misconception(
        "all axes but the first",
        "LayerNorm",
        "You normalize over everything but the batch. The layer was told which axes belong to a sample.",
        "features = tuple(range(-self.weight.ndim, 0))",
        "features = tuple(range(1, x.ndim))",
    ),
    Misconception(
        "over the last axis whatever the shape",
        "LayerNorm",
        "The layer was made for several axes, and you normalize over one of them.",
        "features = tuple(range(-self.weight.ndim, 0))",
        "features = (-1,)",
    ),
    Misconception(
        "unbiased by default",
        "LayerNorm",
        "The variance that PyTorch gives you divides by one less than the number of values, unless told not to.",
        "x.var(dim=features, correction=0, keepdim=True)",
        "x.var(dim=features, keepdim=True)",
        "T2-37",
    ),
)
