# BatchNorm2d: "In training (self.training is true; ... whether or not gradients are recorded)" - statistics of the batch are used and remembered only where the input wants a gradient or gradients are recorded
# a new layer in training, called under torch.no_grad(): right y normalized by the batch and num_batches_tracked 1, here by the running statistics and 0
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
        if self.training and torch.is_grad_enabled():
            mean = x.mean(dim=(0, 2, 3))
            squares = ((x - mean.view(wide)) ** 2).sum(dim=(0, 2, 3))
            m = x.shape[0] * x.shape[2] * x.shape[3]
            var = squares / m
            with torch.no_grad():
                self.running_mean.lerp_(mean, self.momentum)
                self.running_var.lerp_(squares / (m - 1), self.momentum)
                self.num_batches_tracked += 1
        else:
            mean, var = self.running_mean, self.running_var
        hat = (x - mean.view(wide)) / torch.sqrt(var.view(wide) + self.eps)
        return self.weight.view(wide) * hat + self.bias.view(wide)
