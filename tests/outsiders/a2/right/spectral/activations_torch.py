"""Assignment 2 in PyTorch: means are the frequency 0 of a spectrum, and variances follow from Parseval's theorem."""

from __future__ import annotations

import torch
from torch import nn


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = torch.exp(x.clamp(max=0)), torch.exp(-x.clamp(min=0))
        ctx.save_for_backward(up, down)
        return up / (up + down)

    @staticmethod
    def backward(ctx, dy):
        up, down = ctx.saved_tensors
        return dy * (up / (up + down)) * (down / (up + down))


def _standard(lines, eps):
    """Lines along the last axis, normalized; their means; their variances."""
    m = lines.shape[-1]
    rough = lines.detach().mean(dim=-1, keepdim=True)
    spectra = torch.fft.fft(lines - rough)
    others = spectra[..., 1:]
    centred = torch.fft.ifft(torch.cat([torch.zeros_like(spectra[..., :1]), others], dim=-1)).real
    var = torch.view_as_real(others).square().sum(dim=(-2, -1)) / m**2
    mean = rough[..., 0] + spectra[..., 0].real / m
    return centred / (var + eps).sqrt()[..., None], mean, var


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        buffers = {"running_mean": torch.zeros(num_features), "running_var": torch.ones(num_features)}
        for name, start in {**buffers, "num_batches_tracked": torch.tensor(0)}.items():
            self.register_buffer(name, start)

    def forward(self, x):
        lines = x.movedim(1, 0).flatten(1)
        if self.training:
            hat, *batch = _standard(lines, self.eps)
            self._remember(lines.shape[1], *(b.detach() for b in batch))
        else:
            hat = (lines - self.running_mean[:, None]) / (self.running_var[:, None] + self.eps) ** 0.5
        y = self.weight[:, None] * hat + self.bias[:, None]
        return y.unflatten(1, (x.shape[0], *x.shape[2:])).movedim(0, 1)

    def _remember(self, m, mean, var):
        keep = 1 - self.momentum
        self.running_mean = keep * self.running_mean + self.momentum * mean
        self.running_var = keep * self.running_var + self.momentum * var * (m / (m - 1))
        self.num_batches_tracked = self.num_batches_tracked + 1


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(normalized_shape))
        self.bias = nn.Parameter(torch.zeros(normalized_shape))

    def forward(self, x):
        hat, _, _ = _standard(x.flatten(start_dim=-self.weight.ndim), self.eps)
        return self.weight * hat.reshape(x.shape) + self.bias
