from __future__ import annotations

import torch
from torch import nn


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(y := torch.exp(-torch.logaddexp(-x, torch.zeros_like(x))))
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return dy * y * (1 - y)


def _normal(x, dims, eps):
    rest = x - x.mean(dims, keepdim=True)
    var = rest.square().mean(dims, keepdim=True)
    return rest * (var + eps).rsqrt(), var


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight, self.bias = nn.Parameter(torch.ones(num_features)), nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        self.register_buffer("num_batches_tracked", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        if self.training:
            hat, _ = _normal(x, (0, 2, 3), self.eps)
            with torch.no_grad():
                self.running_mean = torch.lerp(self.running_mean, x.mean((0, 2, 3)), self.momentum)
                self.running_var = torch.lerp(self.running_var, x.var((0, 2, 3)), self.momentum)
                self.num_batches_tracked = self.num_batches_tracked + 1
        else:
            hat = (x - self.running_mean[:, None, None]) * (self.running_var + self.eps).rsqrt()[:, None, None]
        return torch.einsum("nchw,c->nchw", hat, self.weight) + self.bias[:, None, None]


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight, self.bias = nn.Parameter(torch.ones(normalized_shape)), nn.Parameter(torch.zeros(normalized_shape))

    def forward(self, x):
        return _normal(x, tuple(range(-self.weight.ndim, 0)), self.eps)[0] * self.weight + self.bias
