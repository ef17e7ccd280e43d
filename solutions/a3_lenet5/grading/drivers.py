"""How the questions of assignment 3 are put. Runs beside the student's code as plain source and holds no secret."""

import numpy as np
from driving import backward, gradients, loaded, tensors


def equivariance_error(student, layer, x, shift, **settings):
    """Ask for the error of one layer, built here because a function cannot travel."""
    return student.equivariance_error(_layer(**layer), x, tuple(shift), **settings)


def invariance_rate(student, layer, x, shifts):
    """The same for the rates."""
    return student.invariance_rate(_layer(**layer), x, [(int(down), int(right)) for down, right in shifts])


def _layer(weight, bias, step, padding, gain, relu, pool, over_all, spread):
    """A layer from its coefficients: convolution, gain by position, ReLU, max pooling, and one number for an image or
    for each map, at every place. Without a weight, one that hands on what it gets.
    """

    def layer(x):
        if weight is None:
            return x
        x = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
        windows = np.lib.stride_tricks.sliding_window_view(x, weight.shape[2:], axis=(2, 3))
        y = np.einsum("ncijuv,fcuv->nfij", windows[:, :, ::step, ::step], weight) + bias[:, None, None]
        if gain is not None:
            y = y * gain
        if relu:
            y = np.maximum(y, 0)
        if pool > 1:
            y = np.lib.stride_tricks.sliding_window_view(y, (pool, pool), axis=(2, 3))[:, :, ::pool, ::pool]
            y = y.max(axis=(4, 5))
        if spread:
            return np.broadcast_to(y.mean(axis=(2, 3), keepdims=True), y.shape)
        return y.mean(axis=(1, 2, 3)) if over_all else y

    return layer


def lenet5_module(student, params, x, dy, channels_last=False, training=True):
    """Build the network, see whether its weights are different, load parameters, run forward and backward."""
    import torch

    model = student.LeNet5()
    weights = [value for name, value in model.state_dict().items() if name.endswith("weight")]
    different = all(len(weight.unique(dim=0)) == len(weight) for weight in weights)
    loaded(model, params).train(training)
    (x,) = tensors(x)
    if channels_last:
        x = x.repeat(1, 3, 1, 1).to(memory_format=torch.channels_last)[:, :1]
    logits = model(x.requires_grad_())
    backward(logits, dy)
    return {"logits": logits, "gradients": {"x": x.grad, **gradients(model)}, "different": different}


def train_epoch(student, params, batches, modes, lr, momentum, groups):
    """Train a small classifier, whose modules are in these modes, for an epoch on batches that can be read once."""
    import torch

    model, passes = _classifier(params)
    _set_modes(model, modes)
    parameters = list(model.parameters())
    optimizer = torch.optim.SGD(
        [{"params": parameters[first::groups]} for first in range(groups)], lr=lr, momentum=momentum
    )
    loss = student.train_epoch(model, _read_once(batches), optimizer, torch.device("cpu"))
    trained = all(training for training, _ in passes) if passes else None
    return {"loss": loss, "parameters": dict(model.state_dict()), "modes": trained}


def evaluate(student, params, batches, modes):
    """Evaluate a small classifier and see what is left of it."""
    import torch

    model, passes = _classifier(params)
    _set_modes(model, modes)
    model.last.bias.requires_grad_(False)
    for parameter in [model.first.weight, model.last.weight]:
        parameter.grad = torch.ones_like(parameter)
    loss, accuracy = student.evaluate(model, _read_once(batches), torch.device("cpu"))
    afterwards = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    trained = any(training for training, _ in passes) if passes else None
    recorded = any(recording for _, recording in passes) if passes else None
    return {
        "loss": loss,
        "accuracy": accuracy,
        "modes": {"during": trained, "afterwards": np.array([module.training for module in model.modules()])},
        "gradient": {
            "recorded": recorded,
            "afterwards": afterwards,
            "held": gradients(model),
            "trainable": np.array([parameter.requires_grad for parameter in model.parameters()]),
        },
    }


def load_parameters(student, params, dtype):
    """Load arrays into a model, then write into the arrays."""
    import torch

    conv1, fc1 = torch.nn.Conv2d(2, 3, (4, 5)), torch.nn.Linear(7, 6)
    model = torch.nn.ModuleDict({"conv1": conv1, "fc1": fc1})
    model["norm"] = torch.nn.Module()
    for name in ("running_mean", "running_var"):
        model["norm"].register_buffer(name, torch.zeros(6))
    model["norm"].register_buffer("batches", torch.zeros(1, dtype=torch.int64))
    model["norm"].register_buffer("mask", torch.ones(6), persistent=False)
    model.to(getattr(torch, dtype))
    conv1.eval()
    fc1.bias.requires_grad_(False)
    fc1.weight.grad = torch.ones_like(fc1.weight)
    before = [*model.parameters(), *model.buffers()]
    given, params = params, {name: value.copy() for name, value in params.items()}
    student.load_parameters(model, params)
    untouched = all(np.array_equal(params[name], value) for name, value in given.items())
    loaded = {name: value.clone() for name, value in model.state_dict().items()}
    for value in params.values():
        value[...] += 1
    return {
        "values": dict(model.state_dict()),
        "kept": {
            "loaded": loaded,
            "objects": all(
                one is other for one, other in zip(before, [*model.parameters(), *model.buffers()], strict=True)
            ),
            "untouched": untouched,
            "dtypes": {name: str(value.dtype) for name, value in model.state_dict().items()},
            "mask": model["norm"].mask,
            "modes": np.array([module.training for module in model.modules()]),
            "trainable": np.array([parameter.requires_grad for parameter in model.parameters()]),
            "held": gradients(model),
        },
    }


def _classifier(params):
    """A small classifier of nested modules, with batch normalization where there are parameters for it, and a list that
    fills with its forward passes: whether in training mode, and whether gradients were recorded."""
    import torch
    from torch import nn

    passes = []

    class Watched(nn.Sequential):
        def forward(self, x):
            passes.append((self.training, torch.is_grad_enabled()))
            return super().forward(x)

    hidden, features = params["first.weight"].shape
    layers = {"watch": Watched(), "flat": nn.Flatten(), "first": nn.Linear(features, hidden)}
    if "norm.weight" in params:
        layers["norm"] = nn.BatchNorm1d(hidden)
    shared = nn.ReLU()
    layers |= {"relu": nn.Sequential(shared), "again": nn.Sequential(shared)}
    layers |= {"last": nn.Linear(hidden, len(params["last.bias"]))}
    model = Watched()
    for name, layer in layers.items():
        model.add_module(name, layer)
    return loaded(model, params, strict=False), passes


def _set_modes(model, modes):
    for module, training in zip(model.modules(), modes.tolist(), strict=True):
        module.training = training


def _read_once(batches):
    """The batches as tensors, from an iterator."""
    return (tuple(tensors(*batch)) for batch in batches)
