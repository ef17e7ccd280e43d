from __future__ import annotations

from collections import OrderedDict
from contextlib import ExitStack
from functools import reduce
from itertools import chain

import torch
from torch import nn


class LeNet5(nn.Sequential):
    def __init__(self) -> None:
        conv = lambda i, o: [nn.Conv2d(i, o, 5), nn.MaxPool2d(2), nn.ReLU()]  # noqa: E731
        steps = [*conv(1, 6), *conv(6, 16), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84)]
        names = ["conv1", "pool1", "relu1", "conv2", "pool2", "relu2", "flat", "fc1", "relu3", "fc2", "relu4", "fc3"]
        super().__init__(OrderedDict(zip(names, [*steps, nn.ReLU(), nn.Linear(84, 10)])))

    def forward(self, x):
        return reduce(lambda a, layer: layer(a), self, x)


def train_epoch(model, batches, optimizer, device):
    learning = [p for p in model.train().parameters() if p.requires_grad]

    def step(sums, batch):
        x, y = (tensor.to(device) for tensor in batch)
        loss = nn.functional.cross_entropy(model(x), y)
        for p, gradient in zip(learning, torch.autograd.grad(loss, learning, allow_unused=True)):
            p.grad = gradient
        optimizer.step()
        return sums[0] + loss.item() * len(y), sums[1] + len(y)

    total, count = reduce(step, batches, (0.0, 0))
    return total / count


def evaluate(model, batches, device):
    def measure(sums, batch):
        x, y = (tensor.to(device) for tensor in batch)
        logits = model(x)
        each = -logits.log_softmax(1)[torch.arange(len(y), device=y.device), y]
        hits = logits.topk(1).indices[:, 0].eq(y)
        return sums[0] + each.double().sum().item(), sums[1] + int(hits.sum()), sums[2] + len(y)

    with ExitStack() as later, torch.no_grad():
        for module in model.modules():
            later.callback(setattr, module, "training", module.training)
        model.eval()
        loss, right, count = reduce(measure, batches, (0.0, 0, 0))
    return loss / count, right / count


@torch.no_grad()
def load_parameters(model, params):
    everything = chain(model.named_parameters(remove_duplicate=False), model.named_buffers(remove_duplicate=False))
    for key, tensor in everything:
        if key in params:
            tensor.copy_(torch.tensor(params[key]))
