# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".
"""Assignment 2: activations and normalization, in NumPy.

Conventions of every function here:

- Vectors are (N, C): a batch of N samples with C features. Images are (N, C, H, W): batch, channels, height, width.
- ``f_backward`` receives ``dy``, the gradient of a loss L with respect to the output of ``f``, and returns the gradient
  of L with respect to the arrays that ``f`` took, in that order. Nothing is averaged over the batch: if the loss is a
  mean, ``dy`` contains the division already.
- The floating arrays of one call have one dtype, float32 or float64, and so have the arrays that are returned.
- Arrays have at least one axis and one entry, may come with any strides (transposed, reversed or sliced, say) and must
  not be changed. What is returned may be a new array or a view of an argument; later calls must not change it.
- Numbers, such as ``eps`` or ``lr``, come as Python numbers: a float32 array divided by a Python ``int`` or ``float``
  stays float32, divided by an ``np.int64`` or ``np.float64`` it becomes float64. A single number is returned as a
  Python number; a NumPy scalar passes too, and an ``int`` where a float is asked for.
- An array is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times), unless a
  docstring says otherwise. Whole numbers and truth values must be exact. A float32 array has at most 1000 entries.
- "Uses your ``f``" says what helps here; nobody asks whether you call it, and other functions of yours may be called
  too. A mistake in what you call then shows here as well.
- What stands after "Forbidden" may be used neither here nor in what you call here. Where there is no such line, all
  is allowed. (SciPy and PyTorch cannot be imported where this file is graded.)

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int


def sigmoid(x: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """The logistic sigmoid, entry by entry.

        sigmoid(x) = 1 / (1 + exp(-x))

    It lies between 0 and 1 and is 1/2 at x = 0. It is small left of 0 but not 0: about 4.2e-18 at x = -40, and down to
    x = -100 (in float32 -80) such small values must be right too, each up to 1e-9 of itself (in float32 1e-4).
    x = -1000 gives 0, or what is less than 1e-30, and x = 1000 gives 1, not NaN or infinity. NumPy's warnings are not
    graded.

    Args:
        x: any shape.

    Returns:
        y, shape of x.

    Forbidden: np.tanh, math.tanh, cmath.tanh, scipy.
    Handout: §1 Activations.
    """
    raise NotImplementedError("sigmoid")


def sigmoid_backward(dy: Float[np.ndarray, "..."], x: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """Backward pass of ``sigmoid``: from the gradient of its output to the gradient of its input.

    The slope of the sigmoid is largest at x = 0, where it is 1/4, and falls towards 0 on both sides; at x = 1000 and
    x = -1000 it is 0, not NaN. Errors up to 1e-12 times the largest entry of dy pass (in float32 1e-6 times), also
    where the slope itself is as small as that.

    Args:
        dy: gradient of the output, shape of x.
        x: input of the forward pass (not its output), any shape.

    Returns:
        dx, shape of x.

    Uses your ``sigmoid``.
    Forbidden: scipy.
    Handout: §1 Activations.
    """
    raise NotImplementedError("sigmoid_backward")


def tanh(x: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """The hyperbolic tangent, entry by entry.

        tanh(x) = (exp(x) - exp(-x)) / (exp(x) + exp(-x))

    It lies between -1 and 1 and is 0 at x = 0; x = -1000 gives -1 and x = 1000 gives 1, not NaN or infinity. Errors up
    to 1e-12 pass (in float32 1e-6) and larger ones do not, also where tanh(x) itself is as small as that. NumPy's
    warnings are not graded.

    Args:
        x: any shape.

    Returns:
        y, shape of x.

    Uses your ``sigmoid``.
    Forbidden: np.tanh, math.tanh, cmath.tanh, scipy.
    Handout: §1 Activations.
    """
    raise NotImplementedError("tanh")


def tanh_backward(dy: Float[np.ndarray, "..."], x: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """Backward pass of ``tanh``: from the gradient of its output to the gradient of its input.

    The slope of tanh is largest at x = 0, where it is 1: four times as steep as the sigmoid. At x = 1000 and x = -1000
    it is 0, not NaN. Errors up to 1e-12 times the largest entry of dy pass (in float32 1e-6 times), also where the
    slope itself is as small as that.

    Args:
        dy: gradient of the output, shape of x.
        x: input of the forward pass (not its output), any shape.

    Returns:
        dx, shape of x.

    Uses your ``tanh``.
    Forbidden: scipy.
    Handout: §1 Activations.
    """
    raise NotImplementedError("tanh_backward")


def relu(x: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """The rectified linear unit, entry by entry: what is negative becomes 0, the rest stays as it is.

    Entries may be as large as 1e300 (in float32 1e37), and as small as 1e-12.

    Args:
        x: any shape.

    Returns:
        y, shape of x.

    Handout: §1 Activations.
    """
    raise NotImplementedError("relu")


def relu_backward(dy: Float[np.ndarray, "..."], x: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """Backward pass of ``relu``: from the gradient of its output to the gradient of its input.

    At x = 0 there is a kink and no derivative. There each value between 0 and dy, both included, is accepted.

    Args:
        dy: gradient of the output, shape of x.
        x: input of the forward pass, any shape.

    Returns:
        dx, shape of x.

    Handout: §1 Activations.
    """
    raise NotImplementedError("relu_backward")


def leaky_relu(x: Float[np.ndarray, "..."], negative_slope: float = 0.01) -> Float[np.ndarray, "..."]:
    """The leaky rectified linear unit, entry by entry: a straight line of slope 1 right of 0, of a smaller one left.

        leaky_relu(x) = x                     where x >= 0
                        negative_slope * x    where x < 0

    Args:
        x: any shape.
        negative_slope: slope left of 0, which is 0 or at least 0.001, and below 1.

    Returns:
        y, shape of x.

    Handout: §1 Activations.
    """
    raise NotImplementedError("leaky_relu")


def leaky_relu_backward(
    dy: Float[np.ndarray, "..."], x: Float[np.ndarray, "..."], negative_slope: float = 0.01
) -> Float[np.ndarray, "..."]:
    """Backward pass of ``leaky_relu``: from the gradient of its output to the gradient of its input.

    At x = 0 there is a kink. There each value between negative_slope * dy and dy, both included, is accepted.

    Args:
        dy: gradient of the output, shape of x.
        x: input of the forward pass, any shape.
        negative_slope: slope left of 0, as in the forward pass.

    Returns:
        dx, shape of x.

    Handout: §1 Activations.
    """
    raise NotImplementedError("leaky_relu_backward")


def saturation_point(derivative: Callable[[float], float], fraction: float) -> float:
    """Find where an activation saturates: where its slope has fallen to a fraction of the slope at 0.

        the smallest x >= 0 with derivative(x) <= fraction * derivative(0)

    By a relative criterion like this one two activations can be compared, whatever the height of their slopes. For the
    sigmoid and a fraction of 0.1, the answer is 3.6369.

    You see the derivative only through its values. It takes one number and returns a float, is positive and even (so
    that looking at x >= 0 is enough), and decreases strictly from x = 0 on, until it may be too small for a float and
    become 0; it need not approach 0. Even at x = 0 it may be as small as 1e-12.

    Args:
        derivative: the slope of some activation, as a function of its input.
        fraction: which part of the slope at 0, > 0.

    Returns:
        The point, a Python float, at most 1e-6 from the true one. It is 0 if the fraction is 1 or more, and infinity
        (``math.inf`` or ``np.inf``) if the slope is still above the threshold at x = 100.

    Forbidden: scipy.
    Handout: §2 Saturation.
    """
    raise NotImplementedError("saturation_point")


def sign_agreement(dy: Float[np.ndarray, "N out"], x: Float[np.ndarray, "N in"]) -> Bool[np.ndarray, " out"]:
    """Tell for each neuron of a linear layer whether all its weights are pushed in the same direction.

    Neuron j computes z[n, j] = sum over i of w[j, i] * x[n, i], and dy[n, j] is the gradient of the loss with respect
    to z[n, j]. A gradient step takes one decision for each weight, from the whole batch: the sign of the gradient
    dL/dw[j, i], which is a sum over the samples. The neuron agrees with itself if these signs do not contradict one
    another: not one weight has a positive gradient while another one of the same neuron has a negative one. A weight
    whose gradient is 0 takes no part, so a neuron without any gradient agrees; one of 1e-200 (in float32 1e-30) does
    take part, and none is smaller but 0. (Sums such as 0.1 + 0.2 - 0.3, which should be 0 and depend on the order of
    the terms, do not occur: the terms of a gradient of 0 are 0, or cancel without rounding, as 2 - 2 does.)

    For a single sample with x > 0 every neuron agrees: this is where the usual argument about positive inputs comes
    from. In a larger batch fewer do, down to a floor.

    Args:
        dy: gradient of the neurons' outputs, shape (N, out).
        x: inputs of the layer, shape (N, in), positive, negative or 0.

    Returns:
        One truth value for each neuron, shape (out,).

    Handout: §3 Signs and the zig-zag.
    """
    raise NotImplementedError("sign_agreement")


def zigzag_descent(
    x: Float[np.ndarray, "N 2"],
    y: Float[np.ndarray, " N"],
    w0: Float[np.ndarray, " 2"],
    *,
    lr: float,
    steps: int,
) -> tuple[Float[np.ndarray, "steps+1 2"], float]:
    """Walk down a least-squares loss with two weights by gradient descent, and measure how crooked the path is.

        L(w) = 1/2 * mean over the N samples of (x @ w - y) ** 2

    Each step replaces w by w - lr * dL/dw: both weights at once, the whole batch, no momentum. The mean divides by N,
    and the gradient contains that division too. A path may run away, but no further than 1e9.

    The ratio is the length of the path (the sum of the lengths of its steps) divided by the straight distance between
    its first and its last point. It is 1 for a straight path and large for a zig-zag.

    Args:
        x: inputs, shape (N, 2).
        y: targets, shape (N,).
        w0: where the path begins, shape (2,).
        lr: learning rate, > 0.
        steps: number of steps, >= 0.

    Returns:
        (path, ratio): the weights before the first step and after each one, shape (steps + 1, 2), and a Python float.
        The ratio is infinity if the last point is the first one, as it is when there are no steps, or none leads away,
        and only then: a path may be as short as 1e-13. (Where its points should be the same, no operation is rounded.)

    Handout: §3 Signs and the zig-zag.
    """
    raise NotImplementedError("zigzag_descent")


def softmax(x: Float[np.ndarray, "..."], axis: int = -1) -> Float[np.ndarray, "..."]:
    """Turn scores into probabilities along one axis.

        softmax(x)[i] = exp(x[i]) / sum over j of exp(x[j])

    where i and j run along the axis. Adding the same number to all scores changes nothing. Scores are finite. They may
    be large, 1000 or -1000, and differ as much from row to row; no result is NaN.

    Args:
        x: scores, any shape with at least one axis.
        axis: the axis of the classes, possibly negative; everything along the other axes is independent.

    Returns:
        The probabilities, shape of x; they sum to 1 along the axis.

    Forbidden: scipy.
    Handout: §4 Softmax and cross-entropy.
    """
    raise NotImplementedError("softmax")


def softmax_backward(
    dy: Float[np.ndarray, "..."], y: Float[np.ndarray, "..."], axis: int = -1
) -> Float[np.ndarray, "..."]:
    """Backward pass of ``softmax``: from the gradient of the probabilities to the gradient of the scores.

    Each score takes part in every probability along the axis, so its gradient is a sum over all of them.

    Args:
        dy: gradient of the probabilities, any shape with at least one axis.
        y: the probabilities, output of the forward pass (not its input), shape of dy.
        axis: as in the forward pass.

    Returns:
        dx, shape of dy.

    Forbidden: scipy.
    Handout: §4 Softmax and cross-entropy.
    """
    raise NotImplementedError("softmax_backward")


def log_softmax(x: Float[np.ndarray, "..."], axis: int = -1) -> Float[np.ndarray, "..."]:
    """The logarithm of ``softmax``, computed in one go.

        log_softmax(x)[i] = x[i] - log(sum over j of exp(x[j]))

    where i and j run along the axis. Scores may be large, 1000 or -1000, and differ as much from row to row. The
    results stay true where the probability itself is too small to be stored: 0 and 1000 give -1000 and 0.

    Args:
        x: scores, any shape with at least one axis.
        axis: the axis of the classes, possibly negative.

    Returns:
        The logarithms of the probabilities, shape of x.

    Forbidden: scipy.
    Handout: §4 Softmax and cross-entropy.
    """
    raise NotImplementedError("log_softmax")


def log_softmax_backward(
    dy: Float[np.ndarray, "..."], y: Float[np.ndarray, "..."], axis: int = -1
) -> Float[np.ndarray, "..."]:
    """Backward pass of ``log_softmax``: from the gradient of the log-probabilities to the gradient of the scores.

    dy is any gradient, not only the one that a cross-entropy sends.

    Args:
        dy: gradient of the log-probabilities, any shape with at least one axis.
        y: the log-probabilities, output of the forward pass (not its input), shape of dy.
        axis: as in the forward pass.

    Returns:
        dx, shape of dy.

    Forbidden: scipy.
    Handout: §4 Softmax and cross-entropy.
    """
    raise NotImplementedError("log_softmax_backward")


def cross_entropy(
    logits: Float[np.ndarray, "N C ..."], target: Int[np.ndarray, "N ..."], *, ignore_index: int = -100
) -> float:
    """The mean cross-entropy of logits (scores before any softmax) with the right classes.

        L = mean over all targets that are kept of -log(softmax(logits)[right class])

    A target equal to ``ignore_index`` is left out: it adds nothing to the sum, and the mean does not count it. That is
    looked at first, and ``ignore_index`` may be any number, also that of a class. Logits may be as large as 1000 or
    -1000. Errors up to 1e-9 pass also where L is smaller than that.

    Args:
        logits: the classes lie along axis 1: shape (N, C), or (N, C, d1, d2, ...), which for images is one
            classification for each pixel.
        target: the right classes 0, ..., C - 1, int64, shape (N,), or (N, d1, d2, ...).
        ignore_index: the target that is left out.

    Returns:
        L, a Python float; 0 if no target is kept.

    Raises:
        ValueError: a target is neither ``ignore_index`` nor one of 0, ..., C - 1. Negative ones are no classes either.

    Uses your ``log_softmax``.
    Forbidden: scipy.
    Handout: §4 Softmax and cross-entropy.
    """
    raise NotImplementedError("cross_entropy")


def cross_entropy_backward(
    logits: Float[np.ndarray, "N C ..."], target: Int[np.ndarray, "N ..."], *, ignore_index: int = -100
) -> Float[np.ndarray, "N C ..."]:
    """The gradient of ``cross_entropy`` with respect to its logits.

    It takes no dy, since the loss is the end of the network: its gradient with respect to itself is 1. The loss is a
    mean, and the gradient contains that division. Logits whose target is left out have gradient zero; if none is kept,
    all have.

    Args:
        logits: as for ``cross_entropy``, shape (N, C) or (N, C, d1, d2, ...).
        target: as for ``cross_entropy``, shape (N,) or (N, d1, d2, ...). All are valid.
        ignore_index: the target that is left out.

    Returns:
        dlogits, shape of logits, in the dtype of the logits.

    Uses your ``softmax``.
    Forbidden: scipy.
    Handout: §4 Softmax and cross-entropy.
    """
    raise NotImplementedError("cross_entropy_backward")


def batch_norm_forward(
    x: Float[np.ndarray, "N C ..."],
    gamma: Float[np.ndarray, " C"],
    beta: Float[np.ndarray, " C"],
    running_mean: Float[np.ndarray, " C"],
    running_var: Float[np.ndarray, " C"],
    *,
    training: bool,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> tuple[Float[np.ndarray, "N C ..."], Float[np.ndarray, " C"], Float[np.ndarray, " C"]]:
    """Forward pass of batch normalization, for vectors (N, C) and for images (N, C, H, W).

        y = gamma * (x - mean) / sqrt(var + eps) + beta        mean, var, gamma, beta: one number for each channel

    In training, mean and var are those of the batch: for each channel, over all samples and, in images, all pixels,
    m = N or m = N * H * W values. This var is the mean squared deviation, a sum divided by m. The running statistics
    move a little towards the batch:

        new running_mean = (1 - momentum) * running_mean + momentum * mean
        new running_var  = (1 - momentum) * running_var  + momentum * (sum of squared deviations) / (m - 1)

    So y is made with the division by m, and what is stored is the unbiased estimate, with the division by m - 1.
    (Written as old + momentum * (batch - old), the same is rounded otherwise. That passes, too.)

    In evaluation, mean and var are the running statistics, and they stay as they are.

    In float64, the mean of a channel that varies may be up to 100 000 times its deviation, the root of var (as where
    the values are 100 000 plus or minus 1): y and the variance must be as exact as elsewhere.

    Args:
        x: shape (N, C) or (N, C, H, W).
        gamma: scale, shape (C,).
        beta: shift, shape (C,).
        running_mean: shape (C,).
        running_var: shape (C,), >= 0.
        training: whether to train or to evaluate.
        momentum: weight of the new batch in the running statistics, from 0 to 1.
        eps: added to the variance, >= 0; where it is 0, no variance is, but one may be as small as 1e-20.

    Returns:
        (y, new running_mean, new running_var): y of the shape of x, the others (C,). In evaluation the last two are
        copies of the running statistics, not the arrays themselves. The arguments are not changed in either mode.

    Raises:
        ValueError: in training, m is 1. (One value has no spread.)

    Handout: §5 Batch normalization.
    """
    raise NotImplementedError("batch_norm_forward")


def batch_norm_backward(
    dy: Float[np.ndarray, "N C ..."],
    x: Float[np.ndarray, "N C ..."],
    gamma: Float[np.ndarray, " C"],
    *,
    eps: float = 1e-5,
) -> tuple[Float[np.ndarray, "N C ..."], Float[np.ndarray, " C"], Float[np.ndarray, " C"]]:
    """Backward pass of batch normalization in training, for vectors (N, C) and for images (N, C, H, W).

    Let y be what ``batch_norm_forward`` gives in training. Mean and variance of the batch depend on x, so x reaches y
    in three ways: directly, through the mean, and through the variance. The running statistics are no part of it. In
    float64, the channels of x, not of dy, may lie as far from zero as in the forward pass.

    Args:
        dy: gradient of y, shape of x.
        x: input of the forward pass, shape (N, C) or (N, C, H, W), with at least three values per channel. (With two
            the terms of dx cancel, and what is left are rounding errors.)
        gamma: scale, shape (C,).
        eps: as in the forward pass.

    Returns:
        (dx, dgamma, dbeta): dx of the shape of x, the others (C,).

    Handout: §5 Batch normalization.
    """
    raise NotImplementedError("batch_norm_backward")


def layer_norm_forward(
    x: Float[np.ndarray, "..."], gamma: Float[np.ndarray, "..."], beta: Float[np.ndarray, "..."], *, eps: float = 1e-5
) -> Float[np.ndarray, "..."]:
    """Forward pass of layer normalization.

        y = gamma * (x - mean) / sqrt(var + eps) + beta

    Mean and var belong to one sample: they are taken over the last axes of x, as many as gamma has (over the last one
    for a gamma of shape (D,), over the last three for (C, H, W)), and separately for each place along the axes before
    them. There is nothing to remember between batches, and no difference between training and evaluation. var is the
    mean squared deviation: divided by the number of values, not by one less.

    In float64, the mean of a sample that varies may be up to 100 000 times its deviation, the root of var (as where the
    values are 100 000 plus or minus 1): y must be as exact as elsewhere.

    Args:
        x: its shape ends in the shape of gamma; any number of axes before that, also none.
        gamma: scale, at least one axis.
        beta: shift, shape of gamma.
        eps: added to the variance, >= 0; where it is 0, no variance is, but one may be as small as 1e-20.

    Returns:
        y, shape of x.

    Handout: §6 Layer normalization.
    """
    raise NotImplementedError("layer_norm_forward")


def layer_norm_backward(
    dy: Float[np.ndarray, "..."], x: Float[np.ndarray, "..."], gamma: Float[np.ndarray, "..."], *, eps: float = 1e-5
) -> tuple[Float[np.ndarray, "..."], Float[np.ndarray, "..."], Float[np.ndarray, "..."]]:
    """Backward pass of layer normalization.

    gamma and beta serve every sample, so their gradients are sums over the axes of x that gamma does not have. In
    float64, the samples of x, not of dy, may lie as far from zero as in the forward pass.

    Args:
        dy: gradient of the output, shape of x.
        x: input of the forward pass; its shape ends in the shape of gamma.
        gamma: scale, at least one axis; not of two entries, with which the terms of dx cancel. (With one entry dx is
            0, and errors up to 1e-12 pass.)
        eps: as in the forward pass.

    Returns:
        (dx, dgamma, dbeta): dx of the shape of x, the others of the shape of gamma.

    Handout: §6 Layer normalization.
    """
    raise NotImplementedError("layer_norm_backward")


def layer_statistics(
    x: Float[np.ndarray, "N D"],
    weights: Sequence[Float[np.ndarray, "out in"]],
    activation: Literal["sigmoid", "tanh", "relu"],
    *,
    norm: Literal["batch", "layer"] | None = None,
    norm_after: bool = False,
) -> dict[str, Float[np.ndarray, " layers"]]:
    """Send a batch through a deep network, and watch what becomes of the signal.

    The layers have no biases. Each computes z = h @ w.T from what it receives (the first one receives x), and

        without norm:                   h = activation(z)
        with norm:                      h = activation(normalize(z))
        with norm and ``norm_after``:   h = normalize(activation(z))

    where h is what the next layer receives. normalize subtracts a mean and divides by sqrt(var + 1e-5), var being the
    mean squared deviation; there is no gamma or beta. For "batch" each feature is normalized over the samples, with the
    statistics of this batch; for "layer" each sample is normalized over its features.

    For each layer four numbers are recorded, over all entries of the batch:

        mean        of h
        std         of h: the root of the mean squared deviation
        positive    which fraction of h is > 0
        saturated   for which fraction of the activation's inputs its slope is at most 10 % of its largest slope

    The largest slope is 1/4 for the sigmoid and 1 for the others. The activation's input is z, or normalize(z). The
    slope of ReLU is 1 right of 0, and 0 left of 0 and at 0.

    Where a feature is the same in all samples (for "layer": where a sample has equal features), normalize gives 0 or
    what rounding makes of it, of either sign. No fraction that is asked for depends on that, on 1e-6 more or less of an
    activation's input, on what your ``tanh`` makes of the smallest numbers, or on whether your ``sigmoid`` is 0 or a
    little more far left of 0.

    Args:
        x: the batch, shape (N, D); for "batch" at least two samples.
        weights: one array (out, in) for each layer, at least one; each takes as many as the one before gives.
        activation: "sigmoid", "tanh" or "relu".
        norm: how to normalize, or None for not at all.
        norm_after: whether to normalize after the activation; without norm it has no effect.

    Returns:
        The four arrays by name, float64, each with one entry for each layer, the first layer first. Errors up to 1e-9
        (where x is float32, 1e-4) of the largest entry of an array, or of 1, pass. Where x is float32, so are the
        weights, and nothing that is asked for needs more than float32 on the way.

    Uses your ``sigmoid``, ``tanh`` and ``relu``.
    Handout: §7 Deep networks.
    """
    raise NotImplementedError("layer_statistics")


def xavier_uniform(out: int, in_: int, *, rng: np.random.Generator) -> Float[np.ndarray, "out in"]:
    """Draw the weights of a linear layer after Xavier Glorot: uniformly.

    Each weight is drawn on its own, from the uniform distribution between -a and a whose variance is 2 / (in_ + out):
    a compromise between keeping the variance of the signal (which wants 1 / in_) and of the gradient (1 / out).

    Args:
        out: number of outputs.
        in_: number of inputs.
        rng: the only source of randomness. The same state of it gives the same weights, another state gives others.
            Draw from rng itself and not from a copy: it moves on, and a second call with it gives other weights.

    Returns:
        The weights, shape (out, in_), float64. Their statistics are graded, not the single numbers.

    Handout: §7 Deep networks.
    """
    raise NotImplementedError("xavier_uniform")


def he_normal(out: int, in_: int, *, rng: np.random.Generator) -> Float[np.ndarray, "out in"]:
    """Draw the weights of a linear layer after Kaiming He: normally, for layers that are followed by ReLU.

    Each weight is drawn on its own, from the normal distribution with mean 0 and variance 2 / in_. Nothing is cut off
    far from the mean.

    Args:
        out: number of outputs.
        in_: number of inputs.
        rng: the only source of randomness. The same state of it gives the same weights, another state gives others.
            Draw from rng itself and not from a copy: it moves on, and a second call with it gives other weights.

    Returns:
        The weights, shape (out, in_), float64. Their statistics are graded, not the single numbers.

    Handout: §7 Deep networks.
    """
    raise NotImplementedError("he_normal")
