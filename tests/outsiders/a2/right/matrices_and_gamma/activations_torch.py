"""Averages as matrix products, autograd inside a Function, torch.var_mean."""

import torch
import torch.nn.functional as F
from torch import nn


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(-torch.logaddexp(torch.zeros_like(x), -x))
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, dy):
        x, y = ctx.saved_tensors
        slope = torch.cosh(x / 2).square().mul(4).reciprocal()
        return torch.addcmul(torch.zeros_like(dy), dy, slope)


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.weight = nn.Parameter(torch.empty(num_features))
        self.bias = nn.Parameter(torch.empty(num_features))
        nn.init.ones_(self.weight)
        nn.init.zeros_(self.bias)
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.long))

    def forward(self, x):
        last = x.movedim(1, -1)  # (N, H, W, C)
        rows = last.reshape(-1, self.num_features)
        if self.training:
            var, mean = torch.var_mean(rows, dim=0, correction=0)
            m = rows.shape[0]
            self.running_mean = torch.lerp(self.running_mean, mean.detach(), self.momentum)
            self.running_var = torch.lerp(self.running_var, torch.var(rows.detach(), dim=0), self.momentum)
            self.num_batches_tracked = self.num_batches_tracked + 1
        else:
            mean, var = self.running_mean, self.running_var
        y = torch.addcmul(self.bias, rows - mean, self.weight * torch.rsqrt(var + self.eps))
        return y.reshape(last.shape).movedim(-1, 1)


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        shape = torch.Size([normalized_shape] if isinstance(normalized_shape, int) else normalized_shape)
        self.weight, self.bias = nn.Parameter(torch.ones(shape)), nn.Parameter(torch.zeros(shape))
        self.eps = eps

    def forward(self, x):
        d = self.weight.numel()
        rows = x.reshape(-1, d)
        average = torch.full((d, d), 1 / d, dtype=x.dtype, device=x.device)
        rows = rows - rows[:, :1]
        rest = rows - rows @ average
        var = F.linear(rest * rest, average[:1])
        return self.bias + self.weight * (rest / (var + self.eps).pow(0.5)).reshape(x.shape)
