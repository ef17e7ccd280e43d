import torch
from torch import nn


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        root = torch.exp(-x.abs() / 2)  # x >= 0: 1 / (1 + root ** 2)
        y = torch.where(x < 0, root, 1 / root.clamp_min(1e-300 if x.dtype == torch.float64 else 1e-30)) / (
            root + 1 / root.clamp_min(1e-300 if x.dtype == torch.float64 else 1e-30)
        )
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return dy * (y - y * y)


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
        m = x.shape[0] * x.shape[2] * x.shape[3]
        if self.training:
            mean = torch.einsum("nchw->c", x) / m
            centred = x - torch.einsum("c,nchw->nchw", mean, torch.ones_like(x))
            squares = torch.einsum("nchw,nchw->c", centred, centred)
            var = squares / m
            self.num_batches_tracked = self.num_batches_tracked + 1
            keep = 1 - self.momentum
            self.running_mean = (keep * self.running_mean + self.momentum * mean).detach()
            self.running_var = (keep * self.running_var + self.momentum * squares / (m - 1)).detach()
        else:
            var = self.running_var
            centred = x - self.running_mean.reshape(1, -1, 1, 1)
        scale = self.weight / (var + self.eps) ** 0.5
        return torch.einsum("c,nchw->nchw", scale, centred) + self.bias.reshape(1, -1, 1, 1)


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(normalized_shape))
        self.bias = nn.Parameter(torch.zeros(normalized_shape))

    def forward(self, x):
        rows = x.reshape(-1, self.weight.numel())
        m = rows.shape[1]
        centring = torch.eye(m, dtype=x.dtype, device=x.device) - 1 / m
        rows = rows @ centring
        var = torch.einsum("sd,sd->s", rows, rows) / m
        hat = rows / torch.sqrt(var + self.eps)[:, None]
        return hat.reshape(x.shape) * self.weight + self.bias
