from __future__ import annotations

import torch
from torch import Tensor, nn


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return torch.exp(-torch.logaddexp(torch.zeros_like(x), -x))

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        e = torch.exp(-torch.abs(x))
        return dy * e / (1 + e).square()


class Standardize(nn.Module):
    """Without parameters: subtract the mean over some axes, divide by the deviation."""

    def __init__(self, axes: tuple[int, ...], eps: float) -> None:
        super().__init__()
        self.axes, self.eps = axes, eps

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        mean = x.mean(self.axes, keepdim=True)
        var = torch.mean((x - mean) ** 2, self.axes, keepdim=True)
        return (x - mean) / torch.sqrt(var + self.eps), mean, var


class BatchNorm2d(nn.Module):
    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.standardize = Standardize((0, 2, 3), eps)
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.long))

    @torch.no_grad()
    def remember(self, mean: Tensor, var: Tensor, count: int) -> None:
        self.num_batches_tracked += 1
        for buffer, new in ((self.running_mean, mean), (self.running_var, var * (count / (count - 1)))):
            buffer.mul_(1 - self.momentum).add_(new.reshape(-1), alpha=self.momentum)

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            hat, mean, var = self.standardize(x)
            self.remember(mean, var, x.numel() // self.num_features)
        else:
            scale = torch.sqrt(self.running_var + self.eps)
            hat = ((x.movedim(1, -1) - self.running_mean) / scale).movedim(-1, 1)
        return (hat.movedim(1, -1) * self.weight + self.bias).movedim(-1, 1)


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape: int | tuple[int, ...], eps: float = 1e-5) -> None:
        super().__init__()
        shape = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
        self.standardize = Standardize(tuple(range(-len(shape), 0)), eps)
        self.weight = nn.Parameter(torch.ones(shape))
        self.bias = nn.Parameter(torch.zeros(shape))

    def forward(self, x: Tensor) -> Tensor:
        return self.weight * self.standardize(x)[0] + self.bias
