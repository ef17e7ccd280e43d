"""float64 inside and cast back; channels one by one."""
from __future__ import annotations
import torch
from torch import nn


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        z = -x.abs()
        low = z.exp() / (1 + z.exp())
        ctx.save_for_backward(low)
        return torch.where(x > 0, 1 - low, low)

    @staticmethod
    def backward(ctx, dy):
        low = ctx.saved_tensors[0]
        return dy * (low - low * low)


def _norm(row, eps):
    d = row - row.mean()
    return d * (d.square().mean() + eps).pow(-0.5)


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        for name, value in (("running_mean", 0.0), ("running_var", 1.0)):
            self.register_buffer(name, torch.full((num_features,), value))
        self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.long))

    def forward(self, x):
        channels = x.double().unbind(1)
        if self.training:
            hats = [_norm(c, self.eps) for c in channels]
            with torch.no_grad():
                means = torch.stack([c.mean() for c in channels])
                variances = torch.stack([c.var(unbiased=True) for c in channels])
                a = self.momentum
                self.running_mean.copy_((1 - a) * self.running_mean.double() + a * means)
                self.running_var.copy_((1 - a) * self.running_var.double() + a * variances)
                self.num_batches_tracked.add_(1)
        else:
            mean, var = self.running_mean.double(), self.running_var.double()
            hats = [(c - mean[k]) * (var[k] + self.eps).pow(-0.5) for k, c in enumerate(channels)]
        gamma, beta = self.weight.double(), self.bias.double()
        return torch.stack([h * gamma[k] + beta[k] for k, h in enumerate(hats)], 1).to(x.dtype)


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(normalized_shape))
        self.bias = nn.Parameter(torch.zeros(normalized_shape))

    def forward(self, x):
        k = self.weight.ndim
        samples = x.double().flatten(-k) if k > 1 else x.double()
        d = samples - samples.mean(-1, keepdim=True)
        hat = (d / (d.square().mean(-1, keepdim=True) + self.eps).sqrt()).reshape(x.shape)
        return torch.addcmul(self.bias.double(), self.weight.double(), hat).to(x.dtype)
