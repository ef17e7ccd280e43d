# LayerNorm: "Formulas: ``layer_norm_forward``." - that docstring says that samples may lie far from zero in float64; here the variance is the mean of the squares minus the square of the mean
# LayerNorm(3)(torch.tensor([[99999.0, 100000.0, 100001.0]], dtype=torch.float64)) after .double(): right -1.2247...; here it is off by 1e-6 (at 1e8 by far more)
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(normalized_shape))
        self.bias = nn.Parameter(torch.zeros(normalized_shape))

    def forward(self, x):
        axes = tuple(range(-self.weight.dim(), 0))
        mean = x.mean(axes, keepdim=True)
        var = (x**2).mean(axes, keepdim=True) - mean**2
        return self.weight * (x - mean) / torch.sqrt(var + self.eps) + self.bias
