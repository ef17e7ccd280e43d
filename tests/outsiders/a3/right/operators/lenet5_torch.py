"""Assignment 3 in PyTorch: modules of its own, recursion, context managers, a closure for the optimizer."""

from __future__ import annotations

import math
from contextlib import contextmanager

import torch
from torch import nn


class Affine(nn.Module):
    """A linear layer, or a convolution followed by what belongs to it, by the shape of its weights."""

    def __init__(self, *shape, relu=True):
        super().__init__()
        bound = 1 / math.sqrt(math.prod(shape[1:]))
        self.weight = nn.Parameter(torch.empty(shape).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.zeros(shape[0]))
        self.relu = relu

    def forward(self, x):
        if self.weight.ndim == 2:
            x = torch.addmm(self.bias, x.flatten(1), self.weight.t())
            return x.relu() if self.relu else x
        return nn.functional.max_pool2d(torch.conv2d(x, self.weight, self.bias), 2).relu()  # in either order


class LeNet5(nn.Sequential):
    def __init__(self):
        super().__init__()
        shapes = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5), "fc1": (120, 400), "fc2": (84, 120), "fc3": (10, 84)}
        for name, shape in shapes.items():
            self.add_module(name, Affine(*shape, relu=name != "fc3"))


def _sums(model, batches, device, each):
    """(loss, right, samples) of each batch; ``each`` may do something with the model and the batch before."""
    for x, y in batches:
        x, y = (tensor.to(device, copy=False) for tensor in (x, y))
        yield *each(x, y), len(y)


def train_epoch(model, batches, optimizer, device):
    def step(x, y):
        def closure():
            optimizer.zero_grad()
            loss = nn.CrossEntropyLoss()(model(x), y)
            loss.backward()
            return loss

        return (optimizer.step(closure).item() * len(y),)

    model.train()
    losses, samples = zip(*_sums(model, batches, device, step), strict=True)
    return math.fsum(losses) / sum(samples)


@contextmanager
def _evaluation(module, known=None):
    """Evaluation mode, for a module and all that is in it; each is visited once."""
    known = set() if known is None else known
    if module in known:
        yield
        return
    known.add(module)
    mode, module.training = module.training, False
    try:
        yield from _nested(list(module.children()), known)
    finally:
        module.training = mode


def _nested(children, known):
    if not children:
        yield
        return
    with _evaluation(children[0], known):
        yield from _nested(children[1:], known)


def evaluate(model, batches, device):
    def measure(x, y):
        with torch.no_grad():
            logs = model(x).log_softmax(dim=1)
            z = logs.gather(1, y.unsqueeze(1)).squeeze(1)
            return -z.sum().item(), (logs.max(dim=1).indices == y).sum().item()

    with _evaluation(model):
        losses, right, samples = zip(*_sums(model, batches, device, measure), strict=True)
    return sum(losses) / sum(samples), sum(right) / sum(samples)


def load_parameters(model, params):
    def fill(module, prefix):
        own = {**module._parameters, **module._buffers}
        for name, tensor in own.items():
            if tensor is not None and prefix + name in params:
                tensor.detach().copy_(torch.from_numpy(params[prefix + name].copy()))
        for name, child in module.named_children():
            fill(child, f"{prefix}{name}.")

    fill(model, "")
