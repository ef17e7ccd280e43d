"""How the questions of assignment 1 are put. Runs beside the student's code as plain source and holds no secret."""

import numpy as np
from driving import backward, float64_by_default, gradients, loaded, other_by_default, tensors

HISTORY = 8  # samples of silence before n=0


def is_linear(student, system, length, seed):
    """Ask for a verdict on one system, built here because a function cannot travel."""
    return student.is_linear(_system(**system), length, rng=np.random.default_rng(seed))


def is_time_invariant(student, system, length, seed):
    """The same for the other verdict."""
    return student.is_time_invariant(_system(**system), length, rng=np.random.default_rng(seed))


def impulse_response(student, system, length, seed):
    """Measure one system."""
    return student.impulse_response(_system(**system), length)


def in_turn(student, name, *calls):
    """Make each call, and then each again in the opposite order. The answers, as they are once all are given."""
    function = getattr(student, name)
    return tuple([function(*given) for given in [*calls, *reversed(calls)]])


def _system(
    taps,
    lookahead,
    gain,
    absolute,
    square,
    product,
    triple,
    median,
    maximum,
    floor,
    ceiling,
    offset,
    keep,
    wake,
    spectral,
    turn,
    jump,
    view,
):
    """A causal or slightly anticipating system from its coefficients; input before n=0 and after the end is 0.

    y[n] = gain[n] * (sum of taps + absolute |x| + square x^2 + product x[n]x[n-1] + triple x[n]x[n-1]x[n-2]
    + median and maximum of three) + offset[n], silent below floor and cut at +-ceiling; with keep = k > 1 every k-th
    sample is kept and zeros follow. With wake, from n=8 on y is negative until an input has been as loud as that. A
    spectral one is computed by Fourier transforms, which round in every sample. A sample whose sign differs from that
    before is multiplied by turn[n], and one beyond +-8 is jump
    further from 0. With view=1 or -1 it is a view of x instead, forwards or backwards.
    """

    def system(x):
        if view:
            return x[::view]
        padded = np.concatenate([np.zeros(HISTORY), x, np.zeros(lookahead)])
        past = [padded[HISTORY + lookahead - k :][: len(x)] for k in range(len(taps))]
        three = [padded[HISTORY - k :][: len(x)] for k in range(3)]
        y = sum(tap * shifted for tap, shifted in zip(taps, past, strict=True))
        if absolute:
            y = y + absolute * np.abs(x)
        if square:
            y = y + square * x**2
        if product:
            y = y + product * x * three[1]
        if triple:
            y = y + triple * x * three[1] * three[2]
        if median:
            y = y + median * np.median(three, axis=0)
        if maximum:
            y = y + maximum * np.max(three, axis=0)
        y = y * np.where(x * three[1] < 0, np.resize(turn, len(x)), 1.0)
        y = y * np.resize(gain, len(x)) + np.resize(offset, len(x))
        if jump:
            y = y + jump * np.sign(y) * (np.abs(y) > 8)
        if floor:
            y = np.where(np.abs(y) < floor, 0.0, y)
        if ceiling < np.inf:
            y = np.clip(y, -ceiling, ceiling)
        if wake:
            awake = np.maximum.accumulate(np.abs(x)) >= wake
            y = np.where(awake | (np.arange(len(x)) < 8), y, -np.abs(y))
        if spectral:
            y = np.fft.irfft(np.fft.rfft(x, 3 * len(x)) * np.fft.rfft(taps, 3 * len(x)), 3 * len(x))[: len(x)]
        return np.concatenate([y[::keep], np.zeros(len(x) - len(y[::keep]))])

    return system


def conv2d_parameters(student, in_channels, out_channels, kernel_size, **settings):
    """Names and shapes of the parameters of a fresh layer, and what holds of its weights; made again in float64."""
    layer = student.Conv2d(in_channels, out_channels, kernel_size, **settings)
    state = layer.state_dict()
    with float64_by_default():
        wide = student.Conv2d(in_channels, out_channels, kernel_size, **settings).state_dict()
    weight = state.get("weight")
    return {
        "shapes": {name: np.array(value.shape) for name, value in state.items()},
        "dtypes": {name: str(value.dtype) for name, value in state.items()},
        "dtypes of float64": {name: str(value.dtype) for name, value in wide.items()},
        "small": weight is not None and bool(weight.abs().mean() < 1),
        "different": weight is not None and len(weight.unique(dim=0)) == out_channels,
    }


def conv2d_module(student, x, weight, bias, dy, *stride_and_padding):
    """Build a layer, load its weights, run forward and backward. What is not given is left to the layer's defaults."""
    filters, channels, *kernel_size = weight.shape
    without_bias = {"bias": False} if bias is None else {}
    layer = student.Conv2d(channels, filters, tuple(kernel_size), *stride_and_padding, **without_bias)
    loaded(layer, {"weight": weight} if bias is None else {"weight": weight, "bias": bias})
    return _applied(layer, x, dy)


def conv2d_module_again(student, x, weight, bias, dy):
    """The same for a layer that was applied to images before which are as wide as these are high."""
    filters, channels, *kernel_size = weight.shape
    layer = loaded(student.Conv2d(channels, filters, tuple(kernel_size)), {"weight": weight, "bias": bias})
    layer(tensors(x)[0].mT.contiguous())
    return _applied(layer, x, dy)


def _applied(layer, x, dy):
    """A layer's output and all gradients, while tensors of which nothing else is said have another dtype."""
    (x,) = tensors(x)
    with other_by_default(x):
        y = layer(x.requires_grad_())
        backward(y, dy)
    return {"y": y, "gradients": {"x": x.grad, **gradients(layer)}}


def conv2d_unfold(student, x, weight, bias, dy, **settings):
    """Run forward and backward, while tensors of which nothing else is said have another dtype."""
    given = zip(("x", "weight", "bias"), tensors(x, weight, bias), strict=True)
    leaves = {name: tensor.requires_grad_() for name, tensor in given if tensor is not None}
    with other_by_default(leaves["x"]):
        y = student.conv2d_unfold(**leaves, **settings)
        backward(y, dy)
    return {"y": y, "gradients": {name: leaf.grad for name, leaf in leaves.items()}}


def layout(student, name, x, later):
    """Move the channel axis, then write other numbers into the argument, which a view shows; and that of a tensor that
    requires gradients."""
    import torch

    x, later = tensors(x.copy("K"), later)
    y = getattr(student, name)(x)
    values = y.clone() if isinstance(y, torch.Tensor) else y
    recorded = getattr(student, name)(x.double().clone().requires_grad_())
    x.copy_(later)
    return {"values": values, "later": y, "recorded": getattr(recorded, "requires_grad", None)}
