"""The sums with einsum; the sigmoid by way of softplus."""
from __future__ import annotations
import torch
from torch import nn


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        wide = x.double()
        return torch.exp(-torch.logaddexp(-wide, torch.zeros_like(wide))).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        wide = x.double()
        zero = torch.zeros_like(wide)
        slope = torch.exp(-torch.logaddexp(-wide, zero) - torch.logaddexp(wide, zero))
        return dy * slope.to(dy.dtype)


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        self.register_buffer("num_batches_tracked", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            m = x.shape[0] * x.shape[2] * x.shape[3]
            mean = torch.einsum("nchw->c", x) / m
            d = x - mean.reshape(-1, 1, 1)
            squares = torch.einsum("nchw,nchw->c", d, d)
            var = squares / m
            a = self.momentum
            self.running_mean = (1 - a) * self.running_mean + a * mean.detach()
            self.running_var = (1 - a) * self.running_var + a * (squares / (m - 1)).detach()
            self.num_batches_tracked = self.num_batches_tracked + 1
        else:
            d = x - mean.reshape(-1, 1, 1)
        y = torch.einsum("nchw,c->nchw", d, self.weight * torch.rsqrt(var + self.eps))
        return y + self.bias.reshape(-1, 1, 1)


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        self.eps = eps
        shape = torch.Size([normalized_shape] if isinstance(normalized_shape, int) else normalized_shape)
        self.weight, self.bias = nn.Parameter(torch.ones(shape)), nn.Parameter(torch.zeros(shape))

    def forward(self, x):
        n = self.weight.numel()
        rows = x.reshape(-1, n)
        d = rows - torch.einsum("nd->n", rows)[:, None] / n
        scale = torch.rsqrt(torch.einsum("nd,nd->n", d, d) / n + self.eps)
        y = torch.einsum("nd,n,d->nd", d, scale, self.weight.reshape(-1)) + self.bias.reshape(-1)
        return y.reshape(x.shape)
