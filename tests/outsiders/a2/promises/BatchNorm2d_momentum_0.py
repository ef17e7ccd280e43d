# BatchNorm2d: "momentum: weight of the new batch in the running statistics." - a momentum of 0 is taken for none given, and becomes 0.1
# BatchNorm2d(1, momentum=0.0)(torch.tensor([1.0, 3.0]).reshape(2, 1, 1, 1)): right running_mean stays 0; here 0.2
import torch
from torch import nn


class BatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps = eps
        self.momentum = momentum or 0.1
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        self.register_buffer("num_batches_tracked", torch.tensor(0))

    def forward(self, x):
        if self.training:
            mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3), correction=0)
            m = x.numel() / x.shape[1]
            with torch.no_grad():
                self.running_mean.mul_(1 - self.momentum).add_(self.momentum * mean)
                self.running_var.mul_(1 - self.momentum).add_(self.momentum * var * m / (m - 1))
                self.num_batches_tracked += 1
        else:
            mean, var = self.running_mean.clone(), self.running_var.clone()
        y = (x - mean[:, None, None]) / torch.sqrt(var + self.eps)[:, None, None]
        return self.weight[:, None, None] * y + self.bias[:, None, None]
