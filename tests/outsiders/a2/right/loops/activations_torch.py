import torch
from torch import nn


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        small = torch.exp(-x.abs())
        y = torch.where(x >= 0, 1 / (1 + small), small / (1 + small))
        ctx.save_for_backward(small)
        return y

    @staticmethod
    def backward(ctx, dy):
        (small,) = ctx.saved_tensors
        return dy * small / (1 + small) ** 2


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps = eps
        self.momentum = momentum
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        self.register_buffer("num_batches_tracked", torch.tensor(0))

    def forward(self, x):
        if self.training:
            self.num_batches_tracked += 1
        channels = []
        for c in range(x.shape[1]):
            values = x[:, c]
            if self.training:
                count = values.numel()
                mean = values.sum() / count
                squares = ((values - mean) ** 2).sum()
                var = squares / count
                with torch.no_grad():
                    self.running_mean[c] = (1 - self.momentum) * self.running_mean[c] + self.momentum * mean
                    self.running_var[c] = (1 - self.momentum) * self.running_var[c] + self.momentum * squares / (count - 1)
            else:
                # the buffers are written in place, channel by channel: autograd must get copies
                mean, var = self.running_mean[c].clone(), self.running_var[c].clone()
            channels.append(self.weight[c] * (values - mean) / torch.sqrt(var + self.eps) + self.bias[c])
        return torch.stack(channels, dim=1)


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.shape = tuple(normalized_shape)
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(self.shape))
        self.bias = nn.Parameter(torch.zeros(self.shape))

    def forward(self, x):
        samples = x.reshape(-1, self.weight.numel())
        out = []
        for sample in samples:
            mean = sample.mean()
            deviation = (((sample - mean) ** 2).mean() + self.eps).sqrt()
            out.append(((sample - mean) / deviation).reshape(self.shape) * self.weight + self.bias)
        return torch.stack(out).reshape(x.shape) if out else x * 1
