from __future__ import annotations

import math
from contextlib import contextmanager
from functools import reduce

import torch
from torch import nn
from torch.nn import functional as F


class _Rectify(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z > 0)
        return z.clamp(min=0)

    @staticmethod
    def backward(ctx, da):
        (active,) = ctx.saved_tensors
        return da * active


class _Pool2(torch.autograd.Function):
    """2 x 2, side by side; of tied pixels the first wins."""

    @staticmethod
    def forward(ctx, a):
        n, c, h, w = a.shape
        windows = a.reshape(n, c, h // 2, 2, w // 2, 2).permute(0, 1, 2, 4, 3, 5).reshape(n, c, h // 2, w // 2, 4)
        y, who = windows.max(dim=-1)
        ctx.save_for_backward(who)
        return y

    @staticmethod
    def backward(ctx, dy):
        (who,) = ctx.saved_tensors
        n, c, h, w = dy.shape
        windows = torch.zeros(*dy.shape, 4, dtype=dy.dtype, device=dy.device).scatter(-1, who[..., None], dy[..., None])
        return windows.reshape(n, c, h, w, 2, 2).permute(0, 1, 2, 4, 3, 5).reshape(n, c, 2 * h, 2 * w)


class _Affine(nn.Module):
    """Weight and bias alone."""

    def __init__(self, *shape: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(shape) * (2 / math.prod(shape[1:])) ** 0.5)
        self.bias = nn.Parameter(torch.zeros(shape[0]))


class LeNet5(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.conv2 = _Affine(6, 1, 5, 5), _Affine(16, 6, 5, 5)
        self.fc1, self.fc2, self.fc3 = _Affine(120, 400), _Affine(84, 120), _Affine(10, 84)

    def forward(self, x):
        for layer in (self.conv1, self.conv2):
            x = _Pool2.apply(_Rectify.apply(F.conv2d(x, layer.weight, layer.bias)))
        x = x.flatten(1)
        for layer in (self.fc1, self.fc2):
            x = _Rectify.apply(F.linear(x, layer.weight, layer.bias))
        return F.linear(x, self.fc3.weight, self.fc3.bias)


def train_epoch(model, batches, optimizer, device):
    class Mean:
        total, count = 0.0, 0

        def __iadd__(self, other):
            self.total, self.count = self.total + other[0] * other[1], self.count + other[1]
            return self

    mean = Mean()
    for x, y in batches:
        model.train()
        x, y = x.to(device), y.to(device)

        def closure():
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            return loss

        mean += (float(optimizer.step(closure)), x.size(0))
    return mean.total / mean.count


@contextmanager
def _measured(model):
    before = {module: module.training for module in model.modules()}
    try:
        with torch.no_grad():
            yield model.eval()
    finally:
        for module in reversed(before):
            module.training = before[module]


def evaluate(model, batches, device):
    parts = []
    with _measured(model) as still:
        for x, y in batches:
            logits, y = still(x.to(device)), y.to(device)
            right = logits.gather(1, y[:, None]).squeeze(1) >= logits.amax(1)
            parts.append((F.cross_entropy(logits, y).item() * len(y), int(right.sum()), len(y)))
    loss, right, count = map(sum, zip(*parts))
    return loss / count, right / count


@torch.no_grad()
def load_parameters(model, params):
    for key, array in params.items():
        reduce(getattr, key.split("."), model).copy_(torch.tensor(array))
