# LayerNorm: "x: its shape ends in ``normalized_shape``; any number of axes before that." - with several axes in normalized_shape, everything but the first axis of x is taken for one sample
# LayerNorm((2, 2))(torch.arange(24.0).reshape(2, 3, 2, 2)): right each of the 6 places by itself; here the means run over 3 of them together
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(normalized_shape))
        self.bias = nn.Parameter(torch.zeros(normalized_shape))

    def forward(self, x):
        axes = (-1,) if self.weight.dim() == 1 else tuple(range(1, x.dim()))
        rest = x - x.mean(axes, keepdim=True)
        var = (rest**2).mean(axes, keepdim=True)
        return self.weight * rest / torch.sqrt(var + self.eps) + self.bias
