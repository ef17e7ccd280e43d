"""Assignment 3: pooling, and LeNet-5 with its backward pass, in NumPy.

Conventions of every function here:

- Images are (N, C, H, W): batch, channels, height, width. Weights of a linear layer are (out, in).
- The floating arrays of one call, parameters among them, have one dtype, float32 or float64, and so have the results,
  unless a docstring says otherwise. Only where it says "any dtype" may there be others: floating numbers, whole
  numbers or truth values, in the machine's own byte order.
- Arrays may come with any strides (transposed, reversed or sliced, say) and must not be changed. What is returned may
  be a new array or a view of an argument, and may be read-only; later calls must not change it.
- No array is empty, nor is ``batches``.
- Numbers, such as ``lr`` or ``momentum``, come as Python numbers. (A float32 array times a Python ``float`` stays
  float32, times an ``np.float64`` it becomes float64.) A single number is returned as a Python number; a NumPy scalar
  passes too.
- An array is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times), unless a
  docstring says otherwise. Whole numbers and truth values must be exact; what is counted stays below 2 ** 53.
- Dictionaries of parameters and gradients may hold their names in any order, each in another.
- Where a signature says ``Pair``, one number stands for both axes: ``padding=1`` means ``padding=(1, 1)``.
- A backward function receives dy, the gradient of a loss with respect to the output y of the layer, and what the layer
  received; it returns the gradients with respect to what the layer received. Nothing is averaged over the batch.
- "Uses your ``f``" says what helps here; nobody asks whether you call it, and other functions of yours may be called
  too. A mistake in what you call then shows here as well.
- Nothing is forbidden. (SciPy and PyTorch cannot be imported where this file is graded.)

``provided.py`` holds the convolution (``from provided import conv2d_backward, conv2d_forward``). Its functions, and
those that you write here, may be used everywhere.
``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from jaxtyping import Float, Int64, Shaped
from numpy.lib.stride_tricks import sliding_window_view
from provided import conv2d_backward, conv2d_forward

Pair = int | tuple[int, int]
Images = Float[np.ndarray, "N C H W"]
Parameters = dict[str, np.ndarray]


def _pair(value: Pair) -> tuple[int, int]:
    """One number for both axes, or (height, width), as (height, width)."""
    return value if isinstance(value, tuple) else (value, value)


def _windows(x: np.ndarray, kernel_size: Pair, stride: Pair | None) -> np.ndarray:
    """The windows of a pooling layer as a view, shape (N, C, Ho, Wo, kh, kw)."""
    sh, sw = _pair(kernel_size if stride is None else stride)
    return sliding_window_view(x, _pair(kernel_size), axis=(2, 3))[:, :, ::sh, ::sw]


def max_pool_forward(
    x: Float[np.ndarray, "N C H W"], kernel_size: Pair, *, stride: Pair | None = None, padding: Pair = 0
) -> Float[np.ndarray, "N C Ho Wo"]:
    """Forward pass of a max-pooling layer: the largest value in each window.

        y[n, c, i, j] = max over u, v of xp[n, c, sh * i + u, sw * j + v],    0 <= u < kh,  0 <= v < kw

    where xp is x padded with ph rows above and below and pw columns left and right. Padding never wins: it counts as
    minus infinity, not as 0, so that a window of negative values has a negative maximum. Only windows that lie wholly
    in xp count:

        Ho = floor((H + 2 * ph - kh) / sh) + 1,    Wo = floor((W + 2 * pw - kw) / sw) + 1

    Args:
        x: images, shape (N, C, H, W), between -1e308 and 1e308 (in float32, -1e38 and 1e38).
        kernel_size: (kh, kw) or one number for both.
        stride: (sh, sw) or one number for both, >= 1; None for windows side by side, (kh, kw).
        padding: (ph, pw) or one number for both, >= 0.

    Returns:
        y, shape (N, C, Ho, Wo).

    Raises:
        ValueError: ph > kh // 2 or pw > kw // 2 (PyTorch refuses it too), or the window (kh, kw) is larger than the
            padded image.

    Handout: §1 Pooling.
    """
    (kh, kw), (ph, pw) = _pair(kernel_size), _pair(padding)
    if ph > kh // 2 or pw > kw // 2:
        raise ValueError(f"padding {padding} is more than half of the window {kernel_size}")
    padded = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=-np.inf)
    y: np.ndarray = _windows(padded, kernel_size, stride).max(axis=(4, 5))
    return y


def max_pool_backward(
    dy: Float[np.ndarray, "N C Ho Wo"],
    x: Float[np.ndarray, "N C H W"],
    kernel_size: Pair,
    *,
    stride: Pair | None = None,
    padding: Pair = 0,
) -> Float[np.ndarray, "N C H W"]:
    """Backward pass of a max-pooling layer: each window passes its gradient to the pixel that won.

    Only the largest value of a window has an influence on y, so that pixel alone receives the window's dy, however
    little it leads by. A pixel that wins several overlapping windows receives the sum. Where several pixels of a window
    have the largest value, one of them may receive the gradient, or they may share it: each receives dy times a
    fraction from 0 to 1, and the fractions sum to 1.

    Args:
        dy: gradient of the output, shape (N, C, Ho, Wo).
        x: images given to the forward pass, shape (N, C, H, W), not padded; in the same range.
        kernel_size: (kh, kw) or one number for both, as in the forward pass.
        stride: (sh, sw), one number for both, or None for (kh, kw), as in the forward pass.
        padding: (ph, pw) or one number for both, as in the forward pass; at most half of the window.

    Returns:
        dx, shape (N, C, H, W).

    Handout: §1 Pooling.
    """
    height, width = x.shape[2:]
    (kh, kw), (ph, pw) = _pair(kernel_size), _pair(padding)
    sh, sw = _pair(kernel_size if stride is None else stride)
    padded = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=-np.inf)
    winner = _windows(padded, kernel_size, stride).reshape(*dy.shape, kh * kw).argmax(axis=-1)
    n, c, i, j = np.indices(dy.shape, sparse=True)
    u, v = np.divmod(winner, kw)
    dpadded = np.zeros(padded.shape, np.result_type(dy, x))
    np.add.at(dpadded, (n, c, sh * i + u, sw * j + v), dy)
    return dpadded[:, :, ph : ph + height, pw : pw + width]


def avg_pool_forward(
    x: Float[np.ndarray, "N C H W"], kernel_size: Pair, *, stride: Pair | None = None
) -> Float[np.ndarray, "N C Ho Wo"]:
    """Forward pass of an average-pooling layer: the mean of each window.

        y[n, c, i, j] = mean over u, v of x[n, c, sh * i + u, sw * j + v],    0 <= u < kh,  0 <= v < kw

    Windows that do not lie wholly in the image are left out, and there is no padding:

        Ho = floor((H - kh) / sh) + 1,    Wo = floor((W - kw) / sw) + 1

    Args:
        x: images, shape (N, C, H, W), from -1e30 to 1e30; no pixel is 1000 times as large as the largest mean.
        kernel_size: (kh, kw) or one number for both, not larger than the images.
        stride: (sh, sw) or one number for both, >= 1; None for windows side by side, (kh, kw).

    Returns:
        y, shape (N, C, Ho, Wo).

    Handout: §1 Pooling.
    """
    y: np.ndarray = _windows(x, kernel_size, stride).mean(axis=(4, 5))
    return y


def avg_pool_backward(
    dy: Float[np.ndarray, "N C Ho Wo"],
    x: Float[np.ndarray, "N C H W"],
    kernel_size: Pair,
    *,
    stride: Pair | None = None,
) -> Float[np.ndarray, "N C H W"]:
    """Backward pass of an average-pooling layer.

    The gradient of a pixel is the sum over every window that it takes part in; a pixel that no window sees has
    gradient zero.

    Args:
        dy: gradient of the output, shape (N, C, Ho, Wo).
        x: images given to the forward pass, shape (N, C, H, W); only their shape matters, not their entries.
        kernel_size: (kh, kw) or one number for both, as in the forward pass.
        stride: (sh, sw), one number for both, or None for (kh, kw), as in the forward pass.

    Returns:
        dx, shape (N, C, H, W).

    Handout: §1 Pooling.
    """
    kh, kw = _pair(kernel_size)
    sh, sw = _pair(kernel_size if stride is None else stride)
    rows, columns = dy.shape[2:]
    dx = np.zeros(x.shape, np.result_type(dy, x))
    for u, v in np.ndindex(kh, kw):
        # The pixels that stand at (u, v) in a window, one for each output.
        dx[:, :, u : u + sh * rows : sh, v : v + sw * columns : sw] += dy / (kh * kw)
    return dx


def min_pool_zero_fraction(x: Float[np.ndarray, "N C H W"], kernel_size: Pair) -> float:
    """Measure what min pooling leaves of a feature map after ReLU: the fraction of its outputs that are zero.

    First ReLU, max(x, 0), then the smallest value in each window, windows side by side (stride = kernel size), those
    that do not lie wholly in the image left out. A window gives zero as soon as one of its values is not positive, and
    only then: a value of 1e-12 is not zero.

    Args:
        x: feature maps before ReLU, shape (N, C, H, W), finite.
        kernel_size: (kh, kw) or one number for both, not larger than the images.

    Returns:
        The fraction over all outputs of all images and channels, 0 ... 1, a Python float.

    Handout: §1 Pooling.
    """
    smallest = _windows(np.maximum(x, 0), kernel_size, None).min(axis=(4, 5))
    return float(np.mean(smallest == 0))


def flatten(x: Shaped[np.ndarray, "N C H W"]) -> Shaped[np.ndarray, "N C*H*W"]:
    """Write each image as a vector: channel by channel, within it row by row.

        y[n, (c * H + i) * W + j] = x[n, c, i, j]

    Args:
        x: images, shape (N, C, H, W), N >= 1, any dtype.

    Returns:
        y, shape (N, C * H * W); keeps the dtype.

    Handout: §2 Linear layers.
    """
    return x.reshape(len(x), -1)


def linear_forward(
    x: Float[np.ndarray, "N in"], w: Float[np.ndarray, "out in"], b: Float[np.ndarray, " out"]
) -> Float[np.ndarray, "N out"]:
    """Forward pass of a linear layer (also: fully connected, dense), with PyTorch's layout of the weights.

        y[n, o] = b[o] + sum over i of x[n, i] * w[o, i]

    Args:
        x: vectors, shape (N, in).
        w: weights, shape (out, in).
        b: biases, shape (out,).

    Returns:
        y, shape (N, out).

    Handout: §2 Linear layers.
    """
    y: np.ndarray = x @ w.T + b
    return y


def linear_backward(
    dy: Float[np.ndarray, "N out"], x: Float[np.ndarray, "N in"], w: Float[np.ndarray, "out in"]
) -> tuple[Float[np.ndarray, "N in"], Float[np.ndarray, "out in"], Float[np.ndarray, " out"]]:
    """Backward pass of a linear layer: from the gradient of its output to the gradients of its arguments.

    Args:
        dy: gradient of the output, shape (N, out).
        x: vectors given to the forward pass, shape (N, in).
        w: weights given to the forward pass, shape (out, in).

    Returns:
        (dx, dw, db), with the shapes of x, w and b. The gradients of w and b are sums over the batch, not means.

    Handout: §2 Linear layers.
    """
    dx = dy @ w
    dw = dy.T @ x
    db = dy.sum(axis=0)
    return dx, dw, db


def shift_image(x: Shaped[np.ndarray, "... H W"], down: int, right: int) -> Shaped[np.ndarray, "... H W"]:
    """Shift images by whole pixels, and let zeros move in.

        y[..., i, j] = x[..., i - down, j - right]    where that pixel exists, else 0

    For the image 1 2 3 / 4 5 6, one pixel to the right gives 0 1 2 / 0 4 5, and one up gives 4 5 6 / 0 0 0.

    Args:
        x: images, shape (..., H, W), any number of leading axes (also none), any dtype, finite.
        down: rows to shift down, from -1000 to 1000; a negative number shifts up. H rows or more leave nothing but
            zeros.
        right: columns to shift to the right, from -1000 to 1000; a negative number shifts to the left.

    Returns:
        y, the shape of x; keeps the dtype.

    Handout: §3 Equivariance and invariance.
    """
    height, width = x.shape[-2:]
    new_rows, old_rows = (slice(max(s, 0), max(height + min(s, 0), 0)) for s in (down, -down))
    new_columns, old_columns = (slice(max(s, 0), max(width + min(s, 0), 0)) for s in (right, -right))
    y = np.zeros_like(x)
    y[..., new_rows, new_columns] = x[..., old_rows, old_columns]
    return y


def equivariance_error(
    layer: Callable[[Images], Images],
    x: Float[np.ndarray, "N C H W"],
    shift: tuple[int, int],
    *,
    stride: int = 1,
    margin: int = 0,
) -> float:
    """Measure how far a layer is from being equivariant: from shifting its output when its input is shifted.

    Let S shift by (down, right) pixels, as ``shift_image`` does, and S' by (down // stride, right // stride): a layer
    of stride 2 answers a shift by two pixels with a shift by one. With both outputs cropped by ``margin`` pixels at
    each of their four borders, since what happens there depends on pixels that moved in or out, the error is

        max |layer(S x) - S' layer(x)|  /  max |S' layer(x)|

    with each maximum over everything that is left, in all images and channels. Where the denominator is 0, the error
    is 0 if the numerator is 0 too, and infinite otherwise. Values and the error may be as small as 1e-14 without being
    0, and values as large as 1e14.

    Args:
        layer: takes images of shape (N, C, H, W) to images of shape (N, F, Ho, Wo) and treats each image on its own;
            deterministic, does not change its argument and keeps nothing from one call to the next. Its answer may be
            its argument, or read-only.
        x: images, shape (N, C, H, W).
        shift: (down, right), each a multiple of the stride, also negative.
        stride: how many pixels of x correspond to one pixel of layer(x), >= 1.
        margin: pixels of the *output* to be cropped at each border, >= 0; some are left.

    Returns:
        The error, a Python float.

    Uses your ``shift_image``.
    Handout: §3 Equivariance and invariance.
    """
    down, right = shift
    moved = layer(shift_image(x, down, right))
    expected = shift_image(layer(x), down // stride, right // stride)
    height, width = expected.shape[2:]
    inside = np.s_[:, :, margin : height - margin, margin : width - margin]
    difference = np.abs(moved - expected)[inside].max()
    scale = np.abs(expected)[inside].max()
    if scale == 0:
        return 0.0 if difference == 0 else np.inf
    return float(difference / scale)


def invariance_rate(
    layer: Callable[[Images], Float[np.ndarray, "N ..."]],
    x: Float[np.ndarray, "N C H W"],
    shifts: Sequence[tuple[int, int]],
) -> Float[np.ndarray, " shifts"]:
    """Measure how often a layer does not notice a shift of its input.

    A sample counts as unchanged if no entry of its output, borders included, differs by more than 1e-12 between the
    image and the shifted image. Samples are judged one by one: a batch in which one of ten changes has the rate 0.9.

    Args:
        layer: takes images of shape (N, C, H, W) to an array of shape (N, ...) and treats each image on its own;
            deterministic, does not change its argument and keeps nothing from one call to the next. Its answer may be
            its argument, or read-only.
        x: images, shape (N, C, H, W), float64: 1e-12 is below the rounding errors of float32.
        shifts: pairs (down, right), as for ``shift_image``, at least one.

    Returns:
        For each shift the fraction of samples whose whole output is unchanged, shape (number of shifts,), float64.

    Uses your ``shift_image``.
    Handout: §3 Equivariance and invariance.
    """
    before = layer(x)
    rates = np.zeros(len(shifts))
    for k, (down, right) in enumerate(shifts):
        change = np.abs(layer(shift_image(x, down, right)) - before)
        rates[k] = np.mean(change.reshape(len(x), -1).max(axis=1) <= 1e-12)
    return rates


def parameter_table(
    size: int = 32,
    in_channels: int = 1,
    channels: tuple[int, int] = (6, 16),
    kernel_size: int = 5,
    hidden: tuple[int, int] = (120, 84),
    classes: int = 10,
) -> dict[str, int]:
    """Count the trainable numbers of LeNet-5, or of a network of the same plan with other sizes.

    The plan: a convolution (stride 1, no padding), ReLU and 2 x 2 max pooling, windows side by side and an odd row or
    column left over; the same once more; flatten; three linear layers. Every filter and every linear output has a
    bias; what pools has no parameters. The first linear layer receives what is left of the image after both poolings,
    in all channels.

    Args:
        size: side of the square input images, large enough to leave a pixel after both poolings.
        in_channels: channels of the input images.
        channels: filters of the first and the second convolution.
        kernel_size: side of their square filters.
        hidden: outputs of the first and the second linear layer.
        classes: outputs of the third.

    Returns:
        A dictionary with the keys conv1, conv2, fc1, fc2, fc3 and total.

    Handout: §4 Counting parameters.
    """
    first, second = channels
    area = kernel_size * kernel_size
    side = ((size - kernel_size + 1) // 2 - kernel_size + 1) // 2
    features = (second * side * side, *hidden, classes)
    table = {"conv1": first * (in_channels * area + 1), "conv2": second * (first * area + 1)}
    for number, (in_features, out_features) in enumerate(pairwise(features), start=1):
        table[f"fc{number}"] = out_features * (in_features + 1)
    table["total"] = sum(table.values())
    return table


def dense_parameter_count(in_shape: tuple[int, int, int], out_shape: tuple[int, int, int]) -> int:
    """Count the trainable numbers of a layer in which every output pixel is connected with every input pixel.

    Every pixel of every output channel has weights of its own, one for each pixel of each input channel, and a bias of
    its own. From 1 x 32 x 32 to 6 x 28 x 28 that makes 4 821 600.

    Args:
        in_shape: (channels, height, width) of the input.
        out_shape: (channels, height, width) of the output.

    Returns:
        The number of weights and biases.

    Handout: §4 Counting parameters.
    """
    inputs, outputs = (channels * height * width for channels, height, width in (in_shape, out_shape))
    return outputs * (inputs + 1)


def locally_connected_parameter_count(
    in_shape: tuple[int, int, int], out_shape: tuple[int, int, int], kernel_size: Pair
) -> int:
    """Count the trainable numbers of a layer that looks through small windows but shares nothing.

    Each output pixel sees one window, through all input channels, as in a convolution; but every pixel of every output
    channel has weights of its own, and a bias of its own. This is locality without weight sharing: from 1 x 32 x 32 to
    6 x 28 x 28 with 5 x 5 windows it makes 122 304, between the dense layer's 4 821 600 and the convolution's 156.

    Args:
        in_shape: (channels, height, width) of the input.
        out_shape: (channels, height, width) of the output, as stride and padding make it.
        kernel_size: (kh, kw) or one number for both.

    Returns:
        The number of weights and biases.

    Handout: §4 Counting parameters.
    """
    kh, kw = _pair(kernel_size)
    channels, height, width = out_shape
    return channels * height * width * (in_shape[0] * kh * kw + 1)


def lenet5_forward(params: Parameters, x: Float[np.ndarray, "N 1 32 32"]) -> Float[np.ndarray, "N 10"]:
    """Forward pass of LeNet-5 in its modern form: from images of digits to ten logits each.

        images 1 x 32 x 32
        conv1: 6 filters of 5 x 5, ReLU, 2 x 2 max pooling      6 x 28 x 28, then 6 x 14 x 14
        conv2: 16 filters of 5 x 5, ReLU, 2 x 2 max pooling     16 x 10 x 10, then 16 x 5 x 5
        flatten                                                 400
        fc1, ReLU                                               120
        fc2, ReLU                                               84
        fc3                                                     10 logits, neither ReLU nor softmax

    Convolutions have stride 1 and no padding; pooling windows stand side by side.

    Args:
        params: the arrays, under the names that PyTorch gives them: "conv1.weight" (6, 1, 5, 5), "conv1.bias" (6,),
            "conv2.weight" (16, 6, 5, 5), "conv2.bias" (16,), "fc1.weight" (120, 400), "fc1.bias" (120,), "fc2.weight"
            (84, 120), "fc2.bias" (84,), "fc3.weight" (10, 84), "fc3.bias" (10,).
        x: images, shape (N, 1, 32, 32), used as they are: no scaling.

    Returns:
        The logits, shape (N, 10).

    Uses ``conv2d_forward`` of ``provided.py`` and your ``max_pool_forward``, ``flatten`` and ``linear_forward``.
    Handout: §5 LeNet-5.
    """
    for layer in ("conv1", "conv2"):
        x = conv2d_forward(x, params[f"{layer}.weight"], params[f"{layer}.bias"])
        x = max_pool_forward(np.maximum(x, 0), 2)
    x = flatten(x)
    for layer in ("fc1", "fc2"):
        x = np.maximum(linear_forward(x, params[f"{layer}.weight"], params[f"{layer}.bias"]), 0)
    return linear_forward(x, params["fc3.weight"], params["fc3.bias"])


def lenet5_loss_and_gradients(
    params: Parameters, x: Float[np.ndarray, "N 1 32 32"], target: Int64[np.ndarray, " N"]
) -> tuple[float, Parameters]:
    """Loss of LeNet-5 on a batch and its gradients with respect to all parameters.

    With z = lenet5_forward(params, x), the loss is the mean cross-entropy of the softmax of the logits,

        loss = mean over n of  -log(exp(z[n, target[n]]) / sum over k of exp(z[n, k])),

    and the gradients contain the division by N too. Logits may be as large as 1e5 or -1e5: nothing may overflow. (Of a
    loss near 0, log(sum of exp) rounds away most digits: none between 0 and 1e-6, in float32 0.01, is asked for.)

    The slope of ReLU at exactly 0 counts as 0, as in PyTorch. Pixels that tie in a pooling window are treated as
    ``max_pool_backward`` may treat them.

    Args:
        params: the parameters, as for ``lenet5_forward``.
        x: images, shape (N, 1, 32, 32).
        target: the right classes, 0 ... 9, shape (N,).

    Returns:
        (loss, gradients): a Python float, and a dictionary with the keys of params in which each array has the shape
        of the parameter that it is the gradient of.

    Uses ``conv2d_forward`` and ``conv2d_backward`` of ``provided.py`` and your layers.
    Handout: §5 LeNet-5.
    """
    z1 = conv2d_forward(x, params["conv1.weight"], params["conv1.bias"])
    a1 = np.maximum(z1, 0)
    h1 = max_pool_forward(a1, 2)
    z2 = conv2d_forward(h1, params["conv2.weight"], params["conv2.bias"])
    a2 = np.maximum(z2, 0)
    h2 = max_pool_forward(a2, 2)
    features = flatten(h2)
    z3 = linear_forward(features, params["fc1.weight"], params["fc1.bias"])
    a3 = np.maximum(z3, 0)
    z4 = linear_forward(a3, params["fc2.weight"], params["fc2.bias"])
    a4 = np.maximum(z4, 0)
    logits = linear_forward(a4, params["fc3.weight"], params["fc3.bias"])

    shifted = logits - logits.max(axis=1, keepdims=True)
    log_probability = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    wanted = np.arange(len(x)), target
    loss = -float(np.mean(log_probability[wanted]))

    dlogits = np.exp(log_probability)
    dlogits[wanted] -= 1
    dlogits /= len(x)
    grads: Parameters = {}
    da4, grads["fc3.weight"], grads["fc3.bias"] = linear_backward(dlogits, a4, params["fc3.weight"])
    da3, grads["fc2.weight"], grads["fc2.bias"] = linear_backward(da4 * (z4 > 0), a3, params["fc2.weight"])
    dfeatures, grads["fc1.weight"], grads["fc1.bias"] = linear_backward(da3 * (z3 > 0), features, params["fc1.weight"])
    da2 = max_pool_backward(dfeatures.reshape(h2.shape), a2, 2)
    dh1, grads["conv2.weight"], grads["conv2.bias"] = conv2d_backward(da2 * (z2 > 0), h1, params["conv2.weight"])
    da1 = max_pool_backward(dh1, a1, 2)
    _, grads["conv1.weight"], grads["conv1.bias"] = conv2d_backward(da1 * (z1 > 0), x, params["conv1.weight"])
    return loss, grads


def sgd_momentum_step(
    params: Parameters, grads: Parameters, velocity: Parameters, *, lr: float, momentum: float = 0.9
) -> tuple[Parameters, Parameters]:
    """One step of gradient descent with momentum, in PyTorch's form.

        new velocity   = momentum * velocity + gradient
        new parameter  = parameter - lr * new velocity

    for each parameter on its own. The learning rate is not part of the velocity.

    Args:
        params: arrays by name.
        grads: the gradient for each of them, same keys and shapes.
        velocity: the velocity for each of them, same keys and shapes; zeros before the first step.
        lr: learning rate, > 0.
        momentum: how much of the velocity is kept, from 0 to 1, both included.

    Returns:
        (params, velocity): dictionaries with the same keys. The given dictionaries and arrays stay as they were.

    Handout: §6 Training.
    """
    velocity = {name: momentum * velocity[name] + grads[name] for name in params}
    params = {name: params[name] - lr * velocity[name] for name in params}
    return params, velocity


def train(
    params: Parameters,
    x: Float[np.ndarray, "M 1 32 32"],
    y: Int64[np.ndarray, " M"],
    batches: Sequence[Int64[np.ndarray, " N"]],
    *,
    lr: float,
    momentum: float = 0.9,
) -> tuple[Parameters, Float[np.ndarray, " steps"]]:
    """Train LeNet-5: one step of gradient descent with momentum for each batch, in the given order.

    The velocity starts at zero and is kept from step to step. There is no randomness here: whoever calls decides which
    images make up a batch.

    Args:
        params: the initial parameters, as for ``lenet5_forward``; they stay as they were.
        x: images, shape (M, 1, 32, 32).
        y: their classes, 0 ... 9, shape (M,).
        batches: one array of indices into x and y for each step, 0 ... M - 1; their lengths may differ, and an image
            that comes twice in a batch counts twice.
        lr: learning rate, > 0.
        momentum: how much of the velocity is kept from step to step, from 0 to 1, both included.

    Returns:
        (params, losses): the parameters after the last step, and the loss of each batch before its step (the mean over
        the batch), shape (number of batches,), float64 for parameters of either dtype.

    Uses your ``lenet5_loss_and_gradients`` and ``sgd_momentum_step``.
    Handout: §6 Training.
    """
    velocity = {name: np.zeros_like(value) for name, value in params.items()}
    losses = np.zeros(len(batches))
    for step, batch in enumerate(batches):
        losses[step], grads = lenet5_loss_and_gradients(params, x[batch], y[batch])
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
    return params, losses
