"""How the questions of assignment 2 are put. Runs beside the student's code as plain source and holds no secret."""

import numpy as np
from driving import backward, gradients, loaded, tensors


def saturation_point(student, terms, floor, fraction):
    """Ask where one slope saturates, built here because a function cannot travel."""

    def derivative(x):
        return floor + sum(_bell(float(x), *term) for term in terms)

    return student.saturation_point(derivative, fraction)


def _bell(x, height, width, power, exponent, hyperbolic):
    """A bell around 0: a power of a hyperbolic cosine or of a polynomial, upside down."""
    base = np.cosh(x / width) if hyperbolic else 1 + abs(x / width) ** power
    return float(height * base**-exponent)


def batch_norm_arguments(student, x, gamma, beta, running_mean, running_var, training):
    """Call, in evaluation write into the statistics that come back, and return what the arguments have become."""
    y, *returned = student.batch_norm_forward(x, gamma, beta, running_mean, running_var, training=training)
    for array in returned:
        if isinstance(array, np.ndarray) and array.flags.writeable and not training:
            array[...] = 7
    return {"y": y, "running_mean": running_mean, "running_var": running_var}


def draws(student, name, out, in_, seed, other):
    """Draw weights five times: twice from one generator, from another in the same state, from one of another seed, and
    from a later state.
    """
    draw = getattr(student, name)
    rng = np.random.default_rng(seed)
    later = np.random.Generator(np.random.PCG64(seed).advance(10**9))  # nearer the two might draw the same again
    states = {"first": rng, "next": rng, "again": seed, "other": other, "later": later}
    return {key: draw(out, in_, rng=np.random.default_rng(state)) for key, state in states.items()}


def one_draw(student, name, out, in_, seed, _):
    """Draw weights once: more than nested lists may hold on their way."""
    return {"first": np.asarray(getattr(student, name)(out, in_, rng=np.random.default_rng(seed)))}


def sigmoid_function(student, xs, dys):
    """One or more calls forward, and only then backward, in the same order."""
    xs = [x.requires_grad_() for x in tensors(*xs)]
    ys = [student.SigmoidFunction.apply(x) for x in xs]
    for y, dy in zip(ys, dys, strict=True):
        backward(y, dy)
    return {"ys": tuple(ys), "gradients": tuple(x.grad for x in xs)}


def batch_norm_state(student, num_features, batches):
    """The state of a fresh layer, and how many batches it has counted after some training, of which the first one alone
    is recorded.
    """
    import torch

    layer = student.BatchNorm2d(num_features)
    fresh = {name: value.clone() for name, value in layer.state_dict().items()}
    for number, batch in enumerate(tensors(*batches)):
        with torch.set_grad_enabled(number == 0):
            layer(batch)
    return {"fresh": fresh, "count": layer.state_dict().get("num_batches_tracked")}


def batch_norm_step(student, state, x, dy, training, **settings):
    """Load a layer, run one batch forward and backward in one of the modes."""
    layer = _batch_norm(student, state, settings).train(training)
    y, dx = _step(layer, x, dy)
    return {"y": y, "gradients": {"x": dx, **gradients(layer)}, "running": _running(layer)}


def batch_norm_modes(student, state, xs):
    """Load a layer that is in evaluation already. What it gives there, and there again after a batch of training."""
    before, trained, after = tensors(*xs)
    layer = loaded(student.BatchNorm2d(len(state["weight"])).eval(), state, strict=False)
    first = layer(before)
    layer.train()(trained)
    return {"first": first, "after training": layer.eval()(after)}


def batch_norm_running(student, state, steps, **settings):
    """Train on several batches; a buffer that requires gradients holds the graphs of all of them."""
    layer = _batch_norm(student, state, settings)
    for x, dy in steps:
        _step(layer, x, dy)
    return {**_running(layer), "attached": any(buffer.requires_grad for buffer in layer.buffers())}


def layer_norm_state(student, shape):
    """The state of a fresh layer."""
    return dict(student.LayerNorm(shape).state_dict())


def layer_norm_step(student, shape, weight, bias, x, dy, **settings):
    """Load a layer, run one batch forward and backward."""
    state = {"weight": weight, "bias": bias}
    layer = loaded(student.LayerNorm(shape, **settings), state, strict=False)
    y, dx = _step(layer, x, dy)
    return {"y": y, "gradients": {"x": dx, **gradients(layer)}}


def _batch_norm(student, state, settings):
    """The layer with its state; names that are missing are graded elsewhere."""
    return loaded(student.BatchNorm2d(len(state["weight"]), **settings), state, strict=False)


def _step(layer, x, dy):
    (x,) = tensors(x)
    y = layer(x.requires_grad_())
    backward(y, dy)
    return y, x.grad


def _running(layer):
    return {name: layer.state_dict().get(name) for name in ("running_mean", "running_var")}
