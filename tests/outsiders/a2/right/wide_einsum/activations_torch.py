"""float64 inside, einsum, softmax of two scores."""

import torch
from torch import nn


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        both = torch.stack([x, torch.zeros_like(x)], dim=0).double().softmax(dim=0)
        ctx.save_for_backward(both)
        return both[0].to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        (both,) = ctx.saved_tensors
        return (dy * both.prod(dim=0)).to(dy.dtype)


def standard(rows, eps):
    rest = rows - rows.mean(1, keepdim=True)
    var = torch.einsum("rm,rm->r", rest, rest) / rows.shape[1]
    return torch.einsum("rm,r->rm", rest, (var + eps) ** -0.5), var


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.settings = dict(eps=eps, momentum=momentum)
        self.bias = nn.Parameter(torch.full((num_features,), 0.0))
        self.weight = nn.Parameter(torch.full((num_features,), 1.0))
        for name, tensor in (
            ("num_batches_tracked", torch.zeros((), dtype=torch.long)),
            ("running_var", torch.ones_like(self.weight.data)),
            ("running_mean", torch.zeros_like(self.bias.data)),
        ):
            self.register_buffer(name, tensor)

    def forward(self, x):
        eps, momentum = self.settings["eps"], self.settings["momentum"]
        rows = x.double().transpose(0, 1).flatten(1)
        if not self.training:
            mean, var = self.running_mean.double(), self.running_var.double()
            normal = (rows - mean[:, None]) * ((var + eps) ** -0.5)[:, None]
        else:
            normal, var = standard(rows, eps)
            m = rows.size(1)
            with torch.no_grad():
                for buffer, new in ((self.running_mean, rows.mean(1)), (self.running_var, var * m / (m - 1))):
                    buffer.mul_(1 - momentum).add_((momentum * new).to(buffer.dtype))
                self.num_batches_tracked.add_(1)
        y = torch.einsum("c,cm->cm", self.weight.double(), normal) + self.bias.double()[:, None]
        return y.unflatten(1, (x.shape[0], *x.shape[2:])).transpose(0, 1).to(x.dtype)


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(normalized_shape))
        self.bias = nn.Parameter(torch.zeros(normalized_shape))

    def forward(self, x):
        normal, _ = standard(x.double().reshape(-1, self.weight.numel()), self.eps)
        return (normal.reshape(x.shape) * self.weight + self.bias).to(x.dtype)
