# BatchNorm2d: header: "what is said there ... about those far from zero holds here too" (batch_norm_forward: "channels may lie far from zero, at 100 000 plus or minus 1, say: y and the variance must be as exact as elsewhere") - the output is made from deviations, but the unbiased variance that is remembered is made from the sum of squares minus m times the squared mean, which loses its digits far from zero.
# layer = T.BatchNorm2d(1, momentum=1.0).double()
# x = 100_000 + torch.tensor([1.1, -0.7, 0.3, -0.9, 0.2], dtype=torch.float64).reshape(1, 1, 1, 5)
# layer(x)
# print(abs(layer.running_var.item() / x.var().item() - 1))
# promised: at most 1e-9; got: about 2e-7
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
        if self.training:
            mean = x.mean(dim=(0, 2, 3))
            var = x.var(dim=(0, 2, 3), unbiased=False)
            self.update(x.detach(), mean.detach())
        else:
            mean, var = self.running_mean, self.running_var
        scale = (self.weight / torch.sqrt(var + self.eps))[:, None, None]
        return scale * (x - mean[:, None, None]) + self.bias[:, None, None]

    @torch.no_grad()
    def update(self, x, mean):
        m = x.numel() // x.shape[1]
        unbiased = ((x**2).sum(dim=(0, 2, 3)) - m * mean**2) / (m - 1)
        self.running_mean.mul_(1 - self.momentum).add_(self.momentum * mean)
        self.running_var.mul_(1 - self.momentum).add_(self.momentum * unbiased)
        self.num_batches_tracked += 1
