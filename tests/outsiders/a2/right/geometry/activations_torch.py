"""Assignment 2 in PyTorch by reflections: see activations.py."""

from __future__ import annotations

import math

import torch
from torch import nn


def _log_sigmoid(x):
    return -torch.logaddexp(torch.zeros_like(x), -x)


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        logs = torch.stack([_log_sigmoid(x), _log_sigmoid(-x)])
        ctx.save_for_backward(logs)
        return logs[0].exp()

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.saved_tensors[0].sum(0).exp()


def _reflect(lines):
    m = lines.shape[-1]
    if m == 1:
        return lines
    v = lines.new_full((m,), 1 / math.sqrt(m))
    v[0] -= 1
    return lines - torch.einsum("...i,i->...", lines, v).unsqueeze(-1) * v / (1 - 1 / math.sqrt(m))


def _standard(lines, eps):
    """Normalized lines, their means and their sums of squared deviations."""
    first, m = lines[..., :1].detach(), lines.shape[-1]
    turned = _reflect(lines - first)
    rest = torch.cat([torch.zeros_like(turned[..., :1]), turned[..., 1:]], dim=-1)
    squares = torch.einsum("...i,...i->...", rest, rest)
    mean = first[..., 0] + turned[..., 0] / math.sqrt(m)
    return _reflect(rest) * torch.rsqrt(squares / m + eps).unsqueeze(-1), mean, squares


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight, self.bias = nn.Parameter(torch.ones(num_features)), nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.long))

    def forward(self, x):
        n, c, h, w = x.shape
        lines = torch.einsum("nchw->cnhw", x).reshape(c, n * h * w)
        if self.training:
            hat, mean, squares = _standard(lines, self.eps)
            with torch.no_grad():
                self.running_mean.lerp_(mean, self.momentum)
                self.running_var.lerp_(squares / (n * h * w - 1), self.momentum)
                self.num_batches_tracked.add_(1)
        else:
            hat = (lines - self.running_mean[:, None]) * torch.rsqrt(self.running_var + self.eps)[:, None]
        y = torch.einsum("c,ci->ci", self.weight, hat) + self.bias[:, None]
        return torch.einsum("cnhw->nchw", y.reshape(c, n, h, w))


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight, self.bias = nn.Parameter(torch.ones(normalized_shape)), nn.Parameter(torch.zeros(normalized_shape))

    def forward(self, x):
        hat, _, _ = _standard(x.reshape(-1, self.weight.numel()), self.eps)
        return torch.addcmul(self.bias, self.weight, hat.reshape(x.shape))
