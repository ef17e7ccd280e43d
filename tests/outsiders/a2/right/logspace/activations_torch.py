from __future__ import annotations

import torch
from torch import nn


class SigmoidFunction(torch.autograd.Function):
    """In logarithms: log sigmoid(x) = -log(1 + exp(-x)), and log of the slope is the sum of those of x and -x."""

    @staticmethod
    def forward(ctx, x):
        zero = torch.zeros_like(x)
        left, right = torch.logaddexp(zero, -x), torch.logaddexp(zero, x)
        ctx.save_for_backward(torch.exp(-left - right))
        return torch.exp(-left)

    @staticmethod
    def backward(ctx, dy):
        (slope,) = ctx.saved_tensors
        return dy * slope


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.long))

    def forward(self, x):
        rows = x.movedim(1, -1)
        flat = rows.reshape(-1, x.shape[1])
        if self.training:
            var, mean = torch.var_mean(flat, dim=0, correction=0)
            m = flat.shape[0]
            self.running_mean.mul_(1 - self.momentum).add_(self.momentum * mean.detach())
            self.running_var.mul_(1 - self.momentum).add_(self.momentum * var.detach() * m / (m - 1))
            self.num_batches_tracked.add_(1)
        else:
            mean, var = self.running_mean.clone(), self.running_var.clone()
        y = (rows - mean) / torch.sqrt(var + self.eps) * self.weight + self.bias
        return y.movedim(-1, 1)


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        self.shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(self.shape))
        self.bias = nn.Parameter(torch.zeros(self.shape))

    def forward(self, x):
        flat = x.reshape(*x.shape[: x.dim() - len(self.shape)], -1)
        var, mean = torch.var_mean(flat, dim=-1, correction=0, keepdim=True)
        return ((flat - mean) / torch.sqrt(var + self.eps)).reshape(x.shape) * self.weight + self.bias
