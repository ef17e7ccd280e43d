# BatchNorm2d: [statistics cut off from the graph]
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
        self.register_buffer("num_batches_tracked", torch.tensor(0))

    @torch.no_grad()
    def _statistics(self, x):
        if not self.training:
            return self.running_mean, self.running_var
        values = x.transpose(0, 1).reshape(x.shape[1], -1)
        mean, var = values.mean(dim=1), values.var(dim=1, correction=0)
        self.running_mean += self.momentum * (mean - self.running_mean)
        self.running_var += self.momentum * (values.var(dim=1) - self.running_var)
        self.num_batches_tracked += 1
        return mean, var

    def forward(self, x):
        mean, var = (s.view(1, -1, 1, 1) for s in self._statistics(x))
        hat = (x - mean) / (var + self.eps).sqrt()
        return self.weight.view(1, -1, 1, 1) * hat + self.bias.view(1, -1, 1, 1)
