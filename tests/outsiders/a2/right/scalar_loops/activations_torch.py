"""Centring by matrices, the variance as a sum of products; softmax of two scores for the sigmoid."""
from __future__ import annotations
import torch
from torch import nn


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        both = torch.softmax(torch.stack([x, torch.zeros_like(x)]), 0)
        ctx.save_for_backward(both)
        return both[0].clone()

    @staticmethod
    def backward(ctx, dy):
        (both,) = ctx.saved_tensors
        return dy * both.prod(0)


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.register_parameter("weight", nn.Parameter(torch.ones(num_features)))
        self.register_parameter("bias", nn.Parameter(torch.zeros(num_features)))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        self.register_buffer("num_batches_tracked", torch.zeros([], dtype=torch.int64))

    def forward(self, x):
        rows = x.movedim(1, 0).flatten(1)
        if self.training:
            d = rows - rows.mean(1, keepdim=True)
            d = d - d.mean(1, keepdim=True)
            var = (d * d).mean(1)
            with torch.no_grad():
                m = rows.shape[1]
                self.running_mean += self.momentum * (rows.mean(1) - self.running_mean)
                self.running_var += self.momentum * (var * (m / (m - 1)) - self.running_var)
                self.num_batches_tracked += 1
        else:
            d, var = rows - self.running_mean[:, None], self.running_var.clone()
        y = torch.addcmul(self.bias[:, None], d, (self.weight / (var + self.eps) ** 0.5)[:, None])
        return y.unflatten(1, (x.shape[0], *x.shape[2:])).movedim(0, 1)


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        match normalized_shape:
            case int():
                shape = (normalized_shape,)
            case _:
                shape = tuple(normalized_shape)
        self.shape, self.eps = shape, eps
        self.weight = nn.Parameter(torch.ones(shape))
        self.bias = nn.Parameter(torch.zeros(shape))

    def forward(self, x):
        columns = x.reshape(-1, self.weight.numel()).T
        d = columns - columns.mean(0)
        y = d / torch.sqrt((d * d).mean(0) + self.eps)
        return (y.T * self.weight.reshape(-1) + self.bias.reshape(-1)).reshape(x.shape)
