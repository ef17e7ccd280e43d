from __future__ import annotations

import torch
from torch import nn


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        e = torch.exp(-x.abs())
        ctx.save_for_backward(e)
        return torch.where(x < 0, e, torch.ones_like(e)) / (1 + e)

    @staticmethod
    def backward(ctx, dy):
        (e,) = ctx.saved_tensors
        return dy * (e / (1 + e).square())


class Normalization(nn.Module):
    def __init__(self, shape, eps):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(shape))
        self.bias = nn.Parameter(torch.zeros(shape))

    def normalize(self, x, axes):
        mean = torch.mean(x, dim=axes, keepdim=True)
        var = torch.mean((x - mean) ** 2, dim=axes, keepdim=True)
        return mean, var

    def apply_to(self, x, mean, var, wide):
        return self.weight.reshape(wide) * (x - mean) / torch.sqrt(var + self.eps) + self.bias.reshape(wide)


class BatchNorm2d(Normalization):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__((num_features,), eps)
        self.momentum = momentum
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        self.register_buffer("num_batches_tracked", torch.tensor(0))

    @torch.no_grad()
    def remember(self, mean, var, m):
        self.running_mean.copy_((1 - self.momentum) * self.running_mean + self.momentum * mean.flatten())
        self.running_var.copy_((1 - self.momentum) * self.running_var + self.momentum * var.flatten() * (m / (m - 1)))
        self.num_batches_tracked += 1

    def forward(self, x):
        wide = (1, -1, 1, 1)
        if self.training:
            mean, var = self.normalize(x, (0, 2, 3))
            self.remember(mean, var, x.numel() // x.shape[1])
        else:
            mean, var = self.running_mean.reshape(wide).clone(), self.running_var.reshape(wide).clone()
        return self.apply_to(x, mean, var, wide)


class LayerNorm(Normalization):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__(normalized_shape if isinstance(normalized_shape, tuple) else (normalized_shape,), eps)

    def forward(self, x):
        axes = tuple(range(x.dim() - self.weight.dim(), x.dim()))
        return self.apply_to(x, *self.normalize(x, axes), tuple(self.weight.shape))
