# BatchNorm2d: "momentum: weight of the new batch in the running statistics, from 0 to 1" - 0 is taken for "none given", and every batch so far weighs the same
# BatchNorm2d(1, momentum=0.0) in training with x = 5 + randn: right running_mean stays 0, here the mean of the batch
import torch
from torch import nn


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.int64))

    def forward(self, x):
        wide = (1, -1, 1, 1)
        if self.training:
            mean = x.mean(dim=(0, 2, 3))
            squares = ((x - mean.view(wide)) ** 2).sum(dim=(0, 2, 3))
            m = x.shape[0] * x.shape[2] * x.shape[3]
            var = squares / m
            with torch.no_grad():
                self.num_batches_tracked += 1
                share = self.momentum if self.momentum else 1 / self.num_batches_tracked.item()
                self.running_mean.lerp_(mean, share)
                self.running_var.lerp_(squares / (m - 1), share)
        else:
            mean, var = self.running_mean, self.running_var
        hat = (x - mean.view(wide)) / torch.sqrt(var.view(wide) + self.eps)
        return self.weight.view(wide) * hat + self.bias.view(wide)
