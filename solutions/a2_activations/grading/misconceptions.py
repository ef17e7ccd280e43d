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
        carried=False,
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
        "numerator for the whole",
        "sigmoid",
        "Left of some point you leave the denominator out. It is near 1 there, but not as near as is asked.",
        "    return np.where(x >= 0, 1, small) / (1 + small)",
        """    y = np.where(x >= 0, 1, small) / (1 + small)
    return np.where(x < -12, small, y)""",
    ),
    Misconception(
        "activation applied twice",
        "sigmoid_backward",
        "The slope is taken at the output of the sigmoid, as if it were the input, and so it is nearly 1/4 everywhere.",
        "y = sigmoid(x)",
        "y = sigmoid(sigmoid(x))",
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
        "exponents that fit float64 alone",
        "sigmoid_backward",
        "You keep the exponents within what float64 can hold. In float32 exponentials overflow much sooner.",
        "    return dy * y * (1 - y)",
        "    e = np.exp(-np.clip(x, -700, 700))\n    return dy * e / (1 + e) ** 2 + 0 * y",
    ),
    Misconception(
        "input in the formula of the output",
        "sigmoid_backward",
        "That formula for the slope wants the output of the sigmoid. You were given the input.",
        "y = sigmoid(x)",
        "y = x",
    ),
    Misconception(
        "slope of tanh",
        "sigmoid_backward",
        "This is how the slope of tanh follows from its output. The sigmoid has another one.",
        "dy * y * (1 - y)",
        "dy * (1 - y**2)",
    ),
    Misconception(
        "half of the slope",
        "sigmoid_backward",
        "The slope should be small on both sides. Yours goes on growing on one of them: a factor is missing.",
        "dy * y * (1 - y)",
        "dy * y",
    ),
    Misconception(
        "flat beyond some point",
        "sigmoid_backward",
        "Far out you call the slope 0. It is small there, but larger than the errors that are allowed.",
        "return dy * y * (1 - y)",
        "return np.where(np.abs(x) > 25, 0 * dy, dy * y * (1 - y))",
    ),
    Misconception(
        "ratio of overflowing sums",
        "tanh",
        "Far from zero both sums of exponentials are infinite. Use a form whose exponents are never positive.",
        "2 * sigmoid(2 * x) - 1",
        "(np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x))",
    ),
    Misconception(
        "exponents of tanh that fit float64 alone",
        "tanh",
        "You keep the exponents within what float64 can hold. In float32 exponentials overflow much sooner.",
        "2 * sigmoid(2 * x) - 1",
        "np.sinh(np.clip(x, -700, 700)) / np.cosh(np.clip(x, -700, 700))",
    ),
    Misconception(
        "sigmoid stretched in one direction only",
        "tanh",
        "A sigmoid stretched from -1 to 1 is half as steep as tanh at zero. Something must happen to its input too.",
        "sigmoid(2 * x)",
        "sigmoid(x)",
    ),
    Misconception(
        "not shifted down",
        "tanh",
        "Your curve runs from 0 to 2. It was stretched and then left where it was.",
        "2 * sigmoid(2 * x) - 1",
        "2 * sigmoid(2 * x)",
    ),
    Misconception(
        "argument halved",
        "tanh",
        "Your curve is too flat at zero. To make it steeper, the argument must change the other way.",
        "2 * sigmoid(2 * x) - 1",
        "2 * sigmoid(x / 2) - 1",
    ),
    Misconception(
        "inputs cut off where it is flat",
        "tanh",
        "Inputs beyond some point are cut off, where the curve is near its limit but not yet as near as is asked.",
        "2 * sigmoid(2 * x) - 1",
        "2 * sigmoid(2 * np.clip(x, -12, 12)) - 1",
    ),
    Misconception(
        "input taken for the output",
        "tanh_backward",
        "That formula wants the output of tanh, and it was given the input.",
        "tanh(x) ** 2",
        "x**2",
    ),
    Misconception(
        "slope borrowed from the sigmoid",
        "tanh_backward",
        "The slope of the sigmoid has this form; tanh has another one. Differentiate it once on paper.",
        "1 - tanh(x) ** 2",
        "tanh(x) * (1 - tanh(x))",
    ),
    Misconception(
        "slope of tanh without the chain",
        "tanh_backward",
        "This is the slope of tanh. The chain rule wants something more than the slope.",
        "dy * (1 - tanh(x) ** 2)",
        "np.ones_like(dy) * (1 - tanh(x) ** 2)",
    ),
    Misconception(
        "output not squared",
        "tanh_backward",
        "This slope is not the same on both sides of zero, and at the far left it is 2. Differentiate once more.",
        "tanh(x) ** 2",
        "tanh(x)",
    ),
    Misconception(
        "tanh taken twice",
        "tanh_backward",
        "The output of tanh goes through tanh once more before the slope is taken.",
        "tanh(x) ** 2",
        "tanh(tanh(x)) ** 2",
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
        "the wrong half kept",
        "relu",
        "What is negative stays and what is positive is gone: exactly the other way round.",
        "np.maximum(x, 0)",
        "np.minimum(x, 0)",
    ),
    Misconception(
        "cut off above",
        "relu",
        "Your unit has a ceiling. This one has a floor only.",
        "np.maximum(x, 0)",
        "np.clip(x, 0, 1)",
    ),
    Misconception(
        "gate from the gradient",
        "relu_backward",
        "Negative gradients are stopped here. Which units were open was decided going forward, by something else.",
        "dy * (x > 0)",
        "dy * (dy > 0)",
    ),
    Misconception(
        "output over input",
        "relu_backward",
        "The ratio of output and input is indeed the slope, except where the input is exactly zero.",
        "dy * (x > 0)",
        "dy * (relu(x) / x)",
    ),
    Misconception(
        "output for the slope",
        "relu_backward",
        "You multiply by the output. The slope of a straight line is a constant.",
        "dy * (x > 0)",
        "dy * np.maximum(x, 0)",
    ),
    Misconception(
        "gate without the gradient",
        "relu_backward",
        "You return which units were open. What they let through on the way back is missing.",
        "dy * (x > 0)",
        "(x > 0).astype(dy.dtype)",
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
        "line added on both sides",
        "leaky_relu",
        "What leaks through is added on the right as well, so the line there is too steep.",
        "np.where(x > 0, x, negative_slope * x)",
        "np.maximum(x, 0) + negative_slope * x",
    ),
    Misconception(
        "sides exchanged",
        "leaky_relu",
        "The flat line is on the right and the steep one on the left. Look at which inputs are to leak.",
        "np.where(x > 0, x, negative_slope * x)",
        "np.where(x < 0, x, negative_slope * x)",
    ),
    Misconception(
        "leak folded upwards",
        "leaky_relu",
        "Left of zero your values are positive. A line through zero changes its sign there.",
        "x, negative_slope * x)",
        "x, -negative_slope * x)",
    ),
    Misconception(
        "slope 0 taken for none",
        "leaky_relu",
        "A slope of 0 may be asked for. Python takes it for false, and the default comes in its place.",
        "x, negative_slope * x)",
        "x, (negative_slope or 0.01) * x)",
    ),
    Misconception(
        "constant gradient on the left",
        "leaky_relu_backward",
        "Left of zero every gradient is the same number. What came from behind got lost there.",
        "np.where(x > 0, dy, negative_slope * dy)",
        "np.where(x > 0, dy, negative_slope)",
    ),
    Misconception(
        "gradient sent forward",
        "leaky_relu_backward",
        "You send the gradient through the activation as if it were an input. Its own sign decides nothing.",
        "np.where(x > 0, dy, negative_slope * dy)",
        "leaky_relu(dy, negative_slope)",
    ),
    Misconception(
        "slopes without the chain",
        "leaky_relu_backward",
        "These are the two slopes. They are there to multiply something.",
        "np.where(x > 0, dy, negative_slope * dy)",
        "np.where(x > 0, np.ones_like(dy), np.full_like(dy, negative_slope))",
    ),
    Misconception(
        "nothing leaks back",
        "leaky_relu_backward",
        "Left of zero no gradient comes back, as if the unit were a plain ReLU.",
        "np.where(x > 0, dy, negative_slope * dy)",
        "np.where(x > 0, dy, 0 * dy)",
    ),
    Misconception(
        "slope of the default on the way back",
        "leaky_relu_backward",
        "The caller chose a slope for the way forward. The way back uses another one.",
        "dy, negative_slope * dy)",
        "dy, 0.01 * dy)",
    ),
    Misconception(
        "slope 0 taken for none on the way back",
        "leaky_relu_backward",
        "A slope of 0 may be asked for. Python takes it for false, and the default comes in its place.",
        "np.where(x > 0, dy, negative_slope * dy)",
        "np.where(x > 0, dy, (negative_slope or 0.01) * dy)",
    ),
    Misconception(
        "kink with a width",
        "leaky_relu_backward",
        "The kink is a single point. You take inputs that are merely small for it.",
        "np.where(x > 0, dy, negative_slope * dy)",
        "np.where(np.isclose(x, 0), (1 + negative_slope) / 2 * dy, np.where(x > 0, dy, negative_slope * dy))",
    ),
    Misconception(
        "side read off the output",
        "leaky_relu_backward",
        "You ask the output on which side an input was. With a slope of 0, one whole side gives the same output.",
        "np.where(x > 0, dy, negative_slope * dy)",
        "np.where(leaky_relu(x, negative_slope) >= 0, dy, negative_slope * dy)",
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
        "fallen by a fraction",
        "saturation_point",
        "You look for where the slope has lost that fraction. It is to be what is left of it.",
        "fraction * derivative(0.0)",
        "(1 - fraction) * derivative(0.0)",
    ),
    Misconception(
        "search until the slope is close",
        "saturation_point",
        "You stop when the slope is near the threshold. On a flat slope the point may still be far away then.",
        """        if derivative(middle) <= threshold:
            high = middle
""",
        """        if abs(derivative(middle) - threshold) <= 1e-9 * threshold:
            return middle
        if derivative(middle) <= threshold:
            high = middle
""",
    ),
    Misconception(
        "next point of a grid",
        "saturation_point",
        "You walk along a grid and stop at the first point beyond. The answer lies between it and the one before.",
        "    return high",
        "    return float(np.ceil(high * 1000) / 1000)",
    ),
    Misconception(
        "threshold reached at the very end",
        "saturation_point",
        "A slope that has fallen to the threshold exactly at the end of the search is no longer above it.",
        "derivative(high) > threshold",
        "derivative(high) >= threshold",
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
        "one sign for the whole layer",
        "sign_agreement",
        "All neurons get one answer. Each neuron has weights of its own, which agree or not.",
        "~((gradient > 0).any(axis=1) & (gradient < 0).any(axis=1))",
        "np.full(len(gradient), (gradient >= 0).all() or (gradient <= 0).all())",
    ),
    Misconception(
        "signs of the outputs' gradients",
        "sign_agreement",
        "You look at the signs of the gradients at the neurons' outputs. The gradient of a weight has another factor.",
        "~((gradient > 0).any(axis=1) & (gradient < 0).any(axis=1))",
        "~((dy > 0).any(axis=0) & (dy < 0).any(axis=0)) & (gradient.shape[0] > 0)",
    ),
    Misconception(
        "disagreement reported",
        "sign_agreement",
        "True stands where the signs contradict one another. The question was the opposite one.",
        "~((gradient > 0)",
        "((gradient > 0)",
    ),
    Misconception(
        "product of the extreme gradients",
        "sign_agreement",
        "The product of two gradients tells their signs, until both are so small that it becomes 0.",
        "~((gradient > 0).any(axis=1) & (gradient < 0).any(axis=1))",
        "gradient.min(axis=1) * gradient.max(axis=1) >= 0",
    ),
    Misconception(
        "tiny gradients taken for none",
        "sign_agreement",
        "Gradients below some limit take no part in your answer. Only those that are 0 do not count.",
        "~((gradient > 0).any(axis=1) & (gradient < 0).any(axis=1))",
        "~((gradient > 1e-10).any(axis=1) & (gradient < -1e-10).any(axis=1))",
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
    Misconception(
        "square not halved",
        "zigzag_descent",
        "The steps are twice as long as they should be. The loss has a factor in front that meets the exponent.",
        "gradient = x.T",
        "gradient = 2 * x.T",
    ),
    Misconception(
        "root of all the squares",
        "zigzag_descent",
        "The length of the path is a single root over all steps. Each step has a length of its own; these add up.",
        "np.linalg.norm(np.diff(path, axis=0), axis=1).sum()",
        "np.linalg.norm(np.diff(path, axis=0))",
    ),
    Misconception(
        "lengths along the axes",
        "zigzag_descent",
        "You add the changes of both weights. The length of a step is that of the straight line, by Pythagoras.",
        "np.linalg.norm(np.diff(path, axis=0), axis=1).sum()",
        "np.abs(np.diff(path, axis=0)).sum()",
    ),
    Misconception(
        "short paths taken for closed",
        "zigzag_descent",
        "A distance that is tiny is not 0. Only a path that ends where it began has none.",
        "if distance else np.inf",
        "if distance > 1e-12 else np.inf",
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
        carried=False,
    ),
    Misconception(
        "one maximum for all rows",
        "softmax",
        "You subtract the largest score of all. A row far below it vanishes altogether and is then divided by zero.",
        "x.max(axis=axis, keepdims=True)",
        "x.max()",
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
    ),
    Misconception(
        "sum over everything",
        "softmax",
        "The probabilities of the whole array sum to 1. Each row was to do so by itself.",
        "e.sum(axis=axis, keepdims=True)",
        "e.sum()",
    ),
    Misconception(
        "smallest score subtracted",
        "softmax",
        "The exponents are never negative and some are huge. Subtract a score after which none can be too large.",
        "x.max(axis=axis, keepdims=True)",
        "x.min(axis=axis, keepdims=True)",
    ),
    Misconception(
        "divided by the largest",
        "softmax",
        "The most probable class always gets 1 here. Together the classes should.",
        "e.sum(axis=axis, keepdims=True)",
        "e.max(axis=axis, keepdims=True)",
    ),
    Misconception(
        "small scores lifted",
        "softmax",
        "Scores far below the largest are lifted to one level. One of them adds nothing; thousands do.",
        "np.exp(x - x.max(axis=axis, keepdims=True))",
        "np.exp(np.maximum(x - x.max(axis=axis, keepdims=True), -22))",
    ),
    Misconception(
        "shifted only where scores look large",
        "softmax",
        "You shift the scores only beyond some limit. How large is too large depends on the precision.",
        "    e = np.exp(x - x.max(axis=axis, keepdims=True))\n",
        """    if np.abs(x).max() > 500:
        x = x - x.max(axis=axis, keepdims=True)
    e = np.exp(x)
""",
    ),
    Misconception(
        "diagonal of the Jacobian",
        "softmax_backward",
        "You use the diagonal of the Jacobian only. Raising one score lowers all the other probabilities.",
        "y * (dy - (dy * y).sum(axis=axis, keepdims=True))",
        "y * (1 - y) * dy",
    ),
    Misconception(
        "one sum for the whole batch",
        "softmax_backward",
        "The rows disturb one another: you sum over the whole array. Each row has a Jacobian of its own.",
        "(dy * y).sum(axis=axis, keepdims=True)",
        "(dy * y).sum()",
    ),
    Misconception(
        "softmax of the probabilities",
        "softmax_backward",
        "The second argument is the output already. You put it through the softmax once more.",
        "    return y * (dy",
        "    y = softmax(y, axis)\n    return y * (dy",
    ),
    Misconception(
        "gradients summed without their probabilities",
        "softmax_backward",
        "The sum that you subtract counts each class the same. Write down one column of the Jacobian.",
        "(dy * y).sum(axis=axis, keepdims=True)",
        "dy.sum(axis=axis, keepdims=True)",
    ),
    Misconception(
        "last axis on the way back",
        "softmax_backward",
        "The caller says along which axis the classes lie. Your sum runs along the last one regardless.",
        "(dy * y).sum(axis=axis, keepdims=True)",
        "(dy * y).sum(axis=-1, keepdims=True)",
    ),
    Misconception(
        "axis moved twice to the end",
        "softmax_backward",
        "The axis goes to the end, and the same move does not bring it back. With two axes nobody notices.",
        "    return y * (dy - (dy * y).sum(axis=axis, keepdims=True))",
        """    dx = y * (dy - (dy * y).sum(axis=axis, keepdims=True))
    return np.moveaxis(np.moveaxis(dx, axis, -1), axis, -1)""",
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
        "maximum not put back",
        "log_softmax",
        "The sum was computed for scores that had been shifted, and is subtracted from scores that had not.",
        "return shifted - np",
        "return x - np",
    ),
    Misconception(
        "exponentials before any shift",
        "log_softmax",
        "The exponential of a large score is infinite, and so is its logarithm. Shift the scores first.",
        "shifted = x - x.max(axis=axis, keepdims=True)",
        "shifted = x",
    ),
    Misconception(
        "one shift for all rows",
        "log_softmax",
        "You subtract the largest score of the whole array. In a row far below it nothing is left for the logarithm.",
        "x.max(axis=axis, keepdims=True)",
        "x.max()",
        carried=False,
    ),
    Misconception(
        "logarithm of a probability that is nearly lost",
        "log_softmax",
        "You take the logarithm of a probability unless it is 0. Just above 0, few of its digits are stored.",
        "    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))",
        """    p = np.exp(shifted) / np.exp(shifted).sum(axis=axis, keepdims=True)
    with np.errstate(divide="ignore"):
        return np.where(p > 0, np.log(p), shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)))""",
    ),
    Misconception(
        "upstream gradient assumed to sum to one",
        "log_softmax_backward",
        "This is right for the gradient that one particular loss sends. For any other one, something more is needed.",
        "np.exp(y) * dy.sum(axis=axis, keepdims=True)",
        "np.exp(y)",
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
        "upstream gradient assumed to sum to minus one",
        "log_softmax_backward",
        "This is right for the gradient of a cross-entropy, which sums to -1. Another one may have any sum.",
        "dy - np.exp(y) * dy.sum(axis=axis, keepdims=True)",
        "dy + np.exp(y)",
    ),
    Misconception(
        "sum over the batch as well",
        "log_softmax_backward",
        "You sum the gradient over the whole array, and the rows disturb one another.",
        "dy.sum(axis=axis, keepdims=True)",
        "dy.sum()",
    ),
    Misconception(
        "axes exchanged and moved back",
        "log_softmax_backward",
        "Two axes are exchanged on the way in, and one is moved on the way out. These do not undo each other.",
        "    return dy - np.exp(y) * dy.sum(axis=axis, keepdims=True)",
        """    dx = dy - np.exp(y) * dy.sum(axis=axis, keepdims=True)
    return np.moveaxis(dx.swapaxes(axis, -1), -1, axis)""",
    ),
    Misconception(
        "every target for every sample",
        "cross_entropy",
        "You pick the columns of all targets in every row. A target belongs to one row only.",
        """    log_p = np.take_along_axis(log_softmax(logits, axis=1), chosen[:, None], axis=1)[:, 0]
""",
        """    log_p = log_softmax(logits, axis=1)[:, chosen].mean(axis=1)
""",
    ),
    Misconception(
        "logarithm forgotten",
        "cross_entropy",
        "Your loss is negative. A probability went where its logarithm was wanted.",
        "log_softmax(logits, axis=1)",
        "np.exp(log_softmax(logits, axis=1))",
    ),
    Misconception(
        "a little added inside the logarithm",
        "cross_entropy",
        "The small number that keeps the logarithm finite also caps the loss, just where the network is most wrong.",
        "float(-log_p[kept].mean())",
        "float(-np.log(np.exp(log_p[kept]) + 1e-15).mean())",
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
        "sum of all losses",
        "cross_entropy",
        "The loss grows with the number of targets. It was to be a mean.",
        "-log_p[kept].mean()",
        "-log_p[kept].sum()",
    ),
    Misconception(
        "softmax before the logarithm of softmax",
        "cross_entropy",
        "The logits go through softmax twice. The loss can then neither be near 0 nor large.",
        "log_softmax(logits, axis=1)",
        "log_softmax(np.exp(log_softmax(logits, axis=1)), axis=1)",
    ),
    Misconception(
        "classes traded with the last axis",
        "cross_entropy",
        "The classes trade places with the last axis, where they should move behind it: pixels get others' targets.",
        "    log_p = np.take_along_axis(log_softmax(logits, axis=1), chosen[:, None], axis=1)[:, 0]",
        """    rows = log_softmax(logits, axis=1).swapaxes(1, -1).reshape(-1, logits.shape[1])
    log_p = np.take_along_axis(rows, chosen.reshape(-1, 1), axis=1).reshape(target.shape)""",
    ),
    Misconception(
        "mean of the samples' means",
        "cross_entropy",
        "Each sample has a mean of its own here, and samples with few kept targets count as much as those with many.",
        "    return float(-log_p[kept].mean())",
        """    counts = kept.reshape(len(kept), -1).sum(axis=1)
    sums = np.where(kept, log_p, 0).reshape(len(kept), -1).sum(axis=1)
    return float(-np.mean(sums[counts > 0] / counts[counts > 0]))""",
    ),
    Misconception(
        "every target for every pixel",
        "cross_entropy",
        "All rows and all targets are laid flat, and each row picks the columns of all targets, not its own alone.",
        """    chosen = np.where(kept, target, 0)
    log_p = np.take_along_axis(log_softmax(logits, axis=1), chosen[:, None], axis=1)[:, 0]
    return float(-log_p[kept].mean())""",
        """    rows = np.moveaxis(log_softmax(logits, axis=1), 1, -1)[kept]
    return float(-rows[:, target[kept]].mean())""",
    ),
    Misconception(
        "one shift for all pixels of a sample",
        "cross_entropy",
        "The logits are shifted by the largest of their sample. A pixel far below another one loses all its classes.",
        "log_p = np.take_along_axis(log_softmax(logits, axis=1), chosen",
        """z = logits - logits.max(axis=tuple(range(1, logits.ndim)), keepdims=True)
    log_p = np.take_along_axis(z - np.log(np.exp(z).sum(axis=1, keepdims=True)), chosen""",
    ),
    Misconception(
        "divided by all logits",
        "cross_entropy_backward",
        "Your gradient is too small by the number of classes. Ask what the mean in the loss runs over.",
        "max(int(kept.sum()), 1)",
        "logits.size",
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
    Misconception(
        "right class alone",
        "cross_entropy_backward",
        "Only the logit of the right class gets a gradient. The others stand in the denominator of the softmax.",
        "(softmax(logits, axis=1) - right) * kept",
        "(softmax(logits, axis=1) - 1) * right * kept",
    ),
    Misconception(
        "target not subtracted",
        "cross_entropy_backward",
        "These are the probabilities alone, whatever the right class is. The loss depends on it.",
        "(softmax(logits, axis=1) - right) * kept",
        "softmax(logits, axis=1) * kept",
    ),
    Misconception(
        "target minus probability",
        "cross_entropy_backward",
        "The gradient points the wrong way: following it downwards would make the right class less probable.",
        "(softmax(logits, axis=1) - right) * kept",
        "(right - softmax(logits, axis=1)) * kept",
    ),
    Misconception(
        "divided by the samples",
        "cross_entropy_backward",
        "You divide by the number of samples. The mean runs over all targets, of which an image has many.",
        "max(int(kept.sum()), 1)",
        "len(target)",
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
    ),
    Misconception(
        "batch statistics in evaluation",
        "batch_norm_forward",
        "In evaluation a sample's output depends on its neighbours here. There are other statistics for that mode.",
        "mean, var = running_mean, running_var",
        "mean, var = last.mean(axis=axes), last.var(axis=axes)",
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
    ),
    Misconception(
        "moved there and reshaped back",
        "batch_norm_forward",
        "You moved the channels and then reshaped the result. The shape is the old one, the places are not.",
        "return np.moveaxis(y, -1, 1), new_mean, new_var",
        "return y.reshape(x.shape), new_mean, new_var",
    ),
    Misconception(
        "scale along the width",
        "batch_norm_forward",
        "Gamma and beta meet the last axis, which in images is the width. They belong to the channels.",
        """    y = gamma * (last - mean) / np.sqrt(var + eps) + beta
    return np.moveaxis(y, -1, 1), new_mean, new_var""",
        """    normalized = (last - mean) / np.sqrt(var + eps)
    return gamma * np.moveaxis(normalized, -1, 1) + beta, new_mean, new_var""",
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
        "each pixel by itself",
        "batch_norm_forward",
        "Every place in the image has its own mean and variance. A channel shares them among all of its pixels.",
        """        mean, var = last.mean(axis=axes), last.var(axis=axes)
        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * var * count / (count - 1)
""",
        """        mean, var = last.mean(axis=axes), last.var(axis=axes)
        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * var * count / (count - 1)
        mean, var = last.mean(axis=0), last.var(axis=0)
""",
    ),
    Misconception(
        "each image by itself",
        "batch_norm_forward",
        "The statistics of your output are taken within one image. Batch normalization looks at the whole batch.",
        """        mean, var = last.mean(axis=axes), last.var(axis=axes)
        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * var * count / (count - 1)
""",
        """        mean, var = last.mean(axis=axes), last.var(axis=axes)
        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * var * count / (count - 1)
        mean, var = last.mean(axis=axes[1:], keepdims=True), last.var(axis=axes[1:], keepdims=True)
""",
    ),
    Misconception(
        "running statistics used in training",
        "batch_norm_forward",
        "In training the output is made with the running statistics. Those are for later; now the batch counts.",
        """        new_var = (1 - momentum) * running_var + momentum * var * count / (count - 1)
""",
        """        new_var = (1 - momentum) * running_var + momentum * var * count / (count - 1)
        mean, var = new_mean, new_var
""",
    ),
    Misconception(
        "running statistics stand still",
        "batch_norm_forward",
        "After training the running statistics are what they were before. They should follow the batches.",
        """        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * var * count / (count - 1)
""",
        """        new_mean, new_var = running_mean.copy(), running_var.copy()
""",
    ),
    Misconception(
        "deviation kept above a floor",
        "batch_norm_forward",
        "You do not let the deviation fall below a limit of your own. Channels may vary less than that.",
        "np.sqrt(var + eps)",
        "np.maximum(np.sqrt(var + eps), 1e-8)",
    ),
    Misconception(
        "statistics taken for constants",
        "batch_norm_backward",
        "Mean and variance depend on the input as well. Two of the three ways from input to output are missing.",
        "(dy - dbeta / count - normalized * dgamma / count)",
        "dy",
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
    ),
    Misconception(
        "one number for all channels",
        "batch_norm_backward",
        "Beta has an entry for each channel, and so has its gradient. You have summed over the channels too.",
        "return np.moveaxis(dx, -1, 1), dgamma, dbeta",
        "return np.moveaxis(dx, -1, 1), dgamma, np.full_like(dbeta, dbeta.sum())",
    ),
    Misconception(
        "deviation without the small number",
        "batch_norm_backward",
        "Going forward a small number stood beside the variance. The way back has to pass the same place.",
        "np.sqrt(x.var(axis=axes) + eps)",
        "np.sqrt(x.var(axis=axes))",
    ),
    Misconception(
        "way through the mean missing",
        "batch_norm_backward",
        "You have followed the input through the variance. It reaches the output through the mean too.",
        "(dy - dbeta / count - normalized * dgamma / count)",
        "(dy - normalized * dgamma / count)",
    ),
    Misconception(
        "sums for means on the way back",
        "batch_norm_backward",
        "What you subtract grows with the batch. The mean of the batch divides by how many values there are.",
        "(dy - dbeta / count - normalized * dgamma / count)",
        "(dy - dbeta - normalized * dgamma)",
    ),
    Misconception(
        "deviation forgotten on the way back",
        "batch_norm_backward",
        "Going forward everything was divided by the deviation. The gradient passes the same division.",
        "gamma / deviation * (dy",
        "gamma * (dy",
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
    ),
    Misconception(
        "unbiased variance of the features",
        "layer_norm_forward",
        "You divide the squared deviations by one less than their number. Nothing is being estimated here.",
        "x.var(axis=features, keepdims=True)",
        "x.var(axis=features, keepdims=True, ddof=1)",
    ),
    Misconception(
        "normalized over the samples",
        "layer_norm_forward",
        "Your statistics run over the samples of the batch. That is the other normalization.",
        "features = tuple(range(-gamma.ndim, 0))",
        "features = tuple(range(max(x.ndim - gamma.ndim, 1)))",
    ),
    Misconception(
        "features divided by the variance",
        "layer_norm_forward",
        "You divide by the variance. Measure the input in other units and see whether the output stays the same.",
        "np.sqrt(var + eps)",
        "(var + eps)",
    ),
    Misconception(
        "mean left in the features",
        "layer_norm_forward",
        "You scale and do not centre. The mean of a normalized sample is zero.",
        "return gamma * (x - mean)",
        "return gamma * x",
    ),
    Misconception(
        "nothing beside the variance",
        "layer_norm_forward",
        "A sample whose features are all equal has variance 0. That is what the small number is there for.",
        "np.sqrt(var + eps)",
        "np.sqrt(var)",
    ),
    Misconception(
        "mean and deviation held fixed",
        "layer_norm_backward",
        "You treat the mean and the deviation as constants. Each feature moves both of them.",
        "(scaled - scaled.mean(axis=features, keepdims=True) - normalized * along)",
        "scaled",
    ),
    Misconception(
        "means over the whole block",
        "layer_norm_backward",
        "The samples disturb one another, because a mean runs over all of them. Keep every sample to itself.",
        "(scaled * normalized).mean(axis=features, keepdims=True)",
        "(scaled * normalized).mean()",
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
    ),
    Misconception(
        "mean held fixed",
        "layer_norm_backward",
        "You have followed the features through the variance. They reach the output through the mean too.",
        "(scaled - scaled.mean(axis=features, keepdims=True) - normalized * along)",
        "(scaled - normalized * along)",
    ),
    Misconception(
        "variance held fixed",
        "layer_norm_backward",
        "You have followed the features through the mean. They reach the output through the variance too.",
        "(scaled - scaled.mean(axis=features, keepdims=True) - normalized * along)",
        "(scaled - scaled.mean(axis=features, keepdims=True))",
    ),
    Misconception(
        "scale averaged over the samples",
        "layer_norm_backward",
        "You average the gradient of gamma. Each sample sends its own share back, and shares add up.",
        "(dy * normalized).sum(axis=samples)",
        "(dy * normalized).mean(axis=samples)",
    ),
    Misconception(
        "summed over axes of one",
        "layer_norm_backward",
        "You sum over all axes along which the scale has length one, its own ones too. It loses those by that.",
        "    samples = tuple(range(x.ndim - gamma.ndim))",
        """    padded = (1,) * (x.ndim - gamma.ndim) + gamma.shape
    samples = tuple(i for i, side in enumerate(padded) if side == 1)""",
    ),
    Misconception(
        "one axis or all but the first on the way back",
        "layer_norm_backward",
        "You take one axis, or all but that of the samples. The shape of gamma says how many there are.",
        "features = tuple(range(-gamma.ndim, 0))",
        "features = (-1,) if gamma.ndim == 1 else tuple(range(1, x.ndim))",
    ),
    Misconception(
        "both means over the last axis only",
        "layer_norm_backward",
        "Forward, mean and variance ran over all axes of gamma. On the way back your means run over the last one.",
        """    along = (scaled * normalized).mean(axis=features, keepdims=True)
    dx = (scaled - scaled.mean(axis=features, keepdims=True) - normalized * along) / deviation""",
        """    along = (scaled * normalized).mean(axis=-1, keepdims=True)
    dx = (scaled - scaled.mean(axis=-1, keepdims=True) - normalized * along) / deviation""",
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
    ),
    Misconception(
        "ten percent of one",
        "layer_statistics",
        "Ten percent of the largest slope is less for the sigmoid than for tanh. You use one number for both.",
        "slope = 4 * h * (1 - h)",
        "slope = h * (1 - h)",
    ),
    Misconception(
        "features' deviations averaged",
        "layer_statistics",
        "You take a deviation for each feature and average those. One number over all entries is something else.",
        "h.std()",
        "h.std(axis=0).mean()",
    ),
    Misconception(
        "variance recorded",
        "layer_statistics",
        "What you record as the deviation is its square.",
        "h.std()",
        "h.var()",
    ),
    Misconception(
        "one less in the deviation",
        "layer_statistics",
        "The squared deviations are divided by one less than their number. Here it is their mean.",
        "h.std()",
        "h.std(ddof=1)",
    ),
    Misconception(
        "recorded before the second normalization",
        "layer_statistics",
        "You record what the activation gives. The next layer receives something that was normalized after it.",
        """        if norm and norm_after:
            h = normalize(h)
        found["mean"].append(h.mean())
        found["std"].append(h.std())
        found["positive"].append((h > 0).mean())
""",
        """        found["mean"].append(h.mean())
        found["std"].append(h.std())
        found["positive"].append((h > 0).mean())
        if norm and norm_after:
            h = normalize(h)
""",
    ),
    Misconception(
        "rounded points of saturation",
        "layer_statistics",
        "You compare inputs with points that are rounded to two decimals. The definition speaks of the slope itself.",
        "(slope <= 0.1).mean()",
        '(abs(z) >= {"sigmoid": 3.64, "tanh": 1.82}[activation] if activation != "relu" else z <= 0).mean()',
    ),
    Misconception(
        "slope lost far from zero",
        "layer_statistics",
        "Far from zero your slope is infinity over infinity, and what is no number is not below any limit.",
        "slope = 4 * h * (1 - h)",
        "slope = 4 * np.exp(-z) / (1 + np.exp(-z)) ** 2",
    ),
    Misconception(
        "saturated on one side only",
        "layer_statistics",
        "A sigmoid and a tanh flatten on both sides. You count the units near their upper limit alone.",
        "(slope <= 0.1).mean()",
        '((slope <= 0.1) & ((z > 0) | (activation == "relu"))).mean()',
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
        "normal instead of uniform",
        "xavier_uniform",
        "The variance is right, but some weights lie beyond any bound: this is another distribution.",
        "rng.uniform(-bound, bound, size=(out, in_))",
        "rng.normal(scale=bound / np.sqrt(3), size=(out, in_))",
    ),
    Misconception(
        "root forgotten in the bound",
        "xavier_uniform",
        "The bound has the size of a variance. Ask how a bound and a variance are connected.",
        "np.sqrt(6 / (in_ + out))",
        "6 / (in_ + out)",
    ),
    Misconception(
        "inputs first",
        "xavier_uniform",
        "The matrix has a row for every input. The layer computes with one for every output.",
        "size=(out, in_)",
        "size=(in_, out)",
    ),
    Misconception(
        "child of the generator",
        "xavier_uniform",
        "A child of the generator depends on its seed, not on its state: numbers drawn before make no difference.",
        "rng.uniform(",
        "rng.spawn(1)[0].uniform(",
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
    Misconception(
        "factor for ReLU left out",
        "he_normal",
        "ReLU lets half of the signal through, and your variance does not make up for it.",
        "np.sqrt(2 / in_)",
        "np.sqrt(1 / in_)",
    ),
    Misconception(
        "both sides of the layer",
        "he_normal",
        "You use the compromise between inputs and outputs. This formula looks at one side only.",
        "np.sqrt(2 / in_)",
        "np.sqrt(2 / (in_ + out))",
    ),
    Misconception(
        "uniform instead of normal",
        "he_normal",
        "The variance is right, but no weight lies far out: this is another distribution.",
        "rng.normal(scale=np.sqrt(2 / in_), size=(out, in_))",
        "rng.uniform(-np.sqrt(6 / in_), np.sqrt(6 / in_), size=(out, in_))",
    ),
    Misconception(
        "sample made to measure",
        "he_normal",
        "You shift and scale the weights until mean and variance are exact. Then none is drawn on its own any more.",
        "    return rng.normal(scale=np.sqrt(2 / in_), size=(out, in_))",
        """    w = rng.standard_normal((out, in_))
    return np.sqrt(2 / in_) * (w - w.mean()) / w.std()""",
    ),
    Misconception(
        "copy of the generator",
        "he_normal",
        "You draw from a copy, and the generator stays where it was: the next layer gets the same numbers.",
        "    return rng.normal(",
        """    import copy

    return copy.deepcopy(rng).normal(""",
    ),
    Misconception(
        "a child for every layer",
        "he_normal",
        "A child of a generator depends on its seed and on how many there were, not on the state it is in.",
        "rng.normal(",
        "rng.spawn(1)[0].normal(",
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
        "slope of tanh in the function",
        "SigmoidFunction",
        "That is how the slope of tanh follows from its output. The sigmoid has another one.",
        "return dy * y * (1 - y)",
        "return dy * (1 - y**2)",
    ),
    Misconception(
        "input saved, output read",
        "SigmoidFunction",
        "You have saved the input, and the backward pass takes it for the output.",
        "ctx.save_for_backward(y)",
        "ctx.save_for_backward(x)",
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
    ),
    Misconception(
        "biased variance in the buffer",
        "BatchNorm2d",
        "What you store is the spread within the batch. The buffer holds an estimate for images not yet seen.",
        "var * count / (count - 1)",
        "var",
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
    ),
    Misconception(
        "each image has its statistics",
        "BatchNorm2d",
        "Each image is normalized by itself. The statistics of a channel run over all images of the batch.",
        "mean, var = x.mean(dim=(0, 2, 3)), x.var(dim=(0, 2, 3), correction=0)\n",
        """mean, var = x.mean(dim=(0, 2, 3)), x.var(dim=(0, 2, 3), correction=0)
            own, spread = x.mean(dim=(2, 3), keepdim=True), x.var(dim=(2, 3), correction=0, keepdim=True)
            x = (x - own) / torch.sqrt(spread + self.eps) * torch.sqrt(var + self.eps)[:, None, None]
            x = x + mean[:, None, None]
""",
    ),
    Misconception(
        "running statistics in both modes",
        "BatchNorm2d",
        "In training too, images are normalized with the running statistics. Those are for the evaluation.",
        "                self.num_batches_tracked += 1\n        else:\n            mean",
        "                self.num_batches_tracked += 1\n        if True:\n            mean",
    ),
    Misconception(
        "small number outside the root",
        "BatchNorm2d",
        "The small number is added to the root. For channels that hardly vary this makes a visible difference.",
        "torch.sqrt(var + self.eps)",
        "(torch.sqrt(var) + self.eps)",
    ),
    Misconception(
        "momentum 0 taken for none",
        "BatchNorm2d",
        "A momentum of 0 may be asked for. Python takes it for false, and the default comes in its place.",
        "self.eps, self.momentum = eps, momentum",
        "self.eps, self.momentum = eps, momentum or 0.1",
    ),
    Misconception(
        "momentum 0 taken for an average",
        "BatchNorm2d",
        "With momentum 0 you average over all batches so far. It says how much a new batch counts.",
        """                self.running_mean.lerp_(mean, self.momentum)
                self.running_var.lerp_(var * count / (count - 1), self.momentum)
                self.num_batches_tracked += 1
""",
        """                self.num_batches_tracked += 1
                share = self.momentum or 1 / self.num_batches_tracked.item()
                self.running_mean.lerp_(mean, share)
                self.running_var.lerp_(var * count / (count - 1), share)
""",
    ),
    Misconception(
        "training only while gradients are recorded",
        "BatchNorm2d",
        "A layer in training trains, whether gradients are recorded or not. Yours takes their absence for evaluation.",
        "        if self.training:",
        "        if self.training and torch.is_grad_enabled():",
    ),
    Misconception(
        "root of a variance taken and squared again",
        "BatchNorm2d",
        "You take a root and square it again. At 0 a root is infinitely steep: without any spread the gradient is NaN.",
        "torch.sqrt(var + self.eps)",
        "torch.sqrt(torch.sqrt(var) ** 2 + self.eps)",
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
    ),
    Misconception(
        "small number beside the root",
        "LayerNorm",
        "The small number stands outside the root. For samples that hardly vary this makes a visible difference.",
        "torch.sqrt(var + self.eps)",
        "(torch.sqrt(var) + self.eps)",
    ),
    Misconception(
        "root taken and squared again",
        "LayerNorm",
        "You take a root and square it again. At 0 a root is infinitely steep: without any spread the gradient is NaN.",
        "torch.sqrt(var + self.eps)",
        "torch.sqrt(torch.sqrt(var) ** 2 + self.eps)",
    ),
    Misconception(
        "scale and shift left out",
        "LayerNorm",
        "The layer holds a weight and a bias, and its output does not depend on them.",
        "(x - mean) / torch.sqrt(var + self.eps) * self.weight + self.bias",
        "(x - mean) / torch.sqrt(var + self.eps)",
    ),
    Misconception(
        "one axis or all but the first of the layer",
        "LayerNorm",
        "You take one axis, or all but that of the samples. The layer was told how many axes it normalizes over.",
        "features = tuple(range(-self.weight.ndim, 0))",
        "features = (-1,) if self.weight.ndim == 1 else tuple(range(1, x.ndim))",
    ),
)
