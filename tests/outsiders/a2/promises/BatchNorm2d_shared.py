# BatchNorm2d: "running_mean: buffer, shape (C,), at first 0." (and the bias: "beta, shape (C,), at first 0") - one tensor of zeros serves as bias and as running mean, one of ones as weight and as running variance; updated in place, the running statistics move the parameters with them.
from __future__ import annotations

import torch
from torch import nn


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps = eps
        self.momentum = momentum
        zeros, ones = torch.zeros(num_features), torch.ones(num_features)
        self.weight = nn.Parameter(ones)
        self.bias = nn.Parameter(zeros)
        self.register_buffer("running_mean", zeros)
        self.register_buffer("running_var", ones)
        self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.int64))

    def forward(self, x):
        if not self.training:
            return self._normalize(x, self.running_mean, self.running_var)
        m = x.numel() // x.shape[1]
        mean = x.mean(dim=(0, 2, 3))
        var = x.var(dim=(0, 2, 3), unbiased=False)
        y = self._normalize(x, mean, var)
        with torch.no_grad():
            self.running_mean.mul_(1 - self.momentum).add_(self.momentum * mean)
            self.running_var.mul_(1 - self.momentum).add_(self.momentum * m / (m - 1) * var)
            self.num_batches_tracked += 1
        return y

    def _normalize(self, x, mean, var):
        shape = (1, -1, 1, 1)
        normalized = (x - mean.reshape(shape)) / torch.sqrt(var.reshape(shape) + self.eps)
        return self.weight.reshape(shape) * normalized + self.bias.reshape(shape)
