"""One base class for both layers, statistics by vector norms, buffers written through .data."""

import torch
from torch import nn


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.clone()
        left = y < 0
        y[left] = y[left].exp()
        y[left] = y[left] / (1 + y[left])
        y[~left] = 1 / (1 + (-y[~left]).exp())
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        y = ctx.saved_tensors[0]
        out = dy.clone()
        return out.mul_(y - y.square())


class _Normalization(nn.Module):
    def __init__(self, shape, eps):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(shape))
        self.bias = nn.Parameter(torch.zeros(shape))

    def statistics(self, x, dims):
        mean = x.mean(dims, keepdim=True)
        rest = x - mean
        return mean, (rest * rest.conj()).mean(dims, keepdim=True)


class BatchNorm2d(_Normalization):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__(num_features, eps)
        self.momentum = momentum
        for key, value in {"running_mean": 0.0, "running_var": 1.0}.items():
            self.register_buffer(key, torch.full([num_features], value))
        self.register_buffer("num_batches_tracked", torch.zeros([], dtype=torch.int64))

    def forward(self, x):
        shape = [1, -1, 1, 1]
        if self.training:
            mean, var = self.statistics(x, (0, 2, 3))
            self.remember(mean.detach().flatten(), var.detach().flatten(), x[:, 0].numel())
        else:
            mean, var = self.running_mean.clone().view(shape), self.running_var.clone().view(shape)
        weight, bias = self.weight.reshape(shape), self.bias.reshape(shape)
        return weight * ((x - mean) / (var + self.eps).sqrt()) + bias

    @torch.no_grad()
    def remember(self, mean, var, m):
        p = self.momentum
        self.running_mean.data.copy_(self.running_mean * (1 - p) + mean * p)
        self.running_var.data.copy_(self.running_var * (1 - p) + var * (p * m / (m - 1)))
        self.num_batches_tracked.data += 1


class LayerNorm(_Normalization):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__(normalized_shape, eps)

    def forward(self, x):
        dims = [*range(-self.weight.dim(), 0)]
        mean, var = self.statistics(x, dims)
        return (x - mean).div((var + self.eps).sqrt()).mul(self.weight).add(self.bias)
