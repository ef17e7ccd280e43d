"""Right, unusual: setattr of layers in a loop, functional max over slices, evaluation under inference_mode by hand."""

from __future__ import annotations

from contextlib import contextmanager

import torch
from torch import nn
from torch.nn import functional as F

SIZES = {"conv1": (1, 6), "conv2": (6, 16), "fc1": (400, 120), "fc2": (120, 84), "fc3": (84, 10)}


class LeNet5(nn.Module):
    def __init__(self):
        super().__init__()
        for name, sizes in SIZES.items():
            layer = nn.Conv2d(*sizes, (5, 5)) if name.startswith("conv") else nn.Linear(*sizes)
            nn.init.xavier_normal_(layer.weight)
            self.add_module(name, layer)

    def forward(self, x):
        for name, layer in self.named_children():
            if name == "fc1":
                x = torch.cat([*x.flatten(2).unbind(1)], dim=1)
            x = layer(x)
            if name != "fc3":
                x = torch.where(x > 0, x, torch.zeros_like(x))
            if name.startswith("conv"):
                x = torch.maximum(x[..., ::2, :], x[..., 1::2, :])
                x = torch.maximum(x[..., ::2], x[..., 1::2])
        return x


def train_epoch(model, batches, optimizer, device):
    for module in model.modules():
        module.train()
    seen = [0, 0.0]
    iterator = iter(batches)
    while (batch := next(iterator, None)) is not None:
        x, y = (tensor.to(device) for tensor in batch)
        each = F.cross_entropy(model(x), y, reduction="none")
        each.mean().backward()
        optimizer.step()
        for parameter in model.parameters():
            parameter.grad = None
        seen[0] += each.numel()
        seen[1] += sum(each.tolist())
    return seen[1] / seen[0]


@contextmanager
def measuring(model):
    modes = {module: module.training for module in model.modules()}
    with torch.inference_mode():
        model.eval()
        try:
            yield
        finally:
            for module in modes:
                module.training = modes[module]


def evaluate(model, batches, device):
    loss, right, count = 0.0, 0, 0
    with measuring(model):
        for x, y in batches:
            logits = model(x.to(device)).double()
            y = y.to(device)
            loss -= logits.log_softmax(1)[torch.arange(len(y), device=y.device), y].sum().item()
            right += (logits.topk(1).indices[:, 0] == y).sum().item()
            count += len(y)
    return loss / count, right / count


def load_parameters(model, params):
    for key, place in model.state_dict(keep_vars=True).items():
        place.data[...] = torch.tensor(params[key].tolist(), dtype=torch.float64 if place.is_floating_point() else place.dtype)
